//! `stepscope summary --style TOOL`: tables as another tool prints them.

use std::num::NonZeroU64;

use clap::{Args, ValueEnum};
use stepscope::Rank;
use stepscope::analyze::{nvprof_summary, paddle_summary, tensorboard_overview};
use stepscope::present::csv;
use stepscope_style::nvprof::{self, NvprofStyle};
use stepscope_style::paddle::{self, PaddleStyle};
use stepscope_style::{TimeUnit, mindspore, tensorboard};

use crate::grid::printable;

/// How and as whose tables are printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "As another tool prints it")]
pub(crate) struct StyleOptions {
    /// Print the tables of another tool, in its layout.
    #[arg(long, value_enum, value_name = "TOOL", conflicts_with_all = ["json", "by"])]
    pub(crate) style: Option<Tool>,
    /// The unit of times; by default the tool's own.
    #[arg(long, value_enum, value_name = "UNIT", requires = "style")]
    time_unit: Option<Unit>,
    /// How rows are sorted (paddle).
    #[arg(long, value_enum, default_value_t = Sort::CpuTotal, value_name = "KEY", requires = "style")]
    sort: Sort,
    /// Leave out what operators consist of (paddle's `op_detail=False`).
    #[arg(long, requires = "style")]
    no_op_detail: bool,
    /// Separate rows per thread (paddle's `thread_sep=True`).
    #[arg(long, requires = "style")]
    thread_sep: bool,
    /// Print only these tables (paddle's views).
    #[arg(long, value_enum, value_delimiter = ',', value_name = "VIEWS", requires = "style")]
    views: Vec<View>,
    /// Print each activity of the devices instead of totals (nvprof).
    #[arg(long, requires = "style")]
    print_gpu_trace: bool,
    /// Print each call instead of totals (nvprof).
    #[arg(long, requires = "style", conflicts_with = "print_gpu_trace")]
    print_api_trace: bool,
    /// The layout of nvprof's totals: of CUDA 9 and later, or of CUDA 8 and before, with a table for activities and one for
    /// calls.
    #[arg(long, value_enum, default_value_t = NvprofLayout::Nine, value_name = "CUDA", requires = "style")]
    nvprof_layout: NvprofLayout,
    /// Write rows with commas: nvprof's --csv, MindSpore's `step_trace_raw`.
    #[arg(long, requires = "style")]
    csv: bool,
    /// The operator or kernel with which a step's forward pass begins, as `PROFILING_FP_START` names it.
    #[arg(long, value_name = "NAME")]
    pub(crate) fp_start: Option<String>,
    /// The operator or kernel with which a step's backward pass ends, as `PROFILING_BP_END` names it.
    #[arg(long, value_name = "NAME")]
    pub(crate) bp_end: Option<String>,
    /// Samples in a step: throughput then counts samples instead of steps.
    #[arg(long, value_name = "SAMPLES")]
    pub(crate) batch_size: Option<NonZeroU64>,
}

/// Whose tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tool {
    /// Paddle's summary: devices, overview, model, distribution, operators, kernels, memory; and its benchmark table.
    Paddle,
    /// nvprof's totals by name, or its traces.
    Nvprof,
    /// MindSpore's step trace.
    Mindspore,
    /// The overview of PyTorch's TensorBoard plugin.
    Tensorboard,
}

/// The version of nvprof whose layout the totals have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NvprofLayout {
    /// CUDA 5 to 8.
    #[value(name = "8")]
    Eight,
    /// CUDA 9 to 12.
    #[value(name = "9")]
    Nine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Unit {
    /// Seconds.
    S,
    /// Milliseconds.
    Ms,
    /// Microseconds.
    Us,
    /// Nanoseconds.
    Ns,
}

impl From<Unit> for TimeUnit {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::S => Self::Seconds,
            Unit::Ms => Self::Milliseconds,
            Unit::Us => Self::Microseconds,
            Unit::Ns => Self::Nanoseconds,
        }
    }
}

/// Paddle's `SortedKeys`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Total time on the host.
    CpuTotal,
    /// Mean time on the host.
    CpuAvg,
    /// Longest time on the host.
    CpuMax,
    /// Shortest time on the host, rising.
    CpuMin,
    /// Total time on devices.
    GpuTotal,
    /// Mean time on devices.
    GpuAvg,
    /// Longest time on devices.
    GpuMax,
    /// Shortest time on devices, rising.
    GpuMin,
}

