//! The features of a character, one by one: each rule, its limits, and the value 0 that turns it off.

mod jump;
mod ladder;
mod ledge;
mod random;
mod units;
mod wall;
mod water;

use bitwall::character::{Feel, Input, Outcome, Platformer, Stance};
use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Dir, Level, Mover, MoverSettings, Terrain};

use crate::support::grid;

/// One pixel per step, in the units of velocities.
pub(crate) const PIXEL: i64 = Mover::SUBPIXELS as i64;

const CELL: i32 = 16;
const SIZE: IVec2 = IVec2::new(12, 24);

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
        let mut scene = Self { level, mover, player: Platformer::default(), feel: Feel::default() };
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

    pub(crate) fn step(&mut self, keys: &str) -> Outcome {
        self.step_by(input(keys))
    }

    pub(crate) fn step_by(&mut self, input: Input) -> Outcome {
        let outcome = self.player.step(&self.level, &mut self.mover, input, &self.feel);
        assert!(!self.level.overlaps(self.mover.body), "{:?}", self.mover);
        assert_eq!(outcome.to, self.player.stance);
        outcome
    }

    /// Takes `steps` steps with the same keys. Returns the outcome of the last one.
    pub(crate) fn hold(&mut self, keys: &str, steps: u32) -> Outcome {
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
    let holds = |key| i8::from(keys.split(' ').any(|name| name == key));
    Input {
        x: 100 * (holds("right") - holds("left")),
        y: 100 * (holds("down") - holds("up")),
        jump: holds("jump") == 1,
    }
}

#[test]
fn acceleration_and_friction_set_how_fast_a_run_starts_and_stops() {
    let mut scene = Scene::new("....................\nP...................\n####################");
    scene.feel.top_speed = Feel::speed(2.0);
    scene.feel.acceleration = Feel::speed(0.25);
    scene.feel.friction = Feel::speed(0.5);
    let faster = scene.until("right", |scene| scene.player.velocity.x == 2 * PIXEL);
    assert_eq!(faster, 8);
    scene.hold("right", 10);
    assert_eq!(scene.player.velocity.x, 2 * PIXEL, "no faster");
    assert_eq!(scene.until("", |scene| scene.player.velocity.x == 0), 4);
    // A stick held half way asks for half the speed.
    let half = Input { x: 50, ..Input::NONE };
    for _ in 0..20 {
        scene.step_by(half);
    }
    assert_eq!(scene.player.velocity.x, PIXEL);
    // Turning round uses the acceleration.
    scene.step("left");
    assert_eq!(scene.player.velocity.x, PIXEL * 3 / 4);
    // A character that is faster than its top speed slows down by the friction.
    scene.player.velocity.x = 4 * PIXEL;
    scene.step("right");
    assert_eq!(scene.player.velocity.x, PIXEL * 7 / 2);
    assert_eq!(scene.player.stance, Stance::Ground);
}

#[test]
fn acceleration_and_friction_have_separate_settings_for_the_air() {
    let text = "..........\n....P.....\n..........\n..........\n..........\n..........\n..........\n..........";
    let mut scene = Scene::plain(text);
    scene.feel.air_acceleration = Feel::speed(0.125);
    scene.feel.air_friction = Feel::speed(0.0625);
    scene.step("right");
    assert_eq!(scene.player.velocity.x, PIXEL / 8);
    scene.hold("right", 3);
    scene.step("");
    assert_eq!(scene.player.velocity.x, PIXEL * 7 / 16);
    scene.feel.air_friction = 0;
    scene.step("");
    assert_eq!(scene.player.velocity.x, PIXEL * 7 / 16, "no friction, no change");
}

#[test]
fn a_fall_speeds_up_to_the_fall_limit_or_without_bound_if_there_is_none() {
    let text =
        "P\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.";
    let mut scene = Scene::new(&format!(".\n{text}"));
    let gravity = i64::from(scene.feel.fall_gravity);
    scene.step("");
    assert_eq!(scene.player.velocity.y, gravity);
    scene.hold("", 40);
    assert_eq!(scene.player.velocity.y, i64::from(scene.feel.fall_limit));
    let mut scene = Scene::new(&format!(".\n{text}"));
    scene.feel.fall_limit = u32::MAX;
    scene.hold("", 40);
    assert_eq!(scene.player.velocity.y, 40 * gravity);
}
