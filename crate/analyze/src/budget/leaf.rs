//! The leaves of the budget: each nanosecond has one. INSIGHT section 5.

use std::array;

use crate::IdleLeaf;
use crate::flops::RoofFamily;
use crate::roofline::NoRoof;
use stepscope_base::Nanos;

/// The kind of a copy: its direction, and the host's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CopyKind {
    /// From the host's pageable memory.
    FromPageable,
    /// From the host's pinned memory.
    FromPinned,
    /// From the host; the trace does not show from which memory.
    FromHost,
    /// To the host's pageable memory.
    ToPageable,
    /// To the host's pinned memory.
    ToPinned,
    /// To the host; the trace does not show to which memory.
    ToHost,
    /// Inside of a device.
    OnDevice,
    /// Between devices.
    PeerToPeer,
    /// The trace does not show the direction.
    Unknown,
}

impl CopyKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::FromPageable,
        Self::FromPinned,
        Self::FromHost,
        Self::ToPageable,
        Self::ToPinned,
        Self::ToHost,
        Self::OnDevice,
        Self::PeerToPeer,
        Self::Unknown,
    ];

    /// The kind of a copy by its name, such as `Memcpy HtoD (Pageable -> Device)`.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let lower = name.to_ascii_lowercase();
        let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
        let (pageable, pinned) = (has(&["pageable"]), has(&["pinned"]));
        let by_memory = |[is_pageable, is_pinned, unknown]: [Self; 3]| match (pageable, pinned) {
            (true, false) => is_pageable,
            (false, true) => is_pinned,
            _ => unknown,
        };
        if has(&["htod", "hosttodevice", "host_to_device", "host to device", "h2d"]) {
            by_memory([Self::FromPageable, Self::FromPinned, Self::FromHost])
        } else if has(&["dtoh", "devicetohost", "device_to_host", "device to host", "d2h"]) {
            by_memory([Self::ToPageable, Self::ToPinned, Self::ToHost])
        } else if has(&["ptop", "peertopeer", "peer to peer", "p2p"]) {
            Self::PeerToPeer
        } else if has(&["dtod", "devicetodevice", "device_to_device", "device to device", "d2d"]) {
            Self::OnDevice
        } else {
            Self::Unknown
        }
    }
}

/// A blocking cause whose time costs lead: the host falls behind while the device is still busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Debt {
    /// The host waited for the device.
    Synchronization,
    /// The host waited for data.
    Data,
    /// The host allocated or freed memory.
    Allocation,
    /// The host collected garbage.
    GarbageCollection,
    /// The host compiled, tuned or loaded kernels.
    Compile,
    /// The host was in a collective of its own.
    HostCollective,
}

impl Debt {
    /// All of them, in the order in which they are paid off.
    pub const ALL: [Self; 6] = [
        Self::Synchronization,
        Self::Data,
        Self::Allocation,
        Self::GarbageCollection,
        Self::Compile,
        Self::HostCollective,
    ];

    /// The debt that a thread makes in such a leaf; none if it works.
    pub(super) fn of(leaf: IdleLeaf) -> Option<Self> {
        Some(match leaf {
            IdleLeaf::Synchronization => Self::Synchronization,
            IdleLeaf::DataWait => Self::Data,
            IdleLeaf::Allocation => Self::Allocation,
            IdleLeaf::GarbageCollection => Self::GarbageCollection,
            IdleLeaf::Compile | IdleLeaf::ModuleLoad => Self::Compile,
            IdleLeaf::HostCollective => Self::HostCollective,
            _ => return None,
        })
    }
}

