//! Decides for each goal whether a body can reach it. A search with the real mover finds inputs; the
//! over-estimate of the reachable positions proves that a goal is out of reach.

use glam::{IVec2, UVec2};

use super::moves::{
    Keys, MoveSet, PlatformerMoves, Reach, ReachLimits, Undecided, Verdict, Witness,
};
use super::over::{Barred, Bound, highest_rise, reached};
use super::play::{Estimates, InputSearch, Played, RESOLUTIONS};
use super::{Budget, Graph, OneWays, OutOfRuns, Routes};
use crate::analyze::TooComplex;
use crate::analyze::free_space::{FreeSpace, free_space};
use crate::geometry::{Aabb, Dir};
use crate::level::Level;
use crate::terrain::Terrain;

/// Decides for each goal whether a body of `body` pixels can overlap it. `starts` are positions of the body's
/// top-left corner.
///
/// A goal that is a point counts as its pixel.
///
/// Only the level's terrain is solid. The [`Feel`](crate::character::Feel) names the areas that are ladders
/// and water. Nothing in the level moves, opens or breaks. A goal is `Unreachable` only if this is proven
/// from all starts. Seen from the side, the search for inputs uses only the first start at which the body is
/// free. The result is deterministic.
///
/// Seen from above, without one-way cells and in a level that is solid outside, each goal is decided unless
/// the limit of runs is too low. Seen from the side, the over-estimate bounds the height of a body above its
/// floor, but not the length of its flight. So a goal behind a gap that is too wide to jump is `Unknown`.
///
/// All goals share the searches. O(words + runs) for the free positions and for each search of them.
/// O([`ReachLimits::steps`]) for the search with the mover. Memory: about 100 bytes per run of free
/// positions, and 200 bytes per 4 steps of the search.
///
/// # Errors
/// [`TooComplex`] for a level of more than 2^21 runs, 2^29 cells, or 2^30 pixels per side.
///
/// ```
/// use bitwall::analyze::{BarrierKind, MoveSet, ReachLimits, Verdict, reach};
/// use bitwall::{Aabb, Grid, Level, Rate, glam::IVec2, glam::UVec2};
///
/// // A shelf that is 5 cells above the ground.
/// let text = "......\n...###\n......\n......\n......\n......\n######";
/// let level = Level::from_grid(Grid::from_text(text)?, UVec2::splat(16))?;
/// let (body, start) = (UVec2::new(12, 16), [IVec2::new(2, 80)]);
/// let goal = Aabb::from_xywh(84, 4, 4, 4);
/// let with_jump = |height| {
///     let moves = MoveSet::jumper(Rate::per_second(60), height, 0.35);
///     reach(&level, body, &moves, &start, &[goal], &ReachLimits::default())
/// };
/// assert!(matches!(with_jump(90.0)?.goals[0], Verdict::Reached(_)));
/// let Verdict::Unreachable(Some(barrier)) = &with_jump(44.0)?.goals[0] else { panic!("it is too high") };
/// assert_eq!(barrier.kind, BarrierKind::Height { needed: 80, rise: 49 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reach(
    level: &Level,
    body: UVec2,
    moves: &MoveSet,
    starts: &[IVec2],
    goals: &[Aabb],
    limits: &ReachLimits,
) -> Result<Reach, TooComplex> {
    let body = body.max(UVec2::ONE);
    let free = free_space(level.terrain(), body)?;
    let starts: Vec<IVec2> =
        starts.iter().filter(|start| free.area_at(**start).is_some()).copied().collect();
    let budget = Budget::new(limits.runs);
    let question = Question { level, body, starts, goals, limits, free, budget };
    if question.starts.is_empty() {
        return Ok(question.unknown(Undecided::NoStart));
    }
    let found = match moves {
        MoveSet::TopDown { speed } => question.seen_from_above(moves, *speed),
        MoveSet::Platformer(jumper) => question.seen_from_the_side(moves, jumper),
    };
    match found {
        Ok(found) => Ok(Reach { runs_left: question.budget.left(), ..found }),
        Err(Stop::OutOfRuns) => Ok(question.unknown(Undecided::Runs)),
        Err(Stop::TooComplex(error)) => Err(error),
    }
}

/// The reason that [`reach`] ends before it has decided each goal.
enum Stop {
    OutOfRuns,
    TooComplex(TooComplex),
}

