//! The tools of `bitwall mcp`. Each calls the same functions as the command of its name, and answers with
//! text of a limited length. Their arguments are described in `tools.json`.

use std::fs;
use std::path::{Path, PathBuf};

use bitwall::glam::{IVec2, UVec2};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::commands::can_move::{Question, answer_one, obstacle_text};
use crate::commands::info::marker_text;
use crate::commands::projects::diff::difference_text;
use crate::commands::projects::verify::findings_text;
use crate::commands::render::text;
use crate::commands::{
    AnswerFormat, Failure, LevelFile, LoadArgs, parse_body, parse_dir, parse_step,
};
use crate::lint::config::parse_size;
use crate::lint::rules::reach_text;
use crate::lint::{MarkerRole, MarkerSpec, VerifyConfig, VerifyOptions};
use bitwall::level::MarkerShape;
use bitwall::load::{Source, decode_picture};
use bitwall::text::{counted, listed, printable};
use bitwall::tmx::{LayerContent, Orientation, Point};
use bitwall::{Aabb, Dir, LoadedLevel, Marker};

/// The most characters of an answer, and of a line in it.
const MOST_LETTERS: usize = 20_000;
const MOST_IN_LINE: usize = 1_000;

/// Returns the tools with their descriptions and the schemas of their arguments.
pub(super) fn list() -> Value {
    serde_json::from_str(include_str!("tools.json")).unwrap_or_default()
}

