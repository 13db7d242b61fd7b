//! The solids of a terrain as shapes for other programs: rectangles, outlines and chains of edges. They can
//! serve as colliders of a physics engine, for light and shadow, and for drawing. All shapes are exact, in
//! whole pixels. The queries of a level do not use them.

mod trace;

use std::ops::Range;

use glam::{I64Vec2, IVec2, UVec2};

use crate::geometry::{Aabb, Dir};
use crate::grid::Grid;
use crate::terrain::Terrain;

/// The outlines of a terrain's solids: closed loops of points, from [`Terrain::outlines`].
///
/// # Guarantees
/// * **Winding.** With y downward, the solid is on the right of each edge, seen in the edge's direction. So
///   an outer loop runs clockwise on the screen, and the loop around a hole runs counter-clockwise. In an
///   engine with y upward, the same points of an outer loop run counter-clockwise. Reading the points
///   backward turns a loop around.
/// * **Diagonals.** Solid cells that share only a corner are not connected there: at this corner two loops
///   touch, or one loop passes twice. Passable cells that share only a corner are connected there, and belong
///   to the same hole.
/// * **Order.** Loops are sorted by their top, then by the left end of their top edge, so a loop comes after
///   its parent. No three consecutive points of a loop are on a line.
/// * **No crossings.** Two edges share at most an end point: they never cross, and never touch elsewhere.
///
/// A point takes 8 bytes, and a loop 16.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlines {
    points: Vec<IVec2>,
    /// For each loop, the end of its points in `points` (exclusive), and the index of its parent or
    /// [`trace::NONE`].
    ends: Vec<(usize, u32)>,
}

/// A closed loop of [`Outlines`]. The last point is joined to the first point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop<'o> {
    /// The points of the loop in order, in pixels.
    pub points: &'o [IVec2],
    /// For a hole, the index of the outer loop of the solid around it. `None` for an outer loop.
    pub parent: Option<usize>,
}

/// A line of connected edges of a terrain's solids, from [`Terrain::chains_in`] and
/// [`Terrain::one_way_chains`]. It has the winding of [`Outlines`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The points, in pixels: at least two, and no three consecutive points on a line. The last point of a
    /// closed chain is joined to the first point.
    pub points: Vec<IVec2>,
    /// The point before the first point and the point after the last point on the same outline, each one cell
    /// away; `None` for a closed chain.
    ///
    /// Physics engines call them ghost vertices.
    pub ghosts: Option<[IVec2; 2]>,
}

impl Outlines {
    /// The loops, in the order of [`Outlines`].
    pub fn loops(&self) -> impl ExactSizeIterator<Item = Loop<'_>> {
        let mut start = 0;
        self.ends.iter().map(move |(end, parent)| Loop {
            points: &self.points[std::mem::replace(&mut start, *end)..*end],
            parent: Some(*parent as usize).filter(|_| *parent != trace::NONE),
        })
    }
}

