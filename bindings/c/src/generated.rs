// Written by bindings/doors from bindings/facade; edit those.

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

/// [`Settings`] as another language writes it.
#[repr(C)]
pub struct SettingsRaw {
    path: i32,
    response: i32,
    restitution: i32,
    floor: i32,
    step_height: i32,
    snap_distance: i32,
    slope_rise: i32,
    slope_run: i32,
    walks_along_slope: u8,
    corner_left: i32,
    corner_right: i32,
    corner_up: i32,
    corner_down: i32,
    slides_around_corners: u8,
    one_way_left: u8,
    one_way_right: u8,
    one_way_up: u8,
    one_way_down: u8,
}

fn given_settings(raw: &SettingsRaw) -> Result<Settings> {
    Ok(Settings {
        path: choice("path", raw.path, MOVE_PATH)?,
        response: choice("response", raw.response, RESPONSE)?,
        restitution: raw.restitution,
        floor: choice("floor", raw.floor, SIDE)?,
        step_height: raw.step_height,
        snap_distance: raw.snap_distance,
        slope_rise: raw.slope_rise,
        slope_run: raw.slope_run,
        walks_along_slope: flag("walks_along_slope", raw.walks_along_slope.into())?,
        corner_left: raw.corner_left,
        corner_right: raw.corner_right,
        corner_up: raw.corner_up,
        corner_down: raw.corner_down,
        slides_around_corners: flag("slides_around_corners", raw.slides_around_corners.into())?,
        one_way_left: flag("one_way_left", raw.one_way_left.into())?,
        one_way_right: flag("one_way_right", raw.one_way_right.into())?,
        one_way_up: flag("one_way_up", raw.one_way_up.into())?,
        one_way_down: flag("one_way_down", raw.one_way_down.into())?,
    })
}

/// [`Feel`] as another language writes it.
#[repr(C)]
pub struct FeelRaw {
    floor: i32,
    top_speed: f32,
    acceleration: f32,
    friction: f32,
    air_acceleration: f32,
    air_friction: f32,
    jump_height: f32,
    jump_time: f32,
    fall_scale: f32,
    fall_limit: f32,
    apex_speed: f32,
    released_speed: f32,
    coyote_time: f32,
    air_jumps: i32,
    buffer_time: f32,
    wall_slide_speed: f32,
    wall_reach: i32,
    wall_contact: f32,
    wall_jump_x: f32,
    wall_jump_y: f32,
    wall_jump_time: f32,
    ledge_reach: i32,
    ledge_time: f32,
    dash_speed: f32,
    dash_time: f32,
    dash_wait: f32,
    crouch_height: i32,
    crouch_speed: f32,
    carry_x: f32,
    carry_y: f32,
    momentum_limit: f32,
    momentum_time: f32,
    climb_speed: f32,
    ladder_snap: i32,
    swim_speed: f32,
    swim_acceleration: f32,
    float_speed: f32,
}

fn given_feel(raw: &FeelRaw) -> Result<Feel> {
    Ok(Feel {
        floor: choice("floor", raw.floor, DIR)?,
        top_speed: raw.top_speed,
        acceleration: raw.acceleration,
        friction: raw.friction,
        air_acceleration: raw.air_acceleration,
        air_friction: raw.air_friction,
        jump_height: raw.jump_height,
        jump_time: raw.jump_time,
        fall_scale: raw.fall_scale,
        fall_limit: raw.fall_limit,
        apex_speed: raw.apex_speed,
        released_speed: raw.released_speed,
        coyote_time: raw.coyote_time,
        air_jumps: raw.air_jumps,
        buffer_time: raw.buffer_time,
        wall_slide_speed: raw.wall_slide_speed,
        wall_reach: raw.wall_reach,
        wall_contact: raw.wall_contact,
        wall_jump_x: raw.wall_jump_x,
        wall_jump_y: raw.wall_jump_y,
        wall_jump_time: raw.wall_jump_time,
        ledge_reach: raw.ledge_reach,
        ledge_time: raw.ledge_time,
        dash_speed: raw.dash_speed,
        dash_time: raw.dash_time,
        dash_wait: raw.dash_wait,
        crouch_height: raw.crouch_height,
        crouch_speed: raw.crouch_speed,
        carry_x: raw.carry_x,
        carry_y: raw.carry_y,
        momentum_limit: raw.momentum_limit,
        momentum_time: raw.momentum_time,
        climb_speed: raw.climb_speed,
        ladder_snap: raw.ladder_snap,
        swim_speed: raw.swim_speed,
        swim_acceleration: raw.swim_acceleration,
        float_speed: raw.float_speed,
    })
}

#[cfg(feature = "play")]
/// Returns the usual feel, for tiles of 16 pixels. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_feel_usual(out: *mut Feel) -> i32 {
    answer(|| {
        let found = Feel::usual();
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Frees a handle; null is allowed.
///
/// # Safety
/// See the head of the file. It must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_free(mover: *mut Mover) {
    // SAFETY: the caller's promise.
    unsafe { free(mover) }
}

#[cfg(feature = "play")]
/// Makes a mover with the settings of its kind. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_new(x: i32, y: i32, w: i32, h: i32, kind: i32) -> *mut Mover {
    pointer(|| {
        let kind = choice("kind", kind, KIND)?;
        Mover::new(x, y, w, h, kind)
    })
}

#[cfg(feature = "play")]
/// Returns the settings, for a change of some of them. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_settings(mover: *const Mover, out: *mut Settings) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let mover = unsafe { read(mover, "mover") }?;
        let found = mover.settings();
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Sets all settings. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_set_settings(mover: *mut Mover, settings: *const SettingsRaw) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let mover = unsafe { write(mover, "mover") }?;
        // SAFETY: the caller's promise.
        let settings = &given_settings(unsafe { read(settings, "settings") }?)?;
        mover.set_settings(settings)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Puts the top-left corner at a pixel, through all solids. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_place(mover: *mut Mover, x: i32, y: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let mover = unsafe { write(mover, "mover") }?;
        mover.place(x, y);
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Moves by a velocity in pixels a step, as far as the level allows and at most 4096 pixels. 0; below 0 on an
/// error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_step(mover: *mut Mover, level: *const Level, velocity_x: f32, velocity_y: f32, out: *mut Motion) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let mover = unsafe { write(mover, "mover") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let found = mover.step(level, velocity_x, velocity_y)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Changes the size, as for a crouch; the side `anchor` stays. False, and nothing changes, if there is no room.
/// 1 for true, 0 for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_resize(mover: *mut Mover, level: *const Level, w: i32, h: i32, anchor: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let mover = unsafe { write(mover, "mover") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let anchor = choice("anchor", anchor, SIDE)?;
        Ok(mover.resize(level, w, h, anchor)?.into())
    })
}

