//! Draws on a region of a level's picture, in coordinates of the level, with translucent colours. A region
//! gets the same pixels as in a drawing of the whole picture. The cost depends only on the pixels of the
//! region. The public methods are for games and tools.

mod cells;
mod labels;
mod marks;
mod sheet;

use std::ops::Range;

use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::mono_font::iso_8859_1::{FONT_6X10, FONT_10X20};
use glam::{DVec2, I64Vec2, IVec2, UVec2};
use image::{Rgba, RgbaImage};

use super::picture::{
    DARK, DrawBudget, Rect, fill, lighter, reduced, segment_outline, span, vertical_extent,
};
use super::view::MapView;
use super::{PicturePlan, RenderError};
use crate::geometry::Aabb;
use crate::terrain::Terrain;
use cells::Pattern;
use labels::{Labels, Wish, text_size};
pub(super) use marks::{draw_overlay, size_of_margins};
use sheet::Margins;

/// The upper limit of [`Canvas::unit`], because wider lines would cost more. Lines become fainter in a
/// picture that is reduced further.
const MOST_REDUCED: u32 = 8;

/// The width from which a picture has large letters, in pixels.
const WIDE: u32 = 1_200;

/// The work of a row of a line's segment, in drawn pixels. A steep line has a pixel or two in each row:
/// without this, the outlines of 5,760 columns took 19 seconds.
const PIXELS_A_ROW: i64 = 64;

/// The largest distance of a point from the middle of a picture, in pixels. No picture is larger.
const FARTHEST: f64 = (1_u64 << 40) as f64;

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
// Internal coordinates are pixels of the whole picture. `place` converts boxes of the level.
#[derive(Debug)]
pub struct Canvas<'m> {
    picture: RgbaImage,
    scale: u32,
    reduced: Option<UVec2>,
    /// The width of the thinnest line in pixels; above 1 if the picture will be reduced.
    unit: u32,
    /// The level, in pixels times the scale.
    level: Rect,
    /// The region of the whole picture that is drawn.
    frame: Rect,
    /// The projection from the level to the whole picture. `None` if both have the same axes. A level is
    /// slanted if it is in the own space of an isometric or oblique map, because the picture shows the map as
    /// on the screen.
    slant: Option<MapView<'m>>,
    budget: DrawBudget,
    labels: Labels,
    margins: Margins,
}

impl<'m> Canvas<'m> {
    /// Makes a canvas on `picture`, which is enlarged as planned, but not reduced yet. `level` is the size of
    /// the level in pixels. `slant` projects a slanted level.
    pub(super) fn new(
        picture: RgbaImage,
        plan: PicturePlan,
        level: UVec2,
        slant: Option<MapView<'m>>,
        budget: DrawBudget,
    ) -> Self {
        let drawn = UVec2::from(picture.dimensions());
        let unit = plan.reduced.map_or(1, |to| {
            drawn.x.div_ceil(to.x).max(drawn.y.div_ceil(to.y)).clamp(1, MOST_REDUCED)
        });
        Self {
            picture,
            scale: plan.enlarged,
            reduced: plan.reduced,
            unit,
            level: Rect::new(I64Vec2::ZERO, level.as_i64vec2()).times(plan.enlarged),
            frame: plan.frame.times(plan.enlarged),
            slant,
            budget,
            labels: Labels::default(),
            margins: Margins::default(),
        }
    }

    /// The width of lines in pixels, which grows slowly with the scale.
    fn line_width(&self) -> u32 {
        self.unit * (1 + self.scale / 4)
    }

    /// The letters of labels and badges. Pages show a wide picture reduced, so its letters are twice as
    /// large.
    fn font(&self) -> &'static MonoFont<'static> {
        let width = self.reduced.map_or(self.picture.width(), |to| to.x);
        if width < WIDE { &FONT_6X10 } else { &FONT_10X20 }
    }

    /// The region of the level that may be visible in the box `area` of the whole picture, in pixels of the
    /// level times the scale.
    fn level_in(&self, area: Rect) -> Rect {
        let seen = match &self.slant {
            None => area,
            Some(slant) => around(area.corners().map(|corner| slant.to_level(corner))).grown(1),
        };
        seen.intersection(self.level)
    }

    /// The columns and rows of the cells that may be visible in the box `area` of the whole picture.
    fn cells_in(&self, terrain: &Terrain, area: Rect) -> (Range<u32>, Range<u32>) {
        let seen = self.level_in(area);
        let cell = terrain.cell_size().as_i64vec2() * i64::from(self.scale);
        let count = terrain.grid().size().as_i64vec2();
        let first = seen.min.div_euclid(cell).clamp(I64Vec2::ZERO, count).as_uvec2();
        let end = (seen.max + cell - 1) / cell;
        let end = end.clamp(first.as_i64vec2(), count).as_uvec2();
        (first.x..end.x, first.y..end.y)
    }

    /// Converts a point of the level to a point of the whole picture.
    fn at(&self, point: DVec2) -> DVec2 {
        let point = point * f64::from(self.scale);
        self.slant.as_ref().map_or(point, |slant| slant.of_level(point))
    }

