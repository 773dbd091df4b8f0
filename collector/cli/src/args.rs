//! The command line.

use std::ffi::OsString;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::str::FromStr;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use stepscope::analyze::{Change, Definition, GivenPeaks, KernelGrouping, ParallelGrid, PeakKind, RuleSet};
use stepscope::export::report_json::job_text;
use stepscope::table::View;

#[cfg(target_os = "linux")]
use crate::doctor::DoctorOptions;
use crate::idle_options::IdleOptions;
use crate::query_option::{AskedQuery, wanted};
use crate::range_option::RangeOption;
#[cfg(target_os = "linux")]
use crate::record::options::RecordOptions;
#[cfg(target_os = "linux")]
use crate::recover_options::RecoverOptions;
use crate::style::StyleOptions;

/// Shows where a training or inference step spends its time.
///
/// Reads traces of PyTorch, JAX, PaddlePaddle, MindSpore and NVIDIA's profilers.
#[derive(Debug, Parser)]
#[command(name = "stepscope", version, arg_required_else_help = true, after_help = COMMON_USES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commonest uses; shown by `stepscope --help`.
const COMMON_USES: &str = "\
Common uses:
  stepscope trace.json.gz                 the cause of the lost time (`summary`)
  stepscope summary --by advice ranks/    what to change first, of all ranks
  stepscope diff before.json after.json   what made the step longer or shorter
  stepscope record -- python train.py     record a program and summarize it
  stepscope demo                          open the page on a demo trace

