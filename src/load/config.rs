//! Parses the load options in a `bitwall.toml`. The limits of a load have no key in the file, because the
//! program decides them, not the author of a level.

pub mod section;
#[cfg(test)]
mod tests;

use std::path::{Component, Path, PathBuf};

use toml::de::DeTable;

use super::disk::{Links, read_file};
use super::root::{self, CONFIG, config_of};
use crate::Level;
use crate::error::{LoadError, LoadErrorKind};
use crate::geometry::{Dir, Outside, Sides};
use crate::options::LoadOptions;
use crate::paths::{folder_of, is_absolute};
use crate::rules::{AreaRule, SolidRules};
use crate::tmx::Space;
use section::{Fault, Section, Value};

/// The largest size of a configuration, in bytes.
pub const CONFIG_BYTES: u64 = 65_536;

impl LoadOptions {
    /// Loads the options in the file at `path`: a `bitwall.toml`, or another file with the same format.
    ///
    /// # Errors
    /// Fails as [`LoadOptions::decode`]. Also fails if the file is over 64 KiB or cannot be read, or if its
    /// `level.root` is not a folder, or is a link that leads out of the file's own folder.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        load(path.as_ref(), Links::Followed)
    }

    /// Decodes the options in `bytes`, the content of a `bitwall.toml`. The linter's section `verify` is
    /// ignored. `path` is for errors and for [`LoadOptions::root`]; no file is read.
    ///
    /// ```
    /// use bitwall::LoadOptions;
    ///
    /// let options = LoadOptions::decode("bitwall.toml", "[solid]\nlayers = ['Ground']")?;
    /// assert!(options.solid_rules.layer_names.contains(&"Ground".to_owned()));
    ///
    /// let error = LoadOptions::decode("bitwall.toml", "[solid]\nlayer = ['Ground']").unwrap_err();
    /// assert!(error.to_string().starts_with(
    ///     "bitwall.toml: line 2, byte 1: `solid.layer` is not a key; did you mean `layers`?"
    /// ));
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    ///
    /// Every key is optional. These are all keys:
    /// ```toml
    #[doc = include_str!("config/example.toml")]
    /// ```
    ///
    /// # Errors
    /// Fails with [`LoadErrorKind::Config`], line and byte for bytes that are not TOML, for an unknown key,
    /// and for a value that does not fit its key.
    pub fn decode(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let text = std::str::from_utf8(bytes.as_ref()).map_err(|error| {
            let reason = format!("byte {} is not UTF-8", error.valid_up_to() + 1);
            Fault { at: None, reason }.in_file(path, "")
        })?;
        let parsed = DeTable::parse(text).map_err(|error| Fault {
            at: error.span().map(|span| span.start),
            reason: format!("not TOML: {}", error.message()),
        });
        let options = parsed.and_then(|table| options(table.into_inner(), path));
        options.map_err(|fault| fault.in_file(path, text))
    }
}

/// Loads options as [`LoadOptions::load`]. `links` decides whether `path` may be a link.
fn load(path: &Path, links: Links) -> Result<LoadOptions, LoadError> {
    let bytes = read_file(path, links, CONFIG_BYTES).map_err(|kind| match kind {
        LoadErrorKind::NotAFile if links == Links::Refused => {
            let reason = "not a regular file; links are not followed".to_owned();
            LoadErrorKind::Config { reason }.in_file(path)
        }
        kind => kind.in_file(path),
    })?;
    let mut options = LoadOptions::decode(path, bytes)?;
    if let Some(root) = &mut options.root {
        *root = root::below(path, root).map_err(|kind| kind.in_file(path))?;
    }
    Ok(options)
}

fn options(table: DeTable<'_>, path: &Path) -> Result<LoadOptions, Fault> {
    let mut options = LoadOptions { config: Some(path.to_owned()), ..LoadOptions::default() };
    let mut file = Section::new("".into(), table);
    if let Some(section) = file.section("level")? {
        level(section, path, &mut options)?;
    }
    if let Some(mut section) = file.section("masks")? {
        options.mask_rule = section.parsed("rule")?;
        if let Some(planes) = section.section("planes")? {
            for (name, value) in planes.entries() {
                let plane = format!("{name}={}", value.text()?).parse();
                options.planes.push(plane.map_err(|reason| value.fault(reason))?);
            }
        }
        section.finish()?;
    }
    if let Some(section) = file.section("solid")? {
        options.solid_rules = solid(section)?;
    }
    if let Some(areas) = file.section("areas")? {
        for (name, value) in areas.entries() {
            options.areas.retain(|known| known.name != name);
            options.areas.push(area(name, value.section()?)?);
        }
    }
    // The linter reads this section.
    let _ = file.take("verify");
    file.finish()?;
    Ok(options)
}

fn level(mut section: Section<'_>, path: &Path, options: &mut LoadOptions) -> Result<(), Fault> {
    if let Some(value) = section.take("outside") {
        options.outside = outside(value)?;
    }
    if let Some(value) = section.take("root") {
        let written = value.text()?;
        // The root must be below the file's folder, because an untrusted project must not give its maps
        // access to more folders.
        let mut parts = Path::new(written).components();
        let is_below = parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if written.is_empty() || !is_below || is_absolute(written) {
            return Err(value.fault("must be a folder below that of this file, as `assets`"));
        }
        options.root = Some(folder_of(path).join(written));
    }
    if let Some(value) = section.take("space") {
        options.space = match value.text() {
            Ok("map") => Space::Map,
            Ok("screen") => Space::Screen,
            _ => return Err(value.fault("must be \"map\" or \"screen\"")),
        };
    }
    section.set("lenient", &mut options.lenient)?;
    section.set("allow-nothing-solid", &mut options.allow_nothing_solid)?;
    section.finish()
}

