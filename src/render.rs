//! Pictures of a level: its solid cells, its art, and both with markers and a motion on top.
//!
//! [`draw()`] is the one door: the art of a level, and over it the solids, the areas, the markers and the
//! sweep of a body, as [`DrawOptions`] say. [`canvas()`] returns the same to draw more on: a path, numbered
//! findings. [`collision()`] draws the solid cells alone, in black and white. The parts
//! of both are public too. Pictures come in and go out as plain pixels: nothing here opens or encodes a file,
//! and nothing panics. A picture that would be too large is a [`RenderError`].
//!
//! ```
//! use bitwall::render::{self, DrawOptions, Overlay};
//! use bitwall::{Aabb, Dir, LoadOptions, LoadedLevel, load};
//!
//! let path = "assets/cave.tmx";
//! let loaded = LoadedLevel::load(path, &LoadOptions::default())?;
//! let mut files = load::Disk::new(path, loaded.options());
//! let (pictures, _errors) = render::load_pictures(&loaded.maps, &mut files);
//! let overlay = Overlay {
//!     body: Some(Aabb::from_xywh(74, 244, 12, 20)),
//!     motion: Some((Dir::Right, 400)),
//!     ..Overlay::new(2)
//! };
//! let options = DrawOptions { pictures: Some(&pictures), overlay, ..DrawOptions::default() };
//! let picture = render::draw(&loaded, &options)?;
//! assert_eq!(picture.width(), 2 * loaded.level.size().x);
//!
//! let walls = render::draw(&loaded.level, &DrawOptions::default())?;
//! assert_eq!(walls.width(), loaded.level.size().x, "a plain level is drawn on paper");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod art;
mod canvas;
mod marks;
mod picture;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use glam::{I64Vec2, U64Vec2, UVec2};
use image::{GrayImage, ImageBuffer, Pixel, Rgba, RgbaImage};

use crate::geometry::{Aabb, Dir};
use crate::level::Level;
use crate::limits::Limits;
use crate::load::LoadedLevel;
use crate::tmx::PlacedMap;
use art::LevelArt;
pub use art::tiles::{Pictures, load_pictures, picture_paths, pictures};
pub use art::{ArtOptions, art, art_with, level_art};
pub use canvas::Canvas;
use canvas::labels::Labels;
use canvas::sheet::Rulers;
use canvas::{Scale, Screen};
use picture::{
    DrawBudget, Rect, STEPS_A_GRAY_PIXEL, STEPS_A_PIXEL, checked_size, filled, plain, room, shrunk,
};

/// The largest number of pixels of a picture in colour: 256 MiB.
pub const MAX_PIXELS: u64 = 1 << 26;

/// The largest number of pixels of a picture in gray, 128 MiB: as many as a mask may have by default.
pub const MAX_GRAY_PIXELS: u64 = 1 << 27;

/// The paper of an overlay, which shows through clear or absent art. It is that of a JPEG too, which has no
/// clear pixels.
pub const PAPER: Rgba<u8> = Rgba([250, 248, 244, 255]);

/// A level to draw: a [`LoadedLevel`] with the art of its maps, or a plain [`Level`].
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'l> {
    level: &'l Level,
    maps: &'l [PlacedMap],
}

impl<'l> From<&'l LoadedLevel> for Drawn<'l> {
    fn from(loaded: &'l LoadedLevel) -> Self {
        Self { level: &loaded.level, maps: &loaded.maps }
    }
}

impl<'l> From<&'l Level> for Drawn<'l> {
    fn from(level: &'l Level) -> Self {
        Self { level, maps: &[] }
    }
}

