//! Every editor of a level, with rectangles across and far beyond all borders. The edited level is compared
//! with a level that is built anew from a naive model: all cells, areas and markers, the queries, prepared
//! sizes, ways, and a world whose bodies sleep.

mod undo;

use std::ops::Range;

use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::Search;
use bitwall::shapes::Circle;
use bitwall::terrain::Brush;
use bitwall::world::{Body, World};
use bitwall::{Aabb, Dir, Footprint, Grid, Level, Marker, MoverSettings, Outside, Rate, Sides};
use fastrand::Rng;

use crate::contract::model::{Model, Place, clamped, random_cells, random_grid, random_pixel};
use crate::support::rounds;

/// The body sizes that are prepared before the edits.
const SIZES: [UVec2; 3] = [UVec2::ONE, UVec2::new(5, 9), UVec2::new(70, 3)];

/// A level as models: its terrain, its areas with their names and categories, and its markers.
struct Twin {
    terrain: Model,
    areas: Vec<(String, Model, u64)>,
    markers: Vec<Marker>,
    is_sparse: bool,
}

impl Twin {
    fn random(random: &mut Rng, cell: Option<Place>) -> Self {
        let mut terrain = Model::random(random);
        terrain.cell = cell.unwrap_or(terrain.cell);
        let mut areas = Vec::new();
        for (name, cell, category) in [("water", UVec2::new(3, 2), 0), ("glass", UVec2::ONE, 2)] {
            if random.bool() {
                let size = UVec2::new(random.u32(1..70), random.u32(1..70));
                let mut area = Model::new(size, cell, random_cells(random, size));
                area.outside = Sides::all(Outside::Open);
                areas.push((name.to_owned(), area, category));
            }
        }
        let markers = (0..random.usize(0..4)).map(|_| Marker {
            area: Aabb::from_xywh(0, 0, 1, 1).translated(random_pixel(random, &terrain)),
            ..Marker::default()
        });
        let markers = markers.collect();
        Self { terrain, areas, markers, is_sparse: random.bool() }
    }

    fn build(&self) -> Level {
        let grid = |size: UVec2| match self.is_sparse {
            true => Grid::sparse(size.x, size.y).unwrap(),
            false => Grid::new(size.x, size.y).unwrap(),
        };
        let mut level = self.terrain.level_of(grid).with_markers(self.markers.clone());
        for (name, area, category) in &self.areas {
            level = level.with_solid_area(name, area.level_of(grid).terrain().clone(), *category);
            level.area_mut(name).unwrap().set_outside(area.outside);
        }
        level
    }

    /// Clears the cells whose first pixel is in the box from `min` to `max`, and the markers there.
    fn clear(&mut self, min: Place, max: Place) {
        let is_in = |at: Place| (min.0..max.0).contains(&at.0) && (min.1..max.1).contains(&at.1);
        let areas = self.areas.iter_mut().map(|(_, area, _)| area);
        for model in std::iter::once(&mut self.terrain).chain(areas) {
            for side in [None].into_iter().chain(Dir::ALL.map(Some)) {
                model.edit(side, false, |first, _| is_in(first));
            }
        }
        let is_kept = |at: IVec2| !is_in((at.x.into(), at.y.into()));
        self.markers.retain(|marker| is_kept(marker.position()));
    }

