//! Launches: what leads away from one position of a place to one side. Each launch scouts its programs, and
//! lets the real mover go on from what a scouted flight meets. So it has candidates: programs that probably
//! lead to another place. Of each pair of places the quickest candidates are then played from rest, and only
//! what the mover did becomes a link.

use glam::IVec2;

use super::programs::{climbs, dives};
use super::{
    Candidate, Flight, Footing, Hop, Kind, Launch, Link, Moves, Phase, PlaceWays, Places, Played,
    Playing, Program, Run, STRIDE, Scouted,
};
use crate::geometry::{Aabb, Dir};
use crate::level::Level;
use crate::terrain::Terrain;

/// The longest stretch of a ladder that is climbed, in pixels.
const LONGEST_LADDER: u32 = 4_096;

/// The most candidates that are played for a pair of places.
const TRIES: usize = 6;

/// The launch that is made, with all that it reads.
pub(super) struct Launcher<'a> {
    pub(super) moves: &'a Moves,
    pub(super) places: &'a Places,
    pub(super) level: &'a Level,
    /// The ladders and the water.
    areas: Vec<&'a Terrain>,
    /// The steps of the mover so far.
    pub(super) spent: u64,
}

impl<'a> Launcher<'a> {
    pub(super) fn new(moves: &'a Moves, places: &'a Places, level: &'a Level, spent: u64) -> Self {
        let names = [&moves.jumper.feel.ladder, &moves.jumper.feel.water];
        let areas = names.into_iter().filter_map(|name| level.area(name)).collect();
        Self { moves, places, level, areas, spent }
    }

    /// Makes the programs of a launch that are due: scouts them, and plays on from what they meet.
    pub(super) fn launch(&mut self, launch: &mut Launch) {
        let Some(run) = self.places.run_at(launch.at) else { return };
        let run = self.places.runs[run];
        let moves = self.moves;
        let body = Aabb { min: launch.at, max: launch.at + moves.jumper.size.as_ivec2() };
        // The floor within a run-up decides which programs fit.
        let around = IVec2::new(moves.run + 1, 0);
        let around = moves.looked(Aabb { min: body.min - around, max: body.max + around });
        let mut due = std::mem::take(&mut launch.due);
        let mine = &moves.sides[usize::from(launch.side > 0)];
        launch.looks.resize(mine.len() + 1, around);
        for (number, program) in mine.iter().enumerate() {
            // Whether a wall is met depends on the others.
            let kind = moves.programs[usize::from(*program)].kind;
            due |= u64::from(matches!(kind, Kind::Wall | Kind::Zigzag)) << number;
        }
        launch.found.retain(|found| due >> found.number & 1 == 0);
        launch.walls &= !due;
        let Launch { at, side, .. } = *launch;
        for number in (0..=mine.len()).filter(|number| due >> number & 1 != 0) {
            let mut attempt =
                Attempt { at, run, number: number as u8, look: around, found: &mut launch.found };
            if let Some(program) = mine.get(number) {
                let meets_wall = self.attempt(&mut attempt, *program, launch.walls != 0);
                launch.walls |= u64::from(meets_wall) << number;
            } else {
                self.climb(&mut attempt, side, body);
                self.dive(&mut attempt, side);
            }
            launch.looks[number] = attempt.look;
        }
    }

    /// Scouts or plays a program if it fits the floor. Returns true if its flight meets a wall. `meets_wall`
    /// is true if an earlier flight did.
    fn attempt(&mut self, attempt: &mut Attempt<'_>, number: u16, meets_wall: bool) -> bool {
        let Attempt { at, run, .. } = *attempt;
        let program = &self.moves.programs[usize::from(number)];
        if program.kind == Kind::Drop && !self.may_drop(at, &run) {
            return false;
        }
        let flight = self.moves.flights[usize::from(number)].as_ref();
        match flight.filter(|_| run.hold == Footing::Floor) {
            Some(flight) => match self.fits(program, flight, at, &run) {
                Fit::Yes => return self.scout(attempt, program, flight),
                Fit::Uneven => self.play(attempt, program),
                Fit::No => {}
            },
            None if self.is_worth(program, at, &run, meets_wall) => self.play(attempt, program),
            None => {}
        }
        false
    }

    /// True if only one-way cells hold the body.
    fn may_drop(&self, at: IVec2, run: &Run) -> bool {
        let body = Aabb { min: at, max: at + self.moves.jumper.size.as_ivec2() };
        let below = self.level.sweep_through_one_way(body, Dir::Down, 1);
        below.is_clear() && run.hold == Footing::Floor
    }

    /// Dives from the surface of water.
    fn dive(&mut self, attempt: &mut Attempt<'_>, side: i8) {
        if attempt.run.hold == Footing::Water {
            for program in dives(&self.moves.jumper).iter().filter(|it| it.side == side) {
                self.play(attempt, program);
            }
        }
    }

