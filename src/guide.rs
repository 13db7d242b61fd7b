//! Pages about topics beyond a single type. This module contains no code.
//!
//! * [`start`]: from a map to a walking hero in ten minutes.
//! * [`how`]: how bitwall works, in pictures.
//! * [`levels`]: what is solid in a Tiled map or a mask; levels from bytes. [`masks`] is for artists.
//! * [`floors`]: slopes, one-way floors and lifts. [`feel`]: what module [`character`](crate::character)
//!   adds.
//! * [`recipes`]: thirty mechanics, each in a few lines: dash, spring, patrol, bullet, rewind and others.
//! * [`engine`]: the loop of a game, coordinates of engines, saves and rollback. [`saved`]: what a save is
//!   made of.
//! * [`ways`]: shortest ways. [`shapes`]: the solids for physics engines, light and drawing.
//! * [`features`]: features and platforms.
//! * [`tutorials`]: each system of five tutorials, with its test. [`scenarios`]: known pains of other
//!   libraries, each with the test that plays it.
//! * [`source`]: a pathway through the source.
//!
// A Markdown page ends with the definitions of its pictures, as paths in the repository. The attributes here
// define the same pictures first, with the data of each picture: Markdown uses the first definition of a
// name.

#[doc = include_str!("guide/engine.md")]
pub mod engine {}
#[doc = include_str!("guide/features.md")]
pub mod features {}
pub mod feel;
#[cfg_attr(doc, doc = concat!("[slopes]: data:image/png;base64,", include_str!("guide/slopes.base64")))]
#[doc = include_str!("guide/floors.md")]
pub mod floors {}
#[cfg_attr(
    doc,
    doc = concat!(
        "[slopes]: data:image/png;base64,", include_str!("guide/slopes.base64"), "\n",
        "[strip]: data:image/png;base64,", include_str!("guide/strip.base64"), "\n",
        "[grown]: data:image/png;base64,", include_str!("guide/grown.base64"), "\n",
    )
)]
#[doc = include_str!("guide/how.md")]
pub mod how {}
#[doc = include_str!("guide/levels.md")]
pub mod levels {}
#[cfg_attr(doc, doc = concat!("[mask]: data:image/png;base64,", include_str!("guide/mask.base64")))]
#[doc = include_str!("guide/masks.md")]
pub mod masks {}
#[cfg_attr(
    doc,
    doc = concat!(
        "[recipe-jumps]: data:image/png;base64,", include_str!("guide/recipe-jumps.base64"), "\n",
        "[recipe-circle]: data:image/png;base64,", include_str!("guide/recipe-circle.base64"), "\n",
        "[recipe-corner]: data:image/png;base64,", include_str!("guide/recipe-corner.base64"), "\n",
        "[recipe-bridge]: data:image/png;base64,", include_str!("guide/recipe-bridge.base64"), "\n",
        "[recipe-car]: data:image/png;base64,", include_str!("guide/recipe-car.base64"), "\n",
        "[recipe-view]: data:image/png;base64,", include_str!("guide/recipe-view.base64"), "\n",
    )
)]
#[doc = include_str!("guide/recipes.md")]
pub mod recipes {}
pub mod saved;
pub mod scenarios;
#[doc = include_str!("guide/shapes.md")]
pub mod shapes {}
#[doc = include_str!("guide/source.md")]
pub mod source {}
#[cfg_attr(doc, doc = concat!("[hills]: data:image/png;base64,", include_str!("guide/hills.base64")))]
#[doc = include_str!("guide/start.md")]
pub mod start {}
pub mod tutorials;
#[cfg_attr(
    doc,
    doc = concat!(
        "[crowd]: data:image/png;base64,", include_str!("guide/crowd.base64"), "
",
        "[doors]: data:image/png;base64,", include_str!("guide/doors.base64"), "
",
    )
)]
#[doc = include_str!("guide/ways.md")]
pub mod ways {}
