// Written by bindings/doors from bindings/facade; edit those.

use facade::{Dir, Side, Kind, MovePath, Response, Stance, Follow, MarkerShape, EventKind};

#[allow(dead_code, reason = "some are only answers")]
const DIR: &[(Dir, &str)] = &[
    (Dir::Left, "left"),
    (Dir::Right, "right"),
    (Dir::Up, "up"),
    (Dir::Down, "down"),
];

#[allow(dead_code, reason = "some are only answers")]
const SIDE: &[(Side, &str)] = &[
    (Side::None, "none"),
    (Side::Left, "left"),
    (Side::Right, "right"),
    (Side::Up, "up"),
    (Side::Down, "down"),
];

#[allow(dead_code, reason = "some are only answers")]
const KIND: &[(Kind, &str)] = &[
    (Kind::Plain, "plain"),
    (Kind::Platformer, "platformer"),
    (Kind::TopDown, "top_down"),
];

#[allow(dead_code, reason = "some are only answers")]
const MOVE_PATH: &[(MovePath, &str)] = &[
    (MovePath::XThenY, "x_then_y"),
    (MovePath::YThenX, "y_then_x"),
    (MovePath::Straight, "straight"),
    (MovePath::StraightPastCorners, "straight_past_corners"),
];

#[allow(dead_code, reason = "some are only answers")]
const RESPONSE: &[(Response, &str)] = &[
    (Response::Stop, "stop"),
    (Response::Slide, "slide"),
    (Response::Bounce, "bounce"),
    (Response::Cross, "cross"),
];

#[allow(dead_code, reason = "some are only answers")]
const STANCE: &[(Stance, &str)] = &[
    (Stance::Air, "air"),
    (Stance::Ground, "ground"),
    (Stance::WallSlide, "wall_slide"),
    (Stance::Ledge, "ledge"),
    (Stance::LedgeClimb, "ledge_climb"),
    (Stance::Ladder, "ladder"),
    (Stance::Water, "water"),
];

#[allow(dead_code, reason = "some are only answers")]
const FOLLOW: &[(Follow, &str)] = &[
    (Follow::Go, "go"),
    (Follow::Arrived, "arrived"),
    (Follow::NoWay, "no_way"),
];

#[allow(dead_code, reason = "some are only answers")]
const MARKER_SHAPE: &[(MarkerShape, &str)] = &[
    (MarkerShape::Rectangle, "rectangle"),
    (MarkerShape::Point, "point"),
    (MarkerShape::Ellipse, "ellipse"),
    (MarkerShape::Capsule, "capsule"),
    (MarkerShape::Polygon, "polygon"),
    (MarkerShape::Polyline, "polyline"),
];

#[allow(dead_code, reason = "some are only answers")]
const EVENT_KIND: &[(EventKind, &str)] = &[
    (EventKind::Crushed, "crushed"),
    (EventKind::Buried, "buried"),
    (EventKind::Hit, "hit"),
    (EventKind::Begin, "begin"),
    (EventKind::Stay, "stay"),
    (EventKind::End, "end"),
];

/// How a mover moves. Lengths are whole pixels from 0 to 256.
#[pyclass(frozen, eq, module = "bitwall")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Settings(pub(crate) facade::Settings);

#[pymethods]
impl Settings {
    /// The way of a step along both axes.
    #[getter]
    fn path(&self) -> Option<&'static str> { word(self.0.path, MOVE_PATH) }
    /// What the body does at a solid.
    #[getter]
    fn response(&self) -> Option<&'static str> { word(self.0.response, RESPONSE) }
    /// The part of the speed that a bounce keeps, in percent: 0 to 100.
    #[getter]
    fn restitution(&self) -> i32 { self.0.restitution }
    /// The side of the body on which its floor is; none for a view from above.
    #[getter]
    fn floor(&self) -> Option<&'static str> { word(self.0.floor, SIDE) }
    /// The highest step that the body walks up.
    #[getter]
    fn step_height(&self) -> i32 { self.0.step_height }
    /// The depth to which the body is kept on a floor that falls away.
    #[getter]
    fn snap_distance(&self) -> i32 { self.0.snap_distance }
    /// The steepest slope that is a floor: so many pixels up, from 0 to 65535.
    #[getter]
    fn slope_rise(&self) -> i32 { self.0.slope_rise }
    /// On so many pixels aside; 0 makes every slope a floor.
    #[getter]
    fn slope_run(&self) -> i32 { self.0.slope_run }
    /// True if the speed of a walk counts along the slope, not along the axis.
    #[getter]
    fn walks_along_slope(&self) -> bool { self.0.walks_along_slope }
    /// How far a body that moves left is moved aside to pass a corner.
    #[getter]
    fn corner_left(&self) -> i32 { self.0.corner_left }
    /// The same to the right.
    #[getter]
    fn corner_right(&self) -> i32 { self.0.corner_right }
    /// The same upward.
    #[getter]
    fn corner_up(&self) -> i32 { self.0.corner_up }
    /// The same downward.
    #[getter]
    fn corner_down(&self) -> i32 { self.0.corner_down }
    /// True if a body that stands against a corner glides around it.
    #[getter]
    fn slides_around_corners(&self) -> bool { self.0.slides_around_corners }
    /// True if one-way cells stop a body that moves left.
    #[getter]
    fn one_way_left(&self) -> bool { self.0.one_way_left }
    /// The same to the right.
    #[getter]
    fn one_way_right(&self) -> bool { self.0.one_way_right }
    /// The same upward.
    #[getter]
    fn one_way_up(&self) -> bool { self.0.one_way_up }
    /// The same downward.
    #[getter]
    fn one_way_down(&self) -> bool { self.0.one_way_down }
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> { shown(slf, &["path", "response", "restitution", "floor", "step_height", "snap_distance", "slope_rise", "slope_run", "walks_along_slope", "corner_left", "corner_right", "corner_up", "corner_down", "slides_around_corners", "one_way_left", "one_way_right", "one_way_up", "one_way_down"]) }
    /// Returns a copy with some fields changed, as in `replace(response=...)`.
    #[pyo3(signature = (**changes))]
    pub(crate) fn replace(&self, changes: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut made = *self;
        for (name, value) in changes.into_iter().flatten() {
            match name.extract::<String>()?.as_str() {
                "path" => made.0.path = numbers::choice("path", &value, MOVE_PATH)?,
                "response" => made.0.response = numbers::choice("response", &value, RESPONSE)?,
                "restitution" => made.0.restitution = numbers::number("restitution", &value)?,
                "floor" => made.0.floor = numbers::choice("floor", &value, SIDE)?,
                "step_height" => made.0.step_height = numbers::number("step_height", &value)?,
                "snap_distance" => made.0.snap_distance = numbers::number("snap_distance", &value)?,
                "slope_rise" => made.0.slope_rise = numbers::number("slope_rise", &value)?,
                "slope_run" => made.0.slope_run = numbers::number("slope_run", &value)?,
                "walks_along_slope" => made.0.walks_along_slope = numbers::flag("walks_along_slope", &value)?,
                "corner_left" => made.0.corner_left = numbers::number("corner_left", &value)?,
                "corner_right" => made.0.corner_right = numbers::number("corner_right", &value)?,
                "corner_up" => made.0.corner_up = numbers::number("corner_up", &value)?,
                "corner_down" => made.0.corner_down = numbers::number("corner_down", &value)?,
                "slides_around_corners" => made.0.slides_around_corners = numbers::flag("slides_around_corners", &value)?,
                "one_way_left" => made.0.one_way_left = numbers::flag("one_way_left", &value)?,
                "one_way_right" => made.0.one_way_right = numbers::flag("one_way_right", &value)?,
                "one_way_up" => made.0.one_way_up = numbers::flag("one_way_up", &value)?,
                "one_way_down" => made.0.one_way_down = numbers::flag("one_way_down", &value)?,
                name => return Err(no_field("Settings", name)),
            }
        }
        Ok(made)
    }
}

/// What a step did.
#[pyclass(frozen, eq, module = "bitwall")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Motion(pub(crate) facade::Motion);

#[pymethods]
impl Motion {
    /// The whole pixels moved.
    #[getter]
    fn moved(&self) -> (i32, i32) { (self.0.moved_x, self.0.moved_y) }
    /// The velocity that the step left: 0 after a solid.
    #[getter]
    fn velocity(&self) -> (f32, f32) { (self.0.velocity_x, self.0.velocity_y) }
    /// True if the body stands on its floor.
    #[getter]
    fn grounded(&self) -> bool { self.0.grounded }
    /// True if the body stood on its floor before the step.
    #[getter]
    fn was_grounded(&self) -> bool { self.0.was_grounded }
    /// True if a solid stopped the body on its left.
    #[getter]
    fn hit_left(&self) -> bool { self.0.hit_left }
    /// True if a solid stopped the body on its right.
    #[getter]
    fn hit_right(&self) -> bool { self.0.hit_right }
    /// True if a solid stopped the body above.
    #[getter]
    fn hit_up(&self) -> bool { self.0.hit_up }
    /// True if a solid stopped the body below.
    #[getter]
    fn hit_down(&self) -> bool { self.0.hit_down }
    /// True if the body overlapped a solid before the step.
    #[getter]
    fn started_solid(&self) -> bool { self.0.started_solid }
    /// The stance; on the ground or in the air for a body without keys.
    #[getter]
    fn stance(&self) -> Option<&'static str> { word(self.0.stance, STANCE) }
    /// The side to which a body with keys looks; none before its first key.
    #[getter]
    fn facing(&self) -> Option<&'static str> { word(self.0.facing, SIDE) }
    /// True if a body with keys jumped in the step.
    #[getter]
    fn jumped(&self) -> bool { self.0.jumped }
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> { shown(slf, &["moved", "velocity", "grounded", "was_grounded", "hit_left", "hit_right", "hit_up", "hit_down", "started_solid", "stance", "facing", "jumped"]) }
}

/// The feel of a platformer: pixels, seconds, pixels a second, pixels a second squared. All numbers are finite
/// and at least 0, but for `carry`.
#[pyclass(frozen, eq, module = "bitwall")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Feel(pub(crate) facade::Feel);

