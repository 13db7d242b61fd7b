//! The result of a run over many files, as every output format writes it. No file is opened here.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::finding::{Finding, sort_findings};
use super::fingerprint::fingerprints;
use super::grouped::{grouped, once};
use super::report::{Report, SkipReason, Skipped, Summary};
use super::rule::{Rule, Severity};
use super::spec::SolidShare;

/// The findings in all files of a run, and what was not checked.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct SkippedRule {
    /// The rule.
    pub rule: &'static Rule,
    /// The reason.
    pub reason: SkipReason,
    /// The number of the files.
    pub files: usize,
}

/// The numbers of a comparison with an earlier run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
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
    /// use bitwall::verify::{Checked, VerifyOptions, output, verify_file};
    ///
    /// let mask = std::path::PathBuf::from("assets/harbor_mask.png");
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

    /// These results with the numbers of pictures that were not looked at, of levels whose `bitwall.toml` is
    /// broken, and of levels that a `.gitignore` names.
    #[must_use]
    pub fn with_left_out(mut self, pictures: usize, unchecked: usize, ignored: usize) -> Self {
        (self.pictures, self.unchecked, self.ignored) = (pictures, unchecked, ignored);
        self
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
    pub fn statistics(&self) -> Vec<(&'static Rule, usize)> {
        let mut counts = BTreeMap::<_, (&'static Rule, usize)>::new();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::Baseline;
    use crate::verify::rules::{NOTHING_SOLID, TEXT_FLAG};

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
}
