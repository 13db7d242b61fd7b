//! `bitwall verify`: finds faults in levels.

mod annotate;
mod settings;
mod watch;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anstyle::{AnsiColor, Style};
use clap::{Args, FromArgMatches, ValueEnum};

use crate::commands::output::{Progress, write_bytes};
use crate::commands::projects::verify::annotate::Files;
use crate::commands::projects::verify::settings::Settings;
use crate::commands::projects::verify::settings::since::Since;
use crate::commands::projects::verify::watch::Watch;
use crate::commands::projects::{
    FoundFiles, MAX_FILES, PathKind, excluded, folder_of, identity, pictures_of_others,
};
use crate::commands::{Answer, Failure, LoadArgs, read_stdin};
use crate::git::Git;
use crate::lint::config::parse_size;
use crate::lint::fix::fix_mask;
use crate::lint::{
    Baseline, BodySpec, Checked, Finding, RuleSet, Severity, VerifyOptions, output, verify_bytes,
    verify_bytes_with, verify_file,
};
use bitwall::load::{CONFIG, Disk, Links, read_file};
use bitwall::text::{counted, path_in_line, printable, printable_path};

/// Find faults in levels: unreadable files, gray pixels in masks, maps without walls, ...
///
/// A file given as PATH is checked even if it is excluded, and a picture given as PATH is taken as a mask; -
/// is standard input. In a folder, these files are checked: all maps (.tmx, .tmj, and a .json that holds
/// one), worlds (.world) and LDtk projects (.ldtk), and the pictures that are named as masks (.png; another
/// format is an error). Hidden files, links and files that a .gitignore names are skipped. The section
/// `[verify]` of the nearest bitwall.toml says which pictures are masks, which rules are on, and the facts of
/// the game. A setting that it lacks comes from the next bitwall.toml above it in the repository.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::commands) struct VerifyArgs {
    /// Levels, and folders with levels; - is a level on standard input [default: the current folder]
    #[arg(value_name = "PATH", default_values_os_t = [PathBuf::from(".")], hide_default_value = true)]
    paths: Vec<PathBuf>,
    /// The art of the mask, which must have the same size [default: harbor.png for harbor_mask.png]
    #[arg(long, value_name = "PICTURE")]
    art: Option<PathBuf>,
    /// The size in pixels of a body that moves in the levels. May be given again
    #[arg(long, value_name = "WxH", value_parser = parse_body_spec)]
    body: Vec<BodySpec>,
    /// Skip files and folders with this name or path, which may have * and **; a file given as PATH is
    /// checked all the same, but for --force-exclude
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Skip excluded files also if they are given as PATH, as a hook gives them
    #[arg(long)]
    force_exclude: bool,
    /// Turn on a rule by its code or name, a family of rules (`LVL`), or `all`
    #[arg(long, value_name = "RULE")]
    select: Vec<RuleSet>,
    /// Turn off a rule by its code or name, or a family of rules
    #[arg(long, visible_alias = "allow", value_name = "RULE", value_parser = parse_ignored)]
    ignore: Vec<RuleSet>,
    /// The largest number of maps, tilesets and pictures in the folders
    #[arg(long, value_name = "NUMBER", default_value_t = MAX_FILES)]
    max_files: usize,
    /// Repair masks first: make soft edges and two levels black and white, remove specks, fill pinholes.
    /// Refused if a wall or the reach of a --body would change. Never repairs maps
    #[arg(long, conflicts_with_all = ["baseline", "diff"])]
    fix: bool,
    /// Check again when a file changes, until Ctrl-C: only the levels that use this file, within 0.3 s. Shows
    /// one line if nothing is found
    #[arg(long, conflicts_with_all = ["fix", "diff", "write_baseline", "annotate"])]
    watch: bool,
    #[command(flatten)]
    known: KnownArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    load: LoadArgs,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Known findings")]
