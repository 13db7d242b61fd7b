//! One body that moves: a mover by velocities, a platformer by keys.

use bitwall::character::{Input, Outcome};
use bitwall::geometry::Corners;
use bitwall::glam::{UVec2, Vec2};
use bitwall::mover::{MovePath as CorePath, Response as CoreResponse, Slope, WalkSpeed};
use bitwall::{Aabb, Move, MoverSettings, Rate, Sides};

use crate::level::Level;
use crate::{ARGUMENT, Dir, Error, Pixel, Point, Rect, Result, Side};
use crate::{aabb, length, number, real};

/// What a body is made for: its first settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Kind {
    /// A body without a floor that slides along solids.
    Plain,
    /// A body that walks on floors, steps and slopes.
    Platformer,
    /// A body seen from above, which slips around corners.
    TopDown,
}

impl Kind {
    pub(crate) fn settings(self) -> MoverSettings {
        match self {
            Self::Plain => MoverSettings::PLAIN,
            Self::Platformer => MoverSettings::platformer(),
            Self::TopDown => MoverSettings::top_down(),
        }
    }
}

/// The way of a step along both axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum MovePath {
    /// All of x first, then y.
    XThenY,
    /// All of y first, then x.
    YThenX,
    /// The straight line; a corner of a solid stops the body.
    Straight,
    /// The straight line, which may pass between two solid cells that touch at a corner.
    StraightPastCorners,
}

/// What a body does at a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Response {
    /// It stops.
    Stop,
    /// It slides along the solid.
    Slide,
    /// It bounces off.
    Bounce,
    /// It goes through, and the contacts tell what it met.
    Cross,
}

/// How a mover moves. Lengths are whole pixels from 0 to 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Settings {
    /// The way of a step along both axes.
    pub path: MovePath,
    /// What the body does at a solid.
    pub response: Response,
    /// The part of the speed that a bounce keeps, in percent: 0 to 100.
    pub restitution: i32,
    /// The side of the body on which its floor is; none for a view from above.
    pub floor: Side,
    /// The highest step that the body walks up.
    pub step_height: i32,
    /// The depth to which the body is kept on a floor that falls away.
    pub snap_distance: i32,
    /// The steepest slope that is a floor: so many pixels up, from 0 to 65535.
    pub slope_rise: i32,
    /// On so many pixels aside; 0 makes every slope a floor.
    pub slope_run: i32,
    /// True if the speed of a walk counts along the slope, not along the axis.
    pub walks_along_slope: bool,
    /// How far a body that moves left is moved aside to pass a corner.
    pub corner_left: i32,
    /// The same to the right.
    pub corner_right: i32,
    /// The same upward.
    pub corner_up: i32,
    /// The same downward.
    pub corner_down: i32,
    /// True if a body that stands against a corner glides around it.
    pub slides_around_corners: bool,
    /// True if one-way cells stop a body that moves left.
    pub one_way_left: bool,
    /// The same to the right.
    pub one_way_right: bool,
    /// The same upward.
    pub one_way_up: bool,
    /// The same downward.
    pub one_way_down: bool,
}

impl Settings {
    pub(crate) fn from_core(core: &MoverSettings) -> Self {
        let path = match core.path {
            CorePath::XThenY => MovePath::XThenY,
            CorePath::YThenX => MovePath::YThenX,
            CorePath::Straight(Corners::Block) => MovePath::Straight,
            CorePath::Straight(Corners::Pass) => MovePath::StraightPastCorners,
        };
        let (response, restitution) = match core.response {
            CoreResponse::Stop => (Response::Stop, 0),
            CoreResponse::Bounce { restitution } => (Response::Bounce, restitution.into()),
            CoreResponse::Cross => (Response::Cross, 0),
            _ => (Response::Slide, 0),
        };
        let corner = core.corner_correction;
        Self {
            path,
            response,
            restitution,
            floor: Side::from_core(core.floor),
            step_height: core.step_height.cast_signed(),
            snap_distance: core.snap_distance.cast_signed(),
            slope_rise: core.max_slope.rise.into(),
            slope_run: core.max_slope.run.into(),
            walks_along_slope: core.walk_speed == WalkSpeed::AlongSlope,
            corner_left: corner.left.cast_signed(),
            corner_right: corner.right.cast_signed(),
            corner_up: corner.up.cast_signed(),
            corner_down: corner.down.cast_signed(),
            slides_around_corners: core.slides_around_corners,
            one_way_left: core.one_way.left,
            one_way_right: core.one_way.right,
            one_way_up: core.one_way.up,
            one_way_down: core.one_way.down,
        }
    }

