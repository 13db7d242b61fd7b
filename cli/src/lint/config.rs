//! The options of a check. Most come from the section `[verify]` of a `bitwall.toml`.

use std::path::{Path, PathBuf};

use ignore::gitignore::GitignoreBuilder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toml::Table;
use toml::de::DeTable;

use super::{RuleLevel, RuleSet, Selection, Severity};
use bitwall::character::Feel;
use bitwall::error::Place;
use bitwall::glam::{UVec2, Vec2};
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::config::section::{Fault, Section, Value};
use bitwall::load::{Links, read_file};
use bitwall::navigate::Jumper;
use bitwall::text::{is_name_like, nearest, printable};
use bitwall::{LoadError, LoadOptions, Rate};

/// The options of [`verify_file`](super::verify_file): facts about the game, requirements on its levels, and
/// the rules that are on.
#[derive(Clone, Debug, Default)]
pub struct VerifyOptions {
    /// The load options. [`Project`](bitwall::Project) reads them from a level's `bitwall.toml`.
    pub load: LoadOptions,
    /// For each rule, whether it is on, and the severity of its findings.
    pub levels: Selection,
    /// The required width and height of a mask, in pixels; `None` for any size.
    pub size: Option<UVec2>,
    /// The size of a tile in pixels. The size of a mask must be a multiple of it. `None` for any size.
    pub tile: Option<UVec2>,
    /// The art of the mask: the picture that the player sees, which must have the same size. With `None`, a
    /// picture beside the mask is used: `harbor.png`, or another format, for `harbor_mask.png`.
    pub art: Option<PathBuf>,
    /// The bodies that move in the level.
    pub bodies: Vec<BodySpec>,
    /// The requirements on the markers of a level.
    pub markers: Vec<MarkerSpec>,
    /// The most work of the search for ways to the goals of a level; `None` for [`REACH_WORK`].
    pub reach_work: Option<u64>,
    /// The names of the layers that a map must have. A `*` at the end of a name stands for any text.
    pub required_layers: Vec<String>,
    /// The names of the tilesets that a map may use, with `*` as in `required_layers`; empty if any may be
    /// used.
    pub allowed_tilesets: Vec<String>,
    /// The numbers of solid cells and of all cells in an earlier revision of the level; `None` without an
    /// earlier revision.
    pub base: Option<SolidShare>,
}

/// A body that moves in the levels.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySpec {
    /// The name of the body in messages.
    pub name: String,
    /// The width and height of the body in pixels, both above 0.
    pub size: UVec2,
    /// How the body moves, for the rules about reachability; `None` if unknown.
    pub moves: Option<Moves>,
}

/// How a body moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Moves {
    /// The level is seen from above, and the body walks in all directions, pixel by pixel.
    Above,
    /// The level is seen from the side, and the body runs and jumps. The size here counts.
    Side(Box<Jumper>),
}

impl BodySpec {
    /// Creates a body with unknown moves. A width or height of 0 becomes 1.
    pub fn new(name: impl Into<String>, size: UVec2) -> Self {
        Self { name: name.into(), size: size.max(UVec2::ONE), moves: None }
    }
}

/// The role of a marker in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum MarkerRole {
    /// A body starts at the marker.
    Spawn,
    /// A body must be able to reach the marker.
    Goal,
    /// A body should be able to reach the marker.
    Pickup,
    /// The game moves a body there, or opens a way: a door, a lift, a spring. No goal is proven to be out of
    /// reach in a level that has one.
    Helper,
    /// Any other role.
    Other,
}

/// A requirement on the markers of one name: their role, and how many a level must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerSpec {
    /// The name of the markers. A `*` at the end stands for any text. Letter case does not matter.
    pub name: String,
    /// The role of the markers in the game.
    pub role: MarkerRole,
    /// The smallest number of these markers that a level must have.
    pub at_least: u32,
    /// The largest number of these markers that a level may have; `None` for any number.
    pub at_most: Option<u32>,
    /// True if it is an error that a goal was neither reached nor proven to be out of reach.
    pub must_be_reached: bool,
    /// The line and the byte in the line of the name in its configuration, both from 1.
    pub place: Option<(u32, u32)>,
}

