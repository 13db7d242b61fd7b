//! The solids of a terrain as shapes for other programs: rectangles, outlines and chains of edges, for the
//! colliders of a physics engine, for light and shadow, and for drawing. All shapes are exact, in whole
//! pixels; no query of a level uses them. Polygons of single tiles and objects are not here: the loaders know
//! them.

mod fewest;
mod simplify;
mod trace;

use std::ops::Range;

use glam::{IVec2, UVec2};

use crate::geometry::{Aabb, Dir, subpixels};
use crate::grid::Grid;
use crate::terrain::Terrain;

/// The outlines of a terrain's solids: closed loops of points, from [`Terrain::outlines`].
///
/// # Guarantees
/// * **Winding.** The solid is on the right of each edge, as seen along the edge with y downward. So an outer
///   loop runs clockwise on the screen, and the loop around a hole counter-clockwise. Seen with y upward, an
///   outer loop of the same points runs counter-clockwise. [`Outlines::reversed`] turns all loops around.
/// * **Diagonal.** Solids are joined by edges, not by corners: two cells that share only a corner belong to
///   two loops that touch there, or to two visits of one loop. Passable cells that share only a corner are
///   parts of one hole for the same reason.
/// * **Order.** Loops are sorted by their top, then from the left, so a loop comes after its parent. Loops
///   of exact outlines have no three points on a line.
/// * **Apart.** Two edges share at most an end: no edge crosses another one, or touches it elsewhere.
///
/// A point takes 8 bytes, and a loop 16.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlines {
    points: Vec<IVec2>,
    /// For each loop the index past its last point, and the index of its parent or [`trace::NONE`].
    ends: Vec<(usize, u32)>,
}

/// One closed loop of [`Outlines`]. The last point is joined to the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop<'o> {
    /// The points, in pixels.
    pub points: &'o [IVec2],
    /// For a hole the index of the outer loop around its solid; `None` for an outer loop.
    pub parent: Option<usize>,
}

/// A line of edges of a terrain's solids, from [`Terrain::chains_in`] and [`Terrain::one_way_chains`]. Its
/// winding is that of [`Outlines`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The points, in pixels: at least two, and no three on a line. The last point of a closed chain is
    /// joined to the first one.
    pub points: Vec<IVec2>,
    /// The points before the first and after the last one on the same outline, each one cell away; `None`
    /// for a closed chain. A physics engine calls them ghost points or ghost vertices.
    pub ghosts: Option<[IVec2; 2]>,
}

impl Outlines {
    /// The loops, in order.
    pub fn loops(&self) -> impl ExactSizeIterator<Item = Loop<'_>> {
        (0..self.ends.len()).map(|index| Loop {
            points: &self.points[self.range(index)],
            parent: Some(self.ends[index].1 as usize).filter(|_| self.ends[index].1 != trace::NONE),
        })
    }

    fn range(&self, index: usize) -> Range<usize> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before].0);
        start..self.ends[index].0
    }

    /// The same loops with the other winding: the solid is on the left of each edge, with y downward.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        for index in 0..self.ends.len() {
            let range = self.range(index);
            self.points[range].reverse();
        }
        self
    }

    /// The loops with fewer points: no point of an old outline is farther than `pixels` from the new edge
    /// that replaces its part of the outline, and no point of a new edge is farther from that part. `pixels`
    /// is rounded to a 65,536th; a negative number counts as 0, one above 65,536 as 65,536.
    ///
    /// The points are some of the old ones. The loops stay as they were to each other: no two edges cross or
    /// touch but in a common end, loops that share a point do not cross there, a loop keeps its winding, and
    /// it is in the same loops as before. Loops are neither joined nor dropped, so a loop has at least three
    /// points. At 0 all corners stay.
    ///
    /// A loop is split at its farthest point until each edge is near enough (Douglas and Peucker, 1973) and
    /// passes over no other point (de Berg, van Kreveld and Schirra, 1998), from which the rest follows. All
    /// in integers. O(n log n) for n points that are spread evenly.
    ///
    /// ```
    /// use bitwall::{Grid, Terrain, glam::UVec2};
    ///
    /// let stairs = Grid::from_text("#....\n##...\n###..\n####.\n#####")?;
    /// let outlines = Terrain::new(stairs, UVec2::ONE)?.outlines();
    /// assert_eq!(outlines.loops().next().expect("the stairs").points.len(), 12);
    /// let slope = outlines.simplified(1.0);
    /// let points = slope.loops().next().expect("the slope").points;
    /// assert_eq!(points.len(), 3, "{points:?}");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    #[must_use]
    pub fn simplified(&self, pixels: f32) -> Self {
        simplify::simplify(self, subpixels(pixels.clamp(0.0, 65_536.0)) as u64)
    }
}

