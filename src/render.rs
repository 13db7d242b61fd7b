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
mod marks;
mod picture;
#[cfg(test)]
mod tests;

use std::fmt;

use glam::{I64Vec2, U64Vec2, UVec2};
use image::{GrayImage, Rgba, RgbaImage};

use crate::geometry::{Aabb, Dir};
use crate::level::Level;
use crate::limits::Limits;
use crate::load::LoadedLevel;
use crate::text::px;
use crate::tmx::PlacedMap;
use art::LevelArt;
pub use art::tiles::{Pictures, load_pictures, picture_paths};
pub use canvas::Canvas;
use canvas::labels::Labels;
use canvas::sheet::Rulers;
use canvas::{Scale, Screen};
use picture::{
    DrawBudget, Rect, STEPS_A_GRAY_PIXEL, STEPS_A_PIXEL, checked_size, enlarged, filled, plain,
    room, shrunk,
};

/// The largest number of pixels of a colour picture. Such a picture takes 256 MiB.
pub const MAX_PIXELS: u64 = 1 << 26;

/// The largest number of pixels of a gray picture. Such a picture takes 128 MiB. A mask has the same default
/// limit.
pub const MAX_GRAY_PIXELS: u64 = 1 << 27;

/// The background colour of a picture with an overlay, also visible through transparent pixels of the art.
/// The command-line tool also uses it for JPEG pictures, which have no transparent pixels.
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

/// The options of [`draw()`]. By default the picture shows a level's solids, areas, shapes and markers, with
/// one pixel of the picture per pixel of the level.
#[derive(Clone, Copy, Debug)]
pub struct DrawOptions<'a> {
    /// The pictures of the maps' tiles and image layers: see [`load_pictures`]. A tile without its picture is
    /// drawn as a gray checkerboard, and the legend counts such pictures. Default: `None`, for no art.
    pub pictures: Option<&'a Pictures>,
    /// A picture in place of the maps' art, such as the art of a mask. Default: `None`.
    pub art: Option<&'a RgbaImage>,
    /// True to draw a single map exactly as Tiled's rasterizer does. The picture then has no background
    /// colour, and has room for offset tile layers and for image layers larger than the level. A tile becomes
    /// a red crossed box if its picture is missing, or if its tileset is in JSON, which the rasterizer cannot
    /// read. No overlay is allowed. Default: false.
    pub as_tiled: bool,
    /// The marks on top of the art, and the scale of the picture. Default: [`Overlay::new`] with the scale 1.
    pub overlay: Overlay,
    /// The region of the picture to draw, in pixels at the scale 1, cut to the picture. Its pixels are the
    /// same as in the whole picture, but labels stay within the region. Default: the whole picture.
    pub region: Option<Aabb>,
    /// The width and height of a box in pixels, into which the picture or its region is fitted. The box
    /// replaces the scale of the overlay. The picture is enlarged by the largest whole number that fits, or
    /// reduced to fit. A pixel of a reduced picture is the average of the area that it shows. Lines and
    /// letters are not reduced; rulers and the legend are added outside the box. Sides of 0 count as 1.
    /// Default: `None`.
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
            as_tiled: false,
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
    /// True to outline the shapes and texts of a single map. Default: true.
    pub shapes: bool,
    /// True to draw the markers with their names. Default: true.
    pub markers: bool,
    /// True to write names and notes at areas, markers, maps and the body. Default: true.
    pub labels: bool,
    /// True to outline a world's maps, with the names of their files. Default: true.
    pub borders: bool,
    /// True to draw the grid of the map's tiles or, on a mask, a grid with lines at round distances. Default:
    /// false.
    pub grid: bool,
    /// True to draw rulers at the top and the left, with the pixels of the level and the numbers of its
    /// cells. A slanted level (in the own space of an isometric or oblique map) has rulers along its two
    /// upper sides, with pixels only. Default: false.
    pub rulers: bool,
    /// True to add a legend below the picture. The legend has the size of the level, the share of the level
    /// that is solid or in an area, and the numbers of outlined shapes and missing pictures. Default: false.
    pub legend: bool,
    /// A body to draw. Default: `None`.
    pub body: Option<Aabb>,
    /// The direction and length of the body's motion. The picture shows the pixels that the body sweeps, its
    /// final position, and the cell that stops it. Default: `None`.
    pub motion: Option<(Dir, u32)>,
}

