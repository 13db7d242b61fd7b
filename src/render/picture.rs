//! Works on the pixels of a picture: blends colours, draws lines, fills shapes, enlarges and reduces, and
//! counts the work. Nothing here depends on levels, tiles or texts.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Point, Size};
use embedded_graphics::pixelcolor::PixelColor;
use embedded_graphics::primitives::Rectangle;
use glam::{DVec2, I64Vec2, U64Vec2, UVec2};
use image::{ImageBuffer, Rgba, RgbaImage};

use super::RenderError;

/// An empty buffer with the capacity for a picture of `size` pixels of `channels` bytes each.
pub(super) fn room(size: UVec2, channels: usize) -> Result<Vec<u8>, RenderError> {
    let length = size.x as usize * size.y as usize * channels;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| RenderError::NoMemory { bytes: length as u64 })?;
    Ok(bytes)
}

pub(super) fn plain(size: UVec2, color: Rgba<u8>) -> Result<RgbaImage, RenderError> {
    let mut bytes = room(size, 4)?;
    for _ in 0..size.x as usize * size.y as usize {
        bytes.extend_from_slice(&color.0);
    }
    Ok(filled(size, bytes))
}

/// The size of a picture after it is enlarged `scale` times; fails above `limit` pixels.
pub(super) fn checked_size(size: U64Vec2, scale: u32, limit: u64) -> Result<UVec2, RenderError> {
    let U64Vec2 { x: width, y: height } = size.saturating_mul(U64Vec2::splat(scale.into()));
    match (u32::try_from(width), u32::try_from(height)) {
        (Ok(x), Ok(y)) if width.saturating_mul(height) <= limit => Ok(UVec2::new(x, y)),
        _ => Err(RenderError::TooManyPixels { width, height, limit }),
    }
}

/// Makes a picture of `size` pixels from `bytes`. The number of bytes must fit the size.
pub(super) fn filled<P: image::Pixel<Subpixel = u8>>(
    size: UVec2,
    bytes: Vec<u8>,
) -> ImageBuffer<P, Vec<u8>> {
    // `from_raw` fails only for too few bytes. A blank picture is then a better answer than a panic.
    ImageBuffer::from_raw(size.x, size.y, bytes).unwrap_or_else(|| ImageBuffer::new(size.x, size.y))
}

/// A half-open rectangle: `min <= p < max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) min: I64Vec2,
    pub(super) max: I64Vec2,
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

    pub(super) fn is_empty(self) -> bool {
        self.min.cmpge(self.max).any()
    }

    pub(super) fn hull(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(super) fn intersection(self, other: Self) -> Self {
        let min = self.min.max(other.min);
        Self { min, max: self.max.min(other.max).max(min) }
    }

    pub(super) fn moved(self, by: I64Vec2) -> Self {
        Self { min: self.min + by, max: self.max + by }
    }

    pub(super) fn times(self, factor: u32) -> Self {
        Self { min: self.min * i64::from(factor), max: self.max * i64::from(factor) }
    }

    /// The column `x`, clamped between the rectangle's first column and the column after its last.
    pub(super) fn clamp_x(self, x: i64) -> i64 {
        x.clamp(self.min.x, self.max.x.max(self.min.x))
    }
}

/// The steps of work per pixel of a colour picture, in the unit of [`DrawOptions::work`](super::DrawOptions).
/// A pixel took the time of 32 steps in a picture with fine shapes in all directions.
pub(super) const STEPS_A_PIXEL: u64 = 32;
/// The steps of work per pixel of a gray picture.
pub(super) const STEPS_A_GRAY_PIXEL: u64 = 1;
/// The steps of work per pixel of a tile or a shape that is drawn over another pixel.
const STEPS_A_DRAWN_PIXEL: u64 = 4;

/// The work that may still be done to draw a picture.
#[derive(Debug)]
pub(super) struct DrawBudget {
    /// The number of pixels that may still be drawn; negative after the budget is exceeded.
    pixels: i64,
    work: u64,
}

impl DrawBudget {
    pub(super) fn new(work: u64) -> Self {
        Self { pixels: i64::try_from(work / STEPS_A_DRAWN_PIXEL).unwrap_or(i64::MAX), work }
    }

