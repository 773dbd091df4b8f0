//! From records of CUPTI to records of ours.

use rustc_hash::FxHashMap;
use stepscope_collector::device::{Activity, Detail, NO_DEVICE};
use stepscope_collector::{AsName, Category, MemoryDevice, Name, activity, device_detail, memory_at};

use super::fields::Fields;
use super::library::Functions;
use super::names::{DRIVER, Names, RUNTIME};
use crate::text::readable;

/// Kinds of records.
pub(super) mod kind {
    pub(crate) const MEMCPY: u32 = 1;
    pub(crate) const MEMSET: u32 = 2;
    pub(crate) const KERNEL: u32 = 3;
    pub(crate) const DRIVER: u32 = 4;
    pub(crate) const RUNTIME: u32 = 5;
    pub(crate) const DEVICE: u32 = 8;
    pub(crate) const CONTEXT: u32 = 9;
    pub(crate) const CONCURRENT_KERNEL: u32 = 10;
    pub(crate) const OVERHEAD: u32 = 17;
    pub(crate) const MEMCPY2: u32 = 22;
    pub(crate) const CUDA_EVENT: u32 = 36;
    pub(crate) const SYNCHRONIZATION: u32 = 38;
    pub(crate) const EXTERNAL_CORRELATION: u32 = 39;
    pub(crate) const MEMORY2: u32 = 49;
    pub(crate) const GRAPH_TRACE: u32 = 51;
}

/// Versions that introduced fields.
mod version {
    /// CUDA 11.8.
    pub(super) const KERNEL_CLUSTER: u32 = 18;
    /// CUDA 12.4.
    pub(super) const OVERHEAD_CORRELATION: u32 = 22;
    /// CUDA 12.8.
    pub(super) const SYNCHRONIZATION_RETURNED: u32 = 26;
    /// CUDA 13.1.
    pub(super) const KERNEL_PRIORITY: u32 = 130_101;
}

/// The number of `cuDriverGetVersion` among the driver's functions.
const DRIVER_GET_VERSION: u32 = 2;

/// Contexts and events that are remembered.
const MOST_REMEMBERED: usize = 1 << 16;

/// Names of overhead in PyTorch's profiler, by its code.
const OVERHEADS: [(u32, &str); 9] = [
    (1, "Driver Compiler"),
    (1 << 16, "Buffer Flush"),
    (2 << 16, "Instrumentation"),
    (3 << 16, "Resource"),
    (4 << 16, "Runtime Triggered Module Loading"),
    (5 << 16, "Lazy Function Loading"),
    (6 << 16, "Command Buffer Full"),
    (7 << 16, "Activity Buffer Request"),
    (8 << 16, "UVM Activity Init"),
];

/// Reads the text that a field points to, which lasts as long as the record.
pub(super) type Texts = fn(u64) -> &'static [u8];

/// Decoder with the state from earlier records.
pub(super) struct Decoder {
    functions: Functions,
    version: u32,
    /// Offset to add to a time of CUPTI's to get `CLOCK_MONOTONIC`.
    offset: i64,
    texts: Texts,
    names: Names,
    /// When the recording that is being written began; `None` while there is none.
    since: Option<u64>,
    /// The devices, which CUPTI reports once.
    devices: FxHashMap<u16, [Detail; 2]>,
    /// The devices of contexts.
    contexts: FxHashMap<u32, u16>,
    /// By context and event: the stream on which it was recorded last, and the correlation of the call that did.
    events: FxHashMap<(u32, u32), (u32, u32)>,
    /// The thread whose calls of `cuDriverGetVersion` are ours (by both ids that CUPTI may know it by), and how many were
    /// seen.
    canary_thread: [u32; 2],
    pub(super) canaries: u64,
    /// Activities whose times CUPTI does not know: it was stopped before they ended.
    pub(super) timeless: u64,
}

impl Decoder {
    pub(super) fn new(functions: Functions, version: u32, offset: i64, texts: Texts) -> Self {
        Self {
            functions,
            version,
            offset,
            texts,
            names: Names::default(),
            since: None,
            devices: FxHashMap::default(),
            contexts: FxHashMap::default(),
            events: FxHashMap::default(),
            canary_thread: [u32::MAX; 2],
            canaries: 0,
            timeless: 0,
        }
    }

    /// Sets the thread whose calls of `cuDriverGetVersion` are ours.
    pub(super) fn expect_canaries(&mut self, thread: [u32; 2]) {
        self.canary_thread = thread;
    }

    /// Assigns the following records to the recording that began then, or to none. A new recording gets the devices.
    pub(super) fn go_on_in(&mut self, since: Option<u64>) {
        if since.is_some() && since != self.since {
            self.devices.values().flatten().for_each(device_detail);
        }
        self.since = since;
    }

