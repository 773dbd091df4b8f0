//! Tables with a header: the columns that identify them, and the units of their numbers.

use super::quantity::{MICROS, MILLIS, NANOS, Quantity, TICKS};

use Quantity::{Bytes, GigaFlopsPerSecond, MeasuredBytes, MegaFlops, Number, Percent, Share, Text};

/// A kind of table with a header.
#[derive(Debug)]
pub(super) struct Kind {
    /// The recorded table's id.
    pub(super) id: &'static str,
    /// Columns that must all exist: names without units.
    pub(super) signs: &'static [&'static str],
    /// A part of the file's name, for contents that look alike.
    pub(super) name: &'static str,
    /// The units of columns whose names have none.
    pub(super) columns: &'static [(&'static str, Quantity)],
    /// The unit of all other columns.
    pub(super) others: Quantity,
    /// The processing of rows.
    pub(super) rows: Rows,
}

/// The processing of a table's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// Rows are kept.
    Kept,
    /// JSON objects of links and operators become tables of their own.
    Links,
    /// Rows are runs of kernels, which are summed by these columns, the first three of which always exist (name, type
    /// and accelerator), given the column of times. Where no other file has them, they are kernels on the timeline, too.
    Summed(&'static [&'static str], &'static str),
    /// Rows are kept, and those with all points of an iteration become rows of the step trace.
    Iterations,
}

/// Defaults of most kinds.
const PLAIN: Kind = Kind { id: "", signs: &[], name: "", columns: &[], others: Number, rows: Rows::Kept };

/// Columns by which runs of msprof's `op_summary` are of one operator.
const OPERATOR: &[&str] = &[
    "Op Name",
    "OP Type",
    "Task Type",
    "Block Dim",
    "Input Shapes",
    "Input Data Types",
    "Input Formats",
    "Output Shapes",
    "Output Data Types",
    "Output Formats",
];

/// Bytes of a megabyte in the files of memory: a thousand times 1024.
const MEMORY_MB: Quantity = Bytes(1_024_000);

