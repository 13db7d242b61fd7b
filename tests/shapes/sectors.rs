//! Sectors are tested against naive versions that use angles, distances and many points.

use bitwall::glam::{DVec2, IVec2, Vec2, ivec2 as at};
use bitwall::shapes::{Circle, Convex, Rectangle, Sector, Segment, Touch, Triangle};

const TOUCH: [Touch; 2] = [Touch::Counts, Touch::Ignored];

fn point(random: &mut fastrand::Rng, reach: i32) -> IVec2 {
    at(random.i32(-reach..=reach), random.i32(-reach..=reach))
}

fn sector(random: &mut fastrand::Rng) -> Sector<IVec2> {
    let mut ray = || loop {
        let ray = point(random, 4);
        if ray != IVec2::ZERO {
            return ray;
        }
    };
    let (from, to) = (ray(), ray());
    Sector { center: point(random, 3), radius: random.i32(0..=12), from, to }
}

/// Returns the angle from one direction to another, clockwise on the screen, from 0 to a full turn, in
/// radians.
fn angle(from: DVec2, to: DVec2) -> f64 {
    from.perp_dot(to).atan2(from.dot(to)).rem_euclid(std::f64::consts::TAU)
}

/// Returns the distance from a point to a sector, computed with angles and square roots.
fn distance(sector: &Sector<IVec2>, point: DVec2) -> f64 {
    let (from, to) = (sector.from.as_dvec2(), sector.to.as_dvec2());
    let (radius, way) = (f64::from(sector.radius), point - sector.center.as_dvec2());
    let turn = sector.from.perp_dot(sector.to);
    let is_disc = turn == 0 && sector.from.dot(sector.to) > 0;
    if is_disc || angle(from, way) <= angle(from, to) {
        return (way.length() - radius).max(0.0);
    }
    let to_ray = |ray: DVec2| {
        let unit = ray.normalize();
        (way - unit * way.dot(unit).clamp(0.0, radius)).length()
    };
    to_ray(from).min(to_ray(to))
}

#[test]
fn a_sector_contains_the_points_between_its_rays() {
    let mut random = fastrand::Rng::with_seed(31);
    let mut inside = 0;
    for _ in 0..40_000 {
        let (sector, point) = (sector(&mut random), point(&mut random, 14));
        let way = point - sector.center;
        let (after, before) = (sector.from.perp_dot(way), way.perp_dot(sector.to));
        let turn = sector.from.perp_dot(sector.to);
        let is_disc = turn == 0 && sector.from.dot(sector.to) > 0;
        let between = match turn {
            _ if is_disc => true,
            0.. => after >= 0 && before >= 0,
            _ => after >= 0 || before >= 0,
        };
        let strictly = match turn {
            _ if is_disc => true,
            0.. => after > 0 && before > 0,
            _ => after > 0 || before > 0,
        };
        let room = sector.radius.pow(2) - way.length_squared();
        let counts = (between || way == IVec2::ZERO) && room >= 0;
        assert_eq!(sector.contains(point, Touch::Counts), counts, "{sector:?} {point}");
        let ignored = strictly && room > 0;
        assert_eq!(sector.contains(point, Touch::Ignored), ignored, "{sector:?} {point}");
        inside += i32::from(ignored);
    }
    assert!(inside > 2_000);
}

#[test]
fn a_circle_overlaps_a_sector_that_is_nearer_than_its_radius() {
    let mut random = fastrand::Rng::with_seed(32);
    for _ in 0..40_000 {
        let sector = sector(&mut random);
        let circle = Circle { center: point(&mut random, 20), radius: random.i32(0..=8) };
        let apart = distance(&sector, circle.center.as_dvec2()) - f64::from(circle.radius);
        for touch in TOUCH {
            let overlaps = sector.overlaps(&circle, touch);
            if apart.abs() > 1e-9 {
                assert_eq!(overlaps, apart < 0.0, "{sector:?} {circle:?} {apart}");
            }
        }
    }
}

