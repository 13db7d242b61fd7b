//! The way through the fewest solid cells.
//!
//! In cells of the level: no body, no moves. It proves nothing; it shows where something is closed.

use std::collections::VecDeque;

use glam::IVec2;

use crate::geometry::Aabb;
use crate::sweep::Terrain;

/// The most cells of a level in which a way through solids is searched.
const MAX_CELLS: u64 = 1 << 22;

/// The way between two places through the fewest solid cells, in cells, and their number; `None` in a level
/// with too many cells. Both ends are taken to the nearest cell of the level. O(cells): a search with two
/// costs, 0 and 1.
pub(super) fn through(terrain: &Terrain, from: IVec2, to: Aabb) -> Option<(Vec<IVec2>, u32)> {
    let grid = terrain.grid();
    if grid.cell_count() > MAX_CELLS {
        return None;
    }
    let size = grid.size().as_ivec2();
    let inside = |pixel: IVec2| terrain.cell_at(pixel).clamp(IVec2::ZERO, size - IVec2::ONE);
    let (first, low, high) = (inside(from), inside(to.min), inside(to.max - IVec2::ONE));
    let index = |cell: IVec2| cell.y as usize * size.x as usize + cell.x as usize;
    let cost = |cell: IVec2| u32::from(grid.is_solid(cell.x as u32, cell.y as u32));
    let mut best = vec![u32::MAX; size.x as usize * size.y as usize];
    let mut before = vec![u8::MAX; best.len()];
    let steps = [IVec2::NEG_X, IVec2::X, IVec2::NEG_Y, IVec2::Y];
    best[index(first)] = cost(first);
    // The cells at the least cost, in the order in which they were found, and those at one more: of ways at
    // the same cost, a short one is found.
    let mut cells = cost(first);
    let (mut open, mut next_open) = (VecDeque::from([first]), VecDeque::new());
    loop {
        let Some(at) = open.pop_front() else {
            cells += 1;
            std::mem::swap(&mut open, &mut next_open);
            if open.is_empty() {
                return None;
            }
            continue;
        };
        if best[index(at)] < cells {
            continue;
        }
        if at.cmpge(low).all() && at.cmple(high).all() {
            let (mut path, mut cell) = (vec![at], at);
            while let Some(step) = steps.get(before[index(cell)] as usize) {
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
            let total = cells + cost(next);
            if total < best[index(next)] {
                best[index(next)] = total;
                before[index(next)] = number;
                (if total == cells { &mut open } else { &mut next_open }).push_back(next);
            }
        }
    }
}

/// The centres of the cells at which a way turns, and of its ends.
pub(super) fn corners_of(terrain: &Terrain, cells: &[IVec2]) -> Vec<IVec2> {
    let turns = |at: usize| {
        let (Some(before), Some(after)) =
            (at.checked_sub(1).and_then(|at| cells.get(at)), cells.get(at + 1))
        else {
            return true;
        };
        cells.get(at).is_none_or(|cell| *cell - *before != *after - *cell)
    };
    let kept = cells.iter().enumerate().filter(|(at, _)| turns(*at));
    kept.map(|(_, cell)| terrain.cell_area(*cell).center()).collect()
}

#[cfg(test)]
mod tests {
    use glam::UVec2;

    use super::*;
    use crate::Grid;

    /// The least number of solid cells on a way, by relaxing every cell until nothing changes.
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
    fn a_way_goes_through_as_few_solid_cells_as_any() {
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
    fn of_equal_ways_a_straight_one_is_taken() {
        let terrain = Terrain::new(Grid::new(9, 9).unwrap(), UVec2::ONE).unwrap();
        let goal = Aabb::from_xywh(8, 4, 1, 1);
        let (path, _) = through(&terrain, IVec2::new(0, 4), goal).unwrap();
        assert_eq!(path.len(), 9);
    }
}
