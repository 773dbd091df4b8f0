//! Stepscope reads traces from profilers of training, and shows where the time of each step goes.
//!
//! ```text
//! bytes in chunks ─► input ─► parse ─► read ─► trace ─► analyze ─► present, export ─► report
//!                    format   syntax   one     columns  numbers    text, tables, charts, files
//!                    detection         producer                    └─ web: the browser's edge
//!                                      each
//! ```
//!
//! This is the flow of data; ARCHITECTURE.md has the dependencies. These rules apply everywhere and are tested:
//!
//! - A trace's whole text is never in memory.
//! - Times are integer nanoseconds; a decimal microsecond never goes through a float.
//! - A [`trace::Trace`] is built by one builder and never changes afterwards.
//! - An analysis is one pure, total function: it cannot fail, and uses no text, clock, file or JS.
//! - Recoverable problems are [`Warning`]s; an [`Error`] names the file and the byte.
//! - Only `web` uses JavaScript. Natively, nothing here does any IO.
//!
//! The entry points are [`Loader`], then [`Rank::new`]:
//!
//! ```
//! use stepscope::{Loader, Rank, analyze::AnalysisConfig};
//!
//! let text = br#"{"deviceProperties": [], "traceEvents": [
//!   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20},
//!   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":2,"dur":5},
//!   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":3,"dur":2,"args":{"correlation":9}},
//!   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":15,"args":{"stream":7,"correlation":9}}
//! ]}"#;
//! let mut loader = Loader::new("example.json");
//! loader.space(text.len()).copy_from_slice(text);
//! loader.advance(text.len())?;
//! let rank = Rank::new("example.json", text.len() as u64, loader.finish()?, &AnalysisConfig::standard());
//! let step = &rank.analysis.steps.steps[0];
//! assert_eq!((step.name.as_str(), step.span.len().0), ("3", 25_000)); // the kernel outlasts the mark
//! # Ok::<(), stepscope::Error>(())
//! ```

/// The example of the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(target_arch = "wasm32")]
pub mod web;
mod wire;

pub use self::wire::page_schema;
pub use stepscope_analyze::{
    Rank, job_of, job_of_digests, numbered_digests, rank_in_name, rows_in_job, run_name, run_steps, runs_of,
};
pub use stepscope_base::{
    Code, Error, ErrorKind, Interval, Nanos, RejectionReason, Severity, Warning, Warnings, div_half_even,
};
pub use stepscope_input::{Loader, Progress};
pub use stepscope_trace::Loaded;
pub use {
    stepscope_analyze as analyze, stepscope_base as base, stepscope_export as export, stepscope_input as input,
    stepscope_parse as parse, stepscope_present as present, stepscope_read as read, stepscope_report as report,
    stepscope_table as table, stepscope_trace as trace,
};
