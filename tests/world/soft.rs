//! Soft characters: a crowd gets through doors, forms a ring around its goal, and overlaps no solid.

use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::navigate::Field;
use bitwall::world::{Body, BodyId, Event, World};
use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};

use crate::support::{Subpixels, asset, blank, cells, is_long, rounds, scattered, tiles};
use crate::world::turns::{SIDE, Turn};

const SIZE: i32 = 12;

fn box_at(at: IVec2) -> Aabb {
    Aabb { min: at, max: at + SIZE }
}

fn place(world: &World, id: BodyId) -> IVec2 {
    world.get(id).unwrap().aabb.min
}

/// Returns `count` free places of the field in `area`, at which the bodies do not overlap.
fn scatter(seed: u64, count: usize, area: Aabb, field: &Field) -> Vec<IVec2> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut places: Vec<IVec2> = Vec::new();
    while places.len() < count {
        let x = random.i32(area.min.x..area.max.x);
        let at = IVec2::new(x, random.i32(area.min.y..area.max.y));
        let is_clear = places.iter().all(|other| !box_at(*other).overlaps(box_at(at)));
        if field.distance(at).is_some() && is_clear {
            places.push(at);
        }
    }
    places
}

/// A crowd on the way to a goal.
struct Walk<'l> {
    level: &'l Level,
    field: Field,
    goal: IVec2,
    /// In pixels a step.
    speed: f32,
    world: World,
    ids: Vec<BodyId>,
}

impl<'l> Walk<'l> {
    fn new(level: &'l Level, goal: IVec2, speed: f32) -> Self {
        let field = level.ways(UVec2::splat(SIZE as u32)).unwrap().field(&[goal]);
        Self { level, field, goal, speed, world: World::new(Rate::per_second(1)), ids: Vec::new() }
    }

    fn add(&mut self, places: &[IVec2]) {
        for at in places {
            let body = Body::soft(box_at(*at), MoverSettings::top_down());
            self.ids.push(self.world.add(body));
        }
    }

    /// Makes a step. The crowd stands still within `near` pixels of the goal.
    fn step(&mut self, near: i32) {
        for id in &self.ids {
            let body = self.world.get_mut(*id).unwrap();
            let at = body.aabb.min;
            let is_there = (at - self.goal).abs().max_element() <= near;
            let way = self.field.step(at).filter(|_| !is_there).unwrap_or_default();
            body.set_velocity(way.as_vec2().normalize_or_zero() * self.speed);
        }
        self.world.step(self.level);
        for id in &self.ids {
            assert!(!self.level.overlaps(self.world.get(*id).unwrap().aabb));
        }
    }

    /// The places of the crowd, sorted.
    fn places(&self) -> Vec<IVec2> {
        let mut places: Vec<IVec2> = self.ids.iter().map(|id| place(&self.world, *id)).collect();
        places.sort_by_key(|at| at.to_array());
        places
    }
}

/// Fails if a body of a crowd stays in a house. `door` is the first row of its door.
fn leave(level: &Level, goal: IVec2, room: Aabb, counts: &[usize], door: i32) {
    let seeds = if is_long() { 50 } else { 1 };
    for speed in [1.0, 0.4, 3.0_f32] {
        for (count, near) in counts.iter().flat_map(|count| [(*count, 0), (*count, 1)]) {
            for seed in 0..seeds {
                let mut walk = Walk::new(level, goal, speed);
                let places = scatter(seed, count, room, &walk.field);
                walk.add(&places);
                let steps = 1_500.0 / speed.min(1.0);
                (0..steps as u32).for_each(|_| walk.step(near));
                let inside = walk.places().iter().filter(|at| at.y < door).count();
                assert_eq!(inside, 0, "{count} bodies, speed {speed}, near {near}, seed {seed}");
            }
        }
    }
}

fn house() -> Level {
    let room = "############\n#..........#\n#..........#\n#..........#\n#..........#\n";
    let yard = "#####.######\n............\n............\n............";
    tiles(&format!("{room}{yard}"), 16)
}

const ROOM: Aabb = Aabb { min: IVec2::new(16, 16), max: IVec2::new(164, 68) };

#[test]
fn a_crowd_leaves_a_house_through_a_door_hardly_wider_than_a_body() {
    leave(&house(), IVec2::new(90, 130), ROOM, &[2, 3, 4, 6, 10, 15, 20], 80);
}

