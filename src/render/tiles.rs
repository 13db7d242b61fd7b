//! The pictures of tiles, by their numbers.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use glam::{DVec2, UVec2};
use image::RgbaImage;

use super::RenderError;
use super::sheet::Sheet;
use super::sprite::Sprite;
use crate::error::LoadError;
use crate::geometry::Aabb;
use crate::load::{Files, PictureBudget};
use crate::tmx::{Image, LayerContent, Map, PlacedMap, Tileset, flip};

/// The decoded pictures of a map, by path; `None` for one that could not be loaded.
pub type Pictures = BTreeMap<PathBuf, Option<RgbaImage>>;

/// The paths of the pictures that [`super::art()`] needs to draw a map: those of visible tiles and image
/// layers. They are as the map names them, joined to its folder.
pub fn picture_paths(map: &PlacedMap) -> BTreeSet<PathBuf> {
    let (gids, of_layers) = used(&map.map);
    images_of(&map.map, &gids).chain(of_layers).map(|image| image.path.clone()).collect()
}

/// The pictures that the maps of a level need, for [`super::draw()`]. `load` gets the path of each, once, and
/// returns `None` for one that cannot be loaded. A picture that is embedded in a map is decoded here, within
/// one [`PictureBudget`] for all; [`load_pictures`] has one for those of `load` too.
pub fn pictures(maps: &[PlacedMap], mut load: impl FnMut(&Path) -> Option<RgbaImage>) -> Pictures {
    let mut budget = PictureBudget::default();
    let mut picture = |path: &Path| match maps.iter().find_map(|map| map.map.embedded_picture(path))
    {
        Some(bytes) => budget.decode(path, bytes, 1).ok(),
        None => load(path),
    };
    needed(maps).into_keys().map(|path| (path.to_owned(), picture(path))).collect()
}

/// The pictures that the maps of a level need, for [`super::draw()`], from `files` or from the maps
/// themselves, within one [`PictureBudget`]: whatever the maps name, that bounds the memory and the time. An
/// error for each picture that is left out; its path is that of the picture, which is empty for one without.
///
/// ```
/// use bitwall::render::{self, DrawOptions};
/// use bitwall::{LoadOptions, LoadedLevel, load::Disk};
///
/// let path = "assets/cave.tmx";
/// let loaded = LoadedLevel::load(path, &LoadOptions::default())?;
/// let mut files = Disk::new(path, loaded.options());
/// let (pictures, errors) = render::load_pictures(&loaded.maps, &mut files);
/// assert!(errors.is_empty());
/// let options = DrawOptions { pictures: Some(&pictures), ..DrawOptions::default() };
/// let picture = render::draw(&loaded, &options)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load_pictures(maps: &[PlacedMap], files: &mut dyn Files) -> (Pictures, Vec<LoadError>) {
    let mut budget = PictureBudget::default();
    let mut errors = Vec::new();
    let mut load = |path: &Path, copies: usize| {
        let copies = copies.max(1) as u64;
        let picture = match maps.iter().find_map(|map| map.map.embedded_picture(path)) {
            Some(bytes) => budget.decode(path, bytes, copies),
            None => budget.load(path, files, copies),
        };
        picture.map_err(|error| errors.push(error)).ok()
    };
    let needed = needed(maps).into_iter();
    let pictures = needed.map(|(path, colors)| (path.to_owned(), load(path, colors.len())));
    (pictures.collect(), errors)
}

/// The pictures that maps show, by path, each with the transparent colours that it needs a copy for.
fn needed(maps: &[PlacedMap]) -> BTreeMap<&Path, BTreeSet<[u8; 3]>> {
    let mut needed: BTreeMap<&Path, BTreeSet<[u8; 3]>> = BTreeMap::new();
    for map in maps {
        let (gids, of_layers) = used(&map.map);
        for image in images_of(&map.map, &gids).chain(of_layers) {
            needed.entry(&image.path).or_default().extend(image.transparent);
        }
    }
    needed
}

/// The tiles that a map shows, without flags, and the pictures of its image layers.
fn used(map: &Map) -> (HashSet<u32>, Vec<&Image>) {
    let mut gids = HashSet::new();
    let mut of_layers = Vec::new();
    for context in map.walk().filter(|context| context.visible) {
        match &context.layer.content {
            LayerContent::Tiles(tiles) => {
                let mut last = 0;
                for gid in tiles.blocks.iter().flat_map(|block| &block.cells) {
                    // Most cells have the tile of the cell before.
                    if *gid != last {
                        last = *gid;
                        gids.insert(gid & !flip::ALL);
                    }
                }
            }
            LayerContent::Objects(layer) => {
                let visible = layer.objects.iter().filter(|object| object.visible);
                gids.extend(visible.filter_map(|object| Some(object.gid? & !flip::ALL)));
            }
            LayerContent::Image(layer) => of_layers.extend(&layer.image),
            LayerContent::Group(_) => {}
        }
    }
    (gids, of_layers)
}

