//! The options of a picture, and the level that it shows. Nothing is drawn.

use glam::UVec2;
use image::RgbaImage;

use super::overlay::Overlay;
use super::tiles::Pictures;
use crate::geometry::Aabb;
use crate::level::Level;
use crate::limits::Limits;
use crate::load::LoadedLevel;
use crate::tmx::PlacedMap;

/// A level to draw: a [`LoadedLevel`] with the art of its maps, or a plain [`Level`].
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'l> {
    pub(super) level: &'l Level,
    pub(super) maps: &'l [PlacedMap],
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

/// The options of [`super::draw()`]. The default shows the solids, the areas, the shapes and the markers of a
/// level, each of its pixels as one pixel of the picture.
#[derive(Clone, Copy, Debug)]
pub struct DrawOptions<'a> {
    /// The pictures of the maps' tiles and image layers, for their art: see [`super::pictures`]. Default:
    /// none, and no art.
    pub pictures: Option<&'a Pictures>,
    /// A picture in place of the maps' art, such as the one that a mask belongs to. Default: none.
    pub art: Option<&'a RgbaImage>,
    /// True for the art of a single map as Tiled's own rasterizer draws it: see
    /// [`ArtOptions::as_tiled`](super::ArtOptions::as_tiled). It fits no overlay. Default: false.
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
