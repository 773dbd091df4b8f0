//! The places where front ends show tables that need no code of theirs.

/// A view whose end shows a table: a tab of the page, a table that the program prints, a section of the report. Its title
/// is the message `table.ID`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Steps.
    Steps,
    /// Operators.
    Operators,
    /// Kernels.
    Kernels,
    /// Communication of a rank: the program prints it below copies and sets.
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

    /// The name of the tab.
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

    /// The name of the table that the program prints above it (`--by`).
    #[must_use]
    pub const fn printed_below(self) -> &'static str {
        match self {
            Self::Communication => "copies",
            Self::Data => "pipeline",
            _ => self.name(),
        }
    }

    /// The key of the heading of its section in the report.
    #[must_use]
    pub const fn section(self) -> &'static str {
        match self {
            Self::Steps => "report.section.steps",
            Self::Idle => "group.host",
            Self::Operators | Self::Kernels | Self::Communication => "group.compute",
            Self::Memory => "group.memory",
            Self::Data | Self::Resources => "group.data",
        }
    }
}
