//! A mask takes memory for its bits and about one row of pixels, not for all pixels.

use std::fs::File;
use std::io::BufWriter;

use crate::shared::limited_command;

/// 8,192 x 8,192 pixels of four bytes are 256 MiB; their bits, twice, are 16 MiB.
const SIDE: u32 = 8_192;
const LIMIT_KIB: u64 = 64 << 10;

#[test]
fn a_mask_loads_in_a_quarter_of_the_memory_of_its_pixels() {
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

/// Columns of black and white, 32 pixels each, written row by row.
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
