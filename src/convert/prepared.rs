//! A map with the position of its cells and the effect of the rules on its tiles and objects. The shapes of a
//! tile are drawn once per orientation.

pub(super) mod explain;
pub(super) mod gather;

use std::collections::HashMap;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;

use glam::IVec2;

use super::facts::MapFacts;
use super::pieces::{self, Claim, Cover, TileImage};
use super::tiles::table::TileTable;
use super::tiles::{
    Extent, Role, RuledLayer, TileMarks, TileMeaning, TileRules, TileShapes, layers,
};
use crate::error::{FileFault, LoadErrorKind};
use crate::geometry::{Aabb, Decimal, Dir, Point, saturated};
use crate::limits::{Limits, STEPS_A_ROW, Spent, check};
use crate::options::LoadOptions;
use crate::raster::{self, Coverage, Flips, Outline, Rotation};
use crate::tmx::{Lattice, LayerContent, MAX_POINTS, Map, Object, PlacedTile, Shape, flip};

/// A map with the position of its cells, the effect of the rules on its tiles, and facts about its layers.
struct PreparedMap<'m> {
    map: &'m Map,
    options: &'m LoadOptions,
    lattice: Lattice,
    tiles: TileTable,
    facts: MapFacts,
}

impl<'m> PreparedMap<'m> {
    fn new(
        map: &'m Map,
        options: &'m LoadOptions,
        counts: &[Option<u32>],
    ) -> Result<Self, LoadErrorKind> {
        map.check_sides()?;
        let facts = MapFacts::new(map, &options.solid_rules);
        let lattice = Lattice::for_map(map, options.space);
        let tiles = TileTable::new(&TileRules { map, options }, counts)?;
        let mut prepared = Self { map, options, lattice, tiles, facts };
        prepared.facts.decoration_counts = prepared.is_solid_by_decoration_alone();
        Ok(prepared)
    }

    fn layers(&self) -> impl Iterator<Item = Result<RuledLayer<'m>, Box<FileFault>>> {
        layers(self.map, self.lattice, &self.facts, self.options)
    }

    /// True if the map has no solids other than tiles on decoration layers, which normally do not count. The
    /// cells are read only if a tileset has tiles that do not count on decoration layers.
    fn is_solid_by_decoration_alone(&self) -> bool {
        if !self.tiles.meanings.iter().any(TileMeaning::is_less_on_decoration) {
            return false;
        }
        let mut is_decoration = false;
        for layer in self.layers().filter_map(Result::ok) {
            let is_tiles = matches!(layer.context.layer.content, LayerContent::Tiles(_));
            is_decoration |= is_tiles && layer.role.marks == TileMarks::Shapes;
            if self.stops(&layer) {
                return false;
            }
        }
        is_decoration
    }

    /// True if a tile or an object of the layer is solid or one-way, or if its empty cells are solid.
    fn stops(&self, layer: &RuledLayer<'_>) -> bool {
        match &layer.context.layer.content {
            LayerContent::Tiles(tiles) => {
                let mut meanings = tiles.numbers().filter_map(|gid| self.tiles.meaning(gid));
                layer.role.is_floor || meanings.any(|meaning| meaning.stop(&layer.role).is_some())
            }
            LayerContent::Objects(objects) => objects.objects.iter().any(|object| {
                let uses = self.object_uses(object, layer);
                uses.is_ok_and(|uses| uses.claims.iter().any(|(claim, _)| claim.stops()))
            }),
            LayerContent::Image(_) | LayerContent::Group(_) => false,
        }
    }

    /// The name of a tile's tileset, and the tile's id in the tileset.
    fn tile(&self, gid: u32) -> Option<(String, u32)> {
        let PlacedTile { tileset, id, .. } = self.map.tile(gid)?;
        Some((self.map.tilesets[tileset].name.clone(), id))
    }

    /// A box around all cells of the map, in pixels; `None` for an infinite map.
    fn area(&self) -> Option<Aabb> {
        let cells = (!self.map.is_infinite).then(|| self.map.size.as_ivec2());
        cells.map(|end| self.lattice.area(IVec2::ZERO, end))
    }
}