impl From<OutOfRuns> for Stop {
    fn from(OutOfRuns: OutOfRuns) -> Self {
        Self::OutOfRuns
    }
}

impl From<TooComplex> for Stop {
    fn from(error: TooComplex) -> Self {
        Self::TooComplex(error)
    }
}

/// A query of [`reach`] with its data.
struct Question<'a> {
    level: &'a Level,
    body: UVec2,
    /// The starts at which the body is free; at least one.
    starts: Vec<IVec2>,
    goals: &'a [Aabb],
    limits: &'a ReachLimits,
    free: FreeSpace,
    budget: Budget,
}

impl Question<'_> {
    fn unknown(&self, cause: Undecided) -> Reach {
        let goals = self.goals.iter().map(|_| Verdict::Unknown(cause)).collect();
        Reach { goals, runs_left: self.budget.left() }
    }

    fn graph(&self, areas: &[&Terrain], obeys: bool) -> Result<Graph, Stop> {
        self.budget.take(self.free.bands.runs.len() as u64)?;
        // A new node (a run of free positions) begins below each start. So the start is in the lowest row of
        // its node.
        let cuts: Vec<i32> = self.starts.iter().map(|start| start.y + 1).collect();
        Ok(Graph::new(self.level.terrain(), &self.free, areas, &cuts, obeys)?)
    }

    fn barred(&self, graph: &Graph, goal: Aabb, bound: Bound<'_>) -> Verdict {
        let start = self.starts.first().copied().unwrap_or_default();
        let level = self.level;
        let body = self.body;
        let budget = &self.budget;
        let barrier = Barred { level, body, start, goal, graph, bound, budget }.barrier();
        Verdict::Unreachable(barrier.ok().map(Box::new))
    }

    fn seen_from_above(&self, moves: &MoveSet, speed: u32) -> Result<Reach, Stop> {
        let terrain = self.level.terrain();
        let graph = self.graph(&[], true)?;
        let ways = Routes::from(&graph, &self.starts, &self.budget)?;
        let has_one_way = Dir::ALL.into_iter().any(|side| terrain.one_way(side).is_some());
        // The graph that ignores one-way cells, made only for goals that are out of reach.
        let mut free_graph = None;
        let mut explained = 0;
        let mut steps_left = self.limits.steps;
        let mut verdict = |goal: &Aabb| -> Result<Verdict, Stop> {
            let Some(end) = ways.end_at(&graph, *goal, &self.budget)? else {
                explained += 1;
                if explained > self.limits.explained {
                    return Ok(Verdict::Unreachable(None));
                }
                if !has_one_way {
                    return Ok(self.barred(&graph, *goal, Bound::No));
                }
                if free_graph.is_none() {
                    free_graph = Some(self.graph(&[], false)?);
                }
                let bound = Bound::OneWay(&graph, &ways);
                let known = free_graph.as_ref().map(|free| self.barred(free, *goal, bound));
                return Ok(known.unwrap_or(Verdict::Unreachable(None)));
            };
            let how = (OneWays::Obeyed, &self.budget);
            let Some(corners) = ways.to(&graph, (terrain, self.body), (end, *goal), how)? else {
                return Ok(Verdict::Unknown(Undecided::OneWay));
            };
            let witness = walked(&corners, speed);
            // If only solids stop the body, it can walk along any path through free positions.
            if !has_one_way {
                return Ok(Verdict::Reached(witness));
            }
            let Some(left) = steps_left.checked_sub(witness.steps()) else {
                return Ok(Verdict::Unknown(Undecided::Steps));
            };
            steps_left = left;
            Ok(if witness.touches(self.level, self.body, moves, *goal) {
                Verdict::Reached(witness)
            } else {
                Verdict::Unknown(Undecided::OneWay)
            })
        };
        let verdicts = self.goals.iter().map(|goal| match verdict(goal) {
            Err(Stop::OutOfRuns) => Ok(Verdict::Unknown(Undecided::Runs)),
            verdict => verdict,
        });
        let goals = verdicts.collect::<Result<_, Stop>>()?;
        Ok(Reach { goals, runs_left: 0 })
    }

    fn seen_from_the_side(&self, moves: &MoveSet, jumper: &PlatformerMoves) -> Result<Reach, Stop> {
        let mut areas = Vec::new();
        areas.extend(self.level.area(&jumper.feel.ladder));
        areas.extend(self.level.area(&jumper.feel.water));
        let graph = self.graph(&areas, false)?;
        let rise = highest_rise(jumper, self.body.y);
        let mut bounded = None;
        let mut ways = None;
        if let Some(rise) = rise {
            let mut nodes = Vec::new();
            self.starts.iter().for_each(|start| nodes.extend(graph.node_at(*start)));
            bounded = Some(reached(&graph, &nodes, rise, &self.budget)?);
        } else {
            ways = Some(Routes::from(&graph, &self.starts, &self.budget)?);
        }
        // `open`: for each goal, true if the over-estimate contains it, or the error of an empty budget.
        // `wanted`: the goals to search for.
        let mut open = Vec::new();
        let mut wanted = Vec::new();
        for goal in self.goals {
            let may_reach = match (&bounded, &ways) {
                (Some(reached), _) => reached.touches(&graph, *goal, &self.budget),
                (_, Some(ways)) => {
                    ways.end_at(&graph, *goal, &self.budget).map(|end| end.is_some())
                }
                _ => Ok(true),
            };
            open.push(may_reach);
            wanted.push((may_reach == Ok(true)).then_some(*goal));
        }
        let climbs = !areas.is_empty() || jumper.feel.ledge_reach > 0;
        let played = self.play(&graph, moves, &wanted, climbs)?;
        let missing = if played.steps_left > 0 { Undecided::NotFound } else { Undecided::Steps };
        let bound = rise.map_or(Bound::No, Bound::Rise);
        let mut goals = Vec::new();
        let mut explained = 0;
        for (number, witness) in played.found.into_iter().enumerate() {
            goals.push(match (open[number], witness) {
                (_, Some(witness)) => Verdict::Reached(witness),
                (Err(OutOfRuns), None) => Verdict::Unknown(Undecided::Runs),
                (Ok(true), None) => Verdict::Unknown(missing),
                (Ok(false), None) => {
                    explained += 1;
                    if explained <= self.limits.explained {
                        self.barred(&graph, self.goals[number], bound)
                    } else {
                        Verdict::Unreachable(None)
                    }
                }
            });
        }
        Ok(Reach { goals, runs_left: 0 })
    }

    /// Searches for inputs from the first start, first with the coarsest of [`RESOLUTIONS`], then with finer
    /// ones, until every goal is found or no steps are left.
    fn play(
        &self,
        graph: &Graph,
        moves: &MoveSet,
        goals: &[Option<Aabb>],
        climbs: bool,
    ) -> Result<Played, OutOfRuns> {
        let start = self.starts.first().copied().unwrap_or_default();
        let size = self.body.as_ivec2();
        let start = Aabb::from_xywh(start.x, start.y, size.x, size.y);
        let mut all = Played { found: vec![None; goals.len()], steps_left: self.limits.steps };
        let mut field = None;
        for resolution in RESOLUTIONS {
            let missing = goals.iter().zip(&all.found);
            let left = missing.map(|(goal, found)| goal.filter(|_| found.is_none()));
            let left: Vec<Option<Aabb>> = left.collect();
            if all.steps_left == 0 || left.iter().all(Option::is_none) {
                break;
            }
            let field = match &mut field {
                Some(field) => field,
                None => field.insert(Estimates::new(graph, size, &self.budget)?),
            };
            let search = InputSearch {
                level: self.level,
                moves,
                goals: left,
                steps: all.steps_left,
                resolution,
                climbs,
            };
            let played = search.play(start, field);
            for (found, more) in all.found.iter_mut().zip(played.found) {
                *found = found.take().or(more);
            }
            all.steps_left = played.steps_left;
        }
        Ok(all)
    }
}

/// The inputs of a body that walks from corner to corner, at most `speed` pixels per step.
fn walked(corners: &[IVec2], speed: u32) -> Witness {
    let mut witness = Witness::new(corners.first().copied().unwrap_or_default());
    let speed = i32::try_from(speed).unwrap_or(i32::MAX).max(1);
    for pair in corners.windows(2) {
        let [from, to] = *pair else { continue };
        let way = to - from;
        let length = way.x.abs().max(way.y.abs());
        let toward = way.signum();
        witness.push(Keys::Walk(toward * speed), (length / speed) as u32);
        witness.push(Keys::Walk(toward * (length % speed)), u32::from(length % speed > 0));
    }
    witness
}
