//! The check of a file with all rules.

use std::cell::RefCell;
use std::path::Path;

use super::finding::report_order;
use super::{
    Check, Finding, LintRule, MOST_FINDINGS, Report, SkipReason, Skipped, Subject, VerifyOptions,
    of_group, rules,
};
use bitwall::error::{LoadErrorKind, Place};
use bitwall::load::{Disk, Files, Links, read_file};
use bitwall::tmx::{LayerContent, Map};
use bitwall::{LoadError, LoadedLevel};

/// Checks one file with all rules that are on. Returns at most 64 findings per rule.
///
/// A rule that returns 64 is also in [`Report::skipped`], because there may be more.
///
/// ```
/// use bitwall_cli::lint::{VerifyOptions, verify_file};
///
/// assert!(verify_file("../assets/harbor_mask.png", &VerifyOptions::default()).findings.is_empty());
/// let report = verify_file("../assets/no_such.png", &VerifyOptions::default());
/// assert_eq!(report.findings[0].rule.code, "IO001");
/// ```
pub fn verify_file(path: impl AsRef<Path>, options: &VerifyOptions) -> Report {
    let path = path.as_ref();
    verify_file_with(path, Disk::new(path, &options.load), options)
}

/// Checks one file as [`verify_file`] does. `files` are those on the disk: a caller may see what is read.
pub(crate) fn verify_file_with(path: &Path, files: impl Files, options: &VerifyOptions) -> Report {
    match read_file(path, Links::Followed, options.load.limits.file_bytes()) {
        Ok(bytes) => verify(path, &bytes, &RefCell::new(files), true, options),
        Err(kind) => {
            let error = LoadError::new(path, Place::default(), kind);
            check(&Subject::new(path, &[], Err(&error), options, &RefCell::new(())))
        }
    }
}

/// Checks the `bytes` of a file as [`verify_file`] does. Files that the bytes name are read relative to
/// `path`.
pub fn verify_bytes(path: impl AsRef<Path>, bytes: &[u8], options: &VerifyOptions) -> Report {
    let path = path.as_ref();
    verify(path, bytes, &RefCell::new(Disk::new(path, &options.load)), true, options)
}

/// Checks the `bytes` of a file as [`verify_bytes`] does, but reads the files that they name from `files`.
/// For levels in an archive, an editor or a browser.
///
/// ```
/// use bitwall_cli::lint::{VerifyOptions, verify_bytes_with};
///
/// let map = std::fs::read("../assets/cave.tmx")?;
/// let report = verify_bytes_with("cave.tmx", &map, (), &VerifyOptions::default());
/// assert_eq!(report.findings[0].rule.code, "TMX106", "cave.tsx is not there");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn verify_bytes_with(
    path: impl AsRef<Path>,
    bytes: &[u8],
    files: impl Files,
    options: &VerifyOptions,
) -> Report {
    verify(path.as_ref(), bytes, &RefCell::new(files), false, options)
}

/// Checks a file, and reads the files that it names from `files`: those on the disk if `is_on_disk`.
fn verify<'a>(
    path: &'a Path,
    bytes: &'a [u8],
    files: &'a RefCell<dyn Files + 'a>,
    is_on_disk: bool,
    options: &'a VerifyOptions,
) -> Report {
    let mut load = options.load.clone();
    // If the rule for maps without solids is off, the other rules must still check such a map.
    load.allow_nothing_solid |= options.levels.severity_of(&rules::NOTHING_SOLID).is_none();
    let mut loaded = LoadedLevel::decode(path, bytes, &mut *files.borrow_mut(), &load);
    let mut blank = None;
    if let Some(LoadErrorKind::NothingSolid { .. }) = loaded.as_ref().err().map(LoadError::kind) {
        // The map may allow this in its property `bitwall.allow`, which is read only after loading. So the
        // map is loaded again.
        load.allow_nothing_solid = true;
        let again = LoadedLevel::decode(path, bytes, &mut *files.borrow_mut(), &load);
        let map = again.as_ref().ok().filter(|it| it.maps.len() == 1).and_then(LoadedLevel::map);
        load.allow_nothing_solid = map.is_some_and(|map| {
            rules::allows(map, &rules::NOTHING_SOLID) || rules::is_of_automapping(map)
        });
        if load.allow_nothing_solid {
            loaded = again;
        } else {
            blank = again.ok();
        }
    }
    let mut refusal = None;
    if let Err(error) = &loaded
        && error.kind().is_passable()
    {
        // One fault is no reason to leave the rest of the level unchecked.
        load.lenient = true;
        load.allow_nothing_solid = true;
        if let Ok(lenient) = LoadedLevel::decode(path, bytes, &mut *files.borrow_mut(), &load) {
            refusal = std::mem::replace(&mut loaded, Ok(lenient)).err();
        }
    }
    let mut subject = Subject::new(path, bytes, loaded.as_ref(), options, files);
    subject.refusal = refusal.as_ref();
    subject.is_on_disk = is_on_disk;
    subject.blank = blank.as_ref();
    subject.may_have_nothing_solid = load.allow_nothing_solid;
    check(&subject)
}