#[cfg(feature = "play")]
/// Drops through the one-way floor on which the body stands. False if it stands on none. 1 for true, 0 for
/// false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_drop_through(mover: *mut Mover, level: *const Level) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let mover = unsafe { write(mover, "mover") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(mover.drop_through(level).into())
    })
}

#[cfg(feature = "play")]
/// Moves a body that overlaps a solid to the nearest free place, at most `radius` pixels away. Returns that
/// move, or none if there is no such place. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_unstick(mover: *mut Mover, level: *const Level, radius: i32, out: *mut Pixel) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let mover = unsafe { write(mover, "mover") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let found = mover.unstick(level, radius)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns the box in whole pixels. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_bounds(mover: *const Mover, out: *mut Rect) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let mover = unsafe { read(mover, "mover") }?;
        let found = mover.bounds();
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns the exact place of the top-left corner. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_position(mover: *const Mover, out: *mut Point) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let mover = unsafe { read(mover, "mover") }?;
        let found = mover.position();
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns where to draw the top-left corner, which also glides along slopes. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_drawn(mover: *const Mover, level: *const Level, out: *mut Point) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let mover = unsafe { read(mover, "mover") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let found = mover.drawn(level);
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns a number that is equal for equal movers, on every platform. 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_checksum(mover: *const Mover) -> u64 {
    word(|| {
        // SAFETY: the caller's promise.
        let mover = unsafe { read(mover, "mover") }?;
        Ok(mover.checksum())
    })
}

#[cfg(feature = "play")]
/// Frees a handle; null is allowed.
///
/// # Safety
/// See the head of the file. It must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_free(platformer: *mut Platformer) {
    // SAFETY: the caller's promise.
    unsafe { free(platformer) }
}

#[cfg(feature = "play")]
/// Makes a character at rest in the air, for a game with `fps` steps a second, with the usual feel. NULL on an
/// error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_new(x: i32, y: i32, w: i32, h: i32, fps: i32) -> *mut Platformer {
    pointer(|| {
        Platformer::new(x, y, w, h, fps)
    })
}

#[cfg(feature = "play")]
/// Returns the feel, for a change of some of it. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_feel(platformer: *const Platformer, out: *mut Feel) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { read(platformer, "platformer") }?;
        let found = platformer.feel();
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Sets the whole feel. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_set_feel(platformer: *mut Platformer, feel: *const FeelRaw) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { write(platformer, "platformer") }?;
        // SAFETY: the caller's promise.
        let feel = &given_feel(unsafe { read(feel, "feel") }?)?;
        platformer.set_feel(feel)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Names the areas that are ladders and water, as in the level; empty for none. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_set_areas(platformer: *mut Platformer, ladder: *const c_char, water: *const c_char) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { write(platformer, "platformer") }?;
        // SAFETY: the caller's promise.
        let ladder = unsafe { given_text(ladder, "ladder") }?;
        // SAFETY: the caller's promise.
        let water = unsafe { given_text(water, "water") }?;
        platformer.set_areas(ladder, water);
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Returns the settings of the motion. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_settings(platformer: *const Platformer, out: *mut Settings) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { read(platformer, "platformer") }?;
        let found = platformer.settings();
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Sets the settings of the motion. The response must be to slide. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_set_settings(platformer: *mut Platformer, settings: *const SettingsRaw) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { write(platformer, "platformer") }?;
        // SAFETY: the caller's promise.
        let settings = &given_settings(unsafe { read(settings, "settings") }?)?;
        platformer.set_settings(settings)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Moves by one step with the keys that are held: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1
/// (down). 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_step(platformer: *mut Platformer, level: *const Level, x: f32, y: f32, jump: i32, dash: i32, out: *mut Motion) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { write(platformer, "platformer") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let jump = flag("jump", jump)?;
        let dash = flag("dash", dash)?;
        let found = platformer.step(level, x, y, jump, dash)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns what the last step did, also that of a follower, with the velocity as it is now. Nothing moved
/// before the first step. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_motion(platformer: *const Platformer, out: *mut Motion) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { read(platformer, "platformer") }?;
        let found = platformer.motion();
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Puts the top-left corner at a pixel, through all solids. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_place(platformer: *mut Platformer, x: i32, y: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { write(platformer, "platformer") }?;
        platformer.place(x, y);
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Sets the velocity in pixels a second, as for a spring. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_set_velocity(platformer: *mut Platformer, velocity_x: f32, velocity_y: f32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { write(platformer, "platformer") }?;
        platformer.set_velocity(velocity_x, velocity_y)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Gives a velocity and keeps it for some seconds, as for a knockback: no key and no gravity changes it. 0;
/// below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_force(platformer: *mut Platformer, velocity_x: f32, velocity_y: f32, seconds: f32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { write(platformer, "platformer") }?;
        platformer.force(velocity_x, velocity_y, seconds)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Returns the box in whole pixels. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_bounds(platformer: *const Platformer, out: *mut Rect) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { read(platformer, "platformer") }?;
        let found = platformer.bounds();
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns the exact place of the top-left corner. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_position(platformer: *const Platformer, out: *mut Point) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { read(platformer, "platformer") }?;
        let found = platformer.position();
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns where to draw the top-left corner. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_drawn(platformer: *const Platformer, level: *const Level, out: *mut Point) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { read(platformer, "platformer") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let found = platformer.drawn(level);
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns a number that is equal for equal characters, on every platform. 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_platformer_checksum(platformer: *const Platformer) -> u64 {
    word(|| {
        // SAFETY: the caller's promise.
        let platformer = unsafe { read(platformer, "platformer") }?;
        Ok(platformer.checksum())
    })
}

#[cfg(feature = "load")]
/// Frees a handle; null is allowed.
///
/// # Safety
/// See the head of the file. It must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_scene_free(scene: *mut Scene) {
    // SAFETY: the caller's promise.
    unsafe { free(scene) }
}

#[cfg(feature = "load")]
/// Returns the paths of the pictures, one a line, by their numbers from 0. NULL on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_scene_pictures(scene: *const Scene) -> *const c_char {
    text_answer(|| {
        // SAFETY: the caller's promise.
        let scene = unsafe { read(scene, "scene") }?;
        Ok(scene.pictures())
    })
}

#[cfg(feature = "load")]
/// Returns the names of the layers that draw, one a line, by their numbers from 0. A name can be there twice.
/// NULL on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_scene_layers(scene: *const Scene) -> *const c_char {
    text_answer(|| {
        // SAFETY: the caller's promise.
        let scene = unsafe { read(scene, "scene") }?;
        Ok(scene.layers())
    })
}

