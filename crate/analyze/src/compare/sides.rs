//! Both traces of a comparison.

/// The same of both traces: `a` is the one that the other is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides<T> {
    /// Of the first.
    pub a: T,
    /// Of the second.
    pub b: T,
}

impl<T> Sides<T> {
    /// What a function makes of each.
    pub fn map<U>(&self, mut of: impl FnMut(&T) -> U) -> Sides<U> {
        Sides { a: of(&self.a), b: of(&self.b) }
    }

    /// Both, borrowed.
    pub fn as_ref(&self) -> Sides<&T> {
        Sides { a: &self.a, b: &self.b }
    }
}
