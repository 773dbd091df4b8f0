//! The data of one trace for a comparison.

use super::SideCauses;
use super::spent::spent;
use crate::all::Analysis;
use crate::benchmark::WorkDone;
use crate::call_tree::modules_by_path;
use crate::operators::{OperatorGrouping, OperatorsConfig, operators_in};
use crate::phases::Phase;
use crate::rank::Rank;
use crate::scope::Scope;
use crate::time_categories::{CategoryTimes, TimeCategory};
use stepscope_base::Nanos;
use stepscope_trace::Class;

/// One of the two sides: plain values and texts without the trace, so that the two traces need not be in one place. All
/// times are sums over the steps that count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompareSide {
    /// The steps that count, by their index.
    pub steps: Vec<SideStep>,
    /// The steps' lengths.
    pub length: Nanos,
    /// Each category's part of them: with [`before_first`](Self::before_first) these add up to the length.
    pub categories: CategoryTimes,
    /// The part before the first recorded activity, as [`Analysis::time_before_first`].
    pub before_first: Nanos,
    /// The phases, by [`Phase::ALL`].
    pub phases: [SidePhase; 5],
    /// The contributions of names, in no order.
    pub contributions: Vec<SideContribution>,
    /// Operators, in no order.
    pub operators: Vec<SideOperator>,
    /// Modules by their paths, in no order, and the time outside of them, under no name; none where the trace has no modules.
    pub modules: Vec<SideOperator>,
    /// The causes of lost time.
    pub causes: SideCauses,
    /// Work of the steps and its time; none where that is not known.
    pub work: Option<WorkDone>,
}

/// A step that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideStep {
    /// Its index among the trace's steps.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// Its length.
    pub length: Nanos,
}

/// A phase's times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SidePhase {
    /// On the host.
    pub host: Nanos,
    /// On the device, of activities launched in it.
    pub device: Nanos,
}

/// Contribution of a name to the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideContribution {
    /// The category of its time.
    pub category: TimeCategory,
    /// The name; empty for [`TimeCategory::Other`], when nothing is recorded.
    pub name: String,
    /// The shapes, where they are part of the rows' key.
    pub shapes: String,
    /// Number of slices that began in the steps.
    pub calls: u64,
    /// The sum of their durations.
    pub total: Nanos,
    /// The time of the steps that is charged to it alone.
    pub own: Nanos,
}

/// The times of an operator, or of the modules at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideOperator {
    /// Its name, or path.
    pub name: String,
    /// Operator, annotation, or Python function, as modules are.
    pub class: Class,
    /// The inputs' shapes, where they are part of the rows' key.
    pub shapes: String,
    /// The inputs' types, where they are part of the rows' key.
    pub types: String,
    /// Number of calls.
    pub calls: u64,
    /// Time on the host.
    pub host_total: Nanos,
    /// The same without what is called inside.
    pub host_self: Nanos,
    /// Device time launched by it and what it calls.
    pub device_total: Nanos,
    /// Device time launched by it directly.
    pub device_self: Nanos,
}

impl CompareSide {
    /// The side of a rank.
    #[must_use]
    pub fn of(rank: &Rank, config: CompareConfig) -> Self {
        let Rank { trace, analysis, .. } = rank;
        let steps = &analysis.steps;
        let counted = steps.counted();
        let text = |name| trace.strings.get(name).to_owned();
        let categories = analysis.known_categories();
        let contributions =
            spent(trace, steps, config.shapes, analysis.known_from()).into_iter().map(|(key, spent)| {
                SideContribution {
                    category: key.category,
                    name: text(key.name),
                    shapes: text(key.shapes),
                    calls: spent.calls,
                    total: spent.total,
                    own: spent.own,
                }
            });
        let grouping = if config.shapes { OperatorGrouping::NameShapes } else { OperatorGrouping::Name };
        let grouped = OperatorsConfig { grouping, merge_only_children: false };
        let operators = operators_in(trace, grouped, Some(&Scope::of_steps(steps, &counted)));
        let operators = operators.rows.into_iter().map(|row| SideOperator {
            name: row.name,
            class: row.class,
            shapes: text(row.shapes),
            types: text(row.types),
            calls: row.calls,
            host_total: row.host_total,
            host_self: row.host_self,
            device_total: row.device_total,
            device_self: row.device_self,
        });
        let modules = modules_by_path(trace, analysis).into_iter().map(|row| SideOperator {
            name: row.path,
            class: Class::PythonFrame,
            shapes: String::new(),
            types: String::new(),
            calls: row.calls,
            host_total: row.host,
            host_self: row.host_self,
            device_total: row.device,
            device_self: row.device_self,
        });
        Self {
            length: counted.iter().map(|step| steps.steps[*step].span.len()).sum(),
            categories: std::array::from_fn(|category| counted.iter().map(|step| categories[*step][category]).sum()),
            before_first: counted.iter().map(|step| analysis.time_before_first(*step)).sum(),
            phases: std::array::from_fn(|phase| phase_of(analysis, &counted, phase)),
            contributions: contributions.collect(),
            operators: operators.collect(),
            modules: modules.collect(),
            causes: SideCauses::of(rank),
            // Only marked steps have a benchmark.
            work: analysis.benchmark.and_then(|_| WorkDone::of(steps)),
            steps: counted
                .into_iter()
                .map(|index| SideStep {
                    index,
                    name: steps.steps[index].name.clone(),
                    length: steps.steps[index].span.len(),
                })
                .collect(),
        }
    }

    /// A step that counts, by its index in the trace.
    #[must_use]
    pub fn step(&self, index: usize) -> Option<&SideStep> {
        let place = self.steps.binary_search_by_key(&index, |step| step.index).ok()?;
        self.steps.get(place)
    }
}

/// The times of one of [`Phase::ALL`].
fn phase_of(analysis: &Analysis, counted: &[usize], phase: usize) -> SidePhase {
    debug_assert!(phase < Phase::ALL.len());
    let times = counted.iter().filter_map(|step| analysis.phases.steps.get(*step)).map(|times| times[phase]);
    times.fold(SidePhase::default(), |sum, time| SidePhase {
        host: sum.host + time.host,
        device: sum.device + time.device,
    })
}

/// Settings of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompareConfig {
    /// Whether calls of an operator with different shapes are different rows; kernels and copies then differ by the
    /// shapes of the operator that launched them.
    pub shapes: bool,
}
