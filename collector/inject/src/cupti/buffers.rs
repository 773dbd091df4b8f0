//! Buffers that CUPTI fills.

use std::collections::HashMap;

/// The fewest bytes of a buffer: some 400 records.
const SMALLEST: usize = 64 << 10;

/// The most bytes of a buffer.
const LARGEST: usize = 4 << 20;

/// Most free buffers that are kept.
const MOST_FREE: usize = 16;

/// Words of eight bytes: CUPTI wants buffers aligned to that.
type Buffer = Box<[u64]>;

/// Buffers: those that CUPTI has, and free ones.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    free: Vec<Buffer>,
    /// By their addresses.
    given: HashMap<usize, Buffer>,
    /// Bytes that were filled since the size was chosen.
    filled: usize,
    /// Bytes of the next ones.
    size: usize,
}

impl Buffers {
    /// A buffer for CUPTI: its address and its bytes.
    pub(super) fn give(&mut self) -> (*mut u8, usize) {
        let size = self.size.max(SMALLEST);
        let mut buffer = match self.free.pop() {
            Some(buffer) if buffer.len() * 8 == size => buffer,
            _ => vec![0; size / 8].into_boxed_slice(),
        };
        let start = buffer.as_mut_ptr().cast::<u8>();
        self.given.insert(start as usize, buffer);
        (start, size)
    }

    /// Takes one back; `None` if it is another client's.
    pub(super) fn take(&mut self, start: *mut u8, filled: usize) -> Option<Buffer> {
        self.filled += filled;
        self.given.remove(&(start as usize))
    }

    /// Keeps one for the next time.
    pub(super) fn keep(&mut self, buffer: Buffer) {
        if self.free.len() < MOST_FREE {
            self.free.push(buffer);
        }
    }

    /// Chooses the size of the next ones, so that a few are filled until this is called again.
    ///
    /// CUPTI hands over a buffer once everything in it has ended. A large one always contains an unfinished activity,
    /// so it comes only when it is full: seconds late if there are few activities.
    pub(super) fn choose_size(&mut self) {
        self.size = (self.filled / 4).next_power_of_two().clamp(SMALLEST, LARGEST);
        self.filled = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_used_again_and_grow_with_what_happens() {
        let mut buffers = Buffers::default();
        let (first, size) = buffers.give();
        assert_eq!((size, first as usize % 8), (SMALLEST, 0));
        let (second, _) = buffers.give();
        assert_ne!(first, second);
        assert!(buffers.take(first.wrapping_add(8), 0).is_none(), "not one of ours");
        let buffer = buffers.take(first, SMALLEST).expect("ours");
        buffers.keep(buffer);
        assert_eq!(buffers.give().0, first);
        buffers.take(second, 10 << 20).expect("ours");
        buffers.choose_size();
        assert_eq!(buffers.give().1, LARGEST);
        buffers.choose_size();
        assert_eq!(buffers.give().1, SMALLEST);
    }
}
