//! The collision picture: solid pixels are black, passable ones white.

use image::GrayImage;

use super::budget::{self, STEPS_A_GRAY_PIXEL};
use super::options::DrawOptions;
use super::plan::Plan;
use super::rect::Rect;
use super::shrink::shrunk;
use super::{MAX_GRAY_PIXELS, RenderError, enlarge, filled, room};
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
    collision_with(level, &DrawOptions::default())
}

/// As [`collision()`], with the region, the scale or the box to fit of the options; the others do not count.
/// A reduced picture has shades of gray and is no mask. The region is
/// in pixels of the level, also if that is in the own space of an isometric or oblique map. O(pixels).
///
/// # Errors
/// As [`collision()`], and [`RenderError::EmptyRegion`].
pub fn collision_with(level: &Level, options: &DrawOptions<'_>) -> Result<GrayImage, RenderError> {
    let plan = Plan::new(level.size().as_u64vec2(), options, MAX_GRAY_PIXELS)?;
    budget::check(plan.drawn(), STEPS_A_GRAY_PIXEL, options.work)?;
    let picture = part(level, plan.frame)?;
    match plan.scale.reduced {
        1 => enlarge(picture, plan.scale.enlarged),
        _ => shrunk(&picture, plan.size),
    }
}

/// A part of the level at a scale of 1, which must not reach beyond it.
fn part(level: &Level, window: Rect) -> Result<GrayImage, RenderError> {
    let (grid, cell) = (level.grid(), level.cell_size());
    let size = window.pixels();
    let mut bytes = room(size, 1)?;
    let (min, max) = (window.min.as_u64vec2(), window.max.as_u64vec2());
    let mut y = min.y;
    while y < max.y {
        let row = y / u64::from(cell.y);
        let below = ((row + 1) * u64::from(cell.y)).min(max.y);
        let start = bytes.len();
        let first = min.x / u64::from(cell.x);
        let (mut x, mut cells) = (min.x, 0);
        for column in first..max.x.div_ceil(u64::from(cell.x)) {
            if (column - first) % 64 == 0 {
                cells = grid.row_word(column as i64, row as u32);
            }
            let shade = if cells & 1 != 0 { SOLID } else { PASSABLE };
            cells >>= 1;
            let right = ((column + 1) * u64::from(cell.x)).min(max.x);
            bytes.resize(bytes.len() + (right - x) as usize, shade);
            x = right;
        }
        let end = bytes.len();
        for _ in y + 1..below {
            bytes.extend_from_within(start..end);
        }
        y = below;
    }
    Ok(filled(size, bytes))
}
