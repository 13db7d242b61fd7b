//! Masks that do not fit their art: shifted, stale, inverted, of another level.
//!
//! The thresholds of the rules were chosen with the pairs of one seed. The pairs of another seed and of maps
//! of real games were not used for that. `cargo test -p bitwall-cli --test lint -- pairs --nocapture` prints
//! the tables.

use std::collections::BTreeMap;
use std::path::Path;

use bitwall::image::RgbaImage;
use bitwall::{LoadOptions, LoadedLevel};
use bitwall_cli::lint::verify_file;
use fastrand::Rng;

use super::drawn::{Cells, KINDS, Style, art, mask};
use super::faults::png;
use super::{Row, codes, print, without_hairlines};
use crate::shared::shared;

/// A mask, its art, and a mask of another level with the same size.
struct Pair {
    name: String,
    cells: Cells,
    art: RgbaImage,
    other: Cells,
}

/// Returns the codes of the findings for a mask with its art. Writes both files into `folder`.
fn codes_of_pair(folder: &Path, mask: &Cells, art: &RgbaImage) -> Vec<&'static str> {
    mask.image().save(folder.join("x_mask.png")).unwrap();
    art.save(folder.join("x.png")).unwrap();
    let report = verify_file(folder.join("x_mask.png"), &without_hairlines());
    let mut codes: Vec<&str> = report.findings.iter().map(|finding| finding.rule.code).collect();
    codes.dedup();
    codes
}

/// Returns the mask with one wall removed and one added, both large enough for a player to notice.
fn stale(cells: &Cells, rng: &mut Rng) -> Cells {
    let mut changed = cells.clone();
    for solid in [true, false] {
        let size = [rng.i32(14..30), rng.i32(12..22)];
        let place = (0..3_000).find_map(|_| {
            let x = rng.i32(12..cells.width as i32 - 42);
            let y = rng.i32(12..cells.height as i32 - 34);
            let mut inside = (y..y + size[1]).flat_map(|y| (x..x + size[0]).map(move |x| (x, y)));
            inside.all(|(x, y)| cells.is_solid(x, y) != solid).then_some([x, y])
        });
        if let Some([x, y]) = place {
            changed.fill([x, y, size[0], size[1]], solid);
        }
    }
    changed
}

/// The codes of the findings for a mask and its art, each once.
type Codes = Vec<&'static str>;

/// Plants each kind of fault in each pair, and counts the results by kind.
fn table(pairs: impl Iterator<Item = Pair>, rng: &mut Rng) -> BTreeMap<&'static str, Row> {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = BTreeMap::<&'static str, Row>::new();
    let mut add = |kind: &'static str, code: &'static str, found: &Codes, name: &str| {
        let row = rows.entry(kind).or_default();
        row.code = code;
        row.planted += 1;
        let is_found = found.contains(&code) || code.is_empty() && found.is_empty();
        row.found += u32::from(is_found);
        let others: Vec<_> = found.iter().filter(|other| **other != code).collect();
        row.others += u32::from(!others.is_empty());
        row.names.extend(others.iter().map(|other| format!("{name}:{other}")));
    };
    for (number, Pair { name, cells, art, other }) in pairs.enumerate() {
        let mut by = || rng.i32(1..=8) * [-1, 1][rng.u32(0..2) as usize];
        let (dx, dy) = match number % 3 {
            0 => (by(), 0),
            1 => (0, by()),
            _ => (by(), by()),
        };
        let clear = art.pixels().filter(|pixel| pixel.0[3] == 0).count() * 20;
        let is_clear = clear >= (cells.width * cells.height) as usize;
        let inverted = if is_clear { "inverted, clear art" } else { "inverted, opaque art" };
        let cases: [(&'static str, &'static str, &Cells); 5] = [
            ("clean", "", &cells),
            ("shifted", "MSK205", &cells.shifted(dx, dy)),
            ("stale", "MSK206", &stale(&cells, rng)),
            (inverted, "MSK206", &cells.inverted()),
            ("another level's", "MSK206", &other),
        ];
        for (kind, code, mask) in cases {
            add(kind, code, &codes_of_pair(folder.path(), mask, &art), &name);
        }
    }
    rows
}

/// Returns a drawn mask without findings. Draws again until no rule finds a speck, which the waves sometimes
/// leave.
fn clean(kind: usize, rng: &mut Rng) -> Cells {
    let codes = |cells: &Cells| codes("x.png", &png(cells.image()), &without_hairlines());
    std::iter::repeat_with(|| mask(kind, rng)).find(|cells| codes(cells).is_empty()).unwrap()
}

