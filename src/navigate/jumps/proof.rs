//! The proof that a goal is out of reach: an over-estimate of all positions that a body can have, apart from
//! the links. A flight is followed in layers, one for each step since the body was held. In a layer the body
//! is no higher than the fullest jump would be, no further aside than its top speed allows, and anywhere
//! below; all that blocks it is solids. Whatever may hold it begins a new flight.
//!
//! Sets of positions are rows of bits. The layers live in a window around the block of positions where
//! flights begin, so memory grows with the level and not with the number of layers. Only falls at the highest
//! speed are followed through the whole level, row by row. Two rules matter: a slide along a wall begins only
//! when no rise is left, or it would climb every wall; and a corner lifts a body only while it falls no
//! faster than it runs, or nothing is out of reach.

mod flights;

use std::collections::BTreeSet;
use std::ops::Range;

use glam::{IVec2, Vec2};

use super::{Jumper, Places, Run};
use crate::geometry::{Aabb, Outside, SUBPIXELS, Sides};
use crate::level::Level;
use crate::mover::MovePath;
use crate::terrain::Terrain;

/// The most layers of a flight. There is no proof for a body whose jump takes longer.
const MOST_LAYERS: usize = 1 << 14;

/// The most jumps in the air that are followed.
const MOST_AIR_JUMPS: u8 = 3;

/// How often each word is visited before the flights begin.
const WORK: u64 = 128;

/// How often each word is visited for a copy of a proof.
const COPY: u64 = 16;

/// The numbers of the kinds of flights; jumps in the air have further ones.
const JUMP: usize = 0;
const FALL: usize = 1;
const WALL_JUMP: usize = 2;
const AIR_JUMP: usize = 3;

/// The flights that begin with the same speed.
#[derive(Clone)]
struct FlightKind {
    /// The height above the start after each step, at most; negative below.
    tops: Vec<i32>,
    /// The first step after which the body may slide along a wall.
    slides_from: usize,
    /// The positions where flights of this kind have begun, and those that are still to be followed.
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

/// An over-estimate of the positions that a body can have.
#[derive(Clone)]
pub(super) struct Proof<'a> {
    jumper: &'a Jumper,
    places: &'a Places,
    frame: BitFrame,
    free: Bits,
    /// The free positions beside a wall, below a ceiling, and near enough to a wall for a jump.
    walls: Bits,
    ceilings: Bits,
    near: Bits,
    /// The positions of places that are not reached yet, and those at which a body may grab a ledge that are
    /// not tested yet.
    floors: Bits,
    ledges: Bits,
    /// The positions in ladders and water.
    areas: Bits,
    reached: Bits,
    pub(super) stood: Vec<bool>,
    kinds: Vec<FlightKind>,
    falls: Vec<Falls>,
    /// The kinds and blocks with fresh positions.
    dirty: BTreeSet<(usize, usize, usize)>,
    /// The highest speed along x, and the speed and the acceleration along y at the start of a fall, at most,
    /// in subpixels a step.
    run: i64,
    sink: [i64; 2],
    /// The slowest and the fastest fall, the lift at a corner and the slide aside, in pixels a step.
    fall: [i32; 2],
    lift: i32,
    aside: i32,
    /// The height of a cell in pixels.
    cell: i32,
    /// How far below a ledge a body grabs it, with the length of a step of its fall, at most.
    ledge_reach: i32,
    /// The height of a jump, and the step in which it is reached.
    high: i32,
    apex: usize,
    /// The words that may still be visited.
    pub(super) budget: u64,
}

