//! Random levels and movers, and the symmetries of the plane.

use std::fmt;

use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::{
    Aabb, Dir, Grid, Level, Mover, MoverSettings, Outside, Sides,
    geometry::Corners,
    mover::{MovePath, Response, Slope, WalkSpeed},
};
use fastrand::Rng;

use crate::movement::oracle::Seen;

/// The number of subpixels in a pixel.
pub(crate) const PIXEL: i64 = Mover::SUBPIXELS as i64;

/// A plain description of a level. The naive model looks up its pixels one by one.
#[derive(Clone)]
pub(crate) struct Plan {
    /// The number of columns and rows.
    pub(crate) size: IVec2,
    pub(crate) cell: IVec2,
    pub(crate) solid: Vec<bool>,
    /// The one-way cells by the side that they guard, in the order of [`Dir::ALL`].
    pub(crate) guards: [Vec<bool>; 4],
    pub(crate) outside: Sides<Outside>,
}

impl Plan {
    pub(crate) fn blank(size: IVec2, cell: IVec2) -> Self {
        let none = vec![false; (size.x * size.y) as usize];
        Self {
            size,
            cell,
            guards: [none.clone(), none.clone(), none.clone(), none.clone()],
            solid: none,
            outside: Sides::all(Outside::Solid),
        }
    }

    /// Creates noise, caves, slopes or thin walls. Half of the plans have one-way cells.
    pub(crate) fn random(random: &mut Rng) -> Self {
        let cells = [[1, 1], [1, 1], [1, 1], [4, 4], [3, 7], [8, 2], [16, 5]];
        let cell: IVec2 = cells[random.usize(0..cells.len())].into();
        let side = |random: &mut Rng, cell: i32| match (random.u8(0..8), cell) {
            (0, _) => random.i32(1..4),
            (_, 1) => random.i32(30..70),
            _ => random.i32(5..16),
        };
        let size = IVec2::new(side(random, cell.x), side(random, cell.y));
        Self::random_of(random, size, cell)
    }

    /// Creates the same as [`Plan::random`], with `size` cells of `cell` pixels each.
    pub(crate) fn random_of(random: &mut Rng, size: IVec2, cell: IVec2) -> Self {
        let mut plan = Self::blank(size, cell);
        match random.u8(0..4) {
            0 => plan.make_noise(random),
            1 => plan.make_caves(random),
            2 => plan.make_slopes(random),
            _ => plan.make_thin_walls(random),
        }
        if random.bool() {
            for side in 0..4 {
                let share = random.u8(0..15);
                let guards = plan.guards[side].iter_mut();
                guards.for_each(|guarded| *guarded = random.u8(0..100) < share);
            }
        }
        for side in Dir::ALL {
            let outside = [Outside::Open, Outside::Solid][random.usize(0..2)];
            plan.outside = plan.outside.with(side, outside);
        }
        plan
    }

    fn make_noise(&mut self, random: &mut Rng) {
        let share = [2, 8, 20, 35][random.usize(0..4)];
        for solid in &mut self.solid {
            *solid = random.u8(0..100) < share;
        }
    }

    fn make_caves(&mut self, random: &mut Rng) {
        for solid in &mut self.solid {
            *solid = random.u8(0..100) < 42;
        }
        for _ in 0..3 {
            let old = self.clone();
            for at in 0..self.solid.len() {
                let place = old.place(at);
                let near = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
                let count = near.filter(|by| old.has(&old.solid, place + *by)).count();
                self.solid[at] = count >= 5;
            }
        }
    }

    /// Makes an uneven floor and ceiling, or an uneven left and right wall.
    fn make_slopes(&mut self, random: &mut Rng) {
        let is_turned = random.bool();
        let (long, high) = match is_turned {
            false => (self.size.x, self.size.y),
            true => (self.size.y, self.size.x),
        };
        let (mut floor, mut ceiling) = (high * 2 / 3, high / 6);
        let steepest = random.i32(1..4);
        let run = random.i32(1..5);
        for at in 0..long {
            if at % run == 0 {
                floor += random.i32(-steepest..=steepest);
                ceiling += random.i32(-1..=1);
            }
            for depth in 0..high {
                let place = match is_turned {
                    false => IVec2::new(at, depth),
                    true => IVec2::new(depth, at),
                };
                let index = (place.y * self.size.x + place.x) as usize;
                self.solid[index] = depth >= floor || depth < ceiling;
            }
        }
    }