impl From<Sort> for paddle::SortKey {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::CpuTotal => Self::CpuTotal,
            Sort::CpuAvg => Self::CpuAvg,
            Sort::CpuMax => Self::CpuMax,
            Sort::CpuMin => Self::CpuMin,
            Sort::GpuTotal => Self::GpuTotal,
            Sort::GpuAvg => Self::GpuAvg,
            Sort::GpuMax => Self::GpuMax,
            Sort::GpuMin => Self::GpuMin,
        }
    }
}

/// Paddle's `SummaryView`, and its benchmark table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum View {
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
    Udf,
    /// Memory Summary.
    Memory,
    /// The benchmark's table.
    Benchmark,
}

impl View {
    /// The table of the summary that it is; none for the benchmark's.
    fn of_summary(self) -> Option<paddle::View> {
        Some(match self {
            Self::Device => paddle::View::Device,
            Self::Overview => paddle::View::Overview,
            Self::Model => paddle::View::Model,
            Self::Distributed => paddle::View::Distributed,
            Self::Operator => paddle::View::Operator,
            Self::Kernel => paddle::View::Kernel,
            Self::MemoryManipulation => paddle::View::MemoryManipulation,
            Self::Udf => paddle::View::UserDefined,
            Self::Memory => paddle::View::Memory,
            Self::Benchmark => return None,
        })
    }
}

/// The tool's tables of all ranks; of several, each under its name.
pub(crate) fn text(ranks: &[Rank], tool: Tool, options: &StyleOptions) -> String {
    let unit = options.time_unit.map(TimeUnit::from);
    let of_rank = |rank: &Rank| {
        let heading = if ranks.len() > 1 { heading(rank, options) } else { String::new() };
        let text = match tool {
            Tool::Paddle => of_paddle(rank, unit, options),
            Tool::Nvprof => of_nvprof(rank, unit, options),
            Tool::Mindspore => of_mindspore(rank, unit, options),
            Tool::Tensorboard => {
                let report = tensorboard_overview(&rank.trace, &rank.analysis.steps);
                tensorboard::overview(&rank.trace, &report, unit.unwrap_or(TimeUnit::Microseconds))
            }
        };
        heading + &text
    };
    // Names come from the trace: what a terminal would obey must not be among them.
    let text = ranks.iter().map(of_rank).collect::<Vec<_>>().join("\n");
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

fn heading(rank: &Rank, options: &StyleOptions) -> String {
    let heading = match rank.rank {
        Some(number) => format!("{} · rank {number}\n", rank.file),
        None => format!("{}\n", rank.file),
    };
    if options.csv { csv::line(heading.trim_end()) + "\n" } else { heading }
}

fn of_paddle(rank: &Rank, unit: Option<TimeUnit>, options: &StyleOptions) -> String {
    let all = options.views.is_empty();
    let views: Vec<paddle::View> = options.views.iter().filter_map(|view| view.of_summary()).collect();
    let style = PaddleStyle {
        unit: unit.unwrap_or(TimeUnit::Milliseconds),
        sort: options.sort.into(),
        detail: !options.no_op_detail,
        views: (!all).then_some(views),
    };
    let report = paddle_summary(&rank.trace, &rank.analysis.steps, options.thread_sep);
    let mut text = paddle::summary(&rank.trace, &report, &style);
    let benchmark = rank.analysis.benchmark.as_ref().filter(|_| all || options.views.contains(&View::Benchmark));
    if let Some(found) = benchmark {
        text.push_str(&paddle::benchmark(found, "samples"));
    }
    text
}

fn of_nvprof(rank: &Rank, unit: Option<TimeUnit>, options: &StyleOptions) -> String {
    let style = NvprofStyle { csv: options.csv, unit, before_9: options.nvprof_layout == NvprofLayout::Eight };
    if options.print_gpu_trace {
        nvprof::devices(&rank.trace, style)
    } else if options.print_api_trace {
        nvprof::calls(&rank.trace, style)
    } else {
        nvprof::summary(&rank.trace, &nvprof_summary(&rank.trace), style)
    }
}

fn of_mindspore(rank: &Rank, unit: Option<TimeUnit>, options: &StyleOptions) -> String {
    let Some(report) = &rank.analysis.step_trace else {
        return "no step trace: no step with a forward pass is recorded (--steps, --fp-start and --bp-end name them)\n"
            .to_owned();
    };
    if options.csv {
        return mindspore::detail_csv(&rank.trace, report);
    }
    let unit = unit.unwrap_or(TimeUnit::Milliseconds);
    mindspore::summary(&rank.trace, report, unit) + "\n" + &mindspore::steps(report, unit)
}