/// All kinds; the first match counts.
pub(super) const KINDS: &[Kind] = &[
    Kind {
        id: "aicpu",
        signs: &["serial_number", "total_time", "dispatch_time"],
        columns: &[
            ("kernel_type", Text),
            ("node_type_name", Text),
            ("total_time", MILLIS),
            ("dispatch_time", MILLIS),
            ("execution_time", MILLIS),
            ("run_start", MICROS),
            ("run_end", MICROS),
        ],
        ..PLAIN
    },
    Kind {
        id: "aicore_type",
        signs: &["kernel_type", "total_time", "execution_frequency", "percent"],
        columns: &[("kernel_type", Text), ("total_time", MILLIS), ("percent", Percent)],
        ..PLAIN
    },
    Kind {
        id: "pynative_op_type",
        signs: &["op_type", "execution_time", "execution_frequency", "percent"],
        columns: &[("op_type", Text), ("execution_time", MILLIS), ("percent", Percent)],
        ..PLAIN
    },
    Kind {
        id: "aicore_detail",
        // The first column is `full_kernel_time` or `full_kernel_name`; it has the name.
        signs: &["execution_time", "execution_frequency"],
        columns: &[("full_kernel_time", Text), ("full_kernel_name", Text), ("execution_time", MILLIS)],
        ..PLAIN
    },
    Kind {
        id: "gpu_op_type",
        signs: &["op_type", "type_occurrences", "total_proportion"],
        columns: &[("op_type", Text), ("total_time", MICROS), ("avg_time", MICROS), ("total_proportion", Share)],
        ..PLAIN
    },
    Kind {
        id: "cpu_op_type",
        signs: &["op_type", "type_occurrences", "total_compute_time"],
        columns: &[("op_type", Text), ("total_compute_time", MILLIS), ("avg_time", MILLIS), ("percent", Share)],
        ..PLAIN
    },
    Kind {
        id: "gpu_op_detail",
        signs: &["op_side", "op_full_name", "cuda_activity_call_count"],
        columns: &[
            ("op_side", Text),
            ("op_type", Text),
            ("op_name", Text),
            ("op_full_name", Text),
            ("op_total_time", MICROS),
            ("op_avg_time", MICROS),
            ("cuda_activity_cost_time", MICROS),
            ("total_proportion", Share),
        ],
        ..PLAIN
    },
    Kind {
        id: "cpu_op_detail",
        signs: &["op_side", "full_op_name", "op_occurrences"],
        columns: &[
            ("op_side", Text),
            ("op_type", Text),
            ("op_name", Text),
            ("full_op_name", Text),
            ("op_total_time", MILLIS),
            ("op_avg_time", MILLIS),
            ("total_proportion", Share),
            ("subgraph", Text),
            ("pid", Text),
        ],
        ..PLAIN
    },
    Kind {
        id: "gpu_activity",
        signs: &["op_full_name", "block_dim", "grid_dim", "occurrences"],
        columns: &[
            ("name", Text),
            ("type", Text),
            ("op_full_name", Text),
            ("stream_id", Text),
            ("block_dim", Text),
            ("grid_dim", Text),
            ("total_duration", MICROS),
            ("avg_duration", MICROS),
            ("max_duration", MICROS),
            ("min_duration", MICROS),
        ],
        ..PLAIN
    },
    Kind {
        id: "framework",
        signs: &["task_id", "stream_id", "full_kernel_name", "op_name"],
        columns: &[("block_dim", Number)],
        others: Text,
        ..PLAIN
    },
    Kind { id: "op_flops", signs: &["full_kernel_name", "FLOPs", "FLOPS"], columns: FLOPS, ..PLAIN },
    Kind { id: "op_flops", signs: &["full_kernel_name", "FLOPs(cube)"], columns: FLOPS, ..PLAIN },
    Kind {
        id: "step_trace",
        signs: &["step_num", "start_point", "end_point", "fp_point"],
        columns: &[("step_num", Text)],
        others: TICKS,
        ..PLAIN
    },
    Kind { id: "cluster_step_trace", signs: &["communication_alone_time"], others: MILLIS, ..PLAIN },
    Kind {
        id: "hccl_steps",
        signs: &["step_num", "communication_cost", "wait_cost", "link_info"],
        columns: &[("step_num", Text), ("communication_cost", MILLIS), ("wait_cost", MILLIS)],
        others: Text,
        rows: Rows::Links,
        ..PLAIN
    },
    Kind {
        id: "minddata_pipeline",
        signs: &["op_id", "op_type", "num_workers", "output_queue_size"],
        columns: &[
            ("op_type", Text),
            ("output_queue_size", Text),
            ("output_queue_usage_rate", Share),
            ("sample_interval", MILLIS),
            ("children_id", Text),
        ],
        ..PLAIN
    },
    Kind {
        id: "operator_memory",
        signs: &["Name", "Size", "Allocation Time"],
        columns: &[
            ("Name", Text),
            ("Stream Ptr", Text),
            ("Device Type", Text),
            ("Allocation Total Allocated", MEMORY_MB),
            ("Allocation Total Reserved", MEMORY_MB),
            ("Allocation Total Active", MEMORY_MB),
            ("Release Total Allocated", MEMORY_MB),
            ("Release Total Reserved", MEMORY_MB),
            ("Release Total Active", MEMORY_MB),
        ],
        ..PLAIN
    },
    Kind {
        id: "memory_record",
        signs: &["Component", "Timestamp", "Total Allocated", "Device Type"],
        columns: &[
            ("Component", Text),
            ("Device Type", Text),
            ("Total Allocated", MEMORY_MB),
            ("Total Reserved", MEMORY_MB),
            ("Total Active", MEMORY_MB),
        ],
        ..PLAIN
    },
    Kind {
        id: "ge_memory_record",
        signs: &["Component", "Timestamp", "Total Allocated", "Device"],
        columns: &[("Component", Text), ("Device", Text)],
        ..PLAIN
    },
    Kind {
        id: "framework_memory_record",
        signs: &["Timestamp", "Total Allocated", "Total Reserved", "Total Active"],
        columns: &[("Timestamp", NANOS)],
        ..PLAIN
    },
    Kind {
        id: "op_summary",
        signs: &["Op Name", "OP Type", "Task Duration"],
        columns: &[("Op Name", Text), ("OP Type", Text), ("Task Type", Text), ("Task Duration", MICROS)],
        others: Text,
        rows: Rows::Summed(OPERATOR, "Task Duration"),
        ..PLAIN
    },
    Kind {
        id: "op_statistic",
        signs: &["OP Type", "Core Type", "Count", "Total Time"],
        columns: &[("Device_id", Text), ("Model Name", Text), ("OP Type", Text), ("Core Type", Text)],
        ..PLAIN
    },
    Kind {
        id: "communication_statistic",
        signs: &["OP Type", "Count", "Total Time"],
        columns: &[("Device_id", Text), ("OP Type", Text)],
        ..PLAIN
    },
    Kind {
        id: "api_statistic",
        signs: &["API Name", "Level", "Count"],
        columns: &[("Device_id", Text), ("API Name", Text), ("Level", Text)],
        ..PLAIN
    },
    Kind {
        id: "step_trace_time",
        signs: &["Step", "Computing", "Overlapped", "Free"],
        columns: &[("Device_id", Text), ("Step", Text)],
        others: MICROS,
        ..PLAIN
    },
    Kind {
        id: "dataset",
        signs: &["Operation", "Stage", "Occurrences"],
        columns: &[("Operation", Text), ("Stage", Text), ("Custom Info", Text)],
        ..PLAIN
    },
    Kind {
        id: "msprof_step_trace",
        signs: &["Iteration ID", "FP Start", "BP End", "Iteration End", "Iteration Time"],
        columns: &[("Device_id", Text), ("Iteration ID", Text), ("Model ID", Text)],
        rows: Rows::Iterations,
        ..PLAIN
    },
    // `hbm_*.csv` and `ddr_*.csv`.
    Kind {
        id: "memory_bandwidth",
        signs: &["Metric", "Read", "Write"],
        columns: &[("Device_id", Text), ("Metric", Text)],
        ..PLAIN
    },
    Kind {
        id: "l2_cache",
        signs: &["Task Id", "Hit Rate", "Victim Rate", "Op Name"],
        columns: &[
            ("Device_id", Text),
            ("Stream Id", Text),
            ("Task Id", Text),
            ("Hit Rate", Share),
            ("Victim Rate", Share),
            ("Op Name", Text),
        ],
        ..PLAIN
    },
    Kind {
        id: "llc_read_write",
        signs: &["Mode", "Task", "Hit Rate", "Throughput"],
        columns: &[("Device_id", Text), ("Mode", Text), ("Task", Text)],
        ..PLAIN
    },
    // The unit of a row is in its mode: `Tx_p_avg(MB/s)`, `Tx_latency_avg(us)`.
    Kind {
        id: "pcie",
        name: "pcie",
        signs: &["Mode", "Min", "Max", "Avg"],
        columns: &[("Device_id", Text), ("Mode", Text)],
        ..PLAIN
    },
    // `ai_core_utilization_*.csv` and `ai_vector_core_utilization_*.csv`; the other columns depend on `--aic-metrics`.
    Kind { id: "core_utilization", name: "core_utilization", signs: &["Core ID"], columns: CORE_COLUMNS, ..PLAIN },
    Kind { id: "host_memory", name: "host_memory", signs: HOST, columns: HOST_COLUMNS, others: Text, ..PLAIN },
    Kind { id: "host_info", signs: HOST, columns: HOST_COLUMNS, others: Text, ..PLAIN },
    Kind { id: "operator_details", name: "operator_details", signs: &["Name", "Input Shapes"], others: Text, ..PLAIN },
];

