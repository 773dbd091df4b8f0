//! The overview of PyTorch's TensorBoard plugin as text: GPU summary, execution summary, step time breakdown.
//!
//! The plugin shows a page; titles, rows, units and decimals are those of its tables. Its recommendations are in the
//! advice instead.

use super::TimeUnit;
use super::columns::Columns;
use stepscope_analyze::{GpuUse, TensorBoardOverview};
use stepscope_trace::Trace;

/// The plugin's names of the categories, in the order of METRICS section 3.
const ROLES: [&str; 8] = ["Kernel", "Memcpy", "Memset", "Communication", "Runtime", "DataLoader", "CPU Exec", "Other"];

/// The overview; times in a unit, which is microseconds in the plugin.
#[must_use]
pub fn overview(trace: &Trace, report: &TensorBoardOverview, unit: TimeUnit) -> String {
    let distributed = &trace.meta.distributed;
    let kind = if report.shows_device { "GPU" } else { "CPU" };
    let mut text = heading("Configuration");
    let workers = distributed.world_size.unwrap_or(1).to_string();
    text += &facts(&[("Number of Worker(s)".to_owned(), workers), ("Device Type".to_owned(), kind.to_owned())]);
    if !report.gpus.is_empty() {
        text += &format!("\n{}", heading("GPU Summary"));
        for gpu in &report.gpus {
            text += &facts(&gpu_facts(trace, gpu));
        }
    }
    text += &format!("\n{}", heading("Execution Summary"));
    text += &averages(report, unit);
    text += &format!("\n{}", heading("Step Time Breakdown"));
    text + &steps(report, unit)
}

fn heading(title: &str) -> String {
    format!("{title}\n{}\n", "-".repeat(title.len()))
}

fn facts(rows: &[(String, String)]) -> String {
    rows.iter().map(|(name, value)| format!("{name:<30}  {value}").trim_end().to_owned() + "\n").collect()
}

/// A share in percent, as Python prints a number rounded to two decimals.
fn percent(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    let shorter = text.strip_suffix('0').unwrap_or(&text);
    format!("{shorter} %")
}

/// The lines of the GPU summary of one device.
fn gpu_facts(trace: &Trace, gpu: &GpuUse) -> Vec<(String, String)> {
    let mut rows = vec![(format!("GPU {}:", gpu.device), String::new())];
    let mut add = |name: &str, value: Option<String>| rows.extend(value.map(|value| (name.to_owned(), value)));
    let known = trace.meta.devices.iter().find(|device| device.id == gpu.device);
    add("Name", known.map(|device| device.name.clone()));
    #[expect(clippy::cast_precision_loss, reason = "two decimals are shown")]
    let memory = |bytes: u64| format!("{:.2} GB", bytes as f64 / 1024_f64.powi(3));
    add("Memory", known.and_then(|device| device.memory_bytes).map(memory));
    let capability = known.and_then(|device| device.capability);
    add("Compute Capability", capability.map(|(major, minor)| format!("{major}.{minor}")));
    add("GPU Utilization", Some(percent(gpu.utilization)));
    add("Est. SM Efficiency", gpu.sm_efficiency.map(percent));
    add("Est. Achieved Occupancy", gpu.occupancy.map(percent));
    add("Kernel Time using Tensor Cores", gpu.tensor_cores.map(percent));
    rows
}

/// The categories that are shown.
fn shown(report: &TensorBoardOverview) -> impl Iterator<Item = (usize, &'static str)> + Clone {
    let (device, communication) = (report.shows_device, report.shows_communication);
    ROLES.into_iter().enumerate().filter(move |(_, name)| match *name {
        "Kernel" | "Memcpy" | "Memset" | "Runtime" => device,
        "Communication" => communication,
        _ => true,
    })
}

/// Times are integers in microseconds, as in the plugin, else have two decimals.
fn decimals(unit: TimeUnit) -> usize {
    if matches!(unit, TimeUnit::Microseconds | TimeUnit::Nanoseconds) { 0 } else { 2 }
}

fn averages(report: &TensorBoardOverview, unit: TimeUnit) -> String {
    let average = report.average();
    let whole: f64 = average.iter().sum();
    let decimals = decimals(unit);
    let row = |name: &str, time: f64| {
        let share = if whole > 0.0 { time / whole * 100.0 } else { 0.0 };
        vec![name.to_owned(), format!("{:.decimals$}", time / unit.nanos()), format!("{share:.2}")]
    };
    let mut rows = vec![row("Average Step Time", whole)];
    rows.extend(shown(report).map(|(category, name)| row(name, average[category])));
    let heads = ["Category".to_owned(), format!("Time Duration ({})", unit.symbol()), "Percentage (%)".to_owned()];
    table(&heads, &rows)
}

fn steps(report: &TensorBoardOverview, unit: TimeUnit) -> String {
    let decimals = decimals(unit);
    #[expect(clippy::cast_precision_loss, reason = "few digits are shown")]
    let cell = |time: stepscope_base::Nanos| format!("{:.decimals$}", time.0 as f64 / unit.nanos());
    let row = |(name, times): &(String, [stepscope_base::Nanos; 8])| {
        let total = times.iter().copied().sum();
        let categories = shown(report).map(|(category, _)| cell(times[category]));
        [name.clone(), cell(total)].into_iter().chain(categories).collect::<Vec<_>>()
    };
    let heads = [format!("Step ({})", unit.symbol()), "Total".to_owned()];
    let heads: Vec<String> = heads.into_iter().chain(shown(report).map(|(_, name)| name.to_owned())).collect();
    table(&heads, &report.steps.iter().map(row).collect::<Vec<_>>())
}

fn table(heads: &[String], rows: &[Vec<String>]) -> String {
    let all = std::iter::once(heads).chain(rows.iter().map(Vec::as_slice));
    let columns = Columns::fitting(&vec![0; heads.len()], all.clone());
    all.map(|row| columns.row(row).trim_end().to_owned() + "\n").collect()
}
