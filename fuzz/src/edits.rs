//! Edits of small levels, with rectangles and shapes far beyond the borders, while prepared sizes and ways
//! are alive. After each edit, the level equals a naive twin: planes of bools, one cell after the other. Its
//! answers are those of a level that is built anew.
//!
//! An input is a sequence of numbers: the level, then one edit after the other.

use std::ops::Range;

use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::grid::GridError;
use bitwall::level::Marker;
use bitwall::navigate::Search;
use bitwall::shapes::Circle;
use bitwall::{Aabb, Dir, Grid, Level, Outside, Sides, Terrain};

const MOST_EDITS: usize = 32;
const MOST_SIZES: usize = 3;

/// The names of the areas. The level has the first two, and a placed level the last two.
const AREAS: [&str; 3] = ["water", "glass", "mud"];

/// The bytes of an input that are not yet used. After the end, all are 0.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn below(&mut self, end: u8) -> u8 {
        self.next() % end
    }

    /// Returns a number that is mostly near a level, and sometimes at the end of a range.
    fn number(&mut self) -> i64 {
        const FAR: [i64; 8] = [
            i32::MIN as i64,
            i32::MAX as i64,
            u32::MAX as i64,
            i32::MAX as i64 - 1,
            1 << 16,
            -(1 << 16),
            i32::MIN as i64 + 1,
            1 << 31,
        ];
        match self.next() {
            kind @ 0..8 => FAR[usize::from(kind)],
            8..24 => i64::from(self.next()) * 257 - (1 << 15),
            _ => i64::from(self.next()) - 64,
        }
    }

    fn int(&mut self) -> i32 {
        self.number().clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }

    fn count(&mut self) -> u32 {
        self.number().clamp(0, u32::MAX.into()) as u32
    }

    fn point(&mut self) -> IVec2 {
        let x = self.int();
        IVec2::new(x, self.int())
    }

    fn range(&mut self) -> Range<u32> {
        let start = self.count();
        start..self.count()
    }

    fn dir(&mut self) -> Dir {
        Dir::ALL[usize::from(self.below(4))]
    }

    fn sides(&mut self) -> Sides<Outside> {
        let bits = self.next();
        let side = |bit: u8| if bits >> bit & 1 == 0 { Outside::Solid } else { Outside::Open };
        Sides { left: side(0), right: side(1), up: side(2), down: side(3) }
    }
}

/// One bool for each cell, row by row.
#[derive(Clone, PartialEq)]
struct Plane {
    size: UVec2,
    cells: Vec<bool>,
}

impl Plane {
    fn new(size: UVec2) -> Self {
        Self { size, cells: vec![false; size.element_product() as usize] }
    }

    fn at(&mut self, column: u32, row: u32) -> &mut bool {
        &mut self.cells[(row * self.size.x + column) as usize]
    }

    /// Returns the cell, or false outside the plane.
    fn get(&self, cell: I64Vec2) -> bool {
        let is_inside = cell.cmpge(I64Vec2::ZERO).all() && cell.cmplt(self.size.as_i64vec2()).all();
        is_inside && self.cells[cell.y as usize * self.size.x as usize + cell.x as usize]
    }

    fn grid(&self, like: &Grid) -> Grid {
        let mut grid = match like.block_limit() {
            Some(_) => Grid::sparse(self.size.x, self.size.y).expect("it is small"),
            None => Grid::new(self.size.x, self.size.y).expect("it is small"),
        };
        for (index, _) in self.cells.iter().enumerate().filter(|(_, solid)| **solid) {
            let index = index as u32;
            grid.set(index % self.size.x, index / self.size.x, true).expect("it is small");
        }
        grid
    }
}

/// The twin of a terrain: its solid cells, and the cells that are one-way at each side.
#[derive(Clone, PartialEq)]
struct Twin {
    cell: UVec2,
    planes: [Plane; 5],
    outside: Sides<Outside>,
}

