//! Repaints a BMP in its own bytes: header, palette and depth stay. Its pixels are never packed anew.

use glam::UVec2;

use super::paint::{Entry, Paint};
use super::raw::{Raw, bytes_at, number_at};

/// The compressions whose rows are plain: none, and none with the places of the colours given.
const PLAIN: u64 = 0;
const BIT_FIELDS: u64 = 3;

/// The file with its pixels repainted, or the reason that it cannot be. Of a compressed one they are not.
///
/// The layout is that of the structures `BITMAPFILEHEADER` and `BITMAPINFOHEADER` of Windows.
pub(super) fn repainted(file: &[u8], paint: &Paint<'_>) -> Result<Vec<u8>, String> {
    let cut = || "its header is cut off".to_owned();
    let number = |at: usize, count: usize| number_at(file, at, count).ok_or_else(cut);
    let (start, header) = (number(10, 4)? as usize, number(14, 4)? as usize);
    let is_old = header < 16;
    let (width, height, depth) = match is_old {
        true => (number(18, 2)? as i32, number(20, 2)? as i32, number(24, 2)?),
        false => (number(18, 4)? as i32, number(22, 4)? as i32, number(28, 2)?),
    };
    let compression = if is_old { PLAIN } else { number(30, 4)? };
    if ![PLAIN, BIT_FIELDS].contains(&compression) {
        return Err("it is a compressed BMP; save it without compression first".to_owned());
    }
    let size = UVec2::new(width.unsigned_abs(), height.unsigned_abs());
    let rows = Rows::new(size, depth as usize, start, height > 0).ok_or_else(cut)?;
    let mut bytes = file.to_vec();
    let mut raw = rows.read(&bytes).ok_or("its pixels are cut off")?;
    if depth <= 8 {
        // Three bytes an entry in the oldest kind, four in others; their number may be left open.
        let length = if is_old { 3 } else { 4 };
        let stated = if is_old { 0 } else { number(46, 4)? as usize };
        let stated = if stated == 0 { 1 << depth } else { stated.min(1 << depth) };
        let first = 14 + header;
        let count = stated.min(start.saturating_sub(first) / length);
        let colors = bytes_at(file, first, count * length).ok_or_else(cut)?;
        let entry = |color: &[u8]| match color {
            [blue, green, red, ..] => [*red, *green, *blue, 255],
            _ => [0, 0, 0, 255],
        };
        let mut palette: Vec<Entry> = colors.chunks(length).map(entry).collect();
        paint.apply_to_palette(&mut raw, &mut palette, count)?;
        let places = bytes.get_mut(first..).unwrap_or_default().chunks_mut(length);
        for (place, [red, green, blue, _]) in places.zip(palette) {
            if let [b, g, r, ..] = place {
                [*b, *g, *r] = [blue, green, red];
            }
        }
    } else {
        let (colors, opaque) = match (compression, depth) {
            // The three colours, and in later kinds the opacity, behind the first 40 bytes.
            (BIT_FIELDS, _) => {
                let colors = number(54, 4)? | number(58, 4)? | number(62, 4)?;
                (colors, if header >= 56 { number(66, 4)? } else { 0 })
            }
            (_, 16) => (0x7fff, 0),
            _ => (0xff_ffff, 0),
        };
        // Samples are little endian, and a raw pixel has its first byte in the highest bits.
        let swapped = |value: u64| value.swap_bytes() >> (64 - depth.clamp(1, 64));
        paint.apply(&mut raw, swapped(opaque), swapped(colors | opaque));
    }
    rows.write(&raw, &mut bytes);
    Ok(bytes)
}

/// Where the rows of pixels lie in a file: each fills whole words of 4 bytes.
struct Rows {
    size: UVec2,
    bits: usize,
    start: usize,
    /// True if the last row comes first.
    turned: bool,
}

impl Rows {
    /// `None` for a depth that no BMP has.
    fn new(size: UVec2, bits: usize, start: usize, turned: bool) -> Option<Self> {
        let is_known = [1, 2, 4, 8, 16, 24, 32].contains(&bits) && size.min_element() > 0;
        is_known.then_some(Self { size, bits, start, turned })
    }

    /// The bytes of a row without those that fill it up.
    fn row(&self, y: u32) -> Option<std::ops::Range<usize>> {
        let length = (self.size.x as usize).checked_mul(self.bits)?.div_ceil(8);
        let line = if self.turned { self.size.y - 1 - y } else { y } as usize;
        let start = length.next_multiple_of(4).checked_mul(line)?.checked_add(self.start)?;
        Some(start..start.checked_add(length)?)
    }

    fn read(&self, bytes: &[u8]) -> Option<Raw> {
        let mut data = Vec::new();
        for y in 0..self.size.y {
            data.extend_from_slice(bytes.get(self.row(y)?)?);
        }
        Some(Raw { size: self.size, bits: self.bits, data })
    }

    fn write(&self, raw: &Raw, bytes: &mut [u8]) {
        let length = (self.size.x as usize * self.bits).div_ceil(8);
        for (y, row) in (0..self.size.y).zip(raw.data.chunks(length)) {
            if let Some(place) = self.row(y).and_then(|range| bytes.get_mut(range)) {
                place.copy_from_slice(row);
            }
        }
    }
}
