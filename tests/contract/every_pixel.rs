//! Every query and edit of a level, compared with the naive [`Model`].
//!
//! The level is tested in several forms: dense, sparse, baked, edited, and converted to pixels. A failure
//! names the seed.

use std::fmt::Debug;
use std::ops::Range;

use bitwall::glam::{IVec2, UVec2};
use bitwall::shapes::Circle;
use bitwall::terrain::Brush;
use bitwall::world::{Body, BodyKind, Platform, World};
use bitwall::{Aabb, Dir, Grid, Level, Outside, Rate, Sides};

use crate::contract::model::{Model, ahead_is_x, clamped, random_grid, random_pixel};
use crate::support::{ascii, grid, rounds, tiles};

/// The number of comparisons, and the text to print when one fails.
struct Count<'m> {
    model: &'m Model,
    seed: u64,
    road: &'static str,
    made: u64,
}

impl Count<'_> {
    fn same<T: PartialEq + Debug>(&mut self, found: T, expected: T, case: &dyn Debug) {
        self.made += 1;
        let Self { model, seed, road, .. } = self;
        assert_eq!(found, expected, "seed {seed}, {road}, {case:?} in {model:?}");
    }
}

/// Returns the same level in each form, with its name. The box is one cell of the level, in cells of the
/// model.
fn roads(model: &Model, edited: Level) -> Vec<(&'static str, Level, Aabb)> {
    let dense = model.level();
    let baked = Level::from_baked(dense.bake().unwrap()).unwrap();
    let sparse = model.level_of(|size| Grid::sparse(size.x, size.y).unwrap());
    let pixels = dense.clone().into_pixels().unwrap();
    let cell = Aabb { min: IVec2::ZERO, max: clamped(model.cell) };
    let pixel = Aabb::from_xywh(0, 0, 1, 1);
    vec![
        ("dense", dense, cell),
        ("sparse", sparse, cell),
        ("baked", baked, cell),
        ("edited", edited, cell),
        ("pixels", pixels, pixel),
    ]
}

/// A motion of a body, with the answers of the model.
#[derive(Debug)]
struct Question {
    body: Aabb,
    dir: Dir,
    step: u32,
    first: u32,
    moved: u32,
    stop: Option<(i64, i64)>,
    moved_through: u32,
    /// The solid pixels that the body covers; `None` for a large body.
    covered: Option<Vec<(i64, i64)>>,
    /// The distance to the nearest free position within `step`; `None` for a large or far body.
    free: Option<Option<u32>>,
}

impl Question {
    fn new(model: &Model, body: Aabb, dir: Dir, step: u32, first: u32) -> Self {
        let (moved, stop) = model.sweep(body, dir, step, true);
        let has_guards = model.guards.iter().any(|cells| cells.contains(&true));
        let moved_through = if has_guards { model.sweep(body, dir, step, false).0 } else { moved };
        let is_small = u64::from(body.width()) * u64::from(body.height()) < 300;
        let near = |place: i32| (-1_000..30_000).contains(&place);
        let is_near = body.min.to_array().into_iter().all(near) && step < 50;
        let covered = is_small.then(|| model.solids_in(body).collect());
        let is_free = |by: &u32| model.solids_in(body.shifted(dir, *by)).next().is_none();
        let free = (is_small && is_near).then(|| (0..=step).find(is_free));
        Self { body, dir, step, first, moved, stop, moved_through, covered, free }
    }

