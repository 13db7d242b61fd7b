//! The description of a rule, and sets of rules with their states: off, on, or a severity.

use super::Check;

/// A rule of the linter: one kind of fault that a level can have.
#[derive(Debug)]
#[non_exhaustive]
pub struct LintRule {
    /// The code of the rule: the letters of its family (`IO` files, `TMX` maps, `MSK` masks, `LVL` levels,
    /// `NAV` navigation) and a number. A code is never reused.
    pub code: &'static str,
    /// The name of the rule, hyphenated. It names the fault, so that it reads well after "allow":
    /// `gray-pixels`.
    pub name: &'static str,
    /// The default severity, which [`VerifyOptions::levels`](super::VerifyOptions::levels) can override.
    pub severity: Severity,
    /// True if the rule cannot be turned off, because it reports a load error.
    pub fixed: bool,
    /// True if the rule is on by default.
    pub is_default: bool,
    /// The kind of files that the rule checks.
    pub applies_to: FileKind,
    /// The facts that the rule needs. If one is missing, the rule is [`Skipped`](super::Skipped).
    pub needs: &'static [Need],
    /// The text of `bitwall explain` in Markdown: the fault, why it matters, and how to fix it.
    pub docs: &'static str,
    /// Checks a file, and adds what it finds. `None` if the rule has nothing more to look at.
    pub(super) check: fn(&Check<'_, '_>) -> Option<()>,
}

impl LintRule {
    /// Returns the first paragraph of the [docs](Self::docs), which describes the fault, on one line.
    pub(crate) fn about(&self) -> String {
        let docs = self.markdown();
        let lines: Vec<&str> = docs.lines().skip(1).take_while(|line| !line.is_empty()).collect();
        lines.join(" ")
    }

    /// Returns the [docs](Self::docs) as Markdown, without the leading space of each line, and then what was
    /// measured of the rule.
    pub(crate) fn markdown(&self) -> String {
        let lines = self.docs.lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
        lines.collect::<Vec<_>>().join("\n") + "\n\n# How often it is right\n" + &self.judged()
    }

    /// Returns a sentence on the findings that were judged by eye.
    fn judged(&self) -> String {
        let row = JUDGED.lines().find_map(|line| line.strip_prefix(self.code)).unwrap_or_default();
        match row.split_whitespace().collect::<Vec<_>>()[..] {
            [findings, projects, useful, wrong] => format!(
                "Judged by eye, in public projects that the rule was not made from: findings {findings}, in \
                 projects {projects}, useful {useful}, wrong {wrong}."
            ),
            _ => "Not measured: no finding in public projects that the rule was not made from."
                .to_owned(),
        }
    }
}

/// For each rule the number of judged findings, of the projects that have them, of the useful and of the wrong
/// ones.
const JUDGED: &str = include_str!("judged.tsv");

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The game would misbehave.
    Error,
    /// The level may be wrong; a person should look at it.
    Warning,
    /// A statistical sign of a fault; the level may be right. A note does not change the exit code.
    Note,
}

impl Severity {
    /// Returns the severity as a word: `error`, `warning` or `note`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A kind of file that rules check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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

/// A fact that a rule needs in addition to the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Need {
    /// The size of a body.
    Body,
    /// A marker where a body starts.
    Spawn,
    /// A marker that a body must reach.
    Goal,
    /// At least one `[[verify.marker]]` entry in the options, of any role.
    Marker,
    /// The picture that the player sees, for a check of its mask.
    Art,
    /// The number of solid cells in an earlier revision of the level.
    Base,
}

impl Need {
    /// Returns the fact in words that can follow "needs", such as `a body size`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Body => "a body size",
            Self::Spawn => "a spawn",
            Self::Goal => "a goal",
            Self::Marker => "the markers that a level must have",
            Self::Art => "the art of the mask",
            Self::Base => "an earlier revision",
        }
    }
}

