//! Pictures of a level: its art, its solid cells, and marks such as markers and a body's motion.
//!
//! [`draw()`] draws a level's art and, on top, the overlay of [`DrawOptions`]. [`canvas()`] returns the same
//! picture for further drawing, such as a path or numbered findings. [`collision()`] draws only the solid
//! cells, in black and white. All pictures are decoded pixels: this module opens and encodes no file. It does
//! not panic: a picture that would be too large gives a [`RenderError`].
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
mod picture;
#[cfg(test)]
mod tests;
mod view;

use std::fmt;

use glam::{I64Vec2, U64Vec2, UVec2};
use image::{GrayImage, Luma, Rgba, RgbaImage};

use crate::geometry::{Aabb, Dir};
use crate::level::Level;
use crate::limits::Limits;
use crate::load::LoadedLevel;
use crate::text::px;
use crate::tmx::PlacedMap;
use art::LevelArt;
pub use art::tiles::{Pictures, load_pictures, picture_paths};
pub use canvas::Canvas;
use canvas::{draw_overlay, size_of_margins};
use picture::{DrawBudget, Rect, checked_size, enlarged, over, plain, reduced, reduced_art};
use view::MapView;

/// The largest number of pixels of a colour picture. Such a picture takes 256 MiB.
pub const MAX_PIXELS: u64 = 1 << 26;

/// The largest number of pixels of a gray picture. Such a picture takes 128 MiB. A mask has the same default
/// limit.
pub const MAX_GRAY_PIXELS: u64 = 1 << 27;

/// The background colour of a picture with an overlay, also visible through transparent pixels of the art.
pub const PAPER: Rgba<u8> = Rgba([250, 248, 244, 255]);

/// A level to draw: a [`LoadedLevel`] with its maps' art, a plain [`Level`], or a level with maps.
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

impl<'l> From<(&'l Level, &'l [PlacedMap])> for Drawn<'l> {
    fn from((level, maps): (&'l Level, &'l [PlacedMap])) -> Self {
        Self { level, maps }
    }
}

/// The options of [`draw()`]. By default the picture shows a level's solids, areas and markers, with one
/// pixel of the picture per pixel of the level.
#[derive(Clone, Copy, Debug)]
pub struct DrawOptions<'a> {
    /// The pictures of the maps' tiles and image layers: see [`load_pictures`].
    ///
    /// A tile without its picture is drawn as a gray checkerboard, and the legend counts such pictures.
    /// Default: `None`, for no art.
    pub pictures: Option<&'a Pictures>,
    /// A picture in place of the maps' art, such as the art of a mask. Default: `None`.
    pub art: Option<&'a RgbaImage>,
    /// The marks on top of the art, and the scale of the picture. Default: [`Overlay::new`] with the scale 1.
    pub overlay: Overlay,
    /// The region of the picture to draw, in pixels at the scale 1, cut to the picture.
    ///
    /// Its pixels are the same as in the whole picture, but labels stay within the region. Default: the whole
    /// picture.
    pub region: Option<Aabb>,
    /// The width and height of a box in pixels, into which the picture or its region is fitted. The box
    /// replaces the scale of the overlay.
    ///
    /// The picture is enlarged by the largest whole number that fits, or reduced to fit. A pixel of a reduced
    /// picture is the average of pixels that it covers. Lines and letters are not reduced. Rulers and the
    /// legend are within the box, but leave the picture at least half of its width and height. Sides of 0
    /// count as 1. Default: `None`.
    pub fit: Option<UVec2>,
    /// The level's name in the legend. Default: `None`.
    pub name: Option<&'a str>,
    /// The largest amount of work for the picture, in steps. Pass the [`Limits::work`] of the level's options
    /// here. Default: the value of [`Limits::default`].
    pub work: u64,
}

