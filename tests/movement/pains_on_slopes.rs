//! One test for each complaint of users of other libraries about jumps on slopes. The numbers in the comments
//! are the numbers of the issues.

use bitwall::character::{Platformer, Stance};
use bitwall::glam::{IVec2, UVec2};
use bitwall::mover::Response;
use bitwall::{Aabb, Dir, Mover, MoverSettings, Sides};

use super::character::{RATE, Scene, feel};
use crate::support::{cells, ground};

/// The slopes that the tests use, each as (rise, run).
const SLOPES: [(i32, i32); 5] = [(1, 4), (1, 2), (1, 1), (3, 2), (2, 1)];

/// Creates a scene with a character on the left of a hill. The slope rises from column 100 to 300, and after
/// it follow a level top of 50 columns and the same slope downward.
fn before_a_hill((rise, run): (i32, i32)) -> Scene {
    let height = |x: i32| 20 + (x - 100).min(550 - x).clamp(0, 200) * rise / run;
    let level = cells(ground(UVec2::new(800, 600), height), 1);
    let body = Aabb::from_xywh(30, 560, 12, 20);
    let mover = Mover::new(body, MoverSettings::platformer());
    let mut scene = Scene { level, mover, player: Platformer::new(RATE), feel: feel() };
    scene.until_stance("", Stance::Ground);
    scene
}

/// Lets the character run over a hill with this slope, as (rise, run), and calls `visit` after each step.
fn on_each_step_over(slope: (i32, i32), visit: &mut dyn FnMut(&Scene)) {
    let mut scene = before_a_hill(slope);
    while scene.mover.body.max.x < 640 {
        scene.step("right");
        assert_eq!(scene.player.stance, Stance::Ground, "{slope:?} {:?}", scene.mover);
        visit(&scene);
    }
}

/// True if a floor is less than `reach` pixels below the character.
fn is_near_floor(scene: &Scene, reach: u32) -> bool {
    !scene.level.can_move(scene.mover.body, Dir::Down, reach)
}

/// Construct-bugs#2532 and #7776, platform_template#46: no jump starts while a character walks up or down a
/// slope. bevy-tnua#117: the jump is far too high.
#[test]
fn a_jump_starts_at_once_on_each_slope_and_nothing_but_the_slope_makes_it_higher() {
    for (rise, run) in SLOPES {
        // In the step in which the jump starts, the character walks on before it rises.
        let highest = 44 + (7 * rise + 4 * run - 1) / (4 * run);
        on_each_step_over((rise, run), &mut |scene| {
            for keys in ["right jump", "jump", "left jump"] {
                let mut jump = scene.clone();
                let from = jump.step(keys).jumped_from;
                assert_eq!(from, Some(Stance::Ground), "{rise}:{run} {keys}");
                let mut reached = 0;
                while jump.player.stance != Stance::Ground {
                    let height = scene.top() - jump.top();
                    assert!(height <= highest || is_near_floor(&jump, 4), "{rise}:{run} {height}");
                    reached = reached.max(height);
                    jump.step(keys);
                }
                assert!(reached >= 44, "{rise}:{run} {keys} {reached}");
            }
        });
    }
}

/// Construct-bugs#4127: a character slides up a slope during a jump and does not land.
#[test]
fn a_jump_onto_a_slope_lands_as_soon_as_it_touches_the_slope_and_does_not_rise() {
    for slope in SLOPES {
        on_each_step_over(slope, &mut |scene| {
            for hold in [1, 4, 40] {
                let mut jump = scene.clone();
                for count in 0.. {
                    jump.step(if count < hold { "right jump" } else { "right" });
                    let lands = is_near_floor(&jump, 1) && jump.velocity().y >= 0;
                    assert_eq!(jump.player.stance == Stance::Ground, lands, "{slope:?} {count}");
                    if lands {
                        break;
                    }
                }
            }
        });
    }
}
/// GDevelop#5077: a character loses its speed when it lands on a slope or jumps from a slope.
#[test]
fn jumps_from_and_onto_slopes_keep_the_speed_of_the_run() {
    for slope in SLOPES {
        on_each_step_over(slope, &mut |scene| {
            let speed = scene.velocity().x;
            let mut jump = scene.clone();
            while jump.mover.body.max.x <= 640 {
                jump.step("right jump");
                let case = (&jump.player, &jump.mover.body);
                assert!(jump.velocity().x >= speed, "{slope:?} {case:?}");
            }
        });
    }
}

/// A body that lands and meets a step in the same step of the game measures the height from the floor on
/// which it lands.
#[test]
fn a_falling_body_keeps_its_speed_at_a_step_only_if_it_lands_and_can_walk_up() {
    let settings =
        MoverSettings { corner_correction: Sides::all(0), ..MoverSettings::platformer() };
    let settings_of = |response| MoverSettings { response, ..settings };
    for (step, above, fall, response, goes_on) in [
        (4, 0, 0.5, Response::Slide, true),
        (4, 2, 2.0, Response::Slide, true),
        (4, 2, 2.5, Response::Slide, true),
        (4, 2, 1.9, Response::Slide, false),
        (5, 2, 2.5, Response::Slide, false),
        (40, 2, 9.0, Response::Slide, false),
        (4, 2, -2.0, Response::Slide, false),
        (4, 2, 2.5, Response::Stop, false),
        (4, 2, 2.5, Response::Bounce { restitution: 50 }, false),
    ] {
        let height = |x: i32| if x < 50 { 20 } else { 20 + step };
        let level = cells(ground(UVec2::new(100, 100), height), 1);
        // The body is in the air, 3 pixels to the left of the step.
        let body = Aabb::from_xywh(35, 60 - above, 12, 20);
        let mut mover = Mover::new(body, settings_of(response));
        let moved = mover.step(&level, (6.0, fall)).unwrap();
        let case = (step, above, fall, response);
        assert_eq!(moved.contacts.right.is_none(), goes_on || above == 0 && step <= 4, "{case:?}");
        let place = if goes_on { IVec2::new(41, 60 - step) } else { mover.body.min };
        assert_eq!(mover.body.min, place, "{case:?}");
    }
}
