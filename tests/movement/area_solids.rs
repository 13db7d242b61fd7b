//! A level with areas that are solid for a body, compared with one level that has all their cells.

use std::hint::black_box;
use std::time::Instant;

use bitwall::glam::{IVec2, UVec2};
use bitwall::mover::Move;
use bitwall::{
    Aabb, Dir, Footprint, Grid, Level, Outside, Sides, Solids, Sweep, geometry::Corners,
};

use crate::support::SubpixelSteps;
use fastrand::Rng;

use crate::movement::random::{Plan, settings, translation};

/// A level with solid areas of some categories, and a level of one grid with all cells that are solid for
/// bodies that collide with `collides_with`.
pub(crate) struct Case {
    pub(crate) level: Level,
    pub(crate) collides_with: u64,
    pub(crate) union: Level,
    /// True if all areas have the cell size of the level, so that a merged level can have it too.
    is_even: bool,
}

impl Case {
    pub(crate) fn random(random: &mut Rng) -> Self {
        let is_even = random.bool();
        let mut plan = Plan::random(random);
        if !is_even {
            // An area may extend beyond the level, so that corners of the outside differ. Then all sides get
            // the same outside.
            plan.outside = Sides::all(plan.outside.get(Dir::Left));
        }
        let collides_with = random.u64(..) & random.u64(..) & 0xf;
        let (mut level, mut solid) = (plan.level(), Vec::new());
        for at in 0..random.usize(0..4) {
            let area = match is_even {
                true => noise(random, &plan),
                false => Plan { outside: Sides::all(Outside::Open), ..Plan::random(random) },
            };
            let category = random.u64(..) & random.u64(..) & 0xf;
            let terrain = area.level().terrain().clone();
            level = level.with_solid_area(format!("{at}"), terrain, category);
            if category & collides_with != 0 {
                solid.push(area);
            }
        }
        let mut union = match is_even {
            true => merged(&plan, &solid).level(),
            false => in_pixels(&plan, &solid).level(),
        };
        for area in level.areas() {
            union = union.with_area(&*area.name, area.terrain.clone());
        }
        Self { level, collides_with, union, is_even }
    }

    /// Converts the cell of a contact in the union to the cell of the level.
    fn cell(&self, cell: IVec2) -> IVec2 {
        if self.is_even { cell } else { self.level.cell_at(cell) }
    }

    fn sweep(&self, mut sweep: Sweep) -> Sweep {
        sweep.contact.iter_mut().for_each(|contact| contact.cell = self.cell(contact.cell));
        sweep
    }

    fn outcome(&self, mut done: Move) -> Move {
        for dir in Dir::ALL {
            let contact = done.contacts.get(dir).map(|mut contact| {
                contact.cell = self.cell(contact.cell);
                contact
            });
            done.contacts = done.contacts.with(dir, contact);
        }
        done
    }
}

/// Returns noise in cells of the size of those in `like`.
fn noise(random: &mut Rng, like: &Plan) -> Plan {
    let mut plan = Plan::blank(like.size, like.cell);
    let share = random.u8(0..20);
    let cells = plan.solid.iter_mut().chain(plan.guards.iter_mut().flatten());
    cells.for_each(|cell| *cell = random.u8(0..100) < share);
    plan.outside = Sides::all(Outside::Open);
    plan
}

/// Merges the cells of plans with equal cell sizes.
fn merged(plan: &Plan, areas: &[Plan]) -> Plan {
    let mut all = plan.clone();
    for area in areas {
        let add = |all: &mut Vec<bool>, more: &[bool]| {
            all.iter_mut().zip(more).for_each(|(one, more)| *one |= more);
        };
        add(&mut all.solid, &area.solid);
        (0..4).for_each(|side| add(&mut all.guards[side], &area.guards[side]));
    }
    all
}

/// Merges plans with different cell sizes, pixel by pixel.
fn in_pixels(plan: &Plan, areas: &[Plan]) -> Plan {
    let areas: Vec<Plan> = areas.iter().map(Plan::in_pixels).collect();
    let own = plan.in_pixels();
    let size = areas.iter().fold(own.size, |size, area| size.max(area.size));
    let mut all = Plan::blank(size, IVec2::ONE);
    all.outside = plan.outside;
    for y in 0..size.y {
        for x in 0..size.x {
            let at = (y * size.x + x) as usize;
            all.solid[at] = own.is_solid(IVec2::new(x, y));
            for part in areas.iter().chain([&own]) {
                if x < part.size.x && y < part.size.y {
                    let from = (y * part.size.x + x) as usize;
                    all.solid[at] |= part.solid[from];
                    (0..4).for_each(|side| all.guards[side][at] |= part.guards[side][from]);
                }
            }
        }
    }
    all
}

