//! Classification of calls by name: their waits, and their effect on the order of streams.

use crate::idle::{is_blocking_copy, waits_for_device};

/// Target of the wait of a call of the runtime or driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Waits {
    /// No wait.
    #[default]
    Nothing,
    /// The work that it launched itself: it copies, and returns when the copy is done.
    Own,
    /// All launched work.
    Device,
    /// One stream.
    Stream,
    /// An event recorded on a stream.
    Event,
    /// A place in the full queue of a stream.
    Queue,
}

/// Effect of a call on the order of streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Orders {
    /// None.
    #[default]
    Nothing,
    /// It records an event after the work launched on a stream.
    Records,
    /// It makes the next launched work wait for an event of another stream.
    Awaits,
}

/// Wait of a call of that name, and its effect on the order of streams.
pub(super) fn meaning(name: &str) -> (Waits, Orders) {
    // CANN's calls begin with the name of their library: `AscendCL@aclrtSynchronizeStream`.
    let name = name.rsplit('@').next().unwrap_or(name);
    let orders = if name.contains("StreamWaitEvent") {
        Orders::Awaits
    } else if name.contains("EventRecord") || name.contains("RecordEvent") {
        Orders::Records
    } else {
        Orders::Nothing
    };
    (waits(name), orders)
}

fn waits(name: &str) -> Waits {
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if !waits_for_device(name) {
        return if is_blocking_copy(name) { Waits::Own } else { Waits::Nothing };
    }
    if has(&["Device", "Ctx", "Context"]) {
        Waits::Device
    } else if has(&["Event", "Await", "eady"]) {
        // JAX waits until arrays are ready, which is an event too.
        Waits::Event
    } else {
        Waits::Stream
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_calls() {
        for (name, expected) in [
            ("cudaDeviceSynchronize", Waits::Device),
            ("cuCtxSynchronize", Waits::Device),
            ("hipStreamSynchronize", Waits::Stream),
            ("AscendCL@aclrtSynchronizeStream", Waits::Stream),
            ("cudaEventSynchronize", Waits::Event),
            ("CommonPjRtBuffer::Await", Waits::Event),
            ("$api.py:3154 block_until_ready", Waits::Event),
            ("cudaMemcpy", Waits::Own),
            ("hipMemcpyWithStream", Waits::Own),
            ("cudaMemcpyAsync", Waits::Nothing),
            ("cudaGraphAddMemcpyNode", Waits::Nothing),
            ("cudaLaunchKernel", Waits::Nothing),
        ] {
            assert_eq!(meaning(name), (expected, Orders::Nothing), "{name}");
        }
        for (name, expected) in [
            ("cudaStreamWaitEvent", Orders::Awaits),
            ("hipStreamWaitEvent", Orders::Awaits),
            ("cudaEventRecordWithFlags", Orders::Records),
            ("aclrtRecordEvent", Orders::Records),
        ] {
            assert_eq!(meaning(name), (Waits::Nothing, expected), "{name}");
        }
    }
}
