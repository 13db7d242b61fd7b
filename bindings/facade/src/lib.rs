//! The one list of functions behind every door: C, C#, Lua, JavaScript and the classes of Python are written
//! from it by `bindings/doors`.
//!
//! A function takes numbers, flags, texts, slices, enumerations, records and handles, and nothing else. It
//! tests all bounds, and its errors are sentences. A handle is a type with private fields, a record is a
//! `repr(C)` struct of numbers, flags and enumerations. This package has no unsafe code and knows no other
//! language.

#[path = "../../arguments.rs"]
mod arguments;
mod body;
#[cfg(feature = "load")]
mod draw;
mod jumps;
mod level;
#[cfg(feature = "load")]
mod load;
mod ways;
mod world;

use std::fmt::Display;
use std::ops::RangeInclusive;

use bitwall::Aabb;
use bitwall::glam::IVec2;

use arguments::{LENGTH, refused, whole};

pub use body::{Feel, Kind, Motion, MovePath, Mover, Platformer, Response, Settings, Stance};
#[cfg(feature = "load")]
pub use draw::{Scene, Sprite};
pub use jumps::{Follow, Follower, JumpWays};
pub use level::{Footprint, Level, Marker, MarkerShape, Patch, Ray, Size, Sweep};
#[cfg(feature = "load")]
pub use load::Files;
pub use ways::{Field, Ways};
pub use world::{Drawn, Event, EventKind, World};

/// A function failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The code: one of [`ARGUMENT`], [`LOAD`], [`SIZE`] and [`MISSING`].
    pub code: i32,
    /// The place, the cause and a remedy, as a sentence.
    pub text: String,
}

/// An argument is out of its range.
pub const ARGUMENT: i32 = -2;
/// A file or its bytes give no level.
pub const LOAD: i32 = -3;
/// A level would be too large.
pub const SIZE: i32 = -4;
/// There is no body or marker of a number.
pub const MISSING: i32 = -7;

/// The answer of a function that can fail. An error is a pointer: as two values it took a tenth of the module
/// for the web, because every `?` moved it.
pub type Result<T> = std::result::Result<T, Box<Error>>;

impl Error {
    #[cold]
    fn new(code: i32, text: impl ToString) -> Box<Self> {
        Box::new(Self { code, text: text.to_string() })
    }

    #[cold]
    fn load(error: impl ToString) -> Box<Self> {
        Self::new(LOAD, error)
    }

    #[cold]
    fn size(error: impl ToString) -> Box<Self> {
        Self::new(SIZE, error)
    }

    /// Names the question of a batch whose argument was refused.
    #[cold]
    fn of_question(self: Box<Self>, at: usize) -> Box<Self> {
        Self::new(self.code, format_args!("question {at}: {}", self.text))
    }
}

/// Returns the error that refuses `value` for the argument `name`, and says what is allowed.
#[cold]
pub fn bad(name: &str, value: impl Display, allowed: impl Display) -> Box<Error> {
    Error::new(ARGUMENT, refused(name, value, allowed))
}

/// Returns the value of an enumeration with this number, among all values with their names.
#[inline(always)]
pub fn choice<T: Copy>(name: &str, number: i32, all: &[(T, &str)]) -> Result<T> {
    let found = usize::try_from(number).ok().and_then(|at| all.get(at));
    found.map(|(value, _)| *value).ok_or_else(|| bad_choice(name, number, all))
}

#[cold]
#[inline(never)]
fn bad_choice<T>(name: &str, number: i32, all: &[(T, &str)]) -> Box<Error> {
    let mut allowed = String::new();
    for (at, (_, word)) in all.iter().enumerate() {
        let before = match at {
            0 => "",
            _ if at + 1 == all.len() => " or ",
            _ => ", ",
        };
        allowed += &format!("{before}{at} ({word})");
    }
    bad(name, number, allowed)
}

/// Returns `value` if it is in `range`. It is inlined in a module for the web too, where a call costs as much
/// as a question.
#[inline(always)]
fn number(name: &str, value: i32, range: RangeInclusive<i32>) -> Result<i32> {
    if range.contains(&value) { Ok(value) } else { Err(out_of_range(name, value, range)) }
}

#[cold]
#[inline(never)]
fn out_of_range(name: &str, value: i32, range: RangeInclusive<i32>) -> Box<Error> {
    bad(name, value, whole(&range))
}

