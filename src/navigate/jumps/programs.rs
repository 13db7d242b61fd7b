//! Programs: the keys of a jump as a function of the step and of the body's state. They know no level.
//!
//! The family has few programs, because 14 of them find 98% of the pairs of places that 54 find. Their times
//! follow from the feel: parts of the time of a jump, and the steps to the top speed.

use super::{Jumper, Kind, Program};
use crate::character::{Input, Platformer, Stance};
use crate::geometry::Aabb;

/// The steps of steering that last until the body lands.
const ALL: u16 = u16::MAX;

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

/// The keys that bring a body to rest that is in the air, on a ladder or on a ledge.
pub(super) fn resting(stance: Stance) -> Input {
    match stance {
        Stance::Ledge(_) | Stance::LedgeClimb(_) => keys(0, -1, false),
        Stance::Ladder => keys(0, 1, false),
        _ => Input::NONE,
    }
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
            let late = Program { wait: late, ..air };
            all.extend([air, Program { run, ..air }, late, Program { jumps, ..low }]);
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
    // The keys of these depend on what the body meets: they have no flight in free space.
    for side in [-1, 1] {
        let full = Program { side, steer: ALL, ..full };
        if can_jump && feel.coyote_time > 0.0 {
            all.push(Program { kind: Kind::Coyote, run, ..full });
        }
        if feel.wall_jump.y > 0.0 {
            all.extend([Kind::Wall, Kind::Zigzag].map(|kind| Program { kind, ..full }));
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
        let dive = Program {
            kind: Kind::Dive,
            run: second.saturating_mul(down) / 2,
            ..Program::default()
        };
        all.extend([-1, 1].map(|side| Program {
            side,
            steer: second.saturating_mul(aside) / 2,
            ..dive
        }));
    }
    all
}

/// The number of steps from rest to the top speed.
pub(super) fn steps_to_run(jumper: &Jumper) -> u16 {
    let speed = jumper.rate.speed(jumper.feel.top_speed);
    let change = jumper.rate.acceleration(jumper.feel.acceleration).max(1);
    (speed / change + 2).clamp(1, i64::from(jumper.rate.steps_per_second())) as u16
}
