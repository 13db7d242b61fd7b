//! `bitwall diff`: the difference of two levels, or of two revisions of one.

mod formats;
mod pictures;
mod revision;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use glam::UVec2;

use self::revision::Side;
use super::level_args::LoadArgs;
use super::level_file::{StdinArgs, read_stdin};
use super::progress::spinner;
use super::{Answer, Failure};
use crate::analyze::{LevelDifference, difference};
use crate::verify::SPAWN_NAMES;
use crate::verify::config::parse_size;
use crate::{LoadedLevel, Marker};

/// Compare two levels: cells, passages, spawns and goals
///
/// A level is a file, or REV:PATH for a file in a revision of the git repository around the current folder:
/// as in git, the path counts from the top of the repository, or from the current folder if it starts with
/// ./. A map of a revision takes its tilesets from the same revision; the load options are those of today.
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
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write three pictures of each patch of changed pixels into this folder: before, after, and those that
    /// became solid in green and passable in red
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
enum Format {
    /// A verdict, then one line a change
    Text,
    /// One JSON document
    Json,
    /// A table for a pull request
    Markdown,
}

/// The levels, their difference, and what it is asked about.
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
    let stdin = read_stdin(&paths, &args.stdin, |path| args.load.file_bytes(path))?;
    let mut sides =
        [Side::of(&args.before, stdin.as_ref())?, Side::of(&args.after, stdin.as_ref())?];
    let [before, after] = &mut sides;
    let load = args.load.of_two();
    let levels =
        [spinner("loading", || before.load(&load))?, spinner("loading", || after.load(&load))?];
    let is_spawn = |marker: &Marker| SPAWN_NAMES.contains(&&*marker.name.to_lowercase());
    let found = spinner("comparing", || {
        difference(&levels[0].level, &levels[1].level, &args.body, is_spawn)
    });
    let difference =
        found.map_err(|error| Failure::Other(format!("a level is too complex: {error}")))?;
    if let Some(folder) = &args.pictures {
        pictures::write(folder, &mut sides, &levels, &difference)?;
    }
    // A level on standard input has the path that it is given.
    let names = [&args.before, &args.after].map(|path| match &stdin {
        Some((name, _)) if path == Path::new("-") => name,
        _ => path,
    });
    let compared = Compared { names: names.map(PathBuf::as_path), levels: &levels, difference };
    let text = match args.format {
        Format::Text => formats::text(&compared),
        Format::Json => formats::json(&compared),
        Format::Markdown => formats::markdown(&compared),
    };
    let answer = if compared.difference.is_empty() { Answer::Yes } else { Answer::No };
    let mut out = anstream::stdout().lock();
    answer.once(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}
