//! One side of a [`Diff`](super::Diff), and its serialization.

use serde::{Deserialize, Serialize};

use super::text::json;
use stepscope_analyze::Rank;
use stepscope_analyze::{
    BudgetWhole, CauseKind, CompareConfig, CompareSide, DeviceTime, JobSide, Late, SITUATIONS, Saving, SideCause,
    SideCauses, SideContribution, SideOperator, SidePhase, SideRank, SideStep, StepAverage, StepSource, TimeCategory,
    WorkDone,
};
use stepscope_base::Nanos;
use stepscope_trace::Class;

/// One side of a comparison, without its trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffSide {
    pub(super) input: String,
    pub(super) rank: Option<u64>,
    pub(super) framework: String,
    pub(super) framework_version: String,
    pub(super) step_source: StepSource,
    pub(super) average: StepAverage,
    /// The mean part of the steps' marks in which the profiler recorded nothing.
    pub(super) unrecorded: Nanos,
    pub(super) compared: CompareSide,
    /// The job that the rank is of, if jobs are compared, too.
    pub(super) job: Option<JobSide>,
}

impl DiffSide {
    /// The side of a rank.
    #[must_use]
    pub fn of(rank: &Rank, config: CompareConfig) -> Self {
        let meta = &rank.trace.meta;
        Self {
            input: rank.file.clone(),
            rank: rank.rank,
            framework: meta.framework.clone(),
            framework_version: meta.framework_version.clone(),
            step_source: rank.analysis.steps.source,
            average: rank.analysis.average,
            unrecorded: rank.analysis.steps.unrecorded(None),
            compared: CompareSide::of(rank, config),
            job: None,
        }
    }

    /// The same with the job that the rank is of.
    #[must_use]
    pub fn in_job(self, job: Option<JobSide>) -> Self {
        Self { job, ..self }
    }

    /// Whether it has the job that the rank is of.
    #[must_use]
    pub fn has_job(&self) -> bool {
        self.job.is_some()
    }

    /// Serializes the side for [`from_bytes`](Self::from_bytes) of the same version.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        json(&Twin::of(self))
    }

    /// Deserializes the result of [`to_bytes`](Self::to_bytes); none if these are other bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice::<Twin>(bytes).ok()?.into_side()
    }
}

const SOURCES: [StepSource; 8] = [
    StepSource::Marks,
    StepSource::Pattern,
    StepSource::RepeatingRanges,
    StepSource::WholeTrace,
    StepSource::Table,
    StepSource::InferenceMarks,
    StepSource::Operator,
    StepSource::RepeatingOperators,
];

/// The serialized side: integers and texts, which come back unchanged; enum values are indices.
#[derive(Serialize, Deserialize)]
struct Twin {
    input: String,
    rank: Option<u64>,
    framework: String,
    framework_version: String,
    step_source: usize,
    average: AverageTwin,
    unrecorded: i64,
    steps: Vec<(usize, String, i64)>,
    length: i64,
    categories: [i64; 8],
    before_first: i64,
    phases: [(i64, i64); 5],
    contributions: Vec<(usize, String, String, u64, [i64; 2])>,
    operators: Vec<OperatorTwin>,
    modules: Vec<OperatorTwin>,
    causes: CausesTwin,
    /// Steps, samples, time.
    work: Option<(u64, Option<u64>, i64)>,
    job: Option<JobTwin>,
}

/// The job: its causes, the number of ranks in the means and of all, and each rank's number, step and own time.
#[derive(Serialize, Deserialize)]
struct JobTwin {
    causes: CausesTwin,
    averaged: u64,
    world_size: u64,
    ranks: Vec<(u64, i64, Option<i64>)>,
}

impl JobTwin {
    fn of(job: &JobSide) -> Self {
        let rank = |one: &SideRank| (one.rank, one.step.0, one.own.map(|own| own.0));
        Self {
            causes: CausesTwin::of(&job.causes),
            averaged: job.averaged,
            world_size: job.world_size,
            ranks: job.ranks.iter().map(rank).collect(),
        }
    }

    /// The job; none if an index is invalid.
    fn into_job(self) -> Option<JobSide> {
        let rank =
            |(rank, step, own): (u64, i64, Option<i64>)| SideRank { rank, step: Nanos(step), own: own.map(Nanos) };
        Some(JobSide {
            causes: self.causes.into_causes()?,
            averaged: self.averaged,
            world_size: self.world_size,
            ranks: self.ranks.into_iter().map(rank).collect(),
        })
    }
}

/// A late part of a job.
#[derive(Serialize, Deserialize)]
enum LateTwin {
    Rank(u64),
    Link([u64; 2]),
    Links(Vec<u64>),
    Stage(u32),
}

