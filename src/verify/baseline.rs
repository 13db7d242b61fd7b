//! Baselines: the findings that a project knows of, so that only new ones count. Text in, text out; no file
//! is opened here.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checked::{Checked, Known, Reported};
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
}

/// A finding of a baseline. Only the fingerprint and the path are compared; the rest is for people.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    path: String,
    code: String,
    fingerprint: String,
    #[serde(default)]
    headline: String,
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
            headline: printable(&reported.finding.headline).to_string(),
        };
        let shares = checked.files.iter();
        let shares = shares.filter_map(|(path, share)| Some((text_of(path), (*share)?)));
        Self { findings: checked.findings.iter().map(entry).collect(), levels: shares.collect() }
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

    /// The findings that the baseline does not have, in the same order, and the numbers of the others.
    /// `was_checked` tells whether a file was checked, or is gone; findings of the baseline in other files
    /// are neither known nor fixed. O(n).
    fn compare(
        &self,
        findings: Vec<Reported>,
        was_checked: impl Fn(&Path) -> bool,
    ) -> (Vec<Reported>, Known) {
        let mut open: HashMap<&str, &Entry> =
            self.findings.iter().map(|entry| (&*entry.fingerprint, entry)).collect();
        let all = findings.len();
        let is_new = |reported: &Reported| {
            let entry = open.get(&*reported.fingerprint);
            let is_known = entry.is_some_and(|entry| entry.code == reported.finding.rule.code);
            if is_known {
                open.remove(&*reported.fingerprint);
            }
            !is_known
        };
        let new: Vec<Reported> = findings.into_iter().filter(is_new).collect();
        let fixed = open.values().filter(|entry| was_checked(&path_of(&entry.path))).count();
        let known = all - new.len();
        (new, Known { known, fixed })
    }
}

impl Checked {
    /// This result without the findings that a baseline has, which are counted, beside those of a baseline
    /// before. `is_gone` tells whether a
    /// file that was not checked does not exist any more: its findings are fixed too.
    #[must_use]
    pub fn since(mut self, baseline: &Baseline, is_gone: impl Fn(&Path) -> bool) -> Self {
        let (new, known) =
            baseline.compare(self.findings, |path| self.files.contains_key(path) || is_gone(path));
        self.findings = new;
        let before = self.known.unwrap_or_default();
        self.known =
            Some(Known { known: before.known + known.known, fixed: before.fixed + known.fixed });
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
        assert_eq!(now.known, Some(Known { known: 1, fixed: 2 }));
        assert_eq!(now.findings.len(), 1);
        assert_eq!(now.findings[0].finding.headline, "the top side is open");
    }

    #[test]
    fn a_file_that_was_not_checked_is_not_fixed_and_stays_in_the_baseline() {
        let baseline = Baseline::of(&before());
        let now = checked(vec![("a.png", vec![])]);
        let compared = now.clone().since(&baseline, |_| false);
        assert_eq!(compared.known, Some(Known { known: 0, fixed: 1 }));
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
        assert_eq!(now.known, Some(Known { known: 2, fixed: 0 }));
        assert_eq!(now.findings.len(), 1);
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
