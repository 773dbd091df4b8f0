//! Profiling a training loop: the steps to record, their costs, named timers.

mod costs;
mod profiler;
mod scheduler;
mod timer;

pub use costs::{CostLine, CostSummary};
pub use profiler::{Profiler, ProfilerOptions, Recorded, export_compact};
pub use scheduler::{Cycle, Scheduler, State};
pub use timer::{
    Timer, TimerStatistics, Timing, all_timer_status, count_timers, reset_timers, timed, timer_status, timer_table,
    timers,
};
