//! Shortest ways of a body of a given size, from the collision level itself: exact, for any terrain seen from
//! above, and kept up to date by its edits.
//!
//! The body is a box; a [`Footprint`](crate::Footprint) goes by its size. Gravity and jumps play no part:
//! [`analyze::reach`](crate::analyze::reach()) knows them. Neither do the costs of grounds, and bodies do not
//! make way for each other. [`guide::ways`](crate::guide::ways) is an introduction.

mod field;
mod path;
mod search;

use std::borrow::Cow;
use std::fmt;

use glam::{IVec2, UVec2};

pub use self::field::Field;
pub use self::path::Path;
pub(crate) use self::path::push_turn;
pub use self::search::Search;
use crate::geometry::Aabb;
use crate::grid::low_bits;
use crate::terrain::{FreePositions, Terrain};

/// The ways of boxes of one size in a [`Terrain`], or in the terrain of a [`Level`](crate::Level): made by
/// [`Terrain::ways`].
///
/// A position is the top-left pixel of the body. It is *free* if the body overlaps no solid there. A way goes
/// from free position to free position by steps of one pixel in eight directions, so it is the same for tiles
/// and for the pixels drawn from them. A diagonal step needs both positions beside it to be free, so that a
/// body may take it as x then y or as y then x: no corner is cut. So
/// [`can_move`](Terrain::can_move) is true for each step of a way.
///
/// * **One-way cells** are solid along the pixels of their guarded edge: no way crosses it, from either side.
/// * **Beyond an open side** the positions at which the body touches the level are free, and enough to go
///   around it. Positions further out are not free.
/// * **Areas** that are solid for some bodies are not in the terrain. Their
///   [`rectangles`](Terrain::rectangles) are bodies to go around: see [`Ways::around`].
///
/// ```
/// use bitwall::navigate::Search;
/// use bitwall::{Grid, Level, glam::IVec2, glam::UVec2};
///
/// let mut level = Level::from_grid(Grid::from_text("..#..\n..#..\n.....")?, UVec2::splat(16))?;
/// let (from, to, guard) = (IVec2::new(4, 0), IVec2::new(60, 0), UVec2::splat(12));
/// let mut search = Search::default();
/// let path = level.ways(guard)?.path(from, to, &mut search).expect("a way below the wall");
/// assert_eq!(path.points[0], from);
/// assert_eq!(path.points[path.points.len() - 1], to);
///
/// level.fill(2..3, 2..3, true)?; // a door closes
/// assert_eq!(level.ways(guard)?.path(from, to, &mut search), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Ways<'t> {
    terrain: &'t Terrain,
    free: &'t FreePositions,
    bodies: &'t [Aabb],
    has_diagonals: bool,
}

/// The body has too many positions in the level, or there is no memory for them: see [`Terrain::ways`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the level is too large for ways, which take about 2 bits a pixel, at least 24 bytes for each \
             row and column, and at most {} bytes; copy the part that matters to a smaller level \
             (`Level::place`)",
            Terrain::MAX_CONFIG_SPACE_BYTES
        )
    }
}

impl std::error::Error for TooLarge {}

impl Terrain {
    /// Returns the [`Ways`] of boxes of `size` pixels. A side that is 0 counts as 1. A body that is larger
    /// than the level has no free position, unless a side of the level is open.
    ///
    /// The first call for a size makes two planes of bits, with a bit for each position in both: O(words of
    /// the level in pixels). The size plays no part if all sides are solid. Along an axis with an open side
    /// there are more positions for a larger body if both sides are open, and the planes grow with it. They
    /// take about 2 bits a position, and at least 24 bytes for each row and column of positions. A later call
    /// reuses them. Edits keep them up to date, at the cost of the edit and of the body; after
    /// [`Terrain::set_outside`] the next call makes them anew. They stay until
    /// [`Terrain::drop_config_spaces`]. A clone of the terrain starts without them.
    ///
    /// # Errors
    /// [`TooLarge`] if the planes for all sizes would take more than [`Terrain::MAX_CONFIG_SPACE_BYTES`] or
    /// more than there is, or if the memory in use while they are made would: 32 bytes for each row of cells
    /// that the body can cover (of pixels, if some cells are one-way). Of a larger level, such as a sparse
    /// world, [`Level::place`](crate::Level::place) copies a part to a level of its own.
    pub fn ways(&self, size: UVec2) -> Result<Ways<'_>, TooLarge> {
        let free = self.free_positions(size).ok_or(TooLarge)?;
        Ok(Ways { terrain: self, free, bodies: &[], has_diagonals: true })
    }
}

impl<'t> Ways<'t> {
    /// Returns these ways by steps to the left, right, up and down only.
    #[must_use]
    pub fn four_directions(self) -> Self {
        Self { has_diagonals: false, ..self }
    }

