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
//! let spawn = level.marker("player").expect("the map has a spawn").area.min;
//! let player = Aabb::from_xywh(spawn.x - 6, spawn.y - 12, 12, 20);
//! assert!(!level.any_solid(player));
//!
//! // May it move? How far, and what stops it?
//! assert!(level.can_move(player, Dir::Right, 4));
//! let fall = level.sweep(player, Dir::Down, 1_000);
//! assert_eq!(fall.moved, 0, "it stands on the ground");
//! assert_eq!(fall.contact.expect("the ground").normal, glam::IVec2::NEG_Y);
//! # Ok::<(), bitwall::LoadError>(())
//! ```
//!
//! A game rather steps a [`Mover`]: it slides, climbs steps and slopes, goes round corners, and keeps the
//! parts of a pixel that it has not gone yet.
//!
//! ```
//! use bitwall::{Aabb, Level, Mover, MoverSettings, glam::Vec2};
//!
//! let level = Level::load("assets/cave.tmx")?;
//! let spawn = level.marker("player").expect("the map has a spawn").area.min;
//! let body = Aabb::from_xywh(spawn.x - 6, spawn.y - 12, 12, 20);
//! let mut player = Mover::new(body, MoverSettings::platformer());
//!
//! let step = player.step(&level, Vec2::new(1.7, 0.5))?;
//! assert!(step.grounded);
//! assert_eq!(player.subpixel.x, 45_875, "0.7 pixels, in 65,536ths, are still due");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What to rely on
//! * **Space** is pixels: x to the right, y down, the level's top-left corner at (0, 0). Positions are whole
//!   pixels ([`glam::IVec2`]).
//! * **Boxes** ([`Aabb`]) are half-open: they cover `min <= p < max`. Touching is not overlapping.
//! * **Movement** ([`Level::can_move`], [`Level::sweep`]) is judged by the whole strip that the box's leading
//!   edge sweeps, so a wall of one pixel is never skipped, however long the step. No float and no tolerance
//!   enters an answer; the same question has the same answer on every platform and thread.
//! * **Cells** are tiles, of any width and height, or pixels; one [`Grid`] serves both, and a map answers
//!   like the mask drawn from it. Bit 1 is solid.
//! * **Outside** the level is solid, unless [`Level::with_outside`] says otherwise, side by side.
//! * **Files** give a level or a [`LoadError`] that names the file, the place and the cause. No file makes
//!   the library panic, hang, or take memory beyond its [`Limits`].
//!
//! # The modules, in the order in which they build on each other
//! `geometry` (boxes, directions) <- [`shapes`] (circles, triangles, sectors, without a level) <- `grid` (the
//! bits) <- `sweep` (the kernel) <- [`Footprint`] (a body that is no box) <- [`Level`] and its loaders <-
//! [`Mover`] (one body that moves well) <- [`world`] (many) <- [`render`] (a level as a picture) <-
//! [`verify`] (what is wrong with a file) <- the command line. `geometry`, `shapes`, `grid`, `sweep`, the
//! mover and the world do no IO and cannot fail; only the loaders read files; only the command line prints.
//!
//! # Features
//! * `cli` (default): the program `bitwall`. Turn it off (`default-features = false`) in a game.
//!
//! `glam` (0.33) and `image` (0.25) appear in signatures and are re-exported.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod footprint;
mod geometry;
mod grid;
mod level;
mod mover;
pub mod render;
pub mod shapes;
mod sweep;
mod text;
pub mod verify;
pub mod world;

pub use footprint::{Footprint, FootprintError, MAX_FOOTPRINT_SIDE};
pub use geometry::{
    Aabb, Axis, Corners, Dir, MAX_CELL_SIZE, Outside, ParseDirError, SUBPIXELS, Sides,
    TranslationError, to_subpixels,
};
pub use glam;
pub use grid::{Grid, GridError, MAX_CELLS};
pub use image;
pub use level::{
    AreaRule, LayerKind, LayerSource, Level, Limits, LoadError, LoadErrorKind, LoadOptions,
    LoadWarning, MapSource, Marker, MaskCounts, MaskPlane, MaskRule, MaskSource, Orientation,
    ParseMaskPlaneError, ParseMaskRuleError, ParsePropertyIsError, Place, PlacedTile, Projection,
    Properties, Property, PropertyIs, Provenance, SolidCount, SolidRules, Source, Space,
    StaggerAxis, StaggerIndex, TileIds, TileMap, WarningCause, WorldPart, WorldSource,
    decode_picture, load_picture,
};
pub use mover::{MAX_BOUNCES, Move, Mover, MoverSettings, Path, Response};
pub use sweep::{Contact, NearestSolid, RayHit, Sweep};
pub use text::{Printable, printable};

/// The README's example, so that it compiles and says what it prints.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