/// The uses of an object in a level: as a solid, in an area, or as a marker.
#[derive(Default)]
struct ObjectUses<'t> {
    /// The uses of the object, each with the part of a cell that the object's tile covers; `None` for the
    /// object's own shape. A solid or one-way use comes before the areas.
    claims: Vec<(Claim, Option<&'t Extent>)>,
    because: String,
    is_marker: bool,
    /// True if an object of this role can have a use, whatever its tile and size.
    can_claim: bool,
}

impl PreparedMap<'_> {
    /// The uses of an object. An object with an unknown tile has none.
    fn object_uses(
        &self,
        object: &Object,
        layer: &RuledLayer<'_>,
    ) -> Result<ObjectUses<'_>, LoadErrorKind> {
        let role = Role::of_object(object, &layer.role, self.options)?;
        let mut found = ObjectUses { can_claim: role.claims(), ..ObjectUses::default() };
        if let Some(gid) = object.gid {
            if let Some(meaning) = self.tiles.meaning(gid) {
                found.because = meaning.reason(&role).cloned().unwrap_or_default();
                let claims = meaning.claims(&role);
                found.claims = claims.map(|(claim, extent)| (claim, Some(extent))).collect();
                found.is_marker = !found.claims.iter().any(|(claim, _)| claim.stops());
            }
            return Ok(found);
        }
        if matches!(object.shape, Shape::Text(_)) {
            return Ok(found);
        }
        let is_empty = object.shape == Shape::Rectangle && object.size == Point::default();
        let claim = role.one_way.map(Claim::OneWay).or(role.solid.as_ref().map(|_| Claim::Solid));
        found.is_marker = is_empty || claim.is_none();
        if !is_empty {
            let areas = role.areas.into_iter().map(Claim::Area);
            found.claims = claim.into_iter().chain(areas).map(|claim| (claim, None)).collect();
        }
        found.because = role.solid.map(|mark| mark.because).unwrap_or_default();
        Ok(found)
    }

    /// The pixels of an object. `extent` is the part of a cell that the object's tile covers, which is the
    /// object's box or the tile's shapes; `None` for the object's own shape.
    fn cover(
        &self,
        object: &Object,
        layer: &RuledLayer<'_>,
        extent: Option<&Extent>,
        stamps: &mut Stamps<'_>,
    ) -> Result<Cover, LoadErrorKind> {
        let lattice = &self.lattice;
        let is_upright = object.rotation == Decimal::ZERO;
        let Some(extent) = extent else {
            if object.shape == Shape::Rectangle && is_upright && lattice.is_rectangular() {
                let at = object.position + layer.offset;
                return Ok(Cover::Box(covered_box(at.x, at.y, object.size.x, object.size.y)));
            }
            return Ok(Cover::Outlines(self.outlines(object, layer, None).into()));
        };
        let Some(TileObject { picture, size, to_corner }) = self.tile_object(object) else {
            return Ok(Cover::Outlines(Arc::default()));
        };
        let flips = object.gid.unwrap_or_default() & flip::ALL;
        let corner = lattice.point(object.position) + layer.offset + to_corner;
        let turns = lattice.is_hexagonal() && flips & (flip::DIAGONAL | flip::ROTATED) != 0;
        let is_plain = is_upright && !lattice.turns_pictures() && !turns;
        match extent {
            Extent::Shapes(shapes) if !shapes.fill_cell => {
                // The pixels of a shape that was already drawn can be reused if the picture starts at a whole
                // pixel.
                let fits =
                    size == pieces::size_of(picture.size) && picture.size_in_cell == picture.size;
                if is_plain && fits && is_whole(corner) {
                    return stamps.pixels(corner.pixel(), extent, flips, None, Point::default());
                }
                // Many objects may show one tile. Each object gets its own scaled copy of the shapes.
                let points: usize = shapes.outlines.iter().map(Outline::points).sum();
                stamps.points = stamps.points.saturating_add(points as u64);
                let what = "points in the collision shapes of tile objects";
                check(what, stamps.points, 8 * MAX_POINTS)?;
            }
            _ if is_plain => {
                let corner = corner + picture.fitted(&[], size).1;
                let shown = pieces::turned_size(size, flips & flip::DIAGONAL != 0);
                let top = corner.y - shown.y;
                return Ok(Cover::Box(covered_box(corner.x, top, shown.x, shown.y)));
            }
            _ => {}
        }
        Ok(Cover::Outlines(self.outlines(object, layer, Some(extent)).into()))
    }

    /// The picture and box of an object that shows a tile; `None` for other objects, and for a tile in no
    /// tileset.
    fn tile_object(&self, object: &Object) -> Option<TileObject> {
        let PlacedTile { tileset, id, .. } = self.map.tile(object.gid?)?;
        let tileset = &self.map.tilesets[tileset];
        let tile = tileset.tiles.get(&id).map(Arc::as_ref);
        let picture = TileImage::new(tileset, tile, self.map.tile_size);
        let is_sized = object.size.x > Decimal::ZERO && object.size.y > Decimal::ZERO;
        let size = if is_sized { object.size } else { pieces::size_of(picture.size) };
        let to_corner = pieces::to_corner(tileset.alignment, self.lattice.is_isometric(), size);
        Some(TileObject { picture, size, to_corner })
    }

    /// The outlines of an object. If it shows a tile, they are those of `extent`: the tile's shapes, or else
    /// the object's box.
    fn outlines(
        &self,
        object: &Object,
        layer: &RuledLayer<'_>,
        extent: Option<&Extent>,
    ) -> Vec<Outline> {
        let Some(extent) = extent else {
            return Vec::from_iter(self.outline(object, layer.offset));
        };
        let Some(tile) = self.tile_object(object) else { return Vec::new() };
        let TileObject { picture, size, to_corner } = tile;
        let lattice = &self.lattice;
        let flips = object.gid.unwrap_or_default() & flip::ALL;
        let position = lattice.point(object.position) + layer.offset;
        let (shapes, offset) = match extent {
            Extent::Shapes(shapes) if !shapes.fill_cell => shapes.shown(size),
            _ => {
                let area = raster::rectangle(Decimal::ZERO, -size.y, size.x, size.y);
                (vec![area], picture.fitted(&[], size).1)
            }
        };
        let flipped = pieces::flipped(flips, size, lattice.is_hexagonal());
        let turn = Rotation::degrees(object.rotation);
        pieces::moved_outlines(&shapes, &|point| {
            let turned = turn.about(Point::default(), flipped(point) + offset + to_corner);
            position + lattice.displacement(turned)
        })
    }

    /// The outline of an object in pixels of the map, displaced by its layer's `offset`; `None` for a text.
    fn outline(&self, object: &Object, offset: Point) -> Option<Outline> {
        let lattice = &self.lattice;
        if lattice.turns_pictures() && object.rotation != Decimal::ZERO {
            let seen = pieces::of_object(object, &|point| lattice.seen(point))?;
            return Some(seen.map(&|point| lattice.displacement(point) + offset));
        }
        pieces::of_object(object, &|point| lattice.point(point) + offset)
    }

    /// The points of an object as it is drawn, in pixels of the map: its point, the points of its line, the
    /// corners of its polygon, or else those of its box or its tile. Empty for a text, and for a tile in no
    /// tileset.
    fn points(&self, object: &Object, layer: &RuledLayer<'_>) -> Vec<Point> {
        let Object { position, size, rotation, .. } = *object;
        let area = Object { position, size, rotation, ..Object::default() };
        let is_round = matches!(object.shape, Shape::Ellipse | Shape::Capsule);
        let tile = object.gid.map(|_| Extent::default());
        let drawn = if is_round { &area } else { object };
        match self.outlines(drawn, layer, tile.as_ref()).pop() {
            Some(Outline::Polygon(points) | Outline::Path(points)) => points,
            Some(Outline::Dot(point)) => vec![point],
            _ => Vec::new(),
        }
    }
}

