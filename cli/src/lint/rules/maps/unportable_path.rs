//! Paths in a map's files that only some systems can follow.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::written_paths::{WrittenPath, written_paths};
use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::load::{Disk, Place};
use bitwall::text::{path_in_line, printable};

rule! {
    /// # What it finds
    /// A path in a map or in one of its tilesets that has a backslash, starts at the root of a disk or with
    /// the letter of a drive, or that names a picture whose letter case on the disk is another. A tileset or
    /// template that cannot be read for such a path is reported by `lost-reference`.
    ///
    /// # Why it matters
    /// The map opens on the machine on which it was made, and not on others: a backslash is a part of the
    /// name on Linux, `Tiles.png` and `tiles.png` are two files there, and nobody else has the folder
    /// `C:\Users\me`.
    ///
    /// # How to fix
    /// Write the path relative to the file that it stands in, with `/` between the folders, and with the case
    /// of the disk. Tiled does so when the file is saved in the folder of the project.
    UNPORTABLE_PATH = "TMX115" "unportable-path" Warning on(Map)
}

/// Missing pictures that are looked for in another letter case, which lists the folders on their paths.
const MOST_MISSING: usize = 64;

/// The fault of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Drive,
    Absolute,
    Backslash,
    Case,
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(map) = subject.map() else {
        return Vec::new();
    };
    let missing = subject.missing_pictures();
    if missing.len() > MOST_MISSING {
        let reason =
            format!("of the missing pictures the letter case of {MOST_MISSING} is compared");
        subject.give_up(&UNPORTABLE_PATH, reason);
    }
    let as_on_disk = of_other_case(subject, missing);
    let mut groups: BTreeMap<(Fault, Option<&PathBuf>), Vec<WrittenPath<'_>>> = BTreeMap::new();
    for path in written_paths(map) {
        let is_of_case = path.target.is_some_and(|target| as_on_disk.contains_key(target));
        let by_case = || is_of_case.then_some(Fault::Case);
        if let Some(fault) = fault(path.written).or_else(by_case) {
            let key = (fault, path.file);
            groups.entry(key).or_default().push(path);
        }
    }
    let finding = |((fault, file), paths): ((Fault, Option<&PathBuf>), Vec<WrittenPath<'_>>)| {
        let first = paths.first()?;
        let names = paths.iter().map(|path| printable(path.written).to_string());
        let (reason, help) = words(fault);
        let line = (first.line > 0).then_some((first.line, 1));
        let path = file.map_or(subject.path, |file| Path::new(file));
        let mut finding =
            Finding::new(&UNPORTABLE_PATH, path, format!("the path of a file {reason}"))
                .of_named(reason, names)
                .at(Place { line, ..Place::default() })
                .note(format!("it is written `{}`", printable(first.written)))
                .help(help);
        if let Some(real) = first.target.and_then(|target| as_on_disk.get(target)) {
            finding = finding.note(format!("on the disk it is {}", path_in_line(real)));
        }
        if file.is_some() {
            finding = finding.note(format!("found by the map {}", path_in_line(subject.path)));
        }
        Some(match paths.len() {
            1 => finding,
            count => finding.note(format!("{count} paths are so; this is the first")),
        })
    };
    groups.into_iter().take(super::MOST_FINDINGS).filter_map(finding).collect()
}

/// The fault in words, and one thing to do about it.
fn words(fault: Fault) -> (&'static str, &'static str) {
    let relative = "write it relative to the file that it stands in";
    match fault {
        Fault::Drive => ("starts with the letter of a drive", relative),
        Fault::Absolute => ("is absolute", relative),
        Fault::Backslash => ("has a backslash", "write `/` between its folders"),
        Fault::Case => (
            "differs from the disk in letter case",
            "write its name with the same capital letters as on the disk",
        ),
    }
}

/// Those of the first missing pictures that are on the disk in another letter case, and their paths there.
fn of_other_case<'p>(subject: &Subject<'_>, missing: &'p [PathBuf]) -> BTreeMap<&'p Path, PathBuf> {
    let mut disk = Disk::new(subject.path, &subject.options.load);
    let first = missing.iter().take(MOST_MISSING);
    first.filter_map(|picture| Some((picture.as_path(), disk.other_case(picture)?))).collect()
}

/// Those of the missing pictures for which this rule tells the reason: none if it is off.
pub(super) fn reported<'p>(subject: &Subject<'_>, missing: &'p [PathBuf]) -> BTreeSet<&'p Path> {
    let is_off = subject.options.levels.severity_of(&UNPORTABLE_PATH).is_none();
    let Some(map) = subject.map().filter(|_| !is_off && !missing.is_empty()) else {
        return BTreeSet::new();
    };
    let mut reported: BTreeSet<&Path> = of_other_case(subject, missing).into_keys().collect();
    for path in written_paths(map).into_iter().filter(|path| fault(path.written).is_some()) {
        let place = path.target.map(|target| missing.binary_search_by(|it| (**it).cmp(target)));
        let picture = place.and_then(|place| missing.get(place.ok()?));
        reported.extend(picture.map(PathBuf::as_path));
    }
    reported
}

/// The fault that a path shows by itself.
fn fault(written: &str) -> Option<Fault> {
    let bytes = written.as_bytes();
    let has_drive =
        bytes.get(1) == Some(&b':') && bytes.first().is_some_and(u8::is_ascii_alphabetic);
    if has_drive {
        Some(Fault::Drive)
    } else if written.starts_with(['/', '\\']) {
        Some(Fault::Absolute)
    } else {
        written.contains('\\').then_some(Fault::Backslash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_one_system_are_known() {
        for (written, expected) in [
            ("tiles.png", None),
            ("../sets/tiles.png", None),
            ("a b/c:d.png", None),
            ("", None),
            ("sets\\tiles.png", Some(Fault::Backslash)),
            ("/home/me/tiles.png", Some(Fault::Absolute)),
            ("\\\\server\\tiles.png", Some(Fault::Absolute)),
            ("C:\\tiles.png", Some(Fault::Drive)),
            ("c:/tiles.png", Some(Fault::Drive)),
        ] {
            assert_eq!(fault(written), expected, "{written}");
        }
    }
}
