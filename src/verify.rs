//! Verification of levels: finds faults before a player does.
//!
//! Each [`Rule`] has a check, which gets a file and its level, or the error that kept it from being loaded,
//! and returns [`Finding`]s: plain data that [`output`] writes as text. A file that cannot be loaded is a
//! finding too, so [`verify_file`] never fails. Nothing here prints, walks folders or decides on an exit
//! code.

mod excerpt;
mod finding;
mod options;
pub mod output;
mod pictures;
mod rule;
pub mod rules;
mod subject;

use std::path::Path;

use crate::LoadedLevel;

pub use excerpt::Excerpt;
pub(crate) use finding::sort_findings;
pub use finding::{Finding, Summary};
pub use options::VerifyOptions;
#[cfg(feature = "cli")]
pub(crate) use pictures::art_beside;
pub use rule::{Rule, Severity};
pub use rules::{RULES, rule_by_name};
use subject::Subject;

/// Checks one file by every rule. The findings are sorted by path, code and place. They are few: a rule
/// groups similar faults and returns at most four findings.
///
/// ```
/// use bitwall::verify::{VerifyOptions, verify_file};
///
/// assert!(verify_file("assets/harbor_mask.png", &VerifyOptions::default()).is_empty());
/// let findings = verify_file("assets/no_such.png", &VerifyOptions::default());
/// assert_eq!(findings[0].rule.code, "IO001");
/// ```
pub fn verify_file(path: impl AsRef<Path>, options: &VerifyOptions) -> Vec<Finding> {
    let path = path.as_ref();
    let allows = |rule: &Rule| options.allow.iter().any(|allowed| allowed.code == rule.code);
    let mut load = options.load.clone();
    // A map without solids that is allowed must still be checked by the other rules.
    load.allow_nothing_solid |= allows(&rules::NOTHING_SOLID);
    let loaded = LoadedLevel::load(path, &load);
    let subject = Subject {
        path,
        level: loaded.as_ref(),
        art: subject::art_of(path, &loaded, options),
        missing_pictures: subject::missing_pictures(path, &loaded, options),
        size: options.size,
        closed: options.closed,
        may_have_nothing_solid: load.allow_nothing_solid,
    };
    let mut findings: Vec<Finding> = rules::CHECKS
        .iter()
        .filter(|(rule, _)| rule.fixed || !allows(rule))
        .flat_map(|(_, check)| check(&subject))
        .collect();
    sort_findings(&mut findings);
    findings
}