#[cfg(feature = "load")]
/// Returns everything, from the back to the front. NULL on an error; `count` gets the number of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_scene_all(scene: *const Scene, count: *mut usize) -> *const Sprite {
    list(|| {
        // SAFETY: the caller's promise.
        let scene = unsafe { read(scene, "scene") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(scene.all(), count))
    })
}

#[cfg(feature = "load")]
/// Returns what may be seen in a box of pixels, from the back to the front. O(all). NULL on an error; `count`
/// gets the number of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_scene_seen(scene: *const Scene, x: i32, y: i32, w: i32, h: i32, count: *mut usize) -> *const Sprite {
    list(|| {
        // SAFETY: the caller's promise.
        let scene = unsafe { read(scene, "scene") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(scene.seen(x, y, w, h)?, count))
    })
}

#[cfg(feature = "play")]
/// Frees a handle; null is allowed.
///
/// # Safety
/// See the head of the file. It must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_jump_ways_free(jump_ways: *mut JumpWays) {
    // SAFETY: the caller's promise.
    unsafe { free(jump_ways) }
}

#[cfg(feature = "play")]
/// Finds the ways of a body of this size with this feel, in a game with `fps` steps a second. It takes from
/// some milliseconds to a second. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_jump_ways_new(level: *const Level, w: i32, h: i32, feel: *const FeelRaw, fps: i32) -> *mut JumpWays {
    pointer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let feel = &given_feel(unsafe { read(feel, "feel") }?)?;
        JumpWays::new(level, w, h, feel, fps)
    })
}

#[cfg(feature = "play")]
/// Tells the ways that the cells of a box were edited: no link is offered that the edit may have changed. 0;
/// below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_jump_ways_edited(jump_ways: *mut JumpWays, x: i32, y: i32, w: i32, h: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let jump_ways = unsafe { write(jump_ways, "jump_ways") }?;
        jump_ways.edited(x, y, w, h)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Finds the changed links after edits, for at most about `budget` steps of play. True if all are found. 1 for
/// true, 0 for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_jump_ways_update(jump_ways: *mut JumpWays, level: *const Level, budget: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let jump_ways = unsafe { write(jump_ways, "jump_ways") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(jump_ways.update(level, budget)?.into())
    })
}

#[cfg(feature = "play")]
/// True if a way may lead from one place of the body's top-left corner to another; false if none is known. 1
/// for true, 0 for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_jump_ways_may_reach(jump_ways: *const JumpWays, x: i32, y: i32, to_x: i32, to_y: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let jump_ways = unsafe { read(jump_ways, "jump_ways") }?;
        Ok(jump_ways.may_reach(x, y, to_x, to_y).into())
    })
}

#[cfg(feature = "play")]
/// Returns the jumps and falls of a way: x and y of the start and of the end of each. Between them the body
/// walks. Empty without a way, and for a walk. NULL on an error; `count` gets the number of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_jump_ways_path(jump_ways: *const JumpWays, x: i32, y: i32, to_x: i32, to_y: i32, count: *mut usize) -> *const i32 {
    list(|| {
        // SAFETY: the caller's promise.
        let jump_ways = unsafe { read(jump_ways, "jump_ways") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(jump_ways.path(x, y, to_x, to_y), count))
    })
}

#[cfg(feature = "play")]
/// Frees a handle; null is allowed.
///
/// # Safety
/// See the head of the file. It must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_follower_free(follower: *mut Follower) {
    // SAFETY: the caller's promise.
    unsafe { free(follower) }
}

#[cfg(feature = "play")]
/// Makes a follower for one body. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_follower_new() -> *mut Follower {
    pointer(|| {
        Ok(Follower::new())
    })
}

#[cfg(feature = "play")]
/// Moves a character by one step toward a place, by the keys of the way. It must have the size and the feel of
/// the ways. Below -1 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_follower_step(follower: *mut Follower, ways: *const JumpWays, level: *const Level, character: *mut Platformer, to_x: i32, to_y: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let follower = unsafe { write(follower, "follower") }?;
        // SAFETY: the caller's promise.
        let ways = unsafe { read(ways, "ways") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let character = unsafe { write(character, "character") }?;
        Ok(follower.step(ways, level, character, to_x, to_y) as i32)
    })
}

#[cfg(feature = "play")]
/// Sets the keys that a player of a world holds in the next step of the world, by the way toward a place. The
/// player must have the size and the feel of the ways, which know neither lifts nor crates. Below -1 on an
/// error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_follower_steer(follower: *mut Follower, ways: *const JumpWays, level: *const Level, world: *mut World, body: i32, to_x: i32, to_y: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let follower = unsafe { write(follower, "follower") }?;
        // SAFETY: the caller's promise.
        let ways = unsafe { read(ways, "ways") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        Ok(follower.steer(ways, level, world, body, to_x, to_y)? as i32)
    })
}

/// Frees a handle; null is allowed.
///
/// # Safety
/// See the head of the file. It must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_free(level: *mut Level) {
    // SAFETY: the caller's promise.
    unsafe { free(level) }
}

#[cfg(feature = "play")]
/// Makes an empty level of `columns` x `rows` cells, each `cell_width` x `cell_height` pixels. NULL on an
/// error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_new(columns: i32, rows: i32, cell_width: i32, cell_height: i32) -> *mut Level {
    pointer(|| {
        Level::new(columns, rows, cell_width, cell_height)
    })
}

#[cfg(feature = "play")]
/// Makes a level of an engine's own map: a cell is solid where the byte is not 0. Row by row, a byte for each
/// cell. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_from_cells(columns: i32, rows: i32, cell_width: i32, cell_height: i32, cells: *const u8, cells_count: usize) -> *mut Level {
    pointer(|| {
        // SAFETY: the caller's promise.
        let cells = unsafe { slice(cells, cells_count, "cells") }?;
        Level::from_cells(columns, rows, cell_width, cell_height, cells)
    })
}

#[cfg(feature = "play")]
/// Makes a level of rows of `#` (solid) and `.` (passable). NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_from_text(text: *const c_char, cell_width: i32, cell_height: i32) -> *mut Level {
    pointer(|| {
        // SAFETY: the caller's promise.
        let text = unsafe { given_text(text, "text") }?;
        Level::from_text(text, cell_width, cell_height)
    })
}

