//! Objects of a map: as solids, as one-way solids, as parts of areas, as markers.

use std::sync::Arc;

use glam::IVec2;

use super::Loader;
use super::compose::Pieces;
use super::document::{RawLayer, RawObject, RawTileset};
use super::facts::properties;
use super::kinds::{Form, Kind, picture_size};
use super::outlines;
use super::schema::Shape;
use super::solids::LayerRole;
use crate::error::warning::LoadWarning;
use crate::error::{LoadErrorKind, Place};
use crate::geometry::decimal::Decimal;
use crate::geometry::decimal::Point;
use crate::geometry::{Aabb, Dir, Sides};
use crate::level::source::{Covered, Marker, Solid, flip};
use crate::raster::{self, Coverage, Outline, Turn};

/// What an object covers, in pixels of the map.
enum Body {
    /// A box: a rectangle that is not turned.
    Box(Aabb),
    /// Pixels of a tile's shapes, by the guarded side, and where they are put.
    Pixels([Arc<Coverage>; 5], IVec2),
    Outlines(Vec<Outline>),
}

/// What an object is.
#[derive(Default)]
struct Claims {
    solid: Option<String>,
    one_way: Option<Sides<bool>>,
    areas: Vec<usize>,
}

impl<'m> Loader<'m> {
    /// Takes in an object.
    pub(super) fn object(
        &mut self,
        object: &tiled::ObjectData,
        geometry: &RawObject,
        layer: &RawLayer<'_>,
        role: &LayerRole,
        place: &Place,
    ) -> Result<(), LoadErrorKind> {
        self.warn_of_text(&object.properties, place);
        let properties = properties(&object.properties);
        let rules = &self.options.solid_rules;
        let own = rules.object(&object.user_type, &properties);
        let one_way = rules.one_way(&object.user_type, &properties);
        let one_way = one_way.map_err(|reason| LoadErrorKind::OneWay {
            reason: reason.to_string(),
        })?;
        let mut areas = self
            .judge
            .areas(|area| area.object(&object.user_type, &properties).is_some());
        areas.extend(&role.areas);
        areas.sort_unstable();
        areas.dedup();
        // A point is a place, however solid its layer; only by itself can it be more.
        let of_layer = role
            .solid
            .clone()
            .filter(|_| geometry.shape != Shape::Point);
        let mut claims = Claims {
            solid: of_layer.or(own.filter(|_| !role.is_passable)),
            one_way: one_way.or(role.one_way).filter(|_| !role.is_passable),
            areas,
        };
        if claims.one_way.is_some() {
            claims.solid = None;
        }
        if let Some(gid) = geometry.gid {
            return match self.tiles.kind(gid) {
                Ok(index) => self.tile_object((gid, index), geometry, layer, role, claims),
                Err(kind) if self.options.lenient => {
                    self.warnings
                        .push(LoadWarning::fault(place.clone(), &kind, 1));
                    Ok(())
                }
                Err(kind) => Err(kind),
            };
        }
        if geometry.shape == Shape::Text {
            return Ok(());
        }
        let is_place = matches!(geometry.shape, Shape::Rectangle | Shape::Point);
        let area = self.area(geometry, layer);
        let is_empty = geometry.shape == Shape::Rectangle && area.is_empty();
        if is_empty || (claims.solid.is_none() && claims.one_way.is_none()) {
            if is_place {
                self.markers.push(Marker {
                    name: object.name.clone(),
                    class: object.user_type.clone(),
                    layer: layer.path.clone(),
                    object: geometry.id,
                    area,
                    is_point: geometry.shape == Shape::Point,
                    properties,
                });
            }
            if is_empty || claims.areas.is_empty() {
                return Ok(());
            }
        }
        let is_upright = geometry.rotation == Decimal::ZERO && self.solids.lattice.is_rectangular();
        let body = if geometry.shape == Shape::Rectangle && is_upright {
            Body::Box(area)
        } else {
            Body::Outlines(self.on_level(geometry, layer))
        };
        self.place(body, &claims, geometry, layer);
        Ok(())
    }

