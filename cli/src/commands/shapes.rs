//! `bitwall shapes`: writes the solids of a level as rectangles, outlines or chains for other programs. Each
//! shape is written as it is made: of the text of a level, at most 64 MiB are in memory.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use quick_xml::escape::escape;
use serde_json::json;

use super::{Answer, Failure, LevelArgs, output};
use crate::lint::map_head;
use bitwall::error::Place;
use bitwall::glam::{IVec2, UVec2};
use bitwall::outline::Chain;
use bitwall::{Aabb, Dir, LoadError, LoadedLevel, Terrain};

/// Write the solids as rectangles, outlines or chains, for physics engines, light and editors
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall shapes cave.tmx > cave.json
      the outlines of all solids, with holes and their parents
  bitwall shapes cave.tmx --as chains --window 256 --y-up
      open chains of windows of 256 px, with the points before and after
  bitwall shapes harbor_mask.png --as rects --format tmx -o harbor.tmx
      as a Tiled map with an object layer, which loads as the same cells

The solid is on the right of each edge, seen with y downward, or on its left, seen with y upward: the signed
area of an outer loop is positive in both. One-way solids and named areas are written too.")]
pub(super) struct ShapesArgs {
    /// The kind of shapes
    #[arg(long = "as", value_enum, value_name = "KIND", default_value_t = Kind::Outlines)]
    kind: Kind,
    /// The format of the output
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
    /// Cut the chains at the borders of windows of N x N pixels [default: one window]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..))]
    window: Option<i32>,
    /// Count y upward from the bottom of the level, not downward from its top
    #[arg(long)]
    y_up: bool,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    level: LevelArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    /// Boxes: few runs of cells, in order
    Rects,
    /// Closed loops, with holes as loops of their own
    Outlines,
    /// Lines along edges, open where a window ends
    Chains,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Json,
    /// A Tiled map with object layers, of rectangles
    Tmx,
}

/// The largest number of windows per level.
const MAX_WINDOWS: u64 = 1 << 20;

pub(super) fn run(args: &ShapesArgs) -> Result<Answer, Failure> {
    check_use(args)?;
    let loaded = args.level.load.load(&args.level.file()?)?;
    let path = &args.level.level;
    let level = &loaded.level;
    let areas = level.areas().iter().map(|area| &area.terrain);
    check_points(path, &loaded, areas.chain([level.terrain()]))?;
    let out = args.out.as_deref().unwrap_or(Path::new("-"));
    output::write_whole(out, &mut |file| {
        let mut shapes = Shapes {
            args,
            path,
            loaded: &loaded,
            out: &mut BufWriter::new(file),
            points: 0,
            next: 1,
        };
        match args.format {
            Format::Json => shapes.json()?,
            Format::Tmx => shapes.tmx()?,
        }
        Ok(shapes.out.flush()?)
    })?;
    Ok(Answer::Yes)
}

/// Fails if the shapes of the terrains may have more points than the limit `points`.
pub(super) fn check_points<'t>(
    path: &Path,
    loaded: &LoadedLevel,
    terrains: impl Iterator<Item = &'t Terrain>,
) -> Result<(), Failure> {
    let mut count = 0;
    for terrain in terrains {
        count += terrain.corner_count();
        within(path, loaded, count)?;
    }
    Ok(())
}

fn within(path: &Path, loaded: &LoadedLevel, points: u64) -> Result<(), Failure> {
    let checked = loaded.options().limits.check_points(points);
    Ok(checked.map_err(|kind| LoadError::new(path, Place::default(), kind))?)
}

/// Fails if an argument has no effect on the chosen kind of shapes in the chosen format.
fn check_use(args: &ShapesArgs) -> Result<(), Failure> {
    let reason = match (args.kind, args.format) {
        (Kind::Rects | Kind::Outlines, _) if args.window.is_some() => {
            "--window has an effect on --as chains only"
        }
        (Kind::Chains | Kind::Outlines, Format::Tmx) => {
            "a Tiled map has the solids as rectangles; use --as rects"
        }
        (_, Format::Tmx) if args.y_up => {
            "--y-up has an effect on --format json only: in Tiled y grows downward"
        }
        _ => return Ok(()),
    };
    Err(reason.into())
}

/// The writer of the shapes of one level.
struct Shapes<'a> {
    args: &'a ShapesArgs,
    path: &'a Path,
    loaded: &'a LoadedLevel,
    out: &'a mut dyn Write,
    /// The points of the chains so far. Windows add points where they cut an edge.
    points: u64,
    /// The id of the next object in a Tiled map.
    next: u32,
}

