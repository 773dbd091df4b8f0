//! What slices are in Paddle's words, and in which order its summary comes across them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use stepscope_base::{CompactSort, Nanos};
use stepscope_trace::{Class, EventId, RawId, Trace};

/// The categories of the Model Summary, in its order; all but the first are a step's phases.
pub const MODEL: [&str; 5] = ["ProfileStep", "Dataloader", "Forward", "Backward", "Optimization"];

/// What the slices of a trace are to Paddle.
///
/// In traces of other frameworks a slice's class tells; the steps and their phases are not slices there.
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

    /// A slice's kind; empty if Paddle knows none such. Recordings of ours have Paddle's categories for steps and phases, and those
    /// of Kineto for the rest.
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

    /// Which of a step's phases a slice is.
    pub(super) fn phase(&self, id: EventId) -> Option<&'static str> {
        let kind = self.kind(id);
        MODEL[1..].iter().copied().find(|phase| *phase == kind)
    }

    pub(super) fn thread(&self, id: EventId) -> RawId {
        self.trace.tracks[self.trace.slices.track(id).index()].thread
    }

    /// When Paddle comes across a slice: thread by thread, a range before what is in it, and of two ranges the later
    /// one first, as from a stack. Its tables keep this order, and where they are sorted, the order of equal rows.
    pub(super) fn visit(&self, id: EventId) -> Visit {
        let slices = &self.trace.slices;
        Visit(self.thread(id), Reverse(slices.end(id)), slices.depth(id), Reverse(slices.start(id)))
    }

    /// When it comes across what a call launched: with the range around the call, by the calls' order.
    pub(super) fn launch(&self, call: EventId) -> (RawId, Option<Visit>, Nanos) {
        let around = self.trace.slices.parent(call).map(|parent| self.visit(parent));
        (self.thread(call), around, self.trace.slices.start(call))
    }
}

/// A slice's place in the order in which Paddle comes across them.
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
