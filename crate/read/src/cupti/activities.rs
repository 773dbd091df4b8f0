//! Adds activities of devices and events of threads to the trace.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use stepscope_base::CompactSort;
use stepscope_base::{Code, Nanos, Warnings};
use stepscope_trace::{
    Activity, AddedSlice, Call, Class, ConfigId, LaunchConfig, Layer, NO_BYTES, NO_SERIAL, NewSlice, RawId, Serial,
    Stream, TraceBuilder, TrackId,
};

/// The categories of slices: those of PyTorch's profiler where it has the same.
#[derive(Clone, Copy)]
pub(crate) struct Categories {
    pub(crate) annotation: u16,
    pub(crate) operator: u16,
    pub(crate) runtime: u16,
    pub(crate) driver: u16,
    pub(crate) overhead: u16,
    pub(crate) system: u16,
    kernel: u16,
    memcpy: u16,
    memset: u16,
    synchronization: u16,
}

impl Categories {
    pub(crate) fn new(builder: &mut TraceBuilder) -> Self {
        Self {
            annotation: builder.category(b"user_annotation"),
            operator: builder.category(b"cpu_op"),
            runtime: builder.category(b"cuda_runtime"),
            driver: builder.category(b"cuda_driver"),
            overhead: builder.category(b"overhead"),
            system: builder.category(b"os_runtime"),
            kernel: builder.category(b"kernel"),
            memcpy: builder.category(b"gpu_memcpy"),
            memset: builder.category(b"gpu_memset"),
            synchronization: builder.category(b"cuda_sync"),
        }
    }

    fn of_device(self, class: Class) -> u16 {
        match class {
            Class::Memcpy => self.memcpy,
            Class::Memset => self.memset,
            Class::Synchronization => self.synchronization,
            _ => self.kernel,
        }
    }
}

/// Larger times are damaged: this is 73 years before or after the clock's zero.
const FARTHEST: u64 = 1 << 61;

/// Start and end of a row; none, with a warning, if it has none.
pub(crate) fn span(
    start: Option<i64>,
    end: Option<i64>,
    position: u64,
    warnings: &mut Warnings,
) -> Option<(Nanos, Nanos)> {
    match (start, end) {
        // CUPTI writes zero for both if a time was not available.
        (Some(0), Some(0)) | (None, _) | (_, None) => {
            warnings.add(Code::BadTime, Some(position), String::new);
            None
        }
        (Some(start), Some(end)) if [start, end].iter().any(|time| time.unsigned_abs() > FARTHEST) => {
            warnings.add(Code::BadTime, Some(position), String::new);
            None
        }
        (Some(start), Some(end)) if end < start => {
            warnings.add(Code::NegativeDuration, Some(position), String::new);
            Some((Nanos(start), Nanos(start)))
        }
        (Some(start), Some(end)) => Some((Nanos(start), Nanos(end))),
    }
}

/// Makes the ids of launches unique: each process counts its own.
#[derive(Default)]
pub(crate) struct Correlations {
    first: Option<i64>,
    others: HashMap<(i64, i64), Serial, FxBuildHasher>,
}

impl Correlations {
    /// The id of a launch of a process, for the whole trace. The first process keeps its own.
    pub(crate) fn unique(&mut self, process: Option<i64>, id: Option<i64>) -> Serial {
        let Some(id) = id.filter(|id| *id > 0) else { return NO_SERIAL };
        let own = || Serial::try_from(id).unwrap_or(NO_SERIAL);
        let Some(process) = process else { return own() };
        if *self.first.get_or_insert(process) == process {
            return own();
        }
        // Counted down from the largest: no process launches four billion times.
        let next = NO_SERIAL - 1 - Serial::try_from(self.others.len()).unwrap_or(NO_SERIAL - 1);
        *self.others.entry((process, id)).or_insert(next)
    }
}

/// The launch configuration of a kernel: grid, block, registers, static and dynamic shared memory.
pub(crate) fn launch_config(sizes: [Option<i64>; 9]) -> LaunchConfig {
    let [grid_x, grid_y, grid_z, block_x, block_y, block_z, registers, fixed, dynamic] =
        sizes.map(|size| size.and_then(|size| u32::try_from(size).ok()));
    LaunchConfig {
        grid: [grid_x, grid_y, grid_z].map(Option::unwrap_or_default),
        block: [block_x, block_y, block_z].map(Option::unwrap_or_default),
        registers: registers.unwrap_or(u32::MAX),
        shared_memory: fixed.zip(dynamic).map_or(u32::MAX, |(fixed, dynamic)| fixed.saturating_add(dynamic)),
        ..LaunchConfig::default()
    }
}

/// An activity of a device.
pub(crate) struct Work {
    pub(crate) class: Class,
    pub(crate) name: stepscope_trace::NameId,
    pub(crate) span: (Nanos, Nanos),
    pub(crate) device: i64,
    /// The stream, if known.
    pub(crate) stream: Option<i64>,
    /// The process that launched it, if known.
    pub(crate) process: Option<i64>,
    pub(crate) correlation: Serial,
    pub(crate) bytes: Option<i64>,
    pub(crate) config: Option<LaunchConfig>,
    pub(crate) graph: Serial,
    pub(crate) position: u64,
}

