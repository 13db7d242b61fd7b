//! Rules for the file `bitwall.toml`.

mod broken_config;
mod since_revision;
mod unmet_path;
mod weakened_rules;

use std::path::Path;

use crate::LoadError;
use crate::verify::config::VerifyConfig;
use crate::verify::finding::Finding;
use crate::verify::rule::Rule;
use crate::verify::selection::Selection;

pub use broken_config::BROKEN_CONFIG;
pub(in crate::verify) use since_revision::Held;
pub use unmet_path::UNMET_PATH;
pub use weakened_rules::WEAKENED_RULES;

pub(super) static ALL: &[&Rule] = &[&BROKEN_CONFIG, &UNMET_PATH, &WEAKENED_RULES];

/// The findings in a `bitwall.toml`. `above` is the one above it in its repository, with what that one has
/// from those above and the rules that hold for the folder of `path`. `unmatched` are the patterns of its
/// `[[verify.path]]` that match no level. Each of `of_levels` has the states of rules for a level in its
/// folder: by it, and by the one above alone.
pub(in crate::verify) fn check(
    path: &Path,
    config: Result<&VerifyConfig, &LoadError>,
    above: Option<(&Path, &VerifyConfig)>,
    unmatched: &[String],
    of_levels: &[(Selection, Selection)],
) -> Vec<Finding> {
    let config = match config {
        Ok(config) => config,
        Err(error) => return vec![broken_config::finding(error)],
    };
    let above_levels = above.map(|(_, above)| above.options.levels.clone()).unwrap_or_default();
    let mut levels = above_levels.clone();
    levels.extend(&config.options.levels);
    // A configuration does not turn off the rule that reports it.
    let weakened = above.and_then(|above| weakened_rules::finding(path, config, above, of_levels));
    let weakened = of_severity(weakened, &above_levels);
    let unmet = of_severity(unmet_path::findings(path, config, unmatched), &levels);
    weakened.chain(unmet).collect()
}

/// The finding in a `bitwall.toml` that holds less than was held at a revision; the rules of then say how
/// severe it is.
pub(in crate::verify) fn check_since(
    path: &Path,
    [before, after]: [Held<'_>; 2],
    of_levels: &[(Selection, Selection)],
    left_out: usize,
) -> Option<Finding> {
    let finding = since_revision::finding(path, [before, after], of_levels, left_out);
    of_severity(finding, &before.0.options.levels).next()
}

/// The findings whose rules are on, with their severities.
fn of_severity(
    findings: impl IntoIterator<Item = Finding>,
    levels: &Selection,
) -> impl Iterator<Item = Finding> {
    findings.into_iter().filter_map(|finding| {
        let severity = levels.severity_of(finding.rule)?;
        Some(Finding { severity, ..finding })
    })
}