/// The options of [`draw()`]. The default shows the solids, the areas, the shapes and the markers of a
/// level, each of its pixels as one pixel of the picture.
#[derive(Clone, Copy, Debug)]
pub struct DrawOptions<'a> {
    /// The pictures of the maps' tiles and image layers, for their art: see [`pictures`]. Default:
    /// none, and no art.
    pub pictures: Option<&'a Pictures>,
    /// A picture in place of the maps' art, such as the one that a mask belongs to. Default: none.
    pub art: Option<&'a RgbaImage>,
    /// True for the art of a single map as Tiled's own rasterizer draws it: see
    /// [`ArtOptions::as_tiled`](ArtOptions::as_tiled). It fits no overlay. Default: false.
    pub as_tiled: bool,
    /// The overlay, with the scale of the picture. Default: [`Overlay::new`] at a scale of 1.
    pub overlay: Overlay,
    /// The part of the picture that is drawn, in its pixels at a scale of 1; what is beyond the picture is
    /// left out. It has the pixels that the whole picture has there, but for labels, which keep within it.
    /// Default: all of it.
    pub region: Option<Aabb>,
    /// The width and height of a box that the picture, or the region of it, fits as tightly as it can, in
    /// place of the overlay's scale: enlarged by a whole number, or reduced, each pixel as the average of the
    /// area that it covers. The other side of a reduced picture may be shorter than the box. Sides of 0 count
    /// as 1. Lines and letters are not reduced; rulers and
    /// the legend come on top. Default: none.
    pub fit: Option<UVec2>,
    /// The level's name, for the legend. Default: none.
    pub name: Option<&'a str>,
    /// The most steps of work: [`Limits::work`] of the level's options.
    /// Default: that of [`Limits::default`].
    pub work: u64,
}

impl Default for DrawOptions<'_> {
    fn default() -> Self {
        Self {
            pictures: None,
            art: None,
            as_tiled: false,
            overlay: Overlay::new(1),
            region: None,
            fit: None,
            name: None,
            work: Limits::default().work,
        }
    }
}

/// The content of [`overlay()`] over the art.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// The side of a level's pixel in the picture; 0 counts as 1. Lines and letters do not grow with it.
    pub scale: u32,
    /// True to tint the solid cells red, with an edge around them and around the level, and to draw a line
    /// along the guarded edges of one-way cells. Default: true.
    pub solids: bool,
    /// True to paint the named areas, each in a colour of its own with its name. Default: true.
    pub areas: bool,
    /// True to outline the shapes and texts of a single map. Default: true.
    pub shapes: bool,
    /// True to draw the markers with their names. Default: true.
    pub markers: bool,
    /// True to write names and notes: of areas, markers, maps and the body. Default: true.
    pub labels: bool,
    /// True to outline the maps of a world, with the names of their files. Default: true.
    pub borders: bool,
    /// True to draw the grid of the map's tiles or, over a mask, lines in round steps. Default: false.
    pub grid: bool,
    /// True for rulers at the top and the left, with the level's pixels and the numbers of its cells; with
    /// those of the picture for a level that the screen shows slanted. Default: false.
    pub rulers: bool,
    /// True for a legend below the picture: the level's size, and the share of all that is painted. Default:
    /// false.
    pub legend: bool,
    /// A box. Default: none.
    pub body: Option<Aabb>,
    /// The direction and the step of the box, if it moves: they show the strip that it sweeps, its place at
    /// the end, and the cell that stops it. Default: none.
    pub motion: Option<(Dir, u32)>,
}

impl Overlay {
    /// An overlay of solids, areas, the level's edge, its markers, and the borders of a world's maps.
    pub fn new(scale: u32) -> Self {
        Self {
            solids: true,
            areas: true,
            shapes: true,
            markers: true,
            labels: true,
            borders: true,
            ..Self::none(scale)
        }
    }

    /// An overlay of nothing yet.
    pub fn none(scale: u32) -> Self {
        Self {
            scale,
            solids: false,
            areas: false,
            shapes: false,
            markers: false,
            labels: false,
            borders: false,
            grid: false,
            rulers: false,
            legend: false,
            body: None,
            motion: None,
        }
    }
}

impl Default for Overlay {
    /// [`Overlay::new`] at a scale of 1.
    fn default() -> Self {
        Self::new(1)
    }
}

