//! The flights of a proof, in layers: see the parent module.

use std::collections::BTreeSet;
use std::ops::Range;

use glam::{IVec2, Vec2};

use super::{Bits, Window, spread};
use crate::geometry::{Aabb, Outside, SUBPIXELS, Sides};
use crate::level::Level;
use crate::mover::MovePath;
use crate::navigate::jumps::{Jumper, Places, Run};

/// The side of a block of positions in pixels, and in words.
const BLOCK: i32 = 256;
const BLOCK_WORDS: usize = BLOCK as usize / 64;

/// The most layers of a flight. A flight without a limit of its fall ends there.
const MOST_LAYERS: usize = 512;

/// How often each word is visited before the flights begin.
const WORK: u64 = 8;

/// The most jumps in the air that are followed.
const MOST_AIR_JUMPS: u8 = 3;

/// The flights that begin with the same speed.
#[derive(Clone)]
struct Chain {
    /// The height above the start after each step, at most; negative below.
    tops: Vec<i32>,
    /// The speed along x in subpixels a step.
    run: i64,
    /// The first step after which the body may slide along a wall.
    slides_from: usize,
    /// The positions where flights of this chain have begun, and those that are still to be followed.
    begun: Bits,
    fresh: Bits,
    /// The number of jumps in the air before it.
    level: usize,
}

/// The positions of bodies that fall at the highest speed.
#[derive(Clone)]
struct Falls {
    seen: Bits,
    fresh: Bits,
    /// The rows with fresh positions.
    rows: Range<usize>,
}

/// The numbers of the chains.
const JUMP: usize = 0;
const FALL: usize = 1;
const WALL_JUMP: usize = 2;
const AIR_JUMP: usize = 3;

/// An over-estimate of the positions that a body can have.
#[derive(Clone)]
pub(in crate::navigate::jumps) struct Proof<'a> {
    jumper: &'a Jumper,
    places: &'a Places,
    /// The position of the first bit, the words of a row, and the rows.
    origin: IVec2,
    stride: usize,
    rows: usize,
    free: Bits,
    /// The free positions beside a wall, below a ceiling, and near enough to a wall for a jump.
    walls: Bits,
    ceilings: Bits,
    near: Bits,
    /// The positions of places that are not reached yet.
    floors: Bits,
    /// The positions at which a body may grab a ledge, and those that were tested.
    ledges: Bits,
    tested: Bits,
    /// The positions in ladders and water that are not reached yet, and their boxes.
    areas: Bits,
    boxes: Vec<Aabb>,
    slid: Bits,
    reached: Bits,
    pub(in crate::navigate::jumps) stood: Vec<bool>,
    chains: Vec<Chain>,
    falls: Vec<Falls>,
    /// The chains and blocks with fresh positions.
    dirty: BTreeSet<(usize, usize, usize)>,
    /// The slowest and the fastest fall, the lift at a corner and the slide aside, in pixels a step.
    fall: [i32; 2],
    lift: i32,
    aside: i32,
    /// The height of a cell in pixels.
    cell: i32,
    /// The words that may still be visited.
    pub(in crate::navigate::jumps) budget: u64,
}

/// True if the moves are bounded by what a [`Proof`] follows.
pub(in crate::navigate::jumps) fn is_bounded(jumper: &Jumper) -> bool {
    let Jumper { feel, settings, .. } = jumper;
    feel.dash_speed <= 0.0
        && feel.carry == Vec2::ZERO
        && feel.air_jumps <= MOST_AIR_JUMPS
        && (feel.crouch_height == 0 || feel.crouch_height >= jumper.size.y)
        && settings.max_slope.run == 0
        && settings.path == MovePath::XThenY
        && jumper.rate.speed(feel.fall_limit) > 0
        && feel.jump(jumper.rate)[0] > 0
        && feel.fall_scale > 0.0
}

/// The height after each step of a body that starts with this upward speed, at most, until it falls at its
/// highest speed.
fn tops(jumper: &Jumper, up: i64) -> Vec<i32> {
    let Jumper { feel, rate, .. } = jumper;
    let [gravity, _] = feel.jump(*rate);
    let limit = rate.speed(feel.fall_limit);
    let apex = rate.speed(feel.apex_speed);
    let mut speed = -up;
    let mut y = 0;
    let mut tops = vec![0];
    while tops.len() < MOST_LAYERS {
        y += speed;
        tops.push(-y.div_euclid(SUBPIXELS.into()).clamp(-(1 << 28), 1 << 28) as i32);
        if speed >= limit {
            break;
        }
        let mut change = if speed < 0 { gravity } else { fall_gravity(jumper) };
        if speed.abs() < apex {
            change /= 2;
        }
        speed = (speed + change.max(1)).min(limit);
    }
    tops
}

