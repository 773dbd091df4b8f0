//! The reports as JSON: `stepscope summary --json` prints it, and the page gets the same objects.
//!
//! These are twins of the reports for the outside world: keys are added, never renamed. Times are
//! integer nanoseconds from the trace's own start.

mod advice;
mod budget;
mod call_tree;
mod critical;
mod data;
mod definition;
mod diff;
mod diff_side;
mod digest;
mod drill_down;
mod event;
mod event_facts;
mod found;
mod idle;
mod job;
mod kernel_use;
mod memory;
mod mindspore;
mod named;
mod not_a_job;
mod page_text;
mod parts;
mod peers;
mod range;
mod ranks;
mod recorded;
pub mod request;
mod resources;
mod row;
mod runs;
mod schema;
mod selection;
mod step_trace;
mod table;
mod tables;
mod text;
mod times;
mod topics;

pub use self::advice::AdviceReport;
pub use self::budget::BudgetReport;
pub use self::call_tree::CallTreeReport;
pub use self::critical::{CriticalReport, CriticalRequest};
pub use self::diff::Diff;
pub use self::diff_side::DiffSide;
pub use self::digest::{digest_from_bytes, digest_to_bytes};
pub use self::found::FindReport;
pub use self::idle::{IdleThresholds, WhyIdle};
pub use self::job::device_name;
pub use self::kernel_use::KernelUseReport;
pub use self::memory::MemoryReport;
pub use self::page_text::{
    exemption as advice_exemption, job_text, lack as advice_lack, reason as advice_reason,
    share_text as advice_share_text, words as advice_words,
};
pub use self::parts::{SummaryParts, SummaryRequest};
pub use self::range::{RangeReport, Ranges, RankRange};
pub use self::ranks::RankSet;
pub use self::recorded::RecordedTableReport;
pub use self::request::{ReportRequest, span_of};
pub use self::schema::{SchemaOf, published_schemas, reports_schema, schema_of_type};
pub use self::selection::Selection;
pub use self::tables::Tables;
pub use self::text::{indented, json};
pub use self::topics::{Answer, answer, call_groupings_of, topic, topics_of};

use schemars::JsonSchema;
use serde::Serialize;

use self::advice::{AdviceConclusionReport, AdviceRuleReport};
use self::data::LoadingReport;
use self::definition::DefinitionReport;
use self::job::JobReport;
use self::mindspore::{ClusterReport, MindSporeReport, PipelineReport};
use self::named::Named;
use self::not_a_job::NotAJobReport;
use self::resources::ResourceReport;
use self::step_trace::{BenchmarkReport, StepTraceReport};
use self::table::{TableRows, rows_of};
use self::times::{AverageReport, DeviceTimeReport, StepReport, WholeStepReport};
use stepscope_analyze::{
    Analysis, CollectiveTable, GivenPeaks, GraphTable, LostOnHost, PeakKind, Phase, PhaseSource, Phases, Rank,
    StragglerTable, Vendor, cluster, graphs, numbered,
};
use stepscope_base::Warning;
use stepscope_table::Table;
use stepscope_trace::{Device, InputFile, Trace};

/// The schema's name and version.
pub const SCHEMA: &str = "stepscope.summary/1";

/// The summary of all open files.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Summary {
    schema: &'static str,
    inputs: Vec<Input>,
    ranks: Vec<RankReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<ClusterReport>,
    /// Why several traces are not ranks of one job; then `job`, `collectives` and `stragglers` are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_a_job: Option<NotAJobReport>,
    /// Results of a job; `job`, `collectives` and `stragglers` only with several ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    job: Option<JobReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "rows_of::<CollectiveTable>")]
    collectives: Option<TableRows>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "rows_of::<StragglerTable>")]
    stragglers: Option<TableRows>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<Vec<AdviceRuleReport>>,
    /// The verdict of all rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice_conclusion: Option<AdviceConclusionReport>,
}

impl Summary {
    /// The summary of ranks without long parts: the tables of operators, kernels and copies, causes of idle time,
    /// rows of recorded tables, and advice.
    #[must_use]
    pub fn without_tables(ranks: &[Rank]) -> Self {
        let reports = ranks.iter().map(RankReport::of).collect();
        Self::brief(ranks.iter().map(Input::of).collect(), reports, &numbered(ranks))
    }

