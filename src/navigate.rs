//! Path finding: the shortest ways of a body of a given size through a level seen from above. The ways are
//! exact to the pixel, need no navigation mesh, and follow the edits of a level.
//!
//! The body is a box; a [`Footprint`](crate::Footprint) counts as the box of its size. Only a [`Field`] can
//! have costs of the ground, and bodies do not avoid each other. [`Ways`] have no gravity; [`JumpWays`] are
//! the ways of a body that runs and jumps. [`guide::ways`](crate::guide::ways) is an introduction.

mod field;
mod jumps;
mod path;
mod reachable;
mod search;

use std::borrow::Cow;
use std::fmt;

use glam::{I64Vec2, IVec2, UVec2};

pub use self::field::Field;
pub use self::jumps::{
    Aim, Follow, Follower, Hop, JumpField, JumpPath, JumpWays, Jumper, NoJumpWays, Obstacle,
    ObstacleKind, SoftLock, Undecided, Verdict, Witness,
};
pub use self::path::Path;
pub use self::search::Search;
use crate::geometry::{Aabb, Dir};
use crate::grid::low_bits;
use crate::level::AreaSolids;
use crate::terrain::{FreePositions, Terrain};

/// Path finding for boxes of one size in a [`Terrain`], or in the terrain of a [`Level`](crate::Level). Made
/// by [`Terrain::ways`] and [`AreaSolids::ways`].
///
/// A position is the top-left pixel of the body. It is *free* if the body overlaps no solid there. A way is a
/// sequence of free positions, with steps of one pixel in eight directions. So it is the same for a map of
/// tiles and for the mask drawn from the map. A diagonal step needs both positions beside it to be free, so
/// that the body can move along x then y, or along y then x, without cutting a corner. So
/// [`can_move`](Terrain::can_move) is true for each step of a way.
///
/// * **One-way cells** count as solid in the pixels along each side at which they stop bodies, so no way
///   crosses such a side in either direction.
/// * **Beyond an open side** of the level, positions where the body touches the level are free, so that ways
///   around the level are possible. Positions further out are not free.
/// * **Areas** that are solid only for some bodies are not part of the terrain. [`AreaSolids::ways`] goes
///   around them.
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
#[derive(Clone, Debug)]
pub struct Ways<'t> {
    free: Cow<'t, FreePositions>,
    bodies: &'t [Aabb],
    has_diagonals: bool,
}

/// The length of a straight step of one pixel, in the unit of [`Path::length`].
const PIXEL: u64 = 1 << 32;
/// The length of a diagonal step, in the unit of [`Path::length`]: the rounded square root of 2.
const DIAGONAL: u64 = 6_074_001_000;

/// The straight directions, numbered by their index in this array. The diagonal directions are numbered
/// separately: 0 (right and down), 1 (left and down), 2 (right and up) and 3 (left and up).
const STEPS: [IVec2; 4] = [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y];

fn square(by: i64) -> u128 {
    u128::from(by.unsigned_abs()).pow(2)
}

/// The error of [`Terrain::ways`]: the bit planes of the free positions would take too much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the level is too large for ways, which take about 2 bits a pixel, at least 24 bytes for each \
             row and column, and at most {} bytes; copy the part that matters to a smaller level \
             (`Level::place`)",
            Terrain::MAX_PREPARED_BYTES
        )
    }
}

impl std::error::Error for TooLarge {}

