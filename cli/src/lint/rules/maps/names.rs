//! The rules for names and words in a map: classes, properties, and the names of layers and tilesets.

use std::collections::HashMap;
use std::path::Path;

use crate::lint::Check;
use crate::lint::rules::{at_object, in_layer, in_tileset, on_line};
use crate::suggest::{WordUse, misspelt, tiles_of};
use bitwall::convert::Survey;
use bitwall::error::Place;
use bitwall::property::PropertyValue;
use bitwall::rules::SolidRules;
use bitwall::text::{is_name_like, is_same_name, listed, path_in_line, printable};
use bitwall::tmx::{LayerContent, Map, Properties};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ThingKind {
    Layer,
    Tile,
    Object,
}

impl ThingKind {
    fn name(self) -> &'static str {
        match self {
            Self::Layer => "layer",
            Self::Tile => "tile",
            Self::Object => "object",
        }
    }
}

/// A layer, an object, or a tile that occurs in the map.
struct Thing<'m> {
    kind: ThingKind,
    /// The name of a layer. Empty for objects and tiles, because no rule reads their names.
    name: &'m str,
    class: &'m str,
    properties: &'m Properties,
    /// True for a layer, tile or object that is already solid, a tile with shapes, or a one-way object. The
    /// rules that search for misspelt words skip it.
    stops: bool,
    /// The place of the layer, object or tileset, with its line.
    place: Place,
    tile: Option<u32>,
    /// The file that contains the layer, tile or object; `None` for the map's own file.
    file: Option<&'m Path>,
}

impl Thing<'_> {
    fn label(&self) -> String {
        let holder = self.place.layer.as_ref().or(self.place.tileset.as_ref());
        let holder = printable(holder.map_or("", |name| name));
        match (self.place.object, self.tile) {
            (Some(id), _) => format!("object {id} of `{holder}`"),
            (None, Some(id)) => format!("tile {id} of `{holder}`"),
            (None, None) => format!("layer `{holder}`"),
        }
    }
}

/// Returns the layers that are not empty, all objects, and the used tiles that have a class or properties.
/// Image layers count as empty. An object from a template counts as an object of the map. O(cells + objects +
/// used tiles).
fn things<'m>(map: &'m Map, survey: &Survey<'m>, rules: &SolidRules) -> Vec<Thing<'m>> {
    let mut all = Vec::new();
    for surveyed in &survey.layers {
        let layer = surveyed.context.layer;
        let path = &*surveyed.context.path;
        let is_empty = match &layer.content {
            LayerContent::Tiles(tiles) => tiles_of(tiles).next().is_none(),
            LayerContent::Objects(objects) => objects.objects.is_empty(),
            LayerContent::Group(layers) => layers.is_empty(),
            LayerContent::Image(_) => true,
        };
        if !is_empty {
            all.push(Thing {
                kind: ThingKind::Layer,
                name: &layer.name,
                class: &layer.class,
                properties: &layer.properties,
                stops: surveyed.is_solid,
                place: in_layer(path, layer.line),
                tile: None,
                file: None,
            });
        }
        all.extend(surveyed.objects.iter().map(|it| Thing {
            kind: ThingKind::Object,
            name: "",
            class: &it.object.class,
            properties: &it.object.properties,
            stops: it.stops,
            place: at_object(path, it.object),
            tile: None,
            file: None,
        }));
    }
    all.extend(survey.shown.iter().filter_map(|(index, id)| {
        let set = map.tilesets.get(*index)?;
        let tile = set.tiles.get(id)?;
        let has_words = !tile.class.is_empty() || !tile.properties.is_empty();
        has_words.then(|| Thing {
            kind: ThingKind::Tile,
            name: "",
            class: &tile.class,
            properties: &tile.properties,
            stops: rules.tile_mark(tile).is_some() || !tile.shapes.is_empty(),
            place: in_tileset(&set.name, tile.line),
            tile: Some(*id),
            file: set.file.as_deref(),
        })
    }));
    all
}

/// Returns the name, value and line of each property, after those of its members if it is a class.
fn values(properties: &Properties) -> Vec<(&str, &PropertyValue, u32)> {
    let mut all = Vec::new();
    for (name, property) in properties {
        if let PropertyValue::Class { members, .. } = &property.value {
            all.extend(members.iter().map(|(name, value)| (name.as_str(), value, property.line)));
        }
        all.push((name, &property.value, property.line));
    }
    all
}

