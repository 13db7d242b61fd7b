//! Walking: up and down steps and slopes at an even speed, without leaving the floor.
//!
//! A slope of pixels is a row of steps, so one rule serves both: for each pixel that it goes, a body climbs
//! at most `step_height` and is moved down at most `snap_distance`.

use super::motion::{Motion, Travel};
use crate::geometry::Dir;
use crate::level::Solids;

impl<S: Solids> Motion<'_, S> {
    /// Walks toward `dir`, and flies on from the place where the floor ends.
    pub(super) fn walk(&mut self, floor: Dir, dir: Dir, distance: u32, ahead: bool) -> Travel {
        let mut moved = 0;
        loop {
            let due = distance - moved;
            let start = self.body;
            let sweep = self.solids.sweep(start, dir, due + u32::from(ahead));
            let free = sweep.moved.min(due);
            if free > 0 {
                // The rest of the swept strip is free as long as the body stays on its line.
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
                    None if due == 0 && self.solids.gives_way(self.body, dir, self.part) => {}
                    None => {
                        self.touch(dir, sweep.contact);
                        return Travel { moved, is_stopped: true, gave_way: false };
                    }
                }
            }
            return Travel { moved, is_stopped: false, gave_way: false };
        }
    }

    /// Goes up to `free` pixels, which are free, without leaving the floor: all of them on a level floor,
    /// else one. After one it stands on a floor at most `snap_distance` below it, or flies.
    fn stride(&mut self, floor: Dir, dir: Dir, free: u32) -> u32 {
        let run = self.solids.floor_run(self.body, dir, free, floor);
        if run > 0 {
            self.advance(dir, run);
            return run;
        }
        self.advance(dir, 1);
        let reach = self.settings.snap_distance.saturating_add(1);
        let reach = reach.min(self.body.room(floor));
        let down = self.solids.sweep(self.body, floor, reach);
        if down.is_clear() {
            self.on_foot = None;
        } else {
            self.advance(floor, down.moved);
        }
        1
    }
}
