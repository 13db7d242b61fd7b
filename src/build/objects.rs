//! Objects: what the rules say of one, and the pixels that it covers.
//!
//! It judges one object at a time; `solids` collects what it finds, and `explain` asks it about a pixel.

use std::sync::Arc;

use glam::IVec2;

use super::layer_role::{LayerRole, areas_with};
use super::outlines;
use super::pieces::Pieces;
use super::prepared::PreparedMap;
use super::stamps::{Stamp, Stamps};
use super::tile_meaning::{Extent, TileMeaning, picture_size};
use crate::error::LoadErrorKind;
use crate::geometry::decimal::{Decimal, Point};
use crate::geometry::{Aabb, Sides};
use crate::raster::{self, Coverage, Outline, Turn};
use crate::tmx::{LayerContext, Object, Shape, flip};

/// The meaning of an object or of a part of it.
#[derive(Default)]
pub(super) struct Claims {
    /// Why it is solid.
    pub(super) solid: Option<String>,
    /// The sides that it guards.
    pub(super) one_way: Option<Sides<bool>>,
    /// The areas that it is of, by their index in the options.
    pub(super) areas: Vec<usize>,
}

/// The cover of an object, in pixels of the map.
pub(super) enum Cover {
    /// A box: a rectangle that is not turned.
    Box(Aabb),
    /// Pixels of a tile's shapes, and where they are put.
    Pixels(Arc<Coverage>, IVec2),
    Outlines(Vec<Outline>),
}

/// The rules' judgement of an object.
#[derive(Default)]
pub(super) struct Judged {
    /// Its parts, each with what it covers.
    pub(super) parts: Vec<(Claims, Cover)>,
    /// Where it is, if it is a marker.
    pub(super) marker: Option<Aabb>,
}