    pub(crate) fn core(&self) -> Result<MoverSettings> {
        let restitution = number("restitution", self.restitution, 0..=100)? as u8;
        let corner_correction = Sides {
            left: pixels("corner_left", self.corner_left)?,
            right: pixels("corner_right", self.corner_right)?,
            up: pixels("corner_up", self.corner_up)?,
            down: pixels("corner_down", self.corner_down)?,
        };
        Ok(MoverSettings {
            path: match self.path {
                MovePath::XThenY => CorePath::XThenY,
                MovePath::YThenX => CorePath::YThenX,
                MovePath::Straight => CorePath::Straight(Corners::Block),
                MovePath::StraightPastCorners => CorePath::Straight(Corners::Pass),
            },
            response: match self.response {
                Response::Stop => CoreResponse::Stop,
                Response::Slide => CoreResponse::Slide,
                Response::Bounce => CoreResponse::Bounce { restitution },
                Response::Cross => CoreResponse::Cross,
            },
            floor: self.floor.core(),
            step_height: pixels("step_height", self.step_height)?,
            snap_distance: pixels("snap_distance", self.snap_distance)?,
            max_slope: Slope {
                rise: number("slope_rise", self.slope_rise, 0..=65535)? as u16,
                run: number("slope_run", self.slope_run, 0..=65535)? as u16,
            },
            walk_speed: if self.walks_along_slope { WalkSpeed::AlongSlope } else { WalkSpeed::AlongAxis },
            corner_correction,
            slides_around_corners: self.slides_around_corners,
            one_way: Sides {
                left: self.one_way_left,
                right: self.one_way_right,
                up: self.one_way_up,
                down: self.one_way_down,
            },
        })
    }
}

/// A length of the settings of a mover.
fn pixels(name: &str, value: i32) -> Result<u32> {
    let most = MoverSettings::MAX_CORRECTION.cast_signed();
    number(name, value, 0..=most).map(i32::cast_unsigned)
}

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Motion {
    /// The whole pixels moved along x.
    pub moved_x: i32,
    /// The whole pixels moved along y.
    pub moved_y: i32,
    /// The velocity along x that the step left: 0 after a solid.
    pub velocity_x: f32,
    /// The velocity along y that the step left.
    pub velocity_y: f32,
    /// True if the body stands on its floor.
    pub grounded: bool,
    /// True if the body stood on its floor before the step.
    pub was_grounded: bool,
    /// True if a solid stopped the body on its left.
    pub hit_left: bool,
    /// True if a solid stopped the body on its right.
    pub hit_right: bool,
    /// True if a solid stopped the body above.
    pub hit_up: bool,
    /// True if a solid stopped the body below.
    pub hit_down: bool,
    /// True if the body overlapped a solid before the step.
    pub started_solid: bool,
}

impl Motion {
    pub(crate) fn new(step: &Move, [velocity_x, velocity_y]: [f32; 2]) -> Self {
        let contacts = &step.contacts;
        Self {
            moved_x: step.moved.x,
            moved_y: step.moved.y,
            velocity_x,
            velocity_y,
            grounded: step.grounded,
            was_grounded: step.was_grounded,
            hit_left: contacts.left.is_some(),
            hit_right: contacts.right.is_some(),
            hit_up: contacts.up.is_some(),
            hit_down: contacts.down.is_some(),
            started_solid: step.started_solid,
        }
    }
}

/// One body that slides, climbs steps and slopes, and keeps fractions of a pixel. The game has its velocity.
pub struct Mover(bitwall::Mover);

impl Mover {
    /// Makes a mover with the settings of its kind.
    pub fn new(x: i32, y: i32, w: i32, h: i32, kind: Kind) -> Result<Self> {
        Ok(Self(bitwall::Mover::new(aabb(x, y, w, h)?, kind.settings())))
    }

    /// Returns the settings, for a change of some of them.
    pub fn settings(&self) -> Settings {
        Settings::from_core(&self.0.settings)
    }

    /// Sets all settings.
    pub fn set_settings(&mut self, settings: &Settings) -> Result<()> {
        self.0.settings = settings.core()?;
        Ok(())
    }

