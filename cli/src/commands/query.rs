//! `bitwall query`: answers one question per line. A million lines take about two seconds.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

use clap::Args;

use super::level_args::{LevelArgs, body};
use super::output::Progress;
use super::{Answer, AnswerFormat, Failure};
use bitwall::{Aabb, Dir, Level, error::LoadErrorKind, geometry::ParseDirError, text::printable};

/// Answer many questions, one a line: x y w h dir step
#[derive(Args)]
#[command(after_help = "\
Each question is six words, `x y w h dir step`, for example `100 300 12 20 right 8`.
Each answer is one line of words parted by tabs:
  yes  STEP
  no   PIXELS MOVED  COLUMN  ROW        of the cell that stops the box

With --format json each answer is one JSON object on a line, with the same facts.

Examples:
  bitwall query cave.tmx questions.txt > answers.tsv
  echo '100 300 12 20 right 8' | bitwall query cave.tmx

Exit code 0 if every line was answered; 2 at the first bad line, which is named.")]
pub(super) struct QueryArgs {
    #[command(flatten)]
    level: LevelArgs,
    /// The file with the questions [default: standard input]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The format of the answers
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

const MAX_LINE_BYTES: u64 = 1_000;

const LINES_A_LOOK: u64 = 10_000;

pub(super) fn run(args: &QueryArgs) -> Result<Answer, Failure> {
    let is_dash = |path: &PathBuf| path.as_os_str() == "-";
    let file = args.file.as_ref().filter(|path| !is_dash(path));
    if is_dash(&args.level.level) && file.is_none() {
        let reason =
            "the level is on standard input, so that the questions cannot be; name their FILE";
        return Err(Failure::Other(reason.to_owned()));
    }
    let level = args.level.load.load(&args.level.file()?)?.level;
    let (name, input): (_, Box<dyn Read>) = match file {
        Some(path) => {
            let name = path.to_string_lossy().into_owned();
            let file = File::open(path).map_err(|error| unreadable(&name, error))?;
            (name, Box::new(file))
        }
        None => ("standard input".to_owned(), Box::new(std::io::stdin().lock())),
    };
    answer_all(&level, BufReader::with_capacity(1 << 16, input), &name, args.format)
}

fn unreadable(name: &str, error: std::io::Error) -> Failure {
    let reason = LoadErrorKind::Io(error);
    Failure::Other(format!("{}: {reason}", printable(name)))
}

/// Answers each line of `input`. Flushes the output before an error and before each wait for input, so that
/// another program can read an answer before the next question.
fn answer_all(
    level: &Level,
    mut input: BufReader<Box<dyn Read>>,
    name: &str,
    format: AnswerFormat,
) -> Result<Answer, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut bar = Progress::new("answering", 0);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let mut written = if input.buffer().is_empty() { out.flush() } else { Ok(()) };
        let limited = &mut Read::take(&mut input, MAX_LINE_BYTES + 1);
        let read = limited.read_until(b'\n', &mut line);
        if read.map_err(|error| unreadable(name, error))? == 0 {
            break;
        }
        match parse(&line) {
            Ok((body, dir, step)) => {
                written =
                    written.and_then(|()| write_answer(&mut out, level, (body, dir, step), format));
            }
            Err(reason) => {
                Answer::Yes.once(out.flush())?;
                let name = printable(name);
                return Err(Failure::Other(format!("{name}: line {number}: {reason}")));
            }
        }
        if written.is_err() {
            return Answer::Yes.once(written);
        }
        if number % LINES_A_LOOK == 0 {
            bar.show(number);
        }
    }
    Answer::Yes.once(out.flush())
}

fn write_answer(
    out: &mut impl Write,
    level: &Level,
    (body, dir, step): (Aabb, Dir, u32),
    format: AnswerFormat,
) -> std::io::Result<()> {
    let sweep = level.sweep(body, dir, step);
    let (moved, cell) = (sweep.moved, sweep.contact.map(|contact| contact.cell.to_array()));
    match (format, cell) {
        (AnswerFormat::Text, None) => writeln!(out, "yes\t{step}"),
        (AnswerFormat::Text, Some([x, y])) => writeln!(out, "no\t{moved}\t{x}\t{y}"),
        (AnswerFormat::Json, None) => {
            writeln!(out, "{{\"can_move\":true,\"moved\":{moved},\"cell\":null}}")
        }
        (AnswerFormat::Json, Some([x, y])) => {
            writeln!(out, "{{\"can_move\":false,\"moved\":{moved},\"cell\":[{x},{y}]}}")
        }
    }
}

fn parse(line: &[u8]) -> Result<(Aabb, Dir, u32), String> {
    if line.len() as u64 > MAX_LINE_BYTES {
        return Err(format!("it has over {MAX_LINE_BYTES} bytes"));
    }
    let text = std::str::from_utf8(line).map_err(|_| "not text in UTF-8".to_owned())?;
    let mut words = text.split_ascii_whitespace();
    let mut next = |what| words.next().ok_or(format!("{what} is missing; write: x y w h dir step"));
    let mut number = |what| {
        let word = next(what)?;
        let wrong = |_| format!("{what} is `{}`, which is not a whole number", printable(word));
        word.parse::<i32>().map_err(wrong)
    };
    let (x, y, w, h) = (number("x")?, number("y")?, number("w")?, number("h")?);
    let body = body(x, y, w, h)?;
    let word = next("dir")?;
    let dir = word.parse().map_err(|error: ParseDirError| {
        format!("dir is `{}`, which is {error}", printable(word))
    })?;
    let word = next("step")?;
    let step = word.parse().map_err(|_| {
        let word = printable(word);
        format!("step is `{word}`, which is not a whole number from 0 to 4294967295")
    })?;
    match words.next() {
        Some(more) => Err(format!("`{}` follows the step", printable(more))),
        None => Ok((body, dir, step)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_line_has_exactly_six_words() {
        let (body, dir, step) = parse(b" -5 6\t7 8 up 4294967295\r\n").unwrap();
        assert_eq!(body, Aabb::from_xywh(-5, 6, 7, 8));
        assert_eq!((dir, step), (Dir::Up, u32::MAX));
        for bad in [
            &b""[..],
            b"\n",
            b"1 2 3 4 left",
            b"1 2 3 4 left 5 6",
            b"1 2 3 4 Left 5",
            b"1 2 0 4 left 5",
            b"1 2 3 4 left -5",
            b"1.5 2 3 4 left 5",
            b"2147483648 2 3 4 left 5",
            b"1 2 3 4 l\xffft 5",
            b"2147483647 2 1 4 left 5",
            &[b' '; 1_001],
        ] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }
}
