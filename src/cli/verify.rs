//! `bitwall verify`: finds faults in levels.

mod scope;
mod settings;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use glam::UVec2;
use rayon::prelude::*;

use self::scope::Scope;
use self::settings::Settings;
use super::files::MAX_FILES;
use super::level_args::LoadArgs;
use super::progress::{Bar, spinner};
use super::{Answer, Failure};
use crate::text::{counted, printable};
use crate::verify::config::parse_size;
use crate::verify::{
    BodySpec, Finding, Report, Rule, RuleSet, Severity, Skipped, Summary, VerifyOptions, grouped,
    output, verify_file,
};

/// Find faults in levels: unreadable files, gray pixels in masks, maps without walls, ...
///
/// A file given as PATH is always checked; a picture that is given is a mask. In a folder, all maps (.tmx,
/// .tmj) and worlds (.world) are checked, and the pictures (.png, .gif, .bmp, .webp, .tga) that are named as
/// masks; not hidden files, links, and files that a .gitignore names. The section `[verify]` of a
/// bitwall.toml says which pictures are masks, which rules are on, and the facts of the game.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct VerifyArgs {
    /// Levels, and folders with levels [default: the current folder]
    #[arg(value_name = "PATH", default_values_os_t = [scope::here()], hide_default_value = true)]
    paths: Vec<PathBuf>,
    /// The required width and height of masks, in pixels
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<UVec2>,
    /// The width and height in pixels of which those of masks must be multiples
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    tile: Option<UVec2>,
    /// The art of the mask, which must have its size [default: harbor.png for harbor_mask.png]
    #[arg(long, value_name = "PICTURE")]
    art: Option<PathBuf>,
    /// A body that moves in the levels: its size in pixels, and its top speed in pixels a step. May be given
    /// again
    #[arg(long, value_name = "WxH[@SPEED]", value_parser = parse_body_spec)]
    body: Vec<BodySpec>,
    /// The format of the findings
    #[arg(long, value_enum, default_value_t = Format::Full)]
    format: Format,
    /// Skip files and folders with this name or path, which may have * and **; a file given as PATH is
    /// always checked
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Turn on a rule, by its code or name, or a family (`LVL`), or `all`
    #[arg(long, value_name = "RULE")]
    select: Vec<RuleSet>,
    /// Turn off a rule, by its code or name, or a family
    #[arg(long, visible_alias = "allow", value_name = "RULE", value_parser = parse_ignored)]
    ignore: Vec<RuleSet>,
    /// The largest number of maps, tilesets and pictures in the folders
    #[arg(long, value_name = "NUMBER", default_value_t = MAX_FILES)]
    max_files: usize,
    /// Explain a rule, and check nothing
    #[arg(long, value_name = "CODE", value_parser = parse_rule)]
    explain: Option<&'static Rule>,
    #[command(flatten)]
    load: LoadArgs,
}

const EXAMPLES: &str = "\
Examples:
  bitwall verify assets/                            check every level in a folder
  bitwall verify assets/ --format github            the same in a GitHub workflow
  bitwall verify harbor_mask.png --art harbor.jpg   compare a mask with its picture
  bitwall verify caves/ --select open-border        no cave may have a hole in its border
  bitwall verify maps/ --body 12x20                 check the ways of a body of this size
  bitwall verify --explain MSK202                   what a finding means and how to fix it

Exit codes: 0 nothing found, 1 findings, 2 nothing could be checked.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// With a drawing of the place, notes and help
    Full,
    /// One line a finding
    Concise,
    /// Annotations of a GitHub workflow
    Github,
    /// One JSON document
    Json,
}

pub(super) fn run(args: &VerifyArgs) -> Result<Answer, Failure> {
    if let Some(rule) = args.explain {
        return Answer::Yes.once(explain(rule));
    }
    let outcome = outcome(args)?;
    let findings = &outcome.findings;
    let summary = Summary::new(outcome.files, findings);
    let printed = print(args.format, findings, &summary);
    // The findings are on standard output, so a closed standard error is ignored.
    let mut err = anstream::stderr();
    for line in outcome.left_out() {
        let _ = writeln!(err, "{line}");
    }
    let _ = writeln!(err, "{}", last_line(&summary, findings));
    let answer = if findings.is_empty() { Answer::Yes } else { Answer::No };
    answer.once(printed)
}

/// The result for all files.
struct Outcome {
    /// Sorted: errors first.
    findings: Vec<Finding>,
    /// The rules that could not be checked, of all files.
    skipped: Vec<Skipped>,
    /// The number of files that were checked.
    files: usize,
    /// The number of levels that were not, because their `bitwall.toml` is broken.
    unchecked: usize,
    /// The number of pictures that are neither masks nor named by a map.
    pictures_left: usize,
}

