//! `stepscope summary -o`: described tables with all their columns, as CSV. A file has one table, a folder a file for each.

use std::fs;
use std::io::Write;
use std::iter;
use std::path::Path;

use serde_json::Value;
use stepscope::analyze::described_tables;
use stepscope::present::csv::csv;
use stepscope::present::text::counted;
use stepscope::table::{Column, Description, Unit};

use crate::args::Table;
use crate::json_part::has_key;
use crate::output::print;
use crate::result::Result;
use crate::written::{beside_first, is_standard};

/// Where tables are written.
#[derive(Debug)]
pub(crate) enum CsvOutput<'a> {
    /// A table to a file, or to standard output.
    File(&'a Path, Description),
    /// All tables that have rows to a folder.
    Folder(&'a Path),
}

impl<'a> CsvOutput<'a> {
    /// The output that `--output` names; fails if it is neither, before anything is read.
    pub(crate) fn of(path: &'a Path, by: Option<Table>) -> Result<Self> {
        if is_standard(path) || path.extension().is_some_and(|ending| ending == "csv") {
            return Ok(Self::File(path, only(by)?));
        }
        let name = path.display();
        if path.is_dir() {
            // Tables of another trace would be taken for those of this one.
            let is_empty = fs::read_dir(path).is_ok_and(|mut inside| inside.next().is_none());
            return if is_empty { Ok(Self::Folder(path)) } else { Err(format!("{name}: the folder is not empty")) };
        }
        match path.extension() {
            None if path.exists() => Err(format!("{name}: it is there, and is no folder")),
            None => Ok(Self::Folder(path)),
            Some(_) => Err(format!("{name}: the name of a CSV file ends in .csv, that of a new folder has no dot")),
        }
    }
}

/// Writes tables of a summary. A row of a rank's table begins with the rank and its file.
pub(crate) fn write(summary: &Value, output: &CsvOutput<'_>) -> Result {
    let folder = match output {
        CsvOutput::File(path, table) => return to_file(&rows_of(summary, table), path),
        CsvOutput::Folder(path) => path,
    };
    let mut written = String::new();
    for table in described_tables() {
        let rows = rows_of(summary, &table);
        // The first one has the keys.
        let count = rows.len().saturating_sub(1);
        if count == 0 {
            continue;
        }
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let file = folder.join(table.id.replace("[]", "") + ".csv");
        to_file(&rows, &file)?;
        written.push_str(&format!("{}: {}\n", file.display(), counted(count as u64, "row", "rows")));
    }
    if written.is_empty() {
        return Err("there is no table with rows in it".to_owned());
    }
    print(written.as_bytes())
}

fn to_file(rows: &[Vec<String>], path: &Path) -> Result {
    beside_first(path, |file| file.write_all(&csv(rows)))
}

/// The table of a file: the one called as the part that `--by` names, or its only one.
fn only(by: Option<Table>) -> Result<Description> {
    let Some(part) = by.filter(|part| *part != Table::All) else {
        return Err("--output FILE.csv writes the table that --by names; --output FOLDER writes all tables".to_owned());
    };
    let mut of_part: Vec<Description> =
        described_tables().into_iter().filter(|table| has_key(part, first_key(table.id))).collect();
    let ids: Vec<String> = of_part.iter().map(|table| table.id.replace("[]", "")).collect();
    // Operators with a formula are beside the kernels.
    let own = if part == Table::KernelUse { "kernel_use.kernels".to_owned() } else { part.id() };
    let place = if let [_] = &ids[..] { Some(0) } else { ids.iter().position(|id| *id == own) };
    match place {
        Some(place) => Ok(of_part.swap_remove(place)),
        None if ids.is_empty() => Err(format!("--by {} has no table for a CSV file", part.name())),
        None => {
            Err(format!("--by {} has several tables, which --output FOLDER writes: {}", part.name(), ids.join(", ")))
        }
    }
}

/// The key of a report that contains a table.
fn first_key(id: &str) -> &str {
    id.split(['.', '[']).next().unwrap_or(id)
}

/// Columns of a rank's table beside its own ones, as in data frames. A row's own value comes first.
const OF_RANK: [&str; 2] = ["input", "rank"];

/// The rows of a table in a summary, after its keys: of all ranks, or of the job.
fn rows_of(summary: &Value, table: &Description) -> Vec<Vec<String>> {
    let ranks = summary.get("ranks").and_then(Value::as_array);
    let ranks = ranks.filter(|_| summary.get(first_key(table.id)).is_none());
    let beside = if ranks.is_some() { &OF_RANK[..] } else { &[] };
    let columns: Vec<&Column> = table.columns.iter().copied().filter(|column| !beside.contains(&column.key)).collect();
    // The place in each list around the rows.
    let places = table.id.match_indices("[].").map(|(end, _)| table.id[..end].replace("[]", "") + "_row");
    let keys = columns.iter().flat_map(|column| {
        let coverage = column.is_covered.then(|| [column.key, "_coverage"].concat());
        iter::once(column.key.to_owned()).chain(coverage)
    });
    let head: Vec<String> = beside.iter().map(|key| (*key).to_owned()).chain(places).chain(keys).collect();
    let mut rows = vec![head];
    let mut add = |found: &Value| {
        each_row(found, table.id, &mut Vec::new(), &mut |row, places| {
            let whose = beside.iter().map(|key| plain(row.get(key).or_else(|| found.get(key)), Unit::Text));
            let cells = columns.iter().flat_map(|column| {
                let coverage = column.is_covered.then(|| plain(at(row, column, "_coverage"), Unit::Share));
                iter::once(plain(at(row, column, ""), column.unit)).chain(coverage)
            });
            rows.push(whose.chain(places.iter().map(usize::to_string)).chain(cells).collect());
        });
    };
    match ranks {
        Some(ranks) => ranks.iter().for_each(add),
        None => add(summary),
    }
    rows
}

/// Calls `each` for the rows at a path, as of [`Description::id`], with the place in each list around them.
fn each_row(value: &Value, path: &str, places: &mut Vec<usize>, each: &mut impl FnMut(&Value, &[usize])) {
    let (key, rest) = path.split_once('.').unwrap_or((path, ""));
    let Some(found) = value.get(key.trim_end_matches("[]")) else { return };
    let items = found.as_array().map(Vec::as_slice).unwrap_or_default();
    if rest.is_empty() {
        items.iter().for_each(|row| each(row, places));
    } else if key.ends_with("[]") {
        for (place, item) in items.iter().enumerate() {
            places.push(place);
            each_row(item, rest, places, each);
            places.pop();
        }
    } else {
        each_row(found, rest, places, each);
    }
}

/// A column's value in a row; a key with dots is one of an object in an object.
fn at<'a>(row: &'a Value, column: &Column, ending: &str) -> Option<&'a Value> {
    [column.key, ending].concat().split('.').try_fold(row, |object, key| object.get(key))
}

/// A value as text; none is empty.
fn plain(value: Option<&Value>, unit: Unit) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => match number.as_f64() {
            // Without the `.0` of a whole one.
            Some(real) if number.is_f64() => real.to_string(),
            _ => number.to_string(),
        },
        Some(Value::Array(items)) => {
            let between = match unit {
                Unit::Extent => ",",
                Unit::Ids => " ",
                _ => "\n",
            };
            items.iter().map(|item| plain(Some(item), Unit::Text)).collect::<Vec<_>>().join(between)
        }
        Some(other) => other.to_string(),
    }
}
