//! Paths are as short as the paths of Dijkstra's algorithm, and `can_move` allows each leg.

use bitwall::geometry::Corners;
use bitwall::glam::{IVec2, UVec2};
use bitwall::mover::MovePath;
use bitwall::navigate::Search;
use bitwall::{Aabb, Mover, MoverSettings};

use super::grounds;
use super::plain::{Plain, prove};
use crate::support::rounds;

/// Returns a random position, most often a free one.
fn some(random: &mut fastrand::Rng, plain: &Plain, free: &[IVec2]) -> IVec2 {
    if free.is_empty() || random.u32(0..8) == 0 {
        let end = plain.origin + plain.size;
        let at = |low: i32, high: i32, random: &mut fastrand::Rng| random.i32(low - 4..high + 5);
        let x = at(plain.origin.x, end.x, random);
        return IVec2::new(x, at(plain.origin.y, end.y, random));
    }
    free[random.usize(0..free.len())]
}

fn body(random: &mut fastrand::Rng) -> UVec2 {
    let largest = [3, 8, 40][random.usize(0..3)];
    UVec2::new(random.u32(1..=largest), random.u32(1..=largest))
}

#[test]
fn paths_are_as_short_as_those_of_dijkstra_and_each_leg_is_free() {
    let mut random = fastrand::Rng::with_seed(331);
    let mut search = Search::default();
    let (mut queries, mut found) = (0, 0);
    while queries < rounds(10_000) {
        let terrain = grounds::terrain(&mut random, UVec2::new(180, 140));
        let size = body(&mut random);
        let plain = Plain::new(&terrain, size, &[]);
        let free: Vec<IVec2> = plain.free_positions().collect();
        let ways = terrain.ways(size).unwrap();
        for _ in 0..4 {
            let from = some(&mut random, &plain, &free);
            let lengths = [true, false].map(|eight| plain.dijkstra(&[from], eight));
            for _ in 0..5 {
                let to = some(&mut random, &plain, &free);
                assert_eq!(ways.is_free(to), plain.is_free(to), "{to} {size} {terrain:?}");
                for (ways, lengths) in [&ways, &ways.four_directions()].iter().zip(&lengths) {
                    queries += 1;
                    let expected = plain.index(to).and_then(|to| lengths[to]);
                    let path = ways.path(from, to, &mut search);
                    let length = path.as_ref().map(|path| path.length);
                    assert_eq!(length, expected, "{from} {to} {ways:?}\n{}", terrain.grid());
                    let Some(path) = path else { continue };
                    found += 1;
                    prove(&terrain, size, &path, [from, to]);
                    let back = ways.path(to, from, &mut search).map(|path| path.length);
                    assert_eq!(back, expected);
                }
            }
        }
    }
    assert!(found * 3 > queries, "{found} of {queries}");
}

#[test]
fn paths_around_bodies_match_dijkstra_and_a_search_does_not_affect_the_next() {
    let mut random = fastrand::Rng::with_seed(332);
    let (mut found, mut longer) = (0, 0);
    for _ in 0..rounds(1_500) {
        let terrain = grounds::terrain(&mut random, UVec2::new(120, 90));
        let size = body(&mut random);
        let (ways, mut search) = (terrain.ways(size).unwrap(), Search::default());
        for _ in 0..3 {
            let level = terrain.size().as_ivec2();
            let mut other = || {
                let (x, y) = (random.i32(-20..level.x + 20), random.i32(-20..level.y + 20));
                Aabb::from_xywh(x, y, random.i32(0..30), random.i32(0..30))
            };
            let others: Vec<Aabb> = (0..8).map(|_| other()).collect();
            let plain = Plain::new(&terrain, size, &others);
            let free: Vec<IVec2> = plain.free_positions().collect();
            let (from, to) = (some(&mut random, &plain, &free), some(&mut random, &plain, &free));
            let around = ways.around(&others);
            assert_eq!(around.is_free(from), plain.is_free(from));
            let expected = plain.index(to).and_then(|to| plain.dijkstra(&[from], true)[to]);
            let path = around.path(from, to, &mut search);
            assert_eq!(path.as_ref().map(|path| path.length), expected, "{from} {to} {around:?}");
            let open = ways.path(from, to, &mut search);
            assert_eq!(open, ways.path(from, to, &mut Search::default()));
            let Some(path) = path else { continue };
            found += 1;
            longer += u32::from(open.is_some_and(|open| open.length < path.length));
            prove(&terrain, size, &path, [from, to]);
            let smooth = path.smooth(&around);
            let legs = smooth.points.windows(2);
            assert!(legs.into_iter().all(|leg| around.sees(leg[0], leg[1])), "{smooth:?}");
        }
    }
    assert!(found > rounds(1_500) && longer > 5, "{found} {longer}");
}

