//! The verdict on each goal, from the two bounds.

use std::fmt;

use glam::{IVec2, UVec2};

use super::barrier::{Barred, Barrier};
use super::field::Field;
use super::graph::Graph;
use super::moves::{MoveSet, PlatformerMoves};
use super::over::{leading, reached};
use super::play::{Played, RESOLUTIONS, Search};
use super::rise::highest_rise;
use super::walk::{Ways, walked};
use super::witness::Witness;
use crate::analyze::bands::TooComplex;
use crate::analyze::free_space::{FreeSpace, free_space};
use crate::geometry::{Aabb, Dir};
use crate::level::Level;
use crate::sweep::Terrain;

/// The largest number of goals out of reach for which the obstacle is looked for.
const MAX_EXPLAINED: u32 = 8;

/// The answer of [`reach`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Reach {
    /// A verdict for each goal, in their order.
    pub goals: Vec<Verdict>,
    /// Places at which the body came to stand and from which it never comes back, neither to a start nor to a
    /// goal: its top-left corners, from the top, then from the left. Empty unless
    /// [`ReachLimits::looks_for_traps`].
    pub traps: Vec<IVec2>,
    /// The reason that traps were not looked for everywhere, if they were asked for.
    pub unknown_traps: Option<Unknown>,
}

/// Whether a body reaches a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Verdict {
    /// It does, with these inputs.
    Reached(Witness),
    /// It never does, because of this obstacle. Only the first 8 such goals have one, for it takes longer
    /// than the verdict.
    Unreachable(Option<Box<Barrier>>),
    /// Neither was shown.
    Unknown(Unknown),
}

/// The reason that a verdict is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Unknown {
    /// The body is in a solid at each start.
    NoStart,
    /// A way leads there, but the inputs that were tried did not find one that the body can take.
    NotFound,
    /// The search ended after its limit of steps.
    Steps,
    /// One-way cells that face a side, which the over-estimate does not know.
    OneWay,
    /// The height of its rise is not bounded.
    Unbounded,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoStart => "the body is in a solid where it starts",
            Self::NotFound => "no inputs were found, and none were ruled out",
            Self::Steps => "the search ended after its limit of steps",
            Self::OneWay => "one-way cells are in the way",
            Self::Unbounded => "the body can rise without a bound",
        })
    }
}

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct ReachLimits {
    /// The most steps of the real mover that are played, at about 0.3 µs each.
    pub steps: u64,
    /// True to look for places without a way back too.
    pub looks_for_traps: bool,
}

impl Default for ReachLimits {
    /// 1,000,000 steps, without traps.
    fn default() -> Self {
        Self { steps: 1_000_000, looks_for_traps: false }
    }
}

impl ReachLimits {
    /// These limits with so many steps.
    #[must_use]
    pub const fn with_steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// These limits, with a search for places without a way back.
    #[must_use]
    pub const fn with_traps(mut self) -> Self {
        self.looks_for_traps = true;
        self
    }
}

