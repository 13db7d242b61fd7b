//! The true solids of a map, according to the game's own code. `CONVENTIONS.tsv` of the corpus describes them
//! in terms.
//!
//! A term keeps only the layers, tiles and objects that it describes, gives them a special class, and removes
//! everything else from the map. So none of the tested rules has an influence.

use std::collections::HashSet;
use std::sync::Arc;

use bitwall::geometry::Outside;
use bitwall::glam::{IVec2, UVec2};
use bitwall::property::PropertyValue;
use bitwall::rules::SolidRules;
use bitwall::tmx::{
    Decimal, Layer, LayerContent, Map, Object, PlacedMap, Point, Properties, Shape, Tile,
    TileLayer, Tileset, flip,
};
use bitwall::{Level, LoadOptions};

/// The class of everything that is solid according to a term.
const TRUTH: &str = "solid by the game's code";

/// The number of a tile that stands for a cell without a tile, where a game makes such cells solid. No
/// tileset of the tables has so many tiles.
const EMPTY: u32 = 1 << 27;

/// The class of the tileset that stands for the values of an IntGrid layer.
const INT_GRID: &str = "IntGrid";

/// The start of the name of a layer of tiles that LDtk places by its own rules.
const AUTO_TILES: &str = "auto tiles of ";

/// A level, and the position of its top-left corner among the levels of its world.
pub(crate) struct PlacedLevel {
    pub(crate) level: Level,
    pub(crate) corner: IVec2,
}

/// Boxes of one size in rows, so small that each is all solid or all passable in every level of a comparison.
struct Boxes {
    min: IVec2,
    max: IVec2,
    size: UVec2,
}

impl Boxes {
    fn of<'l>(levels: impl Iterator<Item = &'l PlacedLevel> + Clone) -> Self {
        let size = levels.clone().fold(UVec2::ZERO, |size, PlacedLevel { level, corner }| {
            let (cell, origin) = (level.cell_size(), corner.abs().as_uvec2());
            let along = |size, cell, origin| divisor(divisor(size, cell), origin);
            UVec2::new(along(size.x, cell.x, origin.x), along(size.y, cell.y, origin.y))
        });
        let min = levels.clone().map(|placed| placed.corner).reduce(IVec2::min).unwrap();
        let max = levels.map(|placed| placed.corner + placed.level.size().as_ivec2());
        Self { min, max: max.reduce(IVec2::max).unwrap(), size }
    }

    /// Returns a bit for each box of the row at `y`: 1 if it is solid in one of the levels. To ask for each
    /// box took a quarter of the time of all tests.
    fn row(&self, levels: &[PlacedLevel], y: i32) -> Vec<u64> {
        let columns = ((self.max.x - self.min.x) as u32).div_ceil(self.size.x);
        let mut bits = vec![0; columns.div_ceil(64) as usize];
        for PlacedLevel { level, corner } in levels {
            let (grid, cell) = (level.grid(), level.cell_size());
            let row = (y - corner.y).div_euclid(cell.y as i32);
            if row < 0 || row >= grid.height() as i32 {
                continue;
            }
            let first = (corner.x - self.min.x) as u32 / self.size.x;
            let wide = cell.x / self.size.x;
            for column in (0..grid.width()).step_by(64) {
                let mut word = grid.row_word(i64::from(column), row as u32);
                while word != 0 {
                    let start = word.trailing_zeros();
                    let end = start + (word >> start).trailing_ones();
                    set(&mut bits, [start, end].map(|at| first + (column + at) * wide));
                    word &= !below(end);
                }
            }
        }
        bits
    }
}

/// The greatest common divisor.
fn divisor(mut one: u32, mut other: u32) -> u32 {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// The lowest `count` bits.
fn below(count: u32) -> u64 {
    if count < 64 { (1 << count) - 1 } else { u64::MAX }
}

fn set(bits: &mut [u64], [start, end]: [u32; 2]) {
    for at in start / 64..=(end - 1) / 64 {
        bits[at as usize] |= below(end - at * 64) & !below(start.saturating_sub(at * 64));
    }
}

/// One term of a row in the table.
#[derive(Clone, Debug)]
struct Term<'t> {
    kind: &'t str,
    /// The text before the layer: a property, tile or object name, depending on the kind.
    of: &'t str,
    /// The name of the layer; `*` for all layers.
    layer: &'t str,
    flags: Vec<&'t str>,
}

