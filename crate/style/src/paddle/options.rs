//! The options of Paddle's summary.

use stepscope_base::Nanos;

use crate::TimeUnit;

/// The sort keys of operators, kernels and user-defined ranges (`SortedKeys`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortKey {
    /// Total time on the host, the longest first.
    #[default]
    CpuTotal,
    /// Mean time on the host, the longest first.
    CpuAvg,
    /// The longest time on the host, the longest first.
    CpuMax,
    /// The shortest time on the host, the shortest first.
    CpuMin,
    /// Total time on devices, the longest first.
    GpuTotal,
    /// Mean time on devices, the longest first.
    GpuAvg,
    /// The longest time on devices, the longest first.
    GpuMax,
    /// The shortest time on devices, the shortest first.
    GpuMin,
}

impl SortKey {
    /// All of them, by name.
    const NAMED: [(&str, Self); 8] = [
        ("cpu_total", Self::CpuTotal),
        ("cpu_avg", Self::CpuAvg),
        ("cpu_max", Self::CpuMax),
        ("cpu_min", Self::CpuMin),
        ("gpu_total", Self::GpuTotal),
        ("gpu_avg", Self::GpuAvg),
        ("gpu_max", Self::GpuMax),
        ("gpu_min", Self::GpuMin),
    ];

    /// The key of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, key)| key)
    }
}

/// A table of the summary (`SummaryView`); variants are in the order of printing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Device Summary.
    Device,
    /// Overview Summary.
    Overview,
    /// Model Summary.
    Model,
    /// Distribution Summary.
    Distributed,
    /// Operator Summary.
    Operator,
    /// Kernel Summary.
    Kernel,
    /// Memory Manipulation Summary.
    MemoryManipulation,
    /// UserDefined Summary.
    UserDefined,
    /// Memory Summary.
    Memory,
}

impl View {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Device,
        Self::Overview,
        Self::Model,
        Self::Distributed,
        Self::Operator,
        Self::Kernel,
        Self::MemoryManipulation,
        Self::UserDefined,
        Self::Memory,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Overview => "overview",
            Self::Model => "model",
            Self::Distributed => "distributed",
            Self::Operator => "operator",
            Self::Kernel => "kernel",
            Self::MemoryManipulation => "memory_manipulation",
            Self::UserDefined => "udf",
            Self::Memory => "memory",
        }
    }

    /// The table of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.name() == name)
    }
}

/// The options of Paddle's summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaddleStyle {
    /// The unit of times (`time_unit`).
    pub unit: TimeUnit,
    /// The order of rows (`sorted_by`).
    pub sort: SortKey,
    /// Whether operators are followed by their parts (`op_detail`).
    pub detail: bool,
    /// The tables (`views`); if all are chosen, only the first is printed for a trace without steps.
    pub views: Option<Vec<View>>,
    /// Whether the list of layers with their FLOPs follows (`with_flops` of the profiler).
    pub flops: bool,
}

impl PaddleStyle {
    /// Paddle's own defaults: milliseconds, by total time on the host, with details, all tables.
    #[must_use]
    pub fn standard() -> Self {
        Self { unit: TimeUnit::Milliseconds, sort: SortKey::default(), detail: true, views: None, flops: false }
    }

    /// A time with two decimals.
    #[expect(clippy::cast_precision_loss, reason = "Paddle prints doubles")]
    pub(super) fn time(&self, time: Nanos) -> String {
        format!("{:.2}", time.0 as f64 / self.unit.nanos())
    }
}

pub(super) fn unit_line(style: &PaddleStyle) -> String {
    format!("Time unit: {}\n", style.unit.symbol())
}
