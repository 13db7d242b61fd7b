//! Maps in XML and JSON with a tileset and a template, projects of LDtk with a level's file as the third, and
//! worlds with two maps. Switch 4 selects the default limits, and switch 5 makes the first file a world. With
//! switch 6, the third file is also the Tiled project of the map.

use std::fs;
use std::io;

use bitwall::{Limits, LoadOptions, LoadedLevel};

use crate::{Input, folder, reader, visit};

pub fn run(data: &[u8]) {
    let Some(input) = Input::new(data) else {
        return;
    };
    let mut options = input.options();
    if input.is_on(4) {
        options.limits = Limits::default();
    }
    if input.is_on(6) {
        options.tiled_project = Some("game.tiled-project".into());
    }
    if input.is_on(5) {
        world(&input, &options).expect("files can be written");
    } else {
        let read = reader(input.file(1), input.file(2));
        visit(LoadedLevel::decode("maps/m.tmx", input.file(0), read, &options), &options);
    }
}

/// Loads the world from a file, with the maps that it may name `a.tmx` and `b12.tmx`.
fn world(input: &Input, options: &LoadOptions) -> io::Result<()> {
    let folder = folder()?;
    let path = folder.join("w.world");
    fs::write(&path, input.file(0))?;
    fs::write(folder.join("a.tmx"), input.file(1))?;
    fs::write(folder.join("b12.tmx"), input.file(2))?;
    visit(LoadedLevel::load(&path, options), options);
    Ok(())
}