impl<'t> Term<'t> {
    fn parse(text: &'t str) -> Self {
        let mut parts = text.trim().split('!');
        let (kind, rest) = parts.next().unwrap().split_once([':', '@']).unwrap();
        let (of, layer) = match kind {
            "layer" | "tileshape" | "empty" | "ldtile" => ("", rest),
            "entity" => (rest, "*"),
            "intgrid" => rest.split_once('=').map(|(layer, values)| (values, layer)).unwrap(),
            _ => rest.rsplit_once('@').unwrap(),
        };
        Self { kind, of, layer, flags: parts.collect() }
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }

    /// True if the properties of a tile make it solid according to this term.
    fn marks(&self, properties: &Properties) -> bool {
        match self.kind {
            "tileprop" => has_property(properties, self.of),
            "tilepropnot" => {
                let (key, _) = self.of.split_once('=').unwrap();
                properties.contains_key(key) && !has_property(properties, self.of)
            }
            "ldtag" => has_property(properties, &format!("{}=true", self.of)),
            "lddata" => has_property(properties, &format!("customData={}", self.of)),
            _ => false,
        }
    }

    /// True if a flag of the term excludes the tiles with these properties.
    fn excludes(&self, properties: &Properties) -> bool {
        let words = self.flags.iter().filter_map(|flag| flag.strip_prefix("noprop="));
        let mut words = words.map(|word| word.replacen(':', "=", 1));
        words.any(|word| has_property(properties, &word))
    }

    /// True if everything that the term keeps of a layer is solid.
    fn is_of_whole_layers(&self) -> bool {
        matches!(self.kind, "layer" | "empty" | "intgrid" | "ldtile" | "ldtag" | "lddata")
    }

    /// True if the term describes a layer with this name.
    fn names(&self, layer: &str) -> bool {
        let of_ldtk = matches!(self.kind, "ldtile" | "ldtag" | "lddata");
        let own = layer.strip_prefix(AUTO_TILES).filter(|_| of_ldtk).unwrap_or(layer);
        self.layer == "*" || own.to_lowercase() == self.layer.to_lowercase()
    }

    /// True if the flags of the term allow this tile id, given without flip flags.
    fn lets(&self, gid: u32) -> bool {
        let in_list = |list: &str| {
            list.split(',').any(|range| {
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                (first.parse().unwrap()..=last.parse().unwrap()).contains(&gid)
            })
        };
        self.flags.iter().all(|flag| match flag.split_once('=') {
            Some(("only", list)) => in_list(list),
            Some(("except", list)) => !in_list(list),
            Some(("noprop" | "nott", _)) => true,
            Some(_) => panic!("a flag that is not followed here: {flag}"),
            None => {
                let known = ["shape", "plain", "props", "cells", "bbox", "unnamed"];
                known.contains(flag) || panic!("{flag}?")
            }
        })
    }
}

/// Returns levels whose solids together are the solids that `terms` describe in the maps of a level whose
/// corner is at `origin`. Empty for `none` and for no terms.
pub(super) fn levels(maps: &[PlacedMap], origin: IVec2, terms: &str) -> Vec<PlacedLevel> {
    let mut all = Vec::new();
    for placed in maps {
        for level in levels_of(&placed.map, terms) {
            let corner = origin + placed.place + level.origin();
            all.push(PlacedLevel { level, corner });
        }
    }
    all
}

fn levels_of(map: &Map, terms: &str) -> Vec<Level> {
    let terms = terms.split(" + ").filter(|term| !matches!(term.trim(), "" | "none"));
    let terms: Vec<Term<'_>> = terms.map(Term::parse).collect();
    // A layer whose tiles have shapes gives two levels: one with the tiles that have shapes, one with the
    // others.
    let passes = |term: &Term<'_>| match (term.kind, term.has("shape")) {
        ("tileshape", _) => vec![Tiles::Shaped],
        (_, true) => vec![Tiles::Shaped, Tiles::Plain],
        _ => vec![Tiles::All],
    };
    let all =
        terms.iter().flat_map(|term| passes(term).into_iter().map(move |tiles| (term, tiles)));
    all.map(|(term, tiles)| level(map, term, tiles)).collect()
}

/// The tiles that a pass keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tiles {
    /// All tiles, without their shapes.
    All,
    /// Only tiles with shapes. The shapes are solid.
    Shaped,
    /// Only tiles without shapes.
    Plain,
}

