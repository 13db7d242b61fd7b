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
//! # The format, version 4
//! Numbers are little-endian. A *text* is its number of bytes (32 bits), then its bytes in UTF-8. A *list* is
//! its number of items (32 bits), then the items.
//!
//! | bytes | field |
//! |---|---|
//! | 0 | `89 42 57 4c 0d 0a 1a 0a` |
//! | 8 | the version, 32 bits |
//! | 12 | the content hash, 64 bits: XXH3 of the bytes after it, with seed 0 |
//! | 20 | the content |
//!
//! The *content* is x and y of the origin (32 bits each); a *terrain*; a list of areas: name (text),
//! categories (64 bits), *terrain*; and a list of *markers*.
//!
//! A *terrain* starts with the columns and rows of its grid, and the width and height of a cell in pixels (32
//! bits each). Five bytes follow: 1 for each side beyond which the space is open, in the order left, right,
//! up, down, and 1 for a terrain with one-way cells, else 0. Then come the *grid* of its solid cells, and for
//! a terrain with one-way cells their four *grids*, in the order of the sides.
//!
//! A *grid* is a list of its blocks of 64 x 64 cells that have a solid cell, row by row: block column and
//! block row (32 bits each); 64 bits, of which bit i is set if row i of the block differs from the row above
//! it, where an empty row is above the first one; and each of these rows in 64 bits, bit 0 for the first
//! column. If no bit is set, all cells of the block are solid, and no row follows.
//!
//! A *marker* is its name, class and layer (texts); object, map, left, top, right, bottom (32 bits each); its
//! shape (8 bits): 0 rectangle, 1 point, 2 ellipse, 3 capsule, 4 polygon, 5 polyline; its rotation (float);
//! the list of its points, x and y (32 bits each); its tile: 8 bits, 0 for none, else 1, and then its tileset
//! (text), its id (32 bits), and 1 or 0 (8 bits each) if it is mirrored left to right and top to bottom; and
//! *members*: a list in the order of the names, with a name (text), a kind (8 bits) and a value: 0 flag (8
//! bits), 1 number, 2 float, 3 text, 4 color (text), 5 object, 6 list of kinds and values, 7 class (text and
//! *members*), 8 point.

mod format;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

use twox_hash::XxHash3_64;

use crate::level::Level;
use crate::terrain::Terrain;
use crate::text::printable;
use format::{LevelReader, LevelWriter};

/// The first bytes of a baked level. As in a PNG file, they reveal damage by a transfer in text mode.
const MAGIC: [u8; 8] = *b"\x89BWL\r\n\x1a\n";

const VERSION: u32 = 4;

/// The number of bytes before the content.
const HEADER: usize = 20;

/// The smallest number of bytes that a named area takes. A stated number of areas is checked with it before
/// memory is allocated.
const LEAST_AREA: usize = 37;

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
    /// Reads a baked level. O(bytes + blocks of 64 x 64 cells with a solid cell), plus O(cells / 64) for a
    /// grid of up to 2^24 cells.
    ///
    /// # Errors
    /// Fails with [`BakeError`] for bytes that `bake` did not write: foreign, damaged, cut off, too long, of
    /// another version, or with contradictory content. Memory is counted before it is allocated: at most 64
    /// MiB plus 16 times the length of the file, including the bytes themselves.
    pub fn decode(bytes: impl AsRef<[u8]>) -> Result<Self, BakeError> {
        let (content_hash, content) = open(bytes.as_ref())?;
        let level = read_level(content)?;
        Ok(Self { level, content_hash })
    }
}

