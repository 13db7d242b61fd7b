//! The memory for a mask: the program needs its bits and about one row of pixels, not all pixels.

use std::fs::File;
use std::io::BufWriter;

use crate::shared::limited_command;

/// The width and height of the mask. Its pixels take 256 MiB at four bytes each; its bits, stored twice, take
/// 16 MiB.
const SIDE: u32 = 8_192;
const LIMIT_KIB: u64 = 64 << 10;

#[test]
fn a_mask_loads_in_a_quarter_of_the_memory_that_its_pixels_would_take() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.png");
    write_large_mask(&path);
    let output = limited_command(&path, LIMIT_KIB, "info").output().unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{err}");
    assert!(out.contains("8192 x 8192 px"), "{out}");
    assert!(out.contains("solid     33554432 cells, 50.0%"), "{out}");
}

/// Writes a mask of black and white columns, 32 pixels wide each, row by row.
fn write_large_mask(path: &std::path::Path) {
    let file = BufWriter::new(File::create(path).unwrap());
    let mut encoder = png::Encoder::new(file, SIDE, SIDE);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fastest);
    let mut writer = encoder.write_header().unwrap();
    let mut rows = writer.stream_writer().unwrap();
    let row: Vec<u8> =
        (0..SIDE).flat_map(|x| if x / 32 % 2 == 0 { [0, 0, 0, 255] } else { [255; 4] }).collect();
    for _ in 0..SIDE {
        std::io::Write::write_all(&mut rows, &row).unwrap();
    }
    rows.finish().unwrap();
}
