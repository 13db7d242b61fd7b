//! The places that a character gets to at least: a search that plays the real mover.
//!
//! Each state is made from an earlier one by a few steps with the same keys, so each has a list of inputs.
//! States that are alike count once: to 4 pixels and half a pixel a step at first, and then more finely.
//! Deterministic; it ends after a stated number of steps.

use std::collections::{BinaryHeap, HashSet, VecDeque};

use glam::IVec2;

use super::field::Field;
use super::moves::MoveSet;
use super::player::{Keys, Player};
use super::witness::{Witness, pixels_of};
use crate::character::{Input, Stance};
use crate::geometry::Aabb;
use crate::level::Level;

/// How finely a search looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resolution {
    /// The steps for which a key is held.
    hold: u32,
    /// States that are alike in all but so many low bits of their places and speeds count once.
    place_bits: u32,
    speed_bits: u32,
}

/// The resolutions that are tried, one after the other, as long as steps are left.
pub(super) const RESOLUTIONS: [Resolution; 3] = [
    Resolution { hold: 4, place_bits: 2, speed_bits: 15 },
    Resolution { hold: 2, place_bits: 1, speed_bits: 15 },
    Resolution { hold: 1, place_bits: 0, speed_bits: 13 },
];

/// The outcome of a search.
pub(super) struct Played {
    /// The inputs that lead to each goal, if they were found.
    pub(super) found: Vec<Option<Witness>>,
    /// Places at which the body came to stand, each once.
    pub(super) stood: Vec<IVec2>,
    /// The steps that are left; too few for another turn if it did not end otherwise.
    pub(super) steps_left: u64,
}

/// What a search looks for, and how long.
pub(super) struct Search<'a> {
    pub(super) level: &'a Level,
    pub(super) moves: &'a MoveSet,
    /// The goals; `None` for one that is known to be out of reach.
    pub(super) goals: Vec<Option<Aabb>>,
    /// The most steps.
    pub(super) steps: u64,
    pub(super) resolution: Resolution,
    /// True to go on when all goals are found, to see where else the body comes.
    pub(super) explores: bool,
    /// True if there are ladders, water or ledges, where keys up and down count.
    pub(super) climbs: bool,
}

/// A state, and the keys that led to it from an earlier one.
struct State<'m> {
    player: Player<'m>,
    before: u32,
    keys: Keys,
    steps: u32,
}

/// The states that are still to be gone on from: in the order in which they were found, and by how near they
/// are to a goal.
#[derive(Default)]
struct Open {
    in_order: VecDeque<u32>,
    by_distance: BinaryHeap<(std::cmp::Reverse<u32>, u32)>,
    turn: u32,
}

impl Open {
    /// The next state: three times out of four the one nearest to a goal. A state may come twice.
    fn next(&mut self) -> Option<u32> {
        self.turn = self.turn.wrapping_add(1);
        let nearest = if self.turn.is_multiple_of(4) { None } else { self.by_distance.pop() };
        match nearest {
            Some((_, state)) => Some(state),
            None => self.in_order.pop_front(),
        }
    }
}

impl Search<'_> {
    /// Plays from `start`, where the body must be free.
    pub(super) fn play(&self, start: Aabb, mut field: Field) -> Played {
        let mut found: Vec<Option<Witness>> = vec![None; self.goals.len()];
        let goals: Vec<Option<Aabb>> = self.goals.iter().map(|goal| goal.map(pixels_of)).collect();
        let first = State {
            player: Player::new(self.moves, start),
            before: 0,
            keys: Keys::Press(Input::NONE),
            steps: 0,
        };
        let mut states = vec![first];
        let (mut seen, mut stood) = (HashSet::new(), Vec::new());
        let mut stood_at = HashSet::new();
        let mut open = Open::default();
        let mut is_open = vec![true];
        open.in_order.push_back(0);
        let Resolution { hold, .. } = self.resolution;
        let mut steps_left = self.steps;
        let inputs = inputs(self.climbs);
        let is_wanted = |goal: usize, found: &[Option<Witness>]| {
            goals.get(goal).is_some_and(Option::is_some)
                && found.get(goal).is_some_and(Option::is_none)
        };
        let note = |states: &[State<'_>], body: Aabb, found: &mut Vec<Option<Witness>>, last| {
            let touched: Vec<usize> = (0..goals.len())
                .filter(|goal| is_wanted(*goal, found))
                .filter(|goal| goals[*goal].is_some_and(|goal| goal.overlaps(body)))
                .collect();
            for goal in &touched {
                found[*goal] = Some(witness(states, start.min, last));
            }
            !touched.is_empty()
        };
        note(&states, start, &mut found, None);
        loop {
            let all_found = (0..goals.len()).all(|goal| !is_wanted(goal, &found));
            if all_found && !self.explores {
                return Played { found, stood, steps_left };
            }
            let Some(at) = open.next() else {
                return Played { found, stood, steps_left };
            };
            if !std::mem::take(&mut is_open[at as usize]) {
                continue;
            }
            for input in &inputs {
                let mut player = states[at as usize].player;
                let keys = Keys::Press(*input);
                let mut taken = 0;
                let mut has_new = false;
                while taken < hold {
                    player.step(self.level, keys);
                    taken += 1;
                    has_new |= note(&states, player.body(), &mut found, Some((at, keys, taken)));
                }
                if has_new {
                    let left = (0..goals.len()).filter(|goal| is_wanted(*goal, &found));
                    field.refresh(left.filter_map(|goal| goals[goal]));
                }
                if steps_left < u64::from(hold) {
                    return Played { found, stood, steps_left: 0 };
                }
                steps_left -= u64::from(hold);
                if !seen.insert(alike(&player, self.resolution)) {
                    continue;
                }
                if player.stands() && stood_at.insert(player.body().min) {
                    stood.push(player.body().min);
                }
                let state = states.len() as u32;
                open.in_order.push_back(state);
                let distance = field.distance(player.body());
                open.by_distance.push((std::cmp::Reverse(distance), state));
                states.push(State { player, before: at, keys, steps: taken });
                is_open.push(true);
            }
        }
    }
}

/// The inputs that lead to a state, and then some steps more.
fn witness(states: &[State<'_>], start: IVec2, last: Option<(u32, Keys, u32)>) -> Witness {
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

/// The keys that are tried.
fn inputs(climbs: bool) -> Vec<Input> {
    let mut inputs = Vec::new();
    for jump in [false, true] {
        inputs.extend([100, -100, 0].map(|x| Input { x, y: 0, jump }));
    }
    // Through a one-way floor.
    inputs.push(Input { x: 0, y: 100, jump: true });
    if climbs {
        let along = [(0, -100), (0, 100), (100, -100), (-100, -100)];
        inputs.extend(along.map(|(x, y)| Input { x, y, jump: false }));
    }
    inputs
}

/// A number that states have in common if they count once.
fn alike(player: &Player<'_>, resolution: Resolution) -> (IVec2, [i32; 2], u8, bool) {
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
