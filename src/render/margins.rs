//! The rulers and the legend around a picture. They are drawn last, on a sheet that has room for them.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use glam::UVec2;
use image::RgbaImage;

use super::ink::{Ink, Paint};
use super::legend::Legend;
use super::rulers::Rulers;
use super::{MAX_PIXELS, RenderError, checked_size, filled};

/// Beside a picture that is narrower than its legend.
const EMPTY: Ink = Ink::new(28, 30, 40);

/// The margins around a picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Margins {
    pub(super) rulers: Option<Rulers>,
    pub(super) legend: Option<Legend>,
}

impl Margins {
    /// The picture with its margins, of at most twice [`MAX_PIXELS`]. The legend tells the number of labels
    /// that had no room, `left_out`. The picture's own memory grows, so that there are never two of them.
    pub(super) fn around(
        mut self,
        picture: RgbaImage,
        left_out: usize,
    ) -> Result<RgbaImage, RenderError> {
        if let Some(legend) = self.legend.as_mut().filter(|_| left_out > 0) {
            let word = if left_out == 1 { "label" } else { "labels" };
            legend.add(None, format!("{left_out} {word} without room"));
        }
        let inner = UVec2::from(picture.dimensions());
        let corner = self.rulers.as_ref().map_or(UVec2::ZERO, Rulers::size);
        let width = u64::from(corner.x) + u64::from(inner.x);
        let below = self.legend.as_ref();
        let below = below.map_or(UVec2::ZERO, |legend| legend.size(width.min(FARTHEST) as u32));
        let width = width.max(below.x.into());
        let height = u64::from(corner.y) + u64::from(inner.y) + u64::from(below.y);
        let size = checked_size(width, height, 1, 2 * MAX_PIXELS)?;
        if size == inner {
            return Ok(picture);
        }
        let mut sheet = on_sheet(picture, size, corner)?;
        let mut paint = Paint(&mut sheet);
        let point = |at: UVec2| Point::new(at.x as i32, at.y as i32);
        if let Some(rulers) = &self.rulers {
            rulers.draw(&mut paint, point(corner));
        }
        if let Some(legend) = &self.legend {
            let below = UVec2::new(0, corner.y + inner.y);
            let size = size - below;
            legend.draw(&mut paint, Rectangle::new(point(below), Size::new(size.x, size.y)));
        }
        Ok(sheet)
    }
}

/// The widest legend.
const FARTHEST: u64 = 1 << 30;

/// The picture on a larger sheet, with its corner at `corner`.
fn on_sheet(picture: RgbaImage, size: UVec2, corner: UVec2) -> Result<RgbaImage, RenderError> {
    let (width, height) = (picture.width() as usize * 4, picture.height() as usize);
    let mut bytes = picture.into_raw();
    let (row, left) = (size.x as usize * 4, corner.x as usize * 4);
    let length = row * size.y as usize;
    let missing = length.saturating_sub(bytes.len());
    bytes.try_reserve_exact(missing).map_err(|_| RenderError::NoMemory { bytes: length as u64 })?;
    bytes.resize(length, 0);
    // From the last row up: no row is written before it is read.
    for y in (0..height).rev() {
        let to = (y + corner.y as usize) * row + left;
        bytes.copy_within(y * width..(y + 1) * width, to);
    }
    let shown = corner.y as usize..corner.y as usize + height;
    for (y, row) in bytes.chunks_exact_mut(row.max(1)).enumerate() {
        let empty = |part: &mut [u8]| {
            let (pixels, _) = part.as_chunks_mut::<4>();
            pixels.fill(EMPTY.0.0);
        };
        match shown.contains(&y) {
            true => {
                empty(&mut row[..left]);
                empty(&mut row[left + width..]);
            }
            false => empty(row),
        }
    }
    Ok(filled(size, bytes))
}
