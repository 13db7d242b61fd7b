//! `bitwall mcp`: the protocol with right and hostile lines, the tools, and what is outside of the folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::shared::{asset, bitwall, bitwall_in, root};

/// Sends lines to a server in `folder`, and returns its answers.
fn answers(folder: &Path, lines: &[u8]) -> Vec<Value> {
    let input = tempfile::NamedTempFile::new().unwrap();
    fs::write(input.path(), lines).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_bitwall"))
        .args(["mcp", "."])
        .current_dir(folder)
        .stdin(fs::File::open(input.path()).unwrap())
        .output()
        .unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn answer(line: &str) -> Value {
    let [answer] = <[Value; 1]>::try_from(answers(root(), line.as_bytes())).unwrap();
    answer
}

fn request(id: u64, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string() + "\n"
}

/// Calls tools, one after another, and returns for each the text and whether it is an error.
fn calls(folder: &Path, all: &[(&str, Value)]) -> Vec<(String, bool)> {
    let lines = (0..).zip(all).map(|(id, (name, arguments))| {
        request(id, "tools/call", &json!({"name": name, "arguments": arguments}))
    });
    let answers = answers(folder, lines.collect::<String>().as_bytes());
    assert_eq!(answers.len(), all.len());
    let results = answers.iter().map(|answer| {
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(text.len() < 20_200, "{text}");
        (text.to_owned(), result["isError"].as_bool().unwrap())
    });
    results.collect()
}

fn called(folder: &Path, name: &str, arguments: Value) -> (String, bool) {
    calls(folder, &[(name, arguments)]).remove(0)
}

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn the_version_of_the_client_is_taken_if_it_is_known() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let answer = answer(&request(7, "initialize", &json!({"protocolVersion": version})));
        assert_eq!(answer["result"]["protocolVersion"], version);
        assert_eq!(
            (&answer["id"], &answer["result"]["capabilities"]["tools"]),
            (&json!(7), &json!({}))
        );
    }
    for version in ["2026-07-28", "1999-01-01", ""] {
        let answer = answer(&request(7, "initialize", &json!({"protocolVersion": version})));
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    }
    assert_eq!(code(&answer(&request(7, "initialize", &json!({})))), -32_602);
    // A client of a newer kind asks this first, and then sends `initialize`.
    assert_eq!(code(&answer(&request(7, "server/discover", &json!({})))), -32_601);
}

#[test]
fn each_line_that_is_no_request_has_its_error_and_the_server_goes_on() {
    for (line, expected) in [
        ("{", -32_700),
        ("no JSON", -32_700),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} x", -32_700),
        ("\u{0}", -32_700),
        ("7", -32_600),
        ("null", -32_600),
        ("{}", -32_600),
        ("{\"id\":1,\"method\":\"ping\"}", -32_600),
        ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", -32_600),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", -32_600),
        ("{\"jsonrpc\":\"2.0\",\"id\":1}", -32_600),
        ("[]", -32_600),
        ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32_600),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/none\"}", -32_601),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[1]}", -32_602),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}", -32_602),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"rm\"}}",
            -32_602,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"look\",\
             \"arguments\":[]}}",
            -32_602,
        ),
    ] {
        let lines = format!("{line}\n{}", request(2, "ping", &json!({})));
        let answers = answers(root(), lines.as_bytes());
        assert_eq!((answers.len(), code(&answers[0])), (2, expected), "{line}");
        assert!(!answers[0]["error"]["message"].as_str().unwrap().is_empty());
        assert_eq!(answers[1]["result"], json!({}));
    }
    let deep = "[".repeat(100_000) + "\n";
    assert_eq!(code(&answer(&deep)), -32_700);
}

#[test]
fn a_line_over_a_mebibyte_is_refused_and_passed_over() {
    let ping = request(1, "ping", &json!({}));
    let longest = ping.trim_end().to_owned() + &" ".repeat((1 << 20) - ping.trim_end().len());
    assert_eq!(answer(&longest)["result"], json!({}));
    assert_eq!(answer(&(longest.clone() + "\n"))["result"], json!({}));
    let mut lines = longest.into_bytes();
    lines.push(b' ');
    lines.extend(vec![b'x'; 9 << 20]);
    assert_eq!(code(&answers(root(), &lines)[0]), -32_600);
    lines.push(b'\n');
    lines.extend(ping.bytes());
    let answers = answers(root(), &lines);
    assert_eq!((answers.len(), code(&answers[0])), (2, -32_600));
    assert_eq!((&answers[0]["id"], &answers[1]["id"]), (&Value::Null, &json!(1)));
}

