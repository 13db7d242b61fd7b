//! The arguments for the loading of a level and for the box that moves in it, shared by all commands.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::Failure;
use super::progress;
use super::setting_args::SettingArgs;
use crate::load::loaded::Source;
use crate::load::picture::load_picture;
use crate::load::root::config_of;
use crate::{
    Aabb, LoadError, LoadOptions, LoadedLevel, Outside, Project,
    rules::{AreaRule, MaskPlane, MaskRule, Suggestion},
    tmx::Space,
};

/// The load options of a command. Each argument replaces an option of the nearest `bitwall.toml`.
#[derive(Args, Clone, Debug)]
pub(super) struct LoadArgs {
    /// The file with the load options [default: the nearest bitwall.toml in the level's folder or above it,
    /// up to the first folder with a .git]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Use no bitwall.toml
    #[arg(long)]
    no_config: bool,
    /// The solid pixels of a mask: dark, light or opaque (with =THRESHOLD from 0 to 255), or colours as
    /// #rrggbb,#rrggbb [default: dark]
    #[arg(long, value_name = "RULE")]
    mask: Option<MaskRule>,
    /// Make a named area of a mask's pixels of this colour, such as water=#0000ff. They are passable, or
    /// solid if the name is solid. May be given again, also for more colours of one area
    #[arg(long, value_name = "NAME=COLOR")]
    plane: Vec<MaskPlane>,
    /// Whether the outside of the level is solid [default: solid]
    #[arg(long, value_enum)]
    outside: Option<OutsideArg>,
    /// The root folder: a map can only name files in it [default: the nearest folder above the map with a
    /// bitwall.toml, a .tiled-project or a .git, else the current folder if the map is in it, else the
    /// map's own]
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
    /// Make a named area of the layers, tiles and objects of a map with this name, class or bool property.
    /// A bitwall.toml has more rules for areas. May be given again
    #[arg(long, value_name = "NAME")]
    area: Vec<String>,
    /// The space of an isometric or oblique map's level: the map's own, or its picture's [default: map]
    #[arg(long, value_enum)]
    space: Option<SpaceArg>,
    /// Load a map with missing cells or unknown tiles: these cells count as empty, with a warning
    #[arg(long)]
    lenient: bool,
    /// Load a map in which nothing is solid, instead of an error; `info` and `render` always do
    #[arg(long)]
    allow_nothing_solid: bool,
    #[command(flatten)]
    settings: SettingArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OutsideArg {
    Solid,
    Open,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SpaceArg {
    Map,
    Screen,
}

impl LoadArgs {
    /// The load options for the level at `path`.
    pub(super) fn options(&self, path: &Path) -> Result<LoadOptions, LoadError> {
        Ok(self.apply(match &self.config {
            Some(config) => LoadOptions::load(config)?,
            None if self.no_config => LoadOptions::default(),
            None => Project::find(path)?
                .map_or_else(LoadOptions::default, |project| project.options().clone()),
        }))
    }

    /// The configuration for the level at `path`, which is not read here.
    pub(super) fn config_for(&self, path: &Path) -> Option<PathBuf> {
        match &self.config {
            Some(config) => Some(config.clone()),
            None if self.no_config => None,
            None => config_of(path),
        }
    }

    /// True if the configuration is one that an argument names.
    pub(super) fn names_config(&self) -> bool {
        self.config.is_some()
    }

    /// The options of a configuration, changed by the arguments.
    pub(super) fn apply(&self, options: LoadOptions) -> LoadOptions {
        let mut options = self.settings.apply(options);
        options.planes.extend(self.plane.iter().cloned());
        if let Some(rule) = &self.mask {
            options.mask_rule = rule.clone();
        }
        if let Some(outside) = self.outside {
            let outside = match outside {
                OutsideArg::Solid => Outside::Solid,
                OutsideArg::Open => Outside::Open,
            };
            options.outside = outside.into();
        }
        if let Some(root) = &self.root {
            options.root = Some(root.clone());
        }
        if let Some(space) = self.space {
            options.space = match space {
                SpaceArg::Map => Space::Map,
                SpaceArg::Screen => Space::Screen,
            };
        }
        for name in &self.area {
            if options.areas.iter().all(|area| area.name != *name) {
                options.areas.push(AreaRule::named(name));
            }
        }
        options.lenient |= self.lenient;
        options.allow_nothing_solid |= self.allow_nothing_solid;
        options
    }

    /// Loads a level. It is an error if nothing in it is solid, unless that is allowed.
    pub(super) fn load(&self, path: &Path) -> Result<LoadedLevel, Failure> {
        let loaded = self.load_anyway(path)?;
        let options = self.options(path)?;
        let is_map = !loaded.maps.is_empty();
        match is_map && loaded.level.is_blank() && !options.allow_nothing_solid {
            true => Ok(progress::spinner("loading", || LoadedLevel::load(path, &options))?),
            false => Ok(loaded),
        }
    }

    /// Loads a level, even one in which nothing is solid.
    pub(super) fn load_anyway(&self, path: &Path) -> Result<LoadedLevel, Failure> {
        let options = self.options(path)?.with_nothing_solid_allowed(true);
        let loaded = progress::spinner("loading", || LoadedLevel::load(path, &options))?;
        self.settings.check(&loaded)?;
        Ok(loaded)
    }
}

/// The suggestions for a level. Only a mask with pixels of other colours than black and white is read again.
pub(super) fn suggestions(path: &Path, loaded: &LoadedLevel) -> Vec<Suggestion> {
    let picture = match &loaded.source {
        Source::Mask(mask) if mask.counts.gray > 0 => load_picture(path).ok(),
        _ => None,
    };
    loaded.suggestions(picture.as_ref())
}

/// The level argument of a command.
#[derive(Args, Clone, Debug)]
pub(super) struct LevelArgs {
    /// A Tiled map (.tmx, .tmj), a world of maps (.world) or a mask (.png, .gif, .bmp, .webp, .tga)
    #[arg(value_name = "LEVEL")]
    pub(super) level: PathBuf,
    #[command(flatten)]
    pub(super) load: LoadArgs,
}

/// A box as `X,Y,W,H`: four whole numbers, the last two above 0.
pub(super) fn parse_body(text: &str) -> Result<Aabb, String> {
    let numbers: Result<Vec<i32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([x, y, w, h]) => body(*x, *y, *w, *h),
        _ => Err("four whole numbers are needed: X,Y,W,H in pixels".to_owned()),
    }
}

/// The box with these numbers. An error if it is empty, or if it ends beyond the range of positions, which
/// would cut it off.
pub(super) fn body(x: i32, y: i32, w: i32, h: i32) -> Result<Aabb, String> {
    if w <= 0 || h <= 0 {
        return Err("the width and the height must be above 0".to_owned());
    }
    if x.checked_add(w).is_none() || y.checked_add(h).is_none() {
        return Err("the box ends beyond 2147483647".to_owned());
    }
    Ok(Aabb::from_xywh(x, y, w, h))
}
