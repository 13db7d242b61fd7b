//! Baselines: the findings that a project knows of, so that only new ones count. Text in, text out; no file
//! is opened here.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checked::{Checked, Known, KnownBy, Reported};
use super::fingerprint::slashed;
use super::spec::SolidShare;
use crate::text::{printable, printable_json};

/// The version of the format. It grows when a field is removed or changes its meaning, not with a new field.
const VERSION: u32 = 1;

/// The findings of an earlier run, by their [fingerprints](super::fingerprints()), and the solid cells of
/// each level.
///
/// ```
/// use bitwall::verify::{Baseline, Checked};
///
/// let baseline = Baseline::of(&Checked::default());
/// assert!(Baseline::decode(baseline.to_json().as_bytes()).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    findings: Vec<Entry>,
    levels: BTreeMap<String, SolidShare>,
    by: KnownBy,
}

/// A finding of a baseline. The fingerprint, the code and the count are compared; the rest is for people.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    path: String,
    code: String,
    fingerprint: String,
    /// The faults that it stands for.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    count: u64,
    #[serde(default)]
    headline: String,
}

fn one() -> u64 {
    1
}

fn is_one(count: &u64) -> bool {
    *count == 1
}

/// The form of a baseline in a file.
#[derive(Serialize, Deserialize)]
struct Document {
    version: u32,
    findings: Vec<Entry>,
    #[serde(default)]
    levels: BTreeMap<String, [u64; 2]>,
}

impl Baseline {
    /// The findings and levels of a run.
    pub fn of(checked: &Checked) -> Self {
        let entry = |reported: &Reported| Entry {
            path: text_of(&reported.path),
            code: reported.finding.rule.code.to_owned(),
            fingerprint: reported.fingerprint.clone(),
            count: reported.finding.count(),
            headline: printable(&reported.finding.headline).to_string(),
        };
        let shares = checked.files.iter();
        let shares = shares.filter_map(|(path, share)| Some((text_of(path), (*share)?)));
        Self {
            findings: checked.findings.iter().map(entry).collect(),
            levels: shares.collect(),
            by: KnownBy::Baseline,
        }
    }

    /// This baseline as that of a revision of the files, not of a file of its own.
    #[must_use]
    pub fn of_revision(mut self) -> Self {
        self.by = KnownBy::Revision;
        self
    }

