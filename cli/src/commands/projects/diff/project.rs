//! `bitwall diff` for all levels of a project. It compares two commits, a commit and the working tree, or two
//! folders.
//!
//! A level is compared if its own file, a file that it names, a `bitwall.toml` or a Tiled project above it
//! differs. The maps
//! of a world are compared as levels of their own, so a world is compared only if its own file differs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};

use crate::commands::output::Progress;
use crate::commands::projects::diff::{
    DiffArgs, DiffFormat, Difference, LevelSide, Patch, ROOM, ambiguous, code, compared, document,
    draw_patches, lines, scene, text_lines, verdict,
};
use crate::commands::projects::{
    Changes, Commit, Config, FoundFiles, MAX_FILES, PathKind, Snapshot, identity,
};
use crate::commands::{Failure, LoadArgs};
use crate::git::Git;
use crate::lint::VerifyConfig;
use crate::lint::output::{CHANGES, Page, inert, name_of, pretty_json, prose, uri};
use bitwall::LoadOptions;
use bitwall::glam::UVec2;
use bitwall::load::{CONFIG, ReferenceKind, TILED_PROJECT};
use bitwall::text::{counted, path_in_line, printable_path, px};

/// The largest number of patches (groups of changed pixels) of one level that get pictures.
const MAX_PATCHES: usize = 3;

/// The largest number of levels that get pictures.
const MAX_DRAWN: usize = 50;

/// For each side, and each folder in it, the configuration that says which pictures are masks.
type KnownMasks = HashMap<(usize, PathBuf), Option<Config>>;

pub(super) struct Project<'a> {
    args: &'a DiffArgs,
    changes: Changes,
    names: [String; 2],
    /// The root folder from which levels may be read, before and after; `None` to find a root for each level.
    roots: [Option<PathBuf>; 2],
}

/// Returns the commit that an argument names; `None` for the path of a file or folder, and for `-`.
///
/// Fails if the argument names both, as git does: a branch may add a folder with the name of a revision. An
/// error of git matters only for an argument that `is_alone`: otherwise the levels are reported as missing.
fn named_commit(git: &Git, argument: &Path, is_alone: bool) -> Result<Option<String>, Failure> {
    let name = argument.to_string_lossy();
    if name.starts_with('-') {
        return Ok(None);
    }
    let found = git.commit(&name);
    if argument.exists() {
        return match found {
            Ok(Some(_)) => Err(ambiguous(argument, &format!("{}^0", printable_path(argument)))),
            _ => Ok(None),
        };
    }
    match found {
        Err(error) if is_alone => Err(error.into()),
        found => Ok(found.unwrap_or_default()),
    }
}

impl<'a> Project<'a> {
    /// Returns the project that the arguments name; `None` if they name single levels.
    pub(super) fn new(args: &'a DiffArgs) -> Result<Option<Self>, Failure> {
        let before = &args.before;
        let after = args.after.as_deref();
        let here = Git::new(PathBuf::from("."));
        let base = named_commit(&here, before, after.is_none())?;
        if args.merge_base && base.is_none() {
            return Err("--merge-base needs a revision as BEFORE".into());
        }
        let other = match after {
            Some(after) => named_commit(&here, after, false)?,
            None => None,
        };
        if let Some(after) = after.filter(|after| before.is_dir() && after.is_dir()) {
            return Self::of_folders(args, before, after).map(Some);
        }
        let Some(base) = base else {
            if before.is_dir() || after.is_some_and(Path::is_dir) {
                let reason = "a folder is compared with another folder; after a revision, with \
                              the working tree";
                return Err(reason.into());
            }
            return Ok(None);
        };
        match after {
            Some(path) if other.is_none() && !path.is_dir() => {
                let reason = "a revision is compared with another one, or with a folder";
                Err(Failure::at(path, reason))
            }
            _ => Self::of_commits(args, &here, base, other).map(Some),
        }
    }

