//! A world in which every feature happens, and a game that plays in it and counts how often each happens.

use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::terrain::Hit;
use bitwall::world::{Body, BodyId, Event, World};
use bitwall::{
    Aabb, Dir, Grid, Level, Mover, MoverSettings, Rate, Terrain,
    geometry::Corners,
    mover::{MovePath, Response, Slope, WalkSpeed},
};

use crate::support::{Subpixels, ground};

const PIXEL: i64 = Mover::SUBPIXELS as i64;

/// The collision category of the solid area `glass`.
const GLASS: u64 = 1 << 1;

/// The number of times that each feature happened.
#[derive(Debug, Default)]
pub(crate) struct Met {
    pushed: u32,
    carried: u32,
    on_belt: u32,
    began: u32,
    stayed: u32,
    ended: u32,
    touched: u32,
    crushed: u32,
    bounced_off_glass: u32,
    /// Bodies that a step left unchanged, so that they fall asleep.
    at_rest: u32,
    /// Bodies that moved after a step that had left them unchanged.
    woken: u32,
    climbed: u32,
    slid_down: u32,
    slowed_by_slope: u32,
    slanted_bounces: u32,
    dropped: u32,
    unstuck: u32,
    rays: u32,
    sweeps: u32,
    nearest: u32,
}

impl Met {
    pub(crate) fn counts(&self) -> [(&'static str, u32); 20] {
        [
            ("pushed", self.pushed),
            ("carried", self.carried),
            ("on a belt", self.on_belt),
            ("began", self.began),
            ("stayed", self.stayed),
            ("ended", self.ended),
            ("touched", self.touched),
            ("crushed", self.crushed),
            ("bounced off glass", self.bounced_off_glass),
            ("at rest", self.at_rest),
            ("woken", self.woken),
            ("climbed", self.climbed),
            ("slid down", self.slid_down),
            ("slowed by a slope", self.slowed_by_slope),
            ("bounced off a slope", self.slanted_bounces),
            ("dropped", self.dropped),
            ("unstuck", self.unstuck),
            ("rays", self.rays),
            ("sweeps", self.sweeps),
            ("nearest", self.nearest),
        ]
    }
}

/// The bodies that the game steers or watches.
#[derive(Clone, Copy)]
pub(crate) struct Cast {
    hero: BodyId,
    crates: [BodyId; 3],
    turtle: BodyId,
    riders: [BodyId; 2],
    passenger: BodyId,
    bullets: [BodyId; 2],
    pile: [BodyId; 4],
    pusher: BodyId,
    droppers: [BodyId; 2],
    walkers: [BodyId; 3],
    slider: BodyId,
    bouncers: [BodyId; 2],
    press: BodyId,
    victim: BodyId,
    bell: BodyId,
}

pub(crate) struct Stage {
    level: Level,
    pub(crate) world: World,
    pub(crate) cast: Cast,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let mut world = World::new(Rate::per_second(1));
        let cast = cast(&mut world);
        Self { level: level(), world, cast }
    }

    /// Plays `steps` steps, and counts how often each feature happened.
    pub(crate) fn play(&mut self, steps: i64) -> Met {
        let mut met = Met::default();
        let mut was_at_rest = [false; 4];
        for at in 0..steps {
            self.steer(at, &mut met);
            let before = self.cast.pile.map(|id| self.world.get(id).copied());
            self.world.step(&self.level);
            let now = self.cast.pile.map(|id| self.world.get(id).copied());
            for (was_at_rest, is_at_rest) in
                was_at_rest.iter_mut().zip([0, 1, 2, 3].map(|one| before[one] == now[one]))
            {
                met.at_rest += u32::from(is_at_rest);
                met.woken += u32::from(*was_at_rest && !is_at_rest);
                *was_at_rest = is_at_rest;
            }
            self.look(&mut met);
            self.ask(&mut met);
        }
        met
    }

