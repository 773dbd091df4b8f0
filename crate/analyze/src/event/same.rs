//! The slices of an event's name: their lengths, and the event's place among them.

use super::collective::communicates;
use crate::statistics::Statistics;
use stepscope_base::Nanos;
use stepscope_trace::{EventId, Trace};

/// The slices of the same name and class; among kernels, also alike in whether they communicate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SameName {
    /// Statistics of their lengths.
    pub times: Statistics,
    /// Number of them that take longer.
    pub longer: u64,
    /// The one before it on its track; none if it is the first.
    pub previous: EventId,
    /// The one after it on its track; none if it is the last.
    pub next: EventId,
}

impl SameName {
    pub(super) fn of(trace: &Trace, event: EventId) -> Self {
        let slices = &trace.slices;
        let rows = trace.tracks[slices.track(event).index()].rows();
        let (class, communication) = (slices.class(event), communicates(trace, event));
        let is_such = |id: &EventId| slices.class(*id) == class && communicates(trace, *id) == communication;
        let (mut previous, mut next) = (EventId::NONE, EventId::NONE);
        let mut lengths: Vec<Nanos> = Vec::new();
        for id in slices.named(slices.name(event)).filter(is_such) {
            lengths.push(slices.length(id));
            if rows.contains(&id.index()) {
                if id < event {
                    previous = id;
                } else if id > event && next == EventId::NONE {
                    next = id;
                }
            }
        }
        let length = slices.length(event);
        let longer = lengths.iter().filter(|other| **other > length).count() as u64;
        Self { times: Statistics::of(&mut lengths), longer, previous, next }
    }
}
