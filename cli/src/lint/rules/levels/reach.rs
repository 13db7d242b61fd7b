//! The rules for reachability: goals that no body reaches, markers in small closed spaces, passages that are
//! slightly too narrow.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::lint::config::{BodySpec, MarkerRole};
use crate::lint::finding::Finding;
use crate::lint::rule::{LintRule, Need, rule};
use crate::lint::rules::Check;
use crate::lint::rules::levels::spawns::{
    areas_at, body_name, for_bodies, marker_id, marker_name, marker_place, pixel_place, place_name,
    target, touching,
};
use crate::lint::subject::Subject;
use bitwall::analyze::{
    Barrier, BarrierKind, FreeSpace, Gap, MoveSet, Reach, ReachLimits, TooComplex, Verdict,
    free_space, near_gaps, reach, standing,
};
use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::Search;
use bitwall::text::{counted, printable, px};
use bitwall::tmx::{LayerContent, Object, Properties};
use bitwall::{Aabb, Axis, LoadedLevel, Marker, Terrain};

pub(in crate::lint::rules) static CHECKS: &[(&LintRule, Check)] =
    &[(&UNREACHABLE, unreachable), (&NEAR_FIT_GAP, near_fit_gap), (&SEALED_MARKER, sealed_marker)];

rule! {
    /// # What it finds
    /// A goal or pickup that no body with moves can reach from any spawn. This is proven: the body does not
    /// fit through, or the goal is higher than the body can rise at once. The finding shows a path through
    /// the obstacle, and the narrowest place on it.
    ///
    /// The bodies and their moves come from `[[verify.body]]`, the goals and pickups from
    /// `[[verify.marker]]`. A goal that is neither reached nor proven to be out of reach is listed as not
    /// checked, with the cause: a gap that may be too wide, or an object that no move set models, such as
    /// `door`, `lift` or `spring`. The name and class of the goal itself are no such cause: an `exit` of the
    /// class `door` is checked.
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
    UNREACHABLE = "NAV401" "unreachable" Error needs(Moves, Spawn, Goal)
}

fn unreachable(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let loaded = subject.loaded()?;
    let caps = beyond_caps(subject);
    let goals = goals(subject);
    let mut is_reached = vec![false; goals.len()];
    let mut causes = vec![None; goals.len()];
    let verdicts = verdicts(subject);
    for (_, reach) in &verdicts {
        let reach = match reach {
            Ok(reach) => reach,
            Err(error) => {
                subject.give_up(rule, error.to_string());
                return None;
            }
        };
        for (at, verdict) in reach.goals.iter().enumerate() {
            match verdict {
                Verdict::Reached(_) => is_reached[at] = true,
                Verdict::Unreachable(_) => {}
                Verdict::Unknown(cause) => causes[at] = Some(*cause),
            }
        }
    }
    if let Some((reason, _)) = &caps {
        subject.give_up(rule, reason.clone());
    }
    let (mut unknown, mut barred) = (Vec::new(), Vec::new());
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
        subject.give_up(rule, format!("{}{more}: {cause}", marker_name(goal)));
    }
    let (body, _) = *verdicts.first()?;
    let goal = *barred.first().filter(|_| !caps.is_some_and(|(_, is_open)| is_open))?;
    if let Some(thing) = unmodelled(subject) {
        let goals = counted(barred.len() as u64, "goal");
        subject.give_up(rule, format!("{goals} may be out of reach, but {thing}"));
        return None;
    }
    let headline = match barred.len() {
        1 => format!("{} cannot be reached", marker_name(goal)),
        count => format!("{count} goals cannot be reached, first {}", marker_name(goal)),
    };
    let finding = subject
        .finding(rule, headline)
        .of_named("", &mut barred.iter().map(|goal| marker_id(goal)))
        .place(marker_place(loaded, goal));
    let mut finding = match barrier(subject, body, goal) {
        Some(barrier) => {
            let (note, help) = explained(loaded, body, &barrier);
            finding.area(barrier.narrowest).trace(barrier.path).note(note).help(help)
        }
        None => finding.area(target(goal)).note(format!("no way leads {} there", body_name(body))),
    };
    // The position of a goal is added to its name in a finding, because many goals may have the same name.
    let with_place = |goal: &&Marker| {
        format!("{} at {}", marker_name(goal), place_name(loaded, goal.position()))
    };
    let others: Vec<String> = barred.iter().skip(1).take(4).map(with_place).collect();
    if !others.is_empty() {
        let more = barred.len().saturating_sub(1 + others.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        finding = finding.note(format!("nor can {}{more}", others.join("; ")));
    }
    Some(vec![finding])
}