impl Default for DrawOptions<'_> {
    fn default() -> Self {
        Self {
            pictures: None,
            art: None,
            overlay: Overlay::new(1),
            region: None,
            fit: None,
            name: None,
            work: Limits::default().work,
        }
    }
}

/// The marks on top of a picture's art.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// The width and height of one pixel of the level, in pixels of the picture. 0 counts as 1. Lines and
    /// letters grow more slowly than the scale.
    pub scale: u32,
    /// True to tint and outline the solid cells, outline the level, and draw the guarded edges of one-way
    /// cells. Default: true.
    pub solids: bool,
    /// True to paint each named area in its own colour, with its name. Default: true.
    pub areas: bool,
    /// True to draw the markers with their names. Default: true.
    pub markers: bool,
    /// True to write names and notes at areas, markers, maps and the body. A name that repeats is written
    /// once, with its number. Default: true.
    pub labels: bool,
    /// True to outline a world's maps, with the names of their files. Default: true.
    pub borders: bool,
    /// True to draw the grid of the map's tiles or, on a mask, a grid with lines at round distances.
    ///
    /// Tiles of less than 8 pixels of the picture have no grid, which would hide the art. A slanted level (in
    /// the own space of an isometric or oblique map) has none. Default: false.
    pub grid: bool,
    /// True to draw rulers at the top and the left, with the pixels of the level.
    ///
    /// A slanted level has none. Default: false.
    pub rulers: bool,
    /// True to add a legend below the picture.
    ///
    /// The legend has the size of the level, the share of the level that is solid or in an area, and the
    /// numbers of markers and missing pictures. Default: false.
    pub legend: bool,
    /// A body to draw. Default: `None`.
    pub body: Option<Aabb>,
    /// The direction and length of the body's motion. The picture shows the pixels that the body sweeps, its
    /// final position, and the cell that stops it.
    ///
    /// Default: `None`.
    pub motion: Option<(Dir, u32)>,
}

impl Overlay {
    /// Returns an overlay with solids, areas, markers, labels, and the borders of a world's maps.
    pub fn new(scale: u32) -> Self {
        Self {
            solids: true,
            areas: true,
            markers: true,
            labels: true,
            borders: true,
            ..Self::none(scale)
        }
    }

    /// Returns an overlay without marks.
    pub fn none(scale: u32) -> Self {
        Self {
            scale,
            solids: false,
            areas: false,
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
    /// Returns [`Overlay::new`] with the scale 1.
    fn default() -> Self {
        Self::new(1)
    }
}

/// The reason why a picture could not be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderError {
    /// The picture would have too many pixels.
    TooManyPixels {
        /// The width that the picture would have.
        width: u64,
        /// The height that the picture would have.
        height: u64,
        /// The largest allowed number of pixels.
        limit: u64,
    },
    /// The allocation for a picture within the limits failed.
    NoMemory {
        /// The number of bytes that the picture would take.
        bytes: u64,
    },
    /// The drawing takes more work than [`DrawOptions::work`] allows: the picture is too large, or too many
    /// tiles, shapes and markers overlap.
    TooMuchToDraw {
        /// The largest allowed work, in steps: [`DrawOptions::work`].
        limit: u64,
    },
    /// The region contains no pixel of the picture.
    EmptyRegion {
        /// The requested region.
        region: Aabb,
        /// The width and height of the picture at the scale 1.
        size: UVec2,
    },
    /// The given art and the level differ in size.
    ArtSize {
        /// The width and height of the art.
        art: UVec2,
        /// The width and height that the art must have: the size of the level, or of the level's picture if
        /// the screen shows the level slanted.
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
                "the region of {} at ({}, {}) has no pixel of the picture, which is {}",
                px(region.size()),
                region.min.x,
                region.min.y,
                px(*size)
            ),
            Self::ArtSize { art, level } => {
                write!(f, "the art is {}, but the level is {}", px(*art), px(*level))
            }
        }
    }
}

impl std::error::Error for RenderError {}

