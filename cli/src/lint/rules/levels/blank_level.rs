//! Levels that are all solid or all passable.

use crate::lint::finding::Finding;
use crate::lint::pixels::causes::{Cause, Counted};
use crate::lint::rule::rule;
use crate::lint::rules::SHAPE_IN_ALPHA;
use crate::lint::subject::Subject;
use bitwall::load::Source;

rule! {
    /// # What it finds
    /// A level whose cells are all solid or all passable, unless it has an area that stops some bodies. A map
    /// without solids is reported by `nothing-solid` instead, and a shape on a transparent ground by
    /// `shape-in-alpha`. With `--allow-nothing-solid` neither rule
    /// reports a level without solids.
    ///
    /// # Why it matters
    /// A body cannot move in it, or nothing stops a body. In most cases the wrong layer or file was exported,
    /// or black and white were exchanged.
    ///
    /// # How to fix
    /// Export the right layer. If the mask's walls are light, use `--mask light`. If they are drawn on a
    /// transparent ground, use `--mask opaque`.
    BLANK_LEVEL = "LVL305" "blank-level" Error
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(loaded) = subject.loaded() else {
        return Vec::new();
    };
    // The rule for it has the cause, and the better advice.
    let is_shape = |(cause, _): &Counted| *cause == Cause::ShapeInAlpha;
    let is_reported = subject.options.levels.severity_of(&SHAPE_IN_ALPHA).is_some();
    if is_reported && subject.gray_causes().iter().any(is_shape) {
        return Vec::new();
    }
    let level = &loaded.level;
    let state = match subject.solid_count() {
        0 if subject.may_have_nothing_solid || level.solid_areas().next().is_some() => {
            return Vec::new();
        }
        0 => "passable",
        solid if solid == level.grid().cell_count() => "solid",
        _ => return Vec::new(),
    };
    let finding = Finding::new(&BLANK_LEVEL, subject.path, format!("every cell is {state}"));
    vec![match &loaded.source {
        Source::Mask(source) => finding
            .note(format!("solid pixels are chosen by the rule {}", source.rule))
            .help("export the right layer, or choose the rule with --mask"),
        _ => match loaded.suggestions(None).into_iter().find(|suggestion| !suggestion.is_guess) {
            Some(suggestion) => {
                let arguments = suggestion.arguments().join(" ");
                finding.note(suggestion.why).help(format!("try {arguments}"))
            }
            None => finding.help("check in Tiled which layers and tiles are marked as solid"),
        },
    }]
}
