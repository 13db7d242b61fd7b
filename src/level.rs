//! A level: a terrain of solid cells, named areas and markers. The queries of a level read no file, do not
//! allocate and cannot fail. The rules of movement (sliding, steps, gravity) are in other modules.

mod marker;
mod patch;
#[cfg(feature = "serde")]
mod saved;
mod solids;

pub use marker::{Marker, MarkerShape, MarkerTile};
pub use patch::Patch;
pub use solids::{AreaSolids, FootprintSolids, Solids};
pub(crate) use solids::{PlacedTerrain, floor_run, is_free, supports};

use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut, Range};
use std::{fmt, slice};

use glam::{I64Vec2, IVec2, UVec2};

use crate::checksum;
use crate::footprint::{Footprint, common};
use crate::geometry::{Aabb, Dir, Outside, Sides, clamped};
use crate::grid::{Grid, GridError};
use crate::property::PropertyValue;
use crate::terrain::{CellRange, Chunk, Terrain};
use crate::text::printable;

/// A level to move in: a [`Terrain`] of solid cells, named areas (which are terrains too), and markers.
///
/// A level also has all methods of its terrain, also those that edit it. These methods are used most:
///
/// | method | answer |
/// |---|---|
/// | [`Level::load`] | the level of a map, a world or a mask; needs feature `tmx` or `mask` |
/// | [`can_move`](Terrain::can_move) | whether a box can move by a distance |
/// | [`sweep`](Terrain::sweep) | the distance that a box can move, and the contact that stops it |
/// | [`overlaps`](Terrain::overlaps) | whether a box overlaps a solid |
/// | [`is_solid`](Terrain::is_solid) | whether a pixel is solid |
/// | [`ray`](Terrain::ray), [`line_of_sight`](Terrain::line_of_sight) | the first solid on a straight line |
/// | [`Level::marker`], [`Level::area`] | the markers and areas that the map's maker named |
/// | [`prepare`](Terrain::prepare) | faster answers for the bodies of one size |
/// | [`set`](Terrain::set), [`fill`](Terrain::fill) | a door that opens, a wall that breaks |
/// | [`set_box`](Terrain::set_box) | solid or passable cells, wholly in a box of pixels |
/// | [`carve`](Terrain::carve), [`paint`](Terrain::paint) | cells that a shape touches: a crater, a wall |
/// | [`Level::patch`], [`Level::apply`] | the cells of a box out and back in: undo, rollback |
/// | [`rectangles`](Terrain::rectangles) | the solids as boxes, for drawing or for another engine |
/// | [`Level::place`], [`Level::clear`] | a world that is loaded as the player walks |
/// | [`ways`](Terrain::ways) | the shortest way of a body, which edits keep up to date |
/// | [`Level::solids_for`] | the solids for a body that some areas stop too |
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
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Level {
    terrain: Terrain,
    /// No two areas have the same name.
    areas: Vec<Area>,
    markers: Vec<Marker>,
    origin: IVec2,
}

/// A named area of a [`Level`], such as water or ladders. See [`Level::area`].
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Area {
    /// The name of the area. No other area of the level has it.
    pub name: String,
    /// The cells of the area, with open space around them.
    pub terrain: Terrain,
    /// The categories of the area, one bit for each. The area is solid for bodies that collide with at least
    /// one of them ([`Level::solids_for`]).
    ///
    /// With the default 0, it is solid for no body.
    pub category: u64,
}

impl Level {
    /// Returns the first marker with this name; `None` if there is no such marker.
    pub fn marker(&self, name: &str) -> Option<&Marker> {
        self.markers.iter().find(|marker| marker.name == name)
    }

