//! A level with the facts of its source: for tools, pictures, and games that read more of a map than its
//! walls. It answers the questions that need both the level and its documents, and bakes the level with
//! its causes.
//!
//! The one place with code that is not safe, behind the feature `baked`: the memory map of a baked level.

#[cfg(feature = "baked")]
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "tmx")]
use glam::IVec2;
#[cfg(all(feature = "baked", feature = "tmx"))]
use glam::UVec2;

use super::LoadOptions;
#[cfg(feature = "baked")]
use super::disk::{self, Links};
#[cfg(all(feature = "baked", feature = "tmx"))]
use crate::baked::CauseBuilder;
#[cfg(feature = "baked")]
use crate::baked::{BakeError, BakedLevel, Causes, bake};
#[cfg(all(feature = "baked", feature = "tmx"))]
use crate::build::CellSquare;
#[cfg(feature = "tmx")]
use crate::build::explain::Survey;
#[cfg(feature = "tmx")]
use crate::build::{MapExplainer, MapSource, TileCounts, WorldSource};
#[cfg(feature = "image")]
use crate::error::suggestion::{Setting, Suggestion};
use crate::error::warning::LoadWarning;
#[cfg(feature = "baked")]
use crate::error::{LoadError, LoadErrorKind, Place};
#[cfg(feature = "tmx")]
use crate::geometry::Dir;
#[cfg(all(feature = "baked", feature = "tmx"))]
use crate::grid::{joined_rows, low_bits};
use crate::level::Level;
#[cfg(feature = "tmx")]
use crate::level::Provenance;
#[cfg(all(feature = "baked", feature = "tmx"))]
use crate::limits::{Limits, Spent};
#[cfg(feature = "image")]
use crate::mask;
#[cfg(feature = "mask")]
use crate::mask::{MaskSource, OddPixels};
#[cfg(feature = "image")]
use crate::rules::suggest::{Found, absence, suggest};
#[cfg(feature = "tmx")]
use crate::tmx::{Map, PlacedMap, Projection};

/// A level, the facts of its source, and the documents of its maps. [`LoadedLevel::load`] makes one.
///
/// ```
/// use bitwall::glam::IVec2;
/// use bitwall::{LoadOptions, LoadedLevel};
///
/// let loaded = LoadedLevel::load("assets/cave.tmx", &LoadOptions::default())?;
/// let map = loaded.map().expect("a map, not a mask");
/// assert_eq!(map.tilesets[0].name, "cave");
/// let provenance = loaded.provenance(IVec2::ZERO).expect("a tile made it solid");
/// assert_eq!((provenance.layer.as_str(), provenance.because.as_str()), ("Collision", "its name"));
/// # Ok::<(), bitwall::LoadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LoadedLevel {
    /// The level.
    pub level: Level,
    /// The facts of its source.
    pub source: Source,
    /// Faults that were passed over, and other things that look wrong: see [`LoadOptions::lenient`].
    pub warnings: Vec<LoadWarning>,
    /// Its maps in the order of the world's file; one for a single map, none for a mask.
    #[cfg(feature = "tmx")]
    pub maps: Vec<PlacedMap>,
    /// The options that the level was built with, for [`LoadedLevel::explainer`].
    pub(super) options: Arc<LoadOptions>,
    /// The tile counts that the level was built with, for each of `maps`.
    #[cfg(feature = "tmx")]
    pub(super) tile_counts: Vec<TileCounts>,
    /// The odd pixels of a mask that was decoded here; not saved.
    #[cfg(feature = "mask")]
    pub(super) odd: Option<Arc<OddPixels>>,
}

/// The facts of a level's source.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A mask picture.
    #[cfg(feature = "mask")]
    Mask(MaskSource),
    /// A Tiled map.
    #[cfg(feature = "tmx")]
    Map(MapSource),
    /// Tiled maps that lie in a world.
    #[cfg(feature = "tmx")]
    World(WorldSource),
    /// A baked level.
    #[cfg(feature = "baked")]
    Baked(BakedSource),
}

