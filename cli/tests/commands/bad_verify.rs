//! Files that break loaders, through `bitwall verify` with every rule on: within 512 MiB of address space and
//! two seconds of the processor each is clean or has findings.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::bad_input::run_within;
use crate::shared::files_in;
use crate::shared::shared;

/// The facts that rules need: a body with a top speed, markers, layers.
const CONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/every-rule.toml");

fn check(path: &Path) -> Result<(), String> {
    let command = format!("verify --format json --select all --config {CONFIG}");
    let output = run_within(path, 512 << 10, &command)?;
    judge(&output).map_err(|fault| format!("{}: {fault}", path.display()))
}

/// The document on standard output must agree with the exit code.
fn judge(output: &Output) -> Result<(), String> {
    let err = String::from_utf8_lossy(&output.stderr);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{:?}, no JSON ({error}): {err}", output.status))?;
    let count = document["findings"].as_array().map_or(0, Vec::len);
    match output.status.code() {
        Some(0) if count == 0 => Ok(()),
        Some(1) if count > 0 => Ok(()),
        code => Err(format!("exit code {code:?} with {count} findings: {err}")),
    }
}

fn check_all(files: &[PathBuf]) {
    let faults: Vec<String> = std::thread::scope(|scope| {
        let check_part = |part: &[PathBuf]| -> Vec<String> {
            part.iter().filter_map(|path| check(path).err()).collect()
        };
        let size = files.len().div_ceil(2);
        let parts: Vec<_> =
            files.chunks(size).map(|part| scope.spawn(move || check_part(part))).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    println!("{} files", files.len());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_bad_file_is_verified_within_limits() {
    for folder in ["badinput/tmx", "badinput/png", "pngsuite"] {
        if let Some(folder) = shared(folder) {
            check_all(&files_in(&folder));
        }
    }
}
