//! Files that break loaders, each loaded by `bitwall info` in a separate process.
//!
//! Each file gives a level or a clear error within a limit of processor time and 512 MiB of address space,
//! and no wall is lost silently.

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use bitwall::glam::IVec2;
use bitwall::{Level, LoadError, LoadOptions, error::LoadErrorKind};

use crate::shared::{check_all, folder, run_limited, shared, shared_files};
use crate::support::{self, tileset};

/// Runs `bitwall info` on a file, within the limits. The configuration makes the layer `L` of these files
/// solid.
fn info(path: &Path) -> Result<Output, String> {
    info_within(path, 512 << 10)
}

/// The largest processor time per file. Twice the time of the slowest file on a 3 GHz machine, because other
/// machines take up to 1.6 times as long. Longer on 32-bit targets, where 64-bit arithmetic is slow.
const MOST_WORK: Duration =
    Duration::from_secs(if cfg!(target_pointer_width = "32") { 5 } else { 3 });

/// Runs [`info`] with an address space of `kib` KiB.
pub(crate) fn info_within(path: &Path, kib: u64) -> Result<Output, String> {
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/layer-l.toml");
    run_within(path, kib, &format!("info --format json --config {config}"))
}

/// Runs a command like [`run_limited`], within [`MOST_WORK`].
pub(crate) fn run_within(path: &Path, kib: u64, command: &str) -> Result<Output, String> {
    run_limited(path, kib, MOST_WORK, command)
}

/// Checks the output of `bitwall info` for one file.
///
/// A level is JSON on standard output. An error also prints one line on standard error that names the file
/// and ends with advice.
fn check(path: &Path) -> Result<(), String> {
    check_output(&info(path)?)
}

pub(crate) fn check_output(output: &Output) -> Result<(), String> {
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    match output.status.code() {
        Some(0) if out.contains("\"solid_cells\"") && err.is_empty() => Ok(()),
        Some(2) if err.starts_with("error: ") && err.lines().count() == 1 && err.contains("; ") => {
            // The error names the map, or a file that the map refers to, by its absolute path.
            if err.starts_with("error: /") && !err.chars().any(|c| c.is_control() && c != '\n') {
                Ok(())
            } else {
                Err(format!("an error that names no file: {err}"))
            }
        }
        code => Err(format!("exit code {code:?}: {out}{err}")),
    }
}

#[test]
fn info_prints_a_level_or_a_clear_error_for_every_bad_map() {
    check_all(&shared_files(&["badinput/tmx"]), |path, _| check(path));
}

#[test]
fn info_prints_a_level_or_a_clear_error_for_every_bad_picture() {
    check_all(&shared_files(&["badinput/png"]), |path, _| check(path));
}

#[test]
fn info_prints_a_level_or_a_clear_error_for_every_picture_of_pngsuite() {
    check_all(&shared_files(&["pngsuite"]), |path, _| check(path));
}

