//! Reads LDtk's projects (`.ldtk`) and levels (`.ldtkl`). Each level becomes a [`Map`], the same document as
//! for a Tiled map.
//!
//! | in LDtk | in the document |
//! |---|---|
//! | IntGrid layer | a tile layer, and a tileset with a tile for each value; its class is the value's name |
//! | tiles, auto tiles | tile layers, one above the other; tile objects if off the grid or half transparent |
//! | entity | a rectangle with the entity's name as name and class, and its fields and tags as properties |
//! | enum tags of a tile | bool properties of the tile; the first tag is also the tile's class |
//!
//! Nothing here opens a file: the caller passes the bytes. Nothing here decides what is solid: the rules are
//! applied to the document later.

mod art;
mod level;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{IVec2, UVec2};

use super::json::tree::{self, JsonObject, Node};
use super::read::cursor::LineIndex;
use super::read::{Read, ReadOptions, ReferenceKind, read_reference};
use super::{Map, Tile, Tileset};
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::limits::{Limits, Spent, check};
use crate::paths::{is_absolute, joined, plain};
use crate::text::listed;
use level::LevelReader;
use values::{ldtk, number, required, text};

/// The largest number of levels in an LDtk project.
const MAX_LEVELS: u64 = 4_096;

/// The names of the JSON values in a project that no level needs. The parser leaves these values out, because
/// they are the larger part of a project.
const LEFT_OUT: &str = "__neighbours __smartColor autoRuleGroups cachedPixelData customCommands d entities \
                        enums externalEnums fieldDefs levelFields realEditorValues savedSelections src toc";

/// True for a project or a level of LDtk. The ending of the path or the first bytes of the file decide.
pub(crate) fn is_ldtk(path: &Path, bytes: &[u8]) -> bool {
    const MARK: &[u8] = b"\"LDtk Project JSON\"";
    let ending = path.extension().unwrap_or_default();
    let head = bytes.get(..1_024).unwrap_or(bytes);
    ["ldtk", "ldtkl"].iter().any(|known| ending.eq_ignore_ascii_case(known))
        || head.windows(MARK.len()).any(|part| part == MARK)
}

/// An LDtk file, parsed into a tree without the values that no level needs.
pub(crate) struct LdtkFile<'f> {
    path: &'f Path,
    lines: LineIndex<'f>,
    tree: Node<'f>,
}

impl<'f> LdtkFile<'f> {
    pub(crate) fn parse(
        path: &'f Path,
        bytes: &'f [u8],
        limits: &Limits,
    ) -> Result<Self, LoadError> {
        let parsed =
            limits.check_file(bytes.len() as u64).and_then(|()| tree::parse(bytes, LEFT_OUT));
        match parsed {
            Ok(tree) => Ok(Self { path, lines: LineIndex::new(bytes), tree }),
            Err(kind) => Err(kind.in_file(path)),
        }
    }

    /// Returns the error for a fault at the byte `at` of the file.
    fn error(&self, at: u32, place: Place, kind: LoadErrorKind) -> LoadError {
        let line = Some(self.lines.position(at as usize));
        LoadError::new(self.path, Place { line, ..place }, kind)
    }
}

/// An LDtk project: its definitions, and its levels with their positions.
pub(crate) struct LdtkProject<'p> {
    file: &'p LdtkFile<'p>,
    definitions: Definitions,
    /// The levels of all worlds, in the order of the file.
    levels: Vec<LdtkLevel<'p>>,
}

/// A level listed in a project.
pub(crate) struct LdtkLevel<'p> {
    pub(crate) name: String,
    /// The position of the level's top-left corner in its world, in pixels.
    pub(crate) position: IVec2,
    /// The path of the level's own file, as written in the project. `None` if the level is in the project's
    /// file.
    file: Option<String>,
    /// The name of the level's world, which the levels of the world share.
    world: Arc<str>,
    depth: i32,
    from: JsonObject<'p, 'p>,
}

