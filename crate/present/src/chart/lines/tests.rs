use plotters::prelude::SVGBackend;

use super::*;

fn style() -> Style {
    Style { width: 600, height: 200, scale: 1.0, dark: false, font: "sans-serif".into() }
}

fn chart(points: Vec<(f64, f64)>, step: bool) -> Lines {
    let series = Series { class: "kernel".into(), points, step, filled: true };
    Lines { series: vec![series], x: RecordedUnit::Nanoseconds, y: RecordedUnit::Bytes, zoom: None, marks: Vec::new() }
}

fn drawn(chart: &Lines) -> (Plot, Vec<(i32, i32)>) {
    let mut svg = String::new();
    let plot = draw_lines(SVGBackend::with_string(&mut svg, (600, 200)), chart, &style()).expect("a chart");
    let scale = Scale::of(&plot);
    let path = pixels(&visible(&chart.series[0], plot.shown), chart.series[0].step, &scale);
    (plot, path)
}

fn labels(unit: RecordedUnit, range: (f64, f64), most: f64) -> Vec<String> {
    Axis::of(unit, range, most, false).ticks.into_iter().map(|(_, label)| label).collect()
}

#[test]
fn a_step_holds_its_value_until_the_next_point() {
    let (plot, path) = drawn(&chart(vec![(0.0, 0.0), (50.0, 100.0), (100.0, 50.0)], true));
    let scale = Scale::of(&plot);
    let middle = scale.x(50.0);
    assert!(path.contains(&(middle, scale.y(0.0))) && path.contains(&(middle, scale.y(100.0))));
    assert!(path.contains(&(plot.right, scale.y(100.0))), "the value holds up to the last point: {path:?}");
}

#[test]
fn a_line_joins_its_points() {
    let (plot, path) = drawn(&chart(vec![(0.0, 0.0), (100.0, 100.0)], false));
    let scale = Scale::of(&plot);
    assert_eq!(path, [(plot.left, scale.y(0.0)), (plot.right, scale.y(100.0))]);
}

#[test]
fn no_peak_is_lost_however_many_points_there_are() {
    let mut points: Vec<_> = (0..1_000_000).map(|index| (f64::from(index), 1000.0)).collect();
    points[777_777].1 = 5000.0;
    points[333_333].1 = -20.0;
    let (plot, path) = drawn(&chart(points, true));
    let scale = Scale::of(&plot);
    assert!(path.iter().any(|place| place.1 == scale.y(5000.0)));
    assert!(path.iter().any(|place| place.1 == scale.y(-20.0)));
    assert!(path.len() < 5 * 600, "{}", path.len());
}

#[test]
fn a_zoom_shows_the_values_at_its_edges() {
    let whole = chart(vec![(0.0, 0.0), (100.0, 100.0), (200.0, 7.0), (900.0, 1e6)], false);
    let (plot, path) = drawn(&Lines { zoom: Some((50.0, 150.0)), ..whole.clone() });
    let scale = Scale::of(&plot);
    assert_eq!((plot.shown, plot.whole), ((50.0, 150.0), (0.0, 900.0)));
    assert_eq!(path.first(), Some(&(plot.left, scale.y(50.0))));
    assert_eq!(path.last(), Some(&(plot.right, scale.y(53.5))));
    assert!(plot.values.1 < 110.0, "the vertical axis follows what is shown");
    let (plot, path) = drawn(&Lines { zoom: Some((120.0, 150.0)), ..chart(whole.series[0].points.clone(), true) });
    assert_eq!(path, [(plot.left, path[0].1), (plot.right, path[0].1)], "held over all that is shown");
}

#[test]
fn gaps_stay_open_and_a_single_point_is_seen() {
    let gap = chart(vec![(0.0, 1.0), (10.0, 1.0), (20.0, f64::NAN), (30.0, 2.0), (40.0, 2.0), (50.0, f64::NAN)], false);
    let svg = lines_svg(&gap, &style()).expect("a chart");
    assert_eq!(svg.matches("stroke=\"#0072B2\"").count(), 2, "{svg}");
    for points in [vec![], vec![(5.0, 3.0)], vec![(5.0, f64::NAN)], vec![(7.0, 1.0), (7.0, 2.0)]] {
        assert!(lines_svg(&chart(points, true), &style()).expect("a chart").ends_with("</svg>\n"));
    }
}

