use std::fmt::Debug;

use fastrand::Rng;
use glam::{IVec2, UVec2};

use crate::Footprint;
use crate::geometry::{Aabb, Corners, Dir, Outside, Sides};
use crate::grid::{Grid, GridBuilder, GridError};
use crate::shapes::{Circle, ConvexPolygon, Triangle};
use crate::terrain::{Brush, Collider, RayHit, Sweep, Terrain};

#[test]
fn a_failed_edit_returns_an_error_and_changes_nothing() {
    let builder = GridBuilder::new(20_000, 20_000).unwrap();
    let mut terrain = Terrain::new(builder.finish(), UVec2::ONE).unwrap();
    let all = 0..20_000;
    let full = Err(GridError::TooManyBlocks { limit: 1 << 16 });
    assert_eq!(terrain.fill(all.clone(), all.clone(), true), full);
    assert_eq!(terrain.fill_one_way(Dir::Up, all.clone(), all, true), full);
    assert_eq!(terrain.grid().solid_count(), 0);
    assert_eq!(terrain.one_way(Dir::Up).unwrap().solid_count(), 0);
    assert_eq!(terrain.fill(5..8, 9..10, true).map(|changed| changed.is_some()), Ok(true));
    assert_eq!(
        terrain.fill_one_way(Dir::Up, 5..8, 20..21, true).map(|changed| changed.is_some()),
        Ok(true)
    );
    let falls = |x, y| terrain.sweep(Aabb::from_xywh(x, y, 2, 2), Dir::Down, 50).moved;
    assert_eq!((falls(6, 0), falls(6, 12), falls(9, 0)), (7, 6, 50));
}

#[test]
fn an_edited_terrain_answers_like_one_built_from_the_edited_cells() {
    let mut random = fastrand::Rng::with_seed(12);
    for _ in 0..300 {
        let (width, height) = (random.u32(1..20), random.u32(1..20));
        let blank = || Grid::new(width, height).unwrap();
        let mut edited = Terrain::new(blank(), UVec2::splat(5)).unwrap();
        let (mut solid, mut guards) = (blank(), blank());
        let side = Dir::ALL[random.usize(0..4)];
        for _ in 0..random.u32(0..12) {
            let (column, row) = (random.u32(0..20), random.u32(0..20));
            let (columns, rows) = (column..column + random.u32(0..9), row..row + random.u32(0..9));
            let value = random.bool();
            if random.bool() {
                edited.fill(columns.clone(), rows.clone(), value).unwrap();
                solid.fill(columns, rows, value).unwrap();
            } else {
                let (c, r) = (columns.clone(), rows.clone());
                edited.fill_one_way(side, c, r, value).unwrap();
                guards.fill(columns, rows, value).unwrap();
            }
        }
        let made = Terrain::new(solid, UVec2::splat(5)).unwrap();
        let made = made.with_one_way(side, guards).unwrap();
        for _ in 0..60 {
            let (x, y) = (random.i32(-9..109), random.i32(-9..109));
            let body = Aabb::from_xywh(x, y, random.i32(0..12), random.i32(0..12));
            let (dir, step) = (Dir::ALL[random.usize(0..4)], random.u32(0..60));
            assert_eq!(edited.sweep(body, dir, step), made.sweep(body, dir, step));
            assert_eq!(edited.can_move(body, dir, step), made.can_move(body, dir, step));
            assert_eq!(edited.overlaps(body), made.overlaps(body));
        }
    }
}

enum Shape {
    Box(Aabb),
    Circle(Circle<IVec2>),
    Triangle(Triangle<IVec2>),
    Convex(ConvexPolygon<IVec2>),
    Polygon(Vec<IVec2>),
    Mask(Grid),
}

impl Shape {
    /// Returns a random shape. All its pixels are in (-30..60) x (-30..60), counted from the pixel `from`.
    fn random(random: &mut Rng, from: IVec2) -> Self {
        let mut point = |least: i32, most: i32| {
            from + IVec2::new(random.i32(least..most), random.i32(least..most))
        };
        let (near, far) = (point(-30, 30), point(0, 30) - from);
        let mut corners = |count| (0..count).map(|_| point(-30, 60)).collect::<Vec<_>>();
        match far.x % 6 {
            0 => Self::Box(Aabb::from_xywh(near.x, near.y, far.x, far.y)),
            1 => Self::Circle(Circle { center: near, radius: far.y - 2 }),
            2 => Self::Triangle(Triangle { points: [corners(1)[0], near, near + far] }),
            3 => match ConvexPolygon::new(&corners(4)) {
                Ok(polygon) => Self::Convex(polygon),
                Err(_) => Self::Polygon(corners(4)),
            },
            4 => Self::Polygon(corners(far.y as usize % 9)),
            // A mask always starts at the origin, so `from` does not move it.
            _ => {
                let mut grid = Grid::new(far.x as u32 + 1, far.y as u32 + 30).unwrap();
                for _ in 0..200 {
                    grid.set(random.u32(0..30), random.u32(0..60), true).unwrap();
                }
                Self::Mask(grid)
            }
        }
    }

