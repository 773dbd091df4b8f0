//! Both traces of a comparison.

/// A value of both traces: `a` is the one that the other is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides<T> {
    /// The first's.
    pub a: T,
    /// The second's.
    pub b: T,
}

impl<T> Sides<T> {
    /// Both mapped by a function.
    pub fn map<U>(&self, mut of: impl FnMut(&T) -> U) -> Sides<U> {
        Sides { a: of(&self.a), b: of(&self.b) }
    }

    /// Both, borrowed.
    pub fn as_ref(&self) -> Sides<&T> {
        Sides { a: &self.a, b: &self.b }
    }
}
