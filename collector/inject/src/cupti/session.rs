//! The session: configures what CUPTI records, and receives its records.

#![expect(unsafe_code, reason = "functions of CUPTI's, and those that it calls")]

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

use stepscope_collector::internal::{began, lost, realtime};
use stepscope_collector::{StaticName, now};

use super::buffers::Buffers;
use super::decode::{Decoder, kind};
use super::library::{self, Library, Multiple, SUCCESS, Status, Subscriber, SubscriberParams};
use super::names::{DRIVER, RUNTIME, queries};
use crate::guard::guard;
use crate::text::bytes;

/// Kinds of records. Graphs are recorded kernel by kernel: `GRAPH_TRACE` would record only whole graphs, for the rest
/// of the process's life. The first kind is required, the others are optional.
const KINDS: [u32; 13] = [
    kind::CONCURRENT_KERNEL,
    kind::DEVICE,
    kind::CONTEXT,
    kind::MEMCPY,
    kind::MEMCPY2,
    kind::MEMSET,
    kind::RUNTIME,
    kind::DRIVER,
    kind::CUDA_EVENT,
    kind::SYNCHRONIZATION,
    kind::OVERHEAD,
    kind::EXTERNAL_CORRELATION,
    kind::MEMORY2,
];

/// Period in ms at which CUPTI itself hands over full buffers.
const FLUSH_PERIOD: u32 = 200;

/// Argument of `cuptiSetThreadIdType`: the system's ids, not those of pthreads.
const SYSTEM_THREAD_IDS: u32 = 1;

/// Attributes of a client.
const ATTRIBUTE_THREAD_IDS: u32 = 21;
const ATTRIBUTE_TIMESTAMP: u32 = 22;

/// CUPTI's first version with several clients.
const SEVERAL_CLIENTS: u32 = 130_301;

/// Argument of `cuptiActivityFlushAll`: hands over unfinished records, too.
const FORCED: u32 = 1;

/// A session with CUPTI.
pub(super) struct Session {
    pub(super) library: Library,
    /// Our client, if there may be several.
    client: Option<(Multiple, AtomicPtr<c_void>)>,
    /// In a forked child, CUDA and CUPTI do not work.
    process: u32,
}

static SESSION: OnceLock<Session> = OnceLock::new();
static BUFFERS: OnceLock<Mutex<Buffers>> = OnceLock::new();
static DECODER: OnceLock<Mutex<Decoder>> = OnceLock::new();

/// Held while CUPTI hands over its buffers: a second flush waits until the buffers of the first one were read.
static FLUSHING: Mutex<()> = Mutex::new(());

/// Message for readers about activities without times.
static TIMELESS: StaticName = StaticName::new("activities of CUDA that had not ended when recording did");

/// Held by who examines, leaves or takes CUPTI: a check that began before another client announced itself takes nothing from it.
static TURN: Mutex<()> = Mutex::new(());

/// Whether CUPTI is left to another client.
static RELEASED: AtomicBool = AtomicBool::new(false);

/// Offset to add to `CLOCK_MONOTONIC` to get the times given to CUPTI.
static OFFSET: AtomicI64 = AtomicI64::new(0);

/// Number of times that CUPTI asked for the time, and number of non-empty buffers that arrived.
static STAMPS: AtomicU64 = AtomicU64::new(0);
static DELIVERED: AtomicU64 = AtomicU64::new(0);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic inside leaves it usable.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn buffers() -> &'static Mutex<Buffers> {
    BUFFERS.get_or_init(Mutex::default)
}

/// The time for CUPTI: the time of day at our start, advanced evenly.
///
/// So it has a fixed offset to `CLOCK_MONOTONIC`, and is what another client expects if it finds it registered.
unsafe extern "C" fn timestamp() -> u64 {
    STAMPS.fetch_add(1, Ordering::Relaxed);
    now().saturating_add_signed(OFFSET.load(Ordering::Relaxed))
}

unsafe extern "C" fn requested(buffer: *mut *mut u8, size: *mut usize, most_records: *mut usize) {
    guard((), || {
        let (start, len) = lock(buffers()).give();
        // SAFETY: CUPTI gives three places to be written to.
        unsafe {
            *buffer = start;
            *size = len;
            *most_records = 0;
        }
    });
}