#[test]
fn a_million_random_bytes_end_nothing() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut lines: Vec<u8> = (0..1 << 20).map(|_| random.u8(..)).collect();
    lines.push(b'\n');
    // Parts of requests in any order.
    let parts = [
        "{",
        "}",
        "[",
        "\"id\":",
        "1",
        ",",
        "\"method\":\"tools/call\"",
        "\"params\":{",
        "\n",
        "\"jsonrpc\":\"2.0\"",
    ];
    for _ in 0..1 << 15 {
        lines.extend(parts[random.usize(..parts.len())].bytes());
    }
    lines.push(b'\n');
    lines.extend(request(7, "ping", &json!({})).bytes());
    let answers = answers(root(), &lines);
    assert!(answers.len() > 1_000);
    assert_eq!(answers.last().unwrap()["result"], json!({}));
}

#[test]
fn ids_of_any_kind_come_back_and_notifications_and_responses_are_not_answered() {
    for id in [json!(0), json!(-1.5), json!("a\u{e4}\""), json!(null), json!(u64::MAX), json!([1])]
    {
        let line = json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string();
        assert_eq!(answer(&line), json!({"jsonrpc": "2.0", "id": id, "result": {}}));
    }
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","method":"no/such","params":[1]}"#,
        r#"{"jsonrpc":"2.0","id":4,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":4,"error":{"code":1,"message":"x"}}"#,
        "",
        " \t\r",
    ] {
        assert_eq!(answers(root(), format!("{line}\n").as_bytes()), Vec::<Value>::new(), "{line}");
    }
}

#[test]
fn a_batch_is_refused_in_each_version() {
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let lines = request(0, "initialize", &json!({"protocolVersion": version}))
            + &json!([ping]).to_string();
        let answers = answers(root(), lines.as_bytes());
        assert_eq!(code(&answers[1]), -32_600, "{version}");
    }
}

#[test]
fn each_tool_describes_its_arguments_and_takes_them() {
    let listed = answer(&request(1, "tools/list", &json!({})));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["look", "why", "can_move", "verify", "reach", "diff"]);
    for tool in tools {
        let schema = &tool["inputSchema"];
        assert_eq!(
            (&schema["type"], &schema["additionalProperties"]),
            (&json!("object"), &json!(false))
        );
        for (key, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].as_str().unwrap().len() > 10, "{key}");
        }
        for key in schema["required"].as_array().into_iter().flatten() {
            assert!(schema["properties"].get(key.as_str().unwrap()).is_some(), "{key}");
        }
    }
    let root = root();
    for (name, arguments) in [
        (
            "look",
            json!({"level": "assets/cave.tmx", "region": [0, 0, 64, 64], "fit": "80x40", "skip": 0}),
        ),
        ("why", json!({"level": "assets/cave.tmx", "at": [3, 4]})),
        ("why", json!({"level": "assets/cave.tmx", "cell": [3, 4]})),
        (
            "can_move",
            json!({"level": "assets/cave.tmx", "body": [108, 340, 12, 20], "dir": "up", "step": 3}),
        ),
        ("verify", json!({"path": "assets/cave.tmx"})),
        (
            "diff",
            json!({"before": "assets/cave.tmx", "after": "assets/hills.tmx", "body": "12x20"}),
        ),
        (
            "reach",
            json!({"level": "assets/hills.tmx", "from": "player", "to": "goal", "body":
                {"size": "12x24", "name": "hero", "moves": {"view": "side", "jump-height": 80}}}),
        ),
    ] {
        let (text, is_error) = called(root, name, arguments);
        assert!(!is_error && !text.is_empty(), "{name}: {text}");
    }
}