    /// Returns all markers, in the order of the file: what the map's maker placed and that stops nobody.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// Returns the markers to which a property of `marker` refers. The property is an `object` of Tiled, an
    /// entity reference of LDtk, or a list of these.
    ///
    /// An object that is solid or one-way is no marker, and is left out. [`Marker`] has an example.
    /// O(markers) for each reference.
    pub fn referred(&self, marker: &Marker, property: &str) -> Vec<&Marker> {
        let values = match marker.properties.get(property) {
            Some(PropertyValue::List(items)) => &items[..],
            value => value.map(slice::from_ref).unwrap_or_default(),
        };
        values.iter().filter_map(|value| self.referred_by(value, marker)).collect()
    }

    fn referred_by(&self, value: &PropertyValue, from: &Marker) -> Option<&Marker> {
        self.markers.iter().find(|marker| match value {
            PropertyValue::Object(id) => *id != 0 && [marker.object, marker.map] == [*id, from.map],
            PropertyValue::Class { members, .. } => {
                let iid = members.get("entityIid");
                iid.is_some() && iid == marker.properties.get("iid")
            }
            _ => false,
        })
    }

    /// Returns the named area, such as water or ladders; `None` if no area has this name. An area is a
    /// terrain with open space around it.
    ///
    /// Its [`Terrain::overlaps`] is true for a box with a pixel in the area, and its [`Terrain::sweep`]
    /// returns the distance to the area. An area stops only bodies that collide with one of its categories
    /// ([`Level::with_solid_area`]). [`LoadOptions::planes`](crate::LoadOptions::planes) creates areas from
    /// the colours of a mask image.
    ///
    /// ```
    /// use bitwall::{Aabb, Level, LoadOptions};
    ///
    /// let planes = vec!["sea=#ffffff".parse()?];
    /// let options = LoadOptions { planes, ..LoadOptions::default() };
    /// let level = Level::load_with("assets/harbor_mask.png", &options)?;
    /// let sea = level.area("sea").expect("it was asked for");
    /// assert!(sea.overlaps(Aabb::from_xywh(0, 0, 1_000, 1_000)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn area(&self, name: &str) -> Option<&Terrain> {
        self.areas.iter().find(|area| area.name == name).map(|area| &area.terrain)
    }

    /// Returns all areas, in the order in which they were added.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// Returns the named area for edits; `None` if no area has this name.
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
        self.areas.iter_mut().find(|area| area.name == name).map(|area| &mut area.terrain)
    }

    /// Returns the [`Area::category`] of the named area; `None` if no area has this name.
    pub fn area_category(&self, name: &str) -> Option<u64> {
        self.areas.iter().find(|area| area.name == name).map(|area| area.category)
    }

    /// Sets the [`Area::category`] of the named area. Returns false if no area has this name.
    pub fn set_area_category(&mut self, name: &str, category: u64) -> bool {
        let found = self.areas.iter_mut().find(|area| area.name == name);
        found.map(|area| area.category = category).is_some()
    }

    /// Returns the areas whose categories are not 0. They stop bodies that collide with one of these
    /// categories.
    pub fn solid_areas(&self) -> impl Iterator<Item = &Terrain> {
        self.areas.iter().filter(|area| area.category != 0).map(|area| &area.terrain)
    }

    /// Returns true if the level has no solid cell, no one-way cell, and no solid area with a cell. Takes
    /// O(areas).
    pub fn is_blank(&self) -> bool {
        let mut areas = self.solid_areas();
        self.grid().solid_count() == 0
            && Dir::ALL.into_iter().all(|side| self.one_way(side).is_none())
            && areas.all(|area| area.grid().solid_count() == 0)
    }

    /// Returns the terrain of the level: its solid cells, its one-way cells and the space beyond its sides.
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Returns this level as the solids for a [`Mover`](crate::Mover) whose body has the pixels of
    /// `footprint`.
    pub fn with_footprint<'a>(&'a self, footprint: &'a Footprint) -> FootprintSolids<'a, Self> {
        FootprintSolids::new(self, footprint)
    }

    /// Returns the solids of this level for a body that collides with the categories `collides_with`, one bit
    /// for each.
    ///
    /// They are the terrain, and each area with at least one of these categories. [`AreaSolids`] has an
    /// example. For a body of a [`World`](crate::world::World), pass its
    /// [`Body::collides_with`](crate::world::Body::collides_with). Takes O(areas).
    pub fn solids_for(&self, collides_with: u64) -> AreaSolids<'_> {
        AreaSolids::new(self, collides_with)
    }

    /// Returns the position of the level's pixel (0, 0) in its source (a map, a world or an image), in
    /// pixels.
    ///
    /// It differs from (0, 0) for a world, for an infinite map, and for a map that extends left of or above
    /// its first cell. All other positions are counted from the level's own top-left corner.
    pub fn origin(&self) -> IVec2 {
        self.origin
    }

    /// Returns a checksum of the cells, areas, markers and origin.
    ///
    /// It is the same on every platform, for a dense and a sparse level, for a baked level and its source,
    /// and before and after a level is saved. So two players of a game can test whether they have the same
    /// level.
    ///
    /// An edited level has the checksum of one built anew if its areas and markers were added in the same
    /// order. An area that was cleared is still an area. Another version of bitwall or of Rust may give other
    /// checksums. O(words of the cells).
    ///
    /// ```
    /// use bitwall::{Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let tile = UVec2::splat(16);
    /// let mut level = Level::from_grid(Grid::from_text("..#")?, tile)?;
    /// level.set(IVec2::new(0, 0), true)?;
    /// let other = Level::from_grid(Grid::from_text("#.#")?, tile)?;
    /// assert_eq!(level.checksum(), other.checksum());
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn checksum(&self) -> u64 {
        checksum::of(self)
    }

    /// Returns all that the answers of the level depend on, without its markers.
    fn cells(&self) -> impl Hash + Eq {
        let areas = self.areas.iter().map(|area| (&area.name, state(&area.terrain), area.category));
        (state(&self.terrain), areas.collect::<Vec<_>>(), self.origin)
    }

    /// Replaces a rectangle of cells with the level `other`. The first cell of `other` goes to column and row
    /// `at`.
    ///
    /// A game can use this to load parts of a world as the player walks. Returns the replaced rectangle in
    /// pixels, or `None` if it is outside this level. Cells of `other` outside this level are left out.
    ///
    /// Solid cells, one-way cells, areas and markers are replaced. [`Terrain::outside`] and the origin stay
    /// unchanged. An area that only `other` has is added with its categories and its [`Terrain::outside`]. An
    /// area that only this level has is cleared in the rectangle. A cell of an area belongs to the rectangle
    /// if the cell's top-left pixel is inside. A marker belongs to it if the marker's
    /// [`position`](Marker::position) is inside. The call takes O(words of the rectangle). In a sparse level
    /// it takes O(blocks of the other level + replaced blocks). See [`Grid::sparse`] for a world of any size.
    ///
    /// ```
    /// use bitwall::glam::{IVec2, UVec2};
    /// use bitwall::{Aabb, Dir, Grid, Level};
    ///
    /// let tile = UVec2::splat(16);
    /// let mut world = Level::from_grid(Grid::sparse(100_000_000, 100_000_000)?, tile)?;
    /// let room = Level::from_grid(Grid::from_text("#####\n#...#\n#####")?, tile)?;
    /// let at = IVec2::new(70_000_000, 5);
    /// world.place(&room, at)?;
    ///
    /// let body = Aabb::from_xywh(16 * (at.x + 1), 16 * (at.y + 1), 12, 16);
    /// assert_eq!(world.sweep(body, Dir::Right, 100).moved, 36);
    /// world.clear(70_000_000..70_000_005, 5..8);
    /// assert!(world.can_move(body, Dir::Right, 100));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// The level stays unchanged if an error is returned.
    /// * [`GridError::OtherCellSize`] if the cells of the levels, or of two areas with the same name, differ
    ///   in size.
    /// * [`GridError::PartOfACell`] if the offset of an area is not a whole number of its cells.
    /// * [`GridError::TooManyBlocks`] if a sparse grid would exceed its [`Grid::block_limit`].
    /// * [`GridError::TooManyCells`] if memory runs out.
    pub fn place(&mut self, other: &Self, at: IVec2) -> Result<Option<Aabb>, GridError> {
        same_cell_size(&self.terrain, &other.terrain)?;
        let size = self.grid().size();
        let covered = other.grid().size();
        let at64 = at.as_i64vec2();
        let cells = (common(size.x, at64.x, covered.x), common(size.y, at64.y, covered.y));
        let Some(pixels) = Pixels::of(self, cells.clone()) else {
            return Ok(None);
        };
        let shift = at64 * self.cell_size().as_i64vec2();
        let terrain = Chunk::new(&self.terrain, cells, &other.terrain, at)?;
        let mut added = Vec::new();
        for area in other.areas.iter().filter(|area| self.area(&area.name).is_none()) {
            let blank = blank_area(self, area.terrain.cell_size())?;
            let terrain = blank.with_outside(area.terrain.outside());
            added.push(Area { name: area.name.clone(), terrain, category: area.category });
        }
        let mut areas = Vec::with_capacity(self.areas.len() + added.len());
        for Area { name, terrain: area, .. } in self.areas.iter().chain(&added) {
            let cells = pixels.cells(area);
            areas.push(match other.area(name) {
                None => Chunk::blank(area, cells),
                Some(source) => {
                    same_cell_size(area, source)?;
                    Chunk::new(area, cells, source, whole_cells(shift, area.cell_size())?)?
                }
            });
        }

        terrain.apply(&mut self.terrain);
        self.areas.extend(added);
        for (area, chunk) in self.areas.iter_mut().zip(areas) {
            chunk.apply(&mut area.terrain);
        }
        self.markers.retain(|marker| !pixels.contains(marker.position().as_i64vec2()));
        for marker in &other.markers {
            if pixels.contains(marker.position().as_i64vec2() + shift) {
                self.markers.push(marker.clone().translated(shift));
            }
        }
        Ok(Some(pixels.aabb()))
    }

    /// Clears a rectangle of cells, as if [`Level::place`] put an empty level there. A sparse level frees the
    /// memory of blocks that become empty.
    ///
    /// Returns the part of the rectangle inside the level, in pixels; `None` if no part is inside. Takes
    /// O(words of the rectangle), or O(blocks in the rectangle) in a sparse level.
    pub fn clear(&mut self, columns: Range<u32>, rows: Range<u32>) -> Option<Aabb> {
        let pixels = Pixels::of(self, (columns, rows))?;
        let areas = self.areas.iter_mut().map(|area| &mut area.terrain);
        for terrain in std::iter::once(&mut self.terrain).chain(areas) {
            Chunk::blank(terrain, pixels.cells(terrain)).apply(terrain);
        }
        self.markers.retain(|marker| !pixels.contains(marker.position().as_i64vec2()));
        Some(pixels.aabb())
    }

    /// Returns the cells with a pixel in `area`, solid and one-way, of the terrain and of all areas. Take
    /// them before an edit, and [`Level::apply`] undoes the edit.
    ///
    /// The box may be anywhere; it need not consist of whole cells. Pixels outside the level, or at
    /// `i32::MAX` and beyond, do not count. A rollback keeps a patch for each edit and applies them from the
    /// last to the first. O(words of the cells in the box).
    ///
    /// ```
    /// use bitwall::glam::{IVec2, UVec2};
    /// use bitwall::shapes::Circle;
    /// use bitwall::{Aabb, Grid, Level};
    ///
    /// let mut level = Level::from_grid(Grid::new(320, 200)?, UVec2::ONE)?;
    /// level.paint(&Aabb::from_xywh(0, 100, 320, 100), IVec2::ZERO)?;
    /// let before = level.checksum();
    ///
    /// let crater = Aabb::from_xywh(40, 90, 40, 40);
    /// let undo = level.patch(crater);
    /// level.carve(&Circle { center: crater.center(), radius: 20 }, IVec2::ZERO);
    /// let redo = level.patch(crater);
    ///
    /// assert_eq!(level.apply(&undo)?, Some(Aabb::from_xywh(40, 100, 40, 30)), "the cells that changed");
    /// assert_eq!(level.checksum(), before);
    /// level.apply(&redo)?;
    /// assert_ne!(level.checksum(), before);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn patch(&self, area: Aabb) -> Patch {
        Patch::new(self, area)
    }

    /// Puts the cells of `patch` back: in its box, the terrain and all areas are as they were when it was
    /// taken. Cells outside the box, markers and categories stay as they are.
    ///
    /// Returns the smallest box around the pixels of all changed cells, or `None` if no cell changed.
    /// Prepared sizes and ways are up to date, as after any edit. An area that was added since is cleared in
    /// the box. The patch also fits a clone of the level, and a loaded level. O(words of the cells in the
    /// box), and for each prepared size the time of an edit.
    ///
    /// # Errors
    /// The level stays unchanged if an error is returned. If the edits since the patch was taken are undone
    /// in the reverse order, there is no error.
    /// * [`GridError::TooManyBlocks`] if a sparse grid would exceed its
    ///   [`Grid::block_limit`](crate::Grid::block_limit), because of cells that were added outside the box.
    /// * [`GridError::OtherCellSize`] if the patch is of a level with cells of another size.
    /// * [`GridError::TooManyCells`] if memory runs out.
    pub fn apply(&mut self, patch: &Patch) -> Result<Option<Aabb>, GridError> {
        patch.apply(self)
    }

    /// Returns the version numbers of the level's terrain and areas ([`Terrain::stamp`]), then the categories
    /// of the areas.
    pub(crate) fn stamps(&self) -> impl Iterator<Item = u64> {
        let areas = self.areas.iter().map(|area| &area.terrain);
        let stamps = std::iter::once(&self.terrain).chain(areas).map(Terrain::stamp);
        stamps.chain(self.areas.iter().map(|area| area.category))
    }

    /// Returns the memory of the level's cells, of its areas and of all prepared sizes, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        let areas: u64 = self.areas.iter().map(|area| area.terrain.memory_bytes()).sum();
        self.terrain.memory_bytes() + areas
    }

    /// Returns the column and row of the level's first cell in the level's source, as in [`Level::origin`].
    pub fn first_cell(&self) -> IVec2 {
        self.origin.div_euclid(self.cell_size().as_ivec2())
    }

    /// Creates a level with this terrain, without areas and markers.
    pub fn new(terrain: Terrain) -> Self {
        Self { terrain, areas: Vec::new(), markers: Vec::new(), origin: IVec2::ZERO }
    }

    /// Creates a level from a grid with cells of `cell_size` pixels. The space beyond all sides is solid.
    ///
    /// # Errors
    /// The same as for [`Terrain::new`].
    pub fn from_grid(grid: Grid, cell_size: UVec2) -> Result<Self, GridError> {
        Ok(Self::new(Terrain::new(grid, cell_size)?))
    }

    /// Returns this level with solid or open space beyond its sides, like [`Terrain::with_outside`]. The
    /// space around its areas stays open.
    #[must_use]
    pub fn with_outside(mut self, outside: impl Into<Sides<Outside>>) -> Self {
        self.terrain.set_outside(outside);
        self
    }

    /// Returns this level with the one-way cells `guarded`, like [`Terrain::with_one_way`].
    pub fn with_one_way(mut self, side: Dir, guarded: Grid) -> Result<Self, GridError> {
        self.terrain = self.terrain.with_one_way(side, guarded)?;
        Ok(self)
    }

    /// Returns this level with a named area. The area replaces an area with the same name. See
    /// [`Level::area`]. The space around the area becomes open.
    ///
    /// The area's pixels are counted from the top-left corner of the level. The area's cells may have another
    /// size than the level's cells.
    #[must_use]
    pub fn with_area(self, name: impl Into<String>, area: Terrain) -> Self {
        self.with_solid_area(name, area, 0)
    }

    /// Returns this level with a named area that is solid for some bodies, for example glass that stops
    /// bullets.
    ///
    /// It is solid for bodies that collide with at least one of the categories in `category`, one bit for
    /// each. The area's one-way cells stop these bodies too. The area replaces an area with the same name and
    /// gets open space around it, like in [`Level::with_area`]. The level's own queries ignore the area;
    /// queries of [`Level::solids_for`] include it.
    #[must_use]
    pub fn with_solid_area(
        mut self,
        name: impl Into<String>,
        area: Terrain,
        category: u64,
    ) -> Self {
        let name = name.into();
        let area = area.with_outside(Outside::Open);
        match self.areas.iter_mut().find(|known| known.name == name) {
            Some(known) => *known = Area { name, terrain: area, category },
            None => self.push_area(name, area, category),
        }
        self
    }

    /// Adds an area. The level must not have an area with this name.
    pub(crate) fn push_area(&mut self, name: String, terrain: Terrain, category: u64) {
        self.areas.push(Area { name, terrain, category });
    }

    /// Returns this level with cells of one pixel, for example so that a blast can carve its ground pixel by
    /// pixel. Its areas get cells of one pixel too.
    ///
    /// All answers stay the same, but contacts name pixels. A [`LoadedLevel`](crate::LoadedLevel) can still
    /// explain why a cell is solid if its level is replaced by the result. The conversion takes O(runs of
    /// cells + words of pixels).
    ///
    /// ```
    /// use bitwall::{Dir, Grid, Level, glam::IVec2, glam::UVec2, shapes::Circle};
    ///
    /// let level = Level::from_grid(Grid::from_text("....\n####")?, UVec2::splat(16))?;
    /// let mut level = level.into_pixels()?;
    /// assert_eq!((level.cell_size(), level.size()), (UVec2::ONE, UVec2::new(64, 32)));
    /// level.carve(&Circle { center: IVec2::new(20, 16), radius: 6 }, IVec2::ZERO);
    /// assert!(!level.is_solid(IVec2::new(20, 20)) && level.is_solid(IVec2::new(20, 23)));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// The same as for [`Terrain::into_pixels`].
    pub fn into_pixels(self) -> Result<Self, GridError> {
        let areas = self.areas.into_iter();
        let areas = areas.map(|area| Ok(Area { terrain: area.terrain.into_pixels()?, ..area }));
        Ok(Self {
            terrain: self.terrain.into_pixels()?,
            areas: areas.collect::<Result<_, GridError>>()?,
            ..self
        })
    }

    /// Returns this level with `markers` instead of its own markers.
    #[must_use]
    pub fn with_markers(mut self, markers: Vec<Marker>) -> Self {
        self.markers = markers;
        self
    }

    /// Returns this level with `origin` as the position of its pixel (0, 0) in its source. See
    /// [`Level::origin`].
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

