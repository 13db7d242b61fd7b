//! The refuge from another body agrees with a search of all positions, and two walkers that meet in a
//! corridor with a niche pass each other.

use std::collections::{BTreeMap, VecDeque};

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::navigate::{Path, Search, Ways};
use bitwall::world::{Body, World};
use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};

use super::grounds;
use super::plain::Plain;
use crate::support::rounds;

/// All boxes of a body of `size` on its way, also those beside its diagonal steps.
fn swept(path: &Path, size: IVec2) -> Vec<Aabb> {
    let aabb = |min: IVec2| Aabb { min, max: min + size };
    let mut boxes = vec![aabb(path.points[0])];
    for leg in path.points.windows(2) {
        let step = (leg[1] - leg[0]).signum();
        let count = (leg[1] - leg[0]).abs().max_element();
        for at in (0..count).map(|count| leg[0] + step * count) {
            boxes.extend([at + step, at + step.with_y(0), at + step.with_x(0)].map(aabb));
        }
    }
    boxes
}

#[test]
fn a_refuge_is_the_first_position_off_the_way_of_the_other_body() {
    let mut random = fastrand::Rng::with_seed(381);
    let (mut none, mut here, mut there) = (0, 0, 0);
    let mut search = Search::default();
    for _ in 0..rounds(3_000) {
        let terrain = grounds::terrain(&mut random, UVec2::new(90, 70));
        let size = UVec2::new(random.u32(1..16), random.u32(1..16));
        let other =
            if random.bool() { size } else { UVec2::new(random.u32(1..16), random.u32(1..16)) };
        let boxes = [Aabb::from_xywh(random.i32(0..90), random.i32(0..70), 9, 14)];
        let boxes = if random.bool() { &boxes[..] } else { &[] };
        let free: Vec<IVec2> = Plain::new(&terrain, other, &[]).free_positions().collect();
        let plain = Plain::new(&terrain, size, boxes);
        let own: Vec<IVec2> = plain.free_positions().collect();
        if free.is_empty() || own.is_empty() {
            continue;
        }
        let [start, goal] = [(); 2].map(|()| free[random.usize(0..free.len())]);
        let Some(way) = terrain.ways(other).unwrap().path(start, goal, &mut search) else {
            continue;
        };
        let from = own[random.usize(0..own.len())];
        let ways = terrain.ways(size).unwrap();
        let found = ways.around(boxes).refuge(from, &way, other);
        let expected = refuge(&plain, size.as_ivec2(), from, &swept(&way, other.as_ivec2()));
        assert_eq!(found, expected, "{from} {size} {way:?} {other} {terrain:?}");
        none += usize::from(found.is_none());
        here += usize::from(found == Some(from));
        there += usize::from(found.is_some_and(|found| found != from));
    }
    let few = rounds(3_000) / 60;
    assert!(none > few && here > few && there > few, "{none} {here} {there}");
}

fn refuge(plain: &Plain, size: IVec2, from: IVec2, swept: &[Aabb]) -> Option<IVec2> {
    let aabb = |min: IVec2| Aabb { min, max: min + size };
    let is_open = |at: IVec2| plain.is_free(at) && !aabb(at).overlaps(swept[0]);
    if !is_open(from) {
        return None;
    }
    let mut distances = BTreeMap::from([(from.to_array(), 0)]);
    let mut open = VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        for to in [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y].map(|step| at + step) {
            if is_open(to) && !distances.contains_key(&to.to_array()) {
                distances.insert(to.to_array(), distances[&at.to_array()] + 1);
                open.push_back(to);
            }
        }
    }
    let mut off: Vec<_> = distances.iter().map(|([x, y], far)| (*far, *y, *x)).collect();
    off.sort_unstable();
    let is_off = |at: IVec2| !swept.iter().any(|other| other.overlaps(aabb(at)));
    off.into_iter().map(|(_, y, x)| IVec2::new(x, y)).find(|at| is_off(*at))
}

/// The ways of two walkers in this step, as in `guide::ways`. If they are in each other's way, walker 1 goes
/// to a refuge, or walker 0 if walker 1 has none, and the other waits until it is there.
fn ways_of_two(
    ways: &Ways<'_>,
    at: [IVec2; 2],
    goals: [IVec2; 2],
    yields: &mut Option<(usize, IVec2)>,
    search: &mut Search,
) -> Option<[Option<Path>; 2]> {
    let boxes = at.map(|at| [Aabb { min: at, max: at.saturating_add_unsigned(ways.size()) }]);
    let past = [0, 1].map(|who| ways.around(&boxes[1 - who]).path(at[who], goals[who], search));
    if past.iter().all(Option::is_some) {
        *yields = None;
        return Some(past);
    }
    let through = [ways.path(at[0], goals[0], search)?, ways.path(at[1], goals[1], search)?];
    if yields.is_none() {
        let refuge = |who: usize| {
            let refuge = ways.refuge(at[who], &through[1 - who], ways.size());
            refuge.map(|refuge| (who, refuge))
        };
        *yields = refuge(1).or_else(|| refuge(0));
    }
    let (who, refuge) = (*yields)?;
    let mut found = through.map(Some);
    found[who] = ways.around(&boxes[1 - who]).path(at[who], refuge, search);
    if at[who] != refuge {
        found[1 - who] = None;
    }
    Some(found)
}

#[test]
fn two_walkers_that_meet_in_a_corridor_with_a_niche_pass_each_other() {
    let size = UVec2::splat(12);
    let mut search = Search::default();
    let mut yielded = [0; 2];
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (length, niche) = (22, random.usize(2..20));
        let row = |open: std::ops::Range<usize>| -> String {
            (0..length).map(|x| if open.contains(&x) { '.' } else { '#' }).collect()
        };
        let rows = [row(0..0), row(niche..niche + 1), row(1..length - 1), row(0..0)];
        let grid = Grid::from_text(&rows.join("\n")).unwrap();
        let level = Level::from_grid(grid, UVec2::splat(16)).unwrap();
        let ways = level.ways(size).unwrap();
        let goals = [IVec2::new(322, 34), IVec2::new(18, 34)];
        let mut start = |x: i32, most: i32| {
            let at = IVec2::new(x + random.i32(0..most), 32 + random.i32(0..4));
            Body::character(Aabb { min: at, max: at + 12 }, MoverSettings::top_down())
        };
        let bodies = [start(16, 60), start(250, 70)];
        let mut world = World::new(Rate::per_second(1));
        let ids = bodies.map(|body| world.add(body));
        let (mut yields, mut steps) = (None, 0);
        loop {
            let at = ids.map(|id| world.get(id).unwrap().aabb.min);
            if at == goals {
                break;
            }
            assert!(steps < 3_000, "niche {niche}: {at:?} {yields:?}");
            let paths = ways_of_two(&ways, at, goals, &mut yields, &mut search);
            for (number, path) in paths.unwrap_or_default().into_iter().enumerate() {
                let next = path.and_then(|path| path.points.get(1).copied());
                let way = next.map_or(Vec2::ZERO, |next| (next - at[number]).as_vec2());
                let body = world.get_mut(ids[number]).unwrap();
                body.set_velocity(way.clamp_length_max(1.0));
            }
            if let Some((who, _)) = yields {
                yielded[who] += 1;
            }
            world.step(&level);
            steps += 1;
        }
    }
    assert!(yielded.iter().all(|steps| *steps > 1_000), "{yielded:?}");
}
