//! The description of a rule: code, name, severity and docs. Its check is in `rules`, with the rule itself.

/// A fault that a level can have.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The family (`IO`, `TMX`, `MSK`, `LVL`: files, maps, masks, levels) and a number. It is never reused.
    pub code: &'static str,
    /// The fault in words with hyphens, so that it reads well after "allow": `gray-pixels`.
    pub name: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    /// True if it cannot be allowed: it reports that the file could not be loaded.
    pub fixed: bool,
    /// The text of `bitwall verify --explain`, in Markdown: the fault, why it matters and how to fix it.
    pub docs: &'static str,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Severity {
    /// The game would misbehave.
    Error,
    /// The level may be wrong; a person should look at it.
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

/// Declares a rule. Its doc comment becomes both its documentation and [`Rule::docs`].
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
        };
    };
    (@ fixed) => { true };
    (@) => { false };
}
pub(super) use rule;
