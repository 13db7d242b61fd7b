//! The rules for load errors, load warnings, and damage by version control programs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::lint::checked::subject as subject_of;
use crate::lint::rules::levels::is_free_marker;
use crate::lint::rules::maps::tilesets::other_case;
use crate::lint::rules::{on_line, suggested};
use crate::lint::{Check, Finding, LintRule, Need, Subject, picture_files};
use crate::suggest::{Setting, command_line, guess_in_force, suggestions};
use bitwall::analyze::{CellKind, Connectivity, components};
use bitwall::error::{LoadErrorKind, LoadWarning, WarningCause, io_reason};
use bitwall::paths::plain;
use bitwall::text::{counted, path_in_line, printable};
use bitwall::tmx::Map;
use bitwall::{Grid, LoadError};

/// Damage by a version control program in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    /// The file is a Git LFS pointer, because its content was not fetched.
    LfsPointer,
    /// The file has an unresolved merge conflict. Holds the line of its first marker, from 1.
    Conflict(u32),
    /// The file is a PNG whose line ends were converted as if it were text.
    LineEnds,
}

/// The start of a Git LFS pointer. A pointer has at most 1,024 bytes by its specification.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
const POINTER_BYTES: usize = 1_024;

/// The signature of a PNG, `\x89PNG\r\n\x1a\n`, after the usual conversions of line ends.
const TRANSLATED: [&[u8]; 4] =
    [b"\x89PNG\n\x1a\n", b"\x89PNG\r\x1a\r", b"\x89PNG\r\n\x1a\r\n", b"\x89PNG\r\r\n\x1a\r\n"];

/// Detects damage by a version control program in the content of a file. O(bytes).
pub(crate) fn foreign(bytes: &[u8]) -> Option<Foreign> {
    if bytes.len() <= POINTER_BYTES && bytes.starts_with(POINTER) {
        Some(Foreign::LfsPointer)
    } else if TRANSLATED.iter().any(|start| bytes.starts_with(start)) {
        Some(Foreign::LineEnds)
    } else {
        conflict(bytes).map(Foreign::Conflict)
    }
}

/// Returns the line, from 1, of the first marker of a merge conflict, even if the other markers are missing.
/// Ignores a line of `=` in a text of the map's author. O(bytes).
fn conflict(bytes: &[u8]) -> Option<u32> {
    let mut at = 0;
    for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1u32..) {
        let is_end = line.starts_with(b"<<<<<<< ") || line.starts_with(b">>>>>>> ");
        if is_end || line.trim_ascii_end() == b"=======" && !is_in_text(&bytes[..at]) {
            return Some(number);
        }
        at += line.len() + 1;
    }
    None
}

/// True if the text after `before` belongs to the map's author: the last XML tag in `before` is a
/// `<property>` or a `<text>`.
fn is_in_text(before: &[u8]) -> bool {
    let last = before.iter().rposition(|byte| *byte == b'<').map(|at| &before[at..]);
    last.is_some_and(|tag| tag.starts_with(b"<property ") || tag.starts_with(b"<text"))
}

rule! {
    /// # What it finds
    /// A file that cannot be read: it is missing, its permissions forbid it, it is a folder, a pipe or a
    /// device, or its content exceeds a limit that the message names.
    ///
    /// # Why it matters
    /// The game cannot load the level either. No other rule has checked this file.
    ///
    /// # How to fix
    /// Fix the name or the permissions. Make a file that exceeds a limit smaller.
    UNREADABLE_FILE(failure) = "IO001" "unreadable-file" Error fixed
}

