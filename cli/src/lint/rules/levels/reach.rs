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
    JumpWays, Jumper, Obstacle, ObstacleKind, Search, SoftLock, Undecided, Verdict,
};
use bitwall::text::words_in;
use bitwall::text::{printable, px};
use bitwall::tmx::{LayerContent, Properties};
use bitwall::{Aabb, Axis, Dir, Level, LoadedLevel, Marker, Terrain};
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

/// What is known of a goal.
#[derive(Clone, Debug)]
enum Answer {
    Reached,
    /// No body ever reaches it, because of this obstacle.
    Never(Option<Obstacle>),
    /// Neither was found out, for this reason.
    Undecided(String),
}

impl Answer {
    /// The answer for two bodies, of which one must reach the goal.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Reached, _) | (_, Self::Reached) => Self::Reached,
            (Self::Undecided(cause), _) | (_, Self::Undecided(cause)) => Self::Undecided(cause),
            (never, _) => never,
        }
    }
}

fn unreachable(check: &Check<'_, '_>) -> Option<()> {
    let loaded = check.loaded()?;
    let bodies = moving(check);
    let is_whole = bodies.len() <= MAX_MOVERS && check.spawns().len() <= MAX_SPAWNS;
    let bodies = check.first(bodies, MAX_MOVERS, "bodies");
    let spawns = check.first(check.spawns(), MAX_SPAWNS, "spawns");
    let goals = check.first(check.goals(), MAX_GOALS, "goals");
    let targets: Vec<Aabb> = goals.iter().map(|goal| target(goal)).collect();
    let work = check.options.reach_work.unwrap_or(REACH_WORK) / bodies.len().max(1) as u64;
    let mut answers: Vec<Option<Answer>> = vec![None; goals.len()];
    for body in &bodies {
        let found = answers_for(loaded, body, &spawns, &targets, work);
        for (answer, found) in answers.iter_mut().zip(found) {
            *answer = Some(answer.take().map_or(found.clone(), |known| known.or(found)));
        }
    }
    let doubt = match is_whole {
        true => helper(check),
        false => Some("not all bodies and spawns were looked at".to_owned()),
    };
    let mut undecided: Vec<(&Marker, String)> = Vec::new();
    for (goal, answer) in goals.into_iter().zip(answers.into_iter().flatten()) {
        match (answer, &doubt) {
            (Answer::Reached, _) => {}
            (Answer::Undecided(cause), _) => undecided.push((goal, cause)),
            (Answer::Never(_), Some(cause)) => undecided.push((goal, cause.clone())),
            (Answer::Never(obstacle), None) => check.add("", marker_id(goal), || {
                let name = format!("{} cannot be reached", marker_name(goal));
                let finding = check.finding(name).place(marker_place(loaded, goal));
                explained(finding, loaded, bodies[0], &spawns, goal, obstacle)
            }),
        }
    }
    for (goal, cause) in undecided.iter().filter(|(goal, _)| must_be_reached(check, goal)) {
        check.add("undecided", marker_id(goal), || {
            check
                .finding(format!("it is undecided whether {} can be reached", marker_name(goal)))
                .place(marker_place(loaded, goal))
                .area(target(goal))
                .note(cause.clone())
                .help("make a way there that is found, or do without `require`")
        });
    }
    if let [(goal, cause), more @ ..] = &*undecided {
        let more =
            if more.is_empty() { String::new() } else { format!(", and {} more", more.len()) };
        check.give_up(format!("{}{more}: {cause}", marker_name(goal)));
    }
    Some(())
}

/// Returns the bodies with moves, or if there are none, all bodies.
fn moving<'s>(subject: &Subject<'s>) -> Vec<&'s BodySpec> {
    let mut bodies: Vec<&BodySpec> = subject.bodies().iter().collect();
    if bodies.iter().any(|body| body.moves.is_some()) {
        bodies.retain(|body| body.moves.is_some());
    }
    bodies
}

fn must_be_reached(subject: &Subject<'_>, goal: &Marker) -> bool {
    let mut specs = subject.options.markers.iter();
    specs.any(|spec| spec.must_be_reached && spec.matches(&goal.name))
}

/// Returns the positions at which a game may place a body at a spawn.
fn starts_at(spawns: &[&Marker], body: &BodySpec) -> Vec<IVec2> {
    let boxes = spawns.iter().flat_map(|spawn| boxes_at(spawn, body.size));
    boxes.map(|body| body.min).collect()
}

