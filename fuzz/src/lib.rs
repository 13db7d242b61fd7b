//! The fuzz targets, one module each, and their common part. It splits an input into options and files, calls
//! all queries on loaded data, and counts the memory in use.
//!
//! An input is one byte of switches, and then files separated by a line `@@@`.

pub mod baked;
pub mod config;
pub mod edits;
pub mod ldtk;
pub mod map;
pub mod mask;
pub mod render;
#[cfg(test)]
mod replay;
pub mod template;
pub mod tileset;
pub mod verify;

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::hint::black_box;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use bitwall::glam::{IVec2, UVec2};
use bitwall::tmx::LayerContent;
use bitwall::{
    Aabb, Dir, Limits, LoadError, LoadOptions, LoadedLevel, Outside, Terrain,
    rules::{AreaRule, PropertyIs, TileIds},
    tmx::Space,
};

/// The largest number of cells of a level that are visited. They are evenly spread.
const VISITED: u64 = 1 << 15;

/// The number of bytes that are allocated now. [`PEAK`] is the largest such number since [`peak_bytes`]
/// began.
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator with a count of the allocated bytes.
struct Counting;

// SAFETY: every call is passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(in_use, Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(in_use, Relaxed);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Calls `work`, and returns its result and the largest number of bytes that it had allocated at one time.
pub fn peak_bytes<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = IN_USE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = work();
    (result, PEAK.load(Relaxed) - before)
}

/// The switches of an input, and its files.
pub struct Input<'a> {
    pub switches: u8,
    pub files: Vec<&'a [u8]>,
}

impl<'a> Input<'a> {
    pub fn new(data: &'a [u8]) -> Option<Self> {
        let (&switches, mut rest) = data.split_first()?;
        let mark: &[u8] = b"\n@@@\n";
        let mut files = Vec::new();
        while let Some(at) = rest.windows(mark.len()).position(|part| part == mark) {
            files.push(&rest[..at]);
            rest = &rest[at + mark.len()..];
        }
        files.push(rest);
        Some(Self { switches, files })
    }

    /// True if the switch is on. The switches 1 to 3 select the [`Input::options`].
    pub fn is_on(&self, switch: u8) -> bool {
        self.switches & (1 << switch) != 0
    }

    /// Returns the file with this number, counted from 0. Missing files are empty.
    pub fn file(&self, index: usize) -> &'a [u8] {
        self.files.get(index).copied().unwrap_or_default()
    }

    /// Returns the options that the switches 1 to 3 select: lenient, in screen space, many rules. The limits
    /// are small, for speed.
    pub fn options(&self) -> LoadOptions {
        let mut options = LoadOptions {
            limits: small_limits(),
            allow_nothing_solid: true,
            lenient: self.is_on(1),
            ..LoadOptions::default()
        };
        if self.is_on(2) {
            options.space = Space::Screen;
        }
        if self.is_on(3) {
            many_rules(&mut options);
        }
        options
    }
}

/// Adds rules with areas, walkable layers and tile numbers, as a project may have them.
fn many_rules(options: &mut LoadOptions) {
    options.outside = Outside::Open.into();
    options.areas = vec![
        AreaRule::named("water"),
        AreaRule {
            values: vec![PropertyIs::new("v", "1")],
            tiles: vec![TileIds::new("*", 0..=3)],
            ..AreaRule::named("L")
        },
    ];
    let rules = &mut options.solid_rules;
    rules.walkable_layers.push("F*".to_owned());
    rules.passable_layers.push("P*".to_owned());
    rules.solid_tiles.push(TileIds::new("*", 1..=1));
    rules.passable_tiles.push(TileIds::new("t", 2..=2));
    rules.solid_values.push(PropertyIs::new("v", "1"));
    rules.two_tile_tilesets = true;
}

/// Returns limits with which a load takes milliseconds. Distances have the default limits, because arithmetic
/// can overflow only far away.
pub fn small_limits() -> Limits {
    Limits { pixels: 1 << 18, cells: 1 << 15, work: 1 << 19, ..Limits::default() }
}

/// Returns a reader that gives the tileset for every name with the ending `.tsx`, `.tsj` or `.json`, and the
/// template for any other.
pub fn reader<'a>(
    tileset: &'a [u8],
    template: &'a [u8],
) -> impl FnMut(&Path) -> io::Result<Vec<u8>> + 'a {
    move |path| {
        let name = path.to_string_lossy();
        let is_set = [".tsx", ".tsj", ".json"].iter().any(|end| name.ends_with(end));
        let bytes = if is_set { tileset } else { template };
        match bytes {
            [] => Err(io::ErrorKind::NotFound.into()),
            bytes => Ok(bytes.to_vec()),
        }
    }
}