impl LateTwin {
    fn of(late: &Late) -> Self {
        match late {
            Late::Rank(rank) => Self::Rank(*rank),
            Late::Link(link) => Self::Link(*link),
            Late::Links(ranks) => Self::Links(ranks.clone()),
            Late::Stage(stage) => Self::Stage(*stage),
        }
    }

    fn into_late(self) -> Late {
        match self {
            Self::Rank(rank) => Late::Rank(rank),
            Self::Link(link) => Late::Link(link),
            Self::Links(ranks) => Late::Links(ranks),
            Self::Stage(stage) => Late::Stage(stage),
        }
    }
}

/// An operator, or modules at a path.
type OperatorTwin = (usize, [String; 3], u64, [i64; 4]);

fn operator_twin(row: &SideOperator) -> OperatorTwin {
    let texts = [&row.name, &row.shapes, &row.types].map(Clone::clone);
    let times = [row.host_total, row.host_self, row.device_total, row.device_self].map(|time| time.0);
    (place(&Class::ALL, &row.class), texts, row.calls, times)
}

/// The operator; none if its class is invalid.
fn operator_of((class, [name, shapes, types], calls, times): OperatorTwin) -> Option<SideOperator> {
    let class = *Class::ALL.get(class)?;
    let [host_total, host_self, device_total, device_self] = times.map(Nanos);
    Some(SideOperator { name, class, shapes, types, calls, host_total, host_self, device_total, device_self })
}

/// A cause: its kind, its wording where that differs from the kind's, time, saving, and the late parts of the job.
type CauseTwin = (usize, Option<usize>, i64, [i64; 3], Vec<LateTwin>);

/// The causes of a rank or of a job.
#[derive(Serialize, Deserialize)]
struct CausesTwin {
    length: i64,
    whole: usize,
    windows: u64,
    causes: Vec<CauseTwin>,
    unknown: i64,
    is_known: bool,
    is_marked: bool,
    devices: String,
}

impl CausesTwin {
    fn of(side: &SideCauses) -> Self {
        let SideCauses { length, whole, windows, causes, unknown, is_known, is_marked, devices } = side;
        let kinds = CauseKind::all();
        let cause = |cause: &SideCause| {
            let Saving { low, high, middle } = cause.saving;
            let situation = SITUATIONS.iter().position(|situation| *situation == cause.wording);
            let saving = [low, high, middle].map(|bound| bound.0);
            (
                place(&kinds, &cause.kind),
                situation,
                cause.score.0,
                saving,
                cause.late.iter().map(LateTwin::of).collect(),
            )
        };
        Self {
            length: length.0,
            whole: place(&BudgetWhole::ALL, whole),
            windows: *windows,
            causes: causes.iter().map(cause).collect(),
            unknown: unknown.0,
            is_known: *is_known,
            is_marked: *is_marked,
            devices: devices.clone(),
        }
    }

