//! The unit of a column's values.

/// The unit of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A text from the trace.
    Text,
    /// A kernel's name: in full in data, shortened elsewhere.
    KernelName,
    /// One of a few words. Its message is this prefix, a dot and the word.
    Word(&'static str),
    /// True, false or unknown.
    Flag,
    /// A number of things, or a mean of such numbers.
    Count,
    /// A length of time, in nanoseconds.
    Duration,
    /// A time from the trace's start, in nanoseconds; below zero before it.
    Moment,
    /// A share, from 0 to 1.
    Share,
    /// A share in percent, from 0 to 100.
    Percent,
    /// A number without a unit.
    Number,
    /// A number without a unit of which two decimals are enough.
    Decimal,
    /// Lines of text, such as a stack.
    Lines,
    /// An extent in three directions, such as a grid.
    Extent,
    /// A number that identifies a thing.
    Id,
    /// Bytes.
    Bytes,
    /// Bytes that may be negative, such as a growth.
    SignedBytes,
    /// A rate in GB/s.
    GigabytesPerSecond,
    /// Floating-point operations.
    Flops,
    /// A rate of floating-point operations.
    FlopsPerSecond,
    /// Millions of floating-point operations: an amount, no rate.
    MillionFlops,
    /// A rate of floating-point operations, in billions per second.
    GigaflopsPerSecond,
    /// A rate in bytes per second.
    BytesPerSecond,
    /// Numbers that identify things, such as ranks.
    Ids,
    /// A change as a share: 0.1 is 10 % more.
    Change,
    /// A change of a length of time, in nanoseconds.
    DurationChange,
    /// A number in the unit named by the row's column with this key.
    Measure(&'static str),
}

impl Unit {
    /// The units of numbers.
    pub const NUMBERS: [Self; 18] = [
        Self::Count,
        Self::Duration,
        Self::Moment,
        Self::Share,
        Self::Percent,
        Self::Number,
        Self::Decimal,
        Self::Id,
        Self::Bytes,
        Self::SignedBytes,
        Self::GigabytesPerSecond,
        Self::Flops,
        Self::FlopsPerSecond,
        Self::MillionFlops,
        Self::GigaflopsPerSecond,
        Self::BytesPerSecond,
        Self::Change,
        Self::DurationChange,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::KernelName => "kernel_name",
            Self::Word(_) => "word",
            Self::Flag => "flag",
            Self::Count => "count",
            Self::Duration => "duration",
            Self::Moment => "moment",
            Self::Share => "share",
            Self::Percent => "percent",
            Self::Number => "number",
            Self::Decimal => "decimal",
            Self::Lines => "lines",
            Self::Extent => "extent",
            Self::Id => "id",
            Self::Bytes => "bytes",
            Self::SignedBytes => "signed_bytes",
            Self::GigabytesPerSecond => "gigabytes_per_second",
            Self::Flops => "flops",
            Self::FlopsPerSecond => "flops_per_second",
            Self::MillionFlops => "megaflops",
            Self::GigaflopsPerSecond => "gigaflops_per_second",
            Self::BytesPerSecond => "bytes_per_second",
            Self::Ids => "ids",
            Self::Change => "change",
            Self::DurationChange => "duration_change",
            Self::Measure(_) => "measure",
        }
    }

    /// The unit of numbers with that name, or with its name in recorded tables.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name = if name == "ns" { "duration" } else { name };
        Self::NUMBERS.into_iter().find(|known| known.name() == name)
    }

    /// Whether values are numbers, which are right-aligned.
    #[must_use]
    pub fn is_number(self) -> bool {
        !matches!(
            self,
            Self::Text | Self::KernelName | Self::Word(_) | Self::Flag | Self::Lines | Self::Extent | Self::Ids
        )
    }
}
