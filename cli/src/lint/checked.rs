//! The result of a run over many files, and the fingerprints that identify a finding after edits.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

use crate::lint::finding::report_order;
use crate::lint::rules::{
    GUESSED_SOLIDS, LOST_REFERENCE, MISSING_PICTURE, NOTHING_SOLID, SHAPE_IN_ALPHA, UNCLEAR_MASK,
};
use crate::lint::{Finding, LintRule, Report, Severity, SkipReason, Skipped, SolidShare};
use bitwall::error::Place;
use bitwall::text::{counted, path_in_line};

/// The findings in all files of a run, and the files and rules that were not checked.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Findings, sorted by severity (errors first), path, code and place.
    pub findings: Vec<Reported>,
    /// Maps the path of each checked file in the repository to the numbers of solid cells and of all cells in
    /// its level; `None` for a level that could not be loaded.
    pub files: BTreeMap<PathBuf, Option<SolidShare>>,
    /// Rules that are on but could not be checked for some files. One entry for each pair of rule and reason.
    pub skipped: Vec<SkippedRule>,
    /// The number of pictures in the searched folders that were skipped, because nothing marks them as masks.
    pub pictures: usize,
    /// The number of levels that were skipped because their `bitwall.toml` is broken.
    pub unchecked: usize,
    /// The result of the comparison with a baseline or a revision; `None` if there was no comparison.
    pub known: Option<KnownCounts>,
}

/// A finding with its key: its rule, its path in the repository, and its subject.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reported {
    /// The finding. Its path is relative to the current folder or absolute, as the file or folder was typed.
    pub finding: Finding,
    /// The path from the root of the repository; outside a repository, the path in `finding`.
    pub path: PathBuf,
    /// What is at fault in the file, which edits elsewhere do not change: the kind of a group of faults, or
    /// else the names of tileset, layer and object and those in the headline. Equal subjects are numbered.
    pub subject: String,
    /// A hash of the key: 32 hexadecimal digits. The path is left out for a cause in several files.
    pub fingerprint: String,
    /// The findings in other files that have the same cause, if [`Checked::grouped`] has merged them.
    pub others: Vec<Reported>,
}

impl Reported {
    fn new(finding: Finding, path: PathBuf, subject: String) -> Self {
        let parts = [finding.rule.code.as_bytes(), &slashed(&path), subject.as_bytes()];
        let fingerprint = format!("{:032x}", hash(&parts));
        Self { finding, path, subject, fingerprint, others: Vec::new() }
    }
}

/// A rule that could not be checked for some files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SkippedRule {
    /// The rule.
    pub rule: &'static LintRule,
    /// The reason that the rule could not be checked.
    pub reason: SkipReason,
    /// The number of files for which the rule was skipped.
    pub files: usize,
}

/// The numbers from a comparison with an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnownCounts {
    /// The number of findings that the earlier run also had. They are removed from the result.
    pub known: usize,
    /// The number of earlier findings that are gone, in checked files and in files that no longer exist.
    pub fixed: usize,
}

impl Checked {
    /// Collects the `reports` of a run. Each report comes with the path of its file.
    ///
    /// `other` has findings in further files, such as configurations. `in_repository` returns the path from
    /// the root of the repository for a path. A finding that occurs in several reports, such as a fault of a
    /// shared tileset, is kept once. O(n log n) for n findings and files.
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
        let mut findings = Vec::from_iter(other);
        let mut skipped = BTreeMap::new();
        let mut checked = Self::default();
        for (path, report) in reports {
            checked.files.insert(in_repository(&path), report.solid_share);
            findings.extend(report.findings);
            for Skipped { rule, reason } in report.skipped {
                let key = (rule.code, reason.clone());
                skipped.entry(key).or_insert(SkippedRule { rule, reason, files: 0 }).files += 1;
            }
        }
        checked.skipped = skipped.into_values().collect();
        findings.sort_by(report_order);
        for same in findings.chunk_by_mut(is_same) {
            let count = same.len();
            if count > 1 {
                same[0].notes.push(format!("{count} levels have this finding in this file"));
            }
        }
        findings.dedup_by(|next, kept| is_same(kept, next));
        let mut seen = HashMap::<_, u32>::new();
        for finding in findings {
            let path = in_repository(&finding.path);
            let mut subject = subject(&finding);
            let number =
                seen.entry((finding.rule.code, path.clone(), subject.clone())).or_default();
            *number += 1;
            if *number > 1 {
                subject += &format!(" #{number}");
            }
            checked.findings.push(Reported::new(finding, path, subject));
        }
        checked
    }

    /// Merges findings with one cause in several files, such as a lost tileset, into that of the first
    /// file.
    ///
    /// [`Reported::others`] has those of the other files. Call this after [`since`](Self::since), because the
    /// merged finding depends on the set of checked files. O(n log n) for n findings.
    #[must_use]
    pub fn grouped(mut self) -> Self {
        let mut groups = BTreeMap::<_, Vec<Reported>>::new();
        for reported in std::mem::take(&mut self.findings) {
            groups.entry(cause(&reported.finding)).or_default().push(reported);
        }
        for (cause, group) in groups {
            let files: BTreeSet<PathBuf> = group.iter().map(|it| it.path.clone()).collect();
            match cause {
                Some(cause) if files.len() >= least(cause.0) => {
                    self.findings.push(as_one(group, &files, &cause));
                }
                _ => self.findings.extend(group),
            }
        }
        self.findings.sort_by(|a, b| report_order(&a.finding, &b.finding));
        self
    }

    /// Returns the numbers of errors, of warnings and of notes.
    pub fn counts(&self) -> [u64; 3] {
        let mut counts = [0; 3];
        for reported in &self.findings {
            counts[reported.finding.severity as usize] += 1;
        }
        counts
    }
}

