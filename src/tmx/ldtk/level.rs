//! Makes the document of one level from its JSON object.

use std::collections::btree_map::{BTreeMap, Entry};
use std::path::Path;
use std::sync::Arc;

use glam::{IVec2, UVec2};

use super::super::json::tree::{JsonObject, Node};
use super::super::read::cells::{CellData, Encoding, decode};
use super::super::read::{ReadOptions, spend};
use super::super::{
    AUTO_TILES, About, Alignment, CellBlock, Decimal, INT_GRID, Image, Layer, LayerContent,
    MAX_SIDE, MAX_TILE_SIDE, MAX_TILES, Map, Object, ObjectLayer, Point, Property, Tile, TileLayer,
    Tileset, common_divisor, flip,
    kept::{self, keep},
};
use super::art::Stack;
use super::values::{
    MAX_PIXELS, color, decimals, fields, flag, ldtk, number, opacity, point, product, required,
    tag, text, within,
};
use super::{Definitions, LdtkFile};
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::geometry::Aabb;
use crate::limits::{Spent, check};
use crate::paths::{is_absolute, joined};
use crate::property::PropertyValue;

/// The largest number of layers in the document of a level.
const MAX_LAYERS: u64 = 1_024;

pub(super) struct LevelReader<'r, 's> {
    file: &'r LdtkFile<'r>,
    definitions: &'r Definitions,
    /// The path of the project's file. Paths of pictures are relative to its folder, even in a level's own
    /// file.
    project: &'r Path,
    options: ReadOptions<'r>,
    spent: &'s mut Spent,
    map: Map,
    /// The index in the document of each tileset that the level uses, by the tileset's `uid`.
    tilesets: BTreeMap<i64, usize>,
    next_gid: u32,
    objects: u64,
    layers: u64,
    /// The index in the file of the first byte of the JSON object being read, for error messages. `place` has
    /// the layer of this object.
    at: u32,
    place: Place,
}

/// A layer of the level: its JSON object, its number of columns and rows, and the side of its cells in
/// pixels.
struct Grid<'n, 't> {
    from: JsonObject<'n, 't>,
    size: UVec2,
    side: u32,
}

impl<'r, 's> LevelReader<'r, 's> {
    /// Returns a reader of a level in `file`: the project's file at the path `project`, or a file of its own.
    pub(super) fn new(
        file: &'r LdtkFile<'r>,
        definitions: &'r Definitions,
        project: &'r Path,
        options: ReadOptions<'r>,
        spent: &'s mut Spent,
    ) -> Self {
        Self {
            file,
            definitions,
            project,
            options,
            spent,
            map: Map::default(),
            tilesets: BTreeMap::new(),
            next_gid: 1,
            objects: 0,
            layers: 0,
            at: 0,
            place: Place::default(),
        }
    }

    pub(super) fn read(mut self, level: JsonObject<'_, '_>) -> Result<Map, LoadError> {
        match self.level(level) {
            Ok(()) => Ok(self.map),
            Err(kind) => Err(self.file.error(self.at, self.place, kind)),
        }
    }

    /// Returns the line of the JSON object `of`.
    fn line(&self, of: JsonObject<'_, '_>) -> u32 {
        self.file.lines.line(of.at as usize)
    }

    /// Returns a value that cannot change a solid pixel. In place of one that cannot be read, records a
    /// warning and returns a default.
    fn harmless<T: Default>(
        &mut self,
        value: Result<T, LoadErrorKind>,
    ) -> Result<T, LoadErrorKind> {
        match value {
            Err(fault) if !fault.is_limit() => {
                let line = Some(self.file.lines.position(self.at as usize));
                self.map.warn(Place { line, ..self.place.clone() }, &fault);
                Ok(T::default())
            }
            value => value,
        }
    }

    /// Returns a part of the level that was read. A lenient load passes over one that cannot be read.
    fn part<T: Default>(&mut self, read: Result<T, LoadErrorKind>) -> Result<T, LoadErrorKind> {
        if self.options.lenient { self.harmless(read) } else { read }
    }

    /// Records a fault of the next layer of the document.
    fn doubt(&mut self, kind: LoadErrorKind) -> Result<(), LoadErrorKind> {
        let error = self.file.error(self.at, self.place.clone(), kind);
        let about = About::Layer(self.map.layers.len());
        self.map.doubt(about, error, self.spent)
    }

