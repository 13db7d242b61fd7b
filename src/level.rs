//! A level: a terrain, named areas, and markers.
//!
//! [`Level::load`] opens a Tiled map or a mask picture. After that no query reads a file, allocates or fails.
//! Movement policy (sliding, steps, gravity) is not here.

mod footprint_solids;
mod marker;
#[cfg(feature = "serde")]
mod saved;
mod solids;
mod terrain_solids;

use std::fmt;
use std::ops::{Deref, DerefMut};

use glam::{IVec2, UVec2};

use crate::footprint::Footprint;
use crate::geometry::{Dir, Outside, Sides};
use crate::grid::{Grid, GridError};
use crate::sweep::Terrain;

pub use footprint_solids::FootprintSolids;
pub use marker::Marker;
pub use solids::Solids;
pub(crate) use solids::{floor_run, supports};

/// A level to move in: a [`Terrain`], named areas (terrains too), and markers.
///
/// The methods of its terrain can be called on the level itself. Those for every day:
///
/// | method | answer |
/// |---|---|
/// | [`Level::load`] | the level of a map, a world or a mask |
/// | [`can_move`](Terrain::can_move) | whether a box can move so far |
/// | [`sweep`](Terrain::sweep) | how far it can, and what stops it |
/// | [`overlaps`](Terrain::overlaps) | whether a box is in a solid |
/// | [`is_solid`](Terrain::is_solid) | whether a pixel is |
/// | [`ray`](Terrain::ray), [`line_of_sight`](Terrain::line_of_sight) | what a straight line meets |
/// | [`Level::marker`], [`Level::area`] | the places and areas that the map's maker named |
/// | [`fill`](Terrain::fill) | a door that opens, a wall that breaks |
/// | [`Level::from_grid`] | a level made in code |
///
/// ```
/// use bitwall::{Aabb, Dir, Level, glam::UVec2};
///
/// let level = Level::load("assets/cave.tmx")?;
/// let player = level.marker("player").expect("the map has a spawn");
/// let body = Aabb::from_center(player.position(), UVec2::new(12, 20));
///
/// let sweep = level.sweep(body, Dir::Right, 400);
/// assert!(level.can_move(body, Dir::Right, sweep.moved));
/// assert!(!level.can_move(body, Dir::Right, sweep.moved + 1));
/// # Ok::<(), bitwall::LoadError>(())
/// ```
#[derive(Clone)]
pub struct Level {
    terrain: Terrain,
    areas: Vec<(String, Terrain)>,
    markers: Vec<Marker>,
    /// The place of the level's corner in its source.
    origin: IVec2,
}

impl Level {
    /// The first marker of this name.
    pub fn marker(&self, name: &str) -> Option<&Marker> {
        self.markers.iter().find(|marker| marker.name == name)
    }

