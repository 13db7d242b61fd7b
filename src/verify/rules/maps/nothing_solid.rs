//! Maps in which nothing is solid.

use crate::LoadError;
use crate::tmx::Map;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::failure::{self, Cause};
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A map in which no layer, tile or object is marked as solid. Rules of Tiled's automapping are no
    /// levels: a map whose layers are all named `input...`, `output...` or `regions...` is passed over.
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

/// True for rules of Tiled's automapping: each layer has a name that Tiled gives a meaning there.
pub(in crate::verify) fn is_of_automapping(map: &Map) -> bool {
    let mut has_output = false;
    let mut is_of_rules = |name: &str| {
        let name = name.to_lowercase();
        has_output |= name.starts_with("output");
        ["input", "output", "regions"].iter().any(|start| name.starts_with(start))
    };
    let all = map.walk().all(|context| is_of_rules(&context.layer.name));
    all && has_output
}
