//! Tiled maps.
//!
//! `reader` goes through the files and makes a canonical copy. This file has crate `tiled` parse that copy
//! (but for `facts` and `drawing` nobody else says `tiled`), asks the [`SolidRules`] about every layer, tile
//! and object, and hands the cells to `solids`, which makes bits of them. It opens no pictures.

mod attributes;
mod cells;
mod compose;
mod decimal;
mod document;
mod drawing;
mod facts;
mod json;
#[cfg(feature = "cli")]
mod pictures;
mod property;
mod reader;
mod roles;
mod schema;
mod solids;
mod tiles;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use self::document::{RawContent, RawLayer, RawObject};
use self::facts::{inventory, kind, properties};
#[cfg(feature = "cli")]
pub(crate) use self::pictures::pictures_named;
use self::reader::Read;
use self::roles::unsupported;
use self::schema::Shape;
use self::solids::Solids;
use self::tiles::TileTable;
use super::error::{LoadError, LoadErrorKind, Place};
use super::options::LoadOptions;
use super::rules::{self, LayerSays, SolidRules};
use super::source::{LayerKind, LayerSource, Marker, Solid, Source, TileMap};
use crate::Level;
use crate::geometry::Aabb;

/// Loads the map `bytes`, in XML or JSON, which lies at `path`; `read` reads its tilesets.
pub(super) fn load(
    path: &Path,
    bytes: &[u8],
    read: &mut Read<'_>,
    options: &LoadOptions,
) -> Result<Level, LoadError> {
    json::as_xml(path, bytes, read, &options.limits, |bytes, read| {
        load_xml(path, bytes, read, options)
    })
}

fn load_xml(
    path: &Path,
    bytes: &[u8],
    read: &mut Read<'_>,
    options: &LoadOptions,
) -> Result<Level, LoadError> {
    let (document, images) = reader::read(path, bytes, read, &options.limits)?;
    let error = |place, kind| LoadError::new(path, place, kind);
    let map = parse(&document.canonical)
        .map_err(|reason| error(Place::default(), LoadErrorKind::Xml { reason }))?;
    let tiles = TileTable::new(
        &document.tilesets,
        options.limits.tileset_tiles,
        |set, id| kind(&map, set, id, &options.solid_rules),
    )
    .map_err(|kind| error(Place::default(), kind))?;

    let mut loader = Loader {
        path,
        rules: &options.solid_rules,
        tiles: &tiles,
        solids: Solids::new(&document, &tiles),
        markers: Vec::new(),
        layers: Vec::new(),
        map: options
            .keep_map
            .then(|| drawing::tile_map(&map, &document, &images, &options.solid_rules)),
        images: &images,
    };
    let mut raw = document.layers.iter();
    loader.layers(map.layers(), &mut raw, &Inherited::NOTHING)?;
    if raw.next().is_some() || map.tilesets().len() != document.tilesets.len() {
        return Err(disagrees(path));
    }

    let Loader {
        solids,
        markers,
        layers,
        map: mut kept,
        ..
    } = loader;
    let built = solids.build(&options.limits);
    let (grid, cell_size, counts) = built.map_err(|kind| error(Place::default(), kind))?;
    if grid.solid_count() == 0 && !options.allow_nothing_solid {
        let found = inventory(&map, &layers);
        return Err(error(
            Place::default(),
            LoadErrorKind::NothingSolid { found },
        ));
    }
    if let Some(kept) = &mut kept {
        kept.solids = solids_in_rule_order(std::mem::take(&mut kept.solids));
    }
    let source = Source::Map(super::source::MapSource {
        size: (document.width, document.height).into(),
        tile_size: (document.tile_width, document.tile_height).into(),
        layers,
        solids: counts,
    });
    Level::assemble(grid, cell_size, options, source, markers, kept)
        .map_err(|kind| error(Place::default(), kind))
}

/// Layers and objects that say so come before tiles that say so themselves.
fn solids_in_rule_order(mut solids: Vec<Solid>) -> Vec<Solid> {
    solids.sort_by_key(|solid| matches!(solid, Solid::Tiles { because: None, .. }));
    solids
}

/// Has crate `tiled` parse the canonical copy, which refers to no other file.
fn parse(canonical: &str) -> Result<tiled::Map, String> {
    let only = |_: &Path| Ok::<_, std::io::Error>(Cursor::new(canonical.as_bytes()));
    tiled::Loader::with_reader(only)
        .load_tmx_map("map.tmx")
        .map_err(|error| error.to_string())
}