    /// Asks a level, and compares its answers with the model. `cell` is a cell of the level as a box at (0,
    /// 0).
    fn ask(&self, level: &Level, cell: Aabb, count: &mut Count<'_>) {
        let Self { body, dir, step, first, .. } = *self;
        let sweep = level.sweep(body, dir, step);
        let size = cell.max.as_i64vec2();
        let stop = self
            .stop
            .map(|(x, y)| (clamped((x.div_euclid(size.x), y.div_euclid(size.y))), -dir.vector()));
        let contact = sweep.contact.map(|contact| (contact.cell, contact.normal));
        count.same((sweep.moved, contact), (self.moved, stop), self);
        count.same(sweep.leftover(), step - self.moved, self);
        count.same(level.can_move(body, dir, step), self.stop.is_none(), self);
        count.same(level.can_move(body, dir, self.moved), true, self);
        count.same(level.free_sides(body, step).get(dir), self.stop.is_none(), self);
        if self.moved < step {
            count.same(level.can_move(body, dir, self.moved + 1), false, self);
        }
        let through = level.sweep_through_one_way(body, dir, step).moved;
        count.same(through, self.moved_through, self);
        // A move in two parts must go as far as the whole move, if the box after the first part is in the
        // range of positions.
        let between = body.shifted(dir, first);
        if between.size() == body.size() {
            let both =
                level.can_move(body, dir, first) && level.can_move(between, dir, step - first);
            count.same(both, self.stop.is_none(), self);
        }
        let pixel = body.min;
        let is_solid = count.model.is_solid(pixel.x.into(), pixel.y.into());
        count.same(level.is_solid(pixel), is_solid, self);
        if let Some(covered) = &self.covered {
            count.same(level.overlaps(body), !covered.is_empty(), self);
            count.same(level.first_overlap(body), covered.first().copied().map(clamped), self);
            count.same(level.solid_area(body), covered.len() as u64, self);
        }
        if let Some(free) = self.free {
            count.same(level.nearest_free(body, dir, step), free, self);
        }
    }
}

/// Edits the level and the model in the same way: solid cells and one-way cells, by cells, boxes and brushes.
fn edit(random: &mut fastrand::Rng, level: &mut Level, model: &mut Model, seed: u64) {
    for _ in 0..random.u8(1..9) {
        let pixels = model.pixels();
        let mut at = |side: i64| random.i32(-5..side as i32 + 3);
        let (x, y) = (at(pixels.0), at(pixels.1));
        let mut long = || [1, 2, 9, 63, 64, 65, 70][random.usize(0..7)];
        let mut area = Aabb::from_xywh(x, y, long(), long());
        match random.u8(0..12) {
            0 => area = Aabb { min: area.max, max: area.min },
            1 => area.max.x = area.min.x,
            2 => {
                let (one, other) = (random_pixel(random, model), random_pixel(random, model));
                area = Aabb { min: one.min(other), max: one.max(other) };
            }
            _ => {}
        }
        let (low, high) = (area.min.as_i64vec2(), area.max.as_i64vec2());
        let has_pixel = |min: (i64, i64), max: (i64, i64), is_in: &dyn Fn(i64, i64) -> bool| {
            (min.1..max.1).any(|y| (min.0..max.0).any(|x| is_in(x, y)))
        };
        let touches = |min: (i64, i64), max: (i64, i64)| {
            let has_pixels = low.x < high.x && low.y < high.y;
            has_pixels && min.0 < high.x && min.1 < high.y && max.0 > low.x && max.1 > low.y
        };
        let lies_in = |min: (i64, i64), max: (i64, i64)| {
            min.0 >= low.x && min.1 >= low.y && max.0 <= high.x && max.1 <= high.y
        };
        let circle = Circle { center: IVec2::ZERO, radius: random.i32(0..40) };
        let is_in_circle = |x: i64, y: i64| {
            let twice = |along: i64, center: i64| i128::from(2 * (along - center) + 1).pow(2);
            twice(x, low.x) + twice(y, low.y) <= i128::from(2 * circle.radius).pow(2)
        };
        let stencil_size = UVec2::new(random.u32(1..70), random.u32(1..9));
        let stencil = random_grid(random, stencil_size);
        let is_in_stencil = |x: i64, y: i64| {
            let at = (u32::try_from(x - low.x), u32::try_from(y - low.y));
            matches!(at, (Ok(x), Ok(y)) if stencil.is_solid(x, y))
        };
        let set = random.bool();
        let side = [None, Some(Dir::ALL[random.usize(0..4)])][random.usize(0..2)];
        let mut brush = |shape: &dyn Brush, at: IVec2| match (side, set) {
            (None, true) => level.paint(shape, at).unwrap(),
            (None, false) => level.carve(shape, at),
            (Some(side), true) => level.paint_one_way(side, shape, at).unwrap(),
            (Some(side), false) => level.carve_one_way(side, shape, at),
        };
        let (found, expected) = match random.u8(0..5) {
            0 => (brush(&area, IVec2::ZERO), model.edit(side, set, touches)),
            1 => {
                let is_in = |min, max| has_pixel(min, max, &is_in_circle);
                (brush(&circle, area.min), model.edit(side, set, is_in))
            }
            2 => {
                let is_in = |min, max| has_pixel(min, max, &is_in_stencil);
                (brush(&stencil, area.min), model.edit(side, set, is_in))
            }
            3 => {
                let cell = model.cell_of(low.x, low.y);
                let is_it = |min: (i64, i64), max: (i64, i64)| {
                    (min.0..max.0).contains(&low.x) && (min.1..max.1).contains(&low.y)
                };
                (level.set(cell, set).unwrap(), model.edit(None, set, is_it))
            }
            _ => (level.set_area(area, set).unwrap(), model.edit(None, set, lies_in)),
        };
        assert_eq!(found, expected, "seed {seed}: {side:?} {set} in {area:?} of {model:?}");
    }
}

