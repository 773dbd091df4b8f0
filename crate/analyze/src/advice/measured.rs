//! A rule's measurement and its evidence.

use stepscope_base::{Interval, Nanos};
use stepscope_trace::EventId;

use super::claim::Claim;

use super::why::Exemption;
use crate::IdleLeaf;

/// Something to look at.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// A slice, and the part of time that matters.
    Slice(EventId, Interval),
    /// Time in which a device idles, and the slice that shows best what the host did meanwhile.
    Gap {
        /// The device's number as the producer counts.
        device: i64,
        /// When it idles.
        span: Interval,
        /// The host's activity, where that is recorded and is the cause.
        host: Option<EventId>,
        /// The cause that takes most of it, as the table of gaps says; none where that is not known.
        cause: Option<IdleLeaf>,
    },
    /// Something of a recorded table, or of a job, by its name, and its own value.
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
    /// At most so much of a step could be saved; none where there is no telling.
    pub gain: Option<Nanos>,
    /// The step that this is a part of, where the profiler's tables tell one.
    pub(super) step: Option<Nanos>,
    /// Where it shows most, the longest first.
    pub evidence: Vec<Evidence>,
    /// The part of it that may be waiting for other ranks, which their job tells.
    pub(super) waits: Waits,
    /// The texts that fit the trace's devices, where a rule has several.
    pub(super) wording: Option<&'static str>,
    /// When the devices lose what it promises, until all rules were compared; none where that is not known.
    pub(super) claim: Option<Claim>,
    /// Whether the gain is the wait for data that MindSpore's tables show.
    pub(super) waits_for_data: bool,
    /// The rank whose time between steps the gain is a part of, by its number.
    pub(super) between_steps_of: Option<u64>,
}

impl Measured {
    /// Excuses a rule about time, if that is the time of a step that captures a graph.
    pub(super) fn of_steady_step(mut self, captures: bool) -> Self {
        if captures && (self.gain.is_some() || self.claim.is_some()) {
            self.exemption = Some(Exemption::CapturesGraph);
        }
        self
    }
}

/// The part of a rule's time that may be waiting for other ranks: mending that is not this rule's matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Waits {
    /// Nothing.
    #[default]
    Nothing,
    /// The part of the gain that is exposed communication.
    Gain,
    /// The same, and the value is that as a part of the step. The value keeps the wait, as wherever it is shown, but the rule
    /// holds by what is left without it.
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
