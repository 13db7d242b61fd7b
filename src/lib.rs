//! Walls as bits: level collision for 2D games.
//!
//! bitwall turns a level that an artist drew (a Tiled map, or a black and white mask picture) into a
//! bit-packed grid, and answers, exactly and in nanoseconds, whether a character's box may move.
//!
//! ```
//! use bitwall::{Aabb, Dir, Level};
//!
//! // A Tiled map or a mask: told apart by content, collision found by the names real maps use.
//! let level = Level::load("assets/cave.tmx")?;
//!
//! // The map's maker placed a point object called `player`; stand a box of 12 x 20 pixels on it.
//! let spawn = level.marker("player").expect("the map has a spawn").position();
//! let player = Aabb::from_xywh(spawn.x - 6, spawn.y - 12, 12, 20);
//! assert!(!level.overlaps(player));
//!
//! // May it move? How far, and which cell stops it?
//! assert!(level.can_move(player, Dir::Right, 4));
//! let fall = level.sweep(player, Dir::Down, 1_000);
//! assert_eq!(fall.moved, 0, "it stands on the ground");
//! assert_eq!(fall.contact.expect("the ground").normal, bitwall::glam::IVec2::NEG_Y);
//! # Ok::<(), bitwall::LoadError>(())
//! ```
//!
//! Most games step a [`Mover`]: it slides, climbs steps and slopes, slips past corners, and keeps fractions
//! of a pixel for the next step. A mover moves among [`Solids`]: a level, or a type of the game's own.
//!
//! ```
//! use bitwall::{Aabb, Level, Mover, MoverSettings, glam::Vec2};
//!
//! let level = Level::load("assets/cave.tmx")?;
//! let spawn = level.marker("player").expect("the map has a spawn").position();
//! let body = Aabb::from_xywh(spawn.x - 6, spawn.y - 12, 12, 20);
//! let mut player = Mover::new(body, MoverSettings::platformer());
//!
//! let step = player.step(&level, Vec2::new(1.7, 0.5))?;
//! assert!(step.grounded);
//! let moved = player.position().x - f64::from(body.min.x);
//! assert!((moved - 1.7).abs() < 0.001, "the place to draw keeps parts of a pixel");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
//! # The modules, in the order of their dependencies
//! [`geometry`] (boxes, directions) <- [`shapes`] (circles, triangles, without a level) <- [`grid`] (the
//! bits) <- [`Terrain`] (a grid with a cell size in pixels, and the queries of motion) <- [`outline`] (the
//! solids as shapes for engines) <- [`Footprint`] (a body that is not a box) <- [`Level`] (a terrain with
//! named areas and markers) and its loaders <- [`Mover`] (one body with slides, steps and slopes) <-
//! [`character`] (jumps, ladders, water) <- [`world`] (many bodies) <- [`navigate`] (shortest ways) <-
//! [`analyze`] (connected parts, reachable goals, differences) <- `render` (a level as a picture). [`engine`]
//! (game loops, coordinates of engines) is used by no other module. Only the loaders read files, and nothing
//! prints.
//!
//! Queries cannot fail. A step fails if a float of its translation is not finite, or not below 2^31 pixels.
//! Making a grid, a terrain or a footprint fails if the result would be too large, or if an argument is
//! invalid.
//!
//! # Features
//! [`guide::start`] makes a game with a hero and a window in ten minutes, [`guide::how`] shows how bitwall
//! works, and [`guide::floors`] slopes, one-way floors and lifts. The defaults load every Tiled map and masks
//! in PNG; [`guide::features`] lists all features, and the platforms. [`guide::tutorials`] lists the systems
//! of five tutorials, each with its test, and [`guide::scenarios`] the cases and complaints of other
//! libraries. [`guide::feel`] shows the additions of module [`character`]. [`guide::engine`] connects a level
//! with a game loop and with an engine's coordinates. [`guide::ways`] is about path finding.
//! [`guide::shapes`] turns solids into shapes for physics engines and lights. The linter of levels and the
//! program `bitwall` are the package `bitwall-cli`.
//!
//! `bitvec` (1), `glam` (0.33) and `image` (0.25) appear in signatures and are re-exported. Crate `tiled`
//! must be 0.16, the version whose `tiled::Map` bitwall takes.

#![cfg_attr(not(feature = "baked"), forbid(unsafe_code))]
#![cfg_attr(feature = "baked", deny(unsafe_code))]
#![cfg_attr(docsrs, feature(doc_cfg))]
// A badge names a feature that a game can choose.
#![cfg_attr(docsrs, doc(auto_cfg(hide(feature = "_load"))))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod analyze;
#[cfg(feature = "baked")]
pub mod baked;
pub mod character;
mod checksum;
#[cfg(feature = "tmx")]
mod convert;
pub mod engine;
#[cfg(feature = "_load")]
mod error;
pub mod footprint;
pub mod geometry;
pub mod grid;
pub mod guide;
pub mod level;
#[cfg(feature = "_load")]
mod limits;
#[cfg(feature = "_load")]
pub mod load;
#[cfg(feature = "_load")]
pub mod mask;
pub mod mover;
pub mod navigate;
#[cfg(feature = "_load")]
mod options;
pub mod outline;
#[cfg(feature = "_load")]
mod paths;
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
#[cfg(feature = "_load")]
pub use error::LoadError;
pub use footprint::Footprint;
pub use geometry::{Aabb, Axis, Dir, Outside, Sides};
pub use glam;
pub use grid::Grid;
#[cfg(feature = "image")]
pub use image;
pub use level::{Level, Marker, Solids};
#[cfg(feature = "_load")]
pub use limits::Limits;
#[cfg(feature = "_load")]
pub use load::LoadedLevel;
#[cfg(feature = "config")]
pub use load::Project;
pub use mover::{Move, Mover, MoverSettings};
#[cfg(feature = "_load")]
pub use options::LoadOptions;
pub use terrain::{Contact, Sweep, Terrain};

/// The README's examples, which must compile and run.
#[cfg(all(doctest, feature = "render"))]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(all(doctest, feature = "render"))]
#[doc = include_str!("../README.zh-CN.md")]
struct ReadmeInChinese;