    fn level(&mut self, level: JsonObject<'_, '_>) -> Result<(), LoadErrorKind> {
        self.at = level.at;
        let width = within(level, "pxWid", [1, MAX_PIXELS])?;
        let size = UVec2::new(width, within(level, "pxHei", [1, MAX_PIXELS])?);
        if level.get("layerInstances").is_none() {
            return Err(ldtk("a level without `layerInstances`"));
        }
        let mut layers = Vec::new();
        for node in level.list("layerInstances")? {
            let from = node.object("a layer")?;
            self.at = from.at;
            let size = [("__cWid", MAX_SIDE), ("__cHei", MAX_SIDE)];
            let [columns, rows] = size.map(|(name, most)| within(from, name, [0, most]));
            let side = within(from, "__gridSize", [1, MAX_TILE_SIDE])?;
            layers.push(Grid { from, size: UVec2::new(columns?, rows?), side });
        }
        self.at = level.at;
        self.map.tile_size = cell_size(size, &layers)?;
        self.map.size = UVec2::new(
            size.x.div_ceil(self.map.tile_size.x),
            size.y.div_ceil(self.map.tile_size.y),
        );
        check("cells in the width or height of the level", self.map.size.max_element(), MAX_SIDE)?;
        self.map.background = self.harmless(color(level, "__bgColor"))?;
        let first_cell = Aabb { min: IVec2::ZERO, max: self.map.tile_size.as_ivec2() };
        let properties = fields(level, first_cell, &self.file.lines, &mut self.at, self.spent);
        self.map.properties = self.harmless(properties)?;
        self.at = level.at;
        let background = self.background(level);
        self.harmless(background)?;
        // LDtk writes the front layer first.
        for grid in layers.iter().rev() {
            let layer = self.layer(grid);
            self.part(layer)?;
        }
        Ok(())
    }

    /// Adds the picture behind the level as a tile object, with a tileset of its own.
    fn background(&mut self, level: JsonObject<'_, '_>) -> Result<(), LoadErrorKind> {
        let (Some(source), Some(shown)) =
            (text(level, "bgRelPath")?, level.child("__bgPos", "the place of a background")?)
        else {
            return Ok(());
        };
        if is_absolute(&source) {
            return Err(LoadErrorKind::AbsolutePath);
        }
        let [x, y, width, height] = decimals(shown, "cropRect")?;
        let scale = point(shown, "scale")?;
        let corner = Point { x, y }.pixel();
        let part = Aabb { min: corner, max: Point { x: x + width, y: y + height }.pixel() };
        let line = self.line(level);
        keep(self.spent, 2 * kept::text(source.len()))?;
        let image = Image {
            path: joined(self.project, &source),
            source,
            part: Some(part),
            line,
            ..Image::default()
        };
        let tile = Tile { image: Some(image), line, ..Tile::default() };
        let gid = self.add_tileset(Tileset {
            name: "background".to_owned(),
            tile_size: UVec2::new(part.width(), part.height()).max(UVec2::ONE),
            alignment: Alignment::TopLeft,
            tiles: [(0, Arc::new(tile))].into(),
            line,
            ..Tileset::default()
        })?;
        let object = Object {
            position: point(shown, "topLeftPx")?,
            size: Point { x: product(width, scale.x), y: product(height, scale.y) },
            gid: Some(gid),
            ..self.object(level)?
        };
        let content = ObjectLayer { objects: vec![object], is_art: true, ..ObjectLayer::default() };
        self.push(Layer { line, ..Layer::new("background", LayerContent::Objects(content)) })
    }

    fn layer(&mut self, grid: &Grid<'_, '_>) -> Result<(), LoadErrorKind> {
        let from = grid.from;
        self.at = from.at;
        let name = text(from, "__identifier")?.unwrap_or_default();
        self.place = Place { layer: Some(name.clone()), ..Place::default() };
        let pixels = |name| {
            let pixels = number(from, name)?.unwrap_or(0i32);
            check("pixels in the offset of a layer", pixels.unsigned_abs(), MAX_PIXELS)?;
            Ok::<_, LoadErrorKind>(Decimal::from_pixels(pixels))
        };
        let layer = Layer {
            visible: flag(from, "visible")?.unwrap_or(true),
            opacity: self.harmless(opacity(from, "__opacity"))?.unwrap_or(1.0),
            offset: Point { x: pixels("__pxTotalOffsetX")?, y: pixels("__pxTotalOffsetY")? },
            line: self.line(from),
            ..Layer::new(&name, LayerContent::Group(Vec::new()))
        };
        // Auto tiles are art drawn for the values of another layer. They are not solid, even if the name of
        // their layer is one that makes a layer solid.
        let auto = Layer { name: format!("{AUTO_TILES}{name}"), ..layer.clone() };
        match &*text(from, "__type")?.unwrap_or_default() {
            "IntGrid" => {
                self.values(grid, layer)?;
                self.art(from, "autoLayerTiles", &auto)
            }
            "AutoLayer" => self.art(from, "autoLayerTiles", &auto),
            "Tiles" => self.art(from, "gridTiles", &layer),
            "Entities" => self.entities(grid, layer),
            other => Err(ldtk(format!("a layer of the type `{other}`"))),
        }
    }

