//! A checker of JSON against a JSON Schema.
//!
//! It knows the keywords that the schemas of the tests use. Any other keyword fails the test, so that no part
//! of a schema is ignored.

use std::collections::BTreeMap;

use serde_json::Value;

/// Returns the faults of a value, each with its place.
pub(crate) fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(schema, schema, value, "", &mut faults);
    faults
}

fn check(root: &Value, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    let schema = match schema {
        Value::Object(schema) => schema,
        other => panic!("{other} is no schema"),
    };
    let mut fault = |text: String| faults.push(format!("{place}: {text}"));
    for (word, rule) in schema {
        match word.as_str() {
            "type" if !is_of_type(value, rule) => fault(format!("{value} is not of type {rule}")),
            "enum" if !rule.as_array().unwrap().contains(value) => {
                fault(format!("{value} is none of {rule}"));
            }
            "pattern" => {
                let pattern = regex_lite::Regex::new(rule.as_str().unwrap()).unwrap();
                if value.as_str().is_some_and(|text| !pattern.is_match(text)) {
                    fault(format!("{value} does not match {rule}"));
                }
            }
            "minimum" if value.as_f64().is_some_and(|it| it < rule.as_f64().unwrap()) => {
                fault(format!("{value} is below {rule}"));
            }
            "maximum" if value.as_f64().is_some_and(|it| it > rule.as_f64().unwrap()) => {
                fault(format!("{value} is above {rule}"));
            }
            "minItems" => {
                let least = rule.as_u64().unwrap() as usize;
                if value.as_array().is_some_and(|items| items.len() < least) {
                    fault(format!("fewer than {rule} items"));
                }
            }
            "uniqueItems" if rule == true => {
                let items = value.as_array().into_iter().flatten();
                let mut seen = BTreeMap::<String, u32>::new();
                items.for_each(|item| *seen.entry(item.to_string()).or_default() += 1);
                if seen.values().any(|count| *count > 1) {
                    fault("two equal items".to_owned());
                }
            }
            "required" => {
                for key in rule.as_array().unwrap() {
                    if value.is_object() && value.get(key.as_str().unwrap()).is_none() {
                        fault(format!("{key} is missing"));
                    }
                }
            }
            "format" => {
                let text = value.as_str().unwrap_or_default();
                let is_fine = match rule.as_str().unwrap() {
                    // In a URI, bytes outside ASCII, spaces and some signs must be written as %XX.
                    "uri" | "uri-reference" => {
                        let sign = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c);
                        text.chars().all(sign) && (rule != "uri" || text.contains(':'))
                    }
                    "date-time" => text.contains('T') && text.ends_with('Z'),
                    other => panic!("the checker does not know the format {other}"),
                };
                if !is_fine {
                    fault(format!("{value} is not a {rule}"));
                }
            }
            "type" | "enum" | "minimum" | "maximum" | "uniqueItems" => {}
            "title" | "description" | "default" | "$schema" | "$id" | "definitions" => {}
            "properties" | "additionalProperties" | "propertyNames" | "items" => {}
            "$ref" | "anyOf" | "oneOf" => {}
            other => panic!("the checker does not know the word {other}"),
        }
    }
    if let Some(path) = schema.get("$ref") {
        let path = path.as_str().unwrap().strip_prefix('#').unwrap();
        check(root, root.pointer(path).unwrap(), value, place, faults);
    }
    if let Some(names) = schema.get("propertyNames") {
        for key in value.as_object().into_iter().flat_map(|fields| fields.keys()) {
            check(root, names, &Value::String(key.clone()), place, faults);
        }
    }
    for (word, most) in [("anyOf", usize::MAX), ("oneOf", 1)] {
        let Some(choices) = schema.get(word).and_then(Value::as_array) else {
            continue;
        };
        let fits = choices.iter().filter(|choice| {
            let mut of_choice = Vec::new();
            check(root, choice, value, place, &mut of_choice);
            of_choice.is_empty()
        });
        let count = fits.count();
        if count == 0 || count > most {
            faults.push(format!("{place}: {value} fits {count} of {word}"));
        }
    }
    let known = schema.get("properties");
    for (key, value) in value.as_object().into_iter().flatten() {
        let place = format!("{place}/{key}");
        match (known.and_then(|known| known.get(key)), schema.get("additionalProperties")) {
            (Some(schema), _) => check(root, schema, value, &place, faults),
            (None, Some(Value::Bool(false))) => {
                faults.push(format!("{place}: it may not be there"))
            }
            (None, Some(schema @ Value::Object(_))) => check(root, schema, value, &place, faults),
            (None, _) => {}
        }
    }
    if let Some(schema) = schema.get("items") {
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            check(root, schema, item, &format!("{place}/{index}"), faults);
        }
    }
}

fn is_of_type(value: &Value, rule: &Value) -> bool {
    let is = |name: &Value| match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the checker does not know the type {other}"),
    };
    rule.as_array().map_or_else(|| is(rule), |rules| rules.iter().any(is))
}

#[test]
fn the_schema_checker_finds_planted_faults() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": {"a": {"$ref": "#/definitions/n"}, "b": {"type": "array", "minItems": 1,
            "uniqueItems": true, "items": {"enum": ["x", "y"]}}, "u": {"format": "uri-reference"}},
        "definitions": {"n": {"type": "integer", "minimum": 0}}
    });
    for (value, expected) in [
        (r#"{"a": 1, "b": ["x", "y"], "u": "a/%FF"}"#, 0),
        (r#"{"b": ["x"]}"#, 1),
        (r#"{"a": -1, "c": 2}"#, 2),
        (r#"{"a": "1", "b": []}"#, 2),
        (r#"{"a": 1, "b": ["x", "x", "z"], "u": "a b"}"#, 3),
        ("[]", 1),
    ] {
        let found = faults(&schema, &serde_json::from_str(value).unwrap());
        assert_eq!(found.len(), expected, "{value}: {found:?}");
    }
}