impl MarkerSpec {
    /// Creates a spec that allows any number of markers with this name and role.
    pub fn new(name: impl Into<String>, role: MarkerRole) -> Self {
        let name = name.into();
        Self { name, role, at_least: 0, at_most: None, must_be_reached: false, place: None }
    }

    /// True if this requirement applies to a marker called `name`.
    pub fn matches(&self, name: &str) -> bool {
        is_name_like(&self.name, name)
    }
}

/// The numbers of solid cells and of all cells in a level, to compare two revisions of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolidShare {
    /// The number of solid cells in the level.
    pub solid: u64,
    /// The number of all cells in the level.
    pub cells: u64,
}

impl SolidShare {
    /// Creates a share from the number of solid cells and the number of all cells in a level.
    pub const fn new(solid: u64, cells: u64) -> Self {
        Self { solid, cells }
    }

    /// Returns the share of solid cells from 0 to 1; 0 for a level without cells.
    pub fn fraction(self) -> f64 {
        match self.cells {
            0 => 0.0,
            cells => self.solid as f64 / cells as f64,
        }
    }
}

/// The default of [`VerifyOptions::reach_work`]: a search of this work takes about a second.
pub const REACH_WORK: u64 = 1_000_000;

/// The default patterns of masks, used without the key `masks`. A picture in a searched folder is a mask if
/// its path matches a pattern. The syntax is that of a `.gitignore`; letter case does not matter.
pub const MASK_PATTERNS: [&str; 6] =
    ["mask.*", "*_mask.*", "*-mask.*", "*.mask.*", "*collision*", "**/masks/*"];

/// The section `[verify]` of a `bitwall.toml`.
///
/// ```
/// use bitwall_cli::lint::VerifyConfig;
///
/// let config = VerifyConfig::decode(
///     "bitwall.toml",
///     "[verify]\nignore = ['TMX111']\n[[verify.body]]\nname = 'hero'\nsize = '12x20'",
/// )?;
/// assert_eq!(config.options.bodies[0].size.to_array(), [12, 20]);
/// # Ok::<(), bitwall::LoadError>(())
/// ```
///
/// A `bitwall.toml` in a subfolder overrides an upper file key by key and rule by rule; see
/// [`with_above`](VerifyConfig::with_above).
///
/// Every key is optional. An example with all keys:
/// ```toml
#[doc = include_str!("config/example.toml")]
/// ```
#[derive(Clone, Debug, Default)]
pub struct VerifyConfig {
    /// The options for the files in the folder of this configuration. The load options are the defaults.
    pub options: VerifyOptions,
    /// The patterns of masks, relative to the folder of this configuration. `None` means the patterns of the
    /// next `bitwall.toml` above, or else [`MASK_PATTERNS`]. With an empty list, only the masks in `pairs`
    /// are masks.
    pub masks: Option<Vec<String>>,
    /// The patterns of files to skip.
    pub exclude: Vec<String>,
    /// Pairs of a mask and its art, the picture that the player sees. Their paths are relative to the folder
    /// of this configuration.
    pub pairs: Vec<MaskPair>,
    /// Rule states for files that match patterns.
    pub per_path: Vec<PathRules>,
    /// The keys that this configuration sets to an empty list. It does not inherit the lists of these keys.
    pub emptied: Vec<&'static str>,
}

/// The keys whose lists a configuration inherits from the `bitwall.toml` above it.
const INHERITED: [&str; 4] = ["body", "marker", "required-layers", "allowed-tilesets"];

/// A mask, and its art: the picture that the player sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskPair {
    /// The path of the mask.
    pub mask: PathBuf,
    /// The path of the picture that the player sees.
    pub art: PathBuf,
    /// The line and the byte in the line of the mask in its configuration, both from 1.
    pub place: Option<(u32, u32)>,
}

