//! Text in Markdown that stays text, as GitHub and GitLab render it.

/// A character that is never seen, between two that would mean something together. Escapes do not part them:
/// links, `@names` and `#numbers` are looked for in the text that is left when all escapes are gone.
const PART: &str = "&#8203;";

/// A text on one line that Markdown shows as it is, also in a cell of a table: no link, picture, mark-up,
/// HTML or end of a cell; no address (`https://`, `www.`, of mail) becomes a link; and no `@name`, number of
/// an issue (`#12`, `GH-12`; on GitLab also after `!`, `$`, `%`, `&`, `^` and `~`) or `:picture:` refers to
/// anything. The text on the page is the same, but for characters that are not seen. O(characters).
pub(crate) fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = [' '; 3];
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let lower = before.map(|it| it.to_ascii_lowercase());
        let is_host = character == '.' && lower == ['w'; 3];
        let is_issue = character == '-' && lower[1..] == ['g', 'h'];
        if is_host || is_issue {
            out.push_str(PART);
        }
        match character {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '#' | '!' | '~' | '$' | '^' => {
                out.extend(['\\', character]);
            }
            other => out.push(other),
        }
        let refers = matches!(character, '@' | ':' | '#' | '!' | '$' | '%' | '&' | '^' | '~');
        if refers && rest.peek().is_some_and(|next| !next.is_whitespace()) {
            out.push_str(PART);
        }
        before = [before[1], before[2], character];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_refers_to_anything() {
        for (text, expected) in [
            ("a wall, 16 x 16 px: 50% of it", "a wall, 16 x 16 px: 50% of it"),
            ("https://a.example/b", "https:&#8203;//a.example/b"),
            ("see www.a.example", "see www&#8203;.a.example"),
            ("WwW.a.example", "WwW&#8203;.a.example"),
            ("me@a.example", "me@&#8203;a.example"),
            ("mailto:me", "mailto:&#8203;me"),
            ("@name, @ name", "@&#8203;name, @ name"),
            ("#12 !3 $4 ~5 %6", "\\#&#8203;12 \\!&#8203;3 \\$&#8203;4 \\~&#8203;5 %&#8203;6"),
            ("o/r#1 gh-12", "o/r\\#&#8203;1 gh&#8203;-12"),
            (":tada: &copy;", ":&#8203;tada: &amp;&#8203;copy;"),
            ("![x](y)|<b>", "\\!&#8203;\\[x\\](y)\\|&lt;b>"),
            ("\\|`", "\\\\\\|\\`"),
        ] {
            assert_eq!(inert(text), expected, "{text}");
        }
    }
}
