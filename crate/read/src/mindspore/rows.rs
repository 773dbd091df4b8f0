//! What the rows of a timeline hold, by what their process and thread are called, or (in files of 2.0, whose
//! names come last) numbered.

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

/// What an event of a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// An operator that the host ran, or launched.
    Operator,
    /// A function of Python.
    PythonFrame,
    /// A call of CANN.
    Call,
    /// A range that somebody marked.
    Range,
    /// A step, as the framework itself marks it.
    FrameworkStep,
    /// What operators of one scope take together, as the profiler computed from their names.
    Scope,
    /// A step by the step trace.
    Step,
    /// A part of a step by the step trace: forward and backward, what follows, an all-reduce in it.
    StepPart,
    /// A task of a device's stream, by its type.
    Task,
    /// An operator on a device's stream: of MindSpore's own timeline, which tells no type of task.
    DeviceOperator,
    /// An operator on the device's CPU.
    AiCpu,
    /// A collective.
    Collective,
    /// A task of a collective, which a stream of the device shows once more.
    CollectivePart,
    /// What the profiler computed: computation, communication, free time.
    Computed,
    /// A kernel or copy of a GPU.
    GpuActivity,
    /// None of these.
    Other,
}

impl Row {
    /// Whether the row is of a device's stream.
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

/// What is known of a file's rows so far.
#[derive(Default)]
pub(super) struct Rows {
    processes: HashMap<RawId, Process, FxBuildHasher>,
    threads: HashMap<(RawId, RawId), Thread, FxBuildHasher>,
}

impl Rows {
    /// Hears what a process is called.
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

    /// Hears what a thread is called.
    pub(super) fn thread(&mut self, process: RawId, thread: RawId, name: &str) {
        if name.contains("Plane") {
            self.threads.insert((process, thread), Thread::Plane);
        } else if name.starts_with("Step Trace") {
            self.threads.insert((process, thread), Thread::Steps);
        }
    }

    /// What an event of a row is.
    pub(super) fn of(&self, event: &Event<'_>) -> Row {
        let thread = self.threads.get(&(event.process, event.thread)).copied();
        match self.processes.get(&event.process) {
            Some(Process::CpuOperators) => Row::Operator,
            Some(Process::Scopes) => Row::Scope,
            Some(Process::Marks) => Row::Range,
            Some(Process::Framework) => framework(event),
            Some(Process::Cann) => Row::Call,
            Some(Process::Steps) => step(event),
            Some(Process::Hardware) if thread == Some(Thread::Steps) => step(event),
            Some(Process::Hardware) if event.object.inner(TASK_TYPE).is_some() => Row::Task,
            Some(Process::Hardware) => Row::DeviceOperator,
            Some(Process::Collectives) if thread == Some(Thread::Plane) => Row::CollectivePart,
            Some(Process::Collectives) => Row::Collective,
            Some(Process::Computed) => Row::Computed,
            Some(Process::Other) => Row::Other,
            None => numbered(event),
        }
    }
}

/// An event of the framework's threads.
fn framework(event: &Event<'_>) -> Row {
    let name = event.name.as_deref().unwrap_or_default();
    if name.starts_with(b"ProfilerStep#") {
        Row::FrameworkStep
    } else if name.windows(4).any(|part| part == b".py(") {
        Row::PythonFrame
    } else {
        Row::Operator
    }
}

/// An event of the step trace.
fn step(event: &Event<'_>) -> Row {
    if *event.category == *b"Iteration Time" { Row::Step } else { Row::StepPart }
}

/// What rows are in files of 2.0 and before.
fn numbered(event: &Event<'_>) -> Row {
    match event.process {
        RawId::Number(9000) => return Row::AiCpu,
        RawId::Number(10_000) => return Row::Collective,
        RawId::Number(11_000) => return Row::Operator,
        RawId::Number(12_000) => return Row::Computed,
        RawId::Number(13_000) => return Row::GpuActivity,
        _ => {}
    }
    match event.thread {
        RawId::Number(100_000) => return Row::Step,
        RawId::Number(100_001) => return Row::Scope,
        RawId::Number(100_002 | 100_003) => return Row::Operator,
        _ => {}
    }
    let text = |value: Option<Value<'_>>| matches!(value, Some(Value::Text(_)));
    match event.object.get(crate::chrome::keys::THREAD) {
        Some(Value::Text(thread)) => match &*thread.bytes() {
            b"Steps" => Row::Step,
            b"Scope Name" => Row::Scope,
            b"Ops" | b"GpuOps" => Row::Operator,
            thread if thread.starts_with(b"HostCpuOps") => Row::Operator,
            _ if is_gpu_call(event.object) => Row::GpuActivity,
            _ => Row::DeviceOperator,
        },
        _ if is_gpu_call(event.object) => Row::GpuActivity,
        _ if text(event.object.inner(TASK_TYPE)) => Row::Task,
        _ => Row::DeviceOperator,
    }
}

/// Whether an event names the CUDA call that launched it.
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
