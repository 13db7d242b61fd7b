//! The result of a sweep: the distance that a body moves, and the first solid that stops it.

use glam::IVec2;

/// The distance that a body can move, and the contact that stops it. Returned by [`crate::Terrain::sweep`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sweep {
    /// The requested distance in pixels.
    pub step: u32,
    /// The largest distance, at most `step` pixels, that the body can move.
    pub moved: u32,
    /// The contact that stopped the body; `None` if the body moved all of `step`.
    pub contact: Option<Contact>,
}

impl Sweep {
    /// Returns a sweep of `step` pixels that met no solid: `moved` is `step`.
    #[inline]
    pub const fn clear(step: u32) -> Self {
        Self { step, moved: step, contact: None }
    }

    /// Returns a sweep of `step` pixels that `contact` stopped after `moved` pixels.
    pub const fn stopped(step: u32, moved: u32, contact: Contact) -> Self {
        Self { step, moved, contact: Some(contact) }
    }

    /// Returns the sweep that stops first, for the same body and step among two sets of solids.
    ///
    /// If both stop at the same distance, the contact with the smallest row wins, then the contact with the
    /// smallest column. In the same cell, a contact with a cell comes before a contact with a body.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Terrain, glam::UVec2};
    ///
    /// let far = Terrain::new(Grid::from_text("...#")?, UVec2::splat(8))?;
    /// let near = Terrain::new(Grid::from_text("..#.")?, UVec2::splat(8))?;
    /// let sweep = |terrain: &Terrain| terrain.sweep(Aabb::from_xywh(0, 0, 8, 8), Dir::Right, 20);
    /// assert_eq!(sweep(&far).earlier(sweep(&near)).moved, 8);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    #[must_use]
    pub fn earlier(self, other: Self) -> Self {
        if other.order() < self.order() { other } else { self }
    }

    /// A smaller value is earlier. A sweep without a contact moves its whole step, so it comes last.
    fn order(&self) -> (u32, bool, Option<(i32, i32, bool)>) {
        let place = self.contact.map(|it| (it.cell.y, it.cell.x, it.body.is_some()));
        (self.moved, place.is_none(), place)
    }

    /// Returns the distance in pixels that the body did not move: `step` minus `moved`.
    #[inline]
    pub fn leftover(&self) -> u32 {
        self.step.saturating_sub(self.moved)
    }

    /// Returns true if nothing stopped the body.
    #[inline]
    pub fn is_clear(&self) -> bool {
        self.contact.is_none()
    }
}

/// The first solid that stops a sweep: a cell of a level or, in a [`World`](crate::world::World), a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Contact {
    /// The column and row of the cell that the body met. For a contact with another body, it is the level's
    /// cell at the point of contact.
    ///
    /// If the body met several cells at once, it is the cell with the smallest row, then the smallest column.
    /// Outside the level, a column or row is negative or past the last one, and clamped to the range of
    /// `i32`.
    pub cell: IVec2,
    /// The unit vector out of the solid, toward the body.
    pub normal: IVec2,
    /// The body that was met; `None` if the body met a cell of the level.
    pub body: Option<BodyId>,
}

/// The solid that a body met: a cell or another body. Returned by [`Contact::hit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Hit {
    /// The column and row of a cell of the level.
    Cell(IVec2),
    /// Another body of the [`World`](crate::world::World).
    Body(BodyId),
}

/// The identity of a body in its [`World`](crate::world::World).
///
/// An identity is unique in that world until 2^32 bodies have used the same slot of the world's list of
/// bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct BodyId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

impl Contact {
    /// Creates a contact with a solid in the cell `cell`. `normal` is the unit vector out of the solid,
    /// toward the body.
    pub const fn new(cell: IVec2, normal: IVec2) -> Self {
        Self { cell, normal, body: None }
    }

    /// Returns this contact with the body `body` of a world as the solid, instead of the cell of the level.
    pub const fn with_body(self, body: BodyId) -> Self {
        Self { body: Some(body), ..self }
    }

    /// Returns the solid that the body met.
    ///
    /// ```
    /// use bitwall::terrain::Hit;
    /// use bitwall::{Aabb, Dir, Grid, Terrain, glam::IVec2, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("..#")?, UVec2::splat(8))?;
    /// let sweep = terrain.sweep(Aabb::from_xywh(0, 0, 8, 8), Dir::Right, 20);
    /// assert_eq!(sweep.contact.map(|contact| contact.hit()), Some(Hit::Cell(IVec2::new(2, 0))));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn hit(&self) -> Hit {
        self.body.map_or(Hit::Cell(self.cell), Hit::Body)
    }
}
