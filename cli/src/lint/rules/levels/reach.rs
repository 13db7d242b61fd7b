//! The rules for reachability: goals that no body reaches, and passages that are slightly too narrow.

mod gaps;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::LazyLock;

use crate::lint::config::REACH_WORK;
use crate::lint::rules::levels::{
    areas_at, body_name, marker_id, marker_name, marker_place, target,
};
use crate::lint::rules::{pixel_place, place_name};
use crate::lint::{BodySpec, Check, Finding, MarkerRole, Moves, Subject, VerifyOptions};
use bitwall::analyze::{FreeSpace, TooComplex, boxes_at, free_space};
use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::{
    JumpWays, NoJumpWays, Obstacle, ObstacleKind, Undecided, Verdict, Ways, Witness,
};
use bitwall::text::{printable, px, words_in};
use bitwall::tmx::{LayerContent, Properties};
use bitwall::{Aabb, Axis, Dir, Level, LoadedLevel, Marker};
use gaps::{Gap, near_gaps};

rule! {
    /// # What it finds
    /// A goal or pickup that no declared body can reach from any spawn. This is proven: the pit is wider than
    /// the widest jump of the body, the step is higher than it can rise, or solids close the way. The finding
    /// says by how much, and where the way ends.
    ///
    /// The bodies and their moves come from `[[verify.body]]`, the goals and pickups from
    /// `[[verify.marker]]`. If no body has moves, the bodies may fly. A goal that is neither reached by moves
    /// that were played, nor proven to be out of reach, is undecided. It is listed as not checked, with the
    /// cause; with `require = "reached"` it is a finding too. Undecided are:
    ///
    /// - a goal for which the work `reach-work` of `[verify]` is not enough,
    /// - a goal of a body that dashes or crouches, because these moves have no bound,
    /// - a goal out of reach in a level with an object that no move models, such as a `door`, `lift` or
    ///   `spring`, or a marker with the role `helper`. The name and class of the goal itself are no such
    ///   cause: an `exit` of the class `door` is checked.
    ///
    /// `bitwall render --reach` draws all places that a body reaches.
    ///
    /// # Why it matters
    /// The level cannot be finished.
    ///
    /// # How to fix
    /// Narrow the pit, lower the step, widen the passage, or move the marker. If an object of the game opens
    /// the way, give the object's marker the role `helper`, or allow the rule for the level.
    UNREACHABLE(unreachable) = "NAV401" "unreachable" Error needs(Body, Spawn, Goal)
}

const MAX_GOALS: usize = 256;
const MAX_SPAWNS: usize = 16;

const MAX_MOVERS: usize = 8;

/// What the rules ask of a level.
struct Asked<'s> {
    loaded: &'s LoadedLevel,
    bodies: Vec<&'s BodySpec>,
    spawns: Vec<&'s Marker>,
    goals: Vec<&'s Marker>,
    targets: Vec<Aabb>,
    /// The work that a body may take.
    work: u64,
    /// The reason that a goal out of reach for these bodies may yet be reached.
    doubt: Option<String>,
}

impl<'s> Asked<'s> {
    fn of(check: &'s Check<'_, '_>) -> Option<Self> {
        let mut bodies: Vec<&BodySpec> = check.bodies().iter().collect();
        if bodies.iter().any(|body| body.moves.is_some()) {
            bodies.retain(|body| body.moves.is_some());
        }
        let is_whole = bodies.len() <= MAX_MOVERS && check.spawns().len() <= MAX_SPAWNS;
        let left_out = Some("not all bodies and spawns were looked at".to_owned());
        let bodies = check.first(bodies, MAX_MOVERS, "bodies");
        let goals = check.first(check.goals(), MAX_GOALS, "goals");
        Some(Self {
            loaded: check.loaded()?,
            spawns: check.first(check.spawns(), MAX_SPAWNS, "spawns"),
            targets: goals.iter().map(|goal| target(goal)).collect(),
            goals,
            work: check.options.reach_work.unwrap_or(REACH_WORK) / bodies.len().max(1) as u64,
            bodies,
            doubt: if is_whole { helper(check) } else { left_out },
        })
    }