/// The reason that there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderError {
    /// The picture would have too many pixels.
    TooManyPixels {
        /// The width that it would have.
        width: u64,
        /// The height that it would have.
        height: u64,
        /// The largest number of pixels that it may have.
        limit: u64,
    },
    /// There is no memory for a picture that is within the limits.
    NoMemory {
        /// The bytes that it would take.
        bytes: u64,
    },
    /// The picture is so large, or so many tiles, shapes and markers lie on top of each other, that it takes
    /// more work than [`DrawOptions::work`] allows.
    TooMuchToDraw {
        /// The most steps of work.
        limit: u64,
    },
    /// No pixel of the region is in the picture.
    EmptyRegion {
        /// The region that was asked for.
        region: Aabb,
        /// The picture's width and height at a scale of 1.
        size: UVec2,
    },
    /// The art is not as large as the level.
    ArtSize {
        /// The art's width and height.
        art: UVec2,
        /// The level's width and height.
        level: UVec2,
    },
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyPixels { width, height, limit } => {
                write!(f, "a picture of {width} x {height} px has more than {limit} px")
            }
            Self::NoMemory { bytes } => {
                write!(f, "there is no memory for a picture of {bytes} bytes")
            }
            Self::TooMuchToDraw { limit } => {
                write!(f, "the picture takes more than {limit} steps of work (the limit `work`)")
            }
            Self::EmptyRegion { region, size } => write!(
                f,
                "the region of {} x {} px at ({}, {}) has no pixel of the picture, which is {} x {} px",
                region.width(),
                region.height(),
                region.min.x,
                region.min.y,
                size.x,
                size.y
            ),
            Self::ArtSize { art, level } => write!(
                f,
                "the art is {} x {} px, but the level is {} x {} px",
                art.x, art.y, level.x, level.y
            ),
        }
    }
}

impl std::error::Error for RenderError {}

/// A level as a picture: its art with the overlay of the options on top, or on plain paper if it has no art.
///
/// Without any overlay the picture is the art itself, clear where that is. O(pixels of the picture, and of
/// the tiles that are drawn): of a region of a large level, little more than the region is looked at.
///
/// # Errors
/// As [`art()`] and [`overlay()`]: a picture of more than [`MAX_PIXELS`], also
/// before it is reduced, more work than [`DrawOptions::work`], and art of another size than the level's.
/// [`RenderError::EmptyRegion`] for a region beyond the picture.
pub fn draw<'l>(
    level: impl Into<Drawn<'l>>,
    options: &DrawOptions<'_>,
) -> Result<RgbaImage, RenderError> {
    let picture = LevelPicture::new(level.into(), options)?;
    let plan = picture.plan(options)?;
    if let Some(art) = picture.art.as_ref().filter(|_| picture.is_art_alone) {
        let art = art.draw(plan.frame, &mut DrawBudget::new(options.work))?;
        return match plan.scale.reduced {
            1 => enlarge(art, plan.scale.enlarged),
            _ => shrunk(&art, plan.size),
        };
    }
    let canvas = picture.canvas(plan, options)?;
    match plan.scale.reduced {
        1 => canvas.finish(),
        _ => canvas.finish_reduced(plan.size),
    }
}

/// As [`draw()`], with a canvas to draw more on: paths, findings, differences. A box to fit counts as far as
/// the picture is enlarged for it.
///
/// # Errors
/// As [`draw()`].
pub fn canvas<'a>(
    level: impl Into<Drawn<'a>>,
    options: &DrawOptions<'a>,
) -> Result<Canvas<'a>, RenderError> {
    let picture = LevelPicture::new(level.into(), options)?;
    let mut plan = picture.plan(options)?;
    if plan.scale.reduced > 1 {
        let overlay = Overlay { scale: 1, ..options.overlay };
        plan = picture.plan(&DrawOptions { fit: None, overlay, ..*options })?;
    }
    picture.canvas(plan, options)
}

/// A level's picture, ready to be drawn: the art, and what is laid over it.
struct LevelPicture<'a> {
    subject: PictureSubject<'a>,
    art: Option<LevelArt<'a>>,
    is_art_alone: bool,
    /// The size of the whole picture at a scale of 1.
    size: U64Vec2,
}

