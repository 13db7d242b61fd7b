//! Searches with the real mover, so that a character can really reach each found position. Each state follows
//! from an earlier state by a few steps with the same keys. A coarse map of the distance to the nearest goal
//! decides only the order of the search.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet, VecDeque};

use glam::{I64Vec2, IVec2};

use super::moves::{Keys, MoveSet, Witness, pixels_of};
use super::{Budget, Graph, OutOfRuns};
use crate::Rate;
use crate::character::{Input, Platformer, Stance};
use crate::geometry::{Aabb, SUBPIXELS};
use crate::level::{Level, Solids};
use crate::mover::{Mover, MoverSettings};

/// The precision of a search. Coarse searches need fewer steps, but miss some inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resolution {
    /// The number of steps with each held input.
    hold: u32,
    /// The number of low bits of a position in pixels that are ignored when two states are compared.
    place_bits: u32,
    speed_bits: u32,
}

/// The resolutions of the search, the coarsest first. The search uses them in order while steps are left.
pub(super) const RESOLUTIONS: [Resolution; 3] = [
    Resolution { hold: 4, place_bits: 2, speed_bits: 15 },
    Resolution { hold: 2, place_bits: 1, speed_bits: 15 },
    Resolution { hold: 1, place_bits: 0, speed_bits: 13 },
];

/// The result of a [`InputSearch`].
pub(super) struct Played {
    /// The inputs that lead to each goal; `None` if none were found.
    pub(super) found: Vec<Option<Witness>>,
    /// The number of steps of the mover that the search may still take; 0 if the search ended for lack of
    /// steps.
    pub(super) steps_left: u64,
}

/// A search for inputs that lead a body to goals.
pub(super) struct InputSearch<'a> {
    pub(super) level: &'a Level,
    pub(super) moves: &'a MoveSet,
    /// The goals; `None` for a goal that is known to be out of reach.
    pub(super) goals: Vec<Option<Aabb>>,
    pub(super) steps: u64,
    pub(super) resolution: Resolution,
    /// True if the keys up and down are tried too, for ladders, water or ledges.
    pub(super) climbs: bool,
}

/// A reached state: the state `before`, followed by `steps` steps with `keys`.
struct PlayState<'m> {
    player: PlayedBody<'m>,
    before: u32,
    keys: Keys,
    steps: u32,
}

/// The states from which no input was tried yet, in the order of discovery and by distance to a goal.
#[derive(Default)]
struct Open {
    in_order: VecDeque<u32>,
    by_distance: BinaryHeap<(Reverse<u32>, u32)>,
    turn: u32,
}

impl Open {
    /// Returns the state to try next; `None` if all states were tried. Three of four calls return the state
    /// nearest to a goal, and the fourth call returns the oldest state. A state may be returned twice.
    fn next(&mut self) -> Option<u32> {
        self.turn = self.turn.wrapping_add(1);
        let nearest = if self.turn.is_multiple_of(4) { None } else { self.by_distance.pop() };
        match nearest {
            Some((_, state)) => Some(state),
            None => self.in_order.pop_front(),
        }
    }
}

impl<'m> InputSearch<'m> {
    pub(super) fn play(&self, start: Aabb, field: &mut Estimates) -> Played {
        field.refresh(self.goals.iter().flatten().copied());
        let mut run = Run {
            search: self,
            inputs: inputs(self.climbs),
            start: start.min,
            missing: self.goals.iter().map(|goal| goal.map(pixels_of)).collect(),
            found: vec![None; self.goals.len()],
            states: Vec::new(),
            is_open: Vec::new(),
            seen: HashSet::new(),
            open: Open::default(),
            field,
            refreshes: 0,
            refreshed_at: self.steps,
            steps_left: self.steps,
        };
        run.add(PlayedBody::new(self.moves, start), 0, Keys::Press(Input::NONE), 0);
        run.note(start, None);
        while run.missing.iter().any(Option::is_some) {
            match run.open.next() {
                Some(at) if std::mem::take(&mut run.is_open[at as usize]) => {
                    if !run.go_on_from(at) {
                        break;
                    }
                }
                Some(_) => {}
                None => break,
            }
        }
        Played { found: run.found, steps_left: run.steps_left }
    }
}

