//! Floors that are not down: a character that falls up, or toward a wall.

use bitwall::character::Stance;
use bitwall::{Aabb, Dir, MoverSettings};

use super::{Scene, input};

/// A room with a floor, a ceiling and two walls, 8 cells wide and high.
const ROOM: &str = "
    ########
    #......#
    #......#
    #......#
    #..P...#
    #......#
    #......#
    ########";

/// Falls to the floor at `floor`.
fn landed(floor: Dir) -> Scene {
    let mut scene = Scene::new(ROOM);
    scene.feel.floor = floor;
    scene.until_stance("", Stance::Ground);
    assert!(!scene.level.can_move(scene.mover.body, floor, 1));
    scene
}

#[test]
fn a_character_falls_to_its_floor_and_jumps_from_it_by_the_whole_height() {
    for floor in Dir::ALL {
        let mut scene = landed(floor);
        let start = scene.mover.body;
        let away = floor.opposite();
        scene.hold("jump", 21);
        assert_eq!(scene.mover.body, start.shifted(away, 44), "{floor:?}");
        scene.until_stance("jump", Stance::Ground);
        assert_eq!(scene.mover.body, start, "{floor:?}");
    }
}

#[test]
fn the_keys_are_those_of_the_level_for_each_floor() {
    for (floor, keys, toward) in [
        (Dir::Down, "right", Dir::Right),
        (Dir::Up, "right", Dir::Right),
        (Dir::Left, "up", Dir::Up),
        (Dir::Right, "down", Dir::Down),
    ] {
        let mut scene = landed(floor);
        let start = scene.mover.body.min;
        scene.hold(keys, 12);
        let moved = scene.mover.body.min - start;
        assert!((moved * toward.vector()).element_sum() > 10, "{floor:?} {moved}");
        assert_eq!(scene.player.stance, Stance::Ground);
        // Keys along the axis of the fall do not move the character.
        let across = if floor.axis() == bitwall::Axis::Y { "up" } else { "left" };
        let mut scene = landed(floor);
        let start = scene.mover.body.min;
        scene.hold(across, 12);
        assert_eq!(scene.mover.body.min, start, "{floor:?}");
    }
}

#[test]
fn a_flip_lets_the_character_fall_and_is_no_floor_to_jump_from() {
    let mut scene = landed(Dir::Down);
    scene.feel.floor = Dir::Up;
    assert_eq!(scene.step("jump").jumped_from, None, "its floor is the ceiling now");
    assert_eq!(scene.player.stance, Stance::Air);
    assert_eq!(scene.mover.settings.floor, Some(Dir::Up));
    scene.until_stance("", Stance::Ground);
    assert_eq!(scene.top(), 16);
    // The settings of the mover are turned with the floor, and back.
    scene.feel.floor = Dir::Left;
    scene.step("");
    scene.feel.floor = Dir::Down;
    scene.step("");
    assert_eq!(scene.mover.settings, MoverSettings::platformer());
}

#[test]
fn a_character_that_falls_up_climbs_swims_and_hangs() {
    // Each level is the mirrored one of a known case with the floor down.
    let mut scene = Scene::new("####\n....\n.H..\n.H..\n.P..\n....\n####");
    scene.feel.floor = Dir::Up;
    scene.mover.body = scene.mover.body.shifted(Dir::Up, 8);
    assert_eq!(scene.step("down").to, Stance::Ladder, "the key away from the floor grabs it");
    scene.hold("up", 10);
    assert_eq!(scene.player.stance, Stance::Ladder);
    let mut scene = Scene::new("####\n~~~~\n~~~~\n~~~~\n.P..\n....\n####");
    scene.feel.floor = Dir::Up;
    scene.until_stance("", Stance::Water);
    let mut scene = Scene::new("####\n....\n..##\n..##\n..##\n....\n....\n.P..\n####");
    scene.feel.floor = Dir::Up;
    scene.mover.body = Aabb::from_xywh(20, 66, 12, 24);
    scene.until_stance("right", Stance::Ledge(Dir::Right));
    scene.step("");
    assert_eq!(scene.feet(), 80, "it hangs with its head at the lower edge of the block");
    scene.player.step(&scene.level, &mut scene.mover, input("down"), &scene.feel);
    assert_eq!(scene.player.stance, Stance::LedgeClimb(Dir::Right));
}