    /// Adds the values of an IntGrid layer as a tile layer with a tileset of its own. If the layer's cells
    /// are larger than the level's, a value fills several cells. The tile layer counts as visible even if the
    /// IntGrid layer is hidden in LDtk's editor, because its values can be solid. If the IntGrid layer has
    /// auto tiles, the tile layer is fully transparent, because the editor draws only the auto tiles.
    fn values(&mut self, grid: &Grid<'_, '_>, layer: Layer) -> Result<(), LoadErrorKind> {
        let size = grid.size;
        let needed = size.x as usize * size.y as usize;
        let area = self.map.size;
        let cells = needed.max(area.x as usize * area.y as usize);
        self.spent.cells(cells as u64, self.options.limits)?;
        let data = match grid.from.get("intGridCsv") {
            Some(Node::Numbers(written)) => CellData {
                encoding: Some(Encoding::Csv),
                text: (*written).into(),
                numbers: Vec::new(),
            },
            None if grid.from.has("intGrid") => {
                let numbers = old_values(grid.from, needed)?;
                CellData { encoding: None, text: "".into(), numbers }
            }
            _ => {
                let what = "an IntGrid layer whose `intGridCsv` is not a list of whole numbers";
                return Err(ldtk(what));
            }
        };
        let (values, fault) = decode(&data, size, &mut self.spent.dropped_cells)?;
        let wrong = match &fault {
            Some(LoadErrorKind::CellData { reason }) => Some(reason.clone()),
            _ => values.iter().find(|value| **value > MAX_TILES).map(u32::to_string),
        };
        if let Some(wrong) = wrong {
            let expected = format!("a value is no whole number from 0 to {MAX_TILES}");
            return Err(ldtk(format!("{expected}: {wrong}")));
        }
        let uid: i64 = required(grid.from, "layerDefUid")?;
        let known = self.definitions.values.get(&uid);
        let unknown = Arc::<Tile>::default();
        let mut tiles = BTreeMap::new();
        let mut last = 0;
        for value in &values {
            if *value != last
                && *value != 0
                && let Entry::Vacant(new) = tiles.entry(*value)
            {
                keep(self.spent, kept::TILE_ENTRY)?;
                let tile = known.and_then(|known| known.get(value));
                new.insert(Arc::clone(tile.unwrap_or(&unknown)));
            }
            last = *value;
        }
        if let Some(fault) = fault {
            self.doubt(fault)?;
            // Any value may be among the missing ones.
            for (value, tile) in known.into_iter().flatten() {
                keep(self.spent, kept::TILE_ENTRY)?;
                tiles.entry(*value).or_insert_with(|| Arc::clone(tile));
            }
        }
        let first = self.add_tileset(Tileset {
            name: layer.name.clone(),
            class: INT_GRID.to_owned(),
            tile_size: self.map.tile_size,
            tiles,
            line: layer.line,
            ..Tileset::default()
        })?;
        let times = (UVec2::splat(grid.side) / self.map.tile_size).max(UVec2::ONE);
        let mut cells = vec![0; area.x as usize * area.y as usize];
        for (row, cells) in cells.chunks_exact_mut(area.x as usize).enumerate() {
            let start = row / times.y as usize * size.x as usize;
            let Some(values) = values.get(start..start + size.x as usize) else { break };
            let of_row =
                values.iter().flat_map(|value| std::iter::repeat_n(*value, times.x as usize));
            for (cell, value) in cells.iter_mut().zip(of_row) {
                *cell = if value == 0 { 0 } else { first + value };
            }
        }
        let block = CellBlock { origin: IVec2::ZERO, size: area, cells };
        let content = LayerContent::Tiles(TileLayer { blocks: vec![block] });
        let is_drawn = layer.visible && grid.from.list("autoLayerTiles")?.is_empty();
        let opacity = if is_drawn { layer.opacity } else { 0.0 };
        self.push(Layer { content, visible: true, opacity, ..layer })
    }