#[test]
fn a_crowd_leaves_a_house_though_its_goal_is_beside_the_thin_wall() {
    let mut grid = Grid::new(48, 36).unwrap();
    for (columns, rows) in [(0..48, 0..1), (0..20, 20..21), (24..48, 20..21)] {
        grid.fill(columns, rows, true).unwrap();
    }
    grid.fill(0..1, 0..21, true).unwrap();
    grid.fill(47..48, 0..21, true).unwrap();
    let level = Level::from_grid(grid, UVec2::splat(4)).unwrap();
    for goal in [IVec2::new(140, 86), IVec2::new(100, 84), IVec2::new(84, 125)] {
        leave(&level, goal, Aabb::from_xywh(4, 4, 172, 60), &[2, 6, 20], 69);
    }
}

#[test]
fn a_crowd_walks_the_same_in_any_order_and_from_a_copy_or_a_save() {
    let level = house();
    for seed in 0..if is_long() { 20 } else { 3 } {
        let mut one = Walk::new(&level, IVec2::new(90, 130), 1.0);
        let mut other = Walk::new(&level, IVec2::new(90, 130), 1.0);
        let mut places = scatter(seed, 15, ROOM, &one.field);
        one.add(&places);
        places.reverse();
        other.add(&places);
        for step in 0..700 {
            one.step(0);
            other.step(0);
            assert_eq!(one.places(), other.places(), "seed {seed}, step {step}");
            if step % 97 == 0 {
                let text = serde_json::to_string(&one.world).unwrap();
                let saved: World = serde_json::from_str(&text).unwrap();
                assert_eq!(saved.checksum(), one.world.checksum());
                one.world = if step % 2 == 0 { saved } else { one.world.clone() };
            }
        }
    }
}

/// The distances of a crowd around a hero, and how its bodies overlap.
struct Ring {
    median: f32,
    /// The overlapping pairs, and the sum of their depths in pixels.
    pairs: usize,
    depth: i32,
}

/// Plays `count` chasers of a hero who stands at `hero`.
fn chase(level: &Level, hero: IVec2, count: usize, steps: u32) -> Ring {
    let ways = level.ways(UVec2::splat(SIZE as u32)).unwrap();
    let field = ways.field(&[hero]);
    let mut world = World::new(Rate::per_second(1));
    world.add(Body::character(box_at(hero), MoverSettings::top_down()));
    let size = level.size().as_ivec2();
    let places = scatter(4, count, Aabb { min: IVec2::ZERO, max: size }, &field);
    let mut ids = Vec::new();
    for at in places.iter().filter(|at| !box_at(**at).overlaps(box_at(hero))) {
        ids.push(world.add(Body::soft(box_at(*at), MoverSettings::top_down())));
    }
    for _ in 0..steps {
        for id in &ids {
            let body = world.get_mut(*id).unwrap();
            let at = body.aabb.min;
            let way = if ways.sees(at, hero) { Some(hero - at) } else { field.step(at) };
            body.set_velocity(way.unwrap_or_default().as_vec2().normalize_or_zero());
        }
        world.step(level);
    }
    let places: Vec<IVec2> = ids.iter().map(|id| place(&world, *id)).collect();
    let mut ring = Ring { median: 0.0, pairs: 0, depth: 0 };
    for (number, one) in places.iter().enumerate() {
        assert!(!level.overlaps(box_at(*one)) && !box_at(*one).overlaps(box_at(hero)));
        for other in &places[..number] {
            let depth = SIZE - (*one - *other).abs().max_element();
            ring.pairs += usize::from(depth > 0);
            ring.depth += depth.max(0);
        }
    }
    let mut distances: Vec<f32> = places.iter().map(|at| (*at - hero).as_vec2().length()).collect();
    distances.sort_by(f32::total_cmp);
    ring.median = distances[distances.len() / 2];
    ring
}

/// Fails unless `count` chasers form a ring with the median distance of a disc of their area.
fn surround(level: &Level, hero: IVec2, count: usize, steps: u32) {
    let ring = chase(level, hero, count, steps);
    let area = (count as i32 * SIZE * SIZE) as f32;
    let disc = (area / std::f32::consts::PI / 2.0).sqrt();
    let Ring { median, pairs, depth } = ring;
    assert!((median / disc - 1.0).abs() < 0.2, "median {median}, of a disc {disc}");
    assert!(pairs <= 3 * count, "{pairs} pairs");
    assert!(f64::from(depth) <= 2.5 * pairs as f64, "{pairs} pairs, {depth} px");
}

