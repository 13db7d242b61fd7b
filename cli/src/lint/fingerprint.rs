//! Fingerprints of findings: texts by which a finding is known again after the file was edited. No file is
//! opened here.
//!
//! A fingerprint is made of the rule's code, the file's path in the repository, the names that the place has
//! (tileset, layer, object) and the headline without its counts. Lines, cells and pixels are no part of it,
//! because an edit elsewhere moves them. Findings that are equal in all this are numbered from the first
//! place on, so that one more of them is new. A finding that stands for a [group](super::FaultGroup) of
//! faults has the kind of the group in place of the names and the headline, which are those of its first
//! fault; a baseline compares its faults by their own names, or else their number.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Component, Path};

use super::finding::Finding;

/// The fingerprints of findings, in the same order: 32 hexadecimal digits each, no two alike.
///
/// Each finding comes with a path of its file that does not depend on the machine, such as that from the
/// repository's root on; its parts are joined by `/` on every system. The order of the findings counts only
/// among those that are equal. Fingerprints stay the same between versions of this crate as long as the words
/// of the headline do. O(the length of all texts).
///
/// ```
/// use bitwall_cli::lint::{VerifyOptions, fingerprints, verify_file};
///
/// let report = verify_file("levels/no_such.png", &VerifyOptions::default());
/// let with_paths = report.findings.iter().map(|finding| (finding, &*finding.path));
/// assert_eq!(fingerprints(with_paths)[0].len(), 32);
/// ```
pub fn fingerprints<'f>(
    findings: impl IntoIterator<Item = (&'f Finding, &'f Path)>,
) -> Vec<String> {
    let mut seen = HashMap::<u128, u32>::new();
    let fingerprint = |(finding, path)| {
        let known = identity(finding, path);
        let number = seen.entry(known).or_default();
        *number += 1;
        match number {
            1 => format!("{known:032x}"),
            number => format!("{:032x}", hash([&known.to_le_bytes()[..], &number.to_le_bytes()])),
        }
    };
    findings.into_iter().map(fingerprint).collect()
}

/// The parts of a finding that stay when other parts of the file are edited, as one number.
fn identity(finding: &Finding, path: &Path) -> u128 {
    if let Some(group) = &finding.group {
        let (code, path) = (finding.rule.code.as_bytes(), slashed(path));
        return hash([
            &b"bitwall 1, many"[..],
            code,
            &path,
            without_counts(&group.kind).as_bytes(),
        ]);
    }
    let place = &finding.place;
    let object = place.object.map(|id| id.to_string());
    let name = |name: &Option<String>| name.clone().unwrap_or_default().into_bytes();
    let parts = [
        b"bitwall 1".to_vec(),
        finding.rule.code.as_bytes().to_vec(),
        slashed(path),
        name(&place.tileset),
        name(&place.layer),
        name(&object),
        without_counts(&finding.headline).into_bytes(),
    ];
    hash(parts.iter().map(Vec::as_slice))
}

/// The fingerprint of one fault among those of a finding, by its name: 8 hexadecimal digits.
pub(super) fn short_print(name: &str) -> String {
    let hash = hash([name.as_bytes()]);
    format!("{:08x}", (hash >> 96) as u32)
}

/// The bytes of a path with `/` between its parts, on every system.
pub(crate) fn slashed(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in path.components() {
        let part = match part {
            Component::RootDir | Component::CurDir => continue,
            other => other.as_os_str().as_encoded_bytes(),
        };
        if !bytes.is_empty() || path.has_root() {
            bytes.push(b'/');
        }
        bytes.extend(part);
    }
    bytes
}

/// A headline without its numbers and without the words that change with them: `1 pixel is gray` and
/// `20 pixels are gray` are the same. Names in backticks are kept as they are.
fn without_counts(headline: &str) -> String {
    let mut kept = String::new();
    for (index, part) in headline.split('`').enumerate() {
        if index % 2 == 1 {
            // Writing to a string does not fail.
            let _ = write!(kept, "`{part}`");
            continue;
        }
        let words = part.split(|c: char| !c.is_alphanumeric());
        for word in words.filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())) {
            if !["", "a", "an", "is", "are", "has", "have", "was", "were"].contains(&word) {
                let _ = write!(kept, "{} ", word.trim_end_matches('s'));
            }
        }
    }
    kept
}

