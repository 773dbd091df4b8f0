//! Events without a duration, or without a thread.

use std::marker::PhantomData;

use stepscope_format::{Category, HOST, Kind};

use super::argument::Value;
use super::name::AsName;
use super::state::is_recording;
use super::thread::{self, Moment};
use super::wants_memory;

/// Owner of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryDevice {
    /// The host's.
    Host,
    /// A device's, by number.
    Device(u16),
}

#[inline]
fn event(kind: Kind, aux: u16, name: impl AsName, extent: u64, value: u64) {
    if is_recording() {
        thread::event(kind, Category::General, aux, name.number(), extent, value);
    }
}

/// Records an instant event on this thread, with a number of the program's.
#[inline]
pub fn mark(name: impl AsName, value: u64) {
    event(Kind::Mark, 0, name, 0, value);
}

/// An instant event that was recorded, for its arguments. [`mark!`](crate::mark!) makes one of a name and arguments.
#[derive(Debug)]
pub struct Mark {
    moment: Moment,
    /// Its arguments follow it on its thread.
    not_send: PhantomData<*const ()>,
}

impl Mark {
    /// Records an instant event on this thread, with a number of the program's.
    #[inline]
    pub fn record(name: impl AsName, value: u64) -> Self {
        let moment = if is_recording() { thread::mark(name.number(), value) } else { Moment::NONE };
        Self { moment, not_send: PhantomData }
    }

    /// Whether it was recorded: if not, its arguments need not be made.
    #[inline]
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.moment != Moment::NONE
    }

    /// Adds an argument to it, as long as no other instant event was recorded on this thread.
    pub fn argument<'a>(&self, key: impl AsName, value: impl Into<Value<'a>>) {
        if self.is_recorded() {
            thread::argument_of_mark(self.moment, key.number(), value.into().words());
        }
    }
}

/// Records a counter's value from now on.
#[inline]
pub fn counter(name: impl AsName, value: f64) {
    event(Kind::Counter, 0, name, 0, value.to_bits());
}

/// Begins an operation that belongs to no thread: a request, a copy in the background. Its name and id together
/// identify it.
#[inline]
pub fn async_begin(name: impl AsName, id: u64) {
    event(Kind::AsyncBegin, 0, name, 0, id);
}

/// Ends the operation of that name and id, on whatever thread.
#[inline]
pub fn async_end(name: impl AsName, id: u64) {
    event(Kind::AsyncEnd, 0, name, 0, id);
}

/// Starts a flow in the span that is open on this thread.
#[inline]
pub fn flow_start(name: impl AsName, id: u64) {
    event(Kind::FlowStart, 0, name, 0, id);
}

/// Leads the flow of that name and id through the span that is open on this thread.
#[inline]
pub fn flow_step(name: impl AsName, id: u64) {
    event(Kind::FlowStep, 0, name, 0, id);
}

/// Ends the flow of that name and id in the span that is open on this thread.
#[inline]
pub fn flow_end(name: impl AsName, id: u64) {
    event(Kind::FlowEnd, 0, name, 0, id);
}

/// Records an allocation of so many bytes.
#[inline]
pub fn allocated(device: MemoryDevice, address: u64, bytes: u64) {
    memory(device, address, i64::try_from(bytes).unwrap_or(i64::MAX));
}

/// Records that so many bytes were given back.
#[inline]
pub fn freed(device: MemoryDevice, address: u64, bytes: u64) {
    memory(device, address, -i64::try_from(bytes).unwrap_or(i64::MAX));
}

#[inline]
fn memory(device: MemoryDevice, address: u64, bytes: i64) {
    if is_recording() && wants_memory() {
        let device = match device {
            MemoryDevice::Host => HOST,
            MemoryDevice::Device(number) => number.min(HOST - 1),
        };
        thread::event(Kind::Memory, Category::General, device, 0, address, bytes.cast_unsigned());
    }
}

/// Names this thread from now on; without it, it has the name that the system knows.
pub fn name_thread(name: &str) {
    if is_recording() {
        thread::name_thread(name.number());
    }
}
