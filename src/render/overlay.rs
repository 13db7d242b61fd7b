//! The whole level in one picture: art, solids, markers and a motion.

use glam::UVec2;
use image::{Rgba, RgbaImage};

use super::canvas::{Canvas, Parts};
use super::labels::Labels;
use super::rect::Rect;
use super::screen::Screen;
use super::{
    MAX_DRAWN_PIXELS, MAX_PIXELS, RenderError, blend, checked_size, enlarge, markers, motion,
    plain, shapes, solids,
};
use crate::Level;
use crate::geometry::{Aabb, Dir};
use crate::tmx::PlacedMap;

/// The background, which shows through clear or absent art.
const PAPER: Rgba<u8> = Rgba([250, 248, 244, 255]);

/// The content of [`overlay()`] over the art.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct Overlay {
    /// The side of a level's pixel in the picture; 0 counts as 1. Lines and letters do not grow with it.
    pub scale: u32,
    /// True to tint the solid cells red and those of areas that stop some bodies blue, with an edge around
    /// them and around the level. Default: true.
    pub solids: bool,
    /// True to outline the shapes and texts of a single map. Default: true.
    pub shapes: bool,
    /// True to draw the markers with their names. Default: true.
    pub markers: bool,
    /// A box and, if it moves, the direction and the step.
    pub body: Option<(Aabb, Option<(Dir, u32)>)>,
}

impl Overlay {
    /// An overlay of solids, the level's edge and its markers.
    pub fn new(scale: u32) -> Self {
        Self { solids: true, shapes: true, markers: true, ..Self::none(scale) }
    }

    /// An overlay of nothing yet.
    pub fn none(scale: u32) -> Self {
        Self { scale, solids: false, shapes: false, markers: false, body: None }
    }

    /// This overlay with or without the solids.
    #[must_use]
    pub fn with_solids(mut self, shown: bool) -> Self {
        self.solids = shown;
        self
    }

    /// This overlay with or without the shapes and texts of the map.
    #[must_use]
    pub fn with_shapes(mut self, shown: bool) -> Self {
        self.shapes = shown;
        self
    }

    /// This overlay with or without the markers.
    #[must_use]
    pub fn with_markers(mut self, shown: bool) -> Self {
        self.markers = shown;
        self
    }

    /// This overlay with a box.
    #[must_use]
    pub fn with_body(mut self, body: Aabb) -> Self {
        self.body = Some((body, None));
        self
    }

    /// This overlay with a box that moves: the strip that it sweeps, its place at the end, and the cell that
    /// stops it.
    #[must_use]
    pub fn with_sweep(mut self, body: Aabb, dir: Dir, step: u32) -> Self {
        self.body = Some((body, Some((dir, step))));
        self
    }
}

impl Default for Overlay {
    /// [`Overlay::new`] at a scale of 1.
    fn default() -> Self {
        Self::new(1)
    }
}

/// The level in one picture: its art (or plain paper), the solid cells tinted red with an edge around them,
/// those of areas that stop some bodies blue ([`Level::with_solid_area`]), the level's own edge (a line, or
/// dashes along an open side), its markers with their names, and the body of the overlay. If `maps` holds one
/// map, its shapes and texts are outlined. A level in the own space of an isometric or oblique map is drawn
/// as the screen shows it.
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
    let parts = Parts { frame: whole, window: whole };
    lay_over(level, maps, art, overlay, parts, &mut (MAX_DRAWN_PIXELS as i64))
}

/// The size of the picture of a level at a scale of 1.
pub(super) fn shown_size(level: &Level, maps: &[PlacedMap]) -> UVec2 {
    match maps {
        [map] => {
            let screen = Screen::new(map, 1);
            if screen.projects() { screen.size() } else { level.size() }
        }
        _ => level.size(),
    }
}

/// As [`overlay()`], for a part of the picture; `art` is that of the window. `budget` is the number of
/// pixels that may still be drawn.
pub(super) fn lay_over(
    level: &Level,
    maps: &[PlacedMap],
    art: Option<RgbaImage>,
    overlay: &Overlay,
    parts: Parts,
    budget: &mut i64,
) -> Result<RgbaImage, RenderError> {
    let scale = overlay.scale.max(1);
    let screen = match maps {
        [map] => Some(Screen::new(map, scale)),
        _ => None,
    };
    let slant = screen.as_ref().filter(|screen| screen.projects());
    let picture = match art {
        Some(art) => on_paper(art, scale)?,
        None => {
            let size = parts.window.pixels().as_u64vec2();
            plain(checked_size(size.x, size.y, scale, MAX_PIXELS)?, PAPER)?
        }
    };
    let mut canvas = Canvas::new(picture, scale, level.size(), parts, slant, *budget);
    if let Some(screen) = screen.as_ref().filter(|_| overlay.shapes) {
        shapes::draw(&mut canvas, screen);
    }
    let mut labels = Labels::default();
    if overlay.solids {
        solids::draw(&mut canvas, level);
    }
    if let Some((body, moves)) = overlay.body {
        motion::draw(&mut canvas, &mut labels, level, body, moves);
    }
    if overlay.markers {
        markers::draw(&mut canvas, &mut labels, level.markers());
    }
    *budget = canvas.budget();
    if *budget < 0 {
        return Err(RenderError::TooMuchToDraw);
    }
    Ok(canvas.picture)
}

/// The enlarged art on paper.
fn on_paper(art: RgbaImage, scale: u32) -> Result<RgbaImage, RenderError> {
    let mut picture = enlarge(art, scale)?;
    for pixel in picture.pixels_mut() {
        let above = std::mem::replace(pixel, PAPER);
        blend::over(pixel, above);
    }
    Ok(picture)
}
