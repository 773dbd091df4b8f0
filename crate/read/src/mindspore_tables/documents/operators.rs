//! Operators: counts of timelines, points of steps, FLOPs, shapes that change.

use super::tables::{add_table, table_of_objects, text, words};
use crate::mindspore_tables::quantity::{MICROS, MILLIS, Quantity};
use stepscope_parse::Tree;
use stepscope_trace::TraceBuilder;

use Quantity::{GigaFlopsPerSecond, MegaFlops, Number, Percent, Text};

/// Counts of a timeline's content: `…timeline_summary_{rank}.json`.
pub(super) fn timeline(tree: &Tree, builder: &mut TraceBuilder) {
    // Profilers that did not count scopes yet added up durations of the timeline, in µs.
    let time = if tree.get("max_scope_name_num").is_some() { MILLIS } else { MICROS };
    let quantity = |name: &str| if name == "total_time" { time } else { Number };
    table_of_objects("timeline_summary", builder, [tree], quantity);
}

/// The operators at which steps are divided: for all graphs, or for each.
pub(super) fn points(tree: &Tree, builder: &mut TraceBuilder) {
    let of_graphs = tree.members().iter().map(|(_, of_graph)| of_graph).chain(tree.items());
    table_of_objects("step_trace_points", builder, std::iter::once(tree).chain(of_graphs), |_| Text);
}

/// FLOPs in millions and per second in billions: `flops_summary_{rank}.json`.
pub(super) fn flops(tree: &Tree, builder: &mut TraceBuilder) {
    let quantity = |name: &str| match name {
        name if name.ends_with("Utilization") => Percent,
        name if name.ends_with("FLOPs") => MegaFlops,
        name if name.ends_with("FLOPS") => GigaFlopsPerSecond,
        _ => Number,
    };
    table_of_objects("flops_summary", builder, [tree], quantity);
}

/// Millions of FLOPs by scope and inner scope: `flops_scope_{rank}.json`.
pub(super) fn flops_by_scope(tree: &Tree, builder: &mut TraceBuilder) {
    let links = tree.get("data").and_then(|data| data.get("links")).map(Tree::items).unwrap_or_default();
    table_of_objects("flops_scope", builder, links, |name| if name == "value" { MegaFlops } else { Text });
}

/// `dynamic_shape_info_{rank}.json`: operators and kernels of each step, in µs, and their sums by type.
pub(super) fn dynamic_shapes(tree: &Tree, builder: &mut TraceBuilder) {
    let quantity = |name: &str| match name {
        "step" => Number,
        "dur" => MICROS,
        _ => Text,
    };
    for (id, list) in [("dynamic_shape_operators", "operator"), ("dynamic_shape_kernels", "kernel")] {
        let steps = tree.get(list).map(Tree::members).unwrap_or_default();
        table_of_objects(id, builder, steps.iter().flat_map(|(_, rows)| rows.items()), quantity);
    }
    for (id, list) in [("dynamic_shape_operator_types", "operator_type"), ("dynamic_shape_kernel_types", "kernel_type")]
    {
        let steps = tree.get(list).map(Tree::members).unwrap_or_default();
        let rows = steps.iter().flat_map(|(step, types)| {
            types.members().iter().map(move |(name, values)| {
                let values = values.items();
                let time = |at: usize| MICROS.cell_of(values.get(at));
                let count = Number.cell_of(values.get(1));
                vec![Number.cell(step), text(name), time(0), count, time(2), words(values.get(3))]
            })
        });
        let columns =
            [("step", Number), ("type", Text), ("total", MICROS), ("count", Number), ("avg", MICROS), ("name", Text)];
        let rows = rows.collect();
        add_table(id, builder, &columns, rows);
    }
}