/// Returns a box near the level, or at the ends of the range of positions.
fn body(random: &mut Rng, size: IVec2) -> Aabb {
    let near = |random: &mut Rng, size: i32| match random.u8(0..12) {
        0 => [i32::MIN, i32::MAX - 9, i32::MIN + 5][random.usize(0..3)],
        1 => random.i32(..),
        _ => random.i32(-20..size + 20),
    };
    let (x, y) = (near(random, size.x), near(random, size.y));
    Aabb::from_xywh(x, y, random.i32(0..20), random.i32(0..20))
}

/// Returns the distance from a box to the end of the range of positions.
fn room(body: Aabb, dir: Dir) -> u32 {
    match dir {
        Dir::Left => body.min.x.abs_diff(i32::MIN),
        Dir::Right => body.max.x.abs_diff(i32::MAX),
        Dir::Up => body.min.y.abs_diff(i32::MIN),
        Dir::Down => body.max.y.abs_diff(i32::MAX),
    }
}

#[test]
fn a_level_with_solid_areas_answers_as_one_level_of_all_cells() {
    let mut random = Rng::with_seed(83);
    let (mut stopped, mut by_area, mut runs, mut hits) = (0, 0, 0, 0);
    for _ in 0..1_500 {
        let case = Case::random(&mut random);
        let Case { level, union, .. } = &case;
        let view = level.solids_for(case.collides_with);
        let size = level.size().as_ivec2();
        for _ in 0..60 {
            let body = body(&mut random, size);
            let (dir, floor) = (Dir::ALL[random.usize(0..4)], Dir::ALL[random.usize(0..4)]);
            let step = match random.u8(0..8) {
                0 => u32::MAX >> random.u8(0..32),
                _ => random.u32(0..60),
            };
            let sweep = view.sweep_aabb(body, dir, step, true);
            let through = view.sweep_aabb(body, dir, step, false);
            let expected = case.sweep(union.sweep(body, dir, step));
            let expected_through = case.sweep(union.sweep_through_one_way(body, dir, step));
            // Cells outside the range of positions still have numbers, so contacts there are ignored.
            let answer = |sweep: Sweep| match sweep.moved < room(body, dir) {
                true => (sweep.moved, sweep.contact),
                false => (sweep.moved, None),
            };
            assert_eq!(answer(sweep), answer(expected), "{body:?} {dir:?} {step}");
            assert_eq!(answer(through), answer(expected_through), "{body:?} {dir:?} {step}");
            assert_eq!(sweep.is_clear(), expected.is_clear());
            assert_eq!(view.can_move_aabb(body, dir, step, true), union.can_move(body, dir, step));
            assert_eq!(view.overlaps_aabb(body), union.overlaps(body));
            assert_eq!(
                view.nearest_free_aabb(body, dir, step),
                union.nearest_free(body, dir, step)
            );
            let is_near = body.min.as_i64vec2().abs().max_element() < 1 << 30;
            if is_near && !body.is_empty() && floor.axis() != dir.axis() {
                if view.is_beyond(body, dir) {
                    let there = body.shifted(dir, 50);
                    assert_eq!(
                        view.can_move_aabb(body, floor, 9, true),
                        view.can_move_aabb(there, floor, 9, true)
                    );
                }
                let run = view.floor_run(body, dir, step, floor);
                let is_held = |at| !union.can_move(body.shifted(dir, at), floor, 1);
                assert!(run == 0 || (0..=run.min(90)).all(is_held), "{body:?} {dir:?} {run}");
                runs += u32::from(run > 0);
            }
            stopped += u32::from(!sweep.is_clear());
            by_area += u32::from(sweep != level.sweep(body, dir, step));

            let to = body.min.wrapping_add(IVec2::new(random.i32(-90..90), random.i32(-90..90)));
            let corners = [Corners::Block, Corners::Pass][random.usize(0..2)];
            let hit = view.ray(body.min, to, corners);
            let expected = union.ray(body.min, to, corners).map(|mut hit| {
                hit.cell = case.cell(hit.cell);
                hit
            });
            assert_eq!(hit, expected, "{} {to}", body.min);
            let is_seen = view.line_of_sight(body.min, to, corners);
            assert_eq!(is_seen, hit.is_none());
            hits += u32::from(hit != level.ray(body.min, to, corners));
        }
    }
    let counts = (stopped, by_area, runs, hits);
    assert!(stopped > 20_000 && by_area > 1_000 && runs > 1_000 && hits > 1_000, "{counts:?}");
}