unsafe extern "C" fn requested_by(
    buffer: *mut *mut u8,
    size: *mut usize,
    most_records: *mut usize,
    _info: *mut c_void,
) {
    // SAFETY: the same places.
    unsafe { requested(buffer, size, most_records) }
}

unsafe extern "C" fn completed(_context: *mut c_void, _stream: u32, buffer: *mut u8, _size: usize, valid: usize) {
    guard((), || deliver(buffer, valid));
}

unsafe extern "C" fn completed_by(buffer: *mut u8, _size: usize, valid: usize, _info: *mut c_void) {
    guard((), || deliver(buffer, valid));
}

unsafe extern "C" fn nothing_to_tell(_data: *mut c_void, _domain: u32, _number: u32, _what: *const c_void) {}

/// Writes the records of a buffer.
fn deliver(start: *mut u8, valid: usize) {
    // Another client's buffer stays its own.
    let Some(buffer) = lock(buffers()).take(start, valid) else { return };
    let valid = valid.min(buffer.len() * 8);
    if valid > 0 {
        DELIVERED.fetch_add(1, Ordering::Relaxed);
    }
    if let (Some(session), Some(decoder)) = (SESSION.get(), DECODER.get()) {
        let mut decoder = lock(decoder);
        decoder.go_on_in(began());
        let mut record = std::ptr::null_mut();
        while session.next_record(start, valid, &mut record) == SUCCESS {
            let Some(offset) = (record as usize).checked_sub(start as usize).filter(|offset| *offset < valid) else {
                break;
            };
            // SAFETY: the record stands in the buffer, of which that many bytes are filled and have no writer.
            decoder.record(unsafe { std::slice::from_raw_parts(start.add(offset), valid - offset) });
        }
        let timeless = std::mem::take(&mut decoder.timeless);
        if timeless > 0 {
            lost(&TIMELESS, timeless);
        }
    }
    lock(buffers()).keep(buffer);
}

/// A text of the process's.
fn text(pointer: u64) -> &'static [u8] {
    // SAFETY: CUPTI's records point to texts that outlive the delivery of the buffer, or to none.
    unsafe { bytes(pointer as usize as *const std::ffi::c_char) }
}

