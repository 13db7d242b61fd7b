//! The part that each layer and object of a map plays in its level, for the linter: asked of the same rules
//! that build the level.
//!
//! It draws nothing, and changes nothing.

use std::collections::BTreeSet;

use glam::IVec2;

use super::objects::covered_box;
use super::outlines::{self, Picture};
use super::pieces::Claim;
use super::prepared::PreparedMap;
use super::refusal::BuildError;
use super::roles::{Role, RuledLayer, layers};
use super::tile_table::TileCounts;
use crate::error::LoadErrorKind;
use crate::geometry::{Aabb, saturated};
use crate::options::LoadOptions;
use crate::tmx::{Decimal, LayerContent, LayerContext, Map, Object, Shape, TileLayer, flip};

/// A map with the part that each layer and object plays in its level.
#[derive(Debug)]
pub struct Survey<'m> {
    /// In the order of the file.
    pub layers: Vec<SurveyedLayer<'m>>,
    /// The pixels of the map's cells; `None` for an infinite map.
    pub area: Option<Aabb>,
    /// The tiles that are shown and that their tilesets name, by the tileset's index and the tile's id.
    pub shown: BTreeSet<(usize, u32)>,
}

/// A layer with the part that it plays.
#[derive(Debug)]
pub struct SurveyedLayer<'m> {
    /// The layer, with what it takes over from its groups.
    pub context: LayerContext<'m>,
    /// True if the rules make all of it solid.
    pub is_solid: bool,
    /// True if something on it is solid or one-way.
    pub stops: bool,
    /// Those of an object layer.
    pub objects: Vec<SurveyedObject<'m>>,
}

/// An object with the part that it plays.
#[derive(Debug)]
pub struct SurveyedObject<'m> {
    /// The object.
    pub object: &'m Object,
    /// True if it is solid or one-way.
    pub stops: bool,
    /// True if it is part of an area.
    pub is_of_area: bool,
    /// A box that holds all its pixels, in pixels of the map.
    pub bounds: Aabb,
    /// Its own box in pixels of the map; that of a tile as if it were not rotated.
    pub area: Aabb,
}

impl<'m> Survey<'m> {
    /// `counts` are the map's tile counts as [`super::BuiltMap`] has them, and `options` those that its level
    /// was built with. O(cells + objects + tiles that the files name).
    ///
    /// # Errors
    /// None if the level was built.
    pub(crate) fn new(
        map: &'m Map,
        counts: &TileCounts,
        options: &'m LoadOptions,
    ) -> Result<Self, Box<BuildError>> {
        let prepared = PreparedMap::new(map, options, counts)?;
        let mut survey = Self { layers: Vec::new(), area: prepared.area(), shown: BTreeSet::new() };
        for layer in layers(map, prepared.lattice, options) {
            let layer = layer?;
            let mut stops = false;
            let mut objects = Vec::new();
            match &layer.context.layer.content {
                LayerContent::Tiles(tiles) => stops = survey.tiles(tiles, &layer.role, &prepared),
                LayerContent::Objects(of_layer) => {
                    for object in &of_layer.objects {
                        objects.push(prepared.surveyed(object, &layer)?);
                        let tile = object.gid.and_then(|gid| prepared.tiles.place(gid));
                        survey.shown.extend(tile.filter(|tile| is_named(map, *tile)));
                    }
                    stops = objects.iter().any(|object| object.stops);
                }
                LayerContent::Image(_) | LayerContent::Group(_) => {}
            }
            let is_solid = layer.role.solid.is_some();
            let RuledLayer { context, .. } = layer;
            survey.layers.push(SurveyedLayer { context, is_solid, stops, objects });
        }
        Ok(survey)
    }

    /// Notes the tiles of a layer of this role; true if one of them is solid or one-way.
    fn tiles(&mut self, layer: &TileLayer, role: &Role, prepared: &PreparedMap<'_>) -> bool {
        let mut stops = role.is_floor;
        // Most tiles are like the one before.
        let mut last = 0;
        for gid in layer.blocks.iter().flat_map(|block| &block.cells) {
            let gid = gid & !flip::ALL;
            if gid == last || gid == 0 {
                continue;
            }
            last = gid;
            if let Some(tile) =
                prepared.tiles.place(gid).filter(|tile| is_named(prepared.map, *tile))
            {
                self.shown.insert(tile);
            }
            let meaning = prepared.tiles.meaning(gid).filter(|_| !stops);
            stops |= meaning.is_some_and(|meaning| meaning.claims(role).any(|(it, _)| is_stop(it)));
        }
        stops
    }
}