rule! {
/// # What it finds
/// A file whose content is neither a Tiled map (.tmx) nor a picture in PNG. The
/// ending of the name does not matter: a JPEG picture that was renamed to .png is reported. Also a mask that
/// ends early, has a wrong checksum, or violates its format in another way; if there is no plainer
/// description, a note quotes the decoder.
///
/// # Why it matters
/// It contains no level. JPEG is refused on purpose: it blurs the edges of walls. The other formats are
/// refused because no level needs them. Some programs still show a damaged picture, with the missing part
/// black: walls that nobody drew.
///
/// # How to fix
/// Save the map from Tiled as .tmx, or export the mask as PNG. If a damaged mask is in git, check that git
/// does not treat it as text.
    UNKNOWN_FORMAT(failure) = "IO002" "unknown-format" Error fixed
}

rule! {
    /// # What it finds
    /// A map, tileset, template or world that is not well-formed XML or JSON, or that has an invalid value,
    /// cell data that cannot be decoded, tilesets with overlapping tile numbers, a one-way property that
    /// names no side, or an orientation that Tiled 1.12 does not write. Tiled writes orthogonal, isometric,
    /// staggered, hexagonal and oblique.
    ///
    /// # Why it matters
    /// Many loaders ignore the broken part, so that a wall becomes a hole. Where the rest of the file can be
    /// read, the other rules judge the map without the broken part.
    ///
    /// # How to fix
    /// Open the map in Tiled, fix the faults that Tiled reports, and save it again.
    UNPARSABLE_MAP(failure) = "TMX101" "unparsable-map" Error fixed on(Map)
}

rule! {
    /// # What it finds
    /// A tile layer with solids, or a chunk of one, that has fewer or more cells than its width times its
    /// height.
    ///
    /// # Why it matters
    /// Many loaders treat missing cells as empty, so the walls at the bottom of the map are gone. If extra
    /// cells are in the middle, all cells after them are shifted. The other rules judge the map as such a
    /// loader reads it.
    ///
    /// # How to fix
    /// Open the map in Tiled and save it again, then repaint the lost cells. If a merge or a script has
    /// changed the cells, restore the layer from an earlier revision.
    WRONG_LAYER_SIZE(failure) = "TMX102" "wrong-layer-size" Error fixed on(Map)
}

rule! {
    /// # What it finds
    /// A cell or an object on a solid layer whose tile is in no tileset of the map: its number is below all
    /// tilesets, or beyond the end of its tileset.
    ///
    /// # Why it matters
    /// Loaders treat the cell as empty, so a wall becomes a hole. In most cases a tileset was made smaller or
    /// removed. The other rules judge the map with these cells empty.
    ///
    /// # How to fix
    /// Restore the tileset that the map was drawn with, or repaint the cells.
    UNKNOWN_TILE(failure) = "TMX105" "unknown-tile" Error fixed on(Map)
}

rule! {
    /// # What it finds
    /// A tileset or template that solids need, or a map of a world, that a level names, but that does not
    /// exist, is outside the root folder, or has an absolute path. Also a world whose patterns match no file
    /// in its folder.
    ///
    /// # Why it matters
    /// Without the tileset no tile has its properties, so nothing is solid. The other rules judge the
    /// level without the file.
    ///
    /// # How to fix
    /// Put the file there, or fix its path in Tiled under Map > Tilesets. On most servers `Tiles.tsx` and
    /// `tiles.tsx` are two files.
    LOST_REFERENCE(failure) = "TMX106" "lost-reference" Error fixed on(Map)
}

rule! {
    /// # What it finds
    /// A map in which no layer, tile or object is marked as solid. Maps of Tiled's automapping are skipped,
    /// because they are not levels: their layers are all named `input...`, `output...` or `regions...`.
    ///
    /// # Why it matters
    /// Every body falls through the floor. In most cases a layer was renamed, or a property was misspelt.
    ///
    /// # How to fix
    /// Name a layer `Collision`, or give the layer or its tiles the bool property `solid`. If the game uses
    /// other names, set them in a `bitwall.toml` or with `--solid-layer`. If the map is meant to have no
    /// walls, use `--allow-nothing-solid`.
    NOTHING_SOLID(failure) = "TMX107" "nothing-solid" Error on(Map)
}