/// The index in [`Twin::planes`] of the cells that are one-way at a side.
fn guarded(side: Dir) -> usize {
    1 + Dir::ALL.iter().position(|dir| *dir == side).expect("it is one of four")
}

impl Twin {
    fn new(size: UVec2, cell: UVec2, outside: Sides<Outside>) -> Self {
        Self { cell, planes: std::array::from_fn(|_| Plane::new(size)), outside }
    }

    /// Sets the cells for which `is_in` is true. Its argument is the box of a cell in pixels. Returns the box
    /// around the changed cells.
    fn edit(&mut self, plane: usize, value: bool, is_in: impl Fn(Aabb) -> bool) -> Option<Aabb> {
        let mut changed: Option<Aabb> = None;
        let size = self.planes[plane].size;
        for index in 0..size.element_product() {
            let cell = UVec2::new(index % size.x, index / size.x);
            let min = (cell * self.cell).as_ivec2();
            let area = Aabb { min, max: min + self.cell.as_ivec2() };
            let old = self.planes[plane].at(cell.x, cell.y);
            if *old != value && is_in(area) {
                *old = value;
                changed = Some(changed.map_or(area, |all| all.hull(area)));
            }
        }
        changed
    }

    fn fill(
        &mut self,
        plane: usize,
        columns: &Range<u32>,
        rows: &Range<u32>,
        value: bool,
    ) -> Option<Aabb> {
        let cell = self.cell;
        self.edit(plane, value, |area| {
            let at = area.min.as_uvec2() / cell;
            columns.contains(&at.x) && rows.contains(&at.y)
        })
    }

    /// Replaces the cells whose top-left pixel is in `pixels` by those of another terrain, which lies `shift`
    /// pixels from this one. Without another terrain, they are cleared.
    fn replace(&mut self, pixels: Aabb, other: Option<&Self>, shift: I64Vec2) {
        for (plane, cells) in self.planes.iter_mut().enumerate() {
            let size = cells.size;
            for index in 0..size.element_product() {
                let cell = UVec2::new(index % size.x, index / size.x);
                if pixels.contains((cell * self.cell).as_ivec2()) {
                    let of_other = cell.as_i64vec2() - shift / self.cell.as_i64vec2();
                    *cells.at(cell.x, cell.y) =
                        other.is_some_and(|other| other.planes[plane].get(of_other));
                }
            }
        }
    }

    /// Builds the terrain anew. Its grids are sparse if `like` is.
    fn terrain(&self, like: &Grid) -> Terrain {
        let grid = self.planes[0].grid(like);
        let mut terrain = Terrain::new(grid, self.cell).expect("it is small");
        for side in Dir::ALL {
            let guards = self.planes[guarded(side)].grid(like);
            if guards.solid_count() > 0 {
                terrain = terrain.with_one_way(side, guards).expect("it is small");
            }
        }
        terrain.with_outside(self.outside)
    }

    fn check(&self, terrain: &Terrain) {
        same(&self.planes[0], Some(terrain.grid()));
        for side in Dir::ALL {
            same(&self.planes[guarded(side)], terrain.one_way(side));
        }
        assert_eq!(terrain.outside(), self.outside);
    }

    /// Compares the terrain's answers for bodies of a size with those of a terrain that is built anew.
    fn answers(&self, terrain: &Terrain, size: Option<UVec2>, bytes: &mut Bytes<'_>) {
        let Some(size) = size.map(|size| size.max(UVec2::ONE)) else { return };
        let anew = self.terrain(terrain.grid());
        let pixels = terrain.size().as_ivec2();
        let near = IVec2::new(bytes.next().into(), bytes.next().into()) - 8;
        for at in [
            near,
            IVec2::new(near.y, near.x),
            IVec2::ZERO,
            pixels - size.as_ivec2(),
            IVec2::splat(-3),
        ] {
            let body = Aabb { min: at, max: at + size.as_ivec2() };
            let overlaps = anew.overlaps(body);
            assert_eq!(terrain.overlaps(body), overlaps, "{body:?}");
            for dir in Dir::ALL {
                for step in [1, 9, 200] {
                    let sweep = anew.sweep(body, dir, step);
                    assert_eq!(terrain.sweep(body, dir, step), sweep, "{body:?} {dir:?} {step}");
                    let can_move = sweep.moved == step;
                    assert_eq!(terrain.can_move(body, dir, step), can_move);
                }
            }
        }
        let ways = terrain.ways(size).expect("it is small");
        let fresh = anew.ways(size).expect("it is small");
        assert_eq!(ways.is_free(near), fresh.is_free(near));
        let path = ways.path(near, pixels / 2, &mut Search::default());
        assert_eq!(path, fresh.path(near, pixels / 2, &mut Search::default()));
    }
}

