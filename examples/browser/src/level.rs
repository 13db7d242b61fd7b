//! The level on the page: its picture, the reasons for its solid cells, sweeps, edits, outlines and paths.

use std::ops::RangeInclusive;
use std::path::Path;

use bitwall::error::WarningCause;
use bitwall::glam::{IVec2, UVec2};
use bitwall::image::RgbaImage;
use bitwall::load::{Source, decode_picture};
use bitwall::navigate::Search;
use bitwall::render::{self, DrawOptions, Overlay};
use bitwall::text::printable;
use bitwall::{Aabb, Dir, LoadedLevel};
use wasm_bindgen::prelude::*;

use crate::answers::{Picture, Swept};
use crate::arguments::LENGTH;
use crate::edits::Edits;
use crate::files::{LevelFiles, Reader, path_of};
use crate::hero::Hero;
use crate::reach::Reach;
use crate::values::{list, refused, said, text, whole};

/// A position in the level or outside it.
pub(crate) const ANY: RangeInclusive<i32> = i32::MIN..=i32::MAX;

/// The width or height of a body or a picture.
const SIDE: RangeInclusive<i32> = 1..=i32::MAX;

/// What a picture of the level shows.
#[wasm_bindgen]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The art alone.
    Art,
    /// The art, with the solids tinted on top.
    Both,
    /// Only the solids, on a plain background.
    Solids,
}

/// A level, and a hero who walks in it.
#[wasm_bindgen]
pub struct Playground {
    pub(crate) loaded: LoadedLevel,
    pub(crate) hero: Hero,
    /// The art with the edits applied, of the same size as the level. `None` if the art has another size.
    pub(crate) art: Option<RgbaImage>,
    search: Search,
    pub(crate) reach: Reach,
    pub(crate) edits: Edits,
}

/// The largest number of points that [`Playground::outlines`] returns: a browser can stroke as many. It is 4
/// times the number of the largest of 440 levels of real games.
const MAX_POINTS: u64 = 1 << 17;

#[wasm_bindgen]
impl Playground {
    /// Loads the level at `path` from `files`, and draws its art.
    ///
    /// # Errors The message has the file, the place, the cause, and one thing to do. An argument is of a wrong
    /// type.
    #[wasm_bindgen(constructor)]
    pub fn new(
        files: &LevelFiles,
        #[wasm_bindgen(unchecked_param_type = "string")] path: &JsValue,
    ) -> Result<Playground, JsError> {
        let path = path_of(path)?;
        let loaded = files.load(&path)?;
        let size = loaded.level.size();
        let art = match &loaded.source {
            Source::Mask(_) => art_of_mask(files, &path, size),
            _ => {
                let (pictures, _missing) = render::load_pictures(&loaded.maps, &mut Reader(files));
                let overlay = Overlay::none(1);
                let pictures = Some(&pictures);
                Some(render::draw(
                    &loaded,
                    &DrawOptions { pictures, overlay, ..Default::default() },
                )?)
            }
        };
        let art = art.filter(|art| UVec2::from(art.dimensions()) == size);
        let hero = Hero::new(&loaded.level);
        Ok(Self {
            loaded,
            hero,
            art,
            search: Search::default(),
            reach: Reach::default(),
            edits: Edits::default(),
        })
    }

