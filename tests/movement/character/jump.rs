//! Jumps: height, coyote time, jump buffering, and the ends of a jump.

use bitwall::character::{Feel, Stance};

use super::{PIXEL, Scene};

/// A floor with so much space above it that no jump of the tests reaches the ceiling.
const TALL: &str =
    "....\n....\n....\n....\n....\n....\n....\n....\n....\n....\n....\n....\n....\n.P..\n####";

/// A cliff: the floor ends 4 pixels to the right of the body.
const CLIFF: &str =
    "........\n........\n.P......\n##......\n........\n........\n........\n########";

/// Returns the height of a jump in pixels. The key is held for `held` steps.
fn height(feel: &Feel, held: u32) -> i32 {
    let mut scene = Scene::new(TALL);
    scene.feel = feel.clone();
    let floor = scene.feet();
    let mut top = floor;
    for step in 0.. {
        scene.step(if step < held { "jump" } else { "" });
        top = top.min(scene.feet());
        if scene.player.stance == Stance::Ground && step > 0 {
            break;
        }
    }
    floor - top
}

#[test]
fn a_jump_reaches_the_height_given_to_from_jump_in_the_given_steps() {
    for (high, steps) in
        [(1, 1), (1, 361), (16, 12), (44, 21), (44, 22), (100, 60), (160, 30), (190, 361)]
    {
        let mut scene = Scene::new(TALL);
        scene.feel = Feel::from_jump(high, steps);
        scene.feel.fall_limit = u32::MAX;
        let floor = scene.feet();
        for _ in 0..steps {
            scene.step("jump");
            assert!(floor - scene.feet() <= i32::from(high), "{high} {steps}");
        }
        assert_eq!(floor - scene.feet(), i32::from(high), "after {steps} steps");
        // The fall takes as long as the rise, and one step more, because its first step only turns the body.
        let down = scene
            .until("jump", |scene| scene.player.stance == Stance::Ground && scene.feet() == floor);
        assert!(down.abs_diff(u32::from(steps) + 1) <= 1, "{high} {steps}: {down}");
    }
    let none = Feel::from_jump(0, 20);
    assert_eq!((none.jump_speed, none.gravity), (0, 0));
    assert_eq!(Feel::from_jump(9, 0), Feel::from_jump(9, 1));
    assert_eq!(Feel::from_jump(9, 999), Feel::from_jump(9, 361));
    assert_eq!(Feel::from_jump(u16::MAX, 1).jump_speed, 65_535 << 16);
}

#[test]
fn a_speed_from_pixels_is_clamped_to_its_range_and_nan_is_0() {
    assert_eq!(Feel::speed(0.0), 0);
    assert_eq!(Feel::speed(1.0 / 65_536.0), 1);
    assert_eq!([f32::NAN, -1.0, f32::NEG_INFINITY].map(Feel::speed), [0; 3]);
    assert_eq!([f32::INFINITY, 1e30].map(Feel::speed), [u32::MAX; 2]);
}

#[test]
fn the_longer_the_key_is_held_the_higher_the_jump() {
    let feel = Feel::default();
    let heights: Vec<i32> = (1..=30).map(|held| height(&feel, held)).collect();
    println!("{heights:?}");
    assert!(heights.is_sorted(), "{heights:?}");
    assert_eq!(heights[21..], [44; 9], "held to the end, it is whole");
    assert!(heights[0] < 20 && heights[5] > heights[0], "{heights:?}");
    // Without this feature every jump has the full height.
    let whole = Feel { released_speed: None, ..feel.clone() };
    assert_eq!([1, 9, 30].map(|held| height(&whole, held)), [44; 3]);
    // The speed after an early release is 0, so the jump ends at once.
    let cut = Feel { released_speed: Some(0), ..feel };
    assert_eq!(height(&cut, 1), 4, "the first step, at 4 pixels a step");
}

#[test]
fn without_the_jump_key_a_rise_that_is_no_jump_is_not_shortened() {
    let mut scene = Scene::new(TALL);
    scene.player.velocity.y = -6 * PIXEL;
    scene.step("");
    assert_eq!(scene.player.velocity.y, i64::from(scene.feel.gravity) - 6 * PIXEL);
}

#[test]
fn the_apex_of_a_jump_lasts_longer_while_the_jump_key_is_held() {
    let feel = Feel::default();
    let apex = Feel { apex_speed: Feel::speed(1.5), ..feel.clone() };
    assert!(height(&apex, 60) > height(&feel, 60));
    assert_eq!(height(&apex, 1), height(&feel, 1), "not without the key");
    let steps = |feel: &Feel| {
        let mut scene = Scene::new(TALL);
        scene.feel = feel.clone();
        scene.step("jump");
        scene.until_stance("jump", Stance::Ground)
    };
    assert!(steps(&apex) >= steps(&feel) + 4, "{} {}", steps(&apex), steps(&feel));
}

/// Returns a scene in the first step after the body has left the cliff.
fn off_the_cliff() -> Scene {
    let mut scene = Scene::new(CLIFF);
    scene.until("right", |scene| scene.player.stance == Stance::Air);
    scene
}

