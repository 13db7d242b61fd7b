//! The commands and arguments around `bitwall verify`: rules, explain, standard input, limits, colours,
//! pictures of findings, and help.

use std::fs;
use std::process::{Command, Stdio};

use bitwall_cli::lint::RULES;
use serde_json::Value;

use crate::shared::{bitwall, bitwall_in, folder};

const GRAY: &str = "tests/fixtures/verify/gray-pixels/bad_soft.png";

/// Runs the program in the folder of the package, with a file as standard input.
fn with_stdin(args: &[&str], file: &str) -> (i32, Vec<u8>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_bitwall"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::from(fs::File::open(file).unwrap()))
        .output()
        .unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), output.stdout, err)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn every_rule_is_listed_and_explained() {
    let (code, out, _) = bitwall(&["rules"], "");
    assert_eq!(code, 0);
    assert_eq!(out.lines().count(), RULES.len());
    for (line, rule) in out.lines().zip(RULES) {
        let state = match (rule.fixed, rule.is_default) {
            (true, _) => "always",
            (false, true) => "on",
            (false, false) => "off",
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..4], [rule.code, rule.name, rule.severity.name(), state], "{line}");
        assert_eq!(line, line.trim_end());
        for name in [rule.code, rule.name] {
            let (code, out, _) = bitwall(&["explain", name], "");
            assert_eq!(code, 0, "{name}");
            assert!(out.starts_with(&format!("{} {} (", rule.code, rule.name)), "{out}");
            assert!(out.contains("\nWhy it matters\n") && !out.contains("# "), "{out}");
        }
    }
    let (code, _, err) = bitwall(&["explain", "gray-pixel"], "");
    assert!(code == 2 && err.contains("did you mean `gray-pixels`?"), "{err}");
    let (code, _, err) = bitwall(&["explain", "MSK"], "");
    assert!(code == 2 && err.contains("one rule is needed"), "{err}");
}

#[test]
fn commands_answer_the_same_for_standard_input_and_a_file() {
    for (args, file) in [
        (&["info", "--format", "json"][..], "../assets/harbor_mask.png"),
        (&["info"], "../assets/cave.tmx"),
        (
            &["can-move", "--body=8,10,10,12", "--dir=left", "--step=4000"],
            "../assets/thin_walls.png",
        ),
        (&["render", "--view=collision", "-o", "-"], "../assets/cave.tmx"),
        (&["render", "--view=art", "-o", "-"], "../assets/harbor_mask.png"),
        (&["render", "-o", "-"], "../assets/cave.tmx"),
        (&["verify", "--format", "json"], "../assets/cave.tmx"),
        (&["verify", "--format", "json"], GRAY),
    ] {
        let of_file = [args, &[file]].concat();
        let (code, expected, err) = with_stdin(&of_file, "Cargo.toml");
        let of_input = [args, &["-", "--stdin-name", file]].concat();
        assert_eq!(with_stdin(&of_input, file), (code, expected, err), "{of_input:?}");
    }
    let cave = "../assets/cave.tmx";
    let (code, out, _) = with_stdin(&["diff", "-", cave, "--stdin-name", cave], cave);
    assert_eq!((code, text(out)), (0, format!("{cave} -> {cave}: no difference\n")));
    let (code, out, _) = with_stdin(&["diff", GRAY, "-"], "../assets/thin_walls.png");
    assert!(code == 1 && text(out).starts_with(&format!("{GRAY} -> standard input: ")));
    // Without a name, the content decides the format.
    let (code, out, err) = with_stdin(&["info", "-"], "../assets/harbor_mask.png");
    assert_eq!((code, &*err), (0, ""));
    assert!(text(out).starts_with("standard input: a mask\n"));
    let (code, out, _) = with_stdin(&["verify", "-", "--format", "concise"], GRAY);
    assert!(code == 1 && text(out).starts_with("standard input: error[MSK202] "));
}

#[test]
fn standard_input_is_read_for_one_argument_only() {
    let question = folder(&[("q.txt", "8 10 10 12 left 3\n")]);
    let questions = question.path().join("q.txt");
    let args = ["can-move", "-", "--questions", questions.to_str().unwrap()];
    let (code, out, _) = with_stdin(&args, "../assets/thin_walls.png");
    assert_eq!((code, text(out)), (0, "yes\t3\n".to_owned()));
    for (args, expected) in [
        (&["diff", "-", "-"][..], "standard input is one level"),
        (&["can-move", "-", "--questions", "-"], "the questions cannot be"),
        (&["verify", "-", "--diff", "HEAD"], "--diff"),
        (&["verify", "-", "--annotate", "x"], "--annotate"),
        (&["verify", "-", "--fix", "--stdin-name", "../assets/thin_walls.png"], "--fix"),
        (&["info", "../assets/cave.tmx", "--stdin-name", "x.tmx"], "give the level as -"),
        (&["info", "-", "--limit", "bytes=20"], "the limit is 10"),
    ] {
        let (code, _, err) = with_stdin(args, "../assets/thin_walls.png");
        assert!(code == 2 && err.contains(expected), "{args:?}: {err}");
    }
}