/// Compares the queries of a grid for a rectangle of cells, which may reach beyond the grid.
fn ask_grid(grid: &Grid, [columns, rows]: [Range<u32>; 2], dir: Dir, count: &mut Count<'_>) {
    let model = count.model;
    let case = (columns.clone(), rows.clone(), dir);
    let is_solid = |(column, row)| model.index((column, row)).is_some_and(|at| model.solid[at]);
    let all = rows.clone().flat_map(|row| columns.clone().map(move |column| (column, row)));
    let solid: Vec<(u32, u32)> =
        all.filter(|(column, row)| is_solid((i64::from(*column), i64::from(*row)))).collect();
    count.same(grid.solid_count_in(columns.clone(), rows.clone()), solid.len() as u64, &case);
    count.same(grid.any_solid(columns.clone(), rows.clone()), !solid.is_empty(), &case);
    let met = |(column, row): &(u32, u32)| {
        let along = i64::from(if ahead_is_x(dir) { *column } else { *row });
        (if dir.is_positive() { along } else { -along }, *row, *column)
    };
    let first = solid.iter().copied().min_by_key(met).map(UVec2::from);
    count.same(grid.first_solid(dir, columns.clone(), rows.clone()), first, &case);
    let (column, row) = (i64::from(columns.start) - 64, rows.start);
    let word = (0..64).filter(|bit| is_solid((column + bit, row.into())));
    count.same(grid.row_word(column, row), word.map(|bit| 1 << bit).sum(), &case);
    let here = (columns.start, rows.start);
    let is_here = is_solid((here.0.into(), here.1.into()));
    count.same(grid.is_solid(here.0, here.1), is_here, &case);
}

/// Compares a whole grid: the count of solid cells, their order, and the transposed grid.
fn ask_whole(grid: &Grid, count: &mut Count<'_>) {
    let model = count.model;
    let solid = (0..).zip(&model.solid).filter(|(_, solid)| **solid).map(|(at, _): (i64, _)| at);
    let solid: Vec<_> = solid.map(|at| (at % model.size.0, at / model.size.0)).collect();
    let cells = |grid: &Grid| -> Vec<(i64, i64)> {
        grid.iter_solid().map(|cell| cell.as_i64vec2().into()).collect()
    };
    count.same(grid.solid_count(), solid.len() as u64, &"count");
    count.same(cells(grid), solid.clone(), &"cells");
    let mut turned: Vec<_> = solid.iter().map(|(column, row)| (*row, *column)).collect();
    turned.sort_by_key(|(column, row)| (*row, *column));
    count.same(cells(&grid.transposed()), turned, &"transposed");
}

