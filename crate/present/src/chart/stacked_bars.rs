//! Bars made of parts: vertical ones over the steps, or horizontal ones that compare a few sums.

use std::ops::Range;

use plotters::coord::types::{RangedCoordf64, RangedCoordi64};
use plotters::prelude::{BLACK, Cartesian2d, ChartBuilder, ChartContext, Color, RGBColor, Rectangle};
use plotters_backend::DrawingBackend;

use super::drawing::{Root, draw_on, svg};
use super::fixed_text::{FixedText, text_size};
use super::style::Style;
use crate::colors::{Rgb, color};
use crate::text::{count as count_text, duration};
use stepscope_base::Nanos;

/// Contents of a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackedBars {
    /// The parts of the bars, from the axis outwards.
    pub parts: Vec<BarPart>,
    /// The bars.
    pub bars: Vec<Bar>,
    /// Whether they are horizontal: then the first is on top, and each has its label beside it.
    pub lying: bool,
    /// A bar that is marked, by index.
    pub selected: Option<usize>,
    /// The unit of the values.
    pub unit: BarUnit,
}

/// The unit of a bar's length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BarUnit {
    /// Nanoseconds.
    #[default]
    Time,
    /// A number of things.
    Count,
}

impl BarUnit {
    /// A round value on an axis.
    pub(super) fn axis_text(self, value: i64) -> String {
        match self {
            Self::Time => axis_time(value),
            Self::Count => count_text(value.unsigned_abs()),
        }
    }
}

/// A part that every bar may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarPart {
    /// The class of time, which has a color.
    pub class: String,
}

/// One bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Its label at the axis.
    pub label: String,
    /// The parts' lengths: in ns, or counts.
    pub values: Vec<i64>,
    /// Whether it is drawn pale, since it does not enter averages.
    pub pale: bool,
}

/// The place of a part of a bar, in device pixels, for pointing at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The bars that the drawn one represents: one, or neighbors where there are more bars than pixels.
    pub bars: Range<usize>,
    /// Index of the part.
    pub part: usize,
    /// The part's mean length over those bars, in ns.
    pub value: i64,
    /// The left edge.
    pub left: i32,
    /// The upper edge.
    pub top: i32,
    /// The first pixel after the right edge.
    pub right: i32,
    /// The first pixel below the lower edge.
    pub bottom: i32,
}

/// The narrowest bar in CSS pixels; with more bars, neighbors are drawn as their mean.
const NARROWEST: f64 = 3.0;

/// The widest bar in CSS pixels, so that a single step does not fill the chart.
const WIDEST: f64 = 140.0;

/// Characters of the longest label below a bar.
const LONGEST_LABEL: usize = 16;

/// Draws a chart; returns the places of its parts.
///
/// # Errors
///
/// Returns the backend's error message.
pub fn draw_stacked_bars<B: DrawingBackend>(
    backend: B,
    chart: &StackedBars,
    style: &Style,
) -> Result<Vec<Region>, String> {
    draw_on(backend, |root| if chart.lying { lying(root, chart, style) } else { upright(root, chart, style) })
}

/// The chart as SVG; the same bytes natively and in the browser.
///
/// # Errors
///
/// Returns plotters' error message.
pub fn stacked_bars_svg(chart: &StackedBars, style: &Style) -> Result<String, String> {
    svg(style, |backend| draw_stacked_bars(backend, chart, style))
}