/// An object that shows a tile, with the tile's picture.
struct TileObject {
    picture: TileImage,
    /// The width and height of the object's box, in pixels.
    size: Point,
    /// The displacement from the object's position to the bottom-left corner of its box.
    to_corner: Point,
}

fn floor(point: Point) -> IVec2 {
    IVec2::new(saturated(point.x.floor()), saturated(point.y.floor()))
}

fn is_whole(point: Point) -> bool {
    [point.x, point.y].iter().all(|side| side.millionths() % Decimal::PER_PIXEL == 0)
}

fn covered_box(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Aabb {
    if width == Decimal::ZERO && height == Decimal::ZERO {
        let at = Point { x, y }.pixel();
        return Aabb { min: at, max: at };
    }
    let [left, right] = covered_range(x, width);
    let [top, bottom] = covered_range(y, height);
    Aabb { min: IVec2::new(left, top), max: IVec2::new(right, bottom) }
}

/// The box of pixels around these points; `None` without a point.
fn covered_by(points: &[Point]) -> Option<Aabb> {
    let left = points.iter().map(|point| point.x).min()?;
    let right = points.iter().map(|point| point.x).max()?;
    let top = points.iter().map(|point| point.y).min()?;
    let bottom = points.iter().map(|point| point.y).max()?;
    Some(covered_box(left, top, right - left, bottom - top))
}

/// The pixels whose centres are between `start` and `start + size`: the first, and the end. If there is no
/// such pixel, the pixel at `start` counts: a wall is never too thin to exist.
fn covered_range(start: Decimal, size: Decimal) -> [i32; 2] {
    let first = start.pixel();
    let end = (start + size).pixel();
    if first == end {
        return [saturated(start.floor()), saturated(start.floor() + 1)];
    }
    [saturated(first), saturated(end)]
}

/// The box in pixels to which a drawn tile shape is cut, relative to the bottom-left corner of the tile's
/// picture.
const REACH: Aabb = Aabb { min: IVec2::new(-8_192, -8_192), max: IVec2::new(8_192, 8_192) };

/// The drawings of tile shapes, as pixels. Each shape is drawn once per orientation, guarded side and
/// fraction of a pixel.
struct Stamps<'m> {
    lattice: Lattice,
    limits: &'m Limits,
    drawn: HashMap<StampKey, Arc<Coverage>>,
    spent: Spent,
    /// The number of points in the shapes that were copied and scaled for single tile objects.
    points: u64,
}

