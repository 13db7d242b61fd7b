//! Programs: the keys of a jump as a function of the step and of the body's state, and plays of a program by
//! the real [`Platformer`](crate::Platformer). A play never guesses: it ends where the mover ends.
//!
//! The family has few programs, because 14 of them find 98% of the pairs of places that 54 find. Their times
//! follow from the feel: parts of the time of a jump, and the steps to the top speed.

use glam::IVec2;

use super::{Actor, Hold, Jumper, Kind, Moves, Phase, Played, Playing, Program, Run};
use crate::character::{Feel, Input, Platformer, Stance};
use crate::geometry::{Aabb, Sides};
use crate::level::Level;
use crate::mover::Mover;

/// The steps of steering that last until the body lands.
const ALL: u16 = u16::MAX;

/// The longest time of a play in seconds. A longer play has failed.
const LONGEST: u32 = 10;

impl Program {
    /// True if launches to this side play the program. Those to the right also play programs without a side.
    pub(super) fn is_of(&self, side: i8) -> bool {
        self.side == side || self.side == 0 && side > 0
    }

    /// The keys that the program holds in a step, for a body in this state.
    pub(super) fn input(&self, step: u16, state: &Platformer) -> Input {
        let rises = state.velocity.y < 0;
        if matches!(state.stance, Stance::Ledge(_) | Stance::LedgeClimb(_)) {
            return keys(0, -1, false);
        }
        if step < self.run {
            return match self.kind {
                Kind::ClimbUp => keys(0, -1, false),
                Kind::ClimbDown | Kind::Dive => keys(0, 1, false),
                _ => keys(self.side, 0, false),
            };
        }
        let step = step - self.run;
        let steers_on = self.steer == ALL || step < self.wait.saturating_add(self.steer);
        let side = match () {
            () if step < self.wait => 0,
            () if steers_on => self.side,
            () => self.after,
        };
        match self.kind {
            Kind::Coyote => {
                let is_last = state.stance == Stance::Air && state.coyote == 1;
                keys(self.side, 0, is_last || state.held_jump && rises)
            }
            Kind::Drop if step == 0 => keys(0, 1, true),
            Kind::Wall | Kind::Zigzag if step > 3 => {
                let is_turned = self.kind == Kind::Zigzag && state.velocity.x != 0;
                let side = if is_turned { state.velocity.x.signum() as i8 } else { side };
                let slides = matches!(state.stance, Stance::WallSlide(_));
                keys(side, 0, if slides { !state.held_jump } else { state.held_jump && rises })
            }
            _ => {
                let press = step / (self.hold + 1);
                let jump = press < u16::from(self.jumps) && step % (self.hold + 1) < self.hold;
                let falls = !rises && step > 0;
                let dashes = self.dash == Some(step);
                let is_up = self.grabs && falls || self.dashes_up && dashes;
                keys(side, -i8::from(is_up), jump).with_dash(dashes)
            }
        }
    }
}

pub(super) fn keys(x: i8, y: i8, jump: bool) -> Input {
    Input::from_keys(x < 0, x > 0, y < 0, y > 0, jump)
}

/// All programs of a body, in a fixed order.
pub(super) fn programs(jumper: &Jumper) -> Vec<Program> {
    let feel = &jumper.feel;
    let rate = jumper.rate;
    let rise = rate.steps(feel.jump_time).clamp(1, 361);
    let run = steps_to_run(jumper);
    let (half, late) = ((rise / 2).max(1), (rise - 1).max(1));
    let plain = Program { jumps: 1, ..Program::default() };
    let full = Program { hold: rise + 3, ..plain };
    let can_jump = feel.jump_height > 0.0;
    let mut all = vec![Program { kind: Kind::Drop, jumps: 0, ..plain }];
    if can_jump {
        all.push(full);
    }
    for side in [-1, 1] {
        let walk = Program { kind: Kind::Walk, jumps: 0, side, steer: ALL, ..plain };
        all.extend([
            walk,
            Program { run, ..walk },
            Program { steer: (rise * 2 / 7).max(1), after: -side, ..walk },
            Program { kind: Kind::Drop, ..walk },
        ]);
        let low = Program { side, steer: late, after: -side, ..full };
        let full = Program { side, steer: ALL, ..full };
        let middle = (rise * 2 + 2) / 5;
        let tap = (rise / 10).max(1);
        if can_jump {
            all.extend([
                full,
                Program { run, ..full },
                Program { wait: (rise * 4 / 7).max(1), ..full },
                Program { wait: late, ..full },
                Program { steer: half, ..full },
                Program { run, steer: half, ..full },
                low,
                Program { hold: middle.max(1), ..low },
                Program { run, hold: tap, ..full },
                Program { run, hold: tap, ..low },
            ]);
        }
        let jumps = feel.air_jumps.saturating_add(1);
        if can_jump && feel.air_jumps > 0 {
            let air = Program { jumps, ..full };
            all.extend([air, Program { run, ..air }, Program { wait: late, ..air }]);
            all.push(Program { jumps, ..low });
        }
        if feel.dash_speed > 0.0 {
            let apex = Program { dash: Some(rise), jumps, ..full };
            let off = Program { dash: Some(0), hold: 0, jumps: 0, ..full };
            all.extend([apex, Program { dashes_up: true, ..apex }, off]);
        }
    }
    if can_jump && feel.air_jumps > 0 {
        all.push(Program { jumps: feel.air_jumps.saturating_add(1), ..full });
    }
    if feel.dash_speed > 0.0 {
        all.push(Program { dash: Some(rise), dashes_up: true, ..full });
    }
    all.extend(reacting(feel, run, full));
    all
}

