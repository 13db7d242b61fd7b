//! The pixels of a picture, without a level: rectangles, the work that a picture may take, colours on top
//! of each other, lines through points, and the reduction of a picture. It knows no level, no tile and no
//! text.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Point, Size};
use embedded_graphics::pixelcolor::PixelColor;
use embedded_graphics::primitives::Rectangle;
use glam::{DVec2, I64Vec2, UVec2};
use image::{ImageBuffer, Rgba, RgbaImage};

use super::RenderError;

/// An empty buffer with room for a picture.
pub(super) fn room(size: UVec2, channels: usize) -> Result<Vec<u8>, RenderError> {
    let length = size.x as usize * size.y as usize * channels;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| RenderError::NoMemory { bytes: length as u64 })?;
    Ok(bytes)
}

/// A picture of one colour.
pub(super) fn plain(size: UVec2, color: Rgba<u8>) -> Result<RgbaImage, RenderError> {
    let mut bytes = room(size, 4)?;
    for _ in 0..size.x as usize * size.y as usize {
        bytes.extend_from_slice(&color.0);
    }
    Ok(filled(size, bytes))
}

/// The size of `width` x `height` pixels, each enlarged `scale` times.
pub(super) fn checked_size(
    width: u64,
    height: u64,
    scale: u32,
    limit: u64,
) -> Result<UVec2, RenderError> {
    let width = width.saturating_mul(u64::from(scale));
    let height = height.saturating_mul(u64::from(scale));
    match (u32::try_from(width), u32::try_from(height)) {
        (Ok(x), Ok(y)) if width.saturating_mul(height) <= limit => Ok(UVec2::new(x, y)),
        _ => Err(RenderError::TooManyPixels { width, height, limit }),
    }
}

/// A picture of these bytes, whose number must match its size.
pub(super) fn filled<P: image::Pixel<Subpixel = u8>>(
    size: UVec2,
    bytes: Vec<u8>,
) -> ImageBuffer<P, Vec<u8>> {
    // Fails only for too few bytes; then a blank picture is a better answer than a panic.
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

    /// All pixels of a picture.
    pub(super) fn of_size(size: UVec2) -> Self {
        Self { min: I64Vec2::ZERO, max: size.as_i64vec2() }
    }

    pub(super) fn size(self) -> I64Vec2 {
        self.max - self.min
    }

    /// The width and height of a part of a picture.
    pub(super) fn pixels(self) -> UVec2 {
        self.size().clamp(I64Vec2::ZERO, I64Vec2::splat(u32::MAX.into())).as_uvec2()
    }

    pub(super) fn is_empty(self) -> bool {
        self.min.cmpge(self.max).any()
    }

    /// The smallest rectangle around both.
    pub(super) fn hull(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The common part; empty if there is none.
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

    /// A number of the first axis, moved into the rectangle.
    pub(super) fn clamp_x(self, x: i64) -> i64 {
        x.clamp(self.min.x, self.max.x.max(self.min.x))
    }
}

/// The steps of work for a pixel of a picture in colour, for one in gray, and for one of a tile or a shape in
/// it that covers those below. Of fine shapes in all directions a pixel of a picture took 32 steps.
pub(super) const STEPS_A_PIXEL: u64 = 32;
pub(super) const STEPS_A_GRAY_PIXEL: u64 = 1;
const STEPS_A_DRAWN_PIXEL: u64 = 4;

/// The number of pixels that may still be drawn.
#[derive(Debug)]
pub(super) struct DrawBudget {
    /// Below 0 the picture is given up.
    pixels: i64,
    /// The most steps of work.
    work: u64,
}

impl DrawBudget {
    pub(super) fn new(work: u64) -> Self {
        Self { pixels: i64::try_from(work / STEPS_A_DRAWN_PIXEL).unwrap_or(i64::MAX), work }
    }

    /// This budget with more pixels.
    pub(super) fn with_pixels(self, pixels: i64) -> Self {
        Self { pixels: self.pixels.saturating_add(pixels), ..self }
    }

    /// Takes off pixels that are about to be drawn; false if too few were left.
    pub(super) fn spend(&mut self, pixels: i64) -> bool {
        self.pixels = self.pixels.saturating_sub(pixels);
        self.pixels >= 0
    }

    /// # Errors
    /// [`RenderError::TooMuchToDraw`] if more was to be drawn.
    pub(super) fn check(&self) -> Result<(), RenderError> {
        match self.pixels {
            0.. => Ok(()),
            _ => Err(RenderError::TooMuchToDraw { limit: self.work }),
        }
    }
}

/// Checks the work of a picture of `pixels` pixels, before any of them is drawn.
///
/// # Errors
/// [`RenderError::TooMuchToDraw`].
pub(super) fn check_work(pixels: u64, steps: u64, work: u64) -> Result<(), RenderError> {
    match pixels.saturating_mul(steps) > work {
        false => Ok(()),
        true => Err(RenderError::TooMuchToDraw { limit: work }),
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
    /// The dark one of the two tones of a line.
    pub(super) const DARK: Self = Self::new(12, 14, 24);

    pub(super) const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self(Rgba([red, green, blue, 255]))
    }

    pub(super) const fn with_alpha(self, alpha: u8) -> Self {
        let [red, green, blue, _] = self.0.0;
        Self(Rgba([red, green, blue, alpha]))
    }

    /// This ink halfway to white, to be read on dark backing.
    pub(super) fn lighter(self) -> Self {
        let [red, green, blue, alpha] = self.0.0;
        let half = |channel: u8| 255 - (255 - channel) / 2;
        Self(Rgba([half(red), half(green), half(blue), alpha]))
    }
}

/// The one of two inks that is easier to see beside a colour.
pub(super) fn clearer(beside: Rgba<u8>, inks: [Ink; 2]) -> Ink {
    let distance = |ink: Ink| -> u32 {
        (0..3).map(|channel| u32::from(beside[channel].abs_diff(ink.0[channel])).pow(2)).sum()
    };
    if distance(inks[0]) >= distance(inks[1]) { inks[0] } else { inks[1] }
}

/// A picture as a target to draw on.
pub(super) struct Paint<'p>(pub(super) &'p mut RgbaImage);