/// Checks all files that the arguments ask for.
fn outcome(args: &VerifyArgs) -> Result<Outcome, Failure> {
    let mut settings = Settings::new(args);
    let Scope { levels, configs, pictures_left } = scope::scope(args, &mut settings)?;
    if args.art.is_some() && levels.len() != 1 {
        let reason = format!("--art is the picture of one mask, but there are {}", levels.len());
        return Err(Failure::Other(reason));
    }
    let mut files = Vec::new();
    for path in &levels {
        if let Some(options) = settings.options(path)? {
            files.push((path, options));
        }
    }
    let (mut findings, mut skipped) = (settings.into_findings(), Vec::new());
    for path in &configs {
        findings.extend(settings::read(path).1.findings);
    }
    for report in check(&files) {
        findings.extend(report.findings);
        skipped.extend(report.skipped);
    }
    Ok(Outcome {
        findings: grouped(findings),
        skipped,
        files: files.len() + configs.len(),
        unchecked: levels.len() - files.len(),
        pictures_left,
    })
}

impl Outcome {
    /// Lines about the files and rules that were not checked, so that they do not look clean.
    fn left_out(&self) -> Vec<String> {
        let unchecked = (self.unchecked > 0).then(|| {
            let files = counted(self.unchecked as u64, "file");
            format!("{files} not checked: their bitwall.toml is broken")
        });
        let rules = skipped_lines(&self.skipped);
        unchecked.into_iter().chain(rules).chain(scope::left_alone(self.pictures_left)).collect()
    }
}

/// The reports on all files, in their order. The files are shared out to all cores.
fn check(files: &[(&PathBuf, VerifyOptions)]) -> Vec<Report> {
    // A spinner for one file, a bar for many.
    if let [(path, options)] = files {
        return vec![spinner("checking", || verify_file(path, options))];
    }
    let bar = Mutex::new((Bar::new("checking", files.len() as u64), 0));
    let check = |(path, options): &(&PathBuf, VerifyOptions)| {
        let report = verify_file(path, options);
        if let Ok(mut bar) = bar.lock() {
            bar.1 += 1;
            let done = bar.1;
            bar.0.at(done);
        }
        report
    };
    files.par_iter().map(check).collect()
}

/// A line for each reason for which rules were not checked, with their names.
fn skipped_lines(skipped: &[Skipped]) -> Vec<String> {
    let mut by_reason = BTreeMap::<String, BTreeMap<&str, (&str, u64)>>::new();
    for Skipped { rule, reason, .. } in skipped {
        let rules = by_reason.entry(reason.to_string()).or_default();
        rules.entry(rule.code).or_insert((rule.name, 0)).1 += 1;
    }
    let line = |(reason, rules): (String, BTreeMap<&str, (&str, u64)>)| {
        let names = rules
            .iter()
            .map(|(code, (name, files))| format!("{code} {name} ({})", counted(*files, "file")));
        format!("not checked, {}: {}", printable(&reason), names.collect::<Vec<_>>().join(", "))
    };
    by_reason.into_iter().map(line).collect()
}

fn print(format: Format, findings: &[Finding], summary: &Summary) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    match format {
        Format::Json => write!(out, "{}", output::json(findings, summary))?,
        Format::Full => {
            for (index, finding) in findings.iter().enumerate() {
                let gap = if index == 0 { "" } else { "\n" };
                write!(out, "{gap}{}", colored(finding, &output::full(finding)))?;
            }
        }
        Format::Concise => {
            for finding in findings {
                writeln!(out, "{}", output::concise(finding))?;
            }
        }
        Format::Github => {
            for finding in findings {
                writeln!(out, "{}", output::github(finding))?;
            }
        }
    }
    out.flush()
}

/// The text of a finding with its first part, the severity and code, in colour. `anstream` removes the colour
/// if the output is not a terminal.
fn colored(finding: &Finding, text: &str) -> String {
    let color = match finding.severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    let head = text.find(':').unwrap_or(0);
    format!("{style}{}{style:#}{}", &text[..head], &text[head..])
}

fn last_line(summary: &Summary, findings: &[Finding]) -> String {
    match findings.first() {
        None => summary.to_string(),
        Some(finding) => {
            format!("{summary}. `bitwall verify --explain {}` tells more.", finding.rule.code)
        }
    }
}

fn explain(rule: &Rule) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{} {} ({})\n", rule.code, rule.name, rule.severity.name())?;
    for line in rule.docs.lines() {
        writeln!(out, "{}", line.strip_prefix(' ').unwrap_or(line))?;
    }
    out.flush()
}

/// A body as `WxH` or `WxH@SPEED`.
fn parse_body_spec(text: &str) -> Result<BodySpec, String> {
    let (size, speed) = match text.split_once('@') {
        Some((size, speed)) => (size, Some(speed)),
        None => (text, None),
    };
    let body = BodySpec::new(text, parse_size(size)?);
    match speed.map(str::parse) {
        None => Ok(body),
        Some(Ok(speed)) => Ok(body.with_top_speed(speed)),
        Some(Err(_)) => Err("the speed must be a whole number of pixels a step".to_owned()),
    }
}

fn parse_rule(text: &str) -> Result<&'static Rule, String> {
    match text.parse()? {
        RuleSet::One(rule) => Ok(rule),
        _ => Err("one rule is needed, by its code or name".to_owned()),
    }
}

fn parse_ignored(text: &str) -> Result<RuleSet, String> {
    match text.parse()? {
        RuleSet::One(rule) if rule.fixed => Err(format!(
            "{} {} cannot be turned off, because the file is not checked at all; leave the file out with \
             --exclude",
            rule.code, rule.name
        )),
        rules => Ok(rules),
    }
}
