//! The features of `bitwall::character`, each in a separate level, as an animated picture.
//!
//! `cargo run --release --example feel [FILE.gif]` (without a file name: in the folder for temporary files)
//!
//! The keys are a script. If the character does not reach the flag of a scene, the example returns an error,
//! so CI fails if a feature has changed.

mod stage {
    pub(crate) mod flip_book;
    pub(crate) mod scenes;
}

use std::env;
use std::error::Error;
use std::path::PathBuf;

use bitwall::character::{Feel, Input, Platformer, Stance};
use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Dir, Level, Mover, MoverSettings, Rate, Terrain, grid::Grid};

use stage::flip_book::{FlipBook, Page};
use stage::scenes::{SCENES, Scene};

const CELL: i32 = 16;
const VIEW: UVec2 = UVec2::new(256, 160);
/// The number of steps of a 60th of a second for each frame, and the time of a frame in hundredths of a
/// second.
const STEPS_A_FRAME: u32 = 3;
const HUNDREDTHS: u16 = 5;

const PALETTE: [[u8; 3]; 16] = [
    [236, 232, 222], // paper
    [70, 62, 78],    // rock
    [150, 108, 66],  // wood
    [150, 190, 220], // water
    [20, 18, 24],    // ink
    [250, 250, 250], // white
    [60, 130, 80],   // on the ground
    [206, 92, 60],   // in the air
    [150, 80, 160],  // on a wall
    [210, 150, 40],  // on a ledge
    [120, 90, 60],   // on a ladder
    [40, 100, 180],  // in water
    [200, 40, 50],   // the flag
    [196, 192, 184], // a key
    [0; 3],
    [0; 3],
];
const PAPER: u8 = 0;
const ROCK: u8 = 1;
const WOOD: u8 = 2;
const WATER: u8 = 3;
const INK: u8 = 4;
const WHITE: u8 = 5;
const FLAG: u8 = 12;
const KEY: u8 = 13;

fn main() -> Result<(), Box<dyn Error>> {
    let given = env::args_os().nth(1).map(PathBuf::from);
    let path = given.unwrap_or_else(|| env::temp_dir().join("feel.gif"));
    let mut book = FlipBook::create(&path, VIEW, &PALETTE)?;
    for scene in &SCENES {
        play(scene, &mut book)?;
    }
    book.turn()?;
    println!("{} frames in {}", book.frames, path.display());
    Ok(())
}

/// Plays a scene and adds its frames to the book, with a still picture at the end.
fn play(scene: &Scene, book: &mut FlipBook) -> Result<(), Box<dyn Error>> {
    let level = level(scene)?;
    let flag = place(scene, 'F').ok_or("the scene has no flag")?;
    let feet = place(scene, 'P').ok_or("the scene has no character")?;
    let body = Aabb::from_xywh(feet.min.x + 2, feet.max.y - 24, 12, 24);
    let mut mover = Mover::new(body, MoverSettings::platformer());
    let (mut player, feel) = (Platformer::new(Rate::per_second(60)), Feel::default());
    let mut paper = background(scene);
    let mut facing = Dir::Right;
    let mut number = 0;
    println!("{}", scene.name);
    for (steps, keys) in scene.script {
        let input = input(keys);
        for _ in 0..*steps {
            let (_, outcome) = player.step(&level, &mut mover, input, &feel);
            if outcome.from != outcome.to || outcome.jumped_from.is_some() {
                let jump = outcome
                    .jumped_from
                    .map_or(String::new(), |from| format!(", jumps from {from:?}"));
                println!("  step {number:>3}: {:?}{jump}", outcome.to);
            }
            for (key, side) in [("left", Dir::Left), ("right", Dir::Right)] {
                facing = if keys.contains(key) { side } else { facing };
            }
            // The path of the character is painted on the background and stays visible.
            let middle = mover.body.center();
            paper.fill(Aabb::from_xywh(middle.x, middle.y, 1, 1), color(player.stance));
            if number % STEPS_A_FRAME == 0 {
                book.add(page(&paper, &mover, player.stance, facing, keys), HUNDREDTHS)?;
            }
            number += 1;
        }
    }
    book.add(page(&paper, &mover, player.stance, facing, ""), 60)?;
    if !mover.body.overlaps(flag) {
        return Err(format!("{}: it ends at {:?}, not at the flag", scene.name, mover.body).into());
    }
    Ok(())
}

