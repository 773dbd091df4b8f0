//! Curves over an axis: several series, as lines or as steps, over all of it or a part.

mod axis;
mod path;
mod plot;
mod series;

use std::ops::RangeInclusive;

use plotters::element::Polygon;
use plotters::prelude::{Color, PathElement, RGBColor};
use plotters_backend::DrawingBackend;
use plotters_backend::text_anchor::{HPos, Pos, VPos};

use super::drawing::{Root, draw_on, svg};
use super::fixed_text::text_size;
use super::style::Style;
use crate::colors::color;
use axis::{Axis, SHARP};
use path::{Scale, pixels, visible};
use stepscope_base::CompactSort;
use stepscope_trace::RecordedUnit;

pub use self::plot::Plot;
pub use self::series::Series;

/// Contents of a chart of curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// The curves; a later one is drawn over an earlier one.
    pub series: Vec<Series>,
    /// The unit of the horizontal axis.
    pub x: RecordedUnit,
    /// The unit of the values.
    pub y: RecordedUnit,
    /// The part of the horizontal axis that is shown; all points where none is given.
    pub zoom: Option<(f64, f64)>,
    /// Places on the horizontal axis that are marked.
    pub marks: Vec<Mark>,
}

/// A vertical line.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Its place on the horizontal axis.
    pub at: f64,
    /// The text beside it.
    pub label: String,
}

/// Draws curves; returns their place.
///
/// With more points than pixels, each column of pixels shows the first, the lowest, the highest and the
/// last value of its points, so that no peak is lost. The vertical axis begins at zero, or at the lowest value shown
/// if that is below.
///
/// # Errors
///
/// Returns the backend's error message.
pub fn draw_lines<B: DrawingBackend>(backend: B, chart: &Lines, style: &Style) -> Result<Plot, String> {
    draw_on(backend, |root| drawn(root, chart, style))
}

/// The chart as SVG; the same bytes natively and in the browser.
///
/// # Errors
///
/// Returns plotters' error message.
pub fn lines_svg(chart: &Lines, style: &Style) -> Result<String, String> {
    svg(style, |backend| draw_lines(backend, chart, style))
}

fn drawn<B: DrawingBackend>(root: &Root<B>, chart: &Lines, style: &Style) -> Result<Plot, String> {
    let whole = whole(chart);
    let shown = chart.zoom.map_or(whole, |(from, to)| sized(from.max(whole.0), to.min(whole.1)));
    let curves: Vec<Vec<(f64, f64)>> = chart.series.iter().map(|series| visible(series, shown)).collect();
    let values = values(&curves);
    let height = style.height.cast_signed();
    // The labels of marks are above the curves.
    let top = style.px(if chart.marks.is_empty() { 10.0 } else { 24.0 });
    let bottom = (height - style.px(24.0)).max(top + 1);
    let high = Axis::of(chart.y, values, f64::from(bottom - top) / (34.0 * style.scale), false);
    let label_size = |text: &str| text_size(text, 12.0 * style.scale).0.cast_signed();
    let widest = high.ticks.iter().map(|(_, label)| label_size(label)).max().unwrap_or_default();
    let left = widest + style.px(12.0);
    let right = (style.width.cast_signed() - style.px(14.0)).max(left + 1);
    let plot = Plot { left, top, right, bottom, shown, whole, values };
    let scale = Scale::of(&plot);
    let across = fitting(chart, shown, f64::from(right - left), style);
    let far = RGBColor::filled(&style.line_color());
    for (value, label) in &high.ticks {
        let y = scale.y(*value);
        rule(root, [(left, y), (right, y)], far)?;
        text(root, label, style, (left - style.px(6.0), y), Pos::new(HPos::Right, VPos::Center))?;
    }
    let mut free_from = 0;
    for (value, label) in &across.ticks {
        let (x, half) = (scale.x(*value), label_size(label) / 2);
        rule(root, [(x, bottom), (x, bottom + style.px(4.0))], far)?;
        if x - half >= free_from && x + half <= style.width.cast_signed() {
            text(root, label, style, (x, bottom + style.px(7.0)), Pos::new(HPos::Center, VPos::Top))?;
            free_from = x + half + style.px(8.0);
        }
    }
    for (series, points) in chart.series.iter().zip(&curves) {
        curve(root, series, points, &scale, style)?;
    }
    marks(root, chart, &plot, &scale, style)?;
    Ok(plot)
}