impl Terrain {
    /// Returns the [`Ways`] of boxes with a width and height of `size` pixels. A width or height of 0 counts
    /// as 1.
    ///
    /// A body that is larger than the level has no free position, unless a side of the level is open.
    ///
    /// The call makes two bit planes, by rows and by columns, with a bit for each position in both: O(words
    /// of the level in pixels). With solid sides this does not depend on the size of the body. Along an axis
    /// with two open sides a larger body has more positions, so the planes grow with the body. The planes
    /// take about 2 bits for each position, and at least 24 bytes for each row and column of positions.
    ///
    /// For a prepared size ([`Terrain::prepare`]) the planes are made once: later calls reuse them, and each
    /// edit updates them, in a time that grows with the edited area and with the body. They count for the
    /// limit of all prepared sizes; planes beyond it are not kept.
    ///
    /// # Errors
    /// [`TooLarge`] if the planes would take more than [`Terrain::MAX_PREPARED_BYTES`], or if an allocation
    /// fails. The temporary memory for making the planes has the same limit. It takes a bit for each cell in
    /// the rows that the body can cover (for each pixel, if some cells are one-way). For a larger level, such
    /// as a sparse world, copy a part to another level with [`Level::place`](crate::Level::place).
    pub fn ways(&self, size: UVec2) -> Result<Ways<'_>, TooLarge> {
        let free = self.free_positions(size).ok_or(TooLarge)?;
        Ok(Ways { free, bodies: &[], has_diagonals: true })
    }
}

impl<'a> AreaSolids<'a> {
    /// Returns the [`Ways`] of boxes with a width and height of `size` pixels, with the solid areas as
    /// obstacles: the solid and one-way cells of the areas count like those of the level.
    ///
    /// So doors that only some bodies can open are areas with a category each, and a body with a key leaves
    /// its category out of [`Level::solids_for`](crate::Level::solids_for). An area of which all cells are
    /// passable costs nothing.
    ///
    /// The planes of the level are copied, and combined with the planes of each area: O(words of the
    /// positions) for each. This took 0.1 ms in a level of 64 x 64 tiles and 1.8 ms in one of 256 x 256, most
    /// of it for the copy. So make the ways once for several searches. The planes of an area are kept if the
    /// size is prepared for the area too (`level.area_mut(name)` and [`Terrain::prepare`]); otherwise each
    /// call makes them.
    ///
    /// ```
    /// use bitwall::navigate::Search;
    /// use bitwall::{Grid, Level, Terrain, glam::IVec2, glam::UVec2};
    ///
    /// const DOOR: u64 = 1 << 1;
    /// let level = Level::from_grid(Grid::from_text("..#..\n.....\n..#..")?, UVec2::splat(16))?;
    /// let door = Terrain::new(Grid::from_text(".....\n..#..\n.....")?, UVec2::splat(16))?;
    /// let level = level.with_solid_area("door", door, DOOR);
    ///
    /// let (from, to, mut search) = (IVec2::new(0, 18), IVec2::new(64, 18), Search::default());
    /// let ways = level.solids_for(DOOR).ways(UVec2::splat(12))?;
    /// assert_eq!(ways.path(from, to, &mut search), None);
    /// let with_key = level.solids_for(0).ways(UVec2::splat(12))?;
    /// assert!(with_key.path(from, to, &mut search).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TooLarge`] as in [`Terrain::ways`], for the level or for one of the areas.
    pub fn ways(&self, size: UVec2) -> Result<Ways<'a>, TooLarge> {
        let mut ways = self.level().ways(size)?;
        for area in self.areas() {
            if area.grid().solid_count() > 0 || area.one_way(Dir::Up).is_some() {
                let free = area.free_positions(size).ok_or(TooLarge)?;
                ways.free.to_mut().intersect(&free);
            }
        }
        Ok(ways)
    }
}

