//! `bitwall rules`: the rules of `verify`, one a line.

use std::io::Write;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{Answer, Failure};
use crate::lint::{FileKind, Need, RULES, Rule};

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
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// A rule in JSON.
#[derive(Serialize)]
struct Entry {
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    state: &'static str,
    files: &'static str,
    needs: Vec<&'static str>,
    docs: String,
}

pub(super) fn run(args: &RulesArgs) -> Result<Answer, Failure> {
    let text = match args.format {
        Format::Text => table(),
        Format::Json => {
            let all: Vec<Entry> = RULES.iter().map(|rule| entry(rule)).collect();
            let json = serde_json::to_string_pretty(&all)
                .map_err(|error| Failure::Other(format!("cannot write JSON: {error}")))?;
            json + "\n"
        }
    };
    Answer::Yes.once(write!(std::io::stdout().lock(), "{text}"))
}

fn entry(rule: &Rule) -> Entry {
    Entry {
        code: rule.code,
        name: rule.name,
        severity: rule.severity.name(),
        state: state(rule),
        files: files(rule.applies_to),
        needs: rule.needs.iter().copied().map(Need::name).collect(),
        docs: rule.markdown(),
    }
}

fn table() -> String {
    let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    let line = |rule: &&Rule| {
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

/// Whether a rule is on without any argument.
fn state(rule: &Rule) -> &'static str {
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
