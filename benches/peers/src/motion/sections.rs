//! The sections of the comparison: a question each, and the contenders that answer it.

use bitwall::geometry::Corners;
use bitwall::glam::Vec2;
use bitwall::mover::{MovePath, Response};
use bitwall::{Aabb, Level, Mover, MoverSettings, Sides};

#[cfg(feature = "engines")]
use super::box2d::Box2d;
use super::contest::{Answer, Contender, Contest};
use super::parry::Parry;
#[cfg(feature = "engines")]
use super::rapier::{self, Rapier};
use super::work::{Work, motion};
use super::{loops, scripts};
use crate::work::{Query, cell_loop};

const SHORT: &str = "May a box move 1 to 8 px?";
const LONG: &str = "How far of 20 to 40 px in four directions?";
const SLANTED: &str = "How far of 20 to 40 px in any direction?";
const RAYS: &str = "How far does a ray of 300 px reach?";
const STEPS: &str = "A step of a mover";

/// The other engines that take part.
struct Engines<'w> {
    parry: Parry,
    #[cfg(feature = "engines")]
    rapier: Rapier<'w>,
    #[cfg(feature = "engines")]
    box2d: Box2d,
    work: &'w Work,
}

/// Runs all sections on one level.
pub(super) fn all(work: &Work, rounds: usize) -> Vec<Contest> {
    #[cfg(feature = "engines")]
    let world = rapier::world(work);
    let engines = Engines {
        parry: Parry::new(work),
        #[cfg(feature = "engines")]
        rapier: Rapier::new(&world),
        #[cfg(feature = "engines")]
        box2d: Box2d::new(work).expect("valid settings"),
        work,
    };
    let mut prepared = work.level.clone();
    prepared.prepare(work.body.as_uvec2());
    let mut found = [SHORT, LONG, SLANTED, RAYS, STEPS].map(|name| Contest::new(name, work.name));
    for _ in 0..rounds {
        let [short, long, slanted, rays, steps] = &mut found;
        engines.short(short, &prepared);
        engines.long(long, &prepared);
        engines.slanted(slanted);
        engines.rays(rays);
        engines.steps(steps, &prepared);
    }
    scripts::run(work, &mut found[0]);
    found.into()
}

/// The answers for all four directions. Only the answer for one direction is compared.
#[derive(Clone, Copy)]
struct Four(Sides<bool>, bool);

impl Answer for Four {
    fn key(self) -> u64 {
        let Sides { left, right, up, down } = self.0;
        [left, right, up, down].map(u64::from).iter().sum()
    }

    fn pixels(self) -> f32 {
        self.1.into()
    }
}