/// Facts about a baked level.
#[cfg(feature = "baked")]
#[derive(Clone, Debug, PartialEq)]
pub struct BakedSource {
    /// See [`BakedLevel::content_hash`](crate::baked::BakedLevel::content_hash).
    pub content_hash: u64,
    /// Why its cells are solid, if it was baked with that.
    pub(super) causes: Option<Arc<Causes>>,
}

#[cfg(feature = "baked")]
impl BakedSource {
    /// True if the level was baked with the reasons that its cells are solid.
    pub fn has_provenance(&self) -> bool {
        self.causes.is_some()
    }
}

impl LoadedLevel {
    /// The pixels of a mask that are neither black, white, of a plane, nor fully transparent. `None` for a
    /// map and for a baked level.
    #[cfg(feature = "mask")]
    pub fn odd_pixels(&self) -> Option<&OddPixels> {
        self.odd.as_deref()
    }

    /// The options that the level was loaded with.
    pub fn options(&self) -> &LoadOptions {
        &self.options
    }

    /// Options by which the level may have the solids that its maker meant, the best first; none if they seem
    /// to be right. `picture` is that of a mask, whose colours can be suggested only if it is given; a map
    /// needs none. They are guesses for a person to choose from: see
    /// [`LoadOptions::apply`](crate::LoadOptions::apply). O(cells + objects + words of the
    /// maps, or pixels of the mask).
    ///
    /// ```
    /// use bitwall::{LoadOptions, LoadedLevel};
    ///
    /// let mut options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    /// let map = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8">
    ///     <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1" columns="1">
    ///         <image source="t.png" width="8" height="8"/>
    ///     </tileset>
    ///     <layer name="Colision" width="2" height="1"><data encoding="csv">1,0</data></layer>
    /// </map>"#;
    /// let loaded = LoadedLevel::decode("cave.tmx", map.as_bytes(), (), &options)?;
    /// let suggestions = loaded.suggestions(None);
    /// assert_eq!(suggestions[0].arguments(), ["--solid-layer", "Colision"]);
    /// assert_eq!(suggestions[0].why, "the name of the layer `Colision` is nearly `collision`");
    ///
    /// suggestions[0].options.iter().for_each(|setting| options.apply(setting));
    /// let loaded = LoadedLevel::decode("cave.tmx", map.as_bytes(), (), &options)?;
    /// assert_eq!((loaded.level.grid().solid_count(), loaded.suggestions(None).len()), (1, 0));
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    #[cfg(feature = "image")]
    pub fn suggestions(&self, picture: Option<&image::RgbaImage>) -> Vec<Suggestion> {
        let grid = self.level.grid();
        let found = match grid.solid_count() {
            _ if self.level.is_blank() => Found::Nothing,
            count if count == grid.cell_count() => Found::Everything,
            _ => Found::Part,
        };
        match &self.source {
            Source::Mask(source) => mask::suggest(source, picture),
            #[cfg(feature = "baked")]
            Source::Baked(_) => Vec::new(),
            Source::Map(_) | Source::World(_) => {
                suggest(&self.maps, &self.options.solid_rules, found)
            }
        }
    }
}

#[cfg(feature = "image")]
impl LoadedLevel {
    /// The reason that nothing in the level matches a setting, in words and with the nearest name: ``no layer
    /// is `Wals`; did you mean `Walls`?`` `None` if something does, and for a setting that asks for no word.
    /// O(cells + objects + words of the maps).
    pub fn absence(&self, setting: &Setting) -> Option<String> {
        match (&self.source, setting) {
            (Source::Mask(_), Setting::Mask(_) | Setting::Plane { .. } | Setting::Lenient) => None,
            (Source::Mask(_), _) => Some("a mask has neither layers nor tiles".to_owned()),
            #[cfg(feature = "baked")]
            (Source::Baked(_), _) => Some("a baked level is as it was baked".to_owned()),
            (Source::Map(_) | Source::World(_), _) => absence(&self.maps, setting),
        }
    }
}

#[cfg(feature = "tmx")]
impl LoadedLevel {
    /// The document of the map, or of the first map of a world; `None` for a mask.
    pub fn map(&self) -> Option<&Map> {
        self.maps.first().map(|placed| &*placed.map)
    }

