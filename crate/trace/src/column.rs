//! A column that grows by whole chunks, so that a large trace never needs twice its memory to grow.

/// Rows of a chunk: large enough that its overhead vanishes, small enough for little waste.
const CHUNK: usize = 1 << 14;

/// A growing column. When it is complete, [`into_vec`](Self::into_vec) joins its chunks.
#[derive(Debug, Clone)]
pub(super) struct Column<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Copy> Column<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn push(&mut self, value: T) {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.push(value);
        }
        self.len += 1;
    }

    pub(super) fn extend(&mut self, values: impl Iterator<Item = T>) {
        values.for_each(|value| self.push(value));
    }

    /// The value of a row that exists.
    #[inline]
    pub(super) fn at(&self, row: usize) -> T {
        self.chunks[row / CHUNK][row % CHUNK]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, row: usize) -> &mut T {
        &mut self.chunks[row / CHUNK][row % CHUNK]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = T> + Clone + '_ {
        self.chunks.iter().flatten().copied()
    }

    /// The rows in one piece, in the order they were pushed; frees each chunk as it is copied.
    pub(super) fn into_vec(self) -> Vec<T> {
        let mut rows = Vec::with_capacity(self.len);
        for chunk in self.chunks {
            rows.extend_from_slice(&chunk);
        }
        rows
    }

    /// Takes the rows out, some at a time.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Vec<T>> {
        std::mem::take(self).chunks.into_iter()
    }

    /// The rows in one piece, in the given order.
    pub(super) fn into_permuted(self, order: &[u32]) -> Vec<T> {
        order.iter().map(|row| self.at(*row as usize)).collect()
    }
}
