//! The file formats of masks, told apart by their first bytes. Decodes nothing.

/// A file format that a mask can have. JPEG is none: it blurs the border between black and white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Png,
    Gif,
    Bmp,
    WebP,
    Tga,
}

/// The first bytes of a file in each format. A TGA file has no signature: see [`Format::may_be_tga`].
const SIGNATURES: [(&[u8], Format); 3] =
    [(b"\x89PNG", Format::Png), (b"GIF8", Format::Gif), (b"BM", Format::Bmp)];

impl Format {
    /// The format that a file starts as.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
            return Some(Self::WebP);
        }
        let mut signatures = SIGNATURES.iter();
        let found = signatures.find(|(signature, _)| head.starts_with(signature));
        found.map(|(_, format)| *format)
    }

    /// True if the first bytes are a possible header of a TGA file with a picture in it.
    pub(crate) fn may_be_tga(head: &[u8]) -> bool {
        let Some(head) = head.first_chunk::<18>() else {
            return false;
        };
        let is_zero = |at: usize| head[at] == 0 && head[at + 1] == 0;
        let (map, map_depth, depth) = (head[1], head[7], head[16]);
        let colors = match head[2] {
            1 | 9 => {
                let has_map = map == 1 && !is_zero(5) && matches!(map_depth, 15 | 16 | 24 | 32);
                has_map && matches!(depth, 8 | 16)
            }
            2 | 10 => map <= 1 && matches!(depth, 15 | 16 | 24 | 32),
            3 | 11 => map <= 1 && matches!(depth, 8 | 16),
            _ => false,
        };
        // The two highest flags, for interleaved rows, are obsolete.
        colors && !is_zero(12) && !is_zero(14) && head[17] < 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header of a picture of 3 x 2.
    fn tga(kind: u8, depth: u8) -> [u8; 18] {
        [0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 2, 0, depth, 32]
    }

    #[test]
    fn a_tga_header_must_make_sense() {
        for (kind, depth) in [(2, 24), (2, 32), (3, 8), (10, 16), (11, 8)] {
            assert!(Format::may_be_tga(&tga(kind, depth)), "{kind} {depth}");
        }
        for (kind, depth) in [(0, 24), (1, 8), (2, 8), (3, 24), (4, 8), (2, 0)] {
            assert!(!Format::may_be_tga(&tga(kind, depth)), "{kind} {depth}");
        }
        let changed = |at: usize, value: u8| {
            let mut head = tga(2, 24);
            head[at] = value;
            Format::may_be_tga(&head)
        };
        assert!(changed(0, 200), "the length of a text");
        assert!(!changed(1, 2) && !changed(12, 0) && !changed(14, 0) && !changed(17, 64));
        let mut mapped = tga(1, 8);
        (mapped[1], mapped[5], mapped[7]) = (1, 2, 24);
        assert!(Format::may_be_tga(&mapped));
        mapped[5] = 0;
        assert!(!Format::may_be_tga(&mapped), "a map without colours");
        assert!(!Format::may_be_tga(&tga(2, 24)[..17]));
        assert!(!Format::may_be_tga(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
    }
}
