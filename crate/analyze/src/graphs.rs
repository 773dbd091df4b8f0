//! The graphs of a program, each with its iterations. METRICS section 3, "Several graphs".

use std::collections::BTreeMap;

use super::all::Analysis;
use super::steps::graph_of_mark;
use stepscope_base::Nanos;
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::Trace;

/// A graph that `MindSpore` compiled, with its iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphRow {
    /// Its number; msprof calls it a model.
    pub graph: u64,
    /// Its iterations.
    pub iterations: u64,
    /// The sum of their lengths.
    pub total: Nanos,
    /// The mean length.
    pub mean: Nanos,
    /// The shortest one.
    pub min: Nanos,
    /// The longest one.
    pub max: Nanos,
    /// The mean time from the first forward operator to the last backward one, of the iterations for which both are known.
    pub forward_and_backward: Option<Nanos>,
    /// The mean time from there to the end.
    pub tail: Option<Nanos>,
    /// Device activities that started in the iterations that the timeline shows.
    pub activities: u64,
}

/// The table of graphs.
pub enum GraphTable {}

impl Rows for GraphTable {
    const ID: &'static str = "graphs";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("graph", Unit::Id, |row, ()| Value::id(row.graph)),
        Field::<Self>::new("iterations", Unit::Count, |row, ()| row.iterations.into()),
        Field::<Self>::new("total_ns", Unit::Duration, |row, ()| row.total.into()).bar(Bar::OfLargest).part(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, ()| row.mean.into()),
        Field::<Self>::new("min_ns", Unit::Duration, |row, ()| row.min.into()),
        Field::<Self>::new("max_ns", Unit::Duration, |row, ()| row.max.into()),
        Field::<Self>::new("forward_and_backward_ns", Unit::Duration, |row, ()| row.forward_and_backward.into()),
        Field::<Self>::new("tail_ns", Unit::Duration, |row, ()| row.tail.into()),
        Field::<Self>::new("activities", Unit::Count, |row, ()| row.activities.into()),
    ];
    const SORT: &'static str = "total_ns";
    type Row = GraphRow;
    type Context<'a> = ();
}

#[derive(Default)]
struct Sums {
    lengths: Vec<Nanos>,
    passes: Vec<Nanos>,
    tails: Vec<Nanos>,
    activities: u64,
}

/// The graphs of a trace by their numbers; empty where it has one graph, or does not show which graph a step ran.
///
/// Lengths are those of the marks themselves, also of iterations inside another graph's: these are no steps of their
/// own.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::AnalysisConfig;
///
/// let text = br#"[
///   {"ph":"M","name":"process_name","pid":3,"tid":0,"args":{"name":"Ascend Hardware"}},
///   {"ph":"M","name":"thread_name","pid":3,"tid":8,"args":{"name":"Step Trace(Model ID:1)"}},
///   {"ph":"M","name":"thread_name","pid":3,"tid":9,"args":{"name":"Step Trace(Model ID:2)"}},
///   {"ph":"X","cat":"Iteration Time","name":"Iteration 1","pid":3,"tid":8,"ts":0,"dur":30,"args":{"Iteration ID":1}},
///   {"ph":"X","cat":"Iteration Time","name":"Iteration 1","pid":3,"tid":9,"ts":30,"dur":10,"args":{"Iteration ID":1}},
///   {"ph":"X","cat":"Iteration Time","name":"Iteration 2","pid":3,"tid":9,"ts":40,"dur":20,"args":{"Iteration ID":2}}
/// ]"#;
/// # let mut loader = Loader::new("profiler/PROF_1/device_0/timeline/msprof_20240101120000.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let analysis = analyze::analyze(&trace, &AnalysisConfig::standard());
/// let names: Vec<&str> = analysis.steps.steps.iter().map(|step| step.name.as_str()).collect();
/// assert_eq!(names, ["1:1", "2:1", "2:2"]);
/// let rows = analyze::graphs(&trace, &analysis);
/// assert_eq!((rows[1].graph, rows[1].iterations, rows[1].mean), (2, 2, Nanos(15_000)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn graphs(trace: &Trace, analysis: &Analysis) -> Vec<GraphRow> {
    let steps = &analysis.steps;
    if steps.graphs().is_empty() {
        return Vec::new();
    }
    let mut graphs: BTreeMap<u64, Sums> = BTreeMap::new();
    for (mark, _) in &trace.step_marks {
        if let Some(graph) = graph_of_mark(trace, *mark) {
            graphs.entry(graph).or_default().lengths.push(trace.slices.length(*mark));
        }
    }
    for step in &steps.steps {
        if let Some(sums) = step.graph.and_then(|graph| graphs.get_mut(&graph)) {
            sums.activities += step.activities;
        }
    }
    // With several graphs, a step's name begins with its graph.
    let graph_of = |name: &str| name.split_once(':').and_then(|(graph, _)| graph.parse().ok());
    for times in analysis.step_trace.iter().flat_map(|found| &found.steps) {
        if let Some(sums) = graph_of(&times.name).and_then(|graph: u64| graphs.get_mut(&graph)) {
            sums.passes.push(times.forward_and_backward);
            sums.tails.push(times.tail);
        }
    }
    graphs.into_iter().map(|(graph, sums)| sums.row(graph)).collect()
}

impl Sums {
    fn row(self, graph: u64) -> GraphRow {
        let total: Nanos = self.lengths.iter().copied().sum();
        let mean =
            |times: &[Nanos]| (!times.is_empty()).then(|| super::mean(times.iter().copied().sum(), times.len() as u64));
        GraphRow {
            graph,
            iterations: self.lengths.len() as u64,
            total,
            mean: mean(&self.lengths).unwrap_or_default(),
            min: self.lengths.iter().copied().min().unwrap_or_default(),
            max: self.lengths.iter().copied().max().unwrap_or_default(),
            forward_and_backward: mean(&self.passes),
            tail: mean(&self.tails),
            activities: self.activities,
        }
    }
}
