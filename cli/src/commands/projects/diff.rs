//! `bitwall diff`: compares two levels, or all levels of a project before and after a change.

mod markers;
mod patches;
mod project;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::commands::output::{self, make_folder, spinner, write_bytes};
use crate::commands::projects::crops::{Scene, picture};
use crate::commands::projects::diff::markers::{MarkerChange, MarkerDifference, marker_changes};
use crate::commands::projects::diff::patches::joined;
use crate::commands::projects::diff::project::Project;
use crate::commands::projects::{Commit, CommitFiles, Snapshot};
use crate::commands::{Answer, Failure, LevelFile, LoadArgs, read_stdin};
use crate::git::Git;
use crate::lint::cells::{Cells, place_words};
use crate::lint::config::parse_size;
use crate::lint::output::{Picture, area_numbers, inert, pretty_json};
use bitwall::analyze::{BodyDifference, ChangedPatch, LevelDifference, Passage, difference};
use bitwall::error::{LoadErrorKind, Place};
use bitwall::glam::{IVec2, UVec2};
use bitwall::image::RgbaImage;
use bitwall::load::{Disk, Files, decode_picture};
use bitwall::paths::plain;
use bitwall::text::{counted, path_in_line, printable, printable_path, px};
use bitwall::{LoadError, LoadOptions, LoadedLevel};

/// Compare two levels, or all levels of a project: cells, passages, spawns and goals
///
/// A level is a file, or REV:PATH for a file in a revision of the git repository around the current folder.
/// As in git, the path is relative to the top of the repository, or to the current folder if it starts with
/// ./. A map in a revision takes its tilesets and the load options of its bitwall.toml from the same
/// revision; if the revision has no bitwall.toml, the current load options apply. Two revisions (REV) or two
/// folders compare all maps, worlds and masks in them. One revision is compared with the working tree; a
/// folder after a revision limits the comparison to that part of the working tree. A name of a revision that
/// is also the name of a file or folder is an error: ./NAME is the file or folder, and NAME^0 the revision.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::commands) struct DiffArgs {
    /// The earlier level: a file, or REV:PATH; - is a level on standard input. Or the earlier project: a
    /// revision, or a folder
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The later level or project [default: the working tree, if BEFORE is a revision]
    #[arg(value_name = "AFTER")]
    after: Option<PathBuf>,
    /// Compare with the merge base of the revision BEFORE and the current commit, to see what a branch
    /// changed
    #[arg(long)]
    merge_base: bool,
    /// The size of a body, in pixels, whose passages are compared. May be given again
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    body: Vec<UVec2>,
    /// The format of the answer
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    format: DiffFormat,
    /// Write three pictures of each patch of changed pixels into this folder: before, after, and the change,
    /// red where pixels became solid, blue where they became passable, and gray where they stayed solid. The
    /// pictures of a project go into one folder per level, for up to three patches each
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
    #[command(flatten)]
    load: LoadArgs,
}

const EXAMPLES: &str = "\
Examples:
  bitwall diff HEAD:maps/cave.tmx maps/cave.tmx --body 12x20
      what the changes since the last commit do to a body of 12 x 20 px
  bitwall diff old_mask.png new_mask.png --pictures changes/
      with pictures of each patch of changed pixels
  git show HEAD~3:cave.tmx | bitwall diff - cave.tmx --stdin-name cave.tmx
      with the tilesets of today
  bitwall diff origin/main --merge-base --format markdown --pictures changes/
      all levels that a branch changes, for a comment on a pull request
  bitwall diff v1.0 v1.1 --format html > changes.html
      all levels that differ between two releases, as a page with pictures

Exit codes: 0 no difference, 1 the levels differ, 2 they could not be compared. In a
project, a level that cannot be compared is named in the report, and counts as different.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DiffFormat {
    /// A verdict, then one line for each change
    Text,
    /// One JSON document
    Json,
    /// A table for a pull request
    Markdown,
    /// One HTML page with pictures of the changes, to be opened in a browser
    Html,
}

impl DiffArgs {
    /// True if the changes are drawn, for files or for a page.
    fn draws(&self) -> bool {
        self.pictures.is_some() || matches!(self.format, DiffFormat::Html)
    }
}

pub(in crate::commands) fn run(args: &DiffArgs) -> Result<Answer, Failure> {
    let (text, is_empty) = match Project::new(args)? {
        Some(project) => project.report()?,
        None => report(args)?,
    };
    let answer = if is_empty { Answer::Yes } else { Answer::No };
    answer.print(&text)
}

