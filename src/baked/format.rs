//! Reads and writes the sections of a baked level, the header, and the table of sections with lengths and
//! checksums.

use glam::{IVec2, UVec2};
use twox_hash::XxHash3_64;

use super::{BakeError, VERSION};
use crate::geometry::{Aabb, Dir, Outside, Sides};
use crate::grid::{BlockSet, Full, Grid, GridError, Room, StoredFault, StoredGrids};
use crate::level::Marker;
use crate::property::{PropertyValue, PropertyValues};
use crate::terrain::Terrain;

/// The first bytes of a baked level. As in a PNG file, they reveal damage by a transfer in text mode.
const MAGIC: [u8; 8] = *b"\x89BWL\r\n\x1a\n";

/// The number of bytes before the table of sections.
const HEADER: usize = 40;
/// The number of bytes of one section's entry in the table of sections.
const ENTRY: usize = 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BakedSection {
    Level,
    Markers,
    Grids,
    Blocks,
}

impl BakedSection {
    pub(super) const ALL: [Self; 4] = [Self::Level, Self::Markers, Self::Grids, Self::Blocks];

    pub(super) fn name(self) -> &'static str {
        ["level", "markers", "grids", "blocks"][self as usize]
    }
}

/// The number of sections of a baked level.
const SECTIONS: usize = BakedSection::ALL.len();

/// Returns the bytes of a baked level with these sections: the header, the table of sections, and the
/// sections in the order of [`BakedSection::ALL`], padded to multiples of 8 bytes.
pub(super) fn seal(sections: &[Vec<u8>; SECTIONS]) -> Result<Vec<u8>, BakeError> {
    let mut table = Vec::new();
    let mut length = HEADER + ENTRY * SECTIONS;
    for (number, bytes) in (1u64..).zip(sections) {
        table.extend(number.to_le_bytes());
        table.extend((bytes.len() as u64).to_le_bytes());
        table.extend(XxHash3_64::oneshot(bytes).to_le_bytes());
        length = length.checked_add(bytes.len()).ok_or(BakeError::NoMemory)?;
    }
    let mut file = Vec::new();
    file.try_reserve_exact(length).map_err(|_| BakeError::NoMemory)?;
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend((SECTIONS as u32).to_le_bytes());
    file.extend((length as u64).to_le_bytes());
    file.extend(XxHash3_64::oneshot(&table).to_le_bytes());
    file.extend(head_checksum(&file, &table).to_le_bytes());
    file.extend(table);
    sections.iter().for_each(|bytes| file.extend(bytes));
    Ok(file)
}

/// The sections of a baked level whose checksums are correct, and its content hash.
#[derive(Debug)]
pub(super) struct Envelope<'b> {
    pub(super) content_hash: u64,
    /// The bytes of each section, in the order of [`BakedSection::ALL`].
    sections: [&'b [u8]; SECTIONS],
}

impl<'b> Envelope<'b> {
    pub(super) fn bytes(&self, section: BakedSection) -> &'b [u8] {
        self.sections[section as usize]
    }

    pub(super) fn section(&self, section: BakedSection, room: &'b Room) -> SectionReader<'b> {
        let rest = self.bytes(section);
        SectionReader { rest, length: rest.len(), section, room }
    }
}

