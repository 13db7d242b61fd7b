//! Pictures of findings: `--annotate` draws each level with its numbered findings, and writes a Tiled map
//! with their places; `--format html` has a picture of each place.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::commands::Failure;
use crate::commands::output::{make_folder, write_bytes, write_picture};
use crate::commands::projects::crops::{Mark, Scene, picture};
use crate::lint::cells::{Cells, place_words};
use crate::lint::output::html;
use crate::lint::{
    Checked, FileKind, Finding, Need, Reported, VerifyOptions, art_beside, trace_map,
};
use bitwall::convert::Survey;
use bitwall::error::Place;
use bitwall::glam::{IVec2, UVec2};
use bitwall::image::Rgba;
use bitwall::load::{Disk, load_picture};
use bitwall::render::{Canvas, Overlay};
use bitwall::text::{counted, printable_path};
use bitwall::{Aabb, LoadOptions, LoadedLevel};

/// The width and height, in pixels, of the largest picture of a level with its findings.
const ROOM: UVec2 = UVec2::new(1600, 1200);

/// The width and height, in pixels, of the largest picture of one finding.
const CROP: UVec2 = UVec2::new(640, 400);

/// The largest factor by which a picture of a level is enlarged. Beyond it, the thick lines around findings
/// would hide the cells inside them.
const MAX_SCALE: u32 = 8;

/// The largest number of findings with a picture in a page.
const MOST_IN_PAGE: usize = 60;

/// The colours of errors, warnings and notes, distinct for people with red-green blindness.
const COLORS: [Rgba<u8>; 3] =
    [Rgba([213, 94, 0, 255]), Rgba([240, 228, 66, 255]), Rgba([86, 180, 233, 255])];

pub(super) type Files<'f> = [(&'f PathBuf, VerifyOptions)];

/// For each file: its path in the repository, and its findings, each with its index in the report.
type ByFile<'c> = BTreeMap<&'c Path, (&'c Path, Vec<(usize, &'c Finding)>)>;

/// Creates `folder`, and writes three files for each level that has a finding with a place: a picture of the
/// part with findings, a Tiled map with their places and paths, and a picture of the level behind them.
///
/// Returns a line for each file, and a line with the number of levels that were not drawn.
pub(super) fn annotate(
    checked: &Checked,
    files: &Files<'_>,
    folder: &Path,
) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    let mut without = 0;
    for (path, (in_repository, findings)) in by_file(checked.findings.iter().enumerate()) {
        let Some((loaded, options)) = load(path, files) else {
            without += 1;
            continue;
        };
        let places: Vec<_> = findings.iter().map(|(_, it)| places(&loaded, it)).collect();
        let Some(hull) = places.iter().flatten().copied().reduce(Aabb::hull) else {
            without += 1;
            continue;
        };
        if !folder.is_dir() {
            // The `.gitignore` hides the new folder from git and from the next `bitwall verify .`.
            make_folder(folder)?;
            write_bytes(&folder.join(".gitignore"), b"*\n")?;
        }
        let mut marks = Vec::new();
        for ((number, (_, finding)), places) in (1..).zip(&findings).zip(&places) {
            let place = places.first().map(|first| words(&loaded, *first)).unwrap_or_default();
            let title = format!("{} {place}", finding.rule.code);
            marks.push(mark(finding, places, Some((number, title))));
        }
        let scene = scene(path, &loaded, options, &findings);
        let area = scene.around(hull, ROOM);
        let size = area.intersection(scene.whole()).size();
        let room = size.saturating_mul(UVec2::splat(MAX_SCALE)).min(ROOM);
        match scene.crop(area, room, &marks) {
            Ok(picture) => {
                let drawn = target(folder, in_repository, ENDING);
                write_picture(&drawn, &picture)?;
                let count = counted(findings.len() as u64, "finding");
                lines.push(format!("{}: {count}", printable_path(&drawn)));
            }
            Err(error) => lines.push(format!("{}: not drawn: {error}", printable_path(path))),
        }
        let level = target(folder, in_repository, &format!("-level{ENDING}"));
        // Tiled shows the objects of a slanted map elsewhere. XML has no control characters.
        let name = level.file_name().and_then(|name| name.to_str());
        let name = name.filter(|name| !scene.is_slanted() && !name.contains(char::is_control));
        let behind = scene.canvas(None, Overlay::new(1)).and_then(Canvas::finish).ok();
        let name = name.filter(|_| behind.is_some());
        if let Some(map) = trace_map(&loaded, findings.iter().map(|(_, it)| *it), name) {
            if let Some(image) = behind.filter(|_| name.is_some()) {
                write_picture(&level, &image)?;
            }
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

/// Returns the page of `--format html`.
pub(super) fn page(checked: &Checked, files: &Files<'_>) -> String {
    let mut placed = checked.findings.iter().enumerate().filter(|(_, reported)| {
        let Finding { place, area, trace, .. } = &reported.finding;
        let is_in_level = place.cell.is_some() || place.pixel.is_some() || place.object.is_some();
        is_in_level || area.is_some() || !trace.is_empty()
    });
    let chosen = by_file(placed.by_ref().take(MOST_IN_PAGE));
    let mut drawn = BTreeMap::new();
    for (path, (_, findings)) in chosen {
        let Some((loaded, options)) = load(path, files) else {
            continue;
        };
        let scene = scene(path, &loaded, options, &findings);
        for (index, finding) in findings {
            let places = places(&loaded, finding);
            let Some(first) = places.first() else {
                continue;
            };
            let all = places.iter().copied().fold(*first, Aabb::hull);
            let shown = if all.size().cmple(CROP).all() { all } else { *first };
            let marks = [mark(finding, &places, None)];
            if let Ok(image) = scene.crop(scene.around(shown, CROP), CROP, &marks) {
                drawn.insert(index, picture(image, words(&loaded, *first)));
            }
        }
    }
    html(checked, &drawn, placed.count())
}

fn by_file<'c>(findings: impl Iterator<Item = (usize, &'c Reported)>) -> ByFile<'c> {
    let mut by_file = ByFile::new();
    for (index, Reported { finding, path, .. }) in findings {
        let entry = by_file.entry(&finding.path).or_insert((path, Vec::new()));
        entry.1.push((index, finding));
    }
    by_file
}

