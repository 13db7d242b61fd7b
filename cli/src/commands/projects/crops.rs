//! Pictures of places in a level: its art and its solids around a place, with the place marked. `verify
//! --annotate`, `diff --pictures` and the HTML reports draw with it. Writes no file.

use bitwall::analyze::ChangedPatch;
use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{DynamicImage, ExtendedColorType, Rgba, RgbaImage};
use bitwall::load::Files;
use bitwall::render::{self, Canvas, DrawOptions, Overlay, Pictures, RenderError};
use bitwall::{Aabb, LoadedLevel};

use crate::commands::render::write_png;
use crate::lint::output::Picture;

/// The least part of a level that shows where a place is, in pixels and in tiles. Tiles of over
/// [`MOST_TILE`] pixels count as smaller ones.
const LEAST: UVec2 = UVec2::new(240, 160);
const LEAST_TILES: UVec2 = UVec2::new(9, 6);
const MOST_TILE: UVec2 = UVec2::splat(256);

/// The pixels of the level around a place in its picture.
const MARGIN: u32 = 48;

/// The least side of a mark, in pixels of the picture.
const MARK: f64 = 20.0;

/// The largest side of a place, in pixels. A larger one reaches out of every picture.
const MOST: UVec2 = UVec2::splat(1 << 28);

/// The colours of cells that stayed solid, became solid, and became passable.
pub(super) const CHANGES: [Rgba<u8>; 3] =
    [Rgba([120, 120, 130, 255]), Rgba([220, 40, 50, 255]), Rgba([0, 130, 220, 255])];

/// A level with the pictures to draw it.
pub(super) struct Scene<'l> {
    pub(super) loaded: &'l LoadedLevel,
    pictures: Pictures,
    /// The picture below the solids of a mask.
    art: Option<RgbaImage>,
}

/// What one finding marks in a picture.
pub(super) struct Mark<'f> {
    pub(super) places: &'f [Aabb],
    /// The points of a path.
    pub(super) trace: &'f [IVec2],
    pub(super) color: Rgba<u8>,
    /// The number and the words at the first place.
    pub(super) title: Option<(u32, String)>,
}

impl<'l> Scene<'l> {
    /// Loads the pictures of a level's tiles. Tiles of a missing picture are not drawn, but the solid cells
    /// are. `art` is the art of a mask; one of another size is not drawn.
    pub(super) fn new(
        loaded: &'l LoadedLevel,
        files: &mut dyn Files,
        art: Option<RgbaImage>,
    ) -> Self {
        let (pictures, _) = render::load_pictures(&loaded.maps, files);
        let art = art.filter(|art| UVec2::from(art.dimensions()) == loaded.level.size());
        Self { loaded, pictures, art }
    }

    pub(super) fn whole(&self) -> Aabb {
        Aabb { min: IVec2::ZERO, max: self.loaded.level.size().as_ivec2() }
    }

    /// Returns the part of the level to draw into a room for a place: large enough to recognize the place, of
    /// the room's proportions, and inside the level where that is possible.
    pub(super) fn around(&self, place: Aabb, room: UVec2) -> Aabb {
        let tile = self.loaded.maps.first().map_or(UVec2::ONE, |map| map.map.tile_size);
        let least = (tile.min(MOST_TILE) * LEAST_TILES).max(LEAST);
        let size = (place.size().min(MOST) + 2 * MARGIN).max(least);
        let size = match (room / size).min_element() {
            0 => (room.as_dvec2() * (size.as_dvec2() / room.as_dvec2()).max_element()).as_ivec2(),
            scale => (room / scale).as_ivec2(),
        };
        let last = (self.whole().max - size).max(IVec2::ZERO);
        let min = place.center().saturating_sub(size / 2).min(last).max(IVec2::ZERO);
        Aabb { min, max: min + size }
    }

    /// Draws the part `area` of the level with its art, its solids and the marks, enlarged or reduced to fit
    /// into `room`. Every mark is large enough to be seen.
    pub(super) fn crop(
        &self,
        area: Aabb,
        room: UVec2,
        marks: &[Mark<'_>],
    ) -> Result<RgbaImage, RenderError> {
        // Without a mark the markers are of interest; beside one they would hide it.
        let overlay = Overlay { markers: marks.is_empty(), ..Overlay::new(1) };
        let mut canvas = self.canvas(Some((area, room)), overlay)?;
        let least = least(self.shown(area), room);
        for Mark { places, trace, color, title } in marks {
            if let [.., before, last] = trace[..] {
                canvas.line(trace, *color);
                canvas.arrow(before, last, *color);
            }
            for place in *places {
                let place = seen(*place, least);
                canvas.fill(place, tinted(*color, 120));
                canvas.outline(place, *color);
            }
            if let Some(((number, words), first)) = title.as_ref().zip(places.first()) {
                let first = seen(*first, least);
                canvas.badge(first.min, *number, *color);
                canvas.label(first, words, *color);
            }
        }
        canvas.finish()
    }

    /// Returns a canvas of a part of the level that fits into a room, or else of the whole level, with a
    /// pixel for each pixel.
    pub(super) fn canvas(
        &self,
        part: Option<(Aabb, UVec2)>,
        overlay: Overlay,
    ) -> Result<Canvas<'_>, RenderError> {
        let options = DrawOptions {
            pictures: Some(&self.pictures),
            art: self.art.as_ref(),
            overlay,
            region: part.map(|(area, _)| area).filter(|_| !self.is_slanted()),
            fit: part.map(|(_, room)| room),
            work: self.loaded.options().limits.work,
            ..DrawOptions::default()
        };
        render::canvas(self.loaded, &options)
    }

