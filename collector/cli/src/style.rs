//! `stepscope summary --style TOOL`: tables as another tool prints them.

use std::num::NonZeroU64;

use clap::{Args, ValueEnum};
use stepscope::Rank;
use stepscope::analyze::StepTraceConfig;
use stepscope::present::csv;
use stepscope_style::TimeUnit;
use stepscope_style::choice::{NvprofTable, Tables};
use stepscope_style::nvprof::NvprofStyle;
use stepscope_style::paddle::{self, PaddleStyle};

use crate::grid::printable;

/// Options for tables in another tool's layout.
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
    /// Print the list of layers after the tables (paddle's `with_flops=True`).
    #[arg(long, requires = "style")]
    with_flops: bool,
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
    /// The operator or kernel with which a step's forward pass begins, as `PROFILING_FP_START` names it; the step, too, where
    /// none is marked.
    #[arg(long, value_name = "NAME")]
    pub(crate) fp_start: Option<String>,
    /// The operator or kernel with which a step's backward pass ends, as `PROFILING_BP_END` names it; the step, too, where
    /// none is marked and --fp-start is not given.
    #[arg(long, value_name = "NAME")]
    pub(crate) bp_end: Option<String>,
    /// The graph of MindSpore whose steps the step trace has; all graphs without it.
    #[arg(long, value_name = "GRAPH")]
    pub(crate) graph: Option<u64>,
    /// Samples in a step: throughput then counts samples instead of steps.
    #[arg(long, value_name = "SAMPLES")]
    pub(crate) batch_size: Option<NonZeroU64>,
}

impl StyleOptions {
    /// The named operators.
    pub(crate) fn step_trace(&self) -> StepTraceConfig {
        StepTraceConfig { forward_start: self.fp_start.clone(), backward_end: self.bp_end.clone(), graph: self.graph }
    }
}

/// Tool whose tables are printed.
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
    let tables = tables_of(tool, options);
    let of_rank = |rank: &Rank| {
        let heading = if ranks.len() > 1 { heading(rank, options) } else { String::new() };
        let without = || {
            "no step trace: no step with a forward pass is recorded (--steps, --fp-start and --bp-end name them)\n"
                .to_owned()
        };
        heading + &tables.of(rank).unwrap_or_else(without)
    };
    // Names come from the trace: control characters for the terminal are removed.
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

/// The chosen tables.
fn tables_of(tool: Tool, options: &StyleOptions) -> Tables {
    let unit = options.time_unit.map(TimeUnit::from);
    match tool {
        Tool::Paddle => {
            let all = options.views.is_empty();
            let views: Vec<paddle::View> = options.views.iter().filter_map(|view| view.of_summary()).collect();
            Tables::Paddle {
                style: PaddleStyle {
                    unit: unit.unwrap_or(TimeUnit::Milliseconds),
                    sort: options.sort.into(),
                    detail: !options.no_op_detail,
                    views: (!all).then_some(views),
                    flops: options.with_flops,
                },
                thread_sep: options.thread_sep,
                benchmark: all || options.views.contains(&View::Benchmark),
            }
        }
        Tool::Nvprof => Tables::Nvprof {
            table: match (options.print_gpu_trace, options.print_api_trace) {
                (true, _) => NvprofTable::Devices,
                (_, true) => NvprofTable::Calls,
                _ => NvprofTable::Summary,
            },
            style: NvprofStyle { csv: options.csv, unit, before_9: options.nvprof_layout == NvprofLayout::Eight },
        },
        Tool::Mindspore => Tables::MindSpore { unit: unit.unwrap_or(TimeUnit::Milliseconds), csv: options.csv },
        Tool::Tensorboard => Tables::TensorBoard(unit.unwrap_or(TimeUnit::Microseconds)),
    }
}
