//! A level as an asset of Bevy, and its loader, which reads files only through the asset server.

use std::collections::HashMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, AssetPath, LoadContext};
use bevy_ecs::error::BevyError;
use bevy_reflect::TypePath;
use bitwall::load::{Reference, ReferenceKind, references};
use bitwall::{Level, LoadOptions, LoadedLevel};

/// A level with its maps. It dereferences to its [`Level`].
///
/// A game that draws with `bevy_ecs_tiled` already has each map. It makes the level from the same map:
///
/// ```
/// use bevy_bitwall::LevelAsset;
/// use bitwall::{LoadOptions, LoadedLevel};
///
/// # struct TiledMapAsset { map: tiled::Map }
/// # let asset = TiledMapAsset { map: tiled::Loader::new().load_tmx_map("../../assets/hills.tmx")? };
/// // `asset` is a `TiledMapAsset`, and its `map` a `tiled::Map` of version 0.16.
/// let level = LevelAsset(LoadedLevel::from_map(&asset.map, &LoadOptions::default())?);
/// assert!(level.marker("player").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// This needs the feature `tiled` of the crate `bitwall`.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct LevelAsset(pub LoadedLevel);

impl Deref for LevelAsset {
    type Target = Level;

    fn deref(&self) -> &Level {
        &self.0.level
    }
}

/// Loads maps (`.tmx`, `.tmj`), worlds of maps (`.world`), projects of LDtk (`.ldtk`) and, if the type of the
/// handle is [`LevelAsset`], masks: `server.load::<LevelAsset>("harbor_mask.png")`.
///
/// Each format has a feature of its name, and without it the error names the feature. Of a project of LDtk it
/// loads the levels that `LoadOptions::levels` names, and by default those of the first world.
///
/// The files that a level refers to are its loader dependencies, so a change of a tileset reloads the level.
/// A missing file is an error that names the file. Pictures that are only needed for drawing are not read. A
/// world that finds its maps by patterns cannot be loaded, because an asset server does not list folders. For
/// the same reason, [`LoadOptions::tiled_project`] must name the project whose classes the maps use, as a
/// path in the folder of the assets.
#[derive(TypePath, Clone, Debug, Default)]
pub struct LevelLoader {
    /// The load options of all levels.
    pub options: LoadOptions,
}

impl AssetLoader for LevelLoader {
    type Asset = LevelAsset;
    type Settings = ();
    type Error = BevyError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<LevelAsset, BevyError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let path = context.path().path().to_owned();
        let source = context.path().source().clone_owned();
        // A file that cannot be read is left out. The decoder then returns an error that names what refers to
        // it.
        let mut files: HashMap<PathBuf, Vec<u8>> = HashMap::new();
        let mut wanted = references(&path, &bytes);
        // An asset server does not list folders, so the options must name the project.
        wanted.extend(self.options.tiled_project.iter().map(|path| {
            let kind = ReferenceKind::PropertyTypes;
            Reference { path: path.clone(), kind }
        }));
        while let Some(file) = wanted.pop() {
            let is_skipped = matches!(file.kind, ReferenceKind::Folder | ReferenceKind::Art);
            if is_skipped || files.contains_key(&file.path) {
                continue;
            }
            let address = AssetPath::from(plain(&file.path)).with_source(source.clone());
            if let Ok(read) = context.read_asset_bytes(address).await {
                wanted.extend(references(&file.path, &read));
                files.insert(file.path, read);
            }
        }
        Ok(LevelAsset(LoadedLevel::decode(path, &bytes, files, &self.options)?))
    }

    fn extensions(&self) -> &[&str] {
        &["tmx", "tmj", "world", "ldtk"]
    }
}

/// Removes `..` from a path: `maps/../tiles/cave.tsx` becomes `tiles/cave.tsx`, the path that a file watcher
/// reports.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}
