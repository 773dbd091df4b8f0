//! Serialization of values.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::{Serialize, Serializer};

use crate::{Count, Value};

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Whole(count) => serializer.serialize_u64(*count),
            Self::Mean(mean) => serializer.serialize_f64(*mean),
        }
    }
}

impl JsonSchema for Count {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        f64::json_schema(generator)
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unknown => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Lines(lines) => serializer.collect_seq(lines),
            Self::Extent(extent) => extent.serialize(serializer),
            Self::Ids(ids) => serializer.collect_seq(ids.iter()),
            Self::Word(word) => serializer.serialize_str(word),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Count(count) | Self::Covered(count, _) => count.serialize(serializer),
            Self::Whole(whole) => serializer.serialize_i64(*whole),
            Self::Real(real) => serializer.serialize_f64(*real),
        }
    }
}