#[test]
fn marks_outside_what_is_shown_are_not_drawn() {
    let marks = |at: f64| {
        let marks = vec![Mark { at, label: "peak".into() }];
        lines_svg(&Lines { marks, ..chart(vec![(0.0, 1.0), (10.0, 1.0)], true) }, &style()).expect("a chart")
    };
    assert!(marks(10.0).contains("peak") && !marks(11.0).contains("peak"));
}

#[test]
fn marks_that_are_near_each_other_share_a_label() {
    let labels = |at: [f64; 2]| {
        let marks = at.into_iter().zip(["peak", "start"]).map(|(at, label)| Mark { at, label: label.into() }).collect();
        lines_svg(&Lines { marks, ..chart(vec![(0.0, 1.0), (100.0, 1.0)], true) }, &style()).expect("a chart")
    };
    assert!(labels([2.0, 1.0]).contains("start · peak"), "in their order on the axis");
    // Both labels lie between their marks there.
    assert!(labels([48.0, 55.0]).contains("peak · start"), "around the middle");
    let apart = labels([1.0, 90.0]);
    assert!(!apart.contains(" · ") && apart.contains("peak") && apart.contains("start"), "{apart}");
}

#[test]
fn ticks_are_round_and_tell_places_apart() {
    let bytes = labels(RecordedUnit::Bytes, (0.0, 3.2 * 1024.0 * 1024.0 * 1024.0), 5.0);
    assert_eq!(bytes, ["0 GiB", "1 GiB", "2 GiB", "3 GiB"]);
    assert_eq!(labels(RecordedUnit::Bytes, (0.0, 700.0 * 1024.0), 4.0), ["0 KiB", "256 KiB", "512 KiB"]);
    let late = labels(RecordedUnit::Nanoseconds, (12_345_678_000.0, 12_345_679_000.0), 3.0);
    assert_eq!(late, ["12.3456780 s", "12.3456785 s", "12.3456790 s"]);
    assert_eq!(labels(RecordedUnit::Nanoseconds, (0.0, 5e13), 5.0), ["0 h", "6 h", "12 h"]);
    assert_eq!(labels(RecordedUnit::Share, (0.0, 1.0), 5.0), ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
    assert_eq!(labels(RecordedUnit::Number, (0.0, 25_000.0), 3.0), ["0", "10\u{202f}000", "20\u{202f}000"]);
    assert_eq!(labels(RecordedUnit::Number, (0.0, 0.3), 4.0), ["0", "0.1", "0.2", "0.3"]);
    assert_eq!(labels(RecordedUnit::BytesPerSecond, (0.0, 2e10), 3.0), ["0 GB/s", "10 GB/s", "20 GB/s"]);
    assert_eq!(labels(RecordedUnit::FlopsPerSecond, (0.0, 2e10), 3.0), ["0 GFLOP/s", "10 GFLOP/s", "20 GFLOP/s"]);
}

#[test]
fn places_that_are_whole_numbers_have_no_ticks_between() {
    let chart = Lines { x: RecordedUnit::Number, ..chart(vec![(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)], true) };
    let labels: Vec<String> =
        fitting(&chart, (0.0, 2.0), 600.0, &style()).ticks.into_iter().map(|tick| tick.1).collect();
    assert_eq!(labels, ["0", "1", "2"]);
}

#[test]
fn labels_do_not_overlap() {
    let far = Lines { zoom: Some((1e9 + 1e6, 1e9 + 1e6 + 900.0)), ..chart(vec![(0.0, 1.0), (2e9, 1.0)], true) };
    let svg = lines_svg(&far, &style()).expect("a chart");
    let labels = svg.matches(" s\n").count();
    assert!((2..=6).contains(&labels), "{labels} {svg}");
}