impl Ways<'_> {
    /// Returns these ways with steps only to the left, right, up and down.
    #[must_use]
    pub fn four_directions(&self) -> Ways<'_> {
        Ways { free: Cow::Borrowed(&self.free), has_diagonals: false, ..*self }
    }

    /// Returns these ways with other bodies as obstacles: a position where the body would overlap one of the
    /// boxes in `bodies` is not free.
    ///
    /// The boxes replace the boxes of an earlier call. Leave out the box of the body itself: its own position
    /// would not be free.
    ///
    /// [`Ways::path`] marks the boxes in a copy of the bit planes, which [`Search`] keeps: O(words of the
    /// rows + words of the columns) for each box. [`Ways::is_free`] takes O(boxes). The docs of
    /// [`Ways::sees`] and [`Ways::nearest`] state their times with boxes.
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
    pub fn around<'b>(&'b self, bodies: &'b [Aabb]) -> Ways<'b> {
        Ways { free: Cow::Borrowed(&self.free), bodies, ..*self }
    }

    /// Returns the width and height of the body in pixels.
    pub fn size(&self) -> UVec2 {
        self.free.size.as_uvec2()
    }

    /// Returns true if position `at` is free: the body overlaps no solid there, and none of the boxes from
    /// [`Ways::around`]. O(1 + boxes).
    pub fn is_free(&self, at: IVec2) -> bool {
        self.place(at).is_some()
    }

    /// The coordinates of a free position in the bit planes; `None` if the position is not free.
    fn place(&self, at: IVec2) -> Option<IVec2> {
        let place = self.free.rows.place(at, self.free.origin)?;
        (self.word(place.x, place.y) & 1 == 1).then_some(place)
    }

    /// 64 positions of a row as the bits of a word: 1 if the position is free. Bit 0 is the position in
    /// column `place`, and higher bits are further to the right. Columns and rows are coordinates of the bit
    /// planes.
    fn word(&self, place: i32, row: i32) -> u64 {
        let word = self.free.rows.load(place, row);
        self.bodies.iter().fold(word, |word, body| {
            let [places, rows] = self.free.touching(body.min, body.max);
            if !rows.contains(&row) {
                return word;
            }
            let [start, end] =
                [places.start, places.end].map(|at| low_bits(i64::from(at) - i64::from(place)));
            word & !(end & !start)
        })
    }

    /// Returns the shortest way from position `from` to position `to`.
    ///
    /// Returns `None` if there is no way, or if one of the two positions is not free: [`Ways::nearest`] finds
    /// a free position near it, and
    /// [`Ways::path_toward`] goes as near as possible.
    ///
    /// Equal calls return equal paths, also if there are several shortest ways. A repeated search allocates
    /// only its path: see [`Search`]. O(scans · words of a row or column + nodes · log nodes), for the part
    /// of the level that is not further away than the goal. A search took about 10 µs in a level of rooms;
    /// among random pixels it takes at most as long as A* over pixels. If there is no way, it visits only the
    /// smaller of the two unconnected parts.
    ///
    /// From each corner of a solid, the search follows a whole diagonal, with two scans from each of its
    /// pixels: O(n² / 63) in an open level of n x n pixels. So the worst case is a large open level with many
    /// small solids and no way. With about 500 pillars in 16,384 x 16,384 pixels, a search takes seconds.
    pub fn path(&self, from: IVec2, to: IVec2, search: &mut Search) -> Option<Path> {
        let ends = [self.place(from)?, self.place(to)?];
        if self.bodies.is_empty() {
            return search.path(&self.free, ends, self.has_diagonals);
        }
        search.path_around(&self.free, self.bodies, ends, self.has_diagonals)
    }

    /// Returns true if the body can move in a straight line from one position to the other, at any angle.
    ///
    /// On the line the body overlaps no solid, also between whole pixels, like a [`Mover`](crate::Mover) on
    /// [`MovePath::Straight`](crate::mover::MovePath::Straight) with corners that block. The order of the two
    /// positions does not matter. O(pixels along the shorter axis + words along the longer axis). With
    /// [`Ways::around`] it also takes O(boxes), plus O(pixels along the shorter axis) for each box near the
    /// line.
    pub fn sees(&self, one: IVec2, other: IVec2) -> bool {
        let (Some(one), Some(other)) = (self.place(one), self.place(other)) else {
            return false;
        };
        let is_free = line_is_free(one, other, |is_flat, line, first, last| {
            let plane = if is_flat { &self.free.rows } else { &self.free.columns };
            plane.all_set(first..last + 1, line)
        });
        is_free && !self.bodies.iter().any(|body| self.is_met(body, one, other))
    }

    /// True if `body` is in the way on the straight line between two positions, in coordinates of the bit
    /// planes.
    fn is_met(&self, body: &Aabb, one: IVec2, other: IVec2) -> bool {
        let min = one.min(other);
        let max = one.max(other);
        let [x, y] = self.free.touching(body.min, body.max);
        let is_near = x.start <= max.x && min.x < x.end && y.start <= max.y && min.y < y.end;
        is_near
            && !line_is_free(one, other, |is_flat, line, first, last| {
                let [places, lines] = if is_flat { [&x, &y] } else { [&y, &x] };
                !(lines.contains(&line) && places.start <= last && first < places.end)
            })
    }

    /// Returns the free position with the smallest straight distance from `at`.
    ///
    /// Of equally near positions, it returns the position with the smallest y, then with the smallest x.
    /// Returns `None` if no position is free. The result may be on the other side of a wall, where the body
    /// has no way to it: see [`Ways::nearest_reachable`]. O(words of the rows within the distance). With
    /// [`Ways::around`] this is multiplied by the number of boxes.
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
        let count = i64::from(self.free.rows.count);
        let goal = at.as_i64vec2() - self.free.origin.as_i64vec2();
        // The square of the smallest distance so far, then y and x of the position.
        let mut best: Option<(u128, i64, i64)> = None;
        let first = (-goal.y).max(goal.y - (count - 1)).max(0);
        for by in first..first + count {
            if best.is_some_and(|(least, ..)| square(by) > least) {
                break;
            }
            for y in [goal.y - by, goal.y + by].into_iter().filter(|y| (0..count).contains(y)) {
                for x in self.beside(y as i32, goal.x).into_iter().flatten() {
                    let found = (square(by) + square(x - goal.x), y, x);
                    best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
        }
        best.map(|(_, y, x)| self.free.origin + IVec2::new(x as i32, y as i32))
    }

    /// The last free column of a row that is at most `x`, and the first that is at least `x`, in coordinates
    /// of the bit planes.
    fn beside(&self, row: i32, x: i64) -> [Option<i64>; 2] {
        let len = i64::from(self.free.rows.len);
        let last = (0..=x.min(len - 1)).rev().step_by(64).find_map(|place| {
            let word = self.word(place as i32 - 63, row);
            (word != 0).then(|| place - i64::from(word.leading_zeros()))
        });
        let first = (x.max(0)..len).step_by(64).find_map(|place| {
            let word = self.word(place as i32, row);
            (word != 0).then(|| place + i64::from(word.trailing_zeros()))
        });
        [last, first]
    }

    /// Returns the memory of the bit planes in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.free.bytes()
    }
}

