//! Pages of the file, read in blocks; the last few blocks are cached.

use std::rc::Rc;

use super::damage::{Damage, Fault};
use stepscope_base::ReadAt;

/// Bytes per read. Pages of a table are mostly consecutive, and each read of a `Blob` has a cost. It is a power of
/// two, at least the largest page size, so that no page spans two blocks.
const BLOCK: usize = 1 << 17;

/// Cached blocks: tables that were written at the same time are interleaved, and overflow pages are far away.
const KEPT: usize = 32;

/// The file, by pages.
pub(super) struct Pages<'a> {
    file: &'a mut dyn ReadAt,
    page_size: usize,
    count: u32,
    blocks: Vec<Block>,
    clock: u64,
}

struct Block {
    number: u64,
    last_used: u64,
    bytes: Rc<[u8]>,
}

/// A page. It shares its block's memory.
#[derive(Clone)]
pub(super) struct Page {
    block: Rc<[u8]>,
    start: usize,
    size: usize,
    /// Its number; the first one has the number 1.
    pub(super) number: u32,
    /// The byte of the file at which it begins.
    pub(super) position: u64,
}

impl Page {
    /// All its bytes.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.block[self.start..self.start + self.size]
    }

    /// Damage at one of its bytes.
    pub(super) fn damage(&self, at: usize, fault: Fault) -> Damage {
        Damage { page: self.number, position: self.position + at as u64, fault }
    }
}

impl<'a> Pages<'a> {
    /// The pages of a file, each of a size that is a power of two up to 65536.
    pub(super) fn new(file: &'a mut dyn ReadAt, page_size: usize) -> Self {
        let pages = file.len().div_ceil(page_size as u64);
        let count = u32::try_from(pages).unwrap_or(u32::MAX);
        Self { file, page_size, count, blocks: Vec::new(), clock: 0 }
    }

    /// The number of pages in the file; the last one may be incomplete.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// A page by its number.
    pub(super) fn page(&mut self, number: u32) -> Result<Page, Damage> {
        let position = u64::from(number.max(1) - 1) * self.page_size as u64;
        let damage = |fault| Damage { page: number, position, fault };
        if number == 0 {
            return Err(damage(Fault::Tree));
        }
        if number > self.count {
            return Err(damage(Fault::Missing));
        }
        let block = self.block(position / BLOCK as u64).map_err(damage)?;
        let start = usize::try_from(position % BLOCK as u64).unwrap_or_default();
        if start + self.page_size > block.len() {
            return Err(damage(Fault::Missing));
        }
        Ok(Page { block, start, size: self.page_size, number, position })
    }

    fn block(&mut self, number: u64) -> Result<Rc<[u8]>, Fault> {
        self.clock += 1;
        if let Some(known) = self.blocks.iter_mut().find(|block| block.number == number) {
            known.last_used = self.clock;
            return Ok(Rc::clone(&known.bytes));
        }
        let offset = number * BLOCK as u64;
        let len = (self.file.len() - offset).min(BLOCK as u64);
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(BLOCK)];
        let filled = self.file.read_at(offset, &mut bytes).map_err(|error| Fault::Io(error.to_string()))?;
        bytes.truncate(filled);
        let block = Block { number, last_used: self.clock, bytes: bytes.into() };
        let bytes = Rc::clone(&block.bytes);
        if self.blocks.len() < KEPT {
            self.blocks.push(block);
        } else if let Some(oldest) = self.blocks.iter_mut().min_by_key(|block| block.last_used) {
            *oldest = block;
        }
        Ok(bytes)
    }
}
