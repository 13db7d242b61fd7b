//! What a rule is. The rules themselves are in `rules`.

use super::finding::Finding;
use super::rules::RULES;
use super::subject::Subject;

/// One thing that can be wrong with a level.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// Its family by what it looks at (`IO`, `TMX`, `MSK`, `LVL`), and a number. Never used again.
    pub code: &'static str,
    /// The bad thing in words with hyphens, so that it reads well after "allow": `gray-pixels`.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// True if it cannot be allowed, because nothing else is known of a file that could not be loaded.
    pub fixed: bool,
    /// What it finds, why that matters and how to fix it, in Markdown.
    pub docs: &'static str,
    /// Looks at a file. Reports at most four times.
    pub(super) check: fn(&Subject<'_>) -> Vec<Finding>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The game would misbehave.
    Error,
    /// A person should look.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// The rule with this code or name; letter case does not matter.
pub fn rule_by_name(text: &str) -> Option<&'static Rule> {
    let same = |name: &str| name.eq_ignore_ascii_case(text);
    RULES
        .iter()
        .find(|rule| same(rule.code) || same(rule.name))
        .copied()
}

/// Makes a rule of a doc comment, which becomes both its documentation and [`Rule::docs`].
macro_rules! rule {
    (
        $(#[doc = $line:literal])+
        $name:ident = $code:literal $kebab:literal $severity:ident $($fixed:ident)?
    ) => {
        $(#[doc = $line])+
        pub static $name: $crate::verify::Rule = $crate::verify::Rule {
            code: $code,
            name: $kebab,
            severity: $crate::verify::Severity::$severity,
            fixed: $crate::verify::rule::rule!(@ $($fixed)?),
            docs: concat!($($line, "\n"),+),
            check,
        };
    };
    (@ fixed) => { true };
    (@) => { false };
}
pub(super) use rule;