/// Checks the header, the table of sections and the checksums of a baked level, and returns its sections.
/// O(bytes), about as fast as memory is read.
pub(super) fn open(bytes: &[u8]) -> Result<Envelope<'_>, BakeError> {
    let known = bytes.len().min(MAGIC.len());
    if known == 0 || bytes[..known] != MAGIC[..known] {
        return Err(BakeError::Foreign);
    }
    let length = |stated: u64| BakeError::Length { found: bytes.len() as u64, stated };
    let number = |at: usize| bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    // Only version 1 can be read: the layout of later versions is unknown, and version 0 was never written.
    let version = bytes.get(8..12).ok_or(length(HEADER as u64))?;
    let version = version.try_into().map_or(0, u32::from_le_bytes);
    if version > VERSION {
        return Err(BakeError::Newer { found: version });
    }
    let [Some(numbers), Some(stated), Some(stored_hash), Some(checksum)] =
        [8, 16, 24, 32].map(number)
    else {
        return Err(length(HEADER as u64));
    };
    let count = (numbers >> 32) as usize;
    if stated != bytes.len() as u64 {
        return Err(length(stated));
    }
    let damaged = BakeError::Checksum { section: "header" };
    if version != VERSION || count != SECTIONS {
        return Err(damaged);
    }
    let table_end = HEADER + ENTRY * SECTIONS;
    let (head, mut rest) = bytes.split_at_checked(table_end).ok_or(length(table_end as u64))?;
    let table = &head[HEADER..];
    if head_checksum(&head[..32], table) != checksum || XxHash3_64::oneshot(table) != stored_hash {
        return Err(damaged);
    }
    let mut sections = [&[][..]; SECTIONS];
    for (section, entry) in BakedSection::ALL.into_iter().zip(table.chunks_exact(ENTRY)) {
        let field = |at: usize| entry[at..at + 8].try_into().map_or(0, u64::from_le_bytes);
        if field(0) != section as u64 + 1 {
            return Err(header_fault("a section is out of order"));
        }
        let length = usize::try_from(field(8)).ok().filter(|length| length % 8 == 0);
        let split = length.and_then(|length| rest.split_at_checked(length));
        let (content, after) = split.ok_or(header_fault("a section has a wrong length"))?;
        if XxHash3_64::oneshot(content) != field(16) {
            return Err(BakeError::Checksum { section: section.name() });
        }
        sections[section as usize] = content;
        rest = after;
    }
    if !rest.is_empty() {
        return Err(header_fault("bytes follow the last section"));
    }
    Ok(Envelope { content_hash: stored_hash, sections })
}

fn header_fault(reason: &str) -> BakeError {
    BakeError::Content { section: "header", offset: None, reason: reason.to_owned() }
}

/// Returns the checksum of a baked level's header. `head` is the part of the header before the checksum, and
/// `table` is the table of sections.
fn head_checksum(head: &[u8], table: &[u8]) -> u64 {
    XxHash3_64::oneshot(&[head, table].concat())
}

#[derive(Default)]
pub(super) struct SectionWriter(pub(super) Vec<u8>);

impl SectionWriter {
    pub(super) fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn i32(&mut self, value: i32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn count(&mut self, count: usize) -> Result<(), BakeError> {
        self.u32(u32::try_from(count).map_err(|_| BakeError::NoMemory)?);
        Ok(())
    }

    pub(super) fn text(&mut self, text: &str) -> Result<(), BakeError> {
        self.count(text.len())?;
        self.0.extend(text.as_bytes());
        Ok(())
    }

    /// Returns the written bytes, padded with zeros to a multiple of 8.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.0.resize(self.0.len().next_multiple_of(8), 0);
        self.0
    }
}

pub(super) struct SectionReader<'b> {
    rest: &'b [u8],
    length: usize,
    section: BakedSection,
    room: &'b Room,
}

impl<'b> SectionReader<'b> {
    /// Counts the memory for `count` values of type `T` before it is allocated. Fails if the level exceeds
    /// its memory limit.
    pub(super) fn allot<T>(&self, count: usize) -> Result<(), BakeError> {
        Ok(self.room.take(count.saturating_mul(size_of::<T>()))?)
    }

