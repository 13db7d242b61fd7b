//! The code rules that a program can check: imports between modules, printing, and the length of files.

mod imports;
mod tokens;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use self::imports::{Arrows, Modules, circles};
use crate::support::files_in;

/// The modules of the library from lowest to highest. A module may use itself and the modules before it.
const ORDER: [&str; 30] = [
    "guide",
    "checksum",
    "text",
    "paths",
    "geometry",
    "engine",
    "error",
    "limits",
    "property",
    "shapes",
    "raster",
    "grid",
    "terrain",
    "outline",
    "footprint",
    "tmx",
    "rules",
    "options",
    "level",
    "baked",
    "mask",
    "convert",
    "load",
    "mover",
    "character",
    "world",
    "navigate",
    "analyze",
    "render",
    "lib",
];

/// The modules of the program's package from lowest to highest. They use only public names of the library.
const PROGRAM_ORDER: [&str; 7] =
    ["mask_facts", "suggest", "lint", "git", "commands", "lib", "main"];

/// Returns the source files of the library, without files that contain only tests.
fn sources() -> Vec<(PathBuf, String)> {
    sources_of("src")
}

/// Returns the source files of the program and the linter, without files that contain only tests.
fn program_sources() -> Vec<(PathBuf, String)> {
    sources_of("cli/src")
}

fn sources_of(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let is_test = |path: &Path| path.iter().any(|part| part == "tests" || part == "tests.rs");
    let paths =
        files_in(&folder).into_iter().map(|path| path.strip_prefix(&folder).unwrap().to_owned());
    let sources = paths.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let sources = sources.filter(|path| !is_test(path));
    let read = |path: PathBuf| (path.clone(), fs::read_to_string(folder.join(path)).unwrap());
    let sources: Vec<_> = sources.map(read).collect();
    assert!(sources.len() > 30, "{sources:?}");
    sources
}

/// Returns the top-level module of a file.
fn module(path: &Path) -> String {
    let first = path.components().next().unwrap().as_os_str();
    Path::new(first).file_stem().unwrap().to_str().unwrap().to_owned()
}

fn modules(sources: &[(PathBuf, String)]) -> Modules {
    Modules::of(sources.iter().map(|(path, source)| (path.to_str().unwrap(), source.as_str())))
}

/// Returns a source without comments and tests. Tests in the file must be at its end; a `mod tests;` may be
/// anywhere.
fn code(source: &str) -> String {
    let source = source.replace("#[cfg(test)]\nmod tests;\n", "");
    let (code, tests) = source.split_once("#[cfg(test)]\n").unwrap_or((&source, "mod tests {"));
    assert!(tests.starts_with("mod tests {"), "tests stand in the way of code: {tests}");
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Returns the arrows in each package, with the order of its modules.
fn packages() -> [(Arrows, &'static [&'static str]); 2] {
    let arrows = |sources: &[_]| modules(sources).arrows();
    // For the program the library is another crate, so its paths are renamed.
    let program = program_sources().into_iter();
    let program: Vec<_> =
        program.map(|(path, source)| (path, source.replace("bitwall::", "library::"))).collect();
    let packages = [(arrows(&sources()), &ORDER[..]), (arrows(&program), &PROGRAM_ORDER)];
    packages.iter().for_each(|(arrows, _)| assert!(arrows.len() > 100, "{}", arrows.len()));
    packages
}

#[test]
fn modules_import_only_from_modules_before_them_in_the_order() {
    for (arrows, order) in packages() {
        let faults = arrows_back(&arrows, order);
        assert!(faults.is_empty(), "arrows that run back:\n{}", faults.join("\n"));
    }
}

/// Returns the arrows to modules that come later in the order.
fn arrows_back(arrows: &Arrows, order: &[&str]) -> Vec<String> {
    let rank = |file: &str| {
        let module = module(Path::new(file));
        let place = order.iter().position(|known| *known == module);
        place.unwrap_or_else(|| panic!("{module} has no place in the order"))
    };
    let back = arrows.iter().filter(|((from, to), _)| rank(from) < rank(to));
    back.map(|((from, to), names)| format!("{from} -> {to} {names:?}")).collect()
}

