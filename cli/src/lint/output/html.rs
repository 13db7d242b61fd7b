//! Writes findings as one HTML page, with pictures that the caller has drawn, and the parts of a page that
//! the report of `bitwall diff` shares.
//!
//! A page needs no other file and no connection. All text from files passes [`escaped`], and a policy in the
//! page lets a browser run no script but the slider of `diff`.

use std::collections::BTreeMap;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use quick_xml::escape::escape;

use crate::lint::output::{clean, not_checked, summary};
use crate::lint::{Checked, Finding, Reported};
use bitwall::glam::UVec2;
use bitwall::text::{are, counted};

/// The start of a page, up to its style: its policy, and the size for a phone.
const HEAD: &str = include_str!("html/head.html");
const STYLE: &str = include_str!("html/report.css");

/// The script of `diff`, whose SHA-256 is in the policy.
const SLIDER: &str = include_str!("html/slider.js");

/// What the colours in the pictures of findings mean.
const LEGEND: &str = include_str!("html/legend.html");

/// What they mean in the pictures of changes.
pub(crate) const CHANGES: &str = include_str!("html/changes.html");

const MOST_FINDINGS: usize = 500;

/// The largest sum of the pictures of a page, in bytes of PNG.
const MOST_BYTES: usize = 12 << 20;

/// A picture with its words, for a page.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) png: Vec<u8>,
    pub(crate) size: UVec2,
    pub(crate) words: String,
}

/// Escapes a text from a file for an element or an attribute of a page, on one line and cut.
fn escaped(text: &str) -> String {
    escape(clean(text)).into_owned()
}

/// Returns a text [`escaped`], with what is in backticks as code.
pub(crate) fn prose(text: &str) -> String {
    let mut prose = String::new();
    for (index, part) in escaped(text).split('`').enumerate() {
        let [start, end] = [["", ""], ["<code>", "</code>"]][index % 2];
        prose.extend([start, part, end]);
    }
    prose
}

/// Returns the element of a file's name, which keeps its direction of writing to itself.
pub(crate) fn name_of(path: &Path) -> String {
    format!("<bdi>{}</bdi>", escaped(&path.to_string_lossy()))
}

/// A page that is being written. Its methods take HTML: texts in it must be [`escaped`].
pub(crate) struct Page {
    html: String,
    /// The bytes of the pictures so far.
    bytes: usize,
    /// The number of pictures that were left out.
    pub(crate) left_out: usize,
}

impl Page {
    /// Starts a page with its title and its result in a sentence.
    pub(crate) fn new(title: &str, result: &str) -> Self {
        let html =
            format!("{HEAD}<style>\n{STYLE}</style>\n<title>{title}</title>\n<h1>{title}</h1>\n");
        let mut page = Self { html, bytes: 0, left_out: 0 };
        page.line(&format!("<p class=\"sum\">{}</p>", prose(result)));
        page
    }

    pub(crate) fn line(&mut self, html: &str) {
        self.html.extend([html, "\n"]);
    }

    /// Writes a table; nothing for no rows. `rows` have their cells as elements.
    pub(crate) fn table(&mut self, head: &str, rows: &[String]) {
        if rows.is_empty() {
            return;
        }
        let rows = rows.join("</tr>\n<tr>");
        self.line(&format!(
            "<div class=\"table\"><table>\n<tr>{head}</tr>\n<tr>{rows}</tr></table></div>"
        ));
    }

    /// Writes a picture above its words, unless the pictures together would be too large.
    pub(crate) fn figure(&mut self, Picture { png, size, words }: &Picture) {
        self.bytes += png.len();
        if self.bytes > MOST_BYTES {
            self.left_out += 1;
            return;
        }
        let UVec2 { x, y } = size;
        let words = escaped(words);
        self.line(&format!(
            "<figure><img width=\"{x}\" height=\"{y}\" alt=\"{words}\" src=\"data:image/png;base64,{}\">\
             <figcaption>{words}</figcaption></figure>",
            STANDARD.encode(png)
        ));
    }

