//! Damages that masks get on their way through programs and hands: eleven kinds, in two strengths, in eleven
//! masks. Each is named by a finding. A repair gives back the mask, or is refused with the reason.
//!
//! `cargo test -p bitwall-cli --test lint -- damages --nocapture` prints the table.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bitwall::glam::UVec2;
use bitwall::image::{DynamicImage, GrayImage, Luma, RgbaImage, imageops};
use bitwall::load::picture_size;
use bitwall::{Aabb, LoadOptions, LoadedLevel};
use bitwall_cli::lint::fix::fix_mask;
use bitwall_cli::lint::{
    BodySpec, Finding, RuleLevel, SolidShare, VerifyOptions, verify_bytes, verify_bytes_with,
};
use fastrand::Rng;

use super::drawn::{Cells, Style, art, mask};
use super::faults::{jpeg, png};
use crate::HOME;
use crate::shared::shared;

/// A clean mask.
struct Base {
    name: String,
    cells: Cells,
}

/// A damaged mask.
struct Damage {
    kind: &'static str,
    bytes: Vec<u8>,
    /// The places of the planted lines.
    places: Vec<Aabb>,
    /// True if a repair gives back the clean mask. Soft edges have moved the walls already.
    is_exact: bool,
}

fn read(path: &Path) -> Cells {
    let loaded = LoadedLevel::load(path, &LoadOptions::default()).unwrap();
    of_level(&loaded)
}

fn of_level(loaded: &LoadedLevel) -> Cells {
    let grid = loaded.level.grid();
    Cells::new(grid.width(), grid.height(), |x, y| grid.is_solid(x, y))
}

/// Returns two masks of this project, and nine that a program draws.
fn bases(rng: &mut Rng) -> Vec<Base> {
    let assets = Path::new(HOME).join("../assets");
    let mut bases = Vec::new();
    for name in ["harbor_mask.png", "island_mask.png"] {
        let cells = read(&assets.join(name)).sized(300, 200);
        bases.push(Base { name: name.to_owned(), cells });
    }
    for number in 0.. {
        let cells = mask(number, rng).sized(rng.u32(180..240), rng.u32(130..170));
        let is_clean = verified(&png(cells.image()), None, None).is_empty();
        if is_clean {
            bases.push(Base { name: format!("drawn {number}"), cells });
        }
        if bases.len() == 11 {
            break;
        }
    }
    bases
}

fn verified(bytes: &[u8], art: Option<&RgbaImage>, base: Option<SolidShare>) -> Vec<Finding> {
    let options = VerifyOptions { base, ..VerifyOptions::default() };
    let files: BTreeMap<String, Vec<u8>> =
        art.map(|art| ("x.png".to_owned(), png(art.clone()))).into_iter().collect();
    verify_bytes_with("x_mask.png", bytes, &files, &options).findings
}

/// Returns a line of pixels of the kind `solid` across pixels of the other kind, `width` pixels wide. It runs
/// along a row or a column from edge to edge, and eight pixels of the other kind lie on both sides of its
/// middle and its quarters.
fn line(cells: &Cells, solid: bool, width: i32, rng: &mut Rng) -> Option<Aabb> {
    (0..4_000).find_map(|_| {
        let (x, y) = (rng.i32(9..cells.width as i32 - 9), rng.i32(9..cells.height as i32 - 9));
        let is_row = rng.bool();
        let is_other = |by: i32, side: i32| {
            let (dx, dy) = if is_row { (by, side) } else { (side, by) };
            cells.is_solid(x + dx, y + dy) != solid
        };
        // Beyond the edge of the picture, the last pixels go on.
        let before = (0..400).find(|by| !is_other(-by, 0))?;
        let after = (0..400).find(|by| !is_other(*by, 0))?;
        let length = before + after - 1;
        let mut quarters = [1, 2, 3].map(|part| length * part / 4 - before + 1).into_iter();
        let has_sides = quarters.all(|at| (-8..8 + width).all(|side| is_other(at, side)));
        let is_long = (8..=300).contains(&length);
        (before > 0 && has_sides && is_long).then(|| match is_row {
            true => Aabb::from_xywh(x - before + 1, y, length, width),
            false => Aabb::from_xywh(x, y - before + 1, width, length),
        })
    })
}

