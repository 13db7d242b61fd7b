//! Cells compressed with zstd: one or more frames, and skippable frames between them, which hold no cells
//! (RFC 8878, section 3.1.2).

use std::cell::Cell;
use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::{Base64Text, CellNumbers, broken, numbers};
use crate::error::LoadErrorKind;

/// Decodes all frames in `bytes`. Fails if there is no frame with cells.
pub(super) fn frames(
    bytes: &mut Base64Text<'_>,
    output: &Cell<u64>,
    cells: &mut CellNumbers,
) -> Result<(), LoadErrorKind> {
    let mut frame = FrameDecoder::new();
    let mut has_cells = false;
    while !has_cells || !bytes.fill_buf().map_err(broken)?.is_empty() {
        match StreamingDecoder::new_with_decoder(&mut *bytes, &mut frame) {
            Ok(mut decoder) => numbers(&mut decoder, output, cells)?,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let skipped = io::copy(&mut bytes.take(length.into()), &mut io::sink());
                if skipped.map_err(broken)? < length.into() {
                    return Err(broken("a skippable frame goes on past the end"));
                }
                continue;
            }
            Err(error) => return Err(broken(error)),
        }
        has_cells = true;
        // `ruzstd` reads the checksum of the compressed data, but does not compare it.
        let stated = frame.get_checksum_from_data();
        if stated.is_some() && stated != frame.get_calculated_checksum() {
            return Err(broken("its checksum is wrong"));
        }
    }
    Ok(())
}
