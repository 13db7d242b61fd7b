//! On foot: up and down steps and slopes at an even speed, held to the floor.
//!
//! A slope of pixels is a row of steps, so one rule does for both: for each pixel that it goes, a body
//! climbs at most `step_height` and is put down at most `snap_distance`.

use super::motion::{Motion, Travel};
use super::probe::Probe;
use crate::geometry::Dir;

/// A way in pixels that is not looked at pixel by pixel before its halves are.
const LONG: u32 = 32;

impl<P: Probe> Motion<'_, P> {
    /// Walks toward `dir`; from where the floor ends it flies on.
    pub(super) fn walk(&mut self, floor: Dir, dir: Dir, distance: u32, ahead: bool) -> Travel {
        let mut moved = 0;
        loop {
            let due = distance - moved;
            let start = self.body;
            let sweep = self.probe.sweep(start, dir, due + u32::from(ahead));
            let free = sweep.moved.min(due);
            if free > 0 {
                // As long as it stays on the line that was swept, what is left of it is free.
                let mut left = free;
                while left > 0
                    && self.on_foot.is_some()
                    && self.body == start.shifted(dir, free - left)
                {
                    left -= self.stride(floor, dir, left);
                }
                moved += free - left;
                if self.on_foot.is_none() {
                    let flown = self.fly(dir, distance - moved, ahead);
                    moved += flown.moved;
                    return Travel { moved, ..flown };
                }
                let is_done = moved == distance && (!ahead || sweep.is_clear());
                if !is_done || self.body != start.shifted(dir, free) {
                    continue;
                }
            } else if let Some(contact) = sweep.contact {
                match self.around(dir, contact, floor.opposite(), self.settings.step_height) {
                    Some((_, place)) if due > 0 => {
                        self.put(place);
                        moved += 1;
                        continue;
                    }
                    Some(_) => {}
                    None => {
                        self.touch(dir, sweep.contact);
                        let is_stopped = true;
                        return Travel { moved, is_stopped };
                    }
                }
            }
            return Travel {
                moved,
                is_stopped: false,
            };
        }
    }

    /// Goes up to `free` pixels, which are free, without leaving the floor: all of them where the floor is
    /// level, else one; then it stands on the floor that is `snap_distance` below it at most, or flies.
    fn stride(&mut self, floor: Dir, dir: Dir, free: u32) -> u32 {
        let run = self.level_run(floor, dir, free);
        if run > 0 {
            self.advance(dir, run);
            return run;
        }
        self.advance(dir, 1);
        let reach = self.settings.snap_distance.saturating_add(1);
        let reach = reach.min(self.body.room(floor));
        let down = self.probe.sweep(self.body, floor, reach);
        if down.is_clear() {
            self.on_foot = None;
        } else {
            self.advance(floor, down.moved);
        }
        1
    }

    /// How far the body goes on a level floor, at most `free`, as far as a few looks tell; it may be farther.
    fn level_run(&self, floor: Dir, dir: Dir, free: u32) -> u32 {
        // A floor under the part of the body that two places share holds it all the way between them.
        let is_held = |run: &u32| self.probe.is_held_along(self.body, dir, *run, floor);
        if is_held(&free) {
            return free;
        }
        let length = (self.body.extent(dir.axis()) / 2).max(1);
        let (run, longest) = if free > length {
            let run = self.probe.held_run(self.body, dir, free, floor);
            (run, length)
        } else {
            (0, free / 2)
        };
        if run >= longest {
            return run;
        }
        // Where only the end of a long body is held, half of the way is soon found.
        let halves = std::iter::successors(Some(longest), |run| Some(run / 2));
        let mut worth_a_look = halves.take_while(|half| *half == length || *half >= LONG);
        worth_a_look.find(is_held).map_or(run, |half| run.max(half))
    }
}
