//! Reads the property types of a Tiled project, and gives a map the defaults that its classes imply.
//!
//! A map's file leaves out each member of a class that has its default. The defaults are in the project
//! (`.tiled-project`, `propertyTypes`), in an export of its types, or, before Tiled 1.9, in an
//! `objecttypes.xml`. All are read in the form of the last: [`super::super::json`] makes the same elements.
//! Nothing here looks for these files.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use super::super::{Layer, LayerContent, Map, Object, Properties, Property, Tile, kept};
use super::cursor::{Element, MAX_DEPTH};
use super::values::{Values, color_value, properties};
use super::{ReadFailure, ReadOptions, Reader, Shared, Tilesets, read_file};
use crate::error::{LoadError, LoadErrorKind};
use crate::limits::{Limits, Spent, check};
use crate::property::PropertyValue;

/// The name of the root element of `objecttypes.xml`.
pub(super) const TYPES: &str = "objecttypes";

/// The classes and enums of a project. A class or enum that is read again keeps its first definition.
#[derive(Default)]
pub(crate) struct PropertyTypes {
    classes: HashMap<String, ClassType>,
    enums: HashMap<String, EnumType>,
    /// The tiles that maps share, before and with their defaults, by their address before.
    tiles: HashMap<*const Tile, [Arc<Tile>; 2]>,
}

struct ClassType {
    /// The kinds of elements that may have the class, separated by blanks: `tile object`.
    uses: String,
    /// The members with their defaults. `None` while the defaults of the classes within them are added, so
    /// that a class within itself ends there.
    members: Option<Rc<Properties>>,
    /// True if the members have the defaults of the classes within them.
    is_complete: bool,
}

struct EnumType {
    values: Vec<String>,
    /// True if each bit of a number stands for a value.
    are_flags: bool,
}

/// What the file of a project states beside its types.
#[derive(Default)]
pub(crate) struct ProjectFile {
    /// The folders of the project, relative to the folder of its file.
    pub(crate) folders: Vec<String>,
    /// The path of a file with more classes, as written.
    pub(crate) types_file: Option<String>,
}

impl PropertyTypes {
    pub(crate) fn is_empty(&self) -> bool {
        self.classes.is_empty() && self.enums.is_empty()
    }

    /// True if a class or enum has this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.classes.contains_key(name) || self.enums.contains_key(name)
    }

    /// Adds the types in a file: a project, an export of its types, or an `objecttypes.xml`. The types before
    /// a fault are added too.
    pub(crate) fn read(
        &mut self,
        path: &Path,
        bytes: &[u8],
        limits: &Limits,
        spent: &mut Spent,
    ) -> Result<ProjectFile, LoadError> {
        // An export is a list of types without the rest of a project.
        let mut bytes = Cow::Borrowed(bytes);
        if bytes.trim_ascii_start().first() == Some(&b'[') {
            bytes = [b"{\"propertyTypes\":", &*bytes, b"}"].concat().into();
        }
        let options = ReadOptions { limits, lenient: false };
        let mut read = |_: &Path| Err(LoadErrorKind::AbsolutePath);
        let mut tilesets = Tilesets::default();
        let mut shared = Shared::new(&bytes, &mut read, options, spent, &mut tilesets);
        let mut file = ProjectFile::default();
        read_file(path, &bytes, Some(TYPES), &mut shared, &mut |reader, element| {
            self.add(reader, element, &mut file)
        })?;
        Ok(file)
    }

    fn add(
        &mut self,
        reader: &mut Reader<'_, '_>,
        element: Element<'_>,
        file: &mut ProjectFile,
    ) -> Result<(), ReadFailure> {
        file.types_file = types_file(reader, element)?;
        while let Some(child) = reader.child()? {
            let mut from = Values::new(TYPES, child.attributes);
            let name = from.owned_name("name");
            match &*child.name {
                "objecttype" => {
                    // Before Tiled 1.9, all classes were of objects and tiles.
                    let uses = from.name("useas").map_or("object tile".to_owned(), Cow::into_owned);
                    from.finish(reader)?;
                    let members = Some(properties(reader)?.into());
                    let class = ClassType { uses, members, is_complete: false };
                    self.classes.entry(name).or_insert(class);
                }
                "enum" => {
                    let are_flags = from.is_word("flags", "true");
                    from.finish(reader)?;
                    let mut values = Vec::new();
                    while let Some(value) = reader.child()? {
                        values.push(item(reader, Values::new(TYPES, value.attributes))?);
                    }
                    self.enums.entry(name).or_insert(EnumType { values, are_flags });
                }
                _ => file.folders.push(item(reader, from)?),
            }
        }
        Ok(())
    }
}

