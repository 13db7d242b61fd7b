//! The queries that a mover makes ([`Solids`]), and the types that answer them. [`AreaSolids`] combines a
//! level with the areas that are solid for one body. [`FootprintSolids`] answers for a body that is a
//! footprint, and [`PlacedTerrain`] for a terrain that is not at the level's first pixel.

mod footprint;

pub use footprint::FootprintSolids;

use glam::{IVec2, UVec2};

use super::{Area, Level};
use crate::footprint::Footprint;
use crate::geometry::{Aabb, Corners, Dir, Outside};
use crate::terrain::{BodyId, Contact, RayHit, SizedTerrain, Sweep, Terrain};

/// The solids among which a [`Mover`](crate::Mover) moves: a [`Level`], a [`Terrain`], the solids for a
/// footprint ([`FootprintSolids`]), or a type of the game with its own rules.
///
/// The queries of this trait take only boxes, as their names state. The queries of a level or a terrain, such
/// as [`Terrain::sweep`], also take footprints. Three methods are required. A method that is documented as a
/// hint saves queries of the mover. A game may override its default with a more precise answer.
///
/// # Contract
/// * During one step of a mover, answers depend only on the arguments.
/// * Every box must have an answer, not only the body's own box. A mover also asks about smaller boxes in its
///   body, and about positions ahead of it. A box within a larger box meets only solids that the larger box
///   meets too.
/// * `sweep_aabb` is exact along the whole path, like [`Terrain::sweep`]. Its `moved` is the largest free
///   distance. Several short sweeps in a row end where one long sweep ends.
///
/// In this example, a veil stops humans but not spirits. [`Sweep::earlier`] combines the two answers.
///
/// ```
/// use bitwall::glam::{UVec2, Vec2};
/// use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, Solids, Sweep, Terrain};
///
/// struct Walls<'a> {
///     level: &'a Level,
///     veil: Option<&'a Terrain>,
/// }
///
/// impl Solids for Walls<'_> {
///     fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, _one_way: bool) -> Sweep {
///         let sweep = self.level.sweep(body, dir, step);
///         self.veil.map_or(sweep, |veil| sweep.earlier(veil.sweep(body, dir, step)))
///     }
///     fn overlaps_aabb(&self, body: Aabb) -> bool {
///         self.level.overlaps(body) || self.veil.is_some_and(|veil| veil.overlaps(body))
///     }
///     fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
///         // Past the one, then past the other, until both are left behind.
///         let mut distance = 0;
///         while distance <= limit {
///             let there = body.shifted(dir, distance);
///             let left = limit - distance;
///             let more = self.level.nearest_free(there, dir, left)?;
///             let veil = |veil: &Terrain| veil.nearest_free(there, dir, left);
///             match more.max(self.veil.map_or(Some(0), veil)?) {
///                 0 => return Some(distance),
///                 more => distance += more,
///             }
///         }
///         None
///     }
/// }
///
/// let cell = UVec2::splat(16);
/// let level = Level::from_grid(Grid::new(8, 1)?, cell)?;
/// let veil = Terrain::new(Grid::from_text("...#....")?, cell)?;
/// let start = Mover::new(Aabb::from_xywh(0, 0, 10, 10), MoverSettings::PLAIN);
/// let (mut spirit, mut human) = (start, start);
/// spirit.step(&Walls { level: &level, veil: None }, Vec2::new(100.0, 0.0))?;
/// human.step(&Walls { level: &level, veil: Some(&veil) }, Vec2::new(100.0, 0.0))?;
/// assert_eq!((spirit.body.min.x, human.body.min.x), (100, 38));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a body cannot move among `{Self}`",
    label = "this is not `Solids`",
    note = "pass a `&Level`, the `level` of a `LoadedLevel`, a `&Terrain`, `&level.solids_for(..)` or \
            `&level.with_footprint(..)`, or implement `Solids`",
    note = "the bodies of a `World` move with `World::step`, also among each other"
)]
pub trait Solids {
    /// Returns the distance that `body` can move toward `dir`, at most `step` pixels, and the contact that
    /// stops it. If `one_way` is true, one-way cells stop the body, like in [`Terrain::sweep`]. If it is
    /// false, the body passes one-way cells, like in [`Terrain::sweep_through_one_way`].
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep;

