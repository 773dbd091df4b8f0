//! Charts on the page's canvases.

use plotters_canvas::CanvasBackend;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlCanvasElement;

use super::error::plain;
use stepscope_present::chart::{
    Bar, BarPart, BarUnit, Lines, Mark, Plot, Region, Series, StackedBars, Style, draw_lines as draw_curves,
    draw_stacked_bars as draw,
};
use stepscope_present::colors::COLORS;
use stepscope_trace::RecordedUnit;

/// The style of a canvas.
#[derive(Deserialize)]
pub(super) struct Look {
    scale: f64,
    dark: bool,
    font: String,
}

impl Look {
    pub(super) fn on(self, canvas: &HtmlCanvasElement) -> Style {
        let Self { scale, dark, font } = self;
        Style { width: canvas.width(), height: canvas.height(), scale, dark, font }
    }
}

/// A canvas to draw on.
pub(super) fn backend(canvas: HtmlCanvasElement) -> Result<CanvasBackend, JsValue> {
    CanvasBackend::with_canvas_object(canvas).ok_or_else(|| JsValue::from_str("no 2D context"))
}

/// The page's options for a bar chart.
#[derive(Deserialize)]
struct ChartOptions {
    /// The classes of time that are stacked in the bars.
    parts: Vec<String>,
    bars: Vec<BarOptions>,
    lying: bool,
    selected: Option<usize>,
    /// Whether the values are counts; else they are in ns.
    #[serde(default)]
    counts: bool,
    look: Look,
}

#[derive(Deserialize)]
struct BarOptions {
    label: String,
    /// In ns.
    values: Vec<f64>,
    pale: bool,
}

#[derive(Serialize)]
pub(super) struct RegionReport {
    first: usize,
    end: usize,
    part: usize,
    /// An integer, which may exceed those that JavaScript represents exactly.
    value: f64,
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl RegionReport {
    pub(super) fn of(region: &Region) -> Self {
        Self {
            first: region.bars.start,
            end: region.bars.end,
            part: region.part,
            value: region.value as f64,
            left: region.left,
            top: region.top,
            right: region.right,
            bottom: region.bottom,
        }
    }
}

/// Draws stacked bars on a canvas at its size; returns the positions of the parts, in its pixels.
///
/// # Errors
///
/// If the options are not a chart, or the canvas has no 2D context.
#[wasm_bindgen]
pub fn draw_stacked_bars(canvas: HtmlCanvasElement, options: JsValue) -> Result<JsValue, JsValue> {
    let options: ChartOptions = serde_wasm_bindgen::from_value(options)?;
    let style = options.look.on(&canvas);
    #[expect(clippy::cast_possible_truncation, reason = "whole nanoseconds, from JavaScript")]
    let whole = |values: Vec<f64>| values.into_iter().map(|value| value as i64).collect();
    let bars = options.bars.into_iter().map(|bar| Bar { label: bar.label, values: whole(bar.values), pale: bar.pale });
    let chart = StackedBars {
        parts: options.parts.into_iter().map(|class| BarPart { class }).collect(),
        bars: bars.collect(),
        lying: options.lying,
        selected: options.selected,
        unit: if options.counts { BarUnit::Count } else { BarUnit::Time },
    };
    let regions = draw(backend(canvas)?, &chart, &style).map_err(|message| JsValue::from_str(&message))?;
    Ok(plain(&regions.iter().map(RegionReport::of).collect::<Vec<_>>()))
}

/// The page's options for a line chart.
#[derive(Deserialize)]
struct LineOptions {
    series: Vec<SeriesOptions>,
    x: String,
    y: String,
    zoom: Option<(f64, f64)>,
    marks: Vec<MarkOptions>,
    look: Look,
}

#[derive(Deserialize)]
struct SeriesOptions {
    class: String,
    x: Vec<f64>,
    /// `null` for a gap.
    y: Vec<Option<f64>>,
    step: bool,
    filled: bool,
}

#[derive(Deserialize)]
struct MarkOptions {
    at: f64,
    label: String,
}

#[derive(Serialize)]
struct PlotReport {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
    shown: (f64, f64),
    whole: (f64, f64),
    values: (f64, f64),
}

/// Draws lines on a canvas at its size; returns the plot area and the visible parts of the axes.
///
/// # Errors
///
/// If the options are not a chart, or the canvas has no 2D context.
#[wasm_bindgen]
pub fn draw_lines(canvas: HtmlCanvasElement, options: JsValue) -> Result<JsValue, JsValue> {
    let options: LineOptions = serde_wasm_bindgen::from_value(options)?;
    let style = options.look.on(&canvas);
    let series = options.series.into_iter().map(|series| Series {
        points: series.x.into_iter().zip(series.y.into_iter().map(|value| value.unwrap_or(f64::NAN))).collect(),
        class: series.class,
        step: series.step,
        filled: series.filled,
    });
    let chart = Lines {
        series: series.collect(),
        x: RecordedUnit::of_name(&options.x),
        y: RecordedUnit::of_name(&options.y),
        zoom: options.zoom,
        marks: options.marks.into_iter().map(|mark| Mark { at: mark.at, label: mark.label }).collect(),
    };
    let Plot { left, top, right, bottom, shown, whole, values } =
        draw_curves(backend(canvas)?, &chart, &style).map_err(|message| JsValue::from_str(&message))?;
    Ok(plain(&PlotReport { left, top, right, bottom, shown, whole, values }))
}

/// The colors of all classes: `{name: {light, dark}}`, each in CSS syntax.
#[wasm_bindgen]
pub fn class_colors() -> JsValue {
    #[derive(Serialize)]
    struct Pair {
        light: String,
        dark: String,
    }
    let css = |(red, green, blue): (u8, u8, u8)| format!("rgb({red} {green} {blue})");
    let all: std::collections::BTreeMap<_, _> =
        COLORS.iter().map(|class| (class.name, Pair { light: css(class.light), dark: css(class.dark) })).collect();
    plain(&all)
}
