//! Levels: made, asked, edited, and given out as shapes. Files are the room `load`.

use bitwall::footprint::FootprintError;
use bitwall::geometry::Corners;
use bitwall::glam::{IVec2, UVec2};
use bitwall::grid::GridError;
use bitwall::level::Marker as CoreMarker;
use bitwall::property::PropertyValue;
use bitwall::shapes::Circle;
use bitwall::terrain::{Brush, RayHit, Terrain};
use bitwall::{Aabb, Grid, Outside};

#[cfg(feature = "load")]
use crate::load::Loaded;
use crate::{DIRS, Dir, Error, MISSING, Pixel, Rect, Result};
use crate::{aabb, bad, choice, clamped, flat, length, number};

/// A level: walls as bits, with named areas and markers. Positions are pixels, x to the right, y down.
#[derive(Clone)]
pub struct Level(Kept);

/// A level that was loaded keeps its files' documents, for reasons and pictures.
#[derive(Clone)]
enum Kept {
    Made(Box<bitwall::Level>),
    #[cfg(feature = "load")]
    Loaded(Box<Loaded>),
}

/// The size of a level in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Size {
    /// The width of the level.
    pub width: i32,
    /// The height of the level.
    pub height: i32,
    /// The width of a cell.
    pub cell_width: i32,
    /// The height of a cell.
    pub cell_height: i32,
}

/// How far a box can move, and what stops it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Sweep {
    /// The pixels that the box moves.
    pub moved: i32,
    /// True if something stops the box; if not, the other numbers say nothing.
    pub hit: bool,
    /// The column of the cell that stops the box.
    pub column: i32,
    /// The row of the cell that stops the box.
    pub row: i32,
    /// The normal along x: out of the solid, toward the box.
    pub normal_x: i32,
    /// The normal along y.
    pub normal_y: i32,
    /// The body of a world that stops the box; -1 for a cell.
    pub body: i32,
}

impl Sweep {
    pub(crate) fn new(sweep: bitwall::Sweep, body: i32) -> Self {
        let moved = clamped(sweep.moved);
        let Some(contact) = sweep.contact else {
            return Self { moved, body, ..Self::default() };
        };
        let (IVec2 { x: column, y: row }, normal) = (contact.cell, contact.normal);
        Self { moved, hit: true, column, row, normal_x: normal.x, normal_y: normal.y, body }
    }
}

/// The first solid on a straight line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Ray {
    /// True if there is a solid; if not, the other numbers say nothing.
    pub hit: bool,
    /// The solid pixel that the line enters first: its x.
    pub x: i32,
    /// The y of the pixel.
    pub y: i32,
    /// The column of the pixel's cell.
    pub column: i32,
    /// The row of the pixel's cell.
    pub row: i32,
    /// The normal of the side through which the line enters; 0 and 0 if the line starts in a solid.
    pub normal_x: i32,
    /// The normal along y.
    pub normal_y: i32,
    /// The body of a world that the line hits; -1 for a cell.
    pub body: i32,
    /// The part of the line before the hit, from 0 to 1.
    pub fraction: f64,
}

impl Ray {
    pub(crate) fn new(hit: Option<RayHit>, body: i32) -> Self {
        let Some(hit) = hit else {
            return Self { body, ..Self::default() };
        };
        Self {
            hit: true,
            x: hit.pixel.x,
            y: hit.pixel.y,
            column: hit.cell.x,
            row: hit.cell.y,
            normal_x: hit.normal.x,
            normal_y: hit.normal.y,
            body,
            fraction: hit.numerator as f64 / hit.denominator as f64,
        }
    }
}

/// The shape of a marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum MarkerShape {
    /// A rectangle, or a tile.
    #[default]
    Rectangle,
    /// A point.
    Point,
    /// An ellipse.
    Ellipse,
    /// A rectangle with round ends.
    Capsule,
    /// The area in a closed line.
    Polygon,
    /// An open line, such as the path of a lift.
    Polyline,
}

