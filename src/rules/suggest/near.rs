//! Compares a word of a map with words of the rules. A word of the map resembles a word of the rules if it
//! misspells or contains the rule's word.

use strsim::damerau_levenshtein;

use crate::text::is_same_name;

/// The kind of resemblance between a word of a map and a word of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// The map's word contains the rule's word: `House walls`, `is_solid`.
    Contains,
    /// The map's word is the rule's word with a letter too many, too few or out of order: `sollid`.
    Misspelt,
}

/// Words that negate the word after them.
const DENIALS: [&str; 8] = ["no", "not", "non", "un", "without", "free", "never", "off"];

fn is_denial(token: &str) -> bool {
    DENIALS.contains(&token)
}

/// The largest length of a map's word, in bytes. A longer word resembles no word of the rules.
const LONGEST: usize = 64;

/// The first of `words` that `written` misspells, or else the first that `written` contains; `None` without
/// such a word. A word equal to `written` does not count as contained.
pub(super) fn likeness<'w>(written: &str, words: &[&'w str]) -> Option<(&'w str, Likeness)> {
    if written.len() > LONGEST {
        return None;
    }
    if let Some(word) = misspelling(written, words) {
        return Some((word, Likeness::Misspelt));
    }
    let tokens = tokens_of(written);
    let contained =
        words.iter().find(|word| !is_same_name(word, written) && contains(&tokens, word))?;
    Some((contained, Likeness::Contains))
}

/// The first of `words` that `written` misspells. A single token of `written` can be the misspelling, too.
pub(super) fn misspelling<'w>(written: &str, words: &[&'w str]) -> Option<&'w str> {
    if written.len() > LONGEST {
        return None;
    }
    let (letters, mut parts) = (letters_of(written), tokens_of(written));
    if parts.iter().any(|token| is_denial(token)) {
        parts.clear();
    }
    // `platformer` is a kind of game, and does not misspell `platform`.
    parts.retain(|part| words.iter().all(|word| letters_of(word) != *part) && part != "platformer");
    words.iter().copied().find(|word| {
        is_misspelt(&letters, written, word)
            || parts.iter().any(|part| is_misspelt(part, part, word))
    })
}

/// The letters and digits of a text, in lower case.
pub(super) fn letters_of(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The tokens of a name in lower case: `House_walls2`, `houseWalls 2` -> `house`, `walls`, `2`.
pub(super) fn tokens_of(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for c in text.chars() {
        let is_new = (before.is_lowercase() && c.is_uppercase())
            || before.is_numeric() != c.is_numeric()
            || !c.is_alphanumeric();
        if is_new {
            tokens.push(String::new());
        }
        if c.is_alphanumeric() {
            tokens.iter_mut().last().into_iter().for_each(|token| token.extend(c.to_lowercase()));
        }
        before = c;
    }
    tokens.retain(|token| !token.is_empty());
    tokens
}

fn is_misspelt(letters: &str, written: &str, word: &str) -> bool {
    let meant = letters_of(word);
    if letters == meant {
        return !is_same_name(written, word);
    }
    let count = meant.chars().count();
    // Short words that differ by a letter are mostly other words: `walks`, `black`.
    let is_other = |a: &str, b: &str| {
        let times = |text: &str, letter| text.chars().filter(|other| *other == letter).count();
        let has_other = a.chars().any(|letter| times(a, letter) != times(b, letter));
        a.chars().count() == b.chars().count() && has_other
    };
    let allowed = match count {
        0..5 => return false,
        5 if is_other(letters, &meant) => return false,
        5..9 => 1,
        _ => 2,
    };
    let starts_alike = letters.chars().next() == meant.chars().next();
    starts_alike && damerau_levenshtein(letters, &meant) <= allowed
}

/// True if a token equals `word`, or contains a `word` of at least 8 letters. False if a negation stands
/// before the match, as in `not solid`.
fn contains(tokens: &[String], word: &str) -> bool {
    // Longer words contain short words by chance: `block` in `blocks of ice`, `solid` in `consolidated`.
    const LONG: usize = 8;
    let word = letters_of(word);
    let at = tokens.iter().position(|token| match token.find(&word) {
        Some(0) if *token == word => true,
        Some(0) => word.len() >= LONG,
        Some(start) => word.len() >= LONG && !is_denial(&token[..start]),
        None => false,
    });
    at.is_some_and(|at| !word.is_empty() && !tokens.iter().take(at).any(|token| is_denial(token)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 7] =
        ["collision", "collisions", "solid", "wall", "walls", "blocked", "obstacle"];

    fn like(written: &str) -> Option<(&str, Likeness)> {
        likeness(written, &WORDS)
    }

    #[test]
    fn misspelt_words_of_the_rules_are_recognized() {
        for (written, meant) in [
            ("sollid", "solid"),
            ("soild", "solid"),
            ("Colision", "collision"),
            ("Collision ", "collision"),
            ("col_lision", "collision"),
            ("Obsticle", "obstacle"),
            ("wals", "walls"),
            ("COLLISONS", "collisions"),
            ("tree_colision 2", "collision"),
        ] {
            let (word, how) = like(written).expect(written);
            assert_eq!(how, Likeness::Misspelt, "{written}");
            assert_eq!(word.trim_end_matches('s'), meant.trim_end_matches('s'), "{written}");
        }
    }

    #[test]
    fn a_word_of_the_rules_inside_a_longer_name_is_recognized() {
        for (written, meant) in [
            ("HouseWalls", "walls"),
            ("is_solid", "solid"),
            ("Trees collision 2", "collision"),
            ("treecollisionmap", "collision"),
        ] {
            assert_eq!(like(written), Some((meant, Likeness::Contains)), "{written}");
        }
    }

    #[test]
    fn ordinary_words_and_negated_words_resemble_no_word_of_the_rules() {
        for written in [
            "walks",
            "halls",
            "wells",
            "black",
            "salad",
            "ground",
            "",
            "consolidated",
            "nocollision",
            "no_collision",
            "not solid",
            "noSolid",
            "no colision",
            "stonewall",
            "wally",
            "x",
        ] {
            assert_eq!(like(written), None, "{written}");
        }
        assert_eq!(like(&"walls ".repeat(20)), None, "it is too long");
    }

    #[test]
    fn a_word_of_the_rules_does_not_resemble_itself() {
        for word in WORDS {
            assert_eq!(likeness(word, &[word]), None);
        }
    }
}