/// The progress of a [`InputSearch`].
struct Run<'s, 'm> {
    search: &'s InputSearch<'m>,
    inputs: Vec<Input>,
    start: IVec2,
    /// The boxes, in pixels, of the goals that are not found yet; `None` for other goals.
    missing: Vec<Option<Aabb>>,
    found: Vec<Option<Witness>>,
    states: Vec<PlayState<'m>>,
    is_open: Vec<bool>,
    seen: HashSet<Alike>,
    open: Open,
    field: &'s mut Estimates,
    /// The number of refreshes of `field`, which has the distances to the goals. A refresh removes the goals
    /// that are found from `field`.
    refreshes: u32,
    refreshed_at: u64,
    steps_left: u64,
}

impl<'m> Run<'_, 'm> {
    /// Plays each input for some steps from the state with the index `at`. Returns false if too few steps of
    /// the mover are left.
    fn go_on_from(&mut self, at: u32) -> bool {
        let hold = self.search.resolution.hold;
        for number in 0..self.inputs.len() {
            let Some(left) = self.steps_left.checked_sub(hold.into()) else {
                self.steps_left = 0;
                return false;
            };
            self.steps_left = left;
            let mut player = self.states[at as usize].player;
            let keys = Keys::Press(self.inputs[number]);
            for taken in 1..=hold {
                player.step(self.search.level, keys);
                self.note(player.body(), Some((at, keys, taken)));
            }
            self.add(player, at, keys, hold);
        }
        true
    }

    /// Adds the state that is reached from the state `before` by `steps` steps with `keys`. Does nothing if a
    /// state with the same [`Alike`] is known.
    fn add(&mut self, player: PlayedBody<'m>, before: u32, keys: Keys, steps: u32) {
        if !self.seen.insert(alike(&player, self.search.resolution)) {
            return;
        }
        let state = self.states.len() as u32;
        self.open.in_order.push_back(state);
        self.open.by_distance.push((Reverse(self.field.distance(player.body())), state));
        self.states.push(PlayState { player, before, keys, steps });
        self.is_open.push(true);
    }

    /// Records the goals that `body` touches, and then directs the search to the other goals. `last` has the
    /// last stored state before this body, the keys since that state, and the number of steps with these
    /// keys; `None` at the start. O(1) for a body far from each goal.
    fn note(&mut self, body: Aabb, last: Option<(u32, Keys, u32)>) {
        if !self.field.may_touch(body) {
            return;
        }
        let mut has_new = false;
        for goal in 0..self.missing.len() {
            if self.missing[goal].is_some_and(|goal| goal.overlaps(body)) {
                self.missing[goal] = None;
                self.found[goal] = Some(witness(&self.states, self.start, last));
                has_new = true;
            }
        }
        let is_due = self.refreshes < MOST_REFRESHES
            || self.refreshed_at - self.steps_left >= STEPS_PER_REFRESH;
        if has_new && is_due {
            (self.refreshes, self.refreshed_at) = (self.refreshes + 1, self.steps_left);
            self.field.refresh(self.missing.iter().flatten().copied());
            let field = &*self.field;
            let states = &self.states;
            let known = self.open.by_distance.drain();
            let known = known.map(|(_, state)| {
                (Reverse(field.distance(states[state as usize].player.body())), state)
            });
            self.open.by_distance = known.collect();
        }
    }
}

/// The number of refreshes of [`Estimates`] (a map of distances to the goals) that happen as soon as a goal
/// is found. Each later refresh happens at least [`STEPS_PER_REFRESH`] steps after the refresh before. A
/// refresh takes up to 1 ms.
const MOST_REFRESHES: u32 = 16;
const STEPS_PER_REFRESH: u64 = 8_192;

