//! [`MovePath::Straight`](crate::mover::MovePath::Straight): exactly the pixels that a body sweeps on a line
//! between two positions at whole pixels.
//!
//! In this file, a column is a pixel of the motion along its longer axis (the major axis), and a row is a
//! pixel along its shorter axis (the minor axis). The motion lasts from time 0 to time 1. With n columns and
//! m rows, a leading edge enters column k at time k / n, and row j at time j / m. The pixels that the body
//! covers change only at these times, so the ordered list of times describes the whole motion in integers.
//! The columns between two rows take two sweeps, because the body overlaps two rows at once: the row that it
//! leaves and the row that it enters.

use super::{MAX_LOOKS, Motion, PIXEL, signed};
use crate::geometry::{Aabb, Axis, Corners, Dir};
use crate::mover::obeyed::ObeyedSolids;
use crate::mover::settings::{Response, leads_into};
use crate::terrain::Contact;

/// A straight motion. `major` is its direction along its longer axis, which is x if both are equal.
struct StraightLine<'a> {
    solids: &'a ObeyedSolids<'a>,
    start: Aabb,
    major: Dir,
    minor: Dir,
    /// The length of the motion along the major axis, in whole pixels; `rows` is the length along the minor
    /// axis. A step is shortened to [`MAX_TRANSLATION`](crate::Mover::MAX_TRANSLATION), and a slanted bounce
    /// turns it, so both are below 2^13 and no product overflows.
    columns: u32,
    rows: u32,
}

/// The position that the body reached on a line, in pixels along each axis, and the contacts that stopped the
/// body on each axis. Without contacts, the position is the end of the line, or the point where the search
/// ended after [`MAX_LOOKS`] rows near solids.
struct LineEnd {
    column: u32,
    row: u32,
    major: Option<Contact>,
    minor: Option<Contact>,
}

/// The number of rows (pixels along the minor axis) that the next query tests at once (`span`). A query that
/// finds a solid halves the number. A query that finds no solid doubles it, unless the query before it found
/// a solid. So a long path without solids takes hardly more time than a short path.
struct Looks {
    span: u32,
    grows: bool,
}

impl Looks {
    const FIRST: Self = Self { span: 64, grows: true };
}

impl<'a> StraightLine<'a> {
    /// The line from `start` with the whole pixels of `due`, which is in 65,536ths of a pixel. The line ends
    /// at the latest where a coordinate would leave the range of `i32`.
    fn new(solids: &'a ObeyedSolids<'a>, start: Aabb, due: [i64; 2]) -> Self {
        let [x, y] = [Axis::X, Axis::Y].map(|axis| {
            let due = due[axis.index()];
            let dir = Dir::along(axis, due > 0);
            let pixels = (due.unsigned_abs() / PIXEL).min(u64::from(start.room(dir)));
            (dir, pixels as u32)
        });
        let (major, minor) = if x.1 >= y.1 { (x, y) } else { (y, x) };
        Self { solids, start, major: major.0, minor: minor.0, columns: major.1, rows: minor.1 }
    }

    /// The box of the body after it has passed `column` columns (pixels along the major axis) and `row` rows
    /// (pixels along the minor axis) of the line.
    fn at(&self, column: u32, row: u32) -> Aabb {
        let body = self.start.shifted(self.major, column);
        body.shifted(self.minor, row)
    }

    /// The number of columns (pixels along the major axis) passed when the body enters `row`, and true if it
    /// enters the next column at the same time.
    fn column_at(&self, row: u32) -> (u32, bool) {
        let product = row * self.columns;
        (product / self.rows, product.is_multiple_of(self.rows))
    }

    /// The last column (pixel along the major axis) at which `row` is the nearest row to the line. If two
    /// rows are equally near, the row closer to the start counts as the nearest.
    fn last_column_near(&self, row: u32) -> u32 {
        let column = (2 * row + 1) * self.columns / (2 * self.rows).max(1);
        column.min(self.columns)
    }