fn check(subject: &Subject<'_>) -> Report {
    let mut report = Report {
        solid_share: subject.solid_share(),
        markers: subject.met_markers(),
        ..Report::default()
    };
    for rule in rules::RULES {
        let Some(severity) = subject.options.levels.severity_of(rule) else {
            continue;
        };
        // After a load error the kind of the file is unknown, but the rule for the error must still run.
        let is_failure = rule.fixed || rule.code == rules::NOTHING_SOLID.code;
        let applies = subject.is_of(rule.applies_to) || is_failure && subject.level.is_err();
        if !applies {
            continue;
        }
        match rule.needs.iter().find(|need| !subject.has(**need)) {
            // A missing fact is not reported after a load error, which is a finding already.
            Some(_) if subject.level.is_err() => {}
            Some(need) => {
                report.skipped.push(Skipped { rule, reason: SkipReason::Needs(*need) });
            }
            None if is_of_solids(rule) && subject.has_guessed_solids() => {
                let reason = SkipReason::Unknown("a guess decides what is solid".to_owned());
                report.skipped.push(Skipped { rule, reason });
            }
            None => {
                let check = Check { rule, subject, found: RefCell::default() };
                // The findings so far count, also if the rule ends early.
                let _ = (rule.check)(&check);
                let found = check.found.take();
                if found.len() == MOST_FINDINGS {
                    check.give_up(format!("the first {MOST_FINDINGS} findings are reported"));
                }
                for (finding, group) in found {
                    let mut finding = Finding { severity, ..finding };
                    if subject.refusal.is_some() && is_of_solids(rule) {
                        let note = "the level was read without what is at fault in its file: see its errors";
                        finding = finding.note(note);
                    }
                    report.findings.push(match group {
                        Some(group) => of_group(finding, group),
                        None => finding,
                    });
                }
            }
        }
    }
    if let Some(map) = subject.map() {
        rules::silence(map, &mut report.findings);
    }
    add_lines(subject, &mut report.findings);
    report.skipped.extend(subject.facts.given_up.take());
    report.skipped.sort_by_key(|skipped| skipped.rule.code);
    report.findings.sort_by(report_order);
    report
}

/// True for a rule that judges the solids of a level, and not how its file is written.
fn is_of_solids(rule: &LintRule) -> bool {
    ["LVL", "NAV"].iter().any(|family| rule.code.starts_with(family))
}

/// Adds line numbers to the findings in the file of `subject`. A finding about a whole map gets the line of
/// the element `<map>`. Findings in masks, and in JSON on one line, get no line. O(bytes + layers + objects)
/// for a file with findings.
fn add_lines(subject: &Subject<'_>, findings: &mut [Finding]) {
    for finding in findings {
        if finding.place.line.is_some() || finding.path != subject.path {
            continue;
        }
        let line = subject.map().and_then(|map| line_in(map, &finding.place, subject.bytes));
        finding.place.line = line.filter(|line| *line > 0).map(|line| (line, 1));
    }
}

fn line_in(map: &Map, place: &Place, bytes: &[u8]) -> Option<u32> {
    if let Some(id) = place.object {
        return map.walk().find_map(|context| match &context.layer.content {
            LayerContent::Objects(layer) => {
                Some(layer.objects.iter().find(|object| object.id == id)?.line)
            }
            _ => None,
        });
    }
    if let Some(path) = &place.layer {
        return Some(map.walk().find(|context| context.path == *path)?.layer.line);
    }
    let mut lines = std::str::from_utf8(bytes).ok()?.lines();
    let index = lines.position(|line| line.trim_start().starts_with("<map"))?;
    u32::try_from(index + 1).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{Report, verify_bytes_with, verify_file};
    use crate::lint::VerifyOptions;

    #[test]
    fn files_given_in_memory_have_the_same_findings_as_on_the_disk() {
        let options = VerifyOptions::default();
        let headlines = |report: Report| -> Vec<String> {
            report.findings.into_iter().map(|finding| finding.headline).collect()
        };
        let mut found = 0;
        for name in ["cave.tmx", "town.tmx", "rooms.ldtk", "harbor_mask.png", "harbor.png"] {
            let path = Path::new("../assets").join(name);
            let bytes = fs::read(&path).unwrap();
            let given = verify_bytes_with(&path, &bytes, |file: &Path| fs::read(file), &options);
            let given = headlines(given);
            assert_eq!(given, headlines(verify_file(&path, &options)), "{name}");
            found += given.len();
        }
        assert!(found > 0, "the picture is no mask");
    }

    #[test]
    fn a_map_without_its_files_has_findings_and_a_mask_without_them_has_no_art() {
        let options = VerifyOptions::default();
        let map = fs::read("../assets/cave.tmx").unwrap();
        // The tileset exists on the disk but is not given.
        let report = verify_bytes_with("../assets/cave.tmx", &map, (), &options);
        assert_eq!(report.findings[0].rule.code, "TMX106");
        // The picture exists on the disk too but is not given.
        let given = |file: &Path| match file.extension().is_some_and(|end| end == "tsx") {
            true => fs::read(file),
            false => Err(std::io::ErrorKind::NotFound.into()),
        };
        let report = verify_bytes_with("../assets/cave.tmx", &map, given, &options);
        assert_eq!(report.findings.len(), 1);
        assert_eq!(report.findings[0].rule.code, "TMX110", "the picture");
    }
}
