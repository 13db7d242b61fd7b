//! The tests of `bitwall verify`, from outside the crate.

mod diff;
mod planted_levels;
mod planted_maps;
mod rules;
mod scope;
#[allow(dead_code, unused_imports, reason = "other tests use the rest")]
#[path = "../it/shared.rs"]
mod shared;
#[allow(unused_imports, reason = "other tests use the rest")]
#[path = "../support/mod.rs"]
mod support;
