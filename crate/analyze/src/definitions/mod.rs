//! Other tools' definitions of the same words, so that a person finds the numbers they remember.
//! METRICS section 2, "definitions that can be chosen instead".

mod hta;
mod mindspore;
mod paddle;
mod tensorboard;
mod tracelens;
mod view;

pub use self::view::DefinitionBar;

pub(super) use self::tensorboard::{category_sets as tensorboard_categories, values as tensorboard_values};

use super::{Statistics, Steps};
use stepscope_base::Nanos;
use stepscope_trace::{NameId, Trace};

/// Whose definition.
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

    /// The definition of that name.
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

/// What a definition says of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DefinitionValues {
    /// Whose it is.
    pub definition: Definition,
    /// Over the whole trace; empty where the definition says nothing of it.
    pub values: Values,
    /// Per step: its name and values; empty where the definition knows no steps.
    pub steps: Vec<(String, Values)>,
    /// The kernels by type and name, where the definition chooses other ones than ours.
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

/// The values of a chosen definition; ours has none of its own, since they are always shown.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::{Definition, Value};
///
/// // A fill is computation to TraceLens, and nothing of the kind to us.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cuda_runtime","name":"cudaMemsetAsync","pid":1,"tid":1,"ts":0,"dur":2,"args":{"correlation":9}},
///   {"ph":"s","cat":"ac2g","name":"ac2g","pid":1,"tid":1,"ts":0,"id":9},
///   {"ph":"f","cat":"ac2g","name":"ac2g","pid":0,"tid":7,"ts":5,"id":9,"bp":"e"},
///   {"ph":"X","cat":"gpu_memset","name":"Memset (Device)","pid":0,"tid":7,"ts":5,"dur":3,"args":{"correlation":9}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = analyze::steps(&trace, &analyze::StepsConfig::default());
/// let theirs = analyze::definition_values(&trace, &steps, Definition::TraceLens).values;
/// assert!(theirs.contains(&("computation_time_ns", Value::Time(Nanos(3_000)))));
/// assert_eq!(analyze::device_time(&trace)[0].time.compute, Nanos(0));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn definition_values(trace: &Trace, steps: &Steps, definition: Definition) -> DefinitionValues {
    let found = DefinitionValues { definition, ..DefinitionValues::default() };
    match definition {
        Definition::Stepscope => found,
        Definition::Hta => hta::values(trace, steps),
        Definition::TraceLens => DefinitionValues { values: tracelens::values(trace), ..found },
        Definition::TensorBoard => {
            let (values, steps) = tensorboard::values(trace, steps);
            DefinitionValues { values, steps, ..found }
        }
        Definition::Paddle => DefinitionValues { values: paddle::values(trace, steps), ..found },
        Definition::MindSpore => DefinitionValues { values: mindspore::values(trace, steps), ..found },
    }
}

#[cfg(test)]
mod tests;
