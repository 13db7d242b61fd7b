//! Decides for each goal of a level whether a body can reach it. The links say how, the proof says never, and
//! where neither does, the goal is undecided, with the cause.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use glam::IVec2;

use super::proof::{Proof, is_bounded};
use super::{
    Actor, Aim, Follow, Follower, JumpWays, Jumper, Launch, PlaceWays, Playing, Program, Run,
};
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

/// A place that a body reaches, but from which no known way leads to a goal or back to a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoftLock {
    /// The number of the place: see [`JumpWays::runs`].
    pub place: u32,
    /// A position of the body in the place.
    pub at: IVec2,
    /// True if it is proven that no way exists. Otherwise no way was found.
    pub is_proven: bool,
}

/// Why a goal is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Undecided {
    /// The body is in a solid at each start.
    NoStart,
    /// No way was found, and none was ruled out.
    NotFound,
    /// The work that was allowed was not enough.
    Work,
    /// No way was found, and moves such as a dash or a crouch have no bound.
    Moves,
}

impl std::error::Error for Undecided {}

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

/// The words of a proof that take as long as a step of the mover.
const WORDS: u64 = 128;

impl JumpWays {
    /// Decides for each goal whether the body can overlap it from one of `starts`.
    ///
    /// `starts` are positions of the body. Those in solids do not count. A goal that is a point counts as its
    /// pixel. A goal is out of reach only if this is proven from all starts.
    ///
    /// The links are updated first. `work` limits this, the proof, and the search for what the links miss, to
    /// as many steps of the mover each, or to as much time: about 3,000,000 are a second. The proof takes at
    /// most 150 bytes for each step. With less work more goals are undecided, and no verdict becomes wrong.
    /// To limit the work of the links too, begin with [`JumpWays::unplayed`]. The result is the same on every
    /// machine.
    ///
    /// Only solids, one-way cells, ladders and water count: see the module. A game in which something else
    /// opens a way must take [`Verdict::OutOfReach`] as undecided.
    ///
    /// ```
    /// use bitwall::character::Feel;
    /// use bitwall::glam::{IVec2, UVec2, Vec2};
    /// use bitwall::navigate::{JumpWays, Jumper, ObstacleKind, Verdict};
    /// use bitwall::{Aabb, Grid, Level, Outside, Rate};
    ///
    /// let sky = ".".repeat(30) + "\n";
    /// let text = sky.repeat(3) + "###.....####..............####";
    /// let level = Level::from_grid(Grid::from_text(&text)?, UVec2::splat(16))?;
    /// let level = level.with_outside(Outside::Open); // the pits have no bottom
    /// let feel = Feel { wall_jump: Vec2::ZERO, ledge_reach: 0, ..Feel::default() };
    /// let jumper = Jumper::new(UVec2::new(12, 20), feel, Rate::per_second(60));
    /// let goals = [140, 430].map(|x| Aabb::from_xywh(x, 40, 4, 4));
    /// let mut ways = JumpWays::new(&level, jumper)?;
    /// let verdicts = ways.reach(&level, &[IVec2::new(8, 28)], &goals, 3_000_000);
    /// assert!(matches!(verdicts[0], Verdict::Reached(_)));
    /// let Verdict::OutOfReach(Some(obstacle)) = verdicts[1] else { panic!("the pit is too wide") };
    /// assert!(matches!(obstacle.kind, ObstacleKind::Width { needed: 224, .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reach(
        &mut self,
        level: &Level,
        starts: &[IVec2],
        goals: &[Aabb],
        work: u64,
    ) -> Vec<Verdict> {
        let is_whole = self.update(level, work);
        let mut question = Question::new(self, level, starts, goals, work);
        if question.starts.is_empty() {
            return vec![Verdict::Undecided(Undecided::NoStart); goals.len()];
        }
        question.search();
        let proof = self.proof(level, work).and_then(|mut proof| {
            let is_open = question.found.iter().any(Option::is_none);
            proof.start(question.starts.iter().map(|(start, _)| *start));
            (is_open && proof.follow()).then_some(proof)
        });
        let may_reach = |goal: &Aabb| proof.as_ref().is_none_or(|proof| proof.touches(*goal));
        let is_fine = is_whole && question.refine(&may_reach);
        let steps = proof.as_ref().map_or(Vec::new(), |proof| self.steps(proof));
        let verdicts =
            question.goals.iter().zip(&question.found).map(|(goal, found)| match found {
                Some(witness) => Verdict::Reached(witness.clone()),
                None if !may_reach(goal) => {
                    let obstacle =
                        proof.as_ref().and_then(|proof| self.obstacle(proof, &steps, *goal));
                    Verdict::OutOfReach(obstacle)
                }
                None if !is_bounded(self.jumper()) => Verdict::Undecided(Undecided::Moves),
                None if proof.is_none() || !is_fine => Verdict::Undecided(Undecided::Work),
                None => Verdict::Undecided(Undecided::NotFound),
            });
        verdicts.collect()
    }

    /// Finds the places that the body reaches from one of `starts`, but from which it reaches neither one of
    /// `goals` nor a place where it starts.
    ///
    /// They follow from the links in O(links). The proofs share the `work`, and each takes O(pixels) at most:
    /// see [`JumpWays::reach`]. A body that falls out of the level is in no soft lock.
    ///
    /// ```
    /// use bitwall::character::Feel;
    /// use bitwall::glam::{IVec2, UVec2, Vec2};
    /// use bitwall::navigate::{JumpWays, Jumper};
    /// use bitwall::{Aabb, Grid, Level, Rate};
    ///
    /// let text = "..........\n..........\n####...###\n####...###\n####...###\n####...###\n##########";
    /// let level = Level::from_grid(Grid::from_text(text)?, UVec2::splat(16))?;
    /// let feel = Feel { wall_jump: Vec2::ZERO, ledge_reach: 0, ..Feel::default() };
    /// let jumper = Jumper::new(UVec2::new(12, 20), feel, Rate::per_second(60));
    /// let mut ways = JumpWays::new(&level, jumper)?;
    /// let (start, goal) = (IVec2::new(8, 12), Aabb::from_xywh(140, 20, 4, 4));
    /// let locks = ways.soft_locks(&level, &[start], &[goal], 3_000_000)?;
    /// assert_eq!(locks[0].at, IVec2::new(64, 76), "the pit");
    /// assert!(locks[0].is_proven);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Undecided::NoStart`], or [`Undecided::Work`] if the work was not enough for the links.
    pub fn soft_locks(
        &mut self,
        level: &Level,
        starts: &[IVec2],
        goals: &[Aabb],
        work: u64,
    ) -> Result<Vec<SoftLock>, Undecided> {
        if !self.update(level, work) {
            return Err(Undecided::Work);
        }
        let question = Question::new(self, level, starts, goals, work);
        if question.starts.is_empty() {
            return Err(Undecided::NoStart);
        }
        Ok(question.locks(&question.dead_ends(), self.proof(level, work)))
    }

    /// A proof that has not begun. `None` if the moves have no bound, if the places are not up to date, or if
    /// it would take too much work.
    fn proof(&self, level: &Level, work: u64) -> Option<Proof<'_>> {
        let is_possible = self.edits.is_empty() && is_bounded(self.jumper());
        let words = work.saturating_mul(WORDS);
        is_possible.then(|| Proof::new(self.jumper(), &self.places, level, words)).flatten()
    }

    /// The places that links lead to from one of `open`, or with `back` from which links lead to one.
    fn connected(&self, mut open: Vec<u32>, back: bool) -> Vec<bool> {
        let mut is_met = vec![false; self.ways.len()];
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut is_met[place as usize], true) {
                continue;
            }
            if back {
                open.extend(self.index.into[place as usize].iter().map(|(from, _)| *from));
            } else {
                open.extend(self.ways[place as usize].links.iter().map(|link| link.to));
            }
        }
        is_met
    }

    /// The positions at which the body overlaps `goal`.
    fn positions_at(&self, goal: Aabb) -> Aabb {
        let size = self.jumper().size.as_ivec2();
        Aabb { min: goal.min.saturating_sub(size - 1), max: goal.max }
    }

    /// Where the way to `goal` ends: on the floor below it, or on the way to this floor. `steps` are those of
    /// [`JumpWays::steps`].
    fn obstacle(&self, proof: &Proof<'_>, steps: &[(u64, usize)], goal: Aabb) -> Option<Obstacle> {
        let runs = &self.places.runs;
        let window = self.positions_at(goal);
        let below = Aabb { max: IVec2::new(window.max.x, i32::MAX), ..window };
        let floor = self.places.within(below).next()?;
        let x = goal.min.x.clamp(floor.x0, floor.x1);
        let mut to = self.places.run_at(floor.at(x))?;
        let is_stood = |run: usize| proof.stood[runs[run].place as usize];
        let [from, to] = if is_stood(to) {
            [*floor, Run { y: goal.max.y - 1, x0: x, x1: x, ..*floor }]
        } else {
            let mut from = steps.get(to)?.1;
            while !is_stood(from) && from != to {
                [from, to] = [steps[from].1, from];
            }
            // Without a place that is reached there is no step.
            [is_stood(from).then_some(runs[from])?, runs[to]]
        };
        let x = to.x0.clamp(from.x0, from.x1);
        let boxes = [from.at(x), to.at(x.clamp(to.x0, to.x1))];
        let size = self.jumper().size.as_ivec2();
        let [from_box, to_box] = boxes.map(|at| Aabb { min: at, max: at + size });
        let [needed, pit, rise, jump] = self.apart(proof, &from, &to);
        let kind = if needed > rise {
            ObstacleKind::Height { needed, rise }
        } else if pit > jump {
            ObstacleKind::Width { needed: pit, jump }
        } else {
            ObstacleKind::Solids
        };
        Some(Obstacle { from: from_box, to: to_box, kind })
    }

    /// Of all ways from what the proof reached to each run, the last step of the way whose greatest step
    /// misses the least (the algorithm of Prim, 1957): by how much it misses, and the run before. Empty in a
    /// level of more than [`MOST_RUNS`] runs.
    fn steps(&self, proof: &Proof<'_>) -> Vec<(u64, usize)> {
        let runs = &self.places.runs;
        if runs.len() > MOST_RUNS {
            return Vec::new();
        }
        let is_stood = |run: usize| proof.stood[runs[run].place as usize];
        let first = |run| (if is_stood(run) { 0 } else { u64::MAX }, run);
        let mut steps: Vec<(u64, usize)> = (0..runs.len()).map(first).collect();
        let mut open: Vec<usize> = (0..runs.len()).collect();
        while let Some(next) = (0..open.len()).min_by_key(|at| steps[open[*at]].0) {
            let from = open.swap_remove(next);
            for to in &open {
                let is_same = runs[from].place == runs[*to].place;
                let apart = self.apart(proof, &runs[from], &runs[*to]);
                let missing = if is_same { 1 } else { missing(apart) };
                if missing < steps[*to].0 {
                    steps[*to] = (missing, from);
                }
            }
        }
        steps
    }

    /// The height and the width from one run to another, and the greatest ones that the body may pass.
    fn apart(&self, proof: &Proof<'_>, from: &Run, to: &Run) -> [u32; 4] {
        let rise = (from.y - to.y).max(0).unsigned_abs();
        let columns = (from.x0 - to.x1).max(to.x0 - from.x1).max(0).unsigned_abs();
        let beside = self.jumper().size.x;
        // The body stands with a pixel on each floor.
        let pit = if columns > 1 { (columns + beside).saturating_sub(2) } else { 0 };
        [rise, pit, proof.rise(), (proof.width(rise) + beside).saturating_sub(2)]
    }
}

