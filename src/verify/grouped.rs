//! Findings that have one cause for a whole project, as one.
//!
//! A project whose rules do not fit it has the same finding for each of its maps. A person mends it once.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::finding::{Finding, sort_findings};
use super::rule::Rule;
use super::rules::{NOTHING_SOLID, SHAPE_IN_ALPHA, STRAY_COLOR};
use crate::error::Place;
use crate::text::path_in_line;

/// The rules whose findings a `bitwall.toml` mends for a whole project, with their words for many files.
static OF_PROJECTS: [(&Rule, &str, &str); 3] = [
    (&NOTHING_SOLID, "nothing is solid in", "maps"),
    (&SHAPE_IN_ALPHA, "colours on a transparent ground in", "masks"),
    (&STRAY_COLOR, "colours beside black and white have no name in", "masks"),
];

/// The least number of equal findings that become one.
const LEAST: usize = 4;

/// The number of files that are named.
const NAMED: usize = 3;

/// These findings, sorted, where those that differ only in their file and have one cause for a whole project
/// are one: four or more of `nothing-solid`, `shape-in-alpha` or `stray-color` with the same help. Its path
/// is the folder that the files share. Findings that levels have in a file that they share, such as a
/// tileset, are one too. O(findings * log findings).
pub fn grouped(findings: Vec<Finding>) -> Vec<Finding> {
    let (of_project, mut rest): (Vec<_>, Vec<_>) =
        findings.into_iter().partition(|finding| words(finding).is_some());
    let mut groups = BTreeMap::<_, Vec<Finding>>::new();
    for finding in of_project {
        let key = (finding.rule.code, finding.severity, finding.help.clone());
        groups.entry(key).or_default().push(finding);
    }
    for group in groups.into_values() {
        match group.len() {
            0..LEAST => rest.extend(group),
            _ => rest.extend(as_one(group)),
        }
    }
    sort_findings(&mut rest);
    once(rest)
}

/// The words of [`OF_PROJECTS`] for a finding.
fn words(finding: &Finding) -> Option<(&'static str, &'static str)> {
    let known = OF_PROJECTS.iter().find(|(rule, ..)| rule.code == finding.rule.code);
    known.map(|(_, start, kind)| (*start, *kind))
}

/// Sorted findings, where those that several levels have in one file that they share are one.
pub(super) fn once(findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<(Finding, u64)> = Vec::with_capacity(findings.len());
    for finding in findings {
        match kept.last_mut() {
            Some((last, count)) if is_same(last, &finding) => *count += 1,
            _ => kept.push((finding, 1)),
        }
    }
    let counted = kept.into_iter().map(|(finding, count)| match count {
        1 => finding,
        count => finding.note(format!("{count} levels have this finding in this file")),
    });
    counted.collect()
}

/// True if both findings are of one rule, in one place, with one headline.
fn is_same(a: &Finding, b: &Finding) -> bool {
    let key = |it: &Finding| (it.rule.code, it.severity);
    key(a) == key(b) && a.path == b.path && a.place == b.place && a.headline == b.headline
}

/// One finding in place of several that have the same help.
fn as_one(group: Vec<Finding>) -> Option<Finding> {
    let (start, kind) = words(group.first()?)?;
    let count = group.len();
    let folder = group.iter().map(|finding| finding.path.clone()).reduce(|a, b| shared(&a, &b))?;
    let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
    let names = group.iter().take(NAMED).map(|finding| {
        let below = finding.path.strip_prefix(&folder).unwrap_or(&finding.path);
        path_in_line(below)
    });
    let names: Vec<String> = names.collect();
    let first = group.into_iter().next()?;
    Some(Finding {
        path: folder,
        headline: format!("{start} {count} {kind}"),
        group: None,
        place: Place::default(),
        area: None,
        excerpt: None,
        notes: vec![format!("among them {}", names.join(", "))],
        ..first
    })
}

/// The folder that two files share, as far as their paths say.
fn shared(a: &Path, b: &Path) -> PathBuf {
    let both = a.components().zip(b.components());
    both.take_while(|(a, b)| a == b).map(|(part, _): (Component<'_>, _)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::rules::TEXT_FLAG;

    fn finding(path: &str, help: &str) -> Finding {
        Finding::new(&NOTHING_SOLID, Path::new(path), "nothing in the map is solid").help(help)
    }

    #[test]
    fn many_maps_of_one_cause_are_one_finding() {
        let mut all: Vec<_> = ["maps/a/1.tmx", "maps/a/2.tmx", "maps/b.tmx", "maps/c.tmx"]
            .map(|p| finding(p, "x"))
            .into();
        all.push(finding("maps/d.tmx", "another"));
        all.push(Finding::new(&TEXT_FLAG, Path::new("maps/a/1.tmx"), "a text"));
        let found = grouped(all);
        let short: Vec<_> =
            found.iter().map(|it| (it.path.to_str().unwrap(), it.headline.as_str())).collect();
        assert_eq!(
            short,
            [
                ("maps", "nothing is solid in 4 maps"),
                ("maps/d.tmx", "nothing in the map is solid"),
                ("maps/a/1.tmx", "a text"),
            ]
        );
        assert_eq!(found[0].notes, ["among them a/1.tmx, a/2.tmx, b.tmx"]);
    }

    #[test]
    fn a_finding_in_a_shared_file_is_told_once() {
        let of_tileset = |headline: &str| {
            Finding::new(&TEXT_FLAG, Path::new("t.tsx"), headline).note("by a map")
        };
        let found = grouped(["a", "b", "a"].map(of_tileset).into());
        let told: Vec<_> = found.iter().map(|it| it.headline.as_str()).collect();
        assert_eq!(told, ["a", "b"]);
        assert_eq!(found[0].notes, ["by a map", "2 levels have this finding in this file"]);
    }

    #[test]
    fn few_findings_stay_as_they_are() {
        let all: Vec<_> = ["a/1.tmx", "b/2.tmx", "c/3.tmx"].map(|path| finding(path, "x")).into();
        assert_eq!(grouped(all).len(), 3);
        assert!(grouped(Vec::new()).is_empty());
    }
}
