//! The keys of a `bitwall.toml`: the page of the manual and the JSON schema, which are made from one table,
//! and the agreement of both with what the program reads.

use std::fs;
use std::path::{Path, PathBuf};

use bitwall::LoadOptions;
use bitwall::character::Feel;
use bitwall::mover::MoverSettings;
use bitwall_cli::lint::{RULES, VerifyConfig};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use toml::Table;

use crate::schema::faults;
use crate::shared::root;

/// A key of the table `config/keys.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    key: String,
    /// The kind of its value: see [`Key::schema`].
    is: String,
    default: Option<String>,
    #[serde(default)]
    required: bool,
    says: String,
}

/// Values for a key of each kind: those that are right, and those that are wrong.
const VALUES: [(&str, &str, &str); 23] = [
    ("flag", "true false", "1 'true'"),
    ("count", "0 4294967295", "-1 1.5 4294967296 '1'"),
    ("work", "0 1000000", "-1 1.5 '1'"),
    ("bits", "0x6 0", "-1 'a'"),
    ("name", "'a'", "'' 1 ['a']"),
    ("names", "[] ['a','b*']", "'a' [''] [1] true"),
    ("values", "[] ['a=b']", "['a'] ['=b'] ['a='] 'a=b'"),
    ("rules", "[] ['all'] ['LVL','text-flag','msk210','Gray-Pixels']", "['TMX999'] 'LVL' [1]"),
    (
        "severities",
        "{} {TMX110='error',text-flag='off',LVL='note'}",
        "{TMX110='bad'} {TMX999='off'} []",
    ),
    ("size", "'480x270' '1X1'", "'0x5' '5' 'axb' 16"),
    (
        "outside",
        "'open' 'solid' {} {up='open',left='solid'}",
        "'shut' {top='open'} {up='shut'} true",
    ),
    ("space", "'map' 'screen'", "'iso' 1"),
    ("folder", "'assets' './a'", "'' 1"),
    (
        "mask-rule",
        "'dark' 'opaque=1' 'light=255' '#ff0000,#00FF00'",
        "'grey' 'dark=256' '#ff' 'dark=' 1",
    ),
    ("planes", "{} {water='#0000ff'}", "{water='blue'} ['#0000ff'] {water=1}"),
    ("tiles", "{} {a=[3,'12-15'],'*'=[0]}", "{a=['x']} {a=3} [3] {a=[-1]}"),
    ("role", "'spawn' 'goal' 'pickup' 'helper' 'other'", "'door' 1"),
    ("reached", "'reached'", "'maybe' true"),
    (
        "moves",
        "{view='top'} {view='side',jump-height=44,rate=50}",
        "{} {view='up'} {view='side',hop=1} 'side'",
    ),
    ("Bool", "true", "1"),
    ("Integer", "3", "'a' -1"),
    ("Float", "3 0.5", "'a' true"),
    ("Array", "[1,2.5]", "[1] 1 ['a','b']"),
];