#[pymethods]
impl Feel {
    /// The direction in which the character falls.
    #[getter]
    fn floor(&self) -> Option<&'static str> { word(self.0.floor, DIR) }
    /// The highest speed of a run.
    #[getter]
    fn top_speed(&self) -> f64 { decimal(self.0.top_speed) }
    /// The acceleration on a floor.
    #[getter]
    fn acceleration(&self) -> f64 { decimal(self.0.acceleration) }
    /// The loss of speed on a floor without a key.
    #[getter]
    fn friction(&self) -> f64 { decimal(self.0.friction) }
    /// The acceleration in the air.
    #[getter]
    fn air_acceleration(&self) -> f64 { decimal(self.0.air_acceleration) }
    /// The loss of speed in the air without a key.
    #[getter]
    fn air_friction(&self) -> f64 { decimal(self.0.air_friction) }
    /// The height of a jump with the key held.
    #[getter]
    fn jump_height(&self) -> f64 { decimal(self.0.jump_height) }
    /// The time to the highest point of a jump.
    #[getter]
    fn jump_time(&self) -> f64 { decimal(self.0.jump_time) }
    /// The gravity of a fall, as a multiple of the gravity of a rise.
    #[getter]
    fn fall_scale(&self) -> f64 { decimal(self.0.fall_scale) }
    /// The highest speed of a fall.
    #[getter]
    fn fall_limit(&self) -> f64 { decimal(self.0.fall_limit) }
    /// Below this speed along y gravity is halved while the jump key is held.
    #[getter]
    fn apex_speed(&self) -> f64 { decimal(self.0.apex_speed) }
    /// The highest speed of a rise after the jump key was released.
    #[getter]
    fn released_speed(&self) -> f64 { decimal(self.0.released_speed) }
    /// The time for a jump after leaving a floor (coyote time).
    #[getter]
    fn coyote_time(&self) -> f64 { decimal(self.0.coyote_time) }
    /// The number of jumps in the air: 0 to 255.
    #[getter]
    fn air_jumps(&self) -> i32 { self.0.air_jumps }
    /// The time for which a press of the jump key counts.
    #[getter]
    fn buffer_time(&self) -> f64 { decimal(self.0.buffer_time) }
    /// The highest speed of a fall along a wall.
    #[getter]
    fn wall_slide_speed(&self) -> f64 { decimal(self.0.wall_slide_speed) }
    /// The distance to a wall below which it can be jumped from.
    #[getter]
    fn wall_reach(&self) -> i32 { self.0.wall_reach }
    /// The part of the body's height that must touch a wall: 0 to 1.
    #[getter]
    fn wall_contact(&self) -> f64 { decimal(self.0.wall_contact) }
    /// The speed of a jump from a wall, away from it.
    #[getter]
    fn wall_jump_x(&self) -> f64 { decimal(self.0.wall_jump_x) }
    /// The speed of a jump from a wall, upward.
    #[getter]
    fn wall_jump_y(&self) -> f64 { decimal(self.0.wall_jump_y) }
    /// The time without steering after a jump from a wall.
    #[getter]
    fn wall_jump_time(&self) -> f64 { decimal(self.0.wall_jump_time) }
    /// The distance from the body's top up to a ledge that it grabs.
    #[getter]
    fn ledge_reach(&self) -> i32 { self.0.ledge_reach }
    /// The time of a climb onto a ledge.
    #[getter]
    fn ledge_time(&self) -> f64 { decimal(self.0.ledge_time) }
    /// The speed of a dash; 0 without dashes.
    #[getter]
    fn dash_speed(&self) -> f64 { decimal(self.0.dash_speed) }
    /// The time of a dash.
    #[getter]
    fn dash_time(&self) -> f64 { decimal(self.0.dash_time) }
    /// The time after a dash without another.
    #[getter]
    fn dash_wait(&self) -> f64 { decimal(self.0.dash_wait) }
    /// The height of a crouching body; 0 without crouching.
    #[getter]
    fn crouch_height(&self) -> i32 { self.0.crouch_height }
    /// The highest speed while crouching.
    #[getter]
    fn crouch_speed(&self) -> f64 { decimal(self.0.crouch_speed) }
    /// The velocity of wind or a stream, of either sign.
    #[getter]
    fn carry_x(&self) -> f64 { decimal(self.0.carry_x) }
    /// The velocity of wind or a stream along y, of either sign.
    #[getter]
    fn carry_y(&self) -> f64 { decimal(self.0.carry_y) }
    /// The highest speed that a jump takes over from a platform.
    #[getter]
    fn momentum_limit(&self) -> f64 { decimal(self.0.momentum_limit) }
    /// The time for which a jump still takes over a platform's speed.
    #[getter]
    fn momentum_time(&self) -> f64 { decimal(self.0.momentum_time) }
    /// The speed on a ladder.
    #[getter]
    fn climb_speed(&self) -> f64 { decimal(self.0.climb_speed) }
    /// The distance by which a climbing body moves to the middle of its ladder.
    #[getter]
    fn ladder_snap(&self) -> i32 { self.0.ladder_snap }
    /// The highest speed in water.
    #[getter]
    fn swim_speed(&self) -> f64 { decimal(self.0.swim_speed) }
    /// The acceleration in water.
    #[getter]
    fn swim_acceleration(&self) -> f64 { decimal(self.0.swim_acceleration) }
    /// The speed at which a body in water rises by itself.
    #[getter]
    fn float_speed(&self) -> f64 { decimal(self.0.float_speed) }
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> { shown(slf, &["floor", "top_speed", "acceleration", "friction", "air_acceleration", "air_friction", "jump_height", "jump_time", "fall_scale", "fall_limit", "apex_speed", "released_speed", "coyote_time", "air_jumps", "buffer_time", "wall_slide_speed", "wall_reach", "wall_contact", "wall_jump_x", "wall_jump_y", "wall_jump_time", "ledge_reach", "ledge_time", "dash_speed", "dash_time", "dash_wait", "crouch_height", "crouch_speed", "carry_x", "carry_y", "momentum_limit", "momentum_time", "climb_speed", "ladder_snap", "swim_speed", "swim_acceleration", "float_speed"]) }
    /// Makes the usual feel, for tiles of 16 pixels, with some fields changed.
    #[new]
    #[pyo3(signature = (**changes))]
    fn new(changes: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self(facade::Feel::usual()).replace(changes)
    }
    /// Returns a copy with some fields changed, as in `replace(top_speed=...)`.
    #[pyo3(signature = (**changes))]
    pub(crate) fn replace(&self, changes: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut made = *self;
        for (name, value) in changes.into_iter().flatten() {
            match name.extract::<String>()?.as_str() {
                "floor" => made.0.floor = numbers::choice("floor", &value, DIR)?,
                "top_speed" => made.0.top_speed = numbers::real("top_speed", &value)?,
                "acceleration" => made.0.acceleration = numbers::real("acceleration", &value)?,
                "friction" => made.0.friction = numbers::real("friction", &value)?,
                "air_acceleration" => made.0.air_acceleration = numbers::real("air_acceleration", &value)?,
                "air_friction" => made.0.air_friction = numbers::real("air_friction", &value)?,
                "jump_height" => made.0.jump_height = numbers::real("jump_height", &value)?,
                "jump_time" => made.0.jump_time = numbers::real("jump_time", &value)?,
                "fall_scale" => made.0.fall_scale = numbers::real("fall_scale", &value)?,
                "fall_limit" => made.0.fall_limit = numbers::real("fall_limit", &value)?,
                "apex_speed" => made.0.apex_speed = numbers::real("apex_speed", &value)?,
                "released_speed" => made.0.released_speed = numbers::real("released_speed", &value)?,
                "coyote_time" => made.0.coyote_time = numbers::real("coyote_time", &value)?,
                "air_jumps" => made.0.air_jumps = numbers::number("air_jumps", &value)?,
                "buffer_time" => made.0.buffer_time = numbers::real("buffer_time", &value)?,
                "wall_slide_speed" => made.0.wall_slide_speed = numbers::real("wall_slide_speed", &value)?,
                "wall_reach" => made.0.wall_reach = numbers::number("wall_reach", &value)?,
                "wall_contact" => made.0.wall_contact = numbers::real("wall_contact", &value)?,
                "wall_jump_x" => made.0.wall_jump_x = numbers::real("wall_jump_x", &value)?,
                "wall_jump_y" => made.0.wall_jump_y = numbers::real("wall_jump_y", &value)?,
                "wall_jump_time" => made.0.wall_jump_time = numbers::real("wall_jump_time", &value)?,
                "ledge_reach" => made.0.ledge_reach = numbers::number("ledge_reach", &value)?,
                "ledge_time" => made.0.ledge_time = numbers::real("ledge_time", &value)?,
                "dash_speed" => made.0.dash_speed = numbers::real("dash_speed", &value)?,
                "dash_time" => made.0.dash_time = numbers::real("dash_time", &value)?,
                "dash_wait" => made.0.dash_wait = numbers::real("dash_wait", &value)?,
                "crouch_height" => made.0.crouch_height = numbers::number("crouch_height", &value)?,
                "crouch_speed" => made.0.crouch_speed = numbers::real("crouch_speed", &value)?,
                "carry_x" => made.0.carry_x = numbers::real("carry_x", &value)?,
                "carry_y" => made.0.carry_y = numbers::real("carry_y", &value)?,
                "momentum_limit" => made.0.momentum_limit = numbers::real("momentum_limit", &value)?,
                "momentum_time" => made.0.momentum_time = numbers::real("momentum_time", &value)?,
                "climb_speed" => made.0.climb_speed = numbers::real("climb_speed", &value)?,
                "ladder_snap" => made.0.ladder_snap = numbers::number("ladder_snap", &value)?,
                "swim_speed" => made.0.swim_speed = numbers::real("swim_speed", &value)?,
                "swim_acceleration" => made.0.swim_acceleration = numbers::real("swim_acceleration", &value)?,
                "float_speed" => made.0.float_speed = numbers::real("float_speed", &value)?,
                name => return Err(no_field("Feel", name)),
            }
        }
        Ok(made)
    }
}

/// A part of a picture at its place in the level. Turn it about its middle after it is mirrored.
#[pyclass(frozen, eq, module = "bitwall")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Sprite(pub(crate) facade::Sprite);

