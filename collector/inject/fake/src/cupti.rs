//! CUPTI and the driver. There is no device: a test supplies the activities, record by record.

use std::collections::BTreeSet;
use std::ffi::{c_char, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::sizes::size_of_kind;

type Requested = unsafe extern "C" fn(*mut *mut u8, *mut usize, *mut usize);
type Completed = unsafe extern "C" fn(*mut c_void, u32, *mut u8, usize, usize);
type Requested2 = unsafe extern "C" fn(*mut *mut u8, *mut usize, *mut usize, *mut c_void);
type Completed2 = unsafe extern "C" fn(*mut u8, usize, usize, *mut c_void);
type Clock = unsafe extern "C" fn() -> u64;

/// The versions whose records are known to differ, and some between.
pub const VERSIONS: [u32; 12] = [17, 18, 22, 24, 26, 28, 130_001, 130_101, 130_202, 130_301, 130_401, 130_500];

/// Callbacks that receive the records.
#[derive(Clone, Copy)]
enum Callbacks {
    One(Requested, Completed),
    Several(Requested2, Completed2),
}

/// A buffer that is being filled.
#[derive(Clone, Copy)]
struct Buffer {
    start: usize,
    size: usize,
    used: usize,
}

/// A client of CUPTI.
#[derive(Default)]
struct Client {
    callbacks: Option<Callbacks>,
    enabled: BTreeSet<u32>,
    /// Calls that are left out, by their kind and number.
    left_out: BTreeSet<(u32, u32)>,
    clock: Option<Clock>,
    system_thread_ids: bool,
    buffer: Option<Buffer>,
}

struct State {
    version: u32,
    /// The only client, and those of `cuptiSubscribe_v2`.
    clients: Vec<Client>,
    records: u64,
    /// Each buffer contains something that the device has not finished.
    is_busy: bool,
}

static STATE: Mutex<State> = Mutex::new(State { version: 22, clients: Vec::new(), records: 0, is_busy: false });

fn state() -> MutexGuard<'static, State> {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    if state.clients.is_empty() {
        state.clients.push(Client::default());
    }
    state
}

/// Puts a record into the buffers of all clients that enabled its kind. Callbacks are called without the lock, as CUPTI
/// does.
fn emit(record: &[u8]) {
    let kind = u32::from_ne_bytes([record[0], record[1], record[2], record[3]]);
    let clients = state().clients.len();
    for index in 0..clients {
        let (callbacks, mut buffer, size) = {
            let mut state = state();
            let size = size_of_kind(kind, state.version).unwrap_or(record.len());
            let client = &mut state.clients[index];
            let number = u32::from_ne_bytes([record[4], record[5], record[6], record[7]]);
            let is_wanted = client.enabled.contains(&kind) && !client.left_out.contains(&(kind, number));
            let Some(callbacks) = client.callbacks.filter(|_| is_wanted) else { continue };
            (callbacks, client.buffer.take(), size)
        };
        if buffer.is_some_and(|buffer| buffer.used + size > buffer.size)
            && let Some(full) = buffer.take()
        {
            complete(callbacks, full);
        }
        let mut buffer = buffer.unwrap_or_else(|| request(callbacks));
        // The bytes after the known fields are arbitrary.
        let mut bytes = vec![0xEE; size];
        let known = record.len().min(size);
        bytes[..known].copy_from_slice(&record[..known]);
        // SAFETY: the buffer has room, and has no other owner until it is completed.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), (buffer.start + buffer.used) as *mut u8, size) };
        buffer.used += size;
        let mut state = state();
        state.clients[index].buffer = Some(buffer);
        state.records += 1;
    }
}

fn request(callbacks: Callbacks) -> Buffer {
    let (mut start, mut size, mut most) = (std::ptr::null_mut(), 0, 0);
    // SAFETY: they write three numbers.
    unsafe {
        match callbacks {
            Callbacks::One(requested, _) => requested(&raw mut start, &raw mut size, &raw mut most),
            Callbacks::Several(requested, _) => {
                requested(&raw mut start, &raw mut size, &raw mut most, std::ptr::null_mut());
            }
        }
    }
    assert!((start as usize).is_multiple_of(8) && size >= 1024, "a buffer");
    Buffer { start: start as usize, size, used: 0 }
}

