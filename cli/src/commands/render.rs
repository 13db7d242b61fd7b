//! `bitwall render`: draws a level as a picture or as text.

mod reach;
pub(super) mod text;

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::commands::output::warn;
use crate::commands::shapes::{Shape, ShapesOf};
use crate::commands::{
    Answer, Failure, LevelFile, LevelsArgs, output, outs, parse_body, parse_dir, parse_step, shapes,
};
use crate::lint::config::{REACH_WORK, parse_size};
use crate::lint::rules::jumps_in;
use bitwall::glam::{IVec2, UVec2};
use bitwall::image::codecs::png::{CompressionType, FilterType, PngEncoder};
use bitwall::image::{ExtendedColorType, ImageEncoder, ImageError, Rgba, RgbaImage};
use bitwall::load::{Disk, Links, Source, load_picture, open_file};
use bitwall::render::{self, DrawOptions, Overlay, Pictures, RenderError};
use bitwall::text::{printable_path, px};
use bitwall::{Aabb, Dir, LoadedLevel};

/// Draw a level as a picture (PNG) or as text
///
/// Draws the art, the solid cells, or both in one picture, with markers and the sweep of a box. --view text
/// prints the level with one character for each cell.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  bitwall render cave.tmx
      the art with solid cells in red and markers, as cave-both.png
  bitwall render cave.tmx --scale 2 --body 114,340,12,20 --dir right --step 400
      and how far a box of 12 x 20 px at (114, 340) gets to the right, and what stops it
  bitwall render harbor_mask.png --art harbor.png -o harbor_check.png
      a mask laid over its picture
  bitwall render maps/*.tmx -o seen/
      each map as a picture in the folder seen
  bitwall render cave.tmx --reach
      what the body of bitwall.toml reaches, and how
  bitwall render cave.tmx --view collision -o - > mask.png
      black and white, one pixel a pixel: a mask that answers like the map
  bitwall render cave.tmx --view text --region 0,256,320,128
      a part of the level as text, one character a cell")]
pub(super) struct RenderArgs {
    /// The picture to write, a .png, or the .txt of --view text; an existing folder for several levels; - is
    /// standard output [default: LEVEL-VIEW.png in the current folder; standard output for --view text]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The content of the picture
    #[arg(long, value_enum, default_value_t = View::Both)]
    view: View,
    /// Draw each pixel as a square of N x N
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    scale: u32,
    /// Draw the picture as large as fits into W x H pixels, with its rulers and legend: enlarged by a whole
    /// number, or reduced. For --view text these are characters [default there: 160x100]
    #[arg(long, value_name = "WxH", value_parser = parse_size, conflicts_with = "scale")]
    fit: Option<UVec2>,
    /// Draw only this part of the picture; the numbers are in pixels at a scale of 1
    #[arg(long, value_name = "X,Y,W,H", value_parser = parse_body, allow_hyphen_values = true)]
    region: Option<Aabb>,
    /// Draw a legend below the picture: the size of the level, the share that the solids and each area cover,
    /// and the numbers of markers and missing pictures
    #[arg(long)]
    legend: bool,
    /// Draw rulers at the top and the left, with pixels of the level; an isometric or
    /// oblique map has them only with -c level.space=screen
    #[arg(long)]
    rulers: bool,
    /// Draw the grid of the tiles, if they have 8 pixels or more in the picture, or, over a mask, lines at
    /// round numbers of pixels
    #[arg(long)]
    grid: bool,
    /// Draw the solids as `bitwall shapes --as KIND` writes them, as lines
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "fit")]
    shapes: Option<shapes::Kind>,
    /// Draw what the first body of bitwall.toml with `moves` from the side reaches from the spawns: its
    /// places, the links between them, the ways to the goals, and in red the places that it does not
    /// leave again
    #[arg(long, conflicts_with = "shapes")]
    reach: bool,
    /// Draw a box, in pixels of the level
    #[arg(long, value_name = "X,Y,W,H", value_parser = parse_body, allow_hyphen_values = true)]
    body: Option<Aabb>,
    /// Draw the sweep of the box in this direction
    #[arg(long, value_name = "left|right|up|down", value_parser = parse_dir, requires_all = ["body", "step"])]
    dir: Option<Dir>,
    /// The distance of the sweep, in pixels
    #[arg(long, value_name = "N", value_parser = parse_step, allow_hyphen_values = true, requires = "dir")]
    step: Option<u32>,
    /// A picture to use as the level's art; it must have the size of the level
    #[arg(long, value_name = "PICTURE")]
    art: Option<PathBuf>,
    #[command(flatten)]
    level: LevelsArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum View {
    /// The art: the map or the picture as drawn
    Art,
    /// Black for solid, white for passable
    Collision,
    /// The art, solid cells in red, markers, and the box
    Both,
    /// Plain ASCII: one character for each cell or block of cells, with rulers, markers and a legend
    Text,
}

impl View {
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

struct Request<'a> {
    args: &'a RenderArgs,
    file: LevelFile,
}

pub(super) fn run(args: &RenderArgs) -> Result<Answer, Failure> {
    check_use(args)?;
    if args.view == View::Text {
        let out = args.out.as_deref().unwrap_or(Path::new("-"));
        // A level never has this ending, so that none is replaced.
        if out != Path::new("-") && out.extension() != Some("txt".as_ref()) {
            return Err(Failure::at(out, "a text ends with .txt"));
        }
        output::write_bytes(out, text_of(args)?.as_bytes())?;
        return Ok(Answer::Yes);
    }
    let files = args.level.files()?;
    // `maps/cave.tmx` in the view `both` becomes `cave-both.png`.
    let outs = outs(args.out.as_deref(), &files, &format!("-{}.png", args.view.name()))?;
    for (file, out) in files.into_iter().zip(&outs) {
        write(&Request { args, file }, out)?;
    }
    Ok(Answer::Yes)
}

/// Draws a level into the file `out`.
fn write(request: &Request<'_>, out: &Path) -> Result<(), Failure> {
    let Request { args, file } = request;
    let path = &file.path;
    check_name(out)?;
    let loaded = args.level.load.load_anyway(&request.file)?;
    request.file.warn_of_mask(&loaded);
    let images = loaded.maps.iter().flat_map(|map| map.map.images());
    let named = images.map(|image| &image.path);
    refuse_to_overwrite(out, named.chain([path]).chain(&args.art))?;
    let mut size = UVec2::ZERO;
    output::spinner("drawing", || {
        output::write_whole(out, &mut |file| {
            size = draw(request, &loaded, file)?;
            Ok(())
        })
    })?;
    if out != Path::new("-") {
        Answer::Yes.print(&format!("{}: {}\n", printable_path(out), px(size)))?;
    }
    Ok(())
}

/// Returns the level as text.
pub(super) fn text_of(args: &RenderArgs) -> Result<String, Failure> {
    let request = &Request { args, file: args.level.file()? };
    let loaded = args.level.load.load_anyway(&request.file)?;
    let text = text::draw(&request.file.path, &loaded, args.region, args.fit);
    text.map_err(|error| failure(request, error))
}

/// Fails if an argument has no effect in the chosen view.
fn check_use(args: &RenderArgs) -> Result<(), Failure> {
    let (what, views) = match args.view {
        View::Both => return Ok(()),
        _ if args.legend => ("--legend", "both"),
        _ if args.rulers => ("--rulers", "both"),
        _ if args.grid => ("--grid", "both"),
        _ if args.shapes.is_some() => ("--shapes", "both"),
        _ if args.reach => ("--reach", "both"),
        _ if args.body.is_some() => ("--body", "both"),
        View::Collision | View::Text if args.art.is_some() => ("--art", "both or art"),
        View::Text if args.scale != 1 => ("--scale", "both, art or collision"),
        _ => return Ok(()),
    };
    let view = args.view.name();
    Err(format!("{what} has no effect on --view {view}; use --view {views}").into())
}

fn draw(
    request: &Request<'_>,
    loaded: &LoadedLevel,
    out: &mut dyn Write,
) -> Result<UVec2, Failure> {
    let options = DrawOptions { work: loaded.options().limits.work, ..options(request.args) };
    if request.args.view == View::Collision {
        let picture = render::collision_with(&loaded.level, &options);
        let picture = picture.map_err(|error| failure(request, error))?;
        let size = picture.dimensions().into();
        write_png(&picture, size, ExtendedColorType::L8, out)?;
        return Ok(size);
    }
    if request.args.rulers
        && let [map] = &loaded.maps[..]
        && map.on_screen.is_none()
    {
        warn(
            "--rulers has no effect on a slanted level; -c level.space=screen loads it as on the screen",
        );
    }
    let art = art(request, loaded)?;
    let pictures = match art {
        Some(_) => Pictures::new(),
        None => load_pictures(&request.file.path, loaded),
    };
    if art.is_none()
        && loaded.maps.len() > 1
        && loaded.maps.iter().any(|map| map.on_screen.is_none())
    {
        let reason = "the maps of this world are drawn only with -c level.space=screen";
        if request.args.view == View::Art {
            return Err(reason.into());
        }
        warn(reason);
    }
    let name = request.file.path.file_name().unwrap_or_default().to_string_lossy();
    let options =
        DrawOptions { pictures: Some(&pictures), name: Some(&name), art: art.as_ref(), ..options };
    let drawn = match request.args.shapes {
        None if request.args.reach => {
            let facts = request.args.level.load.verify_options(&request.file.path)?;
            let found = jumps_in(loaded, &facts);
            let (ways, starts, goals) =
                found.ok_or("--reach needs a `[[verify.body]]` with `moves` from the side")?;
            let work = facts.reach_work.unwrap_or(REACH_WORK);
            reach::draw(loaded, &options, ways, &starts, &goals, work)
        }
        None => render::draw(loaded, &options),
        Some(kind) => {
            let terrain = loaded.level.terrain();
            shapes::check_points(&request.file.path, loaded, [terrain].into_iter())?;
            with_shapes(loaded, &options, kind, shapes::shapes_of(terrain, kind, None)?)
        }
    };
    let picture = drawn.map_err(|error| failure(request, error))?;
    let size = picture.dimensions().into();
    write_png(&picture, size, ExtendedColorType::Rgba8, out)?;
    Ok(size)
}

/// Draws the picture, and over it the shapes of the solids as lines.
fn with_shapes(
    loaded: &LoadedLevel,
    options: &DrawOptions<'_>,
    kind: shapes::Kind,
    shapes: ShapesOf<'_>,
) -> Result<RgbaImage, RenderError> {
    let mut canvas = render::canvas(loaded, options)?;
    let sides = Dir::ALL.into_iter().filter(|_| kind == shapes::Kind::Chains);
    let one_way = sides.flat_map(|side| loaded.level.one_way_chains(side)).map(Shape::Chain);
    for shape in shapes.chain(one_way) {
        let (mut points, is_closed) = match shape {
            Shape::Rect(Aabb { min, max }) => {
                (vec![min, IVec2::new(max.x, min.y), max, IVec2::new(min.x, max.y)], true)
            }
            Shape::Outline(points, _) => (points, true),
            Shape::Chain(chain) => (chain.points, chain.ghosts.is_none()),
        };
        points.extend(points.first().copied().filter(|_| is_closed));
        canvas.line(&points, Rgba([0, 90, 200, 255]));
    }
    canvas.finish()
}

/// Returns the picture of `--art`. Without it, returns the mask in the view `art`, and `None` otherwise. The
/// art of a map is drawn from its tiles instead.
fn art(request: &Request<'_>, loaded: &LoadedLevel) -> Result<Option<RgbaImage>, Failure> {
    let art = match &request.args.art {
        Some(path) => load_picture(path)?,
        None if loaded.maps.is_empty() && request.args.view == View::Art => {
            if matches!(loaded.source, Source::Baked { .. }) {
                return Err("a baked level has no art; name a picture with --art".into());
            }
            request.file.picture()?
        }
        None => return Ok(None),
    };
    let size = art.dimensions().into();
    let level = loaded.level.size();
    if size != level && request.args.art.is_some() {
        return Err(failure(request, RenderError::ArtSize { art: size, level }));
    }
    Ok(Some(art))
}

fn options(args: &RenderArgs) -> DrawOptions<'static> {
    let overlay = match args.view {
        View::Art => Overlay::none(args.scale),
        _ => Overlay {
            legend: args.legend,
            rulers: args.rulers,
            grid: args.grid,
            body: args.body,
            motion: args.dir.zip(args.step),
            ..Overlay::new(args.scale)
        },
    };
    DrawOptions { overlay, region: args.region, fit: args.fit, ..DrawOptions::default() }
}

const MOST_WARNINGS: usize = 3;

/// Loads the pictures of the tilesets and image layers in the maps of a level. Warns about a picture that
/// cannot be loaded.
pub(super) fn load_pictures(level: &Path, loaded: &LoadedLevel) -> Pictures {
    let mut disk = Disk::new(level, loaded.options());
    let (pictures, errors) = render::load_pictures(&loaded.maps, &mut disk);
    for error in errors.iter().take(MOST_WARNINGS) {
        let path = error.path();
        let name = if path.as_os_str().is_empty() { level } else { path };
        warn(&format!("{}: {}", printable_path(name), error.headline()));
    }
    if let Some(more @ 1..) = errors.len().checked_sub(MOST_WARNINGS) {
        warn(&format!("{}: {more} more pictures cannot be loaded", printable_path(level)));
    }
    pictures
}

fn failure(request: &Request<'_>, error: RenderError) -> Failure {
    let path = match (&request.args.art, error) {
        (Some(art), RenderError::ArtSize { .. }) => art,
        _ => &request.file.path,
    };
    Failure::at(path, error)
}

/// Writes a picture of `size` pixels as PNG.
pub(super) fn write_png(
    pixels: &[u8],
    size: UVec2,
    color: ExtendedColorType,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Uses no PNG filter, because filters hide the repetitions of tile art: without one the file is smaller
    // and written faster. A higher compression level took more time than all other work together.
    let encoder =
        PngEncoder::new_with_quality(out, CompressionType::Level(1), FilterType::NoFilter);
    let written = encoder.write_image(pixels, size.x, size.y, color);
    written.map_err(|error| match error {
        ImageError::IoError(error) => error,
        other => io::Error::other(other),
    })
}

/// Fails unless `out` ends with `.png`, or is `-`, standard output.
fn check_name(out: &Path) -> Result<(), Failure> {
    let ending = out.extension().unwrap_or_default();
    if out == Path::new("-") || ending.eq_ignore_ascii_case("png") {
        return Ok(());
    }
    Err(Failure::at(out, "pictures are written as PNG; end the name with .png"))
}

/// Fails if `out` is a file in `read` or no PNG: a mistyped name must not replace a map.
pub(super) fn refuse_to_overwrite<'a>(
    out: &Path,
    mut read: impl Iterator<Item = &'a PathBuf>,
) -> Result<(), Failure> {
    const START: &[u8] = b"\x89PNG";
    // A file that does not exist has no real path; `-` has none either.
    let Ok(target) = fs::canonicalize(out) else {
        return Ok(());
    };
    let mut head = Vec::new();
    let is_read = open_file(&target, Links::Followed, u64::MAX)
        .is_ok_and(|(file, _)| file.take(START.len() as u64).read_to_end(&mut head).is_ok());
    let reason = if read.any(|path| fs::canonicalize(path).is_ok_and(|path| path == target)) {
        "the level is read from this file, which the picture would replace"
    } else if !is_read || !head.is_empty() && head != START {
        "there is something other than a PNG picture of this name, which will not be replaced"
    } else {
        return Ok(());
    };
    Err(Failure::at(out, format!("{reason}; name another file with -o")))
}
