//! Reasons why a reader rejects a file: a code for each, so that the page can show it in the user's language.

macro_rules! refusals {
    ($(#[doc = $doc:literal] $variant:ident = $name:literal;)+) => {
        /// The reason why a reader rejects a file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum RejectionReason {
            $(#[doc = $doc] $variant,)+
        }

        impl RejectionReason {
            /// All reasons, for tests that each has a message in every language.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// A stable name, as in the page's messages.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// In words, to be written after the name of a format.
            #[must_use]
            pub fn describe(self) -> &'static str {
                match self { $(Self::$variant => $doc.trim_ascii_start(),)+ }
            }
        }
    };
}

refusals! {
    /// it is empty
    Blank = "blank";
    /// not recognizable from its first bytes
    Undecided = "undecided";
    /// its first bytes are not JSON
    NotJson = "not_json";
    /// its first bytes are not a JSON object
    NotJsonObject = "not_json_object";
    /// JSON whose first part has no list of trace events
    NoTraceEvents = "no_trace_events";
    /// a Chrome trace
    ChromeTrace = "chrome_trace";
    /// a Chrome trace whose first part has nothing of PyTorch
    NothingOfPyTorch = "nothing_of_pytorch";
    /// JSON whose first part has neither Paddle's times nor the index of a profiled span
    NothingOfPaddle = "nothing_of_paddle";
    /// its first bytes are not a version of Paddle's protobuf export
    NoPaddleVersion = "no_paddle_version";
    /// a JSON object, but its timelines are lists
    ObjectNoTimeline = "object_no_timeline";
    /// a list of events, but they are PyTorch's
    EventsOfPyTorch = "events_of_pytorch";
    /// JSON whose first part has no row of MindSpore or msprof
    NothingOfMindSpore = "nothing_of_mindspore";
    /// its first line is not one of MindSpore's raw files
    NoRawLine = "no_raw_line";
    /// msprof's mark that another file is complete
    MsprofDone = "msprof_done";
    /// the time at which msprof stopped
    MsprofEnd = "msprof_end";
    /// msprof's working database, the source of its exports
    MsprofDatabase = "msprof_database";
    /// msprof's raw records: MindSpore's `Profiler.offline_analyse(PATH)` or `msprof --export=on --output=FOLDER` makes timelines and tables of them
    MsprofRecords = "msprof_records";
    /// the profiler's log; logs are not shown
    Log = "log";
    /// a mark that another file is in use
    Lock = "lock";
    /// shapes of operators' inputs, without times
    ShapesWithoutTimes = "shapes_without_times";
    /// Nsight Systems' own report; convert it with `nsys export --type sqlite`
    NsysReport = "nsys_report";
    /// JSON, but none of the profiler's documents
    NoKnownDocument = "no_known_document";
    /// it has no header of a known table
    NoKnownHeader = "no_known_header";
    /// its first bytes are not those of an SQLite database
    NotSqlite = "not_sqlite";
    /// an SQLite database whose list of tables is damaged
    SqliteDamaged = "sqlite_damaged";
    /// an SQLite database whose tables are not Nsight Systems'
    NoNsysTables = "no_nsys_tables";
    /// an SQLite database whose tables are not nvprof's
    NoNvprofTables = "no_nvprof_tables";
    /// none of its first lines is from nvprof
    NoNvprofLine = "no_nvprof_line";
    /// its first bytes are not those of a Stepscope recording
    NoStepscopeTag = "no_stepscope_tag";
    /// its first bytes are not those of a Stepscope export
    NoStepscopeExport = "no_stepscope_export";
    /// Perfetto's own format; open it on ui.perfetto.dev. To open it here, convert it to Chrome JSON with Perfetto's `traceconv json`, or export to .json.gz
    PerfettoPackets = "perfetto_packets";
    /// rocprofv3's database; `rocpd convert -f pftrace` and Perfetto's `traceconv json` make a Chrome trace of it; PyTorch's profiler records ROCm, too
    RocpdDatabase = "rocpd_database";
    /// a database of Ascend's profiler; export text, with `ExportType.Text` or `msprof --export=on --output=FOLDER`, and open that folder
    AscendDatabase = "ascend_database";
    /// rocprofv3's own JSON; open it as `--output-format pftrace` on ui.perfetto.dev, or record with PyTorch's profiler
    RocprofJson = "rocprof_json";
    /// XLA's own format, which is not read; open the `trace.json.gz` of the same folder, which JAX writes with `create_perfetto_trace=True`
    XPlane = "xplane";
    /// Nsight Compute's report on single kernels, which has no timeline; record one with Nsight Systems, or with PyTorch's profiler
    NsightCompute = "nsight_compute";
    /// a snapshot of PyTorch's memory, which has no timeline of work; open it on `pytorch.org/memory_viz`, or record with `profile_memory=True`
    MemorySnapshot = "memory_snapshot";
    /// a profile for speedscope, which opens it; `py-spy record --format chrometrace` writes what is read here
    Speedscope = "speedscope";
    /// PyTorch's execution trace, which lists operators without a timeline; open the trace that the profiler writes with `export_chrome_trace`
    ExecutionTrace = "execution_trace";
    /// a dump of PyTorch's flight recorder, which lists collectives before a hang; `torchfrtrace` reads it
    FlightRecorder = "flight_recorder";
    /// none of its first lines is above a Perf Summary
    NoPerfSummary = "no_perf_summary";
    /// a log with a Perf Summary, which has no events; open it without traces
    PerfSummary = "perf_summary";
    /// JSON whose first part has no nodes with a callFrame
    NoCallFrames = "no_call_frames";
}