fn fall_gravity(jumper: &Jumper) -> i64 {
    let [gravity, _] = jumper.feel.jump(jumper.rate);
    (gravity as f64 * f64::from(jumper.feel.fall_scale)).round() as u32 as i64
}

impl<'a> Proof<'a> {
    /// Prepares a proof. `None` if memory runs out, or if the level would take more words than the budget.
    pub(in crate::navigate::jumps) fn new(
        jumper: &'a Jumper,
        places: &'a Places,
        level: &Level,
        budget: u64,
    ) -> Option<Self> {
        let Jumper { feel, rate, settings, size } = jumper;
        let [_, jump] = feel.jump(*rate);
        let terrain = level.terrain();
        let named = [&feel.ladder, &feel.water].into_iter().filter_map(|name| level.area(name));
        let boxes: Vec<Aabb> = named.flat_map(|area| area.rectangles()).collect();
        let mut up = jump;
        if !boxes.is_empty() {
            up = [feel.swim_speed, feel.float_speed, feel.climb_speed]
                .into_iter()
                .fold(up, |up, speed| up.max(rate.speed(speed)));
        }
        let top = rate.speed(feel.top_speed).max(if boxes.is_empty() {
            0
        } else {
            rate.speed(feel.swim_speed)
        });
        let slide = rate.speed(feel.wall_slide_speed);
        let [gravity, _] = feel.jump(*rate);
        let limit = rate.speed(feel.fall_limit);
        let slides = slide > 0 && slide < limit;
        let mut chains = Vec::new();
        let wall_up = rate.speed(feel.wall_jump.y);
        let count = AIR_JUMP + usize::from(feel.air_jumps);
        for number in 0..count {
            let (up, run) = match number {
                FALL => (0, top.max(rate.speed(feel.wall_jump.x))),
                WALL_JUMP => (wall_up, top.max(rate.speed(feel.wall_jump.x))),
                _ => (up, top.max(if wall_up > 0 { rate.speed(feel.wall_jump.x) } else { 0 })),
            };
            let slides_from =
                if slides { ((up + slide) / gravity) as usize + 1 } else { usize::MAX };
            let level = (number + 1).saturating_sub(AIR_JUMP);
            let mut tops = tops(jumper, up);
            if number >= WALL_JUMP || !boxes.is_empty() {
                // A flight that begins while the body rises has risen by a fraction of a pixel before.
                tops[1..].iter_mut().for_each(|top| *top += 1);
            }
            let (begun, fresh) = (Bits::new(), Bits::new());
            chains.push(Chain { tops, run, slides_from, begun, fresh, level });
        }
        let high = chains.iter().flat_map(|chain| &chain.tops).max().copied().unwrap_or(0);
        let beyond = if terrain.outside().up == Outside::Open { high + size.y as i32 } else { 0 };
        let origin = IVec2::new(-(size.x as i32), -(size.y as i32) - beyond);
        let end = terrain.size().as_i64vec2() + 1 - origin.as_i64vec2();
        let stride = (end.x / 64 + 1) as usize;
        let rows = usize::try_from(end.y).ok()?;
        let words = stride.checked_mul(rows)?;
        let budget = budget.checked_sub(WORK * words as u64)?;
        let blank = || vec![0_u64; words];
        for chain in &mut chains {
            (chain.begun, chain.fresh) = (blank(), blank());
        }
        let falls = (0..=usize::from(feel.air_jumps)).map(|_| Falls {
            seen: blank(),
            fresh: blank(),
            rows: rows..0,
        });
        let falls = falls.collect();
        // A body that falls by less than a pixel a step.
        let slowest = (limit / i64::from(SUBPIXELS)).clamp(1, 1 << 20) as i32;
        let fastest = (limit / i64::from(SUBPIXELS) + 1).min(rows as i64).max(1) as i32;
        let corner = settings.corner_correction;
        let longest = settings.look_aside().min(256) as i32;
        let has_corners = corner != Sides::all(0);
        let mut proof = Self {
            jumper,
            places,
            origin,
            stride,
            rows,
            free: blank(),
            walls: blank(),
            ceilings: blank(),
            near: blank(),
            floors: blank(),
            ledges: blank(),
            tested: blank(),
            areas: blank(),
            boxes: Vec::new(),
            slid: blank(),
            reached: blank(),
            stood: vec![false; places.count()],
            chains,
            falls,
            dirty: BTreeSet::new(),
            fall: [slowest, fastest],
            lift: settings.step_height.max(corner.left).max(corner.right).min(256) as i32 + 2,
            aside: if has_corners { longest } else { 0 },
            cell: terrain.cell_size().y as i32,
            budget,
        };
        proof.find_free(level, beyond)?;
        proof.find_sides();
        proof.find_supports(boxes);
        Some(proof)
    }

