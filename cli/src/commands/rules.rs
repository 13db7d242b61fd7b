//! `bitwall rules` and `bitwall explain`: list the rules, and print the docs of a rule.

use std::fmt::Write as _;
use std::io::Write;

use anstyle::Style;
use clap::Args;

use super::json::{Json, object};
use super::{Answer, AnswerFormat, Failure};
use crate::lint::{FileKind, LintRule, Need, RULES, RuleSet};

/// List the rules of `verify`
#[derive(Args)]
#[command(after_help = "\
A rule that is off is turned on by `verify --select CODE`, or by `select` in the section `[verify]` of a
bitwall.toml. One that is always on reports a file that cannot be checked.

Examples:
  bitwall rules
  bitwall rules --format json
  bitwall explain MSK202")]
pub(super) struct RulesArgs {
    /// The format of the list
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

pub(super) fn list(args: &RulesArgs) -> Result<Answer, Failure> {
    let text = match args.format {
        AnswerFormat::Text => table(),
        AnswerFormat::Json => Json::list(RULES.iter(), |rule| entry(rule)).text(),
    };
    Answer::Yes.once(write!(std::io::stdout().lock(), "{text}"))
}

fn entry(rule: &LintRule) -> Json {
    object! {
        code: rule.code,
        name: rule.name,
        severity: rule.severity.name(),
        state: state(rule),
        files: files(rule.applies_to),
        needs: Json::list(rule.needs, |need| need.name().into()),
        docs: rule.markdown(),
    }
}

fn table() -> String {
    let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    let line = |rule: &&LintRule| {
        let needs: Vec<&str> = rule.needs.iter().copied().map(Need::name).collect();
        let needs = match needs.is_empty() {
            true => String::new(),
            false => format!("needs {}", needs.join(" and ")),
        };
        let (name, severity, state) = (rule.name, rule.severity.name(), state(rule));
        let files = files(rule.applies_to);
        let line = format!(
            "{:<7} {name:<width$}  {severity:<8} {state:<7} {files:<15} {needs}",
            rule.code
        );
        line.trim_end().to_owned() + "\n"
    };
    RULES.iter().map(line).collect()
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
    let mut out = anstream::stdout().lock();
    Answer::Yes.once(write!(out, "{}", text(args.rule)).and_then(|()| out.flush()))
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
    let state = match rule.is_default {
        true => "",
        false => ", off by default",
    };
    let severity = rule.severity.name();
    let mut text = format!("{bold}{} {}{bold:#} ({severity}{state})\n", rule.code, rule.name);
    if !rule.needs.is_empty() {
        let needs: Vec<&str> = rule.needs.iter().copied().map(Need::name).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "It needs {}.", needs.join(" and "));
    }
    text.push('\n');
    for line in rule.markdown().lines() {
        let _ = match line.strip_prefix("# ") {
            Some(heading) => writeln!(text, "{bold}{heading}{bold:#}"),
            None => writeln!(text, "{}", without_links(line)),
        };
    }
    text
}

/// Replaces links in a line of Markdown by their texts: ``[`Level`](bitwall::Level)`` gives `` `Level` ``.
fn without_links(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        let Some((label, behind)) = after.split_once(']') else {
            plain.push('[');
            rest = after;
            continue;
        };
        let target = behind.strip_prefix('(').and_then(|behind| behind.split_once(')'));
        let is_link = target.is_some() || (label.starts_with('`') && label.ends_with('`'));
        match is_link {
            true => plain.push_str(label),
            // Brackets without a target stay: `[verify]` is a section of a file, not a link.
            false => {
                plain.push('[');
                plain.push_str(label);
                plain.push(']');
            }
        }
        rest = target.map_or(behind, |(_, rest)| rest);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doc_links_become_their_text_and_other_brackets_stay() {
        for (line, expected) in [
            ("see [`Level`](bitwall::Level) and [`Grid`]", "see `Level` and `Grid`"),
            (
                "the section `[verify]` has `masks = ['a']`",
                "the section `[verify]` has `masks = ['a']`",
            ),
            ("[the docs](https://x.y) of a [", "the docs of a ["),
        ] {
            assert_eq!(without_links(line), expected);
        }
    }

    #[test]
    fn no_rule_has_a_link_left_in_its_text() {
        for rule in crate::lint::RULES.iter() {
            let text = text(rule);
            assert!(!text.contains("]("), "{text}");
            assert!(text.contains("How to fix"), "{text}");
        }
    }
}
