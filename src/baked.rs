//! Baked levels (`.bwl`): a level in a binary format that a game reads without a loader.
//!
//! A tool or a build script writes a loaded level with [`Level::bake`]. The game reads the bytes with
//! [`Level::from_baked`]. With `default-features = false, features = ["baked"]`, it contains no reader of XML
//! or pictures. A baked level has the solid and one-way cells, named areas, markers and origin of its source,
//! and states whether the space beyond each side is solid. It does not say why a cell is solid: the loaded
//! source does. The bytes depend only on the level, not on the machine, so `bitwall bake --check` bakes again
//! to find a baked level that is out of date. No file is opened here.
//!
//! # From a `build.rs`
//! `Cargo.toml` needs `bitwall` twice: as a build dependency with its loaders, and as a dependency with only
//! the feature `baked`:
//!
//! ```
//! # #[cfg(feature = "tmx")] {
//! // build.rs
//! use bitwall::Level;
//!
//! let level = Level::load("assets/cave.tmx")?;
//! # let folder = std::env::temp_dir().join(format!("bitwall-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let out = folder.join("cave.bwl");
//! // let out = std::path::Path::new(&std::env::var("OUT_DIR")?).join("cave.bwl");
//! std::fs::write(&out, level.bake()?)?;
//!
//! // main.rs
//! // static CAVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cave.bwl"));
//! # let cave = std::fs::read(&out)?;
//! # std::fs::remove_dir_all(&folder)?;
//! # #[allow(non_snake_case)] let CAVE = cave;
//! let baked = Level::from_baked(CAVE)?;
//! assert_eq!(baked.grid(), level.grid());
//! assert_eq!(baked.markers(), level.markers());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The format, version 1
//! Numbers are little-endian. A *text* is its number of bytes (32 bits), then its bytes in UTF-8. A *list* is
//! its number of items (32 bits), then the items. Hashes are XXH3 with 64 bits and seed 0.
//!
//! | bytes | field |
//! |---|---|
//! | 0 | `89 42 57 4c 0d 0a 1a 0a` |
//! | 8 | the version, 32 bits |
//! | 12 | the number of sections, 32 bits: 4 |
//! | 16 | the length of the file in bytes, 64 bits |
//! | 24 | the content hash: the hash of the table |
//! | 32 | the checksum: the hash of the 32 bytes before it and of the table |
//! | 40 | the table, 24 bytes per section: its number from 1, its length in bytes, its hash (64 bits each) |
//!
//! The sections follow in the order of the table, each padded with zeros to a multiple of 8 bytes:
//!
//! 1. `level`: x and y of the origin (32 bits each); a *terrain*; a list of areas: name (text), categories
//!    (64 bits), *terrain*.
//! 2. `markers`: a list: name, class and layer (texts); object, left, top, right, bottom (32 bits each); 8
//!    bits, which are 1 for a point and 0 otherwise; *members*.
//! 3. `grids`: the *directories* of the grids. For each terrain: its cells, then its non-empty grids of
//!    one-way cells, in the order left, right, up, down.
//! 4. `blocks`: the blocks of all grids, 512 bytes each; equal blocks are stored once.
//!
//! A *terrain* starts with the columns and rows of its grid, and the width and height of a cell in pixels (32
//! bits each). Two bytes follow: the sides beyond which the space is open, and the sides from which some
//! cells are one-way. Bits 0 to 3 stand for left, right, up, down. Bit 7 of the second byte is set for a
//! terrain with grids of one-way cells. *Members* are a list in the order of the names: a name (text), a kind
//! (8 bits) and a value: 0 flag (8 bits), 1 number, 2 float, 3 text, 4 color (text), 5 object, 6 list of
//! kinds and values, 7 class (text and *members*).
//!
//! A *directory* starts with the number of blocks of 64 x 64 cells with a solid cell (32 bits). Then come 32
//! bits for each block of the grid, row by row: 0 for an empty block, 1 for a full block, 2 + i for block i.
//! If fewer than a third of the blocks have a solid cell, only these blocks are listed: block column, block
//! row, and the same number. Block numbers follow the order of first use. A block is 64 rows of 64 bits, bit
//! 0 for the first column.

mod format;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