    /// The projection between the space of a map, the screen and the map's cells; `None` for a mask and a
    /// world. The level's pixel (0, 0) is [`Level::origin`] in the map's space or, as [`MapSource::space`]
    /// says, on the screen.
    ///
    /// ```
    /// use bitwall::{LoadOptions, LoadedLevel, glam::DVec2};
    ///
    /// let loaded = LoadedLevel::load("assets/cave.tmx", &LoadOptions::default())?;
    /// let projection = loaded.projection().expect("a map");
    /// let seen = projection.map_to_screen(loaded.level.origin().as_dvec2() + DVec2::new(40.0, 8.0));
    /// assert_eq!(seen, DVec2::new(40.0, 8.0), "an orthogonal map is not slanted");
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    pub fn projection(&self) -> Option<Projection> {
        match (&self.source, self.map()) {
            (Source::Map(_), Some(map)) => Some(map.projection()),
            _ => None,
        }
    }

    /// The part that each layer and object plays, of a single map; `None` for a world and a mask.
    /// O(cells + objects + tiles that the files name).
    #[cfg(feature = "tmx")]
    pub fn survey(&self) -> Option<Survey<'_>> {
        let (Source::Map(_), Some(map), Some(counts)) =
            (&self.source, self.map(), self.tile_counts.first())
        else {
            return None;
        };
        Survey::new(map, counts, &self.options).ok()
    }

    /// Why a cell is solid or one-way: see [`Explainer::provenance`]. To ask about many cells, make one
    /// [`LoadedLevel::explainer`]. O(tiles and objects of the maps).
    pub fn provenance(&self, cell: IVec2) -> Option<Provenance> {
        self.explainer().provenance(cell)
    }

    /// Answers why cells are solid, from the documents and the rules that the level was made of.
    /// O(tiles and objects of the maps).
    pub fn explainer(&self) -> Explainer<'_> {
        let mut maps = Vec::with_capacity(self.maps.len());
        for (map, counts) in self.maps.iter().zip(&self.tile_counts) {
            // It has no error, as the level was built.
            maps.extend(MapExplainer::new(map, counts, &self.options));
        }
        Explainer {
            level: &self.level,
            maps,
            #[cfg(feature = "baked")]
            baked: match &self.source {
                Source::Baked(source) => source.causes.as_deref(),
                _ => None,
            },
            #[cfg(feature = "baked")]
            limits: &self.options.limits,
        }
    }
}

/// Answers why the cells of a level are solid. Made by [`LoadedLevel::explainer`].
#[cfg(feature = "tmx")]
pub struct Explainer<'l> {
    level: &'l Level,
    maps: Vec<MapExplainer<'l>>,
    /// Those that were baked.
    #[cfg(feature = "baked")]
    baked: Option<&'l Causes>,
    #[cfg(feature = "baked")]
    limits: &'l Limits,
}

#[cfg(feature = "tmx")]
impl Explainer<'_> {
    /// The first layer, tile or object that made a cell solid or one-way, in the order of the rules. `None`
    /// for a cell that is neither, for one outside the level, for a gap between the tiles of a floor layer,
    /// for a mask, and for a level that was baked without its reasons. O(tile layers + solid objects).
    pub fn provenance(&mut self, cell: IVec2) -> Option<Provenance> {
        let (column, row) = (u32::try_from(cell.x).ok()?, u32::try_from(cell.y).ok()?);
        let mut guards = Dir::ALL.into_iter().filter_map(|side| self.level.one_way(side));
        let is_guarded = guards.any(|grid| grid.is_solid(column, row));
        if !is_guarded && !self.level.grid().is_solid(column, row) {
            return None;
        }
        #[cfg(feature = "baked")]
        if let Some(causes) = self.baked {
            return causes.provenance(cell).cloned();
        }
        let pixel = self.level.cell_area(cell).min;
        self.maps.iter_mut().find_map(|map| map.explain(pixel))
    }
}

