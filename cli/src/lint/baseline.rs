//! Baselines: the findings that a project knows of, so that only new ones count. Text in, text out; no file
//! is opened here.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::checked::{Checked, KnownBy, KnownCounts, Reported, short_print, slashed_text};
use super::config::SolidShare;
use super::finding::Finding;
use super::output::pretty_json;
use bitwall::load::Place;
use bitwall::text::printable;

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
    /// Solid and all cells, by the paths in the repository.
    levels: BTreeMap<String, [u64; 2]>,
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
        let mut baseline = Self::default();
        for Reported { finding, path, fingerprint } in &checked.findings {
            let mut faults = fault_prints(finding);
            faults.sort();
            let entry = KnownFinding {
                path: slashed_text(path),
                code: finding.rule.code.to_owned(),
                fingerprint: fingerprint.clone(),
                count: finding.count(),
                faults,
                headline: printable(&finding.headline).to_string(),
            };
            baseline.findings.insert(fingerprint.clone(), entry);
        }
        for (path, share) in &checked.files {
            if let Some(SolidShare { solid, cells }) = *share {
                baseline.levels.insert(slashed_text(path), [solid, cells]);
            }
        }
        baseline
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
            let known = self.findings.entry(print.clone()).or_insert_with(|| entry.clone());
            known.add(entry);
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
        let files: HashSet<String> = checked.files.keys().map(|path| slashed_text(path)).collect();
        let is_kept = |path: &str| !files.contains(path) && is_there(Path::new(path));
        for (print, entry) in other.findings.iter().filter(|(_, entry)| is_kept(&entry.path)) {
            self.findings.insert(print.clone(), entry.clone());
        }
        for (path, share) in other.levels.iter().filter(|(path, _)| is_kept(path)) {
            self.levels.insert(path.clone(), *share);
        }
        self
    }

    /// The baseline that a file holds.
    ///
    /// # Errors
    /// The reason in plain words, safe to print, if the bytes are not a baseline of this version.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let BaselineFile { version, findings, levels } = serde_json::from_slice(bytes)
            .map_err(|error| format!("not a baseline: {}", printable(&error.to_string())))?;
        if version != VERSION {
            return Err(format!("a baseline of version {version}; this program reads {VERSION}"));
        }
        let mut baseline = Self { levels, ..Self::default() };
        for entry in findings {
            baseline.findings.insert(entry.fingerprint.clone(), entry);
        }
        Ok(baseline)
    }

    /// The baseline as a file holds it: JSON, sorted by path, so that a version control system shows and
    /// merges its changes line by line.
    pub fn to_json(&self) -> String {
        let mut findings: Vec<KnownFinding> = self.findings.values().cloned().collect();
        // Equal ones stay in the order of their fingerprints.
        findings.sort_by(|a, b| (&a.path, &a.code).cmp(&(&b.path, &b.code)));
        pretty_json(&BaselineFile { version: VERSION, findings, levels: self.levels.clone() })
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
        self.levels.get(&slashed_text(path)).map(|[solid, cells]| SolidShare::new(*solid, *cells))
    }

    /// The numbers of the faults of a finding that the baseline has, and that it does not have. `share` is
    /// that of the solid cells of its level.
    pub(crate) fn split(&self, reported: &Reported, share: Option<SolidShare>) -> [u64; 2] {
        let count = reported.finding.count();
        let new = self.new_faults(reported, share).map_or(count, |(new, _)| new);
        [count.saturating_sub(new), new]
    }

    /// The number and the names of the faults of a finding that the baseline does not have; `None` if it
    /// does not have the finding. Places tell faults apart only in a level of the same size; else, and
    /// without names, the number of faults does.
    fn new_faults(
        &self,
        Reported { finding, path, fingerprint }: &Reported,
        share: Option<SolidShare>,
    ) -> Option<(u64, Vec<String>)> {
        let entry = self.findings.get(fingerprint).filter(|it| it.code == finding.rule.code)?;
        let cells = |share: SolidShare| share.cells;
        let is_same_size = share.map(cells) == self.share_of(path).map(cells);
        let group = finding.group.as_ref().filter(|it| is_same_size || !it.are_places);
        let names = group.map_or(&[][..], |group| &group.names);
        if names.is_empty() || entry.faults.is_empty() {
            return Some((finding.count().saturating_sub(entry.count), Vec::new()));
        }
        let new = beyond(&entry.faults, &fault_prints(finding));
        Some((new.len() as u64, new.into_iter().map(|index| names[index].clone()).collect()))
    }
}

