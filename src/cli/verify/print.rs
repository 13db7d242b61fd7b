//! The findings on standard output, in the format that was asked for, and the summary of a GitHub job.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;

use crate::cli::Failure;
use crate::error::io_reason;
use crate::text::{counted, printable_path};
use crate::verify::{Checked, Finding, Reported, Severity, output};

/// The format of the findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// With a drawing of the place, notes and help
    Full,
    /// One line a finding
    Concise,
    /// Annotations of a GitHub workflow, and all findings in the summary of the job
    Github,
    /// GitLab's code quality report
    Gitlab,
    /// One JSON document
    Json,
    /// JUnit's XML, a test a finding
    Junit,
    /// One JSON object a line; outputs can be put one behind the other
    Ndjson,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// Writes the findings, or with `statistics` their number for each rule.
pub(super) fn print(format: Format, checked: &Checked, statistics: bool) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let shown = || first_of_each_rule(&checked.findings);
    let text = match format {
        Format::Full | Format::Concise if statistics => output::statistics(checked),
        Format::Full => {
            for (index, reported) in shown().enumerate() {
                let gap = if index == 0 { "" } else { "\n" };
                let finding = at_root(reported);
                write!(out, "{gap}{}", colored(&finding, &output::full(&finding)))?;
            }
            return out.flush();
        }
        Format::Concise => {
            for reported in shown() {
                writeln!(out, "{}", output::concise(&at_root(reported)))?;
            }
            return out.flush();
        }
        Format::Github => output::github(checked),
        Format::Gitlab => output::gitlab(checked),
        Format::Json => output::json(checked),
        Format::Junit => output::junit(checked),
        Format::Ndjson => output::ndjson(checked),
        Format::Sarif => output::sarif(checked),
    };
    write!(out, "{text}")?;
    out.flush()
}

/// The first four findings of each rule in a file: more of them tell a person nothing new.
fn first_of_each_rule(findings: &[Reported]) -> impl Iterator<Item = &Reported> {
    const SHOWN: u32 = 4;
    let mut counts = HashMap::<_, u32>::new();
    findings.iter().filter(move |reported| {
        let count = counts.entry((&reported.path, reported.finding.rule.code)).or_default();
        *count += 1;
        *count <= SHOWN
    })
}

/// A finding with its path from the root of the repository, as in the formats for programs: it is the same in
/// every folder in which the program runs.
fn at_root(reported: &Reported) -> Finding {
    Finding { path: reported.path.clone(), ..reported.finding.clone() }
}

/// The text of a finding with its first part, the severity and code, in colour. `anstream` removes the colour
/// if the output is not a terminal.
fn colored(finding: &Finding, text: &str) -> String {
    let color = match finding.severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    let head = text.find(':').unwrap_or(0);
    format!("{style}{}{style:#}{}", &text[..head], &text[head..])
}

/// Adds the result to the summary of a GitHub job, which is the file that `GITHUB_STEP_SUMMARY` names; does
/// nothing if the variable is not set.
pub(super) fn add_to_job_summary(checked: &Checked) -> Result<(), Failure> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let path = Path::new(&path);
    // Steps append: the runner shows the file as it is after the step.
    let file = File::options().append(true).create(true).open(path);
    let written = file.and_then(|mut file| file.write_all(output::markdown(checked).as_bytes()));
    written.map_err(|error| {
        let (name, reason) = (printable_path(path), io_reason(&error));
        Failure::Other(format!("{name}: cannot write the summary of the job: {reason}"))
    })
}

/// Writes what was checked, and what was not, to standard error. It is ignored if that is closed.
pub(super) fn print_summary(format: Format, checked: &Checked) {
    let hidden = checked.findings.len() - first_of_each_rule(&checked.findings).count();
    if matches!(format, Format::Full | Format::Concise) && hidden > 0 {
        let findings = counted(hidden as u64, "finding");
        let _ = writeln!(
            anstream::stderr(),
            "{findings} not shown, beyond the first four of a rule in a file; `--format json` has all"
        );
    }
    let summary = output::summary(checked);
    let hint = match checked.findings.first() {
        None => String::new(),
        Some(reported) => format!(". `bitwall explain {}` tells more.", reported.finding.rule.code),
    };
    let _ = writeln!(anstream::stderr(), "{}{hint}", summary.trim_end());
}