fn complete(callbacks: Callbacks, buffer: Buffer) {
    let Buffer { start, size, used } = buffer;
    // SAFETY: the buffer is the client's.
    unsafe {
        match callbacks {
            Callbacks::One(_, completed) => completed(std::ptr::null_mut(), 0, start as *mut u8, size, used),
            Callbacks::Several(_, completed) => completed(start as *mut u8, size, used, std::ptr::null_mut()),
        }
    }
}

fn now(client: usize) -> u64 {
    let clock = state().clients.get(client).and_then(|client| client.clock);
    match clock {
        // SAFETY: the client's clock.
        Some(clock) => unsafe { clock() },
        None => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64),
    }
}

// Functions that tests call.

/// Sets the version, before anything else is called.
#[unsafe(no_mangle)]
pub extern "C" fn fake_set_version(version: u32) {
    state().version = version;
}

/// An activity happened.
///
/// # Safety
///
/// So many bytes stand there, at least four.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fake_record(bytes: *const u8, len: usize) {
    // SAFETY: as the caller says.
    emit(unsafe { std::slice::from_raw_parts(bytes, len) });
}

/// Number of records that were put into buffers.
#[unsafe(no_mangle)]
pub extern "C" fn fake_records() -> u64 {
    state().records
}

/// Whether the device works on something in each buffer.
#[unsafe(no_mangle)]
pub extern "C" fn fake_set_busy(is_busy: bool) {
    state().is_busy = is_busy;
}

/// The time that CUPTI reads.
#[unsafe(no_mangle)]
pub extern "C" fn fake_now() -> u64 {
    let clients = state().clients.len();
    now(clients - 1)
}

/// Another profiler's session ends: it disables all kinds. With `finalize`, it clears its callbacks and clock, too.
#[unsafe(no_mangle)]
pub extern "C" fn fake_session_ends(finalize: bool) {
    let client = &mut state().clients[0];
    client.enabled.clear();
    if finalize {
        *client = Client::default();
    }
}

/// The only client gets records of an unknown kind.
#[unsafe(no_mangle)]
pub extern "C" fn fake_enable_anything(kind: u32) {
    state().clients[0].enabled.insert(kind);
}

/// The only client is handed a buffer that is not its own.
#[unsafe(no_mangle)]
pub extern "C" fn fake_complete_stranger() {
    let callbacks = state().clients[0].callbacks;
    let buffer = vec![10_u64; 64];
    if let Some(callbacks) = callbacks {
        complete(callbacks, Buffer { start: buffer.as_ptr() as usize, size: 512, used: 400 });
    }
}

// CUPTI's functions.

/// Its version.
///
/// # Safety
///
/// As CUPTI's; so of all below.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "NVIDIA's names")]
pub unsafe extern "C" fn cuptiGetVersion(version: *mut u32) -> i32 {
    // SAFETY: the caller's.
    unsafe { *version = state().version };
    0
}

