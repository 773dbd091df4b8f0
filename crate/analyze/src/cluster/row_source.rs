//! Where the times of a rank's average step come from.

/// Where the times of a rank's average step come from.
///
/// What knows more comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowSource {
    /// From what was recorded of its devices and threads.
    #[default]
    Events,
    /// From a table in which its profiler sums up each step: what that lacks is not known.
    Tables,
    /// There is nothing but when its steps begin and end.
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
