//! Pieces of level that move: a hero walks over a ship that rises through a cave and climbs its mast, and an
//! island falls out of the sky with two walkers on it.
//!
//! `cargo run --release --example ship [FILE.gif]` (without a file name: in the folder for temporary files)
//!
//! The ship is a small level of its own with slopes, a one-way deck and a ladder. `World::add_piece` makes it
//! a platform: it carries who stands on its pixels or climbs its ladder. The island is a part of the level
//! until a blast cuts its stalk. Then it falls as a piece, and where it lands it is a part of the level
//! again. If a scene does not end as it should, the example returns an error, so CI fails.

mod stage {
    pub(crate) mod flip_book;
}

use std::env;
use std::error::Error;
use std::path::PathBuf;

use bitwall::analyze::{Connectivity, islands};
use bitwall::character::{Feel, Input, Stance};
use bitwall::glam::{IVec2, UVec2};
use bitwall::mover::Ahead;
use bitwall::shapes::Circle;
use bitwall::world::{Body, BodyId, BodyKind, Path, Player, World};
use bitwall::{Aabb, Dir, Grid, Level, MoverSettings, Outside, Rate, Sides, Terrain};

use stage::flip_book::{FlipBook, Page};

type Ends = Result<(), Box<dyn Error>>;

const RATE: Rate = Rate::per_second(60);
const VIEW: UVec2 = UVec2::new(320, 240);

const PALETTE: [[u8; 3]; 8] = [
    [236, 232, 222], // paper
    [70, 62, 78],    // rock
    [150, 108, 66],  // a piece
    [60, 130, 80],   // a hero
    [206, 92, 60],   // a walker
    [250, 250, 250], // white
    [214, 168, 40],  // a ladder
    [190, 140, 92],  // a one-way deck
];

/// The speed of the walkers on the island, in pixels a second.
const WALK: f32 = 30.0;
const GRAVITY: f32 = 600.0;

fn main() -> Ends {
    let given = env::args_os().nth(1).map(PathBuf::from);
    let path = given.unwrap_or_else(|| env::temp_dir().join("ship.gif"));
    let mut film = FlipBook::create(&path, VIEW + UVec2::new(0, 16), &PALETTE)?;
    rise_through_a_cave(&mut film)?;
    fall_with_an_island(&mut film)?;
    film.turn()?;
    println!("{} frames in {}", film.frames, path.display());
    Ok(())
}

/// A level of pixels with these solids: x, y, width and height of each.
fn pixels(size: UVec2, solids: &[[i32; 4]]) -> Result<Level, Box<dyn Error>> {
    let mut level = Level::from_grid(Grid::new(size.x, size.y)?, UVec2::ONE)?;
    for [x, y, width, height] in solids.iter().copied() {
        level.set_box(Aabb::from_xywh(x, y, width, height), true)?;
    }
    Ok(level)
}

/// The ship: a hull with a cabin between two slopes, and a mast with a ladder up to a one-way deck.
fn ship() -> Result<Level, Box<dyn Error>> {
    let size = UVec2::new(136, 88);
    let mut ship = pixels(size, &[])?;
    let hull = [(0, 64), (24, 64), (50, 44), (78, 44), (104, 64), (136, 64), (124, 88), (12, 88)];
    ship.paint(&hull.map(IVec2::from), IVec2::ZERO)?;
    let mut ladder = Grid::new(size.x, size.y)?;
    ladder.fill(60..68, 10..44, true)?;
    let mut deck = Grid::new(size.x, size.y)?;
    deck.fill(40..88, 10..11, true)?;
    let ladder = Terrain::new(ladder, UVec2::ONE)?;
    Ok(ship.with_one_way(Dir::Up, deck)?.with_area("ladder", ladder))
}

