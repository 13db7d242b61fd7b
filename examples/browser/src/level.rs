//! The level on the page: its picture, the reasons for its solid cells, sweeps, edits, outlines, paths and
//! suggestions.

use std::path::{Path, PathBuf};

use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{Rgba, RgbaImage};
use bitwall::load::{Source, WarningCause, decode_picture};
use bitwall::navigate::Search;
use bitwall::render::{self, DrawOptions, Overlay};
use bitwall::shapes::Circle;
use bitwall::text::printable;
use bitwall::{Aabb, Dir, LoadedLevel};
use wasm_bindgen::prelude::*;

use crate::answers::{Picture, Proposal, Swept};
use crate::files::{LevelFiles, Reader};
use crate::hero::Hero;

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
    files: LevelFiles,
    path: PathBuf,
    pub(crate) loaded: LoadedLevel,
    pub(crate) hero: Hero,
    /// The art with the edits applied, of the same size as the level. `None` if the art has another size.
    art: Option<RgbaImage>,
    search: Search,
    /// The arguments of the suggestions that are applied.
    chosen: Vec<String>,
}

/// The largest number of points that [`Playground::outlines`] returns: a browser can stroke as many. It is 4
/// times the number of the largest of 440 levels of real games.
const MAX_POINTS: u64 = 1 << 17;

/// The colour in the art of cells that a person makes solid.
const FILLED: Rgba<u8> = Rgba([84, 90, 104, 255]);

