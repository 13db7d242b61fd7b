//! The naive model of the contract: pixels and loops, in `i64`, written from DESIGN.md. It uses nothing from
//! the library except the names of directions and sides.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Dir, Grid, Level, Outside, Sides};

/// A pixel or a cell, as x and y.
pub(crate) type Place = (i64, i64);

/// A level as a list of cells.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// The numbers of columns and rows.
    pub(crate) size: Place,
    pub(crate) cell: Place,
    pub(crate) solid: Vec<bool>,
    /// The cells that guard each side, in the order of [`Dir::ALL`].
    pub(crate) guards: [Vec<bool>; 4],
    pub(crate) outside: Sides<Outside>,
}

impl Model {
    /// Creates a level without one-way cells.
    pub(crate) fn new(size: UVec2, cell: UVec2, solid: Vec<bool>) -> Self {
        let none = vec![false; solid.len()];
        Self {
            size: (size.x.into(), size.y.into()),
            cell: (cell.x.into(), cell.y.into()),
            guards: [none.clone(), none.clone(), none.clone(), none],
            solid,
            outside: Sides::all(Outside::Solid),
        }
    }

    /// Creates a random level of at most 20,000 pixels or cells of one pixel. Cells have any shape, the
    /// outside any state, and sides end near word boundaries. Half of the levels have one-way cells.
    pub(crate) fn random(random: &mut fastrand::Rng) -> Self {
        let sides = [1, 2, 3, 8, 20, 62, 63, 64, 65, 66, 127, 128, 129, 130];
        let cells = [[1, 1], [1, 1], [1, 1], [4, 4], [7, 13], [3, 7], [8, 2], [16, 1], [65, 2]];
        let mut side = || sides[random.usize(0..sides.len())];
        let size = UVec2::new(side(), side());
        let mut cell = UVec2::from(cells[random.usize(0..cells.len())]);
        if size.element_product() * cell.element_product() > 20_000 {
            cell = UVec2::ONE;
        }
        let mut model = Self::new(size, cell, random_cells(random, size));
        if random.bool() {
            for guards in &mut model.guards {
                let share = random.u8(0..15);
                guards.iter_mut().for_each(|guard| *guard = random.u8(0..100) < share);
            }
        }
        let mut outside = || [Outside::Open, Outside::Solid][random.usize(0..2)];
        model.outside = Sides { left: outside(), right: outside(), up: outside(), down: outside() };
        model
    }

    /// Builds the level of this model, with grids from `grid`.
    pub(crate) fn level_of(&self, grid: impl Fn(UVec2) -> Grid) -> Level {
        let made = |cells: &[bool]| {
            let mut grid = grid(UVec2::new(self.size.0 as u32, self.size.1 as u32));
            set_all(&mut grid, cells);
            grid
        };
        let cell = UVec2::new(self.cell.0 as u32, self.cell.1 as u32);
        let mut level = Level::from_grid(made(&self.solid), cell).unwrap();
        for (side, guards) in Dir::ALL.into_iter().zip(&self.guards) {
            if guards.contains(&true) {
                level = level.with_one_way(side, made(guards)).unwrap();
            }
        }
        level.with_outside(self.outside)
    }

    pub(crate) fn level(&self) -> Level {
        self.level_of(|size| Grid::new(size.x, size.y).unwrap())
    }

    /// Builds the level of this model as a dense, sparse, baked or painted level.
    pub(crate) fn level_in_any_form(&self, random: &mut fastrand::Rng) -> Level {
        let sparse = || self.level_of(|size| Grid::sparse(size.x, size.y).unwrap());
        match random.u8(0..4) {
            0 => self.level(),
            1 => sparse(),
            2 => Level::from_baked(sparse().bake().unwrap()).unwrap(),
            _ => {
                let mut level =
                    Self { solid: vec![false; self.solid.len()], ..self.clone() }.level();
                for (at, _) in (0..).zip(&self.solid).filter(|(_, solid)| **solid) {
                    let cell = (at % self.size.0, at / self.size.0);
                    level.set(clamped(cell), true).unwrap();
                }
                level
            }
        }
    }

