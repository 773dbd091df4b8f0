//! Charts of a table's rows on the page's canvases: histograms of a row's events, and shares of rows.

use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlCanvasElement;

use super::charts::{Look, RegionReport, backend};
use super::error::plain;
use stepscope_base::{Interval, Nanos};
use stepscope_present::chart::{
    BarPart, HistogramBar, Lane, Sector, draw_lane as draw, draw_pie, draw_stacked_bars, histogram, shares,
};

/// The page's options for a histogram: its bars as in reports, by rising bounds.
#[derive(Deserialize)]
struct HistogramOptions {
    bars: Vec<HistogramBarOptions>,
    /// The class of time, which gives the color.
    class: String,
    look: Look,
}

#[derive(Deserialize)]
struct HistogramBarOptions {
    from_ns: f64,
    to_ns: f64,
    count: f64,
}

/// Draws a histogram on a canvas; returns the positions of its bars as `{regions, spans}`. The spans are the bounds
/// of the bars in the regions, `[from, to]` in ns.
///
/// # Errors
///
/// If the options are not a histogram, or the canvas has no 2D context.
#[wasm_bindgen]
pub fn draw_histogram(canvas: HtmlCanvasElement, options: JsValue) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Drawn {
        regions: Vec<RegionReport>,
        spans: Vec<(f64, f64)>,
    }
    let options: HistogramOptions = serde_wasm_bindgen::from_value(options)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers, from JavaScript")]
    let bar = |bar: &HistogramBarOptions| {
        (Interval::new(Nanos(bar.from_ns as i64), Nanos(bar.to_ns as i64)), bar.count as u64)
    };
    let bars: Vec<HistogramBar> = options.bars.iter().map(bar).collect();
    let (chart, spans) = histogram(&bars, &options.class);
    let style = options.look.on(&canvas);
    let regions = draw_stacked_bars(backend(canvas)?, &chart, &style).map_err(|message| JsValue::from_str(&message))?;
    let spans = spans.iter().map(|span| (span.start.0 as f64, span.end.0 as f64)).collect();
    Ok(plain(&Drawn { regions: regions.iter().map(RegionReport::of).collect(), spans }))
}

/// The page's options for a chart of shares.
#[derive(Deserialize)]
struct SharesOptions {
    /// A value for each row, in ns or as a count.
    values: Vec<f64>,
    /// The number of largest values with sectors of their own.
    top: usize,
    look: Look,
}

#[derive(Serialize)]
struct SectorReport {
    /// The row's index; none for the remainder.
    row: Option<usize>,
    value: f64,
    share: f64,
    /// The start angle, as a fraction of a turn from the top.
    from: f64,
    to: f64,
    /// In CSS syntax.
    color: String,
}

/// Draws the largest of some values, and the remainder, as a pie; returns `{sectors, others}`, where `others` is the
/// number of values in the remainder.
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
        value: sector.share.value as f64,
        share: sector.share.share,
        from: sector.from,
        to: sector.to,
        color: css(sector.color),
    };
    Ok(plain(&Drawn { sectors: sectors.iter().map(report).collect(), others: found.others }))
}

/// A color in CSS syntax.
fn css((red, green, blue): (u8, u8, u8)) -> String {
    format!("rgb({red} {green} {blue})")
}

/// The largest of some values, and the remainder: `{sectors, others}` as from [`draw_shares`], for bars.
#[wasm_bindgen]
pub fn top_shares(values: &[f64], top: usize) -> JsValue {
    #[derive(Serialize)]
    struct ShareReport {
        row: Option<usize>,
        value: f64,
        share: f64,
    }
    #[derive(Serialize)]
    struct FoundSecrets {
        sectors: Vec<ShareReport>,
        others: usize,
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole numbers, from JavaScript")]
    let values: Vec<i64> = values.iter().map(|value| *value as i64).collect();
    let found = shares(&values, top);
    let sectors = found.shares.iter().map(|share| ShareReport {
        row: share.place,
        value: share.value as f64,
        share: share.share,
    });
    plain(&FoundSecrets { sectors: sectors.collect(), others: found.others })
}

/// The page's options for a lane.
#[derive(Deserialize)]
struct LaneOptions {
    /// The classes of the pieces' time.
    parts: Vec<String>,
    /// The pieces by start: start and end in ns, and the index of the class.
    pieces: Vec<(f64, f64, usize)>,
    look: Look,
}

/// Draws consecutive pieces on a canvas; returns their positions, in its pixels.
///
/// # Errors
///
/// If the options are not a lane, or the canvas has no 2D context.
#[wasm_bindgen]
pub fn draw_lane(canvas: HtmlCanvasElement, options: JsValue) -> Result<JsValue, JsValue> {
    let options: LaneOptions = serde_wasm_bindgen::from_value(options)?;
    let style = options.look.on(&canvas);
    #[expect(clippy::cast_possible_truncation, reason = "whole nanoseconds, from JavaScript")]
    let piece = |(from, to, part): (f64, f64, usize)| (Interval::new(Nanos(from as i64), Nanos(to as i64)), part);
    let lane = Lane {
        parts: options.parts.into_iter().map(|class| BarPart { class }).collect(),
        pieces: options.pieces.into_iter().map(piece).collect(),
    };
    let regions = draw(backend(canvas)?, &lane, &style).map_err(|message| JsValue::from_str(&message))?;
    Ok(plain(&regions.iter().map(RegionReport::of).collect::<Vec<_>>()))
}