/// Loads the level of a checked file. `None` if the file is not a level.
fn load<'f>(path: &Path, files: &'f Files<'_>) -> Option<(LoadedLevel, &'f VerifyOptions)> {
    let (_, options) = files.iter().find(|(file, _)| *file == path)?;
    let load = LoadOptions { allow_nothing_solid: true, lenient: true, ..options.load.clone() };
    Some((LoadedLevel::load(path, &load).ok()?, options))
}

/// Loads the pictures of a level. A mask lies over its art, or over itself if a finding is about its pixels.
fn scene<'l>(
    path: &Path,
    loaded: &'l LoadedLevel,
    options: &VerifyOptions,
    findings: &[(usize, &Finding)],
) -> Scene<'l> {
    let mut rules = findings.iter().map(|(_, finding)| finding.rule);
    let is_of_pixels =
        rules.any(|rule| rule.applies_to == FileKind::Mask && !rule.needs.contains(&Need::Art));
    let art = options.art.clone().or_else(|| art_beside(path)).filter(|_| !is_of_pixels);
    let art = loaded.maps.is_empty().then(|| load_picture(art.as_deref().unwrap_or(path)).ok());
    Scene::new(loaded, &mut Disk::new(path, loaded.options()), art.flatten())
}

fn mark<'f>(finding: &'f Finding, places: &'f [Aabb], title: Option<(u32, String)>) -> Mark<'f> {
    Mark { places, trace: &finding.trace, color: COLORS[finding.severity as usize], title }
}

/// Names a box of the level, as Tiled and a paint program show it.
fn words(loaded: &LoadedLevel, area: Aabb) -> String {
    place_words(Cells::of(loaded), area.translated(loaded.level.origin()))
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

/// Returns the boxes of the faults of a finding in level pixels, as far as they are known.
fn places(loaded: &LoadedLevel, finding: &Finding) -> Vec<Aabb> {
    let start = finding.trace.first().map(|start| box_at(*start, UVec2::ONE));
    let first = (finding.place.clone(), finding.area.or(start));
    let others = finding.group.iter().flat_map(|group| &group.others);
    let all: Vec<&(Place, Option<Aabb>)> = [&first].into_iter().chain(others).collect();
    // Only the place of an object needs the survey, which looks at each tile of the map.
    let has_object = all.iter().any(|(place, area)| area.is_none() && place.object.is_some());
    let survey = if has_object { loaded.survey() } else { None };
    all.iter()
        .filter_map(|(place, area)| area.or_else(|| area_of(loaded, survey.as_ref(), place)))
        .collect()
}

/// Returns the box of a place in level pixels; `None` if it has no position. Uses the first of these that is
/// known: pixel, object, cell. `survey` has the objects of a map.
fn area_of(loaded: &LoadedLevel, survey: Option<&Survey<'_>>, place: &Place) -> Option<Aabb> {
    let level = &loaded.level;
    if let Some((x, y)) = place.pixel {
        return Some(box_at(IVec2::new(x as i32, y as i32), UVec2::ONE));
    }
    if let Some((id, survey)) = place.object.zip(survey) {
        let mut objects = survey.layers.iter().flat_map(|layer| &layer.objects);
        let area = objects.find(|it| it.object.id == id)?.bounds.translated(-level.origin());
        return Some(box_at(area.min, area.size().max(UVec2::ONE)));
    }
    let cell = IVec2::from(place.cell?);
    Some(Cells::of(loaded)?.cell_box(cell).translated(-level.origin()))
}

fn box_at(corner: IVec2, size: UVec2) -> Aabb {
    Aabb::from_xywh(corner.x, corner.y, size.x as i32, size.y as i32)
}
