//! Output of samples.

use crate::record::counter_of;

/// Output of values.
pub(super) struct Out;

impl Out {
    /// A value of a process, 0 for this one, from a time on.
    pub(super) fn put(&mut self, process: u32, name: &str, at: u64, value: f64) {
        counter_of(process, name, at, value);
    }
}
