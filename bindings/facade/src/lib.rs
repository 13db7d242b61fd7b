//! The one list of functions behind every door: C, C#, Lua, JavaScript and the classes of Python are written
//! from it by `bindings/doors`.
//!
//! A function takes numbers, flags, texts, slices, enumerations, records and handles, and nothing else. It
//! tests all bounds, and its errors are sentences. A handle is a type with private fields, a record is a
//! `repr(C)` struct of numbers, flags and enumerations. This package has no unsafe code and knows no other
//! language.

#[macro_use]
mod record;
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
use bitwall::glam::{DVec2, IVec2, UVec2};

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

    fn load(error: impl ToString) -> Box<Self> {
        Self::new(LOAD, error)
    }

    fn size(error: impl ToString) -> Box<Self> {
        Self::new(SIZE, error)
    }

    /// Names the question of a batch whose argument was refused.
    fn of_question(&self, at: usize) -> Box<Self> {
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
    let mut allowed: Vec<_> =
        all.iter().enumerate().map(|(at, (_, word))| format!("{at} ({word})")).collect();
    let last = allowed.pop().unwrap_or_default();
    bad(name, number, format_args!("{} or {last}", allowed.join(", ")))
}

/// Returns `value` if it is in `range`. Also a module for the web, which is made small, has it in each
/// function: a question of 17 ns took 30 ns without.
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

/// A whole number of 16 bits, such as a mass.
fn word(name: &str, value: i32) -> Result<u16> {
    Ok(number(name, value, 0..=65535)? as u16)
}

/// The width and the height of something that has cells or pixels.
fn sides(names: [&str; 2], sides: [i32; 2], most: i32) -> Result<UVec2> {
    let width = number(names[0], sides[0], 1..=most)?;
    let height = number(names[1], sides[1], 1..=most)?;
    Ok(IVec2::new(width, height).as_uvec2())
}

/// Returns `value` if it is in `range`, and so is a number at all.
fn real(name: &str, value: f32, range: RangeInclusive<f32>) -> Result<f32> {
    let (low, high) = (range.start(), range.end());
    if range.contains(&value) {
        Ok(value)
    } else if *high == f32::MAX {
        Err(bad(name, value, "a finite number of at least 0"))
    } else {
        Err(bad(name, value, format_args!("a number from {low} to {high}")))
    }
}

/// A height in pixels or a time in seconds, as large as the library counts them.
fn extent(name: &str, value: f32) -> Result<f32> {
    real(name, value, 0.0..=65535.0)
}

/// A speed or an acceleration along both axes: numbers below 2^31.
fn pair(name: &str, x: f32, y: f32) -> Result<[f32; 2]> {
    Ok([speed(&format!("{name}_x"), x)?, speed(&format!("{name}_y"), y)?])
}

fn speed(name: &str, value: f32) -> Result<f32> {
    real(name, value, -2147483520.0..=2147483520.0)
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
fn flat<'p>(points: impl IntoIterator<Item = &'p IVec2>) -> Vec<i32> {
    points.into_iter().flat_map(|point| point.to_array()).collect()
}

/// A size in pixels as large as a door can say it; -1 for none.
fn clamped(value: impl Into<Option<u32>>) -> i32 {
    value.into().map_or(-1, |value| i32::try_from(value).unwrap_or(i32::MAX))
}

record! {
    /// A direction of motion.
    Dir from bitwall::Dir {
        /// Toward smaller x.
        Left [bitwall::Dir::Left];
        /// Toward larger x.
        Right [bitwall::Dir::Right];
        /// Toward smaller y.
        Up [bitwall::Dir::Up];
        /// Toward larger y.
        Down [bitwall::Dir::Down];
    }

    /// A side, or none.
    Side from Option<bitwall::Dir> {
        /// No side.
        None [None];
        /// The left side.
        Left [Some(bitwall::Dir::Left)];
        /// The right side.
        Right [Some(bitwall::Dir::Right)];
        /// The upper side.
        Up [Some(bitwall::Dir::Up)];
        /// The lower side.
        Down [Some(bitwall::Dir::Down)];
    }

    /// A box of whole pixels; it covers x <= p < x + w.
    Rect(aabb: Aabb) {
        /// The left edge.
        x: i32 = aabb.min.x;
        /// The top edge.
        y: i32 = aabb.min.y;
        /// The width.
        w: i32 = clamped(aabb.width());
        /// The height.
        h: i32 = clamped(aabb.height());
    }

    /// A place or a vector in pixels, with fractions.
    Point(point: DVec2) {
        /// The part along x.
        x: f64 = point.x;
        /// The part along y.
        y: f64 = point.y;
    }

    /// A pixel, if one was found.
    Pixel(pixel: Option<IVec2>) {
        /// True if there is such a pixel.
        found: bool = pixel.is_some();
        /// Its x; 0 if there is none.
        x: i32 = pixel.unwrap_or_default().x;
        /// Its y; 0 if there is none.
        y: i32 = pixel.unwrap_or_default().y;
    }
}

/// All directions with their names, by their numbers.
const DIRS: [(Dir, &str); 4] =
    [(Dir::Left, "left"), (Dir::Right, "right"), (Dir::Up, "up"), (Dir::Down, "down")];

impl From<Dir> for bitwall::Dir {
    #[inline]
    fn from(dir: Dir) -> Self {
        Self::ALL[dir as usize]
    }
}

impl From<Side> for Option<bitwall::Dir> {
    fn from(side: Side) -> Self {
        (side as usize).checked_sub(1).map(|at| bitwall::Dir::ALL[at])
    }
}