const SHAPES: [MarkerShape; 6] = [
    MarkerShape::Rectangle,
    MarkerShape::Point,
    MarkerShape::Ellipse,
    MarkerShape::Capsule,
    MarkerShape::Polygon,
    MarkerShape::Polyline,
];

/// What the map's maker placed and what stops nobody: a spawn, a door, a path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Marker {
    /// The left edge of the box around the marker as it is drawn.
    pub x: i32,
    /// The top edge of the box.
    pub y: i32,
    /// The width of the box; 0 for a point.
    pub w: i32,
    /// The height of the box; 0 for a point.
    pub h: i32,
    /// The x of the point, or of the middle of the box.
    pub at_x: i32,
    /// The y of the point, or of the middle of the box.
    pub at_y: i32,
    /// The shape.
    pub shape: MarkerShape,
    /// The clockwise rotation in degrees, which the box includes.
    pub rotation: f32,
    /// The id of the object in its map.
    pub object: i32,
    /// The index of the map in its world; 0 without a world.
    pub map: i32,
    /// The id in its tileset of the tile that the marker shows; -1 without a tile.
    pub tile: i32,
    /// True if the tile is mirrored left to right.
    pub flip_x: bool,
    /// True if the tile is mirrored top to bottom.
    pub flip_y: bool,
}

/// The cells of a box of a level before an edit, to undo the edit.
pub struct Patch(bitwall::level::Patch);

/// A body or a brush that is no box: the pixels of a small picture.
pub struct Footprint(bitwall::Footprint);

impl Footprint {
    /// Makes a footprint of `width` x `height` pixels: a pixel belongs to it where the byte is not 0. Row by
    /// row, a byte for each pixel.
    pub fn new(width: i32, height: i32, pixels: &[u8]) -> Result<Self> {
        let grid = grid("width", width, "height", height, "pixels", pixels)?;
        bitwall::Footprint::from_grid(&grid).map(Self).map_err(unfit)
    }

    /// Makes a disc with this diameter in pixels.
    pub fn circle(diameter: i32) -> Result<Self> {
        bitwall::Footprint::circle(length("diameter", diameter)?).map(Self).map_err(unfit)
    }

    /// Makes a box with round ends, of `width` x `height` pixels.
    pub fn capsule(width: i32, height: i32) -> Result<Self> {
        let size = UVec2::new(length("width", width)?, length("height", height)?);
        bitwall::Footprint::capsule(size).map(Self).map_err(unfit)
    }

    pub(crate) fn core(&self) -> &bitwall::Footprint {
        &self.0
    }
}

#[cold]
fn unfit(error: FootprintError) -> Box<Error> {
    Error::new(crate::ARGUMENT, error)
}

/// The grid of `width` x `height` cells that are solid where the byte is not 0.
fn grid(w: &str, width: i32, h: &str, height: i32, name: &str, cells: &[u8]) -> Result<Grid> {
    let width = number(w, width, 1..=i32::MAX)?.cast_unsigned();
    let height = number(h, height, 1..=i32::MAX)?.cast_unsigned();
    let count = u64::from(width) * u64::from(height);
    if cells.len() as u64 != count {
        return Err(bad(name, format_args!("{} bytes", cells.len()), format_args!("{count} bytes")));
    }
    let mut grid = Grid::new(width, height).map_err(Error::size)?;
    for (row, line) in (0..height).zip(cells.chunks_exact(width as usize)) {
        for (column, _) in (0..width).zip(line).filter(|(_, cell)| **cell != 0) {
            grid.set(column, row, true).map_err(Error::size)?;
        }
    }
    Ok(grid)
}

fn cell_size(width: i32, height: i32) -> Result<UVec2> {
    let side = 1..=Terrain::MAX_CELL_SIZE.cast_signed();
    let width = number("cell_width", width, side.clone())?.cast_unsigned();
    let height = number("cell_height", height, side)?.cast_unsigned();
    Ok(UVec2::new(width, height))
}

