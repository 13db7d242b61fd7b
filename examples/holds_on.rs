//! Six scenes of heroes and crates that hold on: a hero hangs on a lift, a crate is pushed over hills, two
//! belts press crates together, a hero dashes over a pit, walks on the ceiling, and slides around corners.
//!
//! `cargo run --release --example holds_on [FILE.gif]` (without a file name: in the folder for temporary
//! files)
//!
//! The keys are scripts. If a scene does not end as it should, the example returns an error, so CI fails.

mod stage {
    pub(crate) mod flip_book;
}

use std::env;
use std::error::Error;
use std::path::PathBuf;

use bitwall::character::{Feel, Input, Platformer, Stance};
use bitwall::glam::{DVec2, IVec2, UVec2, Vec2};
use bitwall::world::{Body, BodyId, BodyKind, Path, Player, World};
use bitwall::{Aabb, Dir, Grid, Level, MoverSettings, Rate, Sides};

use stage::flip_book::{FlipBook, Page};

type Ends = Result<(), Box<dyn Error>>;

const RATE: Rate = Rate::per_second(60);
const VIEW: UVec2 = UVec2::new(320, 144);

/// The solids of the rooms: x, y, width and height of each.
const HALL: [[i32; 4]; 1] = [[0, 128, 320, 16]];
const CORRIDOR: [[i32; 4]; 3] = [[0, 0, 320, 64], [0, 96, 96, 48], [192, 96, 128, 48]];
const CEILING: [[i32; 4]; 4] =
    [[0, 0, 320, 16], [0, 128, 320, 16], [128, 16, 32, 32], [192, 112, 32, 16]];
const DOORS: [[i32; 4]; 5] =
    [[0, 0, 320, 16], [112, 0, 16, 48], [112, 64, 16, 48], [112, 96, 96, 16], [224, 96, 96, 16]];

/// A scene with its level and its bodies. The hero obeys the keys, as a player or seen from above.
struct Scene {
    name: &'static str,
    level: Level,
    world: World,
    hero: Option<BodyId>,
    players: Vec<Player>,
    lift: Option<(BodyId, Path)>,
    /// The places at which the hero has been.
    trail: Vec<IVec2>,
}

fn main() -> Ends {
    let palette = [
        [236, 232, 222], // paper
        [70, 62, 78],    // rock
        [150, 108, 66],  // a lift, a belt, a crate
        [60, 130, 80],   // a hero
        [206, 92, 60],   // a hero who dashes or hangs
        [250, 250, 250], // white
        [190, 180, 170], // the trail
        [0; 3],
    ];
    let given = env::args_os().nth(1).map(PathBuf::from);
    let path = given.unwrap_or_else(|| env::temp_dir().join("holds_on.gif"));
    let mut book = FlipBook::create(&path, VIEW + UVec2::new(0, 16), &palette)?;
    hang_on_a_lift(&mut book)?;
    push_over_hills(&mut book)?;
    press_between_belts(&mut book)?;
    dash_over_a_pit(&mut book)?;
    walk_on_the_ceiling(&mut book)?;
    slide_around_corners(&mut book)?;
    book.turn()?;
    println!("{} frames in {}", book.frames, path.display());
    Ok(())
}

fn hang_on_a_lift(book: &mut FlipBook) -> Ends {
    let mut scene = Scene::new("a lift carries a hero who hangs on it", &HALL)?;
    let hero = scene.add_player(IVec2::new(108, 62), Feel::default());
    let stops = [(120, 80), (120, 30), (230, 30), (230, 90), (120, 80)];
    let path = Path::round(RATE, 50.0, stops.map(|stop| (IVec2::from(stop), 0.5)));
    let lift = scene.world.add(Body::platform(Aabb::from_xywh(120, 80, 48, 24)));
    scene.lift = Some((lift, path));
    scene.run(&[(32, "right")], book)?;
    let offset = scene.at(hero)? - scene.at(lift)?;
    for _ in 0..100 {
        scene.run(&[(4, "")], book)?;
        let hangs = scene.players[0].state().stance == Stance::Ledge(Dir::Right);
        ensure(hangs && scene.at(hero)? - scene.at(lift)? == offset, &scene)?;
    }
    scene.run(&[(1, "up"), (60, "")], book)?;
    ensure(scene.world.standing_on(hero) == Some(lift), &scene)
}