    /// Converts a point of the whole picture to a point of the level.
    fn level_at(&self, point: DVec2) -> DVec2 {
        let enlarged = self.slant.as_ref().map_or(point, |slant| slant.to_level(point));
        enlarged / f64::from(self.scale)
    }

    /// The point of the whole picture at the middle of a pixel of the level.
    fn middle(&self, pixel: IVec2) -> DVec2 {
        self.at(pixel.as_dvec2() + 0.5)
    }

    /// Converts a box of the level to pixels times the scale. `None` if the box is outside the level.
    fn place(&self, area: Aabb) -> Option<Rect> {
        let place = Rect::from(area).times(self.scale);
        let is_in_level = !place.is_empty() && !place.intersection(self.level).is_empty();
        is_in_level.then_some(place)
    }

    /// The corners, in the whole picture, of a box that [`Self::place`] returned.
    fn corners(&self, place: Rect) -> [DVec2; 4] {
        let corners = place.corners();
        self.slant.as_ref().map_or(corners, |slant| corners.map(|corner| slant.of_level(corner)))
    }

    /// The bounding box, in the whole picture, of a box that [`Self::place`] returned.
    fn seen(&self, place: Rect) -> Rect {
        around(self.corners(place))
    }

    /// Fills a box that [`Self::place`] returned.
    fn fill_place(&mut self, place: Rect, ink: Rgba<u8>) {
        self.fill_corners(&self.corners(place), ink);
    }

    /// Fills a convex shape with four corners in the whole picture.
    fn fill_corners(&mut self, corners: &[DVec2; 4], ink: Rgba<u8>) {
        let (top, bottom) = vertical_extent(corners);
        let top = (top.floor() as i64).max(self.frame.min.y);
        for y in top..(bottom.ceil() as i64).min(self.frame.max.y) {
            if let Some((left, right)) = span(corners, y as f64 + 0.5) {
                self.fill_row(y, left, right, ink);
            }
        }
    }

    /// Fills the columns `from..to` of row `y` of the whole picture.
    fn fill_row(&mut self, y: i64, from: i64, to: i64, ink: Rgba<u8>) {
        self.fill_seen(Rect { min: I64Vec2::new(from, y), max: I64Vec2::new(to, y + 1) }, ink);
    }

    /// Fills a box of the whole picture.
    fn fill_seen(&mut self, area: Rect, ink: Rgba<u8>) {
        let area = area.intersection(self.frame);
        if self.budget.spend(area.size().element_product()) {
            fill(&mut self.picture, area.moved(-self.frame.min), ink);
        }
    }

    /// Draws a line through points of the whole picture, each moved to the middle of a pixel.
    fn line_through(&mut self, points: &[DVec2], ink: Rgba<u8>, width: u32) {
        let middles: Vec<DVec2> = points.iter().map(|point| point.round() + 0.5).collect();
        self.stroke(&middles, ink, width.into());
    }

    fn stroke(&mut self, points: &[DVec2], ink: Rgba<u8>, width: f64) {
        // Invisible segments take time too.
        self.budget.spend(points.len() as i64);
        for ends in points.windows(2) {
            let Some(corners) = segment_outline(ends[0], ends[1], width / 2.0) else { continue };
            let (top, bottom) = vertical_extent(&corners);
            let Rect { min, max } = self.frame;
            let rows = (bottom.ceil() as i64).min(max.y) - (top.floor() as i64).max(min.y);
            if !self.budget.spend(rows.max(0) * PIXELS_A_ROW) {
                return;
            }
            self.fill_corners(&corners, ink);
        }
    }

    /// Draws a line of `width` pixels along the edge of a box that [`Self::place`] returned: inside the edge,
    /// or on the edge if the level is slanted.
    fn outline_place(&mut self, place: Rect, ink: Rgba<u8>, width: u32) {
        if self.slant.is_some() {
            let [a, b, c, d] = self.corners(place);
            return self.line_through(&[a, b, c, d, a], ink, width);
        }
        let inner = place.grown(-i64::from(width));
        if inner.is_empty() {
            return self.fill_seen(place, ink);
        }
        let above = Rect { max: I64Vec2::new(place.max.x, inner.min.y), ..place };
        let below = Rect { min: I64Vec2::new(place.min.x, inner.max.y), ..place };
        let left = Rect { min: I64Vec2::new(place.min.x, inner.min.y), max: below.min };
        let left = Rect { max: I64Vec2::new(inner.min.x, left.max.y), ..left };
        let right = left.moved(I64Vec2::new(inner.max.x - place.min.x, 0));
        for side in [above, below, left, right] {
            self.fill_seen(side, ink);
        }
    }

    /// Writes a two-tone line through points of the whole picture: `color` on a wider dark line.
    fn line_in_two_tones(&mut self, lines: &[&[DVec2]], color: Rgba<u8>) {
        let width = f64::from(self.line_width());
        for (ink, width) in [(DARK, width + 2.0 * f64::from(self.unit)), (color, width)] {
            for points in lines {
                self.stroke(points, ink, width);
            }
        }
    }
}

