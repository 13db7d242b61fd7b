//! Tests of [`bitwall::navigate`]: paths, fields and the nearest free positions are compared with plain
//! searches over the same positions.

mod areas;
mod coverage;
mod doors;
mod fields;
mod finished;
mod grounds;
mod jumps;
mod paths;
mod plain;
mod reachable;
mod refuge;
mod rules;
