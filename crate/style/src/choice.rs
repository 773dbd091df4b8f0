//! Other tools' tables of a rank: the part that the program's options and the page's options share.

use stepscope_analyze::{Rank, nvprof_summary, paddle_summary, tensorboard_overview};

use crate::TimeUnit;
use crate::nvprof::{self, NvprofStyle};
use crate::paddle::{self, PaddleStyle};
use crate::{mindspore, tensorboard};

/// Tables of a tool, with the tool's options for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tables {
    /// Paddle's summary.
    Paddle {
        /// Layout, order and unit; its views are printed.
        style: PaddleStyle,
        /// Whether rows are separate by thread (`thread_sep`).
        thread_sep: bool,
        /// Whether the benchmark's table follows, if there is one.
        benchmark: bool,
    },
    /// Totals of nvprof, or one of its traces.
    Nvprof {
        /// The table.
        table: NvprofTable,
        /// Its layout.
        style: NvprofStyle,
    },
    /// MindSpore's step trace.
    MindSpore {
        /// The unit of times.
        unit: TimeUnit,
        /// Whether the table `step_trace_raw_N_detail_time.csv` is printed instead.
        csv: bool,
    },
    /// The overview of PyTorch's TensorBoard plugin, in a unit.
    TensorBoard(TimeUnit),
}

/// The tables of nvprof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NvprofTable {
    /// Totals by name.
    Summary,
    /// Each activity of the devices (`--print-gpu-trace`).
    Devices,
    /// Each call (`--print-api-trace`).
    Calls,
}

impl Tables {
    /// The tables of a rank as text; none for MindSpore's step trace if the rank has none.
    #[must_use]
    pub fn of(&self, rank: &Rank) -> Option<String> {
        let (trace, steps) = (&rank.trace, &rank.analysis.steps);
        Some(match self {
            Self::Paddle { style, thread_sep, benchmark } => {
                let mut text = paddle::summary(trace, &paddle_summary(trace, steps, *thread_sep), style);
                if let Some(found) = rank.analysis.benchmark.as_ref().filter(|_| *benchmark) {
                    text.push_str(&paddle::benchmark(found, "samples"));
                }
                text
            }
            Self::Nvprof { table: NvprofTable::Summary, style } => {
                nvprof::summary(trace, &nvprof_summary(trace), *style)
            }
            Self::Nvprof { table: NvprofTable::Devices, style } => nvprof::devices(trace, *style),
            Self::Nvprof { table: NvprofTable::Calls, style } => nvprof::calls(trace, *style),
            Self::MindSpore { unit, csv } => {
                let report = rank.analysis.step_trace.as_ref()?;
                if *csv {
                    mindspore::detail_csv(trace, report)
                } else {
                    mindspore::summary(trace, report, *unit) + "\n" + &mindspore::steps(report, *unit)
                }
            }
            Self::TensorBoard(unit) => tensorboard::overview(trace, &tensorboard_overview(trace, steps), *unit),
        })
    }
}
