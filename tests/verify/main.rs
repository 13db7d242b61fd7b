//! The tests of `bitwall verify`, from outside the crate.

mod baseline;
#[cfg(unix)]
mod ci;
mod commands;
mod diff;
mod fixes;
mod formats;
mod planted_levels;
mod planted_maps;
mod planted_masks;
mod reach;
mod rules;
mod schema;
mod scope;
#[allow(dead_code, unused_imports, reason = "other tests use the rest")]
#[path = "../it/shared.rs"]
mod shared;
#[path = "../support/mod.rs"]
mod support;
