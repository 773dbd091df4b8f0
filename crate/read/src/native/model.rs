//! Conversion of records to the trace model.

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use stepscope_format::compact::{Origin, RECORDINGS};
use stepscope_format::device::{Activity, Detail};
use stepscope_format::{ArgumentValue as RecordedValue, Category, Damage, Kind, OF_MARK, Record, about};

use super::device::{Activities, Owner};
use crate::clip::clip;
use stepscope_base::{Code, Nanos, Warnings};
use stepscope_trace::{
    AddedSlice, Argument, ArgumentValue, Class, FlowPhase, InstantEvent, Layer, MemoryEvent, MemoryPool, NO_TOTAL,
    NameId, NewSlice, Operation, RawId, Sample, Serial, TraceBuilder,
};

type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// The origin of a record.
#[derive(Clone, Copy)]
pub(super) struct RecordOrigin {
    /// The process's number in the file.
    pub(super) process: u32,
    /// The thread's serial number.
    pub(super) thread: u64,
    /// The byte of the file.
    pub(super) position: u64,
}

/// Facts about a process.
pub(super) struct ProcessFacts<'a> {
    pub(super) id: u32,
    pub(super) closed: bool,
    pub(super) dropped: u64,
    pub(super) reused: u64,
    pub(super) unix_offset: i64,
    pub(super) facts: &'a [(String, String)],
}

#[derive(Default)]
struct Process {
    id: RawId,
    /// Whether the program closed its recording: the end of its open spans is then known.
    closed: bool,
    /// The latest end of its records and of its open spans.
    latest: Nanos,
    open: Vec<(AddedSlice, Nanos)>,
    names: Map<u32, NameId>,
    /// System ids by serial number.
    threads: Map<u64, RawId>,
}

impl Process {
    /// The name of a number.
    fn name(&self, number: u32, builder: &mut TraceBuilder) -> NameId {
        match self.names.get(&number) {
            Some(name) => *name,
            None if number == 0 => builder.intern(b""),
            // Damaged, or the disk had no room for the name.
            None => builder.intern(format!("(name {number})").as_bytes()),
        }
    }
}

/// One end of an asynchronous operation; the order of these sorts those of one operation by time.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct AsyncPoint {
    /// Its process, name and id.
    operation: (u32, u32, u64),
    at: Nanos,
    position: u64,
    /// The slice of a beginning.
    slice: Option<usize>,
}

/// Adds the records of a file to a builder.
#[derive(Default)]
pub(super) struct Model {
    processes: Map<u32, Process>,
    categories: Map<u8, u16>,
    /// Beginnings and ends of asynchronous operations: records of several threads are not in the order of time.
    asynchronous: Vec<AsyncPoint>,
    /// Their slices, with names.
    rows: Vec<(AddedSlice, NameId)>,
    /// Processes that are only known from another one's recording.
    seen: HashSet<u64, FxBuildHasher>,
    activities: Activities,
    events: u64,
    /// Arguments of open spans, by process, thread and depth, with the beginning of their span, which follows them.
    arguments: Map<(u32, u64, u16), Vec<(Nanos, Argument)>>,
    /// The latest instant event of each thread, by its index, with its time: its arguments follow it.
    marks: Map<(u32, u64), (usize, Nanos)>,
}

/// The class and category of a span; analyses recognize phases by the categories.
fn span_class(category: Category) -> (Class, &'static [u8]) {
    match category {
        Category::Step => (Class::Annotation, b"ProfileStep"),
        Category::DataLoader => (Class::Annotation, b"Dataloader"),
        Category::Forward => (Class::Annotation, b"Forward"),
        Category::Backward => (Class::Annotation, b"Backward"),
        Category::Optimizer => (Class::Annotation, b"Optimization"),
        Category::Operator => (Class::Operator, b"cpu_op"),
        Category::Communication => (Class::Operator, b"Communication"),
        // Categories of devices do not occur on spans.
        _ => (Class::Annotation, b"user_annotation"),
    }
}

fn process_of(id: u64) -> RawId {
    RawId::Number(i64::try_from(id).unwrap_or(i64::MAX))
}

/// The number of a record, as an argument; zero means none.
fn number_of(record: &Record, builder: &mut TraceBuilder) -> Option<Argument> {
    let value = ArgumentValue::Unsigned(record.value);
    (record.value != 0).then(|| Argument { key: builder.intern(b"value"), value })
}

fn nanos(at: u64) -> Nanos {
    Nanos(i64::try_from(at).unwrap_or(i64::MAX))
}

