//! Levels: made, asked, edited, and given out as shapes. Files are the room `load`.

use bitwall::footprint::FootprintError;
use bitwall::geometry::Corners;
use bitwall::grid::GridError;
use bitwall::level::{Marker as CoreMarker, MarkerShape as CoreShape};
use bitwall::property::PropertyValue;
use bitwall::shapes::Circle;
use bitwall::terrain::{Brush, RayHit, Terrain};
use bitwall::{Grid, Outside};

use crate::*;

/// A level: walls as bits, with named areas and markers. Positions are pixels, x to the right, y down.
#[derive(Clone)]
pub struct Level(pub(crate) Kept);

/// A level that was loaded keeps its files' documents, for reasons and pictures.
#[derive(Clone)]
pub(crate) enum Kept {
    Made(Box<bitwall::Level>),
    #[cfg(feature = "load")]
    Loaded(Box<load::Loaded>),
}

record! {
    /// The size of a level in pixels.
    Size(all: UVec2, cell: UVec2) {
        /// The width of the level.
        width: i32 = clamped(all.x);
        /// The height of the level.
        height: i32 = clamped(all.y);
        /// The width of a cell.
        cell_width: i32 = clamped(cell.x);
        /// The height of a cell.
        cell_height: i32 = clamped(cell.y);
    }

    /// How far a box can move, and what stops it.
    Sweep(sweep: bitwall::Sweep, body: i32) {
        /// The pixels that the box moves.
        moved: i32 = clamped(sweep.moved);
        /// True if something stops the box; if not, the other numbers say nothing.
        hit: bool = sweep.contact.is_some();
        /// The column of the cell that stops the box.
        column: i32 = sweep.contact.map_or(0, |contact| contact.cell.x);
        /// The row of the cell that stops the box.
        row: i32 = sweep.contact.map_or(0, |contact| contact.cell.y);
        /// The normal along x: out of the solid, toward the box.
        normal_x: i32 = sweep.contact.map_or(0, |contact| contact.normal.x);
        /// The normal along y.
        normal_y: i32 = sweep.contact.map_or(0, |contact| contact.normal.y);
        /// The body of a world that stops the box; -1 for a cell.
        body: i32 = body;
    }

    /// The first solid on a straight line.
    Ray(hit: Option<RayHit>, body: i32) {
        /// True if there is a solid; if not, the other numbers say nothing.
        hit: bool = hit.is_some();
        /// The solid pixel that the line enters first: its x.
        x: i32 = hit.map_or(0, |hit| hit.pixel.x);
        /// The y of the pixel.
        y: i32 = hit.map_or(0, |hit| hit.pixel.y);
        /// The column of the pixel's cell.
        column: i32 = hit.map_or(0, |hit| hit.cell.x);
        /// The row of the pixel's cell.
        row: i32 = hit.map_or(0, |hit| hit.cell.y);
        /// The normal of the side through which the line enters; 0 and 0 if the line starts in a solid.
        normal_x: i32 = hit.map_or(0, |hit| hit.normal.x);
        /// The normal along y.
        normal_y: i32 = hit.map_or(0, |hit| hit.normal.y);
        /// The body of a world that the line hits; -1 for a cell.
        body: i32 = body;
        /// The part of the line before the hit, from 0 to 1.
        fraction: f64 = hit.map_or(0.0, |hit| hit.numerator as f64 / hit.denominator as f64);
    }

    /// The shape of a marker.
    MarkerShape from CoreShape {
        /// A rectangle, or a tile.
        Rectangle [CoreShape::Rectangle];
        /// A point.
        Point [CoreShape::Point];
        /// An ellipse.
        Ellipse [CoreShape::Ellipse];
        /// A rectangle with round ends.
        Capsule [CoreShape::Capsule];
        /// The area in a closed line.
        Polygon [CoreShape::Polygon];
        /// An open line, such as the path of a lift.
        Polyline [CoreShape::Polyline];
    }

