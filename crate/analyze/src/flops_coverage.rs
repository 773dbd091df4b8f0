//! The part of the kernels' time with known FLOPs.

use super::flops::ComputingCalls;
use super::scope::Scope;
use super::tensor_cores::TensorCoreUse;
use stepscope_base::{CompactSort, Nanos};
use stepscope_trace::{ActivityId, Class, Trace};

impl ComputingCalls {
    /// The durations of these kernels that compute, as a share of those of all kernels of the scope that may compute.
    pub(super) fn coverage(&self, trace: &Trace, scope: Option<&Scope<'_>>, used: &TensorCoreUse) -> f64 {
        let length = |id: &ActivityId| trace.slices.length(trace.activities[id.index()].event);
        let computing = self.kernels.iter().zip(&self.computes).filter(|(_, computes)| **computes);
        let mut known: Vec<ActivityId> = computing.map(|(id, _)| *id).collect();
        known.compact_sort_by_key(|id| *id);
        let may_be = |id: &ActivityId| {
            let activity = &trace.activities[id.index()];
            trace.slices.class(activity.event) == Class::Kernel
                && !activity.communication
                && scope.is_none_or(|scope| scope.has_activity(*id))
                && used.may_be_product(trace.slices.name(activity.event))
        };
        let ids = (0..trace.activities.len()).map(ActivityId::from_index);
        let others =
            ids.filter(|id| known.binary_search(id).is_err() && may_be(id)).map(|id| length(&id)).sum::<Nanos>();
        let own = known.iter().map(length).sum::<Nanos>();
        own.ratio_of(own + others).unwrap_or_default()
    }
}