/// Compares queries of a world in which the bodies are boxes over the level.
fn ask_world(
    random: &mut fastrand::Rng,
    level: &Level,
    questions: &[Question],
    count: &mut Count<'_>,
) {
    let mut world = World::new(Rate::per_second(1));
    let side = count.model.pixels();
    let place = |random: &mut fastrand::Rng| {
        let mut at = |side: i64| random.i32(-30..side as i32 + 30);
        Aabb::from_xywh(at(side.0), at(side.1), random.i32(1..20), random.i32(1..20))
    };
    let boxes: Vec<Aabb> = (0..random.usize(0..6)).map(|_| place(random)).collect();
    let ids: Vec<_> = boxes
        .iter()
        .map(|aabb| world.add(Body::new(*aabb, BodyKind::Platform(Platform::SOLID))))
        .collect();
    let covers = |one: &Aabb, other: &Aabb| {
        let meets =
            |axis: usize| one.min[axis] < other.max[axis] && other.min[axis] < one.max[axis];
        meets(0) && meets(1)
    };
    for question in
        questions.iter().filter(|question| question.free.is_some() && !question.body.is_empty())
    {
        let body = question.body;
        let (x, y) = (i64::from(body.min.x), i64::from(body.min.y));
        let away = |aabb: &Aabb| {
            let columns = i64::from(aabb.min.x)..i64::from(aabb.max.x);
            let along = columns.map(|column| (column - x).pow(2)).min();
            let rows = i64::from(aabb.min.y)..i64::from(aabb.max.y);
            along.zip(rows.map(|row| (row - y).pow(2)).min()).map_or(0, |(x, y)| x + y)
        };
        let near = ids.iter().zip(&boxes).map(|(id, aabb)| (away(aabb), *id));
        let nearest = near.min().filter(|(far, _)| *far <= i64::from(question.step).pow(2));
        let nearest = nearest.map(|(far, id)| (id, far as u64));
        count.same(world.nearest(body.min, question.step, u64::MAX), nearest, question);
        let over = ids.iter().zip(&boxes).filter(|(_, aabb)| covers(&body, aabb));
        let over: Vec<_> = over.map(|(id, _)| *id).collect();
        count.same(world.overlapping(body, u64::MAX), over, question);
        let free = |moved: &u32| {
            let there = body.shifted(question.dir, *moved + 1);
            boxes.iter().any(|aabb| covers(&there, aabb))
        };
        if !boxes.iter().any(|aabb| covers(&body, aabb)) {
            let moved = (0..question.moved).find(free).unwrap_or(question.moved);
            let found = world.sweep(level, body, question.dir, question.step, u64::MAX);
            count.same(found.moved, moved, question);
        }
    }
}

fn random_body(random: &mut fastrand::Rng, size: (i64, i64)) -> Aabb {
    let near = |random: &mut fastrand::Rng, side: i64| random.i64(-20..side + 20) as i32;
    let at = |random: &mut fastrand::Rng, side: i64| match random.u8(0..40) {
        0 => i32::MIN + random.i32(0..3),
        1 => i32::MAX - random.i32(0..40),
        2 => random.i32(i32::MIN..=i32::MAX),
        _ => near(random, side),
    };
    let extent = |random: &mut fastrand::Rng, side: i64| match random.u8(0..40) {
        0 => side as i32 + random.i32(0..9),
        1 => i32::MAX - random.i32(0..2),
        2 => 0,
        3..=20 => random.i32(1..9),
        _ => random.i32(1..40),
    };
    let (x, y) = (at(random, size.0), at(random, size.1));
    Aabb::from_xywh(x, y, extent(random, size.0), extent(random, size.1))
}

fn random_step(random: &mut fastrand::Rng) -> u32 {
    match random.u8(0..40) {
        0 => u32::MAX - random.u32(0..2),
        1 => i32::MAX as u32,
        2 => 0,
        3..=5 => random.u32(0..2_000),
        6..=20 => random.u32(1..9),
        _ => random.u32(0..70),
    }
}

