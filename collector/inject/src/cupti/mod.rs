//! CUPTI: device activities, and the calls that launch them.
//!
//! ```text
//! cuInit ─► InitializeInjection ─► library   found at run time, whatever its version
//!                                    ▼
//!                                  session   kinds to record; buffers given and taken
//!                                    ▼ on CUPTI's threads
//!                                  decode    by offsets (fields) ─► the recorder
//! a thread of ours: flushes twice a second; watch: whether another client took over
//! ```
//!
//! The session begins with `cuInit` or, if nothing is recorded then or another profiler has CUPTI, when that changes; it
//! lasts as long as the process, and activities between recordings are read and left out.
//!
//! Times are `CLOCK_MONOTONIC`, like those of spans. A kill loses records that CUPTI has not handed over: up to half a
//! second, and unfinished activities.

mod buffers;
mod decode;
mod fields;
mod flush;
mod library;
mod messages;
mod names;
mod session;
mod watch;

use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU32, Ordering};

use stepscope_collector::internal::{Source, attach_source};
use stepscope_collector::{Target, is_recording, mark};
use stepscope_format::about::{CUDA_AGAIN, CUDA_LEFT};

use self::messages::{reason, say};
use crate::guard::guard;
use crate::switch::wants;
use library::Library;
use session::Session;

/// The process in which the driver has called us and no session was tried yet: CUDA does not work in its forked
/// children.
static WAITING: AtomicU32 = AtomicU32::new(0);

/// Called by the CUDA driver when it is initialized. Returns 1: the driver continues in any case.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a name that the driver finds")]
pub extern "C" fn InitializeInjection() -> i32 {
    guard(1, || {
        if wants(Target::Cuda) && Session::get().is_none() {
            WAITING.store(std::process::id(), Ordering::SeqCst);
            // Before the check: if another thread starts a recording now, it is either notified or seen.
            attach_source(Source { started: begin, stopping: session::hand_over });
            if is_recording() {
                begin();
            }
        }
        1
    })
}

/// Begins the session where one is waited for, unless CUPTI is left to another profiler; then the recording is marked so.
fn begin() {
    if WAITING.load(Ordering::SeqCst) != std::process::id() && Session::get().is_none() {
        return;
    }
    let _turn = session::turn();
    if session::is_released() {
        mark(CUDA_LEFT, 0);
    } else {
        begin_waiting();
    }
}

/// Begins the session, once: a failure would be repeated. Whether it began now. The caller holds the turn.
fn begin_waiting() -> bool {
    let waits = WAITING.compare_exchange(std::process::id(), 0, Ordering::SeqCst, Ordering::SeqCst);
    if waits.is_err() {
        return false;
    }
    match Library::find().map(Session::begin) {
        None => say("CUDA is not recorded: no library libcupti.so was found"),
        Some(Err(status)) => say(&format!("CUDA is not recorded: {}", reason(status))),
        Some(Ok(session)) => {
            flush::start(session);
            return true;
        }
    }
    false
}

/// The turn; none where a thread may hold it for ever that a forked child does not have: there is no session either.
fn turn_unless_forked() -> Option<MutexGuard<'static, ()>> {
    if Session::get().is_some() { Some(session::turn()) } else { session::try_turn() }
}

/// Leaves CUPTI to another profiler that is about to begin; whether there is a session that can.
pub(crate) fn release() -> bool {
    let Some(_turn) = turn_unless_forked() else { return false };
    match Session::get() {
        Some(session) => session.release(|| mark(CUDA_LEFT, 0)),
        None => {
            session::set_released(true);
            false
        }
    }
}

/// Takes CUPTI back after another profiler has ended; whether it could.
pub(crate) fn rearm() -> bool {
    let Some(_turn) = turn_unless_forked() else { return false };
    let was_left = session::is_released();
    let is_back = match Session::get() {
        Some(session) => session.resume(),
        None => {
            session::set_released(false);
            begin_waiting().then_some(()).ok_or(library::SUCCESS)
        }
    };
    match is_back {
        Ok(()) if was_left => mark(CUDA_AGAIN, 0),
        Err(status) if was_left && status != library::SUCCESS => {
            mark(&format!("CUDA cannot be recorded again: {}", reason(status)), 0);
        }
        _ => {}
    }
    is_back.is_ok()
}

/// The number of a stream by its handle.
pub(crate) fn stream_number(stream: usize) -> Option<u32> {
    Session::get()?.stream_number(stream)
}
