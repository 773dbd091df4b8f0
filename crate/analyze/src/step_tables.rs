//! The tables of operators, kernels and copies: of a whole trace, of a step, or of the average step. METRICS section 4.

use super::per_step::PerStep;
use super::scope::{Scope, activities_in};
use super::view_tables::{TablePart, tables_of_part};
use super::{
    Analysis, CopyRow, DeviceReport, DeviceTime, KernelFamilyRow, KernelGrouping, KernelRow, Operators,
    OperatorsConfig, StepSource, Steps, copies_in, kernel_families, kernel_rows, operators_in,
};
use stepscope_base::Nanos;
use stepscope_table::{Table, View};
use stepscope_trace::{Class, Trace};

/// The steps of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepChoice {
    /// None: sums over the whole trace.
    #[default]
    Whole,
    /// The step of that index.
    One(usize),
    /// The average step: sums over the steps that count, divided by their number.
    Average,
}

impl StepChoice {
    /// The choice with this name: a step by its name, or `average`. Without such a step, the choice is a step that does
    /// not exist, whose tables are empty.
    #[must_use]
    pub fn named(name: &str, steps: &Steps) -> Self {
        match steps.steps.iter().position(|step| step.name == name) {
            Some(step) => Self::One(step),
            None if name == "average" => Self::Average,
            None => Self::One(usize::MAX),
        }
    }

    /// Whether its tables can have rows.
    #[must_use]
    pub fn is_in(self, steps: &Steps) -> bool {
        !matches!(self, Self::One(step) if step >= steps.steps.len())
    }

    /// The indices of the steps; none where the table is of the whole trace. Without marked steps everything belongs to
    /// the only step.
    pub(super) fn indices(self, steps: &Steps) -> Option<Vec<usize>> {
        if steps.source == StepSource::WholeTrace {
            return None;
        }
        match self {
            Self::Whole => None,
            Self::One(step) => Some(vec![step]),
            Self::Average => Some(steps.counted()).filter(|counted| !counted.is_empty()),
        }
    }

    /// Each device's times in the step, or in the average step; none where the choice is the whole trace.
    #[must_use]
    pub fn times_of_devices(self, analysis: &Analysis) -> Option<Vec<DeviceTime>> {
        let steps = self.indices(&analysis.steps)?;
        let of_device = |(place, report): (usize, &DeviceReport)| {
            let times: Vec<DeviceTime> =
                steps.iter().filter_map(|step| analysis.step_devices.get(*step)?.get(place).copied()).collect();
            DeviceTime { device: report.time.device, ..DeviceTime::mean(&times) }
        };
        Some(analysis.devices.iter().enumerate().map(of_device).collect())
    }

    /// The scope of the steps; none for the whole trace.
    #[must_use]
    pub fn scope(self, steps: &Steps) -> Option<Scope<'_>> {
        Some(Scope::of_steps(steps, &self.indices(steps)?))
    }

    /// Number of steps that sums are divided by.
    #[must_use]
    pub fn divisor(self, steps: &Steps) -> u64 {
        match self {
            Self::Average => self.indices(steps).map_or(1, |indices| indices.len() as u64),
            Self::Whole | Self::One(_) => 1,
        }
    }
}

/// The tables of a part of a trace.
#[derive(Clone, Debug)]
pub struct StepTables {
    /// Operators.
    pub operators: Operators,
    /// Kernels by family.
    pub families: Vec<KernelFamilyRow>,
    /// Kernels by name.
    pub kernels: Vec<KernelRow>,
    /// Copies and memsets by kind.
    pub copies: Vec<CopyRow>,
    /// Their steps.
    pub choice: StepChoice,
    /// Number of steps by which their sums are to be divided.
    pub divisor: u64,
    /// The parts that averages leave out; empty for another choice, and where they leave out nothing.
    pub left_out: Vec<LeftOut>,
}

/// A part of the trace that averages over steps leave out, with its sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Number of its steps, such as warm-up steps; zero for the part outside of steps.
    pub steps: u64,
    /// Its sums.
    pub sums: TableSums,
}

/// Sums over the rows of the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableSums {
    /// Calls of operators.
    pub operator_calls: u64,
    /// Their self time on the host.
    pub host_self: Nanos,
    /// Device time of the activities that they launched, and of those that no operator launched, as a sum of durations.
    pub device_self: Nanos,
    /// Kernels.
    pub kernels: u64,
    /// Their time.
    pub kernel_time: Nanos,
    /// Copies and memsets.
    pub copies: u64,
    /// Their time.
    pub copy_time: Nanos,
    /// Their bytes, as far as they are known.
    pub copy_bytes: u64,
}

impl TableSums {
    /// The sums of tables.
    #[must_use]
    pub fn of(operators: &Operators, kernels: &[KernelRow], copies: &[CopyRow]) -> Self {
        Self {
            operator_calls: operators.rows.iter().map(|row| row.calls).sum(),
            host_self: operators.rows.iter().map(|row| row.host_self).sum(),
            device_self: operators.rows.iter().map(|row| row.device_self_sum).sum::<Nanos>()
                + operators.unlinked_device_sum,
            kernels: kernels.iter().map(|row| row.time.calls).sum(),
            kernel_time: kernels.iter().map(|row| row.time.total).sum(),
            copies: copies.iter().map(|row| row.time.calls).sum(),
            copy_time: copies.iter().map(|row| row.time.total).sum(),
            copy_bytes: copies.iter().map(|row| row.bytes).sum(),
        }
    }