/// Tests 480 levels with 300 questions each, in five forms. A short run tests a tenth of them.
#[test]
fn every_query_and_edit_agrees_with_the_naive_model() {
    let both = |one: [u64; 2], other: [u64; 2]| [one[0] + other[0], one[1] + other[1]];
    let [made, by_guard] = std::thread::scope(|scope| {
        let part = |part| {
            scope.spawn(move || {
                let seeds = (part..rounds(480) as u64).step_by(4);
                seeds.map(|seed| one_level(seed, 300)).fold([0, 0], both)
            })
        };
        let parts: Vec<_> = (0..4).map(part).collect();
        parts.into_iter().map(|part| part.join().unwrap()).fold([0, 0], both)
    });
    println!("{made} comparisons, {by_guard} sweeps that a one-way cell stops");
    assert!(by_guard >= rounds(6_000) as u64, "{by_guard}");
    assert!(made >= rounds(10_000_000) as u64, "{made}");
}

/// Compares one random level. Returns the number of comparisons, and the number of sweeps that a one-way cell
/// stops.
fn one_level(seed: u64, questions: usize) -> [u64; 2] {
    let mut random = fastrand::Rng::with_seed(seed);
    let random = &mut random;
    let mut model = Model::random(random);
    let mut edited = model.level();
    let sizes = [UVec2::ONE, UVec2::new(random.u32(1..20), random.u32(1..20)), UVec2::new(9, 65)];
    // The sizes are prepared before the edits, because edits must keep their lines up to date.
    for size in sizes {
        edited.prepare(size);
    }
    edit(random, &mut edited, &mut model, seed);
    let model = &model;
    let questions: Vec<_> = (0..questions)
        .map(|_| {
            let mut body = random_body(random, model.pixels());
            if random.bool() {
                let size = sizes[random.usize(0..3)].as_ivec2();
                body = Aabb::from_xywh(body.min.x, body.min.y, size.x, size.y);
            }
            let (dir, step) = (Dir::ALL[random.usize(0..4)], random_step(random));
            Question::new(model, body, dir, step, random.u32(0..=step))
        })
        .collect();
    let mut count = Count { model, seed, road: "", made: 0 };
    for (road, mut level, cell) in roads(model, edited) {
        count.road = road;
        for question in &questions {
            question.ask(&level, cell, &mut count);
        }
        for size in sizes {
            level.prepare(size);
        }
        for question in &questions {
            question.ask(&level, cell, &mut count);
        }
        ask_world(random, &level, &questions, &mut count);
        ask_batch(&level, &questions, &mut count);
        if road != "pixels" {
            ask_whole(level.grid(), &mut count);
            for _ in 0..60 {
                let mut range = |side: i64| {
                    let start = random.u32(0..side as u32 + 2);
                    start..start + [0, 1, 2, 30, 63, 64, 65, 130][random.usize(0..8)]
                };
                let cells = [range(model.size.0), range(model.size.1)];
                ask_grid(level.grid(), cells, Dir::ALL[random.usize(0..4)], &mut count);
            }
        }
    }
    let by_guard = questions.iter().filter(|question| question.moved < question.moved_through);
    [count.made, by_guard.count() as u64]
}

fn ask_batch(level: &Level, questions: &[Question], count: &mut Count<'_>) {
    let bodies: Vec<_> = questions.iter().map(|question| question.body).collect();
    let dirs: Vec<_> = questions.iter().map(|question| question.dir).collect();
    let steps: Vec<_> = questions.iter().map(|question| question.step).collect();
    let mut free = vec![0; questions.len().div_ceil(64)];
    level.can_move_batch(&bodies, &dirs, &steps, &mut free);
    for (at, question) in questions.iter().enumerate() {
        let is_free = free[at / 64] >> (at % 64) & 1 == 1;
        count.same(is_free, question.stop.is_none(), question);
    }
}

/// The long run tests every grid, a short run every eleventh. The step is odd, so that each cell is solid in
/// half of the tested grids.
#[test]
fn can_move_and_sweep_agree_with_the_model_on_every_grid_of_4_by_4() {
    let distance = ((1 << 16) / rounds(1 << 16)) | 1;
    std::thread::scope(|scope| {
        for part in 0..4u32 {
            scope.spawn(move || {
                for bits in ((part << 14)..(part + 1) << 14).step_by(distance) {
                    every_move_in(bits);
                }
            });
        }
    });
}

