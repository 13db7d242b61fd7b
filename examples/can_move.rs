//! The shortest use: load a level, test whether a box can move, and find the cell that stops it.
//!
//! `cargo run --example can_move`

use bitwall::{Aabb, Dir, Level, LoadOptions};

fn main() -> Result<(), bitwall::LoadError> {
    // `keep_map` keeps the map's cells, so that a solid cell can be traced to its tile.
    let mut options = LoadOptions::default();
    options.keep_map = true;
    let level = Level::load_with("assets/cave.tmx", &options)?;

    let Some(spawn) = level.marker("player") else {
        println!("the map has no marker called `player`");
        return Ok(());
    };
    let body = Aabb::from_xywh(spawn.area.min.x - 6, spawn.area.min.y - 12, 12, 20);
    println!(
        "a box of 12 x 20 px stands at ({}, {})",
        body.min.x, body.min.y
    );

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
            if let Some(found) = level.provenance(contact.cell) {
                print!(" of layer `{}`, solid by {}", found.layer, found.because);
            }
        }
        println!();
    }
    Ok(())
}
