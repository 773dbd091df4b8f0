//! Files whose content other files of the same rank have, too.
//!
//! - One timeline makes a rank. The first choice is msprof's old exports (one per iteration, which complement each
//!   other), then MindSpore's display or view, then msprof's new export (maybe in slices). The others repeat it.
//! - `hccl_*` and `task_time_*` repeat the timeline's collectives and streams; they are read if there is no timeline.
//! - `step_trace_D_M_I` lists all iterations of a model, whatever I is, and those of the device's other models.
//!   One file of each model is read, without iterations that another file had.
//! - Raw times are read if there is no timeline, and so is one of the tables of tasks (`kernel_details.csv`,
//!   `task_time_*.csv`, `op_summary_*.csv`).

use super::part::{msprof_numbers, stem};
use stepscope_trace::{ArgumentValue, TraceBuilder};

/// The argument with the graph of a step; msprof calls graphs models.
pub(super) const GRAPH: &str = "graph";

/// The content of a file of the folder, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Device, model, iteration.
    MsprofIteration([u64; 3]),
    /// All events, or a slice of the time.
    Timeline { slice: bool },
    /// The steps of a model of a device.
    Steps([u64; 2]),
    /// Tasks or collectives, of one iteration or of all.
    Part(Option<[u64; 3]>),
    /// Anything else: complements the rest.
    Other,
}

fn kind(path: &str) -> Kind {
    let stem = stem(path.rsplit('/').next().unwrap_or(path));
    let numbers = msprof_numbers(stem);
    match (stem.split('_').next().unwrap_or_default(), numbers) {
        ("msprof", Some(numbers)) => Kind::MsprofIteration(numbers),
        ("msprof", None) => Kind::Timeline { slice: stem.contains("slice") },
        ("step", Some([device, model, _])) => Kind::Steps([device, model]),
        ("hccl" | "task", numbers) => Kind::Part(numbers),
        _ if stem == "trace_view" || stem.contains("timeline_display") => Kind::Timeline { slice: false },
        _ => Kind::Other,
    }
}

/// The part of the current file that was read before.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Repeated {
    /// These iterations, each with its graph.
    Iterations(Vec<(Option<u64>, u64)>),
    /// All, from this file.
    All(String),
}

/// The part of the current file that earlier files had.
pub(super) fn repeated(builder: &TraceBuilder) -> Repeated {
    let Some((file, before)) = builder.meta.inputs.split_last() else { return Repeated::Iterations(Vec::new()) };
    let own = kind(&file.name);
    let mut iterations = Vec::new();
    for file in before.iter().filter(|file| file.events > 0) {
        let all = match (own, kind(&file.name)) {
            (Kind::Timeline { slice: true }, Kind::Timeline { slice: true }) => false,
            (Kind::Timeline { .. }, Kind::Timeline { .. } | Kind::MsprofIteration(_))
            | (Kind::Part(_) | Kind::Steps(_), Kind::Timeline { .. }) => true,
            (Kind::Part(own), Kind::MsprofIteration(other)) => own == Some(other),
            (Kind::Steps(own), Kind::Steps(other)) => own == other,
            (Kind::Steps([own, _]), Kind::MsprofIteration([device, model, iteration])) => {
                if own == device {
                    iterations.push((Some(model), iteration));
                }
                false
            }
            _ => false,
        };
        if all {
            return Repeated::All(file.name.clone());
        }
    }
    if matches!(own, Kind::Steps(_)) {
        iterations.extend(marked(builder));
    }
    Repeated::Iterations(iterations)
}

/// The iterations marked so far, each with its graph.
fn marked(builder: &TraceBuilder) -> impl Iterator<Item = (Option<u64>, u64)> {
    builder.steps_with(GRAPH).into_iter().filter_map(|(name, graph)| {
        let graph = match graph {
            Some(ArgumentValue::Unsigned(graph)) => Some(graph),
            _ => None,
        };
        Some((graph, builder.text(name).parse().ok()?))
    })
}

/// MindSpore's own timeline that was read before the current file.
pub(super) fn timeline(builder: &TraceBuilder) -> Option<String> {
    let (_, before) = builder.meta.inputs.split_last()?;
    let is_own = |path: &str| matches!(kind(path), Kind::Timeline { .. }) && !path.contains("msprof_");
    before.iter().find(|file| file.events > 0 && is_own(&file.name)).map(|file| file.name.clone())
}