/// The programs whose keys depend on what the body meets. They have no flight in free space.
fn reacting(feel: &Feel, run: u16, full: Program) -> Vec<Program> {
    let mut all = Vec::new();
    for side in [-1, 1] {
        let full = Program { side, steer: ALL, ..full };
        if feel.jump_height > 0.0 && feel.coyote_time > 0.0 {
            all.push(Program { kind: Kind::Coyote, run, ..full });
        }
        if feel.wall_jump.y > 0.0 {
            all.push(Program { kind: Kind::Wall, ..full });
            all.push(Program { kind: Kind::Zigzag, ..full });
        }
    }
    all
}

/// The programs of a body that starts on a ladder: it climbs to the end, or jumps aside on the way, after
/// each stretch of its own height.
pub(super) fn climbs(jumper: &Jumper, ladder: Aabb, full: Program) -> Vec<Program> {
    let speed = jumper.rate.speed(jumper.feel.climb_speed).max(1) as u64;
    let stretch = (u64::from(jumper.size.y) << 16).div_ceil(speed).min(u64::from(ALL)) as u16;
    let count = (ladder.height() / jumper.size.y.max(1)).min(64) as u16;
    let mut all = Vec::new();
    for kind in [Kind::ClimbUp, Kind::ClimbDown] {
        all.push(Program { kind, run: ALL, ..Program::default() });
        for number in 1..=count {
            let aside = Program { kind, run: stretch.saturating_mul(number), steer: ALL, ..full };
            all.extend([-1, 1].map(|side| Program { side, ..aside }));
        }
    }
    all
}

/// The programs of a body that floats: it dives, and comes up further aside.
pub(super) fn dives(jumper: &Jumper) -> Vec<Program> {
    let second = jumper.rate.steps(1.0);
    let mut all = Vec::new();
    for (down, aside) in [(1, 2), (2, 4), (4, 4)] {
        let dive = Program { kind: Kind::Dive, run: second * down / 2, ..Program::default() };
        all.extend([-1, 1].map(|side| Program { side, steer: second * aside / 2, ..dive }));
    }
    all
}

/// The number of steps from rest to the top speed.
pub(super) fn steps_to_run(jumper: &Jumper) -> u16 {
    let speed = jumper.rate.speed(jumper.feel.top_speed);
    let change = jumper.rate.acceleration(jumper.feel.acceleration).max(1);
    (speed / change + 2).clamp(1, i64::from(jumper.rate.steps_per_second())) as u16
}

impl Actor {
    /// A new body at position `at`.
    pub(super) fn at(jumper: &Jumper, at: IVec2) -> Self {
        let body = Aabb { min: at, max: at.saturating_add(jumper.size.as_ivec2()) };
        let mover = Mover::new(body, jumper.settings);
        Self { mover, state: Platformer::new(jumper.rate) }
    }

    pub(super) fn step(&mut self, level: &Level, input: Input, feel: &Feel) {
        self.state.step(level, &mut self.mover, input, feel);
    }

    /// True if the body stands on a floor or floats.
    pub(super) fn is_held(&self) -> bool {
        matches!(self.state.stance, Stance::Ground | Stance::Water)
    }
}

impl Moves {
    /// A body at rest at position `at`, with a subpixel of 0.
    pub(super) fn at_rest(&self, at: IVec2, hold: Hold) -> Actor {
        let mut actor = Actor::at(&self.jumper, at);
        actor.state = if hold == Hold::Water { self.afloat } else { self.standing };
        actor.mover.steps_since_grounded = 0;
        actor
    }