/// Returns points all over a triangle, including its corners and sides, and the largest distance between
/// neighbours.
fn spread(corners: [IVec2; 3]) -> (Vec<DVec2>, f64) {
    const STEPS: u32 = 48;
    let [a, b, c] = corners.map(|corner| corner.as_dvec2());
    let mut points = Vec::new();
    for i in 0..=STEPS {
        for j in 0..=STEPS - i {
            let part = |n: u32| f64::from(n) / f64::from(STEPS);
            points.push(a + (b - a) * part(i) + (c - a) * part(j));
        }
    }
    let longest = (b - a).length().max((c - a).length()).max((c - b).length());
    (points, longest / f64::from(STEPS))
}

#[test]
fn a_triangle_overlaps_a_sector_if_one_of_its_points_does() {
    let mut random = fastrand::Rng::with_seed(33);
    let mut decided = 0;
    for round in 0..2_000 {
        let sector = sector(&mut random);
        let place = point(&mut random, 12);
        let mut corners = [(); 3].map(|()| place + point(&mut random, 9));
        if round % 4 == 0 {
            corners[2] = corners[1];
        }
        let triangle = Triangle { points: corners };
        let (points, apart) = spread(corners);
        let least = points.iter().map(|p| distance(&sector, *p)).fold(f64::INFINITY, f64::min);
        let overlaps = sector.overlaps(&triangle, Touch::Counts);
        if least > apart {
            assert!(!overlaps, "{sector:?} {triangle:?} {least}");
        }
        let deep = points.iter().any(|p| {
            let around = [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y];
            sector.radius > 0 && around.iter().all(|way| distance(&sector, *p + *way * 1e-3) == 0.0)
        });
        if deep {
            assert!(
                overlaps && sector.overlaps(&triangle, Touch::Ignored),
                "{sector:?} {triangle:?}"
            );
        }
        assert!(overlaps || !sector.overlaps(&triangle, Touch::Ignored));
        decided += i32::from(deep) + i32::from(least > apart);
    }
    assert!(decided > 1_200, "{decided}");
}

#[test]
fn the_caller_decides_whether_touching_a_sector_counts() {
    let sight = Sector { center: at(0, 0), radius: 10, from: at(1, 0), to: at(0, 1) };
    let segment = |a, b| Segment { start: a, end: b };
    let rectangle = |min, max| Rectangle { min, max };
    let only_touches =
        |shape: &dyn Fn(Touch) -> bool| shape(Touch::Counts) && !shape(Touch::Ignored);
    assert!(only_touches(&|t| sight.overlaps(&segment(at(2, 0), at(9, 0)), t)), "along a ray");
    assert!(only_touches(&|t| sight.overlaps(&rectangle(at(2, -4), at(9, 0)), t)), "on a ray");
    assert!(only_touches(&|t| sight.overlaps(&rectangle(at(-4, -4), at(0, 0)), t)), "on the tip");
    assert!(only_touches(&|t| sight.overlaps(&segment(at(-3, 3), at(3, -3)), t)), "across the tip");
    assert!(only_touches(&|t| sight.overlaps(&rectangle(at(6, 8), at(9, 9)), t)), "on the arc");
    assert!(only_touches(&|t| sight.overlaps(&Circle { center: at(9, 12), radius: 5 }, t)), "arc");
    assert!(only_touches(&|t| sight.overlaps(&Circle { center: at(5, -2), radius: 2 }, t)), "ray");
    assert!(only_touches(&|t| sight.overlaps(&Circle { center: at(-3, -4), radius: 5 }, t)), "tip");
    let overlaps = |shape: &dyn Fn(Touch) -> bool| shape(Touch::Counts) && shape(Touch::Ignored);
    assert!(
        overlaps(&|t| sight.overlaps(&rectangle(at(2, 0), at(9, 1)), t)),
        "inside, along a ray"
    );
    assert!(overlaps(&|t| sight.overlaps(&segment(at(-1, 3), at(3, -1)), t)), "through both rays");
    assert!(overlaps(&|t| sight.overlaps(&rectangle(at(-50, -50), at(50, 50)), t)), "within it");
    assert!(overlaps(&|t| sight.overlaps(&segment(at(0, 0), at(5, 5)), t)), "from the tip");
    // The sector of a guard who sees three quarters of a full turn.
    let wide = Sector { from: at(0, 1), to: at(1, 0), ..sight };
    assert!(!wide.overlaps(&rectangle(at(1, 1), at(9, 9)), Touch::Counts));
    assert!(overlaps(&|t| wide.overlaps(&rectangle(at(-1, -1), at(9, 9)), t)));
    assert!(overlaps(&|t| wide.overlaps(&segment(at(-1, 1), at(1, -1)), t)), "across the tip");
}

