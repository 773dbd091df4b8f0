//! What has a time but no length: memory events, counters, marks.

use super::ids::{NameId, ProcessId, TrackId};
use crate::units::Nanos;

/// An allocation or a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryEvent {
    /// When.
    pub at: Nanos,
    /// On which thread.
    pub track: TrackId,
    /// The block's address.
    pub address: u64,
    /// The block's bytes; negative when it is released.
    pub bytes: i64,
    /// Bytes allocated afterwards, as the producer counts; `None` where it does not.
    pub allocated: Option<i64>,
    /// Bytes reserved afterwards, as the producer counts.
    pub reserved: Option<i64>,
    /// Whose memory: `None` for the host's.
    pub device: Option<i64>,
}

/// A value of a counter from a point in time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// From when on.
    pub at: Nanos,
    /// The value.
    pub value: f64,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// Whose it is.
    pub process: ProcessId,
    /// The counter's name.
    pub name: NameId,
    /// Which of the counter's values; may be empty.
    pub series: NameId,
    /// Its values by time.
    pub samples: Vec<Sample>,
}

/// A mark on a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// When.
    pub at: Nanos,
    /// Where.
    pub track: TrackId,
    /// Its name.
    pub name: NameId,
}
