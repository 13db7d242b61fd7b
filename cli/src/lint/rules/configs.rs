//! The rules for a `bitwall.toml`: broken ones, and ones that name markers which no level has.

use std::path::Path;

use crate::lint::config::MaskPair;
use crate::lint::{FaultGroup, Finding, MOST_FINDINGS, MarkerSpec, Report, VerifyConfig, of_group};
use bitwall::LoadError;
use bitwall::error::Place;
use bitwall::load::{Links, open_file};
use bitwall::text::{path_in_line, printable};

/// Checks the configuration file at `path`, which may have any name. Returns a report with its findings.
///
/// `config` is the section `[verify]` of the file, or the error in any of its sections.
pub fn verify_config(path: impl AsRef<Path>, config: Result<&VerifyConfig, &LoadError>) -> Report {
    let path = path.as_ref();
    let findings = match config {
        Ok(config) => lost_masks(path, config),
        Err(error) => vec![
            Finding::new(&BROKEN_CONFIG, error.path(), error.headline())
                .place(error.place().clone())
                .note("no level in its folder can be checked by it")
                .help(error.help()),
        ],
    };
    Report { findings, ..Report::default() }
}

rule! {
    /// # What it finds
    /// A `bitwall.toml` that is not TOML, that has an unknown key or a value that does not fit its key, or
    /// that has a `[[verify.pair]]` whose mask does not exist. A missing art of a pair is reported when its
    /// mask is checked.
    ///
    /// # Why it matters
    /// If the file cannot be read, the levels in its folder are not checked, because their options are
    /// unknown. The mask of a pair was renamed, or its name is misspelt here, so it is not compared with its
    /// art.
    ///
    /// # How to fix
    /// Correct the line that the message names. The docs of `LoadOptions::decode` and `VerifyConfig` list
    /// every key. The paths of a pair are relative to the folder of the file.
    BROKEN_CONFIG(|_| None) = "IO004" "broken-config" Error fixed on(Config)
}

fn lost_masks(path: &Path, config: &VerifyConfig) -> Vec<Finding> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut findings = Vec::new();
    for MaskPair { mask, place, .. } in &config.pairs {
        if open_file(&folder.join(mask), Links::Followed, u64::MAX).is_err() {
            let headline = format!("the mask `{}` of a pair is not there", path_in_line(mask));
            let help =
                "correct its path, which counts from the folder of this file, or remove the pair";
            findings.push(
                Finding::new(&BROKEN_CONFIG, path, headline)
                    .place(Place { line: *place, ..Place::default() })
                    .help(help),
            );
        }
    }
    findings.truncate(MOST_FINDINGS);
    findings
}

rule! {
    /// # What it finds
    /// In a run over the whole folder of a `bitwall.toml`, a `[[verify.marker]]` whose name no level in the
    /// folder has.
    ///
    /// # Why it matters
    /// No spawn is checked, or no goal. A marker was renamed, or its name is misspelt here. No other rule
    /// reports this.
    ///
    /// # How to fix
    /// Correct the name, or remove the entry.
    UNMET_MARKER(|_| None) = "IO006" "unmet-marker" Note on(Config)
}

/// Returns a finding about the `markers` of the configuration at `path` that no level in its folder has; none
/// without such markers. `config` is the section `[verify]` with
/// [inherited facts](VerifyConfig::with_above).
pub(crate) fn unmet_markers(
    path: &Path,
    config: &VerifyConfig,
    markers: &[&MarkerSpec],
) -> Vec<Finding> {
    let severity = config.options.levels.severity_of(&UNMET_MARKER);
    let (Some(severity), Some(first)) = (severity, markers.first()) else {
        return Vec::new();
    };
    let names: Vec<String> =
        markers.iter().map(|it| format!("`{}`", printable(&it.name))).collect();
    let finding = Finding::new(&UNMET_MARKER, path, format!("no level has {}", names[0]))
        .place(Place { line: first.place, ..Place::default() })
        .note("it is the name of a [[verify.marker]]")
        .help("correct it: it counts in all levels below the folder of this file");
    let count = names.len() as u64;
    let group = FaultGroup { count, names, ..FaultGroup::default() };
    vec![of_group(Finding { severity, ..finding }, group)]
}