/// By how much a step from one run to another is too wide and too high. A pit counts before the way up from
/// its bottom, and of equal steps the shortest.
fn missing(apart: [u32; 4]) -> u64 {
    let [rise, pit, most_rise, most_pit] = apart.map(u64::from);
    let missing = pit.saturating_sub(most_pit) + 16 * rise.saturating_sub(most_rise);
    (missing << 32) + pit + rise + 1
}

/// The places that the body reaches, and from which it is not led on.
fn lost(is_reached: &[bool], leads_on: &[bool]) -> Vec<u32> {
    let places = (0..).zip(is_reached.iter().zip(leads_on));
    places.filter(|(_, (reached, on))| **reached && !**on).map(|(place, _)| place).collect()
}

/// A goal that is a point counts as its pixel.
fn at_least_a_pixel(goal: Aabb) -> Aabb {
    Aabb { max: goal.max.max(goal.min.saturating_add(IVec2::ONE)), ..goal }
}

/// Goals that a body should reach.
struct Question<'a> {
    ways: Cow<'a, JumpWays>,
    level: &'a Level,
    /// The starts outside of solids, and the place to which the body falls from each.
    starts: Vec<(IVec2, Option<u32>)>,
    goals: Vec<Aabb>,
    found: Vec<Option<Witness>>,
    /// The steps that the mover may still take.
    work: Cell<u64>,
}

