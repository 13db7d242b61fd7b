//! Scenes with many bodies, for the bench of worlds and the comparison with other engines: walkers on tiles,
//! blocks that fall and come to rest, and moving sensors that watch characters.

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::world::{Body, BodyId, BodyKind, Event, World};
use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, Rate};

/// The side of a tile, in pixels.
pub(crate) const TILE: u32 = 16;
/// The speed of a walker, in pixels a step.
pub(crate) const SPEED: f32 = 1.7;
/// The gravity, in pixels per step squared.
pub(crate) const GRAVITY: f32 = 0.25;

/// A scene of boxes of one size at these corners. They walk or only fall, and collide with each other or not.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) grid: Grid,
    pub(crate) corners: Vec<IVec2>,
    pub(crate) size: IVec2,
    pub(crate) walks: bool,
    pub(crate) meets: bool,
}

impl Scene {
    /// Creates walkers of 12 x 20 pixels at free positions on a map of tiles with a solid border. If they
    /// collide with each other, no two overlap. From 10,000 walkers on, the map grows with their number, so
    /// that there is room.
    pub(crate) fn walkers(count: usize, meets: bool) -> Self {
        let side = 256 * (1 + count.saturating_sub(1) / 10_000).isqrt() as u32;
        let grid = bars(side);
        let level = level(&grid);
        let mut random = fastrand::Rng::with_seed(4_711);
        let (size, pixels) = (IVec2::new(12, 20), (side * TILE) as i32);
        let mut taken = std::collections::HashSet::new();
        let mut corners = Vec::with_capacity(count);
        while corners.len() < count {
            let at = IVec2::new(random.i32(0..pixels - 12), random.i32(0..pixels - 20));
            let aabb = Aabb { min: at, max: at + size };
            let (first, last): (IVec2, IVec2) = (at >> 2, (aabb.max - 1) >> 2);
            let places = (first.y..=last.y).flat_map(|y| (first.x..=last.x).map(move |x| (x, y)));
            let places: Vec<(i32, i32)> = places.collect();
            if level.overlaps(aabb) || meets && places.iter().any(|place| taken.contains(place)) {
                continue;
            }
            taken.extend(places);
            corners.push(at);
        }
        Self { grid, corners, size, walks: true, meets }
    }

    /// Creates a thousand blocks of 16 pixels that fall into a pit of tiles and stack.
    pub(crate) fn blocks() -> Self {
        let mut grid = Grid::new(42, 80).expect("a size in range");
        for (columns, rows) in [(0..1, 0..80), (41..42, 0..80), (0..42, 79..80)] {
            grid.fill(columns, rows, true).expect("cells of the grid");
        }
        let mut random = fastrand::Rng::with_seed(1);
        let mut corner = |at: i32| IVec2::new(16 + at % 32 * 20 + random.i32(0..5), at / 32 * 24);
        let corners = (0..1_000).map(&mut corner).collect();
        Self { grid, corners, size: IVec2::splat(16), walks: false, meets: true }
    }

    pub(crate) fn level(&self) -> Level {
        level(&self.grid)
    }

    /// Returns the direction in which a body walks: 1 or -1 for a walker, and 0 for a block.
    pub(crate) fn direction(&self, at: usize) -> f32 {
        match self.walks {
            true => 1.0 - (at % 2) as f32 * 2.0,
            false => 0.0,
        }
    }

    pub(crate) fn aabb(&self, at: usize) -> Aabb {
        Aabb { min: self.corners[at], max: self.corners[at] + self.size }
    }
}

/// A scene of sensors that move straight and evenly and watch characters at rest, on an empty map.
pub(crate) struct Watching {
    pub(crate) characters: Vec<Aabb>,
    /// The boxes of the sensors, and their velocities in pixels a step.
    pub(crate) sensors: Vec<(Aabb, Vec2)>,
}

impl Watching {
    /// Creates `count` sensors of 4 x 4 pixels that move by 4 pixels a step, and 200 characters of 16 x 16
    /// pixels.
    pub(crate) fn new(count: usize) -> Self {
        let mut random = fastrand::Rng::with_seed(7);
        let mut spot = |side: i32| {
            let (x, y) = (random.i32(0..1_280 - side), random.i32(0..960 - side));
            Aabb::from_xywh(x, y, side, side)
        };
        let characters = (0..200).map(|_| spot(16)).collect();
        let sensor = |at: usize| (spot(4), Vec2::from_angle(at as f32) * 4.0);
        Self { characters, sensors: (0..count).map(sensor).collect() }
    }
}

