//! `bitwall diff`: compares two levels, or two revisions of one level.

use std::io::{self, ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::commands::json::{Json, object};
use crate::commands::level_args::{LevelFile, LoadArgs, StdinArgs, read_stdin};
use crate::commands::output::{make_folder, spinner, write_picture};
use crate::commands::{Answer, Failure};
use crate::git::{Blob, Blobs, Git};
use crate::lint::SPAWN_NAMES;
use crate::lint::config::parse_size;
use crate::lint::output::{area_numbers, inert};
use bitwall::analyze::{
    BodyDifference, LevelDifference, MarkerChange, MarkerDifference, Passage, difference,
};
use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{Rgba, RgbaImage};
use bitwall::load::{Disk, Files, LoadErrorKind, Place, decode_picture, plain};
use bitwall::render::{self, DrawOptions};
use bitwall::text::{counted, path_in_line, printable, printable_path, px};
use bitwall::{Aabb, LoadError, LoadOptions, LoadedLevel, Marker};

/// Compare two levels: cells, passages, spawns and goals
///
/// A level is a file, or REV:PATH for a file in a revision of the git repository around the current folder:
/// as in git, the path is relative to the top of the repository, or to the current folder if it starts with
/// ./. A map of a revision takes its tilesets from the same revision; the load options are the current ones.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct DiffArgs {
    /// The level before: a file, or REV:PATH; - is a level on standard input
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The level after: a file, or REV:PATH; - is a level on standard input
    #[arg(value_name = "AFTER")]
    after: PathBuf,
    /// A body whose passages are compared, in pixels. May be given again
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    body: Vec<UVec2>,
    /// The format of the answer
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    format: DiffFormat,
    /// Write three pictures of each patch of changed pixels into this folder: before, after, and the change,
    /// green where pixels became solid and red where they became passable
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
    #[command(flatten)]
    load: LoadArgs,
    #[command(flatten)]
    stdin: StdinArgs,
}

const EXAMPLES: &str = "\
Examples:
  bitwall diff HEAD:maps/cave.tmx maps/cave.tmx --body 12x20
      what the changes since the last commit do to a body of 12 x 20 px
  bitwall diff old_mask.png new_mask.png --pictures changes/
      with pictures of each patch of changed pixels
  git show HEAD~3:cave.tmx | bitwall diff - cave.tmx --stdin-name cave.tmx
      with the tilesets of today
  bitwall diff origin/main:cave.tmx HEAD:cave.tmx --format markdown
      for a comment on a pull request

Exit codes: 0 no difference, 1 the levels differ, 2 they could not be compared.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DiffFormat {
    /// A verdict, then one line a change
    Text,
    /// One JSON document
    Json,
    /// A table for a pull request
    Markdown,
}

struct Compared<'a> {
    names: [&'a Path; 2],
    levels: &'a [LoadedLevel; 2],
    difference: LevelDifference,
}

