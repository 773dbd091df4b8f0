//! Lines about CUPTI, for a person and in the recording.

use stepscope_collector::mark;

use super::library::Status;

/// Prints a message, and puts it into the recording.
pub(super) fn say(what: &str) {
    eprintln!("stepscope: {what}");
    mark(what, 0);
}

/// The meaning of CUPTI's statuses, for a person.
pub(super) fn reason(status: Status) -> String {
    match status {
        35 => "CUPTI may only be used by administrators here (see NVIDIA's ERR_NVGPUCTRPERM)".to_owned(),
        39 => "another profiler has CUPTI already".to_owned(),
        40 | 33 => "CUPTI does not work on this virtual device".to_owned(),
        status => format!("CUPTI says {status}"),
    }
}
