//! The longest path through a step: from its end back to its beginning, always to the dependency that came last.

use super::collectives::explain;
use super::graph::{EdgeKind, ExecutionGraph, NONE, Node, NodeKind, starts_late};
use super::report::{CriticalPath, PathClass, PathPiece};
use crate::Steps;
use crate::innermost::Innermost;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, EventId, Trace, TrackId};

/// Walks back from a step's end.
pub(super) fn of_step(
    trace: &Trace,
    steps: &Steps,
    graph: &ExecutionGraph,
    innermost: &mut Innermost<'_>,
    (step, last_node): (usize, u32),
) -> CriticalPath {
    let span = steps.steps[step].span;
    let mut walk = Walk { trace, graph, innermost, span, until: span.end, pieces: Vec::new(), parts: Vec::new() };
    if last_node != NONE {
        walk.back_from(last_node);
    }
    walk.add(EventId::NONE, span.start, PathClass::Other);
    let mut pieces = walk.pieces;
    pieces.reverse();
    let inferred = graph.others.explain(trace, innermost, &mut pieces);
    let mut pieces = explain(pieces, &graph.collectives);
    pieces.dedup_by(|next, last| {
        let same = (next.slice, next.class) == (last.slice, last.class);
        if same {
            last.span.end = next.span.end;
        }
        same
    });
    let mut times = [Nanos::ZERO; PathClass::ALL.len()];
    for piece in &pieces {
        times[piece.class as usize] += piece.span.len();
    }
    CriticalPath { span, times, pieces, inferred }
}

/// Each step's node that ends when the step does.
pub(super) fn last_nodes(steps: &Steps, graph: &ExecutionGraph) -> Vec<u32> {
    let mut last: Vec<u32> = graph.steps.iter().map(|[_, end]| *end).collect();
    for (node, step) in graph.activities.iter().zip(&steps.step_of_activity) {
        let Some(step) = step.map(|step| step as usize).filter(|_| *node != NONE) else { continue };
        let end = graph.nodes[*node as usize].end;
        // An activity ends the step rather than a point of the host at the same time: a step without a mark ends with
        // it.
        let ends_later = graph.nodes.get(last[step] as usize).is_none_or(|known| known.end <= end);
        if end == steps.steps[step].span.end && ends_later {
            last[step] = *node;
        }
    }
    last
}

struct Walk<'a, 'b> {
    trace: &'a Trace,
    graph: &'a ExecutionGraph,
    innermost: &'a mut Innermost<'b>,
    span: Interval,
    /// The pieces cover the time after this.
    until: Nanos,
    /// The last first.
    pieces: Vec<PathPiece>,
    /// Memory for the parts of a thread's time.
    parts: Vec<(EventId, Nanos)>,
}

impl Walk<'_, '_> {
    /// Each edge leads to an earlier node, so this ends.
    fn back_from(&mut self, last: u32) {
        let mut number = last as usize;
        let mut in_node = true;
        while self.until > self.span.start {
            let node = &self.graph.nodes[number];
            if in_node {
                self.node(node);
            }
            let Some(edge) = self.graph.edges_of(number).first() else { return };
            let from = &self.graph.nodes[edge.from as usize];
            match edge.kind {
                EdgeKind::Thread => self.host(from.thread, from.end, false),
                EdgeKind::Loading | EdgeKind::Worker => self.host(from.thread, from.end, true),
                EdgeKind::Launch => {
                    let call = self.trace.activity(node.slice).and_then(|activity| activity.call.get());
                    let called = call.map_or(from.at, |call| self.trace.slices.end(call));
                    let returned = called.max(from.at);
                    let late = starts_late(node.at - returned);
                    let class = if late { PathClass::StartLate } else { PathClass::LaunchDelay };
                    self.add(node.slice, returned, class);
                    self.host(from.thread, from.at, is_loading(from));
                }
                EdgeKind::Stream | EdgeKind::Event => self.add(node.slice, from.end, PathClass::KernelWait),
                EdgeKind::Call | EdgeKind::Place => self.add(node.slice, from.at, PathClass::SyncWait),
                EdgeKind::Return => self.add(node.slice, from.end, PathClass::SyncWait),
            }
            in_node = !edge.kind.is_from_start();
            number = edge.from as usize;
        }
    }

    /// Adds the time of a node itself.
    fn node(&mut self, node: &Node) {
        match node.kind {
            NodeKind::Point | NodeKind::WaitEnds => {}
            NodeKind::Call { loading, .. } => self.host(node.thread, node.at, loading),
            NodeKind::Activity { communicates } => {
                let class = match self.trace.slices.class(node.slice) {
                    Class::Memcpy => PathClass::Memcpy,
                    Class::Memset => PathClass::Memset,
                    _ if communicates => PathClass::Communication,
                    _ => PathClass::Compute,
                };
                self.add(node.slice, node.at, class);
            }
        }
    }

    /// Adds the piece that begins at a time, as far as it is inside.
    fn add(&mut self, slice: EventId, from: Nanos, class: PathClass) {
        let span = Interval::new(from.max(self.span.start), self.until);
        if !span.is_empty() {
            self.pieces.push(PathPiece { slice, span, class });
            self.until = span.start;
        }
    }

    /// Adds what a thread did since a time, by its innermost slices.
    fn host(&mut self, thread: u32, since: Nanos, loading: bool) {
        let track = self.graph.tracks.get(thread as usize).copied().unwrap_or_default();
        let since = since.max(self.span.start);
        if track == TrackId::NONE || since >= self.until {
            self.add(EventId::NONE, since, PathClass::Other);
            return;
        }
        let mut parts = std::mem::take(&mut self.parts);
        let span = Interval::new(since, self.until);
        self.innermost.each(track, span, |slice, span| parts.push((slice, span.start)));
        for (slice, from) in parts.drain(..).rev() {
            let class = if loading { PathClass::DataLoading } else { PathClass::on_host(self.trace, slice) };
            self.add(slice, from, class);
        }
        self.parts = parts;
    }
}

fn is_loading(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Call { loading: true, .. })
}
