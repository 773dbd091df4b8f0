//! Source of the times of a rank's average step.

/// Source of the times of a rank's average step.
///
/// The most complete source comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowSource {
    /// The recorded events of its devices and threads.
    #[default]
    Events,
    /// A table in which its profiler sums up each step: data that it lacks are unknown.
    Tables,
    /// The starts and ends of its steps alone.
    Steps,
}

impl RowSource {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Tables => "tables",
            Self::Steps => "steps",
        }
    }
}
