//! Files that a version control program wrote or changed.

use std::collections::BTreeSet;
use std::path::Path;

use crate::lint::finding::Finding;
use crate::lint::foreign::{Foreign, foreign};
use crate::lint::rule::rule;
use crate::lint::rules::{MOST_FINDINGS, failure};
use crate::lint::subject::Subject;
use bitwall::load::{Disk, Files, Place};
use bitwall::text::path_in_line;

rule! {
    /// # What it finds
    /// A map, a file that it needs, a picture that it names, or a mask whose content a version control
    /// program wrote or changed: a pointer of Git LFS in place of the content, the markers of a merge
    /// conflict, or a PNG whose line ends were translated as if it were text.
    ///
    /// # Why it matters
    /// The level cannot be loaded, or not be drawn. The usual advice to save the file again would lose it:
    /// the right content is in the repository, or in one of its two versions.
    ///
    /// # How to fix
    /// For a pointer, run `git lfs pull`; in CI, let the checkout fetch LFS files. For a conflict, take one
    /// of the two versions as a whole and do the other changes again in Tiled. For translated line ends, add
    /// a line such as `*.png binary` to `.gitattributes` and check the file out again, or commit it anew.
    FOREIGN_BYTES = "IO003" "foreign-bytes" Error
}

/// The first bytes of a picture that are looked at: a pointer is not longer.
const HEAD: usize = 1_024;

/// The pictures of a map that are opened.
const MOST_PICTURES: usize = 1_024;

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    if let Some((path, sign)) = failure::foreign_file(subject) {
        let finding = report(&path, sign, false);
        return vec![match path == subject.path {
            true => finding,
            false => {
                finding.note(format!("the map {} needs this file", path_in_line(subject.path)))
            }
        }];
    }
    pictures(subject)
}

/// One finding for all pictures of each sign.
fn pictures(subject: &Subject<'_>) -> Vec<Finding> {
    let placed = subject.maps().iter();
    let images = placed.flat_map(|placed| placed.map.images());
    let is_file = |path: &&Path| !path.as_os_str().is_empty();
    let named = images.filter(|image| image.data.is_none()).map(|image| &*image.path);
    let named: BTreeSet<&Path> = named.filter(is_file).collect();
    if named.len() > MOST_PICTURES {
        let reason = format!("the map names more than {MOST_PICTURES} pictures");
        subject.give_up(&FOREIGN_BYTES, reason);
    }
    let mut disk = Disk::new(subject.path, &subject.options.load);
    let mut found: Vec<(Foreign, &Path, usize)> = Vec::new();
    for path in named.into_iter().take(MOST_PICTURES) {
        let Ok(head) = disk.read_start(path, HEAD) else {
            continue;
        };
        // A picture is no text, so a conflict in it is not looked for beyond its start.
        let Some(sign) = foreign(head.get(..HEAD).unwrap_or(&head)) else {
            continue;
        };
        match found.iter_mut().find(|(known, ..)| *known == sign) {
            Some((.., count)) => *count += 1,
            None => found.push((sign, path, 1)),
        }
    }
    let found = found.into_iter().take(MOST_FINDINGS).map(|(sign, path, count)| {
        let finding = report(path, sign, true);
        let finding =
            finding.note(format!("the map {} names this picture", path_in_line(subject.path)));
        match count {
            1 => finding,
            _ => finding.note(format!("{count} of its pictures are so; this is the first")),
        }
    });
    found.collect()
}

fn report(path: &Path, sign: Foreign, is_picture: bool) -> Finding {
    let (headline, help) = match sign {
        Foreign::LfsPointer => (
            "the file is a pointer of Git LFS, not its content",
            "run `git lfs pull`; in CI, let the checkout fetch LFS files",
        ),
        Foreign::Conflict(_) if is_picture => (
            "the file is text with the markers of a merge conflict",
            "check one of the two versions out again",
        ),
        Foreign::Conflict(_) => (
            "the file has the markers of a merge conflict",
            "take one of the two versions as a whole, and do the other changes again",
        ),
        Foreign::LineEnds => (
            "the line ends of the picture were translated as if it were text",
            "mark it as binary in .gitattributes (`*.png binary`), and check it out again",
        ),
        Foreign::Recoded => (
            "the picture was written as text in another encoding",
            "export it again, and mark it as binary in .gitattributes (`*.png binary`)",
        ),
    };
    let line = match sign {
        Foreign::Conflict(line) => Some((line, 1)),
        _ => None,
    };
    Finding::new(&FOREIGN_BYTES, path, headline).at(Place { line, ..Place::default() }).help(help)
}
