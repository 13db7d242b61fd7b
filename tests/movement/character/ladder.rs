//! Ladders: climbing up and down, leaving at the sides, and standing on top.

use bitwall::character::Stance;
use bitwall::glam::IVec2;
use bitwall::{Dir, Grid};

use super::{PIXEL, Scene, gravity};

/// A ladder from the floor at y = 128 up to the floor at y = 64.
const LADDER: &str =
    "........\n........\n........\n........\n####H###\n....H...\n....H...\n....P...\n########";

fn scene() -> Scene {
    let mut scene =
        Scene::new(&LADDER.replace('P', "H").replacen("....H...\n####", "P...H...\n####", 1));
    let place = IVec2::new(4 * 16 + 2, scene.mover.body.min.y);
    scene.mover.body = scene.mover.body.translated(place - scene.mover.body.min);
    scene
}

fn on_top() -> Scene {
    let mut scene = scene();
    scene.step("up");
    scene.until_stance("up", Stance::Ground);
    scene
}

#[test]
fn a_character_climbs_a_ladder_to_the_top_and_stands_there() {
    for climb_speed in [0.3, 1.0, 7.0] {
        let mut scene = scene();
        scene.feel.climb_speed = climb_speed;
        assert_eq!(scene.step("up").to, Stance::Ladder);
        let steps = scene.until("up", |scene| {
            assert!(scene.feet() >= 64, "no higher than the top");
            scene.player.stance == Stance::Ground
        });
        assert_eq!(scene.feet(), 64, "with its feet at the top");
        if climb_speed == 1.0 {
            assert_eq!(steps, 64); // In the last step it no longer rises.
        }
        // With the key up or no key it stands on top, because there is no more ladder to climb.
        for keys in ["up", ""] {
            let outcome = scene.hold(keys, 20);
            assert_eq!((outcome.to, scene.feet()), (Stance::Ground, 64), "{keys}");
            assert!(outcome.motion.grounded && scene.velocity().y == 0);
        }
    }
}

#[test]
fn a_character_stays_on_a_ladder_while_no_key_is_held() {
    let mut scene = scene();
    scene.hold("up", 30);
    let feet = scene.feet();
    let outcome = scene.hold("", 50);
    assert_eq!((scene.feet(), outcome.to), (feet, Stance::Ladder));
    assert_eq!(scene.velocity().y, 0);
}

#[test]
fn the_top_of_a_ladder_is_a_floor_to_walk_over_and_to_land_on() {
    // Walks from the floor on the left over the ladder to the floor on the right.
    let mut scene = on_top();
    scene.until("left", |scene| scene.mover.body.min.x < 20);
    for _ in 0..60 {
        let outcome = scene.step("right");
        assert_eq!((outcome.to, scene.feet()), (Stance::Ground, 64));
    }
    assert!(scene.mover.body.min.x > 80);
    // A ladder without a floor beside it stops a body that falls onto it, at any speed.
    for speed in [0, 1, 4, 30, 100] {
        let mut scene = Scene::new("....\n.P..\n....\n....\n....\n.H..\n.H..\n####");
        scene.set_velocity_y(speed * PIXEL);
        scene.feel.fall_limit = f32::MAX;
        let landed = scene.until_stance("", Stance::Ground);
        assert_eq!(scene.feet(), 80, "{speed} after {landed}");
        // The body jumps from the top as from a floor.
        assert_eq!(scene.step("jump").jumped_from, Some(Stance::Ground));
    }
}

#[test]
fn the_down_key_moves_a_character_down_a_ladder_to_its_end() {
    for climb_speed in [0.3, 1.0, 7.0] {
        let mut scene = on_top();
        scene.feel.climb_speed = climb_speed;
        let outcome = scene.step("down");
        assert_eq!(outcome.to, Stance::Ladder);
        scene.until_stance("down", Stance::Ground);
        assert_eq!(scene.feet(), 128, "on the floor at the bottom");
        assert_eq!(scene.hold("down", 20).to, Stance::Ground);
    }
    // At the end of a ladder in the air, the body falls.
    let mut scene = Scene::new("....\n.P..\n.H..\n.H..\n....\n....\n....\n####");
    scene.step("down");
    scene.until_stance("down", Stance::Air);
    assert_eq!(scene.feet(), 64 + 24, "its head has left the ladder");
}

#[test]
fn a_ladder_with_one_way_cells_behaves_like_a_ladder_without_them() {
    let mut plain = scene();
    let mut guarded = plain.clone();
    let mut guards = Grid::new(8, 9).unwrap();
    (4..8).for_each(|row| guards.set(4, row, true).unwrap());
    guarded.level = guarded.level.with_one_way(Dir::Up, guards).unwrap();
    for (keys, steps) in [("up", 80), ("", 5), ("down", 30), ("", 9), ("up", 90), ("down", 100)] {
        for step in 0..steps {
            plain.step(keys);
            guarded.step(keys);
            let states = |scene: &Scene| (scene.mover.body, scene.velocity());
            assert_eq!(states(&plain), states(&guarded), "{keys} {step}");
        }
    }
}