    /// Sets the highest step that the mover walks up, and the depth to which it is kept on a floor that falls
    /// away: 0 to 256 pixels.
    pub fn set_steps(&mut self, step_height: i32, snap_distance: i32) -> Result<()> {
        let step_height = pixels("step_height", step_height)?;
        self.0.settings.snap_distance = pixels("snap_distance", snap_distance)?;
        self.0.settings.step_height = step_height;
        Ok(())
    }

    /// Puts the top-left corner at a pixel, through all solids.
    pub fn place(&mut self, x: i32, y: i32) {
        self.0 = placed(&self.0, x, y);
    }

    /// Moves by a velocity in pixels a step, as far as the level allows and at most 4096 pixels.
    pub fn step(&mut self, level: &Level, velocity_x: f32, velocity_y: f32) -> Result<Motion> {
        let velocity = [velocity_x, velocity_y];
        let step = self.0.step(level.core(), velocity);
        let step = step.map_err(|error| Error::new(ARGUMENT, error))?;
        Ok(Motion::new(&step, step.velocity(velocity)))
    }

    /// Changes the size, as for a crouch; the side `anchor` stays. False, and nothing changes, if there is no
    /// room.
    pub fn resize(&mut self, level: &Level, w: i32, h: i32, anchor: Side) -> Result<bool> {
        let size = UVec2::new(length("w", w)?, length("h", h)?);
        Ok(self.0.resize(level.core(), size, anchor.core()))
    }

    /// Drops through the one-way floor on which the body stands. False if it stands on none.
    pub fn drop_through(&mut self, level: &Level) -> bool {
        self.0.drop_through(level.core())
    }

    /// Moves a body that overlaps a solid to the nearest free place, at most `radius` pixels away. Returns
    /// that move, or none if there is no such place.
    pub fn unstick(&mut self, level: &Level, radius: i32) -> Result<Pixel> {
        Ok(self.0.unstick(level.core(), length("radius", radius)?).into())
    }

    /// Returns the box in whole pixels.
    pub fn bounds(&self) -> Rect {
        self.0.body.into()
    }

    /// Returns the exact place of the top-left corner.
    pub fn position(&self) -> Point {
        Point::new(self.0.position().to_array())
    }

    /// Returns where to draw the top-left corner, which also glides along slopes.
    pub fn drawn(&self, level: &Level) -> Point {
        Point::new(self.0.drawn(level.core()).to_array())
    }

    /// Returns a number that is equal for equal movers, on every platform.
    pub fn checksum(&self) -> u64 {
        self.0.checksum()
    }
}

fn placed(mover: &bitwall::Mover, x: i32, y: i32) -> bitwall::Mover {
    let size = mover.body.size().as_ivec2();
    bitwall::Mover::new(Aabb::from_xywh(x, y, size.x, size.y), mover.settings)
}

