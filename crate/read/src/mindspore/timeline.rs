//! The meaning of a timeline's events for the trace model.

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::devices;
use super::facts::{clock, fact, note};
use super::part;
use super::repeats::{GRAPH, Repeated, repeated};
use super::rows::{self, RowKind as Kind, Rows, text};
use super::sniff::is_host_info;
use super::tasks::{Task, gpu_class, task};
use crate::Head;
use crate::chrome::{self, Core, Dialect, Event, args, keys};
use crate::{Counts, Finished, Reading};
use stepscope_base::Error;
use stepscope_base::{Code, Interval, Nanos, Warnings};
use stepscope_parse::{Decimal, Object, Value};
use stepscope_trace::{
    Activity, AddedSlice, Argument, ArgumentValue, Call, Class, LaunchConfig, Layer, NO_SERIAL, NameId, NewSlice,
    Operation, RawId, Serial, Stream, TraceBuilder,
};

/// Starts to read a timeline; one that repeats earlier files is left out.
pub(super) fn start(builder: TraceBuilder) -> Box<dyn Reading> {
    match repeated(&builder) {
        Repeated::All(file) => Box::new(LeftOut::new(builder, file)),
        Repeated::Iterations(_) => chrome::start::<Timeline>(builder),
    }
}

/// A file that is left out because another file of the rank has the same events.
pub(super) struct LeftOut {
    builder: TraceBuilder,
    other: String,
    space: Vec<u8>,
}

impl LeftOut {
    pub(super) fn new(builder: TraceBuilder, other: String) -> Self {
        Self { builder, other, space: Vec::new() }
    }
}

impl Reading for LeftOut {
    fn space(&mut self, len: usize) -> &mut [u8] {
        self.space.resize(len.max(self.space.len()), 0);
        &mut self.space[..len]
    }

    fn advance(&mut self, _len: usize) -> Result<(), Error> {
        Ok(())
    }

    fn counts(&self) -> Counts {
        Counts::of(&self.builder)
    }

    fn finish(self: Box<Self>) -> Finished {
        let mut warnings = Warnings::default();
        let other = self.other;
        warnings.add(Code::RepeatedTimeline, None, || other);
        Finished { builder: self.builder, warnings, error: None }
    }
}

/// The meaning of MindSpore's and msprof's rows.
#[derive(Default)]
pub(super) struct Timeline {
    begun: bool,
    is_host_info: bool,
    device: i64,
    /// The iterations of a step trace in earlier files, each with its graph.
    known_iterations: HashSet<(Option<u64>, u64), FxBuildHasher>,
    /// The graph in the file's name.
    file_graph: Option<u64>,
    /// Whether its clock differs from the rank's; all events are then left out.
    other_clock: Option<bool>,
    rows: Rows,
    /// Slices of steps, and their names.
    steps: Vec<(AddedSlice, NameId)>,
    /// The only device whose rows are read.
    only: Option<i64>,
    /// Whether the framework marks steps.
    marks_steps: bool,
    /// The end of the last step read of each graph.
    step_ends: HashMap<Option<u64>, Nanos, FxBuildHasher>,
    /// The last operator of a GPU by name, to link activities that have its name.
    operators: HashMap<Vec<u8>, Serial, FxBuildHasher>,
    operators_seen: Serial,
    /// Stream numbers of rows whose thread ids are texts.
    numbered_rows: HashMap<(RawId, RawId), i64, FxBuildHasher>,
    /// Streams used by collectives.
    collective_streams: HashSet<i64, FxBuildHasher>,
    /// Whether collectives have rows of their own, here or in `hccl_*`.
    collectives: bool,
    /// Copies and reductions, until the streams of collectives are known.
    copies: Vec<Waiting>,
}

struct Waiting {
    process: RawId,
    thread: RawId,
    stream: Stream,
    name: Vec<u8>,
    span: (Nanos, Nanos),
    position: u64,
    connection: Serial,
    reduces: bool,
}