fn rise_through_a_cave(film: &mut FlipBook) -> Ends {
    let cave = [[0, 200, 92, 40], [0, 0, 320, 6], [0, 0, 40, 110], [228, 84, 92, 156]];
    let level = pixels(VIEW, &cave)?;
    let mut world = World::new(RATE);
    let places = [(IVec2::new(92, 136), 2.5), (IVec2::new(92, 20), 60.0)];
    let mut path = Path::round(RATE, 16.0, places);
    let ship = world.add_piece(Body::platform(Aabb::from_xywh(92, 136, 0, 0)), ship()?);
    let hero = Body::character(Aabb::from_xywh(30, 180, 12, 20), MoverSettings::platformer());
    let hero = world.add(hero);
    let mut players = [Player::new(hero, Feel { top_speed: 50.0, ..Feel::default() })];
    // The held keys, each with the number of steps, and the stance at the end.
    let script = [
        (148, Input::from_axes(1.0, 0.0, false), Stance::Ground),
        (30, Input::NONE, Stance::Ground),
        (20, Input::from_axes(0.0, -1.0, false), Stance::Ladder),
        (40, Input::NONE, Stance::Ladder),
        (40, Input::from_axes(0.0, -1.0, false), Stance::Ground),
        (60, Input::NONE, Stance::Ground),
        (60, Input::from_axes(0.0, 1.0, false), Stance::Ground),
        (150, Input::NONE, Stance::Ground),
        (110, Input::from_axes(1.0, 0.0, false), Stance::Ground),
        (30, Input::NONE, Stance::Ground),
    ];
    for (at, (steps, input, stance)) in script.into_iter().enumerate() {
        for step in 0..steps {
            players[0].input = input;
            if let Some(ship) = world.get_mut(ship) {
                path.advance(ship);
            }
            world.step_players(&level, &mut players);
            if step % 3 == 0 {
                film.add(draw(&level, &world, 3, "a ship with slopes, a deck and a ladder"), 5)?;
            }
        }
        let carrier = world.standing_on(hero);
        let rides = carrier == Some(ship) || at + 2 >= script.len();
        if players[0].state().stance != stance || !rides {
            let place = world.get(hero).map(|hero| hero.aabb);
            let found = players[0].state().stance;
            return Err(format!("part {at} ends with {found:?} at {place:?}").into());
        }
    }
    let end = world.get(hero).ok_or("the hero is gone")?.aabb;
    ensure(end.min.x > 240 && end.max.y == 84, "the hero leaves the ship at the top")
}

