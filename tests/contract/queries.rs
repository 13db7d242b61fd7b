//! Rays, the nearest solid and solid areas, compared with naive versions that visit every pixel.

use std::cmp::Ordering;

use bitwall::glam::{IVec2, UVec2};
use bitwall::terrain;
use bitwall::world::{Body, BodyKind, World};
use bitwall::{Aabb, Grid, Level, Outside, Rate, Sides, geometry::Corners};

use crate::contract::model::{Model, clamped, random_cells, random_pixel};
use crate::support::{blank, cells};

/// A fraction: numerator and positive denominator.
type Part = (i128, i128);

fn compare(one: Part, other: Part) -> Ordering {
    (one.0 * other.1).cmp(&(other.0 * one.1))
}

/// Returns the part of the line that is inside one pixel on one axis, as two fractions of its length; `None`
/// if it never is. Computes in half pixels.
fn within(from: i64, to: i64, place: i64) -> Option<(Part, Part)> {
    let (from, to, place) = (2 * i128::from(from), 2 * i128::from(to), 2 * i128::from(place));
    match to - from {
        0 => (from == place).then_some(((0, 1), (1, 1))),
        d if d > 0 => Some(((place - 1 - from, d), (place + 1 - from, d))),
        d => Some(((from - place - 1, -d), (from - place + 1, -d))),
    }
}

/// The first pixel that a line enters: the fraction of the line before it, and the normal of the side where
/// the line enters.
#[derive(Debug, PartialEq)]
struct Hit {
    pixel: IVec2,
    time: Part,
    normal: IVec2,
}

/// Finds the first solid pixel on a line by testing every pixel of the rectangle around the line, without the
/// pixels that are more than `near` pixels beside the level.
fn first_on_line(
    model: &Model,
    from: IVec2,
    to: IVec2,
    corners: Corners,
    near: i32,
) -> Option<Hit> {
    let size = clamped(model.pixels());
    let low = from.min(to).max(IVec2::splat(-near));
    let high = from.max(to).min(size + near - 1);
    first_in(low, high, [from, to], corners, |x, y| model.is_solid(x.into(), y.into()))
}

/// Finds the first pixel on a line that is solid and from `low` to `high`.
fn first_in(
    low: IVec2,
    high: IVec2,
    [from, to]: [IVec2; 2],
    corners: Corners,
    is_solid: impl Fn(i32, i32) -> bool,
) -> Option<Hit> {
    let mut best: Option<(Hit, bool)> = None;
    for y in low.y..=high.y {
        for x in low.x..=high.x {
            if !is_solid(x, y) {
                continue;
            }
            let along = within(from.x.into(), to.x.into(), x.into());
            let down = within(from.y.into(), to.y.into(), y.into());
            let (Some((enters, leaves)), Some((enters_down, leaves_down))) = (along, down) else {
                continue;
            };
            let later = |one, other| {
                if compare(one, other).is_lt() { other } else { one }
            };
            let sooner = |one, other| {
                if compare(one, other).is_gt() { other } else { one }
            };
            let start = later(later(enters, enters_down), (0, 1));
            let end = sooner(sooner(leaves, leaves_down), (1, 1));
            let is_touched = compare(start, end).is_eq();
            if compare(start, end).is_gt() || (is_touched && corners == Corners::Pass && from != to)
            {
                continue;
            }
            let by = |entered: Part, dir: i32| {
                let is_entered = start.0 > 0 && compare(entered, start).is_eq();
                if is_entered { -dir } else { 0 }
            };
            let normal = IVec2::new(
                by(enters, (i64::from(to.x) - i64::from(from.x)).signum() as i32),
                by(enters_down, (i64::from(to.y) - i64::from(from.y)).signum() as i32),
            );
            let hit = Hit { pixel: IVec2::new(x, y), time: start, normal };
            // The two pixels beside a corner come before the pixel beyond it.
            let sooner = best.as_ref().is_none_or(|(found, found_touched)| {
                compare(start, found.time).then(found_touched.cmp(&is_touched)).is_lt()
            });
            if sooner {
                best = Some((hit, is_touched));
            }
        }
    }
    best.map(|(hit, _)| hit)
}

