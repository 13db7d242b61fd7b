//! The levels, the bodies and the questions for all contenders.

use bitwall::glam::{DVec2, IVec2, UVec2, Vec2};
use bitwall::{Aabb, Dir, Grid, Level};

use crate::work::{Cells, Query, bars, blobs, free_starts};

/// The smallest distance of a question from the border, in pixels. It is needed because the outside is solid
/// in bitwall and empty in the other libraries.
const MARGIN: i32 = 320;

/// A motion of a body, or a line that starts at the top-left pixel of the body.
#[derive(Clone, Copy)]
pub(crate) struct Motion {
    pub(crate) body: Aabb,
    pub(crate) by: IVec2,
}

impl Motion {
    /// Returns the centres of the first and the last pixel of the line.
    pub(crate) fn ends(&self) -> [Vec2; 2] {
        [self.body.min, self.body.min + self.by].map(|pixel| pixel.as_vec2() + 0.5)
    }
}

/// A level in the forms that the contenders need, and the questions.
pub(crate) struct Work {
    pub(crate) name: &'static str,
    pub(crate) level: Level,
    pub(crate) cells: Cells,
    /// The side of a cell in pixels.
    pub(crate) cell: i32,
    pub(crate) body: IVec2,
    /// Steps of 1 to 8 px in four directions.
    pub(crate) short: Vec<Query>,
    /// Steps of 20 to 40 px in four directions.
    pub(crate) long: Vec<Query>,
    /// Motions of 20 to 40 px in any direction.
    pub(crate) slanted: Vec<Motion>,
    /// Lines of 300 px in any direction.
    pub(crate) rays: Vec<Motion>,
    /// Steps of a mover with up to 4 px along each axis. Half of the bodies are in the air, and half on
    /// floors.
    pub(crate) steps: Vec<(Aabb, Vec2)>,
}

impl Work {
    /// Creates the two levels of bitwall's benches, with at most `most` questions of each kind.
    pub(crate) fn both(most: usize) -> [Self; 2] {
        [
            Self::new("mask", blobs(), 1, IVec2::new(16, 32), most),
            Self::new("tiles", bars(), 16, IVec2::new(12, 20), most),
        ]
    }

    fn new(name: &'static str, grid: Grid, cell: i32, body: IVec2, most: usize) -> Self {
        let cells = Cells::new(&grid);
        let level = level(grid, cell);
        let mut short = free_starts(&level, body);
        let far = level.size().as_ivec2() - MARGIN;
        short.retain(|q| {
            q.body.min.cmpge(IVec2::splat(MARGIN)).all() && q.body.max.cmple(far).all()
        });
        short.truncate(most);
        let mut random = fastrand::Rng::with_seed(7);
        let far = |q: &Query| Query { step: 20 + q.step * 5 / 2, ..*q };
        let mut motion = |q: &Query, length: u32| {
            let angle = DVec2::from_angle(random.f64() * std::f64::consts::TAU);
            Motion { body: q.body, by: (angle * f64::from(length)).round().as_ivec2() }
        };
        let slanted = short.iter().map(|q| motion(q, far(q).step)).collect();
        let rays = short.iter().map(|q| motion(q, 300)).collect();
        let long = short.iter().map(far).collect();
        let mut along = || random.i64(-(4 << 16)..=4 << 16) as f32 / 65_536.0;
        let step = |(at, q): (usize, &Query)| {
            let fall = if at % 2 == 0 { level.sweep(q.body, Dir::Down, 200).moved } else { 0 };
            (q.body.translated(IVec2::new(0, fall as i32)), Vec2::new(along(), along()))
        };
        let steps = short.iter().enumerate().map(step).collect();
        Self { name, level, cells, cell, body, short, long, slanted, rays, steps }
    }

    /// Creates a level without questions.
    #[cfg(feature = "engines")]
    pub(crate) fn bare(name: &'static str, grid: Grid, cell: i32, body: IVec2) -> Self {
        Self {
            name,
            cells: Cells::new(&grid),
            level: level(grid, cell),
            cell,
            body,
            short: Vec::new(),
            long: Vec::new(),
            slanted: Vec::new(),
            rays: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Returns the column and row of each solid cell.
    pub(crate) fn solid_cells(&self) -> impl Iterator<Item = UVec2> {
        let grid = self.level.grid();
        let cells =
            (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| UVec2::new(x, y)));
        cells.filter(|cell| grid.is_solid(cell.x, cell.y))
    }

    /// Returns the runs of solid cells in all rows, each as its first corner and its end, in pixels. A game
    /// would merge its colliders like this.
    pub(crate) fn runs(&self) -> Vec<[Vec2; 2]> {
        let side = self.cell as f32;
        let mut runs = Vec::<[Vec2; 2]>::new();
        for cell in self.solid_cells() {
            let min = cell.as_vec2() * side;
            match runs.last_mut() {
                Some([first, last]) if first.y == min.y && last.x == min.x => last.x += side,
                _ => runs.push([min, min + side]),
            }
        }
        runs
    }
}

fn level(grid: Grid, cell: i32) -> Level {
    Level::from_grid(grid, UVec2::splat(cell as u32)).expect("a cell size in range")
}

/// Returns the vector of a step.
pub(crate) fn vector(q: &Query) -> IVec2 {
    let step = q.step as i32;
    match q.dir {
        Dir::Left => IVec2::new(-step, 0),
        Dir::Right => IVec2::new(step, 0),
        Dir::Up => IVec2::new(0, -step),
        Dir::Down => IVec2::new(0, step),
    }
}

/// Returns the motion of a body by a step.
pub(crate) fn motion(q: &Query) -> Motion {
    Motion { body: q.body, by: vector(q) }
}
