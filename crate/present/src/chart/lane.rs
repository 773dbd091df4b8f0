//! Consecutive pieces along an axis of time.

use plotters::prelude::{ChartBuilder, Color, RGBColor, Rectangle};
use plotters_backend::DrawingBackend;

use super::BarPart;
use super::drawing::{Root, draw_on, svg};
use super::stacked_bars::{BarUnit, Region};
use super::style::Style;
use crate::colors::color;
use stepscope_base::{Interval, Nanos};

/// A lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// The classes of pieces.
    pub parts: Vec<BarPart>,
    /// The pieces by start, each with the index of its class.
    pub pieces: Vec<(Interval, usize)>,
}

/// Draws a lane; returns the places of its pieces. Times at the axis are relative to the first piece's start.
///
/// Among pieces narrower than a pixel, the longest in each column of pixels is drawn.
///
/// # Errors
///
/// Returns the backend's error message.
pub fn draw_lane<B: DrawingBackend>(backend: B, lane: &Lane, style: &Style) -> Result<Vec<Region>, String> {
    draw_on(backend, |root| drawn(root, lane, style))
}

/// The lane as SVG; the same bytes natively and in the browser.
///
/// # Errors
///
/// Returns plotters' error message.
pub fn lane_svg(lane: &Lane, style: &Style) -> Result<String, String> {
    svg(style, |backend| draw_lane(backend, lane, style))
}

fn drawn<B: DrawingBackend>(root: &Root<B>, lane: &Lane, style: &Style) -> Result<Vec<Region>, String> {
    let start = lane.pieces.first().map_or(Nanos::ZERO, |(span, _)| span.start);
    let end = lane.pieces.iter().map(|(span, _)| span.end).max().unwrap_or(start);
    let mut context = ChartBuilder::on(root)
        .margin_top(style.px(4.0))
        .margin_left(style.px(16.0))
        .margin_right(style.px(28.0))
        .x_label_area_size(style.px(22.0))
        .build_cartesian_2d(0..(end - start).0.max(1), 0.0..1.0)
        .map_err(|error| error.to_string())?;
    context
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(0)
        .x_labels(6)
        .x_label_formatter(&|value| BarUnit::Time.axis_text(*value))
        .label_style(style.text())
        .axis_style(style.line_color())
        .bold_line_style(style.line_color())
        .light_line_style(plotters::style::TRANSPARENT)
        .draw()
        .map_err(|error| error.to_string())?;
    let (top, bottom) = (context.backend_coord(&(0, 1.0)).1, context.backend_coord(&(0, 0.0)).1);
    let mut regions: Vec<Region> = Vec::new();
    for (place, (span, part)) in lane.pieces.iter().enumerate().filter(|(_, (span, _))| !span.is_empty()) {
        let at = |time: Nanos| context.backend_coord(&((time - start).0, 0.0)).0;
        let (left, right) = (at(span.start), at(span.end).max(at(span.start) + 1));
        let value = span.len().0;
        let region = Region { bars: place..place + 1, part: *part, value, left, top, right, bottom };
        match regions.last_mut() {
            // Both would be in the same column of pixels.
            Some(last) if last.right > left && last.right - last.left <= 1 => {
                if value > last.value {
                    *last = region;
                }
            }
            _ => regions.push(region),
        }
    }
    for region in &regions {
        let (red, green, blue) = color(lane.parts.get(region.part).map_or("", |part| &part.class), style.dark);
        let corners = [(region.left, region.top), (region.right, region.bottom)];
        root.draw(&Rectangle::new(corners, RGBColor(red, green, blue).filled())).map_err(|error| error.to_string())?;
    }
    Ok(regions)
}

#[cfg(test)]
mod tests {
    use plotters::prelude::SVGBackend;

    use super::*;

    fn lane(pieces: &[(i64, i64, usize)]) -> Lane {
        let part = |class: &str| BarPart { class: class.into() };
        Lane {
            parts: vec![part("kernel"), part("cpu")],
            pieces: pieces.iter().map(|(from, to, part)| (Interval::new(Nanos(*from), Nanos(*to)), *part)).collect(),
        }
    }

    fn regions(lane: &Lane) -> Vec<Region> {
        let style = Style { width: 600, height: 60, scale: 1.0, dark: false, font: "sans-serif".into() };
        let mut svg = String::new();
        draw_lane(SVGBackend::with_string(&mut svg, (600, 60)), lane, &style).expect("a lane")
    }

    #[test]
    fn pieces_stand_one_behind_the_other() {
        let found = regions(&lane(&[(1000, 2000, 0), (2000, 2000, 1), (2000, 5000, 1)]));
        let parts: Vec<(usize, usize, i64)> =
            found.iter().map(|region| (region.bars.start, region.part, region.value)).collect();
        assert_eq!(parts, [(0, 0, 1000), (2, 1, 3000)]);
        assert_eq!(found[0].right, found[1].left);
        let width = |region: &Region| region.right - region.left;
        assert!((width(&found[1]) - 3 * width(&found[0])).abs() <= 3, "{found:?}");
        assert_eq!(regions(&Lane::default()), []);
    }

    #[test]
    fn very_many_pieces_are_no_more_than_pixels() {
        let pieces: Vec<(i64, i64, usize)> = (0..100_000).map(|at| (at * 10, at * 10 + 10, at as usize % 2)).collect();
        let found = regions(&lane(&pieces));
        assert!(found.len() <= 600, "{} regions", found.len());
        assert!(found.windows(2).all(|pair| pair[0].left < pair[1].left));
    }
}
