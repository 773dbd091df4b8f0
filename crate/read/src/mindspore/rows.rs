//! The kinds of a timeline's rows, by the names of their process and thread. Files of 2.0, whose names come last, are
//! read by their numbers.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::chrome::Event;
use stepscope_parse::{Key, Object, Value};
use stepscope_trace::RawId;

crate::chrome::keys::keys! {
    KIND = "type";
    FULL_NAME = "op_full_name";
    BLOCK = "block_dim";
    GRID = "grid_dim";
    TASK_TYPE = "Task Type";
    PLANE_STREAM = "stream id";
    CONNECTION = "connection_id";
    ITERATION = "Iteration ID";
    SEQUENCE_NUMBER = "Sequence number";
    FORWARD_THREAD = "Fwd thread id";
    INPUT_DIMS = "Input Dims";
    INPUT_TYPE = "Input type";
    CALL_STACK = "Call stack";
}

/// The kind of an event, by its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowKind {
    /// An operator that the host ran, or launched.
    Operator,
    /// A function of Python.
    PythonFrame,
    /// A call of CANN.
    Call,
    /// A range marked by the user.
    Range,
    /// A step, marked by the framework.
    FrameworkStep,
    /// The time of the operators of one scope, computed by the profiler from their names.
    Scope,
    /// A step of the step trace.
    Step,
    /// A part of a step in the step trace: forward and backward, the tail, an all-reduce.
    StepPart,
    /// A task of a device's stream, by its type.
    Task,
    /// An operator on a device's stream, from MindSpore's own timeline, which has no types of tasks.
    DeviceOperator,
    /// An operator on the device's CPU.
    AiCpu,
    /// A collective.
    Collective,
    /// A task of a collective, which a stream of the device shows as well.
    CollectivePart,
    /// A result of the profiler: computation, communication, free time.
    Computed,
    /// A kernel or copy of a GPU.
    GpuActivity,
    /// None of these.
    Other,
}

