//! Warnings of a load: suspicious parts of a map that did not keep it from being loaded.

use std::borrow::Cow;
use std::fmt;

#[cfg(feature = "tmx")]
use crate::error::LoadErrorKind;
use crate::error::Place;
use crate::text::printable;

/// A suspicious part of a map that did not keep it from being loaded.
///
/// `Display` writes one line, as that of a [`LoadError`](crate::LoadError) without the path of the level: the
/// map of a world, the place in it, the fault, and one thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadWarning {
    /// The reason for the warning.
    pub cause: WarningCause,
    /// The map of a world in which it was found, as the world names it; `None` for the level's own file.
    pub file: Option<String>,
    /// The place in the map; the first one, if there are several.
    pub place: Place,
    /// The fault, in plain words.
    pub headline: String,
    /// Further facts, if there are any.
    pub detail: Option<String>,
    /// One thing to do about it.
    pub help: Cow<'static, str>,
    /// The number of occurrences.
    pub count: u64,
}

/// The reason for a [`LoadWarning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningCause {
    /// A fault was passed over because of [`crate::LoadOptions::lenient`].
    Fault,
    /// A property that the solid rules ask for is a text, such as `true` or `1`, not a bool.
    TextFlag,
    /// An image layer is marked solid, but a picture adds no solid cells.
    SolidPicture,
    /// A layer is marked solid, but it is empty; only of a level in which nothing else is solid.
    EmptyLayer,
    /// A named area has nothing in it. The levels of a project share one `bitwall.toml`, and some may have
    /// nothing of an area; so `verify` has no rule for it.
    EmptyArea,
}

impl LoadWarning {
    /// A fault that was passed over `count` times.
    #[cfg(feature = "tmx")]
    pub(crate) fn fault(place: Place, kind: &LoadErrorKind, count: u64) -> Self {
        let (headline, detail) = match kind {
            LoadErrorKind::UnknownTile { gid, reason } => {
                (format!("tile {gid} does not exist"), Some(printable(reason).to_string()))
            }
            other => (other.to_string(), None),
        };
        Self {
            cause: WarningCause::Fault,
            file: None,
            place,
            headline,
            detail,
            help: kind.help().into(),
            count,
        }
    }

    /// A warning that the text `property` counted as a flag.
    #[cfg(feature = "tmx")]
    pub(crate) fn text_flag(place: Place, property: &str) -> Self {
        Self {
            cause: WarningCause::TextFlag,
            file: None,
            place,
            headline: format!("the property `{}` is a text, not a bool", printable(property)),
            detail: None,
            help: "remove the property in Tiled and add it again as a bool".into(),
            count: 1,
        }
    }

    /// A warning that an image layer is marked solid.
    #[cfg(feature = "tmx")]
    pub(crate) fn solid_picture(place: Place) -> Self {
        Self {
            cause: WarningCause::SolidPicture,
            file: None,
            place,
            headline: "an image layer is solid, but nothing of a picture can be".to_owned(),
            detail: None,
            help: "draw its walls as a mask, as tiles or as objects".into(),
            count: 1,
        }
    }

    /// A warning that a layer is solid for the reason `because`, but empty.
    #[cfg(feature = "tmx")]
    pub(crate) fn empty_layer(place: Place, because: &str) -> Self {
        Self {
            cause: WarningCause::EmptyLayer,
            file: None,
            place,
            headline: format!("the layer is solid by {}, but it is empty", printable(because)),
            detail: None,
            help: "draw its walls, or say in the options what else is solid".into(),
            count: 1,
        }
    }

    /// A warning that nothing is in the area `name`, for this reason.
    #[cfg(any(feature = "tmx", feature = "mask"))]
    pub(crate) fn empty_area(name: &str, reason: String, help: &'static str) -> Self {
        Self {
            cause: WarningCause::EmptyArea,
            file: None,
            place: Place::default(),
            headline: format!("the area `{}` has nothing in it", printable(name)),
            detail: Some(reason),
            help: help.into(),
            count: 1,
        }
    }
}

impl fmt::Display for LoadWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "`{}`: ", printable(file))?;
        }
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.headline)?;
        if let Some(detail) = &self.detail {
            write!(f, ": {detail}")?;
        }
        if self.count != 1 {
            write!(f, " ({} times)", self.count)?;
        }
        write!(f, "; {}", self.help)
    }
}