    /// Returns true if at least one pixel of `body` is solid, like [`Terrain::overlaps`]. One-way cells are
    /// not solid.
    fn overlaps_aabb(&self, body: Aabb) -> bool;

    /// Returns the smallest distance toward `dir`, at most `limit` pixels, at which `body` overlaps no solid,
    /// like [`Terrain::nearest_free`]. Returns `None` if there is no such distance.
    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32>;

    /// Returns true if nothing stops `body` on the next `step` pixels toward `dir`, like
    /// [`Terrain::can_move`]. One-way cells stop the body only if `one_way` is true.
    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        self.sweep_aabb(body, dir, step, one_way).is_clear()
    }

    /// Returns true if a one-way solid in `area` may stop a motion toward `dir`. Returns false only if it is
    /// certain that none does. `area` may be larger than the body. This is a hint: if it is false, a mover
    /// does not search `area` for one-way steps and floors.
    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        match self.base() {
            Some(base) => base.has_one_way(area, dir),
            None => {
                !self.can_move_aabb(area.edge(dir.opposite()), dir, area.extent(dir.axis()), true)
            }
        }
    }

    /// Returns the named areas that a [`Move`](crate::Move) reports as entered or left. Only the first 64
    /// count.
    fn watched_areas(&self) -> &[Area] {
        self.base().map_or(&[], |base| base.watched_areas())
    }

    /// Returns the solids from which these solids take their answers, for solids that leave out or reshape
    /// some of them and add none. The watched areas and the hints `has_one_way`, `is_free`, `is_beyond`,
    /// `can_move_part` and `contact_area` then ask these solids by default.
    fn base(&self) -> Option<&dyn Solids> {
        None
    }

    /// Returns these solids for bodies of `size`, if their lines are prepared. A mover asks this once a step.
    #[doc(hidden)]
    fn for_size(&self, _size: UVec2) -> Option<SizedSolids<'_>> {
        None
    }

    /// Returns the pixels of the body if these solids are for one body that is not a box; otherwise `None`. A
    /// query about a box is then answered for the footprint at the box's top-left corner. A mover gives its
    /// body the size of the footprint.
    fn footprint(&self) -> Option<&Footprint> {
        None
    }

    /// Returns the area with this name: that of the level, or of a piece of level near the body.
    #[doc(hidden)]
    fn placed_area(&self, name: &str) -> Option<PlacedTerrain<'_>> {
        let area = self.watched_areas().iter().find(|area| area.name == name)?;
        Some(PlacedTerrain { terrain: &area.terrain, at: IVec2::ZERO, body: None })
    }

    /// Returns a number of pixels, at most `distance`, that `body` can move toward `dir` while its floor
    /// supports it. The exact number may be larger. `floor` is the direction of the floor. This is a hint: if
    /// it is 0, the mover walks pixel by pixel.
    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        floor_run(body, dir, distance, &|run| supports(self, body, dir, run, floor), &|| 0)
    }

    /// Returns true only if nothing stops a body that moves toward both `dirs` and stays within `area`.
    /// Returns false if this is unknown. This is a hint.
    fn is_free(&self, area: Aabb, dirs: [Dir; 2]) -> bool {
        match self.base() {
            Some(base) => base.is_free(area, dirs),
            None => is_free(self, area, dirs),
        }
    }

    /// Returns true only if `body` meets the same solids at every position farther toward `dir`. Returns
    /// false if this is unknown. This is a hint for bodies far outside a level.
    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        self.base().is_some_and(|base| base.is_beyond(body, dir))
    }

    /// Returns true if `body` can move `part` subpixels toward `dir` although solids touch its side toward
    /// `dir`. A subpixel is 1/65,536 of a pixel. This is so if each of these solids starts at least `part`
    /// subpixels farther away than its first whole pixel. The default, false, is right for solids of whole
    /// pixels.
    fn can_move_part(&self, body: Aabb, dir: Dir, part: u32) -> bool {
        self.base().is_some_and(|base| base.can_move_part(body, dir, part))
    }

    /// Returns the box of the solid in `contact`; `None` if it is unknown. This is a hint: with a box, a
    /// mover does not search for a way around a solid that is too large.
    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        self.base()?.contact_area(contact)
    }
}

