//! `bitwall render`: a level as a picture.

mod encode;
mod room;
mod target;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use image::RgbaImage;

use self::room::Room;
use self::target::{Format, refuse_to_overwrite};
use super::level_args::{LevelArgs, parse_body};
use super::level_file::LevelFile;
use super::{Answer, Failure, output, progress};
use crate::glam::UVec2;
use crate::load::{Disk, Source, load_picture};
use crate::render::{self, Bands, DrawOptions, Pictures, RenderError};
use crate::text::{printable, printable_path};
use crate::{Aabb, Dir, LoadedLevel};

/// Draw a level as a picture, PNG or JPEG
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
    /// The picture to write, a .png, .jpg or .jpeg; - is standard output, as PNG [default: LEVEL-VIEW.png in
    /// the current folder]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The content of the picture
    #[arg(long, value_enum, default_value_t = View::Both)]
    view: View,
    /// Draw each pixel as a square of N x N
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    scale: u32,
    /// Draw as large as a box of W x H pixels has room for: enlarged by a whole number, or reduced
    #[arg(long, value_name = "WxH", value_parser = parse_fit, conflicts_with = "scale")]
    fit: Option<UVec2>,
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

impl RenderArgs {
    /// True if nothing is asked for that the solid cells alone do not show.
    fn is_plain(&self) -> bool {
        let has_more = self.legend || self.rulers || self.grid || self.body.is_some();
        self.view == View::Both && self.art.is_none() && !has_more
    }
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

/// The size that `400x300` writes.
fn parse_fit(text: &str) -> Result<UVec2, String> {
    let sides = text.split_once(['x', 'X']).map(|(width, height)| [width, height]);
    match sides.map(|sides| sides.map(|side| side.trim().parse::<u32>())) {
        Some([Ok(width), Ok(height)]) if width > 0 && height > 0 => Ok(UVec2::new(width, height)),
        _ => Err("two whole numbers above 0 are needed: WxH in pixels, such as 800x600".to_owned()),
    }
}

/// The arguments, and the file of the level.
struct Request<'a> {
    args: &'a RenderArgs,
    file: LevelFile,
}

