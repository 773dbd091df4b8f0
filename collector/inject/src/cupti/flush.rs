//! A thread that makes CUPTI hand over finished records, and checks the session.

#![expect(unsafe_code, reason = "signals, exits and the driver are C interfaces")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use stepscope_collector::internal::{thread_id, without_signals};
use stepscope_collector::mark;
use stepscope_format::about::{CUDA_AGAIN, CUDA_LOST};

use super::library::canary;
use super::messages::{reason, say};
use super::session::{self, Session, canaries, delivered, stamps};
use super::watch::{Action, ClockOf, Seen, Watch};
use crate::guard::guard;

/// Period of flushes.
const PERIOD: Duration = Duration::from_millis(400);

/// Largest difference between CUPTI's time and the system's if they are the same clock.
const NEAR: u64 = 1_000_000_000;

static ENDED: AtomicBool = AtomicBool::new(false);

/// Starts it, and has remaining records handed over at the program's end.
pub(super) fn start(session: &'static Session) {
    // After the recorder's own, so before it at the end.
    // SAFETY: the function lives as long as the process: this library is never unloaded.
    unsafe { libc::atexit(at_exit) };
    let spawn = || {
        let thread = std::thread::Builder::new().name("stepscope-cupti".to_owned());
        thread.spawn(move || guard((), || run(session)))
    };
    // The program's handlers are not to be run on a thread of ours.
    if let Err(error) = without_signals(spawn) {
        say(&format!("a kill may lose what CUDA did in the seconds before: no thread was started: {error}"));
    }
}

extern "C" fn at_exit() {
    guard((), || {
        ENDED.store(true, Ordering::Relaxed);
        session::hand_over();
    });
}

fn run(session: &'static Session) {
    let canary = canary().filter(|_| session.may_be_lost());
    session::expect_canaries(thread_number());
    let (mut watch, mut before) = (Watch::default(), delivered());
    loop {
        std::thread::sleep(PERIOD);
        if ENDED.load(Ordering::Relaxed) {
            return;
        }
        let _turn = session::turn();
        if session::is_released() {
            // The other client's buffers are not ours to ask for.
            continue;
        }
        session.flush(false);
        session::choose_size();
        let came = delivered() != std::mem::replace(&mut before, delivered());
        let Some(canary) = canary else { continue };
        let seen = match came && watch.is_proven() {
            true => Seen { delivered: true, canary: false, stamped: false, clock: ClockOf::Us },
            false => look(session, canary, came),
        };
        before = delivered();
        act(session, watch.look(seen));
    }
}

/// Calls the driver, and observes the effects.
fn look(session: &Session, canary: unsafe extern "C" fn(*mut i32) -> i32, came: bool) -> Seen {
    let (came_before, stamps_before, delivered_before) = (canaries(), stamps(), delivered());
    let mut version = 0;
    // SAFETY: it writes the driver's version.
    unsafe { canary(&raw mut version) };
    let stamped = stamps() != stamps_before;
    session.flush(false);
    let canary = canaries() != came_before;
    let (time, ours) = session.time();
    let clock = match std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH) {
        _ if ours => ClockOf::Us,
        Ok(now) if u64::try_from(now.as_nanos()).is_ok_and(|now| now.abs_diff(time) < NEAR) => ClockOf::System,
        _ => ClockOf::Other,
    };
    // A lone canary is not an activity of the program.
    let delivered = came || (!canary && delivered() != delivered_before);
    Seen { delivered, canary, stamped, clock }
}

fn act(session: &Session, action: Action) {
    match action {
        Action::Nothing => {}
        Action::TellTaken => {
            say(CUDA_LOST);
        }
        Action::Rearm => match session.arm() {
            Ok(()) => mark(CUDA_AGAIN, 0),
            Err(status) => mark(&format!("CUDA cannot be recorded again: {}", reason(status)), 0),
        },
    }
}

/// The ids of this thread by which CUPTI may know it: the system's, and the lower half of its handle.
fn thread_number() -> [u32; 2] {
    // SAFETY: it only returns a number.
    let handle = unsafe { libc::pthread_self() } as u64 as u32;
    [thread_id() as u32, handle]
}
