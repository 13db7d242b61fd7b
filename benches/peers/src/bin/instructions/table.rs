//! The committed table of instructions, and the comparison of new counts with it.

use std::fmt;
use std::str::FromStr;

/// The share by which a kernel may grow.
const GROWTH: f64 = 0.05;

/// A kernel and the instructions of one of its queries.
pub(crate) struct Count {
    pub(crate) kernel: String,
    pub(crate) instructions: f64,
}

pub(crate) struct Table {
    /// The version and the target of the compiler.
    pub(crate) compiler: String,
    pub(crate) counts: Vec<Count>,
}

const HEAD: &str = "# Instructions a query, a body's step in a world or a load, with the caller's loop, by callgrind.
# Written by: cargo run --manifest-path benches/peers/Cargo.toml --release \\
#     --bin instructions -- --update
";

/// The text before the name of the compiler.
const COMPILER: &str = "# ";

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{HEAD}{COMPILER}{}", self.compiler)?;
        for Count { kernel, instructions } in &self.counts {
            writeln!(f, "{kernel:<44} {instructions:>10.1}")?;
        }
        Ok(())
    }
}

impl FromStr for Table {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut head = text.lines().filter_map(|line| line.strip_prefix(COMPILER));
        let compiler = head.next_back().ok_or("the table has no head")?.to_owned();
        let row = |line: &str| {
            let (kernel, count) = line.rsplit_once(' ').ok_or("a line without a count")?;
            let instructions = count.parse().map_err(|error| format!("{line}: {error}"))?;
            Ok(Count { kernel: kernel.trim_end().to_owned(), instructions })
        };
        let counts = text.lines().filter(|line| !line.starts_with('#')).map(row);
        Ok(Self { compiler, counts: counts.collect::<Result<_, String>>()? })
    }
}

/// Prints all counts beside the committed ones. Returns false if a count has grown too much or is not in the
/// table.
pub(crate) fn compare(committed: &Table, counted: &Table) -> bool {
    let is_same = committed.compiler == counted.compiler;
    println!("{:<44} {:>10} {:>10}", "instructions a query", "committed", "now");
    let mut is_good = true;
    for Count { kernel, instructions } in &counted.counts {
        let before = committed.counts.iter().find(|count| count.kernel == *kernel);
        let (shown, word) = match before {
            None => ("none".to_owned(), "NOT IN THE TABLE"),
            Some(count) => {
                let grown = instructions / count.instructions - 1.0;
                let word = match grown {
                    _ if !is_same => "",
                    _ if grown > GROWTH => "GREW by more than 5%",
                    _ if grown < -GROWTH => "shrank by more than 5%",
                    _ => "",
                };
                (format!("{:.1}", count.instructions), word)
            }
        };
        is_good &= word.is_empty() || word.starts_with("shrank");
        println!("{kernel:<44} {shown:>10} {instructions:>10.1} {word}");
    }
    if !is_same {
        println!(
            "not compared: the table is of {}, this is {}",
            committed.compiler, counted.compiler
        );
        return true;
    }
    if !is_good {
        println!("if that must be so, write the table anew: --bin instructions -- --update");
    }
    is_good
}
