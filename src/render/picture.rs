//! Works on the pixels of a picture: blends colours, draws lines, fills shapes, enlarges and reduces, and
//! counts the work. Nothing here depends on levels, tiles or texts.

use glam::{DVec2, I64Vec2, U64Vec2, UVec2};
use image::{ImageBuffer, Pixel, Rgba, RgbaImage, imageops};

use super::RenderError;
use crate::geometry::Aabb;

/// The pixels of a picture, one byte a channel.
pub(super) type Pixels<P> = ImageBuffer<P, Vec<u8>>;

/// A picture in one colour.
pub(super) fn plain<P: Pixel<Subpixel = u8>>(
    size: UVec2,
    color: P,
) -> Result<Pixels<P>, RenderError> {
    let count = size.x as usize * size.y as usize;
    let length = count * usize::from(P::CHANNEL_COUNT);
    let no_memory = RenderError::NoMemory { bytes: length as u64 };
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| no_memory)?;
    for _ in 0..count {
        bytes.extend_from_slice(color.channels());
    }
    ImageBuffer::from_raw(size.x, size.y, bytes).ok_or(no_memory)
}

/// The size of a picture after it is enlarged `scale` times; fails above `limit` pixels.
pub(super) fn checked_size(size: U64Vec2, scale: u32, limit: u64) -> Result<UVec2, RenderError> {
    let U64Vec2 { x: width, y: height } = size.saturating_mul(U64Vec2::splat(scale.into()));
    match (u32::try_from(width), u32::try_from(height)) {
        (Ok(x), Ok(y)) if width.saturating_mul(height) <= limit => Ok(UVec2::new(x, y)),
        _ => Err(RenderError::TooManyPixels { width, height, limit }),
    }
}

/// A half-open rectangle: `min <= p < max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) min: I64Vec2,
    pub(super) max: I64Vec2,
}

impl From<Aabb> for Rect {
    fn from(area: Aabb) -> Self {
        Self { min: area.min.as_i64vec2(), max: area.max.as_i64vec2() }
    }
}

impl Rect {
    pub(super) fn new(min: I64Vec2, size: I64Vec2) -> Self {
        Self { min, max: min + size }
    }

    pub(super) fn size(self) -> I64Vec2 {
        self.max - self.min
    }

    /// The width and height as `u32`. The sides of a rectangle in a picture fit; larger sides are clamped.
    pub(super) fn pixels(self) -> UVec2 {
        self.size().clamp(I64Vec2::ZERO, I64Vec2::splat(u32::MAX.into())).as_uvec2()
    }

    pub(super) fn center(self) -> I64Vec2 {
        self.min + (self.size() - 1).max(I64Vec2::ZERO) / 2
    }

    pub(super) fn is_empty(self) -> bool {
        self.min.cmpge(self.max).any()
    }

    pub(super) fn intersection(self, other: Self) -> Self {
        let min = self.min.max(other.min);
        Self { min, max: self.max.min(other.max).max(min) }
    }

    pub(super) fn moved(self, by: I64Vec2) -> Self {
        Self { min: self.min + by, max: self.max + by }
    }

    /// The rectangle that is `by` larger at each side.
    pub(super) fn grown(self, by: i64) -> Self {
        Self { min: self.min - by, max: self.max + by }
    }

    pub(super) fn times(self, factor: u32) -> Self {
        Self { min: self.min * i64::from(factor), max: self.max * i64::from(factor) }
    }

    pub(super) fn corners(self) -> [DVec2; 4] {
        let (min, max) = (self.min.as_dvec2(), self.max.as_dvec2());
        [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
    }

    /// The column `x`, clamped between the rectangle's first column and the column after its last.
    pub(super) fn clamp_x(self, x: i64) -> i64 {
        x.clamp(self.min.x, self.max.x.max(self.min.x))
    }
}

/// The steps of work per pixel of a tile or a shape, in the unit of
/// [`DrawOptions::work`](super::DrawOptions).
const STEPS_A_DRAWN_PIXEL: u64 = 4;

/// The work that may still be done to draw a picture.
#[derive(Debug)]
pub(super) struct DrawBudget {
    /// The number of pixels that may still be drawn; negative after the budget is exceeded.
    pixels: i64,
    work: u64,
}

impl DrawBudget {
    /// The budget for a picture of `size` pixels. Solids and background cover the whole picture a few times.
    /// This is added, so that it does not limit the picture's size.
    pub(super) fn new(work: u64, size: UVec2) -> Self {
        let pixels = work / STEPS_A_DRAWN_PIXEL + size.as_u64vec2().element_product() * 16;
        Self { pixels: i64::try_from(pixels).unwrap_or(i64::MAX), work }
    }

