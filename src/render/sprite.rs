//! The drawing of a picture, or a part of one, into another: mirrored, scaled, turned, repeated.
//!
//! The pixels are chosen as in Qt's painter without smoothing, with which Tiled draws. A sprite that is not
//! scaled is drawn at whole pixels. Otherwise each pixel of the canvas shows the sprite's pixel under its
//! centre.

use glam::{DAffine2, DMat2, DVec2, UVec2};

use super::RenderError;
use super::budget::Budget;
use super::composite::{Blend, Color};
use super::rect::Rect;
use super::scanline::{round_half_up, span};
use super::sheet::Sheet;
use crate::geometry::Aabb;

/// A part of a picture.
#[derive(Clone, Copy)]
pub(super) struct Sprite<'a> {
    sheet: &'a Sheet<'a>,
    origin: UVec2,
    pub(super) size: UVec2,
}

impl<'a> Sprite<'a> {
    /// The part of a picture, or all of it; `None` if that is empty or begins outside the picture.
    pub(super) fn new(sheet: &'a Sheet<'a>, part: Option<Aabb>) -> Option<Self> {
        let (origin, size) = match part {
            None => (UVec2::ZERO, sheet.size()),
            Some(part) => (
                UVec2::new(u32::try_from(part.min.x).ok()?, u32::try_from(part.min.y).ok()?),
                UVec2::new(part.width(), part.height()),
            ),
        };
        let is_seen = size.min_element() > 0 && origin.cmplt(sheet.size()).all();
        is_seen.then_some(Self { sheet, origin, size })
    }

    /// The pixel at (x, y) of the part; clear beyond the picture.
    #[inline]
    fn pixel(&self, x: u32, y: u32) -> Color {
        let row = self.sheet.row(self.origin.y.saturating_add(y));
        let pixel = row.get(self.origin.x.saturating_add(x) as usize);
        pixel.copied().unwrap_or_default()
    }

    /// A run of pixels of a row; shorter where the picture ends.
    fn run(&self, x: u32, y: u32, count: usize) -> &'a [Color] {
        let row = self.sheet.row(self.origin.y.saturating_add(y));
        let start = (self.origin.x.saturating_add(x) as usize).min(row.len());
        let end = start.saturating_add(count).min(row.len());
        &row[start..end]
    }
}

/// The part of a source pixel by which a centre is moved back before it is rounded down. It is Qt's own
/// value, and decides the pixel of a centre that lies exactly between two.
const GUARD: f64 = 1.0 / 65536.0;

/// A part of an unfinished picture, and the number of pixels that may still be drawn. All places are those in
/// the whole picture: a part has the same pixels as the whole, whichever part it is.
pub(super) struct Painter<'b> {
    /// The part of the picture that `pixels` holds.
    window: Rect,
    pixels: Vec<Color>,
    budget: &'b mut Budget,
    row: Vec<Color>,
}

impl<'b> Painter<'b> {
    /// The number of `pixels` must match `window`.
    pub(super) fn new(window: Rect, pixels: Vec<Color>, budget: &'b mut Budget) -> Self {
        Self { window, pixels, budget, row: Vec::new() }
    }

    pub(super) fn into_pixels(self) -> Vec<Color> {
        self.pixels
    }

    /// An error if more was drawn than the budget allows.
    pub(super) fn check(&self) -> Result<(), RenderError> {
        self.budget.check()
    }

    /// Takes pixels that are about to be blended off the budget; false if it is too small.
    pub(super) fn spend(&mut self, pixels: i64, blend: Blend) -> bool {
        self.budget.spend(pixels.saturating_mul(blend.weight()))
    }

    /// The pixels of a row of the canvas; those outside the window are left out.
    pub(super) fn row_mut(&mut self, y: i64, from: i64, to: i64) -> &mut [Color] {
        let window = self.window;
        if !(window.min.y..window.max.y).contains(&y) {
            return &mut [];
        }
        let width = window.size().x as usize;
        let start = (y - window.min.y) as usize * width;
        let place = |x: i64| (window.clamp_x(x) - window.min.x) as usize;
        &mut self.pixels[start..start + width][place(from)..place(to.max(from))]
    }

