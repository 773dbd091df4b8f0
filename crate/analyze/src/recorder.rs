//! The profiler of a recording, as far as texts name its options.

use stepscope_trace::Trace;

/// The family of profilers by which texts name what to record next time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recorder {
    /// `MindSpore`'s profiler.
    MindSpore,
    /// Any other one.
    #[default]
    Other,
}

impl Recorder {
    /// The profiler that recorded a trace.
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        if trace.meta.framework == "MindSpore" { Self::MindSpore } else { Self::Other }
    }
}
