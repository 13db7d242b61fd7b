//! Loads the pictures that maps use, and draws sprites: rectangular parts of these pictures.
//!
//! Sprites are sampled as in Tiled, by Qt's painter without smoothing. An unscaled sprite is drawn at whole
//! pixels. Otherwise a pixel of the canvas shows the sprite's pixel under its centre.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use glam::{DAffine2, DMat2, DVec2, I64Vec2, UVec2};
use image::RgbaImage;

use super::super::picture::{DrawBudget, Rect, span, vertical_extent};
use super::blend::{Blend, premultiplied};
use crate::error::LoadError;
use crate::geometry::Aabb;
use crate::load::{Files, PictureBudget};
use crate::tmx::{Color, PlacedMap};

/// The decoded pictures of a map by path. A picture that could not be loaded is `None`.
pub type Pictures = BTreeMap<PathBuf, Option<RgbaImage>>;

/// Returns the paths of the pictures that [`crate::render::draw()`] needs for the art of `map`: the pictures
/// of visible tiles and image layers.
///
/// A path is written as in the map, joined to the map's folder.
pub fn picture_paths(map: &PlacedMap) -> BTreeSet<PathBuf> {
    map.map.drawn_images().into_iter().map(|image| image.path.clone()).collect()
}

/// Loads the pictures of a level's maps for [`crate::render::draw()`], from `files`.
///
/// One [`PictureBudget`] limits the memory and time of all pictures. Also returns an error per picture that
/// could not be loaded, with the path of the picture (empty if the picture has no path).
pub fn load_pictures(maps: &[PlacedMap], files: &mut dyn Files) -> (Pictures, Vec<LoadError>) {
    let mut budget = PictureBudget::default();
    let mut pictures = Pictures::new();
    let mut errors = Vec::new();
    let paths: BTreeSet<PathBuf> = maps.iter().flat_map(picture_paths).collect();
    for path in paths {
        let picture = budget.load(&path, files);
        let picture = picture.map_err(|error| errors.push(error)).ok();
        pictures.insert(path, picture);
    }
    (pictures, errors)
}

/// A rectangular part of a picture.
#[derive(Clone, Copy)]
pub(crate) struct Sprite<'a> {
    picture: &'a RgbaImage,
    /// The colour that counts as transparent.
    transparent: Option<[u8; 3]>,
    origin: UVec2,
    pub(crate) size: UVec2,
}

impl<'a> Sprite<'a> {
    /// The part `source` of a picture, which must start inside the picture.
    pub(super) fn new(picture: &'a RgbaImage, transparent: Option<[u8; 3]>, source: Aabb) -> Self {
        Self { picture, transparent, origin: source.min.as_uvec2(), size: source.size() }
    }

    /// The pixels of row `y`, from the first column of the sprite to the end of the picture.
    #[inline]
    fn row(&self, y: u32) -> &'a [Color] {
        let (width, height) = self.picture.dimensions();
        let y = self.origin.y.saturating_add(y);
        // `y` is compared with the height first: with 32-bit pointers the index of a far row would wrap
        // around.
        if y >= height || self.origin.x >= width {
            return &[];
        }
        let (pixels, _) = self.picture.as_raw().as_chunks::<4>();
        let start = y as usize * width as usize;
        &pixels[start + self.origin.x as usize..start + width as usize]
    }

    /// The colour of a pixel of the picture, with premultiplied alpha.
    #[inline]
    fn color(&self, pixel: Color) -> Color {
        match self.transparent {
            Some(clear) if clear == pixel[..3] => Color::default(),
            _ => premultiplied(pixel),
        }
    }

    /// The colour at (`x`, `y`) of the sprite; transparent outside the picture.
    #[inline]
    fn pixel(&self, x: u32, y: u32) -> Color {
        self.row(y).get(x as usize).map_or(Color::default(), |pixel| self.color(*pixel))
    }
}

/// Subtracted from a position in source pixels before it is rounded down, as in Qt. A position exactly
/// between two pixels therefore belongs to the left or upper pixel.
const GUARD: f64 = 1.0 / 65536.0;

/// A region of a picture that is being drawn, and the work that may still be done. All positions are relative
/// to the whole picture, so a region gets the same pixels as in a drawing of the whole.
pub(crate) struct Painter<'b> {
    /// The region of the whole picture that `picture` shows.
    window: Rect,
    picture: &'b mut RgbaImage,
    pub(super) budget: &'b mut DrawBudget,
    row: Vec<Color>,
}

