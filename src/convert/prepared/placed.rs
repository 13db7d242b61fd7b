//! The outlines that a map's author drew for solids, one-way solids and areas, placed in the level: shapes of
//! tiles, flipped like their cells, and shapes of objects.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use glam::IVec2;

use super::{PreparedMap, Stamps};
use crate::convert::pieces::Claim;
use crate::convert::tiles::{RuledLayer, place};
use crate::error::{FileFault, LoadErrorKind};
use crate::geometry::{Aabb, Sides};
use crate::geometry::{Decimal, Point};
use crate::level::{ONE_WAY, Provenance};
use crate::limits::check;
use crate::options::LoadOptions;
use crate::raster::Outline;
use crate::tmx::{LayerContent, Object, PlacedMap, TileLayer, flip};

/// A shape of a tile or an object in a level: see [`LoadedLevel::shapes`](crate::LoadedLevel::shapes).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlacedShape {
    /// The outline in pixels of the level. A polygon runs clockwise on the screen (its area is positive, with
    /// y downward), however its tile is flipped.
    pub outline: Outline,
    /// The use of the shape in the level.
    pub purpose: ShapePurpose,
    /// The layer of the shape, and the tile or object with the shape.
    pub provenance: Arc<Provenance>,
}

/// The use of a shape in a level.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapePurpose {
    /// The shape is solid.
    Solid,
    /// The shape is one-way, and guards these sides.
    OneWay(Sides<bool>),
    /// The shape is in the area of this name.
    Area(String),
}

/// Adds the shapes of one map to `found`. `options` must be the options with which the level was built. Fails
/// for more points than [`Limits::cells`](crate::Limits::cells).
pub(crate) fn add_shapes(
    placed: &PlacedMap,
    options: &LoadOptions,
    found: &mut Vec<PlacedShape>,
) -> Result<(), Box<FileFault>> {
    let map = PreparedMap::new(&placed.map, options, &placed.tile_counts)?;
    let stamps = Stamps::new(&map.lattice, &options.limits);
    let mut gatherer = ShapeGatherer { placed, map: &map, stamps, points: 0, found };
    for layer in map.layers() {
        let layer = layer?;
        let mut place = place(&layer.context);
        match &layer.context.layer.content {
            LayerContent::Tiles(tiles) => {
                let added = gatherer.tiles(tiles, &layer);
                added.map_err(|kind| FileFault::new(place, kind))?;
            }
            LayerContent::Objects(objects) => {
                for object in &objects.objects {
                    place.object = Some(object.id);
                    let added = gatherer.object(object, &layer);
                    added.map_err(|kind| FileFault::new(place.clone(), kind))?;
                }
            }
            LayerContent::Image(_) | LayerContent::Group(_) => {}
        }
    }
    Ok(())
}

/// Collects the shapes of one map in `found`.
struct ShapeGatherer<'m> {
    placed: &'m PlacedMap,
    map: &'m PreparedMap<'m>,
    stamps: Stamps<'m>,
    /// The number of points in all outlines so far, at most [`Limits::cells`](crate::Limits::cells).
    points: u64,
    found: &'m mut Vec<PlacedShape>,
}