/// The two parsers have found different things, so that nothing can be relied on. No file is known that does
/// this; if there is one, it must not lose its walls.
fn disagrees(path: &Path) -> LoadError {
    let reason = "its layers and objects cannot be told apart".to_owned();
    LoadError::new(path, Place::default(), LoadErrorKind::Xml { reason })
}

/// What a layer takes over from the groups around it, and hands on if it is a group.
#[derive(Clone)]
struct Inherited {
    /// Why everything in it is solid.
    solid: Option<String>,
    hidden: bool,
    opacity: f32,
    tint: Option<[u8; 4]>,
}

impl Inherited {
    const NOTHING: Self = Self {
        solid: None,
        hidden: false,
        opacity: 1.0,
        tint: None,
    };

    /// What is in `layer` takes over; `says` is what the layer says of itself.
    fn by(&self, layer: &tiled::LayerData, says: LayerSays) -> Self {
        Self {
            solid: match says {
                LayerSays::Solid(because) => Some(because),
                LayerSays::Passable => None,
                LayerSays::Nothing => self.solid.clone(),
            },
            hidden: self.hidden || !layer.visible,
            opacity: self.opacity * layer.opacity,
            tint: match (self.tint, layer.tint_color.map(rgba)) {
                (Some(outer), Some(own)) => Some(std::array::from_fn(|channel| {
                    (u16::from(outer[channel]) * u16::from(own[channel]) / 255) as u8
                })),
                (outer, own) => outer.or(own),
            },
        }
    }
}

/// Red, green, blue, alpha.
fn rgba(color: tiled::Color) -> [u8; 4] {
    [color.red, color.green, color.blue, color.alpha]
}

struct Loader<'m> {
    path: &'m Path,
    rules: &'m SolidRules,
    tiles: &'m TileTable,
    solids: Solids<'m>,
    markers: Vec<Marker>,
    layers: Vec<LayerSource>,
    map: Option<TileMap>,
    images: &'m [PathBuf],
}