fn rule_of(kind: &LoadErrorKind) -> &'static LintRule {
    match kind {
        LoadErrorKind::UnknownFormat { .. }
        | LoadErrorKind::OtherEditor { .. }
        | LoadErrorKind::Picture { .. } => &UNKNOWN_FORMAT,
        LoadErrorKind::NothingSolid { .. } => &NOTHING_SOLID,
        LoadErrorKind::CellCount { .. } => &WRONG_LAYER_SIZE,
        LoadErrorKind::UnknownTile { .. } => &UNKNOWN_TILE,
        // The map names a file that exists but exceeds a limit.
        LoadErrorKind::Reference { source, .. }
            if matches!(**source, LoadErrorKind::TooLarge { .. }) =>
        {
            &UNREADABLE_FILE
        }
        LoadErrorKind::Reference { .. }
        | LoadErrorKind::OutsideRoot { .. }
        | LoadErrorKind::AbsolutePath
        | LoadErrorKind::EmptyWorld { patterns: 1.. } => &LOST_REFERENCE,
        LoadErrorKind::Io(_)
        | LoadErrorKind::NotAFile
        | LoadErrorKind::TooLarge { .. }
        | LoadErrorKind::NoMemory { .. }
        | LoadErrorKind::MissingFeature { .. }
        | LoadErrorKind::Baked { .. }
        | LoadErrorKind::Config { .. } => &UNREADABLE_FILE,
        _ => &UNPARSABLE_MAP,
    }
}

/// Returns the load error of the file as a finding. `None` if there is no error, or if another rule reports
/// it.
fn failure(check: &Check<'_, '_>) -> Option<()> {
    let error = check.error().filter(|error| rule_of(error.kind()).code == check.rule.code)?;
    // The rule `foreign-bytes` reports files that a version control program has damaged.
    if foreign_file(check).is_some() {
        return None;
    }
    let (headline, note) = headline_and_note(error);
    let mut finding = check
        .finding_in(error.path(), headline)
        .place(error.place().clone())
        .notes(note)
        .help(error.help());
    if error.path() != check.path {
        finding = finding.note(needed_by(check, "needs this file"));
    }
    if let Some(count) = passed_over(check).map(|warning| warning.count)
        && count > 1
    {
        let kind = subject_of(&finding);
        finding = finding.of_many(kind, count).note(format!("{count} times; this is the first"));
    }
    finding = finding.notes(other_faults(check));
    match error.kind() {
        LoadErrorKind::Reference { looked_in, .. } if check.rule.code == LOST_REFERENCE.code => {
            if let Some(path) = check.disk().and_then(|mut disk| other_case(&mut disk, looked_in)) {
                let help = "write its name with the same capital letters as on the disk";
                let note = format!("on the disk it is {}", path_in_line(&path));
                finding = finding.note(note).help(help);
            }
        }
        LoadErrorKind::NothingSolid { .. } => {
            let help = "name a layer `Collision`, or give it or its tiles the bool property `solid`; \
                        leave out what is no level by `exclude` in a bitwall.toml";
            finding = suggested(finding, check.blank, help);
        }
        _ => {}
    }
    check.push(finding);
    Some(())
}

/// Returns the warning of the fault for which a game refuses the level; `None` if it is not refused.
fn passed_over<'a>(subject: &Subject<'a>) -> Option<&'a LoadWarning> {
    let place = subject.refusal?.place();
    let mut warnings = subject.loaded()?.warnings.iter();
    warnings.find(|warning| warning.cause == WarningCause::Fault && warning.place == *place)
}

/// Returns a note with the number of the other faults of a level that is refused; some follow from the error.
fn other_faults(subject: &Subject<'_>) -> Option<String> {
    let of_error = passed_over(subject);
    let warnings = &subject.loaded().filter(|_| subject.refusal.is_some())?.warnings;
    let faults = warnings.iter().filter(|warning| warning.cause == WarningCause::Fault);
    let others = faults.filter(|warning| Some(*warning) != of_error).map(|warning| warning.count);
    let count = others.sum::<u64>();
    (count > 0).then(|| format!("{} may follow from it", counted(count, "further fault")))
}