/// A set of rules: one rule, a family or all.
#[derive(Clone, Copy, Debug)]
pub enum RuleSet {
    /// All rules: `all`.
    All,
    /// The rules whose code starts with these letters: `TMX`.
    Family(&'static str),
    /// One rule: `TMX113` or `near-name`.
    One(&'static LintRule),
}

/// The letters of all families of rules: files, maps, masks, levels, navigation.
pub(super) const FAMILIES: [&str; 5] = ["IO", "TMX", "MSK", "LVL", "NAV"];

impl RuleSet {
    /// True if the rule is in this set.
    pub fn holds(self, rule: &LintRule) -> bool {
        match self {
            Self::All => true,
            Self::Family(family) => {
                let number = rule.code.strip_prefix(family);
                number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
            }
            Self::One(one) => one.code == rule.code,
        }
    }
}

/// The state of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleLevel {
    /// The rule is not checked.
    Off,
    /// The rule is checked. Its severity comes from the last earlier entry of the [`Selection`] that states
    /// one for the rule, or else is the default.
    On,
    /// The rule is checked, and its findings have this severity.
    As(Severity),
}

/// A list of entries that set the states of rules. A later entry overrides earlier ones.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    levels: Vec<(RuleSet, RuleLevel)>,
}

impl Selection {
    /// Sets the state of some rules.
    pub fn set(&mut self, rules: RuleSet, level: RuleLevel) {
        self.levels.push((rules, level));
    }

    /// Appends the entries of `other`. They override the entries of this selection.
    pub fn extend(&mut self, other: &Self) {
        self.levels.extend_from_slice(&other.levels);
    }

    /// Returns the severity of a rule's findings, or `None` if the rule is off. A [`LintRule::fixed`] rule is
    /// always on, with its default severity. O(n) for n entries.
    pub fn severity_of(&self, rule: &LintRule) -> Option<Severity> {
        if rule.fixed {
            return Some(rule.severity);
        }
        let mut is_stated_on = false;
        for (_, level) in self.levels.iter().rev().filter(|(rules, _)| rules.holds(rule)) {
            match level {
                RuleLevel::As(severity) => return Some(*severity),
                RuleLevel::Off if !is_stated_on => return None,
                // Keeps searching, because an earlier entry may state the severity.
                RuleLevel::On | RuleLevel::Off => is_stated_on = true,
            }
        }
        (is_stated_on || rule.is_default).then_some(rule.severity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::RULES;
    use crate::lint::rules::{GRAY_PIXELS, OPEN_BORDER, UNREADABLE_FILE};

    #[test]
    fn each_rule_has_a_row_in_the_table_of_what_was_judged() {
        let rows = JUDGED.lines().filter(|line| !line.starts_with('#'));
        let rows: Vec<Vec<&str>> = rows.map(|line| line.split_whitespace().collect()).collect();
        let codes: Vec<&str> = rows.iter().map(|row| row[0]).collect();
        assert_eq!(codes, RULES.iter().map(|rule| rule.code).collect::<Vec<_>>());
        for row in rows.iter().filter(|row| row.len() > 1) {
            let numbers: Vec<u32> = row[1..].iter().map(|text| text.parse().unwrap()).collect();
            let [findings, projects, useful, wrong] = numbers[..] else { panic!("{row:?}") };
            assert!((1..=findings).contains(&projects) && useful + wrong <= findings, "{row:?}");
        }
        assert!(rule_text("TMX127").ends_with("findings 8, in projects 1, useful 8, wrong 0."));
        assert!(rule_text("NAV402").ends_with(
            "# How often it is right\nNot measured: no finding in \
             public projects that the rule was not made from."
        ));
    }

    fn rule_text(code: &str) -> String {
        RULES.iter().find(|rule| rule.code == code).unwrap().markdown()
    }

    #[test]
    fn the_last_entry_for_a_rule_decides_its_state() {
        let mut selection = Selection::default();
        assert_eq!(selection.severity_of(&GRAY_PIXELS), Some(Severity::Error));
        assert_eq!(selection.severity_of(&OPEN_BORDER), None);
        selection.set("all".parse().unwrap(), RuleLevel::Off);
        selection.set("msk".parse().unwrap(), RuleLevel::As(Severity::Warning));
        selection.set("open-border".parse().unwrap(), RuleLevel::On);
        assert_eq!(selection.severity_of(&GRAY_PIXELS), Some(Severity::Warning));
        assert_eq!(selection.severity_of(&OPEN_BORDER), Some(Severity::Error));
        assert_eq!(selection.severity_of(&UNREADABLE_FILE), Some(Severity::Error));
        selection.set("gray-pixels".parse().unwrap(), RuleLevel::On);
        assert_eq!(selection.severity_of(&GRAY_PIXELS), Some(Severity::Warning), "as stated");
    }
}
