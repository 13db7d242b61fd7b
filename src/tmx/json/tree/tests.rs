//! Compares parsed trees with their text and with `serde_json`, and tests the limits.

use super::*;
use crate::tmx::read::is_json;

/// Writes a tree as text: strings in quotes, the numbers of `data` in brackets.
fn shown(node: &Node<'_>) -> String {
    match node {
        Node::Scalar(_) if node.is_string() => format!("{:?}", node.text().unwrap().unwrap()),
        Node::Scalar(text) => (*text).to_owned(),
        Node::Numbers(text) => format!("[{text}]"),
        Node::List(list) => {
            let values: Vec<String> = list.iter().map(shown).collect();
            format!("({})", values.join(" "))
        }
        Node::Object(_, entries) => {
            let shown = |(name, value): &(_, Node<'_>)| format!("{name}={}", shown(value));
            let values: Vec<String> = entries.iter().map(shown).collect();
            format!("{{{}}}", values.join(" "))
        }
    }
}

fn tree(text: &str) -> Result<String, String> {
    parse(text.as_bytes(), "").map(|root| shown(&root)).map_err(|error| error.to_string())
}

#[test]
fn every_json_value_keeps_its_text_in_the_tree() {
    let text = "\u{feff} {\"a\" : 10.30, \"b\\u0041\\n\":[ ] ,\"c\":[-1e5,true,{ }, null,[ [],2]],\r\n\
                \"d\\\"\\\\\":\"x\\\"]}\\\\\",\"data\":[1, 2\n,4294967295],\"e\":{\"data\":[1,\"2\"]}}\t";
    assert_eq!(
        tree(text).unwrap(),
        "{a=10.30 bA\n=() c=(-1e5 true {} null (() 2)) d\"\\=\"x\\\"]}\\\\\" \
         data=[1, 2\n,4294967295] e={data=(1 \"2\")}}"
    );
}

#[test]
fn text_that_is_not_json_gives_an_error_with_its_position() {
    for (text, reason) in [
        ("{\"a\": 1,\n \"b\" 2}", "line 2 column 6"),
        ("{\"a\":01}", "line 1"),
        ("{\"a\":1}}", "trailing"),
        ("{\"a\":\"\u{1}\"}", "control character"),
        ("{\"a\":NaN}", "line 1"),
        ("", "EOF"),
    ] {
        let error = tree(text).unwrap_err();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let half = parse(b"{\"a\":\"\xff\"}", "");
    assert!(half.is_err_and(|error| error.to_string().contains("byte 6")));
    let lone = parse(b"\"\\ud800\"", "").unwrap();
    assert!(lone.text().is_err());
}

#[test]
fn of_a_name_that_stands_twice_the_last_value_counts() {
    let root = parse(b"{\"a\":1,\"\\u0061\":2,\"a\":3}", "").unwrap();
    let value = root.object("a value").unwrap().text("a");
    assert_eq!(value.unwrap().as_deref(), Some("3"));
}

/// Compares trees of random values with random white space.
#[test]
fn a_parsed_tree_equals_the_value_that_serde_json_parses() {
    fn random(rng: &mut fastrand::Rng, depth: u32) -> serde_json::Value {
        let names = ["data", "a", "\"", "\\", "é\n", "b]", "c}", ","];
        match rng.u32(0..if depth == 0 { 5 } else { 7 }) {
            0 => serde_json::Value::Null,
            1 => rng.bool().into(),
            2 => rng.i32(-9..9).into(),
            3 => (f64::from(rng.i32(-99..99)) / 8.0).into(),
            4 => names[rng.usize(0..8)].into(),
            5 => (0..rng.u32(0..4)).map(|_| random(rng, depth - 1)).collect(),
            _ => (0..rng.u32(0..4))
                .map(|_| (names[rng.usize(0..8)].to_owned(), random(rng, depth - 1)))
                .collect(),
        }
    }
    fn same(ours: &Node<'_>, theirs: &serde_json::Value) -> bool {
        match (ours, theirs) {
            (Node::Numbers(text), theirs) => {
                serde_json::from_str::<serde_json::Value>(&format!("[{text}]")).unwrap() == *theirs
            }
            (Node::List(ours), serde_json::Value::Array(theirs)) => {
                ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| same(a, b))
            }
            (Node::Object(_, ours), serde_json::Value::Object(theirs)) => {
                ours.len() == theirs.len()
                    && ours.iter().all(|(name, value)| same(value, &theirs[&**name]))
            }
            (Node::Scalar(text), theirs) => {
                serde_json::from_str::<serde_json::Value>(text).unwrap() == *theirs
            }
            _ => false,
        }
    }
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..3_000 {
        let value = random(&mut rng, 5);
        let text = if rng.bool() {
            serde_json::to_string(&value).unwrap()
        } else {
            serde_json::to_string_pretty(&value).unwrap()
        };
        let ours = parse(text.as_bytes(), "").unwrap();
        assert!(same(&ours, &value), "{text}: {}", shown(&ours));
    }
}

#[test]
fn json_with_too_deep_or_too_many_values_is_refused() {
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    assert!(tree(&deep).unwrap_err().contains("values within values: 131"));
    let deep = format!("{}1{}", "{\"a\":".repeat(131), "}".repeat(131));
    assert!(tree(&deep).unwrap_err().contains("values within values: 131"));
    let deep = format!("{}1{}", "{\"a\":".repeat(130), "}".repeat(130));
    assert!(tree(&deep).is_ok());
    assert!(tree(&"[".repeat(1_000_000)).is_err());
    let wide = format!("[{}[]]", "[],".repeat(20_000_000));
    assert!(tree(&wide).unwrap_err().contains("values in the file: 2097153"));
    let long = format!("[\"{}\"]", "a".repeat(60_000_000));
    assert!(tree(&long).is_ok_and(|shown| shown.len() > 60_000_000));
    let cells = format!("{{\"data\":[{}0]}}", "1,".repeat(16_000_000));
    assert!(tree(&cells).is_ok(), "cell numbers do not count as values");
}

#[test]
fn a_file_is_json_if_it_starts_with_a_brace() {
    assert!(is_json(b"\xef\xbb\xbf \r\n{") && !is_json(b"<") && !is_json(b"") && !is_json(b"["));
}
