//! `bitwall can-move`: tests whether a box can move, and shows the obstacle if it cannot. With `--questions`
//! it answers one question per line. A million lines take about two seconds.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use bitwall::glam::{IVec2, UVec2};
use clap::Args;
use serde_json::{Value, json};

use super::output::Progress;
use super::{Answer, AnswerFormat, Failure, LevelArgs, body, parse_body, parse_dir, parse_step};
use crate::lint::output::pretty_json;
use bitwall::error::LoadErrorKind;
use bitwall::geometry::ParseDirError;
use bitwall::load::Source;
use bitwall::text::printable;
use bitwall::{Aabb, Dir, Level, LoadedLevel};

/// Test whether a box can move, and show the obstacle if it cannot
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall can-move cave.tmx --body 100,300,12,20 --dir right --step 8
  bitwall can-move harbor_mask.png --body 180,190,10,12 --dir up --step 200
  bitwall can-move cave.tmx --body 100,300,12,20 --dir down --step 90 --format json
  bitwall can-move cave.tmx --questions questions.txt > answers.tsv
  echo '100 300 12 20 right 8' | bitwall can-move cave.tmx --questions -

Prints `yes` (exit code 0), or `no`, how far it can move and what stops it (exit code 1).

With --questions each answer is one line of words parted by tabs, or a JSON object:
  yes  STEP
  no   PIXELS MOVED  COLUMN  ROW        of the cell that stops the box
Exit code 0 if every line was answered; 2 at the first bad line, which is named.")]
pub(super) struct CanMoveArgs {
    /// The box: its left and top edge, width and height, in pixels
    #[arg(long, value_name = "X,Y,W,H", value_parser = parse_body, allow_hyphen_values = true)]
    #[arg(required_unless_present = "questions", requires = "dir")]
    body: Option<Aabb>,
    /// The direction to move in
    #[arg(long, value_name = "left|right|up|down", value_parser = parse_dir, requires = "step")]
    dir: Option<Dir>,
    /// The distance to move, in pixels
    #[arg(long, value_name = "N", value_parser = parse_step, allow_hyphen_values = true, requires = "body")]
    step: Option<u32>,
    /// Answer the questions in this file, one a line: x y w h dir step; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "body")]
    questions: Option<PathBuf>,
    /// The format of the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
    #[command(flatten)]
    level: LevelArgs,
}

/// May this box move so far?
struct Question {
    body: Aabb,
    dir: Dir,
    step: u32,
}

pub(super) fn run(args: &CanMoveArgs) -> Result<Answer, Failure> {
    let path = args.questions.as_deref().unwrap_or(Path::new(""));
    let is_stdin = path == Path::new("-");
    if is_stdin && args.level.level == path {
        let reason =
            "the level is on standard input, so that the questions cannot be; name their FILE";
        return Err(reason.into());
    }
    let file = args.level.file()?;
    let loaded = args.level.load.load(&file)?;
    file.warn_of_mask(&loaded);
    if let Some((answer, text)) = answer_one(&loaded, args) {
        return answer.print(&text);
    }
    let level = loaded.level;
    if is_stdin {
        let input = Box::new(std::io::stdin().lock());
        return answer_all(&level, input, Path::new("standard input"), args.format);
    }
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    answer_all(&level, Box::new(file), path, args.format)
}

/// Returns the answer to the question of `args` as text.
pub(super) fn text_of(args: &CanMoveArgs) -> Result<String, Failure> {
    let loaded = args.level.load.load(&args.level.file()?)?;
    let (_, text) = answer_one(&loaded, args).ok_or("there is no question")?;
    Ok(text)
}

/// Returns the answer to the question of `args`, and its text. `None` if the questions are in a file.
fn answer_one(loaded: &LoadedLevel, args: &CanMoveArgs) -> Option<(Answer, String)> {
    let sweep = loaded.level.sweep(args.body?, args.dir?, args.step?);
    let cell = sweep.contact.map(|contact| contact.cell);
    let answer = if cell.is_none() { Answer::Yes } else { Answer::No };
    let text = match (args.format, cell) {
        (AnswerFormat::Text, None) => "yes\n".to_owned(),
        (AnswerFormat::Text, Some(cell)) => {
            let obstacle = obstacle_text(loaded, cell);
            format!("no: moves {} px, stopped by {obstacle}\n", sweep.moved)
        }
        (AnswerFormat::Json, _) => pretty_json(&json!({
            "version": 1,
            "can_move": cell.is_none(),
            "moved": sweep.moved,
            "obstacle": cell.map(|cell| obstacle_document(loaded, cell)),
        })),
    };
    Some((answer, text))
}

const MAX_LINE_BYTES: u64 = 1_000;

fn unreadable(name: &Path, error: std::io::Error) -> Failure {
    Failure::at(name, LoadErrorKind::Io(error))
}