    /// Climbs the ladder at the launch, up and down.
    fn climb(&mut self, attempt: &mut Attempt<'_>, side: i8, body: Aabb) {
        let moves = self.moves;
        let Some(ladders) = self.level.area(&moves.jumper.feel.ladder) else { return };
        let feet = Aabb { max: body.max + IVec2::Y, ..body };
        if !ladders.overlaps(feet) {
            return;
        }
        let middle = Aabb::from_center(body.center(), glam::UVec2::ONE);
        let high = ladders.nearest_free(middle, Dir::Up, LONGEST_LADDER).unwrap_or(LONGEST_LADDER);
        let foot = feet.edge(Dir::Down).strip(Dir::Up, 1);
        let low = ladders.nearest_free(foot, Dir::Down, LONGEST_LADDER).unwrap_or(LONGEST_LADDER);
        let ladder = middle.hull(middle.shifted(Dir::Up, high)).hull(foot.shifted(Dir::Down, low));
        let full = moves.programs.iter().find(|it| it.kind == Kind::Jump && it.side == 0);
        for program in climbs(&moves.jumper, ladder, full.copied().unwrap_or_default()) {
            if program.is_of(side) {
                self.play(attempt, &program);
            }
        }
    }

    /// True if a program without a flight should be played from `at`.
    fn is_worth(&self, program: &Program, at: IVec2, run: &Run, meets_wall: bool) -> bool {
        let is_end = at.x == run.x0 || at.x == run.x1;
        match program.kind {
            Kind::Coyote => {
                let edge = at.x + i32::from(program.side) * self.moves.run;
                edge == if program.side < 0 { run.x0 } else { run.x1 }
            }
            Kind::Wall | Kind::Zigzag => meets_wall && (is_end || at.x % (2 * STRIDE) == 0),
            Kind::Jump => run.hold == Footing::Water && program.run == 0,
            _ => false,
        }
    }

    /// True if a flight leaves the floor like the simulated one.
    fn fits(&self, program: &Program, flight: &Flight, at: IVec2, run: &Run) -> Fit {
        let end = at.x + flight.run_up();
        if program.kind == Kind::Walk {
            let next = IVec2::new(end + i32::from(program.side), run.y);
            let is_last = end == if program.side < 0 { run.x0 } else { run.x1 };
            return if is_last && self.places.at(next).is_none() { Fit::Yes } else { Fit::No };
        }
        if program.run == 0 || (run.x0..=run.x1).contains(&end) {
            return Fit::Yes;
        }
        if self.places.has_column(run.place, end) { Fit::Uneven } else { Fit::No }
    }

    /// Lays a flight against the level. Returns true if it meets a wall.
    fn scout(&mut self, attempt: &mut Attempt<'_>, program: &Program, flight: &Flight) -> bool {
        let moves = self.moves;
        let Scouted { step, lands, side } = flight.scout(self.level, &self.areas, attempt.at);
        let actor = flight.actor(attempt.at, step);
        let mut swept = flight.swept[step + usize::from(step + 1 < flight.swept.len())];
        swept.min.x -= moves.brake;
        swept.max.x += moves.brake;
        attempt.look = attempt.look.hull(moves.looked(swept.translated(attempt.at)));
        if let Some(at) = lands {
            let slide = moves.brake * actor.state.velocity.x.signum() as i32;
            let place = self.places.at(at);
            if place.is_some() && self.places.at(at + IVec2::new(slide, 0)) == place {
                self.add(attempt, program, at, step as u32 + moves.brake.unsigned_abs());
                return false;
            }
        }
        if let Some(side) = side
            && self.falls_along(attempt, program, (flight, step), side)
        {
            return true;
        }
        let mut playing = Playing::new(*program);
        (playing.step, playing.phase) = (step as u16, Phase::Flies);
        let played = moves.play(self.level, actor, playing, &mut self.spent);
        self.note(attempt, program, &played);
        if side.is_none() && !self.areas.is_empty() {
            let program = Program { grabs: true, ..*program };
            playing.program = program;
            let played = moves.play(self.level, actor, playing, &mut self.spent);
            self.note(attempt, &program, &played);
        }
        side.is_some()
    }