`stepscope help COMMAND` describes every option.
Exit codes: 0 success, 1 failure, 2 bad usage. Errors go to standard error.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the largest cause of lost time, or tables.
    ///
    /// Tables are as wide as the terminal, else as COLUMNS says, else 140 columns. With --json, times
    /// are integer nanoseconds from the trace's own start; --by leaves that table's keys and those that identify inputs and
    /// ranks, and --top that many rows of each table, with the number of the others in `left_out`.
    #[command(after_help = "Examples:\n  stepscope summary trace.json.gz\n  \
        stepscope summary --by all trace.json.gz\n  stepscope summary --by kernels --top 0 trace.json.gz\n  stepscope summary --json ranks/ > summary.json\n  \
        stepscope summary --style paddle --time-unit us --sort gpu-total trace.paddle_trace.pb\n  \
        stepscope summary --range step:12 --compare-range step:13 trace.json.gz")]
    Summary(Box<SummaryOptions>),
    /// Print what makes the step of a second trace longer or shorter.
    ///
    /// Each moment of a step belongs to one name, so the differences of all names add up to that of the step. The
    /// frameworks may differ. With --json, times are integer nanoseconds.
    #[command(after_help = "Examples:\n  stepscope diff before.json.gz after.json.gz\n  \
        stepscope diff --by operators --shapes before/ after/ --rank-a 0 --rank-b 0")]
    Diff(DiffOptions),
    /// Print the events that match a query, by time.
    ///
    /// Prints start, duration, place and step.
    ///
    /// A query is words of the name and fields, all of which must match: `gemm tn`, `gemm*64x?`, `"aten::add"` for the
    /// whole name, class: cat: device: stream: thread: process: step: shape: type: grid: block: group: seq: correlation:
    /// external:, and limits such as dur>1ms, self>1ms, at<2s, bytes>=1MB. A `-` before a term asks for the opposite. With --json,
    /// times are integer nanoseconds from the trace's own start.
    #[command(after_help = "Examples:\n  stepscope find trace.json.gz 'gemm dur>1ms'\n  \
        stepscope find trace.json 'class:runtime_call -launch' --limit 50\n  \
        stepscope find ranks/ 'class:kernel group:dp step:12' --rank 0 --json")]
    Find(FindOptions),
    /// Write a trace for Perfetto and Chrome's tracing page.
    ///
    /// The reports are put into it as tracks, counters and arguments beside the events.
    #[command(after_help = "Examples:\n  stepscope export trace.json.gz -o perfetto.json.gz\n  \
        stepscope export ranks/ --merge --ranks 0,1 -o two.json.gz\n  \
        stepscope export trace.json.gz --range step:12 -o step12.json.gz")]
    Export(ExportOptions),
    /// Write one HTML file with verdict, advice, charts and tables.
    ///
    /// It opens without a server, and needs no scripts. Printed, its summary takes at most four pages. A file name that ends in .md,
    /// or --markdown, writes the summary alone, as Markdown for an issue. With --trace it carries the whole analyzer and the traces, so that
    /// its readers can explore them; they do not leave the tab either. Secrets are masked in both. A report shows names of
    /// files, hosts, functions and kernels; with --trace it contains everything else in the traces, too.
    #[command(after_help = "Examples:\n  stepscope report trace.json.gz\n  \
        stepscope report ranks/ --trace -o job.html\n  \
        stepscope report trace.json.gz --language zh\n  \
        stepscope report trace.json.gz --markdown -o -")]
    Report(ReportOptions),
    /// Write a copy of a trace without secrets, to share it.
    ///
    /// Passwords, tokens and keys are masked: values of options, variables and members with such names, user info in URLs, values
    /// that begin like known keys, private keys. Numbers and times stay. Names of functions, kernels and files, and what programs
    /// wrote into arguments, stay as well: look at the copy before you share it. JSON, text tables and Stepscope's recordings
    /// can be redacted, plain, compressed (.gz, .zst) or in archives (.zip, .tar), from whose copies other files are left out. Databases
    /// cannot: `stepscope export` writes a JSON copy of their trace with secrets masked.
    #[command(after_help = "Examples:\n  stepscope redact trace.json.gz -o clean.json.gz\n  \
        stepscope redact run.stepscope --paths --hosts -o clean.stepscope\n  \
        stepscope redact trace.json -o - | gzip > clean.json.gz")]
    Redact(RedactOptions),
    /// Serve the page on this machine, with traces to open in it.
    ///
    /// Prints the page's address, and serves until Ctrl-C. The address contains a token, new at each start; requests without
    /// it are refused, so that other users of this machine cannot read the traces. Nothing leaves this machine.
    #[command(after_help = "Example:\n  stepscope serve --open trace.json.gz")]
    Serve(ServeOptions),
    /// Open the page on a demo trace.
    ///
    /// Serves the page on this machine like `serve --open`, until Ctrl-C.
    Demo(DemoOptions),
    /// Run a command and record every process it starts.
    ///
    /// Records spans of programs that use this library, NVTX ranges, GPU activity (CUPTI), and samples of processors, memory,
    /// pressure, processes, threads and GPUs. The exit code is the command's, or 128 plus the number of the signal that
    /// killed it. Messages go to standard error; standard output belongs to the command. Ctrl-C ends the command, not the
    /// recording. Processes with an emptied environment (`env -i`, `sudo`) are sampled only; other machines are not recorded.
    #[cfg(target_os = "linux")]
    #[command(after_help = "Examples:\n  stepscope record -- python train.py\n  \
        stepscope record -o run.stepscope --python-hooks -- torchrun --nproc-per-node 2 train.py\n  \
        stepscope record --keep 30s --sample 50 -o run.json.gz -- ./server")]
    Record(RecordOptions),
    /// Convert the raw recordings that a killed program left.
    ///
    /// Their folder can also be opened as it is. Files that exist are kept unless --force is given.
    #[cfg(target_os = "linux")]
    #[command(after_help = "Examples:\n  stepscope recover train.recording -o train.stepscope\n  \
        stepscope recover --dry-run runs/")]
    Recover(RecoverOptions),
    /// Print what this machine can record, and how to record more.
    #[cfg(target_os = "linux")]
    Doctor(DoctorOptions),
    /// Print a completion script for a shell.
    #[command(after_help = "Examples:\n  \
        stepscope completions bash > ~/.local/share/bash-completion/completions/stepscope\n  \
        stepscope completions zsh > ~/.zfunc/_stepscope\n  \
        stepscope completions fish > ~/.config/fish/completions/stepscope.fish")]
    Completions(CompletionOptions),
    /// Write the manual pages and completion scripts into a folder, as packages ship them.
    #[command(hide = true)]
    Manual(ManualOptions),
}