#[wasm_bindgen]
impl Playground {
    /// Loads the level at `path` from `files`, and draws its art. `choices` are the numbers of suggestions to
    /// apply one after the other. Each is a number in the [`Playground::suggestions`] for the level with the
    /// earlier choices applied. A number past the last suggestion is ignored.
    ///
    /// # Errors The message has the file, the place, the cause, and one thing to do.
    #[wasm_bindgen(constructor)]
    pub fn new(files: &LevelFiles, path: &str, choices: Vec<u32>) -> Result<Playground, JsError> {
        let path = PathBuf::from(path);
        let (loaded, chosen) = files.load(&path, &choices)?;
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
        let (files, search) = (files.clone(), Search::default());
        Ok(Self { files, path, loaded, hero, art, search, chosen })
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

    /// The suggestions that are applied, as arguments of the program `bitwall`.
    #[wasm_bindgen(getter)]
    pub fn chosen(&self) -> String {
        self.chosen.join(" ")
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
            Source::Map(map) => &map.solids,
            Source::World(world) => &world.solids,
            Source::Mask(_) => {
                return vec![format!("the mask rule {}", self.loaded.options().mask_rule)];
            }
            _ => return Vec::new(),
        };
        let count = |count: u64, word: &str| match count {
            0 => None,
            1 => Some(format!("1 {word}")),
            count => Some(format!("{count} {word}s")),
        };
        let line = |it: &bitwall::load::SolidCount| {
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
    /// # Errors The box contains no pixel of the level, or more than 2^26.
    pub fn picture(&self, view: View, x: i32, y: i32, w: i32, h: i32) -> Result<Picture, JsError> {
        let region = Aabb::from_xywh(x, y, w, h);
        Ok(Picture(self.drawn(&self.loaded, view, |options| options.region = Some(region))?))
    }

    /// Returns a text about a pixel, as `bitwall can-move` prints it: the cell, and why it is solid, by its
    /// tile or object, layer and rule. O(tiles and objects of the map).
    pub fn why(&self, x: i32, y: i32) -> String {
        let (level, at) = (&self.loaded.level, IVec2::new(x, y));
        let mut text = self.named(level.cell_at(at));
        let inside = level.areas().filter(|(_, area)| area.is_solid(at));
        let inside: Vec<String> =
            inside.map(|(name, _)| format!("`{}`", printable(name))).collect();
        if !inside.is_empty() {
            text = format!("{text}; in the area {}", inside.join(", "));
        }
        text
    }

    /// True if the pixel is solid. Pixels outside the level are solid.
    #[wasm_bindgen(js_name = isSolid)]
    pub fn is_solid(&self, x: i32, y: i32) -> bool {
        self.loaded.level.is_solid(IVec2::new(x, y))
    }

    /// Returns the box of the cell that contains a pixel: x, y, width and height in pixels.
    #[wasm_bindgen(js_name = cellAt)]
    pub fn cell_at(&self, x: i32, y: i32) -> Vec<i32> {
        let level = &self.loaded.level;
        numbers(level.cell_area(level.cell_at(IVec2::new(x, y))))
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
        let (level, dir) = (&self.loaded.level, dir.parse::<Dir>()?);
        let sweep = level.sweep(Aabb::from_xywh(x, y, w, h), dir, step);
        let moved = sweep.moved;
        let text = match &sweep.contact {
            None => format!("yes: moves {moved} px, nothing stops it"),
            Some(contact) => {
                format!("no: moves {moved} px, stopped by {}", self.named(contact.cell))
            }
        };
        let contact = sweep.contact.map(|contact| numbers(level.cell_area(contact.cell)));
        Ok(Swept { moved, contact, text })
    }

    /// Makes the cells within `radius` pixels of a pixel solid, or passable if `solid` is false. In the art
    /// they become gray or transparent. On a map of tiles, these are all tiles that the disc touches. Returns
    /// the box to draw again: x, y, width and height. `undefined` if no cell changed.
    ///
    /// # Errors There is not enough memory for the change.
    pub fn edit(
        &mut self,
        x: i32,
        y: i32,
        radius: i32,
        solid: bool,
    ) -> Result<Option<Vec<i32>>, JsError> {
        let (level, at) = (&mut self.loaded.level, IVec2::new(x, y));
        let disc = Circle { center: IVec2::ZERO, radius: radius.clamp(0, 256) };
        let size = level.size().as_ivec2();
        let cell = level.cell_size().as_ivec2();
        let near = Aabb { min: at - disc.radius - cell, max: at + disc.radius + cell + 1 };
        let near = near.intersection(Aabb { min: IVec2::ZERO, max: size });
        let pixels =
            || (near.min.y..near.max.y).flat_map(|y| (near.min.x..near.max.x).map(move |x| (x, y)));
        let before: Vec<bool> = pixels().map(|at| level.is_solid(at.into())).collect();
        let changed = match solid {
            true => level.paint(&disc, at)?,
            false => level.carve(&disc, at),
        };
        let Some(changed) = changed else { return Ok(None) };
        if let Some(art) = &mut self.art {
            for ((x, y), before) in pixels().zip(before) {
                if level.is_solid(IVec2::new(x, y)) != before {
                    let pixel = if solid { FILLED } else { Rgba([0; 4]) };
                    art.put_pixel(x as u32, y as u32, pixel);
                }
            }
        }
        // The box is enlarged, because the outline of a solid is drawn on the pixels around it.
        let redrawn = Aabb { min: changed.min - 2, max: changed.max + 2 };
        Ok(Some(numbers(redrawn.intersection(Aabb { min: IVec2::ZERO, max: size }))))
    }

    /// Returns the outlines of the solids: for each closed loop the number of its points, then x and y of
    /// each point. Points are left out if the outline moves by at most `tolerance` pixels. 0 returns exact
    /// outlines.
    ///
    /// # Errors The outlines have more than 131,072 points.
    pub fn outlines(&self, tolerance: f32) -> Result<Vec<i32>, JsError> {
        let count = self.loaded.level.corner_count();
        if count > MAX_POINTS {
            let reason = format!(
                "the outlines have {count} points, and a page can draw {MAX_POINTS}; \
                 `bitwall shapes` writes more"
            );
            return Err(JsError::new(&reason));
        }
        let outlines = self.loaded.level.outlines().simplified(tolerance);
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
    pub fn way(&mut self, from: &[i32], to: &[i32], w: u32, h: u32) -> Result<Vec<i32>, JsError> {
        let (&[from_x, from_y], &[to_x, to_y]) = (from, to) else {
            return Err(JsError::new("a place is two numbers: x and y"));
        };
        let size = UVec2::new(w, h);
        let half = size.as_ivec2() / 2;
        let ways = self.loaded.level.ways(size)?;
        let ends = [[from_x, from_y], [to_x, to_y]].map(|at| ways.nearest(IVec2::from(at) - half));
        let [Some(from), Some(to)] = ends else { return Ok(Vec::new()) };
        let path = ways.path(from, to, &mut self.search).map(|path| path.smooth(&ways));
        let points = path.map(|path| path.points).unwrap_or_default();
        Ok(points.into_iter().flat_map(|point| (point + half).to_array()).collect())
    }

    /// Returns the suggestions for a level whose solids seem wrong, the best first. Empty if they seem right.
    pub fn suggestions(&self) -> Vec<Proposal> {
        let all = self.files.suggestions(&self.path, &self.loaded);
        let said = |it: bitwall::rules::Suggestion| Proposal {
            arguments: it.arguments().join(" "),
            why: it.why,
            is_guess: it.is_guess,
        };
        all.into_iter().map(said).collect()
    }

    /// Draws the level as it would be after suggestion `number`, scaled to fit into a box.
    ///
    /// # Errors There is no such suggestion, or the level cannot be loaded with it.
    #[wasm_bindgen(js_name = suggestionPicture)]
    pub fn suggestion_picture(&self, number: usize, w: u32, h: u32) -> Result<Picture, JsError> {
        let all = self.files.suggestions(&self.path, &self.loaded);
        let suggestion = all.get(number).ok_or(JsError::new("there is no such suggestion"))?;
        let mut options = self.loaded.options().clone();
        suggestion.options.iter().for_each(|setting| options.apply(setting));
        let loaded = self.files.decode(&self.path, &options)?;
        let fit = Some(UVec2::new(w, h));
        Ok(Picture(self.drawn(&loaded, View::Both, |options| options.fit = fit)?))
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
            _ => Overlay { labels: false, shapes: false, borders: false, ..Overlay::new(1) },
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

/// Returns a box as the page takes it: x, y, width and height.
fn numbers(area: Aabb) -> Vec<i32> {
    let size = area.size().as_ivec2();
    vec![area.min.x, area.min.y, size.x, size.y]
}