fn check_ray(model: &Model, level: &Level, from: IVec2, to: IVec2, corners: Corners, near: i32) {
    let expected = first_on_line(model, from, to, corners, near);
    let found = level.ray(from, to, corners);
    let case = || format!("{from} {to} {corners:?} {expected:?} {found:?} {level:?}");
    assert_eq!(level.line_of_sight(from, to, corners), found.is_none());
    assert_eq!(level.line_of_sight(to, from, corners), found.is_none(), "{}", case());
    match (&expected, &found) {
        (None, None) => {}
        (Some(expected), Some(found)) => {
            assert_eq!(found.pixel, expected.pixel, "{}", case());
            assert_eq!(found.normal, expected.normal, "{}", case());
            let time = (i128::from(found.numerator), i128::from(found.denominator));
            assert!(compare(time, expected.time).is_eq(), "{}", case());
            let cell = model.cell_of(found.pixel.x.into(), found.pixel.y.into());
            assert_eq!(found.cell, cell);
            assert_eq!(found.started_solid, model.is_solid(from.x.into(), from.y.into()));
            let fraction = found.numerator as f64 / found.denominator as f64;
            assert_eq!(found.fraction(), fraction as f32);
        }
        _ => panic!("{}", case()),
    }
}

#[test]
fn a_ray_meets_the_first_solid_pixel_on_its_line() {
    let mut random = fastrand::Rng::with_seed(71);
    for _ in 0..2_500 {
        let model = Model::random(&mut random);
        let level = model.level_in_any_form(&mut random);
        let size = level.size().as_ivec2();
        for _ in 0..4 {
            let mut along = |side: i32| random.i32(-20..side + 20);
            let from = IVec2::new(along(size.x), along(size.y));
            // Many rays have a slope of small numbers, so that they pass exactly through corners.
            let to = match random.u8(0..4) {
                0 => from + IVec2::new(random.i32(-40..40), random.i32(-40..40)),
                1 => from + IVec2::new(random.i32(-2..3), random.i32(-2..3)) * random.i32(0..40),
                2 => {
                    from + IVec2::new([-9, 9][random.usize(0..2)], [-3, 3][random.usize(0..2)]) * 5
                }
                _ => from + IVec2::new(random.i32(-120..120), random.i32(-9..9)),
            };
            for corners in [Corners::Block, Corners::Pass] {
                check_ray(&model, &level, from, to, corners, 200);
            }
        }
    }
}

#[test]
fn a_ray_between_pixels_at_the_corners_of_a_level_meets_the_first_solid_pixel() {
    let mut random = fastrand::Rng::with_seed(85);
    for _ in 0..100 {
        let size = UVec2::new(random.u32(1..9), random.u32(1..9));
        let cell = [UVec2::ONE, UVec2::new(3, 2)][random.usize(0..2)];
        let solid = random_cells(&mut random, size);
        let mut side = || [Outside::Open, Outside::Solid][random.usize(0..2)];
        let outside = Sides { left: side(), right: side(), up: side(), down: side() };
        let model = Model { outside, ..Model::new(size, cell, solid) };
        let level = model.level_in_any_form(&mut random);
        let ends = |length: u32| [-1, 0, length as i32 - 1, length as i32];
        let mut pixels = Vec::new();
        for x in ends(level.size().x) {
            pixels.extend(ends(level.size().y).map(|y| IVec2::new(x, y)));
        }
        for from in &pixels {
            for to in &pixels {
                for corners in [Corners::Block, Corners::Pass] {
                    check_ray(&model, &level, *from, *to, corners, 1);
                }
            }
        }
    }
}

#[test]
fn a_ray_from_far_away_meets_the_same_pixel_as_one_from_nearby() {
    let mut random = fastrand::Rng::with_seed(73);
    for _ in 0..3_000 {
        let size = UVec2::new(random.u32(1..70), random.u32(1..70));
        let solid = random_cells(&mut random, size);
        let model = Model::new(size, UVec2::ONE, solid);
        let open_model = Model { outside: Sides::all(Outside::Open), ..model.clone() };
        let level = model.level_in_any_form(&mut random);
        let open = open_model.level_in_any_form(&mut random);
        let inside = IVec2::new(random.i32(0..size.x as i32), random.i32(0..size.y as i32));
        let far = match random.u8(0..3) {
            0 => IVec2::new(random.i32(..), random.i32(..)),
            1 => [IVec2::MIN, IVec2::MAX, IVec2::new(i32::MIN, i32::MAX)][random.usize(0..3)],
            _ => inside + IVec2::new(random.i32(-3..4), random.i32(-3..4)) * 100_000_000,
        };
        for corners in [Corners::Block, Corners::Pass] {
            check_ray(&open_model, &open, far, inside, corners, 0);
            check_ray(&open_model, &open, inside, far, corners, 0);
            check_ray(&model, &level, inside, far, corners, 1);
        }
        let through = [IVec2::MIN, IVec2::MAX];
        check_ray(&open_model, &open, through[0], through[1], Corners::Block, 0);
    }
}

