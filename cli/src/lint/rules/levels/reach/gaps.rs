//! Finds passages that are slightly too narrow for a body: positions that are free for a narrower body only.
//! One-way cells, gravity and jumps are ignored.

use std::collections::BTreeSet;
use std::mem::replace;
use std::ops::Range;

use bitwall::analyze::{FreeSpace, TooComplex, free_space};
use bitwall::glam::{IVec2, UVec2, Vec2Swizzles};
use bitwall::{Aabb, Axis, Sides, Terrain};

/// The largest number of passages per axis; each new passage is compared with all others.
const MOST_GAPS: usize = 4_096;

/// A passage that is too narrow for a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gap {
    /// The axis on which the passage is too narrow: x for a shaft, y for a tunnel.
    pub(super) axis: Axis,
    /// The number of pixels by which the passage is too narrow on this axis, at least 1.
    pub(super) missing: u32,
    /// The narrowest spot of the passage, in pixels of the level.
    pub(super) area: Aabb,
    /// The numbers of two areas on either side of the passage, the lower number first.
    pub(super) areas: [usize; 2],
}

/// Finds passages between two areas of `free` through which the body would fit if it were 1 to `slack` pixels
/// narrower, or 1 to `slack` pixels lower.
///
/// The passages are sorted by missing pixels, without repeats. A passage that is too narrow on both axes is
/// not found. O(`slack`) searches of the free space per axis, and O(passages^2). Fails if the free space is
/// too complex, or with more than 4,096 passages on one axis.
pub(super) fn near_gaps(
    terrain: &Terrain,
    free: &FreeSpace,
    slack: u32,
) -> Result<Vec<Gap>, TooComplex> {
    if free.areas().len() < 2 {
        return Ok(Vec::new());
    }
    let mut found = gaps_on(Axis::X, terrain, free, slack)?;
    found.extend(gaps_on(Axis::Y, &transposed(terrain)?, free, slack)?);
    found.sort_by_key(|gap| (gap.missing, gap.area.min.y, gap.area.min.x));
    Ok(found)
}

/// Finds the passages that are too narrow on one axis. For the y axis, `terrain` is transposed.
fn gaps_on(
    axis: Axis,
    terrain: &Terrain,
    free: &FreeSpace,
    slack: u32,
) -> Result<Vec<Gap>, TooComplex> {
    let body = turned(free.body().as_ivec2(), axis);
    let mut found: Vec<Gap> = Vec::new();
    for missing in 1..=slack.min(body.x as u32 - 1) {
        let narrow = body.as_uvec2() - UVec2::new(missing, 0);
        let runs = free_space(terrain, narrow)?;
        let runs = runs.runs().map(|(columns, rows, _)| {
            // Beyond an open left side, the positions of the wider body begin farther outside.
            let first = if columns.start < 0 { -body.x } else { columns.start };
            let area = free.area_at(turned(IVec2::new(first, rows.start), axis));
            Run { columns, rows, area }
        });
        for (areas, tight) in passages(&runs.collect::<Vec<Run>>()) {
            let Aabb { min, max } = narrowest(&tight, narrow.as_ivec2());
            let area = Aabb { min: turned(min, axis), max: turned(max, axis) };
            for other in &areas[1..] {
                let areas = [areas[0], *other];
                if !found.iter().any(|gap| gap.areas == areas && gap.area.overlaps(area)) {
                    if found.len() == MOST_GAPS {
                        return Err(TooComplex);
                    }
                    found.push(Gap { axis, missing, area, areas });
                }
            }
        }
    }
    Ok(found)
}

/// A rectangle of positions of the narrower body, as wide as possible. `area` is the area of the wider body
/// that has positions in it; `None` if the wider body has none.
struct Run {
    columns: Range<i32>,
    rows: Range<i32>,
    area: Option<usize>,
}

/// Finds the connected parts of the runs without an area. Returns each part that touches two or more areas:
/// the ascending numbers of these areas, and the runs from the top, then from the left.
fn passages(runs: &[Run]) -> Vec<(Vec<usize>, Vec<&Run>)> {
    let mut found = Vec::new();
    let mut is_seen = vec![false; runs.len()];
    for first in 0..runs.len() {
        let mut areas = BTreeSet::new();
        let mut part = Vec::new();
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            if let Some(area) = runs[at].area {
                areas.insert(area);
            } else if !replace(&mut is_seen[at], true) {
                part.push(at);
                open.extend(neighbours(runs, at));
            }
        }
        if areas.len() > 1 {
            part.sort_unstable();
            let part = part.into_iter().map(|at| &runs[at]);
            found.push((areas.into_iter().collect(), part.collect()));
        }
    }
    found
}