/// The feel of a platformer: pixels, seconds, pixels a second, pixels a second squared. All numbers are
/// finite and at least 0, but for `carry`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Feel {
    /// The direction in which the character falls.
    pub floor: Dir,
    /// The highest speed of a run.
    pub top_speed: f32,
    /// The acceleration on a floor.
    pub acceleration: f32,
    /// The loss of speed on a floor without a key.
    pub friction: f32,
    /// The acceleration in the air.
    pub air_acceleration: f32,
    /// The loss of speed in the air without a key.
    pub air_friction: f32,
    /// The height of a jump with the key held.
    pub jump_height: f32,
    /// The time to the highest point of a jump.
    pub jump_time: f32,
    /// The gravity of a fall, as a multiple of the gravity of a rise.
    pub fall_scale: f32,
    /// The highest speed of a fall.
    pub fall_limit: f32,
    /// Below this speed along y gravity is halved while the jump key is held.
    pub apex_speed: f32,
    /// The highest speed of a rise after the jump key was released.
    pub released_speed: f32,
    /// The time for a jump after leaving a floor (coyote time).
    pub coyote_time: f32,
    /// The number of jumps in the air: 0 to 255.
    pub air_jumps: i32,
    /// The time for which a press of the jump key counts.
    pub buffer_time: f32,
    /// The highest speed of a fall along a wall.
    pub wall_slide_speed: f32,
    /// The distance to a wall below which it can be jumped from.
    pub wall_reach: i32,
    /// The part of the body's height that must touch a wall: 0 to 1.
    pub wall_contact: f32,
    /// The speed of a jump from a wall, away from it.
    pub wall_jump_x: f32,
    /// The speed of a jump from a wall, upward.
    pub wall_jump_y: f32,
    /// The time without steering after a jump from a wall.
    pub wall_jump_time: f32,
    /// The distance from the body's top up to a ledge that it grabs.
    pub ledge_reach: i32,
    /// The time of a climb onto a ledge.
    pub ledge_time: f32,
    /// The speed of a dash; 0 without dashes.
    pub dash_speed: f32,
    /// The time of a dash.
    pub dash_time: f32,
    /// The time after a dash without another.
    pub dash_wait: f32,
    /// The height of a crouching body; 0 without crouching.
    pub crouch_height: i32,
    /// The highest speed while crouching.
    pub crouch_speed: f32,
    /// The velocity of wind or a stream along x, of either sign.
    pub carry_x: f32,
    /// The velocity of wind or a stream along y, of either sign.
    pub carry_y: f32,
    /// The highest speed that a jump takes over from a platform.
    pub momentum_limit: f32,
    /// The time for which a jump still takes over a platform's speed.
    pub momentum_time: f32,
    /// The speed on a ladder.
    pub climb_speed: f32,
    /// The distance by which a climbing body moves to the middle of its ladder.
    pub ladder_snap: i32,
    /// The highest speed in water.
    pub swim_speed: f32,
    /// The acceleration in water.
    pub swim_acceleration: f32,
    /// The speed at which a body in water rises by itself.
    pub float_speed: f32,
}

impl Feel {
    /// Returns the usual feel, for tiles of 16 pixels.
    pub fn usual() -> Self {
        Self::from_core(&bitwall::character::Feel::default())
    }

    pub(crate) fn from_core(core: &bitwall::character::Feel) -> Self {
        Self {
            floor: Dir::from_core(core.floor),
            top_speed: core.top_speed,
            acceleration: core.acceleration,
            friction: core.friction,
            air_acceleration: core.air_acceleration,
            air_friction: core.air_friction,
            jump_height: core.jump_height,
            jump_time: core.jump_time,
            fall_scale: core.fall_scale,
            fall_limit: core.fall_limit,
            apex_speed: core.apex_speed,
            released_speed: core.released_speed,
            coyote_time: core.coyote_time,
            air_jumps: core.air_jumps.into(),
            buffer_time: core.buffer_time,
            wall_slide_speed: core.wall_slide_speed,
            wall_reach: core.wall_reach.cast_signed(),
            wall_contact: core.wall_contact,
            wall_jump_x: core.wall_jump.x,
            wall_jump_y: core.wall_jump.y,
            wall_jump_time: core.wall_jump_time,
            ledge_reach: core.ledge_reach.cast_signed(),
            ledge_time: core.ledge_time,
            dash_speed: core.dash_speed,
            dash_time: core.dash_time,
            dash_wait: core.dash_wait,
            crouch_height: core.crouch_height.cast_signed(),
            crouch_speed: core.crouch_speed,
            carry_x: core.carry.x,
            carry_y: core.carry.y,
            momentum_limit: core.momentum_limit,
            momentum_time: core.momentum_time,
            climb_speed: core.climb_speed,
            ladder_snap: core.ladder_snap.cast_signed(),
            swim_speed: core.swim_speed,
            swim_acceleration: core.swim_acceleration,
            float_speed: core.float_speed,
        }
    }