/// As [`LoadedLevel`], without the options: to copy those takes longer than to read a small map.
pub(super) struct Loaded {
    pub(super) level: Level,
    pub(super) source: Source,
    pub(super) warnings: Vec<LoadWarning>,
    #[cfg(feature = "tmx")]
    pub(super) maps: Vec<PlacedMap>,
    #[cfg(feature = "tmx")]
    pub(super) tile_counts: Vec<TileCounts>,
    #[cfg(feature = "mask")]
    pub(super) odd: Option<Box<OddPixels>>,
}

impl Loaded {
    /// A level without maps and without odd pixels.
    pub(super) fn new(level: Level, source: Source, warnings: Vec<LoadWarning>) -> Self {
        Self {
            level,
            source,
            warnings,
            #[cfg(feature = "tmx")]
            maps: Vec::new(),
            #[cfg(feature = "tmx")]
            tile_counts: Vec::new(),
            #[cfg(feature = "mask")]
            odd: None,
        }
    }

    pub(super) fn with_options(self, options: &LoadOptions) -> LoadedLevel {
        LoadedLevel {
            level: self.level,
            source: self.source,
            warnings: self.warnings,
            #[cfg(feature = "tmx")]
            maps: self.maps,
            options: Arc::new(options.clone()),
            #[cfg(feature = "tmx")]
            tile_counts: self.tile_counts,
            #[cfg(feature = "mask")]
            odd: self.odd.map(Arc::from),
        }
    }
}

/// Options of baking: the parts that a file has beside the level.
#[cfg(feature = "baked")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BakeOptions {
    /// True to keep why each cell is solid or one-way, for [`BakedLevel::provenance`]. A mask has no such
    /// reasons. Default: false.
    pub provenance: bool,
}

/// The error of a file that is no baked level.
#[cfg(feature = "baked")]
pub(super) fn unbaked(path: &Path, error: &BakeError) -> LoadError {
    let kind = LoadErrorKind::Baked { reason: error.headline(), help: error.help() };
    LoadError::new(path, Place::default(), kind)
}

#[cfg(feature = "baked")]
impl LoadedLevel {
    /// As [`Level::bake`], on request with the reasons that its cells are solid.
    /// O(cells / 64), with reasons O(blocks of 64 x 64 cells with a solid one x (tile layers + solid objects)
    /// + tiles that cover them).
    ///
    /// ```
    /// use bitwall::baked::BakedLevel;
    /// use bitwall::load::BakeOptions;
    /// use bitwall::{LoadOptions, LoadedLevel, glam::IVec2};
    ///
    /// let loaded = LoadedLevel::load("assets/cave.tmx", &LoadOptions::default())?;
    /// let bytes = loaded.bake(&BakeOptions { provenance: true })?;
    /// let baked = BakedLevel::decode(bytes)?;
    /// assert_eq!(baked.provenance(IVec2::ZERO), loaded.provenance(IVec2::ZERO).as_ref());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Level::bake`], and [`BakeError::TooMuchWork`] for reasons that take more than
    /// [`Limits::work`](crate::Limits::work).
    pub fn bake(&self, options: &BakeOptions) -> Result<Vec<u8>, BakeError> {
        match options.provenance {
            true => bake(&self.level, causes(self)?.as_ref()),
            false => self.level.bake(),
        }
    }
}

/// The causes of all cells; `None` for a source that has none.
#[cfg(all(feature = "baked", feature = "tmx"))]
fn causes(loaded: &LoadedLevel) -> Result<Option<Causes>, BakeError> {
    let has_none = match &loaded.source {
        Source::Baked(source) => !source.has_provenance(),
        _ => loaded.maps.is_empty(),
    };
    if has_none {
        return Ok(None);
    }
    let (level, mut explainer) = (&loaded.level, loaded.explainer());
    let limits = explainer.limits;
    let too_much = |_| BakeError::TooMuchWork { limit: limits.work };
    let (mut builder, mut spent) = (CauseBuilder::default(), Spent::default());
    let guards = Dir::ALL.into_iter().filter_map(|side| level.one_way(side));
    // Runs of cells with one cause: row, first column, the column after the last, number of the cause.
    let mut runs: Vec<[u32; 4]> = Vec::new();
    for (row, blocks) in joined_rows(guards.chain([level.grid()])) {
        for (column, cells) in blocks {
            let first = UVec2::new(column, row) * 64;
            for (row, mut cells, cause) in
                explainer.square(first, cells, &mut builder, &mut spent)?
            {
                let y = first.y + row as u32;
                while cells != 0 {
                    let start = cells.trailing_zeros();
                    let length = (cells >> start).trailing_ones();
                    runs.push([y, first.x + start, first.x + start + length, cause]);
                    cells &= !(u64::MAX >> (64 - length) << start);
                }
            }
        }
        runs.sort_unstable();
        let known = builder.len();
        runs.drain(..).for_each(|[row, start, end, cause]| builder.add(start..end, row, cause));
        let steps = (builder.len() - known) as u64 * STEPS_A_RECTANGLE;
        spent.work(steps, limits).map_err(too_much)?;
    }
    Ok(Some(builder.finish()))
}