    /// The row (pixel along the minor axis) nearest to the line at `column`. If two rows are equally near,
    /// the row closer to the start is returned.
    fn row_near(&self, column: u32) -> u32 {
        let columns = self.columns.max(1);
        (2 * column * self.rows + columns - 1) / (2 * columns)
    }

    /// The first column (pixel along the major axis) at which `row` is the nearest row to the line.
    fn first_column_near(&self, row: u32) -> u32 {
        match row.checked_sub(1) {
            Some(before) => self.last_column_near(before).saturating_add(1).min(self.columns),
            None => 0,
        }
    }

    /// A number of rows (pixels along the minor axis) after `row` that the body can enter without being
    /// stopped, as found by one query; more rows may be free. 0 if there is no next row, or if a solid may
    /// stop the body there. `column` returns the column at which the body enters a given row.
    fn free_rows(&self, row: u32, looks: &mut Looks, column: &dyn Fn(u32) -> u32) -> u32 {
        let all = self.rows - row;
        if all == 0 || self.start.width() == 0 && self.start.height() == 0 {
            return all; // A body without width and height touches no solid.
        }
        let start = self.at(column(row), row);
        loop {
            let span = looks.span.min(all);
            // The end is one column further, because between two rows the body also overlaps the next column.
            let end = self.at(column(row + span).saturating_add(1), row + span);
            if self.is_free(start, end) {
                looks.span = if looks.grows { span.saturating_mul(2) } else { span };
                looks.grows = true;
                return span;
            }
            looks.grows = false;
            if span == 1 {
                return 0;
            }
            looks.span = span / 2;
        }
    }

    /// True if no solid can stop the body on the line from `start` to `end`. May be false if the line is
    /// free.
    fn is_free(&self, start: Aabb, end: Aabb) -> bool {
        let hull = start.hull(end);
        let dirs = [self.major, self.minor];
        if self.solids.footprint.is_some() {
            return self.solids.is_free(hull, dirs); // Its inner edges sweep pixels of its own box too.
        }
        // Solids inside the body do not stop it, only those ahead of its leading edges.
        dirs.into_iter().all(|dir| {
            let ahead = start.edge(dir).hull(hull.edge(dir));
            self.solids.can_move(ahead.edge(dir.opposite()), dir, ahead.extent(dir.axis()))
        })
    }

    fn search(&self, corners: Corners) -> LineEnd {
        match corners {
            Corners::Block if self.rows > 0 => self.sweep(),
            _ => self.squeeze(),
        }
    }

    /// Finds where a motion along this line ends, with [`Corners::Block`]: tests all pixels that the body
    /// sweeps.
    fn sweep(&self) -> LineEnd {
        let mut row = 0;
        let mut looks = Looks::FIRST;
        for _ in 0..MAX_LOOKS {
            if row == self.rows {
                break;
            }
            let free = self.free_rows(row, &mut looks, &|row| self.column_at(row).0);
            if free > 0 {
                row += free;
                continue;
            }
            let (column, is_corner) = self.column_at(row);
            let (next, is_exact) = self.column_at(row + 1);
            let (major, minor) = self.enter(column, row, is_corner);
            if major.is_some() || minor.is_some() {
                return LineEnd { column, row, major, minor };
            }
            let first = column + u32::from(!is_corner);
            let step = (next + u32::from(!is_exact)).saturating_sub(first);
            let leaving = self.solids.sweep(self.at(first, row), self.major, step);
            let entering = self.solids.sweep(self.at(first, row + 1), self.major, step);
            let moved = leaving.moved.min(entering.moved);
            let major = leaving.earlier(entering).contact;
            if major.is_some() {
                return LineEnd { column: first + moved, row, major, minor: None };
            }
            row += 1;
        }
        let column = if row == self.rows { self.columns } else { self.column_at(row).0 };
        LineEnd { column, row, major: None, minor: None }
    }