type Written = Result<(), Failure>;

/// A shape of the kind that the argument `--as` names.
pub(super) enum Shape {
    Rect(Aabb),
    /// A closed loop and, for a hole, the index of the loop around it.
    Outline(Vec<IVec2>, Option<usize>),
    Chain(Chain),
}

/// The shapes of a terrain, in order.
pub(super) type ShapesOf<'t> = Box<dyn Iterator<Item = Shape> + 't>;

/// Returns the shapes of a terrain. Chains are cut at the borders of windows of `side` pixels.
pub(super) fn shapes_of(
    terrain: &Terrain,
    kind: Kind,
    side: Option<i32>,
) -> Result<ShapesOf<'_>, Failure> {
    Ok(match kind {
        Kind::Rects => Box::new(terrain.rectangles().into_iter().map(Shape::Rect)),
        Kind::Outlines => {
            let outlines = terrain.outlines();
            let loops = outlines.loops().map(|it| Shape::Outline(it.points.to_vec(), it.parent));
            Box::new(loops.collect::<Vec<_>>().into_iter())
        }
        Kind::Chains => {
            let windows = windows(terrain, side)?;
            Box::new(windows.flat_map(|window| terrain.chains_in(window)).map(Shape::Chain))
        }
    })
}

/// Returns the square windows of `side` pixels that cover a terrain, row by row; one window without `side`.
fn windows(
    terrain: &Terrain,
    side: Option<i32>,
) -> Result<impl Iterator<Item = Aabb> + use<>, Failure> {
    let end = terrain.size().min(UVec2::splat(i32::MAX as u32)).as_ivec2();
    let side = side.unwrap_or(i32::MAX);
    let count = (end - 1) / side + 1;
    if count.as_u64vec2().element_product() > MAX_WINDOWS {
        return Err(format!(
            "the level has over {MAX_WINDOWS} windows of {side} px; give a larger --window"
        )
        .into());
    }
    let places = (0..count.y).flat_map(move |y| (0..count.x).map(move |x| IVec2::new(x, y) * side));
    Ok(places.map(move |min| Aabb { min, max: min.saturating_add(IVec2::splat(side)) }))
}

