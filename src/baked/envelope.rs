//! The envelope of a baked level: what it is, how long, and checksums of all its bytes.
//!
//! Nothing here knows the content of a section.

use twox_hash::XxHash3_64;

use super::error::{BakeError, VERSION};

/// The first bytes of a baked level. As in a PNG, a transfer as text breaks them.
const MAGIC: [u8; 8] = *b"\x89BWL\r\n\x1a\n";

/// The bytes before the table of sections.
const HEADER: usize = 40;

/// The bytes of a section in the table.
const ENTRY: usize = 24;

/// The parts of a file, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Level,
    Markers,
    Grids,
    Blocks,
    Causes,
}

impl Section {
    const ALL: [Self; 5] = [Self::Level, Self::Markers, Self::Grids, Self::Blocks, Self::Causes];

    /// The sections that every file has; the others may be left out.
    const REQUIRED: usize = 4;

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::Markers => "markers",
            Self::Grids => "grids",
            Self::Blocks => "blocks",
            Self::Causes => "causes",
        }
    }

    fn number(self) -> u32 {
        self as u32 + 1
    }
}

/// The file of these sections, which are in their order and filled up to a multiple of 8 bytes.
///
/// # Errors
/// [`BakeError::NoMemory`].
pub(super) fn seal(sections: &[(Section, Vec<u8>)]) -> Result<Vec<u8>, BakeError> {
    let mut table = Vec::new();
    let mut length = HEADER + ENTRY * sections.len();
    for (section, bytes) in sections {
        table.extend(u64::from(section.number()).to_le_bytes());
        table.extend((bytes.len() as u64).to_le_bytes());
        table.extend(XxHash3_64::oneshot(bytes).to_le_bytes());
        length = length.checked_add(bytes.len()).ok_or(BakeError::NoMemory)?;
    }
    let mut file = Vec::new();
    file.try_reserve_exact(length).map_err(|_| BakeError::NoMemory)?;
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend((sections.len() as u32).to_le_bytes());
    file.extend((length as u64).to_le_bytes());
    file.extend(content_hash(&table).to_le_bytes());
    file.extend(head_checksum(&file, &table).to_le_bytes());
    file.extend(table);
    sections.iter().for_each(|(_, bytes)| file.extend(bytes));
    Ok(file)
}

/// The sections of a file whose checksums are right, and its content hash.
#[derive(Debug)]
pub(super) struct Envelope<'b> {
    pub(super) content_hash: u64,
    /// In the order of [`Section::ALL`]; empty for one that was left out.
    sections: [&'b [u8]; Section::ALL.len()],
    pub(super) has_causes: bool,
}

impl<'b> Envelope<'b> {
    pub(super) fn section(&self, section: Section) -> &'b [u8] {
        self.sections[section as usize]
    }
}

/// Checks the envelope of a file. O(bytes), at the speed of memory.
///
/// # Errors
/// All of [`BakeError`] but those of the content of a section.
pub(super) fn open(bytes: &[u8]) -> Result<Envelope<'_>, BakeError> {
    let known = bytes.len().min(MAGIC.len());
    if known == 0 || bytes[..known] != MAGIC[..known] {
        return Err(BakeError::Foreign);
    }
    let cut_off = |stated: usize| {
        let (found, stated) = (bytes.len() as u64, stated as u64);
        BakeError::Length { found, stated }
    };
    let u32_at = |at: usize| bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    let u64_at = |at: usize| bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
    let version = u32_at(8).map(u32::from_le_bytes).ok_or(cut_off(HEADER))?;
    // Nothing is known of the rest of another version. Version 0 was never written.
    if version > VERSION {
        return Err(BakeError::Newer { found: version });
    }
    let head = bytes.get(..HEADER).ok_or(cut_off(HEADER))?;
    let count = u32_at(12).map_or(0, u32::from_le_bytes) as usize;
    let stated = u64_at(16).map_or(0, u64::from_le_bytes);
    let stored_hash = u64_at(24).map_or(0, u64::from_le_bytes);
    let checksum = u64_at(32).map_or(0, u64::from_le_bytes);
    if stated != bytes.len() as u64 {
        return Err(BakeError::Length { found: bytes.len() as u64, stated });
    }
    let damaged = BakeError::Checksum { section: "header" };
    if version != VERSION || !(Section::REQUIRED..=Section::ALL.len()).contains(&count) {
        return Err(damaged);
    }
    let (table, mut rest) =
        bytes[HEADER..].split_at_checked(ENTRY * count).ok_or(cut_off(HEADER + ENTRY * count))?;
    if head_checksum(&head[..32], table) != checksum || content_hash(table) != stored_hash {
        return Err(damaged);
    }
    let mut sections = [&bytes[..0]; Section::ALL.len()];
    for (section, entry) in Section::ALL.into_iter().zip(table.chunks_exact(ENTRY)) {
        let field = |at: usize| entry[at..at + 8].try_into().map_or(0, u64::from_le_bytes);
        let content = |reason: &str| BakeError::Content {
            section: "header",
            offset: None,
            reason: reason.to_owned(),
        };
        if field(0) != u64::from(section.number()) {
            return Err(content("a section is out of order"));
        }
        let length = usize::try_from(field(8)).ok().filter(|length| length % 8 == 0);
        let split = length.and_then(|length| rest.split_at_checked(length));
        let (found, after) = split.ok_or(content("a section has a wrong length"))?;
        if XxHash3_64::oneshot(found) != field(16) {
            return Err(BakeError::Checksum { section: section.name() });
        }
        sections[section as usize] = found;
        rest = after;
    }
    if !rest.is_empty() {
        let reason = "bytes follow the last section".to_owned();
        return Err(BakeError::Content { section: "header", offset: None, reason });
    }
    Ok(Envelope { content_hash: stored_hash, sections, has_causes: count > Section::REQUIRED })
}

/// The hash of the sections that every file has: of their lengths and hashes.
fn content_hash(table: &[u8]) -> u64 {
    XxHash3_64::oneshot(&table[..table.len().min(ENTRY * Section::REQUIRED)])
}

/// The checksum of the header before it, and of the table, which has those of the sections.
fn head_checksum(head: &[u8], table: &[u8]) -> u64 {
    XxHash3_64::oneshot(&[head, table].concat())
}
