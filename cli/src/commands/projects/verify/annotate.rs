//! `--annotate`: draws each level with its numbered findings, and writes a Tiled map with their places.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::commands::Failure;
use crate::commands::output::{make_folder, write_bytes, write_picture};
use crate::lint::{Checked, Finding, VerifyOptions, trace_map};
use bitwall::convert::Survey;
use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{Rgba, RgbaImage};
use bitwall::load::Disk;
use bitwall::render::{self, DrawOptions, Overlay, RenderError};
use bitwall::text::{counted, printable_path};
use bitwall::{Aabb, LoadOptions, LoadedLevel};

/// The width and height, in pixels, up to which the picture of a small level is enlarged, by a factor of at
/// most [`MAX_SCALE`].
const ROOM: UVec2 = UVec2::new(960, 720);

/// The largest factor by which a picture of a level is enlarged. Beyond it, the thick lines around findings
/// would hide the cells inside them.
const MAX_SCALE: u32 = 8;

/// The side, in pixels, of the square around the first finding that is drawn if the level is too large for
/// one picture.
const PART: i32 = 2048;

/// The colours of errors, warnings and notes, distinct for people with red-green blindness.
const COLORS: [Rgba<u8>; 3] =
    [Rgba([213, 94, 0, 255]), Rgba([240, 228, 66, 255]), Rgba([86, 180, 233, 255])];

/// Creates `folder`, and writes two files for each level that has a finding with a place: a picture, and a
/// Tiled map with the places and paths of the findings.
///
/// Returns a line for each file, and a line with the number of levels that were not drawn.
pub(super) fn annotate(
    checked: &Checked,
    files: &[(&PathBuf, VerifyOptions)],
    folder: &Path,
) -> Result<Vec<String>, Failure> {
    let mut by_file = BTreeMap::<&Path, (&Path, Vec<&Finding>)>::new();
    for reported in &checked.findings {
        let entry = by_file.entry(&reported.finding.path);
        entry.or_insert((&reported.path, Vec::new())).1.push(&reported.finding);
    }
    let mut lines = Vec::new();
    let mut without = 0;
    for (path, (in_repository, findings)) in by_file {
        let loaded = files.iter().find(|(file, _)| *file == path).and_then(|(_, options)| {
            let load =
                LoadOptions { allow_nothing_solid: true, lenient: true, ..options.load.clone() };
            LoadedLevel::load(path, &load).ok()
        });
        let drawn = loaded.as_ref().map(|loaded| draw(path, loaded, &findings)).transpose();
        let (picture, loaded) = match (drawn.map(Option::flatten), &loaded) {
            (Ok(Some(picture)), Some(loaded)) => (picture, loaded),
            (Ok(_), _) => {
                without += 1;
                continue;
            }
            (Err(error), _) => {
                lines.push(format!("{}: not drawn: {error}", printable_path(path)));
                continue;
            }
        };
        if !folder.is_dir() {
            // The `.gitignore` hides the new folder from git and from the next `bitwall verify .`.
            make_folder(folder)?;
            write_bytes(&folder.join(".gitignore"), b"*\n")?;
        }
        let drawn = target(folder, in_repository, ENDING);
        write_picture(&drawn, &picture)?;
        let count = counted(findings.len() as u64, "finding");
        lines.push(format!("{}: {count}", printable_path(&drawn)));
        if let Some(map) = trace_map(loaded, findings.iter().copied()) {
            let traced = target(folder, in_repository, "-findings.xml");
            write_bytes(&traced, map.as_bytes())?;
            lines.push(format!("{}: their places and paths, for Tiled", printable_path(&traced)));
        }
    }
    if without > 0 {
        let files = counted(without, "file");
        lines.push(format!("{files} not drawn: no level, or no finding with a place in it"));
    }
    Ok(lines)
}

/// The end of the file name of a picture of findings. The search for masks skips such pictures.
pub(super) const ENDING: &str = "-findings.png";