fn with_lines(cells: &Cells, solid: bool, width: i32, count: u32, rng: &mut Rng) -> Damage {
    let mut damaged = cells.clone();
    let mut places = Vec::new();
    for _ in 0..count {
        let Some(area) = line(&damaged, solid, width, rng) else { continue };
        let size = area.size().as_ivec2();
        damaged.fill([area.min.x, area.min.y, size.x, size.y], solid);
        places.push(area);
    }
    let kind = if solid { "walls of one pixel" } else { "hairlines" };
    Damage { kind, bytes: png(damaged.image()), places, is_exact: true }
}

fn with_specks(cells: &Cells, count: u32, rng: &mut Rng) -> Cells {
    let mut damaged = cells.clone();
    for _ in 0..count {
        let place = (0..3_000).find_map(|_| {
            let (x, y) = (rng.i32(5..cells.width as i32 - 5), rng.i32(5..cells.height as i32 - 5));
            damaged.is_even(x, y, 4).then_some([x, y])
        });
        let [x, y] = place.unwrap();
        damaged.fill([x, y, rng.i32(1..3), rng.i32(1..3)], !damaged.is_solid(x, y));
    }
    damaged
}

/// Returns the mask with pixels of the other kind all over it, one of `one_in`.
fn noisy(cells: &Cells, one_in: u32, rng: &mut Rng) -> Cells {
    let mut damaged = cells.clone();
    for (x, y) in pixels(cells) {
        if rng.u32(0..one_in) == 0 {
            damaged.set(x, y, !cells.is_solid(x, y));
        }
    }
    damaged
}

fn pixels(cells: &Cells) -> impl Iterator<Item = (i32, i32)> + use<> {
    let (width, height) = (cells.width as i32, cells.height as i32);
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

/// Returns the mask with noise in its grays.
fn grainy(cells: &Cells, range: i32, rng: &mut Rng) -> GrayImage {
    let mut image = cells.image();
    for pixel in image.pixels_mut() {
        let light = i32::from(pixel.0[0]) + rng.i32(-range..=range);
        *pixel = Luma([light.clamp(0, 255) as u8]);
    }
    image
}

fn faint(cells: &Cells, alpha: u8) -> RgbaImage {
    let mut image = DynamicImage::from(cells.image()).into_rgba8();
    image.pixels_mut().for_each(|pixel| pixel.0[3] = alpha);
    image
}

/// Returns a mask with each damage, in both strengths.
fn damages(cells: &Cells, rng: &mut Rng) -> Vec<Damage> {
    let clean = cells.image();
    let (w, h) = clean.dimensions();
    let mut all = Vec::new();
    for is_strong in [false, true] {
        let mut add = |kind: &'static str, bytes: Vec<u8>, is_exact: bool| {
            all.push(Damage { kind, bytes, places: Vec::new(), is_exact });
        };
        let noise = match is_strong {
            false => png(noisy(cells, 100, rng).image()),
            true => png(grainy(cells, 60, rng)),
        };
        add("noise", noise, true);
        let blur = if is_strong { 2.0 } else { 0.8 };
        add("blur", png(imageops::blur(&clean, blur)), false);
        add("JPEG", png(jpeg(&clean, if is_strong { 60 } else { 90 })), true);
        let specks = with_specks(cells, if is_strong { 9 } else { 2 }, rng);
        add("specks", png(specks.image()), true);
        let scale = |side: u32| if is_strong { side * 3 / 2 } else { side * 3 / 4 };
        let nearest = imageops::FilterType::Nearest;
        add("scaled", png(imageops::resize(&clean, scale(w), scale(h), nearest)), true);
        let by = if is_strong { (-7, 5) } else { (2, 0) };
        add("shifted", png(cells.shifted(by.0, by.1).image()), true);
        let mut inverted = cells.inverted();
        if is_strong {
            // A part was drawn after the exchange.
            inverted.fill([3, 3, 8, 8], true);
        }
        add("inverted", png(inverted.image()), true);
        add("opacity", png(faint(cells, if is_strong { 128 } else { 204 })), true);
        let (cut, top) = if is_strong { (w / 4, h / 5) } else { (3, 0) };
        add(
            "cropped",
            png(imageops::crop_imm(&clean, cut, top, w - cut, h - top).to_image()),
            true,
        );
        all.push(with_lines(cells, false, if is_strong { 2 } else { 1 }, 1, rng));
        all.push(with_lines(cells, true, 1, if is_strong { 3 } else { 1 }, rng));
    }
    all
}

