//! Rules by their names, as they are written in arguments and in a `bitwall.toml`.

use std::str::FromStr;

use super::rules::{RULES, rule_by_name};
use super::selection::{Family, RuleSet};
use bitwall::text::{nearest, printable};

impl FromStr for RuleSet {
    type Err = String;

    /// `all`, a family, a code or a name; letter case does not matter.
    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Self::All);
        }
        let same = |family: &Family| family.letters().eq_ignore_ascii_case(text);
        if let Some(family) = Family::ALL.into_iter().find(same) {
            return Ok(Self::Family(family));
        }
        rule_by_name(text).map(Self::One).ok_or_else(|| {
            let names = RULES.iter().map(|rule| rule.name);
            let codes = RULES.iter().map(|rule| rule.code);
            let near = nearest(text, names.chain(codes));
            let near = near.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            format!("there is no rule `{}`{near} (`bitwall rules` lists them)", printable(text))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_rule_has_a_suggestion() {
        let error = "gray-pixel".parse::<RuleSet>().unwrap_err();
        assert_eq!(
            error,
            "there is no rule `gray-pixel`; did you mean `gray-pixels`? (`bitwall rules` lists them)"
        );
    }
}
