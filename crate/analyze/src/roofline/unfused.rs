//! Attention with separate kernels for its operations, which one kernel can do. INSIGHT section 4.

use std::ops::RangeInclusive;

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::families::Families;
use crate::flops::{FusedWork, Product, RoofFamily, Scores};
use stepscope_base::CompactSort as _;
use stepscope_trace::{ActivityId, Class, EventId, NameId, Trace};

/// The kernels of one attention, forward or backward.
pub(super) struct Unfused {
    /// In the order of their calls.
    pub(super) kernels: Vec<ActivityId>,
    /// The call of its first product.
    pub(super) product: EventId,
    /// Whether PyTorch's math backend computes it.
    pub(super) is_math_backend: bool,
    scores: Scores,
    is_backward: bool,
    /// The work of one kernel that does it all.
    pub(super) work: FusedWork,
}

/// Most calls before and after softmax that may belong to its attention.
const REACH: usize = 24;

/// Finds attention by its form. Softmax takes what a batch of products makes, and the next batch of products takes what
/// it makes. Between them are only calls that scale, mask, cast or drop scores. Backward there are two batches before
/// and after. Products with weights are no batches: layers that choose experts are no attention.
pub(super) fn unfused_attention(trace: &Trace, families: &mut Families) -> Vec<Unfused> {
    if !families.has(RoofFamily::Softmax) {
        return Vec::new();
    }
    let launches = launches(trace, families);
    let calls: Vec<&[(EventId, ActivityId)]> = launches.chunk_by(|a, b| a.0 == b.0).collect();
    let mut kinds = Kinds { trace, families, known: HashMap::default() };
    let mut found = Vec::new();
    for (place, call) in calls.iter().enumerate() {
        if let Kind::Softmax(scores, is_backward) = kinds.of(call[0].0) {
            let around = Around { calls: &calls, place, scores };
            let attention = if is_backward { around.backward(&mut kinds) } else { around.forward(&mut kinds) };
            found.extend(attention.map(|attention| Unfused { is_backward, ..attention }));
        }
    }
    // Calls around the gradients do not show which function they belong to.
    let forward = found.iter().filter(|one: &&Unfused| one.is_math_backend && !one.is_backward);
    let by_math: HashSet<Scores, FxBuildHasher> = forward.map(|one| one.scores).collect();
    for one in found.iter_mut().filter(|one| one.is_backward) {
        one.is_math_backend = by_math.contains(&one.scores);
    }
    found
}

/// The compute kernels with their outermost call with a formula, or else the operator: in the order in which threads
/// launched them.
fn launches(trace: &Trace, families: &mut Families) -> Vec<(EventId, ActivityId)> {
    let mut last: Option<(EventId, EventId)> = None;
    let mut launches = Vec::new();
    for (index, activity) in trace.activities.iter().enumerate() {
        let Some(operator) = activity.operator.get() else { continue };
        if trace.slices.class(activity.event) != Class::Kernel || activity.communication {
            continue;
        }
        let call = match last {
            Some((before, call)) if before == operator => call,
            _ => families.outermost(trace, operator).map_or(operator, |(call, _)| call),
        };
        last = Some((operator, call));
        launches.push((call, ActivityId::from_index(index)));
    }
    launches.compact_sort();
    launches
}

/// The role of a call in attention.
#[derive(Clone, Copy)]
enum Kind {
    Product(Product),
    /// The second value: whether it makes gradients.
    Softmax(Scores, bool),
    /// It changes scores one by one, or only their form or type.
    Passes,
    Other,
}

struct Kinds<'a> {
    trace: &'a Trace,
    families: &'a mut Families,
    known: HashMap<[NameId; 4], Kind, FxBuildHasher>,
}

impl Kinds<'_> {
    fn is_copy(&mut self, call: EventId) -> bool {
        self.families.of(self.trace, call) == Some(RoofFamily::Copy)
    }

    fn of(&mut self, call: EventId) -> Kind {
        let Self { trace, families, known } = self;
        let name = trace.slices.name(call);
        let (shapes, types) = trace.operation(call).map_or((NameId::NONE, NameId::NONE), |of| (of.shapes, of.types));
        let key = [name, shapes, types, trace.concrete_inputs(call)];
        if let Some(kind) = known.get(&key) {
            return *kind;
        }
        let [text, shapes, types, concrete] = key.map(|text| trace.strings.get(text));
        let kind = match families.of(trace, call) {
            Some(RoofFamily::Matrix) => Product::of_call(text, shapes, types, concrete).map(Kind::Product),
            Some(RoofFamily::Softmax) if text == "aten::_softmax" => {
                Scores::of_call(shapes, concrete, 1).map(|scores| Kind::Softmax(scores, false))
            }
            Some(RoofFamily::Softmax) if text == "aten::_softmax_backward_data" => {
                Scores::of_call(shapes, concrete, 2).map(|scores| Kind::Softmax(scores, true))
            }
            Some(RoofFamily::Elementwise | RoofFamily::Copy) => Some(Kind::Passes),
            None if PASSES.contains(&text) => Some(Kind::Passes),
            _ => None,
        };
        let kind = kind.unwrap_or(Kind::Other);
        known.insert(key, kind);
        kind
    }
}

