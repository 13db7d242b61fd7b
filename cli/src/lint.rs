//! Verification of levels: finds faults before a player does.
//!
//! Each [`LintRule`] checks a level and returns [`Finding`]s: data that [`output`] writes as text. A load
//! error becomes a finding too, so [`verify_file`] never fails. The functions print nothing and search no
//! folders.

mod allowed;
mod baseline;
pub(crate) mod checked;
pub mod config;
mod finding;
pub mod fix;
mod lines;
pub mod output;
mod pixels;
mod report;
mod rule;
pub mod rules;
mod store;
mod subject;
mod trace;

use std::cell::RefCell;
use std::path::Path;

use bitwall::error::{LoadErrorKind, Place};
use bitwall::load::{Files, Links, read_file};
use bitwall::{LoadError, LoadedLevel};

pub use baseline::Baseline;
pub use checked::{Checked, KnownBy, KnownCounts, Reported, SkippedRule};
pub use config::{BodySpec, MarkerRole, MarkerSpec, SolidShare, VerifyConfig, VerifyOptions};
use finding::report_order;
pub use finding::{Excerpt, FaultGroup, Finding, SkipReason, Skipped, Summary};
pub use report::Report;
pub use rule::{Family, FileKind, LintRule, Need, RuleLevel, RuleSet, Selection, Severity};
pub use rules::configs::verify_config;
pub(crate) use rules::is_of_automapping;
pub(crate) use rules::revisions::{changed_check, lost_level};
pub use rules::{RULES, rule_by_name};
use store::{Given, Store};
use subject::Subject;
pub(crate) use subject::{SPAWN_NAMES, art_beside, arts_beside, is_like_spawn, missing_pictures};
pub use trace::trace_map;

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
    match read_file(path, Links::Followed, options.load.limits.file_bytes()) {
        Ok(bytes) => verify(path, &bytes, None, options),
        Err(kind) => {
            let error = LoadError::new(path, Place::default(), kind);
            check(&Subject::new(path, &[], Err(&error), options))
        }
    }
}

/// Checks the `bytes` of a file as [`verify_file`] does. Files that the bytes name are read relative to
/// `path`.
pub fn verify_bytes(path: impl AsRef<Path>, bytes: &[u8], options: &VerifyOptions) -> Report {
    verify(path.as_ref(), bytes, None, options)
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
    verify(path.as_ref(), bytes, Some(&RefCell::new(files)), options)
}

/// Checks a file as [`verify_bytes`] does. Reads the files that it names from `given`, or from the disk for
/// `None`.
fn verify(path: &Path, bytes: &[u8], given: Option<&dyn Given>, options: &VerifyOptions) -> Report {
    let mut load = options.load.clone();
    // If the rule for maps without solids is off, the other rules must still check such a map.
    load.allow_nothing_solid |= options.levels.severity_of(&rules::NOTHING_SOLID).is_none();
    let mut loaded = LoadedLevel::decode(path, bytes, Store::new(path, &load, given), &load);
    let mut is_silenced = false;
    let mut blank = None;
    if let Some(LoadErrorKind::NothingSolid { .. }) = loaded.as_ref().err().map(LoadError::kind) {
        // The map may allow this in its property `bitwall.allow`, which is read only after loading. So the
        // map is loaded again.
        load.allow_nothing_solid = true;
        let again = LoadedLevel::decode(path, bytes, Store::new(path, &load, given), &load);
        let map = again.as_ref().ok().filter(|it| it.maps.len() == 1).and_then(LoadedLevel::map);
        is_silenced = map.is_some_and(|map| allowed::allows(map, &rules::NOTHING_SOLID));
        load.allow_nothing_solid = is_silenced || map.is_some_and(is_of_automapping);
        if load.allow_nothing_solid {
            loaded = again;
        } else {
            blank = again.ok();
        }
    }
    let mut subject = Subject::new(path, bytes, loaded.as_ref(), options);
    subject.given = given;
    subject.blank = blank.as_ref();
    subject.may_have_nothing_solid = load.allow_nothing_solid;
    let mut report = check(&subject);
    if is_silenced {
        let nothing = Finding::new(&rules::NOTHING_SOLID, path, "nothing in the map is solid");
        report.silenced.push(nothing);
    }
    report
}

fn check(subject: &Subject<'_>) -> Report {
    let mut report = Report {
        solid_share: subject.solid_share(),
        markers: subject.met_markers(),
        ..Report::default()
    };
    for (rule, check) in rules::CHECKS.iter() {
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
            None => {
                let mut findings = check(rule, subject).unwrap_or_default();
                if findings.len() == rules::MOST_FINDINGS {
                    let count = findings.len();
                    subject.give_up(rule, format!("the first {count} findings are reported"));
                }
                findings.iter_mut().for_each(|finding| finding.severity = severity);
                report.findings.append(&mut findings);
            }
        }
    }
    if let Some(map) = subject.map() {
        report.silenced = allowed::silence(map, &mut report.findings);
    }
    lines::add(subject, &mut report.findings);
    report.skipped.extend(subject.take_given_up());
    report.skipped.sort_by_key(|skipped| skipped.rule.code);
    report.findings.sort_by(report_order);
    report
}
