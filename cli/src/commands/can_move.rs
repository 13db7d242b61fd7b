//! `bitwall can-move`: whether a box can move, and the obstacle if it cannot.

use std::fmt;
use std::io::Write;

use bitwall::glam::{IVec2, UVec2};
use clap::Args;
use serde::Serialize;

use super::level_args::{LevelArgs, LevelFile, parse_body};
use super::{Answer, AnswerFormat, Failure};
use crate::lint::output::pretty_json;
use bitwall::{Aabb, Contact, Dir, LoadedLevel, load::Source, text::printable};

/// Test whether a box can move, and show the obstacle if it cannot
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall can-move cave.tmx --body 100,300,12,20 --dir right --step 8
  bitwall can-move harbor_mask.png --body 180,190,10,12 --dir up --step 200
  bitwall can-move cave.tmx --body 100,300,12,20 --dir down --step 90 --format json

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
    /// The format of the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

/// The answer in JSON.
#[derive(Serialize)]
struct MoveAnswer {
    version: u32,
    can_move: bool,
    /// In pixels.
    moved: u32,
    /// Null if nothing stops the box.
    obstacle: Option<Obstacle>,
}

/// The obstacle that stops a box.
#[derive(Serialize)]
struct Obstacle {
    /// Column and row of the cell, from 0; a cell is a pixel in a mask and in a map with shapes.
    cell: [i32; 2],
    is_pixel: bool,
    /// The outside of the level.
    is_outside: bool,
    /// Red, green, blue and alpha of the mask's pixel, if the mask is not too large to be read again.
    color: Option<[u8; 4]>,
    /// True for a level that is a mask.
    #[serde(skip)]
    is_of_mask: bool,
    tile: Option<TileView>,
    object: Option<u32>,
    layer: Option<String>,
    /// The rule that made it solid; null if it is one-way.
    because: Option<String>,
}

#[derive(Serialize)]
struct TileView {
    tileset: String,
    id: u32,
}

pub(super) fn run(args: &CanMoveArgs) -> Result<Answer, Failure> {
    let file = args.level.file()?;
    let loaded = args.level.load(&file)?;
    let sweep = loaded.level.sweep(args.body, args.dir, args.step);
    let obstacle = sweep.contact.as_ref().map(|contact| Obstacle::new(&loaded, contact, &file));
    let answer = if obstacle.is_none() { Answer::Yes } else { Answer::No };
    let text = match (args.format, &obstacle) {
        (AnswerFormat::Text, None) => "yes\n".to_owned(),
        (AnswerFormat::Text, Some(obstacle)) => {
            format!("no: moves {} px, stopped by {obstacle}\n", sweep.moved)
        }
        (AnswerFormat::Json, _) => {
            let (can_move, moved) = (obstacle.is_none(), sweep.moved);
            pretty_json(&MoveAnswer { version: 1, can_move, moved, obstacle })
        }
    };
    answer.once(write!(std::io::stdout().lock(), "{text}"))
}

/// The largest mask that is decoded a second time, for a colour.
const MAX_PIXELS: u64 = 1 << 24;

impl Obstacle {
    /// The obstacle of a sweep: the cell and the tile or object that made it solid, or the pixel and its
    /// colour.
    fn new(loaded: &LoadedLevel, contact: &Contact, file: &LevelFile) -> Self {
        let (level, grid) = (&loaded.level, loaded.level.grid());
        let IVec2 { x, y } = contact.cell;
        // An obstacle inside the level is solid or one-way.
        let place = u32::try_from(x).ok().zip(u32::try_from(y).ok());
        let place = place.filter(|(c, r)| *c < grid.width() && *r < grid.height());
        let mut obstacle = Self {
            cell: contact.cell.to_array(),
            is_pixel: level.cell_size() == UVec2::ONE,
            is_outside: place.is_none(),
            color: None,
            is_of_mask: matches!(loaded.source, Source::Mask(_)),
            tile: None,
            object: None,
            layer: None,
            because: None,
        };
        let Some((column, row)) = place else {
            return obstacle;
        };
        if obstacle.is_of_mask {
            let picture = file.small_picture(level.size(), MAX_PIXELS);
            let color = picture.and_then(|picture| picture.get_pixel_checked(column, row).copied());
            obstacle.color = color.map(|color| color.0);
        } else if let Some(found) = loaded.provenance(contact.cell) {
            obstacle.tile = found.tile.map(|(tileset, id)| TileView { tileset, id });
            obstacle.object = found.object;
            obstacle.layer = Some(found.layer);
            obstacle.because = grid.is_solid(column, row).then_some(found.because);
        }
        obstacle
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.cell;
        let cell = match self.is_pixel {
            true => format!("pixel (x {x}, y {y})"),
            false => format!("cell (col {x}, row {y})"),
        };
        if self.is_outside {
            return write!(f, "the outside of the level, {cell}");
        }
        if self.is_of_mask {
            return match self.color {
                Some([r, g, b, 255]) => write!(f, "{cell} of the mask, rgb {r} {g} {b}"),
                Some([r, g, b, a]) => write!(f, "{cell} of the mask, rgb {r} {g} {b}, alpha {a}"),
                None => write!(f, "{cell} of the mask"),
            };
        }
        let Some(layer) = &self.layer else {
            return f.write_str(&cell);
        };
        write!(f, "{cell}, ")?;
        match (&self.tile, self.object) {
            (Some(tile), _) => {
                write!(f, "tile {} of tileset `{}`", tile.id, printable(&tile.tileset))?
            }
            (None, Some(object)) => write!(f, "object {object}")?,
            (None, None) => f.write_str("a solid")?,
        }
        write!(f, " in layer `{}` ", printable(layer))?;
        match &self.because {
            Some(because) => write!(f, "(solid by {})", printable(because)),
            None => f.write_str("(one-way)"),
        }
    }
}
