//! Levels that are far more or far less solid than they were.

use crate::lint::finding::Finding;
use crate::lint::options::SolidShare;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;

rule! {
    /// # What it finds
    /// A level whose share of solid cells differs from that of its earlier revision: by 10 percentage points
    /// or more; or by 2 or more, if the one is at least twice the other.
    ///
    /// # Why it matters
    /// One changed word can lose all walls: `sollid` on the tiles of a map took it from 29.4% solid to 0.5%,
    /// and it still loads. A person looks at the picture, where nothing has changed.
    ///
    /// # How to fix
    /// Look at the level with `bitwall render`, and at the difference with `bitwall diff`. If the change is
    /// meant, accept it: write the baseline again.
    SOLID_SHARE_JUMP = "LVL310" "solid-share-jump" Warning needs(Base)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some(loaded), Some(base)) = (subject.loaded(), subject.options.base) else {
        return Vec::new();
    };
    let grid = loaded.level.grid();
    let now = SolidShare::new(grid.solid_count(), grid.cell_count());
    if !is_jump(base, now) {
        return Vec::new();
    }
    let [before, after] = [base, now].map(|share| format!("{:.1}%", share.fraction() * 100.0));
    let headline = format!("{after} of the level is solid, {before} before");
    let direction = if is_less(now, base) { "lost" } else { "gained" };
    let finding = Finding::new(&SOLID_SHARE_JUMP, subject.path, headline)
        .note(format!("it {direction} solid cells: {} before, {} now", base.solid, now.solid))
        .help("look at it with `bitwall diff`, and write the baseline again if it is meant");
    vec![finding]
}

/// The share `one` less than `other`, exactly.
fn is_less(one: SolidShare, other: SolidShare) -> bool {
    u128::from(one.solid) * u128::from(other.cells)
        < u128::from(other.solid) * u128::from(one.cells)
}

/// True for a jump by the thresholds of the rule, without rounding.
fn is_jump(one: SolidShare, other: SolidShare) -> bool {
    let (low, high) = if is_less(one, other) { (one, other) } else { (other, one) };
    let cells = u128::from(low.cells) * u128::from(high.cells);
    // Both shares and their difference, times `cells`; products of two counts fit in 128 bits.
    let low_share = u128::from(low.solid) * u128::from(high.cells);
    let high_share = u128::from(high.solid) * u128::from(low.cells);
    let difference = high_share - low_share;
    // `percent` of `cells`, rounded up: the product itself may not fit.
    let least = |percent: u128| cells / 100 * percent + (cells % 100 * percent).div_ceil(100);
    let at_least = |percent| cells > 0 && difference >= least(percent);
    at_least(10) || (at_least(2) && high_share / 2 >= low_share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_is_ten_points_or_two_and_a_factor_of_two() {
        let share = |solid| SolidShare::new(solid, 1_000);
        for (one, other, expected) in [
            (294, 5, true),
            (300, 400, true),
            (300, 399, false),
            (20, 40, true),
            (19, 38, false),
            (41, 21, false),
            (0, 20, true),
            (0, 19, false),
            (500, 500, false),
        ] {
            assert_eq!(is_jump(share(one), share(other)), expected, "{one} {other}");
            assert_eq!(is_jump(share(other), share(one)), expected, "{one} {other}");
        }
        let (none, all) = (SolidShare::new(0, u64::MAX), SolidShare::new(u64::MAX, u64::MAX));
        assert!(is_jump(none, all) && !is_jump(all, all));
        assert!(!is_jump(SolidShare::new(0, 0), SolidShare::new(0, 0)));
        // Levels of different size are compared by their shares.
        assert!(!is_jump(SolidShare::new(1, 4), SolidShare::new(250, 1_000)));
    }
}
