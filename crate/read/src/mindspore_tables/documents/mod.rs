//! Tables in JSON documents.

mod communication;
mod facts;
mod memory;
pub(super) mod minddata;
mod operators;
mod strategy;
mod tables;

use crate::Head;
use stepscope_parse::Tree;
use stepscope_trace::TraceBuilder;

/// A kind of document.
pub(super) struct Kind {
    /// Names that all occur near its beginning.
    signs: &'static [&'static str],
    /// A part of the file's name, for documents without unique signs.
    name: &'static str,
    /// Makes tables and facts of it.
    read: fn(&Tree, &mut TraceBuilder),
}

/// All kinds; the first that fits counts.
const KINDS: &[Kind] = &[
    Kind { signs: &["\"pipeline_ops\""], name: "", read: minddata::summary },
    Kind { signs: &["\"cpu_processor_num\""], name: "", read: minddata::processor },
    Kind { signs: &["\"op_info\"", "\"num_workers\""], name: "", read: minddata::pipeline },
    Kind { signs: &["\"num_of_streams\"", "\"op_exe_times\""], name: "", read: operators::timeline },
    // A graph's memory has both operators by number, and its members in any order.
    Kind { signs: &["\"static_mem\"", "\"graph_id\""], name: "", read: memory::details },
    Kind { signs: &["\"fp_start\"", "\"graph_id\""], name: "", read: memory::details },
    Kind { signs: &["\"fp_start\"", "\"node_id\""], name: "", read: memory::details },
    Kind { signs: &["\"fp_start\"", "\"lines\""], name: "", read: memory::details },
    Kind { signs: &["\"fp_start\""], name: "memory_usage_details", read: memory::details },
    Kind { signs: &["\"fp_start\""], name: "step_trace_point_info", read: operators::points },
    Kind { signs: &["\"fp_start\"", "\"bp_end\""], name: "", read: operators::points },
    Kind { signs: &["\"FLOPs\"", "\"FLOPS\""], name: "", read: operators::flops },
    Kind { signs: &["\"cube_FLOPs\""], name: "", read: operators::flops },
    Kind { signs: &["\"nodes\"", "\"data\"", "(Default)"], name: "", read: operators::flops_by_scope },
    Kind { signs: &["\"nodes\"", "\"data\""], name: "flops_scope", read: operators::flops_by_scope },
    Kind { signs: &["\"op_side\"", "\"shape_info\""], name: "", read: operators::dynamic_shapes },
    Kind { signs: &["\"capacity\"", "\"peak_mem\""], name: "", read: memory::summary },
    Kind { signs: &["\"parallelType\"", "\"stageDevices\""], name: "", read: strategy::strategy },
    Kind { signs: &["\"Communication Time Info\""], name: "", read: communication::communication },
    Kind { signs: &["\"Transport Type\""], name: "", read: communication::matrix },
    Kind { signs: &["\"ms_profiler_info\""], name: "", read: facts::profiler },
    Kind { signs: &["\"profiler_parameters\""], name: "", read: facts::profiler },
    Kind { signs: &["\"context_mode\""], name: "", read: facts::profiler },
    Kind { signs: &["\"rank_id\""], name: "profiler_info", read: facts::profiler },
    Kind { signs: &[], name: "profiler_metadata.json", read: facts::metadata },
];

/// The kind of a document.
pub(super) fn of_head(path: &str, head: Head<'_>) -> Option<&'static Kind> {
    let file = path.rsplit('/').next().unwrap_or(path);
    if head.contains("\"traceEvents\"") || head.contains("\"ph\"") {
        return None;
    }
    KINDS.iter().find(|kind| kind.signs.iter().all(|sign| head.contains(sign)) && file.contains(kind.name))
}

impl Kind {
    /// Adds the document's tables and facts to a trace.
    pub(super) fn read(&self, tree: &Tree, builder: &mut TraceBuilder) {
        (self.read)(tree, builder);
    }
}
