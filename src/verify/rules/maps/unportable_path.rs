//! Paths in a map's files that only some systems can follow.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::written_paths::{WrittenPath, written_paths};
use crate::error::Place;
use crate::load::Disk;
use crate::text::printable;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A path in a map or in one of its tilesets that has a backslash, starts at the root of a disk or with the
    /// letter of a drive, or that names a picture whose letter case on the disk is another. A tileset or
    /// template that cannot be read for such a path is reported by `lost-reference`.
    ///
    /// # Why it matters
    /// The map opens on the machine on which it was made, and not on others: a backslash is a part of the name
    /// on Linux, `Tiles.png` and `tiles.png` are two files there, and nobody else has the folder `C:\Users\me`.
    ///
    /// # How to fix
    /// Write the path relative to the file that it stands in, with `/` between the folders, and with the case
    /// of the disk. Tiled does so when the file is saved in the folder of the project.
    UNPORTABLE_PATH = "TMX115" "unportable-path" Warning on(Map)
}

/// The fault of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Drive,
    Absolute,
    Backslash,
    Case,
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(map) = subject.map() else {
        return Vec::new();
    };
    let missing = subject.missing_pictures();
    let mut disk = Disk::new(subject.path, &subject.options.load);
    let mut found: BTreeMap<(Fault, Option<&PathBuf>), (WrittenPath<'_>, u64)> = BTreeMap::new();
    for path in written_paths(map) {
        let is_missing =
            |target: &Path| missing.binary_search_by(|picture| (**picture).cmp(target)).is_ok();
        let of_case = || {
            let target = path.target.filter(|target| path.is_picture && is_missing(target))?;
            disk.other_case(target).map(|_| Fault::Case)
        };
        if let Some(fault) = fault(path.written).or_else(of_case) {
            found.entry((fault, path.file)).or_insert((path, 0)).1 += 1;
        }
    }
    let report =
        |((fault, file), (path, count)): ((Fault, Option<&PathBuf>), (WrittenPath<'_>, u64))| {
            let reason = match fault {
                Fault::Drive => "starts with the letter of a drive",
                Fault::Absolute => "is absolute",
                Fault::Backslash => "has a backslash",
                Fault::Case => "differs from the disk in letter case",
            };
            let place =
                Place { line: (path.line > 0).then_some((path.line, 1)), ..Place::default() };
            let in_file = file.map_or(subject.path, |file| Path::new(file));
            let headline = format!("the path of a file {reason}");
            let mut finding = Finding::new(&UNPORTABLE_PATH, in_file, headline).at(place);
            finding = finding.note(format!("it is written `{}`", printable(path.written)));
            if let Some(real) =
                path.target.filter(|_| fault == Fault::Case).and_then(|it| disk.other_case(it))
            {
                finding = finding.note(format!("on the disk it is {}", super::shown(&real)));
            }
            if file.is_some() {
                finding = finding.note(format!("found by the map {}", super::shown(subject.path)));
            }
            if count > 1 {
                finding = finding.note(format!("{count} paths are so; this is the first"));
            }
            finding.help(match fault {
                Fault::Drive | Fault::Absolute => "write it relative to the file that it stands in",
                Fault::Backslash => "write `/` between its folders",
                Fault::Case => "write its name with the same capital letters as on the disk",
            })
        };
    found.into_iter().take(super::MOST).map(report).collect()
}

/// Those of the missing pictures for which this rule tells the reason: none if it is off.
pub(super) fn reported<'p>(subject: &Subject<'_>, missing: &'p [PathBuf]) -> BTreeSet<&'p Path> {
    let is_off = subject.options.levels.severity_of(&UNPORTABLE_PATH).is_none();
    let map = subject.map().filter(|_| !is_off && !missing.is_empty());
    let mut disk = Disk::new(subject.path, &subject.options.load);
    let paths = map.map(written_paths).unwrap_or_default();
    let faulty = paths.into_iter().filter_map(|path| {
        let target = path.target?;
        let index = missing.binary_search_by(|picture| (**picture).cmp(target)).ok()?;
        let picture = missing.get(index)?;
        let has_reason = fault(path.written).is_some() || disk.other_case(picture).is_some();
        has_reason.then_some(picture.as_path())
    });
    faulty.collect()
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
