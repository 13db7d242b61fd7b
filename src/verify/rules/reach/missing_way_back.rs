//! Places that a body enters and never leaves.

use glam::IVec2;

use super::unmodelled::unmodelled;
use super::verdicts::{known_areas, verdicts};
use crate::Aabb;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::levels::places::{at, body_of, place_of};
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A floor on which a body comes to stand, and from which it gets neither back to a spawn nor to a goal
    /// or pickup: a pit that is deeper than its jump. That it comes there was played with the real mover, and
    /// that it never leaves is proven. It is off by default, because a pit can be meant to kill, and
    /// the solids do not show the spikes in it. A made-up body that jumps finds such a place in
    /// 10 of 311 real files, all of which are seen from above; one that is seen from above finds none.
    ///
    /// # Why it matters
    /// The player cannot go on, and can only start again.
    ///
    /// # How to fix
    /// Add a step or a ladder, or close the pit. Where the pit kills, put an object or an area named `death`,
    /// `spikes` or `hazard` into it.
    MISSING_WAY_BACK = "NAV402" "missing-way-back" Warning needs(Moves, Spawn) off
}

/// Words in the names of things that end a fall.
const DEADLY: [&str; 9] =
    ["death", "kill", "spike", "hazard", "lava", "pit", "fall", "damage", "respawn"];

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(loaded) = subject.loaded() else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for (body, reach) in verdicts(subject, true) {
        let reach = match reach {
            Ok(reach) => reach,
            Err(error) => {
                subject.give_up(&MISSING_WAY_BACK, error.to_string());
                continue;
            }
        };
        if let Some(cause) = reach.unknown_traps {
            subject.give_up(&MISSING_WAY_BACK, cause.to_string());
            continue;
        }
        let size = body.size.as_ivec2();
        let stands = |at: &IVec2| Aabb::from_xywh(at.x, at.y, size.x, size.y);
        let traps: Vec<Aabb> = reach.traps.iter().map(stands).collect();
        let Some(first) = traps.iter().find(|trap| !is_deadly(subject, **trap)) else {
            continue;
        };
        if let Some(thing) = unmodelled(subject, &known_areas(subject)) {
            subject.give_up(&MISSING_WAY_BACK, thing);
            continue;
        }
        let spot = at(loaded, first.min.with_y(first.max.y));
        let headline = format!("nothing leads back from the floor at {spot}");
        let finding = Finding::new(&MISSING_WAY_BACK, subject.path, headline)
            .at(place_of(loaded, first.center()))
            .area(*first)
            .note(format!("{} comes to stand there", body_of(body)))
            .help("add a step or a ladder, or name what kills the body there");
        findings.push(finding);
    }
    findings.truncate(4);
    findings
}

/// True if something that may be deadly touches the body or lies within its height of it.
fn is_deadly(subject: &Subject<'_>, body: Aabb) -> bool {
    let Some(loaded) = subject.loaded() else {
        return true;
    };
    let reach = body.size().as_ivec2();
    let near = Aabb { min: body.min.saturating_sub(reach), max: body.max.saturating_add(reach) };
    let is_word = |name: &str| {
        let name = name.to_lowercase();
        DEADLY.iter().any(|word| name.contains(word))
    };
    let mut areas = loaded.level.areas();
    let mut markers = loaded.level.markers().iter();
    areas.any(|(name, area)| is_word(name) && area.overlaps(near))
        || markers.any(|marker| {
            let is_named =
                is_word(&marker.name) || is_word(&marker.class) || is_word(&marker.layer);
            is_named && (marker.area.overlaps(near) || near.contains(marker.position()))
        })
}
