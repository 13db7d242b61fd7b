//! Objects: those of layers, those of templates, and the collision shapes of tiles.

use super::template::Template;
use super::value::{required, values};
use super::{ENTRY, Failure, FileReader, Seen, xml};
use crate::error::LoadErrorKind;
use crate::limits::check;
use crate::tmx::cursor::Element;
use crate::tmx::{Decimal, Object, Point, Properties, Shape};

/// An object as far as its element says it: what it leaves out, its template may give.
#[derive(Default)]
pub(super) struct Draft {
    id: u32,
    pub(super) name: Option<String>,
    pub(super) class: Option<String>,
    position: Point,
    pub(super) width: Option<Decimal>,
    pub(super) height: Option<Decimal>,
    pub(super) rotation: Option<Decimal>,
    pub(super) gid: Option<u32>,
    pub(super) opacity: Option<f32>,
    pub(super) visible: Option<bool>,
    pub(super) template: Option<String>,
    pub(super) shape: Option<Shape>,
    pub(super) properties: Properties,
    line: u32,
}

impl<'t> FileReader<'_, 't, '_, '_> {
    /// Reads an object, and fills in what its template gives. A tile's shapes show no tiles: to look for one
    /// would go round in a circle, for the tileset that is being read may be the template's own.
    pub(super) fn object(
        &mut self,
        element: Element<'t>,
        shows_tile: bool,
    ) -> Result<Object, Failure> {
        let mut draft = self.object_attributes(element)?;
        let template = match draft.template.as_deref().filter(|path| !path.is_empty()) {
            Some(written) => Some(self.template(written)?),
            None => None,
        };
        if let Some(template) = &template
            && shows_tile
            && draft.gid.is_none()
        {
            draft.gid = self.template_gid(template)?;
        }
        self.object_content(&mut draft)?;
        if let Some(template) = &template {
            self.take_over(&mut draft, template)?;
        }
        let texts = [&draft.name, &draft.class, &draft.template];
        let bytes: usize = texts.into_iter().flatten().map(String::len).sum();
        self.shared.keep(ENTRY + bytes)?;
        self.place.object = None;
        Ok(draft.finish())
    }

    /// The attributes of an object, which is counted.
    pub(super) fn object_attributes(&mut self, element: Element<'t>) -> Result<Draft, Failure> {
        let mut draft = Draft {
            line: element.line,
            ..Draft::default()
        };
        let mut class = None;
        for value in values("object", element.attributes, self.shared.options.limits) {
            match &*value.name {
                "id" => draft.id = value.count()?,
                "name" => draft.name = Some(value.name()?),
                "type" => draft.class = Some(value.name()?).filter(|class| !class.is_empty()),
                "class" => class = Some(value.name()?),
                "gid" => draft.gid = Some(value.count()?),
                "x" => draft.position.x = value.decimal()?,
                "y" => draft.position.y = value.decimal()?,
                "width" => draft.width = Some(value.size()?),
                "height" => draft.height = Some(value.size()?),
                "rotation" => draft.rotation = Some(value.decimal()?),
                "opacity" => draft.opacity = Some(value.opacity()?),
                "visible" => draft.visible = Some(value.flag()?),
                "template" => draft.template = Some(value.text()?.into_owned()),
                _ => {}
            }
        }
        draft.class = draft.class.or(class);
        self.place.object = Some(draft.id);
        self.shared.objects += 1;
        check("objects", self.shared.objects, self.limits().objects)?;
        Ok(draft)
    }

    /// Reads what is in an object.
    pub(super) fn object_content(&mut self, draft: &mut Draft) -> Result<(), Failure> {
        let mut seen = Seen::default();
        while let Some(child) = self.child()? {
            let shape = match &*child.name {
                "properties" => {
                    seen.once("properties")?;
                    draft.properties = self.properties()?;
                    continue;
                }
                "ellipse" => Shape::Ellipse,
                "point" => Shape::Point,
                "capsule" => Shape::Capsule,
                "polygon" => Shape::Polygon(Vec::new()),
                "polyline" => Shape::Polyline(Vec::new()),
                "text" => Shape::Text(String::new()),
                _ => {
                    self.pass(&child, "object")?;
                    continue;
                }
            };
            if draft.shape.is_some() {
                return Err(xml("an object of two shapes").into());
            }
            draft.shape = Some(self.shape(shape, child)?);
        }
        Ok(())
    }

    /// Reads a shape of the kind of `shape`.
    fn shape(&mut self, shape: Shape, element: Element<'t>) -> Result<Shape, Failure> {
        Ok(match shape {
            Shape::Polygon(_) => Shape::Polygon(self.points("polygon", element)?),
            Shape::Polyline(_) => Shape::Polyline(self.points("polyline", element)?),
            Shape::Text(_) => {
                let text = self.closed_text("text")?;
                self.shared.keep(text.len())?;
                Shape::Text(text)
            }
            plain => {
                self.end("object")?;
                plain
            }
        })
    }

    fn points(&mut self, name: &'static str, element: Element<'t>) -> Result<Vec<Point>, Failure> {
        let mut points = None;
        for value in values(name, element.attributes, self.shared.options.limits) {
            if value.name == "points" {
                points = Some(value.points()?);
            }
        }
        let points = required("object", "points", points)?;
        self.count_points(points.len())?;
        self.end(name)?;
        Ok(points)
    }

    /// Counts points among those of the map.
    pub(super) fn count_points(&mut self, count: usize) -> Result<(), LoadErrorKind> {
        self.shared.points += count as u64;
        let (found, limit) = (self.shared.points, self.limits().all_points);
        check("points of all polygons and polylines", found, limit)
    }

    /// Gives an object what its template has and it has not.
    fn take_over(&mut self, draft: &mut Draft, template: &Template) -> Result<(), Failure> {
        let from = &template.object;
        self.shared.keep(template.cost)?;
        draft.name = draft.name.take().or_else(|| from.name.clone());
        draft.class = draft.class.take().or_else(|| from.class.clone());
        draft.width = draft.width.or(from.width);
        draft.height = draft.height.or(from.height);
        draft.rotation = draft.rotation.or(from.rotation);
        draft.opacity = draft.opacity.or(from.opacity);
        draft.visible = draft.visible.or(from.visible);
        if draft.shape.is_none() {
            if let Some(Shape::Polygon(points) | Shape::Polyline(points)) = &from.shape {
                self.count_points(points.len())?;
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
}

impl Draft {
    fn finish(self) -> Object {
        let gid = self.gid.filter(|gid| *gid != 0);
        let shape = self.shape.filter(|_| gid.is_none());
        Object {
            id: self.id,
            name: self.name.unwrap_or_default(),
            class: self.class.unwrap_or_default(),
            position: self.position,
            size: Point {
                x: self.width.unwrap_or(Decimal::ZERO),
                y: self.height.unwrap_or(Decimal::ZERO),
            },
            rotation: self.rotation.unwrap_or(Decimal::ZERO),
            gid,
            shape: shape.unwrap_or_default(),
            visible: self.visible.unwrap_or(true),
            opacity: self.opacity.unwrap_or(1.0),
            properties: self.properties,
            template: self.template,
            line: self.line,
        }
    }
}
