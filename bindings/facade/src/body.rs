//! One body that moves: a mover by velocities, a platformer by keys.

use bitwall::character::{Input, Stance as CoreStance};
use bitwall::geometry::Corners;
use bitwall::mover::{MovePath as CorePath, Response as CoreResponse, WalkSpeed};
use bitwall::{Move, MoverSettings, Rate};

use crate::*;

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
        [MoverSettings::PLAIN, MoverSettings::platformer(), MoverSettings::top_down()][self as usize]
    }
}

record! {
    /// The way of a step along both axes.
    MovePath from CorePath {
        /// All of x first, then y.
        XThenY [CorePath::XThenY];
        /// All of y first, then x.
        YThenX [CorePath::YThenX];
        /// The straight line; a corner of a solid stops the body.
        Straight [CorePath::Straight(Corners::Block)];
        /// The straight line, which may pass between two solid cells that touch at a corner.
        StraightPastCorners [CorePath::Straight(Corners::Pass)];
    }

    /// What a body does at a solid.
    Response from CoreResponse {
        /// It stops.
        Stop [CoreResponse::Stop];
        /// It slides along the solid.
        Slide [CoreResponse::Slide];
        /// It bounces off.
        Bounce [CoreResponse::Bounce { .. }];
        /// It goes through, and the contacts tell what it met.
        Cross [CoreResponse::Cross];
    }

    /// How a mover moves. Lengths are whole pixels from 0 to 256.
    Settings of core: MoverSettings {
        /// The way of a step along both axes.
        path: MovePath = core.path;
        /// What the body does at a solid.
        response: Response = core.response;
        /// The part of the speed that a bounce keeps, in percent: 0 to 100.
        restitution: i32 = restitution_of(core.response);
        /// The side of the body on which its floor is; none for a view from above.
        floor: Side = core.floor => given;
        /// The highest step that the body walks up.
        step_height: i32 = core.step_height => pixels;
        /// The depth to which the body is kept on a floor that falls away.
        snap_distance: i32 = core.snap_distance => pixels;
        /// The steepest slope that is a floor: so many pixels up, from 0 to 65535.
        slope_rise: i32 = core.max_slope.rise => word;
        /// On so many pixels aside; 0 makes every slope a floor.
        slope_run: i32 = core.max_slope.run => word;
        /// True if the speed of a walk counts along the slope, not along the axis.
        walks_along_slope: bool = core.walk_speed == WalkSpeed::AlongSlope;
        /// How far a body that moves left is moved aside to pass a corner.
        corner_left: i32 = core.corner_correction.left => pixels;
        /// The same to the right.
        corner_right: i32 = core.corner_correction.right => pixels;
        /// The same upward.
        corner_up: i32 = core.corner_correction.up => pixels;
        /// The same downward.
        corner_down: i32 = core.corner_correction.down => pixels;
        /// True if a body that stands against a corner glides around it.
        slides_around_corners: bool = core.slides_around_corners => given;
        /// True if one-way cells stop a body that moves left.
        one_way_left: bool = core.one_way.left => given;
        /// The same to the right.
        one_way_right: bool = core.one_way.right => given;
        /// The same upward.
        one_way_up: bool = core.one_way.up => given;
        /// The same downward.
        one_way_down: bool = core.one_way.down => given;
    }

    /// The stance of a platformer.
    Stance from CoreStance {
        /// It rises or falls.
        Air [CoreStance::Air];
        /// It stands on a floor.
        Ground [CoreStance::Ground];
        /// It falls along a wall.
        WallSlide [CoreStance::WallSlide(_)];
        /// It hangs on a ledge.
        Ledge [CoreStance::Ledge(_)];
        /// It climbs onto a ledge.
        LedgeClimb [CoreStance::LedgeClimb(_)];
        /// It is on a ladder.
        Ladder [CoreStance::Ladder];
        /// It swims.
        Water [CoreStance::Water];
    }