#[derive(Debug, Args)]
pub(crate) struct CompletionOptions {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManualOptions {
    /// The folder, which stands for `share` of an installation.
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}

/// Which traces, and how they are read.
#[derive(Debug, Args)]
pub(crate) struct InputOptions {
    /// Traces, plain or compressed (gzip, zstd), folders of them, and archives (zip, tar).
    ///
    /// Each trace is a rank; the files of a profiler's folder are read together, one rank for each that they name.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Read a file as part of this rank, whatever its name and folder say, or leave it out: FILE=none. Files of the
    /// same number are one rank. FILE is its path, or the end of it. May be given several times.
    #[arg(long, value_name = "FILE=N")]
    pub(crate) rank: Vec<FileRank>,
    /// Name each file that is left out, and why.
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Names of the ranges that are steps; `*` stands for any text.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) steps: Option<String>,
}

/// A file and the number of its rank; none to leave it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileRank {
    pub(crate) file: String,
    pub(crate) rank: Option<u64>,
}

impl FromStr for FileRank {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (file, rank) = text.rsplit_once('=').ok_or("it has no `=`, as in rank0.json=0")?;
        let number = |rank: &str| rank.parse().map_err(|_| format!("`{rank}` is neither a number nor `none`"));
        let rank = if rank == "none" { None } else { Some(number(rank)?) };
        Ok(Self { file: file.replace('\\', "/"), rank })
    }
}

/// Rows of a printed table by default.
const USUAL_ROWS: usize = 20;

impl SummaryOptions {
    /// Rows of a printed table; 0 for all.
    pub(crate) fn rows(&self) -> usize {
        self.top.unwrap_or(USUAL_ROWS)
    }

    /// Whether an option is given that only tables use.
    pub(crate) fn is_about_tables(&self) -> bool {
        let is_grouped = self.group != Grouping::Name || self.group_kernels != KernelRows::Name || self.merge_same_name;
        let style = &self.style;
        let is_of_step_trace =
            style.fp_start.is_some() || style.bp_end.is_some() || style.graph.is_some() || style.batch_size.is_some();
        let is_of_part = self.step.is_some() || self.top.is_some();
        let is_defined = self.definition != DefinitionName::Stepscope;
        is_of_part || is_grouped || is_of_step_trace || is_defined || self.idle.is_given()
    }
}

impl DiffOptions {
    /// Rows of a printed table; 0 for all.
    pub(crate) fn rows(&self) -> usize {
        self.top.unwrap_or(USUAL_ROWS)
    }
}