    /// The contacts that stop the body when it moves from `row` to the next row: on the major axis, then on
    /// the minor axis. Only if the body enters a column at the same moment (`is_corner`) can the major axis
    /// have a contact.
    fn enter(&self, column: u32, row: u32, is_corner: bool) -> (Option<Contact>, Option<Contact>) {
        let minor = self.solids.sweep(self.at(column, row), self.minor, 1).contact;
        let major = if is_corner {
            self.solids.sweep(self.at(column, row), self.major, 1).contact
        } else {
            None
        };
        match (major, minor) {
            // Both sides are free, and the corner between them is solid: it stops the motion along the minor
            // axis.
            (None, None) => {
                (None, self.solids.sweep(self.at(column + 1, row), self.minor, 1).contact)
            }
            stopped => stopped,
        }
    }

    /// True if a footprint overlaps a solid after a diagonal step from `column` and `row`, and overlaps none
    /// before the step. Sweeps that start one row or one column further miss this solid. The solid is in a
    /// notch of the footprint before the step, and already inside the footprint at the start of these sweeps.
    fn is_notched(&self, column: u32, row: u32) -> bool {
        self.solids.footprint.is_some()
            && self.solids.overlaps_aabb(self.at(column + 1, row + 1))
            && !self.solids.overlaps_aabb(self.at(column, row))
    }

    /// Finds where a motion along this line ends, with [`Corners::Pass`]: tests positions at whole pixels one
    /// after the other.
    fn squeeze(&self) -> LineEnd {
        let mut column = 0;
        let mut row = 0;
        let mut looks = Looks::FIRST;
        for _ in 0..MAX_LOOKS {
            if row < self.rows && column <= self.first_column_near(row) {
                let free = self.free_rows(row, &mut looks, &|row| self.first_column_near(row));
                if free > 0 {
                    row += free;
                    column = self.first_column_near(row);
                    continue;
                }
            }
            let run = self.last_column_near(row) - column;
            let sweep = self.solids.sweep(self.at(column, row), self.major, run);
            column += sweep.moved;
            if sweep.contact.is_some() || column == self.columns {
                return LineEnd { column, row, major: sweep.contact, minor: None };
            }
            let beside = self.solids.sweep(self.at(column, row + 1), self.major, 1).contact;
            let below = self.solids.sweep(self.at(column + 1, row), self.minor, 1).contact;
            let is_free = below.is_none() && beside.is_none();
            if !is_free || self.is_notched(column, row) {
                let (major, minor) = match self.enter(column, row, true) {
                    // The solid at the corner is a one-way cell that stops only motion along the major axis.
                    (None, None) => (beside, None),
                    stopped => stopped,
                };
                return LineEnd { column, row, major, minor };
            }
            (column, row) = (column + 1, row + 1);
        }
        LineEnd { column, row, major: None, minor: None }
    }
}