    /// The width of the level in pixels.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.loaded.level.size().x
    }

    /// The height of the level in pixels.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.loaded.level.size().y
    }

    /// The width and height of a cell in pixels. A cell is a tile or one pixel.
    #[wasm_bindgen(getter)]
    pub fn cell(&self) -> Vec<u32> {
        self.loaded.level.cell_size().to_array().into()
    }

    /// The height of a tile of the map in pixels; 16 for a mask.
    #[wasm_bindgen(getter)]
    pub fn tile(&self) -> u32 {
        self.loaded.maps.first().map_or(16, |placed| placed.map.tile_size.y)
    }

    /// The share of the level's cells that are solid, from 0 to 1.
    #[wasm_bindgen(getter, js_name = solidShare)]
    pub fn solid_share(&self) -> f64 {
        let grid = self.loaded.level.grid();
        grid.solid_count() as f64 / (grid.cell_count() as f64).max(1.0)
    }

    /// Returns the rules that made cells solid, each with the number of its cells, one per line.
    pub fn rules(&self) -> Vec<String> {
        let solids = match &self.loaded.source {
            Source::Map | Source::World => &self.loaded.solids,
            Source::Mask(source) => return vec![format!("the mask rule {}", source.rule)],
            _ => return Vec::new(),
        };
        let count = |count: u64, word: &str| match count {
            0 => None,
            1 => Some(format!("1 {word}")),
            count => Some(format!("{count} {word}s")),
        };
        let line = |it: &bitwall::convert::SolidCount| {
            let counts = [count(it.tiles, "tile"), count(it.objects, "object")];
            let counts: Vec<String> = counts.into_iter().flatten().collect();
            format!("{}: {}", printable(&it.rule), counts.join(", "))
        };
        solids.iter().map(line).collect()
    }

    /// Returns the warnings of the load, one per line.
    pub fn warnings(&self) -> Vec<String> {
        let all = self.loaded.warnings.iter();
        let said = all.filter(|warning| warning.cause != WarningCause::EmptyArea);
        said.map(ToString::to_string).collect()
    }

    /// Draws the part of the level inside a box, one pixel of the picture per pixel of the level.
    ///
    /// # Errors The box contains no pixel of the level, or more than 2^26. An argument is out of its range.
    pub fn picture(
        &self,
        #[wasm_bindgen(unchecked_param_type = "View")] view: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] x: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] y: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] w: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] h: &JsValue,
    ) -> Result<Picture, JsError> {
        let view = match whole("view", view, 0..=2)? {
            0 => View::Art,
            1 => View::Both,
            _ => View::Solids,
        };
        let region = xywh([x, y, w, h])?;
        Ok(Picture(self.drawn(&self.loaded, view, |options| options.region = Some(region))?))
    }

    /// Returns a text about a pixel, as `bitwall can-move` prints it: the cell, and why it is solid, by its
    /// tile or object, layer and rule. O(tiles and objects of the map).
    ///
    /// # Errors `x` or `y` is no whole number of 32 bits.
    pub fn why(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] x: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] y: &JsValue,
    ) -> Result<String, JsError> {
        let at = point([x, y])?;
        let level = &self.loaded.level;
        let mut text = self.named(level.cell_at(at));
        let inside = level.areas().iter().filter(|area| area.terrain.is_solid(at));
        let inside: Vec<String> =
            inside.map(|area| format!("`{}`", printable(&area.name))).collect();
        if !inside.is_empty() {
            text = format!("{text}; in the area {}", inside.join(", "));
        }
        Ok(text)
    }

    /// True if the pixel is solid. Pixels outside the level are solid.
    ///
    /// # Errors `x` or `y` is no whole number of 32 bits.
    #[wasm_bindgen(js_name = isSolid)]
    pub fn is_solid(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] x: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] y: &JsValue,
    ) -> Result<bool, JsError> {
        Ok(self.loaded.level.is_solid(point([x, y])?))
    }

    /// Returns the box of the cell that contains a pixel: x, y, width and height in pixels.
    ///
    /// # Errors `x` or `y` is no whole number of 32 bits.
    #[wasm_bindgen(js_name = cellAt)]
    pub fn cell_at(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] x: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] y: &JsValue,
    ) -> Result<Vec<i32>, JsError> {
        let level = &self.loaded.level;
        Ok(numbers(level.cell_box(level.cell_at(point([x, y])?))))
    }

    /// Sweeps a box by `step` pixels toward `dir`: `left`, `right`, `up` or `down`.
    ///
    /// # Errors `dir` is another word. `x` or `y` is no whole number of 32 bits, or `w`, `h` or `step` is none
    /// from 0 to 2147483647.
    pub fn sweep(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] x: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] y: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] w: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] h: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "\"left\" | \"right\" | \"up\" | \"down\"")]
        dir: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] step: &JsValue,
    ) -> Result<Swept, JsError> {
        const DIRS: &str = "left, right, up or down";
        let level = &self.loaded.level;
        let body = xywh([x, y, w, h])?;
        let word = text("dir", dir, DIRS)?;
        let dir = word.parse::<Dir>().map_err(|_| refused("dir", printable(&word), DIRS))?;
        let sweep = level.sweep(body, dir, whole("step", step, LENGTH)?.cast_unsigned());
        let moved = sweep.moved;
        let text = match &sweep.contact {
            None => format!("yes: moves {moved} px, nothing stops it"),
            Some(contact) => {
                format!("no: moves {moved} px, stopped by {}", self.named(contact.cell))
            }
        };
        let contact = sweep.contact.map(|contact| numbers(level.cell_box(contact.cell)));
        Ok(Swept { moved, contact, text })
    }

    /// Returns the outlines of the solids: for each closed loop the number of its points, then x and y of
    /// each point.
    ///
    /// # Errors
    /// The outlines have more than 131,072 points.
    pub fn outlines(&self) -> Result<Vec<i32>, JsError> {
        let count = self.loaded.level.corner_count();
        if count > MAX_POINTS {
            let reason = format!(
                "the outlines have {count} points, and a page can draw {MAX_POINTS}; \
                 `bitwall shapes` writes more"
            );
            return Err(JsError::new(&reason));
        }
        let outlines = self.loaded.level.outlines();
        let mut all = Vec::new();
        for outline in outlines.loops() {
            all.push(outline.points.len() as i32);
            all.extend(outline.points.iter().flat_map(|point| point.to_array()));
        }
        Ok(all)
    }

    /// Returns the shortest path of a box between two pixels, pulled taut: x and y of the middle of the box
    /// at each turn. It starts and ends at the nearest positions with room for the box. Empty if there is no
    /// path.
    ///
    /// # Errors The level is too large for path finding. `w` or `h` is no whole number from 1 to 2147483647, or
    /// `from` or `to` is no pair of whole numbers.
    pub fn way(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Int32Array | number[]")] from: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Int32Array | number[]")] to: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] w: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] h: &JsValue,
    ) -> Result<Vec<i32>, JsError> {
        let ends = [pair("from", from)?, pair("to", to)?];
        let size = IVec2::new(whole("w", w, SIDE)?, whole("h", h, SIDE)?);
        let half = size / 2;
        let ways = self.loaded.level.ways(size.as_uvec2())?;
        let ends = ends.map(|at| ways.nearest(at.saturating_sub(half)));
        let [Some(from), Some(to)] = ends else { return Ok(Vec::new()) };
        let path = ways.path(from, to, &mut self.search).map(|path| path.smooth(&ways));
        let points = path.map(|path| path.points).unwrap_or_default();
        Ok(points.into_iter().flat_map(|point| (point + half).to_array()).collect())
    }
}

