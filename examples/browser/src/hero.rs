//! The hero who walks in the level: in a side view as a [`Platformer`], and in a view from above as a plain
//! [`Mover`]. The settings are in pixels and seconds, and a clock makes steps of a 60th of a second.

use bitwall::character::{Feel, Input, Platformer, Stance};
use bitwall::engine::FixedSteps;
use bitwall::glam::{DVec2, IVec2, UVec2, Vec2};
use bitwall::{Aabb, Level, Mover, MoverSettings};
use wasm_bindgen::prelude::*;

use crate::level::Playground;

const STEPS_PER_SECOND: u16 = 60;

/// The settings of the hero, in pixels and seconds.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub struct FeelOfHero {
    /// True for a view from above: the hero walks in all directions and does not jump.
    pub above: bool,
    /// The width of the hero in whole pixels, at least 1.
    pub width: u32,
    /// The height of the hero in whole pixels, at least 1.
    pub height: u32,
    /// The highest speed of a run, in pixels a second.
    pub run: f32,
    /// The time from rest to this speed, in seconds.
    pub speedup: f32,
    /// The time from this speed to rest if no key is held, in seconds.
    pub slowdown: f32,
    /// The acceleration in the air, in percent of the acceleration on the ground.
    pub air: f32,
    /// The height of a jump in pixels, or 0 if the hero cannot jump.
    pub jump: f32,
    /// The time from the start of a jump to its highest point, in seconds.
    pub rise: f32,
    /// The highest speed of a fall, in pixels a second.
    pub fall: f32,
    /// The time after leaving an edge in which a jump can still start, in seconds.
    pub coyote: f32,
    /// The time before a landing in which a press of the jump key still counts, in seconds.
    pub buffer: f32,
    /// The highest step that the hero walks up, in whole pixels.
    pub step: u32,
    /// The largest distance by which a corner moves the hero aside, in whole pixels.
    pub corner: u32,
    /// True if the hero slides down walls and jumps from them.
    pub walls: bool,
    /// True if the hero grabs ledges.
    pub ledges: bool,
}

#[wasm_bindgen]
impl FeelOfHero {
    /// Creates the usual settings for tiles of 16 pixels.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Default for FeelOfHero {
    fn default() -> Self {
        Self {
            above: false,
            width: 12,
            height: 20,
            run: 105.0,
            speedup: 0.15,
            slowdown: 0.15,
            air: 75.0,
            jump: 44.0,
            rise: 0.35,
            fall: 240.0,
            coyote: 0.1,
            buffer: 0.1,
            step: 4,
            corner: 4,
            walls: true,
            ledges: true,
        }
    }
}

impl FeelOfHero {
    fn size(&self) -> UVec2 {
        UVec2::new(self.width, self.height).clamp(UVec2::ONE, UVec2::splat(256))
    }

    fn mover(&self) -> MoverSettings {
        let (side, above) = (MoverSettings::platformer(), MoverSettings::top_down());
        let mut settings = if self.above { above } else { side };
        if !self.above {
            (settings.step_height, settings.snap_distance) = (self.step, self.step);
        }
        let corner = &mut settings.corner_correction;
        (corner.left, corner.right, corner.up) = (self.corner, self.corner, self.corner);
        corner.down = if self.above { self.corner } else { 0 };
        settings
    }

    fn character(&self) -> Feel {
        let rate = Feel::per_second(STEPS_PER_SECOND);
        let usual = rate.jump(self.jump, self.rise);
        let acceleration = |seconds: f32, share: f32| {
            // No speed can change in less than one step.
            let seconds = seconds.max(1.0 / f32::from(STEPS_PER_SECOND));
            rate.acceleration(self.run / seconds * share)
        };
        let air = self.air / 100.0;
        let none = Feel { jump_speed: 0, ..usual.clone() };
        let (walls, jumps) = (self.walls && self.jump > 0.0, self.jump > 0.0);
        Feel {
            top_speed: rate.speed(self.run),
            acceleration: acceleration(self.speedup, 1.0),
            friction: acceleration(self.slowdown, 1.0),
            air_acceleration: acceleration(self.speedup, air),
            air_friction: acceleration(self.slowdown, air / 1.5),
            fall_limit: rate.speed(self.fall),
            coyote_steps: rate.steps(self.coyote),
            buffer_steps: rate.steps(self.buffer),
            wall_slide_speed: if walls { usual.wall_slide_speed } else { 0 },
            wall_reach: if walls { usual.wall_reach } else { 0 },
            wall_jump: if walls { usual.wall_jump } else { UVec2::ZERO },
            ledge_reach: if self.ledges { usual.ledge_reach } else { 0 },
            // Without a jump, the usual gravity is used. Otherwise the hero would not fall.
            gravity: if jumps { usual.gravity } else { Feel::default().gravity },
            fall_gravity: if jumps { usual.fall_gravity } else { Feel::default().fall_gravity },
            ..if jumps { usual } else { none }
        }
    }
}

/// The hero and the state that is kept between two steps.
pub(crate) struct Hero {
    mover: Mover,
    player: Platformer,
    /// The velocity in a view from above, in pixels per step.
    velocity: Vec2,
    settings: FeelOfHero,
    feel: Feel,
    clock: FixedSteps,
    /// The position before the last step, to draw the hero between two steps.
    before: DVec2,
}