fn upright<B: DrawingBackend>(root: &Root<B>, chart: &StackedBars, style: &Style) -> Result<Vec<Region>, String> {
    let most = chart.bars.iter().map(total).max().unwrap_or_default();
    let label_width = style.px(64.0);
    let plot_width = f64::from(style.width) - f64::from(label_width);
    let groups = grouped(chart, plot_width / style.scale);
    let font = style.text();
    let mut context = ChartBuilder::on(root)
        .margin_top(style.px(8.0))
        .margin_right(style.px(8.0))
        .x_label_area_size(style.px(22.0))
        .y_label_area_size(label_width)
        .build_cartesian_2d(0.0..count(groups.len()), 0..padded(most))
        .map_err(|error| error.to_string())?;
    let labels = most_labels(&groups, plot_width, style);
    context
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_labels(7)
        .y_label_formatter(&|value| chart.unit.axis_text(*value))
        .label_style(font.clone())
        .axis_style(style.line_color())
        .bold_line_style(style.line_color())
        .light_line_style(plotters::style::TRANSPARENT)
        .draw()
        .map_err(|error| error.to_string())?;
    draw_labels(root, &context, &groups, labels, style)?;
    let mut regions = Vec::new();
    let each = plot_width / count(groups.len().max(1));
    let narrow = if each > 6.0 { 0.12 } else { 0.0 };
    let gap = (0.5 - WIDEST * style.scale / each / 2.0).max(narrow);
    for (index, group) in groups.iter().enumerate() {
        let sides = (count(index) + gap, count(index + 1) - gap);
        let mut below = 0;
        for (part, value) in group.values.iter().enumerate().filter(|(_, value)| **value > 0) {
            let corners = [(sides.0, below + value), (sides.1, below)];
            below += value;
            let pixels = corners.map(|corner| context.backend_coord(&corner));
            let region = region(group, part, *value, pixels);
            fill(root, &region, part_color(chart, part, group.pale, style))?;
            regions.push(region);
        }
        if chart.selected.is_some_and(|selected| group.bars.contains(&selected)) {
            let corners = [(sides.0, below), (sides.1, 0)].map(|corner| context.backend_coord(&corner));
            outline(root, corners, style)?;
        }
    }
    Ok(regions)
}

fn lying<B: DrawingBackend>(root: &Root<B>, chart: &StackedBars, style: &Style) -> Result<Vec<Region>, String> {
    let most = chart.bars.iter().map(total).max().unwrap_or_default();
    let labels: Vec<String> = chart.bars.iter().map(|bar| fitting(&bar.label, style)).collect();
    let widest = labels.iter().map(|label| text_size(label, 12.0 * style.scale).0).max().unwrap_or_default();
    // A browser's letters may be a little wider than calculated here.
    let label_width = i32::try_from(widest + widest / 10).unwrap_or_default() + style.px(10.0);
    let font = style.text();
    let mut context: ChartContext<'_, _, Cartesian2d<RangedCoordi64, RangedCoordf64>> = ChartBuilder::on(root)
        .margin_top(style.px(4.0))
        .margin_right(style.px(24.0))
        .x_label_area_size(style.px(22.0))
        .y_label_area_size(label_width)
        .build_cartesian_2d(0..most.max(1), count(chart.bars.len())..0.0)
        .map_err(|error| error.to_string())?;
    context
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(0)
        .x_labels(6)
        .x_label_formatter(&|value| chart.unit.axis_text(*value))
        .label_style(font.clone())
        .axis_style(style.line_color())
        .bold_line_style(style.line_color())
        .light_line_style(plotters::style::TRANSPARENT)
        .draw()
        .map_err(|error| error.to_string())?;
    let mut regions = Vec::new();
    for (index, bar) in chart.bars.iter().enumerate() {
        let group =
            Group { bars: index..index + 1, values: bar.values.clone(), label: bar.label.clone(), pale: bar.pale };
        let (top, bottom) = (count(index) + 0.15, count(index) + 0.85);
        let middle = context.backend_coord(&(0, count(index) + 0.5));
        let anchor = plotters_backend::text_anchor::Pos::new(
            plotters_backend::text_anchor::HPos::Right,
            plotters_backend::text_anchor::VPos::Center,
        );
        root.draw_text(&labels[index], &font.clone().pos(anchor), (middle.0 - style.px(6.0), middle.1))
            .map_err(|error| error.to_string())?;
        let mut before = 0;
        for (part, value) in bar.values.iter().enumerate().filter(|(_, value)| **value > 0) {
            let corners = [(before, top), (before + value, bottom)];
            before += value;
            let region = region(&group, part, *value, corners.map(|corner| context.backend_coord(&corner)));
            fill(root, &region, part_color(chart, part, bar.pale, style))?;
            regions.push(region);
        }
    }
    Ok(regions)
}

/// Neighboring bars drawn as one, with the mean of their parts.
struct Group {
    bars: Range<usize>,
    values: Vec<i64>,
    label: String,
    pale: bool,
}

