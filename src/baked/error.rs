//! The error of a level that could not be baked, or of bytes that are no baked level.

use std::fmt;

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// The reason that a level could not be baked, or a baked level not be read.
///
/// `Display` writes the place, the fault, and one thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BakeError {
    /// The bytes do not begin as a baked level does.
    Foreign,
    /// A later version of bitwall wrote the level.
    Newer {
        /// The version of its format.
        found: u32,
    },
    /// There are fewer or more bytes than the level has.
    Length {
        /// The number of bytes given.
        found: u64,
        /// The number that the level states.
        stated: u64,
    },
    /// The bytes are not those that were written: a part of them has another checksum.
    Checksum {
        /// The part: see the table of sections in [`baked`](crate::baked).
        section: &'static str,
    },
    /// The bytes are as they were written, but no writer of bitwall makes such a level.
    Content {
        /// The part: see the table of sections in [`baked`](crate::baked).
        section: &'static str,
        /// The byte in this part at which the fault was found, if it is known.
        offset: Option<u64>,
        /// The fault, in plain words.
        reason: String,
    },
    /// Properties of a marker lie inside each other more than 64 deep.
    TooDeep,
    /// The level would take more memory than a file of its length may.
    TooLarge {
        /// The most bytes that it may take.
        limit: u64,
    },
    /// To find the causes of the cells takes too much work.
    TooMuchWork {
        /// The most steps of work.
        limit: u64,
    },
    /// There is no memory for the level or for its bytes, or it has more than a file can count.
    NoMemory,
}

impl BakeError {
    /// The fault, in plain words, with its place.
    pub fn headline(&self) -> String {
        match self {
            Self::Foreign => "not a baked level".to_owned(),
            Self::Newer { found } => format!(
                "a baked level of version {found}, but this program reads version {}",
                VERSION
            ),
            Self::Length { found, stated } => {
                let fault = if found < stated { "cut off" } else { "too long" };
                format!("a baked level that is {fault}: {found} bytes, but it states {stated}")
            }
            Self::Checksum { section } => {
                format!("a baked level that was damaged: section `{section}` has another checksum")
            }
            Self::Content { section, offset: Some(offset), reason } => {
                format!(
                    "a baked level with a fault in section `{section}`, byte {offset}: {reason}"
                )
            }
            Self::Content { section, offset: None, reason } => {
                format!("a baked level with a fault in section `{section}`: {reason}")
            }
            Self::TooDeep => "the properties of a marker are nested over 64 deep".to_owned(),
            Self::TooLarge { limit } => {
                format!("a baked level of this length may take {limit} bytes, but it takes more")
            }
            Self::TooMuchWork { limit } => format!(
                "the causes of the cells take more than {limit} steps of work (the limit `work`)"
            ),
            Self::NoMemory => "there is no memory for the level".to_owned(),
        }
    }

    /// One thing to do about it.
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
            Self::TooMuchWork { .. } => "raise the limit, or bake the level without its causes",
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
