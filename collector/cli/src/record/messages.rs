//! Lines on standard error.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// Prints an error in the options, before anything is done.
pub(crate) fn bad_usage(message: &str) -> ExitCode {
    fail(format_args!("{message}"));
    ExitCode::from(2)
}

/// Prints a message. A closed terminal is not an error.
pub(super) fn say(what: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "stepscope: {what}");
}

/// Prints an error.
pub(super) fn fail(what: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "error: {what}");
}

/// A time in seconds, for messages.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
