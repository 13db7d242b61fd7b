//! Writes and reads the content of a baked level. A file may be hostile, so a reader checks everything that
//! it reads, and counts memory before it is allocated.

use glam::{IVec2, UVec2};

use super::{BakeError, HEADER};
use crate::geometry::{Aabb, Dir, Outside, Sides};
use crate::grid::block::{ALL, rectangle};
use crate::grid::{Grid, GridError};
use crate::level::{Marker, MarkerShape, MarkerTile};
use crate::property::{PropertyValue, PropertyValues};
use crate::terrain::Terrain;

/// The largest memory of a level in bytes is this amount plus [`ROOM_A_BYTE`] for each byte of its file. The
/// documented limit, 64 MiB plus 16 times the file, also covers the file itself and the allocator.
const ROOM: u64 = 60 << 20;
const ROOM_A_BYTE: u64 = 14;

/// The limit on the memory of all dense grids of one file, in bytes. A grid that would exceed it becomes
/// sparse. Without a limit, a short file could take much memory, because empty blocks are not stored.
const MAX_PLANES: u64 = 32 << 20;

/// The largest number of cells of a dense grid. The memory of such a grid is allocated in a millisecond.
const MAX_DENSE_GRID: u64 = 1 << 24;

/// The largest nesting depth of properties, the same as for elements in a map file.
const MAX_DEPTH: u32 = 64;

/// The smallest numbers of bytes that a block, a marker and a property take. A stated number of them is
/// checked with it before memory is allocated.
const LEAST_BLOCK: usize = 16;
const LEAST_MARKER: usize = 50;
const LEAST_PROPERTY: usize = 5;

/// The number of properties for which the memory of one node of a `BTreeMap` is counted. A node has room for
/// 11 entries, but may hold only 5 in a map with several nodes.
const NODE: usize = 5;

/// The bytes of the content so far.
#[derive(Default)]
pub(super) struct LevelWriter(pub(super) Vec<u8>);

impl LevelWriter {
    fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn ivec2(&mut self, value: IVec2) {
        self.u32(value.x.cast_unsigned());
        self.u32(value.y.cast_unsigned());
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

    pub(super) fn terrain(&mut self, terrain: &Terrain) -> Result<(), BakeError> {
        for side in [terrain.grid().size(), terrain.cell_size()].map(|size| size.to_array()) {
            self.u32(side[0]);
            self.u32(side[1]);
        }
        for side in Dir::ALL {
            self.u8((terrain.outside().get(side) == Outside::Open).into());
        }
        self.u8(terrain.one_way(Dir::Up).is_some().into());
        self.grid(terrain.grid())?;
        Dir::ALL
            .into_iter()
            .filter_map(|side| terrain.one_way(side))
            .try_for_each(|grid| self.grid(grid))
    }

    fn grid(&mut self, grid: &Grid) -> Result<(), BakeError> {
        self.count(grid.blocks().count())?;
        for ([column, row], words) in grid.blocks() {
            self.u32(column);
            self.u32(row);
            if words == ALL {
                self.u64(0);
                continue;
            }
            let mut changes = 0;
            let mut above = 0;
            for (line, word) in words.into_iter().enumerate() {
                changes |= u64::from(word != above) << line;
                above = word;
            }
            self.u64(changes);
            for (line, word) in words.into_iter().enumerate() {
                if changes >> line & 1 != 0 {
                    self.u64(word);
                }
            }
        }
        Ok(())
    }

    pub(super) fn markers(&mut self, markers: &[Marker]) -> Result<(), BakeError> {
        self.count(markers.len())?;
        for marker in markers {
            for text in [&marker.name, &marker.class, &marker.layer] {
                self.text(text)?;
            }
            self.u32(marker.object);
            self.u32(marker.map);
            self.ivec2(marker.area.min);
            self.ivec2(marker.area.max);
            self.u8(marker.shape as u8);
            self.u32(marker.rotation.to_bits());
            self.count(marker.points.len())?;
            marker.points.iter().for_each(|point| self.ivec2(*point));
            self.tile(marker.tile.as_ref())?;
            self.members(&marker.properties, 0)?;
        }
        Ok(())
    }

    fn tile(&mut self, tile: Option<&MarkerTile>) -> Result<(), BakeError> {
        self.u8(tile.is_some().into());
        if let Some(MarkerTile { tileset, id, flip_x, flip_y }) = tile {
            self.text(tileset)?;
            self.u32(*id);
            self.u8((*flip_x).into());
            self.u8((*flip_y).into());
        }
        Ok(())
    }

    fn members(&mut self, members: &PropertyValues, depth: u32) -> Result<(), BakeError> {
        self.count(members.len())?;
        for (name, value) in members {
            self.text(name)?;
            self.value(value, depth)?;
        }
        Ok(())
    }

    /// Writes the value of a property. `depth` is the number of lists and classes that contain the value.
    fn value(&mut self, value: &PropertyValue, depth: u32) -> Result<(), BakeError> {
        match value {
            PropertyValue::Bool(value) => {
                self.u8(0);
                self.u8((*value).into());
            }
            PropertyValue::Int(value) => {
                self.u8(1);
                self.u32(value.cast_unsigned());
            }
            PropertyValue::Float(value) => {
                self.u8(2);
                self.u32(value.to_bits());
            }
            PropertyValue::Text(text) => {
                self.u8(3);
                self.text(text)?;
            }
            PropertyValue::Color(text) => {
                self.u8(4);
                self.text(text)?;
            }
            PropertyValue::Object(id) => {
                self.u8(5);
                self.u32(*id);
            }
            PropertyValue::Point(point) => {
                self.u8(8);
                self.ivec2(*point);
            }
            PropertyValue::List(_) | PropertyValue::Class { .. } if depth == MAX_DEPTH => {
                return Err(BakeError::TooDeep);
            }
            PropertyValue::List(values) => {
                self.u8(6);
                self.count(values.len())?;
                for value in values {
                    self.value(value, depth + 1)?;
                }
            }
            PropertyValue::Class { class, members } => {
                self.u8(7);
                self.text(class)?;
                self.members(members, depth + 1)?;
            }
        }
        Ok(())
    }
}

/// Reads the content of a baked level.
pub(super) struct LevelReader<'b> {
    rest: &'b [u8],
    length: usize,
    /// The memory in bytes that the level may still take.
    room: u64,
    /// The memory in bytes that dense grids may still take.
    planes: u64,
}

