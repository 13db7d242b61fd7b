//! What a level has beside its solid cells: places, areas, one-way cells, its source and where it lies in it.

use glam::{IVec2, UVec2};

use super::provenance;
use super::source::{Marker, Provenance, Source, TileMap};
use crate::Level;
use crate::error::warning::LoadWarning;
use crate::geometry::Dir;
use crate::grid::{Grid, GridError};
use crate::tmx::Projection;

impl Level {
    /// The places that the map's maker named, in the order of the file.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// The first marker of this name.
    pub fn marker(&self, name: &str) -> Option<&Marker> {
        self.markers.iter().find(|marker| marker.name == name)
    }

    /// The named area: water, ladders, whatever is asked about but is no wall. It is a level of the size of
    /// this one whose solid cells are the area's, and which is open outside, so that it is asked in the same
    /// words: [`Level::any_solid`] is true for a box that touches the area, [`Level::sweep`] says how far
    /// away it is. [`LoadOptions::planes`](crate::LoadOptions::planes) makes areas of a mask's colours.
    ///
    /// ```
    /// use bitwall::{Aabb, Level, LoadOptions};
    ///
    /// let mut options = LoadOptions::default();
    /// options.planes = vec!["sea=#ffffff".parse()?];
    /// let level = Level::load_with("assets/harbor_mask.png", &options)?;
    /// let sea = level.area("sea").expect("it was asked for");
    /// assert!(sea.any_solid(Aabb::from_xywh(0, 0, 1_000, 1_000)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn area(&self, name: &str) -> Option<&Level> {
        let mut areas = self.areas();
        areas.find(|(area, _)| *area == name).map(|(_, area)| area)
    }

    /// The named areas with their names, in the order in which they were asked for.
    pub fn areas(&self) -> impl Iterator<Item = (&str, &Level)> {
        self.areas.iter().map(|(name, area)| (name.as_str(), area))
    }

    #[inline]
    pub(crate) fn has_areas(&self) -> bool {
        !self.areas.is_empty()
    }

    /// Where the level's pixel (0, 0) lies in the space of its source, in pixels: (0, 0), but for an infinite
    /// map, of which the level shows the part that is not empty, for a world, and for a map that reaches left
    /// of or above its first cell on the screen. Markers, areas and every query count from the level's own
    /// corner.
    pub fn origin(&self) -> IVec2 {
        self.origin
    }

    /// The ways between the space of a map, the screen and the map's cells; `None` for a level that is no
    /// map. The level's pixel (0, 0) is [`Level::origin`] of the map's space or, as
    /// [`MapSource::space`](crate::MapSource::space) says, of the screen.
    ///
    /// ```
    /// use bitwall::{Level, glam::DVec2};
    ///
    /// let level = Level::load("assets/cave.tmx")?;
    /// let projection = level.projection().expect("it is a map");
    /// let seen = projection.map_to_screen(level.origin().as_dvec2() + DVec2::new(40.0, 8.0));
    /// assert_eq!(seen, DVec2::new(40.0, 8.0), "nothing is slanted on an orthogonal map");
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    pub fn projection(&self) -> Option<Projection> {
        let Source::Map(map) = &self.source else {
            return None;
        };
        let rows = if map.is_infinite { 0 } else { map.size.y };
        let size = UVec2::new(map.size.x, rows);
        Some(Projection::new(map.orientation, size, map.tile_size))
    }

    /// Column and row in the source of the level's first cell.
    pub(crate) fn first_cell(&self) -> IVec2 {
        self.origin.div_euclid(self.cell_size().as_ivec2())
    }

    /// The one-way cells that guard their side `side`, if the level has one-way cells: a body that moves
    /// against that side from without is stopped at it; one that is past it already is not held.
    pub fn one_way(&self, side: Dir) -> Option<&Grid> {
        let index = Dir::ALL.iter().position(|dir| *dir == side)?;
        self.one_way.as_ref()?.get(index)
    }

    /// This level with one-way cells: those of `guarded` block what moves against their side `side`.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Level};
    ///
    /// let level = Level::from_grid(Grid::new(4, 4)?, glam::UVec2::splat(16))?;
    /// let ledge = Grid::from_text("....\n....\n.##.\n....")?;
    /// let level = level.with_one_way(Dir::Up, ledge)?;
    /// let falling = level.sweep(Aabb::from_xywh(20, 10, 10, 10), Dir::Down, 100);
    /// assert_eq!(falling.moved, 12, "it lands on the ledge");
    /// let jumping = level.sweep(Aabb::from_xywh(20, 50, 10, 10), Dir::Up, 30);
    /// assert_eq!(jumping.moved, 30, "it passes from below");
    /// # Ok::<(), bitwall::GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError::OtherSize`] if `guarded` is not as large as the level's grid.
    pub fn with_one_way(mut self, side: Dir, guarded: Grid) -> Result<Self, GridError> {
        let (found, expected) = (guarded.size(), self.grid.size());
        if found != expected {
            return Err(GridError::OtherSize { found, expected });
        }
        let mut guards = match self.one_way.take() {
            Some(guards) => *guards,
            None => {
                let blank = || Grid::new(expected.x, expected.y);
                [blank()?, blank()?, blank()?, blank()?]
            }
        };
        if let Some(index) = Dir::ALL.iter().position(|dir| *dir == side) {
            guards[index] = guarded;
        }
        self.set_one_way(Some(guards));
        Ok(self)
    }

    /// What was wrong with the file and passed over: see
    /// [`LoadOptions::lenient`](crate::LoadOptions::lenient).
    pub fn warnings(&self) -> &[LoadWarning] {
        &self.warnings
    }

    /// What the level was made from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The map's cells and tilesets, if [`LoadOptions::keep_map`](crate::LoadOptions::keep_map) asked for
    /// them; of a world those of its first map.
    pub fn map(&self) -> Option<&TileMap> {
        self.maps().next().map(|(_, map)| map)
    }

    /// As [`Level::map`] for all the maps of a world, each with the place in this level of its own pixel
    /// (0, 0), in the order of [`WorldSource::maps`](crate::WorldSource::maps).
    pub fn maps(&self) -> impl Iterator<Item = (IVec2, &TileMap)> {
        self.maps.iter().map(|kept| (kept.place, &kept.map))
    }

    /// Why a cell is solid: the first layer, tile or object that marked it. `None` for a cell that is not
    /// solid or outside the level, for a gap between the tiles of a floor layer, for a mask, and without
    /// [`LoadOptions::keep_map`](crate::LoadOptions::keep_map). O(solid layers and objects).
    pub fn provenance(&self, cell: IVec2) -> Option<Provenance> {
        let (column, row) = (u32::try_from(cell.x).ok()?, u32::try_from(cell.y).ok()?);
        let mut guards = self.one_way.iter().flat_map(|guards| guards.iter());
        if !self.grid.is_solid(column, row) && !guards.any(|grid| grid.is_solid(column, row)) {
            return None;
        }
        provenance::find(&self.maps, self.cell_area(cell).min)
    }
}
