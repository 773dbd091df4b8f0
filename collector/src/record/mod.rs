//! The recorder: what a thread records is in the file at once, through a mapping of its own.
//!
//! ```text
//! api (span, event, name) ─► thread  one writer per thread: no lock, no system call per event
//!                              │ once per segment, thread or new name
//!                              ▼
//!                            state   one lock: names, the file, forks
//!                              ▼
//!                            file    segments of the mapped file ─► system (all that is unsafe), portable elsewhere
//! ```

mod ahead;
mod argument;
mod clock;
mod device;
mod environment;
mod event;
mod facts;
mod file;
mod handle;
mod mindspore;
mod name;
mod names;
mod options;
mod others;
mod path_error;
mod polled;
#[cfg(all(test, unix))]
mod portable;
mod private;
mod segment;
mod source;
mod span;
mod state;
mod stopped;
#[cfg(unix)]
mod system;
#[cfg(not(unix))]
#[path = "portable.rs"]
mod system;
mod target;
mod thread;
mod writer;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;

use self::writer::exclusive;

pub(crate) use self::path_error::with_path;
pub use self::state::is_recording;
pub use self::target::Target;
pub use argument::{Value, argument};
pub use clock::ClockSource;
pub use device::{activity, device_detail, memory_at};
pub use environment::{EnvironmentClock, EnvironmentKeep, EnvironmentOptions, VARIABLE};
pub use event::{
    Mark, MemoryDevice, allocated, async_begin, async_end, counter, flow_end, flow_start, flow_step, freed, mark,
    name_thread,
};
#[cfg(target_os = "linux")]
pub(crate) use facts::{command_line, rank_of};
pub use handle::{NameNumber, SpanHandle, recording_path};
pub use mindspore::MINDSPORE_VARIABLE;
pub use name::{AsName, Name, StaticName};
pub use options::{CommandLine, Keep, Options};
pub use others::{counter_of, lost, now};
#[cfg(target_os = "linux")]
pub(crate) use others::{process_ended, process_rank, process_seen};
pub use polled::polled;
pub(crate) use private::create_folders;
pub use private::{create_private, create_private_folder};
pub use source::{Source, attach_source, realtime, thread_id, without_signals};
pub use span::{Span, begin_span, end_span};
pub use state::began;
#[cfg(unix)]
pub use stopped::stop_recordings;
#[cfg(target_os = "linux")]
pub(crate) use system::{open_files, page_bytes, scheduler_tick, thread_cpu, ticks_a_second};

/// Starts to record this process, and the children that it forks, each into a file of its own in
/// [`Options::output`]; returns this process's file.
///
/// ```
/// use stepscope_collector::{Options, Span, counter, span, start, stop};
///
/// # let folder = std::env::temp_dir().join(format!("stepscope-doc-{}", std::process::id()));
/// let file = start(&Options::new(&folder))?;
/// for step in 0..3 {
///     let _step = span!("step", step);
///     let _forward = span!("forward");
///     counter("loss", 0.5);
/// }
/// stop();
/// assert!(file.metadata()?.len() > 4096);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// If the environment started a recording ([`VARIABLE`]), as `stepscope record` does, that one continues, and its file
/// is returned: the recorder outside converts it once the program has ended. The program runs as usual: the folder is
/// made if it should be, [`stop`] does nothing, [`recover`](crate::recover()) of the folder takes what this process has
/// recorded so far, and handlers of a [`Profiler`](crate::Profiler) are not called.
///
/// # Errors
///
/// If it is being recorded already, or the file cannot be made.
pub fn start(options: &Options) -> io::Result<PathBuf> {
    let started = exclusive(|| state::with(|global| global.start(options)));
    let started = started.unwrap_or_else(|| Err(io::Error::other("called from within the recorder")));
    if started.is_ok() {
        source::started();
    }
    started
}

/// This process's file in the environment's recording, if the program asked for a recording in that folder and got that
/// one instead, as long as it runs.
pub(crate) fn in_place_of(folder: &Path) -> Option<Option<PathBuf>> {
    exclusive(|| state::with(|global| global.in_place_of(folder))).flatten()
}

/// Whether the recording that is running is the environment's: its files are not the program's to handle.
pub(crate) fn is_environments() -> bool {
    exclusive(|| state::with(|global| global.is_environments())) == Some(true)
}

/// Prints once that the program cannot do what it wants with its recording.
pub(crate) fn tell_of_environment(what: &str) {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| eprintln!("stepscope: recorded from outside ({VARIABLE}): {what}"));
}

/// Stops recording. Spans that are open now are still recorded if their threads close them.
///
/// A recording that the environment started ([`VARIABLE`]) continues until the program ends.
pub fn stop() {
    if exclusive(|| state::with(|global| global.is_stoppable())) == Some(true) {
        source::stopping();
        exclusive(|| state::with(state::Global::stop));
    }
}

/// Keeps the environment from starting a recording of this process ([`VARIABLE`]): for a program that records others
/// and whose own environment is meant for them. To be called before anything else of the recorder.
pub fn ignore_environment() {
    state::ignore_environment();
}

use state::wants_memory;
