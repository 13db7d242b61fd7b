//! Faults planted by program in clean masks, and in pairs of a mask and its art: which rule finds which.
//!
//! `cargo test --test verify -- planted_masks --nocapture` prints the tables.

mod drawn;
mod faults;

use std::collections::BTreeMap;
use std::path::Path;

use bitwall::image::RgbaImage;
use bitwall::verify::{VerifyOptions, verify_bytes, verify_file};
use fastrand::Rng;

use drawn::{Cells, KINDS, Style, art, mask};
use faults::{planted, png};

/// The codes of the findings on a file that is not on the disk, each once.
fn codes(name: &str, bytes: &[u8], options: &VerifyOptions) -> Vec<&'static str> {
    let report = verify_bytes(Path::new(name), bytes, options);
    let mut codes: Vec<&str> = report.findings.iter().map(|finding| finding.rule.code).collect();
    codes.dedup();
    codes
}

#[derive(Default)]
struct Row {
    code: &'static str,
    planted: u32,
    found: u32,
    others: u32,
    names: Vec<String>,
}

fn print(title: &str, rows: &BTreeMap<&'static str, Row>) -> [u32; 3] {
    println!("{title:<30} | rule   | planted | found | others");
    let mut sums = [0; 3];
    for (kind, row) in rows {
        let Row { code, planted, found, others, names } = row;
        println!(
            "{kind:<30} | {code:<6} | {planted:>7} | {found:>5} | {others:>6} {}",
            names.join(" ")
        );
        sums = [sums[0] + planted, sums[1] + found, sums[2] + others];
    }
    println!("{:<30} | {:<6} | {:>7} | {:>5} | {:>6}", "all", "", sums[0], sums[1], sums[2]);
    sums
}

#[test]
fn planted_faults_of_masks_are_found_by_their_rules() {
    let mut rng = Rng::with_seed(13);
    let options = VerifyOptions::default();
    let mut rows = BTreeMap::<&'static str, Row>::new();
    for number in 0..30 {
        let cells = mask(number, &mut rng);
        let clean = codes("clean_mask.png", &png(cells.image()), &options);
        assert!(clean.is_empty(), "{} {number}: {clean:?}", KINDS[number % KINDS.len()]);
        for fault in planted(&cells, &mut rng) {
            let found = codes(&format!("x.{}", fault.extension), &fault.bytes, &options);
            let row = rows.entry(fault.kind).or_default();
            row.code = fault.code;
            row.planted += 1;
            row.found += u32::from(found.contains(&fault.code));
            // Art may be dark or light throughout: it is blank by the threshold, too.
            let is_own =
                |code: &str| code == fault.code || code == "LVL305" && fault.code == "MSK213";
            let others: Vec<_> = found.iter().filter(|code| !is_own(code)).collect();
            row.others += u32::from(!others.is_empty());
            row.names
                .extend(others.into_iter().map(|code| format!("{}:{code}", KINDS[number % 5])));
        }
    }
    let [planted, found, others] = print("fault", &rows);
    assert!(found * 100 >= planted * 95, "{found} of {planted}");
    assert!(others * 100 <= planted, "{others} other findings");
}

/// A pair on the disk, checked with its art.
fn codes_of_pair(folder: &Path, mask: &Cells, art: &RgbaImage) -> Vec<&'static str> {
    mask.image().save(folder.join("x_mask.png")).unwrap();
    art.save(folder.join("x.png")).unwrap();
    let report = verify_file(folder.join("x_mask.png"), &VerifyOptions::default());
    let mut codes: Vec<&str> = report.findings.iter().map(|finding| finding.rule.code).collect();
    codes.dedup();
    codes
}

/// The mask with one wall dropped and one added, each of a size that a player would notice.
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

#[test]
fn masks_that_do_not_belong_to_their_art_are_found() {
    let mut rng = Rng::with_seed(14);
    let folder = tempfile::tempdir().unwrap();
    let mut rows = BTreeMap::<&'static str, Row>::new();
    for number in 0..48 {
        let cells = mask(number, &mut rng);
        let style = Style::of(number / KINDS.len() * 7 + number);
        let picture = art(&cells, style, &mut rng);
        let mut other = mask(number + 1, &mut rng);
        while (other.width, other.height) != (cells.width, cells.height) {
            other = other.sized(cells.width, cells.height);
        }
        let far = || [-1, 1];
        let mut by = || rng.i32(1..=8) * far()[rng.usize(0..2)];
        let (dx, dy) = match number % 3 {
            0 => (by(), 0),
            1 => (0, by()),
            _ => (by(), by()),
        };
        let inverted = if style.clear { "inverted, clear art" } else { "inverted, opaque art" };
        let turned = cells.inverted();
        let old = stale(&cells, &mut rng);
        let cases: [(&'static str, &'static str, &Cells); 5] = [
            ("clean", "", &cells),
            ("shifted", "MSK205", &cells.shifted(dx, dy)),
            ("stale", "MSK206", &old),
            (inverted, "MSK206", &turned),
            ("another level's", "MSK206", &other),
        ];
        for (kind, code, mask) in cases {
            let found = codes_of_pair(folder.path(), mask, &picture);
            let row = rows.entry(kind).or_default();
            row.code = code;
            row.planted += 1;
            row.found += u32::from(found.contains(&code) || code.is_empty() && found.is_empty());
            let others: Vec<_> = found.iter().filter(|other| **other != code).collect();
            row.others += u32::from(!others.is_empty());
            let name = KINDS[number % KINDS.len()];
            row.names.extend(others.iter().map(|other| format!("{name}:{other} {style:?}")));
            if !code.is_empty() && !found.contains(&code) {
                row.names.push(format!("{name}:missed {style:?}"));
            }
        }
        // The mask under the art's name, and the reverse.
        picture.save(folder.path().join("x_mask.png")).unwrap();
        cells.image().save(folder.path().join("x.png")).unwrap();
        let report = verify_file(folder.path().join("x_mask.png"), &VerifyOptions::default());
        let row = rows.entry("exchanged").or_default();
        (row.code, row.planted) = ("MSK213", row.planted + 1);
        let is_found = |code| report.findings.iter().any(|finding| finding.rule.code == code);
        row.found += u32::from(is_found("MSK213"));
        if !is_found("MSK213") {
            row.names.push(format!(
                "{:?}",
                report.findings.iter().map(|f| f.rule.code).collect::<Vec<_>>()
            ));
        }
    }
    let others = print("pair", &rows)[2];
    let share = |kind: &str| rows[kind].found * 100 / rows[kind].planted;
    assert_eq!(share("clean"), 100);
    assert!(share("shifted") >= 95 && share("stale") >= 95 && share("exchanged") >= 90);
    assert!(share("inverted, clear art") >= 95 && share("another level's") >= 35);
    assert!(others <= 2, "{others} other findings");
}