/// The definitions in a project, by their `uid`. The levels share the tiles, and each level takes only those
/// that it uses.
#[derive(Default)]
struct Definitions {
    /// The IntGrid values that each layer defines, by the layer's `uid`, then by number.
    values: BTreeMap<i64, BTreeMap<u32, Arc<Tile>>>,
    /// The tilesets with a picture by their `uid`.
    tilesets: BTreeMap<i64, TilesetDefinition>,
}

/// A tileset that a project defines.
struct TilesetDefinition {
    /// The tileset without its tiles.
    set: Tileset,
    /// The tiles with tags or data, by their ids in the document.
    tiles: BTreeMap<u32, Arc<Tile>>,
    /// The number of columns as LDtk counts them.
    columns: u32,
}

impl TilesetDefinition {
    /// Converts LDtk's tile `id` to the tile's id in the document. Both count row by row, but LDtk may count
    /// fewer columns.
    fn tile_id(&self, id: u32) -> u32 {
        let picture = self.set.image.as_ref().map_or(UVec2::ZERO, |image| image.size);
        let row = UVec2::new(picture.x, self.set.tile_size.y + self.set.margin);
        let all = self.set.tiles_in(row) as u32;
        match self.columns {
            0 => id,
            columns => (id / columns).saturating_mul(all).saturating_add(id % columns),
        }
    }
}

impl<'p> LdtkProject<'p> {
    pub(crate) fn new(file: &'p LdtkFile<'p>, spent: &mut Spent) -> Result<Self, LoadError> {
        let mut at = 0;
        let mut read = |at: &mut u32| {
            let root = file.tree.object("a project")?;
            let Some(defined) = root.child("defs", "definitions")? else {
                return Err(ldtk("a level without its project: load the `.ldtk` that names it"));
            };
            let definitions = Definitions::read(file.path, defined, &file.lines, at, spent)?;
            Ok(Self { file, definitions, levels: levels_of(root, at)? })
        };
        read(&mut at).map_err(|kind| file.error(at, Place::default(), kind))
    }

    /// Returns the levels to load, and the names of the levels that are left out. `names` selects levels by
    /// their own names or by the names of their worlds. If `names` is empty, levels at one depth of the first
    /// world are loaded: depth 0, or the first level's depth if no level has depth 0.
    pub(crate) fn chosen(
        &self,
        names: &[String],
    ) -> Result<(Vec<&LdtkLevel<'p>>, Vec<String>), LoadErrorKind> {
        let Some(first) = self.levels.first() else {
            return Err(ldtk("a project without levels"));
        };
        if names.is_empty() {
            let in_world = self.levels.iter().filter(|level| level.world == first.world);
            let has_surface = in_world.clone().any(|level| level.depth == 0);
            let depth = if has_surface { 0 } else { first.depth };
            let (shown, rest): (Vec<_>, Vec<_>) = self
                .levels
                .iter()
                .partition(|level| level.world == first.world && level.depth == depth);
            return Ok((shown, rest.into_iter().map(|level| level.name.clone()).collect()));
        }
        for name in names {
            if !self.levels.iter().any(|level| level.is_named(name)) {
                let known: Vec<&String> = self.levels.iter().map(|level| &level.name).collect();
                let known = listed(known.into_iter());
                return Err(ldtk(format!("no level is `{name}`; the levels are {known}")));
            }
        }
        let levels = self.levels.iter();
        let chosen = levels.filter(|level| names.iter().any(|name| level.is_named(name)));
        Ok((chosen.collect(), Vec::new()))
    }

    /// Reads a level, from its own file if it has one. `read` returns the bytes of the file at a path.
    pub(crate) fn map(
        &self,
        level: &LdtkLevel<'p>,
        read: &mut Read<'_>,
        options: ReadOptions<'_>,
        spent: &mut Spent,
    ) -> Result<Map, LoadError> {
        let path = self.file.path;
        let Some(written) = &level.file else {
            let reader = LevelReader::new(self.file, &self.definitions, path, options, spent);
            return reader.read(level.from);
        };
        let looked_in = joined(path, written);
        let bytes = read_reference(read, "level", written, &looked_in);
        let bytes = bytes.map_err(|kind| self.file.error(level.from.at, Place::default(), kind))?;
        spent.read(&bytes);
        let file = LdtkFile::parse(&looked_in, &bytes, options.limits)?;
        let root = file.tree.object("a level");
        let root = root.map_err(|kind| file.error(0, Place::default(), kind))?;
        LevelReader::new(&file, &self.definitions, path, options, spent).read(root)
    }
}

