//! Computes an over-estimate of the reachable positions, which proves that a goal is out of reach. Also finds
//! the obstacle on the path to such a goal. In the over-estimate, a supported body may rise by an upper bound
//! in whole pixels, move aside, and fall any distance.

use std::collections::VecDeque;
use std::ops::Range;

use glam::{IVec2, UVec2};

use super::moves::{Barrier, BarrierKind, PlatformerMoves, pixels_of};
use super::{Budget, Graph, Hold, OneWays, OutOfRuns, Routes, first_out, shared};
use crate::analyze::free_space::{free_space, simplified};
use crate::character::Feel;
use crate::geometry::{Aabb, Dir, SUBPIXELS};
use crate::grid::Grid;
use crate::level::Level;
use crate::mover::{MovePath, MoverSettings, Response, Slope};
use crate::terrain::Terrain;

/// The number of pixels that a body may still rise, at the lowest and at the highest row of a node (a run of
/// free positions). A negative number means that the body does not reach the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Left {
    bottom: i32,
    top: i32,
}

/// The positions that a body may reach, as the [`Left`] of each node.
pub(super) struct Reached {
    left: Vec<Left>,
}

/// The queue of nodes to visit, without repeats.
struct Queue<'b> {
    nodes: VecDeque<u32>,
    is_in: Vec<bool>,
    budget: &'b Budget,
}

impl<'b> Queue<'b> {
    fn new(count: usize, budget: &'b Budget) -> Self {
        Self { nodes: VecDeque::new(), is_in: vec![false; count], budget }
    }

    fn push(&mut self, node: u32) {
        if !std::mem::replace(&mut self.is_in[node as usize], true) {
            self.nodes.push_back(node);
        }
    }

    fn pop(&mut self) -> Result<Option<u32>, OutOfRuns> {
        let node = self.nodes.pop_front();
        if let Some(node) = node {
            self.is_in[node as usize] = false;
            self.budget.take(1)?;
        }
        Ok(node)
    }
}

/// The positions that a body may reach from the lowest rows of the nodes `starts`, if it rises at most `rise`
/// pixels above each supported position.
pub(super) fn reached(
    graph: &Graph,
    starts: &[u32],
    rise: u32,
    budget: &Budget,
) -> Result<Reached, OutOfRuns> {
    let rise = i32::try_from(rise).unwrap_or(i32::MAX);
    let mut left = vec![Left { bottom: -1, top: -1 }; graph.len()];
    let mut queue = Queue::new(graph.len(), budget);
    for start in starts {
        left[*start as usize].bottom = rise;
        queue.push(*start);
    }
    while let Some(node) = queue.pop()? {
        let here = settled(left[node as usize], graph, node, rise);
        left[node as usize] = here;
        for below in graph.below(node) {
            let there = &mut left[*below as usize];
            if there.top < here.bottom {
                there.top = here.bottom;
                queue.push(*below);
            }
        }
        for above in graph.above(node) {
            let there = &mut left[*above as usize];
            if there.bottom < here.top - 1 {
                there.bottom = here.top - 1;
                queue.push(*above);
            }
        }
    }
    Ok(Reached { left })
}

/// The number of pixels that a body may still rise in `node`, after moves within the node. A move down keeps
/// the number, a move up reduces it, and support restores it to `rise`.
fn settled(left: Left, graph: &Graph, node: u32, rise: i32) -> Left {
    let Left { mut bottom, mut top } = left;
    bottom = bottom.max(top);
    if bottom >= 0 && graph.hold(node) != Hold::No {
        bottom = rise;
    }
    if bottom >= 0 && graph.hold(node) == Hold::All {
        top = rise;
    }
    let height = graph.rows(node).len() as i64 - 1;
    top = top.max((i64::from(bottom) - height).max(-1) as i32);
    Left { bottom, top }
}

