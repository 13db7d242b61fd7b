//! The rules for the paths and pictures of a map. They decode no picture.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::lint::rules::{in_tileset, on_line};
use crate::lint::{Check, Subject, picture_files};
use bitwall::LoadError;
use bitwall::error::LoadErrorKind;
use bitwall::glam::UVec2;
use bitwall::load::{Disk, Files};
use bitwall::paths::plain;
use bitwall::text::{path_in_line, printable, px};
use bitwall::tmx::{Image, LayerContent, Map, Object, Tileset};

struct WrittenPath<'m> {
    written: &'m str,
    /// The path `written`, joined to the folder of the file that contains it; `None` for a path to a
    /// template.
    target: Option<&'m Path>,
    /// The file that contains the path; `None` for the map's own file.
    file: Option<&'m Path>,
    line: u32,
}

/// Returns the paths written in a map and its tilesets, in document order. O(layers + objects + tiles).
fn written_paths(map: &Map) -> Vec<WrittenPath<'_>> {
    let mut all = Vec::new();
    for set in &map.tilesets {
        let file = set.file.as_deref();
        all.push(WrittenPath { written: &set.source, target: file, file: None, line: set.line });
        all.extend(set.image.as_ref().map(|image| picture(image, file)));
        for tile in set.tiles.values() {
            all.extend(tile.image.as_ref().map(|image| picture(image, file)));
            all.extend(tile.shapes.iter().filter_map(|shape| template(shape, file)));
        }
    }
    for context in map.walk() {
        match &context.layer.content {
            LayerContent::Objects(objects) => {
                all.extend(objects.objects.iter().filter_map(|object| template(object, None)));
            }
            LayerContent::Image(layer) => {
                all.extend(layer.image.as_ref().map(|image| picture(image, None)));
            }
            LayerContent::Tiles(_) | LayerContent::Group(_) => {}
        }
    }
    all.retain(|path| !path.written.is_empty());
    all
}

fn picture<'m>(image: &'m Image, file: Option<&'m Path>) -> WrittenPath<'m> {
    WrittenPath { written: &image.source, target: Some(&image.path), file, line: image.line }
}

fn template<'m>(object: &'m Object, file: Option<&'m Path>) -> Option<WrittenPath<'m>> {
    let written = object.template.as_deref()?;
    Some(WrittenPath { written, target: None, file, line: object.line })
}

rule! {
    /// # What it finds
    /// A picture that a map or one of its tilesets names, but that does not exist or is outside the root
    /// folder. A path that is not portable is reported by `unportable-path` instead. A map in a `.json` is
    /// not reported if none of its pictures and none of their folders exist: it was exported, and its game
    /// names the pictures itself.
    ///
    /// # Why it matters
    /// The level loads without its pictures, but the game cannot draw it.
    ///
    /// # How to fix
    /// Put the picture there, or fix its path in the tileset or layer.
    MISSING_PICTURE(missing_picture) = "TMX110" "missing-picture" Warning on(Map)
}

fn missing_picture(check: &Check<'_, '_>) -> Option<()> {
    if are_kept_elsewhere(check) {
        return None;
    }
    let elsewhere = reported(check);
    let folder = check.path.parent().unwrap_or(Path::new(""));
    for path in check.missing_pictures() {
        if elsewhere.contains(path.as_path()) {
            continue;
        }
        // Named relative to the map, so that a baseline is the same on every machine.
        let below = path.strip_prefix(folder).ok().or(path.file_name().map(Path::new));
        let name = printable(&below.unwrap_or(path).to_string_lossy()).to_string();
        check.add("", name, || {
            check
                .finding("a picture that the map names is not there")
                .note(format!("looked for {}", path_in_line(&plain(path))))
                .help("put it there, or fix its path in the tileset or layer")
        });
    }
    Some(())
}

