//! The report of `bitwall diff` on all levels of a project, as text, JSON or Markdown.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::pictures::PatchPictures;
use super::{Compared, DiffFormat, code, document, lines, verdict};
use crate::lint::output::{inert, pretty_json, uri};
use bitwall::analyze::LevelDifference;
use bitwall::glam::UVec2;
use bitwall::text::{counted, path_in_line, printable_path, px};

pub(super) struct ProjectReport {
    pub(super) names: [String; 2],
    /// The levels that differ, and the levels that cannot be compared.
    pub(super) levels: Vec<LevelReport>,
    /// The changed tilesets that change the walls of at least one level.
    pub(super) tilesets: Vec<TilesetReport>,
    /// The number of equal levels that use a changed file.
    pub(super) equal: usize,
    /// The number of levels that use no changed file.
    pub(super) unchanged: usize,
}

pub(super) struct TilesetReport {
    pub(super) path: PathBuf,
    pub(super) levels: Vec<PathBuf>,
}

pub(super) struct LevelReport {
    pub(super) path: PathBuf,
    /// The earlier path of a renamed level; `None` if it was not renamed.
    pub(super) was: Option<PathBuf>,
    pub(super) change: Change,
    pub(super) pictures: Vec<PatchPictures>,
    /// True if only tilesets of the level have changed, not its own files.
    pub(super) by_tileset: bool,
}

pub(super) enum Change {
    Differs(Box<LevelDifference>),
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
    fn verdict(&self) -> String {
        let change = match &self.change {
            Change::Differs(difference) => verdict(difference),
            Change::Single { is_new, size, solid_cells } => {
                let word = if *is_new { "new" } else { "gone" };
                format!("is {word}: {}, {}", px(*size), counted(*solid_cells, "solid cell"))
            }
            Change::Failed(reason) => format!("cannot be compared: {reason}"),
        };
        match &self.was {
            Some(was) => format!("was {}; {change}", path_in_line(was)),
            None => change,
        }
    }

    fn compared(&self) -> Option<Compared<'_>> {
        match &self.change {
            Change::Differs(difference) => {
                let before = self.was.as_ref().unwrap_or(&self.path);
                Some(Compared { names: [before, &self.path], difference })
            }
            _ => None,
        }
    }

    fn document(&self) -> Value {
        let change = match &self.change {
            Change::Differs(_) => "differs",
            Change::Single { is_new: true, .. } => "new",
            Change::Single { is_new: false, .. } => "gone",
            Change::Failed(_) => "failed",
        };
        let pictures = self.pictures.iter().flatten().flatten();
        json!({
            "path": self.path.to_string_lossy(),
            "was": self.was.as_ref().map(|path| path.to_string_lossy()),
            "change": change,
            "verdict": self.verdict(),
            "only_tilesets_changed": self.by_tileset,
            "difference": self.compared().as_ref().map(document),
            "pictures": pictures.map(|path| path.to_string_lossy()).collect::<Value>(),
        })
    }
}

impl ProjectReport {
    pub(super) fn text(&self, format: DiffFormat) -> String {
        match format {
            DiffFormat::Text => self.lines(),
            DiffFormat::Json => pretty_json(&self.document()),
            DiffFormat::Markdown => self.markdown(),
        }
    }

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
        for tileset in &self.tilesets {
            let levels = counted(tileset.levels.len() as u64, "level");
            text.push_str(&format!(
                "{}: changes the walls of {levels}\n",
                printable_path(&tileset.path)
            ));
            for level in &tileset.levels {
                text.push_str(&format!("  {}\n", printable_path(level)));
            }
        }
        for level in &self.levels {
            text.push_str(&format!("{}: {}\n", printable_path(&level.path), level.verdict()));
            for (subject, rest) in
                level.compared().iter().filter(|_| !level.by_tileset).flat_map(lines)
            {
                text.push_str(&format!("  {subject:<16} {rest}\n"));
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
            text.push_str("\n| changed tileset | levels whose walls it changes |\n|---|---|\n");
        }
        for tileset in &self.tilesets {
            let levels: Vec<String> = tileset.levels.iter().map(|level| code(level)).collect();
            text.push_str(&format!("| {} | {} |\n", code(&tileset.path), levels.join(", ")));
        }
        for level in &self.levels {
            // For a level that only a tileset changed, the table of tilesets is enough.
            let table = level.compared().filter(|_| !level.by_tileset);
            let table = table.as_ref().map(super::table).unwrap_or_default();
            if table.is_empty() && level.pictures.is_empty() {
                continue;
            }
            text.push_str(&format!("\n### {}\n{table}", code(&level.path)));
            if !level.pictures.is_empty() {
                text.push_str("\n| before | after | change |\n|---|---|---|\n");
            }
            for pictures in &level.pictures {
                let cells = pictures.each_ref().map(|picture| {
                    picture.as_ref().map_or(String::new(), |path| format!("![]({})", uri(path)))
                });
                text.push_str(&format!("| {} |\n", cells.join(" | ")));
            }
        }
        text
    }

    /// Builds the report as JSON. Its `version` grows when a member is removed or changes its meaning.
    fn document(&self) -> Value {
        let tilesets = self.tilesets.iter().map(|tileset| {
            let levels = tileset.levels.iter().map(|level| level.to_string_lossy());
            json!({"path": tileset.path.to_string_lossy(), "levels": levels.collect::<Value>()})
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
