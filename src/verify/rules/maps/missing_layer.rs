//! Layers that every map of the game must have.

use crate::text::{listed, printable};
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::subject::Subject;

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

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(map) = subject.map() else {
        return Vec::new();
    };
    let names: Vec<String> = map.walk().map(|context| context.layer.name.clone()).collect();
    let required = subject.options.required_layers.iter();
    let missing = required.filter(|wanted| !names.iter().any(|name| is_like(wanted, name)));
    let finding = |wanted: &String| {
        let wanted = printable(wanted).to_string();
        Finding::new(&MISSING_LAYER, subject.path, format!("there is no layer `{wanted}`"))
            .note(format!("its layers are {}", listed(names.iter())))
            .help("add the layer, or rename the one that was meant")
    };
    missing.take(super::MOST).map(finding).collect()
}

/// True if a name is the one wanted, in any letter case, or has its start if that ends with a `*`.
pub(super) fn is_like(wanted: &str, name: &str) -> bool {
    let (wanted, name) = (wanted.to_lowercase(), name.to_lowercase());
    match wanted.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => wanted == name,
    }
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn names_are_compared_without_case() {
        assert!(is_like("Walls", "walls") && is_like("wall*", "Walls 2") && is_like("*", ""));
        assert!(!is_like("Walls", "Walls 2") && !is_like("wall*", "a wall"));
    }
}