/// True if a finding names the damage by its rule or in its words.
fn is_named(damage: &Damage, findings: &[Finding]) -> bool {
    let has = |code: &str, word: &str| {
        findings.iter().any(|finding| {
            let notes = finding.notes.join("; ");
            let text = format!("{}; {notes}; {}", finding.headline, finding.help);
            finding.rule.code == code && text.contains(word)
        })
    };
    let has_line = |code: &str| {
        let mut found = findings.iter().filter(|finding| finding.rule.code == code);
        found.any(|it| damage.places.iter().any(|place| it.area.unwrap().overlaps(*place)))
    };
    match damage.kind {
        "noise" => has("MSK210", "noise") || has("MSK202", "noise"),
        "blur" => has("MSK202", "the edges are soft"),
        "JPEG" => has("MSK202", "noise, as of lossy"),
        "specks" => has("MSK210", ""),
        "scaled" => has("MSK204", "looks scaled"),
        "shifted" => has("MSK205", ""),
        "inverted" => has("LVL310", "inverted"),
        "opacity" => has("MSK202", "100% opacity"),
        "cropped" => has("MSK204", "looks cropped"),
        "hairlines" => has_line("MSK217"),
        "walls of one pixel" => has_line("MSK218"),
        kind => panic!("{kind}"),
    }
}

#[derive(Default, Debug)]
struct Counts {
    planted: u32,
    named: u32,
    exact: u32,
    refused: u32,
    /// Repaired otherwise.
    others: u32,
    missed: Vec<String>,
}

#[test]
fn damages_of_masks_are_named_and_repaired_exactly_or_not_at_all() {
    let mut rng = Rng::with_seed(56);
    let mut table = BTreeMap::<&'static str, Counts>::new();
    for (number, Base { name, cells }) in bases(&mut rng).into_iter().enumerate() {
        let art = art(&cells, Style::of(number * 2 % 16), &mut rng);
        let clean = png(cells.image());
        let solid = pixels(&cells).filter(|(x, y)| cells.is_solid(*x, *y)).count() as u64;
        let share = SolidShare::new(solid, u64::from(cells.width * cells.height));
        let found = verified(&clean, Some(&art), Some(share));
        assert!(found.is_empty(), "{name} is clean: {}", found[0].headline);
        for damage in damages(&cells, &mut rng) {
            let row = table.entry(damage.kind).or_default();
            row.planted += 1;
            let has_art = ["scaled", "shifted", "cropped"].contains(&damage.kind);
            let art = Some(&art).filter(|_| has_art);
            let findings = verified(&damage.bytes, art, Some(share));
            if is_named(&damage, &findings) {
                row.named += 1;
            } else {
                row.missed.push(name.clone());
            }
            if ["scaled", "shifted", "inverted", "cropped"].contains(&damage.kind) {
                continue;
            }
            match fix_mask("x_mask.png", &damage.bytes, &VerifyOptions::default()) {
                Ok(None) => {}
                Ok(Some(fix)) => {
                    let level = |bytes: &[u8]| {
                        let options = LoadOptions::default();
                        of_level(&LoadedLevel::decode("x_mask.png", bytes, (), &options).unwrap())
                    };
                    let wanted = if damage.is_exact { &clean } else { &damage.bytes };
                    let is_exact = level(&fix.bytes) == level(wanted);
                    row.exact += u32::from(is_exact);
                    row.others += u32::from(!is_exact);
                }
                Err(reason) => {
                    assert!(!reason.is_empty());
                    row.refused += 1;
                }
            }
        }
    }
    println!("damage               planted named exact refused otherwise");
    let mut sums = [0; 3];
    for (kind, Counts { planted, named, exact, refused, others, missed }) in &table {
        println!(
            "{kind:<20} {planted:>7} {named:>5} {exact:>5} {refused:>7} {others:>9} {missed:?}"
        );
        sums = [sums[0] + planted, sums[1] + named, sums[2] + others];
    }
    let [planted, named, others] = sums;
    println!("{named} of {planted} named");
    assert!(planted >= 220 && named * 100 >= planted * 95, "{named} of {planted} named");
    assert_eq!(others, 0, "repairs that give another mask");
    assert!(table.values().all(|row| row.named * 10 >= row.planted * 8), "{table:?}");
    assert_eq!(table["JPEG"].exact, table["JPEG"].planted);
    assert_eq!(table["specks"].exact, table["specks"].planted);
}

