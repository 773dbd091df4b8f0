//! Charts, drawn by plotters on any backend: the same function draws on the page and into a report.

mod drawing;
mod fixed_text;
mod histogram;
mod lane;
mod lines;
mod pie;
mod shares;
mod stacked_bars;
mod style;

use self::style::{LINE, TEXT};
use crate::colors::{COLORS, Rgb};

pub use self::style::Style;
pub use histogram::{HistogramBar, histogram};
pub use lane::{Lane, draw_lane, lane_svg};
pub use lines::{Lines, Mark, Plot, Series, draw_lines, lines_svg};
pub use pie::{Sector, draw_pie, pie_svg};
pub use shares::{Share, Shares, sector_color, shares};
pub use stacked_bars::{Bar, BarPart, BarUnit, Region, StackedBars, draw_stacked_bars, stacked_bars_svg};

/// Returns each color that a chart on a light background may have, with its replacement on a dark one: a style sheet
/// makes one drawing fit both.
///
/// ```
/// use stepscope::present::chart::dark_colors;
/// use stepscope::present::colors::color;
///
/// assert!(dark_colors().contains(&(color("kernel", false), color("kernel", true))));
/// ```
#[must_use]
pub fn dark_colors() -> Vec<(Rgb, Rgb)> {
    let of_classes = COLORS.iter().flat_map(|class| {
        let pale = (stacked_bars::pale(class.light, false), stacked_bars::pale(class.dark, true));
        [(class.light, class.dark), pale]
    });
    let [light, dark] = [false, true].map(|dark| Style { width: 0, height: 0, scale: 1.0, dark, font: String::new() });
    let places = (0..SECTORS).map(Some).chain([None]);
    let of_sectors = places.map(|place| (sector_color(place, &light), sector_color(place, &dark)));
    let mut all: Vec<(Rgb, Rgb)> = Vec::new();
    for pair in [TEXT, LINE].into_iter().chain(of_classes).chain(of_sectors) {
        if !all.contains(&pair) {
            all.push(pair);
        }
    }
    all
}

/// Number of sectors with different colors.
const SECTORS: usize = 8;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_light_color_stands_for_one_dark_color() {
        let all = dark_colors();
        let light: BTreeSet<Rgb> = all.iter().map(|(light, _)| *light).collect();
        assert_eq!(light.len(), all.len(), "{all:?}");
        assert_eq!(dark_colors().len(), all.len());
    }

    /// The style sheet has all colors of a drawing.
    #[test]
    fn every_color_of_a_chart_is_known() {
        let style = Style { width: 400, height: 200, scale: 1.0, dark: false, font: "a".to_owned() };
        let bars = |pale: bool| StackedBars {
            parts: COLORS.iter().map(|class| BarPart { class: class.name.to_owned() }).collect(),
            bars: vec![Bar { label: "1".to_owned(), values: vec![10; COLORS.len()], pale }],
            ..StackedBars::default()
        };
        let times: Vec<i64> = (1..12).collect();
        let drawings = [
            stacked_bars_svg(&bars(false), &style),
            stacked_bars_svg(&bars(true), &style),
            pie_svg(&shares(&times, SECTORS), &style),
        ];
        let known: Vec<String> =
            dark_colors().iter().map(|((red, green, blue), _)| format!("#{red:02X}{green:02X}{blue:02X}")).collect();
        for drawing in drawings {
            let drawing = drawing.expect("a drawing");
            for attribute in drawing.split('"').filter(|part| part.starts_with('#')) {
                assert!(known.iter().any(|color| color == attribute), "{attribute}");
            }
        }
    }
}
