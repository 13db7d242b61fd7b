//! All contacts of a step, in order: the walls that a ghost crosses, and the bounces of a ball.

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::{
    Aabb, Footprint, Grid, Level, Mover, MoverSettings, Outside, Solids, geometry::Corners,
    mover::MovePath, mover::Response, terrain::Contact,
};

use crate::movement::oracle::{self, Seen};
use crate::movement::random::{PIXEL, Plan, settings, translation};
use crate::support::{SubpixelSteps, ascii, rounds, to_subpixels};

fn ghost(body: Aabb, path: MovePath) -> Mover {
    let response = Response::Cross;
    Mover::new(body, MoverSettings { path, response, ..MoverSettings::PLAIN })
}

/// Returns the columns of the cells that a mover meets along x.
fn columns(mover: &Mover, solids: &impl Solids, by: Vec2) -> Vec<i32> {
    let mut columns = Vec::new();
    let mut mover = *mover;
    let note = |contact: Contact| columns.extend((contact.normal.x != 0).then_some(contact.cell.x));
    mover.step_with(solids, by, note).unwrap();
    columns
}

const PATHS: [MovePath; 4] = [
    MovePath::XThenY,
    MovePath::YThenX,
    MovePath::Straight(Corners::Block),
    MovePath::Straight(Corners::Pass),
];

#[test]
fn a_body_that_crosses_three_walls_meets_each_once_on_every_path() {
    let level = ascii(&[".....#.....##....#.."; 9].join("\n"));
    for path in PATHS {
        // Bodies narrower than the gaps between the walls, and one wider.
        for width in [1, 3, 9] {
            let mover = ghost(Aabb::from_xywh(-4, 3, width, 2), path);
            let level = level.clone().with_outside(Outside::Open);
            let inside = mover.body.max.x;
            let walls = if inside > 5 { vec![11, 17] } else { vec![5, 11, 17] };
            assert_eq!(columns(&mover, &level, Vec2::new(40.0, 0.0)), walls, "{path:?} {width}");
            assert_eq!(columns(&mover, &level, Vec2::new(40.0, 1.0)), walls, "{path:?} {width}");
        }
    }
}

#[test]
fn a_bounce_between_two_walls_reports_a_contact_with_each() {
    let level = ascii("#...#");
    let response = Response::Bounce { restitution: 100 };
    let settings = MoverSettings { response, ..MoverSettings::PLAIN };
    let mover = Mover::new(Aabb::from_xywh(1, 0, 1, 1), settings);
    let columns = columns(&mover, &level, Vec2::new(9.0, 0.0));
    assert_eq!(columns, [4, 0, 4, 0]);
}

#[test]
fn all_contacts_of_random_steps_agree_with_the_oracle() {
    let mut random = fastrand::Rng::with_seed(91);
    let mut count = [0; 2];
    for _ in 0..rounds(3_000) {
        let plan = Plan::random(&mut random);
        let level = plan.level();
        for _ in 0..40 {
            let mut settings = settings(&mut random);
            if random.bool() {
                settings.response = Response::Cross;
            }
            let mover = plan.mover(&mut random, &level, settings);
            let by = translation(&mut random);
            let (mut after, mut same) = (mover, mover);
            let mut dirs = Vec::new();
            // Multiples of a 256th of a pixel are exact as floats.
            let by = by / 256 * 256;
            let float = by.as_dvec2().as_vec2() / PIXEL as f32;
            assert_eq!(to_subpixels(float), by);
            let step =
                after.step_with(&level, float, |contact| dirs.push(-contact.normal)).unwrap();
            let (seen, expected) = oracle::step_and_contacts(&plan, &level, mover, by);
            let case = || format!("{plan}{mover:?}\nby {by}");
            assert_eq!(Seen::of(&after, &step), seen, "{}", case());
            let expected: Vec<IVec2> = expected.iter().map(|dir| dir.vector()).collect();
            assert_eq!(dirs, expected, "{}", case());
            assert_eq!((same.step_subpixels(&level, by), same), (step, after), "{}", case());
            let crosses = settings.response == Response::Cross;
            count[usize::from(crosses)] += usize::from(dirs.len() > 1);
        }
    }
    assert!(count[0] > rounds(7_000) && count[1] > rounds(12_000), "{count:?}");
}

#[test]
fn a_footprint_that_crosses_walls_meets_each_as_its_box_does() {
    let level = ascii(&[".....#.....##....#.."; 9].join("\n"));
    let disc = Footprint::circle(3).unwrap();
    for (path, y) in PATHS.into_iter().flat_map(|path| [(path, 0.0), (path, 1.0)]) {
        let mover = ghost(Aabb::from_xywh(0, 3, 3, 3), path);
        let columns = columns(&mover, &level.with_footprint(&disc), Vec2::new(16.0, y));
        assert_eq!(columns, [5, 11, 17], "{path:?}");
    }
}

#[test]
fn a_ghost_at_any_speed_meets_each_wall_on_the_longest_motion_of_a_step() {
    let mut grid = Grid::new(64, 64).unwrap();
    grid.fill(20..30, 0..64, true).unwrap();
    let level = Level::from_grid(grid, UVec2::splat(16)).unwrap();
    let far = f32::from(i16::MAX) * 60_000.0;
    for outside in [Outside::Solid, Outside::Open] {
        let level = level.clone().with_outside(outside);
        for path in [MovePath::XThenY, MovePath::YThenX] {
            let mover = ghost(Aabb::from_xywh(-1_900, 40, 12, 12), path);
            let columns = columns(&mover, &level, Vec2::new(far, 0.0));
            match outside {
                Outside::Solid => assert_eq!(columns, [-118, 20, 64]),
                Outside::Open => assert_eq!(columns, [20]),
            }
        }
    }
}

#[test]
fn a_body_that_a_wall_stops_does_not_meet_the_walls_behind() {
    let level = ascii(&[".....#.....##....#.."; 9].join("\n"));
    for (path, y) in PATHS.into_iter().flat_map(|path| [(path, 0.0), (path, 1.0)]) {
        let settings = MoverSettings { path, ..MoverSettings::PLAIN };
        let mover = Mover::new(Aabb::from_xywh(0, 3, 3, 3), settings);
        assert_eq!(columns(&mover, &level, Vec2::new(16.0, y)), [5], "{path:?}");
    }
}