impl Dialect for Timeline {
    const WANTED: &'static [&'static str] = rows::WANTED;

    fn prepare(&mut self, core: &mut Core, event: &mut Event<'_>) {
        if !self.begun {
            self.begin(&core.builder);
        }
        // The same row's id is sometimes a number, sometimes a text.
        for (id, key) in [(&mut event.process, keys::PROCESS), (&mut event.thread, keys::THREAD)] {
            if let (RawId::Text(_), Some(Value::Text(text))) = (*id, event.object.get(key))
                && let Some(number) = Decimal::parse(&text.bytes()).and_then(Decimal::to_i64)
            {
                *id = RawId::Number(number);
            }
        }
        let is_of_another = |only| matches!(event.process, RawId::Number(id) if devices::is_of_another(only, id));
        if self.only.is_some_and(is_of_another) {
            // Without a phase that names, its process has no row.
            event.phase = b'i';
            event.category = chrome::COMPUTED.as_bytes().into();
            return;
        }
        if self.other_clock == Some(true) {
            event.category = chrome::COMPUTED.as_bytes().into();
        }
        if event.phase == b'M' {
            let name = text(event.object, keys::NAME);
            match event.name.as_deref().unwrap_or_default() {
                b"process_name" => self.rows.process(event.process, &name),
                b"thread_name" => self.rows.thread(event.process, event.thread, &name),
                _ => {}
            }
        }
        // Flows from each step's end to the next one's data have text ids and no ends: they become instant events.
        if matches!(event.phase, b's' | b't') && *event.category == *b"Data_aug Bound" {
            event.phase = b'i';
            if self.is_known(event) {
                event.category = chrome::COMPUTED.as_bytes().into();
            }
        }
    }

    fn span(&mut self, core: &mut Core, event: &Event<'_>) -> Option<(Nanos, Nanos)> {
        let span = event.span(core)?;
        if self.is_on_another_clock(core, span.0, event.position) {
            return None;
        }
        let object = event.object;
        if self.kind(event) == Kind::Task {
            let stream = self.stream(&core.builder, event);
            let task = task(&text(object, rows::TASK_TYPE));
            match task {
                Task::Order { notifies: true } => {
                    self.collective_streams.insert(stream.stream);
                }
                Task::Copy | Task::Reduce => {
                    self.copies.push(Waiting {
                        process: event.process,
                        thread: event.thread,
                        stream,
                        name: event.name.as_deref().unwrap_or_default().to_vec(),
                        span,
                        position: event.position,
                        connection: args::serial(object, rows::CONNECTION),
                        reduces: task == Task::Reduce,
                    });
                    return None;
                }
                Task::Compute | Task::Fill | Task::Order { notifies: false } => {}
            }
        }
        (!self.is_known(event)).then_some(span)
    }

    fn slice(&mut self, core: &mut Core, event: &Event<'_>, name: &[u8], start: Nanos, end: Nanos) -> AddedSlice {
        let kind = self.kind(event);
        let (process, thread, object) = (event.process, event.thread, event.object);
        let device = if kind.is_on_device() { Some(self.stream(&core.builder, event)) } else { None };
        let stream = device.unwrap_or(Stream { device: self.device, stream: 0 });
        let connection = || args::serial(object, rows::CONNECTION);
        let add = |core: &mut Core, class, category: &str, layer, stream: Option<Stream>, start| {
            let builder = &mut core.builder;
            let track = builder.track(process, thread, layer, stream);
            let (category, name) = (builder.category(category.as_bytes()), builder.intern(name));
            builder.slice(NewSlice { track, class, category, name, start, end, position: event.position })
        };
        let activity = |core: &mut Core, class, category, stream, activity| {
            let row = add(core, class, category, Layer::Device, Some(stream), start);
            core.builder.activity(row, activity);
            row
        };
        match kind {
            Kind::Operator => {
                let row = add(core, Class::Operator, "cpu_op", Layer::Host, None, start);
                let operation = operation(core, object);
                let external = self.operator_of_gpu(name, event);
                core.builder.operation(row, Operation { external, ..operation });
                if let Some(stack) =
                    object.inner(rows::CALL_STACK).and_then(|stack| args::intern(&mut core.builder, stack))
                {
                    core.builder.stack(row, stack);
                }
                row
            }
            Kind::Call => {
                let row = add(core, Class::RuntimeCall, "cann_runtime", Layer::Host, None, start);
                core.builder.call(row, Call { correlation: connection(), external: NO_SERIAL });
                row
            }
            Kind::Range | Kind::FrameworkStep => {
                self.marks_steps |= kind == Kind::FrameworkStep;
                add(core, Class::Annotation, "user_annotation", Layer::Host, None, start)
            }
            Kind::Scope => add(core, Class::ProfilerSpan, "scope", Layer::Profiler, None, start),
            Kind::StepPart => add(core, Class::ProfilerSpan, "step_part", Layer::Profiler, None, start),
            Kind::Step => {
                let graph = self.graph(event);
                let start = self.step_start(core, graph, Interval::new(start, end), event.position);
                let row = add(core, Class::ProfilerSpan, "step_trace", Layer::Profiler, None, start);
                if let Some(graph) = graph {
                    let key = core.builder.intern(GRAPH.as_bytes());
                    core.builder.argument(row, Argument { key, value: ArgumentValue::Unsigned(graph) });
                }
                self.steps.push((row, core.builder.intern(step_name(name))));
                row
            }
            Kind::Computed => add(core, Class::ProfilerSpan, "overlap_analysis", Layer::Profiler, None, start),
            Kind::PythonFrame => add(core, Class::PythonFrame, "python_function", Layer::Python, None, start),
            Kind::Other => add(core, Class::Other, "", Layer::Host, None, start),
            Kind::CollectivePart => {
                if let Some(stream) = object.inner(rows::PLANE_STREAM).and_then(args::signed) {
                    self.collective_streams.insert(stream);
                }
                add(core, Class::DeviceAnnotation, "collective_part", Layer::DeviceAnnotation, Some(stream), start)
            }
            Kind::Collective => {
                self.collectives = true;
                let known = Activity { correlation: connection(), ..Activity::default() };
                activity(core, Class::Kernel, "hccl", stream, known)
            }
            Kind::DeviceOperator | Kind::AiCpu => {
                let known = Activity { correlation: connection(), ..Activity::default() };
                activity(core, Class::Kernel, "kernel", stream, known)
            }
            Kind::Task => match task(&text(object, rows::TASK_TYPE)) {
                Task::Order { .. } => {
                    add(core, Class::DeviceMarker, "npu_event", Layer::DeviceSync, Some(stream), start)
                }
                task => {
                    let fills = task == Task::Fill;
                    let (class, category) = if fills { (Class::Memset, "memset") } else { (Class::Kernel, "kernel") };
                    let known = Activity { correlation: connection(), ..Activity::default() };
                    activity(core, class, category, stream, known)
                }
            },
            Kind::GpuActivity => {
                let class = gpu_class(&text(object, rows::KIND));
                let category = if class == Class::Kernel { "kernel" } else { class.name() };
                let operator = text(object, rows::FULL_NAME);
                let external = self.operators.get(short(operator.as_bytes())).copied().unwrap_or(NO_SERIAL);
                let config = gpu_config(object).map(|config| core.builder.config(config)).unwrap_or_default();
                activity(core, class, category, stream, Activity { external, config, ..Activity::default() })
            }
        }
    }

    fn finish(mut self, core: &mut Core) {
        for copy in std::mem::take(&mut self.copies) {
            self.add_copy(core, &copy);
        }
        // The framework's own steps on the host take precedence over msprof's step trace of the device.
        let marked = if self.marks_steps { Vec::new() } else { self.steps };
        if self.marks_steps || !marked.is_empty() {
            note(&mut core.builder, "step_marks", "timeline");
        }
        for (row, name) in marked {
            core.builder.step(row, name);
        }
        core.builder.meta.framework = "MindSpore".into();
    }
}

