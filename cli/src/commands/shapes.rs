//! `bitwall shapes`: writes the solids of a level as rectangles, outlines or chains for other programs.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::level_args::LevelArgs;
use super::{Answer, Failure, output};
use bitwall::glam::{IVec2, UVec2};
use bitwall::outline::{Chain, Outlines};
use bitwall::{Aabb, Dir, Grid, LoadedLevel, Terrain};

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

/// The largest number of windows per level.
const MAX_WINDOWS: u64 = 1 << 20;

pub(super) fn run(args: &ShapesArgs) -> Result<Answer, Failure> {
    check_use(args)?;
    let loaded = args.level.load.load(&args.level.file()?)?;
    let shapes = Shapes { args, loaded: &loaded };
    let text = match args.format {
        Format::Json => shapes.json()?,
        Format::Svg => shapes.svg()?,
        Format::Tmx => shapes.tmx()?,
    };
    match &args.out {
        Some(path) => output::write_bytes(path, text.as_bytes()).map(|()| Answer::Yes),
        None => Answer::Yes.once(std::io::stdout().lock().write_all(text.as_bytes())),
    }
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
    Err(Failure::Other(reason.to_owned()))
}

struct Shapes<'a> {
    args: &'a ShapesArgs,
    loaded: &'a LoadedLevel,
}

/// The shapes of the solids or of one area, of the kind that the argument `--as` names.
enum Found {
    Rects(Vec<Aabb>),
    Outlines(Outlines),
    Chains(Vec<Chain>),
}

/// Returns the chains of `terrain`, cut at the borders of square windows. A window has `side` pixels; with
/// `None` one window covers the level.
pub(super) fn chains(terrain: &Terrain, side: Option<i32>) -> Result<Vec<Chain>, Failure> {
    let end = terrain.size().min(UVec2::splat(i32::MAX as u32)).as_ivec2();
    let Some(side) = side else {
        return Ok(terrain.chains_in(Aabb { min: IVec2::ZERO, max: end }));
    };
    let count = (end - 1) / side + 1;
    if count.as_u64vec2().element_product() > MAX_WINDOWS {
        return Err(Failure::Other(format!(
            "the level has over {MAX_WINDOWS} windows of {side} px; give a larger --window"
        )));
    }
    let mut found = Vec::new();
    for place in (0..count.y).flat_map(|y| (0..count.x).map(move |x| IVec2::new(x, y) * side)) {
        let max = place.saturating_add(IVec2::splat(side));
        found.extend(terrain.chains_in(Aabb { min: place, max }));
    }
    Ok(found)
}