impl Terrain {
    /// Returns boxes, in pixels, that together cover the solid cells, such as for drawing or as colliders of
    /// another engine.
    ///
    /// The boxes cover exactly the solid pixels inside the terrain, each pixel once. Pixels at `i32::MAX` and
    /// beyond are left out.
    ///
    /// A box consists of a run of solid cells in a row and the rows directly below with the same run. The
    /// boxes are sorted by their top, then by their left side. A box takes 16 bytes. O(runs), plus a search
    /// for the next run from each run, which skips empty cells.
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("####\n####\n#...")?, UVec2::new(16, 8))?;
    /// let floor = Aabb::from_xywh(0, 0, 64, 16);
    /// assert_eq!(terrain.rectangles(), [floor, Aabb::from_xywh(0, 16, 16, 8)]);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn rectangles(&self) -> Vec<Aabb> {
        self.rectangles_in(Aabb { min: IVec2::ZERO, max: IVec2::MAX })
    }

    /// Like [`Terrain::rectangles`], but only inside the box `area`, such as a camera's view or the box that
    /// an edit changed.
    ///
    /// Boxes that extend beyond `area` are cut off.
    pub fn rectangles_in(&self, area: Aabb) -> Vec<Aabb> {
        let end = self.size().min(UVec2::splat(i32::MAX as u32)).as_ivec2();
        let area = area.intersection(Aabb { min: IVec2::ZERO, max: end });
        if area.is_empty() {
            return Vec::new();
        }
        let min = self.cell_at(area.min).as_uvec2();
        let last = self.cell_at(area.max - 1).as_uvec2();
        let mut boxes = Vec::new();
        for [rows, columns] in self.grid().rectangles_in(min.x..last.x + 1, min.y..last.y + 1) {
            let first = self.cell_box(UVec2::new(columns.start, rows.start).as_ivec2());
            let last = self.cell_box(UVec2::new(columns.end - 1, rows.end - 1).as_ivec2());
            boxes.push(first.hull(last).intersection(area));
        }
        boxes
    }

    /// Returns the number of points in [`Terrain::outlines`], without making them.
    ///
    /// A small file can be a level of millions of points. A program that makes shapes of a level from
    /// elsewhere compares this number with a limit first: see
    /// [`Limits::check_points`](crate::Limits::check_points). The number also bounds the other shapes: there
    /// are at most as many [`Terrain::rectangles`], and all chains of one window with the whole level have as
    /// many points. Outlines take at most 12 bytes for each point, and some 30 while they are made. O(runs of
    /// solid cells in rows).
    ///
    /// ```
    /// use bitwall::{Grid, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("###\n#.#\n###")?, UVec2::new(16, 8))?;
    /// assert_eq!(terrain.corner_count(), 8, "an outer loop and a hole");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn corner_count(&self) -> u64 {
        let (columns, rows) = near_cells(self, self.grid().size());
        trace::corner_count(self.grid().runs_in(columns, rows))
    }

    /// Returns the outlines of all solids, with the winding and order of [`Outlines`].
    ///
    /// Cells outside the terrain count as passable here, also if [`Terrain::outside`] is solid, so each solid
    /// has a closed outline. If the outside is solid, add the border of a level of w x h pixels as one more
    /// loop with the winding of a hole: (0, 0), (0, h), (w, h), (w, 0). A coordinate beyond `i32::MAX`
    /// becomes `i32::MAX`.
    ///
    /// O(runs of solid cells in rows), in one pass over the rows (Capson, "An improved algorithm for the
    /// sequential extraction of boundaries from a raster scan", 1984). A sparse level takes a search for each
    /// run. For a world that is too large for one call, use [`Terrain::chains_in`] for one window after the
    /// other.
    ///
    /// ```
    /// use bitwall::{Grid, Terrain, glam::{IVec2, UVec2}};
    ///
    /// let terrain = Terrain::new(Grid::from_text("###\n#.#\n###")?, UVec2::new(16, 8))?;
    /// let outlines = terrain.outlines();
    /// let loops: Vec<_> = outlines.loops().collect();
    /// let points = |all: [[i32; 2]; 4]| all.map(IVec2::from);
    /// assert_eq!(loops[0].points, points([[0, 0], [48, 0], [48, 24], [0, 24]]), "clockwise");
    /// assert_eq!(loops[1].points, points([[32, 8], [16, 8], [16, 16], [32, 16]]));
    /// assert_eq!((loops[0].parent, loops[1].parent), (None, Some(0)));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn outlines(&self) -> Outlines {
        let (columns, rows) = near_cells(self, self.grid().size());
        trace::outlines(self.grid().runs_in(columns, rows), |corner| {
            point(corner, self.cell_size())
        })
    }

    /// Returns the edges of the solid cells in a window, which is a box in pixels, as chains.
    ///
    /// This is useful for a large level that is loaded, changed or drawn in parts. A cell belongs to the
    /// window that contains its top-left pixel, and an edge belongs to the window of its solid cell. So
    /// windows side by side together have each edge of the level once. Where a solid continues beyond the
    /// window, its chain is open.
    ///
    /// Cells outside the terrain count as passable, as in [`Terrain::outlines`]. After an edit, enlarge the
    /// changed box by one cell on each side, and call this function again for each window that overlaps it:
    /// the edges and ghost vertices of a cell depend on the cells around it. For a window with the whole
    /// level, the points are the points of [`Terrain::outlines`]. O(runs in the window + cells along its
    /// border).
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Terrain, glam::{IVec2, UVec2}};
    ///
    /// let floor = Terrain::new(Grid::from_text("......\n######")?, UVec2::splat(16))?;
    /// let left = &floor.chains_in(Aabb::from_xywh(0, 0, 48, 32))[0];
    /// let [before, after] = left.ghosts.expect("the floor goes on");
    /// assert_eq!(left.points, [[48, 32], [0, 32], [0, 16], [48, 16]].map(IVec2::from));
    /// assert_eq!((before, after), (IVec2::new(64, 32), IVec2::new(64, 16)));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn chains_in(&self, window: Aabb) -> Vec<Chain> {
        let cell = self.cell_size();
        // A cell belongs to the window that has its top-left pixel.
        let [first, end] = [window.min, window.max].map(|pixel| {
            let pixel = pixel.max(IVec2::ZERO).as_uvec2();
            UVec2::new(pixel.x.div_ceil(cell.x), pixel.y.div_ceil(cell.y))
        });
        let (columns, rows) = near_cells(self, end.min(self.grid().size()));
        let columns = first.x..columns.end;
        let rows = first.y..rows.end;
        if columns.is_empty() || rows.is_empty() {
            return Vec::new();
        }
        trace::chains(self.grid(), columns, rows, |corner| point(corner, cell))
    }

    /// Returns the edges on the side `side` of the cells that are one-way at this side, as open chains.
    ///
    /// There is one chain for each run of adjacent cells. A chain has the winding of [`Outlines`], as if its
    /// cells were solid, so the chain of a floor that is one-way at [`Dir::Up`] runs to the right. Its ghost
    /// vertices are one cell further along the line. O(runs of cells), plus a search for each row with a run.
    /// For [`Dir::Left`] and [`Dir::Right`] the cells are copied first.
    ///
    /// ```
    /// use bitwall::{Dir, Grid, Terrain, glam::{IVec2, UVec2}};
    ///
    /// let planks = Grid::from_text("....\n.##.")?;
    /// let terrain = Terrain::new(Grid::new(4, 2)?, UVec2::splat(16))?.with_one_way(Dir::Up, planks)?;
    /// let chains: Vec<_> = terrain.one_way_chains(Dir::Up).collect();
    /// assert_eq!(chains[0].points, [IVec2::new(16, 16), IVec2::new(48, 16)]);
    /// assert_eq!(terrain.one_way_chains(Dir::Left).count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn one_way_chains(&self, side: Dir) -> impl Iterator<Item = Chain> {
        let (columns, rows) = near_cells(self, self.grid().size());
        let runs: Vec<_> = match self.one_way(side) {
            None => Vec::new(),
            Some(guards) if matches!(side, Dir::Up | Dir::Down) => {
                guards.runs_in(columns, rows).collect()
            }
            Some(guards) => guards.transposed().runs_in(rows, columns).collect(),
        };
        runs.into_iter().map(move |(line, run)| self.one_way_chain(side, line, run))
    }

    /// The chain of a run of cells that are one-way at `side`. `line` is the row or column of the run.
    fn one_way_chain(&self, side: Dir, line: u32, run: Range<u32>) -> Chain {
        let line = line + u32::from(side.is_positive());
        let mut ends = [run.start, run.end].map(|place| {
            let is_level = matches!(side, Dir::Up | Dir::Down);
            let corner = if is_level { UVec2::new(place, line) } else { UVec2::new(line, place) };
            point(corner, self.cell_size())
        });
        if matches!(side, Dir::Down | Dir::Left) {
            ends.reverse();
        }
        let step = (ends[1] - ends[0]).signum() * self.cell_size().as_ivec2();
        let ghosts = [ends[0].saturating_sub(step), ends[1].saturating_add(step)];
        Chain { points: ends.to_vec(), ghosts: Some(ghosts) }
    }
}

/// The columns and rows of the cells before `end` whose top-left pixel is below `i32::MAX`.
fn near_cells(terrain: &Terrain, end: UVec2) -> (Range<u32>, Range<u32>) {
    let cell = terrain.cell_size();
    let near = i32::MAX as u32;
    (0..end.x.min(near.div_ceil(cell.x)), 0..end.y.min(near.div_ceil(cell.y)))
}

/// The point in pixels at a corner of cells. Each coordinate is at most `i32::MAX`.
fn point(corner: UVec2, cell: UVec2) -> IVec2 {
    // A side of a cell is at most 2^16 pixels, so the products fit an `i64`.
    (corner.as_i64vec2() * cell.as_i64vec2()).min(I64Vec2::splat(i32::MAX.into())).as_ivec2()
}

/// True if a cell is solid; false for a cell outside the grid.
fn is_solid(grid: &Grid, column: i64, row: i64) -> bool {
    let inside = u32::try_from(column).ok().zip(u32::try_from(row).ok());
    inside.is_some_and(|(column, row)| grid.is_solid(column, row))
}
