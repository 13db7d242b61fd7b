//! Where the bodies of a game get in a level: asked once, for all rules of the family.

use glam::IVec2;

use crate::analyze::{Barrier, MoveSet, Reach, ReachLimits, TooComplex, Verdict, reach, standing};
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
    with_traps: bool,
) -> Vec<(&'s BodySpec, &'s Result<Reach, TooComplex>)> {
    let bodies = subject.bodies().iter();
    let moving = bodies.filter_map(|body| Some((body, body.moves.as_ref()?)));
    let moving: Vec<_> = moving.take(MAX_BODIES).collect();
    let steps = MAX_STEPS / moving.len().max(1) as u64;
    let found = subject.reach.get_or_init(|| {
        let limits = ReachLimits::default().with_steps(steps).with_explained(0);
        let limits = if with_traps { limits.with_traps() } else { limits };
        let goals: Vec<Aabb> = goals(subject).iter().map(|goal| target(goal)).collect();
        let mut runs = MAX_RUNS;
        let ask = |(body, moves): &(&BodySpec, &MoveSet)| {
            let reach = ask(subject, (body, moves), &goals, &limits.with_runs(runs));
            runs = reach.as_ref().map_or(0, |reach| reach.runs_left);
            reach
        };
        moving.iter().map(ask).collect()
    });
    moving.iter().zip(found).map(|((body, _), reach)| (*body, reach)).collect()
}

/// The obstacle before a goal that a body with moves never reaches, if it is found.
pub(super) fn barrier(subject: &Subject<'_>, body: &BodySpec, goal: &Marker) -> Option<Barrier> {
    let limits = ReachLimits::default().with_steps(0).with_runs(MAX_BARRIER_RUNS).with_explained(1);
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
