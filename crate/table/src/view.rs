//! The places where front ends show tables that need no code of theirs.

/// A view whose end shows a table. Its title is the message `table.ID`. Each front end knows its own part for a view: a tab
/// of the page, a table that the program prints, a section of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Steps.
    Steps,
    /// Operators.
    Operators,
    /// Kernels.
    Kernels,
    /// Communication of a rank.
    Communication,
    /// Idle time and the host.
    Idle,
    /// Memory.
    Memory,
    /// Loading of data.
    Data,
    /// Load of the machine.
    Resources,
}

impl View {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Steps,
        Self::Operators,
        Self::Kernels,
        Self::Communication,
        Self::Idle,
        Self::Memory,
        Self::Data,
        Self::Resources,
    ];

    /// A stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Operators => "operators",
            Self::Kernels => "kernels",
            Self::Communication => "communication",
            Self::Idle => "idle",
            Self::Memory => "memory",
            Self::Data => "data",
            Self::Resources => "resources",
        }
    }
}
