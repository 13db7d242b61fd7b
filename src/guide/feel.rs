//! The feel of a character: one section per feature of [`character`](crate::character), with its rule and its
//! numbers.
//!
//! A [`Mover`](crate::Mover) moves a body by a given motion, as far as solids allow. A character computes
//! this motion from plain data. [`Feel`](crate::character::Feel) has the numbers that a game tunes,
//! [`Input`](crate::character::Input) has the keys of one step, and
//! [`Platformer`](crate::character::Platformer) has the state. A game may use the module `character`, or copy
//! parts of `src/character.rs` and `src/character/moves.rs`, which have the rules of all features.
//!
#![cfg_attr(
    doc,
    doc = concat!(
        "![Seven scenes: three jumps, coyote time, jump buffering, a wall jump, a ledge, ladders, water]",
        "(data:image/gif;base64,", include_str!("feel.base64"), ")"
    )
)]
//!
//! `cargo run --example feel` makes this picture. The character's colour shows its stance: green on the
//! ground, red in the air, violet on a wall, yellow on a ledge, brown on a ladder, blue in water.
//!
//! ```
//! use bitwall::character::{Feel, Input, Platformer};
//! use bitwall::glam::UVec2;
//! use bitwall::{Aabb, Grid, Level, Mover, MoverSettings, Rate};
//!
//! let level = Level::from_grid(Grid::from_text("......\n......\n....##")?, UVec2::splat(16))?;
//! let mut mover = Mover::new(Aabb::from_xywh(8, 24, 12, 24), MoverSettings::platformer());
//! let mut player = Platformer::new(Rate::per_second(60));
//! let feel = Feel { coyote_time: 0.07, jump_height: 44.0, jump_time: 0.35, ..Feel::default() };
//! let right = Input::from_keys(false, true, false, false, false);
//! for _ in 0..60 {
//!     let (motion, outcome) = player.step(&level, &mut mover, right, &feel);
//!     if motion.landed() || outcome.dropped { /* a sound */ }
//! }
//! assert_eq!(mover.body.max.x, 64, "it stands at the step, which is too high to walk up");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Units
//! All numbers are in pixels and seconds. A [`Platformer`](crate::character::Platformer) knows its
//! [`Rate`](crate::Rate), the number of steps a second, and a step rounds each number once: speeds to 65,536ths
//! of a pixel a step, times to whole steps. So a game with 30 steps a second and one with 144 have the same
//! feel. The numbers of Celeste are published constants (`Player.cs`) for tiles of 8 pixels; the defaults are
//! for tiles of 16 pixels.
//!
//! # The arc of a jump
//! A designer plans a jump by its height and its duration, not by gravity: `jump_height` and `jump_time`. A
//! jump of H pixels that takes N steps to its highest point has gravity g = 2·H / (N·(N + 1)) and starts at
//! speed N·g. The body rises by N·g, then by (N - 1)·g, and so on. The sum is exactly H pixels, because g is
//! rounded up by too little to add a pixel. It is exact with any number of steps a second.
//!
//! | number | default | elsewhere |
//! |---|---|---|
//! | `jump_height`, `jump_time` | 44 px, 0.35 s | 2.5 to 4 tiles, 0.3 to 0.45 s; gravity 686, Celeste 900 px/s² |
//! | `fall_scale` | 1 | a fall with twice the gravity feels heavier |
//! | `fall_limit` | 240 px/s | Celeste 160 |
//! | `apex_speed` | 0: off | Celeste 40 px/s: gravity is halved below it |
//!
//! # Variable height
//! A short press makes a low jump, and a long press makes a high jump. Rule: in the first step in which the
//! key of a jump is no longer held, a rise that is faster than `released_speed` continues at
//! `released_speed`. The longer the key is held, the higher the jump. The rule slows a jump, but not a body
//! that a spring throws up. A ceiling ends the rise.
//!
//! | number | default | elsewhere |
//! |---|---|---|
//! | `released_speed` | 90 px/s: a tap rises 9 px, a whole jump 44 | Celeste: the first speed for 0.2 s |
//!
//! # Coyote time
//! A player may press the jump key slightly after the body has left an edge. Rule: for `coyote_time` after
//! the end of a floor or ladder, a jump is still granted. A jump ends this time at once, so there is no
//! second jump. A drop through a one-way floor also ends it.
//!
//! | number | default | elsewhere |
//! |---|---|---|
//! | `coyote_time` | 0.1 s | Celeste 0.1; 0.07 to 0.13 |
//!
//! # Jump buffering
//! A player may press the jump key slightly before the body lands. Rule: a press counts for
//! `buffer_time`, and the body jumps in the first step of this time in which a jump is possible. A held key makes
//! one jump. If the key was released before the jump, the jump is as high as after a short press.
//!
//! | number | default | elsewhere |
//! |---|---|---|
//! | `buffer_time` | 0.1 s | 0.07 to 0.13 |
//!
//! # Running
//! Rule: the speed changes toward the speed that the keys request. The change is the acceleration,
//! or the friction if the body only slows down. A stick that is held half way requests half the speed.
//!
//! | number | default | elsewhere |
//! |---|---|---|
//! | `top_speed` | 105 px/s | Celeste 90 |
//! | `acceleration`, `friction` | 720, 720 px/s² | Celeste 1000 and 400 |
//! | `air_acceleration`, `air_friction` | 540, 360 px/s² | Celeste 0.65 of those on the ground |
//!
//! # Wall slide and wall jump
//! A wall slows a fall, and a player at a wall can leave it upward. Rules: a body that falls, is steered
//! toward a wall and touches the wall falls no faster than `wall_slide_speed`. In the air, a jump within
//! `wall_reach` pixels of a wall starts at the speed `wall_jump`, away from the wall and up. The nearer of
//! two walls counts. For `wall_jump_time`, keys do not change the body's speed along x. Without this
//! rule, a player who still holds the key toward the wall would be back at once. A jump during coyote time is
//! a jump from the floor, not from a wall.
//!
//! | number | default | elsewhere |
//! |---|---|---|
//! | `wall_slide_speed` | 45 px/s | Celeste 20 at first |
//! | `wall_reach` | 3 px | Celeste 3 |
//! | `wall_jump` | 120, 210 px/s | Celeste 130, 105 |
//! | `wall_jump_time` | 0.17 s | Celeste 0.16 |
//!
//! # Ledges
//! A body whose jump is slightly too low can grab the edge of a ledge. Rule: a body that falls and is steered
//! toward a wall grabs the wall if the top of the wall is at most `ledge_reach` pixels above the top of the
//! body. The body also grabs a wall that it fell past in this step. The way up and over the edge must be
//! free. So the body grabs neither an edge below a ceiling nor a step as high as its knees. It hangs with its
//! top at the edge. The up key makes it climb at `climb_speed` until it stands on the ledge. The down key, or
//! the key away from the wall, lets go. The jump key makes it jump.
//!
//! | number | default | elsewhere |
//! |---|---|---|
//! | `ledge_reach` | 4 px | a quarter of a tile |
//! | `climb_speed` | 60 px/s | Celeste climbs walls at 45 up and 80 down |
//!
//! # Ladders
//! A ladder is a named area of the level; the field `ladder` of [`Feel`](crate::character::Feel) is its name.
//! Rules: the up key grabs a ladder if the middle of the body is on the ladder and the body does not rise. On
//! a ladder the keys set the velocity: without a key the body stays. The top of a ladder is a one-way floor.
//! It holds a body that walks over it or lands on it, and a climber steps onto it. The down key climbs down
//! from the top. A climber leaves the ladder if its middle leaves the ladder at a side, if it reaches the
//! floor below, or if it jumps. The keys down and jump together let go without a jump. One-way floors do not
//! hold a body that climbs down.
//!
//! # Water
//! Water is also a named area. Rules: a body whose centre is in water swims, at most at `swim_speed`. A
//! faster fall is slowed to this speed at once. Without a key the body floats up at `float_speed`. A swimming
//! body's centre does not leave the water upward, so the body rests at the surface and does not bob. The body
//! can jump only from the surface, and jump buffering helps a diver who presses the key early.
//!
//! | number | default | elsewhere |
//! |---|---|---|
//! | `swim_speed` | 90 px/s | Celeste 80, below the surface 60 |
//! | `swim_acceleration` | 450 px/s² | Celeste 600 |
//! | `float_speed` | 30 px/s | Celeste 60 at most |
//!
//! # Corner correction, slopes and steps
//! The mover has these features, not the character: see [`MoverSettings`](crate::MoverSettings).
//!
//! # Off
//! The value 0 turns a feature off: no coyote time, no reach for walls or ledges, no slide. `released_speed`
//! and the fall limit are turned off by `f32::MAX`, and ladders and water by an empty name.
