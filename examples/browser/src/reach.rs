//! What the hero reaches from where it is: the floors, and the links between them as the mover plays them. It
//! follows the edits of a person in slices, and knows only a view from the side.

use bitwall::glam::IVec2;
use bitwall::navigate::{JumpWays, Jumper};
use bitwall::{Aabb, Level};
use wasm_bindgen::prelude::*;

use crate::level::Playground;

/// The steps of the mover in a call, of about a microsecond each.
const BUDGET: u64 = 5_000;

/// The most boxes that a page draws in a frame.
const MAX_BOXES: usize = 1 << 16;

/// The ways of a hero, and what the page was told last.
#[derive(Default)]
pub(crate) struct Reach {
    ways: Option<JumpWays>,
    /// The place of the hero, and true if all links were known.
    shown: Option<(Option<u32>, bool)>,
}

impl Reach {
    pub(crate) fn edited(&mut self, area: Aabb) {
        if let Some(ways) = &mut self.ways {
            ways.edited(area);
        }
        self.shown = None;
    }

    /// Searches on, and returns the boxes to draw; `None` if they are those of the last call.
    fn boxes(&mut self, level: &Level, jumper: Jumper, at: IVec2) -> Option<Vec<i32>> {
        let feet = jumper.size.as_ivec2() / IVec2::new(2, 1) - IVec2::Y;
        let known = self.ways.take().filter(|ways| *ways.jumper() == jumper);
        if known.is_none() {
            self.shown = None;
        }
        let mut ways = known.or_else(|| JumpWays::unplayed(level, jumper).ok())?;
        let is_done = ways.update(level, BUDGET);
        let ways = self.ways.insert(ways);
        let now = Some((ways.place_at(at), is_done));
        if std::mem::replace(&mut self.shown, now) == now {
            return None;
        }
        let is_reached = |to: IVec2| ways.may_reach(at, to);
        let mut boxes = Vec::new();
        for (run, _) in ways.runs().filter(|(run, _)| is_reached(run.min)) {
            let floor = run.min + feet;
            boxes.extend([floor.x, floor.y - 2, run.width() as i32, 3]);
        }
        for hop in ways.links().filter(|hop| is_reached(hop.from)) {
            let steps = ways.replay(level, &hop).into_iter().map(|(_, at)| at + feet);
            boxes.extend(steps.flat_map(|at| [at.x, at.y, 1, 1]));
            if boxes.len() > 4 * MAX_BOXES {
                break;
            }
        }
        Some(boxes)
    }
}

#[wasm_bindgen]
impl Playground {
    /// Returns what the hero reaches by jumps: the x, y, width and height of each box to draw, a box for each
    /// floor and for each step of a jump. `undefined` if nothing has changed since the last call.
    ///
    /// Each call searches on for a few milliseconds. So call it in each frame, also after an edit. Empty in a
    /// view from above.
    pub fn reached(&mut self) -> Option<Vec<i32>> {
        match self.hero.jumper() {
            Some((jumper, at)) => self.reach.boxes(&self.loaded.level, jumper, at),
            None => Some(Vec::new()),
        }
    }
}