fn curve<B: DrawingBackend>(
    root: &Root<B>,
    series: &Series,
    points: &[(f64, f64)],
    scale: &Scale,
    style: &Style,
) -> Result<(), String> {
    let (red, green, blue) = color(&series.class, style.dark);
    let color = RGBColor(red, green, blue);
    let width = u32::try_from(style.px(1.5)).unwrap_or(1).max(1);
    for path in points.split(|point| !point.1.is_finite()).filter(|part| !part.is_empty()) {
        let mut path = pixels(path, series.step, scale);
        if let (true, Some(first), Some(last)) = (series.filled, path.first(), path.last()) {
            let zero = scale.y(0.0);
            let area = path.iter().copied().chain([(last.0, zero), (first.0, zero)]).collect::<Vec<_>>();
            root.draw(&Polygon::new(area, color.mix(0.16))).map_err(|error| error.to_string())?;
        }
        if let [only] = path[..] {
            // A single point has no length: a short line shows it.
            path = vec![(only.0 - style.px(2.0), only.1), (only.0 + style.px(2.0), only.1)];
        }
        root.draw(&PathElement::new(path, color.stroke_width(width))).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn marks<B: DrawingBackend>(
    root: &Root<B>,
    chart: &Lines,
    plot: &Plot,
    scale: &Scale,
    style: &Style,
) -> Result<(), String> {
    let mut places: Vec<(i32, &str)> = Vec::new();
    for mark in chart.marks.iter().filter(|mark| inside(plot.shown).contains(&mark.at)) {
        let x = scale.x(mark.at);
        rule(root, [(x, plot.top - style.px(18.0)), (x, plot.bottom)], style.text_color().mix(0.55).into())?;
        places.push((x, &mark.label));
    }
    places.compact_sort();
    // Marks that leave no room for their labels between them have one.
    let room = |label: &str| text_size(label, 12.0 * style.scale).0.cast_signed() + style.px(12.0);
    let mut labels: Vec<(i32, i32, String)> = Vec::new();
    for (x, label) in places {
        match labels.last_mut() {
            // Next to the middle, both labels may lie between their marks.
            Some((_, end, text)) if x - *end < room(text) + room(label) => {
                (*end, *text) = (x, [text.as_str(), label].join(" · "));
            }
            _ => labels.push((x, x, label.to_owned())),
        }
    }
    for (begin, end, label) in labels {
        // On the side with more room.
        let (side, x) = if i32::midpoint(begin, end) > i32::midpoint(plot.left, plot.right) {
            (HPos::Right, begin - style.px(4.0))
        } else {
            (HPos::Left, end + style.px(4.0))
        };
        text(root, &label, style, (x, plot.top - style.px(18.0)), Pos::new(side, VPos::Top))?;
    }
    Ok(())
}

fn rule<B: DrawingBackend>(
    root: &Root<B>,
    ends: [(i32, i32); 2],
    style: plotters::style::ShapeStyle,
) -> Result<(), String> {
    root.draw(&PathElement::new(ends.to_vec(), style)).map_err(|error| error.to_string())
}

fn text<B: DrawingBackend>(
    root: &Root<B>,
    text: &str,
    style: &Style,
    at: (i32, i32),
    anchor: Pos,
) -> Result<(), String> {
    root.draw_text(text, &style.text().pos(anchor), at).map_err(|error| error.to_string())
}

fn inside(range: (f64, f64)) -> RangeInclusive<f64> {
    range.0..=range.1
}

/// A range with a length.
fn sized(from: f64, to: f64) -> (f64, f64) {
    if to > from { (from, to) } else { (from, from + 1.0) }
}

fn whole(chart: &Lines) -> (f64, f64) {
    let ends = chart.series.iter().filter_map(|series| Some((series.points.first()?.0, series.points.last()?.0)));
    let ends = ends.reduce(|all, own| (all.0.min(own.0), all.1.max(own.1)));
    ends.map_or((0.0, 1.0), |(from, to)| sized(from, to))
}

fn values(curves: &[Vec<(f64, f64)>]) -> (f64, f64) {
    let finite = curves.iter().flatten().map(|point| point.1).filter(|value| value.is_finite());
    let (low, high) = finite.fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    // A curve that runs along the edge would be half cut off.
    let room = (high - low) * 0.04;
    let (low, high) = (if low < 0.0 { low - room } else { low }, if high > 0.0 { high + room } else { high });
    sized(low, high)
}

/// The ticks of the horizontal axis: as many as have room.
fn fitting(chart: &Lines, shown: (f64, f64), width: f64, style: &Style) -> Axis {
    // The last point of a curve of steps only ends it.
    let places = |series: &'_ Series| series.points.len() - usize::from(series.step && series.points.len() > 1);
    let is_whole = |series: &Series| series.points[..places(series)].iter().all(|point| point.0.fract() == 0.0);
    let is_whole = chart.series.iter().all(is_whole);
    let mut most = (width / (72.0 * style.scale)).max(2.0);
    loop {
        let axis = Axis::of(chart.x, shown, most, is_whole);
        let widest = axis.ticks.iter().map(|(_, label)| text_size(label, 12.0 * style.scale).0).max().unwrap_or(0);
        let needed = (f64::from(widest) + 12.0 * style.scale) * f64::from(u32::try_from(axis.ticks.len()).unwrap_or(1));
        if most <= SHARP || needed <= width {
            return axis;
        }
        most *= 0.75;
    }
}

#[cfg(test)]
mod tests;
