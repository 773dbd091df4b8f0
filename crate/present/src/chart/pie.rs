//! Shares of a sum, as a pie.

use std::f64::consts::TAU;

use plotters::prelude::{Color, Polygon, RGBColor};
use plotters_backend::DrawingBackend;

use super::Shares;
use super::drawing::{draw_on, svg};
use super::shares::{Share, sector_color};
use super::style::Style;

/// The place of a share: between two angles, clockwise from the top, as parts of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sector {
    /// The share.
    pub share: Share,
    /// Its start.
    pub from: f64,
    /// Its end.
    pub to: f64,
    /// Its color.
    pub color: (u8, u8, u8),
}

/// Points on the edge of a whole turn: enough that no corner is visible.
const POINTS: f64 = 360.0;

/// The hole's part of the radius: the middle of a pie shows nothing.
const HOLE: f64 = 0.45;

/// Draws a pie in the middle of the drawing, as large as possible; returns its sectors.
///
/// # Errors
///
/// Returns the backend's error message.
pub fn draw_pie<B: DrawingBackend>(backend: B, shares: &Shares, style: &Style) -> Result<Vec<Sector>, String> {
    let center = (f64::from(style.width) / 2.0, f64::from(style.height) / 2.0);
    let radius = (center.0.min(center.1) - 2.0 * style.scale).max(1.0);
    let sectors = sectors(shares, style);
    draw_on(backend, |root| {
        for sector in &sectors {
            let color = RGBColor(sector.color.0, sector.color.1, sector.color.2);
            root.draw(&Polygon::new(ring_part(center, radius, sector, style.scale), color.filled()))
                .map_err(|error| error.to_string())?;
        }
        Ok(())
    })?;
    Ok(sectors)
}

/// The pie as SVG; the same bytes natively and in the browser.
///
/// # Errors
///
/// Returns plotters' error message.
pub fn pie_svg(shares: &Shares, style: &Style) -> Result<String, String> {
    svg(style, |backend| draw_pie(backend, shares, style))
}

fn sectors(shares: &Shares, style: &Style) -> Vec<Sector> {
    let mut from = 0.0;
    let of_share = shares.shares.iter().enumerate().map(|(place, share)| {
        let to = (from + share.share).min(1.0);
        let color = sector_color(share.place.map(|_| place), style);
        let sector = Sector { share: *share, from, to, color };
        from = to;
        sector
    });
    of_share.collect()
}

/// The corners of a sector with its hole, separated from its neighbors by a line's width where there is room.
fn ring_part(center: (f64, f64), radius: f64, sector: &Sector, line: f64) -> Vec<(i32, i32)> {
    let gap = (line / radius / TAU).min((sector.to - sector.from) / 4.0);
    let gap = if sector.to - sector.from > 0.999 { 0.0 } else { gap / 2.0 };
    let (from, to) = (sector.from + gap, sector.to - gap);
    #[expect(clippy::cast_possible_truncation, reason = "a count of points")]
    let steps = ((to - from) * POINTS).ceil().max(1.0) as i32;
    let angle = |step: i32| (from + (to - from) * f64::from(step) / f64::from(steps)) * TAU;
    #[expect(clippy::cast_possible_truncation, reason = "a place on a screen")]
    let point = |angle: f64, radius: f64| {
        let (sine, cosine) = sine_and_cosine(angle);
        ((center.0 + radius * sine).round() as i32, (center.1 - radius * cosine).round() as i32)
    };
    let outer = (0..=steps).map(|step| point(angle(step), radius));
    let inner = (0..=steps).rev().map(|step| point(angle(step), radius * HOLE));
    outer.chain(inner).collect()
}

/// Sine and cosine of an angle between 0 and a turn, by arithmetic alone: the standard library's results may depend on
/// the machine.
fn sine_and_cosine(angle: f64) -> (f64, f64) {
    // A quarter of the angle is small enough for a few terms of the series; doubling it twice gives the results for the
    // angle.
    let small = angle / 4.0;
    let square = small * small;
    let (mut sine, mut cosine) = (0.0, 0.0);
    for term in (0..12).rev() {
        let two = 2.0 * f64::from(term);
        sine = 1.0 - square / ((two + 2.0) * (two + 3.0)) * if term == 11 { 1.0 } else { sine };
        cosine = 1.0 - square / ((two + 1.0) * (two + 2.0)) * if term == 11 { 1.0 } else { cosine };
    }
    sine *= small;
    for _ in 0..2 {
        (sine, cosine) = (2.0 * sine * cosine, cosine * cosine - sine * sine);
    }
    (sine, cosine)
}

#[cfg(test)]
mod tests {
    use plotters::prelude::SVGBackend;

    use super::super::shares;
    use super::*;

    fn style() -> Style {
        Style { width: 200, height: 100, scale: 1.0, dark: false, font: "sans-serif".into() }
    }

    #[test]
    fn angles_are_turned_as_usual() {
        for step in 0..1000 {
            let angle = TAU * f64::from(step) / 999.0;
            let (sine, cosine) = sine_and_cosine(angle);
            assert!((sine - angle.sin()).abs() < 1e-9 && (cosine - angle.cos()).abs() < 1e-9, "{angle}");
        }
    }

    #[test]
    fn sectors_have_the_sizes_of_their_shares() {
        let found = shares(&[300, 100, 0, 50, 50], 2);
        let mut svg = String::new();
        let drawn = draw_pie(SVGBackend::with_string(&mut svg, (200, 100)), &found, &style()).expect("a pie");
        let edges: Vec<(f64, f64)> = drawn.iter().map(|sector| (sector.from, sector.to)).collect();
        assert_eq!(edges, [(0.0, 0.6), (0.6, 0.8), (0.8, 1.0)]);
        assert_eq!(drawn[2].share.place, None);
        assert_eq!(pie_svg(&found, &style()).expect("a pie").matches("<polygon").count(), 3);
    }

    #[test]
    fn one_share_is_all_of_it_and_none_is_nothing() {
        assert_eq!(pie_svg(&shares(&[7], 5), &style()).expect("a pie").matches("<polygon").count(), 1);
        assert_eq!(pie_svg(&shares(&[], 5), &style()).expect("a pie").matches("<polygon").count(), 0);
    }
}
