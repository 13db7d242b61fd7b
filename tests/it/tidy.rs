//! The house rules that a machine can check: which module may import which, who may print, how long a file
//! may be.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules from the ground up: each may use itself and what stands before it. `level` and `text` are
/// used by all that follow them.
const ORDER: [&str; 23] = [
    "text",
    "geometry",
    "error",
    "limits",
    "property",
    "json",
    "shapes",
    "raster",
    "grid",
    "sweep",
    "footprint",
    "tmx",
    "rules",
    "options",
    "level",
    "mask",
    "load",
    "mover",
    "world",
    "render",
    "verify",
    "cli",
    "main",
];

/// The source files, but for those that hold tests only.
fn sources() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else {
                found.push(path);
            }
        }
    }
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    walk(&src, &mut paths);
    paths.sort();
    let relative = |path: &Path| path.strip_prefix(&src).unwrap().to_owned();
    paths
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .filter(|path| {
            !path
                .iter()
                .any(|part| part == "tests" || part == "tests.rs")
        })
        .map(|path| (relative(path), fs::read_to_string(path).unwrap()))
        .collect()
}

/// The top-level module that a file belongs to.
fn module(path: &Path) -> String {
    let first = path.components().next().unwrap().as_os_str();
    Path::new(first)
        .file_stem()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned()
}

/// The module that a name at the crate's root comes from: a module itself, or what lib.rs re-exports.
fn home(name: &str) -> Option<String> {
    if ORDER.contains(&name) {
        return Some(name.to_owned());
    }
    let lib = include_str!("../../src/lib.rs");
    for line in lib.split("pub use ").skip(1) {
        let Some((module, names)) = line.split(';').next().unwrap().split_once("::") else {
            continue;
        };
        let mut names = names.trim_matches(['{', '}']).split([',', '\n', '}']);
        if names.any(|exported| exported.trim() == name) {
            return Some(module.to_owned());
        }
    }
    None
}

/// The first names after each `crate::` of a file, those in braces included; tests may use what they like.
fn imports(source: &str) -> Vec<String> {
    let code = code(source);
    let mut names = Vec::new();
    for line in code.split("crate::").skip(1) {
        let list = match line.strip_prefix('{') {
            Some(rest) => rest.split('}').next().unwrap(),
            None => line
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap(),
        };
        for name in list.split(',') {
            let name = name.trim().split("::").next().unwrap();
            if !name.is_empty() {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// A source without its comments and its tests, which stand at its end.
fn code(source: &str) -> String {
    let (code, tests) = source
        .split_once("#[cfg(test)]\n")
        .unwrap_or((source, "mod tests"));
    assert!(
        tests.starts_with("mod tests"),
        "tests stand in the way of code: {tests}"
    );
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn imports_point_one_way() {
    let rank = |module: &str| ORDER.iter().position(|known| *known == module);
    let mut arrows = Vec::new();
    for (path, source) in sources() {
        let from = module(&path);
        if from == "lib" {
            continue;
        }
        let own = rank(&from).unwrap_or_else(|| panic!("{from} has no place in the order"));
        for name in imports(&source) {
            let to = home(&name).unwrap_or_else(|| panic!("{}: crate::{name}", path.display()));
            if rank(&to) > Some(own) {
                arrows.push(format!("{} uses {to}", path.display()));
            }
        }
    }
    assert!(
        arrows.is_empty(),
        "arrows that run back:\n{}",
        arrows.join("\n")
    );
}

#[test]
fn the_import_reader_sees_what_is_imported() {
    let source = "use crate::{Level, sweep::Sweep};\nlet x = crate::cli::main();\n#[cfg(test)]\nmod tests { crate::no";
    assert_eq!(imports(source), ["Level", "sweep", "cli"]);
    assert_eq!(home("Level").as_deref(), Some("level"));
    assert_eq!(home("printable").as_deref(), Some("text"));
    assert_eq!(home("verify").as_deref(), Some("verify"));
    assert_eq!(home("Nonsense"), None);
}

#[test]
fn tiled_and_pictures_stay_in_their_files() {
    for (path, source) in sources() {
        let name = path.to_str().unwrap();
        let code = code(&source);
        if code.contains("tiled::") {
            assert!(name.starts_with("level/tmx"), "{name} says `tiled`");
        }
        if code.contains("png::") || code.contains("ImageReader") {
            let decodes = name.starts_with("mask") || name == "load/picture.rs";
            assert!(
                decodes || name.starts_with("cli/"),
                "{name} decodes pictures"
            );
        }
        if code.contains("bitvec::") {
            assert!(name.starts_with("grid"), "{name} says `bitvec`");
        }
        let touches = [
            "fs::",
            "File::",
            ".is_file()",
            ".is_symlink()",
            ".exists()",
            ".is_dir()",
        ];
        if touches.iter().any(|word| code.contains(word)) {
            let reads = ["load/files.rs", "load/root.rs"].contains(&name);
            assert!(
                reads || name.starts_with("cli/"),
                "{name} touches the file system"
            );
        }
    }
}

#[test]
fn only_the_command_line_prints_or_exits() {
    for (path, source) in sources() {
        let name = path.to_str().unwrap();
        if name.starts_with("cli") {
            continue;
        }
        for line in code(&source).lines() {
            for word in ["println!", "print!", "dbg!", "process::exit", "unsafe "] {
                assert!(!line.contains(word), "{name}: {line}");
            }
        }
    }
}

#[test]
fn files_and_lines_are_short() {
    for (path, source) in sources() {
        let lines = source.lines().count();
        assert!(lines <= 450, "{} has {lines} lines", path.display());
        for line in source.lines() {
            let length = line.chars().count();
            assert!(
                length <= 110,
                "{}: a line of {length}: {line}",
                path.display()
            );
        }
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    for (path, source) in sources() {
        assert!(source.starts_with("//!"), "{} does not", path.display());
    }
}
