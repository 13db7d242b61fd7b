//! Movers with footprints instead of boxes: circles, capsules, sprites.

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::{
    Aabb, Dir, Footprint, Grid, Level, Mover, MoverSettings, Outside, geometry::Corners,
    mover::MovePath,
};

use crate::support::{ascii, cells, grid, mover_settings, scattered};

fn noise(random: &mut fastrand::Rng, size: UVec2, cell: UVec2, solids: u32) -> Level {
    Level::from_grid(scattered(random, size, solids, UVec2::ONE), cell).unwrap()
}

#[test]
fn a_full_rectangular_footprint_moves_like_a_box() {
    let mut random = fastrand::Rng::with_seed(41);
    for _ in 0..20_000 {
        let cell = UVec2::new(random.u32(1..5), random.u32(1..7));
        let solids = random.u32(0..60);
        let level = noise(&mut random, UVec2::new(20, 14), cell, solids);
        let size = IVec2::new(random.i32(1..12), random.i32(1..12));
        let at = IVec2::new(random.i32(-4..80), random.i32(-4..80));
        let body = Aabb { min: at, max: at + size };
        let mut boxed = Mover::new(body, mover_settings(&mut random));
        let mut shaped = boxed;
        let footprint = Footprint::rectangle(size.as_uvec2()).unwrap();
        let step = Vec2::new(random.f32() * 60.0 - 30.0, random.f32() * 60.0 - 30.0);
        let moves = (
            boxed.step(&level, step).unwrap(),
            shaped.step(&level.with_footprint(&footprint), step).unwrap(),
        );
        assert_eq!(moves.0, moves.1, "{body:?} {step} {level:?}");
        assert_eq!(boxed, shaped);
        let radius = random.u32(0..9);
        assert_eq!(
            boxed.unstick(&level, radius),
            shaped.unstick(&level.with_footprint(&footprint), radius)
        );
    }
}

#[test]
fn a_body_with_a_footprint_is_resized_to_its_size_alone() {
    let level = Level::from_grid(Grid::new(40, 40).unwrap(), UVec2::ONE).unwrap();
    let disc = Footprint::circle(6).unwrap();
    let solids = level.with_footprint(&disc);
    let mut body = Mover::new(Aabb::from_xywh(10, 10, 4, 9), MoverSettings::PLAIN);
    assert!(!body.resize(&solids, disc.size() + UVec2::X, None));
    assert!(!body.resize(&solids, disc.size() - UVec2::Y, None));
    assert!(body.resize(&solids, disc.size(), None));
    assert_eq!(body.body.size(), disc.size());
}

#[test]
fn no_footprint_ends_in_a_solid() {
    let mut random = fastrand::Rng::with_seed(43);
    let mut shapes = vec![
        Footprint::circle(7).unwrap(),
        Footprint::circle(12).unwrap(),
        Footprint::capsule(UVec2::new(6, 13)).unwrap(),
    ];
    let sprite = grid("..##..\n.####.\n#.##.#\n..##..\n.#..#.\n##...#");
    let sprite = Footprint::from_grid(&sprite).unwrap();
    shapes.extend([sprite.flipped(true, false), sprite.turned(), sprite]);
    let mut free = 0;
    for _ in 0..30_000 {
        let cell = UVec2::new(random.u32(1..4), random.u32(1..6));
        let solids = random.u32(0..30);
        let level = noise(&mut random, UVec2::new(30, 20), cell, solids);
        let shape = &shapes[random.usize(0..shapes.len())];
        let at = IVec2::new(random.i32(0..60), random.i32(0..60));
        let mut mover = Mover::new(shape.bounds(at), mover_settings(&mut random));
        let step = Vec2::new(random.f32() * 60.0 - 30.0, random.f32() * 60.0 - 30.0);
        let moved = mover.step(&level.with_footprint(shape), step).unwrap();
        assert_eq!(moved.started_solid, level.overlaps(shape.at(at)));
        if !moved.started_solid {
            free += 1;
            assert!(!level.overlaps(shape.at(mover.body.min)), "{mover:?} {step}");
        }
        if mover.unstick(&level.with_footprint(shape), 12).is_some() {
            assert!(!level.overlaps(shape.at(mover.body.min)));
        }
    }
    assert!(free > 5_000);
}

#[test]
fn a_diagonal_step_never_moves_a_notched_footprint_into_a_solid() {
    // The positions to the right and below contain the solid too, so a sweep from one of them does not enter
    // it.
    let level = ascii("....\n....\n..#.\n....").with_outside(Outside::Open);
    let shape = Footprint::from_grid(&grid("..#\n.##\n##.")).unwrap();
    let mut stopped = 0;
    for at in (-4..5).flat_map(|y| (-4..5).map(move |x| IVec2::new(x, y))) {
        if level.overlaps(shape.at(at)) {
            continue;
        }
        for by in [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]] {
            let path = MovePath::Straight(Corners::Pass);
            let settings = MoverSettings { path, ..MoverSettings::PLAIN };
            let mut mover = Mover::new(shape.bounds(at), settings);
            let step = mover.step(&level.with_footprint(&shape), by).unwrap();
            assert!(!level.overlaps(shape.at(mover.body.min)), "from {at} by {by:?}");
            stopped += usize::from(step.is_stopped());
        }
    }
    assert!(stopped > 10, "{stopped}");
}

