//! The tests of `bitwall verify`, from outside the crate.

mod baseline;
#[cfg(unix)]
mod ci;
mod commands;
mod diff;
mod fix_looks;
mod fixed_formats;
mod fixes;
mod formats;
mod obstacles;
mod planted_levels;
mod planted_maps;
mod planted_masks;
mod reach;
mod revision_settings;
mod revisions;
mod rules;
mod schema;
mod scope;
#[allow(dead_code, unused_imports, reason = "other tests use the rest")]
#[path = "../it/shared.rs"]
mod shared;
#[path = "../support/mod.rs"]
mod support;
#[cfg(unix)]
mod traps;
mod weakened;