/// A pass: the reduction of a map to the solids of one term.
struct Pass<'t> {
    term: &'t Term<'t>,
    tiles: Tiles,
    /// The ids of the tiles with shapes, and below the ids of the tiles with the property of the term.
    shaped: HashSet<u32>,
    marked: HashSet<u32>,
    /// The ids of the tiles that a flag of the term excludes.
    excluded: HashSet<u32>,
    /// The tilesets: the id of the first tile, and for the values of an IntGrid layer its name.
    sets: Vec<(u32, Option<String>)>,
    tile_size: UVec2,
}

fn level(map: &Map, term: &Term<'_>, tiles: Tiles) -> Level {
    let mut map = map.clone();
    let [mut shaped, mut marked, mut excluded] = [(); 3].map(|()| HashSet::new());
    let mut sets = Vec::new();
    for set in &mut map.tilesets {
        let is_int_grid = set.class == INT_GRID;
        sets.push((set.first_gid, is_int_grid.then(|| set.name.clone())));
        for (id, tile) in &mut set.tiles {
            let gid = set.first_gid + id;
            let tile = Arc::make_mut(tile);
            if term.excludes(&tile.properties) {
                excluded.insert(gid);
            }
            if !tile.shapes.is_empty() {
                shaped.insert(gid);
            }
            if term.marks(&tile.properties) {
                marked.insert(gid);
            }
            tile.class = if marked.contains(&gid) { TRUTH.to_owned() } else { String::new() };
            tile.properties.clear();
            if tiles != Tiles::Shaped {
                tile.shapes.clear();
            }
            for shape in &mut tile.shapes {
                shape.class.clear();
                shape.properties.clear();
            }
        }
    }
    let mut empty = Tileset::default();
    (empty.first_gid, empty.tile_size) = (EMPTY, map.tile_size);
    empty.tiles.insert(0, Arc::new(Tile::default()));
    map.tilesets.push(empty);
    let pass = Pass { term, tiles, shaped, marked, excluded, sets, tile_size: map.tile_size };
    map.layers.iter_mut().for_each(|layer| pass.cut(layer, false));
    let rules = SolidRules {
        layer_classes: vec![TRUTH.into()],
        tile_classes: vec![TRUTH.into()],
        object_classes: vec![TRUTH.into()],
        ..SolidRules::none()
    };
    let options = LoadOptions {
        solid_rules: rules,
        outside: Outside::Open.into(),
        allow_nothing_solid: true,
        ..LoadOptions::default()
    };
    Level::from_map(map, &options).expect("the map loads as it is")
}

