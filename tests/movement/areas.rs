//! The areas that a straight step enters, compared with its whole-pixel positions one by one.

use bitwall::glam::IVec2;
use bitwall::{
    Aabb, Level, LoadOptions, Mover, MoverSettings,
    geometry::Corners,
    mover::{MovePath, Response},
};

use crate::movement::random::PIXEL;

#[test]
fn a_straight_step_enters_each_area_that_one_of_its_positions_overlaps() {
    let options =
        LoadOptions { planes: vec!["sea=#ffffff".parse().unwrap()], ..LoadOptions::default() };
    let level = Level::load_with("assets/harbor_mask.png", &options).unwrap();
    let sea = level.area("sea").unwrap();
    let size = level.size().as_ivec2();
    let settings = MoverSettings {
        path: MovePath::Straight(Corners::Pass),
        response: Response::Cross,
        ..MoverSettings::PLAIN
    };
    let mut random = fastrand::Rng::with_seed(41);
    let mut crossed = 0;
    for _ in 0..3_000 {
        let (x, y) = (random.i32(-30..size.x + 30), random.i32(-30..size.y + 30));
        let body = Aabb::from_xywh(x, y, random.i32(1..9), random.i32(1..9));
        let by = IVec2::new(random.i32(-90..=90), random.i32(-90..=90));
        let mut mover = Mover::new(body, settings);
        let step = mover.step_subpixels(&level, by.as_i64vec2() * PIXEL);
        let length = by.abs().max_element().max(1);
        // The nearest whole position; a half is rounded toward the start.
        let near =
            |way: i32, at: i32| way.signum() * ((2 * way.abs() * at + length - 1) / (2 * length));
        let place = |at| body.translated(IVec2::new(near(by.x, at), near(by.y, at)));
        let touches = |at: i32| sea.overlaps(place(at));
        let (start, end) = (touches(0), touches(length));
        let meets = (0..=length).any(touches);
        assert_eq!(step.entered(&level).next().is_some(), meets && !start, "{body:?} {by}");
        assert_eq!(step.left(&level).next().is_some(), meets && !end, "{body:?} {by}");
        assert_eq!(step.inside(&level).next().is_some(), end, "{body:?} {by}");
        crossed += i32::from(meets && !start && !end);
    }
    assert!(crossed > 10, "{crossed}");
}
