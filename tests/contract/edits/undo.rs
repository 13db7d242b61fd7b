//! Undo: the cells of any box, taken out before edits and put back, compared with a naive model; carves and
//! their undos, compared with a level that was never edited.

use bitwall::glam::{IVec2, UVec2};
use bitwall::grid::GridError;
use bitwall::level::Patch;
use bitwall::navigate::Search;
use bitwall::shapes::Circle;
use bitwall::{Aabb, Dir, Grid, Level, Outside, Terrain};
use fastrand::Rng;

use super::{Twin, assert_alike, edit, far, prepare_all};
use crate::contract::model::{Model, Place};
use crate::support::{rounds, scattered};

/// Returns a box of pixels: mostly across a border, sometimes empty, reversed or without end.
fn random_box(random: &mut Rng, pixels: Place) -> Aabb {
    let mut corner = || IVec2::new(far(random, pixels.0), far(random, pixels.1));
    let (min, other) = (corner(), corner());
    match random.u8(0..4) {
        0 => Aabb { min: IVec2::MIN, max: IVec2::MAX },
        1 => Aabb { min, max: min.saturating_add(IVec2::new(1, random.i32(0..70))) },
        _ => Aabb { min, max: other },
    }
}

/// Gives the cells with a pixel in `area` the state that they have in `before`, which is blank if it is
/// `None`. Returns the box around the changed cells.
fn put_back(model: &mut Model, before: Option<&Model>, area: Aabb) -> Option<Aabb> {
    let mut changed: Option<Aabb> = None;
    for side in [None].into_iter().chain(Dir::ALL.map(Some)) {
        for set in [false, true] {
            let cell = model.cell;
            let size = model.size;
            let found = model.edit(side, set, |first, last| {
                let is_in = !area.is_empty()
                    && first.0 < i64::from(area.max.x)
                    && first.1 < i64::from(area.max.y)
                    && last.0 > i64::from(area.min.x)
                    && last.1 > i64::from(area.min.y);
                let at = (first.1 / cell.1 * size.0 + first.0 / cell.0) as usize;
                let was_set = before.is_some_and(|before| match side {
                    None => before.solid[at],
                    Some(side) => before.guards[side as usize][at],
                });
                is_in && was_set == set
            });
            changed = changed.into_iter().chain(found).reduce(Aabb::hull);
        }
    }
    changed
}

#[test]
fn a_patch_puts_the_cells_of_any_box_back_and_no_others() {
    for seed in 0..rounds(1_500) as u64 {
        let random = &mut Rng::with_seed(seed);
        let mut twin = Twin::random(random, None);
        let mut level = twin.build();
        for _ in 0..4 {
            if seed % 4 > 0 {
                prepare_all(&mut level);
            }
            let area = random_box(random, twin.terrain.pixels());
            let patch = level.patch(area);
            let before = (twin.terrain.clone(), twin.areas.clone());
            for _ in 0..random.u8(0..4) {
                edit(random, &mut level, &mut twin);
            }
            let mut expected = put_back(&mut twin.terrain, Some(&before.0), area);
            for (name, model, _) in &mut twin.areas {
                let old = before.1.iter().find(|(old, ..)| old == name).map(|(_, old, _)| old);
                let found = put_back(model, old, area);
                expected = expected.into_iter().chain(found).reduce(Aabb::hull);
            }
            assert_eq!(level.apply(&patch), Ok(expected), "seed {seed}, {area:?}");
            assert_eq!(level.apply(&patch), Ok(None), "it is done");
            assert_alike(random, &level, &twin.build(), &twin.terrain);
        }
    }
}

/// Returns a level with one-way cells, a solid area and an area of other cells.
fn caves(random: &mut Rng, size: UVec2, cell: UVec2) -> Level {
    let mut some =
        |size: UVec2| scattered(random, size, size.element_product() / 60, UVec2::splat(7));
    let level = Level::from_grid(some(size), cell).unwrap();
    let level = level.with_one_way(Dir::Up, some(size)).unwrap();
    let level = level.with_one_way(Dir::Left, some(size)).unwrap();
    let glass = Terrain::new(some(size), cell).unwrap();
    let size = level.size().map(|side| side.div_ceil(5));
    let water = Terrain::new(some(size), UVec2::splat(5)).unwrap();
    level.with_solid_area("glass", glass, 2).with_area("water", water)
}

/// A blast in all that the level has: a circle in its cells, its one-way cells and its areas. Returns the
/// patch from before it and the box around the cells that it changed.
fn blast(random: &mut Rng, level: &mut Level) -> (Patch, Option<Aabb>) {
    let size = level.size().as_ivec2();
    let center = IVec2::new(random.i32(-9..size.x + 9), random.i32(-9..size.y + 9));
    let radius = random.i32(1..24);
    let circle = Circle { center, radius };
    let patch = level.patch(Aabb { min: center - radius, max: center + radius });
    let side = Dir::ALL[random.usize(0..4)];
    let changed = [
        match random.u8(0..4) {
            0 => level.paint(&circle, IVec2::ZERO).unwrap(),
            _ => level.carve(&circle, IVec2::ZERO),
        },
        level.carve_one_way(side, &circle, IVec2::ZERO),
        level.paint_one_way(side.opposite(), &circle, IVec2::ZERO).unwrap(),
        level.area_mut("glass").unwrap().carve(&circle, IVec2::ZERO),
        level.area_mut("water").unwrap().paint(&circle, IVec2::ZERO).unwrap(),
    ];
    (patch, changed.into_iter().flatten().reduce(Aabb::hull))
}

