//! A rule in the files of the feature `serde`: its code, by which it is found again.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use super::rule_by_name;
use crate::text::printable;
use crate::verify::rule::Rule;

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.code.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for &'static Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = Cow::<str>::deserialize(deserializer)?;
        let unknown = || D::Error::custom(format_args!("there is no rule `{}`", printable(&code)));
        rule_by_name(&code).ok_or_else(unknown)
    }
}
