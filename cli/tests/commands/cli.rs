//! The commands, run as processes like a person or a script does.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::shared::{bitwall, folder, root};
use crate::support::{layer, map, tileset};

#[test]
fn can_move_prints_yes_or_names_the_obstacle() {
    let ask = |step| {
        let body = "--body=114,340,12,20";
        bitwall(&["can-move", "assets/cave.tmx", body, "--dir", "down", "--step", step], "")
    };
    let (code, out, err) = ask("1");
    assert_eq!((code, out.as_str(), err.as_str()), (0, "yes\n", ""));
    let (code, out, err) = ask("500");
    assert_eq!((code, err.as_str()), (1, ""));
    let expected = "no: moves 8 px, stopped by cell (col 7, row 23), tile";
    assert!(out.starts_with(expected), "{out}");
    assert!(out.contains("of tileset `cave` in layer `Collision` (solid by its name)"), "{out}");
}

#[test]
fn can_move_names_an_object_a_mask_pixel_or_the_outside_as_obstacle() {
    let ask = |level, body, dir| {
        let body = format!("--body={body}");
        bitwall(&["can-move", level, &body, "--dir", dir, "--step", "4000"], "").1
    };
    let out = ask("assets/platforms.tmx", "120,150,8,8", "down");
    assert!(out.contains("pixel (x 120, y 187), object"), "{out}");
    assert!(out.contains("in layer `Solids`"), "{out}");
    let out = ask("assets/thin_walls.png", "8,10,10,12", "left");
    assert_eq!(out, "no: moves 7 px, stopped by pixel (x 0, y 10) of the mask\n");
    let out = ask("assets/bricks.tmx", "2,2,8,8", "up");
    assert_eq!(out, "no: moves 2 px, stopped by the outside of the level, cell (col 0, row -1)\n");
}

#[test]
fn can_move_names_a_one_way_tile_as_obstacle() {
    let tiles = tileset([8, 8], 1, r#"<tile id="0" type="oneway"/>"#);
    let content = tiles + &layer(r#"name="a""#, [2, 2], "0,0,0,1");
    let folder = folder(&[("a.tmx", &map("", [2, 2], [8, 8], &content))]);
    let path = folder.path().join("a.tmx");
    let path = path.to_str().unwrap();
    let ask = |dir| {
        let args = ["can-move", path, "--body=9,2,4,4", "--dir", dir, "--step=5"];
        bitwall(&args, "").1
    };
    assert_eq!(
        ask("down"),
        "no: moves 2 px, stopped by cell (col 1, row 1), tile 0 of tileset `t` in layer `a` (one-way)\n"
    );
    assert_eq!(
        ask("up"),
        "no: moves 2 px, stopped by the outside of the level, cell (col 1, row -1)\n"
    );
}

#[test]
fn a_wrong_level_or_argument_ends_with_exit_code_2() {
    for args in [
        &["can-move", "no/such.tmx", "--body=0,0,1,1", "--dir=left", "--step=1"][..],
        &["can-move", "assets/cave.tmx", "--body=0,0,0,1", "--dir=left", "--step=1"],
        &["can-move", "assets/cave.tmx", "--body=0,0,1,1", "--dir=left", "--step=-1"],
        &["can-move", "assets/cave.tmx", "--dir=left", "--step=1"],
        &["info", "assets"],
        &["info", "README.md"],
        &["nonsense"],
    ] {
        let (code, out, err) = bitwall(args, "");
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.starts_with("error: "), "{err}");
    }
    for args in [
        &["info", "Cargo.toml/map.tmx"][..],
        &["render", "assets/bricks.tmx", "-o", "no/such/folder/x.png"],
        &["render", "assets/bricks.tmx", "-o", "Cargo.toml/x.png"],
    ] {
        let (code, _, err) = bitwall(args, "");
        assert_eq!(code, 2);
        assert!(!err.contains("os error") && !err.contains(".bitwall-"), "{err}");
    }
    let (_, _, err) = bitwall(&["info", "no/such.tmx"], "");
    assert_eq!(
        err,
        "error: no/such.tmx: cannot read the file: no such file; check the name and the permissions of \
         the file\n"
    );
}

#[test]
fn each_question_gets_one_line_of_answer() {
    let questions =
        "8 10 10 12 left 3\n8 10 10 12 left 4000\n\t8 10 10 12 up 0\r\n-50 10 10 12 right 9";
    let (code, out, err) =
        bitwall(&["can-move", "assets/thin_walls.png", "--questions", "-"], questions);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out, "yes\t3\nno\t7\t0\t10\nyes\t0\nno\t0\t-40\t10\n");
}

