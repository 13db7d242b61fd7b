//! The warnings of a load as findings: each cause that is a fault has a rule.

use super::{Check, MOST_FINDINGS};
use crate::lint::finding::Finding;
use crate::lint::rule::{Rule, rule};
use crate::lint::subject::Subject;
use bitwall::load::{LoadWarning, WarningCause};
use bitwall::text::printable;

rule! {
    /// # What it finds
    /// With `--lenient`: a layer with too few or too many cells, or a cell or object whose tile is in no
    /// tileset. Without it, each of them is an error that keeps the map from being loaded.
    ///
    /// # Why it matters
    /// Missing cells and tiles count as empty, so a wall may be lost.
    ///
    /// # How to fix
    /// Repaint the cells, or restore the tileset that the map was drawn with.
    PASSED_OVER_FAULT = "TMX109" "passed-over-fault" Warning on(Map)
}

rule! {
    /// # What it finds
    /// A property that marks solids and whose value is a text, such as `true` or `1`, not a bool.
    ///
    /// # Why it matters
    /// bitwall reads it as a bool. Other programs, and Tiled's own filters, read it as a text.
    ///
    /// # How to fix
    /// Remove the property in Tiled and add it again as a bool.
    TEXT_FLAG = "TMX111" "text-flag" Warning on(Map)
}

rule! {
    /// # What it finds
    /// An image layer that is marked as solid by its name, its class, a property, or its group.
    ///
    /// # Why it matters
    /// A picture in a map adds no solid cells, so a wall drawn in it does not stop a body.
    ///
    /// # How to fix
    /// Draw its walls as tiles or objects, or load the picture as a mask of its own.
    SOLID_PICTURE = "TMX112" "solid-picture" Warning on(Map)
}

/// The rules with their checks.
pub(super) static CHECKS: &[(&Rule, Check)] = &[
    (&PASSED_OVER_FAULT, |subject| report(&PASSED_OVER_FAULT, WarningCause::Fault, subject)),
    (&TEXT_FLAG, |subject| report(&TEXT_FLAG, WarningCause::TextFlag, subject)),
    (&SOLID_PICTURE, |subject| report(&SOLID_PICTURE, WarningCause::SolidPicture, subject)),
];

/// A finding for each of the first warnings of this cause.
fn report(rule: &'static Rule, cause: WarningCause, subject: &Subject<'_>) -> Vec<Finding> {
    let warnings = subject.loaded().map_or(&[][..], |loaded| &loaded.warnings);
    let warnings = warnings.iter().filter(|warning| warning.cause == cause);
    let finding = |warning: &LoadWarning| {
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
    warnings.take(MOST_FINDINGS).map(finding).collect()
}
