//! The scout: the flight of each program in free space, simulated once for a body, is laid against the bits
//! of a level. It says where a program probably leads, in 0.2 to 0.5 µs instead of 12 µs for a play. It
//! decides nothing: what it finds is played by the real mover.

use glam::{IVec2, UVec2};

use super::programs::{keys, programs, steps_to_run};
use super::{Actor, FLOOR, Flight, Footing, Jumper, Kind, Moves, Program, Scouted};
use crate::Rate;
use crate::character::{Input, Platformer};
use crate::geometry::{Aabb, Axis, Dir, Outside, Sides};
use crate::grid::{Grid, GridError};
use crate::level::{Level, Solids};
use crate::terrain::Terrain;

/// The time of a flight in seconds, and its most steps. A longer fall is played on.
const LENGTH: f32 = 3.0;
const MOST_STEPS: u32 = 1 << 12;

/// The steps of a flight that are tested at once.
const AHEAD: usize = 8;

/// How far a body looks at most, in pixels: further than a level is wide.
const FARTHEST: u32 = 1 << 28;

/// The height at which a simulated flight goes on after it has left its floor, far above everything.
const HIGH: IVec2 = IVec2::new(0, -(1 << 24));

impl Moves {
    pub(super) fn new(jumper: Jumper) -> Result<Self, GridError> {
        let programs = programs(&jumper);
        let sides = [-1, 1].map(|side| {
            let mine = (0..).zip(&programs).filter(|(_, it)| it.is_of(side));
            mine.map(|(number, _)| number).take(63).collect()
        });
        let feel = &jumper.feel;
        let floor = floor_below()?;
        let water = floor.terrain().clone();
        let dry = Level::from_grid(Grid::new(1, 1)?, floor.cell_size())?;
        let pool = dry.with_outside(water.outside()).with_area(&*feel.water, water);
        let mut moves = Self {
            standing: rested(&jumper, &floor),
            afloat: rested(&jumper, &pool),
            programs,
            sides,
            flights: Vec::new(),
            run: 0,
            brake: brake(&jumper),
            paces: [
                pace(jumper.rate, feel.top_speed, feel.acceleration),
                pace(jumper.rate, feel.swim_speed, feel.swim_acceleration),
            ],
            look: look(&jumper),
            jumper,
        };
        let start = IVec2::new(0, -(moves.jumper.size.y as i32));
        let mut walker = moves.at_rest(start, Footing::Floor);
        for _ in 0..steps_to_run(&moves.jumper) {
            walker.step(&floor, keys(1, 0, false), &moves.jumper.feel);
        }
        moves.run = walker.mover.body.min.x.min(FLOOR as i32);
        moves.flights = Flight::all(&moves)?;
        Ok(moves)
    }
}

/// The state of a body that came to rest at the middle of the level's top edge.
fn rested(jumper: &Jumper, level: &Level) -> Platformer {
    let mut actor = Actor::at(jumper, IVec2::new(100, -(jumper.size.y as i32)));
    actor.mover.steps_since_grounded = 0;
    for _ in 0..4 * u32::from(jumper.rate.steps(1.0)) {
        actor.step(level, Input::NONE, &jumper.feel);
    }
    actor.state
}

/// The length of braking from the top speed, in pixels.
fn brake(jumper: &Jumper) -> i32 {
    let Jumper { feel, rate, .. } = jumper;
    let speed = rate.speed(feel.top_speed).min(1 << 30);
    let friction = rate.acceleration(feel.friction).max(1);
    ((speed * speed / (2 * friction)) >> 16).min(1 << 12) as i32 + 3
}

/// The speed of a walk in subpixels a step, and the steps to start and to stop.
fn pace(rate: Rate, speed: f32, change: f32) -> [u64; 2] {
    let speed = rate.speed(speed).max(1);
    [speed, speed / rate.acceleration(change).max(1) + 1].map(|it| it as u64)
}

/// How far from a body solids may matter for its step, on each side.
fn look(jumper: &Jumper) -> Sides<i32> {
    let Jumper { feel, rate, settings, size } = jumper;
    let near = settings.look_aside().max(feel.ladder_snap);
    let near = near.max(feel.wall_reach.saturating_add(2)).min(FARTHEST);
    let fall = (rate.speed(feel.fall_limit) >> 16).min(1 << 12) as u32;
    let hung = size.y.saturating_add(fall).saturating_add(feel.ledge_reach);
    let ledge = if feel.ledge_reach > 0 { hung.min(FARTHEST) } else { 0 };
    Sides { up: near.max(ledge) as i32 + 2, ..Sides::all(near as i32 + 2) }
}

/// A level with one solid cell below row 0, and open space around it.
fn floor_below() -> Result<Level, GridError> {
    let mut grid = Grid::new(1, 1)?;
    grid.set(0, 0, true)?;
    Ok(Level::from_grid(grid, UVec2::splat(FLOOR))?.with_outside(Outside::Open))
}

impl Flight {
    /// The flight of each program of `moves`; `None` for a program whose keys depend on what it meets.
    fn all(moves: &Moves) -> Result<Vec<Option<Self>>, GridError> {
        let floor = floor_below()?;
        let mut guards = Grid::new(1, 1)?;
        guards.set(0, 0, true)?;
        let bridge = Level::from_grid(Grid::new(1, 1)?, UVec2::splat(FLOOR))?
            .with_outside(Outside::Open)
            .with_one_way(Dir::Up, guards)?;
        let flights = moves.programs.iter().map(|program| match program.kind {
            Kind::Drop => Self::simulated(moves, program, &bridge),
            Kind::Jump | Kind::Walk => Self::simulated(moves, program, &floor),
            _ => None,
        });
        Ok(flights.collect())
    }

