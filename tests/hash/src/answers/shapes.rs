//! Answers about shapes of integers and of `f32`, each kind against each.

use bitwall::glam::{IVec2, Vec2};
use bitwall::shapes::{
    Capsule, Circle, Convex, ConvexPolygon, Coordinate, PushOut, Rectangle, Sector, Segment, Touch,
    Triangle,
};

use super::random::Random;
use super::{Answer, Answers};

pub(super) fn ask(answers: &mut Answers) {
    let mut random = Random::new(4);
    for turn in 0..1_400 {
        // Small shapes touch each other often; large ones need the widest products.
        let reach = [20, 20, 300, i64::from(i32::MAX)][turn % 4];
        let mut whole = |positive: bool| {
            let low = if positive { 0 } else { -reach };
            random.within(low, reach) as i32
        };
        let (one, other) = (whole_numbers(&mut whole), whole_numbers(&mut whole));
        one.against_each(answers, &other, IVec2::new(whole(false), whole(false)));
        let scale = [1.0, 64.0, 7.0, 1e6][turn % 4];
        let mut float = |positive: bool| {
            let low = if positive { 0 } else { -1 << 12 };
            random.within(low, 1 << 12) as f32 / scale
        };
        let (one, other) = (floats(&mut float), floats(&mut float));
        let way = Vec2::new(float(false), float(false));
        one.against_each(answers, &other, way);
        let center = Vec2::new(float(false), float(false));
        let half_angle = random.within(1, 4_000) as f32 / 1_000.0;
        if let Some(sector) = Sector::from_angle(center, scale * 9.0, way, half_angle) {
            answers.add("sectors", (sector.from, sector.to));
            answers.add("sectors", sector.contains(way, Touch::Counts));
            answers.add("sectors", sector.overlaps(&one.circle, Touch::Ignored));
            answers.add("sectors", sector.overlaps(&one.triangle, Touch::Counts));
        }
    }
}

/// One shape of each kind.
struct Set<V: Coordinate> {
    rectangle: Rectangle<V>,
    circle: Circle<V>,
    capsule: Capsule<V>,
    segment: Segment<V>,
    triangle: Triangle<V>,
    polygon: Option<ConvexPolygon<V>>,
}

fn whole_numbers(number: &mut impl FnMut(bool) -> i32) -> Set<IVec2> {
    let p = std::array::from_fn(|_| IVec2::new(number(false), number(false)));
    set(p, (p[0].min(p[1]), p[0].max(p[1])), [number(true), number(true)])
}

fn floats(number: &mut impl FnMut(bool) -> f32) -> Set<Vec2> {
    let p = std::array::from_fn(|_| Vec2::new(number(false), number(false)));
    set(p, (p[0].min(p[1]), p[0].max(p[1])), [number(true), number(true)])
}

/// Creates shapes from 14 points and two radii. `min` and `max` are the corners of the rectangle.
fn set<V: Coordinate>(p: [V; 14], (min, max): (V, V), radii: [V::Scalar; 2]) -> Set<V> {
    Set {
        rectangle: Rectangle { min, max },
        circle: Circle { center: p[2], radius: radii[0] },
        capsule: Capsule { start: p[3], end: p[4], radius: radii[1] },
        segment: Segment { start: p[5], end: p[6] },
        triangle: Triangle { points: [p[7], p[8], p[9]] },
        polygon: ConvexPolygon::new(&p[10..]).ok(),
    }
}

impl<V: Coordinate + Answer> Set<V>
where
    PushOut<V>: Answer,
{
    fn against_each(&self, answers: &mut Answers, other: &Self, way: V) {
        self.against(answers, &other.rectangle, way);
        self.against(answers, &other.circle, way);
        self.against(answers, &other.capsule, way);
        self.against(answers, &other.segment, way);
        self.against(answers, &other.triangle, way);
        if let Some(polygon) = &other.polygon {
            self.against(answers, polygon, way);
        }
    }

    fn against(&self, answers: &mut Answers, still: &impl Convex<Point = V>, way: V) {
        pair(answers, &self.rectangle, still, way);
        pair(answers, &self.circle, still, way);
        pair(answers, &self.capsule, still, way);
        pair(answers, &self.segment, still, way);
        pair(answers, &self.triangle, still, way);
        if let Some(polygon) = &self.polygon {
            pair(answers, polygon, still, way);
        }
        answers.add("bounds of shapes", (still.bounds(), still.contains(way, Touch::Counts)));
    }
}

fn pair<V: Coordinate>(
    answers: &mut Answers,
    moving: &impl Convex<Point = V>,
    still: &impl Convex<Point = V>,
    way: V,
) where
    PushOut<V>: Answer,
{
    for touch in [Touch::Counts, Touch::Ignored] {
        answers.add("overlaps of shapes", moving.overlaps(still, touch));
        answers.add("sweeps of shapes", moving.swept_overlap(way, still, touch));
    }
    answers.add("push-outs of shapes", moving.push_out(still));
}