    /// Puts `other` with its first cell at the cell `at`. Returns false if an area does not fit in whole
    /// cells.
    fn place(&mut self, other: &Self, at: IVec2) -> bool {
        let (cell, size) = (self.terrain.cell, other.terrain.size);
        let shift = (i64::from(at.x) * cell.0, i64::from(at.y) * cell.1);
        let ends = self.terrain.pixels();
        let min = (shift.0.max(0), shift.1.max(0));
        let max =
            ((shift.0 + size.0 * cell.0).min(ends.0), (shift.1 + size.1 * cell.1).min(ends.1));
        if min.0 >= max.0 || min.1 >= max.1 {
            return true;
        }
        let fits = |(_, area, _): &(String, Model, u64)| {
            shift.0 % area.cell.0 == 0 && shift.1 % area.cell.1 == 0
        };
        if !other.areas.iter().all(fits) {
            return false;
        }
        for (name, area, category) in &other.areas {
            if !self.areas.iter().any(|(own, ..)| own == name) {
                let pixels = UVec2::new(ends.0 as u32, ends.1 as u32);
                let cell = UVec2::new(area.cell.0 as u32, area.cell.1 as u32);
                let size = UVec2::new(pixels.x.div_ceil(cell.x), pixels.y.div_ceil(cell.y));
                let blank = vec![false; size.element_product() as usize];
                let mut blank = Model::new(size, cell, blank);
                blank.outside = area.outside;
                self.areas.push((name.clone(), blank, *category));
            }
        }
        self.clear(min, max);
        copy(&mut self.terrain, &other.terrain, shift, (min, max));
        for (name, area, _) in &mut self.areas {
            if let Some((_, source, _)) = other.areas.iter().find(|(other, ..)| other == name) {
                copy(area, source, shift, (min, max));
            }
        }
        for marker in &other.markers {
            let there = marker.position().as_i64vec2();
            let there = (there.x + shift.0, there.y + shift.1);
            if (min.0..max.0).contains(&there.0) && (min.1..max.1).contains(&there.1) {
                let area = marker.area.translated(clamped(shift));
                self.markers.push(Marker { area, ..marker.clone() });
            }
        }
        true
    }
}

/// Copies the cells of `source` whose first pixel is in the box, moved by `shift`.
fn copy(target: &mut Model, source: &Model, shift: Place, (min, max): (Place, Place)) {
    let is_in = |at: Place| (min.0..max.0).contains(&at.0) && (min.1..max.1).contains(&at.1);
    for side in 0..5 {
        let of = |model: &Model, index: usize| match side {
            4 => model.solid[index],
            side => model.guards[side][index],
        };
        let dir = Dir::ALL.get(side).copied();
        let index = |first: Place| {
            let at = (first.0 - shift.0, first.1 - shift.1);
            source.index((at.0.div_euclid(source.cell.0), at.1.div_euclid(source.cell.1)))
        };
        let is_set = |first: Place| index(first).is_some_and(|index| of(source, index));
        target.edit(dir, true, |first, _| is_in(first) && is_set(first));
    }
}

/// Returns a coordinate in, near or far beyond a side of `side` units, or an end of the range.
fn far(random: &mut Rng, side: i64) -> i32 {
    match random.u8(0..8) {
        0 => random.choice([i32::MIN, i32::MIN + 1, -1_000_000, 1_000_000, i32::MAX - 1]).unwrap(),
        1 => i32::MAX,
        2 => random.choice([-1, 0, 62, 63, 64, 65, 127, 128]).unwrap(),
        3 => side as i32 + random.i32(-1..2),
        _ => random.i32(-10..side as i32 + 10),
    }
}

/// Returns a range of columns or rows: mostly across a border, sometimes empty, reversed or without end.
fn range(random: &mut Rng, side: i64) -> Range<u32> {
    let mut end = || match random.u8(0..8) {
        0 => random.choice([u32::MAX, u32::MAX - 1, 1 << 31, 1 << 30]).unwrap(),
        _ => far(random, side).max(0) as u32,
    };
    end()..end()
}