impl RowKind {
    /// Whether the row belongs to a device's stream.
    pub(super) fn is_on_device(self) -> bool {
        matches!(
            self,
            Self::Task
                | Self::DeviceOperator
                | Self::AiCpu
                | Self::Collective
                | Self::CollectivePart
                | Self::GpuActivity
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Process {
    CpuOperators,
    Scopes,
    Framework,
    Marks,
    Cann,
    Hardware,
    Collectives,
    Computed,
    Steps,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thread {
    Plane,
    Steps,
}

/// The rows of a file, as far as known.
#[derive(Default)]
pub(super) struct Rows {
    processes: HashMap<RawId, Process, FxBuildHasher>,
    threads: HashMap<(RawId, RawId), Thread, FxBuildHasher>,
    /// The graphs whose steps are on a thread.
    graphs: HashMap<(RawId, RawId), u64, FxBuildHasher>,
}

impl Rows {
    /// Takes the name of a process.
    pub(super) fn process(&mut self, id: RawId, name: &str) {
        let is = |prefix: &str| name.starts_with(prefix);
        let kind = match () {
            () if is("CPU OP") || is("Host CPU OP") => Process::CpuOperators,
            () if is("Scope Layer") => Process::Scopes,
            () if is("MindSpore") => Process::Framework,
            () if name.eq_ignore_ascii_case("mstx") => Process::Marks,
            () if is("CANN") || is("AscendCL") => Process::Cann,
            () if is("Ascend Hardware") => Process::Hardware,
            () if is("HCCL") || is("Communication") => Process::Collectives,
            () if is("Overlap Analysis") => Process::Computed,
            () if is("Step Trace") => Process::Steps,
            () => Process::Other,
        };
        self.processes.insert(id, kind);
    }

    /// Takes the name of a thread.
    pub(super) fn thread(&mut self, process: RawId, thread: RawId, name: &str) {
        if let Some(graph) = graph_of(name) {
            self.graphs.insert((process, thread), graph);
        }
        if name.contains("Plane") {
            self.threads.insert((process, thread), Thread::Plane);
        } else if name.starts_with("Step Trace") {
            self.threads.insert((process, thread), Thread::Steps);
        }
    }

    /// The graph of an event of the step trace, from its own name, else from its thread's.
    pub(super) fn graph(&self, event: &Event<'_>) -> Option<u64> {
        let own = event.name.as_deref().and_then(|name| graph_of(std::str::from_utf8(name).ok()?));
        own.or_else(|| self.graphs.get(&(event.process, event.thread)).copied())
    }

    /// The kind of an event.
    pub(super) fn of(&self, event: &Event<'_>) -> RowKind {
        let thread = self.threads.get(&(event.process, event.thread)).copied();
        match self.processes.get(&event.process) {
            Some(Process::CpuOperators) => RowKind::Operator,
            Some(Process::Scopes) => RowKind::Scope,
            Some(Process::Marks) => RowKind::Range,
            Some(Process::Framework) => framework(event),
            Some(Process::Cann) => RowKind::Call,
            Some(Process::Steps) => step(event),
            Some(Process::Hardware) if thread == Some(Thread::Steps) => step(event),
            Some(Process::Hardware) if event.object.inner(TASK_TYPE).is_some() => RowKind::Task,
            Some(Process::Hardware) => RowKind::DeviceOperator,
            Some(Process::Collectives) if thread == Some(Thread::Plane) => RowKind::CollectivePart,
            Some(Process::Collectives) => RowKind::Collective,
            Some(Process::Computed) => RowKind::Computed,
            Some(Process::Other) => RowKind::Other,
            None => numbered(event),
        }
    }
}

/// The number of a graph in a name: `Step Trace(Model ID:2)`, `Model ID: 2 Iteration ID: 1`.
fn graph_of(name: &str) -> Option<u64> {
    let (_, number) = name.split_once("Model ID:")?;
    let number = number.trim_start();
    number[..number.find(|character: char| !character.is_ascii_digit()).unwrap_or(number.len())].parse().ok()
}

/// The kind of an event on the framework's threads.
fn framework(event: &Event<'_>) -> RowKind {
    let name = event.name.as_deref().unwrap_or_default();
    if name.starts_with(b"ProfilerStep#") {
        RowKind::FrameworkStep
    } else if name.windows(4).any(|part| part == b".py(") {
        RowKind::PythonFrame
    } else {
        RowKind::Operator
    }
}

/// The kind of an event of the step trace.
fn step(event: &Event<'_>) -> RowKind {
    if *event.category == *b"Iteration Time" { RowKind::Step } else { RowKind::StepPart }
}

/// The kind of an event by numbers, in files of 2.0 and before.
fn numbered(event: &Event<'_>) -> RowKind {
    match event.process {
        RawId::Number(9000) => return RowKind::AiCpu,
        RawId::Number(10_000) => return RowKind::Collective,
        RawId::Number(11_000) => return RowKind::Operator,
        RawId::Number(12_000) => return RowKind::Computed,
        RawId::Number(13_000) => return RowKind::GpuActivity,
        _ => {}
    }
    match event.thread {
        RawId::Number(100_000) => return RowKind::Step,
        RawId::Number(100_001) => return RowKind::Scope,
        RawId::Number(100_002 | 100_003) => return RowKind::Operator,
        _ => {}
    }
    let text = |value: Option<Value<'_>>| matches!(value, Some(Value::Text(_)));
    match event.object.get(crate::chrome::keys::THREAD) {
        Some(Value::Text(thread)) => match &*thread.bytes() {
            b"Steps" => RowKind::Step,
            b"Scope Name" => RowKind::Scope,
            b"Ops" | b"GpuOps" => RowKind::Operator,
            thread if thread.starts_with(b"HostCpuOps") => RowKind::Operator,
            _ if is_gpu_call(event.object) => RowKind::GpuActivity,
            _ => RowKind::DeviceOperator,
        },
        _ if is_gpu_call(event.object) => RowKind::GpuActivity,
        _ if text(event.object.inner(TASK_TYPE)) => RowKind::Task,
        _ => RowKind::DeviceOperator,
    }
}

/// Whether an event has the name of the CUDA call that launched it.
fn is_gpu_call(object: &Object<'_>) -> bool {
    matches!(object.inner(KIND), Some(Value::Text(text)) if text.bytes().starts_with(b"cu"))
}

/// The text of an argument; empty if there is none.
pub(super) fn text(object: &Object<'_>, key: Key) -> String {
    match object.inner(key) {
        Some(Value::Text(text)) => String::from_utf8_lossy(&text.bytes()).into_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_which_graph_it_is_of() {
        let cases = [
            ("Step Trace(Model ID:12)", Some(12)),
            ("Model ID:2", Some(2)),
            ("Model ID: 4294967295 Iteration ID: 1", Some(4_294_967_295)),
            ("Model ID:N/A", None),
            ("Iteration 3", None),
            ("Stream 7", None),
        ];
        for (name, graph) in cases {
            assert_eq!(graph_of(name), graph, "{name}");
        }
    }
}