const FLOPS: &[(&str, Quantity)] = &[
    ("full_kernel_name", Text),
    ("FLOPs", MegaFlops),
    ("FLOPS", GigaFlopsPerSecond),
    ("FLOPS utilization", Percent),
    ("FLOPS utilization(cube)", Percent),
    ("FLOPS utilization(vec)", Percent),
];

const CORE_COLUMNS: &[(&str, Quantity)] = &[
    ("Device_id", Text),
    ("Core ID", Text),
    ("vec_ratio", Share),
    ("mac_ratio", Share),
    ("scalar_ratio", Share),
    ("mte1_ratio", Share),
    ("mte2_ratio", Share),
    ("mte3_ratio", Share),
    ("fixpipe_ratio", Share),
    ("icache_miss_rate", Share),
    ("mac_fp16_ratio", Share),
    ("mac_int8_ratio", Share),
    ("vec_fp32_ratio", Share),
    ("vec_fp16_ratio", Share),
    ("vec_int32_ratio", Share),
    ("vec_misc_ratio", Share),
    ("vec_bankgroup_cflt_ratio", Share),
    ("vec_bank_cflt_ratio", Share),
    ("vec_resc_cflt_ratio", Share),
];

const HOST: &[&str] = &["tid", "parent_pid", "module_name", "event", "time_stamp"];

const HOST_COLUMNS: &[(&str, Quantity)] =
    &[("level", Number), ("start_end", Number), ("memory_usage", MeasuredBytes(1 << 10)), ("time_stamp", MICROS)];

/// The kind of a table by its header.
pub(super) fn of_header(path: &str, header: &[&str]) -> Option<&'static Kind> {
    let bare: Vec<&str> = header.iter().map(|name| Quantity::in_name(name).0).collect();
    let file = path.rsplit('/').next().unwrap_or(path);
    KINDS.iter().find(|kind| kind.signs.iter().all(|sign| bare.contains(sign)) && file.contains(kind.name))
}

impl Kind {
    /// The unit of a column, and its name without the unit.
    pub(super) fn column<'a>(&self, name: &'a str) -> (&'a str, Quantity) {
        let (bare, in_name) = Quantity::in_name(name);
        let known = self.columns.iter().find(|(column, _)| *column == bare).map(|(_, quantity)| *quantity);
        // The files of memory have a megabyte of their own, whatever the name says.
        let quantity = match (known, in_name) {
            (Some(MEMORY_MB), _) => MEMORY_MB,
            (_, Some(quantity)) => quantity,
            (known, None) => known.unwrap_or(self.others),
        };
        (bare, quantity)
    }
}