impl Session {
    /// The one of this process.
    pub(super) fn get() -> Option<&'static Self> {
        SESSION.get().filter(|session| session.process == std::process::id())
    }

    /// Makes the one of this process.
    pub(super) fn begin(library: Library) -> Result<&'static Self, Status> {
        let offset = realtime().cast_signed() - now().cast_signed();
        OFFSET.store(offset, Ordering::Relaxed);
        DECODER.get_or_init(|| Mutex::new(Decoder::new(library.functions, library.version, -offset, text)));
        let client = library.multiple.filter(|_| library.version >= SEVERAL_CLIENTS).and_then(subscribe);
        let client = client.map(|(functions, subscriber)| (functions, AtomicPtr::new(subscriber)));
        let mut session = Self { library, client, process: std::process::id() };
        if let Err(status) = session.arm() {
            // As the only client, then.
            let Some((functions, subscriber)) = session.client.take() else { return Err(status) };
            // SAFETY: it is a client, and is no longer used.
            unsafe { (functions.unsubscribe)(subscriber.into_inner()) };
            session.arm()?;
        }
        Ok(SESSION.get_or_init(|| session))
    }

    fn client(&self) -> Option<(&Multiple, Subscriber)> {
        self.client.as_ref().map(|(functions, subscriber)| (functions, subscriber.load(Ordering::Relaxed)))
    }

    /// Whether another client may take CUPTI away: this one is the only client.
    pub(super) fn may_be_lost(&self) -> bool {
        self.client.is_none()
    }

    /// Configures the kinds that CUPTI records, and registers the callbacks.
    pub(super) fn arm(&self) -> Result<(), Status> {
        let check = |status: Status| if status == SUCCESS { Ok(()) } else { Err(status) };
        // SAFETY: the functions have these signatures; what they are given lasts as long as the process.
        unsafe {
            // A clock may not be there or not be allowed: then CUPTI's own is the system's.
            match self.client() {
                Some((functions, subscriber)) => {
                    let (mut clock, mut len) = (timestamp as library::Timestamp, size_of::<usize>());
                    (functions.set_attribute)(
                        subscriber,
                        ATTRIBUTE_TIMESTAMP,
                        &raw mut len,
                        (&raw mut clock).cast::<c_void>(),
                    );
                    let (mut ids, mut len) = (SYSTEM_THREAD_IDS, size_of::<u32>());
                    // Without these ids, calls have no thread.
                    check((functions.set_attribute)(
                        subscriber,
                        ATTRIBUTE_THREAD_IDS,
                        &raw mut len,
                        (&raw mut ids).cast::<c_void>(),
                    ))?;
                    check((functions.register_callbacks)(subscriber, requested_by, completed_by))?;
                }
                None => {
                    if let Some(timing) = self.library.timing {
                        (timing.register_timestamp)(timestamp);
                    }
                    if let Some(threads) = self.library.threads {
                        (threads.set_thread_id_type)(SYSTEM_THREAD_IDS);
                    }
                    check((self.library.functions.register_callbacks)(requested, completed))?;
                }
            }
            for (index, kind) in KINDS.into_iter().enumerate() {
                let status = match self.client() {
                    Some((functions, subscriber)) => (functions.enable)(subscriber, kind, std::ptr::null_mut()),
                    None => (self.library.functions.enable)(kind),
                };
                if index == 0 {
                    check(status)?;
                }
            }
            self.record_queries(false);
            if let Some(periodic) = self.library.periodic {
                (periodic.flush_period)(FLUSH_PERIOD);
            }
        }
        Ok(())
    }

    /// Has CUPTI record calls that only query, or leave them out, where it can: the decoder leaves them out in any case. The choice is
    /// CUPTI's: it stays when another client comes.
    fn record_queries(&self, wanted: bool) {
        let wanted = u8::from(wanted);
        let Library { functions, calls, calls_of_client, .. } = self.library;
        for domain in [DRIVER, RUNTIME] {
            for number in queries(functions, domain) {
                // SAFETY: these functions take a number, and a client that is registered.
                unsafe {
                    match (self.client(), calls, calls_of_client) {
                        (Some((_, client)), _, Some(calls)) if domain == DRIVER => {
                            (calls.enable_driver_call)(client, number, wanted)
                        }
                        (Some((_, client)), _, Some(calls)) => (calls.enable_runtime_call)(client, number, wanted),
                        (None, Some(calls), _) if domain == DRIVER => (calls.enable_driver_call)(number, wanted),
                        (None, Some(calls), _) => (calls.enable_runtime_call)(number, wanted),
                        _ => return,
                    }
                };
            }
        }
    }

    /// Leaves CUPTI to another client of the process until [`Self::resume`]: hands over all records and buffers, as the other client
    /// would get them. `begins` is called before records are missing. Whether it is left; clients of which there may be several keep what
    /// they have.
    ///
    /// The caller holds the [`turn`].
    pub(super) fn release(&self, begins: impl FnOnce()) -> bool {
        let Some(disabling) = self.library.disabling.filter(|_| self.may_be_lost()) else { return false };
        if RELEASED.swap(true, Ordering::SeqCst) {
            // The kinds are the other client's.
            return false;
        }
        begins();
        self.record_queries(true);
        for kind in KINDS {
            // SAFETY: it takes a kind.
            unsafe { (disabling.disable)(kind) };
        }
        self.flush(true);
        true
    }

    /// Registers again after another client has ended; whether it could.
    ///
    /// The caller holds the [`turn`].
    pub(super) fn resume(&self) -> Result<(), Status> {
        if !RELEASED.load(Ordering::SeqCst) {
            // If we were registered all the time, registering again may lose unflushed records.
            self.flush(false);
        }
        // Where it fails, the watch tries again.
        RELEASED.store(false, Ordering::SeqCst);
        self.arm()
    }

    fn next_record(&self, buffer: *mut u8, valid: usize, record: &mut *mut u8) -> Status {
        // SAFETY: the buffer is filled so far, and the record one of it or null.
        unsafe {
            match self.client() {
                Some((functions, subscriber)) => (functions.next_record)(subscriber, buffer, valid, record),
                None => (self.library.functions.next_record)(buffer, valid, record),
            }
        }
    }

    /// Makes CUPTI hand over finished records; `forced`: unfinished ones, too, which are then never reported again.
    pub(super) fn flush(&self, forced: bool) {
        let _flush = lock(&FLUSHING);
        // SAFETY: it calls our functions only, and keeps nothing of ours.
        unsafe { (self.library.functions.flush_all)(if forced { FORCED } else { 0 }) };
    }

    /// CUPTI's time, and whether it was ours.
    pub(super) fn time(&self) -> (u64, bool) {
        let (before, mut time) = (stamps(), 0);
        // SAFETY: it writes the time.
        unsafe { (self.library.functions.timestamp)(&raw mut time) };
        (time, stamps() != before)
    }

    /// The number of a stream.
    pub(super) fn stream_number(&self, stream: usize) -> Option<u32> {
        let mut number = 0;
        // SAFETY: of the current context; the stream is one that the program names. It writes the number.
        let status = unsafe { (self.library.streams?.stream_id)(std::ptr::null_mut(), stream, 0, &raw mut number) };
        (status == SUCCESS).then_some(number)
    }
}