impl<'b> LevelReader<'b> {
    pub(super) fn new(content: &'b [u8]) -> Self {
        let length = content.len();
        Self { rest: content, length, room: room(length), planes: MAX_PLANES }
    }

    /// Counts memory before it is allocated. Fails if the level exceeds its memory limit.
    fn allot(&mut self, bytes: u64) -> Result<(), BakeError> {
        let left = self.room.checked_sub(bytes);
        self.room = left.ok_or(BakeError::TooLarge { limit: room(self.length) })?;
        Ok(())
    }

    /// Counts the memory of `count` values of type `T`.
    pub(super) fn allot_all<T>(&mut self, count: usize) -> Result<(), BakeError> {
        self.allot((count as u64).saturating_mul(size_of::<T>() as u64))
    }

    pub(super) fn fault(&self, reason: impl Into<String>) -> BakeError {
        let offset = (HEADER + self.length - self.rest.len()) as u64;
        BakeError::Content { offset, reason: reason.into() }
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], BakeError> {
        let split = self.rest.split_at_checked(count);
        let (taken, rest) = split.ok_or_else(|| self.fault("the level is cut off"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn u8(&mut self) -> Result<u8, BakeError> {
        Ok(self.take(1)?[0])
    }

    fn u32(&mut self) -> Result<u32, BakeError> {
        let bytes = self.take(4)?;
        Ok(bytes.try_into().map_or(0, u32::from_le_bytes))
    }

    pub(super) fn u64(&mut self) -> Result<u64, BakeError> {
        let bytes = self.take(8)?;
        Ok(bytes.try_into().map_or(0, u64::from_le_bytes))
    }

    fn uvec2(&mut self) -> Result<UVec2, BakeError> {
        Ok(UVec2::new(self.u32()?, self.u32()?))
    }

    pub(super) fn ivec2(&mut self) -> Result<IVec2, BakeError> {
        self.uvec2().map(|numbers| numbers.as_ivec2())
    }

    fn bool(&mut self) -> Result<bool, BakeError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.fault("a flag is neither 0 nor 1")),
        }
    }