    /// Adds the tiles in the JSON list named `name` of the LDtk layer `from`, as layers that draw these
    /// tiles. Each of these layers has the name and attributes of `layer`.
    fn art(
        &mut self,
        from: JsonObject<'_, '_>,
        name: &str,
        layer: &Layer,
    ) -> Result<(), LoadErrorKind> {
        let tiles = from.list(name)?;
        let uid: Option<i64> = number(from, "__tilesetDefUid")?;
        let known = uid.and_then(|uid| Some((uid, self.definitions.tilesets.get(&uid)?)));
        let Some((uid, definition)) = known.filter(|_| !tiles.is_empty()) else {
            return Ok(());
        };
        let tileset = &definition.set;
        let index = match self.tilesets.get(&uid) {
            Some(index) => *index,
            None => {
                let index = self.map.tilesets.len();
                self.add_tileset(tileset.clone())?;
                self.tilesets.insert(uid, index);
                index
            }
        };
        let first = self.map.tilesets[index].first_gid;
        let picture = tileset.image.as_ref().map_or(UVec2::ZERO, |image| image.size);
        let count = tileset.tiles_in(picture);
        let area = self.map.size.x as usize * self.map.size.y as usize;
        let limits = self.options.limits;
        self.spent.cells(area as u64, limits)?;
        let mut stack = Stack::new(self.map.size, self.map.tile_size);
        for node in tiles {
            let tile = node.object("a tile")?;
            self.at = tile.at;
            let position = point(tile, "px")?;
            let id = definition.tile_id(required(tile, "t")?);
            if u64::from(id) >= count {
                let set = &tileset.name;
                let what = format!("tile {id} of the tileset `{set}`, which has {count} tiles");
                return Err(ldtk(what));
            }
            if let Some(tile) = definition.tiles.get(&id)
                && let Entry::Vacant(new) = self.map.tilesets[index].tiles.entry(id)
            {
                keep(self.spent, kept::TILE_ENTRY)?;
                new.insert(Arc::clone(tile));
            }
            let flips: u32 = self.harmless(number(tile, "f"))?.unwrap_or(0);
            let mut gid = first + id;
            for (bit, flag) in [(1, flip::HORIZONTAL), (2, flip::VERTICAL)] {
                gid |= if flips & bit == 0 { 0 } else { flag };
            }
            let object = Object {
                position,
                gid: Some(gid),
                opacity: self.harmless(opacity(tile, "a"))?.unwrap_or(1.0),
                visible: true,
                line: self.line(tile),
                ..Object::default()
            };
            let layers = &mut self.layers;
            let side = tileset.tile_size.x as i32;
            stack.push(object, side, limits, self.spent, &mut |spent, has_cells| {
                spend("layers", layers, 1, MAX_LAYERS)?;
                spent.cells(if has_cells { area as u64 } else { 0 }, limits)
            })?;
        }
        for mut content in stack.layers {
            if let LayerContent::Objects(of_layer) = &mut content {
                for object in &mut of_layer.objects {
                    object.id = self.next_object()?;
                }
            }
            keep(self.spent, kept::text(layer.name.len()))?;
            self.map.layers.push(Layer { content, ..layer.clone() });
        }
        Ok(())
    }

    fn entities(&mut self, grid: &Grid<'_, '_>, layer: Layer) -> Result<(), LoadErrorKind> {
        let mut all = ObjectLayer { draws_in_file_order: true, ..ObjectLayer::default() };
        let min = layer.offset.pixel();
        let first_cell = Aabb { min, max: min + IVec2::splat(grid.side as i32) };
        for node in grid.from.list("entityInstances")? {
            let entity = node.object("an entity")?;
            self.at = entity.at;
            let name = text(entity, "__identifier")?.unwrap_or_default();
            let properties = fields(entity, first_cell, &self.file.lines, &mut self.at, self.spent);
            let mut properties = self.part(properties)?;
            self.at = entity.at;
            for node in entity.list("__tags")? {
                let name = node.text()?.unwrap_or_default();
                let tag = tag(self.line(entity));
                keep(self.spent, kept::property(properties.len(), &name, &tag))?;
                properties.entry(name.into_owned()).or_insert(tag);
            }
            if let Some(iid) = text(entity, "iid")? {
                let iid = Property::new(PropertyValue::Text(iid));
                keep(self.spent, kept::property(properties.len(), "iid", &iid))?;
                properties.entry("iid".to_owned()).or_insert(iid);
            }
            // Before LDtk 0.8, an entity did not state its size.
            let [width, height] = ["width", "height"].map(|name| match entity.get(name) {
                Some(_) => within(entity, name, [0, MAX_PIXELS]),
                None => Ok(0),
            });
            let x = Decimal::from_pixels(width? as i32);
            let y = Decimal::from_pixels(height? as i32);
            let mut pivot = Point::default();
            if entity.has("__pivot") {
                pivot = point(entity, "__pivot")?;
            }
            let to_pivot = Point { x: product(x, pivot.x), y: product(y, pivot.y) };
            let object = Object {
                name: name.clone(),
                class: name,
                position: point(entity, "px")? - to_pivot,
                size: Point { x, y },
                properties,
                ..self.object(entity)?
            };
            keep(self.spent, kept::object(&object, &layer.name))?;
            all.objects.push(object);
        }
        self.push(Layer { content: LayerContent::Objects(all), ..layer })
    }