/// Returns true if nothing stops a box that moves toward both `dirs` and stays within `area`.
pub(crate) fn is_free(solids: &(impl Solids + ?Sized), area: Aabb, dirs: [Dir; 2]) -> bool {
    dirs.into_iter().all(|dir| {
        let edge = area.edge(dir.opposite());
        solids.can_move_aabb(edge, dir, area.extent(dir.axis()), true)
    })
}

/// Returns true only if a floor supports the body at each of its next `run` pixels toward `dir`. This is so
/// if something toward `floor` stops the box that the body's first and last positions share.
pub(crate) fn supports(
    solids: &(impl Solids + ?Sized),
    body: Aabb,
    dir: Dir,
    run: u32,
    floor: Dir,
) -> bool {
    let shared = body.intersection(body.shifted(dir, run));
    shared.extent(dir.axis()) > 0 && !solids.can_move_aabb(shared, floor, 1, true)
}

/// The shortest distance in pixels that [`floor_run`] tests while it repeatedly halves a distance to find one
/// on which the floor supports the body.
const LONG: u32 = 32;

/// Returns a number of pixels that a body can move while its floor supports it. The exact number may be
/// larger, because only a few queries are made. `is_held(n)` returns true if the floor supports the body on
/// the next n pixels. `lead_run` returns the number of pixels on which the floor under the leading edge alone
/// supports the body.
pub(crate) fn floor_run(
    body: Aabb,
    dir: Dir,
    distance: u32,
    is_held: &dyn Fn(u32) -> bool,
    lead_run: &dyn Fn() -> u32,
) -> u32 {
    if is_held(distance) {
        return distance;
    }
    let length = (body.extent(dir.axis()) / 2).max(1);
    let (run, longest) = if distance > length { (lead_run(), length) } else { (0, distance / 2) };
    if run >= longest {
        return run;
    }
    // If only the rear end of a long body is supported, a few halved distances find the supported part.
    let mut half = longest;
    while half == length || half >= LONG {
        if is_held(half) {
            return run.max(half);
        }
        half /= 2;
    }
    run
}

impl Solids for Terrain {
    #[inline]
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        if one_way {
            self.sweep(body, dir, step)
        } else {
            self.sweep_through_one_way(body, dir, step)
        }
    }

    #[inline]
    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.overlaps(body)
    }

    #[inline]
    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.nearest_free(body, dir, limit)
    }

    #[inline(always)]
    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        if one_way {
            self.can_move(body, dir, step)
        } else {
            can_move_through_one_way(self, body, dir, step)
        }
    }

    #[inline]
    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        self.one_way(dir.opposite()).is_some()
            && self.crosses_one_way(area.edge(dir.opposite()), dir, area.extent(dir.axis()))
    }

    #[inline]
    fn for_size(&self, size: UVec2) -> Option<SizedSolids<'_>> {
        self.for_size(size).map(|sized| SizedSolids { sized, areas: &[] })
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        floor_run_of_cells(self, self, body, dir, distance, floor)
    }

    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        let size = self.size();
        match dir {
            Dir::Left => body.max.x <= 0,
            Dir::Right => i64::from(body.min.x) >= i64::from(size.x),
            Dir::Up => body.max.y <= 0,
            Dir::Down => i64::from(body.min.y) >= i64::from(size.y),
        }
    }

    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        Some(self.cell_box(contact.cell))
    }
}

