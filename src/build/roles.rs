//! The part that a layer or an object plays in a level by the rules.
//!
//! It asks the rules about one layer or object at a time, and looks at no cell and no tile.

use super::refusal::BuildError;
use crate::error::{LoadErrorKind, Place};
use crate::geometry::Sides;
use crate::geometry::decimal::Point;
use crate::limits::check;
use crate::options::LoadOptions;
use crate::rules::{AreaRule, Says};
use crate::tmx::{
    Lattice, Layer, LayerContent, LayerContext, MAX_DEPTH, Map, Object, Properties, Shape,
};

/// The marks that the rules set on a layer or an object, and on everything in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Role {
    /// Why all of it is solid.
    pub(super) solid: Option<String>,
    /// True if nothing in it is solid, whatever its tiles and objects say.
    pub(super) is_passable: bool,
    /// The marks of its tiles that count.
    pub(super) marks: TileMarks,
    /// True if it makes only those of its tiles solid that have shapes of their own.
    pub(super) is_by_shapes: bool,
    /// True if its empty cells are solid.
    pub(super) is_floor: bool,
    /// The sides that all of it guards.
    pub(super) one_way: Option<Sides<bool>>,
    /// The areas that all of it is of, by their index in the options, rising.
    pub(super) areas: Vec<usize>,
}

/// The own marks of a layer's tiles that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TileMarks {
    #[default]
    All,
    /// Collision shapes alone: the layer is decoration, and not solid.
    Shapes,
    /// None: the layer is hidden and not solid, or the tiles are placed as objects.
    None,
}

/// A layer with its role.
pub(super) struct RuledLayer<'m> {
    pub(super) context: LayerContext<'m>,
    pub(super) role: Role,
    /// How far it is displaced in the level, in pixels.
    pub(super) offset: Point,
}

impl RuledLayer<'_> {
    /// The layer, as the place of a fault.
    pub(super) fn place(&self) -> Place {
        place(&self.context)
    }
}

fn place(context: &LayerContext<'_>) -> Place {
    Place { layer: Some(context.path.clone()), ..Place::default() }
}

impl Role {
    /// The role of a layer in a group of the role `outer`.
    ///
    /// # Errors
    /// A one-way property that names no side.
    fn of_layer(
        context: &LayerContext<'_>,
        outer: &Self,
        exception: Option<&String>,
        options: &LoadOptions,
    ) -> Result<Self, LoadErrorKind> {
        let (layer, rules) = (context.layer, &options.solid_rules);
        let exception = exception.filter(|_| matches!(layer.content, LayerContent::Tiles(_)));
        let (name, class, properties) = (&layer.name, &layer.class, &layer.properties);
        let is_of = |area: &AreaRule| area.layer(name, class, properties).is_some();
        let is_passable = outer.is_passable || rules.is_passable_layer(name);
        let solid = match rules.layer(name, class, properties) {
            Says::Solid(because) => Some(because),
            Says::Passable => None,
            Says::Nothing => {
                let others = || exception.map(|word| format!("the `{word}` of another layer"));
                outer.solid.clone().or_else(others)
            }
        };
        let solid = solid.filter(|_| !is_passable);
        Ok(Self {
            is_passable,
            marks: match context.visible {
                _ if solid.is_some() => TileMarks::All,
                false => TileMarks::None,
                true if rules.is_decoration(name) => TileMarks::Shapes,
                true => outer.marks,
            },
            is_by_shapes: rules.shapes_only,
            is_floor: rules.is_walkable_layer(name),
            solid,
            one_way: own_sides(class, properties, options)?.or(outer.one_way),
            areas: areas_with(options, &outer.areas, is_of),
        })
    }

    /// The role of an object on a layer of the role `outer`: solid, one-way, or neither.
    ///
    /// # Errors
    /// A one-way property that names no side.
    pub(super) fn of_object(
        object: &Object,
        outer: &Self,
        options: &LoadOptions,
    ) -> Result<Self, LoadErrorKind> {
        let (class, properties) = (&object.class, &object.properties);
        let one_way = own_sides(class, properties, options)?;
        let one_way = one_way.or(outer.one_way).filter(|_| !outer.is_passable);
        // A point is a place, however solid its layer; only by itself can it be more.
        let of_layer = outer.solid.clone().filter(|_| object.shape != Shape::Point);
        let own = options.solid_rules.object(class, properties).filter(|_| !outer.is_passable);
        let is_trigger = options.solid_rules.is_trigger(properties);
        let one_way = one_way.filter(|_| !is_trigger);
        Ok(Self {
            solid: of_layer.or(own).filter(|_| one_way.is_none() && !is_trigger),
            is_passable: outer.is_passable || is_trigger,
            marks: TileMarks::None,
            is_by_shapes: false,
            is_floor: false,
            one_way,
            areas: areas_with(options, &outer.areas, |area| {
                area.thing(class, properties).is_some()
            }),
        })
    }
}

/// The sides that a layer or an object guards by itself.
fn own_sides(
    class: &str,
    properties: &Properties,
    options: &LoadOptions,
) -> Result<Option<Sides<bool>>, LoadErrorKind> {
    let sides = options.solid_rules.one_way(class, properties);
    sides.map_err(|reason| LoadErrorKind::OneWay { reason })
}

/// The indices of the areas of which `is_of` is true, and those of `more`, each once and rising.
pub(super) fn areas_with(
    options: &LoadOptions,
    more: &[usize],
    is_of: impl Fn(&AreaRule) -> bool,
) -> Vec<usize> {
    let areas = options.areas.iter().enumerate();
    let areas = areas.filter(|(index, area)| more.contains(index) || is_of(area));
    areas.map(|(index, _)| index).collect()
}

/// The layers of a map in the order of [`Map::walk`], each with its role.
///
/// # Errors
/// Groups within too many groups, a one-way property that names no side.
pub(super) fn layers<'m>(
    map: &'m Map,
    lattice: Lattice,
    options: &LoadOptions,
) -> impl Iterator<Item = Result<RuledLayer<'m>, Box<BuildError>>> {
    let is_tiles = |layer: &Layer| matches!(layer.content, LayerContent::Tiles(_));
    let mut tile_layers = map.walk().filter(|context| is_tiles(context.layer));
    let exception =
        tile_layers.find_map(|context| options.solid_rules.exception(&context.layer.properties));
    // The roles of the groups around the last layer, the outermost first.
    let mut groups: Vec<Role> = Vec::new();
    map.walk().map(move |context| {
        check("groups within groups", context.depth() as u64, MAX_DEPTH)?;
        groups.truncate(context.depth());
        let outer = groups.last().cloned().unwrap_or_default();
        let role = Role::of_layer(&context, &outer, exception.as_ref(), options)
            .map_err(|kind| BuildError::at(place(&context), kind))?;
        if let LayerContent::Group(_) = context.layer.content {
            groups.push(role.clone());
        }
        let offset = lattice.layer_offset(context.offset);
        Ok(RuledLayer { context, role, offset })
    })
}
