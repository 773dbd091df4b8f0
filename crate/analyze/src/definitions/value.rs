//! Definitions and their values for a trace.

use stepscope_base::Nanos;
use stepscope_trace::NameId;

use crate::Statistics;

/// The tool that a definition is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Definition {
    /// Ours: METRICS section 2.
    #[default]
    Stepscope,
    /// HolisticTraceAnalysis.
    Hta,
    /// AMD's TraceLens.
    TraceLens,
    /// PyTorch's TensorBoard plugin.
    TensorBoard,
    /// Paddle's Distribution Summary.
    Paddle,
    /// MindSpore's Overlap Analysis.
    MindSpore,
}

impl Definition {
    /// All of them, ours first.
    pub const ALL: [Self; 6] =
        [Self::Stepscope, Self::Hta, Self::TraceLens, Self::TensorBoard, Self::Paddle, Self::MindSpore];

    /// A stable name, as on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stepscope => "stepscope",
            Self::Hta => "hta",
            Self::TraceLens => "tracelens",
            Self::TensorBoard => "tensorboard",
            Self::Paddle => "paddle",
            Self::MindSpore => "mindspore",
        }
    }

    /// The definition with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|definition| definition.name() == name)
    }
}

/// One of a definition's values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A length of time; its key ends in `_ns`.
    Time(Nanos),
    /// A ratio, where its denominator is not zero.
    Ratio(Option<f64>),
}

/// Values by key, in the definition's own order.
pub type Values = Vec<(&'static str, Value)>;

/// The values of a trace by a definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DefinitionValues {
    /// The tool.
    pub definition: Definition,
    /// Over the whole trace; empty where the definition has no such values.
    pub values: Values,
    /// Per step: its name and values; empty where the definition has no steps.
    pub steps: Vec<(String, Values)>,
    /// The kernels by type and name, where the definition chooses others than ours.
    pub kernels: Vec<DefinitionKernel>,
    /// The time of each type of kernel alone and of each combination of types at once.
    pub kernel_types: Vec<(String, Nanos)>,
}

/// A row of a definition's own table of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefinitionKernel {
    /// The kernel's name.
    pub name: NameId,
    /// Its type, as the definition calls it.
    pub kind: &'static str,
    /// Statistics of the durations.
    pub time: Statistics,
}