    /// Returns the project at the commit `base`, and at the commit `other` or in the working tree.
    fn of_commits(
        args: &'a DiffArgs,
        here: &Git,
        mut base: String,
        other: Option<String>,
    ) -> Result<Self, Failure> {
        let (top, prefix) = here.place()?;
        let mut name = printable_path(&args.before);
        if args.merge_base {
            let reason = "it has no commit in common with this branch; if the clone is shallow, run \
                          `git fetch --unshallow`";
            let common = here.merge_base(&base)?;
            base = common.ok_or_else(|| Failure::at(&args.before, reason))?;
            name = format!("merge base with {name}");
        }
        let index = Git::new(top.clone()).changed_since(&base, other.as_deref())?;
        let before = Commit::open(top.clone(), &base)?;
        if let Some(other) = other {
            let after = Commit::open(top, &other)?;
            let files = [before.paths.clone(), after.paths.clone()];
            let states = [Snapshot::Commit(before), Snapshot::Commit(after)];
            let changes = Changes::new(states, files, None, index.renamed);
            let after = printable_path(args.after.as_deref().unwrap_or(Path::new("")));
            return Ok(Self { args, changes, names: [name, after], roots: [None, None] });
        }
        if !here.has_work_tree()? {
            return Err("a bare repository has no working tree; give two revisions".into());
        }
        let root = prefix.components().map(|_| "..").collect();
        let mut changes = Changes::in_tree(before, root, index);
        if let Some(folder) = args.after.as_deref() {
            let folder = identity(folder);
            let below = folder.strip_prefix(identity(&top)).map_err(|_| {
                Failure::at(&folder, "this folder is not in the repository of the revision")
            })?;
            changes.files.iter_mut().for_each(|files| files.retain(|it| it.starts_with(below)));
        }
        let names = [name, "working tree".to_owned()];
        Ok(Self { args, changes, names, roots: [None, None] })
    }

    fn of_folders(args: &'a DiffArgs, before: &Path, after: &Path) -> Result<Self, Failure> {
        let folders = [before, after];
        let mut files = [BTreeSet::new(), BTreeSet::new()];
        for (files, folder) in files.iter_mut().zip(folders) {
            let mut found = FoundFiles::new(MAX_FILES);
            found.walk(folder, &[], |_| Ok(false))?;
            // [`FoundFiles::walk`] returns paths without a `./` at the start.
            let folder = folder.strip_prefix("./").unwrap_or(folder);
            for path in found.files {
                files.insert(path.strip_prefix(folder).map(Path::to_owned).unwrap_or(path));
            }
        }
        let states = folders.map(|folder| Snapshot::Disk(folder.to_owned()));
        let changes = Changes::new(states, files, None, BTreeMap::new());
        let names = folders.map(printable_path);
        let roots = folders.map(|folder| (!has_root(folder)).then(|| folder.to_owned()));
        Ok(Self { args, changes, names, roots })
    }

    fn load(&self, state: usize) -> LoadArgs {
        let mut load = self.args.load.clone();
        load.root = load.root.or_else(|| self.roots[state].clone());
        load
    }

    /// Returns the report in the format that the arguments ask for, and true if all levels are equal. Writes
    /// the pictures of `--pictures`.
    pub(super) fn report(self) -> Result<(String, bool), Failure> {
        let mut levels = Vec::new();
        let mut tilesets = BTreeMap::<PathBuf, Vec<PathBuf>>::new();
        let mut unchanged = 0;
        let mut equal = 0;
        let mut all = self.levels();
        if let (Some(folder), Snapshot::Disk(root)) = (&self.args.pictures, &self.changes.states[1])
        {
            // Skips new pictures, which an earlier run has written. An empty root is the current folder.
            let folder = identity(folder);
            let root = identity(&root.join("."));
            all.retain(|[then, now]| {
                let now = now.as_ref().filter(|_| then.is_none());
                now.is_none_or(|now| !root.join(now).starts_with(&folder))
            });
        }
        let bar = Progress::new("comparing", all.len() as u64);
        for (done, [then, now]) in (1..).zip(all) {
            bar.show(done);
            let place = now.as_deref().or(then.as_deref());
            let folder = self.args.pictures.as_ref().map(|folder| inside(folder, place));
            let folder = folder.transpose()?;
            let draw = (self.args.draws() && levels.len() < MAX_DRAWN).then_some(folder.as_deref());
            let report = match [&then, &now] {
                [Some(then), Some(now)] => {
                    let changed @ (is_own, sets) = &self.changes_of(then, now);
                    if !is_own && sets.is_empty() {
                        unchanged += 1;
                        continue;
                    }
                    self.pair([then, now], changed, &mut tilesets, draw)?
                }
                [Some(path), None] => Some(self.single(0, path, draw)?),
                [None, Some(path)] => Some(self.single(1, path, draw)?),
                [None, None] => None,
            };
            equal += usize::from(report.is_none());
            levels.extend(report);
        }
        let report = ProjectReport { names: self.names, levels, tilesets, equal, unchanged };
        let text = match self.args.format {
            DiffFormat::Text => report.lines(),
            DiffFormat::Json => pretty_json(&report.document()),
            DiffFormat::Markdown => report.markdown(),
            DiffFormat::Html => report.html(),
        };
        Ok((text, report.levels.is_empty()))
    }

