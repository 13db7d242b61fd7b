//! Answers of movers: steps of boxes and footprints, with every preset, path and response.

use bitwall::footprint::Footprint;
use bitwall::geometry::Corners;
use bitwall::glam::{I64Vec2, IVec2, Vec2};
use bitwall::mover::{MovePath, Response};
use bitwall::{Aabb, Dir, Level, Move, Mover, MoverSettings, Sides, Solids};

use super::random::Random;
use super::{Answers, pixels, subpixels};

pub(super) fn ask(answers: &mut Answers) {
    let mut random = Random::new(2);
    let capsule = Footprint::capsule(bitwall::glam::UVec2::new(10, 18)).expect("sides in range");
    for _ in 0..36 {
        let mut level = random.level();
        for name in ["water", "ladder"] {
            level = level.with_area(name, random.level().terrain().clone());
        }
        for settings in settings() {
            walk(answers, &mut random, &level, &level, settings);
        }
        let round = level.with_footprint(&capsule);
        walk(answers, &mut random, &level, &round, MoverSettings::platformer());
    }
}

fn settings() -> [MoverSettings; 11] {
    let plain = MoverSettings::PLAIN;
    [
        plain,
        MoverSettings::platformer(),
        MoverSettings::top_down(),
        MoverSettings { path: MovePath::YThenX, ..MoverSettings::platformer() },
        MoverSettings { path: MovePath::Straight(Corners::Block), ..plain },
        MoverSettings { path: MovePath::Straight(Corners::Pass), ..MoverSettings::top_down() },
        MoverSettings { response: Response::Stop, ..plain },
        MoverSettings { response: Response::Bounce { restitution: 80 }, ..plain },
        MoverSettings { response: Response::Cross, ..plain },
        MoverSettings { floor: Some(Dir::Left), step_height: 9, snap_distance: 1, ..plain },
        MoverSettings { one_way: Sides::all(false), ..MoverSettings::platformer() },
    ]
}

/// Makes a step of `velocity`, in 65,536ths of a pixel. Beyond 256 pixels it is rounded to `f32`.
fn step(mover: &mut Mover, solids: &impl Solids, velocity: I64Vec2) -> Move {
    mover.step(solids, pixels(velocity)).expect("a finite translation")
}

/// Walks with a mover: gravity, jumps, drops through one-way floors, and sometimes a leap out of the level.
fn walk(
    answers: &mut Answers,
    random: &mut Random,
    level: &Level,
    solids: &impl Solids,
    settings: MoverSettings,
) {
    let size = level.size().as_ivec2();
    let at = random.point(IVec2::ZERO, size);
    let mut mover = Mover::new(Aabb::from_xywh(at.x, at.y, 10, 18), settings);
    answers.add("unstuck bodies", mover.unstick(solids, 30));
    let mut velocity = I64Vec2::ZERO;
    // Only these movers may take long steps; others visit every pixel of the path.
    let is_quick =
        !matches!(settings.path, MovePath::Straight(_)) && settings.one_way == Sides::all(true);
    let pixel = i64::from(Mover::SUBPIXELS);
    for _ in 0..250 {
        match random.bits() % 40 {
            0 => velocity.y = -random.within(0, 9 * pixel),
            1..4 => velocity.x = random.within(-6 * pixel, 6 * pixel),
            4 => answers.add("drops", mover.drop_through(solids)),
            5 => answers.add("touches", mover.touching(solids)),
            6 if random.once_in(8) && is_quick => {
                velocity = I64Vec2::new(random.within(-1 << 40, 1 << 40), 1 << 36);
            }
            7 if random.once_in(8) => {
                let body = random.body(size);
                // A huge body takes one step instead of a walk.
                let kept = std::mem::replace(&mut mover.body, body);
                answers.add("steps of movers", step(&mut mover, solids, velocity));
                answers.add("touches", mover.touching(solids));
                if body.width().max(body.height()) > 50 {
                    mover.body = kept;
                }
            }
            8 => {
                let hop = Vec2::new(random.int(-900, 900) as f32 / 70.0, 0.3);
                let moved = mover.step(solids, hop).expect("a finite translation");
                answers.add("steps of movers", (moved, moved.velocity(hop)));
            }
            _ => velocity.y = velocity.y.saturating_add(pixel / 5),
        }
        let moved = step(&mut mover, solids, velocity);
        velocity = subpixels(moved.velocity(pixels(velocity)));
        answers.add("steps of movers", (moved, (velocity, (mover.body, mover.subpixel))));
        answers.add("checksums", mover.checksum());
        let limit = I64Vec2::splat(40 * pixel);
        velocity = velocity.clamp(-limit, limit);
        for areas in [moved.entered(level).collect::<Vec<_>>(), moved.left(level).collect()] {
            areas.iter().for_each(|name| answers.add("areas", *name));
        }
    }
}