    /// Sets velocities and moves bodies before step `at`, like the keys of a player and a game would.
    fn steer(&mut self, at: i64, met: &mut Met) {
        let Self { level, world, cast } = self;
        let mut walk = |id: BodyId, x: i64| {
            let body = world.get_mut(id).unwrap();
            body.set_velocity_subpixels(I64Vec2::new(x, body.velocity_subpixels().y));
        };
        walk(cast.hero, if at % 60 < 40 { PIXEL } else { -PIXEL });
        walk(cast.turtle, if at % 80 < 40 { PIXEL } else { -PIXEL });
        walk(cast.pusher, [0, -PIXEL, PIXEL, 0][at as usize / 25 % 4]);
        for walker in cast.walkers {
            walk(walker, if at % 240 < 120 { 2 * PIXEL } else { -2 * PIXEL });
        }
        let press = if at % 60 < 30 { PIXEL / 2 } else { -PIXEL / 2 };
        let body = world.get_mut(cast.press).unwrap();
        body.set_velocity_subpixels(I64Vec2::new(body.velocity_subpixels().x, press));
        for dropper in cast.droppers {
            met.dropped += u32::from(world.drop_through(level, dropper));
        }
        if at % 20 == 19 {
            // Removes one body, adds a new body in its slot, and moves some others back to their starts.
            let bell = world.remove(cast.bell).unwrap();
            cast.bell = world.add(bell.with_aabb(shifted(bell.aabb, 300, 10)));
            let starts = [(cast.droppers[0], 250, 40), (cast.droppers[1], 270, 70)];
            for (id, x, y) in
                starts.into_iter().chain([(cast.slider, 606, 80), (cast.pile[3], 140, 60)])
            {
                let body = world.get_mut(id).unwrap();
                body.aabb = shifted(body.aabb, x, y);
                body.set_velocity(Vec2::ZERO);
            }
        }
        if at % 20 == 9 {
            // Moves the body into the ground.
            let body = world.get_mut(cast.victim).unwrap();
            body.aabb = shifted(body.aabb, 345, 170);
            met.unstuck += u32::from(world.unstick(level, cast.victim, 30).is_some());
        }
    }

    /// Counts the events of a step, and its effects on the bodies.
    fn look(&self, met: &mut Met) {
        let Self { world, cast, .. } = self;
        for event in world.events() {
            match event {
                Event::Crushed { .. } => met.crushed += 1,
                Event::Begin(meeting) => {
                    met.began += 1;
                    met.touched += u32::from(meeting.side.is_some());
                }
                Event::Stay(_) => met.stayed += 1,
                Event::End(_) => met.ended += 1,
                _ => {}
            }
        }
        let last = |id: BodyId| *world.get(id).unwrap().last().unwrap();
        let carried =
            |ids: &[BodyId]| ids.iter().filter(|id| last(**id).carried.x != 0).count() as u32;
        met.pushed += carried(&cast.crates);
        met.carried += carried(&cast.riders);
        met.on_belt += carried(&[cast.passenger]);
        let [solid, free] = cast.bullets.map(|id| world.get(id).unwrap().velocity_subpixels().x);
        met.bounced_off_glass += u32::from(solid < 0 && free > 0);
        for walker in cast.walkers {
            let step = last(walker);
            let is_climbing = step.grounded && step.moved.x != 0 && step.moved.y != 0;
            met.climbed += u32::from(is_climbing);
            met.slowed_by_slope += u32::from(step.was_grounded && step.asked.x.abs() == 1);
        }
        let step = last(cast.slider);
        met.slid_down += u32::from(step.moved.x < 0 && step.moved.y > 0 && !step.grounded);
        let slanted = cast.bouncers.map(|id| u32::from(last(id).slanted_bounce().is_some()));
        met.slanted_bounces += slanted[0] + slanted[1];
    }

    /// Calls the queries that allocate nothing. `overlapping` and `pairs` are left out, because they return
    /// lists.
    fn ask(&self, met: &mut Met) {
        let Self { level, world, cast } = self;
        for (id, _) in world.iter() {
            world.standing_on(id);
            world.touching(level, id);
            world.floor_velocity(id);
        }
        let aabb = |id: BodyId| world.get(id).unwrap().aabb;
        let (hero, near) = (aabb(cast.hero), aabb(cast.crates[0]));
        let ray = world.ray(level, hero.min, near.max - 1, Corners::Block, u64::MAX);
        met.rays += u32::from(ray.is_some_and(|(hit, _)| matches!(hit, Hit::Body(_))));
        let ahead = hero.shifted(Dir::Right, 30);
        let sweep = world.sweep(level, ahead, Dir::Right, 60, u64::MAX);
        met.sweeps += u32::from(sweep.contact.is_some());
        met.nearest += u32::from(world.nearest(hero.max, 50, u64::MAX).is_some());
    }
}

fn shifted(aabb: Aabb, x: i32, y: i32) -> Aabb {
    aabb.translated(IVec2::new(x, y) - aabb.min)
}

