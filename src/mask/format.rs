//! The file formats of masks, told apart by their first bytes. It decodes nothing.

/// A file format that a mask can have. JPEG is none: it blurs the border between black and white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Png,
    Gif,
    Bmp,
    WebP,
    Tga,
}

impl Format {
    /// The format that a file starts as. A TGA file has no signature: see [`Format::may_be_tga`].
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [b'G', b'I', b'F', b'8', ..] => Some(Self::Gif),
            [b'B', b'M', ..] => Some(Self::Bmp),
            [
                b'R',
                b'I',
                b'F',
                b'F',
                _,
                _,
                _,
                _,
                b'W',
                b'E',
                b'B',
                b'P',
                ..,
            ] => Some(Self::WebP),
            _ => None,
        }
    }

    /// True if the first bytes make sense as the header of a TGA file with a picture in it.
    pub(crate) fn may_be_tga(head: &[u8]) -> bool {
        let Some(
            &[
                _,
                map,
                kind,
                _,
                _,
                map_low,
                map_high,
                map_depth,
                _,
                _,
                _,
                _,
                width_low,
                width_high,
                height_low,
                height_high,
                depth,
                flags,
            ],
        ) = head.first_chunk()
        else {
            return false;
        };
        let sides = [[width_low, width_high], [height_low, height_high]];
        let has_map = map == 1 && [map_low, map_high] != [0; 2];
        let colors = match kind {
            1 | 9 => has_map && matches!(map_depth, 15 | 16 | 24 | 32) && matches!(depth, 8 | 16),
            2 | 10 => map <= 1 && matches!(depth, 15 | 16 | 24 | 32),
            3 | 11 => map <= 1 && matches!(depth, 8 | 16),
            _ => false,
        };
        // The two highest flags, for rows that are interleaved, have been given up.
        colors && !sides.contains(&[0; 2]) && flags < 64
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
        assert!(!Format::may_be_tga(
            b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
        ));
    }
}
