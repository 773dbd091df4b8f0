//! Planned memory of MindSpore's graphs: memory over the order of execution, and its tensors.

use std::collections::BTreeMap;

use super::capacity::share;
use stepscope_base::CompactSort;
use stepscope_trace::{Cell, RecordedTable, Trace};

/// The planned memory of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedMemory {
    /// The graph's id; empty for all graphs together, by the profiler's summary alone.
    pub graph: String,
    /// Bytes that are used all the time: weights and constants.
    pub fixed: Option<i64>,
    /// Bytes in use while each operator runs, in the order of execution; all beyond `fixed` is dynamic. Empty for a
    /// summary alone.
    pub curve: Vec<i64>,
    /// The peak.
    pub peak: i64,
    /// The bytes that the device has, where the profiler wrote its summary.
    pub capacity: Option<i64>,
    /// Index of the first operator at the peak, in the order.
    pub peak_index: usize,
    /// The operator's name, where the nodes are recorded.
    pub peak_operator: String,
    /// The operators in the order of execution, as far as they are recorded.
    pub operators: Vec<PlannedOperator>,
    /// Index of the first operator of the forward pass, as the profiler found it.
    pub forward_start: Option<usize>,
    /// Index of the last operator of the backward pass, as the profiler found it.
    pub backward_end: Option<usize>,
    /// The graph's tensors, the largest first.
    pub tensors: Vec<PlannedTensor>,
}

impl PlannedMemory {
    /// The part of the device's memory that the graph plans to use at most.
    #[must_use]
    pub fn peak_share(&self) -> Option<f64> {
        share(self.peak, self.capacity)
    }
}

/// An operator of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedOperator {
    /// Its name.
    pub name: String,
    /// The bytes of its outputs and its work space; `None` where not recorded.
    pub bytes: Option<i64>,
}

/// A tensor of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedTensor {
    /// Its name: the operator's and the output's number.
    pub name: String,
    /// Its size in bytes.
    pub bytes: i64,
    /// Its kind: an output, work space.
    pub kind: String,
    /// Its shape.
    pub shape: String,
    /// The type of its elements.
    pub data_type: String,
    /// Their order.
    pub format: String,
    /// The indices of the operators between which it lives, in the order of execution.
    pub life: Option<(i64, i64)>,
    /// Whether it lives at the graph's peak.
    pub at_peak: bool,
}

pub(super) fn any(trace: &Trace) -> bool {
    trace.recorded_as("memory_curve").next().is_some() || of_summary(trace).is_some()
}

/// The plan of all graphs together, as far as the profiler's summary has it.
fn of_summary(trace: &Trace) -> Option<PlannedMemory> {
    let mut rows = trace.recorded_as("memory_summary").flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    let fixed = rows.find_map(|(table, row)| bytes(table, row, "static_mem"));
    let peak = planned_peak(trace)?;
    Some(PlannedMemory { fixed, peak, capacity: capacity(trace), curve: Vec::new(), ..new(String::new(), 0) })
}

/// The most bytes that MindSpore planned to use on the device, by the profiler's own summary, else the largest peak of
/// a graph, since graphs run one after the other. `None` where neither is written.
pub(crate) fn planned_peak(trace: &Trace) -> Option<i64> {
    let summaries =
        trace.recorded_as("memory_summary").flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    let said = summaries.filter_map(|(table, row)| bytes(table, row, "peak_mem")).max();
    let points = || trace.recorded_as("memory_curve").flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    said.or_else(|| points().filter_map(|(table, row)| bytes(table, row, "memory")).max())
}

/// The bytes that the rank's device has, by MindSpore's summary of memory.
fn capacity(trace: &Trace) -> Option<i64> {
    let mut rows = trace.recorded_as("memory_summary").flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    rows.find_map(|(table, row)| bytes(table, row, "capacity").filter(|bytes| *bytes > 0))
}

