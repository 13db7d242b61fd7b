//! `--watch`: what is known of the files of a run, which of them have changed since, and the reports that
//! still hold. Never checks a level on its own.
//!
//! A level is checked again if a file that its check read, or looked for in vain, has changed: its tilesets,
//! templates and pictures, and for a world all its maps. All levels are checked again if a `bitwall.toml`, a
//! `.gitignore`, a project of Tiled or the baseline has changed. What is said of several levels together, such
//! as one cause in many files or a marker that no level has, is made anew from all reports each time.
//!
//! The files are polled. A look at 4,000 maps in 40 folders takes 4 ms, so the wait takes 4% of one core. A
//! crate for the events of the system has a part for each system, is silent on network folders, and still does
//! not know when a file is complete.

use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::commands::projects::verify::{self, Scope, VerifyArgs, on_all_cores};
use crate::commands::projects::{PathKind, folder_of, identity};
use crate::commands::{Answer, Failure};
use crate::lint::{Checked, Report, VerifyOptions, arts_beside, verify_file_with};
use bitwall::error::LoadErrorKind;
use bitwall::load::{CONFIG, Disk, Files, is_type_file};
use bitwall::text::counted;

/// The time between two looks at the files.
const PAUSE: Duration = Duration::from_millis(100);

/// How long all files must stay as they are before a check. A save in several steps is then done.
const QUIET: Duration = Duration::from_millis(40);

/// The number of looks after which a check starts, even if a file still changes all the time.
const MOST_LOOKS: usize = 40;

/// The reports of the last run, and the states of the files and folders that they depend on.
#[derive(Default)]
pub(super) struct Watch {
    reports: HashMap<PathBuf, Seen>,
    files: HashMap<PathBuf, u64>,
    folders: HashMap<PathBuf, Listing>,
    /// The files whose change concerns all levels.
    shared: Vec<PathBuf>,
    /// The levels of the last result that was shown.
    shown: Option<Vec<PathBuf>>,
    /// True if a report has been made that was not shown.
    is_news: bool,
    /// A time before the run. A file that changed later may have been read in its earlier state.
    start: Option<SystemTime>,
}

struct Seen {
    report: Report,
    /// The files that the check read, or looked for.
    files: Vec<PathBuf>,
}

/// The hashes of a folder.
#[derive(Clone, Copy, Default, PartialEq)]
struct Listing {
    /// That of the names of its files and folders without the hidden ones.
    names: u64,
    /// That of its files that concern all levels in it.
    project: u64,
}

#[derive(Default)]
struct Changes {
    files: HashSet<PathBuf>,
    are_names: bool,
    are_projects: bool,
}

/// Checks, shows the result, and waits for a change, again and again, until the output is closed. A fault of
/// the first check ends the program; a later one, such as a folder that is gone, may be mended.
pub(super) fn run(args: &VerifyArgs) -> Result<Answer, Failure> {
    let mut watch = Watch { start: Some(SystemTime::now() - QUIET), ..Watch::default() };
    let mut is_first = true;
    loop {
        match verify::check(args, Some(&mut watch)) {
            Ok(_) => {}
            Err(Failure::Write(_)) => return Ok(Answer::Yes),
            Err(failure) if is_first => return Err(failure),
            Err(failure) => {
                let _ = writeln!(anstream::stderr(), "error: {failure}");
                watch.is_news = true;
                watch.wait();
            }
        }
        is_first = false;
    }
}

impl Watch {
    /// Takes note of the folders and files that decide which levels there are, and how they are checked.
    pub(super) fn plan(&mut self, args: &VerifyArgs, scope: &Scope) {
        let named = [args.load.config.as_ref(), args.known.baseline.as_ref()].into_iter().flatten();
        self.shared = named.chain(&scope.configs).cloned().collect();
        for file in self.shared.clone() {
            self.note(&file);
        }
        let mut folders = scope.folders.clone();
        for path in &args.paths {
            for folder in identity(path).ancestors() {
                folders.push(folder.to_owned());
                if folder.join(".git").exists() {
                    break;
                }
            }
        }
        for folder in folders {
            let listing = if self.is_new(&folder) { Listing::default() } else { listing(&folder) };
            self.folders.entry(folder).or_insert(listing);
        }
    }

    /// Takes note of a file. One that changed during the run gets no state, so that the next look finds it
    /// changed.
    fn note(&mut self, file: &Path) {
        if !self.files.contains_key(file) {
            let state = if self.is_new(file) { 0 } else { state(file) };
            self.files.insert(file.to_owned(), state);
        }
    }

    fn is_new(&self, path: &Path) -> bool {
        let changed = fs::metadata(path).and_then(|metadata| metadata.modified());
        changed.is_ok_and(|time| self.start.is_some_and(|start| time >= start))
    }

    /// Returns the reports of `levels`. Checks those whose report does not hold any more.
    pub(super) fn reports(&mut self, levels: &[(&PathBuf, VerifyOptions)]) -> Vec<Report> {
        let open = levels.iter().filter(|(path, _)| !self.reports.contains_key(*path));
        let open: Vec<_> = open.collect();
        self.is_news |= !open.is_empty();
        let seen = on_all_cores("checking", &open, |(path, options)| check(path, options));
        for ((path, _), seen) in open.into_iter().zip(seen) {
            for file in &seen.files {
                self.note(file);
            }
            self.reports.insert(PathBuf::clone(path), seen);
        }
        levels.iter().map(|(path, _)| self.reports[*path].report.clone()).collect()
    }

