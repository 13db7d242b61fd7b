//! `bitwall render`: a level as a picture.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbaImage};

use super::level_args::{LevelArgs, parse_body};
use super::{Answer, Failure, output, progress};
use crate::load::disk::is_png_or_empty;
use crate::load::picture::size_of;
use crate::load::{Disk, Files};
use crate::render::{self, DrawOptions, Pictures, RenderError};
use crate::text::printable_path;
use crate::{
    Aabb, Dir, Level, LoadedLevel,
    load::picture::{decode_picture, load_picture},
    text::printable,
};

/// Draw a level as a PNG picture
///
/// Draws the art, the solid cells, or both in one picture, with markers and the sweep of a box.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  bitwall render cave.tmx
      the art with solid cells in red and markers, as cave-both.png
  bitwall render cave.tmx --scale 2 --body 114,340,12,20 --dir right --step 400
      and how far a box of 12 x 20 px at (114, 340) gets to the right, and what stops it
  bitwall render harbor_mask.png --art harbor.png -o harbor_check.png
      a mask laid over its picture
  bitwall render cave.tmx --view collision -o - > mask.png
      black and white, one pixel a pixel: a mask that answers like the map")]
pub(super) struct RenderArgs {
    #[command(flatten)]
    level: LevelArgs,
    /// The picture to write; - is standard output [default: LEVEL-VIEW.png in the current folder]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The content of the picture
    #[arg(long, value_enum, default_value_t = View::Both)]
    view: View,
    /// Draw each pixel as a square of N x N
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    scale: u32,
    /// Draw only this part of the picture, in its pixels at a scale of 1
    #[arg(long, value_name = "X,Y,W,H", value_parser = parse_body, allow_hyphen_values = true)]
    region: Option<Aabb>,
    /// Draw a legend below the picture: sizes, and the share of all that is painted
    #[arg(long)]
    legend: bool,
    /// Draw rulers at the top and the left, with pixels and numbers of cells
    #[arg(long)]
    rulers: bool,
    /// Draw the grid of the map's tiles or, over a mask, lines in round steps
    #[arg(long)]
    grid: bool,
    /// Draw a box, in pixels of the level
    #[arg(long, value_name = "X,Y,W,H", value_parser = parse_body, allow_hyphen_values = true)]
    body: Option<Aabb>,
    /// Draw the sweep of the box in this direction
    #[arg(long, value_name = "left|right|up|down", requires_all = ["body", "step"])]
    dir: Option<Dir>,
    /// The distance of the sweep, in pixels
    #[arg(long, value_name = "N", requires = "dir")]
    step: Option<u32>,
    /// Draw the art as Tiled's own rasterizer does: without background colour, and large enough for tiles
    /// that extend beyond the level
    #[arg(long)]
    as_tiled: bool,
    /// A picture to use as the level's art; it must have the size of the level
    #[arg(long, value_name = "PICTURE", conflicts_with = "as_tiled")]
    art: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum View {
    /// The art: the map or the picture as drawn
    Art,
    /// Black for solid, white for passable
    Collision,
    /// The art, solid cells in red, markers, and the box
    Both,
}

impl View {
    fn name(self) -> &'static str {
        match self {
            Self::Art => "art",
            Self::Collision => "collision",
            Self::Both => "both",
        }
    }
}

/// Draws a level.
pub(super) fn run(args: &RenderArgs) -> Result<Answer, Failure> {
    check_use(args)?;
    let path = &args.level.level;
    let out = args.out.clone().unwrap_or_else(|| default_out(path, args.view));
    let loaded = args.level.load.load(path)?;
    let images = loaded.maps.iter().flat_map(|map| map.map.images());
    let named = images.map(|image| &image.path);
    refuse_to_overwrite(&out, named.chain([path]).chain(&args.art))?;
    let png = progress::spinner("drawing", || draw(args, &loaded))?;
    output::write_whole(&out, &png.bytes)?;
    if out == Path::new("-") {
        return Ok(Answer::Yes);
    }
    let (name, (width, height)) = (printable_path(&out), png.size);
    let written = writeln!(std::io::stdout().lock(), "{name}: {width} x {height} px");
    Answer::Yes.once(written)
}