/// The pictures that show these tiles.
fn images_of<'m>(map: &'m Map, gids: &HashSet<u32>) -> impl Iterator<Item = &'m Image> {
    let tiles = gids.iter().filter_map(|gid| tile(map, *gid));
    tiles.filter_map(|(tileset, id)| image_of(tileset, shown(tileset, id)))
}

/// The tileset of a tile, and its id there.
fn tile(map: &Map, gid: u32) -> Option<(&Tileset, u32)> {
    let (index, id) = map.tile(gid)?;
    Some((map.tilesets.get(index)?, id))
}

/// The tile that is drawn: the first frame of the animation of `id`, or `id` itself.
fn shown(tileset: &Tileset, id: u32) -> u32 {
    let frames = tileset.tiles.get(&id).map(|tile| tile.animation.as_slice());
    frames.and_then(<[_]>::first).map_or(id, |frame| frame.tile)
}

/// A tile's picture of its own.
fn own_image(tileset: &Tileset, id: u32) -> Option<&Image> {
    tileset.tiles.get(&id)?.image.as_ref()
}

/// The picture that shows a tile.
fn image_of(tileset: &Tileset, id: u32) -> Option<&Image> {
    own_image(tileset, id).or(tileset.image.as_ref())
}

/// The picture of a tile.
#[derive(Clone, Copy)]
pub(super) struct TilePicture<'a> {
    /// Its pixels; `None` if its picture is missing, or has no such tile.
    pub(super) sprite: Option<Sprite<'a>>,
    /// Its own size; `None` if the tileset has no such tile. A tile with a missing picture has the size 0.
    pub(super) size: Option<UVec2>,
}

/// The largest size of all prepared copies of pictures together, in bytes. Each transparent colour that a
/// tileset names for a picture takes a copy of its own.
const MAX_COPIES: u64 = 1 << 30;

/// The pictures that maps show, prepared for drawing, by path and transparent colour.
pub(super) struct Sheets<'a> {
    by_image: HashMap<(&'a Path, Option<[u8; 3]>), Sheet<'a>>,
    /// One white pixel.
    blank: Sheet<'a>,
}

impl<'a> Sheets<'a> {
    /// # Errors
    /// [`RenderError::NoMemory`] for copies of more than 1 GiB.
    pub(super) fn new(
        maps: impl IntoIterator<Item = &'a Map>,
        pictures: &'a Pictures,
    ) -> Result<Self, RenderError> {
        let mut by_image = HashMap::new();
        let mut copied = 0;
        for map in maps {
            let (gids, of_layers) = used(map);
            for image in images_of(map, &gids).chain(of_layers) {
                let key = (image.path.as_path(), image.transparent);
                if let Some(Some(picture)) = pictures.get(&image.path)
                    && let Entry::Vacant(place) = by_image.entry(key)
                {
                    let sheet = place.insert(Sheet::new(picture, image.transparent)?);
                    copied += sheet.copied_bytes();
                    if copied > MAX_COPIES {
                        return Err(RenderError::NoMemory { bytes: copied });
                    }
                }
            }
        }
        Ok(Self { by_image, blank: Sheet::blank() })
    }

    /// How far from the corner on which it stands a tile of a layer of the map reaches, at most, in pixels.
    pub(super) fn reach(&self, map: &Map) -> f64 {
        used(map).0.into_iter().map(|gid| reach(map, self, gid)).fold(0.0, f64::max)
    }

    fn of(&'a self, image: &'a Image) -> Option<&'a Sheet<'a>> {
        self.by_image.get(&(image.path.as_path(), image.transparent))
    }
}

/// The tilesets of a map with their pictures.
pub(super) struct Tiles<'a> {
    map: &'a Map,
    sheets: &'a Sheets<'a>,
    /// True if a tileset in JSON counts as one that was not found.
    as_tiled: bool,
    /// The tiles that were looked up: a map has far more cells than tiles.
    known: HashMap<u32, Option<(&'a Tileset, TilePicture<'a>)>>,
    last: (u32, Option<(&'a Tileset, TilePicture<'a>)>),
}

impl<'a> Tiles<'a> {
    pub(super) fn new(map: &'a Map, sheets: &'a Sheets<'a>, as_tiled: bool) -> Self {
        Self { map, sheets, as_tiled, known: HashMap::new(), last: (0, None) }
    }