    /// True if the result for `levels` may differ from the one that was shown last.
    pub(super) fn is_news(&mut self, levels: &[PathBuf]) -> bool {
        let is_news = std::mem::take(&mut self.is_news) || self.shown.as_deref() != Some(levels);
        self.shown = Some(levels.to_vec());
        is_news
    }

    /// Waits until a file changes and all are quiet again, and drops the reports that may not hold any more.
    /// Returns true if there may be other levels, or if they may have other options.
    pub(super) fn wait(&mut self) -> bool {
        let mut changes = Changes::default();
        let mut pause = PAUSE;
        loop {
            thread::sleep(pause);
            let began = Instant::now();
            if self.look(&mut changes) {
                break;
            }
            // With far more files, the looks take a tenth of one core, not all of it.
            pause = PAUSE.max(10 * began.elapsed());
        }
        for _ in 0..MOST_LOOKS {
            thread::sleep(QUIET);
            if !self.look(&mut changes) {
                break;
            }
        }
        self.start = Some(SystemTime::now() - QUIET);
        if changes.are_projects || self.shared.iter().any(|file| changes.files.contains(file)) {
            self.reports.clear();
            self.is_news = true;
            return true;
        }
        self.reports.retain(|_, seen| !seen.files.iter().any(|file| changes.files.contains(file)));
        changes.are_names
    }

    /// Adds what has changed since the last look to `changes`; true if something has.
    fn look(&mut self, changes: &mut Changes) -> bool {
        let mut is_other = false;
        for (file, known) in &mut self.files {
            let now = state(file);
            if now != *known {
                *known = now;
                is_other = true;
                changes.files.insert(file.clone());
            }
        }
        for (folder, known) in &mut self.folders {
            let now = listing(folder);
            is_other |= now != *known;
            changes.are_names |= now.names != known.names;
            changes.are_projects |= now.project != known.project;
            *known = now;
        }
        is_other
    }
}

/// Checks a level, and keeps the paths of all files that this reads or looks for.
fn check(path: &Path, options: &VerifyOptions) -> Seen {
    let mut files = vec![path.to_owned()];
    files.extend(options.art.clone());
    if PathKind::from_path(path) == Some(PathKind::Picture) {
        files.extend(arts_beside(path));
    }
    let disk = Disk::new(path, &options.load);
    let is_world = path.extension().is_some_and(|end| end == "world");
    let report = verify_file_with(path, Recorder { disk, is_world, files: &mut files }, options);
    files.sort_unstable();
    files.dedup();
    Seen { report, files }
}

/// The files on the disk. Keeps the paths of those that are read.
struct Recorder<'a> {
    disk: Disk,
    is_world: bool,
    files: &'a mut Vec<PathBuf>,
}

impl Files for Recorder<'_> {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        self.files.push(path.to_owned());
        self.disk.read(path)
    }

    fn read_start(&mut self, path: &Path, length: usize) -> Result<Vec<u8>, LoadErrorKind> {
        self.files.push(path.to_owned());
        self.disk.read_start(path, length)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        // Other levels look only for a project of Tiled, and a new one concerns all levels.
        if self.is_world {
            self.files.push(folder.to_owned());
        }
        self.disk.names(folder)
    }

    fn absolute(&self, path: &Path) -> Option<PathBuf> {
        self.disk.absolute(path)
    }
}

/// Returns a hash of the state of a file, without reading it. For a folder, that of its names; for a missing
/// file, that of the names beside it, because a finding may say that one of them is meant.
fn state(path: &Path) -> u64 {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => listing(path).names,
        Ok(metadata) => state_of(&metadata),
        Err(_) => listing(folder_of(path)).names,
    }
}

/// A file that another one replaced has its own time of creation, even if length and time of change are equal.
fn state_of(metadata: &Metadata) -> u64 {
    hash((metadata.len(), metadata.modified().ok(), metadata.created().ok()))
}

fn listing(folder: &Path) -> Listing {
    let mut listing = Listing::default();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if !name.as_encoded_bytes().starts_with(b".") {
            // The entries come in any order.
            listing.names ^= hash(&name);
        }
        let path = Path::new(&name);
        if [CONFIG, ".gitignore"].iter().any(|it| name == *it) || is_type_file(path) {
            listing.project ^= hash((&name, state(&entry.path())));
        } else if name == ".git" {
            listing.project ^= hash(&name);
        }
    }
    listing
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Clears the screen of a terminal.
pub(super) fn clear() -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    if io::stdout().is_terminal() {
        write!(out, "\x1b[2J\x1b[H")?;
    }
    out.flush()
}

/// Writes the line below the findings: the time, the numbers of findings, and that of levels.
pub(super) fn tell(checked: &Checked) -> io::Result<()> {
    let mut parts = Vec::new();
    for (count, noun) in checked.counts().into_iter().zip(["error", "warning", "note"]) {
        if count > 0 {
            parts.push(counted(count, noun));
        }
    }
    let found = if parts.is_empty() { "clean".to_owned() } else { parts.join(", ") };
    let mut out = anstream::stdout().lock();
    let levels = counted(checked.files.len() as u64, "level");
    writeln!(out, "{} {found}: {levels}", time_of_day())?;
    out.flush()
}

/// Returns the local time. The standard library knows no time zones, so a command of the system is asked, in
/// 1 ms.
fn time_of_day() -> String {
    let windows = ["cmd", "/C", "echo", "%TIME:~0,8%"];
    let command = if cfg!(windows) { &windows[..] } else { &["date", "+%T"] };
    let asked = Command::new(command[0]).args(&command[1..]).output();
    let text = asked.map(|asked| String::from_utf8_lossy(&asked.stdout).trim().to_owned());
    text.ok().filter(|text| !text.is_empty()).unwrap_or_else(|| "now".to_owned())
}
