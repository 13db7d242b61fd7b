//! The rules for reachability: goals that no body reaches, and passages that are slightly too narrow.

mod gaps;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::lint::rules::levels::{
    areas_at, body_name, marker_id, marker_name, marker_place, target,
};
use crate::lint::rules::{pixel_place, place_name};
use crate::lint::{BodySpec, Check, MarkerRole, Subject};
use bitwall::analyze::{
    Barrier, BarrierKind, FreeSpace, MoveSet, Reach, ReachLimits, TooComplex, Verdict, boxes_at,
    free_space, reach,
};
use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::Search;
use bitwall::text::words_in;
use bitwall::text::{counted, printable, px};
use bitwall::tmx::{LayerContent, Properties};
use bitwall::{Aabb, Axis, LoadedLevel, Marker, Terrain};
use gaps::{Gap, near_gaps};

rule! {
    /// # What it finds
    /// A goal or pickup that no declared body can reach from any spawn. This is proven: the body does not
    /// fit through, or the goal is higher than the body can rise at once. The finding shows a path through
    /// the obstacle, and the narrowest place on it.
    ///
    /// The bodies and their moves come from `[[verify.body]]`, the goals and pickups from
    /// `[[verify.marker]]`. If no body has moves, the bodies may fly. A goal that is neither reached nor
    /// proven to be out of reach is listed as not checked, with the cause: a gap that may be too wide, or an
    /// object that no move set models, such as `door`, `lift` or `spring`. The name and class of the goal
    /// itself are no such cause: an `exit` of the class `door` is checked.
    ///
    /// Of 311 real files, three have both spawns and goals with the usual names. With a made-up body the rule
    /// finds nothing in them, with moves for a side view and for a top view.
    ///
    /// # Why it matters
    /// The level cannot be finished.
    ///
    /// # How to fix
    /// Widen the passage, lower the step, or move the marker. If an object of the game opens the way, give
    /// the object a name such as `door`, or allow the rule for the level.
    UNREACHABLE(unreachable) = "NAV401" "unreachable" Error needs(Body, Spawn, Goal)
}

const MAX_GOALS: usize = 256;
const MAX_SPAWNS: usize = 16;

const MAX_MOVERS: usize = 8;

/// The largest number of steps of movement that the searches for all bodies simulate together. They take 0.1
/// to 0.2 s.
const MAX_STEPS: u64 = 400_000;

/// The largest number of runs (adjacent positions in a row) that the flood fills for all bodies visit
/// together. They take about 0.3 s.
const MAX_RUNS: u64 = 1 << 22;

/// The largest number of runs (adjacent positions in a row) that the search for the obstacle before a goal
/// visits.
const MAX_BARRIER_RUNS: u64 = 1 << 21;

/// The search is limited by steps and positions and not by time, so that all machines give the same results.
fn unreachable(check: &Check<'_, '_>) -> Option<()> {
    let loaded = check.loaded()?;
    let spawns = check.spawns();
    let all = check.bodies().iter();
    let mut bodies: Vec<&BodySpec> = all.clone().filter(|body| body.moves.is_some()).collect();
    if bodies.is_empty() {
        bodies.extend(all);
    }
    // Spawns and bodies beyond the limit may reach any goal.
    let are_all_searched = spawns.len() <= MAX_SPAWNS && bodies.len() <= MAX_MOVERS;
    let spawns = check.first(spawns, MAX_SPAWNS, "spawns");
    let bodies = check.first(bodies, MAX_MOVERS, "bodies");
    let goals = check.first(check.goals(), MAX_GOALS, "goals");
    let targets: Vec<Aabb> = goals.iter().map(|goal| target(goal)).collect();
    let steps = MAX_STEPS / bodies.len().max(1) as u64;
    let mut limits = ReachLimits { steps, runs: MAX_RUNS, explained: 0 };
    let mut is_reached = vec![false; goals.len()];
    let mut causes = vec![None; goals.len()];
    for body in &bodies {
        let reach = check.known(search(loaded, body, &spawns, &targets, &limits))?;
        limits.runs = reach.runs_left;
        for (at, verdict) in reach.goals.iter().enumerate() {
            match verdict {
                Verdict::Reached(_) => is_reached[at] = true,
                Verdict::Unreachable(_) => {}
                Verdict::Unknown(cause) => causes[at] = Some(*cause),
            }
        }
    }
    let mut unknown = Vec::new();
    let mut barred = Vec::new();
    for (at, goal) in goals.iter().enumerate().filter(|(at, _)| !is_reached[*at]) {
        match causes[at] {
            Some(cause) => unknown.push((goal, cause)),
            None => barred.push(*goal),
        }
    }
    if let Some((goal, cause)) = unknown.first() {
        let more = match unknown.len() {
            1 => String::new(),
            count => format!(", and {} more", count - 1),
        };
        check.give_up(format!("{}{more}: {cause}", marker_name(goal)));
    }
    if barred.is_empty() || !are_all_searched {
        return None;
    }
    if let Some(thing) = unmodelled(check) {
        let goals = counted(barred.len() as u64, "goal");
        check.give_up(format!("{goals} may be out of reach, but {thing}"));
        return None;
    }
    let body = bodies.first()?;
    for goal in barred {
        check.add("", marker_id(goal), || {
            let finding = check
                .finding(format!("{} cannot be reached", marker_name(goal)))
                .place(marker_place(loaded, goal));
            match barrier(loaded, body, &spawns, goal) {
                Some(barrier) => {
                    let (note, help) = explained(loaded, body, &barrier);
                    finding.area(barrier.narrowest).trace(barrier.path).note(note).help(help)
                }
                None => {
                    let note = format!("no way leads {} there", body_name(body));
                    finding
                        .area(target(goal))
                        .note(note)
                        .help("open a way there, or move the marker")
                }
            }
        });
    }
    Some(())
}

