//! The option `bitwall verify --baseline`: only new findings count.

use std::fs;
use std::path::Path;

use bitwall::image::{GrayImage, Luma};

use crate::shared::{bitwall_in, folder};
use crate::support::{layer, map, objects};

/// Writes a mask of 32 x 8 pixels with `count` gray pixels in a row, from column `first` on.
pub(crate) fn gray(path: &Path, first: u32, count: u32) {
    let mut mask = GrayImage::from_pixel(32, 8, Luma([255]));
    (0..32).for_each(|x| mask.put_pixel(x, 0, Luma([0])));
    (first..first + count).for_each(|x| mask.put_pixel(x, 4, Luma([99])));
    mask.save(path).unwrap();
}

/// Runs `verify`. Returns the exit code, the findings as `path code`, and standard error.
pub(crate) fn verify(root: &Path, args: &[&str]) -> (i32, Vec<String>, String) {
    let args = [&["verify", "--format", "concise"], args].concat();
    let (code, out, err) = bitwall_in(root, &args, "");
    let short = |line: &str| {
        let (path, rest) = line.split_once(": ").unwrap();
        format!("{path} {}", rest.split(['[', ']']).nth(1).unwrap())
    };
    (code, out.lines().map(short).collect(), err)
}

#[test]
fn with_a_baseline_only_new_findings_count() {
    let root = folder(&[(".git/HEAD", ""), ("maps/.keep", "")]);
    let root = root.path();
    gray(&root.join("maps/a_mask.png"), 3, 2);
    gray(&root.join("maps/b_mask.png"), 3, 2);
    let baseline = ["--baseline", "known.json"];
    let (code, _, err) = verify(root, &baseline);
    assert!(code == 2 && err.contains("known.json: ") && err.contains("--write-baseline"), "{err}");
    let (code, out, err) = verify(root, &[&baseline[..], &["--write-baseline"]].concat());
    assert_eq!((code, out.len()), (0, 0), "{err}");
    assert!(err.contains("known.json: 2 findings known from now on"), "{err}");
    let (code, out, err) = verify(root, &baseline);
    assert_eq!((code, out.len()), (0, 0));
    assert!(err.contains("2 known findings not shown; 0 fixed\n"), "{err}");

    // The baseline applies in every working folder, and to any subset of the files.
    let (code, _, _) = verify(&root.join("maps"), &["--baseline", "../known.json", "a_mask.png"]);
    assert_eq!(code, 0);

    // More gray pixels elsewhere are no new finding. A new file has a new finding; a repaired file and a
    // deleted file count as fixed.
    gray(&root.join("maps/a_mask.png"), 9, 3);
    gray(&root.join("maps/b_mask.png"), 3, 0);
    gray(&root.join("maps/c_mask.png"), 3, 1);
    let (code, out, err) = verify(root, &baseline);
    assert_eq!((code, out), (1, vec!["maps/c_mask.png MSK202".to_owned()]));
    assert!(err.contains("1 known finding not shown; 1 fixed"), "{err}");
    fs::remove_file(root.join("maps/b_mask.png")).unwrap();
    let (_, _, err) = verify(root, &[&baseline[..], &["maps/c_mask.png"]].concat());
    assert!(err.contains("0 known findings not shown; 1 fixed"), "{err}");

    // A baseline has the findings of the run that writes it.
    assert_eq!(verify(root, &[&baseline[..], &["--write-baseline"]].concat()).0, 0);
    let (code, _, err) = verify(root, &baseline);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("2 known findings not shown; 0 fixed"), "{err}");
    let text = fs::read_to_string(root.join("known.json")).unwrap();
    assert!(!text.contains("b_mask") && !text.contains(root.to_str().unwrap()), "{text}");
}

#[test]
fn a_file_that_is_no_baseline_is_neither_read_nor_replaced() {
    let root = folder(&[("m.json", "{\"layers\": []}")]);
    gray(&root.path().join("a_mask.png"), 3, 2);
    for more in [&[][..], &["--write-baseline"]] {
        let (code, _, err) = verify(root.path(), &[&["--baseline", "m.json"], more].concat());
        assert!(code == 2 && err.contains("m.json: not a baseline"), "{err}");
    }
    assert_eq!(fs::read_to_string(root.path().join("m.json")).unwrap(), "{\"layers\": []}");
    let (code, _, err) = verify(root.path(), &["--write-baseline"]);
    assert!(code == 2 && err.contains("--baseline"), "{err}");
}

