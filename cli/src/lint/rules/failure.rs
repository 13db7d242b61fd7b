//! Load errors as findings: each cause is reported by one rule.

use std::path::PathBuf;

use super::{Check, rule_by_name};
use crate::lint::finding::Finding;
use crate::lint::foreign::{Foreign, foreign};
use crate::lint::rule::{Rule, rule};
use crate::lint::subject::Subject;
use bitwall::LoadError;
use bitwall::load::{Disk, Files, LoadErrorKind, io_reason};
use bitwall::text::{path_in_line, printable};
use bitwall::tmx::Map;

/// The code of the rule that reports signs of version control.
const FOREIGN_BYTES: &str = "IO003";

rule! {
    /// # What it finds
    /// A file that cannot be read: it is missing, its permissions forbid it, it is a folder, a pipe or a
    /// device, or its content exceeds one of the limits, which the message names.
    ///
    /// # Why it matters
    /// The game cannot load the level either. No other rule has checked this file.
    ///
    /// # How to fix
    /// Fix the name or the permissions. Make a file that exceeds a limit smaller.
    UNREADABLE_FILE = "IO001" "unreadable-file" Error fixed
}

rule! {
/// # What it finds
/// A file whose content is neither a Tiled map (.tmx) nor a picture in PNG, GIF, BMP, WebP or TGA form. The
/// name does not matter: a JPEG picture that was renamed to .png is reported.
///
/// # Why it matters
/// It contains no level. JPEG is refused on purpose: it blurs the edges of walls.
///
/// # How to fix
/// Save the map from Tiled as .tmx, or export the mask as PNG.
    UNKNOWN_FORMAT = "IO002" "unknown-format" Error fixed
}

rule! {
    /// # What it finds
    /// A map, tileset, template or world that is not well-formed XML or JSON, or that has an invalid value,
    /// cell data that cannot be decoded, tilesets whose tiles overlap, or a one-way property that names no
    /// side.
    ///
    /// # Why it matters
    /// Many loaders ignore the broken part, and a wall becomes a hole. No other rule has checked this map.
    ///
    /// # How to fix
    /// Open the map in Tiled, fix the faults that it reports, and save it again.
    UNPARSABLE_MAP = "TMX101" "unparsable-map" Error fixed on(Map)
}

rule! {
    /// # What it finds
    /// A tile layer, or a chunk of one, that has fewer cells than its width times its height.
    ///
    /// # Why it matters
    /// Many loaders take the missing cells for empty ones, so the walls at the bottom of the map are gone.
    /// No other rule has checked this map.
    ///
    /// # How to fix
    /// Open the map in Tiled and save it again, then repaint the lost cells. If a merge has cut the layer,
    /// take one of the two versions as a whole.
    SHORT_LAYER_DATA = "TMX102" "short-layer-data" Error fixed on(Map)
}

rule! {
    /// # What it finds
    /// A tile layer, or a chunk of one, that has more cells than its width times its height.
    ///
    /// # Why it matters
    /// Where the surplus is in the middle, all cells after it are shifted. Loaders that ignore the rest
    /// load the wrong walls. No other rule has checked this map.
    ///
    /// # How to fix
    /// Restore the layer from an earlier revision. Such layers come from merges and from scripts.
    EXTRA_LAYER_DATA = "TMX103" "extra-layer-data" Error fixed on(Map)
}

rule! {
    /// # What it finds
    /// A tile layer whose width or height differs from that of its finite map.
    ///
    /// # Why it matters
    /// Some loaders stretch the rows to the map's width, others cut them off: the walls are elsewhere. No
    /// other rule has checked this map.
    ///
    /// # How to fix
    /// Resize the map in Tiled under Map > Resize Map, which resizes all layers, and save it.
    LAYER_SIZE_MISMATCH = "TMX104" "layer-size-mismatch" Error fixed on(Map)
}

