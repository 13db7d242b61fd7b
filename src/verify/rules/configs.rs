//! Rules for the file `bitwall.toml`.

mod broken_config;
mod weakened_rules;

use std::path::Path;

use crate::LoadError;
use crate::verify::config::VerifyConfig;
use crate::verify::finding::Finding;
use crate::verify::rule::Rule;

pub use broken_config::BROKEN_CONFIG;
pub use weakened_rules::WEAKENED_RULES;

pub(super) static ALL: &[&Rule] = &[&BROKEN_CONFIG, &WEAKENED_RULES];

/// The findings in a `bitwall.toml`. `top` is the uppermost one of its repository, if that is another one.
pub(in crate::verify) fn check(
    path: &Path,
    config: Result<&VerifyConfig, &LoadError>,
    top: Option<(&Path, &VerifyConfig)>,
) -> Vec<Finding> {
    match (config, top) {
        (Err(error), _) => vec![broken_config::finding(error)],
        (Ok(config), Some(top)) => weakened_rules::finding(path, config, top).into_iter().collect(),
        (Ok(_), None) => Vec::new(),
    }
}
