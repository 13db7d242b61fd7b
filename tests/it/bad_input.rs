//! Files that break loaders: each gets an answer or a clear error, within two seconds and 512 MB of address
//! space, in a process of its own; and no wall is lost without a word.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::shared::shared;

/// Runs `bitwall info` on a file, as the layer `L` of those files is solid, within the limits.
fn info(path: &Path) -> Result<Output, String> {
    let start = Instant::now();
    // `ulimit` is the shell's own, so that the test needs no unsafe code to set a limit.
    let mut child = Command::new("sh")
        .arg("-c")
        .arg("ulimit -v 524288 && exec \"$0\" info --allow-nothing-solid --solid-layer L --format json -- \"$1\"")
        .arg(env!("CARGO_BIN_EXE_bitwall"))
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    while child
        .try_wait()
        .map_err(|error| error.to_string())?
        .is_none()
    {
        if start.elapsed() > Duration::from_secs(2) {
            let _ = child.kill();
            return Err("still running after 2 seconds".to_owned());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.wait_with_output().map_err(|error| error.to_string())
}

/// An answer is JSON on standard output; an error is one line that names the file and ends with what to do.
fn check(path: &Path) -> Result<(), String> {
    let output = info(path)?;
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    match output.status.code() {
        Some(0) if out.contains("\"solid_cells\"") && err.is_empty() => Ok(()),
        Some(2) if err.starts_with("error: ") && err.lines().count() == 1 && err.contains("; ") => {
            // The file is named by a whole path: the map's, or that of a file that it refers to.
            if err.starts_with("error: /") && !err.chars().any(|c| c.is_control() && c != '\n') {
                Ok(())
            } else {
                Err(format!("an error that names no file: {err}"))
            }
        }
        code => Err(format!("exit code {code:?}: {out}{err}")),
    }
}

fn check_all(files: &[PathBuf]) {
    let faults: Vec<String> = std::thread::scope(|scope| {
        let check_part = |part: &[PathBuf]| -> Vec<String> {
            let fault =
                |path: &PathBuf| Some(format!("{}: {}", path.display(), check(path).err()?));
            part.iter().filter_map(fault).collect()
        };
        let size = files.len().div_ceil(2);
        let parts: Vec<_> = files
            .chunks(size)
            .map(|part| scope.spawn(move || check_part(part)))
            .collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap())
            .collect()
    });
    println!("{} files", files.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// All files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_bad_map_gets_an_answer_or_a_clear_error() {
    if let Some(folder) = shared("badinput/tmx") {
        check_all(&files(&folder));
    }
}

#[test]
fn every_bad_picture_gets_an_answer_or_a_clear_error() {
    if let Some(folder) = shared("badinput/png") {
        check_all(&files(&folder));
    }
}

#[test]
fn every_picture_of_pngsuite_gets_an_answer_or_a_clear_error() {
    if let Some(folder) = shared("pngsuite") {
        check_all(&files(&folder));
    }
}

/// The files that lose their walls without a word in crate `tiled`: all are errors here, or load with the
/// walls that they have.
#[test]
fn no_wall_is_lost_in_silence() {
    let Some(folder) = shared("badinput/tmx") else {
        return;
    };
    let refused = [
        "data_short_csv",
        "data_short_b64",
        "data_b64_15bytes",
        "data_empty_elem",
        "inf_chunk_in_finite",
        "ts_spacing_wrap",
        "inf_max",
        "inf_max_w2",
        "dim_w_4e9",
        "dim_w_2p31",
        "dim_u32max_sq",
        "dim_layer_differs",
        "dim_tilesize0",
        "dim_tilesize_max",
        "dim_zero_b64",
        "data_long_csv",
        "data_b64_17bytes",
        "data_zlib_trailing",
        "inf_long",
        "data_missing",
        "data_two",
        "inf_no_chunk",
        "inf_overlap",
        "gid_no_tileset",
        "gid_below_first",
        "gid_firstgid_max",
        "gid_dup_firstgid",
        "gid_out_of_range",
        "gid_bit28",
        "gid_u32max",
        "gid_flags_only",
        "inf_w_u32max",
        "inf_w_2p31",
        "inf_w0_hbig",
        "inf_wbig_h0",
        "obj_nan",
        "obj_inf",
        "obj_1e308",
        "obj_neg",
        "poly_nan",
        "obj_1e7",
        "prop_dup",
        "poly_and_ellipse",
        "xml_nsattr",
        "xml_nselem",
        "xml_trailing",
        "xml_tworoots",
        "xml_leadtext",
        "xml_ctrl",
        "xml_lt_in_attr",
        "xml_badutf8_elem",
    ];
    let solid = [
        ("data_csv_comment2", 4),
        ("data_gzip_2members", 4),
        ("ts_margin_gt_width", 4),
        ("gid_tileset_after_layer", 4),
        ("gid_unsorted_ts", 2),
        ("data_csv_charref", 4),
        ("data_xml_tiles", 3),
        ("gid_all_flags", 1),
        ("00_valid", 4),
    ];
    for name in refused {
        let output = info(&folder.join(name).with_extension("tmx")).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name} must be refused");
    }
    for (name, count) in solid {
        let output = info(&folder.join(name).with_extension("tmx")).unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            text.contains(&format!("\"solid_cells\": {count},")),
            "{name}: {text}"
        );
    }
}