    /// Returns true if the shape with its origin at `at` covers `pixel`. This is a naive test of one pixel.
    fn covers(&self, pixel: IVec2, at: IVec2) -> bool {
        let pixel = pixel - at;
        let is_in = |corners: &[IVec2]| {
            let ends = corners.iter().zip(corners.iter().cycle().skip(1));
            let center = |from: &IVec2| (2 * (pixel - from) + 1).as_i64vec2();
            let crosses = |(from, to): (&IVec2, &IVec2)| {
                let (a, b) = if from.y < to.y { (from, to) } else { (to, from) };
                let is_on_row = a.y <= pixel.y && pixel.y < b.y;
                is_on_row && (b - a).as_i64vec2().perp_dot(center(a)) <= 0
            };
            ends.filter(|edge| crosses(*edge)).count() % 2 == 1
        };
        match self {
            Self::Box(area) => area.contains(pixel),
            Self::Circle(Circle { center, radius }) => {
                let distance = (2 * (pixel - center) + 1).as_i64vec2().length_squared();
                *radius > 0 && distance <= (2 * i64::from(*radius)).pow(2)
            }
            Self::Triangle(triangle) => is_in(&triangle.points),
            Self::Convex(polygon) => is_in(polygon.corners()),
            Self::Polygon(corners) => is_in(corners),
            Self::Mask(grid) => {
                pixel.min_element() >= 0 && grid.is_solid(pixel.x as u32, pixel.y as u32)
            }
        }
    }

    fn apply(
        &self,
        terrain: &mut Terrain,
        side: Option<Dir>,
        at: IVec2,
        value: bool,
    ) -> Result<Option<Aabb>, GridError> {
        fn put<B: Brush + ?Sized>(
            (terrain, side, at, value): (&mut Terrain, Option<Dir>, IVec2, bool),
            shape: &B,
        ) -> Result<Option<Aabb>, GridError> {
            match (side, value) {
                (None, true) => terrain.paint(shape, at),
                (None, false) => Ok(terrain.carve(shape, at)),
                (Some(side), true) => terrain.paint_one_way(side, shape, at),
                (Some(side), false) => Ok(terrain.carve_one_way(side, shape, at)),
            }
        }
        let job = (terrain, side, at, value);
        match self {
            Self::Box(area) => put(job, area),
            Self::Circle(circle) => put(job, circle),
            Self::Triangle(triangle) => put(job, triangle),
            Self::Convex(polygon) => put(job, polygon),
            Self::Polygon(corners) => put(job, &corners[..]),
            Self::Mask(grid) => match Footprint::from_grid(grid) {
                Ok(body) if at.x % 2 == 0 => put(job, &body),
                _ => put(job, grid),
            },
        }
    }
}

/// A naive terrain with one `bool` for each cell: four lists of one-way cells and one list of solid cells.
struct Model {
    size: UVec2,
    cell_size: UVec2,
    outside: Sides<Outside>,
    /// True if the terrain has these cells in a much larger, sparse grid.
    sparse: bool,
    cells: [Vec<bool>; 5],
}

impl Model {
    fn random(random: &mut Rng) -> Self {
        let cell_size = UVec2::new(random.u32(1..5), random.u32(1..5));
        let sparse = random.bool();
        // Shapes end before pixel 120, so a sparse terrain has all their pixels.
        let size = if sparse {
            120 / cell_size + 1
        } else {
            UVec2::new(random.u32(1..70), random.u32(1..70))
        };
        let mut side = || if random.bool() { Outside::Solid } else { Outside::Open };
        let outside = Sides { left: side(), right: side(), up: side(), down: side() };
        let cells = [(); 5].map(|()| vec![false; (size.x * size.y) as usize]);
        Self { size, cell_size, outside, sparse, cells }
    }

    /// Applies an edit naively. Each cell with a pixel for which `covers` is true is set to `value`: in the
    /// one-way cells of `side`, or in the solid cells if `side` is `None`. Returns the box around the changed
    /// cells.
    fn apply(
        &mut self,
        side: Option<Dir>,
        value: bool,
        covers: impl Fn(IVec2) -> bool,
    ) -> Option<Aabb> {
        let kind = side.map_or(4, |side| Dir::ALL.iter().position(|dir| *dir == side).unwrap());
        let cell_size = self.cell_size.as_ivec2();
        let mut changed: Option<Aabb> = None;
        for (index, cell) in self.cells[kind].iter_mut().enumerate() {
            let at = UVec2::new(index as u32 % self.size.x, index as u32 / self.size.x);
            let corner = at.as_ivec2() * cell_size;
            let mut pixels = (0..cell_size.y)
                .flat_map(|y| (0..cell_size.x).map(move |x| corner + IVec2::new(x, y)));
            if *cell != value && pixels.any(&covers) {
                *cell = value;
                let area = Aabb { min: corner, max: corner + cell_size };
                changed = Some(changed.map_or(area, |all| all.hull(area)));
            }
        }
        changed
    }

