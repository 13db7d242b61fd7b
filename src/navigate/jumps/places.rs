//! Places: where a body can rest. A run is a row of positions on a floor, on a one-way floor, on the top of a
//! ladder or at the surface of water. A place is a chain of runs joined by steps that the real mover walks
//! in both directions, so the column of a position in a place decides its row.

use std::ops::Range;

use glam::IVec2;

use super::{Footing, Jumper, Places, Run};
use crate::character::LadderSolids;
use crate::geometry::{Aabb, Axis, Dir, Outside};
use crate::grid::Grid;
use crate::level::{Level, Solids};
use crate::mover::Mover;

/// The number of a run without a neighbour.
const NONE: u32 = u32::MAX;

impl Places {
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

    /// Finds the runs in the rows of the box `window` of positions again, and joins all runs to places.
    pub(super) fn find(&mut self, jumper: &Jumper, level: &Level, window: Aabb) {
        let rows = window.min.y..window.max.y;
        let solids = LadderSolids::new(level, &jumper.feel);
        let mut finder = Finder { jumper, level, solids, rows, found: Vec::new() };
        finder.standing();
        finder.floating();
        finder.found.sort_unstable_by_key(|run| (run.y, run.x0, run.x1));
        // Floors of two kinds may hold the same positions.
        finder.found.dedup_by(|next, run| {
            let continues = next.y == run.y && next.hold == run.hold && next.x0 <= run.x1 + 1;
            run.x1 = if continues { run.x1.max(next.x1) } else { run.x1 };
            continues
        });
        self.runs.retain(|run| !finder.rows.contains(&run.y));
        for run in &finder.found {
            finder.split(*run, &mut self.runs);
        }
        self.runs.sort_unstable_by_key(|run| (run.y, run.x0));
        let reach = jumper.settings.look_aside() as i32 + 2;
        let near = window.min.y.saturating_sub(reach)..window.max.y.saturating_add(reach);
        self.joins.retain(|[one, _]| !near.contains(&one.y));
        finder.join(near, &self.runs, &mut self.joins);
        self.chain();
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
        for first in (0..self.runs.len()).filter(|run| is_first[*run]) {
            let mut chain = Vec::new();
            let mut run = first as u32;
            while run != NONE {
                self.runs[run as usize].place = self.chains.len() as u32;
                chain.push(run);
                run = next[run as usize];
            }
            self.chains.push(chain);
        }
    }
}

/// The search for the runs in some rows.
struct Finder<'a> {
    jumper: &'a Jumper,
    level: &'a Level,
    solids: LadderSolids<'a>,
    /// The rows of positions that are searched.
    rows: Range<i32>,
    found: Vec<Run>,
}