impl Paint<'_> {
    /// Draws anything that `embedded-graphics` can draw.
    pub(super) fn draw<T>(
        &mut self,
        item: &impl embedded_graphics::Drawable<Color = Ink, Output = T>,
    ) -> T {
        let Ok(output) = item.draw(self);
        output
    }

    /// Fills a box with the inks of its pixels.
    pub(super) fn fill(&mut self, area: Rectangle, ink: impl Fn(i32, i32) -> Ink) {
        let area = area.intersection(&self.bounding_box());
        for y in 0..area.size.height as i32 {
            for x in 0..area.size.width as i32 {
                let at = area.top_left + Point::new(x, y);
                let pixel = self.0.get_pixel_mut(at.x as u32, at.y as u32);
                over(pixel, ink(at.x, at.y).0);
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
        self.fill(*area, |_, _| ink);
        Ok(())
    }
}

/// Puts `above` on top of `below`.
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
        // As below. Of a picture with paper all pixels are opaque; a division by a constant is faster.
        for channel in 0..3 {
            let mixed =
                u32::from(above[channel]) * alpha + u32::from(below[channel]) * (255 - alpha);
            below[channel] = ((mixed + 127) / 255) as u8;
        }
        return;
    }
    // The parts of the two in the result, in 255 x 255ths.
    let top = alpha * 255;
    let bottom = u32::from(below[3]) * (255 - alpha);
    let sum = top + bottom;
    for channel in 0..3 {
        let mixed = u32::from(above[channel]) * top + u32::from(below[channel]) * bottom;
        below[channel] = ((mixed + sum / 2) / sum) as u8;
    }
    below[3] = ((sum + 127) / 255) as u8;
}

/// The first column and the one after the last, in the row whose centres are at `y`.
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

/// The nearest whole number, halves up.
pub(super) fn round_half_up(at: f64) -> i64 {
    (at + 0.5).floor() as i64
}

/// The number of rows whose pixels are gathered at once: few, so that many points take little memory.
const SLAB: i64 = 64;

