//! The contents of the two packages: sources, and in the library the levels, examples and pictures that its
//! documentation shows. Tests and reference pictures stay in the repository.

use std::process::Command;

use crate::support::root;

/// Returns the files of a package, as `cargo package` lists them.
fn files(package: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--offline", "--package", package])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.replace('\\', "/")).collect()
}

/// Returns the files outside `folders` that are neither sources nor added by cargo itself.
fn others<'f>(files: &'f [String], folders: &[&str]) -> Vec<&'f str> {
    let of_cargo =
        [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig", "README.md"];
    files
        .iter()
        .map(String::as_str)
        .filter(|file| {
            !of_cargo.contains(file) && !folders.iter().any(|folder| file.starts_with(folder))
        })
        .collect()
}

#[test]
fn packages_contain_no_tests_and_only_the_pictures_of_the_readme() {
    let library = files("bitwall");
    let expected = [
        "CHANGELOG.md",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.zh-CN.md",
        "tests/golden/readme.gif",
        "tests/golden/readme.png",
    ];
    assert_eq!(others(&library, &["src/", "assets/", "examples/", "benches/"]), expected);
    let program = files("bitwall-cli");
    let licences = ["LICENSE-APACHE", "LICENSE-MIT"];
    assert_eq!(others(&program, &["src/", "config/", "examples/", "benches/"]), licences);
    for file in library.iter().chain(&program) {
        assert!(!file.ends_with("tests.rs") && !file.contains("/tests/"), "{file} is a test");
    }
}

#[test]
fn nested_packages_are_not_in_the_library() {
    let manifests = files("bitwall").into_iter().filter(|file| file.ends_with("/Cargo.toml"));
    assert_eq!(manifests.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn both_packages_have_the_same_version_licence_and_repository() {
    let [library, program] = ["Cargo.toml", "cli/Cargo.toml"].map(|manifest| {
        let text = std::fs::read_to_string(root().join(manifest)).unwrap();
        ["version = ", "rust-version = ", "license = ", "repository = ", "homepage = "].map(|key| {
            let line = text.lines().find(|line| line.starts_with(key));
            line.unwrap_or_else(|| panic!("{manifest} has no line `{key}`")).to_owned()
        })
    });
    assert_eq!(library, program);
}
