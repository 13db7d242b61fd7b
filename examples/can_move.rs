//! The shortest example: it loads a level, tests whether a box can move, and finds the cell that stops the
//! box.
//!
//! `cargo run --example can_move`

use bitwall::{Aabb, Dir, LoadOptions, LoadedLevel};

fn main() -> Result<(), bitwall::LoadError> {
    // `LoadedLevel` keeps the map, so that a solid cell can be traced to its tile.
    let loaded = LoadedLevel::load("assets/cave.tmx", &LoadOptions::default())?;
    let level = &loaded.level;

    let Some(spawn) = level.marker("player") else {
        println!("the map has no marker called `player`");
        return Ok(());
    };
    let body = Aabb::from_xywh(spawn.area.min.x - 6, spawn.area.min.y - 12, 12, 20);
    println!("a box of 12 x 20 px stands at ({}, {})", body.min.x, body.min.y);

    for dir in Dir::ALL {
        let yes = level.can_move(body, dir, 8);
        let sweep = level.sweep(body, dir, 1_000);
        print!(
            "{:>5}: 8 px {}; at most {} px",
            dir.name(),
            if yes { "yes" } else { "no" },
            sweep.moved
        );
        if let Some(contact) = sweep.contact {
            print!(", stopped by cell ({}, {})", contact.cell.x, contact.cell.y);
            if let Some(found) = loaded.provenance(contact.cell) {
                print!(" of layer `{}`, solid by {}", found.layer, found.because);
            }
        }
        println!();
    }
    Ok(())
}
