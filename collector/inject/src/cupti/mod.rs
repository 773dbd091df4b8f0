//! CUPTI: what devices do, and the calls that make them do so.
//!
//! ```text
//! cuInit ─► InitializeInjection ─► library   found at run time, whatever its version
//!                                    ▼
//!                                  session   what to record; buffers given and taken
//!                                    ▼ on CUPTI's threads
//!                                  decode    by offsets (fields) ─► the recorder
//! a thread of ours: flushes twice a second; watch: whether another client took over
//! ```
//!
//! Times are `CLOCK_MONOTONIC`, like those of spans. A kill loses what CUPTI has not handed over: up to half a second,
//! and what the device is still doing.

mod buffers;
mod decode;
mod fields;
mod flush;
mod library;
mod names;
mod session;
mod watch;

use stepscope_collector::{Target, is_recording, mark};

use crate::guard::guard;
use crate::switch::wants;
use library::{Library, Status};
use session::Session;

/// What the CUDA driver calls when it is initialised. Returns 1: the driver goes on in any case.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a name that the driver finds")]
pub extern "C" fn InitializeInjection() -> i32 {
    guard(1, || {
        if wants(Target::Cuda) && is_recording() && Session::get().is_none() {
            match Library::find() {
                None => say("CUDA is not recorded: no library libcupti.so was found"),
                Some(library) => match Session::begin(library) {
                    Ok(session) => flush::start(session),
                    Err(status) => say(&format!("CUDA is not recorded: {}", reason(status))),
                },
            }
        }
        1
    })
}

/// Takes CUPTI back after another profiler in this process has ended, which cannot always be seen from outside.
/// Returns 1 if it was, else 0.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a name that other languages find")]
pub extern "C" fn stepscope_cuda_rearm() -> i32 {
    guard(0, || Session::get().is_some_and(|session| session.arm().is_ok()).into())
}

/// The number of a stream by its handle.
pub(crate) fn stream_number(stream: usize) -> Option<u32> {
    Session::get()?.stream_number(stream)
}

/// Tells a person, and whoever reads the recording.
fn say(what: &str) {
    eprintln!("stepscope: {what}");
    mark(what, 0);
}

/// What a status of CUPTI's means to a person.
fn reason(status: Status) -> String {
    match status {
        35 => "CUPTI may only be used by administrators here (see NVIDIA's ERR_NVGPUCTRPERM)".to_owned(),
        39 => "another profiler has CUPTI already".to_owned(),
        40 | 33 => "CUPTI does not work on this virtual device".to_owned(),
        status => format!("CUPTI says {status}"),
    }
}