fn corners(passes: bool) -> Corners {
    if passes { Corners::Pass } else { Corners::Block }
}

fn changed(edit: std::result::Result<Option<Aabb>, GridError>) -> Result<bool> {
    edit.map(|area| area.is_some()).map_err(Error::size)
}

impl Level {
    /// A level that the door of Python, which is Rust, has made.
    #[doc(hidden)]
    pub fn made(level: bitwall::Level) -> Self {
        Self(Kept::Made(Box::new(level)))
    }

    #[cfg(feature = "load")]
    pub(crate) fn of_files(loaded: Loaded) -> Self {
        Self(Kept::Loaded(Box::new(loaded)))
    }

    #[cfg(feature = "load")]
    pub(crate) fn loaded(&self) -> Option<&Loaded> {
        match &self.0 {
            Kept::Made(_) => None,
            Kept::Loaded(loaded) => Some(loaded),
        }
    }

    /// The level itself, for the door of Python, which is Rust.
    #[doc(hidden)]
    #[inline]
    pub fn core(&self) -> &bitwall::Level {
        match &self.0 {
            Kept::Made(level) => level,
            #[cfg(feature = "load")]
            Kept::Loaded(loaded) => &loaded.source.level,
        }
    }

    pub(crate) fn core_mut(&mut self) -> &mut bitwall::Level {
        match &mut self.0 {
            Kept::Made(level) => level,
            #[cfg(feature = "load")]
            Kept::Loaded(loaded) => &mut loaded.source.level,
        }
    }

    fn of_grid(grid: Grid, cell_width: i32, cell_height: i32) -> Result<Self> {
        let cell = cell_size(cell_width, cell_height)?;
        bitwall::Level::from_grid(grid, cell).map(Self::made).map_err(Error::size)
    }

    /// Makes an empty level of `columns` x `rows` cells, each `cell_width` x `cell_height` pixels.
    pub fn new(columns: i32, rows: i32, cell_width: i32, cell_height: i32) -> Result<Self> {
        let columns = number("columns", columns, 1..=i32::MAX)?.cast_unsigned();
        let rows = number("rows", rows, 1..=i32::MAX)?.cast_unsigned();
        cell_size(cell_width, cell_height)?;
        Self::of_grid(Grid::new(columns, rows).map_err(Error::size)?, cell_width, cell_height)
    }

    /// Makes a level of an engine's own map: a cell is solid where the byte is not 0. Row by row, a byte for
    /// each cell.
    pub fn from_cells(
        columns: i32,
        rows: i32,
        cell_width: i32,
        cell_height: i32,
        cells: &[u8],
    ) -> Result<Self> {
        let grid = grid("columns", columns, "rows", rows, "cells", cells)?;
        Self::of_grid(grid, cell_width, cell_height)
    }

    /// Makes a level of rows of `#` (solid) and `.` (passable).
    pub fn from_text(text: &str, cell_width: i32, cell_height: i32) -> Result<Self> {
        Self::of_grid(Grid::from_text(text).map_err(Error::load)?, cell_width, cell_height)
    }

    /// Makes a level of a baked one. It has the cells, areas and markers of its source, and no pictures.
    #[cfg(feature = "baked")]
    pub fn from_baked(bytes: &[u8]) -> Result<Self> {
        bitwall::Level::from_baked(bytes).map(Self::made).map_err(Error::load)
    }

    /// Returns the level as the bytes of a baked one.
    #[cfg(feature = "baked")]
    pub fn bake(&self) -> Result<Vec<u8>> {
        self.core().bake().map_err(Error::size)
    }

    /// Returns a copy of the level.
    pub fn copy(&self) -> Self {
        self.clone()
    }

    /// Returns a copy whose cells are pixels, so that edits take shapes pixel by pixel.
    pub fn in_pixels(&self) -> Result<Self> {
        self.core().clone().into_pixels().map(Self::made).map_err(Error::size)
    }