    /// True if the level is an isometric or oblique map in its own space. A picture of it is of the whole
    /// map.
    pub(super) fn is_slanted(&self) -> bool {
        self.loaded.maps.iter().any(|map| map.on_screen.is_none())
    }

    /// Returns the part of the level that a picture of `area` shows.
    fn shown(&self, area: Aabb) -> Aabb {
        if self.is_slanted() { self.whole() } else { area.intersection(self.whole()) }
    }

    /// Draws what differs between two states of this level in `area`, over its art: each pixel in one of the
    /// colours [`CHANGES`], whose meaning `legend` tells. The patch of interest has an outline. `None` if
    /// nothing can be drawn.
    pub(super) fn changes(
        &self,
        levels: &[LoadedLevel; 2],
        area: Aabb,
        room: UVec2,
        patch: &ChangedPatch,
        legend: [String; 3],
    ) -> Option<RgbaImage> {
        let origin = self.loaded.level.origin();
        let area = self.shown(area.translated(-origin));
        let overlay = Overlay { solids: false, labels: false, ..Overlay::new(1) };
        let mut canvas = self.canvas(Some((area, room)), overlay).ok()?;
        for y in area.min.y..area.max.y {
            let mut start = area.min;
            let mut last = NO_CHANGE;
            for x in area.min.x..=area.max.x {
                let at = IVec2::new(x, y);
                let kind = if x < area.max.x { change(levels, at + origin) } else { NO_CHANGE };
                if kind != last {
                    if let Some(color) = CHANGES.get(last) {
                        canvas.fill(Aabb { min: start, max: at + IVec2::Y }, tinted(*color, 190));
                    }
                    (start, last) = (at, kind);
                }
            }
        }
        let color = CHANGES[if patch.added >= patch.removed { 1 } else { 2 }];
        canvas.outline(seen(patch.area.translated(-origin), least(area, room)), color);
        let last = area.max - 1;
        let corners = [last, area.min, IVec2::new(last.x, area.min.y)];
        for ((corner, color), words) in corners.into_iter().zip(CHANGES).zip(legend) {
            canvas.label(Aabb { min: corner, max: corner + 1 }, &words, color);
        }
        canvas.finish().ok()
    }
}

/// The index of no colour in [`CHANGES`].
const NO_CHANGE: usize = CHANGES.len();

/// Returns the index in [`CHANGES`] for a pixel of both levels.
fn change(levels: &[LoadedLevel; 2], at: IVec2) -> usize {
    let is_solid = levels.each_ref().map(|loaded| {
        let at = at - loaded.level.origin();
        let whole = Aabb { min: IVec2::ZERO, max: loaded.level.size().as_ivec2() };
        whole.contains(at) && loaded.level.is_solid(at)
    });
    match is_solid {
        [true, true] => 0,
        [false, true] => 1,
        [true, false] => 2,
        [false, false] => NO_CHANGE,
    }
}

fn tinted(Rgba([red, green, blue, _]): Rgba<u8>, alpha: u8) -> Rgba<u8> {
    Rgba([red, green, blue, alpha])
}

/// Returns the least side of a mark in a part of a level that is drawn into a room, in pixels of the level.
fn least(area: Aabb, room: UVec2) -> u32 {
    ((area.size().as_dvec2() / room.as_dvec2()).max_element() * MARK).ceil() as u32
}

/// Enlarges a place to at least `least` pixels in width and height.
fn seen(place: Aabb, least: u32) -> Aabb {
    let size = place.size().min(MOST);
    let larger = size.max(UVec2::splat(least));
    let min = place.min.saturating_sub(((larger - size) / 2).as_ivec2());
    Aabb { min, max: min.saturating_add(larger.as_ivec2()) }
}

/// Encodes a picture without its transparency, of which a canvas has none.
pub(super) fn picture(image: RgbaImage, words: String) -> Picture {
    let size = UVec2::from(image.dimensions());
    let image = DynamicImage::from(image).into_rgb8();
    let mut png = Vec::new();
    // Writing to a list of bytes cannot fail.
    let _ = write_png(&image, size, ExtendedColorType::Rgb8, &mut png);
    Picture { png, size, words }
}