/// Returns a map with solid objects at these x coordinates, after `lines` empty lines. An object with a
/// negative x is outside the map.
fn with_objects(lines: usize, at: &[i32]) -> String {
    let object = |(id, x): (usize, &i32)| {
        format!(r#"<object id="{}" x="{x}" y="0" width="8" height="8"/>"#, id + 1)
    };
    let all: String = [0].iter().chain(at).enumerate().map(object).collect();
    let ground = layer(r#"name="a""#, [2, 1], "0,0");
    map("", [2, 1], [8, 8], &format!("{}{ground}{}", "\n".repeat(lines), objects("walls", &all)))
}

/// Two clones of a repository, and the files of a revision, are in different folders.
#[test]
fn a_fingerprint_does_not_depend_on_the_folder_of_the_repository() {
    let print = || {
        let map = map("", [1, 1], [8, 8], r#"<tileset firstgid="1" source="../../t.tsx"/>"#);
        let root = folder(&[("a/m.tmx", &map), (".git/HEAD", ""), ("bitwall.toml", "")]);
        let (_, out, _) = bitwall_in(root.path(), &["verify", "--format", "json"], "");
        let value: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(value["findings"][0]["code"], "TMX106", "{out}");
        value["findings"][0]["fingerprint"].clone()
    };
    assert_eq!(print(), print());
}

#[test]
fn findings_of_a_configuration_enter_and_leave_the_baseline() {
    let clean = with_objects(0, &[]);
    let root = folder(&[
        ("bitwall.toml", "[verify]\n"),
        ("a/bitwall.toml", "[[verify.pair]]\nmask = 'gone.png'\nart = 'x.png'\n"),
        ("a/m.tmx", &clean),
        (".git/HEAD", ""),
    ]);
    let root = root.path();
    let baseline = ["--baseline", "known.json"];
    let write = [&baseline[..], &["--write-baseline"]].concat();
    assert_eq!(verify(root, &write).0, 0);
    assert_eq!(verify(root, &baseline).0, 0);
    fs::write(root.join("a/bitwall.toml"), "[verify]\n").unwrap();
    let (_, _, err) = verify(root, &baseline);
    assert!(err.contains("0 known findings not shown; 1 fixed"), "{err}");
    assert_eq!(verify(root, &write).0, 0);
    assert!(!fs::read_to_string(root.join("known.json")).unwrap().contains("IO004"));
}

#[test]
fn an_additional_fault_of_a_kind_is_new_but_a_removed_or_moved_one_is_not() {
    let root = folder(&[("m.tmx", &with_objects(0, &[-40, -60])), (".git/HEAD", "")]);
    let root = root.path();
    let baseline = ["--baseline", "known.json"];
    let (code, out, err) = verify(root, &[]);
    assert_eq!((code, out), (1, vec!["m.tmx TMX116".to_owned()]), "{err}");
    assert_eq!(verify(root, &[&baseline[..], &["--write-baseline"]].concat()).0, 0);
    for (lines, at) in [(0, &[-40, -60][..]), (7, &[-40, -60]), (0, &[-60]), (3, &[-99])] {
        fs::write(root.join("m.tmx"), with_objects(lines, at)).unwrap();
        let (code, out, err) = verify(root, &baseline);
        assert_eq!((code, out.len()), (0, 0), "{at:?}: {err}");
    }
    fs::write(root.join("m.tmx"), with_objects(0, &[-40, -50, -60, -70])).unwrap();
    let args = [&["verify", "--format", "concise"], &baseline[..]].concat();
    let (code, out, _) = bitwall_in(root, &args, "");
    let line = "m.tmx: warning[TMX116] a solid object lies outside of the map, and 3 more; 2 new: object 4; object 5 (";
    // The first object is known, so the line does not name its cell.
    assert!(code == 1 && out.starts_with(line) && !out.contains("line "), "{out}");
    // After they are written to the baseline, the findings are known.
    assert_eq!(verify(root, &[&baseline[..], &["--write-baseline"]].concat()).0, 0);
    assert_eq!(verify(root, &baseline).0, 0);
}

#[test]
fn all_findings_of_a_rule_are_printed_and_are_in_the_baseline() {
    let root = folder(&[("m.tmx", &with_objects(0, &[])), (".git/HEAD", "")]);
    let root = root.path();
    let require = |names: &[&str]| {
        let config = format!("[verify]\nrequired-layers = {names:?}\n");
        fs::write(root.join("bitwall.toml"), config).unwrap();
    };
    let baseline = ["--baseline", "known.json"];
    let names = ["eins", "zwei", "drei", "vier", "fuenf", "sechs", "sieben"];
    require(&names[..6]);
    let (code, out, err) = bitwall_in(root, &["verify"], "");
    assert_eq!((code, out.matches("error[TMX123]").count()), (1, 6), "{out}");
    assert!(err.contains("6 errors"), "{err}");
    let (_, out, _) = bitwall_in(root, &["verify", "--format", "json"], "");
    assert_eq!(out.matches("\"TMX123\"").count(), 6, "{out}");
    assert_eq!(verify(root, &[&baseline[..], &["--write-baseline"]].concat()).0, 0);
    let (code, _, err) = verify(root, &baseline);
    assert!(code == 0 && err.contains("6 known findings not shown"), "{err}");
    require(&names);
    let args = [&["verify", "--format", "concise"], &baseline[..]].concat();
    let (code, out, _) = bitwall_in(root, &args, "");
    assert_eq!((code, out.lines().count()), (1, 1), "{out}");
    assert!(out.contains("there is no layer `sieben`"), "{out}");
    // The search ends at a limit on findings, and the output says so.
    let many: Vec<String> = (0..70).map(|index| format!("layer {index}")).collect();
    require(&many.iter().map(String::as_str).collect::<Vec<_>>());
    let (code, _, err) = bitwall_in(root, &["verify"], "");
    assert!(code == 1 && err.contains("the first 64 findings are reported: TMX123"), "{err}");
}

#[test]
fn a_mask_whose_black_and_white_were_exchanged_looks_inverted() {
    let root = folder(&[(".git/HEAD", "")]);
    let path = root.path().join("a_mask.png");
    let write = |wall: u8, share: u32| {
        let mask =
            GrayImage::from_fn(20, 20, |x, _| Luma([if x < share { wall } else { 255 - wall }]));
        mask.save(&path).unwrap();
    };
    write(0, 6);
    let baseline = ["verify", "--quiet", "--baseline", "known.json"];
    bitwall_in(root.path(), &[&baseline[..], &["--write-baseline"]].concat(), "");
    let note = "it looks inverted: as much is solid now as was passable before";
    write(255, 6);
    let (_, out, _) = bitwall_in(root.path(), &baseline, "");
    assert!(out.contains("LVL310") && out.contains(note), "{out}");
    write(0, 12);
    let (_, out, _) = bitwall_in(root.path(), &baseline, "");
    assert!(out.contains("LVL310") && !out.contains(note), "{out}");
}