impl<'b> Painter<'b> {
    /// Makes a painter for the region `window` of a picture. `picture` must have the size of `window`.
    pub(super) fn new(
        window: Rect,
        picture: &'b mut RgbaImage,
        budget: &'b mut DrawBudget,
    ) -> Self {
        Self { window, picture, budget, row: Vec::new() }
    }

    /// Subtracts the work of blending `pixels` pixels from the budget. Returns false if the budget is
    /// exceeded; the pixels must then not be drawn.
    fn spend(&mut self, pixels: i64, blend: Blend) -> bool {
        self.budget.spend(pixels.saturating_mul(blend.weight()))
    }

    /// The pixels of row `y` with columns in `from..to`, cut to the window.
    fn row_mut(&mut self, y: i64, from: i64, to: i64) -> &mut [Color] {
        let window = self.window;
        if !(window.min.y..window.max.y).contains(&y) {
            return &mut [];
        }
        let width = window.size().x as usize;
        let start = (y - window.min.y) as usize * width;
        let first = (window.clamp_x(from) - window.min.x) as usize;
        let end = (window.clamp_x(to.max(from)) - window.min.x) as usize;
        let (pixels, _) = self.picture.as_chunks_mut::<4>();
        &mut pixels[start + first..start + end]
    }

    /// Draws a sprite. `place` maps points of the sprite, relative to its middle, to points of the picture.
    pub(super) fn draw(&mut self, sprite: &Sprite<'_>, place: DAffine2, blend: Blend) {
        let matrix = place.matrix2;
        if !place.is_finite() {
        } else if matrix == DMat2::IDENTITY {
            let corner = place.translation - sprite.size.as_dvec2() / 2.0;
            self.draw_plain(sprite, (corner + 0.5).floor().as_i64vec2(), blend);
        } else {
            self.draw_sampled(sprite, place, blend);
        }
    }

    /// Draws a sprite that is not scaled, mirrored or turned, with its top-left corner at `corner`.
    fn draw_plain(&mut self, sprite: &Sprite<'_>, corner: I64Vec2, blend: Blend) {
        let columns = clipped(corner.x, sprite.size.x, self.window.min.x, self.window.max.x);
        let rows = clipped(corner.y, sprite.size.y, self.window.min.y, self.window.max.y);
        let width = columns.end - columns.start;
        let height = rows.end - rows.start;
        if width <= 0 || height <= 0 || !self.spend(width * height, blend) {
            return;
        }
        for y in rows {
            let row = sprite.row((y - corner.y) as u32).iter().take(sprite.size.x as usize);
            let row = row.skip((columns.start - corner.x) as usize).take(width as usize);
            self.put_row(y, columns.start, row.map(|pixel| sprite.color(*pixel)), blend);
        }
    }

    /// Draws a sprite that is scaled, mirrored or turned. The steps through the sprite's pixels are counted
    /// from the left edge of the whole picture, not of the window, so that each window gets the same pixels.
    fn draw_sampled(&mut self, sprite: &Sprite<'_>, place: DAffine2, blend: Blend) {
        let size = sprite.size.as_dvec2();
        let half = size / 2.0;
        let corners = [-half, DVec2::new(half.x, -half.y), half, DVec2::new(-half.x, half.y)];
        let corners = corners.map(|corner| place.transform_point2(corner));
        let back = place.inverse();
        if !back.is_finite() {
            return;
        }
        let (top, bottom) = vertical_extent(&corners);
        let top = (top.max(0.0) as i64).max(self.window.min.y);
        for y in top..=(bottom as i64).min(self.window.max.y - 1) {
            let Some((from, to)) = span(&corners, y as f64 + 0.5) else {
                continue;
            };
            let begin = from.max(0);
            let from = begin.max(self.window.min.x);
            let to = to.min(self.window.max.x);
            if from >= to {
                continue;
            }
            if !self.spend(to - from, blend) {
                return;
            }
            let centre = DVec2::new(begin as f64, y as f64) + 0.5;
            let first = back.transform_point2(centre) + half - GUARD;
            let step = back.matrix2.x_axis;
            let across = SampleSteps::new(first.x, step.x, from - begin);
            let down = SampleSteps::new(first.y, step.y, from - begin);
            let pixels = across.zip(down).take((to - from) as usize);
            let pixels = pixels
                .map(|(u, v)| sprite.pixel(within(u, sprite.size.x), within(v, sprite.size.y)));
            self.put_row(y, from, pixels, blend);
        }
    }

