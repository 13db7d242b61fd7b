//! Loading files as levels: the solids that they define, the files that may be read, and the files that are
//! refused.

mod baked;
mod conventions;
mod corpus;
#[cfg(unix)]
mod files;
mod into_pixels;
mod ldtk;
mod limits;
mod name_rules;
mod refusals;
#[cfg(unix)]
mod root;
mod solids;