/// Searches for ways of a body from the spawns to the goals. A body without moves may fly.
fn search(
    loaded: &LoadedLevel,
    body: &BodySpec,
    spawns: &[&Marker],
    goals: &[Aabb],
    limits: &ReachLimits,
) -> Result<Reach, TooComplex> {
    let moves = body.moves.clone().unwrap_or_else(|| MoveSet::top_down(1));
    let boxes = spawns.iter().flat_map(|spawn| boxes_at(spawn, body.size));
    let starts: Vec<IVec2> = boxes.map(|body| body.min).collect();
    reach(&loaded.level, body.size, &moves, &starts, goals, limits)
}

/// Returns the obstacle that keeps a body from a goal. `None` if the search finds no obstacle.
fn barrier(
    loaded: &LoadedLevel,
    body: &BodySpec,
    spawns: &[&Marker],
    goal: &Marker,
) -> Option<Barrier> {
    let limits = ReachLimits { steps: 0, runs: MAX_BARRIER_RUNS, explained: 1 };
    let reach = search(loaded, body, spawns, &[target(goal)], &limits).ok()?;
    match reach.goals.into_iter().next()? {
        Verdict::Unreachable(barrier) => barrier.map(|barrier| *barrier),
        _ => None,
    }
}

fn explained(loaded: &LoadedLevel, body: &BodySpec, barrier: &Barrier) -> (String, &'static str) {
    let spot = place_name(loaded, barrier.narrowest.min);
    let body = body_name(body);
    match barrier.kind {
        BarrierKind::Solid { cells: 0 } => {
            (format!("solids close every way of {body}"), "open a way there, or move the marker")
        }
        BarrierKind::Solid { cells } => {
            let cells = counted(cells.into(), "cell");
            let note = format!("solids close the way of {body} at {spot}: {cells} on the way");
            (note, "open a way there, or move the marker")
        }
        BarrierKind::Gap { by } => (
            format!("the way is too narrow for {body} at {spot}: by {by} px"),
            "widen the passage there",
        ),
        BarrierKind::Height { needed, rise } => {
            let floor = place_name(loaded, barrier.narrowest.min.with_y(barrier.narrowest.max.y));
            let rises = format!("{body} rises at most {rise} px at once");
            (
                format!("{rises}, and needs {needed} px from the floor at {floor}"),
                "add a step below it, or lower the place",
            )
        }
        _ => (
            format!("one-way cells do not let {body} through at {spot}"),
            "turn the one-way cells, or add another way",
        ),
    }
}

/// Words in the names and classes of objects that move a body or open a way. In lower case and sorted. A
/// plural with `s` matches too.
static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "balloon block boat bomb booster bounce bouncer bouncy box breakable bridge button cannon cart \
    chain climb climbable climbing conveyor crate crumble crumbling dash destructible dig door \
    elevator entrance event fan float fly gate glider grapple gravity hook jetpack jump jumppad key \
    ladder launcher lever lift lock locked mover moving npc pad pipe plate platform portal pushable \
    raft rail ride rope script secret spring stairs swim swimming swing switch teleport teleporter \
    trampoline transition trigger tunnel vent vine warp water wind wing zipline"
        .split(' ')
        .collect()
});

