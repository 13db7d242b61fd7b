//! Places: where a body can rest. A run is a row of positions on a floor, on a one-way floor, on the top of a
//! ladder or at the surface of water. A place is a chain of runs joined by steps that the real mover walks
//! in both directions, so the column of a position in a place decides its row.

use std::ops::Range;

use glam::IVec2;

use super::{Hold, Jumper, Places, Run};
use crate::character::LadderSolids;
use crate::geometry::{Aabb, Axis, Dir, Outside};
use crate::grid::Grid;
use crate::level::{Level, Solids};
use crate::mover::Mover;
use crate::terrain::Terrain;

/// The number of a run without a neighbour.
const NONE: u32 = u32::MAX;

/// A run of positions, with what is known of it before the runs are joined.
#[derive(Clone, Copy, Debug)]
struct Piece {
    run: Run,
    /// True if the run was found in this search, and may have to be split.
    is_new: bool,
}

impl Places {
    /// The number of the run with position `at`.
    pub(super) fn run_at(&self, at: IVec2) -> Option<usize> {
        let next = self.runs.partition_point(|run| (run.y, run.x0) <= (at.y, at.x));
        let number = next.checked_sub(1)?;
        let run = &self.runs[number];
        (run.y == at.y && at.x <= run.x1).then_some(number)
    }

    /// The number of the place with position `at`.
    pub(super) fn at(&self, at: IVec2) -> Option<u32> {
        self.run_at(at).map(|run| self.runs[run].place)
    }

    /// What holds a body at position `at`.
    pub(super) fn hold(&self, at: IVec2) -> Hold {
        self.run_at(at).map_or(Hold::Floor, |run| self.runs[run].hold)
    }