#[test]
fn a_character_that_jumps_off_a_ladder_does_not_grab_it_again_while_rising() {
    let mut scene = scene();
    scene.hold("up", 20);
    let outcome = scene.step("up jump");
    assert_eq!((outcome.jumped_from, outcome.to), (Some(Stance::Ladder), Stance::Air));
    assert_eq!(scene.velocity().y, -21 * gravity(&scene.feel));
    while scene.velocity().y < 0 {
        assert_eq!(scene.player.stance, Stance::Air);
        scene.step("up jump");
    }
    // With the key down it lets go without a jump, and can grab the ladder again.
    let mut scene = self::scene();
    scene.hold("up", 40);
    let outcome = scene.step("down jump");
    assert_eq!((outcome.jumped_from, outcome.to), (None, Stance::Air));
    scene.hold("", 3);
    assert!(scene.velocity().y > 0 && scene.player.stance == Stance::Air);
    assert_eq!(scene.step("up").to, Stance::Ladder);
}

#[test]
fn a_character_leaves_a_ladder_when_its_middle_passes_a_side_of_the_ladder() {
    for (side, edge) in [("left", 64), ("right", 80)] {
        let mut scene = scene();
        scene.hold("up", 20);
        scene.until_stance(side, Stance::Air);
        let middle = (scene.mover.body.min.x + scene.mover.body.max.x) / 2;
        assert!(i32::abs(middle - edge) <= 1, "{side} {middle}");
        // For some steps it may still jump, as after leaving a floor.
        assert_eq!(scene.clone().step("jump").jumped_from, Some(Stance::Air));
        assert_eq!(
            scene.until_stance("", Stance::Ground),
            scene.clone().until_stance("", Stance::Ground) + 14
        );
    }
}

#[test]
fn only_the_area_that_the_feel_names_is_a_ladder() {
    let mut named = scene();
    named.feel.ladder = String::new();
    let mut other = scene();
    other.feel.ladder = "stairs".to_owned();
    for scene in [&mut named, &mut other] {
        scene.hold("up", 10);
        assert_eq!((scene.player.stance, scene.feet()), (Stance::Ground, 128));
    }
    // Any name can be set as the name of ladders.
    let mut renamed = scene();
    let area = renamed.level.area("ladder").unwrap().clone();
    renamed.level = renamed.level.with_area("vine", area);
    renamed.feel.ladder = "vine".to_owned();
    assert_eq!(renamed.step("up").to, Stance::Ladder);
}

#[test]
fn a_character_grabs_a_ladder_only_if_its_middle_is_on_it() {
    for x in 40..90 {
        let mut scene = scene();
        scene.mover.body = scene.mover.body.translated(IVec2::new(x - scene.mover.body.min.x, 0));
        let is_on = (64..80).contains(&(x + 5)) || (64..80).contains(&(x + 6));
        assert_eq!(scene.step("up").to == Stance::Ladder, is_on, "{x}");
    }
}

#[test]
fn a_ladder_is_taken_from_above_wherever_the_middle_of_the_body_is_over_it() {
    let mut taken = 0;
    for x in 50..90 {
        let mut scene = on_top();
        scene.mover.body = scene.mover.body.translated(IVec2::new(x - scene.mover.body.min.x, 0));
        scene.step("");
        let is_over = (64..80).contains(&(x + 5)) || (64..80).contains(&(x + 6));
        let mut at = scene.mover.position();
        let steps = 20;
        for _ in 0..steps {
            scene.step("down");
            let to = scene.mover.position();
            assert!((to - at).abs().max_element() <= 1.0, "it moves at the speed of the climb");
            at = to;
        }
        assert_eq!(scene.player.stance == Stance::Ladder, is_over, "{x}");
        assert_eq!(scene.feet() > 64, is_over, "{x}");
        taken += u32::from(is_over);
        // Without the setting, the body must fit through the hole where it stands.
        let mut still = on_top();
        still.feel.ladder_snap = 0;
        still.mover.body = still.mover.body.translated(IVec2::new(x - still.mover.body.min.x, 0));
        still.hold("down", steps);
        assert_eq!(still.feet() > 64, (64..=68).contains(&x), "{x}");
        assert_eq!(still.mover.body.min.x, x);
    }
    assert_eq!(taken, 17);
}

#[test]
fn a_climber_moves_to_the_middle_of_a_ladder_within_ladder_snap() {
    for snap in [0, 3, 8, 30] {
        for x in 59..=73 {
            for keys in ["up", "", "down"] {
                let mut scene = scene();
                scene.feel.ladder_snap = snap;
                let aside = IVec2::new(x - scene.mover.body.min.x, 0);
                scene.mover.body = scene.mover.body.translated(aside);
                scene.hold("up", 10);
                scene.hold(keys, 9);
                let is_moved = i32::abs(x - 66) <= snap as i32;
                let expected = if is_moved { 66 } else { x };
                assert_eq!(scene.mover.body.min.x, expected, "{snap} {x} {keys}");
            }
        }
    }
    // A key to a side leads off the ladder.
    let mut scene = scene();
    scene.hold("up", 20);
    scene.until_stance("right", Stance::Air);
}