/// Compares the cells of a grid, by rows and by columns. A missing grid is empty.
fn same(plane: &Plane, grid: Option<&Grid>) {
    let Some(grid) = grid else {
        return assert!(plane.cells.iter().all(|cell| !cell));
    };
    assert_eq!(grid.size(), plane.size);
    let mut found = Plane::new(plane.size);
    for row in 0..plane.size.y {
        for column in 0..plane.size.x {
            *found.at(column, row) = grid.is_solid(column, row);
        }
    }
    assert!(found == *plane, "{grid}");
    assert_eq!(grid.solid_count(), plane.cells.iter().filter(|cell| **cell).count() as u64);
    let all = (0..plane.size.x, 0..plane.size.y);
    for dir in Dir::ALL {
        let first = grid.first_solid(dir, all.0.clone(), all.1.clone());
        assert_eq!(first.is_some(), plane.cells.contains(&true), "{dir:?}");
        assert!(first.is_none_or(|cell| plane.get(cell.as_i64vec2())), "{dir:?}");
    }
}

/// A level, its twin, and the sizes of bodies that were prepared.
struct Pair {
    level: Level,
    twin: Twin,
    areas: Vec<(String, Twin)>,
    markers: Vec<Aabb>,
    sizes: Vec<UVec2>,
}

/// Makes a level with at most `most` cells on a side. Its areas are `names`.
fn pair(bytes: &mut Bytes<'_>, most: u8, cell: UVec2, names: &[&str]) -> Pair {
    let is_sparse = bytes.below(3) == 0;
    let size = UVec2::new(1 + u32::from(bytes.below(most)), 1 + u32::from(bytes.below(most)));
    let blank = |size: UVec2| match is_sparse {
        true => Grid::sparse(size.x, size.y).expect("it is small"),
        false => Grid::new(size.x, size.y).expect("it is small"),
    };
    let outside = bytes.sides();
    let mut level = Level::from_grid(blank(size), cell).expect("it is small").with_outside(outside);
    let mut areas = Vec::new();
    for name in names {
        let side = [cell, UVec2::ONE, cell * 2][usize::from(bytes.below(3))];
        let pixels = size * cell;
        let of_area = UVec2::new(pixels.x.div_ceil(side.x), pixels.y.div_ceil(side.y));
        level = level.with_area(*name, Terrain::new(blank(of_area), side).expect("it is small"));
        let twin = Twin::new(of_area, side, Outside::Open.into());
        areas.push(((*name).to_owned(), twin));
    }
    let twin = Twin::new(size, cell, outside);
    let mut markers = Vec::new();
    for _ in 0..bytes.below(3) {
        let at = bytes.point() / 4;
        markers.push(Aabb { min: at, max: at.saturating_add(IVec2::splat(3)) });
    }
    let level = level.with_markers(markers.iter().map(|area| marker(*area)).collect());
    Pair { level, twin, areas, markers, sizes: Vec::new() }
}

fn marker(area: Aabb) -> Marker {
    Marker { area, ..Marker::default() }
}