#[test]
fn a_tool_says_what_its_command_says() {
    let root = root();
    for (name, arguments, line) in [
        ("look", json!({"level": "assets/hills.tmx"}), "render assets/hills.tmx --view text"),
        (
            "look",
            json!({"level": "assets/cave.tmx", "region": [-9, 0, 99, 64]}),
            "render assets/cave.tmx --view text --region -9,0,99,64",
        ),
        (
            "why",
            json!({"level": "assets/hills.tmx", "cell": [15, 10]}),
            "info assets/hills.tmx --cell 15,10",
        ),
        (
            "can_move",
            json!({"level": "assets/cave.tmx", "body": [108, 340, 12, 20], "dir": "right", "step": 400}),
            "can-move assets/cave.tmx --body 108,340,12,20 --dir right --step 400",
        ),
        (
            "diff",
            json!({"after": "assets/hills.tmx", "before": "assets/cave.tmx"}),
            "diff assets/cave.tmx assets/hills.tmx",
        ),
    ] {
        let (text, is_error) = called(root, name, arguments);
        let args: Vec<&str> = line.split(' ').collect();
        assert_eq!((is_error, text), (false, bitwall(&args, "").1), "{line}");
    }
    let (text, _) = called(root, "verify", json!({"path": "cli/tests/fixtures/verify"}));
    let (_, findings, summary) =
        bitwall(&["verify", "--format", "concise", "cli/tests/fixtures/verify"], "");
    assert!(findings.lines().count() > 10);
    let first = text.split("error[").nth(1).unwrap_or_else(|| panic!("{text}"));
    assert!(findings.contains(first.split(']').next().unwrap()), "{first}");
    let count =
        summary.lines().find(|line| line.contains("checked:")).unwrap().split('.').next().unwrap();
    assert!(text.contains(count), "{text}\n{count}");
}

#[test]
fn what_a_tool_cannot_do_is_a_result_in_plain_words() {
    let all = [
        ("look", json!({}), "not provided: <LEVEL>"),
        ("look", json!({"level": "no/such.tmx"}), "no/such.tmx: "),
        ("look", json!({"level": "README.md"}), "README.md: "),
        ("look", json!({"level": "-"}), "./-: "),
        (
            "look",
            json!({"level": "assets/cave.tmx", "region": "a"}),
            "four whole numbers are needed",
        ),
        (
            "look",
            json!({"level": "assets/cave.tmx", "region": [9000, 0, 1, 1]}),
            "no pixel of the picture",
        ),
        (
            "look",
            json!({"level": "assets/cave.tmx", "out": "x.txt"}),
            "`out` is no argument of this tool",
        ),
        ("look", json!({"level": "assets/cave.tmx", "view": "both"}), "`view` is no argument"),
        ("why", json!({"level": "assets/cave.tmx"}), "name a pixel"),
        ("why", json!({"level": "assets/cave.tmx", "at": [1.5, 2]}), "two whole numbers"),
        (
            "can_move",
            json!({"level": "assets/cave.tmx", "body": [0, 0, 0, 1], "dir": "up", "step": 1}),
            "above 0",
        ),
        (
            "can_move",
            json!({"level": "assets/cave.tmx", "body": [0, 0, 1, 1], "dir": "north", "step": 1}),
            "north",
        ),
        ("can_move", json!({"level": "assets/cave.tmx", "dir": "up", "step": 1}), "not provided"),
        ("verify", json!({"path": "assets/walker.tsx", "fix": true}), "`fix` is no argument"),
        ("verify", json!({"path": "no/such"}), "there is no file or folder"),
        (
            "reach",
            json!({"level": "assets/cave.tmx", "body": {"size": "12by3"}}),
            "`verify.body.size`",
        ),
        (
            "reach",
            json!({"level": "assets/cave.tmx", "body": {"size": "9x9", "moves": {"view": "side", "hop": 3}}}),
            "hop",
        ),
        ("diff", json!({"before": "assets/cave.tmx"}), "after"),
        (
            "diff",
            json!({"before": "none:assets/cave.tmx", "after": "assets/cave.tmx"}),
            "none:assets/cave.tmx",
        ),
        ("diff", json!({"before": "x".repeat(50_000), "after": "-"}), ""),
    ];
    let asked: Vec<(&str, Value)> = all.iter().map(|(name, of, _)| (*name, of.clone())).collect();
    for ((name, arguments, expected), (text, is_error)) in all.iter().zip(calls(root(), &asked)) {
        assert!(is_error && text.contains(expected), "{name} {arguments}: {text}");
    }
}

