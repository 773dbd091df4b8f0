//! The source of the points of a step trace.

/// The source of the points of a step trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PointSource {
    /// The profiler recorded them.
    #[default]
    Recorded,
    /// The phases, as the device runs them.
    Device,
    /// The phases, as the host goes through them.
    Host,
    /// Operators that the user named.
    Named,
    /// Operators that the user named, one of which begins or ends the steps, since the trace marks none.
    NamedSteps,
    /// The rows of the profiler's step trace on the timeline.
    Timeline,
    /// Operators: the first one after the data came, and the last one before the last collective.
    Operators,
}

impl PointSource {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Device => "device",
            Self::Host => "host",
            Self::Named => "named",
            Self::NamedSteps => "named_steps",
            Self::Timeline => "timeline",
            Self::Operators => "operators",
        }
    }
}