/// A module's own file and the files in its folder may use each other, because a child sees the private
/// parts of its parent. A circle that also has other files is a fault, even if it leads through the module's
/// own file. The module [`imports`] defines arrows.
#[test]
fn no_files_use_each_other_in_a_circle() {
    for (arrows, _) in packages() {
        let circles = circles(&arrows);
        assert!(circles.is_empty(), "{} circles:\n{}", circles.len(), circles.join("\n"));
    }
}

#[test]
fn no_module_has_more_than_a_fifth_of_the_lines() {
    let mut parts = BTreeMap::<String, usize>::new();
    for (path, source) in sources() {
        *parts.entry(module(&path)).or_default() += source.lines().count();
    }
    let all: usize = parts.values().sum();
    for (part, lines) in &parts {
        println!("{lines:>6} {:>3} % {part}", lines * 100 / all);
    }
    for (part, lines) in parts {
        assert!(lines * 5 <= all, "{part} holds {lines} of {all} lines");
    }
}

#[test]
fn the_methods_of_a_type_are_in_at_most_three_files() {
    let mut faults = Vec::new();
    for ((home, name), files) in modules(&sources()).methods() {
        if files.len() > 3 {
            faults.push(format!("{name} of {home}: {files:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn only_listed_modules_use_tiled_bitvec_decoders_and_the_file_system() {
    for (path, source) in sources() {
        let name = path.to_str().unwrap();
        let code = code(&source);
        if code.contains("tiled::") {
            assert!(name.starts_with("tmx/bridge") || name == "load.rs", "{name} says `tiled`");
        }
        if code.contains("png::") || code.contains("ImageReader") {
            let decodes = name.starts_with("mask") || name == "load/picture.rs";
            assert!(decodes, "{name} decodes pictures");
        }
        if code.contains("bitvec::") {
            assert!(name.starts_with("grid"), "{name} says `bitvec`");
        }
        // The space or bracket before the type of std excludes names such as `WorldFile`.
        let touches =
            ["fs::", " File::", "(File::", ".is_file()", ".is_symlink()", ".exists()", ".is_dir()"];
        if touches.iter().any(|word| code.contains(word)) {
            let reads = ["load/disk.rs", "load/root.rs"].contains(&name);
            assert!(reads, "{name} touches the file system");
        }
    }
}

#[test]
fn only_the_cli_commands_print_and_no_code_exits_the_process() {
    let is_command = |path: &Path| module(path) == "commands";
    let linter = program_sources().into_iter().filter(|(path, _)| !is_command(path));
    for (path, source) in sources().into_iter().chain(linter) {
        let name = path.to_str().unwrap();
        for line in code(&source).lines() {
            for word in ["println!", "print!", "dbg!", "process::exit", "unsafe "] {
                assert!(!line.contains(word), "{name}: {line}");
            }
        }
    }
}

#[test]
fn files_have_at_most_800_lines_of_at_most_110_characters() {
    for (path, source) in sources().into_iter().chain(program_sources()) {
        let lines = source.lines().count();
        assert!(lines <= 800, "{} has {lines} lines", path.display());
        for line in source.lines() {
            let length = line.chars().count();
            assert!(length <= 110, "{}: a line of {length}: {line}", path.display());
        }
    }
}

#[test]
fn every_file_starts_with_a_comment_on_its_purpose() {
    for (path, source) in sources().into_iter().chain(program_sources()) {
        assert!(source.starts_with("//!"), "{} does not", path.display());
    }
}

/// The files of a crate: path and source.
type Crate = &'static [(&'static str, &'static str)];

/// The cases are made-up crates, with and without cycles.
#[test]
fn import_cycles_and_imports_against_the_order_are_found() {
    let cases: [(Crate, &[&str], &[&str]); 8] = [
        // No cycle: the parent declares and re-exports, and its child uses a type of the parent.
        (
            &[
                ("lib.rs", "mod grid; mod text; pub use grid::Grid;"),
                ("grid.rs", "mod words; pub use words::Word; pub struct Grid;"),
                ("grid/words.rs", "use super::Grid; pub struct Word(Grid);"),
            ],
            &[],
            &[],
        ),
        // A module's own file and its folder: the parent's own code names its child, by a path or by a `use`,
        // also over two files of the folder.
        (
            &[
                ("lib.rs", "mod grid;"),
                ("grid.rs", "mod words; pub struct Grid; fn f() { words::first() }"),
                ("grid/words.rs", "use super::Grid; pub fn first() {}"),
            ],
            &[],
            &[],
        ),
        (
            &[
                ("lib.rs", "mod grid;"),
                ("grid.rs", "mod a; mod b; pub use a::A; pub struct Grid(A);"),
                ("grid/a.rs", "use super::b::B; pub struct A(B);"),
                ("grid/b.rs", "use crate::{grid::{Grid}};\n pub struct B;"),
            ],
            &[],
            &[],
        ),
        // A cycle that leaves the folder through the module's own file.
        (
            &[
                ("lib.rs", "mod grid; mod text;"),
                ("text.rs", "pub fn f() { crate::grid::all() }"),
                ("grid.rs", "mod words; pub fn all() { words::first() }"),
                ("grid/words.rs", "pub fn first() { crate::text::f() }"),
            ],
            &["text.rs -> grid.rs (all) -> grid/words.rs (first) -> text.rs (f)"],
            &["text.rs -> grid.rs {\"all\"}"],
        ),
        // Re-exports at the root are followed, also through lists over several lines, `self` and renamed
        // imports.
        (
            &[
                ("lib.rs", "mod text; mod grid; pub use grid::{self as g, Grid};"),
                ("text.rs", "use crate::{\n    Grid as Other,\n};\nfn f(g: Other) {}"),
                ("grid.rs", "pub struct Grid;"),
            ],
            &[],
            &["text.rs -> grid.rs {\"Grid\"}"],
        ),
        (
            &[
                ("lib.rs", "mod text; mod grid; mod terrain;"),
                ("text.rs", "fn f() { crate::terrain::far(crate::grid::near!()) }"),
                ("terrain.rs", "pub fn far() {}"),
                ("grid.rs", "macro_rules! near { () => {} }"),
            ],
            &[],
            &["text.rs -> grid.rs {\"near\"}", "text.rs -> terrain.rs {\"far\"}"],
        ),
        // Three files in a cycle, and one that only leads to it.
        (
            &[
                ("lib.rs", "mod grid;"),
                ("grid.rs", "mod a; mod b; mod c; mod d;"),
                ("grid/a.rs", "use super::b; fn f() { b::g() }"),
                ("grid/b.rs", "pub fn g() -> super::c::C {}"),
                ("grid/c.rs", "use super::{a::*, b as other}; pub struct C;"),
                ("grid/d.rs", "use super::a; fn f() { a::f() }"),
            ],
            &[
                "grid/b.rs -> grid/c.rs (C) -> grid/a.rs (self) -> grid/b.rs (g)",
                "grid/c.rs -> grid/b.rs (self) -> grid/c.rs (C)",
            ],
            &[],
        ),
        // Names in tests, strings and comments do not count, and names of other crates are not files.
        (
            &[
                ("lib.rs", "mod text; mod grid; pub use glam;"),
                (
                    "text.rs",
                    "//! crate::grid::f\nuse crate::glam::IVec2; const S: &str = \"crate::grid::f\";\n#[cfg(test)]\nmod tests { use crate::grid; }",
                ),
                ("grid.rs", "pub fn f() { std::fs::read(); crate::text::g() }"),
            ],
            &[],
            &[],
        ),
    ];
    for (sources, circle, back) in cases {
        let arrows = Modules::of(sources.iter().copied()).arrows();
        assert_eq!(circles(&arrows), circle, "{sources:?}");
        assert_eq!(arrows_back(&arrows, &ORDER), back, "{sources:?}");
    }
}

#[test]
fn the_files_that_have_methods_of_a_type_are_counted() {
    let sources = [
        ("lib.rs", "mod level; pub use level::Level;"),
        ("level.rs", "mod more; pub struct Level; impl Level {} impl Clone for Level {}"),
        (
            "level/more.rs",
            "use crate::Level;\nimpl<T: Fn() -> u8> Level<T> where T: Copy {}\nfn f(x: impl Fn()) {}",
        ),
    ];
    let methods = Modules::of(sources).methods();
    let files = &methods[&("level.rs".to_owned(), "Level".to_owned())];
    assert_eq!((methods.len(), files.len()), (1, 2), "{methods:?}");
}
