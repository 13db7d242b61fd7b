//! Three guards walk between their posts, around doors that close and around each other. The green guard has
//! the keys and opens closed doors. Where a closed door leaves no way, the others come as near as they can,
//! and go on when it opens.
//!
//! `cargo run --release --example guards [FILE.gif]` (without a file name: in the folder for temporary files)
//!
//! Each guard searches its path anew in each step, because that takes only microseconds, and moves one pixel
//! along it. The doors are an area that is solid for those without keys. That a door closes is an edit of the
//! area, and path finding notices the edit by itself.

mod stage {
    pub(crate) mod flip_book;
    pub(crate) mod room;
}

use std::error::Error;

use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::Search;
use bitwall::{Aabb, Grid, Level, Terrain};

use stage::room::{self, CELL};

const HOUSE: &str = "\
####################
#......#.....#.....#
#......#.....#.....#
#......a.....b.....#
#......#.....#.....#
####c#####d######e##
#..................#
#......#.....#.....#
#......f.....g.....#
#......#.....#.....#
####################";

/// The two posts of each guard, in pixels.
const POSTS: [[[i32; 2]; 2]; 3] =
    [[[20, 20], [290, 20]], [[140, 148], [140, 20]], [[20, 140], [270, 148]]];

/// The category of the doors, and the categories that are solid for each guard.
const DOORS: u64 = 1 << 1;
const SOLID_FOR: [u64; 3] = [0, DOORS, DOORS];

const PALETTE: [[u8; 3]; 6] =
    [[222, 214, 196], [70, 62, 78], [150, 108, 66], [60, 130, 80], [200, 120, 40], [110, 70, 130]];

fn main() -> Result<(), Box<dyn Error>> {
    let walls = room::grid(HOUSE, '#')?;
    let doors = Terrain::new(Grid::new(walls.width(), walls.height())?, UVec2::splat(CELL))?;
    let level = Level::from_grid(walls, UVec2::splat(CELL))?;
    let mut level = level.with_solid_area("doors", doors, DOORS);
    // The size is prepared for the doors too, so that an edit updates what path finding knows of them.
    level.prepare(UVec2::splat(12));
    level.area_mut("doors").ok_or("it was added")?.prepare(UVec2::splat(12));
    let (mut film, file) = room::film("guards", UVec2::new(320, 192), &PALETTE)?;
    let mut guards = POSTS.map(|posts| Aabb::from_xywh(posts[0][0], posts[0][1], 12, 12));
    let (mut visits, mut waits, mut search) = ([0; 3], [0; 3], Search::default());
    for step in 0..1_200 {
        let mut page =
            room::page(HOUSE, ('#', 1), 0, ("doors close: green has keys, others wait", 0));
        for (number, door) in ('a'..='g').enumerate() {
            let place = HOUSE.find(door).ok_or("no such door")? as i32;
            let cell = IVec2::new(place % 21, place / 21);
            let is_clear = !guards.iter().any(|guard| guard.overlaps(level.cell_box(cell)));
            let is_closed = (step / 120 + number) % 2 == 0 && is_clear;
            level.area_mut("doors").ok_or("it was added")?.set(cell, is_closed)?;
            room::paint(&mut page, HOUSE, door, if is_closed { 2 } else { 0 });
        }
        for number in 0..3 {
            let others = [guards[(number + 1) % 3], guards[(number + 2) % 3]];
            let ways = level.solids_for(SOLID_FOR[number]).ways(guards[number].size())?;
            let ways = ways.around(&others);
            let post = POSTS[number][(visits[number] + 1) % 2].into();
            let path = ways.path_toward(guards[number].min, post, &mut search);
            let path = path.ok_or("a guard is never in a wall")?;
            for leg in path.points.windows(2) {
                for at in (0..(leg[1] - leg[0]).abs().max_element()).step_by(5) {
                    let dot = leg[0] + (leg[1] - leg[0]).signum() * at + 5;
                    page.fill(Aabb { min: dot, max: dot + 2 }, 3 + number as u8);
                }
            }
            match path.points[..] {
                [from, to, ..] => guards[number] = guards[number].translated((to - from).signum()),
                _ if guards[number].min == post => visits[number] += 1,
                _ => waits[number] += 1,
            }
            assert!(!level.overlaps(guards[number]) && !guards[number].overlaps(others[0]));
        }
        for (color, guard) in (3..).zip(guards) {
            room::figure(&mut page, guard, color, 0);
        }
        if step % 3 == 0 {
            film.add(page, 5)?;
        }
    }
    film.turn()?;
    println!("visits of posts: {visits:?}; steps at a closed door: {waits:?}");
    println!("{} frames in {}", film.frames, file.display());
    assert!(visits.iter().all(|visits| *visits >= 2), "each guard walks to and fro");
    assert!(waits.iter().any(|waits| *waits > 0), "a guard waits at a door");
    Ok(())
}
