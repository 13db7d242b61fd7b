//! The game of `examples/adventure.rs`: two heroes in a side view with all that such a game has. The whole
//! state is plain data, which serde saves. `tests/saves/random_game.rs` plays it by random keys.

use std::error::Error;

use bitwall::character::{Feel, Input};
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::mover::Ahead;
use bitwall::terrain::Hit;
use bitwall::world::{Body, BodyId, Event, Meeting, Path, Player, World};
use bitwall::{Aabb, Dir, Level, MoverSettings, Rate, Terrain};
use serde::{Deserialize, Serialize};

use super::room::grid;

/// The room: `#` is solid, `-` one-way, `H` a ladder, `~` water, `w` wind, `=` a belt. `P` is a hero, `E` a
/// walker, `C` a crate, `S` a spring, `^` spikes, `K` a checkpoint, `G` the goal.
pub(crate) const ROOM: &str = "\
########################################
#......................................#
#..G...................................#
#.####...............K......ww.........#
#...................####....ww.........#
#...........---.............ww..####H###
#...........................ww......H..#
#.....####.............C....ww......H..#
#####H###.............###...ww......H..#
#....H................####..ww......H..#
#....H..............S..E....ww.---..H..#
#....H.............##########.......H..#
#....H....C...####..................H..#
#.P.PH...C.....................E.K..H..#
##########==######~~~~~####^^###########
##################~~~~~#################";

const CELL: i32 = 16;
pub(crate) const HERO: u64 = 1 << 1;
pub(crate) const CRATE: u64 = 1 << 2;
pub(crate) const WALKER: u64 = 1 << 3;

/// A game: what a saved file contains. The level never changes, so it is not a part.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Game {
    pub(crate) world: World,
    pub(crate) players: Vec<Player>,
    lifts: Vec<(BodyId, Path)>,
    walkers: Vec<(BodyId, Dir)>,
    /// The sensors, with their signs in the room.
    pub(crate) sensors: Vec<(BodyId, char)>,
    /// The characters as they begin, and begin again if they are hurt or crushed.
    homes: Vec<(BodyId, Body)>,
    checkpoint: Option<Aabb>,
    steps: u32,
    /// What the last step would play as sounds.
    pub(crate) sounds: Vec<String>,
    /// The characters that began again in the last step.
    pub(crate) begun_again: Vec<BodyId>,
}

/// Returns the level of the room.
pub(crate) fn level() -> Result<Level, Box<dyn Error>> {
    let cell = UVec2::splat(CELL as u32);
    let area = |sign| Terrain::new(grid(ROOM, sign)?, cell);
    let level =
        Level::from_grid(grid(ROOM, '#')?, cell)?.with_one_way(Dir::Up, grid(ROOM, '-')?)?;
    let level = level.with_area("ladder", area('H')?).with_area("water", area('~')?);
    Ok(level.with_area("wind", area('w')?))
}

impl Game {
    pub(crate) fn new() -> Self {
        let rate = Rate::per_second(60);
        let mut game = Self {
            world: World::new(rate),
            players: Vec::new(),
            lifts: Vec::new(),
            walkers: Vec::new(),
            sensors: Vec::new(),
            homes: Vec::new(),
            checkpoint: None,
            steps: 0,
            sounds: Vec::new(),
            begun_again: Vec::new(),
        };
        for (row, line) in (0..).zip(ROOM.lines()) {
            for (column, sign) in (0..).zip(line.chars()) {
                game.add(sign, IVec2::new(column, row) * CELL);
            }
        }
        let stops = [(176, 200), (176, 100), (240, 100)].map(|stop| (IVec2::from(stop), 0.5));
        let around = Path::round(rate, 60.0, stops);
        game.add_lift(Body::platform(Aabb::from_xywh(176, 200, 48, 8)), around);
        let stops = [(290, 208), (420, 208)].map(|stop| (IVec2::from(stop), 1.0));
        let aside = Path::back_and_forth(rate, 45.0, stops);
        game.add_lift(Body::platform(Aabb::from_xywh(290, 208, 32, 8)), aside);
        let circle = Path::circle(rate, IVec2::new(416, 72), 40, 6.0);
        for (start, later) in [(456, 0.0), (376, 3.0)] {
            let lift = Body::one_way_platform(Aabb::from_xywh(start, 72, 32, 6));
            game.add_lift(lift, circle.clone().later(later));
        }
        game
    }

    fn add_lift(&mut self, lift: Body, path: Path) {
        self.lifts.push((self.world.add(lift), path));
    }

