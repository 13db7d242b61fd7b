//! A small level editor: it loads a level, explains why a cell is solid, edits, draws, checks and saves.
//!
//! `cargo run --manifest-path examples/editor/Cargo.toml -- assets/cave.tmx` reads one command per line:
//!
//! ```text
//! explain 16 21        why the cell in column 16 and row 21 is solid
//! solid 2 3 4 1        makes 4 x 1 cells from column 2, row 3 on solid
//! free 2 3 4 1         makes them passable
//! draw level.png       draws the level: its art, and what blocks
//! check                the findings of the linter about the edited cells, as a mask
//! save level.bwl       writes a baked level, which a game loads; or a mask, by the ending .png
//! ```

use std::error::Error;
use std::io::{Cursor, stdin};
use std::path::Path;
use std::{env, fs};

use bitwall::glam::{IVec2, UVec2};
use bitwall::image::ImageFormat;
use bitwall::load::Disk;
use bitwall::render::{self, DrawOptions};
use bitwall::{LoadOptions, LoadedLevel};
use bitwall_cli::lint::{VerifyOptions, output, verify_bytes};

type Answer = Result<String, Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("name a level: a Tiled map or a mask")?;
    let mut loaded = LoadedLevel::load(&path, &LoadOptions::default())?;
    for line in stdin().lines() {
        match run(&mut loaded, Path::new(&path), &line?) {
            Ok(answer) => println!("{answer}"),
            Err(error) => println!("error: {error}"),
        }
    }
    Ok(())
}

/// Runs one command, and returns the text to print.
fn run(loaded: &mut LoadedLevel, path: &Path, line: &str) -> Answer {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["explain", column, row] => {
            let cell = IVec2::new(column.parse()?, row.parse()?);
            Ok(match loaded.provenance(cell) {
                Some(cause) => format!("layer `{}`, by {}", cause.layer, cause.because),
                None => "nothing in the file makes it solid".to_owned(),
            })
        }
        [state @ ("solid" | "free"), column, row, width, height] => {
            let first = UVec2::new(column.parse()?, row.parse()?);
            let end = first + UVec2::new(width.parse()?, height.parse()?);
            loaded.level.fill(first.x..end.x, first.y..end.y, state == "solid")?;
            Ok(format!("{} cells are solid", loaded.level.grid().solid_count()))
        }
        ["draw", out] => {
            let mut files = Disk::new(path, loaded.options());
            let (pictures, _missing) = render::load_pictures(&loaded.maps, &mut files);
            let options = DrawOptions { pictures: Some(&pictures), ..DrawOptions::default() };
            render::draw(&*loaded, &options)?.save(out)?;
            Ok(format!("drawn to {out}"))
        }
        ["check"] => {
            let report = verify_bytes("level_mask.png", &mask(loaded)?, &VerifyOptions::default());
            let findings = report.findings.iter().map(output::full);
            Ok(format!("{}{} findings", findings.collect::<String>(), report.findings.len()))
        }
        ["save", out] => {
            let bytes = match Path::new(out).extension().is_some_and(|end| end == "png") {
                true => mask(loaded)?,
                false => loaded.level.bake()?,
            };
            fs::write(out, bytes)?;
            Ok(format!("saved as {out}"))
        }
        _ => Err("the commands are explain, solid, free, draw, check and save".into()),
    }
}

/// Encodes the level as a mask in PNG, one pixel of the picture per pixel of the level.
fn mask(loaded: &LoadedLevel) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut bytes = Cursor::new(Vec::new());
    render::collision(&loaded.level)?.write_to(&mut bytes, ImageFormat::Png)?;
    Ok(bytes.into_inner())
}
