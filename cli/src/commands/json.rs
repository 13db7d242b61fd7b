//! JSON documents whose members keep the order of writing.

use serde::{Serialize, Serializer};

use crate::lint::output::pretty_json;
use crate::suggest::Suggestion;

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Json {
    Null,
    /// A member that is omitted from the document.
    Absent,
    Bool(bool),
    Count(u64),
    Number(i64),
    Float(f64),
    /// A number, written with the fewest digits that read back as the same `f32`.
    Single(f32),
    Text(String),
    List(Vec<Self>),
    #[serde(serialize_with = "members")]
    Object(Vec<(String, Self)>),
}

fn members<S: Serializer>(members: &[(String, Json)], serializer: S) -> Result<S::Ok, S::Error> {
    let present = members.iter().filter(|(_, value)| !matches!(value, Json::Absent));
    serializer.collect_map(present.map(|(name, value)| (name, value)))
}

/// Creates an object: `object! { name: value }`. A value has any type that converts to [`Json`].
macro_rules! object {
    ($($name:ident: $value:expr),* $(,)?) => {
        $crate::commands::json::Json::Object(vec![$((
            stringify!($name).to_owned(),
            $crate::commands::json::Json::from($value),
        )),*])
    };
}
pub(super) use object;

impl Json {
    pub(super) fn list<'t, T: 't>(
        items: impl IntoIterator<Item = &'t T>,
        json: impl Fn(&'t T) -> Self,
    ) -> Self {
        Self::List(items.into_iter().map(json).collect())
    }

    pub(super) fn suggestions(suggestions: &[Suggestion]) -> Self {
        Self::list(suggestions, |suggestion| {
            object! {
                why: &*suggestion.why,
                cells: suggestion.cells,
                is_guess: suggestion.is_guess,
                options: suggestion.arguments(),
            }
        })
    }

    /// Returns the document as indented text, safe to print, with a final line break.
    pub(super) fn text(&self) -> String {
        pretty_json(self)
    }
}

macro_rules! from {
    ($($type:ty: $variant:ident),*) => {
        $(impl From<$type> for Json {
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}

from! {
    bool: Bool, u8: Count, u32: Count, u64: Count, i32: Number, i64: Number, f64: Float, f32: Single,
    &str: Text, String: Text
}

impl<T: Into<Self>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Json {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Self>, const N: usize> From<[T; N]> for Json {
    fn from(values: [T; N]) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}