impl Terrain {
    /// Returns the solid cells as few boxes, in pixels: to draw them, or as colliders of another engine. The
    /// boxes cover exactly the solid pixels inside the terrain, each pixel once. Pixels at `i32::MAX` and
    /// beyond are left out.
    ///
    /// A box is a run of solid cells in a row, with the rows right below it that have the same run. The boxes
    /// are sorted by their top, then by their left side. A box takes 16 bytes. O(runs), and a search from
    /// each run to the next, which skips empty cells.
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

    /// As [`Terrain::rectangles`], but only inside the box `area`, such as a camera's view, or the box that
    /// an edit changed. Boxes that extend beyond `area` are cut off.
    pub fn rectangles_in(&self, area: Aabb) -> Vec<Aabb> {
        let end = self.size().min(UVec2::splat(i32::MAX as u32)).as_ivec2();
        let area = area.intersection(Aabb { min: IVec2::ZERO, max: end });
        if area.is_empty() {
            return Vec::new();
        }
        let (min, last) =
            (self.cell_at(area.min).as_uvec2(), self.cell_at(area.max - 1).as_uvec2());
        let found = self.grid().rectangles_in(min.x..last.x + 1, min.y..last.y + 1);
        let pixels = |[rows, columns]: [Range<u32>; 2]| {
            let first = self.cell_area(UVec2::new(columns.start, rows.start).as_ivec2());
            let last = self.cell_area(UVec2::new(columns.end - 1, rows.end - 1).as_ivec2());
            first.hull(last).intersection(area)
        };
        found.into_iter().map(pixels).collect()
    }