/// Draws a level: its art, or plain paper without art, with the overlay of `options` on top.
///
/// The art shows the map's cells as on the screen, in every orientation, with the camera at the map's origin.
/// Tiles and pictures are cut at the border of the cells. Texts and shapes are drawn by the overlay, not by
/// the art. A level in the own space of an isometric or oblique map is drawn as the screen shows it.
///
/// The maps of a world are drawn at their positions, later maps on top. A world has no art if the level of
/// one of its maps is not in pixels of the screen (see [`crate::LoadOptions::space`]).
///
/// A note beside the overlay's body names the areas that contain the body, and whether the body is in a
/// solid. Rulers and a legend make the picture larger.
///
/// Without an overlay the picture is the art itself, with its clear pixels. O(pixels of the picture and of
/// the drawn tiles), so a region of a large level costs little more than its own pixels.
///
/// # Errors
/// * [`RenderError::TooManyPixels`] for a picture of more than [`MAX_PIXELS`], even if it would then be
///   reduced.
/// * [`RenderError::TooMuchToDraw`] for more work than [`DrawOptions::work`].
/// * [`RenderError::ArtSize`] for an overlay on art of another size than the level, or than the level's
///   picture if the screen shows the level slanted.
/// * [`RenderError::EmptyRegion`] for a region outside the picture.
pub fn draw<'l>(
    level: impl Into<Drawn<'l>>,
    options: &DrawOptions<'_>,
) -> Result<RgbaImage, RenderError> {
    LevelPicture::new(level.into(), options)?.draw(options)
}

/// Draws a level like [`draw()`], but returns a canvas for further drawing, such as paths, findings or
/// differences.
///
/// # Errors
/// Returns the same errors as [`draw()`].
pub fn canvas<'a>(
    level: impl Into<Drawn<'a>>,
    options: &DrawOptions<'a>,
) -> Result<Canvas<'a>, RenderError> {
    let picture = LevelPicture::new(level.into(), options)?;
    picture.canvas(picture.plan(options)?, options)
}

/// A level to draw, with its art and the size of its whole picture.
struct LevelPicture<'a> {
    drawn: Drawn<'a>,
    art: Option<LevelArt<'a>>,
    is_art_alone: bool,
    size: U64Vec2,
}

impl<'a> LevelPicture<'a> {
    /// Prepares the level and its art for drawing.
    ///
    /// # Errors
    /// [`RenderError::ArtSize`] for an overlay on art of another size than the level's picture.
    fn new(drawn: Drawn<'a>, options: &DrawOptions<'a>) -> Result<Self, RenderError> {
        let Drawn { level, maps } = drawn;
        let art = match (options.art, options.pictures) {
            (Some(art), _) => Some(LevelArt::Picture(art)),
            (None, Some(pictures)) => LevelArt::of_maps(level.size(), maps, pictures),
            (None, None) => None,
        };
        let has_overlay = options.overlay != Overlay::none(options.overlay.scale);
        let is_art_alone = art.is_some() && !has_overlay;
        let shown = slant(maps, 1).map_or(level.size(), |view| view.area().pixels());
        let size = match &art {
            Some(art) if !has_overlay => art.size(),
            Some(art) if art.size() != shown.as_u64vec2() => {
                let art = art.size().min(U64Vec2::splat(u32::MAX.into())).as_uvec2();
                return Err(RenderError::ArtSize { art, level: shown });
            }
            _ => shown.as_u64vec2(),
        };
        Ok(Self { drawn, art, is_art_alone, size })
    }

    /// The size and scale of the picture that `options` request. Returns the same errors as
    /// [`PicturePlan::new`].
    fn plan(&self, options: &DrawOptions<'_>) -> Result<PicturePlan, RenderError> {
        let plan = PicturePlan::new(self.size, options, MAX_PIXELS, STEPS_A_PIXEL)?;
        let Some(fit) = options.fit else { return Ok(plan) };
        let room = fit.saturating_sub(size_of_margins(self.drawn, options, plan));
        let options = DrawOptions { fit: Some(room.max(fit / 2)), ..*options };
        PicturePlan::new(self.size, &options, MAX_PIXELS, STEPS_A_PIXEL)
    }