/// Rule states (off, on, or a severity) for the files that match patterns.
#[derive(Clone, Debug)]
pub struct PathRules {
    /// The patterns of the files, relative to the folder of the configuration.
    pub paths: Vec<String>,
    /// The states of rules for the files that match one of `paths`.
    pub levels: Selection,
}

impl VerifyConfig {
    /// Loads the section `[verify]` of the file `path`. Returns the defaults if the file has no such section.
    /// The file may have any name.
    ///
    /// # Errors
    /// The errors of [`LoadOptions::load`](bitwall::LoadOptions::load).
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let bytes = read_file(path, Links::Followed, CONFIG_BYTES);
        let bytes = bytes.map_err(|kind| LoadError::new(path, Place::default(), kind))?;
        Self::decode(path, bytes)
    }

    /// Decodes the section `[verify]` from the `bytes` of a file. Reads no file; `path` is only named in
    /// errors.
    ///
    /// # Errors
    /// [`LoadErrorKind::Config`](bitwall::error::LoadErrorKind::Config) with line and byte, if the bytes are
    /// not TOML, or if the section has an unknown key or value. Other sections are ignored.
    pub fn decode(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let text = String::from_utf8_lossy(bytes.as_ref());
        let parsed = DeTable::parse(&text).map_err(|error| Fault {
            at: error.span().map(|span| span.start),
            reason: format!("not TOML: {}", error.message()),
        });
        let config = parsed.and_then(|table| {
            let mut file = Section::new("".into(), table.into_inner());
            file.section("verify")?
                .map_or_else(|| Ok(Self::default()), |section| read(section, &text))
        });
        config.map_err(|fault| fault.in_file(path, &text))
    }

    /// Adds the facts and rule states of `above` that this configuration does not set itself.
    /// - A list (bodies, markers, layers, tilesets) is inherited as a whole: one body in this configuration
    ///   replaces all bodies of `above`. An empty list in the file replaces them too.
    /// - The rule states of `above` come first, so that states of this configuration override them.
    /// - Patterns and pairs are not inherited, because they are relative to the folder of their file.
    ///
    /// ```
    /// use bitwall_cli::lint::VerifyConfig;
    ///
    /// let upper = VerifyConfig::decode("bitwall.toml", "[[verify.body]]\nsize = '12x20'")?;
    /// let lower = VerifyConfig::decode("caves/bitwall.toml", "[verify]\ntile = '16x16'")?;
    /// assert_eq!(lower.with_above(&upper).options.bodies.len(), 1);
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    #[must_use]
    pub fn with_above(mut self, above: &Self) -> Self {
        let own = &mut self.options;
        let above = &above.options;
        let mut levels = above.levels.clone();
        levels.extend(&own.levels);
        own.levels = levels;
        own.size = own.size.or(above.size);
        own.tile = own.tile.or(above.tile);
        own.reach_work = own.reach_work.or(above.reach_work);
        let emptied = &self.emptied;
        inherit(emptied, "body", &mut own.bodies, &above.bodies);
        inherit(emptied, "marker", &mut own.markers, &above.markers);
        inherit(emptied, "required-layers", &mut own.required_layers, &above.required_layers);
        inherit(emptied, "allowed-tilesets", &mut own.allowed_tilesets, &above.allowed_tilesets);
        self
    }
}

/// Copies the list of `key` from `above` if a configuration does not set it: its `own` list is empty, and
/// `emptied` does not contain `key`.
fn inherit<T: Clone>(emptied: &[&str], key: &str, own: &mut Vec<T>, above: &[T]) {
    if own.is_empty() && !emptied.contains(&key) {
        own.extend_from_slice(above);
    }
}