    /// Adds the activities of a scope.
    fn add_activities(&mut self, trace: &Trace, scope: &Scope<'_>) {
        for activity in activities_in(trace, Some(scope)) {
            let length = trace.slices.length(activity.event);
            self.device_self += length;
            if trace.slices.class(activity.event) == Class::Kernel {
                self.kernels += 1;
                self.kernel_time += length;
            } else {
                self.copies += 1;
                self.copy_time += length;
                self.copy_bytes = self.copy_bytes.saturating_add(activity.known_bytes().unwrap_or_default());
            }
        }
    }

    fn without(self, other: Self) -> Self {
        Self {
            operator_calls: self.operator_calls.saturating_sub(other.operator_calls),
            host_self: self.host_self - other.host_self,
            device_self: self.device_self - other.device_self,
            kernels: self.kernels.saturating_sub(other.kernels),
            kernel_time: self.kernel_time - other.kernel_time,
            copies: self.copies.saturating_sub(other.copies),
            copy_time: self.copy_time - other.copy_time,
            copy_bytes: self.copy_bytes.saturating_sub(other.copy_bytes),
        }
    }
}

/// Makes the tables of a part of a trace.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::{AnalysisConfig, OperatorsConfig, StepChoice};
///
/// // A kernel of 4 µs in each of two steps, and one of 3 µs after them.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":3,"dur":2,"args":{"correlation":1}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":6,"dur":4,"args":{"correlation":1}},
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#4","pid":1,"tid":1,"ts":20,"dur":20},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":23,"dur":2,"args":{"correlation":2}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":26,"dur":4,"args":{"correlation":2}},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":43,"dur":2,"args":{"correlation":3}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":46,"dur":3,"args":{"correlation":3}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let analysis = analyze::analyze(&trace, &AnalysisConfig::standard());
/// let found = analyze::step_tables(&trace, &analysis, StepChoice::Average, OperatorsConfig::standard());
/// assert_eq!((found.divisor, found.kernels[0].time.total), (2, Nanos(8_000))); // 4 µs per step
/// assert_eq!((found.left_out[0].steps, found.left_out[0].sums.kernel_time), (0, Nanos(3_000)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn step_tables(trace: &Trace, analysis: &Analysis, choice: StepChoice, config: OperatorsConfig) -> StepTables {
    let steps = &analysis.steps;
    let Some(scope) = choice.scope(steps) else {
        return StepTables {
            operators: whole_operators(trace, analysis, config),
            families: kernel_families(trace, None),
            kernels: analysis.kernels.clone(),
            copies: analysis.copies.clone(),
            choice: StepChoice::Whole,
            divisor: 1,
            left_out: Vec::new(),
        };
    };
    let operators = operators_in(trace, config, Some(&scope));
    let kernels = kernel_rows(trace, KernelGrouping::Name, Some(&scope), &analysis.tensor_cores);
    let copies = copies_in(trace, Some(&scope));
    let left_out = match choice {
        StepChoice::Average => {
            let whole = TableSums::of(&whole_operators(trace, analysis, config), &analysis.kernels, &analysis.copies);
            left_out(trace, steps, config, whole.without(TableSums::of(&operators, &kernels, &copies)))
        }
        StepChoice::Whole | StepChoice::One(_) => Vec::new(),
    };
    let families = kernel_families(trace, Some(&scope));
    let divisor = choice.divisor(steps);
    StepTables { operators, families, kernels, copies, choice, divisor, left_out }
}

/// The tables that views show, of a step, of the average step, or of the whole trace: all of them, or those of a view.
#[must_use]
pub fn view_tables(trace: &Trace, analysis: &Analysis, choice: StepChoice, view: Option<View>) -> Vec<Table> {
    let scope = choice.scope(&analysis.steps);
    let per = PerStep(if scope.is_some() { choice.divisor(&analysis.steps) } else { 1 });
    tables_of_part(&TablePart { trace, analysis, scope: scope.as_ref(), per }, view)
}

/// The operators that every file's analysis has computed, or others if operators are grouped in another way.
fn whole_operators(trace: &Trace, analysis: &Analysis, config: OperatorsConfig) -> Operators {
    if config == analysis.operators_config { analysis.operators.clone() } else { operators_in(trace, config, None) }
}

/// The parts outside of the steps that count: other steps, and what is in no step. `rest` are the sums of both.
fn left_out(trace: &Trace, steps: &Steps, config: OperatorsConfig, rest: TableSums) -> Vec<LeftOut> {
    let counted = steps.counted();
    let others: Vec<usize> = (0..steps.steps.len()).filter(|index| !counted.contains(index)).collect();
    let mut of_others = TableSums::default();
    if !others.is_empty() {
        let scope = Scope::of_steps(steps, &others);
        let operators = operators_in(trace, config, Some(&scope));
        of_others.operator_calls = operators.rows.iter().map(|row| row.calls).sum();
        of_others.host_self = operators.rows.iter().map(|row| row.host_self).sum();
        of_others.add_activities(trace, &scope);
    }
    let parts =
        [LeftOut { steps: others.len() as u64, sums: of_others }, LeftOut { steps: 0, sums: rest.without(of_others) }];
    parts.into_iter().filter(|part| part.sums != TableSums::default()).collect()
}
