//! Levels that are all solid or all passable.

use crate::Source;
use crate::verify::rule::rule;
use crate::verify::{Finding, Subject};

rule! {
    /// # What it finds
    /// A level of which every cell is solid, or none. A map in which nothing is solid is `nothing-solid`;
    /// with `--allow-nothing-solid` neither is found.
    ///
    /// # Why it matters
    /// Nobody can move in it, or nothing stops anybody: mostly the wrong layer or file was exported, or
    /// black and white were exchanged.
    ///
    /// # How to fix
    /// Export the right layer. If the mask's walls are light, say so with `--mask light`; if they are what
    /// is drawn at all, on a transparent ground, `--mask opaque`.
    BLANK_LEVEL = "LVL305" "blank-level" Error
}

fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(level) = subject.loaded() else {
        return Vec::new();
    };
    let state = match level.grid().solid_count() {
        0 if subject.may_have_nothing_solid => return Vec::new(),
        0 => "passable",
        solid if solid == level.grid().cell_count() => "solid",
        _ => return Vec::new(),
    };
    let finding = Finding::new(&BLANK_LEVEL, subject.path, format!("every cell is {state}"));
    vec![match level.source() {
        Source::Mask(source) => finding
            .note(format!("solid pixels are chosen by the rule {}", source.rule))
            .help("export the right layer, or choose the rule with --mask"),
        _ => finding.help("see which layers and tiles are marked as solid in Tiled"),
    }]
}
