//! The numbers of a run in words: what was checked, and what was not.

use std::collections::BTreeMap;

use super::clean::clean;
use crate::text::counted;
use crate::verify::checked::{Checked, KnownBy, SkippedRule};
use crate::verify::{Rule, SkipReason};

/// The result in a few lines, with a line break at the end: the rules that could not be checked, the pictures
/// that were not looked at, the numbers of a baseline, and at last those of files and findings.
pub fn summary(checked: &Checked) -> String {
    let mut lines = not_checked(checked);
    if let Some(known) = checked.known {
        let known_ones = counted(known.known as u64, "known finding");
        let by = match known.by {
            KnownBy::Baseline => "of the baseline fixed",
            KnownBy::Revision => "fixed since the revision",
            KnownBy::Both => "of the baseline or the revision fixed",
        };
        lines.push(format!("{known_ones} not shown; {} {by}", known.fixed));
    }
    lines.push(checked.summary().to_string());
    lines.join("\n") + "\n"
}

/// A line for each reason that rules could not be checked, and those on files that were left out.
pub(super) fn not_checked(checked: &Checked) -> Vec<String> {
    let mut by_reason = BTreeMap::<_, Vec<_>>::new();
    for SkippedRule { rule, reason, files } in &checked.skipped {
        let files = counted(*files as u64, "file");
        let name = format!("{} {} ({files})", rule.code, rule.name);
        by_reason.entry(reason).or_default().push(name);
    }
    let line = |(reason, names): (&SkipReason, Vec<String>)| {
        format!("not checked, {}: {}", clean(&reason.to_string()), names.join(", "))
    };
    by_reason.into_iter().map(line).chain(files_left_out(checked)).collect()
}

/// Lines on the levels that were not checked, and one on the pictures that were not looked at.
pub(super) fn files_left_out(checked: &Checked) -> Vec<String> {
    let levels = (checked.unchecked > 0).then(|| {
        let files = counted(checked.unchecked as u64, "file");
        let whose = if checked.unchecked == 1 { "its" } else { "their" };
        format!("{files} not checked: {whose} bitwall.toml is broken")
    });
    let pictures = match checked.pictures {
        0 => None,
        1 => Some(
            "1 picture not looked at: no map names it, and its name is not a mask's".to_owned(),
        ),
        count => Some(format!(
            "{count} pictures not looked at: no map names them, and their names are not masks'"
        )),
    };
    let ignored = (checked.ignored > 0).then(|| {
        let files = counted(checked.ignored as u64, "file");
        let them = if checked.ignored == 1 { "it" } else { "them" };
        format!("{files} of the repository not checked: a .gitignore names {them}")
    });
    levels.into_iter().chain(ignored).chain(pictures).collect()
}

/// The number of findings of each rule, a line each, the most first; nothing if there are none.
pub fn statistics(checked: &Checked) -> String {
    let mut counts = checked.statistics();
    counts.sort_by_key(|(rule, count)| (std::cmp::Reverse(*count), rule.code));
    let width = counts.first().map_or(0, |(_, count)| count.to_string().len());
    let line = |(rule, count): (&Rule, usize)| {
        format!("{count:>width$}  {:<7} {}\n", rule.code, rule.name)
    };
    counts.into_iter().map(line).collect()
}
