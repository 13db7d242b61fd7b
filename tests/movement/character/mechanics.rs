//! Air jumps, dashes, forces, crouching and wind. `random` plays them in eight orientations and in worlds.

use bitwall::character::{Input, Stance};
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::world::{Body, Player, World};
use bitwall::{Aabb, Dir, Grid, Level, MoverSettings};

use super::{PIXEL, RATE, Scene, feel, subpixels};

/// A hall of 16 x 14 cells with a floor at y = 208.
const HALL: &str = "
    ................
    ................
    ................
    ................
    ................
    ................
    ................
    ................
    ................
    ................
    ................
    ................
    .......P........
    ################";

/// A passage of 16 pixels below a block, between two open places.
const PASSAGE: &str = "
    ............
    ............
    ....####....
    .P..####....
    ............
    ############";

#[test]
fn each_jump_in_the_air_adds_the_whole_height_until_none_is_left() {
    for jumps in 0..4 {
        let mut scene = Scene::new(HALL);
        scene.feel.air_jumps = jumps;
        let floor = scene.feet();
        scene.hold("jump", 21);
        for number in 1..=4 {
            let before = scene.feet();
            scene.step("");
            let from = scene.step("jump").jumped_from;
            assert_eq!(from.is_some(), number <= jumps, "{number} of {jumps}");
            if from.is_some() {
                assert_eq!(from, Some(Stance::Air));
                scene.hold("jump", 20);
                // It fell for a step between the jumps.
                assert!((43..=44).contains(&(before - scene.feet())), "{}", before - scene.feet());
            }
        }
        assert!(floor - scene.feet() > 40 * (i32::from(jumps) + 1) - 4);
        // The floor gives the jumps back.
        scene.until_stance("", Stance::Ground);
        scene.hold("jump", 10);
        scene.step("");
        assert_eq!(scene.step("jump").jumped_from.is_some(), jumps > 0);
    }
}

#[test]
fn a_wall_is_jumped_from_before_a_jump_in_the_air_is_used() {
    let mut scene = Scene::new("#....\n#....\n#P...\n#....\n#....\n#....\n#####");
    scene.feel.air_jumps = 1;
    scene.mover.body = scene.mover.body.translated(IVec2::new(-2, 0));
    assert_eq!(scene.step("jump").jumped_from, Some(Stance::WallSlide(Dir::Left)));
    assert_eq!(scene.player.facing, Some(Dir::Right));
    scene.hold("", 12);
    assert_eq!(scene.step("jump").jumped_from, Some(Stance::Air));
    scene.step("");
    assert_eq!(scene.step("jump").jumped_from, None);
}

/// A dash of 12 steps with 5 pixels a step.
fn dasher(text: &str) -> Scene {
    let mut scene = Scene::new(text);
    (scene.feel.dash_speed, scene.feel.dash_time, scene.feel.dash_wait) = (5.0, 12.0, 6.0);
    scene
}

#[test]
fn a_dash_leads_straight_without_gravity_and_friction_and_ends_at_the_top_speed() {
    for (keys, toward) in [
        ("right", IVec2::new(60, 0)),
        ("left", IVec2::new(-60, 0)),
        ("up", IVec2::new(0, -60)),
        ("right up", IVec2::new(42, -42)),
        ("left up", IVec2::new(-42, -42)),
    ] {
        let mut scene = dasher(HALL);
        scene.mover.body = scene.mover.body.translated(IVec2::new(0, -80));
        scene.player.stance = Stance::Air;
        let start = scene.mover.body.min;
        scene.step(&format!("{keys} dash"));
        assert!(scene.player.is_dashing());
        // Keys do not steer it.
        scene.hold("left down", 11);
        assert_eq!(scene.mover.body.min - start, toward, "{keys}");
        assert!(!scene.player.is_dashing());
        let most = subpixels(scene.feel.top_speed);
        assert!(scene.velocity().abs().max_element() <= most, "{keys}");
        // The next dash needs a floor, and the wait.
        scene.hold("", 8);
        scene.step("right dash");
        assert!(!scene.player.is_dashing(), "{keys}: no second dash in the air");
        scene.until_stance("", Stance::Ground);
        scene.hold("", 6);
        scene.step("right dash");
        assert!(scene.player.is_dashing(), "{keys}");
    }
    // A held key is one press, and on the floor the wait counts.
    let mut scene = dasher(HALL);
    scene.hold("right dash", 12);
    let after = scene.mover.body.min.x;
    scene.hold("dash", 20);
    assert!(scene.mover.body.min.x - after < 12);
    let mut scene = dasher(HALL);
    scene.hold("right dash", 12);
    let mut waits = 0;
    while !scene.player.is_dashing() {
        scene.step("");
        scene.step("right dash");
        waits += 2;
    }
    assert!((7..=8).contains(&waits), "{waits}");
}