    /// The findings and levels of this baseline and another one, each once: of a finding that both have, the
    /// larger count; of a level, the solid cells of this one.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        let known: HashMap<String, usize> =
            self.findings.iter().enumerate().map(by_print).collect();
        for entry in &other.findings {
            match known.get(&entry.fingerprint).map(|index| &mut self.findings[*index]) {
                Some(known) => known.count = known.count.max(entry.count),
                None => self.findings.push(entry.clone()),
            }
        }
        for (path, share) in &other.levels {
            self.levels.entry(path.clone()).or_insert(*share);
        }
        if self.by != other.by {
            self.by = KnownBy::Both;
        }
        self
    }

    /// This baseline with the findings and levels of another one, in files that were not checked this time
    /// and for which `is_there` is true.
    #[must_use]
    pub fn with_unchecked_of(
        mut self,
        other: &Self,
        checked: &Checked,
        is_there: impl Fn(&Path) -> bool,
    ) -> Self {
        let files: HashSet<String> = checked.files.keys().map(|path| text_of(path)).collect();
        let is_kept = |path: &String| !files.contains(path) && is_there(&path_of(path));
        self.findings.extend(other.findings.iter().filter(|entry| is_kept(&entry.path)).cloned());
        let levels = other.levels.iter().filter(|(path, _)| is_kept(path));
        self.levels.extend(levels.map(|(path, share)| (path.clone(), *share)));
        self
    }

    /// The baseline that a file holds.
    ///
    /// # Errors
    /// The reason in plain words, safe to print, if the bytes are not a baseline of this version.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let document: Document = serde_json::from_slice(bytes)
            .map_err(|error| format!("not a baseline: {}", printable(&error.to_string())))?;
        match document.version {
            VERSION => {}
            other => {
                return Err(format!("a baseline of version {other}; this program reads {VERSION}"));
            }
        }
        let share =
            |(path, [solid, cells]): (String, [u64; 2])| (path, SolidShare::new(solid, cells));
        Ok(Self {
            findings: document.findings,
            levels: document.levels.into_iter().map(share).collect(),
            by: KnownBy::Baseline,
        })
    }

    /// The baseline as a file holds it: JSON, sorted by path, so that a version control system shows and
    /// merges its changes line by line.
    pub fn to_json(&self) -> String {
        let mut findings = self.findings.clone();
        let key =
            |entry: &Entry| (entry.path.clone(), entry.code.clone(), entry.fingerprint.clone());
        findings.sort_by_cached_key(key);
        let share =
            |(path, share): (&String, &SolidShare)| (path.clone(), [share.solid, share.cells]);
        let levels = self.levels.iter().map(share).collect();
        let document = Document { version: VERSION, findings, levels };
        // Serialization fails only for maps with keys that are not strings, and there are none.
        let text = serde_json::to_string_pretty(&document).unwrap_or_default();
        printable_json(&text) + "\n"
    }

    /// The number of findings.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// True if it has no findings.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// The solid cells that a level had, by its path in the repository.
    pub fn share_of(&self, path: &Path) -> Option<SolidShare> {
        self.levels.get(&text_of(path)).copied()
    }

    /// True if the baseline has findings of this kind in this file, in whatever number.
    #[cfg(feature = "cli")]
    pub(crate) fn has(&self, reported: &Reported) -> bool {
        let is_its = |entry: &Entry| {
            entry.fingerprint == reported.fingerprint && entry.code == reported.finding.rule.code
        };
        self.findings.iter().any(is_its)
    }

    /// The findings that the baseline does not have, in the same order, and the numbers of the others. A
    /// finding for more faults than the baseline knows is told with the number of the new ones. `was_checked`
    /// tells whether a file was checked, or is gone; findings of the baseline in other files are neither
    /// known nor fixed. O(n).
    fn compare(
        &self,
        findings: Vec<Reported>,
        was_checked: impl Fn(&Path) -> bool,
    ) -> (Vec<Reported>, Known) {
        let mut open: HashMap<&str, &Entry> =
            self.findings.iter().map(|entry| (&*entry.fingerprint, entry)).collect();
        let (mut new, mut known) = (Vec::new(), 0);
        for mut reported in findings {
            let code = reported.finding.rule.code;
            let is_its = |entry: &&&Entry| entry.code == code;
            let Some(entry) = open.get(&*reported.fingerprint).filter(is_its).copied() else {
                new.push(reported);
                continue;
            };
            open.remove(&*reported.fingerprint);
            match reported.finding.count().saturating_sub(entry.count) {
                0 => known += 1,
                more => {
                    reported.finding.headline += &format!("; {more} new");
                    new.push(reported);
                }
            }
        }
        let fixed = open.values().filter(|entry| was_checked(&path_of(&entry.path))).count();
        (new, Known { known, fixed, by: self.by })
    }
}

fn by_print((index, entry): (usize, &Entry)) -> (String, usize) {
    (entry.fingerprint.clone(), index)
}

impl Checked {
    /// This result without the findings that a baseline has, which are counted. `is_gone` tells whether a
    /// file that was not checked does not exist any more: its findings are fixed too. Two baselines are
    /// [one](Baseline::with) before.
    #[must_use]
    pub fn since(mut self, baseline: &Baseline, is_gone: impl Fn(&Path) -> bool) -> Self {
        let (new, known) =
            baseline.compare(self.findings, |path| self.files.contains_key(path) || is_gone(path));
        (self.findings, self.known) = (new, Some(known));
        self
    }
}

/// A path as text. Bytes that are not UTF-8 are lost: the fingerprint has them.
fn text_of(path: &Path) -> String {
    String::from_utf8_lossy(&slashed(path)).into_owned()
}