impl<'a> Question<'a> {
    fn new(
        ways: &'a JumpWays,
        level: &'a Level,
        starts: &[IVec2],
        goals: &[Aabb],
        work: u64,
    ) -> Self {
        let mut question = Self {
            ways: Cow::Borrowed(ways),
            level,
            starts: Vec::new(),
            goals: goals.iter().map(|goal| at_least_a_pixel(*goal)).collect(),
            found: vec![None; goals.len()],
            work: Cell::new(work),
        };
        let bodies = starts.iter().map(|start| Actor::at(ways.jumper(), *start).mover.body);
        for body in bodies.filter(|body| !level.overlaps(*body)) {
            question.starts.push((body.min, question.place_below(body.min)));
        }
        question
    }

    /// The place to which a body falls from a start.
    fn place_below(&self, start: IVec2) -> Option<u32> {
        let mut actor = Actor::at(self.ways.jumper(), start);
        for _ in 0..self.ways.moves.longest() {
            self.step(&mut actor, Input::NONE);
            if self.ways.moves.rests(&actor.state) {
                return self.ways.places.at(actor.mover.body.min);
            }
        }
        None
    }

    fn step(&self, actor: &mut Actor, input: Input) {
        actor.step(self.level, input, &self.ways.jumper().feel);
        self.spend(1);
    }