    /// The verdict for each goal.
    fn verdicts(&self, body: &BodySpec) -> Vec<Verdict> {
        let Self { loaded, targets, work, .. } = self;
        let starts = starts_at(&loaded.level, &self.spawns, body);
        let Some(Moves::Side(jumper)) = &body.moves else {
            return walks(&loaded.level, body.size, &starts, targets, *work);
        };
        match JumpWays::unplayed(&loaded.level, (**jumper).clone()) {
            Ok(mut ways) => ways.reach(&loaded.level, &starts, targets, *work),
            Err(NoJumpWays::TooLarge) => undecided(targets, Undecided::Work),
            Err(_) => undecided(targets, Undecided::Moves),
        }
    }
}

fn undecided(goals: &[Aabb], cause: Undecided) -> Vec<Verdict> {
    vec![Verdict::Undecided(cause); goals.len()]
}

fn unreachable(check: &Check<'_, '_>) -> Option<()> {
    let asked = Asked::of(check)?;
    let found: Vec<_> = asked.bodies.iter().map(|body| asked.verdicts(body)).collect();
    let mut unsure = Vec::new();
    for (at, goal) in asked.goals.iter().enumerate() {
        let verdicts = || found.iter().map(|of_body| &of_body[at]);
        if verdicts().any(|verdict| matches!(verdict, Verdict::Reached(_))) {
            continue;
        }
        let cause = verdicts().find_map(|verdict| match verdict {
            Verdict::Undecided(cause) => Some(cause.to_string()),
            _ => asked.doubt.clone(),
        });
        let finding = |headline: &str| {
            let finding = check.finding(format!("{}{headline}", marker_name(goal)));
            finding.place(marker_place(asked.loaded, goal)).area(target(goal))
        };
        if let Some(cause) = cause {
            let mut specs = check.options.markers.iter();
            if specs.any(|spec| spec.must_be_reached && spec.matches(&goal.name)) {
                check.add("undecided", marker_id(goal), || {
                    finding(" is required, and undecided")
                        .note(cause.clone())
                        .help("make a way there that is found, or do without `require`")
                });
            }
            unsure.push((goal, cause));
        } else {
            check.add("", marker_id(goal), || {
                explained(finding(" cannot be reached"), &asked, &found[0][at])
            });
        }
    }
    if let [(goal, cause), more @ ..] = &*unsure {
        let more = match more.len() {
            0 => String::new(),
            count => format!(", and {count} more"),
        };
        check.give_up(format!("{}{more}: {cause}", marker_name(goal)));
    }
    Some(())
}

/// Returns the free positions at which a game may place a body at a spawn.
fn starts_at(level: &Level, spawns: &[&Marker], body: &BodySpec) -> Vec<IVec2> {
    let boxes = spawns.iter().flat_map(|spawn| boxes_at(spawn, body.size));
    boxes.filter(|body| !level.overlaps(*body)).map(|body| body.min).collect()
}

/// The verdicts for a body seen from above. It reaches each goal that touches the same connected area of free
/// positions. Only if the level has one-way cells, its positions are visited one by one, at most `work`.
fn walks(level: &Level, body: UVec2, starts: &[IVec2], goals: &[Aabb], work: u64) -> Vec<Verdict> {
    let Ok(free) = free_space(level, body) else {
        return undecided(goals, Undecided::Work);
    };
    let areas: BTreeSet<usize> = starts.iter().filter_map(|at| free.area_at(*at)).collect();
    if areas.is_empty() {
        return undecided(goals, Undecided::NoStart);
    }
    let ways = level.ways(body).ok();
    let end = |goal: Aabb| ways.as_ref().and_then(|ways| end_of_walk(ways, starts, goal));
    let has_one_way = Dir::ALL.iter().any(|side| level.one_way(*side).is_some());
    let visited = has_one_way.then(|| visited(level, &free, starts, work));
    let verdicts = goals.iter().map(|goal| {
        // Beyond an open side of the level, the nearest positions stand for all.
        let min = goal.min.clamp(IVec2::NEG_ONE, level.size().as_ivec2());
        let max = goal.max.clamp(min + 1, level.size().as_ivec2() + 1);
        let goal = Aabb { min, max };
        let over = Aabb { min: min - body.as_ivec2() + 1, max };
        let is_near = free.runs().any(|(columns, rows, area)| {
            let min = IVec2::new(columns.start, rows.start);
            let run = Aabb { min, max: IVec2::new(columns.end, rows.end) };
            areas.contains(&area) && run.overlaps(over)
        });
        let is_met = |seen: &HashSet<IVec2>| seen.iter().any(|at| over.contains(*at));
        match &visited {
            Some((seen, is_whole)) if is_near && !is_met(seen) => match is_whole {
                true => Verdict::OutOfReach(end(goal)),
                false => Verdict::Undecided(Undecided::Work),
            },
            _ if is_near => Verdict::Reached(Witness::default()),
            _ => Verdict::OutOfReach(end(goal)),
        }
    });
    verdicts.collect()
}