    /// Returns these ways around other bodies: a position at which the body would overlap one of the boxes is
    /// not free. They replace those of an earlier call. The body's own box must not be among them, or it has
    /// no way: it would be in its own way.
    ///
    /// A search marks the boxes in a copy of the planes ([`Search`]): O(words of the rows + words of the
    /// columns) of each box. A test of one position is O(boxes). [`Ways::sees`] and [`Ways::nearest`] state
    /// what boxes cost them.
    ///
    /// ```
    /// use bitwall::navigate::Search;
    /// use bitwall::{Aabb, Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::new(100, 40)?, UVec2::ONE)?;
    /// let ways = level.ways(UVec2::splat(10))?;
    /// let (from, to, mut search) = (IVec2::new(0, 20), IVec2::new(90, 20), Search::default());
    /// assert_eq!(ways.path(from, to, &mut search).expect("it is empty").pixels(), 90.0);
    /// let crates = [Aabb::from_xywh(40, 20, 10, 10), Aabb::from_xywh(40, 30, 10, 10)];
    /// let path = ways.around(&crates).path(from, to, &mut search).expect("above the crates");
    /// assert!(path.points.iter().any(|at| at.y == 10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn around<'b>(self, bodies: &'b [Aabb]) -> Ways<'b>
    where
        't: 'b,
    {
        Ways { bodies, ..self }
    }

    /// Returns the width and height of the body in pixels.
    pub fn size(&self) -> UVec2 {
        self.free.size().as_uvec2()
    }

    /// Returns true if the body overlaps nothing at a position. O(1 + other bodies).
    pub fn is_free(&self, at: IVec2) -> bool {
        self.place(at).is_some()
    }

    /// The place of a free position in the planes.
    fn place(&self, at: IVec2) -> Option<IVec2> {
        let place = at.as_i64vec2() - self.free.origin().as_i64vec2();
        let rows = self.free.rows();
        let ends = IVec2::new(rows.len(), rows.count()).as_i64vec2();
        let is_known = place.cmpge(glam::I64Vec2::ZERO).all() && place.cmplt(ends).all();
        let place = place.as_ivec2();
        let is_free = is_known && self.word(place.x, place.y) & 1 == 1;
        is_free.then_some(place)
    }

    /// The free positions of 64 places in a row of the planes, the first in bit 0.
    fn word(&self, place: i32, row: i32) -> u64 {
        let word = self.free.rows().load(place, row);
        self.bodies.iter().fold(word, |word, body| {
            let [places, rows] = self.free.touching(body.min, body.max);
            let bits = |end: i32| low_bits(i64::from(end) - i64::from(place));
            if rows.contains(&row) {
                word & !(bits(places.end) & !bits(places.start))
            } else {
                word
            }
        })
    }

    /// Returns the shortest way between two positions; `None` if there is none, or if one of them is not
    /// free: [`Ways::nearest`] finds a free one.
    ///
    /// Equal calls give equal paths, and of several shortest ways one. Warm, a search allocates the path
    /// alone: see [`Search`]. O(scans x words of a line + nodes x log nodes), for the part of the level that
    /// is no further than the goal: some 10 us in a level of rooms, at most as much as A* over pixels in
    /// noise. If there is no way, it visits the smaller part of the two.
    ///
    /// A node at the corner of a solid walks a whole diagonal with two scans from each pixel: O(side^2 / 63)
    /// in an open level of `side` pixels. So the worst case is a large open level with many small solids and
    /// no way: with some 500 pillars in 16,384 x 16,384 pixels, a search takes seconds.
    pub fn path(&self, from: IVec2, to: IVec2, search: &mut Search) -> Option<Path> {
        let ends = [self.place(from)?, self.place(to)?];
        if self.bodies.is_empty() {
            return search.path(self.free, ends, self.has_diagonals);
        }
        let free = (self.free, self.terrain.stamp());
        search.path_around(free, self.bodies, ends, self.has_diagonals)
    }

    /// Returns true if the body can go straight from one position to the other, at any angle. It then
    /// overlaps no solid on the way, also between whole pixels, as a [`Mover`](crate::Mover) on
    /// [`MovePath::Straight`](crate::mover::MovePath::Straight) with corners that block. The order of the
    /// positions does not matter. O(pixels along the shorter axis + words along the longer one), and with
    /// [`Ways::around`] O(boxes), and O(pixels along the shorter axis) for each box that the body meets in
    /// the bounding box of its way.
    pub fn sees(&self, one: IVec2, other: IVec2) -> bool {
        let (Some(one), Some(other)) = (self.place(one), self.place(other)) else {
            return false;
        };
        let is_free = path::line_is_free(one, other, |is_flat, line, first, last| {
            let plane = if is_flat { self.free.rows() } else { self.free.columns() };
            plane.all_set(first..last + 1, line)
        });
        let (min, max) = (one.min(other), one.max(other));
        let is_met = |body: &Aabb| {
            let [x, y] = self.free.touching(body.min, body.max);
            let is_near = x.start <= max.x && min.x < x.end && y.start <= max.y && min.y < y.end;
            is_near
                && !path::line_is_free(one, other, |is_flat, line, first, last| {
                    let (places, lines) = if is_flat { (&x, &y) } else { (&y, &x) };
                    !(lines.contains(&line) && places.start <= last && first < places.end)
                })
        };
        is_free && !self.bodies.iter().any(is_met)
    }