/// Adds a fault in a word of `thing`. `line` is the line of the word, from 1; 0 if only the line of `thing`
/// is known. `note` is what follows for this thing.
fn add_fault(
    check: &Check<'_, '_>,
    thing: &Thing<'_>,
    line: u32,
    [headline, note, help]: [String; 3],
) {
    // Things of each kind are counted by themselves.
    let kind = format!("{} {headline}", thing.kind.name());
    check.add(&kind, thing.label(), || {
        let line = on_line(line).line.or(thing.place.line);
        let found_by = thing.file.map(|_| format!("found by the map {}", path_in_line(check.path)));
        check
            .finding_in(thing.file.unwrap_or(check.path), headline)
            .place(Place { line, ..thing.place.clone() })
            .notes(found_by)
            .note(note)
            .help(help)
    });
}

rule! {
    /// # What it finds
    /// A misspelt word of the rules for solids, one-way tiles, triggers or areas, such as `sollid`,
    /// `Colision` or `one way`. The word is the name of a layer, or a class or property of a layer, tile or
    /// object. The rules include those of a `bitwall.toml`.
    ///
    /// This rule skips empty layers, image layers, tiles that the map does not use, layers and tiles that are
    /// already solid, and objects that are already solid or one-way. A word of the rules with fewer than five
    /// letters must match exactly. In a word with five letters, a replaced letter is not a misspelling:
    /// `wally` is not taken for `walls`.
    ///
    /// # Why it matters
    /// The rules do not know the word, so the tile, layer or object stops nobody. If the map has other
    /// solids, nothing else shows the mistake.
    ///
    /// # How to fix
    /// Rename it in Tiled. If the word has another meaning in the game, name the word in the `bitwall.toml`,
    /// or set the property `bitwall.allow` of the map to `near-name`.
    NEAR_NAME(near_name) = "TMX113" "near-name" Warning on(Map)
}

/// The largest number of distinct words in a map that are compared with the words of the rules, at up to 0.2
/// ms each. A hostile map may have a million words.
const MOST_WORDS: usize = 1_024;

fn near_name(check: &Check<'_, '_>) -> Option<()> {
    let map = check.map()?;
    let survey = check.survey()?;
    let load = &check.options.load;
    let mut verdicts: HashMap<(WordUse, &str), Option<&str>> = HashMap::new();
    for thing in things(map, survey, &load.solid_rules) {
        for (written, word_use, line) in flag_words(&thing) {
            if verdicts.len() == MOST_WORDS && !verdicts.contains_key(&(word_use, written)) {
                let reason = format!("the map has more than {MOST_WORDS} different words");
                check.give_up(reason);
                return Some(());
            }
            let verdict = verdicts
                .entry((word_use, written))
                .or_insert_with(|| misspelt(written, word_use, &load.solid_rules, &load.areas));
            let Some(meant) = verdict else {
                continue;
            };
            let what = match word_use {
                WordUse::LayerName => "name of the layer",
                WordUse::LayerClass | WordUse::TileClass | WordUse::ObjectClass => "class",
                _ => "property",
            };
            let kind = thing.kind.name();
            let shown = printable(written);
            let meant = printable(meant);
            let texts = [
                format!("the {what} `{shown}` is nearly `{meant}`"),
                format!("the rules do not know it, so this {kind} is as if it were not there"),
                format!("rename it to `{meant}`"),
            ];
            add_fault(check, &thing, line, texts);
        }
    }
    Some(())
}

/// Returns the name, the class and the flag properties of `thing` that may mark it as solid. With each comes
/// its [`WordUse`], such as the name of a layer, and its line; line 0 means the line of `thing`. Empty if
/// [`Thing::stops`] is true.
fn flag_words<'m>(thing: &Thing<'m>) -> Vec<(&'m str, WordUse, u32)> {
    if thing.stops {
        return Vec::new();
    }
    let (class, property) = match thing.kind {
        ThingKind::Layer => (WordUse::LayerClass, WordUse::LayerProperty),
        ThingKind::Tile => (WordUse::TileClass, WordUse::TileProperty),
        ThingKind::Object => (WordUse::ObjectClass, WordUse::ObjectProperty),
    };
    let mut words = vec![(thing.name, WordUse::LayerName, 0), (thing.class, class, 0)];
    for (name, value, line) in values(thing.properties) {
        // A property whose value is not a flag is ignored, whatever its name.
        if value.as_flag().is_some() {
            words.push((name, property, line));
        }
    }
    words.retain(|(word, ..)| !word.is_empty());
    words
}

rule! {
    /// # What it finds
    /// A property by which the rules mark solids, such as `solid`, `collides` or `passable`, whose value is a
    /// number, or a word such as `yes`, instead of a bool. Members of classes count as properties. The rule
    /// checks only layers, tiles and objects that the map uses and that nothing else makes solid. It ignores
    /// values that mean no, such as 0 and `none`, and other words, which may name a material, such as `brick`
    /// for `wall`. The texts `true` and `1` count as bools; `text-flag` reports them.
    ///
    /// # Why it matters
    /// The rules ignore the property, so the tile, layer or object stops nobody.
    ///
    /// # How to fix
    /// Remove the property in Tiled and add it again as a bool. If its values have a meaning in the game,
    /// name them in the `bitwall.toml`: `[solid] values = ['solid=1']`.
    DROPPED_FLAG(dropped_flag) = "TMX114" "dropped-flag" Warning on(Map)
}

