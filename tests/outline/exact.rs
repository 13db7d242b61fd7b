//! Exact outlines have each edge of a cell once, the right winding and parents, and no three points on a
//! line.

use std::collections::BTreeMap;

use bitwall::glam::{IVec2, UVec2};
use bitwall::outline::Outlines;
use bitwall::{Aabb, Dir, Grid, Outside, Terrain};

use super::grids::{area, edges, filled, is_solid, random_terrain, split, unit_edges};
use crate::support::{grid, places, rounds};

/// True if the point is inside a polygon with edges along the axes. Counts the edges on the left of the
/// point.
fn contains(points: &[IVec2], [x, y]: [i32; 2]) -> bool {
    // `x` and `y` are in halves of a pixel.
    let mut is_inside = false;
    for (a, b) in edges(points) {
        let (low, high) = (2 * a.y.min(b.y), 2 * a.y.max(b.y));
        is_inside ^= a.x == b.x && 2 * a.x < x && low <= y && y < high;
    }
    is_inside
}

pub(super) fn check_exact(terrain: &Terrain, outlines: &Outlines) {
    let cell = terrain.cell_size().as_ivec2();
    let loops: Vec<_> = outlines.loops().collect();
    let points: usize = loops.iter().map(|outline| outline.points.len()).sum();
    assert_eq!(terrain.corner_count(), points as u64, "{terrain:?}");
    assert!(terrain.rectangles().len() <= points);
    let mut found = BTreeMap::new();
    let mut total = 0;
    for (index, outline) in loops.iter().enumerate() {
        let points = outline.points;
        edges(points).for_each(|edge| split(&mut found, edge, cell));
        total += area(points);
        assert_eq!(area(points) < 0, outline.parent.is_some(), "a hole runs the other way");
        for at in 0..points.len() {
            let [a, b, c] = [0, 1, 2].map(|more| points[(at + more) % points.len()]);
            assert_ne!((b - a).perp_dot(c - b), 0, "three points on a line");
        }
        if let Some(parent) = outline.parent {
            assert!(parent < index && loops[parent].parent.is_none());
            // The solid is above the first edge of a hole.
            let middle = points[0] + points[1];
            let above = [middle.x, middle.y - cell.y];
            let mut around: Vec<usize> = (0..loops.len())
                .filter(|other| loops[*other].parent.is_none())
                .filter(|other| contains(loops[*other].points, above))
                .collect();
            around.sort_by_key(|other| area(loops[*other].points));
            assert_eq!(around.first(), Some(&parent), "the smallest outer loop around it");
        }
    }
    assert_eq!(found, unit_edges(terrain), "{terrain:?}");
    assert_eq!(total, 2 * terrain.grid().solid_count() as i64 * i64::from(cell.x * cell.y));
    let place = |outline: &bitwall::outline::Loop<'_>| {
        let top = outline.points.iter().map(|point| point.y).min();
        (top, outline.points.iter().filter(|point| Some(point.y) == top).map(|point| point.x).min())
    };
    assert!(loops.is_sorted_by_key(place));
}

#[test]
fn outlines_have_each_edge_of_a_solid_once_with_the_solid_on_the_right() {
    let mut random = fastrand::Rng::with_seed(331);
    for _ in 0..rounds(10_000) {
        let terrain = random_terrain(&mut random, 70);
        check_exact(&terrain, &terrain.outlines());
    }
}

#[test]
fn filling_the_outlines_gives_the_solid_cells() {
    let mut random = fastrand::Rng::with_seed(332);
    for _ in 0..rounds(2_000) {
        let terrain = random_terrain(&mut random, 40);
        let (grid, outlines) = (terrain.grid(), terrain.outlines());
        let expected: Vec<bool> =
            places(grid.size().as_ivec2()).map(|cell| is_solid(grid, cell)).collect();
        assert_eq!(filled(&outlines, grid.size(), terrain.cell_size()), expected, "{terrain:?}");
    }
}

#[test]
fn solids_that_share_a_corner_have_loops_that_touch_there() {
    let corner = Terrain::new(grid("#.\n.#"), UVec2::new(4, 6)).unwrap().outlines();
    let found: Vec<_> = corner.loops().map(|outline| outline.points.to_vec()).collect();
    let points = |all: [[i32; 2]; 4]| all.map(IVec2::from).to_vec();
    assert_eq!(
        found,
        [points([[0, 0], [4, 0], [4, 6], [0, 6]]), points([[4, 6], [8, 6], [8, 12], [4, 12]]),]
    );
    // A ring that is closed by a corner alone has no hole.
    let open = Terrain::new(grid("##.\n#.#\n###"), UVec2::ONE).unwrap().outlines();
    assert_eq!(open.loops().map(|outline| outline.parent).collect::<Vec<_>>(), [None]);
    // Passable cells that share a corner are one hole in two parts: one loop that visits the corner twice.
    let hole = Terrain::new(grid("####\n#.##\n##.#\n####"), UVec2::ONE).unwrap().outlines();
    let hole: Vec<_> = hole.loops().skip(1).map(|outline| outline.points.len()).collect();
    assert_eq!(hole, [8]);
}