/// The obstacle of a body seen from above: the position nearest to the goal that it reaches.
fn end_of_walk(ways: &Ways<'_>, starts: &[IVec2], goal: Aabb) -> Option<Obstacle> {
    let to = Aabb::from_center(goal.center(), ways.size());
    let ends = starts.iter().filter_map(|at| ways.nearest_reachable(*at, to.min));
    let min = ends.min_by_key(|at| (at.as_i64vec2() - to.min.as_i64vec2()).length_squared())?;
    let from = Aabb { min, max: min + ways.size().as_ivec2() };
    Some(Obstacle { from, to, kind: ObstacleKind::Solids })
}

/// Returns the positions that a body reaches in steps of a pixel, and whether they are all.
fn visited(level: &Level, free: &FreeSpace, starts: &[IVec2], work: u64) -> (HashSet<IVec2>, bool) {
    let mut open = starts.to_vec();
    let mut seen: HashSet<IVec2> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        let body = Aabb { min: at, max: at + free.body().as_ivec2() };
        for dir in Dir::ALL.into_iter().filter(|dir| level.can_move(body, *dir, 1)) {
            let next = body.shifted(dir, 1).min;
            if free.area_at(next).is_some() && seen.insert(next) {
                open.push(next);
            }
        }
        if seen.len() as u64 > work {
            return (seen, false);
        }
    }
    (seen, true)
}

/// Adds to a finding about a goal out of reach where the way of the first body ends.
fn explained(finding: Finding, asked: &Asked<'_>, verdict: &Verdict) -> Finding {
    let name = body_name(asked.bodies[0]);
    let Verdict::OutOfReach(Some(Obstacle { from, to, kind })) = *verdict else {
        let finding = finding.note(format!("no way leads {name} there"));
        return finding.help("open a way there, or move the marker");
    };
    let (note, help) = match kind {
        ObstacleKind::Width { needed, jump } => (
            format!("the jump of {name} is {jump} px wide, the pit {needed}"),
            "narrow the pit, or put a floor into it",
        ),
        ObstacleKind::Height { needed, rise } => (
            format!("{name} rises at most {rise} px at once, the step is {needed} px high"),
            "add a step below it, or lower the place",
        ),
        _ => (format!("solids close the way of {name}"), "open a way there, or move the marker"),
    };
    let [ends, next] = [from, to].map(|body| spot(asked.loaded, body));
    let finding = finding.area(from.hull(to)).trace(vec![from.center(), to.center()]);
    finding
        .note(note)
        .note(format!("the way ends at {ends}; the next place is at {next}"))
        .help(help)
}

/// Describes the place of a body's feet by its cell in a map, else by its pixel.
fn spot(loaded: &LoadedLevel, body: Aabb) -> String {
    let feet = body.center().with_y(body.max.y - 1);
    match pixel_place(loaded, feet).cell {
        Some((column, row)) => format!("col {column}, row {row}"),
        None => place_name(loaded, feet),
    }
}

rule! {
    /// # What it finds
    /// A place that a body reaches, and from which it reaches neither a goal nor a place where it starts: a
    /// soft lock. The finding says whether this is proven, or whether no way out was found. The bodies are
    /// those of `[[verify.body]]` with moves for a view from the side.
    ///
    /// The rule is off by default, because many games let the player start again. A place where the body
    /// dies is no place for it: `bitwall render --reach` draws all.
    ///
    /// # Why it matters
    /// The player cannot go on, and must end the level.
    ///
    /// # How to fix
    /// Add a step or a ladder as a way out, or close the way in.
    SOFT_LOCK(soft_lock) = "NAV402" "soft-lock" Warning off needs(Body, Spawn, Goal)
}