    pub(super) fn fault(&self, reason: impl Into<String>) -> BakeError {
        BakeError::Content {
            section: self.section.name(),
            offset: Some((self.length - self.rest.len()) as u64),
            reason: reason.into(),
        }
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], BakeError> {
        let split = self.rest.split_at_checked(count);
        let (taken, rest) = split.ok_or_else(|| self.fault("the section is cut off"))?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8, BakeError> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn u32(&mut self) -> Result<u32, BakeError> {
        let bytes = self.take(4)?;
        Ok(bytes.try_into().map_or(0, u32::from_le_bytes))
    }

    pub(super) fn i32(&mut self) -> Result<i32, BakeError> {
        self.u32().map(u32::cast_signed)
    }

    pub(super) fn u64(&mut self) -> Result<u64, BakeError> {
        let low = self.u32()?;
        Ok(u64::from(low) | u64::from(self.u32()?) << 32)
    }

    pub(super) fn uvec2(&mut self) -> Result<UVec2, BakeError> {
        Ok(UVec2::new(self.u32()?, self.u32()?))
    }

    pub(super) fn ivec2(&mut self) -> Result<IVec2, BakeError> {
        self.uvec2().map(|numbers| numbers.as_ivec2())
    }

    pub(super) fn bool(&mut self) -> Result<bool, BakeError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.fault("a flag is neither 0 nor 1")),
        }
    }

    /// Reads the number of items of a list. Fails if fewer than `least` bytes for each item are left in the
    /// section that is being read.
    pub(super) fn count(&mut self, least: usize) -> Result<usize, BakeError> {
        let count = self.u32()? as usize;
        match count.checked_mul(least) {
            Some(bytes) if bytes <= self.rest.len() => Ok(count),
            _ => Err(self.fault("the section is too short for as many items as it states")),
        }
    }

    pub(super) fn text(&mut self) -> Result<String, BakeError> {
        let count = self.count(1)?;
        self.allot::<u8>(count)?;
        let bytes = self.take(count)?;
        let text = std::str::from_utf8(bytes);
        text.map(str::to_owned).map_err(|_| self.fault("a text is not UTF-8"))
    }

    /// Checks that the section was read to its end. Fails if content is left. Fewer than 8 bytes may be left,
    /// which must be zeros.
    pub(super) fn finish(self) -> Result<(), BakeError> {
        match self.rest.len() < 8 && self.rest.iter().all(|byte| *byte == 0) {
            true => Ok(()),
            false => Err(self.fault("bytes follow the last item")),
        }
    }
}

/// A bit in the byte that has one bit for each side with one-way cells. It is set if the terrain has grids of
/// one-way cells, even if all of them are empty.
const ONE_WAY: u8 = 1 << 7;

/// Returns four bits, one for each side in the order of [`Dir::ALL`]. A bit is 1 if `is_set` returns true for
/// its side.
fn bits(is_set: impl Fn(Dir) -> bool) -> u8 {
    (0..).zip(Dir::ALL).map(|(bit, side)| u8::from(is_set(side)) << bit).sum()
}

#[derive(Default)]
pub(super) struct TerrainWriter {
    directories: Vec<u8>,
    blocks: BlockSet,
}

impl TerrainWriter {
    /// Writes to the section `out` the size of a terrain in cells, the size of a cell, the open sides, and
    /// the sides with one-way cells. Keeps the terrain's grids, which [`Self::finish`] writes after all
    /// terrains.
    pub(super) fn write(
        &mut self,
        terrain: &Terrain,
        out: &mut SectionWriter,
    ) -> Result<(), BakeError> {
        let (cells, cell_size) = (terrain.grid().size(), terrain.cell_size());
        [cells.x, cells.y, cell_size.x, cell_size.y].into_iter().for_each(|side| out.u32(side));
        let outside = terrain.outside();
        out.u8(bits(|side| outside.get(side) == Outside::Open));
        let guards = |side| terrain.one_way(side).filter(|grid| grid.solid_count() > 0);
        let has_grids = terrain.one_way(Dir::Left).is_some();
        out.u8(bits(|side| guards(side).is_some()) | if has_grids { ONE_WAY } else { 0 });
        for grid in [terrain.grid()].into_iter().chain(Dir::ALL.into_iter().filter_map(guards)) {
            self.blocks.add(grid, &mut self.directories).map_err(|_| BakeError::NoMemory)?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        self.directories.resize(self.directories.len().next_multiple_of(8), 0);
        (self.directories, self.blocks.into_bytes())
    }
}

pub(super) struct TerrainReader<'b>(StoredGrids<'b>);

impl<'b> TerrainReader<'b> {
    pub(super) fn new(
        directories: &'b [u8],
        blocks: &'b [u8],
        room: &'b Room,
    ) -> Result<Self, BakeError> {
        StoredGrids::new(directories, blocks, room).map(Self).map_err(grid_error)
    }

