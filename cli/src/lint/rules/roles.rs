//! The rules for layers and objects that break a pattern of the other maps in a run: layers that are solid in
//! all maps but one, and objects outside the open area in which nearly all others of their kind are.
//!
//! The rules use no names, only statistics. A map is described by its [`Roles`]; [`compare`] finds the
//! exceptions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::lint::allowed::allows;
use crate::lint::finding::{Finding, in_layer};
use crate::lint::rule::{LintRule, Severity, rule};
use crate::lint::rules::{Check, is_of_automapping};
use crate::lint::subject::Subject;
use bitwall::Aabb;
use bitwall::analyze::{CellKind, Connectivity, components};
use bitwall::load::Place;
use bitwall::text::printable;
use bitwall::tmx::LayerContent;

// The checks find nothing in a single map, because these rules compare maps.
pub(in crate::lint::rules) static CHECKS: &[(&LintRule, Check)] =
    &[(&ODD_LAYER, |_, _| None), (&CUT_OFF_OBJECT, |_, _| None)];

rule! {
    /// # What it finds
    /// A layer with tiles or objects that is not solid, although the layer of the same name is solid in all
    /// other maps of the run that have it, at least seven. Letter case, spaces and signs in the name are
    /// ignored. The rule compares the checked maps, so with `--diff` only the changed ones.
    ///
    /// # Why it matters
    /// The property that makes the layer solid was forgotten or lost, so its walls stop nobody in this map.
    /// Only the other maps of the game show the intention.
    ///
    /// # How to fix
    /// Give the layer the property, the class or the name that makes it solid in the other maps.
    ODD_LAYER = "TMX128" "odd-layer" Note on(Map)
}

rule! {
    /// # What it finds
    /// An object that neither lies in nor touches the largest open area of its map, although nearly all other
    /// objects of its kind do: at least 97% of 30 or more, in five or more maps. The kind is the class, or
    /// else the name without its number. So a warp behind a wall is found in a game in which warps can be
    /// reached from each other. The finding states its confidence. With `--diff` all maps are compared, and
    /// only changes are reported.
    ///
    /// # Why it matters
    /// Nobody reaches the warp, door or chest from the rest of the map, or a player who arrives there is
    /// locked in.
    ///
    /// # How to fix
    /// Open the wall, or move the object. If something in the game leads there, allow the rule for the map.
    CUT_OFF_OBJECT = "LVL316" "cut-off-object" Note on(Map)
}

/// The smallest number of other maps in which a layer must be solid, for a finding about a map where it is
/// not.
const LEAST_MAPS: usize = 7;

/// The numbers that the rule `cut-off-object` requires of a kind of objects in all maps: the objects, the
/// maps with such an object, and the percentage of the objects that are in the largest open area of their
/// map.
const LEAST_OBJECTS: usize = 30;
const LEAST_MAPS_WITH: usize = 5;
const LEAST_SHARE: usize = 97;

/// The largest number of objects of one map that are compared with those of other maps.
const MOST_OBJECTS: usize = 4_096;

/// The layers and objects of one map that are compared with those of other maps: for each layer, whether it
/// is solid; for each object, whether it is in the largest open area.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roles {
    layers: Vec<LayerRole>,
    objects: Vec<ObjectRole>,
    /// The severities of the rules `odd-layer` and `cut-off-object`; `None` for a rule that is off or allowed
    /// in this map.
    severities: [Option<Severity>; 2],
}

#[derive(Clone, Debug)]
struct LayerRole {
    path: String,
    line: u32,
    is_solid: bool,
}

#[derive(Clone, Debug)]
struct ObjectRole {
    kind: String,
    place: Place,
    area: Aabb,
    is_in_open: bool,
}

