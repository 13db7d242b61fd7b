//! A convex polygon in the files of the feature `serde`: its corners, which are checked again.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use super::{ConvexPolygon, Coordinate};

/// The form of a polygon in a file.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "ConvexPolygon", deny_unknown_fields)]
struct Saved<'p, V: Clone> {
    corners: Cow<'p, [V]>,
}

impl<V: Serialize + Clone> Serialize for ConvexPolygon<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Saved { corners: Cow::Borrowed(self.corners()) }.serialize(serializer)
    }
}

impl<'de, V: Coordinate + Deserialize<'de>> Deserialize<'de> for ConvexPolygon<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved { corners } = Saved::deserialize(deserializer)?;
        Self::new(&corners).map_err(D::Error::custom)
    }
}