impl Reached {
    pub(super) fn rows(&self, graph: &Graph, node: u32) -> Range<i32> {
        let rows = graph.rows(node);
        let left = self.left.get(node as usize);
        match left {
            Some(Left { top: 0.., .. }) => rows,
            Some(Left { bottom: left @ 0.., .. }) => {
                rows.end.saturating_sub(1).saturating_sub(*left).max(rows.start)..rows.end
            }
            _ => rows.end..rows.end,
        }
    }

    pub(super) fn touches(
        &self,
        graph: &Graph,
        area: Aabb,
        budget: &Budget,
    ) -> Result<bool, OutOfRuns> {
        let [_, rows] = graph.positions_over(area);
        let found = graph.find_over(area, budget, &mut |node| {
            !shared(&self.rows(graph, node), &rows).is_empty()
        })?;
        Ok(found.is_some())
    }
}

/// A rise of this many pixels or more counts as unbounded.
const MAX_RISE: u128 = 1 << 29;

/// The largest height in pixels that a body can rise above its last support. `height` is the body's own
/// height. `None` if there is no bound: with wall jumps, without gravity, or with settings unlike the
/// settings of a character on a floor. The bound is the highest jump plus the largest lift by the mover
/// itself: up a step, past a corner, or up to a ledge and over it. A lift ends where the body stands.
pub(super) fn highest_rise(moves: &PlatformerMoves, height: u32) -> Option<u32> {
    let PlatformerMoves { rate, feel, settings } = moves;
    let is_known = settings.response == Response::Slide
        && settings.floor == Some(Dir::Down)
        && settings.max_slope == Slope::VERTICAL
        && !matches!(settings.path, MovePath::Straight(_));
    if !is_known || feel.wall_jump.y > 0.0 {
        return None;
    }
    let rules = feel.at(*rate);
    // One pixel more, because a jump may start at a fraction of a pixel.
    let jump = rules.highest_flight()? / SUBPIXELS as u128 + 1;
    let total = jump + u128::from(lift(feel, rules.fall_limit, settings, height));
    u32::try_from(total).ok().filter(|_| total < MAX_RISE)
}

/// The largest height in pixels that the mover lifts the body without a jump.
fn lift(feel: &Feel, fall_limit: u32, settings: &MoverSettings, height: u32) -> u64 {
    let corner = settings.corner_correction.left.max(settings.corner_correction.right);
    let step = settings.step_height.max(corner);
    // A hanging body may have fallen past the ledge by one step of its fall, and climbs its own height.
    let fall = u64::from(fall_limit) / SUBPIXELS as u64 + 2;
    let ledge = u64::from(feel.ledge_reach) + u64::from(height) + fall;
    u64::from(step).max(if feel.ledge_reach > 0 { ledge } else { 0 })
}

const MAX_CELLS: u64 = 1 << 22;

/// The path from `from` to `to` through as few solid cells as possible, as a list of cells, and the number of
/// solid cells on the path. `None` in a level with too many cells. An end outside the level is moved to the
/// nearest cell. O(cells): a breadth-first search with the costs 0 and 1.
fn through(terrain: &Terrain, from: IVec2, to: Aabb) -> Option<(Vec<IVec2>, u32)> {
    let grid = terrain.grid();
    if grid.cell_count() > MAX_CELLS {
        return None;
    }
    let size = grid.size().as_ivec2();
    let [first, low, high] = [from, to.min, to.max - IVec2::ONE]
        .map(|pixel| terrain.cell_at(pixel).clamp(IVec2::ZERO, size - IVec2::ONE));
    let mut best = vec![u32::MAX; size.x as usize * size.y as usize];
    let mut before = vec![u8::MAX; best.len()];
    let steps = [IVec2::NEG_X, IVec2::X, IVec2::NEG_Y, IVec2::Y];
    best[index(first, size)] = cost(grid, first);
    // The cost of a cell is the number of solid cells on the way to it. `open` has the found cells with the
    // cost `cells`, in the order of discovery, and `next_open` the found cells with the cost `cells + 1`.
    let mut cells = cost(grid, first);
    let mut open = VecDeque::from([first]);
    let mut next_open = VecDeque::new();
    loop {
        let Some(at) = open.pop_front() else {
            cells += 1;
            std::mem::swap(&mut open, &mut next_open);
            if open.is_empty() {
                return None;
            }
            continue;
        };
        if best[index(at, size)] < cells {
            continue;
        }
        if at.cmpge(low).all() && at.cmple(high).all() {
            let mut path = vec![at];
            let mut cell = at;
            while let Some(step) = steps.get(before[index(cell, size)] as usize) {
                cell -= *step;
                path.push(cell);
            }
            path.reverse();
            return Some((path, cells));
        }
        for (number, step) in (0..).zip(steps) {
            let next = at + step;
            if next.cmplt(IVec2::ZERO).any() || next.cmpge(size).any() {
                continue;
            }
            let total = cells + cost(grid, next);
            let at = index(next, size);
            if total < best[at] {
                best[at] = total;
                before[at] = number;
                (if total == cells { &mut open } else { &mut next_open }).push_back(next);
            }
        }
    }
}

