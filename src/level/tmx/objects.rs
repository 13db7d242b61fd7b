//! Objects as the file holds them, those of templates and the collision shapes of tiles too.
//!
//! It takes down their geometry exactly, and does not ask what they are for.

use super::attributes::{Attributes, xml};
use super::document::RawObject;
use super::open::OpenObject;
use super::reader::FileReader;
use super::schema::Shape;
use crate::error::LoadErrorKind;
use crate::geometry::decimal::Decimal;
use crate::limits::check;

impl FileReader<'_, '_, '_, '_> {
    pub(super) fn open_object(&mut self, attributes: &Attributes<'_>) -> Result<(), LoadErrorKind> {
        self.object = OpenObject {
            line: self.line(),
            ..OpenObject::default()
        };
        self.place.object = attributes.count("id");
        self.shared.objects += 1;
        let limit = self.shared.limits.objects;
        check("objects", self.shared.objects, limit)
    }

    pub(super) fn open_shape(
        &mut self,
        shape: Shape,
        attributes: &Attributes<'_>,
    ) -> Result<(), LoadErrorKind> {
        if self.object.shape.replace(shape).is_some() {
            return Err(xml("an object of two shapes"));
        }
        if !matches!(shape, Shape::Polygon | Shape::Polyline) {
            return Ok(());
        }
        let Some(points) = attributes.text("points") else {
            return Err(LoadErrorKind::Missing {
                element: "object",
                attribute: "points",
            });
        };
        let number = |text| Decimal::parse(text, u32::MAX);
        let pairs = points.split(' ').filter_map(|pair| {
            let (x, y) = pair.split_once(',')?;
            Some((number(x)?, number(y)?))
        });
        self.object.points = pairs.collect();
        let (found, limit) = (self.object.points.len() as u64, self.shared.limits.points);
        check("points of a polygon or polyline", found, limit)?;
        self.count_points()
    }

    /// Counts the points of the object that is being read among those of the map.
    pub(super) fn count_points(&mut self) -> Result<(), LoadErrorKind> {
        self.shared.points += self.object.points.len() as u64;
        let limit = self.shared.limits.all_points;
        check(
            "points of all polygons and polylines",
            self.shared.points,
            limit,
        )
    }

    /// Keeps the object that closes.
    pub(super) fn close_object(&mut self, attributes: &Attributes<'_>) {
        self.place.object = None;
        self.objects.push(RawObject {
            id: attributes.count("id").unwrap_or(0),
            x: attributes.decimal("x"),
            y: attributes.decimal("y"),
            width: attributes.decimal("width"),
            height: attributes.decimal("height"),
            rotation: attributes.decimal("rotation"),
            gid: attributes.count("gid").filter(|gid| *gid != 0),
            shape: self.object.shape.unwrap_or(Shape::Rectangle),
            points: std::mem::take(&mut self.object.points),
            line: self.object.line,
        });
    }
}