#[test]
fn chasers_form_a_ring_around_a_hero_in_a_field() {
    let level = cells(Grid::new(60, 60).unwrap(), 16);
    surround(&level, IVec2::splat(480), 500, 1_200);
}

#[test]
fn chasers_form_a_ring_around_a_hero_in_a_village() {
    let level = Level::load(asset("town.tmx")).unwrap();
    let ways = level.ways(UVec2::splat(SIZE as u32)).unwrap();
    let hero = ways.nearest(level.marker("player").unwrap().position()).unwrap();
    surround(&level, hero, 500, 1_200);
}

#[test]
fn soft_characters_overlap_no_solid() {
    let mut random = fastrand::Rng::with_seed(54);
    let mut met = 0;
    for round in 0..rounds(200) {
        let cells = UVec2::new(random.u32(8..40), random.u32(8..30));
        let grid = scattered(&mut random, cells, 25, UVec2::new(5, 3));
        let level =
            Level::from_grid(grid, UVec2::new(random.u32(3..12), random.u32(3..12))).unwrap();
        let size = level.size().as_ivec2();
        let mut world = World::new(Rate::per_second(1));
        let mut solids: Vec<Aabb> = Vec::new();
        let mut soft = Vec::new();
        for number in 0..120 {
            let (w, h) = (random.i32(2..14), random.i32(2..14));
            let at = IVec2::new(random.i32(0..size.x), random.i32(0..size.y));
            let aabb = Aabb::from_xywh(at.x, at.y, w, h);
            let speed = |random: &mut fastrand::Rng| (random.f32() - 0.5) * 5.0;
            let velocity = Vec2::new(speed(&mut random), speed(&mut random));
            if level.overlaps(aabb) || solids.iter().any(|solid| solid.overlaps(aabb)) {
                continue;
            }
            let is_soft = number >= 20;
            let body = match random.u8(..3) {
                _ if is_soft => Body::soft(aabb, MoverSettings::top_down()),
                0 => Body::character(aabb, MoverSettings::top_down()),
                1 => Body::platform(aabb),
                _ => Body::one_way_platform(aabb),
            };
            let id = world.add(body.with_velocity(velocity));
            if is_soft {
                soft.push(id);
            } else {
                solids.push(aabb);
            }
        }
        for step in 0..100 {
            for id in &soft {
                if random.u8(..30) == 0 {
                    let turn = Vec2::new(random.f32() - 0.5, random.f32() - 0.5) * 6.0;
                    world.get_mut(*id).unwrap().set_velocity(turn);
                }
            }
            world.step(&level);
            let crushed: Vec<BodyId> = world.events().iter().filter_map(crushed).collect();
            soft.retain(|id| !crushed.contains(id));
            for id in crushed {
                world.remove(id);
            }
            for id in &soft {
                let body = world.get(*id).unwrap();
                let stands_clear = world.iter().all(|(_, other)| {
                    other.is_soft() || !other.overlaps(body) || is_one_way(other)
                });
                assert!(!level.overlaps(body.aabb) && stands_clear, "{round} {step} {body:?}");
                met += world.overlapping(body.aabb, 1).len() - 1;
            }
        }
    }
    assert!(met > rounds(200) * 500, "soft characters overlap each other: {met}");
}

/// The place of a body in 65,536ths of a pixel.
fn exact(body: &Body) -> I64Vec2 {
    body.aabb.min.as_i64vec2() * 65_536 + body.subpixel.as_i64vec2()
}

/// The push of one body by others, without a look at walls.
fn naive_push(number: usize, bodies: &[Body], own: I64Vec2) -> I64Vec2 {
    let norm = |motion: I64Vec2| motion.x.abs() + motion.y.abs();
    let twice_center = |body: &Body| exact(body) * 2 + body.aabb.size().as_i64vec2() * 65_536;
    let mut sum = I64Vec2::ZERO;
    for (at, other) in bodies.iter().enumerate() {
        let apart = twice_center(&bodies[number]) - twice_center(other);
        let sizes = (bodies[number].aabb.size() + other.aabb.size()).as_i64vec2() * 65_536;
        let overlap = (sizes - apart.abs()).min_element();
        if at != number && overlap > 0 {
            sum += apart * (overlap / 8) / apart.abs().max_element();
        }
    }
    let most = if own == I64Vec2::ZERO { 32_768 } else { (norm(own) / 2).min(32_768) };
    if norm(sum) > most { sum * most / norm(sum) } else { sum }
}