/// The maps are known to lose walls silently in the crate `tiled`.
#[test]
fn maps_that_lose_walls_in_the_tiled_crate_keep_them_or_fail() {
    let Some(folder) = shared("badinput/tmx") else {
        return;
    };
    let refused = [
        ("data_short_csv", "3 cells for 2 x 2"),
        ("data_short_b64", "3 cells for 2 x 2"),
        ("data_b64_15bytes", "ends within a tile's number"),
        ("data_empty_elem", "0 cells for 2 x 2"),
        ("inf_chunk_in_finite", "chunks in a map that is not infinite"),
        ("ts_spacing_wrap", "spacing or margin: 4294967295"),
        ("inf_max", "the middle to a chunk: 2147483647"),
        ("inf_max_w2", "the middle to a chunk: 2147483646"),
        ("inf_min", "the middle to a chunk: 2147483648"),
        ("inf_x_overflow", "`x` of <chunk> is `2147483648`"),
        ("dim_w_4e9", "map: 4000000000"),
        ("dim_w_2p31", "map: 2147483648"),
        ("dim_u32max_sq", "map: 4294967295"),
        ("dim_tilesize0", "not at least 1"),
        ("dim_tilesize_max", "side of a tile: 4294967295"),
        ("dim_zero_b64", "not at least 1"),
        ("data_long_csv", "more than 4 cells"),
        ("data_b64_17bytes", "ends within a tile's number"),
        ("data_zlib_trailing", "more data follows"),
        ("inf_long", "more than 4 cells"),
        ("inf_short", "3 cells for 2 x 2"),
        ("data_missing", "no <data>"),
        ("data_two", "a second <data>"),
        ("inf_overlap", "overlap"),
        ("gid_no_tileset", "no tileset starts at or below"),
        ("gid_below_first", "no tileset starts at or below"),
        ("gid_firstgid_max", "cannot be number 4294967295"),
        ("gid_dup_firstgid", "both start at tile 1"),
        ("gid_out_of_range", "tile 998 of tileset"),
        ("gid_u32max", "it would be tile 268435454"),
        ("gid_flags_only", "flags, but no number"),
        ("inf_w_u32max", "side of a chunk: 4294967295"),
        ("inf_w_2p31", "side of a chunk: 2147483648"),
        ("inf_wbig_h1", "side of a chunk: 65536"),
        ("inf_w0_hbig", "`width` of <chunk> is `0`"),
        ("inf_wbig_h0", "`height` of <chunk> is `0`"),
        ("obj_1e7", "pixels from the map's corner: 10000001"),
        ("xml_trailing", "second root"),
        ("xml_tworoots", "second root"),
        ("xml_leadtext", "neither a Tiled map"),
        ("xml_ctrl", "control character"),
        ("xml_lt_in_attr", "`<` in the value"),
        ("xml_badutf8_elem", "not UTF-8"),
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
        ("inf_ok", 4),
        ("inf_true", 4),
        ("inf_mulwrap", 4),
        ("inf_no_chunk", 4),
        ("orient_iso", 4),
        ("gid_bit28", 1),
        ("dim_layer_differs", 4),
        ("prop_dup", 4),
        ("xml_nsattr", 4),
        ("xml_nselem", 4),
        ("tpl_self", 0),
        ("tpl_mutual", 0),
        ("tpl_noobject", 0),
        ("obj_gid_oor", 0),
        ("obj_nan", 0),
        ("obj_inf", 0),
        ("obj_1e308", 0),
        ("obj_neg", 0),
        ("poly_nan", 0),
        ("poly_and_ellipse", 0),
    ];
    for (name, word) in refused {
        let output = info(&folder.join(name).with_extension("tmx")).unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(word), "{name}: {error}");
    }
    for (name, count) in solid {
        let output = info(&folder.join(name).with_extension("tmx")).unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(&format!("\"solid_cells\": {count},")), "{name}: {text}");
    }
}