/// Returns a text about the first object, layer or tile in the level that moves a body or opens a way but
/// that no move set models. `None` if there is none. Ladders and water that the moves of a body model are
/// ignored.
fn unmodelled(subject: &Subject<'_>) -> Option<String> {
    let level = &subject.loaded()?.level;
    // A named area of the level may have an effect, such as water, that the moves do not model.
    let mut areas = level.areas().iter().map(|area| &*area.name);
    let name = areas.find(|name| !is_modelled(subject, name)).or_else(|| {
        let mut names = names(subject).into_iter();
        names.find(|name| is_unmodelled(name) && !is_modelled(subject, name))
    })?;
    let name: String = printable(name).to_string().chars().take(30).collect();
    Some(format!("it has `{name}`, which the moves do not know"))
}

/// Returns the names, classes and properties of the layers, objects and tiles of the level. Leaves out goals:
/// one that is a door leads out of the level and opens no way to the goal.
fn names<'s>(subject: &Subject<'s>) -> Vec<&'s str> {
    let mut things: Vec<(&str, &str, &Properties)> = Vec::new();
    for placed in subject.maps() {
        for context in placed.map.walk() {
            let layer = context.layer;
            things.push((&*layer.name, &*layer.class, &layer.properties));
            if let LayerContent::Objects(objects) = &layer.content {
                let others = objects.objects.iter().filter(|it| !is_goal(subject, &it.name));
                things.extend(others.map(|it| (&*it.name, &*it.class, &it.properties)));
            }
        }
        let tiles = placed.map.tilesets.iter().flat_map(|tileset| tileset.tiles.values());
        things.extend(tiles.map(|tile| ("", &*tile.class, &tile.properties)));
    }
    let mut names = Vec::new();
    for (name, class, properties) in things {
        names.extend([name, class]);
        names.extend(properties.keys().map(String::as_str));
    }
    names
}

/// True for a ladder or for water that the moves of a body model.
fn is_modelled(subject: &Subject<'_>, name: &str) -> bool {
    subject.bodies().iter().any(|body| match &body.moves {
        Some(MoveSet::Platformer(moves)) => {
            [&*moves.feel.ladder, &*moves.feel.water].contains(&name)
        }
        _ => false,
    })
}

fn is_goal(subject: &Subject<'_>, name: &str) -> bool {
    let mut specs = subject.options.markers.iter();
    specs.any(|it| matches!(it.role, MarkerRole::Goal | MarkerRole::Pickup) && it.matches(name))
}

fn is_unmodelled(name: &str) -> bool {
    words_in(name).iter().any(|word| {
        let one = word.strip_suffix('s').unwrap_or(word);
        WORDS.binary_search(&&**word).or_else(|_| WORDS.binary_search(&one)).is_ok()
    })
}

rule! {
    /// # What it finds
    /// A passage between two areas that is 1 or 2 px too narrow or too low for a declared body. The body must
    /// have room to move in both areas: by its own length on both axes, or by twice its length on one axis. A
    /// passage into a smaller area, a nook, counts only if nooks connect two areas with room, as in a shaft
    /// with a wider place. If the level has spawns, the body must be able to get from one of them to one of
    /// the areas. With a made-up body of 14 x 14 px, 30 of 311 real
    /// files have such a passage; most of these are one level in many formats.
    ///
    /// # Why it matters
    /// The passage looks open, but the player is stopped by something that is hardly visible.
    ///
    /// # How to fix
    /// Widen the passage by the missing pixels, or close it.
    NEAR_FIT_GAP(near_fit_gap) = "LVL307" "near-fit-gap" Warning needs(Body)
}

/// The largest number of pixels by which a passage that the rule `near-fit-gap` reports is too narrow or too
/// low for a body.
const SLACK: u32 = 2;

/// For a body of at most this many pixels on an axis, nearly every crack in a wall would be reported.
const TOO_SMALL: u32 = 2 * SLACK;

const MAX_BODIES: usize = 4;

fn near_fit_gap(check: &Check<'_, '_>) -> Option<()> {
    let bodies = Vec::from_iter(check.bodies());
    for body in check.first(bodies, MAX_BODIES, "bodies") {
        if body.size.min_element() > TOO_SMALL {
            check.known(gaps_for(check, body));
        }
    }
    Some(())
}

