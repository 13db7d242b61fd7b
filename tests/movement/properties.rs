//! Properties of every move, tested with a million random moves: in noise, caves, slopes and thin walls, with
//! one-way cells on all four sides, with tiles and with cells of one pixel, on all paths and with all
//! responses.

use bitwall::glam::{I64Vec2, IVec2};
use bitwall::{
    Level, Move, Mover, MoverSettings, Outside, Sides,
    geometry::Corners,
    mover::{MovePath, Response, Slope},
};
use fastrand::Rng;

use crate::movement::oracle::{self, Seen};
use crate::movement::random::{PIXEL, Plan, Symmetry, settings, translation};
use crate::support::{SubpixelSteps, rounds};

/// The number of moves that are tested on each random level.
const MOVES: usize = 250;

/// Checks `count` random moves in random levels, or a tenth of `count` in a short run.
fn many(seed: u64, count: usize, mut check: impl FnMut(&Plan, &Level, &[(Mover, I64Vec2)])) {
    let mut random = Rng::with_seed(seed);
    for _ in 0..rounds(count) / MOVES {
        let plan = Plan::random(&mut random);
        let level = plan.level();
        let moves: Vec<_> = (0..MOVES)
            .map(|_| {
                let settings = settings(&mut random);
                let mover = plan.mover(&mut random, &level, settings);
                (mover, translation(&mut random))
            })
            .collect();
        check(&plan, &level, &moves);
    }
}

fn stepped(level: &Level, mut mover: Mover, translation: I64Vec2) -> (Mover, Move) {
    let step = mover.step_subpixels(level, translation);
    (mover, step)
}

pub(crate) fn is_plain(settings: &MoverSettings) -> bool {
    let is_straight = matches!(settings.path, MovePath::Straight(_));
    is_straight || settings.floor.is_none() && settings.corner_correction == Sides::all(0)
}

/// Returns the largest possible motion on each axis in pixels: the requested motion, plus a climb, a drop or
/// a corner correction for each pixel of motion along the other axis.
pub(crate) fn most_moved(settings: &MoverSettings, step: &Move) -> IVec2 {
    // A bounce off a slanted surface can turn motion along one axis into motion along the other.
    let asked = match step.slanted_bounce() {
        Some(_) => IVec2::splat(step.asked.abs().element_sum() + 1),
        None => step.asked.abs(),
    };
    if is_plain(settings) {
        return asked;
    }
    let aside = settings.corner_correction;
    let mut each = IVec2::new(aside.up.max(aside.down) as i32, aside.left.max(aside.right) as i32);
    if let Some(floor) = settings.floor {
        let walk = settings.step_height.max(settings.snap_distance) as i32;
        each = each.max(floor.vector().abs() * walk);
        let Slope { rise, run } = settings.max_slope;
        let slide = i32::from(run.div_ceil(rise.max(1))).min(16);
        each = each.max(floor.vector().perp().abs() * slide);
    }
    asked + IVec2::new(asked.y, asked.x) * each
}

fn check_against_the_oracle(seed: u64, count: usize) {
    many(seed, count, |plan, level, moves| {
        for &(mover, translation) in moves {
            let case = || format!("{plan}{mover:?}\nby {translation}");
            let (after, step) = stepped(level, mover, translation);
            let expected = oracle::step(plan, level, mover, translation);
            assert_eq!(Seen::of(&after, &step), expected, "{}", case());
            let settings = &mover.settings;
            if !step.started_solid && settings.response != Response::Cross {
                assert!(!level.overlaps(after.body), "in a solid: {}", case());
            }
            let most = most_moved(settings, &step);
            assert!(step.moved.abs().cmple(most).all(), "too far: {}", case());
            for dir in bitwall::Dir::ALL {
                let Some(contact) = step.contacts.get(dir) else {
                    continue;
                };
                assert_eq!(contact.normal, -dir.vector(), "{}", case());
                let area = level.cell_area(contact.cell);
                let is_guard = |side| {
                    let cell = contact.cell.as_uvec2();
                    (level.one_way(side)).is_some_and(|guards| guards.is_solid(cell.x, cell.y))
                };
                let is_solid = level.overlaps(area);
                assert!(is_solid || is_guard(dir.opposite()), "{}", case());
            }
        }
    });
}

#[test]
fn a_move_agrees_with_its_pixel_by_pixel_oracle() {
    check_against_the_oracle(1, 250_000);
}

#[test]
fn a_move_agrees_with_its_pixel_by_pixel_oracle_on_a_second_seed() {
    check_against_the_oracle(2, 250_000);
}

/// True if exchanging x and y exchanges them in the answer too. That fails on a straight path whose two
/// motions are equally long, where x counts as the longer one, and a bounce can lead to such a path.
pub(crate) fn turns(mover: &Mover, step: &Move) -> bool {
    let is_tie = step.asked.x.abs() == step.asked.y.abs();
    let bounces = matches!(mover.settings.response, Response::Bounce { .. });
    !matches!(mover.settings.path, MovePath::Straight(_)) || !is_tie && !bounces
}