/// Reads the section of a file of this `text`.
fn read(mut section: Section<'_>, text: &str) -> Result<VerifyConfig, Fault> {
    let emptied = INHERITED.into_iter().filter(|key| section.has_empty_list(key));
    let mut config = VerifyConfig { emptied: emptied.collect(), ..VerifyConfig::default() };
    let has_no_masks = section.has_empty_list("masks");
    let masks = patterns(&mut section, "masks")?;
    config.masks = (has_no_masks || !masks.is_empty()).then_some(masks);
    config.exclude = patterns(&mut section, "exclude")?;
    let options = &mut config.options;
    options.levels = levels(&mut section)?;
    options.size = size(&mut section, "size")?;
    options.tile = size(&mut section, "tile")?;
    options.reach_work = section.get("reach-work")?;
    section.words("required-layers", &mut options.required_layers)?;
    section.words("allowed-tilesets", &mut options.allowed_tilesets)?;
    for item in section.sections("body")? {
        options.bodies.push(body(item)?);
    }
    for item in section.sections("marker")? {
        options.markers.push(marker(item, text)?);
    }
    for item in section.sections("pair")? {
        config.pairs.push(pair(item, text)?);
    }
    for mut item in section.sections("path")? {
        let paths = patterns(&mut item, "paths")?;
        config.per_path.push(PathRules { paths, levels: levels(&mut item)? });
        item.finish()?;
    }
    section.finish()?;
    Ok(config)
}

/// Takes a list of file patterns in the syntax of a `.gitignore`.
fn patterns(section: &mut Section<'_>, key: &'static str) -> Result<Vec<String>, Fault> {
    let mut patterns = Vec::new();
    for item in section.list(key)? {
        let pattern = item.text()?;
        if pattern.is_empty() {
            return Err(item.fault("has an empty name"));
        }
        let mut builder = GitignoreBuilder::new("");
        let built = builder.add_line(None, pattern).and_then(|builder| builder.build());
        built.map_err(|error| {
            let reason = error.to_string();
            let pattern = printable(pattern);
            item.fault(format!("has `{pattern}`, which is no pattern: {}", printable(&reason)))
        })?;
        patterns.push(pattern.to_owned());
    }
    Ok(patterns)
}