fn gaps_for(check: &Check<'_, '_>, body: &BodySpec) -> Result<(), TooComplex> {
    let Some(loaded) = check.loaded() else {
        return Ok(());
    };
    let terrain = loaded.level.terrain();
    let free = free_space(terrain, body.size)?;
    let starts = areas_at(&free, &check.spawns());
    let kind = format!("`{}`", body.name);
    for gap in between_rooms(&free, near_gaps(terrain, &free, SLACK)?, &starts) {
        let spot = place_name(loaded, gap.area.min);
        check.add_at(&kind, spot.clone(), || {
            let (way, wide, missing) = match gap.axis {
                Axis::X => ("narrow", gap.area.width(), UVec2::new(gap.missing, 0)),
                Axis::Y => ("low", gap.area.height(), UVec2::new(0, gap.missing)),
            };
            let [one, other] = gap.areas.map(|area| &free.areas()[area]);
            let path = way_around(terrain, body.size - missing, [one.first, other.first]);
            let half = (body.size / 2).as_ivec2();
            let trace = path.unwrap_or_default().into_iter().map(|at| at.saturating_add(half));
            let sizes = [one, other].map(|area| px(area.area.size()));
            check
                .finding(format!("a passage is {} px too {way} for a body", gap.missing))
                .place(pixel_place(loaded, gap.area.min))
                .area(gap.area)
                .trace(trace.collect())
                .note(format!("{} does not fit through {wide} px at {spot}", body_name(body)))
                .note(format!("it parts areas of {}", sizes.join(" and ")))
                .help(format!("widen it by {} px, or close it", gap.missing))
        });
    }
    Ok(())
}

/// Returns the corners of the shortest path around the solid cells that takes a body of size `body` from one
/// position to another. Ignores one-way cells.
fn way_around(terrain: &Terrain, body: UVec2, [from, to]: [IVec2; 2]) -> Option<Vec<IVec2>> {
    let solids = Terrain::new(terrain.grid().clone(), terrain.cell_size()).ok()?;
    let solids = solids.with_outside(terrain.outside());
    let path = solids.ways(body).ok()?.path(from, to, &mut Search::default());
    path.map(|path| path.points)
}

/// Returns the passages that connect two areas with room to move, directly or through smaller areas (nooks).
/// If `starts` is not empty, at least one of the connected areas must be in `starts`.
fn between_rooms(free: &FreeSpace, mut gaps: Vec<Gap>, starts: &[usize]) -> Vec<Gap> {
    let mut neighbours = BTreeMap::<usize, Vec<usize>>::new();
    for [one, other] in gaps.iter().map(|gap| gap.areas) {
        neighbours.entry(one).or_default().push(other);
        neighbours.entry(other).or_default().push(one);
    }
    // Maps the index of a small area (nook) to true if the passages into it count.
    let mut nooks = BTreeMap::new();
    for first in neighbours.keys().copied().filter(|area| !free.is_room(*area)) {
        if nooks.contains_key(&first) {
            continue;
        }
        let mut open = vec![first];
        let mut areas = BTreeSet::new();
        while let Some(area) = open.pop() {
            if areas.insert(area) && !free.is_room(area) {
                open.extend(neighbours.get(&area).into_iter().flatten());
            }
        }
        let is_kept = connects_rooms(free, &areas, starts);
        nooks.extend(areas.into_iter().filter(|area| !free.is_room(*area)).map(|it| (it, is_kept)));
    }
    gaps.retain(|gap| match gap.areas.iter().find_map(|area| nooks.get(area)) {
        Some(is_kept) => *is_kept,
        None => connects_rooms(free, &gap.areas.into(), starts),
    });
    gaps
}

fn connects_rooms(free: &FreeSpace, areas: &BTreeSet<usize>, starts: &[usize]) -> bool {
    let rooms = areas.iter().filter(|area| free.is_room(**area)).count();
    rooms > 1 && (starts.is_empty() || starts.iter().any(|start| areas.contains(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_words_such_as_door_or_platform_are_recognized() {
        for name in ["Doors", "MovingPlatform_2", "jump pad", "wall-switch", "secret"] {
            assert!(is_unmodelled(name), "{name}");
        }
        for name in ["player", "Exit", "doorbell", "", "keyboard", "coin 12", "solids"] {
            assert!(!is_unmodelled(name), "{name}");
        }
        assert!(WORDS.is_sorted());
    }
}