#[cfg(feature = "baked")]
/// Makes a level of a baked one. It has the cells, areas and markers of its source, and no pictures. NULL on an
/// error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_from_baked(bytes: *const u8, bytes_count: usize) -> *mut Level {
    pointer(|| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice(bytes, bytes_count, "bytes") }?;
        Level::from_baked(bytes)
    })
}

#[cfg(feature = "baked")]
/// Returns the level as the bytes of a baked one. NULL on an error; `count` gets the number of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_bake(level: *const Level, count: *mut usize) -> *const u8 {
    list(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(level.bake()?, count))
    })
}

#[cfg(feature = "play")]
/// Returns a copy of the level. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_copy(level: *const Level) -> *mut Level {
    pointer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(level.copy())
    })
}

#[cfg(feature = "play")]
/// Returns a copy whose cells are pixels, so that edits take shapes pixel by pixel. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_in_pixels(level: *const Level) -> *mut Level {
    pointer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        level.in_pixels()
    })
}

#[cfg(feature = "play")]
/// Returns the size of the level and of a cell in pixels. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_size(level: *const Level, out: *mut Size) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let found = level.size();
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Makes the outside of the level passable or solid on one side. It is solid before. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_open_side(level: *mut Level, side: i32, open: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        let side = choice("side", side, DIR)?;
        let open = flag("open", open)?;
        level.open_side(side, open);
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Makes questions about boxes of this size faster, and keeps them so after edits. False if the memory for it
/// is used up. 1 for true, 0 for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_prepare(level: *mut Level, w: i32, h: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        Ok(level.prepare(w, h)?.into())
    })
}

#[cfg(feature = "play")]
/// True if the pixel is solid. 1 for true, 0 for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_is_solid(level: *const Level, x: i32, y: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(level.is_solid(x, y).into())
    })
}

#[cfg(feature = "play")]
/// True if the box overlaps a solid. 1 for true, 0 for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_overlaps(level: *const Level, x: i32, y: i32, w: i32, h: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(level.overlaps(x, y, w, h)?.into())
    })
}

#[cfg(feature = "play")]
/// True if the box can move by `step` pixels. The whole way counts, so no thin wall is skipped. 1 for true, 0
/// for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_can_move(level: *const Level, x: i32, y: i32, w: i32, h: i32, dir: i32, step: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let dir = choice("dir", dir, DIR)?;
        Ok(level.can_move(x, y, w, h, dir, step)?.into())
    })
}

#[cfg(feature = "play")]
/// Returns how far the box can move, at most `step` pixels, and the cell that stops it. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_sweep(level: *const Level, x: i32, y: i32, w: i32, h: i32, dir: i32, step: i32, out: *mut Sweep) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let dir = choice("dir", dir, DIR)?;
        let found = level.sweep(x, y, w, h, dir, step)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Answers many questions of `can_move`: each is the six numbers x, y, w, h, dir (0 left, 1 right, 2 up, 3
/// down) and step. An answer is 0 or 1. On an error some answers are written. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_can_move_all(level: *const Level, questions: *const i32, questions_count: usize, answers: *mut u8, answers_count: usize) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        apart("answers", answers, answers_count, "questions", questions, questions_count)?;
        // SAFETY: the caller's promise.
        let questions = unsafe { slice(questions, questions_count, "questions") }?;
        // SAFETY: the caller's promise.
        let answers = unsafe { slice_mut(answers, answers_count, "answers") }?;
        level.can_move_all(questions, answers)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Answers many questions of `sweep`, as `can_move_all`: each answer is the pixels moved. 0; below 0 on an
/// error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_sweep_all(level: *const Level, questions: *const i32, questions_count: usize, answers: *mut i32, answers_count: usize) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        apart("answers", answers, answers_count, "questions", questions, questions_count)?;
        // SAFETY: the caller's promise.
        let questions = unsafe { slice(questions, questions_count, "questions") }?;
        // SAFETY: the caller's promise.
        let answers = unsafe { slice_mut(answers, answers_count, "answers") }?;
        level.sweep_all(questions, answers)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Returns the first solid on the line between the middles of two pixels. `corners` is true for a line that may
/// pass between two solid cells that touch at a corner. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_ray(level: *const Level, x: i32, y: i32, to_x: i32, to_y: i32, corners: i32, out: *mut Ray) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let corners = flag("corners", corners)?;
        let found = level.ray(x, y, to_x, to_y, corners);
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// True if no solid is on the line between the middles of two pixels; the answer is the same both ways. 1 for
/// true, 0 for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_line_of_sight(level: *const Level, x: i32, y: i32, to_x: i32, to_y: i32, corners: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let corners = flag("corners", corners)?;
        Ok(level.line_of_sight(x, y, to_x, to_y, corners).into())
    })
}

#[cfg(feature = "play")]
/// True if the footprint with its top-left corner at a pixel overlaps a solid. 1 for true, 0 for false; below 0
/// on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_footprint_overlaps(level: *const Level, footprint: *const Footprint, x: i32, y: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let footprint = unsafe { read(footprint, "footprint") }?;
        Ok(level.footprint_overlaps(footprint, x, y).into())
    })
}

#[cfg(feature = "play")]
/// Returns how far the footprint can move, at most `step` pixels, and the cell that stops it. 0; below 0 on an
/// error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_footprint_sweep(level: *const Level, footprint: *const Footprint, x: i32, y: i32, dir: i32, step: i32, out: *mut Sweep) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let footprint = unsafe { read(footprint, "footprint") }?;
        let dir = choice("dir", dir, DIR)?;
        let found = level.footprint_sweep(footprint, x, y, dir, step)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Makes a cell solid or passable. True if it changed. 1 for true, 0 for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_set_cell(level: *mut Level, column: i32, row: i32, solid: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        let solid = flag("solid", solid)?;
        Ok(level.set_cell(column, row, solid)?.into())
    })
}

#[cfg(feature = "play")]
/// Makes each cell that touches the box solid or passable. True if one changed. 1 for true, 0 for false; below
/// 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_set_box(level: *mut Level, x: i32, y: i32, w: i32, h: i32, solid: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        let solid = flag("solid", solid)?;
        Ok(level.set_box(x, y, w, h, solid)?.into())
    })
}

#[cfg(feature = "play")]
/// Makes each cell that contains a pixel of the disc solid or passable. True if one changed. 1 for true, 0 for
/// false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_set_disc(level: *mut Level, x: i32, y: i32, radius: i32, solid: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        let solid = flag("solid", solid)?;
        Ok(level.set_disc(x, y, radius, solid)?.into())
    })
}