/// Reads which rules are on, and with which severity, from the keys `select`, `ignore` and `severity` of a
/// section. A later one of these keys overrides an earlier one.
fn levels(section: &mut Section<'_>) -> Result<Selection, Fault> {
    let mut levels = Selection::default();
    for (key, level) in [("select", RuleLevel::On), ("ignore", RuleLevel::Off)] {
        for item in section.list(key)? {
            levels.set(rules(&item, item.text()?, level)?, level);
        }
    }
    if let Some(severities) = section.section("severity")? {
        for (name, value) in severities.entries() {
            let level = match value.text()? {
                "error" => RuleLevel::As(Severity::Error),
                "warning" => RuleLevel::As(Severity::Warning),
                "note" => RuleLevel::As(Severity::Note),
                "off" => RuleLevel::Off,
                _ => return Err(value.fault(r#"must be "error", "warning", "note" or "off""#)),
            };
            levels.set(rules(&value, &name, level)?, level);
        }
    }
    Ok(levels)
}

fn rules(value: &Value<'_>, name: &str, level: RuleLevel) -> Result<RuleSet, Fault> {
    match name.parse() {
        Ok(RuleSet::One(rule)) if rule.fixed && level == RuleLevel::Off => {
            Err(value.fault(format!("turns off {}, which is always on", rule.code)))
        }
        Ok(rules) => Ok(rules),
        Err(reason) => Err(value.fault(format!("names no rule: {reason}"))),
    }
}

fn body(mut section: Section<'_>) -> Result<BodySpec, Fault> {
    let name = name(&mut section, "name")?.map_or("body".to_owned(), |(name, _)| name);
    let size = size(&mut section, "size")?;
    let size = size.ok_or_else(|| section.fault("needs a `size`, as \"12x20\""))?;
    let moves = section.section("moves")?.map(|section| moves(section, size)).transpose()?;
    section.finish()?;
    Ok(BodySpec { moves, ..BodySpec::new(name, size) })
}

fn marker(mut section: Section<'_>, text: &str) -> Result<MarkerSpec, Fault> {
    let name = name(&mut section, "name")?;
    let (name, at) = name.ok_or_else(|| section.fault("needs a `name`"))?;
    let role = section.get("role")?.unwrap_or(MarkerRole::Other);
    let at_least = section.get("at-least")?.unwrap_or(0);
    let at_most = section.get("at-most")?;
    let require = section.take("require");
    let is_goal = matches!(role, MarkerRole::Goal | MarkerRole::Pickup);
    if let Some(value) =
        require.as_ref().filter(|value| !is_goal || value.text().ok() != Some("reached"))
    {
        return Err(value.fault("must be \"reached\", of a goal or a pickup"));
    }
    section.finish()?;
    let must_be_reached = require.is_some();
    let place = Some(place(text, at));
    Ok(MarkerSpec { name, role, at_least, at_most, must_be_reached, place })
}

fn pair(mut section: Section<'_>, text: &str) -> Result<MaskPair, Fault> {
    let (mask, art) = (name(&mut section, "mask")?, name(&mut section, "art")?);
    let (Some((mask, at)), Some((art, _))) = (mask, art) else {
        return Err(section.fault("needs a `mask` and an `art`"));
    };
    section.finish()?;
    Ok(MaskPair { mask: mask.into(), art: art.into(), place: Some(place(text, at)) })
}

/// Returns the line and the byte in the line, both from 1, of a byte of a text.
fn place(text: &str, at: usize) -> (u32, u32) {
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let byte = at - before.rfind('\n').map_or(0, |end| end + 1) + 1;
    (line as u32, byte as u32)
}

/// Takes the text of `key` and its byte offset; `None` if the section lacks `key`. An empty text is an error.
fn name(section: &mut Section<'_>, key: &'static str) -> Result<Option<(String, usize)>, Fault> {
    let Some(value) = section.take(key) else {
        return Ok(None);
    };
    match value.text()? {
        "" => Err(value.fault("must not be empty")),
        text => Ok(Some((text.to_owned(), value.at()))),
    }
}

/// Takes a width and height in pixels, written `WxH`; `None` if the section lacks `key`.
fn size(section: &mut Section<'_>, key: &'static str) -> Result<Option<UVec2>, Fault> {
    let Some(value) = section.take(key) else {
        return Ok(None);
    };
    parse_size(value.text()?).map(Some).map_err(|reason| value.fault(reason))
}

pub(crate) fn parse_size(text: &str) -> Result<UVec2, String> {
    let parsed = text.split_once(['x', 'X']).and_then(|(width, height)| {
        let size = UVec2::new(width.parse().ok()?, height.parse().ok()?);
        (size.min_element() > 0).then_some(size)
    });
    parsed.ok_or_else(|| {
        "two whole numbers above 0 are needed: WxH in pixels, such as 480x270".to_owned()
    })
}

/// Parses the table `moves` of a body. With a `view` of "side" it has the steps of the game in a second, as
/// `rate`, and fields of [`Feel`] and of the mover's settings, with `-` for `_`.
fn moves(mut section: Section<'_>, size: UVec2) -> Result<Moves, Fault> {
    let view = section.take("view");
    let view = view.ok_or_else(|| section.fault("needs a `view`: \"top\" or \"side\""))?;
    match view.text()? {
        "top" => section.finish().map(|()| Moves::Above),
        "side" => jumper(section, size).map(|jumper| Moves::Side(Box::new(jumper))),
        text => Err(view.fault(format!("is `{}`, not top or side", printable(text)))),
    }
}

/// Reads a body that has neither wall jumps nor ledges, unless the table says so.
fn jumper(mut section: Section<'_>, size: UVec2) -> Result<Jumper, Fault> {
    let rate = Rate::per_second(section.get("rate")?.unwrap_or(60));
    let feel = Feel { wall_jump: Vec2::ZERO, ledge_reach: 0, ..Feel::default() };
    let mut jumper = Jumper::new(size, feel, rate);
    for (key, value) in section.entries() {
        let at = Some(value.at());
        let name = key.replace('-', "_");
        let value = value.read()?;
        let key = printable(&key).to_string();
        let fault = |reason| Fault { at, reason: format!("`verify.body.moves.{key}` {reason}") };
        let is_feel = set_field(&mut jumper.feel, &name, &value).map_err(&fault)?;
        if !set_field(&mut jumper.settings, &name, &value).map_err(&fault)? && !is_feel {
            return Err(fault(unknown_move(&jumper, &key)));
        }
    }
    Ok(jumper)
}

/// Sets the field called `name`, as serde names it. Returns false if there is none.
fn set_field<T: Serialize + DeserializeOwned>(
    settings: &mut T,
    name: &str,
    value: &toml::Value,
) -> Result<bool, String> {
    let mut fields = Table::try_from(&*settings).map_err(|error| error.to_string())?;
    let Some(field) = fields.get_mut(name) else {
        return Ok(false);
    };
    *field = value.clone();
    let read = fields.try_into::<T>();
    *settings = read.map_err(|error| format!("is wrong: {}", printable(error.message())))?;
    Ok(true)
}

/// The reason against a key that is no field of the body's moves, with the names that it could mean.
fn unknown_move(jumper: &Jumper, key: &str) -> String {
    let fields = [Table::try_from(&jumper.feel), Table::try_from(jumper.settings)];
    let fields = fields.into_iter().flatten().flatten();
    let names: Vec<String> = fields.map(|(name, _)| name.replace('_', "-")).collect();
    match nearest(key, names.iter().map(String::as_str)) {
        Some(known) => format!("is not a key; did you mean `{known}`?"),
        None => format!("is not a key; the keys here are rate, {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::{VerifyConfig, rule_by_name};
    use bitwall::LoadOptions;
    use bitwall::mover::{Slope, WalkSpeed};

    #[test]
    fn a_star_at_the_end_of_a_marker_name_matches_any_text() {
        let coins = MarkerSpec::new("coin*", MarkerRole::Pickup);
        assert!(coins.matches("Coin 12") && coins.matches("coin") && !coins.matches("a coin"));
        let player = MarkerSpec::new("Player", MarkerRole::Spawn);
        assert!(player.matches("player") && !player.matches("player 2"));
    }

    const EXAMPLE: &str = include_str!("config/example.toml");

    #[test]
    fn the_example_configuration_has_every_key_of_the_verify_section() {
        let config = VerifyConfig::decode("bitwall.toml", EXAMPLE).unwrap();
        assert!(LoadOptions::decode("bitwall.toml", EXAMPLE).is_ok());
        let options = &config.options;
        let is_on = |code| options.levels.severity_of(rule_by_name(code).unwrap()).is_some();
        assert!(is_on("LVL302") && !is_on("TMX111"));
        assert_eq!(options.size.zip(options.tile), Some((UVec2::new(480, 270), UVec2::splat(16))));
        let hero = BodySpec::new("hero", UVec2::new(12, 20));
        let moves = options.bodies[0].moves.clone();
        assert!(moves.is_some());
        assert_eq!(options.bodies, [BodySpec { moves, ..hero }]);
        assert_eq!(options.markers[0].at_most, Some(1));
        assert_eq!((config.pairs.len(), config.per_path.len()), (1, 1));
        assert_eq!(config.masks.map(|masks| masks.len()), Some(2));
        // This error lists every key of the section.
        let all = VerifyConfig::decode("bitwall.toml", "[verify]\nzz = 1").unwrap_err().to_string();
        let (_, keys) = all.split_once("the keys here are ").unwrap();
        for key in keys.split(';').next().unwrap().split(", ") {
            let is_there = EXAMPLE.contains(&format!("{key} = "))
                || EXAMPLE.contains(&format!("[[verify.{key}]]"));
            assert!(is_there, "{key}");
        }
    }

    #[test]
    fn a_lower_configuration_overrides_only_its_own_keys() {
        let decode = |text: &str| VerifyConfig::decode("b.toml", text).unwrap();
        let upper = "[verify]\nselect = ['LVL302']\nignore = ['MSK202']\ntile = '16x16'\n\
            required-layers = ['a']\n[[verify.body]]\nsize = '3x4'\n[[verify.body]]\nsize = '5x6'\n\
            [[verify.marker]]\nname = 'm'";
        let upper = decode(upper);
        let all = decode("[solid]").with_above(&upper).options;
        assert_eq!((all.bodies.len(), all.markers.len(), all.tile), (2, 1, Some(UVec2::splat(16))));
        let lower = "[verify]\nselect = ['MSK202']\nsize = '8x8'\n[[verify.body]]\nsize = '7x8'";
        let mixed = decode(lower).with_above(&upper).options;
        assert_eq!((mixed.bodies.len(), &*mixed.required_layers[0]), (1, "a"));
        assert_eq!(mixed.size.zip(mixed.tile), Some((UVec2::splat(8), UVec2::splat(16))));
        let emptied = decode("[verify]\nbody = []\nmarker = []\nrequired-layers = []");
        let none = emptied.with_above(&upper).options;
        assert_eq!((none.bodies.len(), none.markers.len(), none.required_layers.len()), (0, 0, 0));
        for code in ["LVL302", "MSK202"] {
            assert!(mixed.levels.severity_of(rule_by_name(code).unwrap()).is_some(), "{code}");
        }
    }

    #[test]
    fn each_word_for_a_severity_sets_the_severity_of_a_rule_or_turns_it_off() {
        for (word, severity) in [
            ("error", Some(Severity::Error)),
            ("warning", Some(Severity::Warning)),
            ("note", Some(Severity::Note)),
            ("off", None),
        ] {
            for rule in ["gray-pixels", "text-flag", "bad-shape"] {
                let text = format!("[verify.severity]\n{rule} = '{word}'");
                let levels = VerifyConfig::decode("b.toml", &text).unwrap().options.levels;
                assert_eq!(
                    levels.severity_of(rule_by_name(rule).unwrap()),
                    severity,
                    "{rule} {word}"
                );
            }
        }
        let text = "[verify.severity]\ntext-flag = 'none'";
        let error = VerifyConfig::decode("b.toml", text).unwrap_err().to_string();
        assert!(error.contains("must be \"error\", \"warning\", \"note\" or \"off\""), "{error}");
    }

    #[test]
    fn a_configuration_error_names_the_key_its_line_and_its_byte() {
        let error = |text: &str| VerifyConfig::decode("b.toml", text).unwrap_err().to_string();
        let starts = |text: &str, start: &str| {
            let error = error(text);
            assert!(error.starts_with(&format!("b.toml: {start}")), "{error}");
        };
        starts(
            "[verify]\nmask = ['a']",
            "line 2, byte 1: `verify.mask` is not a key; did you mean `masks`?",
        );
        starts(
            "[verify]\nignore = ['IO001']",
            "line 2, byte 11: `verify.ignore` turns off IO001, which is",
        );
        starts(
            "[verify]\nselect = ['TMX999']",
            "line 2, byte 11: `verify.select` names no rule: there is",
        );
        starts(
            "[[verify.body]]\nname = 'a'",
            "line 1, byte 1: `verify.body` needs a `size`, as \"12x20\"",
        );
        starts(
            "[[verify.marker]]\nname = 'a'\nrole = 'door'",
            "line 3, byte 8: `verify.marker.role`: unknown variant `door`, expected one of `spawn`",
        );
        let must =
            "line 3, byte 11: `verify.marker.require` must be \"reached\", of a goal or a pickup";
        starts("[[verify.marker]]\nname = 'a'\nrequire = 'reached'", must);
        starts("[[verify.marker]]\nname = 'a'\nrequire = 3\nrole = 'goal'", must);
        starts("[verify]\nsize = '8by5'", "line 2, byte 8: `verify.size` two whole numbers");
    }

    fn moves_of(keys: &str) -> Result<Option<Moves>, String> {
        let text = format!("[[verify.body]]\nsize = '12x20'\nmoves = {{ {keys} }}");
        let config = VerifyConfig::decode("bitwall.toml", text);
        config.map(|config| config.options.bodies[0].moves.clone()).map_err(|e| e.to_string())
    }

    fn jumper_of(keys: &str) -> Jumper {
        match moves_of(keys) {
            Ok(Some(Moves::Side(jumper))) => *jumper,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_moves_of_a_body_are_read_from_its_keys() {
        assert_eq!(moves_of("view = 'top'"), Ok(Some(Moves::Above)));
        let plain = jumper_of("view = 'side'");
        assert_eq!((plain.feel.wall_jump, plain.feel.ledge_reach), (Vec2::ZERO, 0));
        assert_eq!((plain.size, plain.rate), (UVec2::new(12, 20), Rate::per_second(60)));
        let more = jumper_of(
            "view = 'side', jump-height = 60, wall-jump = [120, 210.5], ledge_reach = 5, rate = 50, \
             max-slope = { rise = 1, run = 1 }, walk-speed = 'along_slope'",
        );
        assert_eq!(more.feel.jump_height, 60.0);
        assert_eq!((more.feel.wall_jump, more.feel.ledge_reach), (Vec2::new(120.0, 210.5), 5));
        assert_eq!((more.settings.max_slope, more.rate), (Slope::DIAGONAL, Rate::per_second(50)));
        assert_eq!(more.settings.walk_speed, WalkSpeed::AlongSlope);
    }

    /// A value of the same type that is not the default.
    fn changed(value: &toml::Value) -> toml::Value {
        match value {
            toml::Value::Boolean(flag) => (!flag).into(),
            toml::Value::Integer(number) => (number + 1).into(),
            toml::Value::Float(_) => 0.75.into(),
            toml::Value::Array(items) => items.iter().map(changed).collect::<Vec<_>>().into(),
            toml::Value::Table(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.clone(), changed(value)));
                toml::Value::Table(fields.collect())
            }
            toml::Value::String(text) => match &**text {
                "down" => "up",
                "x_then_y" => "y_then_x",
                "slide" => "stop",
                "along_axis" => "along_slope",
                _ => "other",
            }
            .into(),
            toml::Value::Datetime(_) => unreachable!("no setting is a date"),
        }
    }

    #[test]
    fn the_moves_of_a_body_have_every_field_of_its_feel_and_of_its_mover() {
        let plain = jumper_of("view = 'side'");
        let fields = [&Table::try_from(&plain.feel), &Table::try_from(plain.settings)];
        for (number, fields) in fields.into_iter().enumerate() {
            for (name, value) in fields.as_ref().unwrap() {
                let value = changed(value);
                let key = name.replace('_', "-");
                let set = jumper_of(&format!("view = 'side', {key} = {value}"));
                let both = [Table::try_from(&set.feel), Table::try_from(set.settings)];
                assert_eq!(both[number].as_ref().unwrap()[name], value, "{name}");
                assert!(set != plain, "{name}");
            }
        }
    }

    #[test]
    fn an_error_in_the_moves_of_a_body_names_the_key_or_value() {
        for (keys, wrong) in [
            ("speed = 3", "needs a `view`"),
            ("view = 'up'", "not top or side"),
            ("view = 'top', jump-height = 3", "jump-height"),
            ("view = 'side', jump-time = '1 s'", "moves.jump-time` is wrong: invalid type: string"),
            ("view = 'side', jump-hight = 3", "is not a key; did you mean `jump-height`?"),
            ("view = 'side', zzzzzzz = 3", "the keys here are"),
            ("view = 'side', path = 'sideways'", "moves.path` is wrong: unknown variant"),
        ] {
            let error = moves_of(keys).unwrap_err();
            assert!(error.contains(wrong), "{keys}: {error}");
        }
    }
}