#[pymethods]
impl Sprite {
    /// The number of the picture in `Scene.pictures`, from 0; None for a box of one colour.
    #[getter]
    fn picture(&self) -> Option<i32> { some(self.0.picture) }
    /// The left edge of the part in the picture. The top edge of the part. The width of the part. The height of
    /// the part.
    #[getter]
    fn source(&self) -> (i32, i32, i32, i32) { (self.0.source_x, self.0.source_y, self.0.source_w, self.0.source_h) }
    /// The middle of the drawing, in pixels of the level (of the screen for an isometric map).
    #[getter]
    fn x(&self) -> f32 { self.0.x }
    /// The middle of the drawing along y.
    #[getter]
    fn y(&self) -> f32 { self.0.y }
    /// The width to which the part is scaled.
    #[getter]
    fn w(&self) -> f32 { self.0.w }
    /// The height to which the part is scaled.
    #[getter]
    fn h(&self) -> f32 { self.0.h }
    /// True if the part is mirrored left to right. True if the part is mirrored top to bottom.
    #[getter]
    fn flip(&self) -> (bool, bool) { (self.0.flip_x, self.0.flip_y) }
    /// The clockwise rotation in degrees.
    #[getter]
    fn degrees(&self) -> f32 { self.0.degrees }
    /// True for a picture that repeats to the left and right without limit. True for a picture that repeats
    /// upward and downward without limit.
    #[getter]
    fn repeat(&self) -> (bool, bool) { (self.0.repeat_x, self.0.repeat_y) }
    /// The red part of the tint, or of the one colour: 0 to 1.
    #[getter]
    fn red(&self) -> f32 { self.0.red }
    /// The green part.
    #[getter]
    fn green(&self) -> f32 { self.0.green }
    /// The blue part.
    #[getter]
    fn blue(&self) -> f32 { self.0.blue }
    /// The opacity: 0 (clear) to 1.
    #[getter]
    fn alpha(&self) -> f32 { self.0.alpha }
    /// The number of the layer in `Scene.layers`, from 0.
    #[getter]
    fn layer(&self) -> i32 { self.0.layer }
    /// How many pixels the layer moves for one of the camera; usually 1.
    #[getter]
    fn parallax(&self) -> (f32, f32) { (self.0.parallax_x, self.0.parallax_y) }
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> { shown(slf, &["picture", "source", "x", "y", "w", "h", "flip", "degrees", "repeat", "red", "green", "blue", "alpha", "layer", "parallax"]) }
}

/// How far a box can move, and what stops it.
#[pyclass(frozen, eq, module = "bitwall")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Sweep(pub(crate) facade::Sweep);

#[pymethods]
impl Sweep {
    /// The pixels that the box moves.
    #[getter]
    fn moved(&self) -> i32 { self.0.moved }
    /// True if something stops the box; if not, the other numbers say nothing.
    #[getter]
    fn hit(&self) -> bool { self.0.hit }
    /// The column of the cell that stops the box. The row of the cell that stops the box.
    #[getter]
    fn cell(&self) -> Option<(i32, i32)> { self.0.hit.then_some((self.0.column, self.0.row)) }
    /// The normal: out of the solid, toward the box.
    #[getter]
    fn normal(&self) -> Option<(i32, i32)> { self.0.hit.then_some((self.0.normal_x, self.0.normal_y)) }
    /// The body of a world that stops the box; None for a cell.
    #[getter]
    fn body(&self) -> Option<i32> { some(self.0.body) }
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> { shown(slf, &["moved", "hit", "cell", "normal", "body"]) }
}

/// The first solid on a straight line.
#[pyclass(frozen, eq, module = "bitwall")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Ray(pub(crate) facade::Ray);

#[pymethods]
impl Ray {
    /// True if there is a solid; if not, the other numbers say nothing.
    #[getter]
    fn hit(&self) -> bool { self.0.hit }
    /// The solid pixel that the line enters first.
    #[getter]
    fn pixel(&self) -> Option<(i32, i32)> { self.0.hit.then_some((self.0.x, self.0.y)) }
    /// The column of the pixel's cell. The row of the pixel's cell.
    #[getter]
    fn cell(&self) -> Option<(i32, i32)> { self.0.hit.then_some((self.0.column, self.0.row)) }
    /// The normal of the side through which the line enters; 0 and 0 if the line starts in a solid. The normal
    /// along y.
    #[getter]
    fn normal(&self) -> Option<(i32, i32)> { self.0.hit.then_some((self.0.normal_x, self.0.normal_y)) }
    /// The body of a world that the line hits; None for a cell.
    #[getter]
    fn body(&self) -> Option<i32> { some(self.0.body) }
    /// The part of the line before the hit, from 0 to 1.
    #[getter]
    fn fraction(&self) -> f64 { self.0.fraction }
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> { shown(slf, &["hit", "pixel", "cell", "normal", "body", "fraction"]) }
}

/// An event of a step.
#[pyclass(frozen, eq, module = "bitwall")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Event(pub(crate) facade::Event);

#[pymethods]
impl Event {
    /// What happened.
    #[getter]
    fn kind(&self) -> Option<&'static str> { word(self.0.kind, EVENT_KIND) }
    /// The body to which it happened, or which watches; None for a body that was removed before the step.
    #[getter]
    fn body(&self) -> Option<i32> { some(self.0.body) }
    /// The other body; None for a cell.
    #[getter]
    fn other(&self) -> Option<i32> { some(self.0.other) }
    /// The side of the body that the other one touches; none if they overlap.
    #[getter]
    fn side(&self) -> Option<&'static str> { word(self.0.side, SIDE) }
    /// The column of the cell that was hit. The row of the cell that was hit.
    #[getter]
    fn cell(&self) -> (i32, i32) { (self.0.column, self.0.row) }
    /// The normal of a hit: out of the solid, of length 1.
    #[getter]
    fn normal(&self) -> (f32, f32) { (self.0.normal_x, self.0.normal_y) }
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> { shown(slf, &["kind", "body", "other", "side", "cell", "normal"]) }
}

/// Where to draw a body.
#[pyclass(frozen, eq, module = "bitwall")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Drawn(pub(crate) facade::Drawn);

#[pymethods]
impl Drawn {
    /// The body.
    #[getter]
    fn body(&self) -> i32 { self.0.body }
    /// The left edge.
    #[getter]
    fn x(&self) -> f32 { self.0.x }
    /// The top edge.
    #[getter]
    fn y(&self) -> f32 { self.0.y }
    /// The width.
    #[getter]
    fn w(&self) -> f32 { self.0.w }
    /// The height.
    #[getter]
    fn h(&self) -> f32 { self.0.h }
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> { shown(slf, &["body", "x", "y", "w", "h"]) }
}

/// One body that slides, climbs steps and slopes, and keeps fractions of a pixel. The game has its velocity.
#[pyclass(module = "bitwall")]
pub(crate) struct Mover(pub(crate) facade::Mover);

impl From<facade::Mover> for Mover {
    fn from(made: facade::Mover) -> Self { Self(made) }
}

#[pymethods]
impl Mover {
    /// Returns the settings, for a change of some of them.
    #[getter]
    fn settings(&self) -> PyResult<Settings> {
        Ok(Settings(self.0.settings()))
    }
    /// Sets all settings.
    #[setter(settings)]
    fn set_settings(&mut self, settings: &Settings) -> PyResult<()> {
        self.0.set_settings(&settings.0).map_err(failed)
    }
    /// Puts the top-left corner at a pixel, through all solids.
    #[pyo3(signature = (x, y), text_signature = "($self, x, y)")]
    fn place(&mut self, x: Any, y: Any) -> PyResult<()> {
        let x = numbers::number("x", x)?;
        let y = numbers::number("y", y)?;
        self.0.place(x, y);
        Ok(())
    }
    /// Moves by a velocity in pixels a step, as far as the level allows and at most 4096 pixels.
    #[pyo3(signature = (level, velocity_x, velocity_y), text_signature = "($self, level, velocity_x, velocity_y)")]
    fn step(&mut self, level: &Level, velocity_x: Any, velocity_y: Any) -> PyResult<Motion> {
        let velocity_x = numbers::real("velocity_x", velocity_x)?;
        let velocity_y = numbers::real("velocity_y", velocity_y)?;
        Ok(Motion(self.0.step(&level.0, velocity_x, velocity_y).map_err(failed)?))
    }
    /// Changes the size, as for a crouch; the side `anchor` stays. False, and nothing changes, if there is no
    /// room.
    #[pyo3(signature = (level, w, h, anchor), text_signature = "($self, level, w, h, anchor)")]
    fn resize(&mut self, level: &Level, w: Any, h: Any, anchor: Any) -> PyResult<bool> {
        let w = numbers::number("w", w)?;
        let h = numbers::number("h", h)?;
        let anchor = numbers::choice("anchor", anchor, SIDE)?;
        self.0.resize(&level.0, w, h, anchor).map_err(failed)
    }
    /// Drops through the one-way floor on which the body stands. False if it stands on none.
    #[pyo3(signature = (level), text_signature = "($self, level)")]
    fn drop_through(&mut self, level: &Level) -> PyResult<bool> {
        Ok(self.0.drop_through(&level.0))
    }
    /// Moves a body that overlaps a solid to the nearest free place, at most `radius` pixels away. Returns that
    /// move, or none if there is no such place.
    #[pyo3(signature = (level, radius), text_signature = "($self, level, radius)")]
    fn unstick(&mut self, level: &Level, radius: Any) -> PyResult<Option<(i32, i32)>> {
        let radius = numbers::number("radius", radius)?;
        Ok(pixel(self.0.unstick(&level.0, radius).map_err(failed)?))
    }
    /// Returns the box in whole pixels.
    #[getter]
    fn bounds(&self) -> PyResult<Box4> {
        Ok(tuple(self.0.bounds()))
    }
    /// Returns the exact place of the top-left corner.
    #[getter]
    fn position(&self) -> PyResult<(f64, f64)> {
        Ok(place(self.0.position()))
    }
    /// Returns where to draw the top-left corner, which also glides along slopes.
    #[pyo3(signature = (level), text_signature = "($self, level)")]
    fn drawn(&self, level: &Level) -> PyResult<(f64, f64)> {
        Ok(place(self.0.drawn(&level.0)))
    }
    /// Returns a number that is equal for equal movers, on every platform.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn checksum(&self) -> PyResult<u64> {
        Ok(self.0.checksum())
    }
    fn __repr__(&self) -> String { format!("<Mover bounds={:?}>", tuple(self.0.bounds())) }
}

/// A character that runs, jumps, climbs and swims by its keys, in a level without other bodies.
#[pyclass(module = "bitwall")]
pub(crate) struct Platformer(pub(crate) facade::Platformer);

impl From<facade::Platformer> for Platformer {
    fn from(made: facade::Platformer) -> Self { Self(made) }
}

