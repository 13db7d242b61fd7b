//! The command `bitwall diff`: files and revisions, output formats, pictures and exit codes.

use std::fs;
use std::path::Path;

use crate::revisions::git;
use crate::shared::{bitwall_in, folder};
use crate::support::png;
use bitwall::image::{GrayImage, Luma, Rgba};

const TILES: &str = r#"<tileset name="t" tilewidth="16" tileheight="16" tilecount="1" columns="1">
<tile id="0"><properties><property name="solid" type="bool" value="true"/></properties></tile></tileset>"#;

/// Returns a map of 7 x 5 tiles with a wall in the middle column. The wall has a door if `is_open`.
fn map(is_open: bool) -> String {
    let door = if is_open { 0 } else { 1 };
    format!(
        "<map orientation=\"orthogonal\" width=\"7\" height=\"5\" tilewidth=\"16\" tileheight=\"16\">\n\
         <tileset firstgid=\"1\" source=\"../sets/t.tsx\"/>\n\
         <layer id=\"1\" name=\"ground\" width=\"7\" height=\"5\"><data encoding=\"csv\">\n\
         1,1,1,1,1,1,1,\n1,0,0,1,0,0,1,\n1,0,0,{door},0,0,1,\n1,0,0,1,0,0,1,\n1,1,1,1,1,1,1\n</data></layer>\n\
         <objectgroup id=\"2\" name=\"places\"><object id=\"1\" name=\"player\" x=\"24\" y=\"40\"><point/></object>\n\
         <object id=\"2\" name=\"exit\" x=\"88\" y=\"40\"><point/></object></objectgroup></map>\n"
    )
}

fn levels() -> tempfile::TempDir {
    let (open, closed) = (map(true), map(false));
    folder(&[("maps/open.tmx", &open), ("maps/closed.tmx", &closed), ("sets/t.tsx", TILES)])
}

fn diff(folder: &Path, args: &[&str]) -> (i32, String, String) {
    bitwall_in(folder, &[&["diff"], args].concat(), "")
}

#[test]
fn diff_finds_nothing_in_equal_levels_and_names_closed_passages() {
    let folder = levels();
    let root = folder.path();
    let (code, text, _) = diff(root, &["maps/open.tmx", "maps/open.tmx"]);
    assert_eq!((code, text.as_str()), (0, "maps/open.tmx -> maps/open.tmx: no difference\n"));
    let (code, text, error) = diff(root, &["maps/open.tmx", "maps/closed.tmx", "--body", "12x12"]);
    assert_eq!((code, error.as_str()), (1, ""));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "maps/open.tmx -> maps/closed.tmx: 1 cell became solid, in 1 patch; 1 passage closed for 12 x 12 px; \
         1 change of markers"
    );
    assert!(
        text.contains(
            "patch            col 3, row 2 (x 48, y 32, 16 x 16 px): + 1 cell, - 0 cells"
        ),
        "{text}"
    );
    assert!(text.contains("marker `exit`    is walled off from every spawn now"), "{text}");
    let (_, back, _) = diff(root, &["maps/closed.tmx", "maps/open.tmx", "--body", "12x12"]);
    assert!(back.contains("1 passage opened for 12 x 12 px"), "{back}");
    assert!(back.contains("was walled off from every spawn"), "{back}");
}

#[test]
fn diff_states_the_same_changes_in_json_and_markdown() {
    let folder = levels();
    let args = ["maps/open.tmx", "maps/closed.tmx", "--body", "12x12", "--format"];
    let (code, json, _) = diff(folder.path(), &[&args[..], &["json"]].concat());
    assert_eq!(code, 1);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["differs"], &json["added_px"]), (&true.into(), &256.into()));
    assert_eq!(json["patches"][0]["area"], serde_json::json!([48, 32, 16, 16]));
    assert_eq!(json["bodies"][1]["closed"].as_array().unwrap().len(), 1);
    assert_eq!(json["markers"][0]["change"], "parted");
    let (_, text, _) = diff(folder.path(), &[&args[..], &["markdown"]].concat());
    assert!(
        text.starts_with("### `maps/open.tmx` → `maps/closed.tmx`\n\n**1 cell became solid"),
        "{text}"
    );
    assert!(text.contains("\n| | |\n|---|---|\n"), "{text}");
}