/// The maps are written here, each with the expected reason of its error, so this test needs no files outside
/// the repository.
#[test]
fn maps_over_a_limit_or_with_broken_xml_are_refused_in_time() {
    let folder = tempfile::tempdir().unwrap();
    for (index, (map, word)) in hostile_maps().into_iter().enumerate() {
        let path = folder.path().join(format!("{index}.tmx"));
        fs::write(&path, map).unwrap();
        let output = info(&path).unwrap_or_else(|error| panic!("{word}: {error}"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(word), "{word}: {error}");
    }
}

fn hostile_maps() -> Vec<(String, &'static str)> {
    let map = |width, height, content: &str| {
        format!(
            r#"<map orientation="orthogonal" width="{width}" height="{height}" tilewidth="16"
            tileheight="16">{content}</map>"#
        )
    };
    let objects = |object: &str, count| {
        format!(r#"<objectgroup name="L">{}</objectgroup>"#, object.repeat(count))
    };
    let full = r#"<object x="1" y="1" width="16382" height="16382"/>"#;
    let thin = r#"<object x="1" y="0" width="1" height="262144"/>"#;
    let long_name = format!(r#"<layer name="{}"/>"#, "x".repeat(2_000_000));
    let text = format!(
        "<properties><property name=\"p\" value='{}'/></properties>",
        "\"".repeat(30_000_000)
    );
    let attributes: String = (0..80_000).map(|i| format!(r#" a{i}="""#)).collect();
    let frames = r#"<frame tileid="0" duration="1"/>"#.repeat(600_000);
    let tile = format!(
        r#"<tileset firstgid="1" tilewidth="1" tileheight="1"><tile id="0"><animation>{frames}</animation></tile></tileset>"#
    );
    let entities =
        r#"<!DOCTYPE map [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><map version="&b;"/>"#;
    vec![
        (map(1_024, 1_024, &objects(full, 65_000)), "steps of work (the limit `work`)"),
        (map(64, 16_384, &objects(thin, 65_000)), "steps of work (the limit `work`)"),
        (map(1, 1, &objects("<object/>", 70_000)), "objects (the limit `objects`): 65537"),
        (
            map(16_384, 16_384, r#"<layer name="L" width="16384" height="16384"><data/></layer>"#),
            "tiles in all layers",
        ),
        (map(1, 1, &long_name), "bytes in the names of a layer"),
        (map(1, 1, &text), "bytes in a text"),
        (map(1, 1, &format!("<layer{attributes}/>")), "attributes of an element"),
        (map(1, 1, &tile), "elements in the files"),
        (map(1, 1, &"<group>".repeat(100_000)), "elements within elements"),
        (map(1, 1, &"<x>".repeat(100_000)), "elements within elements"),
        (
            map(1, 1, "<layer name=\"L\" width=\"1\" height=\"1\"><data/></layer>"),
            "0 cells for 1 x 1",
        ),
        (
            map(
                1,
                1,
                r#"<tileset firstgid="1" source="/dev/zero"/><layer name="L" width="1" height="1">
                <data encoding="csv">1</data></layer>"#,
            ),
            "not relative to the map's folder",
        ),
        (entities.to_owned(), "unrecognized entity"),
        ("<".repeat(10_000_000), "syntax error"),
    ]
}

/// Returns a map of 2 x 2 tiles whose layer `wall` has these cells.
fn small_map(attributes: &str, layer: &str, cells: &str) -> String {
    let layer = support::layer(&format!(r#"name="wall" {layer}"#), [2, 2], cells);
    support::map(attributes, [2, 2], [16, 16], &(tileset([16, 16], 4, "") + &layer))
}

fn load(map: &str, lenient: bool) -> Result<Level, LoadError> {
    let options = LoadOptions { lenient, ..LoadOptions::default() };
    support::try_load(map, &options)
}

#[test]
fn lenient_loading_turns_wrong_cells_into_warnings() {
    for (cells, solid, count) in
        [("1,2,3", 3, 1), ("1,2,3,4,1", 4, 1), ("1,99,77,4", 2, 2), ("1,2,2147483648,4", 3, 1)]
    {
        let map = small_map("", "", cells);
        assert!(load(&map, false).is_err(), "{cells}");
        let options = LoadOptions { lenient: true, ..LoadOptions::default() };
        let loaded = support::load_all(&map, &options);
        assert_eq!(loaded.level.grid().solid_count(), solid, "{cells}");
        let counts = loaded.warnings.iter().map(|warning| warning.count);
        assert_eq!(counts.collect::<Vec<u64>>(), [count], "{cells}");
    }
    let cut = load(&small_map("", "", "1,2,x,4"), true).unwrap();
    assert_eq!(cut.grid().solid_count(), 2, "`x` is not a number");
}

/// The offset moves the chunk outside the cells of the map, and the level grows with it.
#[test]
fn the_walls_of_an_infinite_map_move_with_the_offset_of_their_layer() {
    let chunk = r#"<chunk x="0" y="0" width="1" height="1">1</chunk>"#;
    let moved = r#"offsetx="100" offsety="-40""#;
    let level = load(&small_map(r#"infinite="1""#, moved, chunk), false).unwrap();
    let corner = IVec2::new(100, -40) - level.origin();
    assert!(level.is_solid(corner) && level.is_solid(corner + 15));
    assert_eq!(level.grid().solid_count(), 256);
}

/// The pipe has no writer, so a loader that waits for one would never return.
#[cfg(unix)]
#[test]
fn loading_a_folder_pipe_socket_or_device_fails() {
    let folder = folder(&[]);
    let (pipe, socket) = (folder.path().join("pipe.tmx"), folder.path().join("socket.tmx"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for path in [folder.path(), &pipe, &socket, Path::new("/dev/null")] {
        let error = Level::load_with(path, &LoadOptions::default()).unwrap_err();
        assert!(matches!(error.kind(), LoadErrorKind::NotAFile), "{error}");
    }
    let error = Level::load_with(folder.path().join("none.tmx"), &LoadOptions::default());
    assert!(matches!(error.unwrap_err().kind(), LoadErrorKind::Io(_)));
}