/// Equal levels have the same cells, areas, markers and origin. Prepared sizes do not count.
impl PartialEq for Level {
    fn eq(&self, other: &Self) -> bool {
        // A number in a property of a marker can be NaN, which is not equal to itself.
        self.cells() == other.cells() && checksum::of(&self.markers) == checksum::of(&other.markers)
    }
}

impl Eq for Level {}

impl Hash for Level {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.cells(), &self.markers).hash(state);
    }
}

/// The reason why a cell is solid, and the tile or object that makes it solid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Provenance {
    /// The name of the layer of the tile or object that makes the cell solid, with the names of the groups
    /// that contain the layer.
    pub layer: String,
    /// The tile that makes the cell solid: the name of its tileset and its local id there; `None` if no tile
    /// does.
    pub tile: Option<(String, u32)>,
    /// The id in the map of the object that makes the cell solid; `None` if no object does.
    pub object: Option<u32>,
    /// The line, in the map's file, of the layer or object that makes the cell solid. It is counted from 1,
    /// and `None` if the map was not XML.
    pub line: Option<u32>,
    /// The reason as a short text, such as "its name" or "property `solid`". For a cell that is one-way but
    /// not solid, it is "it is one-way".
    pub because: String,
}

/// The value of [`Provenance::because`] for a one-way cell.
pub(crate) const ONE_WAY: &str = "it is one-way";

