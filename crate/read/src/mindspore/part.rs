//! The run and rank of a MindSpore profiler's file, by its path.
//!
//! A run is the profiler's output folder:
//!
//! ```text
//! {summary}/profiler/X_{rank}.json                     1.x to 2.4: all ranks of a machine side by side
//!                     PROF_…/device_{device}/timeline/  msprof's export of one device
//!                    host_info/X_{rank}.csv
//! {host}_{pid}_{time}_ascend_ms/                       since 2.4: one rank
//!                    profiler_info_{rank}.json
//!                    ASCEND_PROFILER_OUTPUT/, FRAMEWORK/, PROF_…/, logs/
//! ```
//!
//! So the number in a name is the rank. Below `…_ascend_ms` only `profiler_info_{rank}.json` has it: other files have
//! device numbers, or 0. msprof's folder `device_N` counts as rank N: on one machine they are equal, and a job on
//! several machines writes a folder on each.

use crate::Head;
use crate::RunPart;

/// The order of a rank's files: data that is recorded twice is read from the best file first.
pub(crate) mod order {
    /// Exports of old versions of msprof, one per model and iteration: more than MindSpore's timeline has.
    pub(crate) const MSPROF_ITERATIONS: u8 = 8;
    /// MindSpore's own timeline.
    pub(crate) const TIMELINE: u8 = 10;
    /// Exports of new versions of msprof: MindSpore's timeline has all of it.
    pub(crate) const MSPROF: u8 = 12;
    /// Msprof's steps; tasks and collectives, which its timeline has, too.
    pub(crate) const MSPROF_PARTS: u8 = 14;
    /// Events of the host.
    pub(crate) const HOST: u8 = 20;
    /// The times at which msprof's clock was zero.
    pub(crate) const CLOCK: u8 = 25;
    /// Raw times, if there is no timeline.
    pub(crate) const RAW: u8 = 30;
    /// Raw records of the step trace, if there is no table of it.
    pub(crate) const RAW_STEPS: u8 = 35;
    /// Files without events.
    pub(crate) const TABLES: u8 = 40;
    /// Raw records of the graph's operators, if there is no table of them.
    pub(crate) const RAW_OPERATORS: u8 = 45;
}

/// The rank to which a file belongs.
#[expect(clippy::unnecessary_wraps, reason = "as a reader's `part_of`")]
pub(crate) fn part_of(path: &str, _head: Head<'_>) -> Option<RunPart> {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let folders: Vec<&str> = folders.split('/').filter(|folder| !folder.is_empty()).collect();
    let stem = stem(file);
    let one_rank = folders.iter().rposition(|folder| folder.ends_with("_ascend_ms"));
    let (run, rank) = match one_rank {
        Some(at) => (&folders[..=at], number_behind(stem, "profiler_info_")),
        None => match raw_device(file) {
            // The folder of raw records is of msprof's making, too.
            Some(rank) => {
                (run_of(folders.strip_suffix(&["data"]).unwrap_or(&folders)), rank_of(&folders, "").or(Some(rank)))
            }
            None => (run_of(&folders), rank_of(&folders, stem)),
        },
    };
    Some(RunPart { run: run.join("/"), rank, order: order_of(&folders, file) })
}

/// A file's name without its endings: `x_0.json.gz` is `x_0`.
pub(super) fn stem(file: &str) -> &str {
    file.split('.').next().unwrap_or(file)
}

/// The folders down to the run, without those that the profiler makes in it.
fn run_of<'a, 'b>(folders: &'a [&'b str]) -> &'a [&'b str] {
    const MADE: [&str; 11] = [
        "ASCEND_PROFILER_OUTPUT",
        "FRAMEWORK",
        "host_info",
        "logs",
        "mindstudio_profiler_output",
        "mindstudio_profiler_log",
        "timeline",
        "summary",
        "sqlite",
        "host",
        "profiler",
    ];
    let is_made = |folder: &str| MADE.contains(&folder) || folder.starts_with("PROF_") || device(folder).is_some();
    let kept = folders.iter().rposition(|folder| !is_made(folder)).map_or(0, |last| last + 1);
    // If the profiler's folder was opened alone, it is the run.
    &folders[..kept.max(1).min(folders.len())]
}

/// The device of a file of raw records: `training_trace.46.dev.profiler_default_tag.10.slice_0` is of device 10.
fn raw_device(file: &str) -> Option<u64> {
    let (name, _) = file.rsplit_once(".slice_")?;
    name.rsplit('.').next()?.parse::<u32>().ok().map(u64::from)
}

fn rank_of(folders: &[&str], stem: &str) -> Option<u64> {
    let is_made_for_one = |folder: &&str| ["ASCEND_PROFILER_OUTPUT", "FRAMEWORK"].contains(folder);
    if folders.iter().any(is_made_for_one) {
        return None;
    }
    if let Some(device) = folders.iter().rev().find_map(|folder| device(folder)) {
        return Some(device);
    }
    if let Some(numbers) = msprof_numbers(stem) {
        return numbers.first().copied();
    }
    // Longer numbers are times.
    let small = |part: &&str| part.len() <= 6;
    stem.split('_').rev().filter(small).find_map(|part| part.parse().ok())
}

/// The device of a folder `device_N`, or of one in which users see a file of several devices.
pub(super) fn device(folder: &str) -> Option<u64> {
    ["device_", "device "].iter().find_map(|name| number_behind(folder, name))
}

/// The number after a prefix; none above 32 bits, since no rank has such a number.
fn number_behind(name: &str, prefix: &str) -> Option<u64> {
    name.strip_prefix(prefix)?.parse::<u32>().ok().map(u64::from)
}

