//! Maps in which nothing is solid.

use crate::LoadError;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::failure::{self, Cause};
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A map in which no layer, tile or object is marked as solid.
    ///
    /// # Why it matters
    /// Every body falls through the floor. In most cases a layer was renamed, or a property misspelled.
    ///
    /// # How to fix
    /// Name a layer `Collision`, or give the layer or its tiles the bool property `solid`. If the game uses
    /// other names, set them in a `bitwall.toml` or with `--solid-layer`. If the map is meant to have no
    /// walls, use `--allow-nothing-solid`.
    NOTHING_SOLID = "TMX107" "nothing-solid" Error on(Map)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let findings = failure::report(&NOTHING_SOLID, Cause::NothingSolid, subject);
    let suggestions = subject.level.err().map(LoadError::suggestions).unwrap_or_default();
    let clear = suggestions.into_iter().find(|suggestion| !suggestion.is_guess);
    let with_help = |finding: Finding| {
        let help = "name a layer `Collision`, or give it or its tiles the bool property `solid`";
        match &clear {
            Some(suggestion) => {
                let arguments = suggestion.arguments().join(" ");
                finding.note(suggestion.why.clone()).help(format!("try {arguments}"))
            }
            None => finding.help(help),
        }
    };
    findings.into_iter().map(with_help).collect()
}
