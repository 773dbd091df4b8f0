//! Sources from which phases are recognized. For each phase, the first source that is present is used.

use super::phase::Phase;
use crate::data_wait::{DataWait, DataWaits};
use crate::intervals::{IntervalSet, Merger};
use crate::steps::{Steps, marked_step};
use stepscope_base::{CompactSort, Interval, Nanos, sort_times};
use stepscope_trace::{Class, EventId, Layer, NO_SERIAL, ProcessId, RawId, Trace, Track, TrackId};

/// The source from which a phase was recognized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhaseSource {
    /// None: the trace does not show the phase.
    #[default]
    Absent,
    /// Ranges that the framework itself marks as phases: Paddle's categories.
    Categories,
    /// Ranges with such a name from the user, such as `## forward ##`.
    NamedRanges,
    /// The framework's own name for the wait: `enumerate(DataLoader)#….__next__`, `IteratorGetNext`.
    DataLoader,
    /// `Optimizer.step#…`.
    OptimizerStep,
    /// Operators that the autograd engine evaluates.
    Autograd,
    /// Calls of the outermost `nn.Module`.
    Modules,
    /// Operators with a forward sequence number, or where a flow to a backward one starts.
    SequenceNumbers,
    /// Operators of the main thread between data loading and the first backward operator.
    Position,
}

impl PhaseSource {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Categories => "categories",
            Self::NamedRanges => "named_ranges",
            Self::DataLoader => "data_loader",
            Self::OptimizerStep => "optimizer_step",
            Self::Autograd => "autograd",
            Self::Modules => "modules",
            Self::SequenceNumbers => "sequence_numbers",
            Self::Position => "position",
        }
    }
}

/// A stretch of a phase on one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) thread: (ProcessId, RawId),
    pub(super) span: Interval,
}

/// The stretches of a phase by thread and start; those of one thread are disjoint.
pub(super) type Ranges = Vec<Range>;

/// The meaning of a host slice's name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    None,
    Named(Phase),
    OptimizerStep,
    Evaluates,
    Module,
}

/// The stretches of each phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PhaseRanges {
    /// By [`Phase::ALL`].
    pub(super) ranges: [Ranges; 4],
    /// The source of each.
    pub(super) sources: [PhaseSource; 4],
    /// Stretches of the autograd engine, where the program or the framework marked the backward phase: the engine launches on a thread of its
    /// own, which has no such ranges.
    pub(super) engine: Ranges,
}

/// Finds each phase's stretches, and their source.
pub(super) fn find_ranges(trace: &Trace, steps: &Steps) -> PhaseRanges {
    let meanings = trace.strings.map(meaning);
    let meaning_of = |id: EventId| meanings[trace.slices.name(id).index()];
    let means =
        |wanted: Meaning| move |id: EventId| meaning_of(id) == wanted && trace.slices.class(id) != Class::PythonFrame;
    let engine = || {
        merged(trace, HOST, |id| {
            is_operator(trace, id) && (meaning_of(id) == Meaning::Evaluates || is_backward(trace, id))
        })
    };
    let framework = |phase: Phase| match phase {
        Phase::Dataloader => waits(trace).into_iter().collect(),
        Phase::Optimizer => vec![(PhaseSource::OptimizerStep, merged(trace, HOST, means(Meaning::OptimizerStep)))],
        Phase::Backward => vec![(PhaseSource::Autograd, engine())],
        _ => vec![
            (PhaseSource::Modules, merged(trace, PYTHON, |id| meaning_of(id) == Meaning::Module)),
            (PhaseSource::SequenceNumbers, with_sequence(trace)),
        ],
    };
    let mut sources = [PhaseSource::Absent; 4];
    let mut found: [Ranges; 4] = Default::default();
    for (index, phase) in Phase::ALL.into_iter().take(4).enumerate() {
        let marked = if phase == Phase::Dataloader { None } else { marked(trace, &meanings, phase) };
        let known = || framework(phase).into_iter().find(|(_, ranges)| !ranges.is_empty());
        if let Some((source, ranges)) = marked.or_else(known) {
            sources[index] = source;
            found[index] = ranges;
        }
    }
    if found[3].is_empty() && !found[2].is_empty() {
        found[3] = before_backward(trace, steps, &found);
        sources[3] = if found[3].is_empty() { PhaseSource::Absent } else { PhaseSource::Position };
    }
    let backward = &found[Phase::Backward as usize];
    let engine = match sources[Phase::Backward as usize] {
        PhaseSource::NamedRanges => Some(engine()).filter(|ranges| !ranges.is_empty()),
        PhaseSource::Categories => None,
        _ => Some(Vec::new()),
    };
    let engine = engine.unwrap_or_else(|| of_helpers(trace, backward));
    PhaseRanges { ranges: found, sources, engine }
}

