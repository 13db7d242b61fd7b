//! Ways of a box through a level: to a place, and toward goals for a crowd.

use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::{Field as CoreField, Search};

use crate::level::Level;
use crate::{Error, Pixel, Result};
use crate::{bad, clamped, flat, number, points};

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
        let width = number("w", w, 1..=i32::MAX)?.cast_unsigned();
        let height = number("h", h, 1..=i32::MAX)?.cast_unsigned();
        Ok(Self { size: UVec2::new(width, height), search: Search::default() })
    }

    fn of<'l>(&self, level: &'l Level) -> Result<bitwall::Ways<'l>> {
        level.core().ways(self.size).map_err(Error::size)
    }

    /// Returns the shortest way of the box's top-left corner to a pixel: x and y of each of its points. Empty
    /// if there is none. `smooth` leaves out the points that a straight line can skip.
    pub fn path(
        &mut self,
        level: &Level,
        x: i32,
        y: i32,
        to_x: i32,
        to_y: i32,
        smooth: bool,
    ) -> Result<Vec<i32>> {
        let ways = self.of(level)?;
        let path = ways.path(IVec2::new(x, y), IVec2::new(to_x, to_y), &mut self.search);
        Ok(match path {
            Some(path) if smooth => flat(&path.smooth(&ways).points),
            Some(path) => flat(&path.points),
            None => Vec::new(),
        })
    }

    /// Returns the way as `path`, to the place that is nearest to the pixel if the pixel itself cannot be
    /// reached.
    pub fn path_toward(&mut self, level: &Level, x: i32, y: i32, to_x: i32, to_y: i32) -> Result<Vec<i32>> {
        let ways = self.of(level)?;
        let (from, to) = (IVec2::new(x, y), IVec2::new(to_x, to_y));
        let path = ways.path_toward(from, to, &mut self.search);
        Ok(path.map(|path| flat(&path.points)).unwrap_or_default())
    }

    /// True if the box with its top-left corner at a pixel overlaps no solid.
    pub fn is_free(&self, level: &Level, x: i32, y: i32) -> Result<bool> {
        Ok(self.of(level)?.is_free(IVec2::new(x, y)))
    }

    /// True if the box can go straight from one pixel to the other.
    pub fn sees(&self, level: &Level, x: i32, y: i32, to_x: i32, to_y: i32) -> Result<bool> {
        Ok(self.of(level)?.sees(IVec2::new(x, y), IVec2::new(to_x, to_y)))
    }

    /// Returns the free place that is nearest to a pixel.
    pub fn nearest(&self, level: &Level, x: i32, y: i32) -> Result<Pixel> {
        Ok(self.of(level)?.nearest(IVec2::new(x, y)).into())
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
        self.0.step(IVec2::new(x, y)).into()
    }

    /// Returns the length of the way to the nearest goal in pixels, of which a diagonal step has two; -1
    /// where no goal can be reached.
    pub fn distance(&self, x: i32, y: i32) -> i32 {
        self.0.distance(IVec2::new(x, y)).map_or(-1, clamped)
    }
}
