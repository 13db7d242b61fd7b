//! The collision picture: solid pixels are black, passable ones white.

use image::GrayImage;

use super::{MAX_GRAY_PIXELS, RenderError, checked_size, filled, room};
use crate::Level;

const SOLID: u8 = 0;
const PASSABLE: u8 = 255;

/// The level as a mask at a scale of 1: solid pixels are 0 (black), passable ones 255 (white).
///
/// Loaded again as a mask, it answers every query as the level does. Areas are left out, also those that stop
/// some bodies.
///
/// ```
/// use bitwall::glam::UVec2;
/// use bitwall::{Grid, Level, render};
///
/// let level = Level::from_grid(Grid::from_text("#.")?, UVec2::new(2, 1))?;
/// let picture = render::collision(&level)?;
/// assert_eq!(picture.as_raw(), &[0, 0, 255, 255]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RenderError::TooManyPixels`] beyond [`MAX_GRAY_PIXELS`].
pub fn collision(level: &Level) -> Result<GrayImage, RenderError> {
    let (grid, cell) = (level.grid(), level.cell_size());
    let size = level.size();
    let size = checked_size(u64::from(size.x), u64::from(size.y), 1, MAX_GRAY_PIXELS)?;
    let mut bytes = room(size, 1)?;
    for row in 0..grid.height() {
        let start = bytes.len();
        for column in 0..grid.width() {
            let shade = if grid.is_solid(column, row) { SOLID } else { PASSABLE };
            bytes.resize(bytes.len() + cell.x as usize, shade);
        }
        let end = bytes.len();
        for _ in 1..cell.y {
            bytes.extend_from_within(start..end);
        }
    }
    Ok(filled(size, bytes))
}
