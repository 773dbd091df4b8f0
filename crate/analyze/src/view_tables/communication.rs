//! A rank's communication by operation, group and size.

use super::kind::{InView, TablePart};
use crate::cluster::{CollectiveKind, collective_of};
use crate::per_step::PerStep;
use crate::scope::{Scope, activities_in};
use crate::statistics::Statistics;
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_table::{Bar, Field, Rows, Table, Unit, Value, View};
use stepscope_trace::{Collective, NO_SERIAL, NameId, Trace};

/// The communication kernels that do the same with as much data.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CommunicationRow {
    /// The operation.
    kind: CollectiveKind,
    /// The process group's name; none if the trace has none.
    group: NameId,
    /// The group's purpose; none if the trace has none.
    purpose: NameId,
    /// Ranks in the group, if known.
    group_size: Option<u64>,
    /// The element type; none if unknown.
    dtype: NameId,
    /// The mean bytes of a call as nccl-tests counts them, if known. Sizes are alike: equal, or within a power of two where
    /// there are many.
    bytes: Option<u64>,
    /// The most bytes per ns of a call; none if unknown.
    best: Option<f64>,
    /// Statistics of the durations. Waiting for other ranks is a part of them.
    time: Statistics,
}

impl CommunicationRow {
    /// The load of a link in GB/s as in nccl-tests, in the mean call and in the one with the highest rate; none if bytes or
    /// ranks are unknown.
    #[expect(clippy::cast_precision_loss, reason = "a rate for display")]
    fn bus_gigabytes_per_second(&self) -> [Option<f64>; 2] {
        let factor = self.group_size.and_then(|size| self.kind.bus_factor(size));
        let mean = self.bytes.filter(|_| self.time.mean > Nanos::ZERO);
        let mean = mean.map(|bytes| bytes as f64 / self.time.mean.0 as f64);
        [mean, self.best].map(|rate| Some(rate? * factor?))
    }
}

/// The table of a rank's communication. Rows are [`CommunicationRow`]s.
pub(super) enum CommunicationTable {}

impl InView for CommunicationTable {
    fn table(of: &TablePart<'_>) -> Table {
        let context = CommunicationContext { trace: of.trace, per: of.per };
        Table::of::<Self>(&communication(of.trace, of.scope), &context)
    }
}

/// Context of the rows of [`CommunicationTable`].
#[derive(Clone, Copy, Debug)]
pub(super) struct CommunicationContext<'a> {
    /// The trace of the rows.
    trace: &'a Trace,
    /// The divisor of sums.
    per: PerStep,
}

impl CommunicationContext<'_> {
    fn text(&self, name: NameId) -> Option<&str> {
        // PyTorch calls a group without a purpose undefined.
        Some(self.trace.strings.get(name.get()?)).filter(|text| !matches!(*text, "" | "undefined"))
    }
}

impl Rows for CommunicationTable {
    const ID: &'static str = "communication";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("operation", Unit::Word("collective"), |row, _| Value::Word(row.kind.name())),
        Field::<Self>::new("group", Unit::Text, |row, of| of.text(row.purpose).or(of.text(row.group)).into()),
        Field::<Self>::new("group_name", Unit::Text, |row, of| of.text(row.group).into()).wide(),
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
            row.bus_gigabytes_per_second()[0].into()
        }),
        Field::<Self>::new("best_bus_gigabytes_per_second", Unit::GigabytesPerSecond, |row, _| {
            row.bus_gigabytes_per_second()[1].into()
        }),
    ];
    const SORT: &'static str = "total_ns";
    const VIEW: Option<View> = Some(View::Communication);
    type Row = CommunicationRow;
    type Context<'a> = CommunicationContext<'a>;
}

