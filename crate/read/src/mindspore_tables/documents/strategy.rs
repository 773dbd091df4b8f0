//! Split of a model over ranks: `parallel_strategy_{rank}.json`.

use super::tables::{add_table, text, words};
use crate::mindspore_tables::quantity::Quantity;
use stepscope_parse::{Decimal, Tree};
use stepscope_trace::{Cell, TraceBuilder};

/// The stages with their devices, and the graph's operators.
pub(super) fn strategy(tree: &Tree, builder: &mut TraceBuilder) {
    let config = tree.get("config");
    let of_config = |name: &str| config.and_then(|config| config.get(name));
    if let Some(rank) = of_config("rankId").and_then(Tree::number).and_then(Decimal::to_u64) {
        builder.meta.distributed.rank.get_or_insert(rank);
    }
    let stages = of_config("stageDevices").map(Tree::items).unwrap_or_default();
    let rows = (0..).zip(stages).map(|(stage, devices)| {
        let devices = devices.get("dim").map(Tree::items).unwrap_or_default();
        let devices: Vec<Tree> = devices.iter().filter_map(|device| device.get("size")).cloned().collect();
        vec![words(of_config("parallelType")), Cell::Integer(stage), words(Some(&Tree::List(devices)))]
    });
    let columns = [("parallelType", Quantity::Text), ("stage", Quantity::Number), ("devices", Quantity::Text)];
    let rows = rows.collect();
    add_table("parallel_strategy", builder, &columns, rows);

    let nodes = tree.get("graph").and_then(|graph| graph.get("node")).map(Tree::items).unwrap_or_default();
    let rows = nodes.iter().map(|node| {
        let inputs = node.get("input").map(Tree::items).unwrap_or_default();
        let inputs: Vec<&str> = inputs.iter().filter_map(|input| input.get("name")?.text()).collect();
        let names = ["name", "opType", "scope", "fullName"].map(|name| words(node.get(name)));
        names.into_iter().chain([text(&inputs.join(", ")), words(cut_of(node).as_ref())]).collect()
    });
    let columns = ["name", "opType", "scope", "fullName", "input", "strategy"].map(|name| (name, Quantity::Text));
    let rows = rows.collect();
    add_table("parallel_nodes", builder, &columns, rows);
}

/// The number of parts into which an operator cuts each dimension of each input; none if unknown.
fn cut_of(node: &Tree) -> Option<Tree> {
    let attributes = node.get("attribute").map(Tree::items).unwrap_or_default();
    let is_cut = |attribute: &&Tree| attribute.get("name").and_then(Tree::text) == Some("gen_strategy");
    let inputs = attributes.iter().find(is_cut)?.get("value")?.get("values")?.items();
    let parts = |input: &Tree| {
        let parts = input.get("values").map(Tree::items).unwrap_or_default();
        Tree::List(parts.iter().filter_map(|part| part.get("intVal")).cloned().collect())
    };
    Some(Tree::List(inputs.iter().map(parts).collect()))
}
