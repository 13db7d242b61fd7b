//! Finding what is wrong with a level before a player does.
//!
//! A [`Rule`] looks at one subject, a file and what came of loading it, and returns [`Finding`]s: plain
//! data that [`output`] turns into text. A file that cannot be loaded is a finding too, so [`verify_file`]
//! always has an answer. Nothing here prints, walks folders or decides on an exit code.

mod excerpt;
mod finding;
pub mod output;
mod pictures;
mod rule;
pub mod rules;
mod subject;

use std::path::{Path, PathBuf};

use glam::UVec2;

use crate::{Level, LoadOptions};

pub use excerpt::Excerpt;
pub(crate) use finding::sort_findings;
pub use finding::{Finding, Summary};
#[cfg(feature = "cli")]
pub(crate) use pictures::art_beside;
pub use rule::{Rule, Severity, rule_by_name};
pub use rules::RULES;
pub(crate) use subject::{Art, Subject};

/// What to check, and what to let pass.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// How to load the file; [`LoadOptions::for_level`] tells what its `bitwall.toml` says.
    pub load: LoadOptions,
    /// The width and the height, in pixels, that a mask must have.
    pub size: Option<UVec2>,
    /// The picture that a mask belongs to. Without it, `harbor.png` (or `.jpg` and so on) beside
    /// `harbor_mask.png`.
    pub art: Option<PathBuf>,
    /// True if nothing may leave the level: each cell along its sides must be solid.
    pub closed: bool,
    /// Rules to leave out. One that is [`Rule::fixed`] is not left out.
    pub allow: Vec<&'static Rule>,
}

/// Checks one file by every rule. The findings are sorted by path, code and place, and they are few: a rule
/// groups what it finds and reports at most four times.
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
    let allows = |rule: &Rule| {
        options
            .allow
            .iter()
            .any(|allowed| allowed.code == rule.code)
    };
    let mut load = options.load.clone();
    // Otherwise the map would pass unchecked by the rules that remain.
    load.allow_nothing_solid |= allows(&rules::NOTHING_SOLID);
    let loaded = Level::load_with(path, &load);
    let subject = Subject {
        path,
        level: loaded.as_ref(),
        art: subject::art_of(path, &loaded, options),
        missing_pictures: subject::missing_pictures(path, &loaded, options),
        size: options.size,
        closed: options.closed,
        may_have_nothing_solid: load.allow_nothing_solid,
    };
    let mut findings: Vec<Finding> = RULES
        .iter()
        .filter(|rule| rule.fixed || !allows(rule))
        .flat_map(|rule| (rule.check)(&subject))
        .collect();
    sort_findings(&mut findings);
    findings
}
