//! The one door to a picture of a level: its art and what is laid over it, by options.

use image::RgbaImage;

use super::art::ArtOptions;
use super::canvas::{Canvas, Parts};
use super::layers::Subject;
use super::overlay::Overlay;
use super::painting::Painting;
use super::tiles::Pictures;
use super::{MAX_PIXELS, RenderError, checked_size};
use crate::geometry::{Aabb, Dir};
use crate::level::Level;
use crate::load::LoadedLevel;
use crate::tmx::PlacedMap;

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

/// The options of [`draw()`]. The default shows the solids, the shapes and the markers of a level, each of
/// its pixels as one pixel of the picture.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DrawOptions<'a> {
    /// The pictures of the maps' tiles and image layers, for their art: see [`super::pictures`]. Default:
    /// none, and no art.
    pub pictures: Option<&'a Pictures>,
    /// A picture in place of the maps' art, such as the one that a mask belongs to. Default: none.
    pub art: Option<&'a RgbaImage>,
    /// True for the art of a single map as Tiled's own rasterizer draws it: see [`ArtOptions::as_tiled`].
    /// It fits no overlay. Default: false.
    pub as_tiled: bool,
    /// The overlay, with the scale of the picture. Default: [`Overlay::new`] at a scale of 1.
    pub overlay: Overlay,
    /// The part of the picture that is drawn, in its pixels at a scale of 1; what is beyond the picture is
    /// left out. It has the pixels that the whole picture has there, but for labels, which keep within it.
    /// Default: all of it.
    pub region: Option<Aabb>,
    /// The level's name, for the legend. Default: none.
    pub name: Option<&'a str>,
}

impl Default for DrawOptions<'_> {
    fn default() -> Self {
        Self {
            pictures: None,
            art: None,
            as_tiled: false,
            overlay: Overlay::new(1),
            region: None,
            name: None,
        }
    }
}

impl<'a> DrawOptions<'a> {
    /// These options with the side of a level's pixel in the picture.
    #[must_use]
    pub fn with_scale(mut self, scale: u32) -> Self {
        self.overlay.scale = scale;
        self
    }

    /// These options with the pictures of the maps.
    #[must_use]
    pub fn with_pictures(mut self, pictures: &'a Pictures) -> Self {
        self.pictures = Some(pictures);
        self
    }

    /// These options with a picture in place of the maps' art.
    #[must_use]
    pub fn with_art(mut self, art: &'a RgbaImage) -> Self {
        self.art = Some(art);
        self
    }

    /// These options with another `as_tiled`.
    #[must_use]
    pub fn with_as_tiled(mut self, as_tiled: bool) -> Self {
        self.as_tiled = as_tiled;
        self
    }

    /// These options with another overlay, its scale included.
    #[must_use]
    pub fn with_overlay(mut self, overlay: Overlay) -> Self {
        self.overlay = overlay;
        self
    }

    /// These options with a region.
    #[must_use]
    pub fn with_region(mut self, region: Aabb) -> Self {
        self.region = Some(region);
        self
    }

    /// These options with the level's name.
    #[must_use]
    pub fn with_name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }

    /// These options for the art alone, without solids, shapes, markers and body.
    #[must_use]
    pub fn without_overlay(self) -> Self {
        self.with_overlay(Overlay::none(self.overlay.scale))
    }

    /// These options with a box: see [`Overlay::with_body`].
    #[must_use]
    pub fn with_body(self, body: Aabb) -> Self {
        self.with_overlay(self.overlay.with_body(body))
    }

    /// These options with a box that moves: see [`Overlay::with_sweep`].
    #[must_use]
    pub fn with_sweep(self, body: Aabb, dir: Dir, step: u32) -> Self {
        self.with_overlay(self.overlay.with_sweep(body, dir, step))
    }
}

/// A level as a picture: its art with the overlay of the options on top, or on plain paper if it has no art.
///
/// Without any overlay the picture is the art itself, clear where that is. O(pixels of the picture, and of
/// the tiles that are drawn): of a region of a large level, little more than the region is looked at.
///
/// # Errors
/// As [`super::art()`] and [`super::overlay()`]: a picture that is too large, and art of another size than
/// the level's. [`RenderError::EmptyRegion`] for a region beyond the picture.
pub fn draw<'l>(
    level: impl Into<Drawn<'l>>,
    options: &DrawOptions<'_>,
) -> Result<RgbaImage, RenderError> {
    draw_level(level.into(), options)
}

fn draw_level(drawn: Drawn<'_>, options: &DrawOptions<'_>) -> Result<RgbaImage, RenderError> {
    let (mut painting, parts) = prepared(drawn, options)?;
    match painting.art_alone(parts)? {
        Some(art) => Ok(art),
        None => painting.canvas(parts)?.finish(),
    }
}

/// As [`draw()`], with a canvas to draw more on: paths, findings, differences.
///
/// # Errors
/// As [`draw()`].
pub fn canvas<'a>(
    level: impl Into<Drawn<'a>>,
    options: &DrawOptions<'a>,
) -> Result<Canvas<'a>, RenderError> {
    let (mut painting, parts) = prepared(level.into(), options)?;
    painting.canvas(parts)
}

/// The picture that the options ask for, and the part of it.
fn prepared<'a>(
    Drawn { level, maps }: Drawn<'a>,
    options: &DrawOptions<'a>,
) -> Result<(Painting<'a>, Parts), RenderError> {
    let art_options = ArtOptions::default().with_as_tiled(options.as_tiled);
    let (art, pictures) = (options.art, options.pictures);
    let subject = Subject { level, maps, name: options.name };
    let painting = Painting::new(subject, art, pictures, art_options, options.overlay)?;
    let frame = painting.frame(options.region)?;
    let size = frame.pixels().as_u64vec2();
    checked_size(size.x, size.y, options.overlay.scale.max(1), MAX_PIXELS)?;
    Ok((painting, Parts { frame, window: frame }))
}
