//! The operators with a formula for what they compute or move. INSIGHT section 4.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::flops::{RoofFamily, family_of};
use stepscope_trace::{Class, EventId, NameId, Trace};

/// An operator call with a formula.
pub(super) type Call = (EventId, RoofFamily);

/// The families of operators, by their names.
#[derive(Default)]
pub(super) struct Families(HashMap<NameId, Option<RoofFamily>, FxBuildHasher>);

impl Families {
    /// The family of a call; `None` without a formula.
    pub(super) fn of(&mut self, trace: &Trace, call: EventId) -> Option<RoofFamily> {
        let name = trace.slices.name(call);
        *self.0.entry(name).or_insert_with(|| family_of(trace.strings.get(name)))
    }

    /// The outermost operator with a formula around an operator, itself included.
    pub(super) fn outermost(&mut self, trace: &Trace, operator: EventId) -> Option<Call> {
        let around = std::iter::once(operator).chain(trace.slices.ancestors(operator));
        let operators = around.filter(|event| trace.slices.class(*event) == Class::Operator);
        operators.filter_map(|event| Some((event, self.of(trace, event)?))).last()
    }

    /// Whether there was a call of a family.
    pub(super) fn has(&self, family: RoofFamily) -> bool {
        self.0.values().any(|known| *known == Some(family))
    }
}
