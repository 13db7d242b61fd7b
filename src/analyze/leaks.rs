//! Leaks: a body that gets from beyond the level to a place in it.
//!
//! As Quake's leak files do, a leak is shown as a path with its narrowest spot.

use glam::{IVec2, UVec2};

use super::bands::TooComplex;
use super::free_space::{FreeSpace, MAX_BODY, free_space_in};
use super::gaps::{Gap, near_gaps};
use crate::geometry::{Aabb, Axis, Outside, saturated};
use crate::sweep::Terrain;

/// A way from beyond the level to a place in it: see [`leak`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Leak {
    /// The positions at which the body turns, from the last one beyond the level to the place.
    pub path: Vec<IVec2>,
    /// The pixels of a spot at which a larger body stops; another way may be as wide. `None` if none is
    /// narrower than eight times the body.
    pub narrowest: Option<Aabb>,
    /// The free pixels there across the way; 0 without such a spot.
    pub width: u32,
}

/// The way on which a body of `body` pixels gets from beyond the level to the free position `to`, with every
/// side open and every one-way cell passable; `None` if there is none.
///
/// The narrowest spot is found by growing the body until it no longer gets through, by bisection: O(log size)
/// times the free space.
///
/// # Errors
/// [`TooComplex`], as [`free_space`](super::free_space()).
pub fn leak(terrain: &Terrain, body: UVec2, to: IVec2) -> Result<Option<Leak>, TooComplex> {
    let free = free_space_in(terrain, body, Outside::Open)?;
    let (Some(outside), Some(area)) = (free.outside_area(), free.area_at(to)) else {
        return Ok(None);
    };
    let size = terrain.size().as_ivec2();
    let body = free.body();
    if outside != area || !is_inside(to, body, size) {
        return Ok(None);
    }
    let Some(mut path) = free.path(-body.as_ivec2(), to) else {
        return Ok(None);
    };
    // The part of the path that leads around the level outside tells nothing.
    let last = path.iter().rposition(|at| !is_inside(*at, body, size));
    path.drain(..last.unwrap_or_default());
    let spot = narrowest(terrain, body, to)?;
    let (width, narrowest) = spot.map_or((0, None), |(width, area)| (width, Some(area)));
    Ok(Some(Leak { path, narrowest, width }))
}

/// True if the body covers a pixel of the level.
fn is_inside(at: IVec2, body: UVec2, size: IVec2) -> bool {
    let level = Aabb { min: IVec2::ZERO, max: size };
    Aabb { min: at, max: at.saturating_add(body.as_ivec2()) }.overlaps(level)
}

/// The width and the pixels of the spot that stops the body once both its sides are longer; `None` if it is
/// not stopped below eight times its size, or by no single spot.
fn narrowest(terrain: &Terrain, body: UVec2, to: IVec2) -> Result<Option<(u32, Aabb)>, TooComplex> {
    let longest = body.max_element();
    let limit = longest.saturating_mul(8).min(MAX_BODY.saturating_sub(longest));
    let grown = |more: u32| free_space_in(terrain, body + UVec2::splat(more), Outside::Open);
    let leaks = |free: &FreeSpace, more: u32| {
        let outside = free.outside_area();
        outside.is_some_and(|outside| inner_areas(free, to, more).contains(&outside))
    };
    if leaks(&grown(limit)?, limit) {
        return Ok(None);
    }
    let (mut passes, mut stopped) = (0, limit);
    while stopped - passes > 1 {
        let middle = passes + (stopped - passes) / 2;
        if leaks(&grown(middle)?, middle) {
            passes = middle;
        } else {
            stopped = middle;
        }
    }
    let wide = grown(stopped)?;
    let outside = wide.outside_area();
    let inner = inner_areas(&wide, to, stopped);
    let parts = |gap: &Gap| {
        let is = |area: usize| Some(area) == outside;
        let [one, other] = gap.areas;
        (is(one) && inner.contains(&other)) || (is(other) && inner.contains(&one))
    };
    let gap = near_gaps(terrain, &wide, 1)?.into_iter().find(parts);
    Ok(gap.map(|gap| match gap.axis {
        Axis::X => (body.x + passes, gap.area),
        Axis::Y => (body.y + passes, gap.area),
    }))
}

/// The areas of a body that is larger by `more` both ways, at the positions at which it covers the place of
/// the first one.
fn inner_areas(free: &FreeSpace, to: IVec2, more: u32) -> Vec<usize> {
    let more = IVec2::splat(saturated(more.into()));
    free.areas_within(Aabb { min: to.saturating_sub(more), max: to.saturating_add(IVec2::ONE) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::analyze::free_space;
    use crate::analyze::tests::random_terrain;

    #[test]
    fn a_leak_is_a_path_through_the_hole() {
        let mut grid = Grid::new(80, 60).unwrap();
        grid.fill(10..70, 10..50, true).unwrap();
        grid.fill(14..66, 14..46, false).unwrap();
        let terrain = |grid| Terrain::new(grid, UVec2::ONE).unwrap();
        let closed = terrain(grid.clone());
        let (body, spawn) = (UVec2::new(4, 6), IVec2::new(40, 40));
        assert_eq!(leak(&closed, body, spawn), Ok(None));
        grid.fill(30..37, 10..14, false).unwrap();
        let found = leak(&terrain(grid.clone()), body, spawn).unwrap().unwrap();
        assert_eq!((found.width, found.narrowest), (7, Some(Aabb::from_xywh(30, 10, 7, 4))));
        assert_eq!(found.path.last(), Some(&spawn));
        let through = |at: &IVec2| (30..34).contains(&at.x);
        assert!(found.path.iter().any(through), "{:?}", found.path);
        // A body that does not fit does not leak.
        assert_eq!(leak(&terrain(grid.clone()), UVec2::new(8, 6), spawn), Ok(None));
        // The lower hole of the two is not the narrowest spot: both are passed.
        grid.fill(66..70, 20..40, false).unwrap();
        let found = leak(&terrain(grid), body, spawn).unwrap().unwrap();
        assert_eq!((found.width, found.narrowest), (20, Some(Aabb::from_xywh(66, 20, 4, 20))));
    }

    #[test]
    fn a_leak_is_found_exactly_where_a_flood_with_open_sides_comes_from_outside() {
        let mut random = fastrand::Rng::with_seed(81);
        let mut found = [0, 0];
        for _ in 0..300 {
            let terrain = random_terrain(&mut random, &[9, 20, 40]);
            let body = UVec2::new(random.u32(1..5), random.u32(1..5));
            let open = terrain.clone().with_outside(Outside::Open);
            let free = free_space(&open, body).unwrap();
            let size = terrain.size().as_ivec2();
            let to = IVec2::new(random.i32(0..size.x), random.i32(0..size.y));
            let leaks =
                free.area_at(to).is_some() && free.area_at(to) == free.area_at(-body.as_ivec2());
            assert_eq!(leak(&terrain, body, to).unwrap().is_some(), leaks);
            found[usize::from(leaks)] += 1;
        }
        assert!(found[0] > 20 && found[1] > 20, "{found:?}");
    }
}