/// True if the moves are bounded by what a [`Proof`] follows.
pub(super) fn is_bounded(jumper: &Jumper) -> bool {
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
/// highest speed or has left the level, which is `deep` pixels high. `None` if this takes too many steps.
fn tops(jumper: &Jumper, up: i64, deep: i64) -> Option<Vec<i32>> {
    let Jumper { feel, rate, .. } = jumper;
    let [gravity, _] = feel.jump(*rate);
    let limit = rate.speed(feel.fall_limit);
    let apex = rate.speed(feel.apex_speed);
    let mut speed = -up;
    let (mut y, mut high) = (0, 0);
    let mut tops = vec![0];
    while tops.len() < MOST_LAYERS {
        y += speed;
        let top = -y.div_euclid(SUBPIXELS.into()).clamp(-(1 << 28), 1 << 28);
        tops.push(top as i32);
        high = high.max(top);
        if speed >= limit || top < -high - deep {
            return Some(tops);
        }
        let mut change = if speed < 0 { gravity } else { fall_gravity(jumper) };
        if speed.abs() < apex {
            change /= 2;
        }
        speed = (speed + change.max(1)).min(limit);
    }
    None
}

fn fall_gravity(jumper: &Jumper) -> i64 {
    let [gravity, _] = jumper.feel.jump(jumper.rate);
    (gravity as f64 * f64::from(jumper.feel.fall_scale)).round() as u32 as i64
}

/// The kinds of flights of a body. `swim` is its highest speed in ladders and water; `None` if there are
/// none. `deep` is that of [`tops`].
fn flight_kinds(jumper: &Jumper, swim: Option<i64>, deep: i64) -> Option<Vec<FlightKind>> {
    let Jumper { feel, rate, .. } = jumper;
    let [gravity, jump] = feel.jump(*rate);
    let slide = rate.speed(feel.wall_slide_speed);
    let slides = slide > 0 && slide < rate.speed(feel.fall_limit);
    let mut kinds = Vec::new();
    for number in 0..AIR_JUMP + usize::from(feel.air_jumps) {
        let up = match number {
            FALL => 0,
            WALL_JUMP => rate.speed(feel.wall_jump.y),
            _ => jump.max(swim.unwrap_or(0)),
        };
        let mut tops = tops(jumper, up, deep)?;
        if number >= WALL_JUMP || swim.is_some() {
            // A flight that begins while the body rises has risen by a fraction of a pixel before.
            tops[1..].iter_mut().for_each(|top| *top += 1);
        }
        let mut slides_from = ((up + slide) / gravity) as usize + 1;
        if number == JUMP {
            // A body that runs over an edge may jump a little later.
            let coyote = usize::from(rate.steps(feel.coyote_time));
            tops.splice(0..0, std::iter::repeat_n(0, coyote));
            slides_from += coyote;
        }
        kinds.push(FlightKind {
            tops,
            slides_from: if slides { slides_from } else { usize::MAX },
            begun: Bits::new(),
            fresh: Bits::new(),
            level: (number + 1).saturating_sub(AIR_JUMP),
        });
    }
    Some(kinds)
}

impl<'a> Proof<'a> {
    /// Prepares a proof. `None` if a jump takes too long, if memory runs out, or if the level would take more
    /// words than the budget.
    pub(super) fn new(
        jumper: &'a Jumper,
        places: &'a Places,
        level: &Level,
        budget: u64,
    ) -> Option<Self> {
        let Jumper { feel, rate, settings, size } = jumper;
        let terrain = level.terrain();
        let named = [&feel.ladder, &feel.water].into_iter().filter_map(|name| level.area(name));
        let holds: Vec<Aabb> = named.flat_map(|area| area.rectangles()).collect();
        let swims = [feel.swim_speed, feel.float_speed, feel.climb_speed].map(|it| rate.speed(it));
        let swim = swims.into_iter().max().filter(|_| !holds.is_empty());
        let deep = i64::from(terrain.size().y) + 2 * i64::from(size.y);
        let mut kinds = flight_kinds(jumper, swim, deep)?;
        let tops = kinds.iter().flat_map(|kind| &kind.tops);
        let frame = BitFrame::new(terrain, size.as_ivec2(), tops.max().copied().unwrap_or(0))?;
        let words = frame.stride.checked_mul(frame.rows)?;
        let budget = budget.checked_sub(WORK * words as u64)?;
        let blank = vec![0; words];
        for kind in &mut kinds {
            (kind.begun, kind.fresh) = (blank.clone(), blank.clone());
        }
        let falls = Falls { seen: blank.clone(), fresh: blank.clone(), rows: frame.rows..0 };
        let jumped = kinds[JUMP].tops.iter().enumerate();
        let (apex, high) = jumped.max_by_key(|(_, top)| **top).map_or((0, 0), |it| (it.0, *it.1));
        let swim = swim.unwrap_or(0);
        let kick = if rate.speed(feel.wall_jump.y) > 0 { rate.speed(feel.wall_jump.x) } else { 0 };
        let limit = rate.speed(feel.fall_limit);
        // A body that falls by less than a pixel a step.
        let slowest = (limit / i64::from(SUBPIXELS)).clamp(1, 1 << 20) as i32;
        let fastest = limit.max(swim) / i64::from(SUBPIXELS) + 1;
        let fastest = fastest.clamp(1, frame.rows as i64) as i32;
        let corner = settings.corner_correction;
        let has_corners = corner != Sides::all(0);
        let mut proof = Self {
            jumper,
            places,
            frame,
            free: blank.clone(),
            walls: blank.clone(),
            ceilings: blank.clone(),
            near: Bits::new(),
            floors: blank.clone(),
            ledges: blank.clone(),
            areas: blank.clone(),
            reached: blank,
            stood: vec![false; places.chains.len()],
            kinds,
            falls: vec![falls; usize::from(feel.air_jumps) + 1],
            dirty: BTreeSet::new(),
            run: rate.speed(feel.top_speed).max(swim).max(kick),
            sink: [swim, fall_gravity(jumper).max(feel.jump(*rate)[0])],
            fall: [slowest, fastest],
            lift: settings.step_height.max(corner.left).max(corner.right).min(256) as i32 + 2,
            aside: if has_corners { settings.look_aside().min(256) as i32 } else { 0 },
            cell: terrain.cell_size().y as i32,
            high,
            apex,
            ledge_reach: feel.ledge_reach.min(frame.rows as u32) as i32 + fastest,
            budget,
        };
        proof.find_free(level)?;
        proof.find_sides();
        proof.find_holds(&holds);
        Some(proof)
    }

    fn find_free(&mut self, level: &Level) -> Option<()> {
        let frame = self.frame;
        level.each_free_row(self.jumper.size, &mut |rows, free| {
            // Above an open top nothing stops the body but the solid space beyond the sides.
            let top = rows.start as i32;
            let is_first = top == -(self.jumper.size.y as i32);
            let top = if is_first { frame.origin.y } else { top };
            for run in free {
                let min = IVec2::new(run.start as i32, top);
                let max = IVec2::new(run.end as i32, rows.end as i32);
                frame.fill(&mut self.free, Aabb { min, max });
            }
            Some(())
        })
    }

    fn find_sides(&mut self) {
        let BitFrame { stride, rows, .. } = self.frame;
        for row in 0..rows {
            for at in row * stride..(row + 1) * stride {
                let free = self.free[at];
                let before = if at > row * stride { self.free[at - 1] >> 63 } else { 0 };
                let after = if at + 1 < (row + 1) * stride { self.free[at + 1] << 63 } else { 0 };
                self.walls[at] = free & !((free << 1 | before) & (free >> 1 | after));
                self.ceilings[at] = if row > 0 { free & !self.free[at - stride] } else { 0 };
            }
        }
        let feel = &self.jumper.feel;
        let can_jump = feel.wall_jump.y > 0.0;
        self.near = if can_jump { self.walls.clone() } else { vec![0; self.walls.len()] };
        for _ in 1..feel.wall_reach.clamp(1, 64) {
            let rows = self.near.chunks_exact_mut(stride).zip(self.free.chunks_exact(stride));
            rows.for_each(|(row, free)| spread(row, free, true));
        }
    }

    /// Finds the positions at which something may hold the body: the boxes `areas` of ladders and water,
    /// floors and ledges.
    fn find_holds(&mut self, areas: &[Aabb]) {
        let size = self.jumper.size.as_ivec2();
        let frame = self.frame;
        for area in areas {
            // The body is held where it overlaps the box, and above it.
            frame.fill(&mut self.areas, Aabb { min: area.min - size, max: area.max + 1 });
        }
        for run in &self.places.runs {
            frame.fill(&mut self.floors, run.positions());
            for x in ends(run).into_iter().filter(|_| self.jumper.feel.ledge_reach > 0) {
                let min = IVec2::new(x, run.y + size.y);
                let max = min + IVec2::new(1, self.ledge_reach + 2);
                frame.fill(&mut self.ledges, Aabb { min, max });
            }
        }
    }

    /// Starts bodies that fall from these positions, or stand there. Counts the copy of a prepared proof.
    pub(super) fn start(&mut self, starts: impl IntoIterator<Item = IVec2>) {
        self.affords(COPY * self.free.len() as u64);
        for start in starts {
            if let Some((word, bit)) = self.frame.word(start) {
                self.begin(FALL, word, self.free[word] & 1 << bit);
            }
        }
    }

    /// Counts the visit of so many words. Returns false if the budget ends with it.
    fn affords(&mut self, words: u64) -> bool {
        self.budget = self.budget.saturating_sub(words);
        self.budget > 0
    }

    /// Follows all flights. Returns false if the budget ended before.
    pub(super) fn follow(&mut self) -> bool {
        loop {
            if let Some((kind, row, column)) = self.dirty.pop_first() {
                self.fly(kind, row, column);
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
    pub(super) fn touches(&self, goal: Aabb) -> bool {
        let min = goal.min.saturating_sub(self.jumper.size.as_ivec2() - 1);
        self.has_any(Aabb { min, ..goal })
    }

    /// True if a position in a box of positions is in the over-estimate.
    pub(super) fn has_any(&self, positions: Aabb) -> bool {
        let mut words = self.frame.words(positions).into_iter();
        words.any(|(word, bits)| self.reached[word] & bits != 0)
    }

    /// The greatest height that a body may rise and land on, in pixels.
    pub(super) fn rise(&self) -> u32 {
        (self.high.max(0) + self.lift).unsigned_abs()
    }

    /// How far a body may come aside before it is lower than `rise` pixels above its start.
    pub(super) fn width(&self, rise: u32) -> u32 {
        let low = rise as i32 - self.lift;
        let falling = &self.kinds[JUMP].tops[self.apex..];
        let falling = falling.partition_point(|top| *top >= low);
        let steps = if falling > 0 { self.apex + falling } else { 1 };
        (steps as i64 * self.run / i64::from(SUBPIXELS)) as u32
    }
}

/// A set of positions, as rows of words. All sets of a proof have the same size.
type Bits = Vec<u64>;

/// The size of the sets: the position of the first bit, the words of a row, and the rows.
#[derive(Clone, Copy)]
struct BitFrame {
    origin: IVec2,
    stride: usize,
    rows: usize,
}

impl BitFrame {
    /// All positions of a body of `size` in a terrain, and those of a body that rises by `high` pixels above
    /// an open top.
    fn new(terrain: &Terrain, size: IVec2, high: i32) -> Option<Self> {
        let beyond = if terrain.outside().up == Outside::Open { high + size.y } else { 0 };
        let origin = IVec2::new(-size.x, -size.y - beyond);
        let end = terrain.size().as_i64vec2() + 1 - origin.as_i64vec2();
        let rows = usize::try_from(end.y).ok()?;
        Some(Self { origin, stride: (end.x / 64 + 1) as usize, rows })
    }

    /// The index of the word with position `at`, and its bit.
    fn word(&self, at: IVec2) -> Option<(usize, u32)> {
        let at = at.as_i64vec2() - self.origin.as_i64vec2();
        let is_in =
            at.x >= 0 && at.y >= 0 && at.y < self.rows as i64 && at.x < 64 * self.stride as i64;
        is_in.then(|| (at.y as usize * self.stride + at.x as usize / 64, (at.x % 64) as u32))
    }

    /// The position of a bit of a word.
    fn position(&self, word: usize, bit: u32) -> IVec2 {
        let (row, column) = (word / self.stride, word % self.stride);
        self.origin + IVec2::new(64 * column as i32 + bit as i32, row as i32)
    }

    /// The words with the positions in a box, and their bits.
    fn words(&self, positions: Aabb) -> Vec<(usize, u64)> {
        let end = self.origin + IVec2::new(64 * self.stride as i32, self.rows as i32);
        let (min, max) = (positions.min.max(self.origin), positions.max.min(end));
        let mut words = Vec::new();
        for y in min.y..max.y {
            let mut x = min.x;
            while let Some((word, bit)) = self.word(IVec2::new(x, y)).filter(|_| x < max.x) {
                let count = (max.x - x).min(64 - bit as i32);
                words.push((word, (u64::MAX >> (64 - count)) << bit));
                x += count;
            }
        }
        words
    }

    /// Adds the positions in a box to a set.
    fn fill(&self, set: &mut [u64], positions: Aabb) {
        for (word, bits) in self.words(positions) {
            set[word] |= bits;
        }
    }
}

/// Moves the bits of a row by one to both sides, where `free` has bits, and keeps the old ones if `stays`.
fn spread(row: &mut [u64], free: &[u64], stays: bool) {
    let mut before = 0;
    for at in 0..row.len() {
        let old = row[at];
        let after = row.get(at + 1).map_or(0, |next| next << 63);
        let kept = if stays { old } else { 0 };
        row[at] = (kept | old << 1 | before >> 63 | old >> 1 | after) & free[at];
        before = old;
    }
}

/// Some rows of a set of positions, and the same words of each.
#[derive(Clone)]
struct FlightLayer {
    columns: Range<usize>,
    /// The words of a row of a set of all positions.
    stride: usize,
    /// The first row.
    first: usize,
    bits: Bits,
}

impl FlightLayer {
    fn new(columns: Range<usize>, rows: Range<usize>, stride: usize) -> Self {
        let bits = vec![0; columns.len() * rows.len()];
        Self { first: rows.start, stride, columns, bits }
    }

    fn rows(&self) -> Range<usize> {
        self.first..self.first + self.bits.len() / self.columns.len()
    }

    /// The words of these rows of a set of all positions that are in the window's columns.
    fn words_of(&self, rows: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let stride = self.stride;
        let columns = self.columns.clone();
        rows.map(move |row| row * stride + columns.start..row * stride + columns.end)
    }

    /// An empty set with more rows above and below, of `all` rows at most.
    fn empty_wider(&self, above: usize, below: usize, all: usize) -> Self {
        let rows = self.rows();
        let rows = rows.start.saturating_sub(above)..(rows.end + below).min(all);
        Self::new(self.columns.clone(), rows, self.stride)
    }

    /// Moves the bits of a word of a set of all positions to this window.
    fn take(&mut self, set: &mut [u64], word: usize) {
        let row = word / self.stride - self.first;
        let at = row * self.columns.len() + word % self.stride - self.columns.start;
        self.bits[at] |= std::mem::take(&mut set[word]);
    }

    /// Adds the bits of a window whose rows this window has.
    fn merge(&mut self, other: &Self) {
        // A window that has left the level has no rows.
        if !other.bits.is_empty() {
            let own = &mut self.bits[(other.first - self.first) * self.columns.len()..];
            own.iter_mut().zip(&other.bits).for_each(|(bits, more)| *bits |= more);
        }
    }

    /// Leaves out the rows without bits at both ends.
    fn trim(&mut self) {
        let width = self.columns.len();
        let last = self.bits.iter().rposition(|bits| *bits != 0).map_or(0, |at| at / width + 1);
        self.bits.truncate(last * width);
        let first = self.bits.iter().position(|bits| *bits != 0).unwrap_or(0) / width;
        self.bits.drain(..first * width);
        self.first += first;
    }

    /// Keeps the bits that `set` has too.
    fn keep(&mut self, set: &[u64]) {
        let words = self.words_of(self.rows());
        for (own, words) in self.bits.chunks_mut(self.columns.len()).zip(words) {
            own.iter_mut().zip(&set[words]).for_each(|(bits, kept)| *bits &= kept);
        }
    }

    /// Moves the bits by one to both sides: see [`spread`].
    fn spread(&mut self, free: &[u64], stays: bool) {
        let words = self.words_of(self.rows());
        for (own, words) in self.bits.chunks_mut(self.columns.len()).zip(words) {
            spread(own, &free[words], stays);
        }
    }

    /// Moves all bits up by one row, where `free` has bits.
    fn up(&mut self, free: &[u64]) {
        if self.first == 0 {
            let width = self.columns.len().min(self.bits.len());
            self.bits.drain(..width);
        } else {
            self.first -= 1;
        }
        self.keep(free);
    }

    /// Moves all bits down by one row, where `free` has bits.
    fn down(&mut self, free: &[u64]) {
        self.first += 1;
        let left = (free.len() / self.stride).saturating_sub(self.first);
        self.bits.truncate(left * self.columns.len());
        self.keep(free);
    }

    /// True if `set` has bits in the rows of this window, or `near` rows above.
    fn meets(&self, set: &[u64], near: usize) -> bool {
        let rows = self.rows();
        let mut words = self.words_of(rows.start.saturating_sub(near)..rows.end);
        words.any(|words| set[words].iter().any(|bits| *bits != 0))
    }

    /// Calls `found` with each word of a set of all positions that has some of these bits.
    fn each(&self, mut found: impl FnMut(usize, u64)) {
        let words = self.words_of(self.rows()).flatten();
        for (bits, word) in self.bits.iter().zip(words).filter(|(bits, _)| **bits != 0) {
            found(word, *bits);
        }
    }
}

/// The columns in which a body hangs at the ends of a run.
fn ends(run: &Run) -> [i32; 2] {
    [run.x0 - 1, run.x1 + 1]
}
