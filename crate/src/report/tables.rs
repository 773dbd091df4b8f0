//! The tables of the summary: which lists there are, in which order, with which columns.

use serde_json::Value;

use super::cells::{self, NONE, cell, heading};
use super::html::Html;
use crate::present::text::count;

/// A table: its title, the path to its rows, the keys of its columns. `[]` goes into each item of a list; a column of the
/// item around begins with `^`.
type Table = (&'static str, &'static str, &'static str);

/// Of each rank, as the page's tabs follow each other.
pub(super) const OF_RANK: [Table; 19] = [
    (
        "Steps",
        "steps",
        "name start_ns length_ns roles.kernel_ns roles.communication_ns roles.memcpy_ns roles.memset_ns roles.runtime_ns \
         roles.dataloader_ns roles.cpu_ns roles.other_ns partial warmup",
    ),
    (
        "Phases of the steps",
        "steps",
        "name phases.dataloader.host_ns phases.forward.host_ns phases.forward.device_ns phases.backward.host_ns \
         phases.backward.device_ns phases.optimizer.host_ns phases.optimizer.device_ns phases.other.host_ns \
         phases.other.device_ns",
    ),
    (
        "Devices",
        "device_time",
        "device window_ns busy_ns idle_ns compute_ns communication_ns overlap_ns exposed_communication_ns memcpy_ns \
         exposed_memcpy_ns memset_ns exposed_memset_ns overlap_of_communication",
    ),
    ("Step trace", "step_trace.steps", "name start_ns total_ns iteration_interval_ns forward_and_backward_ns tail_ns"),
    (
        "Why the devices idle",
        "idle",
        "device window_ns busy_ns idle_ns host_wait_ns kernel_wait_ns other_ns unknown_ns \
         host_wait_by_activity.data_loading_ns host_wait_by_activity.synchronization_ns \
         host_wait_by_activity.allocation_ns host_wait_by_activity.launching_ns host_wait_by_activity.operator_ns \
         host_wait_by_activity.python_ns host_wait_by_activity.unrecorded_ns",
    ),
    (
        "Why the streams idle",
        "idle[].streams",
        "stream ^device window_ns busy_ns idle_ns host_wait_ns kernel_wait_ns other_ns unknown_ns",
    ),
    ("The longest pauses", "idle[].long_gaps.longest", "class start_ns length_ns before after call host"),
    (
        "Launches",
        "launches.names",
        "name calls activities short slow late cpu_ns cpu_max_ns gpu_ns delay_ns delay_max_ns",
    ),
    ("Queues", "queues", "stream device calls blocked_ns waiting.mean waiting.max in_flight.mean in_flight.max"),
    (
        "Operators",
        "operators",
        "name class calls host_total_ns host_self_ns host_mean_ns host_min_ns host_max_ns device_total_ns device_self_ns",
    ),
    (
        "Kernels",
        "kernels",
        "name class calls total_ns share_of_kernel_time mean_ns median_ns min_ns max_ns std_ns blocks_per_sm \
         occupancy_percent tensor_cores",
    ),
    (
        "Copies",
        "copies",
        "name class calls total_ns mean_ns median_ns min_ns max_ns bytes gigabytes_per_second share_of_peak",
    ),
    (
        "Memory",
        "memory.places",
        "device events allocated.peak_bytes allocated.peak_at_ns reserved.peak_bytes blocks.allocations blocks.releases \
         blocks.unreleased.bytes blocks.mean_lifetime_ns blocks.median_lifetime_ns",
    ),
    (
        "Memory by operator",
        "memory.places[].operators",
        "name ^device allocations releases allocated_bytes released_bytes net_bytes total_allocated_bytes",
    ),
    ("Held at the peak", "memory.places[].live_at_peak.operators", "name ^device blocks bytes"),
    (
        "Waits for data by step",
        "data_loading.steps",
        "waits total_ns longest_ns waiting_ns host_step_ns waiting_share_of_host_step exposed_ns",
    ),
    ("The longest waits for data", "data_loading.longest", "name start_ns length_ns"),
    ("Resources", "resources", "name owner kind unit samples min max mean last"),
    ("Pipeline stages", "pipeline", ""),
];

/// Of the job.
const OF_JOB: [Table; 10] = [
    (
        "Ranks",
        "job.ranks",
        "rank input host devices stage steps_counted step_ns own_ns compute_ns communication_ns exposed_communication_ns \
         exposed_memcpy_ns idle_ns iteration_interval_ns forward_and_backward_ns tail_ns receive_alone_ns stage_ns flops \
         flops_per_second memory_peak_bytes votes voted marks",
    ),
    ("Parallelism", "job.parallel", "kind size source"),
    ("Groups of ranks", "job.groups", "name description size ranks parallel"),
    ("Pipeline stages", "job.stages", ""),
    ("Links", "job.links", ""),
    (
        "Collectives",
        "collectives",
        "operation group group_ranks group_size count matched incomplete bytes total_ns transfer_ns wait_ns mean_skew_ns \
         max_skew_ns algorithm_bytes_per_second bus_bytes_per_second",
    ),
    ("Stragglers", "stragglers", ""),
    ("Job warnings", "job.warnings", ""),
    ("Ranks, as recorded", "cluster.rows", ""),
    ("Links, as recorded", "cluster.links", ""),
];

/// What a list holds; nothing of what is none.
pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A row, and the item around its list.
type Row<'a> = (&'a Value, &'a Value);

/// The rows at a path.
fn rows<'a>(root: &'a Value, path: &str) -> Vec<Row<'a>> {
    match path.split_once("[].") {
        Some((outer, inner)) => {
            let items = list(at(root, outer)).iter();
            items.flat_map(|item| list(at(item, inner)).iter().map(move |row| (row, item))).collect()
        }
        None => list(at(root, path)).iter().map(|row| (row, root)).collect(),
    }
}

