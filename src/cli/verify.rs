//! `bitwall verify`: finds faults in levels.

mod annotate;
mod baseline;
mod fix;
mod print;
mod repository;
mod scope;
mod settings;
mod since;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use clap::Args;
use glam::UVec2;
use rayon::prelude::*;

use self::print::Format;
use self::repository::Repositories;
use self::settings::Settings;
use super::files::MAX_FILES;
use super::level_args::LoadArgs;
use super::level_file::{StdinArgs, read_stdin};
use super::progress::{Bar, spinner};
use super::{Answer, Failure};
use crate::load::root::CONFIG;
use crate::verify::config::parse_size;
use crate::verify::{BodySpec, Checked, Report, RuleSet, VerifyOptions, verify_bytes, verify_file};

/// Find faults in levels: unreadable files, gray pixels in masks, maps without walls, ...
///
/// A file given as PATH is always checked; a picture that is given is a mask; - is standard input. In a
/// folder, all maps (.tmx, .tmj) and worlds (.world) are checked, and the pictures that are named as
/// masks (.png, .gif, .bmp, .webp, .tga; .jpg is an error); not hidden files, links, and files that a
/// .gitignore names. The section `[verify]` of a bitwall.toml says which pictures are masks, which rules are
/// on, and the facts of the game. Where it says nothing, that of a bitwall.toml above it in the repository
/// counts.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct VerifyArgs {
    /// Levels, and folders with levels; - is a level on standard input [default: the current folder]
    #[arg(value_name = "PATH", default_values_os_t = [scope::here()], hide_default_value = true)]
    paths: Vec<PathBuf>,
    /// The required width and height of masks, in pixels
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<UVec2>,
    /// The width and height in pixels of which those of masks must be multiples
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    tile: Option<UVec2>,
    /// The art of the mask, which must have its size [default: harbor.png for harbor_mask.png]
    #[arg(long, value_name = "PICTURE")]
    art: Option<PathBuf>,
    /// A body that moves in the levels: its size in pixels, and its top speed in pixels a step. May be given
    /// again
    #[arg(long, value_name = "WxH[@SPEED]", value_parser = parse_body_spec)]
    body: Vec<BodySpec>,
    /// Skip files and folders with this name or path, which may have * and **; a file given as PATH is
    /// always checked
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Turn on a rule, by its code or name, or a family (`LVL`), or `all`
    #[arg(long, value_name = "RULE")]
    select: Vec<RuleSet>,
    /// Turn off a rule, by its code or name, or a family
    #[arg(long, visible_alias = "allow", value_name = "RULE", value_parser = parse_ignored)]
    ignore: Vec<RuleSet>,
    /// The largest number of maps, tilesets and pictures in the folders
    #[arg(long, value_name = "NUMBER", default_value_t = MAX_FILES)]
    max_files: usize,
    /// Repair masks first: make soft edges and two levels black and white, drop specks, fill pinholes.
    /// Refused where a wall or the ways of a --body would change; maps are never repaired, nor what a
    /// baseline has
    #[arg(long)]
    fix: bool,
    /// With --fix, write a picture of each repair into this folder, and no mask
    #[arg(long, value_name = "FOLDER", requires = "fix")]
    preview: Option<PathBuf>,
    #[command(flatten)]
    known: KnownArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    load: LoadArgs,
    #[command(flatten)]
    stdin: StdinArgs,
}

/// The findings that do not count.
#[derive(Args, Debug)]
#[command(next_help_heading = "Known findings")]
struct KnownArgs {
    /// Leave out the findings that this file has: those of the project when it was written
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the findings into the file of --baseline; those in files that are not checked stay in it
    #[arg(long, requires = "baseline", conflicts_with = "diff")]
    write_baseline: bool,
    /// Check only levels that changed since this revision of the repository, as a commit, a branch or a tag:
    /// the level itself, a file that it names, its art, its --config, or a bitwall.toml above it. Leave out
    /// the findings that they had where the revision and the current one part, by the name that they had
    /// there
    #[arg(long, value_name = "REV")]
    diff: Option<String>,
}