#[pymethods]
impl Platformer {
    /// Returns the feel, for a change of some of it.
    #[getter]
    fn feel(&self) -> PyResult<Feel> {
        Ok(Feel(self.0.feel()))
    }
    /// Sets the whole feel.
    #[setter(feel)]
    fn set_feel(&mut self, feel: &Feel) -> PyResult<()> {
        self.0.set_feel(&feel.0).map_err(failed)
    }
    /// Names the areas that are ladders and water, as in the level; empty for none.
    #[pyo3(signature = (ladder, water), text_signature = "($self, ladder, water)")]
    fn set_areas(&mut self, ladder: Any, water: Any) -> PyResult<()> {
        let ladder = numbers::text("ladder", ladder)?;
        let water = numbers::text("water", water)?;
        self.0.set_areas(&ladder, &water);
        Ok(())
    }
    /// Returns the settings of the motion.
    #[getter]
    fn settings(&self) -> PyResult<Settings> {
        Ok(Settings(self.0.settings()))
    }
    /// Sets the settings of the motion. The response must be to slide.
    #[setter(settings)]
    fn set_settings(&mut self, settings: &Settings) -> PyResult<()> {
        self.0.set_settings(&settings.0).map_err(failed)
    }
    /// Moves by one step with the keys that are held: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1
    /// (down).
    #[pyo3(signature = (level, x=None, y=None, *, jump=None, dash=None), text_signature = "($self, level, x=0.0, y=0.0, *, jump=False, dash=False)")]
    fn step(&mut self, level: &Level, x: Rest, y: Rest, jump: Rest, dash: Rest) -> PyResult<Motion> {
        let x = x.map_or(Ok(0.0), |it| numbers::real("x", it))?;
        let y = y.map_or(Ok(0.0), |it| numbers::real("y", it))?;
        let jump = jump.map_or(Ok(false), |it| numbers::flag("jump", it))?;
        let dash = dash.map_or(Ok(false), |it| numbers::flag("dash", it))?;
        Ok(Motion(self.0.step(&level.0, x, y, jump, dash).map_err(failed)?))
    }
    /// Returns what the last step did, also that of a follower, with the velocity as it is now. Nothing moved
    /// before the first step.
    #[getter]
    fn motion(&self) -> PyResult<Motion> {
        Ok(Motion(self.0.motion()))
    }
    /// Puts the top-left corner at a pixel, through all solids.
    #[pyo3(signature = (x, y), text_signature = "($self, x, y)")]
    fn place(&mut self, x: Any, y: Any) -> PyResult<()> {
        let x = numbers::number("x", x)?;
        let y = numbers::number("y", y)?;
        self.0.place(x, y);
        Ok(())
    }
    /// Sets the velocity in pixels a second, as for a spring.
    #[pyo3(signature = (velocity_x, velocity_y), text_signature = "($self, velocity_x, velocity_y)")]
    fn set_velocity(&mut self, velocity_x: Any, velocity_y: Any) -> PyResult<()> {
        let velocity_x = numbers::real("velocity_x", velocity_x)?;
        let velocity_y = numbers::real("velocity_y", velocity_y)?;
        self.0.set_velocity(velocity_x, velocity_y).map_err(failed)
    }
    /// Gives a velocity and keeps it for some seconds, as for a knockback: no key and no gravity changes it.
    #[pyo3(signature = (velocity_x, velocity_y, seconds), text_signature = "($self, velocity_x, velocity_y, seconds)")]
    fn force(&mut self, velocity_x: Any, velocity_y: Any, seconds: Any) -> PyResult<()> {
        let velocity_x = numbers::real("velocity_x", velocity_x)?;
        let velocity_y = numbers::real("velocity_y", velocity_y)?;
        let seconds = numbers::real("seconds", seconds)?;
        self.0.force(velocity_x, velocity_y, seconds).map_err(failed)
    }
    /// Returns the box in whole pixels.
    #[getter]
    fn bounds(&self) -> PyResult<Box4> {
        Ok(tuple(self.0.bounds()))
    }
    /// Returns the exact place of the top-left corner.
    #[getter]
    fn position(&self) -> PyResult<(f64, f64)> {
        Ok(place(self.0.position()))
    }
    /// Returns where to draw the top-left corner.
    #[pyo3(signature = (level), text_signature = "($self, level)")]
    fn drawn(&self, level: &Level) -> PyResult<(f64, f64)> {
        Ok(place(self.0.drawn(&level.0)))
    }
    /// Returns a number that is equal for equal characters, on every platform.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn checksum(&self) -> PyResult<u64> {
        Ok(self.0.checksum())
    }
    fn __repr__(&self) -> String { format!("<Platformer bounds={:?}>", tuple(self.0.bounds())) }
}

/// What a level's maps draw, in the order of drawing.
#[pyclass(module = "bitwall")]
pub(crate) struct Scene(pub(crate) facade::Scene);

impl From<facade::Scene> for Scene {
    fn from(made: facade::Scene) -> Self { Self(made) }
}

#[pymethods]
impl Scene {
    /// Returns the paths of the pictures, by their numbers from 0.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn pictures(&self) -> PyResult<Vec<String>> {
        Ok((self.0.pictures()).lines().map(ToOwned::to_owned).collect())
    }
    /// Returns the names of the layers that draw, by their numbers from 0. A name can be there twice.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn layers(&self) -> PyResult<Vec<String>> {
        Ok((self.0.layers()).lines().map(ToOwned::to_owned).collect())
    }
    /// Returns everything, from the back to the front.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn all(&self) -> PyResult<Vec<Sprite>> {
        Ok((self.0.all()).into_iter().map(Sprite).collect())
    }
    /// Returns what may be seen in a box of pixels, from the back to the front. O(all).
    #[pyo3(signature = (r#box), text_signature = "($self, box)")]
    fn seen(&self, r#box: Any) -> PyResult<Vec<Sprite>> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        Ok((self.0.seen(x, y, w, h).map_err(failed)?).into_iter().map(Sprite).collect())
    }
}

/// The ways of a body that runs and jumps: every link was played by a real platformer. Not every way is found,
/// but none is false.
#[pyclass(module = "bitwall")]
pub(crate) struct JumpWays(pub(crate) facade::JumpWays);

impl From<facade::JumpWays> for JumpWays {
    fn from(made: facade::JumpWays) -> Self { Self(made) }
}

#[pymethods]
impl JumpWays {
    /// Finds the ways of a body of this size with this feel, in a game with `fps` steps a second. It takes from
    /// some milliseconds to a second.
    #[new]
    #[pyo3(signature = (level, w, h, feel, *, fps=None), text_signature = "(level, w, h, feel, *, fps=60)")]
    fn new(py: Python<'_>, level: &Level, w: Any, h: Any, feel: &Feel, fps: Rest) -> PyResult<Self> {
        let w = numbers::number("w", w)?;
        let h = numbers::number("h", h)?;
        let fps = fps.map_or(Ok(60), |it| numbers::number("fps", it))?;
        Ok((py.detach(|| facade::JumpWays::new(&level.0, w, h, &feel.0, fps)).map_err(failed)?).into())
    }
    /// Tells the ways that the cells of a box were edited: no link is offered that the edit may have changed.
    #[pyo3(signature = (r#box), text_signature = "($self, box)")]
    fn edited(&mut self, r#box: Any) -> PyResult<()> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        self.0.edited(x, y, w, h).map_err(failed)
    }
    /// Finds the changed links after edits, for at most about `budget` steps of play. True if all are found.
    #[pyo3(signature = (level, budget), text_signature = "($self, level, budget)")]
    fn update(&mut self, py: Python<'_>, level: &Level, budget: Any) -> PyResult<bool> {
        let budget = numbers::number("budget", budget)?;
        py.detach(|| self.0.update(&level.0, budget)).map_err(failed)
    }
    /// True if a way may lead from one place of the body's top-left corner to another; false if none is known.
    #[pyo3(signature = (start, end), text_signature = "($self, start, end)")]
    fn may_reach(&self, start: Any, end: Any) -> PyResult<bool> {
        let [x, y] = numbers::point("start", start)?;
        let [to_x, to_y] = numbers::point("end", end)?;
        Ok(self.0.may_reach(x, y, to_x, to_y))
    }
    /// Returns the jumps and falls of a way: x and y of the start and of the end of each. Between them the body
    /// walks. Empty without a way, and for a walk.
    #[pyo3(signature = (start, end), text_signature = "($self, start, end)")]
    fn path(&self, start: Any, end: Any) -> PyResult<Vec<Box4>> {
        let [x, y] = numbers::point("start", start)?;
        let [to_x, to_y] = numbers::point("end", end)?;
        Ok(quads(self.0.path(x, y, to_x, to_y)))
    }
}

/// The way of one body along jump ways.
#[pyclass(module = "bitwall")]
pub(crate) struct Follower(pub(crate) facade::Follower);

impl From<facade::Follower> for Follower {
    fn from(made: facade::Follower) -> Self { Self(made) }
}

#[pymethods]
impl Follower {
    /// Makes a follower for one body.
    #[new]
    #[pyo3(signature = (), text_signature = "()")]
    fn new() -> PyResult<Self> {
        Ok((facade::Follower::new()).into())
    }
    /// Moves a character by one step toward a place, by the keys of the way. It must have the size and the feel
    /// of the ways.
    #[pyo3(signature = (ways, level, character, end), text_signature = "($self, ways, level, character, end)")]
    fn step(&mut self, ways: &JumpWays, level: &Level, character: &mut Platformer, end: Any) -> PyResult<Option<&'static str>> {
        let [to_x, to_y] = numbers::point("end", end)?;
        Ok(word(self.0.step(&ways.0, &level.0, &mut character.0, to_x, to_y), FOLLOW))
    }
    /// Sets the keys that a player of a world holds in the next step of the world, by the way toward a place.
    /// The player must have the size and the feel of the ways, which know neither lifts nor crates.
    #[pyo3(signature = (ways, level, world, body, end), text_signature = "($self, ways, level, world, body, end)")]
    fn steer(&mut self, ways: &JumpWays, level: &Level, world: &mut World, body: Any, end: Any) -> PyResult<Option<&'static str>> {
        let body = numbers::number("body", body)?;
        let [to_x, to_y] = numbers::point("end", end)?;
        Ok(word(self.0.steer(&ways.0, &level.0, &mut world.0, body, to_x, to_y).map_err(failed)?, FOLLOW))
    }
}

