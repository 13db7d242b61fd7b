//! Parts of a map that the reader does not know, and that are left out.

use std::path::Path;

use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::load::Place;
use bitwall::text::{counted, printable};
use bitwall::tmx::Unknown;

rule! {
    /// # What it finds
    /// An element in a map, tileset or template that this version of bitwall does not know, such as a layer
    /// or a shape of a newer Tiled. It is left out of the level. Also a map of another generation of the
    /// format, 2.0 or later. Another newer version alone is no fault: most add nothing that a map must have.
    ///
    /// # Why it matters
    /// A layer of an unknown kind may hold walls. The level loads without them.
    ///
    /// # How to fix
    /// Use a newer bitwall, or save the map in the format of an older Tiled: under Project > Project
    /// Properties, choose the compatibility version.
    UNKNOWN_CONTENT = "TMX120" "unknown-content" Warning on(Map)
}

/// The newest version of the format that is known.
const KNOWN_VERSION: (u32, u32) = (1, 12);

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(map) = subject.map() else {
        return Vec::new();
    };
    let mut found: Vec<(&Unknown, u64)> = Vec::new();
    for unknown in &map.unknown {
        let is_same = |known: &Unknown| {
            (&known.element, &known.parent) == (&unknown.element, &unknown.parent)
        };
        let is_full = found.len() >= super::MOST_FINDINGS;
        match found.iter_mut().find(|(known, _)| is_same(known)) {
            Some((_, count)) => *count += 1,
            None if is_full => {}
            None => found.push((unknown, 1)),
        }
    }
    let finding = |(unknown, count): (&Unknown, u64)| {
        let (element, parent) = (printable(&unknown.element), printable(&unknown.parent));
        let headline = format!("the element <{element}> in <{parent}> is unknown");
        let line = (unknown.line > 0).then_some((unknown.line, 1));
        let path: &Path = &unknown.file;
        let mut finding = Finding::new(&UNKNOWN_CONTENT, path, headline.clone())
            .of_many(headline, count)
            .at(Place { line, ..Place::default() })
            .note("it is left out of the level")
            .help("use a newer bitwall, or save the map for an older version of Tiled");
        if is_newer(&map.version) {
            let version = printable(&map.version).to_string();
            finding = finding.note(format!("the map has version {version} of the format"));
        }
        if count > 1 {
            finding = finding.note(format!("there are {}", counted(count, "such element")));
        }
        finding
    };
    let next = is_next(&map.version).then(|| {
        let headline = format!("the map has version {} of the format", printable(&map.version));
        Finding::new(&UNKNOWN_CONTENT, subject.path, headline)
            .note(format!("the newest known one is {}.{}", KNOWN_VERSION.0, KNOWN_VERSION.1))
            .help("use a newer bitwall, or save the map for an older version of Tiled")
    });
    next.into_iter().chain(found.into_iter().map(finding)).collect()
}

/// True for a version of a generation of the format that is newer than the one known.
fn is_next(version: &str) -> bool {
    let major = version.split('.').next().map(str::parse::<u32>);
    matches!(major, Some(Ok(major)) if major > KNOWN_VERSION.0)
}

/// True for a version of the format that is newer than those known.
fn is_newer(version: &str) -> bool {
    let mut numbers = version.split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) > KNOWN_VERSION,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_newer, is_next};

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(is_newer("1.13") && is_newer("2.0") && is_newer("1.100"));
        assert!(!is_newer("1.12") && !is_newer("1.9") && !is_newer("1.0") && !is_newer(""));
        assert!(
            is_next("2.5") && is_next("10") && !is_next("1.99") && !is_next("") && !is_next("x")
        );
    }
}
