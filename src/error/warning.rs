//! What looked wrong in a map while it was loaded, and was passed over.

use crate::error::{LoadErrorKind, Place};
use crate::text::printable;

/// Something in a map that looks wrong, but did not keep it from being loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadWarning {
    /// What kind of thing it is.
    pub cause: WarningCause,
    /// The map of a world in which it is, as the world names it; `None` for the level's own file.
    pub file: Option<String>,
    /// Where in the map, or where first.
    pub place: Place,
    /// What is wrong, in plain words.
    pub headline: String,
    /// More of it, if there is more to say.
    pub detail: Option<String>,
    /// One thing to do about it.
    pub help: &'static str,
    /// How often.
    pub count: u64,
}

/// Why there is a [`LoadWarning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WarningCause {
    /// A fault was passed over, because [`super::LoadOptions::lenient`] said so.
    Fault,
    /// A property that decides what is solid is a text that says `true` or `false`, not a bool.
    TextFlag,
    /// A layer that is solid shows a picture, of which nothing can be solid.
    SolidPicture,
}

impl LoadWarning {
    /// A fault that was passed over `count` times.
    pub(crate) fn fault(place: Place, kind: &LoadErrorKind, count: u64) -> Self {
        let (headline, detail) = match kind {
            LoadErrorKind::UnknownTile { gid, reason } => {
                (format!("tile {gid} does not exist"), Some(reason.clone()))
            }
            other => (other.to_string(), None),
        };
        Self {
            cause: WarningCause::Fault,
            file: None,
            place,
            headline,
            detail,
            help: kind.help(),
            count,
        }
    }

    /// The text `property` counted as a flag.
    pub(crate) fn text_flag(place: Place, property: &str) -> Self {
        Self {
            cause: WarningCause::TextFlag,
            file: None,
            place,
            headline: format!(
                "the property `{}` is a text, not a bool",
                printable(property)
            ),
            detail: None,
            help: "remove the property in Tiled and add it again as a bool",
            count: 1,
        }
    }

    /// A layer that is solid shows a picture.
    pub(crate) fn solid_picture(place: Place) -> Self {
        Self {
            cause: WarningCause::SolidPicture,
            file: None,
            place,
            headline: "an image layer is solid, but nothing of a picture can be".to_owned(),
            detail: None,
            help: "draw its walls as a mask, as tiles or as objects",
            count: 1,
        }
    }
}