#[test]
fn an_answer_is_bounded_and_says_how_to_get_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    // Each of many goals has a line of its own.
    for number in 0..400 {
        let map = format!(
            "<map orientation=\"orthogonal\" width=\"2\" height=\"2\" tilewidth=\"8\" tileheight=\"8\">\
             <layer name=\"{number}\" width=\"2\" height=\"2\"><data encoding=\"csv\">1,{number}</data></layer></map>"
        );
        fs::write(folder.path().join(format!("level-{number}.tmx")), map).unwrap();
    }
    let mut skip = 0;
    let mut pages = Vec::new();
    loop {
        let (mut page, is_error) = called(folder.path(), "verify", json!({"skip": skip}));
        assert!(!is_error);
        let next = page.rfind("left out; ask again with \"skip\": ").map(|at| page.split_off(at));
        let count = page.lines().count() as u64 - u64::from(next.is_some());
        pages.push(page);
        let Some(next) = next else { break };
        assert!(pages.last().unwrap().len() > 15_000, "{next}");
        skip += count;
        assert!(next.contains(&format!("{skip}]")), "{skip}: {next}");
    }
    assert!(pages.len() > 2);
    let all = pages.concat();
    for number in 0..400 {
        assert_eq!(all.matches(&format!("level-{number}.tmx")).count(), 1, "{number}");
    }
    let none = called(folder.path(), "verify", json!({"skip": 1_000_000}));
    assert_eq!(none, (String::new(), false));
}

/// Makes a folder with a game, and beside it files that nobody may read. Each of those has the word `SECRET`.
fn game() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game");
    let outside = folder.path().join("outside");
    fs::create_dir_all(game.join("maps")).unwrap();
    fs::create_dir_all(&outside).unwrap();
    let cave = fs::read_to_string(asset("cave.tmx")).unwrap();
    fs::write(game.join("maps/cave.tmx"), &cave).unwrap();
    for (from, to) in [("cave.tsx", "maps/cave.tsx"), ("cave_tiles.png", "maps/cave_tiles.png")] {
        fs::copy(asset(from), game.join(to)).unwrap();
    }
    let set =
        fs::read_to_string(asset("cave.tsx")).unwrap().replace("name=\"cave\"", "name=\"SECRET\"");
    fs::write(outside.join("cave.tsx"), set).unwrap();
    fs::write(outside.join("cave.tmx"), cave.replace("player", "SECRET")).unwrap();
    fs::write(outside.join("bitwall.toml"), "[solid]\nlayers = ['Rock']\nSECRET = 1\n").unwrap();
    fs::copy(asset("harbor_mask.png"), outside.join("mask.png")).unwrap();
    fs::copy(asset("harbor.png"), outside.join("art.png")).unwrap();
    folder
}