    /// Draws a sprite with its top-left corner at `corner`. `repeat` is true for each axis along which the
    /// sprite repeats up to the edges of the window.
    pub(super) fn draw_repeated(
        &mut self,
        sprite: &Sprite<'_>,
        corner: DVec2,
        repeat: (bool, bool),
        blend: Blend,
    ) {
        let corner = (corner + 0.5).floor().as_i64vec2();
        let size = sprite.size.as_i64vec2();
        let Rect { min, max } = self.window;
        let mut first = corner;
        let mut end = corner + 1;
        if repeat.0 {
            first.x = min.x - (min.x - corner.x).rem_euclid(size.x);
            end.x = max.x;
        }
        if repeat.1 {
            first.y = min.y - (min.y - corner.y).rem_euclid(size.y);
            end.y = max.y;
        }
        for y in (first.y..end.y).step_by(size.y as usize) {
            for x in (first.x..end.x).step_by(size.x as usize) {
                self.draw_plain(sprite, I64Vec2::new(x, y), blend);
            }
        }
    }

    /// Blends `pixels` over row `y`, from column `from` to the right. All pixels must be in the window.
    fn put_row(&mut self, y: i64, from: i64, pixels: impl Iterator<Item = Color>, blend: Blend) {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        row.extend(pixels);
        blend.put(self.row_mut(y, from, from + row.len() as i64), &row);
        self.row = row;
    }
}

/// The pixels of a sprite that a row or column of the canvas shows: positions in the sprite's picture at
/// equal steps. The steps are added in 65536ths of a pixel, without rounding.
struct SampleSteps {
    at: i64,
    step: i64,
}

impl SampleSteps {
    /// Yields `first`, `first + step`, `first + 2 step` and so on, but leaves out the first `skipped`
    /// positions.
    fn new(first: f64, step: f64, skipped: i64) -> Self {
        // Casts saturate. The sums fit an `i64` for any row of pixels.
        let step = ((step * 65536.0) as i64).clamp(-(1 << 32), 1 << 32);
        let first = ((first * 65536.0) as i64).clamp(-(1 << 46), 1 << 46);
        let at = step.saturating_mul(skipped).saturating_add(first);
        Self { at: at.clamp(-(1 << 62), 1 << 62), step }
    }
}

impl Iterator for SampleSteps {
    type Item = i64;

    #[inline]
    fn next(&mut self) -> Option<i64> {
        let at = self.at >> 16;
        self.at += self.step;
        Some(at)
    }
}

#[inline]
fn within(at: i64, length: u32) -> u32 {
    at.clamp(0, i64::from(length) - 1) as u32
}

fn clipped(start: i64, length: u32, from: i64, to: i64) -> std::ops::Range<i64> {
    start.max(from)..start.saturating_add(i64::from(length)).min(to)
}

/// The side of a square in the checkerboard of a missing picture, in pixels.
const CHECK: i64 = 4;
/// The two grays of the checkerboard, premultiplied.
const CHECKS: [Color; 2] = [[70, 71, 74, 120], [90, 91, 94, 120]];

/// Draws the checkerboard of a missing picture in a box of `size` at `min`. Its grays do not look like a
/// solid, and the checkerboard continues from box to box.
pub(super) fn draw_missing(painter: &mut Painter<'_>, min: DVec2, size: DVec2, blend: Blend) {
    let ends = [min, min + size];
    // A position that is no number is not near either.
    if !ends.iter().all(|at| at.abs().max_element() < 1e9) {
        return;
    }
    let blend = blend.without_tint();
    let [min, max] = ends.map(|at| (at + 0.5).floor().as_i64vec2());
    let seen = Rect { min, max: max.max(min) }.intersection(painter.window);
    if !painter.spend(seen.size().element_product(), blend) {
        return;
    }
    for y in seen.min.y..seen.max.y {
        let row: Vec<Color> = (seen.min.x..seen.max.x)
            .map(|x| CHECKS[(x.div_euclid(CHECK) + y.div_euclid(CHECK)) as usize & 1])
            .collect();
        blend.put(painter.row_mut(y, seen.min.x, seen.max.x), &row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_far_below_the_picture_is_empty() {
        let picture = RgbaImage::from_pixel(4, 2, image::Rgba([9, 9, 9, 255]));
        let sprite = Sprite::new(&picture, None, Aabb::from_xywh(0, 0, 4, 2));
        assert_eq!(sprite.row(1).len(), 4);
        // 2^30 rows of 4 pixels are 2^32, which wraps to 0 with 32-bit pointers.
        for y in [2, 1 << 30, (1 << 30) + 1, u32::MAX] {
            assert!(sprite.row(y).is_empty(), "{y}");
        }
    }
}
