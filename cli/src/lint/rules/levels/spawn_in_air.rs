//! Spawns without a floor below them.

use super::places::{body_of, id_of, name_of, place_of_marker};
use crate::lint::finding::Finding;
use crate::lint::options::BodySpec;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::analyze::standing;
use bitwall::{Dir, Level, LoadedLevel, Marker};

rule! {
    /// # What it finds
    /// A spawn from which a body falls: with no floor within four times its height below it. Stand the marker
    /// as the body's middle, its feet or its top-left corner, whichever is nearest to a floor. It is off by
    /// default, because it is about games with gravity only.
    ///
    /// # Why it matters
    /// The level starts with a fall, or with a death where there is no floor at all.
    ///
    /// # How to fix
    /// Move the marker down to the floor, or draw the floor.
    SPAWN_IN_AIR = "LVL304" "spawn-in-air" Warning on(Map) needs(Body, Spawn) off
}

/// The largest fall, in heights of the body.
const MAX_FALL: u32 = 4;

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some(loaded), Some(body)) = (subject.loaded(), subject.bodies().first()) else {
        return Vec::new();
    };
    let spawns = subject.spawns();
    let falls = |marker| Some((marker, fall(&loaded.level, marker, body)?));
    let bad: Vec<(&Marker, u32)> = spawns.into_iter().filter_map(falls).collect();
    finding(subject, loaded, body, &bad).into_iter().collect()
}

/// The pixels that the body falls, if they are too many; `u32::MAX` without a floor. `None` for a body that
/// starts in a solid, which another rule reports.
fn fall(level: &Level, marker: &Marker, body: &BodySpec) -> Option<u32> {
    let free = standing(marker, body.size).into_iter().filter(|body| !level.overlaps(*body));
    let fall = free.map(|body| {
        let sweep = level.sweep(body, Dir::Down, level.size().y.saturating_mul(2));
        if sweep.contact.is_some() { sweep.moved } else { u32::MAX }
    });
    fall.min().filter(|fall| *fall > body.size.y.saturating_mul(MAX_FALL))
}

fn finding(
    subject: &Subject<'_>,
    loaded: &LoadedLevel,
    body: &BodySpec,
    bad: &[(&Marker, u32)],
) -> Option<Finding> {
    let (first, fall) = bad.first()?;
    let name = name_of(first);
    let headline = match (bad.len(), *fall) {
        (1, u32::MAX) => format!("there is no floor below the spawn {name}"),
        (1, fall) => format!("the floor is {fall} px below the spawn {name}"),
        (count, _) => format!("{count} spawns are in the air, first {name}"),
    };
    let [middle, ..] = standing(first, body.size);
    Some(
        Finding::new(&SPAWN_IN_AIR, subject.path, headline)
            .of_named("", bad.iter().map(|(marker, _)| id_of(marker)))
            .at(place_of_marker(loaded, first))
            .area(middle)
            .note(format!("{} falls there", body_of(body)))
            .help("move the spawn to the floor, or draw the floor"),
    )
}
