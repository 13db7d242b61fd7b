//! Functions for messages: they make text from files safe to print, and write counts and sizes as text. A
//! name in a level is untrusted: it may have line breaks, terminal codes, direction marks or ten million
//! letters. All text from files must pass through [`printable`] before a message shows it.

#[cfg(feature = "serde")]
pub(crate) mod bytes;

use std::fmt;
use std::path::Path;

use glam::UVec2;

/// The largest number of characters that a message shows of a text from a file.
pub const MAX_QUOTED_CHARS: usize = 200;

/// Makes `text` safe to print on one line.
///
/// Control characters, line and paragraph separators and direction marks are written as `\u{..}`. A text of
/// more than 200 characters is cut and ends in `…`. The second of two `#` is escaped too, because some CI
/// systems obey `##[..]`.
///
/// ```
/// assert_eq!(bitwall::text::printable("a\nb\u{1b}[31m").to_string(), "a\\nb\\u{1b}[31m");
/// ```
pub fn printable(text: &str) -> Printable<'_> {
    Printable(text)
}

/// Lists the first twelve of `names` in quotes, and the number of further names. Returns `none` for an empty
/// list.
pub fn listed<'n>(names: impl ExactSizeIterator<Item = &'n String>) -> String {
    const SHOWN: usize = 12;
    let count = names.len();
    let shown = names.take(SHOWN).map(|name| format!("`{}`", printable(name)));
    let shown: Vec<String> = shown.collect();
    match count {
        0 => "none".to_owned(),
        _ if count > SHOWN => format!("{} and {} more", shown.join(", "), count - SHOWN),
        _ => shown.join(", "),
    }
}

/// Writes a count with its noun in the singular or plural: `1 file`, `2 files`, `2 patches`.
pub fn counted(count: u64, noun: &str) -> String {
    let plural = match count {
        1 => "",
        _ if noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {noun}{plural}")
}

/// The verb of a sentence about `count` things.
pub fn are(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// Writes a size in pixels as text: `12 x 20 px`.
pub fn px(size: UVec2) -> String {
    format!("{} x {} px", size.x, size.y)
}

/// A text that displays as one line, safe to print. [`printable`] returns it.
#[derive(Clone, Copy, Debug)]
pub struct Printable<'a>(&'a str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = ' ';
        for (count, character) in self.0.chars().enumerate() {
            if count == MAX_QUOTED_CHARS {
                return f.write_str("…");
            }
            let is_second = (before, character) == ('#', '#');
            before = character;
            if is_second {
                write!(f, "{}", character.escape_unicode())?;
            } else if is_invisible(character) {
                write!(f, "{}", character.escape_default())?;
            } else {
                fmt::Write::write_char(f, character)?;
            }
        }
        Ok(())
    }
}

/// A path as text, safe to print within a line.
pub fn path_in_line(path: &Path) -> String {
    printable(&path.to_string_lossy()).to_string()
}

/// A path as text, safe to print even at the start of a line, where some CI systems obey `::`.
pub fn printable_path(path: &Path) -> String {
    let text = path_in_line(path);
    if text.trim_start().starts_with("::") { format!("./{text}") } else { text }
}