#[cfg(feature = "play")]
/// Makes each cell that contains a pixel of the footprint solid or passable. True if one changed. 1 for true, 0
/// for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_set_footprint(level: *mut Level, footprint: *const Footprint, x: i32, y: i32, solid: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        // SAFETY: the caller's promise.
        let footprint = unsafe { read(footprint, "footprint") }?;
        let solid = flag("solid", solid)?;
        Ok(level.set_footprint(footprint, x, y, solid)?.into())
    })
}

#[cfg(feature = "play")]
/// Puts the cells, areas and markers of another level into this one, with the other's top-left corner at a
/// pixel that is a corner of a cell. True if a cell changed. 1 for true, 0 for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_place(level: *mut Level, other: *const Level, x: i32, y: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        // SAFETY: the caller's promise.
        let other = unsafe { read(other, "other") }?;
        Ok(level.place(other, x, y)?.into())
    })
}

#[cfg(feature = "play")]
/// Returns the cells of the box as they are now, so that `apply` undoes later edits of it. NULL on an error.
/// Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_patch(level: *const Level, x: i32, y: i32, w: i32, h: i32) -> *mut Patch {
    pointer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        level.patch(x, y, w, h)
    })
}

#[cfg(feature = "play")]
/// Puts the cells of the patch back. True if one changed. 1 for true, 0 for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_apply(level: *mut Level, patch: *const Patch) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        // SAFETY: the caller's promise.
        let patch = unsafe { read(patch, "patch") }?;
        Ok(level.apply(patch)?.into())
    })
}

#[cfg(feature = "play")]
/// Returns a number that is equal for equal levels, on every platform. 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_checksum(level: *const Level) -> u64 {
    word(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(level.checksum())
    })
}

#[cfg(feature = "play")]
/// Returns the number of markers. Below -1 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_marker_count(level: *const Level) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(level.marker_count())
    })
}

#[cfg(feature = "play")]
/// Returns the index of the first marker with this name; -1 without one. Below -1 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_find_marker(level: *const Level, name: *const c_char) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let name = unsafe { given_text(name, "name") }?;
        Ok(level.find_marker(name))
    })
}

#[cfg(feature = "play")]
/// Returns the place and the shape of a marker, by its index from 0 in the order of the file. 0; below 0 on an
/// error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_marker(level: *const Level, index: i32, out: *mut Marker) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let found = level.marker(index)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns the name of a marker, which may be empty. NULL on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_marker_name(level: *const Level, index: i32) -> *const c_char {
    text_answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        level.marker_name(index)
    })
}

#[cfg(feature = "play")]
/// Returns the class of a marker (Tiled also calls it type), which may be empty. NULL on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_marker_class(level: *const Level, index: i32) -> *const c_char {
    text_answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        level.marker_class(index)
    })
}

#[cfg(feature = "play")]
/// Returns the layer of a marker, with the names of its groups. NULL on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_marker_layer(level: *const Level, index: i32) -> *const c_char {
    text_answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        level.marker_layer(index)
    })
}

#[cfg(feature = "play")]
/// Returns x and y of each point of a marker's shape as it is drawn. NULL on an error; `count` gets the number
/// of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_marker_points(level: *const Level, index: i32, count: *mut usize) -> *const i32 {
    list(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(level.marker_points(index)?, count))
    })
}

#[cfg(feature = "play")]
/// Returns the names of a marker's properties, one a line. NULL on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_marker_properties(level: *const Level, index: i32) -> *const c_char {
    text_answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        level.marker_properties(index)
    })
}

#[cfg(feature = "play")]
/// Returns a property of a marker as a text: true or false for a flag, the digits of a number. Empty if the
/// marker has no such property, or if it is a list or a class. NULL on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_marker_text(level: *const Level, index: i32, name: *const c_char) -> *const c_char {
    text_answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let name = unsafe { given_text(name, "name") }?;
        level.marker_text(index, name)
    })
}

#[cfg(feature = "play")]
/// Returns the names of the areas, one a line. NULL on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_areas(level: *const Level) -> *const c_char {
    text_answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(level.areas())
    })
}

#[cfg(feature = "play")]
/// True if the box overlaps the named area; false if the level has no such area. 1 for true, 0 for false; below
/// 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_area_overlaps(level: *const Level, name: *const c_char, x: i32, y: i32, w: i32, h: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let name = unsafe { given_text(name, "name") }?;
        Ok(level.area_overlaps(name, x, y, w, h)?.into())
    })
}

#[cfg(feature = "play")]
/// Returns the categories for which the named area is solid, as bits; 0 if it stops nobody. 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_area_category(level: *const Level, name: *const c_char) -> u64 {
    word(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let name = unsafe { given_text(name, "name") }?;
        Ok(level.area_category(name))
    })
}

#[cfg(feature = "play")]
/// Makes the named area solid for bodies that collide with one of these categories. False if the level has no
/// such area. 1 for true, 0 for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_set_area_category(level: *mut Level, name: *const c_char, category: u64) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        // SAFETY: the caller's promise.
        let name = unsafe { given_text(name, "name") }?;
        Ok(level.set_area_category(name, category).into())
    })
}

#[cfg(feature = "play")]
/// Returns the cells row by row: a byte for each, 1 for a solid one. NULL on an error; `count` gets the number
/// of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_cells(level: *const Level, count: *mut usize) -> *const u8 {
    list(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(level.cells()?, count))
    })
}

#[cfg(feature = "play")]
/// Returns the solids in a box as rectangles that do not overlap: x, y, w and h of each. NULL on an error;
/// `count` gets the number of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_rectangles(level: *const Level, x: i32, y: i32, w: i32, h: i32, count: *mut usize) -> *const i32 {
    list(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(level.rectangles(x, y, w, h)?, count))
    })
}

#[cfg(feature = "play")]
/// Returns the outlines of the solids as loops: of each the number of its points, then x and y of each point.
/// The solid is on the right; a loop around a hole runs the other way. NULL on an error; `count` gets the
/// number of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_outlines(level: *const Level, count: *mut usize) -> *const i32 {
    list(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(level.outlines(), count))
    })
}

#[cfg(feature = "play")]
/// Returns the surfaces of the solids in a box as chains for a physics engine: of each the number of its
/// points, then x and y of each point. NULL on an error; `count` gets the number of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_chains(level: *const Level, x: i32, y: i32, w: i32, h: i32, count: *mut usize) -> *const i32 {
    list(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(level.chains(x, y, w, h)?, count))
    })
}

