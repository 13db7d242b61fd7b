//! Reads tables and values of a TOML file, with errors that name the key. A [`Section`] removes each key that
//! is read. The keys that are left at the end are unknown, and are reported.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;
use std::rc::Rc;
use std::str::FromStr;

use serde_core::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

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
    value: Spanned<DeValue<'t>>,
}

impl<'t> Value<'t> {
    /// Returns the byte offset of the value in the text of the configuration file.
    pub fn at(&self) -> usize {
        self.value.span().start
    }

    /// Returns a fault of this value. The message has the key before `reason`: "`solid.layers` must be ...".
    pub fn fault(&self, reason: impl fmt::Display) -> Fault {
        Fault { at: Some(self.at()), reason: format!("`{}` {reason}", printable(&self.key)) }
    }

    /// Reads the value as a flag or a number.
    pub fn read<T: Deserialize<'t>>(self) -> Result<T, Fault> {
        let Self { key, value } = self;
        T::deserialize(ValueDeserializer::from(value)).map_err(|error| Fault {
            at: error.span().map(|span| span.start),
            reason: format!("`{}`: {}", printable(&key), printable(error.message())),
        })
    }

    /// Returns the value as a text. Fails if it is not a text.
    pub fn text(&self) -> Result<&str, Fault> {
        let text = self.value.get_ref().as_str();
        text.ok_or_else(|| self.fault("must be a text in quotes"))
    }

    /// Parses the value, which must be a text.
    pub fn parsed<T: FromStr<Err: fmt::Display>>(&self) -> Result<T, Fault> {
        self.text()?.parse().map_err(|reason| self.fault(reason))
    }

    /// True if the value is a table.
    pub fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    /// Returns the value as a table. Fails if it is not a table.
    pub fn section(self) -> Result<Section<'t>, Fault> {
        let at = Some(self.at());
        if !self.is_table() {
            return Err(self.fault("must be a table"));
        }
        let table = self.value.into_inner();
        let table = if let DeValue::Table(table) = table { table } else { DeTable::default() };
        Ok(Section { at, ..Section::new(self.key, table) })
    }

    /// Returns the items of the value. Fails if it is not a list.
    pub fn list(self) -> Result<Vec<Value<'t>>, Fault> {
        let fault = self.fault("must be a list");
        let DeValue::Array(items) = self.value.into_inner() else { return Err(fault) };
        let key = self.key;
        Ok(items.into_iter().map(|value| Value { key: key.clone(), value }).collect())
    }

    fn ids(self) -> Result<RangeInclusive<u32>, Fault> {
        let fault =
            self.fault("must hold whole numbers from 0 to 4294967295, and texts such as \"12-15\"");
        let ids = match self.text() {
            Ok(text) => range(text),
            Err(_) => self.read().ok().map(|id| id..=id),
        };
        ids.filter(|ids| !ids.is_empty()).ok_or(fault)
    }
}

/// Parses a range of ids such as `12-15`.
fn range(text: &str) -> Option<RangeInclusive<u32>> {
    let (first, last) = text.split_once('-')?;
    Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
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
        Some(Value { key: self.path(key), value })
    }

    /// Takes the table of `key`. Returns `None` if the key is missing. Fails if the value is not a table.
    pub fn section(&mut self, key: &'static str) -> Result<Option<Section<'t>>, Fault> {
        self.take(key).map(Value::section).transpose()
    }

    /// Returns the keys of the table that have not been read, with their values.
    pub fn entries(self) -> impl Iterator<Item = (String, Value<'t>)> {
        let Self { name, table, .. } = self;
        table.into_iter().map(move |(key, value)| {
            let name = format!("{name}.{}", key.get_ref());
            (key.into_inner().into_owned(), Value { key: name.into(), value })
        })
    }

    /// Takes the flag or number of `key`. Returns `None` if the key is missing.
    pub fn get<T: Deserialize<'t>>(&mut self, key: &'static str) -> Result<Option<T>, Fault> {
        self.take(key).map(Value::read).transpose()
    }

    /// Writes the flag or number of `key` to `into`. If the key is missing, `into` stays unchanged.
    pub fn set<T: Deserialize<'t>>(
        &mut self,
        key: &'static str,
        into: &mut T,
    ) -> Result<(), Fault> {
        if let Some(value) = self.get(key)? {
            *into = value;
        }
        Ok(())
    }

    /// Appends the texts in the list of `key` to `into`. Fails for an empty text. If the key is missing,
    /// `into` stays unchanged.
    pub fn words(&mut self, key: &'static str, into: &mut Vec<String>) -> Result<(), Fault> {
        for item in self.list(key)? {
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
        for item in self.list(key)? {
            let value = item.text()?.parse();
            into.push(value.map_err(|why| item.fault(format!("has an invalid value: {why}")))?);
        }
        Ok(())
    }

    /// Takes the text of `key` and parses it. Returns `None` if the key is missing.
    pub fn parsed<T: FromStr<Err: fmt::Display>>(
        &mut self,
        key: &'static str,
    ) -> Result<Option<T>, Fault> {
        self.take(key).map(|value| value.parsed()).transpose()
    }

    /// Takes the list of tables of `key`. The result is empty if the key is missing.
    pub fn sections(&mut self, key: &'static str) -> Result<Vec<Section<'t>>, Fault> {
        self.list(key)?.into_iter().map(Value::section).collect()
    }

    /// Takes the items of the list of `key`. The result is empty if the key is missing.
    pub fn list(&mut self, key: &'static str) -> Result<Vec<Value<'t>>, Fault> {
        self.take(key).map_or_else(|| Ok(Vec::new()), Value::list)
    }

    /// Appends the tile ids in the table of `key` to `into`. The table has a list of tile ids for each
    /// tileset.
    pub fn tiles(&mut self, key: &'static str, into: &mut Vec<TileIds>) -> Result<(), Fault> {
        let Some(section) = self.section(key)? else { return Ok(()) };
        for (tileset, value) in section.entries() {
            let ids = value.list()?.into_iter().map(Value::ids);
            into.push(TileIds { tileset, ids: ids.collect::<Result<_, _>>()? });
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
