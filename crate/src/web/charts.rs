//! Charts on the page's canvases.

use plotters_canvas::CanvasBackend;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlCanvasElement;

use super::error::plain;
use crate::present::chart::{
    Bar, BarUnit, HistogramBar, Part, Region, Sector, StackedBars, Style, draw_pie, draw_stacked_bars as draw,
    histogram, shares,
};
use crate::present::colors::COLORS;
use crate::units::{Interval, Nanos};

/// What the page says of a chart.
#[derive(Deserialize)]
struct ChartOptions {
    /// The classes of time that the bars are made of.
    parts: Vec<String>,
    bars: Vec<BarOptions>,
    lying: bool,
    selected: Option<usize>,
    look: Look,
}

/// How a canvas is to look.
#[derive(Deserialize)]
struct Look {
    scale: f64,
    dark: bool,
    font: String,
}

impl Look {
    fn on(self, canvas: &HtmlCanvasElement) -> Style {
        let Self { scale, dark, font } = self;
        Style { width: canvas.width(), height: canvas.height(), scale, dark, font }
    }
}

#[derive(Deserialize)]
struct BarOptions {
    label: String,
    /// In ns.
    values: Vec<f64>,
    pale: bool,
}

#[derive(Serialize)]
struct RegionReport {
    first: usize,
    end: usize,
    part: usize,
    value: i64,
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl RegionReport {
    fn of(region: &Region) -> Self {
        Self {
            first: region.bars.start,
            end: region.bars.end,
            part: region.part,
            value: region.value,
            left: region.left,
            top: region.top,
            right: region.right,
            bottom: region.bottom,
        }
    }
}

/// Draws stacked bars on a canvas of the size it has; returns where the parts are, in its pixels.
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
        parts: options.parts.into_iter().map(|class| Part { class }).collect(),
        bars: bars.collect(),
        lying: options.lying,
        selected: options.selected,
        unit: BarUnit::Time,
    };
    bars_on(canvas, &chart, &style)
}

/// A canvas to draw on.
fn backend(canvas: HtmlCanvasElement) -> Result<CanvasBackend, JsValue> {
    CanvasBackend::with_canvas_object(canvas).ok_or_else(|| JsValue::from_str("no 2D context"))
}

fn bars_on(canvas: HtmlCanvasElement, chart: &StackedBars, style: &Style) -> Result<JsValue, JsValue> {
    let regions = draw(backend(canvas)?, chart, style).map_err(|message| JsValue::from_str(&message))?;
    Ok(plain(&regions.iter().map(RegionReport::of).collect::<Vec<_>>()))
}

/// What the page says of a histogram: its bars as reports have them, by rising bounds.
#[derive(Deserialize)]
struct HistogramOptions {
    bars: Vec<HistogramBarOptions>,
    /// The class of time, which has a colour.
    class: String,
    look: Look,
}

#[derive(Deserialize)]
struct HistogramBarOptions {
    from_ns: f64,
    to_ns: f64,
    count: f64,
}

/// Draws a histogram on a canvas; returns where its bars are, `{regions, spans}`: the spans are the bounds of the bars
/// that the regions name, `[from, to]` in ns.
///
/// # Errors
///
/// If the options are not a histogram, or the canvas has no 2D context.
#[wasm_bindgen]
pub fn draw_histogram(canvas: HtmlCanvasElement, options: JsValue) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Drawn {
        regions: Vec<RegionReport>,
        spans: Vec<(i64, i64)>,
    }
    let options: HistogramOptions = serde_wasm_bindgen::from_value(options)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers, from JavaScript")]
    let bar = |bar: &HistogramBarOptions| {
        (Interval::new(Nanos(bar.from_ns as i64), Nanos(bar.to_ns as i64)), bar.count as u64)
    };
    let bars: Vec<HistogramBar> = options.bars.iter().map(bar).collect();
    let (chart, spans) = histogram(&bars, &options.class);
    let style = options.look.on(&canvas);
    let regions = draw(backend(canvas)?, &chart, &style).map_err(|message| JsValue::from_str(&message))?;
    let spans = spans.iter().map(|span| (span.start.0, span.end.0)).collect();
    Ok(plain(&Drawn { regions: regions.iter().map(RegionReport::of).collect(), spans }))
}

/// What the page says of a chart of shares.
#[derive(Deserialize)]
struct SharesOptions {
    /// Of each row one, in ns or as a count.
    values: Vec<f64>,
    /// How many of the largest are told apart.
    top: usize,
    look: Look,
}

#[derive(Serialize)]
struct SectorReport {
    /// The row by its place; none for what is left.
    row: Option<usize>,
    value: i64,
    share: f64,
    /// Between which angles, as parts of a turn from the top.
    from: f64,
    to: f64,
    /// As CSS writes it.
    color: String,
}

/// Draws the largest of some values, and what is left, as a pie; returns `{sectors, others}`, the number of values that
/// are left.
///
/// # Errors
///
/// If the options are not such values, or the canvas has no 2D context.
#[wasm_bindgen]
pub fn draw_shares(canvas: HtmlCanvasElement, options: JsValue) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Drawn {
        sectors: Vec<SectorReport>,
        others: usize,
    }
    let options: SharesOptions = serde_wasm_bindgen::from_value(options)?;
    let style = options.look.on(&canvas);
    #[expect(clippy::cast_possible_truncation, reason = "whole numbers, from JavaScript")]
    let values: Vec<i64> = options.values.iter().map(|value| *value as i64).collect();
    let found = shares(&values, options.top);
    let sectors = draw_pie(backend(canvas)?, &found, &style).map_err(|message| JsValue::from_str(&message))?;
    let report = |sector: &Sector| SectorReport {
        row: sector.share.place,
        value: sector.share.value,
        share: sector.share.share,
        from: sector.from,
        to: sector.to,
        color: css(sector.color),
    };
    Ok(plain(&Drawn { sectors: sectors.iter().map(report).collect(), others: found.others }))
}

/// A colour as CSS writes it.
fn css((red, green, blue): (u8, u8, u8)) -> String {
    format!("rgb({red} {green} {blue})")
}

/// The colours of all classes: `{name: {light, dark}}`, each as CSS writes it.
#[wasm_bindgen]
pub fn class_colors() -> JsValue {
    #[derive(Serialize)]
    struct Pair {
        light: String,
        dark: String,
    }
    let all: std::collections::BTreeMap<_, _> =
        COLORS.iter().map(|class| (class.name, Pair { light: css(class.light), dark: css(class.dark) })).collect();
    plain(&all)
}