    /// Changes `core` to this feel. Its names of areas stay.
    pub(crate) fn change(&self, core: &mut bitwall::character::Feel) -> Result<()> {
        let changed = bitwall::character::Feel {
            floor: self.floor.core(),
            top_speed: amount("top_speed", self.top_speed)?,
            acceleration: amount("acceleration", self.acceleration)?,
            friction: amount("friction", self.friction)?,
            air_acceleration: amount("air_acceleration", self.air_acceleration)?,
            air_friction: amount("air_friction", self.air_friction)?,
            jump_height: real("jump_height", self.jump_height, AMOUNT)?,
            jump_time: real("jump_time", self.jump_time, AMOUNT)?,
            fall_scale: amount("fall_scale", self.fall_scale)?,
            fall_limit: amount("fall_limit", self.fall_limit)?,
            apex_speed: amount("apex_speed", self.apex_speed)?,
            released_speed: amount("released_speed", self.released_speed)?,
            coyote_time: amount("coyote_time", self.coyote_time)?,
            air_jumps: number("air_jumps", self.air_jumps, 0..=255)? as u8,
            buffer_time: amount("buffer_time", self.buffer_time)?,
            wall_slide_speed: amount("wall_slide_speed", self.wall_slide_speed)?,
            wall_reach: length("wall_reach", self.wall_reach)?,
            wall_contact: real("wall_contact", self.wall_contact, 0.0..=1.0)?,
            wall_jump: Vec2::new(
                amount("wall_jump_x", self.wall_jump_x)?,
                amount("wall_jump_y", self.wall_jump_y)?,
            ),
            wall_jump_time: amount("wall_jump_time", self.wall_jump_time)?,
            ledge_reach: length("ledge_reach", self.ledge_reach)?,
            ledge_time: amount("ledge_time", self.ledge_time)?,
            dash_speed: amount("dash_speed", self.dash_speed)?,
            dash_time: amount("dash_time", self.dash_time)?,
            dash_wait: amount("dash_wait", self.dash_wait)?,
            crouch_height: length("crouch_height", self.crouch_height)?,
            crouch_speed: amount("crouch_speed", self.crouch_speed)?,
            carry: Vec2::new(speed("carry_x", self.carry_x)?, speed("carry_y", self.carry_y)?),
            momentum_limit: amount("momentum_limit", self.momentum_limit)?,
            momentum_time: amount("momentum_time", self.momentum_time)?,
            climb_speed: amount("climb_speed", self.climb_speed)?,
            ladder_snap: length("ladder_snap", self.ladder_snap)?,
            ladder: std::mem::take(&mut core.ladder),
            swim_speed: amount("swim_speed", self.swim_speed)?,
            swim_acceleration: amount("swim_acceleration", self.swim_acceleration)?,
            float_speed: amount("float_speed", self.float_speed)?,
            water: std::mem::take(&mut core.water),
        };
        *core = changed;
        Ok(())
    }
}

/// A height in pixels or a time in seconds, as large as the library counts them.
pub(crate) const AMOUNT: std::ops::RangeInclusive<f32> = 0.0..=65535.0;

fn amount(name: &str, value: f32) -> Result<f32> {
    real(name, value, 0.0..=f32::MAX)
}

/// A speed along an axis: a number below 2^31.
pub(crate) fn speed(name: &str, value: f32) -> Result<f32> {
    real(name, value, -2147483520.0..=2147483520.0)
}

/// The keys of a step; each of x and y is a key, or a stick from -1 to 1.
pub(crate) fn input(x: f32, y: f32, jump: bool, dash: bool) -> Result<Input> {
    let (x, y) = (real("x", x, -1.0..=1.0)?, real("y", y, -1.0..=1.0)?);
    Ok(Input::from_axes(x, y, jump).with_dash(dash))
}

/// The steps of a second.
pub(crate) fn rate(fps: i32) -> Result<Rate> {
    Ok(Rate::per_second(number("fps", fps, 1..=65535)? as u16))
}

/// The stance of a platformer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Stance {
    /// It stands on a floor.
    Ground,
    /// It rises or falls.
    #[default]
    Air,
    /// It falls along a wall.
    WallSlide,
    /// It hangs on a ledge.
    Ledge,
    /// It climbs onto a ledge.
    LedgeClimb,
    /// It is on a ladder.
    Ladder,
    /// It swims.
    Water,
}

impl Stance {
    pub(crate) fn from_core(stance: bitwall::character::Stance) -> Self {
        use bitwall::character::Stance as Core;
        match stance {
            Core::Ground => Self::Ground,
            Core::WallSlide(_) => Self::WallSlide,
            Core::Ledge(_) => Self::Ledge,
            Core::LedgeClimb(_) => Self::LedgeClimb,
            Core::Ladder => Self::Ladder,
            Core::Water => Self::Water,
            _ => Self::Air,
        }
    }
}

/// A character that runs, jumps, climbs and swims by its keys, in a level without other bodies.
pub struct Platformer {
    mover: bitwall::Mover,
    state: bitwall::Platformer,
    feel: bitwall::character::Feel,
    outcome: Option<Outcome>,
}

