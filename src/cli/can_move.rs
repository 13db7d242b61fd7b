//! `bitwall can-move`: whether a box can move, and the obstacle if it cannot.

use std::io::Write;
use std::path::Path;

use clap::Args;
use glam::{IVec2, UVec2};
use image::Rgba;

use super::level_args::{LevelArgs, parse_body};
use super::{Answer, Failure};
use crate::load::picture::load_small_picture;
use crate::{Aabb, Contact, Dir, LoadedLevel, load::loaded::Source, text::printable};

/// Test whether a box can move, and show the obstacle if it cannot
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall can-move cave.tmx --body 100,300,12,20 --dir right --step 8
  bitwall can-move harbor_mask.png --body 180,190,10,12 --dir up --step 200

Prints `yes` (exit code 0), or `no`, how far it can move and what stops it (exit code 1).")]
pub(super) struct CanMoveArgs {
    #[command(flatten)]
    level: LevelArgs,
    /// The box: its left and top edge, width and height, in pixels
    #[arg(long, value_name = "X,Y,W,H", value_parser = parse_body, allow_hyphen_values = true)]
    body: Aabb,
    /// The direction to move in
    #[arg(long, value_name = "left|right|up|down")]
    dir: Dir,
    /// The distance to move, in pixels
    #[arg(long, value_name = "N")]
    step: u32,
}

pub(super) fn run(args: &CanMoveArgs) -> Result<Answer, Failure> {
    let loaded = args.level.load.load(&args.level.level)?;
    let sweep = loaded.level.sweep(args.body, args.dir, args.step);
    let (answer, text) = match &sweep.contact {
        None => (Answer::Yes, "yes".to_owned()),
        Some(contact) => {
            let obstacle = obstacle(&loaded, contact, &args.level.level);
            let text = format!("no: moves {} px, stopped by {obstacle}", sweep.moved);
            (Answer::No, text)
        }
    };
    answer.once(writeln!(std::io::stdout().lock(), "{text}"))
}

/// The largest mask that is decoded a second time, for a colour.
const MAX_PIXELS: u64 = 1 << 24;

/// The obstacle of a sweep in the level at `path`, in words: the cell and the tile or object that made it
/// solid, or the pixel and its colour.
fn obstacle(loaded: &LoadedLevel, contact: &Contact, path: &Path) -> String {
    let level = &loaded.level;
    let IVec2 { x, y } = contact.cell;
    let cell = match level.cell_size() {
        UVec2::ONE => format!("pixel (x {x}, y {y})"),
        _ => format!("cell (col {x}, row {y})"),
    };
    let (column, row) = (u32::try_from(x).ok(), u32::try_from(y).ok());
    // An obstacle inside the level is solid or one-way.
    let grid = level.grid();
    let inside = column.zip(row).is_some_and(|(c, r)| c < grid.width() && r < grid.height());
    if !inside {
        return format!("the outside of the level, {cell}");
    }
    if let Source::Mask(_) = loaded.source {
        let picture = load_small_picture(path, level.size(), MAX_PIXELS);
        let pixel = picture.as_ref().zip(column.zip(row));
        let color = pixel.and_then(|(picture, (x, y))| picture.get_pixel_checked(x, y));
        return match color {
            Some(Rgba([r, g, b, 255])) => format!("{cell} of the mask, rgb {r} {g} {b}"),
            Some(Rgba([r, g, b, a])) => format!("{cell} of the mask, rgb {r} {g} {b}, alpha {a}"),
            None => format!("{cell} of the mask"),
        };
    }
    match loaded.provenance(contact.cell) {
        None => cell,
        Some(found) => {
            let what = match (&found.tile, found.object) {
                (Some((tileset, id)), _) => {
                    format!("tile {id} of tileset `{}`", printable(tileset))
                }
                (None, Some(object)) => format!("object {object}"),
                (None, None) => "a solid".to_owned(),
            };
            let is_solid = column.zip(row).is_some_and(|(c, r)| grid.is_solid(c, r));
            let why = match is_solid {
                true => format!("solid by {}", printable(&found.because)),
                false => "one-way".to_owned(),
            };
            format!("{cell}, {what} in layer `{}` ({why})", printable(&found.layer))
        }
    }
}