/// Makes one edit of the terrain of the level or of an area with every editor of a terrain, and the same edit
/// of its model. Returns the boxes that both report as changed.
fn edit_terrain(
    random: &mut Rng,
    terrain: &mut bitwall::Terrain,
    model: &mut Model,
) -> [Option<Aabb>; 2] {
    let (pixels, cell) = (model.pixels(), model.cell);
    let set = random.bool();
    let side = random.bool().then(|| Dir::ALL[random.usize(0..4)]);
    let mut corner = || IVec2::new(far(random, pixels.0), far(random, pixels.1));
    let (one, at) = (corner(), corner());
    let (columns, rows) = (range(random, model.size.0), range(random, model.size.1));
    let long = |columns: &Range<u32>, side: i64| {
        i64::from(columns.start) * side..i64::from(columns.end) * side
    };
    let (wide, high) = (long(&columns, cell.0), long(&rows, cell.1));
    let in_ranges = |first: Place, _| wide.contains(&first.0) && high.contains(&first.1);
    let mut brush = |shape: &dyn Brush, at: IVec2| match (side, set) {
        (None, true) => terrain.paint(shape, at).unwrap(),
        (None, false) => terrain.carve(shape, at),
        (Some(side), true) => terrain.paint_one_way(side, shape, at).unwrap(),
        (Some(side), false) => terrain.carve_one_way(side, shape, at),
    };
    let (x, y) = (i64::from(at.x), i64::from(at.y));
    match random.u8(0..8) {
        0 => {
            let there = if random.bool() { at } else { model.cell_of(x, y) };
            let first = (i64::from(there.x) * cell.0, i64::from(there.y) * cell.1);
            [terrain.set(there, set).unwrap(), model.edit(None, set, |min, _| min == first)]
        }
        1 => {
            let found = terrain.fill(columns.clone(), rows.clone(), set).unwrap();
            [found, model.edit(None, set, in_ranges)]
        }
        2 => {
            let side = side.unwrap_or(Dir::Up);
            let found = terrain.fill_one_way(side, columns.clone(), rows.clone(), set).unwrap();
            [found, model.edit(Some(side), set, in_ranges)]
        }
        3 => {
            let area = Aabb { min: one, max: at };
            let lies_in = |min: Place, max: Place| {
                let least = (i64::from(one.x), i64::from(one.y));
                min.0 >= least.0 && min.1 >= least.1 && max.0 <= x && max.1 <= y
            };
            [terrain.set_box(area, set).unwrap(), model.edit(None, set, lies_in)]
        }
        4 => {
            let area = Aabb { min: one, max: one.saturating_add(IVec2::new(9, 70)) };
            let (min, max) = (area.min.as_i64vec2() + at.as_i64vec2(), area.max.as_i64vec2());
            let max = max + at.as_i64vec2();
            let is_real = min.x < max.x && min.y < max.y;
            let touches = |first: Place, last: Place| {
                is_real && first.0 < max.x && first.1 < max.y && last.0 > min.x && last.1 > min.y
            };
            [brush(&area, at), model.edit(side, set, touches)]
        }
        5 => {
            let circle = Circle { center: one, radius: random.i32(-3..60) };
            let covers = |pixel: Place| {
                // A shape has no pixels at the end of the range of its own coordinates.
                let (left, up) = (pixel.0 - x, pixel.1 - y);
                let most = i64::from(i32::MAX);
                let twice = |along: i64, middle: i32| {
                    i128::from(2 * (along - i64::from(middle)) + 1).pow(2)
                };
                let distance = twice(left, one.x) + twice(up, one.y);
                let radius = i128::from(circle.radius);
                left < most && up < most && radius > 0 && distance <= 4 * radius * radius
            };
            [brush(&circle, at), model.edit(side, set, any_pixel(&covers))]
        }
        6 => {
            let size = UVec2::new(random.u32(1..70), random.u32(1..9));
            let stamp = random_grid(random, size);
            let covers = |pixel: Place| {
                let at = (u32::try_from(pixel.0 - x), u32::try_from(pixel.1 - y));
                matches!(at, (Ok(column), Ok(row)) if stamp.is_solid(column, row))
            };
            let found = match Footprint::from_grid(&stamp) {
                Ok(footprint) if random.bool() => brush(&footprint, at),
                _ => brush(&stamp, at),
            };
            [found, model.edit(side, set, any_pixel(&covers))]
        }
        _ => {
            let mut outside = || [Outside::Open, Outside::Solid][random.usize(0..2)];
            let (left, right, up, down) = (outside(), outside(), outside(), outside());
            model.outside = Sides { left, right, up, down };
            terrain.set_outside(model.outside);
            [None, None]
        }
    }
}

