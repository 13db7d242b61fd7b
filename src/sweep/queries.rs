//! The queries of a terrain: motions, overlaps, lines of sight, the nearest solid, clearance and area.
//!
//! A one-way cell is not solid; it only stops motions across its guarded edge. No query fails or allocates.

use glam::{IVec2, UVec2};

use super::collider::Collider;
use super::config_space::ConfigSpace;
use super::contact::Sweep;
use super::edge_lines::{EdgeLines, NO_LINES};
use super::frame::strip;
use super::nearest::{self, NearestSolid};
use super::ray::{self, RayHit};
use super::terrain::Terrain;
use super::{batch, kernel, one_way};
use crate::geometry::{Aabb, Corners, Dir};

impl Terrain {
    /// True exactly if no solid pixel lies in the strip that the leading edge of `body` sweeps as it moves
    /// `step` pixels toward `dir`: all of the strip, not only its end.
    ///
    /// So a wall of one pixel is never skipped, however long the step. A step of 0 is always allowed. A body
    /// that starts inside a solid may leave it but not go on through it, because only the swept strip counts.
    /// A body without extent across its motion sweeps no pixel; one without extent along it sweeps like any
    /// other. Every position and step has an answer; no float and no tolerance enters it. A few nanoseconds
    /// for a step of up to 8 cells by a box of up to 64; O(words that the strip covers) for a longer one.
    ///
    /// A footprint has a leading edge at the end of each run of pixels, inner runs included. Toward right
    /// these edges sweep the `step` pixels beyond the right end of each run of a row. So a footprint that
    /// overlaps no solid moves until one of its pixels would overlap one. Each run crosses one-way cells by
    /// itself. O(rectangles of the footprint), each as a box.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("..........#.........")?, UVec2::ONE)?;
    /// let body = Aabb::from_xywh(0, 0, 4, 1);
    /// assert!(terrain.can_move(body, Dir::Right, 6));
    /// assert!(!terrain.can_move(body, Dir::Right, 12), "the wall at x 10 is in the way");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    #[inline]
    pub fn can_move(&self, body: impl Collider, dir: Dir, step: u32) -> bool {
        body.can_move(self, dir, step)
    }

    /// The distance that `body` can move toward `dir`, at most `step` pixels, and the contact that stops it.
    /// It is the largest distance for which [`Terrain::can_move`] is true. Of the cells that stop a
    /// footprint, the contact is the one in the lowest row, and there in the lowest column. O(words that the
    /// strip covers).
    #[inline]
    pub fn sweep(&self, body: impl Collider, dir: Dir, step: u32) -> Sweep {
        body.sweep(self, dir, step)
    }

    /// True if some pixel of `body` is solid, inside the terrain or outside it. False for an empty box.
    /// O(words that the box or footprint covers); with cells larger than a pixel a footprint takes up to 33
    /// times that.
    #[inline]
    pub fn overlaps(&self, body: impl Collider) -> bool {
        body.overlaps(self)
    }

    /// True if the pixel is solid, inside the terrain or outside it.
    #[inline]
    pub fn is_solid(&self, point: IVec2) -> bool {
        kernel::is_solid(&self.grid, &self.frame, point)
    }

