//! A map of whole tiles and the mask picture drawn from it give the same answers.

use bitwall::{Aabb, Dir, Level, LoadOptions, render};

use crate::support::{asset, png, shared};

/// Returns the level drawn like `render --view collision --scale 1` and loaded again as a mask.
fn by_way_of_a_mask(level: &Level) -> Level {
    let picture = render::collision(level).unwrap();
    Level::decode("mask.png", &png(picture), (), &LoadOptions::default()).unwrap()
}

fn compare(tiles: &Level, seed: u64) {
    let mask = by_way_of_a_mask(tiles);
    assert_eq!(mask.size(), tiles.size());
    let (width, height) = (tiles.size().x as i32, tiles.size().y as i32);
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..100_000 {
        let x = random.i32(-40..width + 40);
        let y = random.i32(-40..height + 40);
        let body = Aabb::from_xywh(x, y, random.i32(1..50), random.i32(1..50));
        let dir = Dir::ALL[random.usize(0..4)];
        let step = match random.u8(0..20) {
            0 => random.u32(0..=u32::MAX),
            _ => random.u32(0..60),
        };
        let (a, b) = (tiles.sweep(body, dir, step), mask.sweep(body, dir, step));
        assert_eq!(a.moved, b.moved, "{body:?} {dir:?} {step}");
        assert_eq!(a.is_clear(), b.is_clear());
        assert_eq!(tiles.can_move(body, dir, step), mask.can_move(body, dir, step));
        assert_eq!(tiles.overlaps(body), mask.overlaps(body));
        assert_eq!(tiles.is_solid(body.min), mask.is_solid(body.min));
    }
}

#[test]
fn a_map_and_the_mask_drawn_from_it_give_the_same_answers() {
    for (seed, name) in (0..).zip(["cave.tmx", "town.tmx", "bricks.tmx", "platforms.tmx"]) {
        compare(&Level::load(asset(name)).unwrap(), seed);
    }
}

#[test]
fn real_maps_and_the_masks_drawn_from_them_give_the_same_answers() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    for (seed, name) in (0..).zip([
        "themanaworld+tmwa-client-data/maps/007-2.tmx",
        "excaliburjs+excalibur-tiled/example/formats/example-city-zstd.tmx",
        "mapeditor+tiled/examples/perspective_walls.tmx",
    ]) {
        compare(&Level::load(corpus.join(name)).unwrap(), seed);
    }
}