#[test]
fn questions_before_a_bad_line_are_answered_and_that_line_is_named() {
    let questions = "8 10 10 12 left 3\nhello\n8 10 10 12 left 3\n";
    let (code, out, err) =
        bitwall(&["can-move", "assets/thin_walls.png", "--questions", "-"], questions);
    assert_eq!((code, out.as_str()), (2, "yes\t3\n"));
    assert_eq!(err, "error: standard input: line 2: x is `hello`, which is not a whole number\n");
    let long = "9".repeat(5_000_000);
    let (code, _, err) = bitwall(&["can-move", "assets/thin_walls.png", "--questions", "-"], &long);
    assert_eq!(code, 2);
    assert!(err.len() < 400, "a message of {} bytes", err.len());
}

/// The line contains two valid questions, but is too long. No part of it may be answered.
#[test]
fn a_question_of_over_1000_bytes_is_refused() {
    let line = format!("1 2 3 4 left 5{}6 7 8 9 up 1\n", " ".repeat(986));
    let (code, out, err) =
        bitwall(&["can-move", "assets/thin_walls.png", "--questions", "-"], &line);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("line 1: it has over 1000 bytes"), "{err}");
}

/// The exit code is the answer, even if nobody reads the output.
#[cfg(unix)]
#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    let code = |command: &str| {
        let program = env!("CARGO_BIN_EXE_bitwall");
        let script =
            format!("exec 3>&1; {{ sleep 0.1; {program} {command}; echo $? >&3; }} | true");
        let output = Command::new("sh").args(["-c", &script]).current_dir(root()).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let body = "--body 2,2,8,8 --dir up --step";
    for (command, expected) in [
        (&*format!("can-move assets/bricks.tmx {body} 9"), "1\n"),
        (&*format!("can-move assets/bricks.tmx {body} 1"), "0\n"),
        ("verify cli/tests/fixtures/verify/gray-pixels/bad_soft.png", "1\n"),
        ("verify assets", "0\n"),
        ("info no/such.tmx 2>/dev/full", "2\n"),
        ("info assets/bricks.tmx >/dev/full", "2\n"),
    ] {
        assert_eq!(code(command), expected, "{command}");
    }
}

