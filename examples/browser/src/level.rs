//! The level on the page: its picture, the reasons for its solid cells, sweeps, edits, outlines and paths.

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
use crate::edits::Edits;
use crate::files::{LevelFiles, Reader};
use crate::hero::Hero;
use crate::reach::Reach;

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

/// The work for a picture: enough for eight layers of the most pixels, as 100 tiles of 64 pixels along both sides
/// take more than half of them.
const WORK: u64 = 1 << 32;

/// The largest number of points that [`Playground::outlines`] returns: a browser can stroke as many. It is 4
/// times the number of the largest of 440 levels of real games.
const MAX_POINTS: u64 = 1 << 17;

#[wasm_bindgen]
impl Playground {
    /// Loads the level at `path` from `files`, and draws its art.
    ///
    /// # Errors The message has the file, the place, the cause, and one thing to do.
    #[wasm_bindgen(constructor)]
    pub fn new(files: &LevelFiles, path: &str) -> Result<Playground, JsError> {
        let path = Path::new(path);
        let loaded = files.load(path)?;
        let size = loaded.level.size();
        let art = match &loaded.source {
            Source::Mask(_) => art_of_mask(files, path, size),
            _ => {
                let (pictures, _missing) = render::load_pictures(&loaded.maps, &mut Reader(files));
                let (pictures, overlay) = (Some(&pictures), Overlay::none(1));
                let options = DrawOptions { pictures, overlay, work: WORK, ..Default::default() };
                let art = render::draw(&loaded, &options);
                Some(art.map_err(|error| JsError::new(&format!("{}: {error}", path.display())))?)
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
        let mut rules = Vec::new();
        for it in solids {
            let counts = [counted(it.tiles, "tile"), counted(it.objects, "object")];
            let counts: Vec<String> = counts.into_iter().flatten().collect();
            rules.push(format!("{}: {}", printable(&it.rule), counts.join(", ")));
        }
        rules
    }

    /// Returns the warnings of the load, one per line.
    pub fn warnings(&self) -> Vec<String> {
        let all = self.loaded.warnings.iter();
        let said = all.filter(|warning| warning.cause != WarningCause::EmptyArea);
        said.map(ToString::to_string).collect()
    }

    /// Draws the part of the level inside a box, one pixel of the picture per pixel of the level.
    ///
    /// # Errors The box contains no pixel of the level, or more than 2^26.
    pub fn picture(&self, view: View, x: i32, y: i32, w: i32, h: i32) -> Result<Picture, JsError> {
        let region = Aabb::from_xywh(x, y, w, h);
        let overlay = match view {
            View::Art => Overlay::none(1),
            // At this scale, names would only be unreadable pixels.
            _ => Overlay { labels: false, borders: false, ..Overlay::new(1) },
        };
        let art = self.art.as_ref().filter(|_| view != View::Solids);
        let region = Some(region);
        let options = DrawOptions { art, overlay, region, work: WORK, ..DrawOptions::default() };
        Ok(Picture(render::draw(&self.loaded, &options)?))
    }

    /// Returns a text about a pixel, as `bitwall can-move` prints it: the cell, and why it is solid, by its
    /// tile or object, layer and rule. O(tiles and objects of the map).
    pub fn why(&self, x: i32, y: i32) -> String {
        let at = IVec2::new(x, y);
        let level = &self.loaded.level;
        let mut text = self.named(level.cell_at(at));
        let inside = level.areas().iter().filter(|area| area.terrain.is_solid(at));
        let inside: Vec<String> =
            inside.map(|area| format!("`{}`", printable(&area.name))).collect();
        if !inside.is_empty() {
            text = format!("{text}; in the area {}", inside.join(", "));
        }
        text
    }

    /// Returns the box of the cell that contains a pixel: x, y, width and height in pixels.
    #[wasm_bindgen(js_name = cellAt)]
    pub fn cell_at(&self, x: i32, y: i32) -> Vec<i32> {
        let level = &self.loaded.level;
        numbers(level.cell_box(level.cell_at(IVec2::new(x, y))))
    }

    /// Sweeps a box by `step` pixels toward `dir`: `left`, `right`, `up` or `down`.
    ///
    /// # Errors `dir` is another word.
    pub fn sweep(
        &self,
        x: i32,
        y: i32,
        w: i32,
        h: i32,
        dir: &str,
        step: u32,
    ) -> Result<Swept, JsError> {
        let level = &self.loaded.level;
        let sweep = level.sweep(Aabb::from_xywh(x, y, w, h), dir.parse::<Dir>()?, step);
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
    /// # Errors The level is too large for path finding.
    pub fn way(
        &mut self,
        from_x: i32,
        from_y: i32,
        to_x: i32,
        to_y: i32,
        w: i32,
        h: i32,
    ) -> Result<Vec<i32>, JsError> {
        let ends = [IVec2::new(from_x, from_y), IVec2::new(to_x, to_y)];
        let size = IVec2::new(w, h);
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
    /// Returns a description of a cell and of what makes it solid.
    fn named(&self, cell: IVec2) -> String {
        let level = &self.loaded.level;
        let IVec2 { x, y } = cell;
        let place = if level.cell_size() == UVec2::ONE {
            format!("pixel (x {x}, y {y})")
        } else {
            format!("cell (col {x}, row {y})")
        };
        if cell.cmplt(IVec2::ZERO).any() || cell.as_uvec2().cmpge(level.grid().size()).any() {
            return format!("the outside of the level, {place}");
        }
        let is_solid = level.grid().is_solid(cell.x as u32, cell.y as u32);
        let cause = match self.loaded.source {
            Source::Mask(_) if is_solid => return format!("{place} of the mask"),
            _ => self.loaded.provenance(cell),
        };
        match cause {
            Some(cause) => format!("{place}, {cause}"),
            None if is_solid => format!("{place}, solid, but nothing in the file makes it so"),
            None => format!("{place}, passable"),
        }
    }
}

/// Returns `3 tiles` for a count and a word, and nothing for none.
fn counted(count: u64, word: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {word}")),
        _ => Some(format!("{count} {word}s")),
    }
}

/// Returns the art of a mask: `harbor.png` beside `harbor_mask.png`, or the picture of the mask itself.
fn art_of_mask(files: &LevelFiles, path: &Path, size: UVec2) -> Option<RgbaImage> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let stem = ["_mask", "-mask", ".mask"].iter().find_map(|end| stem.strip_suffix(end));
    let beside = stem.map(|stem| path.with_file_name(format!("{stem}.png")));
    let art = beside.and_then(|beside| picture_of(files, &beside));
    art.filter(|art| UVec2::from(art.dimensions()) == size).or_else(|| picture_of(files, path))
}

fn picture_of(files: &LevelFiles, path: &Path) -> Option<RgbaImage> {
    decode_picture(path, files.find(path)?).ok()
}

/// Returns a box as the page takes it: x, y, width and height.
pub(crate) fn numbers(area: Aabb) -> Vec<i32> {
    let size = area.size().as_ivec2();
    vec![area.min.x, area.min.y, size.x, size.y]
}
