//! Charts as SVG, drawn in the same way as the page's. A style sheet gives them the colors of the dark theme.

use serde_json::Value;

use super::html::Html;
use super::texts::Texts;
use super::{budget, cells};
use crate::path::{at, list};
use stepscope_base::Nanos;
use stepscope_present::chart::{
    Bar, BarPart, BarUnit, Lines, Series, StackedBars, Style, dark_colors, lines_svg, pie_svg, sector_color, shares,
    stacked_bars_svg,
};
use stepscope_present::colors::{Rgb, color};
use stepscope_present::kernel_names::short_names;
use stepscope_present::text::{count, duration, percent};
use stepscope_trace::RecordedUnit;

/// The most bars: more could not be distinguished.
const BARS: usize = 400;

/// The number of kernels with sectors of their own in the pie.
const KERNELS: usize = 8;

/// The parts of a step, and the keys of their names.
const ROLES: [(&str, &str, &str); 9] = [
    ("kernel", "categories.kernel_ns", "category.kernel"),
    ("communication", "categories.communication_ns", "category.communication"),
    ("memcpy", "categories.memcpy_ns", "category.memcpy"),
    ("memset", "categories.memset_ns", "category.memset"),
    ("runtime", "categories.runtime_ns", "category.runtime"),
    ("dataloader", "categories.dataloader_ns", "category.dataloader"),
    ("cpu", "categories.cpu_ns", "category.cpu"),
    ("other", "categories.other_ns", "category.other"),
    ("delay", "categories_before_first_activity.total_ns", "category.delay"),
];

/// The parts of a rank's step.
const OF_RANKS: [(&str, &str, &str); 4] = [
    ("kernel", "compute_ns", "overlap.kernel"),
    ("communication", "exposed_communication_ns", "overlap.communication"),
    ("memcpy", "exposed_memcpy_ns", "overlap.memcpy"),
    ("idle", "idle_ns", "overlap.idle"),
];

fn style(width: u32, height: u32) -> Style {
    Style { width, height, scale: 1.0, dark: false, font: "system-ui, sans-serif".to_owned() }
}

/// The rules of a style sheet that give drawings the colors of the dark theme.
pub(super) fn dark_rules() -> String {
    let hex = |(red, green, blue): Rgb| format!("#{red:02X}{green:02X}{blue:02X}");
    let rule = |(light, dark): (Rgb, Rgb)| {
        let (light, dark) = (hex(light), hex(dark));
        format!("svg [fill=\"{light}\"] {{ fill: {dark}; }} svg [stroke=\"{light}\"] {{ stroke: {dark}; }}\n")
    };
    dark_colors().into_iter().map(rule).collect()
}

/// The job's mean step, and its ranks side by side.
pub(super) fn of_job(html: &mut Html, job: &Value, texts: &Texts) {
    of_budget(html, &job["budget"], texts);
    let ranks = list(&job["ranks"]);
    if ranks.len() > 1 {
        bars(html, &texts.word("report.steps.ranks"), ranks, "rank", &OF_RANKS, texts);
    }
}

/// The mean window of a budget as one horizontal bar.
pub(super) fn of_budget(html: &mut Html, budget: &Value, texts: &Texts) {
    let parts = budget::parts(budget, texts);
    if parts.is_empty() {
        return;
    }
    let chart = StackedBars {
        parts: parts.iter().map(|part| BarPart { class: part.class.clone() }).collect(),
        bars: vec![Bar { label: String::new(), values: parts.iter().map(|part| part.time.0).collect(), pale: false }],
        lying: true,
        selected: None,
        unit: BarUnit::Time,
    };
    let legend = parts.iter().map(|part| {
        let values = [("name", part.name.as_str()), ("share", &part.share()), ("time", &part.time())];
        (color(&part.class, false), texts.say("report.budget.part", &values))
    });
    figure(html, "budget", &budget::title(budget, texts), stacked_bars_svg(&chart, &style(960, 90)), legend);
}