impl Motion<'_> {
    /// Moves the body by [`Motion::due`] in straight lines, with a new line after each bounce or slide.
    pub(super) fn go_straight(&mut self, corners: Corners) {
        let mut due = self.due;
        let mut leftover = self.leftover;
        loop {
            let stopped = self.leg(&mut due, &mut leftover, corners);
            if stopped == [false; 2] {
                break;
            }
            if self.settings.response == Response::Stop {
                (due, leftover) = ([0; 2], due);
                break;
            }
            let axis = if stopped[0] { Axis::X } else { Axis::Y };
            let dir = Dir::along(axis, due[axis.index()] > 0);
            let aside = Dir::along(axis.other(), due[axis.other().index()] > 0);
            if stopped[0] != stopped[1]
                && let Some(normal) = self.slant(dir, Some(aside))
            {
                let at = axis.index();
                let leads_in = leads_into(normal, due);
                if leads_in && let Some(reflection) = self.reflect(normal) {
                    due = reflection.of(due);
                    continue;
                }
                let back = self.bounce_from_step(axis, due[at], leads_in);
                turn_back(&mut due[at], &mut leftover[at], back);
                continue;
            }
            for axis in [Axis::X, Axis::Y] {
                let at = axis.index();
                if !stopped[at] {
                    continue;
                }
                let back = self.bounce(axis, due[at].unsigned_abs());
                let back = back.map(|back| -due[at].signum() * back as i64);
                turn_back(&mut due[at], &mut leftover[at], back);
            }
        }
        (self.due, self.leftover) = (due, leftover);
    }

    /// Moves the body on one straight line by `due`, and subtracts the motion from `due`. Returns for each
    /// axis whether the body is stopped. If the search ends early, after [`MAX_LOOKS`] rows near solids, the
    /// rest of `due` is added to `leftover`.
    fn leg(&mut self, due: &mut [i64; 2], leftover: &mut [i64; 2], corners: Corners) -> [bool; 2] {
        let line = StraightLine::new(self.solids, self.body, *due);
        let reached = line.search(corners);
        self.touch(line.major, reached.major);
        self.touch(line.minor, reached.minor);
        let crosses = self.settings.response == Response::Cross;
        let done = if crosses { (line.columns, line.rows) } else { (reached.column, reached.row) };
        if self.watches_areas && !line.start.is_empty() {
            self.note_areas(&line, [(0, 0), done]);
        }
        self.put(line.at(done.0, done.1));
        let mut stopped = [false; 2];
        let mut dirs = [line.major; 2];
        for (dir, contact, pixels) in
            [(line.major, reached.major, done.0), (line.minor, reached.minor, done.1)]
        {
            let at = dir.axis().index();
            due[at] -= signed(dir, u64::from(pixels) * PIXEL);
            (stopped[at], dirs[at]) = (contact.is_some(), dir);
        }
        if crosses {
            // A body that crosses solids is stopped only at the end of the range of `i32`.
            return [0, 1].map(|at| due[at] != 0 && self.body.room(dirs[at]) == 0);
        }
        if stopped != [false; 2] {
            return stopped;
        }
        if done != (line.columns, line.rows) {
            for (due, leftover) in due.iter_mut().zip(leftover) {
                *leftover += std::mem::take(due);
            }
            return stopped;
        }
        [self.is_stopped_ahead(dirs[0], due[0]), self.is_stopped_ahead(dirs[1], due[1])]
    }

    /// True if the body cannot move by `due`, a fraction of a pixel in 65,536ths. Either the range of `i32`
    /// ends, or the next pixel has a solid that starts before the end of this fraction. False if `due` is 0.
    fn is_stopped_ahead(&mut self, dir: Dir, due: i64) -> bool {
        if due == 0 || self.body.room(dir) == 0 {
            return due != 0;
        }
        let part = (due.unsigned_abs() % PIXEL) as u32;
        let contact = self.solids.sweep(self.body, dir, 1).contact;
        let contact = contact.filter(|_| !self.solids.can_move_part(self.body, dir, part));
        self.touch(dir, contact);
        contact.is_some()
    }

    fn note_areas(&mut self, line: &StraightLine<'_>, [first, last]: [(u32, u32); 2]) {
        let around = line.at(first.0, first.1).hull(line.at(last.0, last.1));
        if self.solids.areas_near(around) & !self.done.areas.1 == 0 {
            return;
        }
        if last.0 - first.0 <= 1 {
            for (column, row) in [first, last] {
                self.done.areas.1 |= self.solids.areas(line.at(column, row));
            }
            return;
        }
        let column = first.0 + (last.0 - first.0) / 2;
        let middle = (column, line.row_near(column).min(last.1));
        self.note_areas(line, [first, middle]);
        self.note_areas(line, [middle, last]);
    }
}

/// Replaces the remaining motion by a bounce `back`. Without a bounce, the motion is left over.
fn turn_back(due: &mut i64, leftover: &mut i64, back: Option<i64>) {
    if back.is_none() {
        *leftover = *due;
    }
    *due = back.unwrap_or(0);
}