    pub(crate) fn pixels(&self) -> Place {
        (self.size.0 * self.cell.0, self.size.1 * self.cell.1)
    }

    pub(crate) fn index(&self, cell: Place) -> Option<usize> {
        let is_inside = (0..self.size.0).contains(&cell.0) && (0..self.size.1).contains(&cell.1);
        is_inside.then(|| (cell.1 * self.size.0 + cell.0) as usize)
    }

    /// Returns the cell that contains a pixel.
    fn holder(&self, (x, y): Place) -> Place {
        (x.div_euclid(self.cell.0), y.div_euclid(self.cell.1))
    }

    /// Returns the cell that contains a pixel, in the coordinates of the library.
    pub(crate) fn cell_of(&self, x: i64, y: i64) -> IVec2 {
        clamped(self.holder((x, y)))
    }

    pub(crate) fn is_solid(&self, x: i64, y: i64) -> bool {
        let cell = self.holder((x, y));
        let is_solid = |side| self.outside.get(side) == Outside::Solid;
        match self.index(cell) {
            Some(index) => self.solid[index],
            None => {
                (cell.0 < 0 && is_solid(Dir::Left))
                    || (cell.0 >= self.size.0 && is_solid(Dir::Right))
                    || (cell.1 < 0 && is_solid(Dir::Up))
                    || (cell.1 >= self.size.1 && is_solid(Dir::Down))
            }
        }
    }

    /// True if a pixel stops a body that enters it toward `dir`. Such a pixel is solid, or it is at a side of
    /// a one-way cell that the cell guards.
    pub(crate) fn stops(&self, x: i64, y: i64, dir: Dir, one_way: bool) -> bool {
        let (cell, ahead) = (self.holder((x, y)), dir.vector());
        let before = self.holder((x - i64::from(ahead.x), y - i64::from(ahead.y)));
        let side = Dir::ALL.iter().position(|side| *side == dir.opposite()).unwrap();
        let is_guard = || self.index(cell).is_some_and(|index| self.guards[side][index]);
        self.is_solid(x, y) || (one_way && before != cell && is_guard())
    }

    /// Returns the distance that a box can move, and the pixel that stops it. If several pixels do, returns
    /// the first in its row or column. Lines beyond the level are all alike, so only the one next to the
    /// level is visited.
    pub(crate) fn sweep(
        &self,
        body: Aabb,
        dir: Dir,
        step: u32,
        one_way: bool,
    ) -> (u32, Option<Place>) {
        let [left, up] = body.min.to_array().map(i64::from);
        let [right, down] = body.max.to_array().map(i64::from);
        let (first, ahead, across, length, wide) = match dir {
            Dir::Left => (left - 1, -1, up..down, self.pixels().0, self.pixels().1),
            Dir::Right => (right, 1, up..down, self.pixels().0, self.pixels().1),
            Dir::Up => (up - 1, -1, left..right, self.pixels().1, self.pixels().0),
            Dir::Down => (down, 1, left..right, self.pixels().1, self.pixels().0),
        };
        // Pixels beside the level are all alike, so only one on each side is visited.
        let beside = (across.start < 0 && across.start < across.end).then_some(across.start);
        let inside = across.start.max(0)..across.end.min(wide);
        let beyond =
            (across.end > wide && across.start < across.end).then_some(across.start.max(wide));
        let mut moved = 0;
        while moved < i64::from(step) {
            let line = first + ahead * moved;
            for place in beside.into_iter().chain(inside.clone()).chain(beyond) {
                let (x, y) = if ahead_is_x(dir) { (line, place) } else { (place, line) };
                if self.stops(x, y, dir, one_way) {
                    return (moved as u32, Some((x, y)));
                }
            }
            let before = if ahead > 0 { -line } else { line - length + 1 };
            let is_behind = if ahead > 0 { line >= length } else { line < 0 };
            moved += if is_behind { i64::from(step) } else { before.max(1) };
        }
        (step, None)
    }