/// The form of the findings.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// The format of the findings
    #[arg(long, value_enum, default_value_t = Format::Full)]
    format: Format,
    /// Show the number of findings of each rule in place of the findings
    #[arg(long)]
    statistics: bool,
    /// Draw each level with findings into this folder, with the findings numbered as they are printed, and
    /// write their places and paths beside the picture as a map that Tiled opens
    #[arg(long, value_name = "FOLDER")]
    annotate: Option<PathBuf>,
    /// Show no numbers of files and findings, and not what was not checked
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  bitwall verify assets/                            check every level in a folder
  bitwall verify assets/ --format github            the same in a GitHub workflow
  bitwall verify harbor_mask.png --art harbor.jpg   compare a mask with its picture
  bitwall verify caves/ --select open-border        no cave may have a hole in its border
  bitwall verify maps/ --body 12x20                 check the ways of a body of this size
  bitwall verify --baseline known.json --write-baseline
                                                    from now on only new findings count
  bitwall verify --diff origin/main                 only what a branch changed
  bitwall explain MSK202                            what a finding means and how to fix it

Exit codes: 0 nothing found, 1 findings, 2 nothing could be checked.";

pub(super) fn run(args: &VerifyArgs) -> Result<Answer, Failure> {
    check_use(args)?;
    let stdin = read_stdin(&args.paths, &args.stdin, |path| args.load.file_bytes(path))?;
    let mut settings = Settings::new(args);
    let mut scope = scope::scope(args, &mut settings, stdin.as_ref().map(|(path, _)| path))?;
    if args.art.is_some() && scope.levels.len() != 1 {
        let reason =
            format!("--art is the picture of one mask, but there are {}", scope.levels.len());
        return Err(Failure::Other(reason));
    }
    let mut repositories = Repositories::default();
    let first = scope.levels.first().or(scope.configs.first()).cloned();
    let has_files = first.is_some();
    let first = first.or_else(|| Some(args.paths.first()?.join(CONFIG))).unwrap_or_default();
    let root = repositories.root_of(&first);
    let known = args.known.baseline.as_deref().filter(|_| !args.known.write_baseline);
    let mut known = known.map(baseline::read).transpose()?;
    let of_configs = scope.configs.iter().map(|path| Ok((path.clone(), settings.check(path)?)));
    let of_configs: Vec<(PathBuf, Report)> = of_configs.collect::<Result<_, Failure>>()?;
    if let Some(revision) = &args.known.diff {
        let root = root.clone();
        let root =
            root.ok_or_else(|| Failure::Other("--diff: the levels are in no repository".into()))?;
        let before =
            since::since(revision, root, args, &mut scope, &mut settings, &mut repositories)?;
        known = Some(match &known {
            Some(known) => before.with(known),
            None => before,
        });
        if !has_files && !settings.has_findings() {
            return Err(scope::nothing(scope.pictures_left));
        }
    }
    let mut files = Vec::new();
    for path in &scope.levels {
        if let Some(mut options) = settings.options(path)? {
            let name = repositories.path_in(path);
            let base = known.as_ref().and_then(|baseline| baseline.share_of(&name));
            options.base = base.or(options.base);
            files.push((path, options));
        }
    }
    let unchecked = scope.levels.len() - files.len();
    if args.fix {
        let preview = args.preview.as_deref();
        fix::run(&files, preview, known.as_ref(), |path| repositories.path_in(path))?;
    }
    let reports = check(&files, stdin.as_ref().map(|(path, bytes)| (&**path, &**bytes)));
    let mut reports: Vec<_> =
        files.iter().map(|(path, _)| PathBuf::clone(path)).zip(reports).collect();
    reports.extend(of_configs.into_iter().filter(|(path, _)| scope.configs.contains(path)));
    // Standard input lies nowhere, unless it has a path.
    let nowhere = stdin.as_ref().map(|(path, _)| path).filter(|_| !args.stdin.has_name());
    let mut in_repository = |path: &Path| match nowhere.is_some_and(|it| it == path) {
        true => path.to_owned(),
        false => repositories.path_in(path),
    };
    // Files that were looked at beside those that were asked for.
    let looked_at: BTreeSet<PathBuf> = settings.paths().map(&mut in_repository).collect();
    let checked = Checked::new(reports, settings.into_findings(), &mut in_repository);
    let mut checked = checked.with_left_out(scope.pictures_left, unchecked, scope.ignored);
    let root = root.unwrap_or_else(|| PathBuf::from("."));
    let is_gone =
        |path: &Path| looked_at.contains(path) || root.join(path).symlink_metadata().is_err();
    if let Some(path) = args.known.baseline.as_ref().filter(|_| args.known.write_baseline) {
        return baseline::write(path, &checked, |path| !is_gone(path));
    }
    if let Some(known) = &known {
        checked = checked.since(known, is_gone);
    }
    report(args, &checked.grouped(in_repository), &files)
}

