//! Charts as SVG, drawn by what draws the page's.

use serde_json::Value;

use super::cells;
use super::html::Html;
use super::tables::{at, list};
use stepscope_base::Nanos;
use stepscope_present::chart::{
    Bar, BarPart, BarUnit, Lines, Series, StackedBars, Style, lines_svg, pie_svg, sector_color, shares,
    stacked_bars_svg,
};
use stepscope_present::colors::color;
use stepscope_present::text::{UNKNOWN_AT_START, count, duration, percent};
use stepscope_table::messages::{Language, message};
use stepscope_trace::RecordedUnit;

/// Bars at most: more could not be told apart.
const BARS: usize = 400;

/// Kernels that the pie names.
const KERNELS: usize = 8;

/// The parts of a step, and how they are called.
const ROLES: [(&str, &str, &str); 9] = [
    ("kernel", "categories.kernel_ns", "kernels"),
    ("communication", "categories.communication_ns", "exposed communication"),
    ("memcpy", "categories.memcpy_ns", "copies"),
    ("memset", "categories.memset_ns", "memsets"),
    ("runtime", "categories.runtime_ns", "runtime"),
    ("dataloader", "categories.dataloader_ns", "data wait"),
    ("cpu", "categories.cpu_ns", "operators on the host"),
    ("other", "categories.other_ns", "other"),
    ("delay", "categories_before_first_activity.total_ns", UNKNOWN_AT_START),
];

/// The parts of a rank's step.
const OF_RANKS: [(&str, &str, &str); 4] = [
    ("kernel", "compute_ns", "compute"),
    ("communication", "exposed_communication_ns", "exposed communication"),
    ("memcpy", "exposed_memcpy_ns", "exposed copies"),
    ("idle", "idle_ns", "idle"),
];

fn style(width: u32, height: u32) -> Style {
    Style { width, height, scale: 1.0, dark: false, font: "system-ui, sans-serif".to_owned() }
}

/// Ranks beside each other.
pub(super) fn of_job(html: &mut Html, job: &Value) {
    let ranks = list(&job["ranks"]);
    bars(html, "Where each rank's step goes", ranks, "rank", &OF_RANKS);
}

/// The mean window of a budget as one bar that lies.
pub(super) fn of_budget(html: &mut Html, budget: &Value) {
    let branches: Vec<(String, String, i64, f64)> = list(&budget["branches"])
        .iter()
        .filter_map(|row| {
            let (time, share) = (row["mean_ns"].as_i64()?, row["share"].as_f64()?);
            let name = format!("budget.branch.{}", row["branch"].as_str()?);
            Some((row["class"].as_str()?.to_owned(), message(Language::English, &name).to_owned(), time, share))
        })
        .collect();
    if branches.is_empty() {
        return;
    }
    let chart = StackedBars {
        parts: branches.iter().map(|(class, ..)| BarPart { class: class.clone() }).collect(),
        bars: vec![Bar {
            label: String::new(),
            values: branches.iter().map(|(_, _, time, _)| *time).collect(),
            pale: false,
        }],
        lying: true,
        selected: None,
        unit: BarUnit::Time,
    };
    let legend = branches.iter().map(|(class, name, time, share)| {
        (color(class, false), format!("{name}: {} ({})", percent(*share), duration(Nanos(*time))))
    });
    let counted = budget["counted"].as_u64().unwrap_or_default();
    let title = match counted {
        _ if budget["windows"] != "steps" => "Where the time goes: the whole trace".to_owned(),
        1 => "Where the time goes: one step".to_owned(),
        _ if budget["shares_of"] == "periods" => {
            format!("Where the time goes: mean of {} steps and the time between them", count(counted))
        }
        _ => format!("Where the time goes: mean of {} steps", count(counted)),
    };
    figure(html, &title, stacked_bars_svg(&chart, &style(960, 90)), legend);
}

/// Steps, kernels and memory of a rank.
pub(super) fn of_rank(html: &mut Html, rank: &Value) {
    bars(html, "Where each step's time goes", list(&rank["steps"]), "name", &ROLES);
    kernels(html, list(&rank["kernels"]));
    for place in list(&rank["memory"]["places"]) {
        memory(html, place);
    }
}

