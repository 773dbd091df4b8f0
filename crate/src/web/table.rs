//! Tables, for the page: their descriptions, and their rows as typed arrays.

use js_sys::{Array, BigInt64Array, Float64Array, Object, Reflect, Uint8Array, Uint32Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::wire::{TableColumnReport, TableReport};
use stepscope_analyze::described_tables;
use stepscope_export::report_json::Answer;
use stepscope_present::cells::number_cell;
use stepscope_present::kernel_names::short_names;
use stepscope_table::{Bar, Column, Packed, Show, Table, Unit, View};

impl TableColumnReport {
    fn of(column: &Column) -> Self {
        Self {
            key: column.key,
            unit: column.unit.name(),
            words: if let Unit::Word(prefix) = column.unit { Some(prefix) } else { None },
            unit_key: if let Unit::Measure(key) = column.unit { Some(key) } else { None },
            is_number: column.unit.is_number(),
            is_covered: column.is_covered,
            show: match column.show {
                Show::Always => "always",
                Show::Seldom => "seldom",
                Show::Wide => "wide",
                Show::Name => "name",
                Show::Data => "data",
            },
            bar: match column.bar {
                Bar::None | Bar::PartOf(_) => None,
                Bar::OfLargest => Some(""),
                Bar::Share(key) => Some(key),
            },
            part_of: if let Bar::PartOf(key) = column.bar { Some(key) } else { None },
            is_part: column.is_part,
            is_of_device: column.is_of_device,
            is_event: column.is_event,
            with: column.with,
            order: column.order,
            is_ranked: column.is_ranked,
        }
    }
}

/// The descriptions of all tables.
///
/// # Errors
///
/// If they cannot be converted.
#[wasm_bindgen]
pub fn describe_tables() -> Result<JsValue, JsValue> {
    let report = |table: stepscope_table::Description| TableReport {
        id: table.id,
        sort: table.sort,
        is_ascending: table.is_ascending,
        span: table.span,
        view: table.view.map(View::name),
        columns: table.columns.iter().map(|column| TableColumnReport::of(column)).collect(),
        shown: table
            .in_order()
            .iter()
            .filter(|column| matches!(column.show, Show::Always | Show::Seldom | Show::Wide))
            .map(|column| column.key)
            .collect(),
    };
    let tables: Vec<TableReport> = described_tables().into_iter().map(report).collect();
    Ok(serde_wasm_bindgen::to_value(&tables)?)
}

/// A number in a unit, by the unit's name; see [`number_cell`].
#[wasm_bindgen]
#[must_use]
pub fn number_text(unit: &str, value: f64) -> String {
    number_cell(Unit::named(unit).unwrap_or(Unit::Number), value)
}

/// The short names of kernels, in their order; see [`short_names`].
#[wasm_bindgen]
#[must_use]
pub fn kernel_names(names: Vec<String>) -> Vec<String> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    short_names(&names).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// A report as an object: `json` as bytes, and `tables`, each `{id, rows, columns}`.
pub(super) fn answer_to_js(answer: &Answer) -> Result<JsValue, JsValue> {
    let tables = Array::new();
    for table in &answer.tables {
        tables.push(&table_to_js(table)?);
    }
    object(&[("json", Uint8Array::from(answer.json.as_slice()).into()), ("tables", tables.into())])
}

fn object(entries: &[(&str, JsValue)]) -> Result<JsValue, JsValue> {
    let object = Object::new();
    for (key, value) in entries {
        Reflect::set(&object, &JsValue::from_str(key), value)?;
    }
    Ok(object.into())
}

/// The rows of a table: for each column the `values`, the `names` that these index, and the `coverage`.
fn table_to_js(table: &Table) -> Result<JsValue, JsValue> {
    let columns = Array::new();
    for (_, values) in table.columns() {
        let (packed, coverage) = match values.packed() {
            Packed::Covered(numbers, known_for) => (*numbers, Float64Array::from(known_for.as_slice()).into()),
            packed => (packed, JsValue::NULL),
        };
        let mut names = JsValue::NULL;
        let values: JsValue = match packed {
            Packed::Names(texts, rows) => {
                names = texts.iter().map(|text| JsValue::from_str(text)).collect::<Array>().into();
                Uint32Array::from(rows.as_slice()).into()
            }
            Packed::Numbers(numbers) => Float64Array::from(numbers.as_slice()).into(),
            Packed::Whole(numbers) => BigInt64Array::from(numbers.as_slice()).into(),
            Packed::Covered(..) => JsValue::NULL,
        };
        columns.push(&object(&[("values", values), ("names", names), ("coverage", coverage)])?);
    }
    #[expect(clippy::cast_precision_loss, reason = "a number of rows")]
    let rows = JsValue::from_f64(table.len() as f64);
    object(&[("id", JsValue::from_str(table.id)), ("rows", rows), ("columns", columns.into())])
}
