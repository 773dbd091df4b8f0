//! Kernels by name. METRICS section 4.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::coverage::{Covered, Weighted};
use super::devices::GivenPeaks;
use super::kernel_families::KernelFamilies;
use super::kernel_family::KernelFamily;
use super::per_step::PerStep;
use super::python_stacks::PythonStacks;
use super::scope::{Scope, activities_in};
use super::statistics::Statistics;
use super::tensor_cores::{TensorCoreUse, TensorCores};
use stepscope_base::{CompactSort, Nanos};
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::{Activity, Class, ConfigId, EventId, LaunchConfig, NameId, Trace};

/// Key of a kernel row. Rows by launch have one family each, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelGrouping {
    /// The name.
    Name,
    /// The name, the launching operator, and the launch configuration.
    NameOperatorLaunch,
    /// The name, and the modules around the launching call.
    NameModule,
    /// The name, and the family of each launch.
    NameFamily,
}

impl KernelGrouping {
    /// The grouping with the name `name`, `launch`, `module` or `family`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "name" => Some(Self::Name),
            "launch" => Some(Self::NameOperatorLaunch),
            "module" => Some(Self::NameModule),
            "family" => Some(Self::NameFamily),
            _ => None,
        }
    }

    /// Computes the keys of rows.
    pub(super) fn keys(self, trace: &Trace) -> KernelKeys<'_> {
        let modules = (self == Self::NameModule).then(|| PythonStacks::modules(trace));
        KernelKeys { trace, grouping: self, modules, families: KernelFamilies::default() }
    }
}

/// Key of a row within a grouping.
pub(super) struct KernelKeys<'a> {
    trace: &'a Trace,
    grouping: KernelGrouping,
    /// The modules around calls, where they are a part of the key.
    modules: Option<PythonStacks>,
    families: KernelFamilies,
}

impl KernelKeys<'_> {
    pub(super) fn of(&mut self, activity: &Activity) -> Key {
        let name = self.trace.slices.name(activity.event);
        let by_name = Key {
            name,
            communication: activity.communication,
            operator: NameId::NONE,
            config: ConfigId::NONE,
            module: 0,
            family: None,
        };
        match self.grouping {
            KernelGrouping::Name => by_name,
            KernelGrouping::NameFamily => Key { family: Some(self.families.get(self.trace, activity)), ..by_name },
            KernelGrouping::NameOperatorLaunch => {
                let operator = activity.operator.get().map_or(NameId::NONE, |id| self.trace.slices.name(id));
                let family = Some(self.families.get(self.trace, activity));
                Key { operator, config: activity.config, family, ..by_name }
            }
            KernelGrouping::NameModule => {
                let calls = [activity.call, activity.operator].into_iter().filter_map(EventId::get);
                let around = |call| self.modules.as_ref().map(|modules| modules.around(call));
                let module = calls.filter_map(around).find(|module| *module != 0);
                Key { module: module.unwrap_or_default(), ..by_name }
            }
        }
    }

    /// Whether a kernel belongs to a row.
    pub(super) fn has(&mut self, row: &KernelRow, activity: &Activity) -> bool {
        self.of(activity) == row.key()
    }
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelRow {
    /// The kernel's name.
    pub name: NameId,
    /// Whether it communicates.
    pub communication: bool,
    /// The launching operator's name, where it is a part of the key.
    pub operator: NameId,
    /// The launch configuration, where it is a part of the key.
    pub config: ConfigId,
    /// The modules around the launching calls, outermost first, where they are a part of the key; empty outside of all
    /// modules.
    pub modules: Vec<NameId>,
    /// The number of these.
    module: u32,
    /// The family of all its launches, where it is a part of the key.
    pub family: Option<KernelFamily>,
    /// Statistics of the durations.
    pub time: Statistics,
    /// Share of the time of all kernels.
    pub share: f64,
    /// The same, including all rows before.
    pub cumulative_share: f64,
    /// Mean blocks per multiprocessor, weighted by duration; `None` if unknown.
    pub blocks_per_sm: Option<Covered>,
    /// Mean estimated achieved occupancy in percent, weighted by duration; `None` if unknown.
    pub occupancy_percent: Option<Covered>,
    /// Whether it uses tensor cores.
    pub tensor_cores: TensorCores,
}

/// The table of kernels. Rows are [`KernelRow`]s.
pub enum KernelTable {}

/// Context of the rows of the table of kernels.
#[derive(Clone, Copy, Debug)]
pub struct KernelContext<'a> {
    /// The trace of the rows.
    pub trace: &'a Trace,
    /// The divisor of sums.
    pub per: PerStep,
}

