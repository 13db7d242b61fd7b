//! Objects: what the rules say of one, and the pixels that it covers.
//!
//! It looks at one object at a time; `solids` puts the parts into a level, and `explain` finds a pixel in
//! them.

use std::sync::Arc;

use glam::IVec2;

use super::outlines::{self, Picture};
use super::pieces::{Claim, Cover};
use super::prepared::PreparedMap;
use super::roles::{Role, RuledLayer};
use super::stamps::Stamps;
use super::tile_meaning::Extent;
use crate::error::LoadErrorKind;
use crate::geometry::decimal::{Decimal, Point};
use crate::geometry::{Aabb, saturated};
use crate::raster::{self, Outline, Turn};
use crate::tmx::{Object, Shape, flip};

/// The parts of an object that go into a level.
#[derive(Default)]
pub(super) struct ObjectParts {
    /// The cover of each plane that it is in; a solid or one-way part comes before the areas.
    pub(super) parts: Vec<(Claim, Cover)>,
    /// Why it is solid, if it is.
    pub(super) because: String,
    /// Where it is, if it is a marker.
    pub(super) marker: Option<Aabb>,
}

impl PreparedMap<'_> {
    /// The parts of an object that go into a level.
    ///
    /// # Errors
    /// A one-way property that names no side, a tile that no tileset has, too many rows of pixels.
    pub(super) fn object_parts(
        &self,
        object: &Object,
        layer: &RuledLayer<'_>,
        stamps: &mut Stamps<'_>,
    ) -> Result<ObjectParts, LoadErrorKind> {
        let role = Role::of_object(object, &layer.role, self.options)?;
        let mut found = ObjectParts::default();
        if let Some(gid) = object.gid {
            let meaning = self.tiles.index(gid)?;
            if let Some(meaning) = self.tiles.meanings.get(meaning as usize) {
                found.because = meaning.reason(&role).cloned().unwrap_or_default();
                for (claim, extent) in meaning.object_claims(&role) {
                    let cover = self.cover_of_tile(extent, gid, object, layer, stamps)?;
                    found.parts.push((claim, cover));
                }
            }
            return Ok(found);
        }
        if matches!(object.shape, Shape::Text(_)) {
            return Ok(found);
        }
        let area = self.object_area(object, layer.offset);
        let is_rectangle = object.shape == Shape::Rectangle;
        let is_empty = is_rectangle && area.is_empty();
        let claim = role.one_way.map(Claim::OneWay).or(role.solid.as_ref().map(|_| Claim::Solid));
        if is_empty || claim.is_none() {
            let is_place = is_rectangle || object.shape == Shape::Point;
            found.marker = is_place.then_some(area);
        }
        let claims = claim.into_iter().chain(role.areas.into_iter().map(Claim::Area));
        let mut claims = claims.filter(|_| !is_empty).peekable();
        if claims.peek().is_some() {
            let is_upright = object.rotation == Decimal::ZERO && self.lattice.is_rectangular();
            let cover = match is_rectangle && is_upright {
                true => Cover::Box(area),
                false => Cover::Outlines(self.outline(object, layer.offset).into_iter().collect()),
            };
            found.parts = claims.map(|claim| (claim, cover.clone())).collect();
        }
        found.because = role.solid.unwrap_or_default();
        Ok(found)
    }

    /// The cover of a tile that is placed as an object: its shapes, or all of its box.
    fn cover_of_tile(
        &self,
        extent: &Extent,
        gid: u32,
        object: &Object,
        layer: &RuledLayer<'_>,
        stamps: &mut Stamps<'_>,
    ) -> Result<Cover, LoadErrorKind> {
        let place = self.tiles.place(gid);
        let tileset = place.and_then(|(index, id)| Some((self.map.tilesets.get(index)?, id)));
        let Some((tileset, id)) = tileset else {
            return Ok(Cover::Outlines(Arc::default()));
        };
        let (lattice, flips) = (&self.lattice, gid & flip::ALL);
        let picture = Picture::of(tileset, tileset.tiles.get(&id), self.map.tile_size);
        let (natural, stated) = (outlines::size_of(picture.size), object.size);
        let is_sized = stated.x > Decimal::ZERO && stated.y > Decimal::ZERO;
        let size = if is_sized { stated } else { natural };
        let to_corner = outlines::to_corner(tileset.alignment, lattice.is_isometric(), size);
        let position = lattice.point(object.position) + layer.offset;
        let corner = position + to_corner;
        let turns = lattice.is_hexagonal() && flips & (flip::DIAGONAL | flip::ROTATED) != 0;
        let is_plain = object.rotation == Decimal::ZERO && !lattice.turns_pictures() && !turns;
        let (shapes, offset) = match extent {
            Extent::Shapes(shapes) if !shapes.fill_cell => {
                // Pixels that are drawn once for all cells fit where a picture starts with a pixel.
                let fits = size == natural && picture.size_in_cell == picture.size;
                if is_plain && fits && is_whole(corner) {
                    return stamps.pixels(corner.pixel(), extent, flips, None, Point::default());
                }
                stamps.spend_points(shapes)?;
                shapes.shown(size)
            }
            _ => {
                let (_, offset) = picture.fitted(&[], size);
                if is_plain {
                    let is_diagonal = flips & flip::DIAGONAL != 0;
                    let (w, h) = if is_diagonal { (size.y, size.x) } else { (size.x, size.y) };
                    let corner = corner + offset;
                    return Ok(Cover::Box(covered_box(corner.x, corner.y - h, w, h)));
                }
                (vec![raster::rectangle(Decimal::ZERO, -size.y, size.x, size.y)], offset)
            }
        };
        let flipped = outlines::flipped(flips, size, lattice.is_hexagonal());
        let turn = Turn::degrees(object.rotation);
        let outlines = outlines::moved(&shapes, &|point| {
            let turned = turn.about(Point::default(), flipped(point) + offset + to_corner);
            position + lattice.displacement(turned)
        });
        Ok(Cover::Outlines(outlines.into()))
    }

    /// The outline of an object, displaced with its layer, in pixels of the map.
    pub(super) fn outline(&self, object: &Object, offset: Point) -> Option<Outline> {
        let lattice = &self.lattice;
        if lattice.turns_pictures() && object.rotation != Decimal::ZERO {
            let seen = outlines::of_object(object, &|point| lattice.seen(point))?;
            return Some(seen.map(&|point| lattice.displacement(point) + offset));
        }
        outlines::of_object(object, &|point| lattice.point(point) + offset)
    }

    /// The pixels that a rectangle covers, as if it were not rotated. For a point, an empty box at its pixel.
    fn object_area(&self, object: &Object, offset: Point) -> Aabb {
        let lattice = &self.lattice;
        let (at, size) = (object.position, object.size);
        if object.shape == Shape::Point {
            let at = lattice.point(at) + offset;
            let pixel = IVec2::new(saturated(at.x.floor()), saturated(at.y.floor()));
            return Aabb { min: pixel, max: pixel };
        }
        if lattice.is_rectangular() {
            let at = at + offset;
            return covered_box(at.x, at.y, size.x, size.y);
        }
        let rectangle = raster::rectangle(at.x, at.y, size.x, size.y);
        rectangle.map(&|point| lattice.point(point) + offset).bounds()
    }
}

/// True if both coordinates are whole pixels.
fn is_whole(point: Point) -> bool {
    let side = |side: Decimal| side.millionths() % Decimal::PER_PIXEL == 0;
    side(point.x) && side(point.y)
}

/// The pixels that a rectangle covers.
pub(super) fn covered_box(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Aabb {
    if width == Decimal::ZERO && height == Decimal::ZERO {
        let at = Point { x, y }.pixel();
        return Aabb { min: at, max: at };
    }
    let (left, right) = covered(x, width);
    let (top, bottom) = covered(y, height);
    Aabb {
        min: IVec2::new(saturated(left), saturated(top)),
        max: IVec2::new(saturated(right), saturated(bottom)),
    }
}

/// The pixels from `start` on whose centres are within `size`; at least the one that holds `start`, so that
/// no wall is too thin to be there.
fn covered(start: Decimal, size: Decimal) -> (i64, i64) {
    let (first, end) = (start.pixel(), (start + size).pixel());
    if first == end {
        return (start.floor(), start.floor() + 1);
    }
    (first, end)
}
