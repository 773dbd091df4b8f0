//! The places where front ends show tables that need no code of theirs.

/// A view whose end shows a table: a tab of the page, a table that the program prints, a section of the report. Its title
/// is the message `table.ID`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Operators.
    Operators,
    /// Kernels.
    Kernels,
    /// Copies and sets.
    Copies,
    /// Idle time and the host.
    Idle,
}

impl View {
    /// The name of the tab.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Operators => "operators",
            Self::Kernels => "kernels",
            Self::Copies => "copies",
            Self::Idle => "idle",
        }
    }
}
