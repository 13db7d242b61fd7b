//! `--watch`: what is known of the files of a run, which of them have changed since, and the reports that
//! still hold. Never checks a level on its own.
//!
//! A level is checked again if a file that its check read, or looked for in vain, has changed: its tilesets,
//! templates and pictures, and for a world all its maps. All levels are checked again if a `bitwall.toml`, a
//! `.gitignore`, a project of Tiled or the baseline has changed. What is said of several levels together,
//! such as one cause in many files or a marker that no level has, is made anew from all reports each time.
//!
//! The files are polled. A look at 4,000 maps in 40 folders takes 4 ms, so the wait takes 4% of one core. A
//! crate for the events of the system has a part for each system, is silent on network folders, and still
//! does not know when a file is complete.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
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
const QUIET: Duration = Duration::from_millis(50);

/// The number of looks after which a check starts, even if a file still changes all the time.
const MOST_LOOKS: usize = 40;

/// The reports of the last run, and the states of the files and folders that they depend on.
#[derive(Default)]
pub(super) struct Watch {
    reports: HashMap<PathBuf, Seen>,
    /// The folders in which levels are looked for.
    folders: Vec<PathBuf>,
    /// The files whose change concerns all levels.
    shared: Vec<PathBuf>,
    /// The states of all these files and folders, and of those that the reports depend on. Each is taken
    /// before its file is read, so that the next look finds what changed during a run.
    states: HashMap<PathBuf, u64>,
    /// The levels of the last result that was shown.
    shown: Vec<PathBuf>,
    /// True if a report has been made that was not shown.
    is_news: bool,
}

struct Seen {
    report: Report,
    /// The files that the check read, or looked for, each with its state before.
    files: Vec<(PathBuf, u64)>,
}

/// Checks, shows the result, and waits for a change, again and again, until the output is closed. A fault of
/// the first check ends the program; a later one, such as a folder that is gone, may be mended.
pub(super) fn run(args: &VerifyArgs) -> Result<Answer, Failure> {
    let mut watch = Watch { is_news: true, ..Watch::default() };
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
    /// Takes the states of new files that concern all levels, before a run reads them.
    pub(super) fn begin(&mut self) {
        for path in self.folders.iter().flat_map(|folder| shared_in(folder)) {
            self.states.entry(path).or_insert_with_key(|path| state(path));
        }
    }

    /// Takes note of the folders and files that decide which levels there are, and how they are checked.
    pub(super) fn plan(&mut self, args: &VerifyArgs, scope: &Scope) {
        let is_first = self.folders.is_empty();
        self.folders = scope.folders.clone();
        for path in &args.paths {
            for folder in identity(path).ancestors() {
                self.folders.push(folder.to_owned());
                if folder.join(".git").exists() {
                    break;
                }
            }
        }
        let named = [args.load.config.as_ref(), args.known.baseline.as_ref()].into_iter().flatten();
        let mut shared: Vec<PathBuf> = named.chain(&scope.configs).cloned().collect();
        shared.extend(self.folders.iter().flat_map(|folder| shared_in(folder)));
        shared.sort_unstable();
        for path in self.folders.iter().chain(&shared) {
            // A file that appeared after `begin` may not count in this run. Its state is kept inverted, so
            // that the next look finds a change.
            let now = state(path);
            self.states.entry(path.clone()).or_insert(if is_first { now } else { !now });
        }
        if shared != self.shared {
            self.shared = shared;
            self.reports.clear();
        }
    }

    /// Returns the reports of `levels`. Checks those whose report does not hold any more.
    pub(super) fn reports(&mut self, levels: &[(&PathBuf, VerifyOptions)]) -> Vec<Report> {
        let open = levels.iter().filter(|(path, _)| !self.reports.contains_key(*path));
        let open: Vec<_> = open.collect();
        self.is_news |= !open.is_empty();
        let seen = on_all_cores("checking", &open, |(path, options)| check(path, options));
        for ((path, _), seen) in open.into_iter().zip(seen) {
            for (file, state) in &seen.files {
                self.states.entry(file.clone()).or_insert(*state);
            }
            self.reports.insert(PathBuf::clone(path), seen);
        }
        levels.iter().map(|(path, _)| self.reports[*path].report.clone()).collect()
    }

    /// True if the result for `levels` may differ from the one that was shown last.
    pub(super) fn is_news(&mut self, levels: &[PathBuf]) -> bool {
        let is_news = std::mem::take(&mut self.is_news) || self.shown != levels;
        self.shown = levels.to_vec();
        is_news
    }

    /// Waits until a file changes and all are quiet again, and drops the reports that may not hold any more.
    /// Returns true if there may be other levels, or if they may have other options.
    pub(super) fn wait(&mut self) -> bool {
        let mut now = self.look();
        let mut pause = PAUSE;
        while self.states.values().eq(&now) {
            thread::sleep(pause);
            let began = Instant::now();
            now = self.look();
            // With far more files, the looks take a tenth of one core, not all of it.
            pause = PAUSE.max(10 * began.elapsed());
        }
        for _ in 0..MOST_LOOKS {
            thread::sleep(QUIET);
            let next = self.look();
            if next == now {
                break;
            }
            now = next;
        }
        let mut changed = HashSet::new();
        for ((path, known), state) in self.states.iter_mut().zip(now) {
            if *known != state {
                *known = state;
                changed.insert(path.clone());
            }
        }
        let is_changed = |path: &PathBuf| changed.contains(path);
        if self.shared.iter().any(is_changed) {
            self.reports.clear();
            self.is_news = true;
            return true;
        }
        self.reports.retain(|_, seen| !seen.files.iter().any(|(file, _)| changed.contains(file)));
        self.folders.iter().any(is_changed)
    }

    /// Returns the present states of all files and folders, in the order of `states`.
    fn look(&self) -> Vec<u64> {
        self.states.keys().map(|path| state(path)).collect()
    }
}

