//! The nearest place, toward one direction, at which a box overlaps no solid.

use glam::IVec2;

use super::frame::Frame;
use super::solid::sweep;
use super::strip::strip;
use crate::geometry::{Aabb, Dir};
use crate::grid::Grid;

/// The smallest distance, at most `limit`, toward `dir` at which `body` overlaps no solid: see
/// [`crate::Terrain::nearest_free`].
///
/// Each round finds the solid cell in the box that lies farthest toward `dir`: the box must go past it. So
/// there are no more rounds than solid cells in a row, and one more beyond the level.
pub(super) fn nearest_free(
    grid: &Grid,
    frame: &Frame,
    body: Aabb,
    dir: Dir,
    limit: u32,
) -> Option<u32> {
    if body.is_empty() {
        return Some(0);
    }
    let limit = limit.min(body.room(dir));
    let axis = dir.axis();
    let across = strip(body, dir, 0).across;
    if frame.any_solid_at(axis.other(), &across) {
        // The box stays beyond a solid side at every distance.
        return None;
    }
    let length = body.extent(axis);
    let side = i64::from(frame.cell[axis.index()].divisor);
    let mut distance = 0;
    loop {
        let there = body.shifted(dir, distance);
        let back = sweep(grid, frame, there.edge(dir), dir.opposite(), length);
        let Some(contact) = back.contact else {
            return Some(distance);
        };
        let along = |corner: IVec2| i64::from(corner.to_array()[axis.index()]);
        let (min, max, cell) = (along(there.min), along(there.max), along(contact.cell));
        let size = frame.size[axis.index()];
        // The distances past the cell, from before the level to its near side, and past its far side.
        let (past, before, beyond) = if dir.is_positive() {
            ((cell + 1) * side - min, -max, min - size)
        } else {
            (max - cell * side, min - size, -max)
        };
        if beyond >= 0 {
            return None;
        }
        let more = past.max(before).max(i64::from(back.leftover()));
        distance =
            u32::try_from(i64::from(distance) + more).ok().filter(|distance| *distance <= limit)?;
    }
}

#[cfg(test)]
mod tests {
    use crate::geometry::{Aabb, Dir, Outside};
    use crate::{Grid, Level};
    use glam::UVec2;

    #[test]
    fn nearest_free_agrees_with_a_trial_of_every_distance() {
        let mut random = fastrand::Rng::with_seed(31);
        let sides = [1, 5, 63, 64, 65, 130];
        for _ in 0..4_000 {
            let side = |random: &mut fastrand::Rng| sides[random.usize(0..sides.len())];
            let (width, height) = (side(&mut random), side(&mut random));
            let mut grid = Grid::new(width, height).unwrap();
            for _ in 0..random.u32(0..width * height / 3 + 2) {
                grid.set(random.u32(0..width), random.u32(0..height), true).unwrap();
            }
            let cell = UVec2::new(random.u32(1..4), random.u32(1..6));
            let outside = [Outside::Solid, Outside::Open][random.usize(0..2)];
            let level = Level::from_grid(grid, cell).unwrap().with_outside(outside);
            let (x, y) = (random.i32(-9..140), random.i32(-9..140));
            let body = Aabb::from_xywh(x, y, random.i32(0..9), random.i32(0..9));
            let limit = random.u32(0..40);
            for dir in Dir::ALL {
                let tried = (0..=limit).find(|at| !level.overlaps(body.shifted(dir, *at)));
                assert_eq!(level.nearest_free(body, dir, limit), tried, "{body:?} {dir:?}");
            }
        }
    }

    #[test]
    fn nearest_free_finds_no_place_past_the_end_of_the_range() {
        let level = Level::from_grid(Grid::new(1, 1).unwrap(), UVec2::ONE).unwrap();
        let last = Aabb::from_xywh(i32::MAX - 4, 0, 4, 1);
        assert_eq!(level.nearest_free(last, Dir::Right, u32::MAX), None);
        let first = Aabb::from_xywh(i32::MIN, 0, 4, 1);
        assert_eq!(level.nearest_free(first, Dir::Left, u32::MAX), None);
        assert_eq!(level.nearest_free(first, Dir::Right, u32::MAX), None);
        let open = level.with_outside(Outside::Open);
        assert_eq!(open.nearest_free(last, Dir::Right, 0), Some(0));
    }
}