impl<'a> LevelPicture<'a> {
    /// The picture of a level with the art of its maps, or with that of the options instead.
    ///
    /// # Errors
    /// [`RenderError::ArtSize`] for art that does not fit the overlay.
    fn new(
        Drawn { level, maps }: Drawn<'a>,
        options: &DrawOptions<'a>,
    ) -> Result<Self, RenderError> {
        let art = match (options.art, options.pictures) {
            (Some(art), _) => Some(LevelArt::Picture(Cow::Borrowed(art))),
            (None, Some(pictures)) => {
                let options = ArtOptions { as_tiled: options.as_tiled };
                LevelArt::of_maps(level.size(), maps, pictures, options)?
            }
            (None, None) => None,
        };
        let shown = shown_size(level, maps);
        let has_overlay = options.overlay != Overlay::none(options.overlay.scale);
        let size = match &art {
            Some(art) if !has_overlay => art.size(),
            Some(art) if art.size() != shown.as_u64vec2() => {
                let art = art.size().min(U64Vec2::splat(u32::MAX.into())).as_uvec2();
                return Err(RenderError::ArtSize { art, level: shown });
            }
            _ => shown.as_u64vec2(),
        };
        let subject = PictureSubject { level, maps, name: options.name };
        Ok(Self { subject, is_art_alone: art.is_some() && !has_overlay, art, size })
    }

    /// The size of the picture by the options, whose work it must not exceed.
    fn plan(&self, options: &DrawOptions<'_>) -> Result<PicturePlan, RenderError> {
        let plan = PicturePlan::new(self.size, options, MAX_PIXELS)?;
        picture::check_work(plan.drawn(), STEPS_A_PIXEL, options.work)?;
        Ok(plan)
    }

    /// The art, enlarged, with the overlay, and with more to be drawn on it.
    fn canvas(
        &self,
        plan: PicturePlan,
        options: &DrawOptions<'_>,
    ) -> Result<Canvas<'a>, RenderError> {
        let art = match &self.art {
            Some(art) => Some(art.draw(plan.frame, &mut DrawBudget::new(options.work))?),
            None => None,
        };
        lay_over(self.subject, art, &options.overlay, plan.frame, plan.scale, options.work)
    }
}

/// The size of a picture, and the way to it.
#[derive(Clone, Copy, Debug)]
struct PicturePlan {
    /// The part of the whole picture that is shown, at a scale of 1.
    frame: Rect,
    scale: Scale,
    /// The width and height of the picture.
    size: UVec2,
}

impl PicturePlan {
    /// The picture of a part of a whole picture of `size`, as the options name them. It has at most `limit`
    /// pixels, also before it is reduced.
    ///
    /// # Errors
    /// [`RenderError::TooManyPixels`] and [`RenderError::EmptyRegion`].
    fn new(size: U64Vec2, options: &DrawOptions<'_>, limit: u64) -> Result<Self, RenderError> {
        let frame = frame(size, options.region)?;
        let shown = frame.size().as_u64vec2();
        let enlarged = match options.fit.map(|room| fitting(shown, room)) {
            Some(Fit::Reduced(size)) => {
                let from = checked_size(shown.x, shown.y, 1, limit)?;
                let least = |from: u32, to: u32| from.div_ceil(to);
                let reduced = least(from.x, size.x).max(least(from.y, size.y));
                return Ok(Self { frame, scale: Scale { enlarged: 1, reduced }, size });
            }
            Some(Fit::Enlarged(scale)) => scale,
            None => options.overlay.scale.max(1),
        };
        let size = checked_size(shown.x, shown.y, enlarged, limit)?;
        Ok(Self { frame, scale: Scale { enlarged, reduced: 1 }, size })
    }

    /// The pixels that are drawn, those that are reduced included.
    fn drawn(&self) -> u64 {
        self.frame.times(self.scale.enlarged).size().as_u64vec2().element_product()
    }
}

/// How a picture gets the largest size that a box has room for.
enum Fit {
    /// Each pixel becomes a square of this side.
    Enlarged(u32),
    /// The picture gets this size.
    Reduced(UVec2),
}