/// Returns the path of a written file, such as `DIR/maps/cave.tmx-findings.png` for `maps/cave.tmx`.
///
/// Drops path components that leave the folder. A written Tiled map ends in `.xml`: Tiled opens it, but
/// bitwall does not search for it.
pub(super) fn target(folder: &Path, path: &Path, ending: &str) -> PathBuf {
    let parts = path.components().filter(|part| matches!(part, Component::Normal(_)));
    let mut target = folder.join(parts.collect::<PathBuf>()).into_os_string();
    target.push(ending);
    target.into()
}

/// Draws the level with its findings. `None` if no finding has a position in the level.
fn draw(
    path: &Path,
    loaded: &LoadedLevel,
    findings: &[&Finding],
) -> Result<Option<RgbaImage>, RenderError> {
    let survey = loaded.survey();
    let areas = findings.iter().map(|finding| area_of(loaded, survey.as_ref(), finding));
    let places: Vec<Option<Aabb>> = areas.collect();
    let Some(first) = places.iter().flatten().next() else {
        return Ok(None);
    };
    let (pictures, _) = render::load_pictures(&loaded.maps, &mut Disk::new(path, loaded.options()));
    let options = DrawOptions { pictures: Some(&pictures), ..DrawOptions::default() };
    let scale = (ROOM / loaded.level.size()).min_element().clamp(1, MAX_SCALE);
    let mut canvas =
        match render::canvas(loaded, &DrawOptions { overlay: Overlay::new(scale), ..options }) {
            Err(RenderError::TooManyPixels { .. }) => {
                let corner = first.center().saturating_sub(IVec2::splat(PART / 2));
                let part = Aabb::from_xywh(corner.x.max(0), corner.y.max(0), PART, PART);
                render::canvas(loaded, &DrawOptions { region: Some(part), ..options })?
            }
            canvas => canvas?,
        };
    for ((number, finding), area) in (1..).zip(findings).zip(places) {
        let color = COLORS[finding.severity as usize];
        if let [.., before, last] = finding.trace[..] {
            canvas.line(&finding.trace, color);
            canvas.arrow(before, last, color);
        }
        let Some(area) = area.map(|area| seen(area, loaded.level.size())) else {
            continue;
        };
        canvas.outline(area, color);
        canvas.badge(area.center(), number, color);
        canvas.label(area, &format!("{} {}", finding.rule.code, finding.rule.name), color);
    }
    canvas.finish().map(Some)
}

/// Returns the box of a finding in level pixels; `None` if the finding has no position. Uses the first of
/// these that is known: area, start of the path, pixel, object, cell. `survey` has the objects of a map.
fn area_of(loaded: &LoadedLevel, survey: Option<&Survey<'_>>, finding: &Finding) -> Option<Aabb> {
    let level = &loaded.level;
    let place = &finding.place;
    if finding.area.is_some() {
        return finding.area;
    }
    let pixel = place.pixel.map(|(x, y)| IVec2::new(x as i32, y as i32));
    if let Some(point) = finding.trace.first().copied().or(pixel) {
        return Some(box_at(point, UVec2::ONE));
    }
    if let Some((id, survey)) = place.object.zip(survey) {
        let mut objects = survey.layers.iter().flat_map(|layer| &layer.objects);
        let area = objects.find(|it| it.object.id == id)?.bounds.translated(-level.origin());
        return Some(box_at(area.min, area.size().max(UVec2::ONE)));
    }
    let cell = IVec2::from(place.cell?);
    Some(match &loaded.maps[..] {
        // If the place of the finding names a layer, its cell is a tile of the map.
        [map] if place.layer.is_some() => {
            let size = map.map.tile_size;
            box_at(cell.saturating_mul(size.as_ivec2()).saturating_add(map.place), size)
        }
        _ => level.cell_box(cell.saturating_sub(level.first_cell())),
    })
}

/// Enlarges `area` so that it is visible in the picture: each side becomes at least a hundredth of the
/// level's longer side.
fn seen(area: Aabb, level: UVec2) -> Aabb {
    let least = (level.max_element() / 100).max(1);
    let size = UVec2::new(area.width(), area.height());
    let larger = size.max(UVec2::splat(least));
    let corner = area.min.saturating_sub(((larger - size) / 2).as_ivec2());
    box_at(corner, larger)
}

fn box_at(corner: IVec2, size: UVec2) -> Aabb {
    Aabb::from_xywh(corner.x, corner.y, size.x as i32, size.y as i32)
}
