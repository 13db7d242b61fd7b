//! The hero who walks in the level: in a side view as a [`Platformer`], and in a view from above as a plain
//! [`Mover`]. The settings are in pixels and seconds, and a clock makes steps of a 60th of a second.

use bitwall::character::{Feel, Input, Platformer, Stance};
use bitwall::engine::FixedSteps;
use bitwall::glam::{DVec2, IVec2, UVec2, Vec2};
use bitwall::navigate::Jumper;
use bitwall::{Aabb, Level, Mover, MoverSettings, Rate, Sides};
use wasm_bindgen::prelude::*;

use crate::level::Playground;

const STEPS_PER_SECOND: u16 = 60;

/// The settings of the hero, in pixels and seconds. The page keeps them in the ranges of its sliders.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub struct FeelOfHero {
    /// True for a view from above: the hero walks in all directions and does not jump.
    pub above: bool,
    /// The width of the hero in pixels.
    pub width: u32,
    /// The height of the hero in pixels.
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
    /// The highest step that the hero walks up, in pixels.
    pub step: u32,
    /// The largest distance by which a corner moves the hero aside, in pixels.
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
        UVec2::new(self.width, self.height)
    }

    fn mover(&self) -> MoverSettings {
        let corner = self.corner;
        if self.above {
            let corner_correction = Sides { left: corner, right: corner, up: corner, down: corner };
            return MoverSettings { corner_correction, ..MoverSettings::top_down() };
        }
        MoverSettings {
            step_height: self.step,
            snap_distance: self.step,
            corner_correction: Sides { left: corner, right: corner, up: corner, down: 0 },
            ..MoverSettings::platformer()
        }
    }

    /// The acceleration that gives full speed in `seconds`. No speed can change in less than one step.
    fn acceleration(&self, seconds: f32) -> f32 {
        self.run / seconds.max(1.0 / f32::from(STEPS_PER_SECOND))
    }

    fn character(&self) -> Feel {
        let usual = Feel::default();
        let air = self.air / 100.0;
        let jumps = self.jump > 0.0;
        let walls = self.walls && jumps;
        Feel {
            top_speed: self.run,
            acceleration: self.acceleration(self.speedup),
            friction: self.acceleration(self.slowdown),
            air_acceleration: self.acceleration(self.speedup) * air,
            air_friction: self.acceleration(self.slowdown) * air / 1.5,
            fall_limit: self.fall,
            coyote_time: self.coyote,
            buffer_time: self.buffer,
            wall_slide_speed: if walls { usual.wall_slide_speed } else { 0.0 },
            wall_reach: if walls { usual.wall_reach } else { 0 },
            wall_jump: if walls { usual.wall_jump } else { Vec2::ZERO },
            ledge_reach: if self.ledges { usual.ledge_reach } else { 0 },
            // A hero who does not jump falls with the usual gravity: its jump key is never held.
            jump_height: if jumps { self.jump } else { usual.jump_height },
            jump_time: if jumps { self.rise } else { usual.jump_time },
            ..usual
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

/// The names and classes of a marker at which the hero starts.
const STARTS: [&str; 5] = ["player", "spawn", "start", "hero", "playerstart"];

/// Returns the middle of the lower side of the marker at which the hero starts.
pub(crate) fn start_of(level: &Level) -> Option<IVec2> {
    let is_start = |word: &str| STARTS.iter().any(|name| word.eq_ignore_ascii_case(name));
    let mut markers = level.markers().iter();
    let start = markers.find(|marker| is_start(&marker.name) || is_start(&marker.class))?;
    Some(IVec2::new(start.position().x, start.area.max.y))
}

impl Hero {
    /// Creates a hero at the start of the level, or near its middle.
    pub(crate) fn new(level: &Level) -> Self {
        let settings = FeelOfHero::default();
        let mut hero = Self {
            mover: Mover::new(Aabb::from_xywh(0, 0, 12, 20), settings.mover()),
            player: Platformer::new(Rate::per_second(STEPS_PER_SECOND)),
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
        let feet = start_of(level).unwrap_or(level.size().as_ivec2() / 2);
        self.place(level, feet.saturating_sub(IVec2::new(0, self.settings.size().y as i32 / 2)));
    }

    /// Moves the middle of the hero to `middle`, or to the nearest position with room within 4096 px.
    fn place(&mut self, level: &Level, middle: IVec2) {
        let size = self.settings.size();
        let min = middle.saturating_sub(size.as_ivec2() / 2);
        let body = Aabb { min, max: min.saturating_add(size.as_ivec2()) };
        self.mover = Mover::new(body, self.settings.mover());
        // Without such a position the hero stays in the solid.
        let _ = self.mover.unstick(level, level.size().max_element());
        self.player = Platformer::new(Rate::per_second(STEPS_PER_SECOND));
        self.velocity = Vec2::ZERO;
        self.before = self.mover.position();
    }

    /// Moves the hero by one step, with a stick at `stick` and the jump key held or not.
    fn step(&mut self, level: &Level, stick: Vec2, jump: bool) {
        self.before = self.mover.position();
        if !self.settings.above {
            let input = Input::from_axes(stick.x, stick.y, jump && self.settings.jump > 0.0);
            self.player.step(level, &mut self.mover, input, &self.feel);
            return;
        }
        let steps = f32::from(STEPS_PER_SECOND);
        let run = self.settings.run;
        let wish = stick.clamp_length_max(1.0) * run / steps;
        let is_at_rest = wish == Vec2::ZERO;
        let seconds = if is_at_rest { self.settings.slowdown } else { self.settings.speedup };
        let change = run / steps / (seconds * steps).max(1.0);
        self.velocity = self.velocity.move_towards(wish, change);
        // A step fails only for a speed that is not a number, which no slider can set.
        if let Ok(step) = self.mover.step(level, self.velocity) {
            self.velocity = step.velocity(self.velocity);
        }
    }

    /// The hero as a body that jumps, and its position; `None` in a view from above.
    pub(crate) fn jumper(&self) -> Option<(Jumper, IVec2)> {
        let rate = Rate::per_second(STEPS_PER_SECOND);
        let mut jumper = Jumper::new(self.settings.size(), self.feel.clone(), rate);
        jumper.settings = self.settings.mover();
        let is_side = !self.settings.above && self.settings.jump > 0.0;
        is_side.then_some((jumper, self.mover.body.min))
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
            hero.place(level, feet.saturating_sub(IVec2::new(0, feel.size().y as i32 / 2)));
        }
    }

    /// Moves the hero to the start of the level: the marker `player`, `spawn`, `start`, `hero` or
    /// `PlayerStart`, or the middle if there is none.
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
        let stick = Vec2::new(x, y);
        let steps = self.hero.clock.advance(seconds);
        for _ in 0..steps {
            self.hero.step(&self.loaded.level, stick, jump);
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