/// Calls `put` with each run of pixels in `window` that a line through `points` covers: the row, the first
/// column, and the one after the last. The line is `width` wide and has no end marks; each pixel comes once.
/// `put` returns false to stop. O(segments x slabs of rows + rows of each segment).
pub(super) fn line_runs(
    points: &[DVec2],
    width: f64,
    window: Rect,
    mut put: impl FnMut(i64, i64, i64) -> bool,
) {
    let segments: Vec<[DVec2; 4]> = points
        .windows(2)
        .filter_map(|ends| segment_outline(ends[0], ends[1], width / 2.0))
        .collect();
    let mut found = Vec::new();
    let mut top = window.min.y;
    while top < window.max.y {
        let bottom = (top + SLAB).min(window.max.y);
        found.clear();
        for corners in &segments {
            let rows = corners.map(|corner| corner.y);
            let first = rows.into_iter().fold(f64::INFINITY, f64::min).floor() as i64;
            let last = rows.into_iter().fold(f64::NEG_INFINITY, f64::max).ceil() as i64;
            for y in first.max(top)..last.min(bottom) {
                if let Some((from, to)) = span(corners, y as f64 + 0.5) {
                    let (from, to) = (window.clamp_x(from), window.clamp_x(to));
                    if from < to {
                        found.push((y, from, to));
                    }
                }
            }
        }
        found.sort_unstable();
        let mut runs = found.iter().copied();
        let mut last = runs.next();
        for (y, from, to) in runs {
            match &mut last {
                Some((row, _, end)) if *row == y && from <= *end => *end = to.max(*end),
                Some((row, start, end)) => {
                    if !put(*row, *start, *end) {
                        return;
                    }
                    last = Some((y, from, to));
                }
                None => {}
            }
        }
        if last.is_some_and(|(row, start, end)| !put(row, start, end)) {
            return;
        }
        top = bottom;
    }
}

/// The corners of a segment that is `half` wide to either side and at both ends.
fn segment_outline(from: DVec2, to: DVec2, half: f64) -> Option<[DVec2; 4]> {
    if !from.is_finite() || !to.is_finite() {
        return None;
    }
    let ahead = (to - from).try_normalize().unwrap_or(DVec2::X) * half;
    let aside = ahead.perp();
    let (start, end) = (from - ahead, to + ahead);
    Some([start - aside, end - aside, end + aside, start + aside])
}

/// The picture reduced to a size, neither of whose sides is 0 or larger.
pub(super) fn shrunk<P: image::Pixel<Subpixel = u8>>(
    picture: &ImageBuffer<P, Vec<u8>>,
    to: UVec2,
) -> Result<ImageBuffer<P, Vec<u8>>, RenderError> {
    let (from, channels) = (UVec2::from(picture.dimensions()), usize::from(P::CHANNEL_COUNT));
    let mut shrink = Shrink::new(from, to, channels, room(to, channels)?);
    for row in picture.as_raw().chunks_exact((from.x as usize * channels).max(1)) {
        shrink.add(row);
    }
    Ok(filled(to, shrink.rows))
}

/// A picture that is being reduced. Rows come from the top.
///
/// A pixel of the source covers `to.x` x `to.y` units, one of the result `from.x` x `from.y`: all overlaps
/// are whole numbers. Sums fit: of 2^32 pixels of the source they are below 2^48.
struct Shrink {
    from: UVec2,
    to: UVec2,
    channels: usize,
    /// The sums of the row of the source that is being read, by pixel of the result and channel.
    row: Vec<u64>,
    /// The sums of the row of the result that is not finished.
    sums: Vec<u64>,
    /// The row of the source that comes next.
    y: u32,
    /// The finished rows.
    rows: Vec<u8>,
}

impl Shrink {
    /// A reduction of pictures of the size `from` to the size `to`, whose rows are added to `rows`;
    /// `channels` is 1 for gray and 4 for colours with straight alpha.
    fn new(from: UVec2, to: UVec2, channels: usize, rows: Vec<u8>) -> Self {
        let sums = vec![0; to.x as usize * channels];
        Self { from, to, channels, row: sums.clone(), sums, y: 0, rows }
    }

    /// Adds a row of the source.
    fn add(&mut self, pixels: &[u8]) {
        let (own, all) = (u64::from(self.to.x), u64::from(self.from.x));
        let mut start = 0;
        for pixel in pixels.chunks_exact(self.channels) {
            let end = start + own;
            let first = start / all;
            // A pixel is not larger than one of the result, so it lies in one or two of them.
            let in_first = end.min((first + 1) * all) - start;
            self.add_pixel(first as usize, pixel, in_first);
            if in_first < own {
                self.add_pixel(first as usize + 1, pixel, own - in_first);
            }
            start = end;
        }
        self.end_row();
    }

    #[inline]
    fn add_pixel(&mut self, at: usize, pixel: &[u8], weight: u64) {
        match (pixel, self.row.get_mut(at * self.channels..(at + 1) * self.channels)) {
            (&[red, green, blue, alpha], Some([r, g, b, a])) => {
                let alpha = u64::from(alpha) * weight;
                *r += u64::from(red) * alpha;
                *g += u64::from(green) * alpha;
                *b += u64::from(blue) * alpha;
                *a += alpha;
            }
            (&[gray], Some([sum])) => *sum += u64::from(gray) * weight,
            _ => {}
        }
    }

