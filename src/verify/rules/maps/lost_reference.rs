//! Tilesets, templates and maps that a level needs and that cannot be read.

use crate::load::Disk;
use crate::load::LoadErrorKind;
use crate::text::path_in_line;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::failure::{self, Cause};
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A tileset, a template, or a map of a world that a level names and that does not exist, is outside
    /// the root folder, or has an absolute path. Also a world of patterns that no file beside it matches.
    ///
    /// # Why it matters
    /// Without the tileset no tile has its properties, and nothing is solid. No other rule has checked this
    /// level.
    ///
    /// # How to fix
    /// Put the file there, or fix its path in Tiled under Map > Tilesets. On most servers `Tiles.tsx` and
    /// `tiles.tsx` are two files.
    LOST_REFERENCE = "TMX106" "lost-reference" Error fixed on(Map)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let findings = failure::report(&LOST_REFERENCE, Cause::LostReference, subject);
    let as_on_disk = subject.level.err().and_then(|error| match error.kind() {
        LoadErrorKind::Reference { looked_in, .. } => {
            Disk::new(subject.path, &subject.options.load).other_case(looked_in)
        }
        _ => None,
    });
    let Some(path) = as_on_disk else {
        return findings;
    };
    let with_case = |finding: Finding| {
        let help = "write its name with the same capital letters as on the disk";
        finding.note(format!("on the disk it is {}", path_in_line(&path))).help(help)
    };
    findings.into_iter().map(with_case).collect()
}