    /// Subtracts `pixels` from this budget before they are drawn. Returns false if the budget is exceeded.
    pub(super) fn spend(&mut self, pixels: i64) -> bool {
        self.pixels = self.pixels.saturating_sub(pixels);
        self.pixels >= 0
    }

    /// Fails with [`RenderError::TooMuchToDraw`] if the budget is exceeded.
    pub(super) fn check(&self) -> Result<(), RenderError> {
        match self.pixels {
            0.. => Ok(()),
            _ => Err(RenderError::TooMuchToDraw { limit: self.work }),
        }
    }
}

pub(super) const WHITE: Rgba<u8> = ink(255, 255, 255);
/// The dark tone of a line in two tones.
pub(super) const DARK: Rgba<u8> = ink(12, 14, 24);

pub(super) const fn ink(red: u8, green: u8, blue: u8) -> Rgba<u8> {
    Rgba([red, green, blue, 255])
}

pub(super) const fn with_alpha(color: Rgba<u8>, alpha: u8) -> Rgba<u8> {
    let [red, green, blue, _] = color.0;
    Rgba([red, green, blue, alpha])
}

/// A lighter colour, halfway to white. It is readable on the dark backing of labels.
pub(super) fn lighter(color: Rgba<u8>) -> Rgba<u8> {
    color.map_without_alpha(|channel| 255 - (255 - channel) / 2)
}

/// Returns the ink that is more visible next to the colour `beside`.
pub(super) fn clearer(beside: Rgba<u8>, inks: [Rgba<u8>; 2]) -> Rgba<u8> {
    if distance(beside, inks[0]) >= distance(beside, inks[1]) { inks[0] } else { inks[1] }
}

fn distance(one: Rgba<u8>, other: Rgba<u8>) -> u32 {
    (0..3).map(|channel| u32::from(one[channel].abs_diff(other[channel])).pow(2)).sum()
}

/// Blends a colour over the pixels of `area`, cut to the picture.
pub(super) fn fill(picture: &mut RgbaImage, area: Rect, color: Rgba<u8>) {
    let size = UVec2::from(picture.dimensions()).as_i64vec2();
    let area = area.intersection(Rect::new(I64Vec2::ZERO, size));
    for y in area.min.y..area.max.y {
        for x in area.min.x..area.max.x {
            over(picture.get_pixel_mut(x as u32, y as u32), color);
        }
    }
}

/// Blends `above` over `below`, with straight alpha.
#[inline]
pub(super) fn over(below: &mut Rgba<u8>, above: Rgba<u8>) {
    let alpha = u32::from(above[3]);
    if alpha == 255 {
        *below = above;
    }
    if alpha == 0 || alpha == 255 {
        return;
    }
    // The weights of the upper and the lower pixel in the result, in 255 x 255ths.
    let top = alpha * 255;
    let bottom = u32::from(below[3]) * (255 - alpha);
    let sum = top + bottom;
    for channel in 0..3 {
        let mixed = u32::from(above[channel]) * top + u32::from(below[channel]) * bottom;
        below[channel] = ((mixed + sum / 2) / sum) as u8;
    }
    below[3] = ((sum + 127) / 255) as u8;
}

/// The columns that a convex shape with these corners covers in the row with its pixel centres at `y`: the
/// first column, and the column after the last. `None` if the shape covers no pixel of the row.
pub(super) fn span(corners: &[DVec2; 4], y: f64) -> Option<(i64, i64)> {
    let mut ends: Option<(f64, f64)> = None;
    for (index, from) in corners.iter().enumerate() {
        let to = corners[(index + 1) % corners.len()];
        let (above, below) = if from.y < to.y { (*from, to) } else { (to, *from) };
        if above.y < y && y <= below.y {
            let x = above.x + (below.x - above.x) * (y - above.y) / (below.y - above.y);
            let (left, right) = ends.unwrap_or((x, x));
            ends = Some((left.min(x), right.max(x)));
        }
    }
    ends.map(|(left, right)| (round_half_up(left), round_half_up(right)))
}

pub(super) fn vertical_extent(corners: &[DVec2; 4]) -> (f64, f64) {
    let [a, b, c, d] = corners.map(|corner| corner.y);
    (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)))
}