/// Returns the masks in the shared folders that are neither too small for the rules nor so large that they
/// would take most of the time.
fn real_masks() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for (folder, table) in [("corpus", "MASKS.tsv"), ("fresh4", "CONVENTIONS.tsv")] {
        let Some(folder) = shared(folder) else { continue };
        let rows = fs::read_to_string(folder.join(table)).unwrap();
        let names = rows.lines().skip(1).filter_map(|row| row.split('\t').next());
        found.extend(names.filter(|name| name.ends_with(".png")).map(|name| folder.join(name)));
    }
    found.retain(|path| {
        let size = picture_size(path, &fs::read(path).unwrap()).unwrap();
        (4_096..160_000).contains(&(size.x * size.y))
    });
    found
}

/// Options with the rules for hairlines alone.
fn only_hairlines() -> VerifyOptions {
    let mut options = VerifyOptions::default();
    options.levels.set("all".parse().unwrap(), RuleLevel::Off);
    for rule in ["hairline-gap", "hairline-wall"] {
        options.levels.set(rule.parse().unwrap(), RuleLevel::On);
    }
    options
}

/// The masks are not in the repository, because others made them.
#[test]
fn masks_of_real_games_have_no_hairlines_but_those_that_are_planted() {
    let mut rng = Rng::with_seed(217);
    let options = only_hairlines();
    // By kind: the planted lines, and the found ones.
    let mut counts = [[0_u32; 2]; 2];
    for path in real_masks() {
        let bytes = fs::read(&path).unwrap();
        let found = verify_bytes(&path, &bytes, &options).findings;
        let headlines: Vec<String> = found.into_iter().map(|it| it.headline).collect();
        assert!(headlines.is_empty(), "{}: {headlines:?}", path.display());
        let Ok(loaded) = LoadedLevel::decode(&path, &bytes, (), &options.load) else { continue };
        let cells = of_level(&loaded);
        for (solid, count) in counts.iter_mut().zip([false, true]).map(|(row, solid)| (solid, row))
        {
            for number in 0..4 {
                let width = if solid { 1 } else { 1 + number % 2 };
                let damage = with_lines(&cells, solid, width, 1, &mut rng);
                if damage.places.is_empty() {
                    continue;
                }
                let found = verify_bytes("x.png", &damage.bytes, &options).findings;
                count[0] += 1;
                count[1] += u32::from(is_named(&damage, &found));
            }
        }
    }
    let [gaps, walls] = counts;
    println!("gaps: {} of {}; walls: {} of {}", gaps[1], gaps[0], walls[1], walls[0]);
    for [planted, found] in counts {
        assert!(found * 10 >= planted * 9, "{found} of {planted}");
    }
}

/// A gap through which a body fits is a way, and a way in which none fits is at stake for nobody.
#[test]
fn the_size_of_a_body_decides_which_hairlines_are_at_stake() {
    let rooms = |x: u32, y: u32| {
        let is_edge = x < 8 || y < 8 || x >= 88 || y >= 56;
        is_edge || (44..52).contains(&x)
    };
    let gap =
        Cells::new(96, 64, |x, y| rooms(x, y) && !((44..52).contains(&x) && (30..32).contains(&y)));
    let door = |y: u32| (30..42).contains(&y);
    let wall =
        Cells::new(96, 64, |x, y| rooms(x, y) && !((44..52).contains(&x) && door(y)) || x == 48);
    let found = |cells: &Cells, bodies: &[UVec2]| {
        let mut options = only_hairlines();
        options.bodies = bodies.iter().map(|size| BodySpec::new("hero", *size)).collect();
        let report = verify_bytes("x.png", &png(cells.image()), &options);
        report.findings.iter().map(|it| it.rule.name).collect::<Vec<&str>>()
    };
    for (bodies, is_gap, is_wall) in [
        (vec![], true, true),
        (vec![UVec2::new(6, 10)], true, true),
        (vec![UVec2::splat(2)], false, true),
        (vec![UVec2::splat(14)], true, false),
        (vec![UVec2::splat(40)], false, false),
        (vec![UVec2::splat(40), UVec2::new(6, 10)], true, true),
    ] {
        assert_eq!(found(&gap, &bodies).contains(&"hairline-gap"), is_gap, "{bodies:?}");
        assert_eq!(found(&wall, &bodies).contains(&"hairline-wall"), is_wall, "{bodies:?}");
    }
}