impl Hero {
    /// Creates a hero at the start of the level, or near its middle.
    pub(crate) fn new(level: &Level) -> Self {
        let settings = FeelOfHero::default();
        let mut hero = Self {
            mover: Mover::new(Aabb::from_xywh(0, 0, 12, 20), settings.mover()),
            player: Platformer::default(),
            velocity: Vec2::ZERO,
            settings,
            feel: settings.character(),
            clock: FixedSteps::new(STEPS_PER_SECOND.into()),
            before: DVec2::ZERO,
        };
        hero.start(level);
        hero
    }

    fn start(&mut self, level: &Level) {
        let is_start = |word: &str| {
            ["player", "spawn", "start", "hero"].iter().any(|name| word.eq_ignore_ascii_case(name))
        };
        let mut markers = level.markers().iter();
        let start = markers.find(|marker| is_start(&marker.name) || is_start(&marker.class));
        let middle = level.size().as_ivec2() / 2;
        let feet = start.map_or(middle, |marker| match marker.is_point {
            true => marker.area.min,
            false => IVec2::new(marker.area.center().x, marker.area.max.y),
        });
        self.place(level, feet - IVec2::new(0, self.settings.size().y as i32 / 2));
    }

    /// Moves the middle of the hero to `middle`, or to the nearest position with room.
    fn place(&mut self, level: &Level, middle: IVec2) {
        let size = self.settings.size();
        let min = middle - size.as_ivec2() / 2;
        let body = Aabb { min, max: min + size.as_ivec2() };
        self.mover = Mover::new(body, self.settings.mover());
        // If the level has no room, the hero stays in the solid.
        let _ = self.mover.unstick(level, level.size().max_element());
        (self.player, self.velocity) = (Platformer::default(), Vec2::ZERO);
        self.before = self.mover.position();
    }

    fn step(&mut self, level: &Level, input: Input) {
        self.before = self.mover.position();
        if !self.settings.above {
            self.player.step(level, &mut self.mover, input, &self.feel);
            return;
        }
        let steps = f32::from(STEPS_PER_SECOND);
        let wish = Vec2::new(input.x.into(), input.y.into()) / 100.0;
        let wish = wish.clamp_length_max(1.0) * self.settings.run / steps;
        let seconds = match wish == Vec2::ZERO {
            true => self.settings.slowdown,
            false => self.settings.speedup,
        };
        let change = self.settings.run / steps / (seconds * steps).max(1.0);
        self.velocity = self.velocity.move_towards(wish, change);
        // A step fails only for a speed that is not a number, which no slider can set.
        if let Ok(step) = self.mover.step(level, self.velocity) {
            self.velocity = step.velocity(self.velocity);
        }
    }

    /// Returns the top-left corner of the hero, interpolated between the last two steps.
    fn seen(&self) -> DVec2 {
        self.before.lerp(self.mover.position(), self.clock.alpha().into())
    }
}

#[wasm_bindgen]
impl Playground {
    /// Changes the settings of the hero. The hero stays where it is, or moves to the nearest position with
    /// room for its new size.
    #[wasm_bindgen(js_name = setFeel)]
    pub fn set_feel(&mut self, feel: &FeelOfHero) {
        let (hero, level) = (&mut self.hero, &self.loaded.level);
        let is_new = feel.size() != hero.settings.size() || feel.above != hero.settings.above;
        hero.settings = *feel;
        hero.feel = feel.character();
        hero.mover.settings = feel.mover();
        if is_new {
            let feet = IVec2::new(hero.mover.body.center().x, hero.mover.body.max.y);
            hero.place(level, feet - IVec2::new(0, feel.size().y as i32 / 2));
        }
    }

    /// Moves the hero to the start of the level: the marker `player`, `spawn`, `start` or `hero`, or the
    /// middle if there is none.
    #[wasm_bindgen(js_name = startHero)]
    pub fn start_hero(&mut self) {
        self.hero.start(&self.loaded.level);
    }

    /// Moves the hero to a pixel, or to the nearest position with room.
    #[wasm_bindgen(js_name = placeHero)]
    pub fn place_hero(&mut self, x: i32, y: i32) {
        self.hero.place(&self.loaded.level, IVec2::new(x, y));
    }

    /// Advances the time by `seconds` and steps the hero by the keys or the stick. `x` is from -1 (left) to
    /// 1, and `y` from -1 (up) to 1. Returns the number of steps, which is at most 8. The time of further
    /// steps is dropped.
    pub fn advance(&mut self, seconds: f64, x: f32, y: f32, jump: bool) -> u32 {
        let input = Input::from_axes(x, y, jump);
        let steps = self.hero.clock.advance(seconds);
        for _ in 0..steps {
            self.hero.step(&self.loaded.level, input);
        }
        steps
    }

    /// The x of the left side of the hero for drawing, interpolated between the last two steps.
    #[wasm_bindgen(getter, js_name = heroX)]
    pub fn hero_x(&self) -> f64 {
        self.hero.seen().x
    }

    /// The y of the upper side of the hero for drawing, interpolated between the last two steps.
    #[wasm_bindgen(getter, js_name = heroY)]
    pub fn hero_y(&self) -> f64 {
        self.hero.seen().y
    }

    /// The stance of the hero: `ground`, `air`, `wall`, `ledge`, `ladder` or `water`, or `walk` in a view
    /// from above.
    #[wasm_bindgen(getter)]
    pub fn stance(&self) -> String {
        let stance = match self.hero.player.stance {
            _ if self.hero.settings.above => "walk",
            Stance::Ground => "ground",
            Stance::Air => "air",
            Stance::WallSlide(_) => "wall",
            Stance::Ledge(_) | Stance::LedgeClimb(_) => "ledge",
            Stance::Ladder => "ladder",
            Stance::Water => "water",
            _ => "other",
        };
        stance.to_owned()
    }
}
