//! The serialized form of values that are saved with the feature `serde`.
//!
//! A game can save its state: a [`Level`](crate::Level) with its [`Grid`](crate::Grid), a
//! [`Mover`](crate::Mover) and a character with their settings, and a [`World`](crate::world::World) with the
//! ids of its bodies. Answers (sweeps, rays, overlaps of shapes), documents, options and errors cannot be
//! saved. A world that was saved and loaded takes exactly the same steps as the original world.
//!
//! The form of a saved value is stable. A struct is saved as its public fields by name. A variant is saved as
//! its name in snake case (`"left"`, `{"bounce": {"restitution": 70}}`). A grid has the fields `width`,
//! `height` and `cells`. The field `cells` of a dense grid has `rows` from the top; `cells` of a sparse grid
//! has `blocks`. A row takes whole bytes, with its first cell in the lowest bit. A text format writes two
//! hexadecimal digits per byte.
//!
//! An option that is missing in a file has its default. Any other field must be in the file, unless it may be
//! `null`. An unknown field is refused. Every value is checked when it is read: a hostile file gives an
//! error, or a value that can be used like any other value. Nested values are read to a depth of 64. A path
//! that is not UTF-8 cannot be written. `serde_json` changes the last digit of some `f64` values unless its
//! feature `float_roundtrip` is on; no state of a mover or world is a float.
