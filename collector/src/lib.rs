//! Stepscope's recorder: spans, instant events, counters and more of a running program, in files that survive a kill at
//! any moment.
//!
//! [`start`] makes a folder of recordings, one per process; [`span!`], [`mark()`], [`counter`] and the like put events
//! into them; [`recover`] makes one compact file of them. All are a relaxed load while nothing is recorded.
//!
//! [`Profiler`] records chosen steps of a training loop; [`Timer`] counts; [`instrument`] makes functions spans.
//!
//! It is made for Linux. On other Unix systems nothing is sampled beside it; elsewhere spans, counters and the like are in
//! the file only once their segment is full, their thread ended or recording stopped.
//!
//! The feature `tracing` adds a layer for `tracing_subscriber`; `gpu` samples GPUs, where NVIDIA's management library is.

/// The example of the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the book, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../docs/src/recording/rust.md")]
#[doc = include_str!("../../docs/src/zh/recording/rust.md")]
struct Book;

#[cfg(feature = "tracing")]
mod layer;
mod profile;
mod record;
mod recover;
pub mod sample;

/// Interface between the injection library and the recorder: not part of the public API.
#[doc(hidden)]
pub mod internal {
    pub use crate::record::{Source, attach_source, began, lost, realtime, thread_id, without_signals};
}

#[cfg(feature = "tracing")]
pub use layer::TracingLayer;
pub use profile::{
    CostLine, CostSummary, Cycle, Profiler, ProfilerOptions, Recorded, Scheduler, State, Timer, TimerStatistics,
    Timing, all_timer_status, count_timers, export_compact, reset_timers, timed, timer_status, timer_table, timers,
};
#[cfg(unix)]
pub use record::stop_recordings;
pub use record::{
    AsName, ClockSource, CommandLine, EnvironmentClock, EnvironmentKeep, EnvironmentOptions, Keep, MINDSPORE_VARIABLE,
    Mark, MemoryDevice, Name, NameNumber, Options, Span, SpanHandle, StaticName, Target, VARIABLE, Value, activity,
    allocated, argument, async_begin, async_end, begin_span, counter, counter_of, create_private,
    create_private_folder, device_detail, end_span, flow_end, flow_start, flow_step, freed, ignore_environment,
    is_recording, mark, memory_at, name_thread, now, polled, recording_path, start, stop,
};
pub use recover::{RankRecordings, Recovered, ranks, recover, recover_file, recover_rank};
pub use stepscope_format::{Category, device};
/// Makes a function a span, from its call to its return: `#[instrument]`.
///
/// Between parentheses, in any order and all optional: `name = "…"` (the function's own, if there is none), `category = …`
/// (one of [`Category`]'s names), `value = …` (the span's number), `arguments(…)` (the function's parameters by name, or
/// `key = expression`; only evaluated while the process is being recorded), `crate = …` (where this crate is found).
///
/// Each poll of an `async fn` is a span of the thread that polls it, the first one with the arguments. Its life is an
/// asynchronous operation: see [`polled`]. A function that returns a future is a span only until it returns it.
///
/// ```
/// use stepscope_collector::instrument;
///
/// #[instrument]
/// fn normalize(values: &mut [f32]) {
///     let sum: f32 = values.iter().sum();
///     values.iter_mut().for_each(|value| *value /= sum);
/// }
///
/// #[instrument(name = "forward pass", category = Forward, arguments(layers, width = input.len()))]
/// fn forward(layers: u32, input: &[f32]) -> f32 {
///     input.iter().sum::<f32>() * layers as f32
/// }
///
/// #[instrument(category = DataLoader)]
/// async fn next_batch(reader: &str) -> std::io::Result<String> {
///     let text = std::future::ready(std::io::Result::Ok(reader.to_owned())).await?;
///     Ok(text)
/// }
/// # normalize(&mut [1.0, 3.0]);
/// # assert_eq!(forward(2, &[1.5]), 3.0);
/// # drop(next_batch("0.bin"));
/// ```
pub use stepscope_macros::instrument;