    /// The numbers of the runs of a place, from the left.
    pub(super) fn runs_of(&self, place: u32) -> &[u32] {
        let place = place as usize;
        &self.chains[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// True if the place has a position in column `x`.
    pub(super) fn has_column(&self, place: Option<u32>, x: i32) -> bool {
        let runs = place.map_or(&[][..], |place| self.runs_of(place));
        runs.iter().any(|run| {
            let run = &self.runs[*run as usize];
            (run.x0..=run.x1).contains(&x)
        })
    }

    /// The first position of a place straight below `at`, or `at` itself.
    pub(super) fn below(&self, at: IVec2) -> Option<IVec2> {
        let mut next = self.runs.partition_point(|run| run.y < at.y);
        loop {
            let y = self.runs.get(next)?.y;
            if let Some(run) = self.run_at(IVec2::new(at.x, y)) {
                return Some(self.runs[run].at(at.x));
            }
            next += self.runs[next..].partition_point(|run| run.y == y);
        }
    }

    /// The runs with positions in the box `window`.
    pub(super) fn within(&self, window: Aabb) -> impl Iterator<Item = &Run> {
        let first = self.runs.partition_point(|run| run.y < window.min.y);
        let runs = self.runs[first..].iter().take_while(move |run| run.y < window.max.y);
        runs.filter(move |run| run.x0 < window.max.x && run.x1 >= window.min.x)
    }

    /// The number of the place that is the place number `place` of `old`; `None` if it has changed.
    pub(super) fn same(&self, old: &Self, place: u32) -> Option<u32> {
        let runs = old.runs_of(place);
        let first = old.runs[runs[0] as usize];
        let number = self.at(first.at(first.x0))?;
        let own = self.runs_of(number);
        let is_same = own.len() == runs.len()
            && own.iter().zip(runs).all(|(one, other)| {
                let [one, other] = [self.runs[*one as usize], old.runs[*other as usize]];
                one == Run { place: number, ..other }
            });
        is_same.then_some(number)
    }

    /// The positions whose rest can change if the solids in the box `area` change.
    pub(super) fn window(jumper: &Jumper, area: Aabb) -> Aabb {
        let margin = IVec2::splat(jumper.settings.look_aside() as i32 + 2);
        Aabb {
            min: area.min.saturating_sub(jumper.size.as_ivec2() + margin),
            max: area.max.saturating_add(margin),
        }
    }

    /// Finds the runs in the box `window` of positions again, and joins all runs to places. Returns `None` if
    /// memory runs out.
    pub(super) fn find(&mut self, jumper: &Jumper, level: &Level, window: Aabb) -> Option<()> {
        let mut pieces = Vec::new();
        for run in &self.runs {
            cut(*run, window, &mut pieces);
        }
        let finder =
            Finder { jumper, level, solids: LadderSolids::new(level, &jumper.feel), window };
        finder.standing(&mut pieces)?;
        finder.floating(&mut pieces);
        pieces.sort_unstable_by_key(|piece| (piece.run.y, piece.run.x0, piece.run.x1));
        self.runs.clear();
        let mut merged: Vec<Piece> = Vec::new();
        for piece in pieces {
            match merged.last_mut() {
                Some(last) if last.continues(&piece) => {
                    last.run.x1 = last.run.x1.max(piece.run.x1);
                    last.is_new = true;
                }
                _ => merged.push(piece),
            }
        }
        for piece in merged {
            finder.split(piece, &mut self.runs);
        }
        let reach = jumper.settings.look_aside() as i32 + 2;
        let near = Aabb {
            min: window.min.saturating_sub(IVec2::splat(reach)),
            max: window.max.saturating_add(IVec2::splat(reach)),
        };
        self.joins.retain(|[one, _]| !near.contains(*one));
        finder.join(near, &self.runs, &mut self.joins);
        self.chain();
        Some(())
    }

    /// Numbers the places: chains of joined runs, in the order of their left-most runs.
    fn chain(&mut self) {
        let mut next = vec![NONE; self.runs.len()];
        let mut is_first = vec![true; self.runs.len()];
        for [one, other] in &self.joins {
            if let (Some(one), Some(other)) = (self.run_at(*one), self.run_at(*other)) {
                next[one] = other as u32;
                is_first[other] = false;
            }
        }
        self.chains.clear();
        self.starts.clear();
        for first in (0..self.runs.len()).filter(|run| is_first[*run]) {
            let place = self.starts.len() as u32;
            self.starts.push(self.chains.len() as u32);
            let mut run = first as u32;
            while run != NONE {
                self.runs[run as usize].place = place;
                self.chains.push(run);
                run = next[run as usize];
            }
        }
        self.starts.push(self.chains.len() as u32);
    }
}

/// Adds the parts of a run outside of `window`.
fn cut(run: Run, window: Aabb, pieces: &mut Vec<Piece>) {
    let parts = if run.y < window.min.y || run.y >= window.max.y {
        [(run.x0, run.x1), (0, -1)]
    } else {
        [(run.x0, run.x1.min(window.min.x - 1)), (run.x0.max(window.max.x), run.x1)]
    };
    for (x0, x1) in parts.into_iter().filter(|(x0, x1)| x0 <= x1) {
        pieces.push(Piece { run: Run { x0, x1, ..run }, is_new: false });
    }
}

impl Piece {
    /// True if `next` belongs to the same run of positions.
    fn continues(&self, next: &Self) -> bool {
        let (one, other) = (&self.run, &next.run);
        let is_same = one.y == other.y && one.hold == other.hold;
        is_same && other.x0 <= one.x1.saturating_add(1) && (self.is_new || next.is_new)
    }
}

/// The search for the runs in a window.
struct Finder<'a> {
    jumper: &'a Jumper,
    level: &'a Level,
    solids: LadderSolids<'a>,
    /// The positions that are searched.
    window: Aabb,
}

impl Finder<'_> {
    fn body(&self, at: IVec2) -> Aabb {
        Aabb { min: at, max: at.saturating_add(self.jumper.size.as_ivec2()) }
    }

