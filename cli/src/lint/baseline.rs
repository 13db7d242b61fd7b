//! Baselines: files with the known findings of a project, so that only new findings count. Opens no file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::checked::{Checked, KnownBy, KnownCounts, Reported, short_print, slashed_text};
use super::config::SolidShare;
use super::finding::Finding;
use super::output::pretty_json;
use bitwall::error::Place;
use bitwall::text::printable;

/// The version of the file format. It grows when a field is removed or changes its meaning, not for a new
/// field.
const VERSION: u32 = 1;

/// The known findings of an earlier run, by [fingerprint](super::fingerprints()), and the number of solid
/// cells in each level.
///
/// ```
/// use bitwall_cli::lint::{Baseline, Checked};
///
/// let baseline = Baseline::new(&Checked::default());
/// assert!(Baseline::decode(baseline.to_json().as_bytes()).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    findings: BTreeMap<String, KnownFinding>,
    /// Maps the path of each level in the repository to the number of its solid cells and of all its cells.
    levels: BTreeMap<String, [u64; 2]>,
    by: KnownBy,
}

/// A finding in a baseline. `headline` is only for people who read the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KnownFinding {
    path: String,
    code: String,
    fingerprint: String,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    count: u64,
    /// The sorted fingerprints of the faults that the finding groups. Empty if the faults have no names.
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
    /// Creates a baseline with the findings and the numbers of solid cells of the run `checked`.
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

    /// Marks this baseline as the findings of a revision instead of a baseline file.
    #[must_use]
    pub fn of_revision(mut self) -> Self {
        self.by = KnownBy::Revision;
        self
    }

    /// Merges two baselines. A finding in both gets the faults of both; a level in both keeps the numbers of
    /// cells of `self`.
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

    /// Adds those findings and levels of `other` whose files were not checked in `checked` but still exist.
    /// `is_there` returns true if the file at a path exists.
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

    /// Decodes a baseline from the bytes of a file.
    ///
    /// # Errors
    /// Returns the reason in words, safe to print, if the bytes are not a baseline of this version.
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

    /// Encodes the baseline as JSON. Findings and levels are sorted by path, so that version control shows
    /// changes line by line.
    pub fn to_json(&self) -> String {
        let mut findings: Vec<KnownFinding> = self.findings.values().cloned().collect();
        // The sort is stable, so findings with the same path and code stay sorted by fingerprint.
        findings.sort_by(|a, b| (&a.path, &a.code).cmp(&(&b.path, &b.code)));
        pretty_json(&BaselineFile { version: VERSION, findings, levels: self.levels.clone() })
    }

    /// The number of findings in the baseline.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// True if the baseline has no findings.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns the numbers of solid cells and of all cells that a level had in the earlier run. `path` is
    /// relative to the root of the repository. `None` if the baseline lacks the level.
    pub fn share_of(&self, path: &Path) -> Option<SolidShare> {
        self.levels.get(&slashed_text(path)).map(|[solid, cells]| SolidShare::new(*solid, *cells))
    }

    /// Returns `[known, new]`: the number of faults in a finding that the baseline also has, and the number
    /// of its other faults. `share` holds the present numbers of cells in the finding's level; `None` if the
    /// level could not be loaded.
    pub(crate) fn split(&self, reported: &Reported, share: Option<SolidShare>) -> [u64; 2] {
        let count = reported.finding.count();
        let new = self.new_faults(reported, share).map_or(count, |(new, _)| new);
        [count.saturating_sub(new), new]
    }

    /// Returns the number and the names of the faults in a finding that are not in the baseline; `None` if
    /// the whole finding is not in it.
    ///
    /// Faults are compared by name. In two cases only their numbers are compared, and no names are returned:
    /// - The faults have no names in the finding or in the baseline.
    /// - The names are coordinates in the level, and the number of cells in the level has changed.
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

/// Adds to the headline that `more` faults are new, with up to three of their `names`.
///
/// The place of a finding is the place of its first fault. If `names` lacks the first fault, only tileset and
/// layer of the place are kept. If `names` is empty, the place does not change.
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

fn fault_prints(finding: &Finding) -> Vec<String> {
    let names = finding.group.as_ref().map_or(&[][..], |group| &group.names);
    names.iter().map(|name| short_print(name)).collect()
}

/// Returns the indices of the fingerprints in `faults` that are not in `known`. Each fingerprint in `known`
/// covers one fault, so a fingerprint that occurs twice covers two.
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
    /// Removes and counts the findings that are in the baseline. A finding with additional faults is kept,
    /// and its headline states how many are new.
    ///
    /// A finding of the baseline counts as fixed in two cases: its file was checked without this finding, or
    /// `is_gone` returns true for the path of its file. To compare with two baselines,
    /// [merge](Baseline::with) them first. O(n log n) for n findings.
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
