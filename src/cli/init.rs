//! `bitwall init`: a first `bitwall.toml` for the levels of a folder, with what could not be decided.

mod config;
mod survey;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use self::config::text;
use self::survey::{Look, Survey};
use super::files;
use super::output::{self, Fault};
use super::{Answer, Failure};
use crate::text::{counted, printable, printable_path};
use crate::{LoadOptions, LoadedLevel};

/// Look at all levels in a folder, and write a bitwall.toml that fits them
///
/// Maps are those in .tmx and .tmj; masks are the pictures *_mask.*, *-mask.*, *.mask.*, *collision* and
/// those in a folder `masks`. An option is taken if clear words of a level speak for it and if it changes no
/// other level. The others are comments in the file.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall init
  bitwall init assets/maps
  bitwall init --dry-run")]
pub(super) struct InitArgs {
    /// The folder; the file is written into it
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Replace a bitwall.toml that is there
    #[arg(long)]
    force: bool,
    /// Write no file; show the text of the bitwall.toml instead
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &InitArgs) -> Result<Answer, Failure> {
    let folder = &args.folder;
    let config = folder.join("bitwall.toml");
    if !folder.is_dir() {
        let name = printable_path(folder);
        return Err(Failure::Other(format!("{name}: there is no such folder")));
    }
    if !args.force && !args.dry_run && config.symlink_metadata().is_ok() {
        let name = printable_path(&config);
        let reason = "there is one already; --force replaces it, --dry-run only shows the text";
        return Err(Failure::Other(format!("{name}: {reason}")));
    }
    let levels = files::levels(folder)?;
    if levels.maps.is_empty() && levels.masks.is_empty() {
        let name = printable_path(folder);
        let others = counted(levels.other_pictures as u64, "picture");
        let reason =
            "there is no map, and no picture that is named as a mask, such as cave_mask.png";
        return Err(Failure::Other(format!("{name}: {reason}; it has {others}")));
    }
    let survey = Survey::of(&levels, folder);
    check_root(&survey, folder)?;
    let text = text(&survey);
    LoadOptions::decode(&config, &text)?;
    if args.dry_run {
        return print(&text);
    }
    output::write_whole(&config, |file| file.write_all(text.as_bytes()).map_err(Fault::Io))?;
    print(&report(&survey, &config, levels.other_pictures))
}

/// An error if a level needs files outside the folder: the file in it would keep the level from them.
fn check_root(survey: &Survey, folder: &Path) -> Result<(), Failure> {
    let refused = survey.looks.iter().filter(|look| look.error.is_some());
    let options = LoadOptions::default().with_nothing_solid_allowed(true);
    let mut outside = refused.filter(|look| LoadedLevel::load(&look.path, &options).is_ok());
    match outside.next() {
        None => Ok(()),
        Some(look) => Err(Failure::Other(format!(
            "{}: the level names files outside {}, from which a bitwall.toml there would keep it; name the \
             folder of the whole project",
            printable_path(&look.path),
            printable_path(folder)
        ))),
    }
}

fn print(text: &str) -> Result<Answer, Failure> {
    Answer::Yes.once(write!(std::io::stdout().lock(), "{text}"))
}

/// All levels with what is solid in them, and all that was not decided.
fn report(survey: &Survey, config: &Path, other_pictures: usize) -> String {
    let mut lines: Vec<String> = survey.looks.iter().map(line).collect();
    lines.push(String::new());
    let all = survey.looks.len() as u64;
    let count = |wanted: fn(&Look) -> bool| survey.looks.iter().filter(|look| wanted(look)).count();
    let refused = count(|look| look.error.is_some());
    let (blank, doubtful) = (count(Look::is_blank), count(Look::is_doubtful));
    let fine = all as usize - refused - blank - doubtful;
    lines.push(format!(
        "{}: {}: {fine} with solids, {doubtful} with solids and suggestions, {blank} without solids, \
         {refused} that cannot be loaded",
        printable_path(config),
        counted(all, "level"),
    ));
    if other_pictures > 0 {
        let others = counted(other_pictures as u64, "picture");
        lines.push(format!("{others} not named as masks, not looked at"));
    }
    for setting in &survey.taken {
        lines.push(format!("taken: {setting}"));
    }
    for open in &survey.open {
        lines.push(format!("not decided: {open}"));
    }
    lines.push(String::new());
    lines.join("\n")
}

fn line(look: &Look) -> String {
    let name = printable_path(&look.path);
    match (&look.error, look.suggestions.first()) {
        (Some(error), _) => format!("{name}: {}", printable(error)),
        (None, None) => format!("{name}: {:.1}% solid", look.share * 100.0),
        (None, Some(first)) => format!("{name}: {:.1}% solid; try {first}", look.share * 100.0),
    }
}