impl Platformer {
    /// Makes a character at rest in the air, for a game with `fps` steps a second, with the usual feel.
    pub fn new(x: i32, y: i32, w: i32, h: i32, fps: i32) -> Result<Self> {
        Ok(Self {
            mover: bitwall::Mover::new(aabb(x, y, w, h)?, MoverSettings::platformer()),
            state: bitwall::Platformer::new(rate(fps)?),
            feel: bitwall::character::Feel::default(),
            outcome: None,
        })
    }

    /// Returns the feel, for a change of some of it.
    pub fn feel(&self) -> Feel {
        Feel::from_core(&self.feel)
    }

    /// Sets the whole feel.
    pub fn set_feel(&mut self, feel: &Feel) -> Result<()> {
        feel.change(&mut self.feel)
    }

    /// Names the areas that are ladders and water, as in the level; empty for none.
    pub fn set_areas(&mut self, ladder: &str, water: &str) {
        ladder.clone_into(&mut self.feel.ladder);
        water.clone_into(&mut self.feel.water);
    }

    /// Returns the settings of the motion.
    pub fn settings(&self) -> Settings {
        Settings::from_core(&self.mover.settings)
    }

    /// Sets the settings of the motion. The response must be to slide.
    pub fn set_settings(&mut self, settings: &Settings) -> Result<()> {
        self.mover.settings = settings.core()?;
        Ok(())
    }

    /// Moves by one step with the keys that are held: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1
    /// (down).
    pub fn step(&mut self, level: &Level, x: f32, y: f32, jump: bool, dash: bool) -> Result<Motion> {
        Ok(self.go(level, input(x, y, jump, dash)?))
    }

    /// Moves by one step with these keys.
    pub(crate) fn go(&mut self, level: &Level, input: Input) -> Motion {
        let (step, outcome) = self.state.step(level.core(), &mut self.mover, input, &self.feel);
        self.outcome = Some(outcome);
        Motion::new(&step, self.state.velocity().to_array())
    }

    /// The parts that a follower reads.
    pub(crate) fn parts(&mut self) -> (&mut bitwall::Mover, &bitwall::Platformer) {
        (&mut self.mover, &self.state)
    }

    /// Puts the top-left corner at a pixel, through all solids.
    pub fn place(&mut self, x: i32, y: i32) {
        self.mover = placed(&self.mover, x, y);
    }

    /// Sets the velocity in pixels a second, as for a spring.
    pub fn set_velocity(&mut self, velocity_x: f32, velocity_y: f32) -> Result<()> {
        let velocity = [speed("velocity_x", velocity_x)?, speed("velocity_y", velocity_y)?];
        self.state.set_velocity(velocity);
        Ok(())
    }

    /// Gives a velocity and keeps it for some seconds, as for a knockback: no key and no gravity changes it.
    pub fn force(&mut self, velocity_x: f32, velocity_y: f32, seconds: f32) -> Result<()> {
        let velocity = [speed("velocity_x", velocity_x)?, speed("velocity_y", velocity_y)?];
        self.state.force(velocity, real("seconds", seconds, AMOUNT)?);
        Ok(())
    }

    /// Returns the velocity in pixels a second.
    pub fn velocity(&self) -> Point {
        Point::of_speed(self.state.velocity().to_array())
    }

    /// Returns the stance.
    pub fn stance(&self) -> Stance {
        Stance::from_core(self.state.stance)
    }

    /// Returns the side to which the character looks; none before its first key.
    pub fn facing(&self) -> Side {
        Side::from_core(self.state.facing)
    }

    /// True if the character jumped in the last step.
    pub fn jumped(&self) -> bool {
        self.outcome.is_some_and(|outcome| outcome.jumped_from.is_some())
    }

    /// Returns the box in whole pixels.
    pub fn bounds(&self) -> Rect {
        self.mover.body.into()
    }

    /// Returns the exact place of the top-left corner.
    pub fn position(&self) -> Point {
        Point::new(self.mover.position().to_array())
    }

    /// Returns where to draw the top-left corner.
    pub fn drawn(&self, level: &Level) -> Point {
        Point::new(self.mover.drawn(level.core()).to_array())
    }

    /// Returns a number that is equal for equal characters, on every platform.
    pub fn checksum(&self) -> u64 {
        self.state.checksum() ^ self.mover.checksum().rotate_left(1)
    }
}
