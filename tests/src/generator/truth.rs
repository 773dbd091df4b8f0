//! The true answers, counted state by state.

use std::collections::BTreeMap;

/// The true answers about a generated trace. Times are ns from the generator's zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The device over the whole trace.
    pub device: DeviceTruth,
    /// Idle time of the device by cause.
    pub idle: IdleTruth,
    /// Every activity with the call that launched it, in the order of launches.
    pub launches: Vec<LaunchTruth>,
    /// The steps.
    pub steps: Vec<StepTruth>,
    /// Operators and annotations by name.
    pub operators: BTreeMap<String, OperatorTruth>,
    /// The durations of each kernel by name.
    pub kernels: BTreeMap<String, Vec<i64>>,
    /// The kernels one by one.
    pub kernel_runs: Vec<KernelTruth>,
    /// The operators that multiply matrices, by their ids: their FLOPs.
    pub products: BTreeMap<u64, u64>,
    /// Calls, bytes and time of each kind of memcpy and memset.
    pub copies: BTreeMap<String, (u64, u64, i64)>,
    /// Slices of every kind, flows (whole ones), and values of counters in the file.
    pub slices: u64,
    /// Whole flows from a forward to a backward operator.
    pub forward_backward_flows: u64,
    /// Allocations and releases.
    pub memory_events: u64,
    /// Levels and blocks of memory.
    pub memory: MemoryTruth,
}

/// METRICS section 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceTruth {
    /// The window's length.
    pub window: i64,
    /// Doing anything.
    pub busy: i64,
    /// Doing nothing.
    pub idle: i64,
    /// Computing.
    pub compute: i64,
    /// Communicating.
    pub communication: i64,
    /// Copying.
    pub memcpy: i64,
    /// Filling.
    pub memset: i64,
    /// Computing and communicating.
    pub overlap: i64,
    /// Communicating and not computing.
    pub exposed_communication: i64,
    /// Copying, and neither computing nor communicating.
    pub exposed_memcpy: i64,
    /// Filling and nothing else.
    pub exposed_memset: i64,
}

/// METRICS section 5, of the device as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IdleTruth {
    /// The time of the gaps: unknown, host wait, kernel wait, other.
    pub classes: [i64; 4],
    /// Number of gaps.
    pub gaps: [u64; 4],
    /// Activities of the launching thread during the host wait: data loading, synchronization, allocation, launching,
    /// operators, Python, nothing recorded.
    pub host: [i64; 7],
}

/// An activity and the call that launched it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchTruth {
    /// The call; `None` if it was not recorded.
    pub call: Option<(i64, i64)>,
    /// Stream of the activity.
    pub stream: i64,
    /// The activity.
    pub activity: (i64, i64),
}

/// A kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelTruth {
    /// Its name.
    pub name: String,
    /// The id of the operator that launched it; 0 for none.
    pub operator: u64,
    /// When it ran.
    pub activity: (i64, i64),
}

impl KernelTruth {
    /// The blocks of a kernel that an operator of this id launches, each of 256 threads with 40 registers and 400 bytes of
    /// shared memory.
    #[must_use]
    pub fn blocks(operator: u64) -> u32 {
        8 << (operator % 12)
    }
}

/// Rows and columns of the square matrix that an operator of this id multiplies with one of 32 rows.
pub(super) fn matrix_width(operator: u64) -> u64 {
    64 << (operator % 5)
}

/// METRICS section 3.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepTruth {
    /// The step's number.
    pub name: String,
    /// The mark on the host.
    pub host: (i64, i64),
    /// The mark extended by the activities launched in it.
    pub span: (i64, i64),
    /// Activities launched in it.
    pub activities: u64,
    /// The device inside the extended step.
    pub device: DeviceTruth,
    /// The eight categories, by priority.
    pub categories: [i64; 8],
    /// Per phase (data loader, optimizer, backward, forward) its number of separate stretches.
    pub phases_calls: [u64; 4],
    /// Per phase the host's time.
    pub phases_host: [i64; 4],
    /// Per phase the device's time that was launched in it.
    pub phases_device: [i64; 4],
    /// When the first activity that was launched in the forward part begins.
    pub forward_start: Option<i64>,
    /// When the last activity that was launched in the backward part, and is no collective, ends.
    pub backward_end: Option<i64>,
    /// The collectives.
    pub collectives: Vec<(i64, i64)>,
}

/// METRICS section 6.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryTruth {
    /// Per event its time, and the allocated and reserved bytes afterwards.
    pub levels: Vec<(i64, i64, i64)>,
    /// Bytes allocated before the first event.
    pub before: i64,
    /// Per operator its allocations and releases, and their bytes.
    pub operators: BTreeMap<String, (u64, u64, i64, i64)>,
    /// Each block's bytes, its allocation's time, and its release's time, if they are known.
    pub blocks: Vec<(i64, Option<i64>, Option<i64>)>,
    /// Live blocks and bytes by operator at the first peak.
    pub live_at_peak: BTreeMap<String, (u64, i64)>,
    /// The peak of allocated bytes.
    pub peak: i64,
}

