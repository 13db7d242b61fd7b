//! Finds the format of a level's file from its first bytes.

use std::path::Path;

use crate::error::LoadErrorKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileFormat {
    /// A picture in PNG.
    Mask,
    Text,
    Baked,
    /// Rows of `#` and `.`, as a grid is displayed.
    Drawing,
    Other(&'static str),
}

/// Returns the format of a file, from its first bytes `head`.
///
/// Pictures in other formats than PNG are no masks: JPEG blurs the border between black and white, and no
/// mask of the games that were looked at has one of the others.
pub(super) fn sniff(head: &[u8]) -> FileFormat {
    const SIGNATURES: [(&[u8], &str); 6] = [
        (b"\xff\xd8\xff", "a JPEG picture (lossy)"),
        (b"GIF8", "a GIF picture"),
        (b"BM", "a BMP picture"),
        (b"RIFF", "a WebP picture, a sound or a film"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip archive"),
    ];
    if head.starts_with(b"\x89PNG") {
        return FileFormat::Mask;
    }
    // The rest of the signature is checked when the level is decoded, which gives a better error.
    if head.starts_with(b"\x89BWL") {
        return FileFormat::Baked;
    }
    if let Some((_, name)) = SIGNATURES.iter().find(|(start, _)| head.starts_with(start)) {
        return FileFormat::Other(name);
    }
    let marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
    let text = marks.iter().find_map(|mark| head.strip_prefix(*mark)).unwrap_or(head);
    let is_utf16 = head.starts_with(marks[1]) || head.starts_with(marks[2]);
    let mut visible = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    match visible.find(|byte| !is_utf16 || **byte != 0) {
        Some(b'<' | b'{') => FileFormat::Text,
        Some(b'#' | b'.') if visible.all(|byte| matches!(byte, b'#' | b'.')) => FileFormat::Drawing,
        Some(_) => FileFormat::Other("a file of another kind"),
        None if text.is_empty() => FileFormat::Other("an empty file"),
        None => FileFormat::Other("a file of white space"),
    }
}

/// Returns the kind of a level of another editor, if `bytes` is one. A name of each format stands near the
/// start of its files.
pub(super) fn other_editor(bytes: &[u8]) -> Option<&'static str> {
    const NEAR: usize = 64 << 10;
    const EDITORS: [(&[&str], &str); 6] = [
        (&["\"ogmoVersion\""], "a level of Ogmo 3"),
        (&["\"mapWidth\"", "\"tileSize\""], "a map of Sprite Fusion"),
        (&["GMRoom\""], "a room of GameMaker"),
        (&["\"autoplayBgm\"", "\"tilesetId\""], "a map of RPG Maker"),
        (&["[gd_scene"], "a scene of Godot"),
        (&["[gd_resource"], "a resource of Godot"),
    ];
    let head = bytes.get(..NEAR).unwrap_or(bytes);
    let has = |word: &&str| head.windows(word.len()).any(|part| part == word.as_bytes());
    let found = EDITORS.iter().find(|(words, _)| words.iter().all(has));
    found.map(|(_, name)| *name)
}

pub(super) fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

/// The error of a file that needs a feature of this crate which is not enabled.
pub(super) fn missing(found: &'static str, feature: &'static str) -> LoadErrorKind {
    LoadErrorKind::MissingFeature { found, feature }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_of_a_file_decide_its_format() {
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n"), FileFormat::Mask);
        assert_eq!(sniff(b"\x89BWL\r\n\x1a\n"), FileFormat::Baked);
        assert_eq!(sniff(b"\xef\xbb\xbf\n <?xml"), FileFormat::Text);
        assert_eq!(sniff(b"  {\"height\":3"), FileFormat::Text);
        assert_eq!(sniff(b"\xff\xfe<\0?\0"), FileFormat::Text);
        assert_eq!(sniff(b"\xfe\xff\0\n\0<"), FileFormat::Text);
        assert_eq!(sniff(b"\n..#\r\n###"), FileFormat::Drawing);
        let tga = b"\0\0\x03\0\0\0\0\0\0\0\0\0\x05\0\x05\0\x08\0";
        for (other, name) in [
            (&b""[..], "an empty file"),
            (b"# a comment", "a file of another kind"),
            (b"..\x00", "a file of another kind"),
            (b"   ", "a file of white space"),
            (b"hello", "a file of another kind"),
            (b"\0\0\0", "a file of another kind"),
            (tga, "a file of another kind"),
            (b"\xff\xd8\xff\xe0", "a JPEG picture (lossy)"),
            (b"GIF89a", "a GIF picture"),
            (b"BM1234", "a BMP picture"),
            (b"RIFF\x04\0\0\0WEBP", "a WebP picture, a sound or a film"),
        ] {
            assert_eq!(sniff(other), FileFormat::Other(name), "{other:?}");
        }
    }
}
