//! The pictures that a map or tileset file names, whether the file can be loaded or not: so that they are not
//! taken for masks. It opens no file.

use std::path::{Path, PathBuf};

use super::cursor::Cursor;
use super::json::JsonCursor;
use super::read::joined;
use super::tree::{self, is_json};
use super::xml::XmlCursor;
use crate::limits::Limits;

/// The path of each picture that the file `bytes`, which lies at `path`, names itself. Names after a fault in
/// the file are left out; a file that is neither XML nor a map or tileset in JSON names none.
pub(crate) fn pictures_named(path: &Path, bytes: &[u8]) -> Vec<PathBuf> {
    let limits = Limits::default();
    let mut pictures = Vec::new();
    if is_json(bytes) {
        if let Ok(tree) = tree::parse(bytes, &limits)
            && let Ok(mut cursor) = JsonCursor::new(bytes, &tree)
        {
            walk(&mut cursor, path, &mut pictures);
        }
    } else if let Ok(mut cursor) = XmlCursor::new(bytes, &limits) {
        walk(&mut cursor, path, &mut pictures);
    }
    pictures
}

fn walk(cursor: &mut dyn Cursor<'_>, path: &Path, pictures: &mut Vec<PathBuf>) {
    let mut depth = 0u32;
    loop {
        match cursor.next() {
            Ok(Some(element)) => {
                depth += 1;
                let mut attributes = element.attributes.iter();
                if element.name == "image"
                    && let Some((_, source)) = attributes.find(|(name, _)| name == "source")
                {
                    pictures.push(joined(path, source));
                }
            }
            Ok(None) if depth > 0 => depth -= 1,
            Ok(None) | Err(_) => return,
        }
    }
}