fn index(cell: IVec2, size: IVec2) -> usize {
    cell.y as usize * size.x as usize + cell.x as usize
}

fn cost(grid: &Grid, cell: IVec2) -> u32 {
    u32::from(grid.is_solid(cell.x as u32, cell.y as u32))
}

/// The largest number of positions per axis at which [`Barred::gap_of`] places the full-size body around a
/// smaller body.
const MAX_BESIDE: usize = 12;

fn tried(less: u32) -> impl Iterator<Item = i32> {
    (0..=less as i32).step_by(less as usize / MAX_BESIDE + 1)
}

/// A limit on the moves of a body, other than solids, that may keep the body from a goal.
#[derive(Clone, Copy)]
pub(super) enum Bound<'a> {
    /// The largest height in pixels that the body can rise above its last support.
    Rise(u32),
    /// One-way cells stop the body. The values are the graph of the moves that they allow, and the paths in
    /// it.
    OneWay(&'a Graph, &'a Routes),
    No,
}

/// A goal that a body cannot reach, with the data to find the obstacle.
pub(super) struct Barred<'a> {
    pub(super) level: &'a Level,
    pub(super) body: UVec2,
    pub(super) start: IVec2,
    pub(super) goal: Aabb,
    /// The free positions of the body if one-way cells are ignored.
    pub(super) graph: &'a Graph,
    pub(super) bound: Bound<'a>,
    pub(super) budget: &'a Budget,
}

