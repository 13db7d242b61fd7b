//! Warnings: faults of a map that were passed over, collected as they are met.

use std::collections::HashMap;

use crate::error::warning::LoadWarning;
use crate::error::{LoadErrorKind, Place};
use crate::property::PropertyValue;
use crate::rules::SolidRules;
use crate::tmx::{Map, Properties};

/// The warnings of one map.
#[derive(Default)]
pub(super) struct Warnings {
    pub(super) all: Vec<LoadWarning>,
    /// True if one of them is of a tile that no tileset has.
    pub(super) lacks_tiles: bool,
    /// The index in `all` of the warning of each text that counts as a flag, by its headline.
    text_flags: HashMap<String, usize>,
}

impl Warnings {
    /// The warnings about the tiles of the tilesets.
    pub(super) fn of_tilesets(map: &Map, rules: &SolidRules) -> Self {
        let mut warnings = Self::default();
        for tileset in &map.tilesets {
            let place = Place { tileset: Some(tileset.name.clone()), ..Place::default() };
            for tile in tileset.tiles.values() {
                let is_own = tileset.file.is_none();
                warnings.text_flag(&tile.properties, rules, &place, is_own);
            }
        }
        warnings
    }

    /// Warns of a property that counts as a flag but is a text. `is_own` says that it stands in the map's own
    /// file, of which its line is.
    pub(super) fn text_flag(
        &mut self,
        properties: &Properties,
        rules: &SolidRules,
        place: &Place,
        is_own: bool,
    ) {
        let mut texts = properties.iter().filter(|(name, property)| {
            let is_text = matches!(property.value, PropertyValue::Text(_));
            is_text && property.value.as_flag().is_some() && rules.is_flag(name)
        });
        let Some((name, property)) = texts.next() else {
            return;
        };
        let place = Place {
            line: (is_own && property.line > 0).then_some((property.line, 1)),
            ..place.clone()
        };
        let warning = LoadWarning::text_flag(place, name);
        match self.text_flags.get(&warning.headline).and_then(|index| self.all.get_mut(*index)) {
            Some(known) => known.count += 1,
            None => {
                self.text_flags.insert(warning.headline.clone(), self.all.len());
                self.all.push(warning);
            }
        }
    }

    /// A fault was passed over `count` times.
    pub(super) fn fault(&mut self, place: Place, kind: &LoadErrorKind, count: u64) {
        self.lacks_tiles |= matches!(kind, LoadErrorKind::UnknownTile { .. });
        self.all.push(LoadWarning::fault(place, kind, count));
    }
}