    /// The solid cells as the fewest boxes, in pixels: mostly some 7% fewer than [`Terrain::rectangles`], and
    /// with the same cover and order. For colliders that are made once and kept.
    ///
    /// The cuts are the most chords between inner corners that do not meet, by a matching, and a horizontal
    /// cut at each inner corner that is left (Lipski and others, 1979; Ferrari, Sankar and Sklansky, 1984;
    /// Hopcroft and Karp, 1973; König, 1931). O(m * sqrt(c)) for c chords and m points where two of them
    /// meet, which takes 4 bytes each; about 16 times the time of `rectangles` on a level, and a second on
    /// noise of 2048 x 2048 cells.
    ///
    /// ```
    /// use bitwall::{Grid, Terrain, glam::UVec2};
    ///
    /// let cross = Terrain::new(Grid::from_text(".#.#.\n#####\n#####\n.#.#.")?, UVec2::ONE)?;
    /// assert_eq!((cross.rectangles().len(), cross.rectangles_fewest().len()), (5, 5));
    /// let comb = Terrain::new(Grid::from_text("##..\n####\n####\n##..")?, UVec2::ONE)?;
    /// assert_eq!((comb.rectangles().len(), comb.rectangles_fewest().len()), (3, 2));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn rectangles_fewest(&self) -> Vec<Aabb> {
        let (columns, rows) = near_cells(self, self.grid().size());
        let found = fewest::rectangles(self.grid(), columns, rows);
        let corner = |column, row| point(UVec2::new(column, row), self.cell_size());
        let pixels = |[rows, columns]: [Range<u32>; 2]| Aabb {
            min: corner(columns.start, rows.start),
            max: corner(columns.end, rows.end),
        };
        found.into_iter().map(pixels).collect()
    }

    /// The outlines of all solids: [`Outlines`] states winding and order.
    ///
    /// A cell outside the terrain counts as passable here, also if [`Terrain::outside`] is solid: so each
    /// solid has a closed outline, and the same one whatever lies beyond. For a solid outside add the border
    /// of the level as one more loop with the winding of a hole: (0, 0), (0, h), (w, h), (w, 0). A point
    /// beyond `i32::MAX` is moved there.
    ///
    /// O(runs of solid cells in rows), from row to row (Capson, "An improved algorithm for the sequential
    /// extraction of boundaries from a raster scan", 1984). A sparse level takes a search for each run; of a
    /// world too large for one call take [`Terrain::chains_in`] by windows.
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
        let place = |corner| point(corner, self.cell_size());
        trace::outlines(self.grid().runs_in(columns, rows), place)
    }

    /// The edges of the solid cells in a window of pixels, as chains: for a large level that is loaded,
    /// changed or drawn by parts. A cell belongs to the window that has its top-left pixel, and an edge to
    /// the window of its cell. So windows side by side have each edge of the level once, and none that is
    /// not an edge of the level: where a solid goes on beyond the window, its chain is open there.
    ///
    /// Cells outside the terrain count as passable, as in [`Terrain::outlines`]. After an edit, make those
    /// windows again that overlap the changed box when it is a cell larger on each side, because the edges
    /// and the ghost points of a cell depend on the cells around it. The window of a whole level gives the
    /// points of [`Terrain::outlines`]. O(runs in the window + cells along its border).
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
        let first = |pixel: IVec2| {
            let pixel = pixel.max(IVec2::ZERO).as_uvec2();
            UVec2::new(pixel.x.div_ceil(cell.x), pixel.y.div_ceil(cell.y))
        };
        let (columns, rows) = near_cells(self, first(window.max).min(self.grid().size()));
        let (columns, rows) = (first(window.min).x..columns.end, first(window.min).y..rows.end);
        if columns.is_empty() || rows.is_empty() {
            return Vec::new();
        }
        trace::chains(self.grid(), columns, rows, |corner| point(corner, cell))
    }

    /// The guarded edges of the one-way cells that guard their side `side`, as open chains: one for each run
    /// of such cells side by side. Each has the winding of [`Outlines`], as if its cells were solid, so a
    /// floor that guards [`Dir::Up`] runs to the right. Its ghost points are one cell on along the line.
    /// O(runs of cells). For [`Dir::Left`] and [`Dir::Right`] the cells are copied first.
    ///
    /// ```
    /// use bitwall::{Dir, Grid, Terrain, glam::{IVec2, UVec2}};
    ///
    /// let planks = Grid::from_text("....\n.##.")?;
    /// let terrain = Terrain::new(Grid::new(4, 2)?, UVec2::splat(16))?.with_one_way(Dir::Up, planks)?;
    /// let chains = terrain.one_way_chains(Dir::Up);
    /// assert_eq!(chains[0].points, [IVec2::new(16, 16), IVec2::new(48, 16)]);
    /// assert!(terrain.one_way_chains(Dir::Left).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn one_way_chains(&self, side: Dir) -> Vec<Chain> {
        let Some(guards) = self.one_way(side) else { return Vec::new() };
        let (columns, rows) = near_cells(self, guards.size());
        let is_level = matches!(side, Dir::Up | Dir::Down);
        let turned;
        let (grid, across, down) = match is_level {
            true => (guards, columns, rows),
            false => {
                turned = guards.transposed();
                (&turned, rows, columns)
            }
        };
        let chain = |(line, run): (u32, Range<u32>)| {
            let line = line + u32::from(side.is_positive());
            let corner = |place| match is_level {
                true => point(UVec2::new(place, line), self.cell_size()),
                false => point(UVec2::new(line, place), self.cell_size()),
            };
            let mut ends = [corner(run.start), corner(run.end)];
            if matches!(side, Dir::Down | Dir::Left) {
                ends.reverse();
            }
            let step = (ends[1] - ends[0]).signum() * self.cell_size().as_ivec2();
            let ghosts = [ends[0].saturating_sub(step), ends[1].saturating_add(step)];
            Chain { points: ends.to_vec(), ghosts: Some(ghosts) }
        };
        grid.runs_in(across, down).map(chain).collect()
    }
}

/// The columns and rows of the cells before `end` with a pixel before `i32::MAX`.
fn near_cells(terrain: &Terrain, end: UVec2) -> (Range<u32>, Range<u32>) {
    let cell = terrain.cell_size();
    let near = |end: u32, side: u32| 0..end.min((i32::MAX as u32).div_ceil(side));
    (near(end.x, cell.x), near(end.y, cell.y))
}

/// The pixel at the corner of a cell, at most `i32::MAX`.
fn point(corner: UVec2, cell: UVec2) -> IVec2 {
    let along = |place: u32, side: u32| {
        i32::try_from(u64::from(place) * u64::from(side)).unwrap_or(i32::MAX)
    };
    IVec2::new(along(corner.x, cell.x), along(corner.y, cell.y))
}

fn is_solid(grid: &Grid, column: i64, row: i64) -> bool {
    match (u32::try_from(column), u32::try_from(row)) {
        (Ok(column), Ok(row)) => grid.is_solid(column, row),
        _ => false,
    }
}
