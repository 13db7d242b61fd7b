//! Walls as bits: level collision for 2D games, exact and in nanoseconds.
//!
//! A level that an artist drew, a Tiled map or a black and white mask picture, becomes a grid of bits, which
//! answers whether a character's box may move, and moves characters well.
//!
//! ![A body in a cave, the strip that it sweeps to the right, and the cell that stops it][strip]
//!
//! ```
//! use bitwall::{Aabb, Dir, Level, Mover, MoverSettings, glam::Vec2};
//!
//! let level = Level::load("assets/cave.tmx")?;
//! let spawn = level.marker("player").expect("the map has a spawn").position();
//! let body = Aabb::from_xywh(spawn.x - 6, spawn.y - 12, 12, 20);
//!
//! // The whole strip is tested: no thin wall is skipped.
//! assert!(level.can_move(body, Dir::Right, 4));
//! assert_eq!(level.sweep(body, Dir::Right, 400).moved, 130);
//!
//! // A mover slides, climbs steps and slopes, and keeps subpixels.
//! let mut player = Mover::new(body, MoverSettings::platformer());
//! let step = player.step(&level, Vec2::new(1.7, 0.5))?;
//! assert!(step.grounded);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`guide::start`] makes a game with a hero and a window in ten minutes. [`guide::how`] shows how bitwall
//! works.
//!
//! # The modules, in the order of use
//! * [`load`]: a [`Level`] from a path or from bytes, with [`rules`] for what is solid.
//! * [`level`]: the solids, the named areas and the markers of a level.
//! * [`terrain`]: the questions: [`can_move`](Terrain::can_move), [`sweep`](Terrain::sweep), rays, edits.
//! * [`mover`]: one body that slides, climbs steps and slopes, and keeps fractions of a pixel.
//! * [`character`]: jumps, wall jumps, ledges, ladders and water over a mover.
//! * [`world`]: many bodies that carry, push and meet.
//! * [`navigate`]: shortest ways, also around other bodies and after edits; where a jump leads.
//! * [`footprint`]: bodies that are not boxes.
//! * [`analyze`]: connected parts, the free space of a body, the difference of two levels.
//! * [`outline`]: the solids as shapes for physics engines, light and drawing.
//! * `render`: a level as a picture.
//! * [`engine`]: the loop of a game, and an engine's coordinates.
//! * [`geometry`], [`shapes`], [`grid`]: boxes; circles and polygons without a level; the bits themselves.
//! * [`tmx`], [`mask`], `baked`: the files.
//! * [`guide`]: pages about topics beyond a single type.
//!
//! # Guarantees
//! * **Space** is pixels: x to the right, y down, the level's top-left corner at (0, 0). Positions are whole
//!   pixels ([`glam::IVec2`]).
//! * **Boxes** ([`Aabb`]) are half-open: they cover `min <= p < max`. Touching is not overlapping.
//! * **Movement** ([`Terrain::can_move`], [`Terrain::sweep`]) is decided by all pixels that the box's leading
//!   edge sweeps, so a wall of one pixel is never skipped, however long the step. No float and no tolerance
//!   enters an answer; the same query has the same answer on every platform and thread.
//! * **Cells** are tiles, of any width and height, or pixels; one [`Grid`] serves both, and a map gives the
//!   same answers as a mask picture of it. Bit 1 is solid.
//! * **Outside** the level is solid; [`Level::with_outside`] can open each side.
//! * **Files** give a level or a [`LoadError`] that names the file, the position in it and the reason. No
//!   file makes the library panic, hang, or take memory beyond its [`Limits`].
//!
//! Queries cannot fail. A step fails if a float of its translation is not finite, or not below 2^31 pixels.
//! Making a grid, a terrain or a footprint fails if the result would be too large, or if an argument is
//! invalid.
//!
//! # Features
//! The defaults load every Tiled map and masks in PNG; [`guide::features`] lists all features, and the
//! platforms. The linter of levels and the program `bitwall` are the package `bitwall-cli`.
//!
//! `bitvec` (1), `glam` (0.33) and `image` (0.25) appear in signatures and are re-exported. Crate `tiled`
//! must be 0.16, the version whose `tiled::Map` bitwall takes.
//!
// The picture of the front page. Its definition may follow a paragraph only after an empty line.
#![cfg_attr(doc, doc = concat!("[strip]: data:image/png;base64,", include_str!("guide/strip.base64")))]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// A badge names a feature that a game can choose.
#![cfg_attr(docsrs, doc(auto_cfg(hide(feature = "_load"))))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

// Rustdoc lists the methods of a type in the order of these lines: a level is loaded, then asked.
#[cfg(feature = "_load")]
pub mod load;

pub mod level;

pub mod analyze;
#[cfg(feature = "baked")]
pub mod baked;
pub mod character;
mod checksum;
#[cfg(feature = "tmx")]
pub mod convert;
pub mod engine;
#[cfg(feature = "_load")]
pub mod error;
pub mod footprint;
pub mod geometry;
pub mod grid;
pub mod guide;
#[cfg(feature = "_load")]
mod limits;
#[cfg(feature = "mask")]
pub mod mask;
pub mod mover;
pub mod navigate;
#[cfg(feature = "_load")]
mod options;
pub mod outline;
#[cfg(feature = "_load")]
pub mod paths;
pub mod property;
mod raster;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "_load")]
pub mod rules;
pub mod shapes;
pub mod terrain;
pub mod text;
#[cfg(feature = "tmx")]
pub mod tmx;
pub mod world;

#[cfg(feature = "bitvec")]
pub use bitvec;
pub use glam;
#[cfg(feature = "image")]
pub use image;

#[doc(inline)]
pub use character::Platformer;
#[cfg(feature = "_load")]
#[doc(inline)]
pub use error::LoadError;
#[doc(inline)]
pub use footprint::Footprint;
#[doc(inline)]
pub use geometry::{Aabb, Axis, Dir, Outside, Rate, Sides};
#[doc(inline)]
pub use grid::Grid;
#[doc(inline)]
pub use level::{Level, Marker, Solids};
#[cfg(feature = "_load")]
#[doc(inline)]
pub use limits::Limits;
#[cfg(feature = "_load")]
#[doc(inline)]
pub use load::LoadedLevel;
#[cfg(feature = "config")]
#[doc(inline)]
pub use load::Project;
#[doc(inline)]
pub use mover::{Move, Mover, MoverSettings};
#[doc(inline)]
pub use navigate::Ways;
#[cfg(feature = "_load")]
#[doc(inline)]
pub use options::LoadOptions;
#[doc(inline)]
pub use terrain::{Contact, Sweep, Terrain};
#[doc(inline)]
pub use world::World;

/// The README's examples, which must compile and run.
#[cfg(all(doctest, feature = "render"))]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(all(doctest, feature = "render"))]
#[doc = include_str!("../README.zh-CN.md")]
struct ReadmeInChinese;
