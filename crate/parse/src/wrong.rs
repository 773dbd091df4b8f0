//! Fault of a text.

/// The fault of a text, and its byte in the buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) at: usize,
    pub(super) expected: &'static str,
}

impl Wrong {
    /// Notes the fault.
    #[cold]
    pub(super) fn fail<T>(&mut self, at: usize, expected: &'static str) -> Option<T> {
        *self = Self { at, expected };
        None
    }
}
