//! The tables of the summary, as listed in `contents`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use super::cells::{self, Described, NONE, cell, heading};
use super::contents::{OF_RANK, Section, TITLED, Table};
use super::html::Html;
use super::texts::Texts;
use crate::path::{at, list};
use stepscope_analyze::described_tables;
use stepscope_present::kernel_names::short_names;
use stepscope_present::text::count;
use stepscope_table::messages::title_key;
use stepscope_table::{Column, Show, Unit};

/// The number of columns of a recorded table that are shown.
const MOST_COLUMNS: usize = 24;

/// The number of rows of an open table that are printed, as in the style sheet.
const PRINTED: usize = 32;

/// A table with more columns has a smaller font on paper.
const WIDE: usize = 12;

/// A row, and the item around its list.
type Row<'a> = (&'a Value, &'a Value);

/// The rows at a path. The use of the devices by kernels has all columns of the kernels, which stand alone without it.
fn rows<'a>(root: &'a Value, path: &str) -> Vec<Row<'a>> {
    if path == "kernels" && !list(at(root, "kernel_use.kernels")).is_empty() {
        return Vec::new();
    }
    match path.split_once("[].") {
        Some((outer, inner)) => {
            let items = list(at(root, outer)).iter();
            items.flat_map(|item| list(at(item, inner)).iter().map(move |row| (row, item))).collect()
        }
        None => list(at(root, path)).iter().map(|row| (row, root)).collect(),
    }
}

fn of_row<'a>((row, around): Row<'a>, key: &str) -> &'a Value {
    let key = key.split(':').next().unwrap_or(key);
    match key.strip_prefix('^') {
        Some(key) => at(around, key),
        None => at(row, key),
    }
}

/// The head of a column: of its key, or the part after a `:`.
fn head_of(key: &str, texts: &Texts) -> String {
    heading(key.split_once(':').map_or(key.trim_start_matches('^'), |(_, own)| own), texts)
}

/// The number of a rank's tables with rows.
pub(super) fn count_of_rank(rank: &Value) -> usize {
    let all = OF_RANK.iter().flat_map(Section::tables);
    all.filter(|(_, path, _)| !rows(rank, path).is_empty()).count()
}

/// Whether a section has a table with rows, or one that the profiler wrote.
pub(super) fn has_rows(section: &Section, root: &Value) -> bool {
    section.tables().any(|(_, path, _)| !rows(root, path).is_empty()) || has_recorded(section, root)
}

fn has_recorded(section: &Section, root: &Value) -> bool {
    section.name == "report.section.recorded" && !list(&root["recorded"]).is_empty()
}

/// The tables of a section, under a heading of the given level.
pub(super) fn section(
    html: &mut Html,
    (section, id, heading): (&Section, &str, &str),
    root: &Value,
    top: usize,
    texts: &Texts,
) {
    html.open_at("section", "part", id);
    html.element(heading, "", &texts.word(section.name));
    for table in section.tables() {
        write(html, root, table, (id, top), texts);
    }
    if has_recorded(section, root) {
        for (place, table) in list(&root["recorded"]).iter().enumerate() {
            recorded(html, table, (&format!("{id}-{place}"), top), texts);
        }
    }
    html.close("section");
}

fn write(html: &mut Html, root: &Value, (title, path, keys): Table, (id, top): (&str, usize), texts: &Texts) {
    let rows = rows(root, path);
    let Some((first, _)) = rows.first() else { return };
    let (name, title) = match title {
        TITLED => (path, texts.say("report.table.whole", &[("title", &texts.word(&title_key(path)))])),
        part => (
            part,
            texts.find(&["report.table.", part].concat()).map_or_else(|| texts.word(&title_key(path)), str::to_owned),
        ),
    };
    let id = format!("{id}-{}", name.replace(['_', '.'], "-"));
    let table = Grid { title: &title, is_open: false, id: &id, all: rows.len() };
    // Another table of described rows may have other columns.
    let is_described = keys.split_whitespace().all(|key| key.starts_with(['^', '+']));
    if let Some(found) = described_tables().into_iter().find(|table| is_described && table.id == path) {
        let vendor = root["vendor"].as_str().unwrap_or_default();
        let described = Described { table: path, vendor, texts };
        let has = |column: &Column| {
            let is_zero = |value: &Value| column.show == Show::Seldom && value.as_f64() == Some(0.0);
            let has_any = |value: &Value| !matches!(value.as_str(), Some("")) && !value.is_null() && !is_zero(value);
            rows.iter().any(|(row, _)| has_any(at(row, column.key)))
        };
        let shown = found.in_order().into_iter().filter(|one| !matches!(one.show, Show::Data | Show::Name));
        let columns: Vec<&Column> =
            shown.enumerate().filter(|(place, column)| *place == 0 || has(column)).map(|(_, column)| column).collect();
        // Columns of the items around the rows' lists follow the first one.
        let (around, more): (Vec<&str>, Vec<&str>) = keys.split_whitespace().partition(|key| key.starts_with('^'));
        // Columns that no description has stand at the end.
        let has_any = |key: &&str| rows.iter().any(|(row, _)| !matches!(&*cell(key, at(row, key), texts), NONE | ""));
        let more: Vec<&str> = more.iter().map(|key| key.trim_start_matches('+')).filter(has_any).collect();
        let mut heads: Vec<String> = columns.iter().map(|column| described.heading(column)).collect();
        heads.splice(1..1, around.iter().map(|key| head_of(key, texts)));
        heads.extend(more.iter().map(|key| heading(key, texts)));
        let kernel = |column: &&Column, row: &Row<'_>| match column.unit {
            Unit::KernelName => at(row.0, column.key).as_str().map(str::to_owned),
            _ => None,
        };
        let kernels: Vec<String> =
            rows.iter().flat_map(|row| columns.iter().filter_map(|column| kernel(column, row))).collect();
        let names: Vec<&str> = kernels.iter().map(String::as_str).collect();
        let short: BTreeMap<&str, Cow<'_, str>> = names.iter().copied().zip(short_names(&names)).collect();
        let cells = rows.iter().take(top).map(|row| {
            let around = around.iter().map(|key| {
                let value = of_row(*row, key);
                (cell(key.split(':').next().unwrap_or(key), value, texts), value.is_number())
            });
            let (kernel, row) = (|column: &&Column| kernel(column, row), row.0);
            let own = |column: &&Column| {
                let short = kernel(column).and_then(|name| short.get(name.as_str()).map(|name| cells::clipped(name)));
                let text = short.unwrap_or_else(|| described.cell(column, row));
                let text = if column.key == "name" { described.name(text, &found.columns, row) } else { text };
                (text, column.unit.is_number())
            };
            let mut cells: Vec<(String, bool)> = columns.iter().map(own).collect();
            cells.splice(1..1, around);
            cells.extend(more.iter().map(|key| (cell(key, at(row, key), texts), false)));
            cells
        });
        grid(html, &table, heads.into_iter(), cells, texts);
        return;
    }
    let all: Vec<String> = if keys.is_empty() {
        // All keys of its rows.
        first.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect()
    } else {
        keys.split_whitespace().map(str::to_owned).collect()
    };
    // Columns without any value are left out.
    let has = |key: &String| rows.iter().any(|row| !matches!(&*cell(key, of_row(*row, key), texts), NONE | ""));
    let keys: Vec<&String> = all.iter().filter(|key| has(key)).collect();
    let heads = keys.iter().map(|key| head_of(key, texts));
    let cells = rows.iter().take(top).map(|row| {
        keys.iter().map(|key| {
            let value = of_row(*row, key);
            (cells::covered(key.split(':').next().unwrap_or(key), value, row.0, texts), value.is_number())
        })
    });
    grid(html, &table, heads, cells.map(Iterator::collect), texts);
}

