//! Settings in pixels and seconds, and inputs from keys and sticks.

use bitwall::Rate;
use bitwall::character::{Feel, Input, Platformer, Stance};
use bitwall::glam::Vec2;

use super::{Scene, input};

const HALL: &str = "
    ................
    ................
    ................
    ................
    ................
    P...............
    ################";

/// The feel of the other tests has the default settings in pixels and steps, for 60 steps a second.
#[test]
fn the_default_settings_at_60_steps_a_second_are_the_known_numbers_a_step() {
    let mut scene = Scene::new(HALL);
    let mut other = scene.clone();
    (other.player, other.feel) = (Platformer::new(Rate::per_second(60)), Feel::default());
    other.player.stance = Stance::Ground;
    let mut random = fastrand::Rng::with_seed(60);
    for step in 0..3_000 {
        let keys = ["right jump", "left jump", "right", "left", "", "down"][random.usize(0..6)];
        for _ in 0..random.u32(1..20) {
            scene.step(keys);
            other.step(keys);
            assert_eq!(scene.mover, other.mover, "{step} {keys}");
            assert_eq!(scene.player.stance, other.player.stance, "{step} {keys}");
        }
    }
}

#[test]
fn a_jump_has_the_requested_height_and_seconds_at_any_step_rate() {
    let rates =
        [(30, 12), (50, 20), (60, 24), (75, 30), (120, 48), (144, 58), (165, 66), (240, 96)];
    for (rate, steps) in rates {
        let mut scene = Scene::new(HALL);
        scene.player = Platformer::new(Rate::per_second(rate));
        scene.feel = Feel { jump_height: 48.0, jump_time: 0.4, ..Feel::default() };
        scene.step("");
        let floor = scene.feet();
        scene.hold("jump", steps);
        assert_eq!(floor - scene.feet(), 48, "{rate} steps a second");
        scene.hold("jump", 1);
        assert_eq!(floor - scene.feet(), 48, "the highest point at {rate} steps a second");
    }
}

#[test]
fn a_run_of_one_second_covers_the_same_distance_at_any_step_rate() {
    for rate in [30, 50, 60, 120, 144, 240, 1000] {
        let mut scene = Scene::new(HALL);
        scene.player = Platformer::new(Rate::per_second(rate));
        scene.feel = Feel { top_speed: 90.0, acceleration: 450.0, ..Feel::default() };
        scene.step("");
        let start = scene.mover.body.min.x;
        scene.hold("right", rate.into());
        // The run accelerates for 0.2 s to 90 pixels per second, with a mean of 45, and continues for 0.8 s.
        let run = scene.mover.body.min.x - start;
        assert!((79..=82).contains(&run), "{run} pixels at {rate} steps a second");
    }
}

#[test]
fn any_float_in_the_settings_counts_as_a_number_of_its_range() {
    let numbers = |number: f32| Feel {
        top_speed: number,
        acceleration: number,
        jump_height: number,
        fall_scale: number,
        climb_speed: number,
        wall_jump: Vec2::splat(number),
        ..Feel::default()
    };
    let play = |feel: Feel| {
        let mut scene = Scene::new(HALL);
        scene.feel = feel;
        let keys = ["right", "right jump", "right jump", "left", "left"];
        keys.map(|keys| scene.step(keys).motion)
    };
    for wrong in [f32::NAN, f32::NEG_INFINITY, f32::MIN, -1.0, -0.0] {
        assert_eq!(play(numbers(wrong)), play(numbers(0.0)), "{wrong}");
    }
    assert_eq!(play(numbers(f32::INFINITY)), play(numbers(f32::MAX)));
    assert_eq!(numbers(f32::NAN), numbers(f32::NAN), "equal by the bits");
    assert_ne!(numbers(-0.0), numbers(0.0));
}

#[test]
fn an_input_made_from_keys_equals_the_input_of_their_directions() {
    assert_eq!(Input::from_keys(false, false, false, false, false), Input::NONE);
    assert_eq!(Input::from_keys(true, false, true, false, true), input("left up jump"));
    assert_eq!(Input::from_keys(false, true, false, true, false), input("right down"));
    assert_eq!(Input::from_keys(true, true, true, true, false), Input::NONE, "opposite keys");
}

#[test]
fn an_input_made_from_axes_is_clamped_and_rounded_to_hundredths() {
    for (axis, hundredths) in [
        (0.0, 0),
        (0.504, 50),
        (-0.506, -51),
        (1.0, 100),
        (1.5, 100),
        (f32::NEG_INFINITY, -100),
        (f32::NAN, 0),
    ] {
        let input = format!("{:?}", Input::from_axes(axis, axis, true));
        assert!(input.contains(&format!("x: {hundredths}, y: {hundredths},")), "{axis}: {input}");
    }
}

#[test]
fn the_velocity_of_a_character_is_set_and_read_in_pixels() {
    for rate in [1, 60, 144] {
        let mut player = Platformer::new(Rate::per_second(rate));
        player.set_velocity((96.0, f32::NAN));
        assert!((player.velocity() - Vec2::new(96.0, 0.0)).abs().max_element() < 0.01, "{rate}");
    }
}