/// The key of a drawn tile: everything that decides its pixels. Tiles with equal keys share one drawing.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct StampKey {
    /// The address of the shapes, which outlive the drawings. It is null for a whole cell that is no
    /// rectangle.
    shapes: *const TileShapes,
    flips: u32,
    /// The guarded side of a one-way tile; `None` for a solid tile or an area.
    edge: Option<Dir>,
    /// The fractions of a pixel by which the tile is displaced right and down, each from 0 to below 1.
    fraction: (Decimal, Decimal),
}

impl<'m> Stamps<'m> {
    fn new(lattice: &Lattice, limits: &'m Limits) -> Self {
        let drawn = HashMap::new();
        Self { lattice: *lattice, limits, drawn, spent: Spent::default(), points: 0 }
    }

    /// The pixels that a tile covers in a cell. `extent` is the whole cell or the tile's shapes. `flips` has
    /// the flag bits of the tile's number. `offset` is the displacement of the tile's layer in pixels.
    ///
    /// If `edge` is a guarded side, the result has only the pixels along that side. A tile that fills a
    /// rectangular cell always has the whole cell as its result.
    fn of_cell(
        &mut self,
        cell: IVec2,
        extent: &Extent,
        flips: u32,
        edge: Option<Dir>,
        offset: Point,
    ) -> Result<Cover, LoadErrorKind> {
        let at = self.lattice.cell_bottom_left_pixel(cell);
        let is_box = match extent {
            Extent::Cell(_) => self.lattice.is_rectangular(),
            Extent::Shapes(shapes) => shapes.fill_cell && flips & flip::DIAGONAL == 0,
        };
        if !is_box {
            return self.pixels(at, extent, flips, edge, offset);
        }
        let at = at.saturating_add((offset + self.own_offset(extent)).pixel());
        let size = self.lattice.cell_size().as_ivec2();
        Ok(Cover::Box(Aabb {
            min: IVec2::new(at.x, at.y.saturating_sub(size.y)),
            max: IVec2::new(at.x.saturating_add(size.x), at.y),
        }))
    }