/// The sequence number of an operator, if the argument is one: PyTorch's `emit_nvtx` has them.
fn sequence(argument: &Argument, builder: &TraceBuilder) -> Option<Serial> {
    match argument.value {
        ArgumentValue::Unsigned(value) if builder.text(argument.key) == "seq" => Serial::try_from(value).ok(),
        _ => None,
    }
}

impl Model {
    /// Adds a process, before all of its content.
    pub(super) fn process(
        &mut self,
        number: u32,
        process: &ProcessFacts<'_>,
        builder: &mut TraceBuilder,
        warnings: &mut Warnings,
    ) {
        let id = RawId::Number(process.id.into());
        let entry = self.processes.entry(number).or_default();
        (entry.id, entry.closed) = (id, process.closed);
        self.seen.remove(&u64::from(process.id));
        let fact = |key: &str| process.facts.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
        for origin in fact(RECORDINGS).into_iter().flat_map(Origin::all) {
            Self::began(origin.process, origin.began, builder);
        }
        if let Some(command) = fact("command") {
            builder.process_mut(id).name = NameId::NONE;
            let name = builder.intern(clip(command).as_bytes());
            builder.process_mut(id).name = name;
        }
        let meta = &mut builder.meta;
        match fact("framework") {
            Some(framework) => {
                meta.framework = framework.to_owned();
                meta.framework_version = fact("framework_version").unwrap_or_default().to_owned();
            }
            // A process without a framework, such as the sampler, must not override one that has it.
            None if meta.framework.is_empty() => meta.framework = "Stepscope".to_owned(),
            None => {}
        }
        // All processes of a file share a clock; the first one sets the start in Unix time.
        meta.origin_unix_ns = meta.origin_unix_ns.or(Some(process.unix_offset));
        let number = |key: &str| fact(key).and_then(|value| value.parse().ok());
        meta.distributed.rank = meta.distributed.rank.or_else(|| number("rank"));
        meta.distributed.world_size = meta.distributed.world_size.or_else(|| number("world_size"));
        for (key, value) in process.facts {
            const SHOWN_ELSEWHERE: [&str; 5] = ["rank", "world_size", "framework", "framework_version", "command"];
            let known = meta.facts.iter().any(|(known, _)| known == key);
            if !known && !SHOWN_ELSEWHERE.contains(&key.as_str()) {
                meta.facts.push((clip(key), clip(value)));
            }
        }
        warnings.add_many(Code::ProfilerErrors, process.dropped, None, || "events dropped: the disk was full".into());
        warnings.add_many(Code::RingBufferOverflow, process.reused, None, String::new);
    }

    /// Takes the beginning of a process's recording: an earlier process of that id has ended.
    pub(super) fn began(process: u32, at: u64, builder: &mut TraceBuilder) {
        builder.process_ended(RawId::Number(process.into()), nanos(at));
    }

    /// Adds a name of a process.
    pub(super) fn name(&mut self, process: u32, number: u32, text: &[u8], builder: &mut TraceBuilder) {
        let name = builder.intern(text);
        self.processes.entry(process).or_default().names.insert(number, name);
    }

    /// Adds a thread of a process.
    pub(super) fn thread(&mut self, process: u32, serial: u64, id: u64, name: u32, builder: &mut TraceBuilder) {
        let process = self.processes.entry(process).or_default();
        let thread = RawId::Number(i64::try_from(id).unwrap_or(i64::MAX));
        process.threads.insert(serial, thread);
        if let Some(name) = process.names.get(&name) {
            builder.name_thread(process.id, thread, Some(*name), None);
        }
    }

    /// Warns of damaged or missing content.
    pub(super) fn damage(damage: &Damage, warnings: &mut Warnings) {
        let code = if damage.what.starts_with("expected the rest") { Code::Truncated } else { Code::MalformedRecord };
        warnings.add(code, Some(damage.position), || damage.what.to_owned());
    }