#[cfg(feature = "disk")]
/// Loads a Tiled map (tmx, tmj), a world, an LDtk project, a mask (PNG), a baked level or rows of # and . from
/// the disk. `options` is the text of a `bitwall.toml`; if empty, the nearest `bitwall.toml` counts. NULL on an
/// error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_load(path: *const c_char, options: *const c_char) -> *mut Level {
    pointer(|| {
        // SAFETY: the caller's promise.
        let path = unsafe { given_text(path, "path") }?;
        // SAFETY: the caller's promise.
        let options = unsafe { given_text(options, "options") }?;
        Level::load(path, options)
    })
}

#[cfg(feature = "load")]
/// Makes a level from the bytes of a file that refers to no other file. `name` is its path, for the format and
/// for errors; `options` is the text of a `bitwall.toml`, or empty. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_decode(name: *const c_char, bytes: *const u8, bytes_count: usize, options: *const c_char) -> *mut Level {
    pointer(|| {
        // SAFETY: the caller's promise.
        let name = unsafe { given_text(name, "name") }?;
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice(bytes, bytes_count, "bytes") }?;
        // SAFETY: the caller's promise.
        let options = unsafe { given_text(options, "options") }?;
        Level::decode(name, bytes, options)
    })
}

#[cfg(feature = "load")]
/// Makes a level from the file `path` of the files. `options` is the text of a `bitwall.toml`, or empty. NULL
/// on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_from_files(path: *const c_char, files: *const Files, options: *const c_char) -> *mut Level {
    pointer(|| {
        // SAFETY: the caller's promise.
        let path = unsafe { given_text(path, "path") }?;
        // SAFETY: the caller's promise.
        let files = unsafe { read(files, "files") }?;
        // SAFETY: the caller's promise.
        let options = unsafe { given_text(options, "options") }?;
        Level::from_files(path, files, options)
    })
}

#[cfg(feature = "load")]
/// Returns the files that the level was made of, one a line: if one of them changes, load again. NULL on an
/// error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_files(level: *const Level) -> *const c_char {
    text_answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(level.files())
    })
}

#[cfg(feature = "load")]
/// Returns what is suspicious in the files, a sentence a line. NULL on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_warnings(level: *const Level) -> *const c_char {
    text_answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(level.warnings())
    })
}

#[cfg(feature = "load")]
/// Returns what made a cell solid: the tile or object, its layer and the rule. Empty if nothing of a file did.
/// NULL on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_why(level: *const Level, column: i32, row: i32) -> *const c_char {
    text_answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(level.why(column, row))
    })
}

#[cfg(feature = "load")]
/// Returns what the level's maps draw. A level without maps draws nothing. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_scene(level: *const Level) -> *mut Scene {
    pointer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(level.scene())
    })
}

#[cfg(feature = "play")]
/// Frees a handle; null is allowed.
///
/// # Safety
/// See the head of the file. It must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_patch_free(patch: *mut Patch) {
    // SAFETY: the caller's promise.
    unsafe { free(patch) }
}

#[cfg(feature = "play")]
/// Frees a handle; null is allowed.
///
/// # Safety
/// See the head of the file. It must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_footprint_free(footprint: *mut Footprint) {
    // SAFETY: the caller's promise.
    unsafe { free(footprint) }
}

#[cfg(feature = "play")]
/// Makes a footprint of `width` x `height` pixels: a pixel belongs to it where the byte is not 0. Row by row, a
/// byte for each pixel. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_footprint_new(width: i32, height: i32, pixels: *const u8, pixels_count: usize) -> *mut Footprint {
    pointer(|| {
        // SAFETY: the caller's promise.
        let pixels = unsafe { slice(pixels, pixels_count, "pixels") }?;
        Footprint::new(width, height, pixels)
    })
}

#[cfg(feature = "play")]
/// Makes a disc with this diameter in pixels. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_footprint_circle(diameter: i32) -> *mut Footprint {
    pointer(|| {
        Footprint::circle(diameter)
    })
}

#[cfg(feature = "play")]
/// Makes a box with round ends, of `width` x `height` pixels. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_footprint_capsule(width: i32, height: i32) -> *mut Footprint {
    pointer(|| {
        Footprint::capsule(width, height)
    })
}

#[cfg(feature = "load")]
/// Frees a handle; null is allowed.
///
/// # Safety
/// See the head of the file. It must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_files_free(files: *mut Files) {
    // SAFETY: the caller's promise.
    unsafe { free(files) }
}

#[cfg(feature = "load")]
/// Makes an empty collection of files. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_files_new() -> *mut Files {
    pointer(|| {
        Ok(Files::new())
    })
}

#[cfg(feature = "load")]
/// Puts the bytes of a file, under the path by which it was wanted. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_files_put(files: *mut Files, path: *const c_char, bytes: *const u8, bytes_count: usize) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let files = unsafe { write(files, "files") }?;
        // SAFETY: the caller's promise.
        let path = unsafe { given_text(path, "path") }?;
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice(bytes, bytes_count, "bytes") }?;
        files.put(path, bytes);
        Ok(0)
    })
}

#[cfg(feature = "load")]
/// Returns the path of a file to which the files so far refer, each once; empty if there is none. A file that
/// cannot be had is not put. `pictures` is true if the pictures for drawing are wanted too: a load reads one
/// only if a map uses tiles beyond those that its tileset states. Maps that a world finds by a pattern are not
/// named. NULL on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_files_wanted(files: *mut Files, pictures: i32) -> *const c_char {
    text_answer(|| {
        // SAFETY: the caller's promise.
        let files = unsafe { write(files, "files") }?;
        let pictures = flag("pictures", pictures)?;
        Ok(files.wanted(pictures))
    })
}

#[cfg(feature = "play")]
/// Frees a handle; null is allowed.
///
/// # Safety
/// See the head of the file. It must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_ways_free(ways: *mut Ways) {
    // SAFETY: the caller's promise.
    unsafe { free(ways) }
}

#[cfg(feature = "play")]
/// Makes the ways of boxes of this size in pixels. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_ways_new(w: i32, h: i32) -> *mut Ways {
    pointer(|| {
        Ways::new(w, h)
    })
}

#[cfg(feature = "play")]
/// Returns the shortest way of the box's top-left corner to a pixel: x and y of each of its points. Empty if
/// there is none. `smooth` leaves out the points that a straight line can skip. NULL on an error; `count` gets
/// the number of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_ways_path(ways: *mut Ways, level: *const Level, x: i32, y: i32, to_x: i32, to_y: i32, smooth: i32, count: *mut usize) -> *const i32 {
    list(|| {
        // SAFETY: the caller's promise.
        let ways = unsafe { write(ways, "ways") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let smooth = flag("smooth", smooth)?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(ways.path(level, x, y, to_x, to_y, smooth)?, count))
    })
}