/// Builds the level. The ground is at y 180, with hills of 1:1, 1:2 and 3:1 from x 400 on. On the left there
/// is a ledge above the ground, and right of it a one-way edge. The solid area `glass` is at x 120 at the
/// top.
fn level() -> Level {
    let mut solid = ground(UVec2::new(640, 200), |x| match x {
        400..440 => x - 380,
        440..470 => 60,
        470..550 => 20 + (550 - x) / 2,
        600..620 => 20 + (x - 600) * 3,
        620.. => 80,
        _ => 20,
    });
    solid.fill(0..230, 100..104, true).unwrap();
    let mut edge = Grid::new(640, 200).unwrap();
    edge.fill(240..330, 60..61, true).unwrap();
    let mut glass = Grid::new(64, 20).unwrap();
    glass.fill(12..13, 0..6, true).unwrap();
    let glass = Terrain::new(glass, UVec2::splat(10)).unwrap();
    let level = Level::from_grid(solid, UVec2::ONE).unwrap();
    level.with_one_way(Dir::Up, edge).unwrap().with_solid_area("glass", glass, GLASS)
}

fn cast(world: &mut World) -> Cast {
    let mut add = |body: Body| world.add(body);
    let cube = |x, y| Body::pushable(Aabb::from_xywh(x, y, 16, 16), 0, 0.25).pushing(0, 0, false);
    let moving = |body: Body, x: f32, y: f32| body.with_velocity(Vec2::new(x, y));
    let falling = |x, y, settings| {
        Body::character(Aabb::from_xywh(x, y, 10, 16), settings)
            .with_acceleration_subpixels(I64Vec2::new(0, PIXEL / 4))
    };
    let ghost = |x, y, settings| falling(x, y, settings).with_collides_with(0);
    let platformer = MoverSettings::platformer();
    let limited = |max_slope, walk_speed| MoverSettings { max_slope, walk_speed, ..platformer };
    let bouncing = |path| MoverSettings {
        path,
        response: Response::Bounce { restitution: 80 },
        ..MoverSettings::PLAIN
    };
    let hero = falling(20, 164, platformer).with_watches(u64::MAX);
    let bullet = moving(Body::ball(IVec2::new(60, 20), 8, 1), 1.0, 0.0);
    let belt = Body::platform(Aabb::from_xywh(150, 140, 100, 8));
    let belt = moving(belt.with_belt(Vec2::new(0.75, 0.0)), 0.0, -0.0625);
    let one_way = Body::one_way_platform(Aabb::from_xywh(240, 90, 60, 6));
    let cast = Cast {
        hero: add(hero.pushing(0, 20, false)),
        crates: [(60, 164), (76, 164), (76, 148)].map(|(x, y)| add(cube(x, y).pushing(4, 0, true))),
        turtle: add(cube(20, 84).pushing(0, 0, true)),
        riders: [(25, 68), (30, 52)].map(|(x, y)| add(cube(x, y))),
        passenger: add(cube(155, 124)),
        bullets: [1 | GLASS, 1]
            .map(|collides_with| add(bullet.with_category(0).with_collides_with(collides_with))),
        pile: [(120, 84), (136, 84), (152, 84), (140, 68)].map(|(x, y)| add(cube(x, y))),
        pusher: add(Body::platform(Aabb::from_xywh(180, 88, 10, 12))),
        droppers: [(250, 40), (270, 70)].map(|(x, y)| add(falling(x, y, platformer))),
        walkers: [
            limited(Slope::DIAGONAL, WalkSpeed::AlongSlope),
            limited(Slope { rise: 1, run: 2 }, WalkSpeed::AlongAxis),
            limited(Slope::VERTICAL, WalkSpeed::AlongSlope),
        ]
        .map(|settings| add(ghost(380, 160, settings))),
        slider: add(ghost(606, 80, limited(Slope::DIAGONAL, WalkSpeed::AlongAxis))),
        bouncers: [MovePath::XThenY, MovePath::Straight(Corners::Block)]
            .map(|path| add(ghost(500, 20, bouncing(path)))),
        press: add(Body::platform(Aabb::from_xywh(340, 152, 30, 8))),
        victim: add(cube(345, 164)),
        bell: add(moving(Body::sensor(Aabb::from_xywh(300, 10, 20, 20)), 1.0, 0.0)),
    };
    add(belt);
    add(moving(one_way, 0.0, 0.125));
    add(moving(Body::sensor(Aabb::from_xywh(330, 10, 20, 20)), -0.125, 0.0));
    for x in [330, 336] {
        // Sensors that watch each other and collide with nothing.
        let body = Body::character(Aabb::from_xywh(x, 15, 8, 8), MoverSettings::PLAIN);
        add(body.with_collides_with(0).with_watches(u64::MAX));
    }
    cast
}
