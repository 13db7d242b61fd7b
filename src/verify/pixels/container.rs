//! Parts of a picture's file beside its pixels, found by its chunks; no pixel is decoded.

/// The number of frames that the header of an animated PNG states; `None` for other files. O(chunks).
pub(crate) fn png_frames(file: &[u8]) -> Option<u32> {
    let data = chunk(file, b"acTL")?;
    Some(u32::from_be_bytes(*data.first_chunk()?))
}

/// The orientation that a PNG or WebP file states in its Exif data, from 1 (upright) to 8; `None` if it
/// states none. O(chunks + entries).
pub(crate) fn orientation(file: &[u8]) -> Option<u16> {
    let exif = chunk(file, b"eXIf").or_else(|| webp_chunk(file, b"EXIF"))?;
    // Some writers keep the marker that Exif data has in a JPEG.
    let tiff = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    let is_little = match tiff.first_chunk()? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes = *tiff.get(at..)?.first_chunk()?;
        Some(if is_little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let long = |at: usize| {
        let bytes = *tiff.get(at..)?.first_chunk()?;
        let number = if is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
        usize::try_from(number).ok()
    };
    let directory = long(4)?;
    let entries = usize::from(short(directory)?);
    let tag = |entry: &usize| short(directory + 2 + entry * 12) == Some(ORIENTATION);
    let entry = (0..entries).find(tag)?;
    short(directory + 2 + entry * 12 + 8).filter(|value| (1..=8).contains(value))
}

/// The tag of the orientation in Exif data.
const ORIENTATION: u16 = 0x0112;

/// The data of the first chunk of this kind in a PNG file.
fn chunk<'f>(file: &'f [u8], kind: &[u8; 4]) -> Option<&'f [u8]> {
    let mut rest = file.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    loop {
        let length = u32::from_be_bytes(*rest.first_chunk()?) as usize;
        let found = rest.get(4..8)?;
        let data = rest.get(8..)?.get(..length)?;
        if found == kind {
            return Some(data);
        }
        rest = rest.get(8 + length..)?.get(4..)?;
    }
}

/// The data of the first chunk of this kind in a WebP file.
fn webp_chunk<'f>(file: &'f [u8], kind: &[u8; 4]) -> Option<&'f [u8]> {
    if file.get(8..12)? != b"WEBP" {
        return None;
    }
    let mut rest = file.get(12..)?;
    loop {
        let length = u32::from_le_bytes(*rest.get(4..)?.first_chunk()?) as usize;
        let data = rest.get(8..)?.get(..length)?;
        if rest.get(..4)? == kind {
            return Some(data);
        }
        // A chunk of odd length is followed by a byte that belongs to none.
        rest = rest.get(8..)?.get(length..)?.get(length % 2..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, data) in chunks {
            file.extend((data.len() as u32).to_be_bytes());
            file.extend(*kind);
            file.extend(*data);
            file.extend([0; 4]);
        }
        file
    }

    /// Exif data of two entries, the orientation second.
    fn exif(value: u8) -> Vec<u8> {
        let mut tiff = b"II*\0\x08\0\0\0\x02\0".to_vec();
        tiff.extend([0x0f, 0x01, 3, 0, 1, 0, 0, 0, 9, 0, 0, 0]);
        tiff.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0]);
        tiff
    }

    #[test]
    fn frames_and_turns_are_read_from_the_chunks() {
        let frames = [0, 0, 0, 3, 0, 0, 0, 0];
        let file = png(&[(b"IHDR", &[0; 13]), (b"acTL", &frames), (b"eXIf", &exif(6))]);
        assert_eq!((png_frames(&file), orientation(&file)), (Some(3), Some(6)));
        let big = [b"MM\0*\0\0\0\x08\0\x01", &[1, 0x12, 0, 3, 0, 0, 0, 1, 0, 8, 0, 0][..]].concat();
        assert_eq!(orientation(&png(&[(b"eXIf", &big)])), Some(8));
        let mut webp = b"RIFF\0\0\0\0WEBPVP8X\x03\0\0\0abc\0EXIF".to_vec();
        webp.extend((exif(3).len() as u32).to_le_bytes());
        webp.extend(exif(3));
        assert_eq!(orientation(&webp), Some(3));
    }

    #[test]
    fn damaged_files_state_nothing() {
        let file = png(&[(b"IHDR", &[0; 13]), (b"eXIf", &exif(6))]);
        for length in 0..file.len() - 4 {
            // The reading ends at any length.
            let _ = (png_frames(&file[..length]), orientation(&file[..length]));
        }
        assert_eq!(orientation(&png(&[(b"eXIf", &exif(9))])), None);
        assert_eq!(orientation(b"GIF89a"), None);
        assert_eq!(png_frames(&png(&[(b"IHDR", &[0; 13])])), None);
    }
}