pub fn run(data: &[u8]) {
    let bytes = &mut Bytes(data);
    let cell = [[1, 1], [1, 1], [2, 3], [16, 8]][usize::from(bytes.below(4))];
    let cell = UVec2::from(cell);
    // The borders of words of 64 bits are at different places of a level.
    let most = if cell.x > 2 { 9 } else { 70 };
    let mut pair = pair(bytes, most, cell, &AREAS[..2]);
    for _ in 0..MOST_EDITS {
        if bytes.0.is_empty() {
            break;
        }
        pair.edit(bytes);
        pair.check(bytes);
    }
}

impl Pair {
    /// Makes one edit of the level and of its twin, and compares what they return.
    fn edit(&mut self, bytes: &mut Bytes<'_>) {
        let value = bytes.next() & 1 == 1;
        match bytes.below(16) {
            0 => {
                let at = bytes.point();
                let index = at.as_i64vec2();
                let cell = self.twin.cell.as_i64vec2();
                let is_it = |area: Aabb| area.min.as_i64vec2() == index * cell;
                let changed = self.twin.edit(0, value, is_it);
                assert_eq!(self.level.set(at, value).expect("no limit"), changed);
            }
            1 | 2 => {
                let columns = bytes.range();
                let rows = bytes.range();
                let changed = self.twin.fill(0, &columns, &rows, value);
                assert_eq!(self.level.fill(columns, rows, value).expect("no limit"), changed);
            }
            3 => {
                let area = Aabb { min: bytes.point(), max: bytes.point() };
                let is_in =
                    |cell: Aabb| cell.min.cmpge(area.min).all() && cell.max.cmple(area.max).all();
                let changed = self.twin.edit(0, value, is_in);
                assert_eq!(self.level.set_box(area, value).expect("no limit"), changed);
            }
            4 => self.brush(bytes, value, None),
            5 => {
                let side = bytes.dir();
                self.brush(bytes, value, Some(side));
            }
            6 => {
                let side = bytes.dir();
                let columns = bytes.range();
                let rows = bytes.range();
                let changed = self.twin.fill(guarded(side), &columns, &rows, value);
                let made = self.on_terrain(|terrain| {
                    terrain.fill_one_way(side, columns, rows, value).expect("no limit")
                });
                assert_eq!(made, changed);
            }
            7 | 8 => {
                let columns = bytes.range();
                let rows = bytes.range();
                let pixels = self.pixels(
                    [columns.start.into(), rows.start.into()],
                    [columns.end.into(), rows.end.into()],
                );
                assert_eq!(self.level.clear(columns, rows), pixels);
                if let Some(pixels) = pixels {
                    self.replace(pixels, None, I64Vec2::ZERO);
                }
            }
            9 | 10 => self.place(bytes),
            11 => {
                let name = AREAS[usize::from(bytes.below(3))];
                let columns = bytes.range();
                let rows = bytes.range();
                let area = self.level.area_mut(name);
                let made = area.map(|area| area.fill(columns.clone(), rows.clone(), value));
                let twin = self.areas.iter_mut().find(|(known, _)| known == name);
                let changed = twin.map(|(_, twin)| Ok(twin.fill(0, &columns, &rows, value)));
                assert_eq!(made, changed);
            }
            12 => {
                let outside = bytes.sides();
                self.twin.outside = outside;
                let blank = Level::new(self.twin.terrain(self.level.grid()));
                self.level = std::mem::replace(&mut self.level, blank).with_outside(outside);
            }
            13 => self.level = self.level.clone(),
            _ => {
                if self.sizes.len() == MOST_SIZES {
                    self.sizes.remove(0);
                }
                let side = |byte: u8| u32::from(byte % 40);
                self.sizes.push(UVec2::new(side(bytes.next()), side(bytes.next())));
            }
        }
    }

    /// Edits the terrain, for which [`Level`] has not all editors of [`Terrain`].
    fn on_terrain<T>(&mut self, edit: impl FnOnce(&mut Terrain) -> T) -> T {
        let mut terrain = self.level.terrain().clone();
        let result = edit(&mut terrain);
        let mut level = Level::new(terrain);
        for area in self.level.areas() {
            level = level.with_area(&*area.name, area.terrain.clone());
        }
        self.level = level.with_markers(self.level.markers().to_vec());
        result
    }