impl ShapeGatherer<'_> {
    fn tiles(&mut self, tiles: &TileLayer, layer: &RuledLayer<'_>) -> Result<(), LoadErrorKind> {
        // A [`Provenance`] (layer and tile) for each use of a tile in the layer, shared by all cells with
        // this tile. The key is the tile's number.
        let mut causes: HashMap<u32, Vec<Arc<Provenance>>> = HashMap::new();
        for (cell, gid) in tiles.cells_in(Aabb { min: IVec2::MIN, max: IVec2::MAX }) {
            let number = gid & !flip::ALL;
            let Some(meaning) = self.map.tiles.meaning(number) else { continue };
            let causes = causes.entry(number).or_insert_with(|| {
                let reason = meaning.reason(&layer.role).map_or("", String::as_str);
                let tile = self.map.tile(number);
                let causes = meaning.claims(&layer.role).map(|(claim, _)| {
                    let because = self.because(claim, reason);
                    Arc::new(layer.provenance(self.placed, tile.clone(), None, because))
                });
                causes.collect()
            });
            let corner = self.map.lattice.cell_bottom_left_pixel(cell);
            let corner = point(corner) + layer.offset;
            for ((claim, extent), cause) in meaning.claims(&layer.role).zip(causes) {
                let corner = corner + self.stamps.own_offset(extent);
                for outline in self.stamps.outlines(extent, gid & flip::ALL, corner) {
                    self.add(&outline, claim, cause)?;
                }
            }
        }
        Ok(())
    }

    fn object(&mut self, object: &Object, layer: &RuledLayer<'_>) -> Result<(), LoadErrorKind> {
        let uses = self.map.object_uses(object, layer)?;
        for (claim, extent) in uses.claims {
            let because = self.because(claim, &uses.because);
            let cause = Arc::new(layer.provenance(self.placed, None, Some(object), because));
            for outline in self.map.outlines(object, layer, extent) {
                self.add(&outline, claim, &cause)?;
            }
        }
        Ok(())
    }

    fn because(&self, claim: Claim, reason: &str) -> String {
        match claim {
            Claim::Solid => reason.to_owned(),
            Claim::OneWay(_) => ONE_WAY.to_owned(),
            Claim::Area(area) => format!("it is in the area `{}`", self.area(area)),
        }
    }

    fn area(&self, area: usize) -> &str {
        self.map.options.areas.get(area).map_or("", |area| &area.name)
    }

    fn add(
        &mut self,
        outline: &Outline,
        claim: Claim,
        provenance: &Arc<Provenance>,
    ) -> Result<(), LoadErrorKind> {
        self.points += outline.points() as u64;
        let what = "points in the shapes of tiles and objects (the limit `cells`)";
        check(what, self.points, self.map.options.limits.cells)?;
        let place = point(self.placed.place);
        let purpose = match claim {
            Claim::Solid => ShapePurpose::Solid,
            Claim::OneWay(sides) => ShapePurpose::OneWay(sides),
            Claim::Area(area) => ShapePurpose::Area(self.area(area).to_owned()),
        };
        let outline = clockwise(outline.map(&|point| point + place));
        self.found.push(PlacedShape { outline, purpose, provenance: Arc::clone(provenance) });
        Ok(())
    }
}

/// Returns the outline with its points in clockwise order on the screen.
fn clockwise(outline: Outline) -> Outline {
    match outline {
        Outline::Polygon(mut points) => {
            let first = points.first().copied().unwrap_or_default();
            // Coordinates are relative to the first point, so that the sum of many products fits.
            let area = points.windows(2).fold(0_i128, |area, two| {
                area.saturating_add(cross(two[0] - first, two[1] - first))
            });
            if area < 0 {
                points.reverse();
            }
            Outline::Polygon(points)
        }
        Outline::Ellipse { centre, mut a, mut b } => {
            if cross(a, b) < 0 {
                mem::swap(&mut a, &mut b);
            }
            Outline::Ellipse { centre, a, b }
        }
        Outline::Capsule { centres, a, b } if cross(a, b) < 0 => {
            Outline::Capsule { centres, a, b: Point::default() - b }
        }
        other => other,
    }
}

fn point(pixel: IVec2) -> Point {
    Point { x: Decimal::from_pixels(pixel.x), y: Decimal::from_pixels(pixel.y) }
}

/// The cross product of two vectors, in square millionths of a pixel.
fn cross(a: Point, b: Point) -> i128 {
    let [ax, ay, bx, by] = [a.x, a.y, b.x, b.y].map(|side| i128::from(side.millionths()));
    ax * by - ay * bx
}
