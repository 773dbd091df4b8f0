//! A rule's measurement and its evidence.

use stepscope_base::{Interval, Nanos};
use stepscope_trace::EventId;

use super::claim::Claim;

use super::why::Exemption;
use crate::IdleLeaf;

/// A piece of evidence.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// A slice, and the part of time that matters.
    Slice(EventId, Interval),
    /// The slice with the longest of the pieces of the critical path that have its name, that piece, and the time of all on
    /// a mean path.
    Slices(EventId, Interval, Nanos),
    /// Time in which a device idles, and the slice that best shows the activity of the host.
    Gap {
        /// The device's number as the producer counts.
        device: i64,
        /// When it idles.
        span: Interval,
        /// The host's activity, where that is recorded and is the cause.
        host: Option<EventId>,
        /// The cause that takes most of it, as in the table of gaps; none if it is unknown.
        cause: Option<IdleLeaf>,
    },
    /// A rank of a job by its number, with its value and unit.
    Rank(u64, f64, AdviceUnit),
    /// An entry of a recorded table, or another part of a job, by its name, with its value and unit.
    Named(String, f64, AdviceUnit),
}

/// A rule's measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The value.
    pub value: f64,
    /// Its limit, where that depends on the trace; else the rule's first threshold.
    pub(super) threshold: Option<f64>,
    /// Another reason that keeps the rule from holding, whatever the value.
    pub(super) exemption: Option<Exemption>,
    /// Upper bound of the saving per step; none if unknown.
    pub gain: Option<Nanos>,
    /// The step that the gain is a part of, if the profiler's tables have one.
    pub(super) step: Option<Nanos>,
    /// The evidence, the longest first.
    pub evidence: Vec<Evidence>,
    /// The part of it that may be waiting for other ranks, as their job shows.
    pub(super) waits: Waits,
    /// The texts that fit the trace's devices, where a rule has several.
    pub(super) wording: Option<&'static str>,
    /// Time in which the devices lose its gain, until all rules are compared; none if unknown.
    pub(super) claim: Option<Claim>,
    /// Whether the gain is the wait for data that MindSpore's tables show.
    pub(super) waits_for_data: bool,
    /// The rank whose time between steps the gain is a part of, by its number.
    pub(super) between_steps_of: Option<u64>,
}

impl Measured {
    /// Exempts a rule about time if that is the time of a step that captures a graph.
    pub(super) fn of_steady_step(mut self, captures: bool) -> Self {
        if captures && (self.gain.is_some() || self.claim.is_some()) {
            self.exemption = Some(Exemption::CapturesGraph);
        }
        self
    }
}

/// The part of a rule's time that may be waiting for other ranks, which this rule's advice does not reduce.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Waits {
    /// Nothing.
    #[default]
    Nothing,
    /// The part of the gain that is exposed communication.
    Gain,
    /// The same, and the value is that as a part of the step. The value includes the wait, as everywhere else, but the
    /// rule holds by the part without it.
    GainAndValue,
    /// The gain is the time of these parts of collectives.
    Of(Vec<EventId>),
}

/// The unit of a value and its threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdviceUnit {
    /// A part of 1.
    Share,
    /// A length of time in ns.
    Nanoseconds,
    /// Bytes.
    Bytes,
    /// A number of things.
    Count,
    /// Bytes per second.
    ByteRate,
    /// Floating-point operations.
    Operations,
    /// The same per second.
    OperationRate,
}

impl AdviceUnit {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Share => "share",
            Self::Nanoseconds => "ns",
            Self::Bytes => "bytes",
            Self::Count => "count",
            Self::ByteRate => "bytes_per_second",
            Self::Operations => "flops",
            Self::OperationRate => "flops_per_second",
        }
    }
}
