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
    /// The positions at which the body turns, from the last one beyond the level to the place: the widest
    /// way, on which the largest body comes in.
    pub path: Vec<IVec2>,
    /// The pixels of the spot on this way at which a body stops that is larger by one pixel both ways. `None`
    /// if a body of eight times the size comes in, or if it is stopped on both axes at once.
    pub narrowest: Option<Aabb>,
    /// The free pixels there across the way; 0 without such a spot.
    pub width: u32,
}

/// The way on which a body of `body` pixels gets from beyond the level to the free position `to`, with every
/// side open and every one-way cell passable; `None` if there is none.
///
/// Of several ways it is the widest one: the body is grown until it no longer gets in, by bisection, and the
/// way is that of the largest one that does. O(log size) times the free space.
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
    let Widest { free, more, is_limit } = widest(terrain, free, to)?;
    let Some(mut path) = way_in(&free, to, more) else {
        return Ok(None);
    };
    // The part of the path that leads around the level outside tells nothing.
    let last = path.iter().rposition(|at| !is_inside(*at, body, size));
    path.drain(..last.unwrap_or_default());
    let spot = if is_limit { None } else { narrowest(terrain, body, (more, to), &path)? };
    let (width, narrowest) = spot.map_or((0, None), |(width, area)| (width, Some(area)));
    Ok(Some(Leak { path, narrowest, width }))
}

/// The way of a body from beyond the level to `to`, along that of one which is larger by `more` both ways and
/// comes to cover it there.
fn way_in(free: &FreeSpace, to: IVec2, more: u32) -> Option<Vec<IVec2>> {
    let outside = free.outside_area()?;
    let ends = places(to, more);
    let runs = free.runs().find_map(|(columns, rows, area)| {
        let run = Aabb {
            min: IVec2::new(columns.start, rows.start),
            max: IVec2::new(columns.end, rows.end),
        };
        let shared = run.intersection(ends);
        (area == outside && !shared.is_empty()).then_some(shared)
    })?;
    // The end that is nearest to the place itself, its last position.
    let end = runs.max - IVec2::ONE;
    let path = free.path(-free.body().as_ivec2(), end)?;
    // The smaller body keeps its place within the larger one.
    Some(path.into_iter().map(|at| at + to - end).collect())
}

/// True if the body covers a pixel of the level.
fn is_inside(at: IVec2, body: UVec2, size: IVec2) -> bool {
    let level = Aabb { min: IVec2::ZERO, max: size };
    Aabb { min: at, max: at.saturating_add(body.as_ivec2()) }.overlaps(level)
}

/// The largest body that gets in.
struct Widest {
    free: FreeSpace,
    /// The pixels that both its sides are longer.
    more: u32,
    /// True if none larger was tried.
    is_limit: bool,
}

/// The largest body, up to eight times the size, that gets from beyond the level to a place at which it
/// covers the body of `free` at `to`.
fn widest(terrain: &Terrain, free: FreeSpace, to: IVec2) -> Result<Widest, TooComplex> {
    let body = free.body();
    let longest = body.max_element();
    let limit = longest.saturating_mul(8).min(MAX_BODY.saturating_sub(longest));
    let grown = |more: u32| free_space_in(terrain, body + UVec2::splat(more), Outside::Open);
    let leaks = |free: &FreeSpace, more: u32| {
        let outside = free.outside_area();
        outside.is_some_and(|outside| inner_areas(free, to, more).contains(&outside))
    };
    let largest = grown(limit)?;
    if leaks(&largest, limit) {
        return Ok(Widest { free: largest, more: limit, is_limit: true });
    }
    let (mut found, mut stopped) = (Widest { free, more: 0, is_limit: false }, limit);
    while stopped - found.more > 1 {
        let middle = found.more + (stopped - found.more) / 2;
        let larger = grown(middle)?;
        if leaks(&larger, middle) {
            found = Widest { free: larger, more: middle, is_limit: false };
        } else {
            stopped = middle;
        }
    }
    Ok(found)
}

