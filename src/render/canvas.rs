//! Drawing on a part of a level's picture, with alpha. A part has the same pixels as the whole picture, and
//! takes no longer than its own pixels, however large the level is.

use std::ops::Range;

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::mono_font::iso_8859_1::{FONT_6X10, FONT_9X15};
use embedded_graphics::primitives::Rectangle;
use glam::{DVec2, I64Vec2, UVec2};
use image::RgbaImage;

use super::blend;
use super::budget::Budget;
use super::cells::{self, ToLevel, View};
use super::ink::{Ink, Paint};
use super::labels::Labels;
use super::margins::Margins;
use super::pattern::Pattern;
use super::rect::Rect;
use super::scanline::span;
use super::screen::Screen;
use super::stroke;
use crate::geometry::Aabb;
use crate::sweep::Terrain;

/// The parts of a picture, in pixels at a scale of 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// The part of the whole picture that is asked for.
    pub(super) frame: Rect,
    /// The part of the whole picture that is drawn now, within the frame.
    pub(super) window: Rect,
}

/// The size of a picture, compared with the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    /// The side of a level's pixel in the picture; not 0.
    pub(super) enlarged: u32,
    /// The side of the square of pixels that will be one pixel later, rounded up; 1 for no reduction.
    pub(super) reduced: u32,
}

/// A level's picture to draw on, in the pixels of the level: [`canvas()`](super::canvas()) makes one with the
/// art and the overlay, and [`Canvas::finish`] returns the picture.
///
/// All that is drawn is cut to the picture. Lines, letters and badges do not grow with the scale. A level in
/// the own space of an isometric or oblique map is drawn as the screen shows it. Later drawings cover earlier
/// ones; labels come on top of all.
///
/// ```
/// use bitwall::glam::{IVec2, UVec2};
/// use bitwall::image::Rgba;
/// use bitwall::render::{self, DrawOptions};
/// use bitwall::{Aabb, Grid, Level};
///
/// let level = Level::from_grid(Grid::from_text("......\n..##..\n......")?, UVec2::splat(16))?;
/// let mut canvas = render::canvas(&level, &DrawOptions::default().with_scale(2))?;
///
/// // A path, with an arrow at its end.
/// let (green, orange) = (Rgba([0, 158, 115, 255]), Rgba([230, 159, 0, 255]));
/// canvas.line(&[IVec2::new(8, 8), IVec2::new(8, 40), IVec2::new(60, 40)], green);
/// canvas.arrow(IVec2::new(60, 40), IVec2::new(88, 40), green);
///
/// // Finding 1: a box, a number, and a note that finds its own place.
/// let gap = Aabb::from_xywh(64, 0, 16, 32);
/// canvas.fill(gap, Rgba([230, 159, 0, 80]));
/// canvas.outline(gap, orange);
/// canvas.badge(gap.center(), 1, orange);
/// canvas.label(gap, "16 px wide", orange);
/// let picture = canvas.finish()?;
/// assert_eq!(picture.dimensions(), (192, 96));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Coordinates count from the corner of the frame: the part of the picture that is asked for, which may be
// drawn window by window. Boxes of the level are given as `place` returns them.
#[derive(Debug)]
pub struct Canvas<'m> {
    /// The pixels of the window.
    pub(super) picture: RgbaImage,
    /// The side of a level's pixel in the picture.
    pub(super) scale: u32,
    /// The width of the thinnest line: more than 1 if the picture will be reduced.
    pub(super) unit: u32,
    /// The level's size in pixels times the scale.
    level: I64Vec2,
    /// The frame, in pixels of the whole picture.
    frame: Rect,
    /// The window, in pixels from the frame's corner.
    window: Rectangle,
    /// The projection from the level to the whole picture; `None` if they are the same.
    slant: Option<Screen<'m>>,
    budget: Budget,
    pub(super) labels: Labels,
    pub(super) margins: Margins,
}

