//! Ledges: grabbing, hanging, climbing and letting go.

use bitwall::character::Stance;
use bitwall::glam::IVec2;
use bitwall::{Dir, Solids};

use super::{PIXEL, Scene, gravity};

/// A block with its top at y = 64, to the right of a body.
const BLOCK: &str = "....\n.P..\n....\n....\n..##\n..##\n..##\n..##\n..##\n####";

/// The block of [`BLOCK`], to the left of the body.
const LEFT_BLOCK: &str = "....\n..P.\n....\n....\n##..\n##..\n##..\n##..\n##..\n####";

/// Returns a scene with the body beside the block, its top at `y`, without corrections.
fn beside(text: &str, y: i32) -> Scene {
    let mut scene = Scene::plain(text);
    scene.mover.body = scene.mover.body.translated(IVec2::new(0, y - scene.top()));
    for dir in [Dir::Left, Dir::Right] {
        let gap = scene.level.sweep(scene.mover.body, dir, 4);
        if gap.contact.is_some() {
            scene.mover.body = scene.mover.body.shifted(dir, gap.moved);
        }
    }
    scene
}

fn hanging(text: &str, side: &str) -> Scene {
    let mut scene = beside(text, 44);
    scene.until_stance(side, Stance::Ledge(side.parse().unwrap()));
    scene
}

#[test]
fn a_character_that_falls_past_a_ledge_grabs_it_and_hangs_from_its_top() {
    for (text, side) in [(BLOCK, "right"), (LEFT_BLOCK, "left")] {
        let mut scene = hanging(text, side);
        let outcome = scene.step("");
        assert_eq!((scene.top(), scene.velocity().y), (64, 0));
        assert_eq!(outcome.to, Stance::Ledge(side.parse().unwrap()));
        scene.hold("", 100);
        assert_eq!(scene.top(), 64, "it stays");
    }
}

#[test]
fn no_fall_is_so_fast_that_it_misses_a_ledge() {
    for speed in 1..60 {
        for reach in [1, 4] {
            let mut scene = beside(BLOCK, 41);
            scene.feel.ledge_reach = reach;
            scene.feel.fall_limit = 60.0;
            scene.feel.fall_scale = 0.0;
            scene.set_velocity_y(speed * PIXEL);
            for _ in 0..60 {
                if scene.step("right").to == Stance::Ledge(Dir::Right) {
                    break;
                }
            }
            scene.step("");
            assert_eq!(scene.player.stance, Stance::Ledge(Dir::Right), "speed {speed}");
            assert_eq!(scene.top(), 64, "speed {speed}");
        }
    }
}

#[test]
fn a_character_grabs_a_ledge_at_most_ledge_reach_pixels_above_its_head() {
    for reach in [0, 1, 4, 9] {
        for above in 0..12 {
            let mut scene = beside(BLOCK, 64 + above);
            scene.feel.ledge_reach = reach;
            scene.feel.fall_scale = 0.0;
            let is_grabbed = scene.step("right").to == Stance::Ledge(Dir::Right);
            assert_eq!(is_grabbed, reach > 0 && above <= reach as i32, "{reach} {above}");
        }
    }
}

#[test]
fn no_ledge_is_grabbed_without_steering_while_rising_or_with_the_down_key() {
    for (keys, velocity) in [("", 0), ("left", 0), ("right down", 0), ("right", -3)] {
        let mut scene = beside(BLOCK, 64 + 10);
        scene.feel.fall_scale = 0.0;
        scene.feel.ledge_reach = 20;
        scene.set_velocity_y(velocity * PIXEL);
        assert!(!matches!(scene.step(keys).to, Stance::Ledge(_)), "{keys}");
    }
}

#[test]
fn a_character_climbs_up_from_a_ledge_and_stands_on_it() {
    for (text, side) in [(BLOCK, "right"), (LEFT_BLOCK, "left")] {
        for climb_speed in [0.3, 1.0, 5.0, 40.0] {
            let mut scene = hanging(text, side);
            scene.feel.climb_speed = climb_speed;
            let dir: Dir = side.parse().unwrap();
            scene.step("");
            let outcome = scene.step("up");
            assert!(outcome.from == Stance::Ledge(dir));
            let steps = scene.until("", |scene| scene.player.stance != Stance::LedgeClimb(dir));
            assert_eq!(scene.player.stance, Stance::Ground, "one press is enough");
            assert_eq!(scene.feet(), 64, "it stands on it");
            assert!(!scene.level.can_move(scene.mover.body, Dir::Down, 1));
            if climb_speed == 1.0 {
                assert_eq!(steps, 24, "23 steps up after the first, and one over");
            }
        }
        let mut scene = hanging(text, side);
        scene.feel.climb_speed = 0.0;
        scene.hold("up", 10);
        assert_eq!(scene.top(), 64, "the feature is off");
    }
}

