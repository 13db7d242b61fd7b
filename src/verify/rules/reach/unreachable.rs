//! Goals that no body can reach.

use super::missing_way_back::MISSING_WAY_BACK;
use super::unmodelled::unmodelled;
use super::verdicts::{barrier, beyond_caps, goals, known_areas, verdicts};
use crate::analyze::{Barrier, BarrierKind, Verdict};
use crate::text::counted;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::levels::places::{at, body_of, id_of, name_of, place_of_marker, target};
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

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(loaded) = subject.loaded() else {
        return Vec::new();
    };
    let caps = beyond_caps(subject);
    let with_traps = subject.options.levels.severity_of(&MISSING_WAY_BACK).is_some();
    let goals = goals(subject);
    let mut reached = vec![false; goals.len()];
    let mut causes = vec![None; goals.len()];
    let mut first_body = None;
    for (body, reach) in verdicts(subject, with_traps) {
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
