//! The features of the crate, and the platforms that it supports.
//!
//! # Features
//! All are on by default but `serde`, `mmap` and `rayon`. A game turns them off (`default-features = false`)
//! and names those that it needs. Without any, a level is made in code, of a [`Grid`](crate::Grid).
//!
//! | feature | what it adds |
//! |---|---|
//! | `baked` | baked levels (`.bwl`), which need no loader: the module `baked` |
//! | `mmap` | `Level::map_baked`: baked levels by a memory map; with `baked` |
//! | `bitvec` | grids from and to the bits of crate `bitvec`: `Grid::from_bits`, `Grid::to_bits` |
//! | `tmx` | Tiled maps and tilesets in XML: `Level::load`, the modules `tmx`, `rules` and `load` |
//! | `json` | the same in JSON (`.tmj`, `.tsj`); with `tmx` |
//! | `world` | worlds of maps (`.world`); with `json` |
//! | `zstd` | layers that are compressed with zstd; with `tmx` |
//! | `tiled` | `tmx::Map::from(&tiled::Map)`, for games that use crate `tiled` 0.16; with `tmx` |
//! | `mask` | masks in PNG: `Level::load`, the modules `mask`, `rules` and `load` |
//! | `formats` | masks and pictures in GIF, BMP, WebP, TGA; pictures in JPEG; with `mask` and `image` |
//! | `image` | pictures of crate `image`: `Footprint::from_image`, `load::load_picture` |
//! | `suggest` | suggestions for a level whose solids are not found; with `tmx`, `mask` and `image` |
//! | `config` | options in a `bitwall.toml`: `Project`, `LoadOptions::load`; with `tmx` |
//! | `render` | pictures of levels: the module `render`; with `tmx` and `image` |
//! | `verify` | the linter: the module `verify`; with all above but `bitvec` and `tiled` |
//! | `cli` | the program `bitwall`; with `verify` |
//! | `rayon` | batches of queries over the cores: `Terrain::can_move_batch` |
//! | `serde` | `Serialize` and `Deserialize` for plain data: see [`saved`](super::saved) |
//!
//! Crates that are compiled beside bitwall: one without features (`glam`), 15 with `tmx` and `mask`.
//!
//! # Platforms
//! Every answer is the same on each, those for floats included. `tests/hash/cross.sh` compares one hash of
//! three million answers and of the pictures of all bundled levels on x86_64, i686, aarch64, s390x (the other
//! order of bytes), wasm32-wasip1 and wasm32-unknown-unknown. The tests run on x86_64 and on i686.
//!
//! A browser has no files. There, a game fetches the files that [`references`](crate::load::references)
//! names, and decodes the level from bytes with [`Level::decode`](crate::Level::decode). The guarantees for
//! files that others change while a level loads differ by system: see [`Disk`](crate::load::Disk).
