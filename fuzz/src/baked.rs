//! Baked levels: sections with any content and correct checksums, in the format that the documentation of
//! `bitwall::baked` describes. An input is the length of each of the four sections as 16 bits, and their
//! bytes. The seeds are real files in this form. A level that can be read must bake to the same bytes, and no
//! file may take more memory than the limit in the documentation of [`BakedLevel::decode`].

use bitwall::baked::{BakeError, BakedLevel};
use bitwall::{LoadOptions, LoadedLevel};
use twox_hash::XxHash3_64;

use crate::{peak_bytes, visit};

pub fn run(data: &[u8]) {
    // The unchanged bytes are a foreign or damaged file.
    assert!(BakedLevel::decode(data).is_err());
    let Some(file) = sealed(data) else {
        return;
    };
    let (decoded, peak) = peak_bytes(|| BakedLevel::decode(file.clone()));
    assert!(peak <= (64 << 20) + 16 * file.len(), "{peak} bytes for a file of {}", file.len());
    match decoded {
        Ok(baked) => {
            let again = BakedLevel::decode(baked.level.bake().expect("bytes")).expect("a level");
            assert!(again.level.grid() == baked.level.grid());
            let options = LoadOptions::default();
            // A level made in code has areas of any size, but `visit` expects the areas of a loaded level.
            if baked.level.areas().iter().all(|area| area.terrain.size() == baked.level.size()) {
                visit(LoadedLevel::decode("a.bwl", &file, (), &options), &options);
            }
        }
        Err(BakeError::Content { .. } | BakeError::NoMemory) => {}
        Err(other) => panic!("{other}"),
    }
}

/// Makes a baked file with correct checksums from the sections in `data`.
fn sealed(data: &[u8]) -> Option<Vec<u8>> {
    let (lengths, mut rest) = data.split_at_checked(2 * 4)?;
    let (mut table, mut sections) = (Vec::<u8>::new(), Vec::<u8>::new());
    for (number, length) in (1u64..).zip(lengths.chunks_exact(2)) {
        let length = 8 * usize::from(u16::from_le_bytes([length[0], length[1]]));
        let (section, after) = rest.split_at(length.min(rest.len() / 8 * 8));
        rest = after;
        let fields = [number, section.len() as u64, XxHash3_64::oneshot(section)];
        table.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
        sections.extend(section);
    }
    let mut file = b"\x89BWL\r\n\x1a\n\x01\0\0\0".to_vec();
    file.extend(4u32.to_le_bytes());
    file.extend((40 + table.len() as u64 + sections.len() as u64).to_le_bytes());
    file.extend(XxHash3_64::oneshot(&table).to_le_bytes());
    let head = [&file[..], &table].concat();
    file.extend(XxHash3_64::oneshot(&head).to_le_bytes());
    file.extend(table);
    file.extend(sections);
    Some(file)
}