#[test]
fn a_jump_is_granted_for_the_coyote_steps_after_the_edge_and_no_longer() {
    for coyote in [0, 1, 6] {
        for late in 1..=9 {
            let mut scene = Scene::new(CLIFF);
            scene.feel.coyote_steps = coyote;
            scene.until("right", |scene| scene.player.stance == Stance::Air);
            // `late` is 1 for the first step that starts in the air.
            for _ in 1..late {
                scene.step("right");
            }
            let outcome = scene.step("right jump");
            let is_granted = late <= u32::from(coyote);
            assert_eq!(outcome.jumped_from.is_some(), is_granted, "{coyote} {late}");
            if is_granted {
                assert_eq!(outcome.jumped_from, Some(Stance::Air));
                assert_eq!(scene.player.velocity.y, -i64::from(scene.feel.jump_speed));
            }
        }
    }
}

#[test]
fn coyote_time_gives_no_second_jump() {
    // Covers a jump before the edge, and a jump that coyote time allowed.
    for start in [Scene::new(CLIFF), off_the_cliff()] {
        for again in 2..30 {
            let mut scene = start.clone();
            assert!(scene.step("right jump").jumped_from.is_some());
            let mut jumps = 0;
            for step in 1..=again {
                let keys = if step == again { "right jump" } else { "right" };
                jumps += u32::from(scene.step(keys).jumped_from.is_some());
            }
            assert_eq!(jumps, 0, "pressed again after {again} steps");
        }
    }
    // Dropping through a one-way floor does not allow a jump either.
    let mut scene = Scene::new("....\n.P..\n----\n....\n....\n....\n####");
    let outcome = scene.step("down jump");
    assert!(outcome.dropped && outcome.to == Stance::Air);
    scene.step("");
    assert_eq!(scene.step("jump").jumped_from, None);
}

#[test]
fn a_press_before_landing_counts_for_the_buffer_steps_and_no_longer() {
    let start = Scene::new("....\n.P..\n....\n....\n....\n....\n####");
    let landing = start.clone().until_stance("", Stance::Ground);
    for buffer in [0, 1, 6] {
        for early in 0..=9 {
            let mut scene = start.clone();
            scene.feel.buffer_steps = buffer;
            // `landing` is the number of the first step that starts on the floor.
            for _ in early..landing {
                scene.step("");
            }
            let mut jumped = Vec::new();
            for step in 0..40 {
                if scene.step("jump").jumped_from.is_some() {
                    jumped.push(step);
                }
            }
            let expected = if early <= u32::from(buffer) { vec![early] } else { vec![] };
            assert_eq!(jumped, expected, "buffer {buffer}, {early} steps early");
        }
    }
}

#[test]
fn a_tap_in_the_buffer_jumps_as_high_as_a_tap_on_the_floor() {
    let mut scene = Scene::new("....\n....\n....\n....\n....\n.P..\n....\n....\n....\n####");
    let landing = scene.clone().until_stance("", Stance::Ground);
    scene.hold("", landing - 3);
    scene.step("jump");
    let floor = 9 * 16;
    let mut top = floor;
    for _ in 0..60 {
        let outcome = scene.step("");
        if outcome.jumped_from.is_some() || top < floor {
            top = top.min(scene.feet());
        }
    }
    assert_eq!(floor - top, height(&Feel::default(), 1));
}

#[test]
fn a_jump_key_that_is_held_makes_one_jump() {
    let mut scene = Scene::new(TALL);
    let jumps: u32 = (0..200).map(|_| u32::from(scene.step("jump").jumped_from.is_some())).sum();
    assert_eq!(jumps, 1);
}

#[test]
fn a_ceiling_ends_the_rise() {
    let mut scene = Scene::new("####\n....\n.P..\n####");
    // The body rises 4 pixels, then a little less, and then touches the ceiling.
    let outcome = scene.hold("jump", 3);
    assert_eq!(scene.top(), 16);
    assert!(outcome.motion.contacts.up.is_some());
    assert_eq!(scene.player.velocity.y, 0);
    scene.step("jump");
    assert!(scene.player.velocity.y > 0, "it falls at once");
}

#[test]
fn a_body_that_rises_through_a_one_way_floor_cannot_jump_from_it() {
    let mut scene = Scene::new("....\n....\n....\n....\n----\n.P..\n####");
    let mut jumps = 0;
    // The key is pressed again in every second step of the rise.
    for step in 0..20 {
        let keys = if step % 2 == 0 { "jump" } else { "" };
        scene.feel.released_speed = None;
        jumps += u32::from(scene.step(keys).jumped_from.is_some());
    }
    assert_eq!(jumps, 1);
    assert!(scene.feet() < 64);
    scene.until_stance("", Stance::Ground);
    assert_eq!(scene.feet(), 64, "it lands on it");
    // For one step the feet are exactly at the edge.
    let mut scene = Scene::new("....\n....\n....\n....\n----\n.P..\n####");
    (scene.player.stance, scene.player.velocity.y) = (Stance::Air, -4 * PIXEL);
    scene.feel.gravity = 0;
    let outcome = scene.hold("", 8);
    assert!(scene.feet() == 64 && !outcome.motion.grounded, "{outcome:?}");
    assert_eq!((outcome.to, scene.step("jump").jumped_from), (Stance::Air, None));
}
