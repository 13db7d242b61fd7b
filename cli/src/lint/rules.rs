//! The rules, in one file for each subject.
//!
//! To add a rule, write it in the file of its subject, add it to the list `CHECKS` at the top of the file,
//! and add a folder in `tests/fixtures/verify`.

pub(crate) mod configs;
mod failures;
mod levels;
pub(super) mod maps;
mod masks;
pub(crate) mod revisions;

use std::str::FromStr;
use std::sync::LazyLock;

use super::finding::Finding;
pub(super) use super::finding::MOST_FINDINGS;
use super::rule::{Family, LintRule, RuleSet};
use super::subject::Subject;
use bitwall::text::{nearest, printable};

pub use configs::{BROKEN_CONFIG, UNMET_MARKER};
pub use failures::*;
pub use levels::*;
pub use maps::*;
pub use masks::*;
pub use revisions::{CHANGED_CHECK, LOST_LEVEL};

pub(crate) use failures::is_of_automapping;
pub(crate) use failures::{Foreign, foreign};

/// A function that checks a file for a rule. Returns at most [`MOST_FINDINGS`] findings, or `None` if there
/// are none. Similar rules share a function, so the rule is an argument.
pub(super) type Check = fn(&'static LintRule, &Subject<'_>) -> Option<Vec<Finding>>;

/// All rules with their checks, sorted by code. The checks of rules for configurations find nothing in a
/// level.
pub(super) static CHECKS: LazyLock<Vec<(&LintRule, Check)>> = LazyLock::new(|| {
    let mut all = [
        failures::CHECKS,
        configs::CHECKS,
        masks::CHECKS,
        levels::borders::CHECKS,
        levels::hairs::CHECKS,
        levels::reach::CHECKS,
        levels::spawns::CHECKS,
        maps::names::CHECKS,
        maps::objects::CHECKS,
        maps::stray::CHECKS,
        maps::tilesets::CHECKS,
        revisions::CHECKS,
    ]
    .concat();
    all.sort_unstable_by_key(|(rule, _)| rule.code);
    all
});

/// All rules, sorted by code.
pub static RULES: LazyLock<Vec<&'static LintRule>> =
    LazyLock::new(|| CHECKS.iter().map(|(rule, _)| *rule).collect());

/// Returns the rule whose code or name is `text`, or `None`. Letter case does not matter.
pub fn rule_by_name(text: &str) -> Option<&'static LintRule> {
    let mut rules = RULES.iter().copied();
    rules.find(|rule| [rule.code, rule.name].iter().any(|name| name.eq_ignore_ascii_case(text)))
}

impl FromStr for RuleSet {
    type Err = String;

    /// Parses `all`, the letters of a family, or the code or name of a rule. Letter case does not matter.
    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Self::All);
        }
        let mut families = Family::ALL.into_iter();
        if let Some(family) = families.find(|it| it.letters().eq_ignore_ascii_case(text)) {
            return Ok(Self::Family(family));
        }
        rule_by_name(text).map(Self::One).ok_or_else(|| {
            let near = nearest(text, RULES.iter().flat_map(|rule| [rule.name, rule.code]));
            let near = near.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            format!("there is no rule `{}`{near} (`bitwall rules` lists them)", printable(text))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_rule_has_a_suggestion() {
        let error = "gray-pixel".parse::<RuleSet>().unwrap_err();
        assert_eq!(
            error,
            "there is no rule `gray-pixel`; did you mean `gray-pixels`? (`bitwall rules` lists them)"
        );
    }
}
