//! The replay of a trace without a cause of lost time.

use super::ExecutionGraph;
use super::graph::{Edge, EdgeKind, Node, NodeKind};
use super::replay::{Different, communication_waits, replay, replayed_steps};
use crate::steps::Steps;
use std::cell::Cell;
use stepscope_base::{Interval, Nanos, partition_point_near};
use stepscope_trace::{EventId, Trace, TrackId};

/// The work, waits and activities that are gone or shorter in a replay without a cause.
#[derive(Debug, Default)]
pub(crate) struct Gone {
    /// By track of a thread: the spans whose time is gone.
    threads: Vec<(TrackId, Spans)>,
    /// Activities that begin less than this after their launching call's end begin as soon as the call does. Later ones
    /// wait for something unknown. Zero keeps all launches as they are.
    pub(crate) latency: Nanos,
    /// Whether nothing but communication waits for communication.
    pub(crate) communication: bool,
    /// Whether batches are never late.
    pub(crate) late_batches: bool,
    /// Shorter pauses of a stream between two activities take no time.
    pub(crate) pauses: Nanos,
    /// By activity: the time by which it is shorter; empty if none is.
    pub(crate) shorter: Vec<Nanos>,
}

/// Disjoint spans by time, with the length of those before each.
#[derive(Debug, Default)]
struct Spans {
    spans: Vec<Interval>,
    before: Vec<Nanos>,
    /// The latest result of [`Self::begun`].
    begun: Cell<usize>,
}

impl Spans {
    fn of(spans: Vec<Interval>) -> Self {
        let before = spans.iter().scan(Nanos::ZERO, |sum, span| {
            let before = *sum;
            *sum += span.len();
            Some(before)
        });
        Self { before: before.collect(), spans, begun: Cell::default() }
    }

    /// The number of spans that begin before a time. A replay asks for times close to each other.
    fn begun(&self, time: Nanos) -> usize {
        let begun = partition_point_near(&self.spans, self.begun.get(), |span| span.start < time);
        self.begun.set(begun);
        begun
    }

    /// Their total length before a time.
    fn until(&self, time: Nanos) -> Nanos {
        let Some(last) = self.begun(time).checked_sub(1) else { return Nanos::ZERO };
        self.before[last] + self.spans[last].len().min(time - self.spans[last].start)
    }

    /// Their total length within a span.
    fn within(&self, span: Interval) -> Nanos {
        if span.is_empty() { Nanos::ZERO } else { self.until(span.end) - self.until(span.start) }
    }
}

impl Gone {
    /// Adds the spans of a thread whose time is gone: disjoint, by time.
    pub(crate) fn add_thread(&mut self, thread: TrackId, spans: Vec<Interval>) {
        self.threads.push((thread, Spans::of(spans)));
    }
}

impl ExecutionGraph {
    /// The threads of the host that are in the graph.
    pub(crate) fn threads(&self) -> impl Iterator<Item = TrackId> + '_ {
        self.tracks.iter().copied().filter(|track| *track != TrackId::NONE)
    }
}