    /// The same summary, given the recorded tables.
    fn brief(inputs: Vec<Input>, ranks: Vec<RankReport>, tables: &[(u64, &Trace)]) -> Self {
        Self {
            schema: SCHEMA,
            inputs,
            ranks,
            cluster: cluster(tables).as_ref().map(ClusterReport::of),
            not_a_job: None,
            job: None,
            collectives: None,
            stragglers: None,
            advice: None,
            advice_conclusion: None,
        }
    }

    /// The number of ranks of the job, by its traces; none if there is no job.
    #[must_use]
    pub fn world_size(&self) -> Option<u64> {
        self.job.as_ref().map(|job| job.world_size)
    }

    /// The summary as text, on one line.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        json(self)
    }

    /// The summary as indented text.
    #[must_use]
    pub fn to_json_pretty(&self) -> Vec<u8> {
        indented(&self.to_json())
    }
}

/// One file.
#[derive(Debug, JsonSchema, Serialize)]
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<FileReport>,
}

/// One file of a rank with several files.
#[derive(Debug, JsonSchema, Serialize)]
struct FileReport {
    name: String,
    format: &'static str,
    text_bytes: u64,
    events: u64,
}

impl FileReport {
    fn of(file: &InputFile) -> Self {
        Self { name: file.name.clone(), format: file.format, text_bytes: file.bytes, events: file.events }
    }
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
            files: if meta.inputs.len() > 1 { meta.inputs.iter().map(FileReport::of).collect() } else { Vec::new() },
        }
    }
}

/// Damage or an oddity of the trace.
#[derive(Debug, JsonSchema, Serialize)]
struct WarningReport {
    code: &'static str,
    severity: &'static str,
    count: u64,
    example: String,
    position: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    file: String,
}

impl WarningReport {
    fn of(warning: &Warning) -> Self {
        Self {
            code: warning.code.name(),
            severity: warning.code.severity().name(),
            count: warning.count,
            example: warning.example.clone(),
            position: warning.position,
            file: warning.file.clone(),
        }
    }
}

/// Results of one rank.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RankReport {
    input: String,
    rank: Option<u64>,
    world_size: Option<u64>,
    /// The communication library of the job, such as `nccl`.
    #[serde(skip_serializing_if = "String::is_empty")]
    communication_backend: String,
    devices: Vec<DeviceInfo>,
    /// `nvidia`, `amd`, `ascend` or `unknown`; decides names of units.
    vendor: &'static str,
    /// Peaks given by the user, in TFLOP/s and GB/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    given_peaks: Option<Named<f64>>,
    origin_unix_ns: Option<String>,
    definition: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    definition_values: Option<DefinitionReport>,
    device_time: Vec<DeviceTimeReport>,
    step_source: &'static str,
    /// The extent of the only step, if the trace marks no steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    whole_step: Option<WholeStepReport>,
    /// Time during which any device is busy outside of marked steps, if more than 1 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    device_busy_outside_steps_ns: Option<i64>,
    phase_sources: Named<&'static str>,
    average: AverageReport,
    steps: Vec<StepReport>,
    /// The graphs that the steps ran, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "rows_of::<GraphTable>")]
    graphs: Option<TableRows>,
    /// The largest loss of the hosts, for a trace without device activity.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_on_host: Option<HostLossReport>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    only_tables: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    recorded: Vec<RecordedTableReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mindspore: Option<MindSporeReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pipeline: Option<PipelineReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step_trace: Option<StepTraceReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    benchmark: Option<BenchmarkReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_loading: Option<LoadingReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resources: Vec<ResourceReport>,
    /// Reports that can be requested; left out if all are included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    topics: Vec<&'static str>,
    /// Groupings of the call tree for which the rank has something; left out where `topics` is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    call_groupings: Vec<&'static str>,
    #[serde(flatten)]
    tables: Option<Tables>,
    #[serde(flatten)]
    why_idle: Option<WhyIdle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<MemoryReport>,
    #[serde(flatten)]
    budget: Option<BudgetReport>,
    #[serde(flatten)]
    critical: Option<CriticalReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel_use: Option<KernelUseReport>,
}