/// Returns the result of [`Solids::floor_run`] for the cells of `terrain`. `solids` answers its queries.
fn floor_run_of_cells(
    solids: &impl Solids,
    terrain: &Terrain,
    body: Aabb,
    dir: Dir,
    distance: u32,
    floor: Dir,
) -> u32 {
    floor_run(
        body,
        dir,
        distance,
        &|run| {
            supports(solids, body, dir, run, floor)
                || terrain.is_beyond(body, dir) && !solids.can_move_aabb(body, floor, 1, true)
        },
        &|| lead_run(solids, terrain, body, dir, distance, floor),
    )
}

/// Returns the answer of [`Solids::can_move_aabb`] for a body that passes one-way cells. It is marked cold,
/// so that its call takes no registers from the common case, in which one-way cells stop the body.
#[cold]
fn can_move_through_one_way(terrain: &Terrain, body: Aabb, dir: Dir, step: u32) -> bool {
    terrain.sweep_through_one_way(body, dir, step).is_clear()
}

/// Returns the distance toward `dir`, at most `distance`, on which the cell under the leading edge supports
/// the body.
fn lead_run(
    solids: &impl Solids,
    terrain: &Terrain,
    body: Aabb,
    dir: Dir,
    distance: u32,
    floor: Dir,
) -> u32 {
    let is_solid_beyond = terrain.outside().get(floor) == Outside::Solid;
    if is_solid_beyond && terrain.is_beyond(body.edge(floor), floor) {
        return distance;
    }
    let lead = body.intersection(body.shifted(dir, body.extent(dir.axis()).saturating_sub(1)));
    let Some(contact) = solids.sweep_aabb(lead, floor, 1, true).contact else {
        return 0;
    };
    // The whole cell supports the body. Outside the level, all cells up to the level support it too.
    let cell = terrain.cell_box(contact.cell);
    let size = terrain.size().as_i64vec2();
    let min = body.min.as_i64vec2();
    let max = body.max.as_i64vec2();
    let (run, gap) = match dir {
        Dir::Left => (max.x - 1 - i64::from(cell.min.x), min.x - size.x),
        Dir::Right => (i64::from(cell.max.x) - 1 - min.x, -max.x),
        Dir::Up => (max.y - 1 - i64::from(cell.min.y), min.y - size.y),
        Dir::Down => (i64::from(cell.max.y) - 1 - min.y, -max.y),
    };
    run.max(gap).clamp(0, i64::from(distance)) as u32
}

/// A terrain whose first pixel is at the pixel `at`: a piece of level that is a platform of a world, or an
/// area.
#[derive(Clone, Copy, Debug)]
pub struct PlacedTerrain<'a> {
    pub terrain: &'a Terrain,
    pub at: IVec2,
    /// The platform to which the terrain belongs; `None` for an area of the level.
    pub body: Option<BodyId>,
}

impl PlacedTerrain<'_> {
    /// Returns a box in the pixels of the terrain.
    #[inline]
    fn local(&self, area: Aabb) -> Aabb {
        area.translated(IVec2::ZERO.saturating_sub(self.at))
    }

    /// [`Terrain::ray`].
    pub fn ray(&self, from: IVec2, to: IVec2, corners: Corners) -> Option<RayHit> {
        let [from, to] = [from, to].map(|point| point.saturating_sub(self.at));
        let hit = self.terrain.ray(from, to, corners)?;
        Some(RayHit { pixel: hit.pixel.saturating_add(self.at), ..hit })
    }

    /// Returns the solid pixel nearest to `point`, as in [`Terrain::nearest_solid`].
    pub fn nearest_solid(&self, point: IVec2, radius: u32) -> Option<IVec2> {
        let nearest = self.terrain.nearest_solid(point.saturating_sub(self.at), radius)?;
        Some(nearest.pixel.saturating_add(self.at))
    }

    /// [`Terrain::solid_area`] of a box.
    pub fn solid_area(&self, area: Aabb) -> u64 {
        self.terrain.solid_area(self.local(area))
    }
}

