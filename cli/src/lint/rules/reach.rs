//! Goals that no body can reach: the rule, the question that it asks for all bodies, and the things of a
//! level by which no verdict holds.

use crate::lint::finding::Finding;
use crate::lint::options::{BodySpec, MarkerRole};
use crate::lint::rule::rule;
use crate::lint::rules::levels::places::{at, body_of, id_of, name_of, place_of_marker, target};
use crate::lint::subject::Subject;
use bitwall::analyze::{
    Barrier, BarrierKind, MoveSet, Reach, ReachLimits, TooComplex, Verdict, reach, standing,
};
use bitwall::glam::IVec2;
use bitwall::text::{counted, printable};
use bitwall::tmx::LayerContent;
use bitwall::{Aabb, LoadedLevel, Marker};

rule! {
    /// # What it finds
    /// A goal or a pickup that no body with moves can reach from any spawn. It is proven: the body does not
    /// fit through, or the place is higher than it rises at once. The finding has the way past the obstacle
    /// as a path, and its narrowest spot.
    ///
    /// Bodies and moves are those of `[[verify.body]]`, goals and pickups those of `[[verify.marker]]`. A
    /// goal that is neither reached nor proven to be out of reach is listed as not checked, with the cause:
    /// a gap that may be too wide, or a thing that no move set knows, such as an object named `door`, `lift`
    /// or `spring`.
    ///
    /// In 311 real files, with a made-up body and the usual names of spawns and goals, three have both; it
    /// finds nothing in them, from the side and from above.
    ///
    /// # Why it matters
    /// The level cannot be finished.
    ///
    /// # How to fix
    /// Widen the passage, lower the step, or move the marker. If something of the game opens the way, give it
    /// a name that says so, or allow the rule for the level.
    UNREACHABLE = "NAV401" "unreachable" Error needs(Moves, Spawn, Goal)
}

/// A goal that no body reaches, and a body that does not.
type Barred<'s> = (&'s Marker, &'s BodySpec);

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(loaded) = subject.loaded() else {
        return Vec::new();
    };
    let caps = beyond_caps(subject);
    let goals = goals(subject);
    let mut reached = vec![false; goals.len()];
    let mut causes = vec![None; goals.len()];
    let mut first_body = None;
    for (body, reach) in verdicts(subject) {
        let reach = match reach {
            Ok(reach) => reach,
            Err(error) => {
                subject.give_up(&UNREACHABLE, error.to_string());
                return Vec::new();
            }
        };
        first_body.get_or_insert(body);
        for (at, verdict) in reach.goals.iter().enumerate() {
            match verdict {
                Verdict::Reached(_) => reached[at] = true,
                Verdict::Unreachable(_) => {}
                Verdict::Unknown(cause) => causes[at] = Some(*cause),
            }
        }
    }
    if let Some((reason, _)) = &caps {
        subject.give_up(&UNREACHABLE, reason.clone());
    }
    let left = goals.iter().zip(reached.iter().zip(&causes)).filter(|(_, (reached, _))| !**reached);
    let (unknown, barred): (Vec<_>, Vec<_>) = left.partition(|(_, (_, cause))| cause.is_some());
    if let Some((goal, (_, Some(cause)))) = unknown.first() {
        let more = match unknown.len() {
            1 => String::new(),
            count => format!(", and {} more", count - 1),
        };
        subject.give_up(&UNREACHABLE, format!("{}{more}: {cause}", name_of(goal)));
    }
    let (Some(body), false) = (first_body, barred.is_empty()) else {
        return Vec::new();
    };
    if caps.is_some_and(|(_, is_open)| is_open) {
        return Vec::new();
    }
    if let Some(thing) = unmodelled(subject, &known_areas(subject)) {
        let goals = counted(barred.len() as u64, "goal");
        subject.give_up(&UNREACHABLE, format!("{goals} may be out of reach, but {thing}"));
        return Vec::new();
    }
    let barred: Vec<Barred<'_>> = barred.into_iter().map(|(goal, _)| (*goal, body)).collect();
    finding(subject, loaded, &barred).into_iter().collect()
}