impl Overlay {
    /// Returns an overlay with solids, areas, shapes, markers, labels, and the borders of a world's maps.
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

    /// Returns an overlay without marks.
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
/// differences. [`DrawOptions::fit`] can enlarge the canvas, but cannot reduce it.
///
/// # Errors
/// Returns the same errors as [`draw()`].
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
            (None, Some(pictures)) => {
                LevelArt::of_maps(level.size(), maps, pictures, options.as_tiled)?
            }
            (None, None) => None,
        };
        let shown = match maps {
            [map] => Some(Screen::new(map, 1)).filter(Screen::projects),
            _ => None,
        };
        let shown = shown.map_or(level.size(), |screen| screen.size());
        let has_overlay = options.overlay != Overlay::none(options.overlay.scale);
        let size = match &art {
            Some(art) if !has_overlay => art.size(),
            Some(art) if art.size() != shown.as_u64vec2() => {
                let art = art.size().min(U64Vec2::splat(u32::MAX.into())).as_uvec2();
                return Err(RenderError::ArtSize { art, level: shown });
            }
            _ => shown.as_u64vec2(),
        };
        Ok(Self { drawn, is_art_alone: art.is_some() && !has_overlay, art, size })
    }

    /// The size and scale of the picture that `options` request. Returns the same errors as
    /// [`PicturePlan::new`].
    fn plan(&self, options: &DrawOptions<'_>) -> Result<PicturePlan, RenderError> {
        PicturePlan::new(self.size, options, MAX_PIXELS, STEPS_A_PIXEL)
    }

    fn draw(&self, options: &DrawOptions<'_>) -> Result<RgbaImage, RenderError> {
        let plan = self.plan(options)?;
        if let Some(art) = self.art.as_ref().filter(|_| self.is_art_alone) {
            let art = art.draw(plan.frame, &mut DrawBudget::new(options.work))?;
            return Ok(filled(plan.size, plan.scaled(art.into_raw(), 4)?));
        }
        let canvas = self.canvas(plan, options)?;
        match plan.scale.reduced {
            1 => canvas.finish(),
            _ => canvas.finish_reduced(plan.size),
        }
    }

    fn canvas(
        &self,
        PicturePlan { frame, scale, .. }: PicturePlan,
        options: &DrawOptions<'_>,
    ) -> Result<Canvas<'a>, RenderError> {
        let (Drawn { level, maps }, overlay) = (self.drawn, &options.overlay);
        let enlarged = scale.enlarged;
        let size = frame.times(enlarged).pixels();
        let picture = match &self.art {
            Some(art) => {
                let art = art.draw(frame, &mut DrawBudget::new(options.work))?;
                on_paper(art, enlarged)?
            }
            None => plain(size, PAPER)?,
        };
        let screen = || match maps {
            [map] => Some(Screen::new(map, enlarged)),
            _ => None,
        };
        let slant = screen().filter(Screen::projects);
        // Solids and background cover the whole picture a few times. Their work is added to the budget, so
        // that it does not limit the picture's size.
        let covered = size.as_i64vec2().element_product().saturating_mul(16);
        let budget = DrawBudget::new(options.work).with_pixels(covered);
        let mut canvas = Canvas::on(picture, scale, level.size(), frame, slant, budget);
        let screen = screen().filter(|_| overlay.shapes);
        let shapes = screen.map_or(0, |screen| marks::draw_shapes(&mut canvas, &screen));
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
        if !overlay.labels {
            canvas.labels = Labels::default();
        }
        if overlay.rulers && canvas.is_slanted() {
            marks::draw_slanted_rulers(&mut canvas, level);
        } else if overlay.rulers {
            let (first, end, cell) = (frame.min, frame.max, level.cell_size());
            let cell = (cell != UVec2::ONE).then_some(cell);
            canvas.margins.rulers = Some(Rulers { first, end, shown: size, cell });
        }
        if overlay.legend {
            let mut legend = marks::legend(&canvas, level, overlay, options.name, shapes);
            if let Some(pictures) = options.pictures.filter(|_| options.art.is_none()) {
                marks::add_missing(&mut legend, pictures);
            }
            canvas.margins.legend = Some(legend);
        }
        Ok(canvas)
    }
}

