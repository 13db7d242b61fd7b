//! Comparison of names, in any letter case and with any rest.

/// True if two names differ in letter case at most.
pub fn is_same_name(one: &str, other: &str) -> bool {
    lowered(one).eq(lowered(other))
}

/// True if a name is `wanted` in any letter case; if that ends with `*`, the name may have any rest.
pub fn is_name_like(wanted: &str, name: &str) -> bool {
    match wanted.strip_suffix('*') {
        Some(start) => {
            let mut letters = lowered(name);
            lowered(start).all(|letter| letters.next() == Some(letter))
        }
        None => is_same_name(wanted, name),
    }
}

fn lowered(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_letter_case() {
        assert!(is_name_like("Walls", "walls") && is_name_like("wall*", "Walls 2"));
        assert!(is_name_like("*", "") && is_name_like("WÄNDE*", "wände 2"));
        assert!(!is_name_like("Walls", "Walls 2") && !is_name_like("wall*", "a wall"));
        assert!(!is_name_like("walls*", "wall") && !is_same_name("wall*", "wall"));
    }
}