/// Device, model and iteration in the name of an old export of msprof's, such as `hccl_0_2_1`.
pub(super) fn msprof_numbers(stem: &str) -> Option<[u64; 3]> {
    let (kind, numbers) = stem.split_once('_')?;
    let numbers = if kind == "step" || kind == "task" { numbers.split_once('_')?.1 } else { numbers };
    let mut numbers = numbers.split('_').map(|number| number.parse().ok());
    let three = [numbers.next()??, numbers.next()??, numbers.next()??];
    (["msprof", "hccl", "step", "task"].contains(&kind) && numbers.next().is_none()).then_some(three)
}

fn order_of(folders: &[&str], file: &str) -> u8 {
    let stem = stem(file);
    if file.contains(".csv") {
        return table_order(stem);
    }
    if file.contains("_desc_info.") {
        return order::RAW_OPERATORS;
    }
    let in_msprof = folders.iter().any(|folder| folder.starts_with("PROF_") || device(folder).is_some());
    let msprof_parts = ["step_trace_", "hccl_", "task_time_", "communication_"];
    if stem.starts_with("msprof") {
        if msprof_numbers(stem).is_some() { order::MSPROF_ITERATIONS } else { order::MSPROF }
    } else if msprof_numbers(stem).is_some() || (in_msprof && msprof_parts.iter().any(|part| stem.starts_with(part))) {
        order::MSPROF_PARTS
    } else if stem == "trace_view" || stem.contains("timeline_display") {
        order::TIMELINE
    } else if stem.starts_with("timeline_") && !stem.starts_with("timeline_summary") {
        order::HOST
    } else if stem == "start_info" || stem.starts_with("min_cycle_counter") {
        order::CLOCK
    } else if stem == "training_trace" {
        order::RAW_STEPS
    } else if ["cpu_op_execute_timestamp", "output_timeline_data"].iter().any(|raw| stem.starts_with(raw)) {
        order::RAW
    } else {
        order::TABLES
    }
}

/// The order of a table.
fn table_order(stem: &str) -> u8 {
    const RAW: [&str; 3] = ["kernel_details", "step_trace_raw", "task_time_"];
    // `step_trace_time.csv` has lengths, no points in time.
    let has_steps = stem.starts_with("step_trace_") && stem != "step_trace_time";
    match () {
        () if RAW.iter().any(|raw| stem.starts_with(raw)) => order::RAW,
        () if has_steps => order::RAW_STEPS,
        () => order::TABLES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(path: &str) -> (String, Option<u64>, u8) {
        let part = part_of(path, Head { bytes: b"", whole: true }).expect("a part");
        (part.run, part.rank, part.order)
    }

    #[test]
    fn several_ranks_lie_side_by_side_in_the_old_folder() {
        let cases = [
            ("job/profiler/ascend_timeline_display_0.json", "job", Some(0), order::TIMELINE),
            ("job/profiler/step_trace_raw_10_detail_time.csv", "job", Some(10), order::RAW),
            ("job/profiler/aicore_intermediate_1_type.csv", "job", Some(1), order::TABLES),
            ("job/profiler/PROF_000001_2023_A/device_7/timeline/msprof_7_2_1.json", "job", Some(7), 8),
            ("job/profiler/PROF_000001_2023_A/device_7/timeline/hccl_7_2_1.json", "job", Some(7), 14),
            ("job/profiler/PROF_000001_2023_A/device_7/start_info.7", "job", Some(7), order::CLOCK),
            ("job/profiler/host_info/timeline_3.json", "job", Some(3), order::HOST),
            ("cluster/ascend_cluster_analyse_pipeline-parallel_2_4_3.csv", "cluster", Some(3), order::TABLES),
            ("profiler/cpu_op_execute_timestamp_0.txt", "profiler", Some(0), order::RAW),
            ("profiler/step_trace_point_info.json", "profiler", None, order::TABLES),
            ("JOB1/training_trace.46.dev.profiler_default_tag.10.slice_0", "JOB1", Some(10), order::RAW_STEPS),
            ("job/profiler/PROF_1/device_3/data/DATA_PREPROCESS.dev.AICPU.0.slice_0", "job", Some(3), order::TABLES),
            ("task_time_0_2_10.json", "", Some(0), order::MSPROF_PARTS),
            ("timeline_summary_1.json", "", Some(1), order::TABLES),
        ];
        for (path, run, rank, order) in cases {
            assert_eq!(part(path), (run.to_owned(), rank, order), "{path}");
        }
    }

    #[test]
    fn the_new_folder_is_one_rank() {
        let run = "job/vm_29395_20261121031324076_ascend_ms";
        let cases = [
            ("profiler_info_3.json", Some(3), order::TABLES),
            ("ASCEND_PROFILER_OUTPUT/trace_view.json", None, order::TIMELINE),
            ("FRAMEWORK/cpu_op_execute_timestamp_0.txt", None, order::RAW),
            ("PROF_000001_20261121_A/device_3/start_info.3", None, order::CLOCK),
            ("PROF_000001_20261121_A/mindstudio_profiler_output/msprof_20261121031324.json", None, order::MSPROF),
        ];
        for (path, rank, order) in cases {
            assert_eq!(part(&format!("{run}/{path}")), (run.to_owned(), rank, order), "{path}");
        }
        assert_eq!(part("renamed/ASCEND_PROFILER_OUTPUT/minddata_pipeline_raw_0.csv").1, None);
        assert_eq!(part("ASCEND_PROFILER_OUTPUT/trace_view.json").0, "ASCEND_PROFILER_OUTPUT");
    }
}
