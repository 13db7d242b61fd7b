//! The module of the playground: a level made from files that the page has, and everything that the page
//! needs to know about it.
//!
//! [`LevelFiles`] contains the files that the page fetched or a person dropped. [`Playground`] is the level
//! made from them: its picture, the reasons for its solid cells, sweeps, edits, outlines and paths, and a hero
//! who walks in it. The page only draws and passes on input, and decides nothing about a level. The linter
//! and its suggestions are a separate module.
//!
//! All positions are whole pixels of the level, with x to the right and y down. A level whose map is drawn
//! slanted is loaded in pixels of the screen, so the page never has to project a point.

mod answers;
mod edits;
mod files;
mod hero;
mod level;
mod reach;
mod view;

pub use answers::{Picture, Swept};
pub use files::LevelFiles;
pub use hero::FeelOfHero;
pub use level::{Playground, View};