/// Steps, kernels and memory of a rank.
pub(super) fn of_rank(html: &mut Html, rank: &Value, texts: &Texts) {
    let steps = list(&rank["steps"]);
    // A single bar compares nothing: the budget shows its parts.
    if steps.len() > 1 || budget::parts(&rank["budget"], texts).is_empty() {
        bars(html, &texts.word("overview.steps"), steps, "name", &ROLES, texts);
    }
    kernels(html, list(&rank["kernels"]), texts);
    for place in list(&rank["memory"]["places"]) {
        memory(html, place, texts);
    }
}

fn bars(html: &mut Html, title: &str, rows: &[Value], label: &str, parts: &[(&str, &str, &str)], texts: &Texts) {
    let value = |row: &Value, path: &str| at(row, path).as_i64().unwrap_or_default();
    // Parts without a bar are left out of the legend.
    let parts: Vec<_> = parts.iter().filter(|(_, path, _)| rows.iter().any(|row| value(row, path) > 0)).collect();
    if parts.is_empty() {
        return;
    }
    // Neighbors that share a bar are shown by the longest of them, so that outliers are visible.
    let together = rows.len().div_ceil(BARS);
    let length = |row: &Value| parts.iter().map(|(_, path, _)| value(row, path)).sum::<i64>();
    let shown = rows.chunks(together).filter_map(|rows| rows.iter().rev().max_by_key(|row| length(row)));
    let chart = StackedBars {
        parts: parts.iter().map(|(class, ..)| BarPart { class: (*class).to_owned() }).collect(),
        bars: shown
            .map(|row| Bar {
                label: cells::cell(label, &row[label], texts),
                values: parts.iter().map(|(_, path, _)| value(row, path)).collect(),
                pale: row["partial"] == true || row["warmup"] == true,
            })
            .collect(),
        lying: false,
        selected: None,
        unit: BarUnit::Time,
    };
    let legend = parts.iter().map(|(class, _, name)| (color(class, false), texts.word(name)));
    let title = if together > 1 {
        let all = count(rows.len() as u64);
        texts.say("report.bars.longest", &[("title", title), ("together", &together.to_string()), ("count", &all)])
    } else {
        title.to_owned()
    };
    let is_pale = chart.bars.iter().any(|bar| bar.pale);
    figure(html, "steps", &title, stacked_bars_svg(&chart, &style(960, 260)), legend);
    if is_pale {
        html.element("p", "hint", &texts.word("overview.pale"));
    }
}

