//! Cost of collectives: `communication.json`, `communication_matrix.json`.

use super::tables::{add_table, text};
use crate::mindspore_tables::quantity::Quantity;
use stepscope_parse::Tree;
use stepscope_trace::{Cell, TraceBuilder};

/// The location of a value: step, kind of communication, operator.
const PLACE: [(&str, Quantity); 3] = [("step", Quantity::Text), ("kind", Quantity::Text), ("operator", Quantity::Text)];

/// The unit of a collective's member; `MB` is a million bytes here.
fn quantity(name: &str) -> (&str, Quantity) {
    let (bare, quantity) = Quantity::in_name(name);
    match quantity {
        Some(Quantity::Bytes(1_048_576)) => (bare, Quantity::Bytes(1_000_000)),
        Some(quantity) => (bare, quantity),
        None if name.ends_with("Ratio") => (name, Quantity::Share),
        None => (name, Quantity::Number),
    }
}

/// All operators of a document `{step: {kind: {operator: …}}}`, with their locations.
fn operators(tree: &Tree) -> impl Iterator<Item = ([Cell; 3], &Tree)> {
    tree.members().iter().flat_map(|(step, kinds)| {
        kinds.members().iter().flat_map(move |(kind, operators)| {
            operators.members().iter().map(move |(name, operator)| ([text(step), text(kind), text(name)], operator))
        })
    })
}

/// Adds a table of objects, each with its location, whose columns are the objects' members.
fn table(id: &'static str, builder: &mut TraceBuilder, place: &[(&str, Quantity)], rows: &[(Vec<Cell>, &Tree)]) {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|(_, object)| object.members()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let columns: Vec<(&str, Quantity)> = names.iter().map(|name| quantity(name)).collect();
    let cells = rows.iter().map(|(place, object)| {
        let cells = names.iter().zip(&columns).map(|(name, (_, quantity))| quantity.cell_of(object.get(name)));
        place.iter().cloned().chain(cells).collect()
    });
    let all: Vec<(&str, Quantity)> = place.iter().chain(&columns).copied().collect();
    add_table(id, builder, &all, cells.collect());
}

/// The times of collectives, and their traffic by transport.
pub(super) fn communication(tree: &Tree, builder: &mut TraceBuilder) {
    let times = operators(tree).filter_map(|(place, of)| Some((place.to_vec(), of.get("Communication Time Info")?)));
    table("communication", builder, &PLACE, &times.collect::<Vec<_>>());
    let by_transport = operators(tree).flat_map(|(place, of)| {
        let transports = of.get("Communication Bandwidth Info").map(Tree::members).unwrap_or_default();
        transports.iter().map(move |(transport, info)| ([&place[..], &[text(transport)]].concat(), info))
    });
    let place = [PLACE[0], PLACE[1], PLACE[2], ("transport", Quantity::Text)];
    table("communication_bandwidth", builder, &place, &by_transport.collect::<Vec<_>>());
}

/// The traffic of collectives from rank to rank.
pub(super) fn matrix(tree: &Tree, builder: &mut TraceBuilder) {
    let links = operators(tree).flat_map(|(place, links)| {
        links.members().iter().map(move |(link, info)| ([&place[..], &[text(link)]].concat(), info))
    });
    let place = [PLACE[0], PLACE[1], PLACE[2], ("link", Quantity::Text)];
    table("communication_matrix", builder, &place, &links.collect::<Vec<_>>());
}