/// Returns the letters and digits of a name in lower case, so that spaces and signs make no difference.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Roles {
    /// Returns the [`Roles`] of the map that the level in `subject` was loaded from. Empty for a world, a
    /// mask and a map of Tiled's automapping. O(cells + objects).
    pub(in crate::lint) fn of(subject: &Subject<'_>) -> Self {
        let mut roles = Self::default();
        let (Some(map), Some(loaded)) = (subject.map(), subject.loaded()) else {
            return roles;
        };
        roles.severities = [&ODD_LAYER, &CUT_OFF_OBJECT]
            .map(|rule| subject.options.levels.severity_of(rule).filter(|_| !allows(map, rule)));
        let survey = subject.survey().filter(|_| !is_of_automapping(map));
        let mut layers = survey.into_iter().flat_map(|survey| &survey.layers);
        if roles.severities == [None, None] {
            return Self::default();
        }
        let level = &loaded.level;
        let mut open = None;
        for surveyed in layers.by_ref() {
            let context = &surveyed.context;
            let is_empty = match &context.layer.content {
                LayerContent::Tiles(tiles) => {
                    tiles.blocks.iter().all(|block| block.cells.iter().all(|gid| *gid == 0))
                }
                LayerContent::Objects(objects) => objects.objects.is_empty(),
                _ => true,
            };
            if !is_empty {
                let (path, line) = (context.path.clone(), context.layer.line);
                roles.layers.push(LayerRole { path, line, is_solid: surveyed.is_solid });
            }
            for it in surveyed.objects.iter().filter(|it| !it.stops && !it.is_of_area) {
                let object = it.object;
                let name = object.name.trim_end_matches(|c: char| !c.is_alphabetic());
                let name = if object.class.is_empty() { name } else { &object.class };
                if name.is_empty() || roles.objects.len() == MOST_OBJECTS {
                    continue;
                }
                let area = it.area.translated(-level.origin());
                let open = open.get_or_insert_with(|| OpenArea::of(level.grid()));
                let cell = level.cell_size().as_ivec2();
                // The box of the object is enlarged by one cell on each side, because a body beside the
                // object can touch it.
                let (min, max) = (area.min.div_euclid(cell) - 1, area.max.div_euclid(cell) + 1);
                let is_in_open = open.meets([min.x, min.y], [max.x, max.y]);
                let place =
                    Place { object: Some(object.id), ..in_layer(&context.path, object.line) };
                roles.objects.push(ObjectRole { kind: plain(name), place, area, is_in_open });
            }
        }
        roles
    }
}

/// The largest area of connected passable cells of a level, as ranges of adjacent cells: the row of each
/// range, and its columns.
struct OpenArea(Vec<(u32, std::ops::Range<u32>)>);

impl OpenArea {
    fn of(grid: &bitwall::Grid) -> Self {
        let Ok(parts) = components(grid, CellKind::Passable, Connectivity::Four) else {
            return Self(Vec::new());
        };
        let mut sizes = vec![0u64; parts.parts().len()];
        parts.runs().for_each(|(_, columns, part)| sizes[part] += columns.len() as u64);
        let largest = (0..sizes.len()).max_by_key(|part| sizes[*part]);
        let runs = parts.runs().filter(|(.., part)| Some(*part) == largest);
        Self(runs.map(|(row, columns, _)| (row, columns)).collect())
    }

    /// True if this open area has a cell in the box from column and row `[left, top]` to `[right, bottom]`,
    /// both included.
    fn meets(&self, [left, top]: [i32; 2], [right, bottom]: [i32; 2]) -> bool {
        let top = u32::try_from(top).unwrap_or(0);
        let from = self.0.partition_point(|(row, _)| *row < top);
        let rows = self.0[from..].iter().take_while(|(row, _)| i64::from(*row) <= bottom.into());
        rows.into_iter().any(|(_, columns)| {
            i64::from(columns.start) <= right.into() && i64::from(columns.end) > left.into()
        })
    }
}

/// A map of a run: its path, its [`Roles`], and its [`Roles`] at an earlier revision if the run compares
/// revisions.
type Played<'a> = (&'a Path, &'a Roles, Option<&'a Roles>);

