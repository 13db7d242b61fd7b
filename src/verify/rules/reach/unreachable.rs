//! Goals that no body can reach.

use super::missing_way_back::MISSING_WAY_BACK;
use super::unmodelled::unmodelled;
use super::verdicts::{beyond_caps, goals, known_areas, verdicts};
use crate::analyze::{Barrier, BarrierKind, Unknown, Verdict};
use crate::text::counted;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::levels::places::{at, body_of, name_of, place_of_marker};
use crate::verify::spec::BodySpec;
use crate::verify::subject::Subject;
use crate::{LoadedLevel, Marker};

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
    /// # Why it matters
    /// The level cannot be finished.
    ///
    /// # How to fix
    /// Widen the passage, lower the step, or move the marker. If something of the game opens the way, give it
    /// a name that says so, or allow the rule for the level.
    UNREACHABLE = "NAV401" "unreachable" Error needs(Moves, Spawn, Goal)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(loaded) = subject.loaded() else {
        return Vec::new();
    };
    if let Some(reason) = beyond_caps(subject) {
        subject.give_up(&UNREACHABLE, reason);
    }
    let with_traps = subject.options.levels.severity_of(&MISSING_WAY_BACK).is_some();
    let goals = goals(subject);
    let mut barred: Vec<(&Marker, &BodySpec, Option<&Barrier>)> = Vec::new();
    let mut unknown: Vec<(&Marker, Unknown)> = Vec::new();
    let mut is_reached = vec![false; goals.len()];
    let mut is_unknown = vec![None; goals.len()];
    let mut first_barrier = vec![None; goals.len()];
    for (body, reach) in verdicts(subject, with_traps) {
        let reach = match reach {
            Ok(reach) => reach,
            Err(error) => {
                subject.give_up(&UNREACHABLE, error.to_string());
                return Vec::new();
            }
        };
        for (at, verdict) in reach.goals.iter().enumerate() {
            match verdict {
                Verdict::Reached(_) => is_reached[at] = true,
                Verdict::Unreachable(barrier) => {
                    first_barrier[at].get_or_insert((body, barrier.as_deref()));
                }
                Verdict::Unknown(cause) => is_unknown[at] = Some(*cause),
            }
        }
    }
    for (at, goal) in goals.iter().enumerate() {
        match (is_reached[at], is_unknown[at], first_barrier[at]) {
            (true, _, _) => {}
            (_, Some(cause), _) => unknown.push((goal, cause)),
            (_, None, Some((body, barrier))) => barred.push((goal, body, barrier)),
            (_, None, None) => {}
        }
    }
    if let Some((goal, cause)) = unknown.first() {
        let more = match unknown.len() {
            1 => String::new(),
            count => format!(", and {} more", count - 1),
        };
        subject.give_up(&UNREACHABLE, format!("{}{more}: {cause}", name_of(goal)));
    }
    if barred.is_empty() {
        return Vec::new();
    }
    if let Some(thing) = unmodelled(subject, &known_areas(subject)) {
        let goals = counted(barred.len() as u64, "goal");
        subject.give_up(&UNREACHABLE, format!("{goals} may be out of reach, but {thing}"));
        return Vec::new();
    }
    finding(subject, loaded, &barred).into_iter().collect()
}

fn finding(
    subject: &Subject<'_>,
    loaded: &LoadedLevel,
    barred: &[(&Marker, &BodySpec, Option<&Barrier>)],
) -> Option<Finding> {
    let (goal, body, barrier) =
        barred.iter().find_map(|(goal, body, barrier)| Some((goal, body, (*barrier)?)))?;
    let headline = match barred.len() {
        1 => format!("{} cannot be reached", name_of(goal)),
        count => format!("{count} goals cannot be reached, first {}", name_of(goal)),
    };
    let spot = at(barrier.narrowest.min);
    let body = body_of(body);
    let (note, help) = match barrier.kind {
        BarrierKind::Wall { cells } => (
            format!("the way of {body} is closed by solids at {spot}: {cells} cells on the way"),
            "open a way there, or move the marker",
        ),
        BarrierKind::Gap { by } => (
            format!("the way is too narrow for {body} at {spot}: by {by} px"),
            "widen the passage there",
        ),
        BarrierKind::Height { needed, rise } => (
            format!("{body} rises at most {rise} px at once, and needs {needed} px from {spot}"),
            "add a step below it, or lower the place",
        ),
        _ => (
            format!("one-way cells do not let {body} through to {spot}"),
            "turn the one-way cells, or add another way",
        ),
    };
    let mut finding = Finding::new(&UNREACHABLE, subject.path, headline)
        .at(place_of_marker(loaded, goal))
        .area(barrier.narrowest)
        .trace(barrier.path.clone())
        .note(note)
        .help(help);
    let others = barred.iter().filter(|(other, _, _)| other != goal);
    let others: Vec<String> = others.take(4).map(|(goal, _, _)| name_of(goal)).collect();
    if !others.is_empty() {
        let more = barred.len().saturating_sub(1 + others.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        finding = finding.note(format!("nor can {}{more}", others.join(", ")));
    }
    Some(finding)
}
