//! The host's waits for devices: which calls wait, and which parts of the program make them.

use std::ops::Range;

use super::kind::{InView, TablePart};
use crate::advice::{operator_around, range_around};
use crate::idle::python_of;
use crate::per_step::PerStep;
use crate::scope::Scope;
use crate::statistics::Statistics;
use crate::steps::Steps;
use crate::waiting_calls::WaitingCalls;
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_table::{Bar, Field, Rows, Table, Unit, Value, View};
use stepscope_trace::{Class, EventId, NameId, Trace, TrackId};

/// The waits of a call in a part of the program.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SynchronizationRow {
    /// The call.
    name: NameId,
    /// The outermost operator around it; none outside of operators.
    operator: NameId,
    /// The innermost range of the program around it; none without one.
    range: NameId,
    /// The innermost function of Python around it that is not built in; none where none is recorded.
    function: NameId,
    /// Statistics of the durations.
    time: Statistics,
    /// The longest call.
    longest: EventId,
}

/// The table of waits for devices.
pub(super) enum SynchronizationTable {}

impl Rows for SynchronizationTable {
    const ID: &'static str = "synchronizations";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("slice", Unit::Id, |row, _| Value::id(row.longest.0.into())).event(),
        Field::<Self>::new("name", Unit::Text, |row, of| of.text(row.name)),
        Field::<Self>::new("operator", Unit::Text, |row, of| of.text(row.operator)),
        Field::<Self>::new("range", Unit::Text, |row, of| of.text(row.range)),
        Field::<Self>::new("function", Unit::Text, |row, of| of.text(row.function)),
        Field::<Self>::new("calls", Unit::Count, |row, of| of.per.count(row.time.calls).into()).part(),
        Field::<Self>::new("total_ns", Unit::Duration, |row, of| of.per.time(row.time.total).into())
            .bar(Bar::OfLargest)
            .part(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, _| row.time.mean.into()),
        Field::<Self>::new("max_ns", Unit::Duration, |row, _| row.time.max.into()),
    ];
    const FIRST: &'static [&'static str] = &["name"];
    const SORT: &'static str = "total_ns";
    const VIEW: Option<View> = Some(View::Idle);
    type Row = SynchronizationRow;
    type Context<'a> = SynchronizationContext<'a>;
}

/// Context of the rows of [`SynchronizationTable`].
#[derive(Clone, Copy, Debug)]
pub(super) struct SynchronizationContext<'a> {
    /// The trace of the rows.
    trace: &'a Trace,
    /// The divisor of sums.
    per: PerStep,
}

impl SynchronizationContext<'_> {
    fn text(&self, name: NameId) -> Value<'_> {
        name.get().map(|name| self.trace.strings.get(name)).into()
    }
}

impl InView for SynchronizationTable {
    fn table(of: &TablePart<'_>) -> Table {
        let context = SynchronizationContext { trace: of.trace, per: of.per };
        Table::of::<Self>(&synchronizations(of.trace, &of.analysis.steps, of.scope), &context)
    }
}

/// The waits of a scope, or of the whole trace, by call and the part of the program that makes it, the longest total first.
/// A call within another one that waits does not count.
fn synchronizations(trace: &Trace, steps: &Steps, scope: Option<&Scope<'_>>) -> Vec<SynchronizationRow> {
    let mut waiting = WaitingCalls::of(trace);
    let mut functions = Functions { trace, thread: TrackId::NONE, frames: 0..0, open: Vec::new() };
    let mut calls: Vec<([NameId; 4], EventId)> = Vec::new();
    let is_inside = |id: &EventId| scope.is_none_or(|scope| scope.has_slice(trace, *id));
    for id in trace.slices_of(Class::RuntimeCall).filter(is_inside) {
        let is_call = |outer: &EventId| trace.slices.class(*outer) == Class::RuntimeCall;
        if !waiting.has(id) || trace.slices.ancestors(id).filter(is_call).any(|outer| waiting.has(outer)) {
            continue;
        }
        let function = functions.around(id);
        let around = [operator_around(trace, id), range_around(trace, &steps.steps, id), function];
        let [operator, range, function] = around.map(|id| id.map_or(NameId::NONE, |id| trace.slices.name(id)));
        calls.push(([trace.slices.name(id), operator, range, function], id));
    }
    calls.compact_sort();
    let row = |calls: &[([NameId; 4], EventId)]| {
        let ([name, operator, range, function], _) = *calls.first()?;
        let mut lengths: Vec<Nanos> = calls.iter().map(|(_, id)| trace.slices.length(*id)).collect();
        let time = Statistics::of(&mut lengths);
        let longest = calls.iter().map(|(_, id)| *id).find(|id| trace.slices.length(*id) == time.max)?;
        Some(SynchronizationRow { name, operator, range, function, time, longest })
    };
    let mut rows: Vec<SynchronizationRow> =
        calls.chunk_by(|(one, _), (other, _)| one == other).filter_map(row).collect();
    rows.compact_sort_by(|a, b| b.time.total.cmp(&a.time.total).then(a.longest.cmp(&b.longest)));
    rows
}

/// The functions of Python around calls that come by thread and start.
struct Functions<'a> {
    trace: &'a Trace,
    thread: TrackId,
    /// The places of those of the thread that have not begun at the last call.
    frames: Range<usize>,
    /// Those that have begun, and may be open.
    open: Vec<EventId>,
}