#[pymethods]
impl Level {
    /// Makes an empty level of `columns` x `rows` cells, each `cell` pixels.
    #[new]
    #[pyo3(signature = (columns, rows, cell=None), text_signature = "(columns, rows, cell=(1, 1))")]
    fn new(columns: Any, rows: Any, cell: Rest) -> PyResult<Self> {
        let columns = numbers::number("columns", columns)?;
        let rows = numbers::number("rows", rows)?;
        let [cell_width, cell_height] = cell.map_or(Ok([1, 1]), |it| numbers::pair("cell", ["cell_width", "cell_height"], it))?;
        Ok((facade::Level::new(columns, rows, cell_width, cell_height).map_err(failed)?).into())
    }
    /// Makes a level of an engine's own map: a cell is solid where the byte is not 0. Row by row, a byte for
    /// each cell.
    #[staticmethod]
    #[pyo3(signature = (columns, rows, cells, cell=None), text_signature = "(columns, rows, cells, cell=(1, 1))")]
    fn from_cells(columns: Any, rows: Any, cells: Any, cell: Rest) -> PyResult<Self> {
        let columns = numbers::number("columns", columns)?;
        let rows = numbers::number("rows", rows)?;
        let [cell_width, cell_height] = cell.map_or(Ok([1, 1]), |it| numbers::pair("cell", ["cell_width", "cell_height"], it))?;
        let cells = numbers::bytes("cells", cells)?;
        Ok((facade::Level::from_cells(columns, rows, cell_width, cell_height, &cells).map_err(failed)?).into())
    }
    /// Makes a level of rows of `#` (solid) and `.` (passable).
    #[staticmethod]
    #[pyo3(signature = (text, cell=None), text_signature = "(text, cell=(1, 1))")]
    fn from_text(text: Any, cell: Rest) -> PyResult<Self> {
        let text = numbers::text("text", text)?;
        let [cell_width, cell_height] = cell.map_or(Ok([1, 1]), |it| numbers::pair("cell", ["cell_width", "cell_height"], it))?;
        Ok((facade::Level::from_text(&text, cell_width, cell_height).map_err(failed)?).into())
    }
    /// Makes a level of a baked one. It has the cells, areas and markers of its source, and no pictures.
    #[staticmethod]
    #[pyo3(signature = (data), text_signature = "(data)")]
    fn from_baked(py: Python<'_>, data: Any) -> PyResult<Self> {
        let data = numbers::bytes("data", data)?;
        Ok((py.detach(|| facade::Level::from_baked(&data)).map_err(failed)?).into())
    }
    /// Returns the level as the bytes of a baked one.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn bake(&self, py: Python<'_>) -> PyResult<Bytes> {
        Ok(Bytes::from(py.detach(|| self.0.bake()).map_err(failed)?))
    }
    /// Returns a copy of the level.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn copy(&self) -> PyResult<Self> {
        Ok((self.0.copy()).into())
    }
    /// Returns a copy whose cells are pixels, so that edits take shapes pixel by pixel.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn in_pixels(&self) -> PyResult<Self> {
        Ok((self.0.in_pixels().map_err(failed)?).into())
    }
    /// Makes the outside of the level passable or solid on one side. It is solid before.
    #[pyo3(signature = (side, open), text_signature = "($self, side, open)")]
    fn open_side(&mut self, side: Any, open: Any) -> PyResult<()> {
        let side = numbers::choice("side", side, DIR)?;
        let open = numbers::flag("open", open)?;
        self.0.open_side(side, open);
        Ok(())
    }
    /// Makes questions about boxes of this size faster, and keeps them so after edits. False if the memory for
    /// it is used up.
    #[pyo3(signature = (w, h), text_signature = "($self, w, h)")]
    fn prepare(&mut self, w: Any, h: Any) -> PyResult<bool> {
        let w = numbers::number("w", w)?;
        let h = numbers::number("h", h)?;
        self.0.prepare(w, h).map_err(failed)
    }
    /// True if the pixel is solid.
    #[pyo3(signature = (x, y), text_signature = "($self, x, y)")]
    fn is_solid(&self, x: Any, y: Any) -> PyResult<bool> {
        let x = numbers::number("x", x)?;
        let y = numbers::number("y", y)?;
        Ok(self.0.is_solid(x, y))
    }
    /// True if the box overlaps a solid.
    #[pyo3(signature = (r#box), text_signature = "($self, box)")]
    fn overlaps(&self, r#box: Any) -> PyResult<bool> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        self.0.overlaps(x, y, w, h).map_err(failed)
    }
    /// Returns the first solid on the line between the middles of two pixels. `corners` is true for a line that
    /// may pass between two solid cells that touch at a corner.
    #[pyo3(signature = (start, end, *, corners=None), text_signature = "($self, start, end, *, corners=False)")]
    fn ray(&self, start: Any, end: Any, corners: Rest) -> PyResult<Ray> {
        let [x, y] = numbers::point("start", start)?;
        let [to_x, to_y] = numbers::point("end", end)?;
        let corners = corners.map_or(Ok(false), |it| numbers::flag("corners", it))?;
        Ok(Ray(self.0.ray(x, y, to_x, to_y, corners)))
    }
    /// True if no solid is on the line between the middles of two pixels; the answer is the same both ways.
    #[pyo3(signature = (start, end, *, corners=None), text_signature = "($self, start, end, *, corners=False)")]
    fn line_of_sight(&self, start: Any, end: Any, corners: Rest) -> PyResult<bool> {
        let [x, y] = numbers::point("start", start)?;
        let [to_x, to_y] = numbers::point("end", end)?;
        let corners = corners.map_or(Ok(false), |it| numbers::flag("corners", it))?;
        Ok(self.0.line_of_sight(x, y, to_x, to_y, corners))
    }
    /// True if the footprint with its top-left corner at a pixel overlaps a solid.
    #[pyo3(signature = (footprint, x, y), text_signature = "($self, footprint, x, y)")]
    fn footprint_overlaps(&self, footprint: &Footprint, x: Any, y: Any) -> PyResult<bool> {
        let x = numbers::number("x", x)?;
        let y = numbers::number("y", y)?;
        Ok(self.0.footprint_overlaps(&footprint.0, x, y))
    }
    /// Returns how far the footprint can move, at most `step` pixels, and the cell that stops it.
    #[pyo3(signature = (footprint, x, y, dx, dy), text_signature = "($self, footprint, x, y, dx, dy)")]
    fn footprint_sweep(&self, footprint: &Footprint, x: Any, y: Any, dx: Any, dy: Any) -> PyResult<Sweep> {
        let x = numbers::number("x", x)?;
        let y = numbers::number("y", y)?;
        let (dir, step) = numbers::motion(dx, dy)?;
        Ok(Sweep(self.0.footprint_sweep(&footprint.0, x, y, dir, step).map_err(failed)?))
    }
    /// Makes a cell solid or passable. True if it changed.
    #[pyo3(signature = (column, row, solid=None), text_signature = "($self, column, row, solid=True)")]
    fn set_cell(&mut self, column: Any, row: Any, solid: Rest) -> PyResult<bool> {
        let column = numbers::number("column", column)?;
        let row = numbers::number("row", row)?;
        let solid = solid.map_or(Ok(true), |it| numbers::flag("solid", it))?;
        self.0.set_cell(column, row, solid).map_err(failed)
    }
    /// Makes each cell that touches the box solid or passable. True if one changed.
    #[pyo3(signature = (r#box, solid=None), text_signature = "($self, box, solid=True)")]
    fn set_box(&mut self, r#box: Any, solid: Rest) -> PyResult<bool> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        let solid = solid.map_or(Ok(true), |it| numbers::flag("solid", it))?;
        self.0.set_box(x, y, w, h, solid).map_err(failed)
    }
    /// Makes each cell that contains a pixel of the disc solid or passable. True if one changed.
    #[pyo3(signature = (center, radius, solid=None), text_signature = "($self, center, radius, solid=True)")]
    fn set_disc(&mut self, center: Any, radius: Any, solid: Rest) -> PyResult<bool> {
        let [x, y] = numbers::point("center", center)?;
        let radius = numbers::number("radius", radius)?;
        let solid = solid.map_or(Ok(true), |it| numbers::flag("solid", it))?;
        self.0.set_disc(x, y, radius, solid).map_err(failed)
    }
    /// Makes each cell that contains a pixel of the footprint solid or passable. True if one changed.
    #[pyo3(signature = (footprint, x, y, solid=None), text_signature = "($self, footprint, x, y, solid=True)")]
    fn set_footprint(&mut self, footprint: &Footprint, x: Any, y: Any, solid: Rest) -> PyResult<bool> {
        let x = numbers::number("x", x)?;
        let y = numbers::number("y", y)?;
        let solid = solid.map_or(Ok(true), |it| numbers::flag("solid", it))?;
        self.0.set_footprint(&footprint.0, x, y, solid).map_err(failed)
    }
    /// Puts the cells, areas and markers of another level into this one, with the other's top-left corner at a
    /// pixel that is a corner of a cell. True if a cell changed.
    #[pyo3(signature = (other, x, y), text_signature = "($self, other, x, y)")]
    fn place(&mut self, other: &Level, x: Any, y: Any) -> PyResult<bool> {
        let x = numbers::number("x", x)?;
        let y = numbers::number("y", y)?;
        self.0.place(&other.0, x, y).map_err(failed)
    }
    /// Returns the cells of the box as they are now, so that `apply` undoes later edits of it.
    #[pyo3(signature = (r#box), text_signature = "($self, box)")]
    fn patch(&self, r#box: Any) -> PyResult<Patch> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        Ok((self.0.patch(x, y, w, h).map_err(failed)?).into())
    }
    /// Puts the cells of the patch back. True if one changed.
    #[pyo3(signature = (patch), text_signature = "($self, patch)")]
    fn apply(&mut self, patch: &Patch) -> PyResult<bool> {
        self.0.apply(&patch.0).map_err(failed)
    }
    /// Returns a number that is equal for equal levels, on every platform.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn checksum(&self) -> PyResult<u64> {
        Ok(self.0.checksum())
    }
    /// Returns the names of the areas.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn areas(&self) -> PyResult<Vec<String>> {
        Ok((self.0.areas()).lines().map(ToOwned::to_owned).collect())
    }
    /// True if the box overlaps the named area; false if the level has no such area.
    #[pyo3(signature = (name, r#box), text_signature = "($self, name, box)")]
    fn area_overlaps(&self, name: Any, r#box: Any) -> PyResult<bool> {
        let name = numbers::text("name", name)?;
        let [x, y, w, h] = numbers::rect(r#box)?;
        self.0.area_overlaps(&name, x, y, w, h).map_err(failed)
    }
    /// Returns the categories for which the named area is solid, as bits; 0 if it stops nobody.
    #[pyo3(signature = (name), text_signature = "($self, name)")]
    fn area_category(&self, name: Any) -> PyResult<u64> {
        let name = numbers::text("name", name)?;
        Ok(self.0.area_category(&name))
    }
    /// Makes the named area solid for bodies that collide with one of these categories. False if the level has
    /// no such area.
    #[pyo3(signature = (name, category), text_signature = "($self, name, category)")]
    fn set_area_category(&mut self, name: Any, category: Any) -> PyResult<bool> {
        let name = numbers::text("name", name)?;
        let category = numbers::number("category", category)?;
        Ok(self.0.set_area_category(&name, category))
    }
    /// Returns the cells row by row: a byte for each, 1 for a solid one.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn cells(&self) -> PyResult<Bytes> {
        Ok(Bytes::from(self.0.cells().map_err(failed)?))
    }
    /// Returns the solids in a box as rectangles that do not overlap: x, y, w and h of each.
    #[pyo3(signature = (r#box), text_signature = "($self, box)")]
    fn rectangles(&self, r#box: Any) -> PyResult<Vec<Box4>> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        Ok(quads(self.0.rectangles(x, y, w, h).map_err(failed)?))
    }
    /// Returns the outlines of the solids as loops: of each the number of its points, then x and y of each
    /// point. The solid is on the right; a loop around a hole runs the other way.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn outlines(&self) -> PyResult<Vec<Vec<(i32, i32)>>> {
        Ok(loops(self.0.outlines()))
    }
    /// Returns the surfaces of the solids in a box as chains for a physics engine: of each the number of its
    /// points, then x and y of each point.
    #[pyo3(signature = (r#box), text_signature = "($self, box)")]
    fn chains(&self, r#box: Any) -> PyResult<Vec<Vec<(i32, i32)>>> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        Ok(loops(self.0.chains(x, y, w, h).map_err(failed)?))
    }
    /// Loads a Tiled map (tmx, tmj), a world, an LDtk project, a mask (PNG), a baked level or rows of # and .
    /// from the disk. `options` is the text of a `bitwall.toml`; if empty, the nearest `bitwall.toml` counts.
    #[staticmethod]
    #[pyo3(signature = (path, options=None), text_signature = "(path, options='')")]
    fn load(py: Python<'_>, path: Any, options: Rest) -> PyResult<Self> {
        let path = numbers::path("path", path)?;
        let options = options.map_or(Ok(String::new()), |it| numbers::text("options", it))?;
        Ok((py.detach(|| facade::Level::load(&path, &options)).map_err(failed)?).into())
    }
    /// Makes a level from the bytes of a file that refers to no other file. `name` is its path, for the format
    /// and for errors; `options` is the text of a `bitwall.toml`, or empty.
    #[staticmethod]
    #[pyo3(signature = (name, data, options=None), text_signature = "(name, data, options='')")]
    fn decode(py: Python<'_>, name: Any, data: Any, options: Rest) -> PyResult<Self> {
        let name = numbers::text("name", name)?;
        let data = numbers::bytes("data", data)?;
        let options = options.map_or(Ok(String::new()), |it| numbers::text("options", it))?;
        Ok((py.detach(|| facade::Level::decode(&name, &data, &options)).map_err(failed)?).into())
    }
    /// Makes a level from the file `path` of the files. `options` is the text of a `bitwall.toml`, or empty.
    #[staticmethod]
    #[pyo3(signature = (path, files, options=None), text_signature = "(path, files, options='')")]
    fn from_files(py: Python<'_>, path: Any, files: &Files, options: Rest) -> PyResult<Self> {
        let path = numbers::path("path", path)?;
        let options = options.map_or(Ok(String::new()), |it| numbers::text("options", it))?;
        Ok((py.detach(|| facade::Level::from_files(&path, &files.0, &options)).map_err(failed)?).into())
    }
    /// Returns the files that the level was made of: if one of them changes, load again.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn files(&self) -> PyResult<Vec<String>> {
        Ok((self.0.files()).lines().map(ToOwned::to_owned).collect())
    }
    /// Returns what is suspicious in the files.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn warnings(&self) -> PyResult<Vec<String>> {
        Ok((self.0.warnings()).lines().map(ToOwned::to_owned).collect())
    }
    /// Returns what made a cell solid: the tile or object, its layer and the rule. Empty if nothing of a file
    /// did.
    #[pyo3(signature = (column, row), text_signature = "($self, column, row)")]
    fn why(&self, column: Any, row: Any) -> PyResult<String> {
        let column = numbers::number("column", column)?;
        let row = numbers::number("row", row)?;
        Ok(self.0.why(column, row))
    }
    /// Returns what the level's maps draw. A level without maps draws nothing.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn scene(&self) -> PyResult<Scene> {
        Ok((self.0.scene()).into())
    }
    fn __copy__(&self) -> Self { self.0.copy().into() }
    fn __deepcopy__(&self, _memo: Any) -> Self { self.0.copy().into() }
}