fn every_move_in(bits: u32) {
    let solid = (0..16).map(|cell| bits >> cell & 1 == 1).collect();
    let mut model = Model::new(UVec2::splat(4), UVec2::ONE, solid);
    model.outside = Sides::all(if bits.is_multiple_of(3) { Outside::Open } else { Outside::Solid });
    let level = model.level();
    let mut count = Count { model: &model, seed: bits.into(), road: "4 by 4", made: 0 };
    for (w, h) in [(1, 1), (2, 3), (4, 2), (6, 6)] {
        for y in -1..5 {
            for x in -1..5 {
                for dir in Dir::ALL {
                    let body = Aabb::from_xywh(x, y, w, h);
                    let question = Question::new(&model, body, dir, 5, 1);
                    question.ask(&level, Aabb::from_xywh(0, 0, 1, 1), &mut count);
                }
            }
        }
    }
}

#[test]
fn a_step_of_zero_is_always_allowed() {
    let level = ascii("#");
    for x in [i32::MIN, -1, 0, 1, i32::MAX] {
        for dir in Dir::ALL {
            assert!(level.can_move(Aabb::from_xywh(x, x, 1, 1), dir, 0));
        }
    }
}

#[test]
fn a_body_in_a_wall_may_leave_it_but_not_go_on_through_it() {
    let level = ascii("..###..");
    let body = Aabb::from_xywh(1, 0, 2, 1);
    assert!(level.overlaps(body));
    assert!(level.can_move(body, Dir::Left, 1));
    assert!(!level.can_move(body, Dir::Right, 1));
}

#[test]
fn a_body_that_touches_a_solid_does_not_overlap_it() {
    let level = tiles("...#", 10);
    let touching = Aabb::from_xywh(20, 0, 10, 10);
    assert!(!level.overlaps(touching));
    assert!(level.can_move(Aabb::from_xywh(0, 0, 10, 10), Dir::Right, 20));
    assert!(!level.can_move(Aabb::from_xywh(0, 0, 10, 10), Dir::Right, 21));
}

#[test]
fn eight_threads_get_the_same_sweeps_from_one_level() {
    let mut random = fastrand::Rng::with_seed(99);
    let level = Level::from_grid(random_grid(&mut random, UVec2::new(129, 200)), UVec2::new(7, 13))
        .unwrap();
    let size = (i64::from(level.size().x), i64::from(level.size().y));
    let questions: Vec<_> = (0..20_000)
        .map(|_| {
            let dir = Dir::ALL[random.usize(0..4)];
            (random_body(&mut random, size), dir, random_step(&mut random))
        })
        .collect();
    let answers = || -> Vec<_> {
        let answer = |&(body, dir, step)| level.sweep(body, dir, step);
        questions.iter().map(answer).collect()
    };
    let expected = answers();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(answers(), expected));
        }
    });
}

#[test]
fn sweeps_among_one_way_cells_are_exact_at_the_ends_of_the_i32_range() {
    let level = Level::from_grid(Grid::new(3, 3).unwrap(), UVec2::new(5, 9)).unwrap();
    let mut level = level.with_outside(Outside::Open);
    for side in Dir::ALL {
        level = level.with_one_way(side, grid("###\n###\n###")).unwrap();
    }
    for dir in Dir::ALL {
        for at in [i32::MIN, i32::MIN + 1, -1, 0, i32::MAX - 7, i32::MAX] {
            let body = Aabb::from_xywh(at, at, 6, 6);
            for step in [0, 1, u32::MAX - 1, u32::MAX] {
                let sweep = level.sweep(body, dir, step);
                assert_eq!(sweep.moved == step, level.can_move(body, dir, step));
            }
        }
        let far = Aabb::from_xywh(1, 1, 2, 2).shifted(dir.opposite(), 2_000_000_000);
        let to_edge = match dir {
            Dir::Right | Dir::Down => 3,
            Dir::Left => 15 - 1,
            Dir::Up => 27 - 1,
        };
        assert_eq!(level.sweep(far, dir, u32::MAX).moved, 2_000_000_000 - to_edge);
    }
}