/// The file before the current table of tasks that has these tasks, too, if any has: a timeline, or another table.
pub(super) fn tasks(builder: &TraceBuilder) -> Option<String> {
    const TABLES: [&str; 3] = ["kernel_details", "task_time", "op_summary"];
    let table = |path: &str| {
        let file = path.rsplit('/').next().unwrap_or(path);
        TABLES.iter().position(|table| file.starts_with(table) && file.contains(".csv"))
    };
    let (own, before) = builder.meta.inputs.split_last()?;
    let own = table(&own.name);
    let has_tasks = |path: &str| match (table(path), kind(path)) {
        (Some(other), _) => own.is_some_and(|own| own != other),
        (None, Kind::Timeline { .. } | Kind::MsprofIteration(_)) => true,
        (None, Kind::Part(_)) => stem(path.rsplit('/').next().unwrap_or(path)).starts_with("task_time"),
        (None, Kind::Steps(_) | Kind::Other) => false,
    };
    before.iter().find(|file| file.events > 0 && has_tasks(&file.name)).map(|file| file.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_trace::InputFile;

    fn builder(files: &[&str], own: &str) -> TraceBuilder {
        let mut builder = TraceBuilder::new();
        for file in files {
            builder.begin_input(InputFile::new(file, "mindspore"));
            builder.meta.events += 1;
            builder.end_input(10);
        }
        builder.begin_input(InputFile::new(own, "mindspore"));
        builder
    }

    fn after(files: &[&str], own: &str) -> Repeated {
        repeated(&builder(files, own))
    }

    #[test]
    fn tables_of_tasks_are_read_where_nothing_else_has_the_tasks() {
        let tasks = |files: &[&str], own: &str| tasks(&builder(files, own));
        let details = "ASCEND_PROFILER_OUTPUT/kernel_details.csv";
        for timeline in
            ["a/trace_view.json", "p/msprof_20240101120000.json", "t/msprof_0_2_1.json", "task_time_0_2_1.json"]
        {
            for own in [details, "p/task_time_20240101120000.csv", "p/op_summary_20240101120000.csv"] {
                assert_eq!(tasks(&[timeline], own).as_deref(), Some(timeline), "{own}");
            }
        }
        assert_eq!(
            tasks(&["p/task_time_20240101120000.csv"], details).as_deref(),
            Some("p/task_time_20240101120000.csv")
        );
        let slices = ["p/task_time_slice_0_20240101.csv", "op_statistic_20240101.csv", "hccl_0_2_1.json"];
        assert_eq!(tasks(&slices, "p/task_time_slice_1_20240101.csv"), None);
        assert_eq!(tasks(&slices, "op_summary_20240101.csv").as_deref(), Some(slices[0]));
        assert_eq!(tasks(&["op_summary_slice_0_20240101.csv"], "op_summary_slice_1_20240101.csv"), None);
    }

    #[test]
    fn one_timeline_makes_a_rank() {
        let none = || Repeated::Iterations(Vec::new());
        let all = |file: &str| Repeated::All(file.to_owned());
        assert_eq!(after(&[], "ascend_timeline_display_0.json"), none());
        assert_eq!(after(&["msprof_0_2_1.json"], "msprof_0_2_2.json"), none());
        assert_eq!(after(&["msprof_0_2_1.json"], "d/ascend_timeline_display_0.json"), all("msprof_0_2_1.json"));
        assert_eq!(after(&["a/trace_view.json"], "p/msprof_20240101120000.json"), all("a/trace_view.json"));
        assert_eq!(after(&["msprof_slice_0_20240101.json"], "msprof_slice_1_20240101.json"), none());
        assert_eq!(after(&["gpu_timeline_display_0.json"], "host_info/timeline_0.json"), none());
        let files = ["msprof_0_2_1.json", "msprof_0_3_4.json"];
        assert_eq!(after(&files, "hccl_0_2_1.json"), all("msprof_0_2_1.json"));
        assert_eq!(after(&files, "task_time_0_2_2.json"), none());
        assert_eq!(after(&files, "step_trace_0_2_1.json"), Repeated::Iterations(vec![(Some(2), 1), (Some(3), 4)]));
        assert_eq!(after(&["step_trace_0_2_1.json"], "step_trace_0_2_2.json"), all("step_trace_0_2_1.json"));
    }
}