rule! {
    /// # What it finds
    /// A cell or an object that shows a tile that no tileset of the map has: its number is below every
    /// tileset, or past the end of one.
    ///
    /// # Why it matters
    /// Loaders take the cell for empty, so a wall becomes a hole. In most cases a tileset was made smaller
    /// or removed. No other rule has checked this map.
    ///
    /// # How to fix
    /// Restore the tileset that the map was drawn with, or repaint the cells.
    UNKNOWN_TILE = "TMX105" "unknown-tile" Error fixed on(Map)
}

rule! {
    /// # What it finds
    /// A map whose orientation is not one that Tiled 1.12 writes: orthogonal, isometric, staggered,
    /// hexagonal or oblique.
    ///
    /// # Why it matters
    /// It is unknown where its cells lie. No other rule has checked this map.
    ///
    /// # How to fix
    /// Choose an orientation in Tiled under Map > Map Properties, and save the map.
    UNKNOWN_ORIENTATION = "TMX108" "unknown-orientation" Error fixed on(Map)
}

rule! {
/// # What it finds
/// A picture file that ends early, has a wrong checksum, or violates its format in another way. A note has
/// the words of the decoder, if there are no plainer ones.
///
/// # Why it matters
/// Some programs still show such a picture, with the missing part black: walls that nobody drew.
///
/// # How to fix
/// Export the mask again. If the file is in git, check that it is not treated as text.
    UNDECODABLE_MASK = "MSK201" "undecodable-mask" Error fixed on(Mask)
}

rule! {
    /// # What it finds
    /// A tileset, a template, or a map of a world that a level names and that does not exist, is outside
    /// the root folder, or has an absolute path. Also a world of patterns that no file beside it matches.
    ///
    /// # Why it matters
    /// Without the tileset no tile has its properties, and nothing is solid. No other rule has checked this
    /// level.
    ///
    /// # How to fix
    /// Put the file there, or fix its path in Tiled under Map > Tilesets. On most servers `Tiles.tsx` and
    /// `tiles.tsx` are two files.
    LOST_REFERENCE = "TMX106" "lost-reference" Error fixed on(Map)
}

rule! {
    /// # What it finds
    /// A map in which no layer, tile or object is marked as solid. Rules of Tiled's automapping are no
    /// levels: a map whose layers are all named `input...`, `output...` or `regions...` is passed over.
    ///
    /// # Why it matters
    /// Every body falls through the floor. In most cases a layer was renamed, or a property misspelled.
    ///
    /// # How to fix
    /// Name a layer `Collision`, or give the layer or its tiles the bool property `solid`. If the game uses
    /// other names, set them in a `bitwall.toml` or with `--solid-layer`. If the map is meant to have no
    /// walls, use `--allow-nothing-solid`.
    NOTHING_SOLID = "TMX107" "nothing-solid" Error on(Map)
}

/// The rules with their checks.
pub(super) static CHECKS: &[(&Rule, Check)] = &[
    (&UNREADABLE_FILE, |subject| report(&UNREADABLE_FILE, subject)),
    (&UNKNOWN_FORMAT, |subject| report(&UNKNOWN_FORMAT, subject)),
    (&UNPARSABLE_MAP, |subject| report(&UNPARSABLE_MAP, subject)),
    (&SHORT_LAYER_DATA, |subject| report(&SHORT_LAYER_DATA, subject)),
    (&EXTRA_LAYER_DATA, |subject| report(&EXTRA_LAYER_DATA, subject)),
    (&LAYER_SIZE_MISMATCH, |subject| report(&LAYER_SIZE_MISMATCH, subject)),
    (&UNKNOWN_TILE, |subject| report(&UNKNOWN_TILE, subject)),
    (&UNKNOWN_ORIENTATION, |subject| report(&UNKNOWN_ORIENTATION, subject)),
    (&UNDECODABLE_MASK, |subject| report(&UNDECODABLE_MASK, subject)),
    (&LOST_REFERENCE, lost_reference),
    (&NOTHING_SOLID, nothing_solid),
];