    /// Ends a row of the source.
    fn end_row(&mut self) {
        let (own, all) = (u64::from(self.to.y), u64::from(self.from.y));
        let start = u64::from(self.y) * own;
        let end = start + own;
        let in_first = end.min((start / all + 1) * all) - start;
        self.add_row(in_first);
        if end.is_multiple_of(all) || in_first < own {
            self.finish_row();
        }
        self.add_row(own - in_first);
        self.row.fill(0);
        self.y += 1;
    }

    fn add_row(&mut self, weight: u64) {
        if weight > 0 {
            self.sums.iter_mut().zip(&self.row).for_each(|(sum, part)| *sum += part * weight);
        }
    }

    fn finish_row(&mut self) {
        let area = u64::from(self.from.x) * u64::from(self.from.y);
        let mean = |sum: u64, weight: u64| ((sum + weight / 2) / weight.max(1)) as u8;
        for sums in self.sums.chunks_exact(self.channels) {
            match *sums {
                [red, green, blue, alpha] => {
                    let color = [red, green, blue].map(|sum| mean(sum, alpha));
                    self.rows.extend_from_slice(&color);
                    self.rows.push(mean(alpha, area));
                }
                _ => self.rows.extend(sums.iter().map(|sum| mean(*sum, area))),
            }
        }
        self.sums.fill(0);
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
    fn opaque_covers_the_pixel_below_clear_keeps_it_and_half_mixes() {
        assert_eq!(mixed([9, 9, 9, 255], [1, 2, 3, 255]), [1, 2, 3, 255]);
        assert_eq!(mixed([9, 8, 7, 6], [1, 2, 3, 0]), [9, 8, 7, 6]);
        assert_eq!(mixed([0, 0, 0, 255], [255, 100, 0, 128]), [128, 50, 0, 255]);
    }

    #[test]
    fn an_opaque_pixel_below_mixes_by_the_same_sums() {
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
    fn nothing_below_leaves_the_colour_as_it_is() {
        for alpha in 1..=255 {
            assert_eq!(mixed([0; 4], [200, 100, 50, alpha]), [200, 100, 50, alpha]);
        }
    }

    fn drawn(points: &[DVec2], width: f64, window: Rect) -> Vec<(i64, i64)> {
        let mut pixels = Vec::new();
        line_runs(points, width, window, |y, from, to| {
            pixels.extend((from..to).map(|x| (x, y)));
            true
        });
        pixels.sort_unstable();
        pixels
    }

    #[test]
    fn a_line_has_each_pixel_once_and_a_part_has_those_of_the_whole() {
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
    fn a_line_along_an_axis_is_as_wide_as_asked_for() {
        let window = Rect { min: I64Vec2::ZERO, max: I64Vec2::splat(10) };
        let line = [DVec2::new(2.5, 5.5), DVec2::new(6.5, 5.5)];
        assert_eq!(drawn(&line, 1.0, window), [(2, 5), (3, 5), (4, 5), (5, 5), (6, 5)]);
        assert_eq!(drawn(&line, 3.0, window).len(), 3 * 7);
        let far = [DVec2::new(-1e12, 5.5), DVec2::new(1e12, 5.5)];
        assert_eq!(drawn(&far, 1.0, window).len(), 10);
        assert_eq!(drawn(&[DVec2::NAN, DVec2::ONE], 1.0, window), []);
    }

    fn reduced(pixels: &[u8], from: UVec2, to: UVec2, channels: usize) -> Vec<u8> {
        let mut shrink = Shrink::new(from, to, channels, Vec::new());
        pixels.chunks_exact(from.x as usize * channels).for_each(|row| shrink.add(row));
        shrink.rows
    }

    #[test]
    fn each_pixel_is_the_mean_of_its_area_of_the_picture() {
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
    fn a_clear_pixel_adds_no_colour() {
        let pixels = [200, 100, 0, 255, 9, 9, 9, 0];
        let found = reduced(&pixels, UVec2::new(2, 1), UVec2::ONE, 4);
        assert_eq!(found, [200, 100, 0, 128]);
        assert_eq!(reduced(&[0; 8], UVec2::new(2, 1), UVec2::ONE, 4), [0; 4]);
        let large = vec![255; 4 * 300 * 300];
        assert_eq!(reduced(&large, UVec2::splat(300), UVec2::splat(7), 4), vec![255; 4 * 49]);
    }
}
