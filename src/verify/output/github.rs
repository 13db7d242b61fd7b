//! Workflow commands that GitHub shows as annotations, and Markdown for the summary of a job.
//!
//! GitHub shows 10 errors and 10 warnings of a step and drops the rest without a word, so that the first 10
//! of each are commands and the others lines of the log; the summary has all. The escapes are those of
//! `@actions/core`: in a message `%`, CR and LF, in a property also `:` and `,`.

use std::fmt::Write;
use std::path::Path;

use super::clean::{clean, clean_path};
use super::concise::concise_at;
use super::paths::slashed_text;
use super::summary::{not_checked, summary};
use crate::text::markdown::inert;
use crate::verify::Severity;
use crate::verify::checked::{Checked, Reported};

/// The number of annotations of one severity that GitHub shows for a step.
const SHOWN: usize = 10;

/// The largest summary in bytes; GitHub refuses one of more than 1 MiB.
const MAX_MARKDOWN: usize = 900 << 10;

/// The findings as workflow commands, the first 10 errors and the first 10 warnings, and the others as lines
/// for the log. Each rule or file that was not checked is a notice.
pub fn github(checked: &Checked) -> String {
    let mut text = String::new();
    let mut left = [SHOWN; 2];
    for reported in &checked.findings {
        let left = match reported.finding.severity {
            Severity::Error => &mut left[0],
            Severity::Warning => &mut left[1],
        };
        let line = match left.checked_sub(1) {
            Some(less) => {
                *left = less;
                annotation(reported)
            }
            None => concise_at(&reported.finding, &reported.path),
        };
        text += &line;
        text.push('\n');
    }
    let rest = not_checked(checked);
    if !rest.is_empty() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "::notice title=bitwall::{}", data(&rest.join("\n")));
    }
    text
}

/// A finding as one workflow command: `::error file=maps/cave.tmx,title=TMX107 nothing-solid::...`, without
/// a line break.
fn annotation(reported: &Reported) -> String {
    let finding = &reported.finding;
    let (rule, place) = (finding.rule, &finding.place);
    let file = property(&clean_path(Path::new(&slashed_text(&reported.path))));
    let mut text = format!("::{} file={file}", finding.severity.name());
    if let Some((line, column)) = place.line {
        let _ = write!(text, ",line={line},col={column}");
    }
    let _ = write!(text, ",title={}", property(&format!("{} {}", rule.code, rule.name)));

    let mut message = clean(&finding.headline);
    if !place.is_empty() {
        let _ = write!(message, " ({})", clean(&place.to_string()));
    }
    for note in &finding.notes {
        let _ = write!(message, "\nnote: {}", clean(note));
    }
    if !finding.help.is_empty() {
        let _ = write!(message, "\nhelp: {}", clean(&finding.help));
    }
    let _ = write!(text, "::{}", data(&message));
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// The result in Markdown, for the summary of a job or a comment on a pull request: a table of all findings,
/// as far as 900 KiB hold them, and the numbers.
pub fn markdown(checked: &Checked) -> String {
    let mut text = "**bitwall**\n\n".to_owned();
    if !checked.findings.is_empty() {
        text += "| severity | rule | file | finding | to do |\n|---|---|---|---|---|\n";
    }
    for (index, reported) in checked.findings.iter().enumerate() {
        let row = row(reported);
        if text.len() + row.len() > MAX_MARKDOWN {
            let _ = writeln!(text, "\n{} more are not listed.", checked.findings.len() - index);
            break;
        }
        text += &row;
    }
    for line in summary(checked).lines() {
        let _ = write!(text, "\n{}\n", inert(line));
    }
    text
}

fn row(reported: &Reported) -> String {
    let finding = &reported.finding;
    let mut headline = clean(&finding.headline);
    if !finding.place.is_empty() {
        let _ = write!(headline, " ({})", clean(&finding.place.to_string()));
    }
    let path = clean(&slashed_text(&reported.path));
    format!(
        "| {} | {} {} | {} | {} | {} |\n",
        finding.severity.name(),
        finding.rule.code,
        finding.rule.name,
        inert(&path),
        inert(&headline),
        inert(&clean(&finding.help))
    )
}
