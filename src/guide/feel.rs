//! The feel of a character.