/// True for a cell with a pixel for which `covers` is true.
fn any_pixel(covers: &dyn Fn(Place) -> bool) -> impl Fn(Place, Place) -> bool {
    |min, max| (min.1..max.1).any(|y| (min.0..max.0).any(|x| covers((x, y))))
}

/// Makes one edit of the level, and the same of its twin.
fn edit(random: &mut Rng, level: &mut Level, twin: &mut Twin) {
    let size = twin.terrain.size;
    match random.u8(0..10) {
        0..3 => {
            let (columns, rows) = (range(random, size.0), range(random, size.1));
            let cell = twin.terrain.cell;
            let end = |range: &Range<u32>, count: i64| i64::from(range.end).min(count);
            let min = (i64::from(columns.start) * cell.0, i64::from(rows.start) * cell.1);
            let max = (end(&columns, size.0) * cell.0, end(&rows, size.1) * cell.1);
            let is_real = min.0 < max.0 && min.1 < max.1;
            let expected = is_real.then(|| Aabb { min: clamped(min), max: clamped(max) });
            assert_eq!(level.clear(columns, rows), expected);
            if is_real {
                twin.clear(min, max);
            }
        }
        3 => {
            let other = Twin::random(random, Some(twin.terrain.cell));
            let at = IVec2::new(far(random, size.0), far(random, size.1));
            let at = if random.bool() { at - at % 6 } else { at };
            assert_eq!(level.place(&other.build(), at).is_ok(), twin.place(&other, at));
        }
        4 => {
            assert!(!level.set_area_category("lava", 7));
            if let Some((name, _, category)) = twin.areas.first_mut() {
                *category = random.u64(0..4);
                assert!(level.set_area_category(name, *category));
            }
        }
        5 | 6 => {
            if let Some((name, area, _)) = random.choice(&mut twin.areas) {
                let [found, expected] = edit_terrain(random, level.area_mut(name).unwrap(), area);
                assert_eq!(found, expected);
            }
        }
        _ => {
            let [found, expected] = edit_terrain(random, level, &mut twin.terrain);
            assert_eq!(found, expected);
        }
    }
}

/// Asserts that the edited level answers like the level `anew`, with and without prepared sizes.
fn assert_alike(random: &mut Rng, edited: &Level, anew: &Level, model: &Model) {
    assert_eq!(edited.checksum(), anew.checksum());
    assert_eq!(edited.grid(), anew.grid());
    assert_eq!(edited.markers(), anew.markers());
    for (area, new) in edited.areas().iter().zip(anew.areas()) {
        assert_eq!((&area.name, area.category), (&new.name, new.category));
        let (area, new) = (&area.terrain, &new.terrain);
        assert_eq!((area.grid(), area.outside()), (new.grid(), new.outside()));
    }
    let mut search = Search::default();
    for size in SIZES {
        for _ in 0..8 {
            let min = random_pixel(random, model);
            let body = Aabb { min, max: min.saturating_add_unsigned(size) };
            let dir = Dir::ALL[random.usize(0..4)];
            let step = [0, 1, 3, 64, 65, 300, u32::MAX][random.usize(0..7)];
            assert_eq!(edited.can_move(body, dir, step), anew.can_move(body, dir, step));
            assert_eq!(edited.sweep(body, dir, step), anew.sweep(body, dir, step));
            let through = anew.sweep_through_one_way(body, dir, step);
            assert_eq!(edited.sweep_through_one_way(body, dir, step), through);
            assert_eq!(edited.overlaps(body), anew.overlaps(body));
            assert_eq!(edited.nearest_free(body, dir, 90), anew.nearest_free(body, dir, 90));
            for (area, new) in edited.areas().iter().zip(anew.areas()) {
                let found = area.terrain.sweep(body, dir, step);
                assert_eq!(found, new.terrain.sweep(body, dir, step));
            }
        }
        let (ways, new) = (edited.ways(size).unwrap(), anew.ways(size).unwrap());
        for _ in 0..12 {
            let (one, two) = (random_pixel(random, model), random_pixel(random, model));
            assert_eq!(ways.is_free(one), new.is_free(one));
            assert_eq!(ways.nearest(one), new.nearest(one));
            if let (Some(from), Some(to)) = (new.nearest(one), new.nearest(two)) {
                let found = ways.path(from, to, &mut search);
                assert_eq!(found, new.path(from, to, &mut Search::default()));
            }
        }
    }
}