    /// The first solid pixel on the straight line from the centre of the pixel `from` to that of the pixel
    /// `to`, both included; `None` if there is none.
    ///
    /// The line visits exactly the pixels whose inside it crosses, in order. With [`Corners::Block`] it also
    /// visits the two beside each corner that it passes through, the one in the lower row first, before the
    /// pixel beyond the corner. A map of tiles answers like the mask drawn from it. Outside the terrain
    /// [`Terrain::outside`] decides, at no cost. O(words that the line touches): one for each row that it
    /// crosses, or each column if these are fewer, and one for each 64 cells along them. In a sparse grid,
    /// and on lines of 2^30 pixels or more, at most log2(64) = 6 times that among solids.
    ///
    /// The line goes from row to row by runs of cells, as in Bresenham, "Run length slice algorithm for
    /// incremental lines", 1985.
    ///
    /// ```
    /// use bitwall::{geometry::Corners, glam::{IVec2, UVec2}, Grid, Terrain};
    ///
    /// let terrain = Terrain::new(Grid::from_text("....\n..#.\n....")?, UVec2::splat(10))?;
    /// let hit = terrain.ray(IVec2::new(5, 15), IVec2::new(35, 15), Corners::Block).expect("the block");
    /// assert_eq!((hit.pixel, hit.cell), (IVec2::new(20, 15), IVec2::new(2, 1)));
    /// assert_eq!(hit.normal, IVec2::NEG_X);
    /// assert_eq!((hit.numerator, hit.denominator), (29, 60), "14.5 pixels of 30");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    #[inline]
    pub fn ray(&self, from: IVec2, to: IVec2, corners: Corners) -> Option<RayHit> {
        ray::ray(&self.grid, &self.frame, from, to, corners)
    }

    /// True if no pixel on the straight line between the centres of two pixels is solid, both included:
    /// [`Terrain::ray`] meets nothing. The order of the two does not matter.
    #[inline]
    pub fn line_of_sight(&self, one: IVec2, other: IVec2, corners: Corners) -> bool {
        ray::is_clear(&self.grid, &self.frame, one, other, corners)
    }

    /// The smallest distance, at most `limit`, toward `dir` at which `body` overlaps no solid. Solids on the
    /// path there do not count. It is 0 for a body that is free, and `None` if there is no such place in the
    /// range of `i32`. O(words that the body covers) for each solid cell on the path, at most.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text(".##.##....")?, UVec2::ONE)?;
    /// let body = Aabb::from_xywh(1, 0, 2, 1);
    /// assert_eq!(terrain.nearest_free(body, Dir::Right, 9), Some(5), "the gap at x 3 is too small");
    /// assert_eq!(terrain.nearest_free(body, Dir::Right, 4), None);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    #[inline]
    pub fn nearest_free(&self, body: impl Collider, dir: Dir, limit: u32) -> Option<u32> {
        body.nearest_free(self, dir, limit)
    }

