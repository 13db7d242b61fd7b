//! Flags whose values the rules do not use.

use super::things::{Kind, Thing, things};
use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::property::PropertyValue;
use bitwall::rules::{AreaRule, SolidRules};
use bitwall::text::{counted, is_same_name, printable};

rule! {
    /// # What it finds
    /// A property by which the rules mark solids, such as `solid`, `collides` or `passable`, whose value is
    /// neither a bool nor a text that counts as one: the number 1, the text `yes`, an entry of an enum, a
    /// colour, a file. Only things that the map shows and that nothing else makes solid are looked at. Values
    /// that mean no, such as 0 and `none`, are passed over, and so are texts that may name a thing, such as
    /// `brick` of `wall`. The texts `true` and `1` count as bools, and `text-flag` reports them.
    ///
    /// # Why it matters
    /// The rules take no notice of it, so the tile, layer or object does not stop a body.
    ///
    /// # How to fix
    /// Remove the property in Tiled and add it again as a bool. If the game gives its values a meaning, name
    /// them in the `bitwall.toml`: `[solid] values = ['solid=1']`.
    DROPPED_FLAG = "TMX114" "dropped-flag" Warning on(Map)
}

/// A property without effect, and the number of things that have it.
struct Dropped<'m> {
    name: &'m str,
    value: String,
    thing: Thing<'m>,
    line: u32,
    /// The things that have it.
    names: Vec<String>,
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some(map), Some(survey)) = (subject.map(), subject.survey()) else {
        return Vec::new();
    };
    let rules = &subject.options.load.solid_rules;
    let mut found: Vec<Dropped<'_>> = Vec::new();
    for thing in things(map, survey, rules).into_iter().filter(|thing| !thing.stops) {
        for (name, property) in thing.properties {
            let Some(value) = dropped(thing.kind, name, &property.value, rules) else {
                continue;
            };
            let is_used = subject.options.load.areas.iter().any(|area| asks_for(area, name));
            let known = found.iter_mut().find(|it| it.name == name && it.thing.kind == thing.kind);
            match known {
                _ if is_used => {}
                Some(known) => known.names.push(thing.label()),
                None => {
                    let (thing, line) = (thing.clone(), property.line);
                    let names = vec![thing.label()];
                    found.push(Dropped { name, value, thing, line, names });
                }
            }
        }
    }
    let finding = |it: Dropped<'_>| {
        let headline = format!("the property `{}` is {}, not a bool", printable(it.name), it.value);
        let place = it.thing.place_of(it.line);
        let finding = it.thing.finding(&DROPPED_FLAG, subject, headline.clone(), place);
        let count = it.names.len() as u64;
        let finding = finding.of_named(headline, it.names);
        let finding = finding.help("remove the property in Tiled and add it again as a bool");
        let kind = it.thing.kind.name();
        finding.note(match count {
            1 => format!("the rules take no notice of it on this {kind}"),
            count => format!("{} have it, and the rules take no notice", counted(count, kind)),
        })
    };
    found.into_iter().take(super::MOST_FINDINGS).map(finding).collect()
}

/// True if an area is made by the values of a property of this name.
fn asks_for(area: &AreaRule, name: &str) -> bool {
    area.values.iter().any(|value| is_same_name(&value.name, name))
}

/// The value of a flag in words, if the rules look the flag up on things of this kind and the value has no
/// effect that it seems to ask for.
fn dropped(kind: Kind, name: &str, value: &PropertyValue, rules: &SolidRules) -> Option<String> {
    let (solid, passable): (&[&Vec<String>], &[&Vec<String>]) = match kind {
        Kind::Layer => (&[&rules.layer_properties], &[&rules.layer_passable_properties]),
        Kind::Tile => (&[&rules.solid_properties], &[&rules.passable_properties]),
        Kind::Object => (&[&rules.object_properties], &[&rules.passable_properties]),
    };
    let has = |lists: &[&Vec<String>]| {
        lists.iter().any(|list| list.iter().any(|word| is_same_name(word, name)))
    };
    // `walkable` marks a solid by its no, the layers' `nocollide` others by its yes.
    let wanted = match () {
        () if has(solid) => true,
        () if has(passable) => kind == Kind::Layer,
        () => return None,
    };
    if rules.solid_values.iter().any(|known| is_same_name(&known.name, name)) {
        return None;
    }
    let (is_yes, words) = match value {
        // `blocked` says what a thing does, and `wall` can name one: `wall` = `brick`.
        PropertyValue::Text(text)
            if wanted && !can_name_a_thing(name) && !text.trim().is_empty() =>
        {
            meaning(value).or_else(|| Some((true, format!("the text `{}`", printable(text)))))?
        }
        _ => meaning(value)?,
    };
    (is_yes == wanted && value.as_flag().is_none()).then_some(words)
}