#[test]
fn masks_are_compared_with_maps_pixel_by_pixel() {
    let folder = levels();
    let is_wall = |x: u32, y: u32| {
        let (column, row) = (x / 16, y / 16);
        column == 0 || column == 6 || row == 0 || row == 4 || (column == 3 && row != 2)
    };
    let mask = GrayImage::from_fn(112, 80, |x, y| Luma([if is_wall(x, y) { 0 } else { 255 }]));
    fs::write(folder.path().join("open_mask.png"), png(mask)).unwrap();
    let (code, text, _) = diff(folder.path(), &["maps/open.tmx", "open_mask.png"]);
    // Masks have no markers.
    assert_eq!(code, 1);
    assert!(text.starts_with("maps/open.tmx -> open_mask.png: 2 changes of markers\n"), "{text}");
}

#[test]
fn diff_pictures_show_each_patch_before_and_after_and_its_changes() {
    let folder = levels();
    let root = folder.path();
    diff(root, &["maps/open.tmx", "maps/closed.tmx", "--pictures", "out/pictures"]);
    let open = |name: &str| bitwall::image::open(root.join("out/pictures").join(name)).unwrap();
    for name in ["patch-1-before.png", "patch-1-after.png", "patch-1-diff.png"] {
        assert!(open(name).width() > 48, "{name}");
    }
    let colors = |name: &str| {
        let picture = open(name).into_rgba8();
        let of = |color: Rgba<u8>| picture.pixels().filter(|pixel| **pixel == color).count();
        // The outline of the patch, and the labels of the legend in lighter colours.
        (of(Rgba([220, 40, 50, 255])), of(Rgba([0, 130, 220, 255])))
    };
    let (red, blue) = colors("patch-1-diff.png");
    assert!(red > 0 && blue == 0, "{red} {blue}");
    diff(root, &["maps/closed.tmx", "maps/open.tmx", "--pictures", "out/pictures"]);
    let (red, blue) = colors("patch-1-diff.png");
    assert!(red == 0 && blue > 0, "{red} {blue}");
}

#[test]
fn a_map_of_a_revision_uses_the_tilesets_of_that_revision() {
    let folder = levels();
    let root = folder.path();
    git(root, &["init", "-q"]);
    fs::copy(root.join("maps/open.tmx"), root.join("maps/cave.tmx")).unwrap();
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "one"]);
    // In the working tree nothing is solid, because the tileset alone was changed.
    fs::write(root.join("sets/t.tsx"), TILES.replace("solid", "sollid")).unwrap();
    let (code, text, error) = diff(root, &["HEAD:maps/cave.tmx", "HEAD:maps/open.tmx"]);
    assert_eq!(code, 0, "{text}{error}");
    let (code, text, _) = diff(root, &["HEAD:maps/cave.tmx", "maps/cave.tmx"]);
    assert_eq!(code, 1);
    assert!(text.contains("22 cells became passable"), "{text}");
    // In a subfolder, a path that starts with `./` is relative to it, as in git.
    let (code, ..) = diff(&root.join("maps"), &["HEAD:./cave.tmx", "HEAD:maps/open.tmx"]);
    assert_eq!(code, 0);
    let (code, ..) = diff(root, &["HEAD:maps/cave.tmx", "maps/cave.tmx", "--pictures", "p"]);
    assert_eq!((code, root.join("p/patch-1-before.png").is_file()), (1, true));
}

#[test]
fn levels_that_cannot_be_compared_give_exit_code_2_and_the_reason() {
    let folder = levels();
    let root = folder.path();
    git(root, &["init", "-q"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "one"]);
    let open = "maps/open.tmx";
    for (before, reason) in [
        ("maps/none.tmx", "no such file"),
        ("HEAD:maps/none.tmx", "no such file"),
        ("NOREV:maps/open.tmx", "there is neither such a file nor such a revision"),
        ("HEAD:../../etc/passwd", "no such file"),
        ("HEAD:/etc/passwd", "no such file"),
        ("HEAD:maps", "it is a folder"),
        ("HEAD;touch x:maps/open.tmx", "there is neither such a file nor such a revision"),
    ] {
        let (code, out, error) = diff(root, &[before, open]);
        assert_eq!((code, out.as_str()), (2, ""), "{before}");
        assert!(error.contains(reason), "{before}: {error}");
    }
    let (code, _, error) = diff(root, &["--", "--output=x:maps/open.tmx", open]);
    assert_eq!(code, 2, "{error}");
    assert!(!root.join("x").exists());
}
