//! Records about other processes, from a process that samples them; and losses of this process.

use stepscope_format::{Category, Kind, Record, about};

use super::name::AsName;
use super::state::is_recording;
use super::{system, thread};

/// Nanoseconds of the clock that [`counter_of`] wants, `CLOCK_MONOTONIC`.
#[must_use]
pub fn now() -> u64 {
    system::monotonic()
}

/// Records the value of a process's counter from a time on; `process` 0 is this one.
pub fn counter_of(process: u32, name: impl AsName, at: u64, value: f64) {
    if is_recording() {
        put(Kind::Counter, 0, name.number(), at, process, value.to_bits());
    }
}

/// Records that a process is there: who started it, and its command.
#[cfg(target_os = "linux")]
pub(crate) fn process_seen(process: u32, parent: u32, command: &str, at: u64) {
    about(process, about::COMMAND, command, at, parent.into());
}

/// Records a process's rank.
#[cfg(target_os = "linux")]
pub(crate) fn process_rank(process: u32, rank: u64, at: u64) {
    about(process, about::RANK, "", at, rank);
}

/// Records that a process has ended.
#[cfg(target_os = "linux")]
pub(crate) fn process_ended(process: u32, at: u64) {
    about(process, about::END, "", at, 0);
}

#[cfg(target_os = "linux")]
fn about(process: u32, what: u16, name: &str, at: u64, value: u64) {
    if is_recording() {
        put(Kind::Process, what, name.number(), at, process, value);
    }
}

/// Records that something of this process was lost: its name, and a count. Readers warn of it.
pub fn lost(what: impl AsName, count: u64) {
    if is_recording() {
        put(Kind::Process, about::LOST, what.number(), now(), 0, count);
    }
}

fn put(kind: Kind, aux: u16, name: u32, at: u64, process: u32, value: u64) {
    let extent = process.into();
    thread::group(&[Record { kind, category: Category::General, aux, name, at, extent, value }]);
}
