//! Reads tables and values of a TOML file, with errors that name the key. A [`Section`] removes each key that
//! is read. The keys that are left at the end are unknown, and are reported.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;
use std::rc::Rc;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{LoadError, LoadErrorKind, Place};
use crate::rules::{PropertyIs, TileIds};
use crate::text::{nearest, printable};

/// A fault in the configuration file.
#[derive(Debug)]
pub struct Fault {
    /// The byte offset of the fault in the text of the configuration file, if known.
    pub at: Option<usize>,
    /// The fault in plain words, without control characters.
    pub reason: String,
}

impl Fault {
    /// Returns the load error for this fault in the file at `path`. The fault's line and byte are found in
    /// `text`, the text of the file.
    pub fn in_file(self, path: &Path, text: &str) -> LoadError {
        let line = self.at.map(|at| {
            let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
            let lines = before.split(|byte| *byte == b'\n');
            let last = lines.clone().next_back().unwrap_or_default();
            (lines.count() as u32, last.len() as u32 + 1)
        });
        let place = Place { line, ..Place::default() };
        LoadError::new(path, place, LoadErrorKind::Config { reason: self.reason })
    }
}

/// A value and its full key, such as `solid.layers`.
pub struct Value<'t> {
    key: Rc<str>,
    at: usize,
    value: DeValue<'t>,
}

impl<'t> Value<'t> {
    fn new(key: Rc<str>, value: Spanned<DeValue<'t>>) -> Self {
        Self { at: value.span().start, key, value: value.into_inner() }
    }

    /// Returns the byte offset of the value in the text of the configuration file.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns a fault of this value. The message has the key before `reason`: "`solid.layers` must be ...".
    pub fn fault(&self, reason: impl fmt::Display) -> Fault {
        Fault { at: Some(self.at), reason: format!("`{}` {reason}", printable(&self.key)) }
    }

    fn is_not(&self, expected: &str) -> Fault {
        let found = match &self.value {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "a flag",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.fault(format!("must be {expected}, not {found}"))
    }

    /// Returns the value as a text. Fails if it is not a text.
    pub fn text(&self) -> Result<&str, Fault> {
        self.value.as_str().ok_or_else(|| self.is_not("a text in quotes"))
    }

    /// True if the value is a table.
    pub fn is_table(&self) -> bool {
        self.value.is_table()
    }

    /// Returns the value as a table. Fails if it is not a table.
    pub fn section(self) -> Result<Section<'t>, Fault> {
        match self.value {
            DeValue::Table(table) => {
                Ok(Section { at: Some(self.at), ..Section::new(self.key, table) })
            }
            _ => Err(self.is_not("a table")),
        }
    }

    /// Returns the items of the value, which must be a list. Any other value gives a [`Fault`] that contains
    /// `expected`, a description of the valid values.
    pub fn list(self, expected: &str) -> Result<Vec<Value<'t>>, Fault> {
        let DeValue::Array(items) = self.value else { return Err(self.is_not(expected)) };
        Ok(items.into_iter().map(|item| Value::new(self.key.clone(), item)).collect())
    }

    fn whole(&self) -> Option<u64> {
        let number = self.value.as_integer()?;
        u64::from_str_radix(number.as_str(), number.radix()).ok()
    }

    fn ids(&self) -> Option<RangeInclusive<u32>> {
        let ids = match &self.value {
            DeValue::String(text) => {
                let (first, last) = text.split_once('-')?;
                first.trim().parse().ok()?..=last.trim().parse().ok()?
            }
            _ => {
                let id = u32::try_from(self.whole()?).ok()?;
                id..=id
            }
        };
        Some(ids).filter(|ids| !ids.is_empty())
    }
}

/// A table of the configuration file. Reading a key removes the key from the table.
pub struct Section<'t> {
    name: Rc<str>,
    at: Option<usize>,
    table: DeTable<'t>,
    known: Vec<&'static str>,
}

impl<'t> Section<'t> {
    /// Returns the section for `table`. `name` is the full key of the table; it is empty for the whole file.
    pub fn new(name: Rc<str>, table: DeTable<'t>) -> Self {
        Self { name, at: None, table, known: Vec::new() }
    }

    /// Returns a fault of the whole table. The message starts with the table's name: "`verify.body` needs
    /// ...".
    pub fn fault(&self, reason: impl fmt::Display) -> Fault {
        Fault { at: self.at, reason: format!("`{}` {reason}", printable(&self.name)) }
    }

    /// True if every key of the table has been read.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// True if the value of `key` is an empty list.
    pub fn has_empty_list(&self, key: &str) -> bool {
        let list = self.table.get(key).and_then(|value| value.get_ref().as_array());
        list.is_some_and(|list| list.is_empty())
    }

    fn path(&self, key: &str) -> Rc<str> {
        match &*self.name {
            "" => key.into(),
            name => format!("{name}.{key}").into(),
        }
    }

