//! Settings in pixels and seconds, and inputs from keys and sticks.

use bitwall::character::{Feel, Input, Platformer};
use bitwall::glam::{I64Vec2, UVec2, Vec2};

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
fn settings_a_second_are_the_default_at_60_steps_a_second() {
    assert_eq!(Feel::per_second(60).build(), Feel::default());
    assert_eq!(Feel::per_second(60).jump(44.0, 0.35).build(), Feel::from_jump(44, 21));
}

#[test]
fn a_jump_of_given_height_and_seconds_has_them_at_any_rate() {
    for (rate, steps) in [(30, 12), (50, 20), (60, 24), (120, 48), (144, 58), (240, 96)] {
        let mut scene = Scene::new(HALL);
        scene.feel = Feel::per_second(rate).jump(48.0, 0.4).build();
        let floor = scene.feet();
        scene.hold("jump", steps);
        assert_eq!(floor - scene.feet(), 48, "{rate} steps a second");
        scene.hold("jump", 1);
        assert_eq!(floor - scene.feet(), 48, "the highest point at {rate} steps a second");
    }
}

#[test]
fn a_run_of_a_second_is_as_long_at_any_rate() {
    for rate in [30, 50, 60, 120, 144, 240, 1000] {
        let mut scene = Scene::new(HALL);
        scene.feel = Feel::per_second(rate).top_speed(90.0).acceleration(450.0).build();
        let start = scene.mover.body.min.x;
        scene.hold("right", rate.into());
        // 0.2 seconds to the speed of 90, with a mean of 45, and 0.8 seconds at 90.
        let run = scene.mover.body.min.x - start;
        assert!((79..=82).contains(&run), "{run} pixels at {rate} steps a second");
    }
}

#[test]
fn every_setting_a_second_sets_its_field() {
    let feel = Feel::per_second(60)
        .jump(10.0, 0.1)
        .top_speed(60.0)
        .acceleration(3600.0)
        .friction(7200.0)
        .air_acceleration(1800.0)
        .air_friction(900.0)
        .gravity(720.0)
        .fall_gravity(1440.0)
        .fall_limit(f32::INFINITY)
        .apex_speed(30.0)
        .jump_speed(240.0)
        .released_speed(15.0)
        .coyote_time(0.05)
        .buffer_time(0.2)
        .wall_slide_speed(6.0)
        .wall_reach(2)
        .wall_jump(120.0, 180.0)
        .wall_jump_time(0.5)
        .ledge_reach(7)
        .climb_speed(45.0)
        .ladder("vine")
        .swim_speed(75.0)
        .swim_acceleration(36.0)
        .float_speed(12.0)
        .water("lava")
        .build();
    let expected = Feel {
        top_speed: Feel::speed(1.0),
        acceleration: Feel::speed(1.0),
        friction: Feel::speed(2.0),
        air_acceleration: Feel::speed(0.5),
        air_friction: Feel::speed(0.25),
        gravity: Feel::speed(0.2),
        fall_gravity: Feel::speed(0.4),
        fall_limit: u32::MAX,
        apex_speed: Feel::speed(0.5),
        jump_speed: Feel::speed(4.0),
        released_speed: Some(Feel::speed(0.25)),
        coyote_steps: 3,
        buffer_steps: 12,
        wall_slide_speed: Feel::speed(0.1),
        wall_reach: 2,
        wall_jump: UVec2::new(Feel::speed(2.0), Feel::speed(3.0)),
        wall_jump_steps: 30,
        ledge_reach: 7,
        climb_speed: Feel::speed(0.75),
        ladder: "vine".to_owned(),
        swim_speed: Feel::speed(1.25),
        swim_acceleration: Feel::speed(0.01),
        float_speed: Feel::speed(0.2),
        water: "lava".to_owned(),
    };
    assert_eq!(feel, expected);
}

#[test]
fn settings_a_second_of_any_floats_are_settings() {
    for rate in [0, 1, 60, u16::MAX] {
        for wrong in [f32::NAN, f32::NEG_INFINITY, f32::MIN, -1.0, -0.0] {
            let feel = Feel::per_second(rate).top_speed(wrong).gravity(wrong).coyote_time(wrong);
            let feel = feel.jump(wrong, wrong).build();
            let numbers = [feel.top_speed, feel.gravity, feel.jump_speed, feel.coyote_steps.into()];
            assert_eq!(numbers, [0; 4], "{wrong} at {rate}");
        }
        let feel = Feel::per_second(rate).jump(f32::INFINITY, f32::INFINITY).top_speed(f32::MAX);
        let feel = feel.coyote_time(f32::MAX).build();
        assert_eq!((feel.top_speed, feel.coyote_steps), (u32::MAX, u16::MAX));
        assert_eq!(feel.jump_speed, Feel::from_jump(u16::MAX, u16::MAX).jump_speed);
    }
    let feel = Feel::per_second(60).released_speed(f32::INFINITY).build();
    let mut scenes = [feel.clone(), Feel { released_speed: None, ..feel }].map(|feel| {
        let mut scene = Scene::new(HALL);
        scene.feel = feel;
        scene
    });
    let tops = scenes.each_mut().map(|scene| {
        scene.hold("jump", 1);
        scene.hold("", 20);
        scene.top()
    });
    assert_eq!(tops[0], tops[1], "a release does not shorten the jump");
}

#[test]
fn an_input_of_keys_is_that_of_its_directions() {
    assert_eq!(Input::from_keys(false, false, false, false, false), Input::NONE);
    assert_eq!(Input::from_keys(true, false, true, false, true), input("left up jump"));
    assert_eq!(Input::from_keys(false, true, false, true, false), input("right down"));
    assert_eq!(Input::from_keys(true, true, true, true, false), Input::NONE, "opposite keys");
}

#[test]
fn an_input_of_axes_is_rounded_to_hundredths_within_the_range() {
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