fn kernels(html: &mut Html, kernels: &[Value], texts: &Texts) {
    let names: Vec<String> = kernels.iter().map(|kernel| cells::text(&kernel["name"])).collect();
    let short_of = short_names(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let times: Vec<i64> = kernels.iter().map(|kernel| kernel["total_ns"].as_i64().unwrap_or_default()).collect();
    let found = shares(&times, KERNELS);
    if found.shares.is_empty() {
        return;
    }
    let style = style(240, 240);
    let others = count(found.others as u64);
    let legend = found.shares.iter().enumerate().map(|(index, share)| {
        let name = match share.place {
            Some(place) => short_of[place].to_string(),
            None => texts.say("report.kernels.others", &[("count", &others)]),
        };
        let short = stepscope_present::text::clipped(&name, 80);
        let values = [("name", &*short), ("time", &duration(Nanos(share.value))), ("share", &percent(share.share))];
        (sector_color(share.place.map(|_| index), &style), texts.say("report.kernels.part", &values))
    });
    figure(
        html,
        "kernels",
        &texts.say("report.table.whole", &[("title", &texts.word("report.kernels"))]),
        pie_svg(&found, &style),
        legend,
    );
}

fn memory(html: &mut Html, place: &Value, texts: &Texts) {
    let curve = &place["curve"];
    let times = list(&curve["at_ns"]);
    let series = |key: &str, class: &str, filled: bool| Series {
        class: class.to_owned(),
        points: times
            .iter()
            .zip(list(&curve[key]))
            .filter_map(|(at, bytes)| Some((at.as_f64()?, bytes.as_f64().unwrap_or(f64::NAN))))
            .collect(),
        step: true,
        filled,
    };
    let known = [
        ("reserved_bytes", "annotation", false, "memory.series.reserved"),
        ("allocated_bytes", "memcpy", true, "memory.series.allocated"),
    ];
    // A curve without a value was not recorded.
    let is_known = |key: &str| list(&curve[key]).iter().any(Value::is_number);
    let known: Vec<_> = known.into_iter().filter(|(key, ..)| is_known(key)).collect();
    if times.len() < 2 || known.is_empty() {
        return;
    }
    let chart = Lines {
        series: known.iter().map(|(key, class, filled, _)| series(key, class, *filled)).collect(),
        x: RecordedUnit::Nanoseconds,
        y: RecordedUnit::Bytes,
        zoom: None,
        marks: Vec::new(),
    };
    let legend = known.iter().map(|(_, class, _, name)| (color(class, false), texts.word(name)));
    let title = match place["device"].as_i64() {
        Some(device) => texts.say("report.memory.device", &[("device", &device.to_string())]),
        None => texts.word("report.memory.host"),
    };
    figure(html, "memory", &title, lines_svg(&chart, &style(960, 220)), legend);
}

/// A drawing with its title and a legend; nothing if it could not be drawn.
fn figure(
    html: &mut Html,
    class: &str,
    title: &str,
    svg: Result<String, String>,
    legend: impl Iterator<Item = (Rgb, String)>,
) {
    let Ok(svg) = svg else { return };
    html.open("figure", &format!("card of-{class}"));
    html.element("figcaption", "", title);
    // Screen readers read its title instead of its marks.
    let mut label = Html::default();
    label.text(title);
    html.raw(&svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", label.finish()), 1));
    html.open("ul", "legend");
    for ((red, green, blue), name) in legend {
        html.raw("<li><svg viewBox=\"0 0 1 1\" aria-hidden=\"true\">");
        html.raw(&format!("<rect width=\"1\" height=\"1\" fill=\"#{red:02X}{green:02X}{blue:02X}\"/></svg>"));
        html.element("span", "", &name);
        html.raw("</li>");
    }
    html.raw("</ul>");
    html.close("figure");
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use stepscope_table::messages::Language;

    use super::{BARS, Html, Texts, bars, memory};

    #[test]
    fn of_more_steps_than_bars_the_longest_of_neighbors_are_shown() {
        let drawn = |steps: usize| {
            let rows: Vec<Value> = (0..steps)
                .map(|step| {
                    let length = if step == steps - 2 { 9000 } else { 1000 };
                    json!({"name": format!("s{step}"), "categories": {"kernel_ns": length}})
                })
                .collect();
            let mut html = Html::default();
            let texts = Texts::of(Language::English);
            bars(&mut html, "Steps", &rows, "name", &[("kernel", "categories.kernel_ns", "kernels")], &texts);
            html.finish()
        };
        assert!(drawn(BARS).contains("<figcaption>Steps</figcaption>"));
        let many = drawn(3 * BARS - 1);
        assert!(many.contains("Steps: the longest of each 3, of 1\u{202f}199 in all"), "{many}");
        // The axis extends to the outlier, which is in the last bar.
        let few = drawn(BARS);
        let bars = |svg: &str| svg.matches("<rect").count();
        assert_eq!(bars(&few), bars(&many));
        assert!(many.contains("8.00 µs") || many.contains("8 µs"), "{many}");
    }

    #[test]
    fn a_curve_without_values_is_not_in_the_legend() {
        let drawn = |reserved: Value| {
            let curve = json!({"at_ns": [0, 1000], "allocated_bytes": [1, 2], "reserved_bytes": reserved});
            let mut html = Html::default();
            memory(&mut html, &json!({"device": null, "curve": curve}), &Texts::of(Language::English));
            html.finish()
        };
        let without = drawn(json!([null, null]));
        assert!(without.contains("Memory of the host") && without.contains("Allocated<"), "{without}");
        assert!(!without.contains("Reserved<"), "{without}");
        assert!(drawn(json!([8, 8])).contains("Reserved<"));
    }
}
