//! The game of `examples/adventure.rs`, played by random keys: no character is in a solid, trapped or launched,
//! and a game that is loaded goes on as one that was not saved. `--play 1 1000000` of the example is the long
//! run.

#[path = "../../examples/stage/adventure.rs"]
mod adventure;
#[expect(dead_code, reason = "the film of the example uses the rest")]
#[path = "../../examples/stage/flip_book.rs"]
mod flip_book;
#[path = "../../examples/stage/random_play.rs"]
mod random_play;
#[expect(dead_code, reason = "the film of the example uses the rest")]
#[path = "../../examples/stage/room.rs"]
mod room;

/// Deeds that a seed must contain, so that a play that does nothing is no success.
const DEEDS: [&str; 20] = [
    "a crate moves aside",
    "bitten",
    "checkpoint",
    "climbs a ladder",
    "crouches",
    "crushed",
    "dashes",
    "hangs on a ledge",
    "is in the wind",
    "jumps in the air",
    "jumps off a wall",
    "loaded",
    "rides a lift or belt",
    "rides the circle",
    "shot",
    "spikes",
    "spring",
    "stands on a body",
    "stomp",
    "swims",
];

#[test]
fn a_game_played_by_random_keys_holds() {
    let mut missing = DEEDS.to_vec();
    for seed in 1..=3 {
        let deeds = random_play::play(seed, 20_000, &mut |_, _| Ok(())).unwrap();
        missing.retain(|deed| !deeds.contains_key(*deed));
    }
    assert!(missing.is_empty(), "no hero does this: {missing:?}");
}