impl LdtkLevel<'_> {
    fn is_named(&self, name: &str) -> bool {
        self.name == name || *self.world == *name
    }
}

/// Returns the levels of all worlds of a project. A project has a list of levels, or a list of worlds with
/// levels.
fn levels_of<'p>(
    root: JsonObject<'p, 'p>,
    at: &mut u32,
) -> Result<Vec<LdtkLevel<'p>>, LoadErrorKind> {
    let mut levels = Vec::new();
    // A file that each of 4,096 levels names would be read as often.
    let mut files = BTreeSet::new();
    let mut worlds = vec![root];
    for world in root.list("worlds")? {
        worlds.push(world.object("a world")?);
    }
    for world in worlds {
        *at = world.at;
        let of_world = world.list("levels")?;
        let layout = text(world, "worldLayout")?.unwrap_or_default();
        let axes = match &*layout {
            "Free" | "GridVania" => None,
            // Before LDtk 0.6, levels had no position. A project of several worlds has no layout of its own.
            "LinearHorizontal" | "" => Some(IVec2::X),
            "LinearVertical" => Some(IVec2::Y),
            other => return Err(ldtk(format!("a world of the layout `{other}`"))),
        };
        let name: Arc<str> = text(world, "identifier")?.unwrap_or_default().into();
        // In a linear layout, each level starts at the end of the level before it.
        let mut next = IVec2::ZERO;
        for level in of_world {
            let from = level.object("a level")?;
            *at = from.at;
            let size = IVec2::new(required(from, "pxWid")?, required(from, "pxHei")?);
            let position = match axes {
                None => IVec2::new(required(from, "worldX")?, required(from, "worldY")?),
                Some(axis) => {
                    let here = next;
                    next = next.saturating_add(axis.saturating_mul(size));
                    here
                }
            };
            let file = text(from, "externalRelPath")?;
            if let Some(file) = &file
                && !files.insert(plain(&joined(Path::new(""), file)))
            {
                return Err(ldtk(format!("two levels in the file `{file}`")));
            }
            levels.push(LdtkLevel {
                name: text(from, "identifier")?.unwrap_or_default(),
                position,
                file,
                world: Arc::clone(&name),
                depth: number(from, "worldDepth")?.unwrap_or(0),
                from,
            });
            check("levels in a project", levels.len() as u64, MAX_LEVELS)?;
        }
    }
    Ok(levels)
}

/// Returns the paths of the pictures and level files that a project or level refers to, in the order of the
/// file. The result is empty for an invalid file.
pub(super) fn files_named(path: &Path, bytes: &[u8]) -> Vec<(PathBuf, ReferenceKind)> {
    let mut names = Vec::new();
    if let Ok(root) = tree::parse(bytes, LEFT_OUT) {
        add_named(&root, path, &mut names);
    }
    names
}

fn add_named(node: &Node<'_>, path: &Path, names: &mut Vec<(PathBuf, ReferenceKind)>) {
    if let Node::List(items) = node {
        items.iter().for_each(|item| add_named(item, path, names));
    }
    let Ok(object) = node.object("a part of a project") else { return };
    for (name, value) in object.entries() {
        let kind = match name {
            "relPath" | "bgRelPath" => ReferenceKind::Art,
            "externalRelPath" => ReferenceKind::Map,
            _ => {
                add_named(value, path, names);
                continue;
            }
        };
        if let Ok(Some(written)) = text(object, name)
            && !is_absolute(&written)
        {
            names.push((joined(path, &written), kind));
        }
    }
}
