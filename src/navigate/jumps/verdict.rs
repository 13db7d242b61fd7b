//! Decides for each goal of a level whether a body can reach it. The links say how, the proof says never, and
//! where neither does, the goal is undecided, with the cause.

use std::fmt;

use glam::IVec2;

use super::proof::{Proof, is_bounded};
use super::search::Hop;
use super::{Actor, Follow, Follower, JumpWays, Jumper, Launch, NoJumpWays, Playing, Run};
use crate::character::{Input, Platformer};
use crate::geometry::Aabb;
use crate::level::Level;
use crate::mover::Mover;

/// What was decided of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The body reaches the goal with these inputs, which the mover has played.
    Reached(Witness),
    /// The body never reaches the goal: this is proven. The obstacle is `None` if no floor near the goal is
    /// known.
    OutOfReach(Option<Obstacle>),
    /// The goal was neither reached nor proven to be out of reach, for this reason.
    Undecided(Undecided),
}

/// The inputs that take a body to a goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The position of the body before the first step.
    pub start: IVec2,
    /// The inputs in their order, each with the number of steps for which it is held.
    ///
    /// Empty if the body overlaps the goal at its start.
    pub legs: Vec<(Input, u32)>,
}

/// Where the way to a goal ends, and what the body would have to do there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The body at the place that it reaches.
    pub from: Aabb,
    /// The body at the next place on the way to the goal.
    pub to: Aabb,
    /// What keeps the body from it.
    pub kind: ObstacleKind,
}

/// What keeps a body from a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ObstacleKind {
    /// The place is too high.
    Height {
        /// The height of the place above the body's floor, in pixels.
        needed: u32,
        /// The greatest height that the body may rise and land on, in pixels.
        rise: u32,
    },
    /// The pit is too wide.
    Width {
        /// The width of the pit in pixels.
        needed: u32,
        /// The widest pit that the body may cross at this height, in pixels.
        jump: u32,
    },
    /// Neither: solids are in the way.
    Solids,
}

/// Why a goal is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Undecided {
    /// The body is in a solid at each start, or finds no rest below.
    NoStart,
    /// No way was found, and none was ruled out.
    NotFound,
    /// The work that was allowed was not enough.
    Work,
    /// No way was found, and moves such as a dash or a crouch have no bound.
    Moves,
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoStart => "the body has no place where it starts",
            Self::NotFound => "no way was found, and none was ruled out",
            Self::Work => "the search ended after its limit of work",
            Self::Moves => "no way was found, and the body's moves have no bound",
        })
    }
}

/// The distance between two take-offs in the search for what the links miss, in pixels.
const FINE: usize = 2;

/// The most runs of a level in which obstacles are looked for.
const MOST_RUNS: usize = 4_096;

/// The most rounds of this search.
const ROUNDS: usize = 8;

