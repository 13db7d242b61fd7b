//! The part that a layer plays: what the rules say of everything in it, its groups included.
//!
//! It asks the rules about one layer at a time, and looks at no cell and no object.

use crate::error::LoadErrorKind;
use crate::geometry::Sides;
use crate::options::LoadOptions;
use crate::rules::{AreaRule, LayerSays};
use crate::tmx::{Layer, LayerContent, LayerContext};

/// The meaning that a layer gives to everything in it.
#[derive(Clone, Debug, Default)]
pub(super) struct LayerRole {
    /// Why all of it is solid.
    pub(super) solid: Option<String>,
    /// True if nothing in it is solid, whatever its tiles and objects say.
    pub(super) is_passable: bool,
    /// True if its empty cells are solid.
    pub(super) is_floor: bool,
    /// The sides that all of it guards.
    pub(super) one_way: Option<Sides<bool>>,
    /// The areas that all of it is of, by their index in the options, rising.
    pub(super) areas: Vec<usize>,
}

impl LayerRole {
    /// The role of a layer in a group of the role `outer`.
    ///
    /// # Errors
    /// A one-way property that names no side.
    fn of(layer: &Layer, outer: &Self, options: &LoadOptions) -> Result<Self, LoadErrorKind> {
        let rules = &options.solid_rules;
        let (name, class, properties) = (&layer.name, &layer.class, &layer.properties);
        let one_way = rules.one_way(class, properties);
        let one_way =
            one_way.map_err(|reason| LoadErrorKind::OneWay { reason: reason.to_string() })?;
        let is_of = |area: &AreaRule| area.layer(name, class, properties).is_some();
        Ok(Self {
            is_passable: outer.is_passable || rules.is_passable_layer(name),
            is_floor: rules.is_walkable_layer(name),
            solid: match rules.layer(name, class, properties) {
                LayerSays::Solid(because) => Some(because),
                LayerSays::Passable => None,
                LayerSays::Nothing => outer.solid.clone(),
            },
            one_way: one_way.or(outer.one_way),
            areas: areas_with(options, &outer.areas, is_of),
        })
    }
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

/// The roles of a map's layers, as they are walked.
pub(super) struct LayerRoles<'o> {
    options: &'o LoadOptions,
    /// Those of the groups around the last layer, the outermost first.
    groups: Vec<LayerRole>,
}

impl<'o> LayerRoles<'o> {
    pub(super) fn new(options: &'o LoadOptions) -> Self {
        Self { options, groups: Vec::new() }
    }

    /// The role of the next layer of [`crate::tmx::Map::walk`].
    ///
    /// # Errors
    /// A one-way property that names no side.
    pub(super) fn next(&mut self, context: &LayerContext<'_>) -> Result<LayerRole, LoadErrorKind> {
        self.groups.truncate(context.depth());
        let none = LayerRole::default();
        let outer = self.groups.last().unwrap_or(&none);
        let role = LayerRole::of(context.layer, outer, self.options)?;
        if let LayerContent::Group(_) = context.layer.content {
            self.groups.push(role.clone());
        }
        Ok(role)
    }
}
