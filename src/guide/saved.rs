//! The form of a value that was saved with feature `serde`.
//!
//! A game can save its state: a [`Level`](crate::Level) with its [`Grid`](crate::Grid), a
//! [`Mover`](crate::Mover) and a character with their settings, a [`World`](crate::world::World) with the
//! names of its bodies. Answers (sweeps, rays, overlaps of shapes), documents, options and errors are left
//! out. A world that was saved and loaded goes on bit for bit.
//!
//! The form of a saved value is stable. A struct has its public fields by their names, and a variant its name
//! in snake case (`"left"`, `{"bounce": {"restitution": 70}}`). A grid has its `width`, its `height` and as
//! `cells` its `rows`: from the top, each in whole bytes, the first cell in the lowest bit, and in text two
//! hexadecimal digits for a byte. (A sparse grid has `blocks`.) An option that a file lacks has its default;
//! any other field must be there, unless it may be `null`, and an unknown one is refused. Every value is
//! checked when it is read: a hostile file gives an error, or a value that can be used like any other. Values
//! inside values are read 64 deep. A path that is not UTF-8 cannot be written. `serde_json` changes the last
//! digit of some `f64` unless its feature `float_roundtrip` is on; no state of a mover or world is a float.