impl Shapes<'_> {
    fn of(&self, terrain: &Terrain) -> Result<Found, Failure> {
        Ok(match self.args.kind {
            Kind::Rects => Found::Rects(terrain.rectangles()),
            Kind::Outlines => Found::Outlines(match self.args.tolerance {
                Some(pixels) => terrain.outlines().simplified(pixels),
                None => terrain.outlines(),
            }),
            Kind::Chains => Found::Chains(chains(terrain, self.args.window)?),
        })
    }

    /// Yields the level's solids, which have no name, and then the named areas.
    fn terrains(&self) -> impl Iterator<Item = (Option<&str>, &Terrain)> {
        let level = &self.loaded.level;
        [(None, level.terrain())]
            .into_iter()
            .chain(level.areas().map(|(name, area)| (Some(name), area)))
    }

    /// Yields the chains of the one-way cells, for each side on which such cells stop bodies.
    fn one_way(&self) -> impl Iterator<Item = (Dir, Vec<Chain>)> {
        let all = Dir::ALL.map(|side| (side, self.loaded.level.one_way_chains(side)));
        all.into_iter().filter(|(_, chains)| !chains.is_empty())
    }

    fn json(&self) -> Result<String, Failure> {
        let size = self.loaded.level.size();
        let cell = self.loaded.level.cell_size();
        let mut text = format!(
            "{{\n\"version\": 1,\n\"size\": [{}, {}],\n\"cell_size\": [{}, {}],\n\"y_up\": {}",
            size.x, size.y, cell.x, cell.y, self.args.y_up
        );
        for (name, terrain) in self.terrains() {
            match name {
                None => text += ",\n\"solids\": ",
                Some(name) => {
                    text +=
                        if text.contains("\n\"areas\": [") { ",\n" } else { ",\n\"areas\": [\n" };
                    let name = serde_json::to_string(name).unwrap_or_default();
                    let _ = write!(text, "{{\"name\": {name}, \"shapes\": ");
                }
            }
            let shapes = match self.of(terrain)? {
                Found::Rects(rects) => list(rects.iter().map(|rect| {
                    let at = self.point(IVec2::new(
                        rect.min.x,
                        match self.args.y_up {
                            true => rect.max.y,
                            false => rect.min.y,
                        },
                    ));
                    format!("[{}, {}, {}, {}]", at.x, at.y, rect.width(), rect.height())
                })),
                Found::Outlines(outlines) => list(outlines.loops().map(|outline| {
                    let parent = outline.parent.map_or("null".to_owned(), |it| it.to_string());
                    format!("{{\"parent\": {parent}, \"points\": {}}}", self.points(outline.points))
                })),
                Found::Chains(chains) => list(chains.iter().map(|chain| self.chain(chain))),
            };
            text += &shapes;
            text += if name.is_some() { "}" } else { "" };
        }
        text += if self.loaded.level.areas().next().is_some() { "\n]" } else { "" };
        let sides = self.one_way().map(|(side, chains)| {
            format!("\"{side}\": {}", list(chains.iter().map(|chain| self.chain(chain))))
        });
        let sides: Vec<String> = sides.collect();
        let _ = write!(text, ",\n\"one_way\": {{{}}}\n}}\n", sides.join(",\n"));
        Ok(text)
    }

    fn chain(&self, chain: &Chain) -> String {
        let points = self.points(&chain.points);
        match chain.ghosts {
            None => format!("{{\"closed\": true, \"points\": {points}}}"),
            Some(mut ghosts) => {
                if self.args.y_up {
                    ghosts.reverse();
                }
                let [before, after] = ghosts.map(|ghost| self.point(ghost));
                format!(
                    "{{\"closed\": false, \"before\": {}, \"points\": {points}, \"after\": {}}}",
                    pair(before),
                    pair(after)
                )
            }
        }
    }

    /// Formats points as JSON. With `--y-up` their order is reversed, so that the signed area of a loop keeps
    /// its sign.
    fn points(&self, points: &[IVec2]) -> String {
        let mut pairs: Vec<String> = points.iter().map(|point| pair(self.point(*point))).collect();
        if self.args.y_up {
            pairs.reverse();
        }
        format!("[{}]", pairs.join(", "))
    }

    fn point(&self, point: IVec2) -> bitwall::glam::I64Vec2 {
        let mut point = point.as_i64vec2();
        if self.args.y_up {
            point.y = i64::from(self.loaded.level.size().y) - point.y;
        }
        point
    }

    fn svg(&self) -> Result<String, Failure> {
        let size = self.loaded.level.size();
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-2 -2 {} {}\" fill-rule=\"evenodd\">\n",
            size.x + 4,
            size.y + 4
        );
        for (name, terrain) in self.terrains() {
            let color = if name.is_some() { "#0072b2" } else { "#d55e00" };
            let title =
                name.map_or_else(String::new, |name| format!("<title>{}</title>", escaped(name)));
            let _ = writeln!(
                text,
                "<g fill=\"{color}\" fill-opacity=\"0.3\" stroke=\"{color}\" stroke-width=\"1\">{title}"
            );
            match self.of(terrain)? {
                Found::Rects(rects) => {
                    for rect in rects {
                        let Aabb { min: IVec2 { x, y }, .. } = rect;
                        let (width, height) = (rect.width(), rect.height());
                        let _ = writeln!(
                            text,
                            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
                        );
                    }
                }
                Found::Outlines(outlines) => {
                    let loops = outlines.loops().map(|outline| path(outline.points) + "Z");
                    let _ =
                        writeln!(text, "<path d=\"{}\"/>", loops.collect::<Vec<_>>().join("\n"));
                }
                Found::Chains(chains) => lines(&mut text, &chains),
            }
            text += "</g>\n";
        }
        text += "<g stroke=\"#009e73\" stroke-width=\"2\">\n";
        self.one_way().for_each(|(_, chains)| lines(&mut text, &chains));
        text += "</g>\n</svg>\n";
        Ok(text)
    }

    /// Returns a Tiled map without tiles: one object layer for the solids, and one for each named area.
    fn tmx(&self) -> Result<String, Failure> {
        let level = &self.loaded.level;
        let (size, cell) = (level.grid().size(), level.cell_size());
        let (mut layers, mut ids) = (String::new(), 1..);
        let mut layer_count = 0;
        for (name, terrain) in self.terrains() {
            layer_count += 1;
            let name = escaped(name.unwrap_or("Collision"));
            let _ = writeln!(layers, " <objectgroup id=\"{layer_count}\" name=\"{name}\">");
            match self.of(terrain)? {
                Found::Rects(rects) => {
                    rects.iter().for_each(|it| rect(&mut layers, &mut ids, *it, None))
                }
                Found::Outlines(outlines) => polygons(&mut layers, &mut ids, &outlines, terrain)?,
                Found::Chains(_) => {}
            }
            if layer_count == 1 {
                for (side, chains) in self.one_way() {
                    for chain in chains {
                        let ends = Aabb { min: chain.points[0], max: chain.points[1] };
                        let (min, max) = (ends.min.min(ends.max), ends.min.max(ends.max));
                        // The box around the one-way cells of the chain, which is a line along the side on
                        // which they stop bodies.
                        let into = -side.vector() * cell.as_ivec2();
                        let cells = Aabb { min: min.min(min + into), max: max.max(max + into) };
                        rect(&mut layers, &mut ids, cells, Some(side));
                    }
                }
            }
            layers += " </objectgroup>\n";
        }
        let next = ids.next().unwrap_or(0);
        Ok(format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" orientation=\"orthogonal\" \
             renderorder=\"right-down\" width=\"{}\" height=\"{}\" tilewidth=\"{}\" tileheight=\"{}\" \
             infinite=\"0\" nextlayerid=\"{}\" nextobjectid=\"{next}\">\n{layers}</map>\n",
            size.x,
            size.y,
            cell.x,
            cell.y,
            layer_count + 1
        ))
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", items.join(",\n")) }
}