// Not inlined into the queries of a world, in which most bodies are boxes.
impl Solids for PlacedTerrain<'_> {
    #[inline(never)]
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        self.terrain.sweep_aabb(self.local(body), dir, step, one_way)
    }

    #[inline(never)]
    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.terrain.overlaps(self.local(body))
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.terrain.nearest_free(self.local(body), dir, limit)
    }

    #[inline(never)]
    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        self.terrain.can_move_aabb(self.local(body), dir, step, one_way)
    }

    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        self.terrain.has_one_way(self.local(area), dir)
    }

    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        self.terrain.is_beyond(self.local(body), dir)
    }

    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        Some(self.terrain.cell_box(contact.cell).translated(self.at))
    }
}

impl Solids for Level {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        self.terrain.sweep_aabb(body, dir, step, one_way)
    }

    #[inline]
    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.terrain.overlaps(body)
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.terrain.nearest_free(body, dir, limit)
    }

    #[inline(always)]
    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        self.terrain.can_move_aabb(body, dir, step, one_way)
    }

    #[inline]
    fn watched_areas(&self) -> &[Area] {
        &self.areas
    }

    fn base(&self) -> Option<&dyn Solids> {
        Some(&self.terrain)
    }

    #[inline]
    fn for_size(&self, size: UVec2) -> Option<SizedSolids<'_>> {
        self.terrain.for_size(size).map(|sized| SizedSolids { sized, areas: &self.areas })
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        self.terrain.floor_run(body, dir, distance, floor)
    }
}

/// A terrain and its prepared lines for the bodies of one size, with the areas of its level.
#[derive(Clone, Copy, Debug)]
pub struct SizedSolids<'a> {
    sized: SizedTerrain<'a>,
    areas: &'a [Area],
}

/// The largest distance in pixels over which prepared lines test a floor pixel by pixel.
const SHORT: u32 = 8;

// The queries of the lines are inlined into these methods, but not into each query of a mover, because that
// would take a fifth more time to compile.
impl Solids for SizedSolids<'_> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        if one_way {
            self.sized.sweep(body, dir, step)
        } else {
            self.sized.sweep_through_one_way(body, dir, step)
        }
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.sized.overlaps(body)
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.sized.nearest_free(body, dir, limit)
    }

    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        if one_way {
            self.sized.can_move(body, dir, step)
        } else {
            self.sized.sweep_through_one_way(body, dir, step).is_clear()
        }
    }

    #[inline]
    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        self.sized.terrain().has_one_way(area, dir)
    }

    fn watched_areas(&self) -> &[Area] {
        self.areas
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        if distance > SHORT || !self.sized.fits(body) {
            return floor_run_of_cells(self, self.sized.terrain(), body, dir, distance, floor);
        }
        let mut run = 0;
        while run < distance && !self.sized.can_move(body.shifted(dir, run + 1), floor, 1) {
            run += 1;
        }
        run
    }

    fn base(&self) -> Option<&dyn Solids> {
        Some(self.sized.terrain())
    }
}