#[test]
fn a_disc_walks_over_a_bump_that_stops_a_box() {
    // A bump of 3 px is too high for a step of 2 px, but the round side of a circle climbs it in parts.
    let open = ["...................."; 9].join("\n");
    let bump = ["..........#........."; 3].join("\n");
    let rows = format!("{open}\n{bump}\n####################");
    let level = ascii(&rows);
    let settings = MoverSettings { step_height: 2, ..MoverSettings::platformer() };
    let mut boxed = Mover::new(Aabb::from_xywh(0, 4, 8, 8), settings);
    let mut round = boxed;
    let circle = Footprint::circle(8).unwrap();
    for _ in 0..6 {
        boxed.step(&level, Vec2::new(1.0, 0.5)).unwrap();
        round.step(&level.with_footprint(&circle), Vec2::new(1.0, 0.5)).unwrap();
    }
    assert_eq!(boxed.body.min.x, 2, "the bump stops it");
    assert_eq!(round.body.min.x, 6);
    assert!(round.body.min.y < 4);
}

#[test]
fn a_sprite_that_turns_into_a_solid_reports_started_solid() {
    let level = ascii("......\n.....#\n......");
    let right = Footprint::from_grid(&grid("###.\n##..\n###.")).unwrap();
    let left = right.flipped(true, false);
    let mut walker = Mover::new(right.bounds(IVec2::new(1, 0)), MoverSettings::PLAIN);
    let step = walker.step(&level.with_footprint(&right), Vec2::new(9.0, 0.0)).unwrap();
    assert_eq!(step.moved.x, 2, "its open mouth surrounds the solid");
    let step = walker.step(&level.with_footprint(&left), Vec2::ZERO).unwrap();
    assert!(step.started_solid, "the closed side does not fit there");
    let moved = walker.unstick(&level.with_footprint(&left), 4);
    assert_eq!(moved, Some(IVec2::new(-2, 0)));
    assert!(level.can_move(left.at(walker.body.min), Dir::Left, 1));
}

#[test]
fn a_disc_drops_through_a_one_way_floor_in_one_go() {
    let mut ledge = Grid::new(20, 20).unwrap();
    ledge.fill(6..20, 8..9, true).unwrap();
    let mut post = Grid::new(20, 20).unwrap();
    post.fill(5..6, 8..9, true).unwrap();
    let level = cells(post, 8);
    let level = level.with_one_way(Dir::Up, ledge).unwrap();
    let ball = Footprint::circle(16).unwrap();
    let start = Aabb::from_xywh(60, 48, 16, 16);
    let mut mover = Mover::new(start, MoverSettings::platformer());
    assert!(mover.touching(&level.with_footprint(&ball)).down);
    assert!(mover.drop_through(&level.with_footprint(&ball)));
    assert!(!mover.touching(&level.with_footprint(&ball)).down);
    let step = mover.step(&level.with_footprint(&ball), Vec2::new(0.0, 30.0));
    assert_eq!(step.unwrap().moved, IVec2::new(0, 30));
    // Only the corner of the disc's box is above the post: the disc falls until its side touches the post.
    let mut mover = Mover::new(start.translated(IVec2::NEG_X * 14), mover.settings);
    assert!(!mover.drop_through(&level));
    assert!(mover.drop_through(&level.with_footprint(&ball)));
    assert!(!level.overlaps(ball.at(mover.body.min)));
    assert!(!mover.drop_through(&level.with_footprint(&ball)));
}

#[test]
fn a_body_among_the_solids_of_a_footprint_is_resized_only_to_the_size_of_the_footprint() {
    let level = ascii("..........\n..........\n..........\n..........\n..........\n..........");
    let shape = Footprint::capsule(UVec2::new(2, 4)).unwrap();
    let solids = level.with_footprint(&shape);
    for (width, height) in [(2, 4), (4, 2), (2, 3), (3, 4)] {
        let (size, is_possible) = (UVec2::new(width, height), (width, height) == (2, 4));
        let mut mover = Mover::new(shape.bounds(IVec2::new(3, 1)), MoverSettings::PLAIN);
        let before = mover;
        assert_eq!(mover.resize(&solids, size, Some(Dir::Down)), is_possible, "{size:?}");
        assert_eq!(mover, before, "{size:?}");
    }
}