/// The cells of a box of a level before an edit, to undo the edit.
#[pyclass(module = "bitwall")]
pub(crate) struct Patch(pub(crate) facade::Patch);

impl From<facade::Patch> for Patch {
    fn from(made: facade::Patch) -> Self { Self(made) }
}

#[pymethods]
impl Patch {
}

/// A body or a brush that is no box: the pixels of a small picture.
#[pyclass(module = "bitwall")]
pub(crate) struct Footprint(pub(crate) facade::Footprint);

impl From<facade::Footprint> for Footprint {
    fn from(made: facade::Footprint) -> Self { Self(made) }
}

#[pymethods]
impl Footprint {
    /// Makes a footprint of `width` x `height` pixels: a pixel belongs to it where the byte is not 0. Row by
    /// row, a byte for each pixel.
    #[new]
    #[pyo3(signature = (width, height, pixels), text_signature = "(width, height, pixels)")]
    fn new(width: Any, height: Any, pixels: Any) -> PyResult<Self> {
        let width = numbers::number("width", width)?;
        let height = numbers::number("height", height)?;
        let pixels = numbers::bytes("pixels", pixels)?;
        Ok((facade::Footprint::new(width, height, &pixels).map_err(failed)?).into())
    }
    /// Makes a disc with this diameter in pixels.
    #[staticmethod]
    #[pyo3(signature = (diameter), text_signature = "(diameter)")]
    fn circle(diameter: Any) -> PyResult<Self> {
        let diameter = numbers::number("diameter", diameter)?;
        Ok((facade::Footprint::circle(diameter).map_err(failed)?).into())
    }
    /// Makes a box with round ends, of `width` x `height` pixels.
    #[staticmethod]
    #[pyo3(signature = (width, height), text_signature = "(width, height)")]
    fn capsule(width: Any, height: Any) -> PyResult<Self> {
        let width = numbers::number("width", width)?;
        let height = numbers::number("height", height)?;
        Ok((facade::Footprint::capsule(width, height).map_err(failed)?).into())
    }
}

/// The files of a level that is not loaded from the disk: from an archive, an engine's resources or the
/// network. Put the level's own file first, then ask for those that are wanted until there is none.
#[pyclass(module = "bitwall")]
pub(crate) struct Files(pub(crate) facade::Files);

impl From<facade::Files> for Files {
    fn from(made: facade::Files) -> Self { Self(made) }
}

#[pymethods]
impl Files {
    /// Makes an empty collection of files.
    #[new]
    #[pyo3(signature = (), text_signature = "()")]
    fn new() -> PyResult<Self> {
        Ok((facade::Files::new()).into())
    }
    /// Puts the bytes of a file, under the path by which it was wanted.
    #[pyo3(signature = (path, data), text_signature = "($self, path, data)")]
    fn put(&mut self, path: Any, data: Any) -> PyResult<()> {
        let path = numbers::path("path", path)?;
        let data = numbers::bytes("data", data)?;
        self.0.put(&path, &data);
        Ok(())
    }
    /// Returns the path of a file to which the files so far refer, each once; empty if there is none. A file
    /// that cannot be had is not put. `pictures` is true if the pictures for drawing are wanted too: a load
    /// reads one only if a map uses tiles beyond those that its tileset states. Maps that a world finds by a
    /// pattern are not named.
    #[pyo3(signature = (*, pictures=None), text_signature = "($self, *, pictures=False)")]
    fn wanted(&mut self, pictures: Rest) -> PyResult<String> {
        let pictures = pictures.map_or(Ok(false), |it| numbers::flag("pictures", it))?;
        Ok(self.0.wanted(pictures))
    }
}

/// The shortest ways of boxes of one size. Prepare the size in the level first: then an edit redoes only its
/// part.
#[pyclass(module = "bitwall")]
pub(crate) struct Ways(pub(crate) facade::Ways);

impl From<facade::Ways> for Ways {
    fn from(made: facade::Ways) -> Self { Self(made) }
}

#[pymethods]
impl Ways {
    /// Makes the ways of boxes of this size in pixels.
    #[new]
    #[pyo3(signature = (w, h), text_signature = "(w, h)")]
    fn new(w: Any, h: Any) -> PyResult<Self> {
        let w = numbers::number("w", w)?;
        let h = numbers::number("h", h)?;
        Ok((facade::Ways::new(w, h).map_err(failed)?).into())
    }
    /// Returns the shortest way of the box's top-left corner to a pixel: x and y of each of its points. Empty
    /// if there is none. `smooth` leaves out the points that a straight line can skip.
    #[pyo3(signature = (level, start, end, *, smooth=None), text_signature = "($self, level, start, end, *, smooth=False)")]
    fn path(&mut self, level: &Level, start: Any, end: Any, smooth: Rest) -> PyResult<Vec<(i32, i32)>> {
        let [x, y] = numbers::point("start", start)?;
        let [to_x, to_y] = numbers::point("end", end)?;
        let smooth = smooth.map_or(Ok(false), |it| numbers::flag("smooth", it))?;
        Ok(pairs(self.0.path(&level.0, x, y, to_x, to_y, smooth).map_err(failed)?))
    }
    /// Returns the way as `path`, to the place that is nearest to the pixel if the pixel itself cannot be
    /// reached.
    #[pyo3(signature = (level, start, end), text_signature = "($self, level, start, end)")]
    fn path_toward(&mut self, level: &Level, start: Any, end: Any) -> PyResult<Vec<(i32, i32)>> {
        let [x, y] = numbers::point("start", start)?;
        let [to_x, to_y] = numbers::point("end", end)?;
        Ok(pairs(self.0.path_toward(&level.0, x, y, to_x, to_y).map_err(failed)?))
    }
    /// Returns the field of the ways to the nearest of some goals: `goals` is x and y of each.
    #[pyo3(signature = (level, goals), text_signature = "($self, level, goals)")]
    fn field(&self, level: &Level, goals: Any) -> PyResult<Field> {
        let goals = numbers::points("goals", goals)?;
        Ok((self.0.field(&level.0, &goals).map_err(failed)?).into())
    }
}