    /// Adds a record.
    pub(super) fn record(
        &mut self,
        record: &Record,
        place: RecordOrigin,
        builder: &mut TraceBuilder,
        warnings: &mut Warnings,
    ) {
        if record.kind == Kind::Detail {
            self.detail(record, place, builder);
            return;
        }
        self.activities.flush(builder);
        self.events += 1;
        builder.meta.events += 1;
        if !record.has_sane_times() {
            warnings.add(Code::BadTime, Some(place.position), String::new);
            return;
        }
        let process = self.processes.entry(place.process).or_default();
        let id = process.id;
        process.latest = process.latest.max(nanos(record.end()));
        let serial = || RawId::Number(i64::try_from(place.thread).unwrap_or(i64::MAX));
        let thread = process.threads.get(&place.thread).copied().unwrap_or_else(serial);
        let name = process.name(record.name, builder);
        let at = nanos(record.at);
        match record.kind {
            Kind::Span | Kind::Open => {
                let row = self.span(record, (id, thread), name, place.position, builder);
                if record.kind == Kind::Open {
                    let process = self.processes.entry(place.process).or_default();
                    process.open.push((row, nanos(record.end())));
                    warnings.add(Code::UnclosedSlice, Some(place.position), || builder.text(name).to_owned());
                }
                self.arguments_of(record, place, row, builder);
                if record.category == Category::Step {
                    Self::step(record, row, builder);
                }
            }
            Kind::Mark => {
                let track = builder.track(id, thread, Layer::Profiler, None);
                self.marks.insert((place.process, place.thread), (builder.instants(), at));
                if let Some(value) = number_of(record, builder) {
                    builder.instant_argument(builder.instants(), value);
                }
                builder.instant(InstantEvent { at, track, name });
            }
            Kind::Counter => {
                let (series, value) = (builder.intern(b""), f64::from_bits(record.value));
                let id = if record.extent == 0 { id } else { process_of(record.extent) };
                if value.is_finite() {
                    builder.sample(id, name, series, Sample { at, value });
                } else {
                    let example = || builder.text(name).to_owned();
                    warnings.add(Code::CounterWithoutNumber, Some(place.position), example);
                }
            }
            Kind::AsyncBegin | Kind::AsyncEnd => {
                let slice = (record.kind == Kind::AsyncBegin).then(|| {
                    let all = RawId::Text(builder.intern(b"async"));
                    let track = builder.track(id, all, Layer::Async, None);
                    let (class, category, position) = (Class::Async, builder.category(b"async"), place.position);
                    let slice = NewSlice { track, class, category, name, start: at, end: at, position };
                    self.rows.push((builder.slice(slice), name));
                    self.rows.len() - 1
                });
                let operation = (place.process, record.name, record.value);
                self.asynchronous.push(AsyncPoint { operation, at, position: place.position, slice });
            }
            Kind::FlowStart => builder.flow_point(name, record.value, FlowPhase::Start, id, thread, at),
            Kind::FlowStep => builder.flow_point(name, record.value, FlowPhase::Step, id, thread, at),
            Kind::FlowEnd => builder.flow_point(name, record.value, FlowPhase::End, id, thread, at),
            Kind::Memory => {
                let track = builder.track(id, thread, Layer::Host, None);
                builder.memory(MemoryEvent {
                    at,
                    address: record.extent,
                    bytes: record.value.cast_signed(),
                    allocated: NO_TOTAL,
                    reserved: NO_TOTAL,
                    track,
                    // The format has the model's number for the host's memory.
                    device: record.aux,
                    pool: MemoryPool::Allocated,
                });
            }
            Kind::Process if record.aux == about::LOST => {
                let example = || builder.text(name).to_owned();
                warnings.add_many(Code::ProfilerErrors, record.value, Some(place.position), example);
            }
            Kind::Process if record.aux == about::END => builder.process_ended(process_of(record.extent), at),
            Kind::Process => {
                let seen = process_of(record.extent);
                let known = builder.process_mut(seen).name != NameId::NONE && !self.seen.contains(&record.extent);
                // A process's own recording takes precedence; and the latest command, after an `exec`.
                if record.aux == about::COMMAND && !known {
                    self.seen.insert(record.extent);
                    builder.process_mut(seen).name = name;
                }
            }
            Kind::Activity => {
                if let Some(activity) = Activity::of(record) {
                    let owner = Owner { number: place.process, id };
                    self.activities.add((activity, name), owner, place.thread, place.position, builder);
                }
            }
            Kind::Argument => self.argument(record, place, name, builder, warnings),
            Kind::Thread | Kind::Detail => {}
        }
    }

    fn detail(&mut self, record: &Record, place: RecordOrigin, builder: &mut TraceBuilder) {
        let Some(detail) = Detail::of(record) else { return };
        let process = self.processes.entry(place.process).or_default();
        let owner = Owner { number: place.process, id: process.id };
        let name_of = |builder: &mut TraceBuilder, number: u32| process.name(number, builder);
        self.activities.detail(detail, owner, place.thread, name_of, builder);
    }

