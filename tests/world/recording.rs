//! Recordings: a replay gives the recorded game, and names the first step that differs.

use bitwall::character::{Feel, Input};
use bitwall::glam::{IVec2, UVec2};
use bitwall::world::{Body, Player, Recording, World};
use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};
use fastrand::Rng;

use crate::support::{rounds, scattered};

/// A game of two players and a crate in random rooms.
#[derive(Clone)]
struct Game {
    level: Level,
    world: World,
    players: Vec<Player>,
}

impl Game {
    fn random(random: &mut Rng) -> Self {
        let rooms = scattered(random, UVec2::new(30, 20), 40, UVec2::new(4, 2));
        let level = Level::from_grid(rooms, UVec2::splat(16)).unwrap();
        let mut world = World::new(Rate::per_second(60));
        let at = |random: &mut Rng| IVec2::new(random.i32(0..460), random.i32(0..300));
        let crate_box = Aabb::from_xywh(0, 0, 14, 14).translated(at(random));
        world.add(Body::pushable(crate_box, 4, 900.0));
        let mut hero = || {
            let body = Aabb::from_xywh(0, 0, 12, 20).translated(at(random));
            world.add(Body::character(body, MoverSettings::platformer()))
        };
        let players = [hero(), hero()].map(|hero| Player::new(hero, Feel::default())).into();
        Self { level, world, players }
    }
}

fn random_input(random: &mut Rng) -> Input {
    Input::from_axes(random.f32() * 2.0 - 1.0, random.f32() * 2.0 - 1.0, random.bool())
}

/// Returns the checksums that a step is told by.
fn state(world: &World, players: &[Player]) -> (u64, Vec<u64>) {
    (world.checksum(), players.iter().map(Player::checksum).collect())
}

#[test]
fn a_replay_names_the_first_step_that_differs() {
    let random = &mut Rng::with_seed(4);
    let mut late = 0;
    for _ in 0..rounds(300) {
        let start = Game::random(random);
        let mut game = start.clone();
        let mut recording = Recording::default();
        let mut states = Vec::new();
        for _ in 0..60 {
            game.players.iter_mut().for_each(|player| player.input = random_input(random));
            game.world.step_players(&game.level, &mut game.players);
            recording.record(&game.world, &game.players);
            states.push(state(&game.world, &game.players));
        }

        let mut again = start.clone();
        let step = |_, world: &mut World, players: &mut [Player]| {
            world.step_players(&again.level, players);
        };
        assert_eq!(recording.replay(&mut again.world, &mut again.players, step), None);
        assert_eq!((&again.world, &again.players), (&game.world, &game.players));

        // In this game a wall vanishes before a step; the step at which that shows is found.
        let edit = random.usize(0..60);
        let gone = Aabb::from_xywh(random.i32(0..400), random.i32(0..300), 60, 60);
        let mut other = start.clone();
        let mut steps = 0;
        let mut first = None;
        let step = |number: usize, world: &mut World, players: &mut [Player]| {
            assert_eq!(number, steps);
            if number == edit {
                other.level.carve(&gone, IVec2::ZERO);
            }
            world.step_players(&other.level, players);
            first = first.or((state(world, players) != states[number]).then_some(number));
            steps += 1;
        };
        let found = recording.replay(&mut other.world, &mut other.players, step);
        assert_eq!(found, first);
        assert_eq!(steps, found.map_or(60, |step| step + 1), "it ends there");
        assert!(found.is_none_or(|step| step >= edit));
        late += u32::from(found.is_some_and(|step| step > edit));
    }
    assert!(late > 3, "{late}");
}

#[test]
fn a_replay_with_fewer_players_or_of_no_steps_is_an_answer() {
    let mut game = Game::random(&mut Rng::with_seed(1));
    let step = |level: &Level, world: &mut World, players: &mut [Player]| {
        world.step_players(level, players);
    };
    let blank = Level::from_grid(Grid::new(9, 9).unwrap(), UVec2::ONE).unwrap();
    let nothing = Recording::default();
    let play = |_, world: &mut World, players: &mut [Player]| step(&blank, world, players);
    assert_eq!(nothing.replay(&mut game.world, &mut game.players, play), None);
    let mut recording = nothing.clone();
    recording.record(&game.world, &game.players);
    assert_eq!(recording.replay(&mut game.world, &mut game.players[..1], |_, _, _| {}), Some(0));
}
