//! Scenarios of other libraries: cases that they document and complaints of their users, replayed with
//! bitwall. `guide::scenarios` has a table of them.

mod bump;
mod celeste;
mod godot;
mod peers;

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::mover::MovePath;
use bitwall::world::{Body, BodyId, World};
use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, geometry::Corners};

use crate::support::cells;

/// Cell sizes in pixels: a wide cell, a high cell and a square cell.
const CELLS: [UVec2; 3] = [UVec2::new(16, 9), UVec2::new(5, 12), UVec2::new(8, 8)];

const PATHS: [MovePath; 4] = [
    MovePath::XThenY,
    MovePath::YThenX,
    MovePath::Straight(Corners::Block),
    MovePath::Straight(Corners::Pass),
];

/// One of the eight mirrored and turned versions of a scene: bit 0 mirrors x, bit 1 mirrors y, and bit 2
/// exchanges the axes. The origin of the scene is then moved to (200, 200).
#[derive(Clone, Copy, Debug)]
struct Image(u8);

impl Image {
    fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self)
    }

    /// Returns the scene itself and its mirror image along x.
    fn left_and_right() -> [Self; 2] {
        [Self(0), Self(1)]
    }

    fn vector(self, Vec2 { x, y }: Vec2) -> Vec2 {
        let x = if self.0 & 1 == 0 { x } else { -x };
        let y = if self.0 & 2 == 0 { y } else { -y };
        if self.0 & 4 == 0 { Vec2::new(x, y) } else { Vec2::new(y, x) }
    }

    fn of(self, area: Aabb) -> Aabb {
        let corner = |at: IVec2| self.vector(at.as_vec2()).as_ivec2() + 200;
        let (one, two) = (corner(area.min), corner(area.max));
        Aabb { min: one.min(two), max: one.max(two) }
    }

    fn boxed(self, x: i32, y: i32, w: i32, h: i32) -> Aabb {
        self.of(Aabb::from_xywh(x, y, w, h))
    }

    /// Creates a level of 400 x 400 pixels in which these boxes are solid.
    fn level(self, solids: &[Aabb]) -> Level {
        let mut grid = Grid::new(400, 400).unwrap();
        for solid in solids {
            let solid = self.of(*solid);
            let pixels = |low: i32, high: i32| low.clamp(0, 400) as u32..high.clamp(0, 400) as u32;
            let columns = pixels(solid.min.x, solid.max.x);
            grid.fill(columns, pixels(solid.min.y, solid.max.y), true).unwrap();
        }
        cells(grid, 1)
    }

    /// Returns the path, with x and y exchanged if this image exchanges the axes.
    fn path(self, path: MovePath) -> MovePath {
        match path {
            MovePath::XThenY if self.0 & 4 != 0 => MovePath::YThenX,
            MovePath::YThenX if self.0 & 4 != 0 => MovePath::XThenY,
            path => path,
        }
    }
}

/// Creates a level with cells of `cell` pixels. In the text `#` is a solid cell, and `-` is a one-way cell
/// that stops only bodies from above.
fn level_of(text: &str, cell: UVec2) -> Level {
    let lines: Vec<&str> = text.split_whitespace().collect();
    let grid = |sign: char| {
        let dot = |c| if c == sign { '#' } else { '.' };
        let rows: Vec<String> = lines.iter().map(|line| line.chars().map(dot).collect()).collect();
        Grid::from_text(&rows.join("\n")).unwrap()
    };
    let level = Level::from_grid(grid('#'), cell).unwrap();
    level.with_one_way(Dir::Up, grid('-')).unwrap()
}

/// Returns the text with each line reversed.
fn mirrored(text: &str) -> String {
    let lines = text.split_whitespace().map(|line| line.chars().rev().collect());
    lines.collect::<Vec<String>>().join("\n")
}

fn by(mover: &mut Mover, level: &Level, translation: Vec2) -> bitwall::Move {
    let step = mover.step(level, translation).unwrap();
    assert!(step.started_solid || !level.overlaps(mover.body), "{mover:?}");
    step
}

fn platformer(body: Aabb) -> Mover {
    Mover::new(body, MoverSettings::platformer())
}

/// Returns the distance in pixels from the side of one box to the facing side of another box in a direction.
fn gap(one: Aabb, dir: Dir, other: Aabb) -> i32 {
    match dir {
        Dir::Left => one.min.x - other.max.x,
        Dir::Right => other.min.x - one.max.x,
        Dir::Up => one.min.y - other.max.y,
        Dir::Down => other.min.y - one.max.y,
    }
}

fn add(world: &mut World, body: Body) -> BodyId {
    world.add(body)
}

fn aabb(world: &World, id: BodyId) -> Aabb {
    world.get(id).unwrap().aabb
}