fn explained(loaded: &LoadedLevel, body: &BodySpec, barrier: &Barrier) -> (String, &'static str) {
    let (spot, body) = (place_name(loaded, barrier.narrowest.min), body_name(body));
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

fn goals<'s>(subject: &'s Subject<'_>) -> Vec<&'s Marker> {
    let mut goals = subject.goals();
    goals.truncate(MAX_GOALS);
    goals
}

/// Returns the first [`MAX_MOVERS`] bodies with moves, each with the result of the search for the goals that
/// it can reach. The search is limited by steps and positions and not by time, so that all machines give the
/// same results.
fn verdicts<'s>(subject: &'s Subject<'_>) -> Vec<(&'s BodySpec, &'s Result<Reach, TooComplex>)> {
    let moving = subject.bodies().iter().filter(|body| body.moves.is_some());
    let moving: Vec<&BodySpec> = moving.take(MAX_MOVERS).collect();
    let steps = MAX_STEPS / moving.len().max(1) as u64;
    let reaches = subject.reach(|| {
        let goals: Vec<Aabb> = goals(subject).iter().map(|goal| target(goal)).collect();
        let mut runs = MAX_RUNS;
        let mut reaches = Vec::new();
        for body in &moving {
            let reach = ask(subject, body, &goals, &ReachLimits { steps, runs, explained: 0 });
            runs = reach.as_ref().map_or(0, |reach| reach.runs_left);
            reaches.push(reach);
        }
        reaches
    });
    moving.into_iter().zip(reaches).collect()
}

/// Returns the obstacle that keeps a body with moves from a goal. `None` if the search finds no obstacle.
fn barrier(subject: &Subject<'_>, body: &BodySpec, goal: &Marker) -> Option<Barrier> {
    let limits = ReachLimits { steps: 0, runs: MAX_BARRIER_RUNS, explained: 1 };
    let reach = ask(subject, body, &[target(goal)], &limits).ok()?;
    match reach.goals.into_iter().next()? {
        Verdict::Unreachable(barrier) => barrier.map(|barrier| *barrier),
        _ => None,
    }
}

fn ask(
    subject: &Subject<'_>,
    body: &BodySpec,
    goals: &[Aabb],
    limits: &ReachLimits,
) -> Result<Reach, TooComplex> {
    let (Some(loaded), Some(moves)) = (subject.loaded(), &body.moves) else {
        return Err(TooComplex);
    };
    let mut starts: Vec<IVec2> = Vec::new();
    for spawn in subject.spawns().into_iter().take(MAX_SPAWNS) {
        starts.extend(standing(spawn, body.size).map(|body| body.min));
    }
    reach(&loaded.level, body.size, moves, &starts, goals, limits)
}

/// Returns a text about the first limit on spawns, bodies or goals that the level exceeds; `None` if it
/// exceeds none. The bool is true for a limit on spawns or bodies, because those beyond the limit may still
/// reach a goal.
fn beyond_caps(subject: &Subject<'_>) -> Option<(String, bool)> {
    let moving = subject.bodies().iter().filter(|body| body.moves.is_some()).count();
    let counts = [
        (subject.spawns().len(), MAX_SPAWNS, "spawns", true),
        (moving, MAX_MOVERS, "bodies", true),
        (subject.goals().len(), MAX_GOALS, "goals", false),
    ];
    let (count, most, name, is_open) =
        counts.into_iter().find(|(count, most, _, _)| count > most)?;
    Some((format!("of {count} {name} only the first {most} were looked at"), is_open))
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
    let is_known = |name: &str| {
        subject.bodies().iter().any(|body| match &body.moves {
            Some(MoveSet::Platformer(moves)) => {
                [&*moves.feel.ladder, &*moves.feel.water].contains(&name)
            }
            _ => false,
        })
    };
    let text = |name: &str| {
        let name: String = printable(name).to_string().chars().take(30).collect();
        format!("it has `{name}`, which the moves do not know")
    };
    // A named area of the level may have an effect, such as water, that the moves do not model.
    if let Some(area) = level.areas().iter().find(|area| !is_known(&area.name)) {
        return Some(text(&area.name));
    }
    let is_wanted = |name: &&str| !is_known(name) && is_unmodelled(name);
    // A goal that is a door leads out of the level and opens no way to the goal.
    let is_goal = |name: &str| {
        let mut specs = subject.options.markers.iter();
        specs.any(|it| matches!(it.role, MarkerRole::Goal | MarkerRole::Pickup) && it.matches(name))
    };
    let of_marker = |marker: &Marker| {
        let words = [&*marker.name, &*marker.class, &*marker.layer];
        words.into_iter().find(is_wanted).filter(|_| !is_goal(&marker.name)).map(text)
    };
    let of_thing = |name: &str, class: &str, properties: &Properties| {
        let mut words = [name, class].into_iter().chain(properties.keys().map(String::as_str));
        words.find(is_wanted).map(text)
    };
    if let Some(text) = level.markers().iter().find_map(of_marker) {
        return Some(text);
    }
    for placed in subject.maps() {
        for context in placed.map.walk() {
            let layer = context.layer;
            let objects: &[Object] = match &layer.content {
                LayerContent::Objects(objects) => &objects.objects,
                _ => &[],
            };
            let of_layer = of_thing(&layer.name, &layer.class, &layer.properties);
            let of_object = |it: &Object| {
                of_thing(&it.name, &it.class, &it.properties).filter(|_| !is_goal(&it.name))
            };
            if let Some(text) = of_layer.or_else(|| objects.iter().find_map(of_object)) {
                return Some(text);
            }
        }
        let mut tiles = placed.map.tilesets.iter().flat_map(|tileset| tileset.tiles.values());
        let of_tile = tiles.find_map(|tile| of_thing("", &tile.class, &tile.properties));
        if of_tile.is_some() {
            return of_tile;
        }
    }
    None
}