#[test]
fn without_keys_a_dash_leads_to_the_side_to_which_the_character_faces() {
    let mut scene = dasher(HALL);
    let start = scene.mover.body.min;
    scene.step("dash");
    assert!(!scene.player.is_dashing() && scene.mover.body.min == start, "it faces no side yet");
    scene.hold("left", 3);
    scene.hold("", 40);
    assert_eq!(scene.player.facing, Some(Dir::Left));
    let start = scene.mover.body.min.x;
    scene.hold("dash", 12);
    assert_eq!(scene.mover.body.min.x - start, -60);
    // Without a speed the feature is off.
    let mut scene = Scene::new(HALL);
    scene.step("right dash");
    assert!(!scene.player.is_dashing());
}

#[test]
fn a_wall_ends_a_dash_along_its_axis_and_a_jump_ends_it() {
    let mut scene = dasher("....#\n....#\n.P..#\n....#\n....#\n....#\n#####");
    let top = scene.top();
    scene.hold("right up dash", 12);
    assert_eq!(scene.mover.body.max.x, 64);
    assert_eq!(top - scene.top(), 24, "it goes on up to the end of the level");
    assert_eq!(scene.velocity().x, 0);
    let mut scene = dasher(HALL);
    scene.hold("right dash", 4);
    let outcome = scene.step("right jump dash");
    assert_eq!(outcome.jumped_from, Some(Stance::Ground), "it dashes along the floor");
    assert!(!scene.player.is_dashing() && scene.velocity().y < 0);
}

#[test]
fn a_force_is_kept_for_its_time_against_keys_gravity_and_the_limit_of_the_fall() {
    for velocity in [Vec2::new(-3.0, -2.0), Vec2::new(2.0, 0.0), Vec2::new(1.0, 9.0)] {
        let mut scene = Scene::new(HALL);
        scene.mover.body = scene.mover.body.translated(IVec2::new(0, -100));
        let start = scene.mover.body.min;
        scene.player.force(velocity, 10.0);
        scene.hold("right", 10);
        assert_eq!(scene.mover.body.min - start, (velocity * 10.0).as_ivec2(), "{velocity}");
        let before = scene.velocity();
        scene.step("");
        assert_ne!(scene.velocity(), before, "gravity and friction are back");
    }
    // It lets go of a ladder.
    let mut scene = Scene::new("....\n.H..\n.H..\n.P..\n####");
    scene.mover.body = scene.mover.body.translated(IVec2::new(0, -12));
    assert_eq!(scene.step("up").to, Stance::Ladder);
    scene.player.force([2.0, 0.0], 5.0);
    let outcome = scene.step("up");
    assert_eq!((outcome.to, outcome.motion.moved), (Stance::Air, IVec2::new(2, 0)));
}

/// A crouch of 12 pixels, with half a pixel a step.
fn croucher(text: &str) -> Scene {
    let mut scene = Scene::new(text);
    (scene.feel.crouch_height, scene.feel.crouch_speed) = (12, 0.5);
    scene
}

#[test]
fn a_crouching_body_is_lower_and_slower_and_its_feet_stay() {
    let mut scene = croucher(HALL);
    let standing = scene.mover.body;
    scene.step("down");
    assert!(scene.player.is_crouching());
    let low = Aabb { min: IVec2::new(standing.min.x, standing.max.y - 12), ..standing };
    assert_eq!(scene.mover.body, low);
    scene.hold("right down", 60);
    assert_eq!(scene.velocity().x, PIXEL / 2);
    scene.step("");
    assert_eq!(scene.mover.body.size(), standing.size());
    assert_eq!(scene.feet(), standing.max.y);
    // It does not crouch in the air, and not without a height.
    scene.hold("jump", 5);
    scene.step("down");
    assert!(!scene.player.is_crouching());
    let mut scene = Scene::new(HALL);
    scene.step("down");
    assert_eq!(scene.mover.body, standing);
}