    fn draw(&self, options: &DrawOptions<'_>) -> Result<RgbaImage, RenderError> {
        let plan = self.plan(options)?;
        let Some(art) = self.art.as_ref().filter(|_| self.is_art_alone) else {
            return self.canvas(plan, options)?.finish();
        };
        let art = art.draw(plan.frame, &mut plan.budget(options))?;
        match plan.reduced {
            Some(to) => Ok(reduced_art(art, to)),
            None => enlarged(art, plan.enlarged),
        }
    }

    fn canvas(
        &self,
        plan: PicturePlan,
        options: &DrawOptions<'_>,
    ) -> Result<Canvas<'a>, RenderError> {
        let Drawn { level, maps } = self.drawn;
        let mut budget = plan.budget(options);
        let mut picture = plain(plan.frame.pixels(), PAPER)?;
        if let Some(art) = &self.art {
            let art = art.draw(plan.frame, &mut budget)?;
            picture.pixels_mut().zip(art.pixels()).for_each(|(below, art)| over(below, *art));
        }
        let picture = enlarged(picture, plan.enlarged)?;
        let slant = slant(maps, plan.enlarged);
        let mut canvas = Canvas::new(picture, plan, level.size(), slant, budget);
        draw_overlay(&mut canvas, self.drawn, options, plan);
        Ok(canvas)
    }
}

/// The view of a single map whose level is in the map's own space, so that the picture shows it slanted.
fn slant(maps: &[PlacedMap], scale: u32) -> Option<MapView<'_>> {
    match maps {
        [map] => Some(MapView::new(map, scale)).filter(MapView::is_slanted),
        _ => None,
    }
}

/// The steps of work per pixel of a colour picture, in the unit of [`DrawOptions::work`]. A pixel took the
/// time of 32 steps in a picture with fine shapes in all directions.
const STEPS_A_PIXEL: u64 = 32;
/// The steps of work per pixel of a gray picture.
const STEPS_A_GRAY_PIXEL: u64 = 1;

/// The region that a picture shows, and its scale. A picture is enlarged or reduced, but not both.
#[derive(Clone, Copy, Debug)]
struct PicturePlan {
    /// The region of the whole picture to draw, in pixels at the scale 1.
    frame: Rect,
    /// The side of the square that shows one pixel of the level, in pixels of the picture; at least 1.
    enlarged: u32,
    /// The size to which the finished picture is reduced.
    reduced: Option<UVec2>,
}

impl PicturePlan {
    /// Chooses the scale of a picture. `whole` is the size of the whole picture in pixels, at the scale 1.
    /// The result has at most `limit` pixels, even before a reduction. Each pixel costs `steps` of work.
    ///
    /// # Errors
    /// [`RenderError::TooManyPixels`], [`RenderError::EmptyRegion`] and [`RenderError::TooMuchToDraw`].
    fn new(
        whole: U64Vec2,
        options: &DrawOptions<'_>,
        limit: u64,
        steps: u64,
    ) -> Result<Self, RenderError> {
        let mut frame = Rect { min: I64Vec2::ZERO, max: whole.as_i64vec2() };
        if let Some(region) = options.region {
            let size = frame.pixels();
            frame = frame.intersection(region.into());
            if frame.is_empty() {
                return Err(RenderError::EmptyRegion { region, size });
            }
        }
        let shown = frame.size().as_u64vec2();
        let mut scale = options.overlay.scale.max(1);
        let mut reduced = None;
        if let Some(room) = options.fit {
            let room = room.max(UVec2::ONE).as_u64vec2();
            scale = ((room / shown.max(U64Vec2::ONE)).min_element() as u32).max(1);
            if shown.cmpgt(room).any() {
                reduced = Some(reduced_size(shown.max(U64Vec2::ONE), room));
            }
        }
        let drawn = checked_size(shown, scale, limit)?;
        if drawn.as_u64vec2().element_product().saturating_mul(steps) > options.work {
            return Err(RenderError::TooMuchToDraw { limit: options.work });
        }
        Ok(Self { frame, enlarged: scale, reduced })
    }