/// True if the tileset names the tile.
fn is_named(map: &Map, (tileset, id): (usize, u32)) -> bool {
    map.tilesets.get(tileset).is_some_and(|set| set.tiles.contains_key(&id))
}

fn is_stop(claim: Claim) -> bool {
    matches!(claim, Claim::Solid | Claim::OneWay(_))
}

impl PreparedMap<'_> {
    /// The part that an object plays.
    fn surveyed<'m>(
        &self,
        object: &'m Object,
        layer: &RuledLayer<'_>,
    ) -> Result<SurveyedObject<'m>, LoadErrorKind> {
        let role = Role::of_object(object, &layer.role, self.options)?;
        let (mut stops, mut is_of_area) = (false, false);
        let mut note = |claim| match claim {
            Claim::Area(_) => is_of_area = true,
            Claim::Solid | Claim::OneWay(_) => stops = true,
        };
        if let Some(gid) = object.gid {
            let meaning = self.tiles.meaning(gid);
            let claims = meaning.into_iter().flat_map(|meaning| meaning.object_claims(&role));
            claims.for_each(|(claim, _)| note(claim));
        } else if !matches!(object.shape, Shape::Text(_)) {
            stops = role.one_way.is_some() || role.solid.is_some();
            is_of_area = !role.areas.is_empty();
        }
        let bounds = self.bounds(object, layer);
        let area = self.tile_area(object, layer).unwrap_or(bounds);
        Ok(SurveyedObject { object, stops, is_of_area, bounds, area })
    }

    /// The box of a tile, as if it were not rotated; `None` for other objects.
    fn tile_area(&self, object: &Object, layer: &RuledLayer<'_>) -> Option<Aabb> {
        let (index, id) = self.tiles.place(object.gid?)?;
        let tileset = self.map.tilesets.get(index)?;
        let picture = Picture::of(tileset, tileset.tiles.get(&id), self.map.tile_size);
        let (natural, stated) = (outlines::size_of(picture.size), object.size);
        let is_sized = stated.x > Decimal::ZERO && stated.y > Decimal::ZERO;
        let size = if is_sized { stated } else { natural };
        let to_corner = outlines::to_corner(tileset.alignment, self.lattice.is_isometric(), size);
        let corner = self.lattice.point(object.position) + layer.offset + to_corner;
        Some(covered_box(corner.x, corner.y - size.y, size.x, size.y))
    }

    /// A box that holds all pixels of an object.
    fn bounds(&self, object: &Object, layer: &RuledLayer<'_>) -> Aabb {
        let Some(gid) = object.gid else {
            let outline = self.outline(object, layer.offset);
            return outline.map_or_else(Aabb::default, |outline| outline.bounds());
        };
        let (index, id) = self.tiles.place(gid).unwrap_or_default();
        let tileset = self.map.tilesets.get(index);
        let picture = tileset.map(|set| Picture::of(set, set.tiles.get(&id), self.map.tile_size));
        let natural = picture.map(|picture| outlines::size_of(picture.size)).unwrap_or_default();
        // However a tile is turned, flipped and aligned, it is not further away than both its sides.
        let reach = |side: i64| i32::try_from(side).unwrap_or(i32::MAX).saturating_add(1);
        let sides = [natural.x, natural.y, object.size.x, object.size.y];
        let reach = sides.into_iter().map(|side| reach(side.floor())).fold(0, i32::saturating_add);
        let at = self.lattice.point(object.position) + layer.offset;
        let at = IVec2::new(saturated(at.x.floor()), saturated(at.y.floor()));
        let reach = IVec2::splat(reach);
        Aabb { min: at.saturating_sub(reach), max: at.saturating_add(reach) }
    }
}
