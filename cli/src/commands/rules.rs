//! `bitwall rules` and `bitwall explain`: list the rules, and print the docs of a rule.

use std::fmt::Write as _;

use anstyle::Style;
use clap::Args;

use super::{Answer, Failure};
use crate::lint::{FileKind, LintRule, Need, RULES, RuleSet};

/// List the rules of `verify`
#[derive(Args)]
#[command(after_help = "\
A rule that is off is turned on by `verify --select CODE`, or by `select` in the section `[verify]` of a
bitwall.toml. One that is always on reports a file that cannot be checked.

Examples:
  bitwall rules
  bitwall explain MSK202")]
pub(super) struct RulesArgs {}

pub(super) fn list() -> Result<Answer, Failure> {
    Answer::Yes.print(&table())
}

fn names(needs: &[Need]) -> Vec<&'static str> {
    needs.iter().copied().map(Need::name).collect()
}

fn table() -> String {
    let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    let mut table = String::new();
    for rule in RULES.iter() {
        let LintRule { code, name, .. } = rule;
        let severity = rule.severity.name();
        let state = state(rule);
        let files = files(rule.applies_to);
        let mut line = format!("{code:<7} {name:<width$}  {severity:<8} {state:<7} {files}");
        if !rule.needs.is_empty() {
            line = format!("{line:<0$} needs {1}", width + 42, names(rule.needs).join(" and "));
        }
        table += &(line + "\n");
    }
    table
}

fn state(rule: &LintRule) -> &'static str {
    match (rule.fixed, rule.is_default) {
        (true, _) => "always",
        (false, true) => "on",
        (false, false) => "off",
    }
}

fn files(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Any => "maps and masks",
        FileKind::Map => "maps",
        FileKind::Mask => "masks",
        FileKind::Config => "bitwall.toml",
    }
}

/// Explain a rule of `verify`: the fault, why it matters, and how to fix it
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall explain MSK202
  bitwall explain gray-pixels")]
pub(super) struct ExplainArgs {
    /// The rule, by its code or name
    #[arg(value_name = "RULE", value_parser = parse_rule)]
    rule: &'static LintRule,
}

pub(super) fn explain(args: &ExplainArgs) -> Result<Answer, Failure> {
    Answer::Yes.print(&text(args.rule))
}

fn parse_rule(text: &str) -> Result<&'static LintRule, String> {
    match text.parse()? {
        RuleSet::One(rule) => Ok(rule),
        _ => Err("one rule is needed, by its code or name; `bitwall rules` lists them".to_owned()),
    }
}

/// Returns a rule as text: code, name, severity and needs, then the docs with bold headings on a terminal.
fn text(rule: &LintRule) -> String {
    let bold = Style::new().bold();
    let state = if rule.is_default { "" } else { ", off by default" };
    let severity = rule.severity.name();
    let mut text = format!("{bold}{} {}{bold:#} ({severity}{state})\n", rule.code, rule.name);
    if !rule.needs.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "It needs {}.", names(rule.needs).join(" and "));
    }
    text.push('\n');
    for line in rule.markdown().lines() {
        let _ = match line.strip_prefix("# ") {
            Some(heading) => writeln!(text, "{bold}{heading}{bold:#}"),
            None => writeln!(text, "{line}"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rule_has_a_link_left_in_its_text() {
        for rule in crate::lint::RULES.iter() {
            let text = text(rule);
            assert!(!text.contains("](") && !text.contains("[`"), "{text}");
            assert!(text.contains("How to fix"), "{text}");
        }
    }
}