/// True for an exported map if none of its pictures and none of their folders are on the disk.
fn are_kept_elsewhere(check: &Check<'_, '_>) -> bool {
    let missing = check.missing_pictures();
    let count = check.map().map_or(0, |map| picture_files(map).len());
    let is_exported = check.path.extension().is_some_and(|end| end == "json");
    let Some(mut disk) = check.disk().filter(|_| is_exported && missing.len() == count) else {
        return false;
    };
    missing.iter().all(|picture| {
        let folder = plain(picture.parent().unwrap_or(Path::new("")));
        !folder.as_os_str().is_empty() && disk.names(&folder).is_err()
    })
}

rule! {
    /// # What it finds
    /// A path in a map or in one of its tilesets that contains a backslash, starts at the root of a disk, or
    /// starts with a drive letter. Also a path to a picture whose letter case differs from the file on the
    /// disk. A tileset or template that cannot be read because of such a path is reported by
    /// `lost-reference`.
    ///
    /// # Why it matters
    /// The map opens only on the machine where it was made. On Linux a backslash is part of a name, and
    /// `Tiles.png` and `tiles.png` are two files. Nobody else has the folder `C:\Users\me`.
    ///
    /// # How to fix
    /// Write the path relative to the file that contains it, with `/` between the folders, and in the letter
    /// case of the disk. Tiled does so when the file is saved in the folder of the project.
    UNPORTABLE_PATH(unportable_path) = "TMX115" "unportable-path" Warning on(Map)
}

/// The largest number of missing pictures that are searched in another letter case. Each search lists
/// folders.
const MOST_MISSING: usize = 64;

fn unportable_path(check: &Check<'_, '_>) -> Option<()> {
    let map = check.map()?;
    let missing = Vec::from_iter(check.missing_pictures());
    check.first(missing, MOST_MISSING, "missing pictures");
    let as_on_disk = of_other_case(check);
    for path in written_paths(map).into_iter().filter(|path| !is_refused(check, path.written)) {
        let on_disk = path.target.and_then(|target| as_on_disk.get(target));
        let of_case = on_disk.map(|_| OF_CASE);
        let Some([reason, help]) = path_fault(path.written).or(of_case) else {
            continue;
        };
        let file = path.file.unwrap_or(check.path);
        let kind = format!("{reason} in {}", file.file_name().unwrap_or_default().display());
        let written = printable(path.written);
        check.add(&kind, written.to_string(), || {
            check
                .finding_in(file, format!("the path of a file {reason}"))
                .place(on_line(path.line))
                .note(format!("it is written `{written}`"))
                .notes(on_disk.map(|real| format!("on the disk it is {}", path_in_line(real))))
                .notes(path.file.map(|_| found_by(check.path)))
                .help(help)
        });
    }
    Some(())
}

/// True if a game refuses the map because it cannot read the file of this path: another rule reports it.
fn is_refused(subject: &Subject<'_>, path: &str) -> bool {
    let kind = subject.refusal.map(LoadError::kind);
    matches!(kind, Some(LoadErrorKind::Reference { written, .. }) if written == path)
}

fn found_by(map: &Path) -> String {
    format!("found by the map {}", path_in_line(map))
}

/// Returns the missing pictures that exist in another letter case, each with its path on the disk. Searches
/// only for the first [`MOST_MISSING`] missing pictures.
fn of_other_case<'s>(subject: &'s Subject<'_>) -> HashMap<&'s Path, PathBuf> {
    let Some(mut disk) = subject.disk() else {
        return HashMap::new();
    };
    let first = subject.missing_pictures().iter().take(MOST_MISSING);
    first.filter_map(|picture| Some((picture.as_path(), other_case(&mut disk, picture)?))).collect()
}

/// The largest number of files and folders that are looked through in one folder.
const MOST_IN_FOLDER: usize = 10_000;