fn finding(subject: &Subject<'_>, loaded: &LoadedLevel, barred: &[Barred<'_>]) -> Option<Finding> {
    let (goal, body) = barred.first()?;
    let headline = match barred.len() {
        1 => format!("{} cannot be reached", name_of(goal)),
        count => format!("{count} goals cannot be reached, first {}", name_of(goal)),
    };
    let mut finding = Finding::new(&UNREACHABLE, subject.path, headline)
        .of_named("", barred.iter().map(|(goal, _)| id_of(goal)))
        .at(place_of_marker(loaded, goal))
        .area(target(goal));
    match barrier(subject, body, goal) {
        Some(barrier) => {
            let (note, help) = explained(loaded, body, &barrier);
            let (spot, path) = (barrier.narrowest, barrier.path);
            finding = finding.area(spot).trace(path).note(note).help(help);
        }
        None => finding = finding.note(format!("no way leads {} there", body_of(body))),
    }
    // Many goals may have one name.
    let with_place =
        |(goal, _): &Barred<'_>| format!("{} at {}", name_of(goal), at(loaded, goal.position()));
    let others: Vec<String> = barred.iter().skip(1).take(4).map(with_place).collect();
    if !others.is_empty() {
        let more = barred.len().saturating_sub(1 + others.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        finding = finding.note(format!("nor can {}{more}", others.join("; ")));
    }
    Some(finding)
}

/// The obstacle in words, and a thing to do.
fn explained(loaded: &LoadedLevel, body: &BodySpec, barrier: &Barrier) -> (String, &'static str) {
    let (spot, body) = (at(loaded, barrier.narrowest.min), body_of(body));
    match barrier.kind {
        BarrierKind::Solid { cells: 0 } => {
            (format!("solids close every way of {body}"), "open a way there, or move the marker")
        }
        BarrierKind::Solid { cells } => (
            format!(
                "solids close the way of {body} at {spot}: {} on the way",
                counted(cells.into(), "cell")
            ),
            "open a way there, or move the marker",
        ),
        BarrierKind::Gap { by } => (
            format!("the way is too narrow for {body} at {spot}: by {by} px"),
            "widen the passage there",
        ),
        BarrierKind::Height { needed, rise } => {
            let floor = at(loaded, barrier.narrowest.min.with_y(barrier.narrowest.max.y));
            (
                format!(
                    "{body} rises at most {rise} px at once, and needs {needed} px from the floor at {floor}"
                ),
                "add a step below it, or lower the place",
            )
        }
        _ => (
            format!("one-way cells do not let {body} through at {spot}"),
            "turn the one-way cells, or add another way",
        ),
    }
}

// Where the bodies of a game get in a level: asked once, for all rules of the family.

/// The largest numbers of goals and of spawns that are looked at in a level.
const MAX_GOALS: usize = 256;
const MAX_SPAWNS: usize = 16;

/// The largest number of bodies.
const MAX_BODIES: usize = 8;

/// The steps that the searches for all bodies play: 0.1 to 0.2 s.
const MAX_STEPS: u64 = 400_000;

/// The runs of positions that the floods for all bodies look at: about 0.3 s.
const MAX_RUNS: u64 = 1 << 22;

/// The runs that the floods for the obstacle before one goal look at.
const MAX_BARRIER_RUNS: u64 = 1 << 21;

/// The markers that a body must reach: goals, then pickups.
pub(super) fn goals<'s>(subject: &'s Subject<'_>) -> Vec<&'s Marker> {
    let mut goals = subject.markers_of(MarkerRole::Goal);
    goals.extend(subject.markers_of(MarkerRole::Pickup));
    goals.truncate(MAX_GOALS);
    goals
}

/// The bodies with moves, and where each gets. They share one budget, which counts work and not time, so that
/// a file has one answer everywhere; what is left for a body after those before it may be nothing.
pub(super) fn verdicts<'s>(
    subject: &'s Subject<'_>,
) -> Vec<(&'s BodySpec, &'s Result<Reach, TooComplex>)> {
    let bodies = subject.bodies().iter();
    let moving = bodies.filter_map(|body| Some((body, body.moves.as_ref()?)));
    let moving: Vec<_> = moving.take(MAX_BODIES).collect();
    let steps = MAX_STEPS / moving.len().max(1) as u64;
    let found = subject.reach.get_or_init(|| {
        let limits = ReachLimits { steps, explained: 0, ..ReachLimits::default() };
        let goals: Vec<Aabb> = goals(subject).iter().map(|goal| target(goal)).collect();
        let mut runs = MAX_RUNS;
        let ask = |(body, moves): &(&BodySpec, &MoveSet)| {
            let reach = ask(subject, (body, moves), &goals, &ReachLimits { runs, ..limits });
            runs = reach.as_ref().map_or(0, |reach| reach.runs_left);
            reach
        };
        moving.iter().map(ask).collect()
    });
    moving.iter().zip(found).map(|((body, _), reach)| (*body, reach)).collect()
}