use crate::grid::Room;
use crate::level::Level;
use crate::terrain::Terrain;
use crate::text::printable;
use format::{BakedSection, Envelope, SectionWriter, TerrainReader, TerrainWriter, open, seal};

/// The smallest number of bytes that a named area takes in the section `level`. A stated number of areas is
/// checked with it before memory is allocated.
const LEAST_AREA: usize = 30;

/// The largest memory of a level in bytes is this amount plus [`ROOM_A_BYTE`] for each byte of its file. The
/// documented limit, 64 MiB plus 16 times the file, also covers the file itself and the allocator.
const ROOM: u64 = 60 << 20;
const ROOM_A_BYTE: u64 = 14;

/// A level read from its baked bytes, with its content hash.
///
/// ```
/// use bitwall::baked::BakedLevel;
/// use bitwall::{Grid, Level, glam::UVec2};
///
/// let level = Level::from_grid(Grid::from_text("#..#\n####")?, UVec2::splat(16))?;
/// let baked = BakedLevel::decode(level.bake()?)?;
/// assert_eq!(baked.level.grid(), level.grid());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BakedLevel {
    /// The level.
    pub level: Level,
    /// The hash of the level. Equal levels have equal hashes on every machine. A saved game or a server can
    /// store the hash to recognize the level.
    pub content_hash: u64,
}

impl BakedLevel {
    /// Reads a baked level. O(bytes), about as fast as memory is read, plus O(cells / 64) for a grid of up to
    /// 2^24 cells.
    ///
    /// # Errors
    /// Fails with [`BakeError`] for bytes that `bake` did not write: foreign, damaged, cut off, too long, of
    /// a later version, or with contradictory content. Memory is counted before it is allocated: at most 64
    /// MiB plus 16 times the length of the file, including the bytes themselves.
    pub fn decode(bytes: impl AsRef<[u8]>) -> Result<Self, BakeError> {
        Self::of_slice(bytes.as_ref())
    }

    fn of_slice(bytes: &[u8]) -> Result<Self, BakeError> {
        let envelope = open(bytes)?;
        let room = Room::new(ROOM + ROOM_A_BYTE * bytes.len() as u64);
        let level = read_level(&envelope, &room)?;
        Ok(Self { level, content_hash: envelope.content_hash })
    }
}

impl Level {
    /// Returns the level as the bytes of a `.bwl` file, for [`Level::from_baked`]. The bytes are the same on
    /// every machine. See [`baked`](crate::baked) for the format. O(cells / 64).
    ///
    /// # Errors
    /// Fails with [`BakeError::TooDeep`] if the properties of a marker are nested more than 64 deep, and with
    /// [`BakeError::NoMemory`].
    pub fn bake(&self) -> Result<Vec<u8>, BakeError> {
        let mut out = SectionWriter::default();
        let mut markers = SectionWriter::default();
        let mut terrains = TerrainWriter::default();
        let origin = self.origin();
        out.i32(origin.x);
        out.i32(origin.y);
        terrains.write(self.terrain(), &mut out)?;
        out.count(self.areas().len())?;
        for area in self.areas() {
            out.text(&area.name)?;
            out.u64(area.category);
            terrains.write(&area.terrain, &mut out)?;
        }
        format::write_markers(self.markers(), &mut markers)?;
        let (grids, blocks) = terrains.finish();
        seal(&[out.finish(), markers.finish(), grids, blocks])
    }

    /// Reads a level from bytes that were written by [`Level::bake`].
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Level, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("#..#\n####")?, UVec2::splat(16))?;
    /// let baked = Level::from_baked(level.bake()?)?;
    /// assert_eq!(baked.sweep(Aabb::from_xywh(16, 0, 12, 12), Dir::Right, 99).moved, 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The same errors as [`BakedLevel::decode`](crate::baked::BakedLevel::decode).
    pub fn from_baked(bytes: impl AsRef<[u8]>) -> Result<Self, BakeError> {
        Ok(BakedLevel::decode(bytes)?.level)
    }
}

