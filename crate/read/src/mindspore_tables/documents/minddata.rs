//! MindData's pipeline: queues between its operators, the processor's load, the summary of both.

use super::tables::{add_table, text, words};
use crate::mindspore_tables::quantity::{MILLIS, Quantity, written};
use stepscope_parse::{Decimal, Tree};
use stepscope_trace::{Cell, TraceBuilder};

use Quantity::{Number, Percent, Share, Text};

fn list<'a>(tree: &'a Tree, name: &str) -> &'a [Tree] {
    tree.get(name).map(Tree::items).unwrap_or_default()
}

/// Reads `pipeline_profiling_{id}.json` into the profiler's own form of the table.
pub(super) fn pipeline(tree: &Tree, builder: &mut TraceBuilder) {
    let operators = list(tree, "op_info");
    let interval = MILLIS.cell_of(tree.get("sampling_interval"));
    let parent_of = |id: Option<&Tree>| {
        let is_child = |parent: &&Tree| id.is_some_and(|id| list(parent, "children").contains(id));
        operators.iter().find(is_child).and_then(|parent| parent.get("op_id"))
    };
    let row = |operator: &Tree| {
        let queue = operator.get("metrics").and_then(|metrics| metrics.get("output_queue"));
        let sizes = queue.map_or(&[][..], |queue| list(queue, "size"));
        let numbers: Vec<f64> = sizes.iter().filter_map(|size| Some(size.number()?.to_f64())).collect();
        let length = queue.and_then(|queue| queue.get("length"));
        #[expect(clippy::cast_precision_loss, reason = "a count of samples")]
        let mean = (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64);
        let full = length.and_then(Tree::number).map(Decimal::to_f64).filter(|length| *length > 0.0);
        let id = operator.get("op_id");
        let some = |number: Option<f64>| number.map_or(Cell::Empty, Cell::Real);
        vec![
            Number.cell_of(id),
            words(operator.get("op_type")),
            Number.cell_of(operator.get("num_workers")),
            words(queue.and_then(|queue| queue.get("size"))),
            some(mean),
            Number.cell_of(length),
            some(mean.zip(full).map(|(mean, full)| mean / full)),
            interval.clone(),
            Number.cell_of(parent_of(id)),
            words(operator.get("children")),
        ]
    };
    let columns = [
        ("op_id", Number),
        ("op_type", Text),
        ("num_workers", Number),
        ("output_queue_size", Text),
        ("output_queue_average_size", Number),
        ("output_queue_length", Number),
        ("output_queue_usage_rate", Share),
        ("sample_interval", MILLIS),
        ("parent_id", Number),
        ("children_id", Text),
    ];
    add_table("pipeline_profiling", builder, &columns, operators.iter().map(row).collect());
}

const MEBIBYTES: Quantity = Quantity::Bytes(1 << 20);

/// The member with the curves of the machine.
const MACHINE: &str = "device_info";

/// Curves of the machine and of the process: their members, names and units.
const CURVES: [(&str, &str, &str, Quantity); 14] = [
    (MACHINE, "user_utilization", "machine user", Percent),
    (MACHINE, "sys_utilization", "machine sys", Percent),
    (MACHINE, "io_utilization", "machine io", Percent),
    (MACHINE, "idle_utilization", "machine idle", Percent),
    (MACHINE, "runnable_process", "runnable processes", Number),
    (MACHINE, "runable_processes", "runnable processes", Number),
    (MACHINE, "context_switch_count", "context switches", Number),
    ("process_info", "user_utilization", "process user", Percent),
    ("process_info", "sys_utilization", "process sys", Percent),
    ("process_memory_info", "rss_mbytes", "process rss", MEBIBYTES),
    ("process_memory_info", "pss_mbytes", "process pss", MEBIBYTES),
    ("process_memory_info", "vss_mbytes", "process vss", MEBIBYTES),
    ("system_memory_info", "used_sys_memory_mbytes", "memory used", MEBIBYTES),
    ("system_memory_info", "available_sys_memory_mbytes", "memory available", MEBIBYTES),
];