/// The communication kernels of a scope, or of the whole trace, by operation, group and size, the longest total first.
#[expect(clippy::cast_precision_loss, reason = "a rate for display")]
fn communication(trace: &Trace, scope: Option<&Scope<'_>>) -> Vec<CommunicationRow> {
    type Key = (CollectiveKind, [NameId; 3], Option<u64>, Option<u64>);
    /// More sizes than these are put together by powers of two.
    const SIZES: usize = 200;
    let mut calls: Vec<(Key, (Nanos, u64))> = Vec::new();
    for activity in activities_in(trace, scope).filter(|activity| activity.communication) {
        let kind = CollectiveKind::of_slice(trace, activity.event);
        let found = collective_of(trace, activity.event);
        let names = found.map_or([NameId::NONE; 3], |found| [found.group, found.group_description, found.dtype]);
        let size = |found: &Collective| Some(found.group_size).filter(|size| *size != NO_SERIAL).map(u64::from);
        let bytes = kind.bytes_of_slice(trace, activity.event, found.and_then(size));
        let call = (trace.slices.length(activity.event), bytes.unwrap_or_default());
        calls.push(((kind, names, found.and_then(size), bytes), call));
    }
    calls.compact_sort();
    if calls.chunk_by(|(one, _), (other, _)| one == other).nth(SIZES).is_some() {
        for ((.., bytes), _) in &mut calls {
            *bytes = bytes.map(|bytes| bytes.checked_next_power_of_two().unwrap_or(u64::MAX));
        }
        calls.compact_sort();
    }
    let row = |calls: &[(Key, (Nanos, u64))]| {
        let ((kind, [group, purpose, dtype], group_size, bytes), _) = *calls.first()?;
        let calls = calls.iter().map(|(_, call)| *call);
        let mut lengths: Vec<Nanos> = calls.clone().map(|(length, _)| length).collect();
        let sum = calls.clone().fold(0_u64, |sum, (_, bytes)| sum.saturating_add(bytes));
        let mean = sum.checked_div(calls.len() as u64);
        let rates = calls.filter(|(length, _)| *length > Nanos::ZERO);
        let best = rates.map(|(length, bytes)| bytes as f64 / length.0 as f64).reduce(f64::max);
        let time = Statistics::of(&mut lengths);
        Some(CommunicationRow {
            kind,
            group,
            purpose,
            group_size,
            dtype,
            bytes: bytes.and(mean),
            best: best.filter(|_| bytes.is_some()),
            time,
        })
    };
    let groups = calls.chunk_by(|(one, _), (other, _)| one == other);
    let mut rows: Vec<CommunicationRow> = groups.filter_map(row).collect();
    let text = |name: NameId| trace.strings.get(name);
    rows.compact_sort_by(|a, b| {
        let order = b.time.total.cmp(&a.time.total).then_with(|| a.kind.cmp(&b.kind));
        let texts = |row: &CommunicationRow| [row.group, row.purpose, row.dtype].map(text);
        order.then_with(|| texts(a).cmp(&texts(b))).then_with(|| (a.group_size, a.bytes).cmp(&(b.group_size, b.bytes)))
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_input::Loader;

    fn rows_of(text: &str) -> Vec<CommunicationRow> {
        let mut loader = Loader::new("a.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        communication(&loader.finish().expect("a trace").trace, None)
    }

    #[test]
    fn the_load_of_a_link_is_that_of_nccl_tests() {
        let collective = |start: u32, length: u32| {
            format!(
                r#"{{"ph":"X","cat":"kernel","name":"ncclDevKernel_Generic","pid":0,"tid":7,"ts":{start},"dur":{length},"args":{{
                 "stream":7,"Collective name":"allreduce","dtype":"BFloat16","In msg nelems":50000,"Group size":2}}}}"#
            )
        };
        let events = [collective(0, 10), collective(20, 40)].join(",");
        let rows = rows_of(&format!(r#"{{"deviceProperties": [], "traceEvents": [{events}]}}"#));
        let [row] = &rows[..] else { panic!("one kind: {rows:?}") };
        assert_eq!((row.time.calls, row.bytes), (2, Some(100_000)));
        assert_eq!(row.bus_gigabytes_per_second(), [Some(4.0), Some(10.0)]);
    }

    #[test]
    fn sizes_of_the_inputs_serve_where_collectives_have_none() {
        // As PyTorch before 2.3 writes it: the range of the library's call has the inputs, the operator around it others.
        let collective = |start: u32, correlation: u32, name: &str, bytes: u32| {
            let end = start + 10;
            format!(
                r#"{{"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":1,"tid":1,"ts":{start},"dur":9,"args":{{
                 "Input Dims":[[],[]],"Input type":["TensorList","Scalar"]}}}},
                {{"ph":"X","cat":"user_annotation","name":"{name}","pid":1,"tid":1,"ts":{start},"dur":8,"args":{{
                 "Input Dims":[[{bytes}]],"Input type":["unsigned char"]}}}},
                {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{start},"dur":2,"args":{{
                 "correlation":{correlation}}}}},
                {{"ph":"X","cat":"kernel","name":"ncclKernel_SendRecv(ncclDevComm*)","pid":0,"tid":7,"ts":{end},"dur":20,
                 "args":{{"stream":7,"correlation":{correlation}}}}}"#
            )
        };
        let events = [
            collective(0, 1, "nccl:all_to_all", 64),
            collective(50, 2, "nccl:all_to_all", 64),
            // A gather's bytes are those of all ranks, and how many these are is not known.
            collective(100, 3, "nccl:all_gather", 64),
        ];
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(",\n"));
        let rows = rows_of(&text);
        let found: Vec<_> = rows.iter().map(|row| (row.kind, row.time.calls, row.bytes)).collect();
        assert_eq!(found, [(CollectiveKind::AllToAll, 2, Some(64)), (CollectiveKind::AllGather, 1, None)]);
    }
}
