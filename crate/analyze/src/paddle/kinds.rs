//! Kinds of slices in Paddle's terms, and the order in which its summary visits them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use stepscope_base::{CompactSort, Nanos};
use stepscope_trace::{Class, EventId, RawId, Trace};

/// The categories of the Model Summary, in its order; all but the first are a step's phases.
pub const MODEL: [&str; 5] = ["ProfileStep", "Dataloader", "Forward", "Backward", "Optimization"];

/// Paddle's kinds of the slices of a trace.
///
/// In traces of other frameworks, they follow from a slice's class; there, steps and their phases are not slices.
pub(super) struct Kinds<'a> {
    trace: &'a Trace,
    /// Whether the categories are Paddle's own.
    pub(super) own: bool,
}

impl<'a> Kinds<'a> {
    pub(super) fn of(trace: &'a Trace) -> Self {
        let known = |category| trace.category_named(category).is_some();
        Self { trace, own: known("ProfileStep") || known("OperatorInner") || known("PythonUserDefined") }
    }

    /// A slice's kind; empty if Paddle has no such kind. Our own recordings have Paddle's categories for steps and
    /// phases, and Kineto's for the rest.
    pub(super) fn kind(&self, id: EventId) -> &'a str {
        let category = self.trace.category_of(id);
        let is_ours = matches!(
            category,
            "user_annotation" | "cpu_op" | "cuda_runtime" | "cuda_driver" | "kernel" | "gpu_memcpy" | "gpu_memset"
        );
        if self.own && !is_ours {
            return category;
        }
        match self.trace.slices.class(id) {
            Class::Operator => "Operator",
            Class::Annotation => "PythonUserDefined",
            Class::RuntimeCall => "CudaRuntime",
            Class::Kernel => "Kernel",
            Class::Memcpy => "Memcpy",
            Class::Memset => "Memset",
            _ => "",
        }
    }

    pub(super) fn is(&self, id: EventId, kind: &str) -> bool {
        self.kind(id) == kind
    }

    /// The phase that a slice is a call of.
    pub(super) fn phase(&self, id: EventId) -> Option<&'static str> {
        let kind = self.kind(id);
        MODEL[1..].iter().copied().find(|phase| *phase == kind)
    }

    pub(super) fn thread(&self, id: EventId) -> RawId {
        self.trace.tracks[self.trace.slices.track(id).index()].thread
    }

    /// The place of a slice in Paddle's order: thread by thread, a range before its contents, and the later one of two
    /// ranges first, as from a stack. Its tables keep this order, and where they are sorted, it is the order of equal
    /// rows.
    pub(super) fn visit(&self, id: EventId) -> Visit {
        let slices = &self.trace.slices;
        Visit(self.thread(id), Reverse(slices.end(id)), slices.depth(id), Reverse(slices.start(id)))
    }

    /// The place of activities that a call launched: with the range around the call, in the calls' order.
    pub(super) fn launch(&self, call: EventId) -> (RawId, Option<Visit>, Nanos) {
        let around = self.trace.slices.parent(call).map(|parent| self.visit(parent));
        (self.thread(call), around, self.trace.slices.start(call))
    }
}

/// A slice's place in the order in which Paddle visits them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Visit(RawId, Reverse<Nanos>, u16, Reverse<Nanos>);

/// Groups in the order of the first slice of each.
pub(super) fn in_order<K: Ord + Clone, O: Ord, V>(
    groups: BTreeMap<K, V>,
    visits: impl Iterator<Item = (K, O)>,
) -> Vec<(K, V)> {
    let mut first: BTreeMap<K, O> = BTreeMap::new();
    for (key, order) in visits {
        match first.get_mut(&key) {
            Some(known) if *known <= order => {}
            Some(known) => *known = order,
            None => drop(first.insert(key, order)),
        }
    }
    let mut groups: Vec<(K, V)> = groups.into_iter().collect();
    groups.compact_sort_by(|(a, _), (b, _)| first.get(a).cmp(&first.get(b)));
    groups
}