impl Functions<'_> {
    /// The innermost function around a call that is not built in; where the trace has none, nothing.
    fn around(&mut self, call: EventId) -> Option<EventId> {
        let (slices, thread) = (&self.trace.slices, self.trace.slices.track(call));
        if thread != self.thread {
            self.thread = thread;
            self.open.clear();
            let python = python_of(self.trace, thread);
            self.frames = python.map_or(0..0, |python| self.trace.tracks[python.index()].rows());
        }
        let start = slices.start(call);
        while let Some(frame) = self.frames.clone().next().map(EventId::from_index)
            && slices.start(frame) <= start
        {
            self.frames.start += 1;
            while self.open.pop_if(|open| slices.end(*open) <= slices.start(frame)).is_some() {}
            self.open.push(frame);
        }
        // Names of objects' methods differ from object to object.
        let is_one = |id: &&EventId| slices.end(**id) > start && !self.trace.name_of(**id).starts_with('<');
        self.open.iter().rev().find(is_one).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnalysisConfig, analyze};
    use stepscope_input::Loader;

    /// A trace of events, and the waits in all of it.
    fn rows_of<T: AsRef<str>>(events: &[T]) -> (Trace, Vec<SynchronizationRow>) {
        let events: Vec<&str> = events.iter().map(AsRef::as_ref).collect();
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(",\n"));
        let mut loader = Loader::new("a.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        let steps = analyze(&trace, &AnalysisConfig::standard()).steps;
        let rows = synchronizations(&trace, &steps, None);
        (trace, rows)
    }

    #[test]
    fn waits_are_told_apart_by_the_part_of_the_program() {
        let slice = |category: &str, name: &str, start: u32, length: u32| {
            format!(
                r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":1,"ts":{start},"dur":{length},"args":{{}}}}"#
            )
        };
        let events = [
            slice("python_function", "train.py(8): step", 0, 90),
            slice("python_function", "<built-in method item of Tensor object at 0x7f>", 1, 28),
            slice("cpu_op", "aten::item", 2, 26),
            slice("cpu_op", "aten::_local_scalar_dense", 3, 24),
            slice("cuda_runtime", "cudaStreamSynchronize", 4, 20),
            // The driver's call within the runtime's is the same wait.
            slice("cuda_driver", "cuStreamSynchronize", 5, 18),
            slice("python_function", "<built-in method item of Tensor object at 0x80>", 31, 9),
            slice("cpu_op", "aten::item", 32, 7),
            slice("cuda_runtime", "cudaStreamSynchronize", 33, 5),
            slice("user_annotation", "validate", 50, 30),
            slice("cuda_runtime", "cudaDeviceSynchronize", 60, 10),
            slice("cuda_runtime", "cudaLaunchKernel", 72, 2),
        ];
        let (trace, rows) = rows_of(&events);
        let name = |name: NameId| name.get().map_or("", |name| trace.strings.get(name));
        let found: Vec<_> = rows
            .iter()
            .map(|row| ([row.name, row.operator, row.range, row.function].map(name), row.time.calls, row.time.total))
            .collect();
        assert_eq!(
            found,
            [
                (["cudaStreamSynchronize", "aten::item", "", "train.py(8): step"], 2, Nanos(25_000)),
                (["cudaDeviceSynchronize", "", "validate", "train.py(8): step"], 1, Nanos(10_000)),
            ]
        );
        assert_eq!(trace.slices.length(rows[0].longest), Nanos(20_000));
    }

    fn names_of(events: &[&str]) -> Vec<String> {
        let (trace, rows) = rows_of(events);
        rows.iter().map(|row| trace.strings.get(row.name).to_owned()).collect()
    }

    #[test]
    fn a_wait_in_a_devices_own_queue_is_the_hosts() {
        let names = names_of(&[
            r#"{"ph":"X","cat":"mtia_runtime","name":"synchronizeStream","pid":1,"tid":1,"ts":0,"dur":9,"args":{"correlation":5}}"#,
            r#"{"ph":"X","cat":"mtia_runtime","name":"synchronize","pid":17,"tid":3,"ts":1,"dur":7,"args":{"correlation":5}}"#,
            r#"{"ph":"X","cat":"kernel","name":"fc","pid":17,"tid":7,"ts":2,"dur":5,"args":{"device":17,"stream":7}}"#,
        ]);
        assert_eq!(names, ["synchronizeStream"]);
    }

    /// In a container, processes have numbers as small as those of devices.
    #[test]
    fn a_wait_of_a_process_with_a_devices_number_stays() {
        let names = names_of(&[
            r#"{"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":1,"tid":1,"ts":0,"dur":9,"args":{}}"#,
            r#"{"ph":"X","cat":"kernel","name":"fc","pid":1,"tid":7,"ts":2,"dur":5,"args":{"device":1,"stream":7}}"#,
            r#"{"ph":"X","cat":"cuda_runtime","name":"cudaGetDeviceCount","pid":900,"tid":900,"ts":0,"dur":2,"args":{}}"#,
        ]);
        assert_eq!(names, ["cudaStreamSynchronize"]);
    }
}
