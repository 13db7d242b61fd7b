//! The filters of the templates: names in the styles of the languages, docs as comments, and rows of tables.

use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Environment, Error, ErrorKind, Value};

pub fn add_filters(templates: &mut Environment) {
    templates.add_filter("snake", |name: &str| snake(name));
    templates.add_filter("pascal", |name: &str| pascal(name));
    templates.add_filter("camel", |name: &str| camel(name));
    templates.add_filter("comment", comment);
    templates.add_filter("block", block);
    templates.add_filter("docstring", docstring);
    templates.add_filter("summary", summary);
    templates.add_filter("fill", fill);
    templates.add_filter("for_luajit", for_luajit);
}

/// `move_path` for `MovePath`.
pub fn snake(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

/// `MovePath` for `move_path`.
fn pascal(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
}

/// `movePath` for `move_path` and for `MovePath`.
fn camel(name: &str) -> String {
    let words = pascal(name);
    let (first, rest) = words.split_at(words.len().min(1));
    first.to_ascii_lowercase() + rest
}

/// A comment of lines that start with `mark`.
fn comment(doc: &str, mark: &str, indent: usize) -> String {
    wrapped(doc, 108, indent, &format!("{mark} "), &format!("{mark} "), "")
}

/// A comment between `/**` and `*/`.
fn block(doc: &str, indent: usize) -> String {
    wrapped(doc, 108, indent, "/** ", " * ", " */")
}

/// A docstring of Python.
pub fn docstring(doc: &str, indent: usize) -> String {
    wrapped(doc, 100, indent, "\"\"\"", "", "\"\"\"")
}

/// A C# summary.
fn summary(doc: &str, indent: usize) -> String {
    let doc = doc.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    comment(&format!("<summary>{doc}</summary>"), "///", indent)
}

/// Indented lines of at most `most` letters, with what stands before the first, before the others, and last.
fn wrapped(doc: &str, most: usize, indent: usize, first: &str, next: &str, end: &str) -> String {
    let indent = " ".repeat(indent);
    let mut text = format!("{indent}{first}");
    let mut length = 0;
    for word in doc.split_whitespace() {
        if length > 0 && indent.len() + length + 1 + word.len() > most {
            text += &format!("\n{indent}{next}{word}");
            length = word.len();
        } else {
            text += if length > 0 { " " } else { "" };
            text += word;
            length += word.len() + usize::from(length > 0);
        }
    }
    text + end
}

/// The row of a table for the kind of an argument, a field or an answer.
///
/// A row `slice` is for all slices without a row of their own, and `other` for the rest. A row of two is for
/// what is read and what is changed. Its places are `$argName` and `$arg_name` for the name of the item,
/// `$OfType`, `$ofType`, `$of_type` and `$OF_TYPE` for the type of the kind, in the style of the place,
/// `$size` for the bytes of that type and `$at` for those before a field, `$value` for `value`, and `$` with
/// each name that is given. `$value` and the given names are replaced before the others.
fn fill(item: &Value, table: &Value, value: Option<&str>, places: Kwargs) -> Result<String, Error> {
    let kind = item.get_attr("kind")?;
    let kind = if kind.is_undefined() { item } else { &kind };
    let is = kind.get_attr("is")?.to_string();
    let general = match is.as_str() {
        "options" => "text",
        "receiver" => "handle",
        is => is.rsplit_once('_').map_or("other", |(_, last)| last),
    };
    let mut row = Value::UNDEFINED;
    for name in [is.as_str(), general, "other"] {
        if row.is_undefined() {
            row = table.get_attr(name)?;
        }
    }
    if row.is_undefined() {
        let error =
            format!("`{}` is of the kind `{is}`, for which a table has no row", item.get_attr("name")?);
        return Err(Error::new(ErrorKind::InvalidOperation, error));
    }
    if row.kind() == ValueKind::Seq {
        row = row.get_item_by_index(kind.get_attr("changes")?.is_true().into())?;
    }
    let mut text = row.to_string().replace("$value", value.unwrap_or_default());
    for place in places.args() {
        text = text.replace(&format!("${place}"), &places.get::<String>(place)?);
    }
    let of = kind.get_attr("of")?.to_string();
    let name = item.get_attr("name")?.to_string();
    let all = [
        ("$size", kind.get_attr("size")?.to_string()),
        ("$at", item.get_attr("at")?.to_string()),
        ("$OfType", of.clone()),
        ("$ofType", camel(&of)),
        ("$of_type", snake(&of)),
        ("$OF_TYPE", snake(&of).to_ascii_uppercase()),
        ("$argName", camel(&name)),
        ("$arg_name", name),
    ];
    Ok(all.iter().fold(text, |text, (place, value)| text.replace(place, value)))
}

/// The header of C as LuaJIT takes it: without comments and lines of the preprocessor.
fn for_luajit(header: &str) -> String {
    let mut parts = header.split("/*");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    kept.extend(parts.filter_map(|part| part.split_once("*/")).map(|(_, after)| after));
    let lines = kept.lines().map(str::trim_end);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter(|line| !["extern \"C\" {", "}"].contains(line)).collect::<Vec<_>>().join("\n")
}
