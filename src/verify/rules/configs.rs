//! Rules for the file `bitwall.toml`.

mod broken_config;
mod unmet_path;
mod weakened_rules;

use std::path::Path;

use crate::LoadError;
use crate::verify::config::VerifyConfig;
use crate::verify::finding::Finding;
use crate::verify::rule::Rule;

pub use broken_config::BROKEN_CONFIG;
pub use unmet_path::UNMET_PATH;
pub use weakened_rules::WEAKENED_RULES;

pub(super) static ALL: &[&Rule] = &[&BROKEN_CONFIG, &UNMET_PATH, &WEAKENED_RULES];

/// The findings in a `bitwall.toml`. `above` is the one above it in its repository, with what that one has
/// from those above. `unmatched` are the patterns of its `[[verify.path]]` that match no level.
pub(in crate::verify) fn check(
    path: &Path,
    config: Result<&VerifyConfig, &LoadError>,
    above: Option<(&Path, &VerifyConfig)>,
    unmatched: &[String],
) -> Vec<Finding> {
    let config = match config {
        Ok(config) => config,
        Err(error) => return vec![broken_config::finding(error)],
    };
    let mut levels = above.map(|(_, above)| above.options.levels.clone()).unwrap_or_default();
    levels.extend(&config.options.levels);
    let weakened = above.and_then(|above| weakened_rules::finding(path, config, above));
    weakened.into_iter().chain(unmet_path::findings(path, config, &levels, unmatched)).collect()
}