impl Barred<'_> {
    /// The obstacle between the start and the goal. O(runs log pixels) for a height, O(runs) per tried size
    /// for a gap, and O(cells) for solids.
    pub(super) fn barrier(&self) -> Result<Barrier, OutOfRuns> {
        let ways = Routes::from(self.graph, &[self.start], self.budget)?;
        let end = ways.end_at(self.graph, self.goal, self.budget)?;
        match (end, self.bound) {
            (Some(end), Bound::Rise(rise)) => self.too_high((&ways, end), rise),
            (Some(end), Bound::OneWay(graph, held)) => {
                let corners = self.corners(self.graph, self.body, (&ways, end))?;
                let out =
                    first_out(graph, &corners, &[IVec2::ZERO], &|node| held.rows(graph, node));
                let narrowest = self.body_at(out.unwrap_or(self.start));
                let path = self.centres(&corners, self.body);
                Ok(Barrier { kind: BarrierKind::OneWay, path, narrowest })
            }
            _ => Ok(self.gap(&ways)?.unwrap_or_else(|| self.solids())),
        }
    }

    /// The barrier before a goal that is too high. `ways` has a path to the goal, which ends at the node
    /// `end`.
    fn too_high(&self, (ways, end): (&Routes, u32), rise: u32) -> Result<Barrier, OutOfRuns> {
        let corners = self.corners(self.graph, self.body, (ways, end))?;
        // The body rises from the floor under the start.
        let landed = self.landed(self.body_at(self.start)).min;
        let start = self.graph.node_at(landed);
        let mut low = rise;
        let mut high = self.level.size().y.saturating_add(self.body.y);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            let reached = reached(self.graph, start.as_slice(), middle, self.budget)?;
            let is_enough = reached.touches(self.graph, self.goal, self.budget)?;
            *(if is_enough { &mut high } else { &mut low }) = middle;
        }
        let reached = reached(self.graph, start.as_slice(), rise, self.budget)?;
        let out =
            first_out(self.graph, &corners, &[IVec2::ZERO], &|node| reached.rows(self.graph, node));
        // The path may leave the reachable positions in mid-air. The box of the barrier is on the floor
        // below.
        let narrowest = self.landed(self.body_at(out.unwrap_or(self.start)));
        let path = self.centres(&corners, self.body);
        Ok(Barrier { kind: BarrierKind::Height { needed: high, rise }, path, narrowest })
    }

    /// The box `body` after a fall to the floor below; unchanged without a floor.
    fn landed(&self, body: Aabb) -> Aabb {
        let fall = self.level.sweep(body, Dir::Down, self.level.size().y);
        body.shifted(Dir::Down, if fall.contact.is_some() { fall.moved } else { 0 })
    }

    fn corners(
        &self,
        graph: &Graph,
        size: UVec2,
        (ways, end): (&Routes, u32),
    ) -> Result<Vec<IVec2>, OutOfRuns> {
        let how = (OneWays::Passed, self.budget);
        let corners = ways.to(graph, (self.level.terrain(), size), (end, self.goal), how)?;
        Ok(corners.unwrap_or_default())
    }

    fn centres(&self, corners: &[IVec2], size: UVec2) -> Vec<IVec2> {
        corners.iter().map(|corner| *corner + (size / 2).as_ivec2()).collect()
    }

    fn body_at(&self, position: IVec2) -> Aabb {
        let size = self.body.as_ivec2();
        Aabb::from_xywh(position.x, position.y, size.x, size.y)
    }

    /// The barrier at a gap that stops the body. Its path is for the largest of the smaller bodies that reach
    /// the goal. `None` if no smaller body reaches the goal. `own` has the paths of the body in its full
    /// size.
    fn gap(&self, own: &Routes) -> Result<Option<Barrier>, OutOfRuns> {
        let mut narrow = 0;
        let Some(mut wide) = self.body.max_element().checked_sub(1).filter(|by| *by > 0) else {
            return Ok(None);
        };
        let Some(mut found) = self.gap_of(wide, own)? else {
            return Ok(None);
        };
        while narrow + 1 < wide {
            let middle = narrow + (wide - narrow) / 2;
            match self.gap_of(middle, own)? {
                Some(gap) => (wide, found) = (middle, gap),
                None => narrow = middle,
            }
        }
        Ok(Some(found))
    }

    /// The barrier at a gap for a body that is `by` pixels smaller on each axis; `None` if the smaller body
    /// does not reach the goal. The smaller body starts at the feet of the full-size body, in the middle.
    /// `own` has the paths of the full-size body.
    fn gap_of(&self, by: u32, own: &Routes) -> Result<Option<Barrier>, OutOfRuns> {
        let terrain = self.level.terrain();
        let size = self.body.saturating_sub(UVec2::splat(by)).max(UVec2::ONE);
        let less = (self.body - size).as_ivec2();
        let less = IVec2::new(less.x / 2, less.y);
        let free = free_space(terrain, size).map_err(|_| OutOfRuns)?;
        self.budget.take(free.bands.runs.len() as u64)?;
        let graph = Graph::new(terrain, &free, &[], &[], false).map_err(|_| OutOfRuns)?;
        let ways = Routes::from(&graph, &[self.start + less], self.budget)?;
        let Some(end) = ways.end_at(&graph, self.goal, self.budget)? else {
            return Ok(None);
        };
        let corners = self.corners(&graph, size, (&ways, end))?;
        // A position of the smaller body counts as reached if the full-size body covers the smaller body at
        // any reached position.
        let beside = self.body - size;
        let mut shifts = Vec::new();
        for x in tried(beside.x) {
            shifts.extend(tried(beside.y).map(|y| IVec2::new(-x, -y)));
        }
        let out = first_out(self.graph, &corners, &shifts, &|node| own.rows(self.graph, node));
        let narrowest = self.body_at(out.unwrap_or(self.start + less)).translated(-less);
        let path = self.centres(&corners, size);
        Ok(Some(Barrier { kind: BarrierKind::Gap { by }, path, narrowest }))
    }

    fn solids(&self) -> Barrier {
        let terrain = self.level.terrain();
        let from = self.start + (self.body / 2).as_ivec2();
        let (path, cells) = through(terrain, from, pixels_of(self.goal)).unwrap_or_default();
        let solid = path.iter().find(|cell| terrain.grid().is_solid(cell.x as u32, cell.y as u32));
        let narrowest = solid.map_or(self.goal, |cell| terrain.cell_area(*cell));
        let corners = simplified(&path).into_iter().map(|cell| terrain.cell_area(cell).center());
        Barrier { kind: BarrierKind::Solid { cells }, path: corners.collect(), narrowest }
    }
}