/// Returns an existing path that differs from `path` only in letter case.
///
/// Returns `None` if `path` exists exactly, if no such path exists, or if `path` leads out of the root folder
/// of the disk. A folder counts as a file. O(n) for n files in the searched folders.
pub(in crate::lint) fn other_case(disk: &mut Disk, path: &Path) -> Option<PathBuf> {
    let mut spelled = PathBuf::new();
    let mut differs = false;
    for part in plain(path).components() {
        let as_written = spelled.join(part);
        let name = match part {
            Component::Normal(name) if fs::symlink_metadata(&as_written).is_err() => name,
            _ => {
                spelled = as_written;
                continue;
            }
        };
        let is_here = spelled.as_os_str().is_empty();
        let folder = if is_here { Path::new(".") } else { &spelled };
        // Fails for a folder outside the root.
        disk.names(folder).ok()?;
        let wanted = name.to_str()?.to_lowercase();
        let entries = fs::read_dir(folder).ok()?.take(MOST_IN_FOLDER);
        let mut names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        spelled.push(names.find(|name| name.to_lowercase() == wanted)?);
        differs = true;
    }
    differs.then_some(spelled)
}

/// Returns the files whose paths [`UNPORTABLE_PATH`] reports. Empty if that rule is off, or if no picture is
/// missing.
fn reported<'s>(subject: &'s Subject<'_>) -> HashSet<&'s Path> {
    let is_off = subject.options.levels.severity_of(&UNPORTABLE_PATH).is_none();
    let missing = subject.missing_pictures();
    let Some(map) = subject.map().filter(|_| !is_off && !missing.is_empty()) else {
        return HashSet::new();
    };
    let mut reported: HashSet<&Path> = of_other_case(subject).into_keys().collect();
    let written = written_paths(map).into_iter().filter(|it| path_fault(it.written).is_some());
    reported.extend(written.filter_map(|path| path.target));
    reported
}

const OF_CASE: [&str; 2] = [
    "differs from the disk in letter case",
    "write its name with the same capital letters as on the disk",
];

/// Returns the fault in the text of a path and the help; `None` if there is no fault. Does not read the disk.
fn path_fault(written: &str) -> Option<[&'static str; 2]> {
    let relative = "write it relative to the file that it stands in";
    let bytes = written.as_bytes();
    if bytes.get(1) == Some(&b':') && bytes[0].is_ascii_alphabetic() {
        Some(["starts with the letter of a drive", relative])
    } else if written.starts_with(['/', '\\']) {
        Some(["is absolute", relative])
    } else {
        written.contains('\\').then_some(["has a backslash", "write `/` between its folders"])
    }
}

rule! {
    /// # What it finds
    /// A tileset whose picture on the disk differs in size from the size that the tileset states, so that it
    /// has another number of columns, or no room for all tiles. Also a tileset that states another number of
    /// columns than its picture has. Added rows at the bottom are not a fault, and neither are a few pixels
    /// that contain no tile.
    ///
    /// # Why it matters
    /// The position of a tile in the picture depends on its number and on the number of columns. With another
    /// number of columns the map shows other tiles than the ones its walls were made of. Programs differ in
    /// which size they use.
    ///
    /// # How to fix
    /// Open the tileset in Tiled, which reads the picture again, look at the map, and save both. Or restore
    /// the picture.
    TILESET_PICTURE_SIZE(tileset_picture_size) = "TMX118" "tileset-picture-size" Warning on(Map)
}

const MOST_PICTURES: usize = 1_024;