    /// Draws a sprite; `place` maps its points, counted from its middle, to the canvas.
    pub(super) fn draw(&mut self, sprite: &Sprite<'_>, place: DAffine2, blend: Blend) {
        let matrix = place.matrix2;
        if !place.is_finite() {
        } else if matrix == DMat2::IDENTITY {
            self.draw_plain(sprite, place.translation, blend);
        } else if matrix.x_axis.y == 0.0 && matrix.y_axis.x == 0.0 {
            let scale = DVec2::new(matrix.x_axis.x, matrix.y_axis.y);
            self.draw_scaled(sprite, place.translation, scale, blend);
        } else {
            self.draw_turned(sprite, place, blend);
        }
    }

    /// Draws a sprite at its own size, neither mirrored nor turned.
    fn draw_plain(&mut self, sprite: &Sprite<'_>, centre: DVec2, blend: Blend) {
        let corner = centre - sprite.size.as_dvec2() / 2.0;
        let corner = (corner + 0.5).floor().as_i64vec2();
        let (columns, rows) = (
            clipped(corner.x, sprite.size.x, self.window.min.x, self.window.max.x),
            clipped(corner.y, sprite.size.y, self.window.min.y, self.window.max.y),
        );
        let (width, height) = (columns.end - columns.start, rows.end - rows.start);
        if width <= 0 || height <= 0 || !self.spend(width * height, blend) {
            return;
        }
        for y in rows {
            let skipped = (columns.start - corner.x) as u32;
            let run = sprite.run(skipped, (y - corner.y) as u32, width as usize);
            blend.put(self.row_mut(y, columns.start, columns.end), run);
        }
    }

    /// Draws a sprite along the axes, with another size or mirrored.
    fn draw_scaled(&mut self, sprite: &Sprite<'_>, centre: DVec2, scale: DVec2, blend: Blend) {
        let half = (sprite.size.as_dvec2() * scale / 2.0).abs();
        let (start, end) = (centre - half, centre + half);
        let columns = round_half_up(start.x)..round_half_up(end.x);
        let rows = round_half_up(start.y)..round_half_up(end.y);
        // Steps are counted from the first pixel in the whole picture.
        let begin = columns.start.max(0);
        let columns = begin.max(self.window.min.x)..columns.end.min(self.window.max.x);
        let rows = rows.start.max(self.window.min.y)..rows.end.min(self.window.max.y);
        if columns.is_empty()
            || rows.is_empty()
            || !self.spend((columns.end - columns.start) * (rows.end - rows.start), blend)
        {
            return;
        }
        let middle = sprite.size.as_dvec2() / 2.0 - GUARD - centre / scale;
        let first = (begin as f64 + 0.5) / scale.x + middle.x;
        let places = Steps::new(first, 1.0 / scale.x, columns.start - begin);
        let places = places.take((columns.end - columns.start) as usize);
        let places: Vec<u32> = places.map(|at| within(at, sprite.size.x)).collect();
        for y in rows {
            let down = ((y as f64 + 0.5) / scale.y + middle.y) * 65536.0;
            let v = within(down as i64 >> 16, sprite.size.y);
            self.put_row(y, columns.start, places.iter().map(|u| sprite.pixel(*u, v)), blend);
        }
    }

