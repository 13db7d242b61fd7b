//! Objects: those of layers, and the collision shapes of tiles, with the values of their templates.

use super::draft::{self, Draft, count_points};
use super::template::{self, Template};
use super::{ENTRY, Failure, Reader};
use crate::tmx::cursor::Element;
use crate::tmx::{Object, Shape};

/// Reads an object, and fills in the values of its template. `gid_of` gives the number in the map of the
/// template's tile, if the object is to show one.
pub(super) fn read(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
    gid_of: impl FnOnce(&mut Reader<'_, '_>, &Template) -> Result<Option<u32>, Failure>,
) -> Result<Object, Failure> {
    let mut draft = draft::attributes(reader, element)?;
    let template = match draft.template.as_deref().filter(|path| !path.is_empty()) {
        Some(written) => Some(template::read(reader, written)?),
        None => None,
    };
    if let Some(template) = &template
        && draft.gid.is_none()
    {
        draft.gid = gid_of(reader, template)?;
    }
    draft::content(reader, &mut draft)?;
    if let Some(template) = &template {
        take_over(reader, &mut draft, template)?;
    }
    let texts = [&draft.name, &draft.class, &draft.template];
    let bytes: usize = texts.into_iter().flatten().map(String::len).sum();
    // A marker repeats the path of its layer.
    let path = reader.place.layer.as_ref().map_or(0, String::len);
    reader.shared.keep(ENTRY + bytes + path)?;
    reader.place.object = None;
    Ok(draft.finish())
}

/// Gives an object the properties and values of its template that it does not set itself.
fn take_over(
    reader: &mut Reader<'_, '_>,
    draft: &mut Draft,
    template: &Template,
) -> Result<(), Failure> {
    let from = &template.object;
    reader.shared.keep(template.cost)?;
    draft.name = draft.name.take().or_else(|| from.name.clone());
    draft.class = draft.class.take().or_else(|| from.class.clone());
    draft.width = draft.width.or(from.width);
    draft.height = draft.height.or(from.height);
    draft.rotation = draft.rotation.or(from.rotation);
    draft.opacity = draft.opacity.or(from.opacity);
    draft.visible = draft.visible.or(from.visible);
    if draft.shape.is_none() {
        if let Some(Shape::Polygon(points) | Shape::Polyline(points)) = &from.shape {
            count_points(reader, points.len())?;
        }
        draft.shape.clone_from(&from.shape);
    }
    for (name, property) in &from.properties {
        if !draft.properties.contains_key(name) {
            // Its line is of another file.
            let mut property = property.clone();
            property.line = 0;
            draft.properties.insert(name.clone(), property);
        }
    }
    Ok(())
}
