//! The reports as JSON: `stepscope summary --json` prints it, and the page gets the same objects.
//!
//! These are twins of the reports for the outside world: keys are added, never renamed. Times are
//! integer nanoseconds from the trace's own start.

use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::analyze::{
    CopyRow, DefinitionValues, DeviceTime, KernelGrouping, KernelRow, OperatorRow, Operators, OperatorsConfig,
    OverlapBar, Phase, PhaseSource, PhaseTime, Phases, Role, RoleTimes, Scope, Step, StepAverage, StepSource, Tile,
    Value, Values, copies_in, kernels_in, operators_in, overview,
};
use crate::summary::Rank;
use crate::trace::{Class, Device, Trace};
use crate::warn::Warning;

/// The schema's name and version.
pub const SCHEMA: &str = "stepscope.summary/1";

/// The whole summary.
#[derive(Debug, Serialize)]
pub struct Summary {
    schema: &'static str,
    inputs: Vec<Input>,
    ranks: Vec<RankReport>,
}

impl Summary {
    /// The summary of the given ranks, in their order.
    #[must_use]
    pub fn of(ranks: &[Rank]) -> Self {
        let with_tables = |rank: &Rank| RankReport { tables: Some(Tables::whole(rank)), ..RankReport::of(rank) };
        Self { ranks: ranks.iter().map(with_tables).collect(), ..Self::without_tables(ranks) }
    }

    /// The same without the tables of operators, kernels and copies, which can be long.
    #[must_use]
    pub fn without_tables(ranks: &[Rank]) -> Self {
        Self {
            schema: SCHEMA,
            inputs: ranks.iter().map(Input::of).collect(),
            ranks: ranks.iter().map(RankReport::of).collect(),
        }
    }

    /// The summary as text, on one line.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        // Writing plain structs to memory cannot fail.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The summary as indented text.
    #[must_use]
    pub fn to_json_pretty(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }
}

/// One file.
#[derive(Debug, Serialize)]
pub struct Input {
    name: String,
    bytes: u64,
    text_bytes: u64,
    format: &'static str,
    framework: String,
    framework_version: String,
    events: u64,
    slices: u64,
    facts: Vec<(String, String)>,
    warnings: Vec<WarningReport>,
}