/// The rule that reports an error. Every kind has one.
fn rule_of(kind: &LoadErrorKind) -> &'static Rule {
    match kind {
        LoadErrorKind::Io(_)
        | LoadErrorKind::NotAFile
        | LoadErrorKind::TooLarge { .. }
        | LoadErrorKind::Baked { .. }
        | LoadErrorKind::Config { .. }
        | LoadErrorKind::MissingFeature { .. }
        | LoadErrorKind::NoMemory { .. } => &UNREADABLE_FILE,
        LoadErrorKind::UnknownFormat { .. } => &UNKNOWN_FORMAT,
        LoadErrorKind::Picture { .. } => &UNDECODABLE_MASK,
        LoadErrorKind::NothingSolid { .. } => &NOTHING_SOLID,
        LoadErrorKind::CellCount { found, width, height } => {
            let needed = u64::from(*width) * u64::from(*height);
            if *found > needed { &EXTRA_LAYER_DATA } else { &SHORT_LAYER_DATA }
        }
        LoadErrorKind::LayerSize { .. } => &LAYER_SIZE_MISMATCH,
        LoadErrorKind::UnknownTile { .. } => &UNKNOWN_TILE,
        LoadErrorKind::Value { element: "map", attribute, .. } if attribute == "orientation" => {
            &UNKNOWN_ORIENTATION
        }
        LoadErrorKind::Reference { source, .. } => match &**source {
            // The file is there, but it is too large or no file of its kind.
            LoadErrorKind::TooLarge { .. } => &UNREADABLE_FILE,
            _ => &LOST_REFERENCE,
        },
        LoadErrorKind::OutsideRoot { .. } | LoadErrorKind::AbsolutePath => &LOST_REFERENCE,
        LoadErrorKind::EmptyWorld { patterns: 1.. } => &LOST_REFERENCE,
        LoadErrorKind::EmptyWorld { patterns: 0 }
        | LoadErrorKind::Xml { .. }
        | LoadErrorKind::Value { .. }
        | LoadErrorKind::Missing { .. }
        | LoadErrorKind::CellData { .. }
        | LoadErrorKind::TilesetIds { .. }
        | LoadErrorKind::OneWay { .. }
        | LoadErrorKind::Json { .. } => &UNPARSABLE_MAP,
        _ => &UNREADABLE_FILE,
    }
}

/// The finding of `rule`, if it reports the error that kept the file from being loaded.
fn report(rule: &'static Rule, subject: &Subject<'_>) -> Vec<Finding> {
    let is_own = |error: &&LoadError| rule_of(error.kind()).code == rule.code;
    let Some(error) = subject.level.err().filter(is_own) else {
        return Vec::new();
    };
    // The rule for foreign bytes reports these.
    if foreign_file(subject).is_some() {
        return Vec::new();
    }
    let (headline, note) = words(error);
    let mut finding =
        Finding::new(rule, error.path(), headline).at(error.place().clone()).help(error.help());
    finding.notes.extend(note);
    if error.path() != subject.path {
        let map = path_in_line(subject.path);
        finding = finding.note(format!("the map {map} needs this file"));
    }
    vec![finding]
}

fn lost_reference(subject: &Subject<'_>) -> Vec<Finding> {
    let findings = report(&LOST_REFERENCE, subject);
    let as_on_disk = subject.level.err().and_then(|error| match error.kind() {
        LoadErrorKind::Reference { looked_in, .. } => {
            Disk::new(subject.path, &subject.options.load).other_case(looked_in)
        }
        _ => None,
    });
    let Some(path) = as_on_disk else {
        return findings;
    };
    let with_case = |finding: Finding| {
        let help = "write its name with the same capital letters as on the disk";
        finding.note(format!("on the disk it is {}", path_in_line(&path))).help(help)
    };
    findings.into_iter().map(with_case).collect()
}

