//! The memory that graphs plan to use: `memory_usage_{summary,details}_{rank}.json`, in GiB.

use super::{Quantity, add_table, table_of_objects, text};
use crate::parse::Tree;
use crate::trace::{Cell, TraceBuilder};

const GIBIBYTES: Quantity = Quantity::Bytes(1 << 30);

fn quantity(name: &str) -> Quantity {
    match name {
        "capacity" | "peak_mem" | "static_mem" | "dynamic_mem" | "model_mem" | "size" | "mem_change" => GIBIBYTES,
        _ => Quantity::Number,
    }
}

/// Capacity, peak and static memory.
pub(super) fn summary(tree: &Tree, builder: &mut TraceBuilder) {
    table_of_objects("memory_summary", builder, [tree], quantity);
}

/// Of each graph the memory over the order of execution, its operators, and what is live at its peak.
pub(super) fn details(tree: &Tree, builder: &mut TraceBuilder) {
    let graphs = || tree.members().iter().filter(|(_, graph)| !graph.members().is_empty());
    let mut points = Vec::new();
    for (name, graph) in graphs() {
        let lines = graph.get("lines").map(Tree::items).unwrap_or_default();
        points.extend(
            (0..)
                .zip(lines)
                .map(|(index, memory)| vec![text(name), Cell::Integer(index), GIBIBYTES.cell_of(Some(memory))]),
        );
    }
    let columns = [("graph_id", Quantity::Text), ("index", Quantity::Number), ("memory", GIBIBYTES)];
    add_table("memory_curve", builder, &columns, points);
    for (id, list) in [("memory_nodes", "nodes"), ("memory_breakdown", "breakdowns")] {
        // Breakdowns are of one operator, or of each.
        let items = graphs().flat_map(|(_, graph)| graph.get(list).map(Tree::items).unwrap_or_default());
        let objects =
            items.flat_map(|item| if item.items().is_empty() { std::slice::from_ref(item) } else { item.items() });
        table_of_objects(id, builder, objects, quantity);
    }
}
