//! Ways from the outside of a level to its spawn.

use super::places::{at, body_of, name_of, place_of};
use crate::analyze::{TooComplex, leak, standing};
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::spec::BodySpec;
use crate::verify::subject::Subject;
use crate::{LoadedLevel, Marker};

rule! {
    /// # What it finds
    /// A way on which a declared body gets from beyond the level to a spawn. The finding has the way as a
    /// path, and its narrowest spot, which most often is the hole in the wall. It is off by default, because
    /// 79% of real levels have exits.
    ///
    /// # Why it matters
    /// Turned on, it states that the level is closed. A body that can come in can leave the level.
    ///
    /// # How to fix
    /// Close the wall at the narrowest spot. If the level is meant to have an exit, allow the rule for it.
    LEAK = "LVL306" "leak" Error on(Map) needs(Body, Spawn) off
}

/// The largest number of spawns that are tried.
const MAX_SPAWNS: usize = 16;

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(loaded) = subject.loaded() else {
        return Vec::new();
    };
    let spawns = subject.spawns();
    let mut pairs = subject
        .bodies()
        .iter()
        .flat_map(|body| spawns.iter().take(MAX_SPAWNS).map(move |spawn| (body, *spawn)));
    let found = pairs.find_map(|(body, spawn)| of_spawn(subject, loaded, body, spawn).transpose());
    match found {
        Some(Ok(finding)) => vec![finding],
        Some(Err(error)) => {
            subject.give_up(&LEAK, error.to_string());
            Vec::new()
        }
        None => Vec::new(),
    }
}

fn of_spawn(
    subject: &Subject<'_>,
    loaded: &LoadedLevel,
    body: &BodySpec,
    spawn: &Marker,
) -> Result<Option<Finding>, TooComplex> {
    let level = &loaded.level;
    let stands = standing(spawn, body.size).into_iter().find(|body| !level.overlaps(*body));
    let Some(stands) = stands else {
        return Ok(None);
    };
    let Some(leak) = leak(level.terrain(), body.size, stands.min)? else {
        return Ok(None);
    };
    let headline = format!("the level is open from the outside to the spawn {}", name_of(spawn));
    let mut finding =
        Finding::new(&LEAK, subject.path, headline).note(format!("{} gets through", body_of(body)));
    let spot = leak.narrowest;
    let first = leak.path.get(1).or(leak.path.first()).copied().unwrap_or_default();
    finding = finding.at(place_of(loaded, spot.map_or(first, |spot| spot.min)));
    if let Some(spot) = spot {
        let (width, place) = (leak.width, at(loaded, spot.min));
        finding =
            finding.area(spot).note(format!("the narrowest spot is {width} px wide, at {place}"));
    }
    let half = (body.size / 2).as_ivec2();
    let trace = leak.path.iter().map(|at| at.saturating_add(half)).collect();
    Ok(Some(finding.trace(trace).help("close the wall there, or allow the rule for this level")))
}