fn needed_by(subject: &Subject<'_>, what: &str) -> String {
    format!("the map {} {what}", path_in_line(subject.path))
}

/// True for a map of Tiled's automapping: all layers have reserved names, and at least one is named
/// `output...`, or `rule...` as before Tiled 0.9.
pub(crate) fn is_of_automapping(map: &Map) -> bool {
    const RESERVED: [&str; 4] = ["output", "rule", "input", "regions"];
    let names: Vec<String> = map.walk().map(|it| it.layer.name.to_lowercase()).collect();
    let starts_with = |name: &String, words: &[&str]| words.iter().any(|it| name.starts_with(it));
    names.iter().any(|name| starts_with(name, &RESERVED[..2]))
        && names.iter().all(|name| starts_with(name, &RESERVED))
}

/// Returns the path of the file that caused the load error, and its damage by version control. `None` if
/// there is no error or no such damage, or if the rule [`FOREIGN_BYTES`] is off.
fn foreign_file(subject: &Subject<'_>) -> Option<(PathBuf, Foreign)> {
    let error = subject.error()?;
    let rule = rule_of(error.kind());
    let can_be_foreign = [&UNKNOWN_FORMAT, &UNPARSABLE_MAP].iter().any(|it| it.code == rule.code);
    if !can_be_foreign || subject.options.levels.severity_of(&FOREIGN_BYTES).is_none() {
        return None;
    }
    let path = error.path();
    let sign = if path == subject.path {
        foreign(subject.bytes)
    } else {
        foreign(&subject.files().read(path).ok()?)
    };
    Some((path.to_owned(), sign?))
}

fn headline_and_note(error: &LoadError) -> (String, Option<String>) {
    match error.kind() {
        LoadErrorKind::Value { element, attribute, value, expected } => (
            format!("`{}` of <{element}> is `{}`", printable(attribute), printable(value)),
            Some(format!("it should be {expected}")),
        ),
        LoadErrorKind::UnknownTile { gid, reason } => {
            (format!("tile {gid} does not exist"), Some(reason.clone()))
        }
        LoadErrorKind::Reference { what, written, looked_in, source } => {
            let reason = match &**source {
                LoadErrorKind::Io(error) => io_reason(error),
                LoadErrorKind::AbsolutePath => "its path is absolute".to_owned(),
                // The root folder goes into a note, because it differs on each machine.
                LoadErrorKind::OutsideRoot { .. } => "it is outside the root folder".to_owned(),
                other => other.to_string(),
            };
            let looked_in = match &**source {
                LoadErrorKind::OutsideRoot { root } => {
                    format!("the root folder is {}", path_in_line(root))
                }
                _ => format!("looked in {}", path_in_line(&plain(looked_in))),
            };
            (format!("cannot read {what} `{}`: {reason}", printable(written)), Some(looked_in))
        }
        LoadErrorKind::Picture { reason, by_decoder: true } => (
            "the picture is broken: its data breaks the rules of its format".to_owned(),
            Some(format!("the decoder says: {}", printable(reason))),
        ),
        LoadErrorKind::NothingSolid { found, .. } => {
            ("nothing in the map is solid".to_owned(), Some(found.clone()))
        }
        _ => (error.headline(), None),
    }
}