    /// What a step did.
    #[derive(Default)]
    Motion(step: &Move, velocity: [f32; 2], stance: CoreStance, facing: Option<bitwall::Dir>, jumped: bool) {
        /// The whole pixels moved along x.
        moved_x: i32 = step.moved.x;
        /// The whole pixels moved along y.
        moved_y: i32 = step.moved.y;
        /// The velocity along x that the step left: 0 after a solid.
        velocity_x: f32 = velocity[0];
        /// The velocity along y that the step left.
        velocity_y: f32 = velocity[1];
        /// True if the body stands on its floor.
        grounded: bool = step.grounded;
        /// True if the body stood on its floor before the step.
        was_grounded: bool = step.was_grounded;
        /// True if a solid stopped the body on its left.
        hit_left: bool = step.contacts.left.is_some();
        /// True if a solid stopped the body on its right.
        hit_right: bool = step.contacts.right.is_some();
        /// True if a solid stopped the body above.
        hit_up: bool = step.contacts.up.is_some();
        /// True if a solid stopped the body below.
        hit_down: bool = step.contacts.down.is_some();
        /// True if the body overlapped a solid before the step.
        started_solid: bool = step.started_solid;
        /// The stance; on the ground or in the air for a body without keys.
        stance: Stance = stance;
        /// The side to which a body with keys looks; none before its first key.
        facing: Side = facing;
        /// True if a body with keys jumped in the step.
        jumped: bool = jumped;
    }

    /// The feel of a platformer: pixels, seconds, pixels a second, pixels a second squared. All numbers are
    /// finite and at least 0, but for `carry`.
    Feel of core: bitwall::character::Feel {
        /// The direction in which the character falls.
        floor: Dir = core.floor => given;
        /// The highest speed of a run.
        top_speed: f32 = core.top_speed => amount;
        /// The acceleration on a floor.
        acceleration: f32 = core.acceleration => amount;
        /// The loss of speed on a floor without a key.
        friction: f32 = core.friction => amount;
        /// The acceleration in the air.
        air_acceleration: f32 = core.air_acceleration => amount;
        /// The loss of speed in the air without a key.
        air_friction: f32 = core.air_friction => amount;
        /// The height of a jump with the key held.
        jump_height: f32 = core.jump_height => extent;
        /// The time to the highest point of a jump.
        jump_time: f32 = core.jump_time => extent;
        /// The gravity of a fall, as a multiple of the gravity of a rise.
        fall_scale: f32 = core.fall_scale => amount;
        /// The highest speed of a fall.
        fall_limit: f32 = core.fall_limit => amount;
        /// Below this speed along y gravity is halved while the jump key is held.
        apex_speed: f32 = core.apex_speed => amount;
        /// The highest speed of a rise after the jump key was released.
        released_speed: f32 = core.released_speed => amount;
        /// The time for a jump after leaving a floor (coyote time).
        coyote_time: f32 = core.coyote_time => amount;
        /// The number of jumps in the air: 0 to 255.
        air_jumps: i32 = core.air_jumps => byte;
        /// The time for which a press of the jump key counts.
        buffer_time: f32 = core.buffer_time => amount;
        /// The highest speed of a fall along a wall.
        wall_slide_speed: f32 = core.wall_slide_speed => amount;
        /// The distance to a wall below which it can be jumped from.
        wall_reach: i32 = core.wall_reach => length;
        /// The part of the body's height that must touch a wall: 0 to 1.
        wall_contact: f32 = core.wall_contact => part;
        /// The speed of a jump from a wall, away from it.
        wall_jump_x: f32 = core.wall_jump.x => amount;
        /// The speed of a jump from a wall, upward.
        wall_jump_y: f32 = core.wall_jump.y => amount;
        /// The time without steering after a jump from a wall.
        wall_jump_time: f32 = core.wall_jump_time => amount;
        /// The distance from the body's top up to a ledge that it grabs.
        ledge_reach: i32 = core.ledge_reach => length;
        /// The time of a climb onto a ledge.
        ledge_time: f32 = core.ledge_time => amount;
        /// The speed of a dash; 0 without dashes.
        dash_speed: f32 = core.dash_speed => amount;
        /// The time of a dash.
        dash_time: f32 = core.dash_time => amount;
        /// The time after a dash without another.
        dash_wait: f32 = core.dash_wait => amount;
        /// The height of a crouching body; 0 without crouching.
        crouch_height: i32 = core.crouch_height => length;
        /// The highest speed while crouching.
        crouch_speed: f32 = core.crouch_speed => amount;
        /// The velocity of wind or a stream along x, of either sign.
        carry_x: f32 = core.carry.x => speed;
        /// The velocity of wind or a stream along y, of either sign.
        carry_y: f32 = core.carry.y => speed;
        /// The highest speed that a jump takes over from a platform.
        momentum_limit: f32 = core.momentum_limit => amount;
        /// The time for which a jump still takes over a platform's speed.
        momentum_time: f32 = core.momentum_time => amount;
        /// The speed on a ladder.
        climb_speed: f32 = core.climb_speed => amount;
        /// The distance by which a climbing body moves to the middle of its ladder.
        ladder_snap: i32 = core.ladder_snap => length;
        /// The highest speed in water.
        swim_speed: f32 = core.swim_speed => amount;
        /// The acceleration in water.
        swim_acceleration: f32 = core.swim_acceleration => amount;
        /// The speed at which a body in water rises by itself.
        float_speed: f32 = core.float_speed => amount;
    }
}

