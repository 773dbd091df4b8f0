//! Device activities, and the calls that launched them.
//!
//! An activity is one record. Its details follow right after it on its thread, in the same segment, published with it.
//! Its thread is the one that wrote the record and has no further meaning. Readers show an activity whose details are
//! missing, and skip details that they do not know.
//!
//! ```text
//! activity  aux      the device; of a call the function's number
//!           name     the kernel's, the call's, the overhead's; 0 for what its details name
//!           at       when it began
//!           extent   how long it took
//!           value    correlation (low half), stream (high); of calls and overhead: correlation, thread's system id
//! detail    aux      which one: the numbers of [`Detail`]
//!           name, at, extent, value   its payload
//! ```
//!
//! The correlation joins what a device did to the call that launched it; each process counts its own, from 1.

use crate::{Category, Kind, Record};

/// The most details that one activity has.
pub const MOST_DETAILS: usize = 4;

/// No device, or an unknown one.
pub const NO_DEVICE: u16 = u16::MAX;

/// A record of kind [`Kind::Activity`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activity {
    /// Its category: [`Category::Kernel`] or a later one.
    pub category: Category,
    /// The device's number; of a call, the function's number as CUPTI counts.
    pub device: u16,
    /// Its name's number.
    pub name: u32,
    /// When it began.
    pub at: u64,
    /// Its duration.
    pub duration: u64,
    /// Correlation with its call; 0 if there is none.
    pub correlation: u32,
    /// The stream, or the system id of the thread of a call or overhead.
    pub place: u32,
}

/// A record of kind [`Kind::Detail`]. Codes are CUPTI's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// 1: launch of a kernel.
    Launch {
        /// Blocks in x, y, z.
        grid: [u32; 3],
        /// Threads of a block in x, y, z.
        block: [u16; 3],
        /// Registers per thread.
        registers: u16,
        /// Shared memory of a block that the kernel declares, in bytes.
        fixed_shared: u32,
        /// Shared memory of a block that the launch asks for, in bytes.
        dynamic_shared: u32,
    },
    /// 2: further resources of a kernel; left out if all are zero.
    Resources {
        /// Local memory per thread in bytes: what registers spilled into.
        local_memory: u32,
        /// Blocks of a cluster in x, y, z; zeros for none.
        cluster: [u16; 3],
        /// Launch type: 0 default, 1 cooperative, 2 on several devices, 3 by the device.
        launch_type: u8,
        /// The stream's priority.
        priority: i32,
    },
    /// 3: context and graph of an activity; left out for context 1 and no graph.
    Place {
        /// The context.
        context: u32,
        /// The graph that it was launched with; 0 for none.
        graph: u32,
        /// The graph's node; 0 for none.
        node: u64,
        /// The channel of the hardware.
        channel: u32,
    },
    /// 4: a memcpy.
    Copy {
        /// The direction: 1 host to device, 2 device to host, 8 device to device, 10 peer to peer, …
        kind: u8,
        /// The memory it comes from: 1 pageable, 2 pinned, 3 device, 4 array, 5 managed, …
        source: u8,
        /// The memory it goes to.
        destination: u8,
        /// 1: asynchronous.
        flags: u8,
        /// Bytes.
        bytes: u64,
        /// The devices at both ends of a peer-to-peer memcpy.
        devices: [u32; 2],
    },
    /// 5: a memset.
    Set {
        /// Kind of memory, as for a memcpy.
        memory: u16,
        /// 1: asynchronous.
        flags: u16,
        /// Bytes.
        bytes: u64,
        /// The value that is written.
        value: u32,
    },
    /// 6: a wait.
    Wait {
        /// The kind: 1 an event, 2 an event by a stream, 3 a stream, 4 a context.
        kind: u32,
        /// The context.
        context: u32,
        /// The event; 0 for none.
        event: u32,
        /// The stream on which the event was recorded last.
        awaited_stream: u32,
        /// The correlation of the call that recorded it; 0 if that is not known.
        awaited_record: u32,
        /// Return code of the call.
        returned: u32,
    },
    /// 7: return code of a call; left out for success.
    Returned {
        /// The error's number.
        code: u32,
    },
    /// 8, of no activity: the program's own number for a call.
    External {
        /// Kind of the number (CUPTI's external correlation kind).
        kind: u32,
        /// The number.
        id: u64,
        /// The call's correlation.
        correlation: u32,
    },
    /// 9, of no activity: a device.
    Device {
        /// Its number.
        device: u16,
        /// Its model's name, by number.
        name: u32,
        /// Its memory in bytes.
        memory: u64,
        /// Multiprocessors.
        multiprocessors: u32,
        /// The compute capability.
        capability: [u16; 2],
        /// Threads that run in lockstep.
        warp: u16,
    },
    /// 10, of no activity: capacity limits of a device.
    Limits {
        /// The device's number.
        device: u16,
        /// Most threads on one multiprocessor.
        threads: u32,
        /// Most threads of a block.
        block_threads: u32,
        /// Registers of one multiprocessor.
        registers: u32,
        /// Shared memory of one multiprocessor in bytes.
        shared: u32,
        /// Shared memory of a block in bytes, without asking for more.
        block_shared: u32,
    },
    /// 11, of no activity: a thread's name from now on.
    ThreadName {
        /// The thread's system id.
        thread: u64,
        /// The name's number.
        name: u32,
    },
    /// 12, of no activity: a stream's name.
    StreamName {
        /// The device, or [`NO_DEVICE`] for whichever has a stream of that number.
        device: u16,
        /// The stream.
        stream: u32,
        /// The name's number.
        name: u32,
    },
    /// 13, of no activity: the program's name of a device.
    DeviceName {
        /// The device's number.
        device: u16,
        /// The name's number.
        name: u32,
    },
}