#[derive(Debug, Args)]
pub(crate) struct RedactOptions {
    /// The trace.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The copy to write: compressed if its name ends in .gz; `-` for standard output. The copy of an archive ends in .zip, .tar or .tar.gz.
    #[arg(short, long, value_name = "CLEAN")]
    pub(crate) output: PathBuf,
    /// Rename folders, too: /home/me/job/train.py becomes path-1/train.py. Equal folders get equal names.
    #[arg(long)]
    pub(crate) paths: bool,
    /// Rename hosts and users, too: host-1, user-1.
    #[arg(long)]
    pub(crate) hosts: bool,
    /// Replace a file that has the copy's name.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SummaryOptions {
    #[command(flatten)]
    pub(crate) input: InputOptions,
    /// Print JSON instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print this table instead of the first screen.
    #[arg(long, value_enum, value_name = "TABLE")]
    pub(crate) by: Option<Table>,
    /// Write the table that --by names to this file (`-`: standard output), as CSV with all its columns, or all tables to
    /// this new or empty folder: those of --by, or without it of the whole summary, a file each.
    #[arg(short, long, value_name = "FILE.csv|FOLDER", conflicts_with_all = ["json", "range", "style"])]
    pub(crate) output: Option<PathBuf>,
    /// Rows per table; 0 for all. By default 20, with --json and --output all.
    #[arg(long, value_name = "ROWS")]
    pub(crate) top: Option<usize>,
    /// Tabulate operators, kernels, copies and the use of the device for this step alone, by its name, or per step: `average`.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["range", "style"])]
    pub(crate) step: Option<String>,
    /// Print the events in a part of the time, and where its time goes: FROM..TO, as in 12ms..15ms or 1.2s.., or step:NAME.
    #[arg(long, value_name = "FROM..TO", conflicts_with_all = ["by", "what_if", "style"])]
    pub(crate) range: Option<RangeOption>,
    /// Print the differences between that part and this one.
    #[arg(long, value_name = "FROM..TO", requires = "range")]
    pub(crate) compare_range: Option<RangeOption>,
    /// Also show the numbers as another tool defines them.
    #[arg(long, value_enum, default_value_t = DefinitionName::Stepscope, value_name = "TOOL")]
    pub(crate) definition: DefinitionName,
    /// Grouping of operator calls into rows.
    #[arg(long, value_enum, default_value_t = Grouping::Name, value_name = "GROUPING")]
    pub(crate) group: Grouping,
    /// Grouping of kernels into rows of `--by kernel-use`.
    #[arg(long, value_enum, default_value_t = KernelRows::Name, value_name = "GROUPING")]
    pub(crate) group_kernels: KernelRows,
    /// Merge an operator that is an only child of the same name into its parent, as PyTorch's tables do.
    #[arg(long)]
    pub(crate) merge_same_name: bool,
    /// Print the length of a step with one change: `overlap` (communication fully overlapped), `data` (data ready),
    /// `launches` (launches free), or `kernel=NAME:K` (kernels of that name K times as fast; `*` stands for anything). May
    /// be given several times.
    #[arg(long, value_name = "CHANGE", value_parser = change)]
    pub(crate) what_if: Vec<Change>,
    /// The parallel layout, where the traces lack it or are wrong: the sizes of pp, dp, ep, cp and tp
    /// from the outermost to the innermost, as in pp=2,dp=2,tp=4: ranks 0 to 3 are of one tp.
    #[arg(long, value_name = "KIND=N,…", value_parser = grid)]
    pub(crate) parallel: Option<ParallelGrid>,
    /// Rule set of the advice.
    #[arg(long, value_enum, default_value_t = RuleSetName::Stepscope, value_name = "SET")]
    pub(crate) rules: RuleSetName,
    /// Thresholds of rules, as JSON: `{"dataloader": 0.1, "long_gaps.share": 0.02}`. --by advice --json prints all names.
    #[arg(long, value_name = "FILE")]
    pub(crate) thresholds: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) peaks: PeakOptions,
    #[command(flatten)]
    pub(crate) idle: IdleOptions,
    #[command(flatten)]
    pub(crate) style: StyleOptions,
}

/// Peaks of the devices, given by the user.
#[derive(Debug, Args)]
pub(crate) struct PeakOptions {
    /// A peak of the devices, in place of the data sheet's: TFLOP/s of fp64, fp32, tf32, bf16 (fp16), fp8, fp4, int8, or
    /// GB/s of hbm (memory) and link, as in bf16=989. May be given several times.
    #[arg(long = "peak", value_name = "NAME=RATE", value_parser = peak)]
    given: Vec<GivenPeaks>,
}

impl PeakOptions {
    pub(crate) fn given(&self) -> GivenPeaks {
        let mut all = GivenPeaks::default();
        self.given.iter().for_each(|given| all.extend(given));
        all
    }
}