macro_rules! exported {
    ($($(#[doc = $about:literal])+ fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block)+) => {
        $($(#[doc = $about])+
        ///
        /// # Safety
        ///
        /// As CUPTI's.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "NVIDIA's names")]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> i32 $body)+
    };
}

fn client(subscriber: *mut c_void) -> usize {
    subscriber as usize
}

fn enable(index: usize, kind: u32) -> i32 {
    let version = state().version;
    match size_of_kind(kind, version) {
        Some(_) => {
            state().clients[index].enabled.insert(kind);
            0
        }
        None => 21,
    }
}

/// From 12.5 on.
fn choose(index: usize, call: (u32, u32), wanted: u8) -> i32 {
    let mut state = state();
    if state.version < 26 {
        return 1;
    }
    let left_out = &mut state.clients[index].left_out;
    if wanted == 0 {
        left_out.insert(call)
    } else {
        left_out.remove(&call)
    };
    0
}

exported! {
    /// The last one to register gets everything.
    fn cuptiActivityRegisterCallbacks(requested: Requested, completed: Completed) {
        let client = &mut state().clients[0];
        // The new client gets unflushed records, in the buffer of the previous one.
        client.callbacks = Some(Callbacks::One(requested, completed));
        0
    }

    /// Records a kind.
    fn cuptiActivityEnable(kind: u32) {
        enable(0, kind)
    }

    /// Records a kind no longer.
    fn cuptiActivityDisable(kind: u32) {
        state().clients[0].enabled.remove(&kind);
        0
    }

    /// Records a call of the driver, or leaves it out.
    fn cuptiActivityEnableDriverApi(number: u32, wanted: u8) {
        choose(0, (4, number), wanted)
    }

    /// Records a call of the runtime, or leaves it out.
    fn cuptiActivityEnableRuntimeApi(number: u32, wanted: u8) {
        choose(0, (5, number), wanted)
    }

    /// The next record of a buffer.
    fn cuptiActivityGetNextRecord(buffer: *mut u8, valid: usize, record: *mut *mut u8) {
        let version = state().version;
        // SAFETY: the buffer is filled so far, and the record one of it or null.
        unsafe {
            let size_at = |at: usize| size_of_kind(buffer.add(at).cast::<u32>().read_unaligned(), version);
            let next = if (*record).is_null() {
                0
            } else {
                let at = *record as usize - buffer as usize;
                at + size_at(at).unwrap_or(valid)
            };
            if next + 4 > valid {
                return 12;
            }
            match size_at(next) {
                Some(size) if next + size <= valid => {
                    *record = buffer.add(next);
                    0
                }
                _ => 21,
            }
        }
    }

    /// Hands over buffers: all finished records or, if it is forced, all.
    fn cuptiActivityFlushAll(flag: u32) {
        if flag == 0 && state().is_busy {
            return 0;
        }
        let clients = state().clients.len();
        for index in 0..clients {
            let (callbacks, buffer) = {
                let mut state = state();
                let client = &mut state.clients[index];
                (client.callbacks, client.buffer.take())
            };
            if let (Some(callbacks), Some(buffer)) = (callbacks, buffer) {
                complete(callbacks, buffer);
            }
        }
        0
    }

    /// Names of some functions.
    fn cuptiGetCallbackName(domain: u32, number: u32, name: *mut *const c_char) {
        let text = match (domain, number) {
            (1, 2) => c"cuDriverGetVersion",
            (1, 307) => c"cuLaunchKernel",
            (1, 10) => c"cuDeviceGetAttribute",
            (2, 17) => c"cudaGetDevice_v3020",
            (2, 41) => c"cudaMemcpyAsync_v3020",
            (2, 211) => c"cudaLaunchKernel_v7000",
            _ => return 1,
        };
        // SAFETY: the caller's.
        unsafe { *name = text.as_ptr() };
        0
    }

    /// The time as records have it.
    fn cuptiGetTimestamp(time: *mut u64) {
        // SAFETY: the caller's.
        unsafe { *time = now(0) };
        0
    }

    /// Sets the clock.
    fn cuptiActivityRegisterTimestampCallback(clock: Clock) {
        state().clients[0].clock = Some(clock);
        0
    }

    /// Does nothing: buffers come when they are full, or flushed.
    fn cuptiActivityFlushPeriod(_ms: u32) {
        0
    }

    /// Ids of threads: 1 the system's.
    fn cuptiSetThreadIdType(kind: u32) {
        state().clients[0].system_thread_ids = kind == 1;
        0
    }

    /// The number of a stream: a hundredth of its handle.
    fn cuptiGetStreamIdEx(_context: *mut c_void, stream: usize, _per_thread: u8, number: *mut u32) {
        // SAFETY: the caller's.
        unsafe { *number = (stream / 100) as u32 };
        0
    }

    /// A client among several, from 13.3 on.
    fn cuptiSubscribe_v2(
        subscriber: *mut *mut c_void,
        callback: *mut c_void,
        _data: *mut c_void,
        params: *mut u8,
    ) {
        let mut state = state();
        // SAFETY: the parameters begin with their size; the wish for several stands at 32.
        let (size, several) = unsafe { (*params.cast::<usize>(), *params.add(32)) };
        if state.version < 130_301 || size != 40 || several != 1 || callback.is_null() {
            return 39;
        }
        state.clients.push(Client::default());
        // SAFETY: the caller's.
        unsafe { *subscriber = (state.clients.len() - 1) as *mut c_void };
        0
    }

    /// Ends a client.
    fn cuptiUnsubscribe(subscriber: *mut c_void) {
        state().clients[client(subscriber)] = Client::default();
        0
    }

    /// As without `_v2`, for a client; so of all below.
    fn cuptiActivityRegisterCallbacks_v2(subscriber: *mut c_void, requested: Requested2, completed: Completed2) {
        state().clients[client(subscriber)].callbacks = Some(Callbacks::Several(requested, completed));
        0
    }

    /// Records a kind for a client.
    fn cuptiActivityEnable_v2(subscriber: *mut c_void, kind: u32, _config: *mut c_void) {
        enable(client(subscriber), kind)
    }

    /// Chooses a call of the driver for a client.
    fn cuptiActivityEnableDriverApi_v2(subscriber: *mut c_void, number: u32, wanted: u8) {
        choose(client(subscriber), (4, number), wanted)
    }

    /// Chooses a call of the runtime for a client.
    fn cuptiActivityEnableRuntimeApi_v2(subscriber: *mut c_void, number: u32, wanted: u8) {
        choose(client(subscriber), (5, number), wanted)
    }

    /// The next record of a client's buffer.
    fn cuptiActivityGetNextRecord_v2(_subscriber: *mut c_void, buffer: *mut u8, valid: usize, record: *mut *mut u8) {
        // SAFETY: the caller's.
        unsafe { cuptiActivityGetNextRecord(buffer, valid, record) }
    }

    /// Ids of threads (21) and, from 13.4 on, the clock (22).
    fn cuptiActivitySetAttribute_v2(subscriber: *mut c_void, attribute: u32, size: *mut usize, value: *mut c_void) {
        let mut state = state();
        if state.version < 130_301 || (attribute == 22 && state.version < 130_401) {
            return 1;
        }
        let client = &mut state.clients[client(subscriber)];
        // SAFETY: the value is of the attribute's kind.
        unsafe {
            match (attribute, *size) {
                (21, 4) => client.system_thread_ids = *value.cast::<u32>() == 1,
                (22, 8) => client.clock = Some(*value.cast::<Clock>()),
                _ => return 1,
            }
        }
        0
    }

    /// The driver's version: a call that is recorded like any other.
    fn cuDriverGetVersion(version: *mut i32) {
        // SAFETY: the caller's.
        unsafe { *version = 12_040 };
        let clients = state().clients.len();
        for index in 0..clients {
            let (is_enabled, system) = {
                let state = state();
                (state.clients[index].enabled.contains(&4), state.clients[index].system_thread_ids)
            };
            if is_enabled {
                let (start, end) = (now(index), now(index));
                // SAFETY: they only return numbers.
                let thread = unsafe { if system { libc::syscall(libc::SYS_gettid) as u32 } else { libc::pthread_self() as u32 } };
                let mut record = [0; 40];
                let mut put = |at: usize, bytes: &[u8]| record[at..at + bytes.len()].copy_from_slice(bytes);
                put(0, &4_u32.to_ne_bytes());
                put(4, &2_u32.to_ne_bytes());
                put(8, &start.to_ne_bytes());
                put(16, &end.to_ne_bytes());
                put(24, &std::process::id().to_ne_bytes());
                put(28, &thread.to_ne_bytes());
                emit(&record);
            }
        }
        0
    }
}
