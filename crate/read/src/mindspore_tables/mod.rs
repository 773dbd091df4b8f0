//! The tables of MindSpore's profiler and of Ascend's tools.
//!
//! Producers: MindSpore 1.x to 2.10 (`mindspore.Profiler`, shown by MindInsight), and CANN's msprof; on Ascend, GPU
//! and CPU.
//!
//! Read, each as a recorded table with its units (times in ns, sizes in bytes, percentages as shares):
//!
//! ```text
//! a header    aicore_intermediate_N_{type,detail}.csv  aicpu_intermediate_N.csv  framework_raw_N.csv
//!             {cpu,gpu}_op_{type,detail}_info_N.csv  gpu_activity_data_N.csv  flops_N.txt
//!             step_trace_raw_N_detail_time.csv  ascend_cluster_analyse_…_N.csv  hccl_raw_N.csv
//!             minddata_pipeline_raw_N.csv  memory_record.csv  operator_memory.csv  cpu_ms_memory_record_N.txt
//!             op_summary.csv (added up, and kernels)  op_statistic.csv  api_statistic.csv  communication_statistic.csv
//!             step_trace_time.csv  dataset.csv  operator_details.csv  host_info_N.csv  host_memory_N.csv
//!             {hbm,ddr}_*.csv  l2_cache_*.csv  llc_read_write_*.csv  pcie_*.csv  step_trace_*.csv
//!             ai_{core,vector_core}_utilization_*.csv
//! transposed  minddata_pipeline_summary_N.csv
//! no header   device_queue_profiling_N.txt  dataset_iterator_profiling_N.txt  minddata_aicpu_N.txt
//!             minddata_getnext_profiling_N.txt  step_trace_profiling_N.txt
//! raw         DATA_PREPROCESS.dev.AICPU.N.slice_M, training_trace.…N.slice_M, Framework.host.vm.point.N.slice_M,
//!             Framework.host.vm.{graph,task}_desc_info.N.slice_M of MindSpore 1.x
//! printed     output_op_compute_time{,_detail}_N.txt  output_data_preprocess_aicpu_N.txt
//! JSON        step_trace_point_info  flops_summary  flops_scope  …timeline_summary  dynamic_shape_info
//!             pipeline_profiling  minddata_cpu_utilization  minddata_pipeline_summary
//!             memory_usage_{summary,details}  communication  communication_matrix  parallel_strategy
//!             profiler_info and profiler_metadata (facts)
//! ```
//!
//! Not read: `kernel_details.csv`, `task_time_*.csv`, timelines and raw times, which are events; logs; SQLite
//! databases.
//!
//! A file is recognized by its header's columns or its members' names. Its own name counts only where two kinds look
//! alike (the queues of the device and of the loop over a dataset), or where any program could write such columns
//! (`pcie_*.csv`, the metrics of cores).
//!
//! Sources: MindSpore's `profiler/parser` and `profiler/analysis/viewer`, MindInsight's analysers, msprof's `viewer`
//! and its list of columns.

mod aicpu_records;
mod bare;
mod documents;
mod gpu_points;
mod graph_operators;
mod headed;
mod iterations;
mod kinds;
mod links;
mod printed;
mod quantity;
mod runs;
mod training_trace;
mod transposed;

use super::mindspore::raw::{TableTask, add_tasks, is_collective};
use super::mindspore::{devices, part, steps, tasks};
use super::{About, Counts, Finished, Method, ReadText, Reader, Reading, RunPart};
use crate::{Head, Verdict};
use stepscope_base::{Code, Error, ErrorKind, RejectionReason, Warnings};
use stepscope_parse::{DelimitedRow, Delimiter, Rows, Tree};
use stepscope_trace::{RecordedTable, TraceBuilder};

/// The largest JSON document that is read.
const LARGEST_DOCUMENT: usize = 256 << 20;

/// The reader of tables.
pub(super) struct MindSporeTables;

