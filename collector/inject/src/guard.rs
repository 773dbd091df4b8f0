//! The edge to code in other languages.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs something for a caller that cannot unwind; returns `instead` if that panics.
pub(crate) fn guard<T>(instead: T, run: impl FnOnce() -> T) -> T {
    // The code inside keeps its own state consistent: the recorder's lock is free of poison.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(instead)
}