    fn make_thin_walls(&mut self, random: &mut Rng) {
        for _ in 0..random.i32(1..10) {
            let step = [IVec2::X, IVec2::Y, IVec2::ONE, IVec2::new(1, -1)][random.usize(0..4)];
            let mut place = IVec2::new(random.i32(0..self.size.x), random.i32(0..self.size.y));
            for _ in 0..random.i32(1..40) {
                if self.is_inside(place) {
                    self.solid[(place.y * self.size.x + place.x) as usize] = true;
                }
                place += step;
            }
        }
    }

    fn place(&self, index: usize) -> IVec2 {
        let index = index as i32;
        IVec2::new(index % self.size.x, index / self.size.x)
    }

    fn is_inside(&self, cell: IVec2) -> bool {
        cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.size).all()
    }

    fn has(&self, cells: &[bool], cell: IVec2) -> bool {
        self.is_inside(cell) && cells[(cell.y * self.size.x + cell.x) as usize]
    }

    pub(crate) fn is_solid(&self, pixel: IVec2) -> bool {
        let cell = pixel.div_euclid(self.cell);
        let beyond = |side| self.outside.get(side) == Outside::Solid;
        if self.is_inside(cell) {
            self.has(&self.solid, cell)
        } else {
            (cell.x < 0 && beyond(Dir::Left))
                || (cell.y < 0 && beyond(Dir::Up))
                || (cell.x >= self.size.x && beyond(Dir::Right))
                || (cell.y >= self.size.y && beyond(Dir::Down))
        }
    }

    /// True if the pixel stops a body that enters it toward `dir`: it is solid, or it lies along the guarded
    /// side of a one-way cell that faces the body.
    pub(crate) fn stops(&self, pixel: IVec2, dir: Dir, one_way: Sides<bool>) -> bool {
        let of = |pixel: IVec2| pixel.div_euclid(self.cell);
        let side = dir.opposite();
        let index = Dir::ALL.iter().position(|known| *known == side).unwrap();
        self.is_solid(pixel)
            || one_way.get(side)
                && of(pixel - dir.vector()) != of(pixel)
                && self.has(&self.guards[index], of(pixel))
    }

    pub(crate) fn level(&self) -> Level {
        let grid = |cells: &[bool]| {
            let mut grid = Grid::new(self.size.x as u32, self.size.y as u32).unwrap();
            for (at, _) in cells.iter().enumerate().filter(|(_, solid)| **solid) {
                let place = self.place(at).as_uvec2();
                grid.set(place.x, place.y, true).unwrap();
            }
            grid
        };
        let cell: UVec2 = self.cell.as_uvec2();
        let mut level = Level::from_grid(grid(&self.solid), cell).unwrap();
        for (side, guards) in Dir::ALL.into_iter().zip(&self.guards) {
            if guards.contains(&true) {
                level = level.with_one_way(side, grid(guards)).unwrap();
            }
        }
        level.with_outside(self.outside)
    }

    /// Returns the same level with cells of one pixel. Of a one-way cell, only the pixels along its guarded
    /// side become one-way cells.
    pub(crate) fn in_pixels(&self) -> Self {
        let mut pixels = Self::blank(self.size * self.cell, IVec2::ONE);
        pixels.outside = self.outside;
        for at in 0..pixels.solid.len() {
            let place = pixels.place(at);
            let cell = place.div_euclid(self.cell);
            pixels.solid[at] = self.has(&self.solid, cell);
            for (index, side) in Dir::ALL.into_iter().enumerate() {
                let is_edge = (place + side.vector()).div_euclid(self.cell) != cell;
                pixels.guards[index][at] = is_edge && self.has(&self.guards[index], cell);
            }
        }
        pixels
    }

    /// Creates a mover in the level or just outside. Most movers overlap no solid, and many stand on their
    /// floor.
    pub(crate) fn mover(&self, random: &mut Rng, level: &Level, settings: MoverSettings) -> Mover {
        let size = self.size * self.cell;
        let most = if random.u8(0..8) == 0 { 20 } else { 10 };
        let mut side = || random.i32(1..most);
        let extent = IVec2::new(side(), side());
        let mut body = Aabb::default();
        for _ in 0..8 {
            let x = random.i32(-12..size.x + 8);
            body = Aabb::from_xywh(x, random.i32(-12..size.y + 8), extent.x, extent.y);
            if !level.overlaps(body) {
                break;
            }
        }
        let mut mover = Mover::new(body, settings);
        if let (Some(floor), true) = (settings.floor, random.u8(0..3) > 0) {
            let fall = level.sweep(body, floor, 60).moved;
            mover.body = body.shifted(floor, fall);
        }
        if random.u8(0..3) == 0 {
            let mut rest = || random.i32(1 - Mover::SUBPIXELS..Mover::SUBPIXELS);
            mover.subpixel = IVec2::new(rest(), rest());
        }
        mover.steps_since_grounded = [u32::MAX, 0, 1][random.usize(0..3)];
        mover
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "cell {} outside {:?}", self.cell, self.outside)?;
        for (at, solid) in self.solid.iter().enumerate() {
            let guards: u8 = (0..4).map(|side| u8::from(self.guards[side][at]) << side).sum();
            let sign = match (solid, guards) {
                (true, _) => '#',
                (_, 0) => '.',
                (_, guards) => char::from_digit(u32::from(guards), 16).unwrap(),
            };
            write!(f, "{sign}")?;
            if (at + 1) as i32 % self.size.x == 0 {
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// Returns random settings, some of which are presets.
pub(crate) fn settings(random: &mut Rng) -> MoverSettings {
    let path = [
        MovePath::XThenY,
        MovePath::YThenX,
        MovePath::Straight(Corners::Block),
        MovePath::Straight(Corners::Pass),
    ][random.usize(0..4)];
    let response = match random.u8(0..8) {
        0 => Response::Stop,
        1 | 2 => Response::Bounce { restitution: [0, 30, 70, 100, 255][random.usize(0..5)] },
        3 => Response::Cross,
        _ => Response::Slide,
    };
    let preset = match random.u8(0..4) {
        0 => MoverSettings::PLAIN,
        1 => return MoverSettings::platformer(),
        2 => MoverSettings::top_down(),
        _ => MoverSettings {
            floor: [None, None]
                .into_iter()
                .chain(Dir::ALL.map(Some))
                .nth(random.usize(0..6))
                .unwrap(),
            step_height: random.u32(0..7),
            snap_distance: random.u32(0..7),
            max_slope: match random.u8(0..3) {
                0 => Slope { rise: random.u16(0..9), run: random.u16(1..9) },
                _ => Slope::VERTICAL,
            },
            walk_speed: [WalkSpeed::AlongAxis, WalkSpeed::AlongSlope][random.usize(0..2)],
            corner_correction: sides(|| random.u32(0..6)),
            one_way: sides(|| random.u8(0..4) > 0),
            ..MoverSettings::PLAIN
        },
    };
    MoverSettings { path, response, ..preset }
}

fn sides<T: Copy>(mut value: impl FnMut() -> T) -> Sides<T> {
    Sides { left: value(), right: value(), up: value(), down: value() }
}

/// Returns a random translation of up to 40 pixels on each axis, in subpixels. Each axis has whole pixels,
/// fractions of a pixel, or no motion.
pub(crate) fn translation(random: &mut Rng) -> I64Vec2 {
    let mut component = || match random.u8(0..8) {
        0 => 0,
        1 => random.i64(-PIXEL..=PIXEL),
        2 | 3 => random.i64(-40..=40) * PIXEL,
        4 => random.i64(-40 * PIXEL..=40 * PIXEL),
        _ => random.i64(-9 * PIXEL..=9 * PIXEL),
    };
    I64Vec2::new(component(), component())
}

/// A symmetry of the plane: a transformation that maps levels, movers and moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Symmetry {
    /// Exchanges left and right.
    MirrorX,
    /// Exchanges up and down.
    MirrorY,
    /// Exchanges x and y, which is a quarter turn and a reflection.
    Turn,
}

impl Symmetry {
    pub(crate) const ALL: [Self; 3] = [Self::MirrorX, Self::MirrorY, Self::Turn];

    pub(crate) fn dir(self, dir: Dir) -> Dir {
        match (self, dir) {
            (Self::Turn, Dir::Left) => Dir::Up,
            (Self::Turn, Dir::Right) => Dir::Down,
            (Self::Turn, Dir::Up) => Dir::Left,
            (Self::Turn, Dir::Down) => Dir::Right,
            (Self::MirrorX, Dir::Left | Dir::Right) => dir.opposite(),
            (Self::MirrorY, Dir::Up | Dir::Down) => dir.opposite(),
            _ => dir,
        }
    }

    pub(crate) fn sides<T: Copy>(self, sides: Sides<T>) -> Sides<T> {
        let turned = |sides: Sides<T>, dir, value| sides.with(self.dir(dir), value);
        let all = Dir::ALL.into_iter();
        all.fold(sides, |new, dir| turned(new, dir, sides.get(dir)))
    }

    pub(crate) fn vector(self, vector: IVec2) -> IVec2 {
        match self {
            Self::MirrorX => IVec2::new(-vector.x, vector.y),
            Self::MirrorY => IVec2::new(vector.x, -vector.y),
            Self::Turn => IVec2::new(vector.y, vector.x),
        }
    }

    pub(crate) fn long_vector(self, vector: I64Vec2) -> I64Vec2 {
        match self {
            Self::MirrorX => I64Vec2::new(-vector.x, vector.y),
            Self::MirrorY => I64Vec2::new(vector.x, -vector.y),
            Self::Turn => I64Vec2::new(vector.y, vector.x),
        }
    }

    /// Transforms a box in a level of `size` pixels.
    pub(crate) fn body(self, body: Aabb, size: IVec2) -> Aabb {
        let corner = match self {
            Self::MirrorX => IVec2::new(size.x, 0),
            Self::MirrorY => IVec2::new(0, size.y),
            Self::Turn => IVec2::ZERO,
        };
        let (a, b) = (self.vector(body.min), self.vector(body.max));
        Aabb { min: corner + a.min(b), max: corner + a.max(b) }
    }

    pub(crate) fn settings(self, settings: MoverSettings) -> MoverSettings {
        MoverSettings {
            path: match (self, settings.path) {
                (Self::Turn, MovePath::XThenY) => MovePath::YThenX,
                (Self::Turn, MovePath::YThenX) => MovePath::XThenY,
                (_, path) => path,
            },
            floor: settings.floor.map(|floor| self.dir(floor)),
            corner_correction: self.sides(settings.corner_correction),
            one_way: self.sides(settings.one_way),
            ..settings
        }
    }

    /// Transforms the two outermost pixels of the floor through which a body drops, in a level of `size`
    /// pixels.
    pub(crate) fn ends(self, ends: [IVec2; 2], floor: Option<Dir>, size: IVec2) -> [IVec2; 2] {
        let pixel = |at: IVec2| self.body(Aabb::from_xywh(at.x, at.y, 1, 1), size).min;
        let [low, high] = ends.map(pixel);
        let is_vertical = floor.is_some_and(|floor| floor.axis() == bitwall::Axis::Y);
        match (self, is_vertical) {
            (Self::MirrorX, true) | (Self::MirrorY, false) => [high, low],
            _ => [low, high],
        }
    }

    pub(crate) fn mover(self, mover: Mover, size: IVec2) -> Mover {
        Mover {
            body: self.body(mover.body, size),
            subpixel: self.vector(mover.subpixel),
            settings: self.settings(mover.settings),
            dropping: mover.dropping.map(|ends| self.ends(ends, mover.settings.floor, size)),
            ..mover
        }
    }

    /// Transforms the outcome of a step in a level of `size` pixels.
    pub(crate) fn seen(self, seen: Seen, size: IVec2) -> Seen {
        let [x, y] = seen.bounces;
        Seen {
            body: self.body(seen.body, size),
            subpixel: self.vector(seen.subpixel),
            asked: self.vector(seen.asked),
            moved: self.vector(seen.moved),
            leftover: self.vector(seen.leftover),
            stopped: self.sides(seen.stopped),
            bounces: if self == Self::Turn { [y, x] } else { [x, y] },
            slant: seen.slant.map(|normal| self.vector(normal)),
            ..seen
        }
    }

    pub(crate) fn plan(self, plan: &Plan) -> Plan {
        let size = match self {
            Self::Turn => IVec2::new(plan.size.y, plan.size.x),
            _ => plan.size,
        };
        let cell = self.vector(plan.cell).abs();
        let mut new = Plan::blank(size, cell);
        new.outside = self.sides(plan.outside);
        for at in 0..plan.solid.len() {
            let place = plan.place(at);
            let one = Aabb::from_xywh(place.x, place.y, 1, 1);
            let to = self.body(one, plan.size).min;
            let to = (to.y * size.x + to.x) as usize;
            new.solid[to] = plan.solid[at];
            for (from, side) in Dir::ALL.into_iter().enumerate() {
                let side = Dir::ALL.iter().position(|dir| *dir == self.dir(side));
                new.guards[side.unwrap()][to] = plan.guards[from][at];
            }
        }
        new
    }
}