/// Yields pairs drawn by a program.
fn drawn(count: usize, seed: u64) -> impl Iterator<Item = Pair> {
    let mut rng = Rng::with_seed(seed);
    (0..count).map(move |number| {
        let cells = clean(number, &mut rng);
        let style = Style::of(number / KINDS.len() * 7 + number);
        let art = art(&cells, style, &mut rng);
        let other = clean(number + 1, &mut rng).sized(cells.width, cells.height);
        let name = format!("{} {}", KINDS[number % KINDS.len()], number);
        Pair { name, cells, art, other }
    })
}

/// The kinds of masks, in the order of the numbers in [`check`].
const OF_MASKS: [&str; 6] =
    ["clean", "shifted", "stale", "inverted, clear art", "inverted, opaque art", "another level's"];

/// Prints and checks the table for these pairs. `wanted` has two numbers for each kind in [`OF_MASKS`]: the
/// smallest number of found masks, and the number of all.
fn check(
    title: &str,
    pairs: impl Iterator<Item = Pair>,
    seed: u64,
    wanted: [(u32, u32); 6],
) -> BTreeMap<&'static str, Row> {
    let rows = table(pairs, &mut Rng::with_seed(seed));
    print(title, &rows);
    for (kind, (least, all)) in OF_MASKS.into_iter().zip(wanted) {
        let Row { found, planted, .. } = rows[kind];
        assert!(found >= least && planted == all, "{kind}: {found} of {planted}");
    }
    // The docs of the rule state that these are not found.
    assert_eq!(rows["inverted, opaque art"].found, 0);
    rows
}

/// The number of drawn pairs. They give 150 masks that are shifted, stale or inverted.
const COUNT: usize = 50;

#[test]
fn faults_are_found_in_the_drawn_pairs_that_set_the_thresholds() {
    let wanted = [(50, 50), (49, 50), (50, 50), (10, 12), (0, 38), (25, 50)];
    let rows = check("pairs, seed of the thresholds", drawn(COUNT, 14), 14, wanted);
    assert!(rows.values().all(|row| row.others == 0));
}

#[test]
fn faults_are_found_in_drawn_pairs_of_another_seed() {
    let wanted = [(50, 50), (47, 50), (49, 50), (11, 12), (0, 38), (19, 50)];
    let rows = check("pairs, another seed", drawn(COUNT, 2_611), 2_611, wanted);
    assert!(rows.values().all(|row| row.others == 0));
}

/// Yields maps of real games with the pictures that Tiled drew of them.
///
/// The pictures show tiles, so the mask of a map fits exactly. Skips small maps, very large maps, and maps
/// that are nearly all solid or passable.
fn real(corpus: &Path) -> impl Iterator<Item = Pair> {
    let names = std::fs::read_to_string(corpus.join("FILES.txt")).unwrap();
    // A guess at the solids may not fit what the picture shows.
    let mut options = LoadOptions::default();
    options.solid_rules.last_resorts.clear();
    let mut known = std::collections::HashSet::new();
    let mut pairs: Vec<(String, Cells, RgbaImage)> = Vec::new();
    for name in names.lines() {
        // Skips two projects: one draws its collision layer in the pictures, the other was made by a script.
        let is_game = !name.contains("tmwa-client-data") && !name.starts_with("synthetic-gaps");
        let picture = corpus.join("reference").join(format!("{name}.png"));
        let is_map = picture.exists() && is_game;
        let loaded = is_map.then(|| LoadedLevel::load(corpus.join(name), &options).ok()).flatten();
        let Some(LoadedLevel { level, .. }) = loaded else {
            continue;
        };
        let (grid, cell) = (level.grid(), level.terrain().cell_size());
        let size = grid.size() * cell;
        let art = bitwall::image::open(picture).unwrap().into_rgba8();
        let share = grid.solid_count() * 100 / grid.cell_count().max(1);
        let is_fit =
            size.x > 54 && size.y > 46 && (4..96).contains(&share) && size.max_element() <= 2_000;
        if is_fit && art.dimensions() == (size.x, size.y) && known.insert(art.to_vec()) {
            let is_solid = |x: u32, y: u32| grid.is_solid(x / cell.x, y / cell.y);
            pairs.push((name.to_owned(), Cells::new(size.x, size.y, is_solid), art));
        }
    }
    let others: Vec<Cells> =
        pairs.iter().map(|(_, cells, _)| cells.clone()).cycle().skip(1).take(pairs.len()).collect();
    pairs.into_iter().zip(others).map(|((name, cells, art), other)| {
        let other = other.sized(cells.width, cells.height);
        Pair { name, cells, art, other }
    })
}

#[test]
fn faults_are_found_in_pairs_made_from_real_games() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let wanted = [(27, 27), (16, 27), (7, 27), (5, 12), (0, 15), (11, 27)];
    let rows = check("pairs, real games", real(&corpus), 7, wanted);
    assert!(rows.values().all(|row| row.others == 0));
}
