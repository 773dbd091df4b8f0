//! Why a reader does not read a file: a code for each, so that the page can say it in the person's language.

macro_rules! refusals {
    ($(#[doc = $doc:literal] $variant:ident = $name:literal;)+) => {
        /// Why a reader does not read a file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Refusal {
            $(#[doc = $doc] $variant,)+
        }

        impl Refusal {
            /// Every one, for tests that each is said in every language.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// A stable name, as in the page's messages.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// In words, to follow the name of a format.
            #[must_use]
            pub fn describe(self) -> &'static str {
                match self { $(Self::$variant => $doc.trim_ascii_start(),)+ }
            }
        }
    };
}

refusals! {
    /// there is nothing in it
    Blank = "blank";
    /// its beginning does not tell
    Undecided = "undecided";
    /// it does not start like JSON
    NotJson = "not_json";
    /// it does not start like a JSON object
    NotJsonObject = "not_json_object";
    /// JSON without a list of trace events in its beginning
    NoTraceEvents = "no_trace_events";
    /// a Chrome trace
    ChromeTrace = "chrome_trace";
    /// a Chrome trace, but nothing in its beginning is PyTorch's
    NothingOfPyTorch = "nothing_of_pytorch";
    /// JSON without the index of a profiled span or Paddle's times in its beginning
    NothingOfPaddle = "nothing_of_paddle";
    /// it does not start with a version like Paddle's protobuf export
    NoPaddleVersion = "no_paddle_version";
    /// a JSON object, but its timelines are lists
    ObjectNoTimeline = "object_no_timeline";
    /// a list of events, but they are PyTorch's
    EventsOfPyTorch = "events_of_pytorch";
    /// JSON without one of MindSpore's or msprof's rows in its beginning
    NothingOfMindSpore = "nothing_of_mindspore";
    /// its first line is of no raw file of MindSpore's
    NoRawLine = "no_raw_line";
    /// msprof's sign that it wrote another file whole
    MsprofDone = "msprof_done";
    /// the time when msprof stopped
    MsprofEnd = "msprof_end";
    /// msprof's working database, of which its exports are made
    MsprofDatabase = "msprof_database";
    /// msprof's raw records: `msprof --export=on --output=FOLDER` makes timelines and tables of them
    MsprofRecords = "msprof_records";
    /// the profiler's log, whose text is not shown
    Log = "log";
    /// a sign that another file is in use
    Lock = "lock";
    /// shapes of operators' inputs, without times
    ShapesWithoutTimes = "shapes_without_times";
    /// Nsight Systems' own report: make a database of it by `nsys export --type sqlite`
    NsysReport = "nsys_report";
    /// JSON, but none of the profiler's documents
    NoKnownDocument = "no_known_document";
    /// it has none of the tables' headers
    NoKnownHeader = "no_known_header";
    /// it does not start like an SQLite database
    NotSqlite = "not_sqlite";
    /// an SQLite database whose list of tables is damaged
    SqliteDamaged = "sqlite_damaged";
    /// an SQLite database whose tables are not Nsight Systems'
    NoNsysTables = "no_nsys_tables";
    /// an SQLite database whose tables are not nvprof's
    NoNvprofTables = "no_nvprof_tables";
    /// none of its first lines is one that nvprof prints
    NoNvprofLine = "no_nvprof_line";
    /// it does not begin like one of Stepscope's own recordings
    NoStepscopeTag = "no_stepscope_tag";
    /// it does not begin like one of Stepscope's exports
    NoStepscopeExport = "no_stepscope_export";
    /// Perfetto's own format: open it on ui.perfetto.dev; for here, make Chrome JSON of it by Perfetto's `traceconv json`, or record or export to .json.gz
    PerfettoPackets = "perfetto_packets";
    /// JSON without nodes that have a callFrame in its beginning
    NoCallFrames = "no_call_frames";
}
