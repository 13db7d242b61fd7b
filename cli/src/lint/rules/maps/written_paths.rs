//! The paths in a map's files, as they are written there.

use std::path::{Path, PathBuf};

use bitwall::tmx::{Image, LayerContent, Map, Object};

/// A path as a file writes it.
pub(super) struct WrittenPath<'m> {
    pub(super) written: &'m str,
    /// The file that it leads to, joined to the folder of the file that writes it.
    pub(super) target: Option<&'m Path>,
    /// The file that writes it, if that is not the map's own, and the line there.
    pub(super) file: Option<&'m PathBuf>,
    pub(super) line: u32,
}

/// The paths that a map and its tilesets write, in the order of the documents. O(layers + objects + tiles).
pub(super) fn written_paths(map: &Map) -> Vec<WrittenPath<'_>> {
    let mut all = Vec::new();
    for set in &map.tilesets {
        all.push(WrittenPath {
            written: &set.source,
            target: set.file.as_deref(),
            file: None,
            line: set.line,
        });
        let file = set.file.as_ref();
        all.extend(set.image.iter().map(|image| picture(image, file)));
        for tile in set.tiles.values() {
            all.extend(tile.image.iter().map(|image| picture(image, file)));
            all.extend(tile.shapes.iter().filter_map(|shape| template(shape, file)));
        }
    }
    for context in map.walk() {
        match &context.layer.content {
            LayerContent::Objects(objects) => {
                all.extend(objects.objects.iter().filter_map(|object| template(object, None)));
            }
            LayerContent::Image(layer) => {
                all.extend(layer.image.iter().map(|image| picture(image, None)));
            }
            LayerContent::Tiles(_) | LayerContent::Group(_) => {}
        }
    }
    all.retain(|path| !path.written.is_empty());
    all
}

fn picture<'m>(image: &'m Image, file: Option<&'m PathBuf>) -> WrittenPath<'m> {
    let (written, target) = (image.source.as_str(), Some(image.path.as_path()));
    WrittenPath { written, target, file, line: image.line }
}

fn template<'m>(object: &'m Object, file: Option<&'m PathBuf>) -> Option<WrittenPath<'m>> {
    let written = object.template.as_deref()?;
    Some(WrittenPath { written, target: None, file, line: object.line })
}