/// The rules whose findings one `bitwall.toml` can repair in a whole project. The two texts with each rule
/// are the words before and after the number in the headline of a merged finding, such as `nothing is solid
/// in 4 maps`.
static OF_PROJECTS: [(&LintRule, [&str; 2]); 4] = [
    (&NOTHING_SOLID, ["nothing is solid in", "maps"]),
    (&GUESSED_SOLIDS, ["a guess decides what is solid in", "maps"]),
    (&SHAPE_IN_ALPHA, ["colours on a transparent ground in", "masks"]),
    (&UNCLEAR_MASK, ["which pixels are solid is not clear in", "masks"]),
];

/// Returns the smallest number of files with one cause that are merged. Fewer suffice for a cause that is
/// outside of the files.
fn least(code: &str) -> usize {
    let is_outside = OF_PROJECTS.iter().any(|(rule, _)| rule.code == code);
    if is_outside || code == MISSING_PICTURE.code { 2 } else { 4 }
}

/// The code, the severity and the words of a fault that has one cause in all files.
type Cause = (&'static str, Severity, Vec<String>);

/// Returns what findings with the same cause have in common. `None` for a fault that has a place of its own
/// in the level.
fn cause(finding: &Finding) -> Option<Cause> {
    let Finding { rule, place, headline, notes, help, .. } = finding;
    let words = if OF_PROJECTS.iter().any(|(of, _)| of.code == rule.code) {
        vec![help.clone()]
    } else if rule.code == LOST_REFERENCE.code {
        // The first note has the path of the lost file, which maps in several folders write differently.
        notes.first().into_iter().chain([help]).cloned().collect()
    } else if rule.code == MISSING_PICTURE.code {
        // The first note ends with the path of a picture. A lost folder is one cause.
        let folders = notes.first().and_then(|note| note.rsplit_once('/'));
        folders.into_iter().map(|(folder, _)| folder.to_owned()).collect()
    } else {
        let is_of_level = place.cell.is_some() || place.pixel.is_some() || finding.area.is_some();
        if is_of_level || place.object.is_some() {
            return None;
        }
        [headline, help].into_iter().chain(notes).cloned().collect()
    };
    Some((rule.code, finding.severity, words))
}

/// True if `a` and `b` report the same fault of a file that several levels share.
fn is_same(a: &Finding, b: &Finding) -> bool {
    a.rule.code == b.rule.code
        && a.severity == b.severity
        && a.path == b.path
        && a.place == b.place
        && a.headline == b.headline
}

/// Merges the findings of `group`, which are in these files, into that of the first file.
fn as_one(mut group: Vec<Reported>, files: &BTreeSet<PathBuf>, (_, _, words): &Cause) -> Reported {
    let others = group.split_off(1);
    let Reported { finding: first, path, .. } = group.swap_remove(0);
    let count = files.len() as u64;
    let mut notes = first.notes;
    let mut headline = format!("{}, in {}", first.headline, counted(count, "file"));
    if let Some((_, [start, kind])) = OF_PROJECTS.iter().find(|(of, _)| of.code == first.rule.code)
    {
        headline = format!("{start} {count} {kind}");
        // What only a few files have is no part of the cause.
        notes.retain(|note| {
            let same = others.iter().filter(|other| other.finding.notes.contains(note));
            same.count() * 2 >= others.len()
        });
    }
    notes.extend(in_files(files));
    let place = Place { line: first.place.line, ..Place::default() };
    let finding = Finding {
        severity: first.severity,
        ..Finding::new(first.rule, &first.path, headline)
            .of_many(words.join(", "), count)
            .place(place)
            .notes(notes)
            .help(first.help)
    };
    let subject = subject(&finding);
    // The cause stays the same when the first of the files is repaired.
    Reported { path, others, ..Reported::new(finding, PathBuf::new(), subject) }
}

/// Returns notes that name all files, each short enough to be shown whole.
fn in_files(files: &BTreeSet<PathBuf>) -> Vec<String> {
    const MOST: usize = 8;
    let names: Vec<String> = files.iter().map(|path| path_in_line(path)).collect();
    names.chunks(MOST).map(|names| format!("in {}", names.join(", "))).collect()
}

/// Returns what is at fault in the file of a finding: words that edits elsewhere do not change.
pub(super) fn subject(finding: &Finding) -> String {
    if let Some(group) = &finding.group {
        return group.kind.clone();
    }
    let Place { tileset, layer, object, .. } = &finding.place;
    let mut names: Vec<String> = tileset.iter().chain(layer).cloned().collect();
    names.extend(object.map(|id| id.to_string()));
    // The names in a headline are in backticks. The other words may change with a count.
    names.extend(finding.headline.split('`').skip(1).step_by(2).map(str::to_owned));
    names.join(", ")
}

/// Returns the bytes of `path` with `/` between the components on every operating system.
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

/// Returns `path` with `/` between the components. U+FFFD replaces bytes that are not UTF-8.
pub(super) fn slashed_text(path: &Path) -> String {
    String::from_utf8_lossy(&slashed(path)).into_owned()
}

/// Returns the 128-bit FNV-1a hash of `parts` (Fowler, Noll, Vo, RFC 9923). Each part is followed by its
/// length, so that `ab`, `c` and `a`, `bc` differ.
fn hash(parts: &[&[u8]]) -> u128 {
    const PRIME: u128 = 0x0000000001000000000000000000013b;
    let mut hash: u128 = 0x6c62272e07bb014262b821756295c58d;
    for part in parts {
        for byte in part.iter().chain(&(part.len() as u64).to_le_bytes()) {
            hash = (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::Baseline;
    use crate::lint::rules::{GRAY_PIXELS, NOTHING_SOLID, OPEN_BORDER, TEXT_FLAG};
    use bitwall::error::Place;

    #[test]
    fn findings_are_grouped_after_the_comparison_with_a_baseline() {
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
        let all = of(&names).grouped();
        assert_eq!((all.findings.len(), all.findings[0].path.to_str()), (2, Some("m/a.tmx")));
        let others: Vec<_> = all.findings[1].others.iter().map(|it| it.path.to_str()).collect();
        assert_eq!(others, names[1..].iter().map(|name| Some(*name)).collect::<Vec<_>>());
        // The fingerprint stays when the first file is repaired.
        let later = of(&names[1..]).grouped();
        assert_eq!(all.findings[0].fingerprint, later.findings[0].fingerprint);
        let known = Baseline::new(&of(&names[..4]));
        let new = of(&names).since(&known, |_| false).grouped();
        let paths: Vec<_> = new.findings.iter().map(|reported| reported.path.to_str()).collect();
        assert_eq!(paths, [Some("m/e.tmx"), Some("m/e.tmx")]);
    }

    fn grouped(findings: Vec<Finding>) -> Vec<Finding> {
        let checked = Checked::new([], findings, Path::to_owned).grouped();
        checked.findings.into_iter().map(|reported| reported.finding).collect()
    }

    fn finding(path: &str, help: &str) -> Finding {
        Finding::new(&NOTHING_SOLID, Path::new(path), "nothing in the map is solid").help(help)
    }

    #[test]
    fn four_findings_with_the_same_help_become_one() {
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
                ("maps/a/1.tmx", "nothing is solid in 4 maps"),
                ("maps/d.tmx", "nothing in the map is solid"),
                ("maps/a/1.tmx", "a text"),
            ]
        );
        assert_eq!(found[0].notes, ["in maps/a/1.tmx, maps/a/2.tmx, maps/b.tmx, maps/c.tmx"]);
    }

    #[test]
    fn each_of_many_files_with_one_cause_is_named_once() {
        let names: Vec<String> = (100..143).map(|index| format!("maps/{index}.tmx")).collect();
        let found = grouped(names.iter().map(|name| finding(name, "x")).collect());
        let notes = found[0].notes.join("\n");
        assert_eq!((found.len(), found[0].count()), (1, 43));
        for name in &names {
            assert_eq!(notes.matches(&**name).count(), 1, "{notes}");
        }
    }

    #[test]
    fn a_finding_in_a_shared_file_is_reported_once() {
        let of_tileset = |headline: &str| {
            Finding::new(&TEXT_FLAG, Path::new("t.tsx"), headline).note("by a map")
        };
        let found = grouped(["a", "b", "a"].map(of_tileset).into());
        let headlines: Vec<_> = found.iter().map(|it| it.headline.as_str()).collect();
        assert_eq!(headlines, ["a", "b"]);
        assert_eq!(found[0].notes, ["by a map", "2 levels have this finding in this file"]);
    }

    #[test]
    fn two_findings_with_one_cause_outside_of_the_files_become_one_and_three_others_do_not() {
        let paths = ["a/1.tmx", "b/2.tmx", "c/3.tmx"];
        assert_eq!(grouped(paths[..2].iter().map(|path| finding(path, "x")).collect()).len(), 1);
        let text = |path: &str| Finding::new(&TEXT_FLAG, Path::new(path), "a text").help("x");
        assert_eq!(grouped(paths.map(text).into()).len(), 3);
        assert!(grouped(Vec::new()).is_empty());
    }

    fn prints(findings: &[Finding]) -> Vec<String> {
        let checked = Checked::new([], findings.to_vec(), Path::to_owned);
        checked.findings.into_iter().map(|reported| reported.fingerprint).collect()
    }

    fn print(finding: &Finding) -> String {
        prints(std::slice::from_ref(finding)).remove(0)
    }

    fn gray(headline: &str) -> Finding {
        Finding::new(&GRAY_PIXELS, Path::new("a/b.png"), headline)
    }

    #[test]
    fn the_hash_agrees_with_published_values_of_fnv_1a() {
        // The FNV-1a hash of "a" without its length.
        const A: u128 = 0xd228cb696f1a8caf78912b704e4a8964;
        let with_length = |before: u128, length: u8| {
            let mut hash = before;
            for byte in [length, 0, 0, 0, 0, 0, 0, 0] {
                hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000000001000000000000000000013b);
            }
            hash
        };
        assert_eq!(hash(&[b"a"]), with_length(A, 1));
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
    }

    #[test]
    fn counts_lines_and_cells_do_not_change_a_fingerprint() {
        let one = gray("1 pixel is gray, neither black nor white");
        let place = Place { pixel: Some((4, 5)), line: Some((3, 9)), ..Place::default() };
        let many =
            gray("20 pixels are gray, neither black nor white").place(place).note("x").help("y");
        assert_eq!(print(&one), print(&many));
        for other in [
            Finding::new(&TEXT_FLAG, Path::new("a/b.png"), one.headline.clone()),
            Finding::new(&GRAY_PIXELS, Path::new("a/c.png"), one.headline.clone()),
            gray(&one.headline)
                .place(Place { layer: Some("Walls".to_owned()), ..Place::default() }),
            gray(&one.headline).place(Place { object: Some(3), ..Place::default() }),
        ] {
            assert_ne!(print(&one), print(&other), "{other:?}");
        }
    }

    #[test]
    fn the_fingerprint_of_a_group_does_not_depend_on_its_headline_or_count() {
        let many = |kind: &str, count, headline: &str, object| {
            let place = Place { object: Some(object), ..Place::default() };
            gray(headline).place(place).of_many(kind, count)
        };
        let two = many("top", 2, "2 spawns are in solids, first `a`", 3);
        assert_eq!(print(&two), print(&many("top", 1, "the spawn `b` is in a solid", 4)));
        assert_ne!(print(&two), print(&many("left", 2, &two.headline, 3)));
    }

    #[test]
    fn names_in_a_headline_are_of_the_subject_and_other_words_are_not() {
        assert_ne!(
            print(&gray("the layer `walls1` is hidden")),
            print(&gray("the layer `walls2` is hidden"))
        );
        assert_eq!(print(&gray("1 layer is hidden")), print(&gray("2 layers are hidden")));
    }

    #[test]
    fn equal_findings_get_different_fingerprints() {
        let open = |side| Finding::new(&OPEN_BORDER, Path::new("a.tmx"), format!("{side} is open"));
        let findings = ["left", "top", "up"].map(open);
        let here = prints(&findings);
        let unique: std::collections::BTreeSet<_> = here.iter().collect();
        assert_eq!(unique.len(), 3);
        assert_eq!(prints(&findings[..2]), here[..2]);
    }

    #[test]
    fn a_path_is_written_with_slashes_on_every_system() {
        assert_eq!(slashed(Path::new("./a/b/./c.png")), b"a/b/c.png");
        assert_eq!(slashed(Path::new("/a/b")), b"/a/b");
        assert_eq!(slashed(Path::new("../a")), b"../a");
    }
}