/// The marked stretches of backward, for the tracks of the threads on which the autograd engine launches.
pub(crate) fn marked_engine(trace: &Trace) -> Vec<(TrackId, Interval)> {
    let backward = marked(trace, &trace.strings.map(meaning), Phase::Backward);
    let helpers = backward.map(|(_, ranges)| of_helpers(trace, &ranges)).unwrap_or_default();
    let of_track = |range: Range| {
        let is_its = |track: &Track| track.layer == HOST && (track.process, track.thread) == range.thread;
        Some((TrackId::from_index(trace.tracks.iter().position(is_its)?), range.span))
    };
    helpers.into_iter().filter_map(of_track).collect()
}

/// The stretches of a phase that the framework or the program marked.
fn marked(trace: &Trace, meanings: &[Meaning], phase: Phase) -> Option<(PhaseSource, Ranges)> {
    let is_it = |id: EventId| {
        meanings[trace.slices.name(id).index()] == Meaning::Named(phase) && trace.slices.class(id) != Class::PythonFrame
    };
    let of_category = Some((PhaseSource::Categories, of_category(trace, phase))).filter(|found| !found.1.is_empty());
    let named = || Some((PhaseSource::NamedRanges, merged(trace, HOST, is_it))).filter(|found| !found.1.is_empty());
    of_category.or_else(|| meanings.contains(&Meaning::Named(phase)).then(named).flatten())
}

/// The stretches of backward, for the other threads of its process that launch nothing but in these: the autograd engine's, where its operators
/// are not recorded.
fn of_helpers(trace: &Trace, backward: &Ranges) -> Ranges {
    let spans = |process: ProcessId| {
        IntervalSet::of(backward.iter().filter(|range| range.thread.0 == process).map(|range| range.span))
    };
    // The threads other than those of backward, with its stretches in their process; each until it launches outside.
    let mut helpers: Vec<((ProcessId, RawId), IntervalSet)> = Vec::new();
    let mut last = None;
    for call in trace.activities.iter().filter_map(|activity| activity.call.get()) {
        let track = &trace.tracks[trace.slices.track(call).index()];
        let thread = (track.process, track.thread);
        if last.is_none_or(|(last, _)| last != thread) {
            let known = helpers.iter().position(|(helper, _)| *helper == thread);
            let place = known.unwrap_or_else(|| {
                let is_marked = backward.iter().any(|range| range.thread == thread);
                helpers.push((thread, if is_marked { IntervalSet::new() } else { spans(thread.0) }));
                helpers.len() - 1
            });
            last = Some((thread, place));
        }
        if let Some((_, place)) = last
            && !helpers[place].1.has(trace.slices.start(call))
        {
            helpers[place].1 = IntervalSet::new();
        }
    }
    let of_thread = |(thread, spans): &((ProcessId, RawId), IntervalSet)| {
        let thread = *thread;
        spans.intervals().iter().map(move |span| Range { thread, span: *span }).collect::<Vec<_>>()
    };
    let mut ranges: Ranges = helpers.iter().flat_map(of_thread).collect();
    ranges.compact_sort_by_key(|range| (range.thread, range.span.start));
    ranges
}

const HOST: Layer = Layer::Host;
const PYTHON: Layer = Layer::Python;

/// The union of the wanted slices, by thread.
fn merged(trace: &Trace, layer: Layer, wanted: impl Fn(EventId) -> bool) -> Ranges {
    let mut ranges = Vec::new();
    for track in trace.tracks.iter().filter(|track| track.layer == layer) {
        let mut merger = Merger::default();
        for id in track.events().filter(|id| wanted(*id)) {
            merger.add(trace.slices.interval(id));
        }
        let thread = (track.process, track.thread);
        ranges.extend(merger.into_intervals().into_iter().map(|span| Range { thread, span }));
    }
    ranges.compact_sort_by_key(|range| (range.thread, range.span.start));
    ranges
}

/// The ranges that a framework marks as a phase by their category: Paddle does.
fn of_category(trace: &Trace, phase: Phase) -> Ranges {
    let category = match phase {
        Phase::Dataloader => "Dataloader",
        Phase::Optimizer => "Optimization",
        Phase::Backward => "Backward",
        Phase::Forward => "Forward",
        Phase::Other => return Vec::new(),
    };
    let Some(category) = trace.category_named(category) else {
        return Vec::new();
    };
    let is_of_it = |id| trace.slices.class(id) == Class::Annotation && trace.slices.category(id) == category;
    merged(trace, HOST, is_of_it)
}

/// All waits for data, by the first way of recognition that applies to any of them.
fn waits(trace: &Trace) -> Option<(PhaseSource, Ranges)> {
    let waits = DataWaits::of(trace);
    let kind = |id: EventId| waits.kind(trace, id).filter(|_| trace.slices.class(id) != Class::PythonFrame);
    let host = trace.tracks.iter().filter(|track| track.layer == HOST);
    let source = |kind| match kind {
        DataWait::Category => PhaseSource::Categories,
        DataWait::Named => PhaseSource::NamedRanges,
        DataWait::Framework => PhaseSource::DataLoader,
    };
    let source = host.flat_map(Track::events).filter_map(kind).map(source).min_by_key(|source| *source as u8)?;
    Some((source, merged(trace, HOST, |id| kind(id).is_some())))
}