/// The largest loss of the hosts of a trace without device activity.
#[derive(Debug, JsonSchema, Serialize)]
struct HostLossReport {
    /// `exposed_communication`, `data_wait`, `communication` or `iteration_interval`.
    kind: &'static str,
    time_ns: i64,
    share_of_step: f64,
    /// `steps`, or `recorded` where the step is recorded time.
    share_of: &'static str,
}

impl HostLossReport {
    fn of(analysis: &Analysis) -> Option<Self> {
        let LostOnHost { kind, time, share, whole, .. } = analysis.lost_on_host(None)?;
        Some(Self { kind: kind.name(), time_ns: time.0, share_of_step: share, share_of: whole.name() })
    }
}

impl RankReport {
    fn of(rank: &Rank) -> Self {
        let (trace, analysis) = (&rank.trace, &rank.analysis);
        Self {
            input: rank.file.clone(),
            rank: rank.rank,
            world_size: trace.meta.distributed.world_size,
            communication_backend: trace.meta.distributed.backend.clone(),
            devices: trace.meta.devices.iter().map(DeviceInfo::of).collect(),
            vendor: Vendor::of_trace(trace).name(),
            given_peaks: given_peaks(&analysis.peaks),
            origin_unix_ns: trace.meta.origin_unix_ns.map(|origin| origin.to_string()),
            definition: analysis.definition.definition.name(),
            definition_values: DefinitionReport::of(trace, &analysis.definition),
            device_time: analysis.devices.iter().map(|device| DeviceTimeReport::of(&device.time)).collect(),
            step_source: analysis.steps.source.name(),
            whole_step: analysis.whole_step.as_ref().map(WholeStepReport::of),
            device_busy_outside_steps_ns: analysis.outside_steps.map(|outside| outside.busy.0),
            phase_sources: phase_sources(&analysis.phases),
            average: AverageReport::of_steps(&analysis.average, &analysis.steps),
            steps: StepReport::all(analysis),
            graphs: graph_rows(rank),
            lost_on_host: HostLossReport::of(analysis),
            only_tables: !trace.has_events(),
            recorded: trace.recorded.iter().map(RecordedTableReport::without_rows).collect(),
            mindspore: (!analysis.mindspore.is_empty()).then(|| MindSporeReport::of(analysis)),
            pipeline: analysis.mindspore.pipeline.as_ref().map(PipelineReport::of),
            step_trace: analysis.step_trace.as_ref().map(|found| StepTraceReport::of(trace, &analysis.steps, found)),
            benchmark: analysis.benchmark.as_ref().map(BenchmarkReport::of),
            data_loading: None,
            resources: Vec::new(),
            topics: topics_of(rank),
            call_groupings: call_groupings_of(rank),
            tables: None,
            why_idle: None,
            memory: None,
            budget: None,
            critical: None,
            kernel_use: None,
        }
    }
}

/// The graphs that the steps ran; none if it is one.
fn graph_rows(rank: &Rank) -> Option<TableRows> {
    if rank.analysis.steps.graphs().is_empty() {
        return None;
    }
    let rows = graphs(&rank.trace, &rank.analysis);
    Some(TableRows::of(Table::of::<GraphTable>(&rows, &())))
}

fn given_peaks(given: &GivenPeaks) -> Option<Named<f64>> {
    let named = PeakKind::ALL.into_iter().filter_map(|(kind, name)| {
        let (_, value) = given.list().iter().find(|(other, _)| *other == kind)?;
        Some((name, *value))
    });
    (!given.list().is_empty()).then(|| Named(named.collect()))
}

fn phase_sources(phases: &Phases) -> Named<&'static str> {
    let names = phases.sources.iter().map(|source: &PhaseSource| source.name());
    Named(Phase::ALL.iter().map(|phase| phase.name()).zip(names).collect())
}

/// A device.
#[derive(Debug, JsonSchema, Serialize)]
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