#[cfg(feature = "play")]
/// Returns the way as `path`, to the place that is nearest to the pixel if the pixel itself cannot be reached.
/// NULL on an error; `count` gets the number of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_ways_path_toward(ways: *mut Ways, level: *const Level, x: i32, y: i32, to_x: i32, to_y: i32, count: *mut usize) -> *const i32 {
    list(|| {
        // SAFETY: the caller's promise.
        let ways = unsafe { write(ways, "ways") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(ways.path_toward(level, x, y, to_x, to_y)?, count))
    })
}

#[cfg(feature = "play")]
/// Returns the field of the ways to the nearest of some goals: `goals` is x and y of each. NULL on an error.
/// Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_ways_field(ways: *const Ways, level: *const Level, goals: *const i32, goals_count: usize) -> *mut Field {
    pointer(|| {
        // SAFETY: the caller's promise.
        let ways = unsafe { read(ways, "ways") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let goals = unsafe { slice(goals, goals_count, "goals") }?;
        ways.field(level, goals)
    })
}

#[cfg(feature = "play")]
/// Frees a handle; null is allowed.
///
/// # Safety
/// See the head of the file. It must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_field_free(field: *mut Field) {
    // SAFETY: the caller's promise.
    unsafe { free(field) }
}

#[cfg(feature = "play")]
/// Returns the next step from a pixel: -1, 0 or 1 along each axis. None at a goal, and where no goal can be
/// reached. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_field_step(field: *const Field, x: i32, y: i32, out: *mut Pixel) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let field = unsafe { read(field, "field") }?;
        let found = field.step(x, y);
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns the length of the way to the nearest goal in pixels, of which a diagonal step has two; -1 where no
/// goal can be reached. Below -1 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_field_distance(field: *const Field, x: i32, y: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let field = unsafe { read(field, "field") }?;
        Ok(field.distance(x, y))
    })
}

#[cfg(feature = "play")]
/// Frees a handle; null is allowed.
///
/// # Safety
/// See the head of the file. It must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_free(world: *mut World) {
    // SAFETY: the caller's promise.
    unsafe { free(world) }
}

#[cfg(feature = "play")]
/// Makes a world without bodies, for a game with `fps` steps a second. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_new(fps: i32) -> *mut World {
    pointer(|| {
        World::new(fps)
    })
}

#[cfg(feature = "play")]
/// Adds a character, and returns its number. It moves by its velocity, or by keys as a player. Below -1 on an
/// error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_add_character(world: *mut World, x: i32, y: i32, w: i32, h: i32, kind: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        let kind = choice("kind", kind, KIND)?;
        world.add_character(x, y, w, h, kind)
    })
}

#[cfg(feature = "play")]
/// Adds a platform, which carries and pushes other bodies and which nothing stops. A one-way platform is solid
/// only from above. Below -1 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_add_platform(world: *mut World, x: i32, y: i32, w: i32, h: i32, one_way: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        let one_way = flag("one_way", one_way)?;
        world.add_platform(x, y, w, h, one_way)
    })
}

#[cfg(feature = "play")]
/// Adds a platform in the shape of a level's solid cells. Below -1 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_add_piece(world: *mut World, x: i32, y: i32, piece: *const Level) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        // SAFETY: the caller's promise.
        let piece = unsafe { read(piece, "piece") }?;
        world.add_piece(x, y, piece)
    })
}

#[cfg(feature = "play")]
/// Adds a crate that falls and can be pushed. `mass` is 0 to 65535; `gravity` is in pixels a second squared.
/// Below -1 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_add_pushable(world: *mut World, x: i32, y: i32, w: i32, h: i32, mass: i32, gravity: f32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        world.add_pushable(x, y, w, h, mass, gravity)
    })
}

#[cfg(feature = "play")]
/// Adds a ball that bounces. `mass` is 0 to 65535; with 0 nothing moves it. Below -1 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_add_ball(world: *mut World, x: i32, y: i32, diameter: i32, mass: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        world.add_ball(x, y, diameter, mass)
    })
}

#[cfg(feature = "play")]
/// Adds a bullet, which flies straight until something stops it. Below -1 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_add_bullet(world: *mut World, x: i32, y: i32, w: i32, h: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        world.add_bullet(x, y, w, h)
    })
}

#[cfg(feature = "play")]
/// Adds a sensor, which is not solid and only watches. Below -1 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_add_sensor(world: *mut World, x: i32, y: i32, w: i32, h: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        world.add_sensor(x, y, w, h)
    })
}

#[cfg(feature = "play")]
/// Removes a body. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_remove(world: *mut World, body: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        world.remove(body)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Returns the numbers of all bodies, in the order in which they were added. NULL on an error; `count` gets the
/// number of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_bodies(world: *const World, count: *mut usize) -> *const i32 {
    list(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(world.bodies(), count))
    })
}

#[cfg(feature = "play")]
/// Returns the box of a body in whole pixels. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_bounds(world: *const World, body: i32, out: *mut Rect) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        let found = world.bounds(body)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns the exact place of the top-left corner of a body. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_position(world: *const World, body: i32, out: *mut Point) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        let found = world.position(body)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Puts the top-left corner of a body at a pixel, through all solids. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_place(world: *mut World, body: i32, x: i32, y: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        world.place(body, x, y)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Changes the size of a character; the side `anchor` stays. False, and nothing changes, if there is no room. 1
/// for true, 0 for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_resize(world: *mut World, level: *const Level, body: i32, w: i32, h: i32, anchor: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let anchor = choice("anchor", anchor, SIDE)?;
        Ok(world.resize(level, body, w, h, anchor)?.into())
    })
}

