//! From levels that lie somewhere to one level: the smallest that holds all of them.

use glam::{I64Vec2, IVec2, UVec2};

use super::merge::{Part, common_cell, merge};
use crate::Level;
use crate::error::LoadErrorKind;
use crate::error::warning::LoadWarning;
use crate::geometry::{Aabb, Dir};
use crate::grid::Grid;
use crate::level::Marker;
use crate::level::source::{KeptMap, LayerSource, SolidCount, Source, WorldPart, WorldSource};
use crate::limits::{Limits, check};
use crate::options::LoadOptions;
use crate::sweep::Terrain;
use crate::text::listed;

/// A level in a world.
pub(super) struct Placed {
    /// Its file as the world writes it.
    pub(super) name: String,
    /// Where the pixel (0, 0) of its map lies in the world.
    pub(super) position: IVec2,
    pub(super) level: Level,
}

impl Placed {
    /// Where the level's top-left corner lies in the world.
    fn corner(&self) -> I64Vec2 {
        self.position.as_i64vec2() + self.level.origin.as_i64vec2()
    }
}

/// One level of all of them, of which there must be one. Where two overlap, what is solid in one is solid;
/// what belongs to none is passable. Its cells are the largest of which those of all maps are made.
pub(super) fn compose(maps: Vec<Placed>, options: &LoadOptions) -> Result<Level, LoadErrorKind> {
    let (origin, size) = bounds(&maps)?;
    let place = |map: &Placed| (map.corner() - origin.as_i64vec2()).as_uvec2();
    let grids = Grids {
        levels: maps.iter().map(|map| (&map.level, place(map))).collect(),
        size,
        limits: &options.limits,
    };
    let (grid, cell) = grids.solid()?;
    let one_way = grids.one_way(cell)?;
    let areas = grids.areas()?;

    let mut source = WorldSource {
        maps: Vec::new(),
        layers: Vec::new(),
        solids: Vec::new(),
    };
    let (mut markers, mut warnings, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for map in maps {
        let min = place(&map).as_ivec2();
        let area = Aabb {
            min,
            max: min + map.level.size().as_ivec2(),
        };
        take_facts(&mut source, &map);
        let (file, level) = (map.name, map.level);
        markers.extend(level.markers.into_iter().map(|marker| Marker {
            layer: format!("{file}/{}", marker.layer),
            area: marker.area.translated(min),
            ..marker
        }));
        warnings.extend(
            level
                .metadata
                .warnings
                .into_iter()
                .map(|warning| LoadWarning {
                    file: Some(file.clone()),
                    ..warning
                }),
        );
        kept.extend(level.metadata.maps.into_iter().map(|kept| KeptMap {
            file: Some(file.clone()),
            area,
            place: kept.place.saturating_add(min),
            ..kept
        }));
        source.maps.push(WorldPart { file, area });
    }
    let is_blank = grid.solid_count() == 0 && one_way.is_none();
    if is_blank && !options.allow_nothing_solid {
        let layers = listed(source.layers.iter().map(|layer| &layer.name));
        let found = format!("the layers of its maps are {layers}");
        return Err(LoadErrorKind::NothingSolid { found });
    }
    let source = Source::World(source);
    let mut level = Level::assemble(grid, cell, options, source, markers, kept)?;
    level.origin = origin;
    level.set_one_way(one_way.map(|guards| *guards));
    level.metadata.warnings = warnings;
    let areas = areas.into_iter();
    Ok(areas.fold(level, |level, (name, area)| level.with_area(name, area)))
}

/// Where the level of all maps lies in the world, and its size in pixels.
fn bounds(maps: &[Placed]) -> Result<(IVec2, UVec2), LoadErrorKind> {
    let (mut min, mut max) = (I64Vec2::MAX, I64Vec2::MIN);
    for map in maps {
        min = min.min(map.corner());
        max = max.max(map.corner() + map.level.size().as_i64vec2());
    }
    let far = min.abs().max_element().unsigned_abs();
    let what = "pixels from the middle of the world to a map";
    check(what, far, i32::MAX as u32)?;
    let size = max - min;
    let what = "pixels in the width or height of the level";
    check(what, size.max_element().unsigned_abs(), i32::MAX as u32)?;
    Ok((min.as_ivec2(), size.as_uvec2()))
}

/// What the grids of a level are made of.
struct Grids<'m> {
    /// The levels of all maps, and where their corners lie in the level, in pixels.
    levels: Vec<(&'m Level, UVec2)>,
    /// The level's size in pixels.
    size: UVec2,
    limits: &'m Limits,
}

impl<'m> Grids<'m> {
    /// The solid cells, and their size.
    fn solid(&self) -> Result<(Grid, UVec2), LoadErrorKind> {
        let parts = self.parts(|level| Some((level.grid(), level.cell_size())));
        let cell = common_cell(&parts, self.size);
        Ok((merge(&parts, self.size, cell, None, self.limits)?, cell))
    }

    /// The one-way cells in the order of [`Dir::ALL`], if there are any.
    fn one_way(&self, cell: UVec2) -> Result<Option<Box<[Grid; 4]>>, LoadErrorKind> {
        if self
            .levels
            .iter()
            .all(|(level, _)| level.one_way(Dir::Up).is_none())
        {
            return Ok(None);
        }
        let grid = |side| {
            let parts = self.parts(|level| Some((level.one_way(side)?, level.cell_size())));
            merge(&parts, self.size, cell, Some(side), self.limits)
        };
        let [left, right, up, down] = Dir::ALL;
        let grids = [grid(left)?, grid(right)?, grid(up)?, grid(down)?];
        Ok(Some(Box::new(grids)))
    }

    /// The areas, each of all maps that have one of its name.
    fn areas(&self) -> Result<Vec<(String, Terrain)>, LoadErrorKind> {
        let mut areas: Vec<(String, Terrain)> = Vec::new();
        for name in self.levels.iter().flat_map(|(level, _)| level.areas()) {
            let name = name.0;
            if areas.iter().any(|(known, _)| known == name) {
                continue;
            }
            let parts =
                self.parts(|level| level.area(name).map(|area| (area.grid(), area.cell_size())));
            let cell = common_cell(&parts, self.size);
            let grid = merge(&parts, self.size, cell, None, self.limits)?;
            let cells = grid.cell_count();
            let area = Terrain::new(grid, cell).map_err(|_| LoadErrorKind::NoMemory { cells })?;
            areas.push((name.to_owned(), area));
        }
        Ok(areas)
    }

    /// A grid of each map, where it lies; `of` may leave maps out.
    fn parts(&self, of: impl Fn(&'m Level) -> Option<(&'m Grid, UVec2)>) -> Vec<Part<'m>> {
        let levels = self.levels.iter();
        let parts = levels.filter_map(|(level, place)| {
            let (grid, cell) = of(level)?;
            Some(Part {
                grid,
                cell,
                place: *place,
            })
        });
        parts.collect()
    }
}

/// Adds the layers and the rules of a map.
fn take_facts(source: &mut WorldSource, map: &Placed) {
    let Source::Map(facts) = &map.level.metadata.source else {
        return;
    };
    source
        .layers
        .extend(facts.layers.iter().map(|layer| LayerSource {
            name: format!("{}/{}", map.name, layer.name),
            ..layer.clone()
        }));
    for solid in &facts.solids {
        let known = source
            .solids
            .iter_mut()
            .find(|known| known.rule == solid.rule);
        match known {
            Some(SolidCount { tiles, objects, .. }) => {
                *tiles += solid.tiles;
                *objects += solid.objects;
            }
            None => source.solids.push(solid.clone()),
        }
    }
}