    /// The tile of this number (without flags), and its tileset; `None` for no tile.
    pub(super) fn get(&mut self, gid: u32) -> Option<(&'a Tileset, TilePicture<'a>)> {
        if self.last.0 != gid {
            let (map, sheets, as_tiled) = (self.map, self.sheets, self.as_tiled);
            let found = self.known.entry(gid).or_insert_with(|| {
                let (tileset, picture) = look_up(map, sheets, gid)?;
                let is_absent = as_tiled && is_in_json(tileset);
                let absent = TilePicture { sprite: None, size: None };
                Some((tileset, if is_absent { absent } else { picture }))
            });
            self.last = (gid, *found);
        }
        self.last.1
    }

    /// The sprite of an image layer.
    pub(super) fn image(&self, image: &'a Image) -> Option<Sprite<'a>> {
        Sprite::new(self.sheets.of(image)?, image.part)
    }
}

fn look_up<'a>(
    map: &'a Map,
    sheets: &'a Sheets<'a>,
    gid: u32,
) -> Option<(&'a Tileset, TilePicture<'a>)> {
    let (tileset, id) = tile(map, gid)?;
    let id = shown(tileset, id);
    let picture = match own_image(tileset, id) {
        Some(image) => {
            let sheet = sheets.of(image);
            of_sprite(sheet.and_then(|sheet| Sprite::new(sheet, image.part)))
        }
        None => on_sheet(tileset, sheets, id),
    };
    Some((tileset, picture))
}

/// True for a tileset in a file in JSON, which Tiled's rasterizer does not read, unlike its editor.
fn is_in_json(tileset: &Tileset) -> bool {
    let ending = tileset.file.as_deref().and_then(Path::extension).unwrap_or_default();
    ending.eq_ignore_ascii_case("tsj") || ending.eq_ignore_ascii_case("json")
}

/// How far a tile reaches from its corner, whatever its flags are.
fn reach(map: &Map, sheets: &Sheets<'_>, gid: u32) -> f64 {
    let Some((tileset, picture)) = look_up(map, sheets, gid) else {
        return 0.0;
    };
    let cell = map.tile_size.as_dvec2();
    let size = picture.size.map_or(cell, |own| own.as_dvec2()).max(cell);
    let scale = picture.sprite.map_or(DVec2::ONE, |sprite| size / sprite.size.as_dvec2());
    // Its middle is up to a width and a height away, and so is its edge from there.
    2.0 * size.element_sum() + (tileset.offset.as_dvec2() * scale).abs().max_element() + 2.0
}

/// The picture of a tile with this sprite, or without one if it is missing.
fn of_sprite(sprite: Option<Sprite<'_>>) -> TilePicture<'_> {
    let size = sprite.map_or(UVec2::ZERO, |sprite| sprite.size);
    TilePicture { sprite, size: Some(size) }
}

fn on_sheet<'a>(tileset: &'a Tileset, sheets: &'a Sheets<'a>, id: u32) -> TilePicture<'a> {
    let sheet = tileset.image.as_ref().and_then(|image| sheets.of(image));
    let part = sheet.and_then(|sheet| part(tileset, id, sheet.size()));
    let sprite = sheet.zip(part).and_then(|(sheet, part)| Sprite::new(sheet, Some(part)));
    match (sprite, tileset.tiles.contains_key(&id)) {
        // Tiled adds a tile that the file only names: white, if there is a picture.
        (None, true) if sheet.is_some() => {
            TilePicture { sprite: Sprite::new(&sheets.blank, None), size: Some(tileset.tile_size) }
        }
        (None, false) => TilePicture { sprite: None, size: None },
        _ => of_sprite(sprite),
    }
}

/// The part of a picture of `size` that a tile covers; `None` if the picture does not hold all of it. The
/// columns that the file states do not count, because the picture may have changed.
fn part(tileset: &Tileset, id: u32, size: UVec2) -> Option<Aabb> {
    let (tile, spacing) = (tileset.tile_size.as_u64vec2(), u64::from(tileset.spacing));
    let margin = u64::from(tileset.margin);
    let (size, stride) = (size.as_u64vec2(), tile + spacing);
    let room = size.x.checked_sub(tile.x)?.checked_sub(margin)?;
    let columns = room.checked_div(stride.x)? + 1;
    let place = glam::U64Vec2::new(u64::from(id) % columns, u64::from(id) / columns);
    let min = place * stride + margin;
    let max = min + tile;
    // A side of a picture fits an `i32`: a row of 2^31 pixels would have 8 GiB.
    (max.cmple(size).all() && tile.min_element() > 0)
        .then(|| Aabb { min: min.as_ivec2(), max: max.as_ivec2() })
}