#[test]
fn a_mover_among_solid_areas_moves_as_in_one_level_of_all_cells() {
    let mut random = Rng::with_seed(84);
    let ball = Footprint::circle(9).unwrap();
    let (mut moved, mut other) = (0, 0);
    for _ in 0..1_200 {
        let case = Case::random(&mut random);
        let Case { level, union, .. } = &case;
        let view = level.solids_for(case.collides_with);
        let plan = Plan::blank(level.size().as_ivec2(), IVec2::ONE);
        let settings = settings(&mut random);
        let start = plan.mover(&mut random, union, settings);
        let [mut a, mut b, mut c, mut d] = [start; 4];
        for _ in 0..20 {
            let by = translation(&mut random);
            let mut alone = a;
            alone.step_subpixels(level, by);
            let done = a.step_subpixels(&view, by);
            assert_eq!(done, case.outcome(b.step_subpixels(union, by)), "{start:?}");
            assert_eq!(a, b, "{start:?}");
            other += u32::from(a != alone);
            let round = view.with_footprint(&ball);
            let (one, two) =
                (c.step_subpixels(&round, by), d.step_subpixels(&union.with_footprint(&ball), by));
            assert_eq!((c, one.is_stopped()), (d, two.is_stopped()), "{start:?}");
            moved += u32::from(one.moved != IVec2::ZERO);
            assert_eq!(a.touching(&view), b.touching(union));
            assert_eq!(c.touching(&round), d.touching(&union.with_footprint(&ball)));
            assert_eq!((a.unstick(&view, 9), a), (b.unstick(union, 9), b));
            assert_eq!((a.drop_through(&view), a), (b.drop_through(union), b));
            if case.is_even {
                let dropped = d.drop_through(&union.with_footprint(&ball));
                assert_eq!(c.drop_through(&round), dropped);
                assert_eq!(c, d);
            }
        }
    }
    assert!(moved > 4_000 && other > 600, "{moved} {other}");
}

#[test]
fn each_area_has_its_own_category_until_it_is_set_or_replaced() {
    let grid = |text| Grid::from_text(text).unwrap();
    let area = |text| Level::from_grid(grid(text), UVec2::splat(4)).unwrap().terrain().clone();
    let mut level = Level::new(area("....."))
        .with_area("a", area(".#..."))
        .with_solid_area("b", area("..#.."), 1 << 63)
        .with_solid_area("c", area("...#."), 6);
    let body = Aabb::from_xywh(0, 0, 4, 4);
    let moved =
        |level: &Level, mask| level.solids_for(mask).sweep_aabb(body, Dir::Right, 99, true).moved;
    let of = |level: &Level| [0, 1, 2, 4, 1 << 63, u64::MAX].map(|mask| moved(level, mask));
    assert_eq!(of(&level), [16, 16, 8, 8, 4, 4]);
    assert_eq!(
        ["a", "b", "c", "d"].map(|name| level.area_category(name)),
        [Some(0), Some(1 << 63), Some(6), None]
    );
    assert!(level.set_area_category("a", 4) && !level.set_area_category("d", 4));
    assert_eq!(of(&level), [16, 16, 8, 0, 4, 0]);
    level.area_mut("a").unwrap().fill(0..5, 0..1, false).unwrap();
    let level = level.with_area("b", area("..#.."));
    assert_eq!(of(&level), [16, 16, 8, 8, 16, 8], "replaced, `b` stops nobody");
    assert_eq!(level.sweep(body, Dir::Right, 99).moved, 16, "the level does not know its areas");
}

/// Areas that do not stop a body must not slow down its queries, however many there are.
#[test]
fn areas_that_do_not_stop_a_body_do_not_slow_its_queries() {
    let mut random = Rng::with_seed(5);
    let mut grid = Grid::new(200, 200).unwrap();
    (0..4_000).for_each(|_| grid.set(random.u32(0..200), random.u32(0..200), true).unwrap());
    let mut level = Level::from_grid(grid, UVec2::splat(8)).unwrap();
    for at in 0..30 {
        let area = level.terrain().clone();
        level = level.with_solid_area(format!("{at}"), area, 2);
    }
    let bodies: Vec<Aabb> = (0..4_000)
        .map(|_| Aabb::from_xywh(random.i32(0..1_600), random.i32(0..1_600), 12, 12))
        .collect();
    let mut best = [f64::INFINITY; 2];
    for _ in 0..60 {
        let run = |sweep: &dyn Fn(Aabb, Dir) -> u32| {
            let start = Instant::now();
            let all = bodies.iter().flat_map(|body| Dir::ALL.map(|dir| sweep(*body, dir)));
            black_box(all.sum::<u32>());
            start.elapsed().as_secs_f64()
        };
        best[0] = best[0].min(run(&|body, dir| level.sweep(body, dir, 9).moved));
        let view = level.solids_for(5);
        best[1] = best[1].min(run(&|body, dir| view.sweep_aabb(body, dir, 9, true).moved));
    }
    let ratio = best[1] / best[0];
    println!("{ratio:.2} times the level");
    assert!(ratio < 2.0, "{ratio}");
}
