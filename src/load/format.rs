//! The format of a file, from its first bytes. Nothing here opens one.

use std::path::Path;

use crate::mask;

/// The ending of a file's name, without the dot and in lower case.
pub(super) fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Mask(mask::Format),
    Xml,
    Json,
    Baked,
    Other(&'static str),
}

/// The format of a file by its first bytes; for TGA, which has no signature, also by its extension.
pub(super) fn sniff(head: &[u8], extension: &str) -> Format {
    const SIGNATURES: [(&[u8], &str); 6] = [
        (b"\xff\xd8\xff", "a JPEG picture (lossy)"),
        (b"RIFF", "a sound or a film"),
        (b"\xff\xfe", "text in UTF-16 (Tiled writes UTF-8)"),
        (b"\xfe\xff", "text in UTF-16 (Tiled writes UTF-8)"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip archive"),
    ];
    if let Some(format) = mask::Format::of(head) {
        return Format::Mask(format);
    }
    // The whole signature is checked with the rest of the file, whose errors say more.
    if head.starts_with(b"\x89BWL") {
        return Format::Baked;
    }
    if let Some((_, name)) = SIGNATURES.iter().find(|(start, _)| head.starts_with(start)) {
        return Format::Other(name);
    }
    if extension == "tga" && mask::Format::may_be_tga(head) {
        return Format::Mask(mask::Format::Tga);
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'<') => Format::Xml,
        Some(b'{') => Format::Json,
        Some(_) => Format::Other("a file of another kind"),
        None if text.is_empty() => Format::Other("an empty file"),
        None => Format::Other("a file of white space"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_decide_the_format() {
        let mask = Format::Mask;
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n", ""), mask(mask::Format::Png));
        assert_eq!(sniff(b"BM1234", "tga"), mask(mask::Format::Bmp));
        assert_eq!(sniff(b"GIF89a", "png"), mask(mask::Format::Gif));
        assert_eq!(sniff(b"RIFF\x04\0\0\0WEBP", ""), mask(mask::Format::WebP));
        assert_eq!(sniff(b"\x89BWL\r\n\x1a\n", "png"), Format::Baked);
        let tga = b"\0\0\x03\0\0\0\0\0\0\0\0\0\x05\0\x05\0\x08\0";
        assert_eq!(sniff(tga, "tga"), mask(mask::Format::Tga));
        assert_eq!(sniff(b"\xef\xbb\xbf\n <?xml", "tga"), Format::Xml);
        assert_eq!(sniff(b"  {\"height\":3", ""), Format::Json);
        for other in [&b""[..], b"   ", b"RIFF\x04\0\0\0WAVE", b"hello", b"\0\0\0", tga] {
            assert!(matches!(sniff(other, "png"), Format::Other(_)), "{other:?}");
        }
    }
}
