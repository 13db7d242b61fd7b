//! The tests of `bitwall verify` and its linter, from outside the crate.

mod baseline;
mod causes;
mod changes;
#[cfg(unix)]
mod ci;
mod classes;
mod commands;
mod diff;
mod diff_fooled;
mod fix_looks;
mod fixes;
mod formats;
mod goes_on;
mod harmless;
mod keys;
mod map_rules;
mod obstacles;
#[cfg(unix)]
mod pages;
mod planted_levels;
mod planted_maps;
mod planted_masks;
mod pull_request;
mod reach;
#[cfg(unix)]
mod release;
mod revision_settings;
mod revisions;
mod rules;
mod schema;
mod scope;
#[allow(dead_code, unused_imports, reason = "other tests use the rest")]
#[path = "../commands/shared.rs"]
mod shared;
#[path = "../../../tests/support/mod.rs"]
mod support;
#[cfg(unix)]
mod traps;

/// The folder in which the program runs: the folder of the package, which contains the fixtures.
const HOME: &str = env!("CARGO_MANIFEST_DIR");
