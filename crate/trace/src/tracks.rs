//! Processes and tracks.

use std::ops::Range;

use super::ids::{EventId, NameId, ProcessId};

/// A process or thread id as the producer wrote it: a number or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RawId {
    /// A number, maybe negative.
    Number(i64),
    /// A text, such as Kineto's `Spans`.
    Text(NameId),
}

impl RawId {
    /// Its number as a device or stream: zero if it is a text.
    #[must_use]
    pub fn number(self) -> i64 {
        match self {
            Self::Number(number) => number,
            Self::Text(_) => 0,
        }
    }
}

impl Default for RawId {
    fn default() -> Self {
        Self::Number(0)
    }
}

/// The layer of a thread or stream in a track. Slices nest only within a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Operators, annotations and runtime calls of a host thread.
    Host,
    /// The Python functions of a host thread.
    Python,
    /// The activities of a device's stream.
    Device,
    /// Host ranges mirrored to a device's stream.
    DeviceAnnotation,
    /// Synchronization and markers on a device's stream.
    DeviceSync,
    /// The profiler's own rows.
    Profiler,
    /// Operations of a kind without a thread; they overlap freely, and never nest.
    Async,
}

impl Layer {
    /// All of them.
    pub(super) const ALL: [Self; 7] =
        [Self::Host, Self::Python, Self::Device, Self::DeviceAnnotation, Self::DeviceSync, Self::Profiler, Self::Async];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Python => "python",
            Self::Device => "device",
            Self::DeviceAnnotation => "device_annotation",
            Self::DeviceSync => "device_sync",
            Self::Profiler => "profiler",
            Self::Async => "async",
        }
    }
}

/// A device and one of its streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stream {
    /// The device's number as the producer counts; not a rank.
    pub device: i64,
    /// The stream's number on it.
    pub stream: i64,
}

/// One layer of a thread or stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// Its process.
    pub process: ProcessId,
    /// The thread's or stream's id as the producer wrote it.
    pub thread: RawId,
    /// Its layer.
    pub layer: Layer,
    /// The device's stream, for device layers.
    pub stream: Option<Stream>,
    /// The thread's name, if the producer gave one.
    pub name: NameId,
    /// Its place among its process's threads, from the producer.
    pub sort_index: i64,
    /// Its slices: a range of [`EventId`]s.
    pub(super) slices: (u32, u32),
}

impl Track {
    /// The rows of its slices.
    #[must_use]
    pub fn rows(&self) -> Range<usize> {
        self.slices.0 as usize..self.slices.1 as usize
    }

    /// Its slices, by start.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = EventId> + use<> {
        (self.slices.0..self.slices.1).map(EventId)
    }
}

/// A process, or a device shown as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its id as the producer wrote it.
    pub id: RawId,
    /// Its name, if the producer gave one.
    pub name: NameId,
    /// Its labels, such as `CPU` or `GPU 0`.
    pub labels: NameId,
    /// Its place among the processes, from the producer.
    pub sort_index: i64,
}
