//! Templates: files with one object, whose values an object takes over unless it has its own.

use std::path::PathBuf;
use std::rc::Rc;

use super::draft::{self, Draft};
use super::references::referred;
use super::value::{required, values};
use super::{Failure, Once, Reader, read_file};
use crate::error::{LoadError, Place};
use crate::paths::{joined, plain};
use crate::tmx::cursor::{Element, xml};

/// A template file.
pub(super) struct Template {
    pub(super) object: Draft,
    /// The bytes of names and values that each instance may repeat.
    pub(super) cost: usize,
    pub(super) tileset: Option<TilesetReference>,
}

/// The tileset that a template names.
pub(super) struct TilesetReference {
    /// Its path as the template writes it.
    pub(super) written: String,
    pub(super) path: PathBuf,
    /// The number of its tile 0 in the template.
    pub(super) first_gid: u32,
}

/// The template that is written so.
pub(super) fn read(reader: &mut Reader<'_, '_>, written: &str) -> Result<Rc<Template>, Failure> {
    let path = joined(reader.path, written);
    let key = plain(&path);
    if let Some(template) = reader.shared.templates.get(&key) {
        return Ok(Rc::clone(template));
    }
    let bytes = referred(reader, "template", written, &path)?;
    let template =
        read_file(&path, &bytes, "template", reader.shared, |reader, _| content(reader))?;
    let template = template.ok_or_else(|| {
        LoadError::new(&path, Place::default(), xml("a template without an object"))
    })?;
    let template = Rc::new(template);
    reader.shared.templates.insert(key, Rc::clone(&template));
    Ok(template)
}

/// Reads the content of a template file; `None` if that is no object.
fn content(reader: &mut Reader<'_, '_>) -> Result<Option<Template>, Failure> {
    let (mut tileset, mut object) = (None, None);
    let mut once = Once::new(["object"]);
    while let Some(child) = reader.child()? {
        once.check(&child)?;
        match &*child.name {
            "tileset" => tileset = Some(tileset_reference(reader, child)?),
            "object" => object = Some(object_draft(reader, child)?),
            _ => reader.pass(&child, "template")?,
        }
    }
    Ok(object.map(|object| Template { cost: object.cost(), object, tileset }))
}

fn object_draft(reader: &mut Reader<'_, '_>, element: Element<'_>) -> Result<Draft, Failure> {
    let mut draft = draft::attributes(reader, element)?;
    if draft.template.is_some() {
        return Err(xml("a template that is made from a template").into());
    }
    draft::content(reader, &mut draft)?;
    reader.place.object = None;
    Ok(draft)
}

/// The tileset that a template file names.
fn tileset_reference(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<TilesetReference, Failure> {
    let (mut source, mut first_gid) = (None, None);
    for value in values("tileset", element.attributes) {
        match &*value.name {
            "source" => source = Some(value.text()?.into_owned()),
            "firstgid" => first_gid = Some(value.count()?),
            _ => {}
        }
    }
    let Some(written) = source else {
        return Err(xml("a template with a tileset within").into());
    };
    let first_gid = required("tileset", "firstgid", first_gid)?;
    reader.end("tileset")?;
    Ok(TilesetReference { path: joined(reader.path, &written), written, first_gid })
}