    /// Returns the free position that is nearest to `at`, in a straight line; of several the one with the
    /// smallest y, then with the smallest x. `None` if no position is free. It may be on the other side of a
    /// wall, and in a part of the level of its own. O(words of the rows within the distance found),
    /// and with [`Ways::around`] as often as there are boxes.
    ///
    /// ```
    /// use bitwall::{Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("....\n..##\n....")?, UVec2::splat(10))?;
    /// let ways = level.ways(UVec2::splat(10))?;
    /// assert_eq!(ways.nearest(IVec2::new(28, 8)), Some(IVec2::new(28, 0)), "above the wall");
    /// assert_eq!(ways.nearest(IVec2::new(28, 8)).map(|at| ways.is_free(at)), Some(true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest(&self, at: IVec2) -> Option<IVec2> {
        let rows = self.free.rows();
        let (len, count) = (i64::from(rows.len()), i64::from(rows.count()));
        let goal = at.as_i64vec2() - self.free.origin().as_i64vec2();
        let square = |by: i64| u128::from(by.unsigned_abs()).pow(2);
        // The least square of a distance, then the position.
        let mut best: Option<(u128, i64, i64)> = None;
        let first = (-goal.y).max(goal.y - (count - 1)).max(0);
        for by in first..first + count {
            if best.is_some_and(|(least, ..)| square(by) > least) {
                break;
            }
            let on = |y: i64| (0..count).contains(&y).then_some(y);
            for y in [on(goal.y - by), on(goal.y + by)].into_iter().flatten() {
                let found = [self.last_in(y as i32, goal.x), self.first_in(y as i32, goal.x)];
                for x in found.into_iter().flatten().filter(|x| (0..len).contains(x)) {
                    let found = (square(by) + square(x - goal.x), y, x);
                    best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
        }
        best.map(|(_, y, x)| self.free.origin() + IVec2::new(x as i32, y as i32))
    }

    /// The last free place of a row that is not after `x`.
    fn last_in(&self, row: i32, x: i64) -> Option<i64> {
        let mut place = x.min(i64::from(self.free.rows().len()) - 1);
        while place >= 0 {
            let word = self.word(place as i32 - 63, row);
            if word != 0 {
                return Some(place - i64::from(word.leading_zeros()));
            }
            place -= 64;
        }
        None
    }

    /// The first free place of a row that is not before `x`.
    fn first_in(&self, row: i32, x: i64) -> Option<i64> {
        let mut place = x.max(0);
        while place < i64::from(self.free.rows().len()) {
            let word = self.word(place as i32, row);
            if word != 0 {
                return Some(place + i64::from(word.trailing_zeros()));
            }
            place += 64;
        }
        None
    }

    /// Returns the way of each position to the nearest of `goals`, for many bodies with the same goals. Goals
    /// that are not free count for nothing. A breadth-first search by steps in four directions, word by word:
    /// O(words at each distance).
    ///
    /// ```
    /// use bitwall::{Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("..#..\n..#..\n.....")?, UVec2::splat(16))?;
    /// let exit = IVec2::new(64, 0);
    /// let field = level.ways(UVec2::splat(12))?.field(&[exit]);
    /// let (mut at, mut steps) = (IVec2::ZERO, 0);
    /// while let Some(step) = field.step(at) {
    ///     (at, steps) = (at + step, steps + 1);
    /// }
    /// assert_eq!((at, steps), (exit, 92), "36 of them are diagonal");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn field(&self, goals: &[IVec2]) -> Field {
        let goals = goals.iter().filter_map(|goal| self.place(*goal));
        let mut free = Cow::Borrowed(self.free);
        for body in self.bodies {
            free.to_mut().block(&self.free.touching(body.min, body.max));
        }
        Field::new(self.has_diagonals, free.rows(), free.origin(), goals)
    }

    /// Returns the memory of the planes in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.free.bytes()
    }
}

impl fmt::Debug for Ways<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ways")
            .field("size", &self.size())
            .field("bodies", &self.bodies)
            .field("has_diagonals", &self.has_diagonals)
            .field("terrain", &self.terrain)
            .finish_non_exhaustive()
    }
}