/// Returns the report on two levels, and true if the levels are equal.
pub(in crate::commands) fn report(args: &DiffArgs) -> Result<(String, bool), Failure> {
    let Some(after) = args.after.clone() else {
        return Err("the level after is missing; only a revision is compared by itself".into());
    };
    let paths = [args.before.clone(), after];
    if paths.iter().all(|path| path == Path::new("-")) {
        return Err("standard input is one level, not two".into());
    }
    let stdin = read_stdin(&paths, &args.load)?;
    let before = LevelSide::new(&paths[0], stdin.as_ref())?;
    let sides = [before, LevelSide::new(&paths[1], stdin.as_ref())?];
    let (levels, difference, refusals) =
        spinner("comparing", || compared(&sides, [&args.load; 2], &args.body))?;
    for refusal in refusals.iter().flatten() {
        output::warn(&format!("compared without a part: {refusal}"));
    }
    for (side, level) in sides.iter().zip(&levels) {
        if side.commit.is_none() {
            args.load.settings.check(level)?;
        }
    }
    let mut patches = Vec::new();
    if args.draws() {
        let folder = args.pictures.as_deref();
        patches = draw_patches(folder, &sides, &levels, &difference, MAX_PATCHES)?;
    }
    let names = [sides[0].name(), sides[1].name()];
    let is_empty = difference.is_empty();
    let text = match args.format {
        DiffFormat::Text => text(names, &difference),
        DiffFormat::Json => pretty_json(&document(names, &difference)),
        DiffFormat::Markdown => markdown(names, &difference),
        DiffFormat::Html => project::page_of(names, difference, patches),
    };
    Ok((text, is_empty))
}

/// The difference of two levels and of their markers.
struct Difference {
    pixels: LevelDifference,
    markers: Vec<MarkerDifference>,
    /// The cells of the map after the change.
    cells: Option<Cells>,
}

impl Difference {
    fn is_empty(&self) -> bool {
        self.pixels.is_empty() && self.markers.is_empty()
    }
}

/// Two levels, their difference, and the errors for which a game refuses them.
type Comparison = ([LoadedLevel; 2], Difference, [Option<String>; 2]);

/// Loads two levels and compares them for all `bodies`, and their markers for the first body of more than one
/// pixel.
fn compared(
    sides: &[LevelSide; 2],
    load: [&LoadArgs; 2],
    bodies: &[UVec2],
) -> Result<Comparison, Failure> {
    let (before, refused_before) = sides[0].load(load[0])?;
    let (after, refused_after) = sides[1].load(load[1])?;
    let refusals = [refused_before, refused_after].map(|it| it.map(|it| it.to_string()));
    let of_markers = bodies.iter().copied().find(|body| *body != UVec2::ONE);
    let pair = [&before.level, &after.level];
    let found = difference(pair[0], pair[1], bodies).and_then(|mut pixels| {
        pixels.patches = joined(pixels.patches);
        let markers = marker_changes(pair, of_markers.unwrap_or(UVec2::ONE))?;
        Ok(Difference { pixels, markers, cells: Cells::of(&after) })
    });
    let found = found.map_err(|error| format!("a level is too complex: {error}"))?;
    Ok(([before, after], found, refusals))
}

/// The largest number of patches (groups of changed pixels) that get pictures.
const MAX_PATCHES: usize = 20;

/// The largest number of lines that `diff` prints for each kind of change.
const MAX_LINES: usize = 20;