    /// Returns the size of the level and of a cell in pixels.
    pub fn size(&self) -> Size {
        let (all, cell) = (self.core().size(), self.core().cell_size());
        Size {
            width: clamped(all.x),
            height: clamped(all.y),
            cell_width: clamped(cell.x),
            cell_height: clamped(cell.y),
        }
    }

    /// Makes the outside of the level passable or solid on one side. It is solid before.
    pub fn open_side(&mut self, side: Dir, open: bool) {
        let outside = if open { Outside::Open } else { Outside::Solid };
        let sides = self.core().outside().with(side.core(), outside);
        self.core_mut().set_outside(sides);
    }

    /// Makes questions about boxes of this size faster, and keeps them so after edits. False if the memory
    /// for it is used up.
    pub fn prepare(&mut self, w: i32, h: i32) -> Result<bool> {
        Ok(self.core_mut().prepare(aabb(0, 0, w, h)?.size()))
    }

    /// True if the pixel is solid.
    #[inline]
    pub fn is_solid(&self, x: i32, y: i32) -> bool {
        self.core().is_solid(IVec2::new(x, y))
    }

    /// True if the box overlaps a solid.
    #[inline]
    pub fn overlaps(&self, x: i32, y: i32, w: i32, h: i32) -> Result<bool> {
        Ok(self.core().overlaps(aabb(x, y, w, h)?))
    }

    /// True if the box can move by `step` pixels. The whole way counts, so no thin wall is skipped.
    #[inline]
    pub fn can_move(&self, x: i32, y: i32, w: i32, h: i32, dir: Dir, step: i32) -> Result<bool> {
        Ok(self.core().can_move(aabb(x, y, w, h)?, dir.core(), length("step", step)?))
    }

    /// Returns how far the box can move, at most `step` pixels, and the cell that stops it.
    #[inline]
    pub fn sweep(&self, x: i32, y: i32, w: i32, h: i32, dir: Dir, step: i32) -> Result<Sweep> {
        let sweep = self.core().sweep(aabb(x, y, w, h)?, dir.core(), length("step", step)?);
        Ok(Sweep::new(sweep, -1))
    }

    /// Answers many questions of `can_move`: each is the six numbers x, y, w, h, dir (0 left, 1 right, 2 up,
    /// 3 down) and step. An answer is 0 or 1. On an error some answers are written.
    pub fn can_move_all(&self, questions: &[i32], answers: &mut [u8]) -> Result<()> {
        let numbers = six(questions, answers.len())?;
        for (at, (question, answer)) in numbers.iter().zip(answers).enumerate() {
            let [x, y, w, h, dir, step] = *question;
            let free = choice("dir", dir, &DIRS).and_then(|dir| self.can_move(x, y, w, h, dir, step));
            *answer = free.map_err(|error| error.of_question(at))?.into();
        }
        Ok(())
    }

    /// Answers many questions of `sweep`, as `can_move_all`: each answer is the pixels moved.
    pub fn sweep_all(&self, questions: &[i32], answers: &mut [i32]) -> Result<()> {
        let numbers = six(questions, answers.len())?;
        for (at, (question, answer)) in numbers.iter().zip(answers).enumerate() {
            let [x, y, w, h, dir, step] = *question;
            let sweep = choice("dir", dir, &DIRS).and_then(|dir| self.sweep(x, y, w, h, dir, step));
            *answer = sweep.map_err(|error| error.of_question(at))?.moved;
        }
        Ok(())
    }

    /// Returns the first solid on the line between the middles of two pixels. `corners` is true for a line
    /// that may pass between two solid cells that touch at a corner.
    pub fn ray(&self, x: i32, y: i32, to_x: i32, to_y: i32, corners: bool) -> Ray {
        let (from, to) = (IVec2::new(x, y), IVec2::new(to_x, to_y));
        Ray::new(self.core().ray(from, to, self::corners(corners)), -1)
    }

