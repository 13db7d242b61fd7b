//! Baselines: the findings that a project knows of, so that only new ones count. Text in, text out; no file
//! is opened here.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checked::{Checked, KnownBy, KnownCounts, Reported, short_print, slashed};
use super::config::SolidShare;
use super::finding::Finding;
use bitwall::load::Place;
use bitwall::text::{printable, printable_json};

/// The version of the format. It grows when a field is removed or changes its meaning, not with a new field.
const VERSION: u32 = 1;

/// The findings of an earlier run, by their [fingerprints](super::fingerprints()), and the solid cells of
/// each level.
///
/// ```
/// use bitwall_cli::lint::{Baseline, Checked};
///
/// let baseline = Baseline::new(&Checked::default());
/// assert!(Baseline::decode(baseline.to_json().as_bytes()).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// By their fingerprints.
    findings: BTreeMap<String, KnownFinding>,
    /// By their paths in the repository.
    levels: BTreeMap<String, SolidShare>,
    by: KnownBy,
}

/// A finding of a baseline. The fingerprint, the code and the count are compared; the rest is for people.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KnownFinding {
    path: String,
    code: String,
    fingerprint: String,
    /// The faults that it stands for.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    count: u64,
    /// The fingerprints of these faults, sorted, if they have names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    faults: Vec<String>,
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
struct BaselineFile {
    version: u32,
    findings: Vec<KnownFinding>,
    #[serde(default)]
    levels: BTreeMap<String, [u64; 2]>,
}