#[inline(always)]
fn length(name: &str, value: i32) -> Result<u32> {
    number(name, value, LENGTH).map(i32::cast_unsigned)
}

/// Returns `value` if it is in `range`, and so is a number at all.
fn real(name: &str, value: f32, range: RangeInclusive<f32>) -> Result<f32> {
    if range.contains(&value) {
        return Ok(value);
    }
    let (low, high) = (range.start(), range.end());
    if *high == f32::MAX {
        return Err(bad(name, value, "a finite number of at least 0"));
    }
    Err(bad(name, value, format_args!("a number from {low} to {high}")))
}

/// The box of the arguments x, y, w and h.
#[inline(always)]
fn aabb(x: i32, y: i32, w: i32, h: i32) -> Result<Aabb> {
    Ok(Aabb::from_xywh(x, y, number("w", w, LENGTH)?, number("h", h, LENGTH)?))
}

/// The pairs of numbers in a slice: x and y of each point.
fn points(name: &str, numbers: &[i32]) -> Result<Vec<IVec2>> {
    let (pairs, rest) = numbers.as_chunks::<2>();
    if !rest.is_empty() {
        let count = format!("an array of {} numbers", numbers.len());
        return Err(bad(name, count, "x and y of each point"));
    }
    Ok(pairs.iter().map(|pair| IVec2::from_array(*pair)).collect())
}

/// The numbers x and y of each point.
fn flat(points: &[IVec2]) -> Vec<i32> {
    points.iter().flat_map(|point| point.to_array()).collect()
}

/// A size in pixels as large as a door can say it.
fn clamped(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

/// A direction of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Dir {
    /// Toward smaller x.
    Left,
    /// Toward larger x.
    Right,
    /// Toward smaller y.
    Up,
    /// Toward larger y.
    Down,
}

/// All directions with their names, by their numbers.
const DIRS: [(Dir, &str); 4] =
    [(Dir::Left, "left"), (Dir::Right, "right"), (Dir::Up, "up"), (Dir::Down, "down")];

impl Dir {
    #[inline]
    fn core(self) -> bitwall::Dir {
        bitwall::Dir::ALL[self as usize]
    }

    fn from_core(dir: bitwall::Dir) -> Self {
        DIRS[dir as usize].0
    }
}

/// A side, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Side {
    /// No side.
    #[default]
    None,
    /// The left side.
    Left,
    /// The right side.
    Right,
    /// The upper side.
    Up,
    /// The lower side.
    Down,
}

/// The side of each direction, in their order.
const SIDES: [Side; 4] = [Side::Left, Side::Right, Side::Up, Side::Down];

impl Side {
    fn core(self) -> Option<bitwall::Dir> {
        let at = SIDES.iter().position(|side| *side == self);
        at.map(|at| bitwall::Dir::ALL[at])
    }

    fn from_core(dir: Option<bitwall::Dir>) -> Self {
        dir.map_or(Self::None, |dir| SIDES[dir as usize])
    }
}

/// A box of whole pixels; it covers x <= p < x + w.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Rect {
    /// The left edge.
    pub x: i32,
    /// The top edge.
    pub y: i32,
    /// The width.
    pub w: i32,
    /// The height.
    pub h: i32,
}

impl From<Aabb> for Rect {
    fn from(aabb: Aabb) -> Self {
        let (w, h) = (clamped(aabb.width()), clamped(aabb.height()));
        Self { x: aabb.min.x, y: aabb.min.y, w, h }
    }
}

/// A place or a vector in pixels, with fractions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Point {
    /// The part along x.
    pub x: f64,
    /// The part along y.
    pub y: f64,
}

impl Point {
    fn new([x, y]: [f64; 2]) -> Self {
        Self { x, y }
    }

    fn of_speed([x, y]: [f32; 2]) -> Self {
        Self { x: x.into(), y: y.into() }
    }
}

/// A pixel, if one was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Pixel {
    /// True if there is such a pixel.
    pub found: bool,
    /// Its x; 0 if there is none.
    pub x: i32,
    /// Its y; 0 if there is none.
    pub y: i32,
}

impl From<Option<IVec2>> for Pixel {
    fn from(pixel: Option<IVec2>) -> Self {
        let IVec2 { x, y } = pixel.unwrap_or_default();
        Self { found: pixel.is_some(), x, y }
    }
}
