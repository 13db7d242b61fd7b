//! A picture of how times grow: panels side by side, with logarithmic axes.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::{
    ChartBuilder, Circle, Color, DrawingArea, IntoDrawingArea, IntoFont, IntoLogRange, LineSeries,
    RGBColor, SVGBackend, Text, WHITE,
};

/// A line of the chart: the times of one contender.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) points: Vec<(f64, f64)>,
}

/// The labels of both axes.
pub(crate) struct Axes<'a> {
    pub(crate) x: &'a str,
    pub(crate) y: &'a str,
}

/// The colours and widths of the lines. Colour-blind people can tell the colours apart. bitwall's line comes
/// first.
const STYLES: [(RGBColor, u32); 6] = [
    (RGBColor(0, 114, 178), 4),
    (RGBColor(213, 94, 0), 2),
    (RGBColor(190, 130, 0), 2),
    (RGBColor(0, 138, 100), 2),
    (RGBColor(170, 70, 140), 2),
    (RGBColor(90, 90, 90), 2),
];

const GRAY: RGBColor = RGBColor(215, 215, 215);

const SIZE: (u32, u32) = (1_120, 460);

/// The height of the label of a line, in pixels. Labels are at least this far apart.
const LABEL: i32 = 18;

/// Draws panels side by side, all with the same range of times.
pub(crate) fn draw(
    path: &Path,
    axes: &Axes,
    panels: &[(&str, Vec<Line>)],
) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let lines = panels.iter().flat_map(|(_, lines)| lines);
    let times = lines.flat_map(|line| line.points.iter().map(|point| point.1));
    let (low, high) =
        times.fold((f64::INFINITY, 0.0_f64), |(low, high), time| (low.min(time), high.max(time)));
    let times = 10_f64.powf(low.log10().floor())..high * 1.4;
    for (area, (title, lines)) in root.split_evenly((1, panels.len())).iter().zip(panels) {
        panel(area, axes, title, lines, times.clone())?;
    }
    root.present()?;
    Ok(())
}

fn panel(
    area: &DrawingArea<SVGBackend, Shift>,
    axes: &Axes,
    title: &str,
    lines: &[Line],
    times: Range<f64>,
) -> Result<(), Box<dyn Error>> {
    let counts = lines.iter().flat_map(|line| line.points.iter().map(|point| point.0));
    let (first, last) = counts
        .fold((f64::INFINITY, 0.0_f64), |(first, last), count| (first.min(count), last.max(count)));
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .margin_right(150)
        .x_label_area_size(48)
        .y_label_area_size(64)
        .build_cartesian_2d((first * 0.8..last * 1.25).log_scale(), times.log_scale())?;
    chart
        .configure_mesh()
        .x_desc(axes.x)
        .y_desc(axes.y)
        .x_labels(8)
        .x_label_formatter(&|count| thousands(*count))
        .y_labels(20)
        .y_label_formatter(&|time| if is_round(*time) { thousands(*time) } else { String::new() })
        .max_light_lines(1)
        .light_line_style(WHITE)
        .bold_line_style(GRAY)
        .label_style(("sans-serif", 14))
        .draw()?;
    for (line, (color, width)) in lines.iter().zip(STYLES) {
        chart.draw_series(LineSeries::new(line.points.clone(), color.stroke_width(width)))?;
        let dots = line.points.iter().map(|at| Circle::new(*at, width + 1, color.filled()));
        chart.draw_series(dots)?;
    }
    let left_top = area.get_base_pixel();
    let ends = lines.iter().zip(STYLES).filter_map(|(line, (color, _))| {
        let (x, y) = chart.backend_coord(line.points.last()?);
        Some((y - left_top.1, x - left_top.0, line.name, color))
    });
    let mut ends: Vec<_> = ends.collect();
    ends.sort_by_key(|end| end.0);
    let mut free = 0;
    for (y, x, name, color) in ends {
        let y = (y - LABEL / 2).max(free);
        free = y + LABEL;
        let font = ("sans-serif", 15).into_font().color(&color);
        area.draw(&Text::new(name, (x + 10, y), font))?;
    }
    Ok(())
}

/// True if a number gets a label on the axis: 1, 2 or 5 followed by zeros.
fn is_round(number: f64) -> bool {
    matches!(format!("{number:.0}").trim_end_matches('0'), "1" | "2" | "5")
}

/// Writes a number rounded to a whole, with commas between thousands.
pub(crate) fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}