    fn spend(&self, steps: u64) {
        self.work.set(self.work.get().saturating_sub(steps));
    }

    /// The places where the body starts.
    fn homes(&self) -> Vec<u32> {
        self.starts.iter().filter_map(|(_, place)| *place).collect()
    }

    /// The places that links lead to from the starts.
    fn reached(&self) -> Vec<bool> {
        self.ways.connected(self.homes(), false)
    }

    /// The reached places from which no links lead to a goal or to a place where the body starts.
    fn dead_ends(&self) -> Vec<u32> {
        let ways = &*self.ways;
        let is_reached = self.reached();
        let mut ends = self.homes();
        for goal in &self.goals {
            ends.extend(ways.places.within(ways.positions_at(*goal)).map(|run| run.place));
        }
        let mut left = lost(&is_reached, &ways.connected(ends.clone(), true));
        // A body may also pass a goal on its way from such a place.
        left.retain(|place| {
            self.goals.iter().any(|goal| self.passing(*place, *goal).next().is_some())
        });
        ends.extend(left);
        lost(&is_reached, &ways.connected(ends, true))
    }

    /// The dead ends as soft locks, proven as long as the budget of a prepared proof lasts.
    fn locks(&self, dead_ends: &[u32], mut prepared: Option<Proof<'_>>) -> Vec<SoftLock> {
        let places = &self.ways.places;
        let mut is_proven = vec![false; places.chains.len()];
        let mut locks = Vec::new();
        for place in dead_ends {
            let run = &places.runs[places.runs_of(*place)[0] as usize];
            let at = run.at(run.x0);
            let is_known = is_proven[*place as usize];
            if let Some(prepared) = prepared.as_mut().filter(|it| it.budget > 0 && !is_known) {
                let mut proof = prepared.clone();
                if self.never_leaves(&mut proof, at) {
                    // What is proven of a place is proven of all that the body reaches from it.
                    is_proven.iter_mut().zip(&proof.stood).for_each(|(is, stood)| *is |= stood);
                }
                prepared.budget = proof.budget;
            }
            locks.push(SoftLock { place: *place, at, is_proven: is_proven[*place as usize] });
        }
        locks
    }