impl Key {
    /// Returns the schema of the key's value.
    fn schema(&self) -> Value {
        let text = json!({"type": "string", "pattern": "^.+"});
        let mut schema = match &*self.is {
            "table" => json!({"type": "object", "additionalProperties": false, "properties": {}}),
            "flag" => json!({"type": "boolean"}),
            "count" => json!({"type": "integer", "minimum": 0, "maximum": u32::MAX}),
            "work" | "bits" => json!({"type": "integer", "minimum": 0}),
            "name" | "folder" => text,
            "names" => json!({"type": "array", "items": text}),
            "values" => {
                let pattern = r"^\s*[^=\s][^=]*=\s*\S";
                json!({"type": "array", "items": {"type": "string", "pattern": pattern}})
            }
            "rules" => json!({"type": "array", "items": {"$ref": "#/definitions/rule"}}),
            "severities" => json!({
                "type": "object",
                "propertyNames": {"$ref": "#/definitions/rule"},
                "additionalProperties": {"enum": ["error", "warning", "note", "off"]},
            }),
            "size" => {
                let side = r"\+?0*[1-9][0-9]{0,9}";
                json!({"type": "string", "pattern": format!("^{side}[xX]{side}$")})
            }
            "outside" => {
                let side = json!({"enum": ["solid", "open"]});
                let sides: Map<String, Value> = ["left", "right", "up", "down"]
                    .map(|it| (it.to_owned(), side.clone()))
                    .into_iter()
                    .collect();
                let by_side =
                    json!({"type": "object", "additionalProperties": false, "properties": sides});
                json!({"anyOf": [side, by_side]})
            }
            "space" => json!({"enum": ["map", "screen"]}),
            "mask-rule" => {
                let color = "#[0-9a-fA-F]{6}";
                let threshold = r"\+?0*(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[0-9]{1,2})";
                let names = "dark|light|black|opaque|transparent";
                let pattern = format!("^(({names})(={threshold})?|{color}(,{color})*)$");
                json!({"type": "string", "pattern": pattern})
            }
            "planes" => json!({
                "type": "object",
                "additionalProperties": {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"},
            }),
            "tiles" => {
                let id = json!({"type": "integer", "minimum": 0, "maximum": u32::MAX});
                let range =
                    json!({"type": "string", "pattern": r"^\s*\+?[0-9]+\s*-\s*\+?[0-9]+\s*$"});
                let ids = json!({"type": "array", "items": {"anyOf": [id, range]}});
                json!({"type": "object", "additionalProperties": ids})
            }
            "role" => json!({"enum": ["spawn", "goal", "pickup", "helper", "other"]}),
            "reached" => json!({"enum": ["reached"]}),
            "moves" => moves(),
            other => panic!("`{other}` is no kind of value"),
        };
        let default = self.default.as_ref().map_or(String::new(), |it| format!(" Default: {it}"));
        schema["description"] = format!("{}.{default}", self.says.trim_end_matches('.')).into();
        schema
    }
}

/// A setting of a body's moves: its key, the value that a body has by default, and its first sentence in the
/// documentation.
fn settings() -> Vec<(String, toml::Value, String)> {
    let text = "[[verify.body]]\nsize = '1x1'\nmoves = { view = 'side' }";
    let plain = VerifyConfig::decode("b.toml", text).unwrap().options.bodies.remove(0);
    let Some(bitwall_cli::lint::Moves::Side(jumper)) = plain.moves else { panic!("{text}") };
    let mut settings: Vec<(String, toml::Value, String)> = Vec::new();
    for (file, fields) in [
        ("src/character/feel.rs", Table::try_from::<&Feel>(&jumper.feel)),
        ("src/mover/settings.rs", Table::try_from::<MoverSettings>(jumper.settings)),
    ] {
        let source = fs::read_to_string(root().join(file)).unwrap();
        for (name, value) in fields.unwrap() {
            let docs = docs_of(&source, &name);
            let key = name.replace('_', "-");
            if settings.iter().all(|(known, ..)| *known != key) {
                settings.push((key, value, docs));
            }
        }
    }
    settings.sort_by(|a, b| a.0.cmp(&b.0));
    settings
}

/// Returns the first sentence of the documentation of a field.
fn docs_of(source: &str, field: &str) -> String {
    let before =
        &source[..source.find(&format!("    pub {field}: ")).unwrap_or_else(|| panic!("{field}"))];
    let mut lines: Vec<&str> =
        before.lines().rev().take_while(|line| line.starts_with("    ///")).collect();
    lines.reverse();
    let lines = lines.iter().map(|line| line.trim_start_matches("    ///").trim());
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    let text = lines.join(" ");
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    let text = text[..end].trim_end_matches('.').replace("[`", "`").replace("`]", "`");
    let text = text.replace("(super::Input::with_dash)", "").replace('|', "\\|");
    text.replace("`Feel::", "`").replace("air_", "air-").replace("top_speed", "top-speed")
}

fn moves() -> Value {
    let mut properties = Map::new();
    properties.insert("view".to_owned(), json!({"enum": ["top", "side"]}));
    properties
        .insert("rate".to_owned(), json!({"type": "integer", "minimum": 0, "maximum": u32::MAX}));
    for (key, value, docs) in settings() {
        let mut schema = match &value {
            toml::Value::Boolean(_) => json!({"type": "boolean"}),
            toml::Value::Integer(_) => {
                json!({"type": "integer", "minimum": 0, "maximum": u32::MAX})
            }
            toml::Value::Float(_) => json!({"type": "number"}),
            toml::Value::Array(items) => {
                json!({"type": "array", "items": {"type": "number"}, "minItems": items.len()})
            }
            _ => json!({}),
        };
        schema["description"] = format!("{docs}. Default: {value}").into();
        properties.insert(key, schema);
    }
    json!({"type": "object", "additionalProperties": false, "required": ["view"], "properties": properties})
}

fn table() -> Vec<Key> {
    #[derive(Deserialize)]
    struct File {
        key: Vec<Key>,
    }
    let text = fs::read_to_string("config/keys.toml").unwrap();
    toml::from_str::<File>(&text).unwrap().key
}

/// Returns the place in a schema that describes the value of `part`: a name, `*` for any name, or a name with
/// `[]` for a list of tables.
fn place<'s>(schema: &'s mut Value, part: &str) -> &'s mut Value {
    match part.strip_suffix("[]") {
        _ if part == "*" => &mut schema["additionalProperties"],
        None => &mut schema["properties"][part],
        Some(name) => {
            let list = &mut schema["properties"][name];
            if list.is_null() {
                *list = json!({"type": "array"});
            }
            &mut list["items"]
        }
    }
}