    fn simulated(moves: &Moves, program: &Program, level: &Level) -> Option<Self> {
        let size = moves.jumper.size.as_ivec2();
        let run = i32::from(program.side) * if program.run > 0 { moves.run } else { 0 };
        let x = match (program.kind, program.side) {
            (Kind::Walk, 1) => FLOOR as i32 - 1 - run,
            (Kind::Walk, _) => 1 - size.x - run,
            _ => FLOOR as i32 / 2,
        };
        let start = IVec2::new(x, -size.y);
        let mut actor = moves.at_rest(start, Footing::Floor);
        let mut offset = start;
        let mut at = vec![IVec2::ZERO];
        let mut states = vec![actor];
        let mut first = None;
        let length = u32::from(moves.jumper.rate.steps(LENGTH)) + u32::from(program.run);
        for step in 0..length.min(MOST_STEPS) as u16 {
            let input = program.input(step, &actor.state);
            actor.step(level, input, &moves.jumper.feel);
            if first.is_none() && !actor.is_held() {
                // A body that drops is already below the edge that it must not meet again.
                first = Some(at.len() - usize::from(program.kind != Kind::Drop));
                if program.kind != Kind::Drop {
                    actor.mover.body = actor.mover.body.translated(HIGH);
                    offset += HIGH;
                }
            }
            at.push(actor.mover.body.min - offset);
            states.push(actor);
        }
        let boxes = at.iter().map(|at| Aabb { min: *at, max: *at + size });
        let mut swept: Vec<Aabb> = boxes.collect();
        let ahead = swept.windows(AHEAD + 1);
        let ahead = ahead.map(|boxes| boxes.iter().fold(boxes[0], |hull, next| hull.hull(*next)));
        let ahead = ahead.collect();
        for step in 1..swept.len() {
            swept[step] = swept[step].hull(swept[step - 1]);
        }
        Some(Self { first: first?, ahead, swept, at, states })
    }

    /// True if the run-up of the program has ended on the floor from which it began, this far aside.
    pub(super) fn run_up(&self) -> i32 {
        self.at[self.first].x
    }

    /// Lays the flight from position `at` against a level. `areas` are the ladders and the water.
    pub(super) fn scout(&self, level: &Level, areas: &[&Terrain], at: IVec2) -> Scouted {
        let terrain = level.terrain();
        let mut step = self.first;
        while step + 1 < self.at.len() {
            let end = (step + AHEAD).min(self.at.len() - 1);
            if let Some(hull) = self.ahead.get(step)
                && is_clear(terrain, areas, hull.translated(at), self.falls(end))
            {
                step = end;
                continue;
            }
            while step < end {
                if let Some(met) = self.meets(terrain, areas, at, step) {
                    return met;
                }
                step += 1;
            }
        }
        Scouted { step: self.at.len() - 1, lands: None, side: None }
    }

    /// True if the body falls in the step before this one.
    fn falls(&self, step: usize) -> bool {
        self.at[step].y > self.at[step - 1].y
    }

    /// What the flight meets on the way from a step to the next: a solid, a one-way floor or an area.
    fn meets(
        &self,
        terrain: &Terrain,
        areas: &[&Terrain],
        at: IVec2,
        step: usize,
    ) -> Option<Scouted> {
        let way = self.at[step + 1] - self.at[step];
        let size = self.swept[0].size().as_ivec2();
        let min = at + self.at[step];
        let body = Aabb { min, max: min + size };
        let moved = body.translated(way);
        let met = Scouted { step, lands: None, side: None };
        if areas.iter().any(|area| area.overlaps(body.hull(moved).shifted(Dir::Down, 1))) {
            return Some(met);
        }
        let side = Dir::along(Axis::X, way.x > 0);
        if way.x != 0 && !terrain.can_move(body, side, way.x.unsigned_abs()) {
            return Some(Scouted { side: Some(side), ..met });
        }
        let body = body.translated(IVec2::new(way.x, 0));
        if way.y < 0 && !terrain.can_move(body, Dir::Up, way.y.unsigned_abs()) {
            return Some(met);
        }
        let fall = terrain.sweep(body, Dir::Down, way.y.max(0).unsigned_abs());
        let lands = body.shifted(Dir::Down, fall.moved).min;
        fall.contact.map(|_| Scouted { lands: Some(lands), ..met })
    }

    /// The body in a step of the flight from position `at`.
    pub(super) fn actor(&self, at: IVec2, step: usize) -> Actor {
        let mut actor = self.states[step];
        let size = self.swept[0].size().as_ivec2();
        let min = at + self.at[step];
        actor.mover.body = Aabb { min, max: min + size };
        actor
    }
}

/// True if nothing in a box stops a flight through it.
fn is_clear(terrain: &Terrain, areas: &[&Terrain], hull: Aabb, falls: bool) -> bool {
    !terrain.overlaps(hull)
        && (!falls || !Solids::has_one_way(terrain, hull, Dir::Down))
        && !areas.iter().any(|area| area.overlaps(hull))
}