fn pair(point: bitwall::glam::I64Vec2) -> String {
    format!("[{}, {}]", point.x, point.y)
}

fn path(points: &[IVec2]) -> String {
    let points: Vec<String> =
        points.iter().map(|point| format!("{} {}", point.x, point.y)).collect();
    format!("M{}", points.join(" "))
}

fn lines(text: &mut String, chains: &[Chain]) {
    for chain in chains {
        let end = if chain.ghosts.is_none() { "Z" } else { "" };
        let _ = writeln!(text, "<path fill=\"none\" d=\"{}{end}\"/>", path(&chain.points));
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            character if character.is_control() => {
                let _ = write!(escaped, "&#{};", character as u32);
            }
            character => escaped.push(character),
        }
    }
    escaped
}

fn rect(text: &mut String, ids: &mut impl Iterator<Item = u32>, area: Aabb, one_way: Option<Dir>) {
    let (id, Aabb { min: IVec2 { x, y }, .. }) = (ids.next().unwrap_or(0), area);
    let (width, height) = (area.width(), area.height());
    let head =
        format!("  <object id=\"{id}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
    let _ = match one_way {
        None => writeln!(text, "{head}/>"),
        Some(side) => writeln!(
            text,
            "{head}><properties><property name=\"one_way\" value=\"{side}\"/></properties></object>"
        ),
    };
}

/// Writes each solid without holes as a polygon. Writes a solid with holes as rectangles, because a polygon
/// in a Tiled map cannot have holes.
fn polygons(
    text: &mut String,
    ids: &mut impl Iterator<Item = u32>,
    outlines: &Outlines,
    terrain: &Terrain,
) -> Result<(), Failure> {
    let loops: Vec<_> = outlines.loops().collect();
    let mut holes = vec![Vec::new(); loops.len()];
    for outline in &loops {
        if let Some(parent) = outline.parent {
            holes[parent].push(outline.points);
        }
    }
    for (outline, holes) in loops.iter().zip(holes).filter(|(outline, _)| outline.parent.is_none())
    {
        if !holes.is_empty() {
            for found in with_holes(outline.points, &holes, terrain.cell_size())? {
                rect(text, ids, found, None);
            }
            continue;
        }
        let (id, first) = (ids.next().unwrap_or(0), outline.points[0]);
        let points = outline.points.iter().map(|point| *point - first);
        let points: Vec<String> = points.map(|point| format!("{},{}", point.x, point.y)).collect();
        let (IVec2 { x, y }, points) = (first, points.join(" "));
        let _ = writeln!(
            text,
            "  <object id=\"{id}\" x=\"{x}\" y=\"{y}\"><polygon points=\"{points}\"/></object>"
        );
    }
    Ok(())
}

/// Returns rectangles that cover a solid with holes.
fn with_holes(points: &[IVec2], holes: &[&[IVec2]], cell: UVec2) -> Result<Vec<Aabb>, Failure> {
    let min = points.iter().copied().reduce(IVec2::min).unwrap_or_default();
    let max = points.iter().copied().reduce(IVec2::max).unwrap_or_default();
    let at = |points: &[IVec2]| points.iter().map(|point| *point - min).collect::<Vec<_>>();
    let size = (max - min).as_uvec2() / cell;
    let mut solid = Grid::new(size.x, size.y)
        .and_then(|grid| Terrain::new(grid, cell))
        .map_err(|error| Failure::Other(error.to_string()))?;
    let painted = solid.paint(&at(points)[..], IVec2::ZERO);
    painted.map_err(|error| Failure::Other(error.to_string()))?;
    for hole in holes {
        solid.carve(&at(hole)[..], IVec2::ZERO);
    }
    Ok(solid.rectangles().into_iter().map(|found| found.translated(min)).collect())
}
