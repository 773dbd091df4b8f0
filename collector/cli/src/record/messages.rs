//! Lines on standard error.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// Says what is wrong with the options, before anything is done.
pub(crate) fn bad_usage(message: &str) -> ExitCode {
    fail(format_args!("{message}"));
    ExitCode::from(2)
}

/// Says something to a person. A terminal that has gone is no reason not to go on.
pub(super) fn say(what: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "stepscope: {what}");
}

/// Says what went wrong.
pub(super) fn fail(what: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "error: {what}");
}

/// A time in seconds, as a person reads it.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