#[test]
fn each_question_is_answered_before_the_next_one_is_written() {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(env!("CARGO_BIN_EXE_bitwall"))
        .current_dir(root())
        .args(["can-move", "assets/thin_walls.png", "--questions", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for step in [3, 4, 5] {
        writeln!(stdin, "8 10 10 12 left {step}").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, format!("yes\t{step}\n"));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_million_questions_are_answered_in_at_most_two_seconds() {
    let mut random = fastrand::Rng::with_seed(8);
    let mut questions = String::new();
    for _ in 0..1_000_000 {
        use std::fmt::Write;
        let (x, y) = (random.i32(-20..700), random.i32(-20..480));
        let dir = ["left", "right", "up", "down"][random.usize(0..4)];
        writeln!(questions, "{x} {y} 12 20 {dir} {}", random.u32(0..64)).unwrap();
    }
    let questions_file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(questions_file.path(), questions).unwrap();
    // Measures processor time with the shell's `times`, because other tests running at the same time slow the
    // process down.
    let output = Command::new("sh")
        .current_dir(root())
        .args(["-c", "\"$0\" can-move assets/cave.tmx --questions \"$1\" && times"])
        .args([Path::new(env!("CARGO_BIN_EXE_bitwall")), questions_file.path()])
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(out.lines().count(), 1_000_002);
    let of_children = out.lines().last().unwrap();
    let seconds = |time: &str| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').unwrap();
        60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap()
    };
    let spent: f64 = of_children.split(' ').map(seconds).sum();
    assert!(spent <= 2.0, "{spent} seconds");
}

#[test]
fn info_prints_the_solid_cells_and_their_rules() {
    let (code, out, _) = bitwall(&["info", "assets/platforms.tmx"], "");
    assert_eq!(code, 0);
    for line in [
        "size      960 x 320 px",
        "rule      tile by property `solid`: 365 tiles",
        "rule      object in layer `Solids` by its name: 4 objects",
        "marker    `player` (spawn) at (x 40, y 216)",
        "marker    `goal` (area) at (x 912, y 128), 40 x 48 px",
    ] {
        assert!(out.contains(line), "{line} in {out}");
    }
    let (_, out, _) = bitwall(&["info", "assets/harbor_mask.png", "--format=json"], "");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["kind"], "mask");
    assert_eq!(json["mask"]["pixels"]["black"], 86_897);
    assert_eq!(json["solid_cells"], 86_897);
    assert_eq!(json["mask"]["pixels"]["gray"], 0);
}

#[test]
fn info_warns_of_areas_that_are_empty() {
    let out = bitwall(&["info", "assets/cave.tmx", "-c", "areas.watr={}"], "").1;
    let line =
        "warning   the area `watr` has nothing in it: of the level, its layers are `Background`";
    assert!(out.contains(line), "{out}");
    assert!(out.contains("; use the same name in the map and in the rule\n"), "{out}");
    let plane = ["info", "assets/harbor_mask.png", "--plane", "sea=#0000ff"];
    let out = bitwall(&plane, "").1;
    let line = "warning   the area `sea` has nothing in it: no pixel is of the plane `sea=#0000ff`; \
                give the plane exactly the colour of its pixels in the mask\n";
    assert!(out.contains(line), "{out}");
    let out = bitwall(&["info", "assets/harbor_mask.png", "--plane", "sea=#ffffff"], "").1;
    assert!(!out.contains("warning"), "{out}");
}

#[test]
fn render_writes_a_complete_picture_or_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("cave.png");
    let name = out.to_str().unwrap();
    let (code, _, err) = bitwall(&["render", "assets/cave.tmx", "-o", name], "");
    assert_eq!((code, err.as_str()), (0, ""));
    let first = std::fs::read(&out).unwrap();
    assert!(bitwall::image::load_from_memory(&first).is_ok());
    // If the level does not load, the old picture stays and no new file remains.
    let (code, _, _) = bitwall(&["render", "assets/README.md", "-o", name], "");
    assert_eq!(code, 2);
    assert_eq!(std::fs::read(&out).unwrap(), first);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let (code, _, _) = bitwall(&["render", "assets/cave.tmx", "-o", "no/such/folder.png"], "");
    assert_eq!(code, 2);
}

#[test]
fn help_has_examples_for_each_command() {
    for command in ["render", "can-move", "info", "verify"] {
        let (code, out, _) = bitwall(&[command, "--help"], "");
        assert_eq!(code, 0);
        let examples = out.split("Examples:").nth(1).unwrap_or_default();
        assert!(examples.contains(&format!("bitwall {command} ")), "{out}");
    }
}