struct KnownArgs {
    /// Leave out the known findings that this file lists; --write-baseline writes it
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    baseline: Option<PathBuf>,
    /// Write the findings of this run, and no others, into the file of --baseline
    #[arg(long, requires = "baseline")]
    write_baseline: bool,
    /// Check only levels that changed since the merge base of the current commit and this commit, branch or
    /// tag. A level has changed if its file, a file that it names, or its art has changed. Findings that
    /// these levels already had at the merge base are left out, even if files were renamed. The
    /// configurations of the merge base count; a changed one is a note
    #[arg(long, value_name = "REV")]
    diff: Option<String>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// The format of the findings
    #[arg(long, value_enum, default_value_t = FindingFormat::Full)]
    format: FindingFormat,
    /// Draw the part of each level that has findings into this folder, with the findings numbered in the
    /// order of the output. Beside each picture, write a map for Tiled with their places and paths over the
    /// level
    #[arg(long, value_name = "FOLDER")]
    annotate: Option<PathBuf>,
    /// Do not print the numbers of files and findings, or what was not checked
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  bitwall verify assets/                            check every level in a folder
  bitwall verify assets/ --format github            the same in a GitHub workflow
  bitwall verify assets/ --format html > found.html  a page with pictures, to show or to send
  bitwall verify harbor_mask.png --art harbor.jpg   compare a mask with its picture
  bitwall verify caves/ --select open-border        no cave may have a hole in its border
  bitwall verify maps/ --body 12x20                 check the ways of a body of this size
  bitwall verify --baseline known.json --write-baseline
                                                    from now on only new findings count
  bitwall verify --diff origin/main                 only what a branch changed
  bitwall verify maps/ --watch                      again whenever a file is saved
  bitwall explain MSK202                            what a finding means and how to fix it

Exit codes: 0 nothing found, or notes alone, 1 findings, 2 nothing could be checked.";

pub(in crate::commands) fn run(args: &VerifyArgs) -> Result<Answer, Failure> {
    check_use(args)?;
    if args.watch { watch::run(args) } else { check(args, None) }
}

/// Finds the levels, checks them and reports the findings. With `watch`, does this again after each change of
/// a file, and returns when there may be other levels.
fn check(args: &VerifyArgs, mut watch: Option<&mut Watch>) -> Result<Answer, Failure> {
    let stdin = read_stdin(&args.paths, &args.load)?;
    let stdin_path = stdin.as_ref().map(|file| &file.path);
    let since = args.known.diff.as_ref().map(|revision| Since::new(revision, args));
    let since = since.transpose()?.map(Rc::new);
    let mut settings = Settings::new(args.clone(), since.clone());
    if let Some(watch) = &mut watch {
        watch.begin();
    }
    let mut scope = scope(args, &mut settings, stdin_path)?;
    check_found(args, &mut settings, &scope)?;
    let count = scope.levels.len();
    if args.art.is_some() && count != 1 {
        return Err(format!("--art is the picture of one mask, but there are {count}").into());
    }
    let mut repositories = Repositories::default();
    let root = repositories.root_of(&args.paths[0].join(CONFIG));
    let root = root.unwrap_or_else(|| PathBuf::from("."));
    let known = match (&since, args.known.baseline.as_deref()) {
        (Some(since), _) => Some(since.before(&mut scope, &mut settings)?),
        (None, Some(path)) if !args.known.write_baseline => Some(read_baseline(path)?),
        (None, _) => None,
    };
    let mut of_configs = Vec::new();
    for path in &scope.configs {
        of_configs.push((path.clone(), settings.check(path)?));
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
        fix(&files)?;
    }
    if let Some(watch) = &mut watch {
        watch.plan(args, &scope);
    }
    let mut is_after_change = false;
    loop {
        let reports = match &mut watch {
            Some(watch) => watch.reports(&files),
            None => on_all_cores("checking", &files, |(path, options)| {
                let read = stdin.as_ref().filter(|file| file.path == **path);
                match read.and_then(|file| file.bytes.as_ref()) {
                    Some(bytes) => verify_bytes(path, bytes, options),
                    None => verify_file(path, options),
                }
            }),
        };
        let mut reports: Vec<_> =
            files.iter().map(|(path, _)| PathBuf::clone(path)).zip(reports).collect();
        let mut of_others = settings.findings.clone();
        if args.known.diff.is_none() && args.exclude.is_empty() {
            of_others.extend(settings.unmet_markers(&reports));
        }
        reports.extend(of_configs.iter().cloned());
        // A level on standard input has no place on the disk, unless a path was given.
        let nowhere = stdin_path.filter(|_| args.load.stdin_name.is_none());
        let mut in_repository = |path: &Path| {
            if nowhere.is_some_and(|it| it == path) {
                path.to_owned()
            } else {
                repositories.path_in(path)
            }
        };
        // Configurations count as checked too, even if no argument names them.
        let looked_at = settings.paths().map(&mut in_repository);
        let looked_at: BTreeSet<PathBuf> = looked_at.collect();
        let mut checked = Checked {
            pictures: scope.pictures_left,
            unchecked,
            ..Checked::new(reports, of_others, &mut in_repository)
        };
        let is_gone =
            |path: &Path| looked_at.contains(path) || root.join(path).symlink_metadata().is_err();
        if let Some(path) = args.known.baseline.as_ref().filter(|_| args.known.write_baseline) {
            return write_baseline(path, &checked);
        }
        if let Some(known) = &known {
            checked = checked.since(known, is_gone);
        }
        let checked = checked.grouped();
        let Some(watch) = &mut watch else {
            return report(args, &checked, &files);
        };
        if watch.is_news(&scope.levels) {
            watch::clear()?;
            print(args.output.format, &checked, &files)?;
            watch::tell(&checked)?;
        }
        // A changed file may name other pictures, so that other pictures are masks. To look for them takes
        // longer than to check one level, so it comes after the result.
        if is_after_change || watch.wait() {
            return Ok(Answer::Yes);
        }
        is_after_change = true;
    }
}

/// Returns the summary and the findings as text. With `--within`, no other file is read.
pub(in crate::commands) fn findings_text(args: &VerifyArgs) -> Result<String, Failure> {
    let mut settings = Settings::new(args.clone(), None);
    let mut files = Vec::new();
    let scope = scope(args, &mut settings, None)?;
    check_found(args, &mut settings, &scope)?;
    for path in scope.levels {
        let options = settings.options(&path)?;
        files.extend(options.map(|options| (path, options)));
    }
    let reports = on_all_cores("checking", &files, |(path, options)| {
        // The art of a mask may be anywhere for `verify_file`.
        match read_file(path, Links::Followed, options.load.limits.file_bytes()) {
            Ok(bytes) => verify_bytes_with(path, &bytes, Disk::new(path, &options.load), options),
            Err(_) => verify_file(path, options),
        }
    });
    let reports = files.into_iter().map(|(path, _)| path).zip(reports);
    let checked = Checked::new(reports, settings.findings, Path::to_owned).grouped();
    let findings = checked.findings.iter().map(|it| "\n".to_owned() + &output::full(&it.finding));
    Ok(output::summary(&checked) + &findings.collect::<String>())
}

fn check_use(args: &VerifyArgs) -> Result<(), Failure> {
    let has_stdin = args.paths.iter().any(|path| path == Path::new("-"));
    let needs_files =
        args.known.diff.is_some() || args.fix || args.watch || args.output.annotate.is_some();
    if has_stdin && needs_files {
        return Err("--diff, --fix, --watch and --annotate need files, not standard input".into());
    }
    Ok(())
}

fn report(args: &VerifyArgs, checked: &Checked, files: &Files<'_>) -> Result<Answer, Failure> {
    let output = &args.output;
    let printed = print(output.format, checked, files);
    if let Some(folder) = &output.annotate {
        for line in annotate::annotate(checked, files, folder)? {
            let _ = writeln!(anstream::stderr(), "{line}");
        }
    }
    if !output.quiet {
        print_summary(checked);
    }
    let mut severities = checked.findings.iter().map(|reported| reported.finding.severity);
    let is_clean = severities.all(|severity| severity == Severity::Note);
    let answer = if is_clean { Answer::Yes } else { Answer::No };
    answer.once(printed)
}

/// Returns the results of `work` on each item, in the order of the items. Each core takes the next free item,
/// because an item may take a thousand times as long as another. A progress line shows `name`.
fn on_all_cores<I: Sync, T: Send>(
    name: &'static str,
    items: &[I],
    work: impl Fn(&I) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new((Progress::new(name, items.len() as u64), Vec::new()));
    let cores = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else {
                        break;
                    };
                    let result = work(item);
                    let (bar, results) = &mut *done.lock().unwrap_or_else(PoisonError::into_inner);
                    results.push((index, result));
                    bar.show(results.len() as u64);
                }
            });
        }
    });
    let (_, mut results) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn parse_body_spec(text: &str) -> Result<BodySpec, String> {
    Ok(BodySpec::new(text, parse_size(text)?))
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

/// The largest accepted baseline file, in bytes: about 200,000 findings.
const MAX_BASELINE_BYTES: u64 = 64 << 20;

/// Reads a file of `--baseline`.
fn read_baseline(path: &Path) -> Result<Baseline, Failure> {
    let bytes = read_file(path, Links::Followed, MAX_BASELINE_BYTES);
    let bytes = bytes.map_err(|kind| kind.to_string());
    let baseline = bytes.and_then(|bytes| Baseline::decode(&bytes));
    let baseline = baseline
        .map_err(|reason| Failure::at(path, format!("{reason}; --write-baseline writes one")))?;
    Ok(baseline.renamed(&renamed_since_written(path).unwrap_or_default()))
}

/// Returns the files that were renamed since the last commit of the file `path`: the current path of each and
/// its path before. `None` if git does not know.
fn renamed_since_written(path: &Path) -> Option<BTreeMap<PathBuf, PathBuf>> {
    let git = Git::new(folder_of(path).to_owned());
    let commit = git.last_change(path.file_name()?).ok()??;
    Some(git.changed_since(&commit, None).ok()?.renamed)
}

/// Writes the findings of the run to the baseline file `path`.
fn write_baseline(path: &Path, checked: &Checked) -> Result<Answer, Failure> {
    if path.symlink_metadata().is_ok() {
        // A mistyped name must not replace another file.
        read_baseline(path)?;
    }
    let baseline = Baseline::new(checked);
    write_bytes(path, baseline.to_json().as_bytes())?;
    let count = counted(baseline.len() as u64, "finding");
    let _ = writeln!(anstream::stderr(), "{}: {count} known from now on", printable_path(path));
    Ok(Answer::Yes)
}

/// Repairs the masks among `files`, each completely or not at all, and reports the repairs on standard error.
/// Skips files that cannot be read or loaded, because the check reports these files.
fn fix(files: &[(&PathBuf, VerifyOptions)]) -> Result<(), Failure> {
    let mut is_quiet = true;
    for (path, options) in files {
        let Ok(bytes) = read_file(path, Links::Followed, options.load.limits.file_bytes()) else {
            continue;
        };
        let repair = match fix_mask(path, &bytes, options) {
            Ok(Some(repair)) => repair,
            Ok(None) => continue,
            Err(reason) => {
                is_quiet = false;
                tell(path, &format!("not repaired: {reason}"));
                continue;
            }
        };
        is_quiet = false;
        // A rename would replace even a read-only file. Some version control systems mark locked files as
        // read-only.
        if fs::metadata(path).is_ok_and(|file| file.permissions().readonly()) {
            tell(path, "not repaired: the file is read-only");
            continue;
        }
        // Replaces the target of a link, not the link. A write in place could be interrupted.
        write_bytes(&identity(path), &repair.bytes)?;
        for change in &repair.changes {
            tell(path, &change.to_string());
        }
    }
    if is_quiet {
        let line = "no mask has soft edges, noise, two levels, specks or pinholes to repair";
        tell(Path::new("--fix"), line);
    }
    Ok(())
}

/// Writes a line about a repair to standard error. Findings are on standard output, so a closed standard
/// error is ignored.
fn tell(name: &Path, line: &str) {
    let _ = writeln!(anstream::stderr(), "{}: {}", printable_path(name), printable(line));
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FindingFormat {
    /// With a drawing of the place, notes and help
    Full,
    /// One line for each finding
    Concise,
    /// Annotations of a GitHub workflow
    Github,
    /// GitLab's code quality report
    Gitlab,
    /// One HTML page with pictures of the places, to be opened in a browser
    Html,
    /// One JSON document
    Json,
    /// JUnit's XML, one test for each finding
    Junit,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

fn print(format: FindingFormat, checked: &Checked, files: &Files<'_>) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let text = match format {
        FindingFormat::Full | FindingFormat::Concise => {
            for (index, reported) in checked.findings.iter().enumerate() {
                if format == FindingFormat::Concise {
                    writeln!(out, "{}", output::concise(reported))?;
                } else {
                    // The path from the root of the repository is the same in every working folder.
                    let path = reported.path.clone();
                    let finding = Finding { path, ..reported.finding.clone() };
                    let gap = if index == 0 { "" } else { "\n" };
                    write!(out, "{gap}{}", colored(&finding, &output::full(&finding)))?;
                }
            }
            return out.flush();
        }
        FindingFormat::Github => output::github(checked),
        FindingFormat::Gitlab => output::gitlab(checked),
        FindingFormat::Html => annotate::page(checked, files),
        FindingFormat::Json => output::json(checked),
        FindingFormat::Junit => output::junit(checked),
        FindingFormat::Sarif => output::sarif(checked),
    };
    write!(out, "{text}")?;
    out.flush()
}

/// Returns `text` with severity and code in colour. `anstream` removes the colour without a terminal.
fn colored(finding: &Finding, text: &str) -> String {
    let color = match finding.severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Note => AnsiColor::Cyan,
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    let head = text.find(':').unwrap_or(0);
    format!("{style}{}{style:#}{}", &text[..head], &text[head..])
}

fn print_summary(checked: &Checked) {
    let summary = output::summary(checked);
    let hint = match checked.findings.first() {
        None => String::new(),
        Some(reported) => format!(". `bitwall explain {}` tells more.", reported.finding.rule.code),
    };
    let _ = writeln!(anstream::stderr(), "{}{hint}", summary.trim_end());
}

#[derive(Default)]
pub(super) struct Scope {
    /// The maps, worlds and masks. Sorted by path, without duplicates.
    pub(super) levels: Vec<PathBuf>,
    /// The `.toml` files that the arguments name. They contain options, not a level.
    configs: Vec<PathBuf>,
    /// The number of pictures in the folders that are not masks and that no map, tileset or mask uses.
    pub(super) pictures_left: usize,
    /// The folders in which the files were looked for.
    folders: Vec<PathBuf>,
}

/// Finds the files to check. `stdin` is the path shown for a level on standard input.
fn scope<'a>(
    args: &'a VerifyArgs,
    settings: &mut Settings,
    stdin: Option<&'a PathBuf>,
) -> Result<Scope, Failure> {
    let mut named: Vec<&PathBuf> = Vec::new();
    let mut found = FoundFiles::new(args.max_files);
    for path in &args.paths {
        if let Some(stdin) = stdin.filter(|_| path == Path::new("-")) {
            named.push(stdin);
        } else if args.force_exclude && is_excluded(path, args, settings)? {
            continue;
        } else if path.is_dir() {
            found.walk(path, &args.exclude, |path| Ok(settings.judge(path)?.excludes(path)))?;
        } else if path.symlink_metadata().is_err() {
            let path = path_in_line(path);
            return Err(format!("there is no file or folder `{path}`").into());
        } else {
            named.push(path);
        }
    }
    let mut of_others = pictures_of_others(&found);
    let FoundFiles { files: found, folders, .. } = found;
    of_others.extend(settings.arts());
    let mut scope = Scope { folders, ..Scope::default() };
    let mut known = BTreeSet::new();
    for path in named {
        if known.insert(identity(path)) {
            let is_config = path.extension() == Some(OsStr::new("toml"));
            let files = if is_config { &mut scope.configs } else { &mut scope.levels };
            files.push(path.clone());
        }
    }
    for path in found {
        let kind = PathKind::from_path(&path);
        if kind.is_none_or(|kind| kind == PathKind::Tileset) {
            continue;
        }
        let identity = identity(&path);
        let config = settings.judge(&path)?;
        let is_own = path.as_os_str().as_encoded_bytes().ends_with(annotate::ENDING.as_bytes());
        if known.contains(&identity) || is_own {
            continue;
        }
        let is_level = match kind {
            Some(PathKind::Picture) => {
                let is_of_other = of_others.contains(&identity) && config.art_of(&path).is_none();
                let is_mask = !is_of_other && config.is_mask(&path);
                scope.pictures_left += usize::from(!is_mask && !is_of_other);
                is_mask
            }
            _ => true,
        };
        if is_level {
            known.insert(identity);
            scope.levels.push(path);
        }
    }
    scope.levels.sort_by_cached_key(|path| path.as_os_str().as_encoded_bytes().to_owned());
    Ok(scope)
}

/// Fails if there is nothing to check, and nothing to say of the configurations either.
fn check_found(args: &VerifyArgs, settings: &mut Settings, scope: &Scope) -> Result<(), Failure> {
    let is_found = !scope.levels.is_empty() || !scope.configs.is_empty();
    if is_found || args.force_exclude || args.watch {
        return Ok(());
    }
    // Configurations are loaded together with the files. Without files, this loads the configurations of
    // the folders, so that their findings are reported.
    let configs = args.paths.iter().map(|folder| folder.join(CONFIG));
    for config in configs.filter(|config| config.is_file()) {
        settings.judge(&config)?;
    }
    if !settings.findings.is_empty() {
        return Ok(());
    }
    let hint = match scope.pictures_left {
        0 => "",
        _ => "; a picture is a mask if it is named as one (`[verify] masks`), or given as PATH",
    };
    let reason = "there is nothing to check: no map, no world and no mask was found";
    Err(format!("{reason}{hint}").into())
}

/// Finds the maps and masks in a folder, and no worlds, by the configuration that is in force there.
pub(super) fn levels_in(folder: &Path, exclude: &[String], most: usize) -> Result<Scope, Failure> {
    let mut line: Vec<OsString> = vec![folder.into(), format!("--max-files={most}").into()];
    line.extend(exclude.iter().map(|glob| format!("--exclude={glob}").into()));
    let command = VerifyArgs::augment_args(clap::Command::new("verify").no_binary_name(true));
    let found = command.try_get_matches_from(line);
    let args = found.and_then(|found| VerifyArgs::from_arg_matches(&found));
    let args = args.map_err(|error| error.to_string())?;
    let mut scope = scope(&args, &mut Settings::new(args.clone(), None), None)?;
    scope.levels.retain(|path| path.extension().is_none_or(|end| end != "world"));
    Ok(scope)
}

/// True if `--exclude` or a configuration leaves out the file or folder `path`.
fn is_excluded(path: &Path, args: &VerifyArgs, settings: &mut Settings) -> Result<bool, Failure> {
    let by_option = excluded(&args.exclude)?;
    let mut above = path.ancestors().filter(|above| !above.as_os_str().is_empty());
    if above.any(|above| by_option.matched(above, above != path || path.is_dir()).is_ignore()) {
        return Ok(true);
    }
    Ok(settings.judge(path)?.excludes(path))
}

/// Finds the repository of each folder once. The root of a repository has a `.git`.
#[derive(Default)]
struct Repositories {
    by_folder: HashMap<PathBuf, Option<(PathBuf, PathBuf)>>,
}

impl Repositories {
    /// Returns `path` relative to the root of its repository, or else to the current folder. Returns `path`
    /// unchanged if it is outside both.
    fn path_in(&mut self, path: &Path) -> PathBuf {
        match (self.home(path), path.file_name()) {
            (Some((_, folder)), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        }
    }

    fn root_of(&mut self, path: &Path) -> Option<PathBuf> {
        let (root, _) = self.home(path)?;
        root.join(".git").exists().then(|| root.clone())
    }

    fn home(&mut self, path: &Path) -> Option<&(PathBuf, PathBuf)> {
        let folder = folder_of(path);
        self.by_folder.entry(folder.to_owned()).or_insert_with(|| find(folder)).as_ref()
    }
}

/// Returns the root of the repository around `folder`, or else the current folder, and the path from that
/// root to `folder`. `None` if `folder` is in neither. A repository has a `.git` folder or file.
fn find(folder: &Path) -> Option<(PathBuf, PathBuf)> {
    // A folder may be gone since the revision of `--diff`.
    let there = folder.ancestors().find(|above| above.exists()).unwrap_or(Path::new("."));
    let gone = folder.strip_prefix(there).unwrap_or(folder);
    let real = fs::canonicalize(there).ok()?.join(gone);
    let root = real.ancestors().find(|above| above.join(".git").exists());
    let root = match root {
        Some(root) => root.to_owned(),
        None => std::env::current_dir().and_then(fs::canonicalize).ok()?,
    };
    let folder = real.strip_prefix(&root).ok()?.to_owned();
    Some((root, folder))
}
