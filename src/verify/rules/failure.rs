//! Load errors as findings: each cause is reported by one rule.

use std::path::PathBuf;

use super::rule_by_name;
use crate::error::io_reason;
use crate::load::{Disk, Files};
use crate::text::{path_in_line, printable};
use crate::verify::finding::Finding;
use crate::verify::foreign::{Foreign, foreign};
use crate::verify::rule::Rule;
use crate::verify::subject::Subject;
use crate::{LoadError, error::LoadErrorKind};

/// The code of the rule that reports signs of version control.
const FOREIGN_BYTES: &str = "IO003";

/// The cause of a load error, as far as rules distinguish causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Unreadable,
    UnknownFormat,
    UnparsableMap,
    ShortData,
    ExtraData,
    LayerSize,
    UnknownTile,
    LostReference,
    UnknownOrientation,
    NothingSolid,
    UndecodableMask,
}

impl Cause {
    /// The cause of an error. Every kind has one, so that one rule reports it.
    fn of(kind: &LoadErrorKind) -> Self {
        match kind {
            LoadErrorKind::Io(_)
            | LoadErrorKind::NotAFile
            | LoadErrorKind::TooLarge { .. }
            | LoadErrorKind::Baked { .. }
            | LoadErrorKind::Config { .. }
            | LoadErrorKind::MissingFeature { .. }
            | LoadErrorKind::NoMemory { .. } => Self::Unreadable,
            LoadErrorKind::UnknownFormat { .. } => Self::UnknownFormat,
            LoadErrorKind::Picture { .. } => Self::UndecodableMask,
            LoadErrorKind::NothingSolid { .. } => Self::NothingSolid,
            LoadErrorKind::CellCount { found, width, height } => {
                let needed = u64::from(*width) * u64::from(*height);
                if *found > needed { Self::ExtraData } else { Self::ShortData }
            }
            LoadErrorKind::LayerSize { .. } => Self::LayerSize,
            LoadErrorKind::UnknownTile { .. } => Self::UnknownTile,
            LoadErrorKind::Value { element: "map", attribute, .. }
                if attribute == "orientation" =>
            {
                Self::UnknownOrientation
            }
            LoadErrorKind::Reference { source, .. } => match &**source {
                // The file is there, but it is too large or no file of its kind.
                LoadErrorKind::TooLarge { .. } => Self::Unreadable,
                _ => Self::LostReference,
            },
            LoadErrorKind::OutsideRoot { .. } | LoadErrorKind::AbsolutePath => Self::LostReference,
            LoadErrorKind::EmptyWorld { patterns: 1.. } => Self::LostReference,
            LoadErrorKind::EmptyWorld { patterns: 0 }
            | LoadErrorKind::Xml { .. }
            | LoadErrorKind::Value { .. }
            | LoadErrorKind::Missing { .. }
            | LoadErrorKind::CellData { .. }
            | LoadErrorKind::TilesetIds { .. }
            | LoadErrorKind::OneWay { .. }
            | LoadErrorKind::Json { .. } => Self::UnparsableMap,
        }
    }
}

/// The finding of `rule`, if the file could not be loaded for this cause.
pub(super) fn report(rule: &'static Rule, cause: Cause, subject: &Subject<'_>) -> Vec<Finding> {
    let Some(error) = subject.level.err().filter(|error| Cause::of(error.kind()) == cause) else {
        return Vec::new();
    };
    // The rule for foreign bytes reports these.
    if foreign_file(subject).is_some() {
        return Vec::new();
    }
    let (headline, note) = words(error);
    let mut finding =
        Finding::new(rule, error.path(), headline).at(error.place().clone()).help(error.help());
    finding.notes.extend(note);
    if error.path() != subject.path {
        let map = path_in_line(subject.path);
        finding = finding.note(format!("the map {map} needs this file"));
    }
    vec![finding]
}

/// The file that kept the level from being loaded, and the sign of version control in it, if it has one; none
/// if the rule that reports it is off.
pub(super) fn foreign_file(subject: &Subject<'_>) -> Option<(PathBuf, Foreign)> {
    let error = subject.level.err()?;
    let can_be_foreign = matches!(
        error.kind(),
        LoadErrorKind::UnknownFormat { .. }
            | LoadErrorKind::Picture { .. }
            | LoadErrorKind::Xml { .. }
            | LoadErrorKind::Json { .. }
            | LoadErrorKind::CellData { .. }
            | LoadErrorKind::Value { .. }
    );
    let is_on = || {
        let rule = rule_by_name(FOREIGN_BYTES)?;
        subject.options.levels.severity_of(rule)
    };
    if !can_be_foreign || is_on().is_none() {
        return None;
    }
    let path = error.path();
    let sign = match path == subject.path {
        true => foreign(subject.bytes),
        false => foreign(&Disk::new(subject.path, &subject.options.load).read(path).ok()?),
    };
    Some((path.to_owned(), sign?))
}

/// The headline of an error, and its details as a note.
fn words(error: &LoadError) -> (String, Option<String>) {
    match error.kind() {
        LoadErrorKind::Value { element, attribute, value, expected } => (
            format!("`{}` of <{element}> is `{}`", printable(attribute), printable(value)),
            Some(format!("it should be {expected}")),
        ),
        LoadErrorKind::UnknownTile { gid, reason } => {
            (format!("tile {gid} does not exist"), Some(reason.clone()))
        }
        LoadErrorKind::Reference { what, written, looked_in, source } => {
            let reason = match &**source {
                LoadErrorKind::Io(error) => io_reason(error),
                LoadErrorKind::AbsolutePath => "its path is absolute".to_owned(),
                // The folder is another one on each machine.
                LoadErrorKind::OutsideRoot { .. } => "it is outside the root folder".to_owned(),
                other => other.to_string(),
            };
            let looked_in = match &**source {
                LoadErrorKind::OutsideRoot { root } => {
                    format!("the root folder is {}", path_in_line(root))
                }
                _ => format!("looked in {}", path_in_line(looked_in)),
            };
            (format!("cannot read {what} `{}`: {reason}", printable(written)), Some(looked_in))
        }
        LoadErrorKind::Picture { reason, by_decoder: true } => (
            "the picture is broken: its data breaks the rules of its format".to_owned(),
            Some(format!("the decoder says: {}", printable(reason))),
        ),
        LoadErrorKind::NothingSolid { found, .. } => {
            ("nothing in the map is solid".to_owned(), Some(found.clone()))
        }
        _ => (error.headline(), None),
    }
}