/// True if a character moves the cursor, ends a line, reorders text or is invisible.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// The words and numbers of a name in lower case: `House_walls2` and `houseWalls 2` have `house`, `walls`,
/// `2`.
pub fn words_in(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let is_new = (before.is_lowercase() && c.is_uppercase())
            || before.is_numeric() != c.is_numeric()
            || !c.is_alphanumeric();
        if is_new {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// True if two names are equal without regard to letter case.
pub fn is_same_name(one: &str, other: &str) -> bool {
    may_start_alike(one, other) && lowered(one).eq(lowered(other))
}

/// False if the first letters are ASCII and differ, as they do for most pairs of names. Without this test, a
/// load of assets/town.tmx takes 1.2 times as many instructions.
fn may_start_alike(one: &str, other: &str) -> bool {
    match (one.as_bytes().first(), other.as_bytes().first()) {
        (Some(one), Some(other)) if one.is_ascii() && other.is_ascii() => {
            one.eq_ignore_ascii_case(other)
        }
        _ => true,
    }
}

/// True if `name` equals `wanted` without regard to letter case. A final `*` in `wanted` stands for any text.
pub fn is_name_like(wanted: &str, name: &str) -> bool {
    match wanted.strip_suffix('*') {
        Some(start) => {
            let mut letters = lowered(name);
            may_start_alike(start, name)
                && lowered(start).all(|letter| letters.next() == Some(letter))
        }
        None => is_same_name(wanted, name),
    }
}

fn lowered(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

/// The word in `words` that is most similar to `written`, without regard to letter case.
///
/// `None` if the number of typing errors is above 1 plus a quarter of the word's length, or if `written` has
/// more than 64 bytes. O(product of the lengths) for each word.
pub fn nearest<'w>(written: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    const LONGEST: usize = 64;
    if written.len() > LONGEST {
        return None;
    }
    let letters: Vec<char> = lowered(written).collect();
    let known = words.into_iter().filter(|word| word.len() <= LONGEST);
    let near = known.map(|word| (typing_errors(&letters, word), word));
    let (errors, word) = near.min_by_key(|(errors, _)| *errors)?;
    (errors <= 1 + word.len() / 4).then_some(word)
}

/// The smallest number of letters to insert, remove, replace or exchange with their neighbour that turns
/// `letters` into `word`, without regard to letter case.
fn typing_errors(letters: &[char], word: &str) -> usize {
    let wanted: Vec<char> = lowered(word).collect();
    // Entry `j` of row `i` is the number for the first `i` letters and the first `j` letters of the word.
    let mut rows: Vec<Vec<usize>> = vec![(0..=wanted.len()).collect()];
    for i in 1..=letters.len() {
        let mut row = vec![i];
        for j in 1..=wanted.len() {
            let is_other = letters[i - 1] != wanted[j - 1];
            let replaced = rows[i - 1][j - 1] + usize::from(is_other);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && letters[i - 1] == wanted[j - 2] && letters[i - 2] == wanted[j - 1]
            {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[letters.len()][wanted.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_codes_and_new_lines_are_escaped() {
        let text = "x\r\n::error::pwned\u{1b}[31m\u{9b}2J\u{202e}";
        let printed = printable(text).to_string();
        assert_eq!(printed, "x\\r\\n::error::pwned\\u{1b}[31m\\u{9b}2J\\u{202e}");
    }

    #[test]
    fn printed_text_and_paths_cannot_form_commands_of_ci_systems() {
        assert_eq!(printable("##[error]###").to_string(), "#\\u{23}[error]#\\u{23}\\u{23}");
        assert_eq!(printable("#1 # 2").to_string(), "#1 # 2");
        assert_eq!(printable_path(Path::new("::error::x.tmx")), "./::error::x.tmx");
    }

    #[test]
    fn counted_writes_the_plural_for_counts_other_than_1() {
        let words = |count| [counted(count, "patch"), counted(count, "pixel")];
        assert_eq!(words(1), ["1 patch", "1 pixel"]);
        assert_eq!(words(2), ["2 patches", "2 pixels"]);
    }

    #[test]
    fn long_text_is_cut_and_accented_letters_are_not_escaped() {
        let printed = printable(&"ä".repeat(1_000)).to_string();
        assert_eq!(printed.chars().count(), MAX_QUOTED_CHARS + 1);
        assert!(printed.ends_with("ä…"));
    }

    #[test]
    fn the_comparison_of_names_ignores_letter_case() {
        assert!(is_name_like("Walls", "walls") && is_name_like("wall*", "Walls 2"));
        assert!(is_name_like("*", "") && is_name_like("WÄNDE*", "wände 2"));
        assert!(!is_name_like("Walls", "Walls 2") && !is_name_like("wall*", "a wall"));
        assert!(!is_name_like("walls*", "wall") && !is_same_name("wall*", "wall"));
    }
}