/// The use of a nanosecond of a device's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BudgetLeaf {
    /// The time that kernels would take at the device's limit.
    AtRoof(RoofFamily),
    /// The time that kernels take beyond that.
    AboveRoof(RoofFamily),
    /// The time that products in float32 take longer than with numbers that the device multiplies faster: TF32, or 16
    /// bits where it has no TF32.
    Float32Products,
    /// Kernels whose limit is not known.
    RoofUnknown(NoRoof),
    /// Exposed communication: the data is on its way, as all ranks have arrived.
    Transfer,
    /// Exposed communication: other ranks have not arrived yet.
    WaitingForRanks,
    /// Exposed communication; without the other ranks' traces it cannot be split.
    CommunicationNotSplit,
    /// Exposed copies.
    Copy(CopyKind),
    /// Exposed memsets.
    Memset,
    /// No activity.
    Idle(IdleLeaf),
    /// No activity, since the host lost its lead before: it works with an empty queue.
    LeadLost(Debt),
    /// No activity, and the host is in a call that takes more than a millisecond, such as the first one of a kernel.
    SlowCall,
    /// Between two steps that count and follow each other, whatever the device does there.
    BetweenSteps,
    /// Outside of the steps, whatever the device does there.
    OutsideSteps,
}

const FAMILIES: usize = RoofFamily::ALL.len();
const ABOVE: usize = FAMILIES;
const FLOAT32: usize = ABOVE + FAMILIES;
const UNKNOWN: usize = FLOAT32 + 1;
const COMMUNICATION: usize = UNKNOWN + NoRoof::ALL.len();
const COPIES: usize = COMMUNICATION + 3;
const MEMSET: usize = COPIES + CopyKind::ALL.len();
const IDLE: usize = MEMSET + 1;
const LOST: usize = IDLE + IdleLeaf::ALL.len();
const SLOW: usize = LOST + Debt::ALL.len();
const BETWEEN: usize = SLOW + 1;
const OUTSIDE: usize = BETWEEN + 1;

/// The number of leaves.
const LEAVES: usize = OUTSIDE + 1;

impl BudgetLeaf {
    /// All leaves, in the order of the tree.
    #[must_use]
    pub fn all() -> [Self; LEAVES] {
        array::from_fn(Self::at)
    }

    fn at(index: usize) -> Self {
        match index {
            ..ABOVE => Self::AtRoof(RoofFamily::ALL[index]),
            ABOVE..FLOAT32 => Self::AboveRoof(RoofFamily::ALL[index - ABOVE]),
            FLOAT32 => Self::Float32Products,
            UNKNOWN..COMMUNICATION => Self::RoofUnknown(NoRoof::ALL[index - UNKNOWN]),
            COPIES..MEMSET => Self::Copy(CopyKind::ALL[index - COPIES]),
            MEMSET => Self::Memset,
            IDLE..LOST => Self::Idle(IdleLeaf::ALL[index - IDLE]),
            LOST..SLOW => Self::LeadLost(Debt::ALL[index - LOST]),
            SLOW => Self::SlowCall,
            BETWEEN => Self::BetweenSteps,
            OUTSIDE.. => Self::OutsideSteps,
            _ => [Self::Transfer, Self::WaitingForRanks, Self::CommunicationNotSplit][index - COMMUNICATION],
        }
    }

    pub(super) fn index(self) -> usize {
        match self {
            Self::AtRoof(family) => family as usize,
            Self::AboveRoof(family) => ABOVE + family as usize,
            Self::Float32Products => FLOAT32,
            Self::RoofUnknown(why) => UNKNOWN + why as usize,
            Self::Transfer => COMMUNICATION,
            Self::WaitingForRanks => COMMUNICATION + 1,
            Self::CommunicationNotSplit => COMMUNICATION + 2,
            Self::Copy(kind) => COPIES + kind as usize,
            Self::Memset => MEMSET,
            Self::Idle(leaf) => IDLE + leaf as usize,
            Self::LeadLost(debt) => LOST + debt as usize,
            Self::SlowCall => SLOW,
            Self::BetweenSteps => BETWEEN,
            Self::OutsideSteps => OUTSIDE,
        }
    }