#[test]
fn in_a_mirrored_or_turned_level_a_move_is_mirrored_or_turned() {
    many(3, 200_000, |plan, level, moves| {
        let size = plan.size * plan.cell;
        for symmetry in Symmetry::ALL {
            let other = symmetry.plan(plan).level();
            for &(mover, translation) in moves {
                let (after, step) = stepped(level, mover, translation);
                if symmetry == Symmetry::Turn && !turns(&mover, &step) {
                    continue;
                }
                let mirrored = symmetry.mover(mover, size);
                let there = symmetry.long_vector(translation);
                let (other_after, other_step) = stepped(&other, mirrored, there);
                let expected = symmetry.seen(Seen::of(&after, &step), size);
                assert_eq!(
                    Seen::of(&other_after, &other_step),
                    expected,
                    "{symmetry:?} {plan}{mover:?}\nby {translation}"
                );
            }
        }
    });
}

#[test]
fn a_mover_moves_the_same_among_tiles_and_in_a_mask_of_the_tiles() {
    many(4, 150_000, |plan, level, moves| {
        let mask = plan.in_pixels().level();
        for &(mover, translation) in moves {
            let (after, mut step) = stepped(level, mover, translation);
            let (mask_after, mut mask_step) = stepped(&mask, mover, translation);
            let case = || format!("{plan}{mover:?}\nby {translation}");
            assert_eq!(after, mask_after, "{}", case());
            // A contact pixel of the mask must lie in the contact cell of the tile map.
            for dir in bitwall::Dir::ALL {
                let pixel = mask_step.contacts.get(dir);
                let cell = pixel.map(|contact| contact.cell.div_euclid(plan.cell));
                let found = step.contacts.get(dir).map(|contact| contact.cell);
                assert_eq!(found, cell, "{dir:?} {}", case());
            }
            step.contacts = Sides::all(None);
            mask_step.contacts = Sides::all(None);
            assert_eq!(step, mask_step, "{}", case());
        }
    });
}

/// Returns the mover without corrections, and the translation reduced to one axis.
fn along_an_axis(mover: Mover, translation: I64Vec2) -> (Mover, I64Vec2) {
    let settings = MoverSettings {
        path: mover.settings.path,
        one_way: mover.settings.one_way,
        ..MoverSettings::PLAIN
    };
    let subpixel = IVec2::ZERO;
    let mover = Mover { settings, subpixel, ..mover };
    let axis = if translation.x & 1 == 0 { I64Vec2::X } else { I64Vec2::Y };
    (mover, translation * axis)
}

#[test]
fn a_motion_along_an_axis_split_in_two_ends_at_the_same_position() {
    many(5, 100_000, |plan, level, moves| {
        for (at, &(mover, translation)) in moves.iter().enumerate() {
            let (mover, whole) = along_an_axis(mover, translation);
            let first = whole * at as i64 / MOVES as i64;
            let (halfway, _) = stepped(level, mover, first);
            let (twice, _) = stepped(level, halfway, whole - first);
            let (once, _) = stepped(level, mover, whole);
            let case = || format!("{plan}{mover:?}\nby {first} of {whole}");
            let state = |mover: Mover| (mover.body, mover.subpixel);
            assert_eq!(state(twice), state(once), "{}", case());
        }
    });
}

#[test]
fn a_free_motion_in_many_parts_and_back_ends_at_its_start() {
    let mut free = 0;
    many(6, 50_000, |plan, level, moves| {
        let open = Plan::blank(plan.size, plan.cell).level();
        let open = open.with_outside(Outside::Open);
        for (at, &(mut mover, translation)) in moves.iter().enumerate() {
            let level = if at % 2 == 0 { level } else { &open };
            mover.settings = MoverSettings { path: mover.settings.path, ..MoverSettings::PLAIN };
            mover.subpixel = IVec2::ZERO;
            let case = || format!("{plan}{mover:?}\nby {translation}");
            let (there, step) = stepped(level, mover, translation);
            let parts = (at as i64 * 7) % 64 + 1;
            let mut split = mover;
            let mut is_free = !step.is_stopped();
            let share = |part: i64| translation * part / parts;
            for part in 0..parts {
                let step = split.step_subpixels(level, share(part + 1) - share(part));
                is_free &= !step.is_stopped();
            }
            if !is_free {
                continue;
            }
            free += 1;
            assert_eq!(split.body, there.body, "in {parts} parts: {}", case());
            assert_eq!(split.subpixel, there.subpixel, "in {parts} parts: {}", case());
            let (back, step) = stepped(level, there, -translation);
            if !step.is_stopped() {
                assert_eq!((back.body, back.subpixel), (mover.body, IVec2::ZERO), "{}", case());
            }
        }
    });
    assert!(free > rounds(20_000), "{free}");
}

#[test]
fn body_and_subpixel_together_are_the_exact_sum_of_all_translations() {
    let level = Plan::blank(IVec2::ONE, IVec2::ONE).level();
    let level = level.with_outside(Outside::Open);
    let mut random = Rng::with_seed(7);
    for path in [MovePath::XThenY, MovePath::Straight(Corners::Pass)] {
        let settings = MoverSettings { path, ..MoverSettings::PLAIN };
        let mut mover = Mover::new(bitwall::Aabb::from_xywh(9, 9, 3, 3), settings);
        let mut place = mover.body.min.as_i64vec2() * PIXEL;
        for _ in 0..25_000 {
            let by = translation(&mut random);
            place += by;
            mover.step_subpixels(&level, by);
            let now = mover.body.min.as_i64vec2() * PIXEL + mover.subpixel.as_i64vec2();
            assert_eq!(now, place);
        }
    }
}
