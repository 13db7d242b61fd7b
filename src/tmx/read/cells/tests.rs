//! Tests cell data in every encoding: valid, too short, too long and broken.

use base64::Engine;

use super::*;

fn all(data: &CellData<'_>, width: u32, height: u32) -> Result<Vec<u32>, String> {
    let decoded = decode(data, UVec2::new(width, height), &mut 0);
    let decoded = decoded.and_then(|(cells, fault)| fault.map_or(Ok(cells), Err));
    decoded.map_err(|error| error.to_string())
}

fn text(encoding: Option<&str>, compression: Option<&str>, text: &str) -> CellData<'static> {
    let encoding = Encoding::parse(encoding, compression).unwrap();
    CellData { encoding, text: text.to_owned().into(), numbers: Vec::new() }
}

#[test]
fn csv_may_have_white_space_and_a_trailing_comma() {
    let csv = |source| all(&text(Some("csv"), None, source), 2, 2);
    assert_eq!(csv("1,2,\r\n3 ,\t4294967295,\n"), Ok(vec![1, 2, 3, u32::MAX]));
    for bad in
        ["1,2,3", "1,2,3,4,5", "1;2;3;4", "1,2,,4", "-1,2,3,4", "1,2,3,4294967296", "1 2,3,4"]
    {
        assert!(csv(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_number_may_have_a_fraction_of_zeros() {
    let csv = |source| all(&text(Some("csv"), None, source), 2, 2);
    assert_eq!(csv("1.0,2.000 ,\n3,4.0"), Ok(vec![1, 2, 3, 4]));
    for bad in ["1.5,2,3,4", "1.05,2,3,4", "1.0.0,2,3,4", ".0,2,3,4", "1.0 2.0,3,4"] {
        assert!(csv(bad).is_err(), "{bad}");
    }
}

#[cfg(feature = "zstd")]
#[test]
fn every_encoding_yields_the_same_cells() {
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
fn unknown_encodings_of_cell_data_are_refused() {
    assert!(Encoding::parse(Some("hex"), None).is_err());
    assert!(Encoding::parse(Some("base64"), Some("lzma")).is_err());
    assert!(Encoding::parse(None, Some("zlib")).is_err());
    assert_eq!(Encoding::parse(None, None).unwrap(), None);
}

#[test]
fn gzip_data_may_have_several_members() {
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
    let mut many = member(&[]).repeat(1_000);
    many.extend(&cell);
    assert_eq!(all(&encoded(&many), 1, 1), Ok(vec![1]));
}

#[test]
fn base64_of_every_length_is_decoded_with_and_without_padding() {
    let mut random = fastrand::Rng::with_seed(3);
    let lengths = (0..70).chain(BYTES - 3..BYTES + 4).chain([2 * BYTES, 2 * BYTES + 5]);
    for length in lengths {
        let bytes: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
        let text = BASE64.encode(&bytes);
        for text in [text.as_str(), text.trim_end_matches('=')] {
            let mut read = Vec::new();
            let count = base64_text(text.as_bytes()).read_to_end(&mut read);
            assert_eq!((count.unwrap(), &read), (length, &bytes));
        }
    }
}

#[test]
fn a_base64_error_has_its_position_in_the_whole_text() {
    let bad = |text: &[u8]| {
        let error = base64_text(text).read_to_end(&mut Vec::new()).unwrap_err();
        error.to_string()
    };
    const CHARACTERS: usize = 4 << 10;
    let mut text = vec![b'A'; 2 * CHARACTERS];
    text[CHARACTERS + 6] = b'!';
    assert!(bad(&text).contains(&format!("offset {}", CHARACTERS + 6)), "{}", bad(&text));
    text[CHARACTERS + 6] = b'A';
    text[CHARACTERS - 1] = b'=';
    assert!(bad(&text).contains(&format!("offset {}", CHARACTERS - 1)), "{}", bad(&text));
    assert!(bad(b"AAAA=AAA").contains("offset 4"), "{}", bad(b"AAAA=AAA"));
    assert!(!bad(b"A").is_empty());
}