/// The graphs of MindSpore's memory usage, in the file's order.
pub(super) fn planned(trace: &Trace) -> Vec<PlannedMemory> {
    let mut graphs: Vec<PlannedMemory> = Vec::new();
    for table in trace.recorded_as("memory_curve") {
        for row in &table.rows {
            let graph = text(table, row, "graph_id");
            let memory = bytes(table, row, "memory").unwrap_or_default();
            match graphs.iter_mut().find(|known| known.graph == graph) {
                Some(known) => known.curve.push(memory),
                None => graphs.push(new(graph, memory)),
            }
        }
    }
    if graphs.is_empty() {
        return of_summary(trace).into_iter().collect();
    }
    let capacity = capacity(trace);
    for graph in &mut graphs {
        graph.capacity = capacity;
        let most = graph.curve.iter().enumerate().reduce(|most, next| if next.1 > most.1 { next } else { most });
        (graph.peak_index, graph.peak) = most.map(|(index, bytes)| (index, *bytes)).unwrap_or_default();
        // Nodes are in the order of the curve.
        let mut places: BTreeMap<i64, usize> = BTreeMap::new();
        for (place, (table, row)) in rows(trace, "memory_nodes", &graph.graph).take(graph.curve.len()).enumerate() {
            let name = first_text(table, row, &["node_name", "name"]);
            graph.operators.push(PlannedOperator { name, bytes: bytes(table, row, "size") });
            places.extend(integer(table, row, "node_id").map(|id| (id, place)));
        }
        for (table, row) in rows(trace, "memory_graphs", &graph.graph) {
            graph.fixed = bytes(table, row, "static_mem");
            let place = |column: &str| places.get(&integer(table, row, column)?).copied();
            (graph.forward_start, graph.backward_end) = (place("fp_start"), place("bp_end"));
        }
        let peak = i64::try_from(graph.peak_index).unwrap_or(i64::MAX);
        graph.peak_operator = graph.operators.get(graph.peak_index).map(|node| node.name.clone()).unwrap_or_default();
        let tensor = |(table, row): (&RecordedTable, &[Cell])| tensor(table, row, peak);
        graph.tensors = rows(trace, "memory_breakdown", &graph.graph).map(tensor).collect();
        graph.tensors.compact_sort_by(|a, b| b.bytes.cmp(&a.bytes));
    }
    graphs
}

fn new(graph: String, first: i64) -> PlannedMemory {
    PlannedMemory {
        graph,
        fixed: None,
        curve: vec![first],
        peak: 0,
        capacity: None,
        peak_index: 0,
        peak_operator: String::new(),
        operators: Vec::new(),
        forward_start: None,
        backward_end: None,
        tensors: Vec::new(),
    }
}

fn tensor(table: &RecordedTable, row: &[Cell], peak: i64) -> PlannedTensor {
    let life = integer(table, row, "first_index").zip(integer(table, row, "last_index"));
    PlannedTensor {
        name: first_text(table, row, &["tensor_name", "name"]),
        bytes: bytes(table, row, "size").unwrap_or_default(),
        kind: text(table, row, "type"),
        shape: text(table, row, "shape"),
        data_type: first_text(table, row, &["data_type", "dtype"]),
        format: text(table, row, "format"),
        life,
        at_peak: life.is_some_and(|(first, last)| first <= peak && peak <= last),
    }
}

/// A graph's rows in the tables with that id.
fn rows<'a>(
    trace: &'a Trace,
    id: &'a str,
    graph: &'a str,
) -> impl Iterator<Item = (&'a RecordedTable, &'a [Cell])> + 'a {
    let all = trace.recorded_as(id).flat_map(|table| table.rows.iter().map(move |row| (table, &row[..])));
    all.filter(move |(table, row)| text(table, row, "graph_id") == graph)
}

/// The words of a cell, or its number as text.
pub(super) fn text(table: &RecordedTable, row: &[Cell], column: &str) -> String {
    match table.cell(row, column) {
        Cell::Text(text) => text.clone(),
        Cell::Integer(number) => number.to_string(),
        Cell::Real(_) | Cell::Empty => String::new(),
    }
}

fn first_text(table: &RecordedTable, row: &[Cell], columns: &[&str]) -> String {
    let texts = columns.iter().map(|column| text(table, row, column));
    texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}

/// The bytes in a cell.
pub(super) fn bytes(table: &RecordedTable, row: &[Cell], column: &str) -> Option<i64> {
    match table.cell(row, column) {
        Cell::Integer(bytes) => Some(*bytes),
        #[expect(clippy::cast_possible_truncation, reason = "bytes that a profiler printed with a fraction")]
        Cell::Real(bytes) => Some(bytes.round() as i64),
        Cell::Text(_) | Cell::Empty => None,
    }
}

fn integer(table: &RecordedTable, row: &[Cell], column: &str) -> Option<i64> {
    match table.cell(row, column) {
        Cell::Integer(number) => Some(*number),
        Cell::Text(text) => text.parse().ok(),
        Cell::Real(_) | Cell::Empty => None,
    }
}