    /// Takes in a tile that is placed as an object.
    fn tile_object(
        &mut self,
        (gid, index): (u32, u32),
        geometry: &RawObject,
        layer: &RawLayer<'_>,
        role: &LayerRole,
        claims: Claims,
    ) -> Result<(), LoadErrorKind> {
        let kind: &'m Kind = &self.tiles.kinds[index as usize];
        if kind.is_free {
            return Ok(());
        }
        let says_all = claims.solid.is_some() || claims.one_way.is_some();
        if says_all || !claims.areas.is_empty() {
            let body = self.tile_body(&Form::Cell, gid, geometry, layer)?;
            self.place(body, &claims, geometry, layer);
        }
        if !says_all && !role.is_passable {
            let claim = match (&kind.one_way, &kind.solid) {
                (Some((sides, form)), _) => Some((form, Some(*sides), None)),
                (None, Some((because, form))) => Some((form, None, Some(because.clone()))),
                (None, None) => None,
            };
            if let Some((form, one_way, solid)) = claim {
                let claims = Claims {
                    solid,
                    one_way,
                    areas: Vec::new(),
                };
                let body = self.tile_body(form, gid, geometry, layer)?;
                self.place(body, &claims, geometry, layer);
            }
        }
        for (area, form) in &kind.areas {
            let claims = Claims {
                areas: vec![*area],
                ..Claims::default()
            };
            let body = self.tile_body(form, gid, geometry, layer)?;
            self.place(body, &claims, geometry, layer);
        }
        Ok(())
    }

    /// What a tile covers that is placed as an object: its shapes, or all of its box.
    fn tile_body(
        &mut self,
        form: &Form,
        gid: u32,
        geometry: &RawObject,
        layer: &RawLayer<'_>,
    ) -> Result<Body, LoadErrorKind> {
        let flips = gid & flip::ALL;
        let Some((tileset, id)) = self.tileset_of(gid) else {
            return Ok(Body::Outlines(Vec::new()));
        };
        let own = picture_size(tileset, id);
        let natural = outlines::size_of(own);
        let stated = Point {
            x: geometry.width,
            y: geometry.height,
        };
        let is_sized = stated.x > Decimal::ZERO && stated.y > Decimal::ZERO;
        let size = if is_sized { stated } else { natural };
        let lattice = &self.solids.lattice;
        let to_corner = outlines::to_corner(tileset.alignment, lattice.is_isometric(), size);
        let position = Point {
            x: geometry.x,
            y: geometry.y,
        };
        let position = lattice.point(position) + lattice.layer_offset(offset_of(layer));
        let turns = lattice.is_hexagonal() && flips & (flip::DIAGONAL | flip::ROTATED) != 0;
        let is_plain = geometry.rotation == Decimal::ZERO && !lattice.turns_pictures() && !turns;
        let corner = position + to_corner;
        let is_whole = |side: Decimal| side.millionths() % Decimal::PER_PIXEL == 0;
        // What is drawn once for all cells fits where a picture starts with a pixel.
        let is_on_pixels = is_whole(corner.x) && is_whole(corner.y);
        match form {
            Form::Cell if is_plain => {
                let is_diagonal = flips & flip::DIAGONAL != 0;
                let (w, h) = if is_diagonal {
                    (size.y, size.x)
                } else {
                    (size.x, size.y)
                };
                Ok(Body::Box(covered_box(corner.x, corner.y - h, w, h)))
            }
            Form::Shapes(shapes)
                if is_plain && is_on_pixels && size == natural && shapes.size_in_cell == own =>
            {
                let mut drawn = Vec::with_capacity(5);
                for edge in [None].into_iter().chain(Dir::ALL.map(Some)) {
                    drawn.extend(self.solids.upright(form, flips, edge)?);
                }
                match <[Arc<Coverage>; 5]>::try_from(drawn) {
                    Ok(drawn) => Ok(Body::Pixels(drawn, corner.pixel())),
                    Err(_) => Ok(Body::Outlines(Vec::new())),
                }
            }
            _ => {
                let (shapes, offset) = match form {
                    Form::Cell => {
                        let top = Decimal::ZERO - size.y;
                        let all = raster::rectangle(Decimal::ZERO, top, size.x, size.y);
                        (vec![all], Point::default())
                    }
                    Form::Shapes(shapes) => shapes.shown(size),
                };
                let flipped = if turns {
                    outlines::flipped_hexagonal(&shapes, flips, size)
                } else {
                    outlines::flipped(&shapes, flips, size)
                };
                let turn = Turn::degrees(geometry.rotation);
                Ok(Body::Outlines(outlines::moved(&flipped, &|point| {
                    let turned = turn.about(Point::default(), point + offset + to_corner);
                    position + lattice.displacement(turned)
                })))
            }
        }
    }

    /// The tileset of a tile of the map, and its id there.
    fn tileset_of(&self, gid: u32) -> Option<(&'m RawTileset, u32)> {
        let (index, id) = self.tiles.place(gid)?;
        Some((self.judge.tilesets.get(index)?, id))
    }

