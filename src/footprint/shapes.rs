//! Footprints that are computed: rectangles, discs and capsules. They are computed in integers, so no pixel
//! depends on rounding.

use std::ops::Range;

use glam::{UVec2, Vec2Swizzles as _};

use super::{Footprint, FootprintError, check_size};
use crate::grid::low_bits;

impl Footprint {
    /// A full rectangle. It answers like the [`Aabb`](crate::Aabb) of this size.
    ///
    /// # Errors
    /// [`FootprintError::Empty`] if a side is 0, [`FootprintError::TooLarge`] beyond
    /// [`Footprint::MAX_SIDE`].
    pub fn rectangle(size: UVec2) -> Result<Self, FootprintError> {
        Self::from_rows(size, |_| 0..size.x)
    }

    /// The pixels whose centre lies in a circle of this diameter, which fills its square. It is the same
    /// after every quarter turn and reflection. (No centre lies on the circle.)
    ///
    /// ```
    /// use bitwall::Footprint;
    ///
    /// let disc = Footprint::circle(5)?;
    /// assert_eq!(disc.grid().to_string(), ".###.\n#####\n#####\n#####\n.###.");
    /// # Ok::<(), bitwall::footprint::FootprintError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Footprint::rectangle`].
    pub fn circle(diameter: u32) -> Result<Self, FootprintError> {
        Self::capsule(UVec2::splat(diameter))
    }

    /// A rectangle with half of a [`Footprint::circle`] at both ends of its longer side; a circle if neither
    /// side is longer.
    ///
    /// # Errors
    /// As [`Footprint::rectangle`].
    pub fn capsule(size: UVec2) -> Result<Self, FootprintError> {
        check_size(size)?;
        if size.x > size.y {
            return Ok(Self::capsule(size.yx())?.turned());
        }
        let (diameter, straight) = (size.x, size.y - size.x);
        let radius = diameter / 2;
        Self::from_rows(size, |row| {
            if row < radius {
                disc_row(diameter, row)
            } else if row >= size.y - radius {
                disc_row(diameter, row - straight)
            } else {
                0..diameter
            }
        })
    }

    /// The pixels of these columns in each row.
    fn from_rows(size: UVec2, columns: impl Fn(u32) -> Range<u32>) -> Result<Self, FootprintError> {
        Self::from_words(size, |x, y| {
            let columns = columns(y);
            let before = |column: u32| low_bits(i64::from(column) - i64::from(x));
            before(columns.end) & !before(columns.start)
        })
    }
}

/// The columns of a row of a disc. In half pixels from the centre, a pixel's centre lies at 2 c + 1 - d; so
/// squares of odd and of even numbers are never equal, and no centre is on the circle.
fn disc_row(diameter: u32, row: u32) -> Range<u32> {
    let [d, row] = [diameter, row].map(u64::from);
    let down = (2 * row + 1).abs_diff(d);
    let reach = (d * d - down * down).isqrt();
    let start = ((d - reach) / 2) as u32;
    start..diameter - start
}