impl Input {
    fn of(rank: &Rank) -> Self {
        let meta = &rank.trace.meta;
        Self {
            name: rank.file.clone(),
            bytes: rank.file_bytes,
            text_bytes: meta.bytes,
            format: meta.format,
            framework: meta.framework.clone(),
            framework_version: meta.framework_version.clone(),
            events: meta.events,
            slices: rank.trace.slices.len() as u64,
            facts: meta.facts.clone(),
            warnings: rank.warnings.iter().map(WarningReport::of).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct WarningReport {
    code: &'static str,
    severity: &'static str,
    count: u64,
    example: String,
    position: Option<u64>,
}

impl WarningReport {
    fn of(warning: &Warning) -> Self {
        Self {
            code: warning.code.name(),
            severity: warning.code.severity().name(),
            count: warning.count,
            example: warning.example.clone(),
            position: warning.position,
        }
    }
}

/// What one rank's trace says.
#[derive(Debug, Serialize)]
pub struct RankReport {
    input: String,
    rank: Option<u64>,
    world_size: Option<u64>,
    devices: Vec<DeviceInfo>,
    origin_unix_ns: Option<String>,
    definition: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    definition_values: Option<DefinitionReport>,
    device_time: Vec<DeviceTimeReport>,
    step_source: &'static str,
    phase_sources: Named<&'static str>,
    average: AverageReport,
    steps: Vec<StepReport>,
    #[serde(flatten)]
    tables: Option<Tables>,
}

impl RankReport {
    fn of(rank: &Rank) -> Self {
        let (trace, analysis) = (&rank.trace, &rank.analysis);
        let steps = analysis.steps.steps.iter().enumerate().map(|(index, step)| {
            StepReport::of(step, &analysis.step_devices[index], &analysis.roles[index], &analysis.phases.steps[index])
        });
        Self {
            input: rank.file.clone(),
            rank: rank.rank,
            world_size: trace.meta.distributed.world_size,
            devices: trace.meta.devices.iter().map(DeviceInfo::of).collect(),
            origin_unix_ns: trace.meta.origin_unix_ns.map(|origin| origin.to_string()),
            definition: analysis.definition.definition.name(),
            definition_values: DefinitionReport::of(trace, &analysis.definition),
            device_time: analysis.devices.iter().map(|device| DeviceTimeReport::of(&device.time)).collect(),
            step_source: step_source(analysis.steps.source),
            phase_sources: phase_sources(&analysis.phases),
            average: AverageReport::of(&analysis.average),
            steps: steps.collect(),
            tables: None,
        }
    }
}

/// The overview and the tables of a rank or of one of its steps, for the page.
#[derive(Debug, Serialize)]
pub struct Selection {
    tiles: Vec<TileReport>,
    overlap: Vec<OverlapReport>,
    #[serde(flatten)]
    tables: Tables,
}

impl Selection {
    /// What is shown of a step, by its index, or of the whole trace.
    #[must_use]
    pub fn of(rank: &Rank, step: Option<usize>, config: OperatorsConfig) -> Self {
        let overview = overview(&rank.analysis, step);
        Self {
            tiles: overview.tiles.iter().map(TileReport::of).collect(),
            overlap: overview.overlap.iter().map(OverlapReport::of).collect(),
            tables: Tables::of(rank, step, config),
        }
    }
}

#[derive(Debug, Serialize)]
struct TileReport {
    name: &'static str,
    time_ns: i64,
    share: Option<f64>,
}

impl TileReport {
    fn of(tile: &Tile) -> Self {
        Self { name: tile.name, time_ns: tile.time.0, share: tile.share }
    }
}

#[derive(Debug, Serialize)]
struct OverlapReport {
    device: i64,
    compute_alone_ns: i64,
    overlap_ns: i64,
    exposed_communication_ns: i64,
    exposed_memcpy_ns: i64,
    exposed_memset_ns: i64,
    idle_ns: i64,
}

impl OverlapReport {
    fn of(bar: &OverlapBar) -> Self {
        Self {
            device: bar.device,
            compute_alone_ns: bar.compute_alone.0,
            overlap_ns: bar.overlap.0,
            exposed_communication_ns: bar.exposed_communication.0,
            exposed_memcpy_ns: bar.exposed_memcpy.0,
            exposed_memset_ns: bar.exposed_memset.0,
            idle_ns: bar.idle.0,
        }
    }
}

/// The tables of a rank or of one of its steps.
#[derive(Debug, Serialize)]
pub struct Tables {
    operators: Vec<OperatorReport>,
    unlinked: UnlinkedReport,
    kernels: Vec<KernelReport>,
    copies: Vec<CopyReport>,
}

impl Tables {
    /// The tables of a step, by its index, or of the whole trace.
    #[must_use]
    pub fn of(rank: &Rank, step: Option<usize>, config: OperatorsConfig) -> Self {
        let trace = &rank.trace;
        let scope = step.and_then(|step| Scope::of_step(&rank.analysis.steps, step));
        let operators = operators_in(trace, config, scope.as_ref());
        Self::from_reports(
            trace,
            &operators,
            &kernels_in(trace, KernelGrouping::Name, scope.as_ref()),
            &copies_in(trace, scope.as_ref()),
        )
    }

    fn whole(rank: &Rank) -> Self {
        let analysis = &rank.analysis;
        Self::from_reports(&rank.trace, &analysis.operators, &analysis.kernels, &analysis.copies)
    }

    fn from_reports(trace: &Trace, operators: &Operators, kernels: &[KernelRow], copies: &[CopyRow]) -> Self {
        Self {
            operators: operators.rows.iter().map(|row| OperatorReport::of(trace, row)).collect(),
            unlinked: UnlinkedReport {
                activities: operators.unlinked_activities,
                device_ns: operators.unlinked_device.0,
                device_sum_ns: operators.unlinked_device_sum.0,
            },
            kernels: kernels.iter().map(|row| KernelReport::of(trace, row)).collect(),
            copies: copies.iter().map(|row| CopyReport::of(trace, row)).collect(),
        }
    }
}

fn step_source(source: StepSource) -> &'static str {
    match source {
        StepSource::Marks => "marks",
        StepSource::Pattern => "pattern",
        StepSource::RepeatingRanges => "repeating_ranges",
        StepSource::WholeTrace => "whole_trace",
    }
}

fn phase_sources(phases: &Phases) -> Named<&'static str> {
    let names = phases.sources.iter().map(|source: &PhaseSource| source.name());
    Named(Phase::ALL.iter().map(|phase| phase.name()).zip(names).collect())
}

/// Values by key, in a fixed order.
#[derive(Debug)]
struct Named<T>(Vec<(&'static str, T)>);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

#[derive(Debug, Serialize)]
struct DeviceInfo {
    id: i64,
    name: String,
    memory_bytes: Option<u64>,
    capability: Option<String>,
    multiprocessors: Option<u32>,
}

impl DeviceInfo {
    fn of(device: &Device) -> Self {
        Self {
            id: device.id,
            name: device.name.clone(),
            memory_bytes: device.memory_bytes,
            capability: device.capability.map(|(major, minor)| format!("{major}.{minor}")),
            multiprocessors: device.multiprocessors,
        }
    }
}

#[derive(Debug, Serialize)]
struct DeviceTimeReport {
    device: i64,
    window_ns: i64,
    busy_ns: i64,
    idle_ns: i64,
    compute_ns: i64,
    communication_ns: i64,
    memcpy_ns: i64,
    memset_ns: i64,
    overlap_ns: i64,
    exposed_communication_ns: i64,
    exposed_memcpy_ns: i64,
    exposed_memset_ns: i64,
    overlap_of_communication: Option<f64>,
}

impl DeviceTimeReport {
    fn of(time: &DeviceTime) -> Self {
        Self {
            device: time.device,
            window_ns: time.window.0,
            busy_ns: time.busy.0,
            idle_ns: time.idle.0,
            compute_ns: time.compute.0,
            communication_ns: time.communication.0,
            memcpy_ns: time.memcpy.0,
            memset_ns: time.memset.0,
            overlap_ns: time.overlap.0,
            exposed_communication_ns: time.exposed_communication.0,
            exposed_memcpy_ns: time.exposed_memcpy.0,
            exposed_memset_ns: time.exposed_memset.0,
            overlap_of_communication: time.overlap_of_communication(),
        }
    }
}

#[derive(Debug, Serialize)]
struct RolesReport {
    kernel_ns: i64,
    memcpy_ns: i64,
    memset_ns: i64,
    communication_ns: i64,
    runtime_ns: i64,
    dataloader_ns: i64,
    cpu_ns: i64,
    other_ns: i64,
}

impl RolesReport {
    fn of(times: &RoleTimes) -> Self {
        let of = |role: Role| times[role as usize].0;
        Self {
            kernel_ns: of(Role::Kernel),
            memcpy_ns: of(Role::Memcpy),
            memset_ns: of(Role::Memset),
            communication_ns: of(Role::Communication),
            runtime_ns: of(Role::Runtime),
            dataloader_ns: of(Role::Dataloader),
            cpu_ns: of(Role::Cpu),
            other_ns: of(Role::Other),
        }
    }
}

#[derive(Debug, Serialize)]
struct PhaseReport {
    calls: u64,
    host_ns: i64,
    device_ns: i64,
}

#[derive(Debug, Serialize)]
struct StepReport {
    name: String,
    start_ns: i64,
    end_ns: i64,
    length_ns: i64,
    host_start_ns: i64,
    host_end_ns: i64,
    host_length_ns: i64,
    activities: u64,
    partial: bool,
    warmup: bool,
    counted: bool,
    device_time: Vec<DeviceTimeReport>,
    roles: RolesReport,
    phases: Named<PhaseReport>,
}

impl StepReport {
    fn of(step: &Step, devices: &[DeviceTime], roles: &RoleTimes, phases: &[PhaseTime; 5]) -> Self {
        let phase =
            |time: &PhaseTime| PhaseReport { calls: time.calls, host_ns: time.host.0, device_ns: time.device.0 };
        Self {
            name: step.name.clone(),
            start_ns: step.span.start.0,
            end_ns: step.span.end.0,
            length_ns: step.span.len().0,
            host_start_ns: step.host.start.0,
            host_end_ns: step.host.end.0,
            host_length_ns: step.host.len().0,
            activities: step.activities,
            partial: step.partial,
            warmup: step.warm_up,
            counted: step.counts(),
            device_time: devices.iter().map(DeviceTimeReport::of).collect(),
            roles: RolesReport::of(roles),
            phases: Named(Phase::ALL.iter().map(|name| name.name()).zip(phases.iter().map(phase)).collect()),
        }
    }
}

#[derive(Debug, Serialize)]
struct AverageReport {
    steps: u64,
    step_ns: i64,
    roles: RolesReport,
    device_time: DeviceTimeReport,
    data_wait_ns: i64,
}

impl AverageReport {
    fn of(average: &StepAverage) -> Self {
        Self {
            steps: average.steps,
            step_ns: average.length.0,
            roles: RolesReport::of(&average.roles),
            device_time: DeviceTimeReport::of(&average.device),
            data_wait_ns: average.data_wait.0,
        }
    }
}

#[derive(Debug, Serialize)]
struct OperatorReport {
    name: String,
    class: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    shapes: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    types: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stack: Vec<String>,
    calls: u64,
    host_total_ns: i64,
    host_self_ns: i64,
    host_mean_ns: i64,
    host_min_ns: i64,
    host_max_ns: i64,
    device_total_ns: i64,
    device_self_ns: i64,
    device_total_sum_ns: i64,
    device_self_sum_ns: i64,
}

impl OperatorReport {
    fn of(trace: &Trace, row: &OperatorRow) -> Self {
        Self {
            name: row.name.clone(),
            class: row.class.name(),
            shapes: trace.strings.get(row.shapes).to_owned(),
            types: trace.strings.get(row.types).to_owned(),
            stack: row.stack.iter().map(|name| trace.strings.get(*name).to_owned()).collect(),
            calls: row.calls,
            host_total_ns: row.host_total.0,
            host_self_ns: row.host_self.0,
            host_mean_ns: row.host_mean().0,
            host_min_ns: row.host_min.0,
            host_max_ns: row.host_max.0,
            device_total_ns: row.device_total.0,
            device_self_ns: row.device_self.0,
            device_total_sum_ns: row.device_total_sum.0,
            device_self_sum_ns: row.device_self_sum.0,
        }
    }
}

#[derive(Debug, Serialize)]
struct UnlinkedReport {
    activities: u64,
    device_ns: i64,
    device_sum_ns: i64,
}

#[derive(Debug, Serialize)]
struct KernelReport {
    name: String,
    class: &'static str,
    calls: u64,
    total_ns: i64,
    mean_ns: i64,
    median_ns: i64,
    min_ns: i64,
    max_ns: i64,
    std_ns: i64,
    share_of_kernel_time: f64,
    cumulative_share_of_kernel_time: f64,
    blocks_per_sm: Option<f64>,
    occupancy_percent: Option<f64>,
    tensor_cores: bool,
}

impl KernelReport {
    fn of(trace: &Trace, row: &KernelRow) -> Self {
        Self {
            name: trace.strings.get(row.name).to_owned(),
            class: if row.communication { "communication" } else { "compute" },
            calls: row.time.calls,
            total_ns: row.time.total.0,
            mean_ns: row.time.mean.0,
            median_ns: row.time.median.0,
            min_ns: row.time.min.0,
            max_ns: row.time.max.0,
            std_ns: row.time.std.0,
            share_of_kernel_time: row.share,
            cumulative_share_of_kernel_time: row.cumulative_share,
            blocks_per_sm: row.blocks_per_sm,
            occupancy_percent: row.occupancy_percent,
            tensor_cores: row.tensor_cores,
        }
    }
}

#[derive(Debug, Serialize)]
struct CopyReport {
    name: String,
    class: &'static str,
    calls: u64,
    total_ns: i64,
    mean_ns: i64,
    median_ns: i64,
    min_ns: i64,
    max_ns: i64,
    bytes: Option<u64>,
    gigabytes_per_second: Option<f64>,
}

impl CopyReport {
    fn of(trace: &Trace, row: &CopyRow) -> Self {
        Self {
            name: trace.strings.get(row.name).to_owned(),
            class: if row.class == Class::Memcpy { "memcpy" } else { "memset" },
            calls: row.time.calls,
            total_ns: row.time.total.0,
            mean_ns: row.time.mean.0,
            median_ns: row.time.median.0,
            min_ns: row.time.min.0,
            max_ns: row.time.max.0,
            bytes: (row.calls_with_bytes > 0).then_some(row.bytes),
            gigabytes_per_second: row.gigabytes_per_second(),
        }
    }
}

#[derive(Debug, Serialize)]
struct DefinitionReport {
    values: Named<ValueReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<DefinitionStep>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kernels: Vec<DefinitionKernelReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kernel_types: Vec<KernelTypeReport>,
}

#[derive(Debug, Serialize)]
struct DefinitionStep {
    name: String,
    values: Named<ValueReport>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ValueReport {
    Time(i64),
    Ratio(Option<f64>),
}

#[derive(Debug, Serialize)]
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

#[derive(Debug, Serialize)]
struct KernelTypeReport {
    kernel_type: String,
    sum_ns: i64,
}

impl DefinitionReport {
    fn of(trace: &Trace, definition: &DefinitionValues) -> Option<Self> {
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