    /// True if no solid is on the line between the middles of two pixels; the answer is the same both ways.
    pub fn line_of_sight(&self, x: i32, y: i32, to_x: i32, to_y: i32, corners: bool) -> bool {
        let (from, to) = (IVec2::new(x, y), IVec2::new(to_x, to_y));
        self.core().line_of_sight(from, to, self::corners(corners))
    }

    /// Returns the solid pixel that is nearest to a point, at most `radius` pixels away.
    pub fn nearest_solid(&self, x: i32, y: i32, radius: i32) -> Result<Pixel> {
        let found = self.core().nearest_solid(IVec2::new(x, y), length("radius", radius)?);
        Ok(found.map(|nearest| nearest.pixel).into())
    }

    /// Returns the least number of pixels, at most `limit`, by which the box must go in a direction until it
    /// overlaps nothing; -1 if there is no such place.
    pub fn nearest_free(&self, x: i32, y: i32, w: i32, h: i32, dir: Dir, limit: i32) -> Result<i32> {
        let limit = length("limit", limit)?;
        let free = self.core().nearest_free(aabb(x, y, w, h)?, dir.core(), limit);
        Ok(free.map_or(-1, clamped))
    }

    /// True if the footprint with its top-left corner at a pixel overlaps a solid.
    pub fn footprint_overlaps(&self, footprint: &Footprint, x: i32, y: i32) -> bool {
        self.core().overlaps(footprint.core().at(IVec2::new(x, y)))
    }

    /// Returns how far the footprint can move, at most `step` pixels, and the cell that stops it.
    pub fn footprint_sweep(
        &self,
        footprint: &Footprint,
        x: i32,
        y: i32,
        dir: Dir,
        step: i32,
    ) -> Result<Sweep> {
        let placed = footprint.core().at(IVec2::new(x, y));
        Ok(Sweep::new(self.core().sweep(placed, dir.core(), length("step", step)?), -1))
    }

    /// Makes a cell solid or passable. True if it changed.
    pub fn set_cell(&mut self, column: i32, row: i32, solid: bool) -> Result<bool> {
        changed(self.core_mut().set(IVec2::new(column, row), solid))
    }

    /// Makes each cell that touches the box solid or passable. True if one changed.
    pub fn set_box(&mut self, x: i32, y: i32, w: i32, h: i32, solid: bool) -> Result<bool> {
        let area = aabb(x, y, w, h)?;
        self.draw(&area, IVec2::ZERO, solid)
    }

    /// Makes each cell that contains a pixel of the disc solid or passable. True if one changed.
    pub fn set_disc(&mut self, x: i32, y: i32, radius: i32, solid: bool) -> Result<bool> {
        length("radius", radius)?;
        self.draw(&Circle { center: IVec2::new(x, y), radius }, IVec2::ZERO, solid)
    }

    /// Makes each cell that contains a pixel of the footprint solid or passable. True if one changed.
    pub fn set_footprint(&mut self, footprint: &Footprint, x: i32, y: i32, solid: bool) -> Result<bool> {
        self.draw(footprint.core(), IVec2::new(x, y), solid)
    }

    fn draw(&mut self, brush: &impl Brush, at: IVec2, solid: bool) -> Result<bool> {
        let level = self.core_mut();
        if solid { changed(level.paint(brush, at)) } else { Ok(level.carve(brush, at).is_some()) }
    }

    /// Puts the cells, areas and markers of another level into this one, with the other's top-left corner at
    /// a pixel that is a corner of a cell. True if a cell changed.
    pub fn place(&mut self, other: &Level, x: i32, y: i32) -> Result<bool> {
        changed(self.core_mut().place(other.core(), IVec2::new(x, y)))
    }

    /// Returns the cells of the box as they are now, so that `apply` undoes later edits of it.
    pub fn patch(&self, x: i32, y: i32, w: i32, h: i32) -> Result<Patch> {
        Ok(Patch(self.core().patch(aabb(x, y, w, h)?)))
    }

