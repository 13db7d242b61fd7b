//! The levels, the bodies and the questions that all contenders get.

use bitwall::glam::{DVec2, I64Vec2, IVec2, UVec2, Vec2};
use bitwall::{Aabb, Dir, Grid, Level};

use crate::work::{Cells, Query, bars, blobs, free_starts};

/// Questions keep so far from the border, in pixels: bitwall's outside is solid, that of the peers is empty.
const MARGIN: i32 = 320;

/// A motion of a body, or a line from its top-left pixel.
#[derive(Clone, Copy)]
pub(crate) struct Motion {
    pub(crate) body: Aabb,
    pub(crate) by: IVec2,
}

impl Motion {
    /// The centres of the pixels at both ends of the line.
    pub(crate) fn ends(&self) -> [Vec2; 2] {
        [self.body.min, self.body.min + self.by].map(|pixel| pixel.as_vec2() + 0.5)
    }
}

/// A level in the forms that contenders need, and the questions.
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
    /// Steps of a mover: half of the bodies are in the air, half on floors; up to 4 px along each axis, in
    /// 65,536ths of a pixel.
    pub(crate) steps: Vec<(Aabb, I64Vec2)>,
}

impl Work {
    /// The levels of the benches of bitwall, with at most so many questions of each kind.
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
        let mut along = || random.i64(-(4 << 16)..=4 << 16);
        let step = |(at, q): (usize, &Query)| {
            let fall = if at % 2 == 0 { level.sweep(q.body, Dir::Down, 200).moved } else { 0 };
            (q.body.translated(IVec2::new(0, fall as i32)), I64Vec2::new(along(), along()))
        };
        let steps = short.iter().enumerate().map(step).collect();
        Self { name, level, cells, cell, body, short, long, slanted, rays, steps }
    }

    /// A level without questions.
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

    /// Column and row of each solid cell.
    pub(crate) fn solid_cells(&self) -> impl Iterator<Item = UVec2> {
        let grid = self.level.grid();
        let cells =
            (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| UVec2::new(x, y)));
        cells.filter(|cell| grid.is_solid(cell.x, cell.y))
    }

    /// The runs of solid cells in all rows, in pixels: the first corner, and the one past the last pixel. So
    /// a game would merge its colliders.
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

/// The vector of a step.
pub(crate) fn vector(q: &Query) -> IVec2 {
    let step = q.step as i32;
    match q.dir {
        Dir::Left => IVec2::new(-step, 0),
        Dir::Right => IVec2::new(step, 0),
        Dir::Up => IVec2::new(0, -step),
        Dir::Down => IVec2::new(0, step),
    }
}

/// A body's motion by a step.
pub(crate) fn motion(q: &Query) -> Motion {
    Motion { body: q.body, by: vector(q) }
}
