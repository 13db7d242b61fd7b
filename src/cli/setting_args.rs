//! The arguments that say what is solid in a map, and the error for one that matches nothing.

use clap::Args;

use super::Failure;
use crate::rules::{Setting, TileRange};
use crate::{LoadOptions, LoadedLevel};

/// Marks of solids in a map, besides those of the rules. Each may be given again, and must match something.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Solids of a map")]
pub(super) struct SettingArgs {
    /// Make layers of this name solid; a * at the end matches any rest
    #[arg(long, value_name = "NAME")]
    solid_layer: Vec<String>,
    /// Make the empty cells of tile layers of this name solid: their tiles are the floor
    #[arg(long, value_name = "NAME")]
    walkable_layer: Vec<String>,
    /// Make nothing on layers of this name solid
    #[arg(long, value_name = "NAME")]
    passable_layer: Vec<String>,
    /// Make layers, tiles and objects of this class solid
    #[arg(long, value_name = "CLASS")]
    solid_class: Vec<String>,
    /// Make layers, tiles and objects solid whose bool property of this name is true
    #[arg(long, value_name = "PROPERTY")]
    solid_property: Vec<String>,
    /// Make tiles and objects solid whose bool property of this name is false
    #[arg(long, value_name = "PROPERTY")]
    passable_property: Vec<String>,
    /// Make layers, tiles and objects solid whose property has this value
    #[arg(long, value_name = "PROPERTY=VALUE", value_parser = value)]
    solid_value: Vec<Setting>,
    /// Make tiles of the tilesets of this name solid: all, or those with these ids
    #[arg(long, value_name = "TILESET[=ID-ID]")]
    solid_tiles: Vec<TileRange>,
    /// Make tiles of the tilesets of this name passable, even on a solid layer
    #[arg(long, value_name = "TILESET[=ID-ID]")]
    passable_tiles: Vec<TileRange>,
    /// Of solid layers, make only the tiles with collision shapes solid
    #[arg(long)]
    shapes_only: bool,
}

fn value(text: &str) -> Result<Setting, String> {
    let is: crate::rules::PropertyIs = text.parse().map_err(|error| format!("{error}"))?;
    Ok(Setting::SolidValue { name: is.name, value: is.value })
}

/// Names, and the setting that each of them makes.
type Named<'n> = (&'n [String], fn(String) -> Setting);

impl SettingArgs {
    fn settings(&self) -> impl Iterator<Item = Setting> {
        let lists: [Named<'_>; 6] = [
            (&self.solid_layer, Setting::SolidLayer),
            (&self.walkable_layer, Setting::WalkableLayer),
            (&self.passable_layer, Setting::PassableLayer),
            (&self.solid_class, Setting::SolidClass),
            (&self.solid_property, Setting::SolidProperty),
            (&self.passable_property, Setting::PassableProperty),
        ];
        let named =
            lists.into_iter().flat_map(|(names, setting)| names.iter().cloned().map(setting));
        let shapes = self.shapes_only.then_some(Setting::ShapesOnly);
        let solid = self.solid_tiles.iter().cloned().map(Setting::SolidTiles);
        let passable = self.passable_tiles.iter().cloned().map(Setting::PassableTiles);
        let values = self.solid_value.iter().cloned();
        named.chain(values).chain(solid).chain(passable).chain(shapes)
    }

    /// `options` with these arguments.
    pub(super) fn apply(&self, options: LoadOptions) -> LoadOptions {
        self.settings().fold(options, |options, setting| options.with_setting(&setting))
    }

    /// An error for an argument that matches nothing in the level.
    pub(super) fn check(&self, loaded: &LoadedLevel) -> Result<(), Failure> {
        for setting in self.settings() {
            if let Some(reason) = loaded.absence(&setting) {
                let option = setting.arguments().swap_remove(0);
                return Err(Failure::Other(format!("{option}: {reason}")));
            }
        }
        Ok(())
    }
}