    /// Returns a new visible, opaque object with the next id.
    fn object(&mut self, from: JsonObject<'_, '_>) -> Result<Object, LoadErrorKind> {
        let id = self.next_object()?;
        Ok(Object { id, visible: true, opacity: 1.0, line: self.line(from), ..Object::default() })
    }

    /// Returns the id for a new object. Fails if the level would have more objects than `Limits::objects`.
    fn next_object(&mut self) -> Result<u32, LoadErrorKind> {
        spend("objects (the limit `objects`)", &mut self.objects, 1, self.options.limits.objects)?;
        Ok(self.objects as u32)
    }

    fn push(&mut self, layer: Layer) -> Result<(), LoadErrorKind> {
        keep(self.spent, kept::text(layer.name.len()))?;
        self.map.layers.push(layer);
        spend("layers", &mut self.layers, 1, MAX_LAYERS)
    }

    /// Adds a tileset, and returns the gid (global tile id) of its tile 0.
    fn add_tileset(&mut self, tileset: Tileset) -> Result<u32, LoadErrorKind> {
        let pictures = tileset.image.as_ref().map_or(0, |image| 2 * kept::text(image.source.len()));
        keep(self.spent, kept::text(tileset.name.len()) + pictures)?;
        let first_gid = self.next_gid;
        let picture = tileset.image.as_ref().map_or(UVec2::ZERO, |image| image.size);
        let named = tileset.tiles.last_key_value().map_or(0, |(id, _)| id.saturating_add(1));
        let count = named.max(tileset.tiles_in(picture) as u32).max(1);
        check("tiles in a tileset", count, MAX_TILES + 1)?;
        self.next_gid += count;
        check("tiles in all tilesets of a level", self.next_gid, flip::ROTATED)?;
        self.map.tilesets.push(Tileset { first_gid, ..tileset });
        Ok(first_gid)
    }
}

/// Returns the values of the cells of an IntGrid layer. Before LDtk 0.8, the list `intGrid` had the cells
/// with a value, and the first value was 0.
fn old_values(layer: JsonObject<'_, '_>, needed: usize) -> Result<Vec<u32>, LoadErrorKind> {
    let mut values = vec![0; needed];
    for node in layer.list("intGrid")? {
        let cell = node.object("a cell")?;
        let value: u32 = required(cell, "v")?;
        match values.get_mut(required::<usize>(cell, "coordId")?) {
            Some(known) => *known = value.saturating_add(1),
            None => return Err(ldtk(format!("a cell beyond the {needed} cells of its layer"))),
        }
    }
    Ok(values)
}

/// Returns the width and height of the level's cells in pixels. They are the largest that divide the size of
/// the level and the cells of all IntGrid layers. Without IntGrid layers, they are the cell size of the first
/// layer with tiles. Without such a layer, they are the cell size of the first layer.
fn cell_size(size: UVec2, layers: &[Grid<'_, '_>]) -> Result<UVec2, LoadErrorKind> {
    let sides = layers.iter().filter(|layer| is_of(layer, "IntGrid")).map(|layer| layer.side);
    let Some(side) = sides.reduce(common_divisor) else {
        let tiles = layers.iter().filter(|layer| is_of(layer, "Tiles"));
        let auto_tiles = layers.iter().filter(|layer| is_of(layer, "AutoLayer"));
        let first = tiles.chain(auto_tiles).chain(layers).next();
        return Ok(UVec2::splat(first.map_or(1, |layer| layer.side)));
    };
    Ok(UVec2::new(common_divisor(side, size.x), common_divisor(side, size.y)).max(UVec2::ONE))
}

fn is_of(layer: &Grid<'_, '_>, kind: &str) -> bool {
    text(layer.from, "__type").ok().flatten().is_some_and(|found| found == kind)
}