    /// Draws a sprite turned by any angle.
    fn draw_turned(&mut self, sprite: &Sprite<'_>, place: DAffine2, blend: Blend) {
        let size = sprite.size.as_dvec2();
        let half = size / 2.0;
        let corners = [-half, DVec2::new(half.x, -half.y), half, DVec2::new(-half.x, half.y)];
        let corners = corners.map(|corner| place.transform_point2(corner));
        let back = place.inverse();
        if !back.is_finite() {
            return;
        }
        let ends = corners.map(|corner| corner.y);
        let top = ends.into_iter().fold(f64::INFINITY, f64::min).max(0.0) as i64;
        let bottom = ends.into_iter().fold(f64::NEG_INFINITY, f64::max) as i64;
        for y in top.max(self.window.min.y)..=bottom.min(self.window.max.y - 1) {
            let Some((from, to)) = span(&corners, y as f64 + 0.5) else {
                continue;
            };
            let begin = from.max(0);
            let (from, to) = (begin.max(self.window.min.x), to.min(self.window.max.x));
            if from >= to {
                continue;
            }
            if !self.spend(to - from, blend) {
                return;
            }
            let centre = DVec2::new(begin as f64, y as f64) + 0.5;
            let first = back.transform_point2(centre) + half - GUARD;
            let step = back.matrix2.x_axis;
            let across = Steps::new(first.x, step.x, from - begin);
            let down = Steps::new(first.y, step.y, from - begin);
            let pixels = across.zip(down).take((to - from) as usize);
            let pixels = pixels
                .map(|(u, v)| sprite.pixel(within(u, sprite.size.x), within(v, sprite.size.y)));
            self.put_row(y, from, pixels, blend);
        }
    }

    /// Draws a sprite with its top-left corner at `corner`. It is repeated along an axis up to the canvas's
    /// edges if that is asked for.
    pub(super) fn draw_repeated(
        &mut self,
        sprite: &Sprite<'_>,
        corner: DVec2,
        repeat: (bool, bool),
        blend: Blend,
    ) {
        let corner = (corner + 0.5).floor().as_i64vec2();
        let Rect { min, max } = self.window;
        let range = |repeats: bool, start: i64, length: u32, from: i64, to: i64| match repeats {
            true => from..to,
            false => clipped(start, length, from, to),
        };
        let columns = range(repeat.0, corner.x, sprite.size.x, min.x, max.x);
        let rows = range(repeat.1, corner.y, sprite.size.y, min.y, max.y);
        let area = (columns.end - columns.start) * (rows.end - rows.start);
        if columns.is_empty() || rows.is_empty() || !self.spend(area, blend) {
            return;
        }
        let place = |at: i64, start: i64, length: u32| {
            at.saturating_sub(start).rem_euclid(i64::from(length)) as u32
        };
        for y in rows {
            let v = place(y, corner.y, sprite.size.y);
            let pixels =
                columns.clone().map(|x| sprite.pixel(place(x, corner.x, sprite.size.x), v));
            self.put_row(y, columns.start, pixels, blend);
        }
    }

    /// Blends pixels with a row of the canvas, which must hold all of them.
    fn put_row(&mut self, y: i64, from: i64, pixels: impl Iterator<Item = Color>, blend: Blend) {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        row.extend(pixels);
        blend.put(self.row_mut(y, from, from + row.len() as i64), &row);
        self.row = row;
    }

    /// The part of the picture that is drawn.
    pub(super) fn window(&self) -> Rect {
        self.window
    }
}

/// Places in a source at even steps, in 65536ths of a pixel, added up without rounding.
struct Steps {
    at: i64,
    step: i64,
}

impl Steps {
    /// The places from `first` on, without as many as `skipped`.
    fn new(first: f64, step: f64, skipped: i64) -> Self {
        // Casts saturate; sums of as many steps as a row has pixels fit.
        let fixed = |value: f64| ((value * 65536.0) as i64).clamp(-(1 << 46), 1 << 46);
        let step = fixed(step).clamp(-(1 << 32), 1 << 32);
        let at = step.saturating_mul(skipped).saturating_add(fixed(first));
        Self { at: at.clamp(-(1 << 62), 1 << 62), step }
    }
}

impl Iterator for Steps {
    type Item = i64;

    #[inline]
    fn next(&mut self) -> Option<i64> {
        let at = self.at >> 16;
        self.at += self.step;
        Some(at)
    }
}

/// The place, clamped into a source.
#[inline]
fn within(at: i64, length: u32) -> u32 {
    at.clamp(0, i64::from(length) - 1) as u32
}

/// The part of a span of pixels that is between two ends.
fn clipped(start: i64, length: u32, from: i64, to: i64) -> std::ops::Range<i64> {
    start.max(from)..start.saturating_add(i64::from(length)).min(to)
}
