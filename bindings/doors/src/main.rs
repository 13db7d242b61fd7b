//! Writes every door from the facade: `cargo run`, or `cargo run -- --check` to fail if a written file is
//! old.
//!
//! The facade is Rust (`model` reads it); each door is a file here, with a prelude by hand in `preludes`.

mod c;
mod csharp;
mod javascript;
mod lua;
mod model;
mod python;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use model::Model;

/// The note at the head of each written file.
const MADE: &str = "Written by bindings/doors from bindings/facade; edit those.";

fn main() -> ExitCode {
    let bindings = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = match written(&bindings.join("facade/src")) {
        Ok(files) => files,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let check = std::env::args().any(|argument| argument == "--check");
    let mut old = 0;
    for (path, text) in files {
        let path = bindings.join(path);
        if std::fs::read_to_string(&path).is_ok_and(|there| there == text) {
            continue;
        }
        if check {
            eprintln!("{} is old: cargo run --manifest-path bindings/doors/Cargo.toml", path.display());
            old += 1;
        } else if let Err(error) = write(&path, &text) {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    if old == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The files below `bindings` with their texts. JavaScript has two modules.
fn written(facade: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let model = &Model::read(facade)?;
    let core = &Model::read(facade)?.only(&["baked", "play"]);
    let readers = &Model::read(facade)?.only(&["baked", "load", "ldtk"]);
    println!("{}", model.summary());
    let files = [
        ("c/src/generated.rs", c::abi(model)),
        ("c/include/bitwall.h", c::header(model)),
        ("csharp/Bitwall.cs", csharp::file(model)),
        ("lua/bitwall.lua", lua::file(model)),
        ("js/core.js", javascript::module(core)),
        ("js/core.d.ts", javascript::types(core)),
        ("js/readers.js", javascript::module(readers)),
        ("js/readers.d.ts", javascript::types(readers)),
        ("python/src/generated.rs", python::module(model)),
        ("python/bitwall.pyi", python::stubs(model)),
    ];
    Ok(files.map(|(path, text)| (path.into(), text)).into())
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}