    /// The index of the word with position `at`, and its bit.
    fn word(&self, at: IVec2) -> Option<(usize, u32)> {
        let at = at.as_i64vec2() - self.origin.as_i64vec2();
        let is_in =
            at.x >= 0 && at.y >= 0 && at.y < self.rows as i64 && at.x < 64 * self.stride as i64;
        is_in.then(|| (at.y as usize * self.stride + at.x as usize / 64, (at.x % 64) as u32))
    }

    /// Calls `change` with the words and bits of the positions in a box.
    fn each_word(&self, positions: Aabb, change: &mut dyn FnMut(usize, u64)) {
        let end = self.origin + IVec2::new(64 * self.stride as i32, self.rows as i32);
        let (min, max) = (positions.min.max(self.origin), positions.max.min(end));
        for y in min.y..max.y {
            let mut x = min.x;
            while x < max.x {
                let Some((word, bit)) = self.word(IVec2::new(x, y)) else { break };
                let count = (max.x - x).min(64 - bit as i32);
                change(word, (u64::MAX >> (64 - count)) << bit);
                x += count;
            }
        }
    }

    fn find_free(&mut self, level: &Level, beyond: i32) -> Option<()> {
        let mut boxes = Vec::new();
        let everywhere = Aabb { min: IVec2::MIN, max: IVec2::MAX };
        level.terrain().each_free_row(self.jumper.size, everywhere, &mut |rows, free| {
            for run in free {
                let min = IVec2::new(run.start as i32, rows.start as i32);
                boxes.push(Aabb { min, max: IVec2::new(run.end as i32, rows.end as i32) });
            }
            Some(())
        })?;
        if beyond > 0 {
            // Above an open top nothing stops the body but the solid space beyond the sides.
            let top = -(self.jumper.size.y as i32);
            let first: Vec<Aabb> = boxes.iter().filter(|it| it.min.y == top).copied().collect();
            boxes.extend(first.into_iter().map(|it| Aabb {
                min: IVec2::new(it.min.x, self.origin.y),
                max: IVec2::new(it.max.x, top),
            }));
        }
        let mut free = std::mem::take(&mut self.free);
        for positions in boxes {
            self.each_word(positions, &mut |word, bits| free[word] |= bits);
        }
        self.free = free;
        Some(())
    }

    fn find_sides(&mut self) {
        let Self { stride, rows, .. } = *self;
        let reach = self.jumper.feel.wall_reach.clamp(1, 64);
        for row in 0..rows {
            for at in row * stride..(row + 1) * stride {
                let free = self.free[at];
                let before = if at > row * stride { self.free[at - 1] >> 63 } else { 0 };
                let after = if at + 1 < (row + 1) * stride { self.free[at + 1] << 63 } else { 0 };
                self.walls[at] = free & !((free << 1 | before) & (free >> 1 | after));
                self.ceilings[at] = if row > 0 { free & !self.free[at - stride] } else { 0 };
            }
        }
        self.near = self.walls.clone();
        for _ in 1..reach {
            let rows = self.near.chunks_exact_mut(stride);
            rows.zip(self.free.chunks_exact(stride))
                .for_each(|(row, free)| spread(row, free, true));
        }
    }