/// How a picture of `size` fits a box of `room`.
fn fitting(size: U64Vec2, room: UVec2) -> Fit {
    let room = room.max(UVec2::ONE).as_u64vec2();
    let size = size.max(U64Vec2::ONE);
    if size.cmple(room).all() {
        return Fit::Enlarged((room / size).min_element() as u32);
    }
    // The side that is cut more decides; the other one is rounded, and never 0.
    let wide = u128::from(size.x) * u128::from(room.y) >= u128::from(size.y) * u128::from(room.x);
    let scaled = |side: u64, to: u64, from: u64| {
        let rounded = (u128::from(side) * u128::from(to) + u128::from(from) / 2) / u128::from(from);
        u64::try_from(rounded).unwrap_or(u64::MAX).max(1)
    };
    let reduced = match wide {
        true => U64Vec2::new(room.x, scaled(size.y, room.x, size.x).min(size.y)),
        false => U64Vec2::new(scaled(size.x, room.y, size.y).min(size.x), room.y),
    };
    // Neither side is longer than that of the room.
    Fit::Reduced(reduced.min(room).as_uvec2())
}

/// The part of a picture of `size` that is in `region`; all of it without one.
fn frame(size: U64Vec2, region: Option<Aabb>) -> Result<Rect, RenderError> {
    let whole = Rect { min: I64Vec2::ZERO, max: size.as_i64vec2() };
    let Some(region) = region else {
        return Ok(whole);
    };
    let part = Rect { min: region.min.as_i64vec2(), max: region.max.as_i64vec2() };
    let part = whole.intersection(part);
    if part.is_empty() {
        let size: UVec2 = whole.pixels();
        return Err(RenderError::EmptyRegion { region, size });
    }
    Ok(part)
}

/// The level in one picture: its art (or plain paper), the solid cells tinted red with an edge around them, a
/// line along the guarded edges of one-way cells, the named areas in colours of their own, the level's own
/// edge (a line, or dashes along an open side), its markers with their names, the borders of a world's maps,
/// and the body of the overlay, which says if it is in a solid or in an area. If `maps` holds one map, its
/// shapes and texts are outlined. A level in the own space of an isometric or oblique map is drawn as the
/// screen shows it. Rulers and a legend make the picture larger.
///
/// # Errors
/// [`RenderError::ArtSize`] if the art is not as large as the level (or the map's picture, if that differs),
/// [`RenderError::TooManyPixels`] if the picture at its scale has more than [`MAX_PIXELS`], and
/// [`RenderError::TooMuchToDraw`] if so many shapes and markers lie on top of each other.
pub fn overlay(
    level: &Level,
    maps: &[PlacedMap],
    art: Option<RgbaImage>,
    overlay: &Overlay,
) -> Result<RgbaImage, RenderError> {
    let shown = shown_size(level, maps);
    if let Some(art) = art.as_ref().map(|art| art.dimensions().into()).filter(|art| *art != shown) {
        return Err(RenderError::ArtSize { art, level: shown });
    }
    let whole = Rect::of_size(shown);
    let subject = PictureSubject { level, maps, name: None };
    let scale = Scale { enlarged: overlay.scale.max(1), reduced: 1 };
    lay_over(subject, art, overlay, whole, scale, Limits::default().work)?.finish()
}

/// The level of a picture, its maps, and its name for the legend.
#[derive(Clone, Copy)]
struct PictureSubject<'a> {
    level: &'a Level,
    maps: &'a [PlacedMap],
    name: Option<&'a str>,
}

/// The size of the picture of a level at a scale of 1.
fn shown_size(level: &Level, maps: &[PlacedMap]) -> UVec2 {
    match maps {
        [map] => {
            let screen = Screen::new(map, 1);
            if screen.projects() { screen.size() } else { level.size() }
        }
        _ => level.size(),
    }
}