/// The way of every free place to the nearest of some goals, for a crowd. An edit of the level does not change
/// it.
#[pyclass(module = "bitwall")]
pub(crate) struct Field(pub(crate) facade::Field);

impl From<facade::Field> for Field {
    fn from(made: facade::Field) -> Self { Self(made) }
}

#[pymethods]
impl Field {
    /// Returns the next step from a pixel: -1, 0 or 1 along each axis. None at a goal, and where no goal can be
    /// reached.
    #[pyo3(signature = (x, y), text_signature = "($self, x, y)")]
    fn step(&self, x: Any, y: Any) -> PyResult<Option<(i32, i32)>> {
        let x = numbers::number("x", x)?;
        let y = numbers::number("y", y)?;
        Ok(pixel(self.0.step(x, y)))
    }
    /// Returns the length of the way to the nearest goal in pixels, of which a diagonal step has two; None
    /// where no goal can be reached.
    #[pyo3(signature = (x, y), text_signature = "($self, x, y)")]
    fn distance(&self, x: Any, y: Any) -> PyResult<Option<i32>> {
        let x = numbers::number("x", x)?;
        let y = numbers::number("y", y)?;
        Ok(some(self.0.distance(x, y)))
    }
}

/// Bodies in a level that move together, step by step.
#[pyclass(module = "bitwall")]
pub(crate) struct World(pub(crate) facade::World);

impl From<facade::World> for World {
    fn from(made: facade::World) -> Self { Self(made) }
}