    /// Returns the path of each level before and after, sorted by the path after. A new or removed level has
    /// only one of the two.
    fn levels(&self) -> Vec<[Option<PathBuf>; 2]> {
        let mut masks = HashMap::new();
        let [before, after] = &self.changes.files;
        let mut levels = Vec::new();
        let mut known = BTreeSet::new();
        for path in after {
            if self.is_level(path, 1, &mut masks) {
                let then = before.get(self.changes.then(path)).cloned();
                known.extend(then.clone());
                levels.push([then, Some(path.clone())]);
            }
        }
        for path in before {
            if !known.contains(path) && self.is_level(path, 0, &mut masks) {
                levels.push([Some(path.clone()), None]);
            }
        }
        levels
    }

    fn is_level(&self, path: &Path, side: usize, masks: &mut KnownMasks) -> bool {
        let state = &self.changes.states[side];
        match PathKind::of_level(path, || state.level_file(path)) {
            Some(PathKind::Map) => true,
            // Before or after, so that a change of the configuration hides no mask.
            Some(PathKind::Picture) => (0..2).any(|side| self.is_mask(path, side, masks)),
            _ => false,
        }
    }

    /// True if the nearest `bitwall.toml` says that the picture is a mask. If it is broken, the default names
    /// of masks count.
    fn is_mask(&self, path: &Path, side: usize, masks: &mut KnownMasks) -> bool {
        let state = &self.changes.states[side];
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let config = masks.entry((side, folder)).or_insert_with(|| {
            let default = (state.place(Path::new(CONFIG)), Vec::new());
            let (config, bytes) = state.config(path).unwrap_or(default);
            let verify = VerifyConfig::decode(&config, &bytes).unwrap_or_default();
            Config::new((verify, LoadOptions::default()), &config, None).ok()
        });
        config.as_ref().is_some_and(|config| config.is_mask(&state.place(path)))
    }

    /// Returns true if a file has changed on which a level depends, other than a tileset: its own, a template
    /// that it uses, or a `bitwall.toml` or a Tiled project above it; and the changed tilesets. `then` is its
    /// path before, `now` its path after.
    fn changes_of(&self, then: &Path, now: &Path) -> (bool, Vec<PathBuf>) {
        let configs = now.ancestors().skip(1).map(|folder| folder.join(CONFIG)).collect();
        let changed = self.changes.changed_files(now, configs, true);
        let (tilesets, others): (Vec<_>, Vec<_>) =
            changed.into_iter().partition(|file| file.kind == ReferenceKind::Tileset);
        // A moved level counts as changed, because its relative paths may lead to other files.
        let is_own = then != now || !others.is_empty();
        (is_own, tilesets.into_iter().map(|file| file.path).collect())
    }

