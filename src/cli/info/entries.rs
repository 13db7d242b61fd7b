//! The parts of `info`'s JSON that stand for types of the library. Its format has a version of its own, and
//! does not change with the form in which the library itself would save them.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::Aabb;
use crate::build::{LayerSource, SolidCount};
use crate::level::Marker;
use crate::mask::MaskCounts;
use crate::property::{PropertyValue, PropertyValues};
use crate::rules::Suggestion;

#[derive(Serialize)]
struct RuleEntry<'l> {
    rule: &'l str,
    tiles: u64,
    objects: u64,
}

pub(super) fn rules<S: Serializer>(
    rules: &&[SolidCount],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(rules.iter().map(|count| RuleEntry {
        rule: &count.rule,
        tiles: count.tiles,
        objects: count.objects,
    }))
}

#[derive(Serialize)]
struct LayerEntry<'l> {
    name: &'l str,
    kind: &'static str,
    visible: bool,
    items: u64,
}

pub(super) fn layers<S: Serializer>(
    layers: &&[LayerSource],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(layers.iter().map(|layer| LayerEntry {
        name: &layer.name,
        kind: layer.kind.name(),
        visible: layer.visible,
        items: layer.items,
    }))
}

#[derive(Serialize)]
struct SuggestionEntry<'l> {
    why: &'l str,
    cells: u64,
    is_guess: bool,
    /// The arguments of the command line.
    options: Vec<String>,
}

pub(super) fn suggestions<S: Serializer>(
    suggestions: &[Suggestion],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(suggestions.iter().map(|suggestion| SuggestionEntry {
        why: &suggestion.why,
        cells: suggestion.cells,
        is_guess: suggestion.is_guess,
        options: suggestion.arguments(),
    }))
}

#[derive(Serialize)]
struct MarkerEntry<'l> {
    name: &'l str,
    class: &'l str,
    layer: &'l str,
    object: u32,
    area: [i64; 4],
    is_point: bool,
    properties: BTreeMap<&'l str, ValueEntry<'l>>,
}

/// A property's value: the bare value, and of a class its name and members.
#[derive(Serialize)]
#[serde(untagged)]
enum ValueEntry<'l> {
    Bool(bool),
    Int(i32),
    Float(f32),
    Text(&'l str),
    Object(u32),
    List(Vec<Self>),
    Class { class: &'l str, members: BTreeMap<&'l str, Self> },
}

pub(super) fn markers<S: Serializer>(
    markers: &&[Marker],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(markers.iter().map(|marker| MarkerEntry {
        name: &marker.name,
        class: &marker.class,
        layer: &marker.layer,
        object: marker.object,
        area: numbers(marker.area),
        is_point: marker.is_point,
        properties: values(&marker.properties),
    }))
}

fn values(properties: &PropertyValues) -> BTreeMap<&str, ValueEntry<'_>> {
    properties.iter().map(|(name, value)| (name.as_str(), ValueEntry::of(value))).collect()
}

impl<'l> ValueEntry<'l> {
    fn of(value: &'l PropertyValue) -> Self {
        match value {
            PropertyValue::Bool(value) => Self::Bool(*value),
            PropertyValue::Int(value) => Self::Int(*value),
            PropertyValue::Float(value) => Self::Float(*value),
            PropertyValue::Text(text) | PropertyValue::Color(text) => Self::Text(text),
            PropertyValue::Object(id) => Self::Object(*id),
            PropertyValue::List(list) => Self::List(list.iter().map(Self::of).collect()),
            PropertyValue::Class { class, members } => {
                Self::Class { class, members: values(members) }
            }
        }
    }
}

/// `[x, y, width, height]`.
fn numbers(area: Aabb) -> [i64; 4] {
    let [x, y] = [area.min.x, area.min.y].map(i64::from);
    [x, y, area.width().into(), area.height().into()]
}

#[derive(Serialize)]
struct PixelEntry {
    solid: u64,
    black: u64,
    white: u64,
    in_planes: u64,
    gray: u64,
    first_gray: Option<[u32; 2]>,
    gray_extent: Option<[i64; 4]>,
    translucent: u64,
    first_translucent: Option<[u32; 2]>,
    translucent_extent: Option<[i64; 4]>,
    transparent: u64,
}

pub(super) fn pixels<S: Serializer>(
    counts: &&MaskCounts,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let entry = PixelEntry {
        solid: counts.solid,
        black: counts.black,
        white: counts.white,
        in_planes: counts.in_planes,
        gray: counts.gray,
        first_gray: counts.first_gray.map(|pixel| pixel.to_array()),
        gray_extent: counts.gray_extent.map(numbers),
        translucent: counts.translucent,
        first_translucent: counts.first_translucent.map(|pixel| pixel.to_array()),
        translucent_extent: counts.translucent_extent.map(numbers),
        transparent: counts.transparent,
    };
    entry.serialize(serializer)
}