fn answers_for(
    loaded: &LoadedLevel,
    body: &BodySpec,
    spawns: &[&Marker],
    goals: &[Aabb],
    work: u64,
) -> Vec<Answer> {
    let starts = starts_at(spawns, body);
    let Some(jumper) = body.jumper() else {
        return walks(&loaded.level, body.size, &starts, goals, work);
    };
    match JumpWays::unplayed(&loaded.level, jumper) {
        Err(error) => vec![Answer::Undecided(error.to_string()); goals.len()],
        Ok(mut ways) => {
            let verdicts = ways.reach(&loaded.level, &starts, goals, work);
            verdicts.into_iter().map(Answer::from).collect()
        }
    }
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Reached(_) => Self::Reached,
            Verdict::OutOfReach(obstacle) => Self::Never(obstacle),
            Verdict::Undecided(cause) => Self::Undecided(cause.to_string()),
        }
    }
}

/// The answers for a body seen from above. It reaches each goal that touches the same connected area of free
/// positions. Only if the level has one-way cells, its positions are visited one by one, at most `work`.
fn walks(level: &Level, body: UVec2, starts: &[IVec2], goals: &[Aabb], work: u64) -> Vec<Answer> {
    let free = match free_space(level, body) {
        Ok(free) => free,
        Err(error) => return vec![Answer::Undecided(error.to_string()); goals.len()],
    };
    let areas: BTreeSet<usize> = starts.iter().filter_map(|at| free.area_at(*at)).collect();
    if areas.is_empty() {
        return vec![Answer::Undecided(Undecided::NoStart.to_string()); goals.len()];
    }
    let has_one_way = Dir::ALL.iter().any(|side| level.one_way(*side).is_some());
    let visited = has_one_way.then(|| visited(level, &free, starts, work));
    let answers = goals.iter().map(|goal| {
        // Beyond an open side of the level, the nearest positions stand for all.
        let min = goal.min.clamp(IVec2::NEG_ONE, level.size().as_ivec2());
        let max = goal.max.clamp(min + 1, level.size().as_ivec2() + 1);
        let over = Aabb { min: min - body.as_ivec2() + 1, max };
        let is_met = free.areas_within(over).iter().any(|area| areas.contains(area));
        match &visited {
            _ if !is_met => Answer::Never(None),
            Some((seen, _)) if seen.iter().any(|at| over.contains(*at)) => Answer::Reached,
            Some((_, true)) => Answer::Never(None),
            Some((_, false)) => Answer::Undecided(Undecided::Work.to_string()),
            None => Answer::Reached,
        }
    });
    answers.collect()
}

/// Returns the positions that a body reaches in steps of a pixel, and whether they are all.
fn visited(level: &Level, free: &FreeSpace, starts: &[IVec2], work: u64) -> (HashSet<IVec2>, bool) {
    let size = free.body().as_ivec2();
    let mut open: Vec<IVec2> =
        starts.iter().copied().filter(|at| free.area_at(*at).is_some()).collect();
    let mut seen: HashSet<IVec2> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        if seen.len() as u64 > work {
            return (seen, false);
        }
        let body = Aabb { min: at, max: at + size };
        for dir in Dir::ALL {
            let next = body.shifted(dir, 1).min;
            let is_open = free.area_at(next).is_some() && level.can_move(body, dir, 1);
            if is_open && seen.insert(next) {
                open.push(next);
            }
        }
    }
    (seen, true)
}

