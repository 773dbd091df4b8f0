//! The memory that graphs plan to use: `memory_usage_{summary,details}_{rank}.json`, in GiB.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::tables::{add_table, table_of_objects, text};
use crate::mindspore_tables::quantity::{Quantity, written};
use stepscope_parse::Tree;
use stepscope_trace::{Cell, TraceBuilder};

const GIBIBYTES: Quantity = Quantity::Bytes(1 << 30);

fn quantity(name: &str) -> Quantity {
    match name {
        "capacity" | "peak_mem" | "static_mem" | "dynamic_mem" | "model_mem" | "size" | "mem_change" | "allocated" => {
            GIBIBYTES
        }
        _ => Quantity::Number,
    }
}

/// Capacity, peak and static memory.
pub(super) fn summary(tree: &Tree, builder: &mut TraceBuilder) {
    table_of_objects("memory_summary", builder, [tree], quantity);
}

/// For each graph: the memory over the order of execution, its operators, and the tensors at its peak.
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
    let columns = [
        ("graph_id", Quantity::Text),
        ("static_mem", GIBIBYTES),
        ("fp_start", Quantity::Number),
        ("bp_end", Quantity::Number),
    ];
    let facts = graphs().map(|(name, graph)| {
        let cell = |(column, quantity): &(&str, Quantity)| quantity.cell_of(graph.get(column));
        std::iter::once(text(name)).chain(columns[1..].iter().map(cell)).collect()
    });
    add_table("memory_graphs", builder, &columns, facts.collect());
    let nodes = graphs().flat_map(|(name, graph)| listed(name, graph.get("nodes")));
    table_of_parts("memory_nodes", builder, &[], nodes);
    let tensors = graphs().flat_map(|(name, graph)| tensors(name, graph.get("breakdowns")));
    table_of_parts("memory_breakdown", builder, &["first_index", "last_index"], tensors);
}

/// An object of a graph, with cells to put before those of its members.
type Part<'a> = (Vec<Cell>, &'a Tree);

fn listed<'a>(graph: &'a str, list: Option<&'a Tree>) -> impl Iterator<Item = Part<'a>> {
    list.map(Tree::items).unwrap_or_default().iter().map(move |item| (vec![text(graph)], item))
}

/// The tensors of a graph. Breakdowns are a list of the tensors that live while one operator runs, or such a list for
/// each operator. In the second case each tensor is listed once, with the first and last operator of its life.
fn tensors<'a>(graph: &str, breakdowns: Option<&'a Tree>) -> Vec<Part<'a>> {
    let mut tensors: Vec<Part<'a>> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (index, item) in (0..).zip(breakdowns.map(Tree::items).unwrap_or_default()) {
        if item.items().is_empty() {
            tensors.push((vec![text(graph), Cell::Empty, Cell::Empty], item));
            continue;
        }
        for tensor in item.items() {
            let last = Cell::Integer(index);
            match known.entry(written(tensor).into_owned()) {
                Entry::Occupied(place) => tensors[*place.get()].0[2] = last,
                Entry::Vacant(place) => {
                    place.insert(tensors.len());
                    tensors.push((vec![text(graph), last.clone(), last], tensor));
                }
            }
        }
    }
    tensors
}

/// A table of objects, with the graph and further numbers before their members.
fn table_of_parts<'a>(
    id: &'static str,
    builder: &mut TraceBuilder,
    numbers: &[&str],
    parts: impl IntoIterator<Item = Part<'a>>,
) {
    let parts: Vec<Part<'a>> = parts.into_iter().filter(|(_, object)| !object.members().is_empty()).collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in parts.iter().flat_map(|(_, object)| object.members()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let own = numbers.iter().map(|name| (*name, Quantity::Number));
    let members = names.iter().map(|name| (*name, quantity(name)));
    let columns: Vec<(&str, Quantity)> = [("graph_id", Quantity::Text)].into_iter().chain(own).chain(members).collect();
    let rows = parts.into_iter().map(|(mut cells, object)| {
        cells.extend(names.iter().map(|name| quantity(name).cell_of(object.get(name))));
        cells
    });
    add_table(id, builder, &columns, rows.collect());
}
