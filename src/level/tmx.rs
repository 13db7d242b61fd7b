//! Tiled maps.
//!
//! `reader` goes through the files and makes a canonical copy. This file has crate `tiled` parse that copy
//! (but for `facts` and `drawing` nobody else says `tiled`), asks the rules about every layer, tile
//! and object, and hands the cells to `solids`, which makes bits of them. It opens no pictures.

mod attributes;
mod base64_text;
mod built;
mod cells;
mod chunks;
mod compose;
mod document;
mod drawing;
mod facts;
mod file_text;
mod finish;
mod json;
mod kinds;
mod objects;
mod open;
mod outlines;
#[cfg(feature = "cli")]
mod pictures;
mod placing;
mod property;
mod reader;
mod references;
mod roles;
mod schema;
mod solids;
mod sorter;
mod stamps;
mod template;
mod tiles;
mod writer;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use glam::UVec2;

use self::document::{RawContent, RawLayer};
use self::facts::properties;
use self::file_text::FileText;
use self::kinds::Judge;
#[cfg(feature = "cli")]
pub(crate) use self::pictures::pictures_named;
use self::reader::Read;
use self::solids::{LayerRole, Solids};
use self::tiles::TileTable;
use super::source::{LayerKind, LayerSource, Marker, TileMap};
use crate::Level;
use crate::error::warning::LoadWarning;
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::limits::Spent;
use crate::options::LoadOptions;
use crate::rules::LayerSays;
use crate::tmx::Lattice;

/// Loads the map `bytes`, in XML or JSON, which lies at `path`; `read` reads its tilesets and templates, and
/// `spent` is what other maps of the same world have used.
pub(crate) fn load(
    path: &Path,
    bytes: &[u8],
    read: &mut Read<'_>,
    options: &LoadOptions,
    spent: &mut Spent,
) -> Result<Level, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let file = FileText::new(bytes, &options.limits).map_err(error)?;
    let (mut document, images) = reader::read(path, &file, read, &options.limits, spent)?;
    let map = parse(&document.canonical).map_err(|reason| error(LoadErrorKind::Xml { reason }))?;
    if map.tilesets().len() != document.tilesets.len() {
        return Err(disagrees(path));
    }
    facts::complete(&mut document.tilesets, &map);
    let judge = Judge {
        map: &map,
        tilesets: &document.tilesets,
        options,
    };
    let orientation = drawing::orientation(&map);
    let tile_size = UVec2::new(document.tile_width, document.tile_height);
    let lattice = Lattice::new(orientation, document.height, tile_size, options.space);
    let tiles = TileTable::new(
        &document.tilesets,
        options.limits.tileset_tiles,
        lattice.is_hexagonal(),
        |set| judge.asks_all(set),
        |set, id| judge.kind(set, id),
    )
    .map_err(error)?;
    let switches = (options.keep_map, options.lenient, document.is_infinite);
    let mut loader = Loader {
        path,
        options,
        judge: &judge,
        tiles: &tiles,
        solids: Solids::new(
            lattice,
            &tiles,
            &options.limits,
            switches,
            options.areas.len(),
        ),
        markers: Vec::new(),
        layers: Vec::new(),
        warnings: Vec::new(),
        map: options
            .keep_map
            .then(|| drawing::tile_map(&map, &document, &images, &tiles)),
        images: &images,
    };
    for set in map.tilesets() {
        let mut tiles: Vec<_> = set.tiles().collect();
        tiles.sort_by_key(|(id, _)| *id);
        let place = Place {
            tileset: Some(set.name.clone()),
            ..Place::default()
        };
        for (_, tile) in tiles {
            loader.warn_of_text(&tile.properties, &place);
        }
    }
    let mut raw = document.layers.iter();
    loader.layers(map.layers(), &mut raw, &Inherited::default())?;
    if raw.next().is_some() {
        return Err(disagrees(path));
    }
    loader.finish(&map, &document, spent)
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

/// True for a text that says `true` or `false`.
fn says_flag(text: &str) -> bool {
    text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
}

/// What a layer takes over from the groups around it, and hands on if it is a group.
#[derive(Clone)]
struct Inherited {
    /// What everything in it is.
    role: LayerRole,
    hidden: bool,
    opacity: f32,
    tint: Option<[u8; 4]>,
    /// The layer's own blend mode: groups hand none on.
    mode: String,
}

impl Default for Inherited {
    fn default() -> Self {
        Self {
            role: LayerRole::default(),
            hidden: false,
            opacity: 1.0,
            tint: None,
            mode: String::new(),
        }
    }
}

