//! Tables as lists of objects: a key for each column, `KEY_coverage` beside what is known for a part of the time.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::table::{Count, Table, Value};

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Whole(count) => serializer.serialize_u64(*count),
            Self::Mean(mean) => serializer.serialize_f64(*mean),
        }
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unknown => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Word(word) => serializer.serialize_str(word),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Count(count) => count.serialize(serializer),
            Self::Whole(whole) => serializer.serialize_i64(*whole),
            Self::Real(real) | Self::Covered(real, _) => serializer.serialize_f64(*real),
        }
    }
}

/// The rows of a table.
#[derive(Debug)]
pub(super) struct TableRows(pub(super) Table);

impl Serialize for TableRows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.0.len()))?;
        for row in 0..self.0.len() {
            rows.serialize_element(&TableRow(&self.0, row))?;
        }
        rows.end()
    }
}

/// One row of a table.
pub(super) struct TableRow<'a>(pub(super) &'a Table, pub(super) usize);

impl Serialize for TableRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for (column, value) in self.0.row(self.1) {
            object.serialize_entry(column.key, &value)?;
            if column.is_covered {
                let coverage = if let Value::Covered(_, coverage) = value { Some(coverage) } else { None };
                object.serialize_entry(&[column.key, "_coverage"].concat(), &coverage)?;
            }
        }
        object.end()
    }
}