impl Engines<'_> {
    fn short(&self, contest: &mut Contest, prepared: &Level) {
        let (level, cells, short) = (&self.work.level, &self.work.cells, &self.work.short);
        contest.run(Contender::exact("`can_move`, prepared"), short, |q| {
            prepared.can_move(q.body, q.dir, q.step)
        });
        contest.run(Contender::exact("`free_sides`, prepared, all four answers"), short, |q| {
            let sides = prepared.free_sides(q.body, q.step);
            Four(sides, sides.get(q.dir))
        });
        contest
            .run(Contender::exact("`can_move`"), short, |q| level.can_move(q.body, q.dir, q.step));
        let name = "loop over `bool`s of cells";
        match self.work.cell {
            1 => contest.run(Contender::exact(name), short, |q| cell_loop::<1>(cells, q)),
            _ => contest.run(Contender::exact(name), short, |q| cell_loop::<16>(cells, q)),
        }
        contest.run(Contender::exact("Parry, test of the strip"), short, |q| {
            self.parry.is_strip_free(q)
        });
        // A motion is free if less than a twentieth of a pixel is missing.
        let free = |moved: f32, q: &Query| moved > q.step as f32 - 0.05;
        contest.run(Contender::rounded("Parry, cast", 0.001), short, |q| {
            free(self.parry.cast(&motion(q)), q)
        });
        #[cfg(feature = "engines")]
        {
            contest.run(Contender::rounded("Rapier, cast", 0.001), short, |q| {
                free(self.rapier.cast(&motion(q)), q)
            });
            contest.run(Contender::rounded("Rapier, controller", 0.01), short, |q| {
                free(self.rapier.walk(&motion(q)), q)
            });
            contest.run(Contender::rounded("Box2D, cast", 0.001), short, |q| {
                free(self.box2d.cast(&motion(q)), q)
            });
        }
    }

    fn long(&self, contest: &mut Contest, prepared: &Level) {
        let (level, long) = (&self.work.level, &self.work.long);
        contest.run(Contender::exact("`sweep`, prepared"), long, |q| {
            prepared.sweep(q.body, q.dir, q.step).moved as f32
        });
        contest.run(Contender::exact("`sweep`"), long, |q| {
            level.sweep(q.body, q.dir, q.step).moved as f32
        });
        let near = |name| Contender { name, tolerance: 0.05, share: 0.001 };
        contest.run(near("Parry, cast"), long, |q| self.parry.cast(&motion(q)));
        #[cfg(feature = "engines")]
        {
            contest.run(near("Rapier, cast"), long, |q| self.rapier.cast(&motion(q)));
            contest.run(near("Box2D, cast"), long, |q| self.box2d.cast(&motion(q)));
        }
    }

    fn slanted(&self, contest: &mut Contest) {
        let (level, slanted) = (&self.work.level, &self.work.slanted);
        let settings = MoverSettings {
            path: MovePath::Straight(Corners::Block),
            response: Response::Stop,
            ..MoverSettings::PLAIN
        };
        contest.run(Contender::exact("`MovePath::Straight`"), slanted, |motion| {
            let mut mover = Mover::new(motion.body, settings);
            let step = mover.step(level, motion.by.as_vec2()).expect("a finite motion");
            step.moved.as_vec2().length()
        });
        let near = |name| Contender { name, tolerance: 2.0, share: 0.02 };
        contest.run(near("Parry, cast"), slanted, |motion| self.parry.cast(motion));
        #[cfg(feature = "engines")]
        {
            contest.run(near("Rapier, cast"), slanted, |motion| self.rapier.cast(motion));
            contest.run(near("Box2D, cast"), slanted, |motion| self.box2d.cast(motion));
        }
    }

    fn rays(&self, contest: &mut Contest) {
        let (level, cells, rays) = (&self.work.level, &self.work.cells, &self.work.rays);
        contest.run(Contender::exact("`Level::ray`"), rays, |line| {
            let [from, to] = line.ends();
            let hit = level.ray(line.body.min, line.body.min + line.by, Corners::Pass);
            hit.map_or(1.0, |hit| hit.fraction()) * (to - from).length()
        });
        let near = |name| Contender::rounded(name, 0.002);
        let name = "loop over `bool`s of cells, in `f32`";
        match self.work.cell {
            1 => contest.run(near(name), rays, |line| loops::ray::<1>(cells, line)),
            _ => contest.run(near(name), rays, |line| loops::ray::<16>(cells, line)),
        }
        contest.run(near("Parry, ray"), rays, |line| self.parry.ray(line));
        #[cfg(feature = "engines")]
        {
            contest.run(near("Rapier, ray"), rays, |line| self.rapier.ray(line));
            contest.run(near("Box2D, ray"), rays, |line| self.box2d.ray(line));
        }
    }

    fn steps(&self, contest: &mut Contest, prepared: &Level) {
        let (level, steps) = (&self.work.level, &self.work.steps);
        let settings = MoverSettings::platformer();
        let answer = |mover: Mover, body: &Aabb| (mover.body.min.x - body.min.x) as f32;
        contest.run(Contender::exact("`Mover`, prepared"), steps, |(body, by)| {
            let mut mover = Mover::new(*body, settings);
            let _ = mover.step(prepared, *by);
            answer(mover, body)
        });
        contest.run(Contender::exact("`Mover`"), steps, |(body, by): &(_, Vec2)| {
            let mut mover = Mover::new(*body, settings);
            let _ = mover.step(level, *by);
            answer(mover, body)
        });
        #[cfg(feature = "engines")]
        {
            let any =
                Contender { name: "Rapier, controller that slides", tolerance: 1.0, share: 1.0 };
            contest.run(any, steps, |step| self.rapier.slide(step));
        }
    }
}