    pub(super) fn read(&mut self, input: &mut SectionReader<'_>) -> Result<Terrain, BakeError> {
        let (cells, cell_size) = (input.uvec2()?, input.uvec2()?);
        let (open, one_way) = (input.u8()?, input.u8()?);
        let has_grids = one_way & ONE_WAY != 0;
        if open > 0xf || one_way & 0x70 != 0 || (one_way != 0 && !has_grids) {
            return Err(input.fault("a terrain has a side that does not exist"));
        }
        let outside = |side: Dir| match open >> side as u8 & 1 {
            0 => Outside::Solid,
            _ => Outside::Open,
        };
        let grid = self.0.grid(cells).map_err(grid_error)?;
        // These errors have short texts here: the texts of all grid errors would add 5 KB to a WebAssembly
        // module.
        let fault = |error| match error {
            GridError::CellSize(_) => input.fault("a side of a cell is not 1 to 65,536 pixels"),
            _ => input.fault("a side of the terrain is over 4,294,967,295 pixels"),
        };
        let mut terrain = Terrain::new(grid, cell_size).map_err(fault)?.with_outside(Sides {
            left: outside(Dir::Left),
            right: outside(Dir::Right),
            up: outside(Dir::Up),
            down: outside(Dir::Down),
        });
        if has_grids {
            input.allot::<[Grid; 4]>(1)?;
            let mut guards = |side: Dir| match one_way >> side as u8 & 1 {
                0 => self.0.blank(cells),
                _ => match self.0.grid(cells)? {
                    grid if grid.solid_count() > 0 => Ok(grid),
                    _ => Err(StoredFault::Content(None, "one-way cells are stated, but are none")),
                },
            };
            let [left, right, up, down] = Dir::ALL.map(|side| guards(side).map_err(grid_error));
            let guards = [left?, right?, up?, down?];
            terrain = terrain.with_guards(guards);
        }
        Ok(terrain)
    }

    pub(super) fn finish(self) -> Result<(), BakeError> {
        self.0.finish().map_err(grid_error)
    }
}

impl From<Full> for BakeError {
    fn from(Full { limit }: Full) -> Self {
        Self::TooLarge { limit }
    }
}

fn grid_error(fault: StoredFault) -> BakeError {
    let (at, reason) = match fault {
        StoredFault::Grid(GridError::Empty) => (None, "a grid has no cells"),
        StoredFault::Grid(_) => return BakeError::NoMemory,
        StoredFault::Full(full) => return full.into(),
        StoredFault::Content(at, reason) => (at, reason),
    };
    let reason = match at {
        Some([column, row]) => format!("the block in column {column}, row {row}: {reason}"),
        None => reason.to_owned(),
    };
    BakeError::Content { section: BakedSection::Grids.name(), offset: None, reason }
}

/// The largest nesting depth of properties, the same as for elements in a map file.
const MAX_DEPTH: u32 = 64;

/// The smallest number of bytes that a marker takes in a baked level. A stated number of markers is checked
/// with it before memory is allocated.
const LEAST_MARKER: usize = 37;
/// The smallest number of bytes that a property takes in a baked level. A stated number of properties is
/// checked with it before memory is allocated.
const LEAST_PROPERTY: usize = 5;

/// The number of properties for which the memory of one node of a `BTreeMap` is counted. A node has room for
/// 11 entries, but may hold only 5 in a map with several nodes.
const NODE: usize = 5;

pub(super) fn write_markers(markers: &[Marker], out: &mut SectionWriter) -> Result<(), BakeError> {
    out.count(markers.len())?;
    for marker in markers {
        for text in [&marker.name, &marker.class, &marker.layer] {
            out.text(text)?;
        }
        out.u32(marker.object);
        let Aabb { min, max } = marker.area;
        [min.x, min.y, max.x, max.y].into_iter().for_each(|edge| out.i32(edge));
        out.u8(marker.is_point.into());
        write_members(&marker.properties, out, 0)?;
    }
    Ok(())
}

