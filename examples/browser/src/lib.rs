//! The playground's module: a level from files that the page has, and all that the page asks of it.
//!
//! [`LevelFiles`] holds the files that the page fetched or a person dropped. [`Playground`] is the level made
//! from them: its picture, the reasons that its cells are solid, sweeps, edits, outlines, ways and
//! suggestions, and a hero who walks in it. The page draws and listens; it decides nothing about a level. The
//! linter is the module beside this one.
//!
//! All positions are whole pixels of the level, x to the right and y down. A level that its map shows slanted
//! is loaded in pixels of the screen, so the page never projects a point.

mod answers;
mod files;
mod hero;
mod level;

pub use answers::{Picture, Proposal, Swept};
pub use files::LevelFiles;
pub use hero::FeelOfHero;
pub use level::{Playground, View};
