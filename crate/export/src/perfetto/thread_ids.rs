//! Processes and threads as the export numbers them.

/// The process and thread an event belongs to, as the export numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ThreadIds {
    pub(super) process: u32,
    pub(super) thread: u32,
}

impl ThreadIds {
    /// No place: of what is not written.
    pub(super) const NONE: Self = Self { process: 0, thread: 0 };
}
