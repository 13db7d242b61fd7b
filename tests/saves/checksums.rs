//! Checksums of states that were saved and loaded, and of levels that were made in other ways.

use std::hash::{Hash, Hasher};

use bitwall::character::{Feel, Input, Platformer};
use bitwall::glam::{IVec2, UVec2};
use bitwall::property::PropertyValue;
use bitwall::world::{Body, Player, World};
use bitwall::{Aabb, Dir, Grid, Level, Marker, Mover, MoverSettings, Rate, Terrain};

use super::copies;
use super::levels::all_levels;
use super::worlds::busy_world;

#[test]
fn a_level_keeps_its_checksum_when_it_is_saved_or_baked() {
    let mut levels: Vec<Level> = all_levels().into_iter().map(|loaded| loaded.level).collect();
    levels.push(Level::from_grid(Grid::sparse(1 << 30, 1 << 30).unwrap(), UVec2::ONE).unwrap());
    for level in &levels {
        let sum = level.checksum();
        assert_eq!(level.clone().checksum(), sum);
        assert_eq!(Level::from_baked(level.bake().unwrap()).unwrap().checksum(), sum);
        for copy in copies(level) {
            assert_eq!(copy.checksum(), sum);
        }
    }
    let mut sums: Vec<u64> = levels.iter().map(Level::checksum).collect();
    sums.sort_unstable();
    sums.dedup();
    assert!(sums.len() > levels.len() / 2, "other levels have other checksums");
}

fn room() -> Level {
    let grid = Grid::from_text("....#\n.....\n#####").unwrap();
    let water = Terrain::new(Grid::from_text("..\n##").unwrap(), UVec2::splat(8)).unwrap();
    Level::from_grid(grid, UVec2::splat(16)).unwrap().with_solid_area("water", water, 1)
}

#[test]
fn each_part_of_a_level_changes_its_checksum() {
    let spawn = |value: f32| Marker {
        name: "spawn".into(),
        properties: [("gravity".into(), PropertyValue::Float(value))].into(),
        ..Marker::default()
    };
    let edited = |edit: &dyn Fn(&mut Level)| {
        let mut level = room();
        edit(&mut level);
        level
    };
    let ledge = |side| edited(&|level| drop(level.fill_one_way(side, 0..1, 0..1, true)));
    let levels = [
        room(),
        edited(&|level| drop(level.set(IVec2::ZERO, true))),
        edited(&|level| drop(level.area_mut("water").unwrap().set(IVec2::ZERO, true))),
        edited(&|level| assert!(level.set_area_category("water", 2))),
        ledge(Dir::Up),
        ledge(Dir::Left),
        room().with_outside(bitwall::Outside::Open),
        room().with_area("fire", room().terrain().clone()),
        room().with_origin(IVec2::ONE),
        room().with_markers(vec![spawn(0.5)]),
        room().with_markers(vec![spawn(0.0)]),
        room().with_markers(vec![spawn(0.5), spawn(0.5)]),
        room().into_pixels().unwrap(),
    ];
    let mut sums: Vec<u64> = levels.iter().map(Level::checksum).collect();
    sums.sort_unstable();
    sums.dedup();
    assert_eq!(sums.len(), levels.len());
    // Markers with -0 and 0 are equal.
    let [zero, negative] = [0.0, -0.0].map(|value| room().with_markers(vec![spawn(value)]));
    assert_eq!(zero.markers(), negative.markers());
    assert_eq!(zero.checksum(), negative.checksum());
}

#[test]
fn a_level_has_the_checksum_of_its_cells_whatever_was_edited_before() {
    let mut level = room();
    let sum = level.checksum();
    level.fill(0..9, 0..9, true).unwrap();
    level.fill_one_way(Dir::Up, 0..2, 1..2, true).unwrap();
    assert!(level.prepare(UVec2::splat(9)));
    assert_ne!(level.checksum(), sum);
    level.fill_one_way(Dir::Up, 0..9, 0..9, false).unwrap();
    level.fill(0..4, 0..1, false).unwrap();
    level.fill(0..5, 1..2, false).unwrap();
    assert_eq!(level.checksum(), sum, "blank one-way cells are none");
}