/// An error for arguments that contradict each other.
fn check_use(args: &VerifyArgs) -> Result<(), Failure> {
    let has_stdin = args.paths.iter().any(|path| path == Path::new("-"));
    let is_text = matches!(args.output.format, Format::Full | Format::Concise);
    let fault = match () {
        () if has_stdin && args.known.diff.is_some() => {
            "--diff has no earlier revision of standard input"
        }
        () if has_stdin && args.fix => "--fix repairs files, not standard input",
        () if has_stdin && args.output.annotate.is_some() => {
            "--annotate draws files, not standard input"
        }
        () if args.output.statistics && !is_text => {
            "--statistics is a format of its own; take it with --format full or concise"
        }
        () => return Ok(()),
    };
    Err(Failure::Other(fault.to_owned()))
}

/// Shows the result in all forms that were asked for.
fn report(
    args: &VerifyArgs,
    checked: &Checked,
    files: &[(&PathBuf, VerifyOptions)],
) -> Result<Answer, Failure> {
    let output = &args.output;
    let printed = print::print(output.format, checked, output.statistics);
    if output.format == Format::Github {
        print::add_to_job_summary(checked)?;
    }
    if let Some(folder) = &output.annotate {
        for line in annotate::annotate(checked, files, folder)? {
            let _ = writeln!(anstream::stderr(), "{line}");
        }
    }
    if !output.quiet {
        print::print_summary(output.format, checked);
    }
    let answer = if checked.findings.is_empty() { Answer::Yes } else { Answer::No };
    answer.once(printed)
}

/// The reports on all files, in their order. The files are shared out to all cores. The bytes of one may come
/// from standard input.
fn check(files: &[(&PathBuf, VerifyOptions)], stdin: Option<(&Path, &[u8])>) -> Vec<Report> {
    let check = |path: &Path, options: &VerifyOptions| match stdin {
        Some((name, bytes)) if name == path => verify_bytes(path, bytes, options),
        _ => verify_file(path, options),
    };
    // A spinner for one file, a bar for many.
    if let [(path, options)] = files {
        return vec![spinner("checking", || check(path, options))];
    }
    let bar = Mutex::new((Bar::new("checking", files.len() as u64), 0));
    let check = |(path, options): &(&PathBuf, VerifyOptions)| {
        let report = check(path, options);
        if let Ok(mut bar) = bar.lock() {
            bar.1 += 1;
            let done = bar.1;
            bar.0.at(done);
        }
        report
    };
    files.par_iter().map(check).collect()
}

/// A body as `WxH` or `WxH@SPEED`.
fn parse_body_spec(text: &str) -> Result<BodySpec, String> {
    let (size, speed) = match text.split_once('@') {
        Some((size, speed)) => (size, Some(speed)),
        None => (text, None),
    };
    let body = BodySpec::new(text, parse_size(size)?);
    match speed.map(str::parse) {
        None => Ok(body),
        Some(Ok(speed)) => Ok(body.with_top_speed(speed)),
        Some(Err(_)) => Err("the speed must be a whole number of pixels a step".to_owned()),
    }
}

fn parse_ignored(text: &str) -> Result<RuleSet, String> {
    match text.parse()? {
        RuleSet::One(rule) if rule.fixed => Err(format!(
            "{} {} cannot be turned off, because the file is not checked at all; leave the file out with \
             --exclude",
            rule.code, rule.name
        )),
        rules => Ok(rules),
    }
}
