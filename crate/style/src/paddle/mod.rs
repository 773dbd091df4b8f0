//! The summary printed by `paddle.profiler.Profiler.summary`: nine tables, and the benchmark's.
//!
//! The layout is that of Paddle 2.6 to 3.3: if the trace has exact times, tables equal Paddle's byte by byte. FLOPs
//! are computed here, by formulas for PyTorch's operators only; Paddle's operators have 0, also in the list of layers,
//! since its exports have no FLOPs.

mod benchmark;
mod flops;
mod memory;
mod number;
mod options;
mod ranges;

pub use self::benchmark::benchmark;
pub use self::options::{PaddleStyle, SortKey, View};

use self::number::ratio;
use self::options::unit_line;
use super::Columns;
use stepscope_analyze::{CategorySide, PaddleSummary, processor_use};
use stepscope_base::Nanos;
use stepscope_trace::Trace;

/// The summary's tables, one after the other.
#[must_use]
pub fn summary(trace: &Trace, report: &PaddleSummary, style: &PaddleStyle) -> String {
    let wanted = |view: View| style.views.as_ref().is_none_or(|views| views.contains(&view));
    let mut text = String::new();
    for view in View::ALL.into_iter().filter(|view| wanted(*view)) {
        match view {
            View::Device => text.push_str(&devices(trace, report)),
            View::Overview => text.push_str(&overview(report, style)),
            View::Model => text.push_str(&ranges::model(report, style)),
            View::Distributed => text.push_str(&distribution(report, style)),
            View::Operator => text.push_str(&ranges::operators(trace, report, style)),
            View::Kernel => text.push_str(&ranges::kernels(trace, report, style)),
            View::MemoryManipulation => text.push_str(&ranges::memory_manipulation(trace, report, style)),
            View::UserDefined => text.push_str(&ranges::user_defined(trace, report, style)),
            View::Memory => text.push_str(&memory::memory(trace, report)),
        }
        if view == View::Device && report.steps == Nanos::ZERO {
            break;
        }
    }
    if style.flops {
        text += &flops::layers(trace);
    }
    text
}

const DEVICE_NOTE: &str = "\
Note:
CPU(Process) Utilization = Current process CPU time over all cpu cores / elapsed time, so max utilization can be reached 100% * number of cpu cores.
CPU(System) Utilization = All processes CPU time over all cpu cores(busy time) / (busy time + idle time).
GPU Utilization = Current process GPU time / elapsed time.
";

fn devices(trace: &Trace, report: &PaddleSummary) -> String {
    let columns = Columns::new(&[30, 20]);
    // Paddle writes them into its traces, this tool's recorder samples them.
    let sampled = processor_use(trace);
    let fact = |name: &str, sampled: Option<f64>| {
        let found = trace.meta.facts.iter().find(|(key, _)| key == name);
        found
            .and_then(|(_, value)| value.parse::<f64>().ok())
            .or(sampled)
            .map_or_else(|| "-".to_owned(), |share| format!("{:.2}", share * 100.0))
    };
    let mut text = columns.title("Device Summary") + &columns.rule();
    text += &columns.row(&["Device", "Utilization (%)"]);
    text += &columns.rule();
    text += &columns.row(&["CPU(Process)", &fact("Process Cpu Utilization", sampled.process)]);
    text += &columns.row(&["CPU(System)", &fact("System Cpu Utilization", sampled.machine)]);
    for (device, kernels) in &report.kernels_of_devices {
        text += &columns.row(&[format!("GPU{device}"), ratio(*kernels, report.steps)]);
    }
    text + &columns.rule() + DEVICE_NOTE + &columns.end() + "\n\n"
}

const OVERVIEW_NOTE: &str = "\
Note:
In this table, We sum up all collected events in terms of event type.
The time of events collected on host are presented as CPU Time, and as GPU Time if on device.
Events with different types may overlap or inclusion, e.g. Operator includes OperatorInner, so the sum of ratios is not 100%.
The time of events in the same type with overlap will not calculate twice, and all time is summed after merged.
Example:
Thread 1:
  Operator: |___________|     |__________|
Thread 2:
  Operator:   |____________|     |___|
After merged:
  Result:   |______________|  |__________|

";

fn overview(report: &PaddleSummary, style: &PaddleStyle) -> String {
    let columns = Columns::new(&[25; 4]);
    let rows = |place: CategorySide, first: &str| -> String {
        let rows = report.overview.iter().filter(|row| row.place == place).enumerate();
        let row = |(index, row): (usize, &stepscope_analyze::CategoryTime)| {
            let indent = if index == 0 { first } else { "  " };
            let name = format!("{indent}{}", row.category);
            columns.row(&[name, row.calls.to_string(), style.time(row.time), ratio(row.time, report.steps)])
        };
        rows.map(row).collect()
    };
    let mut text = columns.title("Overview Summary") + &unit_line(style) + &columns.rule();
    text += &columns.row(&["Event Type", "Calls", "CPU Time", "Ratio (%)"]);
    text += &columns.rule();
    text += &rows(CategorySide::Host, "");
    text += &columns.rule();
    text += &columns.row(&["", "Calls", "GPU Time", "Ratio (%)"]);
    text += &columns.rule();
    text += &rows(CategorySide::Device, "  ");
    text + &columns.rule() + OVERVIEW_NOTE + &columns.end() + "\n\n"
}

const DISTRIBUTION_NOTE: &str = "\
Note:
Communication time: Communication Event time, Communication Op time and its kernel time on gpu.
Computation time: Kernel time, except kernels belong to communication(nccl kernels).
Overlap time: Communication time intersects with computation time.
Example:
Communication:
  CPU:              |_________________|
  GPU:                                  |______________|
  Total:            |_________________| |______________|
Computation time(Kernel):
  GPU:         |________________|
Overlap time:       |___________|

";

fn distribution(report: &PaddleSummary, style: &PaddleStyle) -> String {
    let found = &report.distribution;
    if found.communication == Nanos::ZERO {
        return String::new();
    }
    let columns = Columns::new(&[25; 3]);
    let rows = [
        ("ProfileStep", report.steps),
        ("  Communication", found.communication),
        ("  Computation", found.computation),
        ("  Overlap", found.overlap),
    ];
    let mut text = columns.title("Distribution Summary") + &unit_line(style) + &columns.rule();
    text += &columns.row(&["Name", "Total Time", "Ratio (%)"]);
    text += &columns.rule();
    for (name, time) in rows {
        text += &columns.row(&[name, &style.time(time), &ratio(time, report.steps)]);
    }
    text + &columns.rule() + DISTRIBUTION_NOTE + &columns.end() + "\n\n"
}

#[cfg(test)]
mod tests;