/// Returns the level of a scene: `#` is solid, `-` one-way, `H` a ladder, `~` water.
fn level(scene: &Scene) -> Result<Level, Box<dyn Error>> {
    let cells = |sign: char| {
        let cell = |c| {
            if c == sign {
                '#'
            } else if c == '\n' {
                c
            } else {
                '.'
            }
        };
        Grid::from_text(&scene.level.chars().map(cell).collect::<String>())
    };
    let size = UVec2::splat(CELL as u32);
    let area = |sign| Terrain::new(cells(sign)?, size);
    let level = Level::from_grid(cells('#')?, size)?.with_one_way(Dir::Up, cells('-')?)?;
    Ok(level.with_area("ladder", area('H')?).with_area("water", area('~')?))
}

/// Returns the box and the character of each cell of a scene.
fn cells(scene: &Scene) -> impl Iterator<Item = (Aabb, char)> {
    let rows = (0..).zip(scene.level.lines());
    rows.flat_map(|(row, line)| {
        let cell = move |column| Aabb::from_xywh(column * CELL, row * CELL, CELL, CELL);
        (0..).zip(line.chars()).map(move |(column, sign)| (cell(column), sign))
    })
}

fn place(scene: &Scene, sign: char) -> Option<Aabb> {
    cells(scene).find(|(_, known)| *known == sign).map(|(area, _)| area)
}

/// Returns the input for names of held keys, such as "right jump".
fn input(keys: &str) -> Input {
    let holds = |key| keys.split(' ').any(|name| name == key);
    Input::from_keys(holds("left"), holds("right"), holds("up"), holds("down"), holds("jump"))
}

fn color(stance: Stance) -> u8 {
    match stance {
        Stance::Ground => 6,
        Stance::Air => 7,
        Stance::WallSlide(_) => 8,
        Stance::Ledge(_) | Stance::LedgeClimb(_) => 9,
        Stance::Ladder => 10,
        Stance::Water => 11,
        _ => 7,
    }
}

fn background(scene: &Scene) -> Page {
    let mut page = Page::new(VIEW, PAPER);
    for (area, sign) in cells(scene) {
        let Aabb { min, max } = area;
        match sign {
            '#' => page.fill(area, ROCK),
            '~' => page.fill(area, WATER),
            '-' => page.fill(Aabb { min, max: IVec2::new(max.x, min.y + 4) }, WOOD),
            'H' => page.paint(area, WOOD, |at| {
                let (x, y) = (at.x - min.x, at.y - min.y);
                [2, 3, 12, 13].contains(&x) || (2..14).contains(&x) && [3, 4, 11, 12].contains(&y)
            }),
            'F' => page.paint(area, FLAG, |at| {
                let (x, y) = (at.x - min.x, at.y - min.y);
                x == 4 || (4..13).contains(&x) && y < 8
            }),
            _ => {}
        }
    }
    page.fill(Aabb::from_xywh(0, 144, 256, 16), INK);
    page.write(IVec2::new(4, 147), scene.name, WHITE);
    page
}

/// Draws the character in its level, and the held keys.
fn page(paper: &Page, mover: &Mover, stance: Stance, facing: Dir, keys: &str) -> Page {
    let mut page = paper.clone();
    let Aabb { min, max } = mover.body;
    page.paint(mover.body, color(stance), |at| {
        let corner = (at.x == min.x || at.x == max.x - 1) && (at.y == min.y || at.y == max.y - 1);
        let gap = at.y >= max.y - 5 && (min.x + 5..max.x - 5).contains(&at.x);
        !corner && !gap
    });
    // Two eyes, on the side to which the character looks.
    let eyes = min.x + if facing == Dir::Right { 5 } else { 1 };
    for x in [eyes, eyes + 4] {
        page.fill(Aabb::from_xywh(x, min.y + 4, 2, 3), WHITE);
    }
    for (place, name, sign) in
        [(0, "left", "<"), (1, "right", ">"), (2, "up", "^"), (3, "down", "v"), (4, "jump", "jump")]
    {
        let is_held = keys.split(' ').any(|key| key == name);
        let width = 6 * sign.len() as i32 + 6;
        let key = Aabb::from_xywh(164 + 13 * place, 146, width, 12);
        page.fill(key, if is_held { KEY } else { INK });
        page.write(key.min + IVec2::new(3, 1), sign, if is_held { INK } else { KEY });
    }
    page
}