#[test]
fn a_push_is_a_quarter_of_the_overlap_and_at_most_half_the_own_motion() {
    let level = blank(200, 200);
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..rounds(2_000) {
        let mut world = World::new(Rate::per_second(1));
        let stand = random.bool();
        for _ in 0..12 {
            let (x, y) = (random.i32(60..120), random.i32(60..120));
            let aabb = Aabb::from_xywh(x, y, random.i32(1..20), random.i32(1..20));
            let subpixel = IVec2::new(random.i32(-65_535..65_536), random.i32(-65_535..65_536));
            let speed = |random: &mut fastrand::Rng| random.i64(-200_000..200_000);
            let velocity = I64Vec2::new(speed(&mut random), speed(&mut random));
            let body = Body::soft(aabb, MoverSettings::PLAIN).with_subpixel(subpixel);
            let velocity = if stand { I64Vec2::ZERO } else { velocity };
            world.add(body.with_velocity_subpixels(velocity));
        }
        let before: Vec<Body> = world.iter().map(|(_, body)| *body).collect();
        world.step(&level);
        for (number, (_, body)) in world.iter().enumerate() {
            let own = before[number].velocity_subpixels();
            let push = naive_push(number, &before, own);
            assert_eq!(exact(body), exact(&before[number]) + own + push);
            assert_eq!(body.velocity_subpixels(), own);
        }
    }
}

fn crushed(event: &Event) -> Option<BodyId> {
    let Event::Crushed { body, .. } = event else { return None };
    Some(*body)
}

fn is_one_way(body: &Body) -> bool {
    matches!(body.kind, bitwall::world::BodyKind::Platform(platform) if platform.one_way)
}

#[test]
fn a_turned_or_mirrored_crowd_moves_in_the_same_way() {
    let mut random = fastrand::Rng::with_seed(8);
    for round in 0..rounds(300) {
        let solids: Vec<Aabb> = (0..12)
            .map(|_| {
                let (x, y) = (random.i32(0..SIDE - 40), random.i32(0..SIDE - 40));
                Aabb::from_xywh(x, y, random.i32(4..40), random.i32(4..40))
            })
            .collect();
        let level = Turn(0).level(&solids);
        let mut bodies: Vec<(Aabb, Vec2, bool)> = Vec::new();
        while bodies.len() < 30 {
            let (w, h) = (random.i32(6..16), random.i32(6..16));
            let aabb = Aabb::from_xywh(random.i32(60..150), random.i32(60..150), w, h);
            let aim = Vec2::new(random.f32() - 0.5, random.f32() - 0.5);
            let toward = (Vec2::splat(120.0) - aabb.min.as_vec2()) / 60.0 + aim;
            let velocity = if random.u8(..4) == 0 { Vec2::ZERO } else { toward };
            // Of two bodies with the same centre, the order decides which goes right.
            let middle = |aabb: Aabb| aabb.min + aabb.max;
            let is_alone = bodies.iter().all(|(other, ..)| middle(*other) != middle(aabb));
            if is_alone && !level.overlaps(aabb) {
                bodies.push((aabb, velocity, random.u8(..9) == 0));
            }
        }
        let mut expected = None;
        for turn in Turn::all() {
            let level = turn.level(&solids);
            let mut world = World::new(Rate::per_second(1));
            let mut ids = Vec::new();
            let settings = turn.settings(MoverSettings::PLAIN);
            for (aabb, _, is_hard) in &bodies {
                let new = if *is_hard { Body::character } else { Body::soft };
                ids.push(world.add(new(turn.aabb(*aabb), settings)));
            }
            for _ in 0..80 {
                for (id, (_, velocity, is_hard)) in ids.iter().zip(&bodies) {
                    let wish = if *is_hard { Vec2::ZERO } else { turn.vector(*velocity) };
                    world.get_mut(*id).unwrap().set_velocity(wish);
                }
                world.step(&level);
            }
            let places: Vec<Aabb> = ids.iter().map(|id| world.get(*id).unwrap().aabb).collect();
            let first: &Vec<Aabb> = expected.get_or_insert_with(|| places.clone());
            let turned: Vec<Aabb> = first.iter().map(|aabb| turn.aabb(*aabb)).collect();
            assert_eq!(places, turned, "round {round}, {turn:?}");
        }
    }
}
