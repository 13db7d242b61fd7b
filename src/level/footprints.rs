//! Bodies that are not boxes in a level: how far a [`Footprint`] can move, and where it overlaps a solid.

use glam::{IVec2, UVec2};

use crate::Level;
use crate::footprint::{self, Footprint};
use crate::geometry::{Aabb, Dir};
use crate::grid::low_bits;
use crate::sweep::{Contact, Sweep, pixels};

/// The sweep of a body of several parts, each of which `sweep` can ask about: the contact that is met first,
/// then the lowest row, then the lowest column.
pub(crate) fn sweep_parts(
    parts: impl Iterator<Item = Aabb>,
    step: u32,
    sweep: impl Fn(Aabb, u32) -> Sweep,
) -> Sweep {
    let order = |sweep: &Sweep, contact: Contact| (sweep.moved, contact.cell.y, contact.cell.x);
    let mut first: Option<(Sweep, Contact)> = None;
    for part in parts {
        // One pixel past the first contact, where another part may meet a lower cell.
        let reach = first.map_or(step, |(sweep, _)| sweep.moved + 1);
        let sweep = sweep(part, reach);
        if let Some(contact) = sweep.contact
            && first.is_none_or(|(best, cell)| order(&sweep, contact) < order(&best, cell))
        {
            first = Some((sweep, contact));
        }
    }
    Sweep {
        step,
        moved: first.map_or(step, |(sweep, _)| sweep.moved),
        contact: first.map(|(_, contact)| contact),
    }
}

impl Level {
    /// As [`Level::can_move`] for a footprint whose top-left corner is at `at`: true exactly if no solid
    /// pixel lies in what its leading edges sweep, those of every run of pixels, of inner ones too.
    ///
    /// Toward right those are the pixels up to `step` beyond the right end of each run of a row. So a
    /// footprint that overlaps no solid moves until one of its pixels would come to lie in one, and one that
    /// starts in a solid may leave it; moves can be divided, as those of a box. One-way cells are crossed by
    /// each leading edge by itself. O(rectangles of the footprint), each as a box.
    pub fn can_move_footprint(&self, body: &Footprint, at: IVec2, dir: Dir, step: u32) -> bool {
        let mut parts = body.leading(dir.axis(), at);
        parts.all(|part| self.can_move(part, dir, step))
    }

    /// As [`Level::sweep`] for a footprint whose top-left corner is at `at`: the largest distance for which
    /// [`Level::can_move_footprint`] is true, and what stops it; of the cells that do, the one in the lowest
    /// row and there in the lowest column. A full rectangle answers exactly like its box.
    ///
    /// ```
    /// use bitwall::{Dir, Footprint, Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("....\n....\n.#..\n....")?, UVec2::splat(8))?;
    /// let ball = Footprint::circle(16)?;
    /// let falls = level.sweep_footprint(&ball, IVec2::new(14, 0), Dir::Down, 16);
    /// assert_eq!(falls.moved, 3, "the corner of the cell is beside its lowest point");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep_footprint(&self, body: &Footprint, at: IVec2, dir: Dir, step: u32) -> Sweep {
        let parts = body.leading(dir.axis(), at);
        sweep_parts(parts, step, |part, reach| self.sweep(part, dir, reach))
    }

    /// True if some pixel of the footprint, its top-left corner at `at`, is solid, inside the level or
    /// outside it. One-way cells are not solid. O(words of the footprint) where a cell is a pixel, and at
    /// most 33 times that on larger ones.
    pub fn footprint_overlaps(&self, body: &Footprint, at: IVec2) -> bool {
        self.shared(body, at.to_array().map(i64::from))
            .next()
            .is_some()
    }

    /// The first pixel of the level that the footprint covers and that is solid: in the lowest row, and there
    /// in the lowest column. As [`Level::footprint_overlaps`].
    pub fn footprint_first_overlap(&self, body: &Footprint, at: IVec2) -> Option<IVec2> {
        let first = footprint::first(self.shared(body, at.to_array().map(i64::from)))?;
        Some(at + first.as_ivec2())
    }

    /// The number of solid pixels that the footprint covers. As [`Level::footprint_overlaps`].
    pub fn footprint_overlap_area(&self, body: &Footprint, at: IVec2) -> u64 {
        footprint::area(self.shared(body, at.to_array().map(i64::from)))
    }

    /// Which way leads out of the solids that the footprint overlaps: x is the area that it would overlap
    /// one pixel further left less that one pixel further right, y that one further up less that one further
    /// down. So it points out of the solid, toward the body; it is no unit vector, and zero where both ways
    /// are alike. See [`Footprint::overlap_normal`].
    ///
    /// ```
    /// use bitwall::{Footprint, Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("....\n....\n####")?, UVec2::splat(8))?;
    /// let ball = Footprint::circle(8)?;
    /// let normal = level.footprint_overlap_normal(&ball, IVec2::new(12, 10));
    /// assert_eq!(normal.signum(), IVec2::NEG_Y, "up, out of the floor");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn footprint_overlap_normal(&self, body: &Footprint, at: IVec2) -> IVec2 {
        let [x, y] = at.to_array().map(i64::from);
        footprint::normal(|dx, dy| footprint::area(self.shared(body, [x + dx, y + dy])))
    }

    /// The solid pixels that a footprint covers, by its words.
    fn shared(&self, body: &Footprint, [x, y]: [i64; 2]) -> impl Iterator<Item = (UVec2, u64)> {
        let within = |side: u32, at: i64| {
            let count = (i64::from(i32::MAX) - at).clamp(0, i64::from(side));
            count as u32
        };
        let columns = within(body.size().x, x);
        body.meet(
            0..columns,
            0..within(body.size().y, y),
            move |column, row| {
                let solid = pixels::row_word(
                    &self.grid,
                    &self.frame,
                    x + i64::from(column),
                    y + i64::from(row),
                );
                solid & low_bits(i64::from(columns - column))
            },
        )
    }
}