/// Decides for each goal whether a body can overlap it, from the first of `starts` at which it is free.
///
/// `starts` are positions of the body. A goal that is a point counts as its pixel. `work` limits the search
/// for links and the proof: about 3,000,000 are a second. With less work more goals are undecided, and no
/// verdict becomes wrong. The result is the same on every machine.
///
/// Only solids, one-way cells, ladders and water count: see the module. A game in which something else opens
/// a way must take [`Verdict::OutOfReach`] as undecided.
///
/// ```
/// use bitwall::character::Feel;
/// use bitwall::glam::{IVec2, UVec2, Vec2};
/// use bitwall::navigate::{Jumper, ObstacleKind, Verdict, reach};
/// use bitwall::{Aabb, Grid, Level, Outside, Rate};
///
/// let sky = ".".repeat(30) + "\n";
/// let text = sky.repeat(3) + "###.....####..............####";
/// let level = Level::from_grid(Grid::from_text(&text)?, UVec2::splat(16))?;
/// let level = level.with_outside(Outside::Open); // the pits have no bottom
/// let feel = Feel { wall_jump: Vec2::ZERO, ledge_reach: 0, ..Feel::default() };
/// let jumper = Jumper::new(UVec2::new(12, 20), feel, Rate::per_second(60));
/// let goals = [140, 430].map(|x| Aabb::from_xywh(x, 40, 4, 4));
/// let verdicts = reach(&level, &jumper, &[IVec2::new(8, 28)], &goals, 3_000_000)?;
/// assert!(matches!(verdicts[0], Verdict::Reached(_)));
/// let Verdict::OutOfReach(Some(obstacle)) = verdicts[1] else { panic!("the pit is too wide") };
/// assert!(matches!(obstacle.kind, ObstacleKind::Width { needed: 224, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The same as for [`JumpWays::new`].
pub fn reach(
    level: &Level,
    jumper: &Jumper,
    starts: &[IVec2],
    goals: &[Aabb],
    work: u64,
) -> Result<Vec<Verdict>, NoJumpWays> {
    let mut ways = JumpWays::unplayed(level, jumper.clone())?;
    let goals: Vec<Aabb> = goals.iter().map(|goal| pixels_of(*goal)).collect();
    let free =
        |at: &&IVec2| !level.overlaps(ways.moves.at_rest(**at, super::Hold::Floor).mover.body);
    let Some(start) = starts.iter().find(free).copied() else {
        return Ok(vec![Verdict::Undecided(Undecided::NoStart); goals.len()]);
    };
    let is_whole = ways.update(level, work);
    let mut question = Question { ways, level, start, found: vec![None; goals.len()], goals };
    question.search();
    let is_open = question.found.iter().any(Option::is_none);
    let jumper = question.ways.moves.jumper.clone();
    let places = question.ways.places.clone();
    let mut proof = None;
    if is_open && is_bounded(&jumper) {
        proof =
            Proof::new(&jumper, &places, level, work.saturating_mul(8)).and_then(|mut proof| {
                proof.start(&[start]);
                proof.follow().then_some(proof)
            });
    }
    let may_reach = |goal: &Aabb| proof.as_ref().is_none_or(|proof| proof.touches(*goal));
    let is_fine = is_whole && question.refine(work, &may_reach);
    let verdicts = question.goals.iter().zip(&question.found).map(|(goal, found)| match found {
        Some(witness) => Verdict::Reached(witness.clone()),
        None if !may_reach(goal) => {
            let obstacle = proof.as_ref().and_then(|proof| question.obstacle(proof, *goal));
            Verdict::OutOfReach(obstacle)
        }
        None if !is_bounded(&jumper) => Verdict::Undecided(Undecided::Moves),
        None if proof.is_none() || !is_fine => Verdict::Undecided(Undecided::Work),
        None => Verdict::Undecided(Undecided::NotFound),
    });
    Ok(verdicts.collect())
}

/// The box of a goal. A point counts as its pixel.
fn pixels_of(goal: Aabb) -> Aabb {
    Aabb { min: goal.min, max: goal.max.max(goal.min.saturating_add(IVec2::ONE)) }
}

/// Goals that a body should reach from a start.
struct Question<'a> {
    ways: JumpWays,
    level: &'a Level,
    start: IVec2,
    goals: Vec<Aabb>,
    found: Vec<Option<Witness>>,
}

