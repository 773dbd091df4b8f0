//! JSON schemas of the program's `--json` output, and of all messages to the page.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::data::DataReport;
use super::event::EventReport;
use super::peers::EventPeersReport;
use super::ranks::{JobOrNot, LayoutFault};
use super::resources::ResourcesReport;
use super::row::RowReport;
use super::runs::RunReport;
use super::step_trace::StepTraceReport;
use super::{
    AdviceReport, BudgetReport, CallTreeReport, CriticalReport, Diff, FindReport, KernelUseReport, MemoryReport,
    RangeReport, RecordedTableReport, Selection, Summary, WhyIdle,
};

/// Gives the schema of a type, and adds those that it refers to.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// The schema of a type, as a reference where it has a name.
pub fn schema_of_type<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The reports of topics, by the topics' names.
pub(super) const TOPICS: [(&str, SchemaOf); 14] = [
    ("selection", schema_of_type::<Selection>),
    ("budget", schema_of_type::<BudgetReport>),
    ("call_tree", schema_of_type::<CallTreeReport>),
    ("why_idle", schema_of_type::<WhyIdle>),
    ("row", schema_of_type::<RowReport>),
    ("event", schema_of_type::<EventReport>),
    ("range", schema_of_type::<RangeReport>),
    ("step_trace", schema_of_type::<StepTraceReport>),
    ("data", schema_of_type::<DataReport>),
    ("resources", schema_of_type::<ResourcesReport>),
    ("kernel_use", schema_of_type::<KernelUseReport>),
    ("critical_path", schema_of_type::<CriticalReport>),
    ("memory", schema_of_type::<MemoryReport>),
    ("advice", schema_of_type::<AdviceReport>),
];

/// Other reports of the page.
const OTHERS: [(&str, SchemaOf); 7] = [
    ("summary", schema_of_type::<Summary>),
    ("job", schema_of_type::<JobOrNot>),
    ("runs", schema_of_type::<Vec<RunReport>>),
    ("peers", schema_of_type::<EventPeersReport>),
    ("layout_fault", schema_of_type::<LayoutFault>),
    ("diff", schema_of_type::<Diff>),
    ("recorded", schema_of_type::<RecordedTableReport>),
];

/// The schemas of the program's JSON, by the names and versions that it has in its key `schema`.
const PUBLISHED: [(&str, SchemaOf); 3] = [
    (super::SCHEMA, schema_of_type::<Summary>),
    (super::diff::SCHEMA, schema_of_type::<Diff>),
    (super::found::SCHEMA, schema_of_type::<FindReport>),
];

/// Draft 7, which the most tools read; keys that may be left out are not required.
fn generator() -> SchemaGenerator {
    SchemaSettings::draft07().for_serialize().into_generator()
}

/// The schemas of the program's JSON by name and version, such as `stepscope.summary/1`.
#[must_use]
pub fn published_schemas() -> Vec<(&'static str, Value)> {
    let schema = |(name, of): (&'static str, SchemaOf)| {
        let mut generator = generator();
        let mut schema = of(&mut generator).to_value();
        if let Value::Object(members) = &mut schema {
            members.insert("$schema".into(), "http://json-schema.org/draft-07/schema#".into());
            members.insert("title".into(), name.into());
        }
        (name, with_definitions(schema, generator))
    };
    PUBLISHED.into_iter().map(schema).collect()
}

/// The schema of an object with all reports of the page; `Topics` has those of topics, `others` are added.
#[must_use]
pub fn reports_schema(others: &[(&str, SchemaOf)]) -> Value {
    let mut generator = generator();
    let mut object_of = |members: &[(&str, SchemaOf)]| {
        let properties: Map<_, _> =
            members.iter().map(|(name, of)| ((*name).to_owned(), of(&mut generator).to_value())).collect();
        let required: Vec<_> = members.iter().map(|(name, _)| *name).collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let topics = object_of(&TOPICS);
    let mut all = object_of(&[&OTHERS, others].concat());
    all["title"] = "Reports".into();
    let mut schema = with_definitions(all, generator);
    schema["definitions"]["Topics"] = topics;
    schema["properties"]["topics"] = json!({"$ref": "#/definitions/Topics"});
    schema["required"].as_array_mut().into_iter().for_each(|all| all.push("topics".into()));
    schema
}

/// Allows null for a key that may be left out: it is left out only together with others.
pub(super) const NULLABLE: &str = "nullable";

/// Adds the definitions of referenced schemas. A key that may be left out is never null, except for [`NULLABLE`]
/// ones: it is left out if there is no value.
fn with_definitions(mut schema: Value, mut generator: SchemaGenerator) -> Value {
    schema["definitions"] = Value::Object(generator.take_definitions(true));
    without_null(&mut schema);
    schema
}

fn without_null(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let required = members.get("required").cloned().unwrap_or_default();
            let is_required = |key: &String| required.as_array().is_some_and(|all| all.iter().any(|one| one == key));
            if let Some(Value::Object(properties)) = members.get_mut("properties") {
                properties.iter_mut().filter(|(key, _)| !is_required(key)).for_each(|(_, value)| never_null(value));
            }
            members.values_mut().for_each(without_null);
        }
        Value::Array(items) => items.iter_mut().for_each(without_null),
        _ => {}
    }
}

/// The schema without null.
fn never_null(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    if members.remove(NULLABLE).is_some() {
        return;
    }
    if let Some(Value::Array(types)) = members.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [one] = &types[..] {
            members["type"] = one.clone();
        }
    }
    if let Some(Value::Array(cases)) = members.get_mut("anyOf") {
        cases.retain(|case| case["type"] != "null");
        if let [Value::Object(one)] = &cases[..] {
            let one = one.clone();
            members.remove("anyOf");
            members.extend(one);
        }
    }
}