    /// True if a proof shows that a body at position `at` reaches no goal and no place where it starts.
    fn never_leaves(&self, proof: &mut Proof<'_>, at: IVec2) -> bool {
        proof.start([at]);
        proof.follow()
            && !self.homes().iter().any(|home| proof.stood[*home as usize])
            && !self.goals.iter().any(|goal| proof.touches(*goal))
    }

    /// Looks for ways to the goals that are not found yet: at rest, and on the way of a link.
    fn search(&mut self) {
        let is_reached = self.reached();
        for number in 0..self.goals.len() {
            if self.found[number].is_none() {
                let goal = self.goals[number];
                let mut starts = self.starts.iter();
                self.found[number] =
                    starts.find_map(|(start, _)| self.way_from(*start, goal, &is_reached));
            }
        }
    }

    /// The inputs of a body that reaches `goal` from a start.
    fn way_from(&self, start: IVec2, goal: Aabb, is_reached: &[bool]) -> Option<Witness> {
        let window = self.ways.positions_at(goal);
        let mut runs = self.ways.places.within(window);
        let run = runs.find(|run| is_reached[run.place as usize]);
        let at = run.map(|run| run.at(window.min.x.clamp(run.x0, run.x1)));
        let found = self.walked(start, at, None, goal);
        if found.is_some() {
            return found;
        }
        let reached = (0..is_reached.len() as u32).filter(|place| is_reached[*place as usize]);
        let mut passing = reached.flat_map(|place| self.passing(place, goal));
        passing.find_map(|(at, program)| self.walked(start, Some(at), Some(program), goal))
    }

    /// The programs from a place on which the body overlaps `goal`, with their take-offs.
    fn passing(&self, place: u32, goal: Aabb) -> impl Iterator<Item = (IVec2, Program)> {
        let JumpWays { moves, ways, .. } = &*self.ways;
        let PlaceWays { launches, links, looked, .. } = &ways[place as usize];
        let links = links.iter().filter(move |link| link.looked.overlaps(goal));
        let launches = launches.iter().filter(move |_| looked.is_some_and(|it| it.overlaps(goal)));
        let programs = launches.flat_map(move |launch| {
            let mine = moves.sides[usize::from(launch.side > 0)].iter().zip(&launch.looks);
            let near = mine.filter(move |(_, look)| look.overlaps(goal));
            near.map(|(number, _)| (launch.at, moves.programs[usize::from(*number)]))
        });
        let all = links.map(|link| (link.hop.from, link.hop.program)).chain(programs);
        all.filter(move |(at, program)| self.touches(*at, *program, goal))
    }