    /// Returns the report on a level that exists before and after; `None` if both are equal. `tilesets` maps
    /// each changed tileset to the levels that use it and differ; adds this level to it.
    fn pair(
        &self,
        [then, now]: [&Path; 2],
        (is_own, changed): &(bool, Vec<PathBuf>),
        tilesets: &mut BTreeMap<PathBuf, Vec<PathBuf>>,
        draw: Option<Option<&Path>>,
    ) -> Result<Option<LevelReport>, Failure> {
        let states = &self.changes.states;
        let sides = [LevelSide::at(then, &states[0]), LevelSide::at(now, &states[1])];
        let mut report = LevelReport::new(now, Change::Failed(String::new()));
        report.was = (then != now).then(|| then.to_owned());
        let load = [&self.load(0), &self.load(1)];
        let (levels, difference, refusals) = match compared(&sides, load, &self.args.body) {
            Ok(found) => found,
            Err(failure) => {
                report.change = Change::Failed(failure.to_string());
                return Ok(Some(report));
            }
        };
        // A fault that came or went is told, also if no solid of the rest has changed.
        if difference.is_empty() && refusals[0] == refusals[1] {
            return Ok(None);
        }
        report.refusals = refusals;
        for tileset in changed {
            tilesets.entry(tileset.clone()).or_default().push(now.to_owned());
        }
        if let Some(folder) = draw {
            // If only a tileset changed, one picture is enough to show its effect on the level.
            let most = if *is_own { MAX_PATCHES } else { 1 };
            report.pictures = draw_patches(folder, &sides, &levels, &difference, most)?;
        }
        report.change = Change::Differs(Box::new(difference));
        report.by_tileset = !is_own;
        Ok(Some(report))
    }

    /// Returns the report on a level that exists only before or only after.
    fn single(
        &self,
        state: usize,
        path: &Path,
        draw: Option<Option<&Path>>,
    ) -> Result<LevelReport, Failure> {
        let side = LevelSide::at(path, &self.changes.states[state]);
        let mut pictures = Vec::new();
        let mut refusals = [None, None];
        let change = match side.load(&self.load(state)) {
            Ok((loaded, refusal)) => {
                refusals[state] = refusal.map(|it| it.to_string());
                if let Some(folder) = draw {
                    let scene = scene(&side, &loaded);
                    let mut images = [None, None, None];
                    images[state] = scene.crop(scene.whole(), ROOM, &[]).ok();
                    let words = "the whole level".to_owned();
                    pictures.push(Patch::new(words, images, folder, "whole")?);
                }
                let size = loaded.level.size();
                let solid_cells = loaded.level.grid().solid_count();
                Change::Single { is_new: state == 1, size, solid_cells }
            }
            Err(failure) => Change::Failed(failure.to_string()),
        };
        Ok(LevelReport { pictures, refusals, ..LevelReport::new(path, change) })
    }
}

/// Returns the page on two levels.
pub(super) fn page_of(names: [&Path; 2], difference: Difference, pictures: Vec<Patch>) -> String {
    let is_empty = difference.is_empty();
    let change = Change::Differs(Box::new(difference));
    let level = LevelReport { pictures, ..LevelReport::new(names[1], change) };
    let levels = if is_empty { Vec::new() } else { vec![level] };
    let unchanged = usize::from(is_empty);
    let (names, tilesets) = (names.map(path_in_line), BTreeMap::new());
    ProjectReport { names, levels, tilesets, equal: 0, unchanged }.html()
}

/// True if `folder` or a folder above it contains a `.git`, a `bitwall.toml` or a Tiled project file.
fn has_root(folder: &Path) -> bool {
    let real = identity(folder);
    let entries = real.ancestors().filter_map(|above| std::fs::read_dir(above).ok()).flatten();
    entries.filter_map(Result::ok).any(|entry| {
        let name = PathBuf::from(entry.file_name());
        let is_project = name.extension().is_some_and(|ending| ending == TILED_PROJECT);
        is_project || name == Path::new(".git") || name == Path::new(CONFIG)
    })
}

/// Returns the folder inside `folder` for the pictures of a level. Fails if a part of the path is a link.
///
/// Drops `..` and absolute parts, because a hostile commit may contain paths that leave the folder, and
/// links.
fn inside(folder: &Path, level: Option<&Path>) -> Result<PathBuf, Failure> {
    let mut place = folder.to_owned();
    for name in level.into_iter().flat_map(Path::components) {
        if !matches!(name, Component::Normal(_)) {
            continue;
        }
        place.push(name);
        if place.is_symlink() {
            return Err(Failure::at(&place, "no pictures are written through a link"));
        }
    }
    Ok(place)
}

struct ProjectReport {
    names: [String; 2],
    /// The levels that differ, and the levels that cannot be compared.
    levels: Vec<LevelReport>,
    /// The changed tilesets, each with the levels that use it and differ.
    tilesets: BTreeMap<PathBuf, Vec<PathBuf>>,
    /// The number of equal levels that use a changed file.
    equal: usize,
    /// The number of levels that use no changed file.
    unchanged: usize,
}