impl<'a> Shapes<'a> {
    /// Returns the shapes of a terrain as the arguments ask for them.
    fn shapes(&self, terrain: &'a Terrain) -> Result<ShapesOf<'a>, Failure> {
        shapes_of(terrain, self.args.kind, self.args.window)
    }

    /// Adds the points of a chain to the count. Fails if they exceed the limit `points`.
    fn count(&mut self, shape: &Shape) -> Written {
        if let Shape::Chain(chain) = shape {
            self.points += chain.points.len() as u64;
            within(self.path, self.loaded, self.points)?;
        }
        Ok(())
    }

    fn json(&mut self) -> Written {
        let level = &self.loaded.level;
        write!(
            self.out,
            "{{\n\"version\": 1,\n\"size\": {},\n\"cell_size\": {},\n\"y_up\": {},\n\"solids\": ",
            json!(level.size().to_array()),
            json!(level.cell_size().to_array()),
            self.args.y_up
        )?;
        self.json_list(self.shapes(level.terrain())?)?;
        if !level.areas().is_empty() {
            let mut start = ",\n\"areas\": [\n";
            for area in level.areas() {
                write!(self.out, "{start}{{\"name\": {}, \"shapes\": ", json!(area.name))?;
                self.json_list(self.shapes(&area.terrain)?)?;
                self.out.write_all(b"}")?;
                start = ",\n";
            }
            self.out.write_all(b"\n]")?;
        }
        self.out.write_all(b",\n\"one_way\": {")?;
        let mut start = "";
        for side in Dir::ALL {
            let mut chains = level.terrain().one_way_chains(side).map(Shape::Chain).peekable();
            if chains.peek().is_some() {
                write!(self.out, "{start}\"{side}\": ")?;
                self.json_list(Box::new(chains))?;
                start = ",\n";
            }
        }
        Ok(self.out.write_all(b"}\n}\n")?)
    }

    /// Writes a list of shapes, one a line.
    fn json_list(&mut self, shapes: ShapesOf<'_>) -> Written {
        let mut before = "[\n";
        for shape in shapes {
            self.count(&shape)?;
            write!(self.out, "{before}{}", self.json_shape(shape))?;
            before = ",\n";
        }
        let end = if before == ",\n" { "\n]" } else { "[]" };
        Ok(self.out.write_all(end.as_bytes())?)
    }

    fn json_shape(&self, shape: Shape) -> String {
        match shape {
            Shape::Rect(rect) => {
                let y = if self.args.y_up { rect.max.y } else { rect.min.y };
                let [x, y] = self.point(IVec2::new(rect.min.x, y));
                json!([x, y, rect.width(), rect.height()]).to_string()
            }
            Shape::Outline(points, parent) => {
                format!(r#"{{"parent":{},"points":{}}}"#, json!(parent), self.points(points))
            }
            Shape::Chain(Chain { points, ghosts: None }) => {
                format!(r#"{{"closed":true,"points":{}}}"#, self.points(points))
            }
            Shape::Chain(Chain { points, ghosts: Some(mut ghosts) }) => {
                if self.args.y_up {
                    ghosts.reverse();
                }
                let [before, after] = ghosts.map(|ghost| json!(self.point(ghost)));
                let points = self.points(points);
                format!(r#"{{"closed":false,"before":{before},"points":{points},"after":{after}}}"#)
            }
        }
    }

    /// Returns points as JSON. With `--y-up` their order is reversed, so that the signed area of a loop keeps
    /// its sign.
    fn points(&self, mut points: Vec<IVec2>) -> String {
        if self.args.y_up {
            points.reverse();
        }
        let points: Vec<[i64; 2]> = points.into_iter().map(|point| self.point(point)).collect();
        // Numbers in lists are always JSON.
        serde_json::to_string(&points).unwrap_or_default()
    }

    fn point(&self, point: IVec2) -> [i64; 2] {
        let mut point = point.as_i64vec2();
        if self.args.y_up {
            point.y = i64::from(self.loaded.level.size().y) - point.y;
        }
        point.to_array()
    }

    /// Writes a Tiled map without tiles: one object layer for the solids, and one for each named area.
    fn tmx(&mut self) -> Written {
        let size = self.loaded.level.grid().size();
        let cell = self.loaded.level.cell_size();
        // The head states how many objects follow, so they are made twice, and counted first.
        let mut nowhere = io::sink();
        let mut counted = Shapes { out: &mut nowhere, ..*self };
        counted.layers()?;
        let next = counted.next;
        let layers = self.loaded.level.areas().len() + 2;
        let ids = format!(" nextlayerid=\"{layers}\" nextobjectid=\"{next}\"");
        self.out.write_all(map_head(size, cell, &ids).as_bytes())?;
        self.layers()?;
        Ok(self.out.write_all(b"</map>\n")?)
    }

    /// Writes the object layers of a Tiled map.
    fn layers(&mut self) -> Written {
        let level = &self.loaded.level;
        let areas = level.areas().iter().map(|area| (area.name.as_str(), &area.terrain));
        let solids = ("Collision", level.terrain());
        for (layer, (name, terrain)) in (1..).zip([solids].into_iter().chain(areas)) {
            let name = escape(name);
            writeln!(self.out, " <objectgroup id=\"{layer}\" name=\"{name}\">")?;
            for area in terrain.rectangles() {
                self.rectangle(area, None)?;
            }
            if layer == 1 {
                self.one_way_rectangles()?;
            }
            self.out.write_all(b" </objectgroup>\n")?;
        }
        Ok(())
    }

    /// Writes the one-way cells as rectangles, one for each chain.
    fn one_way_rectangles(&mut self) -> Written {
        for side in Dir::ALL {
            for chain in self.loaded.level.one_way_chains(side) {
                let min = chain.points[0].min(chain.points[1]);
                let max = chain.points[0].max(chain.points[1]);
                // The box around the cells of the chain, which is a line along the side on which they stop
                // bodies.
                let into = -side.vector() * self.loaded.level.cell_size().as_ivec2();
                let cells = Aabb { min: min.min(min + into), max: max.max(max + into) };
                self.count(&Shape::Chain(chain))?;
                self.rectangle(cells, Some(side))?;
            }
        }
        Ok(())
    }

    fn rectangle(&mut self, area: Aabb, one_way: Option<Dir>) -> io::Result<()> {
        let IVec2 { x, y } = area.min;
        write!(self.out, "  <object id=\"{}\" x=\"{x}\" y=\"{y}\"", self.next)?;
        self.next += 1;
        write!(self.out, " width=\"{}\" height=\"{}\"", area.width(), area.height())?;
        match one_way {
            None => writeln!(self.out, "/>"),
            Some(side) => writeln!(
                self.out,
                "><properties><property name=\"one_way\" value=\"{side}\"/></properties></object>"
            ),
        }
    }
}