impl Reader for MindSporeTables {
    fn id(&self) -> &'static str {
        "mindspore_tables"
    }

    fn about(&self) -> About {
        About {
            title: "MindSpore and Ascend profiler (tables)",
            versions: "MindSpore 1.x to 2.10, CANN's msprof: Ascend, GPU, CPU",
            read: "step trace, operators by type and name, AICPU, FLOPs, communication and links, data pipeline and \
                   queues, processor load, memory, bandwidth, caches and AI Core metrics of msprof, shapes that \
                   change, parallel strategy, the run's facts; msprof's operators, as kernels where no other file has \
                   them; its raw records of the step trace, of the AI CPU \
                   and of the graph's operators",
            not_read: "logs, databases",
        }
    }

    fn sniff(&self, path: &str, head: Head<'_>) -> Verdict {
        if training_trace::needs_more(path, head) {
            return Verdict::NeedMore;
        }
        match head.trimmed().first() {
            None if !head.whole => return Verdict::NeedMore,
            None => return Verdict::No(RejectionReason::Blank),
            Some(_) => {}
        }
        if Format::of(path, head).is_some() {
            return Verdict::Yes;
        }
        let is_json = matches!(head.trimmed().first(), Some(b'{' | b'['));
        if !head.whole && (is_json || lines(head).len() < SNIFFED_LINES) {
            Verdict::NeedMore
        } else if is_json {
            Verdict::No(RejectionReason::NoKnownDocument)
        } else {
            Verdict::No(RejectionReason::NoKnownHeader)
        }
    }

    fn method(&self) -> Method {
        Method::Stream(|builder| {
            Box::new(TablesReading { builder, warnings: Warnings::default(), buffer: Vec::new(), work: Work::Waiting })
        })
    }

    fn devices_in(&self, path: &str, read: &mut ReadText<'_>) -> std::io::Result<Vec<i64>> {
        devices::devices_in(path, read)
    }

    fn part_of(&self, path: &str, head: Head<'_>) -> Option<RunPart> {
        let part = part::part_of(path, head)?;
        // The summary of the pipeline is written twice; the CSV loses commas in sentences.
        let later = matches!(Format::of(path, head), Some(Format::Transposed));
        Some(RunPart { order: part.order.saturating_add(u8::from(later)), ..part })
    }
}

/// The number of lines for format detection.
const SNIFFED_LINES: usize = 3;

/// The first complete lines.
fn lines<'a>(head: Head<'a>) -> Vec<&'a str> {
    let bytes = head.trimmed();
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').take(SNIFFED_LINES + 1).collect();
    if lines.len() > SNIFFED_LINES || !head.whole {
        lines.pop();
    }
    lines.into_iter().map_while(|line| std::str::from_utf8(line).ok()).collect()
}