impl Timeline {
    fn kind(&self, event: &Event<'_>) -> Kind {
        if self.is_host_info { Kind::Range } else { self.rows.of(event) }
    }

    fn begin(&mut self, builder: &TraceBuilder) {
        self.begun = true;
        let path = builder.input_name();
        self.only = builder.only_device();
        self.is_host_info = is_host_info(path);
        let part = part::part_of(path, Head { bytes: &[], whole: true });
        self.device = part.and_then(|part| part.rank).and_then(|rank| i64::try_from(rank).ok()).unwrap_or_default();
        self.collectives =
            builder.meta.inputs.iter().any(|file| part::stem(file_name(&file.name)).starts_with("hccl_"));
        self.file_graph = part::msprof_numbers(part::stem(file_name(builder.input_name()))).map(|[_, graph, _]| graph);
        if let Repeated::Iterations(known) = repeated(builder) {
            self.known_iterations = known.into_iter().collect();
        }
    }

    /// Whether the file's clock differs from that of the rank's earlier files.
    fn is_on_another_clock(&mut self, core: &mut Core, start: Nanos, position: u64) -> bool {
        if let Some(known) = self.other_clock {
            return known;
        }
        let Core { builder, warnings } = core;
        let clock = clock(clock_of(part::stem(file_name(builder.input_name()))), start);
        let other = fact(builder, "clock").filter(|rank| *rank != clock).map(str::to_owned);
        if let Some(rank) = &other {
            warnings.add(Code::OtherClock, Some(position), || format!("{clock}, not {rank}"));
        }
        note(builder, "clock", clock);
        *self.other_clock.insert(other.is_some())
    }