fn fall_with_an_island(film: &mut FlipBook) -> Ends {
    let level = pixels(VIEW, &[[150, 0, 8, 60], [0, 210, 320, 30]])?;
    let mut level = level.with_outside(Sides { left: Outside::Open, ..Outside::Solid.into() });
    let island = [(90, 70), (120, 60), (150, 54), (196, 62), (226, 74), (190, 100), (130, 104)];
    level.paint(&island.map(IVec2::from), IVec2::ZERO)?;
    level.paint(&Circle { center: IVec2::new(120, 214), radius: 22 }, IVec2::ZERO)?;
    let mut world = World::new(RATE);
    let walkers = [(112, 40), (178, 34)].map(|(x, y)| {
        let walker = Body::character(Aabb::from_xywh(x, y, 10, 14), MoverSettings::platformer());
        world.add(walker.with_acceleration([0.0, GRAVITY]))
    });
    let mut ways = [Dir::Right, Dir::Left];
    let mut falling: Option<(BodyId, _)> = None;
    let mut has_landed = false;
    for step in 0..360 {
        if step == 90 {
            let blast = Circle { center: IVec2::new(154, 48), radius: 7 };
            let changed = level.carve(&blast, IVec2::ZERO).ok_or("the blast hits the stalk")?;
            let loose = islands(&level, changed, Connectivity::Four, 20_000);
            let island =
                loose.iter().max_by_key(|island| island.cell_count()).ok_or("no island")?;
            level.carve(island, IVec2::ZERO);
            let pixels = island.footprint()?;
            let piece = Level::from_grid(pixels.grid().clone(), UVec2::ONE)?;
            falling = Some((world.add_piece(Body::platform(island.bounds()), piece), pixels));
        }
        let mut lands = false;
        if let Some((id, pixels)) = &falling
            && let Some(body) = world.get_mut(*id)
        {
            // A piece passes through the level, so the game ends its fall.
            let speed = body.velocity().y + GRAVITY / 60.0;
            let there = (body.position().y + f64::from(speed / 60.0)).floor() as i32;
            let due = (there - body.aabb.min.y) as u32;
            let sweep = level.sweep(pixels.at(body.aabb.min), Dir::Down, due);
            lands = sweep.contact.is_some();
            let ground = body.aabb.min + IVec2::new(0, sweep.moved as i32);
            let last = body.velocity_to(ground).y;
            body.set_velocity([0.0, if lands { last } else { speed }]);
        }
        for (walker, way) in walkers.into_iter().zip(&mut ways) {
            let ahead = world.floor_ahead(&level, walker, *way, 6);
            if matches!(ahead, Some(Ahead::Ledge(_) | Ahead::Wall(0))) {
                *way = way.opposite();
            }
            if let Some(body) = world.get_mut(walker) {
                let fall = body.velocity().y;
                body.set_velocity([way.vector().x as f32 * WALK, fall]);
            }
        }
        world.step(&level);
        if lands && let Some((id, pixels)) = falling.take() {
            let landed = world.remove(id).ok_or("the island is gone")?;
            level.paint(&pixels, landed.aabb.min)?;
            has_landed = true;
        }
        let carriers = walkers.map(|walker| world.standing_on(walker));
        let island = falling.as_ref().map(|(id, _)| *id);
        let line = format!("step {step}: a walker has left the island");
        ensure(step < 30 || carriers == [island; 2], &line)?;
        if step % 3 == 0 {
            film.add(draw(&level, &world, 4, "an island that falls with its walkers"), 5)?;
        }
    }
    let stand = walkers.iter().all(|walker| {
        let feet = world.get(*walker).map(|walker| walker.aabb);
        feet.is_some_and(|feet| !level.can_move(feet, Dir::Down, 1) && feet.max.y < 190)
    });
    ensure(has_landed && stand, "the walkers stand on the island, and the island on the ground")
}

fn ensure(holds: bool, what: &str) -> Ends {
    if holds { Ok(()) } else { Err(format!("it is not true that {what}").into()) }
}

fn draw(level: &Level, world: &World, color: u8, line: &str) -> Page {
    let mut page = Page::new(VIEW + UVec2::new(0, 16), 0);
    let all = Aabb::from_xywh(0, 0, VIEW.x as i32, VIEW.y as i32);
    page.paint(all, 1, |at| level.is_solid(at));
    page.fill(Aabb::from_xywh(0, 240, 320, 16), 1);
    page.write(IVec2::new(4, 243), line, 5);
    for (id, body) in world.iter() {
        if let Some(piece) = world.piece(id) {
            let from = body.aabb.min;
            let deck = piece.one_way(Dir::Up);
            page.paint(body.aabb, 2, |at| piece.is_solid(at - from));
            page.paint(body.aabb, 6, |at| {
                let at = at - from;
                let is_rung = at.x % 8 == 4 || at.x % 8 == 3 || at.y % 4 == 0;
                let rung = Aabb { min: at, max: at + 1 };
                is_rung && piece.area("ladder").is_some_and(|ladder| ladder.overlaps(rung))
            });
            page.paint(Aabb { max: body.aabb.max - 2, ..body.aabb }, 7, |at| {
                let cells = [at - from, at - from - IVec2::Y].map(IVec2::as_uvec2);
                deck.is_some_and(|deck| {
                    cells.iter().any(|cell| deck.get(cell.x, cell.y) == Some(true))
                })
            });
        }
    }
    for (id, body) in world.iter() {
        if let BodyKind::Character(_) = &body.kind {
            let min = world.drawn(level, id).map_or(body.aabb.min, |at| at.round().as_ivec2());
            page.fill(body.aabb.translated(min - body.aabb.min), color);
            for x in [2, body.aabb.width() as i32 - 4] {
                page.fill(Aabb::from_xywh(min.x + x, min.y + 3, 2, 3), 5);
            }
        }
    }
    page
}