/// Draws a level.
pub(super) fn run(args: &RenderArgs) -> Result<Answer, Failure> {
    check_use(args)?;
    let request = &Request { args, file: args.level.file()? };
    let path = &request.file.path;
    let out = args.out.clone().unwrap_or_else(|| default_out(path, args.view));
    let format = Format::of(&out)?;
    let loaded = args.level.load_anyway(&request.file)?;
    let images = loaded.maps.iter().flat_map(|map| map.map.images());
    let named = images.map(|image| &image.path);
    refuse_to_overwrite(&out, format, named.chain([path]).chain(&args.art))?;
    let mut size = UVec2::ZERO;
    progress::spinner("drawing", || {
        output::write_whole(&out, |file| {
            size = draw(request, &loaded, format, file)?;
            Ok(())
        })
    })?;
    if out == Path::new("-") {
        return Ok(Answer::Yes);
    }
    let (name, UVec2 { x, y }) = (printable_path(&out), size);
    let written = writeln!(std::io::stdout().lock(), "{name}: {x} x {y} px");
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

/// Bands in a size for which there is room. A larger picture is scaled down, with a warning.
fn in_room<'o, B>(
    request: &Request<'_>,
    options: DrawOptions<'o>,
    room: &Room,
    bands: impl Fn(&DrawOptions<'o>) -> Result<B, RenderError>,
    size_of: impl Fn(&B) -> UVec2,
) -> Result<B, RenderError> {
    let size = match bands(&options) {
        Err(RenderError::TooManyPixels { width, height, .. }) => (width, height),
        Ok(found) => {
            let size = size_of(&found);
            if room.holds(size) {
                return Ok(found);
            }
            (size.x.into(), size.y.into())
        }
        Err(error) => return Err(error),
    };
    let fit = room.fitting(size);
    let mut found = bands(&options.with_fit(fit))?;
    if !room.holds(size_of(&found)) {
        // Rulers and a legend come on top.
        let more = size_of(&found).saturating_sub(fit);
        found = bands(&options.with_fit(fit.saturating_sub(more).max(UVec2::ONE)))?;
    }
    let (name, to, (width, height)) = (printable_path(&request.file.path), size_of(&found), size);
    warn(&format!(
        "{name}: a picture of {width} x {height} px is too large, so it is scaled down to {} x {} px; \
         --region draws a part of it",
        to.x, to.y
    ));
    Ok(found)
}

/// Draws and writes the picture, and returns its size.
fn draw(
    request: &Request<'_>,
    loaded: &LoadedLevel,
    format: Format,
    out: &mut dyn Write,
) -> Result<UVec2, output::Fault> {
    let failed = |error| output::Fault::Content(failure(request, error));
    let room = Room::of(format);
    let options = options(request.args).with_work(loaded.options().limits.work);
    let solids = |out| {
        let draw = |options: &DrawOptions<'_>| render::collision_bands(&loaded.level, options);
        let bands = in_room(request, options, &room, draw, Bands::size).map_err(failed)?;
        encoded(request, bands, format, out)
    };
    if request.args.view == View::Collision {
        return solids(out);
    }
    let art = art(request, loaded).map_err(output::Fault::Content)?;
    let pictures = match art {
        Some(_) => Pictures::new(),
        None => load_pictures(&request.file.path, loaded),
    };
    if art.is_none()
        && loaded.maps.len() > 1
        && loaded.maps.iter().any(|map| map.on_screen.is_none())
    {
        let reason = "the maps of this world are drawn only with --space screen";
        if request.args.view == View::Art {
            return Err(output::Fault::Content(Failure::Other(reason.to_owned())));
        }
        warn(reason);
    }
    let name = request.file.path.file_name().unwrap_or_default().to_string_lossy();
    let mut options = options.with_pictures(&pictures).with_name(&name);
    options.art = art.as_ref();
    match in_room(request, options, &room, |options| render::bands(loaded, options), Bands::size) {
        Ok(bands) => encoded(request, bands, format, out),
        Err(RenderError::TooMuchToDraw { limit }) if request.args.is_plain() => {
            warn(&format!(
                "{}: the picture takes more than {limit} steps of work, so only its solid cells are drawn, \
                 black on white; --region draws a part, and --limit work=2^34 all of it",
                printable_path(&request.file.path)
            ));
            solids(out)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Writes bands in a format, and returns their size.
fn encoded<P: encode::Colors>(
    request: &Request<'_>,
    bands: Bands<'_, P>,
    format: Format,
    out: &mut dyn Write,
) -> Result<UVec2, output::Fault> {
    let size = bands.size();
    let written = match format {
        Format::Png => encode::png(bands, out),
        Format::Jpeg => encode::jpeg(bands, out),
    };
    written.map(|()| size).map_err(|fault| match fault {
        encode::Fault::Render(error) => output::Fault::Content(failure(request, error)),
        encode::Fault::Io(error) => output::Fault::Io(error),
    })
}

/// The picture that is the level's art: that of `--art`, or the mask itself.
fn art(request: &Request<'_>, loaded: &LoadedLevel) -> Result<Option<RgbaImage>, Failure> {
    let art = match &request.args.art {
        Some(path) => load_picture(path)?,
        None if loaded.maps.is_empty() && request.args.view == View::Art => {
            if matches!(loaded.source, Source::Baked(_)) {
                let reason = "a baked level has no art; name a picture with --art";
                return Err(Failure::Other(reason.to_owned()));
            }
            request.file.picture()?
        }
        None => return Ok(None),
    };
    let (size, level) = (art.dimensions().into(), loaded.level.size());
    if size != level && request.args.art.is_some() {
        return Err(failure(request, RenderError::ArtSize { art: size, level }));
    }
    Ok(Some(art))
}

fn options(args: &RenderArgs) -> DrawOptions<'static> {
    let options = DrawOptions::default().with_scale(args.scale).with_as_tiled(args.as_tiled);
    let options = DrawOptions { region: args.region, fit: args.fit, ..options };
    let overlay = options.overlay.with_legend(args.legend).with_rulers(args.rulers);
    let options = options.with_overlay(overlay.with_grid(args.grid));
    match (args.body, args.dir, args.step) {
        _ if args.view == View::Art => options.without_overlay(),
        (Some(body), Some(dir), Some(step)) => options.with_sweep(body, dir, step),
        (Some(body), _, _) => options.with_body(body),
        _ => options,
    }
}

/// The largest number of pictures that are named in warnings.
const MOST_WARNINGS: usize = 20;

/// Loads the pictures of the maps. One that cannot be loaded is a warning, and the rest is still drawn.
fn load_pictures(level: &Path, loaded: &LoadedLevel) -> Pictures {
    let mut disk = Disk::new(level, loaded.options());
    let (pictures, errors) = render::load_pictures(&loaded.maps, &mut disk);
    for error in errors.iter().take(MOST_WARNINGS) {
        let name = match error.path().as_os_str().is_empty() {
            true => level,
            false => error.path(),
        };
        warn(&format!("{}: {}", printable_path(name), error.headline()));
    }
    if let Some(more @ 1..) = errors.len().checked_sub(MOST_WARNINGS) {
        warn(&format!("{}: {more} more pictures cannot be loaded", printable_path(level)));
    }
    pictures
}

/// Writes a warning to standard error; it is ignored if that is closed.
fn warn(text: &str) {
    let _ = writeln!(anstream::stderr(), "warning: {text}");
}

/// The error with the path of its file.
fn failure(request: &Request<'_>, error: RenderError) -> Failure {
    let path = match (&request.args.art, error) {
        (Some(art), RenderError::ArtSize { .. }) => art,
        _ => &request.file.path,
    };
    let path = path.to_string_lossy();
    Failure::Other(format!("{}: {error}", printable(&path)))
}