impl Level {
    /// Returns the level as the bytes of a `.bwl` file, for [`Level::from_baked`]. The bytes are the same on
    /// every machine. See [`baked`](crate::baked) for the format.
    ///
    /// O(cells / 64).
    ///
    /// # Errors
    /// Fails with [`BakeError::TooDeep`] if the properties of a marker are nested more than 64 deep, and with
    /// [`BakeError::NoMemory`].
    pub fn bake(&self) -> Result<Vec<u8>, BakeError> {
        let mut out = LevelWriter::default();
        out.ivec2(self.origin());
        out.terrain(self.terrain())?;
        out.count(self.areas().len())?;
        for area in self.areas() {
            out.text(&area.name)?;
            out.u64(area.category);
            out.terrain(&area.terrain)?;
        }
        out.markers(self.markers())?;
        seal(&out.0)
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

/// Returns the bytes of a baked level with this content.
fn seal(content: &[u8]) -> Result<Vec<u8>, BakeError> {
    let length = HEADER + content.len();
    let mut file = Vec::new();
    file.try_reserve_exact(length).map_err(|_| BakeError::NoMemory)?;
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend(XxHash3_64::oneshot(content).to_le_bytes());
    file.extend(content);
    Ok(file)
}

/// Checks the header of a baked level. Returns the content hash and the content.
fn open(bytes: &[u8]) -> Result<(u64, &[u8]), BakeError> {
    let known = bytes.len().min(MAGIC.len());
    if known == 0 || bytes[..known] != MAGIC[..known] {
        return Err(BakeError::Foreign);
    }
    let (header, content) = bytes.split_at_checked(HEADER).ok_or(BakeError::Checksum)?;
    let (numbers, _) = header[MAGIC.len()..].as_chunks();
    let found = u32::from_le_bytes(numbers[0]);
    if found != VERSION {
        return Err(BakeError::OtherVersion { found });
    }
    let content_hash =
        u64::from(u32::from_le_bytes(numbers[1])) | u64::from(u32::from_le_bytes(numbers[2])) << 32;
    if XxHash3_64::oneshot(content) != content_hash {
        return Err(BakeError::Checksum);
    }
    Ok((content_hash, content))
}

fn read_level(content: &[u8]) -> Result<Level, BakeError> {
    let mut input = LevelReader::new(content);
    let origin = input.ivec2()?;
    let mut level = Level::new(input.terrain()?).with_origin(origin);
    // Names are compared in a set: a search of the level for each name would take minutes for a file of 30
    // MB.
    let mut names = BTreeSet::new();
    for _ in 0..input.count(LEAST_AREA)? {
        let name = input.text()?;
        // Memory is counted for one copy of the name in the set `names`, and for three entries in the growing
        // list of areas.
        input.allot_all::<u8>(name.len())?;
        input.allot_all::<([String; 3], [Terrain; 3])>(1)?;
        if !names.insert(name.clone()) {
            return Err(input.fault(format!("two areas are named `{}`", printable(&name))));
        }
        let category = input.u64()?;
        level.push_area(name, input.terrain()?, category);
    }
    let level = level.with_markers(input.markers()?);
    input.finish()?;
    Ok(level)
}

/// The error of baking a level, or of reading a baked level. `Display` writes the place, the fault, and one
/// remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BakeError {
    /// The bytes do not start like a baked level.
    Foreign,
    /// The level is in another version of the format.
    OtherVersion {
        /// The version of the level's format.
        found: u32,
    },
    /// The content hash of the baked level is wrong: the bytes were changed, or some are missing.
    Checksum,
    /// The content hash is right, but the content is not valid: bitwall never writes such a level.
    Content {
        /// The offset of the fault from the start of the file, in bytes.
        offset: u64,
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
            Self::OtherVersion { found } => {
                format!(
                    "a baked level of version {found}, but this program reads version {VERSION}"
                )
            }
            Self::Checksum => {
                "a baked level that is damaged or cut off: it has another checksum".to_owned()
            }
            Self::Content { offset, reason } => {
                format!("a baked level with a fault at byte {offset}: {reason}")
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
            Self::OtherVersion { .. } => {
                "bake the level with the version of bitwall that this program is built with"
            }
            Self::Checksum | Self::Content { .. } => {
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
