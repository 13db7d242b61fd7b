//! The eight transformations that turn or mirror a scene in a square.

use bitwall::glam::{IVec2, Vec2};
use bitwall::mover::MovePath;
use bitwall::{Aabb, Dir, Grid, Level, MoverSettings, Sides};

use crate::support::cells;

/// The side of a scene in pixels.
pub(crate) const SIDE: i32 = 240;

/// One of the eight transformations that turn or mirror a scene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn(pub(crate) u8);

impl Turn {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self)
    }

    pub(crate) fn vector(self, way: Vec2) -> Vec2 {
        let x = if self.0 & 1 == 0 { way.x } else { -way.x };
        let y = if self.0 & 2 == 0 { way.y } else { -way.y };
        if self.0 & 4 == 0 { Vec2::new(x, y) } else { Vec2::new(y, x) }
    }

    pub(crate) fn point(self, at: IVec2) -> IVec2 {
        let from_middle = at.as_vec2() - SIDE as f32 / 2.0;
        (self.vector(from_middle) + SIDE as f32 / 2.0).as_ivec2()
    }

    pub(crate) fn aabb(self, area: Aabb) -> Aabb {
        let corners = [area.min, area.max].map(|corner| self.point(corner));
        Aabb { min: corners[0].min(corners[1]), max: corners[0].max(corners[1]) }
    }

    pub(crate) fn dir(self, dir: Dir) -> Dir {
        let way = self.vector(dir.vector().as_vec2()).as_ivec2();
        *Dir::ALL.iter().find(|dir| dir.vector() == way).unwrap()
    }

    pub(crate) fn settings(self, settings: MoverSettings) -> MoverSettings {
        let back = |to: Dir| Dir::ALL.into_iter().find(|dir| self.dir(*dir) == to).unwrap();
        let [left, right, up, down] = [Dir::Left, Dir::Right, Dir::Up, Dir::Down]
            .map(|side| settings.corner_correction.get(back(side)));
        let corner_correction = Sides { left, right, up, down };
        let path = if self.0 & 4 == 0 { MovePath::XThenY } else { MovePath::YThenX };
        let floor = settings.floor.map(|floor| self.dir(floor));
        MoverSettings { path, floor, corner_correction, ..settings }
    }

    pub(crate) fn level(self, solids: &[Aabb]) -> Level {
        let mut grid = Grid::new(SIDE as u32, SIDE as u32).unwrap();
        for solid in solids {
            let Aabb { min, max } = self.aabb(*solid);
            let (min, max) = (min.as_uvec2(), max.as_uvec2());
            grid.fill(min.x..max.x, min.y..max.y, true).unwrap();
        }
        cells(grid, 1)
    }
}