    /// The causes; none if an index is invalid.
    fn into_causes(self) -> Option<SideCauses> {
        let kinds = CauseKind::all();
        let causes = self.causes.into_iter().map(|(kind, situation, score, saving, late)| {
            let kind = *kinds.get(kind)?;
            let wording = situation.map_or(Some(kind.name()), |situation| SITUATIONS.get(situation).copied())?;
            let [low, high, middle] = saving.map(Nanos);
            Some(SideCause {
                kind,
                wording,
                score: Nanos(score),
                saving: Saving { low, high, middle },
                late: late.into_iter().map(LateTwin::into_late).collect(),
            })
        });
        Some(SideCauses {
            length: Nanos(self.length),
            whole: *BudgetWhole::ALL.get(self.whole)?,
            windows: self.windows,
            causes: causes.collect::<Option<_>>()?,
            unknown: Nanos(self.unknown),
            is_known: self.is_known,
            is_marked: self.is_marked,
            devices: self.devices,
        })
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct AverageTwin {
    steps: u64,
    covered_steps: u64,
    length: i64,
    categories: [i64; 8],
    categories_before_first: [i64; 8],
    device: (i64, [i64; 7], [i64; 6]),
    data_wait: i64,
    exposed_on_hosts: Option<i64>,
}

impl Twin {
    fn of(side: &DiffSide) -> Self {
        let CompareSide {
            steps,
            length,
            categories,
            before_first,
            phases,
            contributions,
            operators,
            modules,
            causes,
            work,
        } = &side.compared;
        Self {
            input: side.input.clone(),
            rank: side.rank,
            framework: side.framework.clone(),
            framework_version: side.framework_version.clone(),
            step_source: place(&SOURCES, &side.step_source),
            average: AverageTwin::of(&side.average),
            unrecorded: side.unrecorded.0,
            steps: steps.iter().map(|step| (step.index, step.name.clone(), step.length.0)).collect(),
            length: length.0,
            categories: categories.map(|time| time.0),
            before_first: before_first.0,
            phases: phases.map(|phase| (phase.host.0, phase.device.0)),
            contributions: contributions
                .iter()
                .map(|row| {
                    let times = [row.total, row.own].map(|time| time.0);
                    (place(&TimeCategory::ALL, &row.category), row.name.clone(), row.shapes.clone(), row.calls, times)
                })
                .collect(),
            operators: operators.iter().map(operator_twin).collect(),
            modules: modules.iter().map(operator_twin).collect(),
            causes: CausesTwin::of(causes),
            work: work.map(|WorkDone { steps, samples, time }| (steps, samples, time.0)),
            job: side.job.as_ref().map(JobTwin::of),
        }
    }

    /// The side; none if an index is invalid.
    fn into_side(self) -> Option<DiffSide> {
        let steps = self.steps.into_iter().map(|(index, name, length)| SideStep { index, name, length: Nanos(length) });
        let contributions = self.contributions.into_iter().map(|(category, name, shapes, calls, times)| {
            let [total, own] = times.map(Nanos);
            Some(SideContribution { category: *TimeCategory::ALL.get(category)?, name, shapes, calls, total, own })
        });
        Some(DiffSide {
            input: self.input,
            rank: self.rank,
            framework: self.framework,
            framework_version: self.framework_version,
            step_source: *SOURCES.get(self.step_source)?,
            average: self.average.into_average(),
            unrecorded: Nanos(self.unrecorded),
            compared: CompareSide {
                steps: steps.collect(),
                length: Nanos(self.length),
                categories: self.categories.map(Nanos),
                before_first: Nanos(self.before_first),
                phases: self.phases.map(|(host, device)| SidePhase { host: Nanos(host), device: Nanos(device) }),
                contributions: contributions.collect::<Option<_>>()?,
                operators: self.operators.into_iter().map(operator_of).collect::<Option<_>>()?,
                modules: self.modules.into_iter().map(operator_of).collect::<Option<_>>()?,
                causes: self.causes.into_causes()?,
                work: self.work.map(|(steps, samples, time)| WorkDone { steps, samples, time: Nanos(time) }),
            },
            job: match self.job {
                Some(job) => Some(job.into_job()?),
                None => None,
            },
        })
    }
}

impl AverageTwin {
    pub(super) fn of(average: &StepAverage) -> Self {
        let time = &average.device;
        let shares = [time.window, time.busy, time.idle, time.compute, time.communication, time.memcpy, time.memset];
        let exposed = [time.exposed_communication, time.exposed_memcpy, time.exposed_memset];
        let [communication, memcpy, memset] = exposed;
        let more = [time.overlap, communication, memcpy, memset, time.before_first, time.uncovered];
        Self {
            steps: average.steps,
            covered_steps: average.covered_steps,
            length: average.length.0,
            categories: average.categories.map(|time| time.0),
            categories_before_first: average.categories_before_first.map(|time| time.0),
            device: (time.device, shares.map(|time| time.0), more.map(|time| time.0)),
            data_wait: average.data_wait.0,
            exposed_on_hosts: average.exposed_on_hosts.map(|time| time.0),
        }
    }

    pub(super) fn into_average(self) -> StepAverage {
        let (device, shares, more) = self.device;
        let [window, busy, idle, compute, communication, memcpy, memset] = shares.map(Nanos);
        let [overlap, exposed_communication, exposed_memcpy, exposed_memset, before_first, uncovered] = more.map(Nanos);
        StepAverage {
            steps: self.steps,
            covered_steps: self.covered_steps,
            length: Nanos(self.length),
            categories: self.categories.map(Nanos),
            categories_before_first: self.categories_before_first.map(Nanos),
            device: DeviceTime {
                device,
                window,
                busy,
                idle,
                before_first,
                uncovered,
                compute,
                communication,
                memcpy,
                memset,
                overlap,
                exposed_communication,
                exposed_memcpy,
                exposed_memset,
            },
            data_wait: Nanos(self.data_wait),
            exposed_on_hosts: self.exposed_on_hosts.map(Nanos),
        }
    }
}

/// The index of a value among all; their count if it is not among them.
pub(super) fn place<T: PartialEq>(all: &[T], one: &T) -> usize {
    all.iter().position(|other| other == one).unwrap_or(all.len())
}
