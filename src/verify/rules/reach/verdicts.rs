//! Where the bodies of a game get in a level: asked once, for all rules of the family.

use glam::IVec2;

use crate::analyze::standing;
use crate::analyze::{MoveSet, Reach, ReachLimits, TooComplex, reach};
use crate::verify::rules::levels::places::target;
use crate::verify::spec::{BodySpec, MarkerRole};
use crate::verify::subject::Subject;
use crate::{Aabb, Marker};

/// The largest numbers of goals and of spawns that are looked at in a level.
const MAX_GOALS: usize = 256;
const MAX_SPAWNS: usize = 16;

/// The largest number of bodies.
const MAX_BODIES: usize = 8;

/// The steps that the searches for all bodies play: 0.1 to 0.2 s.
const MAX_STEPS: u64 = 400_000;

/// The markers that a body must reach: goals, then pickups.
pub(super) fn goals<'a>(subject: &Subject<'a>) -> Vec<&'a Marker> {
    let mut goals = subject.markers_of(MarkerRole::Goal);
    goals.extend(subject.markers_of(MarkerRole::Pickup));
    goals.truncate(MAX_GOALS);
    goals
}

/// The bodies with moves, and where each gets.
pub(super) fn verdicts<'s>(
    subject: &'s Subject<'_>,
    with_traps: bool,
) -> Vec<(&'s BodySpec, &'s Result<Reach, TooComplex>)> {
    let bodies = subject.bodies().iter();
    let moving = bodies.filter_map(|body| Some((body, body.moves.as_ref()?)));
    let moving: Vec<_> = moving.take(MAX_BODIES).collect();
    let steps = MAX_STEPS / moving.len().max(1) as u64;
    let found = subject.reach.get_or_init(|| {
        let ask =
            |(body, moves): &(&BodySpec, &MoveSet)| ask(subject, body, moves, steps, with_traps);
        moving.iter().map(ask).collect()
    });
    moving.iter().zip(found).map(|((body, _), reach)| (*body, reach)).collect()
}

fn ask(
    subject: &Subject<'_>,
    body: &BodySpec,
    moves: &MoveSet,
    steps: u64,
    with_traps: bool,
) -> Result<Reach, TooComplex> {
    let Some(loaded) = subject.loaded() else {
        return Err(TooComplex);
    };
    let mut spawns = subject.spawns();
    spawns.truncate(MAX_SPAWNS);
    let starts: Vec<IVec2> =
        spawns.iter().flat_map(|spawn| standing(spawn, body.size)).map(|body| body.min).collect();
    let goals: Vec<Aabb> = goals(subject).iter().map(|goal| target(goal)).collect();
    let limits = ReachLimits::default().with_steps(steps);
    let limits = if with_traps { limits.with_traps() } else { limits };
    reach(&loaded.level, body.size, moves, &starts, &goals, &limits)
}

/// The things of the level that are more than are looked at, in words.
pub(super) fn beyond_caps(subject: &Subject<'_>) -> Option<String> {
    let goals = [MarkerRole::Goal, MarkerRole::Pickup].map(|role| subject.markers_of(role).len());
    let moving = subject.bodies().iter().filter(|body| body.moves.is_some()).count();
    let counts = [
        (goals.iter().sum(), MAX_GOALS, "goals"),
        (subject.spawns().len(), MAX_SPAWNS, "spawns"),
        (moving, MAX_BODIES, "bodies"),
    ];
    let (count, most, name) = counts.into_iter().find(|(count, most, _)| count > most)?;
    Some(format!("of {count} {name} only the first {most} were looked at"))
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