    /// What the map's maker placed and what stops nobody: a spawn, a door, a path.
    Marker(marker: &CoreMarker) {
        /// The left edge of the box around the marker as it is drawn.
        x: i32 = marker.area.min.x;
        /// The top edge of the box.
        y: i32 = marker.area.min.y;
        /// The width of the box; 0 for a point.
        w: i32 = clamped(marker.area.width());
        /// The height of the box; 0 for a point.
        h: i32 = clamped(marker.area.height());
        /// The x of the point, or of the middle of the box.
        at_x: i32 = marker.position().x;
        /// The y of the point, or of the middle of the box.
        at_y: i32 = marker.position().y;
        /// The shape.
        shape: MarkerShape = marker.shape;
        /// The clockwise rotation in degrees, which the box includes.
        rotation: f32 = marker.rotation;
        /// The id of the object in its map.
        object: i32 = marker.object.cast_signed();
        /// The index of the map in its world; 0 without a world.
        map: i32 = marker.map.cast_signed();
        /// The id in its tileset of the tile that the marker shows; -1 without a tile.
        tile: i32 = clamped(marker.tile.as_ref().map(|tile| tile.id));
        /// True if the tile is mirrored left to right.
        flip_x: bool = marker.tile.as_ref().is_some_and(|tile| tile.flip_x);
        /// True if the tile is mirrored top to bottom.
        flip_y: bool = marker.tile.as_ref().is_some_and(|tile| tile.flip_y);
    }
}

/// The cells of a box of a level before an edit, to undo the edit.
pub struct Patch(bitwall::level::Patch);

/// A body or a brush that is no box: the pixels of a small picture.
pub struct Footprint(bitwall::Footprint);

impl Footprint {
    fn made(core: std::result::Result<bitwall::Footprint, FootprintError>) -> Result<Self> {
        core.map(Self).map_err(|error| Error::new(ARGUMENT, error))
    }

    /// Makes a footprint of `width` x `height` pixels: a pixel belongs to it where the byte is not 0. Row by
    /// row, a byte for each pixel.
    pub fn new(width: i32, height: i32, pixels: &[u8]) -> Result<Self> {
        let grid = grid(["width", "height"], [width, height], "pixels", pixels)?;
        Self::made(bitwall::Footprint::from_grid(&grid))
    }

    /// Makes a disc with this diameter in pixels.
    pub fn circle(diameter: i32) -> Result<Self> {
        Self::made(bitwall::Footprint::circle(length("diameter", diameter)?))
    }

    /// Makes a box with round ends, of `width` x `height` pixels.
    pub fn capsule(width: i32, height: i32) -> Result<Self> {
        let size = UVec2::new(length("width", width)?, length("height", height)?);
        Self::made(bitwall::Footprint::capsule(size))
    }
}

