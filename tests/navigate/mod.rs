//! Ways: paths, fields and the nearest free position, beside plain searches over the same positions.

mod doors;
mod fields;
mod grounds;
mod paths;
mod plain;
mod rules;