/// `minddata_cpu_utilization_{id}.json`: a row per sample. Curves may be longer than the list of times. MindSpore 2 writes
/// values of the machine twice for each sample, or followed by a zero: then each sample has the first of the two. It
/// cuts some of these curves to the number of samples: of them, the second half is lost.
pub(super) fn processor(tree: &Tree, builder: &mut TraceBuilder) {
    let times = list(tree, "time_stamp");
    let mut columns = vec![("time", MILLIS)];
    let mut curves: Vec<(&[Tree], usize)> = Vec::new();
    let is_doubled = |curve: &[Tree]| times.len() > 1 && curve.len() == 2 * times.len();
    let of_machine = CURVES.iter().filter(|(group, ..)| *group == MACHINE);
    let are_doubled = of_machine
        .filter_map(|(group, member, ..)| tree.get(group)?.get(member))
        .any(|curve| is_doubled(curve.items()));
    for (group, member, name, quantity) in CURVES {
        if let Some(curve) = tree.get(group).and_then(|group| group.get(member)).map(Tree::items) {
            columns.push((name, quantity));
            curves.push((curve, if are_doubled && group == MACHINE { 2 } else { 1 }));
        }
    }
    let lengths = curves.iter().map(|(curve, each)| curve.len().div_ceil(*each));
    let samples = lengths.chain([times.len()]).max().unwrap_or_default();
    let row = |index: usize| {
        let all = std::iter::once((times, 1)).chain(curves.iter().copied());
        let values = all.map(|(curve, each)| curve.get(index * each));
        columns.iter().zip(values).map(|((_, in_), value)| in_.cell_of(value)).collect()
    };
    add_table("minddata_cpu", builder, &columns, (0..samples).map(row).collect());

    let rows = list(tree, "op_info").iter().flat_map(|operator| {
        let curve = |name: &str| operator.get("metrics").map_or(&[][..], |metrics| list(metrics, name));
        let (user, sys) = (curve("user_utilization"), curve("sys_utilization"));
        (0..user.len().max(sys.len())).map(move |index| {
            let share = |curve: &[Tree]| Percent.cell_of(curve.get(index));
            vec![Number.cell_of(operator.get("op_id")), MILLIS.cell_of(times.get(index)), share(user), share(sys)]
        })
    });
    let columns = [("op_id", Number), ("time", MILLIS), ("user", Percent), ("sys", Percent)];
    let rows = rows.collect();
    add_table("minddata_cpu_operators", builder, &columns, rows);
    if let Some(processors) = tree.get("cpu_processor_num") {
        let fact = ("cpu_processor_num".to_owned(), written(processors).into_owned());
        if !builder.meta.facts.contains(&fact) {
            builder.meta.facts.push(fact);
        }
    }
}

/// Lists with a value per operator; −1 means no value.
const PER_OPERATOR: [(&str, Quantity); 10] = [
    ("op_ids", Number),
    ("op_names", Text),
    ("num_workers", Number),
    ("queue_average_size", Number),
    ("queue_utilization_pct", Percent),
    ("queue_empty_freq_pct", Percent),
    ("parent_id", Number),
    ("children_ids", Text),
    ("avg_cpu_pct", Percent),
    ("avg_cpu_pct_per_worker", Percent),
];

/// Sentences about problems.
const SENTENCES: [&str; 4] =
    ["cpu_analysis_details", "queue_analysis_details", "bottleneck_warning", "bottleneck_suggestion"];

/// Reads `minddata_pipeline_summary_{id}.json`, and the CSV of the same content: a member per list.
pub(in crate::mindspore_tables) fn summary(tree: &Tree, builder: &mut TraceBuilder) {
    if builder.tables().iter().any(|table| table.id == "minddata_summary") {
        return;
    }
    let lists: Vec<(&str, Quantity, &[Tree])> = PER_OPERATOR
        .iter()
        .map(|(name, quantity)| (*name, *quantity, list(tree, name)))
        .filter(|(_, _, values)| !values.is_empty())
        .collect();
    let operators = list(tree, "op_ids").len();
    let cell = |quantity: Quantity, value: Option<&Tree>| {
        let is_none = value.and_then(Tree::number).is_some_and(|number| number.negative);
        if is_none { Cell::Empty } else { quantity.cell_of(value) }
    };
    let row = |index: usize| lists.iter().map(|(_, quantity, values)| cell(*quantity, values.get(index))).collect();
    let columns: Vec<(&str, Quantity)> = lists.iter().map(|(name, quantity, _)| (*name, *quantity)).collect();
    add_table("minddata_summary", builder, &columns, (0..operators).map(row).collect());

    let times = ["per_batch_time", "per_pipeline_time", "per_push_queue_time"];
    let rows = times.iter().filter_map(|name| {
        Some(vec![text(name), MILLIS.cell_of(list(tree, name).first())]).filter(|row| row[1] != Cell::Empty)
    });
    let rows = rows.collect();
    add_table("minddata_times", builder, &[("name", Text), ("mean", MILLIS)], rows);
    let rows = SENTENCES
        .iter()
        .flat_map(|name| list(tree, name).iter().map(|sentence| vec![text(name), words(Some(sentence))]))
        .collect();
    add_table("minddata_advice", builder, &[("about", Text), ("sentence", Text)], rows);
}