/// Takes the path of the file with more classes from the root element of a project.
pub(super) fn types_file(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<Option<String>, ReadFailure> {
    let mut from = Values::new(TYPES, element.attributes);
    let written = from.text("file").filter(|path| !path.is_empty());
    from.finish(reader)?;
    Ok(written.map(Cow::into_owned))
}

/// Reads an `<item>`: the name of an enum's value, or a folder of a project.
fn item(reader: &mut Reader<'_, '_>, mut from: Values<'_>) -> Result<String, ReadFailure> {
    let value = from.text("value").unwrap_or_default().into_owned();
    from.finish(reader)?;
    reader.end("item")?;
    reader.shared.keep(kept::text(value.len()))?;
    Ok(value)
}

impl Map {
    /// True if `is_wanted` accepts the name of a class or enum that the map uses. An enum counts only if its
    /// value is a number.
    pub(crate) fn uses_type(&self, is_wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        for set in &self.tilesets {
            if uses(&set.class, &set.properties, is_wanted)
                || set.tiles.values().any(|tile| tile_uses(tile, is_wanted))
            {
                return true;
            }
        }
        uses(&self.class, &self.properties, is_wanted)
            || self.walk().any(|context| layer_uses(context.layer, is_wanted))
    }
}

fn layer_uses(layer: &Layer, is_wanted: &mut dyn FnMut(&str) -> bool) -> bool {
    uses(&layer.class, &layer.properties, is_wanted)
        || match &layer.content {
            LayerContent::Objects(objects) => objects_use(&objects.objects, is_wanted),
            _ => false,
        }
}

fn tile_uses(tile: &Tile, is_wanted: &mut dyn FnMut(&str) -> bool) -> bool {
    uses(&tile.class, &tile.properties, is_wanted) || objects_use(&tile.shapes, is_wanted)
}

fn objects_use(objects: &[Object], is_wanted: &mut dyn FnMut(&str) -> bool) -> bool {
    objects.iter().any(|object| uses(&object.class, &object.properties, is_wanted))
}

/// True if `is_wanted` accepts the class of an element, or the type of one of its properties.
fn uses(class: &str, properties: &Properties, is_wanted: &mut dyn FnMut(&str) -> bool) -> bool {
    let mut named = properties.values().filter(|property| needs_type(property));
    (!class.is_empty() && is_wanted(class)) || named.any(|it| is_wanted(&it.type_name))
}

/// True if only the project says what the value of a property is: a class, or the number of an enum.
fn needs_type(property: &Property) -> bool {
    let is_open = matches!(property.value, PropertyValue::Class { .. } | PropertyValue::Int(_));
    is_open && !property.type_name.is_empty()
}

impl PropertyTypes {
    /// Adds the defaults of the classes to everything in a map that has a class.
    ///
    /// # Errors
    /// Fails if the map with its defaults exceeds a limit.
    pub(crate) fn complete(
        &mut self,
        map: &mut Map,
        spent: &mut Spent,
    ) -> Result<(), LoadErrorKind> {
        self.add_defaults("map", &map.class, &mut map.properties, None, spent)?;
        for set in &mut map.tilesets {
            self.add_defaults("tileset", &set.class, &mut set.properties, None, spent)?;
            for tile in set.tiles.values_mut() {
                self.complete_tile(tile, spent)?;
            }
        }
        let mut layers = std::mem::take(&mut map.layers);
        self.complete_layers(&mut layers, map, spent)?;
        map.layers = layers;
        Ok(())
    }

    fn complete_layers(
        &mut self,
        layers: &mut [Layer],
        map: &Map,
        spent: &mut Spent,
    ) -> Result<(), LoadErrorKind> {
        for layer in layers {
            self.add_defaults("layer", &layer.class, &mut layer.properties, None, spent)?;
            match &mut layer.content {
                LayerContent::Group(layers) => self.complete_layers(layers, map, spent)?,
                LayerContent::Objects(objects) => {
                    for Object { class, properties, gid, .. } in &mut objects.objects {
                        let tile = gid.and_then(|gid| map.listed_tile(gid));
                        let of_tile = tile.map(|tile| &tile.properties);
                        self.add_defaults("object", class, properties, of_tile, spent)?;
                    }
                }
                LayerContent::Tiles(_) | LayerContent::Image(_) => {}
            }
        }
        Ok(())
    }

    /// Adds the defaults to a tile and its collision shapes. Maps that share the tile go on sharing it.
    fn complete_tile(
        &mut self,
        shared: &mut Arc<Tile>,
        spent: &mut Spent,
    ) -> Result<(), LoadErrorKind> {
        let address = Arc::as_ptr(shared);
        if let Some([_, complete]) = self.tiles.get(&address) {
            *shared = Arc::clone(complete);
            return Ok(());
        }
        let before = (Arc::strong_count(shared) > 1).then(|| Arc::clone(shared));
        let tile = Arc::make_mut(shared);
        self.add_defaults("tile", &tile.class, &mut tile.properties, None, spent)?;
        for shape in &mut tile.shapes {
            self.add_defaults("object", &shape.class, &mut shape.properties, None, spent)?;
        }
        if let Some(before) = before {
            self.tiles.insert(address, [before, Arc::clone(shared)]);
        }
        Ok(())
    }

    /// Adds the defaults of `class` to the properties of an element. What the element, or the tile that an
    /// object shows, states itself stays. `kind` is the kind of the element, as in [`ClassType::uses`].
    fn add_defaults(
        &mut self,
        kind: &str,
        class: &str,
        own: &mut Properties,
        of_tile: Option<&Properties>,
        spent: &mut Spent,
    ) -> Result<(), LoadErrorKind> {
        for property in own.values_mut().filter(|it| needs_type(it)) {
            self.complete_property(property, 0, spent)?;
        }
        let uses = self.classes.get(class).map_or("", |known| &known.uses);
        // Tiled gives an object also the classes of tiles.
        let is_of = |word| word == kind || (word == "tile" && kind == "object");
        if !uses.split(' ').any(is_of) {
            return Ok(());
        }
        let members = self.members(class, 0, spent)?.unwrap_or_default();
        for (name, member) in &*members {
            let tiles = of_tile.and_then(|tile| tile.get(name));
            if own.contains_key(name) || tiles.is_some_and(|property| !property.is_default) {
                continue;
            }
            let within = kept::within(&member.value);
            kept::keep(spent, kept::property(own.len(), name, member) + within)?;
            own.insert(name.clone(), member.clone());
        }
        Ok(())
    }

    /// Returns the members of a class with their defaults, and with those of the classes within them. `None`
    /// for an unknown class, and for one that contains itself. `depth` is the number of classes around it.
    fn members(
        &mut self,
        class: &str,
        depth: u32,
        spent: &mut Spent,
    ) -> Result<Option<Rc<Properties>>, LoadErrorKind> {
        check("classes within classes", depth, MAX_DEPTH)?;
        let known = self.classes.get_mut(class);
        let Some(known) = known.filter(|known| !known.is_complete) else {
            return Ok(self.classes.get(class).and_then(|known| known.members.clone()));
        };
        let Some(members) = known.members.take() else { return Ok(None) };
        let mut members = Rc::unwrap_or_clone(members);
        for member in members.values_mut() {
            self.complete_property(member, depth + 1, spent)?;
            member.line = 0;
            member.is_default = true;
        }
        let members = Some(Rc::new(members));
        if let Some(known) = self.classes.get_mut(class) {
            known.members.clone_from(&members);
            known.is_complete = true;
        }
        Ok(members)
    }

    /// Completes a value of a class, and finds the names for the number of an enum.
    fn complete_property(
        &mut self,
        property: &mut Property,
        depth: u32,
        spent: &mut Spent,
    ) -> Result<(), LoadErrorKind> {
        let Property { value, type_name, named, .. } = property;
        match value {
            PropertyValue::Class { .. } => self.complete_value(value, type_name, depth, spent),
            PropertyValue::Int(number) => {
                let names = self.enums.get(type_name).and_then(|known| known.names(*number));
                *named = names.map(|names| Box::new(PropertyValue::Text(names)));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Adds the defaults of a class to a value of it. The types of the members, which a file in JSON does not
    /// state, become those of the class.
    fn complete_value(
        &mut self,
        value: &mut PropertyValue,
        type_name: &str,
        depth: u32,
        spent: &mut Spent,
    ) -> Result<(), LoadErrorKind> {
        let PropertyValue::Class { class, members } = value else { return Ok(()) };
        if class.is_empty() {
            type_name.clone_into(class);
        }
        let defaults = self.members(class, depth, spent)?.unwrap_or_default();
        for (name, Property { value: default, type_name, .. }) in &*defaults {
            let Some(own) = members.get_mut(name) else {
                let bytes = kept::member(members.len(), name, default) + kept::within(default);
                kept::keep(spent, bytes)?;
                members.insert(name.clone(), default.clone());
                continue;
            };
            match (&*own, default) {
                (PropertyValue::Int(number), PropertyValue::Float(_)) => {
                    *own = PropertyValue::Float(*number as f32);
                }
                (PropertyValue::Int(id), PropertyValue::Object(_)) => {
                    *own = PropertyValue::Object(u32::try_from(*id).unwrap_or(0));
                }
                (PropertyValue::Text(text), PropertyValue::Color(_)) => {
                    *own = color_value(text).unwrap_or(PropertyValue::Text(text.clone()));
                }
                _ => self.complete_value(own, type_name, depth + 1, spent)?,
            }
        }
        Ok(())
    }
}

impl EnumType {
    /// Returns the names for a number, separated by commas.
    fn names(&self, number: i32) -> Option<String> {
        if !self.are_flags {
            return self.values.get(usize::try_from(number).ok()?).cloned();
        }
        let named = self.values.iter().zip(0..i32::BITS);
        let set = named.filter(|(_, bit)| number >> bit & 1 == 1);
        Some(set.map(|(name, _)| &**name).collect::<Vec<_>>().join(","))
    }
}
