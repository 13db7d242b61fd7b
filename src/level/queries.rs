//! What else can be asked of a level: lines of sight, the nearest solid, room around a box, solid area.
//!
//! Of solid pixels only: a one-way cell is not solid, it stops motion across its edge.

use glam::IVec2;

use crate::Level;
use crate::geometry::{Aabb, Corners};
use crate::sweep::{NearestSolid, RayHit, area, nearest, ray};

impl Level {
    /// The first solid pixel on the straight line from the centre of the pixel `from` to that of the pixel
    /// `to`, both of them included; `None` if there is none.
    ///
    /// The line visits exactly the pixels whose inside it crosses, in order, and with [`Corners::Block`]
    /// also the two beside each corner that it passes through, first the one in the lower row, before the
    /// one beyond. A map of tiles answers like the mask drawn from it. Outside the level the line goes on as
    /// [`Level::outside`] says, in no time. O(words that the line touches) where nothing is solid, and a
    /// factor of at most the logarithm of 64 more where something is.
    ///
    /// The cells of a row that a line crosses: Amanatides and Woo, "A fast voxel traversal algorithm for ray
    /// tracing", 1987, here with exact divisions for its sums of floats.
    ///
    /// ```
    /// use bitwall::{Corners, Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("....\n..#.\n....")?, UVec2::splat(10))?;
    /// let hit = level.ray(IVec2::new(5, 15), IVec2::new(35, 15), Corners::Block).expect("the block");
    /// assert_eq!((hit.pixel, hit.cell), (IVec2::new(20, 15), IVec2::new(2, 1)));
    /// assert_eq!(hit.normal, IVec2::NEG_X);
    /// assert_eq!((hit.numerator, hit.denominator), (29, 60), "14.5 pixels of 30");
    /// # Ok::<(), bitwall::GridError>(())
    /// ```
    pub fn ray(&self, from: IVec2, to: IVec2, corners: Corners) -> Option<RayHit> {
        ray::ray(&self.grid, &self.frame, from, to, corners)
    }

    /// True if no pixel on the straight line between the centres of two pixels is solid, they themselves
    /// included: [`Level::ray`] meets nothing. The same with the two exchanged.
    pub fn line_of_sight(&self, one: IVec2, other: IVec2, corners: Corners) -> bool {
        self.ray(one, other, corners).is_none()
    }

    /// The solid pixel whose centre is nearest to that of `point`, at most `radius` pixels away, inside the
    /// level or outside it. O(words of the rows within the distance found), and those straight to the four
    /// sides.
    ///
    /// ```
    /// use bitwall::{Grid, Level, Outside, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("...\n..#")?, UVec2::splat(10))?;
    /// let level = level.with_outside(Outside::Open);
    /// let nearest = level.nearest_solid(IVec2::new(17, 6), 40).expect("the block");
    /// assert_eq!((nearest.pixel, nearest.distance_squared), (IVec2::new(20, 10), 25));
    /// # Ok::<(), bitwall::GridError>(())
    /// ```
    pub fn nearest_solid(&self, point: IVec2, radius: u32) -> Option<NearestSolid> {
        nearest::nearest_solid(&self.grid, &self.frame, point, radius)
    }

    /// The largest distance, at most `limit` pixels, by which `body` can grow on all four sides without
    /// overlapping a solid: the free room around it. 0 if it overlaps or touches one, in a corner too.
    /// O(log limit), each time the words of the box as grown.
    pub fn clearance(&self, body: Aabb, limit: u32) -> u32 {
        area::clearance(&self.grid, &self.frame, body, limit)
    }

    /// The number of solid pixels of `area`, inside the level and outside it. O(words that the area covers).
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Level, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("..\n##")?, UVec2::splat(10))?;
    /// let body = Aabb::from_xywh(-1, 5, 4, 8);
    /// assert_eq!(level.solid_area(body), 3 * 3 + 8, "the floor, and a column outside");
    /// # Ok::<(), bitwall::GridError>(())
    /// ```
    pub fn solid_area(&self, area: Aabb) -> u64 {
        area::solid_area(&self.grid, &self.frame, area)
    }

    /// The part of the pixels of `area` that is solid, 0 to 1; 0 for an empty area. As [`Level::solid_area`].
    pub fn solid_share(&self, area: Aabb) -> f64 {
        let pixels = u64::from(area.width()) * u64::from(area.height());
        self.solid_area(area) as f64 / pixels.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::GridBuilder;
    use crate::{Aabb, Corners, Footprint, Grid, Level, Outside};
    use glam::{IVec2, UVec2};

    fn open(grid: Grid) -> Level {
        let level = Level::from_grid(grid, UVec2::new(2, 3)).unwrap();
        level.with_outside(Outside::Open)
    }

    #[test]
    fn a_level_that_keeps_blocks_answers_like_one_that_does_not() {
        let mut random = fastrand::Rng::with_seed(61);
        for _ in 0..60 {
            let mut grid = Grid::new(300, 200).unwrap();
            for _ in 0..random.u32(0..60) {
                grid.set(random.u32(0..300), random.u32(0..200), true);
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
                    let hit = |level: &Level| level.ray(one, other, Corners::Block);
                    assert_eq!(hit(&sparse), hit(&dense));
                }
                let nearest = |level: &Level| level.nearest_solid(from, 400);
                assert_eq!(nearest(&sparse), nearest(&dense));
                let area = Aabb {
                    min: from.min(to),
                    max: from.max(to),
                };
                assert_eq!(sparse.solid_area(area), dense.solid_area(area));
                assert_eq!(sparse.clearance(area, 99), dense.clearance(area, 99));
                let first = |level: &Level| level.footprint_first_overlap(&ball, from);
                assert_eq!(first(&sparse), first(&dense));
            }
        }
    }

    #[test]
    fn what_is_empty_takes_no_time() {
        let mut builder = GridBuilder::new(u32::MAX / 2, u32::MAX / 3).unwrap();
        builder.fill(9..10, 9..10).unwrap();
        let level = open(builder.finish().unwrap());
        for (from, to) in [(IVec2::MIN, IVec2::MAX), (IVec2::new(-5, 90), IVec2::MAX)] {
            assert!(level.line_of_sight(from + IVec2::Y * 90, to, Corners::Block));
        }
        let far = IVec2::new(i32::MIN, 2_000_000_000);
        assert_eq!(
            level.nearest_solid(far, u32::MAX).unwrap().pixel,
            IVec2::new(18, 29)
        );
        let everything = Aabb {
            min: IVec2::MIN,
            max: IVec2::MAX,
        };
        assert_eq!(level.solid_area(everything), 6);
    }
}