/// The width and the pixels of the spot on the way of the body at which one that is larger by `more` and one
/// pixel both ways is stopped.
fn narrowest(
    terrain: &Terrain,
    body: UVec2,
    (more, to): (u32, IVec2),
    path: &[IVec2],
) -> Result<Option<(u32, Aabb)>, TooComplex> {
    let wide = free_space_in(terrain, body + UVec2::splat(more + 1), Outside::Open)?;
    let outside = wide.outside_area();
    let inner = inner_areas(&wide, to, more + 1);
    let covers = |from: IVec2, to: IVec2, area: Aabb| {
        let way = Aabb { min: from.min(to), max: from.max(to) + body.as_ivec2() };
        way.overlaps(area)
    };
    let parts = |gap: &Gap| {
        let is = |area: usize| Some(area) == outside;
        let [one, other] = gap.areas;
        let is_between = (is(one) && inner.contains(&other)) || (is(other) && inner.contains(&one));
        is_between && path.windows(2).any(|pair| covers(pair[0], pair[1], gap.area))
    };
    let gap = near_gaps(terrain, &wide, 1)?.into_iter().find(parts);
    Ok(gap.map(|gap| match gap.axis {
        Axis::X => (body.x + more, gap.area),
        Axis::Y => (body.y + more, gap.area),
    }))
}

/// The areas of a body that is larger by `more` both ways, at the positions at which it covers the place of
/// the first one.
fn inner_areas(free: &FreeSpace, to: IVec2, more: u32) -> Vec<usize> {
    free.areas_within(places(to, more))
}

/// The positions at which a body that is larger by `more` both ways covers the one at `to`.
fn places(to: IVec2, more: u32) -> Aabb {
    let more = IVec2::splat(saturated(more.into()));
    Aabb { min: to.saturating_sub(more), max: to.saturating_add(IVec2::ONE) }
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
        assert!(!found.path.iter().any(through), "it is the widest way: {:?}", found.path);
    }

    /// Two holes on opposite sides: the path and the spot are of the same one, the wider.
    #[test]
    fn the_narrowest_spot_is_on_the_path() {
        let mut random = fastrand::Rng::with_seed(82);
        let mut spots = 0;
        for _ in 0..60 {
            let mut grid = Grid::new(80, 60).unwrap();
            grid.fill(10..70, 10..50, true).unwrap();
            grid.fill(14..66, 14..46, false).unwrap();
            let holes = [random.u32(5..20), random.u32(5..20)];
            let (x, y) = (random.u32(16..40), random.u32(16..25));
            grid.fill(x..x + holes[0], [10..14, 46..50][random.usize(0..2)].clone(), false)
                .unwrap();
            grid.fill([10..14, 66..70][random.usize(0..2)].clone(), y..y + holes[1], false)
                .unwrap();
            let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
            let (body, spawn) =
                (UVec2::new(4, 5), IVec2::new(random.i32(16..60), random.i32(16..40)));
            let found = leak(&terrain, body, spawn).unwrap().unwrap();
            let free = free_space_in(&terrain, body, Outside::Open).unwrap();
            let mut is_there = false;
            for pair in found.path.windows(2) {
                let way = pair[1] - pair[0];
                assert_eq!(way.abs().min_element(), 0, "{:?}", found.path);
                for far in 0..=way.abs().max_element() {
                    let at = pair[0] + way.signum() * far;
                    // Positions that do not touch the level are free, and not kept.
                    let is_beyond = !is_inside(at, body, terrain.size().as_ivec2());
                    let is_free = is_beyond || free.area_at(at).is_some();
                    assert!(is_free, "{at} of {:?}", found.path);
                    let covered = Aabb { min: at, max: at + body.as_ivec2() };
                    is_there |= found.narrowest.is_some_and(|spot| covered.overlaps(spot));
                }
            }
            assert_eq!((found.path.last(), is_there), (Some(&spawn), found.narrowest.is_some()));
            spots += u32::from(is_there);
        }
        assert!(spots > 40, "{spots}");
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
