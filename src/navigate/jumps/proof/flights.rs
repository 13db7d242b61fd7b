//! The flights of a proof, in layers: see the parent module.

use glam::IVec2;

use super::{AIR_JUMP, FALL, FlightKind, FlightLayer, JUMP, Proof, WALL_JUMP, ends, fall_gravity};
use crate::geometry::SUBPIXELS;
use crate::navigate::jumps::Places;

/// The side of a block of positions in pixels, and in words.
const BLOCK: usize = 256;
const BLOCK_WORDS: usize = BLOCK / 64;

/// The words of a proof that take as long as to look for two places in a row.
const WORK_OF_A_ROW: u64 = 16;

impl Proof<'_> {
    /// Begins flights of a kind at these bits of a word.
    pub(super) fn begin(&mut self, kind: usize, word: usize, bits: u64) {
        let FlightKind { begun, fresh, .. } = &mut self.kinds[kind];
        let new = bits & !begun[word];
        if new != 0 {
            begun[word] |= new;
            fresh[word] |= new;
            let (row, column) = (word / self.frame.stride, word % self.frame.stride);
            self.dirty.insert((kind, row / BLOCK, column / BLOCK_WORDS));
        }
    }

    /// Begins jumps from all positions of a place.
    fn stand(&mut self, place: u32) {
        if std::mem::replace(&mut self.stood[place as usize], true) {
            return;
        }
        let size = self.jumper.size.as_ivec2();
        let Places { runs, .. } = self.places;
        for run in self.places.runs_of(place).iter().map(|run| &runs[*run as usize]) {
            let mut words = self.frame.words(run.positions());
            for (word, bits) in &words {
                self.floors[*word] &= !bits;
            }
            if self.jumper.feel.ledge_reach > 0 {
                let hung = ends(run).map(|x| self.frame.word(IVec2::new(x, run.y + size.y)));
                words.extend(hung.into_iter().flatten().map(|(word, bit)| (word, 1 << bit)));
            }
            for (word, bits) in words {
                self.begin(JUMP, word, bits & self.free[word]);
            }
        }
    }

    /// Notes that a body may have the positions `bits` of a word, `step` steps after it was held.
    fn visit(&mut self, kind: usize, step: usize, word: usize, bits: u64) {
        self.pass(word, bits);
        self.grab(word, bits);
        if step >= self.kinds[kind].slides_from {
            self.slide(word, bits);
        }
        self.begin(JUMP, word, bits & self.areas[word]);
        self.begin(WALL_JUMP, word, bits & self.near[word]);
        let next = AIR_JUMP + self.kinds[kind].level;
        if next < self.kinds.len() {
            self.begin(next, word, bits);
        }
    }

    /// Notes positions through which a body passes, and lands on the floors among them.
    fn pass(&mut self, word: usize, bits: u64) {
        self.reached[word] |= bits;
        self.land(word, bits);
    }

    fn land(&mut self, word: usize, bits: u64) {
        while bits & self.floors[word] != 0 {
            let bit = (bits & self.floors[word]).trailing_zeros();
            match self.places.at(self.frame.position(word, bit)) {
                Some(place) => self.stand(place),
                None => self.floors[word] &= !(1 << bit),
            }
        }
    }

    /// Grabs the ledges beside these positions.
    fn grab(&mut self, word: usize, bits: u64) {
        let mut bits = bits & self.ledges[word];
        self.ledges[word] &= !bits;
        let size = self.jumper.size.as_ivec2();
        let high = self.ledge_reach + 1;
        while bits != 0 {
            let at = self.frame.position(word, bits.trailing_zeros());
            bits &= bits - 1;
            self.affords(high as u64 * WORK_OF_A_ROW);
            for y in at.y - size.y - high..=at.y - size.y {
                for x in [at.x - 1, at.x + 1] {
                    if let Some(place) = self.places.at(IVec2::new(x, y)) {
                        self.stand(place);
                    }
                }
            }
        }
    }

    /// Slides down the walls beside these positions. A fall begins at each of them.
    fn slide(&mut self, mut word: usize, mut bits: u64) {
        while word < self.walls.len() {
            bits &= self.walls[word] & !self.kinds[FALL].begun[word];
            if bits == 0 {
                break;
            }
            self.begin(FALL, word, bits);
            self.pass(word, bits);
            word += self.frame.stride;
        }
    }

    /// Follows the flights of a kind that begin in a block, until they fall at the highest speed.
    pub(super) fn fly(&mut self, kind: usize, row: usize, column: usize) {
        let tops = self.kinds[kind].tops.clone();
        let layers = tops.len() - 1;
        // From a wall a body falls faster than it runs, unless it accelerates faster aside than down.
        let beside = self.jumper.rate.acceleration(self.jumper.feel.air_acceleration);
        let lifts = kind != FALL || beside > fall_gravity(self.jumper);
        let mut now = self.take_block(kind, row, column);
        for step in 0..layers {
            now.trim();
            now.each(|word, bits| self.visit(kind, step, word, bits));
            let falls = tops[step] - tops[step + 1];
            if lifts && i64::from(falls) * i64::from(SUBPIXELS) <= self.run {
                self.lift_onto_floors(&now);
            }
            let pixels = pixels_in(self.run, step).min(64 * self.frame.stride as i32);
            let most = self.fall_in(step);
            let shifts = pixels as u64 + (-falls).max(0) as u64 + most as u64 + 4;
            if !self.affords(shifts * now.bits.len() as u64) {
                return;
            }
            self.drift(&mut now, pixels);
            now = self.rise_and_fall(now, falls, most);
        }
        now.each(|word, bits| self.visit(kind, layers, word, bits));
        let stride = self.frame.stride;
        let falls = &mut self.falls[self.kinds[kind].level];
        now.each(|word, bits| {
            let new = bits & !falls.seen[word];
            if new != 0 {
                falls.fresh[word] |= new;
                let row = word / stride;
                falls.rows = falls.rows.start.min(row)..falls.rows.end.max(row + 1);
            }
        });
    }

    /// Takes the fresh positions of a block, in a window as wide as the flights from there.
    fn take_block(&mut self, kind: usize, row: usize, column: usize) -> FlightLayer {
        let FlightKind { tops, fresh, .. } = &mut self.kinds[kind];
        let high = tops.iter().max().copied().unwrap_or(0);
        let drift = self.run * (tops.len() as i64 - 1) / i64::from(SUBPIXELS);
        let aside = i64::from(high / self.cell + 2) * i64::from(self.aside);
        let wide = ((drift + aside) / 64 + 1) as usize;
        let stride = self.frame.stride;
        let first = column * BLOCK_WORDS;
        let end = (first + BLOCK_WORDS).min(stride);
        let rows = row * BLOCK..((row + 1) * BLOCK).min(self.frame.rows);
        let columns = first.saturating_sub(wide)..(end + wide).min(stride);
        let mut taken = FlightLayer::new(columns, rows.clone(), stride);
        for word in rows.flat_map(|y| y * stride + first..y * stride + end) {
            taken.take(fresh, word);
        }
        self.affords(taken.bits.len() as u64);
        taken
    }

    /// The positions after a step along y: at least `falls` and at most `most` pixels lower. If `falls` is
    /// negative, the body may rise as far.
    fn rise_and_fall(&mut self, now: FlightLayer, falls: i32, most: i32) -> FlightLayer {
        let rise = (-falls).max(0) as usize;
        let mut next = now.empty_wider(rise, most as usize, self.frame.rows);
        if falls <= 0 {
            let mut risen = now.clone();
            next.merge(&risen);
            for _ in 0..rise {
                self.pass_ceilings(&mut risen);
                risen.up(&self.free);
                next.merge(&risen);
            }
        }
        let mut fallen = now;
        for by in 1..=most {
            fallen.down(&self.free);
            if by >= falls {
                next.merge(&fallen);
            } else {
                fallen.each(|word, bits| self.pass(word, bits));
            }
        }
        next
    }

    /// The most pixels by which a body falls in a step of its flight.
    fn fall_in(&self, step: usize) -> i32 {
        let [start, gravity] = self.sink;
        let speed = start + gravity * (step as i64 + 2);
        ((speed / i64::from(SUBPIXELS)) as i32 + 1).min(self.fall[1])
    }

    /// Moves all positions aside by up to `pixels` to both sides. A corner above may move the body down.
    fn drift(&mut self, now: &mut FlightLayer, pixels: i32) {
        let mut beside = now.clone();
        beside.keep(&self.walls);
        beside.trim();
        for _ in 0..pixels {
            now.spread(&self.free, true);
        }
        if self.aside > 0 && !beside.bits.is_empty() {
            let mut lowered = now.empty_wider(0, self.aside as usize, self.frame.rows);
            self.affords((self.aside * 2) as u64 * beside.bits.len() as u64);
            for _ in 0..self.aside {
                beside.down(&self.free);
                let mut passed = beside.clone();
                passed.spread(&self.free, false);
                lowered.merge(&passed);
            }
            for _ in 1..pixels {
                lowered.spread(&self.free, true);
            }
            lowered.merge(now);
            lowered.trim();
            *now = lowered;
        }
    }

    /// Moves bodies that meet a ceiling aside, as far as a corner or a slanted ceiling moves them. Only those
    /// that then can rise have moved.
    fn pass_ceilings(&mut self, risen: &mut FlightLayer) {
        let mut below = risen.clone();
        below.keep(&self.ceilings);
        below.trim();
        if !below.bits.is_empty() && self.affords(self.aside as u64 * below.bits.len() as u64) {
            for _ in 0..self.aside {
                below.spread(&self.free, true);
            }
            risen.merge(&below);
        }
    }

    /// Lands on floors that are a little higher and a pixel aside.
    fn lift_onto_floors(&mut self, now: &FlightLayer) {
        let is_near = now.meets(&self.floors, self.lift as usize);
        if !is_near || !self.affords(self.lift as u64 * now.bits.len() as u64) {
            return;
        }
        let mut lifted = now.clone();
        for _ in 0..self.lift {
            lifted.up(&self.free);
            let mut aside = lifted.clone();
            aside.spread(&self.free, true);
            aside.each(|word, bits| self.land(word, bits));
        }
    }

    /// Follows the falls at the highest speed, from the top down.
    pub(super) fn fall_on(&mut self, level: usize) {
        let stride = self.frame.stride;
        let kind = if level == 0 { FALL } else { AIR_JUMP + level - 1 };
        let [slowest, fastest] = self.fall;
        let limit = self.jumper.rate.speed(self.jumper.feel.fall_limit).max(1);
        let steps = (i64::from(SUBPIXELS) + limit - 1) / limit;
        let pixels = ((self.run * steps) as u64).div_ceil(SUBPIXELS as u64) as usize;
        let pixels = pixels.min(64 * stride);
        let beside = pixels / 64 + 1;
        let none = self.frame.rows..0;
        let rows = std::mem::replace(&mut self.falls[level].rows, none);
        let mut last = rows.end;
        for row in rows.start..self.frame.rows {
            if row >= last {
                break;
            }
            let falls = &mut self.falls[level];
            let words = row * stride..(row + 1) * stride;
            for word in words.clone() {
                falls.fresh[word] &= !falls.seen[word];
                falls.seen[word] |= falls.fresh[word];
            }
            let found = &falls.fresh[words.clone()];
            let Some(first) = found.iter().position(|bits| *bits != 0) else { continue };
            let end = found.iter().rposition(|bits| *bits != 0).unwrap_or(first);
            let columns = first.saturating_sub(beside)..(end + 1 + beside).min(stride);
            let mut now = FlightLayer::new(columns, row..row + 1, stride);
            for word in words.start + first..=words.start + end {
                now.take(&mut falls.fresh, word);
            }
            let shifts = pixels as u64 + fastest as u64 + 4;
            if !self.affords(shifts * now.bits.len() as u64) {
                return;
            }
            now.each(|word, bits| self.visit(kind, usize::MAX - 1, word, bits));
            for _ in 0..pixels {
                now.spread(&self.free, true);
            }
            for by in 1..=fastest {
                now.down(&self.free);
                if by < slowest {
                    now.each(|word, bits| self.pass(word, bits));
                    continue;
                }
                let fresh = &mut self.falls[level].fresh;
                now.each(|word, bits| {
                    fresh[word] |= bits;
                    last = last.max(word / stride + 1);
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
