//! Tilesets that a map of the game may not use.

use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::load::Place;
use bitwall::text::{is_name_like, listed, printable};
use bitwall::tmx::Tileset;

rule! {
    /// # What it finds
    /// A tileset of a map that the `allowed-tilesets` of the `[verify]` section of a `bitwall.toml` do not
    /// name. Letter case does not matter, and `*` at the end of a name matches any rest. Without
    /// `allowed-tilesets` any tileset may be used.
    ///
    /// # Why it matters
    /// A tileset that was added by chance, as by pasting tiles from another map, is missing in the game, or
    /// lacks the properties by which the game's own tiles are solid.
    ///
    /// # How to fix
    /// Replace its tiles, and remove it from the map in Tiled under Map > Tilesets; or name it.
    FOREIGN_TILESET = "TMX124" "foreign-tileset" Error on(Map)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let allowed = &subject.options.allowed_tilesets;
    let Some(map) = subject.map().filter(|_| !allowed.is_empty()) else {
        return Vec::new();
    };
    let is_foreign = |set: &&Tileset| !allowed.iter().any(|wanted| is_name_like(wanted, &set.name));
    let finding = |set: &Tileset| {
        let place = Place {
            line: (set.line > 0).then_some((set.line, 1)),
            tileset: Some(set.name.clone()),
            ..Place::default()
        };
        let headline =
            format!("the tileset `{}` is not one of those allowed", printable(&set.name));
        Finding::new(&FOREIGN_TILESET, subject.path, headline)
            .at(place)
            .note(format!("allowed are {}", listed(allowed.iter())))
            .help("replace its tiles and remove it, or name it in `allowed-tilesets`")
    };
    map.tilesets.iter().filter(is_foreign).take(super::MOST_FINDINGS).map(finding).collect()
}
