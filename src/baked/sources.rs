//! Stores hashes of the files and options from which a level was baked, so that a tool can find out if a
//! baked level is out of date. A game does not read them.

use twox_hash::XxHash3_64;

use super::format::{BakedSection, SectionWriter, open};
use super::{BakeError, ROOM, ROOM_A_BYTE};
use crate::grid::Room;

/// The smallest number of bytes that a [`SourceFile`] takes in a baked level. A stated number of files is
/// checked with it before memory is allocated.
const LEAST_SOURCE: usize = 20;

/// Hashes of the files and options from which a level was baked. `bitwall bake` stores them.
/// `bitwall bake --check` compares them with the files on the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BakedSources {
    /// The [`hash`] of the load options. The tool that writes the level chooses the bytes that stand for the
    /// options.
    pub options: u64,
    /// The files from which the level was read. The level's own file is the first.
    pub files: Vec<SourceFile>,
}

/// A file or folder from which a level was baked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path relative to the folder of the baked file, with `/` between the names.
    pub path: String,
    /// The number of bytes that are hashed, from the start of the file: [`u64::MAX`] for the whole file. It
    /// is 0 for a folder: then the names of the files in it are hashed.
    pub length: u64,
    /// The [`hash`] of the file's first `length` bytes, or of the names of the files in a folder.
    pub hash: u64,
}

/// Returns the hash that the format of baked levels uses: XXH3 with 64 bits and seed 0. It finds accidental
/// changes, except for one in 2^64. It does not protect from a person who makes a file with a given hash.
pub fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

impl BakedSources {
    /// Reads the sources of a baked level. Returns `None` if it was baked without them. O(bytes).
    ///
    /// ```
    /// use bitwall::baked::{BakedSources, SourceFile, hash};
    /// use bitwall::load::BakeOptions;
    /// use bitwall::{LoadOptions, LoadedLevel};
    ///
    /// let loaded = LoadedLevel::load("assets/harbor_mask.png", &LoadOptions::default())?;
    /// let mask = std::fs::read("assets/harbor_mask.png")?;
    /// let file = SourceFile { path: "../mask.png".into(), length: u64::MAX, hash: hash(&mask) };
    /// let sources = BakedSources { options: 0, files: vec![file] };
    /// let options = BakeOptions { sources: Some(sources.clone()), ..BakeOptions::default() };
    /// assert_eq!(BakedSources::decode(&loaded.bake(&options)?)?, Some(sources));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails with [`BakeError`] for bytes that are not a baked level, for damaged bytes, and for invalid
    /// sources. The level itself is not decoded.
    pub fn decode(bytes: &[u8]) -> Result<Option<Self>, BakeError> {
        let envelope = open(bytes)?;
        if !envelope.has(BakedSection::Sources) {
            return Ok(None);
        }
        let room = Room::new(ROOM + ROOM_A_BYTE * bytes.len() as u64);
        let mut input = envelope.section(BakedSection::Sources, &room);
        let (options, mut files) = (input.u64()?, Vec::new());
        for _ in 0..input.count(LEAST_SOURCE)? {
            input.allot::<[SourceFile; 3]>(1)?;
            let (path, length, hash) = (input.text()?, input.u64()?, input.u64()?);
            files.push(SourceFile { path, length, hash });
        }
        if files.is_empty() {
            return Err(input.fault("there are sources, but no file"));
        }
        input.finish()?;
        Ok(Some(Self { options, files }))
    }

    pub(super) fn section(&self) -> Result<Vec<u8>, BakeError> {
        let mut out = SectionWriter::default();
        out.u64(self.options);
        out.count(self.files.len())?;
        for SourceFile { path, length, hash } in &self.files {
            out.text(path)?;
            out.u64(*length);
            out.u64(*hash);
        }
        Ok(out.finish())
    }
}
