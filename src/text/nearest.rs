//! The word that was meant, by the number of its letters that differ.

/// The word nearest to the one written, without regard to case, if it is near enough: at most one letter and
/// a quarter of its letters differ. O(the product of the lengths) a word.
pub fn nearest<'w>(written: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    // The distance takes time in proportion to the product of the lengths.
    const LONGEST: usize = 64;
    if written.len() > LONGEST {
        return None;
    }
    let written = written.to_lowercase();
    let distance = |word: &str| strsim::damerau_levenshtein(&written, &word.to_lowercase());
    let known = words.into_iter().filter(|word| word.len() <= LONGEST);
    let near = known.map(|word| (distance(word), word));
    let (distance, word) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + word.len() / 4).then_some(word)
}