fn schema() -> Value {
    let names = RULES.iter().flat_map(|rule| [rule.code, rule.name]);
    let names: Vec<&str> = names.chain(["all", "IO", "TMX", "MSK", "LVL", "NAV"]).collect();
    // The letter case of a rule's name does not matter.
    let any_case = |name: &&str| -> String {
        let letters = name.chars().map(|c| match c {
            c if c.is_ascii_alphabetic() => {
                format!("[{}{}]", c.to_ascii_uppercase(), c.to_ascii_lowercase())
            }
            c => c.to_string(),
        });
        letters.collect()
    };
    let pattern: Vec<String> = names.iter().map(any_case).collect();
    let pattern = format!("^({})$", pattern.join("|"));
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "bitwall.toml",
        "description": "How the levels of a game are loaded and verified by bitwall.",
        "type": "object",
        "additionalProperties": false,
        "properties": {},
        "definitions": {"rule": {"anyOf": [{"enum": names}, {"type": "string", "pattern": pattern}]}},
    });
    for key in table() {
        let mut at = &mut schema;
        let mut parts: Vec<&str> = key.key.split('.').collect();
        let last = parts.pop().unwrap();
        for part in parts {
            at = place(at, part);
        }
        if key.required {
            match at["required"].as_array_mut() {
                Some(known) => known.push(last.into()),
                None => at["required"] = json!([last]),
            }
        }
        *place(at, last) = key.schema();
    }
    schema
}

