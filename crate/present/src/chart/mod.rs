//! Charts, drawn by plotters on any backend: the same function draws on the page and into a report.

mod fixed_text;
mod histogram;
mod lane;
mod lines;
mod pie;
mod shares;
mod stacked_bars;

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, IntoDrawingArea, SVGBackend};
use plotters::style::{FontFamily, IntoFont, TextStyle};
use plotters_backend::DrawingBackend;

use fixed_text::FixedText;

pub use histogram::{HistogramBar, histogram};
pub use lane::{Lane, draw_lane, lane_svg};
pub use lines::{Lines, Mark, Plot, Series, draw_lines, lines_svg};
pub use pie::{Sector, draw_pie, pie_svg};
pub use shares::{Share, Shares, sector_color, shares};
pub use stacked_bars::{Bar, BarPart, BarUnit, Region, StackedBars, draw_stacked_bars, stacked_bars_svg};

/// What charts are drawn on.
type Root<B> = DrawingArea<FixedText<B>, Shift>;

/// Draws on a backend, and gives what the drawing tells of itself.
fn draw_on<B: DrawingBackend, T>(backend: B, draw: impl FnOnce(&Root<B>) -> Result<T, String>) -> Result<T, String> {
    let root = FixedText(backend).into_drawing_area();
    let drawn = draw(&root)?;
    root.present().map_err(|error| error.to_string())?;
    Ok(drawn)
}

/// A drawing as SVG; the same bytes natively and in the browser.
fn svg<T>(style: &Style, draw: impl FnOnce(SVGBackend<'_>) -> Result<T, String>) -> Result<String, String> {
    let mut svg = String::new();
    draw(SVGBackend::with_string(&mut svg, (style.width, style.height)))?;
    Ok(svg)
}

/// How a chart looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// The drawing's width in device pixels.
    pub width: u32,
    /// The drawing's height in device pixels.
    pub height: u32,
    /// Device pixels per CSS pixel: fonts and lines are that much larger.
    pub scale: f64,
    /// Whether the ground is dark.
    pub dark: bool,
    /// The font's CSS family.
    pub font: String,
}

impl Style {
    /// A length in CSS pixels as device pixels.
    #[expect(clippy::cast_possible_truncation, reason = "a length on a screen")]
    fn px(&self, length: f64) -> i32 {
        (length * self.scale).round() as i32
    }

    /// The text of axes and marks.
    fn text(&self) -> TextStyle<'_> {
        // As a name: from text it would be compared without case, for which all of Unicode's tables come along.
        (FontFamily::Name(&self.font), 12.0 * self.scale).into_font().color(&self.text_color())
    }

    fn text_color(&self) -> plotters::style::RGBColor {
        if self.dark { plotters::style::RGBColor(205, 210, 218) } else { plotters::style::RGBColor(60, 66, 75) }
    }

    fn line_color(&self) -> plotters::style::RGBColor {
        if self.dark { plotters::style::RGBColor(58, 63, 72) } else { plotters::style::RGBColor(226, 229, 234) }
    }
}