impl Playground {
    fn drawn<'l>(
        &'l self,
        loaded: &'l LoadedLevel,
        view: View,
        change: impl FnOnce(&mut DrawOptions<'l>),
    ) -> Result<RgbaImage, render::RenderError> {
        let overlay = match view {
            View::Art => Overlay::none(1),
            // At this scale, names would only be unreadable pixels.
            _ => Overlay { labels: false, borders: false, ..Overlay::new(1) },
        };
        let art = self.art.as_ref().filter(|_| view != View::Solids);
        let mut options = DrawOptions { art, overlay, ..DrawOptions::default() };
        change(&mut options);
        render::draw(loaded, &options)
    }

    /// Returns a description of a cell and of what makes it solid.
    fn named(&self, cell: IVec2) -> String {
        let (level, IVec2 { x, y }) = (&self.loaded.level, cell);
        let place = match level.cell_size() == UVec2::ONE {
            true => format!("pixel (x {x}, y {y})"),
            false => format!("cell (col {x}, row {y})"),
        };
        if cell.cmplt(IVec2::ZERO).any() || cell.as_uvec2().cmpge(level.grid().size()).any() {
            return format!("the outside of the level, {place}");
        }
        let is_solid = level.grid().is_solid(cell.x as u32, cell.y as u32);
        let cause = match self.loaded.source {
            Source::Mask(_) if is_solid => return format!("{place} of the mask"),
            _ => self.loaded.provenance(cell),
        };
        let Some(cause) = cause else {
            return match is_solid {
                true => format!("{place}, solid, but nothing in the file makes it so"),
                false => format!("{place}, passable"),
            };
        };
        format!("{place}, {cause}")
    }
}

/// Returns the art of a mask: `harbor.png` beside `harbor_mask.png`, or the picture of the mask itself.
fn art_of_mask(files: &LevelFiles, path: &Path, size: UVec2) -> Option<RgbaImage> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let stem = ["_mask", "-mask", ".mask"].iter().find_map(|end| stem.strip_suffix(end));
    let beside = stem.map(|stem| path.with_file_name(format!("{stem}.png")));
    let picture = |path: &Path| decode_picture(path, files.find(path)?).ok();
    let art = beside.and_then(|beside| picture(&beside));
    art.filter(|art| UVec2::from(art.dimensions()) == size).or_else(|| picture(path))
}

pub(crate) fn point([x, y]: [&JsValue; 2]) -> Result<IVec2, JsError> {
    Ok(IVec2::new(whole("x", x, ANY)?, whole("y", y, ANY)?))
}

fn xywh([x, y, w, h]: [&JsValue; 4]) -> Result<Aabb, JsError> {
    let min = point([x, y])?;
    Ok(Aabb::from_xywh(min.x, min.y, whole("w", w, LENGTH)?, whole("h", h, LENGTH)?))
}

fn pair(name: &str, value: &JsValue) -> Result<IVec2, JsError> {
    match list(value, 2).as_deref() {
        Ok([x, y]) => Ok(IVec2::new(whole(name, x, ANY)?, whole(name, y, ANY)?)),
        _ => Err(refused(name, "no pair", "two whole numbers: x and y")),
    }
}

pub(crate) fn flag(name: &str, value: &JsValue) -> Result<bool, JsError> {
    value.as_bool().ok_or_else(|| refused(name, "no truth value", "true or false"))
}

/// Returns the number `value`, which may have a fraction.
pub(crate) fn real(
    name: &str,
    value: &JsValue,
    range: RangeInclusive<f64>,
) -> Result<f64, JsError> {
    match value.as_f64().filter(|number| range.contains(number)) {
        Some(number) => Ok(number),
        None => {
            let allowed = format!("a number from {} to {}", range.start(), range.end());
            Err(refused(name, said(value), allowed))
        }
    }
}

/// Returns a box as the page takes it: x, y, width and height.
pub(crate) fn numbers(area: Aabb) -> Vec<i32> {
    let size = area.size().as_ivec2();
    vec![area.min.x, area.min.y, size.x, size.y]
}