#[test]
fn nothing_outside_of_the_folder_is_read() {
    let folder = game();
    let (game, outside) = (folder.path().join("game"), folder.path().join("outside"));
    symlink(outside.join("cave.tmx"), game.join("link.tmx")).unwrap();
    symlink(outside.join("mask.png"), game.join("link_mask.png")).unwrap();
    symlink(&outside, game.join("far")).unwrap();
    symlink(game.join("maps"), game.join("near")).unwrap();
    let map = |tileset: &str, more: &str| {
        format!(
            "<map orientation=\"orthogonal\" width=\"1\" height=\"1\" tilewidth=\"16\" tileheight=\"16\">\
             <tileset firstgid=\"1\" source=\"{tileset}\"/>{more}<layer name=\"solid\" width=\"1\" \
             height=\"1\"><data encoding=\"csv\">1</data></layer></map>"
        )
    };
    let template =
        "<objectgroup name=\"o\"><object id=\"1\" template=\"../outside/t.tx\"/></objectgroup>";
    fs::write(outside.join("t.tx"), "<template><object name=\"SECRET\"/></template>").unwrap();
    fs::write(game.join("up.tmx"), map("../outside/cave.tsx", "")).unwrap();
    fs::write(game.join("absolute.tmx"), map(outside.join("cave.tsx").to_str().unwrap(), ""))
        .unwrap();
    fs::write(game.join("linked.tmx"), map("far/cave.tsx", "")).unwrap();
    fs::write(game.join("template.tmx"), map("maps/cave.tsx", template)).unwrap();
    let world = r#"{"maps":[{"fileName":"../outside/cave.tmx","x":0,"y":0}],"type":"world"}"#;
    fs::write(game.join("out.world"), world).unwrap();
    let secret = outside.join("cave.tmx");
    let mut asked = Vec::new();
    for level in [
        "../outside/cave.tmx",
        secret.to_str().unwrap(),
        "link.tmx",
        "far/cave.tmx",
        "link_mask.png",
        "maps/../../outside/cave.tmx",
        "far/../game/link.tmx",
        "/etc/passwd",
        "..",
        "/",
        "far",
        "../outside/none.tmx",
        "../none/none.tmx",
    ] {
        asked.push(("look", json!({"level": level})));
        asked.push(("why", json!({"level": level, "at": [1, 1]})));
        asked.push(("verify", json!({"path": level})));
        asked.push(("reach", json!({"level": level})));
        asked.push(("diff", json!({"before": "maps/cave.tmx", "after": level})));
        asked.push((
            "can_move",
            json!({"level": level, "body": [0, 0, 1, 1], "dir": "up", "step": 1}),
        ));
    }
    for ((name, arguments), (text, is_error)) in asked.iter().zip(calls(&game, &asked)) {
        // The same words for what exists and what does not.
        assert!(
            is_error && text.contains("it is outside of the folder"),
            "{name} {arguments}: {text}"
        );
    }
    let mut asked = Vec::new();
    for level in ["up.tmx", "absolute.tmx", "linked.tmx", "template.tmx", "out.world"] {
        asked.push(("look", json!({"level": level})));
        asked.push(("verify", json!({"path": level})));
    }
    asked.push(("verify", json!({})));
    for ((name, arguments), (text, is_error)) in asked.iter().zip(calls(&game, &asked)) {
        assert!(!text.contains("SECRET"), "{name} {arguments}: {text}");
        // A lost template changes no solid pixel.
        let is_refused = *name == "look" && arguments["level"] != "template.tmx";
        assert_eq!(is_error, is_refused, "{arguments}: {text}");
    }
    let (text, is_error) = called(&game, "look", json!({"level": "near/cave.tmx"}));
    assert!(!is_error && text.contains("`player`"), "a link within the folder: {text}");
}

#[test]
fn configurations_and_art_outside_of_the_folder_are_not_read() {
    let folder = game();
    let (game, outside) = (folder.path().join("game"), folder.path().join("outside"));
    let look = || called(&game, "look", json!({"level": "maps/cave.tmx"}));
    let whole = look();
    // A file above the folder is not in force, unlike for the other commands.
    fs::write(folder.path().join("bitwall.toml"), "[solid]\nlayers = ['Background']\n").unwrap();
    assert_eq!(look(), whole);
    let (_, text, _) = bitwall_in(&game, &["render", "maps/cave.tmx", "--view", "text"], "");
    assert_ne!(text, whole.0);
    // One in it is.
    fs::write(game.join("maps/bitwall.toml"), "[solid]\nlayers = ['Background']\n").unwrap();
    assert_eq!(look(), (text, false));
    fs::remove_file(game.join("maps/bitwall.toml")).unwrap();
    symlink(outside.join("bitwall.toml"), game.join("maps/bitwall.toml")).unwrap();
    for (name, arguments) in [
        ("look", json!({"level": "maps/cave.tmx"})),
        ("reach", json!({"level": "maps/cave.tmx"})),
        ("verify", json!({})),
    ] {
        let (text, _) = called(&game, name, arguments);
        assert!(text.contains("bitwall.toml") && !text.contains("SECRET"), "{name}: {text}");
    }
    fs::remove_file(game.join("maps/bitwall.toml")).unwrap();
    // The art of a mask: LVL and MSK rules would tell that it was read.
    fs::copy(asset("harbor_mask.png"), game.join("a_mask.png")).unwrap();
    let pair = "[[verify.pair]]\nmask = 'a_mask.png'\nart = '../outside/art.png'\n";
    fs::write(game.join("bitwall.toml"), pair).unwrap();
    let (text, _) = called(&game, "verify", json!({"path": "a_mask.png"}));
    assert!(text.contains("outside the root folder"), "{text}");
    fs::write(game.join("bitwall.toml"), "[level]\nroot = '../outside'\n").unwrap();
    assert!(look().1, "a configuration cannot widen the root");
}