/// Returns the findings of the rules `odd-layer` and `cut-off-object`, each with the index of its map in
/// `maps`. Leaves out findings that a map already had at its earlier revision. O(n log n) for n layers and
/// objects.
pub(crate) fn compare(maps: &[Played<'_>]) -> Vec<(usize, Finding)> {
    [odd_layers(maps), cut_off_objects(maps)].concat()
}

fn odd_layers(maps: &[Played<'_>]) -> Vec<(usize, Finding)> {
    // Maps the name of a layer to the maps that have a layer of this name, by index. The value for a map is
    // true if one of these layers is solid, with the first of them.
    let mut by_name = BTreeMap::<String, BTreeMap<usize, (bool, &LayerRole)>>::new();
    for (number, (_, roles, _)) in maps.iter().enumerate() {
        for layer in &roles.layers {
            let role = by_name.entry(plain(&layer.path)).or_default().entry(number);
            role.or_insert((false, layer)).0 |= layer.is_solid;
        }
    }
    let mut found = Vec::new();
    for of_maps in by_name.values() {
        let mut odd = of_maps.iter().filter(|(_, (is_solid, _))| !is_solid);
        let (Some((number, (_, layer))), None) = (odd.next(), odd.next()) else {
            continue;
        };
        let (path, roles, before) = maps[*number];
        let others = of_maps.len() - 1;
        let mut old = before.into_iter().flat_map(|before| &before.layers);
        let is_old = old.any(|old| plain(&old.path) == plain(&layer.path) && !old.is_solid);
        let is_reported = others >= LEAST_MAPS && !is_old;
        let Some(severity) = roles.severities[0].filter(|_| is_reported) else {
            continue;
        };
        let name = printable(&layer.path).to_string();
        let finding =
            Finding::new(&ODD_LAYER, path, format!("the layer `{name}` is not solid here"))
                .place(in_layer(&layer.path, layer.line))
                .note(format!("it is solid in the {others} other maps of the run that have it"))
                .help("mark the layer as in the other maps, or rename it if it holds no walls");
        found.push((*number, Finding { severity, ..finding }));
    }
    found
}

fn cut_off_objects(maps: &[Played<'_>]) -> Vec<(usize, Finding)> {
    let mut by_kind = BTreeMap::<&str, Vec<(usize, &ObjectRole)>>::new();
    for (number, (_, roles, _)) in maps.iter().enumerate() {
        for object in &roles.objects {
            by_kind.entry(&object.kind).or_default().push((number, object));
        }
    }
    let mut found = Vec::new();
    for (kind, objects) in by_kind {
        let of_maps: BTreeSet<usize> = objects.iter().map(|(number, _)| *number).collect();
        let others = objects.len() - 1;
        let in_open = objects.iter().filter(|(_, object)| object.is_in_open).count();
        let is_custom = in_open * 100 < others * LEAST_SHARE;
        if is_custom || others < LEAST_OBJECTS || of_maps.len() < LEAST_MAPS_WITH {
            continue;
        }
        for (number, object) in objects.iter().filter(|(_, object)| !object.is_in_open) {
            let (path, roles, before) = maps[*number];
            let mut old = before.into_iter().flat_map(|before| &before.objects);
            let is_old = old.any(|old| {
                old.kind == object.kind
                    && old.place.object == object.place.object
                    && !old.is_in_open
            });
            let Some(severity) = roles.severities[1].filter(|_| !is_old) else {
                continue;
            };
            let headline = format!("a `{}` is cut off from the open area", printable(kind));
            let percent = (in_open + 1) * 1_000 / (others + 2);
            let finding = Finding::new(&CUT_OFF_OBJECT, path, headline)
                .place(object.place.clone())
                .area(object.area)
                .note(format!("{in_open} of {others} others in all maps of the run are not"))
                .note(format!("confidence {}.{}%", percent / 10, percent % 10))
                .help("open a way to it, or move it");
            found.push((*number, Finding { severity, ..finding }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(layers: &[bool], objects: &[bool]) -> Roles {
        let layer =
            |is_solid: &bool| LayerRole { path: "Walls".to_owned(), line: 3, is_solid: *is_solid };
        let object = |is_in_open: &bool| ObjectRole {
            kind: "warp".to_owned(),
            place: Place { object: Some(7), ..Place::default() },
            area: Aabb::from_xywh(0, 0, 8, 8),
            is_in_open: *is_in_open,
        };
        Roles {
            layers: layers.iter().map(layer).collect(),
            objects: objects.iter().map(object).collect(),
            severities: [Some(Severity::Note); 2],
        }
    }

    #[test]
    fn an_exception_among_the_maps_is_reported_unless_the_map_had_it_before() {
        let (usual, odd) = (roles(&[true], &[true]), roles(&[false], &[false]));
        let none = roles(&[], &[]);
        let codes = |last: &Roles, before: Option<&Roles>| {
            let path = Path::new("a.tmx");
            let mut maps = vec![(path, &usual, None); 40];
            maps.push((path, last, before));
            let found = compare(&maps);
            assert!(found.iter().all(|(map, _)| *map == 40));
            found.iter().map(|(_, finding)| finding.rule.code).collect::<Vec<_>>()
        };
        let all = ["TMX128", "LVL316"];
        assert_eq!(codes(&odd, None), all);
        assert_eq!(codes(&odd, Some(&usual)), all, "it was in order before");
        assert_eq!(codes(&odd, Some(&none)), all, "it is new");
        assert_eq!(codes(&odd, Some(&odd)), [""; 0], "it was so before");
        assert_eq!(codes(&usual, Some(&odd)), [""; 0], "it is repaired");
    }
}