    /// True if the body overlaps `goal` while it plays a program from rest.
    fn touches(&self, at: IVec2, program: Program, goal: Aabb) -> bool {
        let moves = &self.ways.moves;
        let mut actor = moves.at_rest(at, self.ways.places.hold(at));
        let mut playing = Playing::new(program);
        while let Some(input) = playing.next(moves, &actor).filter(|_| self.work.get() > 0) {
            self.step(&mut actor, input);
            if actor.mover.body.overlaps(goal) {
                return true;
            }
        }
        false
    }

    /// The inputs of a body that goes from `start` to position `to`, then plays `last`, until it overlaps
    /// `goal`. Without `to` it only falls.
    fn walked(
        &self,
        start: IVec2,
        to: Option<IVec2>,
        last: Option<Program>,
        goal: Aabb,
    ) -> Option<Witness> {
        let moves = &self.ways.moves;
        let mut actor = Actor::at(&moves.jumper, start);
        let mut witness = Witness { start, legs: Vec::new() };
        let mut follower = Follower::default();
        follower.keeps_subpixel = true;
        let mut playing = last.map(Playing::new);
        let mut is_there = to.is_none();
        let longest = moves.longest() * (2 + self.ways.ways.len() as u32).min(1_000);
        for _ in 0..longest {
            if actor.mover.body.overlaps(goal) {
                return Some(witness);
            }
            if self.work.get() == 0 {
                return None;
            }
            let mut input = Input::NONE;
            if let Some(to) = to.filter(|_| !is_there) {
                let Actor { mover, state } = &mut actor;
                let aim = Aim::To(to);
                let next = follower.next(&self.ways, self.level, mover, state, aim);
                self.spend(std::mem::take(&mut follower.spent));
                match next {
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
            self.step(&mut actor, input);
            match witness.legs.last_mut() {
                Some((last, steps)) if *last == input => *steps += 1,
                _ => witness.legs.push((input, 1)),
            }
        }
        None
    }

    /// Looks for what the links miss, with take-offs each [`FINE`] pixels, as long as goals are missing that
    /// `may_reach` allows. Returns false if the work was not enough.
    fn refine(&mut self, may_reach: &dyn Fn(&Aabb) -> bool) -> bool {
        let mut is_fine = vec![false; self.ways.ways.len()];
        for _ in 0..ROUNDS {
            let mut missing = self.goals.iter().zip(&self.found);
            if !missing.any(|(goal, found)| found.is_none() && may_reach(goal)) {
                break;
            }
            let is_reached = self.reached();
            let due = (0..is_fine.len()).filter(|place| is_reached[*place] && !is_fine[*place]);
            let due: Vec<u32> = due.map(|place| place as u32).collect();
            if due.is_empty() {
                break;
            }
            let ways = self.ways.to_mut();
            for place in &due {
                is_fine[*place as usize] = true;
                ways.add_launches(*place);
            }
            ways.due = due;
            let work = self.work.get();
            self.work.set(work.saturating_sub(ways.play_due(self.level, work)));
            self.search();
        }
        self.work.get() > 0
    }
}

impl JumpWays {
    /// Adds launches at each [`FINE`] pixels of a place.
    fn add_launches(&mut self, place: u32) {
        let Self { places, ways, .. } = self;
        let launches = &mut ways[place as usize].launches;
        let known: Vec<(IVec2, i8)> = launches.iter().map(|it| (it.at, it.side)).collect();
        for run in places.runs_of(place) {
            let run = &places.runs[*run as usize];
            for x in (run.x0..=run.x1).step_by(FINE) {
                let sides = [-1, 1].into_iter().filter(|side| !known.contains(&(run.at(x), *side)));
                launches.extend(sides.map(|side| Launch::new(run.at(x), side)));
            }
        }
    }
}

impl Witness {
    /// Returns the body and its state after each step of the inputs, as the mover plays them.
    pub fn replay<'a>(
        &'a self,
        level: &'a Level,
        jumper: &'a Jumper,
    ) -> impl Iterator<Item = (Mover, Platformer)> + 'a {
        let mut actor = Actor::at(jumper, self.start);
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
