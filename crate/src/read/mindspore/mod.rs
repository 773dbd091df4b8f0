//! MindSpore's profiler: its timelines.

pub(super) mod part;
