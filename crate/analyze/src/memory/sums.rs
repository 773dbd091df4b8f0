//! Sums of allocations and releases.

/// Allocations and releases of some events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllocationSums {
    /// Number of allocations.
    pub allocations: u64,
    /// Number of releases.
    pub releases: u64,
    /// Bytes allocated.
    pub allocated: i64,
    /// Bytes released.
    pub released: i64,
}

impl AllocationSums {
    /// Bytes by which memory grew.
    #[must_use]
    pub fn net(&self) -> i64 {
        self.allocated.saturating_sub(self.released)
    }

    /// Adds an event's change of bytes.
    pub(crate) fn add(&mut self, bytes: i64) {
        // Empty tensors allocate nothing: zero is an allocation.
        if bytes < 0 {
            self.releases += 1;
            self.released = self.released.saturating_sub(bytes);
        } else {
            self.allocations += 1;
            self.allocated = self.allocated.saturating_add(bytes);
        }
    }
}
