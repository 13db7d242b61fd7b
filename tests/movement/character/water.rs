//! Water: swimming, floating, and jumping out.

use bitwall::character::Stance;

use super::{PIXEL, Scene, subpixels};

/// A pool with its surface at y = 64.
const POOL: &str = "......\n..P...\n......\n......\n#~~~~#\n#~~~~#\n#~~~~#\n#~~~~#\n#~~~~#\n######";

/// Returns the middle row of the body, the upper one of two.
fn middle(scene: &Scene) -> i32 {
    (scene.top() + scene.feet()) / 2 - 1
}

fn in_water() -> Scene {
    let mut scene = Scene::new(POOL);
    scene.until_stance("", Stance::Water);
    scene
}

#[test]
fn a_character_starts_to_swim_when_its_middle_is_in_the_water() {
    let scene = in_water();
    assert!((63..=67).contains(&middle(&scene)), "{}", middle(&scene));
    // Without a name for water, no area is water.
    let mut dry = Scene::new(POOL);
    dry.feel.water = String::new();
    dry.until_stance("", Stance::Ground);
    assert_eq!(dry.feet(), 144);
}

#[test]
fn water_slows_a_fall_to_the_speed_of_a_swimmer_at_once() {
    let mut scene = in_water();
    assert!(scene.velocity().y > 3 * PIXEL);
    scene.step("");
    let most = subpixels(scene.feel.swim_speed);
    assert!(scene.velocity().y <= most);
    for (keys, steps) in [("down right", 40), ("up left", 30), ("left down", 30), ("right up", 60)]
    {
        for _ in 0..steps {
            if scene.step(keys).to == Stance::Water {
                assert!(scene.velocity().abs().max_element() <= most);
            }
        }
    }
}

#[test]
fn a_character_floats_up_to_the_surface_and_rests_there() {
    let mut scene = in_water();
    scene.hold("down", 40);
    assert!(scene.feet() > 120, "{}", scene.feet());
    let fast = scene.until("", |scene| scene.velocity().y == -subpixels(scene.feel.float_speed));
    assert!(fast < 30, "{fast}");
    scene.hold("", 200);
    let rest = scene.mover;
    for keys in ["", "up", "", "up"] {
        let outcome = scene.hold(keys, 50);
        assert_eq!((scene.mover.body, outcome.to), (rest.body, Stance::Water), "{keys}");
    }
    assert_eq!(middle(&scene), 63, "the lower one of its middle rows is the topmost of the water");
    // Without buoyancy it stays at its depth.
    let mut scene = in_water();
    scene.feel.float_speed = 0.0;
    scene.hold("down", 20);
    scene.hold("", 20);
    let place = scene.mover.body;
    scene.hold("", 50);
    assert_eq!(scene.mover.body, place);
}

#[test]
fn a_character_jumps_out_of_the_water_only_from_the_surface() {
    let mut scene = in_water();
    scene.hold("down", 20);
    assert_eq!(scene.step("down jump").jumped_from, None);
    assert_eq!(scene.player.stance, Stance::Water);
    scene.hold("", 200);
    let outcome = scene.step("jump");
    assert_eq!((outcome.jumped_from, outcome.to), (Some(Stance::Water), Stance::Air));
    let surface = scene.feet();
    scene.until("jump", |scene| scene.velocity().y >= 0);
    assert!(surface - scene.feet() > 32, "it leaves the water: {}", surface - scene.feet());
    // It falls back into the water.
    assert!(scene.until_stance("jump", Stance::Water) > 10);
    // A press shortly before the surface is buffered until the body reaches it.
    let mut scene = in_water();
    scene.hold("down", 20);
    let way = scene.clone().until("up", |scene| middle(scene) == 63);
    scene.hold("up", way - 4);
    let jumped = (0..8).any(|_| scene.step("up jump").jumped_from == Some(Stance::Water));
    assert!(jumped);
}