/// Prepares all sizes for the terrain and all areas, and the free positions for ways.
fn prepare_all(level: &mut Level) {
    for size in SIZES {
        level.prepare(size);
        level.ways(size).unwrap();
        let names: Vec<_> = level.areas().iter().map(|area| area.name.clone()).collect();
        for name in names {
            level.area_mut(&name).unwrap().prepare(size);
        }
    }
}

fn round(seed: u64) {
    let random = &mut Rng::with_seed(seed);
    let mut twin = Twin::random(random, None);
    let mut level = twin.build();
    let is_prepared = random.u8(0..4) > 0;
    let mut world = World::new(Rate::per_second(1));
    for _ in 0..4 {
        let body = Aabb::from_xywh(0, 0, 5, 9).translated(random_pixel(random, &twin.terrain));
        world.add(Body::character(body, MoverSettings::platformer()).with_velocity((0.5, 1.5)));
    }
    for _ in 0..6 {
        if is_prepared {
            prepare_all(&mut level);
        }
        edit(random, &mut level, &mut twin);
        let anew = twin.build();
        let mut other = world.clone();
        world.step(&level);
        other.step(&anew);
        assert_eq!(world, other);
        assert_eq!(world.checksum(), other.checksum());
        assert_alike(random, &level, &anew, &twin.terrain);
    }
}

#[test]
fn every_edit_across_and_beyond_every_border_gives_a_level_built_anew() {
    for seed in 0..rounds(2_000) as u64 {
        round(seed);
    }
}

/// The repro of the report: an edit beyond the border of a level with a prepared size.
#[test]
fn a_level_with_a_prepared_size_is_cleared_across_its_border() {
    let mut level = Level::from_grid(Grid::new(64, 64).unwrap(), UVec2::ONE).unwrap();
    assert!(level.prepare(UVec2::new(12, 20)));
    let inside = Some(Aabb::from_xywh(62, 0, 2, 4));
    assert_eq!(level.clear(62..65, 0..4), inside);
    assert_eq!(level.clear(62..u32::MAX, 0..4), inside);
    assert_eq!(level.clear(0..9, 60..u32::MAX), Some(Aabb::from_xywh(0, 60, 9, 4)));
    assert_eq!(level.clear(64..65, 0..4), None);
}

/// A sparse level of the largest size, edited at its far corner.
#[test]
fn the_largest_level_is_edited_across_its_last_cells() {
    let random = &mut Rng::with_seed(5);
    let side = u32::MAX / 3;
    for _ in 0..rounds(300) {
        let sparse = || Grid::sparse(side, side).unwrap();
        let mut level = Level::from_grid(sparse(), UVec2::splat(3)).unwrap();
        let mut cells = std::collections::BTreeSet::new();
        for _ in 0..8 {
            let mut start = || side - random.u32(0..130);
            let (x, y) = (start(), start());
            let mut end = |start: u32| match random.u8(0..3) {
                0 => u32::MAX,
                _ => start + random.u32(0..140),
            };
            let (columns, rows) = (x..end(x), y..end(y));
            let is_in = |(x, y): &(u32, u32)| columns.contains(x) && rows.contains(y);
            if random.bool() {
                level.clear(columns.clone(), rows.clone());
                cells.retain(|cell| !is_in(cell));
            } else {
                level.fill(columns.clone(), rows.clone(), true).unwrap();
                let rows = rows.start..rows.end.min(side);
                let columns = columns.start..columns.end.min(side);
                cells.extend(rows.flat_map(|y| columns.clone().map(move |x| (x, y))));
            }
            assert!(!level.prepare(UVec2::splat(7)), "it is sparse");
        }
        let mut anew = sparse();
        cells.iter().for_each(|(x, y)| anew.set(*x, *y, true).unwrap());
        assert_eq!(level.grid(), &anew);
    }
}