    /// Puts the cells of the patch back. True if one changed.
    pub fn apply(&mut self, patch: &Patch) -> Result<bool> {
        changed(self.core_mut().apply(&patch.0))
    }

    /// Returns a number that is equal for equal levels, on every platform.
    pub fn checksum(&self) -> u64 {
        self.core().checksum()
    }

    fn marker_at(&self, index: i32) -> Result<&CoreMarker> {
        let markers = self.core().markers();
        let found = usize::try_from(index).ok().and_then(|index| markers.get(index));
        let allowed = format_args!("one of {} markers", markers.len());
        found.ok_or_else(|| Box::new(Error { code: MISSING, ..*bad("index", index, allowed) }))
    }

    /// Returns the number of markers.
    pub fn marker_count(&self) -> i32 {
        self.core().markers().len() as i32
    }

    /// Returns the index of the first marker with this name; -1 without one.
    pub fn find_marker(&self, name: &str) -> i32 {
        let found = self.core().markers().iter().position(|marker| marker.name == name);
        found.map_or(-1, |index| index as i32)
    }

    /// Returns the place and the shape of a marker, by its index from 0 in the order of the file.
    pub fn marker(&self, index: i32) -> Result<Marker> {
        let marker = self.marker_at(index)?;
        let (Rect { x, y, w, h }, at) = (marker.area.into(), marker.position());
        let shape = bitwall::level::MarkerShape::ALL.iter().position(|it| *it == marker.shape);
        let tile = marker.tile.as_ref();
        Ok(Marker {
            x,
            y,
            w,
            h,
            at_x: at.x,
            at_y: at.y,
            shape: shape.map_or(MarkerShape::Rectangle, |shape| SHAPES[shape]),
            rotation: marker.rotation,
            object: marker.object.cast_signed(),
            map: marker.map.cast_signed(),
            tile: tile.map_or(-1, |tile| tile.id.cast_signed()),
            flip_x: tile.is_some_and(|tile| tile.flip_x),
            flip_y: tile.is_some_and(|tile| tile.flip_y),
        })
    }

    /// Returns the name of a marker, which may be empty.
    pub fn marker_name(&self, index: i32) -> Result<String> {
        Ok(self.marker_at(index)?.name.clone())
    }

    /// Returns the class of a marker (Tiled also calls it type), which may be empty.
    pub fn marker_class(&self, index: i32) -> Result<String> {
        Ok(self.marker_at(index)?.class.clone())
    }

    /// Returns the layer of a marker, with the names of its groups.
    pub fn marker_layer(&self, index: i32) -> Result<String> {
        Ok(self.marker_at(index)?.layer.clone())
    }

    /// Returns x and y of each point of a marker's shape as it is drawn.
    pub fn marker_points(&self, index: i32) -> Result<Vec<i32>> {
        Ok(flat(&self.marker_at(index)?.points))
    }

    /// Returns the names of a marker's properties, one a line.
    pub fn marker_properties(&self, index: i32) -> Result<String> {
        Ok(lines(self.marker_at(index)?.properties.keys()))
    }

    /// Returns a property of a marker as a text: true or false for a flag, the digits of a number. Empty if
    /// the marker has no such property, or if it is a list or a class.
    pub fn marker_text(&self, index: i32, name: &str) -> Result<String> {
        let value = self.marker_at(index)?.properties.get(name);
        Ok(value.map(text_of).unwrap_or_default())
    }

    /// Returns a property of a marker as a number: 1 or 0 for a flag, the id of an object. `missing` if the
    /// marker has no such property, or if it is no number.
    pub fn marker_number(&self, index: i32, name: &str, missing: f32) -> Result<f64> {
        Ok(match self.marker_at(index)?.properties.get(name) {
            Some(PropertyValue::Bool(flag)) => f64::from(u8::from(*flag)),
            Some(PropertyValue::Int(number)) => f64::from(*number),
            Some(PropertyValue::Object(id)) => f64::from(*id),
            Some(value) => value.as_f32().unwrap_or(missing).into(),
            None => missing.into(),
        })
    }

