//! Builds the playground: `dist`, a folder for any web server. Run `cargo run --package bundle` in
//! `examples/browser`. If `npm install` was run before, the modules become smaller. The program does not use
//! the network.

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use wasm_bindgen_cli_support::Bindgen;

/// The endings of the files in `assets` that the page fetches.
const ENDINGS: [&str; 6] = ["tmx", "tsx", "tmj", "world", "ldtk", "png"];

/// The options of `wasm-opt`. They optimize for size, and enable the features that rustc uses, which every
/// browser of 2022 has.
const FLAGS: [&str; 7] = [
    "-Oz",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

fn main() -> Result<(), Box<dyn Error>> {
    let home =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("a folder above this package")?;
    let page = home.join("dist");
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).ok_or("the program is in a target folder")?;
    if page.exists() {
        fs::remove_dir_all(&page)?;
    }
    // The packages are built one after the other. Built together they would share their features, and the
    // first would become as large as both.
    for package in ["playground", "linter"] {
        run(Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
            .args(["build", "--release", "--locked", "--package", package])
            .args(["--target", "wasm32-unknown-unknown", "--target-dir"])
            .arg(target)
            .current_dir(home))?;
        let built = target.join(format!("wasm32-unknown-unknown/release/{package}.wasm"));
        let mut bindgen = Bindgen::new();
        bindgen.input_path(&built).typescript(false).web(true)?.generate(page.join("module"))?;
        let module = page.join(format!("module/{package}_bg.wasm"));
        let optimizer = home.join("node_modules/.bin/wasm-opt");
        if optimizer.exists() {
            run(Command::new(optimizer).args(FLAGS).arg("-o").args([&module, &module]))?;
        } else {
            println!(
                "not optimised: `npm install` brings wasm-opt, which makes the module smaller"
            );
        }
        println!("{}: {} bytes", module.display(), fs::metadata(&module)?.len());
    }
    copy(&home.join("page"), &page, |_| true)?;
    let index = page.join("index.html");
    let html = fs::read_to_string(&index)?;
    fs::write(&index, html.replace("REPOSITORY", &repository(&home.join("../../Cargo.toml"))?))?;
    let is_level =
        |path: &Path| path.extension().is_some_and(|end| ENDINGS.iter().any(|it| end == *it));
    copy(&home.join("../../assets"), &page.join("levels"), is_level)?;
    copy(&home.join("levels"), &page.join("levels"), is_level)
}

/// Returns the address of the repository that a manifest names.
fn repository(manifest: &Path) -> Result<String, Box<dyn Error>> {
    let manifest = fs::read_to_string(manifest)?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("repository = \""));
    let address = line.and_then(|line| line.strip_suffix('"'));
    Ok(address.ok_or("the manifest has no line `repository`")?.to_owned())
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed").into()) }
}

/// Copies the files of a folder for which `is_wanted` is true, without its subfolders.
fn copy(from: &Path, to: &Path, is_wanted: impl Fn(&Path) -> bool) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file() && is_wanted(&path)) {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}
