//! Waits for streams and events that the profiler recorded.

use super::device::Streams;
use super::graph::NONE;
use stepscope_base::CompactSort as _;
use stepscope_trace::{Class, EventId, NO_SERIAL, Serial, Stream, Trace};

/// A recorded wait: of a call, or of a stream that the call makes wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToldWait {
    /// The call's correlation.
    correlation: Serial,
    /// The stream that is waited for, or that waits for an event.
    pub(super) stream: u32,
    /// The correlation of the call that recorded the event, if it is one.
    record: Serial,
}

/// An event that something waits for.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// The correlation of the call that recorded it.
    correlation: Serial,
    /// The stream on which it was recorded.
    stream: u32,
    /// The activity launched last on that stream before the record, once that is known, and the same without
    /// communication.
    launched: [u32; 2],
}

/// All recorded waits.
#[derive(Debug, Default)]
pub(super) struct RecordedWaits {
    waits: Vec<ToldWait>,
    records: Vec<Record>,
}

impl RecordedWaits {
    pub(super) fn of(trace: &Trace, streams: &Streams) -> Self {
        let mut told = Self::default();
        for id in trace.slices_of(Class::Synchronization) {
            let correlation = correlation_of(trace, id);
            let Some(row) = trace.stream_of(id).filter(|_| correlation != NO_SERIAL) else { continue };
            let argument = trace.stream_arguments.binary_search_by_key(&id, |(event, _)| *event);
            let named = argument.map_or(row.stream, |index| trace.stream_arguments[index].1);
            let number = |stream| streams.number(Stream { stream, ..row });
            let event = trace.awaited_events.binary_search_by_key(&id, |(event, _)| *event);
            let event = event.ok().map(|index| trace.awaited_events[index].1);
            if let Some(event) = event {
                let record = Record { correlation: event.record, stream: number(event.stream), launched: [NONE; 2] };
                told.records.push(record);
            }
            let record = event.map_or(NO_SERIAL, |event| event.record);
            told.waits.push(ToldWait { correlation, stream: number(named), record });
        }
        told.waits.compact_sort_by_key(|wait| wait.correlation);
        told.records.compact_sort_by_key(|record| record.correlation);
        told
    }

    /// The recorded wait of a call, if any.
    pub(super) fn wait(&self, trace: &Trace, call: EventId) -> Option<ToldWait> {
        let correlation = correlation_of(trace, call);
        let found = self.waits.binary_search_by_key(&correlation, |wait| wait.correlation).ok()?;
        Some(self.waits[found])
    }

    /// The activities that must have ended for a wait to end; none if it is for no event, or for one whose record is
    /// missing.
    pub(super) fn awaited(&self, wait: ToldWait) -> Option<[u32; 2]> {
        let found = self.records.binary_search_by_key(&wait.record, |record| record.correlation).ok()?;
        Some(self.records[found].launched)
    }

    /// Handles a call that records an event: `launched` returns the activities that a stream was given last.
    pub(super) fn record(&mut self, trace: &Trace, call: EventId, launched: impl Fn(u32) -> [u32; 2]) {
        let correlation = correlation_of(trace, call);
        let first = self.records.partition_point(|record| record.correlation < correlation);
        for record in self.records[first..].iter_mut().take_while(|record| record.correlation == correlation) {
            record.launched = launched(record.stream);
        }
    }
}

fn correlation_of(trace: &Trace, id: EventId) -> Serial {
    trace.call(id).map_or(NO_SERIAL, |call| call.correlation)
}
