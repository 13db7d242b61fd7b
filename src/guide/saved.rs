//! The form of a value that was saved with feature `serde`.
//!
//! A game can save its state: a [`Level`](crate::Level) with its [`Grid`](crate::Grid), a
//! [`Mover`](crate::Mover) and a character with their settings, a [`World`](crate::world::World) with the
//! names of its bodies. Answers (sweeps, rays, overlaps of shapes), documents, options and errors are left
//! out. A world that was saved and loaded makes the same steps as one that was not, bit for bit.
//!
//! The form of a saved value is stable. A struct has its public fields by their names, and a variant its name
//! in snake case (`"left"`, `{"bounce": {"restitution": 70}}`). A grid has the fields `width`, `height` and
//! `cells`. In `cells`, a dense grid has its `rows` from the top, and a sparse grid its `blocks`. A row takes
//! whole bytes, with its first cell in the lowest bit; a text format has two hexadecimal digits for a byte.
//!
//! An option that a file lacks has its default. Any other field must be in the file, unless it may be `null`.
//! An unknown field is refused. Every value is checked when it is read: a hostile file gives an error, or a
//! value that can be used like any other. Nested values are read to a depth of 64. A path that is not UTF-8
//! cannot be written. `serde_json` changes the last digit of some `f64` unless its feature `float_roundtrip`
//! is on; no state of a mover or world is a float.
