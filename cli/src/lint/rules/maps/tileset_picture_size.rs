//! Pictures of tilesets whose size differs from the one that the tileset states.

use std::collections::HashMap;
use std::path::Path;

use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::glam::UVec2;
use bitwall::load::{Disk, Files, Place, picture_size};
use bitwall::text::{path_in_line, px};
use bitwall::tmx::Tileset;

rule! {
    /// # What it finds
    /// A tileset whose picture on the disk has another size than the tileset states, so that it has another
    /// number of columns, or no room for all tiles that the tileset states. Also a tileset that states
    /// another number of columns than its picture has. Rows that were added at the
    /// bottom are no fault, and neither are a few pixels that hold no tile.
    ///
    /// # Why it matters
    /// A tile is found in the picture by its number and the number of columns. With other columns the map
    /// shows other tiles than those that its walls were made of, and programs differ in which size they
    /// believe.
    ///
    /// # How to fix
    /// Open the tileset in Tiled, which reads the picture anew, look at the map, and save both. Or restore
    /// the picture.
    TILESET_PICTURE_SIZE = "TMX118" "tileset-picture-size" Warning on(Map)
}

/// The bytes of a picture that are read for its size. Nearly every one has it in the first 4,096.
const HEADER_BYTES: usize = 1 << 16;

/// The pictures that are opened.
const MOST_PICTURES: usize = 1_024;

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(map) = subject.map() else {
        return Vec::new();
    };
    let mut disk = Disk::new(subject.path, &subject.options.load);
    // Many tilesets may name one picture.
    let mut sizes: HashMap<&Path, Option<UVec2>> = HashMap::new();
    let mut findings = Vec::new();
    for set in &map.tilesets {
        let Some(image) = set.image.as_ref().filter(|image| image.data.is_none()) else {
            continue;
        };
        // Without a stated size there is nothing to differ from; a missing picture is another fault.
        if image.size.min_element() == 0 {
            continue;
        }
        if sizes.len() == MOST_PICTURES {
            let reason = format!("the size of {MOST_PICTURES} pictures at most is read");
            subject.give_up(&TILESET_PICTURE_SIZE, reason);
            break;
        }
        let size =
            || picture_size(&image.path, &disk.read_start(&image.path, HEADER_BYTES).ok()?).ok();
        let Some(found) = *sizes.entry(&image.path).or_insert_with(size) else {
            continue;
        };
        let Some(difference) = difference(set, image.size, found) else {
            continue;
        };
        let place = Place {
            line: (image.line > 0).then_some((image.line, 1)),
            tileset: Some(set.name.clone()),
            ..Place::default()
        };
        let path = set.file.as_deref().unwrap_or(subject.path);
        let (headline, reason) = difference;
        let mut finding = Finding::new(&TILESET_PICTURE_SIZE, path, headline)
            .at(place)
            .note(reason)
            .note(format!("the picture is {}", path_in_line(&image.path)))
            .help("open the tileset in Tiled, look at the map, and save both");
        if path != subject.path {
            finding = finding.note(found_by(subject.path));
        }
        findings.push(finding);
        if findings.len() == super::MOST_FINDINGS {
            break;
        }
    }
    findings
}

fn found_by(map: &Path) -> String {
    format!("found by the map {}", path_in_line(map))
}

/// The difference that a picture makes to a tileset, as a headline and a note; `None` if it makes none.
fn difference(set: &Tileset, stated: UVec2, found: UVec2) -> Option<(String, String)> {
    let columns = |picture: UVec2| set.tiles_in(UVec2::new(picture.x, first_row(set)));
    let (was, is) = (columns(stated), columns(found));
    let size = || format!("the tileset's picture is {}, not {}", px(found), px(stated));
    if was != is {
        return Some((
            size(),
            format!("it has {is} columns of tiles, where the tileset has {was}"),
        ));
    }
    if let Some(count) = set.columns.filter(|&count| count > 0 && u64::from(count) != is) {
        let headline = format!("the tileset states {count} columns, and its picture has {is}");
        return Some((headline, format!("the picture measures {}", px(found))));
    }
    let (room, wanted) = (set.tiles_in(found), set.tiles_in(stated));
    let wanted = set.tile_count.map_or(wanted, |count| wanted.min(u64::from(count)));
    let has_less_room = || format!("it has room for {room} tiles, and the tileset has {wanted}");
    (room < wanted).then(|| (size(), has_less_room()))
}

/// The height of a picture with one row of tiles.
fn first_row(set: &Tileset) -> u32 {
    set.margin.saturating_add(set.tile_size.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_size_that_moves_tiles_makes_a_difference() {
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
