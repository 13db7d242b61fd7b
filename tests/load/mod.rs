//! Files to levels: what of them is solid, what may be read, and what is refused.

mod baked;
mod conventions;
mod corpus;
#[cfg(unix)]
mod files;
mod into_pixels;
mod ldtk;
mod limits;
mod name_rules;
#[cfg(unix)]
mod races;
mod root;
mod solids;