/// The solids of a level for one body: the level's terrain, and the areas with a category that the body
/// collides with. Returned by [`Level::solids_for`].
///
/// Queries are answered as if the level and these areas were one terrain with all their solid and one-way
/// cells. The outside is the level's outside. A query costs as much as one query of the level and one query
/// of each area.
///
/// A contact always names a cell of the level. If an area has cells of another size, the contact names the
/// level's cell that contains the first pixel that was met (the topmost, then the leftmost). In that case
/// [`Mover::drop_through`](crate::Mover::drop_through) moves a footprint by only one pixel.
///
/// ```
/// use bitwall::glam::{UVec2, Vec2};
/// use bitwall::{Aabb, Footprint, Grid, Level, Mover, MoverSettings, Terrain};
///
/// const BULLET_PROOF: u64 = 1 << 1;
/// let terrain = |text| Terrain::new(Grid::from_text(text)?, UVec2::splat(8));
/// let level = Level::new(terrain("........#")?);
/// let level = level.with_solid_area("glass", terrain("....#....")?, BULLET_PROOF);
///
/// let glass = level.solids_for(BULLET_PROOF);
/// let mut bullet = Mover::new(Aabb::from_xywh(0, 2, 4, 4), MoverSettings::PLAIN);
/// let mut hero = bullet;
/// let hit = bullet.step(&glass, Vec2::new(90.0, 0.0))?.contacts.right.expect("the glass");
/// assert_eq!((bullet.body.max.x, level.cell_box(hit.cell).min.x), (32, 32));
/// hero.step(&level, Vec2::new(90.0, 0.0))?;
/// assert_eq!(hero.body.max.x, 64, "only the wall stops the hero");
///
/// let mut shell = Mover::new(Aabb::from_xywh(0, 0, 6, 6), MoverSettings::PLAIN);
/// shell.step(&glass.with_footprint(&Footprint::circle(6)?), Vec2::new(90.0, 0.0))?;
/// assert_eq!(shell.body.max.x, 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AreaSolids<'a> {
    level: &'a Level,
    /// The areas from the first to the last that is solid for the body. Areas between them may not be solid.
    areas: &'a [Area],
    collides_with: u64,
    /// The level with its lines for the body's size, if a size is prepared.
    sized: Option<SizedSolids<'a>>,
    /// The pixels of a body of a world that is no box.
    footprint: Option<&'a Footprint>,
}

impl<'a> AreaSolids<'a> {
    pub(super) fn new(level: &'a Level, collides_with: u64) -> Self {
        let is_solid = |area: &Area| area.category & collides_with != 0;
        let first = level.areas.iter().position(is_solid).unwrap_or(0);
        let end = level.areas.iter().rposition(is_solid).map_or(first, |last| last + 1);
        let areas = &level.areas[first..end];
        Self { level, areas, collides_with, sized: None, footprint: None }
    }

    /// Returns these solids for a body with the pixels of `footprint`, or for a box if it is `None`.
    pub(crate) fn for_footprint(self, footprint: Option<&'a Footprint>) -> Self {
        Self { footprint, ..self }
    }

    /// Returns these solids for a body of `size`, whose lines are found once.
    pub(crate) fn for_size(self, size: UVec2) -> Self {
        Self { sized: Solids::for_size(self.level, size), ..self }
    }

    /// Returns the level to which these solids belong.
    pub fn level(&self) -> &'a Level {
        self.level
    }

    /// Returns these solids for a [`Mover`](crate::Mover) whose body has the pixels of `footprint`.
    pub fn with_footprint<'f>(&'f self, footprint: &'f Footprint) -> FootprintSolids<'f, Self> {
        FootprintSolids::new(self, footprint)
    }

    /// Returns the first solid pixel on a line, like [`Terrain::ray`]. The `cell` of the hit is the level's
    /// cell with that pixel.
    pub fn ray(&self, from: IVec2, to: IVec2, corners: Corners) -> Option<RayHit> {
        let hits = self.terrains().filter_map(|terrain| terrain.ray(from, to, corners));
        // The hits are compared in the order in which a line visits its pixels.
        let first = hits.min_by_key(|hit| {
            let way = (hit.pixel.as_i64vec2() - from.as_i64vec2()).abs();
            (way.element_sum(), hit.pixel.y)
        });
        first.map(|hit| RayHit { cell: self.level.cell_at(hit.pixel), ..hit })
    }

    /// Returns true if no solid is on the line between two pixels, like [`Terrain::line_of_sight`].
    pub fn line_of_sight(&self, one: IVec2, other: IVec2, corners: Corners) -> bool {
        self.terrains().all(|terrain| terrain.line_of_sight(one, other, corners))
    }

    /// Returns the areas that are solid for the body.
    #[inline]
    pub(crate) fn areas(&self) -> impl Iterator<Item = &'a Terrain> {
        let collides_with = self.collides_with;
        let solid = self.areas.iter().filter(move |area| area.category & collides_with != 0);
        solid.map(|area| &area.terrain)
    }

    #[inline]
    fn terrains(&self) -> impl Iterator<Item = &'a Terrain> {
        std::iter::once(self.level.terrain()).chain(self.areas())
    }

    /// Replaces the cell of `area` in `contact` with the level's cell. `ahead` is the row or column of pixels
    /// just ahead of the body.
    fn in_level(&self, area: &Terrain, ahead: Aabb, contact: Contact) -> Contact {
        if area.cell_size() == self.level.cell_size() {
            return contact;
        }
        let pixel = ahead.min.max(area.cell_box(contact.cell).min);
        Contact { cell: self.level.cell_at(pixel), ..contact }
    }
}

