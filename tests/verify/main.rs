//! The tests of `bitwall verify`, from outside the crate.

mod planted_maps;
mod reach;
mod rules;
mod scope;
#[allow(dead_code, unused_imports, reason = "other tests use the rest")]
#[path = "../it/shared.rs"]
mod shared;
#[allow(dead_code, unused_imports, reason = "other tests use the rest")]
#[path = "../support/mod.rs"]
mod support;
