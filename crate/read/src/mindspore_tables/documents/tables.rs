//! Recorded tables and cells from the values of a document.

use crate::mindspore_tables::quantity::{Quantity, settle_units, written};
use stepscope_parse::Tree;
use stepscope_trace::{Cell, RecordedColumn, RecordedTable, TraceBuilder};

/// Adds a table with a row per object, whose columns are the objects' members; nested lists and objects are written
/// as text.
pub(super) fn table_of_objects<'a>(
    id: &'static str,
    builder: &mut TraceBuilder,
    objects: impl IntoIterator<Item = &'a Tree>,
    quantity: impl Fn(&str) -> Quantity,
) {
    let objects: Vec<&Tree> = objects.into_iter().filter(|object| !object.members().is_empty()).collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in objects.iter().flat_map(|object| object.members()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let columns: Vec<(&str, Quantity)> = names.iter().map(|name| (*name, quantity(name))).collect();
    let rows = objects.iter().map(|object| columns.iter().map(|(name, in_)| in_.cell_of(object.get(name))).collect());
    add_table(id, builder, &columns, rows.collect());
}

/// Adds a table if it has rows.
pub(super) fn add_table(
    id: &'static str,
    builder: &mut TraceBuilder,
    columns: &[(&str, Quantity)],
    rows: Vec<Vec<Cell>>,
) {
    if rows.is_empty() {
        return;
    }
    let columns = columns.iter().map(|(name, in_)| RecordedColumn { name: (*name).to_owned(), unit: in_.unit() });
    let mut table = RecordedTable { id, file: builder.input_name().to_owned(), columns: columns.collect(), rows };
    settle_units(&mut table);
    builder.table(table);
}

/// A text's cell.
pub(super) fn text(text: &str) -> Cell {
    Quantity::Text.cell(text)
}

/// The cell for a value, as text for users.
pub(super) fn words(tree: Option<&Tree>) -> Cell {
    tree.map_or(Cell::Empty, |tree| text(&written(tree)))
}
