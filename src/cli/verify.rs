//! `bitwall verify`: finds faults in levels.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use glam::UVec2;

use super::level_args::LoadArgs;
use super::progress::{Bar, spinner};
use super::{Answer, Failure};
use crate::text::printable;
use crate::verify::{
    Finding, RULES, Rule, Severity, Summary, VerifyOptions, output, rule_by_name, sort_findings,
    verify_file,
};

/// Find faults in levels: unreadable files, gray pixels in masks, maps without walls, ...
///
/// A file given as PATH is always checked. In a folder, all maps (.tmx, .tmj), worlds (.world) and pictures
/// (.png, .gif, .bmp, .webp, .tga) are checked, except hidden files, links, and pictures that belong to a map
/// or to a mask in it.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct VerifyArgs {
    /// Levels, and folders with levels
    #[arg(value_name = "PATH", required_unless_present = "explain")]
    paths: Vec<PathBuf>,
    /// The required width and height of masks, in pixels
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<UVec2>,
    /// The art of the mask, which must have its size [default: harbor.png for harbor_mask.png]
    #[arg(long, value_name = "PICTURE")]
    art: Option<PathBuf>,
    /// Also report gaps in the sides of a level
    #[arg(long)]
    closed: bool,
    /// The format of the findings
    #[arg(long, value_enum, default_value_t = Format::Full)]
    format: Format,
    /// Skip files and folders with this name or path, which may have * and **; a file given as PATH is
    /// always checked
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Skip a rule, by its code or name
    #[arg(long, value_name = "CODE", value_parser = parse_allowed)]
    allow: Vec<&'static Rule>,
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
  bitwall verify harbor_mask.png --art harbor.jpg   compare a mask's size with its picture's
  bitwall verify caves/ --closed --exclude 'old_*'  no cave may have a hole in its border
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
    let paths = super::files::to_check(&args.paths, &args.exclude)?;
    if args.art.is_some() && paths.len() != 1 {
        let reason = format!("--art is the picture of one mask, but there are {}", paths.len());
        return Err(Failure::Other(reason));
    }
    let options = options(args, &paths)?;
    let findings = check(&paths, &options);
    let summary = Summary::new(paths.len(), &findings);
    let printed = print(args.format, &findings, &summary);
    // The findings are on standard output, so a closed standard error is ignored.
    let _ = writeln!(anstream::stderr(), "{}", last_line(&summary, &findings));
    let answer = if findings.is_empty() { Answer::Yes } else { Answer::No };
    answer.once(printed)
}

/// The options for each file, because each folder may have a `bitwall.toml` of its own. One that cannot be
/// read is an error and not a finding, because its levels cannot be checked.
fn options(args: &VerifyArgs, paths: &[PathBuf]) -> Result<Vec<Rc<VerifyOptions>>, Failure> {
    let mut by_folder = HashMap::new();
    let mut options_of = |path: &PathBuf| {
        let folder = path.parent().map(Path::to_owned);
        if let Some(options) = by_folder.get(&folder) {
            return Ok(Rc::clone(options));
        }
        let options = Rc::new(VerifyOptions {
            load: args.load.options(path)?,
            size: args.size,
            art: args.art.clone(),
            closed: args.closed,
            allow: args.allow.clone(),
        });
        by_folder.insert(folder, Rc::clone(&options));
        Ok(options)
    };
    paths.iter().map(&mut options_of).collect()
}

/// The findings in all files, in the order of the paths.
fn check(paths: &[PathBuf], options: &[Rc<VerifyOptions>]) -> Vec<Finding> {
    let mut bar = Bar::new("checking", paths.len() as u64);
    let mut findings = Vec::new();
    for (done, (path, options)) in (1..).zip(paths.iter().zip(options)) {
        // A spinner for one file, a bar for many.
        let found = match paths {
            [_] => spinner("checking", || verify_file(path, options)),
            _ => verify_file(path, options),
        };
        findings.extend(found);
        bar.at(done);
    }
    // A broken tileset is reported with its own path, by each map that needs it.
    sort_findings(&mut findings);
    findings
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
    let color = match finding.rule.severity {
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

/// A size as `WxH`: two whole numbers above 0.
fn parse_size(text: &str) -> Result<UVec2, String> {
    let sides: Option<(u32, u32)> = text
        .split_once(['x', 'X'])
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match sides {
        Some((width, height)) if width > 0 && height > 0 => Ok(UVec2::new(width, height)),
        _ => Err("two whole numbers above 0 are needed: WxH in pixels, such as 480x270".to_owned()),
    }
}

fn parse_rule(text: &str) -> Result<&'static Rule, String> {
    rule_by_name(text).ok_or_else(|| {
        let all: Vec<String> =
            RULES.iter().map(|rule| format!("{} {}", rule.code, rule.name)).collect();
        format!("there is no rule `{}`; the rules are {}", printable(text), all.join(", "))
    })
}

fn parse_allowed(text: &str) -> Result<&'static Rule, String> {
    let rule = parse_rule(text)?;
    if rule.fixed {
        return Err(format!(
            "{} {} cannot be allowed, because the file is not checked at all; leave the file out with \
             --exclude",
            rule.code, rule.name
        ));
    }
    Ok(rule)
}
