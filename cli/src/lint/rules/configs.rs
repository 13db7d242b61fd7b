//! The rule for a broken `bitwall.toml`.

use std::path::Path;

use crate::lint::config::MaskPair;
use crate::lint::{Finding, MOST_FINDINGS, Report, VerifyConfig};
use bitwall::LoadError;
use bitwall::error::Place;
use bitwall::load::{Links, open_file};
use bitwall::text::path_in_line;

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
                .note("no level in its folder was checked")
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
    for MaskPair { mask, line, .. } in &config.pairs {
        if open_file(&folder.join(mask), Links::Followed, u64::MAX).is_err() {
            let headline = format!("the mask `{}` of a pair is not there", path_in_line(mask));
            let help =
                "correct its path, which counts from the folder of this file, or remove the pair";
            findings.push(
                Finding::new(&BROKEN_CONFIG, path, headline)
                    .place(Place { line: Some(*line), ..Place::default() })
                    .help(help),
            );
        }
    }
    findings.truncate(MOST_FINDINGS);
    findings
}
