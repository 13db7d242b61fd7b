//! The layers of a level's picture, from the art up: solids, areas, shapes, markers and a motion.

use glam::UVec2;
use image::{Rgba, RgbaImage};

use super::budget::Budget;
use super::canvas::{Canvas, Scale};
use super::labels::Labels;
use super::overlay::Overlay;
use super::rect::Rect;
use super::rulers::Rulers;
use super::screen::Screen;
use super::{
    MAX_PIXELS, RenderError, blend, borders, checked_size, contents, enlarge, markers, mesh,
    motion, one_way, plain, shapes, solids,
};
use crate::Level;
use crate::limits::Limits;
use crate::tmx::PlacedMap;

/// The paper of an overlay, which shows through clear or absent art. It is that of a JPEG too, which has no
/// clear pixels.
pub const PAPER: Rgba<u8> = Rgba([250, 248, 244, 255]);

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
    let subject = Subject { level, maps, name: None };
    let scale = Scale { enlarged: overlay.scale.max(1), reduced: 1 };
    lay_over(subject, art, overlay, whole, scale, Limits::default().work)?.finish()
}

/// The level of a picture, its maps, and its name for the legend.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) level: &'a Level,
    pub(super) maps: &'a [PlacedMap],
    pub(super) name: Option<&'a str>,
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

/// As [`overlay()`], for the part `frame` of the picture, which is not finished yet; `art` is that of the
/// frame.
pub(super) fn lay_over<'a>(
    Subject { level, maps, name }: Subject<'a>,
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
    let budget = Budget::new(work).with(drawn);
    let mut canvas = Canvas::on(picture, size, level.size(), frame, slant, budget);
    if let Some(screen) = screen().filter(|_| overlay.shapes) {
        shapes::draw(&mut canvas, &screen);
    }
    if overlay.areas {
        solids::draw_areas(&mut canvas, level);
    }
    if overlay.solids {
        solids::draw(&mut canvas, level);
    }
    if overlay.grid {
        mesh::draw(&mut canvas, level, maps);
    }
    if overlay.solids {
        one_way::draw(&mut canvas, level);
    }
    if overlay.borders {
        borders::draw(&mut canvas, maps);
    }
    if let Some(body) = overlay.body {
        motion::draw(&mut canvas, level, body, overlay.motion);
    }
    if overlay.areas {
        solids::name_areas(&mut canvas, level);
    }
    if overlay.markers {
        markers::draw(&mut canvas, level.markers());
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
        canvas.margins.legend = Some(contents::legend(&canvas, level, overlay, name));
    }
    Ok(canvas)
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
