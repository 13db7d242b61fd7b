//! Names in the styles of the languages, and docs as comments.

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
pub fn pascal(name: &str) -> String {
    name.split('_').map(capital).collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// `movePath` for `move_path`.
pub fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default();
    first.chars().chain(words.flat_map(|word| capital(word).chars().collect::<Vec<_>>())).collect()
}

/// A comment of lines that start with `mark`.
pub fn comment(indent: &str, mark: &str, doc: &str) -> String {
    wrapped(doc, 108 - indent.len()).iter().map(|line| format!("{indent}{mark} {line}\n")).collect()
}

/// A comment between `/**` and `*/`.
pub fn block(indent: &str, doc: &str) -> String {
    let lines = wrapped(doc, 108 - indent.len());
    format!("{indent}/** {} */\n", lines.join(&format!("\n{indent} * ")))
}

/// A docstring of Python.
pub fn docstring(indent: &str, doc: &str) -> String {
    let lines = wrapped(doc, 100 - indent.len()).join(&format!("\n{indent}"));
    format!("{indent}\"\"\"{lines}\"\"\"\n")
}

/// A C# summary.
pub fn summary(indent: &str, doc: &str) -> String {
    let doc = doc.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    comment(indent, "///", &format!("<summary>{doc}</summary>"))
}

fn wrapped(doc: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in doc.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last] = word.to_owned();
        } else if lines[last].len() + 1 + word.len() <= most {
            lines[last] += &format!(" {word}");
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