impl Work {
    pub(crate) fn new(class: Class, name: stepscope_trace::NameId, span: (Nanos, Nanos), position: u64) -> Self {
        Self {
            class,
            name,
            span,
            device: 0,
            stream: None,
            process: None,
            correlation: NO_SERIAL,
            bytes: None,
            config: None,
            graph: 0,
            position,
        }
    }
}

/// The devices' rows. Processes that share a device use the same stream numbers: each has rows of its own.
#[derive(Default)]
pub(crate) struct Devices {
    of_process: HashMap<(i64, Option<i64>), RawId, FxBuildHasher>,
    last: Option<(RowKey, TrackId)>,
}

/// Device, stream, process and layer of a row.
type RowKey = (i64, i64, Option<i64>, Layer);

impl Devices {
    /// Adds a kernel, memcpy, memset or synchronization.
    pub(crate) fn add(&mut self, builder: &mut TraceBuilder, categories: &Categories, work: &Work) -> AddedSlice {
        let layer = if work.class.is_activity() { Layer::Device } else { Layer::DeviceSync };
        let new = NewSlice {
            track: self.track(builder, work, layer),
            class: work.class,
            category: categories.of_device(work.class),
            name: work.name,
            start: work.span.0,
            end: work.span.1,
            position: work.position,
        };
        let row = builder.slice(new);
        if work.class.is_activity() {
            let config = work.config.map_or(ConfigId::NONE, |config| builder.config(config));
            let bytes = work.bytes.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(NO_BYTES);
            let correlation = work.correlation;
            builder.activity(row, Activity { correlation, config, bytes, graph: work.graph, ..Activity::default() });
        } else {
            builder.call(row, Call { correlation: work.correlation, external: NO_SERIAL });
        }
        row
    }

    #[inline]
    fn track(&mut self, builder: &mut TraceBuilder, work: &Work, layer: Layer) -> TrackId {
        // A synchronization without a stream has the largest 32-bit number.
        let stream = match work.class {
            Class::Synchronization => work.stream.filter(|stream| *stream < i64::from(u32::MAX)).unwrap_or(-1),
            _ => work.stream.unwrap_or_default(),
        };
        let key = (work.device, stream, work.process, layer);
        match self.last {
            Some((last, track)) if last == key => track,
            _ => {
                let process = self.process(builder, work.device, work.process);
                let thread = RawId::Number(stream);
                let name = builder.intern(format!("stream {stream}").as_bytes());
                builder.name_thread(process, thread, Some(name), None);
                let place = Stream { device: work.device, stream };
                let track = builder.track(process, thread, layer, Some(place));
                self.last = Some((key, track));
                track
            }
        }
    }

    /// The process that represents a device, as seen by a host process.
    ///
    /// Its id is a text: in containers, processes have ids as small as the devices' numbers.
    pub(crate) fn process(&mut self, builder: &mut TraceBuilder, device: i64, process: Option<i64>) -> RawId {
        let is_first = !self.of_process.keys().any(|(known, _)| *known == device);
        *self.of_process.entry((device, process)).or_insert_with(|| {
            let name = match process.filter(|_| !is_first) {
                Some(process) => format!("GPU {device} (process {process})"),
                None => format!("GPU {device}"),
            };
            let name = builder.intern(name.as_bytes());
            let id = RawId::Text(name);
            builder.process_mut(id).labels = name;
            id
        })
    }

    /// The number of processes that launched activities.
    pub(crate) fn launching_processes(&self) -> usize {
        let mut processes: Vec<i64> = self.of_process.keys().filter_map(|(_, process)| *process).collect();
        processes.compact_sort();
        processes.dedup();
        processes.len()
    }
}

/// An event of a thread.
pub(crate) struct HostSlice {
    pub(crate) class: Class,
    pub(crate) category: u16,
    pub(crate) name: stepscope_trace::NameId,
    pub(crate) span: (Nanos, Nanos),
    pub(crate) thread: (i64, i64),
    pub(crate) position: u64,
}

impl HostSlice {
    /// Adds it to the trace.
    pub(crate) fn add(&self, builder: &mut TraceBuilder) -> AddedSlice {
        let layer = if self.class == Class::Overhead { Layer::Profiler } else { Layer::Host };
        let (process, thread) = (RawId::Number(self.thread.0), RawId::Number(self.thread.1));
        let track = builder.track(process, thread, layer, None);
        builder.slice(NewSlice {
            track,
            class: self.class,
            category: self.category,
            name: self.name,
            start: self.span.0,
            end: self.span.1,
            position: self.position,
        })
    }

    /// Adds it as a call of the runtime or driver.
    pub(crate) fn add_call(&self, builder: &mut TraceBuilder, correlation: Serial) {
        let row = self.add(builder);
        builder.call(row, Call { correlation, external: NO_SERIAL });
    }
}
