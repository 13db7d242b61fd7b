//! Tiled's worlds (`.world`): which maps lie where, by a list and by patterns of file names. The sizes that
//! a world states are for Tiled's own display; the maps themselves know better.
//!
//! `parse` is pure: the names of the files beside the world are handed in. `load` has the maps loaded, each
//! like any other, and `compose` and `merge` make one level of them. Nothing here opens a file.

mod compose;
mod load;
mod merge;

use std::collections::HashSet;

use glam::IVec2;
use regex::{Regex, RegexBuilder};

pub(crate) use self::load::{Access, load};
use crate::error::LoadErrorKind;
use crate::json::{self, Object, json};
use crate::limits::{Limits, check};

/// The largest compiled pattern, in bytes.
const PATTERN_BYTES: usize = 256 << 10;

/// Patterns in a world.
const MAX_PATTERNS: u64 = 64;

/// A map of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WorldMap {
    /// Its path, from the folder of the world.
    file: String,
    /// Where its top-left corner lies, in pixels.
    position: IVec2,
}

/// The maps of the world `bytes`: those that it lists, and then those of the `files` in its own folder that
/// match a pattern, sorted by name. A map that comes up again stays where it was first, as in Tiled.
fn parse(
    bytes: &[u8],
    limits: &Limits,
    files: impl FnOnce() -> Result<Vec<String>, LoadErrorKind>,
) -> Result<Vec<WorldMap>, LoadErrorKind> {
    let root = json::parse(bytes, limits)?;
    let root = root.object("a world")?;
    let mut maps = Maps {
        found: Vec::new(),
        known: HashSet::new(),
        limit: limits.world_maps,
    };
    for map in root.list("maps")? {
        maps.add(listed(map.object("a map of a world")?, limits)?)?;
    }
    let patterns = root.list("patterns")?;
    check("patterns in a world", patterns.len() as u64, MAX_PATTERNS)?;
    if !patterns.is_empty() {
        let mut files = files()?;
        files.sort_unstable();
        for pattern in patterns {
            let pattern = Pattern::parse(pattern.object("a pattern of a world")?, limits)?;
            for file in &files {
                pattern.place(file)?.map_or(Ok(()), |map| maps.add(map))?;
            }
        }
    }
    if maps.found.is_empty() {
        return Err(json(match patterns {
            [] => "a world without maps",
            _ => "a world of patterns that no file beside it matches",
        }));
    }
    Ok(maps.found)
}

/// The maps so far.
struct Maps {
    found: Vec<WorldMap>,
    known: HashSet<String>,
    limit: u32,
}

impl Maps {
    fn add(&mut self, map: WorldMap) -> Result<(), LoadErrorKind> {
        if self.known.insert(map.file.clone()) {
            self.found.push(map);
        }
        check("maps in a world", self.found.len() as u64, self.limit)
    }
}

/// A map that the world lists.
fn listed(map: Object<'_, '_>, limits: &Limits) -> Result<WorldMap, LoadErrorKind> {
    let file = map.text("fileName")?.unwrap_or_default().replace('\\', "/");
    let file = file.trim_start_matches("./");
    if file.is_empty() {
        return Err(json("a map of a world without `fileName`"));
    }
    check("bytes in a name", file.len() as u64, limits.name_bytes)?;
    Ok(WorldMap {
        file: file.to_owned(),
        position: IVec2::new(
            number(map, "x")?.unwrap_or(0),
            number(map, "y")?.unwrap_or(0),
        ),
    })
}

/// A rule by which the name of a file says where its map lies.
struct Pattern {
    regexp: Regex,
    multiplier: IVec2,
    offset: IVec2,
}

impl Pattern {
    fn parse(pattern: Object<'_, '_>, limits: &Limits) -> Result<Self, LoadErrorKind> {
        let written = pattern.text("regexp")?.unwrap_or_default();
        let bytes = written.len() as u64;
        check("bytes in a pattern", bytes, limits.name_bytes)?;
        let regexp = RegexBuilder::new(&written)
            .size_limit(PATTERN_BYTES)
            .build()
            .map_err(|error| not_taken(&written, &error))?;
        if regexp.captures_len() != 3 {
            let captures = regexp.captures_len() - 1;
            return Err(json(format!(
                "the pattern `{written}` captures {captures} parts of a name, not 2"
            )));
        }
        let or = |name, default| Ok(number(pattern, name)?.unwrap_or(default));
        let multiplier = IVec2::new(or("multiplierX", 1)?, or("multiplierY", 1)?);
        if multiplier.x == 0 || multiplier.y == 0 {
            return Err(json(format!(
                "the pattern `{written}` has a multiplier of 0"
            )));
        }
        Ok(Self {
            regexp,
            multiplier,
            offset: IVec2::new(or("offsetX", 0)?, or("offsetY", 0)?),
        })
    }

    /// The map of the name `file`, if it matches.
    fn place(&self, file: &str) -> Result<Option<WorldMap>, LoadErrorKind> {
        let Some(captures) = self.regexp.captures(file) else {
            return Ok(None);
        };
        let coordinate = |group, multiplier: i32, offset: i32| {
            let text = captures.get(group).map_or("", |group| group.as_str());
            let number = text.parse::<i32>().ok();
            number
                .and_then(|number| number.checked_mul(multiplier)?.checked_add(offset))
                .ok_or_else(|| {
                    json(format!(
                        "`{text}` in `{file}` does not say where the map lies"
                    ))
                })
        };
        Ok(Some(WorldMap {
            file: file.to_owned(),
            position: IVec2::new(
                coordinate(1, self.multiplier.x, self.offset.x)?,
                coordinate(2, self.multiplier.y, self.offset.y)?,
            ),
        }))
    }
}

/// Tiled's patterns may look around and refer back; those of this crate do not, so that matching one takes
/// no more time than its name is long.
fn not_taken(written: &str, error: &regex::Error) -> LoadErrorKind {
    let reason = match error {
        regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
        // The last line says what is wrong, those before it show where.
        other => {
            let text = other.to_string();
            let last = text.lines().last().unwrap_or_default();
            last.trim_start_matches("error: ").to_owned()
        }
    };
    json(format!("the pattern `{written}` cannot be used: {reason}"))
}

/// A whole number, if it is there; `12.0` is one.
fn number(object: Object<'_, '_>, name: &str) -> Result<Option<i32>, LoadErrorKind> {
    let Some(text) = object.text(name)? else {
        return Ok(None);
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let number = whole.parse().ok();
    let number = number.filter(|_| fraction.bytes().all(|digit| digit == b'0'));
    number.map(Some).ok_or_else(|| {
        let what = object.what();
        json(format!(
            "`{name}` of {what} is `{text}`, not a whole number"
        ))
    })
}

#[cfg(test)]
mod tests;
