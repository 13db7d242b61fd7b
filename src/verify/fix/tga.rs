//! Repaints a TGA: header, palette and depth stay, and it stays packed or plain as it was. It never moves the
//! parts that a TGA may have behind its pixels.

use glam::UVec2;

use super::paint::{Entry, Paint};
use super::raw::{Raw, bytes_at, number_at};

const HEADER: usize = 18;

/// The length of the last part of a TGA of the second version, and the text in it.
const FOOTER: usize = 26;
const SIGNATURE: &[u8] = b"TRUEVISION-XFILE.\0";

/// The file with its pixels repainted, or the reason that it cannot be.
///
/// The layout is that of the Truevision TGA file format specification, version 2.0.
pub(super) fn repainted(file: &[u8], paint: &Paint<'_>) -> Result<Vec<u8>, String> {
    let cut = || "it is cut off".to_owned();
    let number = |at: usize, count: usize| number_at(file, at, count).ok_or_else(cut);
    let (kind, depth) = (number(2, 1)?, number(16, 1)? as usize);
    let size = UVec2::new(number(12, 2)? as u32, number(14, 2)? as u32);
    let (entries, entry_bits) = (number(5, 2)? as usize, number(7, 1)? as usize);
    let (is_packed, bits) = (kind & 8 != 0, depth.next_multiple_of(8));
    let is_known = matches!(kind & !8, 1..=3) && [8, 16, 24, 32].contains(&bits);
    if !is_known || number(3, 2)? != 0 {
        return Err("its kind of pixels cannot be written".to_owned());
    }
    let first = HEADER + number(0, 1)? as usize;
    let entry_length = entry_bits.div_ceil(8);
    let has_palette = number(1, 1)? == 1;
    let start = first + if has_palette { entries * entry_length } else { 0 };
    let count = size.x as usize * size.y as usize;
    let coded = file.get(start..).ok_or_else(cut)?;
    let (data, length) = match is_packed {
        true => unpacked(coded, bits / 8, count).ok_or_else(cut)?,
        false => {
            let length = count * bits / 8;
            (bytes_at(coded, 0, length).ok_or_else(cut)?.to_vec(), length)
        }
    };
    let rest = coded.get(length..).unwrap_or_default();
    if is_packed && has_parts(rest) {
        return Err("it has parts behind its pixels that would move".to_owned());
    }
    let order = number(17, 1)?;
    let mut raw = Raw { size, bits, data };
    turn(&mut raw, order);
    let mut bytes = file.get(..start).ok_or_else(cut)?.to_vec();
    if kind & !8 == 1 {
        // The numbers of new entries are written in one byte.
        let is_wide = bits != 8 && paint.hardened.is_some();
        if ![24, 32].contains(&entry_bits) || !has_palette || is_wide {
            return Err("its palette cannot be written".to_owned());
        }
        let colors = bytes.get_mut(first..).unwrap_or_default();
        let entry = |color: &[u8]| match *color {
            [blue, green, red] => [red, green, blue, 255],
            [blue, green, red, alpha] => [red, green, blue, alpha],
            _ => [0; 4],
        };
        let mut palette: Vec<Entry> = colors.chunks(entry_length).map(entry).collect();
        paint.apply_to_palette(&mut raw, &mut palette, entries)?;
        for (place, [red, green, blue, alpha]) in colors.chunks_mut(entry_length).zip(palette) {
            place.copy_from_slice(&[blue, green, red, alpha][..entry_length.min(4)]);
        }
    } else {
        // The bits of a pixel's opacity; a raw pixel has its first byte in the highest bits.
        let opaque = match (kind & !8, bits) {
            (3, 16) | (_, 32) => 0xff,
            (_, 16) => 0x80,
            _ => 0,
        };
        let white = u64::MAX >> (64 - bits);
        paint.apply(&mut raw, opaque, white);
    }
    turn(&mut raw, order);
    match is_packed {
        true => pack(&raw, &mut bytes),
        false => bytes.extend_from_slice(&raw.data),
    }
    bytes.extend_from_slice(rest);
    Ok(bytes)
}

/// Brings the pixels from the order of the file to that from the top left, or back: rows start at the bottom
/// without the bit 0x20 of the header, and pixels of a row at the right with 0x10.
fn turn(raw: &mut Raw, order: u64) {
    let pixel = (raw.bits / 8).max(1);
    let row = (raw.size.x as usize * pixel).max(1);
    if order & 0x20 == 0 {
        raw.data = raw.data.chunks(row).rev().flatten().copied().collect();
    }
    if order & 0x10 != 0 {
        let rows = raw.data.chunks(row);
        raw.data = rows.flat_map(|row| row.chunks(pixel).rev().flatten()).copied().collect();
    }
}

/// True if the bytes behind the pixels say where other parts are, or have such parts.
fn has_parts(rest: &[u8]) -> bool {
    match rest.len() {
        0 => false,
        FOOTER => !rest.ends_with(SIGNATURE) || number_at(rest, 0, 8) != Some(0),
        _ => true,
    }
}

/// The pixels of `count` packed ones, and the length of their packets.
fn unpacked(coded: &[u8], length: usize, count: usize) -> Option<(Vec<u8>, usize)> {
    let (mut data, mut at) = (Vec::new(), 0);
    while data.len() < count * length {
        let packet = usize::from(*coded.get(at)?);
        let times = (packet & 0x7f) + 1;
        if packet & 0x80 != 0 {
            let pixel = bytes_at(coded, at + 1, length)?;
            (0..times).for_each(|_| data.extend_from_slice(pixel));
            at += 1 + length;
        } else {
            data.extend_from_slice(bytes_at(coded, at + 1, times * length)?);
            at += 1 + times * length;
        }
    }
    // A packet that leads beyond the picture belongs to another kind of file.
    (data.len() == count * length).then_some((data, at))
}

/// Adds the pixels in packets of at most 128 of one row: equal ones once, others one by one.
fn pack(raw: &Raw, bytes: &mut Vec<u8>) {
    let length = (raw.bits / 8).max(1);
    for row in raw.data.chunks((raw.size.x as usize * length).max(1)) {
        let pixels: Vec<&[u8]> = row.chunks(length).collect();
        let mut rest = &pixels[..];
        while let Some((first, _)) = rest.split_first() {
            let equal = rest.iter().take(128).take_while(|pixel| *pixel == first).count();
            let pairs = rest.windows(2).take(128);
            let taken = match equal {
                1 => pairs.take_while(|pair| pair.first() != pair.get(1)).count().max(1),
                _ => equal,
            };
            let (packet, after) = rest.split_at(taken);
            bytes.push((taken - 1) as u8 | if equal > 1 { 0x80 } else { 0 });
            packet.iter().take(if equal > 1 { 1 } else { taken }).for_each(|pixel| {
                bytes.extend_from_slice(pixel);
            });
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_pixels_are_the_same_unpacked() {
        let mut random = fastrand::Rng::with_seed(9);
        for _ in 0..200 {
            let size = UVec2::new(random.u32(1..300), random.u32(1..4));
            let (length, kinds) = (random.usize(1..5), random.u8(1..4));
            let mut data = Vec::new();
            for _ in 0..size.x * size.y {
                data.extend(std::iter::repeat_n(random.u8(0..kinds), length));
            }
            let raw = Raw { size, bits: length * 8, data };
            let mut bytes = Vec::new();
            pack(&raw, &mut bytes);
            let count = (size.x * size.y) as usize;
            assert_eq!(unpacked(&bytes, length, count), Some((raw.data, bytes.len())));
            assert_eq!(unpacked(&bytes[..bytes.len() - 1], length, count), None);
        }
    }
}