    /// The solid pixel whose centre is nearest to that of `point`, at most `radius` pixels away, inside the
    /// terrain or outside it. O(words of the rows within the distance found, and of the lines straight to the
    /// four sides).
    ///
    /// ```
    /// use bitwall::{Grid, Outside, Terrain, glam::IVec2, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("...\n..#")?, UVec2::splat(10))?;
    /// let terrain = terrain.with_outside(Outside::Open);
    /// let nearest = terrain.nearest_solid(IVec2::new(17, 6), 40).expect("the block");
    /// assert_eq!((nearest.pixel, nearest.distance_squared), (IVec2::new(20, 10), 25));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn nearest_solid(&self, point: IVec2, radius: u32) -> Option<NearestSolid> {
        nearest::nearest_solid(&self.grid, &self.frame, point, radius)
    }

    /// The largest distance, at most `limit` pixels, by which `body` can grow on all four sides without
    /// overlapping a solid. It is 0 if the body overlaps or touches one, even in a corner. O(log limit)
    /// tests, each of the words of the grown box.
    pub fn clearance(&self, body: Aabb, limit: u32) -> u32 {
        kernel::clearance(&self.grid, &self.frame, body, limit)
    }

    /// The first solid pixel that `body` covers: in the lowest row, and there in the lowest column. The cost
    /// is that of [`Terrain::overlaps`].
    pub fn first_overlap(&self, body: impl Collider) -> Option<IVec2> {
        body.first_overlap(self)
    }

    /// The number of solid pixels that `body` covers, inside the terrain and outside it. O(words that it
    /// covers).
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("..\n##")?, UVec2::splat(10))?;
    /// let body = Aabb::from_xywh(-1, 5, 4, 8);
    /// assert_eq!(terrain.solid_area(body), 3 * 3 + 8, "the floor, and a column outside");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn solid_area(&self, body: impl Collider) -> u64 {
        body.solid_area(self)
    }

    /// The share of the pixels of `body` that is solid, 0 to 1; 0 for an empty box. The cost is that of
    /// [`Terrain::solid_area`].
    pub fn solid_share(&self, body: impl Collider) -> f64 {
        self.solid_area(body) as f64 / body.pixel_count().max(1) as f64
    }

    /// The direction out of the solids that `body` overlaps, toward the body. It is not a unit vector, and a
    /// component is 0 if the area is the same in both directions of its axis.
    ///
    /// x is the area that it would overlap one pixel further left minus that one pixel further right, y that
    /// one further up minus that one further down. See
    /// [`Footprint::overlap_normal`](crate::Footprint::overlap_normal).
    ///
    /// ```
    /// use bitwall::{Footprint, Grid, Terrain, glam::IVec2, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("....\n....\n####")?, UVec2::splat(8))?;
    /// let ball = Footprint::circle(8)?;
    /// let normal = terrain.overlap_normal(ball.at(IVec2::new(12, 10)));
    /// assert_eq!(normal.signum(), IVec2::NEG_Y, "up, out of the floor");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_normal(&self, body: impl Collider) -> IVec2 {
        body.overlap_normal(self)
    }

    /// As [`Terrain::sweep`], through one-way cells.
    #[inline]
    pub fn sweep_through_one_way(&self, body: impl Collider, dir: Dir, step: u32) -> Sweep {
        body.sweep_through_one_way(self, dir, step)
    }

    /// The queries for boxes of `size` pixels, two to four times as fast: see [`ConfigSpace`].
    ///
    /// The first call for a size makes its lines, in O(cells / 64), whatever it covers: about as long as
    /// 100,000 queries for 4096 x 4096 cells. A later call finds them. They take 2 bits a pixel of a mask,
    /// and 4 bits a tile, whatever its size; half as much more for each side that one-way cells guard; and 16
    /// bytes for each line. An edit brings them up to date, at the cost of the edit and of the body, and
    /// [`Terrain::set_outside`] makes them anew.
    ///
    /// They stay until [`Terrain::drop_config_spaces`], [`Terrain::with_outside`] or
    /// [`Terrain::with_one_way`] gives them up. A clone of the terrain starts without them. Those of all
    /// sizes take at most [`Terrain::MAX_CONFIG_SPACE_BYTES`]: beyond that a size has none.
    pub fn config_space(&self, size: UVec2) -> ConfigSpace<'_> {
        let size = size.min(UVec2::splat(i32::MAX as u32)).as_ivec2();
        let make = || {
            let source = self.source();
            let bytes = EdgeLines::bytes_of(&source, size)?;
            self.spaces.find_or_make(size, bytes, || EdgeLines::new(&source, size))
        };
        ConfigSpace::new(self, size, self.spaces.find(size).or_else(make).unwrap_or(&NO_LINES))
    }

    /// The configuration space for boxes of `size` pixels, if [`Terrain::config_space`] has made its lines.
    #[inline]
    pub(crate) fn known_config_space(&self, size: IVec2) -> Option<ConfigSpace<'_>> {
        self.spaces.find(size).map(|lines| ConfigSpace::new(self, size, lines))
    }

    /// [`Terrain::can_move`] of many boxes, each with its direction and step. The answer of query q is bit
    /// q % 64 of `free[q / 64]`; bits past the last answer in its word are 0. Returns the number of answers:
    /// that of the shortest slice, of which `free` takes 64 a word.
    ///
    /// With feature `rayon` the cores share more than 4,096 queries. The answers are the same.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("...#")?, UVec2::splat(8))?;
    /// let bodies = [0, 8, 16].map(|x| Aabb::from_xywh(x, 0, 8, 8));
    /// let mut free = [0];
    /// assert_eq!(terrain.can_move_batch(&bodies, &[Dir::Right; 3], &[4; 3], &mut free), 3);
    /// assert_eq!(free, [0b011]);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn can_move_batch(
        &self,
        bodies: &[Aabb],
        dirs: &[Dir],
        steps: &[u32],
        free: &mut [u64],
    ) -> usize {
        let count = bodies.len().min(dirs.len()).min(steps.len());
        batch::bits(free, count, |at| self.can_move(bodies[at], dirs[at], steps[at]))
    }

    /// True if the leading edge of `body` crosses a guarded edge that faces it on `step` pixels toward `dir`.
    pub(crate) fn crosses_one_way(&self, body: Aabb, dir: Dir, step: u32) -> bool {
        self.guards.as_ref().is_some_and(|guards| {
            let grid = guards.get(dir.opposite());
            !one_way::is_clear(grid, &self.frame, dir, &strip(body, dir, step))
        })
    }

    /// The solid pixels among the 64 from (`x`, `y`) to the right, bit 0 the first, inside the terrain or
    /// outside it.
    #[inline]
    pub(crate) fn row_word(&self, x: i64, y: i64) -> u64 {
        kernel::row_word(&self.grid, &self.frame, x, y)
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::GridBuilder;
    use crate::{Aabb, Footprint, Grid, Outside, Terrain, geometry::Corners};
    use glam::{IVec2, UVec2};

    fn open(grid: Grid) -> Terrain {
        let terrain = Terrain::new(grid, UVec2::new(2, 3)).unwrap();
        terrain.with_outside(Outside::Open)
    }

    #[test]
    fn a_sparse_terrain_answers_like_a_dense_one() {
        let mut random = fastrand::Rng::with_seed(61);
        for _ in 0..60 {
            let mut grid = Grid::new(300, 200).unwrap();
            for _ in 0..random.u32(0..60) {
                grid.set(random.u32(0..300), random.u32(0..200), true).unwrap();
            }
            let mut builder = GridBuilder::new(1 << 25, 1 << 25).unwrap();
            builder.or_grid(&grid, IVec2::ZERO).unwrap();
            let (dense, sparse) = (open(grid), open(builder.finish().unwrap()));
            assert!(sparse.grid().is_sparse());
            let ball = Footprint::circle(70).unwrap();
            for _ in 0..40 {
                let mut pixel = || IVec2::new(random.i32(-99..700), random.i32(-99..700));
                let (from, to) = (pixel(), pixel());
                let far = from + (to - from) * 100_000;
                for (one, other) in [(from, to), (far, from), (from, far)] {
                    let hit = |terrain: &Terrain| terrain.ray(one, other, Corners::Block);
                    assert_eq!(hit(&sparse), hit(&dense));
                }
                let nearest = |terrain: &Terrain| terrain.nearest_solid(from, 400);
                assert_eq!(nearest(&sparse), nearest(&dense));
                let area = Aabb { min: from.min(to), max: from.max(to) };
                assert_eq!(sparse.solid_area(area), dense.solid_area(area));
                assert_eq!(sparse.clearance(area, 99), dense.clearance(area, 99));
                let first = |terrain: &Terrain| terrain.first_overlap(ball.at(from));
                assert_eq!(first(&sparse), first(&dense));
            }
        }
    }

    #[test]
    fn queries_of_empty_space_take_no_time() {
        let mut builder = GridBuilder::new(u32::MAX / 2, u32::MAX / 3).unwrap();
        builder.fill(9..10, 9..10).unwrap();
        let terrain = open(builder.finish().unwrap());
        for (from, to) in [(IVec2::MIN, IVec2::MAX), (IVec2::new(-5, 90), IVec2::MAX)] {
            assert!(terrain.line_of_sight(from + IVec2::Y * 90, to, Corners::Block));
        }
        let far = IVec2::new(i32::MIN, 2_000_000_000);
        assert_eq!(terrain.nearest_solid(far, u32::MAX).unwrap().pixel, IVec2::new(18, 29));
        let everything = Aabb { min: IVec2::MIN, max: IVec2::MAX };
        assert_eq!(terrain.solid_area(everything), 6);
    }
}
