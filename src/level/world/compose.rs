//! From levels that lie somewhere to one level: the smallest that holds all of them.

use glam::{IVec2, UVec2};

use crate::Level;
use crate::geometry::Aabb;
use crate::grid::{Grid, Plane};
use crate::level::error::LoadErrorKind;
use crate::level::limits::check;
use crate::level::options::LoadOptions;
use crate::level::source::{LayerSource, Marker, SolidCount, Source, WorldPart, WorldSource};

/// A level in a world.
pub(super) struct Placed {
    /// Its file as the world writes it.
    pub(super) name: String,
    /// Where its top-left corner lies, in pixels.
    pub(super) position: IVec2,
    pub(super) level: Level,
}

/// One level of all of them. Where two overlap, what is solid in one is solid; what belongs to none is
/// passable. Its cells are those of the maps if all have the same and lie on them, else pixels.
pub(super) fn compose(maps: Vec<Placed>, options: &LoadOptions) -> Result<Level, LoadErrorKind> {
    let limits = &options.limits;
    let all = bounds(&maps);
    let cell_size = common_cells(&maps, all.0);
    let cells = |side: i64, cell: u32| {
        let pixels = side.unsigned_abs();
        check(
            "pixels in the width or height of the level",
            pixels,
            i32::MAX as u32,
        )?;
        // The bounds of whole cells are whole cells.
        let cells = pixels / u64::from(cell);
        let limit = u64::from(limits.level_side.min(i32::MAX as u32));
        check("cells in the width or height of the level", cells, limit)?;
        Ok::<u32, LoadErrorKind>(cells as u32)
    };
    let size = UVec2::new(
        cells(all.1[0] - all.0[0], cell_size.x)?,
        cells(all.1[1] - all.0[1], cell_size.y)?,
    );
    let count = u64::from(size.x) * u64::from(size.y);
    check("cells of the level", count, limits.level_cells)?;
    let of_maps = maps.iter().fold(0, |sum: u64, map| {
        let size = map.level.size() / cell_size;
        sum.saturating_add(u64::from(size.x) * u64::from(size.y))
    });
    check(
        "cells of all maps of the world",
        of_maps,
        limits.level_cells,
    )?;

    let no_memory = |_| LoadErrorKind::NoMemory { cells: count };
    let mut rows = Grid::blank_rows(size.x, size.y).map_err(no_memory)?;
    let mut markers = Vec::new();
    let mut source = WorldSource {
        // Some map lies at the edge, so that this is a position in `i32`.
        origin: IVec2::new(all.0[0] as i32, all.0[1] as i32),
        maps: Vec::new(),
        layers: Vec::new(),
        solids: Vec::new(),
    };
    for map in maps {
        // Within the level, which is within the limits.
        let shift = (map.position - source.origin).as_uvec2();
        place(
            &mut rows,
            map.level.grid(),
            shift / cell_size,
            map.level.cell_size() / cell_size,
        );
        source.maps.push(WorldPart {
            file: map.name.clone(),
            area: Aabb {
                min: shift.as_ivec2(),
                max: (shift + map.level.size()).as_ivec2(),
            },
        });
        take_facts(&mut source, &map);
        let moved = map.level.markers.into_iter();
        markers.extend(moved.map(|marker| translated(marker, &map.name, shift.as_ivec2())));
    }
    let grid = Grid::from_rows(rows).map_err(no_memory)?;
    if grid.solid_count() == 0 && !options.allow_nothing_solid {
        let found = format!("the world has {} maps", source.maps.len());
        return Err(LoadErrorKind::NothingSolid { found });
    }
    Level::assemble(
        grid,
        cell_size,
        options,
        Source::World(source),
        markers,
        None,
    )
}

/// The least and the largest coordinates of all maps.
fn bounds(maps: &[Placed]) -> ([i64; 2], [i64; 2]) {
    let (mut min, mut max) = ([i64::MAX; 2], [i64::MIN; 2]);
    for map in maps {
        let (at, size) = (map.position.to_array(), map.level.size().to_array());
        for axis in 0..2 {
            min[axis] = min[axis].min(at[axis].into());
            max[axis] = max[axis].max(i64::from(at[axis]) + i64::from(size[axis]));
        }
    }
    (min, max)
}

/// The cells that all maps share, or pixels.
fn common_cells(maps: &[Placed], origin: [i64; 2]) -> UVec2 {
    let Some(first) = maps.first().map(|map| map.level.cell_size()) else {
        return UVec2::ONE;
    };
    let (at, cell) = (|map: &Placed| map.position.to_array(), first.to_array());
    let share = maps.iter().all(|map| {
        map.level.cell_size() == first
            && (0..2)
                .all(|axis| (i64::from(at(map)[axis]) - origin[axis]) % i64::from(cell[axis]) == 0)
    });
    if share { first } else { UVec2::ONE }
}

/// Marks what is solid in `grid`, whose corner lies at `at` and whose cells are `side` cells large.
fn place(rows: &mut Plane, grid: &Grid, at: UVec2, side: UVec2) {
    for row in 0..grid.height() {
        let top = at.y + row * side.y;
        let mut column = 0;
        while column < grid.width() {
            let start = column;
            while column < grid.width() && grid.is_solid(column, row) {
                column += 1;
            }
            if column > start {
                let places = at.x + start * side.x..at.x + column * side.x;
                rows.fill(top..top + side.y, places, true);
            }
            column += 1;
        }
    }
}

/// Adds the layers and the rules of a map.
fn take_facts(source: &mut WorldSource, map: &Placed) {
    let Source::Map(facts) = &map.level.source else {
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

/// A marker of the map `name`, which is moved by `shift`.
fn translated(marker: Marker, name: &str, shift: IVec2) -> Marker {
    Marker {
        layer: format!("{name}/{}", marker.layer),
        area: Aabb {
            min: marker.area.min.saturating_add(shift),
            max: marker.area.max.saturating_add(shift),
        },
        ..marker
    }
}