rule! {
    /// # What it finds
    /// A fault of the map's files that cannot change a solid pixel, such as a lost template of scenery, an
    /// unknown tile on a layer that is not solid, or a layer of another size than the map. With the key
    /// `level.lenient`, also a fault that can change one, such as a solid layer with too few cells. Without
    /// the key, a game refuses the map, and the first of these is an error.
    ///
    /// # Why it matters
    /// What cannot be read counts as empty or missing. Other loaders may refuse the map, or read it in
    /// another way. With `level.lenient`, a wall may be lost.
    ///
    /// # How to fix
    /// Open the map in Tiled and save it again, restore the lost files, or repaint the cells.
    PASSED_OVER_FAULT(|check| warnings(check, WarningCause::Fault))
        = "TMX109" "passed-over-fault" Warning on(Map)
}

rule! {
    /// # What it finds
    /// A property that marks solids, with a text value such as `true` or `1` instead of a bool. A map that
    /// does not state the version of its Tiled is skipped: before Tiled 1.0 most properties were texts.
    ///
    /// # Why it matters
    /// bitwall reads the text as a bool. Other programs, and Tiled's own filters, read it as a text.
    ///
    /// # How to fix
    /// Remove the property in Tiled and add it again as a bool.
    TEXT_FLAG(text_flag) = "TMX111" "text-flag" Warning on(Map)
}

fn text_flag(check: &Check<'_, '_>) -> Option<()> {
    const VERSION: &[u8] = b"tiledversion";
    check.bytes.windows(VERSION.len()).find(|part| *part == VERSION)?;
    warnings(check, WarningCause::TextFlag)
}

rule! {
    /// # What it finds
    /// An image layer that is marked as solid by its name, its class, a property, or its group.
    ///
    /// # Why it matters
    /// A picture in a map adds no solid cells, so a wall drawn in it stops nobody.
    ///
    /// # How to fix
    /// Draw its walls as tiles or objects, or load the picture as a separate mask.
    SOLID_PICTURE(|check| warnings(check, WarningCause::SolidPicture))
        = "TMX112" "solid-picture" Warning on(Map)
}

rule! {
    /// # What it finds
    /// A map in which nothing is solid by a clear rule, so that a guess decides: a layer with a word like
    /// those of solid layers, an object layer named for the ground, or LDtk's only IntGrid layer.
    ///
    /// # Why it matters
    /// The guess may be wrong, and a change of a name in the map may change it. The rules about levels
    /// (`LVL`, `NAV`) are not checked until it is decided: from a wrong guess they would draw wrong
    /// conclusions.
    ///
    /// # How to fix
    /// Look at the level with `bitwall render`. If the solids are right, write the line of the finding into
    /// the `bitwall.toml`. If not, name a layer `Collision`, or say there what is solid.
    GUESSED_SOLIDS(guessed_solids) = "TMX128" "guessed-solids" Warning on(Map)
}

fn guessed_solids(check: &Check<'_, '_>) -> Option<()> {
    let loaded = check.loaded()?;
    let guess = loaded.warnings.iter().find(|it| it.cause == WarningCause::LastResort)?;
    let mut finding =
        check.finding(guess.headline.clone()).notes(guess.detail.clone()).help(guess.help.clone());
    let spawns = check.spawns();
    let inside = spawns.iter().filter(|spawn| !is_free_marker(&loaded.level, spawn)).count();
    if inside * 2 > spawns.len() {
        let all = counted(spawns.len() as u64, "spawn");
        finding = finding.note(format!("it looks wrong: {inside} of {all} would be in a solid"));
    } else if let Some(guess) = guess_in_force(loaded) {
        finding = finding.help(format!(
            "if `bitwall render` shows the right solids, say so: {}, or as `layers` under [solid] in a \
             bitwall.toml",
            command_line(&guess.arguments())
        ));
    }
    check.push(finding);
    Some(())
}