impl Finder<'_> {
    fn body(&self, at: IVec2) -> Aabb {
        Aabb { min: at, max: at.saturating_add(self.jumper.size.as_ivec2()) }
    }

    /// Finds the positions on floors, on one-way floors and on the tops of ladders.
    fn standing(&mut self) {
        let terrain = self.level.terrain();
        let size = self.jumper.size.as_ivec2();
        let cell = terrain.cell_size().as_ivec2();
        let mut floors = Vec::new();
        self.tops(terrain.grid(), cell, true, &mut floors);
        if let Some(guards) = terrain.one_way(Dir::Up) {
            self.tops(guards, cell, false, &mut floors);
        }
        if terrain.outside().down == Outside::Solid {
            floors.push((terrain.size().y as i32, 0..terrain.size().x as i32));
        }
        for (top, x) in floors {
            self.add_free(top - size.y, x.start + 1 - size.x..x.end, Footing::Floor);
        }
        let Some(ladders) = self.level.area(&self.jumper.feel.ladder) else { return };
        let mut ends = Vec::new();
        self.tops(ladders.grid(), ladders.cell_size().as_ivec2(), true, &mut ends);
        for (top, x) in ends {
            // A ladder whose rungs the feet already overlap does not hold them.
            for x in x.start + 1 - size.x..x.end {
                let body = self.body(IVec2::new(x, top - size.y));
                if !self.solids.can_move_aabb(body, Dir::Down, 1, true) {
                    self.add_free(top - size.y, x..x + 1, Footing::Floor);
                }
            }
        }
    }

    /// Finds the positions at which the body floats at the surface of water.
    fn floating(&mut self) {
        let Some(water) = self.level.area(&self.jumper.feel.water) else { return };
        let half = (self.jumper.size / 2).as_ivec2();
        let is_even = self.jumper.size.x.is_multiple_of(2);
        let mut surfaces = Vec::new();
        self.tops(water.grid(), water.cell_size().as_ivec2(), true, &mut surfaces);
        for (top, x) in surfaces {
            // The left one of two middle columns may be in water with a higher surface.
            let left = Aabb::from_xywh(x.start - 1, top - 1, 1, 1);
            let first = x.start + i32::from(is_even && water.overlaps(left));
            self.add_free(top - half.y, first - half.x..x.end - half.x, Footing::Water);
        }
    }

    /// Finds the upper edge and the columns, in pixels, of each run of solid cells in a row on which a body
    /// of the searched rows may stand. With `surface`, only of cells below a passable cell.
    fn tops(&self, grid: &Grid, cell: IVec2, surface: bool, found: &mut Vec<(i32, Range<i32>)>) {
        let last = self.rows.end.saturating_add(self.jumper.size.y as i32);
        let [first, last] = [self.rows.start, last]
            .map(|y| (y.div_euclid(cell.y).max(0) as u32).min(grid.height()));
        for row in first..(last + 1).min(grid.height()) {
            let top = row as i32 * cell.y;
            let above: Vec<Range<u32>> = match row.checked_sub(1).filter(|_| surface) {
                Some(above) => grid.runs(Axis::Y, above).collect(),
                None => Vec::new(),
            };
            without(grid.runs(Axis::Y, row), &above, &mut |run| {
                found.push((top, run.start as i32 * cell.x..run.end as i32 * cell.x));
            });
        }
    }

    /// Adds the free positions of a row.
    fn add_free(&mut self, y: i32, x: Range<i32>, hold: Footing) {
        let terrain = self.level.terrain();
        let mut at = x.start;
        while self.rows.contains(&y) && at < x.end {
            let left = (x.end - 1 - at) as u32;
            let body = self.body(IVec2::new(at, y));
            let Some(skipped) = terrain.nearest_free(body, Dir::Right, left) else { return };
            let start = at + skipped as i32;
            let body = body.shifted(Dir::Right, skipped);
            let free = terrain.sweep_through_one_way(body, Dir::Right, left - skipped).moved;
            at = start + free as i32 + 1;
            self.add(y, start..at, hold);
        }
    }

    /// Adds a run of free positions. Floors under water hold no body: it floats up.
    fn add(&mut self, y: i32, x: Range<i32>, hold: Footing) {
        let mut start = x.start;
        if let Some(water) = self.level.area(&self.jumper.feel.water)
            && hold == Footing::Floor
        {
            let size = self.jumper.size.as_ivec2();
            for column in x.clone() {
                let at = IVec2::new(column, y);
                if water.overlaps(Aabb { min: at + (size - 1) / 2, max: at + size / 2 + 1 }) {
                    self.push(y, start..column, hold);
                    start = column + 1;
                }
            }
        }
        self.push(y, start..x.end, hold);
    }

    fn push(&mut self, y: i32, x: Range<i32>, hold: Footing) {
        if !x.is_empty() {
            self.found.push(Run { y, x0: x.start, x1: x.end - 1, place: 0, hold });
        }
    }

    /// Adds the parts of a run that the body walks in both directions. Near one-way edges above its feet a
    /// walk may lead up, off the run.
    fn split(&self, mut run: Run, runs: &mut Vec<Run>) {
        let step = self.jumper.settings.step_height;
        let feet = self.body(run.at(run.x0)).hull(self.body(run.at(run.x1)));
        let feet = feet.edge(Dir::Down).strip(Dir::Up, step.min(self.jumper.size.y));
        if run.hold == Footing::Floor && self.solids.has_one_way(feet, Dir::Down) {
            for x in run.x0..run.x1 {
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

    /// Finds the joins of the runs in the rows `near`: pairs of positions of two runs between which the body
    /// walks in both directions.
    fn join(&self, near: Range<i32>, runs: &[Run], joins: &mut Vec<[IVec2; 2]>) {
        for run in runs.iter().filter(|run| near.contains(&run.y) && run.hold == Footing::Floor) {
            let end = run.at(run.x1);
            let there = self.walk(end, Dir::Right);
            if there.x == end.x + 1 && there != end + IVec2::X && self.walk(there, Dir::Left) == end
            {
                joins.push([end, there]);
            }
        }
    }
}

/// Calls `found` with the parts of `runs` that are in none of the runs `others`. Both are sorted.
fn without(
    runs: impl Iterator<Item = Range<u32>>,
    others: &[Range<u32>],
    found: &mut dyn FnMut(Range<u32>),
) {
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
