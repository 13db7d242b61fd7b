//! Settings in pixels and seconds, and inputs from keys and sticks.

use bitwall::character::{Feel, Input, Platformer};
use bitwall::glam::{I64Vec2, Vec2};

use super::{Scene, input};

const HALL: &str = "
    ................
    ................
    ................
    ................
    ................
    P...............
    ################";

#[test]
fn settings_per_second_at_60_steps_per_second_equal_the_default_settings() {
    assert_eq!(Feel::per_second(60).jump(44.0, 0.35), Feel::default());
    assert_eq!(Feel::per_second(60).jump(30.0, 0.2), Feel::from_jump(30, 12));
}

#[test]
fn a_jump_has_the_requested_height_and_seconds_at_any_step_rate() {
    for (rate, steps) in [(30, 12), (50, 20), (60, 24), (120, 48), (144, 58), (240, 96)] {
        let mut scene = Scene::new(HALL);
        scene.feel = Feel::per_second(rate).jump(48.0, 0.4);
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
        let units = Feel::per_second(rate);
        let (top_speed, acceleration) = (units.speed(90.0), units.acceleration(450.0));
        scene.feel = Feel { top_speed, acceleration, ..units.jump(44.0, 0.35) };
        let start = scene.mover.body.min.x;
        scene.hold("right", rate.into());
        // The run accelerates for 0.2 s to 90 pixels per second, with a mean of 45, and continues for 0.8 s.
        let run = scene.mover.body.min.x - start;
        assert!((79..=82).contains(&run), "{run} pixels at {rate} steps a second");
    }
}

#[test]
fn settings_per_second_are_converted_to_settings_per_step() {
    let rate = Feel::per_second(60);
    assert_eq!(rate.speed(90.0), Feel::speed(1.5));
    assert_eq!(rate.acceleration(900.0), Feel::speed(0.25));
    assert_eq!((rate.steps(0.05), rate.steps(0.5)), (3, 30));
    assert_eq!((rate.speed(f32::INFINITY), rate.steps(f32::MAX)), (u32::MAX, u16::MAX));
}

#[test]
fn any_floats_per_second_are_converted_to_valid_settings() {
    for rate in [0, 1, 60, u16::MAX].map(Feel::per_second) {
        for wrong in [f32::NAN, f32::NEG_INFINITY, f32::MIN, -1.0, -0.0] {
            assert_eq!((rate.speed(wrong), rate.acceleration(wrong), rate.steps(wrong)), (0, 0, 0));
            assert_eq!(rate.jump(wrong, wrong).jump_speed, 0);
        }
        let largest = rate.jump(f32::INFINITY, f32::INFINITY).jump_speed;
        assert_eq!(largest, Feel::from_jump(u16::MAX, u16::MAX).jump_speed);
    }
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
        let expected = Input { x: hundredths, y: hundredths, jump: true };
        assert_eq!(Input::from_axes(axis, axis, true), expected, "{axis}");
    }
}

#[test]
fn the_velocity_of_a_character_is_set_and_read_in_pixels() {
    let mut player = Platformer::default();
    player.set_velocity((1.5, f32::NAN));
    assert_eq!(player.velocity, I64Vec2::new(98_304, 0));
    assert_eq!(player.velocity_in_pixels(), Vec2::new(1.5, 0.0));
}