    pub(super) fn with_pixels(self, pixels: i64) -> Self {
        Self { pixels: self.pixels.saturating_add(pixels), ..self }
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

/// A colour with straight alpha, drawn over the pixels below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink(pub(super) Rgba<u8>);

impl PixelColor for Ink {
    type Raw = ();
}

impl From<Rgba<u8>> for Ink {
    fn from(color: Rgba<u8>) -> Self {
        Self(color)
    }
}

impl Ink {
    pub(super) const WHITE: Self = Self::new(255, 255, 255);
    /// The dark tone of a line in two tones.
    pub(super) const DARK: Self = Self::new(12, 14, 24);

    pub(super) const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self(Rgba([red, green, blue, 255]))
    }

    pub(super) const fn with_alpha(self, alpha: u8) -> Self {
        let [red, green, blue, _] = self.0.0;
        Self(Rgba([red, green, blue, alpha]))
    }

    /// A lighter ink, halfway to white. It is readable on the dark backing of labels.
    pub(super) fn lighter(self) -> Self {
        let [red, green, blue, alpha] = self.0.0;
        let half = |channel: u8| 255 - (255 - channel) / 2;
        Self(Rgba([half(red), half(green), half(blue), alpha]))
    }
}

/// Returns the ink that is more visible next to the colour `beside`.
pub(super) fn clearer(beside: Rgba<u8>, inks: [Ink; 2]) -> Ink {
    let distance = |ink: Ink| -> u32 {
        (0..3).map(|channel| u32::from(beside[channel].abs_diff(ink.0[channel])).pow(2)).sum()
    };
    if distance(inks[0]) >= distance(inks[1]) { inks[0] } else { inks[1] }
}

/// A picture as a target for drawing with [`Ink`].
pub(super) struct Paint<'p>(pub(super) &'p mut RgbaImage);

impl Paint<'_> {
    pub(super) fn draw<T>(
        &mut self,
        item: &impl embedded_graphics::Drawable<Color = Ink, Output = T>,
    ) -> T {
        let Ok(output) = item.draw(self);
        output
    }

    pub(super) fn fill(&mut self, area: Rectangle, ink: Ink) {
        let area = area.intersection(&self.bounding_box());
        for y in 0..area.size.height as i32 {
            for x in 0..area.size.width as i32 {
                let at = area.top_left + Point::new(x, y);
                over(self.0.get_pixel_mut(at.x as u32, at.y as u32), ink.0);
            }
        }
    }
}

impl Dimensions for Paint<'_> {
    fn bounding_box(&self) -> Rectangle {
        let (width, height) = self.0.dimensions();
        Rectangle::new(Point::zero(), Size::new(width, height))
    }
}

impl DrawTarget for Paint<'_> {
    type Color = Ink;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<Ink>>,
    {
        for Pixel(at, ink) in pixels {
            if let (Ok(x), Ok(y)) = (u32::try_from(at.x), u32::try_from(at.y))
                && let Some(pixel) = self.0.get_pixel_mut_checked(x, y)
            {
                over(pixel, ink.0);
            }
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, ink: Ink) -> Result<(), Infallible> {
        self.fill(*area, ink);
        Ok(())
    }
}

