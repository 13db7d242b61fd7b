//! The features of a character, one by one: each rule, its limits, and the value 0 that turns it off.

mod jump;
mod ladder;
mod ledge;
mod random;
mod units;
mod wall;
mod water;

use bitwall::character::{Feel, Input, Outcome, Platformer, Stance};
use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::{Aabb, Dir, Level, Move, Mover, MoverSettings, Rate, Terrain};

use crate::support::{grid, to_pixels, to_subpixels};

/// One pixel per step, in the units of a state.
pub(crate) const PIXEL: i64 = Mover::SUBPIXELS as i64;

/// One step a second: pixels a second are pixels a step.
pub(crate) const RATE: Rate = Rate::per_second(1);

const CELL: i32 = 16;
const SIZE: IVec2 = IVec2::new(12, 24);

/// [`Feel::default`] at 60 steps a second as a feel for [`RATE`], with the speeds in pixels a step.
pub(crate) fn feel() -> Feel {
    Feel {
        top_speed: 1.75,
        acceleration: 0.2,
        friction: 0.2,
        air_acceleration: 0.15,
        air_friction: 0.1,
        jump_time: 21.0,
        fall_limit: 4.0,
        released_speed: 1.5,
        coyote_time: 6.0,
        buffer_time: 6.0,
        wall_slide_speed: 0.75,
        wall_jump: Vec2::new(2.0, 3.5),
        wall_jump_time: 10.0,
        climb_speed: 1.0,
        swim_speed: 1.5,
        swim_acceleration: 0.125,
        float_speed: 0.5,
        ..Feel::default()
    }
}

/// [`feel`] with a jump of `height` pixels in `steps` steps.
pub(crate) fn jump(height: u16, steps: u16) -> Feel {
    Feel { jump_height: height.into(), jump_time: steps.into(), ..feel() }
}

/// The gravity of a feel for [`RATE`], in 65,536ths of a pixel a step for each step.
pub(crate) fn gravity(feel: &Feel) -> i64 {
    let steps = feel.jump_time as i64;
    (2 * feel.jump_height as i64 * PIXEL + steps * (steps + 1) - 1) / (steps * (steps + 1))
}

/// Converts a number of a feel for [`RATE`] to 65,536ths of a pixel a step.
pub(crate) fn subpixels(pixels: f32) -> i64 {
    to_subpixels(Vec2::splat(pixels)).x
}

/// The outcome of a step.
#[derive(Debug)]
pub(crate) struct Stepped {
    pub(crate) motion: Move,
    outcome: Outcome,
}

impl std::ops::Deref for Stepped {
    type Target = Outcome;

    fn deref(&self) -> &Outcome {
        &self.outcome
    }
}

/// A character in a level.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) level: Level,
    pub(crate) mover: Mover,
    pub(crate) player: Platformer,
    pub(crate) feel: Feel,
}

impl Scene {
    /// Creates a scene from text with cells of 16 pixels: `#` is solid, `-` one-way, `H` a ladder, `~` water,
    /// and `P` the start of a body of 12 x 24 pixels, with its feet at the lower edge of the cell.
    pub(crate) fn new(text: &str) -> Self {
        let lines: Vec<&str> = text.split_whitespace().collect();
        let cells = |sign: char| {
            let dot = |c| if c == sign { '#' } else { '.' };
            grid(
                &lines
                    .iter()
                    .map(|line| line.chars().map(dot).collect())
                    .collect::<Vec<String>>()
                    .join("\n"),
            )
        };
        let area = |sign| Terrain::new(cells(sign), UVec2::splat(CELL as u32)).unwrap();
        let level = Level::from_grid(cells('#'), UVec2::splat(CELL as u32)).unwrap();
        let level = level.with_one_way(Dir::Up, cells('-')).unwrap();
        let level = level.with_area("ladder", area('H')).with_area("water", area('~'));
        let row = lines.iter().position(|line| line.contains('P')).unwrap();
        let column = lines[row].find('P').unwrap();
        let feet = IVec2::new(column as i32 * CELL + CELL / 2, (row as i32 + 1) * CELL);
        let corner = feet - IVec2::new(SIZE.x / 2, SIZE.y);
        let body = Aabb::from_xywh(corner.x, corner.y, SIZE.x, SIZE.y);
        let mover = Mover::new(body, MoverSettings::platformer());
        let mut scene = Self { level, mover, player: Platformer::new(RATE), feel: feel() };
        if !scene.level.can_move(body, Dir::Down, 1) {
            scene.player.stance = Stance::Ground;
        }
        scene
    }

