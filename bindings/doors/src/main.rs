//! Writes every door from the facade: `cargo run`, or `cargo run -- --check` to fail if a written file is
//! old.
//!
//! The facade is Rust (`model` reads it). Each written file has a template of Jinja in `templates`, which
//! reads like the file; `words` has the filters, and `python` what Python sees otherwise.

mod model;
mod python;
mod words;

use std::path::Path;
use std::process::ExitCode;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value, context, path_loader};

use model::Model;

/// The written files below `bindings`, with their templates and features.
const FILES: [(&str, &str, &[&str]); 10] = [
    ("c/src/generated.rs", "c.rs.jinja", ALL),
    ("c/include/bitwall.h", "bitwall.h.jinja", ALL),
    ("csharp/Bitwall.cs", "Bitwall.cs.jinja", ALL),
    ("lua/bitwall.lua", "bitwall.lua.jinja", ALL),
    ("js/core.js", "core.js.jinja", CORE),
    ("js/core.d.ts", "core.d.ts.jinja", CORE),
    ("js/readers.js", "core.js.jinja", READERS),
    ("js/readers.d.ts", "core.d.ts.jinja", READERS),
    ("python/src/generated.rs", "python.rs.jinja", ALL),
    ("python/bitwall.pyi", "bitwall.pyi.jinja", ALL),
];

const ALL: &[&str] = &["baked", "disk", "load", "play"];
/// JavaScript has two modules, and no disk.
const CORE: &[&str] = &["baked", "play"];
const READERS: &[&str] = &["baked", "load"];

fn main() -> ExitCode {
    let check = std::env::args().any(|argument| argument == "--check");
    match write(check) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the files, or with `check` returns an error for the first that is old.
fn write(check: bool) -> Result<(), String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bindings = own.join("..");
    let model = Model::read(&bindings.join("facade/src"))?;
    let templates = templates(own);
    for (path, template, features) in FILES {
        let path = bindings.join(path);
        let template = templates.get_template(template).map_err(|error| format!("{error:#}"))?;
        let part = model.only(features);
        let python = python::Python::of(&part);
        let text = template.render(context! { python => Serde(&python), ..Value::from(Serde(&part)) });
        let text = text.map_err(|error| format!("{error:#}"))?;
        if std::fs::read_to_string(&path).is_ok_and(|there| there == text) {
            continue;
        }
        if check {
            let how = "cargo run --manifest-path bindings/doors/Cargo.toml";
            return Err(format!("{} is old: {how}", path.display()));
        }
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    println!("{}", model.summary());
    Ok(())
}

/// The templates with their filters. A name that is not known is an error, and so is a kind without a row.
fn templates(own: &Path) -> Environment<'static> {
    let mut templates = Environment::new();
    templates.set_loader(path_loader(own.join("templates")));
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    templates.set_syntax(syntax.build().expect("the usual delimiters differ"));
    templates.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    templates.set_auto_escape_callback(|_| AutoEscape::None);
    words::add_filters(&mut templates);
    let python = own.join("../python/src");
    templates.add_filter("with_docs", move |stub: &str| {
        let with_docs = python::with_docs(stub, &python);
        with_docs.map_err(|error| Error::new(ErrorKind::InvalidOperation, error))
    });
    templates
}