#[test]
fn a_character_lets_go_of_a_ledge_with_down_or_away_and_leaps_with_jump() {
    let start = hanging(BLOCK, "right");
    for keys in ["down", "left", "right down"] {
        let mut scene = start.clone();
        scene.step("");
        let to = scene.step(keys).to;
        assert!(matches!(to, Stance::Air | Stance::WallSlide(_)), "{keys}: {to:?}");
        scene.hold("down", 6);
        assert!(scene.top() > 64 && scene.player.stance == Stance::Air);
    }
    let mut scene = start.clone();
    scene.step("");
    assert_eq!(scene.step("down jump").jumped_from, None, "it lets go");
    assert_eq!(scene.player.stance, Stance::Air);
    let mut scene = start;
    let outcome = scene.step("jump");
    assert_eq!(outcome.jumped_from, Some(Stance::Ledge(Dir::Right)));
    assert_eq!(scene.velocity().y, -21 * gravity(&scene.feel));
    // With the key toward the ledge, the jump lands on the ledge.
    scene.until_stance("right jump", Stance::Ground);
    assert_eq!(scene.feet(), 64);
    // A climb can be cancelled.
    let mut scene = hanging(BLOCK, "right");
    scene.hold("up", 5);
    assert_eq!(scene.step("left").to, Stance::Air);
}

#[test]
fn a_ledge_is_not_grabbed_if_a_ceiling_leaves_no_space_to_climb_it() {
    // A roof one cell above the ledge: over the ledge, over both, over the body only, and none.
    for (roof, is_ledge) in [("..##", false), ("####", false), ("##..", false), ("....", true)] {
        let text = format!("....\n.P..\n....\n{roof}\n....\n..##\n..##\n..##\n..##\n....\n####");
        let mut scene = beside(&text, 80 + 2);
        scene.feel.fall_scale = 0.0;
        let is_grabbed = matches!(scene.step("right").to, Stance::Ledge(_));
        assert_eq!(is_grabbed, is_ledge, "{roof}");
    }
}

#[test]
fn a_ledge_is_not_grabbed_if_a_shelf_is_in_the_way() {
    for (shelf, is_ledge) in [('#', false), ('.', true)] {
        let text = format!("....\n....\n..##\n..##\n.{shelf}##\n..##\n..##\n.P##\n..##\n####");
        let mut scene = beside(&text, 84);
        scene.feel.ledge_reach = 60;
        scene.feel.fall_scale = 0.0;
        assert_eq!(matches!(scene.step("right").to, Stance::Ledge(_)), is_ledge);
    }
}

#[test]
fn a_low_block_and_the_edge_of_its_own_floor_are_no_ledges() {
    // The block is lower than the body: the feet reach the floor before the top reaches the ledge.
    let mut scene = Scene::plain("....\nP...\n....\n....\n....\n..##\n####");
    for _ in 0..200 {
        let to = scene.step("right").to;
        assert!(!matches!(to, Stance::Ledge(_) | Stance::LedgeClimb(_)), "{to:?}");
    }
    assert_eq!(scene.player.stance, Stance::Ground);
    // The wall beside the body ends at the height of the body's top. The body stands on the floor and does
    // not hang.
    let mut scene = Scene::plain("....\n....\nP.##\n..##\n####");
    scene.mover.body = scene.mover.body.translated(IVec2::new(0, 16));
    scene.hold("right", 60);
    assert_eq!(scene.player.stance, Stance::Ground);
}

#[test]
fn a_character_falls_when_its_ledge_is_edited_away() {
    let mut scene = hanging(BLOCK, "right");
    scene.step("");
    scene.level.fill(0..4, 0..9, false).unwrap();
    assert_eq!(scene.step("").to, Stance::Air);
    assert!(scene.level.watched_areas().len() == 2);
}

#[test]
fn the_top_of_a_one_way_cell_is_no_ledge() {
    let mut scene = Scene::plain("....\nP...\n....\n....\n..--\n....\n....\n....\n....\n####");
    for _ in 0..100 {
        assert!(!matches!(scene.step("right").to, Stance::Ledge(_)));
    }
}
