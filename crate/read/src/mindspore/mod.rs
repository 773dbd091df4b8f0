//! MindSpore's profiler: its timelines and, where it made none, the raw times it recorded.
//!
//! Producer: `mindspore.Profiler` 1.x to 2.10 on Ascend, GPU and CPU, and msprof (CANN), whose exports lie in
//! the same folder. [`part`] tells the folder's layouts, and which file belongs to which rank.
//!
//! Read as events, of each rank:
//!
//! | file | clock |
//! |---|---|
//! | `trace_view.json` (2.4 on), `gpu_timeline_display_N.json` | since 1970 |
//! | `cpu_timeline_display_N.json` (2.0) | the host's monotonic clock |
//! | `[ascend_]timeline_display_N.json` | since the first task |
//! | `msprof_*.json`, `hccl_*`, `task_time_*`, `step_trace_*` | since the machine started, or since 1970 |
//! | `timeline_N.json` (host info) | since 1970 |
//!
//! A rank has one clock: its first timeline's. A file on another is left out with a warning, but for msprof's
//! clock, of which `start_info` says when it was zero. What several files hold is read once: see [`repeats`].
//!
//! What rows mean ([`rows`]): Ascend's streams are device activity, their tasks of AI Core, AI CPU and vector
//! cores being kernels; events and notifications are markers. A collective is the one kernel that `Communication
//! Kernel` shows (or the old row of process 10000); the tasks on its planes, which the streams show once more,
//! are no activity of their own. `Overlap Analysis` is what the profiler computed of all that, scopes what it made
//! of operators' names, the step trace what it made of two operators: kept as the profiler's rows, and never
//! counted, but that the step trace's rows mark steps.
//!
//! The host's timeline (`host_info/`) is known by its place alone, and its events are taken as ranges: no file of
//! it was seen.
//!
//! Not read: formats and attributes of tasks, hardware counters' slices (counters are), `scope_level`.
//!
//! Sources: MindSpore's `profiler/parser` and `profiler/analysis`, files of MindInsight's tests, files of 2.0 and
//! 2.10.

mod facts;
pub(super) mod part;
mod raw;
mod repeats;
mod rows;
mod sniff;
pub(super) mod steps;
mod tasks;
mod timeline;

pub(super) use self::raw::Raw;
use super::{About, Method, Reader, RunPart};
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

    fn part_of(&self, path: &str, head: Head<'_>) -> Option<RunPart> {
        part::part_of(path, head)
    }
}
