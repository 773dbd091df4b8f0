//! The profiler of a recording, as far as texts name its options.

use stepscope_trace::{Activity, Class, Trace};

/// The family of profilers by which texts name what to record next time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recorder {
    /// `MindSpore`'s profiler.
    MindSpore,
    /// `MindSpore`'s profiler, which recorded operators of the host, but not which call launched which kernel.
    MindSporeUnlinked,
    /// Any other one.
    #[default]
    Other,
}

impl Recorder {
    /// The profiler that recorded a trace.
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        Self::of_framework(&trace.meta.framework)
    }

    /// The profiler that recorded a trace, and what of the host it has.
    pub(crate) fn with_host(trace: &Trace) -> Self {
        let has_operators = || trace.slices_of(Class::Operator).next().is_some();
        let is_linked = |activity: &Activity| activity.call.get().is_some();
        let is_unlinked = || has_operators() && !trace.activities.iter().any(is_linked);
        match Self::of(trace) {
            Self::MindSpore if is_unlinked() => Self::MindSporeUnlinked,
            found => found,
        }
    }

    /// The profiler of a framework.
    pub(crate) fn of_framework(name: &str) -> Self {
        if name == "MindSpore" { Self::MindSpore } else { Self::Other }
    }
}