rule! {
    /// # What it finds
    /// A mask without art for which nobody has said which pixels are solid, and which looks as if it were
    /// read the wrong way: the solids are a ring along which a body may move, as in the mask of a track, or
    /// the name of the file says `walkable`. A mask with gray or translucent pixels is reported by another
    /// rule.
    ///
    /// # Why it matters
    /// Black and white, or what is drawn and what is clear, may mean either. A wrong reading turns every wall
    /// into a way.
    ///
    /// # How to fix
    /// Look at the mask with `bitwall render`, and say which pixels are solid: `rule` in the section
    /// `[masks]` of a `bitwall.toml`, or `--mask`.
    UNCLEAR_MASK(unclear_mask) = "MSK216" "unclear-mask" Warning on(Mask)
}

fn unclear_mask(check: &Check<'_, '_>) -> Option<()> {
    let (loaded, source) = check.mask()?;
    let grid = loaded.level.grid();
    let is_uniform = [0, grid.cell_count()].contains(&grid.solid_count());
    let has_gray = source.counts.translucent > 0 || !check.gray_causes().is_empty();
    let is_told = check.options.load.mask_rule.is_some() || check.has(Need::Art);
    if is_told || is_uniform || has_gray {
        return None;
    }
    let mut others = suggestions(loaded, check.mask_facts()).into_iter();
    let other = others.find(|it| it.options.iter().any(|it| matches!(it, Setting::Mask(_))))?;
    if source.counts.transparent > 0 || is_ring(grid) {
        let help = "look at it with `bitwall render`, and name the solid pixels: `rule` in the section \
                    [masks] of a bitwall.toml, or --mask";
        let finding = check.finding("which pixels of the mask are solid is not clear");
        let other =
            format!("it may be read with {}: {}", command_line(&other.arguments()), other.why);
        check.push(finding.note(other).help(help));
    }
    Some(())
}

/// True if the solids enclose a twentieth of the mask, as a track does. O(cells).
fn is_ring(grid: &Grid) -> bool {
    let Ok(free) = components(grid, CellKind::Passable, Connectivity::Four) else {
        return false;
    };
    free.parts().iter().filter(|part| part.size * 20 >= grid.cell_count()).count() > 1
}

/// Returns one finding for each load warning of the level that has this `cause`, up to `MOST_FINDINGS`.
/// `None` after a load error.
fn warnings(check: &Check<'_, '_>, cause: WarningCause) -> Option<()> {
    // The error for which a game refuses the map counts its faults.
    if cause == WarningCause::Fault && check.refusal.is_some() {
        return None;
    }
    for warning in check.loaded()?.warnings.iter().filter(|it| it.cause == cause) {
        let world_map = warning.file.as_ref();
        let mut finding = check
            .finding(warning.headline.clone())
            .of_many(warning.headline.clone(), warning.count)
            .place(warning.place.clone())
            .notes(warning.detail.clone())
            .notes(world_map.map(|file| format!("in its map `{}`", printable(file))))
            .help(warning.help.clone());
        if warning.count != 1 {
            finding = finding.note(format!("{} times; this is the first", warning.count));
        }
        check.push(finding);
    }
    Some(())
}

rule! {
    /// # What it finds
    /// A map or mask, a file that the map needs, or a picture that it names, if a version control program has
    /// written or damaged the content. The content is a Git LFS pointer, has the markers of a merge conflict
    /// or a remaining one of them, or is a PNG whose line ends were converted as if it were text.
    ///
    /// # Why it matters
    /// The level cannot be loaded or drawn. Saving the file again, the usual advice, would lose the right
    /// content, which is in the repository or in one of the two versions of the conflict.
    ///
    /// # How to fix
    /// For a pointer, run `git lfs pull`; in CI, let the checkout fetch LFS files. For a conflict, take one
    /// of the two versions as a whole and repeat the other changes in Tiled. For converted line ends, add a
    /// line such as `*.png binary` to `.gitattributes`, and check the file out again or commit it again.
    FOREIGN_BYTES(foreign_bytes) = "IO003" "foreign-bytes" Error
}

/// The number of bytes that are read from the start of a picture, to detect damage by version control. A Git
/// LFS pointer is not longer.
const HEAD: usize = 1_024;

const MOST_PICTURES: usize = 1_024;