fn restitution_of(response: CoreResponse) -> u8 {
    if let CoreResponse::Bounce { restitution } = response { restitution } else { 0 }
}

impl Settings {
    /// Changes all settings of a body that this record has. On an error nothing changes.
    pub(crate) fn set(&self, kept: &mut MoverSettings) -> Result<()> {
        let restitution = number("restitution", self.restitution, 0..=100)? as u8;
        self.change(kept)?;
        kept.path = match self.path {
            MovePath::XThenY => CorePath::XThenY,
            MovePath::YThenX => CorePath::YThenX,
            MovePath::Straight => CorePath::Straight(Corners::Block),
            MovePath::StraightPastCorners => CorePath::Straight(Corners::Pass),
        };
        kept.response = match self.response {
            Response::Stop => CoreResponse::Stop,
            Response::Slide => CoreResponse::Slide,
            Response::Bounce => CoreResponse::Bounce { restitution },
            Response::Cross => CoreResponse::Cross,
        };
        kept.walk_speed = [WalkSpeed::AlongAxis, WalkSpeed::AlongSlope][usize::from(self.walks_along_slope)];
        Ok(())
    }
}

/// A flag or an enumeration: each value is allowed.
fn given<T: Into<C>, C>(_: &str, value: T) -> Result<C> {
    Ok(value.into())
}

/// A length of the settings of a mover.
fn pixels(name: &str, value: i32) -> Result<u32> {
    let most = MoverSettings::MAX_CORRECTION.cast_signed();
    number(name, value, 0..=most).map(i32::cast_unsigned)
}

fn byte(name: &str, value: i32) -> Result<u8> {
    Ok(number(name, value, 0..=255)? as u8)
}

fn amount(name: &str, value: f32) -> Result<f32> {
    real(name, value, 0.0..=f32::MAX)
}

fn part(name: &str, value: f32) -> Result<f32> {
    real(name, value, 0.0..=1.0)
}

impl Motion {
    /// The motion of a body without keys.
    pub(crate) fn keyless(step: &Move, velocity: [f32; 2]) -> Self {
        let stance = if step.grounded { CoreStance::Ground } else { CoreStance::Air };
        Self::new(step, velocity, stance, None, false)
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
        Settings::new(&self.0.settings)
    }

    /// Sets all settings.
    pub fn set_settings(&mut self, settings: &Settings) -> Result<()> {
        settings.set(&mut self.0.settings)
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
        Ok(Motion::keyless(&step, step.velocity(velocity)))
    }

    /// Changes the size, as for a crouch; the side `anchor` stays. False, and nothing changes, if there is no
    /// room.
    pub fn resize(&mut self, level: &Level, w: i32, h: i32, anchor: Side) -> Result<bool> {
        Ok(self.0.resize(level.core(), aabb(0, 0, w, h)?.size(), anchor.into()))
    }

    /// Drops through the one-way floor on which the body stands. False if it stands on none.
    pub fn drop_through(&mut self, level: &Level) -> bool {
        self.0.drop_through(level.core())
    }

    /// Moves a body that overlaps a solid to the nearest free place, at most `radius` pixels away. Returns
    /// that move, or none if there is no such place.
    pub fn unstick(&mut self, level: &Level, radius: i32) -> Result<Pixel> {
        Ok(Pixel::new(self.0.unstick(level.core(), length("radius", radius)?)))
    }

