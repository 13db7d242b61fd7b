//! Documentation pages about topics beyond a single type. This module contains no code.

#[doc = include_str!("guide/engine.md")]
pub mod engine {}
#[doc = include_str!("guide/features.md")]
pub mod features {}
pub mod feel;
#[doc = include_str!("guide/levels.md")]
pub mod levels {}
#[doc = include_str!("guide/masks.md")]
pub mod masks {}
pub mod saved;
pub mod scenarios;
#[doc = include_str!("guide/shapes.md")]
pub mod shapes {}
#[doc = include_str!("guide/source.md")]
pub mod source {}
pub mod tutorials;
#[doc = include_str!("guide/ways.md")]
pub mod ways {}