/// Operators without a formula that change scores one by one.
const PASSES: [&str; 11] = [
    "aten::all",
    "aten::any",
    "aten::div",
    "aten::div_",
    "aten::native_dropout",
    "aten::native_dropout_backward",
    "aten::bernoulli_",
    "aten::tril",
    "aten::triu",
    "aten::arange",
    "aten::nan_to_num",
];

/// A call of softmax and those around it, in the order in which they were launched.
struct Around<'a> {
    calls: &'a [&'a [(EventId, ActivityId)]],
    place: usize,
    scores: Scores,
}

impl Around<'_> {
    fn forward(&self, kinds: &mut Kinds<'_>) -> Option<Unfused> {
        let [(before, first)] = self.products(kinds, (0..self.place).rev(), 1)[..] else { return None };
        let [(after, last)] = self.products(kinds, self.place + 1..self.calls.len(), 1)[..] else { return None };
        let fits = first.makes(self.scores) && last.begins_with(self.scores);
        let biases = (before + 1..self.place).filter_map(|place| {
            let call = self.call(place);
            // A cast of scores adds nothing to them.
            let operation = kinds.trace.operation(call).filter(|_| !kinds.is_copy(call))?;
            let [shapes, types] = [operation.shapes, operation.types].map(|text| kinds.trace.strings.get(text));
            Some(self.scores.bias_bytes(shapes, types))
        });
        let bias = biases.fold(0, u64::saturating_add);
        let work = self.scores.forward(first, last, bias).filter(|_| fits)?;
        Some(self.unfused(kinds, before..=after, work))
    }

    fn backward(&self, kinds: &mut Kinds<'_>) -> Option<Unfused> {
        let before = self.products(kinds, (0..self.place).rev(), 2);
        let after = self.products(kinds, self.place + 1..self.calls.len(), 2);
        let ([one, other], [next, end]) = (&before[..], &after[..]) else { return None };
        let first = [one, other].into_iter().find(|(_, product)| product.makes(self.scores))?.1;
        let last = [next, end].into_iter().find(|(_, product)| product.begins_with(self.scores))?.1;
        let is_part = |product: &Product| product.has(self.scores) || product.makes(self.scores);
        let fits = [one, other, next, end].into_iter().all(|(_, product)| is_part(product));
        let work = self.scores.backward(first, last).filter(|_| fits)?;
        Some(self.unfused(kinds, other.0..=end.0, work))
    }

    /// The next products at these places, until a call that is no part of attention.
    fn products(
        &self,
        kinds: &mut Kinds<'_>,
        places: impl Iterator<Item = usize>,
        count: usize,
    ) -> Vec<(usize, Product)> {
        let thread = |place: usize| kinds.trace.slices.track(self.call(place));
        let of_thread: Vec<usize> =
            places.take(REACH).take_while(|place| thread(*place) == thread(self.place)).collect();
        let kinds = of_thread.into_iter().map(|place| (place, kinds.of(self.call(place))));
        let parts = kinds.take_while(|(_, kind)| matches!(kind, Kind::Product(_) | Kind::Passes));
        let products = parts.filter_map(|(place, kind)| match kind {
            Kind::Product(product) => Some((place, product)),
            _ => None,
        });
        products.take(count).collect()
    }

    fn call(&self, place: usize) -> EventId {
        self.calls[place][0].0
    }

    /// The attention of the calls at these places, without those between that do not work on scores.
    fn unfused(&self, kinds: &mut Kinds<'_>, places: RangeInclusive<usize>, work: FusedWork) -> Unfused {
        let product = self.call(*places.start());
        let is_part = |place: &usize| match kinds.of(self.call(*place)) {
            Kind::Passes => {
                let operation = kinds.trace.operation(self.call(*place));
                operation.is_some_and(|operation| self.scores.are_input(kinds.trace.strings.get(operation.shapes)))
            }
            _ => true,
        };
        let calls = places.filter(is_part).flat_map(|place| self.calls[place]);
        let kernels = calls.map(|(_, kernel)| *kernel).collect();
        let mut around = kinds.trace.slices.ancestors(product);
        let is_math_backend =
            around.any(|event| kinds.trace.name_of(event) == "aten::_scaled_dot_product_attention_math");
        Unfused { kernels, product, is_math_backend, scores: self.scores, is_backward: false, work }
    }
}
