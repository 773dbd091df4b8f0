//! A rank's communication by operation, group and size. METRICS section 4.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::cluster::{CollectiveKind, told_collective};
use super::per_step::PerStep;
use super::scope::{Scope, activities_in};
use super::statistics::Statistics;
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::{Collective, NO_SERIAL, NameId, Trace};

/// The communication kernels that do the same with as much data.
#[derive(Clone, Debug, PartialEq)]
pub struct CommunicationRow {
    /// The operation.
    pub kind: CollectiveKind,
    /// The process group's purpose, else its name; none if the trace has neither.
    pub group: NameId,
    /// Ranks in the group, if known.
    pub group_size: Option<u64>,
    /// The element type; none if unknown.
    pub dtype: NameId,
    /// Bytes of one call as nccl-tests counts them, if known.
    pub bytes: Option<u64>,
    /// Statistics of the durations. Waiting for other ranks is a part of them.
    pub time: Statistics,
}

impl CommunicationRow {
    /// The load of a link in GB/s over a time, as in nccl-tests; none if bytes or ranks are unknown.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate for display")]
    pub fn bus_gigabytes_per_second(&self, time: Nanos) -> Option<f64> {
        let factor = self.kind.bus_factor(self.group_size?)?;
        (time > Nanos::ZERO).then_some(self.bytes? as f64 / time.0 as f64 * factor)
    }
}

/// The table of a rank's communication. Rows are [`CommunicationRow`]s.
pub enum CommunicationTable {}

/// Context of the rows of [`CommunicationTable`].
#[derive(Clone, Copy, Debug)]
pub struct CommunicationContext<'a> {
    /// The trace of the rows.
    pub trace: &'a Trace,
    /// The divisor of sums.
    pub per: PerStep,
}

impl CommunicationContext<'_> {
    fn text(&self, name: NameId) -> Option<&str> {
        Some(self.trace.strings.get(name.get()?)).filter(|text| !text.is_empty())
    }
}

impl Rows for CommunicationTable {
    const ID: &'static str = "communication";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("operation", Unit::Word("collective"), |row, _| Value::Word(row.kind.name())),
        Field::<Self>::new("group", Unit::Text, |row, of| of.text(row.group).into()),
        Field::<Self>::new("group_size", Unit::Count, |row, _| row.group_size.into()),
        Field::<Self>::new("dtype", Unit::Text, |row, of| of.text(row.dtype).into()),
        Field::<Self>::new("bytes_per_call", Unit::Bytes, |row, _| row.bytes.into()),
        Field::<Self>::new("calls", Unit::Count, |row, of| of.per.count(row.time.calls).into()).part(),
        Field::<Self>::new("total_ns", Unit::Duration, |row, of| of.per.time(row.time.total).into())
            .bar(Bar::OfLargest)
            .part(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, _| row.time.mean.into()),
        Field::<Self>::new("min_ns", Unit::Duration, |row, _| row.time.min.into()),
        Field::<Self>::new("max_ns", Unit::Duration, |row, _| row.time.max.into()),
        Field::<Self>::new("bus_gigabytes_per_second", Unit::GigabytesPerSecond, |row, _| {
            row.bus_gigabytes_per_second(row.time.mean).into()
        }),
        Field::<Self>::new("best_bus_gigabytes_per_second", Unit::GigabytesPerSecond, |row, _| {
            row.bus_gigabytes_per_second(row.time.min).into()
        }),
    ];
    const SORT: &'static str = "total_ns";
    type Row = CommunicationRow;
    type Context<'a> = CommunicationContext<'a>;
}

/// The communication kernels of a scope, or of the whole trace, by operation, group and size, the longest total first.
///
/// ```
/// use stepscope::{Loader, analyze};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"kernel","name":"ncclDevKernel_Generic","pid":0,"tid":7,"ts":0,"dur":10,"args":{"stream":7,
///    "Collective name":"allreduce","dtype":"BFloat16","In msg nelems":50000,"Group size":2}},
///   {"ph":"X","cat":"kernel","name":"ncclDevKernel_Generic","pid":0,"tid":7,"ts":20,"dur":40,"args":{"stream":7,
///    "Collective name":"allreduce","dtype":"BFloat16","In msg nelems":50000,"Group size":2}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let [row] = &analyze::communication(&trace, None)[..] else { panic!("one kind") };
/// assert_eq!((row.time.calls, row.bytes), (2, Some(100_000)));
/// assert_eq!([row.time.mean, row.time.min].map(|time| row.bus_gigabytes_per_second(time)), [Some(4.0), Some(10.0)]);
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn communication(trace: &Trace, scope: Option<&Scope<'_>>) -> Vec<CommunicationRow> {
    type Key = (CollectiveKind, NameId, Option<u64>, NameId, Option<u64>);
    let mut groups: HashMap<Key, Vec<Nanos>, FxBuildHasher> = HashMap::default();
    for activity in activities_in(trace, scope).filter(|activity| activity.communication) {
        let kind = CollectiveKind::of_slice(trace, activity.event);
        let told = told_collective(trace, activity.event);
        let group = told.map_or(NameId::NONE, |told| match told.group_description.get() {
            Some(_) => told.group_description,
            None => told.group,
        });
        let size = |told: &Collective| Some(told.group_size).filter(|size| *size != NO_SERIAL).map(u64::from);
        let dtype = told.map_or(NameId::NONE, |told| told.dtype);
        let bytes = told.and_then(|told| kind.bytes(trace, told));
        groups
            .entry((kind, group, told.and_then(size), dtype, bytes))
            .or_default()
            .push(trace.slices.length(activity.event));
    }
    let row = |((kind, group, group_size, dtype, bytes), mut lengths): (Key, Vec<Nanos>)| CommunicationRow {
        kind,
        group,
        group_size,
        dtype,
        bytes,
        time: Statistics::of(&mut lengths),
    };
    let mut rows: Vec<CommunicationRow> = groups.into_iter().map(row).collect();
    let text = |name: NameId| trace.strings.get(name);
    rows.compact_sort_by(|a, b| {
        let order = b.time.total.cmp(&a.time.total).then_with(|| a.kind.cmp(&b.kind));
        let order = order.then_with(|| text(a.group).cmp(text(b.group))).then_with(|| text(a.dtype).cmp(text(b.dtype)));
        order.then_with(|| (a.group_size, a.bytes).cmp(&(b.group_size, b.bytes)))
    });
    rows
}