    /// Writes how many things are left out, and which option has them.
    fn rest(&mut self, count: usize, noun: &str, option: &str) {
        if count > 0 {
            let words = format!("{} {} left out", counted(count as u64, noun), are(count as u64));
            self.line(&format!(
                "<p class=\"rest\">{words} here; <code>{option}</code> has more.</p>"
            ));
        }
    }

    /// Ends the page. `option` writes the pictures that were left out.
    pub(crate) fn end(mut self, option: &str) -> String {
        self.rest(self.left_out, "picture", option);
        self.html + "<script>" + SLIDER + "</script>\n"
    }
}

/// Formats all findings as one page: a summary, the causes and the files, and then each finding with its
/// picture and its remedy, by cause and by file. `pictures` has those of findings by their index; `left_out`
/// more could be drawn.
pub(crate) fn html(
    checked: &Checked,
    pictures: &BTreeMap<usize, Picture>,
    left_out: usize,
) -> String {
    let sums = summary(checked);
    let mut page = Page::new("bitwall verify", sums.lines().last().unwrap_or_default());
    page.left_out = left_out;
    for line in not_checked(checked) {
        page.line(&format!("<p class=\"rest\">{}</p>", prose(&line)));
    }
    let findings = &checked.findings[..checked.findings.len().min(MOST_FINDINGS)];
    page.rest(checked.findings.len() - findings.len(), "finding", "--format json");
    let mut causes = BTreeMap::<_, Vec<usize>>::new();
    for (index, Reported { finding, .. }) in findings.iter().enumerate() {
        causes.entry((finding.severity, finding.rule.code)).or_default().push(index);
    }
    let mut rows = Vec::new();
    for ((severity, code), indices) in &causes {
        let (class, first) = (severity.name(), indices[0]);
        let count = counted(indices.len() as u64, class);
        let link =
            format!("<a href=\"#c{first}\">{code} {}</a>", findings[first].finding.rule.name);
        let mut row = format!("<td>{link}<td class=\"{class}\">{count}<td>");
        for index in indices {
            row += &format!("<a href=\"#f{index}\">{}</a> ", name_of(&findings[*index].path));
        }
        rows.push(row);
    }
    page.table("<th>cause<th>findings<th>files", &rows);
    page.line(LEGEND);
    for ((severity, code), indices) in causes {
        let (first, class) = (indices[0], severity.name());
        let rule = findings[first].finding.rule;
        page.line(&format!("<h2 id=\"c{first}\" class=\"{class}\">{code} {}</h2>", rule.name));
        page.line(&format!("<p class=\"rest\">{}</p>", prose(&rule.about())));
        let mut file = None;
        for index in indices {
            let Reported { finding, path, .. } = &findings[index];
            if file.replace(path) != Some(path) {
                page.line(&format!("<h3>{}</h3>", name_of(path)));
            }
            page.line(&format!("<article id=\"f{index}\" class=\"{class}\">"));
            write_finding(&mut page, finding, pictures.get(&index));
            page.line("</article>");
        }
    }
    page.end("--annotate FOLDER")
}

fn write_finding(page: &mut Page, finding: &Finding, picture: Option<&Picture>) {
    page.line(&format!("<h4>{}</h4>", prose(&finding.headline)));
    let mut place = finding.place.clone();
    if let Some(picture) = picture {
        // The words of the picture tell them.
        (place.cell, place.pixel) = (None, None);
        page.figure(picture);
    } else if let Some(excerpt) = &finding.excerpt {
        page.line(&format!("<pre>{}</pre>", escape(excerpt.to_string())));
    }
    let notes = finding.notes.iter().map(|note| ("note", note.clone()));
    let all = [("place", place.to_string())].into_iter().chain(notes);
    for (class, words) in all.chain([("help", finding.help.clone())]) {
        if !words.is_empty() {
            page.line(&format!("<p class=\"{class}\">{}</p>", prose(&words)));
        }
    }
}