/// An error for an argument that would have no effect on the view.
fn check_use(args: &RenderArgs) -> Result<(), Failure> {
    let needs = |what: &str, views: &str| {
        let view = args.view.name();
        Err(Failure::Other(format!("{what} has no effect on --view {view}; use --view {views}")))
    };
    match args.view {
        View::Art | View::Collision if args.legend => needs("--legend", "both"),
        View::Art | View::Collision if args.rulers => needs("--rulers", "both"),
        View::Art | View::Collision if args.grid => needs("--grid", "both"),
        View::Art | View::Collision if args.body.is_some() => needs("--body", "both"),
        View::Collision if args.art.is_some() => needs("--art", "both or art"),
        View::Collision | View::Both if args.as_tiled => needs("--as-tiled", "art"),
        _ => Ok(()),
    }
}

/// `cave-both.png` for `maps/cave.tmx`.
fn default_out(level: &Path, view: View) -> PathBuf {
    let mut name = level.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{}.png", view.name()));
    PathBuf::from(name)
}

/// An error if `out` is one of the files `read`, or an existing file that is not a PNG. It guards against a
/// mistyped name that would replace a tileset or a map.
fn refuse_to_overwrite<'a>(
    out: &Path,
    mut read: impl Iterator<Item = &'a PathBuf>,
) -> Result<(), Failure> {
    // A file that does not exist has no real path; neither has `-`.
    let Ok(target) = fs::canonicalize(out) else {
        return Ok(());
    };
    let reason = if read.any(|path| fs::canonicalize(path).is_ok_and(|path| path == target)) {
        "the level is read from this file, which the picture would replace"
    } else if !is_png_or_empty(&target) {
        "there is something other than a PNG picture of this name, which will not be replaced"
    } else {
        return Ok(());
    };
    let name = out.to_string_lossy();
    Err(Failure::Other(format!("{}: {reason}; name another file with -o", printable(&name))))
}

/// An encoded picture.
struct Png {
    bytes: Vec<u8>,
    size: (u32, u32),
}

fn draw(args: &RenderArgs, loaded: &LoadedLevel) -> Result<Png, Failure> {
    let level = &loaded.level;
    if args.view == View::Collision {
        let picture = render::collision_with(level, &options(args));
        let picture = picture.map_err(|error| failure(args, error))?;
        return encode(picture.as_raw(), picture.dimensions(), ExtendedColorType::L8);
    }
    let (maps, path) = (&loaded.maps, &args.level.level);
    let art = match &args.art {
        Some(path) => Some(load_picture(path)?),
        // A mask: its art is its own picture.
        None if maps.is_empty() && args.view == View::Art => Some(load_picture(path)?),
        None => None,
    };
    check_size(args, art.as_ref(), level)?;
    let pictures = match art {
        Some(_) => Pictures::new(),
        None => load_pictures(path, loaded),
    };
    if art.is_none() && maps.len() > 1 && maps.iter().any(|map| map.on_screen.is_none()) {
        let reason = "the maps of this world are drawn only with --space screen";
        if args.view == View::Art {
            return Err(Failure::Other(reason.to_owned()));
        }
        warn(reason);
    }
    let name = args.level.level.file_name().unwrap_or_default().to_string_lossy();
    let mut options = options(args).with_pictures(&pictures).with_name(&name);
    options.art = art.as_ref();
    let picture = render::draw(loaded, &options).map_err(|error| failure(args, error))?;
    encode(picture.as_raw(), picture.dimensions(), ExtendedColorType::Rgba8)
}

fn options(args: &RenderArgs) -> DrawOptions<'static> {
    let options = DrawOptions::default().with_scale(args.scale).with_as_tiled(args.as_tiled);
    let options = DrawOptions { region: args.region, ..options };
    let overlay = options.overlay.with_legend(args.legend).with_rulers(args.rulers);
    let options = options.with_overlay(overlay.with_grid(args.grid));
    match (args.body, args.dir, args.step) {
        _ if args.view == View::Art => options.without_overlay(),
        (Some(body), Some(dir), Some(step)) => options.with_sweep(body, dir, step),
        (Some(body), _, _) => options.with_body(body),
        _ => options,
    }
}

