//! Faults of BMP files that their decoder passes over.

use std::io::{BufRead, Read, Seek, SeekFrom};

use glam::UVec2;

use super::classify::NoColor;
use super::fault::{Fault, broken, io_fault, no_color};
use super::picture::zeros;

/// The bytes of the file's header, which the picture's header follows.
const FILE_HEADER_BYTES: u64 = 14;

/// The bytes of both headers, as far as they are looked at.
const HEAD_BYTES: usize = 54;

/// Checks a file that is at its start and could be decoded: its pixels must lie behind its header, and its
/// values in its palette.
pub(super) fn check(mut file: impl BufRead + Seek) -> Result<(), Fault> {
    let start = file.stream_position().map_err(io_fault)?;
    let mut head = Vec::new();
    let mut first = Read::by_ref(&mut file).take(HEAD_BYTES as u64);
    first.read_to_end(&mut head).map_err(io_fault)?;
    // A file with the oldest header, which has 26 bytes, may be shorter.
    head.resize(HEAD_BYTES, 0);
    let word = |at: usize| u32::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let number = |at: usize| word(at) | word(at + 2) << 16;
    let (offset, header_bytes) = (u64::from(number(10)), u64::from(number(14)));
    let header_end = FILE_HEADER_BYTES + header_bytes;
    if offset < header_end {
        return Err(broken(format!(
            "its pixels start at byte {offset}, but its header ends at byte {header_end}"
        )));
    }
    let (width, height, bits, compression, colors, color_bytes) = match header_bytes {
        12 => (word(18), word(20), word(24), 0, 0, 3),
        _ => {
            let height = (number(22) as i32).unsigned_abs();
            (number(18), height, word(28), number(30), number(46), 4)
        }
    };
    if bits > 8 {
        return Ok(());
    }
    let colors = if colors == 0 { 1 << bits } else { u64::from(colors) };
    let colors = colors.min((offset - header_end) / color_bytes) as usize;
    if colors >= 1 << bits {
        return Ok(());
    }
    file.seek(SeekFrom::Start(start + offset)).map_err(io_fault)?;
    let is_bottom_up = header_bytes == 12 || (number(22) as i32) > 0;
    match compression {
        0 => check_values(file, width, height, bits, is_bottom_up, colors),
        _ => check_runs(file, bits, colors),
    }
}

/// Checks rows of values, each of which is filled up to whole 4 bytes.
fn check_values(
    mut file: impl BufRead,
    width: u32,
    height: u32,
    bits: u32,
    is_bottom_up: bool,
    colors: usize,
) -> Result<(), Fault> {
    let row_bytes = (u64::from(width) * u64::from(bits)).div_ceil(32) * 4;
    let mut row = zeros(row_bytes, UVec2::new(width, height))?;
    for line in 0..height {
        file.read_exact(&mut row).map_err(io_fault)?;
        for x in 0..width {
            let first = u64::from(x) * u64::from(bits);
            let value = row[(first / 8) as usize] << (first % 8) >> (8 - bits);
            if usize::from(value) >= colors {
                let y = if is_bottom_up { height - 1 - line } else { line };
                return Err(no_color(NoColor { x, value }, y, colors));
            }
        }
    }
    Ok(())
}

/// Checks run-length encoded values of 4 or 8 bits, up to the end of the picture or of the file.
fn check_runs(file: impl BufRead, bits: u32, colors: usize) -> Result<(), Fault> {
    let values = |byte: u8| {
        if bits == 4 { [byte >> 4, byte & 15] } else { [byte; 2] }
    };
    let mut bytes = file.bytes().map_while(Result::ok);
    while let (Some(count), Some(byte)) = (bytes.next(), bytes.next()) {
        let run = match (count, byte) {
            (0, 0) => Vec::new(),
            (0, 1) => return Ok(()),
            (0, 2) => {
                bytes.by_ref().take(2).for_each(drop);
                Vec::new()
            }
            (0, length) => {
                let length = usize::from(length);
                let used = (length * bits as usize).div_ceil(8);
                let run = bytes.by_ref().take(used.next_multiple_of(2));
                run.take(used)
                    .flat_map(values)
                    .take(length * if bits == 4 { 1 } else { 2 })
                    .collect()
            }
            (count, byte) => values(byte)[..usize::from(count).min(2)].to_vec(),
        };
        if let Some(value) = run.into_iter().find(|value| usize::from(*value) >= colors) {
            return Err(broken(format!(
                "a pixel has the value {value}, but the palette only {colors} colours"
            )));
        }
    }
    Ok(())
}