/// Checks a level, and keeps the paths of all files that this reads or looks for.
fn check(path: &Path, options: &VerifyOptions) -> Seen {
    let mut files = vec![path.to_owned()];
    files.extend(options.art.clone());
    if PathKind::from_path(path) == Some(PathKind::Picture) {
        files.extend(arts_beside(path));
    }
    let mut files = files.into_iter().map(with_state).collect();
    let disk = Disk::new(path, &options.load);
    let is_world = path.extension().is_some_and(|end| end == "world");
    let report = verify_file_with(path, Recorder { disk, is_world, files: &mut files }, options);
    Seen { report, files }
}

/// The files on the disk. Keeps the paths of those that are read.
struct Recorder<'a> {
    disk: Disk,
    is_world: bool,
    files: &'a mut Vec<(PathBuf, u64)>,
}

impl Files for Recorder<'_> {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        self.files.push(with_state(path.to_owned()));
        self.disk.read(path)
    }

    fn read_start(&mut self, path: &Path, length: usize) -> Result<Vec<u8>, LoadErrorKind> {
        self.files.push(with_state(path.to_owned()));
        self.disk.read_start(path, length)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        // Other levels look only for a project of Tiled, and a new one concerns all levels.
        if self.is_world {
            self.files.push(with_state(folder.to_owned()));
        }
        self.disk.names(folder)
    }

    fn absolute(&self, path: &Path) -> Option<PathBuf> {
        self.disk.absolute(path)
    }
}

fn with_state(path: PathBuf) -> (PathBuf, u64) {
    let state = state(&path);
    (path, state)
}

/// Returns a hash of the state of a file, without reading it. For a folder, that of its names; for a missing
/// file, that of the names beside it, because a finding may say that one of them is meant.
fn state(path: &Path) -> u64 {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => hash_of_names(path),
        // A file that another one replaced has its own time of creation, even if all else is equal.
        Ok(metadata) => hash((metadata.len(), metadata.modified().ok(), metadata.created().ok())),
        Err(_) => hash_of_names(folder_of(path)),
    }
}

/// The hidden names that count: these files decide which levels there are.
const HIDDEN: [&str; 2] = [".git", ".gitignore"];

fn hash_of_names(folder: &Path) -> u64 {
    let mut all = 0;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if !name.as_encoded_bytes().starts_with(b".") || HIDDEN.iter().any(|it| name == *it) {
            // The entries come in any order.
            all ^= hash(&name);
        }
    }
    all
}

/// Returns the files of a folder that concern all levels in it.
fn shared_in(folder: &Path) -> Vec<PathBuf> {
    let mut shared = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if [CONFIG, ".gitignore"].iter().any(|it| name == *it) || is_type_file(Path::new(&name)) {
            shared.push(entry.path());
        }
    }
    shared
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

/// Returns the time of day. The standard library knows no time zones.
fn time_of_day() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let second = since.as_secs() % 86_400;
    format!("{:02}:{:02}:{:02} UTC", second / 3600, second / 60 % 60, second % 60)
}
