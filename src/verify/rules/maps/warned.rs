//! The warnings of a load as findings, for the rules that report them.

use crate::verify::finding::Finding;
use crate::verify::rule::Rule;
use crate::verify::subject::Subject;
use crate::{error::warning::WarningCause, text::printable};

/// A finding for each of the first warnings of this cause.
pub(super) fn report(
    rule: &'static Rule,
    cause: WarningCause,
    subject: &Subject<'_>,
) -> Vec<Finding> {
    let warnings = subject.loaded().map_or(&[][..], |loaded| &loaded.warnings);
    let warnings = warnings.iter().filter(|warning| warning.cause == cause);
    let finding = |warning: &crate::error::warning::LoadWarning| {
        let mut finding = Finding::new(rule, subject.path, warning.headline.clone())
            .of_many(warning.headline.clone(), warning.count)
            .at(warning.place.clone())
            .help(warning.help.clone());
        finding.notes.extend(warning.detail.clone());
        let file = warning.file.as_ref();
        let of_world = file.map(|file| format!("in its map `{}`", printable(file)));
        finding.notes.extend(of_world);
        match warning.count {
            1 => finding,
            count => finding.note(format!("{count} times; this is the first")),
        }
    };
    warnings.take(super::MOST_FINDINGS).map(finding).collect()
}
