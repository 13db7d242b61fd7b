//! `bitwall can-move`: tests whether a box can move, and shows the obstacle if it cannot.

use std::io::Write;

use bitwall::glam::{IVec2, UVec2};
use clap::Args;

use super::json::{Json, object};
use super::level_args::{LevelArgs, LevelFile, parse_body};
use super::{Answer, AnswerFormat, Failure};
use bitwall::level::Provenance;
use bitwall::load::Source;
use bitwall::{Aabb, Contact, Dir, LoadedLevel};

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

pub(super) fn run(args: &CanMoveArgs) -> Result<Answer, Failure> {
    let file = args.level.file()?;
    let loaded = args.level.load.load(&file)?;
    let sweep = loaded.level.sweep(args.body, args.dir, args.step);
    let obstacle = sweep.contact.as_ref().map(|contact| Obstacle::new(&loaded, contact, &file));
    let answer = if obstacle.is_none() { Answer::Yes } else { Answer::No };
    let text = match (args.format, &obstacle) {
        (AnswerFormat::Text, None) => "yes\n".to_owned(),
        (AnswerFormat::Text, Some(obstacle)) => {
            format!("no: moves {} px, stopped by {}\n", sweep.moved, obstacle.text())
        }
        (AnswerFormat::Json, _) => {
            let document = object! {
                version: 1,
                can_move: obstacle.is_none(),
                moved: sweep.moved,
                obstacle: obstacle.as_ref().map(Obstacle::document),
            };
            document.text()
        }
    };
    answer.once(write!(std::io::stdout().lock(), "{text}"))
}

/// The largest mask, in pixels, that is decoded again to show the colour of the obstacle.
const MAX_PIXELS: u64 = 1 << 24;

struct Obstacle {
    /// The column and row of the obstacle, from 0. A cell is a pixel in masks and in maps with shapes.
    cell: IVec2,
    is_pixel: bool,
    is_outside: bool,
    is_of_mask: bool,
    /// The colour of the mask at the cell, as RGBA. `None` if the level is not a mask, or has more than
    /// [`MAX_PIXELS`] pixels.
    color: Option<[u8; 4]>,
    provenance: Option<Provenance>,
    is_solid: bool,
}

impl Obstacle {
    fn new(loaded: &LoadedLevel, contact: &Contact, file: &LevelFile) -> Self {
        let (level, grid, cell) = (&loaded.level, loaded.level.grid(), contact.cell);
        let is_outside = cell.cmplt(IVec2::ZERO).any() || cell.as_uvec2().cmpge(grid.size()).any();
        let (place, is_of_mask) = (cell.as_uvec2(), matches!(loaded.source, Source::Mask(_)));
        let size = level.size();
        let is_small = u64::from(size.x) * u64::from(size.y) <= MAX_PIXELS;
        let picture = match is_of_mask && !is_outside && is_small {
            true => file.picture().ok().filter(|picture| UVec2::from(picture.dimensions()) == size),
            false => None,
        };
        let color = picture.map(|picture| picture.get_pixel(place.x, place.y).0);
        let provenance = match is_of_mask || is_outside {
            true => None,
            false => loaded.provenance(cell),
        };
        let is_solid = !is_outside && grid.is_solid(place.x, place.y);
        let is_pixel = level.cell_size() == UVec2::ONE;
        Self { cell, is_pixel, is_outside, is_of_mask, color, provenance, is_solid }
    }

    fn document(&self) -> Json {
        let cause = self.provenance.as_ref();
        let tile = cause.and_then(|cause| cause.tile.as_ref());
        object! {
            cell: self.cell.to_array(),
            is_pixel: self.is_pixel,
            is_outside: self.is_outside,
            color: self.color,
            tile: tile.map(|(tileset, id)| object! { tileset: &**tileset, id: *id }),
            object: cause.and_then(|cause| cause.object),
            layer: cause.map(|cause| &*cause.layer),
            // The rule that made the cell solid; null for a one-way cell.
            because: cause.filter(|_| self.is_solid).map(|cause| &*cause.because),
        }
    }

    fn text(&self) -> String {
        let IVec2 { x, y } = self.cell;
        let cell = match self.is_pixel {
            true => format!("pixel (x {x}, y {y})"),
            false => format!("cell (col {x}, row {y})"),
        };
        if self.is_outside {
            return format!("the outside of the level, {cell}");
        }
        if self.is_of_mask {
            return match self.color {
                Some([r, g, b, 255]) => format!("{cell} of the mask, rgb {r} {g} {b}"),
                Some([r, g, b, a]) => format!("{cell} of the mask, rgb {r} {g} {b}, alpha {a}"),
                None => format!("{cell} of the mask"),
            };
        }
        let Some(cause) = &self.provenance else {
            return cell;
        };
        format!("{cell}, {cause}")
    }
}