fn is_unmodelled(name: &str) -> bool {
    words(name).iter().any(|word| {
        let one = word.strip_suffix('s').unwrap_or(word);
        WORDS.binary_search(&&**word).or_else(|_| WORDS.binary_search(&one)).is_ok()
    })
}

/// Returns the words of a name in lower case: `MovingPlatform_2` gives `moving` and `platform`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        let is_new = letter.is_uppercase() && was_lower || !letter.is_alphabetic();
        if is_new {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase();
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

rule! {
    /// # What it finds
    /// A declared goal or pickup that no declared body can touch, not even one that flies. Every position at
    /// it overlaps a solid, is in a pocket without room to move, or is separated from every spawn by solids.
    /// Also a spawn in a pocket without room to move.
    ///
    /// # Why it matters
    /// The level cannot be finished, or the pickup cannot be taken.
    ///
    /// # How to fix
    /// Open the wall around the marker, or move the marker. If a door or a portal leads there, allow the rule
    /// for the level.
    SEALED_MARKER = "LVL308" "sealed-marker" Error on(Map) needs(Body)
}

const MAX_MARKERS: usize = 10_000;

/// The reason why no body reaches a marker, from the most to the least severe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Seal {
    Solid,
    Pocket,
    Parted,
}

fn sealed_marker(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let loaded = subject.loaded()?;
    let (spawns, goals) = (subject.spawns(), subject.goals());
    let mut seals: Vec<Option<Seal>> = vec![Some(Seal::Parted); goals.len() + spawns.len()];
    if seals.is_empty() {
        return None;
    }
    if seals.len() > MAX_MARKERS {
        subject.give_up(rule, format!("it has more than {MAX_MARKERS} markers"));
        return None;
    }
    // A goal is fine if one body reaches it, because the other bodies, such as enemies, may be too large.
    for body in subject.bodies() {
        let free = match free_space(loaded.level.terrain(), body.size) {
            Ok(free) => free,
            Err(error) => {
                subject.give_up(rule, error.to_string());
                return None;
            }
        };
        for (known, seal) in seals.iter_mut().zip(seals_of(&free, &goals, &spawns)) {
            *known = known.take().and_then(|known| Some(known.min(seal?)));
        }
    }
    let all = goals.iter().chain(&spawns).zip(seals);
    // For bodies with moves, the rule `unreachable` reports goals with more detail.
    let by_moves =
        subject.has(Need::Moves) && subject.options.levels.severity_of(&UNREACHABLE).is_some();
    let all = all.skip(if by_moves { goals.len() } else { 0 });
    let bad: Vec<(&Marker, Seal)> =
        all.filter_map(|(marker, seal)| Some((*marker, seal?))).collect();
    let size = px(subject.bodies().first()?.size);
    let mut findings = Vec::new();
    for (seal, state, help) in [
        (Seal::Solid, "out of reach in solids", "move it out of the solid"),
        (
            Seal::Pocket,
            "sealed in a pocket without room to move",
            "open the wall around it, or move it",
        ),
        (
            Seal::Parted,
            "walled off from every spawn",
            "open a way, or allow the rule if a door or a portal leads there",
        ),
    ] {
        let of_kind = || bad.iter().filter(|(_, it)| *it == seal).map(|(marker, _)| *marker);
        let Some(first) = of_kind().next() else {
            continue;
        };
        let name = marker_name(first);
        let markers = match of_kind().count() {
            1 => format!("{name} is"),
            count => format!("{} such as {name} are", counted(count as u64, "marker")),
        };
        findings.push(
            subject
                .finding(rule, format!("{markers} {state}"))
                .of_named("", &mut of_kind().map(marker_id))
                .place(marker_place(loaded, first))
                .area(touching(first, UVec2::ONE))
                .note(format!("no body gets there, not even one of {size} that flies"))
                .help(help),
        );
    }
    Some(findings)
}