    /// Returns the names of the areas, one a line.
    pub fn areas(&self) -> String {
        lines(self.core().areas().iter().map(|area| &area.name))
    }

    /// True if the box overlaps the named area; false if the level has no such area.
    pub fn area_overlaps(&self, name: &str, x: i32, y: i32, w: i32, h: i32) -> Result<bool> {
        let body = aabb(x, y, w, h)?;
        Ok(self.core().area(name).is_some_and(|area| area.overlaps(body)))
    }

    /// Returns the categories for which the named area is solid, as bits; 0 if it stops nobody.
    pub fn area_category(&self, name: &str) -> u64 {
        self.core().area_category(name).unwrap_or_default()
    }

    /// Makes the named area solid for bodies that collide with one of these categories. False if the level
    /// has no such area.
    pub fn set_area_category(&mut self, name: &str, category: u64) -> bool {
        self.core_mut().set_area_category(name, category)
    }

    /// Returns the cells row by row: a byte for each, 1 for a solid one.
    pub fn cells(&self) -> Vec<u8> {
        let grid = self.core().grid();
        let rows = 0..grid.height();
        let cells = rows.flat_map(|row| (0..grid.width()).map(move |column| (column, row)));
        cells.map(|(column, row)| grid.is_solid(column, row).into()).collect()
    }

    /// Returns the solids in a box as rectangles that do not overlap: x, y, w and h of each.
    pub fn rectangles(&self, x: i32, y: i32, w: i32, h: i32) -> Result<Vec<i32>> {
        let boxes = self.core().rectangles_in(aabb(x, y, w, h)?).into_iter().map(Rect::from);
        Ok(boxes.flat_map(|it| [it.x, it.y, it.w, it.h]).collect())
    }

    /// Returns the outlines of the solids as loops: of each the number of its points, then x and y of each
    /// point. The solid is on the right; a loop around a hole runs the other way.
    pub fn outlines(&self) -> Vec<i32> {
        let outlines = self.core().outlines();
        let loops = outlines.loops();
        loops.flat_map(|it| line(it.points)).collect()
    }

    /// Returns the surfaces of the solids in a box as chains for a physics engine: of each the number of its
    /// points, then x and y of each point.
    pub fn chains(&self, x: i32, y: i32, w: i32, h: i32) -> Result<Vec<i32>> {
        let chains = self.core().chains_in(aabb(x, y, w, h)?);
        Ok(chains.iter().flat_map(|chain| line(&chain.points)).collect())
    }
}

/// The questions of a batch, if there is an answer for each.
fn six(questions: &[i32], answers: usize) -> Result<&[[i32; 6]]> {
    let (numbers, rest) = questions.as_chunks::<6>();
    if !rest.is_empty() || numbers.len() != answers {
        let count = format!("an array of {} numbers", questions.len());
        return Err(bad("questions", count, format_args!("6 for each of the {answers} answers")));
    }
    Ok(numbers)
}

fn line(points: &[IVec2]) -> Vec<i32> {
    let mut numbers = vec![points.len() as i32];
    numbers.extend(points.iter().flat_map(|point| point.to_array()));
    numbers
}

/// Names as lines; a name with a line break is one line.
pub(crate) fn lines<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<String> = names.map(|name| name.replace(['\n', '\r'], " ")).collect();
    names.join("\n")
}

fn text_of(value: &PropertyValue) -> String {
    match value {
        PropertyValue::Bool(flag) => flag.to_string(),
        PropertyValue::Int(number) => number.to_string(),
        PropertyValue::Float(number) => number.to_string(),
        PropertyValue::Object(id) => id.to_string(),
        PropertyValue::Point(point) => format!("{} {}", point.x, point.y),
        _ => value.as_str().unwrap_or_default().to_owned(),
    }
}