fn dropped_flag(check: &Check<'_, '_>) -> Option<()> {
    let map = check.map()?;
    let survey = check.survey()?;
    let load = &check.options.load;
    for thing in things(map, survey, &load.solid_rules).iter().filter(|thing| !thing.stops) {
        for (name, value, line) in values(thing.properties) {
            let mut area_values = load.areas.iter().flat_map(|area| &area.values);
            let makes_area = area_values.any(|it| is_same_name(&it.name, name));
            let dropped = dropped(thing.kind, name, value, &load.solid_rules);
            if let Some(value) = dropped.filter(|_| !makes_area) {
                let kind = thing.kind.name();
                let texts = [
                    format!("the property `{}` is {value}, not a bool", printable(name)),
                    format!("the rules take no notice of it on this {kind}"),
                    "remove the property in Tiled and add it again as a bool".to_owned(),
                ];
                add_fault(check, thing, line, texts);
            }
        }
    }
    Some(())
}

/// Describes a value that was meant as a flag but that the rules ignore, such as `the number 1`.
///
/// `None` if the rules do not read the property `name` on this `kind`, if the value is a flag, or if a flag
/// would change nothing.
fn dropped(
    kind: ThingKind,
    name: &str,
    value: &PropertyValue,
    rules: &SolidRules,
) -> Option<String> {
    let (solid, passable) = match kind {
        ThingKind::Layer => (&rules.layer_properties, &rules.layer_passable_properties),
        ThingKind::Tile => (&rules.solid_properties, &rules.passable_properties),
        ThingKind::Object => (&rules.object_properties, &rules.passable_properties),
    };
    // `walkable = false` means solid. On layers, `nocollide = true` means passable.
    let wanted = if solid.iter().any(|word| is_same_name(word, name)) {
        true
    } else if passable.iter().any(|word| is_same_name(word, name)) {
        kind == ThingKind::Layer
    } else {
        return None;
    };
    if rules.solid_values.iter().any(|known| is_same_name(&known.name, name)) {
        return None;
    }
    let (is_yes, words) = meaning(value)?;
    (is_yes == wanted && value.as_flag().is_none()).then_some(words)
}

/// Returns whether a value that is not a flag means yes, and a description of the value. `None` for a flag,
/// and if the meaning is unclear.
fn meaning(value: &PropertyValue) -> Option<(bool, String)> {
    const YES: [&str; 8] = ["yes", "y", "on", "x", "true", "1", "full", "solid"];
    const NO: [&str; 6] = ["no", "n", "off", "false", "0", "none"];
    match value {
        PropertyValue::Text(text) => {
            let word = text.trim().to_lowercase();
            let is_yes = YES.contains(&&*word);
            let is_known = is_yes || NO.contains(&&*word);
            is_known.then(|| (is_yes, format!("the text `{}`", printable(text))))
        }
        PropertyValue::Int(number) => Some((*number != 0, format!("the number {number}"))),
        _ => None,
    }
}

rule! {
    /// # What it finds
    /// A map that lacks a layer named in `required-layers`, in the section `[verify]` of a `bitwall.toml`.
    /// Letter case and the groups around a layer do not matter, and `*` at the end of a name matches any
    /// rest. Without `required-layers` no layer is required.
    ///
    /// # Why it matters
    /// The game looks for the layer by its name, and does without it or ends with an error.
    ///
    /// # How to fix
    /// Add the layer, or rename the layer that was meant.
    MISSING_LAYER(missing_layer) = "TMX123" "missing-layer" Error on(Map)
}

fn missing_layer(check: &Check<'_, '_>) -> Option<()> {
    let layers = check.map()?.walk().map(|context| context.layer.name.clone());
    let names: Vec<String> = layers.collect();
    for wanted in &check.options.required_layers {
        if !names.iter().any(|name| is_name_like(wanted, name)) {
            check.push(
                check
                    .finding(format!("there is no layer `{}`", printable(wanted)))
                    .note(format!("its layers are {}", listed(names.iter())))
                    .help("add the layer, or rename the one that was meant"),
            );
        }
    }
    Some(())
}