/// The obstacle before a goal that a body with moves never reaches, if it is found.
pub(super) fn barrier(subject: &Subject<'_>, body: &BodySpec, goal: &Marker) -> Option<Barrier> {
    let limits = ReachLimits { steps: 0, runs: MAX_BARRIER_RUNS, explained: 1 };
    let moves = body.moves.as_ref()?;
    let reach = ask(subject, (body, moves), &[target(goal)], &limits).ok()?;
    match reach.goals.into_iter().next()? {
        Verdict::Unreachable(barrier) => barrier.map(|barrier| *barrier),
        _ => None,
    }
}

fn ask(
    subject: &Subject<'_>,
    (body, moves): (&BodySpec, &MoveSet),
    goals: &[Aabb],
    limits: &ReachLimits,
) -> Result<Reach, TooComplex> {
    let Some(loaded) = subject.loaded() else {
        return Err(TooComplex);
    };
    let mut spawns = subject.spawns();
    spawns.truncate(MAX_SPAWNS);
    let starts: Vec<IVec2> =
        spawns.iter().flat_map(|spawn| standing(spawn, body.size)).map(|body| body.min).collect();
    reach(&loaded.level, body.size, moves, &starts, goals, limits)
}

/// The things of the level that are more than are looked at, in words, and whether one of those left out may
/// reach a goal that none of the others does.
pub(super) fn beyond_caps(subject: &Subject<'_>) -> Option<(String, bool)> {
    let goals = [MarkerRole::Goal, MarkerRole::Pickup].map(|role| subject.markers_of(role).len());
    let moving = subject.bodies().iter().filter(|body| body.moves.is_some()).count();
    let counts = [
        (subject.spawns().len(), MAX_SPAWNS, "spawns", true),
        (moving, MAX_BODIES, "bodies", true),
        (goals.iter().sum(), MAX_GOALS, "goals", false),
    ];
    let (count, most, name, is_open) =
        counts.into_iter().find(|(count, most, _, _)| count > most)?;
    Some((format!("of {count} {name} only the first {most} were looked at"), is_open))
}

/// The names of the areas that some body's moves know.
pub(super) fn known_areas<'a>(subject: &Subject<'a>) -> Vec<&'a str> {
    let moves = subject.bodies().iter().filter_map(|body| body.moves.as_ref());
    let areas = moves.flat_map(|moves| match moves {
        MoveSet::Platformer(moves) => vec![&*moves.feel.ladder, &*moves.feel.water],
        _ => Vec::new(),
    });
    areas.collect()
}

// Things of a level that move a body, or open a way for it, and that no move set knows.
//
// A level that has one is not called impossible. Names only; nothing here looks at solids.

