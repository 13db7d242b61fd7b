//! Defines the warnings of a load: suspicious content that did not make the load fail.

use std::borrow::Cow;
use std::fmt;

#[cfg(feature = "tmx")]
use crate::error::LoadErrorKind;
use crate::error::Place;
#[cfg(feature = "ldtk")]
use crate::text::listed;
use crate::text::printable;

/// Suspicious content of a map that did not make the load fail.
///
/// `Display` writes one line: the file name of a map in a world, the place of the fault in the map, the
/// fault, and one remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadWarning {
    /// The kind of fault.
    pub cause: WarningCause,
    /// The name of the faulty map, as written in the world's file. `None` outside a world, or if no single
    /// map is at fault.
    pub file: Option<String>,
    /// The place in the map at which the fault first occurs.
    pub place: Place,
    /// The fault, in plain words.
    pub headline: String,
    /// Further facts about the fault, if any.
    pub detail: Option<String>,
    /// One remedy for the fault.
    pub help: Cow<'static, str>,
    /// The number of times that the fault occurs.
    pub count: u64,
}

/// The kind of fault that a [`LoadWarning`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WarningCause {
    /// The file has a fault that is not an error: it cannot change a solid pixel, or
    /// [`crate::LoadOptions::lenient`] is true.
    Fault,
    /// A property that the solid rules use is a text, such as `true` or `1`, or a number, instead of a bool.
    TextFlag,
    /// An image layer is marked solid, but pictures make no solid cells.
    SolidPicture,
    /// A layer is marked solid, but has no tiles or objects. This is reported only for a level without
    /// solids.
    EmptyLayer,
    /// The solids of the level come from a rule of [`SolidRules::last_resorts`](crate::rules::SolidRules),
    /// because nothing else is solid.
    LastResort,
    /// Levels of an LDtk project were not loaded, because they are in another world or at another depth.
    OtherLevels,
    /// A named area has no cells. This is no error, because levels that share a `bitwall.toml` need not have
    /// every area.
    EmptyArea,
    /// The pixels of a mask do not show clearly which of them are solid: see
    /// [`crate::LoadOptions::mask_rule`].
    DoubtfulMask,
}

#[cfg(any(feature = "tmx", feature = "mask"))]
impl LoadWarning {
    fn new(cause: WarningCause, place: Place, headline: String, help: &'static str) -> Self {
        Self { cause, file: None, place, headline, detail: None, help: help.into(), count: 1 }
    }

    #[cfg(feature = "ldtk")]
    pub(crate) fn other_levels(names: &[String]) -> Self {
        let levels = listed(names.iter());
        let headline = format!("levels of other worlds or depths are not loaded: {levels}");
        let help = "name the levels to load (`LoadOptions::levels`, `--level`)";
        Self::new(WarningCause::OtherLevels, Place::default(), headline, help)
    }

    pub(crate) fn empty_area(name: &str, reason: String, help: &'static str) -> Self {
        let headline = format!("the area `{}` has nothing in it", printable(name));
        let warning = Self::new(WarningCause::EmptyArea, Place::default(), headline, help);
        Self { detail: Some(reason), ..warning }
    }

    #[cfg(feature = "mask")]
    pub(crate) fn doubtful_mask(doubt: String) -> Self {
        let help = "say which pixels are solid (`LoadOptions::mask_rule`, `--mask`)";
        Self::new(WarningCause::DoubtfulMask, Place::default(), doubt, help)
    }
}

#[cfg(feature = "tmx")]
impl LoadWarning {
    /// The largest number of different faults of a map that have a warning of their own.
    const MOST: usize = 64;

    /// The warning of a fault. What differs between two faults of the same kind is in the detail.
    pub(crate) fn fault(place: Place, kind: &LoadErrorKind, count: u64) -> Self {
        let (headline, detail) = match kind {
            LoadErrorKind::UnknownTile { gid, reason } => (
                "a tile does not exist".to_owned(),
                Some(format!("number {gid}: {}", printable(reason))),
            ),
            LoadErrorKind::Value { element, attribute, value, expected } => (
                format!("`{}` of <{element}> is not {expected}", printable(attribute)),
                Some(format!("it is `{}`", printable(value))),
            ),
            LoadErrorKind::Reference { what, written, .. } => {
                let headline = format!("cannot read {what} `{}`", printable(written));
                let all = kind.to_string();
                let detail = all.strip_prefix(&headline).unwrap_or(&all).trim_start_matches(": ");
                (headline, Some(detail.to_owned()))
            }
            LoadErrorKind::OneWay { reason } => {
                ("a one-way property names no side".to_owned(), Some(printable(reason).to_string()))
            }
            other => (other.to_string(), None),
        };
        Self { detail, count, ..Self::new(WarningCause::Fault, place, headline, kind.help()) }
    }

    /// Adds the warning to `all`. If the list has a warning with the same headline, only the count of that
    /// warning grows.
    pub(crate) fn add_to(mut self, all: &mut Vec<Self>) {
        if all.len() >= Self::MOST && !all.iter().any(|known| known.is_like(&self)) {
            self.headline = "further faults".to_owned();
        }
        match all.iter_mut().find(|known| known.is_like(&self)) {
            Some(known) => known.count += self.count,
            None => all.push(self),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        self.cause == other.cause && self.headline == other.headline
    }

    /// The warning of a property that is read as a bool, although it is of another `kind`: "a text".
    pub(crate) fn text_flag(place: Place, property: &str, kind: &str) -> Self {
        let headline = format!("the property `{}` is {kind}, not a bool", printable(property));
        let help = "remove the property in Tiled and add it again as a bool";
        Self::new(WarningCause::TextFlag, place, headline, help)
    }

    pub(crate) fn solid_picture(place: Place) -> Self {
        let headline = "an image layer is solid, but nothing of a picture can be".to_owned();
        let help = "draw its walls as a mask, as tiles or as objects";
        Self::new(WarningCause::SolidPicture, place, headline, help)
    }

    pub(crate) fn last_resort(because: String) -> Self {
        let headline = "nothing is solid by a clear rule, so a guess decides".to_owned();
        let help = "name a layer `Collision`, or a value of LDtk `wall`, or say what is solid in a \
                    `bitwall.toml` or in `SolidRules`";
        let warning = Self::new(WarningCause::LastResort, Place::default(), headline, help);
        Self { detail: Some(because), ..warning }
    }

    pub(crate) fn empty_layer(place: Place, because: &str) -> Self {
        let headline = format!("the layer is solid by {}, but it is empty", printable(because));
        let help = "draw its walls, or say in the options what else is solid";
        Self::new(WarningCause::EmptyLayer, place, headline, help)
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
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        write!(f, "; {}", self.help)
    }
}