#[test]
fn a_ray_in_a_world_meets_the_first_solid_or_body_on_its_line() {
    let mut random = fastrand::Rng::with_seed(75);
    let mut met = [0; 2];
    for _ in 0..1_500 {
        let model = Model::random(&mut random);
        let level = model.level_in_any_form(&mut random);
        let size = level.size().as_ivec2();
        let mut world = World::new(Rate::per_second(1));
        let mut place = |beyond: i32| {
            let mut along = |side: i32| random.i32(-beyond..side + beyond);
            IVec2::new(along(size.x), along(size.y))
        };
        let corners = [place(20), place(20), place(20)];
        let boxes =
            corners.map(|at| Aabb::from_xywh(at.x, at.y, 1 + at.x.abs() % 9, 1 + at.y.abs() % 5));
        let ids = boxes.map(|aabb| world.add(Body::new(aabb, BodyKind::Sensor)));
        for _ in 0..8 {
            let line = [place(30), place(30)];
            for corners in [Corners::Block, Corners::Pass] {
                let (low, high) = (line[0].min(line[1]), line[0].max(line[1]));
                let first = |is_solid: &dyn Fn(i32, i32) -> bool| {
                    first_in(low, high, line, corners, is_solid)
                };
                let covers = |aabb: &Aabb, x, y| {
                    (aabb.min.x..aabb.max.x).contains(&x) && (aabb.min.y..aabb.max.y).contains(&y)
                };
                let in_level = |x: i32, y: i32| model.is_solid(x.into(), y.into());
                let all =
                    first(&|x, y| in_level(x, y) || boxes.iter().any(|aabb| covers(aabb, x, y)));
                let is_first = |is_solid: &dyn Fn(i32, i32) -> bool| first(is_solid) == all;
                let expected = all.as_ref().map(|hit| match is_first(&in_level) {
                    true => (
                        terrain::Hit::Cell(model.cell_of(hit.pixel.x.into(), hit.pixel.y.into())),
                        hit,
                    ),
                    false => {
                        let mut bodies = ids.iter().zip(&boxes);
                        let body = bodies.find(|(_, aabb)| is_first(&|x, y| covers(aabb, x, y)));
                        (terrain::Hit::Body(*body.unwrap().0), hit)
                    }
                });
                let found = world.ray(&level, line[0], line[1], corners, u64::MAX);
                let case =
                    || format!("{line:?} {corners:?} {expected:?} {found:?} {boxes:?} {level:?}");
                assert_eq!(found.is_some(), expected.is_some(), "{}", case());
                if let (Some((what, found)), Some((expected, hit))) = (found, &expected) {
                    let time = (i128::from(found.numerator), i128::from(found.denominator));
                    assert_eq!(what, *expected, "{}", case());
                    assert_eq!((found.pixel, found.normal), (hit.pixel, hit.normal), "{}", case());
                    assert!(compare(time, hit.time).is_eq(), "{}", case());
                    met[usize::from(matches!(what, terrain::Hit::Body(_)))] += 1;
                }
            }
        }
    }
    assert!(met[0] > 5_000 && met[1] > 500, "{met:?}");
}

#[test]
fn a_tile_map_and_a_mask_of_the_same_pixels_give_the_same_answers() {
    let mut random = fastrand::Rng::with_seed(79);
    for _ in 0..400 {
        let model = Model::random(&mut random);
        let map = model.level_in_any_form(&mut random);
        let mask = map.clone().into_pixels().unwrap();
        for _ in 0..30 {
            let (from, to) = (random_pixel(&mut random, &model), random_pixel(&mut random, &model));
            for corners in [Corners::Block, Corners::Pass] {
                let (on_map, on_mask) = (map.ray(from, to, corners), mask.ray(from, to, corners));
                let seen = |level: &Level| {
                    let hit = level.ray(from, to, corners)?;
                    Some((hit.pixel, hit.normal, hit.numerator, hit.denominator))
                };
                assert_eq!(seen(&map), seen(&mask), "{from} {to} {on_map:?} {on_mask:?} {map:?}");
            }
            let nearest =
                |level: &Level| level.nearest_solid(from, 90).map(|nearest| nearest.pixel);
            assert_eq!(nearest(&map), nearest(&mask));
            let area = Aabb { min: from.min(to), max: from.max(to) };
            assert_eq!(map.solid_area(area), mask.solid_area(area));
        }
    }
}

