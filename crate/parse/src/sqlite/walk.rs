//! Traverses the leaves of a table's tree.

use super::damage::{Damage, Fault};
use super::pages::{Page, Pages};
use super::record::{self, Cell, SqlRow, WantedColumns, varint};
use super::schema::Table;
use super::value::Encoding;

/// The kinds of pages in a table's tree.
pub(super) const LEAF: u8 = 13;
const INTERIOR: u8 = 5;

/// SQLite itself rejects trees deeper than 20.
const DEEPEST: usize = 32;

/// The longest row that is read: SQLite allows 1 GB, but no useful text is that long.
const LONGEST_ROW: usize = 1 << 26;

/// A traversal of a tree.
pub(super) struct Walk<'p, 'a> {
    pages: &'p mut Pages<'a>,
    usable: usize,
    encoding: Encoding,
    /// One bit per page visited: a page belongs to a table only once.
    visited: Vec<u64>,
    /// A row's record, if it continues on other pages.
    whole: Vec<u8>,
    /// The damage found.
    pub(super) damages: Vec<Damage>,
}

/// A page between root and leaf, and the index of the next child.
struct Step {
    page: Page,
    next: usize,
}

impl<'p, 'a> Walk<'p, 'a> {
    pub(super) fn new(pages: &'p mut Pages<'a>, usable: usize, encoding: Encoding) -> Self {
        let visited = vec![0; pages.count() as usize / 64 + 1];
        Self { pages, usable, encoding, visited, whole: Vec::new(), damages: Vec::new() }
    }