fn soft_lock(check: &Check<'_, '_>) -> Option<()> {
    let Asked { loaded, bodies, spawns, targets, work, doubt, .. } = Asked::of(check)?;
    if let Some(cause) = doubt {
        check.give_up(cause);
        return None;
    }
    for body in bodies {
        let Some(Moves::Side(jumper)) = &body.moves else { continue };
        let name = body_name(body);
        let Ok(mut ways) = JumpWays::unplayed(&loaded.level, (**jumper).clone()) else { continue };
        let starts = starts_at(&loaded.level, &spawns, body);
        let locks = ways.soft_locks(&loaded.level, &starts, &targets, work);
        for lock in locks.map_err(|cause| check.give_up(cause.to_string())).ok()? {
            let area = Aabb { min: lock.at, max: lock.at + body.size.as_ivec2() };
            let spot = spot(loaded, area);
            let how = if lock.is_proven { "this is proven" } else { "no way was found" };
            check.add_at(&format!("{name}: {how}"), spot.clone(), || {
                let finding = check.finding(format!("no way leads back from {spot}"));
                finding
                    .place(pixel_place(loaded, area.center()))
                    .area(area)
                    .note(format!("from there {name} reaches neither a goal nor its start: {how}"))
                    .help("add a way out, or close the way in")
            });
        }
    }
    Some(())
}

/// Returns the places of the first body that jumps in a level, without a link yet, and its starts and goals.
pub(crate) fn jumps_in(
    loaded: &LoadedLevel,
    options: &VerifyOptions,
) -> Option<(JumpWays, Vec<IVec2>, Vec<Aabb>)> {
    let nothing = RefCell::new(());
    let subject = Subject::new(Path::new(""), &[], Ok(loaded), options, &nothing);
    let (body, jumper) = options.bodies.iter().find_map(|body| match &body.moves {
        Some(Moves::Side(jumper)) => Some((body, jumper)),
        _ => None,
    })?;
    let ways = JumpWays::unplayed(&loaded.level, (**jumper).clone()).ok()?;
    let goals = subject.goals().into_iter().map(target).collect();
    Some((ways, starts_at(&loaded.level, &subject.spawns(), body), goals))
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
/// that no moves model. `None` if there is none. Ladders and water that the moves of a body model are
/// ignored.
fn helper(subject: &Subject<'_>) -> Option<String> {
    let level = &subject.loaded()?.level;
    // A named area of the level may have an effect, such as water, that the moves do not model.
    let mut areas = level.areas().iter().map(|area| &*area.name);
    let name = areas.find(|name| !is_modelled(subject, name)).or_else(|| {
        let mut names = names(subject).into_iter();
        names.find(|name| is_helper(subject, name))
    })?;
    let name: String = printable(name).to_string().chars().take(30).collect();
    Some(format!("`{name}` may open a way, which the moves do not know"))
}

fn is_helper(subject: &Subject<'_>, name: &str) -> bool {
    let mut specs = subject.options.markers.iter().filter(|spec| spec.role == MarkerRole::Helper);
    specs.any(|spec| spec.matches(name)) || is_unmodelled(name) && !is_modelled(subject, name)
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
        Some(Moves::Side(it)) => [&*it.feel.ladder, &*it.feel.water].contains(&name),
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
            let (way, wide) = match gap.axis {
                Axis::X => ("narrow", gap.area.width()),
                Axis::Y => ("low", gap.area.height()),
            };
            let sizes = gap.areas.map(|area| px(free.areas()[area].area.size()));
            check
                .finding(format!("a passage is {} px too {way} for a body", gap.missing))
                .place(pixel_place(loaded, gap.area.min))
                .area(gap.area)
                .note(format!("{} does not fit through {wide} px at {spot}", body_name(body)))
                .note(format!("it parts areas of {}", sizes.join(" and ")))
                .help(format!("widen it by {} px, or close it", gap.missing))
        });
    }
    Ok(())
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