#[test]
fn a_body_stands_up_and_jumps_only_where_there_is_room() {
    let mut scene = croucher(PASSAGE);
    scene.until_stance("", Stance::Ground);
    scene.hold("right", 60);
    assert_eq!(scene.mover.body.max.x, 64, "it is too high for the passage");
    scene.hold("right down", 60);
    assert!(scene.mover.body.min.x > 64, "{:?}", scene.mover.body);
    scene.hold("", 10);
    assert!(scene.player.is_crouching(), "the ceiling is too low");
    let place = scene.mover.body;
    for _ in 0..8 {
        assert_eq!(scene.step("jump").jumped_from, None);
        scene.step("");
    }
    assert_eq!(scene.mover.body, place);
    // It goes on crouching, and jumps from the end of the passage, where it stands up.
    scene.until("right", |scene| scene.mover.body.min.x >= 128);
    assert_eq!(scene.step("right jump").jumped_from, Some(Stance::Ground));
    assert!(!scene.player.is_crouching());
    assert_eq!(scene.mover.body.height(), 24);
}

#[test]
fn a_crouching_body_stands_up_beside_its_old_floor_after_the_floor_has_turned() {
    for floor in [Dir::Left, Dir::Right] {
        // On the old floor it has room above it; below the ceiling it has room below it.
        for ceiling in [false, true] {
            let mut scene = croucher(HALL);
            let standing = scene.mover.body.size();
            scene.step("down");
            let low = scene.mover.body;
            let top = if ceiling { 0 } else { low.min.y };
            scene.mover.body = low.translated(IVec2::new(0, top - low.min.y));
            scene.feel.floor = floor;
            scene.step("");
            assert!(!scene.player.is_crouching());
            assert_eq!(scene.mover.body.size(), standing);
            assert_eq!(if ceiling { scene.top() } else { low.max.y - scene.feet() }, 0);
        }
    }
}

#[test]
fn down_and_jump_drop_a_crouching_body_through_a_one_way_floor() {
    let mut scene = croucher("......\n..P...\n------\n......\n......\n######");
    scene.hold("down", 5);
    assert!(scene.player.is_crouching());
    assert!(scene.step("down jump").dropped);
    scene.hold("", 4);
    assert!(scene.feet() > 34 && scene.mover.body.height() == 24);
}

#[test]
fn wind_moves_a_body_on_a_floor_and_in_the_air_beside_its_own_velocity() {
    let mut scene = Scene::new(HALL);
    scene.feel.carry = Vec2::new(1.5, 0.0);
    let start = scene.mover.body.min;
    scene.hold("", 20);
    assert_eq!((scene.mover.body.min - start, scene.velocity().x), (IVec2::new(30, 0), 0));
    scene.hold("jump", 21);
    assert_eq!(scene.mover.body.min - start, IVec2::new(61, -44));
    // A wall stops it, and the own velocity stays.
    scene.hold("", 120);
    assert_eq!(scene.mover.body.max.x, 256);
    // Against the wind, the body keeps its own speed.
    scene.hold("left", 20);
    assert_eq!(scene.velocity().x, -subpixels(scene.feel.top_speed));
    // A wind that is stronger than the fall lifts the body.
    let mut scene = Scene::new(HALL);
    scene.feel.carry = Vec2::new(0.0, -5.0);
    let feet = scene.feet();
    scene.hold("", 30);
    assert!(feet - scene.feet() > 30, "{}", feet - scene.feet());
}

fn empty() -> Level {
    Level::from_grid(Grid::new(40, 20).unwrap(), UVec2::splat(16)).unwrap()
}

#[test]
fn a_player_of_a_world_is_forced_and_crouches_under_a_crate() {
    let level = empty();
    let mut world = World::new(RATE);
    let body = Body::character(Aabb::from_xywh(100, 300, 12, 20), MoverSettings::platformer());
    let hero = world.add(body);
    let mut feel = feel();
    (feel.crouch_height, feel.crouch_speed) = (10, 0.5);
    let mut players = [Player::new(hero, feel)];
    let [player] = &mut players;
    world.force(player, [-3.0, -2.0], 10.0);
    (0..10).for_each(|_| world.step_players(&level, &mut players));
    assert_eq!(world.get(hero).unwrap().aabb.min, IVec2::new(70, 280));
    (0..80).for_each(|_| world.step_players(&level, &mut players));
    players[0].input = Input::from_keys(false, false, false, true, false);
    world.step_players(&level, &mut players);
    let low = world.get(hero).unwrap().aabb;
    assert_eq!((low.height(), low.max.y), (10, 320));
    // A platform comes over the crouching player.
    let lid = world.add(Body::platform(Aabb::from_xywh(low.min.x - 20, 300, 60, 8)));
    players[0].input = Input::NONE;
    (0..5).for_each(|_| world.step_players(&level, &mut players));
    assert_eq!(world.get(hero).unwrap().aabb, low, "it has no room");
    world.remove(lid);
    world.step_players(&level, &mut players);
    assert_eq!(world.get(hero).unwrap().aabb.height(), 20);
    assert!(!players[0].state().is_crouching());
}
