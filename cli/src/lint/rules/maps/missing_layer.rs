//! Layers that every map of the game must have.

use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::text::{is_name_like, listed, printable};

rule! {
    /// # What it finds
    /// A map that lacks a layer which the `required-layers` of the `[verify]` section of a `bitwall.toml`
    /// name. Letter case does not matter, groups around the layer do not either, and `*` at the end of a name
    /// matches any rest. Without `required-layers` nothing is required.
    ///
    /// # Why it matters
    /// The game looks for the layer by its name, and does without it or ends with an error.
    ///
    /// # How to fix
    /// Add the layer, or rename the one that was meant.
    MISSING_LAYER = "TMX123" "missing-layer" Error on(Map)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(map) = subject.map() else {
        return Vec::new();
    };
    let names: Vec<String> = map.walk().map(|context| context.layer.name.clone()).collect();
    let required = subject.options.required_layers.iter();
    let missing = required.filter(|wanted| !names.iter().any(|name| is_name_like(wanted, name)));
    let finding = |wanted: &String| {
        let wanted = printable(wanted).to_string();
        Finding::new(&MISSING_LAYER, subject.path, format!("there is no layer `{wanted}`"))
            .note(format!("its layers are {}", listed(names.iter())))
            .help("add the layer, or rename the one that was meant")
    };
    missing.take(super::MOST_FINDINGS).map(finding).collect()
}
