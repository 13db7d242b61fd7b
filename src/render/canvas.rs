//! Draws on a region of a level's picture, in coordinates of the level, with translucent colours. A region
//! gets the same pixels as in a drawing of the whole picture. The cost depends only on the pixels of the
//! region. The public methods are for games and tools.

pub(super) mod cells;
pub(super) mod labels;
pub(super) mod sheet;

use std::ops::Range;

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::mono_font::iso_8859_1::{FONT_6X10, FONT_9X15};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::prelude::Primitive;
use embedded_graphics::primitives::{PrimitiveStyleBuilder, Rectangle, RoundedRectangle};
use embedded_graphics::text::{Baseline, Text};
use glam::{DVec2, I64Vec2, IVec2, UVec2};
use image::{Rgba, RgbaImage};

use super::art::CellPlacement;
use super::picture::{
    DrawBudget, Ink, Paint, Rect, clearer, filled, shrunk, span, vertical_extent,
};
use super::{RenderError, picture};
use crate::geometry::Aabb;
use crate::terrain::Terrain;
use crate::tmx::PlacedMap;
use cells::{CellsView, Pattern, ToLevel};
use labels::{Labels, text_width};
use sheet::Margins;

/// The largest coordinate in a slanted level (see [`Canvas::slant`]), in pixels of the level times the scale.
/// No picture is larger.
const FARTHEST: i64 = 1 << 30;

/// The upper limit of [`Canvas::unit`], because wider lines would cost more. Lines become fainter in a
/// picture that is reduced further.
const MOST_REDUCED: u32 = 8;

/// The largest distance of a box's corner from the drawn region, in pixels. Farther corners are moved to this
/// distance, because their outlines are out of view.
const NEAR: i64 = 64;

/// The work of a run of pixels in a row of a line, in drawn pixels. A steep line has a run of a pixel or two
/// in each row: without this, the outlines of 5,760 columns took 19 seconds.
const PIXELS_A_RUN: i64 = 64;

/// The scale of a picture. A picture is enlarged or reduced, but not both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    /// The side of the square that shows one pixel of the level, in pixels of the picture; at least 1.
    pub(super) enlarged: u32,
    /// The side of the square of drawn pixels that a reduced picture shows as one pixel, rounded up. 1 if the
    /// picture is not reduced.
    pub(super) reduced: u32,
}

/// A level's picture, for drawing in pixels of the level. [`canvas()`](super::canvas()) makes a canvas with
/// the art and the overlay, and [`Canvas::finish`] returns the picture.
///
/// All drawings are cut to the picture. Lines, letters and badges grow much less than the scale. The cells of
/// an isometric or oblique map are drawn as the screen shows them, even if the level is in the map's own
/// space. Later drawings cover earlier drawings; labels are on top.
///
/// ```
/// use bitwall::glam::{IVec2, UVec2};
/// use bitwall::image::Rgba;
/// use bitwall::render::{self, DrawOptions, Overlay};
/// use bitwall::{Aabb, Grid, Level};
///
/// let level = Level::from_grid(Grid::from_text("......\n..##..\n......")?, UVec2::splat(16))?;
/// let options = DrawOptions { overlay: Overlay::new(2), ..DrawOptions::default() };
/// let mut canvas = render::canvas(&level, &options)?;
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
// Internal coordinates start at the top-left corner of the frame, which is the drawn region of the picture.
// `place` converts boxes of the level.
#[derive(Debug)]
pub struct Canvas<'m> {
    pub(super) picture: RgbaImage,
    pub(super) scale: u32,
    /// The width of the thinnest line in pixels; above 1 if the picture will be reduced.
    pub(super) unit: u32,
    /// The level's width and height in pixels, times the scale.
    pub(super) level: I64Vec2,
    /// The region of the whole picture that is drawn, in pixels of the whole picture.
    pub(super) frame: Rect,
    /// The projection from the level to the whole picture. `None` if both have the same axes. A level is
    /// slanted if it is in the own space of an isometric or oblique map, because the picture shows the map as
    /// on the screen.
    slant: Option<Screen<'m>>,
    budget: DrawBudget,
    pub(super) labels: Labels,
    pub(super) margins: Margins,
}

