//! The tables of the summary, as `contents` lists them.

use serde_json::Value;

use super::cells::{self, NONE, cell, heading};
use super::contents::{OF_INPUTS, OF_JOB, OF_RANK, Table};
use super::html::Html;
use stepscope_analyze::described_tables;
use stepscope_present::UnitNames;
use stepscope_present::text::count;
use stepscope_table::{Column, Show};

/// Columns of a recorded table that are shown.
const MOST_COLUMNS: usize = 24;

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
    let key = key.split(':').next().unwrap_or(key);
    match key.strip_prefix('^') {
        Some(key) => at(around, key),
        None => at(row, key.trim_start_matches('@')),
    }
}

/// Which tables of a rank have rows.
pub(super) fn count_of_rank(rank: &Value) -> usize {
    OF_RANK.iter().filter(|(_, path, _)| !rows(rank, path).is_empty()).count()
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
    for table in OF_INPUTS {
        write(html, summary, table, top);
    }
}

fn write(html: &mut Html, root: &Value, (title, path, keys): Table, top: usize) {
    let rows = rows(root, path);
    let Some((first, _)) = rows.first() else { return };
    let units = UnitNames::named(root["vendor"].as_str().unwrap_or_default());
    if let Some(described) = described_tables().into_iter().find(|table| table.id == path) {
        let has = |column: &&Column| rows.iter().any(|(row, _)| !at(row, column.key).is_null());
        let shown = described.in_order().into_iter().filter(|one| !matches!(one.show, Show::Data | Show::Name));
        let columns: Vec<&Column> = shown.filter(has).collect();
        let heads = columns.iter().map(|column| stepscope_present::cells::heading(path, column, units));
        let cells = rows.iter().take(top).map(|(row, _)| {
            let parts = described.columns.iter().filter(|column| column.show == Show::Name);
            let cell = |column: &&Column| {
                let text = cells::described(path, column, row, units);
                let parts = parts.clone().filter(|_| column.key == "name");
                let parts = parts.map(|part| (part.unit, cells::value_of(part, row)));
                (stepscope_present::cells::name_of(text, parts, units), column.unit.is_number())
            };
            columns.iter().map(cell).collect()
        });
        grid(html, (title, false), heads, cells, rows.len());
        return;
    }
    let all: Vec<String> = if keys.is_empty() {
        // Whatever its rows have.
        first.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect()
    } else {
        keys.split_whitespace().map(str::to_owned).collect()
    };
    // A column in which no row has anything says nothing.
    let has = |key: &String| rows.iter().any(|row| !matches!(&*cell(key, of_row(*row, key)), NONE | ""));
    let shown = |row: &Row<'_>, key: &str, value: &Value| match row.0["unit"].as_str() {
        Some(unit) if key.starts_with('@') => cells::in_unit(value, unit),
        _ => cells::covered(key.split(':').next().unwrap_or(key), value, row.0),
    };
    let keys: Vec<&String> = all.iter().filter(|key| has(key)).collect();
    let heads = keys.iter().map(|key| match key.split_once(':') {
        Some((_, said)) => heading(said),
        None => heading(key.trim_start_matches(['^', '@'])),
    });
    let cells = rows.iter().take(top).map(|row| {
        keys.iter().map(|key| {
            let value = of_row(*row, key);
            (shown(row, key, value), value.is_number())
        })
    });
    grid(html, (title, false), heads, cells.map(Iterator::collect), rows.len());
}

/// A table that the profiler wrote, with its own columns, as far as they fit a page.
fn recorded(html: &mut Html, table: &Value, top: usize) {
    let all = list(&table["columns"]);
    let columns = &all[..all.len().min(MOST_COLUMNS)];
    let units: Vec<String> = columns.iter().map(|column| cells::text(&column["unit"])).collect();
    let heads = columns.iter().map(|column| cells::text(&column["name"]).replace('_', " "));
    let rows = list(&table["rows"]);
    let cells = rows.iter().take(top).map(|row| {
        let cells = list(row).iter().zip(&units);
        cells.map(|(value, unit)| (cells::in_unit(value, unit), value.is_number())).collect()
    });
    let more = all.len() - columns.len();
    let more = if more > 0 { format!(" ({} more columns are not shown)", count(more as u64)) } else { String::new() };
    let title = format!("As recorded: {}{more}", cells::text(&table["id"]).replace('_', " "));
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