impl Solids for AreaSolids<'_> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        if let Some(footprint) = self.footprint {
            let solids = self.for_footprint(None);
            return solids.with_footprint(footprint).sweep_aabb(body, dir, step, one_way);
        }
        let level = match &self.sized {
            Some(sized) => sized.sweep_aabb(body, dir, step, one_way),
            None => self.level.terrain().sweep_aabb(body, dir, step, one_way),
        };
        self.areas().fold(level, |first, area| {
            // The sweep of an area goes one pixel further, because a contact at the same distance counts if
            // its cell comes first.
            let reach = first.moved.saturating_add(1).min(first.step);
            let Sweep { moved, contact: Some(contact), .. } =
                area.sweep_aabb(body, dir, reach, one_way)
            else {
                return first;
            };
            let contact = self.in_level(area, body.shifted(dir, moved).strip(dir, 1), contact);
            first.earlier(Sweep::stopped(first.step, moved, contact))
        })
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        if let Some(footprint) = self.footprint {
            return self.for_footprint(None).with_footprint(footprint).overlaps_aabb(body);
        }
        let overlaps = match &self.sized {
            Some(sized) => sized.overlaps_aabb(body),
            None => self.level.terrain().overlaps(body),
        };
        overlaps || self.areas().any(|area| area.overlaps(body))
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        if let Some(footprint) = self.footprint {
            let solids = self.for_footprint(None);
            return solids.with_footprint(footprint).nearest_free_aabb(body, dir, limit);
        }
        let mut distance = 0;
        loop {
            let before = distance;
            for terrain in self.terrains() {
                let there = body.shifted(dir, distance);
                distance += terrain.nearest_free(there, dir, limit - distance)?;
            }
            if distance == before || self.areas.is_empty() {
                return Some(distance);
            }
        }
    }

    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        if let Some(footprint) = self.footprint {
            let solids = self.for_footprint(None);
            return solids.with_footprint(footprint).can_move_aabb(body, dir, step, one_way);
        }
        let can_move = match &self.sized {
            Some(sized) => sized.can_move_aabb(body, dir, step, one_way),
            None => self.level.terrain().can_move_aabb(body, dir, step, one_way),
        };
        can_move && self.areas().all(|area| area.can_move_aabb(body, dir, step, one_way))
    }

    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        self.level.has_one_way(area, dir)
            || self.areas().any(|solid| Solids::has_one_way(solid, area, dir))
    }

    fn watched_areas(&self) -> &[Area] {
        &self.level.areas
    }

    fn footprint(&self) -> Option<&Footprint> {
        self.footprint
    }

    fn is_free(&self, area: Aabb, dirs: [Dir; 2]) -> bool {
        is_free(&self.for_footprint(None), area, dirs)
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        if let Some(footprint) = self.footprint {
            let solids = self.for_footprint(None);
            return solids.with_footprint(footprint).floor_run(body, dir, distance, floor);
        }
        let mut longest = match &self.sized {
            Some(sized) => sized.floor_run(body, dir, distance, floor),
            None => self.level.floor_run(body, dir, distance, floor),
        };
        for area in self.areas() {
            if longest < distance {
                longest = longest.max(area.floor_run(body, dir, distance, floor));
            }
        }
        longest
    }

    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        self.terrains().all(|terrain| terrain.is_beyond(body, dir))
    }

    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        let cell_size = self.level.cell_size();
        let is_known = self.areas().all(|area| area.cell_size() == cell_size);
        is_known.then(|| self.level.cell_box(contact.cell))
    }
}
