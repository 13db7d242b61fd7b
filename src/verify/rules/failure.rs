//! Load errors as findings: each cause is reported by one rule.

use crate::error::io_reason;
use crate::verify::finding::Finding;
use crate::verify::rule::Rule;
use crate::verify::subject::Subject;
use crate::{LoadError, error::LoadErrorKind, text::printable};

/// The cause of a load error, as far as rules distinguish causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Unreadable,
    UnknownFormat,
    UnparsableMap,
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
            | LoadErrorKind::Config { .. }
            | LoadErrorKind::MissingFeature { .. }
            | LoadErrorKind::NoMemory { .. } => Self::Unreadable,
            LoadErrorKind::UnknownFormat { .. } => Self::UnknownFormat,
            LoadErrorKind::Picture { .. } => Self::UndecodableMask,
            LoadErrorKind::NothingSolid { .. } => Self::NothingSolid,
            LoadErrorKind::Xml { .. }
            | LoadErrorKind::Value { .. }
            | LoadErrorKind::Missing { .. }
            | LoadErrorKind::CellData { .. }
            | LoadErrorKind::CellCount { .. }
            | LoadErrorKind::LayerSize { .. }
            | LoadErrorKind::UnknownTile { .. }
            | LoadErrorKind::TilesetIds { .. }
            | LoadErrorKind::OneWay { .. }
            | LoadErrorKind::OutsideRoot { .. }
            | LoadErrorKind::AbsolutePath
            | LoadErrorKind::Json { .. }
            | LoadErrorKind::Reference { .. } => Self::UnparsableMap,
        }
    }
}

/// The finding of `rule`, if the file could not be loaded for this cause.
pub(super) fn report(rule: &'static Rule, cause: Cause, subject: &Subject<'_>) -> Vec<Finding> {
    let Some(error) = subject.level.err().filter(|error| Cause::of(error.kind()) == cause) else {
        return Vec::new();
    };
    let (headline, note) = words(error);
    let mut finding =
        Finding::new(rule, error.path(), headline).at(error.place().clone()).help(error.help());
    finding.notes.extend(note);
    if error.path() != subject.path {
        let map = subject.path.to_string_lossy();
        finding = finding.note(format!("the map {} needs this file", printable(&map)));
    }
    vec![finding]
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
                other => other.to_string(),
            };
            let looked_in = looked_in.to_string_lossy();
            (
                format!("cannot read {what} `{}`: {reason}", printable(written)),
                Some(format!("looked in {}", printable(&looked_in))),
            )
        }
        LoadErrorKind::NothingSolid { found, .. } => {
            ("nothing in the map is solid".to_owned(), Some(found.clone()))
        }
        _ => (error.headline(), None),
    }
}