    /// Creates the scene of [`Scene::new`], without the corrections of the mover.
    pub(crate) fn plain(text: &str) -> Self {
        let mut scene = Self::new(text);
        scene.mover.settings = MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN };
        scene
    }

    pub(crate) fn step(&mut self, keys: &str) -> Stepped {
        self.step_by(input(keys))
    }

    pub(crate) fn step_by(&mut self, input: Input) -> Stepped {
        let (motion, outcome) = self.player.step(&self.level, &mut self.mover, input, &self.feel);
        assert!(!self.level.overlaps(self.mover.body), "{:?}", self.mover);
        assert_eq!(outcome.to, self.player.stance);
        Stepped { motion, outcome }
    }

    /// The velocity in 65,536ths of a pixel a step.
    pub(crate) fn velocity(&self) -> I64Vec2 {
        to_subpixels(self.player.velocity())
    }

    pub(crate) fn set_velocity_x(&mut self, x: i64) {
        self.player.set_velocity(to_pixels(self.velocity().with_x(x)));
    }

    pub(crate) fn set_velocity_y(&mut self, y: i64) {
        self.player.set_velocity(to_pixels(self.velocity().with_y(y)));
    }

    /// Takes `steps` steps with the same keys. Returns the outcome of the last one.
    pub(crate) fn hold(&mut self, keys: &str, steps: u32) -> Stepped {
        (0..steps).map(|_| self.step(keys)).last().unwrap()
    }

    /// Takes steps until a condition holds, at most 600. Returns their number.
    pub(crate) fn until(&mut self, keys: &str, is_done: impl Fn(&Self) -> bool) -> u32 {
        for steps in 0..600 {
            if is_done(self) {
                return steps;
            }
            self.step(keys);
        }
        panic!("never: {:?} {:?}", self.player, self.mover);
    }

    /// Takes steps as [`Scene::until`] does, until the character has this stance.
    pub(crate) fn until_stance(&mut self, keys: &str, stance: Stance) -> u32 {
        self.until(keys, |scene| scene.player.stance == stance)
    }

    pub(crate) fn feet(&self) -> i32 {
        self.mover.body.max.y
    }

    pub(crate) fn top(&self) -> i32 {
        self.mover.body.min.y
    }
}

/// Returns the input for the names of keys, such as "right jump".
pub(crate) fn input(keys: &str) -> Input {
    let [left, right, up, down, jump] =
        ["left", "right", "up", "down", "jump"].map(|key| keys.split(' ').any(|name| name == key));
    Input::from_keys(left, right, up, down, jump)
}

#[test]
fn acceleration_and_friction_set_how_fast_a_run_starts_and_stops() {
    let mut scene = Scene::new("....................\nP...................\n####################");
    scene.feel.top_speed = 2.0;
    scene.feel.acceleration = 0.25;
    scene.feel.friction = 0.5;
    let faster = scene.until("right", |scene| scene.velocity().x == 2 * PIXEL);
    assert_eq!(faster, 8);
    scene.hold("right", 10);
    assert_eq!(scene.velocity().x, 2 * PIXEL, "no faster");
    assert_eq!(scene.until("", |scene| scene.velocity().x == 0), 4);
    // A stick held half way asks for half the speed.
    let half = Input::from_axes(0.5, 0.0, false);
    for _ in 0..20 {
        scene.step_by(half);
    }
    assert_eq!(scene.velocity().x, PIXEL);
    // Turning round uses the acceleration.
    scene.step("left");
    assert_eq!(scene.velocity().x, PIXEL * 3 / 4);
    // A character that is faster than its top speed slows down by the friction.
    scene.set_velocity_x(4 * PIXEL);
    scene.step("right");
    assert_eq!(scene.velocity().x, PIXEL * 7 / 2);
    assert_eq!(scene.player.stance, Stance::Ground);
}

#[test]
fn acceleration_and_friction_have_separate_settings_for_the_air() {
    let text = "..........\n....P.....\n..........\n..........\n..........\n..........\n..........\n..........";
    let mut scene = Scene::plain(text);
    scene.feel.air_acceleration = 0.125;
    scene.feel.air_friction = 0.0625;
    scene.step("right");
    assert_eq!(scene.velocity().x, PIXEL / 8);
    scene.hold("right", 3);
    scene.step("");
    assert_eq!(scene.velocity().x, PIXEL * 7 / 16);
    scene.feel.air_friction = 0.0;
    scene.step("");
    assert_eq!(scene.velocity().x, PIXEL * 7 / 16, "no friction, no change");
}

#[test]
fn a_fall_speeds_up_to_the_fall_limit_or_without_bound_if_there_is_none() {
    let text =
        "P\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.";
    let mut scene = Scene::new(&format!(".\n{text}"));
    let gravity = gravity(&scene.feel);
    scene.step("");
    assert_eq!(scene.velocity().y, gravity);
    scene.hold("", 40);
    assert_eq!(scene.velocity().y, subpixels(scene.feel.fall_limit));
    let mut scene = Scene::new(&format!(".\n{text}"));
    scene.feel.fall_limit = f32::MAX;
    scene.hold("", 40);
    assert_eq!(scene.velocity().y, 40 * gravity);
}