/// Time saved per step without a cause, including the time until the next step: the mean over the steps that count.
/// Where none counts, the time saved in the whole trace. Several replays can use the same memory for their `spans`.
#[must_use]
pub(crate) fn saving_without(
    trace: &Trace,
    (steps, counted): (&Steps, &[usize]),
    graph: &ExecutionGraph,
    gone: &Gone,
    spans: &mut Vec<Interval>,
) -> Nanos {
    let of_track = |track: &TrackId| gone.threads.iter().find(|(known, _)| known == track).map(|(_, spans)| spans);
    let threads = graph.tracks.iter().map(of_track).collect();
    let mut shorter = Vec::new();
    if !gone.shorter.is_empty() {
        shorter = vec![Nanos::ZERO; graph.nodes.len()];
        for (node, less) in graph.activities.iter().zip(&gone.shorter) {
            if let Some(known) = shorter.get_mut(*node as usize) {
                *known = *less;
            }
        }
    }
    let without = Without { trace, gone, threads, shorter };
    replay(graph, &without, spans);
    if counted.is_empty() {
        let length =
            |begin: Option<Nanos>, end: Option<Nanos>| end.zip(begin).map_or(Nanos::ZERO, |(end, begin)| end - begin);
        let before =
            length(graph.nodes.iter().map(|node| node.at).min(), graph.nodes.iter().map(|node| node.end).max());
        let after = length(spans.iter().map(|span| span.start).min(), spans.iter().map(|span| span.end).max());
        return (before - after).max(Nanos::ZERO);
    }
    let replayed = replayed_steps(steps, graph, spans);
    let saved = counted.iter().enumerate().map(|(place, step)| {
        // Until the next step begins, if that counts, too.
        let next = counted.get(place + 1).filter(|next| **next == step + 1).map(|next| &replayed[*next]);
        let step = &replayed[*step];
        let until = next.map_or((step.before.end, step.after.end), |next| (next.before.start, next.after.start));
        (until.0 - step.before.start) - (until.1 - step.after.start)
    });
    crate::mean(saved.sum::<Nanos>().max(Nanos::ZERO), counted.len() as u64)
}

/// The replay of a trace without a cause.
struct Without<'a> {
    trace: &'a Trace,
    gone: &'a Gone,
    /// By thread of the graph: the spans whose time is gone.
    threads: Vec<Option<&'a Spans>>,
    /// By node: the time by which it is shorter; empty if none is.
    shorter: Vec<Nanos>,
}

impl Without<'_> {
    /// The part of a thread's span that is gone.
    fn within(&self, thread: u32, span: Interval) -> Nanos {
        let spans = self.threads.get(thread as usize).copied().flatten();
        spans.map_or(Nanos::ZERO, |spans| spans.within(span))
    }

    /// Whether an activity begins as soon as its launching call does.
    fn is_launch_free(&self, edge: &Edge, call: &Node) -> bool {
        self.gone.latency > Nanos::ZERO && call.at + edge.after - call.end < self.gone.latency
    }

    /// Whether most of a call that waits is gone.
    fn does_not_wait(&self, thread: u32, call: EventId) -> bool {
        let span = self.trace.slices.interval(call);
        let gone = self.within(thread, span);
        gone > Nanos::ZERO && gone + gone >= span.len()
    }
}

impl Different for Without<'_> {
    fn drops(&self, edge: &Edge, from: &Node, to: &Node) -> bool {
        match edge.kind {
            EdgeKind::Return if to.kind == NodeKind::WaitEnds && self.does_not_wait(to.thread, to.slice) => true,
            EdgeKind::Worker => self.gone.late_batches,
            _ => self.gone.communication && communication_waits(edge, from.kind, to.kind),
        }
    }

    fn after(&self, edge: &Edge, from: &Node, to: &Node) -> Nanos {
        match edge.kind {
            EdgeKind::Thread | EdgeKind::Loading => {
                (edge.after - self.within(from.thread, Interval::new(from.end, to.at.max(from.end)))).max(Nanos::ZERO)
            }
            EdgeKind::Launch if self.is_launch_free(edge, from) => Nanos::ZERO,
            EdgeKind::Launch => {
                let call = Interval::new(from.at, from.at.max((from.at + edge.after).min(from.end)));
                edge.after - self.within(from.thread, call).min(edge.after.max(Nanos::ZERO))
            }
            EdgeKind::Call if self.does_not_wait(to.thread, to.slice) => Nanos::ZERO,
            EdgeKind::Stream if edge.after > Nanos::ZERO && edge.after < self.gone.pauses => Nanos::ZERO,
            _ => edge.after,
        }
    }

    fn length(&self, index: usize, node: &Node) -> Nanos {
        let length = node.end - node.at;
        match node.kind {
            NodeKind::Call { .. } => length - self.within(node.thread, Interval::new(node.at, node.end)),
            NodeKind::Activity { .. } => length - self.shorter.get(index).copied().unwrap_or_default(),
            NodeKind::Point | NodeKind::WaitEnds => length,
        }
    }
}
