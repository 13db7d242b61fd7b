//! Prints tables in Markdown.

use crate::chart::thousands;
use crate::measure::Seen;

/// The times of all engines in a scene. bitwall's time comes first.
pub(crate) struct Row {
    pub(crate) scene: String,
    /// The mean time of a step, in seconds.
    pub(crate) times: Vec<f64>,
    pub(crate) unit: Unit,
}

#[derive(Clone, Copy)]
pub(crate) enum Unit {
    /// Nanoseconds per step and body, for this number of bodies.
    Nanoseconds(usize),
    /// Milliseconds per step.
    Milliseconds,
}

impl Unit {
    pub(crate) fn of(self, seconds: f64) -> f64 {
        match self {
            Self::Nanoseconds(bodies) => seconds * 1e9 / bodies as f64,
            Self::Milliseconds => seconds * 1e3,
        }
    }

    fn text(self, seconds: f64) -> String {
        match self {
            Self::Nanoseconds(_) => format!("{} ns", thousands(self.of(seconds))),
            Self::Milliseconds => format!("{:.5} ms", self.of(seconds)),
        }
    }
}

/// Prints the times, and how many times faster bitwall is than the fastest other engine.
pub(crate) fn print_times(names: &[&str], rows: &[Row]) {
    println!("| scene | {} | fastest peer / bitwall |", names.join(" | "));
    println!("|---|{}", "---|".repeat(names.len() + 1));
    for Row { scene, times, unit } in rows {
        let texts: Vec<_> = times.iter().map(|time| unit.text(*time)).collect();
        let peer = times[1..].iter().copied().fold(f64::INFINITY, f64::min);
        println!("| {scene} | {} | {:.2} |", texts.join(" | "), peer / times[0]);
    }
}

/// What the bodies of an engine did in a scene.
pub(crate) struct Check {
    pub(crate) scene: String,
    pub(crate) name: &'static str,
    pub(crate) seen: Seen,
    /// The longest time of a step divided by the median. It is shown for walkers only, because blocks sleep
    /// in most steps.
    pub(crate) longest_over_median: Option<f64>,
}

pub(crate) fn print_checks(checks: &[Check]) {
    let columns = [
        "scene",
        "engine",
        "walked, px a step",
        "turns",
        "fell, px",
        "last step that moved one",
        "in solids",
        "in bodies",
        "longest / median step",
    ];
    println!("| {} |\n|{}", columns.join(" | "), "---|".repeat(columns.len()));
    for Check { scene, name, seen, longest_over_median } in checks {
        let longest = longest_over_median.map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let Seen { walked, turns, fell, moved_until, in_solids, in_bodies } = seen;
        println!(
            "| {scene} | {name} | {walked:.3} | {turns:.2} | {fell:.1} | {moved_until} | {in_solids} \
             | {in_bodies} | {longest} |"
        );
    }
}
