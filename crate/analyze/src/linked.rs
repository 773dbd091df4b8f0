//! Activities by the call that launched them. METRICS section 1, "launching call".

use stepscope_trace::{ActivityId, EventId, Trace};

/// The activities that have a launching call, by call; those of a call in their own order.
#[derive(Debug)]
pub(super) struct Linked(Vec<(EventId, ActivityId)>);

impl Linked {
    pub(super) fn of(trace: &Trace) -> Self {
        let activities = trace.activities.iter().enumerate();
        let mut linked: Vec<(EventId, ActivityId)> = activities
            .filter_map(|(index, activity)| Some((activity.call.get()?, ActivityId::from_index(index))))
            .collect();
        // Each stream runs nearly in the order of the calls: a merge sort finds those runs.
        linked.sort();
        Self(linked)
    }

    /// Each activity with its call, by call.
    pub(super) fn pairs(&self) -> &[(EventId, ActivityId)] {
        &self.0
    }

    /// The number of activities with a call.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Each call that launched anything, with its activities.
    pub(super) fn calls(&self) -> impl Iterator<Item = (EventId, impl Iterator<Item = ActivityId>)> {
        let same_call = |a: &(EventId, ActivityId), b: &(EventId, ActivityId)| a.0 == b.0;
        self.0.chunk_by(same_call).map(|chunk| (chunk[0].0, chunk.iter().map(|(_, activity)| *activity)))
    }
}