    fn budget(&self, options: &DrawOptions<'_>) -> DrawBudget {
        DrawBudget::new(options.work, self.frame.times(self.enlarged).pixels())
    }
}

/// The largest size within `room` with the proportions of `size`. `size` must be wider or higher than `room`.
/// One side is equal to the side of `room`; the other side is rounded, and is at least 1.
fn reduced_size(size: U64Vec2, room: U64Vec2) -> UVec2 {
    let reduced = if size.x * room.y >= size.y * room.x {
        U64Vec2::new(room.x, (size.y * room.x + size.x / 2) / size.x)
    } else {
        U64Vec2::new((size.x * room.y + size.y / 2) / size.y, room.y)
    };
    reduced.clamp(U64Vec2::ONE, room).as_uvec2()
}

const SOLID: u8 = 0;
const PASSABLE: u8 = 255;

/// Draws a level as a mask at the scale 1: solid pixels are 0 (black), passable pixels are 255 (white).
///
/// A mask loaded from this picture answers every query as the level does. Areas are left out, even areas that
/// are solid for some bodies.
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
/// [`RenderError::TooManyPixels`] for a level of more than [`MAX_GRAY_PIXELS`].
pub fn collision(level: &Level) -> Result<GrayImage, RenderError> {
    collision_with(level, &DrawOptions::default())
}

/// Draws a level like [`collision()`], but with a region and a scale.
///
/// The function uses only [`DrawOptions::region`], [`DrawOptions::fit`], [`DrawOptions::work`] and the scale
/// of the overlay. A reduced picture has shades of gray and is not a mask. The region is in pixels of the
/// level, even for a level in the own space of an isometric or oblique map. O(pixels).
///
/// # Errors
/// Returns the same errors as [`collision()`], and [`RenderError::EmptyRegion`] and
/// [`RenderError::TooMuchToDraw`].
pub fn collision_with(level: &Level, options: &DrawOptions<'_>) -> Result<GrayImage, RenderError> {
    let size = level.size().as_u64vec2();
    let plan = PicturePlan::new(size, options, MAX_GRAY_PIXELS, STEPS_A_GRAY_PIXEL)?;
    let whole = part(level, plan.frame)?;
    match plan.reduced {
        Some(to) => Ok(reduced(&whole, to)),
        None => enlarged(whole, plan.enlarged),
    }
}

/// Returns the pixels of the level in `window`, at the scale 1. `window` must be inside the level.
fn part(level: &Level, window: Rect) -> Result<GrayImage, RenderError> {
    let cell = level.cell_size().as_i64vec2();
    let mut picture = plain(window.pixels(), Luma([PASSABLE]))?;
    let width = picture.width() as usize;
    let pixels: &mut [u8] = &mut picture;
    let first = (window.min / cell).as_uvec2();
    let end = ((window.max + cell - 1) / cell).as_uvec2();
    for (row, run) in level.grid().runs_in(first.x..end.x, first.y..end.y) {
        let min = I64Vec2::new(run.start.into(), row.into()) * cell;
        let max = I64Vec2::new(run.end.into(), i64::from(row) + 1) * cell;
        let area = Rect { min, max }.intersection(window).moved(-window.min);
        let columns = area.min.x as usize..area.max.x as usize;
        for y in area.min.y as usize..area.max.y as usize {
            pixels[y * width + columns.start..y * width + columns.end].fill(SOLID);
        }
    }
    Ok(picture)
}