fn push_over_hills(book: &mut FlipBook) -> Ends {
    let mut scene = Scene::new("a crate goes over hills", &HALL)?;
    let hills = [[0, 120], [70, 120], [120, 95], [150, 95], [200, 120], [215, 120], [240, 95]];
    let ends = [[260, 95], [290, 110], [320, 110], [320, 144], [0, 144]];
    let outline: Vec<IVec2> = hills.into_iter().chain(ends).map(IVec2::from).collect();
    scene.level.paint(outline.as_slice(), IVec2::ZERO)?;
    scene.add_player(IVec2::new(20, 100), Feel::default());
    let crates = scene.world.add(Body::pushable(Aabb::from_xywh(50, 106, 14, 14), 4, 900.0));
    scene.run(&[(200, "right"), (20, "")], book)?;
    let end = scene.world.get(crates).ok_or("the crate is gone")?.aabb;
    ensure(end.min.x > 270 && !scene.level.can_move(end, Dir::Down, 1), &scene)
}

fn press_between_belts(book: &mut FlipBook) -> Ends {
    let mut scene = Scene::new("two belts press crates together", &HALL)?;
    for (x, speed) in [(64, 45.0), (160, -45.0)] {
        let belt = Body::platform(Aabb::from_xywh(x, 112, 96, 16));
        scene.world.add(belt.with_belt([speed, 0.0]));
    }
    let boxes = [70, 152, 230].map(|x| Aabb::from_xywh(x, 96, 16, 16));
    let crates = boxes.map(|aabb| scene.world.add(Body::pushable(aabb, 4, 900.0)));
    scene.run(&[(180, "")], book)?;
    let pressed = [136.0, 152.0, 168.0].map(|x| Some(DVec2::new(x, 96.0)));
    for _ in 0..60 {
        scene.run(&[(1, "")], book)?;
        let drawn = crates.map(|id| scene.world.drawn(&scene.level, id));
        ensure(drawn == pressed, &scene)?;
    }
    Ok(())
}

fn dash_over_a_pit(book: &mut FlipBook) -> Ends {
    let mut scene = Scene::new("a dash through a corridor, over a pit", &CORRIDOR)?;
    let feel = Feel { dash_speed: 320.0, dash_time: 0.35, ..Feel::default() };
    let hero = scene.add_player(IVec2::new(20, 76), feel);
    scene.run(&[(50, "right"), (21, "right dash"), (20, "right"), (20, "")], book)?;
    let place = scene.at(hero)?;
    ensure(place.x > 200 && place.y == 76 && scene.trail.iter().all(|at| at.y <= 87), &scene)
}

fn walk_on_the_ceiling(book: &mut FlipBook) -> Ends {
    let mut scene = Scene::new("the floor is the ceiling", &CEILING)?;
    let hero = scene.add_player(IVec2::new(20, 108), Feel::default());
    scene.run(&[(30, "right")], book)?;
    scene.players[0].feel.floor = Dir::Up;
    scene.run(&[(60, ""), (40, "right"), (60, "right jump")], book)?;
    let above = scene.players[0].state().stance == Stance::Ground && scene.at(hero)?.y == 16;
    ensure(above && scene.at(hero)?.x > 160, &scene)?;
    scene.players[0].feel.floor = Dir::Down;
    scene.run(&[(60, ""), (60, "right")], book)?;
    ensure(scene.at(hero)?.y == 108, &scene)
}

fn slide_around_corners(book: &mut FlipBook) -> Ends {
    let mut scene = Scene::new("corners let a hero slide into doors", &DOORS)?;
    let settings = MoverSettings {
        corner_correction: Sides::all(10),
        slides_around_corners: true,
        ..MoverSettings::top_down()
    };
    let hero = scene.world.add(Body::character(Aabb::from_xywh(30, 40, 14, 14), settings));
    scene.hero = Some(hero);
    scene.run(&[(120, "right"), (60, "down"), (75, "left"), (20, "")], book)?;
    // 90 pixels a second are 1.5 pixels a step.
    let is_steady = scene.trail.windows(2).all(|pair| (pair[1] - pair[0]).abs().element_sum() <= 2);
    ensure(is_steady && scene.at(hero)?.y > 112, &scene)
}

