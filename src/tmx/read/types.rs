//! Reads the property types of a Tiled project, and gives a map the defaults that its classes imply.
//!
//! A map's file leaves out each member of a class that has its default. The defaults are in the project
//! (`.tiled-project`, `propertyTypes`), in an export of its types, or, before Tiled 1.9, in an
//! `objecttypes.xml`. All are read in the form of the last: [`super::super::json`] makes the same elements.
//! Nothing here looks for these files.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use super::super::{Layer, LayerContent, Map, Object, Properties, Property, Tile, kept};
use super::cursor::{Element, MAX_DEPTH};
use super::values::{Values, properties};
use super::{ReadFailure, ReadOptions, Reader, Shared, Tilesets, read_file, whole_file};
use crate::error::{LoadError, LoadErrorKind};
use crate::limits::{Limits, Spent, check};
use crate::property::PropertyValue;

/// The name of the root element of `objecttypes.xml`.
const TYPES: &str = "objecttypes";

/// The classes and enums of a project. One that is read again keeps its first definition.
#[derive(Default)]
pub(crate) struct PropertyTypes {
    /// The kinds of elements that may have a class, separated by blanks (`tile object`), and its members.
    classes: HashMap<String, (String, Properties)>,
    /// The members of the classes in use, with the defaults of the classes within them.
    complete: HashMap<String, Rc<Properties>>,
    enums: HashMap<String, EnumType>,
    /// The folders of the projects that were read, relative to the folders of their files.
    pub(crate) folders: Vec<String>,
    /// The path of a file with more classes, as the project writes it.
    pub(crate) types_file: Option<String>,
    /// The classes and enums that the maps use, and that nothing defines.
    pub(crate) unknown: BTreeSet<String>,
    /// The tiles that have their defaults, by their address before. The maps of a world share them.
    tiles: HashMap<*const Tile, [Arc<Tile>; 2]>,
    /// The amounts used of the limits of the level.
    pub(crate) spent: Spent,
}

struct EnumType {
    values: Vec<String>,
    /// True if each bit of a number stands for a value.
    are_flags: bool,
}

impl PropertyTypes {
    pub(crate) fn is_empty(&self) -> bool {
        self.classes.is_empty() && self.enums.is_empty()
    }