/// Returns the indices of the runs that touch run `at` from above or from below.
fn neighbours(runs: &[Run], at: usize) -> impl Iterator<Item = usize> {
    let Run { columns, rows, .. } = &runs[at];
    let from = columns.start;
    let above = runs.partition_point(|it| (it.rows.end, it.columns.end) <= (rows.start, from));
    let below = runs.partition_point(|it| (it.rows.start, it.columns.end) <= (rows.end, from));
    [above, below].into_iter().flat_map(move |first| {
        let touching = runs[first..].iter().take_while(move |it| {
            let is_next = it.rows.end == rows.start || it.rows.start == rows.end;
            is_next && it.columns.start < columns.end
        });
        first..first + touching.count()
    })
}

/// Returns the pixels of the narrowest spot of a passage for a body of `size`: the shortest run, and equally
/// short runs directly below.
fn narrowest(runs: &[&Run], size: IVec2) -> Aabb {
    let Some(Run { columns, rows, .. }) = runs.iter().min_by_key(|run| run.columns.len()) else {
        return Aabb::default();
    };
    let mut end = rows.end;
    for run in runs {
        if run.columns == *columns && run.rows.start == end {
            end = run.rows.end;
        }
    }
    // The body is too wide at each position where its rows cover a row of the spot. The topmost of these
    // positions is `rows.start`, so the spot begins `size.y - 1` rows below.
    let lowest = rows.start + size.y - 1;
    let top = if lowest < end { lowest } else { rows.start };
    let max = IVec2::new(columns.end - 1 + size.x, end);
    Aabb { min: IVec2::new(columns.start, top), max }
}

fn turned(at: IVec2, axis: Axis) -> IVec2 {
    match axis {
        Axis::X => at,
        Axis::Y => at.yx(),
    }
}