#[test]
fn a_full_turn_makes_a_sector_a_disc_and_a_zero_ray_makes_it_empty() {
    let disc = Sector { center: at(0, 0), radius: 5, from: at(2, 4), to: at(1, 2) };
    let circle = Circle { center: at(0, 0), radius: 5 };
    for x in -6..=6 {
        for y in -6..=6 {
            for touch in TOUCH {
                assert_eq!(disc.contains(at(x, y), touch), circle.contains(at(x, y), touch));
            }
        }
    }
    let empty = Sector { from: at(0, 0), ..disc };
    assert!(!empty.contains(at(0, 0), Touch::Counts));
    let point = Sector { radius: 0, to: at(1, -2), ..disc };
    assert!(point.contains(at(0, 0), Touch::Counts) && !point.contains(at(1, 2), Touch::Counts));
}

#[test]
fn from_angle_makes_a_sector_centred_on_the_direction() {
    let make = |half| Sector::from_angle(Vec2::ZERO, 10.0, Vec2::new(0.0, 3.0), half);
    let quarter = make(std::f32::consts::FRAC_PI_4).unwrap();
    assert!((quarter.from.x - 0.5_f32.sqrt()).abs() < 1e-6 && quarter.from.y > 0.7);
    assert!((quarter.to.x + 0.5_f32.sqrt()).abs() < 1e-6 && quarter.to.y > 0.7);
    let disc = make(4.0).unwrap();
    assert!(disc.contains(Vec2::new(0.0, -9.0), Touch::Ignored));
    assert!(make(3.0).unwrap().contains(Vec2::new(2.0, -9.0), Touch::Ignored));
    assert!(!make(3.0).unwrap().contains(Vec2::new(0.0, -9.0), Touch::Ignored));
    assert_eq!((make(0.0), make(-1.0)), (None, None));
    assert_eq!(Sector::from_angle(Vec2::ZERO, 10.0, Vec2::ZERO, 1.0), None);
}

#[test]
fn large_sectors_and_f32_sectors_answer_like_small_integer_ones() {
    let mut random = fastrand::Rng::with_seed(34);
    const LARGE: i32 = i32::MAX / 24;
    for _ in 0..12_000 {
        let sector = sector(&mut random);
        let (a, b) = (point(&mut random, 12), point(&mut random, 12));
        let radius = random.i32(0..=8);
        let large = Sector {
            center: sector.center * LARGE,
            radius: sector.radius * LARGE,
            from: sector.from * LARGE,
            to: sector.to * LARGE,
        };
        let float = Sector {
            center: sector.center.as_vec2(),
            radius: sector.radius as f32,
            from: sector.from.as_vec2(),
            to: sector.to.as_vec2(),
        };
        for touch in TOUCH {
            let segment = sector.overlaps(&Segment { start: a, end: b }, touch);
            let far = Segment { start: a * LARGE, end: b * LARGE };
            assert_eq!(segment, large.overlaps(&far, touch), "{sector:?} {a} {b}");
            let near = Segment { start: a.as_vec2(), end: b.as_vec2() };
            assert_eq!(segment, float.overlaps(&near, touch), "{sector:?} {a} {b}");
            let circle = sector.overlaps(&Circle { center: a, radius }, touch);
            let far = Circle { center: a * LARGE, radius: radius * LARGE };
            assert_eq!(circle, large.overlaps(&far, touch), "{sector:?} {a} {radius}");
            let near = Circle { center: a.as_vec2(), radius: radius as f32 };
            assert_eq!(circle, float.overlaps(&near, touch), "{sector:?} {a} {radius}");
        }
    }
}