    /// The stream of a device's row: its thread's number or, for a text without one, the next free one.
    fn stream(&mut self, builder: &TraceBuilder, event: &Event<'_>) -> Stream {
        // AI CPU's rows number their threads separately.
        const AI_CPU: i64 = 9000;
        const FIRST_TEXT: i64 = 1_000_000;
        let stream = match (event.process, event.thread) {
            (RawId::Number(AI_CPU), RawId::Number(thread)) => AI_CPU + thread,
            (_, RawId::Number(thread)) => thread,
            (process, thread) => {
                let text = if let RawId::Text(name) = thread { builder.text(name) } else { "" };
                if let Some(number) = text.strip_prefix("Stream #").and_then(|number| number.parse().ok()) {
                    return Stream { device: self.device, stream: number };
                }
                let next = FIRST_TEXT + i64::try_from(self.numbered_rows.len()).unwrap_or_default();
                *self.numbered_rows.entry((process, thread)).or_insert(next)
            }
        };
        Stream { device: self.device, stream }
    }

    /// Whether earlier files have the iteration of a step trace's row.
    fn is_known(&self, event: &Event<'_>) -> bool {
        if self.known_iterations.is_empty() {
            return false;
        }
        let said = event.object.inner(rows::ITERATION).and_then(args::unsigned);
        let counted = || {
            let name = std::str::from_utf8(event.name.as_deref()?).ok()?;
            name.strip_prefix("Data_aug Bound ")?.trim().parse().ok()
        };
        let graph = self.graph(event);
        said.or_else(counted).is_some_and(|iteration| self.known_iterations.contains(&(graph, iteration)))
    }

    /// The graph of a step trace's row.
    fn graph(&self, event: &Event<'_>) -> Option<u64> {
        self.rows.graph(event).or(self.file_graph)
    }

    /// The start of a step. In PyNative mode of `MindSpore` 2.0, all steps start with the first one.
    fn step_start(&mut self, core: &mut Core, graph: Option<u64>, span: Interval, position: u64) -> Nanos {
        let Interval { start, end } = span;
        let before = self.step_ends.insert(graph, end);
        let previous = before.filter(|previous| start < *previous && *previous < end);
        if previous.is_some() {
            core.warnings.add(Code::StepsOverlap, Some(position), String::new);
        }
        previous.unwrap_or(start)
    }