/// Writes the sentence that `bitwall can-move` prints: ``tile 3 of tileset `cave` in layer `Walls` (solid by
/// its name)``. Control characters in names are escaped.
impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.tile, self.object) {
            (Some((tileset, id)), _) => write!(f, "tile {id} of tileset `{}`", printable(tileset))?,
            (None, Some(object)) => write!(f, "object {object}")?,
            (None, None) => write!(f, "a solid")?,
        }
        write!(f, " in layer `{}` ", printable(&self.layer))?;
        match &*self.because {
            ONE_WAY => write!(f, "(one-way)"),
            because => write!(f, "(solid by {})", printable(because)),
        }
    }
}

/// The rectangle of pixels that [`Level::place`] or [`Level::clear`] replaces. It selects the cells of each
/// area and the markers to replace. It is inside the level and never empty.
#[derive(Clone, Copy)]
struct Pixels {
    min: I64Vec2,
    max: I64Vec2,
}

impl Pixels {
    /// Returns the pixels of a rectangle of cells, without cells outside the level; `None` if no cell is
    /// inside.
    fn of(level: &Level, (columns, rows): CellRange) -> Option<Self> {
        let side = level.cell_size().as_i64vec2();
        let cells = level.grid().size().as_i64vec2();
        let min = I64Vec2::new(columns.start.into(), rows.start.into());
        let max = I64Vec2::new(columns.end.into(), rows.end.into()).min(cells);
        min.cmplt(max).all().then(|| Self { min: min * side, max: max * side })
    }