impl Pass<'_> {
    fn cut(&self, layer: &mut Layer, is_named_outside: bool) {
        let is_named = is_named_outside || self.term.names(&layer.name);
        let whole = self.term.is_of_whole_layers() && self.tiles != Tiles::Shaped && is_named;
        layer.class = if whole { TRUTH.to_owned() } else { String::new() };
        layer.properties.clear();
        layer.visible = true;
        match &mut layer.content {
            LayerContent::Group(layers) => {
                layer.class.clear();
                layers.iter_mut().for_each(|inner| self.cut(inner, is_named));
            }
            LayerContent::Tiles(tiles) => self.cut_tiles(tiles, &layer.name, is_named),
            LayerContent::Objects(objects) => {
                objects.objects.retain(|object| is_named && self.keeps_object(object));
                objects.objects.iter_mut().for_each(|object| self.mark(object));
            }
            _ => {}
        }
    }

    fn cut_tiles(&self, tiles: &mut TileLayer, name: &str, is_named: bool) {
        let is_of_values = |set: &&(u32, Option<String>)| set.1.as_deref() == Some(name);
        let values = self.sets.iter().find(is_of_values).map(|(first, _)| *first);
        let wanted: Vec<u32> = match self.term.kind {
            "intgrid" => self.term.of.split(',').map(|value| value.parse().unwrap()).collect(),
            _ => Vec::new(),
        };
        for gid in tiles.blocks.iter_mut().flat_map(|block| &mut block.cells) {
            let number = *gid & !flip::ALL;
            let keeps = match (self.term.kind, values) {
                _ if !is_named => false,
                ("empty", _) => number == 0,
                ("intgrid", Some(first)) => wanted.contains(&number.saturating_sub(first)),
                ("intgrid", None) | ("ldtile" | "ldtag" | "lddata", Some(_)) => false,
                _ => number > 0 && self.keeps(number),
            };
            *gid = match (keeps, *gid) {
                (false, _) => 0,
                (true, 0) => EMPTY,
                (true, gid) => gid,
            };
        }
    }

    /// True if the term excludes the tile with this id in its tileset.
    fn is_not(&self, gid: u32) -> bool {
        let first = self.sets.iter().map(|(first, _)| *first).filter(|first| *first <= gid).max();
        let id = (gid - first.unwrap_or(0)).to_string();
        self.term.flags.iter().any(|flag| flag.strip_prefix("nott=") == Some(&id))
    }

    fn keeps(&self, gid: u32) -> bool {
        let is_of_pass = match self.tiles {
            Tiles::All => true,
            Tiles::Shaped => self.shaped.contains(&gid),
            Tiles::Plain => !self.shaped.contains(&gid),
        };
        let is_of_term = match self.term.kind {
            "tileprop" | "tilepropnot" | "ldtag" | "lddata" => self.marked.contains(&gid),
            kind => matches!(kind, "layer" | "tileshape" | "ldtile"),
        };
        let is_excluded = self.excluded.contains(&gid) || self.is_not(gid);
        is_of_pass && is_of_term && !is_excluded && self.term.lets(gid)
    }

    fn keeps_object(&self, object: &Object) -> bool {
        let Term { kind, of, .. } = *self.term;
        let has_own = !object.properties.is_empty();
        let is_unlike = self.term.has("plain") && has_own
            || self.term.has("props") && !has_own
            || self.term.has("unnamed") && !object.name.is_empty();
        let is_of_term = match (kind, object.gid) {
            ("objclass", _) => object.class.eq_ignore_ascii_case(of),
            ("objname", _) => object.name == of,
            ("entity", gid) => gid.is_none() && (of == "*" || object.name == of),
            ("objprop", _) => has_property(&object.properties, of),
            (_, Some(gid)) => self.keeps(gid & !flip::ALL),
            (_, None) => kind == "layer" && self.tiles != Tiles::Shaped,
        };
        is_of_term && !is_unlike
    }

    fn mark(&self, object: &mut Object) {
        let is_object_term = self.term.kind.starts_with("obj") || self.term.kind == "entity";
        object.class = if is_object_term { TRUTH.to_owned() } else { String::new() };
        object.properties.clear();
        if let (true, Shape::Polygon(points) | Shape::Polyline(points)) =
            (self.term.has("bbox"), &object.shape)
        {
            let side = |of: fn(&Point) -> Decimal| {
                let least = points.iter().map(of).min().unwrap();
                (least, points.iter().map(of).max().unwrap() - least)
            };
            let ((left, width), (top, height)) = (side(|at| at.x), side(|at| at.y));
            object.position = object.position + Point { x: left, y: top };
            (object.size, object.shape) = (Point { x: width, y: height }, Shape::Rectangle);
        }
        if self.term.has("cells") && object.shape == Shape::Rectangle {
            let round = |point: Point| {
                let along = |at: Decimal, side: u32| {
                    let cells = (at.as_f64() / f64::from(side)).round();
                    Decimal::from_pixels(cells as i32 * side as i32)
                };
                Point { x: along(point.x, self.tile_size.x), y: along(point.y, self.tile_size.y) }
            };
            (object.position, object.size) = (round(object.position), round(object.size));
        }
    }
}

/// True if the properties contain `KEY=VALUE`.
fn has_property(properties: &Properties, wanted: &str) -> bool {
    let (key, value) = wanted.split_once('=').unwrap();
    properties.get(key).is_some_and(|property| match &property.value {
        PropertyValue::Text(text) => text == value,
        PropertyValue::Bool(flag) => value == if *flag { "true" } else { "false" },
        PropertyValue::Int(number) => number.to_string() == value,
        _ => false,
    })
}

/// Returns the numbers of pixels that are solid in both, only in `truth`, and only in `found`. Pixels that
/// are solid in `neither` do not count.
pub(super) fn compared(
    truth: &[PlacedLevel],
    found: &PlacedLevel,
    neither: &[PlacedLevel],
) -> [u64; 3] {
    let found = std::slice::from_ref(found);
    let boxes = Boxes::of(truth.iter().chain(neither).chain(found));
    let pixels = u64::from(boxes.size.x) * u64::from(boxes.size.y);
    let mut counts = [0; 3];
    for y in (boxes.min.y..boxes.max.y).step_by(boxes.size.y as usize) {
        let [is_true, is_found, is_neither] = [truth, found, neither].map(|all| boxes.row(all, y));
        for ((is_true, is_found), is_neither) in is_true.iter().zip(&is_found).zip(&is_neither) {
            let parts = [is_true & is_found, is_true & !is_found, is_found & !is_true];
            for (count, part) in counts.iter_mut().zip(parts) {
                *count += u64::from((part & !is_neither).count_ones()) * pixels;
            }
        }
    }
    counts
}