/// Answers each line of `input`. Flushes the output before an error and before each wait for input, so that
/// another program can read an answer before the next question.
fn answer_all(
    level: &Level,
    input: Box<dyn Read>,
    name: &Path,
    format: AnswerFormat,
) -> Result<Answer, Failure> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let bar = Progress::new("answering", 0);
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
            Ok(question) => {
                written = written.and_then(|()| write_answer(&mut out, level, &question, format));
            }
            Err(reason) => {
                Answer::Yes.once(out.flush())?;
                return Err(Failure::at(name, format!("line {number}: {reason}")));
            }
        }
        if written.is_err() {
            return Answer::Yes.once(written);
        }
        bar.show(number);
    }
    Answer::Yes.once(out.flush())
}

fn write_answer(
    out: &mut impl Write,
    level: &Level,
    question: &Question,
    format: AnswerFormat,
) -> std::io::Result<()> {
    let sweep = level.sweep(question.body, question.dir, question.step);
    let cell = sweep.contact.map(|contact| contact.cell.to_array());
    match (format, cell) {
        (AnswerFormat::Text, None) => writeln!(out, "yes\t{}", question.step),
        (AnswerFormat::Text, Some([x, y])) => writeln!(out, "no\t{}\t{x}\t{y}", sweep.moved),
        (AnswerFormat::Json, _) => {
            let can_move = cell.is_none();
            writeln!(out, "{}", json!({"can_move": can_move, "moved": sweep.moved, "cell": cell}))
        }
    }
}

fn parse(line: &[u8]) -> Result<Question, String> {
    if line.len() as u64 > MAX_LINE_BYTES {
        return Err(format!("it has over {MAX_LINE_BYTES} bytes"));
    }
    let text = std::str::from_utf8(line).map_err(|_| "not text in UTF-8")?;
    let mut words = text.split_ascii_whitespace();
    let six = [(); 6].map(|()| words.next().unwrap_or_default());
    let [x, y, w, h, dir, step] = six;
    if step.is_empty() || words.next().is_some() {
        return Err("six words are needed: x y w h dir step".to_owned());
    }
    let body = body(number("x", x)?, number("y", y)?, number("w", w)?, number("h", h)?)?;
    let dir = dir
        .parse()
        .map_err(|error: ParseDirError| format!("dir is `{}`, which is {error}", printable(dir)))?;
    Ok(Question { body, dir, step: number("step", step)? })
}

fn number<T: FromStr>(name: &str, word: &str) -> Result<T, String> {
    word.parse().map_err(|_| {
        format!("{name} is `{}`, which is not a whole number in its range", printable(word))
    })
}

/// True if a cell, whose negative numbers wrap, is not in the level.
fn is_outside(level: &Level, cell: UVec2) -> bool {
    cell.cmpge(level.grid().size()).any()
}

/// Returns the facts of the cell that stops the box. A cell is a pixel in masks and in maps with shapes.
fn obstacle_document(loaded: &LoadedLevel, cell: IVec2) -> Value {
    let level = &loaded.level;
    let place = cell.as_uvec2();
    let cause = loaded.provenance(cell);
    let cause = cause.as_ref();
    let tile = cause.and_then(|cause| cause.tile.as_ref());
    let is_solid = level.grid().is_solid(place.x, place.y);
    json!({
        "cell": cell.to_array(),
        "is_pixel": level.cell_size() == UVec2::ONE,
        "is_outside": is_outside(level, place),
        "tile": tile.map(|(tileset, id)| json!({"tileset": tileset, "id": id})),
        "object": cause.and_then(|cause| cause.object),
        "layer": cause.map(|cause| &cause.layer),
        // The rule that made the cell solid; null for a one-way cell.
        "because": cause.filter(|_| is_solid).map(|cause| &cause.because),
    })
}

/// Returns the words for the cell that stops the box.
pub(super) fn obstacle_text(loaded: &LoadedLevel, cell: IVec2) -> String {
    let IVec2 { x, y } = cell;
    let name = match loaded.level.cell_size() {
        UVec2::ONE => format!("pixel (x {x}, y {y})"),
        _ => format!("cell (col {x}, row {y})"),
    };
    if is_outside(&loaded.level, cell.as_uvec2()) {
        return format!("the outside of the level, {name}");
    }
    if matches!(loaded.source, Source::Mask(_)) {
        return format!("{name} of the mask");
    }
    match loaded.provenance(cell) {
        Some(cause) => format!("{name}, {cause}"),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_has_exactly_six_words() {
        let question = parse(b" -5 6\t7 8 up 4294967295\r\n").unwrap();
        assert_eq!(question.body, Aabb::from_xywh(-5, 6, 7, 8));
        assert_eq!((question.dir, question.step), (Dir::Up, u32::MAX));
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
