//! Baselines: files with the known findings of a project, so that only new findings count. Opens no file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checked::slashed_text;
use super::output::pretty_json;
use super::{Checked, Finding, KnownCounts, Reported, SolidShare};
use bitwall::error::Place;
use bitwall::text::printable;

/// The version of the file format. It grows when a field is removed or changes its meaning, not for a new
/// field.
const VERSION: u32 = 2;

/// The known findings of an earlier run, and the number of solid cells in each level.
///
/// A finding is known by its rule, its file and its subject.
///
/// ```
/// use bitwall_cli::lint::{Baseline, Checked};
///
/// let baseline = Baseline::new(&Checked::default());
/// assert!(Baseline::decode(baseline.to_json().as_bytes()).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    findings: BTreeMap<Key, KnownFinding>,
    /// Maps the path of each level in the repository to the number of its solid cells and of all its cells.
    levels: BTreeMap<String, [u64; 2]>,
}

/// The file, the rule and the subject of a finding.
type Key = [String; 3];

fn key(reported: &Reported) -> Key {
    let code = reported.finding.rule.code.to_owned();
    [slashed_text(&reported.path), code, reported.subject.clone()]
}

/// A finding in a baseline.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KnownFinding {
    path: String,
    code: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    subject: String,
    count: u64,
    /// The sorted names of the faults that the finding groups. Empty if the faults have no names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    faults: Vec<String>,
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
        for reported in &checked.findings {
            let mut faults = names(&reported.finding).to_vec();
            faults.sort();
            let count = reported.finding.count();
            let [path, code, subject] = key(reported);
            let entry = KnownFinding { path, code, subject, count, faults };
            baseline.findings.insert(entry.key(), entry);
        }
        for (path, share) in &checked.files {
            if let Some(SolidShare { solid, cells }) = *share {
                baseline.levels.insert(slashed_text(path), [solid, cells]);
            }
        }
        baseline
    }

    /// Gives the files of the baseline their current paths. `renamed` has the current path of each renamed
    /// file and its path before.
    #[must_use]
    pub fn renamed(mut self, renamed: &BTreeMap<PathBuf, PathBuf>) -> Self {
        for (now, then) in renamed {
            let now = slashed_text(now);
            let then = slashed_text(then);
            if let Some(share) = self.levels.remove(&then) {
                self.levels.insert(now.clone(), share);
            }
            let entries = self.findings.values_mut().filter(|entry| entry.path == then);
            entries.for_each(|entry| entry.path.clone_from(&now));
        }
        let entries = self.findings.into_values();
        self.findings = entries.map(|entry| (entry.key(), entry)).collect();
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
        let findings = findings.into_iter().map(|entry| (entry.key(), entry)).collect();
        Ok(Self { findings, levels })
    }

    /// Encodes the baseline as JSON. Findings and levels are sorted by path, so that version control shows
    /// changes line by line.
    pub fn to_json(&self) -> String {
        let findings: Vec<KnownFinding> = self.findings.values().cloned().collect();
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

    /// Returns the number and the names of the faults in a finding that are not in the baseline; `None` if
    /// the whole finding is not in it.
    ///
    /// Faults are compared by name. In two cases only their numbers are compared, and no names are returned:
    /// - The faults have no names in the finding or in the baseline.
    /// - The names are coordinates in the level, and the number of cells in the level has changed.
    fn new_faults(
        &self,
        reported: &Reported,
        share: Option<SolidShare>,
    ) -> Option<(u64, Vec<String>)> {
        let entry = self.findings.get(&key(reported))?;
        let finding = &reported.finding;
        let cells = share.map(|share| share.cells);
        let is_same_size = cells == self.share_of(&reported.path).map(|share| share.cells);
        let are_places = finding.group.as_ref().is_some_and(|group| group.are_places);
        let names = names(finding);
        if names.is_empty() || entry.faults.is_empty() || are_places && !is_same_size {
            return Some((finding.count().saturating_sub(entry.count), Vec::new()));
        }
        let new = beyond(&entry.faults, names);
        Some((new.len() as u64, new))
    }
}

impl KnownFinding {
    fn key(&self) -> Key {
        [self.path.clone(), self.code.clone(), self.subject.clone()]
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

fn names(finding: &Finding) -> &[String] {
    finding.group.as_ref().map_or(&[], |group| &group.names)
}

/// Returns the names in `faults` that are not in `known`. Each name in `known` covers one fault, so a name
/// that occurs twice covers two.
fn beyond(known: &[String], faults: &[String]) -> Vec<String> {
    let mut open = HashMap::<&str, u32>::new();
    for known in known {
        *open.entry(known).or_default() += 1;
    }
    let mut new = Vec::new();
    for fault in faults {
        match open.get_mut(&**fault) {
            Some(count) if *count > 0 => *count -= 1,
            _ => new.push(fault.clone()),
        }
    }
    new
}

impl Checked {
    /// Removes and counts the findings that are in the baseline. A finding with additional faults is kept,
    /// and its headline states how many are new.
    ///
    /// A finding of the baseline counts as fixed in two cases: its file was checked without this finding, or
    /// `is_gone` returns true for the path of its file. O(n log n) for n findings.
    #[must_use]
    pub fn since(mut self, baseline: &Baseline, is_gone: impl Fn(&Path) -> bool) -> Self {
        let mut counts = KnownCounts { known: 0, fixed: 0 };
        let mut seen = HashSet::new();
        for mut reported in std::mem::take(&mut self.findings) {
            let share = self.files.get(&reported.path).copied().flatten();
            if let Some((more, names)) = baseline.new_faults(&reported, share) {
                seen.insert(key(&reported));
                if more == 0 {
                    counts.known += 1;
                    continue;
                }
                mark_new(&mut reported.finding, more, &names);
            }
            self.findings.push(reported);
        }
        for (key, entry) in &baseline.findings {
            let path = Path::new(&entry.path);
            let was_checked = self.files.contains_key(path) || is_gone(path);
            counts.fixed += usize::from(was_checked && !seen.contains(key));
        }
        self.known = Some(counts);
        self
    }
}

#[cfg(test)]
mod tests;