impl KnownFinding {
    fn add(&mut self, other: &Self) {
        self.count = self.count.max(other.count);
        if self.faults.is_empty() || other.faults.is_empty() {
            self.faults.clear();
            return;
        }
        let new = beyond(&self.faults, &other.faults);
        self.faults.extend(new.into_iter().map(|index| other.faults[index].clone()));
        self.faults.sort();
        self.count = self.count.max(self.faults.len() as u64);
    }
}

/// Adds to a finding that `more` of its faults are new, and their names. If its first fault is an old one, it
/// no longer points at it.
fn mark_new(finding: &mut Finding, more: u64, names: &[String]) {
    finding.headline += &format!("; {more} new");
    if names.is_empty() {
        return;
    }
    const NAMED: usize = 3;
    finding.headline += &format!(": {}", names[..names.len().min(NAMED)].join("; "));
    if names.len() > NAMED {
        finding.headline += &format!("; and {} more", names.len() - NAMED);
    }
    let first = finding.group.as_ref().and_then(|group| group.names.first());
    if first.is_none_or(|first| !names.contains(first)) {
        let Place { tileset, layer, .. } = std::mem::take(&mut finding.place);
        finding.place = Place { tileset, layer, ..Place::default() };
        (finding.area, finding.excerpt) = (None, None);
        finding.trace.clear();
    }
}

/// The fingerprints of the faults of a finding that have names.
fn fault_prints(finding: &Finding) -> Vec<String> {
    let names = finding.group.as_ref().map_or(&[][..], |group| &group.names);
    names.iter().map(|name| short_print(name)).collect()
}

/// The indices of the faults that are not among the known ones. A fingerprint that is known twice stands for
/// two.
fn beyond(known: &[String], faults: &[String]) -> Vec<usize> {
    let mut open = HashMap::<&str, u32>::new();
    for known in known {
        *open.entry(known).or_default() += 1;
    }
    let mut new = Vec::new();
    for (index, fault) in faults.iter().enumerate() {
        match open.get_mut(&**fault) {
            Some(count) if *count > 0 => *count -= 1,
            _ => new.push(index),
        }
    }
    new
}

impl Checked {
    /// This result without the findings that a baseline has, which are counted. A finding for more faults
    /// than the baseline knows has the number of the new ones in its headline. A file that was not checked
    /// and for which `is_gone` is true does not exist any more: its findings are fixed too. Two baselines
    /// are [one](Baseline::with) before. O(n log n).
    #[must_use]
    pub fn since(mut self, baseline: &Baseline, is_gone: impl Fn(&Path) -> bool) -> Self {
        let mut counts = KnownCounts { by: baseline.by, ..KnownCounts::default() };
        let mut seen = HashSet::new();
        for mut reported in std::mem::take(&mut self.findings) {
            let share = self.files.get(&reported.path).copied().flatten();
            let new_faults = baseline.new_faults(&reported, share);
            if new_faults.is_some() {
                seen.insert(reported.fingerprint.clone());
            }
            match new_faults {
                Some((0, _)) => counts.known += 1,
                Some((more, names)) => {
                    mark_new(&mut reported.finding, more, &names);
                    self.findings.push(reported);
                }
                None => self.findings.push(reported),
            }
        }
        let was_checked = |path: &Path| self.files.contains_key(path) || is_gone(path);
        let gone = baseline.findings.iter().filter(|(print, _)| !seen.contains(*print));
        counts.fixed = gone.filter(|(_, entry)| was_checked(Path::new(&entry.path))).count();
        self.known = Some(counts);
        self
    }
}

#[cfg(test)]
mod tests;
