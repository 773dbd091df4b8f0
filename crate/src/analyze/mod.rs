//! Numbers. An analysis is one pure, total function of a trace (and other analyses' reports): no IO, no
//! clocks, no text. What each number means is METRICS' matter; the doc comments cite its sections.

mod activities;
mod all;
mod copies;
mod definitions;
mod device_time;
mod intervals;
mod kernels;
mod operators;
mod phases;
mod roles;
mod statistics;
mod steps;

pub use activities::DeviceSets;
pub use all::{Analysis, AnalysisConfig, StepAverage, analyze};
pub use copies::{CopyRow, copies};
pub use definitions::{Definition, DefinitionKernel, DefinitionValues, Value, Values, definition_values};
pub use device_time::{DeviceReport, DeviceTime, device_time};
pub use intervals::IntervalSet;
pub use kernels::{KernelGrouping, KernelRow, kernels, kernels_of, uses_tensor_cores};
pub use operators::{OperatorGrouping, OperatorRow, Operators, OperatorsConfig, operators};
pub use phases::{Phase, PhaseSource, PhaseTime, Phases, phases};
pub use roles::{Role, RoleSets, RoleTimes, is_dataloader, roles};
pub use statistics::{Statistics, mean, median, median_absolute_deviation};
pub use steps::{Step, StepSource, Steps, StepsConfig, steps};