fn foreign_bytes(check: &Check<'_, '_>) -> Option<()> {
    if let Some((path, sign)) = foreign_file(check) {
        let note = (path != check.path).then(|| needed_by(check, "needs this file"));
        check.push(foreign_finding(&path, sign).notes(note));
        return None;
    }
    // A map still loads if the conflict markers are between its elements.
    let own = std::str::from_utf8(check.bytes).unwrap_or_default();
    let may_have_conflict = ["=======", ">>>>>>>"].iter().any(|marker| own.contains(marker));
    if let Some(sign) = check.map().filter(|_| may_have_conflict).and_then(|_| foreign(check.bytes))
    {
        check.push(foreign_finding(check.path, sign));
        return None;
    }
    let mut named = BTreeSet::new();
    for placed in check.maps() {
        named.extend(picture_files(&placed.map));
    }
    let mut files = check.files();
    for path in check.first(Vec::from_iter(named), MOST_PICTURES, "pictures") {
        let Ok(head) = files.read_start(path, HEAD) else {
            continue;
        };
        // A picture is not text, so conflict markers are searched only at its start.
        if let Some(sign) = foreign(head.get(..HEAD).unwrap_or(&head)) {
            let finding = foreign_finding(path, sign);
            let note = needed_by(check, "names this picture");
            let name = path_in_line(Path::new(path.file_name().unwrap_or_default()));
            check.add(&finding.headline.clone(), name, || finding.note(note));
        }
    }
    Some(())
}

fn foreign_finding(path: &Path, sign: Foreign) -> Finding {
    let (headline, help) = match sign {
        Foreign::LfsPointer => (
            "the file is a pointer of Git LFS, not its content",
            "run `git lfs pull`; in CI, let the checkout fetch LFS files",
        ),
        Foreign::Conflict(_) => (
            "the file has the markers of a merge conflict",
            "take one of the two versions as a whole, and do the other changes again",
        ),
        Foreign::LineEnds => (
            "the line ends of the picture were translated as if it were text",
            "mark it as binary in .gitattributes (`*.png binary`), and check it out again",
        ),
    };
    let finding = Finding::new(&FOREIGN_BYTES, path, headline).help(help);
    match sign {
        Foreign::Conflict(line) => finding.place(on_line(line)),
        _ => finding,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_by_version_control_is_recognized() {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n";
        assert_eq!(foreign(pointer.as_bytes()), Some(Foreign::LfsPointer));
        for translated in TRANSLATED {
            assert_eq!(foreign(translated), Some(Foreign::LineEnds));
        }
        let conflict = "<map>\n<<<<<<< HEAD\r\n1\r\n=======\r\n2\r\n>>>>>>> other\r\n</map>";
        assert_eq!(foreign(conflict.as_bytes()), Some(Foreign::Conflict(2)));
        let nested = "<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> b\n";
        assert_eq!(foreign(nested.as_bytes()), Some(Foreign::Conflict(1)));
        for lone in ["<map>\n<<<<<<< HEAD\n", "<map>\n=======\r\n1", "<map>\n>>>>>>> x"] {
            assert_eq!(foreign(lone.as_bytes()), Some(Foreign::Conflict(2)), "{lone}");
        }
    }

    #[test]
    fn files_without_conflicts_or_pointers_count_as_undamaged() {
        let long =
            format!("{}{}", "version https://git-lfs.github.com/spec/v1\n", " ".repeat(2_000));
        let cases: [&[u8]; 7] = [
            b"",
            b"\x89PNG\r\n\x1a\n",
            b"<map/>",
            b"<<<<<<<\n======== \n >>>>>>> x\n",
            b"<property name=\"a\">Title\n=======\n</property>",
            b"<text wrap=\"1\">Title\n=======\r\n</text>",
            long.as_bytes(),
        ];
        for bytes in cases {
            assert_eq!(foreign(bytes), None, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