/// Whether a Python function of that name is the call of a module: `nn.Module: Linear_0`.
pub(crate) fn is_module(name: &str) -> bool {
    name.starts_with("nn.Module: ")
}

fn meaning(name: &str) -> Meaning {
    if name.starts_with("Optimizer.step#") {
        Meaning::OptimizerStep
    } else if name.starts_with("autograd::engine::evaluate_function") {
        Meaning::Evaluates
    } else if is_module(name) {
        Meaning::Module
    } else {
        named_phase(name).map_or(Meaning::None, Meaning::Named)
    }
}

/// The phase that a user's name for a range means, such as `## forward ##` or `Backward pass`.
fn named_phase(name: &str) -> Option<Phase> {
    const LONGEST: usize = 24;
    if name.len() > LONGEST {
        return None;
    }
    let words = name.to_ascii_lowercase().replace(['_', '-', '/', ':'], " ");
    Some(match words.trim_matches(['#', ' ']) {
        "forward" | "fwd" | "forward pass" => Phase::Forward,
        "backward" | "bwd" | "backward pass" => Phase::Backward,
        "optimizer" | "optimizer step" | "optimization" => Phase::Optimizer,
        _ => return None,
    })
}

fn is_operator(trace: &Trace, id: EventId) -> bool {
    trace.slices.class(id) == Class::Operator
}

/// Whether an operator runs on behalf of another thread's forward operator.
fn is_backward(trace: &Trace, id: EventId) -> bool {
    trace.operation(id).is_some_and(|operation| !matches!(operation.forward_thread, 0 | NO_SERIAL))
}

/// Operators that have a forward sequence number, or from which a flow leads to a backward one.
fn with_sequence(trace: &Trace) -> Ranges {
    let passes = trace.strings.find("fwdbwd");
    let mut starts: Vec<EventId> =
        trace.flows.iter().filter(|flow| Some(flow.kind) == passes).map(|flow| flow.from).collect();
    starts.compact_sort();
    merged(trace, HOST, |id| {
        let numbered = || trace.operation(id).is_some_and(|operation| operation.sequence != NO_SERIAL);
        is_operator(trace, id) && !is_backward(trace, id) && (numbered() || starts.binary_search(&id).is_ok())
    })
}

/// Operators of each step's main thread between its data loading and its first backward operator.
fn before_backward(trace: &Trace, steps: &Steps, found: &[Ranges; 4]) -> Ranges {
    let Some(main) = main_thread(trace) else {
        return Vec::new();
    };
    let sorted = |mut times: Vec<Nanos>| {
        sort_times(&mut times);
        times
    };
    let loaded = sorted(found[0].iter().map(|range| range.span.end).collect());
    let backward = sorted(found[2].iter().map(|range| range.span.start).collect());
    let first_in = |times: &[Nanos], step: Interval| {
        let first = times.get(times.partition_point(|time| *time < step.start)).copied();
        first.filter(|time| *time < step.end)
    };
    let window = |step: Interval| {
        let from = first_in(&loaded, step).unwrap_or(step.start);
        Some(Interval::new(from, first_in(&backward, step)?))
    };
    let windows: Vec<Interval> = steps.steps.iter().filter_map(|step| window(step.host)).collect();
    let inside = |span: Interval| {
        let after = windows.partition_point(|window| window.start <= span.start);
        after.checked_sub(1).is_some_and(|window| windows[window].contains(span))
    };
    let thread = (main.process, main.thread);
    let mut merger = Merger::default();
    for id in main.events().filter(|id| is_operator(trace, *id) && inside(trace.slices.interval(*id))) {
        merger.add(trace.slices.interval(id));
    }
    merger.into_intervals().into_iter().map(|span| Range { thread, span }).collect()
}

/// The thread that marks the steps, else the one that spends most time in operators.
fn main_thread(trace: &Trace) -> Option<&Track> {
    let marks = trace.strings.map(|name| marked_step(name).is_some());
    let host = || trace.tracks.iter().filter(|track| track.layer == HOST);
    let told = |track: &&Track| trace.step_marks.iter().any(|(id, _)| track.rows().contains(&id.index()));
    let named = |track: &&Track| track.events().any(|id| marks[trace.slices.name(id).index()]);
    let marked = host().find(told).or_else(|| host().find(named));
    marked.or_else(|| {
        host().max_by_key(|track| {
            let outermost = track.events().filter(|id| is_operator(trace, *id) && trace.slices.depth(*id) == 0);
            outermost.map(|id| trace.slices.length(id)).sum::<Nanos>()
        })
    })
}
