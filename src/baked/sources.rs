//! The files and options that a level was baked from, by their hashes: so a tool can tell that a baked level
//! is out of date. A game does not read them.

use twox_hash::XxHash3_64;

use super::format::{BakedSection, SectionWriter, open};
use super::{BakeError, ROOM, ROOM_A_BYTE};
use crate::grid::Room;

/// The fewest bytes of a stored source.
const LEAST_SOURCE: usize = 20;

/// The files and options that a level was baked from. `bitwall bake` stores them, and `bitwall bake --check`
/// compares them with the files on the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BakedSources {
    /// The [`hash`] of the load options, in a form that the writing tool chooses.
    pub options: u64,
    /// The files that the level was read from, its own first.
    pub files: Vec<SourceFile>,
}

/// A file that a level was baked from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path from the folder of the baked file, with `/`.
    pub path: String,
    /// The number of first bytes that count: [`u64::MAX`] for all of them. 0 for a folder, of which the names
    /// in it count.
    pub length: u64,
    /// The [`hash`] of what counts.
    pub hash: u64,
}

/// The hash of the format: XXH3 with 64 bits and seed 0. It finds accidental changes, of which one in 2^64
/// has the same hash; it is no protection from a person who makes a file with a given hash.
pub fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

impl BakedSources {
    /// Reads the sources of a baked level; `None` if it was baked without them. O(bytes).
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
    /// [`BakeError`] for bytes that are no baked level, for damaged ones, and for wrong sources. The level
    /// itself is not decoded.
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