/// The whole pixels around points, cut beyond [`FARTHEST`].
fn around(points: [DVec2; 4]) -> Rect {
    let [a, b, c, d] =
        points.map(|point| point.clamp(DVec2::splat(-FARTHEST), DVec2::splat(FARTHEST)));
    let min = a.min(b).min(c.min(d));
    let max = a.max(b).max(c.max(d));
    Rect { min: min.floor().as_i64vec2(), max: max.ceil().as_i64vec2() }
}

impl Canvas<'_> {
    /// Fills a box of the level with `color`, which may be translucent. O(n) for n pixels of the box in the
    /// picture.
    pub fn fill(&mut self, area: Aabb, color: Rgba<u8>) {
        if let Some(place) = self.place(area) {
            self.fill_place(place, color);
        }
    }

    /// Paints the solid cells of a terrain: a tint, stripes and a two-tone edge. O(pixels of the picture).
    ///
    /// The cells are, for example, the differences of two levels. `cells` and the level have the same
    /// top-left corner.
    pub fn fill_cells(&mut self, cells: &Terrain, color: Rgba<u8>) {
        self.paint_cells(cells, Pattern::striped(color));
    }

    /// Draws a line along the inside of a box's edge, in two tones: `color` on a wider dark line.
    ///
    /// Labels avoid the line. O(pixels of the line).
    pub fn outline(&mut self, area: Aabb, color: Rgba<u8>) {
        let Some(place) = self.place(area) else {
            return;
        };
        let width = self.line_width();
        self.outline_place(place, DARK, width + 2 * self.unit);
        // The line is inside the dark edge, so that it is visible on any background.
        let inner = place.grown(-i64::from(self.unit));
        self.outline_place(if inner.is_empty() { place } else { inner }, color, width);
        self.labels.keep_off(self.seen(place));
    }

    /// Draws a line through the middles of `points`, in pixels of the level, in two tones: `color` on a wider
    /// dark line. O(pixels of the line).
    pub fn line(&mut self, points: &[IVec2], color: Rgba<u8>) {
        let points: Vec<DVec2> = points.iter().map(|point| self.middle(*point)).collect();
        self.line_in_two_tones(&[&points], color);
    }

    /// Draws an arrow between the middles of two pixels of the level, in two tones: `color` on a wider dark
    /// line. O(pixels of the arrow).
    pub fn arrow(&mut self, from: IVec2, to: IVec2, color: Rgba<u8>) {
        let from = self.middle(from);
        let to = self.middle(to);
        let back = (from - to).try_normalize().unwrap_or(DVec2::NEG_X);
        let length = 4.0 + 2.0 * f64::from(self.line_width());
        let [left, right] = [0.6, -0.6].map(|side| to + (back + back.perp() * side) * length);
        self.line_in_two_tones(&[&[from, to], &[left, to, right]], color);
    }

    /// Draws a number in a box around a pixel of the level. Labels avoid the box. O(1).
    pub fn badge(&mut self, at: IVec2, number: u32, color: Rgba<u8>) {
        let font = self.font();
        let text = number.to_string();
        let letters = text_size(font, &text);
        let side = letters.y + 4;
        let size = I64Vec2::new(side.max(letters.x + 6), side);
        let middle = self.middle(at).round().as_i64vec2();
        let area = Rect::new(middle - size / 2, size);
        if area.intersection(self.frame).is_empty() {
            return;
        }
        self.fill_seen(area, color);
        self.fill_seen(area.grown(-1), DARK);
        let corner = area.min - self.frame.min + (size - letters) / 2;
        labels::write(&mut self.picture, &text, corner, font, lighter(color));
        self.labels.keep_off(area);
    }

    /// Writes a text beside a box of the level. A text is cut after 60 characters.
    ///
    /// [`Canvas::finish`] places all labels in their order, and joins those with the same text to one with
    /// their number. A label without room is left out, and the legend counts such labels.
    pub fn label(&mut self, area: Aabb, text: &str, color: Rgba<u8>) {
        if let Some(place) = self.place(area) {
            self.labels.add(text, self.seen(place), lighter(color), Wish::Beside);
        }
    }

    /// Writes the labels, adds the overlay's rulers and legend, and returns the picture. O(labels + pixels).
    ///
    /// A picture that is reduced to fit is reduced first, so that labels stay readable.
    ///
    /// # Errors
    /// [`RenderError::TooManyPixels`] if rulers and legend make the picture larger than twice
    /// [`super::MAX_PIXELS`], [`RenderError::TooMuchToDraw`] if the drawings took more work than
    /// [`DrawOptions::work`](super::DrawOptions::work), and [`RenderError::NoMemory`].
    pub fn finish(self) -> Result<RgbaImage, RenderError> {
        self.budget.check()?;
        let font = self.font();
        let mut picture = self.picture;
        if let Some(to) = self.reduced {
            picture = reduced(&picture, to);
        }
        let left_out = self.labels.write(&mut picture, self.frame, font);
        self.margins.around(picture, left_out)
    }
}