#[test]
fn answers_in_json_name_the_obstacle_and_the_distance_moved() {
    let ask = |level, body: &str, dir, step| {
        let body = format!("--body={body}");
        let args = ["can-move", level, &body, "--dir", dir, "--step", step, "--format", "json"];
        let (code, out, _) = bitwall(&args, "");
        (code, serde_json::from_str::<Value>(&out).unwrap())
    };
    let (code, json) = ask("../assets/cave.tmx", "114,340,12,20", "down", "500");
    assert_eq!(code, 1);
    assert_eq!((&json["can_move"], &json["moved"]), (&false.into(), &8.into()));
    let obstacle = &json["obstacle"];
    assert_eq!(obstacle["cell"], serde_json::json!([7, 23]));
    assert_eq!(
        (&obstacle["layer"], &obstacle["tile"]["tileset"]),
        (&"Collision".into(), &"cave".into())
    );
    let (code, json) = ask("../assets/cave.tmx", "114,340,12,20", "down", "1");
    assert_eq!((code, &json["can_move"], &json["obstacle"]), (0, &true.into(), &Value::Null));
    let (_, json) = ask("../assets/bricks.tmx", "2,2,8,8", "up", "4000");
    assert_eq!(json["obstacle"]["is_outside"], true);

    let questions = "8 10 10 12 left 3\n8 10 10 12 left 4000\n";
    let (code, out, _) = bitwall(
        &["can-move", "../assets/thin_walls.png", "--questions", "-", "--format", "json"],
        questions,
    );
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, lines.len()), (0, 2));
    assert_eq!(lines[0], serde_json::json!({"can_move": true, "moved": 3, "cell": null}));
    assert_eq!(lines[1], serde_json::json!({"can_move": false, "moved": 7, "cell": [0, 10]}));
}

#[test]
fn limit_options_raise_and_lower_load_limits() {
    let (code, _, err) = bitwall(&["info", "../assets/cave.tmx", "--limit", "cells=1"], "");
    assert!(code == 2 && err.contains("the limit is 1"), "{err}");
    let (code, _, _) = bitwall(
        &["info", "../assets/cave.tmx", "--limit", "objects=9999", "--limit", "cells=2^30"],
        "",
    );
    assert_eq!(code, 0);
    let (code, _, err) = bitwall(&["verify", "../assets", "--limit", "layer=9"], "");
    assert!(code == 2 && err.contains("the limits are bytes, pixels, "), "{err}");
    let (code, out, _) = bitwall(&["verify", "../assets/cave.tmx", "--limit", "cells=1"], "");
    assert!(code == 1 && out.contains("IO001"), "{out}");
    let (code, _, err) = bitwall(&["verify", "../assets", "--max-files", "2"], "");
    assert!(code == 2 && err.contains("more than 2 maps") && err.contains("--max-files"), "{err}");
}

#[test]
fn output_is_quiet_or_coloured_on_demand() {
    let (code, out, err) = bitwall(&["verify", "--quiet", GRAY], "");
    assert!(code == 1 && out.starts_with("error[MSK202]") && err.is_empty(), "{err}");
    let (_, out, _) = bitwall(&["verify", "--color", "always", GRAY], "");
    assert!(out.starts_with("\u{1b}[1m\u{1b}[31merror[MSK202]\u{1b}[0m"), "{out:?}");
    for when in ["never", "auto"] {
        let (_, out, _) = bitwall(&["--color", when, "verify", GRAY], "");
        assert!(!out.contains('\u{1b}'), "{when}");
    }
    let (_, out, _) = bitwall(&["explain", "MSK202", "--color", "always"], "");
    assert!(out.contains("\u{1b}[1mWhy it matters\u{1b}[0m"), "{out:?}");
}

#[test]
fn annotate_draws_a_picture_of_a_level_with_its_findings() {
    let folder = folder(&[("maps/broken.tmx", "<map"), (".git/HEAD", "")]);
    let root = folder.path();
    fs::copy(GRAY, root.join("maps/a_mask.png")).unwrap();
    let (code, _, err) = bitwall_in(root, &["verify", "--annotate", "out"], "");
    assert_eq!(code, 1);
    assert!(err.contains("out/maps/a_mask.png-findings.png: 1 finding\n"), "{err}");
    assert!(err.contains("1 file not drawn: no level, or no finding with a place in it"), "{err}");
    let picture = root.join("out/maps/a_mask.png-findings.png");
    let picture = bitwall::load::load_picture(picture).unwrap();
    assert_eq!(picture.dimensions(), (192, 128), "8 times the mask");
    let orange = bitwall::image::Rgba([213, 94, 0, 255]);
    assert!(picture.pixels().filter(|pixel| **pixel == orange).count() > 20);
    // The next run must not check these pictures as masks.
    let (_, again, err) = bitwall_in(root, &["verify", "--format", "concise"], "");
    assert!(!again.contains("out/") && !err.contains("picture"), "{again}{err}");
    let (code, _, err) = bitwall_in(root, &["verify", "--annotate", "maps/a_mask.png/x"], "");
    assert!(code == 2 && err.contains("cannot make the folder"), "{err}");
}

#[test]
fn each_command_has_examples_in_its_help() {
    for command in ["rules", "explain"] {
        let (code, out, _) = bitwall(&[command, "--help"], "");
        let examples = out.split("Examples:").nth(1).unwrap_or_default();
        assert!(code == 0 && examples.contains(&format!("bitwall {command}")), "{out}");
    }
}
