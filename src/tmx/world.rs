//! Reads Tiled's worlds (`.world`): lists of maps with their positions, and patterns that find more maps by
//! their file names.
//!
//! The sizes of maps in a world file are ignored, because Tiled uses them only for display. Nothing here
//! opens a file: the caller passes the names of the files in the world's folder.

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use glam::IVec2;
use regex_lite::{Captures, Regex, RegexBuilder};

use super::json::tree::{self, JsonObject, json};
use super::read::cursor::MAX_NAME_BYTES;
use crate::error::LoadErrorKind;
use crate::limits::check;

/// The largest size of a compiled pattern, in bytes.
const PATTERN_BYTES: usize = 256 << 10;

const MAX_PATTERNS: u64 = 64;

const MAX_MAPS: u64 = 1_024;

/// The content of a Tiled world file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorldFile {
    /// The listed maps, in the order of the file.
    pub maps: Vec<WorldMap>,
    /// The patterns that find further maps, in the order of the file.
    pub patterns: Vec<WorldPattern>,
}

/// A map of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WorldMap {
    /// The map's path relative to the world's folder, with `/` between the names and no leading `./`.
    pub file: String,
    /// The position of the map's top-left corner in the world, in pixels.
    pub position: IVec2,
}

/// A pattern for the file names of maps. Two numbers in the name give the map's position: each number is
/// multiplied by a factor, and an offset is added.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WorldPattern {
    /// The regular expression that is searched for in a file name. Its two groups capture the two numbers for
    /// the map's x and y.
    pub regexp: String,
    /// The factors, in pixels, by which the two numbers in a file name are multiplied to get the map's x and
    /// y. Neither is 0.
    pub multiplier: IVec2,
    /// The offset in pixels that is added to the map's position after the multiplication.
    pub offset: IVec2,
}

impl WorldFile {
    /// Reads a world from the bytes of its file.
    ///
    /// ```
    /// use bitwall::{glam::IVec2, tmx::WorldFile};
    ///
    /// let file = br#"{"maps": [{"fileName": "cave.tmx", "x": 320, "y": -64}],
    ///     "patterns": [{"regexp": "room_(\\d+)_(\\d+)\\.tmx", "multiplierX": 160, "multiplierY": 90}]}"#;
    /// let world = WorldFile::decode(file)?;
    /// let beside = || Ok(vec!["room_2_1.tmx".to_owned(), "notes.txt".to_owned()]);
    /// let maps = world.maps_among(beside)?;
    /// assert_eq!((&*maps[0].file, maps[0].position), ("cave.tmx", IVec2::new(320, -64)));
    /// assert_eq!((&*maps[1].file, maps[1].position), ("room_2_1.tmx", IVec2::new(320, 90)));
    /// # Ok::<(), bitwall::error::LoadErrorKind>(())
    /// ```
    ///
    /// # Errors
    /// Fails for bytes that are not a world in JSON, for an exceeded limit, for a number that is not whole,
    /// and for an unusable pattern. Look-around and back-references, which Tiled allows, are errors. Without
    /// them, the time of a match is proportional to the length of the name.
    pub fn decode(bytes: &[u8]) -> Result<Self, LoadErrorKind> {
        let root = tree::parse(bytes)?;
        let root = root.object("a world")?;
        let mut world = Self::default();
        for map in root.list("maps")? {
            world.maps.push(listed(map.object("a map of a world")?)?);
        }
        let patterns = root.list("patterns")?;
        check("patterns in a world", patterns.len() as u64, MAX_PATTERNS)?;
        for written in patterns {
            world.patterns.push(pattern(written.object("a pattern of a world")?)?);
        }
        Ok(world)
    }