fn pair(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

fn quad([a, b, c, d]: [u16; 4]) -> u64 {
    u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
}

fn quarters(word: u64) -> [u16; 4] {
    [word as u16, (word >> 16) as u16, (word >> 32) as u16, (word >> 48) as u16]
}

impl Activity {
    /// Its record.
    #[must_use]
    pub fn record(&self) -> Record {
        Record {
            kind: Kind::Activity,
            category: self.category,
            aux: self.device,
            name: self.name,
            at: self.at,
            extent: self.duration,
            value: pair(self.correlation, self.place),
        }
    }

    /// The activity of a record; `None` if it is not an activity.
    #[must_use]
    pub fn of(record: &Record) -> Option<Self> {
        let [correlation, place] = halves(record.value);
        (record.kind == Kind::Activity).then_some(Self {
            category: record.category,
            device: record.aux,
            name: record.name,
            at: record.at,
            duration: record.extent,
            correlation,
            place,
        })
    }
}

impl Detail {
    /// Its record.
    #[must_use]
    pub fn record(&self) -> Record {
        let (aux, name, at, extent, value) = match *self {
            Self::Launch { grid, block: [x, y, z], registers, fixed_shared, dynamic_shared } => {
                (1, fixed_shared, pair(grid[0], grid[1]), pair(grid[2], dynamic_shared), quad([x, y, z, registers]))
            }
            Self::Resources { local_memory, cluster: [x, y, z], launch_type, priority } => {
                (2, local_memory, quad([x, y, z, launch_type.into()]), u64::from(priority.cast_unsigned()), 0)
            }
            Self::Place { context, graph, node, channel } => (3, context, node, pair(graph, channel), 0),
            Self::Copy { kind, source, destination, flags, bytes, devices: [from, to] } => {
                (4, u32::from_le_bytes([kind, source, destination, flags]), bytes, pair(from, to), 0)
            }
            Self::Set { memory, flags, bytes, value } => {
                (5, u32::from(memory) | u32::from(flags) << 16, bytes, value.into(), 0)
            }
            Self::Wait { kind, context, event, awaited_stream, awaited_record, returned } => {
                (6, kind, pair(event, context), pair(awaited_stream, awaited_record), returned.into())
            }
            Self::Returned { code } => (7, code, 0, 0, 0),
            Self::External { kind, id, correlation } => (8, correlation, id, kind.into(), 0),
            Self::Device { device, name, memory, multiprocessors, capability: [major, minor], warp } => {
                (9, name, memory, multiprocessors.into(), quad([device, major, minor, warp]))
            }
            Self::Limits { device, threads, block_threads, registers, shared, block_shared } => {
                let name = u32::from(device);
                (10, name, pair(threads, block_threads), registers.into(), pair(shared, block_shared))
            }
            Self::ThreadName { thread, name } => (11, name, thread, 0, 0),
            Self::StreamName { device, stream, name } => (12, name, stream.into(), device.into(), 0),
            Self::DeviceName { device, name } => (13, name, device.into(), 0, 0),
        };
        Record { kind: Kind::Detail, category: Category::General, aux, name, at, extent, value }
    }

    /// The detail of a record; `None` if it is not a detail, or one of a later version.
    #[must_use]
    pub fn of(record: &Record) -> Option<Self> {
        let Record { name, at, extent, value, .. } = *record;
        let [low, high] = halves(extent);
        Some(match (record.kind, record.aux) {
            (Kind::Detail, 1) => {
                let ([grid_x, grid_y], [x, y, z, registers]) = (halves(at), quarters(value));
                Self::Launch {
                    grid: [grid_x, grid_y, low],
                    block: [x, y, z],
                    registers,
                    fixed_shared: name,
                    dynamic_shared: high,
                }
            }
            (Kind::Detail, 2) => {
                let [x, y, z, launch_type] = quarters(at);
                Self::Resources {
                    local_memory: name,
                    cluster: [x, y, z],
                    launch_type: launch_type as u8,
                    priority: low.cast_signed(),
                }
            }
            (Kind::Detail, 3) => Self::Place { context: name, graph: low, node: at, channel: high },
            (Kind::Detail, 4) => {
                let [kind, source, destination, flags] = name.to_le_bytes();
                Self::Copy { kind, source, destination, flags, bytes: at, devices: [low, high] }
            }
            (Kind::Detail, 5) => Self::Set { memory: name as u16, flags: (name >> 16) as u16, bytes: at, value: low },
            (Kind::Detail, 6) => {
                let [event, context] = halves(at);
                let returned = value as u32;
                Self::Wait { kind: name, context, event, awaited_stream: low, awaited_record: high, returned }
            }
            (Kind::Detail, 7) => Self::Returned { code: name },
            (Kind::Detail, 8) => Self::External { kind: low, id: at, correlation: name },
            (Kind::Detail, 9) => {
                let [device, major, minor, warp] = quarters(value);
                Self::Device { device, name, memory: at, multiprocessors: low, capability: [major, minor], warp }
            }
            (Kind::Detail, 10) => {
                let ([threads, block_threads], [shared, block_shared]) = (halves(at), halves(value));
                Self::Limits { device: name as u16, threads, block_threads, registers: low, shared, block_shared }
            }
            (Kind::Detail, 11) => Self::ThreadName { thread: at, name },
            (Kind::Detail, 12) => Self::StreamName { device: extent as u16, stream: at as u32, name },
            (Kind::Detail, 13) => Self::DeviceName { device: at as u16, name },
            _ => return None,
        })
    }
}
