//! Walls that a declared body would skip in a game that moves by whole steps.

use super::places::{at, body_of, for_bodies, place_of};
use crate::analyze::{ThinWall, TooComplex, skipped_walls};
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::spec::BodySpec;
use crate::verify::subject::Subject;
use crate::{Axis, LoadedLevel};

rule! {
    /// # What it finds
    /// A wall that is so thin that a declared body at its top speed stands free before it, and free beyond it
    /// one step later. A wall is thin enough if its pixels and those of the body together are at most the
    /// top speed.
    ///
    /// # Why it matters
    /// bitwall sweeps the whole way and skips no wall. A game that looks only at the end of each step, or
    /// that caps its physics steps, lets the body through.
    ///
    /// A body of 16 x 16 px at 24 px a step skips walls in one real level out of six.
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
    let walls = skipped_walls(loaded.level.terrain(), body.size, speed)?;
    let Some(ThinWall { axis, thickness, area, .. }) = walls.first() else {
        return Ok(None);
    };
    let headline = match walls.len() {
        1 => format!("a wall of {thickness} px is thin enough to be skipped in one step"),
        // There may be more: so many are kept.
        count if count >= 4_096 => {
            format!("most walls can be skipped, the thinnest {thickness} px")
        }
        count => format!("{count} walls can be skipped in one step, the thinnest {thickness} px"),
    };
    let way = match axis {
        Axis::X => "sideways",
        Axis::Y => "up or down",
    };
    Ok(Some(
        Finding::new(&THIN_WALL, subject.path, headline)
            .at(place_of(loaded, area.min))
            .area(*area)
            .note(format!("{} moves up to {speed} px a step {way}", body_of(body)))
            .note(format!("the thinnest wall is at {}", at(area.min)))
            .help("draw it thicker, or turn the rule off if the game sweeps its bodies"),
    ))
}
