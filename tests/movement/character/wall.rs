//! Wall slides and wall jumps.

use bitwall::Dir;
use bitwall::character::Stance;
use bitwall::glam::I64Vec2;

use super::{Scene, gravity, subpixels};
use crate::support::to_subpixels;

/// A shaft between two walls, 36 pixels wider than the body.
const SHAFT: &str =
    "#...#\n#...#\n#.P.#\n#...#\n#...#\n#...#\n#...#\n#...#\n#...#\n#...#\n#...#\n#...#\n#####";

fn against(side: &str) -> Scene {
    let mut scene = Scene::new(SHAFT);
    let dir: Dir = side.parse().unwrap();
    scene.until_stance(side, Stance::WallSlide(dir));
    scene
}

#[test]
fn a_character_slides_on_a_wall_only_while_it_falls_and_steers_toward_it() {
    for side in ["left", "right"] {
        let mut scene = against(side);
        scene.step(side);
        let slide = subpixels(scene.feel.wall_slide_speed);
        assert_eq!(scene.velocity().y, slide);
        // Without the key it falls freely.
        let outcome = scene.step("");
        assert_eq!((scene.velocity().y, outcome.to), (slide + gravity(&scene.feel), Stance::Air));
        // While it rises along the wall it does not slide.
        scene.set_velocity_y(-slide * 3);
        let outcome = scene.step(side);
        assert_eq!(outcome.to, Stance::Air);
        assert_eq!(scene.velocity().y, gravity(&scene.feel) - slide * 3);
        // With a slide speed of 0 it does not slide.
        let mut scene = against(side);
        scene.feel.wall_slide_speed = 0.0;
        scene.hold(side, 10);
        assert_eq!(scene.step(side).to, Stance::Air, "the feature is off");
        assert!(scene.velocity().y > slide);
    }
    let mut scene = Scene::new(SHAFT);
    scene.hold("", 20);
    assert_eq!(scene.player.stance, Stance::Air, "no wall touches it");
}

#[test]
fn a_jump_from_a_wall_leads_away_from_it_on_both_sides_alike() {
    let speed = to_subpixels(Scene::new(SHAFT).feel.wall_jump);
    for (side, away) in [("left", 1), ("right", -1)] {
        let mut scene = against(side);
        let outcome = scene.step(&format!("{side} jump"));
        assert_eq!(outcome.jumped_from, Some(Stance::WallSlide(side.parse().unwrap())));
        assert_eq!(scene.velocity(), I64Vec2::new(away * speed.x, -speed.y));
        // The keys steer again after `wall_jump_steps` further steps.
        let mut unsteered = 0;
        while scene.step(&format!("{side} jump")).motion.contacts == Default::default()
            && scene.velocity().x == away * speed.x
        {
            unsteered += 1;
        }
        assert_eq!(unsteered, scene.feel.wall_jump_time as i32);
    }
}

#[test]
fn with_0_wall_jump_steps_the_keys_steer_at_once_after_a_wall_jump() {
    let mut scene = against("left");
    scene.feel.wall_jump_time = 0.0;
    scene.step("left jump");
    let fast = scene.velocity().x;
    scene.step("left jump");
    assert_eq!(scene.velocity().x, fast - subpixels(scene.feel.air_acceleration));
}

#[test]
fn a_character_jumps_only_from_a_wall_within_wall_reach() {
    for (distance, reach) in [(0, 0), (0, 1), (2, 2), (2, 3), (3, 3), (3, 4)] {
        let mut scene = Scene::new(SHAFT);
        scene.feel.wall_reach = reach;
        let left = 16 - scene.mover.body.min.x + distance;
        scene.mover.body = scene.mover.body.translated(bitwall::glam::IVec2::new(left, 0));
        let jumped = scene.step("jump").jumped_from;
        let expected = (distance < reach as i32).then_some(Stance::WallSlide(Dir::Left));
        assert_eq!(jumped, expected, "a wall {distance} pixels away, reach {reach}");
    }
    let mut scene = against("left");
    scene.feel.wall_jump.y = 0.0;
    assert_eq!(scene.step("left jump").jumped_from, None, "the feature is off");
}

#[test]
fn between_two_walls_a_character_jumps_off_the_nearer_or_the_steered_one() {
    // The shaft is 16 pixels wide, which leaves 2 on each side of the body.
    let shaft = "#.#\n#P#\n#.#\n#.#\n#.#\n#.#";
    for (keys, side) in
        [("left jump", Some(Dir::Left)), ("right jump", Some(Dir::Right)), ("jump", None)]
    {
        let mut scene = Scene::new(shaft);
        assert_eq!(scene.step(keys).jumped_from, side.map(Stance::WallSlide), "{keys}");
    }
    for (x, side) in [(-1, Dir::Left), (1, Dir::Right)] {
        let mut scene = Scene::new(shaft);
        scene.feel.wall_reach = 9;
        scene.mover.body = scene.mover.body.translated(bitwall::glam::IVec2::new(x, 0));
        for keys in ["jump", "left jump", "right jump"] {
            let mut scene = scene.clone();
            assert_eq!(scene.step(keys).jumped_from, Some(Stance::WallSlide(side)));
        }
    }
}

#[test]
fn a_character_on_a_floor_beside_a_wall_jumps_from_the_floor() {
    let mut scene = Scene::new("#...\n#...\n#P..\n####");
    scene.hold("left", 20);
    assert_eq!(scene.step("left jump").jumped_from, Some(Stance::Ground));
    assert_eq!(scene.velocity().x, 0);
}

#[test]
fn one_way_cells_are_no_walls() {
    let mut scene = Scene::new("....\n....\n.P..\n....\n....\n....\n####");
    let side = bitwall::Grid::from_text("..#.\n..#.\n..#.\n..#.\n..#.\n..#.\n..#.").unwrap();
    scene.level = scene.level.with_one_way(Dir::Left, side).unwrap();
    let outcome = scene.hold("right", 12);
    assert!(outcome.motion.contacts.right.is_some(), "it is held");
    assert_eq!(outcome.to, Stance::Air);
    assert_eq!(scene.step("right jump").jumped_from, None);
}