impl PreparedMap<'_> {
    /// The rules' judgement of an object.
    ///
    /// # Errors
    /// A one-way property that names no side, a tile that no tileset has, too many rows of pixels.
    pub(super) fn judge_object(
        &self,
        object: &Object,
        context: &LayerContext<'_>,
        role: &LayerRole,
        stamps: &mut Stamps<'_>,
    ) -> Result<Judged, LoadErrorKind> {
        let claims = self.claims(object, role)?;
        let mut judged = Judged::default();
        if let Some(gid) = object.gid {
            let meaning = self.tiles.index(gid)?;
            let Some(meaning) = self.tiles.meanings.get(meaning as usize) else {
                return Ok(judged);
            };
            for (claims, extent) in tile_parts(claims, meaning, role) {
                let cover = self.cover_of_tile(extent, gid, object, context, stamps)?;
                judged.parts.push((claims, cover));
            }
            return Ok(judged);
        }
        if matches!(object.shape, Shape::Text(_)) {
            return Ok(judged);
        }
        let area = self.object_area(object, context);
        let is_rectangle = object.shape == Shape::Rectangle;
        let is_empty = is_rectangle && area.is_empty();
        if is_empty || (claims.solid.is_none() && claims.one_way.is_none()) {
            let is_place = is_rectangle || object.shape == Shape::Point;
            judged.marker = is_place.then_some(area);
            if is_empty || claims.areas.is_empty() {
                return Ok(judged);
            }
        }
        let is_upright = object.rotation == Decimal::ZERO && self.lattice.is_rectangular();
        let cover = match is_rectangle && is_upright {
            true => Cover::Box(area),
            false => Cover::Outlines(self.outlines(object, context)),
        };
        judged.parts.push((claims, cover));
        Ok(judged)
    }

    /// The meaning of an object by itself and by its layer.
    fn claims(&self, object: &Object, role: &LayerRole) -> Result<Claims, LoadErrorKind> {
        let (class, properties) = (&object.class, &object.properties);
        let rules = &self.options.solid_rules;
        let one_way = rules.one_way(class, properties);
        let one_way =
            one_way.map_err(|reason| LoadErrorKind::OneWay { reason: reason.to_string() })?;
        let one_way = one_way.or(role.one_way).filter(|_| !role.is_passable);
        // A point is a place, however solid its layer; only by itself can it be more.
        let of_layer = role.solid.clone().filter(|_| object.shape != Shape::Point);
        let own = rules.object(class, properties).filter(|_| !role.is_passable);
        Ok(Claims {
            solid: of_layer.or(own).filter(|_| one_way.is_none()),
            one_way,
            areas: areas_with(self.options, &role.areas, |area| {
                area.object(class, properties).is_some()
            }),
        })
    }

    /// The cover of a tile that is placed as an object: its shapes, or all of its box.
    fn cover_of_tile(
        &self,
        extent: &Extent,
        gid: u32,
        object: &Object,
        context: &LayerContext<'_>,
        stamps: &mut Stamps<'_>,
    ) -> Result<Cover, LoadErrorKind> {
        let place = self.tiles.place(gid);
        let tileset = place.and_then(|(index, id)| Some((self.map.tilesets.get(index)?, id)));
        let Some((tileset, id)) = tileset else {
            return Ok(Cover::Outlines(Vec::new()));
        };
        let (lattice, flips) = (&self.lattice, gid & flip::ALL);
        let natural = outlines::size_of(picture_size(tileset, id));
        let stated = object.size;
        let is_sized = stated.x > Decimal::ZERO && stated.y > Decimal::ZERO;
        let size = if is_sized { stated } else { natural };
        let to_corner = outlines::to_corner(tileset.alignment, lattice.is_isometric(), size);
        let position = lattice.point(object.position) + lattice.layer_offset(context.offset);
        let corner = position + to_corner;
        let turns = lattice.is_hexagonal() && flips & (flip::DIAGONAL | flip::ROTATED) != 0;
        let is_plain = object.rotation == Decimal::ZERO && !lattice.turns_pictures() && !turns;
        let (shapes, offset) = match extent {
            Extent::Shapes(shapes) if !shapes.fill_cell => {
                // Pixels that are drawn once for all cells fit where a picture starts with a pixel.
                let fits = size == natural && shapes.has_own_size_in_cell() && is_whole(corner);
                if is_plain
                    && fits
                    && let Stamp::Pixels(pixels, shift) =
                        stamps.stamp(extent, flips, None, Point::default())?
                {
                    return Ok(Cover::Pixels(pixels, corner.pixel().saturating_add(shift)));
                }
                stamps.spend_points(shapes)?;
                shapes.shown(size)
            }
            _ => {
                let offset = Point {
                    x: Decimal::from_pixels(tileset.offset.x),
                    y: Decimal::from_pixels(tileset.offset.y),
                };
                let all = raster::rectangle(Decimal::ZERO, -size.y, size.x, size.y);
                let sizes = (natural, size);
                let (_, offset) = outlines::fitted(&[], offset, sizes, tileset.keeps_aspect);
                if is_plain {
                    let is_diagonal = flips & flip::DIAGONAL != 0;
                    let (w, h) = match is_diagonal {
                        true => (size.y, size.x),
                        false => (size.x, size.y),
                    };
                    let corner = corner + offset;
                    return Ok(Cover::Box(covered_box(corner.x, corner.y - h, w, h)));
                }
                (vec![all], offset)
            }
        };
        let flipped = match turns {
            true => outlines::flipped_hexagonal(&shapes, flips, size),
            false => outlines::flipped(&shapes, flips, size),
        };
        let turn = Turn::degrees(object.rotation);
        Ok(Cover::Outlines(outlines::moved(&flipped, &|point| {
            let turned = turn.about(Point::default(), point + offset + to_corner);
            position + lattice.displacement(turned)
        })))
    }

    /// The outlines of an object, displaced with its layer, in pixels of the map.
    fn outlines(&self, object: &Object, context: &LayerContext<'_>) -> Vec<Outline> {
        let lattice = &self.lattice;
        let offset = lattice.layer_offset(context.offset);
        let is_seen_turned = lattice.turns_pictures() && object.rotation != Decimal::ZERO;
        if is_seen_turned {
            let seen = outlines::of_object(object, &|point| lattice.seen(point));
            return outlines::moved(&seen, &|point| lattice.displacement(point) + offset);
        }
        outlines::of_object(object, &|point| lattice.point(point) + offset)
    }

    /// The pixels that a rectangle covers, as if it were not rotated. For a point, an empty box at its pixel.
    fn object_area(&self, object: &Object, context: &LayerContext<'_>) -> Aabb {
        let lattice = &self.lattice;
        let offset = lattice.layer_offset(context.offset);
        let (at, size) = (object.position, object.size);
        if object.shape == Shape::Point {
            let at = lattice.point(at) + offset;
            let pixel = IVec2::new(clamp(at.x.floor()), clamp(at.y.floor()));
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

/// The parts of a tile that is placed as an object, and where in it each is. A flag of the object or of its
/// layer says that it is something; the tile's shapes say where.
fn tile_parts<'t>(
    claims: Claims,
    meaning: &'t TileMeaning,
    role: &LayerRole,
) -> Vec<(Claims, &'t Extent)> {
    let mut parts = Vec::new();
    if meaning.is_free {
        return parts;
    }
    let none = Claims::default;
    let solid = |because| Claims { solid: Some(because), ..none() };
    let one_way = |sides| Claims { one_way: Some(sides), ..none() };
    if let Some(sides) = claims.one_way {
        parts.push((one_way(sides), &meaning.extent));
    } else if let Some(because) = claims.solid {
        parts.push((solid(because), meaning.solid_extent()));
    } else if role.is_passable {
    } else if let Some((sides, extent)) = &meaning.one_way {
        parts.push((one_way(*sides), extent));
    } else if let Some((because, extent)) = &meaning.solid {
        parts.push((solid(because.clone()), extent));
    }
    let claimed = claims.areas.into_iter().map(|area| (area, &meaning.extent));
    let own = meaning.areas.iter().map(|(area, extent)| (*area, extent));
    parts.extend(claimed.chain(own).map(|(area, extent)| {
        let areas = vec![area];
        (Claims { areas, ..none() }, extent)
    }));
    parts
}

/// True if both coordinates are whole pixels.
fn is_whole(point: Point) -> bool {
    let side = |side: Decimal| side.millionths() % Decimal::PER_PIXEL == 0;
    side(point.x) && side(point.y)
}

/// The pixels that a rectangle covers.
fn covered_box(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Aabb {
    if width == Decimal::ZERO && height == Decimal::ZERO {
        let at = Point { x, y }.pixel();
        return Aabb { min: at, max: at };
    }
    let (left, right) = covered(x, width);
    let (top, bottom) = covered(y, height);
    Aabb { min: IVec2::new(clamp(left), clamp(top)), max: IVec2::new(clamp(right), clamp(bottom)) }
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

fn clamp(pixel: i64) -> i32 {
    pixel.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

impl Cover {
    /// Adds it to the pieces of a plane.
    pub(super) fn add_to(&self, pieces: &mut Pieces) {
        match (self, pieces.edge) {
            (Self::Box(area), _) => pieces.boxes.push(*area),
            (Self::Pixels(pixels, at), None) => pieces.stamps.push((Arc::clone(pixels), *at)),
            (Self::Pixels(pixels, at), Some(edge)) => {
                pieces.stamps.push((Arc::new(pixels.edges(edge)), *at));
            }
            (Self::Outlines(outlines), _) => pieces.outlines.extend(outlines.iter().cloned()),
        }
    }

    /// A box around it.
    pub(super) fn bounds(&self) -> Aabb {
        match self {
            Self::Box(area) => *area,
            Self::Pixels(pixels, at) => pixels.bounds().translated(*at),
            Self::Outlines(outlines) => {
                let bounds = outlines.iter().map(Outline::bounds);
                bounds.reduce(Aabb::hull).unwrap_or_default()
            }
        }
    }

    /// True if it covers the pixel.
    pub(super) fn contains(&self, pixel: IVec2) -> bool {
        match self {
            Self::Box(area) => area.contains(pixel),
            Self::Pixels(pixels, at) => pixels.contains(pixel.saturating_sub(*at)),
            Self::Outlines(outlines) => outlines.iter().any(|outline| {
                let mut covers = false;
                let clip = Aabb::from_xywh(pixel.x, pixel.y, 1, 1);
                outline.cover(clip, &mut |_| covers = true);
                covers
            }),
        }
    }
}