/// A value by a path of keys.
pub(super) fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(value, |value, key| &value[key])
}

fn of_row<'a>((row, around): Row<'a>, key: &str) -> &'a Value {
    key.strip_prefix('^').map_or_else(|| at(row, key), |key| at(around, key))
}

/// The tables of a job.
pub(super) fn of_job(html: &mut Html, summary: &Value, top: usize) {
    for table in OF_JOB {
        write(html, summary, table, top);
    }
}

/// The tables of a rank, and those that its profiler wrote.
pub(super) fn of_rank(html: &mut Html, rank: &Value, top: usize) {
    for table in OF_RANK {
        write(html, rank, table, top);
    }
    for table in list(&rank["recorded"]) {
        recorded(html, table, top);
    }
}

/// What was read, and what was odd about it.
pub(super) fn inputs(html: &mut Html, summary: &Value, top: usize) {
    let read = "name format framework framework_version bytes events slices";
    write(html, summary, ("What was read", "inputs", read), top);
    write(html, summary, ("What was odd about it", "inputs[].warnings", "code ^name severity count example"), top);
}

fn write(html: &mut Html, root: &Value, (title, path, keys): Table, top: usize) {
    let rows = rows(root, path);
    let Some((first, _)) = rows.first() else { return };
    let all: Vec<String> = if keys.is_empty() {
        // Whatever its rows have.
        first.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect()
    } else {
        keys.split_whitespace().map(str::to_owned).collect()
    };
    // A column in which no row has anything says nothing.
    let has = |key: &String| rows.iter().any(|row| !matches!(&*cell(key, of_row(*row, key)), NONE | ""));
    let keys: Vec<&String> = all.iter().filter(|key| has(key)).collect();
    let heads = keys.iter().map(|key| heading(key.trim_start_matches('^')));
    let cells = rows.iter().take(top).map(|row| {
        keys.iter().map(|key| {
            let value = of_row(*row, key);
            (cell(key, value), value.is_number())
        })
    });
    grid(html, (title, false), heads, cells.map(Iterator::collect), rows.len());
}

/// A table that the profiler wrote, with its own columns.
fn recorded(html: &mut Html, table: &Value, top: usize) {
    let columns = list(&table["columns"]);
    let units: Vec<String> = columns.iter().map(|column| cells::text(&column["unit"])).collect();
    let heads = columns.iter().map(|column| cells::text(&column["name"]).replace('_', " "));
    let rows = list(&table["rows"]);
    let cells = rows.iter().take(top).map(|row| {
        let cells = list(row).iter().zip(&units);
        cells.map(|(value, unit)| (cells::in_unit(value, unit), value.is_number())).collect()
    });
    let title = format!("As recorded: {}", cells::text(&table["id"]).replace('_', " "));
    grid(html, (&title, false), heads, cells, rows.len());
}

/// A table: its title, and whether it is open at once.
pub(super) fn grid(
    html: &mut Html,
    (title, is_open): (&str, bool),
    heads: impl Iterator<Item = String>,
    rows: impl Iterator<Item = Vec<(String, bool)>>,
    all: usize,
) {
    html.raw(if is_open { "<details class=\"table\" open>" } else { "<details class=\"table\">" });
    html.open("summary", "");
    html.text(title);
    html.element("span", "count", &count(all as u64));
    html.raw("</summary>");
    html.raw("<div class=\"scroll\"><table><thead><tr>");
    heads.for_each(|head| html.element("th", "", &head));
    html.raw("</tr></thead><tbody>\n");
    let mut shown = 0;
    for row in rows {
        html.raw("<tr>");
        for (text, is_number) in row {
            html.element("td", if is_number { "n" } else { "" }, &text);
        }
        html.raw("</tr>\n");
        shown += 1;
    }
    html.raw("</tbody></table></div>");
    if shown < all {
        html.element("p", "hint", &format!("… and {} more.", count((all - shown) as u64)));
    }
    html.close("details");
}