    /// Finds the positions on floors, on one-way floors and on the tops of ladders.
    fn standing(&self, pieces: &mut Vec<Piece>) -> Option<()> {
        let terrain = self.level.terrain();
        let Aabb { min, max } = self.window;
        let within = Aabb { min, max: IVec2::new(max.x, max.y.saturating_add(1)) };
        let mut above: Vec<Range<i32>> = Vec::new();
        let mut runs = Vec::new();
        let mut end = min.y;
        let mut found = Vec::new();
        terrain.each_free_row(self.jumper.size, within, &mut |rows, free| {
            runs.clear();
            runs.extend(free.map(|run| run.start as i32..run.end as i32));
            if end == rows.start as i32 && end > min.y {
                without(&above, &runs, &mut |x| found.push((end - 1, x)));
            }
            std::mem::swap(&mut above, &mut runs);
            end = rows.end as i32;
            Some(())
        })?;
        let is_bottom =
            i64::from(end) - 1 + i64::from(self.jumper.size.y) == i64::from(terrain.size().y);
        if is_bottom && terrain.outside().down == Outside::Solid {
            found.extend(above.into_iter().map(|x| (end - 1, x)));
        }
        for (y, x) in found {
            self.add(y, x, Hold::Floor, pieces);
        }
        let cell = terrain.cell_size().as_ivec2();
        let height = self.jumper.size.y as i32;
        let aside = 1 - self.jumper.size.x as i32..0;
        if let Some(guards) = terrain.one_way(Dir::Up) {
            self.tops(guards, cell, false, &mut |top, x| {
                let x = x.start + aside.start..x.end + aside.end;
                self.free(top - height, x, Hold::Floor, pieces);
            });
        }
        if let Some(ladders) = self.level.area(&self.jumper.feel.ladder) {
            self.tops(ladders.grid(), ladders.cell_size().as_ivec2(), true, &mut |top, x| {
                // A ladder whose rungs the feet already overlap does not hold them.
                for x in x.start + aside.start..x.end + aside.end {
                    let body = self.body(IVec2::new(x, top - height));
                    if !self.solids.can_move_aabb(body, Dir::Down, 1, true) {
                        self.free(top - height, x..x + 1, Hold::Floor, pieces);
                    }
                }
            });
        }
        Some(())
    }

    /// Finds the positions at which the body floats at the surface of water.
    fn floating(&self, pieces: &mut Vec<Piece>) {
        let Some(water) = self.water() else { return };
        let half = (self.jumper.size / 2).as_ivec2();
        let is_even = self.jumper.size.x.is_multiple_of(2);
        self.tops(water.grid(), water.cell_size().as_ivec2(), true, &mut |top, x| {
            // The left one of two middle columns may be in water with a higher surface.
            let left = Aabb::from_xywh(x.start - 1, top - 1, 1, 1);
            let first = x.start + i32::from(is_even && water.overlaps(left));
            self.free(top - half.y, first - half.x..x.end - half.x, Hold::Water, pieces);
        });
    }

    fn water(&self) -> Option<&Terrain> {
        self.level.area(&self.jumper.feel.water)
    }

    /// Calls `found` with the upper edge and the columns, in pixels, of each run of solid cells in a row.
    /// With `surface`, only of cells below a passable cell.
    fn tops(
        &self,
        grid: &Grid,
        cell: IVec2,
        surface: bool,
        found: &mut dyn FnMut(i32, Range<i32>),
    ) {
        // One row more on each side, because the body stands above the row.
        let rows = [self.window.min.y, self.window.max.y.saturating_add(self.jumper.size.y as i32)]
            .map(|y| (y.div_euclid(cell.y).max(0) as u32).min(grid.height()));
        for row in rows[0]..(rows[1] + 1).min(grid.height()) {
            let top = row as i32 * cell.y;
            for run in grid.runs(Axis::Y, row) {
                let mut start = run.start;
                for column in run.clone() {
                    if surface && row > 0 && grid.is_solid(column, row - 1) {
                        if start < column {
                            found(top, start as i32 * cell.x..column as i32 * cell.x);
                        }
                        start = column + 1;
                    }
                }
                if start < run.end {
                    found(top, start as i32 * cell.x..run.end as i32 * cell.x);
                }
            }
        }
    }

    /// Adds the free positions of a row.
    fn free(&self, y: i32, x: Range<i32>, hold: Hold, pieces: &mut Vec<Piece>) {
        let Aabb { min, max } = self.window;
        let x = x.start.max(min.x)..x.end.min(max.x);
        if x.is_empty() || y < min.y || y >= max.y {
            return;
        }
        let terrain = self.level.terrain();
        let mut at = x.start;
        while at < x.end {
            let left = (x.end - 1 - at) as u32;
            let body = self.body(IVec2::new(at, y));
            let Some(skipped) = terrain.nearest_free(body, Dir::Right, left) else { return };
            let start = at + skipped as i32;
            let body = body.shifted(Dir::Right, skipped);
            let free = terrain.sweep_through_one_way(body, Dir::Right, left - skipped).moved;
            at = start + free as i32 + 1;
            self.add(y, start..at, hold, pieces);
        }
    }