fn bars(html: &mut Html, title: &str, rows: &[Value], label: &str, parts: &[(&str, &str, &str)]) {
    if rows.is_empty() {
        return;
    }
    let value = |row: &Value, path: &str| at(row, path).as_i64().unwrap_or_default();
    // A part that no bar has needs no place in the legend.
    let parts: Vec<_> = parts.iter().filter(|(_, path, _)| rows.iter().any(|row| value(row, path) > 0)).collect();
    // Of neighbours that share a bar the longest is shown: what stands out is what a person looks for.
    let together = rows.len().div_ceil(BARS);
    let length = |row: &Value| parts.iter().map(|(_, path, _)| value(row, path)).sum::<i64>();
    let shown = rows.chunks(together).filter_map(|rows| rows.iter().rev().max_by_key(|row| length(row)));
    let chart = StackedBars {
        parts: parts.iter().map(|(class, ..)| BarPart { class: (*class).to_owned() }).collect(),
        bars: shown
            .map(|row| Bar {
                label: cells::cell(label, &row[label]),
                values: parts.iter().map(|(_, path, _)| value(row, path)).collect(),
                pale: row["partial"] == true || row["warmup"] == true,
            })
            .collect(),
        lying: false,
        selected: None,
        unit: BarUnit::Time,
    };
    let legend = parts.iter().map(|(class, _, name)| (color(class, false), (*name).to_owned()));
    let title = if together > 1 {
        format!("{title}: the longest of each {together}, of {} in all", count(rows.len() as u64))
    } else {
        title.to_owned()
    };
    figure(html, &title, stacked_bars_svg(&chart, &style(960, 260)), legend);
}

fn kernels(html: &mut Html, kernels: &[Value]) {
    let times: Vec<i64> = kernels.iter().map(|kernel| kernel["total_ns"].as_i64().unwrap_or_default()).collect();
    let found = shares(&times, KERNELS);
    if found.shares.is_empty() {
        return;
    }
    let style = style(240, 240);
    let legend = found.shares.iter().enumerate().map(|(index, share)| {
        let name = share.place.map_or_else(|| "others".to_owned(), |place| cells::text(&kernels[place]["name"]));
        let short: String = name.chars().take(80).collect();
        let text = format!("{short} · {} · {}", duration(Nanos(share.value)), percent(share.share));
        (sector_color(share.place.map(|_| index), &style), text)
    });
    figure(html, "Kernels by time", pie_svg(&found, &style), legend);
}

fn memory(html: &mut Html, place: &Value) {
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
    if times.len() < 2 {
        return;
    }
    let chart = Lines {
        series: vec![series("reserved_bytes", "annotation", false), series("allocated_bytes", "memcpy", true)],
        x: RecordedUnit::Nanoseconds,
        y: RecordedUnit::Bytes,
        zoom: None,
        marks: Vec::new(),
    };
    let legend = [("memcpy", "allocated"), ("annotation", "reserved")];
    let legend = legend.into_iter().map(|(class, name)| (color(class, false), name.to_owned()));
    let title = format!("Memory of device {}", cells::cell("device", &place["device"]));
    figure(html, &title, lines_svg(&chart, &style(960, 220)), legend);
}

/// A drawing with its title and what its colours mean; nothing of one that cannot be drawn.
fn figure(
    html: &mut Html,
    title: &str,
    svg: Result<String, String>,
    legend: impl Iterator<Item = ((u8, u8, u8), String)>,
) {
    let Ok(svg) = svg else { return };
    html.open("figure", "");
    html.element("figcaption", "", title);
    html.raw(&svg);
    html.open("ul", "legend");
    for ((red, green, blue), name) in legend {
        html.raw(&format!("<li><i style=\"background: rgb({red} {green} {blue})\"></i>"));
        html.text(&name);
        html.raw("</li>");
    }
    html.raw("</ul>");
    html.close("figure");
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{BARS, Html, bars};

    #[test]
    fn of_more_steps_than_bars_the_longest_of_neighbours_are_shown() {
        let drawn = |steps: usize| {
            let rows: Vec<Value> = (0..steps)
                .map(|step| {
                    let length = if step == steps - 2 { 9000 } else { 1000 };
                    json!({"name": format!("s{step}"), "categories": {"kernel_ns": length}})
                })
                .collect();
            let mut html = Html::default();
            bars(&mut html, "Steps", &rows, "name", &[("kernel", "categories.kernel_ns", "kernels")]);
            html.finish()
        };
        assert!(drawn(BARS).contains("<figcaption>Steps</figcaption>"));
        let many = drawn(3 * BARS - 1);
        assert!(many.contains("Steps: the longest of each 3, of 1\u{202f}199 in all"), "{many}");
        // The axis goes up to the one that is longer than all others, in the last bar.
        let few = drawn(BARS);
        let bars = |svg: &str| svg.matches("<rect").count();
        assert_eq!(bars(&few), bars(&many));
        assert!(many.contains("8.00 µs") || many.contains("8 µs"), "{many}");
    }
}
