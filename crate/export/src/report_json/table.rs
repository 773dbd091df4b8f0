//! Tables as lists of objects: a key for each column, an object for keys with dots. `KEY_coverage` follows a value
//! that is known for a part of the time.

use std::borrow::Cow;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::slice;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value as Json, json};

use stepscope_table::messages::{heading, meaning};
use stepscope_table::{Column, Description, Rows, Table, Unit, Value};

/// The rows of a table.
#[derive(Clone, Debug)]
pub(super) struct TableRows(Arc<Table>);

thread_local! {
    /// The tables whose rows are passed by columns, while such a report is written.
    static APART: RefCell<Option<Vec<Arc<Table>>>> = const { RefCell::new(None) };
}

/// Writes reports without the rows of tables that may be passed by columns, and returns these tables.
pub(super) fn apart<T>(write: impl FnOnce() -> T) -> (T, Vec<Arc<Table>>) {
    APART.set(Some(Vec::new()));
    let written = write();
    (written, APART.take().unwrap_or_default())
}

impl TableRows {
    pub(super) fn of(table: Table) -> Self {
        Self(Arc::new(table))
    }

    pub(super) fn id(&self) -> &'static str {
        self.0.id
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Passes the rows by columns if the report is written by [`apart`]; returns whether it did: the JSON then has no
    /// key for them.
    pub(super) fn hand_over(&self) -> bool {
        APART.with_borrow_mut(|tables| tables.as_mut().map(|tables| tables.push(Arc::clone(&self.0)))).is_some()
    }
}

impl Serialize for TableRows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.0.len()).map(|row| TableRow(&self.0, row)))
    }
}

/// A row of a kind of table, to which a report adds more.
#[derive(Clone, Debug)]
pub(super) struct RowOf<T> {
    table: Arc<Table>,
    row: usize,
    kind: PhantomData<T>,
}

impl<T: Rows> RowOf<T> {
    /// All rows.
    pub(super) fn all(rows: &[T::Row], context: &T::Context<'_>) -> impl Iterator<Item = Self> + use<T> {
        let table = Arc::new(Table::of::<T>(rows, context));
        (0..table.len()).map(move |row| Self { table: Arc::clone(&table), row, kind: PhantomData })
    }

    /// A row alone.
    pub(super) fn one(row: &T::Row, context: &T::Context<'_>) -> Self {
        Self { table: Arc::new(Table::of::<T>(slice::from_ref(row), context)), row: 0, kind: PhantomData }
    }
}

impl<T> Serialize for RowOf<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TableRow(&self.table, self.row).serialize(serializer)
    }
}

impl<T: Rows> JsonSchema for RowOf<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        row_name(T::ID).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let object = object_of(T::ID, &Description::of::<T>().columns, 0);
        object.try_into().unwrap_or_default()
    }
}

/// One row of a table.
struct TableRow<'a>(&'a Table, usize);

impl Serialize for TableRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values: Vec<_> = self.0.row(self.1).collect();
        Object { values: &values, depth: 0 }.serialize(serializer)
    }
}

/// Values of a row whose keys begin with the same `depth` characters.
struct Object<'a> {
    values: &'a [(&'static Column, Value<'a>)],
    depth: usize,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        let part = |column: &Column| &column.key[self.depth..];
        let inner = |column: &Column| part(column).split_once('.').map(|(outer, _)| outer);
        for values in self.values.chunk_by(|(a, _), (b, _)| inner(a).is_some() && inner(a) == inner(b)) {
            let [(column, value), ..] = values else { continue };
            if let Some(outer) = inner(column) {
                // No value is known: JSON has no object.
                if values.iter().any(|(_, value)| *value != Value::Unknown) {
                    object.serialize_entry(outer, &Object { values, depth: self.depth + outer.len() + 1 })?;
                } else if column.is_null {
                    object.serialize_entry(outer, &())?;
                }
                continue;
            }
            if column.is_omitted && value.is_nothing() {
                continue;
            }
            object.serialize_entry(part(column), value)?;
            if column.is_covered {
                let coverage = if let Value::Covered(_, coverage) = value { Some(*coverage) } else { None };
                object.serialize_entry(&[part(column), "_coverage"].concat(), &coverage)?;
            }
        }
        object.end()
    }
}

/// The schema of the rows of a kind of table.
pub(super) fn rows_of<T: Rows>(generator: &mut SchemaGenerator) -> Schema {
    schema_of(&Description::of::<T>(), generator)
}

/// The schema of the rows that a description is of. A row has a type of its own, named after its table.
pub(super) fn schema_of(table: &Description, generator: &mut SchemaGenerator) -> Schema {
    let name = row_name(table.id);
    generator.definitions_mut().insert(name.clone(), object_of(table.id, &table.columns, 0));
    json_schema!({"type": "array", "items": {"$ref": format!("#/definitions/{name}")}})
}

/// The name of a row's type: `LaunchesNamesRow` of `launches.names`.
fn row_name(table: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    table.split(['.', '_', '[', ']']).filter(|word| !word.is_empty()).map(capital).collect::<String>() + "Row"
}

