//! The areas that a straight step enters, compared with its whole-pixel positions one by one.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{
    Aabb, Footprint, Grid, Level, LoadOptions, Mover, MoverSettings, Terrain,
    geometry::Corners,
    mover::{MovePath, Response},
};

use crate::movement::random::PIXEL;
use crate::support::{SubpixelSteps, blank, grid, places};

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

/// Each pixel near the start is an area of its own, so the names of the areas tell the whole path.
#[test]
fn a_step_reports_exactly_the_areas_that_the_pixels_of_its_path_overlap() {
    let (size, start) = (IVec2::splat(8), IVec2::splat(3));
    let mut level = blank(8, 8);
    for place in places(size) {
        let mut pixel = Grid::new(8, 8).unwrap();
        pixel.set(place.x as u32, place.y as u32, true).unwrap();
        level = level.with_area(place.to_string(), Terrain::new(pixel, UVec2::ONE).unwrap());
    }
    let whole = Footprint::rectangle(UVec2::ONE).unwrap();
    let notched = Footprint::from_grid(&grid(".#\n#.")).unwrap();
    let shapes = [(whole, vec![IVec2::ZERO]), (notched, vec![IVec2::X, IVec2::Y])];
    let paths = [MovePath::XThenY, MovePath::YThenX, MovePath::Straight(Corners::Pass)];
    for by in places(IVec2::splat(7)).map(|place| place - 3) {
        let length = by.abs().max_element();
        // The nearest whole position; a half is rounded toward the start.
        let near = |way: i32, at: i32| match length {
            0 => 0,
            _ => way.signum() * ((2 * way.abs() * at + length - 1) / (2 * length)),
        };
        let along = |way: IVec2| {
            (0..=way.abs().max_element()).map(move |at| way.signum() * at).collect::<Vec<_>>()
        };
        let (x, y) = (IVec2::new(by.x, 0), IVec2::new(0, by.y));
        let cases = shapes.iter().flat_map(|shape| paths.map(|path| (shape, path)));
        for ((shape, pixels), path) in cases {
            let visited: Vec<IVec2> = match path {
                MovePath::XThenY => {
                    along(x).into_iter().chain(along(y).into_iter().map(|at| x + at)).collect()
                }
                MovePath::YThenX => {
                    along(y).into_iter().chain(along(x).into_iter().map(|at| y + at)).collect()
                }
                MovePath::Straight(_) => {
                    (0..=length).map(|at| IVec2::new(near(by.x, at), near(by.y, at))).collect()
                }
            };
            let touches = |at: IVec2, area: IVec2| pixels.contains(&(area - start - at));
            let names = |met: &dyn Fn(IVec2) -> bool| -> Vec<String> {
                places(size).filter(|area| met(*area)).map(|area| area.to_string()).collect()
            };
            let before = |area| touches(IVec2::ZERO, area);
            let now = |area| touches(by, area);
            let passed = |area| visited.iter().any(|at| touches(*at, area));
            let settings = MoverSettings { path, ..MoverSettings::PLAIN };
            let mut mover = Mover::new(shape.bounds(start), settings);
            let translation = by.as_i64vec2() * PIXEL;
            let step = match pixels.len() {
                1 => mover.step_subpixels(&level, translation),
                _ => mover.step_subpixels(&level.with_footprint(shape), translation),
            };
            let entered: Vec<_> = step.entered(&level).collect();
            assert_eq!(entered, names(&|area| passed(area) && !before(area)), "{path:?} {by}");
            let left: Vec<_> = step.left(&level).collect();
            assert_eq!(left, names(&|area| passed(area) && !now(area)), "{path:?} {by}");
            assert_eq!(step.inside(&level).collect::<Vec<_>>(), names(&now), "{path:?} {by}");
        }
    }
}