    /// The branch of the tree that it belongs to.
    #[must_use]
    pub fn branch(self) -> Branch {
        match self {
            Self::AtRoof(_) | Self::AboveRoof(_) | Self::Float32Products | Self::RoofUnknown(_) => Branch::Compute,
            Self::Transfer | Self::WaitingForRanks | Self::CommunicationNotSplit => Branch::ExposedCommunication,
            Self::Copy(_) => Branch::ExposedCopies,
            Self::Memset => Branch::ExposedSets,
            Self::Idle(IdleLeaf::BeforeFirst) => Branch::StateUnknown,
            Self::Idle(IdleLeaf::Uncovered) => Branch::NotRecorded,
            Self::Idle(_) | Self::LeadLost(_) | Self::SlowCall => Branch::Idle,
            Self::BetweenSteps => Branch::BetweenSteps,
            Self::OutsideSteps => Branch::OutsideSteps,
        }
    }

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AtRoof(family) => match family {
                RoofFamily::Matrix => "at_roof_matrix",
                RoofFamily::Convolution => "at_roof_convolution",
                RoofFamily::Attention => "at_roof_attention",
                RoofFamily::Norm => "at_roof_norm",
                RoofFamily::Softmax => "at_roof_softmax",
                RoofFamily::Elementwise => "at_roof_elementwise",
                RoofFamily::Copy => "at_roof_copy",
            },
            Self::AboveRoof(family) => match family {
                RoofFamily::Matrix => "above_roof_matrix",
                RoofFamily::Convolution => "above_roof_convolution",
                RoofFamily::Attention => "above_roof_attention",
                RoofFamily::Norm => "above_roof_norm",
                RoofFamily::Softmax => "above_roof_softmax",
                RoofFamily::Elementwise => "above_roof_elementwise",
                RoofFamily::Copy => "above_roof_copy",
            },
            Self::Float32Products => "float32_products",
            Self::RoofUnknown(why) => match why {
                NoRoof::Unlinked => "roof_unknown_unlinked",
                NoRoof::Graph => "roof_unknown_graph",
                NoRoof::NoShapes => "roof_unknown_no_shapes",
                NoRoof::NoFormula => "roof_unknown_no_formula",
                NoRoof::NoPeaks => "roof_unknown_no_peaks",
                NoRoof::Impossible => "roof_unknown_impossible",
            },
            Self::Transfer => "transfer",
            Self::WaitingForRanks => "waiting_for_ranks",
            Self::CommunicationNotSplit => "communication_not_split",
            Self::Copy(kind) => match kind {
                CopyKind::FromPageable => "copy_from_pageable",
                CopyKind::FromPinned => "copy_from_pinned",
                CopyKind::FromHost => "copy_from_host",
                CopyKind::ToPageable => "copy_to_pageable",
                CopyKind::ToPinned => "copy_to_pinned",
                CopyKind::ToHost => "copy_to_host",
                CopyKind::OnDevice => "copy_on_device",
                CopyKind::PeerToPeer => "copy_peer_to_peer",
                CopyKind::Unknown => "copy_unknown",
            },
            Self::Memset => "memset",
            Self::Idle(leaf) => leaf.name(),
            Self::LeadLost(debt) => match debt {
                Debt::Synchronization => "lead_lost_synchronization",
                Debt::Data => "lead_lost_data",
                Debt::Allocation => "lead_lost_allocation",
                Debt::GarbageCollection => "lead_lost_garbage_collection",
                Debt::Compile => "lead_lost_compile",
                Debt::HostCollective => "lead_lost_host_collective",
            },
            Self::SlowCall => "slow_call",
            Self::BetweenSteps => "between_steps",
            Self::OutsideSteps => "outside_steps",
        }
    }
}

