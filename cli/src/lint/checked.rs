//! The result of a run over many files, as every output format writes it. No file is opened here.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};

use crate::lint::config::SolidShare;
use crate::lint::finding::{Finding, Report, SkipReason, Skipped, Summary, sort_findings};
use crate::lint::fingerprint::fingerprints;
use crate::lint::rule::{LintRule, Severity};
use crate::lint::rules::{NOTHING_SOLID, SHAPE_IN_ALPHA, STRAY_COLOR};
use bitwall::load::Place;
use bitwall::text::path_in_line;

/// The findings in all files of a run, and what was not checked.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Errors first, then by path, code and place.
    pub findings: Vec<Reported>,
    /// The files that were checked, by their paths in the repository, each with the solid cells of its level
    /// if it could be loaded.
    pub files: BTreeMap<PathBuf, Option<SolidShare>>,
    /// The rules that are on and could not be checked for some of the files, by rule and reason.
    pub skipped: Vec<SkippedRule>,
    /// The pictures in folders that were not looked at, because nothing says that they are masks.
    pub pictures: usize,
    /// The levels that were not checked, because their `bitwall.toml` is broken.
    pub unchecked: usize,
    /// The levels in the repository that were not checked, because a `.gitignore` names them.
    pub ignored: usize,
    /// The comparison with a baseline, if there was one.
    pub known: Option<Known>,
}

/// A finding as it is reported.
#[derive(Clone, Debug)]
pub struct Reported {
    /// The finding. Its path is as it was written on the command line, or found from there.
    pub finding: Finding,
    /// Its file's path from the root of the repository, for programs that know the repository; the path as
    /// written if it is in none.
    pub path: PathBuf,
    /// Its [fingerprint](super::fingerprints()).
    pub fingerprint: String,
}

/// A rule that could not be checked for some files.
#[derive(Clone, Debug)]
pub struct SkippedRule {
    /// The rule.
    pub rule: &'static LintRule,
    /// The reason.
    pub reason: SkipReason,
    /// The number of the files.
    pub files: usize,
}

/// The numbers of a comparison with an earlier run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Findings that it has, and that do not count.
    pub known: usize,
    /// Findings of the earlier run that are no more, in files that were checked or do not exist.
    pub fixed: usize,
    /// The run that knew them.
    pub by: KnownBy,
}

/// An earlier run whose findings do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KnownBy {
    /// That of a baseline's file.
    #[default]
    Baseline,
    /// One over the files of a revision.
    Revision,
    /// One of each.
    Both,
}

impl Checked {
    /// Gathers the reports of files, each with the path of its file, and findings in `other` files, such as
    /// configurations that were come across. `in_repository` is the path of a file from the root of its
    /// repository. A finding that several reports share, such as one in a tileset of many maps, is kept once.
    /// O(n log n) in the number of findings and files.
    ///
    /// ```
    /// use bitwall_cli::lint::{Checked, VerifyOptions, output, verify_file};
    ///
    /// let mask = std::path::PathBuf::from("../assets/harbor_mask.png");
    /// let report = verify_file(&mask, &VerifyOptions::default());
    /// let checked = Checked::new([(mask, report)], [], |path| path.to_owned());
    /// assert!(output::summary(&checked).contains("1 file checked: 0 errors, 0 warnings"));
    /// ```
    pub fn new(
        reports: impl IntoIterator<Item = (PathBuf, Report)>,
        other: impl IntoIterator<Item = Finding>,
        mut in_repository: impl FnMut(&Path) -> PathBuf,
    ) -> Self {
        let (mut findings, mut files) = (Vec::from_iter(other), BTreeMap::new());
        let mut skipped = BTreeMap::<_, SkippedRule>::new();
        for (path, report) in reports {
            files.insert(in_repository(&path), report.solid_share);
            findings.extend(report.findings);
            for Skipped { rule, reason, .. } in report.skipped {
                let entry = skipped.entry((rule.code, reason.clone()));
                entry.or_insert(SkippedRule { rule, reason, files: 0 }).files += 1;
            }
        }
        sort_findings(&mut findings);
        let findings = once(findings);
        let paths: Vec<PathBuf> =
            findings.iter().map(|finding| in_repository(&finding.path)).collect();
        let fingerprints =
            fingerprints(findings.iter().zip(&paths).map(|(finding, path)| (finding, &**path)));
        let parts = findings.into_iter().zip(paths).zip(fingerprints);
        let reported =
            parts.map(|((finding, path), fingerprint)| Reported { finding, path, fingerprint });
        Self {
            findings: reported.collect(),
            files,
            skipped: skipped.into_values().collect(),
            ..Self::default()
        }
    }

