//! Which rules are on, and how severe their findings are.

use std::fmt;

use super::rule::{Rule, Severity};

/// Some of the rules: one, by its code or name, those of a family, or all.
#[derive(Clone, Copy, Debug)]
pub enum RuleSet {
    /// All rules: `all`.
    All,
    /// The rules whose code starts with these letters: `TMX`.
    Family(Family),
    /// One rule: `TMX113` or `near-name`.
    One(&'static Rule),
}

/// A family of rules, by the letters of its codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Files.
    Io,
    /// Maps.
    Tmx,
    /// Masks.
    Msk,
    /// Levels.
    Lvl,
    /// Navigation.
    Nav,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 5] = [Self::Io, Self::Tmx, Self::Msk, Self::Lvl, Self::Nav];

    /// The letters: `TMX`.
    pub const fn letters(self) -> &'static str {
        match self {
            Self::Io => "IO",
            Self::Tmx => "TMX",
            Self::Msk => "MSK",
            Self::Lvl => "LVL",
            Self::Nav => "NAV",
        }
    }
}

impl RuleSet {
    /// True if the rule is one of them.
    pub fn holds(self, rule: &Rule) -> bool {
        match self {
            Self::All => true,
            Self::Family(family) => {
                let number = rule.code.strip_prefix(family.letters());
                number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
            }
            Self::One(one) => one.code == rule.code,
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "all",
            Self::Family(family) => family.letters(),
            Self::One(rule) => rule.code,
        })
    }
}

/// The state of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleLevel {
    /// It is not checked.
    Off,
    /// It is checked, with the severity that was stated before, or else its own.
    On,
    /// It is checked; its findings are of severity warning.
    Warning,
    /// It is checked; its findings are of severity error.
    Error,
}

impl RuleLevel {
    /// The severity that it states.
    fn severity(self) -> Option<Severity> {
        match self {
            Self::Off | Self::On => None,
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

/// The states of rules; a later entry counts more than those before it.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    levels: Vec<(RuleSet, RuleLevel)>,
}

impl Selection {
    /// Gives rules another state.
    pub fn set(&mut self, rules: RuleSet, level: RuleLevel) {
        self.levels.push((rules, level));
    }

    /// Adds the states of another selection, which count more.
    pub fn extend(&mut self, other: &Self) {
        self.levels.extend_from_slice(&other.levels);
    }

    /// The severity of a rule's findings, or `None` if it is off. A rule that is [`Rule::fixed`] is always
    /// on, and an error. O(entries).
    pub fn severity_of(&self, rule: &Rule) -> Option<Severity> {
        if rule.fixed {
            return Some(rule.severity);
        }
        let last = self.levels.iter().rfind(|(rules, _)| rules.holds(rule));
        match last.map(|(_, level)| *level) {
            Some(RuleLevel::Off) => None,
            // The severity that was stated before it, if any.
            Some(RuleLevel::On) => {
                let stated = self.levels.iter().rev().filter(|(rules, _)| rules.holds(rule));
                let mut stated = stated.filter_map(|(_, level)| level.severity());
                stated.next().or(Some(rule.severity))
            }
            Some(level) => level.severity(),
            None => rule.is_default.then_some(rule.severity),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::rules::{GRAY_PIXELS, OPEN_BORDER, UNREADABLE_FILE};

    #[test]
    fn the_last_word_about_a_rule_counts() {
        let mut selection = Selection::default();
        assert_eq!(selection.severity_of(&GRAY_PIXELS), Some(Severity::Error));
        assert_eq!(selection.severity_of(&OPEN_BORDER), None);
        selection.set("all".parse().unwrap(), RuleLevel::Off);
        selection.set("msk".parse().unwrap(), RuleLevel::Warning);
        selection.set("open-border".parse().unwrap(), RuleLevel::On);
        assert_eq!(selection.severity_of(&GRAY_PIXELS), Some(Severity::Warning));
        assert_eq!(selection.severity_of(&OPEN_BORDER), Some(Severity::Error));
        assert_eq!(selection.severity_of(&UNREADABLE_FILE), Some(Severity::Error));
        selection.set("gray-pixels".parse().unwrap(), RuleLevel::On);
        assert_eq!(selection.severity_of(&GRAY_PIXELS), Some(Severity::Warning), "as stated");
    }
}
