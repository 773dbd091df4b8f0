//! Sources of events that report later than the events happen, such as CUPTI: they are notified of starts and stops.

use std::sync::OnceLock;

use super::system;

/// Callbacks of a source, called on the thread that starts or stops, with no lock taken.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// A recording was started, or continued.
    pub started: fn(),
    /// The recording is about to be stopped: anything written later is not in it.
    pub stopping: fn(),
}

static SOURCE: OnceLock<Source> = OnceLock::new();

/// Attaches the source of this process; the first one stays.
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