impl Rows for KernelTable {
    const ID: &'static str = "kernels";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::KernelName, |row, of| of.trace.strings.get(row.name).into()),
        Field::<Self>::new("calls", Unit::Count, |row, of| of.per.count(row.time.calls).into()).part(),
        Field::<Self>::new("total_ns", Unit::Duration, |row, of| of.per.time(row.time.total).into())
            .bar(Bar::Share("share_of_kernel_time"))
            .part(),
        Field::<Self>::new("share_of_kernel_time", Unit::Share, |row, _| row.share.into()),
        Field::<Self>::new("cumulative_share_of_kernel_time", Unit::Share, |row, _| row.cumulative_share.into()).data(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, _| row.time.mean.into()),
        Field::<Self>::new("median_ns", Unit::Duration, |row, _| row.time.median.into()),
        Field::<Self>::new("min_ns", Unit::Duration, |row, _| row.time.min.into()),
        Field::<Self>::new("max_ns", Unit::Duration, |row, _| row.time.max.into()),
        Field::<Self>::new("std_ns", Unit::Duration, |row, _| row.time.std.into()),
        Field::<Self>::new("variation", Unit::Share, |row, _| {
            Some(row.time).filter(|time| time.calls > 1).and_then(|time| time.std.ratio_of(time.mean)).into()
        }),
        Field::<Self>::new("class", Unit::Word("class"), |row, _| {
            Value::Word(if row.communication { "communication" } else { "compute" })
        }),
        Field::<Self>::new("blocks_per_sm", Unit::Number, |row, _| row.blocks_per_sm.into()).covered().wide(),
        Field::<Self>::new("occupancy_percent", Unit::Percent, |row, _| row.occupancy_percent.into()).covered().wide(),
        Field::<Self>::new("tensor_cores", Unit::Flag, |row, _| {
            row.tensor_cores.known().map_or(Value::Unknown, Value::Flag)
        })
        .data(),
        Field::<Self>::new("tensor_core_use", Unit::Word("tensor_core_use"), |row, _| {
            Value::Word(row.tensor_cores.name())
        }),
    ];
    const SORT: &'static str = "total_ns";
    type Row = KernelRow;
    type Context<'a> = KernelContext<'a>;
}

#[derive(Default)]
struct Group {
    lengths: Vec<Nanos>,
    blocks: Weighted,
    occupancy: Weighted,
}

/// Key of a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    name: NameId,
    communication: bool,
    operator: NameId,
    config: ConfigId,
    module: u32,
    pub(super) family: Option<KernelFamily>,
}

impl KernelRow {
    pub(super) fn key(&self) -> Key {
        let Self { name, communication, operator, config, module, family, .. } = *self;
        Key { name, communication, operator, config, module, family }
    }
}

/// The kernels of a trace, the longest total first.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":0,"dur":4},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":5,"dur":2},
///   {"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":9,"ts":8,"dur":2}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let rows = analyze::kernels(&trace, analyze::KernelGrouping::Name);
/// assert_eq!((rows[0].time.calls, rows[0].time.total, rows[0].time.mean), (2, Nanos(6_000), Nanos(3_000)));
/// assert_eq!((rows[0].share, rows[1].cumulative_share), (0.75, 1.0));
/// assert!(rows[1].communication);
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn kernels(trace: &Trace, grouping: KernelGrouping) -> Vec<KernelRow> {
    kernels_in(trace, grouping, None)
}

/// The kernels of a scope, or of the whole trace, the longest total first.
#[must_use]
pub fn kernels_in(trace: &Trace, grouping: KernelGrouping, scope: Option<&Scope<'_>>) -> Vec<KernelRow> {
    kernel_rows(trace, grouping, scope, &TensorCoreUse::of(trace, &GivenPeaks::default()))
}

/// The same, given the kernels' use of tensor cores.
#[must_use]
pub fn kernel_rows(
    trace: &Trace,
    grouping: KernelGrouping,
    scope: Option<&Scope<'_>>,
    tensor_cores: &TensorCoreUse,
) -> Vec<KernelRow> {
    let mut keys = grouping.keys(trace);
    let mut groups: HashMap<Key, Group, FxBuildHasher> = HashMap::default();
    for activity in activities_in(trace, scope).filter(|activity| trace.slices.class(activity.event) == Class::Kernel) {
        let length = trace.slices.length(activity.event);
        let group = groups.entry(keys.of(activity)).or_default();
        group.lengths.push(length);
        let config = trace.config(activity);
        group.blocks.add(config.and_then(LaunchConfig::recorded_blocks_per_sm), length);
        group.occupancy.add(config.and_then(LaunchConfig::achieved_occupancy), length);
    }
    let mut rows: Vec<KernelRow> =
        groups.into_iter().map(|(key, group)| row(key, keys.modules.as_ref(), group, tensor_cores)).collect();
    rows.compact_sort_by(|a, b| {
        let order =
            b.time.total.cmp(&a.time.total).then_with(|| trace.strings.get(a.name).cmp(trace.strings.get(b.name)));
        order
            .then_with(|| trace.strings.get(a.operator).cmp(trace.strings.get(b.operator)))
            .then_with(|| (a.communication, a.config, &a.modules).cmp(&(b.communication, b.config, &b.modules)))
            .then_with(|| a.family.cmp(&b.family))
    });
    let all: Nanos = rows.iter().map(|row| row.time.total).sum();
    let mut so_far = Nanos::ZERO;
    for row in &mut rows {
        so_far += row.time.total;
        row.share = row.time.total.ratio_of(all).unwrap_or_default();
        row.cumulative_share = so_far.ratio_of(all).unwrap_or_default();
    }
    rows
}

fn row(
    Key { name, communication, operator, config, module, family }: Key,
    modules: Option<&PythonStacks>,
    mut group: Group,
    used: &TensorCoreUse,
) -> KernelRow {
    KernelRow {
        modules: modules.map(|modules| modules.names(module)).unwrap_or_default(),
        module,
        name,
        communication,
        operator,
        config,
        family,
        time: Statistics::of(&mut group.lengths),
        share: 0.0,
        cumulative_share: 0.0,
        blocks_per_sm: group.blocks.mean(),
        occupancy_percent: group.occupancy.mean(),
        tensor_cores: if communication { TensorCores::NotUsed } else { used.get(name) },
    }
}