    /// The pixels of [`Stamps::of_cell`], displaced to the cell whose bottom-left corner is at `at`.
    fn pixels(
        &mut self,
        at: IVec2,
        extent: &Extent,
        flips: u32,
        edge: Option<Dir>,
        offset: Point,
    ) -> Result<Cover, LoadErrorKind> {
        let (shapes, flips) = match extent {
            Extent::Cell(_) => (ptr::null(), 0),
            Extent::Shapes(shapes) => (Rc::as_ptr(shapes), flips),
        };
        let (whole, fraction) = split(offset + self.own_offset(extent));
        let at = at.saturating_add(whole);
        let key = StampKey { shapes, flips, edge, fraction: (fraction.x, fraction.y) };
        if let Some(drawn) = self.drawn.get(&key) {
            return Ok(Cover::Pixels(Arc::clone(drawn), at));
        }
        let all = match extent {
            Extent::Cell(_) => Coverage::of(&self.outlines(extent, flips, fraction), REACH),
            Extent::Shapes(shapes) => self.draw(extent, shapes, flips, fraction)?,
        };
        let drawn = Arc::new(if let Some(dir) = edge { all.edges(dir) } else { all });
        self.drawn.insert(key, Arc::clone(&drawn));
        Ok(Cover::Pixels(drawn, at))
    }

    /// Returns the displacement of a tile's picture in pixels, which the caller must add to the position of
    /// `extent`. It is (0, 0) if the shapes in `extent` already include the displacement.
    fn own_offset(&self, extent: &Extent) -> Point {
        match extent {
            Extent::Cell(own) => self.lattice.displacement(*own),
            Extent::Shapes(_) if self.lattice.turns_pictures() => Point::default(),
            Extent::Shapes(shapes) => shapes.picture.offset_in_cell(),
        }
    }

    /// Returns a function that flips a point of a tile's picture. `size` is the picture's size in the level.
    /// If the level turns pictures (a map that is drawn slanted), the function also adds `offset` and turns
    /// the point. Otherwise, the caller adds [`Stamps::own_offset`].
    fn placed(&self, flips: u32, size: Point, offset: Point) -> impl Fn(Point) -> Point {
        let lattice = &self.lattice;
        let flipped = pieces::flipped(flips, size, lattice.is_hexagonal());
        move |point| {
            if lattice.turns_pictures() {
                return lattice.picture_point(flipped(point) + offset);
            }
            flipped(point)
        }
    }

    /// The outlines of a tile in a cell whose picture has its bottom-left corner at `corner`.
    fn outlines(&self, extent: &Extent, flips: u32, corner: Point) -> Vec<Outline> {
        match extent {
            Extent::Cell(_) => {
                let outline = Outline::Polygon(self.lattice.cell_outline());
                vec![outline.map(&|point| point + corner)]
            }
            Extent::Shapes(shapes) => {
                let size = pieces::size_of(shapes.picture.size_in_cell);
                let (shown, offset) = shapes.shown(size);
                let placed = self.placed(flips, size, offset);
                pieces::moved_outlines(&shown, &|point| placed(point) + corner)
            }
        }
    }

    fn draw(
        &mut self,
        extent: &Extent,
        shapes: &TileShapes,
        flips: u32,
        fraction: Point,
    ) -> Result<Coverage, LoadErrorKind> {
        let (shown, _) = shapes.shown(pieces::size_of(shapes.picture.size_in_cell));
        // Real shapes need few rows of pixels; a hostile file could have millions.
        let rows = shown.iter().fold(0_u64, |rows, it| rows.saturating_add(it.work(REACH)));
        self.spent.work(rows.saturating_mul(STEPS_A_ROW), self.limits)?;
        let lattice = &self.lattice;
        let is_turned = lattice.is_hexagonal() && flips & (flip::DIAGONAL | flip::ROTATED) != 0;
        if lattice.turns_pictures() || is_turned || fraction != Point::default() {
            return Ok(Coverage::of(&self.outlines(extent, flips, fraction), REACH));
        }
        // The shapes are drawn upright and then turned, so that all eight orientations have the same pixels.
        let upright = Coverage::of(&shown, REACH);
        let flips = Flips {
            diagonal: flips & flip::DIAGONAL != 0,
            horizontal: flips & flip::HORIZONTAL != 0,
            vertical: flips & flip::VERTICAL != 0,
        };
        let rows = upright.turned_len(flips);
        self.spent.work(rows.saturating_mul(STEPS_A_ROW), self.limits)?;
        Ok(upright.turned(flips, shapes.picture.size_in_cell))
    }
}

/// Splits a displacement into whole pixels, rounded down, and the remaining fraction of a pixel.
fn split(offset: Point) -> (IVec2, Point) {
    let whole = floor(offset);
    let moved = Point { x: Decimal::from_pixels(whole.x), y: Decimal::from_pixels(whole.y) };
    (whole, offset - moved)
}