/// Whether a body of `body` pixels gets from one of `starts`, places of its top-left corner, to each goal: to
/// a place at which it overlaps it. A goal that is a point is the pixel that holds it.
///
/// The solids are those of the level's terrain, and its areas of ladders and water by the names of the
/// [`Feel`](crate::character::Feel). Nothing moves, opens or breaks. A verdict is `Unreachable` only if it is
/// proven from all starts. A search plays from the first start that is free. It is deterministic.
///
/// A view from above without one-way cells, in a level that is solid outside, is always decided.
/// From the side the over-estimate knows how high a body rises above its floor, and not how far it flies: a
/// gap that is too wide is `Unknown`.
///
/// O(words + runs) for the free positions and each flood, and O([`ReachLimits::steps`]) for the search.
/// Memory: about 100 bytes a run of free positions, and 200 for every 4 steps of the search.
///
/// # Errors
/// [`TooComplex`] for a level of more than 2^22 runs, 2^29 cells, or 2^30 pixels a side.
///
/// ```
/// use bitwall::analyze::{BarrierKind, MoveSet, ReachLimits, Verdict, reach};
/// use bitwall::{Aabb, Grid, Level, glam::IVec2, glam::UVec2};
///
/// // A shelf that is 5 cells above the ground.
/// let text = "......\n...###\n......\n......\n......\n......\n######";
/// let level = Level::from_grid(Grid::from_text(text)?, UVec2::splat(16))?;
/// let (body, start) = (UVec2::new(12, 16), [IVec2::new(2, 80)]);
/// let goal = Aabb::from_xywh(84, 4, 4, 4);
/// let with_jump = |height| {
///     let moves = MoveSet::jumper(height, 21);
///     reach(&level, body, &moves, &start, &[goal], &ReachLimits::default())
/// };
/// assert!(matches!(with_jump(90)?.goals[0], Verdict::Reached(_)));
/// let Verdict::Unreachable(Some(barrier)) = &with_jump(44)?.goals[0] else { panic!("it is too high") };
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
    let question = Question { level, body, starts, goals, limits, free };
    if question.starts.is_empty() {
        let unknown = || Verdict::Unknown(Unknown::NoStart);
        let verdicts = goals.iter().map(|_| unknown()).collect();
        let unknown_traps = limits.looks_for_traps.then_some(Unknown::NoStart);
        return Ok(Reach { goals: verdicts, traps: Vec::new(), unknown_traps });
    }
    match moves {
        MoveSet::TopDown { speed } => question.seen_from_above(moves, *speed),
        MoveSet::Platformer(jumper) => question.seen_from_the_side(moves, jumper),
    }
}

struct Question<'a> {
    level: &'a Level,
    body: UVec2,
    /// The places at which it is free; at least one.
    starts: Vec<IVec2>,
    goals: &'a [Aabb],
    limits: &'a ReachLimits,
    free: FreeSpace,
}

