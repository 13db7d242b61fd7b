//! `bitwall shapes`: writes the solids of a level as rectangles, outlines or chains for other programs. Each
//! shape is written as it is made: of the text of a level, at most 64 MiB are in memory.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use quick_xml::escape::escape;

use super::{Answer, Failure, LevelArgs, output};
use crate::lint::map_head;
use bitwall::error::Place;
use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::outline::{Chain, Loop, Outlines};
use bitwall::{Aabb, Dir, LoadError, LoadedLevel, Terrain};

/// Write the solids as rectangles, outlines or chains, for physics engines, light and editors
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall shapes cave.tmx > cave.json
      the outlines of all solids, with holes and their parents
  bitwall shapes harbor_mask.png --tolerance 1.5 --format svg -o harbor.svg
      with fewer points, at most 1.5 px from the pixels
  bitwall shapes cave.tmx --as chains --window 256 --y-up
      open chains of windows of 256 px, with the points before and after
  bitwall shapes harbor_mask.png --as rects --format tmx -o harbor.tmx
      as a Tiled map with an object layer, which loads as the same cells; outlines load as the same pixels

The solid is on the right of each edge, seen with y downward, or on its left, seen with y upward: the signed
area of an outer loop is positive in both. One-way solids and named areas are written too.")]
pub(super) struct ShapesArgs {
    #[command(flatten)]
    level: LevelArgs,
    /// The kind of shapes
    #[arg(long = "as", value_enum, value_name = "KIND", default_value_t = Kind::Outlines)]
    kind: Kind,
    /// The format of the output
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
    /// Leave out points of outlines that are within this distance of the remaining line, in pixels
    #[arg(long, value_name = "PX", allow_negative_numbers = true, value_parser = parse_tolerance)]
    tolerance: Option<f32>,
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

fn parse_tolerance(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(pixels) if (0.0..=65_536.0).contains(&pixels) => Ok(pixels),
        _ => Err("a number of pixels from 0 to 65536 is needed".to_owned()),
    }
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
        let mut shapes =
            Shapes { args, path, loaded: &loaded, out: &mut BufWriter::new(file), points: 0 };
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
        (Kind::Rects | Kind::Chains, _) if args.tolerance.is_some() => {
            "--tolerance has an effect on --as outlines only"
        }
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
}

type Written = Result<(), Failure>;

