//! Faults of TGA files that their decoder passes over.

use std::io::BufRead;

use super::fault::{Fault, broken, io_fault};

/// The bytes of the header.
const HEADER_BYTES: usize = 18;

/// Checks a file that is at its start and could be decoded: its runs must end with its picture. Returns
/// true if its header says that pixels have alpha bits.
pub(super) fn check(mut file: impl BufRead) -> Result<bool, Fault> {
    let mut head = [0; HEADER_BYTES];
    file.read_exact(&mut head).map_err(io_fault)?;
    let number = |at: usize| u64::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let bytes = |bits: u8| u64::from(bits).div_ceil(8);
    if matches!(head[2], 9..=11) {
        let map = if head[1] == 1 { number(5) * bytes(head[7]) } else { 0 };
        skip(&mut file, u64::from(head[0]) + map)?;
        check_runs(file, number(12) * number(14), bytes(head[16]))?;
    }
    Ok(head[17] & 15 > 0)
}

/// An error if the runs do not end with the last of the picture's pixels.
fn check_runs(mut file: impl BufRead, mut pixels: u64, pixel_bytes: u64) -> Result<(), Fault> {
    while pixels > 0 {
        let mut packet = [0];
        file.read_exact(&mut packet).map_err(io_fault)?;
        let length = u64::from(packet[0] & 127) + 1;
        let Some(left) = pixels.checked_sub(length) else {
            return Err(broken("a run goes on past the end of the picture".to_owned()));
        };
        pixels = left;
        let values = if packet[0] < 128 { length } else { 1 };
        skip(&mut file, values * pixel_bytes)?;
    }
    Ok(())
}

fn skip(file: &mut impl BufRead, mut bytes: u64) -> Result<(), Fault> {
    while bytes > 0 {
        let buffered = file.fill_buf().map_err(io_fault)?.len() as u64;
        if buffered == 0 {
            return Err(broken("the file ends too early".to_owned()));
        }
        let skipped = buffered.min(bytes);
        file.consume(skipped as usize);
        bytes -= skipped;
    }
    Ok(())
}
