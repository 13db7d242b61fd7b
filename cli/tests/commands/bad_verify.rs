//! Files that break loaders, each checked by `bitwall verify` with every rule on.
//!
//! Each file is clean or has findings, within 512 MiB of address space and a limit of processor time.

use std::path::Path;
use std::process::Output;

use crate::bad_input::run_within;
use crate::shared::{check_all, shared_files};

/// A configuration with the facts that rules need: a body with moves, markers, layers.
const CONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/every-rule.toml");

fn check(path: &Path) -> Result<(), String> {
    let command = format!("verify --format json --select all --config {CONFIG}");
    let output = run_within(path, 512 << 10, &command)?;
    judge(&output)
}

/// Checks that the number of findings on standard output agrees with the exit code.
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

#[test]
fn every_bad_file_is_verified_within_time_and_memory_limits() {
    let files = shared_files(&["badinput/tmx", "badinput/png", "pngsuite"]);
    check_all(&files, |path, _| check(path));
}
