//! Events from the simulation to the writer.

#[derive(Clone, Debug)]
pub(in crate::generator) struct Event {
    pub(in crate::generator) kind: Kind,
    pub(in crate::generator) name: String,
    pub(in crate::generator) start: i64,
    pub(in crate::generator) length: i64,
    pub(in crate::generator) backward_thread: bool,
}

/// The inputs of an operator's call, as PyTorch's profiler writes them: JSON arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::generator) struct Inputs {
    pub(in crate::generator) types: String,
    pub(in crate::generator) dims: String,
    pub(in crate::generator) concrete: String,
}

#[derive(Clone, Debug)]
pub(in crate::generator) enum Kind {
    Operator {
        id: u64,
        sequence: Option<u64>,
        backward: bool,
        collective: Option<u64>,
        /// Its inputs, unless the writer invents them.
        inputs: Option<Inputs>,
    },
    Annotation {
        id: u64,
    },
    Python {
        id: u64,
        parent: u64,
    },
    Call {
        id: u64,
        correlation: u64,
        /// Whether the device has an activity for it.
        launches: bool,
    },
    Kernel {
        id: u64,
        correlation: u64,
        stream: u64,
        collective: Option<u64>,
    },
    Memcpy {
        id: u64,
        correlation: u64,
        stream: u64,
        bytes: u64,
    },
    Memset {
        id: u64,
        correlation: u64,
        bytes: u64,
    },
    /// A wait for a stream or an event, or a stream's for an event, as the profiler records it on the device.
    Wait {
        correlation: u64,
        /// The stream that is waited for, or that waits; negative for all.
        stream: i64,
        /// The stream on which the event was recorded, and the correlation of the call that did.
        event: Option<(u64, u64)>,
    },
    /// A flow's start on the forward operator, and its end on the backward one.
    ForwardBackward {
        id: u64,
        end: bool,
    },
    Memory {
        address: u64,
        bytes: i64,
        allocated: i64,
        reserved: i64,
    },
}

impl Event {
    pub(in crate::generator) fn is_slice(&self) -> bool {
        !matches!(self.kind, Kind::ForwardBackward { .. } | Kind::Memory { .. })
    }

    /// Kineto writes the host's operators first, then each call with its activity.
    pub(in crate::generator) fn order(&self) -> u8 {
        match self.kind {
            Kind::Operator { .. } | Kind::Annotation { .. } => 0,
            Kind::Python { .. } => 1,
            Kind::Memory { .. } => 2,
            Kind::ForwardBackward { .. } => 3,
            Kind::Call { .. } | Kind::Kernel { .. } | Kind::Memcpy { .. } | Kind::Memset { .. } | Kind::Wait { .. } => {
                4
            }
        }
    }
}