    /// Numbers an operator of the host, to link a GPU's activities that have its name.
    fn operator_of_gpu(&mut self, name: &[u8], event: &Event<'_>) -> Serial {
        let is_gpu = matches!(event.thread, RawId::Number(100_002)) || matches!(event.thread, RawId::Text(_));
        if !is_gpu {
            return NO_SERIAL;
        }
        self.operators_seen = self.operators_seen.saturating_add(1);
        self.operators.insert(short(name).to_vec(), self.operators_seen);
        self.operators_seen
    }

    fn add_copy(&self, core: &mut Core, copy: &Waiting) {
        let for_collective = copy.reduces || self.collective_streams.contains(&copy.stream.stream);
        let (class, category, layer) = match (for_collective, self.collectives) {
            (true, true) => (Class::DeviceAnnotation, "collective_part", Layer::DeviceAnnotation),
            // No other row shows the collective.
            (true, false) => (Class::Kernel, "hccl", Layer::Device),
            (false, _) => (Class::Memcpy, "memcpy", Layer::Device),
        };
        let builder = &mut core.builder;
        let track = builder.track(copy.process, copy.thread, layer, Some(copy.stream));
        let (category, name) = (builder.category(category.as_bytes()), builder.intern(&copy.name));
        let (start, end) = copy.span;
        let row = builder.slice(NewSlice { track, class, category, name, start, end, position: copy.position });
        if class.is_activity() {
            builder.activity(row, Activity { correlation: copy.connection, ..Activity::default() });
        }
    }
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The clock of a file by its name, if its times do not count from 1970.
fn clock_of(stem: &str) -> &'static str {
    if ["msprof", "hccl", "task_time", "step_trace"].iter().any(|export| stem.starts_with(export)) {
        "uptime"
    } else if stem.starts_with("cpu_timeline") {
        "monotonic"
    } else {
        "relative"
    }
}

/// The name of a step: the number at the end of `1`, `Iteration 1` or `Model ID: 2 Iteration ID: 1`.
fn step_name(name: &[u8]) -> &[u8] {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { name } else { &name[name.len() - digits..] }
}

/// An operator's name without its scopes.
fn short(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| *byte == b'/').next().unwrap_or(name)
}

/// The facts of an operator in the framework's own rows.
fn operation(core: &mut Core, object: &Object<'_>) -> Operation {
    let mut list = |key, item: fn(&str) -> String| match object.inner(key) {
        Some(Value::List(text)) => core.builder.intern(text),
        Some(Value::Text(text)) if !text.bytes().is_empty() => {
            let text = String::from_utf8_lossy(&text.bytes()).into_owned();
            let items: Vec<String> = text.split(';').map(item).collect();
            core.builder.intern(format!("[{}]", items.join(",")).as_bytes())
        }
        _ => NameId::NONE,
    };
    Operation {
        shapes: list(rows::INPUT_DIMS, |shape| serde_json::Value::from(numbers(shape)).to_string()),
        types: list(rows::INPUT_TYPE, |name| serde_json::Value::from(name).to_string()),
        sequence: args::serial(object, rows::SEQUENCE_NUMBER),
        forward_thread: args::serial(object, rows::FORWARD_THREAD),
        ..Operation::default()
    }
}

/// The numbers of a shape: `16,3,32`.
fn numbers(shape: &str) -> Vec<i64> {
    shape.split(',').filter_map(|number| number.trim().parse().ok()).collect()
}

/// The launch configuration of a GPU's kernel: `"256,1,1"`.
fn gpu_config(object: &Object<'_>) -> Option<LaunchConfig> {
    let triple = |key| -> Option<[u32; 3]> {
        let text = text(object, key);
        let mut numbers = text.split(',').map(|number| number.trim().parse().ok());
        Some([numbers.next()??, numbers.next()??, numbers.next()??])
    };
    Some(LaunchConfig { grid: triple(rows::GRID)?, block: triple(rows::BLOCK)?, ..LaunchConfig::default() })
}