/// An error if the picture of `--art` is not as large as the level.
fn check_size(args: &RenderArgs, art: Option<&RgbaImage>, level: &Level) -> Result<(), Failure> {
    match art.map(|art| art.dimensions().into()) {
        Some(art) if art != level.size() && args.art.is_some() => {
            Err(failure(args, RenderError::ArtSize { art, level: level.size() }))
        }
        _ => Ok(()),
    }
}

/// The largest size of all pictures of a map together, in bytes.
const MAX_PICTURE_BYTES: u64 = 192 << 20;

/// Loads the pictures of a map. One that cannot be loaded is a warning, and the rest is still drawn.
fn load_pictures(level: &Path, loaded: &LoadedLevel) -> Pictures {
    let maps = &loaded.maps;
    let mut disk = Disk::new(level, loaded.options());
    let mut bytes = 0;
    let mut load = |path: PathBuf| {
        let picture = match maps.iter().find_map(|map| map.map.embedded_picture(&path)) {
            Some(data) => load_embedded(data, &path, &mut bytes),
            None => load_within(&path, &mut disk, &mut bytes),
        };
        if let Err(reason) = &picture {
            let name = match path.as_os_str().is_empty() {
                true => level,
                false => &path,
            };
            let name = name.to_string_lossy();
            warn(&format!("{}: {reason}", printable(&name)));
        }
        (path, picture.ok())
    };
    let paths: BTreeSet<PathBuf> = maps.iter().flat_map(render::picture_paths).collect();
    paths.into_iter().map(&mut load).collect()
}

/// Decodes a picture that is embedded in the map, within the limit of [`load_within`].
fn load_embedded(data: &[u8], path: &Path, bytes: &mut u64) -> Result<RgbaImage, String> {
    if *bytes > MAX_PICTURE_BYTES {
        return Err("the pictures of the map take too much memory together".to_owned());
    }
    let picture = decode_picture(path, data).map_err(|error| error.headline())?;
    *bytes += picture.as_raw().len() as u64;
    Ok(picture)
}

/// Loads a picture if it fits the limit together with the others, which take `bytes`. A broken picture counts
/// too, because its decoding took as long.
fn load_within(path: &Path, disk: &mut Disk, bytes: &mut u64) -> Result<RgbaImage, String> {
    if path.as_os_str().is_empty() {
        return Err("a picture without a path, or a broken one inside the file".to_owned());
    }
    let file = disk.read(path).map_err(|kind| kind.to_string())?;
    let size = size_of(path, &file).map_err(|kind| kind.to_string())?;
    *bytes += u64::from(size.x) * u64::from(size.y) * 4;
    if *bytes > MAX_PICTURE_BYTES {
        let limit = MAX_PICTURE_BYTES >> 20;
        return Err(format!("the pictures of the map take more than {limit} MiB together"));
    }
    decode_picture(path, &file).map_err(|error| error.headline())
}

/// Writes a warning to standard error; it is ignored if that is closed.
fn warn(text: &str) {
    let _ = writeln!(anstream::stderr(), "warning: {text}");
}

/// The error with the path of its file.
fn failure(args: &RenderArgs, error: RenderError) -> Failure {
    let path = match (&args.art, error) {
        (Some(art), RenderError::ArtSize { .. }) => art,
        _ => &args.level.level,
    };
    let path = path.to_string_lossy();
    Failure::Other(format!("{}: {error}", printable(&path)))
}

fn encode(pixels: &[u8], size: (u32, u32), color: ExtendedColorType) -> Result<Png, Failure> {
    let mut bytes = Vec::new();
    // Tile art has many repetitions, which filters would hide: without one the file is smaller and sooner
    // written. Better compression took more time than all other work together.
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Level(1), FilterType::NoFilter)
        .write_image(pixels, size.0, size.1, color)
        .map_err(|error| Failure::Other(format!("cannot encode the picture: {error}")))?;
    Ok(Png { bytes, size })
}
