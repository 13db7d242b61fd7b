//! Passages that a declared body misses by a pixel or two.

use std::collections::{BTreeMap, BTreeSet};

use bitwall::glam::UVec2;

use super::places::{areas_at, at, body_of, for_bodies, place_of};
use crate::lint::finding::Finding;
use crate::lint::options::BodySpec;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::analyze::{FreeSpace, Gap, TooComplex, free_space, near_gaps};
use bitwall::text::px;
use bitwall::{Axis, LoadedLevel};

rule! {
    /// # What it finds
    /// A passage that is 1 or 2 px too narrow or too low for a declared body, and that parts two areas which
    /// the body could otherwise go between. In each of them it must have room to move: by its own length both
    /// ways, or by twice its length one way. A smaller area is a nook: passages into it count only if two
    /// areas with room are joined through nooks, such as a shaft that has a wider spot. If a spawn is known,
    /// the body must be able to come from it to one of the joined areas. Five passages are named. A made-up
    /// body of 14 x 14 px has one in 30 of 311 real files, most of them one level in many formats.
    ///
    /// # Why it matters
    /// The passage looks open. The player walks against it and is held by nothing that can be seen.
    ///
    /// # How to fix
    /// Widen the passage by the pixels that are missing, or close it.
    NEAR_FIT_GAP = "LVL307" "near-fit-gap" Warning needs(Body)
}

/// The pixels that may be missing.
const SLACK: u32 = 2;

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    for_bodies(subject, &NEAR_FIT_GAP, |loaded, body| of_body(subject, loaded, body))
}

fn of_body(
    subject: &Subject<'_>,
    loaded: &LoadedLevel,
    body: &BodySpec,
) -> Result<Option<Finding>, TooComplex> {
    let terrain = loaded.level.terrain();
    // A body of one or two pixels misses every crack.
    if body.size.min_element() <= 2 * SLACK {
        return Ok(None);
    }
    let free = free_space(terrain, body.size)?;
    let starts = areas_at(&free, &subject.spawns());
    let gaps = between_rooms(&free, near_gaps(terrain, &free, SLACK)?, &starts);
    let Some(first) = gaps.first() else {
        return Ok(None);
    };
    let missing = match first.axis {
        Axis::X => UVec2::new(first.missing, 0),
        Axis::Y => UVec2::new(0, first.missing),
    };
    let [one, other] = first.areas;
    let narrow = free_space(terrain, body.size - missing)?;
    let ends = [one, other].map(|area| free.areas().get(area).map(|area| area.first));
    let path = match ends {
        [Some(one), Some(other)] => narrow.path(one, other).unwrap_or_default(),
        _ => Vec::new(),
    };
    let half = (body.size / 2).as_ivec2();
    let spot = |gap: &Gap| {
        let free_px = match gap.axis {
            Axis::X => gap.area.width(),
            Axis::Y => gap.area.height(),
        };
        format!("{free_px} px at {}", at(loaded, gap.area.min))
    };
    let mut finding = Finding::new(&NEAR_FIT_GAP, subject.path, headline(&gaps))
        .of_places(format!("`{}`", body.name), gaps.iter().map(|gap| at(loaded, gap.area.min)))
        .at(place_of(loaded, first.area.min))
        .area(first.area)
        .trace(path.into_iter().map(|at| at.saturating_add(half)).collect())
        .note(format!("{} does not fit through {}", body_of(body), spot(first)))
        .note(format!("it parts areas of {}", sizes(&free, first)));
    let others = gaps.iter().skip(1).take(MAX_OTHERS);
    let others: Vec<String> = others
        .map(|gap| format!("{} ({} px too {})", spot(gap), gap.missing, way(gap.axis)))
        .collect();
    if !others.is_empty() {
        let more = gaps.len() - 1 - others.len();
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        finding = finding.note(format!("nor through {}{more}", others.join(", ")));
    }
    Ok(Some(finding.help(format!("widen it by {} px, or close it", first.missing))))
}

/// The passages that part two areas with room to move, or an area and a nook through which such passages join
/// two areas with room; with `starts`, only those that the body gets to from one of these areas.
fn between_rooms(free: &FreeSpace, mut gaps: Vec<Gap>, starts: &[usize]) -> Vec<Gap> {
    let mut neighbours = BTreeMap::<usize, Vec<usize>>::new();
    for [one, other] in gaps.iter().map(|gap| gap.areas) {
        neighbours.entry(one).or_default().push(other);
        neighbours.entry(other).or_default().push(one);
    }
    let counts = |areas: &BTreeSet<usize>| {
        let rooms = areas.iter().filter(|area| free.is_room(**area)).count();
        rooms > 1 && (starts.is_empty() || starts.iter().any(|start| areas.contains(start)))
    };
    // The nooks, and whether their passages count.
    let mut nooks = BTreeMap::new();
    for first in neighbours.keys().copied().filter(|area| !free.is_room(*area)) {
        if nooks.contains_key(&first) {
            continue;
        }
        let (mut open, mut areas) = (vec![first], BTreeSet::new());
        while let Some(area) = open.pop() {
            if areas.insert(area) && !free.is_room(area) {
                open.extend(neighbours.get(&area).into_iter().flatten());
            }
        }
        let is_kept = counts(&areas);
        nooks.extend(areas.into_iter().filter(|area| !free.is_room(*area)).map(|it| (it, is_kept)));
    }
    gaps.retain(|gap| match gap.areas.iter().find_map(|area| nooks.get(area)) {
        Some(is_kept) => *is_kept,
        None => counts(&gap.areas.into()),
    });
    gaps
}

/// The largest number of passages that are named beside the first one.
const MAX_OTHERS: usize = 4;

/// The word for a passage that lacks pixels on this axis.
const fn way(axis: Axis) -> &'static str {
    match axis {
        Axis::X => "narrow",
        Axis::Y => "low",
    }
}

/// The passages in words.
fn headline(gaps: &[Gap]) -> String {
    let lacks = |axis| gaps.iter().any(|gap| gap.axis == axis);
    let ways = match (lacks(Axis::X), lacks(Axis::Y)) {
        (true, true) => "too narrow or too low",
        (false, _) => "too low",
        (true, false) => "too narrow",
    };
    match gaps {
        [gap] => format!("a passage is {} px {ways} for a body", gap.missing),
        _ => format!("{} passages are a little {ways} for a body", gaps.len()),
    }
}

/// The sizes of the two areas in words.
fn sizes(free: &FreeSpace, gap: &Gap) -> String {
    let size = |area: usize| free.areas().get(area).map_or(UVec2::ZERO, |area| area.area.size());
    let [one, other] = gap.areas.map(size);
    format!("{} and {}", px(one), px(other))
}