/// Adds to a finding about a goal out of reach where the way of a body ends.
fn explained(
    finding: Finding,
    loaded: &LoadedLevel,
    body: &BodySpec,
    spawns: &[&Marker],
    goal: &Marker,
    obstacle: Option<Obstacle>,
) -> Finding {
    let name = body_name(body);
    let Some(Obstacle { from, to, kind }) =
        obstacle.or_else(|| end_of_walk(loaded, body, spawns, goal))
    else {
        let finding = finding.area(target(goal)).note(format!("no way leads {name} there"));
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
    let [ends, next] = [from, to].map(|body| spot(loaded, body.center().with_y(body.max.y - 1)));
    finding
        .area(from.hull(to))
        .trace(vec![from.center(), to.center()])
        .note(note)
        .note(format!("the way ends at {ends}; the next place is at {next}"))
        .help(help)
}

/// The obstacle of a body seen from above: the position nearest to the goal that it reaches.
fn end_of_walk(
    loaded: &LoadedLevel,
    body: &BodySpec,
    spawns: &[&Marker],
    goal: &Marker,
) -> Option<Obstacle> {
    if body.jumper().is_some() {
        return None;
    }
    let ways = loaded.level.ways(body.size).ok()?;
    let to = Aabb::from_center(goal.area.center(), body.size);
    let ends =
        starts_at(spawns, body).into_iter().filter_map(|at| ways.nearest_reachable(at, to.min));
    let min = ends.min_by_key(|at| (at.as_i64vec2() - to.min.as_i64vec2()).length_squared())?;
    let from = Aabb { min, max: min + body.size.as_ivec2() };
    Some(Obstacle { from, to, kind: ObstacleKind::Solids })
}

/// Describes a place by its cell in a map, else by its pixel.
pub(crate) fn spot(loaded: &LoadedLevel, pixel: IVec2) -> String {
    match pixel_place(loaded, pixel).cell {
        Some((column, row)) => format!("col {column}, row {row}"),
        None => place_name(loaded, pixel),
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
    let loaded = check.loaded()?;
    if let Some(cause) = helper(check) {
        check.give_up(cause);
        return None;
    }
    let spawns = check.first(check.spawns(), MAX_SPAWNS, "spawns");
    let goals: Vec<Aabb> = check.goals().into_iter().map(target).collect();
    let bodies = check.first(moving(check), MAX_MOVERS, "bodies");
    let work = check.options.reach_work.unwrap_or(REACH_WORK) / bodies.len().max(1) as u64;
    for body in bodies {
        let (name, starts) = (body_name(body), starts_at(&spawns, body));
        let ways = body.jumper().and_then(|it| JumpWays::unplayed(&loaded.level, it).ok());
        let Some(mut ways) = ways else {
            continue;
        };
        let locks = ways.soft_locks(&loaded.level, &starts, &goals, work);
        for SoftLock { at, is_proven, .. } in
            locks.map_err(|it| check.give_up(it.to_string())).ok()?
        {
            let area = Aabb { min: at, max: at + body.size.as_ivec2() };
            let spot = spot(loaded, area.center().with_y(area.max.y - 1));
            let how = if is_proven { "this is proven" } else { "no way was found" };
            check.add_at(&format!("{name}: {how}"), spot.clone(), || {
                check
                    .finding(format!("no way leads back from {spot}"))
                    .place(pixel_place(loaded, area.center()))
                    .area(area)
                    .note(format!("from there {name} reaches neither a goal nor its start: {how}"))
                    .help("add a way out, or close the way in")
            });
        }
    }
    Some(())
}

/// What is asked of the first body that runs and jumps in a level.
pub(crate) struct JumpQuestion {
    pub(crate) jumper: Jumper,
    pub(crate) starts: Vec<IVec2>,
    pub(crate) goals: Vec<Aabb>,
    /// The names of the goals.
    pub(crate) names: Vec<String>,
    pub(crate) work: u64,
}

impl JumpQuestion {
    /// Fails without such a body, and without a spawn.
    pub(crate) fn of_level(loaded: &LoadedLevel, options: &VerifyOptions) -> Result<Self, String> {
        let nothing = RefCell::new(());
        let subject = Subject::new(Path::new(""), &[], Ok(loaded), options, &nothing);
        let body = options.bodies.iter().find(|body| body.jumper().is_some());
        let jumper = body.and_then(BodySpec::jumper);
        let (Some(body), Some(jumper)) = (body, jumper) else {
            return Err("no `[[verify.body]]` of bitwall.toml has `moves` from the side".to_owned());
        };
        let (spawns, goals) = (subject.spawns(), subject.goals());
        if spawns.is_empty() {
            return Err("the level has no spawn".to_owned());
        }
        Ok(Self {
            jumper,
            starts: starts_at(&spawns, body),
            goals: goals.iter().map(|goal| target(goal)).collect(),
            names: goals.iter().map(|goal| marker_name(goal)).collect(),
            work: options.reach_work.unwrap_or(REACH_WORK),
        })
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
/// that no moves model. `None` if there is none. Ladders and water that the moves of a body model are ignored.
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
