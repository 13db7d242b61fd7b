//! Jumps: height, coyote time, jump buffering, and the ends of a jump.

use bitwall::character::{Feel, Stance};

use super::{PIXEL, Scene, feel, gravity, jump};

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
        scene.feel = jump(high, steps);
        scene.feel.fall_limit = f32::MAX;
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
    // Times below one step and above 361 steps count as these, and a height as at most 65,535 pixels.
    for (height, steps, same) in [(9, 0, 1), (9, 999, 361)] {
        let heights = [steps, same].map(|steps| self::height(&jump(height, steps), 999));
        assert_eq!(heights, [9; 2]);
    }
}

#[test]
fn a_height_of_0_turns_the_jump_and_the_gravity_off() {
    let mut scene = Scene::new(TALL);
    scene.feel = jump(0, 20);
    let feet = scene.feet();
    assert_eq!(scene.step("jump").jumped_from, None);
    scene.mover.body = scene.mover.body.shifted(bitwall::Dir::Up, 40);
    scene.hold("", 50);
    assert_eq!((scene.feet(), scene.velocity().y), (feet - 40, 0));
}

#[test]
fn the_longer_the_key_is_held_the_higher_the_jump() {
    let feel = feel();
    let heights: Vec<i32> = (1..=30).map(|held| height(&feel, held)).collect();
    println!("{heights:?}");
    assert!(heights.is_sorted(), "{heights:?}");
    assert_eq!(heights[21..], [44; 9], "held to the end, it is whole");
    assert!(heights[0] < 20 && heights[5] > heights[0], "{heights:?}");
    // Without this feature every jump has the full height.
    let whole = Feel { released_speed: f32::MAX, ..feel.clone() };
    assert_eq!([1, 9, 30].map(|held| height(&whole, held)), [44; 3]);
    // The speed after an early release is 0, so the jump ends at once.
    let cut = Feel { released_speed: 0.0, ..feel };
    assert_eq!(height(&cut, 1), 4, "the first step, at 4 pixels a step");
}

#[test]
fn without_the_jump_key_a_rise_that_is_no_jump_is_not_shortened() {
    let mut scene = Scene::new(TALL);
    scene.set_velocity_y(-6 * PIXEL);
    scene.step("");
    assert_eq!(scene.velocity().y, gravity(&scene.feel) - 6 * PIXEL);
}

#[test]
fn the_apex_of_a_jump_lasts_longer_while_the_jump_key_is_held() {
    let feel = feel();
    let apex = Feel { apex_speed: 1.5, ..feel.clone() };
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
            scene.feel.coyote_time = coyote as f32;
            scene.until("right", |scene| scene.player.stance == Stance::Air);
            // `late` is 1 for the first step that starts in the air.
            for _ in 1..late {
                scene.step("right");
            }
            let outcome = scene.step("right jump");
            let is_granted = late <= coyote;
            assert_eq!(outcome.jumped_from.is_some(), is_granted, "{coyote} {late}");
            if is_granted {
                assert_eq!(outcome.jumped_from, Some(Stance::Air));
                assert_eq!(scene.velocity().y, -21 * gravity(&scene.feel));
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
            scene.feel.buffer_time = buffer as f32;
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
            let expected = if early <= buffer { vec![early] } else { vec![] };
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
    assert_eq!(floor - top, height(&feel(), 1));
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
    assert_eq!(scene.velocity().y, 0);
    scene.step("jump");
    assert!(scene.velocity().y > 0, "it falls at once");
}

#[test]
fn a_body_that_rises_through_a_one_way_floor_cannot_jump_from_it() {
    let mut scene = Scene::new("....\n....\n....\n....\n----\n.P..\n####");
    let mut jumps = 0;
    // The key is pressed again in every second step of the rise.
    for step in 0..20 {
        let keys = if step % 2 == 0 { "jump" } else { "" };
        scene.feel.released_speed = f32::MAX;
        jumps += u32::from(scene.step(keys).jumped_from.is_some());
    }
    assert_eq!(jumps, 1);
    assert!(scene.feet() < 64);
    scene.until_stance("", Stance::Ground);
    assert_eq!(scene.feet(), 64, "it lands on it");
    // For one step the feet are exactly at the edge.
    let mut scene = Scene::new("....\n....\n....\n....\n----\n.P..\n####");
    scene.player.stance = Stance::Air;
    scene.feel.jump_height = 0.0;
    scene.set_velocity_y(-4 * PIXEL);
    let outcome = scene.hold("", 8);
    assert!(scene.feet() == 64 && !outcome.motion.grounded, "{outcome:?}");
    assert_eq!((outcome.to, scene.step("jump").jumped_from), (Stance::Air, None));
}