    /// Returns the cells whose top-left pixel is in this rectangle. So rectangles that touch share no cell.
    fn cells(self, terrain: &Terrain) -> CellRange {
        let side = terrain.cell_size().as_i64vec2();
        let size = terrain.grid().size().as_i64vec2();
        let [min, max] =
            [self.min, self.max].map(|pixel| ((pixel + side - 1) / side).min(size).as_uvec2());
        (min.x..max.x, min.y..max.y)
    }

    fn contains(self, pixel: I64Vec2) -> bool {
        pixel.cmpge(self.min).all() && pixel.cmplt(self.max).all()
    }

    fn aabb(self) -> Aabb {
        Aabb { min: clamped(self.min), max: clamped(self.max) }
    }
}

/// Returns all that the answers of a terrain depend on. Blank one-way cells count as none.
fn state(terrain: &Terrain) -> impl Hash + Eq {
    let guards = Dir::ALL.map(|side| terrain.one_way(side));
    let guards = guards.map(|cells| cells.filter(|cells| cells.solid_count() > 0));
    (terrain.grid(), terrain.cell_size(), terrain.outside(), guards)
}

fn same_cell_size(target: &Terrain, source: &Terrain) -> Result<(), GridError> {
    let found = source.cell_size();
    let expected = target.cell_size();
    if found == expected { Ok(()) } else { Err(GridError::OtherCellSize { found, expected }) }
}

fn whole_cells(offset: I64Vec2, cell_size: UVec2) -> Result<IVec2, GridError> {
    let side = cell_size.as_i64vec2();
    let whole = clamped(offset / side);
    if whole.as_i64vec2() * side != offset {
        return Err(GridError::PartOfACell { offset, cell_size });
    }
    Ok(whole)
}

fn blank_area(level: &Level, cell_size: UVec2) -> Result<Terrain, GridError> {
    let size = level.size();
    let width = size.x.div_ceil(cell_size.x);
    let height = size.y.div_ceil(cell_size.y);
    let grid = match level.grid().block_limit() {
        Some(limit) => Grid::sparse(width, height)?.with_block_limit(limit),
        None => Grid::new(width, height)?,
    };
    Terrain::new(grid, cell_size)
}

#[cfg(test)]
mod tests;