/// The schema of an [`Object`].
fn object_of(table: &str, columns: &[&Column], depth: usize) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let part = |column: &Column| &column.key[depth..];
    let inner = |column: &Column| part(column).split_once('.').map(|(outer, _)| outer);
    for columns in columns.chunk_by(|a, b| inner(a).is_some() && inner(a) == inner(b)) {
        let [column, ..] = columns else { continue };
        if let Some(outer) = inner(column) {
            let mut object = object_of(table, columns, depth + outer.len() + 1);
            if column.is_null {
                object = json!({"anyOf": [object, {"type": "null"}]});
                required.push(outer.to_owned());
            }
            // An object is left out if no value is known.
            required.extend(columns.iter().any(|column| column.is_known).then(|| outer.to_owned()));
            properties.insert(outer.to_owned(), object);
            continue;
        }
        if !column.is_omitted {
            required.push(part(column).to_owned());
        }
        properties.insert(part(column).to_owned(), value_of(table, column));
        if column.is_covered {
            let coverage = [part(column), "_coverage"].concat();
            let text = "The share of the time that the value is known for.";
            properties.insert(coverage.clone(), json!({"type": ["number", "null"], "description": text}));
            required.extend((!column.is_omitted).then_some(coverage));
        }
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// The schema of a column's values.
fn value_of(table: &str, column: &Column) -> Json {
    let (heading, meaning) = (heading(table, column), meaning(table, column));
    let mut schema = match column.unit {
        Unit::Text | Unit::KernelName | Unit::Word(_) => json!({"type": "string"}),
        Unit::Flag => json!({"type": "boolean"}),
        Unit::Lines => json!({"type": "array", "items": {"type": "string"}}),
        Unit::Ids => json!({"type": "array", "items": {"type": "integer"}}),
        Unit::Extent => json!({"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3}),
        Unit::Duration | Unit::DurationChange | Unit::Moment | Unit::Id | Unit::SignedBytes => {
            json!({"type": "integer"})
        }
        _ => json!({"type": "number"}),
    };
    // A key that may be left out is never null.
    if !column.is_known && !column.is_omitted {
        schema["type"] = json!([schema["type"], "null"]);
    }
    // A column that only data has may have no message.
    let words = [heading, meaning].into_iter().filter(|words| !words.is_empty() && *words != column.last_key());
    let description = words.collect::<Vec<_>>().join(": ");
    if !description.is_empty() {
        schema["description"] = description.into();
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_table::{Field, Rows, Unit};

    enum Nested {}

    impl Rows for Nested {
        const ID: &'static str = "nested";
        const FIELDS: &'static [Field<Self>] = &[
            Field::<Self>::new("name", Unit::Text, |row, ()| row.0.into()),
            Field::<Self>::new("of.share", Unit::Share, |row, ()| row.1.into()),
            Field::<Self>::new("of.more.size", Unit::Extent, |row, ()| {
                row.1.map_or(Value::Unknown, |_| Value::Extent([1, 2, 3]))
            }),
            Field::<Self>::new("rate", Unit::Share, |row, ()| row.1.into()).omitted(),
            Field::<Self>::new("by.id", Unit::Id, |row, ()| row.1.map_or(Value::Unknown, |_| Value::id(7))).or_null(),
            Field::<Self>::new("by.name", Unit::Text, |row, ()| row.1.map(|_| "").into()),
        ];
        const SORT: &'static str = "name";
        type Row = (&'static str, Option<f64>);
        type Context<'a> = ();
    }

    enum Counted {}

    impl Rows for Counted {
        const ID: &'static str = "counted";
        const FIELDS: &'static [Field<Self>] =
            &[Field::<Self>::new("flops", Unit::Flops, |row, ()| Value::Covered(row.0.into(), 0.5)).covered()];
        const SORT: &'static str = "flops";
        type Row = (u64,);
        type Context<'a> = ();
    }

    #[test]
    fn a_count_keeps_its_digits_whatever_is_known_of_it() {
        let rows = TableRows::of(Table::of::<Counted>(&[(u64::MAX,)], &()));
        let expected = r#"[{"flops":18446744073709551615,"flops_coverage":0.5}]"#;
        assert_eq!(serde_json::to_string(&rows).expect("JSON"), expected);
    }

    #[test]
    fn a_row_is_named_after_its_table() {
        assert_eq!(
            ["collectives", "kernel_use.kernels", "memory.places[].operators"].map(row_name),
            ["CollectivesRow", "KernelUseKernelsRow", "MemoryPlacesOperatorsRow"]
        );
    }

    #[test]
    fn keys_with_dots_are_objects_that_are_left_out_or_null_where_nothing_is_known() {
        let rows = TableRows::of(Table::of::<Nested>(&[("a", Some(0.5)), ("b", None)], &()));
        let expected = r#"[{"name":"a","of":{"share":0.5,"more":{"size":[1,2,3]}},"rate":0.5,"by":{"id":7,"name":""}},{"name":"b","by":null}]"#;
        assert_eq!(serde_json::to_string(&rows).expect("JSON"), expected);
    }
}