impl<'m> Loader<'m> {
    /// Takes in layers, beside what the reader found in them: the same ones in the same order.
    fn layers<'t>(
        &mut self,
        layers: impl Iterator<Item = tiled::Layer<'t>>,
        raw: &mut std::slice::Iter<'m, RawLayer<'m>>,
        inherited: &Inherited,
    ) -> Result<(), LoadError> {
        for layer in layers {
            let raw_layer = raw.next().ok_or_else(|| disagrees(self.path))?;
            let properties = properties(&layer.properties);
            let place = Place {
                layer: Some(raw_layer.path.clone()),
                ..Place::default()
            };
            let says = self.rules.layer(&layer.name, &layer.user_type, &properties);
            let within = inherited.by(&layer, says);
            if rules::one_way(&properties).is_some() {
                return Err(self.error(place, unsupported("a one-way layer")));
            }
            self.layers.push(LayerSource {
                name: raw_layer.path.clone(),
                kind: match layer.layer_type() {
                    tiled::LayerType::Tiles(_) => LayerKind::Tiles,
                    tiled::LayerType::Objects(_) => LayerKind::Objects,
                    tiled::LayerType::Image(_) => LayerKind::Image,
                    tiled::LayerType::Group(_) => LayerKind::Group,
                },
                visible: !within.hidden,
                items: 0,
            });
            self.layer(layer, raw_layer, raw, &within, place)?;
        }
        Ok(())
    }

    fn layer<'t>(
        &mut self,
        layer: tiled::Layer<'t>,
        raw_layer: &'m RawLayer<'m>,
        raw: &mut std::slice::Iter<'m, RawLayer<'m>>,
        within: &Inherited,
        place: Place,
    ) -> Result<(), LoadError> {
        let index = self.layers.len() - 1;
        match (layer.layer_type(), &raw_layer.content) {
            (tiled::LayerType::Tiles(_), RawContent::Tiles(data)) => {
                let mut kept = self
                    .cells_to_keep()
                    .map_err(|kind| self.error(place.clone(), kind))?;
                let items = self
                    .solids
                    .tiles(data, raw_layer, within.solid.clone(), kept.as_mut())
                    .map_err(|(cell, kind)| self.error(Place { cell, ..place }, kind))?;
                self.layers[index].items = items;
                if let (Some(map), Some(cells)) = (&mut self.map, kept) {
                    drawing::add_tiles(map, raw_layer, within, cells);
                }
            }
            (tiled::LayerType::Objects(objects), RawContent::Objects(geometry)) => {
                self.layers[index].items = geometry.len() as u64;
                if objects.object_data().len() != geometry.len() {
                    return Err(disagrees(self.path));
                }
                for (object, geometry) in objects.object_data().iter().zip(geometry) {
                    let place = Place {
                        object: Some(geometry.id),
                        ..place.clone()
                    };
                    self.object(object, geometry, raw_layer, within)
                        .map_err(|kind| self.error(place, kind))?;
                }
                if let Some(map) = &mut self.map {
                    drawing::add_objects(map, raw_layer, within, &objects, geometry);
                }
            }
            (tiled::LayerType::Image(image), _) => {
                if within.solid.is_some() {
                    return Err(self.error(place, unsupported("a solid image layer")));
                }
                if let Some(map) = &mut self.map {
                    let picture = image.image.as_ref();
                    drawing::add_image(map, raw_layer, within, picture, self.images);
                }
            }
            (tiled::LayerType::Group(group), _) => self.layers(group.layers(), raw, within)?,
            _ => {}
        }
        Ok(())
    }

    /// Takes in an object: as a solid, as a marker, or as neither.
    fn object(
        &mut self,
        object: &tiled::ObjectData,
        geometry: &RawObject,
        layer: &RawLayer<'_>,
        within: &Inherited,
    ) -> Result<(), LoadErrorKind> {
        let properties = properties(&object.properties);
        let tile = geometry.gid.map(|gid| self.tiles.code(gid)).transpose()?;
        let own = self.rules.tile(&object.user_type, &properties);
        let because = within.solid.clone().or(own);
        let is_one_way = rules::one_way(&properties).is_some();
        if is_one_way || tile == Some(tiles::code::ONE_WAY) {
            return Err(unsupported("a one-way object"));
        }
        if tile.is_some() {
            return match (because, tile) {
                (None, Some(tiles::code::PASSABLE)) => Ok(()),
                (None, Some(tiles::code::SHAPES)) => Err(unsupported(
                    "a tile with collision shapes placed as an object",
                )),
                _ => Err(unsupported("a solid tile placed as an object")),
            };
        }
        let area = area(geometry, layer);
        match (geometry.shape, because) {
            (Shape::Rectangle, Some(because)) if !area.is_empty() => {
                if geometry.rotation != decimal::Micro::ZERO {
                    return Err(unsupported("a rotated solid object"));
                }
                self.solids.rectangle(area, &layer.path, &because);
                if let Some(map) = &mut self.map {
                    map.solids.push(Solid::Rectangle {
                        layer: layer.path.clone(),
                        object: geometry.id,
                        area,
                        because,
                    });
                }
            }
            (Shape::Rectangle | Shape::Point, _) => self.markers.push(Marker {
                name: object.name.clone(),
                class: object.user_type.clone(),
                layer: layer.path.clone(),
                object: geometry.id,
                area,
                is_point: geometry.shape == Shape::Point,
                properties,
            }),
            (Shape::Text, _) | (_, None) => {}
            (shape, Some(_)) => {
                return Err(unsupported(&format!("{} that is solid", shape.name())));
            }
        }
        Ok(())
    }

    /// Room for the cells of a layer, if they are kept.
    fn cells_to_keep(&self) -> Result<Option<Vec<u32>>, LoadErrorKind> {
        let Some(map) = &self.map else {
            return Ok(None);
        };
        let cells = map.size.x as usize * map.size.y as usize;
        let mut kept = Vec::new();
        kept.try_reserve_exact(cells)
            .map_err(|_| LoadErrorKind::NoMemory {
                cells: cells as u64,
            })?;
        Ok(Some(kept))
    }

    fn error(&self, place: Place, kind: LoadErrorKind) -> LoadError {
        LoadError::new(self.path, place, kind)
    }
}

/// The pixels that a rectangle covers. For a point, an empty box at its pixel.
fn area(object: &RawObject, layer: &RawLayer<'_>) -> Aabb {
    let (x, y) = (object.x + layer.offset.0, object.y + layer.offset.1);
    // Coordinates are within the limits, so that sums of a few of them fit.
    let corner = |x: i64, y: i64| glam::IVec2::new(clamp(x), clamp(y));
    if object.shape == Shape::Point {
        let at = corner(x.floor(), y.floor());
        return Aabb { min: at, max: at };
    }
    let (left, right) = covered(x, object.width);
    let (top, bottom) = covered(y, object.height);
    Aabb {
        min: corner(left, top),
        max: corner(right, bottom),
    }
}

/// The pixels from `start` on whose centres are within `size`; at least the one that holds `start`, so that
/// no wall is too thin to be there, unless the size is 0.
fn covered(start: decimal::Micro, size: decimal::Micro) -> (i64, i64) {
    let (first, end) = (start.pixel(), (start + size).pixel());
    if first == end && size != decimal::Micro::ZERO {
        return (start.floor(), start.floor() + 1);
    }
    (first, end)
}

fn clamp(pixel: i64) -> i32 {
    pixel.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}