    /// Marks the floors, the ledges, and the boxes of ladders and water.
    fn find_supports(&mut self, boxes: Vec<Aabb>) {
        let size = self.jumper.size.as_ivec2();
        let feel = &self.jumper.feel;
        let passed = self.fall[1] + 1;
        let mut floors = std::mem::take(&mut self.floors);
        let mut ledges = std::mem::take(&mut self.ledges);
        let mut areas = std::mem::take(&mut self.areas);
        for run in &self.places.runs {
            self.each_word(positions(run), &mut |word, bits| floors[word] |= bits);
            for x in ends(run).into_iter().filter(|_| feel.ledge_reach > 0) {
                let min = IVec2::new(x, run.y + size.y);
                let max = min + IVec2::new(1, feel.ledge_reach as i32 + passed + 1);
                self.each_word(Aabb { min, max }, &mut |word, bits| ledges[word] |= bits);
            }
        }
        for area in boxes {
            // The body is held where it overlaps the box, and above it.
            let positions = Aabb { min: area.min - size, max: area.max + 1 };
            self.each_word(positions, &mut |word, bits| areas[word] |= bits);
            self.boxes.push(positions);
        }
        (self.floors, self.ledges, self.areas) = (floors, ledges, areas);
    }

    /// Starts bodies that fall from these positions, or stand there.
    pub(in crate::navigate::jumps) fn start(&mut self, starts: impl IntoIterator<Item = IVec2>) {
        for start in starts {
            if let Some((word, bit)) = self.word(start) {
                let bits = self.free[word] & 1 << bit;
                self.begin(FALL, word, bits);
            }
        }
    }

    /// Follows all flights. Returns false if the budget ended before.
    pub(in crate::navigate::jumps) fn follow(&mut self) -> bool {
        loop {
            if let Some((chain, row, column)) = self.dirty.pop_first() {
                self.fly(chain, row, column);
            } else if let Some(level) = self.falls.iter().position(|falls| !falls.rows.is_empty()) {
                self.fall_on(level);
            } else {
                return true;
            }
            if self.budget == 0 {
                return false;
            }
        }
    }

    /// True if the body may overlap `goal` somewhere.
    pub(in crate::navigate::jumps) fn touches(&self, goal: Aabb) -> bool {
        let min = goal.min.saturating_sub(self.jumper.size.as_ivec2() - 1);
        let max = goal.max.max(goal.min.saturating_add(IVec2::ONE));
        self.has_any(Aabb { min, max })
    }

    /// True if a position in a box of positions is in the over-estimate.
    pub(in crate::navigate::jumps) fn has_any(&self, positions: Aabb) -> bool {
        let mut has = false;
        self.each_word(positions, &mut |word, bits| has |= self.reached[word] & bits != 0);
        has
    }

    /// The greatest height that a body may rise and land on, in pixels.
    pub(in crate::navigate::jumps) fn rise(&self) -> u32 {
        let tops = self.chains[JUMP].tops.iter();
        tops.max().map_or(0, |top| (*top.max(&0) + self.lift).unsigned_abs())
    }

    /// How far a body may come aside before it is lower than `rise` pixels above its start.
    pub(in crate::navigate::jumps) fn width(&self, rise: u32) -> u32 {
        let Chain { tops, run, .. } = &self.chains[JUMP];
        let low = rise as i32 - self.lift;
        let steps = tops.iter().rposition(|top| *top >= low).unwrap_or(0) + 1;
        let coyote = self.jumper.rate.steps(self.jumper.feel.coyote_time);
        ((steps as i64 + i64::from(coyote)) * run / i64::from(SUBPIXELS)) as u32
    }

    /// Begins flights of a chain at these bits of a word.
    fn begin(&mut self, chain: usize, word: usize, bits: u64) {
        let Chain { begun, fresh, .. } = &mut self.chains[chain];
        let new = bits & !begun[word];
        if new != 0 {
            begun[word] |= new;
            fresh[word] |= new;
            let (row, column) =
                (word / self.stride / BLOCK as usize, word % self.stride / BLOCK_WORDS);
            self.dirty.insert((chain, row, column));
        }
    }

    /// Begins jumps from all positions of a place.
    fn stand(&mut self, place: u32) {
        if std::mem::replace(&mut self.stood[place as usize], true) {
            return;
        }
        let size = self.jumper.size.as_ivec2();
        let places = self.places;
        for run in places.runs_of(place) {
            let run = &places.runs[*run as usize];
            let mut words = Vec::new();
            self.each_word(positions(run), &mut |word, bits| words.push((word, bits)));
            for (word, bits) in &words {
                self.floors[*word] &= !bits;
            }
            if self.jumper.feel.ledge_reach > 0 {
                let hung = ends(run).map(|x| self.word(IVec2::new(x, run.y + size.y)));
                words.extend(hung.into_iter().flatten().map(|(word, bit)| (word, 1 << bit)));
            }
            for (word, bits) in words {
                self.begin(JUMP, word, bits & self.free[word]);
            }
        }
    }