fn grouped(chart: &StackedBars, width: f64) -> Vec<Group> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of pixels")]
    let room = (width / NARROWEST).max(1.0) as usize;
    let size = chart.bars.len().div_ceil(room).max(1);
    let groups = chart.bars.chunks(size).enumerate().map(|(index, bars)| {
        let first = index * size;
        let sum = |part: usize| bars.iter().map(|bar| bar.values.get(part).copied().unwrap_or_default()).sum::<i64>();
        let members = i64::try_from(bars.len()).unwrap_or(1);
        Group {
            bars: first..first + bars.len(),
            values: (0..chart.parts.len()).map(|part| sum(part) / members).collect(),
            label: bars.first().map_or_else(String::new, |bar| shortened(&bar.label)),
            pale: bars.iter().all(|bar| bar.pale),
        }
    });
    groups.collect()
}

/// A label beside its bar, which has two thirds of the width: shortened at its end to fit.
fn fitting(label: &str, style: &Style) -> String {
    let room = style.width / 3;
    let is_short = |text: &str| text_size(text, 12.0 * style.scale).0 <= room;
    if is_short(label) {
        return label.to_owned();
    }
    let mut text: String = label.chars().take(200).collect();
    while !text.is_empty() && !is_short(&text) {
        text.pop();
    }
    text.pop();
    text + "…"
}

/// A label that leaves room for others, shortened at its end.
fn shortened(label: &str) -> String {
    if label.chars().count() <= LONGEST_LABEL {
        return label.to_owned();
    }
    label.chars().take(LONGEST_LABEL - 1).chain(['…']).collect()
}

/// The number of groups from one label below the bars to the next, so that labels fit.
fn most_labels(groups: &[Group], plot_width: f64, style: &Style) -> usize {
    let widest = groups.iter().map(|group| text_size(&group.label, 12.0 * style.scale).0).max().unwrap_or(1);
    let each = plot_width / count(groups.len().max(1));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of bars")]
    let every = ((f64::from(widest) + 10.0 * style.scale) / each).ceil() as usize;
    every.max(1)
}