    /// Returns all maps of the world: the listed maps, then the maps that each pattern finds. `files` returns
    /// the names of the files in the world's folder.
    ///
    /// It is called only if the world has patterns. A pattern finds maps in the sorted order of these names.
    /// A map that is found twice keeps its first position, as in Tiled.
    ///
    /// # Errors
    /// Fails with the error of `files`. Also fails for a world without maps, for more than 1,024 maps, for an
    /// unusable pattern, and for a matching name whose numbers give no valid position.
    pub fn maps_among(
        &self,
        files: impl FnOnce() -> Result<Vec<String>, LoadErrorKind>,
    ) -> Result<Vec<WorldMap>, LoadErrorKind> {
        let mut found = Vec::new();
        let mut known = HashSet::new();
        let mut add = |map: WorldMap| {
            if known.insert(map.file.clone()) {
                found.push(map);
            }
            check("maps in a world", found.len() as u64, MAX_MAPS)
        };
        self.maps.iter().cloned().try_for_each(&mut add)?;
        if !self.patterns.is_empty() {
            let mut files = files()?;
            files.sort_unstable();
            for pattern in &self.patterns {
                let regexp = pattern.compiled()?;
                for file in &files {
                    if let Some(captures) = regexp.captures(file) {
                        add(pattern.place(file, &captures)?)?;
                    }
                }
            }
        }
        if found.is_empty() {
            return Err(LoadErrorKind::EmptyWorld { patterns: self.patterns.len() });
        }
        Ok(found)
    }
}

impl WorldPattern {
    fn compiled(&self) -> Result<Regex, LoadErrorKind> {
        let written = &self.regexp;
        let regexp = RegexBuilder::new(written)
            .size_limit(PATTERN_BYTES)
            .build()
            .map_err(|error| json(format!("the pattern `{written}` cannot be used: {error}")))?;
        match regexp.captures_len() - 1 {
            2 => Ok(regexp),
            captures => Err(json(format!(
                "the pattern `{written}` captures {captures} parts of a name, not 2"
            ))),
        }
    }

    /// Returns the map `file` with its position, computed from the two numbers in `captures`.
    fn place(&self, file: &str, captures: &Captures<'_>) -> Result<WorldMap, LoadErrorKind> {
        let mut position = IVec2::ZERO;
        for axis in [0, 1] {
            let text = captures.get(axis + 1).map_or("", |group| group.as_str());
            let number = text.parse::<i32>().ok();
            let number = number.and_then(|number| number.checked_mul(self.multiplier[axis]));
            let number = number.and_then(|number| number.checked_add(self.offset[axis]));
            let fault = || json(format!("`{text}` in `{file}` does not say where the map lies"));
            position[axis] = number.ok_or_else(fault)?;
        }
        Ok(WorldMap { file: file.to_owned(), position })
    }
}

fn listed(map: JsonObject<'_, '_>) -> Result<WorldMap, LoadErrorKind> {
    let file = map.text("fileName")?.unwrap_or_default().replace('\\', "/");
    let file = file.trim_start_matches("./");
    if file.is_empty() {
        return Err(json("a map of a world without `fileName`"));
    }
    check("bytes in a name", file.len() as u64, MAX_NAME_BYTES)?;
    Ok(WorldMap { file: file.to_owned(), position: numbers(map, ["x", "y"], 0)? })
}

fn pattern(written: JsonObject<'_, '_>) -> Result<WorldPattern, LoadErrorKind> {
    let regexp = written.text("regexp")?.unwrap_or_default();
    check("bytes in a pattern", regexp.len() as u64, MAX_NAME_BYTES)?;
    let pattern = WorldPattern {
        regexp: regexp.into_owned(),
        multiplier: numbers(written, ["multiplierX", "multiplierY"], 1)?,
        offset: numbers(written, ["offsetX", "offsetY"], 0)?,
    };
    pattern.compiled()?;
    if pattern.multiplier.x == 0 || pattern.multiplier.y == 0 {
        let regexp = &pattern.regexp;
        return Err(json(format!("the pattern `{regexp}` has a multiplier of 0")));
    }
    Ok(pattern)
}

/// Returns the two whole numbers with these names in `object`. The value `default` replaces a missing number.
/// A number such as `12.0` counts as whole.
fn numbers(
    object: JsonObject<'_, '_>,
    names: [&str; 2],
    default: i32,
) -> Result<IVec2, LoadErrorKind> {
    let mut numbers = [default; 2];
    for (number, name) in numbers.iter_mut().zip(names) {
        if let Some(text) = object.text(name)? {
            *number = text.parse().map_err(|_| {
                json(format!("`{name}` of {} is `{text}`, not a whole number", object.what))
            })?;
        }
    }
    Ok(numbers.into())
}
