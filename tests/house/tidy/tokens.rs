//! A tokenizer for Rust source: words and signs, without comments, strings, lifetimes and tests.

/// Returns the words (`Level`, `fn`), `::`, and all other signs one by one. A string or character literal is
/// `""`.
pub(super) fn tokens(source: &str) -> Vec<&str> {
    let mut rest = source;
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        let word = rest.len() - rest.trim_start_matches(is_of_word).len();
        let (length, token) = if first.is_whitespace() {
            (first.len_utf8(), None)
        } else if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if rest.starts_with("/*") {
            (block_comment(rest), None)
        } else if let Some(length) = text(rest) {
            (length, Some("\"\""))
        } else if first == '\'' {
            // A lifetime is `'` and a word, without a second `'`.
            let name = &rest[1..];
            (1 + name.len() - name.trim_start_matches(is_of_word).len(), None)
        } else if word > 0 {
            (word, Some(&rest[..word]))
        } else if rest.starts_with("::") {
            (2, Some("::"))
        } else {
            (first.len_utf8(), Some(&rest[..first.len_utf8()]))
        };
        found.extend(token);
        rest = &rest[length..];
    }
    without_tests(&found)
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn block_comment(source: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    loop {
        let rest = &source[at..];
        depth += i32::from(rest.starts_with("/*")) - i32::from(rest.starts_with("*/"));
        at += match rest.chars().next() {
            Some('/' | '*') if rest[1..].starts_with(['/', '*']) => 2,
            Some(c) => c.len_utf8(),
            None => return at,
        };
        if depth == 0 {
            return at;
        }
    }
}

/// Returns the length of the string or character literal at the start of the source; `None` if there is none.
fn text(source: &str) -> Option<usize> {
    let body = source.trim_start_matches(['b', 'c']);
    let prefix = source.len() - body.len();
    if prefix > 1 {
        return None;
    }
    if let Some(raw) = body.strip_prefix('r') {
        let text = raw.trim_start_matches('#');
        let end = format!("\"{}", &raw[..raw.len() - text.len()]);
        let length = text.strip_prefix('"')?.find(&end)?;
        return Some(source.len() - text.len() + 1 + length + end.len());
    }
    let quote = body.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let is_lifetime =
        quote == '\'' && !body[1..].starts_with('\\') && body[1..].chars().nth(1) != Some('\'');
    if is_lifetime {
        return None;
    }
    let mut is_escaped = false;
    for (at, c) in body.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return Some(prefix + at + 1),
            _ => {}
        }
    }
    None
}

/// Removes every item after `#[cfg(test)]`.
fn without_tests<'s>(all: &[&'s str]) -> Vec<&'s str> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < all.len() {
        if all[at..].starts_with(&["#", "[", "cfg", "(", "test", ")", "]"]) {
            at = end_of_item(all, at + 7);
        } else {
            kept.push(all[at]);
            at += 1;
        }
    }
    kept
}

/// Returns the index after an item: after its `;`, or after the `}` that closes its first `{`.
fn end_of_item(all: &[&str], mut at: usize) -> usize {
    let mut depth = 0;
    while at < all.len() {
        match all[at] {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        let is_end = depth == 0 && matches!(all[at], ";" | "}");
        at += 1;
        if is_end {
            break;
        }
    }
    at
}

#[test]
fn tokens_leave_out_comments_strings_and_tests() {
    let source = r##"
        use a::b; // use c;
        /* use d; /* */ use e; */
        const F: &'static str = "use \" g"; const H: char = '"'; const I: &[u8] = br#"use " j"#;
        #[cfg(test)]
        mod tests { use k; }
        fn l<'m>() {}"##;
    let words = "use a::b; const F: & str = \"\"; const H: char = \"\"; const I: & [u8] = \"\"; fn l<>() {}";
    assert_eq!(tokens(source).concat(), words.replace(' ', ""));
}