    /// Passes the rows of a table to `each`.
    pub(super) fn table(&mut self, table: &Table, wanted: &WantedColumns, each: &mut dyn FnMut(&SqlRow<'_>)) {
        if table.without_rowid || table.columns.is_empty() {
            let fault = if table.without_rowid { Fault::WithoutRowid } else { Fault::Statement };
            let position = self.pages.page(table.root).map_or(0, |page| page.position);
            self.damages.push(Damage { page: table.root, position, fault });
            return;
        }
        let mut cells = vec![Cell::ABSENT; wanted.slots()];
        let mut stack: Vec<Step> = Vec::new();
        let mut child = Some(table.root);
        loop {
            if let Some(number) = child.take() {
                match self.enter(number, stack.len()) {
                    Ok(page) if page.bytes()[start_of(&page)] == LEAF => self.leaf(&page, wanted, &mut cells, each),
                    Ok(page) => stack.push(Step { page, next: 0 }),
                    Err(damage) => self.damages.push(damage),
                }
            }
            let Some(step) = stack.last_mut() else { return };
            let index = step.next;
            step.next += 1;
            match child_of(&step.page, index, self.usable) {
                Ok(Some(number)) => child = Some(number),
                Ok(None) => {
                    stack.pop();
                }
                Err(damage) => self.damages.push(damage),
            }
        }
    }

    /// A page of the tree that was not visited yet.
    fn enter(&mut self, number: u32, depth: usize) -> Result<Page, Damage> {
        let page = self.pages.page(number)?;
        self.visit(&page)?;
        let start = start_of(&page);
        let room = match page.bytes()[start] {
            LEAF => start + 8,
            INTERIOR if depth < DEEPEST => start + 12,
            _ => return Err(page.damage(start, Fault::Tree)),
        };
        if room + 2 * count_of(&page) > self.usable {
            return Err(page.damage(start + 3, Fault::Tree));
        }
        Ok(page)
    }

    fn visit(&mut self, page: &Page) -> Result<(), Damage> {
        let (word, bit) = (page.number as usize / 64, 1 << (page.number % 64));
        if self.visited[word] & bit != 0 {
            return Err(page.damage(0, Fault::Loop));
        }
        self.visited[word] |= bit;
        Ok(())
    }

    fn leaf(&mut self, page: &Page, wanted: &WantedColumns, cells: &mut [Cell], each: &mut dyn FnMut(&SqlRow<'_>)) {
        for index in 0..count_of(page) {
            let at = cell_at(page, start_of(page) + 8, index);
            let found = self.row(page, at, wanted, cells);
            match found {
                Ok((rowid, local)) => {
                    let record = local.map_or(&self.whole[..], |(start, end)| &page.bytes()[start..end]);
                    let position = page.position + at as u64;
                    each(&SqlRow { record, cells, wanted, encoding: self.encoding, rowid, position });
                }
                Err(damage) => self.damages.push(damage),
            }
        }
    }

    /// The rowid of a row, and the position of its record in the page; none if the record was assembled from several
    /// pages.
    #[inline]
    fn row(
        &mut self,
        page: &Page,
        at: usize,
        wanted: &WantedColumns,
        cells: &mut [Cell],
    ) -> Result<(i64, Option<(usize, usize)>), Damage> {
        let wrong = |fault| page.damage(at, fault);
        let bytes = &page.bytes()[..self.usable];
        let cell = bytes.get(at..).ok_or_else(|| wrong(Fault::Cell))?;
        let (len, skipped) = varint(cell).ok_or_else(|| wrong(Fault::Cell))?;
        let (rowid, skipped_too) = varint(&cell[skipped..]).ok_or_else(|| wrong(Fault::Cell))?;
        let len = usize::try_from(len).map_err(|_| wrong(Fault::Length))?;
        let start = at + skipped + skipped_too;
        let local = self.local(len);
        let record = bytes.get(start..start + local).ok_or_else(|| wrong(Fault::Cell))?;
        let mut needed = record::find(record, wanted, cells).map_err(wrong)?;
        if needed <= local {
            return Ok((rowid.cast_signed(), Some((start, start + local))));
        }
        let chain = bytes.get(start + local..).and_then(<[u8]>::first_chunk).filter(|_| local < len);
        let chain = u32::from_be_bytes(*chain.ok_or_else(|| wrong(Fault::Record))?);
        self.whole.clear();
        self.whole.extend_from_slice(record);
        let mut next = chain;
        // The first pass is for the record's header, if that continues on other pages; the second for the columns.
        for _ in 0..2 {
            if needed > len {
                return Err(wrong(Fault::Record));
            }
            if needed > LONGEST_ROW {
                return Err(wrong(Fault::Length));
            }
            next = self.follow(next, needed, len)?;
            needed = record::find(&self.whole, wanted, cells).map_err(wrong)?;
            if needed <= self.whole.len() {
                return Ok((rowid.cast_signed(), None));
            }
        }
        Err(wrong(Fault::Record))
    }

    /// The number of a record's bytes in the leaf itself.
    fn local(&self, len: usize) -> usize {
        let most = self.usable - 35;
        if len <= most {
            return len;
        }
        let least = (self.usable - 12) * 32 / 255 - 23;
        let even = least + (len - least) % (self.usable - 4);
        if even <= most { even } else { least }
    }

    /// Adds the chain's pages to the record until it has enough bytes; returns the next page.
    fn follow(&mut self, mut next: u32, needed: usize, len: usize) -> Result<u32, Damage> {
        while self.whole.len() < needed {
            let page = self.pages.page(next)?;
            self.visit(&page)?;
            let content = &page.bytes()[4..self.usable];
            let rest = content.len().min(len - self.whole.len());
            self.whole.extend_from_slice(&content[..rest]);
            next = page.bytes().first_chunk().map_or(0, |number| u32::from_be_bytes(*number));
        }
        Ok(next)
    }
}

/// The position of a page's own header: after the file's header on the first page.
fn start_of(page: &Page) -> usize {
    if page.number == 1 { 100 } else { 0 }
}

fn count_of(page: &Page) -> usize {
    let start = start_of(page);
    usize::from(u16::from_be_bytes([page.bytes()[start + 3], page.bytes()[start + 4]]))
}

/// The position of the cell with an index, from the list of pointers.
fn cell_at(page: &Page, pointers: usize, index: usize) -> usize {
    let at = pointers + 2 * index;
    usize::from(u16::from_be_bytes([page.bytes()[at], page.bytes()[at + 1]]))
}

/// The page of a child by its index; none after the last one.
fn child_of(page: &Page, index: usize, usable: usize) -> Result<Option<u32>, Damage> {
    let start = start_of(page);
    let at = match index.cmp(&count_of(page)) {
        std::cmp::Ordering::Less => cell_at(page, start + 12, index),
        std::cmp::Ordering::Equal => start + 8,
        std::cmp::Ordering::Greater => return Ok(None),
    };
    let number = page.bytes()[..usable].get(at..).and_then(<[u8]>::first_chunk);
    let number = number.ok_or_else(|| page.damage(start, Fault::Cell))?;
    Ok(Some(u32::from_be_bytes(*number)))
}
