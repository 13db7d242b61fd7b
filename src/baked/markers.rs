//! The markers of a level and their properties, in their section.

use super::bytes::{Input, Output};
use super::error::BakeError;
use crate::geometry::Aabb;
use crate::level::Marker;
use crate::property::{PropertyValue, PropertyValues};
use glam::IVec2;

/// The largest depth of properties inside properties: that of elements in a file.
const MAX_DEPTH: u32 = 64;

/// The least bytes of a marker, and of a property.
const LEAST_MARKER: usize = 37;
const LEAST_PROPERTY: usize = 5;

/// The least properties that a node of their map has, once there are two nodes. It has room for 11.
const NODE: usize = 5;

pub(super) fn write(markers: &[Marker], out: &mut Output) -> Result<(), BakeError> {
    out.count(markers.len())?;
    for marker in markers {
        for text in [&marker.name, &marker.class, &marker.layer] {
            out.text(text)?;
        }
        out.u32(marker.object);
        let Aabb { min, max } = marker.area;
        [min.x, min.y, max.x, max.y].into_iter().for_each(|edge| out.i32(edge));
        out.u8(marker.is_point.into());
        write_members(&marker.properties, out, 0)?;
    }
    Ok(())
}

pub(super) fn read(input: &mut Input<'_>) -> Result<Vec<Marker>, BakeError> {
    let count = input.count(LEAST_MARKER)?;
    input.allot::<Marker>(count)?;
    let mut markers = Vec::with_capacity(count);
    for _ in 0..count {
        let [name, class, layer] = [input.text()?, input.text()?, input.text()?];
        let object = input.u32()?;
        let min = IVec2::new(input.i32()?, input.i32()?);
        let max = IVec2::new(input.i32()?, input.i32()?);
        let is_point = input.bool()?;
        let properties = read_members(input, 0)?;
        let area = Aabb { min, max };
        markers.push(Marker { name, class, layer, object, area, is_point, properties });
    }
    Ok(markers)
}

fn write_members(members: &PropertyValues, out: &mut Output, depth: u32) -> Result<(), BakeError> {
    out.count(members.len())?;
    for (name, value) in members {
        out.text(name)?;
        write_value(value, out, depth)?;
    }
    Ok(())
}

fn read_members(input: &mut Input<'_>, depth: u32) -> Result<PropertyValues, BakeError> {
    let mut members = PropertyValues::new();
    for index in 0..input.count(LEAST_PROPERTY)? {
        if index % NODE == 0 {
            input.allot::<[(String, PropertyValue); 12]>(1)?;
        }
        let name = input.text()?;
        if members.last_key_value().is_some_and(|(last, _)| *last >= name) {
            return Err(input.fault("the names of properties are not in order"));
        }
        members.insert(name, read_value(input, depth)?);
    }
    Ok(members)
}

/// `depth` counts the values around this one.
fn write_value(value: &PropertyValue, out: &mut Output, depth: u32) -> Result<(), BakeError> {
    match value {
        PropertyValue::Bool(value) => {
            out.u8(0);
            out.u8((*value).into());
        }
        PropertyValue::Int(value) => {
            out.u8(1);
            out.i32(*value);
        }
        PropertyValue::Float(value) => {
            out.u8(2);
            out.u32(value.to_bits());
        }
        PropertyValue::Text(text) => {
            out.u8(3);
            out.text(text)?;
        }
        PropertyValue::Color(text) => {
            out.u8(4);
            out.text(text)?;
        }
        PropertyValue::Object(id) => {
            out.u8(5);
            out.u32(*id);
        }
        PropertyValue::List(_) | PropertyValue::Class { .. } if depth == MAX_DEPTH => {
            return Err(BakeError::TooDeep);
        }
        PropertyValue::List(values) => {
            out.u8(6);
            out.count(values.len())?;
            for value in values {
                write_value(value, out, depth + 1)?;
            }
        }
        PropertyValue::Class { class, members } => {
            out.u8(7);
            out.text(class)?;
            write_members(members, out, depth + 1)?;
        }
    }
    Ok(())
}

fn read_value(input: &mut Input<'_>, depth: u32) -> Result<PropertyValue, BakeError> {
    Ok(match input.u8()? {
        0 => PropertyValue::Bool(input.bool()?),
        1 => PropertyValue::Int(input.i32()?),
        2 => PropertyValue::Float(f32::from_bits(input.u32()?)),
        3 => PropertyValue::Text(input.text()?),
        4 => PropertyValue::Color(input.text()?),
        5 => PropertyValue::Object(input.u32()?),
        6 | 7 if depth == MAX_DEPTH => {
            return Err(input.fault("properties are nested over 64 deep"));
        }
        6 => {
            let count = input.count(2)?;
            input.allot::<PropertyValue>(count)?;
            let mut values = Vec::with_capacity(count);
            for _ in 0..count {
                values.push(read_value(input, depth + 1)?);
            }
            PropertyValue::List(values)
        }
        7 => {
            PropertyValue::Class { class: input.text()?, members: read_members(input, depth + 1)? }
        }
        _ => return Err(input.fault("a property is of no known kind")),
    })
}
