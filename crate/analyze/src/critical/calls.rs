//! What a call's name says of whom it waits for, and of the order of streams.

/// For what a call of the runtime or driver makes its thread wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Waits {
    /// For nothing.
    #[default]
    Nothing,
    /// For what it launched itself: it copies, and returns when that is done.
    Own,
    /// For all that was launched.
    Device,
    /// For one stream.
    Stream,
    /// For an event that was recorded on a stream.
    Event,
}

/// What a call does to the order of streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Orders {
    /// Nothing.
    #[default]
    Nothing,
    /// It records an event behind what was launched on a stream.
    Records,
    /// It makes what is launched next wait for an event of another stream.
    Awaits,
}

/// What a call of that name does.
pub(super) fn meaning(name: &str) -> (Waits, Orders) {
    // CANN's calls say of which library they are: `AscendCL@aclrtSynchronizeStream`.
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
    const LONGEST_PREFIX: usize = "aclrt".len();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if has(&["ynchronize", "QueueFinish", "urEventWait"]) {
        return if has(&["Device", "Ctx", "Context"]) {
            Waits::Device
        } else if name.contains("Event") {
            Waits::Event
        } else {
            Waits::Stream
        };
    }
    let copies = name.find("Memcpy").is_some_and(|at| at <= LONGEST_PREFIX) && !name.contains("Async");
    if copies { Waits::Own } else { Waits::Nothing }
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
