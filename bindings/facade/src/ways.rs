//! Ways of a box through a level: to a place, and toward goals for a crowd.

use bitwall::navigate::{Field as CoreField, Search};

use crate::*;

/// The shortest ways of boxes of one size. Prepare the size in the level first: then an edit redoes only its
/// part.
pub struct Ways {
    size: UVec2,
    search: Search,
}

/// The way of every free place to the nearest of some goals, for a crowd. An edit of the level does not
/// change it.
pub struct Field(CoreField);

impl Ways {
    /// Makes the ways of boxes of this size in pixels.
    pub fn new(w: i32, h: i32) -> Result<Self> {
        Ok(Self { size: sides(["w", "h"], [w, h], i32::MAX)?, search: Search::default() })
    }

    fn of<'l>(&self, level: &'l Level) -> Result<bitwall::Ways<'l>> {
        level.core().ways(self.size).map_err(Error::size)
    }

    /// Returns the shortest way of the box's top-left corner to a pixel: x and y of each of its points. Empty
    /// if there is none. `smooth` leaves out the points that a straight line can skip.
    pub fn path(
        &mut self, level: &Level, x: i32, y: i32, to_x: i32, to_y: i32, smooth: bool,
    ) -> Result<Vec<i32>> {
        let ways = self.of(level)?;
        let path = ways.path(IVec2::new(x, y), IVec2::new(to_x, to_y), &mut self.search);
        let path = path.map(|path| if smooth { path.smooth(&ways) } else { path });
        Ok(flat(path.iter().flat_map(|path| &path.points)))
    }

    /// Returns the way as `path`, to the place that is nearest to the pixel if the pixel itself cannot be
    /// reached.
    pub fn path_toward(&mut self, level: &Level, x: i32, y: i32, to_x: i32, to_y: i32) -> Result<Vec<i32>> {
        let ways = self.of(level)?;
        let (from, to) = (IVec2::new(x, y), IVec2::new(to_x, to_y));
        let path = ways.path_toward(from, to, &mut self.search);
        Ok(flat(path.iter().flat_map(|path| &path.points)))
    }

    /// Returns the field of the ways to the nearest of some goals: `goals` is x and y of each.
    pub fn field(&self, level: &Level, goals: &[i32]) -> Result<Field> {
        let goals = points("goals", goals)?;
        if goals.is_empty() {
            return Err(bad("goals", "empty", "x and y of each goal"));
        }
        Ok(Field(self.of(level)?.field(&goals)))
    }
}

impl Field {
    /// Returns the next step from a pixel: -1, 0 or 1 along each axis. None at a goal, and where no goal can
    /// be reached.
    pub fn step(&self, x: i32, y: i32) -> Pixel {
        Pixel::new(self.0.step(IVec2::new(x, y)))
    }

    /// Returns the length of the way to the nearest goal in pixels, of which a diagonal step has two; -1
    /// where no goal can be reached.
    pub fn distance(&self, x: i32, y: i32) -> i32 {
        clamped(self.0.distance(IVec2::new(x, y)))
    }
}