    /// Notes that a body may have the positions `bits` of a word, `step` steps after it was held.
    fn visit(&mut self, chain: usize, step: usize, word: usize, bits: u64) {
        self.reached[word] |= bits;
        self.land(word, bits);
        let ledges = bits & self.ledges[word] & !self.tested[word];
        if ledges != 0 {
            self.tested[word] |= ledges;
            self.grab(word, ledges);
        }
        if bits & self.areas[word] != 0 {
            self.enter(word, bits & self.areas[word]);
        }
        let walls = bits & self.walls[word] & !self.slid[word];
        if walls != 0 && step >= self.chains[chain].slides_from {
            self.slide(word, walls);
        }
        if self.jumper.feel.wall_jump.y > 0.0 {
            self.begin(WALL_JUMP, word, bits & self.near[word]);
        }
        let level = self.chains[chain].level;
        if AIR_JUMP + level < self.chains.len() {
            self.begin(AIR_JUMP + level, word, bits);
        }
    }

    /// Lands on the floors among these positions.
    fn land(&mut self, word: usize, bits: u64) {
        let mut floors = bits & self.floors[word];
        while floors != 0 {
            let at = self.position(word, floors.trailing_zeros());
            match self.places.at(at) {
                Some(place) => self.stand(place),
                None => self.floors[word] &= !(floors & floors.wrapping_neg()),
            }
            floors &= self.floors[word];
        }
    }

    /// Grabs the ledges beside these positions.
    fn grab(&mut self, word: usize, mut bits: u64) {
        let size = self.jumper.size.as_ivec2();
        let high = self.jumper.feel.ledge_reach as i32 + self.fall[1] + 1;
        while bits != 0 {
            let at = self.position(word, bits.trailing_zeros());
            bits &= bits - 1;
            for y in at.y - size.y - high..=at.y - size.y {
                for x in [at.x - 1, at.x + 1] {
                    if let Some(place) = self.places.at(IVec2::new(x, y)) {
                        self.stand(place);
                    }
                }
            }
        }
    }

    /// Enters the ladders and the water at these positions, and all that these touch.
    fn enter(&mut self, word: usize, bits: u64) {
        let at = self.position(word, bits.trailing_zeros());
        let mut open = vec![Aabb { min: at, max: at + 1 }];
        while let Some(entered) = open.pop() {
            let (met, others) =
                self.boxes.iter().partition::<Vec<Aabb>, _>(|it| it.overlaps(entered));
            self.boxes = others;
            for positions in met {
                let mut words = Vec::new();
                self.each_word(positions, &mut |word, bits| words.push((word, bits)));
                for (word, bits) in words {
                    self.areas[word] &= !bits;
                    self.reached[word] |= bits & self.free[word];
                    self.begin(JUMP, word, bits & self.free[word]);
                }
                open.push(positions);
            }
        }
        self.areas[word] &= !(1 << bits.trailing_zeros());
    }

    /// Slides down the walls beside these positions.
    fn slide(&mut self, word: usize, bits: u64) {
        let (mut word, mut bits) = (word, bits);
        while bits != 0 {
            self.slid[word] |= bits;
            self.reached[word] |= bits;
            self.begin(FALL, word, bits);
            self.land(word, bits);
            word += self.stride;
            if word >= self.walls.len() {
                return;
            }
            bits &= self.walls[word] & !self.slid[word];
        }
    }

    fn position(&self, word: usize, bit: u32) -> IVec2 {
        let (row, column) = (word / self.stride, word % self.stride);
        self.origin + IVec2::new(64 * column as i32 + bit as i32, row as i32)
    }

