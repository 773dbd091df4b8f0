//! MindSpore's profiler: its timelines and, if there is none, the recorded raw times.
//!
//! Producer: `mindspore.Profiler` 1.x to 2.10 on Ascend, GPU and CPU, and msprof (CANN), whose exports are in the
//! same folder. [`part`] has the folder's layouts, and assigns files to ranks.
//!
//! Read as events, for each rank:
//!
//! | file | clock |
//! |---|---|
//! | `trace_view.json` (2.4 on), `gpu_timeline_display_N.json` | since 1970 |
//! | `cpu_timeline_display_N.json` (2.0) | the host's monotonic clock |
//! | `[ascend_]timeline_display_N.json` | since the first task |
//! | `msprof_*.json`, `hccl_*`, `task_time_*`, `step_trace_*` | since the machine started, or since 1970 |
//! | `timeline_N.json` (host info) | since 1970 |
//!
//! A rank has one clock: that of its first timeline. A file on another clock is left out with a warning, except
//! msprof's clock, whose zero is in `start_info`. Data in several files is read once: see [`repeats`].
//!
//! Meaning of rows ([`rows`]): Ascend's streams are device activity. Tasks of AI Core, AI CPU and vector cores are
//! kernels; events and notifications are markers. A collective is the one kernel in `Communication Kernel` (or in the
//! old row of process 10000). The tasks on its planes, which the streams show as well, are not activities of their
//! own.
//!
//! Computed rows are kept as the profiler's and never counted: `Overlap Analysis`, scopes (from operators' names) and
//! the step trace (from two operators). The step trace's rows also mark steps.
//!
//! The host's timeline (`host_info/`) is recognized by its folder alone, and its events are taken as ranges: no such
//! file was seen.
//!
//! Not read: formats and attributes of tasks, hardware counters' slices (counters are), `scope_level`.
//!
//! Sources: MindSpore's `profiler/parser` and `profiler/analysis`, files of MindInsight's tests, files of 2.0 and
//! 2.10.

pub(super) mod devices;
mod facts;
pub(super) mod part;
pub(super) mod raw;
mod repeats;
mod rows;
mod sniff;
pub(super) mod steps;
pub(super) mod tasks;
mod timeline;

pub(super) use self::raw::Raw;
use super::{About, Method, ReadText, Reader, RunPart};
use crate::{Head, Verdict};

/// The reader of the timelines.
pub(super) struct Timelines;

impl Reader for Timelines {
    fn id(&self) -> &'static str {
        "mindspore"
    }

    fn about(&self) -> About {
        About {
            title: "MindSpore profiler, msprof (timelines)",
            versions: "MindSpore 1.x to 2.10: Ascend, GPU, CPU; msprof of CANN",
            read: "operators, runtime calls, kernels, collectives, copies, scopes, steps, flows, counters",
            not_read: "formats and attributes of tasks",
        }
    }

    fn sniff(&self, path: &str, head: Head<'_>) -> Verdict {
        sniff::timeline(path, head)
    }

    fn has_json_events(&self) -> bool {
        true
    }

    fn method(&self) -> Method {
        Method::Stream(timeline::start)
    }

    fn devices_in(&self, path: &str, read: &mut ReadText<'_>) -> std::io::Result<Vec<i64>> {
        devices::devices_in(path, read)
    }

    fn part_of(&self, path: &str, head: Head<'_>) -> Option<RunPart> {
        part::part_of(path, head)
    }
}