/// Rounds to the nearest whole number. A half is rounded up.
fn round_half_up(at: f64) -> i64 {
    (at + 0.5).floor() as i64
}

/// The corners of the rectangle around a segment, extended by `half` on all sides; `None` if a coordinate is
/// not finite.
pub(super) fn segment_outline(from: DVec2, to: DVec2, half: f64) -> Option<[DVec2; 4]> {
    if !from.is_finite() || !to.is_finite() {
        return None;
    }
    let ahead = (to - from).try_normalize().unwrap_or(DVec2::X) * half;
    let aside = ahead.perp();
    let start = from - ahead;
    let end = to + ahead;
    Some([start - aside, end - aside, end + aside, start + aside])
}

/// Enlarges a picture: each pixel becomes `scale` x `scale` pixels.
pub(super) fn enlarged<P: Pixel<Subpixel = u8>>(
    picture: Pixels<P>,
    scale: u32,
) -> Result<Pixels<P>, RenderError> {
    let first = match picture.pixels().next() {
        Some(first) if scale > 1 => *first,
        _ => return Ok(picture),
    };
    let mut large = plain(UVec2::from(picture.dimensions()) * scale, first)?;
    for (x, y, pixel) in large.enumerate_pixels_mut() {
        *pixel = *picture.get_pixel(x / scale, y / scale);
    }
    Ok(large)
}

/// Reduces a picture to the size `to`, at most its own size. Each pixel counts in one pixel of the result.
pub(super) fn reduced<P: Pixel<Subpixel = u8> + 'static>(
    picture: &Pixels<P>,
    to: UVec2,
) -> Pixels<P> {
    // The sums of `thumbnail` overflow above 2^24 pixels, so a large step is made in two.
    let middle = to.max(UVec2::from(picture.dimensions()) / 256);
    imageops::thumbnail(&imageops::thumbnail(picture, middle.x, middle.y), to.x, to.y)
}

/// Reduces a picture with transparent pixels to the size `to`. Clear pixels add no colour.
pub(super) fn reduced_art(mut art: RgbaImage, to: UVec2) -> RgbaImage {
    for pixel in art.pixels_mut() {
        let alpha = u32::from(pixel[3]);
        pixel.apply_without_alpha(|channel| ((u32::from(channel) * alpha + 127) / 255) as u8);
    }
    let mut small = reduced(&art, to);
    for pixel in small.pixels_mut() {
        let alpha = u32::from(pixel[3]).max(1);
        pixel.apply_without_alpha(|channel| {
            ((u32::from(channel) * 255 + alpha / 2) / alpha).min(255) as u8
        });
    }
    small
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixed(below: [u8; 4], above: [u8; 4]) -> [u8; 4] {
        let mut pixel = Rgba(below);
        over(&mut pixel, Rgba(above));
        pixel.0
    }

    #[test]
    fn blending_mixes_two_pixels_by_the_alpha_of_the_upper_pixel() {
        assert_eq!(mixed([9, 9, 9, 255], [1, 2, 3, 255]), [1, 2, 3, 255]);
        assert_eq!(mixed([9, 8, 7, 6], [1, 2, 3, 0]), [9, 8, 7, 6]);
        assert_eq!(mixed([0, 0, 0, 255], [255, 100, 0, 128]), [128, 50, 0, 255]);
    }

    #[test]
    fn blending_over_a_clear_pixel_keeps_the_upper_colour() {
        for alpha in 1..=255 {
            assert_eq!(mixed([0; 4], [200, 100, 50, alpha]), [200, 100, 50, alpha]);
        }
    }

    #[test]
    fn a_clear_pixel_adds_no_colour_to_a_reduced_picture() {
        let picture = |pixels: &[u8], size: UVec2| {
            RgbaImage::from_raw(size.x, size.y, pixels.to_vec()).expect("the bytes fit the size")
        };
        let two = UVec2::new(2, 1);
        let half = reduced_art(picture(&[200, 100, 0, 255, 9, 9, 9, 0], two), UVec2::ONE);
        assert_eq!(half.get_pixel(0, 0).0, [199, 100, 0, 128]);
        let clear = reduced_art(picture(&[0; 8], two), UVec2::ONE);
        assert_eq!(clear.get_pixel(0, 0).0, [0; 4]);
        let white = picture(&vec![255; 4 * 300 * 300], UVec2::splat(300));
        assert!(reduced_art(white, UVec2::splat(7)).iter().all(|channel| *channel == 255));
    }
}