/// True if all positions on the straight line from `one` to `other` are free, in coordinates of the bit
/// planes. Between two whole positions, both of them must be free. `is_free(is_flat, line, first, last)`
/// tests the positions `first` to `last` (inclusive) of a row if `is_flat` is true, or else of a column.
/// `line` is the number of the row or column.
fn line_is_free(
    one: IVec2,
    other: IVec2,
    mut is_free: impl FnMut(bool, i32, i32, i32) -> bool,
) -> bool {
    let way = other.as_i64vec2() - one.as_i64vec2();
    let size = way.abs();
    let is_flat = size.x >= size.y;
    let [start, sign] = [one.as_i64vec2(), way.signum()]
        .map(|at| if is_flat { at } else { I64Vec2::new(at.y, at.x) });
    let long = size.max_element();
    let short = size.min_element();
    let mut run = |line: i64, first: i64, last: i64| {
        let ends = [first, last].map(|at| (start.x + sign.x * at) as i32);
        let line = (start.y + sign.y * line) as i32;
        is_free(is_flat, line, ends[0].min(ends[1]), ends[0].max(ends[1]))
    };
    if short == 0 {
        return run(0, 0, long);
    }
    // Between two rows (or columns) the positions of both must be free.
    (0..short).all(|line| {
        let first = line * long / short;
        let last = ((line + 1) * long + short - 1) / short;
        run(line, first, last) && run(line + 1, first, last)
    })
}
