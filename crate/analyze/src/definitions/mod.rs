//! Other tools' definitions of the same words, so that users find the numbers they remember.
//! METRICS section 2, "definitions that can be chosen instead".

mod hta;
mod mindspore;
mod paddle;
mod tensorboard;
mod tracelens;
mod view;

pub use self::value::{Definition, DefinitionKernel, DefinitionValues, Value, Values};
pub use self::view::DefinitionBar;

pub(super) use self::tensorboard::{
    category_sets as tensorboard_categories, kept as tensorboard_steps, span_of as tensorboard_span,
    values as tensorboard_values,
};

use super::Steps;
use stepscope_trace::Trace;

/// The values of a chosen definition; ours has none of its own, since they are always shown.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::{Definition, Value};
///
/// // To TraceLens a memset is computation; to us it is not.
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
    match definition {
        Definition::Stepscope => DefinitionValues::default(),
        _ => values_of_another(trace, steps, definition),
    }
}

/// The values of another tool: the page does without them until one is chosen (`xtask/src/page/split`).
fn values_of_another(trace: &Trace, steps: &Steps, definition: Definition) -> DefinitionValues {
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
        // It measures a device alone. Without one, no value is known, which is not zero.
        Definition::MindSpore if trace.activities.is_empty() => found,
        Definition::MindSpore => DefinitionValues { values: mindspore::values(trace, steps), ..found },
    }
}

#[cfg(test)]
mod tests;
mod value;