fn draw_labels<B: DrawingBackend>(
    root: &Root<B>,
    context: &ChartContext<'_, FixedText<B>, Cartesian2d<RangedCoordf64, RangedCoordi64>>,
    groups: &[Group],
    every: usize,
    style: &Style,
) -> Result<(), String> {
    let anchor = plotters_backend::text_anchor::Pos::new(
        plotters_backend::text_anchor::HPos::Center,
        plotters_backend::text_anchor::VPos::Top,
    );
    for (index, group) in groups.iter().enumerate().step_by(every) {
        let (x, y) = context.backend_coord(&(count(index) + 0.5, 0));
        let half = text_size(&group.label, 12.0 * style.scale).0.cast_signed() / 2;
        if x + half > style.width.cast_signed() {
            // The last one would be cut off at the edge.
            continue;
        }
        root.draw_text(&group.label, &style.text().pos(anchor), (x, y + style.px(6.0)))
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn region(group: &Group, part: usize, value: i64, corners: [(i32, i32); 2]) -> Region {
    Region {
        bars: group.bars.clone(),
        part,
        value,
        left: corners[0].0.min(corners[1].0),
        top: corners[0].1.min(corners[1].1),
        right: corners[0].0.max(corners[1].0),
        bottom: corners[0].1.max(corners[1].1),
    }
}

fn fill<B: DrawingBackend>(root: &Root<B>, region: &Region, color: RGBColor) -> Result<(), String> {
    let corners = [(region.left, region.top), (region.right, region.bottom)];
    root.draw(&Rectangle::new(corners, color.filled())).map_err(|error| error.to_string())
}

fn outline<B: DrawingBackend>(root: &Root<B>, corners: [(i32, i32); 2], style: &Style) -> Result<(), String> {
    let color = if style.dark { RGBColor(255, 255, 255) } else { RGBColor(BLACK.0, BLACK.1, BLACK.2) };
    let width = u32::try_from(style.px(2.0)).unwrap_or(1);
    root.draw(&Rectangle::new(corners, color.stroke_width(width))).map_err(|error| error.to_string())
}

fn part_color(chart: &StackedBars, part: usize, is_pale: bool, style: &Style) -> RGBColor {
    let color = color(chart.parts.get(part).map_or("", |part| part.class.as_str()), style.dark);
    let (red, green, blue) = if is_pale { pale(color, style.dark) } else { color };
    RGBColor(red, green, blue)
}

/// The color of a part of a pale bar: three quarters are the background's.
pub(super) fn pale((red, green, blue): Rgb, is_dark: bool) -> Rgb {
    let ground = if is_dark { 30 } else { 255 };
    let mix = |value: u8| u8::midpoint(u8::midpoint(value, ground), ground);
    (mix(red), mix(green), mix(blue))
}

fn total(bar: &Bar) -> i64 {
    bar.values.iter().sum()
}

/// The axis's end: a little above the highest bar.
fn padded(most: i64) -> i64 {
    (most + most / 20).max(1)
}

/// A round time on an axis: `20 ms`, not `20.00 ms`.
fn axis_time(nanos: i64) -> String {
    let text = duration(Nanos(nanos));
    match text.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            format!("{} {unit}", number.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

/// A count as a coordinate.
#[expect(clippy::cast_precision_loss, reason = "a count of bars")]
fn count(bars: usize) -> f64 {
    bars as f64
}

#[cfg(test)]
mod tests {
    use plotters::prelude::SVGBackend;

    use super::*;

    fn style() -> Style {
        Style { width: 600, height: 200, scale: 1.0, dark: false, font: "sans-serif".into() }
    }

    fn chart(bars: usize) -> StackedBars {
        let part = |class: &str| BarPart { class: class.into() };
        let bar =
            |index: usize| Bar { label: index.to_string(), values: vec![2_000_000, 1_000_000, 0], pale: index == 0 };
        StackedBars {
            parts: vec![part("kernel"), part("communication"), part("other")],
            bars: (0..bars).map(bar).collect(),
            lying: false,
            selected: Some(1),
            unit: BarUnit::Time,
        }
    }

    #[test]
    fn parts_have_the_heights_of_their_values() {
        let mut svg = String::new();
        let backend = SVGBackend::with_string(&mut svg, (600, 200));
        let regions = draw_stacked_bars(backend, &chart(4), &style()).expect("a chart");
        assert_eq!(regions.len(), 8, "two parts of four bars: a part of zero is not drawn");
        let height = |region: &Region| f64::from(region.bottom - region.top);
        for pair in regions.chunks(2) {
            assert!((height(&pair[0]) / height(&pair[1]) - 2.0).abs() < 0.1, "{pair:?}");
            assert_eq!(pair[0].top, pair[1].bottom, "stacked without a gap");
        }
    }

    #[test]
    fn a_single_bar_is_no_wall() {
        let mut svg = String::new();
        let backend = SVGBackend::with_string(&mut svg, (600, 200));
        let regions = draw_stacked_bars(backend, &chart(1), &style()).expect("a chart");
        let width = regions[0].right - regions[0].left;
        assert!((130..=150).contains(&width), "{width}");
    }

    #[test]
    fn more_bars_than_pixels_are_drawn_as_means() {
        let mut svg = String::new();
        let backend = SVGBackend::with_string(&mut svg, (600, 200));
        let regions = draw_stacked_bars(backend, &chart(5_000), &style()).expect("a chart");
        assert!(regions.len() < 2 * 200);
        assert_eq!(regions[0].bars.start, 0);
        assert_eq!(regions.last().map(|region| region.bars.end), Some(5_000));
        assert_eq!(regions[0].value, 2_000_000);
    }

    #[test]
    fn lying_bars_start_at_the_same_place() {
        let chart = StackedBars { lying: true, selected: None, ..chart(2) };
        let svg = stacked_bars_svg(&chart, &style()).expect("a chart");
        assert!(svg.starts_with("<svg") && svg.contains("<rect"));
        assert_eq!(stacked_bars_svg(&chart, &style()), Ok(svg));
    }

    #[test]
    fn long_labels_keep_their_beginning() {
        assert_eq!(shortened("1009"), "1009");
        assert_eq!(shortened("epoch 3, iteration 17"), "epoch 3, iterat…");
    }

    #[test]
    fn axis_times_are_short() {
        assert_eq!(axis_time(20_000_000), "20 ms");
        assert_eq!(axis_time(1_500_000), "1.5 ms");
        assert_eq!(axis_time(0), "0 ns");
    }
}
