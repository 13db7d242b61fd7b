//! The list of inputs by which a body comes from its start to a goal, and its replay.

use glam::IVec2;

use super::moves::MoveSet;
use super::player::{Keys, Player};
use crate::geometry::Aabb;
use crate::level::Solids;

/// The inputs by which a body comes to a goal: they replay with the real mover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The place of the body's top-left corner before the first step.
    pub start: IVec2,
    /// The inputs in order. Empty if the body touches the goal at its start.
    pub legs: Vec<Leg>,
}

/// An input that is held for some steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The input.
    pub keys: Keys,
    /// The number of steps.
    pub steps: u32,
}

impl Witness {
    pub(super) const fn new(start: IVec2) -> Self {
        Self { start, legs: Vec::new() }
    }

    /// Adds some steps with an input.
    pub(super) fn push(&mut self, keys: Keys, steps: u32) {
        match self.legs.last_mut() {
            _ if steps == 0 => {}
            Some(last) if last.keys == keys => last.steps += steps,
            _ => self.legs.push(Leg { keys, steps }),
        }
    }

    /// The number of steps.
    pub fn steps(&self) -> u64 {
        self.legs.iter().map(|leg| u64::from(leg.steps)).sum()
    }

    /// Plays the inputs, and returns the body's box before the first step and after each one.
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
        let mut player = Player::new(moves, start);
        let inputs =
            self.legs.iter().flat_map(|leg| std::iter::repeat_n(leg.keys, leg.steps as usize));
        let steps = inputs.map(move |keys| {
            player.step(solids, keys);
            player.body()
        });
        std::iter::once(start).chain(steps)
    }

    /// True if the body overlaps `goal` at the start or after some step. A point is the pixel that holds it.
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

/// The pixels of a goal: those of its box, or the one that holds a point.
pub(super) fn pixels_of(goal: Aabb) -> Aabb {
    Aabb { min: goal.min, max: goal.max.max(goal.min.saturating_add(IVec2::ONE)) }
}
