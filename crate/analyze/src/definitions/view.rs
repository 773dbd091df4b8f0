//! A definition's values in the places where the page shows ours: tiles, and the bar of a device's time.

use super::value::{Definition, DefinitionValues, Value, Values};
use crate::{Tile, mean};
use stepscope_base::Nanos;

/// A definition's time of all devices, in parts that add up to the definition's whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DefinitionBar {
    /// Computation without communication.
    pub compute_alone: Nanos,
    /// Both at once.
    pub overlap: Nanos,
    /// Communication without computation.
    pub exposed_communication: Nanos,
    /// Copies during neither, where the definition has them separately.
    pub exposed_memcpy: Nanos,
    /// Time without a name in the definition.
    pub other: Nanos,
    /// Nothing.
    pub idle: Nanos,
}

impl DefinitionValues {
    /// The overview's numbers as the definition has them, over the whole trace (the TensorBoard plugin: on average over
    /// its steps); those that it does not define are left out.
    ///
    /// ```
    /// use stepscope::Nanos;
    /// use stepscope::analyze::{Definition, DefinitionValues, Value};
    ///
    /// let times = [("span_ns", 100), ("computation_ns", 60), ("communication_ns", 30)];
    /// let rest = [("communication_not_overlapped_ns", 10), ("free_ns", 30)];
    /// let values = times.into_iter().chain(rest).map(|(key, time)| (key, Value::Time(Nanos(time)))).collect();
    /// let found = DefinitionValues { definition: Definition::MindSpore, values, ..DefinitionValues::default() };
    /// let busy = found.tiles()[0];
    /// assert_eq!((busy.name, busy.time, busy.share), ("device_busy", Nanos(70), Some(0.7)));
    /// let bar = found.bar().expect("a bar");
    /// assert_eq!((bar.compute_alone, bar.overlap, bar.exposed_communication), (Nanos(40), Nanos(20), Nanos(10)));
    /// ```
    #[must_use]
    pub fn tiles(&self) -> Vec<Tile> {
        let values = &self.values;
        let tile = |name, time: Nanos, whole: Nanos| Tile { name, time, share: time.ratio_of(whole) };
        let three = |busy: Nanos, exposed: Nanos, idle: Nanos, whole: Nanos| {
            vec![
                tile("device_busy", busy, whole),
                tile("exposed_communication", exposed, whole),
                tile("idle", idle, whole),
            ]
        };
        let found = match self.definition {
            Definition::Stepscope => None,
            Definition::Hta => times(values, ["kernel_time_ns", "idle_time_ns", "communication_ns", "overlap_ns"])
                .map(|[whole, idle, communication, overlap]| three(whole - idle, communication - overlap, idle, whole)),
            Definition::TraceLens => {
                times(values, ["total_time_ns", "busy_time_ns", "exposed_comm_time_ns", "idle_time_ns"])
                    .map(|[whole, busy, exposed, idle]| three(busy, exposed, idle, whole))
            }
            Definition::MindSpore => times(values, ["span_ns", "communication_not_overlapped_ns", "free_ns"])
                .map(|[span, exposed, free]| three(span - free, exposed, free, span)),
            Definition::Paddle => times(values, ["profile_step_ns", "communication_ns", "overlap_ns"]).map(
                |[whole, communication, overlap]| vec![tile("exposed_communication", communication - overlap, whole)],
            ),
            Definition::TensorBoard => times(values, ["kernel_busy_ns", "steps_span_ns"]).map(|[busy, span]| {
                std::iter::once(tile("device_busy", busy, span)).chain(self.step_tiles()).collect()
            }),
        };
        found.unwrap_or_default()
    }

    /// Means over the definition's steps.
    fn step_tiles(&self) -> Vec<Tile> {
        let count = self.steps.len() as u64;
        let per_step =
            |of: &dyn Fn(&Values) -> Nanos| mean(self.steps.iter().map(|(_, values)| of(values)).sum(), count);
        if count == 0 {
            return Vec::new();
        }
        let step = per_step(&|values| values.iter().filter_map(|(_, value)| time_of(*value)).sum());
        let part = |name, key| {
            let time = per_step(&|values| time(values, key).unwrap_or_default());
            Tile { name, time, share: time.ratio_of(step) }
        };
        vec![
            Tile { name: "step", time: step, share: None },
            part("exposed_communication", "communication_ns"),
            part("data_wait", "dataloader_ns"),
        ]
    }

    /// The time of all devices together as the definition splits it; `None` if it does not, or if its parts exceed its
    /// whole.
    #[must_use]
    pub fn bar(&self) -> Option<DefinitionBar> {
        let values = &self.values;
        let bar = match self.definition {
            Definition::Stepscope | Definition::TensorBoard => return None,
            Definition::Hta => {
                let keys = ["kernel_time_ns", "idle_time_ns", "compute_time_ns", "communication_ns", "overlap_ns"];
                let [whole, idle, compute, communication, overlap] = times(values, keys)?;
                let exposed = communication - overlap;
                DefinitionBar { other: whole - idle - compute - exposed, idle, ..parts(compute, overlap, exposed) }
            }
            Definition::TraceLens => {
                let keys = ["computation_time_ns", "exposed_comm_time_ns", "exposed_memcpy_time_ns", "idle_time_ns"];
                let [compute, exposed, exposed_memcpy, idle] = times(values, keys)?;
                let overlap = time(values, "total_comm_time_ns")? - exposed;
                DefinitionBar { exposed_memcpy, idle, ..parts(compute, overlap, exposed) }
            }
            Definition::MindSpore => {
                let keys = ["computation_ns", "communication_ns", "communication_not_overlapped_ns", "free_ns"];
                let [compute, communication, exposed, idle] = times(values, keys)?;
                DefinitionBar { idle, ..parts(compute, communication - exposed, exposed) }
            }
            Definition::Paddle => {
                let keys = ["profile_step_ns", "computation_ns", "communication_ns", "overlap_ns"];
                let [whole, compute, communication, overlap] = times(values, keys)?;
                let exposed = communication - overlap;
                DefinitionBar { other: whole - compute - exposed, ..parts(compute, overlap, exposed) }
            }
        };
        let all = [bar.compute_alone, bar.overlap, bar.exposed_communication, bar.exposed_memcpy, bar.other, bar.idle];
        (all.iter().all(|part| *part >= Nanos::ZERO) && all.iter().any(|part| *part > Nanos::ZERO)).then_some(bar)
    }
}

fn parts(compute: Nanos, overlap: Nanos, exposed_communication: Nanos) -> DefinitionBar {
    DefinitionBar { compute_alone: compute - overlap, overlap, exposed_communication, ..DefinitionBar::default() }
}

fn time_of(value: Value) -> Option<Nanos> {
    match value {
        Value::Time(time) => Some(time),
        Value::Ratio(_) => None,
    }
}

fn time(values: &Values, key: &str) -> Option<Nanos> {
    values.iter().find(|(known, _)| *known == key).and_then(|(_, value)| time_of(*value))
}

/// Several times; `None` unless all are there.
fn times<const N: usize>(values: &Values, keys: [&str; N]) -> Option<[Nanos; N]> {
    let mut found = [Nanos::ZERO; N];
    for (slot, key) in found.iter_mut().zip(keys) {
        *slot = time(values, key)?;
    }
    Some(found)
}
