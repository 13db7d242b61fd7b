//! Faults planted by a program in clean masks, and the rules that find them. The module `pairs` plants faults
//! in pairs of a mask and its art.
//!
//! `cargo test -p bitwall-cli --test lint -- planted_masks --nocapture` prints the tables.

mod drawn;
mod faults;
mod pairs;

use std::collections::BTreeMap;
use std::path::Path;

use bitwall_cli::lint::{VerifyOptions, verify_bytes};
use fastrand::Rng;

use drawn::{KINDS, mask};
use faults::{planted, png};

/// Returns the codes of the findings in a file that is not on the disk, each once.
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
            // The planted art may be all dark or all light, so that its level is blank too.
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