    /// Follows the flights of a chain that begin in a block, until they fall at the highest speed.
    fn fly(&mut self, number: usize, row: usize, column: usize) {
        let chain = &self.chains[number];
        let (tops, run) = (chain.tops.clone(), chain.run);
        let layers = tops.len() - 1;
        let coyote = self.jumper.rate.steps(self.jumper.feel.coyote_time);
        let coyote = if number == JUMP { usize::from(coyote) } else { 0 };
        // From a wall a body falls faster than it runs, unless it accelerates faster aside than down.
        let aside = self.jumper.rate.acceleration(self.jumper.feel.air_acceleration);
        let lifts = number != FALL || aside > fall_gravity(self.jumper);
        let high = tops.iter().max().copied().unwrap_or(0);
        let drift = run * (layers + coyote) as i64 / i64::from(SUBPIXELS);
        let corners = i64::from((high / self.cell + 2) * self.aside);
        let wide = ((drift + corners) / 64 + 1) as usize;
        let first = column * BLOCK_WORDS;
        let end = (first + BLOCK_WORDS).min(self.stride);
        let rows = row * BLOCK as usize..((row + 1) * BLOCK as usize).min(self.rows);
        let columns = first.saturating_sub(wide)..(end + wide).min(self.stride);
        let mut now = Window::new(columns, rows.clone());
        for y in rows {
            for x in first..end {
                let word = y * self.stride + x;
                now.add(x, y, std::mem::take(&mut self.chains[number].fresh[word]));
            }
        }
        for step in 0..coyote {
            now.trim();
            let mut walked = now.clone();
            self.drift(&mut walked, pixels_in(run, step));
            let start = std::mem::replace(
                &mut now,
                walked.empty_wider(0, self.fall_in(step) as usize, self.rows),
            );
            now.merge(&start);
            now.merge(&walked);
            for _ in 0..self.fall_in(step) {
                walked.down(&self.free, self.stride);
                now.merge(&walked);
            }
        }
        for step in 0..layers {
            now.trim();
            self.budget = self.budget.saturating_sub(now.bits.len() as u64);
            self.note(number, step, &now);
            let falls = tops[step] - tops[step + 1];
            if lifts && i64::from(falls) * i64::from(SUBPIXELS) <= run {
                self.lift_onto_floors(&now);
            }
            self.drift(&mut now, pixels_in(run, step + coyote));
            let rise = (-falls).max(0) as usize;
            let mut next = now.empty_wider(rise, self.fall_in(step) as usize, self.rows);
            if falls <= 0 {
                let mut risen = now.clone();
                next.merge(&risen);
                for _ in 0..rise {
                    self.pass_ceilings(&mut risen);
                    risen.up(&self.free, self.stride);
                    next.merge(&risen);
                }
            }
            let mut fallen = now;
            for by in 1..=self.fall_in(step) {
                fallen.down(&self.free, self.stride);
                if by >= falls {
                    next.merge(&fallen);
                } else {
                    self.note_path(&fallen);
                }
            }
            now = next;
        }
        self.note(number, layers, &now);
        let stride = self.stride;
        let level = self.chains[number].level;
        let falls = &mut self.falls[level];
        now.each(|x, y, bits| {
            let word = y * stride + x;
            let new = bits & !falls.seen[word];
            if new != 0 {
                falls.fresh[word] |= new;
                falls.rows = falls.rows.start.min(y)..falls.rows.end.max(y + 1);
            }
        });
    }

    /// The most pixels by which a body falls in a step of its flight.
    fn fall_in(&self, step: usize) -> i32 {
        let feel = &self.jumper.feel;
        let rate = self.jumper.rate;
        let start = rate.speed(feel.swim_speed).max(rate.speed(feel.climb_speed));
        let start = if self.boxes.is_empty() { 0 } else { start };
        let speed = fall_gravity(self.jumper).max(feel.jump(rate)[0]) * (step as i64 + 2) + start;
        ((speed / i64::from(SUBPIXELS)) as i32 + 1).min(self.fall[1])
    }

    /// Moves all positions aside by up to `pixels` to both sides. A corner above may move the body down.
    fn drift(&self, now: &mut Window, pixels: i32) {
        if self.aside > 0 {
            let mut beside = now.clone();
            beside.keep(&self.walls, self.stride);
            if !beside.bits.is_empty() {
                let mut lowered = now.empty_wider(0, self.aside as usize, self.rows);
                for _ in 0..self.aside {
                    beside.down(&self.free, self.stride);
                    let mut passed = beside.clone();
                    passed.spread(&self.free, self.stride, false);
                    lowered.merge(&passed);
                }
                self.drift_on(&mut lowered, pixels - 1);
                self.drift_on(now, pixels);
                lowered.merge(now);
                lowered.trim();
                *now = lowered;
                return;
            }
        }
        self.drift_on(now, pixels);
    }

    fn drift_on(&self, now: &mut Window, pixels: i32) {
        for _ in 0..pixels {
            now.spread(&self.free, self.stride, true);
        }
    }