    /// Adds what a sign of the room means.
    fn add(&mut self, sign: char, at: IVec2) {
        let cell = Aabb { min: at, max: at + CELL };
        let stands = |width, height| Aabb::from_xywh(at.x + 2, cell.max.y - height, width, height);
        let settings = MoverSettings::platformer();
        let body = match sign {
            'P' => {
                let body = Body::character(stands(12, 20), settings).pushing(0, 10, false);
                body.with_category(HERO)
            }
            'E' => {
                let body =
                    Body::character(stands(12, 12), settings).with_acceleration([0.0, 900.0]);
                body.with_category(WALKER).with_watches(HERO)
            }
            'C' => Body::pushable(stands(14, 14), 4, 900.0).with_category(CRATE),
            '=' => Body::platform(cell).with_belt([45.0, 0.0]),
            'S' => Body::sensor(stands(12, 4)).with_watches(HERO | CRATE),
            '^' | 'K' | 'G' => Body::sensor(stands(12, 8)).with_watches(HERO),
            _ => return,
        };
        let id = self.world.add(body);
        match sign {
            'P' => self.players.push(Player::new(id, feel())),
            'E' => self.walkers.push((id, Dir::Left)),
            'S' | '^' | 'K' | 'G' => self.sensors.push((id, sign)),
            _ => {}
        }
        if let (Some(body), true) = (self.world.get(id), "PEC".contains(sign)) {
            self.homes.push((id, *body));
        }
    }

    /// Plays one step. Each hero has an input.
    pub(crate) fn step(&mut self, level: &Level, inputs: &[Input]) {
        self.sounds.clear();
        self.begun_again.clear();
        for (lift, path) in &mut self.lifts {
            if let Some(lift) = self.world.get_mut(*lift) {
                path.advance(lift);
            }
        }
        for (walker, dir) in &mut self.walkers {
            let ahead = self.world.floor_ahead(level, *walker, *dir, 8);
            if matches!(ahead, Some(Ahead::Ledge(_) | Ahead::Wall(0))) {
                *dir = dir.opposite();
            }
            if let Some(walker) = self.world.get_mut(*walker) {
                walker.set_velocity([dir.vector().x as f32 * 40.0, walker.velocity().y]);
            }
        }
        self.steps += 1;
        if self.steps.is_multiple_of(150) {
            let bullet = Body::bullet(Aabb::from_xywh(616, 106, 6, 3)).with_velocity([-400.0, 0.0]);
            self.world.add(bullet);
        }
        for (player, input) in self.players.iter_mut().zip(inputs) {
            let body = self.world.get(player.body).map_or(Aabb::default(), |body| body.aabb);
            let is_windy = level.area("wind").is_some_and(|wind| wind.overlaps(body));
            player.feel.carry = if is_windy { Vec2::new(30.0, -80.0) } else { Vec2::ZERO };
            player.input = *input;
        }
        self.world.step_players(level, &mut self.players);
        for event in self.world.events().to_vec() {
            self.answer(level, event);
        }
    }

    /// Changes the game by an event of the world.
    fn answer(&mut self, level: &Level, event: Event) {
        match event {
            Event::Crushed { body, .. } => self.begin_again(level, body, "crushed"),
            Event::Hit(impact) => {
                self.world.remove(impact.body);
                if let Hit::Body(hit) = impact.hit
                    && self.players.iter().any(|player| player.body == hit)
                {
                    self.begin_again(level, hit, "shot");
                }
            }
            Event::Begin(meeting) => self.meet(level, meeting),
            _ => {}
        }
    }

    fn meet(&mut self, level: &Level, Meeting { watcher, body, side }: Meeting) {
        let sensor = self.sensors.iter().find(|(id, _)| *id == watcher);
        match sensor.map(|(_, sign)| sign) {
            Some('S') => self.throw(body, -420.0, "spring"),
            Some('^') => self.begin_again(level, body, "spikes"),
            Some('K') => {
                self.checkpoint = self.world.get(watcher).map(|flag| flag.aabb);
                self.sounds.push("checkpoint".to_owned());
            }
            Some(_) => {
                self.checkpoint = None;
                self.begin_again(level, body, "goal");
            }
            None if side == Some(Dir::Up) => self.throw(body, -200.0, "stomp"),
            None => self.begin_again(level, body, "bitten"),
        }
    }

    fn throw(&mut self, body: BodyId, speed: f32, sound: &str) {
        if let Some(body) = self.world.get_mut(body) {
            body.set_velocity([body.velocity().x, speed]);
        }
        self.sounds.push(sound.to_owned());
    }

    /// Puts a character back to its home, a hero to the checkpoint.
    fn begin_again(&mut self, level: &Level, id: BodyId, sound: &str) {
        let Some((_, home)) = self.homes.iter().find(|(known, _)| *known == id) else { return };
        let mut home = *home;
        if let Some(player) = self.players.iter_mut().find(|player| player.body == id) {
            *player = Player::new(id, feel());
            if let Some(flag) = self.checkpoint {
                home.aabb = Aabb::from_xywh(flag.min.x, flag.max.y - 20, 12, 20);
            }
        }
        if let Some(body) = self.world.get_mut(id) {
            *body = home;
        }
        // Another body may be at this place.
        self.world.unstick(level, id, 64);
        self.sounds.push(sound.to_owned());
        self.begun_again.push(id);
    }
}

/// The moves of the heroes.
fn feel() -> Feel {
    Feel {
        air_jumps: 1,
        dash_speed: 300.0,
        dash_wait: 0.3,
        crouch_height: 12,
        momentum_time: 0.1,
        ..Feel::default()
    }
}
