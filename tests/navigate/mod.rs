//! Tests of [`bitwall::navigate`]: paths, fields and the nearest free position are compared with plain
//! searches over the same positions.

mod doors;
mod fields;
mod grounds;
mod jumps;
mod paths;
mod plain;
mod rules;
