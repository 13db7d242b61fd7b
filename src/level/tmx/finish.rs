//! The end of loading a map: from all that has been taken in to a level, in pixels from the level's corner.

use std::path::PathBuf;

use glam::{IVec2, UVec2};

use super::document::Document;
use super::facts::inventory;
use super::{Loader, drawing};
use crate::Level;
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::level::source::{KeptMap, MapSource, Orientation, Solid, Source, TileMap};
use crate::limits::Spent;
use crate::tmx::Space;

impl Loader<'_> {
    /// The level of all that has been taken in.
    pub(super) fn finish(
        self,
        map: &tiled::Map,
        document: &Document<'_>,
        spent: &mut Spent,
    ) -> Result<Level, LoadError> {
        let error = |kind| LoadError::new(self.path, Place::default(), kind);
        let space = self.solids.lattice.space();
        let size = UVec2::new(document.width, document.height);
        let built = self.solids.build(size, spent).map_err(error)?;
        let is_blank = built.solid.solid_count() == 0 && built.one_way.is_none();
        if is_blank && !self.options.allow_nothing_solid {
            let found = inventory(map, &self.layers);
            return Err(error(LoadErrorKind::NothingSolid { found }));
        }
        let bounds = built.bounds;
        let (first, end) = built.cells;
        let size = (end - first).as_uvec2();
        let origin = bounds.area.min;
        let to_level = origin.saturating_mul(-IVec2::ONE);
        let kept = self.map.map(|map| {
            let is_flat = space == Space::Screen || map.orientation == Orientation::Orthogonal;
            KeptMap {
                file: None,
                area: bounds.area.translated(to_level),
                place: to_level,
                cell: bounds.whole,
                map: TileMap {
                    solids: solids_in_rule_order(map.solids),
                    size,
                    first_cell: first,
                    on_screen: is_flat.then_some(bounds.area),
                    ..map
                },
            }
        });
        let mut markers = self.markers;
        for marker in &mut markers {
            marker.area = marker.area.translated(origin.saturating_mul(-IVec2::ONE));
        }
        let named = self
            .images
            .iter()
            .filter(|path| !path.as_os_str().is_empty() && !document.embedded.contains_key(*path));
        let mut pictures: Vec<PathBuf> = named.cloned().collect();
        pictures.sort();
        pictures.dedup();
        let source = Source::Map(MapSource {
            size,
            tile_size: (document.tile_width, document.tile_height).into(),
            orientation: drawing::orientation(map),
            is_infinite: document.is_infinite,
            space,
            pictures,
            layers: self.layers,
            solids: built.counts,
        });
        let level = Level::assemble(
            built.solid,
            bounds.cell,
            self.options,
            source,
            markers,
            kept.into_iter().collect(),
        );
        let mut level = level.map_err(error)?;
        level.origin = origin;
        level.set_one_way(built.one_way);
        level.warnings = self.warnings;
        let areas = self.options.areas.iter().zip(built.areas);
        let areas = areas.map(|(rule, (grid, cell))| {
            Some((rule.name.clone(), Level::from_grid(grid, cell).ok()?))
        });
        let areas = areas.collect::<Option<Vec<_>>>().ok_or_else(|| {
            error(LoadErrorKind::NoMemory {
                cells: u64::from(size.x) * u64::from(size.y),
            })
        })?;
        Ok(level.with_areas(areas))
    }
}

/// Layers and objects that say so come before tiles that say so themselves.
fn solids_in_rule_order(mut solids: Vec<Solid>) -> Vec<Solid> {
    solids.sort_by_key(|solid| matches!(solid, Solid::Tiles { because: None, .. }));
    solids
}