fn verdict(found: &Difference) -> String {
    if found.is_empty() {
        return "no difference".to_owned();
    }
    let Difference { pixels: difference, markers, .. } = found;
    let mut parts = Vec::new();
    if difference.added + difference.removed > 0 {
        let patches = counted(difference.patches.len() as u64, "patch");
        let mut words = Vec::new();
        for (count, word) in [(difference.added, "solid"), (difference.removed, "passable")] {
            if count > 0 {
                words.push(format!("{} became {word}", amount(difference, count)));
            }
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
    for (differs, words) in
        [(difference.one_way, "one-way cells differ"), (difference.outside, "the outside differs")]
    {
        if differs {
            parts.push(words.to_owned());
        }
    }
    if !difference.named_areas.is_empty() {
        parts.push(counted(difference.named_areas.len() as u64, "area") + " differ");
    }
    if !markers.is_empty() {
        parts.push(counted(markers.len() as u64, "change") + " of markers");
    }
    if parts.is_empty() {
        parts.push("its place differs".to_owned());
    }
    parts.join("; ")
}

/// Formats a number of pixels. If both levels have the same cells, larger than a pixel, the result is in
/// cells.
fn amount(difference: &LevelDifference, pixels: u64) -> String {
    let [before, after] = difference.cell_sizes;
    let cell = u64::from(before.x) * u64::from(before.y);
    let shift = difference.areas[1].min - difference.areas[0].min;
    let aligned = shift.rem_euclid(before.as_ivec2()) == IVec2::ZERO;
    if before == after && aligned && cell > 1 {
        counted(pixels / cell, "cell")
    } else {
        format!("{pixels} px")
    }
}

fn body_name(body: &BodyDifference) -> String {
    match body.body {
        UVec2::ONE => "1 px".to_owned(),
        size => px(size),
    }
}

/// Returns the word for a marker's change in the JSON document, and a description of the change for people.
fn change(marker: &MarkerDifference) -> (&'static str, String) {
    let at = marker.position;
    let (name, words) = match marker.change {
        MarkerChange::Added => ("added", "is new"),
        MarkerChange::Removed => ("removed", "is gone"),
        MarkerChange::Moved(from) if from == at => ("moved", "has another size"),
        MarkerChange::Moved(from) => {
            return ("moved", format!("was at x {}, y {}", from.x, from.y));
        }
        MarkerChange::Edited => ("edited", "has other properties or words"),
        MarkerChange::Buried => ("buried", "is in a solid now"),
        MarkerChange::Freed => ("freed", "was in a solid"),
        MarkerChange::Parted => ("parted", "is walled off from every spawn now"),
        MarkerChange::Joined => ("joined", "was walled off from every spawn"),
    };
    (name, words.to_owned())
}

fn patch_words(difference: &Difference, patch: &ChangedPatch) -> String {
    let added = amount(&difference.pixels, patch.added);
    let removed = amount(&difference.pixels, patch.removed);
    format!("{}: + {added}, - {removed}", place_words(difference.cells, patch.area))
}

/// Returns the lines of an answer, each with its subject.
fn lines(difference: &Difference) -> Vec<(String, String)> {
    let Difference { pixels: found, markers, cells } = difference;
    let mut lines = Vec::new();
    let [before, after] = [0, 1].map(|side: usize| {
        let cells = (found.areas[side].size() / found.cell_sizes[side]).as_u64vec2();
        100.0 * found.solid_cells[side] as f64 / (cells.x * cells.y).max(1) as f64
    });
    lines.push(("solid".to_owned(), format!("{before:.1}% before, {after:.1}% now")));
    let [before, after] = found.solid_parts;
    if before != after {
        lines.push(("solid parts".to_owned(), format!("{before} before, {after} now")));
    }
    for patch in found.patches.iter().take(MAX_LINES) {
        lines.push(("patch".to_owned(), patch_words(difference, patch)));
    }
    if let Some(more @ 1..) = found.patches.len().checked_sub(MAX_LINES) {
        lines.push(("patch".to_owned(), format!("and {more} more")));
    }
    for body in &found.bodies {
        let [before, after] = body.rooms;
        let name = body_name(body);
        if before != after {
            lines.push((format!("areas for {name}"), format!("{before} before, {after} now")));
        }
        for (passages, word) in [(&body.closed, "closed"), (&body.opened, "opened")] {
            for passage in passages.iter().take(MAX_LINES) {
                let [one, other] = passage.areas.map(|area| px(area.size()));
                let place = place_words(*cells, passage.place);
                let rest = format!("for {name}: {one} and {other}, at {place}");
                lines.push((format!("passage {word}"), rest));
            }
        }
    }
    if found.one_way {
        lines.push(("one-way cells".to_owned(), "they differ".to_owned()));
    }
    if found.outside {
        lines.push((
            "outside".to_owned(),
            "a side that was solid is open now, or the reverse".to_owned(),
        ));
    }
    for name in &found.named_areas {
        lines.push((format!("area `{}`", printable(name)), "it differs".to_owned()));
    }
    for marker in markers.iter().take(MAX_LINES) {
        let at = marker.position;
        let (_, change) = change(marker);
        let rest = format!("{change} (object {}, x {}, y {})", marker.object, at.x, at.y);
        lines.push((format!("marker `{}`", printable(&marker.name)), rest));
    }
    lines
}

fn text(names: [&Path; 2], found: &Difference) -> String {
    let [before, after] = names.map(printable_path);
    format!("{before} -> {after}: {}\n{}", verdict(found), text_lines(found))
}

fn text_lines(found: &Difference) -> String {
    let mut text = String::new();
    if !found.is_empty() {
        for (subject, rest) in lines(found) {
            text += &format!("  {subject:<16} {rest}\n");
        }
    }
    text
}

fn markdown(names: [&Path; 2], found: &Difference) -> String {
    let [before, after] = names.map(code);
    let verdict = inert(&verdict(found));
    format!("### {before} → {after}\n\n**{verdict}**\n{}", table(found))
}

/// Formats a path as a Markdown code span. Replaces backticks, which would end the span, and escapes bars,
/// which would end a table cell.
fn code(path: &Path) -> String {
    format!("`{}`", path_in_line(path).replace('`', "'").replace('|', "\\|"))
}

fn table(found: &Difference) -> String {
    if found.is_empty() {
        return String::new();
    }
    let mut table = "\n| | |\n|---|---|\n".to_owned();
    for (subject, rest) in lines(found) {
        table += &format!("| {} | {} |\n", inert(&subject), inert(&rest));
    }
    table
}

/// Builds the answer as JSON. Its `version` grows when a member is removed or changes its meaning.
///
/// A box is a list of x, y, width and height in pixels; a pair is a list of the values before and after.
fn document(names: [&Path; 2], difference: &Difference) -> Value {
    let Difference { pixels: found, markers, .. } = difference;
    let patches = found.patches.iter().map(|patch| {
        json!({
            "area": area_numbers(patch.area),
            "added_px": patch.added,
            "removed_px": patch.removed,
        })
    });
    let bodies = found.bodies.iter().map(|body| {
        json!({
            "size": body.body.to_array(),
            "areas": body.rooms,
            "opened": body.opened.iter().map(passage_document).collect::<Value>(),
            "closed": body.closed.iter().map(passage_document).collect::<Value>(),
        })
    });
    json!({
        "version": 1,
        "before": names[0].to_string_lossy(),
        "after": names[1].to_string_lossy(),
        "differs": !difference.is_empty(),
        "verdict": verdict(difference),
        "added_px": found.added,
        "removed_px": found.removed,
        "solid_cells": found.solid_cells,
        "cell_size": found.cell_sizes.map(|size| size.to_array()),
        "size": found.areas.map(|area| area.size().to_array()),
        "solid_parts": found.solid_parts,
        "one_way_differs": found.one_way,
        "outside_differs": found.outside,
        "named_areas": found.named_areas,
        "patches": patches.collect::<Value>(),
        "bodies": bodies.collect::<Value>(),
        "markers": markers.iter().map(marker_document).collect::<Value>(),
    })
}

fn passage_document(passage: &Passage) -> Value {
    json!({
        "between": passage.areas.map(area_numbers),
        "area": area_numbers(passage.place),
    })
}

fn marker_document(marker: &MarkerDifference) -> Value {
    let from = match marker.change {
        MarkerChange::Moved(from) => Some(from.to_array()),
        _ => None,
    };
    json!({
        "name": marker.name,
        "object": marker.object,
        "position": marker.position.to_array(),
        "change": change(marker).0,
        "from": from,
    })
}

struct LevelSide {
    /// The argument as typed, such as `HEAD:maps/cave.tmx`. Messages use this name.
    typed: PathBuf,
    /// The level's file. For a revision, its path is relative to the root of the repository.
    file: LevelFile,
    /// The commit that has the file; `None` for a file on the disk.
    commit: Option<Arc<Commit>>,
}

impl LevelSide {
    /// Creates one of the two levels to compare, from the level `name` of a project.
    fn at(name: &Path, state: &Snapshot) -> Self {
        let path = state.path(name);
        let commit = match state {
            Snapshot::Commit(commit) => Some(Arc::clone(commit)),
            Snapshot::Disk(_) => None,
        };
        Self { typed: path.clone(), file: LevelFile::on_disk(path), commit }
    }

    /// Creates one of the two levels to compare, from an argument: an existing file, `REV:PATH`, or `-` for
    /// standard input, which `stdin` holds.
    fn new(argument: &Path, stdin: Option<&LevelFile>) -> Result<Self, Failure> {
        let stdin = stdin.filter(|_| argument == Path::new("-")).cloned();
        let typed = argument.to_string_lossy();
        let parts = typed.split_once(':').filter(|(revision, path)| {
            // One letter before the colon is a Windows drive.
            revision.chars().count() > 1 && !path.is_empty()
        });
        let here = Git::new(PathBuf::from("."));
        let is_file = stdin.is_none() && argument.exists();
        if let Some((revision, path)) = parts.filter(|_| is_file)
            && here.commit(revision).is_ok_and(|commit| commit.is_some())
        {
            let other = format!("{}^0:{}", printable(revision), printable(path));
            return Err(ambiguous(argument, &other));
        }
        let Some((revision, path)) = parts.filter(|_| stdin.is_none() && !is_file) else {
            let file = stdin.unwrap_or_else(|| LevelFile::on_disk(argument));
            let typed = argument.to_owned();
            return Ok(Self { typed, file, commit: None });
        };
        if revision.starts_with('-') {
            return Err(Failure::at(argument, "a revision does not start with a dash"));
        }
        let found = in_revision(&here, revision, path);
        let (file, commit) = found.map_err(|reason| Failure::at(argument, reason))?;
        let file = LevelFile::on_disk(file);
        let typed = argument.to_owned();
        Ok(Self { typed, file, commit: Some(commit) })
    }

    /// Returns the name of the level in the output: `REV:PATH` as typed, or else the path of its file, which
    /// `--stdin-name` may set.
    fn name(&self) -> &Path {
        if self.commit.is_some() { &self.typed } else { &self.file.path }
    }

    fn files(&self, options: &LoadOptions) -> Box<dyn Files> {
        match &self.commit {
            None => Box::new(Disk::new(&self.file.path, options)),
            Some(commit) => Box::new(CommitFiles::new(commit, options.limits.file_bytes())),
        }
    }

    /// Returns the bytes of the level's own file.
    fn bytes(&self, files: &mut dyn Files) -> Result<Vec<u8>, LoadErrorKind> {
        self.file.bytes.clone().map_or_else(|| files.read(&self.file.path), Ok)
    }

    /// Loads the level. Also returns the error for which a game refuses the level, if it can be compared
    /// without what is at fault. A level in which nothing is solid is no error, and neither are options that
    /// match nothing in it.
    fn load(&self, load: &LoadArgs) -> Result<(LoadedLevel, Option<Failure>), Failure> {
        let mut options = LoadOptions { allow_nothing_solid: true, ..self.options(load)? };
        let mut files = self.files(&options);
        let bytes = self.bytes(&mut *files);
        let bytes = bytes.map_err(|kind| LoadError::new(&self.typed, Place::default(), kind))?;
        let path = &self.file.path;
        let mut loaded = LoadedLevel::decode(path, &bytes, &mut *files, &options);
        let mut refusal = None;
        if loaded.as_ref().is_err_and(|error| error.kind().is_passable()) {
            options.lenient = true;
            if let Ok(lenient) = LoadedLevel::decode(path, &bytes, &mut *files, &options) {
                refusal = std::mem::replace(&mut loaded, Ok(lenient)).err();
            }
        }
        let loaded = loaded.map_err(|error| self.failure(error))?;
        Ok((loaded, refusal.map(|error| self.failure(error))))
    }

    /// An error names the level as it was typed, and a referenced file by its own path.
    fn failure(&self, error: LoadError) -> Failure {
        if self.typed == self.file.path { error.into() } else { Failure::at(&self.typed, error) }
    }

    /// Returns the load options of the nearest `bitwall.toml` in the revision of the level. Without one,
    /// returns the load options for the working tree.
    fn options(&self, load: &LoadArgs) -> Result<LoadOptions, LoadError> {
        let Some(commit) = &self.commit else {
            return load.options(&self.file.path);
        };
        match commit.config(&self.file.path) {
            Some((config, bytes)) if load.config.is_none() && !load.no_config => {
                let options = LoadOptions::decode(&config, &bytes)?;
                Ok(load.apply(load.with_keys(options, &bytes)?))
            }
            _ => load.options(&commit.top.join(&self.file.path)),
        }
    }
}

/// Returns the error for an argument that is the path of a file or folder and names a revision, or a file of
/// one: a branch may add such a name. `other` is how to write the one of the revision.
fn ambiguous(argument: &Path, other: &str) -> Failure {
    let name = printable_path(argument);
    let kind = if argument.is_dir() { "folder" } else { "file" };
    let reason = format!(
        "this is of a revision, and a {kind} is named so; write ./{name} for the {kind}, or {other} for the \
         revision"
    );
    Failure::at(argument, reason)
}

/// Returns the path of a file in the repository around the current folder, and the commit that `revision`
/// names.
fn in_revision(here: &Git, revision: &str, path: &str) -> Result<(PathBuf, Arc<Commit>), String> {
    let (top, prefix) = here.place()?;
    let commit = here.commit(revision)?;
    let commit = commit.ok_or("there is neither such a file nor such a revision")?;
    // As in git, a path is relative to the current folder if it starts with a dot.
    let is_from_here = path.starts_with("./") || path.starts_with("../");
    let path = if is_from_here { prefix.join(path) } else { PathBuf::from(path) };
    Ok((plain(&path), Commit::open(top, &commit)?))
}

/// The width and height of the largest picture of a change, in pixels.
const ROOM: UVec2 = UVec2::splat(800);

/// The names of the pictures of a patch.
const KINDS: [&str; 3] = ["before", "after", "diff"];

/// A patch of changed pixels: its place and change in words, and its pictures. `None` for one that cannot be
/// drawn.
#[derive(Debug)]
struct Patch {
    words: String,
    pictures: [Option<Picture>; 3],
    /// The files of `--pictures`.
    paths: [Option<PathBuf>; 3],
}

impl Patch {
    /// Writes the pictures into `folder`, such as `patch-1-before.png` for the `name` `patch-1`.
    fn new(
        words: String,
        images: [Option<RgbaImage>; 3],
        folder: Option<&Path>,
        name: &str,
    ) -> Result<Self, Failure> {
        let mut patch = Self { words, pictures: [const { None }; 3], paths: [const { None }; 3] };
        for (index, image) in images.into_iter().enumerate() {
            let Some(image) = image else {
                continue;
            };
            let picture = picture(image, KINDS[index].to_owned());
            if let Some(folder) = folder {
                make_folder(folder)?;
                let path = folder.join(format!("{name}-{}.png", KINDS[index]));
                write_bytes(&path, &picture.png)?;
                patch.paths[index] = Some(path);
            }
            patch.pictures[index] = Some(picture);
        }
        Ok(patch)
    }
}

/// Draws at most `most` patches of changed pixels, and writes the pictures into `folder`.
fn draw_patches(
    folder: Option<&Path>,
    sides: &[LevelSide; 2],
    levels: &[LoadedLevel; 2],
    difference: &Difference,
    most: usize,
) -> Result<Vec<Patch>, Failure> {
    let found = &difference.pixels;
    let scenes = [scene(&sides[0], &levels[0]), scene(&sides[1], &levels[1])];
    let origins = levels.each_ref().map(|loaded| loaded.level.origin());
    let mut patches = Vec::new();
    for (number, patch) in (1..).zip(found.patches.iter().take(most)) {
        // A level that has become smaller lacks the place of a patch.
        let side = usize::from(found.areas[1].intersection(patch.area) == patch.area);
        let area = scenes[side].around(patch.area.translated(-origins[side]), ROOM);
        let area = area.translated(origins[side]);
        let [before, after] =
            [0, 1].map(|side| scenes[side].crop(area.translated(-origins[side]), ROOM, &[]).ok());
        let legend = [
            "solid before and after".to_owned(),
            format!("became solid: {}", amount(found, patch.added)),
            format!("became passable: {}", amount(found, patch.removed)),
        ];
        let images = [before, after, scenes[side].changes(levels, area, ROOM, patch, legend)];
        let words = patch_words(difference, patch);
        patches.push(Patch::new(words, images, folder, &format!("patch-{number}"))?);
    }
    Ok(patches)
}

/// Loads the pictures of the level's tilesets, or the picture of the mask.
fn scene<'l>(side: &LevelSide, loaded: &'l LoadedLevel) -> Scene<'l> {
    let mut files = side.files(loaded.options());
    let bytes = loaded.maps.is_empty().then(|| side.bytes(&mut *files).ok()).flatten();
    let mask = bytes.and_then(|bytes| decode_picture(&side.file.path, &bytes).ok());
    Scene::new(loaded, &mut *files, mask)
}