    /// Takes the value of `key`. Returns `None` if the table has no such key.
    pub fn take(&mut self, key: &'static str) -> Option<Value<'t>> {
        self.known.push(key);
        let value = self.table.remove(key)?;
        Some(Value::new(self.path(key), value))
    }

    /// Takes the table of `key`. Returns `None` if the key is missing. Fails if the value is not a table.
    pub fn section(&mut self, key: &'static str) -> Result<Option<Section<'t>>, Fault> {
        self.take(key).map(Value::section).transpose()
    }

    /// Returns the keys of the table that have not been read, with their values.
    pub fn entries(self) -> impl Iterator<Item = (String, Value<'t>)> {
        let Self { name, table, .. } = self;
        table.into_iter().map(move |(key, value)| {
            let key = key.into_inner().into_owned();
            let path = format!("{name}.{key}");
            (key, Value::new(path.into(), value))
        })
    }

    /// Writes the bool of `key` to `into`. If the key is missing, `into` stays unchanged.
    pub fn flag(&mut self, key: &'static str, into: &mut bool) -> Result<(), Fault> {
        if let Some(value) = self.take(key) {
            *into = value.value.as_bool().ok_or_else(|| value.is_not("true or false"))?;
        }
        Ok(())
    }

    /// Writes the whole number of `key`, of 64 bits, to `into`. If the key is missing, `into` stays
    /// unchanged.
    pub fn bits(&mut self, key: &'static str, into: &mut u64) -> Result<(), Fault> {
        if let Some(value) = self.take(key) {
            let expected = "must be a whole number from 0 to 18446744073709551615, as 0x6";
            *into = value.whole().ok_or_else(|| value.fault(expected))?;
        }
        Ok(())
    }

    /// Appends the texts in the list of `key` to `into`. Fails for an empty text. If the key is missing,
    /// `into` stays unchanged.
    pub fn words(&mut self, key: &'static str, into: &mut Vec<String>) -> Result<(), Fault> {
        for item in self.texts(key)? {
            match item.text()? {
                "" => return Err(item.fault("has an empty name")),
                word => into.push(word.to_owned()),
            }
        }
        Ok(())
    }

    /// Appends the property values in the list of `key` to `into`. If the key is missing, `into` stays
    /// unchanged.
    pub fn values(&mut self, key: &'static str, into: &mut Vec<PropertyIs>) -> Result<(), Fault> {
        for item in self.texts(key)? {
            let value = item.text()?.parse();
            into.push(value.map_err(|why| item.fault(format!("has an invalid value: {why}")))?);
        }
        Ok(())
    }

    /// Takes the whole number of `key`, from 0 to `u32::MAX`. Returns `None` if the key is missing.
    pub fn count(&mut self, key: &'static str) -> Result<Option<u32>, Fault> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let number = value.whole().and_then(|number| u32::try_from(number).ok());
        let expected = "must be a whole number from 0 to 4294967295";
        number.map(Some).ok_or_else(|| value.fault(expected))
    }

    /// Writes the number of `key` to `into`. If the key is missing, `into` stays unchanged.
    pub fn real(&mut self, key: &'static str, into: &mut f32) -> Result<(), Fault> {
        let Some(value) = self.take(key) else { return Ok(()) };
        let number = match &value.value {
            DeValue::Float(number) => number.as_str().parse().ok(),
            _ => value.whole().map(|whole| whole as f32),
        };
        *into = number.ok_or_else(|| value.fault("must be a number, as 0.35"))?;
        Ok(())
    }

    /// Takes the text of `key` and parses it. Returns `None` if the key is missing.
    pub fn parsed<T: FromStr<Err: fmt::Display>>(
        &mut self,
        key: &'static str,
    ) -> Result<Option<T>, Fault> {
        let Some(value) = self.take(key) else { return Ok(None) };
        value.text()?.parse().map(Some).map_err(|reason| value.fault(reason))
    }

    /// Takes the list of tables of `key`. The result is empty if the key is missing.
    pub fn sections(&mut self, key: &'static str) -> Result<Vec<Section<'t>>, Fault> {
        self.items(key, "a list of tables")?.into_iter().map(Value::section).collect()
    }

    /// Takes the items of the list of `key`, which should be texts; the caller checks that they are. The
    /// result is empty if the key is missing.
    pub fn texts(&mut self, key: &'static str) -> Result<Vec<Value<'t>>, Fault> {
        self.items(key, "a list of texts")
    }

    fn items(&mut self, key: &'static str, expected: &str) -> Result<Vec<Value<'t>>, Fault> {
        self.take(key).map_or_else(|| Ok(Vec::new()), |value| value.list(expected))
    }

    /// Appends the tile ids in the table of `key` to `into`. The table has a list of tile ids for each
    /// tileset.
    pub fn tiles(&mut self, key: &'static str, into: &mut Vec<TileIds>) -> Result<(), Fault> {
        let Some(value) = self.take(key) else { return Ok(()) };
        if !value.is_table() {
            return Err(value.is_not("a table of tilesets, as { dungeon = [3, \"12-15\"] }"));
        }
        for (tileset, value) in value.section()?.entries() {
            let expected =
                "must hold whole numbers from 0 to 4294967295, and texts such as \"12-15\"";
            let mut ids = Vec::new();
            for item in value.list("a list of ids")? {
                ids.push(item.ids().ok_or_else(|| item.fault(expected))?);
            }
            into.push(TileIds { tileset, ids });
        }
        Ok(())
    }

    /// Fails if the table has a key that was not read. The [`Fault`] names the first such key in the file.
    pub fn finish(self) -> Result<(), Fault> {
        let Some(key) = self.table.keys().min_by_key(|key| key.span().start) else { return Ok(()) };
        let name: &str = key.get_ref();
        let hint = match nearest(name, self.known.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            None => format!("the keys here are {}", self.known.join(", ")),
        };
        Err(Fault {
            at: Some(key.span().start),
            reason: format!("`{}` is not a key; {hint}", printable(&self.path(name))),
        })
    }
}