#[test]
fn a_picture_is_written_as_png_and_replaces_only_a_png() {
    let folder = tempfile::tempdir().unwrap();
    let render = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let args = [&["render", "assets/bricks.tmx", "-o", out.to_str().unwrap()], more].concat();
        (bitwall(&args, ""), std::fs::read(&out).unwrap_or_default())
    };
    for name in ["a.png", "a.PNG"] {
        let ((code, _, err), bytes) = render(name, &["--fit", "90x60", "--region", "0,0,100,50"]);
        assert_eq!((code, &*err), (0, ""), "{name}");
        let picture = bitwall::load::decode_picture(name, &bytes).unwrap();
        assert_eq!(picture.dimensions(), (90, 45), "{name}");
        assert!(bytes.starts_with(b"\x89PNG"), "{name}");
    }
    for name in ["a", "a.jpg", "a.png.bak"] {
        let ((code, _, err), bytes) = render(name, &[]);
        assert!(code == 2 && bytes.is_empty() && err.contains("end the name with .png"), "{err}");
    }
    std::fs::write(folder.path().join("b.png"), b"\xff\xd8\xff").unwrap();
    let ((code, _, err), bytes) = render("b.png", &[]);
    assert!(code == 2 && bytes.starts_with(b"\xff\xd8") && err.contains("PNG"), "{err}");
    assert_eq!(render("a.png", &["--view", "collision"]).0.0, 0, "a PNG is replaced");
    let (code, _, err) = bitwall(&["render", "assets/bricks.tmx", "--fit", "9", "-o", "-"], "");
    assert!(code == 2 && err.contains("such as 480x270"), "{err}");
}

/// What a person types at first: a direction in capitals, spaces in place of commas, a negative way.
#[test]
fn boxes_directions_and_steps_are_understood_or_well_answered() {
    let ask = |body: &str, dir: &str, step: &str| {
        let args = ["can-move", "assets/cave.tmx", "--body", body, "--dir", dir, "--step", step];
        bitwall(&args, "")
    };
    let plain = ask("108,340,12,20", "right", "400");
    assert!(plain.1.starts_with("no: moves 136 px"), "{}", plain.1);
    assert_eq!(ask("108 340 12 20", "Right", "400"), plain);
    let (code, _, err) = ask("108,340,12,20", "right", "-4");
    assert!(code == 2 && err.contains("a distance is not negative: --dir says which way"), "{err}");
    let (code, _, err) = ask("108,340,12,20", "right", "4.5");
    assert!(code == 2 && err.contains("a whole number of pixels is needed"), "{err}");
    for body in ["108,,340,12,20", "108 340 12", "108, 340 12 20"] {
        let (code, _, err) = ask(body, "right", "4");
        assert!(code == 2 && err.contains("four whole numbers are needed"), "{body}: {err}");
    }
}

/// The options of a command stand before those of the solids, under a heading of their own.
#[test]
fn the_options_of_a_command_are_not_listed_as_solids_of_a_map() {
    for (command, options) in [
        ("render", &["--out", "--body", "--dir"][..]),
        ("can-move", &["--body", "--dir", "--step"]),
        ("shapes", &["--as"]),
        ("info", &["--compare"]),
    ] {
        let (_, help, _) = bitwall(&[command, "--help"], "");
        let (before, solids) = help.split_once("\nSolids of a map:\n").unwrap();
        for option in options {
            let line = |text: &str| {
                let mut lines = text.lines().map(str::trim_start);
                lines.any(|line| line.starts_with(option) || line.contains(&format!(", {option} ")))
            };
            assert!(line(before) && !line(solids), "{command} {option}: {help}");
        }
    }
}

#[test]
fn the_completions_of_a_shell_name_each_command() {
    for shell in ["bash", "zsh", "fish"] {
        let (code, script, err) = bitwall(&["completions", shell], "");
        assert_eq!((code, &*err), (0, ""));
        for command in ["can-move", "verify", "completions"] {
            assert!(script.contains(command), "{shell} {command}");
        }
    }
    assert_eq!(bitwall(&["completions", "none"], "").0, 2);
}