    /// Yields the solid pixels of an area, row by row.
    pub(crate) fn solids_in(&self, area: Aabb) -> impl Iterator<Item = Place> {
        let rows = i64::from(area.min.y)..i64::from(area.max.y);
        let columns = i64::from(area.min.x)..i64::from(area.max.x);
        let pixels = rows.flat_map(move |y| columns.clone().map(move |x| (x, y)));
        pixels.filter(|(x, y)| self.is_solid(*x, *y))
    }

    /// Makes cells solid or passable; with a `side`, makes them guard that side or not. Changes each cell for
    /// which `is_in` is true. `is_in` gets the first pixel of the cell and the pixel after its last. Returns
    /// the smallest box around the changed cells.
    pub(crate) fn edit(
        &mut self,
        side: Option<Dir>,
        set: bool,
        is_in: impl Fn(Place, Place) -> bool,
    ) -> Option<Aabb> {
        let side = side.and_then(|side| Dir::ALL.iter().position(|dir| *dir == side));
        let cells = side.map_or(&mut self.solid, |side| &mut self.guards[side]);
        let mut changed: Option<Aabb> = None;
        for (at, cell) in cells.iter_mut().enumerate() {
            let (column, row) = (at as i64 % self.size.0, at as i64 / self.size.0);
            let min = (column * self.cell.0, row * self.cell.1);
            let max = (min.0 + self.cell.0, min.1 + self.cell.1);
            if is_in(min, max) && *cell != set {
                *cell = set;
                let area = Aabb { min: clamped(min), max: clamped(max) };
                changed = Some(match changed {
                    None => area,
                    Some(old) => Aabb { min: old.min.min(area.min), max: old.max.max(area.max) },
                });
            }
        }
        changed
    }
}

pub(crate) fn ahead_is_x(dir: Dir) -> bool {
    matches!(dir, Dir::Left | Dir::Right)
}

pub(crate) fn clamped((x, y): Place) -> IVec2 {
    let clamp = |place: i64| place.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    IVec2::new(clamp(x), clamp(y))
}

fn set_all(grid: &mut Grid, cells: &[bool]) {
    for (at, _) in (0..).zip(cells).filter(|(_, solid)| **solid) {
        grid.set(at % grid.width(), at / grid.width(), true).unwrap();
    }
}

/// Returns random cells: noise, rooms, thin lines, a few cells, or none.
pub(crate) fn random_cells(random: &mut fastrand::Rng, size: UVec2) -> Vec<bool> {
    let (width, height) = (size.x as usize, size.y as usize);
    let mut cells = vec![false; width * height];
    let mut fill = |[x, y]: [usize; 2], [across, down]: [usize; 2], solid: bool| {
        for row in y..(y + down).min(height) {
            for column in x..(x + across).min(width) {
                cells[row * width + column] = solid;
            }
        }
    };
    let place = |random: &mut fastrand::Rng| [random.usize(0..width), random.usize(0..height)];
    match random.u8(0..6) {
        0 => {
            let share = random.u8(1..60);
            cells.iter_mut().for_each(|solid| *solid = random.u8(0..100) < share);
        }
        1 => {
            fill([0, 0], [width, height], true);
            for _ in 0..6 {
                fill(place(random), [random.usize(1..30), random.usize(1..30)], false);
            }
        }
        2 => {
            for _ in 0..random.u8(1..5) {
                let long = random.usize(1..40);
                fill(place(random), [[long, 1], [1, long]][random.usize(0..2)], true);
            }
        }
        3 | 4 => {
            for _ in 0..random.u8(1..6) {
                fill(place(random), [1, 1], true);
            }
        }
        _ => {}
    }
    cells
}

pub(crate) fn random_grid(random: &mut fastrand::Rng, size: UVec2) -> Grid {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    set_all(&mut grid, &random_cells(random, size));
    grid
}

/// Returns a random pixel in or near the level, rarely far away.
pub(crate) fn random_pixel(random: &mut fastrand::Rng, model: &Model) -> IVec2 {
    let mut along = |side: i64| match random.u8(0..24) {
        0 => random.choice([i32::MIN, i32::MIN + 20, i32::MAX, i32::MAX - 7]).unwrap(),
        _ => random.i32(-30..side as i32 + 30),
    };
    IVec2::new(along(model.pixels().0), along(model.pixels().1))
}
