//! Finds the pairs of balls that can collide, and the balls that can hit a solid, for several rounds of a
//! step at once. Each ball has a reach: a box around the next part of its path. As long as no ball leaves its
//! reach, the pairs stay the same, and a ball with no solid in its reach is free. A ball can leave its reach
//! after a bounce, or at the end of that part of its path. Only then are its pairs and solids searched again.
//! The size of the reaches does not change any result.

use glam::I64Vec2;

use super::path::Surroundings;
use super::{PIXEL, Rolling};
use crate::geometry::Aabb;
use crate::world::near::Pairs;

/// The length along each axis of the part of a ball's path that its reach (a box) covers, in 65,536ths of a
/// pixel. If the ball moves further in one round, the reach covers its path in that round. A longer reach
/// needs fewer searches, but gives more pairs that do not collide.
const PART: i64 = 16 * PIXEL;

#[derive(Clone, Debug, Default)]
pub(super) struct Reaches {
    /// For tests: replaces [`PART`] if it is `Some`.
    part: Option<i64>,
    boxes: Vec<Aabb>,
    /// For each ball, true if its reach (the box around the next part of its path) has no solid.
    is_free: Vec<bool>,
    /// The pairs of balls that collide with each other's categories and whose reaches (boxes around the next
    /// parts of their paths) overlap, in any order.
    pairs: Vec<(u32, u32)>,
    /// The strays: the balls that have left their reaches (boxes around a part of their paths), in ascending
    /// order. `of_strays` has their new reaches.
    strays: Vec<u32>,
    of_strays: Vec<Aabb>,
    search: Pairs,
}

impl Reaches {
    /// Forgets the reaches (boxes around the next part of each path) of all balls, for a step with `count`
    /// balls.
    pub(super) fn start(&mut self, count: usize) {
        self.pairs.clear();
        self.boxes.clear();
        self.boxes.resize(count, Aabb::default());
        self.is_free.clear();
        self.is_free.resize(count, false);
    }

    /// Gives a new reach (the box around the next part of its path) to each ball that leaves its reach in
    /// round number `round` of `rounds`, counted from 0, and finds the pairs with these balls. O(n) for n
    /// balls; O(n log n + pairs log pairs) if any ball leaves its reach.
    pub(super) fn renew(
        &mut self,
        balls: &[Rolling],
        [round, rounds]: [i64; 2],
        around: &Surroundings<'_>,
    ) {
        self.strays.clear();
        self.of_strays.clear();
        for (at, ball) in balls.iter().enumerate() {
            let (bounds, reach) = (ball.bounds(), self.boxes[at]);
            if bounds.min.cmpge(reach.min).all() && bounds.max.cmple(reach.max).all() {
                continue;
            }
            let due = ball.due();
            let part = self.part.unwrap_or(PART).max(ball.displacement.abs().max_element());
            let left = due - due * round / rounds;
            let path = left.clamp(I64Vec2::splat(-part), I64Vec2::splat(part));
            let reach = ball.circle.bounds().hull(ball.circle.moved(path).bounds());
            self.boxes[at] = reach;
            self.is_free[at] = around.is_free(ball, reach);
            self.strays.push(at as u32);
            self.of_strays.push(reach);
        }
        self.find_pairs(balls);
    }

    fn find_pairs(&mut self, balls: &[Rolling]) {
        let Self { boxes, pairs, strays, of_strays, search, .. } = self;
        let meets = |(one, two): &(u32, u32)| {
            let (one, two) = (&balls[*one as usize], &balls[*two as usize]);
            one.body.meets(&two.body) && one.mass + two.mass > 0
        };
        if strays.len() * 4 > balls.len() {
            pairs.clear();
            pairs.extend(search.find(boxes).iter().filter(|pair| meets(pair)));
        } else if !strays.is_empty() {
            let is_stray = |ball: u32| strays.binary_search(&ball).is_ok();
            pairs.retain(|(one, two)| !is_stray(*one) && !is_stray(*two));
            let found = search.find_between(of_strays, boxes).iter();
            let found = found.map(|(stray, other)| (strays[*stray as usize], *other));
            // A pair of two strays (balls that have left their reaches) is found twice, and added once.
            let once = found.filter(|(one, two)| one < two || one > two && !is_stray(*two));
            pairs.extend(once.map(|(one, two)| (one.min(two), one.max(two))).filter(meets));
        }
    }

    /// True if there is no solid in the reach (the box around the next part of the path) of the ball with
    /// this index.
    pub(super) fn is_free(&self, ball: usize) -> bool {
        self.is_free[ball]
    }

    /// The pairs of balls that may collide in this round, in any order.
    pub(super) fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }
}

#[cfg(test)]
mod tests {
    use glam::{IVec2, UVec2};

    use super::*;
    use crate::geometry::Outside;
    use crate::grid::Grid;
    use crate::terrain::Terrain;
    use crate::world::{Body, World};
    use crate::{Level, MoverSettings};

    fn level(random: &mut fastrand::Rng) -> Level {
        let (w, h) = (random.u32(65..260), random.u32(60..200));
        let outside = [Outside::Solid, Outside::Open][random.usize(0..2)];
        let mut terrain = |count| {
            let mut grid = Grid::new(w, h).unwrap();
            for _ in 0..random.u32(0..count) {
                let (x, y) = (random.u32(0..w), random.u32(0..h));
                let (right, bottom) = (x + random.u32(0..40), y + random.u32(0..40));
                grid.fill(x..right.min(w), y..bottom.min(h), true).unwrap();
            }
            Terrain::new(grid, UVec2::ONE).unwrap().with_outside(outside)
        };
        Level::new(terrain(9)).with_solid_area("glass", terrain(3), 2)
    }

    fn body(random: &mut fastrand::Rng, top: i64) -> Body {
        let at = IVec2::new(random.i32(-20..260), random.i32(-20..200));
        let aabb = Aabb::from_xywh(at.x, at.y, random.i32(1..30), random.i32(1..30));
        let mut body = match random.u8(0..10) {
            0 => Body::platform(aabb),
            1 => Body::character(aabb, MoverSettings::PLAIN),
            _ => Body::ball(at, random.u32(0..24), random.u16(0..4)),
        };
        let top = if random.u8(0..6) == 0 { top * 8 } else { top }; // Some bodies are much faster.
        body.velocity = I64Vec2::new(random.i64(-top..top), random.i64(-top..top));
        body.category = random.u64(1..4);
        body.collides_with = random.u64(1..4);
        body
    }

    #[test]
    fn the_size_of_the_boxes_that_group_balls_does_not_change_their_motion() {
        let mut random = fastrand::Rng::with_seed(77);
        let mut bounces = 0;
        for _ in 0..60 {
            let level = level(&mut random);
            let mut world = World::new();
            let top = [PIXEL / 2, 3 * PIXEL, 20 * PIXEL, 200 * PIXEL][random.usize(0..4)];
            for _ in 0..random.u32(2..70) {
                world.add(body(&mut random, top));
            }
            let mut twin = world.clone();
            twin.scratch.balls.reaches.part = Some(0);
            world.scratch.balls.reaches.part = Some([PIXEL, PART, 1 << 30][random.usize(0..3)]);
            for _ in 0..12 {
                let before: Vec<I64Vec2> = world.iter().map(|(_, body)| body.velocity).collect();
                world.step(&level);
                twin.step(&level);
                assert_eq!(world, twin);
                let changed =
                    world.iter().zip(before).filter(|((_, body), old)| body.velocity != *old);
                bounces += changed.count();
            }
        }
        assert!(bounces > 1_500, "{bounces}");
    }
}