    /// Writes a record. While nothing is recorded, state for later records is kept.
    pub(super) fn record(&mut self, bytes: &[u8]) {
        const LASTING: [u32; 4] = [kind::DRIVER, kind::DEVICE, kind::CONTEXT, kind::CUDA_EVENT];
        let record = Fields::new(bytes, self.version);
        if self.since.is_none() && !LASTING.contains(&record.kind()) {
            return;
        }
        match record.kind() {
            kind::KERNEL | kind::CONCURRENT_KERNEL => self.kernel(record),
            kind::MEMCPY => self.copy(record),
            kind::MEMCPY2 => self.peer_copy(record),
            kind::MEMSET => self.fill(record),
            kind::DRIVER | kind::RUNTIME => self.call(record),
            kind::SYNCHRONIZATION => self.wait(record),
            kind::OVERHEAD => self.overhead(record),
            kind::GRAPH_TRACE => self.graph(record),
            kind::MEMORY2 => self.memory(record),
            kind::DEVICE => self.device(record),
            kind::CONTEXT => {
                forget_too_many(&mut self.contexts);
                self.contexts.insert(record.u32(4), small(record.u32(8)));
            }
            kind::CUDA_EVENT => {
                forget_too_many(&mut self.events);
                self.events.insert((record.u32(8), record.u32(16)), (record.u32(12), record.u32(4)));
            }
            kind::EXTERNAL_CORRELATION => {
                device_detail(&Detail::External {
                    kind: record.u32(4),
                    id: record.u64(8),
                    correlation: record.u32(16),
                });
            }
            _ => {}
        }
    }

    /// A time of CUPTI's on our clock, if the recording had begun by then: a late record may belong to the recording
    /// before.
    fn time(&self, time: u64) -> Option<u64> {
        let at = time.saturating_add_signed(self.offset);
        self.since.filter(|since| at >= *since).map(|_| at)
    }

    /// Writes an activity from `start` to `end`, if these are known.
    fn put(&mut self, [start, end]: [u64; 2], activity_of: Activity, details: &[Option<Detail>]) {
        if start == 0 || end == 0 {
            self.timeless += u64::from(self.since.is_some());
            return;
        }
        let Some(at) = self.time(start) else { return };
        let mut known = [Detail::Returned { code: 0 }; 4];
        let mut count = 0;
        for (place, detail) in known.iter_mut().zip(details.iter().flatten()) {
            *place = *detail;
            count += 1;
        }
        activity(&Activity { at, duration: end.saturating_sub(start), ..activity_of }, &known[..count]);
    }

    fn kernel(&mut self, record: Fields<'_>) {
        let name = self.names.kernel((self.texts)(record.u64(104))).get();
        let launch = Detail::Launch {
            grid: record.triple(52),
            block: record.triple(64).map(small),
            registers: record.u16(6),
            fixed_shared: record.u32(76),
            dynamic_shared: record.u32(80),
        };
        let resources = Detail::Resources {
            local_memory: record.u32(84),
            cluster: record.triple_since(version::KERNEL_CLUSTER, 176).map(small),
            launch_type: record.u8(136),
            priority: record.since(version::KERNEL_PRIORITY, 216).cast_signed(),
        };
        let usual = Detail::Resources { local_memory: 0, cluster: [0; 3], launch_type: 0, priority: 0 };
        let place = place(record.u32(44), record.u32(156), record.u64(144), record.u32(168));
        let activity = of_device(Category::Kernel, name, [record.u32(40), record.u32(92), record.u32(48)]);
        let details = [Some(launch), Some(resources).filter(|resources| *resources != usual), place];
        self.put([record.u64(16), record.u64(24)], activity, &details);
    }

    fn copy(&mut self, record: Fields<'_>) {
        let copy = copy_detail(record, [0; 2]);
        let place = place(record.u32(36), record.u32(72), record.u64(64), record.u32(76));
        let activity = of_device(Category::Memcpy, 0, [record.u32(32), record.u32(44), record.u32(40)]);
        self.put([record.u64(16), record.u64(24)], activity, &[Some(copy), place]);
    }

    fn peer_copy(&mut self, record: Fields<'_>) {
        let copy = copy_detail(record, [record.u32(44), record.u32(52)]);
        let place = place(record.u32(36), record.u32(80), record.u64(72), 0);
        let activity = of_device(Category::Memcpy, 0, [record.u32(32), record.u32(60), record.u32(40)]);
        self.put([record.u64(16), record.u64(24)], activity, &[Some(copy), place]);
    }

    fn fill(&mut self, record: Fields<'_>) {
        let set =
            Detail::Set { memory: record.u16(50), flags: record.u16(48), bytes: record.u64(8), value: record.u32(4) };
        let place = place(record.u32(36), record.u32(72), record.u64(64), 0);
        let activity = of_device(Category::Memset, 0, [record.u32(32), record.u32(44), record.u32(40)]);
        self.put([record.u64(16), record.u64(24)], activity, &[Some(set), place]);
    }