#[cfg(feature = "play")]
/// Returns the velocity of a body in pixels a second. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_velocity(world: *const World, body: i32, out: *mut Point) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        let found = world.velocity(body)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Sets the velocity of a body in pixels a second. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_set_velocity(world: *mut World, body: i32, velocity_x: f32, velocity_y: f32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        world.set_velocity(body, velocity_x, velocity_y)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Sets the acceleration of a body, such as its gravity, in pixels a second squared. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_set_acceleration(world: *mut World, body: i32, x: f32, y: f32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        world.set_acceleration(body, x, y)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Sets what a body is, what it collides with, and what it watches for events: categories as bits. 0; below 0
/// on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_set_categories(world: *mut World, body: i32, category: u64, collides_with: u64, watches: u64) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        world.set_categories(body, category, collides_with, watches)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Returns the settings of a character's motion. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_settings(world: *const World, body: i32, out: *mut Settings) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        let found = world.settings(body)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Sets the settings of a character's motion. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_set_settings(world: *mut World, body: i32, settings: *const SettingsRaw) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        // SAFETY: the caller's promise.
        let settings = &given_settings(unsafe { read(settings, "settings") }?)?;
        world.set_settings(body, settings)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Moves a platform from stop to stop: `stops` is x and y of each, `speed` in pixels a second, `wait` in
/// seconds at each. `round` goes from the last straight to the first; else it goes back the same way. Empty
/// `stops` end the path. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_set_path(world: *mut World, body: i32, stops: *const i32, stops_count: usize, speed: f32, wait: f32, round: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        // SAFETY: the caller's promise.
        let stops = unsafe { slice(stops, stops_count, "stops") }?;
        let round = flag("round", round)?;
        world.set_path(body, stops, speed, wait, round)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Moves a platform on a circle. A turn takes `seconds`, and is counter-clockwise if they are negative. 0;
/// below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_set_circle(world: *mut World, body: i32, x: i32, y: i32, radius: i32, seconds: f32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        world.set_circle(body, x, y, radius, seconds)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Makes a character a player, which moves by keys with this feel; or changes the feel of a player. 0; below 0
/// on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_set_player(world: *mut World, body: i32, feel: *const FeelRaw) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        // SAFETY: the caller's promise.
        let feel = &given_feel(unsafe { read(feel, "feel") }?)?;
        world.set_player(body, feel)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Returns the feel of a player. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_feel(world: *const World, body: i32, out: *mut Feel) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        let found = world.feel(body)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Names the areas that are ladders and water for a player, as in the level; empty for none. 0; below 0 on an
/// error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_set_areas(world: *mut World, body: i32, ladder: *const c_char, water: *const c_char) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        // SAFETY: the caller's promise.
        let ladder = unsafe { given_text(ladder, "ladder") }?;
        // SAFETY: the caller's promise.
        let water = unsafe { given_text(water, "water") }?;
        world.set_areas(body, ladder, water)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Sets the keys that a player holds in the next steps: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1
/// (down). 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_set_input(world: *mut World, body: i32, x: f32, y: f32, jump: i32, dash: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        let jump = flag("jump", jump)?;
        let dash = flag("dash", dash)?;
        world.set_input(body, x, y, jump, dash)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Gives a player a velocity and keeps it for some seconds, as for a knockback. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_force(world: *mut World, body: i32, x: f32, y: f32, seconds: f32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        world.force(body, x, y, seconds)?;
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Returns what the last step did to a character; nothing before its first step. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_motion(world: *const World, body: i32, out: *mut Motion) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        let found = world.motion(body)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Moves all bodies by one step: platforms on their paths, players by their keys, the others by their velocity.
/// 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_step(world: *mut World, level: *const Level) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        world.step(level);
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Returns the events of the last step. NULL on an error; `count` gets the number of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_events(world: *const World, count: *mut usize) -> *const Event {
    list(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(world.events(), count))
    })
}

#[cfg(feature = "play")]
/// Returns where to draw each body, in the order in which they were added. NULL on an error; `count` gets the
/// number of elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_drawn(world: *const World, level: *const Level, count: *mut usize) -> *const Drawn {
    list(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(world.drawn(level), count))
    })
}

#[cfg(feature = "play")]
/// Returns the platform on which a body stands; -1 without one. Below -1 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_standing_on(world: *const World, body: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        world.standing_on(body)
    })
}

#[cfg(feature = "play")]
/// Drops a character through the one-way floor on which it stands. False if it stands on none. 1 for true, 0
/// for false; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_drop_through(world: *mut World, level: *const Level, body: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(world.drop_through(level, body)?.into())
    })
}

#[cfg(feature = "play")]
/// Moves a character that overlaps a solid to the nearest free place, at most `radius` pixels away. 0; below 0
/// on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_unstick(world: *mut World, level: *const Level, body: i32, radius: i32, out: *mut Pixel) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let found = world.unstick(level, body, radius)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns the bodies of some categories that overlap a box. NULL on an error; `count` gets the number of
/// elements.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_overlapping(world: *const World, x: i32, y: i32, w: i32, h: i32, categories: u64, count: *mut usize) -> *const i32 {
    list(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        // SAFETY: the caller's promise.
        let count = unsafe { write(count, "count") }?;
        Ok(counted(world.overlapping(x, y, w, h, categories)?, count))
    })
}

#[cfg(feature = "play")]
/// Returns the body of some categories that is nearest to a pixel, at most `radius` pixels away; -1 without
/// one. Below -1 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_nearest(world: *const World, x: i32, y: i32, radius: i32, categories: u64) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        world.nearest(x, y, radius, categories)
    })
}

#[cfg(feature = "play")]
/// Returns how far a box can move in the level and among the bodies of some categories. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_sweep(world: *const World, level: *const Level, x: i32, y: i32, w: i32, h: i32, dir: i32, step: i32, categories: u64, out: *mut Sweep) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let dir = choice("dir", dir, DIR)?;
        let found = world.sweep(level, x, y, w, h, dir, step, categories)?;
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns the first solid, or the first body of some categories, on the line between the middles of two
/// pixels. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_ray(world: *const World, level: *const Level, x: i32, y: i32, to_x: i32, to_y: i32, categories: u64, out: *mut Ray) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        let found = world.ray(level, x, y, to_x, to_y, categories);
        // SAFETY: the caller's promise.
        unsafe { put(out, found) }
    })
}

#[cfg(feature = "play")]
/// Returns a copy of the world with its players and paths, to go back to. NULL on an error. Free it.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_copy(world: *const World) -> *mut World {
    pointer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        Ok(world.copy())
    })
}

#[cfg(feature = "play")]
/// Makes this world what another one is, as for going back to a copy. 0; below 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_restore(world: *mut World, other: *const World) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { write(world, "world") }?;
        // SAFETY: the caller's promise.
        let other = unsafe { read(other, "other") }?;
        world.restore(other);
        Ok(0)
    })
}

#[cfg(feature = "play")]
/// Returns a number that is equal for worlds with equal bodies and players, on every platform. 0 on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_world_checksum(world: *const World) -> u64 {
    word(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world, "world") }?;
        Ok(world.checksum())
    })
}