pub(super) fn run(args: &DiffArgs) -> Result<Answer, Failure> {
    let paths = [args.before.clone(), args.after.clone()];
    if paths.iter().all(|path| path == Path::new("-")) {
        return Err(Failure::Other("standard input is one level, not two".to_owned()));
    }
    let stdin = read_stdin(&paths, &args.stdin, &args.load)?;
    let side = |argument: &Path| LevelSide::new(argument, stdin.as_ref());
    let sides = [side(&args.before)?, side(&args.after)?];
    let load = args.load.of_two();
    let loaded = |side: &LevelSide| spinner("loading", || side.load(&load));
    let levels = [loaded(&sides[0])?, loaded(&sides[1])?];
    let is_spawn = |marker: &Marker| SPAWN_NAMES.contains(&&*marker.name.to_lowercase());
    let found = spinner("comparing", || {
        difference(&levels[0].level, &levels[1].level, &args.body, is_spawn)
    });
    let difference =
        found.map_err(|error| Failure::Other(format!("a level is too complex: {error}")))?;
    if let Some(folder) = &args.pictures {
        write_pictures(folder, &sides, &levels, &difference)?;
    }
    let names = [sides[0].name(), sides[1].name()];
    let compared = Compared { names, levels: &levels, difference };
    let text = match args.format {
        DiffFormat::Text => text(&compared),
        DiffFormat::Json => json(&compared),
        DiffFormat::Markdown => markdown(&compared),
    };
    let answer = if compared.difference.is_empty() { Answer::Yes } else { Answer::No };
    let mut out = anstream::stdout().lock();
    answer.once(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// The most lines that are printed of one kind of change.
const MAX_LINES: usize = 20;

type AnswerLine = (String, String);

fn verdict(difference: &LevelDifference) -> String {
    if difference.is_empty() {
        return "no difference".to_owned();
    }
    let mut parts = Vec::new();
    if difference.added + difference.removed > 0 {
        let patches = counted(difference.patches.len() as u64, "patch");
        let counts = [(difference.added, "solid"), (difference.removed, "passable")];
        let mut words = Vec::new();
        for (count, word) in counts.into_iter().filter(|(count, _)| *count > 0) {
            words.push(format!("{} became {word}", amount(difference, count)));
        }
        parts.push(format!("{}, in {patches}", words.join(" and ")));
    }
    if difference.areas[0].size() != difference.areas[1].size() {
        let [before, after] = difference.areas.map(|area| px(area.size()));
        parts.push(format!("{before} became {after}"));
    }
    let of_bodies = difference.bodies.iter().skip(usize::from(difference.bodies.len() > 1));
    for body in of_bodies {
        for (passages, word) in [(&body.closed, "closed"), (&body.opened, "opened")] {
            if !passages.is_empty() {
                let count = counted(passages.len() as u64, "passage");
                parts.push(format!("{count} {word} for {}", body_name(body)));
            }
        }
    }
    if difference.one_way {
        parts.push("one-way cells differ".to_owned());
    }
    if !difference.named_areas.is_empty() {
        parts.push(counted(difference.named_areas.len() as u64, "area") + " differ");
    }
    if !difference.markers.is_empty() {
        parts.push(counted(difference.markers.len() as u64, "change") + " of markers");
    }
    if parts.is_empty() {
        parts.push("its place differs".to_owned());
    }
    parts.join("; ")
}

/// `pixels` in words, as a number of cells if both levels have the same grid of cells larger than a pixel.
fn amount(difference: &LevelDifference, pixels: u64) -> String {
    let [before, after] = difference.cell_sizes;
    let cell = u64::from(before.x) * u64::from(before.y);
    let shift = difference.areas[1].min - difference.areas[0].min;
    let aligned = shift.rem_euclid(before.as_ivec2()) == bitwall::glam::IVec2::ZERO;
    if before == after && aligned && cell > 1 {
        counted(pixels / cell, "cell")
    } else {
        format!("{pixels} px")
    }
}

fn place(area: Aabb) -> String {
    format!("x {}, y {}, {}", area.min.x, area.min.y, px(area.size()))
}

fn body_name(body: &BodyDifference) -> String {
    match body.body {
        UVec2::ONE => "1 px".to_owned(),
        size => px(size),
    }
}

/// The name of a change in JSON, and its description in words.
fn change(change: MarkerChange) -> (&'static str, String) {
    let (name, words) = match change {
        MarkerChange::Added => ("added", "is new"),
        MarkerChange::Removed => ("removed", "is gone"),
        MarkerChange::Moved(from) => {
            return ("moved", format!("was at x {}, y {}", from.x, from.y));
        }
        MarkerChange::Buried => ("buried", "is in a solid now"),
        MarkerChange::Freed => ("freed", "was in a solid"),
        MarkerChange::Parted => ("parted", "is walled off from every spawn now"),
        MarkerChange::Joined => ("joined", "was walled off from every spawn"),
    };
    (name, words.to_owned())
}

fn lines(compared: &Compared<'_>) -> Vec<AnswerLine> {
    let found = &compared.difference;
    let mut lines: Vec<AnswerLine> = Vec::new();
    let mut add = |subject: &str, rest: String| lines.push((subject.to_owned(), rest));
    let [before, after] = [0, 1].map(|side: usize| {
        let grid = compared.levels[side].level.grid();
        100.0 * grid.solid_count() as f64 / grid.cell_count().max(1) as f64
    });
    add("solid", format!("{before:.1}% before, {after:.1}% now"));
    let [before, after] = found.solid_parts;
    if before != after {
        add("solid parts", format!("{before} before, {after} now"));
    }
    for patch in found.patches.iter().take(MAX_LINES) {
        let (added, removed) = (amount(found, patch.added), amount(found, patch.removed));
        add("patch", format!("{}: + {added}, - {removed}", place(patch.area)));
    }
    if let Some(more @ 1..) = found.patches.len().checked_sub(MAX_LINES) {
        add("patch", format!("and {more} more"));
    }
    for body in &found.bodies {
        let ([before, after], name) = (body.rooms, body_name(body));
        if before != after {
            add(&format!("areas for {name}"), format!("{before} before, {after} now"));
        }
        for (passages, word) in [(&body.closed, "closed"), (&body.opened, "opened")] {
            for passage in passages.iter().take(MAX_LINES) {
                let [one, other] = passage.areas.map(|area| px(area.size()));
                let place = place(passage.place);
                let rest = format!("for {name}: {one} and {other}, at {place}");
                add(&format!("passage {word}"), rest);
            }
        }
    }
    if found.one_way {
        add("one-way cells", "they differ".to_owned());
    }
    for name in &found.named_areas {
        add(&format!("area `{}`", printable(name)), "it differs".to_owned());
    }
    for marker in found.markers.iter().take(MAX_LINES) {
        let ((_, change), at) = (change(marker.change), marker.position);
        let rest = format!("{change} (object {}, x {}, y {})", marker.object, at.x, at.y);
        add(&format!("marker `{}`", printable(&marker.name)), rest);
    }
    lines
}

fn text(compared: &Compared<'_>) -> String {
    let [before, after] = compared.names.map(path_in_line);
    let mut text = format!("{before} -> {after}: {}\n", verdict(&compared.difference));
    if !compared.difference.is_empty() {
        for (subject, rest) in lines(compared) {
            text.push_str(&format!("  {subject:<16} {rest}\n"));
        }
    }
    text
}

fn markdown(compared: &Compared<'_>) -> String {
    // A backtick would end the code span; no other character matters in it.
    let [before, after] = compared.names.map(|path| path_in_line(path).replace('`', "'"));
    let verdict = inert(&verdict(&compared.difference));
    let mut text = format!("### `{before}` → `{after}`\n\n**{verdict}**\n");
    if !compared.difference.is_empty() {
        text.push_str("\n| | |\n|---|---|\n");
        for (subject, rest) in lines(compared) {
            text.push_str(&format!("| {} | {} |\n", inert(&subject), inert(&rest)));
        }
    }
    text
}

/// The answer as JSON. Its `version` grows when a member is removed or changes its meaning. A box is a list
/// of x, y, width and height; a pair is a list of the values before and after.
fn json(compared: &Compared<'_>) -> String {
    let found = &compared.difference;
    let [before, after] = compared.names.map(path_in_line);
    let document = object! {
        version: 1,
        before: before,
        after: after,
        differs: !found.is_empty(),
        verdict: verdict(found),
        added_px: found.added,
        removed_px: found.removed,
        solid_cells: found.solid_cells,
        cell_size: found.cell_sizes.map(|size| size.to_array()),
        size: found.areas.map(|area| area.size().to_array()),
        solid_parts: found.solid_parts.map(|count| count as u64),
        one_way_differs: found.one_way,
        named_areas: Json::list(&found.named_areas, |name| printable(name).to_string().into()),
        patches: Json::list(&found.patches, |patch| object! {
            area: area_numbers(patch.area),
            added_px: patch.added,
            removed_px: patch.removed,
        }),
        bodies: Json::list(&found.bodies, |body| object! {
            size: body.body.to_array(),
            areas: body.rooms.map(|count| count as u64),
            opened: Json::list(&body.opened, passage_document),
            closed: Json::list(&body.closed, passage_document),
        }),
        markers: Json::list(&found.markers, marker_document),
    };
    document.text()
}

fn passage_document(passage: &Passage) -> Json {
    object! {
        between: passage.areas.map(area_numbers),
        area: area_numbers(passage.place),
        path: Json::list(&passage.path, |at| at.to_array().into()),
    }
}

fn marker_document(marker: &MarkerDifference) -> Json {
    let from = match marker.change {
        MarkerChange::Moved(from) => Some(from.to_array()),
        _ => None,
    };
    object! {
        name: printable(&marker.name).to_string(),
        object: marker.object,
        position: marker.position.to_array(),
        change: change(marker.change).0,
        from: from,
    }
}

const MAX_PATCHES: usize = 20;

const MARGIN: i32 = 48;

const SIDE: u32 = 800;

const COLORS: [Rgba<u8>; 4] = [
    Rgba([0, 160, 80, 255]),
    Rgba([220, 40, 50, 255]),
    Rgba([60, 60, 70, 255]),
    Rgba([245, 245, 240, 255]),
];

/// Creates `folder` with `patch-1-before.png`, `patch-1-after.png`, `patch-1-diff.png` and so on.
fn write_pictures(
    folder: &Path,
    sides: &[LevelSide; 2],
    levels: &[LoadedLevel; 2],
    difference: &LevelDifference,
) -> Result<(), Failure> {
    make_folder(folder)?;
    let whole = difference.areas[0].hull(difference.areas[1]);
    for (number, patch) in (1..).zip(difference.patches.iter().take(MAX_PATCHES)) {
        let area = Aabb { min: patch.area.min - MARGIN, max: patch.area.max + MARGIN };
        let area = area.intersection(whole);
        let named = |what: &str| folder.join(format!("patch-{number}-{what}.png"));
        for ((side, loaded), what) in sides.iter().zip(levels).zip(["before", "after"]) {
            if let Some(picture) = drawn(side, loaded, area) {
                write_picture(&named(what), &picture)?;
            }
        }
        write_picture(&named("diff"), &changes(levels, area))?;
    }
    Ok(())
}

/// A picture of `area` in the level; `None` if it is outside the level or the level cannot be drawn.
fn drawn(side: &LevelSide, loaded: &LoadedLevel, area: Aabb) -> Option<RgbaImage> {
    let region = area.translated(-loaded.level.origin());
    let mut files = side.files(loaded.options());
    // A missing picture leaves its tiles undrawn; solid cells are still drawn.
    let (pictures, _) = render::load_pictures(&loaded.maps, &mut *files);
    let bytes = loaded.maps.is_empty().then(|| match &side.file.bytes {
        Some(bytes) => Some(bytes.clone()),
        None => files.read(&side.file.path).ok(),
    });
    let art = bytes.flatten().and_then(|bytes| decode_picture(&side.file.path, &bytes).ok());
    let options = DrawOptions {
        pictures: Some(&pictures),
        art: art.as_ref().filter(|art| UVec2::from(art.dimensions()) == loaded.level.size()),
        region: Some(region),
        fit: Some(UVec2::splat(SIDE)),
        ..DrawOptions::default()
    };
    render::draw(loaded, &options).ok()
}

/// A picture of `area`. The colour of a pixel shows whether it is solid in each of the two levels.
fn changes(levels: &[LoadedLevel; 2], area: Aabb) -> RgbaImage {
    let size = area.size();
    let longest = size.max_element().max(1);
    // A small area is enlarged by a whole number; a large area shows every `stride`-th pixel.
    let (scale, stride) = match longest {
        ..=SIDE => (SIDE / longest, 1),
        _ => (1, longest.div_ceil(SIDE)),
    };
    let side = |length: u32| (length.div_ceil(stride) * scale).max(1);
    RgbaImage::from_fn(side(size.x), side(size.y), |x, y| {
        let at = area.min + (UVec2::new(x, y) / scale * stride).as_ivec2();
        let is_solid = |loaded: &LoadedLevel| {
            let level = &loaded.level;
            let at = at - level.origin();
            let inside = Aabb { min: IVec2::ZERO, max: level.size().as_ivec2() };
            inside.contains(at) && level.is_solid(at)
        };
        match [is_solid(&levels[0]), is_solid(&levels[1])] {
            [false, true] => COLORS[0],
            [true, false] => COLORS[1],
            [true, true] => COLORS[2],
            [false, false] => COLORS[3],
        }
    })
}

// A level in a file or in a git revision. Git runs without a shell, and nothing is checked out.

struct LevelSide {
    /// The argument as typed, such as `HEAD:maps/cave.tmx`.
    typed: PathBuf,
    /// The file; for a revision, its path is relative to the root of the repository.
    file: LevelFile,
    /// The root of the repository and the commit id; `None` for a file on the disk.
    revision: Option<(PathBuf, String)>,
}

impl LevelSide {
    /// `argument` is an existing file, or else `REV:PATH`; for `-` the level is `stdin`, its path and bytes.
    fn new(argument: &Path, stdin: Option<&(PathBuf, Vec<u8>)>) -> Result<Self, Failure> {
        let stdin = stdin.filter(|_| argument == Path::new("-")).cloned();
        let typed = argument.to_string_lossy();
        let parts = typed.split_once(':').filter(|(revision, path)| {
            // One letter before the colon is a Windows drive.
            revision.chars().count() > 1 && !path.is_empty()
        });
        let Some((revision, path)) = parts.filter(|_| stdin.is_none() && !argument.exists()) else {
            let file = match stdin {
                Some((path, bytes)) => LevelFile { path, bytes: Some(bytes) },
                None => LevelFile::on_disk(argument),
            };
            return Ok(Self { typed: argument.to_owned(), file, revision: None });
        };
        let fault =
            |reason: &str| Failure::Other(format!("{}: {reason}", printable_path(argument)));
        if revision.starts_with('-') {
            return Err(fault("a revision does not start with a dash"));
        }
        let here = Git::new(PathBuf::from("."));
        let failed = |reason: String| fault(&reason);
        let (top, prefix) = here.place().map_err(failed)?;
        let commit = here.commit(revision).map_err(failed)?;
        let commit =
            commit.ok_or_else(|| fault("there is neither such a file nor such a revision"))?;
        // As in git, a path is relative to the current folder if it starts with a dot.
        let is_from_here = path.starts_with("./") || path.starts_with("../");
        let prefix = if is_from_here { prefix } else { PathBuf::new() };
        let file = LevelFile::on_disk(plain(&prefix.join(path)));
        Ok(Self { typed: argument.to_owned(), file, revision: Some((top, commit)) })
    }

    /// The level's name in the answer: `REV:PATH` as typed, or else its path, which `--stdin-name` may set.
    fn name(&self) -> &Path {
        if self.revision.is_some() { &self.typed } else { &self.file.path }
    }

    fn files(&self, options: &LoadOptions) -> Box<dyn Files> {
        match &self.revision {
            None => Box::new(Disk::new(&self.file.path, options)),
            Some((top, commit)) => Box::new(GitFiles::new(top, commit, options)),
        }
    }

    /// Loads the level, even one in which nothing is solid.
    fn load(&self, load: &LoadArgs) -> Result<LoadedLevel, Failure> {
        let Some((top, commit)) = &self.revision else {
            return load.load_anyway(&self.file);
        };
        // The `bitwall.toml` of the working tree applies.
        let options = load.options(&top.join(&self.file.path))?;
        let options = LoadOptions { allow_nothing_solid: true, ..options };
        let mut files = GitFiles::new(top, commit, &options);
        let bytes = files.read(&self.file.path);
        let bytes = bytes.map_err(|kind| LoadError::new(&self.typed, Place::default(), kind))?;
        let loaded = LoadedLevel::decode(&self.file.path, &bytes, files, &options);
        loaded.map_err(|error| {
            // Errors name a referenced file by its own path, and the level as it was typed.
            let typed = printable_path(&self.typed);
            Failure::Other(format!("{typed}: {error}"))
        })
    }
}

struct GitFiles {
    git: Git,
    commit: String,
    /// Reads files of the commit; `None` until the first file is read, because git starts then.
    blobs: Option<Blobs>,
    limit: u64,
}

impl GitFiles {
    fn new(top: &Path, commit: &str, options: &LoadOptions) -> Self {
        let (git, limit) = (Git::new(top.to_owned()), options.limits.file_bytes());
        Self { git, commit: commit.to_owned(), blobs: None, limit }
    }
}

/// The path of a file in the commit, or an error if the path leaves the repository.
fn in_commit(path: &Path) -> Result<PathBuf, LoadErrorKind> {
    let plain = plain(path);
    let is_inside = plain.components().all(|part| matches!(part, Component::Normal(_)));
    match is_inside {
        true => Ok(plain),
        false => Err(io::Error::from(ErrorKind::NotFound).into()),
    }
}

impl Files for GitFiles {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        let name = in_commit(path)?;
        let blobs = match &mut self.blobs {
            Some(blobs) => blobs,
            none => none.insert(self.git.files_of(&self.commit).map_err(io::Error::other)?),
        };
        match blobs.read(&name, self.limit) {
            Blob::Content(bytes) => Ok(bytes),
            Blob::TooLarge(found) => {
                let what = "bytes in the file (half of the limit `bytes`)";
                Err(LoadErrorKind::TooLarge { what, limit: self.limit, found })
            }
            Blob::NotFetched => Err(io::Error::other(
                "Git LFS has it and has not fetched it; run `git lfs fetch` for the revision",
            )
            .into()),
            Blob::Missing => Err(io::Error::from(ErrorKind::NotFound).into()),
        }
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        let missing = || io::Error::from(ErrorKind::NotFound);
        let name = in_commit(folder)?;
        let name = name.to_str().ok_or_else(missing)?.replace('\\', "/");
        let listed = self.git.names_in(&self.commit, &name).map_err(io::Error::other)?;
        Ok(listed.ok_or_else(missing)?)
    }
}
