//! The committed corpus, `corpus/*.tar.gz`, through the functions of the targets, without a fuzzer.

use std::fs::{File, remove_dir_all};
use std::io::Read;
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use tar::Archive;

/// The longest time for one input, as with `-timeout` in README.md.
const LONGEST: Duration = Duration::from_secs(10);

/// The function of a target. Its argument is the input.
type Target = fn(&[u8]);

/// One test for all targets: those that count memory count all threads of the process.
#[test]
fn no_input_of_the_corpus_breaks_its_target() {
    let targets: [(&str, Target); 10] = [
        ("baked", crate::baked::run),
        ("config", crate::config::run),
        ("edits", crate::edits::run),
        ("ldtk", crate::ldtk::run),
        ("map", crate::map::run),
        ("mask", crate::mask::run),
        ("render", crate::render::run),
        ("template", crate::template::run),
        ("tileset", crate::tileset::run),
        ("verify", crate::verify::run),
    ];
    let mut faults = Vec::new();
    for (target, run) in targets {
        let path = format!("{}/corpus/{target}.tar.gz", env!("CARGO_MANIFEST_DIR"));
        let file = File::open(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut archive = Archive::new(GzDecoder::new(file));
        let (start, mut count) = (Instant::now(), 0);
        for entry in archive.entries().expect("an archive") {
            let mut entry = entry.expect("an entry");
            if !entry.header().entry_type().is_file() {
                continue;
            }
            let mut data = Vec::new();
            entry.read_to_end(&mut data).expect("bytes");
            count += 1;
            let begin = Instant::now();
            let is_right = catch_unwind(|| run(&data)).is_ok();
            if !is_right || begin.elapsed() > LONGEST {
                faults.push(format!(
                    "{:?}, {:.1?}",
                    entry.path().expect("a path"),
                    begin.elapsed()
                ));
            }
        }
        println!("{target}: {count} inputs in {:.1?}", start.elapsed());
        assert!(count > 0, "{path} is empty");
    }
    remove_dir_all(crate::folder().expect("a folder")).expect("it can be removed");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
