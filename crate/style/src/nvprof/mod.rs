//! nvprof's output: totals by name, and traces of devices and of calls; as text or, as with `--csv`, separated by
//! commas.
//!
//! The layout is that of CUDA 9 to 12; the summary also has that of CUDA 5 to 8. Traces have less data than nvprof in
//! two points. Most give a kernel's shared memory as one sum, which is printed below `SSMem` with a note. Contexts
//! are missing in all of them.

mod number;
mod summary;
mod traces;

pub use self::summary::summary;
pub use self::traces::{calls, devices};

use super::TimeUnit;
use stepscope_present::csv;
use stepscope_trace::Trace;

/// The options of nvprof that change how it prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NvprofStyle {
    /// Whether rows are written with commas (`--csv`).
    pub csv: bool,
    /// The unit of all times (`--normalized-time-unit`); `None`: a suitable one for each number, or in a CSV for each
    /// column.
    pub unit: Option<TimeUnit>,
    /// Whether the summary has the layout of CUDA 5 to 8: a table of activities and one of calls, without a column of types.
    pub before_9: bool,
}

/// The prefix of each message.
fn sign(process: Option<i64>) -> String {
    process.map_or_else(|| "======== ".to_owned(), |process| format!("=={process}== "))
}

/// The messages before a table.
fn heading(trace: &Trace, process: Option<i64>, style: NvprofStyle) -> String {
    let sign = sign(process);
    let fact = |name: &str| trace.meta.facts.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let application = fact("application").or_else(|| fact("command"));
    let text = |text: &str| if style.csv { csv::line(text) } else { text.to_owned() };
    let application =
        application.map(text).map(|text| format!("{sign}Profiling application: {text}\n")).unwrap_or_default();
    format!("{application}{sign}Profiling result:\n")
}

#[cfg(test)]
mod tests;
