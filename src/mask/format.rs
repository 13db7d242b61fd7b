//! The file formats of masks, told apart by their first bytes. Decodes nothing.

/// A file format that a mask can have. JPEG is not one: it blurs the border between black and white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Png,
    Gif,
    Bmp,
    WebP,
    Tga,
}

impl Format {
    /// The format whose signature a file starts with. A TGA file has none: see [`Format::may_be_tga`].
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [b'G', b'I', b'F', b'8', ..] => Some(Self::Gif),
            [b'B', b'M', ..] => Some(Self::Bmp),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::WebP),
            _ => None,
        }
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
