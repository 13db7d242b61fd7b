//! A hash of many answers, which must be equal on every platform. `tests/hash/cross.sh` compares it on
//! others.
//!
//! `UPDATE_GOLDEN=1 cargo test` writes `tests/golden/hash.txt` again and fails. A changed hash means changed
//! answers, which the changelog must name.

#[expect(unreachable_pub, reason = "shared with the program of tests/hash")]
#[path = "../hash/src/answers/mod.rs"]
mod answers;

use std::fs;
use std::path::Path;

#[test]
fn a_million_answers_have_the_expected_hash() {
    let answers = answers::all();
    println!("{}", answers.facts());
    assert!(answers.count() >= 1_000_000, "{}", answers.facts());
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/hash.txt");
    let actual = format!("{:016x}\n", answers.hash());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&golden, actual).unwrap();
        panic!("wrote {}: check it, then run again without UPDATE_GOLDEN", golden.display());
    }
    let expected = fs::read_to_string(&golden).unwrap_or_default();
    assert_eq!(actual, expected, "{}; UPDATE_GOLDEN=1 writes it", answers.facts());
}