/// Creates a folder for this process, for targets that can only load from files.
pub fn folder() -> io::Result<PathBuf> {
    let memory = Path::new("/dev/shm");
    let base = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let folder = base.join(format!("bitwall-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Calls all queries of a level, or all methods of its error.
pub fn visit(loaded: Result<LoadedLevel, LoadError>, options: &LoadOptions) {
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            let text = error.to_string();
            // The text of a file must not put control characters on a terminal.
            assert!(!text.chars().any(char::is_control), "{text:?}");
            black_box(format!("{error:?} {:?}", error.kind()));
            return;
        }
    };
    // Solid gaps of a walkable layer have no reason of their own.
    let explains = options.solid_rules.walkable_layers.is_empty();
    let level = &loaded.level;
    reasons(&loaded, explains);
    cells(level);
    for area in level.areas() {
        assert_eq!(area.terrain.size(), level.size(), "area {}", area.name);
        cells(&area.terrain);
        sweeps(&area.terrain);
    }
    sweeps(level);
    for marker in level.markers() {
        black_box(level.overlaps(marker.area));
        body(level, marker.area);
    }
    for warning in &loaded.warnings {
        black_box(format!("{warning:?}"));
    }
    black_box((level.memory_bytes(), level.origin(), format!("{:?}", loaded.source)));
    tiles(&loaded);
}

/// Returns the number of columns and rows that have positions. A sparse grid may be longer than the range of
/// an `i32`.
fn reachable(terrain: &Terrain) -> (u64, u64) {
    let (size, cell) = (terrain.grid().size(), terrain.cell_size());
    let side = |count: u32, side: u32| u64::from(count.min(i32::MAX as u32 / side));
    (side(size.x, cell.x), side(size.y, cell.y))
}

/// Asks for the reasons of some cells that are solid or one-way.
fn reasons(loaded: &LoadedLevel, explains: bool) {
    let level = &loaded.level;
    let (width, height) = reachable(level);
    let count = width * height;
    let stride = count.div_ceil(VISITED).max(1);
    let guards: Vec<_> = (Dir::ALL.iter()).filter_map(|side| level.one_way(*side)).collect();
    let mut reasons = 0;
    for index in (0..count).step_by(stride as usize) {
        let (column, row) = (index % width, index / width);
        let (column, row) = (column as u32, row as u32);
        let is_guard = guards.iter().any(|guards| guards.is_solid(column, row));
        if (level.grid().is_solid(column, row) || is_guard) && reasons < 16 {
            reasons += 1;
            let cell = UVec2::new(column, row).as_ivec2();
            let reason = loaded.provenance(cell);
            if explains && loaded.map().is_some() {
                assert!(reason.is_some(), "cell {cell}");
            }
        }
    }
    for beyond in [IVec2::MIN, IVec2::MAX, IVec2::NEG_ONE] {
        black_box(loaded.provenance(beyond));
    }
}

/// Compares each cell in the grid with its pixels.
fn cells(terrain: &Terrain) {
    let grid = terrain.grid();
    let (width, height) = reachable(terrain);
    let count = width * height;
    let stride = count.div_ceil(VISITED).max(1);
    let mut solid = 0;
    for index in (0..count).step_by(stride as usize) {
        let (column, row) = ((index % width) as u32, (index / width) as u32);
        let is_solid = grid.is_solid(column, row);
        assert_eq!(grid.get(column, row), Some(is_solid));
        let cell = UVec2::new(column, row).as_ivec2();
        let area = terrain.cell_box(cell);
        assert_eq!(terrain.is_solid(area.min), is_solid, "cell {cell}");
        solid += u64::from(is_solid);
    }
    if stride == 1 && (width, height) == (u64::from(grid.width()), u64::from(grid.height())) {
        assert_eq!(solid, grid.solid_count());
    }
    for beyond in [IVec2::MIN, IVec2::MAX, IVec2::NEG_ONE, terrain.size().as_ivec2()] {
        black_box(terrain.is_solid(beyond));
    }
}

/// Sweeps bodies of some sizes in the middle, at the corners and far away.
fn sweeps(terrain: &Terrain) {
    let size = terrain.size().as_ivec2();
    for at in [IVec2::ZERO, size / 2, size - IVec2::ONE, IVec2::MIN, IVec2::MAX] {
        for side in [0, 1, 12, 200] {
            let max = at.saturating_add(IVec2::splat(side));
            body(terrain, Aabb { min: at, max });
        }
    }
}

/// Sweeps one body in all four directions, and compares `sweep` with `can_move`.
fn body(terrain: &Terrain, body: Aabb) {
    for dir in Dir::ALL {
        for step in [0, 1, 70, 5_000, u32::MAX] {
            let sweep = terrain.sweep(body, dir, step);
            assert!(sweep.moved <= step);
            assert!(terrain.can_move(body, dir, sweep.moved));
            assert_eq!(sweep.moved == step, sweep.contact.is_none());
            assert_eq!(terrain.can_move(body, dir, step), sweep.moved == step);
        }
    }
}

/// Reads the tiles that the map keeps.
fn tiles(loaded: &LoadedLevel) {
    let Some(map) = loaded.map() else { return };
    let far = [IVec2::MIN, IVec2::MAX, IVec2::new(1 << 20, -(1 << 20))];
    let near = (-20..20).flat_map(|y| (-20..20).map(move |x| IVec2::new(x, y)));
    for cell in near.chain(far) {
        for context in map.walk() {
            if let LayerContent::Tiles(tiles) = &context.layer.content {
                black_box(tiles.gid(cell).and_then(|gid| map.tile(gid)));
            }
        }
    }
}
