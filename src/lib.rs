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
//! assert_eq!(fall.contact.expect("the ground").normal, glam::IVec2::NEG_Y);
//! # Ok::<(), bitwall::LoadError>(())
//! ```
//!
//! Most games step a [`Mover`]: it slides, climbs steps and slopes, slips past corners, and keeps parts of a
//! pixel for the next step. It moves among [`Solids`]: a level, or a game's own choice of walls.
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
//! assert_eq!(player.subpixel.x, 45_875, "0.7 pixels, in 65,536ths, are still due");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Guarantees
//! * **Space** is pixels: x to the right, y down, the level's top-left corner at (0, 0). Positions are whole
//!   pixels ([`glam::IVec2`]).
//! * **Boxes** ([`Aabb`]) are half-open: they cover `min <= p < max`. Touching is not overlapping.
//! * **Movement** ([`Terrain::can_move`], [`Terrain::sweep`]) is decided by the whole strip that the box's
//!   leading edge sweeps, so a wall of one pixel is never skipped, however long the step. No float and no
//!   tolerance enters an answer; the same question has the same answer on every platform and thread.
//! * **Cells** are tiles, of any width and height, or pixels; one [`Grid`] serves both, and a map answers
//!   like the mask drawn from it. Bit 1 is solid.
//! * **Outside** the level is solid; [`Level::with_outside`] can open each side.
//! * **Files** give a level or a [`LoadError`] that names the file, the place and the cause. No file makes
//!   the library panic, hang, or take memory beyond its [`Limits`].
//!
//! # The modules, in the order in which they build on each other
//! `geometry` (boxes, directions) <- [`shapes`] (circles, triangles, sectors, without a level) <- `grid` (the
//! bits) <- [`Terrain`] (the bits in pixels, and the kernel that sweeps them) <- [`Footprint`] (a body that
//! is not a box) <- [`Level`] (a terrain with named areas and places) and its loaders <- [`Mover`] (one body
//! that moves well) <- [`world`] (many) <- [`render`] (a level as a picture) <- [`verify`] (the faults of a
//! file) <- the command line. Only the loaders read files, and only the command line prints. From the sweep
//! to the world only one thing can fail: a step by a float that is not finite, or not below 2^31 pixels.
//!
//! # The systems of five tutorials, and their tests
//! bitwall grew out of five tutorials. Each of their systems has a test in `tests/motion` (`…` stands for the
//! rest of its name) or an example. A tutorial's method that is at fault fails its test.
//!
//! | | system | test or example |
//! |---|---|---|
//! | S1 | two rectangles, and their overlap | `s1_the_overlap_rectangle_…`, `s1_touching_…` |
//! | S2 | circle against circle | `s2_circles_one_unit_apart_…` |
//! | S3 | rectangle against circle | `s3_clamping_the_center_is_enough_and_exact` |
//! | S4 | a tower's range against a square | `s4_a_circle_near_the_corner_…`; `examples/tower_range.rs` |
//! | S5 | a tile map, walked in pixels | `s5_a_tile_may_be_solid_in_part`; `examples/platformer.rs` |
//! | S6 | side-view ledges at any place | `s6_ledges_at_any_place_are_met_without_a_walk_over_their_list` |
//! | S7 | moving platforms | `s7_a_platform_that_only_moves_itself_leaves_its_rider_behind` |
//! | S8 | black and white mask | `s8_a_wall_thinner_…`, `s8_left_is_…`; `examples/walk_a_mask.rs` |
//! | S9 | slopes, isometric maps | `s9_slopes_are_walked_and_isometric_maps_are_entered`; `platformer.rs` |
//! | S10 | a sprite's own pixels | `s10_a_sprite_meets_the_map_with_its_own_pixels` |
//! | S11 | an animated walker | `s11_a_walker_stays_inside_the_picture`; `examples/top_down.rs`, `play.rs` |
//! | S12 | triangle against rectangle | `s12_the_third_…`, `s12_a_shape_…`, `s12_the_top_…` |
//! | S13 | segment against segment | `s13_two_…`, `s13_segments_…`, `s13_nearly_…` |
//! | S14 | square and wall | `s14_a_square_stops_at_the_wall_and_none_is_too_fast` |
//! | S15 | strict or touching | `s15_whether_touching_counts_is_the_callers_choice_in_every_test` |
//! | S16 | fixed frame rate, keyboard, drawing | `s16_a_fixed_step_…`; `examples/play.rs` |
//! | S17 | bounding rectangle, point in it | `s17_a_body_has_a_bounding_rectangle_…` |
//! | S18 | falling blocks that stack | `s18_blocks_stack_come_to_rest_…`, `s18_the_tutorials_stack_…` |
//! | S19 | many bodies, each pair once | `s19_each_pair_is_found_once_and_never_a_body_with_itself` |
//! | S20 | elastic balls | `s20_energy_…`, `s20_the_order_…`; `examples/bouncing_balls.rs` |
//! | S21 | separating axes, sectors | `s21_convex_…`, `s21_a_sector_…`, `s21_the_push_out_…` |
//!
//! # Features
//! * `cli` (default): the program `bitwall`. Turn it off (`default-features = false`) in a game.
//! * `serde` (off): `Serialize` and `Deserialize` for every type that is plain data: a [`Level`] with its
//!   [`Grid`], a [`Mover`], a [`World`](world::World) with the names of its bodies, Tiled's documents, options,
//!   facts and findings. Errors and types that borrow are left out. A world that was saved and loaded goes on
//!   bit for bit.
//!
//! The form of a saved value is stable. A struct has its public fields by their names, and a variant its name
//! in snake case (`"left"`, `{"bounce": {"restitution": 70}}`). A grid has its `width`, its `height` and as
//! `cells` its `rows`: from the top, each in whole bytes, the first cell in the lowest bit, and in text two
//! hexadecimal digits for a byte. (A sparse grid has `blocks`.) An option that a file lacks has its default;
//! any other field must be there, unless it may be `null`, and an unknown one is refused. Every value is
//! checked when it is read: a hostile file gives an error, or a value that can be used like any other. Values
//! inside values are read 64 deep. A path that is not UTF-8 cannot be written. `serde_json` changes the last
//! digit of some `f64` unless its feature `float_roundtrip` is on; no state of a mover or world is a float.
//!
//! `bitvec` (1), `glam` (0.33) and `image` (0.25) appear in signatures and are re-exported.

#![forbid(unsafe_code)]
// The parts share private items. Only a build with every part shows which of them nobody uses.
#![cfg_attr(not(feature = "verify"), allow(unused, unreachable_code))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(feature = "tmx")]
mod build;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "_load")]
mod error;
pub mod footprint;
pub mod geometry;
pub mod grid;
pub mod level;
#[cfg(feature = "_load")]
mod limits;
#[cfg(feature = "_load")]
pub mod load;
#[cfg(feature = "_load")]
pub mod mask;
pub mod mover;
#[cfg(feature = "_load")]
mod options;
#[cfg(feature = "_load")]
mod paths;
pub mod property;
#[cfg(feature = "tmx")]
mod raster;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "_load")]
pub mod rules;
pub mod shapes;
pub mod sweep;
pub mod text;
#[cfg(feature = "tmx")]
pub mod tmx;
#[cfg(feature = "verify")]
pub mod verify;
pub mod world;

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
pub use sweep::{Contact, Sweep, Terrain};

/// The README's examples, which must compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