fn outside_of_side(value: &Value<'_>) -> Result<Outside, Fault> {
    match value.text() {
        Ok("solid") => Ok(Outside::Solid),
        Ok("open") => Ok(Outside::Open),
        _ => Err(value.fault("must be \"solid\" or \"open\"")),
    }
}

fn outside(value: Value<'_>) -> Result<Sides<Outside>, Fault> {
    if !value.is_table() {
        return Ok(outside_of_side(&value)?.into());
    }
    let mut section = value.section()?;
    let mut sides = Sides::default();
    for (name, dir) in
        [("left", Dir::Left), ("right", Dir::Right), ("up", Dir::Up), ("down", Dir::Down)]
    {
        if let Some(value) = section.take(name) {
            sides = sides.with(dir, outside_of_side(&value)?);
        }
    }
    section.finish()?;
    Ok(sides)
}

fn solid(mut section: Section<'_>) -> Result<SolidRules, Fault> {
    let mut defaults = true;
    section.set("defaults", &mut defaults)?;
    let mut rules = if defaults { SolidRules::default() } else { SolidRules::none() };
    let mut author_words = Vec::new();
    for (key, words) in rules.words() {
        // An empty list removes the default names.
        if section.has_empty_list(key) {
            words.clear();
        }
        let known = words.len();
        section.words(key, words)?;
        // The name of a decoration layer does not make a layer solid.
        if key != "decoration-layers" {
            author_words.extend_from_slice(&words[known..]);
        }
    }
    let known = rules.solid_values.len();
    section.values("values", &mut rules.solid_values)?;
    let names = rules.solid_values[known..].iter().map(|value| value.name.clone());
    author_words.extend(names);
    rules.author_words = author_words;
    let mut has_resorts = !rules.last_resorts.is_empty();
    section.set("last-resorts", &mut has_resorts)?;
    if !has_resorts {
        rules.last_resorts.clear();
    }
    section.tiles("tiles", &mut rules.solid_tiles)?;
    section.tiles("passable-tiles", &mut rules.passable_tiles)?;
    section.set("shapes-only", &mut rules.shapes_only)?;
    section.set("two-tile-tilesets", &mut rules.two_tile_tilesets)?;
    section.finish()?;
    Ok(rules)
}

fn area(name: String, mut section: Section<'_>) -> Result<AreaRule, Fault> {
    let mut category = 0;
    section.set("category", &mut category)?;
    if section.is_empty() {
        return Ok(AreaRule { category, ..AreaRule::named(&name) });
    }
    let mut area = AreaRule { category, ..AreaRule::new(name) };
    section.words("layers", &mut area.layers)?;
    section.words("classes", &mut area.classes)?;
    section.words("properties", &mut area.properties)?;
    section.values("values", &mut area.values)?;
    section.tiles("tiles", &mut area.tiles)?;
    section.finish()?;
    Ok(area)
}

/// A root folder with a `bitwall.toml`, which has the load options of all levels of a game.
///
/// Authors of levels can change these options without a change of the game's code. Only this type looks for a
/// `bitwall.toml`; [`Level::load`] does not.
///
/// ```no_run
/// use bitwall::Project;
///
/// let project = Project::open("assets")?;
/// let level = project.load(project.root().join("cave.tmx"))?;
/// # Ok::<(), bitwall::LoadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Project {
    root: PathBuf,
    options: LoadOptions,
}

impl Project {
    /// Finds the project of a level or folder at `path`: the nearest folder with a `bitwall.toml`, from
    /// `path` or its folder upward. `None` if no folder has one.
    ///
    /// The search ends after a folder with a `.git`, and never uses the top folder of the file system or of a
    /// drive. The level need not exist.
    ///
    /// # Errors
    /// Fails as [`LoadOptions::load`]. Also fails if the `bitwall.toml` is a link. The error has the path of
    /// the `bitwall.toml`, relative to the current folder if the file is inside that folder.
    pub fn find(path: impl AsRef<Path>) -> Result<Option<Self>, LoadError> {
        config_of(path.as_ref()).map(Self::of).transpose()
    }

    /// Opens the project whose `bitwall.toml` is in the folder `root`.
    ///
    /// # Errors
    /// Fails as [`LoadOptions::load`]. Also fails if `root` has no `bitwall.toml`, or if the file is a link.
    pub fn open(root: impl AsRef<Path>) -> Result<Self, LoadError> {
        Self::of(root.as_ref().join(CONFIG))
    }

    /// Opens the project with the configuration file at `config`, which may have any name.
    pub fn of(config: PathBuf) -> Result<Self, LoadError> {
        let mut options = load(&config, Links::Refused)?;
        let root = root::folder_of(&config).to_owned();
        if options.root.is_none() {
            let real = root::below(&config, &root).map_err(|kind| kind.in_file(&config))?;
            options.root = Some(real);
        }
        Ok(Self { root, options })
    }

    /// Returns the folder with the `bitwall.toml`. Files that levels refer to must be in
    /// [`LoadOptions::root`], which is this folder by default.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the options in the `bitwall.toml`, with [`LoadOptions::root`] and [`LoadOptions::config`] set.
    pub fn options(&self) -> &LoadOptions {
        &self.options
    }

    /// Loads a level as [`Level::load_with`], with the project's options. Relative paths start at the current
    /// folder.
    pub fn load(&self, level: impl AsRef<Path>) -> Result<Level, LoadError> {
        Level::load_with(level, &self.options)
    }
}