fn tileset_picture_size(check: &Check<'_, '_>) -> Option<()> {
    // Several tilesets may use one picture, so sizes are read once.
    let mut sizes: HashMap<&Path, Option<UVec2>> = HashMap::new();
    for set in &check.map()?.tilesets {
        // Only a stated size can differ. Another rule reports a missing picture.
        let Some(image) = &set.image else { continue };
        if image.size.min_element() == 0 {
            continue;
        }
        if sizes.len() == MOST_PICTURES {
            let reason = format!("the size of {MOST_PICTURES} pictures at most is read");
            check.give_up(reason);
            break;
        }
        let size = *sizes.entry(&image.path).or_insert_with(|| check.picture_size(&image.path));
        let Some((headline, reason)) = size.and_then(|size| difference(set, image.size, size))
        else {
            continue;
        };
        let path = set.file.as_deref().unwrap_or(check.path);
        check.push(
            check
                .finding_in(path, headline)
                .place(in_tileset(&set.name, image.line))
                .note(reason)
                .note(format!("the picture is {}", path_in_line(&image.path)))
                .notes((path != check.path).then(|| found_by(check.path)))
                .help("open the tileset in Tiled, look at the map, and save both"),
        );
    }
    Some(())
}

/// Returns a headline and a note if the picture has another number of tile columns than the tileset, or no
/// room for all its tiles; `None` otherwise. `stated` is the picture's size according to the tileset, `real`
/// its size on the disk, in pixels.
fn difference(set: &Tileset, stated: UVec2, real: UVec2) -> Option<(String, String)> {
    let first_row = set.margin.saturating_add(set.tile_size.y);
    let [was, is] = [stated, real].map(|size| set.tiles_in(UVec2::new(size.x, first_row)));
    let headline = format!("the tileset's picture is {}, not {}", px(real), px(stated));
    if was != is {
        let reason = format!("it has {is} columns of tiles, where the tileset has {was}");
        return Some((headline, reason));
    }
    if let Some(count) = set.columns.filter(|&count| count > 0 && u64::from(count) != is) {
        let headline = format!("the tileset states {count} columns, and its picture has {is}");
        return Some((headline, format!("the picture measures {}", px(real))));
    }
    let room = set.tiles_in(real);
    let mut wanted = set.tiles_in(stated);
    if let Some(count) = set.tile_count {
        wanted = wanted.min(u64::from(count));
    }
    let reason = format!("it has room for {room} tiles, and the tileset has {wanted}");
    (room < wanted).then_some((headline, reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_drive_letters_and_backslashes_are_path_faults() {
        for (written, expected) in [
            ("tiles.png", None),
            ("../sets/tiles.png", None),
            ("a b/c:d.png", None),
            ("", None),
            ("sets\\tiles.png", Some("has a backslash")),
            ("/home/me/tiles.png", Some("is absolute")),
            ("\\\\server\\tiles.png", Some("is absolute")),
            ("C:\\tiles.png", Some("starts with the letter of a drive")),
            ("c:/tiles.png", Some("starts with the letter of a drive")),
        ] {
            assert_eq!(path_fault(written).map(|[reason, _]| reason), expected, "{written}");
        }
    }

    #[test]
    fn a_picture_size_is_a_fault_if_columns_change_or_tiles_are_lost() {
        let set = Tileset {
            tile_size: UVec2::new(16, 16),
            tile_count: Some(8),
            margin: 1,
            spacing: 2,
            ..Tileset::default()
        };
        let stated = UVec2::new(1 + 4 * 18, 1 + 2 * 18);
        assert_eq!(set.tiles_in(stated), 8);
        let differs = |x: u32, y: u32| difference(&set, stated, UVec2::new(x, y)).is_some();
        assert!(!differs(stated.x, stated.y) && !differs(stated.x + 5, stated.y + 90));
        assert!(!differs(stated.x - 2, stated.y - 2), "the last gap");
        assert!(differs(stated.x + 18, stated.y) && differs(stated.x - 3, stated.y));
        assert!(differs(stated.x, stated.y - 3) && differs(1, 1));
        let (four, five) = ([Some(4), Some(0), None], Some(5));
        let stating = |columns| Tileset { columns, ..set.clone() };
        assert!(four.into_iter().all(|it| difference(&stating(it), stated, stated).is_none()));
        assert!(difference(&stating(five), stated, stated).is_some());
    }
}