fn page() -> String {
    let mut page = String::from(
        "# bitwall.toml\n\n\
         <!-- Made from keys.toml: `UPDATE_GOLDEN=1 cargo test --test lint keys` writes this page. -->\n\n\
         A `bitwall.toml` says how the levels in its folder and below are loaded and verified. The nearest\n\
         one in or above the folder of a level counts, up to the first folder with a `.git`. `bitwall init`\n\
         writes a first one, and `bitwall info LEVEL` names the one in force. Every key is optional. An\n\
         argument `-c KEY=VALUE`, such as `-c level.outside=open`, sets a key for one run.\n\n\
         Editors complete and check the keys by the [schema](bitwall.schema.json). The program prints it\n\
         too: after `bitwall schema > bitwall.schema.json`, begin the file with the line\n\
         `#:schema ./bitwall.schema.json` (Taplo, and Even Better TOML in VS Code).\n",
    );
    let mut has_rows = false;
    for key in table() {
        let name = key.key.replace(".*", ".NAME");
        if key.is == "table" {
            let heading = match name.strip_suffix("[]") {
                Some(list) => format!("[[{list}]]"),
                None => format!("[{name}]"),
            };
            page += &format!("\n## `{heading}`\n\n{}\n", key.says);
            has_rows = false;
            continue;
        }
        if !has_rows {
            page += "\n| key | default | meaning |\n|---|---|---|\n";
            has_rows = true;
        }
        let (_, last) = name.rsplit_once('.').unwrap();
        let default = match &key.default {
            Some(default)
                if default.starts_with(['"', '[', '{'])
                    || "true false 0 1000000".contains(&**default) =>
            {
                format!("`{default}`")
            }
            Some(default) => default.clone(),
            None if key.required => "required".to_owned(),
            None => "the default words".to_owned(),
        };
        let default = if name.starts_with("areas") && key.default.is_none() {
            "none".to_owned()
        } else {
            default
        };
        page += &format!("| `{last}` | {default} | {} |\n", key.says);
    }
    page += "\n## The moves of a body\n\n\
        `moves` of a `[[verify.body]]` has `view = \"top\"`, or `view = \"side\"` with `rate`, the\n\
        steps of the game in a second (60 by default), and any of these settings, in pixels and\n\
        seconds. Those of `Feel` and of `MoverSettings` in the library have the same names, with\n\
        `_` for `-`.\n\n\
        | key | default | meaning |\n|---|---|---|\n";
    for (key, value, docs) in settings() {
        let value = match value {
            // The fewest digits that read back as the same `f32`.
            toml::Value::Float(number) => {
                (number as f32).to_string().parse().map_or(value, toml::Value::Float)
            }
            value => value,
        };
        let is_limit = value.as_float().is_some_and(|number| number >= f32::MAX.into());
        let value = if is_limit { "none".to_owned() } else { format!("`{value}`") };
        page += &format!("| `{key}` | {value} | {docs} |\n");
    }
    page
}

#[test]
fn the_page_and_the_schema_are_made_from_the_table_of_keys() {
    let pretty = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    for (file, text) in [("config/bitwall.schema.json", pretty), ("config/README.md", page())] {
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(file, &text).unwrap();
        }
        let known = fs::read_to_string(file).unwrap_or_default();
        assert!(known == text, "UPDATE_GOLDEN=1 writes {file}");
    }
    let (code, out, _) = crate::shared::bitwall(&["schema"], "");
    assert_eq!(code, 0);
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap(), schema());
}

/// True if the program reads the file.
fn is_read(text: &str) -> bool {
    let verify = VerifyConfig::decode("bitwall.toml", text).is_ok();
    LoadOptions::decode("bitwall.toml", text).is_ok() && verify
}

/// True if the schema takes the file.
fn fits(schema: &Value, text: &str) -> bool {
    let value: Table = text.parse().unwrap();
    faults(schema, &serde_json::to_value(value).unwrap()).is_empty()
}

/// Returns a file in which `key` has this value. What its table requires is there too.
fn file(key: &str, value: &str) -> String {
    let (table, last) = key.rsplit_once('.').unwrap();
    let needs = match table {
        "verify.body[]" if last != "size" => "size = '1x1'\n",
        "verify.marker[]" if last == "require" => "name = 'a'\nrole = 'goal'\n",
        "verify.marker[]" if last != "name" => "name = 'a'\n",
        "verify.pair[]" if last == "mask" => "art = 'a'\n",
        "verify.pair[]" if last == "art" => "mask = 'a'\n",
        "verify.pair[]" => "mask = 'a'\nart = 'a'\n",
        _ => "",
    };
    let table = table.replace('*', "any");
    match table.strip_suffix("[]") {
        Some(list) => format!("[[{list}]]\n{needs}{last} = {value}\n"),
        None => format!("[{table}]\n{last} = {value}\n"),
    }
}

