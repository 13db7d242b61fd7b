//! The tests of loaders and pictures, from outside the crate.

mod as_shown;
mod contract;
mod conventions;
mod corpus;
mod encodings;
mod far;
#[cfg(unix)]
mod files;
mod forms;
mod golden;
mod hash;
mod lattice;
mod limits;
mod loading;
mod pixels;
#[cfg(unix)]
mod races;
mod reference;
mod regions;
mod render;
mod root;
mod same_answer;
mod saved;
mod shapes;
mod sheet;

#[path = "../support/mod.rs"]
mod support;
mod thin_walls;
mod tidy;
mod worlds;