    /// Adds the types in a file: a project, an export of its types, or an `objecttypes.xml`. The types before
    /// a fault are added too.
    pub(crate) fn read(
        &mut self,
        path: &Path,
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<(), LoadError> {
        if bytes.trim_ascii().is_empty() {
            let reason = "the file is empty".to_owned();
            return Err(whole_file(path, LoadErrorKind::Json { reason }));
        }
        let bytes = as_project(bytes);
        let options = ReadOptions { limits, lenient: false };
        let mut read = |_: &Path| Err(LoadErrorKind::AbsolutePath);
        let mut tilesets = Tilesets::default();
        let mut spent = std::mem::take(&mut self.spent);
        let mut shared = Shared::new(&mut read, options, &mut spent, &mut tilesets);
        let mut add = |reader: &mut Reader<'_, '_>, element: Element<'_>| self.add(reader, element);
        let read = read_file(path, &bytes, Some(TYPES), &mut shared, &mut add);
        self.spent = spent;
        read
    }

    fn add(&mut self, reader: &mut Reader<'_, '_>, root: Element<'_>) -> Result<(), ReadFailure> {
        let mut from = Values::new(TYPES, root.attributes);
        let written = from.text("file").filter(|path| !path.is_empty());
        self.types_file = written.map(Cow::into_owned);
        from.finish(reader)?;
        while let Some(child) = reader.child()? {
            let mut from = Values::new(TYPES, child.attributes);
            let name = from.owned_name("name");
            match &*child.name {
                "objecttype" => {
                    // Before Tiled 1.9, all classes were of objects and tiles.
                    let uses = from.name("useas").map_or("object tile".to_owned(), Cow::into_owned);
                    from.finish(reader)?;
                    let members = properties(reader)?;
                    self.classes.entry(name).or_insert((uses, members));
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
                _ => self.folders.push(item(reader, from)?),
            }
        }
        Ok(())
    }

    /// Adds the defaults of the classes to everything in a map that has a class.
    ///
    /// # Errors
    /// Fails if the map with its defaults exceeds a limit.
    pub(crate) fn complete(&mut self, map: &mut Map) -> Result<(), LoadErrorKind> {
        self.add_defaults("map", &map.class, &mut map.properties, None)?;
        for set in &mut map.tilesets {
            self.add_defaults("tileset", &set.class, &mut set.properties, None)?;
            for tile in set.tiles.values_mut() {
                self.complete_tile(tile)?;
            }
        }
        let mut layers = std::mem::take(&mut map.layers);
        self.complete_layers(&mut layers, map)?;
        map.layers = layers;
        Ok(())
    }

    fn complete_layers(&mut self, layers: &mut [Layer], map: &Map) -> Result<(), LoadErrorKind> {
        for layer in layers {
            self.add_defaults("layer", &layer.class, &mut layer.properties, None)?;
            match &mut layer.content {
                LayerContent::Group(layers) => self.complete_layers(layers, map)?,
                LayerContent::Objects(objects) => {
                    for Object { class, properties, gid, .. } in &mut objects.objects {
                        let tile = gid.and_then(|gid| map.listed_tile(gid));
                        let of_tile = tile.map(|tile| &tile.properties);
                        self.add_defaults("object", class, properties, of_tile)?;
                    }
                }
                LayerContent::Tiles(_) | LayerContent::Image(_) => {}
            }
        }
        Ok(())
    }

    fn complete_tile(&mut self, shared: &mut Arc<Tile>) -> Result<(), LoadErrorKind> {
        let address = Arc::as_ptr(shared);
        if let Some([_, complete]) = self.tiles.get(&address) {
            *shared = Arc::clone(complete);
            return Ok(());
        }
        let before = Arc::clone(shared);
        let tile = Arc::make_mut(shared);
        self.add_defaults("tile", &tile.class, &mut tile.properties, None)?;
        for shape in &mut tile.shapes {
            self.add_defaults("object", &shape.class, &mut shape.properties, None)?;
        }
        self.tiles.insert(address, [before, Arc::clone(shared)]);
        Ok(())
    }

    /// Adds the defaults of `class` to the properties of an element. What the element, or the tile that an
    /// object shows, states itself stays. `kind` is the kind of the element, as in [`Self::classes`].
    fn add_defaults(
        &mut self,
        kind: &str,
        class: &str,
        own: &mut Properties,
        of_tile: Option<&Properties>,
    ) -> Result<(), LoadErrorKind> {
        for property in own.values_mut().filter(|property| property.needs_type()) {
            self.complete_property(property, 0)?;
        }
        let members = self.members(class, 0)?;
        // Tiled gives an object also the classes of tiles.
        let is_of = |word| word == kind || (word == "tile" && kind == "object");
        if !self.classes.get(class).is_some_and(|(uses, _)| uses.split(' ').any(is_of)) {
            return Ok(());
        }
        for (name, member) in &*members {
            let tiles = of_tile.and_then(|tile| tile.get(name));
            if own.contains_key(name) || tiles.is_some_and(|property| !property.is_default) {
                continue;
            }
            let within = kept::within(&member.value);
            kept::keep(&mut self.spent, kept::property(own.len(), name, member) + within)?;
            own.insert(name.clone(), member.clone());
        }
        Ok(())
    }

    /// Returns the members of a class with their defaults, and with those of the classes within them: none
    /// for an unknown class. `depth` is the number of classes around it.
    fn members(&mut self, class: &str, depth: u32) -> Result<Rc<Properties>, LoadErrorKind> {
        if let Some(known) = self.complete.get(class) {
            return Ok(Rc::clone(known));
        }
        check("classes within classes", depth, MAX_DEPTH)?;
        let Some((_, members)) = self.classes.get(class) else {
            if !class.is_empty() {
                self.unknown.insert(class.to_owned());
            }
            return Ok(Rc::default());
        };
        let mut members = members.clone();
        // A class within itself ends here.
        self.complete.insert(class.to_owned(), Rc::default());
        for member in members.values_mut() {
            self.complete_property(member, depth + 1)?;
            member.line = 0;
            member.is_default = true;
        }
        let members = Rc::new(members);
        self.complete.insert(class.to_owned(), Rc::clone(&members));
        Ok(members)
    }

    /// Adds the defaults of a class to a value of it, or the names to the number of an enum.
    fn complete_property(
        &mut self,
        property: &mut Property,
        depth: u32,
    ) -> Result<(), LoadErrorKind> {
        if let PropertyValue::Int(number) = property.value
            && let Some(known) = self.enums.get(&property.type_name)
        {
            property.named = Some(Box::new(PropertyValue::Text(known.names(number))));
        }
        self.complete_value(&mut property.value, &property.type_name, depth)
    }

    fn complete_value(
        &mut self,
        value: &mut PropertyValue,
        type_name: &str,
        depth: u32,
    ) -> Result<(), LoadErrorKind> {
        let PropertyValue::Class { class, members } = value else { return Ok(()) };
        // A file in JSON does not state the class of a member.
        if class.is_empty() {
            type_name.clone_into(class);
        }
        let defaults = self.members(class, depth)?;
        for (name, Property { value: default, type_name, .. }) in &*defaults {
            if let Some(own) = members.get_mut(name) {
                self.complete_value(own, type_name, depth + 1)?;
                continue;
            }
            let bytes = kept::member(members.len(), name, default) + kept::within(default);
            kept::keep(&mut self.spent, bytes)?;
            members.insert(name.clone(), default.clone());
        }
        Ok(())
    }
}

/// Returns the content of a file in JSON as the value `project` of an object: an export is only a list of
/// types. Returns other content as it is.
fn as_project(bytes: &[u8]) -> Cow<'_, [u8]> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match bytes.trim_ascii_start().first() {
        Some(b'{' | b'[') => [b"{\"project\":", bytes, b"}"].concat().into(),
        _ => bytes.into(),
    }
}

/// Reads an `<item>`: the name of an enum's value, or a folder of a project.
fn item(reader: &mut Reader<'_, '_>, mut from: Values<'_>) -> Result<String, ReadFailure> {
    let value = from.text("value").unwrap_or_default().into_owned();
    from.finish(reader)?;
    reader.end("item")?;
    reader.shared.keep(kept::text(value.len()))?;
    Ok(value)
}

impl Property {
    /// True if only a project says what the value is: a class, or the number of an enum.
    pub(super) fn needs_type(&self) -> bool {
        let is_open = matches!(self.value, PropertyValue::Class { .. } | PropertyValue::Int(_));
        is_open && !self.type_name.is_empty()
    }
}

impl EnumType {
    /// Returns the names for a number, separated by commas.
    fn names(&self, number: i32) -> String {
        if self.are_flags {
            let named = self.values.iter().zip(0..i32::BITS);
            let set = named.filter(|(_, bit)| number >> bit & 1 == 1);
            return set.map(|(name, _)| &**name).collect::<Vec<_>>().join(",");
        }
        let name = usize::try_from(number).ok().and_then(|number| self.values.get(number));
        name.map_or_else(|| number.to_string(), String::clone)
    }
}