#[test]
fn a_revision_is_read_only_from_a_repository_in_the_folder() {
    let folder = game();
    let game = folder.path().join("game");
    let git = |folder: &Path, args: &[&str]| {
        let who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
        let output = Command::new("git").args(who).args(args).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    let diff = |folder: &Path, before: &str, after: &str| {
        called(folder, "diff", json!({"before": before, "after": after}))
    };
    fs::remove_file(folder.path().join("outside/bitwall.toml")).unwrap();
    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "--quiet", "-m", "one"]);
    for before in ["HEAD:outside/cave.tmx", "HEAD:game/maps/cave.tmx", "HEAD:./maps/cave.tmx"] {
        let (text, is_error) = diff(&game, before, "maps/cave.tmx");
        assert!(is_error && text.contains("no repository of its own"), "{before}: {text}");
    }
    let (text, is_error) = diff(folder.path(), "HEAD:outside/cave.tmx", "game/maps/cave.tmx");
    assert!(
        !is_error && text.contains("1 change of markers"),
        "from the top of the repository: {text}"
    );
    // A file `.git` leads to another folder.
    fs::write(game.join(".git"), format!("gitdir: {}", folder.path().join(".git").display()))
        .unwrap();
    assert!(diff(&game, "HEAD:outside/cave.tmx", "maps/cave.tmx").1);
    fs::remove_file(game.join(".git")).unwrap();
    symlink(folder.path().join(".git"), game.join(".git")).unwrap();
    assert!(diff(&game, "HEAD:outside/cave.tmx", "maps/cave.tmx").1);
    fs::remove_file(game.join(".git")).unwrap();
    git(&game, &["init", "--quiet"]);
    git(&game, &["add", "."]);
    git(&game, &["commit", "--quiet", "-m", "one"]);
    let (text, is_error) = diff(&game, "HEAD:maps/cave.tmx", "maps/cave.tmx");
    assert_eq!((is_error, text.contains("no difference")), (false, true), "{text}");
    let objects = folder.path().join(".git/objects");
    fs::write(game.join(".git/objects/info/alternates"), objects.to_str().unwrap()).unwrap();
    assert!(diff(&game, "HEAD:maps/cave.tmx", "maps/cave.tmx").1, "it borrows objects");
}

#[test]
fn a_level_over_the_limits_is_an_error_and_nothing_is_written() {
    let folder = game();
    let game = folder.path().join("game");
    let huge = "<map orientation=\"orthogonal\" width=\"100000000\" height=\"100000000\" tilewidth=\"16\" \
                tileheight=\"16\"><layer name=\"solid\" width=\"100000000\" height=\"100000000\"><data \
                encoding=\"csv\">1</data></layer></map>";
    fs::write(game.join("huge.tmx"), huge).unwrap();
    fs::write(game.join("empty.png"), "").unwrap();
    let before: Vec<_> = crate::shared::files_in(&game);
    let asked = [
        ("look", json!({"level": "huge.tmx"})),
        ("why", json!({"level": "huge.tmx", "at": [i32::MAX, i32::MIN]})),
        ("look", json!({"level": "empty.png"})),
        ("look", json!({"level": "maps"})),
    ];
    for (text, is_error) in calls(&game, &asked) {
        assert!(is_error && text.len() > 20, "{text}");
    }
    for (x, y) in [(i32::MAX, i32::MIN), (i32::MIN, i32::MAX), (-1, -1), (768, 480)] {
        for key in ["at", "cell"] {
            let (text, _) = called(&game, "why", json!({"level": "maps/cave.tmx", key: [x, y]}));
            assert!(text.contains("the outside of the level"), "{key} {x} {y}: {text}");
        }
    }
    calls(
        &game,
        &[
            ("verify", json!({})),
            ("look", json!({"level": "maps/cave.tmx", "region": [0, 0, 1, 1]})),
        ],
    );
    assert_eq!(crate::shared::files_in(&game), before);
    let (code, _, err) = bitwall(&["mcp", "no/such"], "");
    assert_eq!((code, err.contains("no/such: ")), (2, true), "{err}");
}