fn nothing_solid(subject: &Subject<'_>) -> Vec<Finding> {
    let findings = report(&NOTHING_SOLID, subject);
    let suggestions = subject.level.err().map(LoadError::suggestions).unwrap_or_default();
    let clear = suggestions.into_iter().find(|suggestion| !suggestion.is_guess);
    let with_help = |finding: Finding| {
        let help = "name a layer `Collision`, or give it or its tiles the bool property `solid`";
        match &clear {
            Some(suggestion) => {
                let arguments = suggestion.arguments().join(" ");
                finding.note(suggestion.why.clone()).help(format!("try {arguments}"))
            }
            None => finding.help(help),
        }
    };
    findings.into_iter().map(with_help).collect()
}

/// True for rules of Tiled's automapping: each layer has a name that Tiled gives a meaning there.
pub(in crate::lint) fn is_of_automapping(map: &Map) -> bool {
    let mut has_output = false;
    let mut is_of_rules = |name: &str| {
        let name = name.to_lowercase();
        has_output |= name.starts_with("output");
        ["input", "output", "regions"].iter().any(|start| name.starts_with(start))
    };
    let all = map.walk().all(|context| is_of_rules(&context.layer.name));
    all && has_output
}

/// The file that kept the level from being loaded, and the sign of version control in it, if it has one; none
/// if the rule that reports it is off.
pub(super) fn foreign_file(subject: &Subject<'_>) -> Option<(PathBuf, Foreign)> {
    let error = subject.level.err()?;
    let can_be_foreign = matches!(
        error.kind(),
        LoadErrorKind::UnknownFormat { .. }
            | LoadErrorKind::Picture { .. }
            | LoadErrorKind::Xml { .. }
            | LoadErrorKind::Json { .. }
            | LoadErrorKind::CellData { .. }
            | LoadErrorKind::Value { .. }
    );
    let is_on = || {
        let rule = rule_by_name(FOREIGN_BYTES)?;
        subject.options.levels.severity_of(rule)
    };
    if !can_be_foreign || is_on().is_none() {
        return None;
    }
    let path = error.path();
    let sign = match path == subject.path {
        true => foreign(subject.bytes),
        false => foreign(&Disk::new(subject.path, &subject.options.load).read(path).ok()?),
    };
    Some((path.to_owned(), sign?))
}

/// The headline of an error, and its details as a note.
fn words(error: &LoadError) -> (String, Option<String>) {
    match error.kind() {
        LoadErrorKind::Value { element, attribute, value, expected } => (
            format!("`{}` of <{element}> is `{}`", printable(attribute), printable(value)),
            Some(format!("it should be {expected}")),
        ),
        LoadErrorKind::UnknownTile { gid, reason } => {
            (format!("tile {gid} does not exist"), Some(reason.clone()))
        }
        LoadErrorKind::Reference { what, written, looked_in, source } => {
            let reason = match &**source {
                LoadErrorKind::Io(error) => io_reason(error),
                LoadErrorKind::AbsolutePath => "its path is absolute".to_owned(),
                // The folder is another one on each machine.
                LoadErrorKind::OutsideRoot { .. } => "it is outside the root folder".to_owned(),
                other => other.to_string(),
            };
            let looked_in = match &**source {
                LoadErrorKind::OutsideRoot { root } => {
                    format!("the root folder is {}", path_in_line(root))
                }
                _ => format!("looked in {}", path_in_line(looked_in)),
            };
            (format!("cannot read {what} `{}`: {reason}", printable(written)), Some(looked_in))
        }
        LoadErrorKind::Picture { reason, by_decoder: true } => (
            "the picture is broken: its data breaks the rules of its format".to_owned(),
            Some(format!("the decoder says: {}", printable(reason))),
        ),
        LoadErrorKind::NothingSolid { found, .. } => {
            ("nothing in the map is solid".to_owned(), Some(found.clone()))
        }
        _ => (error.headline(), None),
    }
}
