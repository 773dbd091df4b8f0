//! The slices whose events start at a position in the input.

use std::ops::Range;

use stepscope_base::CompactSort;
use stepscope_trace::{EventId, Trace};

/// Size of a bucket of text, as a power of two: 64 KiB, some hundred events.
const BUCKET: u32 = 16;

/// Slices by the position of their events, in buckets; a bucket is sorted on its first use.
#[derive(Debug)]
pub(super) struct Starts {
    /// The first slice of each bucket. While counting: the number of slices in each bucket, shifted by one.
    buckets: Vec<u32>,
    slices: Vec<EventId>,
    sorted: Vec<bool>,
    /// The row that counting or distributing has reached: both go row by row, one after the other.
    row: usize,
    is_counted: bool,
}

impl Starts {
    pub(super) fn new(trace: &Trace) -> Self {
        let bytes = trace.meta.inputs.iter().map(|input| input.start + input.bytes).max().unwrap_or_default();
        let buckets = bucket_of(bytes) + 1;
        Self {
            buckets: vec![0; buckets + 2],
            slices: vec![EventId::NONE; trace.slices.len()],
            sorted: vec![false; buckets],
            row: 0,
            is_counted: false,
        }
    }

    /// Distributes that many more slices to the buckets. Returns whether that is done.
    pub(super) fn prepare(&mut self, trace: &Trace, rows: usize) -> bool {
        let all = trace.slices.len();
        let end = all.min(self.row + rows);
        for id in (self.row..end).map(EventId::from_index) {
            let bucket = self.bucket(trace.slices.position(id));
            if self.is_counted {
                // Each bucket's place moves to its end, where the next one begins.
                let place = &mut self.buckets[bucket + 1];
                self.slices[*place as usize] = id;
                *place += 1;
            } else {
                self.buckets[bucket + 2] += 1;
            }
        }
        self.row = end;
        if end < all {
            return false;
        }
        if !self.is_counted {
            self.is_counted = true;
            self.row = 0;
            let mut before = 0;
            for place in &mut self.buckets {
                before += *place;
                *place = before;
            }
            return all == 0;
        }
        true
    }

    fn bucket(&self, position: u64) -> usize {
        bucket_of(position).min(self.sorted.len() - 1)
    }

    /// The slices of a bucket by position.
    fn look(&mut self, trace: &Trace, bucket: usize) -> Range<usize> {
        let rows = self.buckets[bucket] as usize..self.buckets[bucket + 1] as usize;
        if !std::mem::replace(&mut self.sorted[bucket], true) {
            self.slices[rows.clone()].compact_sort_by_key(|id| (trace.slices.position(*id), *id));
        }
        rows
    }

    /// The last position in a range at which an event starts.
    pub(super) fn last_in(&mut self, trace: &Trace, range: Range<u64>) -> Option<u64> {
        let (first, last) = (self.bucket(range.start), self.bucket(range.end));
        (first..=last).rev().find_map(|bucket| {
            let rows = self.look(trace, bucket);
            let before = self.slices[rows.clone()].partition_point(|id| trace.slices.position(*id) < range.end);
            let position = trace.slices.position(self.slices[rows.start + before.checked_sub(1)?]);
            (position >= range.start).then_some(position)
        })
    }

    /// The first position in a range at which an event starts.
    pub(super) fn first_in(&mut self, trace: &Trace, range: Range<u64>) -> Option<u64> {
        let (first, last) = (self.bucket(range.start), self.bucket(range.end));
        (first..=last).find_map(|bucket| {
            let rows = self.look(trace, bucket);
            let before = self.slices[rows.clone()].partition_point(|id| trace.slices.position(*id) < range.start);
            let position = trace.slices.position(*self.slices[rows].get(before)?);
            (position < range.end).then_some(position)
        })
    }

    /// The slices of the event at a position.
    pub(super) fn at(&mut self, trace: &Trace, position: u64) -> &[EventId] {
        let bucket = self.bucket(position);
        let rows = self.look(trace, bucket);
        let of_bucket = &self.slices[rows];
        let from = of_bucket.partition_point(|id| trace.slices.position(*id) < position);
        let to = of_bucket.partition_point(|id| trace.slices.position(*id) <= position);
        &of_bucket[from..to]
    }
}

fn bucket_of(position: u64) -> usize {
    usize::try_from(position >> BUCKET).unwrap_or(usize::MAX)
}