struct LevelReport {
    path: PathBuf,
    /// The earlier path of a renamed level; `None` if it was not renamed.
    was: Option<PathBuf>,
    change: Change,
    pictures: Vec<Patch>,
    /// True if only tilesets of the level have changed, not its own files.
    by_tileset: bool,
    /// The errors for which a game refuses the level, before and after: it is compared without what is at
    /// fault.
    refusals: [Option<String>; 2],
}

enum Change {
    Differs(Box<Difference>),
    /// The level is new, or was removed.
    Single {
        is_new: bool,
        size: UVec2,
        solid_cells: u64,
    },
    /// The level cannot be compared. Holds the reason as text.
    Failed(String),
}

impl LevelReport {
    fn new(path: &Path, change: Change) -> Self {
        let (path, refusals) = (path.to_owned(), [None, None]);
        Self { path, was: None, change, pictures: Vec::new(), by_tileset: false, refusals }
    }

    fn verdict(&self) -> String {
        let mut change = match &self.change {
            Change::Differs(difference) => verdict(difference),
            Change::Single { is_new, size, solid_cells } => {
                let word = if *is_new { "new" } else { "gone" };
                format!("is {word}: {}, {}", px(*size), counted(*solid_cells, "solid cell"))
            }
            Change::Failed(reason) => format!("cannot be compared: {reason}"),
        };
        for (refusal, when) in self.refusals.iter().zip(["before", "after"]) {
            if let Some(refusal) = refusal {
                change += &format!("; compared without a part {when}: {refusal}");
            }
        }
        match &self.was {
            Some(was) => format!("was {}; {change}", path_in_line(was)),
            None => change,
        }
    }

    fn document(&self) -> Value {
        let mut difference = None;
        let change = match &self.change {
            Change::Differs(found) => {
                let before = self.was.as_ref().unwrap_or(&self.path);
                difference = Some(document([before, &self.path], found));
                "differs"
            }
            Change::Single { is_new: true, .. } => "new",
            Change::Single { is_new: false, .. } => "gone",
            Change::Failed(_) => "failed",
        };
        let pictures = self.pictures.iter().flat_map(|patch| &patch.paths).flatten();
        json!({
            "path": self.path.to_string_lossy(),
            "was": self.was.as_ref().map(|path| path.to_string_lossy()),
            "change": change,
            "verdict": self.verdict(),
            "only_tilesets_changed": self.by_tileset,
            "difference": difference,
            "pictures": pictures.map(|path| path.to_string_lossy()).collect::<Value>(),
        })
    }
}