#[test]
fn the_schema_takes_what_the_program_reads_and_refuses_what_it_refuses() {
    let schema = schema();
    let mut count = 0;
    let body = |key: &str, value: &str| {
        format!("[[verify.body]]\nsize = '1x1'\nmoves = {{ view = 'side', {key} = {value} }}\n")
    };
    let kind_of = |kind: &str| {
        let known = VALUES.iter().find(|(name, ..)| *name == kind);
        let (_, right, wrong) = known.unwrap_or_else(|| panic!("no values for `{kind}`"));
        right.split(' ').map(|it| (it, true)).chain(wrong.split(' ').map(|it| (it, false)))
    };
    let mut compare = |text: &str, is_right: bool| {
        assert_eq!(is_read(text), is_right, "the program: {text}");
        assert_eq!(fits(&schema, text), is_right, "the schema: {text}");
        count += 1;
    };
    for key in table().iter().filter(|key| key.is != "table") {
        for (value, is_right) in kind_of(&key.is) {
            compare(&file(&key.key, value), is_right);
        }
    }
    for (key, value, _) in settings() {
        if let kind @ ("Float" | "Bool" | "Integer" | "Array") = match value {
            toml::Value::Float(_) => "Float",
            toml::Value::Boolean(_) => "Bool",
            toml::Value::Integer(_) => "Integer",
            toml::Value::Array(_) => "Array",
            _ => "",
        } {
            for (value, is_right) in kind_of(kind) {
                compare(&body(&key, value), is_right);
            }
        }
    }
    for missing in ["[[verify.body]]", "[[verify.marker]]", "[[verify.pair]]\nmask = 'a'"] {
        compare(missing, false);
    }
    for unknown in ["[level]\nzz = 1", "[areas.a]\nzz = 1", "[zz]", "[[verify.path]]\nzz = 1"] {
        compare(unknown, false);
    }
    assert!(count > 400, "{count}");
}

/// The program lists the keys of a table when it meets an unknown one.
#[test]
fn the_table_has_every_key_that_the_program_knows() {
    let keys = table();
    for section in [
        "level",
        "masks",
        "solid",
        "areas.*",
        "verify",
        "verify.body[]",
        "verify.marker[]",
        "verify.pair[]",
        "verify.path[]",
    ] {
        let text = file(&format!("{section}.zzzzzzzz"), "1");
        let load = LoadOptions::decode("b.toml", &text).err();
        let error = load.or(VerifyConfig::decode("b.toml", &text).err()).unwrap().to_string();
        let (_, known) =
            error.split_once("the keys here are ").unwrap_or_else(|| panic!("{error}"));
        for known in known.split(';').next().unwrap().split(", ") {
            let is_there = [format!("{section}.{known}"), format!("{section}.{known}[]")];
            assert!(keys.iter().any(|key| is_there.contains(&key.key)), "{section}: {known}");
        }
    }
}

#[test]
fn every_bitwall_toml_here_fits_the_schema_as_the_program_reads_it() {
    fn configs(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.file_name().unwrap().to_string_lossy().into_owned();
            if entry.is_dir() && !entry.is_symlink() && name != "target" && !name.starts_with('.') {
                configs(&entry, found);
            } else if name.ends_with(".toml")
                && (name.contains("bitwall") || name == "example.toml")
            {
                found.push(entry);
            }
        }
    }
    let mut found = Vec::new();
    configs(root(), &mut found);
    assert!(found.len() > 4, "{found:?}");
    let schema = schema();
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        let value: Table = text.parse().unwrap();
        let faults = faults(&schema, &serde_json::to_value(value).unwrap());
        assert_eq!((is_read(&text), faults.is_empty()), (true, true), "{path:?}: {faults:?}");
    }
}