fn transposed(terrain: &Terrain) -> Result<Terrain, TooComplex> {
    let turned = Terrain::new(terrain.grid().transposed(), terrain.cell_size().yx());
    let Sides { left, right, up, down } = terrain.outside();
    let outside = Sides { left: up, right: down, up: left, down: right };
    Ok(turned.map_err(|_| TooComplex)?.with_outside(outside))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use bitwall::{Grid, Outside};

    use super::*;

    /// The sets of areas of `wide` that one gap joins for a body that is `missing` pixels narrower, by a
    /// naive search. A gap is a connected set of positions that are free for the narrower body only. For the
    /// y axis, `terrain` is transposed.
    fn naive(
        terrain: &Terrain,
        wide: &FreeSpace,
        missing: i32,
        axis: Axis,
    ) -> BTreeSet<Vec<usize>> {
        let IVec2 { x: w, y: h } = turned(wide.body().as_ivec2(), axis);
        let size = terrain.size().as_ivec2();
        let narrow = w - missing;
        let is_free = |x: i32, y: i32| {
            let kept = (-narrow..=size.x).contains(&x) && (-h..=size.y).contains(&y);
            kept && !terrain.overlaps(Aabb::from_xywh(x, y, narrow, h))
        };
        // The number of the wide body's area in the run of positions around (x, y) that are free for the
        // narrow body. At an open left side it also has the position farthest outside.
        let area = |x: i32, y: i32| {
            let from = (-narrow..=x).rev().take_while(|x| is_free(*x, y)).last().unwrap();
            let to = (x..).take_while(|x| is_free(*x, y)).last().unwrap();
            (from - missing..=to).find_map(|x| wide.area_at(turned(IVec2::new(x, y), axis)))
        };
        let mut kinds = BTreeMap::new();
        for y in -h..=size.y {
            for x in -narrow..=size.x {
                if is_free(x, y) {
                    kinds.insert((x, y), area(x, y));
                }
            }
        }
        let mut seen = BTreeSet::new();
        let mut found = BTreeSet::new();
        for start in kinds.iter().filter(|(_, area)| area.is_none()).map(|(at, _)| *at) {
            let (mut open, mut touched) = (vec![start], BTreeSet::new());
            while let Some((x, y)) = open.pop() {
                match kinds.get(&(x, y)) {
                    None => {}
                    Some(Some(area)) => drop(touched.insert(*area)),
                    Some(None) if seen.insert((x, y)) => {
                        open.extend([(x + 1, y), (x - 1, y), (x, y - 1), (x, y + 1)]);
                    }
                    Some(None) => {}
                }
            }
            if touched.len() > 1 {
                found.insert(touched.into_iter().collect());
            }
        }
        found
    }

    /// The pairs of areas that the sets join, each set by its lowest area.
    fn pairs(sets: &BTreeSet<Vec<usize>>) -> impl Iterator<Item = [usize; 2]> {
        sets.iter().flat_map(|set| set[1..].iter().map(|other| [set[0], *other]))
    }

    fn random_terrain(random: &mut fastrand::Rng) -> Terrain {
        let sides = [5, 9, 14];
        let mut side = || sides[random.usize(0..sides.len())];
        let mut grid = Grid::new(side(), side()).unwrap();
        for _ in 0..random.u32(0..12) {
            let (x, y) = (random.u32(0..grid.width()), random.u32(0..grid.height()));
            let (w, h) = (random.u32(1..9), random.u32(1..9));
            grid.fill(x..x + w, y..y + h, random.u8(0..3) > 0).unwrap();
        }
        let cell = UVec2::new(random.u32(1..3), random.u32(1..4));
        let mut side = || [Outside::Solid, Outside::Solid, Outside::Open][random.usize(0..3)];
        let outside = Sides { left: side(), right: side(), up: side(), down: side() };
        Terrain::new(grid, cell).unwrap().with_outside(outside)
    }

    #[test]
    fn the_areas_that_a_too_narrow_passage_joins_agree_with_a_flood_fill() {
        let mut random = fastrand::Rng::with_seed(61);
        let mut found = [0; 4];
        for round in 0..2_000 {
            let terrain = random_terrain(&mut random);
            let body = IVec2::new(random.i32(2..9), random.i32(1..9));
            let axis = [Axis::X, Axis::Y][round % 2];
            let wide = match axis {
                Axis::X => free_space(&terrain, body.as_uvec2()),
                Axis::Y => free_space(&transposed(&terrain).unwrap(), body.yx().as_uvec2()),
            };
            let wide = wide.unwrap();
            let mut expected = BTreeSet::new();
            for missing in 1..body.x {
                expected.extend(pairs(&naive(&terrain, &wide, missing, axis)));
                let gaps = gaps_on(axis, &terrain, &wide, missing as u32).unwrap();
                let areas: BTreeSet<[usize; 2]> = gaps.iter().map(|gap| gap.areas).collect();
                assert_eq!(areas, expected, "{axis:?} {body} {missing} {terrain:?}");
            }
            let is_open = terrain.outside().left == Outside::Open;
            found[round % 2 + 2 * usize::from(is_open)] += expected.len();
        }
        assert!(found.iter().all(|found| *found > 5), "{found:?}");
    }

    #[test]
    fn a_narrow_passage_is_found_on_each_axis_with_its_box() {
        for axis in [Axis::X, Axis::Y] {
            let mut grid = Grid::new(60, 50).unwrap();
            grid.fill(0..60, 20..26, true).unwrap();
            grid.fill(30..37, 20..26, false).unwrap();
            grid.fill(50..53, 20..26, false).unwrap();
            let mut terrain = Terrain::new(grid, UVec2::ONE).unwrap();
            if axis == Axis::Y {
                terrain = transposed(&terrain).unwrap();
            }
            let free = free_space(&terrain, UVec2::splat(8)).unwrap();
            let Aabb { min, max } = Aabb::from_xywh(30, 20, 7, 6);
            let area = Aabb { min: turned(min, axis), max: turned(max, axis) };
            let gaps = near_gaps(&terrain, &free, 2).unwrap();
            assert_eq!(gaps, [Gap { axis, missing: 1, area, areas: [0, 1] }]);
            assert_eq!(near_gaps(&terrain, &free, 5).unwrap().len(), 2);
        }
    }
}