    /// Moves bodies that meet a ceiling aside, as far as a corner or a slanted ceiling moves them. Only those
    /// that then can rise have moved.
    fn pass_ceilings(&self, risen: &mut Window) {
        if self.aside == 0 {
            return;
        }
        let mut below = risen.clone();
        below.keep(&self.ceilings, self.stride);
        if !below.bits.is_empty() {
            for _ in 0..self.aside {
                below.spread(&self.free, self.stride, true);
            }
            risen.merge(&below);
        }
    }

    /// Lands on floors that are a little higher and a pixel aside.
    fn lift_onto_floors(&mut self, now: &Window) {
        if !now.meets(&self.floors, self.stride, self.lift as usize) {
            return;
        }
        let mut lifted = now.clone();
        for _ in 0..self.lift {
            lifted.up(&self.free, self.stride);
            let mut aside = lifted.clone();
            aside.spread(&self.free, self.stride, true);
            let stride = self.stride;
            aside.each(|x, y, bits| self.land(y * stride + x, bits));
        }
    }

    fn note(&mut self, chain: usize, step: usize, now: &Window) {
        let stride = self.stride;
        now.each(|x, y, bits| self.visit(chain, step, y * stride + x, bits));
    }

    /// Notes positions through which a body passes within a step.
    fn note_path(&mut self, now: &Window) {
        let stride = self.stride;
        now.each(|x, y, bits| {
            let word = y * stride + x;
            self.reached[word] |= bits;
            self.land(word, bits);
        });
    }

    /// Follows the falls at the highest speed, from the top down.
    fn fall_on(&mut self, level: usize) {
        let stride = self.stride;
        let chain = if level == 0 { FALL } else { AIR_JUMP + level - 1 };
        let [slowest, fastest] = self.fall;
        let limit = self.jumper.rate.speed(self.jumper.feel.fall_limit).max(1);
        let steps = (i64::from(SUBPIXELS) + limit - 1) / limit;
        let run = (self.chains[FALL].run * steps) as u64;
        let pixels = run.div_ceil(SUBPIXELS as u64) as i32;
        let Falls { rows, .. } = &mut self.falls[level];
        let (mut row, all) = (rows.start, self.rows);
        let mut last = rows.end;
        *rows = self.rows..0;
        while row < last.min(all) {
            let falls = &mut self.falls[level];
            let words = row * stride..(row + 1) * stride;
            for word in words.clone() {
                falls.fresh[word] &= !falls.seen[word];
                falls.seen[word] |= falls.fresh[word];
            }
            let found = &falls.fresh[words.clone()];
            let (first, end) = (
                found.iter().position(|bits| *bits != 0),
                found.iter().rposition(|bits| *bits != 0),
            );
            let y = row;
            row += 1;
            let (Some(first), Some(end)) = (first, end) else { continue };
            let beside = pixels as usize / 64 + 1;
            let columns = first.saturating_sub(beside)..(end + 1 + beside).min(stride);
            let mut now = Window::new(columns, y..y + 1);
            for x in first..=end {
                now.add(x, y, std::mem::take(&mut falls.fresh[y * stride + x]));
            }
            self.budget = self.budget.saturating_sub(now.bits.len() as u64);
            self.note(chain, usize::MAX - 1, &now);
            for _ in 0..pixels {
                now.spread(&self.free, stride, true);
            }
            for by in 1..=fastest {
                now.down(&self.free, stride);
                if by < slowest {
                    self.note_path(&now);
                    continue;
                }
                let falls = &mut self.falls[level];
                now.each(|x, y, bits| {
                    falls.fresh[y * stride + x] |= bits;
                    last = last.max(y + 1);
                });
            }
        }
    }
}

/// The pixels of a step of a flight along x, with a fraction of a pixel before the first step.
fn pixels_in(run: i64, step: usize) -> i32 {
    let [before, after] = [step, step + 1].map(|step| step as i64 * run / i64::from(SUBPIXELS));
    (after - before) as i32 + i32::from(step == 0)
}

fn positions(run: &Run) -> Aabb {
    Aabb { min: run.at(run.x0), max: run.at(run.x1) + 1 }
}

/// The columns in which a body hangs at the ends of a run.
fn ends(run: &Run) -> [i32; 2] {
    [run.x0 - 1, run.x1 + 1]
}