/// As [`overlay()`], for the part `frame` of the picture, which is not finished yet; `art` is that of the
/// frame.
fn lay_over<'a>(
    PictureSubject { level, maps, name }: PictureSubject<'a>,
    art: Option<RgbaImage>,
    overlay: &Overlay,
    frame: Rect,
    size: Scale,
    work: u64,
) -> Result<Canvas<'a>, RenderError> {
    let scale = size.enlarged;
    let screen = || match maps {
        [map] => Some(Screen::new(map, scale)),
        _ => None,
    };
    let picture = match art {
        Some(art) => on_paper(art, scale)?,
        None => {
            let size = frame.pixels().as_u64vec2();
            plain(checked_size(size.x, size.y, scale, MAX_PIXELS)?, PAPER)?
        }
    };
    let slant = screen().filter(Screen::projects);
    // Solids and paper cover the picture a few times, whatever its size.
    let drawn = frame.times(scale).size().element_product().saturating_mul(16);
    let budget = DrawBudget::new(work).with_pixels(drawn);
    let mut canvas = Canvas::on(picture, size, level.size(), frame, slant, budget);
    if let Some(screen) = screen().filter(|_| overlay.shapes) {
        marks::draw_shapes(&mut canvas, &screen);
    }
    if overlay.areas {
        marks::draw_areas(&mut canvas, level);
    }
    if overlay.solids {
        marks::draw_solids(&mut canvas, level);
    }
    if overlay.grid {
        marks::draw_mesh(&mut canvas, level, maps);
    }
    if overlay.solids {
        marks::draw_one_way(&mut canvas, level);
    }
    if overlay.borders {
        marks::draw_borders(&mut canvas, maps);
    }
    if let Some(body) = overlay.body {
        marks::draw_body(&mut canvas, level, body, overlay.motion);
    }
    if overlay.areas {
        marks::name_areas(&mut canvas, level);
    }
    if overlay.markers {
        marks::draw_markers(&mut canvas, level.markers());
    }
    if overlay.rulers {
        let (first, end) = (frame.min, frame.max);
        let cell = level.cell_size();
        let cell = (!canvas.is_slanted() && cell != UVec2::ONE).then_some(cell);
        let shown = canvas.size();
        canvas.margins.rulers = Some(Rulers { first, end, shown, cell });
    }
    if !overlay.labels {
        canvas.labels = Labels::default();
    }
    if overlay.legend {
        canvas.margins.legend = Some(marks::legend(&canvas, level, overlay, name));
    }
    Ok(canvas)
}

/// The enlarged art on paper.
fn on_paper(art: RgbaImage, scale: u32) -> Result<RgbaImage, RenderError> {
    let mut picture = enlarge(art, scale)?;
    for pixel in picture.pixels_mut() {
        let above = std::mem::replace(pixel, PAPER);
        picture::over(pixel, above);
    }
    Ok(picture)
}

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
    let plan = PicturePlan::new(level.size().as_u64vec2(), options, MAX_GRAY_PIXELS)?;
    picture::check_work(plan.drawn(), STEPS_A_GRAY_PIXEL, options.work)?;
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

/// `picture` with each pixel as a square of `scale` x `scale`; a scale of 0 counts as 1.
///
/// # Errors
/// [`RenderError::TooManyPixels`] beyond [`MAX_PIXELS`], or [`MAX_GRAY_PIXELS`] for one byte a pixel.
pub fn enlarge<P>(
    picture: ImageBuffer<P, Vec<u8>>,
    scale: u32,
) -> Result<ImageBuffer<P, Vec<u8>>, RenderError>
where
    P: Pixel<Subpixel = u8>,
{
    let channels = usize::from(P::CHANNEL_COUNT);
    let limit = match channels {
        1 => MAX_GRAY_PIXELS,
        _ => MAX_PIXELS,
    };
    let (width, height) = picture.dimensions();
    let size = checked_size(u64::from(width), u64::from(height), scale.max(1), limit)?;
    if scale <= 1 {
        return Ok(picture);
    }
    let mut bytes = room(size, channels)?;
    let row_bytes = (width as usize * channels).max(1);
    for row in picture.as_raw().chunks_exact(row_bytes) {
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
    Ok(filled(size, bytes))
}