impl<'m> Canvas<'m> {
    /// Makes a canvas on `picture`, which shows the region `frame` of a level. `level` is the size of the
    /// level in pixels. `slant` projects a slanted level. `picture` has the size of `frame` times the scale.
    pub(super) fn on(
        picture: RgbaImage,
        Scale { enlarged: scale, reduced }: Scale,
        level: UVec2,
        frame: Rect,
        slant: Option<Screen<'m>>,
        budget: DrawBudget,
    ) -> Self {
        Self {
            picture,
            scale,
            unit: reduced.clamp(1, MOST_REDUCED),
            level: level.as_i64vec2() * i64::from(scale),
            frame: frame.times(scale),
            slant,
            budget,
            labels: Labels::default(),
            margins: Margins::default(),
        }
    }

    pub(super) fn paint(&mut self) -> Paint<'_> {
        Paint(&mut self.picture)
    }

    pub(super) fn size(&self) -> UVec2 {
        self.frame.pixels()
    }

    /// The width of lines in pixels, which grows slowly with the scale.
    pub(super) fn line_width(&self) -> u32 {
        self.unit * (1 + self.scale / 4)
    }

    pub(super) fn font(&self) -> &'static MonoFont<'static> {
        if self.scale < 4 { &FONT_6X10 } else { &FONT_9X15 }
    }

    pub(super) fn is_slanted(&self) -> bool {
        self.slant.is_some()
    }

    /// The region of the level that may be visible in the drawn region of the picture, in pixels of the level
    /// times the scale.
    pub(super) fn level_seen(&self) -> Rect {
        let window = self.frame;
        let seen = match &self.slant {
            None => window,
            Some(slant) => {
                let [a, b, c, d] = corners(window).map(|corner| slant.to_level(corner));
                let (min, max) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
                Rect { min: min.floor().as_i64vec2() - 1, max: max.ceil().as_i64vec2() + 1 }
            }
        };
        seen.intersection(Rect { min: I64Vec2::ZERO, max: self.level })
    }

    /// The columns and rows of the cells that may be visible in the drawn region of the picture, or within
    /// `reach` pixels of this region.
    pub(super) fn cells_seen(&self, terrain: &Terrain, reach: u32) -> (Range<u32>, Range<u32>) {
        let (seen, reach) = (self.level_seen(), i64::from(reach));
        let cell = terrain.cell_size().as_i64vec2() * i64::from(self.scale);
        let count = terrain.grid().size().as_i64vec2();
        let first = (seen.min - reach).div_euclid(cell).clamp(I64Vec2::ZERO, count).as_uvec2();
        let end = (seen.max + reach + cell - 1) / cell;
        let end = end.clamp(first.as_i64vec2(), count).as_uvec2();
        (first.x..end.x, first.y..end.y)
    }

    /// Converts a point of the level to a point of the whole picture.
    pub(super) fn at(&self, point: DVec2) -> DVec2 {
        let point = point * f64::from(self.scale);
        self.slant.as_ref().map_or(point, |slant| slant.of_level(point))
    }

    /// Converts a point of the drawn region of the picture to a point of the level.
    fn level_at(&self, point: DVec2) -> DVec2 {
        let point = point + self.frame.min.as_dvec2();
        let enlarged = self.slant.as_ref().map_or(point, |slant| slant.to_level(point));
        enlarged / f64::from(self.scale)
    }

    /// Converts a box of the level to pixels of [`Self::frame`] (the drawn region) or, in a slanted level, to
    /// pixels of the level times the scale. `None` if the box is outside the level or far from the drawn
    /// region.
    pub(super) fn place(&self, area: Aabb) -> Option<Rectangle> {
        let scale = i64::from(self.scale);
        self.place_scaled(area.min.as_i64vec2() * scale, area.max.as_i64vec2() * scale)
    }

    /// Converts a box like [`Self::place`], but the box is in pixels of the level times the scale. Corners
    /// far outside the drawn region are clamped near it, so that sums of coordinates do not overflow.
    pub(super) fn place_scaled(&self, min: I64Vec2, max: I64Vec2) -> Option<Rectangle> {
        let is_in_level =
            max.cmpgt(I64Vec2::ZERO).all() && min.cmplt(self.level).all() && min.cmplt(max).all();
        let (corner, size) = match &self.slant {
            None => (self.frame.min, self.frame.size()),
            Some(_) => (I64Vec2::ZERO, self.level.min(I64Vec2::splat(FARTHEST))),
        };
        // Corners outside the drawn region are clamped to the distance `far` from it. No line or mark around
        // a box is wider, so nothing of it is drawn there.
        let far = I64Vec2::splat((NEAR * i64::from(self.unit)).max(2 * i64::from(self.scale)));
        let (min, max) = (min - corner, max - corner);
        let is_near = max.cmpgt(-far).all() && min.cmplt(size + far).all();
        let near = |corner: I64Vec2| corner.clamp(-far, size + far);
        (is_in_level && is_near).then(|| rectangle(near(min), near(max)))
    }

    /// The bounding box of a box that [`Self::place`] returned, in pixels of the drawn region.
    pub(super) fn seen(&self, place: Rectangle) -> Rectangle {
        let Some(slant) = &self.slant else {
            return place;
        };
        let corners = corners(place_rect(place)).map(|corner| self.near(slant.of_level(corner)));
        let [min, max] = [Point::component_min, Point::component_max]
            .map(|better| corners[1..].iter().fold(corners[0], |at, corner| better(at, *corner)));
        Rectangle::with_corners(min, max)
    }

    pub(super) fn bounds(&self) -> Rectangle {
        let size = self.size();
        Rectangle::new(Point::zero(), Size::new(size.x, size.y))
    }

    /// Converts a point of the whole picture to a pixel of the drawn region. Points outside are clamped to a
    /// distance of at most the size of this region.
    pub(super) fn near(&self, point: DVec2) -> Point {
        let size = self.frame.size().as_dvec2();
        let near = (point - self.frame.min.as_dvec2()).clamp(-size, size * 2.0);
        Point::new(near.x.round() as i32, near.y.round() as i32)
    }

    pub(super) fn fill_place(&mut self, place: Rectangle, ink: Ink) {
        let Some(slant) = &self.slant else {
            return self.fill_seen(place, ink);
        };
        let corners = corners(place_rect(place)).map(|corner| slant.of_level(corner));
        let window = self.frame;
        let (top, bottom) = vertical_extent(&corners);
        for y in (top as i64).max(window.min.y)..(bottom.ceil() as i64).min(window.max.y) {
            if let Some((left, right)) = span(&corners, y as f64 + 0.5) {
                self.fill_row(y, left, right, ink);
            }
        }
    }

    /// Fills row `y` of the whole picture for the columns `from..to`, cut to the drawn region.
    fn fill_row(&mut self, y: i64, from: i64, to: i64, ink: Ink) {
        let row = Rect { min: I64Vec2::new(from, y), max: I64Vec2::new(to, y + 1) };
        let row = row.intersection(self.frame);
        self.fill_seen(rectangle(row.min - self.frame.min, row.max - self.frame.min), ink);
    }

    pub(super) fn fill_seen(&mut self, area: Rectangle, ink: Ink) {
        let area = area.intersection(&self.bounds());
        if self.budget.spend(i64::from(area.size.width) * i64::from(area.size.height)) {
            self.paint().fill(area, ink);
        }
    }

    /// Draws a line through points of the whole picture, each moved to the middle of a pixel.
    pub(super) fn line_through(&mut self, points: &[DVec2], ink: Ink, width: u32) {
        let middles: Vec<DVec2> = points.iter().map(|point| point.round() + 0.5).collect();
        self.stroke(&middles, ink, width.into());
    }

    pub(super) fn stroke(&mut self, points: &[DVec2], ink: Ink, width: f64) {
        // Invisible segments take time too.
        self.budget.spend(points.len() as i64);
        picture::line_runs(points, width, self.frame, &mut |y, from, to| {
            self.budget.spend(PIXELS_A_RUN);
            self.fill_row(y, from, to, ink);
            self.budget.check().is_ok()
        });
    }

    /// Draws a line of `width` pixels along the edge of a box that [`Self::place`] returned: inside the edge,
    /// or on the edge if the level is slanted.
    pub(super) fn outline_place(&mut self, place: Rectangle, ink: Ink, width: u32) {
        if let Some(slant) = &self.slant {
            let [a, b, c, d] = corners(place_rect(place)).map(|corner| slant.of_level(corner));
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

    pub(super) fn paint_cells(&mut self, terrain: &Terrain, pattern: &Pattern) {
        let to_level = match &self.slant {
            None => ToLevel::Upright(self.scale),
            Some(slant) => {
                let scale = f64::from(self.scale);
                let at = |x: f64, y: f64| slant.to_level(DVec2::new(x, y)) / scale;
                let first = at(0.5, 0.5);
                ToLevel::Slanted([first, at(1.5, 0.5) - first, at(0.5, 1.5) - first])
            }
        };
        let view = CellsView { corner: self.frame.min, size: self.size(), to_level };
        let (line, unit) = (self.line_width(), I64Vec2::splat(self.unit.into()));
        let picture = &mut self.picture;
        cells::visit(&view, terrain, line, &mut |at, part| {
            let place = (at - view.corner).as_uvec2();
            let pixel = picture.get_pixel_mut(place.x, place.y);
            picture::over(pixel, pattern.at(at.div_euclid(unit), part, *pixel).0);
        });
    }

    /// Colours the pixels of the drawn region whose bits in `pixels` are set. The bits are in the order of
    /// rows. Each pixel gets the one of the two inks that contrasts more with its colour.
    pub(super) fn repaint(&mut self, pixels: &[u64], inks: [Ink; 2]) {
        for (index, pixel) in self.picture.pixels_mut().enumerate() {
            if pixels.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0) {
                picture::over(pixel, clearer(*pixel, inks).0);
            }
        }
    }
}