fn subscribe(functions: Multiple) -> Option<(Multiple, Subscriber)> {
    let mut subscriber: Subscriber = std::ptr::null_mut();
    let mut params = SubscriberParams {
        struct_size: size_of::<SubscriberParams>(),
        name: c"Stepscope".as_ptr(),
        old_name: std::ptr::null_mut(),
        old_size: 0,
        allow_multiple: 1,
        padding: [0; 7],
    };
    // SAFETY: what it is given lasts for the call, and the function for ever.
    let status =
        unsafe { (functions.subscribe)(&raw mut subscriber, nothing_to_tell, std::ptr::null_mut(), &raw mut params) };
    (status == SUCCESS).then_some((functions, subscriber))
}

/// Whether CUPTI is left to another client, by [`Session::release`].
pub(super) fn is_released() -> bool {
    RELEASED.load(Ordering::SeqCst)
}

/// Leaves CUPTI to another client where there is no session yet, or takes that back.
pub(super) fn set_released(released: bool) {
    RELEASED.store(released, Ordering::SeqCst);
}

/// Has all finished records handed over while there is a recording for them. Unfinished activities belong to none:
/// neither to this recording nor to the next one, before which they began. Not in a forked child, where CUPTI does not
/// work; nor another client's buffers.
pub(super) fn hand_over() {
    if let Some(session) = Session::get() {
        let _turn = turn();
        if !is_released() {
            session.flush(true);
        }
    }
}

/// The turn of who examines, leaves or takes CUPTI.
pub(super) fn turn() -> MutexGuard<'static, ()> {
    lock(&TURN)
}

/// The same, unless another thread has it.
pub(super) fn try_turn() -> Option<MutexGuard<'static, ()>> {
    match TURN.try_lock() {
        Ok(turn) => Some(turn),
        Err(TryLockError::Poisoned(turn)) => Some(turn.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Number of times that CUPTI asked for the time.
pub(super) fn stamps() -> u64 {
    STAMPS.load(Ordering::Relaxed)
}

/// Number of non-empty buffers that arrived.
pub(super) fn delivered() -> u64 {
    DELIVERED.load(Ordering::Relaxed)
}

/// Chooses the size of buffers by the records since the last time.
pub(super) fn choose_size() {
    lock(buffers()).choose_size();
}

/// Sets the thread whose calls of `cuDriverGetVersion` are ours.
pub(super) fn expect_canaries(thread: [u32; 2]) {
    if let Some(decoder) = DECODER.get() {
        lock(decoder).expect_canaries(thread);
    }
}

/// Number of those calls that arrived.
pub(super) fn canaries() -> u64 {
    DECODER.get().map_or(0, |decoder| lock(decoder).canaries)
}