fn path_of(text: &str) -> PathBuf {
    PathBuf::from(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Place;
    use crate::verify::rules::{GRAY_PIXELS, OPEN_BORDER};
    use crate::verify::{Finding, Report, Rule};

    fn report(findings: Vec<Finding>) -> Report {
        Report { findings, solid_share: Some(SolidShare::new(3, 9)), ..Report::default() }
    }

    fn found(rule: &'static Rule, path: &str, headline: &str) -> Finding {
        Finding::new(rule, Path::new(path), headline)
    }

    fn checked(reports: Vec<(&str, Vec<Finding>)>) -> Checked {
        let reports = reports.into_iter().map(|(path, findings)| (path.into(), report(findings)));
        Checked::new(reports, [], Path::to_owned)
    }

    fn numbers(known: usize, fixed: usize) -> Known {
        Known { known, fixed, ..Known::default() }
    }

    fn before() -> Checked {
        checked(vec![
            ("a.png", vec![found(&GRAY_PIXELS, "a.png", "1 pixel is gray")]),
            ("b.tmx", vec![found(&OPEN_BORDER, "b.tmx", "the left side is open")]),
            ("gone.tmx", vec![found(&OPEN_BORDER, "gone.tmx", "the left side is open")]),
        ])
    }

    #[test]
    fn only_new_findings_count_and_those_that_are_gone_are_fixed() {
        let baseline = Baseline::of(&before());
        let read = Baseline::decode(baseline.to_json().as_bytes()).unwrap();
        assert_eq!((read.len(), read.is_empty()), (3, false));
        assert_eq!(read.share_of(Path::new("./a.png")), Some(SolidShare::new(3, 9)));

        let moved = Place { pixel: Some((7, 8)), ..Place::default() };
        let now = checked(vec![
            ("a.png", vec![found(&GRAY_PIXELS, "a.png", "5 pixels are gray").at(moved)]),
            ("b.tmx", vec![found(&OPEN_BORDER, "b.tmx", "the top side is open")]),
        ]);
        let now = now.since(&read, |path| path == Path::new("gone.tmx"));
        assert_eq!(now.known, Some(numbers(1, 2)));
        assert_eq!(now.findings.len(), 1);
        assert_eq!(now.findings[0].finding.headline, "the top side is open");
    }

    #[test]
    fn a_file_that_was_not_checked_is_not_fixed_and_stays_in_the_baseline() {
        let baseline = Baseline::of(&before());
        let now = checked(vec![("a.png", vec![])]);
        let compared = now.clone().since(&baseline, |_| false);
        assert_eq!(compared.known, Some(numbers(0, 1)));
        let is_there = |path: &Path| path != Path::new("gone.tmx");
        let again = Baseline::of(&now).with_unchecked_of(&baseline, &now, is_there);
        assert_eq!(again.len(), 1);
        assert!(again.share_of(Path::new("b.tmx")).is_some());
        assert!(again.share_of(Path::new("gone.tmx")).is_none());
    }

    #[test]
    fn one_more_of_equal_findings_is_new() {
        let open = || found(&OPEN_BORDER, "b.tmx", "an object is outside");
        let at = |x| open().at(Place { pixel: Some((x, 0)), ..Place::default() });
        let baseline = Baseline::of(&checked(vec![("b.tmx", vec![at(1), at(2)])]));
        let now = checked(vec![("b.tmx", vec![at(5), at(6), at(7)])]).since(&baseline, |_| false);
        assert_eq!(now.known, Some(numbers(2, 0)));
        assert_eq!(now.findings.len(), 1);
    }

    /// A rule that tells all faults of a kind at once does not hide one more of them.
    #[test]
    fn one_more_of_a_group_is_told_as_new() {
        let walled = |count, first: &str| {
            let headline = match count {
                1 => format!("the spawn `{first}` is in a solid"),
                _ => format!("{count} spawns are in solids, first `{first}`"),
            };
            let finding = found(&OPEN_BORDER, "b.tmx", &headline).of_many("", count);
            checked(vec![("b.tmx", vec![finding])])
        };
        let text = Baseline::of(&walled(2, "a")).to_json();
        let baseline = Baseline::decode(text.as_bytes()).unwrap();
        for fewer in [walled(2, "b"), walled(1, "b")] {
            assert_eq!(fewer.since(&baseline, |_| false).known, Some(numbers(1, 0)));
        }
        let more = walled(5, "a").since(&baseline, |_| false);
        assert_eq!(more.known, Some(numbers(0, 0)));
        assert_eq!(more.findings[0].finding.headline, "5 spawns are in solids, first `a`; 3 new");
        assert!(!Baseline::of(&before()).to_json().contains("count"));
    }

    #[test]
    fn a_finding_of_two_baselines_is_fixed_once() {
        let (all, none) = (Baseline::of(&before()), Baseline::default());
        let now = || checked(vec![("a.png", vec![])]);
        let both = all.clone().of_revision().with(&all).with(&none);
        assert_eq!(both.len(), 3);
        let known = now().since(&both, |_| false).known.unwrap();
        assert_eq!(known, Known { by: KnownBy::Both, ..numbers(0, 1) });
    }

    #[test]
    fn what_is_no_baseline_is_an_error_in_words() {
        for (bytes, expected) in [
            (&b"{}"[..], "not a baseline: missing field `version`"),
            (b"\xff", "not a baseline: "),
            (
                b"{\"version\": 2, \"findings\": []}",
                "a baseline of version 2; this program reads 1",
            ),
        ] {
            let error = Baseline::decode(bytes).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn the_text_does_not_depend_on_the_order_and_holds_no_commands() {
        let mut reversed = before();
        reversed.findings.reverse();
        assert_eq!(Baseline::of(&before()).to_json(), Baseline::of(&reversed).to_json());
        let hostile = found(&GRAY_PIXELS, "##[error]\n::error::x.png", "x `\u{1b}[31m`");
        let text = Baseline::of(&checked(vec![("a.png", vec![hostile])])).to_json();
        assert!(!text.contains("##") && !text.contains('\u{1b}'), "{text}");
        assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
    }
}