    /// Adds what an object covers to what it is.
    fn place(&mut self, body: Body, claims: &Claims, geometry: &RawObject, layer: &RawLayer<'_>) {
        let solids = &mut self.solids;
        if let Some(because) = &claims.solid {
            solids.count(
                format!("object in layer `{}` by {because}", layer.path),
                0,
                1,
            );
        }
        if claims.one_way.is_some() {
            solids.count(
                format!("object in layer `{}` that is one-way", layer.path),
                0,
                1,
            );
        }
        let mut targets: Vec<&mut Pieces> = Vec::new();
        targets.extend(claims.solid.as_ref().map(|_| &mut solids.solid));
        let sides = Dir::ALL.into_iter().zip(&mut solids.one_way);
        let guarded = sides.filter(|(dir, _)| claims.one_way.is_some_and(|sides| sides.get(*dir)));
        targets.extend(guarded.map(|(_, pieces)| pieces));
        let areas = solids.areas.iter_mut().enumerate();
        let areas = areas.filter(|(index, _)| claims.areas.contains(index));
        targets.extend(areas.map(|(_, pieces)| pieces));
        for pieces in targets {
            match &body {
                Body::Box(area) => pieces.boxes.push(*area),
                Body::Pixels(drawn, at) => {
                    let edge = pieces
                        .edge
                        .and_then(|edge| Dir::ALL.iter().position(|dir| *dir == edge));
                    let drawn = &drawn[edge.map_or(0, |edge| edge + 1)];
                    pieces.stamps.push((Arc::clone(drawn), *at));
                }
                Body::Outlines(outlines) => pieces.outlines.extend(outlines.iter().cloned()),
            }
        }
        let because = match (&claims.solid, claims.one_way) {
            (Some(because), _) => because.clone(),
            (None, Some(_)) => "it is one-way".to_owned(),
            (None, None) => return,
        };
        if let Some(map) = &mut self.map {
            map.solids.push(Solid::Object {
                layer: layer.path.clone(),
                line: geometry.line,
                object: geometry.id,
                because,
                covers: match body {
                    Body::Box(area) => vec![Covered::Box(area)],
                    Body::Pixels([drawn, ..], at) => vec![Covered::Pixels(drawn, at)],
                    Body::Outlines(outlines) => {
                        outlines.into_iter().map(Covered::Outline).collect()
                    }
                },
            });
        }
    }

    /// Outlines of a map's object, moved with its layer, in pixels of the level.
    fn on_level(&self, object: &RawObject, layer: &RawLayer<'_>) -> Vec<Outline> {
        let lattice = &self.solids.lattice;
        let offset = lattice.layer_offset(offset_of(layer));
        let is_seen_turned = lattice.turns_pictures() && object.rotation != Decimal::ZERO;
        if is_seen_turned {
            let seen = outlines::of_object(object, &|point| lattice.seen(point));
            return outlines::moved(&seen, &|point| lattice.displacement(point) + offset);
        }
        outlines::of_object(object, &|point| lattice.point(point) + offset)
    }

    /// The pixels that a rectangle covers, as if it were not rotated. For a point, an empty box at its pixel.
    fn area(&self, object: &RawObject, layer: &RawLayer<'_>) -> Aabb {
        let lattice = &self.solids.lattice;
        let at = Point {
            x: object.x,
            y: object.y,
        };
        let offset = lattice.layer_offset(offset_of(layer));
        if object.shape == Shape::Point {
            let at = lattice.point(at) + offset;
            let pixel = IVec2::new(clamp(at.x.floor()), clamp(at.y.floor()));
            return Aabb {
                min: pixel,
                max: pixel,
            };
        }
        if lattice.is_rectangular() {
            let at = at + offset;
            return covered_box(at.x, at.y, object.width, object.height);
        }
        let rectangle = raster::rectangle(at.x, at.y, object.width, object.height);
        rectangle
            .map(&|point| lattice.point(point) + offset)
            .bounds()
    }
}

/// How far a layer is moved on the screen.
fn offset_of(layer: &RawLayer<'_>) -> Point {
    let (x, y) = layer.offset;
    Point { x, y }
}

/// The pixels that a rectangle covers.
fn covered_box(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Aabb {
    if width == Decimal::ZERO && height == Decimal::ZERO {
        let at = IVec2::new(clamp(x.pixel()), clamp(y.pixel()));
        return Aabb { min: at, max: at };
    }
    let (left, right) = covered(x, width);
    let (top, bottom) = covered(y, height);
    Aabb {
        min: IVec2::new(clamp(left), clamp(top)),
        max: IVec2::new(clamp(right), clamp(bottom)),
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

fn clamp(pixel: i64) -> i32 {
    pixel.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}
