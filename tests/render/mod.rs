//! Tests of the pictures of levels.

mod art;
mod drawings;
mod golden;
mod pictures;
mod recipes;
mod reference;
mod regions;
mod scene;
mod sheet;
mod staggered;