    fn brush(&mut self, bytes: &mut Bytes<'_>, value: bool, side: Option<Dir>) {
        let at = bytes.point();
        let plane = side.map_or(0, guarded);
        let is_disc = bytes.below(2) == 0;
        let min = bytes.point();
        let max = if is_disc { min } else { bytes.point() };
        let circle = Circle { center: min, radius: i32::from(bytes.next()) };
        let area = Aabb { min, max };
        let changed = self.twin.edit(plane, value, |cell| match is_disc {
            true => touches(cell, &circle, at),
            false => overlaps(cell, area, at),
        });
        let paint = |terrain: &mut Terrain| match (side, is_disc, value) {
            (None, true, true) => terrain.paint(&circle, at),
            (None, true, false) => Ok(terrain.carve(&circle, at)),
            (None, false, true) => terrain.paint(&area, at),
            (None, false, false) => Ok(terrain.carve(&area, at)),
            (Some(side), true, true) => terrain.paint_one_way(side, &circle, at),
            (Some(side), true, false) => Ok(terrain.carve_one_way(side, &circle, at)),
            (Some(side), false, true) => terrain.paint_one_way(side, &area, at),
            (Some(side), false, false) => Ok(terrain.carve_one_way(side, &area, at)),
        };
        let made = match (side, is_disc, value) {
            (None, true, true) => self.level.paint(&circle, at),
            (None, true, false) => Ok(self.level.carve(&circle, at)),
            (None, false, true) => self.level.paint(&area, at),
            (None, false, false) => Ok(self.level.carve(&area, at)),
            _ => self.on_terrain(paint),
        };
        let shown = (circle, area, at);
        assert_eq!(made.expect("no limit"), changed, "{shown:?} {is_disc} {side:?} {value}");
    }

    /// Returns the pixels of a rectangle of cells inside the level; `None` if there are none.
    fn pixels(&self, min: [i64; 2], max: [i64; 2]) -> Option<Aabb> {
        let min = I64Vec2::from(min).max(I64Vec2::ZERO);
        let max = I64Vec2::from(max).min(self.twin.planes[0].size.as_i64vec2());
        let cell = self.twin.cell.as_ivec2();
        let pixels = |cells: I64Vec2| cells.as_ivec2() * cell;
        min.cmplt(max).all().then(|| Aabb { min: pixels(min), max: pixels(max) })
    }

    fn replace(&mut self, pixels: Aabb, other: Option<&Self>, shift: I64Vec2) {
        self.twin.replace(pixels, other.map(|other| &other.twin), shift);
        for (name, twin) in &mut self.areas {
            let source =
                other.and_then(|other| other.areas.iter().find(|(known, _)| known == name));
            twin.replace(pixels, source.map(|(_, source)| source), shift);
        }
        self.markers.retain(|area| !pixels.contains(area.center()));
        for area in other.iter().flat_map(|other| &other.markers) {
            let moved = |pixel: IVec2| (pixel.as_i64vec2() + shift).as_ivec2();
            let center = area.center().as_i64vec2() + shift;
            let is_in = center.cmpge(pixels.min.as_i64vec2()).all()
                && center.cmplt(pixels.max.as_i64vec2()).all();
            if is_in {
                self.markers.push(Aabb { min: moved(area.min), max: moved(area.max) });
            }
        }
    }