#[pymethods]
impl World {
    /// Makes a world without bodies, for a game with `fps` steps a second.
    #[new]
    #[pyo3(signature = (*, fps=None), text_signature = "(*, fps=60)")]
    fn new(fps: Rest) -> PyResult<Self> {
        let fps = fps.map_or(Ok(60), |it| numbers::number("fps", it))?;
        Ok((facade::World::new(fps).map_err(failed)?).into())
    }
    /// Adds a character, and returns its number. It moves by its velocity, or by keys as a player.
    #[pyo3(signature = (r#box, kind=None), text_signature = "($self, box, kind='platformer')")]
    fn add_character(&mut self, r#box: Any, kind: Rest) -> PyResult<i32> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        let kind = kind.map_or(Ok(Kind::Platformer), |it| numbers::choice("kind", it, KIND))?;
        self.0.add_character(x, y, w, h, kind).map_err(failed)
    }
    /// Adds a platform, which carries and pushes other bodies and which nothing stops. A one-way platform is
    /// solid only from above.
    #[pyo3(signature = (r#box, *, one_way=None), text_signature = "($self, box, *, one_way=False)")]
    fn add_platform(&mut self, r#box: Any, one_way: Rest) -> PyResult<i32> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        let one_way = one_way.map_or(Ok(false), |it| numbers::flag("one_way", it))?;
        self.0.add_platform(x, y, w, h, one_way).map_err(failed)
    }
    /// Adds a platform in the shape of a level's solid cells.
    #[pyo3(signature = (x, y, piece), text_signature = "($self, x, y, piece)")]
    fn add_piece(&mut self, x: Any, y: Any, piece: &Level) -> PyResult<i32> {
        let x = numbers::number("x", x)?;
        let y = numbers::number("y", y)?;
        self.0.add_piece(x, y, &piece.0).map_err(failed)
    }
    /// Adds a crate that falls and can be pushed. `mass` is 0 to 65535; `gravity` is in pixels a second
    /// squared.
    #[pyo3(signature = (r#box, mass=None, gravity=None), text_signature = "($self, box, mass=0, gravity=900.0)")]
    fn add_pushable(&mut self, r#box: Any, mass: Rest, gravity: Rest) -> PyResult<i32> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        let mass = mass.map_or(Ok(0), |it| numbers::number("mass", it))?;
        let gravity = gravity.map_or(Ok(900.0), |it| numbers::real("gravity", it))?;
        self.0.add_pushable(x, y, w, h, mass, gravity).map_err(failed)
    }
    /// Adds a ball that bounces. `mass` is 0 to 65535; with 0 nothing moves it.
    #[pyo3(signature = (x, y, diameter, mass=None), text_signature = "($self, x, y, diameter, mass=0)")]
    fn add_ball(&mut self, x: Any, y: Any, diameter: Any, mass: Rest) -> PyResult<i32> {
        let x = numbers::number("x", x)?;
        let y = numbers::number("y", y)?;
        let diameter = numbers::number("diameter", diameter)?;
        let mass = mass.map_or(Ok(0), |it| numbers::number("mass", it))?;
        self.0.add_ball(x, y, diameter, mass).map_err(failed)
    }
    /// Adds a bullet, which flies straight until something stops it.
    #[pyo3(signature = (r#box), text_signature = "($self, box)")]
    fn add_bullet(&mut self, r#box: Any) -> PyResult<i32> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        self.0.add_bullet(x, y, w, h).map_err(failed)
    }
    /// Adds a sensor, which is not solid and only watches.
    #[pyo3(signature = (r#box), text_signature = "($self, box)")]
    fn add_sensor(&mut self, r#box: Any) -> PyResult<i32> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        self.0.add_sensor(x, y, w, h).map_err(failed)
    }
    /// Removes a body.
    #[pyo3(signature = (body), text_signature = "($self, body)")]
    fn remove(&mut self, body: Any) -> PyResult<()> {
        let body = numbers::number("body", body)?;
        self.0.remove(body).map_err(failed)
    }
    /// Returns the numbers of all bodies, in the order in which they were added.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn bodies(&self) -> PyResult<Vec<i32>> {
        Ok(self.0.bodies())
    }
    /// Returns the box of a body in whole pixels.
    #[pyo3(signature = (body), text_signature = "($self, body)")]
    fn bounds(&self, body: Any) -> PyResult<Box4> {
        let body = numbers::number("body", body)?;
        Ok(tuple(self.0.bounds(body).map_err(failed)?))
    }
    /// Returns the exact place of the top-left corner of a body.
    #[pyo3(signature = (body), text_signature = "($self, body)")]
    fn position(&self, body: Any) -> PyResult<(f64, f64)> {
        let body = numbers::number("body", body)?;
        Ok(place(self.0.position(body).map_err(failed)?))
    }
    /// Puts the top-left corner of a body at a pixel, through all solids.
    #[pyo3(signature = (body, x, y), text_signature = "($self, body, x, y)")]
    fn place(&mut self, body: Any, x: Any, y: Any) -> PyResult<()> {
        let body = numbers::number("body", body)?;
        let x = numbers::number("x", x)?;
        let y = numbers::number("y", y)?;
        self.0.place(body, x, y).map_err(failed)
    }
    /// Changes the size of a character; the side `anchor` stays. False, and nothing changes, if there is no
    /// room.
    #[pyo3(signature = (level, body, w, h, anchor), text_signature = "($self, level, body, w, h, anchor)")]
    fn resize(&mut self, level: &Level, body: Any, w: Any, h: Any, anchor: Any) -> PyResult<bool> {
        let body = numbers::number("body", body)?;
        let w = numbers::number("w", w)?;
        let h = numbers::number("h", h)?;
        let anchor = numbers::choice("anchor", anchor, SIDE)?;
        self.0.resize(&level.0, body, w, h, anchor).map_err(failed)
    }
    /// Returns the velocity of a body in pixels a second.
    #[pyo3(signature = (body), text_signature = "($self, body)")]
    fn velocity(&self, body: Any) -> PyResult<(f64, f64)> {
        let body = numbers::number("body", body)?;
        Ok(place(self.0.velocity(body).map_err(failed)?))
    }
    /// Sets the velocity of a body in pixels a second.
    #[pyo3(signature = (body, velocity_x, velocity_y), text_signature = "($self, body, velocity_x, velocity_y)")]
    fn set_velocity(&mut self, body: Any, velocity_x: Any, velocity_y: Any) -> PyResult<()> {
        let body = numbers::number("body", body)?;
        let velocity_x = numbers::real("velocity_x", velocity_x)?;
        let velocity_y = numbers::real("velocity_y", velocity_y)?;
        self.0.set_velocity(body, velocity_x, velocity_y).map_err(failed)
    }
    /// Sets the acceleration of a body, such as its gravity, in pixels a second squared.
    #[pyo3(signature = (body, x, y), text_signature = "($self, body, x, y)")]
    fn set_acceleration(&mut self, body: Any, x: Any, y: Any) -> PyResult<()> {
        let body = numbers::number("body", body)?;
        let x = numbers::real("x", x)?;
        let y = numbers::real("y", y)?;
        self.0.set_acceleration(body, x, y).map_err(failed)
    }
    /// Sets what a body is, what it collides with, and what it watches for events: categories as bits.
    #[pyo3(signature = (body, category, collides_with, watches), text_signature = "($self, body, category, collides_with, watches)")]
    fn set_categories(&mut self, body: Any, category: Any, collides_with: Any, watches: Any) -> PyResult<()> {
        let body = numbers::number("body", body)?;
        let category = numbers::number("category", category)?;
        let collides_with = numbers::number("collides_with", collides_with)?;
        let watches = numbers::number("watches", watches)?;
        self.0.set_categories(body, category, collides_with, watches).map_err(failed)
    }
    /// Returns the settings of a character's motion.
    #[pyo3(signature = (body), text_signature = "($self, body)")]
    fn settings(&self, body: Any) -> PyResult<Settings> {
        let body = numbers::number("body", body)?;
        Ok(Settings(self.0.settings(body).map_err(failed)?))
    }
    /// Sets the settings of a character's motion.
    #[pyo3(signature = (body, settings), text_signature = "($self, body, settings)")]
    fn set_settings(&mut self, body: Any, settings: &Settings) -> PyResult<()> {
        let body = numbers::number("body", body)?;
        self.0.set_settings(body, &settings.0).map_err(failed)
    }
    /// Moves a platform from stop to stop: `stops` is x and y of each, `speed` in pixels a second, `wait` in
    /// seconds at each. `round` goes from the last straight to the first; else it goes back the same way. Empty
    /// `stops` end the path.
    #[pyo3(signature = (body, stops, speed, wait=None, *, round=None), text_signature = "($self, body, stops, speed, wait=0.0, *, round=False)")]
    fn set_path(&mut self, body: Any, stops: Any, speed: Any, wait: Rest, round: Rest) -> PyResult<()> {
        let body = numbers::number("body", body)?;
        let stops = numbers::points("stops", stops)?;
        let speed = numbers::real("speed", speed)?;
        let wait = wait.map_or(Ok(0.0), |it| numbers::real("wait", it))?;
        let round = round.map_or(Ok(false), |it| numbers::flag("round", it))?;
        self.0.set_path(body, &stops, speed, wait, round).map_err(failed)
    }
    /// Moves a platform on a circle. A turn takes `seconds`, and is counter-clockwise if they are negative.
    #[pyo3(signature = (body, center, radius, seconds), text_signature = "($self, body, center, radius, seconds)")]
    fn set_circle(&mut self, body: Any, center: Any, radius: Any, seconds: Any) -> PyResult<()> {
        let body = numbers::number("body", body)?;
        let [x, y] = numbers::point("center", center)?;
        let radius = numbers::number("radius", radius)?;
        let seconds = numbers::real("seconds", seconds)?;
        self.0.set_circle(body, x, y, radius, seconds).map_err(failed)
    }
    /// Makes a character a player, which moves by keys with this feel; or changes the feel of a player.
    #[pyo3(signature = (body, feel), text_signature = "($self, body, feel)")]
    fn set_player(&mut self, body: Any, feel: &Feel) -> PyResult<()> {
        let body = numbers::number("body", body)?;
        self.0.set_player(body, &feel.0).map_err(failed)
    }
    /// Returns the feel of a player.
    #[pyo3(signature = (body), text_signature = "($self, body)")]
    fn feel(&self, body: Any) -> PyResult<Feel> {
        let body = numbers::number("body", body)?;
        Ok(Feel(self.0.feel(body).map_err(failed)?))
    }
    /// Names the areas that are ladders and water for a player, as in the level; empty for none.
    #[pyo3(signature = (body, ladder, water), text_signature = "($self, body, ladder, water)")]
    fn set_areas(&mut self, body: Any, ladder: Any, water: Any) -> PyResult<()> {
        let body = numbers::number("body", body)?;
        let ladder = numbers::text("ladder", ladder)?;
        let water = numbers::text("water", water)?;
        self.0.set_areas(body, &ladder, &water).map_err(failed)
    }
    /// Sets the keys that a player holds in the next steps: `x` from -1 (left) to 1 (right), `y` from -1 (up)
    /// to 1 (down).
    #[pyo3(signature = (body, x=None, y=None, *, jump=None, dash=None), text_signature = "($self, body, x=0.0, y=0.0, *, jump=False, dash=False)")]
    fn set_input(&mut self, body: Any, x: Rest, y: Rest, jump: Rest, dash: Rest) -> PyResult<()> {
        let body = numbers::number("body", body)?;
        let x = x.map_or(Ok(0.0), |it| numbers::real("x", it))?;
        let y = y.map_or(Ok(0.0), |it| numbers::real("y", it))?;
        let jump = jump.map_or(Ok(false), |it| numbers::flag("jump", it))?;
        let dash = dash.map_or(Ok(false), |it| numbers::flag("dash", it))?;
        self.0.set_input(body, x, y, jump, dash).map_err(failed)
    }
    /// Gives a player a velocity and keeps it for some seconds, as for a knockback.
    #[pyo3(signature = (body, x, y, seconds), text_signature = "($self, body, x, y, seconds)")]
    fn force(&mut self, body: Any, x: Any, y: Any, seconds: Any) -> PyResult<()> {
        let body = numbers::number("body", body)?;
        let x = numbers::real("x", x)?;
        let y = numbers::real("y", y)?;
        let seconds = numbers::real("seconds", seconds)?;
        self.0.force(body, x, y, seconds).map_err(failed)
    }
    /// Returns what the last step did to a character; nothing before its first step.
    #[pyo3(signature = (body), text_signature = "($self, body)")]
    fn motion(&self, body: Any) -> PyResult<Motion> {
        let body = numbers::number("body", body)?;
        Ok(Motion(self.0.motion(body).map_err(failed)?))
    }
    /// Moves all bodies by one step: platforms on their paths, players by their keys, the others by their
    /// velocity.
    #[pyo3(signature = (level), text_signature = "($self, level)")]
    fn step(&mut self, level: &Level) -> PyResult<()> {
        self.0.step(&level.0);
        Ok(())
    }
    /// Returns the events of the last step.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn events(&self) -> PyResult<Vec<Event>> {
        Ok((self.0.events()).into_iter().map(Event).collect())
    }
    /// Returns where to draw each body, in the order in which they were added.
    #[pyo3(signature = (level), text_signature = "($self, level)")]
    fn drawn(&self, level: &Level) -> PyResult<Vec<Drawn>> {
        Ok((self.0.drawn(&level.0)).into_iter().map(Drawn).collect())
    }
    /// Returns the platform on which a body stands; None without one.
    #[pyo3(signature = (body), text_signature = "($self, body)")]
    fn standing_on(&self, body: Any) -> PyResult<Option<i32>> {
        let body = numbers::number("body", body)?;
        Ok(some(self.0.standing_on(body).map_err(failed)?))
    }
    /// Drops a character through the one-way floor on which it stands. False if it stands on none.
    #[pyo3(signature = (level, body), text_signature = "($self, level, body)")]
    fn drop_through(&mut self, level: &Level, body: Any) -> PyResult<bool> {
        let body = numbers::number("body", body)?;
        self.0.drop_through(&level.0, body).map_err(failed)
    }
    /// Moves a character that overlaps a solid to the nearest free place, at most `radius` pixels away.
    #[pyo3(signature = (level, body, radius), text_signature = "($self, level, body, radius)")]
    fn unstick(&mut self, level: &Level, body: Any, radius: Any) -> PyResult<Option<(i32, i32)>> {
        let body = numbers::number("body", body)?;
        let radius = numbers::number("radius", radius)?;
        Ok(pixel(self.0.unstick(&level.0, body, radius).map_err(failed)?))
    }
    /// Returns the bodies of some categories that overlap a box.
    #[pyo3(signature = (r#box, categories=None), text_signature = "($self, box, categories=18446744073709551615)")]
    fn overlapping(&self, r#box: Any, categories: Rest) -> PyResult<Vec<i32>> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        let categories = categories.map_or(Ok(u64::MAX), |it| numbers::number("categories", it))?;
        self.0.overlapping(x, y, w, h, categories).map_err(failed)
    }
    /// Returns the body of some categories that is nearest to a pixel, at most `radius` pixels away; None
    /// without one.
    #[pyo3(signature = (center, radius, categories=None), text_signature = "($self, center, radius, categories=18446744073709551615)")]
    fn nearest(&self, center: Any, radius: Any, categories: Rest) -> PyResult<Option<i32>> {
        let [x, y] = numbers::point("center", center)?;
        let radius = numbers::number("radius", radius)?;
        let categories = categories.map_or(Ok(u64::MAX), |it| numbers::number("categories", it))?;
        Ok(some(self.0.nearest(x, y, radius, categories).map_err(failed)?))
    }
    /// Returns how far a box can move in the level and among the bodies of some categories.
    #[pyo3(signature = (level, r#box, dx, dy, categories=None), text_signature = "($self, level, box, dx, dy, categories=18446744073709551615)")]
    fn sweep(&self, level: &Level, r#box: Any, dx: Any, dy: Any, categories: Rest) -> PyResult<Sweep> {
        let [x, y, w, h] = numbers::rect(r#box)?;
        let (dir, step) = numbers::motion(dx, dy)?;
        let categories = categories.map_or(Ok(u64::MAX), |it| numbers::number("categories", it))?;
        Ok(Sweep(self.0.sweep(&level.0, x, y, w, h, dir, step, categories).map_err(failed)?))
    }
    /// Returns the first solid, or the first body of some categories, on the line between the middles of two
    /// pixels.
    #[pyo3(signature = (level, start, end, categories=None), text_signature = "($self, level, start, end, categories=18446744073709551615)")]
    fn ray(&self, level: &Level, start: Any, end: Any, categories: Rest) -> PyResult<Ray> {
        let [x, y] = numbers::point("start", start)?;
        let [to_x, to_y] = numbers::point("end", end)?;
        let categories = categories.map_or(Ok(u64::MAX), |it| numbers::number("categories", it))?;
        Ok(Ray(self.0.ray(&level.0, x, y, to_x, to_y, categories)))
    }
    /// Returns a copy of the world with its players and paths, to go back to.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn copy(&self) -> PyResult<Self> {
        Ok((self.0.copy()).into())
    }
    /// Makes this world what another one is, as for going back to a copy.
    #[pyo3(signature = (other), text_signature = "($self, other)")]
    fn restore(&mut self, other: &World) -> PyResult<()> {
        self.0.restore(&other.0);
        Ok(())
    }
    /// Returns a number that is equal for worlds with equal bodies and players, on every platform.
    #[pyo3(signature = (), text_signature = "($self)")]
    fn checksum(&self) -> PyResult<u64> {
        Ok(self.0.checksum())
    }
    fn __copy__(&self) -> Self { self.0.copy().into() }
    fn __deepcopy__(&self, _memo: Any) -> Self { self.0.copy().into() }
}

fn add_classes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Settings>()?;
    module.add_class::<Motion>()?;
    module.add_class::<Feel>()?;
    module.add_class::<Sprite>()?;
    module.add_class::<Sweep>()?;
    module.add_class::<Ray>()?;
    module.add_class::<Event>()?;
    module.add_class::<Drawn>()?;
    module.add_class::<Mover>()?;
    module.add_class::<Platformer>()?;
    module.add_class::<Scene>()?;
    module.add_class::<JumpWays>()?;
    module.add_class::<Follower>()?;
    module.add_class::<Level>()?;
    module.add_class::<Patch>()?;
    module.add_class::<Footprint>()?;
    module.add_class::<Files>()?;
    module.add_class::<Ways>()?;
    module.add_class::<Field>()?;
    module.add_class::<World>()?;
    Ok(())
}