#[test]
fn ten_thousand_blasts_and_undos_give_a_level_that_was_never_edited() {
    let random = &mut Rng::with_seed(8);
    let mut blasts = 0;
    let mut compared = 0;
    while blasts < rounds(10_000) {
        let size = UVec2::new(random.u32(72..200), random.u32(72..200));
        let cell = [UVec2::ONE, UVec2::new(3, 2), UVec2::new(2, 5)][random.usize(0..3)];
        let start = caves(random, size, cell);
        let never = start.clone();
        let mut level = start;
        let sizes = [UVec2::ONE, UVec2::new(3, 4), UVec2::new(70, 3)];
        sizes.iter().for_each(|size| assert!(level.prepare(*size)));
        assert!(level.area_mut("glass").unwrap().prepare(sizes[1]));
        for _ in 0..12 {
            let ways = level.ways(sizes[1]).unwrap();
            let end = level.size().as_ivec2();
            let mut place = || IVec2::new(random.i32(0..end.x), random.i32(0..end.y));
            let goals: Vec<IVec2> = (0..2).filter_map(|_| ways.nearest(place())).collect();
            let mut done = Vec::new();
            for _ in 0..8 {
                done.push(blast(random, &mut level));
                blasts += 1;
            }
            while let Some((patch, changed)) = done.pop() {
                assert_eq!(level.apply(&patch), Ok(changed));
            }
            assert_eq!(level.checksum(), never.checksum());
            let (ways, fresh) = (level.ways(sizes[1]).unwrap(), never.ways(sizes[1]).unwrap());
            let (field, anew) = (ways.field(&goals), fresh.field(&goals));
            let mut searches = [Search::default(), Search::default()];
            for _ in 0..12 {
                let at = IVec2::new(random.i32(-9..end.x + 9), random.i32(-9..end.y + 9));
                let dir = Dir::ALL[random.usize(0..4)];
                let step = random.u32(0..300);
                for size in sizes {
                    let body = Aabb { min: at, max: at + size.as_ivec2() };
                    assert_eq!(level.sweep(body, dir, step), never.sweep(body, dir, step));
                    for (area, old) in level.areas().iter().zip(never.areas()) {
                        let found = area.terrain.sweep(body, dir, step);
                        assert_eq!(found, old.terrain.sweep(body, dir, step));
                    }
                }
                assert_eq!(field.step(at), anew.step(at));
                if let (Some(from), Some(goal)) = (fresh.nearest(at), goals.first()) {
                    let path = fresh.path(from, *goal, &mut searches[0]);
                    assert_eq!(ways.path(from, *goal, &mut searches[1]), path);
                    compared += usize::from(path.is_some());
                }
            }
        }
    }
    assert!(compared * 8 > blasts, "{compared} paths");
}

#[test]
fn a_patch_takes_memory_for_its_box_and_not_for_the_level() {
    let side = u32::MAX / 3;
    let mut level = Level::from_grid(Grid::sparse(side, side).unwrap(), UVec2::splat(3)).unwrap();
    let corner = side - 100..side;
    level.fill(corner.clone(), corner.clone(), true).unwrap();
    let far = Aabb { min: IVec2::ZERO, max: IVec2::MAX };
    let patch = level.patch(far);
    level.fill(7..9, 7..9, true).unwrap();
    assert_eq!(level.apply(&patch), Ok(Some(Aabb::from_xywh(21, 21, 6, 6))));
    assert_eq!(level.grid().solid_count(), 10_000, "pixels at 2^31 and beyond do not count");
}

#[test]
fn a_patch_that_does_not_fit_changes_nothing() {
    let sparse = Grid::sparse(1_000, 1_000).unwrap().with_block_limit(2);
    let mut level = Level::from_grid(sparse, UVec2::ONE).unwrap();
    level = level.with_area("water", Terrain::new(Grid::new(9, 9).unwrap(), UVec2::ONE).unwrap());
    level.fill(0..70, 0..1, true).unwrap();
    level.area_mut("water").unwrap().fill(0..3, 0..3, true).unwrap();
    let patch = level.patch(Aabb::from_xywh(0, 0, 80, 9));
    level.clear(0..80, 0..9);
    level.fill(500..501, 0..1, true).unwrap();
    let before = level.checksum();
    assert_eq!(level.apply(&patch), Err(GridError::TooManyBlocks { limit: 2 }));
    assert_eq!(level.checksum(), before);

    let coarse = Level::from_grid(Grid::new(9, 9).unwrap(), UVec2::new(2, 1)).unwrap();
    let found = coarse.cell_size();
    let error = GridError::OtherCellSize { found, expected: UVec2::ONE };
    assert_eq!(level.apply(&coarse.patch(Aabb::from_xywh(0, 0, 9, 9))), Err(error));
    assert_eq!(level.checksum(), before);
}

#[test]
fn a_patch_of_another_level_fills_what_both_have() {
    let mut small = Level::from_grid(Grid::from_text("##\n##").unwrap(), UVec2::ONE).unwrap();
    let large = Grid::from_text(".#.\n#..\n..#").unwrap();
    let large = Level::from_grid(large, UVec2::ONE).unwrap();
    let whole = Aabb::from_xywh(-4, -4, 50, 50);
    assert_eq!(small.apply(&large.patch(whole)), Ok(Some(Aabb::from_xywh(0, 0, 2, 2))));
    assert_eq!(small.grid().to_string(), ".#\n#.");
    assert_eq!(small.outside().left, Outside::Solid);
}