/// Words in the names and classes of such things, in lower case. A plural in `s` counts too.
const WORDS: [&str; 81] = [
    "balloon",
    "block",
    "boat",
    "bomb",
    "booster",
    "bounce",
    "bouncer",
    "bouncy",
    "box",
    "breakable",
    "bridge",
    "button",
    "cannon",
    "cart",
    "chain",
    "climb",
    "climbable",
    "climbing",
    "conveyor",
    "crate",
    "crumble",
    "crumbling",
    "dash",
    "destructible",
    "dig",
    "door",
    "elevator",
    "entrance",
    "event",
    "fan",
    "float",
    "fly",
    "gate",
    "glider",
    "grapple",
    "gravity",
    "hook",
    "jetpack",
    "jump",
    "jumppad",
    "key",
    "ladder",
    "launcher",
    "lever",
    "lift",
    "lock",
    "locked",
    "mover",
    "moving",
    "npc",
    "pad",
    "pipe",
    "plate",
    "platform",
    "portal",
    "pushable",
    "raft",
    "rail",
    "ride",
    "rope",
    "script",
    "secret",
    "spring",
    "stairs",
    "swim",
    "swimming",
    "swing",
    "switch",
    "teleport",
    "teleporter",
    "trampoline",
    "transition",
    "trigger",
    "tunnel",
    "vent",
    "vine",
    "warp",
    "water",
    "wind",
    "wing",
    "zipline",
];

/// The first such thing of the level, in words; `None` if it has none. `known` are the areas that the moves
/// know.
pub(super) fn unmodelled(subject: &Subject<'_>, known: &[&str]) -> Option<String> {
    let level = &subject.loaded()?.level;
    let is_known = |name: &str| known.contains(&name);
    // A declared area has some meaning in the game.
    if let Some((name, _)) = level.areas().find(|(name, _)| !is_known(name)) {
        return Some(named(name));
    }
    let markers = level.markers().iter();
    let names = markers.flat_map(|marker| [&*marker.name, &*marker.class, &*marker.layer]);
    if let Some(name) = names.into_iter().find(|name| !is_known(name) && is_unmodelled(name)) {
        return Some(named(name));
    }
    for placed in subject.maps() {
        for layer in placed.map.walk() {
            let mut names = vec![&*layer.layer.name, &*layer.layer.class];
            names.extend(layer.layer.properties.keys().map(String::as_str));
            if let LayerContent::Objects(objects) = &layer.layer.content {
                let objects = objects.objects.iter();
                for object in objects {
                    names.extend([&*object.name, &*object.class]);
                    names.extend(object.properties.keys().map(String::as_str));
                }
            }
            if let Some(name) =
                names.into_iter().find(|name| !is_known(name) && is_unmodelled(name))
            {
                return Some(named(name));
            }
        }
        let tiles = placed.map.tilesets.iter().flat_map(|tileset| tileset.tiles.values());
        let mut names = tiles.flat_map(|tile| {
            let properties = tile.properties.keys().map(String::as_str);
            std::iter::once(&*tile.class).chain(properties)
        });
        if let Some(name) = names.find(|name| !is_known(name) && is_unmodelled(name)) {
            return Some(named(name));
        }
    }
    None
}

fn named(name: &str) -> String {
    let name: String = printable(name).to_string().chars().take(30).collect();
    format!("it has `{name}`, which the moves do not know")
}

/// True if one of the words of a name is in the list.
fn is_unmodelled(name: &str) -> bool {
    words(name).iter().any(|word| {
        let one = word.strip_suffix('s').unwrap_or(word);
        WORDS.contains(&&**word) || WORDS.contains(&one)
    })
}

/// The words of a name in lower case: `MovingPlatform_2` has `moving` and `platform`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_word_by_word() {
        for name in ["Doors", "MovingPlatform_2", "jump pad", "wall-switch", "secret"] {
            assert!(is_unmodelled(name), "{name}");
        }
        for name in ["player", "Exit", "doorbell", "", "keyboard", "coin 12", "solids"] {
            assert!(!is_unmodelled(name), "{name}");
        }
        assert!(WORDS.is_sorted());
    }
}