    fn place(&mut self, bytes: &mut Bytes<'_>) {
        let mut other = pair(bytes, 20, self.twin.cell, &AREAS[1..]);
        for plane in 0..5 {
            let stride = u32::from(bytes.below(7));
            for index in (0..other.twin.planes[plane].cells.len()).step_by(1 + stride as usize) {
                other.twin.planes[plane].cells[index] = stride > 0;
            }
        }
        let source = Level::new(other.twin.terrain(other.level.grid()));
        let source = source.with_markers(other.level.markers().to_vec());
        let areas = other.level.areas().iter();
        let mut source =
            areas.fold(source, |source, area| source.with_area(&*area.name, area.terrain.clone()));
        for (name, twin) in &mut other.areas {
            let columns = 0..u32::from(bytes.next());
            let rows = u32::from(bytes.below(9))..u32::MAX;
            twin.fill(0, &columns, &rows, true);
            let area = source.area_mut(name).expect("it has this area");
            area.fill(columns, rows, true).expect("no limit");
        }
        let at = bytes.point();
        let min = at.as_i64vec2();
        let pixels = self.pixels(min.into(), (min + source.grid().size().as_i64vec2()).into());
        let shift = min * self.twin.cell.as_i64vec2();
        match self.level.place(&source, at) {
            Ok(placed) => {
                assert_eq!(placed, pixels);
                let Some(pixels) = pixels else { return };
                for (name, twin) in &other.areas {
                    if self.areas.iter().all(|(known, _)| known != name) {
                        let all = self.twin.planes[0].size * self.twin.cell;
                        let size =
                            UVec2::new(all.x.div_ceil(twin.cell.x), all.y.div_ceil(twin.cell.y));
                        self.areas.push((name.clone(), Twin::new(size, twin.cell, twin.outside)));
                    }
                }
                self.replace(pixels, Some(&other), shift);
            }
            Err(GridError::OtherCellSize { .. } | GridError::PartOfACell { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }

    /// Compares the level with its twin, and its answers with those of a level that is built anew.
    fn check(&mut self, bytes: &mut Bytes<'_>) {
        self.twin.check(self.level.terrain());
        assert_eq!(self.level.areas().len(), self.areas.len());
        for (name, twin) in &self.areas {
            twin.check(self.level.area(name).expect("the twin has it"));
        }
        prepare(&mut self.level, &self.sizes);
        let markers: Vec<Aabb> = self.level.markers().iter().map(|marker| marker.area).collect();
        assert_eq!(markers, self.markers);
        // One size and one area for each edit, so that many edits may lie between two questions.
        let asked = usize::from(bytes.next());
        let size = self.sizes.get(asked % 4).copied();
        self.twin.answers(self.level.terrain(), size, bytes);
        if let Some((name, twin)) = self.areas.get(asked / 4 % 4) {
            let area = self.level.area_mut(name).expect("the twin has it");
            prepare(area, &self.sizes);
            twin.answers(area, size, bytes);
        }
    }
}

/// Prepares the sizes for queries and for ways, so that later edits keep them up to date.
fn prepare(terrain: &mut Terrain, sizes: &[UVec2]) {
    for size in sizes {
        terrain.prepare((*size).max(UVec2::ONE));
        terrain.ways(*size).expect("it is small");
    }
}

/// True if a box that is moved by `at` covers a pixel of the cell.
fn overlaps(cell: Aabb, area: Aabb, at: IVec2) -> bool {
    let min = area.min.as_i64vec2() + at.as_i64vec2();
    let max = area.max.as_i64vec2() + at.as_i64vec2();
    let first = min.max(cell.min.as_i64vec2());
    let end = max.min(cell.max.as_i64vec2());
    first.cmplt(end).all()
}

/// True if a disc that is moved by `at` holds the centre of a pixel of the cell. A disc has no pixels at
/// `i32::MAX` and beyond.
fn touches(cell: Aabb, circle: &Circle<IVec2>, at: IVec2) -> bool {
    let radius = 2 * i128::from(circle.radius);
    let holds = |x: i32, y: i32| {
        let pixel = I64Vec2::new(x.into(), y.into()) - at.as_i64vec2();
        let off = pixel * 2 + 1 - circle.center.as_i64vec2() * 2;
        let [x, y] = [i128::from(off.x), i128::from(off.y)];
        pixel.max_element() < i32::MAX.into() && x * x + y * y <= radius * radius
    };
    (cell.min.y..cell.max.y).any(|y| (cell.min.x..cell.max.x).any(|x| holds(x, y)))
}