impl Canvas<'_> {
    /// Fills a box of the level with `color`, which may be translucent. O(n) for n pixels of the box in the
    /// picture.
    pub fn fill(&mut self, area: Aabb, color: Rgba<u8>) {
        if let Some(place) = self.place(area) {
            self.fill_place(place, color.into());
        }
    }

    /// Paints the solid cells of a terrain, such as the differences of two levels: a tint, stripes and a
    /// two-tone edge. `cells` and the level have the same top-left corner. O(pixels of the picture).
    pub fn fill_cells(&mut self, cells: &Terrain, color: Rgba<u8>) {
        self.paint_cells(cells, &Pattern::striped(color.into()));
    }

    /// Draws a line along the inside of a box's edge, in two tones: `color` on a wider dark line. Labels
    /// avoid the line. O(pixels of the line).
    pub fn outline(&mut self, area: Aabb, color: Rgba<u8>) {
        let Some(place) = self.place(area) else {
            return;
        };
        let (width, unit) = (self.line_width(), self.unit);
        self.outline_place(place, Ink::DARK, width + 2 * unit);
        // The line is inside the dark edge, so that it is visible on any background.
        let size = place.size.saturating_sub(Size::new_equal(2 * unit));
        let inner = Rectangle::new(place.top_left + Point::new_equal(unit as i32), size);
        let inner = if size.width == 0 || size.height == 0 { place } else { inner };
        self.outline_place(inner, color.into(), width);
        let seen = self.seen(place);
        self.labels.keep_off(seen);
    }

    /// Draws a line through the middles of `points`, in pixels of the level, in two tones: `color` on a wider
    /// dark line. O(pixels of the line).
    pub fn line(&mut self, points: &[IVec2], color: Rgba<u8>) {
        let points: Vec<DVec2> = points.iter().map(|point| self.middle(*point)).collect();
        for (ink, width) in self.two_tones(color.into()) {
            self.stroke(&points, ink, width);
        }
    }

    /// Draws an arrow between the middles of two pixels of the level, in two tones: `color` on a wider dark
    /// line. O(pixels of the arrow).
    pub fn arrow(&mut self, from: IVec2, to: IVec2, color: Rgba<u8>) {
        let (from, to) = (self.middle(from), self.middle(to));
        let back = (from - to).try_normalize().unwrap_or(DVec2::NEG_X);
        let length = 4.0 + 2.0 * f64::from(self.line_width());
        let barb = |side: f64| to + (back + back.perp() * side) * length;
        let head = [barb(0.6), to, barb(-0.6)];
        for (ink, width) in self.two_tones(color.into()) {
            self.stroke(&[from, to], ink, width);
            self.stroke(&head, ink, width);
        }
    }

    /// Draws a number on a disc around a pixel of the level. Labels avoid the disc. O(1).
    pub fn badge(&mut self, at: IVec2, number: u32, color: Rgba<u8>) {
        let (font, text) = (self.font(), number.to_string());
        let middle = self.near(self.middle(at));
        let letters = Size::new(text_width(font, &text), font.character_size.height);
        let side = letters.height + 4;
        let size = Size::new(side.max(letters.width + 6), side);
        let area = Rectangle::new(middle - size / 2, size);
        let color = Ink::from(color);
        let style = PrimitiveStyleBuilder::new()
            .fill_color(color)
            .stroke_color(clearer(color.0, [Ink::DARK, Ink::WHITE]))
            .stroke_width(1)
            .build();
        let disc = RoundedRectangle::with_equal_corners(area, Size::new_equal(side / 2));
        let corner = area.top_left + (size - letters) / 2;
        let letter = MonoTextStyle::new(font, clearer(color.0, [Ink::DARK, Ink::WHITE]));
        let mut paint = self.paint();
        paint.draw(&disc.into_styled(style));
        paint.draw(&Text::with_baseline(&text, corner, letter, Baseline::Top));
        self.labels.keep_off(area);
    }

    /// Writes a text beside a box of the level or, if there is no room, farther away with a line to the box.
    /// [`Canvas::finish`] places all labels in their order. A label without room is left out, and the legend
    /// counts such labels. A text is cut after 60 characters.
    pub fn label(&mut self, area: Aabb, text: &str, color: Rgba<u8>) {
        if let Some(place) = self.place(area) {
            let seen = self.seen(place);
            self.labels.near(text, seen, Ink::from(color).lighter());
        }
    }

    /// Writes the labels, adds the overlay's rulers and legend, and returns the picture. O(labels + pixels).
    ///
    /// # Errors
    /// [`RenderError::TooManyPixels`] if rulers and legend make the picture larger than twice
    /// [`super::MAX_PIXELS`], [`RenderError::TooMuchToDraw`] if the drawings took more work than
    /// [`DrawOptions::work`](super::DrawOptions::work), and [`RenderError::NoMemory`].
    pub fn finish(mut self) -> Result<RgbaImage, RenderError> {
        self.budget.check()?;
        let (bounds, font) = (self.bounds(), self.font());
        let (placed, left_out) = std::mem::take(&mut self.labels).placed(bounds, font);
        labels::write_labels(&mut self.paint(), &placed, font);
        self.margins.around(self.picture, left_out)
    }

    /// Finishes the picture like [`Self::finish`], but reduces it to the size `to`. Labels are written after
    /// the reduction, to stay readable.
    pub(super) fn finish_reduced(mut self, to: UVec2) -> Result<RgbaImage, RenderError> {
        self.budget.check()?;
        let (size, font) = (self.size(), self.font());
        let within = Rectangle::new(Point::zero(), Size::new(to.x, to.y));
        let (placed, left_out) = self.labels.reduced(size, to).placed(within, font);
        let mut picture: RgbaImage = filled(to, shrunk(self.picture.as_raw(), size, to, 4)?);
        labels::write_labels(&mut Paint(&mut picture), &placed, font);
        if let Some(rulers) = &mut self.margins.rulers {
            rulers.shown = to;
        }
        self.margins.around(picture, left_out)
    }

    /// The ink and width of each of the two lines that make a two-tone line. The wider, dark line comes
    /// first, and is drawn below.
    fn two_tones(&self, ink: Ink) -> [(Ink, f64); 2] {
        let width = f64::from(self.line_width());
        [(Ink::DARK, width + 2.0 * f64::from(self.unit)), (ink, width)]
    }

    /// The point of the whole picture at the middle of a pixel of the level.
    fn middle(&self, pixel: IVec2) -> DVec2 {
        self.at(pixel.as_dvec2() + 0.5)
    }
}