/// The folder with the levels. Nothing outside of it is read.
pub(super) struct Folder {
    load: LoadArgs,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Look {
    level: PathBuf,
    region: Option<Value>,
    fit: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Why {
    level: PathBuf,
    at: Option<[i32; 2]>,
    cell: Option<[i32; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CanMove {
    level: PathBuf,
    body: Value,
    dir: String,
    step: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Verify {
    path: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reach {
    level: PathBuf,
    body: Option<Map<String, Value>>,
    from: Option<Value>,
    to: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Diff {
    before: PathBuf,
    after: Option<PathBuf>,
    body: Option<Value>,
}

impl Folder {
    /// Creates the tools for the current folder, whose real path is `root`.
    pub(super) fn new(root: PathBuf) -> Self {
        Self { load: LoadArgs { within: Some(root), ..LoadArgs::default() } }
    }

    /// Calls the tool `name`. `None` if there is none. The error is a text for the agent.
    pub(super) fn call(
        &self,
        name: &str,
        mut arguments: Map<String, Value>,
    ) -> Option<Result<String, String>> {
        let skip = arguments.remove("skip").unwrap_or_else(|| 0.into());
        let answer = match name {
            "look" => parsed(arguments).and_then(|look| self.look(look)),
            "why" => parsed(arguments).and_then(|why| self.why(&why)),
            "can_move" => parsed(arguments).and_then(|can_move| self.can_move(can_move)),
            "verify" => parsed(arguments).and_then(|verify| self.verify(verify)),
            "reach" => parsed(arguments).and_then(|reach| self.reach(reach)),
            "diff" => parsed(arguments).and_then(|diff| self.diff(diff)),
            _ => return None,
        };
        let answer = answer.map_err(|failure| match failure {
            // The advice of a failure names options of the command line.
            Failure::Load(error) => error.to_string(),
            failure => failure.to_string(),
        });
        let Some(skip) = skip.as_u64().and_then(|skip| usize::try_from(skip).ok()) else {
            return Some(Err("`skip` is a number of lines".to_owned()));
        };
        Some(match answer {
            Ok(text) => Ok(clipped(&text, skip)),
            Err(reason) => Err(clipped(&reason, 0)),
        })
    }

    fn level(&self, path: &Path) -> Result<(LoadedLevel, Vec<u8>), Failure> {
        let bytes = self.load.read_within(path)?;
        let file = LevelFile { path: path.to_owned(), bytes: Some(bytes) };
        let loaded = self.load.load_anyway(&file)?;
        Ok((loaded, file.bytes.unwrap_or_default()))
    }

    fn look(&self, look: Look) -> Result<String, Failure> {
        let (loaded, _) = self.level(&look.level)?;
        let region = look.region.map(|region| parse_body(&words(&region))).transpose()?;
        let most = look.fit.map(|fit| parse_size(&words(&fit).replace(',', "x"))).transpose()?;
        let most = most.unwrap_or(text::MOST).min(text::MOST);
        let drawn = text::draw(&look.level, &loaded, region, most);
        drawn.map_err(|error| Failure::at(&look.level, error))
    }

    fn why(&self, why: &Why) -> Result<String, Failure> {
        let (loaded, bytes) = self.level(&why.level)?;
        let cell = text::cell_of(&loaded).as_ivec2();
        let area = match (why.at, why.cell) {
            (Some(at), None) => {
                Aabb { min: at.into(), max: IVec2::from(at).saturating_add(IVec2::ONE) }
            }
            (None, Some(at)) => {
                let min = IVec2::from(at).saturating_mul(cell);
                Aabb { min, max: min.saturating_add(cell) }
            }
            _ => return Err("name either `at`, a pixel [x, y], or `cell`, a [column, row]".into()),
        };
        Ok(facts(&loaded, area, &bytes, &why.level).join("\n"))
    }

    fn can_move(&self, can_move: CanMove) -> Result<String, Failure> {
        let body = parse_body(&words(&can_move.body))?;
        let dir = parse_dir(&can_move.dir).map_err(|error| format!("`dir` is {error}"))?;
        let step = parse_step(&words(&can_move.step))?;
        let (loaded, _) = self.level(&can_move.level)?;
        Ok(answer_one(&loaded, &Question { body, dir, step }, AnswerFormat::Text).1)
    }

    fn verify(&self, verify: Verify) -> Result<String, Failure> {
        let path = verify.path.unwrap_or_else(|| PathBuf::from("."));
        let is_inside =
            |real: &PathBuf| self.load.within.as_ref().is_some_and(|it| real.starts_with(it));
        if !fs::canonicalize(&path).is_ok_and(|real| is_inside(&real)) {
            return Err(Failure::at(
                &path,
                "there is no such level or folder in the folder of this server",
            ));
        }
        findings_text(&path, &self.load)
    }

    /// The body and the markers are read as the tables of a `bitwall.toml`, so that their words are the same.
    fn reach(&self, reach: Reach) -> Result<String, Failure> {
        let (mut loaded, _) = self.level(&reach.level)?;
        let mut options = self.load.verify_options(&reach.level)?;
        if let Some(body) = reach.body {
            let table = json!({"verify": {"body": [body]}});
            let text = toml::to_string(&table).map_err(|error| format!("`body`: {error}"))?;
            let known = VerifyConfig::decode("body", text)?;
            options.bodies = known.options.bodies;
        }
        let mut markers = loaded.level.markers().to_vec();
        for (place, role) in [(reach.from, MarkerRole::Spawn), (reach.to, MarkerRole::Goal)] {
            if let Some(place) = place {
                take_place(&mut options, &mut markers, &place, role);
            }
        }
        let names: Vec<String> = markers.iter().map(|marker| marker.name.clone()).collect();
        loaded.level = loaded.level.with_markers(markers);
        let text = reach_text(&loaded, &options);
        text.map_err(|reason| {
            let help = "state `body`, `from` and `to`, or [[verify.body]] and [[verify.marker]] in bitwall.toml";
            let names = listed(names.iter());
            Failure::at(&reach.level, format!("{reason}: {help}; the level's markers: {names}"))
        })
    }

    fn diff(&self, diff: Diff) -> Result<String, Failure> {
        let after = diff.after.or_else(|| {
            // The same level now: `maps/cave.tmx` for `HEAD:maps/cave.tmx`.
            let (_, path) = diff.before.to_str()?.split_once(':')?;
            Some(PathBuf::from(path))
        });
        let after = after.ok_or("`after` is missing: a level, or write `before` as REV:PATH")?;
        let body = diff.body.map(|body| parse_size(&words(&body).replace(',', "x"))).transpose()?;
        let bodies: Vec<UVec2> = body.into_iter().collect();
        difference_text([&diff.before, &after], &bodies, &self.load)
    }
}

/// Returns the arguments of a tool, or what is wrong with them.
fn parsed<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, Failure> {
    let parsed = serde_json::from_value(arguments.into());
    parsed.map_err(|error| format!("the arguments are not right: {error}").into())
}

/// Returns a text, or a list of numbers as `1,2,3,4`.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(words).collect::<Vec<String>>().join(","),
        other => other.to_string(),
    }
}

/// Makes `place` the only one of its role: the markers of a name, or a pixel [x, y], which becomes a marker.
fn take_place(
    options: &mut VerifyOptions,
    markers: &mut Vec<Marker>,
    place: &Value,
    role: MarkerRole,
) {
    let mut name = words(place);
    if let Ok([x, y]) = serde_json::from_value::<[i32; 2]>(place.clone()) {
        let min = IVec2::new(x, y);
        name = format!("({x}, {y})");
        let area = Aabb { min, max: min };
        let shape = MarkerShape::Point;
        markers.push(Marker { name: name.clone(), area, shape, ..Marker::default() });
    }
    options.markers.retain(|spec| {
        let is_same = spec.role == role;
        !is_same && !(role == MarkerRole::Goal && spec.role == MarkerRole::Pickup)
    });
    options.markers.push(MarkerSpec::new(name, role));
}

/// Returns what is known of an area of a level, a line for each fact.
fn facts(loaded: &LoadedLevel, area: Aabb, bytes: &[u8], path: &Path) -> Vec<String> {
    let level = &loaded.level;
    let cells = |point: IVec2| level.cell_at(point);
    let mut place = cells(area.min);
    let mut is_solid = level.is_solid(area.min);
    let inside = area.intersection(Aabb { min: IVec2::ZERO, max: level.size().as_ivec2() });
    let mut lines = Vec::new();
    if !inside.is_empty() {
        let columns = cells(inside.min).x as u32..cells(inside.max - 1).x as u32 + 1;
        let rows = cells(inside.min).y as u32..cells(inside.max - 1).y as u32 + 1;
        let all = columns.len() as u64 * rows.len() as u64;
        let grid = level.grid();
        let count = grid.solid_count_in(columns.clone(), rows.clone());
        is_solid = count > 0;
        if let Some(first) = grid.first_solid(Dir::Down, columns, rows) {
            place = first.as_ivec2();
        }
        if count > 0 && count < all {
            lines.push(format!("{count} of {all} pixels are solid; of the first of them:"));
        }
    }
    let word = if is_solid { "solid" } else { "passable" };
    lines.push(format!("{word}: {}", obstacle_text(loaded, place)));
    if let Source::Mask(mask) = &loaded.source
        && let Ok(picture) = decode_picture(path, bytes)
        && let Some(pixel) = picture.get_pixel_checked(place.x as u32, place.y as u32)
    {
        let [r, g, b, a] = pixel.0;
        let rule = &mask.rule;
        lines.push(format!("its colour is #{r:02x}{g:02x}{b:02x}, opacity {a}; solid are: {rule}"));
    }
    lines.extend(tiles_at(loaded, area.min));
    for (side, from) in [
        (Dir::Up, "above"),
        (Dir::Down, "below"),
        (Dir::Left, "the left"),
        (Dir::Right, "the right"),
    ] {
        let at = place.as_uvec2();
        if level.one_way(side).is_some_and(|guarded| guarded.is_solid(at.x, at.y)) {
            lines.push(format!("one-way: it stops what comes from {from}"));
        }
    }
    let at = level.cell_box(place).min;
    for named in level.areas() {
        let cell = named.terrain.cell_at(at).as_uvec2();
        if named.terrain.grid().is_solid(cell.x, cell.y) {
            lines.push(format!("in the area `{}`", printable(&named.name)));
        }
    }
    let here = |marker: &&Marker| area.contains(marker.position()) || marker.area.overlaps(area);
    lines.extend(
        level.markers().iter().filter(here).map(|it| format!("marker {}", marker_text(it))),
    );
    lines
}

/// Returns the tiles of orthogonal maps at a pixel, a line for each layer that is not moved.
fn tiles_at(loaded: &LoadedLevel, at: IVec2) -> Vec<String> {
    let mut lines = Vec::new();
    for placed in &loaded.maps {
        let map = &placed.map;
        if map.orientation != Orientation::Orthogonal {
            continue;
        }
        let cell = at.saturating_sub(placed.place).div_euclid(map.tile_size.as_ivec2());
        for context in map.walk().filter(|it| it.offset == Point::default()) {
            let LayerContent::Tiles(tiles) = &context.layer.content else {
                continue;
            };
            let tile = tiles.gid(cell).and_then(|gid| map.tile(gid));
            if let Some((tile, set)) = tile.and_then(|it| Some((it, map.tilesets.get(it.tileset)?)))
            {
                let [layer, set] = [&context.path, &set.name].map(|name| printable(name));
                lines
                    .push(format!("layer `{layer}` has tile {} of tileset `{set}` there", tile.id));
            }
        }
    }
    lines
}

/// Returns the lines of a text after the first `skip`, as many as an answer may have. The last line says how
/// many are left out, and how to get them.
fn clipped(text: &str, skip: usize) -> String {
    let count = text.lines().count();
    let mut clipped = String::new();
    let mut left = MOST_LETTERS;
    for (number, line) in text.lines().enumerate().skip(skip) {
        let length = line.chars().count();
        let mut shown: String = line.chars().take(MOST_IN_LINE).collect();
        if length > MOST_IN_LINE {
            shown += &format!(" [and {} more characters]", length - MOST_IN_LINE);
        }
        let length = shown.chars().count() + 1;
        if length > left {
            let rest = counted((count - number) as u64, "line");
            clipped +=
                &format!("[{rest} left out: the same call with \"skip\": {number} has them]\n");
            break;
        }
        left -= length;
        clipped += &shown;
        clipped.push('\n');
    }
    if skip > 0 && skip >= count {
        clipped = format!("[no more: the answer has {}]\n", counted(count as u64, "line"));
    }
    clipped
}
