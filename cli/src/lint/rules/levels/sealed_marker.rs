//! Goals, pickups and spawns in pockets of the level.

use bitwall::glam::IVec2;

use super::places::{areas_at, id_of, name_of, place_of_marker, target, touching};
use crate::lint::finding::Finding;
use crate::lint::options::MarkerRole;
use crate::lint::rule::{Need, rule};
use crate::lint::rules::UNREACHABLE;
use crate::lint::subject::Subject;
use bitwall::analyze::{FreeSpace, TooComplex, free_space};
use bitwall::text::{counted, px};
use bitwall::{Aabb, LoadedLevel, Marker};

rule! {
    /// # What it finds
    /// A declared goal or pickup that no declared body can touch: every position at it overlaps a solid, or
    /// is in a pocket without room to move, or solids part it from every spawn, also for a body that flies. A
    /// spawn in a pocket without room to move.
    ///
    /// # Why it matters
    /// The level cannot be finished, or the pickup cannot be taken.
    ///
    /// # How to fix
    /// Open the wall around it, or move it. If a door or a portal leads there, allow the rule for the level.
    SEALED_MARKER = "LVL308" "sealed-marker" Error on(Map) needs(Body)
}

/// The largest number of markers that are looked at in a level.
const MAX_MARKERS: usize = 10_000;

/// The reason that no body can take a marker, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Seal {
    Solid,
    Pocket,
    Parted,
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(loaded) = subject.loaded() else {
        return Vec::new();
    };
    let spawns = subject.spawns();
    let goals =
        [MarkerRole::Goal, MarkerRole::Pickup].map(|role| subject.markers_of(role)).concat();
    let mut seals: Vec<Option<Seal>> = vec![Some(Seal::Parted); goals.len() + spawns.len()];
    if seals.is_empty() || seals.len() > MAX_MARKERS {
        if !seals.is_empty() {
            subject.give_up(&SEALED_MARKER, format!("it has more than {MAX_MARKERS} markers"));
        }
        return Vec::new();
    }
    // The bodies of enemies may be too large for a goal: one that can take it is enough.
    for body in subject.bodies() {
        let sealed = match free_space(loaded.level.terrain(), body.size) {
            Ok(free) => seals_of(&free, &goals, &spawns),
            Err(TooComplex) => {
                subject.give_up(&SEALED_MARKER, TooComplex.to_string());
                return Vec::new();
            }
        };
        for (known, seal) in seals.iter_mut().zip(sealed) {
            *known = known.take().and_then(|known| Some(known.min(seal?)));
        }
    }
    let all = goals.iter().chain(&spawns).zip(seals);
    // Of bodies whose moves are known, `unreachable` tells more about the ways.
    let by_moves =
        subject.has(Need::Moves) && subject.options.levels.severity_of(&UNREACHABLE).is_some();
    let all = all.skip(if by_moves { goals.len() } else { 0 });
    let mut bad: Vec<(&Marker, Seal)> =
        all.filter_map(|(marker, seal)| Some((*marker, seal?))).collect();
    bad.sort_by_key(|(_, seal)| *seal);
    let kinds = bad.chunk_by(|one, other| one.1 == other.1);
    kinds.filter_map(|kind| finding(subject, loaded, kind)).collect()
}

/// The reason for each goal and then each spawn that a body cannot take it.
fn seals_of(free: &FreeSpace, goals: &[&Marker], spawns: &[&Marker]) -> Vec<Option<Seal>> {
    let body = free.body();
    let rooms = |areas: &[usize]| -> Vec<usize> {
        areas.iter().copied().filter(|area| free.is_room(*area)).collect()
    };
    let has_rooms = (0..free.areas().len()).any(|area| free.is_room(area));
    let starts = rooms(&areas_at(free, spawns));
    let of_goal = |marker: &&Marker| {
        let Aabb { min, max } = target(marker);
        let longest = body.as_ivec2() - IVec2::ONE;
        let touched = free.areas_within(Aabb { min: min.saturating_sub(longest), max });
        let in_rooms = rooms(&touched);
        match () {
            // A level without any place for the body has another fault.
            () if free.areas().is_empty() => None,
            () if touched.is_empty() => Some(Seal::Solid),
            () if in_rooms.is_empty() && has_rooms => Some(Seal::Pocket),
            () if !starts.is_empty() && !touched.iter().any(|area| starts.contains(area)) => {
                Some(Seal::Parted)
            }
            () => None,
        }
    };
    let of_spawn = |marker: &&Marker| {
        let areas = areas_at(free, &[*marker]);
        // A spawn in a solid is the fault of another rule.
        (!areas.is_empty() && has_rooms && rooms(&areas).is_empty()).then_some(Seal::Pocket)
    };
    goals.iter().map(of_goal).chain(spawns.iter().map(of_spawn)).collect()
}

fn finding(
    subject: &Subject<'_>,
    loaded: &LoadedLevel,
    bad: &[(&Marker, Seal)],
) -> Option<Finding> {
    let (first, seal) = bad.first()?;
    let name = name_of(first);
    let subject_of = match bad.len() {
        1 => format!("{name} is"),
        count => format!("{} such as {name} are", counted(count as u64, "marker")),
    };
    let (headline, help) = match seal {
        Seal::Solid => (format!("{subject_of} out of reach in solids"), "move it out of the solid"),
        Seal::Pocket => (
            format!("{subject_of} sealed in a pocket without room to move"),
            "open the wall around it, or move it",
        ),
        Seal::Parted => (
            format!("{subject_of} walled off from every spawn"),
            "open a way, or allow the rule if a door or a portal leads there",
        ),
    };
    let body = subject.bodies().first()?;
    Some(
        Finding::new(&SEALED_MARKER, subject.path, headline)
            .of_named("", bad.iter().map(|(marker, _)| id_of(marker)))
            .at(place_of_marker(loaded, first))
            .area(touching(first, bitwall::glam::UVec2::ONE))
            .note(format!("no body gets there, not even one of {} that flies", px(body.size)))
            .help(help),
    )
}