#[cfg(test)]
mod tests {
    use glam::{UVec2, Vec2};

    use super::*;
    use crate::Rate;
    use crate::analyze::reach::moves::Keys;
    use crate::analyze::reach::moves::MoveSet;
    use crate::analyze::reach::play::PlayedBody;
    use crate::character::{Input, Stance};
    use crate::geometry::Aabb;
    use crate::{Grid, Level};

    const RATE: Rate = Rate::per_second(60);

    /// A character that only jumps: `height` pixels in `time` seconds.
    fn feel(height: f32, time: f32, apex_speed: f32) -> Feel {
        let still = Feel { swim_speed: 0.0, float_speed: 0.0, climb_speed: 0.0, ..Feel::default() };
        let no_walls = Feel { wall_jump: Vec2::ZERO, ledge_reach: 0, ..still };
        Feel { jump_height: height, jump_time: time, apex_speed, ..no_walls }
    }

    /// The height that the body rises above its floor in a played jump with the jump key held, in pixels.
    fn played(jumper: &PlatformerMoves) -> u32 {
        let mut grid = Grid::new(1, 3).unwrap();
        grid.fill(0..1, 2..3, true).unwrap();
        let level = Level::from_grid(grid, UVec2::splat(4_096)).unwrap();
        let start = Aabb::from_xywh(2_000, 2 * 4_096 - 20, 12, 20);
        let moves = MoveSet::Platformer(Box::new(jumper.clone()));
        let mut player = PlayedBody::new(&moves, start);
        let mut highest = start.min.y;
        for step in 0..3_000 {
            let keys = Input::NONE.with_jump(step > 0);
            player.step(&level, Keys::Press(keys));
            highest = highest.min(player.body().min.y);
            if step > 2 && player.character.stance == Stance::Ground {
                break;
            }
        }
        (start.min.y - highest) as u32
    }