/// Returns for each goal, and then for each spawn, the reason why the body cannot get there; `None` if it
/// can.
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
            // Another rule reports a level in which the body fits nowhere.
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
        // The rule `spawn-in-solid` reports a spawn in a solid.
        (!areas.is_empty() && has_rooms && rooms(&areas).is_empty()).then_some(Seal::Pocket)
    };
    goals.iter().map(of_goal).chain(spawns.iter().map(of_spawn)).collect()
}

rule! {
    /// # What it finds
    /// A passage between two areas that is 1 or 2 px too narrow or too low for a declared body. The body must
    /// have room to move in both areas: by its own length on both axes, or by twice its length on one axis. A
    /// passage into a smaller area, a nook, counts only if nooks connect two areas with room, as in a shaft
    /// with a wider place. If the level has spawns, the body must be able to get from one of them to one of
    /// the areas. The finding names five passages at most. With a made-up body of 14 x 14 px, 30 of 311 real
    /// files have such a passage; most of these are one level in many formats.
    ///
    /// # Why it matters
    /// The passage looks open, but the player is stopped by something that is hardly visible.
    ///
    /// # How to fix
    /// Widen the passage by the missing pixels, or close it.
    NEAR_FIT_GAP = "LVL307" "near-fit-gap" Warning needs(Body)
}

/// The largest number of pixels by which a passage that the rule `near-fit-gap` reports is too narrow or too
/// low for a body.
const SLACK: u32 = 2;

fn near_fit_gap(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    for_bodies(rule, subject, |loaded, body| gap_finding(rule, subject, loaded, body))
}

fn gap_finding(
    rule: &'static LintRule,
    subject: &Subject<'_>,
    loaded: &LoadedLevel,
    body: &BodySpec,
) -> Result<Option<Finding>, TooComplex> {
    let terrain = loaded.level.terrain();
    // For a body of at most 4 pixels, nearly every crack in a wall would be reported.
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
    let area = |index: usize| free.areas().get(index);
    let path = match first.areas.map(area) {
        [Some(one), Some(other)] => way(terrain, body.size - missing, [one.first, other.first]),
        _ => None,
    };
    let half = (body.size / 2).as_ivec2();
    let corner = |gap: &Gap| place_name(loaded, gap.area.min);
    let spot = |gap: &Gap| {
        let size = gap.area.size();
        format!("{} px at {}", if gap.axis == Axis::X { size.x } else { size.y }, corner(gap))
    };
    let [one, other] = first.areas.map(|it| px(area(it).map_or(UVec2::ZERO, |it| it.area.size())));
    let mut finding = subject
        .finding(rule, headline(&gaps))
        .of_places(format!("`{}`", body.name), &mut gaps.iter().map(corner))
        .place(pixel_place(loaded, first.area.min))
        .area(first.area)
        .trace(path.unwrap_or_default().into_iter().map(|at| at.saturating_add(half)).collect())
        .note(format!("{} does not fit through {}", body_name(body), spot(first)))
        .note(format!("it parts areas of {one} and {other}"));
    let mut others = Vec::new();
    for gap in gaps.iter().skip(1).take(MAX_OTHERS) {
        let way = if gap.axis == Axis::X { "narrow" } else { "low" };
        others.push(format!("{} ({} px too {way})", spot(gap), gap.missing));
    }
    if !others.is_empty() {
        let more = gaps.len() - 1 - others.len();
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        finding = finding.note(format!("nor through {}{more}", others.join(", ")));
    }
    Ok(Some(finding.help(format!("widen it by {} px, or close it", first.missing))))
}

/// Returns the corners of the shortest path around the solid cells that takes a body of size `body` from one
/// position to another. Ignores one-way cells.
fn way(terrain: &Terrain, body: UVec2, [from, to]: [IVec2; 2]) -> Option<Vec<IVec2>> {
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
    let counts = |areas: &BTreeSet<usize>| {
        let rooms = areas.iter().filter(|area| free.is_room(**area)).count();
        rooms > 1 && (starts.is_empty() || starts.iter().any(|start| areas.contains(start)))
    };
    // Maps the index of a small area (nook) to true if the passages into it count.
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

const MAX_OTHERS: usize = 4;

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