/// True for a flag whose name is that of a thing, so that its text may say which.
fn can_name_a_thing(name: &str) -> bool {
    const THINGS: [&str; 4] = ["block", "wall", "obstacle", "collision"];
    THINGS.iter().any(|thing| thing.eq_ignore_ascii_case(name))
}

/// Whether a value that is no flag means yes, and its words; `None` for a flag, a class, and a text that may
/// mean anything.
fn meaning(value: &PropertyValue) -> Option<(bool, String)> {
    const YES: [&str; 12] =
        ["yes", "y", "on", "t", "true", "1", "full", "solid", "all", "always", "enabled", "x"];
    const NO: [&str; 10] =
        ["no", "n", "off", "f", "false", "0", "none", "never", "disabled", "empty"];
    if value.as_flag().is_some() {
        return None;
    }
    match value {
        PropertyValue::Text(text) => {
            let word = text.trim().to_lowercase();
            let is_yes = YES.contains(&&*word);
            let is_known = is_yes || NO.contains(&&*word);
            is_known.then(|| (is_yes, format!("the text `{}`", printable(text))))
        }
        PropertyValue::Int(number) => Some((*number != 0, format!("the number {number}"))),
        PropertyValue::Float(number) => Some((*number != 0.0, format!("the number {number}"))),
        PropertyValue::Color(color) => Some((true, format!("the colour {}", printable(color)))),
        PropertyValue::Object(id) => Some((*id != 0, format!("object {id}"))),
        PropertyValue::List(items) => Some((!items.is_empty(), "a list".to_owned())),
        PropertyValue::Class { .. } | PropertyValue::Bool(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitwall::rules::PropertyIs;

    fn words(kind: Kind, name: &str, value: PropertyValue) -> Option<String> {
        dropped(kind, name, &value, &SolidRules::default())
    }

    #[test]
    fn values_that_ask_for_a_solid_in_vain_are_found() {
        let text = |text: &str| PropertyValue::Text(text.to_owned());
        for (kind, name, value, expected) in [
            (Kind::Tile, "solid", PropertyValue::Int(1), "the number 1"),
            (Kind::Tile, "Collides", text("Yes"), "the text `Yes`"),
            (Kind::Tile, "solid", text("true "), "the text `true `"),
            (Kind::Object, "blocked", text("full"), "the text `full`"),
            (Kind::Object, "solid", text("walls.png"), "the text `walls.png`"),
            (Kind::Object, "wall", text("on"), "the text `on`"),
            (Kind::Tile, "walkable", PropertyValue::Int(0), "the number 0"),
            (Kind::Tile, "passable", text("none"), "the text `none`"),
            (Kind::Layer, "collision", PropertyValue::Float(0.5), "the number 0.5"),
            (Kind::Layer, "nocollide", text("yes"), "the text `yes`"),
            (Kind::Tile, "solid", PropertyValue::Color("#ff00ff00".into()), "the colour #ff00ff00"),
            (Kind::Tile, "solid", PropertyValue::List(vec![PropertyValue::Int(1)]), "a list"),
        ] {
            assert_eq!(words(kind, name, value).as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn flags_and_values_that_mean_no_or_a_thing_are_passed_over() {
        let text = |text: &str| PropertyValue::Text(text.to_owned());
        for (kind, name, value) in [
            (Kind::Tile, "solid", PropertyValue::Bool(true)),
            (Kind::Tile, "solid", text("true")),
            (Kind::Tile, "solid", text("0")),
            (Kind::Tile, "solid", text("")),
            (Kind::Tile, "solid", text("None")),
            (Kind::Tile, "solid", PropertyValue::Int(0)),
            (Kind::Tile, "wall", text("brick")),
            (Kind::Tile, "walkable", PropertyValue::Int(1)),
            (Kind::Tile, "walkable", text("sometimes")),
            (Kind::Tile, "bodyType", text("static")),
            (Kind::Tile, "terrain", PropertyValue::Int(1)),
            (Kind::Layer, "nocollide", PropertyValue::Int(0)),
        ] {
            assert_eq!(words(kind, name, value.clone()), None, "{name} {value:?}");
        }
        let two = PropertyIs::new("solid", "2");
        let rules = SolidRules { solid_values: vec![two], ..SolidRules::default() };
        assert_eq!(dropped(Kind::Tile, "solid", &PropertyValue::Int(2), &rules), None);
    }
}