impl ProjectReport {
    fn verdict(&self) -> String {
        let mut counts = [0; 4];
        for level in &self.levels {
            counts[match level.change {
                Change::Differs(_) => 0,
                Change::Single { is_new: true, .. } => 1,
                Change::Single { is_new: false, .. } => 2,
                Change::Failed(_) => 3,
            }] += 1;
        }
        let [differ, new, gone, failed] = counts;
        let parts = [
            (differ, "differ"),
            (new, "new"),
            (gone, "gone"),
            (failed, "cannot be compared"),
            (self.equal, "changed without a difference"),
            (self.unchanged, "unchanged"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = parts.map(|(count, word)| format!("{count} {word}")).collect();
        if words.is_empty() {
            "there are no levels".to_owned()
        } else {
            format!("levels: {}", words.join(", "))
        }
    }

    fn lines(&self) -> String {
        let [before, after] = &self.names;
        let mut text = format!("{before} -> {after}: {}\n", self.verdict());
        for (tileset, levels) in &self.tilesets {
            let count = counted(levels.len() as u64, "level");
            text += &format!("{}: has changed, in {count} that differ\n", printable_path(tileset));
            for level in levels {
                text.push_str(&format!("  {}\n", printable_path(level)));
            }
        }
        for level in &self.levels {
            text.push_str(&format!("{}: {}\n", printable_path(&level.path), level.verdict()));
            if let Change::Differs(difference) = &level.change
                && !level.by_tileset
            {
                text += &text_lines(difference);
            }
        }
        text
    }

    fn markdown(&self) -> String {
        let [before, after] = self.names.each_ref().map(|name| code(Path::new(name)));
        let verdict = inert(&self.verdict());
        let mut text = format!("## {before} → {after}\n\n**{verdict}**\n");
        if !self.levels.is_empty() {
            text.push_str("\n| level | change |\n|---|---|\n");
        }
        for level in &self.levels {
            text.push_str(&format!("| {} | {} |\n", code(&level.path), inert(&level.verdict())));
        }
        if !self.tilesets.is_empty() {
            text.push_str("\n| changed tileset | levels with it that differ |\n|---|---|\n");
        }
        for (tileset, levels) in &self.tilesets {
            let levels: Vec<String> = levels.iter().map(|level| code(level)).collect();
            text.push_str(&format!("| {} | {} |\n", code(tileset), levels.join(", ")));
        }
        for level in &self.levels {
            // For a level that only a tileset changed, the table of tilesets is enough.
            let table = match &level.change {
                Change::Differs(difference) if !level.by_tileset => super::table(difference),
                _ => String::new(),
            };
            if table.is_empty() && level.pictures.is_empty() {
                continue;
            }
            text.push_str(&format!("\n### {}\n{table}", code(&level.path)));
            if !level.pictures.is_empty() {
                text.push_str("\n| before | after | change |\n|---|---|---|\n");
            }
            for pictures in &level.pictures {
                let cells = pictures.paths.each_ref().map(|picture| {
                    picture.as_ref().map_or(String::new(), |path| format!("![]({})", uri(path)))
                });
                text.push_str(&format!("| {} |\n", cells.join(" | ")));
            }
        }
        text
    }

    /// Returns the report as a page: a summary, and each level with its changes and their pictures.
    fn html(&self) -> String {
        let result = format!("{} → {}: {}", self.names[0], self.names[1], self.verdict());
        let mut page = Page::new("bitwall diff", &result);
        let mut rows = Vec::new();
        for (number, level) in self.levels.iter().enumerate() {
            let (name, verdict) = (name_of(&level.path), prose(&level.verdict()));
            rows.push(format!("<td><a href=\"#l{number}\">{name}</a><td>{verdict}"));
        }
        page.table("<th>level<th>change", &rows);
        rows.clear();
        for (tileset, levels) in &self.tilesets {
            let levels: Vec<String> = levels.iter().map(|level| name_of(level)).collect();
            rows.push(format!("<td>{}<td>{}", name_of(tileset), levels.join(" ")));
        }
        page.table("<th>changed tileset<th>levels with it that differ", &rows);
        page.line(CHANGES);
        for (number, level) in self.levels.iter().enumerate() {
            page.line(&format!("<h2 id=\"l{number}\">{}</h2>", name_of(&level.path)));
            if let Change::Differs(difference) = &level.change {
                let lines = lines(difference).into_iter();
                let rows =
                    lines.map(|(name, rest)| format!("<td>{}<td>{}", prose(&name), prose(&rest)));
                page.table("<th><th>change", &rows.collect::<Vec<_>>());
                let drawn = level.pictures.len();
                page.left_out += difference.pixels.patches.len() - drawn;
            }
            for Patch { words, pictures: [before, after, change], .. } in &level.pictures {
                page.line(&format!("<div class=\"patch\">\n<h4>{}</h4>", prose(words)));
                page.line("<div class=\"pair\">");
                before.iter().chain(after).for_each(|picture| page.figure(picture));
                page.line("</div>");
                change.iter().for_each(|picture| page.figure(picture));
                page.line("</div>");
            }
        }
        page.end("--pictures FOLDER")
    }

    /// Builds the report as JSON. Its `version` grows when a member is removed or changes its meaning.
    fn document(&self) -> Value {
        let tilesets = self.tilesets.iter().map(|(path, levels)| {
            let levels = levels.iter().map(|level| level.to_string_lossy());
            json!({"path": path.to_string_lossy(), "levels": levels.collect::<Value>()})
        });
        json!({
            "version": 1,
            "before": self.names[0],
            "after": self.names[1],
            "differs": !self.levels.is_empty(),
            "verdict": self.verdict(),
            "equal": self.equal,
            "unchanged": self.unchanged,
            "levels": self.levels.iter().map(LevelReport::document).collect::<Value>(),
            "tilesets": tilesets.collect::<Value>(),
        })
    }
}
