//! The straight path of the naive mover: it checks every pixel that the body overlaps at any moment.

use bitwall::glam::{I64Vec2, IVec2};
use bitwall::{Aabb, MoverSettings, geometry::Corners, mover::Response};

use super::slopes::leads_into;
use super::{Oracle, Rest, dir, line, pixels};
use crate::movement::random::PIXEL;

impl Oracle<'_> {
    pub(super) fn straight(&mut self, total: I64Vec2, corners: Corners) -> [Rest; 2] {
        let mut rests = [Rest::default(); 2];
        let mut due = total.to_array();
        loop {
            let whole = due.map(|due| due / PIXEL);
            let (done, mut stopped) = match corners {
                Corners::Block => self.swept(whole),
                Corners::Pass => self.squeezed(whole),
            };
            let minor = Self::minor(whole);
            for axis in [1 - minor, minor].into_iter().filter(|axis| stopped[*axis]) {
                self.stop(dir(axis, due[axis]));
            }
            let done = if self.crosses() { whole } else { done };
            self.body = self.place(done);
            due = [0, 1].map(|axis| due[axis] - done[axis] * PIXEL);
            if self.crosses() {
                break;
            }
            if stopped == [false; 2] {
                for axis in 0..2 {
                    let toward = dir(axis, due[axis]);
                    if due[axis] != 0 && !self.can(self.body, toward) {
                        stopped[axis] = true;
                        self.stop(toward);
                    }
                }
            }
            if stopped == [false; 2] {
                break;
            }
            if self.mover.settings.response == Response::Stop {
                return due.map(|leftover| Rest { subpixel: 0, leftover });
            }
            if stopped[0] != stopped[1] {
                let axis = usize::from(stopped[1]);
                let aside = dir(1 - axis, due[1 - axis]);
                if let Some(normal) = self.slant(dir(axis, due[axis]), Some(aside)) {
                    let leads_in = leads_into(normal, due);
                    if leads_in && self.slant.is_none() {
                        self.slant = Some(normal);
                        due = self.after_slant(due);
                    } else if let Some(back) = self.back_from_step(axis, due[axis], leads_in) {
                        due[axis] = back;
                    } else {
                        rests[axis].leftover = due[axis];
                        due[axis] = 0;
                    }
                    continue;
                }
            }
            for axis in [0, 1].into_iter().filter(|axis| stopped[*axis]) {
                match self.bounced(due[axis].abs()) {
                    Some(back) if self.bounces[axis] < MoverSettings::MAX_BOUNCES => {
                        self.bounces[axis] += 1;
                        due[axis] = -due[axis].signum() * back;
                    }
                    _ => {
                        rests[axis].leftover = due[axis];
                        due[axis] = 0;
                    }
                }
            }
        }
        rests[0].subpixel = due[0];
        rests[1].subpixel = due[1];
        rests
    }

    fn place(&self, [x, y]: [i64; 2]) -> Aabb {
        self.body.translated(IVec2::new(x as i32, y as i32))
    }

    /// Returns the axis that is stopped if the body meets a corner exactly: the axis of the shorter motion,
    /// or y if both motions are equally long.
    fn minor(whole: [i64; 2]) -> usize {
        usize::from(whole[0].abs() >= whole[1].abs())
    }

    /// Returns the pixels that the body moves along the line on each axis, and which axes are stopped. A
    /// pixel stops the body if the body overlaps it at any moment. Time is counted in units of 1 / (columns ×
    /// rows) of the motion: an edge enters a new column every `rows` units, and a new row every `columns`
    /// units.
    fn swept(&mut self, whole: [i64; 2]) -> ([i64; 2], [bool; 2]) {
        let lengths = whole.map(i64::abs);
        let period = [lengths[1].max(1), lengths[0].max(1)];
        let end = lengths[0].max(1) * lengths[1].max(1);
        let signs = whole.map(i64::signum);
        let dirs = [dir(0, whole[0]), dir(1, whole[1])];
        for now in 0..end {
            let enters = [0, 1].map(|axis| lengths[axis] > 0 && now % period[axis] == 0);
            if enters == [false; 2] {
                continue;
            }
            let at = |round_up: i64| {
                self.place([0, 1].map(|axis| {
                    let place = (now * lengths[axis] + round_up * (end - 1)) / end;
                    signs[axis] * place
                }))
            };
            // The bounding box of all pixels that the body overlaps just before this moment.
            let (least, most) = (at(0), at(1));
            let covered = Aabb { min: least.min.min(most.min), max: least.max.max(most.max) };
            let mut stopped = [0, 1].map(|axis| enters[axis] && !self.can(covered, dirs[axis]));
            if stopped == [false; 2] && enters == [true; 2] {
                let beside = line(covered, dirs[0]);
                let corner = pixels(line(beside, dirs[1])).next().unwrap();
                let minor = Self::minor(whole);
                stopped[minor] = self.stops(corner, dirs[minor]);
                stopped[1 - minor] = !stopped[minor] && self.stops(corner, dirs[1 - minor]);
            }
            if stopped != [false; 2] {
                let at = lengths.map(|length| now * length / end);
                let done = [0, 1].map(|axis| signs[axis] * at[axis]);
                return (done, stopped);
            }
        }
        (whole, [false; 2])
    }

    /// Returns the same as [`Oracle::swept`], but checks the body only at whole pixels: on the shorter axis
    /// at the nearest pixel, where a half is rounded toward the start.
    fn squeezed(&mut self, whole: [i64; 2]) -> ([i64; 2], [bool; 2]) {
        let minor = Self::minor(whole);
        let major = 1 - minor;
        let (columns, rows) = (whole[major].abs(), whole[minor].abs());
        let dirs = [dir(0, whole[0]), dir(1, whole[1])];
        let row_at = |column: i64| (2 * column * rows + columns - 1) / (2 * columns);
        let at = |column: i64, row: i64| {
            let mut place = [0; 2];
            place[major] = column * whole[major].signum();
            place[minor] = row * whole[minor].signum();
            place
        };
        for column in 0..columns {
            let (row, next) = (row_at(column), row_at(column + 1));
            let here = self.place(at(column, row));
            let mut stopped = [false; 2];
            if next == row {
                stopped[major] = !self.can(here, dirs[major]);
            } else {
                let beside = self.can(self.place(at(column, next)), dirs[major]);
                let below = self.can(self.place(at(column + 1, row)), dirs[minor]);
                if !beside || !below {
                    stopped[major] = !self.can(here, dirs[major]);
                    stopped[minor] = !self.can(here, dirs[minor]);
                    if stopped == [false; 2] {
                        stopped[minor] = !below;
                        stopped[major] = below;
                    }
                }
            }
            if stopped != [false; 2] {
                return (at(column, row), stopped);
            }
        }
        (whole, [false; 2])
    }
}
