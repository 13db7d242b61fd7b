//! The pictures that a map or tileset file names, whether the file can be loaded or not: so that they are not
//! taken for masks. It opens no file.

use std::path::{Path, PathBuf};

use super::read::{joined, open};
use crate::limits::Limits;

/// The path of each picture that the file `bytes`, which lies at `path`, names itself. Names after a fault in
/// the file are left out; a file that is neither XML nor a map or tileset in JSON names none.
pub(crate) fn pictures_named(path: &Path, bytes: &[u8]) -> Vec<PathBuf> {
    let mut pictures = Vec::new();
    let mut tree = None;
    let Ok(mut cursor) = open(bytes, &Limits::default(), &mut tree) else {
        return pictures;
    };
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
            Ok(None) | Err(_) => return pictures,
        }
    }
}