/// The first level of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Branch {
    /// A compute kernel runs.
    Compute,
    /// A communication kernel runs, and no compute kernel.
    ExposedCommunication,
    /// A copy runs, and no kernel.
    ExposedCopies,
    /// A memset runs, and nothing else.
    ExposedSets,
    /// Nothing runs.
    Idle,
    /// The device may run work from before the recording.
    StateUnknown,
    /// The timeline does not cover the step.
    NotRecorded,
    /// Between steps.
    BetweenSteps,
    /// Outside of the steps.
    OutsideSteps,
}

impl Branch {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Compute,
        Self::ExposedCommunication,
        Self::ExposedCopies,
        Self::ExposedSets,
        Self::Idle,
        Self::StateUnknown,
        Self::NotRecorded,
        Self::BetweenSteps,
        Self::OutsideSteps,
    ];

    /// The class of time whose color it has in charts.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Self::Compute => "kernel",
            Self::ExposedCommunication => "communication",
            Self::ExposedCopies => "memcpy",
            Self::ExposedSets => "memset",
            Self::Idle => "idle",
            Self::StateUnknown => "delay",
            Self::NotRecorded => "annotation",
            Self::BetweenSteps => "cpu",
            Self::OutsideSteps => "other",
        }
    }

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::ExposedCommunication => "exposed_communication",
            Self::ExposedCopies => "exposed_copies",
            Self::ExposedSets => "exposed_sets",
            Self::Idle => "idle",
            Self::StateUnknown => "state_unknown_at_start",
            Self::NotRecorded => "not_recorded",
            Self::BetweenSteps => "between_steps",
            Self::OutsideSteps => "outside_steps",
        }
    }
}

/// Times by leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetTimes([Nanos; LEAVES]);

impl Default for BudgetTimes {
    fn default() -> Self {
        Self([Nanos::ZERO; LEAVES])
    }
}

impl BudgetTimes {
    /// The time of a leaf.
    #[must_use]
    pub fn get(&self, leaf: BudgetLeaf) -> Nanos {
        self.0[leaf.index()]
    }

    /// The time of all leaves for which `is_such` is true.
    #[must_use]
    pub fn sum(&self, mut is_such: impl FnMut(BudgetLeaf) -> bool) -> Nanos {
        self.leaves().filter(|(leaf, _)| is_such(*leaf)).map(|(_, time)| time).sum()
    }

    /// The time of all leaves: the length of the window.
    #[must_use]
    pub fn total(&self) -> Nanos {
        self.0.iter().copied().sum()
    }

    /// The leaves that have time, in the order of the tree.
    pub fn leaves(&self) -> impl Iterator<Item = (BudgetLeaf, Nanos)> + '_ {
        let leaves = self.0.iter().enumerate().filter(|(_, time)| **time != Nanos::ZERO);
        leaves.map(|(index, time)| (BudgetLeaf::at(index), *time))
    }

    pub(super) fn add(&mut self, leaf: BudgetLeaf, time: Nanos) {
        self.0[leaf.index()] += time;
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        for (sum, more) in self.0.iter_mut().zip(&other.0) {
            *sum += *more;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_leaf_has_its_place_and_name() {
        let all = BudgetLeaf::all();
        assert!(all.iter().enumerate().all(|(index, leaf)| leaf.index() == index));
        assert_eq!(all.iter().map(|leaf| leaf.name()).collect::<BTreeSet<_>>().len(), LEAVES);
    }

    #[test]
    fn copies_by_their_names() {
        for (name, kind) in [
            ("Memcpy HtoD (Pageable -> Device)", CopyKind::FromPageable),
            ("Memcpy DtoH (Device -> Pinned)", CopyKind::ToPinned),
            ("Memcpy DtoD (Device -> Device)", CopyKind::OnDevice),
            ("Memcpy PtoP (Device -> Device)", CopyKind::PeerToPeer),
            ("MEMCPY_HtoD", CopyKind::FromHost),
            ("CopyDeviceToHost", CopyKind::ToHost),
            ("dma_0", CopyKind::Unknown),
        ] {
            assert_eq!(CopyKind::of(name), kind, "{name}");
        }
    }
}
