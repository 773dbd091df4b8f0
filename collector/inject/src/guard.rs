//! The edge to code in other languages.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs something for a caller that cannot unwind; what it is given instead if that panics.
pub(crate) fn guard<T>(instead: T, run: impl FnOnce() -> T) -> T {
    // What is behind the edge keeps its own state whole: the recorder's lock is free of poison.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(instead)
}