/// A table that the profiler wrote, with its own columns, as far as they fit on a page.
fn recorded(html: &mut Html, table: &Value, (id, top): (&str, usize), texts: &Texts) {
    let all = list(&table["columns"]);
    let columns = &all[..all.len().min(MOST_COLUMNS)];
    let units: Vec<String> = columns.iter().map(|column| cells::text(&column["unit"])).collect();
    let heads = columns.iter().map(|column| cells::text(&column["name"]).replace('_', " "));
    let rows = list(&table["rows"]);
    let cells = rows.iter().take(top).map(|row| {
        let cells = list(row).iter().zip(&units);
        cells.map(|(value, unit)| (cells::in_unit(value, unit, texts), value.is_number())).collect()
    });
    let name = cells::text(&table["id"]);
    let title = texts.find(&["recorded.", &name].concat()).map_or_else(|| name.replace('_', " "), str::to_owned);
    let more = all.len() - columns.len();
    let title = if more > 0 {
        texts.say("report.columns.more", &[("title", &title), ("count", &count(more as u64))])
    } else {
        title
    };
    grid(html, &Grid { title: &title, is_open: false, id, all: rows.len() }, heads, cells, texts);
}

/// The most letters of a word that is not broken in print.
const LONG_WORD: usize = 16;

/// A table's title and display.
pub(super) struct Grid<'a> {
    /// Its title.
    pub title: &'a str,
    /// Whether it is open initially.
    pub is_open: bool,
    /// Its anchor for links: inside, so that browsers open the table.
    pub id: &'a str,
    /// The number of all rows.
    pub all: usize,
}

/// A table.
pub(super) fn grid(
    html: &mut Html,
    Grid { title, is_open, id, all }: &Grid<'_>,
    heads: impl Iterator<Item = String>,
    rows: impl Iterator<Item = Vec<(String, bool)>>,
    texts: &Texts,
) {
    let heads: Vec<String> = heads.collect();
    let class = if heads.len() > WIDE { "table wide" } else { "table" };
    html.raw(&format!("<details class=\"{class}\"{}>", if *is_open { " open" } else { "" }));
    html.open("summary", "");
    html.text(title);
    html.element("span", "count", &count(*all as u64));
    html.raw("</summary>");
    html.raw(&format!("<div class=\"scroll\" id=\"{id}\" tabindex=\"0\"><table><thead><tr>"));
    heads.iter().for_each(|head| html.element("th", "", head));
    html.raw("</tr></thead><tbody>\n");
    let mut shown = 0;
    for row in rows {
        html.raw("<tr>");
        for (text, is_number) in row {
            let is_long = || text.split_whitespace().any(|word| word.chars().count() > LONG_WORD);
            html.element(
                "td",
                if is_number {
                    "n"
                } else if is_long() {
                    "long"
                } else {
                    ""
                },
                &text,
            );
        }
        html.raw("</tr>\n");
        shown += 1;
    }
    html.raw("</tbody></table></div>");
    if *is_open && shown > PRINTED {
        let printed = texts.say("report.print.rows", &[("count", &count(PRINTED as u64))]);
        html.element("p", "print-only hint", &printed);
    }
    if shown < *all {
        html.element("p", "hint", &texts.say("report.more", &[("count", &count((all - shown) as u64))]));
    }
    html.close("details");
}