impl Question<'_> {
    fn graph(&self, areas: &[&Terrain], obeys: bool) -> Result<Graph, TooComplex> {
        // A start is in the lowest row of its node.
        let cuts: Vec<i32> = self.starts.iter().map(|start| start.y + 1).collect();
        Graph::new(self.level.terrain(), &self.free, areas, &cuts, obeys)
    }

    /// The verdict on a goal that is out of reach, after `before` others.
    fn barred(&self, graph: &Graph, goal: Aabb, rise: Option<u32>, before: &mut u32) -> Verdict {
        *before += 1;
        if *before > MAX_EXPLAINED {
            return Verdict::Unreachable(None);
        }
        let start = self.starts.first().copied().unwrap_or_default();
        let barred = Barred { level: self.level, body: self.body, start, goal, graph, rise };
        Verdict::Unreachable(Some(Box::new(barred.barrier())))
    }

    fn seen_from_above(&self, moves: &MoveSet, speed: u32) -> Result<Reach, TooComplex> {
        let terrain = self.level.terrain();
        let graph = self.graph(&[], true)?;
        let ways: Vec<Ways> =
            self.starts.iter().filter_map(|start| Ways::from(&graph, *start)).collect();
        let mut before = 0;
        let mut verdict = |goal: &Aabb| {
            if !ways.iter().any(|ways| ways.lead_to(&graph, *goal)) {
                return self.barred(&graph, *goal, None, &mut before);
            }
            let to = |ways: &Ways| ways.to(&graph, (terrain, self.body), *goal);
            let mut witnesses = ways.iter().filter_map(to).map(|corners| walked(&corners, speed));
            let is_right = |witness: &Witness| witness.touches(self.level, self.body, moves, *goal);
            match witnesses.find(is_right) {
                Some(witness) => Verdict::Reached(witness),
                None => Verdict::Unknown(Unknown::OneWay),
            }
        };
        let has_one_way = terrain.one_way(Dir::Up).is_some();
        let unknown_traps = (self.limits.looks_for_traps && has_one_way).then_some(Unknown::OneWay);
        let goals = self.goals.iter().map(&mut verdict).collect();
        Ok(Reach { goals, traps: Vec::new(), unknown_traps })
    }

    fn seen_from_the_side(
        &self,
        moves: &MoveSet,
        jumper: &PlatformerMoves,
    ) -> Result<Reach, TooComplex> {
        let area = |name: &str| self.level.area(name);
        let areas = [area(&jumper.feel.ladder), area(&jumper.feel.water)];
        let areas: Vec<&Terrain> = areas.into_iter().flatten().collect();
        let graph = self.graph(&areas, false)?;
        let rise = highest_rise(jumper, self.body.y);
        let first_nodes = || self.starts.iter().filter_map(|start| graph.node_at(*start));
        let flooded = rise.map(|rise| reached(&graph, first_nodes(), rise));
        let ways: Vec<Ways> = match &flooded {
            Some(Ok(_)) => Vec::new(),
            _ => self.starts.iter().filter_map(|start| Ways::from(&graph, *start)).collect(),
        };
        let may_reach = |goal: &Aabb| match &flooded {
            Some(Ok(reached)) => reached.touches(&graph, *goal),
            _ => ways.iter().any(|ways| ways.lead_to(&graph, *goal)),
        };
        let open: Vec<Option<Aabb>> =
            self.goals.iter().map(|goal| Some(*goal).filter(&may_reach)).collect();
        let climbs = !areas.is_empty() || jumper.feel.ledge_reach > 0;
        let played = self.play(&graph, moves, &open, climbs);
        let missing = if played.steps_left > 0 { Unknown::NotFound } else { Unknown::Steps };
        let traps = self.traps(&graph, &played, rise);
        let (traps, unknown_traps) = match traps {
            _ if !self.limits.looks_for_traps => (Vec::new(), None),
            Ok(traps) => (traps, None),
            Err(unknown) => (Vec::new(), Some(unknown)),
        };
        let mut before = 0;
        let verdict = |(goal, (may, witness)): (&Aabb, (&Option<Aabb>, Option<Witness>))| match (
            may, witness,
        ) {
            (None, _) => self.barred(&graph, *goal, rise, &mut before),
            (_, Some(witness)) => Verdict::Reached(witness),
            _ => Verdict::Unknown(missing),
        };
        let found = open.iter().zip(played.found);
        let goals = self.goals.iter().zip(found).map(verdict).collect();
        Ok(Reach { goals, traps, unknown_traps })
    }

    /// Plays from the first start, more and more finely, until every goal is found or no steps are left.
    fn play(&self, graph: &Graph, moves: &MoveSet, goals: &[Option<Aabb>], climbs: bool) -> Played {
        let start = self.starts.first().copied().unwrap_or_default();
        let size = self.body.as_ivec2();
        let start = Aabb::from_xywh(start.x, start.y, size.x, size.y);
        let (found, stood) = (vec![None; goals.len()], Vec::new());
        let mut all = Played { found, stood, steps_left: self.limits.steps };
        for resolution in RESOLUTIONS {
            let missing = goals.iter().zip(&all.found);
            let left = missing.map(|(goal, found)| goal.filter(|_| found.is_none()));
            let left: Vec<Option<Aabb>> = left.collect();
            let is_first = all.stood.is_empty();
            let is_wanted = left.iter().any(Option::is_some);
            let explores = self.limits.looks_for_traps && is_first;
            if all.steps_left == 0 || !(is_wanted || explores) {
                break;
            }
            let mut field = Field::new(graph, size);
            field.refresh(left.iter().flatten().copied());
            let search = Search {
                level: self.level,
                moves,
                goals: left,
                steps: all.steps_left,
                resolution,
                explores,
                climbs,
            };
            let played = search.play(start, field);
            for (found, more) in all.found.iter_mut().zip(played.found) {
                *found = found.take().or(more);
            }
            all.stood.extend(played.stood);
            all.steps_left = played.steps_left;
        }
        all
    }

    /// The places where the body stood from which it comes back to no start and to no goal.
    fn traps(
        &self,
        graph: &Graph,
        played: &Played,
        rise: Option<u32>,
    ) -> Result<Vec<IVec2>, Unknown> {
        let rise = rise.ok_or(Unknown::Unbounded)?;
        let size = self.body.as_ivec2();
        let at_start = |start: &IVec2| Aabb::from_xywh(start.x, start.y, size.x, size.y);
        let targets: Vec<Aabb> =
            self.starts.iter().map(at_start).chain(self.goals.iter().copied()).collect();
        let leading = leading(graph, &targets, rise).map_err(|_| Unknown::Steps)?;
        let stood = played.stood.iter().filter(|at| !leading.has(graph, **at));
        let mut traps: Vec<IVec2> = stood.copied().collect();
        traps.sort_by_key(|at| (at.y, at.x));
        traps.dedup();
        Ok(traps)
    }
}