#[test]
fn the_outside_of_a_level_does_not_change_its_outlines() {
    for outside in [Outside::Solid, Outside::Open] {
        let terrain = Terrain::new(grid("##\n##"), UVec2::splat(8)).unwrap().with_outside(outside);
        let outlines = terrain.outlines();
        let points = outlines.loops().next().unwrap().points;
        assert_eq!(points, [[0, 0], [16, 0], [16, 16], [0, 16]].map(IVec2::from), "{outside:?}");
    }
    let blank = Terrain::new(Grid::new(3, 3).unwrap(), UVec2::ONE).unwrap();
    assert_eq!(blank.outlines().loops().len(), 0);
    assert!(blank.chains_in(Aabb::from_xywh(0, 0, 9, 9)).is_empty());
    assert!(blank.rectangles().is_empty());
}

#[test]
fn a_sparse_level_has_the_shapes_of_a_dense_level_within_the_i32_range() {
    let mut random = fastrand::Rng::with_seed(333);
    for _ in 0..rounds(300) {
        let dense = random_terrain(&mut random, 130);
        let size = dense.grid().size() + random.u32(0..3) * 1_000_000;
        let mut grid = Grid::sparse(size.x, size.y).unwrap();
        dense.grid().iter_solid().for_each(|cell| grid.set(cell.x, cell.y, true).unwrap());
        let sparse = Terrain::new(grid, dense.cell_size()).unwrap();
        assert_eq!(sparse.outlines(), dense.outlines());
        assert_eq!(sparse.rectangles(), dense.rectangles());
        let window = Aabb::from_xywh(random.i32(-9..40), random.i32(-9..40), 60, 50);
        assert_eq!(sparse.chains_in(window), dense.chains_in(window));
    }
    let mut far = Grid::sparse(u32::MAX, u32::MAX).unwrap();
    let last = i32::MAX as u32;
    far.fill(last - 2..last + 50, last - 9..last + 60, true).unwrap();
    let far = Terrain::new(far, UVec2::ONE).unwrap();
    let corner = [IVec2::splat(i32::MAX) - IVec2::new(2, 9), IVec2::MAX];
    let expected = [
        corner[0],
        IVec2::new(corner[1].x, corner[0].y),
        corner[1],
        IVec2::new(corner[0].x, corner[1].y),
    ];
    assert_eq!(far.outlines().loops().next().unwrap().points, expected);
    assert_eq!(far.rectangles(), [Aabb { min: corner[0], max: corner[1] }]);
}

#[test]
fn one_way_chains_are_the_guarded_edges_with_their_cells_on_the_right() {
    let mut random = fastrand::Rng::with_seed(334);
    for _ in 0..rounds(1_000) {
        let terrain = random_terrain(&mut random, 70);
        let (guards, cell) = (terrain.grid().clone(), terrain.cell_size());
        for (side, corners) in [
            (Dir::Up, [IVec2::ZERO, IVec2::X]),
            (Dir::Right, [IVec2::X, IVec2::ONE]),
            (Dir::Down, [IVec2::ONE, IVec2::Y]),
            (Dir::Left, [IVec2::Y, IVec2::ZERO]),
        ] {
            let blank = Terrain::new(Grid::new(guards.width(), guards.height()).unwrap(), cell);
            let one_way = blank.unwrap().with_one_way(side, guards.clone()).unwrap();
            let cell = cell.as_ivec2();
            let mut expected = BTreeMap::new();
            for at in places(guards.size().as_ivec2()).filter(|at| is_solid(&guards, *at)) {
                let [from, to] = corners.map(|corner| (at + corner) * cell);
                expected.insert([from.x, from.y, to.x, to.y], 1);
            }
            let mut found = BTreeMap::new();
            for chain in one_way.one_way_chains(side) {
                let [from, to] = chain.points[..] else { panic!("{chain:?}") };
                let step = (to - from).signum() * cell;
                assert_eq!(chain.ghosts, Some([from - step, to + step]));
                split(&mut found, (from, to), cell);
            }
            assert_eq!(found, expected);
            assert!(Dir::ALL.iter().all(|dir| {
                expected.is_empty()
                    || (*dir == side) == one_way.one_way_chains(*dir).next().is_some()
            }));
        }
    }
}