    fn call(&mut self, record: Fields<'_>) {
        let (number, thread) = (record.u32(4), record.u32(28));
        let is_driver = record.kind() == kind::DRIVER;
        if is_driver && number == DRIVER_GET_VERSION && self.canary_thread.contains(&thread) {
            self.canaries += 1;
            return;
        }
        let (domain, category) = if is_driver { (DRIVER, Category::Driver) } else { (RUNTIME, Category::Runtime) };
        let Some(name) = self.names.call(&self.functions, domain, number).map(Name::get) else { return };
        let returned = record.u32(36);
        let activity = of_device(category, name, [number, record.u32(32), thread]);
        let details = [(returned != 0).then_some(Detail::Returned { code: returned })];
        self.put([record.u64(8), record.u64(16)], activity, &details);
    }

    fn wait(&mut self, record: Fields<'_>) {
        let (context, event) = (record.u32(28), record.u32(36));
        let event = if event == NOT_APPLICABLE { 0 } else { event };
        let (awaited_stream, awaited_record) = self.events.get(&(context, event)).copied().unwrap_or_default();
        let wait = Detail::Wait {
            kind: record.u32(4),
            context,
            event,
            awaited_stream,
            awaited_record,
            returned: record.since(version::SYNCHRONIZATION_RETURNED, 48),
        };
        let device = self.contexts.get(&context).copied().unwrap_or(NO_DEVICE);
        let activity = of_device(Category::Synchronization, 0, [device.into(), record.u32(24), record.u32(32)]);
        self.put([record.u64(8), record.u64(16)], activity, &[Some(wait)]);
    }

    fn overhead(&mut self, record: Fields<'_>) {
        /// Objects that are a process or a thread: their ids stand one after the other.
        const PROCESS_OR_THREAD: [u32; 2] = [1, 2];
        let code = record.u32(4);
        let name = OVERHEADS.iter().find(|(known, _)| *known == code).map_or("Unknown", |(_, name)| name);
        let thread = if PROCESS_OR_THREAD.contains(&record.u32(8)) { record.u32(16) } else { 0 };
        let correlation = record.since(version::OVERHEAD_CORRELATION, 40);
        let activity = of_device(Category::Overhead, name.number(), [NO_DEVICE.into(), correlation, thread]);
        self.put([record.u64(24), record.u64(32)], activity, &[]);
    }

    fn graph(&mut self, record: Fields<'_>) {
        let place = Detail::Place { context: record.u32(32), graph: record.u32(28), node: 0, channel: 0 };
        let activity = of_device(Category::Graph, 0, [record.u32(24), record.u32(4), record.u32(36)]);
        self.put([record.u64(8), record.u64(16)], activity, &[Some(place)]);
    }

    fn memory(&self, record: Fields<'_>) {
        /// Kinds of memory that are the host's: pageable and pinned.
        const OF_HOST: [u32; 2] = [1, 2];
        let bytes = i64::try_from(record.u64(24)).unwrap_or(i64::MAX);
        let bytes = match record.u32(4) {
            1 => bytes,
            2 => -bytes,
            _ => return,
        };
        let Some(at) = self.time(record.u64(32)) else { return };
        let device = match record.u32(8) {
            host if OF_HOST.contains(&host) => MemoryDevice::Host,
            _ => MemoryDevice::Device(small(record.u32(52))),
        };
        memory_at(at, device, record.u64(16), bytes);
    }

    fn device(&mut self, record: Fields<'_>) {
        let device = small(record.u32(112));
        let name = Name::new(&readable((self.texts)(record.u64(136)))).get();
        let about = Detail::Device {
            device,
            name,
            memory: record.u64(16),
            multiprocessors: record.u32(44),
            capability: [record.u32(104), record.u32(108)].map(small),
            warp: small(record.u32(32)),
        };
        let limits = Detail::Limits {
            device,
            threads: record.u32(52).saturating_mul(record.u32(32)),
            block_threads: record.u32(76),
            registers: record.u32(64),
            shared: record.u32(60),
            block_shared: record.u32(72),
        };
        [about, limits].iter().for_each(device_detail);
        self.devices.insert(device, [about, limits]);
    }
}

/// CUPTI's number for no stream or no event.
const NOT_APPLICABLE: u32 = u32::MAX;

fn small(number: u32) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// An activity whose times come later.
fn of_device(category: Category, name: u32, [device, correlation, place]: [u32; 3]) -> Activity {
    Activity { category, device: small(device), name, at: 0, duration: 0, correlation, place }
}

fn place(context: u32, graph: u32, node: u64, channel: u32) -> Option<Detail> {
    (context != 1 || graph != 0).then_some(Detail::Place { context, graph, node, channel })
}

fn copy_detail(record: Fields<'_>, devices: [u32; 2]) -> Detail {
    Detail::Copy {
        kind: record.u8(4),
        source: record.u8(5),
        destination: record.u8(6),
        flags: record.u8(7),
        bytes: record.u64(8),
        devices,
    }
}

/// Limits the memory for programs that make millions of them.
fn forget_too_many<K, V>(known: &mut FxHashMap<K, V>) {
    if known.len() >= MOST_REMEMBERED {
        known.clear();
    }
}