/// The steps of work for a rectangle of cells with one cause, which takes memory and bytes of the file too.
#[cfg(all(feature = "baked", feature = "tmx"))]
const STEPS_A_RECTANGLE: u64 = 1 << 10;

#[cfg(all(feature = "baked", feature = "tmx"))]
impl Explainer<'_> {
    /// The causes of the cells `cells` in the square of 64 x 64 from `first` on: a row of the square, the
    /// cells in it as bits, and the number of their cause.
    fn square(
        &mut self,
        first: UVec2,
        cells: [u64; 64],
        builder: &mut CauseBuilder,
        spent: &mut Spent,
    ) -> Result<Vec<(usize, u64, u32)>, BakeError> {
        let limits = self.limits;
        let too_much = |_| BakeError::TooMuchWork { limit: limits.work };
        let (mut rest, mut parts) = (cells.to_vec(), Vec::new());
        if let Some(causes) = self.baked {
            spent.work(causes.len() as u64, limits).map_err(too_much)?;
            let end = first.saturating_add(UVec2::splat(64));
            for (columns, rows, cause) in causes.within(first.x..end.x, first.y..end.y) {
                let number = builder.number(cause.clone())?;
                let columns = low_bits((columns.end - first.x).into())
                    & !low_bits((columns.start - first.x).into());
                for row in rows {
                    let row = (row - first.y) as usize;
                    parts.push((row, rest[row] & columns, number));
                    rest[row] &= !columns;
                }
            }
            return Ok(parts);
        }
        let (corner, cell) = (self.level.cell_area(first.as_ivec2()).min, self.level.cell_size());
        let mut square = CellSquare { corner, cell, rest };
        for map in &mut self.maps {
            let mut last = None;
            for (key, row, cells) in
                map.explain_square(&mut square, spent, limits).map_err(too_much)?
            {
                let number = match last {
                    Some((known, number)) if known == key => number,
                    _ => match map.provenance(key) {
                        Some(cause) => builder.number(cause)?,
                        None => continue,
                    },
                };
                last = Some((key, number));
                parts.push((row, cells, number));
            }
        }
        Ok(parts)
    }
}

#[cfg(all(feature = "baked", not(feature = "tmx")))]
fn causes(_: &LoadedLevel) -> Result<Option<Causes>, BakeError> {
    Ok(None)
}

/// See [`Level::map_baked`], whose contract is that of this function.
#[cfg(feature = "baked")]
#[allow(unsafe_code)]
pub(super) unsafe fn load_mapped(path: &Path) -> Result<Level, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let limit = Limits::default().file_bytes();
    let (file, length) = disk::open_file(path, Links::Followed, limit).map_err(error)?;
    let decoded = if length == 0 {
        BakedLevel::of_slice(&[])
    } else {
        // SAFETY: the caller promises that nobody changes the file until this function returns, and the map
        // does not outlive it. By `--bench baked` a level of 6.3 MB opens in 2.9 ms instead
        // of 3.3 by reading, one of 34 MB in 63 instead of 94; one of 1.2 MB gains 5% only.
        let map = unsafe { memmap2::MmapOptions::new().populate().map_copy_read_only(&file) };
        BakedLevel::of_slice(&map.map_err(|cause| error(LoadErrorKind::Io(cause)))?)
    };
    decoded.map(|baked| baked.level).map_err(|error| unbaked(path, &error))
}
