//! The layers, objects and tiles of a map with their words, for the rules that read words.

use std::path::{Path, PathBuf};

use crate::lint::finding::Finding;
use crate::lint::rule::Rule;
use crate::lint::subject::Subject;
use bitwall::load::{Place, Survey};
use bitwall::rules::SolidRules;
use bitwall::text::{path_in_line, printable};
use bitwall::tmx::{LayerContent, Map, Properties};

/// The kind of a thing that has words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Layer,
    Tile,
    Object,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Layer => "layer",
            Self::Tile => "tile",
            Self::Object => "object",
        }
    }
}

/// A layer, an object, or a tile that the map shows.
#[derive(Clone)]
pub(super) struct Thing<'m> {
    pub(super) kind: Kind,
    /// The name of a layer; empty for others, whose names no rule reads.
    pub(super) name: &'m str,
    pub(super) class: &'m str,
    pub(super) properties: &'m Properties,
    /// True if it is solid or one-way by another of its words or of those around it.
    pub(super) stops: bool,
    /// Its layer, object or tileset, and its line.
    pub(super) place: Place,
    /// The id of a tile.
    pub(super) tile: Option<u32>,
    /// The file that it stands in, if that is not the map's own.
    pub(super) file: Option<&'m PathBuf>,
}

impl<'m> Thing<'m> {
    /// The thing in words that tell it from others of its kind.
    pub(super) fn label(&self) -> String {
        let holder = self.place.layer.as_ref().or(self.place.tileset.as_ref());
        let holder = printable(holder.map_or("", |name| name));
        match (self.place.object, self.tile) {
            (Some(id), _) => format!("object {id} of `{holder}`"),
            (None, Some(id)) => format!("tile {id} of `{holder}`"),
            (None, None) => format!("layer `{holder}`"),
        }
    }

    /// The place of one of its properties, which has this line.
    pub(super) fn place_of(&self, line: u32) -> Place {
        let line = if line > 0 { Some((line, 1)) } else { self.place.line };
        Place { line, ..self.place.clone() }
    }

    /// The start of a finding about it at this place.
    pub(super) fn finding(
        &self,
        rule: &'static Rule,
        subject: &Subject<'_>,
        headline: String,
        place: Place,
    ) -> Finding {
        let path = self.file.map_or(subject.path, |file| Path::new(file));
        let finding = Finding::new(rule, path, headline).at(place);
        match self.file {
            None => finding,
            Some(_) => finding.note(format!("found by the map {}", path_in_line(subject.path))),
        }
    }
}

/// All layers and objects, and the tiles that are shown; tiles without words are left out. A template's
/// object is a thing of the map. O(layers + objects + shown tiles).
pub(super) fn things<'m>(map: &'m Map, survey: &Survey<'m>, rules: &SolidRules) -> Vec<Thing<'m>> {
    let line = |line: u32| (line > 0).then_some((line, 1));
    let mut all = Vec::new();
    for surveyed in &survey.layers {
        let layer = surveyed.context.layer;
        let path = Some(surveyed.context.path.clone());
        let is_empty = match &layer.content {
            LayerContent::Tiles(tiles) => {
                tiles.blocks.iter().all(|block| block.cells.iter().all(|gid| *gid == 0))
            }
            LayerContent::Objects(objects) => objects.objects.is_empty(),
            LayerContent::Group(layers) => layers.is_empty(),
            LayerContent::Image(_) => true,
        };
        if !is_empty {
            all.push(Thing {
                kind: Kind::Layer,
                name: &layer.name,
                class: &layer.class,
                properties: &layer.properties,
                stops: surveyed.is_solid,
                place: Place { line: line(layer.line), layer: path.clone(), ..Place::default() },
                tile: None,
                file: None,
            });
        }
        all.extend(surveyed.objects.iter().map(|it| Thing {
            kind: Kind::Object,
            name: "",
            class: &it.object.class,
            properties: &it.object.properties,
            stops: it.stops,
            place: Place {
                line: line(it.object.line),
                layer: path.clone(),
                object: Some(it.object.id),
                ..Place::default()
            },
            tile: None,
            file: None,
        }));
    }
    all.extend(survey.shown.iter().filter_map(|(index, id)| {
        let set = map.tilesets.get(*index)?;
        let tile = set.tiles.get(id)?;
        let has_words = !tile.class.is_empty() || !tile.properties.is_empty();
        has_words.then(|| Thing {
            kind: Kind::Tile,
            name: "",
            class: &tile.class,
            properties: &tile.properties,
            stops: rules.tile_mark(tile).is_some() || !tile.shapes.is_empty(),
            place: Place {
                line: line(tile.line),
                tileset: Some(set.name.clone()),
                ..Place::default()
            },
            tile: Some(*id),
            file: set.file.as_ref(),
        })
    }));
    all
}