impl Baseline {
    /// The findings and levels of a run.
    pub fn new(checked: &Checked) -> Self {
        let entry = |reported: &Reported| {
            let mut faults: Vec<_> =
                faults_of(&reported.finding).into_iter().map(|(print, _)| print).collect();
            faults.sort();
            let entry = KnownFinding {
                path: text_of(&reported.path),
                code: reported.finding.rule.code.to_owned(),
                fingerprint: reported.fingerprint.clone(),
                count: reported.finding.count(),
                faults,
                headline: printable(&reported.finding.headline).to_string(),
            };
            (reported.fingerprint.clone(), entry)
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
    /// faults of both; of a level, the solid cells of this one.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        for (print, entry) in &other.findings {
            match self.findings.get_mut(print) {
                Some(known) => known.add(entry),
                None => drop(self.findings.insert(print.clone(), entry.clone())),
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
        let findings = other.findings.iter().filter(|(_, entry)| is_kept(&entry.path));
        self.findings.extend(findings.map(|(print, entry)| (print.clone(), entry.clone())));
        let levels = other.levels.iter().filter(|(path, _)| is_kept(path));
        self.levels.extend(levels.map(|(path, share)| (path.clone(), *share)));
        self
    }

    /// The baseline that a file holds.
    ///
    /// # Errors
    /// The reason in plain words, safe to print, if the bytes are not a baseline of this version.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let document: BaselineFile = serde_json::from_slice(bytes)
            .map_err(|error| format!("not a baseline: {}", printable(&error.to_string())))?;
        match document.version {
            VERSION => {}
            other => {
                return Err(format!("a baseline of version {other}; this program reads {VERSION}"));
            }
        }
        let by_print = |entry: KnownFinding| (entry.fingerprint.clone(), entry);
        let share =
            |(path, [solid, cells]): (String, [u64; 2])| (path, SolidShare::new(solid, cells));
        Ok(Self {
            findings: document.findings.into_iter().map(by_print).collect(),
            levels: document.levels.into_iter().map(share).collect(),
            by: KnownBy::Baseline,
        })
    }

    /// The baseline as a file holds it: JSON, sorted by path, so that a version control system shows and
    /// merges its changes line by line.
    pub fn to_json(&self) -> String {
        let mut findings: Vec<KnownFinding> = self.findings.values().cloned().collect();
        let key = |entry: &KnownFinding| {
            (entry.path.clone(), entry.code.clone(), entry.fingerprint.clone())
        };
        findings.sort_by_cached_key(key);
        let share =
            |(path, share): (&String, &SolidShare)| (path.clone(), [share.solid, share.cells]);
        let levels = self.levels.iter().map(share).collect();
        let document = BaselineFile { version: VERSION, findings, levels };
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

    /// The numbers of the faults of a finding that the baseline has, and that it does not have. `share` is
    /// that of the solid cells of its level.
    pub(crate) fn split(&self, reported: &Reported, share: Option<SolidShare>) -> [u64; 2] {
        let count = reported.finding.count();
        let new = self.new_faults(reported, share).map_or(count, |(new, _)| new);
        [count.saturating_sub(new), new]
    }

    /// The number and the names of the faults of a finding that the baseline does not have; `None` if it
    /// does not have the finding.
    fn new_faults(
        &self,
        reported: &Reported,
        share: Option<SolidShare>,
    ) -> Option<(u64, Vec<String>)> {
        let entry = self.findings.get(&reported.fingerprint);
        let entry = entry.filter(|entry| entry.code == reported.finding.rule.code)?;
        let cells = share.map(|share| share.cells);
        let is_same_size = cells == self.share_of(&reported.path).map(|share| share.cells);
        Some(entry.new_faults(&reported.finding, is_same_size))
    }

    /// The findings that the baseline does not have, in the same order, and the numbers of the others. A
    /// finding for more faults than the baseline knows has the number of the new ones in its headline.
    /// Findings of the baseline in files that were neither checked nor are gone are neither known nor
    /// fixed. O(n log n).
    fn compare(
        &self,
        findings: Vec<Reported>,
        files: &BTreeMap<PathBuf, Option<SolidShare>>,
        is_gone: impl Fn(&Path) -> bool,
    ) -> (Vec<Reported>, KnownCounts) {
        let mut open: BTreeMap<&str, &KnownFinding> =
            self.findings.iter().map(|(print, entry)| (&**print, entry)).collect();
        let (mut new, mut known) = (Vec::new(), 0);
        for mut reported in findings {
            let share = files.get(&reported.path).copied().flatten();
            let faults = self.new_faults(&reported, share);
            if faults.is_some() {
                open.remove(&*reported.fingerprint);
            }
            match faults {
                Some((0, _)) => known += 1,
                Some((more, names)) => {
                    mark_new(&mut reported.finding, more, &names);
                    new.push(reported);
                }
                None => new.push(reported),
            }
        }
        let was_checked = |path: &Path| files.contains_key(path) || is_gone(path);
        let fixed = open.values().filter(|entry| was_checked(&path_of(&entry.path))).count();
        (new, KnownCounts { known, fixed, by: self.by })
    }
}

impl KnownFinding {
    /// Adds the faults of another entry of this finding.
    fn add(&mut self, other: &Self) {
        self.count = self.count.max(other.count);
        if self.faults.is_empty() || other.faults.is_empty() {
            self.faults.clear();
            return;
        }
        let more: Vec<String> =
            beyond(&self.faults, &other.faults, |fault| fault).cloned().collect();
        self.faults.extend(more);
        self.faults.sort();
        self.count = self.count.max(self.faults.len() as u64);
    }

    /// The number of faults of a finding that this entry does not have, and the names of them. Places tell
    /// faults apart only in a level of the same size; else the number of faults does.
    fn new_faults(&self, finding: &Finding, is_same_size: bool) -> (u64, Vec<String>) {
        let are_places = finding.group.as_ref().is_some_and(|group| group.are_places);
        let faults = faults_of(finding);
        if faults.is_empty() || self.faults.is_empty() || are_places && !is_same_size {
            return (finding.count().saturating_sub(self.count), Vec::new());
        }
        let new = beyond(&self.faults, &faults, |(print, _)| print);
        let new: Vec<String> = new.map(|(_, name)| name.clone()).collect();
        (new.len() as u64, new)
    }
}

/// Adds to a finding that `more` of its faults are new, and their names. If its first fault is an old one, it
/// no longer points at it.
fn mark_new(finding: &mut Finding, more: u64, names: &[String]) {
    finding.headline += &format!("; {more} new");
    if names.is_empty() {
        return;
    }
    finding.headline += &format!(": {}", listed(names));
    let first = finding.group.as_ref().and_then(|group| group.names.first());
    if first.is_none_or(|first| !names.contains(first)) {
        let Place { tileset, layer, .. } = std::mem::take(&mut finding.place);
        finding.place = Place { tileset, layer, ..Place::default() };
        (finding.area, finding.excerpt) = (None, None);
        finding.trace.clear();
    }
}

/// The faults of a finding that stands for several, each as its fingerprint and its name.
fn faults_of(finding: &Finding) -> Vec<(String, String)> {
    let names = finding.group.iter().flat_map(|group| &group.names);
    names.map(|name| (short_print(name), name.clone())).collect()
}

/// Those of the faults that are not among the known ones. A fingerprint that is known twice stands for two.
fn beyond<'f, T>(
    known: &'f [String],
    faults: &'f [T],
    print: impl Fn(&T) -> &String,
) -> impl Iterator<Item = &'f T> {
    let mut open = HashMap::<&str, u32>::new();
    for known in known {
        *open.entry(known).or_default() += 1;
    }
    faults.iter().filter(move |fault| match open.get_mut(&**print(fault)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    })
}

/// Names in one line, the first three of them.
fn listed(names: &[String]) -> String {
    const NAMED: usize = 3;
    let mut words = names.iter().take(NAMED).cloned().collect::<Vec<_>>();
    if names.len() > NAMED {
        words.push(format!("and {} more", names.len() - NAMED));
    }
    words.join("; ")
}

impl Checked {
    /// This result without the findings that a baseline has, which are counted. A file that was not checked
    /// and for which `is_gone` is true does not exist any more: its findings are fixed too. Two baselines
    /// are [one](Baseline::with) before.
    #[must_use]
    pub fn since(mut self, baseline: &Baseline, is_gone: impl Fn(&Path) -> bool) -> Self {
        let (new, known) = baseline.compare(self.findings, &self.files, is_gone);
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
mod tests;