pub(super) fn read_markers(input: &mut SectionReader<'_>) -> Result<Vec<Marker>, BakeError> {
    let count = input.count(LEAST_MARKER)?;
    input.allot::<Marker>(count)?;
    let mut markers = Vec::with_capacity(count);
    for _ in 0..count {
        let [name, class, layer] = [input.text()?, input.text()?, input.text()?];
        let object = input.u32()?;
        let (min, max) = (input.ivec2()?, input.ivec2()?);
        let is_point = input.bool()?;
        let properties = read_members(input, 0)?;
        let area = Aabb { min, max };
        markers.push(Marker { name, class, layer, object, area, is_point, properties });
    }
    Ok(markers)
}

fn write_members(
    members: &PropertyValues,
    out: &mut SectionWriter,
    depth: u32,
) -> Result<(), BakeError> {
    out.count(members.len())?;
    for (name, value) in members {
        out.text(name)?;
        write_value(value, out, depth)?;
    }
    Ok(())
}

fn read_members(input: &mut SectionReader<'_>, depth: u32) -> Result<PropertyValues, BakeError> {
    let mut members = PropertyValues::new();
    for index in 0..input.count(LEAST_PROPERTY)? {
        if index % NODE == 0 {
            input.allot::<[(String, PropertyValue); 12]>(1)?;
        }
        let name = input.text()?;
        if members.last_key_value().is_some_and(|(last, _)| *last >= name) {
            return Err(input.fault("the names of properties are not in order"));
        }
        members.insert(name, read_value(input, depth)?);
    }
    Ok(members)
}

/// Writes the value of a property. `depth` is the number of lists and classes that contain the value.
fn write_value(
    value: &PropertyValue,
    out: &mut SectionWriter,
    depth: u32,
) -> Result<(), BakeError> {
    let number = |out: &mut SectionWriter, kind: u8, number: u32| {
        out.u8(kind);
        out.u32(number);
    };
    match value {
        PropertyValue::Bool(value) => {
            out.u8(0);
            out.u8((*value).into());
        }
        PropertyValue::Int(value) => number(out, 1, value.cast_unsigned()),
        PropertyValue::Float(value) => number(out, 2, value.to_bits()),
        PropertyValue::Text(text) => {
            out.u8(3);
            out.text(text)?;
        }
        PropertyValue::Color(text) => {
            out.u8(4);
            out.text(text)?;
        }
        PropertyValue::Object(id) => number(out, 5, *id),
        PropertyValue::List(_) | PropertyValue::Class { .. } if depth == MAX_DEPTH => {
            return Err(BakeError::TooDeep);
        }
        PropertyValue::List(values) => {
            out.u8(6);
            out.count(values.len())?;
            for value in values {
                write_value(value, out, depth + 1)?;
            }
        }
        PropertyValue::Class { class, members } => {
            out.u8(7);
            out.text(class)?;
            write_members(members, out, depth + 1)?;
        }
    }
    Ok(())
}

fn read_value(input: &mut SectionReader<'_>, depth: u32) -> Result<PropertyValue, BakeError> {
    Ok(match input.u8()? {
        0 => PropertyValue::Bool(input.bool()?),
        1 => PropertyValue::Int(input.i32()?),
        2 => PropertyValue::Float(f32::from_bits(input.u32()?)),
        3 => PropertyValue::Text(input.text()?),
        4 => PropertyValue::Color(input.text()?),
        5 => PropertyValue::Object(input.u32()?),
        6 | 7 if depth == MAX_DEPTH => {
            return Err(input.fault("properties are nested over 64 deep"));
        }
        6 => {
            let count = input.count(2)?;
            input.allot::<PropertyValue>(count)?;
            let mut values = Vec::with_capacity(count);
            for _ in 0..count {
                values.push(read_value(input, depth + 1)?);
            }
            PropertyValue::List(values)
        }
        7 => {
            PropertyValue::Class { class: input.text()?, members: read_members(input, depth + 1)? }
        }
        _ => return Err(input.fault("a property is of no known kind")),
    })
}