fn read_level(envelope: &Envelope<'_>, room: &Room) -> Result<Level, BakeError> {
    let mut input = envelope.section(BakedSection::Level, room);
    let (grids, blocks) =
        (envelope.bytes(BakedSection::Grids), envelope.bytes(BakedSection::Blocks));
    let mut terrains = TerrainReader::new(grids, blocks, room)?;
    let origin = input.ivec2()?;
    let mut level = Level::new(terrains.read(&mut input)?).with_origin(origin);
    // Names are compared in a set: a search of the level for each name would take minutes for a file of 30
    // MB.
    let mut names = BTreeSet::new();
    for _ in 0..input.count(LEAST_AREA)? {
        let name = input.text()?;
        // Memory is counted for one copy of the name in the set `names`, and for three entries in the growing
        // list of areas.
        input.allot::<u8>(name.len())?;
        input.allot::<([String; 3], [Terrain; 3])>(1)?;
        if !names.insert(name.clone()) {
            return Err(input.fault(format!("two areas are named `{}`", printable(&name))));
        }
        let category = input.u64()?;
        level.push_area(name, terrains.read(&mut input)?, category);
    }
    input.finish()?;
    terrains.finish()?;
    let mut input = envelope.section(BakedSection::Markers, room);
    let level = level.with_markers(format::read_markers(&mut input)?);
    input.finish()?;
    Ok(level)
}

const VERSION: u32 = 1;

/// The error of baking a level, or of reading a baked level. `Display` writes the place, the fault, and one
/// remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BakeError {
    /// The bytes do not start like a baked level.
    Foreign,
    /// The level was written by a later version of bitwall.
    Newer {
        /// The version of the level's format.
        found: u32,
    },
    /// The number of bytes differs from the number stated in the header of the baked level.
    Length {
        /// The number of given bytes.
        found: u64,
        /// The number of bytes stated in the header.
        stated: u64,
    },
    /// The checksum of a section or of the header of the baked level is wrong: the bytes were changed.
    Checksum {
        /// The damaged section, by its name in the description of the format in [`baked`](crate::baked), or
        /// `header`.
        section: &'static str,
    },
    /// The checksums are right, but the content is not valid: bitwall never writes such a level.
    Content {
        /// The section with the fault, by its name in the description of the format in
        /// [`baked`](crate::baked).
        section: &'static str,
        /// The offset of the fault from the start of the section, in bytes, if known.
        offset: Option<u64>,
        /// The fault, in plain words.
        reason: String,
    },
    /// The properties of a marker are nested more than 64 deep.
    TooDeep,
    /// The level would take more memory than is allowed for a file of its length.
    TooLarge {
        /// The largest number of bytes that the level may take.
        limit: u64,
    },
    /// The memory does not suffice for the level or for its bytes, or a count does not fit the format.
    NoMemory,
}

impl BakeError {
    /// Returns the fault in plain words, with its place in the baked level if known.
    pub fn headline(&self) -> String {
        match self {
            Self::Foreign => "not a baked level".to_owned(),
            Self::Newer { found } => {
                format!(
                    "a baked level of version {found}, but this program reads version {VERSION}"
                )
            }
            Self::Length { found, stated } => {
                let fault = if found < stated { "cut off" } else { "too long" };
                format!("a baked level that is {fault}: {found} bytes, but it states {stated}")
            }
            Self::Checksum { section } => {
                format!("a baked level that was damaged: section `{section}` has another checksum")
            }
            Self::Content { section, offset, reason } => {
                let byte = offset.map_or(String::new(), |offset| format!(", byte {offset}"));
                format!("a baked level with a fault in section `{section}`{byte}: {reason}")
            }
            Self::TooDeep => "the properties of a marker are nested over 64 deep".to_owned(),
            Self::TooLarge { limit } => {
                format!("a baked level of this length may take {limit} bytes, but it takes more")
            }
            Self::NoMemory => "there is no memory for the level".to_owned(),
        }
    }

    /// Returns one remedy for the fault.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Foreign => "make the file with `bitwall bake`",
            Self::Newer { .. } => {
                "build this program with a newer bitwall, or bake the level again"
            }
            Self::Length { .. } | Self::Checksum { .. } | Self::Content { .. } => {
                "bake the level again from its source, and copy the file as it is"
            }
            Self::TooDeep => "nest the properties less deep",
            Self::TooLarge { .. } | Self::NoMemory => "make the level smaller",
        }
    }
}

impl fmt::Display for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.headline(), self.help())
    }
}

impl std::error::Error for BakeError {}