#[test]
fn each_option_stands_under_its_heading() {
    let program = bitwall_cli::commands::arguments();
    let mut count = 0;
    for command in program.get_subcommands() {
        let name = command.get_name();
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            let expected = match id {
                "solid_layer" | "walkable_layer" | "solid_class" | "solid_property" => {
                    Some("Solids of a map")
                }
                "config"
                | "no_config"
                | "mask"
                | "plane"
                | "keys"
                | "root"
                | "allow_nothing_solid"
                | "level_names"
                | "limit"
                | "stdin_name"
                | "within" => Some("Loading"),
                "baseline" | "write_baseline" | "diff" => Some("Known findings"),
                "annotate" | "quiet" => Some("Output"),
                "format" if name == "verify" => Some("Output"),
                _ => None,
            };
            assert_eq!(argument.get_help_heading(), expected, "{name} {id}");
            count += usize::from(expected.is_some());
        }
    }
    assert!(count > 60, "{count}");
}

#[test]
fn several_levels_are_shown_and_drawn_one_after_the_other() {
    let folder = folder(&[("a/b.png", ""), ("seen/.keep", "")]);
    let seen = folder.path().join("seen");
    let seen = seen.to_str().unwrap();
    let levels = ["assets/bricks.tmx", "assets/cave.tmx"];
    let (code, out, err) = bitwall(&["info", levels[0], levels[1]], "");
    assert_eq!((code, &*err), (0, ""));
    let heads: Vec<&str> = out.lines().filter(|line| line.ends_with(": a map")).collect();
    assert_eq!(heads, levels.map(|level| format!("{level}: a map")));
    let (_, out, _) = bitwall(&["info", levels[0], levels[1], "--format", "json"], "");
    let documents: Vec<serde_json::Value> = serde_json::from_str(&out).unwrap();
    assert_eq!(documents[1]["level"], levels[1]);
    let (code, out, err) = bitwall(&["render", levels[0], levels[1], "-o", seen], "");
    assert_eq!((code, out.lines().count(), &*err), (0, 2, ""));
    for name in ["bricks-both.png", "cave-both.png"] {
        assert!(Path::new(seen).join(name).is_file(), "{name}");
    }
    for (more, reason) in [
        ([levels[0], "-o", seen], "two of the levels would be this file"),
        ([levels[1], "-o", "a.png"], "several levels are written into a folder"),
    ] {
        let (code, _, err) = bitwall(&[&["render", levels[0]], &more[..]].concat(), "");
        assert!(code == 2 && err.contains(reason), "{err}");
    }
    let (code, _, err) = bitwall(&["info", levels[0], levels[1], "--compare", "c.png"], "");
    assert!(code == 2 && err.contains("this is of one level"), "{err}");
}

/// Without a terminal no text is in colour, unless `--color always` asks for it. `NO_COLOR` does not stop it.
#[test]
fn colour_is_in_what_people_read_only_if_it_is_asked_for() {
    let shown = |args: &[&str], no_color: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bitwall"));
        command.args(args).current_dir(root()).env_remove("NO_COLOR");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8(text).unwrap().contains('\u{1b}')
    };
    for args in [
        &["info", "assets/bricks.tmx"][..],
        &["info", "no/such.tmx"],
        &["render", "no/such.tmx"],
        &["explain", "MSK202"],
        &["verify", "cli/tests/fixtures/verify/gray-pixels/bad_soft.png"],
    ] {
        let with = |more: &[&'static str]| [args, more].concat();
        assert!(!shown(args, false) && !shown(args, true), "{args:?}");
        assert!(!shown(&with(&["--color", "never"]), false), "{args:?}");
        assert!(shown(&with(&["--color", "always"]), false), "{args:?}");
    }
    let json = ["info", "assets/bricks.tmx", "--format", "json", "--color", "always"];
    assert!(!shown(&json, false));
}