impl Inherited {
    /// What is in `layer` takes over; `role` is what the layer is, with what it takes over itself.
    fn by(&self, layer: &tiled::LayerData, role: LayerRole) -> Self {
        Self {
            role,
            hidden: self.hidden || !layer.visible,
            opacity: self.opacity * layer.opacity,
            tint: match (self.tint, layer.tint_color.map(rgba)) {
                (Some(outer), Some(own)) => Some(std::array::from_fn(|channel| {
                    (u16::from(outer[channel]) * u16::from(own[channel]) / 255) as u8
                })),
                (outer, own) => outer.or(own),
            },
            mode: layer.blend_mode.clone(),
        }
    }
}

/// Red, green, blue, alpha.
fn rgba(color: tiled::Color) -> [u8; 4] {
    [color.red, color.green, color.blue, color.alpha]
}

/// A map on its way to a level.
struct Loader<'m> {
    path: &'m Path,
    options: &'m LoadOptions,
    judge: &'m Judge<'m>,
    tiles: &'m TileTable,
    solids: Solids<'m>,
    markers: Vec<Marker>,
    layers: Vec<LayerSource>,
    warnings: Vec<LoadWarning>,
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
            let place = Place {
                layer: Some(raw_layer.path.clone()),
                ..Place::default()
            };
            self.warn_of_text(&layer.properties, &place);
            let role = self
                .role(&layer, &inherited.role)
                .map_err(|kind| self.error(place.clone(), kind))?;
            let within = inherited.by(&layer, role);
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

    /// Warns of a property that counts as a flag but is a text.
    fn warn_of_text(&mut self, properties: &tiled::Properties, place: &Place) {
        let mut texts = properties.iter().filter_map(|(name, value)| match value {
            tiled::PropertyValue::StringValue(text) => Some((name, text)),
            _ => None,
        });
        let rules = &self.options.solid_rules;
        if let Some((name, _)) = texts.find(|(name, text)| rules.is_flag(name) && says_flag(text)) {
            let warning = LoadWarning::text_flag(place.clone(), name);
            match self
                .warnings
                .iter_mut()
                .find(|known| known.cause == warning.cause && known.headline == warning.headline)
            {
                Some(known) => known.count += 1,
                None => self.warnings.push(warning),
            }
        }
    }

    /// What a layer says of everything in it, by itself and by the groups around it.
    fn role(
        &self,
        layer: &tiled::LayerData,
        outer: &LayerRole,
    ) -> Result<LayerRole, LoadErrorKind> {
        let rules = &self.options.solid_rules;
        let (name, class) = (&layer.name, &layer.user_type);
        let properties = properties(&layer.properties);
        let says = rules.layer(name, class, &properties);
        let one_way = rules.one_way(class, &properties);
        let one_way = one_way.map_err(|reason| LoadErrorKind::OneWay {
            reason: reason.to_string(),
        })?;
        let mut areas = self
            .judge
            .areas(|area| area.layer(name, class, &properties).is_some());
        areas.extend(&outer.areas);
        areas.sort_unstable();
        areas.dedup();
        Ok(LayerRole {
            is_passable: outer.is_passable || rules.is_passable_layer(name),
            is_floor: rules.is_walkable_layer(name),
            // A layer that is one-way, or is water, is not solid for being within a solid group.
            solid: match says {
                LayerSays::Solid(because) => Some(because),
                LayerSays::Passable => None,
                LayerSays::Nothing => outer.solid.clone(),
            },
            one_way: one_way.or(outer.one_way),
            areas,
        })
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
            (tiled::LayerType::Tiles(_), RawContent::Tiles(blocks)) => {
                let found = self.solids.tiles(blocks, raw_layer, &within.role);
                let mut found = found.map_err(|(cell, kind)| {
                    self.error(
                        Place {
                            cell,
                            ..place.clone()
                        },
                        kind,
                    )
                })?;
                self.layers[index].items = found.items;
                for fault in found.faults.drain(..) {
                    let cell = fault.cell;
                    let place = Place {
                        cell,
                        ..place.clone()
                    };
                    self.warnings
                        .push(LoadWarning::fault(place, &fault.kind, fault.count));
                }
                if let Some(map) = &mut self.map {
                    drawing::add_tiles(map, raw_layer, within, found);
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
                    self.object(object, geometry, raw_layer, &within.role, &place)
                        .map_err(|kind| self.error(place, kind))?;
                }
                if let Some(map) = &mut self.map {
                    drawing::add_objects(map, raw_layer, within, &objects, geometry);
                }
            }
            (tiled::LayerType::Image(image), _) => {
                if within.role.solid.is_some() {
                    self.warnings.push(LoadWarning::solid_picture(place));
                }
                if let Some(map) = &mut self.map {
                    drawing::add_image(map, raw_layer, within, &image, self.images);
                }
            }
            (tiled::LayerType::Group(group), _) => self.layers(group.layers(), raw, within)?,
            _ => {}
        }
        Ok(())
    }

    fn error(&self, place: Place, kind: LoadErrorKind) -> LoadError {
        LoadError::new(self.path, place, kind)
    }
}
