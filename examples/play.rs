//! A window in which you walk through any level: a Tiled map, a world or a mask.
//!
//! `cargo run --release --example play [--above] [LEVEL]` (without a level: `assets/cave.tmx`)
//!
//! | key | does |
//! |---|---|
//! | arrows | walk; down and space together: drop through a one-way ledge |
//! | space | jump |
//! | Tab | switches between the view from the side and from above (`--above` starts from above) |
//! | C | shows the solid cells |
//! | Escape | quits |
//!
//! The window is made with the crate `minifb`. The game advances in fixed steps of a 60th of a second,
//! independent of the frame rate, so that it is the same on a slow machine. If there is no screen, as in CI,
//! the example prints that, walks for ten seconds without a window, and ends.

mod stage {
    pub(crate) mod hero;
    pub(crate) mod picture;
}

use std::env;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Level, MoverSettings};
use minifb::{Key, KeyRepeat, Scale, Window, WindowOptions};

use stage::hero::{Hero, Keys};
use stage::picture::{Stage, Walker, camera};

const VIEW: UVec2 = UVec2::new(400, 240);
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// The longest time by which one frame advances the game. After a longer pause (the window was dragged, the
/// machine slept) the game does not catch up.
const LONGEST_FRAME: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let (flags, paths): (Vec<String>, Vec<String>) =
        env::args().skip(1).partition(|argument| argument.starts_with("--"));
    if let Some(flag) = flags.iter().find(|flag| *flag != "--above") {
        return Err(format!("there is no {flag}; there is --above").into());
    }
    let path = paths.first().map_or("assets/cave.tmx", String::as_str);
    let stage = Stage::load(Path::new(path))?;
    let settings =
        if flags.is_empty() { MoverSettings::platformer() } else { MoverSettings::top_down() };
    let hero = Hero::new(&stage.level, spawn(&stage.level), settings);
    if stage.level.overlaps(hero.mover.body) {
        return Err(format!("{path} has no room for it anywhere").into());
    }

    let options = WindowOptions { scale: Scale::X2, ..WindowOptions::default() };
    match Window::new(&format!("bitwall: {path}"), VIEW.x as usize, VIEW.y as usize, options) {
        Ok(window) => play(window, &stage, hero),
        Err(error) => {
            println!("no window ({error}), so {path} is walked unseen");
            walk_unseen(&stage.level, hero)
        }
    }
}

/// Returns the position of the marker `player` or `spawn`, or the middle of the level.
fn spawn(level: &Level) -> Aabb {
    let is_spawn =
        |word: &str| ["player", "spawn"].iter().any(|name| word.eq_ignore_ascii_case(name));
    let mut markers = level.markers().iter();
    match markers.find(|marker| is_spawn(&marker.name) || is_spawn(&marker.class)) {
        Some(marker) => marker.area,
        None => Aabb { min: IVec2::ZERO, max: level.size().as_ivec2() },
    }
}

/// Runs the game until its window is closed.
fn play(mut window: Window, stage: &Stage, mut hero: Hero) -> Result<(), Box<dyn Error>> {
    let walker = Walker::load()?;
    let mut shows_solids = false;
    let mut last = Instant::now();
    let mut due = Duration::ZERO;
    window.set_target_fps(60);
    while window.is_open() && !window.is_key_down(Key::Escape) {
        if window.is_key_pressed(Key::Tab, KeyRepeat::No) {
            hero = seen_otherwise(&stage.level, &hero);
        }
        shows_solids ^= window.is_key_pressed(Key::C, KeyRepeat::No);

        due = (due + last.elapsed()).min(LONGEST_FRAME);
        last = Instant::now();
        while due >= STEP {
            due -= STEP;
            hero.step(&stage.level, held(&window))?;
        }

        let corner = camera(hero.middle(), VIEW, stage.level.size());
        let mut picture = stage.view(corner, VIEW);
        walker.draw(&mut picture, &hero, corner, 255);
        let pixels: Vec<u32> = (0..)
            .zip(picture.pixels())
            .map(|(index, pixel)| {
                let point = corner + IVec2::new(index % VIEW.x as i32, index / VIEW.x as i32);
                let is_tinted = shows_solids && stage.level.is_solid(point);
                let [red, green, blue, _] = pixel.0;
                let red = if is_tinted { red / 2 + 127 } else { red };
                u32::from_be_bytes([0, red, green, blue])
            })
            .collect();
        window.update_with_buffer(&pixels, VIEW.x as usize, VIEW.y as usize)?;
    }
    Ok(())
}

fn held(window: &Window) -> Keys {
    Keys {
        left: window.is_key_down(Key::Left),
        right: window.is_key_down(Key::Right),
        up: window.is_key_down(Key::Up),
        down: window.is_key_down(Key::Down),
        jump: window.is_key_down(Key::Space),
    }
}

/// Returns the hero at the same position, switched between the view from the side and from above.
fn seen_otherwise(level: &Level, hero: &Hero) -> Hero {
    let settings = match hero.mover.settings.floor {
        Some(_) => MoverSettings::top_down(),
        None => MoverSettings::platformer(),
    };
    Hero::new(level, hero.mover.body, settings)
}

/// Walks back and forth for ten seconds without a window, and checks that the hero never enters a wall.
fn walk_unseen(level: &Level, mut hero: Hero) -> Result<(), Box<dyn Error>> {
    let start = hero.mover.body;
    for number in 0..600 {
        let keys = Keys {
            right: number % 300 < 200,
            left: number % 300 >= 200,
            jump: number % 50 < 20,
            ..Keys::default()
        };
        hero.step(level, keys)?;
        if level.overlaps(hero.mover.body) {
            return Err(format!("it came into a wall at step {number}").into());
        }
    }
    let (from, to) = (start.min, hero.mover.body.min);
    println!("from ({}, {}) it came to ({}, {})", from.x, from.y, to.x, to.y);
    Ok(())
}