    /// The places that the map's maker named, in the order of the file.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// The named area: water, ladders, and other places that stop nobody. It is a terrain whose solid cells
    /// are those of the area, open outside. So [`Terrain::overlaps`] is true for a box with a pixel in the
    /// area, and [`Terrain::sweep`] returns the distance to it.
    /// [`LoadOptions::planes`](crate::LoadOptions::planes) makes areas of a mask's colours.
    ///
    /// ```
    /// use bitwall::{Aabb, Level, LoadOptions};
    ///
    /// let options = LoadOptions::default().with_plane("sea=#ffffff".parse()?);
    /// let level = Level::load_with("assets/harbor_mask.png", &options)?;
    /// let sea = level.area("sea").expect("it was asked for");
    /// assert!(sea.overlaps(Aabb::from_xywh(0, 0, 1_000, 1_000)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn area(&self, name: &str) -> Option<&Terrain> {
        let mut areas = self.areas();
        areas.find(|(area, _)| *area == name).map(|(_, area)| area)
    }

    /// The named areas with their names, in the order in which they were added.
    pub fn areas(&self) -> impl Iterator<Item = (&str, &Terrain)> {
        self.areas.iter().map(|(name, area)| (name.as_str(), area))
    }

    /// The named area, for edits.
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Level, Terrain, glam::UVec2};
    ///
    /// let water = Terrain::new(Grid::from_text("....\n####")?, UVec2::splat(16))?;
    /// let level = Level::from_grid(Grid::new(4, 2)?, UVec2::splat(16))?;
    /// let mut level = level.with_area("water", water);
    /// let swimmer = Aabb::from_xywh(20, 20, 10, 10);
    /// assert!(level.area("water").is_some_and(|water| water.overlaps(swimmer)));
    ///
    /// // The pool is drained.
    /// level.area_mut("water").expect("it was added").fill(0..4, 0..2, false)?;
    /// assert!(level.area("water").is_some_and(|water| !water.overlaps(swimmer)));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn area_mut(&mut self, name: &str) -> Option<&mut Terrain> {
        let mut areas = self.areas.iter_mut();
        areas.find(|(area, _)| area == name).map(|(_, area)| area)
    }

    /// The solid cells in pixels, the one-way cells and the outside.
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// The solids of this level for a [`Mover`](crate::Mover) with the pixels of `footprint`: see
    /// [`FootprintSolids`].
    pub fn with_footprint<'a>(&'a self, footprint: &'a Footprint) -> FootprintSolids<'a, Self> {
        FootprintSolids::new(self, footprint)
    }

    /// The place of the level's pixel (0, 0) in the space of its source, in pixels. It differs from (0, 0)
    /// for an infinite map, of which the level has only the part that is not empty, for a world, and for a
    /// map that reaches left of or above its first cell on the screen. Markers, areas and every query count
    /// from the level's own corner.
    pub fn origin(&self) -> IVec2 {
        self.origin
    }

    /// The stamps of its terrain and of its areas ([`Terrain::stamp`]).
    pub(crate) fn stamps(&self) -> impl Iterator<Item = u64> {
        let areas = self.areas.iter().map(|(_, area)| area);
        std::iter::once(&self.terrain).chain(areas).map(Terrain::stamp)
    }

    /// The bytes of memory that the level's cells take, with those of its areas.
    pub fn memory_bytes(&self) -> u64 {
        let areas: u64 = self.areas().map(|(_, area)| area.memory_bytes()).sum();
        self.terrain.memory_bytes() + areas
    }

    /// The column and row of the level's first cell in its source.
    pub(crate) fn first_cell(&self) -> IVec2 {
        self.origin.div_euclid(self.cell_size().as_ivec2())
    }
}

impl Level {
    /// A level with this terrain, without areas and markers.
    pub fn new(terrain: Terrain) -> Self {
        Self { terrain, areas: Vec::new(), markers: Vec::new(), origin: IVec2::ZERO }
    }

    /// A level of a grid made in code, with cells of `cell_size` pixels, solid outside.
    ///
    /// # Errors
    /// As [`Terrain::new`].
    pub fn from_grid(grid: Grid, cell_size: UVec2) -> Result<Self, GridError> {
        Ok(Self::new(Terrain::new(grid, cell_size)?))
    }

    /// As [`Terrain::with_outside`]. The areas stay open outside.
    #[must_use]
    pub fn with_outside(mut self, outside: impl Into<Sides<Outside>>) -> Self {
        self.terrain.set_outside(outside);
        self
    }

    /// As [`Terrain::with_one_way`].
    ///
    /// # Errors
    /// As [`Terrain::with_one_way`].
    pub fn with_one_way(mut self, side: Dir, guarded: Grid) -> Result<Self, GridError> {
        self.terrain = self.terrain.with_one_way(side, guarded)?;
        Ok(self)
    }

    /// This level with a named area, which replaces one of the same name: see [`Level::area`]. The area
    /// becomes open outside. Its pixels count from the level's corner; its cells can have another size.
    #[must_use]
    pub fn with_area(mut self, name: impl Into<String>, area: Terrain) -> Self {
        let (name, area) = (name.into(), area.with_outside(Outside::Open));
        match self.area_mut(&name) {
            Some(known) => *known = area,
            None => self.areas.push((name, area)),
        }
        self
    }

    /// This level with these markers in place of its own.
    #[must_use]
    pub fn with_markers(mut self, markers: Vec<Marker>) -> Self {
        self.markers = markers;
        self
    }

    /// This level with its pixel (0, 0) at `origin` in its source: see [`Level::origin`].
    #[must_use]
    pub fn with_origin(mut self, origin: IVec2) -> Self {
        self.origin = origin;
        self
    }
}

impl Deref for Level {
    type Target = Terrain;

    #[inline]
    fn deref(&self) -> &Terrain {
        &self.terrain
    }
}

impl DerefMut for Level {
    #[inline]
    fn deref_mut(&mut self) -> &mut Terrain {
        &mut self.terrain
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Level")
            .field("terrain", &self.terrain)
            .field("areas", &self.areas)
            .field("markers", &self.markers)
            .finish_non_exhaustive()
    }
}