    /// True if the top of a met wall is out of the body's reach, so that the body falls along the wall. Then
    /// the floor below is the candidate.
    fn falls_along(
        &self,
        attempt: &mut Attempt<'_>,
        program: &Program,
        (flight, step): (&Flight, usize),
        side: Dir,
    ) -> bool {
        let moves = self.moves;
        if program.jumps > 1 || program.dash.is_some() || !self.areas.is_empty() {
            return false;
        }
        let top = flight.at.iter().skip(step).take(64).map(|at| at.y).min().unwrap_or(0);
        let rise = flight.at[step].y.saturating_sub(top).unsigned_abs();
        let body = flight.actor(attempt.at, step).mover.body;
        let reach = (rise + body.height() + 8).saturating_add(moves.jumper.feel.ledge_reach);
        let beside = body.shifted(side, 2);
        if self.level.nearest_free(beside, Dir::Up, reach).is_some() {
            return false;
        }
        let deep = self.level.size().y.saturating_add(body.height());
        let fall = self.level.sweep(body, Dir::Down, deep);
        let swept =
            body.hull(body.shifted(Dir::Down, fall.moved)).hull(body.shifted(Dir::Up, reach));
        attempt.look = attempt.look.hull(moves.looked(swept));
        if fall.contact.is_some() {
            let steps = step as u32 + rise + fall.moved / 2 + 10;
            self.add(attempt, program, body.shifted(Dir::Down, fall.moved).min, steps);
        }
        true
    }

    /// Plays a program from rest.
    fn play(&mut self, attempt: &mut Attempt<'_>, program: &Program) {
        let actor = self.moves.at_rest(attempt.at, attempt.run.hold);
        let played = self.moves.play(self.level, actor, Playing::new(*program), &mut self.spent);
        self.note(attempt, program, &played);
    }

    fn note(&self, attempt: &mut Attempt<'_>, program: &Program, played: &Played) {
        attempt.look = attempt.look.hull(played.looked);
        if let Some(end) = played.end {
            self.add(attempt, program, end, played.steps.into());
        }
    }

    /// Adds a candidate, unless it leads back to its own run. Another run of its place is one too, because an
    /// edit between the two may part the place.
    fn add(&self, attempt: &mut Attempt<'_>, program: &Program, end: IVec2, steps: u32) {
        let Some(run) = self.places.run_at(end) else { return };
        let Run { y, x0, place, .. } = self.places.runs[run];
        if (y, x0) != (attempt.run.y, attempt.run.x0) {
            let steps = steps.min(u32::from(u16::MAX)) as u16;
            let number = attempt.number;
            attempt.found.push(Candidate { program: *program, number, end, to: place, steps });
        }
    }
}

/// A program that a launch scouts or plays.
struct Attempt<'l> {
    at: IVec2,
    run: Run,
    number: u8,
    /// The box of all solids that may matter.
    look: Aabb,
    found: &'l mut Vec<Candidate>,
}

/// How the floor fits the run-up of a program.
enum Fit {
    No,
    Yes,
    /// The place goes on, but not at the same height.
    Uneven,
}

impl PlaceWays {
    /// Plays the quickest candidates of each pair of places from rest. Links that are still true are not
    /// played again.
    pub(super) fn pick(&mut self, from: u32, launcher: &mut Launcher<'_>) {
        let mut all: Vec<(&Candidate, IVec2, i8)> = Vec::new();
        for launch in &self.launches {
            let found = launch.found.iter().filter(|found| found.to != from);
            all.extend(found.map(|found| (found, launch.at, launch.side)));
        }
        all.sort_by_key(|(found, at, side)| {
            (found.to, found.steps, at.y, at.x, *side, found.number)
        });
        let mut links: Vec<Link> = Vec::new();
        for group in all.chunk_by(|one, other| one.0.to == other.0.to) {
            let stride = (group.len() / TRIES).max(1);
            for (number, (found, at, _)) in group.iter().enumerate() {
                if number >= 3 && number % stride != 0 {
                    continue;
                }
                let mut old = self.links.iter().filter(|link| !link.is_dropped);
                let known =
                    old.find(|Link { hop, .. }| hop.from == *at && hop.program == found.program);
                let link = known.copied().or_else(|| launcher.link(*at, &found.program));
                links.extend(link);
                if link.is_some_and(|link| link.to == found.to) {
                    break;
                }
            }
        }
        // The quickest to each place. A play that missed is a link to where it ended.
        links.retain(|link| link.to != from);
        links.sort_by_key(|Link { to, hop, .. }| (*to, hop.steps, hop.from.y, hop.from.x));
        links.dedup_by_key(|link| link.to);
        self.picked = Some(links);
        self.is_due = false;
    }
}

impl Launcher<'_> {
    /// Plays a program from rest as a link.
    fn link(&mut self, at: IVec2, program: &Program) -> Option<Link> {
        let run = self.places.runs[self.places.run_at(at)?];
        let actor = self.moves.at_rest(at, run.hold);
        let played = self.moves.play(self.level, actor, Playing::new(*program), &mut self.spent);
        let Played { end, steps, looked } = played;
        let hop = Hop { from: at, to: end?, steps, program: *program };
        Some(Link { hop, to: self.places.at(hop.to)?, looked, is_dropped: false })
    }
}