    /// True if the body is at rest and remembers nothing of how it came, so that it moves like one at rest
    /// from [`Moves::at_rest`] with the same subpixel.
    pub(super) fn rests(&self, state: &Platformer) -> bool {
        let mut state = *state;
        state.facing = None;
        state == self.standing || state == self.afloat
    }

    /// True if the body is at rest and stays there. In water it must also have been at rest a step before,
    /// because on a ground it rests for one step before it rises.
    pub(super) fn rests_on(&self, actor: &Actor, rested: &mut bool) -> bool {
        let rests = self.rests(&actor.state);
        let before = std::mem::replace(rested, rests);
        rests && (before || actor.state.stance != Stance::Water)
    }

    /// Plays a program from a body at rest, or goes on with one that has begun. Adds the steps to `spent`.
    pub(super) fn play(
        &self,
        level: &Level,
        mut actor: Actor,
        mut playing: Playing,
        spent: &mut u64,
    ) -> Played {
        let mut looked = actor.mover.body;
        let bottom = i64::from(level.size().y) + i64::from(self.jumper.size.y);
        while let Some(input) = playing.next(self, &actor) {
            actor.step(level, input, &self.jumper.feel);
            looked = looked.hull(actor.mover.body);
            *spent += 1;
            if i64::from(actor.mover.body.min.y) > bottom {
                break;
            }
        }
        let is_end = playing.phase == Phase::Rests && self.rests(&actor.state);
        let end = is_end.then_some(actor);
        Played { end, steps: playing.step, looked: self.looked(looked) }
    }

    /// The box of all solids that may change a motion within `swept`.
    pub(super) fn looked(&self, swept: Aabb) -> Aabb {
        let Sides { left, right, up, down } = self.look;
        Aabb {
            min: swept.min.saturating_sub(IVec2::new(left, up)),
            max: swept.max.saturating_add(IVec2::new(right, down)),
        }
    }

    /// The steps of a walk of `pixels` from rest to rest.
    pub(super) fn walk_steps(&self, pixels: u32, hold: Hold) -> u32 {
        let Jumper { feel, rate, .. } = &self.jumper;
        let (speed, change) = match hold {
            Hold::Floor => (feel.top_speed, feel.acceleration),
            Hold::Water => (feel.swim_speed, feel.swim_acceleration),
        };
        let speed = rate.speed(speed).max(1) as u64;
        let change = rate.acceleration(change).max(1) as u64;
        let steps =
            (u64::from(pixels) << 16) / speed + u64::from(pixels > 0) * (speed / change + 1);
        steps.min(u64::from(u32::MAX / 4)) as u32
    }
}

impl Playing {
    pub(super) fn new(program: Program) -> Self {
        Self { program, step: 0, phase: Phase::Leaves, rested: false }
    }

    /// The keys of the next step, for the body after the last step. `None` when the body rests again, or if
    /// the play takes too long.
    pub(super) fn next(&mut self, moves: &Moves, actor: &Actor) -> Option<Input> {
        let longest = LONGEST * u32::from(moves.jumper.rate.steps_per_second());
        if u32::from(self.step) >= longest.min(u32::from(u16::MAX)) {
            return None;
        }
        let program = &self.program;
        let is_held = actor.is_held();
        match self.phase {
            Phase::Leaves if !is_held => self.phase = Phase::Flies,
            // A dive stays in the water, and a walk may lead to a lower floor without a flight.
            Phase::Leaves if self.step > self.last_step() => self.phase = Phase::Rests,
            Phase::Flies if is_held && self.step > program.run.min(self.last_step()) => {
                self.phase = Phase::Rests;
            }
            _ => {}
        }
        if self.phase != Phase::Rests {
            let input = program.input(self.step, &actor.state);
            self.step += 1;
            return Some(input);
        }
        if moves.rests_on(actor, &mut self.rested) {
            return None;
        }
        self.step += 1;
        Some(match actor.state.stance {
            Stance::Ledge(_) | Stance::LedgeClimb(_) => keys(0, -1, false),
            Stance::Ladder => keys(0, 1, false),
            _ => Input::NONE,
        })
    }

    /// The last step in which the body of a program should have left its place.
    fn last_step(&self) -> u16 {
        let Program { kind, run, steer, .. } = self.program;
        match kind {
            Kind::ClimbUp | Kind::ClimbDown => run.min(4).saturating_add(24),
            Kind::Dive => run.saturating_add(steer),
            _ => run.saturating_add(24),
        }
    }
}

impl Run {
    /// The position in column `x`.
    pub(super) fn at(&self, x: i32) -> IVec2 {
        IVec2::new(x, self.y)
    }
}
