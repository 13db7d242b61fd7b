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
use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::outline::Chain;
use bitwall::{Aabb, Dir, LoadError, LoadedLevel, Terrain};

/// Write the solids as rectangles, outlines or chains, for physics engines, light and editors
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall shapes cave.tmx > cave.json
      the outlines of all solids, with holes and their parents
  bitwall shapes harbor_mask.png --format svg -o harbor.svg
      the outlines as a picture
  bitwall shapes cave.tmx --as chains --window 256 --y-up
      open chains of windows of 256 px, with the points before and after
  bitwall shapes harbor_mask.png --as rects --format tmx -o harbor.tmx
      as a Tiled map with an object layer, which loads as the same cells; outlines load as the same pixels

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
    /// A picture of lines, in pixels of the level
    Svg,
    /// A Tiled map with object layers
    Tmx,
}

/// The largest number of points in a polygon of a Tiled map: a load refuses more.
const MAX_POLYGON: usize = 4_096;

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
            Format::Svg => shapes.svg()?,
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
        (Kind::Chains, Format::Tmx) => {
            "chains have no area, so a map of them would have other solids; use --as rects or outlines"
        }
        (_, Format::Svg | Format::Tmx) if args.y_up => {
            "--y-up has an effect on --format json only: in SVG and in Tiled y grows downward"
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

    /// Returns the level's solids, which have no name, and then the named areas.
    fn terrains(&self) -> impl Iterator<Item = (Option<&'a str>, &'a Terrain)> + use<'a> {
        let level = &self.loaded.level;
        let areas = level.areas().iter().map(|area| (Some(area.name.as_str()), &area.terrain));
        [(None, level.terrain())].into_iter().chain(areas)
    }

    /// Returns the chains of the one-way cells that stop bodies on a side.
    fn one_way(&self, side: Dir) -> impl Iterator<Item = Shape> + use<'a> {
        self.loaded.level.terrain().one_way_chains(side).map(Shape::Chain)
    }

    fn json(&mut self) -> Written {
        let size = self.loaded.level.size();
        let cell = self.loaded.level.cell_size();
        write!(
            self.out,
            "{{\n\"version\": 1,\n\"size\": [{}, {}],\n\"cell_size\": [{}, {}],\n\"y_up\": {}",
            size.x, size.y, cell.x, cell.y, self.args.y_up
        )?;
        for (index, (name, terrain)) in self.terrains().enumerate() {
            let shapes = self.shapes(terrain)?;
            let Some(name) = name else {
                self.out.write_all(b",\n\"solids\": ")?;
                self.json_list(shapes)?;
                continue;
            };
            let start = if index == 1 { ",\n\"areas\": [\n" } else { ",\n" };
            write!(self.out, "{start}{{\"name\": {}, \"shapes\": ", json!(name))?;
            self.json_list(shapes)?;
            self.out.write_all(b"}")?;
        }
        let has_areas = !self.loaded.level.areas().is_empty();
        write!(self.out, "{},\n\"one_way\": {{", if has_areas { "\n]" } else { "" })?;
        let mut start = "";
        for side in Dir::ALL {
            let mut chains = self.one_way(side).peekable();
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
                let at = self.point(IVec2::new(rect.min.x, y));
                format!("[{}, {}, {}, {}]", at.x, at.y, rect.width(), rect.height())
            }
            Shape::Outline(points, parent) => {
                let parent = parent.map_or("null".to_owned(), |it| it.to_string());
                format!("{{\"parent\": {parent}, \"points\": [{}]}}", self.json_points(points))
            }
            Shape::Chain(Chain { points, ghosts: None }) => {
                format!("{{\"closed\": true, \"points\": [{}]}}", self.json_points(points))
            }
            Shape::Chain(Chain { points, ghosts: Some(mut ghosts) }) => {
                if self.args.y_up {
                    ghosts.reverse();
                }
                let [before, after] = ghosts.map(|ghost| self.json_point(ghost));
                let points = self.json_points(points);
                format!(
                    "{{\"closed\": false, \"before\": {before}, \"points\": [{points}], \"after\": {after}}}"
                )
            }
        }
    }

    /// Returns points as JSON. With `--y-up` their order is reversed, so that the signed area of a loop keeps
    /// its sign.
    fn json_points(&self, mut points: Vec<IVec2>) -> String {
        if self.args.y_up {
            points.reverse();
        }
        let mut text = String::new();
        for point in points {
            text += if text.is_empty() { "" } else { ", " };
            text += &self.json_point(point);
        }
        text
    }

    fn json_point(&self, point: IVec2) -> String {
        let point = self.point(point);
        format!("[{}, {}]", point.x, point.y)
    }

    fn point(&self, point: IVec2) -> I64Vec2 {
        let mut point = point.as_i64vec2();
        if self.args.y_up {
            point.y = i64::from(self.loaded.level.size().y) - point.y;
        }
        point
    }

    fn svg(&mut self) -> Written {
        let size = self.loaded.level.size();
        writeln!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-2 -2 {} {}\" fill-rule=\"evenodd\">",
            size.x + 4,
            size.y + 4
        )?;
        for (name, terrain) in self.terrains() {
            let color = if name.is_some() { "#0072b2" } else { "#d55e00" };
            let title =
                name.map_or_else(String::new, |name| format!("<title>{}</title>", escaped(name)));
            writeln!(
                self.out,
                "<g fill=\"{color}\" fill-opacity=\"0.3\" stroke=\"{color}\" stroke-width=\"1\">{title}"
            )?;
            // All loops are one path: a hole is a hole only in the path of its solid.
            let is_path = self.args.kind == Kind::Outlines;
            self.out.write_all(if is_path { b"<path d=\"" } else { b"" })?;
            for (index, shape) in self.shapes(terrain)?.enumerate() {
                self.out.write_all(if is_path && index > 0 { b"\n" } else { b"" })?;
                self.svg_shape(&shape)?;
            }
            self.out.write_all(if is_path { b"\"/>\n</g>\n" } else { b"</g>\n" })?;
        }
        self.out.write_all(b"<g stroke=\"#009e73\" stroke-width=\"2\">\n")?;
        for side in Dir::ALL {
            for chain in self.one_way(side) {
                self.svg_shape(&chain)?;
            }
        }
        Ok(self.out.write_all(b"</g>\n</svg>\n")?)
    }

    fn svg_shape(&mut self, shape: &Shape) -> Written {
        self.count(shape)?;
        match shape {
            Shape::Rect(rect) => {
                let IVec2 { x, y } = rect.min;
                let width = rect.width();
                let height = rect.height();
                writeln!(
                    self.out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
                )?;
            }
            Shape::Outline(points, _) => svg_path(self.out, points, true)?,
            Shape::Chain(Chain { points, ghosts }) => {
                self.out.write_all(b"<path fill=\"none\" d=\"")?;
                svg_path(self.out, points, ghosts.is_none())?;
                self.out.write_all(b"\"/>\n")?;
            }
        }
        Ok(())
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
        let layers = self.terrains().count() + 1;
        let ids = format!(" nextlayerid=\"{layers}\" nextobjectid=\"{next}\"");
        self.out.write_all(map_head(size, cell, &ids).as_bytes())?;
        self.layers()?;
        Ok(self.out.write_all(b"</map>\n")?)
    }

    /// Writes the object layers of a Tiled map.
    fn layers(&mut self) -> Written {
        for (layer, (name, terrain)) in (1..).zip(self.terrains()) {
            let name = escaped(name.unwrap_or("Collision"));
            writeln!(self.out, " <objectgroup id=\"{layer}\" name=\"{name}\">")?;
            if self.args.kind == Kind::Outlines {
                self.polygons(terrain)?;
            } else {
                for area in terrain.rectangles() {
                    self.rectangle(area, None)?;
                }
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

    /// Writes each solid as a polygon. A solid with holes, which a polygon in a Tiled map cannot have, and a
    /// solid of too many points are written as rectangles.
    fn polygons(&mut self, terrain: &Terrain) -> io::Result<()> {
        let outlines = terrain.outlines();
        let mut is_split = Vec::new();
        for outline in outlines.loops() {
            is_split.push(outline.points.len() > MAX_POLYGON);
        }
        for parent in outlines.loops().filter_map(|outline| outline.parent) {
            is_split[parent] = true;
        }
        for (index, outline) in outlines.loops().enumerate() {
            if outline.parent.is_none() && !is_split[index] {
                self.polygon(outline.points)?;
            }
        }
        if !is_split.contains(&true) {
            return Ok(());
        }
        // A rectangle belongs to the solid whose outline has the rectangle's left side.
        let mut sides = Vec::new();
        for (index, outline) in outlines.loops().enumerate() {
            let next = outline.points.iter().cycle().skip(1);
            let edges = outline.points.iter().zip(next);
            let upward = edges.filter(|(from, to)| to.y < from.y);
            let solid = outline.parent.unwrap_or(index);
            sides.extend(upward.map(|(_, top)| (top.x, top.y, solid)));
        }
        sides.sort_unstable();
        for area in terrain.rectangles() {
            let past = sides.partition_point(|side| (side.0, side.1) <= area.min.into());
            if past.checked_sub(1).is_some_and(|side| is_split[sides[side].2]) {
                self.rectangle(area, None)?;
            }
        }
        Ok(())
    }

    /// Starts an object of a Tiled map with its corner or first point.
    fn object(&mut self, at: IVec2) -> io::Result<()> {
        write!(self.out, "  <object id=\"{}\" x=\"{}\" y=\"{}\"", self.next, at.x, at.y)?;
        self.next += 1;
        Ok(())
    }

    fn rectangle(&mut self, area: Aabb, one_way: Option<Dir>) -> io::Result<()> {
        self.object(area.min)?;
        write!(self.out, " width=\"{}\" height=\"{}\"", area.width(), area.height())?;
        match one_way {
            None => writeln!(self.out, "/>"),
            Some(side) => writeln!(
                self.out,
                "><properties><property name=\"one_way\" value=\"{side}\"/></properties></object>"
            ),
        }
    }

    /// Writes a polygon of a Tiled map, whose points are relative to the first.
    fn polygon(&mut self, points: &[IVec2]) -> io::Result<()> {
        self.object(points[0])?;
        self.out.write_all(b"><polygon points=\"")?;
        for (index, point) in points.iter().enumerate() {
            let before = if index == 0 { "" } else { " " };
            let IVec2 { x, y } = point - points[0];
            write!(self.out, "{before}{x},{y}")?;
        }
        writeln!(self.out, "\"/></object>")
    }
}

fn svg_path(out: &mut dyn Write, points: &[IVec2], is_closed: bool) -> io::Result<()> {
    for (index, point) in points.iter().enumerate() {
        write!(out, "{}{} {}", if index == 0 { "M" } else { " " }, point.x, point.y)?;
    }
    out.write_all(if is_closed { b"Z" } else { b"" })
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in escape(text).chars() {
        if character.is_control() {
            escaped += &format!("&#{};", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    escaped
}