/// Blends `above` over `below`, with straight alpha.
#[inline]
pub(super) fn over(below: &mut Rgba<u8>, above: Rgba<u8>) {
    let alpha = u32::from(above[3]);
    match alpha {
        0 => return,
        255 => {
            *below = above;
            return;
        }
        _ => {}
    }
    if below[3] == 255 {
        // An opaque pixel below gives the same result with a faster formula, because the division is by a
        // constant.
        for channel in 0..3 {
            let mixed =
                u32::from(above[channel]) * alpha + u32::from(below[channel]) * (255 - alpha);
            below[channel] = ((mixed + 127) / 255) as u8;
        }
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
pub(super) fn round_half_up(at: f64) -> i64 {
    (at + 0.5).floor() as i64
}

/// The number of rows of a line that are rasterized at once. A small number limits the memory for a line of
/// many points.
const SLAB: i64 = 64;

/// Rasterizes a line through `points` of the given width, with square ends. Calls `put` with each run of
/// adjacent pixels in `window`: the row, the first column, and the column after the last. Each pixel occurs
/// once. The calls end when `put` returns false. O(segments x blocks of [`SLAB`] rows of the line + rows
/// of each segment).
pub(super) fn line_runs(
    points: &[DVec2],
    width: f64,
    window: Rect,
    put: &mut dyn FnMut(i64, i64, i64) -> bool,
) {
    // No pixel of a segment is farther from the rows of its two ends.
    let high = points.iter().fold(f64::INFINITY, |high, point| high.min(point.y)) - width;
    let low = points.iter().fold(f64::NEG_INFINITY, |low, point| low.max(point.y)) + width;
    let mut runs: Vec<(i64, i64, i64)> = Vec::new();
    let mut top = (high.floor() as i64).max(window.min.y);
    let end = (low.ceil() as i64).min(window.max.y);
    while top < end {
        let bottom = (top + SLAB).min(end);
        for ends in points.windows(2) {
            if ends[0].y.max(ends[1].y) + width < top as f64
                || ends[0].y.min(ends[1].y) - width > bottom as f64
            {
                continue;
            }
            let Some(corners) = &segment_outline(ends[0], ends[1], width / 2.0) else { continue };
            let (first, last) = vertical_extent(corners);
            for y in (first.floor() as i64).max(top)..(last.ceil() as i64).min(bottom) {
                if let Some((from, to)) = span(corners, y as f64 + 0.5) {
                    let (from, to) = (window.clamp_x(from), window.clamp_x(to));
                    if from < to {
                        runs.push((y, from, to));
                    }
                }
            }
        }
        runs.sort_unstable();
        let mut runs = runs.drain(..);
        let Some(mut run) = runs.next() else {
            top = bottom;
            continue;
        };
        for next in runs {
            if next.0 == run.0 && next.1 <= run.2 {
                run.2 = run.2.max(next.2);
            } else {
                if !put(run.0, run.1, run.2) {
                    return;
                }
                run = next;
            }
        }
        if !put(run.0, run.1, run.2) {
            return;
        }
        top = bottom;
    }
}

/// The corners of the rectangle around a segment, extended by `half` on all sides; `None` if a coordinate is
/// not finite.
fn segment_outline(from: DVec2, to: DVec2, half: f64) -> Option<[DVec2; 4]> {
    if !from.is_finite() || !to.is_finite() {
        return None;
    }
    let ahead = (to - from).try_normalize().unwrap_or(DVec2::X) * half;
    let aside = ahead.perp();
    let (start, end) = (from - ahead, to + ahead);
    Some([start - aside, end - aside, end + aside, start + aside])
}

/// Enlarges a picture of the size `from`: each pixel of `channels` bytes becomes `scale` x `scale` pixels.
pub(super) fn enlarged(
    pixels: Vec<u8>,
    from: UVec2,
    scale: u32,
    channels: usize,
) -> Result<Vec<u8>, RenderError> {
    if scale <= 1 {
        return Ok(pixels);
    }
    let mut bytes = room(from * scale, channels)?;
    for row in pixels.chunks_exact((from.x as usize * channels).max(1)) {
        let start = bytes.len();
        for pixel in row.chunks_exact(channels) {
            for _ in 0..scale {
                bytes.extend_from_slice(pixel);
            }
        }
        let end = bytes.len();
        for _ in 1..scale {
            bytes.extend_from_within(start..end);
        }
    }
    Ok(bytes)
}

/// Reduces a picture from the size `from` to the size `to`. The sides of `to` must be at least 1, and at most
/// the sides of `from`. A pixel of the result is the mean of the area that it covers. `channels` is 1 for
/// gray, and 4 for colours with straight alpha.
pub(super) fn shrunk(
    pixels: &[u8],
    from: UVec2,
    to: UVec2,
    channels: usize,
) -> Result<Vec<u8>, RenderError> {
    // In common units, a source pixel is `to.x` x `to.y` large, and a result pixel `from.x` x `from.y`, so
    // all overlaps are whole numbers. The sums do not overflow: for 2^32 source pixels they are below 2^48.
    let mut bytes = room(to, channels)?;
    // The sums for one row of the source, and for one row of the result, by result pixel and channel.
    let mut row = vec![0; to.x as usize * channels];
    let mut sums = row.clone();
    let area = u64::from(from.x) * u64::from(from.y);
    for (y, source) in (0..).zip(pixels.chunks_exact((from.x as usize * channels).max(1))) {
        row.fill(0);
        for (x, pixel) in (0..).zip(source.chunks_exact(channels)) {
            let (first, in_first) = overlap(x, to.x, from.x);
            add_pixel(&mut row[first * channels..], pixel, in_first);
            if in_first < to.x.into() {
                add_pixel(&mut row[(first + 1) * channels..], pixel, u64::from(to.x) - in_first);
            }
        }
        let (first, in_first) = overlap(y, to.y, from.y);
        sums.iter_mut().zip(&row).for_each(|(sum, part)| *sum += part * in_first);
        let end = (u64::from(y) + 1) * u64::from(to.y);
        if end >= (first as u64 + 1) * u64::from(from.y) {
            push_means(&mut bytes, &sums, area, channels);
            let rest = u64::from(to.y) - in_first;
            sums.iter_mut().zip(&row).for_each(|(sum, part)| *sum = part * rest);
        }
    }
    Ok(bytes)
}

/// Returns the index of the first result pixel that overlaps the source pixel with the index `place`, and the
/// length of the overlap. A source pixel is `own` units long, a result pixel `all` units. `own` is at most
/// `all`, so a source pixel overlaps one or two result pixels.
#[inline]
fn overlap(place: u32, own: u32, all: u32) -> (usize, u64) {
    let start = u64::from(place) * u64::from(own);
    let first = start / u64::from(all);
    let end = (start + u64::from(own)).min((first + 1) * u64::from(all));
    (first as usize, end - start)
}

#[inline]
fn add_pixel(sums: &mut [u64], pixel: &[u8], weight: u64) {
    match (pixel, sums) {
        (&[red, green, blue, alpha], [r, g, b, a, ..]) => {
            let alpha = u64::from(alpha) * weight;
            *r += u64::from(red) * alpha;
            *g += u64::from(green) * alpha;
            *b += u64::from(blue) * alpha;
            *a += alpha;
        }
        (&[gray], [sum, ..]) => *sum += u64::from(gray) * weight,
        _ => {}
    }
}

fn push_means(bytes: &mut Vec<u8>, sums: &[u64], area: u64, channels: usize) {
    let mean = |sum: u64, weight: u64| ((sum + weight / 2) / weight.max(1)) as u8;
    for sums in sums.chunks_exact(channels) {
        match *sums {
            [red, green, blue, alpha] => bytes.extend_from_slice(&[
                mean(red, alpha),
                mean(green, alpha),
                mean(blue, alpha),
                mean(alpha, area),
            ]),
            _ => bytes.extend(sums.iter().map(|sum| mean(*sum, area))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::I64Vec2;

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
    fn blending_over_an_opaque_pixel_equals_the_general_formula() {
        for (below, above, alpha) in
            (0..=255).step_by(5).flat_map(|b| (0..=255).map(move |a| (b, 255 - b / 2, a)))
        {
            let sum = 255 * 255;
            let exact = u32::from(above) * u32::from(alpha) * 255
                + u32::from(below) * 255 * (255 - u32::from(alpha));
            let expected = ((exact + sum / 2) / sum) as u8;
            assert_eq!(mixed([below, 0, 0, 255], [above, above, above, alpha])[0], expected);
        }
    }

    #[test]
    fn blending_over_a_clear_pixel_keeps_the_upper_colour() {
        for alpha in 1..=255 {
            assert_eq!(mixed([0; 4], [200, 100, 50, alpha]), [200, 100, 50, alpha]);
        }
    }

    fn drawn(points: &[DVec2], width: f64, window: Rect) -> Vec<(i64, i64)> {
        let mut pixels = Vec::new();
        line_runs(points, width, window, &mut |y, from, to| {
            pixels.extend((from..to).map(|x| (x, y)));
            true
        });
        pixels.sort_unstable();
        pixels
    }

    #[test]
    fn a_line_visits_each_pixel_once_in_any_window() {
        let mut random = fastrand::Rng::with_seed(3);
        let whole = Rect { min: I64Vec2::splat(-20), max: I64Vec2::splat(180) };
        for _ in 0..200 {
            let mut at =
                |_| DVec2::new(random.i32(-20..180).into(), random.i32(-20..180).into()) + 0.5;
            let points: Vec<DVec2> = (0..6).map(&mut at).collect();
            let width = f64::from(random.u8(1..9));
            let all = drawn(&points, width, whole);
            assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
            let corner = I64Vec2::new(random.i64(-20..100), random.i64(-20..100));
            let part = Rect::new(corner, I64Vec2::new(random.i64(1..80), random.i64(1..80)));
            let is_inside = |(x, y): &(i64, i64)| {
                (part.min.x..part.max.x).contains(x) && (part.min.y..part.max.y).contains(y)
            };
            let cut: Vec<_> = all.into_iter().filter(is_inside).collect();
            assert_eq!(drawn(&points, width, part), cut);
        }
    }

    #[test]
    fn a_line_along_an_axis_has_the_requested_width() {
        let window = Rect { min: I64Vec2::ZERO, max: I64Vec2::splat(10) };
        let line = [DVec2::new(2.5, 5.5), DVec2::new(6.5, 5.5)];
        assert_eq!(drawn(&line, 1.0, window), [(2, 5), (3, 5), (4, 5), (5, 5), (6, 5)]);
        assert_eq!(drawn(&line, 3.0, window).len(), 3 * 7);
        let far = [DVec2::new(-1e12, 5.5), DVec2::new(1e12, 5.5)];
        assert_eq!(drawn(&far, 1.0, window).len(), 10);
        assert_eq!(drawn(&[DVec2::NAN, DVec2::ONE], 1.0, window), []);
    }

    fn reduced(pixels: &[u8], from: UVec2, to: UVec2, channels: usize) -> Vec<u8> {
        shrunk(pixels, from, to, channels).unwrap()
    }

    #[test]
    fn each_pixel_of_a_reduced_picture_is_the_mean_of_its_area() {
        let mut random = fastrand::Rng::with_seed(4);
        for _ in 0..200 {
            let from = UVec2::new(random.u32(1..40), random.u32(1..40));
            let to = UVec2::new(random.u32(1..=from.x), random.u32(1..=from.y));
            let pixels: Vec<u8> = (0..from.element_product()).map(|_| random.u8(..)).collect();
            let found = reduced(&pixels, from, to, 1);
            assert_eq!(found.len(), to.element_product() as usize);
            let ratio = from.as_dvec2() / to.as_dvec2();
            for (at, value) in (0..).zip(&found) {
                let corner = UVec2::new(at % to.x, at / to.x).as_dvec2() * ratio;
                let end = corner + ratio;
                let mut sum = 0.0;
                for (index, pixel) in (0..).zip(&pixels) {
                    let min = UVec2::new(index % from.x, index / from.x).as_dvec2();
                    let overlap = (end.min(min + 1.0) - corner.max(min)).max(glam::DVec2::ZERO);
                    sum += f64::from(*pixel) * overlap.element_product();
                }
                let mean = sum / ratio.element_product();
                assert!((f64::from(*value) - mean).abs() < 0.501, "{value} is not {mean}");
            }
        }
    }

    #[test]
    fn clear_pixels_add_no_colour_to_a_reduced_picture() {
        let pixels = [200, 100, 0, 255, 9, 9, 9, 0];
        let found = reduced(&pixels, UVec2::new(2, 1), UVec2::ONE, 4);
        assert_eq!(found, [200, 100, 0, 128]);
        assert_eq!(reduced(&[0; 8], UVec2::new(2, 1), UVec2::ONE, 4), [0; 4]);
        let large = vec![255; 4 * 300 * 300];
        assert_eq!(reduced(&large, UVec2::splat(300), UVec2::splat(7), 4), vec![255; 4 * 49]);
    }
}