fn corners(Rect { min, max }: Rect) -> [DVec2; 4] {
    let (min, max) = (min.as_dvec2(), max.as_dvec2());
    [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
}

fn place_rect(place: Rectangle) -> Rect {
    let corner = |at: Point| I64Vec2::new(at.x.into(), at.y.into());
    Rect { min: corner(place.top_left), max: corner(place.top_left + place.size) }
}

fn rectangle(min: I64Vec2, max: I64Vec2) -> Rectangle {
    let size = (max - min).max(I64Vec2::ZERO);
    Rectangle::new(Point::new(min.x as i32, min.y as i32), Size::new(size.x as u32, size.y as u32))
}

/// The projection from a level of a map, and from the screen, to the whole picture.
#[derive(Debug)]
pub(super) struct Screen<'m> {
    pub(super) map: &'m PlacedMap,
    pub(super) placement: CellPlacement<'m>,
    /// The screen point at the top-left corner of the whole picture.
    origin: DVec2,
    /// The side of a screen pixel, in pixels of the picture.
    scale: f64,
}

impl<'m> Screen<'m> {
    pub(super) fn new(map: &'m PlacedMap, scale: u32) -> Self {
        let placement = CellPlacement::new(map);
        Self { map, origin: placement.level().min.as_dvec2(), placement, scale: scale.into() }
    }

    pub(super) fn size(&self) -> UVec2 {
        let size = self.placement.level().size();
        size.max(glam::I64Vec2::ZERO).as_uvec2()
    }

    /// True if the level is in the map's own space, so that the picture shows it slanted.
    pub(super) fn projects(&self) -> bool {
        self.map.on_screen.is_none()
    }

    /// Converts a point of the level, in pixels times the scale, to a point of the whole picture.
    pub(super) fn of_level(&self, point: DVec2) -> DVec2 {
        let in_map = point / self.scale - self.map.place.as_dvec2();
        self.of_screen(self.placement.projection.map_to_screen(in_map))
    }

    pub(super) fn of_screen(&self, point: DVec2) -> DVec2 {
        (point - self.origin) * self.scale
    }

    /// Converts a point of the whole picture to a point of the level, in pixels times the scale.
    pub(super) fn to_level(&self, point: DVec2) -> DVec2 {
        let on_screen = point / self.scale + self.origin;
        (self.placement.projection.screen_to_map(on_screen) + self.map.place.as_dvec2())
            * self.scale
    }
}