/// The inputs that take the body from `start` to a goal, with `last` as in [`Run::note`]. Without `last`, the
/// body touches the goal at `start`, and needs no inputs.
fn witness(states: &[PlayState<'_>], start: IVec2, last: Option<(u32, Keys, u32)>) -> Witness {
    let mut witness = Witness::new(start);
    let Some((mut at, keys, steps)) = last else {
        return witness;
    };
    let mut legs = vec![(keys, steps)];
    while let Some(state) = states.get(at as usize).filter(|state| state.steps > 0) {
        legs.push((state.keys, state.steps));
        at = state.before;
    }
    for (keys, steps) in legs.into_iter().rev() {
        witness.push(keys, steps);
    }
    witness
}

fn inputs(climbs: bool) -> Vec<Input> {
    let mut inputs = Vec::new();
    for jump in [false, true] {
        inputs.extend([1.0, -1.0, 0.0].map(|x| Input::from_axes(x, 0.0, jump)));
    }
    // Down with the jump key drops through a one-way floor.
    inputs.push(Input::from_axes(0.0, 1.0, true));
    if climbs {
        let along = [(0.0, -1.0), (0.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
        inputs.extend(along.map(|(x, y)| Input::from_axes(x, y, false)));
    }
    inputs
}

/// The compared parts of a state: rounded position and speed, stance, and true for a held jump key. Of the
/// states in which these are equal, the search keeps one.
type Alike = (IVec2, [i32; 2], u8, bool);

fn alike(player: &PlayedBody<'_>, resolution: Resolution) -> Alike {
    let character = &player.character;
    let at = player.body().min;
    let place = IVec2::new(at.x >> resolution.place_bits, at.y >> resolution.place_bits);
    let speed = character.velocity.to_array().map(|speed| (speed >> resolution.speed_bits) as i32);
    let stance = match character.stance {
        Stance::Ground => 0,
        Stance::Air if character.coyote > 0 => 1,
        Stance::Air => 2,
        Stance::WallSlide(_) => 3,
        Stance::Ledge(_) => 4,
        Stance::LedgeClimb(_) => 5,
        Stance::Ladder => 6,
        Stance::Water => 7,
    };
    (place, speed, stance, character.held_jump)
}

/// A body with its mover and its character, moved by [`Keys`].
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayedBody<'m> {
    moves: &'m MoveSet,
    pub(super) mover: Mover,
    pub(super) character: Platformer,
}

impl<'m> PlayedBody<'m> {
    pub(super) fn new(moves: &'m MoveSet, body: Aabb) -> Self {
        let (settings, rate) = match moves {
            MoveSet::TopDown { .. } => (MoverSettings::PLAIN, Rate::per_second(1)),
            MoveSet::Platformer(moves) => (moves.settings, moves.rate),
        };
        Self { moves, mover: Mover::new(body, settings), character: Platformer::new(rate) }
    }

    /// Plays one step. Keys of another [`MoveSet`] do nothing. A walk is clamped to the speed on each axis.
    pub(super) fn step(&mut self, solids: &impl Solids, keys: Keys) {
        match (self.moves, keys) {
            (MoveSet::TopDown { speed }, Keys::Walk(pixels)) => {
                let most = i32::try_from(*speed).unwrap_or(i32::MAX).max(1);
                let pixels = pixels.clamp(IVec2::splat(-most), IVec2::splat(most));
                let translation = pixels.as_i64vec2() * I64Vec2::splat(SUBPIXELS.into());
                self.mover.step_subpixels(solids, translation);
            }
            (MoveSet::Platformer(moves), Keys::Press(input)) => {
                self.character.step(solids, &mut self.mover, input, &moves.feel);
            }
            _ => {}
        }
    }

    pub(super) fn body(&self) -> Aabb {
        self.mover.body
    }
}

/// The largest number of squares in an [`Estimates`], a map of distances to the goals. Larger levels have
/// larger squares.
const MAX_SQUARES: i64 = 1 << 16;

const SIDE: i64 = 8;

/// A coarse map of the positions of a body, divided into squares. Each square has its distance to the nearest
/// goal, in squares. This distance decides which state the search tries next.
pub(super) struct Estimates {
    origin: IVec2,
    side: i32,
    columns: i32,
    rows: i32,
    is_free: Vec<bool>,
    /// True for squares with a position at which the body overlaps a goal.
    has_goal: Vec<bool>,
    distances: Vec<u32>,
    body: IVec2,
}

impl Estimates {
    /// Makes the map for the free positions of a body of `body` pixels, without goals. O(runs + squares that
    /// each run touches). 16 squares take as much of `budget` as one run.
    pub(super) fn new(graph: &Graph, body: IVec2, budget: &Budget) -> Result<Self, OutOfRuns> {
        let nodes = 0..graph.len() as u32;
        let mut area: Option<Aabb> = None;
        for node in nodes.clone() {
            let positions = positions(graph, node);
            area = Some(area.map_or(positions, |area| area.hull(positions)));
        }
        let area = area.unwrap_or(Aabb { min: IVec2::ZERO, max: IVec2::ONE });
        let [width, height] = [i64::from(area.width()), i64::from(area.height())];
        let mut side = SIDE;
        while (width / side + 1) * (height / side + 1) > MAX_SQUARES {
            side *= 2;
        }
        let columns = (width / side + 1) as i32;
        let rows = (height / side + 1) as i32;
        let count = columns as usize * rows as usize;
        let mut field = Self {
            origin: area.min,
            side: side as i32,
            columns,
            rows,
            is_free: vec![false; count],
            has_goal: vec![false; count],
            distances: vec![u32::MAX; count],
            body,
        };
        for node in nodes {
            let mut count = 0;
            for square in field.squares(positions(graph, node)) {
                field.is_free[square] = true;
                count += 1;
            }
            budget.take(1 + count / 16)?;
        }
        Ok(field)
    }

    fn refresh(&mut self, goals: impl Iterator<Item = Aabb>) {
        self.distances.fill(u32::MAX);
        self.has_goal.fill(false);
        let mut open = VecDeque::new();
        for goal in goals {
            let min = goal.min.saturating_sub(self.body).saturating_add(IVec2::ONE);
            for square in self.squares(Aabb { min, max: goal.max }) {
                self.has_goal[square] = true;
                if self.is_free[square] && self.distances[square] > 0 {
                    self.distances[square] = 0;
                    open.push_back(square);
                }
            }
        }
        while let Some(square) = open.pop_front() {
            let distance = self.distances[square] + 1;
            let column = square as i32 % self.columns;
            let row = square as i32 / self.columns;
            for (x, y) in
                [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
            {
                if x < 0 || y < 0 || x >= self.columns || y >= self.rows {
                    continue;
                }
                let next = (y * self.columns + x) as usize;
                if self.is_free[next] && self.distances[next] == u32::MAX {
                    self.distances[next] = distance;
                    open.push_back(next);
                }
            }
        }
    }

    fn distance(&self, body: Aabb) -> u32 {
        let at = self.square_of(body.min);
        self.distances.get(at).copied().unwrap_or(u32::MAX)
    }

    /// False if the body surely overlaps no goal, true if it may overlap a goal.
    fn may_touch(&self, body: Aabb) -> bool {
        self.has_goal.get(self.square_of(body.min)).copied().unwrap_or(true)
    }

    fn column_and_row(&self, at: IVec2) -> IVec2 {
        let far = at.saturating_sub(self.origin) / self.side;
        far.clamp(IVec2::ZERO, IVec2::new(self.columns - 1, self.rows - 1))
    }

    fn square_of(&self, at: IVec2) -> usize {
        let IVec2 { x, y } = self.column_and_row(at);
        (y * self.columns + x) as usize
    }

    fn squares(&self, positions: Aabb) -> impl Iterator<Item = usize> + use<> {
        let first = self.column_and_row(positions.min);
        let last = self.column_and_row(positions.max.saturating_sub(IVec2::ONE));
        let width = self.columns;
        (first.y..=last.y)
            .flat_map(move |y| (first.x..=last.x).map(move |x| (y * width + x) as usize))
    }
}

fn positions(graph: &Graph, node: u32) -> Aabb {
    let columns = graph.columns(node);
    let rows = graph.rows(node);
    Aabb { min: IVec2::new(columns.start, rows.start), max: IVec2::new(columns.end, rows.end) }
}

impl Witness {
    /// Plays the inputs, and returns the body's box before the first step and after each step.
    ///
    /// ```
    /// use bitwall::analyze::{MoveSet, ReachLimits, Verdict, reach};
    /// use bitwall::{Aabb, Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("..#.\n..#.\n....")?, UVec2::splat(16))?;
    /// let (body, moves) = (UVec2::new(12, 12), MoveSet::top_down(3));
    /// let goal = Aabb::from_xywh(52, 4, 8, 8);
    /// let reach = reach(&level, body, &moves, &[IVec2::ZERO], &[goal], &ReachLimits::default())?;
    /// let Verdict::Reached(witness) = &reach.goals[0] else { panic!("it is reached") };
    /// let last = witness.replay(&level, body, &moves).last().expect("there is a start");
    /// assert!(last.overlaps(goal));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay<'a>(
        &'a self,
        solids: &'a impl Solids,
        body: glam::UVec2,
        moves: &'a MoveSet,
    ) -> impl Iterator<Item = Aabb> + 'a {
        let size = body.as_ivec2();
        let start = Aabb::from_xywh(self.start.x, self.start.y, size.x, size.y);
        let mut player = PlayedBody::new(moves, start);
        let inputs =
            self.legs.iter().flat_map(|leg| std::iter::repeat_n(leg.keys, leg.steps as usize));
        let steps = inputs.map(move |keys| {
            player.step(solids, keys);
            player.body()
        });
        std::iter::once(start).chain(steps)
    }

    /// True if the replayed body overlaps `goal` at the start or later. A point counts as its pixel.
    pub fn touches(
        &self,
        solids: &impl Solids,
        body: glam::UVec2,
        moves: &MoveSet,
        goal: Aabb,
    ) -> bool {
        let goal = pixels_of(goal);
        self.replay(solids, body, moves).any(|body| body.overlaps(goal))
    }
}