impl Question<'_> {
    /// The place to which the body falls from its start.
    fn first(&self) -> Option<u32> {
        let mut actor = self.actor();
        for _ in 0..self.longest() {
            actor.step(self.level, Input::NONE, &self.ways.moves.jumper.feel);
            if self.ways.moves.rests(&actor.state) {
                return self.ways.places.at(actor.mover.body.min);
            }
        }
        None
    }

    fn actor(&self) -> Actor {
        let Jumper { size, settings, rate, .. } = &self.ways.moves.jumper;
        let body = Aabb { min: self.start, max: self.start.saturating_add(size.as_ivec2()) };
        Actor { mover: Mover::new(body, *settings), state: Platformer::new(*rate) }
    }

    fn longest(&self) -> u32 {
        10 * u32::from(self.ways.moves.jumper.rate.steps_per_second())
    }

    /// The places that links lead to from the start.
    fn places(&self) -> Vec<bool> {
        let mut is_reached = vec![false; self.ways.ways.len()];
        let mut open: Vec<u32> = self.first().into_iter().collect();
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut is_reached[place as usize], true) {
                open.extend(self.ways.ways[place as usize].links.iter().map(|link| link.to));
            }
        }
        is_reached
    }

    /// Looks for ways to the goals that are not found yet: at rest, and on the way of a link.
    fn search(&mut self) {
        let is_reached = self.places();
        for number in 0..self.goals.len() {
            if self.found[number].is_some() {
                continue;
            }
            let goal = self.goals[number];
            let fall = self.walked(None, None, goal);
            let found = fall.or_else(|| {
                let at = self.standing_at(goal, &is_reached)?;
                self.walked(Some(at), None, goal)
            });
            self.found[number] = found.or_else(|| self.passing(goal, &is_reached));
        }
    }

    /// A position in a reached place at which the body overlaps `goal`.
    fn standing_at(&self, goal: Aabb, is_reached: &[bool]) -> Option<IVec2> {
        let size = self.ways.moves.jumper.size.as_ivec2();
        let window = Aabb { min: goal.min.saturating_sub(size - 1), max: goal.max };
        let mut runs = self.ways.places.within(window).filter(|run| is_reached[run.place as usize]);
        runs.next().map(|run| run.at(window.min.x.clamp(run.x0, run.x1)))
    }

    /// A way that ends with a link, or with another program from a take-off, on which the body overlaps
    /// `goal`.
    fn passing(&self, goal: Aabb, is_reached: &[bool]) -> Option<Witness> {
        let reached = self.ways.ways.iter().zip(is_reached).filter(|(_, is_reached)| **is_reached);
        let near = reached.filter(|(ways, _)| ways.looked.overlaps(goal));
        for (ways, _) in near {
            for launch in &ways.launches {
                let mine = &self.ways.moves.sides[usize::from(launch.side > 0)];
                for (number, look) in mine.iter().zip(&launch.looks) {
                    let program = self.ways.moves.programs[usize::from(*number)];
                    let hop = Hop { from: launch.at, to: launch.at, steps: 0, program };
                    if look.overlaps(goal) && self.touches(&hop, goal) {
                        let witness = self.walked(Some(launch.at), Some(&hop), goal);
                        if witness.is_some() {
                            return witness;
                        }
                    }
                }
            }
        }
        None
    }

    /// True if the body overlaps `goal` while it plays a program from rest.
    fn touches(&self, hop: &Hop, goal: Aabb) -> bool {
        let moves = &self.ways.moves;
        let Some(run) = self.ways.places.run_at(hop.from) else { return false };
        let mut actor = moves.at_rest(hop.from, self.ways.places.runs[run].hold);
        let mut playing = Playing::new(hop.program);
        while let Some(input) = playing.next(moves, &actor) {
            actor.step(self.level, input, &moves.jumper.feel);
            if actor.mover.body.overlaps(goal) {
                return true;
            }
        }
        false
    }

    /// The inputs of a body that goes from the start to position `to`, then plays `last`, until it overlaps
    /// `goal`. Without `to` it only falls.
    fn walked(&self, to: Option<IVec2>, last: Option<&Hop>, goal: Aabb) -> Option<Witness> {
        let moves = &self.ways.moves;
        let mut actor = self.actor();
        let mut witness = Witness { start: self.start, legs: Vec::new() };
        let mut follower = Follower::by_keys();
        let mut playing = last.map(|hop| Playing::new(hop.program));
        let mut is_there = to.is_none();
        let longest = self.longest() * (2 + self.ways.ways.len() as u32).min(1_000);
        for _ in 0..longest {
            if actor.mover.body.overlaps(goal) {
                return Some(witness);
            }
            let mut input = Input::NONE;
            if let Some(to) = to.filter(|_| !is_there) {
                let Actor { mover, state } = &mut actor;
                match follower.next(&self.ways, self.level, mover, state, to) {
                    Follow::Go(keys) => input = keys,
                    Follow::Arrived => is_there = true,
                    Follow::NoWay => return None,
                }
            }
            if is_there && let Some(playing) = &mut playing {
                input = playing.next(moves, &actor)?;
            } else if is_there && moves.rests(&actor.state) {
                return None;
            }
            actor.step(self.level, input, &moves.jumper.feel);
            match witness.legs.last_mut() {
                Some((last, steps)) if *last == input => *steps += 1,
                _ => witness.legs.push((input, 1)),
            }
        }
        None
    }

    /// Looks for what the links miss, with take-offs each [`FINE`] pixels, as long as goals are missing that
    /// `may_reach` allows. Returns false if the work was not enough.
    fn refine(&mut self, work: u64, may_reach: &dyn Fn(&Aabb) -> bool) -> bool {
        let mut is_fine = vec![false; self.ways.ways.len()];
        for _ in 0..ROUNDS {
            let mut missing = self.goals.iter().zip(&self.found);
            if !missing.any(|(goal, found)| found.is_none() && may_reach(goal)) {
                return true;
            }
            let is_reached = self.places();
            let mut due = Vec::new();
            for place in 0..is_fine.len() {
                if is_reached[place] && !std::mem::replace(&mut is_fine[place], true) {
                    due.push(place as u32);
                }
            }
            if due.is_empty() {
                return true;
            }
            for place in &due {
                self.add_launches(*place);
            }
            self.ways.due = due;
            if !self.ways.update(self.level, work) {
                return false;
            }
            self.search();
        }
        true
    }

    /// Adds launches at each [`FINE`] pixels of a place.
    fn add_launches(&mut self, place: u32) {
        let JumpWays { places, ways, .. } = &mut self.ways;
        let ways = &mut ways[place as usize];
        let known: Vec<(IVec2, i8)> = ways.launches.iter().map(|it| (it.at, it.side)).collect();
        for run in places.runs_of(place) {
            let run = &places.runs[*run as usize];
            for x in (run.x0..=run.x1).step_by(FINE) {
                for side in [-1, 1].into_iter().filter(|side| !known.contains(&(run.at(x), *side)))
                {
                    ways.launches.push(Launch::new(run.at(x), side));
                }
            }
        }
    }

    /// Where the way to `goal` ends. Of all ways from place to place it takes the one whose greatest step
    /// misses the least (the algorithm of Prim, 1957), and of this way the first step from what the proof
    /// reached. `None` in a level of more than [`MOST_RUNS`] runs.
    fn obstacle(&self, proof: &Proof<'_>, goal: Aabb) -> Option<Obstacle> {
        let places = &self.ways.places;
        let size = self.ways.moves.jumper.size.as_ivec2();
        let goal = places.at(places.below(goal.min.saturating_sub(IVec2::new(0, size.y - 1)))?)?;
        if places.runs.len() > MOST_RUNS {
            return None;
        }
        let mut steps = vec![(u64::MAX, None::<[usize; 2]>); places.count()];
        let mut is_open = vec![true; places.count()];
        for (step, stood) in steps.iter_mut().zip(&proof.stood) {
            step.0 = if *stood { 0 } else { u64::MAX };
        }
        loop {
            let open = (0..steps.len()).filter(|place| is_open[*place]);
            let place = open.min_by_key(|place| steps[*place].0)?;
            is_open[place] = false;
            if place == goal as usize {
                break;
            }
            for from in places.runs_of(place as u32).iter().map(|run| *run as usize) {
                for (number, to) in places.runs.iter().enumerate() {
                    let missing = self.missing(proof, &places.runs[from], to);
                    let known = &mut steps[to.place as usize];
                    if is_open[to.place as usize] && missing < known.0 {
                        *known = (missing, Some([from, number]));
                    }
                }
            }
        }
        let mut step = steps[goal as usize].1?;
        while let Some(before) = steps[places.runs[step[0]].place as usize].1 {
            step = before;
        }
        let [from, to] = step.map(|run| &places.runs[run]);
        let columns = if from.x1 < to.x0 {
            [from.x1, to.x0]
        } else if to.x1 < from.x0 {
            [from.x0, to.x1]
        } else {
            [from.x0.max(to.x0); 2]
        };
        let [from_box, to_box] =
            [from.at(columns[0]), to.at(columns[1])].map(|at| Aabb { min: at, max: at + size });
        let [needed, pit, rise, jump] = self.apart(proof, from, to);
        let kind = if needed > rise {
            ObstacleKind::Height { needed, rise }
        } else if pit > jump {
            ObstacleKind::Width { needed: pit, jump }
        } else {
            ObstacleKind::Solids
        };
        Some(Obstacle { from: from_box, to: to_box, kind })
    }

    /// By how much a step from one run to another is too wide and too high. A pit counts before the way up
    /// from its bottom, and of equal steps the shortest.
    fn missing(&self, proof: &Proof<'_>, from: &Run, to: &Run) -> u64 {
        let [rise, pit, most_rise, most_pit] = self.apart(proof, from, to).map(u64::from);
        let missing = pit.saturating_sub(most_pit) + 16 * rise.saturating_sub(most_rise);
        (missing << 32) + pit + rise + 1
    }

    /// The height and the width from one run to another, and the greatest ones that the body may pass.
    fn apart(&self, proof: &Proof<'_>, from: &Run, to: &Run) -> [u32; 4] {
        let rise = (from.y - to.y).max(0).unsigned_abs();
        let columns = (from.x0 - to.x1).max(to.x0 - from.x1).max(0).unsigned_abs();
        let beside = self.ways.moves.jumper.size.x;
        // The body stands with a pixel on each floor.
        let pit = if columns > 1 { (columns + beside).saturating_sub(2) } else { 0 };
        [rise, pit, proof.rise(), (proof.width(rise) + beside).saturating_sub(2)]
    }
}

impl Witness {
    /// Returns the body and its state after each step of the inputs, as the mover plays them.
    pub fn replay<'a>(
        &'a self,
        level: &'a Level,
        jumper: &'a Jumper,
    ) -> impl Iterator<Item = (Mover, Platformer)> + 'a {
        let size = jumper.size.as_ivec2();
        let body = Aabb { min: self.start, max: self.start.saturating_add(size) };
        let mover = Mover::new(body, jumper.settings);
        let mut actor = Actor { mover, state: Platformer::new(jumper.rate) };
        let inputs = self.legs.iter().flat_map(|(input, steps)| (0..*steps).map(|_| *input));
        inputs.map(move |input| {
            actor.step(level, input, &jumper.feel);
            (actor.mover, actor.state)
        })
    }

    /// Returns the number of steps of all inputs.
    pub fn steps(&self) -> u64 {
        self.legs.iter().map(|(_, steps)| u64::from(*steps)).sum()
    }
}