#[test]
fn a_mover_goes_straight_along_each_leg_of_a_smooth_path() {
    let mut random = fastrand::Rng::with_seed(333);
    let settings =
        MoverSettings { path: MovePath::Straight(Corners::Block), ..MoverSettings::PLAIN };
    let mut search = Search::default();
    let (mut slanted, mut shorter, mut blind) = (0, 0, 0);
    for _ in 0..rounds(3_000) {
        let terrain = grounds::terrain(&mut random, UVec2::new(160, 120));
        let size = body(&mut random);
        let plain = Plain::new(&terrain, size, &[]);
        let free: Vec<IVec2> = plain.free_positions().collect();
        let ways = terrain.ways(size).unwrap();
        let arrives = |from: IVec2, to: IVec2| {
            let mut mover = Mover::new(Aabb { min: from, max: from + size.as_ivec2() }, settings);
            mover.step(&terrain, (to - from).as_vec2()).unwrap();
            mover.body.min == to
        };
        let (from, to) = (some(&mut random, &plain, &free), some(&mut random, &plain, &free));
        if ways.is_free(from) && ways.is_free(to) {
            let sees = ways.sees(from, to);
            assert_eq!(sees, ways.sees(to, from));
            // A one-way cell stops a mover from one side only.
            let has_one_way = terrain.one_way(bitwall::Dir::Up).is_some();
            assert!(sees == arrives(from, to) || has_one_way && !sees, "{from} {to} {terrain:?}");
            blind += u32::from(!sees);
        }
        let Some(path) = ways.path(from, to, &mut search) else { continue };
        let smooth = path.smooth(&ways);
        let ends = |points: &[IVec2]| (points[0], points[points.len() - 1]);
        assert_eq!(ends(&smooth.points), ends(&path.points));
        assert!(smooth.length <= path.length && smooth.points.len() <= path.points.len());
        shorter += u32::from(smooth.length < path.length);
        for leg in smooth.points.windows(2) {
            let way = (leg[1] - leg[0]).abs();
            slanted += u32::from(way.x != way.y && way.min_element() > 0);
            assert!(ways.sees(leg[0], leg[1]) && arrives(leg[0], leg[1]), "{leg:?} {terrain:?}");
        }
    }
    let few = rounds(3_000) as u32 / 10;
    assert!(slanted > few && shorter > few && blind > few, "{slanted} {shorter} {blind}");
}

#[test]
fn the_nearest_free_position_agrees_with_a_search_of_all_positions() {
    let mut random = fastrand::Rng::with_seed(334);
    for _ in 0..rounds(1_500) {
        let terrain = grounds::terrain(&mut random, UVec2::new(150, 90));
        let size = body(&mut random);
        let others = [Aabb::from_xywh(random.i32(0..99), random.i32(0..60), 20, 30)];
        let others = if random.bool() { &others[..] } else { &[] };
        let plain = Plain::new(&terrain, size, others);
        for _ in 0..4 {
            let at = IVec2::new(random.i32(-60..220), random.i32(-60..160));
            let square = |to: IVec2| (to - at).length_squared();
            let expected = plain.free_positions().min_by_key(|to| (square(*to), to.y, to.x));
            let ways = terrain.ways(size).unwrap();
            let ways = ways.around(others);
            assert_eq!(ways.nearest(at), expected, "{at} {ways:?}");
        }
    }
}