/// The grid of cells that are solid where the byte is not 0.
fn grid(names: [&str; 2], size: [i32; 2], name: &str, cells: &[u8]) -> Result<Grid> {
    let UVec2 { x: width, y: height } = sides(names, size, i32::MAX)?;
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
        let most = Terrain::MAX_CELL_SIZE.cast_signed();
        let cell = sides(["cell_width", "cell_height"], [cell_width, cell_height], most)?;
        bitwall::Level::from_grid(grid, cell).map(Self::made).map_err(Error::size)
    }

    /// Makes an empty level of `columns` x `rows` cells, each `cell_width` x `cell_height` pixels.
    pub fn new(columns: i32, rows: i32, cell_width: i32, cell_height: i32) -> Result<Self> {
        let size = sides(["columns", "rows"], [columns, rows], i32::MAX)?;
        Self::of_grid(Grid::new(size.x, size.y).map_err(Error::size)?, cell_width, cell_height)
    }

    /// Makes a level of an engine's own map: a cell is solid where the byte is not 0. Row by row, a byte for
    /// each cell.
    pub fn from_cells(
        columns: i32, rows: i32, cell_width: i32, cell_height: i32, cells: &[u8],
    ) -> Result<Self> {
        let grid = grid(["columns", "rows"], [columns, rows], "cells", cells)?;
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
        Size::new(self.core().size(), self.core().cell_size())
    }

    /// Makes the outside of the level passable or solid on one side. It is solid before.
    pub fn open_side(&mut self, side: Dir, open: bool) {
        let outside = if open { Outside::Open } else { Outside::Solid };
        let sides = self.core().outside().with(side.into(), outside);
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
        Ok(self.core().can_move(aabb(x, y, w, h)?, dir.into(), length("step", step)?))
    }

    /// Returns how far the box can move, at most `step` pixels, and the cell that stops it.
    #[inline]
    pub fn sweep(&self, x: i32, y: i32, w: i32, h: i32, dir: Dir, step: i32) -> Result<Sweep> {
        let sweep = self.core().sweep(aabb(x, y, w, h)?, dir.into(), length("step", step)?);
        Ok(Sweep::new(sweep, -1))
    }

    /// Answers many questions of `can_move`: each is the six numbers x, y, w, h, dir (0 left, 1 right, 2 up,
    /// 3 down) and step. An answer is 0 or 1. On an error some answers are written.
    pub fn can_move_all(&self, questions: &[i32], answers: &mut [u8]) -> Result<()> {
        answer(questions, answers, |x, y, w, h, dir, step| Ok(self.can_move(x, y, w, h, dir, step)?.into()))
    }

    /// Answers many questions of `sweep`, as `can_move_all`: each answer is the pixels moved.
    pub fn sweep_all(&self, questions: &[i32], answers: &mut [i32]) -> Result<()> {
        answer(questions, answers, |x, y, w, h, dir, step| Ok(self.sweep(x, y, w, h, dir, step)?.moved))
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

    /// True if the footprint with its top-left corner at a pixel overlaps a solid.
    pub fn footprint_overlaps(&self, footprint: &Footprint, x: i32, y: i32) -> bool {
        self.core().overlaps(footprint.0.at(IVec2::new(x, y)))
    }

    /// Returns how far the footprint can move, at most `step` pixels, and the cell that stops it.
    pub fn footprint_sweep(
        &self, footprint: &Footprint, x: i32, y: i32, dir: Dir, step: i32,
    ) -> Result<Sweep> {
        let placed = footprint.0.at(IVec2::new(x, y));
        Ok(Sweep::new(self.core().sweep(placed, dir.into(), length("step", step)?), -1))
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
        self.draw(&footprint.0, IVec2::new(x, y), solid)
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
        Ok(Marker::new(self.marker_at(index)?))
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
    pub fn cells(&self) -> Result<Vec<u8>> {
        let grid = self.core().grid();
        let mut cells = zeros(grid.cell_count())?;
        for cell in grid.iter_solid() {
            cells[cell.y as usize * grid.width() as usize + cell.x as usize] = 1;
        }
        Ok(cells)
    }

    /// Returns the solids in a box as rectangles that do not overlap: x, y, w and h of each.
    pub fn rectangles(&self, x: i32, y: i32, w: i32, h: i32) -> Result<Vec<i32>> {
        let boxes = self.core().rectangles_in(aabb(x, y, w, h)?);
        Ok(boxes.iter().flat_map(|it| flat([&it.min, &it.size().as_ivec2()])).collect())
    }

    /// Returns the outlines of the solids as loops: of each the number of its points, then x and y of each
    /// point. The solid is on the right; a loop around a hole runs the other way.
    pub fn outlines(&self) -> Vec<i32> {
        self.core().outlines().loops().flat_map(|it| line(it.points)).collect()
    }

    /// Returns the surfaces of the solids in a box as chains for a physics engine: of each the number of its
    /// points, then x and y of each point.
    pub fn chains(&self, x: i32, y: i32, w: i32, h: i32) -> Result<Vec<i32>> {
        let chains = self.core().chains_in(aabb(x, y, w, h)?);
        Ok(chains.iter().flat_map(|chain| line(&chain.points)).collect())
    }
}

/// Answers the questions of a batch in their order, if there is an answer for each.
fn answer<T>(
    questions: &[i32], answers: &mut [T], ask: impl Fn(i32, i32, i32, i32, Dir, i32) -> Result<T>,
) -> Result<()> {
    let (numbers, rest) = questions.as_chunks::<6>();
    if !rest.is_empty() || numbers.len() != answers.len() {
        let count = format!("an array of {} numbers", questions.len());
        return Err(bad("questions", count, format_args!("6 for each of the {} answers", answers.len())));
    }
    for (at, (question, answer)) in numbers.iter().zip(answers).enumerate() {
        let [x, y, w, h, dir, step] = *question;
        let found = choice("dir", dir, &DIRS).and_then(|dir| ask(x, y, w, h, dir, step));
        *answer = found.map_err(|error| error.of_question(at))?;
    }
    Ok(())
}

/// As many zeros as a level has cells: a level whose cells are kept as blocks may have more than the memory.
fn zeros(count: u64) -> Result<Vec<u8>> {
    let mut zeros = Vec::new();
    let length = usize::try_from(count).unwrap_or(usize::MAX);
    if zeros.try_reserve_exact(length).is_err() {
        let sentence = "cells, too many for the memory; read parts of the level by `rectangles`";
        return Err(Error::size(format_args!("the level has {count} {sentence}")));
    }
    zeros.resize(length, 0);
    Ok(zeros)
}

fn line(points: &[IVec2]) -> Vec<i32> {
    let mut numbers = vec![points.len() as i32];
    numbers.extend(flat(points));
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