    fn span(
        &mut self,
        record: &Record,
        (process, thread): (RawId, RawId),
        name: NameId,
        position: u64,
        builder: &mut TraceBuilder,
    ) -> AddedSlice {
        let (class, category) = span_class(record.category);
        let category = *self.categories.entry(record.category as u8).or_insert_with(|| builder.category(category));
        let track = builder.track(process, thread, Layer::Host, None);
        let (start, end) = (nanos(record.at), nanos(record.end()));
        builder.slice(NewSlice { track, class, category, name, start, end, position })
    }

    /// Marks a span as a step.
    fn step(record: &Record, row: AddedSlice, builder: &mut TraceBuilder) {
        let name = builder.intern(record.value.to_string().as_bytes());
        builder.step(row, name);
        if record.kind == Kind::Open {
            let key = builder.intern(b"partial");
            builder.argument(row, Argument { key, value: ArgumentValue::Bool(true) });
        }
    }

    /// Adds an argument of the last instant event, or of an open span.
    fn argument(
        &mut self,
        record: &Record,
        place: RecordOrigin,
        key: NameId,
        builder: &mut TraceBuilder,
        warnings: &mut Warnings,
    ) {
        let value = match RecordedValue::of(record) {
            Some(RecordedValue::Signed(value)) => ArgumentValue::Signed(value),
            Some(RecordedValue::Unsigned(value)) => ArgumentValue::Unsigned(value),
            Some(RecordedValue::Float(value)) => ArgumentValue::Float(value),
            Some(RecordedValue::Bool(value)) => ArgumentValue::Bool(value),
            Some(RecordedValue::Text(number)) => {
                let names = self.processes.get(&place.process).map(|process| &process.names);
                let known = names.and_then(|names| names.get(&number)).copied();
                ArgumentValue::Text(known.unwrap_or_else(|| builder.intern(b"")))
            }
            None => {
                warnings.add(Code::MalformedRecord, Some(place.position), || "expected an argument's value".into());
                return;
            }
        };
        let (argument, at) = (Argument { key, value }, nanos(record.at));
        if record.aux != OF_MARK {
            let waiting = self.arguments.entry((place.process, place.thread, record.aux)).or_default();
            // Arguments of an earlier span, which was dropped, are discarded.
            if waiting.last().is_some_and(|(begin, _)| *begin != at) {
                waiting.clear();
            }
            waiting.push((at, argument));
        } else if let Some((mark, marked)) = self.marks.get(&(place.process, place.thread))
            && *marked == at
        {
            builder.instant_argument(*mark, argument);
        }
    }

    /// Adds the arguments of a span that ended, and its number, unless it is a step's.
    fn arguments_of(&mut self, span: &Record, place: RecordOrigin, row: AddedSlice, builder: &mut TraceBuilder) {
        if span.category != Category::Step
            && let Some(value) = number_of(span, builder)
        {
            builder.argument(row, value);
        }
        if let Some(waiting) = self.arguments.remove(&(place.process, place.thread, span.aux)) {
            for (_, argument) in waiting.into_iter().filter(|(begin, _)| *begin == nanos(span.at)) {
                if span.category == Category::Operator
                    && let Some(sequence) = sequence(&argument, builder)
                {
                    builder.operation(row, Operation { sequence, ..Operation::default() });
                }
                builder.argument(row, argument);
            }
        }
    }

    /// Ends open slices; returns the number of records.
    pub(super) fn finish(&mut self, builder: &mut TraceBuilder, warnings: &mut Warnings) -> u64 {
        self.activities.finish(builder);
        for process in self.processes.values().filter(|process| !process.closed) {
            // Spans with an earlier end are on threads that had ended.
            for (row, _) in process.open.iter().filter(|(_, end)| *end == process.latest) {
                builder.open_slice(*row, process.id);
            }
        }
        let latest = builder.latest().unwrap_or_default();
        self.asynchronous.sort_unstable();
        let mut begun: Vec<usize> = Vec::new();
        for operation in self.asynchronous.chunk_by(|one, other| one.operation == other.operation) {
            for point in operation {
                match point.slice.or_else(|| begun.pop()) {
                    Some(slice) if point.slice.is_some() => begun.push(slice),
                    Some(slice) => builder.end_slice(self.rows[slice].0, point.at),
                    None => warnings.add(Code::EndWithoutBegin, Some(point.position), String::new),
                }
            }
            for slice in begun.drain(..) {
                let (row, name) = self.rows[slice];
                builder.end_slice(row, latest);
                warnings.add(Code::UnfinishedAsync, None, || builder.text(name).to_owned());
            }
        }
        self.events
    }
}