    fn build(&self) -> Terrain {
        let grid = |cells: &Vec<bool>| {
            let size = if self.sparse { UVec2::splat(1 << 20) } else { self.size };
            let mut builder = GridBuilder::new(size.x, size.y).unwrap();
            for (index, _) in cells.iter().enumerate().filter(|(_, cell)| **cell) {
                let (column, row) = (index as u32 % self.size.x, index as u32 / self.size.x);
                builder.fill(column..column + 1, row..row + 1).unwrap();
            }
            builder.finish()
        };
        let terrain = Terrain::new(grid(&self.cells[4]), self.cell_size).unwrap();
        let mut terrain = terrain.with_outside(self.outside);
        for (side, cells) in Dir::ALL.into_iter().zip(&self.cells) {
            if cells.contains(&true) {
                terrain = terrain.with_one_way(side, grid(cells)).unwrap();
            }
        }
        terrain
    }
}

/// Asserts that two terrains give the same answers. `other` may have smaller cells than `one`.
fn assert_alike(one: &Terrain, other: &Terrain, random: &mut Rng) {
    let (x, y) = (random.i32(-20..140), random.i32(-20..140));
    let body = Aabb::from_xywh(x, y, random.i32(0..14), random.i32(0..14));
    let ball = Footprint::circle(random.u32(1..12)).unwrap();
    let dir = Dir::ALL[random.usize(0..4)];
    let step = if random.bool() { random.u32(0..20) } else { random.u32(0..300) };
    let far = IVec2::new(random.i32(-20..140), random.i32(-20..140));
    let is_in = |cell: IVec2, small: IVec2| one.cell_at(other.cell_box(small).min) == cell;
    // Parts of a footprint can meet one row of cells in different rows of pixels. So only terrains with equal
    // cell sizes must name the same cell.
    let are_alike = one.cell_size() == other.cell_size();
    let same = |one: Sweep, other: Sweep, is_box: bool| {
        assert_eq!((one.step, one.moved), (other.step, other.moved));
        assert_eq!(one.contact.is_some(), other.contact.is_some());
        if let (Some(one), Some(other)) = (one.contact, other.contact) {
            let names_cell = is_box || are_alike;
            assert!(!names_cell || is_in(one.cell, other.cell), "{one:?} {other:?}");
            assert_eq!(one.normal, other.normal);
        }
    };
    fn all(body: impl Collider, dir: Dir, step: u32, on: &Terrain) -> impl PartialEq + Debug {
        (
            on.can_move(body, dir, step),
            on.overlaps(body),
            on.nearest_free(body, dir, step),
            on.first_overlap(body),
            on.solid_area(body),
            on.overlap_normal(body),
        )
    }
    let placed = ball.at(body.min);
    same(one.sweep(body, dir, step), other.sweep(body, dir, step), true);
    same(one.sweep(placed, dir, step), other.sweep(placed, dir, step), false);
    let through = |on: &Terrain| on.sweep_through_one_way(body, dir, step);
    same(through(one), through(other), true);
    assert_eq!(all(body, dir, step, one), all(body, dir, step, other));
    assert_eq!(all(placed, dir, step, one), all(placed, dir, step, other));
    for corners in [Corners::Block, Corners::Pass] {
        let ray = |on: &Terrain| on.ray(body.min, far, corners);
        match (ray(one), ray(other)) {
            (Some(one), Some(other)) => {
                assert!(is_in(one.cell, other.cell));
                assert_eq!(RayHit { cell: one.cell, ..other }, one);
            }
            (one, other) => assert_eq!(one, other),
        }
    }
    let rest = |on: &Terrain| {
        let nearest = on.nearest_solid(far, step).map(|at| (at.pixel, at.distance_squared));
        (on.is_solid(far), nearest, on.outside())
    };
    assert_eq!(rest(one), rest(other));
}