/// METRICS section 4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperatorTruth {
    /// Calls.
    pub calls: u64,
    /// Sum of durations.
    pub host_total: i64,
    /// The same without children.
    pub host_self: i64,
    /// Device time launched directly.
    pub device_self: i64,
    /// Device time launched directly or by callees.
    pub device_total: i64,
}

/// State of the device at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DeviceState {
    pub(super) compute: bool,
    pub(super) communication: bool,
    pub(super) memcpy: bool,
    pub(super) memset: bool,
    /// Reason for waiting, if it does nothing.
    pub(super) waits_for: WaitsFor,
}

/// Reason for the device's waiting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum WaitsFor {
    /// It does something, or has nothing to do yet.
    #[default]
    Nothing,
    /// Something unrecorded.
    Unrecorded,
    /// The thread that is going to launch: the one of the backward part, or the main one.
    Thread {
        /// Whether it is the one of the backward part.
        backward: bool,
        /// The thread that launched the device's previous activity, likewise, if its call is recorded: it counts if the
        /// records show nothing of the launching thread.
        before: Option<bool>,
    },
    /// A launch that the thread has begun.
    Launch,
    /// A memcpy that the thread has begun to launch, by a call that waits for it.
    Copy,
    /// A short time, for what had been launched before.
    Kernel,
    /// A longer one.
    Other,
}

impl DeviceState {
    pub(super) fn busy(self) -> bool {
        self.compute || self.communication || self.memcpy || self.memset
    }
}

/// State of the host at a moment, in rising priority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum HostState {
    #[default]
    Other,
    Operator,
    /// In an operator that reads a value from the device.
    Reading,
    Dataloader,
    Runtime,
    /// In a call that waits for the device.
    Waiting,
}

/// State and place of the host at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HostMoment {
    pub(super) state: HostState,
    /// On the thread of the backward part.
    pub(super) backward: bool,
    /// In a function of Python that is recorded.
    pub(super) python: bool,
}

impl IdleTruth {
    /// Counts `length` ns in these states.
    pub(super) fn count(&mut self, length: i64, device: DeviceState, host: HostMoment) {
        let class = match device.waits_for {
            WaitsFor::Nothing => return,
            WaitsFor::Unrecorded => 0,
            WaitsFor::Thread { backward, before } => {
                // The host has one activity at a time: the other thread's records show nothing.
                let is_shown = host.backward == backward || before == Some(host.backward);
                let activity = if is_shown { host_activity(host) } else { 6 };
                self.host[activity] += length;
                1
            }
            WaitsFor::Launch => {
                self.host[LAUNCHING] += length;
                1
            }
            WaitsFor::Copy => {
                self.host[SYNCHRONIZING] += length;
                1
            }
            WaitsFor::Kernel => 2,
            WaitsFor::Other => 3,
        };
        self.classes[class] += length;
    }
}

const SYNCHRONIZING: usize = 1;
const LAUNCHING: usize = 3;

/// Index of a thread's activity at a moment, in METRICS section 5's list.
fn host_activity(host: HostMoment) -> usize {
    match host {
        HostMoment { state: HostState::Dataloader, .. } => 0,
        HostMoment { state: HostState::Waiting | HostState::Reading, .. } => SYNCHRONIZING,
        HostMoment { state: HostState::Runtime, .. } => LAUNCHING,
        HostMoment { state: HostState::Operator, .. } => 4,
        HostMoment { python: true, .. } => 5,
        _ => 6,
    }
}

impl DeviceTruth {
    /// Counts `length` ns in a state.
    pub(super) fn count(&mut self, length: i64, state: DeviceState) {
        let DeviceState { compute, communication, memcpy, memset, .. } = state;
        let add = |when: bool, field: &mut i64| *field += if when { length } else { 0 };
        add(true, &mut self.window);
        add(state.busy(), &mut self.busy);
        add(!state.busy(), &mut self.idle);
        add(compute, &mut self.compute);
        add(communication, &mut self.communication);
        add(memcpy, &mut self.memcpy);
        add(memset, &mut self.memset);
        add(compute && communication, &mut self.overlap);
        add(communication && !compute, &mut self.exposed_communication);
        add(memcpy && !compute && !communication, &mut self.exposed_memcpy);
        add(memset && !compute && !communication && !memcpy, &mut self.exposed_memset);
    }
}

/// The category of a moment: METRICS section 3's priorities, written as they read there.
pub(super) fn category(device: DeviceState, host: HostState) -> usize {
    match (device, host) {
        (DeviceState { compute: true, .. }, _) => 0,
        (DeviceState { memcpy: true, .. }, _) => 1,
        (DeviceState { memset: true, .. }, _) => 2,
        (DeviceState { communication: true, .. }, _) => 3,
        (_, HostState::Runtime | HostState::Waiting) => 4,
        (_, HostState::Dataloader) => 5,
        (_, HostState::Operator | HostState::Reading) => 6,
        (_, HostState::Other) => 7,
    }
}