/// The form of a file.
#[derive(Clone, Copy)]
enum Format {
    Headed(&'static kinds::Kind),
    Transposed,
    Printed,
    Bare(bare::Bare),
    GpuPoints,
    Document(&'static documents::Kind),
    Raw(Raw),
}

/// The kind of a raw file.
#[derive(Clone, Copy)]
enum Raw {
    /// Operators of the AI CPU.
    Aicpu,
    /// The step trace.
    Steps,
    /// The operators of its points.
    Points,
    /// The graph's operators.
    Operators(graph_operators::Content),
}

impl Raw {
    fn of(path: &str, head: Head<'_>) -> Option<Self> {
        match () {
            () if aicpu_records::begins(head) => Some(Self::Aicpu),
            () if training_trace::begins(path, head) => Some(Self::Steps),
            () if training_trace::begins_points(path, head) => Some(Self::Points),
            () => graph_operators::begins(path, head).map(Self::Operators),
        }
    }

    fn read(self, bytes: &[u8], builder: &mut TraceBuilder, warnings: &mut Warnings) {
        match self {
            Self::Aicpu => aicpu_records::read(bytes, builder, warnings),
            Self::Steps => {
                let first_new = training_trace::read(bytes, builder, warnings);
                steps::mark(builder, (first_new, true), steps::DEVICE_COUNTER, warnings);
            }
            Self::Points => training_trace::read_points(bytes, builder, warnings),
            Self::Operators(content) => content.read(bytes, builder, warnings),
        }
    }
}

impl Format {
    /// The form of a file, by its beginning.
    fn of(path: &str, head: Head<'_>) -> Option<Self> {
        if let Some(raw) = Raw::of(path, head) {
            return Some(Self::Raw(raw));
        }
        if matches!(head.trimmed().first(), Some(b'{' | b'[')) {
            return documents::of_head(path, head).map(Self::Document);
        }
        let lines = lines(head);
        let header: Vec<&str> = lines.first()?.split(',').map(|name| name.trim().trim_matches('"')).collect();
        if let Some(kind) = kinds::of_header(path, &header) {
            return Some(Self::Headed(kind));
        }
        if transposed::begins(&lines) {
            return Some(Self::Transposed);
        }
        if printed::begins(&lines) {
            return Some(Self::Printed);
        }
        let is_points = path.contains("step_trace_profiling")
            && lines.first().is_some_and(|line| gpu_points::begins(&line.split_whitespace().collect::<Vec<_>>()));
        if is_points { Some(Self::GpuPoints) } else { bare::of_lines(path, &lines).map(Self::Bare) }
    }
}

/// A file in progress.
struct TablesReading {
    builder: TraceBuilder,
    warnings: Warnings,
    buffer: Vec<u8>,
    work: Work,
}

enum Work {
    /// Nothing was read yet.
    Waiting,
    Rows(Box<(Rows, Table)>),
    Document(&'static documents::Kind, Vec<u8>),
    Raw(Raw, Vec<u8>),
    /// The file cannot be read.
    Failed(Error),
}

/// The table that rows are added to.
enum Table {
    /// The header is not read yet.
    Header(&'static kinds::Kind),
    Headed(Box<headed::Headed>),
    Transposed(transposed::Transposed),
    Printed(printed::Printed),
    Bare(bare::Bare, RecordedTable),
    GpuPoints(Box<gpu_points::GpuPoints>),
}

impl Work {
    fn of(format: Format, file: &str) -> Self {
        let (delimiter, table) = match format {
            Format::Headed(kind) => (Delimiter::Comma, Table::Header(kind)),
            Format::Transposed => (Delimiter::Comma, Table::Transposed(transposed::Transposed::default())),
            Format::Printed => (Delimiter::Spaces, Table::Printed(printed::Printed::new(file))),
            Format::Bare(kind) => (Delimiter::Spaces, Table::Bare(kind, kind.table(file))),
            Format::GpuPoints => (Delimiter::Spaces, Table::GpuPoints(Box::new(gpu_points::GpuPoints::new(file)))),
            Format::Document(kind) => return Self::Document(kind, Vec::new()),
            Format::Raw(kind) => return Self::Raw(kind, Vec::new()),
        };
        Self::Rows(Box::new((Rows::new(delimiter), table)))
    }
}

impl Table {
    fn row(&mut self, row: &DelimitedRow<'_>, (file, only): (&str, Option<i64>), warnings: &mut Warnings) {
        if !row.utf8 {
            warnings.add(Code::InvalidUtf8, Some(row.position), || "expected UTF-8".to_owned());
        }
        match self {
            Self::Header(kind) => {
                *self = Self::Headed(Box::new(headed::Headed::new(kind, file, only, row.fields)));
            }
            Self::Headed(table) => table.row(row, warnings),
            Self::Transposed(table) => table.row(row, warnings),
            Self::Printed(table) => table.row(row, warnings),
            Self::Bare(kind, table) => kind.row(row, table, warnings),
            Self::GpuPoints(table) => table.row(row, warnings),
        }
    }

    fn finish(self, builder: &mut TraceBuilder, warnings: &mut Warnings) {
        match self {
            Self::Header(_) => {}
            Self::Headed(table) => {
                let clock = if table.is_export() { steps::UPTIME } else { steps::DEVICE_COUNTER };
                table.finish(builder, warnings);
                steps::mark(builder, (0, false), clock, warnings);
            }
            Self::Transposed(table) => table.finish(builder),
            Self::Printed(table) => table.finish(builder),
            Self::Bare(_, table) => builder.table(table),
            Self::GpuPoints(table) => {
                table.finish(builder, warnings);
                steps::mark(builder, (0, true), steps::DEVICE_COUNTER, warnings);
            }
        }
    }
}

impl Reading for TablesReading {
    fn space(&mut self, len: usize) -> &mut [u8] {
        self.buffer.resize(len.max(self.buffer.len()), 0);
        &mut self.buffer[..len]
    }

    fn advance(&mut self, len: usize) -> Result<(), Error> {
        let (bytes, file) = (&self.buffer[..len], self.builder.input_name());
        if matches!(self.work, Work::Waiting) {
            // The same bytes as in format detection.
            self.work = match Format::of(file, Head { bytes, whole: true }) {
                Some(format) => Work::of(format, file),
                None => Work::Failed(Error::at(ErrorKind::Syntax { expected: "a header of the profiler's tables" }, 0)),
            };
        }
        match &mut self.work {
            Work::Rows(work) => {
                let (rows, table) = &mut **work;
                let of = (file, self.builder.only_device());
                rows.advance(bytes, &mut |row| table.row(&row, of, &mut self.warnings));
            }
            Work::Document(_, text) | Work::Raw(_, text) if text.len() + len > LARGEST_DOCUMENT => {
                let error = Error::at(ErrorKind::Syntax { expected: "a smaller document" }, text.len() as u64);
                self.work = Work::Failed(error);
            }
            Work::Document(_, text) | Work::Raw(_, text) => text.extend_from_slice(bytes),
            Work::Waiting | Work::Failed(_) => {}
        }
        Ok(())
    }

    fn counts(&self) -> Counts {
        Counts::of(&self.builder)
    }

    fn finish(mut self: Box<Self>) -> Finished {
        let file = self.builder.input_name().to_owned();
        let mut error = None;
        match self.work {
            Work::Rows(work) => {
                let (rows, mut table) = *work;
                let of = (&*file, self.builder.only_device());
                rows.finish(&mut |row| table.row(&row, of, &mut self.warnings));
                table.finish(&mut self.builder, &mut self.warnings);
            }
            Work::Document(kind, text) => {
                error = document(kind, &text, &mut self.builder, &mut self.warnings);
            }
            Work::Raw(kind, bytes) => kind.read(&bytes, &mut self.builder, &mut self.warnings),
            Work::Failed(failed) => error = Some(failed),
            Work::Waiting => {}
        }
        if error.is_none() && self.builder.meta.framework.is_empty() {
            "MindSpore".clone_into(&mut self.builder.meta.framework);
        }
        Finished { builder: self.builder, warnings: self.warnings, error }
    }
}

/// Reads a document up to the first fault.
fn document(
    kind: &'static documents::Kind,
    text: &[u8],
    builder: &mut TraceBuilder,
    warnings: &mut Warnings,
) -> Option<Error> {
    let (tree, fault) = Tree::parse(text);
    if let Some(fault) = fault {
        let code = if fault.at_end { Code::Truncated } else { Code::MalformedMetadata };
        warnings.add(code, Some(fault.position as u64), || format!("expected {}", fault.expected));
    }
    match tree {
        Some(tree) => kind.read(&tree, builder),
        None => return Some(Error::at(ErrorKind::Syntax { expected: "a JSON document" }, 0)),
    }
    None
}

#[cfg(test)]
mod tests;