    /// Adds a run of free positions. Floors under water hold no body: it floats up.
    fn add(&self, y: i32, x: Range<i32>, hold: Hold, pieces: &mut Vec<Piece>) {
        let mut start = x.start;
        if let Some(water) = self.water().filter(|_| hold == Hold::Floor) {
            let size = self.jumper.size.as_ivec2();
            let first = IVec2::new(x.start, y) + (size - 1) / 2;
            let last = IVec2::new(x.end, y + 1) + size / 2;
            if water.overlaps(Aabb { min: first, max: last }) {
                for column in x.clone() {
                    let min = IVec2::new(column, y) + (size - 1) / 2;
                    let center = Aabb { min, max: IVec2::new(column, y) + size / 2 + 1 };
                    if water.overlaps(center) {
                        self.push(y, start..column, hold, pieces);
                        start = column + 1;
                    }
                }
            }
        }
        self.push(y, start..x.end, hold, pieces);
    }

    fn push(&self, y: i32, x: Range<i32>, hold: Hold, pieces: &mut Vec<Piece>) {
        if !x.is_empty() && y >= self.window.min.y && y < self.window.max.y {
            let run = Run { y, x0: x.start, x1: x.end - 1, place: 0, hold };
            pieces.push(Piece { run, is_new: true });
        }
    }

    /// Adds the parts of a run that the body walks in both directions. Near one-way edges above its feet a
    /// walk may lead up, off the run.
    fn split(&self, piece: Piece, runs: &mut Vec<Run>) {
        let Piece { mut run, is_new } = piece;
        let step = self.jumper.settings.step_height;
        let feet = self.body(run.at(run.x0)).hull(self.body(run.at(run.x1)));
        let feet = feet.edge(Dir::Down).strip(Dir::Up, step.min(self.jumper.size.y));
        if is_new && run.hold == Hold::Floor && self.solids.has_one_way(feet, Dir::Down) {
            let first = run.x0.max(self.window.min.x.saturating_sub(1));
            let last = run.x1.min(self.window.max.x);
            for x in first..last {
                let pair = [run.at(x), run.at(x + 1)];
                if self.walk(pair[0], Dir::Right) != pair[1]
                    || self.walk(pair[1], Dir::Left) != pair[0]
                {
                    runs.push(Run { x1: x, ..run });
                    run.x0 = x + 1;
                }
            }
        }
        runs.push(run);
    }

    /// The position of a standing body after a walk of a pixel.
    fn walk(&self, at: IVec2, dir: Dir) -> IVec2 {
        let mut walker = Mover::new(self.body(at), self.jumper.settings);
        walker.settings.floor = Some(Dir::Down);
        walker.walk_a_pixel(&self.solids, dir);
        walker.body.min
    }

    /// Finds the joins of the runs that end in the box `near`: pairs of positions of two runs between which
    /// the body walks in both directions.
    fn join(&self, near: Aabb, runs: &[Run], joins: &mut Vec<[IVec2; 2]>) {
        let first = runs.partition_point(|run| run.y < near.min.y);
        let inside = runs[first..].iter().take_while(|run| run.y < near.max.y);
        for run in inside.filter(|run| run.hold == Hold::Floor) {
            let end = run.at(run.x1);
            if !near.contains(end) {
                continue;
            }
            let there = self.walk(end, Dir::Right);
            if there.x == end.x + 1 && there != end + IVec2::X && self.walk(there, Dir::Left) == end
            {
                joins.push([end, there]);
            }
        }
    }
}

/// Calls `found` with the parts of `runs` that are in none of the runs `others`. Both are sorted.
fn without(runs: &[Range<i32>], others: &[Range<i32>], found: &mut dyn FnMut(Range<i32>)) {
    let mut next = 0;
    for run in runs {
        let mut start = run.start;
        while others.get(next).is_some_and(|other| other.end <= start) {
            next += 1;
        }
        for other in others[next..].iter().take_while(|other| other.start < run.end) {
            if start < other.start {
                found(start..other.start);
            }
            start = start.max(other.end);
        }
        if start < run.end {
            found(start..run.end);
        }
    }
}