/// FNV-1a of 128 bits over texts, each with its length, so that no two lists run together. Source: Fowler,
/// Noll, Vo, RFC 9923.
fn hash<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> u128 {
    const PRIME: u128 = 0x0000000001000000000000000000013b;
    let mut hash: u128 = 0x6c62272e07bb014262b821756295c58d;
    let mut add = |byte: u8| hash = (hash ^ u128::from(byte)).wrapping_mul(PRIME);
    for part in parts {
        part.iter().copied().for_each(&mut add);
        (part.len() as u64).to_le_bytes().into_iter().for_each(&mut add);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::rules::{GRAY_PIXELS, OPEN_BORDER, TEXT_FLAG};
    use bitwall::load::Place;

    fn all<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<String> {
        fingerprints(findings.into_iter().map(|finding| (finding, &*finding.path)))
    }

    fn of(finding: &Finding) -> String {
        all([finding]).remove(0)
    }

    fn gray(headline: &str) -> Finding {
        Finding::new(&GRAY_PIXELS, Path::new("a/b.png"), headline)
    }

    #[test]
    fn the_hash_is_that_of_the_standard() {
        // The value of FNV-1a for "a", before the length is added.
        const A: u128 = 0xd228cb696f1a8caf78912b704e4a8964;
        let with_length = |before: u128, length: u8| {
            let mut hash = before;
            for byte in [length, 0, 0, 0, 0, 0, 0, 0] {
                hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000000001000000000000000000013b);
            }
            hash
        };
        assert_eq!(hash([&b"a"[..]]), with_length(A, 1));
        assert_ne!(hash([&b"ab"[..], b"c"]), hash([&b"a"[..], b"bc"]));
    }

    #[test]
    fn counts_lines_and_cells_do_not_change_a_fingerprint() {
        let one = gray("1 pixel is gray, neither black nor white");
        let place = Place { pixel: Some((4, 5)), line: Some((3, 9)), ..Place::default() };
        let many =
            gray("20 pixels are gray, neither black nor white").at(place).note("x").help("y");
        assert_eq!(of(&one), of(&many));
        for other in [
            gray("1 pixel is translucent"),
            Finding::new(&TEXT_FLAG, Path::new("a/b.png"), one.headline.clone()),
            Finding::new(&GRAY_PIXELS, Path::new("a/c.png"), one.headline.clone()),
            gray(&one.headline).at(Place { layer: Some("Walls".to_owned()), ..Place::default() }),
            gray(&one.headline).at(Place { object: Some(3), ..Place::default() }),
        ] {
            assert_ne!(of(&one), of(&other), "{other:?}");
        }
    }

    #[test]
    fn a_group_is_known_by_its_kind_alone() {
        let many = |kind: &str, count, headline: &str, object| {
            let place = Place { object: Some(object), ..Place::default() };
            gray(headline).at(place).of_many(kind, count)
        };
        let two = many("top", 2, "2 spawns are in solids, first `a`", 3);
        assert_eq!(of(&two), of(&many("top", 1, "the spawn `b` is in a solid", 4)));
        assert_ne!(of(&two), of(&many("left", 2, &two.headline, 3)));
        assert_ne!(of(&two), of(&gray(&two.headline)));
    }

    #[test]
    fn names_in_a_headline_count_with_their_digits() {
        assert_ne!(
            of(&gray("the layer `walls1` is hidden")),
            of(&gray("the layer `walls2` is hidden"))
        );
        assert_eq!(of(&gray("the left side is open")), of(&gray("the left sides are open")));
        assert_ne!(of(&gray("the left side is open")), of(&gray("the top side is open")));
    }

    #[test]
    fn equal_findings_are_numbered_and_the_order_of_others_does_not_matter() {
        let open = |side| Finding::new(&OPEN_BORDER, Path::new("a.tmx"), format!("{side} is open"));
        let findings = [open("left"), open("top"), open("left"), open("left")];
        let here = all(&findings);
        let unique: std::collections::BTreeSet<_> = here.iter().collect();
        assert_eq!(unique.len(), 4);
        let turned = all(findings.iter().rev());
        let sorted = |mut all: Vec<String>| {
            all.sort();
            all
        };
        assert_eq!(sorted(here.clone()), sorted(turned));
        assert_eq!(all(&findings[..3]), here[..3]);
    }

    #[test]
    fn a_path_is_the_same_on_every_system() {
        assert_eq!(slashed(Path::new("./a/b/./c.png")), b"a/b/c.png");
        assert_eq!(slashed(Path::new("/a/b")), b"/a/b");
        assert_eq!(slashed(Path::new("../a")), b"../a");
    }
}
