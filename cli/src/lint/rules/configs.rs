//! The rules for a `bitwall.toml`: unreadable ones, and ones that name missing files.

use std::path::Path;

use crate::lint::config::VerifyConfig;
use crate::lint::finding::Finding;
use crate::lint::report::Report;
use crate::lint::rule::{LintRule, Selection, rule};
use crate::lint::rules::{Check, MOST_FINDINGS};
use bitwall::LoadError;
use bitwall::error::Place;
use bitwall::load::{Links, open_file};
use bitwall::text::{path_in_line, printable};

/// The rules of this module. Their checks find nothing, because [`verify_config`] returns their findings.
pub(super) static CHECKS: &[(&LintRule, Check)] =
    &[(&BROKEN_CONFIG, |_, _| None), (&UNMET_PATH, |_, _| None)];

/// Checks the configuration file at `path`, which may have any name. Returns a report with its findings.
///
/// - `config`: the section `[verify]` of the file, or the error in any of its sections.
/// - `above`: the rule states for the folder of `path` in the configurations above.
/// - `unmatched`: the patterns of `[[verify.path]]`, `masks` and `exclude` in the file that match no level.
pub fn verify_config(
    path: impl AsRef<Path>,
    config: Result<&VerifyConfig, &LoadError>,
    above: &Selection,
    unmatched: &[String],
) -> Report {
    let path = path.as_ref();
    let findings = match config {
        Ok(config) => {
            let mut levels = above.clone();
            levels.extend(&config.options.levels);
            let unmet = unmet(path, config, unmatched).into_iter();
            unmet.filter_map(|finding| of_severity(finding, &levels)).collect()
        }
        Err(error) => vec![
            Finding::new(&BROKEN_CONFIG, error.path(), error.headline())
                .place(error.place().clone())
                .note("no level in its folder was checked")
                .help(error.help()),
        ],
    };
    Report { findings, ..Report::default() }
}

/// Returns a finding for each of the marker `names` in the configuration at `path`. No level in its folder
/// has these markers. `config` is the section `[verify]` with [inherited facts](VerifyConfig::with_above).
pub(crate) fn unmet_markers(path: &Path, config: &VerifyConfig, names: &[&str]) -> Vec<Finding> {
    let found = names.iter().filter_map(|name| {
        let finding =
            Finding::new(&UNMET_PATH, path, format!("no level has `{}`", printable(name)))
                .note("it is the name of a [[verify.marker]]")
                .help("correct it: it counts in all levels below the folder of this file");
        of_severity(at_entry(finding, config, "marker", name), &config.options.levels)
    });
    found.take(MOST_FINDINGS).collect()
}

/// Sets the place of a finding to the line of the configuration entry `text` under `key`.
fn at_entry(finding: Finding, config: &VerifyConfig, key: &'static str, text: &str) -> Finding {
    let line = config.lines.get(&(key, text.to_owned())).copied();
    finding.place(Place { line, ..Place::default() })
}

fn of_severity(finding: Finding, levels: &Selection) -> Option<Finding> {
    let severity = levels.severity_of(finding.rule)?;
    Some(Finding { severity, ..finding })
}

rule! {
    /// # What it finds
    /// A `bitwall.toml` that is not TOML, or that has an unknown key or a value that does not fit its key.
    ///
    /// # Why it matters
    /// The levels in its folder are not checked, because their options are unknown.
    ///
    /// # How to fix
    /// Correct the line that the message names. The docs of `LoadOptions::decode` and `VerifyConfig` list
    /// every key.
    BROKEN_CONFIG = "IO004" "broken-config" Error fixed on(Config)
}

rule! {
    /// # What it finds
    /// A `[[verify.pair]]` whose mask does not exist, or a pattern of `[[verify.path]]`, `masks` or `exclude`
    /// that matches no map and no picture in the folder of the `bitwall.toml`. An `exclude` of a folder that
    /// exists, or that a `.gitignore` names, is not a fault. A missing art of a pair is reported when its
    /// mask is checked.
    ///
    /// In a run over the whole folder, also a `[[verify.marker]]` whose name no level in it has.
    ///
    /// # Why it matters
    /// The mask is not compared with its art, the rules for the path apply to no file, or no spawn or goal is
    /// checked. A file or a marker was renamed, or its name is misspelt here. No other rule reports this.
    ///
    /// # How to fix
    /// Correct the path, which is relative to the folder of the `bitwall.toml`. Remove entries that are no
    /// longer used.
    UNMET_PATH = "IO006" "unmet-path" Warning on(Config)
}

/// Returns the findings for each `[[verify.pair]]` whose mask does not exist, and for the `unmatched`
/// patterns.
fn unmet(path: &Path, config: &VerifyConfig, unmatched: &[String]) -> Vec<Finding> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut findings = Vec::new();
    for pair in &config.pairs {
        if open_file(&folder.join(&pair.mask), Links::Followed, u64::MAX).is_err() {
            let headline =
                format!("the mask `{}` of a pair is not there", path_in_line(&pair.mask));
            let help =
                "correct its path, which counts from the folder of this file, or remove the pair";
            let finding = Finding::new(&UNMET_PATH, path, headline).help(help);
            findings.push(at_entry(finding, config, "mask", &pair.mask.to_string_lossy()));
        }
    }
    for pattern in unmatched {
        let headline = format!("no level matches `{}`", printable(pattern));
        let (key, note) = match () {
            () if config.per_path.iter().any(|rules| rules.paths.contains(pattern)) => {
                ("paths", "it is a path of [[verify.path]], with rules of its own")
            }
            () if config.exclude.contains(pattern) => {
                ("exclude", "it is a pattern of `exclude`, by which files are not looked at")
            }
            () => ("masks", "it is a pattern of `masks`, by which pictures are masks"),
        };
        let finding = Finding::new(&UNMET_PATH, path, headline)
            .note(note)
            .help("correct it; it counts from the folder of this file, as in a .gitignore");
        findings.push(at_entry(finding, config, key, pattern));
    }
    findings.truncate(MOST_FINDINGS);
    findings
}
