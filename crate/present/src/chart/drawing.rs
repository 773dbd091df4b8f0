//! Drawings on any backend, and as SVG.

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, IntoDrawingArea, SVGBackend};
use plotters_backend::DrawingBackend;

use super::fixed_text::FixedText;
use super::style::Style;

/// The surface that charts are drawn on.
pub(super) type Root<B> = DrawingArea<FixedText<B>, Shift>;

/// Draws on a backend, and returns the drawing's result.
pub(super) fn draw_on<B: DrawingBackend, T>(
    backend: B,
    draw: impl FnOnce(&Root<B>) -> Result<T, String>,
) -> Result<T, String> {
    let root = FixedText(backend).into_drawing_area();
    let drawn = draw(&root)?;
    root.present().map_err(|error| error.to_string())?;
    Ok(drawn)
}

/// A drawing as SVG; the same bytes natively and in the browser.
pub(super) fn svg<T>(style: &Style, draw: impl FnOnce(SVGBackend<'_>) -> Result<T, String>) -> Result<String, String> {
    let mut svg = String::new();
    draw(SVGBackend::with_string(&mut svg, (style.width, style.height)))?;
    Ok(svg)
}