fn ensure(holds: bool, scene: &Scene) -> Ends {
    let places: Vec<IVec2> = scene.world.iter().map(|(_, body)| body.aabb.min).collect();
    let error = format!("{}: it ends with bodies at {places:?}", scene.name);
    if holds { Ok(()) } else { Err(error.into()) }
}

impl Scene {
    fn new(name: &'static str, solids: &[[i32; 4]]) -> Result<Self, Box<dyn Error>> {
        let mut level = Level::from_grid(Grid::new(VIEW.x, VIEW.y)?, UVec2::ONE)?;
        for [x, y, width, height] in solids.iter().copied() {
            level.set_box(Aabb::from_xywh(x, y, width, height), true)?;
        }
        Ok(Self {
            name,
            level,
            world: World::new(RATE),
            hero: None,
            players: Vec::new(),
            lift: None,
            trail: Vec::new(),
        })
    }

    fn add_player(&mut self, at: IVec2, feel: Feel) -> BodyId {
        let aabb = Aabb { min: at, max: at + IVec2::new(12, 20) };
        let hero = Body::character(aabb, MoverSettings::platformer());
        let hero = self.world.add(hero.pushing(0, 10, false));
        self.hero = Some(hero);
        self.players.push(Player::new(hero, feel));
        hero
    }

    fn at(&self, id: BodyId) -> Result<IVec2, &'static str> {
        self.world.get(id).map(|body| body.aabb.min).ok_or("the body is gone")
    }

    /// Plays a script of held keys, each with its number of steps.
    fn run(&mut self, script: &[(u32, &str)], book: &mut FlipBook) -> Ends {
        for (steps, keys) in script {
            let holds = |key| keys.split(' ').any(|name| name == key);
            let along = |less, more| f32::from(holds(more)) - f32::from(holds(less));
            let keys = Vec2::new(along("left", "right"), along("up", "down"));
            let input = Input::from_axes(keys.x, keys.y, holds("jump")).with_dash(holds("dash"));
            for _ in 0..*steps {
                if let Some((lift, path)) = &mut self.lift
                    && let Some(lift) = self.world.get_mut(*lift)
                {
                    path.advance(lift);
                }
                if let Some(player) = self.players.first_mut() {
                    player.input = input;
                } else if let Some(hero) = self.hero.and_then(|id| self.world.get_mut(id)) {
                    hero.set_velocity(keys * 90.0);
                }
                self.world.step_players(&self.level, &mut self.players);
                let hero = self.hero.and_then(|id| self.world.get(id));
                self.trail.extend(hero.map(|hero| hero.aabb.center()));
                book.add(self.draw(), 2)?;
            }
        }
        Ok(())
    }

    /// The colour of the hero: another one while it dashes or hangs.
    fn color(&self) -> u8 {
        match self.players.first().map(Player::state) {
            Some(state) if state.is_dashing() => 4,
            Some(Platformer { stance: Stance::Ledge(_), .. }) => 4,
            _ => 3,
        }
    }

    fn draw(&self) -> Page {
        let mut page = Page::new(VIEW + UVec2::new(0, 16), 0);
        page.paint(Aabb::from_xywh(0, 0, 320, 144), 1, |at| self.level.is_solid(at));
        page.fill(Aabb::from_xywh(0, 144, 320, 16), 1);
        page.write(IVec2::new(4, 147), self.name, 5);
        for at in &self.trail {
            page.fill(Aabb { min: *at, max: at + 1 }, 6);
        }
        for (id, body) in self.world.iter() {
            let color = if self.hero == Some(id) { self.color() } else { 2 };
            page.fill(body.aabb, color);
            if let BodyKind::Character(_) = body.kind {
                let middle = body.aabb.center();
                page.fill(Aabb { min: middle - 3, max: middle + 3 }, 1);
            }
        }
        page
    }
}