/// The outcome of a player's last step was compared, but not saved.
#[test]
fn a_world_with_its_players_is_equal_to_itself_after_saving_and_loading() {
    let level = Level::from_grid(Grid::new(20, 10).unwrap(), UVec2::splat(16)).unwrap();
    let mut world = World::new(Rate::per_second(1));
    let body = Body::character(Aabb::from_xywh(40, 80, 12, 20), MoverSettings::platformer());
    let mut players = vec![Player::new(world.add(body), Feel::default())];
    for step in 0..30 {
        players[0].input = Input::from_axes(1.0, 0.0, step % 9 == 0);
        world.step_players(&level, &mut players);
        let state = (world.clone(), players.clone());
        for copy in copies(&state) {
            assert_eq!(copy, state);
            assert_eq!(copy.0.checksum(), world.checksum());
            assert_eq!(copy.1[0].checksum(), players[0].checksum());
        }
    }
    assert!(players[0].outcome.is_some());
    // A file from before outcomes were saved has none.
    let mut text = serde_json::to_value(&players[0]).unwrap();
    text.as_object_mut().unwrap().remove("outcome").unwrap();
    let old: Player = serde_json::from_value(text).unwrap();
    assert_eq!((old.outcome, old.state()), (None, players[0].state()));
}

#[test]
fn movers_and_worlds_keep_their_checksums_when_they_are_saved() {
    let world = busy_world();
    for copy in copies(&world) {
        assert_eq!(copy.checksum(), world.checksum());
    }
    let level = room();
    let mut mover = Mover::new(Aabb::from_xywh(5, 5, 10, 18), MoverSettings::platformer());
    let mut state = Platformer::new(Rate::per_second(60));
    for _ in 0..30 {
        let (before, was) = (mover.checksum(), (mover, state));
        state.step(&level, &mut mover, Input::from_axes(0.5, 0.0, false), &Feel::default());
        assert_eq!(mover.checksum() == before, mover == was.0);
        assert_eq!(state.checksum() == was.1.checksum(), state == was.1);
        for copy in copies(&mover) {
            assert_eq!(copy.checksum(), mover.checksum());
        }
        for copy in copies(&state) {
            assert_eq!(copy.checksum(), state.checksum());
        }
    }
}

/// A hasher that refuses the bytes of a slice of numbers, whose order differs between machines. (The counts of
/// bounces are two numbers of one byte.)
struct Numbers(u64);

impl Hasher for Numbers {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        assert!(bytes.len() <= 2, "{bytes:?} were a slice of numbers");
        self.0 += 1;
    }

    fn write_u8(&mut self, _: u8) {}
    fn write_u16(&mut self, _: u16) {}
    fn write_u32(&mut self, _: u32) {}
    fn write_u64(&mut self, _: u64) {}
    fn write_usize(&mut self, _: usize) {}
    fn write_isize(&mut self, _: isize) {}
}

#[test]
fn states_are_hashed_number_by_number() {
    let slope = (0..60).map(|row| "#".repeat(row + 1) + &".".repeat(60 - row));
    let slope = Grid::from_text(&slope.collect::<Vec<_>>().join("\n")).unwrap();
    let level = Level::from_grid(slope.clone(), UVec2::ONE).unwrap();
    let response = bitwall::mover::Response::Bounce { restitution: 90 };
    let settings = MoverSettings { response, ..MoverSettings::platformer() };
    let mut world = World::new(Rate::per_second(1));
    for x in [30, 40] {
        let body = Body::character(Aabb::from_xywh(x, 2, 4, 4), settings);
        world.add(body.with_velocity((0.0, 5.0)));
    }
    let ids: Vec<_> =
        (0..3).map(|_| world.add(Body::sensor(Aabb::from_xywh(0, 0, 50, 50)))).collect();
    let mut hasher = Numbers(0);
    let mut slanted = false;
    for _ in 0..20 {
        world.step(&level);
        world.hash(&mut hasher);
        slanted |= world
            .iter()
            .any(|(_, body)| body.last().is_some_and(|last| last.slanted_bounce().is_some()));
    }
    assert!(slanted, "a bounce off a slope is part of a state");
    for id in ids {
        let _ = world.remove(id);
    }
    (world, busy_world(), slope).hash(&mut hasher);
}