fn on_paper(art: RgbaImage, scale: u32) -> Result<RgbaImage, RenderError> {
    let size = UVec2::from(art.dimensions());
    let bytes = enlarged(art.into_raw(), size, scale, 4)?;
    let mut picture: RgbaImage = filled(size * scale, bytes);
    for pixel in picture.pixels_mut() {
        let above = std::mem::replace(pixel, PAPER);
        picture::over(pixel, above);
    }
    Ok(picture)
}

/// The size of a picture, and the region that it shows.
#[derive(Clone, Copy, Debug)]
struct PicturePlan {
    /// The region of the whole picture to draw, in pixels at the scale 1.
    frame: Rect,
    scale: Scale,
    size: UVec2,
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
            let part = Rect { min: region.min.as_i64vec2(), max: region.max.as_i64vec2() };
            frame = frame.intersection(part);
            if frame.is_empty() {
                return Err(RenderError::EmptyRegion { region, size });
            }
        }
        let shown = frame.size().as_u64vec2();
        let room = options.fit.map(|room| room.max(UVec2::ONE).as_u64vec2());
        let (scale, drawn, size) = match room {
            Some(room) if shown.cmpgt(room).any() => {
                let drawn = checked_size(shown, 1, limit)?;
                let size = reduced_size(drawn.max(UVec2::ONE).as_u64vec2(), room);
                let least = |from: u32, to: u32| from.div_ceil(to);
                let reduced = least(drawn.x, size.x).max(least(drawn.y, size.y));
                (Scale { enlarged: 1, reduced }, drawn, size)
            }
            _ => {
                let fitting =
                    room.map(|room| (room / shown.max(U64Vec2::ONE)).min_element() as u32);
                let enlarged = fitting.unwrap_or(options.overlay.scale.max(1));
                let size = checked_size(shown, enlarged, limit)?;
                (Scale { enlarged, reduced: 1 }, size, size)
            }
        };
        match drawn.as_u64vec2().element_product().saturating_mul(steps) > options.work {
            true => Err(RenderError::TooMuchToDraw { limit: options.work }),
            false => Ok(Self { frame, scale, size }),
        }
    }

    /// Enlarges or reduces `pixels`, which show the region of this plan at the scale 1, to the size of the
    /// picture. A pixel has `channels` bytes.
    fn scaled(&self, pixels: Vec<u8>, channels: usize) -> Result<Vec<u8>, RenderError> {
        let from = self.frame.pixels();
        match self.scale.reduced {
            1 => enlarged(pixels, from, self.scale.enlarged, channels),
            _ => shrunk(&pixels, from, self.size, channels),
        }
    }
}

/// The largest size within `room` with the proportions of `size`. `size` must be wider or higher than `room`.
/// One side is equal to the side of `room`; the other side is rounded, and is at least 1.
fn reduced_size(size: U64Vec2, room: U64Vec2) -> UVec2 {
    let scaled = |side: u64, to: u64, from: u64| ((side * to + from / 2) / from).max(1);
    let reduced = match size.x * room.y >= size.y * room.x {
        true => U64Vec2::new(room.x, scaled(size.y, room.x, size.x)),
        false => U64Vec2::new(scaled(size.x, room.y, size.y), room.y),
    };
    reduced.min(room).as_uvec2()
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

/// Draws a level like [`collision()`], but with a region and a scale. The function uses only
/// [`DrawOptions::region`], [`DrawOptions::fit`], [`DrawOptions::work`] and the scale of the overlay. A
/// reduced picture has shades of gray and is not a mask. The region is in pixels of the level, even for a
/// level in the own space of an isometric or oblique map. O(pixels).
///
/// # Errors
/// Returns the same errors as [`collision()`], and [`RenderError::EmptyRegion`] and
/// [`RenderError::TooMuchToDraw`].
pub fn collision_with(level: &Level, options: &DrawOptions<'_>) -> Result<GrayImage, RenderError> {
    let size = level.size().as_u64vec2();
    let plan = PicturePlan::new(size, options, MAX_GRAY_PIXELS, STEPS_A_GRAY_PIXEL)?;
    Ok(filled(plan.size, plan.scaled(part(level, plan.frame)?, 1)?))
}

/// Returns the pixels of the level in `window`, one byte each, at the scale 1. `window` must be inside the
/// level.
fn part(level: &Level, window: Rect) -> Result<Vec<u8>, RenderError> {
    let (grid, cell) = (level.grid(), level.cell_size());
    let mut bytes = room(window.pixels(), 1)?;
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
    Ok(bytes)
}