    /// Reads the number of items of a list. Fails if fewer than `least` bytes for each item are left.
    pub(super) fn count(&mut self, least: usize) -> Result<usize, BakeError> {
        let count = self.u32()? as usize;
        match count.checked_mul(least) {
            Some(bytes) if bytes <= self.rest.len() => Ok(count),
            _ => Err(self.fault("the level is too short for as many items as it states")),
        }
    }

    pub(super) fn text(&mut self) -> Result<String, BakeError> {
        let count = self.count(1)?;
        self.allot(count as u64)?;
        let bytes = self.take(count)?;
        let text = std::str::from_utf8(bytes);
        text.map(str::to_owned).map_err(|_| self.fault("a text is not UTF-8"))
    }

    /// Checks that the content was read to its end.
    pub(super) fn finish(self) -> Result<(), BakeError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.fault("bytes follow the last item")) }
    }

    pub(super) fn terrain(&mut self) -> Result<Terrain, BakeError> {
        let cells = self.uvec2()?;
        let cell_size = self.uvec2()?;
        let [left, right, up, down] =
            [self.outside()?, self.outside()?, self.outside()?, self.outside()?];
        let has_one_way = self.bool()?;
        // These errors have short texts here: the texts of all grid errors would add 5 KB to a WebAssembly
        // module.
        let terrain = match Terrain::new(self.grid(cells)?, cell_size) {
            Ok(terrain) => terrain.with_outside(Sides { left, right, up, down }),
            Err(GridError::CellSize(_)) => {
                return Err(self.fault("a side of a cell is not 1 to 65,536 pixels"));
            }
            Err(_) => return Err(self.fault("a side of the terrain is over 4,294,967,295 pixels")),
        };
        if !has_one_way {
            return Ok(terrain);
        }
        self.allot_all::<[Grid; 4]>(1)?;
        let guards = [self.grid(cells)?, self.grid(cells)?, self.grid(cells)?, self.grid(cells)?];
        Ok(terrain.with_guards(guards))
    }

    fn outside(&mut self) -> Result<Outside, BakeError> {
        Ok(if self.bool()? { Outside::Open } else { Outside::Solid })
    }

    /// Returns a grid of passable cells. It is sparse if it is large, or if the dense grids of the file take
    /// much memory already.
    fn blank(&mut self, size: UVec2) -> Result<Grid, BakeError> {
        let UVec2 { x: width, y: height } = size;
        let cells = u64::from(width) * u64::from(height);
        if cells == 0 {
            return Err(self.fault("a grid has no cells"));
        }
        // A narrow grid, which `Grid::new` makes sparse, would take more than `MAX_PLANES`.
        let planes = Grid::dense_bytes(width, height);
        let grid = if cells > MAX_DENSE_GRID || planes > self.planes {
            self.allot(Grid::SPARSE_BYTES)?;
            Grid::sparse(width, height)
        } else {
            self.allot(planes)?;
            self.planes -= planes;
            Grid::new(width, height)
        };
        grid.map_err(|_| BakeError::NoMemory)
    }

    fn grid(&mut self, size: UVec2) -> Result<Grid, BakeError> {
        let mut grid = self.blank(size)?;
        let count = self.count(LEAST_BLOCK)?;
        if let Some(limit) = grid.block_limit() {
            grid = grid.with_block_limit(limit.max(count as u32));
        }
        let mut before = None;
        for _ in 0..count {
            let at = [self.u32()?, self.u32()?];
            let [column, row] = at;
            if column >= size.x.div_ceil(64) || row >= size.y.div_ceil(64) {
                return Err(self.block_fault(at, "lies outside the grid"));
            }
            if before >= Some([row, column]) {
                return Err(self.block_fault(at, "does not come after the one before it"));
            }
            before = Some([row, column]);
            let words = self.block(at)?;
            let inside = rectangle(at, &(0..size.x), &(0..size.y));
            if words.iter().zip(inside).any(|(word, inside)| word & !inside != 0) {
                return Err(self.block_fault(at, "has solid cells outside the grid"));
            }
            if grid.is_sparse() {
                self.allot(Grid::block_bytes(&words))?;
            }
            grid.write(at, &words, true).map_err(|_| BakeError::NoMemory)?;
        }
        Ok(grid)
    }

    /// Reads the rows of the block at block column and row `at`.
    fn block(&mut self, at: [u32; 2]) -> Result<[u64; 64], BakeError> {
        let changes = self.u64()?;
        if changes == 0 {
            return Ok(ALL);
        }
        let mut words = [0; 64];
        let mut above = 0;
        for (line, word) in words.iter_mut().enumerate() {
            *word = above;
            if changes >> line & 1 != 0 {
                *word = self.u64()?;
                if *word == above {
                    return Err(self.block_fault(at, "stores a row that equals the one above it"));
                }
                above = *word;
            }
        }
        if words == ALL {
            return Err(self.block_fault(at, "stores rows, but is full"));
        }
        Ok(words)
    }

    fn block_fault(&self, [column, row]: [u32; 2], fault: &str) -> BakeError {
        self.fault(format!("the block in column {column}, row {row} {fault}"))
    }

    /// Reads a list of items that take at least `least` bytes each.
    fn list<T>(
        &mut self,
        least: usize,
        read: impl Fn(&mut Self) -> Result<T, BakeError>,
    ) -> Result<Vec<T>, BakeError> {
        let count = self.count(least)?;
        self.allot_all::<T>(count)?;
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(read(self)?);
        }
        Ok(items)
    }

    pub(super) fn markers(&mut self) -> Result<Vec<Marker>, BakeError> {
        self.list(LEAST_MARKER, Self::marker)
    }

    fn marker(&mut self) -> Result<Marker, BakeError> {
        Ok(Marker {
            name: self.text()?,
            class: self.text()?,
            layer: self.text()?,
            object: self.u32()?,
            map: self.u32()?,
            area: Aabb { min: self.ivec2()?, max: self.ivec2()? },
            shape: self.shape()?,
            rotation: f32::from_bits(self.u32()?),
            points: self.list(size_of::<IVec2>(), Self::ivec2)?,
            tile: self.tile()?,
            properties: self.members(0)?,
        })
    }

    fn shape(&mut self) -> Result<MarkerShape, BakeError> {
        let shape = MarkerShape::ALL.get(usize::from(self.u8()?)).copied();
        shape.ok_or_else(|| self.fault("a marker is of no known shape"))
    }

    fn tile(&mut self) -> Result<Option<MarkerTile>, BakeError> {
        if !self.bool()? {
            return Ok(None);
        }
        Ok(Some(MarkerTile {
            tileset: self.text()?.into(),
            id: self.u32()?,
            flip_x: self.bool()?,
            flip_y: self.bool()?,
        }))
    }

    fn members(&mut self, depth: u32) -> Result<PropertyValues, BakeError> {
        let mut members = PropertyValues::new();
        for index in 0..self.count(LEAST_PROPERTY)? {
            if index % NODE == 0 {
                self.allot_all::<[(String, PropertyValue); 12]>(1)?;
            }
            let name = self.text()?;
            if members.last_key_value().is_some_and(|(last, _)| *last >= name) {
                return Err(self.fault("the names of properties are not in order"));
            }
            members.insert(name, self.value(depth)?);
        }
        Ok(members)
    }

    fn value(&mut self, depth: u32) -> Result<PropertyValue, BakeError> {
        Ok(match self.u8()? {
            0 => PropertyValue::Bool(self.bool()?),
            1 => PropertyValue::Int(self.u32()?.cast_signed()),
            2 => PropertyValue::Float(f32::from_bits(self.u32()?)),
            3 => PropertyValue::Text(self.text()?),
            4 => PropertyValue::Color(self.text()?),
            5 => PropertyValue::Object(self.u32()?),
            6 | 7 if depth == MAX_DEPTH => {
                return Err(self.fault("properties are nested over 64 deep"));
            }
            6 => PropertyValue::List(self.list(2, |input| input.value(depth + 1))?),
            7 => PropertyValue::Class { class: self.text()?, members: self.members(depth + 1)? },
            8 => PropertyValue::Point(self.ivec2()?),
            _ => return Err(self.fault("a property is of no known kind")),
        })
    }
}

fn room(length: usize) -> u64 {
    ROOM + ROOM_A_BYTE * length as u64
}
