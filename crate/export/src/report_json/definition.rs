//! Results by another tool's definitions.

use schemars::JsonSchema;
use serde::Serialize;

use super::Named;
use super::selection::TileReport;
use stepscope_analyze::{DefinitionBar, DefinitionValues, Value, Values};
use stepscope_trace::Trace;

#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct DefinitionReport {
    values: Named<ValueReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<DefinitionStep>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kernels: Vec<DefinitionKernelReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kernel_types: Vec<KernelTypeReport>,
    /// The overview's tiles by the chosen definition.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tiles: Vec<TileReport>,
    /// Device time by the chosen definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    bar: Option<DefinitionBarReport>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct DefinitionBarReport {
    compute_alone_ns: i64,
    overlap_ns: i64,
    exposed_communication_ns: i64,
    exposed_memcpy_ns: i64,
    other_ns: i64,
    idle_ns: i64,
}

impl DefinitionBarReport {
    fn of(bar: &DefinitionBar) -> Self {
        Self {
            compute_alone_ns: bar.compute_alone.0,
            overlap_ns: bar.overlap.0,
            exposed_communication_ns: bar.exposed_communication.0,
            exposed_memcpy_ns: bar.exposed_memcpy.0,
            other_ns: bar.other.0,
            idle_ns: bar.idle.0,
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct DefinitionStep {
    name: String,
    values: Named<ValueReport>,
}

#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
enum ValueReport {
    Time(i64),
    Ratio(Option<f64>),
}

#[derive(Debug, JsonSchema, Serialize)]
struct DefinitionKernelReport {
    name: String,
    kernel_type: &'static str,
    calls: u64,
    sum_ns: i64,
    mean_ns: i64,
    min_ns: i64,
    max_ns: i64,
    std_ns: i64,
}

#[derive(Debug, JsonSchema, Serialize)]
struct KernelTypeReport {
    kernel_type: String,
    sum_ns: i64,
}

impl DefinitionReport {
    pub(super) fn of(trace: &Trace, definition: &DefinitionValues) -> Option<Self> {
        if definition.values.is_empty() {
            return None;
        }
        let kernels = definition.kernels.iter().map(|row| DefinitionKernelReport {
            name: trace.strings.get(row.name).to_owned(),
            kernel_type: row.kind,
            calls: row.time.calls,
            sum_ns: row.time.total.0,
            mean_ns: row.time.mean.0,
            min_ns: row.time.min.0,
            max_ns: row.time.max.0,
            std_ns: row.time.std.0,
        });
        let types = definition.kernel_types.iter();
        let steps = definition.steps.iter();
        Some(Self {
            values: values(&definition.values),
            steps: steps.map(|(name, found)| DefinitionStep { name: name.clone(), values: values(found) }).collect(),
            kernels: kernels.collect(),
            kernel_types: types
                .map(|(name, sum)| KernelTypeReport { kernel_type: name.clone(), sum_ns: sum.0 })
                .collect(),
            tiles: definition.tiles().iter().map(TileReport::of).collect(),
            bar: definition.bar().as_ref().map(DefinitionBarReport::of),
        })
    }
}

fn values(values: &Values) -> Named<ValueReport> {
    let report = |value: &Value| match value {
        Value::Time(time) => ValueReport::Time(time.0),
        Value::Ratio(ratio) => ValueReport::Ratio(*ratio),
    };
    Named(values.iter().map(|(key, value)| (*key, report(value))).collect())
}