#[test]
fn the_nearest_solid_agrees_with_a_search_of_all_pixels() {
    let mut random = fastrand::Rng::with_seed(83);
    for _ in 0..4_000 {
        let model = Model::random(&mut random);
        let level = model.level_in_any_form(&mut random);
        let point = random_pixel(&mut random, &model);
        let radius = random.u32(0..36);
        let (x, y, reach) = (i64::from(point.x), i64::from(point.y), i64::from(radius));
        let mut best: Option<(i64, i64, i64)> = None;
        for row in y - reach..=y + reach {
            for column in x - reach..=x + reach {
                let distance = (column - x).pow(2) + (row - y).pow(2);
                let is_there = i32::try_from(column).is_ok() && i32::try_from(row).is_ok();
                let is_better = best.is_none_or(|best| (distance, row, column) < best);
                if distance <= reach * reach && is_there && is_better && model.is_solid(column, row)
                {
                    best = Some((distance, row, column));
                }
            }
        }
        let found = level.nearest_solid(point, radius);
        let case = || format!("{point} {radius} {found:?} {level:?}");
        let seen = found.map(|found| (found.distance_squared as i64, found.pixel));
        let expected = best.map(|(far, row, column)| (far, IVec2::new(column as i32, row as i32)));
        assert_eq!(seen, expected, "{}", case());
        if let Some(found) = found {
            let cell = model.cell_of(found.pixel.x.into(), found.pixel.y.into());
            assert_eq!(found.cell, cell, "{}", case());
        }
        let further = level.nearest_solid(point, u32::MAX);
        assert!(found.is_none() || found == further, "{}", case());
    }
}

#[test]
fn the_nearest_solid_is_found_from_the_other_end_of_the_i32_range() {
    let mut grid = Grid::new(1, 1).unwrap();
    grid.set(0, 0, true).unwrap();
    let level = cells(grid, 1);
    let open = level.clone().with_outside(Outside::Open);
    let nearest = |level: &Level, point| level.nearest_solid(point, u32::MAX);
    assert_eq!(nearest(&open, IVec2::MAX).unwrap().pixel, IVec2::ZERO);
    assert_eq!(nearest(&level, IVec2::MAX).unwrap().distance_squared, 0);
    assert_eq!(nearest(&open, IVec2::MIN).unwrap().distance_squared, 1 << 63);
    let mut beyond_right = Grid::new(1, 1).unwrap();
    beyond_right.set(0, 0, false).unwrap();
    let empty = cells(beyond_right, 1).with_outside(Outside::Open);
    assert_eq!(nearest(&empty, IVec2::ZERO), None);
}

#[test]
fn solid_areas_agree_with_a_count_of_pixels() {
    let mut random = fastrand::Rng::with_seed(89);
    for _ in 0..4_000 {
        let model = Model::random(&mut random);
        let level = model.level_in_any_form(&mut random);
        let at = random_pixel(&mut random, &model);
        let body = Aabb::from_xywh(at.x, at.y, random.i32(-1..90), random.i32(0..40));
        let rows = i64::from(body.min.y)..i64::from(body.max.y);
        let columns = i64::from(body.min.x)..i64::from(body.max.x);
        let pixels = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        let count = pixels.filter(|(x, y)| model.is_solid(*x, *y)).count() as u64;
        let area = level.solid_area(body);
        assert_eq!(area, count, "{body:?} {level:?}");
        let pixels = f64::from(body.width()) * f64::from(body.height());
        let share = if pixels > 0.0 { area as f64 / pixels } else { 0.0 };
        assert_eq!(level.solid_share(body), share);
    }
    let level = blank(4, 4);
    let everything = Aabb { min: IVec2::MIN, max: IVec2::MAX };
    let pixels = u64::from(u32::MAX).pow(2);
    assert_eq!(level.solid_area(everything), pixels - 16);
    assert_eq!(level.with_outside(Outside::Open).solid_area(everything), 0);
}
