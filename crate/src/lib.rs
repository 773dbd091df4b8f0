//! Stepscope reads the traces that profilers of training write, and says where each step's time goes.
//!
//! ```text
//! bytes in chunks ─► input ─► parse ─► read ─► trace ─► analyze ─► present, export ─► report
//!                    what     syntax   one     columns  numbers    text, tables, charts, files
//!                    is it?            producer                    └─ web: the browser's edge
//!                                      each
//! ```
//!
//! This is the way of the data; ARCHITECTURE.md has the dependencies. What holds everywhere, and is tested:
//!
//! - Nothing ever holds a trace's whole text.
//! - Times are integer nanoseconds; a decimal microsecond never goes through a float.
//! - A [`trace::Trace`] is built by one builder and never changes afterwards.
//! - An analysis is one pure, total function: it cannot fail, and knows no text, clock, file or JS.
//! - Whatever can be survived is a [`Warning`]; an [`Error`] names the file and the byte.
//! - Only `web` knows JavaScript. Natively, nothing here does any IO.
//!
//! The way in is [`Loader`], then [`Rank::new`]:
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