/// A shape of the kind that the argument `--as` names.
enum Shape<'s> {
    Rect(Aabb),
    Outline(Loop<'s>),
    Chain(&'s Chain),
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
    /// Calls `write` with each shape of a terrain.
    fn each(
        &mut self,
        terrain: &Terrain,
        write: &mut dyn FnMut(&mut Self, Shape<'_>) -> io::Result<()>,
    ) -> Written {
        match self.args.kind {
            Kind::Rects => {
                for rect in terrain.rectangles() {
                    write(self, Shape::Rect(rect))?;
                }
            }
            Kind::Outlines => {
                for outline in self.outlines(terrain).loops() {
                    write(self, Shape::Outline(outline))?;
                }
            }
            Kind::Chains => {
                for window in windows(terrain, self.args.window)? {
                    for chain in terrain.chains_in(window) {
                        self.count(&chain)?;
                        write(self, Shape::Chain(&chain))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn outlines(&self, terrain: &Terrain) -> Outlines {
        match self.args.tolerance {
            Some(pixels) => terrain.outlines().simplified(pixels),
            None => terrain.outlines(),
        }
    }

    /// Adds the points of a chain to the count. Fails if they exceed the limit `points`.
    fn count(&mut self, chain: &Chain) -> Result<(), Failure> {
        self.points += chain.points.len() as u64;
        within(self.path, self.loaded, self.points)
    }

    /// Returns the level's solids, which have no name, and then the named areas.
    fn terrains(&self) -> impl Iterator<Item = (Option<&'a str>, &'a Terrain)> + use<'a> {
        let level = &self.loaded.level;
        let areas = level.areas().iter().map(|area| (Some(area.name.as_str()), &area.terrain));
        [(None, level.terrain())].into_iter().chain(areas)
    }

    /// Returns the chains of the one-way cells that stop bodies on a side.
    fn one_way(&self, side: Dir) -> impl Iterator<Item = Chain> + use<'a> {
        self.loaded.level.terrain().one_way_chains(side)
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
            if let Some(name) = name {
                self.out.write_all(if index == 1 { b",\n\"areas\": [\n" } else { b",\n" })?;
                let name = serde_json::to_string(name).unwrap_or_default();
                write!(self.out, "{{\"name\": {name}, \"shapes\": ")?;
            } else {
                write!(self.out, ",\n\"solids\": ")?;
            }
            let mut before = "[\n";
            self.each(terrain, &mut |shapes, shape| {
                shapes.out.write_all(before.as_bytes())?;
                before = ",\n";
                shapes.json_shape(&shape)
            })?;
            let end = if before == ",\n" { "\n]" } else { "[]" };
            write!(self.out, "{end}{}", if name.is_some() { "}" } else { "" })?;
        }
        let has_areas = !self.loaded.level.areas().is_empty();
        write!(self.out, "{},\n\"one_way\": {{", if has_areas { "\n]" } else { "" })?;
        let mut start = "";
        for side in Dir::ALL {
            let mut before = format!("{start}\"{side}\": [\n");
            for chain in self.one_way(side) {
                self.count(&chain)?;
                self.out.write_all(before.as_bytes())?;
                before = ",\n".to_owned();
                self.json_shape(&Shape::Chain(&chain))?;
            }
            if before == ",\n" {
                self.out.write_all(b"\n]")?;
                start = ",\n";
            }
        }
        Ok(self.out.write_all(b"}\n}\n")?)
    }

    fn json_shape(&mut self, shape: &Shape<'_>) -> io::Result<()> {
        match shape {
            Shape::Rect(rect) => {
                let y = if self.args.y_up { rect.max.y } else { rect.min.y };
                let at = self.point(IVec2::new(rect.min.x, y));
                write!(self.out, "[{}, {}, {}, {}]", at.x, at.y, rect.width(), rect.height())
            }
            Shape::Outline(outline) => {
                let parent = outline.parent.map_or("null".to_owned(), |it| it.to_string());
                write!(self.out, "{{\"parent\": {parent}, \"points\": ")?;
                self.json_points(outline.points)?;
                self.out.write_all(b"}")
            }
            Shape::Chain(Chain { points, ghosts: None }) => {
                self.out.write_all(b"{\"closed\": true, \"points\": ")?;
                self.json_points(points)?;
                self.out.write_all(b"}")
            }
            Shape::Chain(Chain { points, ghosts: Some(ghosts) }) => {
                let mut ghosts = *ghosts;
                if self.args.y_up {
                    ghosts.reverse();
                }
                let [before, after] = ghosts.map(|ghost| self.point(ghost));
                write!(
                    self.out,
                    "{{\"closed\": false, \"before\": [{}, {}], \"points\": ",
                    before.x, before.y
                )?;
                self.json_points(points)?;
                write!(self.out, ", \"after\": [{}, {}]}}", after.x, after.y)
            }
        }
    }

    /// Writes points as JSON. With `--y-up` their order is reversed, so that the signed area of a loop keeps
    /// its sign.
    fn json_points(&mut self, points: &[IVec2]) -> io::Result<()> {
        for index in 0..points.len() {
            let at = if self.args.y_up { points.len() - 1 - index } else { index };
            let point = self.point(points[at]);
            let before = if index == 0 { "[" } else { ", " };
            write!(self.out, "{before}[{}, {}]", point.x, point.y)?;
        }
        self.out.write_all(b"]")
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
            let mut before = "<path d=\"";
            self.each(terrain, &mut |Shapes { out, .. }, shape| match shape {
                Shape::Rect(rect) => {
                    let IVec2 { x, y } = rect.min;
                    let width = rect.width();
                    let height = rect.height();
                    writeln!(
                        out,
                        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
                    )
                }
                Shape::Outline(outline) => {
                    out.write_all(before.as_bytes())?;
                    before = "\n";
                    svg_path(*out, outline.points, true)
                }
                Shape::Chain(chain) => svg_line(*out, chain),
            })?;
            if is_path {
                let start = if before == "\n" { "" } else { before };
                writeln!(self.out, "{start}\"/>")?;
            }
            self.out.write_all(b"</g>\n")?;
        }
        self.out.write_all(b"<g stroke=\"#009e73\" stroke-width=\"2\">\n")?;
        for side in Dir::ALL {
            for chain in self.one_way(side) {
                self.count(&chain)?;
                svg_line(self.out, &chain)?;
            }
        }
        Ok(self.out.write_all(b"</g>\n</svg>\n")?)
    }

    /// Writes a Tiled map without tiles: one object layer for the solids, and one for each named area.
    fn tmx(&mut self) -> Written {
        let size = self.loaded.level.grid().size();
        let cell = self.loaded.level.cell_size();
        // The head states how many objects follow, so they are made twice, and counted first.
        let mut nowhere = io::sink();
        let mut counted = Shapes { out: &mut nowhere, ..*self };
        let next = counted.layers()?;
        let layers = self.terrains().count() + 1;
        let ids = format!(" nextlayerid=\"{layers}\" nextobjectid=\"{next}\"");
        self.out.write_all(map_head(size, cell, &ids).as_bytes())?;
        self.layers()?;
        Ok(self.out.write_all(b"</map>\n")?)
    }

    /// Writes the object layers of a Tiled map. Returns the id after the last object's.
    fn layers(&mut self) -> Result<u32, Failure> {
        let mut id = 1;
        for (layer, (name, terrain)) in (1..).zip(self.terrains()) {
            let name = escaped(name.unwrap_or("Collision"));
            writeln!(self.out, " <objectgroup id=\"{layer}\" name=\"{name}\">")?;
            if self.args.kind == Kind::Outlines {
                self.polygons(&mut id, terrain)?;
            } else {
                for area in terrain.rectangles() {
                    rectangle(self.out, &mut id, area, None)?;
                }
            }
            if layer == 1 {
                self.one_way_rectangles(&mut id)?;
            }
            self.out.write_all(b" </objectgroup>\n")?;
        }
        Ok(id)
    }

    /// Writes the one-way cells as rectangles, one for each chain.
    fn one_way_rectangles(&mut self, id: &mut u32) -> Written {
        for side in Dir::ALL {
            for chain in self.one_way(side) {
                self.count(&chain)?;
                let min = chain.points[0].min(chain.points[1]);
                let max = chain.points[0].max(chain.points[1]);
                // The box around the cells of the chain, which is a line along the side on which they stop
                // bodies.
                let into = -side.vector() * self.loaded.level.cell_size().as_ivec2();
                let cells = Aabb { min: min.min(min + into), max: max.max(max + into) };
                rectangle(self.out, id, cells, Some(side))?;
            }
        }
        Ok(())
    }

    /// Writes each solid as a polygon. A solid with holes, which a polygon in a Tiled map cannot have, and a
    /// solid of too many points are written as rectangles.
    fn polygons(&mut self, id: &mut u32, terrain: &Terrain) -> io::Result<()> {
        let outlines = self.outlines(terrain);
        let mut is_split = Vec::new();
        for outline in outlines.loops() {
            is_split.push(outline.points.len() > MAX_POLYGON);
        }
        for parent in outlines.loops().filter_map(|outline| outline.parent) {
            is_split[parent] = true;
        }
        for (index, outline) in outlines.loops().enumerate() {
            if outline.parent.is_none() && !is_split[index] {
                polygon(self.out, id, outline.points)?;
            }
        }
        if !is_split.contains(&true) {
            return Ok(());
        }
        // A rectangle belongs to the solid whose outline has the rectangle's left side.
        let exact = terrain.outlines();
        let mut sides = Vec::new();
        for (index, outline) in exact.loops().enumerate() {
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
                rectangle(self.out, id, area, None)?;
            }
        }
        Ok(())
    }
}

fn svg_path(out: &mut dyn Write, points: &[IVec2], is_closed: bool) -> io::Result<()> {
    for (index, point) in points.iter().enumerate() {
        write!(out, "{}{} {}", if index == 0 { "M" } else { " " }, point.x, point.y)?;
    }
    out.write_all(if is_closed { b"Z" } else { b"" })
}

fn svg_line(out: &mut dyn Write, chain: &Chain) -> io::Result<()> {
    out.write_all(b"<path fill=\"none\" d=\"")?;
    svg_path(out, &chain.points, chain.ghosts.is_none())?;
    out.write_all(b"\"/>\n")
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

/// Writes an object of a Tiled map, and counts its id up.
fn rectangle(
    out: &mut dyn Write,
    id: &mut u32,
    area: Aabb,
    one_way: Option<Dir>,
) -> io::Result<()> {
    let IVec2 { x, y } = area.min;
    let width = area.width();
    let height = area.height();
    write!(out, "  <object id=\"{id}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")?;
    *id += 1;
    match one_way {
        None => writeln!(out, "/>"),
        Some(side) => writeln!(
            out,
            "><properties><property name=\"one_way\" value=\"{side}\"/></properties></object>"
        ),
    }
}

/// Writes a polygon of a Tiled map, whose points are relative to the first.
fn polygon(out: &mut dyn Write, id: &mut u32, points: &[IVec2]) -> io::Result<()> {
    let IVec2 { x, y } = points[0];
    write!(out, "  <object id=\"{id}\" x=\"{x}\" y=\"{y}\"><polygon points=\"")?;
    *id += 1;
    for (index, point) in points.iter().enumerate() {
        let before = if index == 0 { "" } else { " " };
        write!(out, "{before}{},{}", point.x - x, point.y - y)?;
    }
    writeln!(out, "\"/></object>")
}