impl<'m> Canvas<'m> {
    /// A canvas for a level of `level` pixels, which is slanted if there is a `slant`. `picture` has the
    /// pixels of the window times the scale.
    pub(super) fn on(
        picture: RgbaImage,
        Scale { enlarged: scale, reduced }: Scale,
        level: UVec2,
        parts: Parts,
        slant: Option<Screen<'m>>,
        budget: Budget,
    ) -> Self {
        let (frame, window) = (parts.frame.times(scale), parts.window.times(scale));
        let corner = window.min - frame.min;
        Self {
            window: rectangle(corner, corner + window.size()),
            picture,
            scale,
            unit: reduced.clamp(1, MOST_REDUCED),
            level: level.as_i64vec2() * i64::from(scale),
            frame,
            slant,
            budget,
            labels: Labels::default(),
            margins: Margins::default(),
        }
    }

    /// For what may still be drawn; if it is spent, the picture is not complete.
    pub(super) fn budget(&self) -> Budget {
        self.budget
    }

    /// The window as a target for crate `embedded-graphics`, in pixels of the frame.
    pub(super) fn paint(&mut self) -> Paint<'_> {
        Paint::new(&mut self.picture, self.window.top_left)
    }

    /// The width and height of the frame.
    pub(super) fn size(&self) -> UVec2 {
        self.frame.pixels()
    }

    /// The width of lines; it grows slowly with the scale.
    pub(super) fn line_width(&self) -> u32 {
        self.unit * (1 + self.scale / 4)
    }

    pub(super) fn font(&self) -> &'static MonoFont<'static> {
        if self.scale < 4 { &FONT_6X10 } else { &FONT_9X15 }
    }

    /// The frame's corner, in pixels of the whole picture.
    pub(super) fn frame_corner(&self) -> I64Vec2 {
        self.frame.min
    }

    /// The first pixel of the level that a part of an upright level shows; `None` for all of it, and for a
    /// slanted one.
    pub(super) fn cut_at(&self) -> Option<I64Vec2> {
        let is_part = self.slant.is_none() && self.frame.size() != self.level;
        is_part.then(|| self.frame.min / i64::from(self.scale))
    }

    /// True if boxes of the level are not upright in the picture.
    pub(super) fn is_slanted(&self) -> bool {
        self.slant.is_some()
    }

    /// The width and height of the level times the scale.
    pub(super) fn level_size(&self) -> I64Vec2 {
        self.level
    }

    /// The part of the level times the scale that may be seen in the window.
    pub(super) fn level_seen(&self) -> Rect {
        let window = self.window_in_picture();
        let seen = match &self.slant {
            None => window,
            Some(slant) => {
                let (min, max) = (window.min.as_dvec2(), window.max.as_dvec2());
                let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
                let [a, b, c, d] = corners.map(|corner| slant.to_level(corner));
                let (min, max) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
                Rect { min: min.floor().as_i64vec2() - 1, max: max.ceil().as_i64vec2() + 1 }
            }
        };
        seen.intersection(Rect { min: I64Vec2::ZERO, max: self.level })
    }

    /// The columns and rows of the cells that may be seen in the window, or `reach` pixels beside it.
    pub(super) fn cells_seen(&self, terrain: &Terrain, reach: u32) -> (Range<u32>, Range<u32>) {
        let (seen, reach) = (self.level_seen(), i64::from(reach));
        let cell = terrain.cell_size().as_i64vec2() * i64::from(self.scale);
        let count = terrain.grid().size().as_i64vec2();
        let first = (seen.min - reach).div_euclid(cell).clamp(I64Vec2::ZERO, count).as_uvec2();
        let end = (seen.max + reach + cell - 1) / cell;
        let end = end.clamp(first.as_i64vec2(), count).as_uvec2();
        (first.x..end.x, first.y..end.y)
    }

    /// The point of the whole picture at a point of the level.
    pub(super) fn at(&self, point: DVec2) -> DVec2 {
        let point = point * f64::from(self.scale);
        self.slant.as_ref().map_or(point, |slant| slant.of_level(point))
    }

    /// The point of the level at a point of the frame.
    pub(super) fn level_at(&self, point: DVec2) -> DVec2 {
        let point = point + self.frame.min.as_dvec2();
        let enlarged = self.slant.as_ref().map_or(point, |slant| slant.to_level(point));
        enlarged / f64::from(self.scale)
    }

    /// The window and the way from its pixels to those of the level.
    fn view(&self) -> View {
        let to_level = match &self.slant {
            None => ToLevel::Upright(self.scale),
            Some(slant) => {
                let scale = f64::from(self.scale);
                let at = |x: f64, y: f64| slant.to_level(DVec2::new(x, y)) / scale;
                let first = at(0.5, 0.5);
                ToLevel::Slanted([first, at(1.5, 0.5) - first, at(0.5, 1.5) - first])
            }
        };
        let window = self.window_in_picture();
        View { corner: window.min, size: window.pixels(), to_level }
    }

    /// The window, in pixels of the whole picture.
    pub(super) fn window_in_picture(&self) -> Rect {
        let corner = self.window.top_left;
        let corner = self.frame.min + I64Vec2::new(corner.x.into(), corner.y.into());
        Rect::new(corner, UVec2::from(self.picture.dimensions()).as_i64vec2())
    }

    /// A box of the level; `None` if no part of it is near the frame.
    pub(super) fn place(&self, area: Aabb) -> Option<Rectangle> {
        let scale = i64::from(self.scale);
        self.place_scaled(area.min.as_i64vec2() * scale, area.max.as_i64vec2() * scale)
    }

    /// A box between two corners of the level times the scale; `None` if no part of it is visible. Corners
    /// far outside are clamped near the frame, so that sums of coordinates fit.
    pub(super) fn place_scaled(&self, min: I64Vec2, max: I64Vec2) -> Option<Rectangle> {
        let is_in_level =
            max.cmpgt(I64Vec2::ZERO).all() && min.cmplt(self.level).all() && min.cmplt(max).all();
        let (corner, size) = match &self.slant {
            None => (self.frame.min, self.frame.size()),
            Some(_) => (I64Vec2::ZERO, self.level.min(I64Vec2::splat(FARTHEST))),
        };
        // No box that is drawn around a point or along an edge is larger.
        let far = I64Vec2::splat((NEAR * i64::from(self.unit)).max(2 * i64::from(self.scale)));
        let (min, max) = (min - corner, max - corner);
        let is_near = max.cmpgt(-far).all() && min.cmplt(size + far).all();
        let near = |corner: I64Vec2| corner.clamp(-far, size + far);
        (is_in_level && is_near).then(|| rectangle(near(min), near(max)))
    }

    /// The smallest box of the frame around a box of the level.
    pub(super) fn seen(&self, place: Rectangle) -> Rectangle {
        let Some(slant) = &self.slant else {
            return place;
        };
        let [a, b, c, d] = corners(place).map(|corner| self.near(slant.of_level(corner)));
        let min = a.component_min(b).component_min(c).component_min(d);
        let max = a.component_max(b).component_max(c).component_max(d);
        Rectangle::with_corners(min, max)
    }

    /// The frame, from its own corner.
    pub(super) fn frame(&self) -> Rectangle {
        let size = self.size();
        Rectangle::new(Point::zero(), Size::new(size.x, size.y))
    }

    /// The whole pixel of the frame at a point of the whole picture. One that is far outside is clamped near
    /// the frame.
    pub(super) fn near(&self, point: DVec2) -> Point {
        let size = self.frame.size().as_dvec2();
        let near = (point - self.frame.min.as_dvec2()).clamp(-size, size * 2.0);
        Point::new(near.x.round() as i32, near.y.round() as i32)
    }

    /// Fills a box of the level.
    pub(super) fn fill_place(&mut self, place: Rectangle, ink: Ink) {
        let Some(slant) = &self.slant else {
            return self.fill_seen(place, ink);
        };
        let corners = corners(place).map(|corner| slant.of_level(corner));
        let window = self.window_in_picture();
        let rows = corners.map(|corner| corner.y);
        let top = rows.into_iter().fold(f64::INFINITY, f64::min) as i64;
        let bottom = rows.into_iter().fold(f64::NEG_INFINITY, f64::max).ceil() as i64;
        for y in top.max(window.min.y)..bottom.min(window.max.y) {
            if let Some((left, right)) = span(&corners, y as f64 + 0.5) {
                self.fill_row(y, left, right, ink);
            }
        }
    }

    /// Fills a part of a row of the whole picture, as far as it is in the window.
    fn fill_row(&mut self, y: i64, from: i64, to: i64, ink: Ink) {
        let row = Rect { min: I64Vec2::new(from, y), max: I64Vec2::new(to, y + 1) };
        let row = row.intersection(self.window_in_picture());
        self.fill_seen(rectangle(row.min - self.frame.min, row.max - self.frame.min), ink);
    }

    /// Fills a box of the frame.
    pub(super) fn fill_seen(&mut self, area: Rectangle, ink: Ink) {
        let area = area.intersection(&self.window);
        self.budget.pixels -= i64::from(area.size.width) * i64::from(area.size.height);
        if self.budget.pixels >= 0 {
            self.paint().fill(area, |_, _| ink);
        }
    }

    /// Draws a line through points of the whole picture, each moved to the middle of its pixel.
    pub(super) fn line_through(&mut self, points: &[DVec2], ink: Ink, width: u32) {
        let middles: Vec<DVec2> = points.iter().map(|point| point.round() + 0.5).collect();
        self.stroke(&middles, ink, width.into());
    }

    /// Draws a line through points of the whole picture.
    pub(super) fn stroke(&mut self, points: &[DVec2], ink: Ink, width: f64) {
        let window = self.window_in_picture();
        // A segment that is not seen takes time too.
        self.budget.pixels -= points.len() as i64;
        stroke::runs(points, width, window, |y, from, to| {
            self.fill_row(y, from, to, ink);
            self.budget.pixels >= 0
        });
    }

    /// Draws a line of `width` pixels along the inner side of the edge of a box of the level, or along the
    /// edge itself if it is slanted.
    pub(super) fn outline_place(&mut self, place: Rectangle, ink: Ink, width: u32) {
        if let Some(slant) = &self.slant {
            let [a, b, c, d] = corners(place).map(|corner| slant.of_level(corner));
            return self.line_through(&[a, b, c, d, a], ink, width);
        }
        let size = place.size;
        let (wide, high) = (width.min(size.width), width.min(size.height));
        let (right, bottom) = ((size.width - wide) as i32, (size.height - high) as i32);
        let middle = size.height.saturating_sub(2 * high);
        for (x, y, size) in [
            (0, 0, Size::new(size.width, high)),
            (0, bottom, Size::new(size.width, high.min(size.height - high))),
            (0, high as i32, Size::new(wide, middle)),
            (right, high as i32, Size::new(wide.min(size.width - wide), middle)),
        ] {
            self.fill_seen(Rectangle::new(place.top_left + Point::new(x, y), size), ink);
        }
    }

    /// Paints the solid cells of a terrain with a pattern.
    pub(super) fn paint_cells(&mut self, terrain: &Terrain, pattern: &Pattern) {
        let (view, line) = (self.view(), self.line_width());
        let unit = I64Vec2::splat(self.unit.into());
        let picture = &mut self.picture;
        cells::visit(&view, terrain, line, |at, part| {
            let place = (at - view.corner).as_uvec2();
            let pixel = picture.get_pixel_mut(place.x, place.y);
            blend::over(pixel, pattern.at(at.div_euclid(unit), part, *pixel).0);
        });
    }

    /// Draws the pixels of the window whose bits are set, row by row, each with an ink for the one below.
    pub(super) fn repaint(&mut self, pixels: &[u64], ink: impl Fn(image::Rgba<u8>) -> Ink) {
        for (pixel, index) in self.picture.pixels_mut().zip(0..) {
            let index: usize = index;
            if pixels.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0) {
                blend::over(pixel, ink(*pixel).0);
            }
        }
    }
}

/// The corners of a box, clockwise from the top-left one.
fn corners(place: Rectangle) -> [DVec2; 4] {
    let (first, end) = (place.top_left, place.top_left + place.size);
    let corner = |x: i32, y: i32| DVec2::new(x.into(), y.into());
    [corner(first.x, first.y), corner(end.x, first.y), corner(end.x, end.y), corner(first.x, end.y)]
}

/// The longest side of a slanted level times the scale; no picture has room for more.
const FARTHEST: i64 = 1 << 30;

/// The largest unit: in a picture that is reduced more, lines become fainter. They cost as much as they are
/// wide.
const MOST_REDUCED: u32 = 8;

/// The distance from the frame to which far corners are clamped, in pixels: far enough to hide an outline.
const NEAR: i64 = 64;

/// The box between two corners near a frame.
fn rectangle(min: I64Vec2, max: I64Vec2) -> Rectangle {
    let size = (max - min).max(I64Vec2::ZERO);
    Rectangle::new(Point::new(min.x as i32, min.y as i32), Size::new(size.x as u32, size.y as u32))
}