/// Creates a map of `side` x `side` tiles with short solid bars and a solid border.
fn bars(side: u32) -> Grid {
    let mut random = fastrand::Rng::with_seed(2);
    let mut grid = Grid::new(side, side).expect("a size in range");
    for _ in 0..side * side / 40 {
        let (x, y, length) = (random.u32(0..side), random.u32(0..side), random.u32(2..11));
        let (w, h) = if random.u8(0..3) > 0 { (length, 1) } else { (1, length) };
        let (right, bottom) = ((x + w).min(side), (y + h).min(side));
        grid.fill(x..right, y..bottom, true).expect("cells of the grid");
    }
    let last = side - 1;
    for (columns, rows) in
        [(0..side, 0..1), (0..side, last..side), (0..1, 0..side), (last..side, 0..side)]
    {
        grid.fill(columns, rows, true).expect("cells of the grid");
    }
    grid
}

fn level(grid: &Grid) -> Level {
    Level::from_grid(grid.clone(), UVec2::splat(TILE)).expect("a cell size in range")
}

/// A physics engine with the bodies of a scene.
pub(crate) trait Engine {
    /// Makes one step, and then applies the rule of the game: a walker that was stopped turns round.
    fn step(&mut self);

    /// Returns the top-left corners of all bodies, in pixels.
    fn corners(&mut self) -> Vec<[f32; 2]>;

    /// Returns how many meetings of a sensor with a character have begun since the start, and how many have
    /// ended.
    fn meetings(&self) -> [usize; 2] {
        [0; 2]
    }
}

/// The engine of a bitwall [`World`].
pub(crate) struct Worlds {
    pub(crate) level: Level,
    pub(crate) world: World,
    walkers: Vec<(BodyId, f32)>,
    meetings: [usize; 2],
}

impl Worlds {
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut world = World::new(Rate::per_second(1));
        let walkers = (0..scene.corners.len()).map(|at| {
            let (aabb, direction) = (scene.aabb(at), scene.direction(at));
            let mut body = match scene.walks {
                true => Body::character(aabb, MoverSettings::platformer()),
                false => Body::pushable(aabb, 0, 0.0).pushing(0, 0, false),
            };
            body.set_acceleration([0.0, GRAVITY]);
            body.set_velocity([SPEED * direction, 0.0]);
            if !scene.meets {
                body.collides_with = 0;
            }
            (world.add(body), direction)
        });
        let walkers = walkers.filter(|(_, direction)| *direction != 0.0).collect();
        Self { level: scene.level(), world, walkers, meetings: [0; 2] }
    }

    pub(crate) fn watching(scene: &Watching) -> Self {
        let mut world = World::new(Rate::per_second(1));
        for aabb in &scene.characters {
            let body = Body::character(*aabb, MoverSettings::top_down());
            world.add(body.with_category(2));
        }
        for (aabb, velocity) in &scene.sensors {
            let sensor = Body::sensor(*aabb).with_category(4).with_watches(2);
            world.add(sensor.with_velocity(*velocity));
        }
        let level = level(&Grid::new(80, 60).expect("a size in range"));
        Self { level, world, walkers: Vec::new(), meetings: [0; 2] }
    }
}

impl Engine for Worlds {
    fn step(&mut self) {
        self.world.step(&self.level);
        for event in self.world.events() {
            self.meetings[0] += usize::from(matches!(event, Event::Begin(_)));
            self.meetings[1] += usize::from(matches!(event, Event::End(_)));
        }
        for (id, direction) in &mut self.walkers {
            let Some(body) = self.world.get_mut(*id) else { continue };
            let BodyKind::Character(character) = &body.kind else { continue };
            let side = if *direction > 0.0 { Dir::Right } else { Dir::Left };
            if character.last.is_some_and(|last| last.contacts.get(side).is_some()) {
                *direction = -*direction;
            }
            body.set_velocity([SPEED * *direction, body.velocity().y]);
        }
    }

    fn corners(&mut self) -> Vec<[f32; 2]> {
        self.world.iter().map(|(_, body)| body.aabb.min.as_vec2().to_array()).collect()
    }

    fn meetings(&self) -> [usize; 2] {
        self.meetings
    }
}

/// The engine of a plain list of movers, which do not collide with each other.
pub(crate) struct Movers {
    level: Level,
    movers: Vec<(Mover, Vec2)>,
}

impl Movers {
    pub(crate) fn new(scene: &Scene) -> Self {
        let mover = |at: usize| {
            let velocity = Vec2::new(SPEED * scene.direction(at), 0.0);
            (Mover::new(scene.aabb(at), MoverSettings::platformer()), velocity)
        };
        let movers = (0..scene.corners.len()).map(mover).collect();
        Self { level: scene.level(), movers }
    }
}

impl Engine for Movers {
    fn step(&mut self) {
        for (mover, velocity) in &mut self.movers {
            velocity.y += GRAVITY;
            let done = mover.step(&self.level, *velocity).expect("a finite velocity");
            let side = if velocity.x > 0.0 { Dir::Right } else { Dir::Left };
            velocity.y = done.velocity(*velocity).y;
            if done.contacts.get(side).is_some() {
                velocity.x = -velocity.x;
            }
        }
    }

    fn corners(&mut self) -> Vec<[f32; 2]> {
        self.movers.iter().map(|(mover, _)| mover.body.min.as_vec2().to_array()).collect()
    }
}
