//! Baked levels: any content with a correct checksum, in the format that the documentation of
//! `bitwall::baked` describes. An input is the content, without the header. The seeds are real files in this
//! form. A level that can be read must bake to the same bytes, and no file may take more memory than the
//! limit in the documentation of [`BakedLevel::decode`].

use bitwall::baked::{BakeError, BakedLevel};
use bitwall::{LoadOptions, LoadedLevel};
use twox_hash::XxHash3_64;

use crate::{peak_bytes, visit};

pub fn run(data: &[u8]) {
    // The unchanged bytes are a foreign or damaged file.
    assert!(BakedLevel::decode(data).is_err());
    let file = sealed(data);
    let (decoded, peak) = peak_bytes(|| BakedLevel::decode(file.clone()));
    assert!(peak <= (64 << 20) + 16 * file.len(), "{peak} bytes for a file of {}", file.len());
    match decoded {
        Ok(baked) => {
            assert!(baked.level.bake().expect("bytes") == file);
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

/// Makes a baked file with a correct checksum from its content.
fn sealed(content: &[u8]) -> Vec<u8> {
    let mut file = b"\x89BWL\r\n\x1a\n\x04\0\0\0".to_vec();
    file.extend(XxHash3_64::oneshot(content).to_le_bytes());
    file.extend(content);
    file
}