fn peak(text: &str) -> Result<GivenPeaks, String> {
    let names: Vec<&str> = PeakKind::ALL.iter().map(|(_, name)| *name).collect();
    GivenPeaks::named(text).map_err(|part| {
        format!("`{part}` is not NAME=RATE with a positive number and one of {}, bf16, hbm", names.join(", "))
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Table {
    /// Most tables: all but budget, kernel-use, critical, memory, recorded and drill-down; of several ranks the job's, too.
    All,
    /// Device time: busy, idle, compute, communication, exposed or not.
    Devices,
    /// The step budget: the largest cause, where each nanosecond of the device's time goes, and the functions of causes.
    Budget,
    /// Each step's time by category.
    Steps,
    /// Each step's phases, on the host and on the device.
    Phases,
    /// Operators and annotations; of a trace without operators, all slices of the host.
    Operators,
    /// Kernels.
    Kernels,
    /// Kernel efficiency: occupancy, waves, FLOP/s, share of the peak, and the limit that bounds each kernel.
    KernelUse,
    /// Memcpys and memsets, and the communication of a rank by operation and size.
    Copies,
    /// Load of the machine: processors, host memory, the device's gauges, hardware counters, any other counter.
    #[value(alias = "counters")]
    Resources,
    /// The step trace after MindSpore: interval, forward and backward, tail.
    StepTrace,
    /// Throughput: a step's wait for data, its length, steps or samples per second.
    Benchmark,
    /// Data: the pipeline's queues and bottlenecks, waits for the data loader.
    Pipeline,
    /// The tables that the profiler wrote itself.
    Recorded,
    /// Launch cost, by launching call.
    Launches,
    /// Queue depth of each stream.
    Queues,
    /// Idle time of devices and streams by cause, the host's activity during it, and the host's waits for devices.
    Idle,
    /// The longest gaps of each device.
    Gaps,
    /// The critical path: only shorter work on it makes a step shorter.
    Critical,
    /// Memory: peaks, what operators allocate, the largest blocks, what was live at the peak.
    Memory,
    /// All ranks together: stragglers, each rank's step, stages, collectives, links.
    Job,
    /// All ranks, from the job to the cause: parallel layout, anomalies, their ranks, their causes.
    #[value(alias = "walk")]
    DrillDown,
    /// Advice: every rule with its value and its gain.
    Advice,
}

impl Table {
    /// Its name as an option's value.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// The same as a key of JSON.
    pub(crate) fn id(self) -> String {
        self.name().replace('-', "_")
    }

    /// The view whose described tables are printed below it.
    pub(crate) fn view(self) -> Option<View> {
        let name = self.name();
        let printed_below = |view: View| match view {
            View::Communication => "copies",
            View::Data => "pipeline",
            view => view.name(),
        };
        View::ALL.into_iter().find(|view| printed_below(*view) == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RuleSetName {
    /// Stepscope's rules.
    Stepscope,
    /// The seven of PyTorch's TensorBoard plugin.
    Tensorboard,
}

impl From<RuleSetName> for RuleSet {
    fn from(name: RuleSetName) -> Self {
        match name {
            RuleSetName::Stepscope => Self::Stepscope,
            RuleSetName::Tensorboard => Self::TensorBoard,
        }
    }
}

fn grid(text: &str) -> Result<ParallelGrid, String> {
    ParallelGrid::named(text).map_err(|(fault, part)| {
        format!("`{part}`: {}; for example pp=2,dp=4,tp=2", job_text(&format!("ranks.given.{}", fault.name())))
    })
}

/// A change to replay a trace with.
fn change(text: &str) -> Result<Change, String> {
    let named = Change::named(text).filter(|change| *change != Change::Nothing);
    named.ok_or_else(|| "it is none of overlap, data, launches and kernel=NAME:K, K above 0".to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Grouping {
    /// The name.
    Name,
    /// The name and the inputs' shapes and types.
    Shapes,
    /// The name's namespace.
    Type,
    /// The name and the Python stack.
    Stack,
    /// The producer's category.
    Category,
    /// The name and the thread.
    Thread,
    /// The name and the `nn.Module`s around the call.
    Module,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KernelRows {
    /// The name.
    Name,
    /// The name, the launching operator, grid, block, registers and shared memory.
    Launch,
    /// The name and the `nn.Module`s around the launching call.
    Module,
    /// The name and the family of the launch.
    Family,
}

impl From<KernelRows> for KernelGrouping {
    fn from(rows: KernelRows) -> Self {
        match rows {
            KernelRows::Name => Self::Name,
            KernelRows::Launch => Self::NameOperatorLaunch,
            KernelRows::Module => Self::NameModule,
            KernelRows::Family => Self::NameFamily,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DefinitionName {
    /// Stepscope's numbers only.
    Stepscope,
    /// HolisticTraceAnalysis.
    Hta,
    /// AMD's TraceLens.
    Tracelens,
    /// PyTorch's TensorBoard plugin.
    Tensorboard,
    /// Paddle's Distribution Summary.
    Paddle,
    /// MindSpore's Overlap Analysis.
    Mindspore,
}

impl From<DefinitionName> for Definition {
    fn from(name: DefinitionName) -> Self {
        match name {
            DefinitionName::Stepscope => Self::Stepscope,
            DefinitionName::Hta => Self::Hta,
            DefinitionName::Tracelens => Self::TraceLens,
            DefinitionName::Tensorboard => Self::TensorBoard,
            DefinitionName::Paddle => Self::Paddle,
            DefinitionName::Mindspore => Self::MindSpore,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DiffOptions {
    /// The trace to compare with: a file, a folder or an archive.
    pub(crate) a: PathBuf,
    /// The other trace, or the other job's folder: the change is its difference from the first one.
    pub(crate) b: PathBuf,
    /// Rank of the first trace; by default its first rank. With a rank on either side, jobs are not compared.
    #[arg(long, value_name = "N")]
    pub(crate) rank_a: Option<u64>,
    /// Rank of the second trace; by default the one of the same number, else its first rank.
    #[arg(long, value_name = "N")]
    pub(crate) rank_b: Option<u64>,
    /// Print JSON instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only this table.
    #[arg(long, value_enum, value_name = "TABLE")]
    pub(crate) by: Option<DiffTable>,
    /// Rows per table; 0 for all. By default 20, with --json all.
    #[arg(long, value_name = "ROWS")]
    pub(crate) top: Option<usize>,
    /// Split operators by the shapes of their inputs, and kernels by those of the launching operator.
    #[arg(long)]
    pub(crate) shapes: bool,
    /// Name each file that is left out, and why.
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Names of the ranges that are steps; `*` stands for any text.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) steps: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffTable {
    /// Causes of lost time, by the step budgets.
    Causes,
    /// Categories of a step's time.
    #[value(alias = "roles")]
    Categories,
    /// The phases of a step, on the host and on the device.
    Phases,
    /// Contribution of each kernel, copy, call and operator to the step's change.
    Contributions,
    /// Operators: their own time on the device and on the host.
    Operators,
    /// `nn.Module`s by their paths: the time of each without the modules inside it.
    #[value(alias = "module")]
    Modules,
    /// The steps in pairs.
    Steps,
    /// The ranks of two jobs.
    Ranks,
}

#[derive(Debug, Args)]
pub(crate) struct FindOptions {
    /// The trace: a file, a folder or an archive.
    pub(crate) file: PathBuf,
    /// The query.
    #[arg(value_parser = wanted, allow_hyphen_values = true)]
    pub(crate) query: AskedQuery,
    /// Only this rank.
    #[arg(long, value_name = "N")]
    pub(crate) rank: Option<u64>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
    /// Events per rank; 0 for all.
    #[arg(long, default_value_t = 20, value_name = "EVENTS")]
    pub(crate) limit: usize,
    /// Name each file that is left out, and why.
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Names of the ranges that are steps; `*` stands for any text.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) steps: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ExportOptions {
    #[command(flatten)]
    pub(crate) input: InputOptions,
    /// The file to write: JSON (.json) or Perfetto's own format (.pftrace), compressed if the name ends in `.gz`; `-` writes
    /// JSON to standard output. Other names are refused unless --format is given.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Output format, regardless of the name.
    #[arg(long, value_enum)]
    pub(crate) format: Option<ExportFormat>,
    /// Only steps, the step trace, overlap lanes and per-step aggregates: no single operator or kernel.
    #[arg(long, conflicts_with = "detail")]
    pub(crate) summary: bool,
    /// Every event (the default).
    #[arg(long)]
    pub(crate) detail: bool,
    /// Only these ranks, such as `0,3,5`.
    #[arg(long, value_delimiter = ',', value_name = "RANKS")]
    pub(crate) ranks: Vec<u64>,
    /// Put several ranks into one file.
    #[arg(long)]
    pub(crate) merge: bool,
    /// Only a part of the time: FROM..TO, as in 12ms..15ms or 1.2s.., or step:NAME. Events that reach beyond are cut off and
    /// marked. With several ranks, times are the first rank's.
    #[arg(long, value_name = "FROM..TO")]
    pub(crate) range: Option<RangeOption>,
    /// Only these graphs of MindSpore, such as `1,2`: events that start in their iterations.
    #[arg(long, value_delimiter = ',', value_name = "GRAPHS")]
    pub(crate) graphs: Vec<u64>,
    /// One lane of steps for each graph, rather than one for all.
    #[arg(long)]
    pub(crate) split_graphs: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Chrome's JSON, which Perfetto and this program read.
    Json,
    /// Perfetto's own format: a third of the size; this program does not read it.
    Pftrace,
}

/// A language that reports have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportLanguage {
    /// English.
    En,
    /// Chinese.
    Zh,
}

#[derive(Debug, Args)]
pub(crate) struct ReportOptions {
    #[command(flatten)]
    pub(crate) input: InputOptions,
    /// The file to write (.html or .md); by default the trace's or folder's name with `.html`, here. `-` writes to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) peaks: PeakOptions,
    /// The language of the report.
    #[arg(long, value_enum, default_value_t = ReportLanguage::En)]
    pub(crate) language: ReportLanguage,
    /// Write Markdown for an issue: verdict, budget, advice and facts.
    #[arg(long, conflicts_with = "trace")]
    pub(crate) markdown: bool,
    /// Carry the analyzer and the traces, compressed.
    #[arg(long)]
    pub(crate) trace: bool,
    /// Only say how large it would be.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print the path of the file that was written, for programs.
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) print_path: bool,
    /// The folder of the built page, which has the analyzer; as of `serve`.
    #[arg(long, value_name = "FOLDER", env = "STEPSCOPE_PAGE")]
    pub(crate) page: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ServeOptions {
    /// Traces to open in the page, or folders of traces.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The folder of the built page; by default `page` beside this program.
    #[arg(long, value_name = "FOLDER", env = "STEPSCOPE_PAGE")]
    pub(crate) page: Option<PathBuf>,
    /// The port, 0 for any free one; by default 8321, or any free one where that is taken.
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// Open the page in a browser.
    #[arg(long)]
    pub(crate) open: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DemoOptions {
    /// Open the demo of eight ranks with a straggler, in place of one trace.
    #[arg(long)]
    pub(crate) ranks: bool,
    /// The folder of the built page; by default `page` beside this program.
    #[arg(long, value_name = "FOLDER", env = "STEPSCOPE_PAGE")]
    pub(crate) page: Option<PathBuf>,
    /// The port, 0 for any free one; by default 8321, or any free one where that is taken.
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// Only print the address.
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// The arguments with `summary` added if the first one is a file or an option of `summary`: `stepscope trace.json`.
pub(crate) fn with_default_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let Some(first) = arguments.get(1) else { return arguments };
    let text = first.to_string_lossy();
    let is_command = |name: &str| Arguments::command().find_subcommand(name).is_some() || name == "help";
    let is_own_option = ["-h", "--help", "-V", "--version"].contains(&text.as_ref());
    // A word that is neither a command nor looks like a path is a mistyped command, about which clap says more.
    let is_file = Path::new(first).exists() || text.contains(['/', '.', MAIN_SEPARATOR]);
    let is_option = text.starts_with('-') && text != "-";
    if !is_own_option && !is_command(&text) && (is_file || is_option || text == "-") {
        arguments.insert(1, "summary".into());
    }
    arguments
}
