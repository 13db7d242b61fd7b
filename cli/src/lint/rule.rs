//! The description of a rule: code, name, severity, needs and docs. Its check is in `rules`, with the rule
//! itself.

/// A fault that a level can have.
#[derive(Debug)]
pub struct Rule {
    /// The family (`IO`, `TMX`, `MSK`, `LVL`, `NAV`: files, maps, masks, levels, navigation) and a number. It
    /// is never reused.
    pub code: &'static str,
    /// The fault in words with hyphens, so that it reads well after "allow": `gray-pixels`.
    pub name: &'static str,
    /// The severity of its findings, unless [`VerifyOptions::levels`](super::VerifyOptions::levels) has
    /// another.
    pub severity: Severity,
    /// True if it cannot be turned off: it reports that the file could not be loaded.
    pub fixed: bool,
    /// True if it is on unless it is turned off.
    pub is_default: bool,
    /// The files that it is about.
    pub applies_to: FileKind,
    /// The facts without which it cannot be checked. A file for which one is missing gets a
    /// [`Skipped`](super::Skipped) in place of findings.
    pub needs: &'static [Need],
    /// The text of `bitwall explain`, in Markdown: the fault, why it matters and how to fix it.
    pub docs: &'static str,
}

impl Rule {
    /// Its [docs](Self::docs) without the space that a doc comment starts its lines with.
    pub(crate) fn markdown(&self) -> String {
        let lines = self.docs.lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A map, a world or a mask.
    Any,
    /// A map or a world.
    Map,
    /// A mask.
    Mask,
    /// A `bitwall.toml`.
    Config,
}

/// A fact that a rule needs beside the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Need {
    /// The size of a body.
    Body,
    /// A body with a set of moves.
    Moves,
    /// A marker at which a body starts.
    Spawn,
    /// A marker that a body must reach.
    Goal,
    /// A marker of which a level has a number that is stated.
    Marker,
    /// The art of a mask.
    Art,
    /// The level of an earlier revision.
    Base,
}

impl Need {
    /// The fact in words, as in "needs a body size".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Body => "a body size",
            Self::Moves => "a body with a set of moves",
            Self::Spawn => "a spawn",
            Self::Goal => "a goal",
            Self::Marker => "the markers that a level must have",
            Self::Art => "the art of the mask",
            Self::Base => "an earlier revision",
        }
    }
}

/// Declares a rule. Its doc comment becomes both its documentation and [`Rule::docs`].
///
/// After the severity, in any order: `fixed`, `on(FileKind)` (default: `Any`), `needs(Need, ..)`, and `off`
/// for a rule that is off by default.
macro_rules! rule {
    (
        $(#[doc = $line:literal])+
        $name:ident = $code:literal $kebab:literal $severity:ident $($more:tt)*
    ) => {
        $(#[doc = $line])+
        pub static $name: $crate::lint::Rule = $crate::lint::Rule {
            code: $code,
            name: $kebab,
            severity: $crate::lint::Severity::$severity,
            fixed: $crate::lint::rule::rule!(@fixed $($more)*),
            is_default: $crate::lint::rule::rule!(@default $($more)*),
            applies_to: $crate::lint::rule::rule!(@kind $($more)*),
            needs: $crate::lint::rule::rule!(@needs $($more)*),
            docs: concat!($($line, "\n"),+),
        };
    };
    (@fixed fixed $($more:tt)*) => { true };
    (@fixed $word:tt $($more:tt)*) => { $crate::lint::rule::rule!(@fixed $($more)*) };
    (@fixed) => { false };
    (@default off $($more:tt)*) => { false };
    (@default $word:tt $($more:tt)*) => { $crate::lint::rule::rule!(@default $($more)*) };
    (@default) => { true };
    (@kind on($kind:ident) $($more:tt)*) => { $crate::lint::FileKind::$kind };
    (@kind $word:tt $($more:tt)*) => { $crate::lint::rule::rule!(@kind $($more)*) };
    (@kind) => { $crate::lint::FileKind::Any };
    (@needs needs($($need:ident),+) $($more:tt)*) => { &[$($crate::lint::Need::$need),+] };
    (@needs $word:tt $($more:tt)*) => { $crate::lint::rule::rule!(@needs $($more)*) };
    (@needs) => { &[] };
}
pub(super) use rule;