rule! {
    /// # What it finds
    /// A tileset of a map that is not named in `allowed-tilesets`, in the section `[verify]` of a
    /// `bitwall.toml`. Letter case does not matter, and `*` at the end of a name matches any rest. Without
    /// `allowed-tilesets` any tileset may be used.
    ///
    /// # Why it matters
    /// A tileset that was added by accident, for example by pasting tiles from another map, is missing in the
    /// game, or lacks the properties that make the game's own tiles solid.
    ///
    /// # How to fix
    /// Replace its tiles, and remove it from the map in Tiled under Map > Tilesets. Or add its name to the
    /// list.
    FOREIGN_TILESET(foreign_tileset) = "TMX124" "foreign-tileset" Error on(Map)
}

fn foreign_tileset(check: &Check<'_, '_>) -> Option<()> {
    let allowed = &check.options.allowed_tilesets;
    for set in &check.map()?.tilesets {
        if allowed.is_empty() || allowed.iter().any(|wanted| is_name_like(wanted, &set.name)) {
            continue;
        }
        let name = printable(&set.name);
        check.push(
            check
                .finding(format!("the tileset `{name}` is not one of those allowed"))
                .place(in_tileset(&set.name, set.line))
                .note(format!("allowed are {}", listed(allowed.iter())))
                .help("replace its tiles and remove it, or name it in `allowed-tilesets`"),
        );
    }
    Some(())
}

rule! {
    /// # What it finds
    /// An element in a map, tileset or template that this version of bitwall does not know, such as a layer
    /// or a shape of a newer Tiled. The element is left out of the level. A newer version of the format is
    /// not a fault: most of them add nothing that a map must have.
    ///
    /// # Why it matters
    /// A layer of an unknown kind may contain walls. The level loads without them.
    ///
    /// # How to fix
    /// Use a newer bitwall, or save the map in the format of an older Tiled: under Project > Project
    /// Properties, choose the compatibility version.
    UNKNOWN_CONTENT(unknown_content) = "TMX120" "unknown-content" Warning on(Map)
}

fn unknown_content(check: &Check<'_, '_>) -> Option<()> {
    let map = check.map()?;
    for unknown in &map.unknown {
        let element = printable(&unknown.element);
        let headline =
            format!("the element <{element}> in <{}> is unknown", printable(&unknown.parent));
        check.add(&headline, String::new(), || {
            check
                .finding_in(&unknown.file, headline.clone())
                .place(on_line(unknown.line))
                .note(format!("left out; the map has version {}", printable(&map.version)))
                .help("use a newer bitwall, or save the map for an older version of Tiled")
        });
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitwall::rules::PropertyIs;

    fn headline(kind: ThingKind, name: &str, value: PropertyValue) -> Option<String> {
        dropped(kind, name, &value, &SolidRules::default())
    }

    #[test]
    fn values_meant_as_flags_but_ignored_by_the_rules_are_found() {
        let text = |text: &str| PropertyValue::Text(text.to_owned());
        for (kind, name, value, expected) in [
            (ThingKind::Tile, "solid", PropertyValue::Int(1), "the number 1"),
            (ThingKind::Tile, "Collides", text("Yes"), "the text `Yes`"),
            (ThingKind::Tile, "solid", text("true "), "the text `true `"),
            (ThingKind::Object, "blocked", text("full"), "the text `full`"),
            (ThingKind::Object, "wall", text("on"), "the text `on`"),
            (ThingKind::Tile, "walkable", PropertyValue::Int(0), "the number 0"),
            (ThingKind::Tile, "passable", text("none"), "the text `none`"),
            (ThingKind::Layer, "nocollide", text("yes"), "the text `yes`"),
        ] {
            assert_eq!(headline(kind, name, value).as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn valid_flags_and_values_without_effect_are_not_reported() {
        let text = |text: &str| PropertyValue::Text(text.to_owned());
        for (kind, name, value) in [
            (ThingKind::Tile, "solid", PropertyValue::Bool(true)),
            (ThingKind::Tile, "solid", text("true")),
            (ThingKind::Tile, "solid", text("0")),
            (ThingKind::Tile, "solid", text("")),
            (ThingKind::Tile, "solid", text("None")),
            (ThingKind::Tile, "solid", PropertyValue::Int(0)),
            (ThingKind::Tile, "wall", text("brick")),
            (ThingKind::Tile, "walkable", PropertyValue::Int(1)),
            (ThingKind::Tile, "walkable", text("sometimes")),
            (ThingKind::Tile, "bodyType", text("static")),
            (ThingKind::Object, "solid", text("walls.png")),
            (ThingKind::Tile, "terrain", PropertyValue::Int(1)),
            (ThingKind::Layer, "nocollide", PropertyValue::Int(0)),
        ] {
            assert_eq!(headline(kind, name, value.clone()), None, "{name} {value:?}");
        }
        let two = PropertyIs::new("solid", "2");
        let rules = SolidRules { solid_values: vec![two], ..SolidRules::default() };
        assert_eq!(dropped(ThingKind::Tile, "solid", &PropertyValue::Int(2), &rules), None);
    }
}
