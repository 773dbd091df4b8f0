//! The Memory Summary: one table per place.

use crate::Columns;
use stepscope_analyze::{MemoryOfRange, PaddleSummary};
use stepscope_trace::{MemoryPool, Trace};

const HEADS: [&str; 7] =
    ["Name", "Type", "Allocation Count", "Free Count", "Allocation Size", "Free Size", "Increased Size"];

pub(super) fn memory(trace: &Trace, report: &PaddleSummary) -> String {
    let mut devices: Vec<Option<u32>> = Vec::new();
    for row in report.memory.iter().filter(|row| row.pool == MemoryPool::Allocated) {
        if !devices.contains(&row.device) {
            devices.push(row.device);
        }
    }
    devices.into_iter().map(|device| of_device(trace, report, device)).collect()
}

fn of_device(trace: &Trace, report: &PaddleSummary, device: Option<u32>) -> String {
    let columns = Columns::new(&[50, 12, 15, 15, 15, 15, 15]);
    let (place, peaks) = place(trace, device);
    let mut text = columns.title(&format!("Memory Summary - {place}"));
    text += &format!("Peak Allocated Memory: {}\nPeak Reserved Memory: {}\n", peaks[0], peaks[1]);
    text += &columns.rule();
    text += &columns.row(&HEADS);
    text += &columns.rule();
    let row = |row: &MemoryOfRange| {
        columns.row(&[
            trace.strings.get(row.name).to_owned(),
            if row.pool == MemoryPool::Allocated { "Allocated" } else { "Reserved" }.to_owned(),
            row.sums.allocations.to_string(),
            row.sums.releases.to_string(),
            row.sums.allocated.to_string(),
            row.sums.released.to_string(),
            row.sums.net().to_string(),
        ])
    };
    text.extend(report.memory.iter().filter(|known| known.device == device).map(row));
    text + "\n\n"
}

/// A place's name, and its peaks of allocated and reserved bytes: the producer's own, else as far as the trace shows
/// them.
fn place(trace: &Trace, device: Option<u32>) -> (String, [i64; 2]) {
    let prefixes = ["Peak allocated memory, ", "Peak reserved memory, "];
    let number =
        |place: &str| place.strip_prefix("CategorySide(")?.strip_suffix(')')?.split_once(':')?.1.parse::<u32>().ok();
    let told = |prefix: &str| {
        trace.meta.facts.iter().find_map(|(key, value)| {
            let place = key.strip_prefix(prefix).filter(|place| number(place) == device)?;
            Some((place.to_owned(), value.parse::<i64>().ok()?))
        })
    };
    let seen = |total: fn(&stepscope_trace::MemoryEvent) -> Option<i64>| {
        let here = trace.memory.iter().filter(|event| event.on_device() == device);
        here.filter_map(total).max().unwrap_or_default()
    };
    let [allocated, reserved] = prefixes.map(told);
    let usual =
        || device.map_or_else(|| "CategorySide(cpu)".to_owned(), |device| format!("CategorySide(gpu:{device})"));
    let place = allocated.as_ref().map_or_else(usual, |(place, _)| place.clone());
    let peaks = [
        allocated.map_or_else(|| seen(stepscope_trace::MemoryEvent::known_allocated), |(_, peak)| peak),
        reserved.map_or_else(|| seen(stepscope_trace::MemoryEvent::known_reserved), |(_, peak)| peak),
    ];
    (place, peaks)
}