#[test]
fn a_terrain_after_shape_edits_answers_like_one_built_anew() {
    let edits = if std::env::var_os("BITWALL_LONG").is_some() { 100_000 } else { 4_000 };
    let mut random = Rng::with_seed(1414);
    let (mut count, mut changes) = (0, 0);
    while count < edits {
        let mut model = Model::random(&mut random);
        let mut edited = model.build();
        for _ in 0..10 {
            let side = (random.u8(0..3) == 0).then(|| Dir::ALL[random.usize(0..4)]);
            let value = random.u8(0..5) < 3;
            let place = IVec2::new(random.i32(-20..60), random.i32(-20..60));
            let from = match random.u8(0..8) {
                0 => IVec2::new(i32::MAX - 999, i32::MIN + 999),
                _ => IVec2::ZERO,
            };
            let shape = Shape::random(&mut random, from);
            let at = if matches!(shape, Shape::Mask(_)) { place } else { place - from };
            let stamp = edited.stamp();
            let changed = shape.apply(&mut edited, side, at, value).unwrap();
            // In the naive test the sum of pixel and position wraps around, so the shape covers the same
            // pixels near the origin.
            let expected = model.apply(side, value, |pixel| shape.covers(pixel, at));
            assert_eq!(changed, expected);
            assert_eq!(edited.stamp() != stamp, changed.is_some());
            changes += usize::from(changed.is_some());
            count += 1;
            let anew = model.build();
            assert_eq!(edited.grid(), anew.grid());
            (0..6).for_each(|_| assert_alike(&edited, &anew, &mut random));
        }
        let (pixels, tiles) = (edited.clone().into_pixels().unwrap(), edited);
        assert_eq!((pixels.cell_size(), pixels.size()), (UVec2::ONE, tiles.size()));
        (0..60).for_each(|_| assert_alike(&tiles, &pixels, &mut random));
    }
    assert!(changes * 3 > count, "{changes} of {count}");
}

#[test]
fn an_edit_at_extreme_coordinates_changes_only_cells_inside_the_terrain() {
    let mut random = Rng::with_seed(4);
    let ends = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX];
    let mut grid = GridBuilder::new(u32::MAX / 5, u32::MAX / 3).unwrap();
    grid.fill(0..3, 0..3).unwrap();
    let terrain = Terrain::new(grid.finish(), UVec2::new(5, 3)).unwrap();
    for _ in 0..2_000 {
        let mut point = || IVec2::new(ends[random.usize(0..7)], ends[random.usize(0..7)]);
        let (at, area) = (point(), Aabb { min: point(), max: point() });
        let beside = |x, y| area.max.saturating_add(IVec2::new(x, y));
        let small = Triangle { points: [area.max, beside(9, 1), beside(-2, 9)] };
        let mut edited = terrain.clone();
        let changed = edited.carve(&area, at);
        assert_eq!(changed.is_some(), edited.grid().solid_count() < 9);
        edited.carve(&small, at);
        edited.carve(&Circle { center: area.min, radius: 9 }, at);
        let _ = edited.set(at, true);
        let _ = edited.paint(&Grid::from_text("##").unwrap(), at);
    }
    let mut terrain = terrain;
    let last = Aabb::from_xywh(i32::MAX - 2, i32::MAX - 2, 9, 9);
    let changed = terrain.paint(&last, IVec2::ZERO).unwrap().unwrap();
    assert!(changed.contains(IVec2::MAX - 1) && terrain.is_solid(IVec2::MAX - 1));
}

#[test]
fn into_pixels_is_an_error_if_the_terrain_is_too_large() {
    let mut builder = GridBuilder::new(30_000, 30_000).unwrap();
    builder.fill(0..1_000, 0..1_000).unwrap();
    let terrain = Terrain::new(builder.finish(), UVec2::splat(32)).unwrap();
    assert_eq!(terrain.into_pixels().map(|_| ()), Err(GridError::TooManyBlocks { limit: 1 << 16 }));
}

#[test]
fn an_array_of_corners_is_the_same_shape_as_their_slice() {
    let corners = [IVec2::new(1, 1), IVec2::new(14, 2), IVec2::new(7, 12)];
    let mut by_array = Terrain::new(Grid::new(8, 8).unwrap(), UVec2::splat(2)).unwrap();
    let mut by_slice = by_array.clone();
    let changed = by_array.paint(&corners, IVec2::ONE).unwrap();
    assert!(changed.is_some());
    assert_eq!(by_slice.paint(&corners[..], IVec2::ONE), Ok(changed));
    assert_eq!(by_array.grid(), by_slice.grid());
}

#[test]
fn clones_have_equal_stamps_until_one_of_them_changes() {
    let mut terrain = Terrain::new(Grid::new(8, 8).unwrap(), UVec2::ONE).unwrap();
    assert_eq!(terrain.stamp(), terrain.stamp());
    let copy = terrain.clone();
    assert_eq!(copy.stamp(), terrain.stamp());
    terrain.fill(0..1, 0..1, true).unwrap();
    assert_ne!(copy.stamp(), terrain.stamp());
}