    /// Returns the box in whole pixels.
    pub fn bounds(&self) -> Rect {
        Rect::new(self.0.body)
    }

    /// Returns the exact place of the top-left corner.
    pub fn position(&self) -> Point {
        Point::new(self.0.position())
    }

    /// Returns where to draw the top-left corner, which also glides along slopes.
    pub fn drawn(&self, level: &Level) -> Point {
        Point::new(self.0.drawn(level.core()))
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

impl Feel {
    /// Returns the usual feel, for tiles of 16 pixels.
    pub fn usual() -> Self {
        Self::new(&bitwall::character::Feel::default())
    }
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

/// A character that runs, jumps, climbs and swims by its keys, in a level without other bodies.
pub struct Platformer {
    mover: bitwall::Mover,
    state: bitwall::Platformer,
    feel: bitwall::character::Feel,
    last: Motion,
}

impl Platformer {
    /// Makes a character at rest in the air, for a game with `fps` steps a second, with the usual feel.
    pub fn new(x: i32, y: i32, w: i32, h: i32, fps: i32) -> Result<Self> {
        Ok(Self {
            mover: bitwall::Mover::new(aabb(x, y, w, h)?, MoverSettings::platformer()),
            state: bitwall::Platformer::new(rate(fps)?),
            feel: bitwall::character::Feel::default(),
            last: Motion::default(),
        })
    }

    /// Returns the feel, for a change of some of it.
    pub fn feel(&self) -> Feel {
        Feel::new(&self.feel)
    }

    /// Sets the whole feel.
    pub fn set_feel(&mut self, feel: &Feel) -> Result<()> {
        feel.change(&mut self.feel)
    }

    /// Names the areas that are ladders and water, as in the level; empty for none.
    pub fn set_areas(&mut self, ladder: &str, water: &str) {
        (self.feel.ladder, self.feel.water) = (ladder.to_owned(), water.to_owned());
    }

    /// Returns the settings of the motion.
    pub fn settings(&self) -> Settings {
        Settings::new(&self.mover.settings)
    }

    /// Sets the settings of the motion. The response must be to slide.
    pub fn set_settings(&mut self, settings: &Settings) -> Result<()> {
        settings.set(&mut self.mover.settings)
    }

    /// Moves by one step with the keys that are held: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1
    /// (down).
    pub fn step(&mut self, level: &Level, x: f32, y: f32, jump: bool, dash: bool) -> Result<Motion> {
        Ok(self.go(level, input(x, y, jump, dash)?))
    }

    /// Moves by one step with these keys.
    pub(crate) fn go(&mut self, level: &Level, input: Input) -> Motion {
        let (step, outcome) = self.state.step(level.core(), &mut self.mover, input, &self.feel);
        let Self { state, .. } = self;
        let jumped = outcome.jumped_from.is_some();
        self.last = Motion::new(&step, state.velocity().to_array(), state.stance, state.facing, jumped);
        self.last
    }

    /// Returns what the last step did, also that of a follower, with the velocity as it is now. Nothing moved
    /// before the first step.
    pub fn motion(&self) -> Motion {
        let [velocity_x, velocity_y] = self.state.velocity().to_array();
        Motion { velocity_x, velocity_y, ..self.last }
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
        self.state.set_velocity(pair("velocity", velocity_x, velocity_y)?);
        Ok(())
    }

    /// Gives a velocity and keeps it for some seconds, as for a knockback: no key and no gravity changes it.
    pub fn force(&mut self, velocity_x: f32, velocity_y: f32, seconds: f32) -> Result<()> {
        self.state.force(pair("velocity", velocity_x, velocity_y)?, extent("seconds", seconds)?);
        Ok(())
    }

    /// Returns the box in whole pixels.
    pub fn bounds(&self) -> Rect {
        Rect::new(self.mover.body)
    }

    /// Returns the exact place of the top-left corner.
    pub fn position(&self) -> Point {
        Point::new(self.mover.position())
    }

    /// Returns where to draw the top-left corner.
    pub fn drawn(&self, level: &Level) -> Point {
        Point::new(self.mover.drawn(level.core()))
    }

    /// Returns a number that is equal for equal characters, on every platform.
    pub fn checksum(&self) -> u64 {
        self.state.checksum() ^ self.mover.checksum().rotate_left(1)
    }
}
