//! A source of events that hears of them later than they happen, such as CUPTI: it is told of starts and stops.

use std::sync::OnceLock;

use super::system;

/// What a source is told, on the thread that starts or stops, with no lock taken.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// A recording was started, or went on.
    pub started: fn(),
    /// The recording is about to be stopped: what is not written now is not in it.
    pub stopping: fn(),
}

static SOURCE: OnceLock<Source> = OnceLock::new();

/// Has a source told from now on; there is one in a process, which stays.
pub fn attach_source(source: Source) {
    SOURCE.get_or_init(|| source);
}

/// `CLOCK_REALTIME` in ns since 1970.
#[must_use]
pub fn realtime() -> u64 {
    system::realtime()
}

/// The system's id of this thread.
#[must_use]
pub fn thread_id() -> u64 {
    system::thread_id()
}

/// Runs something with this thread's signals blocked: a thread that it starts gets none of the program's.
pub fn without_signals<T>(run: impl FnOnce() -> T) -> T {
    system::without_signals(run)
}

pub(super) fn started() {
    if let Some(source) = SOURCE.get() {
        (source.started)();
    }
}

pub(super) fn stopping() {
    if let Some(source) = SOURCE.get() {
        (source.stopping)();
    }
}