    /// These results with findings that have one cause for a whole project as one: see [`grouped()`]. It
    /// comes after any comparison, for what is one of many depends on the files that are checked. O(n log n).
    #[must_use]
    pub fn grouped(mut self, mut in_repository: impl FnMut(&Path) -> PathBuf) -> Self {
        let findings = self.findings.iter().map(|reported| reported.finding.clone()).collect();
        let mut known: HashMap<_, Reported> =
            self.findings.drain(..).map(|reported| (whole(&reported.finding), reported)).collect();
        let reported = |finding: Finding| {
            known.remove(&whole(&finding)).unwrap_or_else(|| {
                let path = in_repository(&finding.path);
                let fingerprint = fingerprints([(&finding, &*path)]).concat();
                Reported { finding, path, fingerprint }
            })
        };
        self.findings = grouped(findings).into_iter().map(reported).collect();
        self
    }

    /// The numbers of files and findings.
    pub fn summary(&self) -> Summary {
        let count = |severity| {
            let is_of = |reported: &&Reported| reported.finding.severity == severity;
            self.findings.iter().filter(is_of).count()
        };
        Summary {
            files: self.files.len(),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
        }
    }

    /// The number of findings of each rule that has some, by code.
    pub fn statistics(&self) -> Vec<(&'static LintRule, usize)> {
        let mut counts = BTreeMap::<_, (&'static LintRule, usize)>::new();
        for Reported { finding, .. } in &self.findings {
            counts.entry(finding.rule.code).or_insert((finding.rule, 0)).1 += 1;
        }
        counts.into_values().collect()
    }
}

/// All that makes two findings the same to a reader.
fn whole(finding: &Finding) -> (Vec<u8>, &'static str, String, String) {
    (
        finding.path.as_os_str().as_encoded_bytes().to_owned(),
        finding.rule.code,
        finding.place.to_string(),
        finding.headline.clone(),
    )
}

// Findings that have one cause for a whole project, as one.
//
// A project whose rules do not fit it has the same finding for each of its maps. A person mends it once.

/// The rules whose findings a `bitwall.toml` mends for a whole project, with their words for many files.
static OF_PROJECTS: [(&LintRule, &str, &str); 3] = [
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
    use crate::lint::Baseline;
    use crate::lint::rules::{NOTHING_SOLID, TEXT_FLAG};

    /// Those that are grouped are compared with a baseline one by one.
    #[test]
    fn groups_come_after_the_comparison() {
        let names = ["m/a.tmx", "m/b.tmx", "m/c.tmx", "m/d.tmx", "m/e.tmx"];
        let of = |names: &[&str]| {
            let report = |name: &&str| {
                let path = PathBuf::from(name);
                let nothing = Finding::new(&NOTHING_SOLID, &path, "nothing in the map is solid");
                let text = Finding::new(&TEXT_FLAG, &path, "a text");
                (path, Report { findings: vec![nothing, text], ..Report::default() })
            };
            Checked::new(names.iter().map(report), [], Path::to_owned)
        };
        let all = of(&names).grouped(Path::to_owned);
        assert_eq!((all.findings.len(), all.findings[0].path.to_str()), (6, Some("m")));
        let text = &of(&names).findings[9];
        assert_eq!(all.findings[5].fingerprint, text.fingerprint);
        let known = Baseline::of(&of(&names[..4]));
        let new = of(&names).since(&known, |_| false).grouped(Path::to_owned);
        let paths: Vec<_> = new.findings.iter().map(|reported| reported.path.to_str()).collect();
        assert_eq!(paths, [Some("m/e.tmx"), Some("m/e.tmx")]);
    }

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
