//! Walls that a declared body would skip in a game that moves by whole steps.

use super::places::{at, body_of, for_bodies, place_of};
use crate::analyze::{ThinSolid, TooComplex, skipped_solids};
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::spec::BodySpec;
use crate::verify::subject::Subject;
use crate::{Axis, LoadedLevel};

rule! {
    /// # What it finds
    /// A wall that is so thin that a declared body at its top speed stands free before it, and free beyond it
    /// one step later: its pixels and those of the body together are at most the top speed. It must close a
    /// passage or be long. It closes a passage if it parts two areas, in each of which the body has room, by
    /// its own length both ways or by twice its length one way. It is long if a part of it is skipped in as
    /// many rows, or columns, of positions as the top speed has pixels, and in three times as many as this
    /// part is thick. The tip of a slope and a post with room beside it are no walls, nor is a low door
    /// between places that are connected elsewhere. The thinnest part of a wall is named, and at most 4,096
    /// walls are counted.
    ///
    /// # Why it matters
    /// bitwall sweeps the whole way and skips no wall. A game that looks only at the end of each step, or
    /// that caps its physics steps, lets the body through.
    ///
    /// A declared top speed asks for this rule: leave it out if the game moves bodies by bitwall. A made-up
    /// body of 14 x 14 px at 24 px a step skips walls in 29 of 311 real files, a bullet of 4 x 4 px at 16 px
    /// a step in 14.
    ///
    /// # How to fix
    /// Draw the wall thicker, or lower the top speed. If the game moves bodies by bitwall, turn the rule off.
    THIN_WALL = "LVL312" "thin-wall" Warning needs(TopSpeed)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    for_bodies(subject, &THIN_WALL, |loaded, body| of_body(subject, loaded, body))
}

fn of_body(
    subject: &Subject<'_>,
    loaded: &LoadedLevel,
    body: &BodySpec,
) -> Result<Option<Finding>, TooComplex> {
    let Some(speed) = body.top_speed else {
        return Ok(None);
    };
    let solids = skipped_solids(loaded.level.terrain(), body.size, speed)?;
    // There may be more: so many are kept.
    let or_more = if solids.len() >= 4_096 { " or more" } else { "" };
    let Some(ThinSolid { axis, thickness, area, .. }) = solids.first() else {
        return Ok(None);
    };
    let headline = match solids.len() {
        1 => format!("a wall of {thickness} px is thin enough to be skipped in one step"),
        count => format!(
            "{count} walls{or_more} can be skipped in one step, the thinnest {thickness} px"
        ),
    };
    let way = match axis {
        Axis::X => "sideways",
        Axis::Y => "up or down",
    };
    Ok(Some(
        Finding::new(&THIN_WALL, subject.path, headline)
            .of_places(format!("`{}`", body.name), solids.iter().map(|it| at(loaded, it.area.min)))
            .at(place_of(loaded, area.min))
            .area(*area)
            .note(format!("{} moves up to {speed} px a step {way}", body_of(body)))
            .note(format!("the thinnest wall is at {}", at(loaded, area.min)))
            .help("draw it thicker, or turn the rule off if the game sweeps its bodies"),
    ))
}