    #[test]
    fn the_highest_rise_is_at_most_2_pixels_above_a_real_jump() {
        let mut random = fastrand::Rng::with_seed(3);
        let settings = MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN };
        let mut rises = 0;
        for _ in 0..600 {
            let time = 0.05 + random.f32();
            let feel = feel(1.0 + 400.0 * random.f32(), time, 180.0 * random.f32());
            let feel = if random.bool() { Feel { apex_speed: 0.0, ..feel } } else { feel };
            let jumper = PlatformerMoves { rate: RATE, feel, settings };
            let bound = highest_rise(&jumper, 20).expect("it is bounded");
            let played = played(&jumper);
            assert!((played..=played + 2).contains(&bound), "{bound} and {played}: {jumper:?}");
            rises += u32::from(played > 20);
        }
        assert!(rises > 300, "{rises}");
    }

    #[test]
    fn the_highest_rise_adds_steps_and_ledges_to_the_jump() {
        let jump =
            |feel, settings| highest_rise(&PlatformerMoves { rate: RATE, feel, settings }, 20);
        let plain = MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN };
        let whole = Feel { wall_jump: Vec2::ZERO, ledge_reach: 0, ..Feel::default() };
        assert_eq!(jump(whole.clone(), plain), Some(45));
        assert_eq!(jump(whole.clone(), MoverSettings::platformer()), Some(49));
        assert_eq!(jump(Feel::default(), plain), None, "it climbs walls");
        assert_eq!(jump(whole.clone(), MoverSettings::PLAIN), None, "it has no floor");
        assert_eq!(jump(Feel { jump_height: 0.0, ..whole.clone() }, plain), None, "it floats up");
        assert_eq!(jump(feel(0.0, 0.0, 0.0), plain), Some(1));
        let hangs = Feel { ledge_reach: 4, ..whole };
        assert_eq!(jump(hangs, plain), Some(45 + 4 + 20 + 6));
    }

    /// The smallest number of solid cells on a path, found by updating every cell until nothing changes.
    fn naive(grid: &Grid, from: IVec2, to: IVec2) -> u32 {
        let (w, h) = (grid.width() as i32, grid.height() as i32);
        let cost = |x: i32, y: i32| u32::from(grid.is_solid(x as u32, y as u32));
        let mut best = vec![vec![u32::MAX; w as usize]; h as usize];
        best[from.y as usize][from.x as usize] = cost(from.x, from.y);
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
                for (a, b) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
                    if a >= 0 && b >= 0 && a < w && b < h {
                        let total = best[b as usize][a as usize].saturating_add(cost(x, y));
                        let here = &mut best[y as usize][x as usize];
                        has_changed |= total < *here;
                        *here = total.min(*here);
                    }
                }
            }
        }
        best[to.y as usize][to.x as usize]
    }

    #[test]
    fn a_path_through_solids_crosses_the_fewest_solid_cells() {
        let mut random = fastrand::Rng::with_seed(44);
        for _ in 0..200 {
            let mut grid = Grid::new(random.u32(1..20), random.u32(1..16)).unwrap();
            for _ in 0..random.u32(0..12) {
                let (x, y) = (random.u32(0..20), random.u32(0..16));
                grid.fill(x..x + random.u32(1..9), y..y + random.u32(1..9), true).unwrap();
            }
            let size = grid.size().as_ivec2();
            let mut place = || IVec2::new(random.i32(0..size.x), random.i32(0..size.y));
            let (from, to) = (place(), place());
            let terrain = Terrain::new(grid.clone(), UVec2::new(3, 2)).unwrap();
            let [start, goal] = [from, to].map(|cell| cell * IVec2::new(3, 2));
            let goal = Aabb { min: goal, max: goal + IVec2::ONE };
            let (path, cells) = through(&terrain, start, goal).unwrap();
            assert_eq!(cells, naive(&grid, from, to), "{grid:?}");
            assert_eq!((path.first(), path.last()), (Some(&from), Some(&to)));
            let solid = path.iter().filter(|at| grid.is_solid(at.x as u32, at.y as u32));
            assert_eq!(solid.count() as u32, cells);
            assert!(path.windows(2).all(|two| (two[1] - two[0]).abs().element_sum() == 1));
        }
    }

    #[test]
    fn a_path_through_an_empty_grid_is_the_shortest() {
        let terrain = Terrain::new(Grid::new(9, 9).unwrap(), UVec2::ONE).unwrap();
        let goal = Aabb::from_xywh(8, 4, 1, 1);
        let (path, _) = through(&terrain, IVec2::new(0, 4), goal).unwrap();
        assert_eq!(path.len(), 9);
    }
}
