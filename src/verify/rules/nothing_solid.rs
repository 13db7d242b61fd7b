//! Maps in which nothing is solid.

use super::failure::{self, Cause};
use crate::verify::rule::rule;
use crate::verify::{Finding, Subject};

rule! {
    /// # What it finds
    /// A map in which no layer, tile or object says that it is solid.
    ///
    /// # Why it matters
    /// Everybody falls through the floor. Mostly a layer was renamed, or a property misspelled.
    ///
    /// # How to fix
    /// Name a layer `Collision`, or give the layer or its tiles the bool property `solid`. If the game
    /// names it otherwise, say so in a `bitwall.toml` or with `--solid-layer`; if the map is meant to
    /// have no walls, with `--allow-nothing-solid`.
    NOTHING_SOLID = "TMX107" "nothing-solid" Error
}

fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let findings = failure::report(&NOTHING_SOLID, Cause::NothingSolid, subject);
    let help = "name a layer `Collision`, or give it or its tiles the bool property `solid`";
    findings.into_iter().map(|f| f.help(help)).collect()
}
