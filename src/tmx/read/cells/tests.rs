//! Cells in every encoding, short, long and broken.

use super::*;

fn all(data: &CellData<'_>, width: u32, height: u32) -> Result<Vec<u32>, String> {
    let decoded = decode(data, UVec2::new(width, height), false, &mut 0);
    decoded.map(|(cells, _)| cells).map_err(|error| error.to_string())
}

fn text(encoding: Option<&str>, compression: Option<&str>, text: &str) -> CellData<'static> {
    let encoding = Encoding::parse(encoding, compression).unwrap();
    CellData { encoding, text: text.to_owned().into(), numbers: Vec::new() }
}

#[test]
fn csv_takes_white_space_and_a_last_comma() {
    let csv = |source| all(&text(Some("csv"), None, source), 2, 2);
    assert_eq!(csv("1,2,\r\n3 ,\t4294967295,\n"), Ok(vec![1, 2, 3, u32::MAX]));
    for bad in
        ["1,2,3", "1,2,3,4,5", "1;2;3;4", "1,2,,4", "-1,2,3,4", "1,2,3,4294967296", "1 2,3,4"]
    {
        assert!(csv(bad).is_err(), "{bad}");
    }
}

#[cfg(feature = "zstd")]
#[test]
fn every_encoding_yields_the_same_cells() {
    use base64::Engine;
    use std::io::Write;
    let cells: Vec<u32> = (0..5_000).map(|i| (i * 7 % 91) | ((i % 3) << 30)).collect();
    let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    zlib.write_all(&bytes).unwrap();
    gzip.write_all(&bytes).unwrap();
    let zstd =
        ruzstd::encoding::compress_to_vec(&bytes[..], ruzstd::encoding::CompressionLevel::Fastest);
    for (compression, packed) in [
        (None, bytes),
        (Some("zlib"), zlib.finish().unwrap()),
        (Some("gzip"), gzip.finish().unwrap()),
        (Some("zstd"), zstd),
    ] {
        let encoded = base64::engine::general_purpose::STANDARD.encode(&packed);
        let data = |source: &str| text(Some("base64"), compression, source);
        assert_eq!(all(&data(&encoded), 100, 50), Ok(cells.clone()), "{compression:?}");
        let (start, end) = encoded.split_at(encoded.len() / 2);
        let wrapped = format!("\n  {start}\n {end}  \n");
        assert_eq!(all(&data(&wrapped), 100, 50), Ok(cells.clone()));
        assert!(all(&data(&encoded), 100, 51).is_err(), "too few");
        assert!(all(&data(&encoded), 100, 49).is_err(), "too many");
        let cut = &encoded[..encoded.len() / 2 / 4 * 4];
        assert!(all(&data(cut), 100, 50).is_err(), "cut in half");
        if compression.is_some() {
            let mut followed = packed.clone();
            followed.extend_from_slice(b"junk");
            let followed = base64::engine::general_purpose::STANDARD.encode(followed);
            assert!(all(&data(&followed), 100, 50).is_err(), "{compression:?} with junk");
        }
    }
}

#[test]
fn unknown_encodings_are_named() {
    assert!(Encoding::parse(Some("hex"), None).is_err());
    assert!(Encoding::parse(Some("base64"), Some("lzma")).is_err());
    assert!(Encoding::parse(Some("csv"), Some("zlib")).is_err());
    assert_eq!(Encoding::parse(None, None).unwrap(), None);
}

#[test]
fn streams_of_nothing_are_refused_before_they_cost_time() {
    use base64::Engine;
    use std::io::Write;
    let member = |bytes: &[u8]| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    };
    let encoded = |members: &[u8]| {
        let text = base64::engine::general_purpose::STANDARD.encode(members);
        self::text(Some("base64"), Some("gzip"), &text)
    };
    let cell = member(&[1, 0, 0, 0]);
    assert_eq!(all(&encoded(&cell.repeat(4)), 2, 2), Ok(vec![1; 4]));
    let empty = member(&[]);
    let mut many = empty.repeat(300_000);
    many.extend(&cell);
    let error = all(&encoded(&many), 1, 1).unwrap_err();
    assert!(error.contains(WASTEFUL), "{error}");
    // An amount that one layer spends is gone for the next ones.
    let mut few = empty.repeat(100);
    few.extend(&cell);
    let mut spent = SPARE_INPUT - 3_000;
    let mut cells = || decode(&encoded(&few), UVec2::ONE, false, &mut spent).is_ok();
    assert_eq!([cells(), cells()], [true, false]);
}
