//! Writes compact files.

use std::collections::BTreeMap;

use super::{BLOCK_HEADER, LARGEST_CONTENT, MOST_RECORDS, Process, SYNC, TAG, Thread, VERSION, block, columns};
use crate::checksum::crc32;
use crate::device::MOST_DETAILS;
use crate::varint::{write, zigzag};
use crate::{Kind, Record};

/// Records that are kept back at most, of all threads together.
const MOST_PENDING: usize = 1 << 18;

/// The longest text that is written; longer ones are cut.
const LONGEST_TEXT: usize = 64 << 10;

/// Makes a compact file, piece by piece.
///
/// ```
/// use stepscope_format::compact::{Item, Process, Reader, Thread, Writer};
/// use stepscope_format::{Category, Kind, Record};
///
/// let mut writer = Writer::new();
/// writer.process(&Process { number: 0, id: 77, ..Process::default() });
/// writer.name(0, 1, "forward");
/// writer.thread(&Thread { process: 0, serial: 1, id: 77, name: 0 });
/// let span =
///     Record { kind: Kind::Span, category: Category::Forward, aux: 0, name: 1, at: 5_000, extent: 300, value: 0 };
/// writer.record(0, 1, span);
/// let file = writer.finish();
///
/// let mut reader = Reader::new();
/// reader.feed(&file);
/// reader.close();
/// let items: Vec<Item> = std::iter::from_fn(|| reader.next()).collect();
/// assert!(matches!(&items[3], Item::Records { records, .. } if *records == [span]));
/// assert_eq!(items.len(), 4, "no damage");
/// ```
#[derive(Debug)]
pub struct Writer {
    out: Vec<u8>,
    /// Names of one process that were not written yet, as the content of a block.
    names: Vec<u8>,
    names_of: u32,
    threads: BTreeMap<(u32, u64), Vec<Record>>,
    pending: usize,
    records: u64,
    content: Vec<u8>,
    columns: [Vec<u8>; 8],
}

impl Default for Writer {
    fn default() -> Self {
        Self::new()
    }
}

impl Writer {
    /// An empty file.
    #[must_use]
    pub fn new() -> Self {
        let mut out = TAG.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&[0; 4]);
        Self {
            out,
            names: Vec::new(),
            names_of: 0,
            threads: BTreeMap::new(),
            pending: 0,
            records: 0,
            content: Vec::new(),
            columns: Default::default(),
        }
    }

    /// Adds a process, before its names, threads and records.
    pub fn process(&mut self, process: &Process) {
        let mut content = std::mem::take(&mut self.content);
        content.clear();
        for number in [process.number, process.id, process.parent, process.closed.into()] {
            write(number.into(), &mut content);
        }
        write(process.dropped, &mut content);
        write(process.reused, &mut content);
        write(zigzag(process.unix_offset), &mut content);
        for (key, value) in &process.facts {
            let facts = content.len();
            text(key.as_bytes(), &mut content);
            text(value.as_bytes(), &mut content);
            if content.len() > LARGEST_CONTENT {
                content.truncate(facts);
                break;
            }
        }
        self.block(block::PROCESS, &content);
        self.content = content;
    }

    /// Adds a name of a process, before what uses it. Texts beyond 64 KiB are cut.
    pub fn name(&mut self, process: u32, number: u32, name: &str) {
        if self.names_of != process || self.names.len() + LONGEST_TEXT + 16 > LARGEST_CONTENT {
            self.flush_names();
        }
        if self.names.is_empty() {
            self.names_of = process;
            write(process.into(), &mut self.names);
        }
        write(number.into(), &mut self.names);
        text(name.as_bytes(), &mut self.names);
    }

    /// Adds a thread, before its records.
    pub fn thread(&mut self, thread: &Thread) {
        // Its name may be among those that wait.
        self.flush_names();
        let mut content = std::mem::take(&mut self.content);
        content.clear();
        for number in [thread.process.into(), thread.serial, thread.id, thread.name.into()] {
            write(number, &mut content);
        }
        self.block(block::THREAD, &content);
        self.content = content;
    }

    /// Adds a record of a thread.
    pub fn record(&mut self, process: u32, thread: u64, record: Record) {
        // Details stay in one block with their activity.
        let may_split = record.kind != Kind::Detail;
        if self.pending >= MOST_PENDING && may_split {
            self.flush();
        }
        let records = self.threads.entry((process, thread)).or_default();
        let limit = if may_split { MOST_RECORDS - MOST_DETAILS } else { MOST_RECORDS };
        if records.len() < limit {
            records.push(record);
        } else {
            self.flush_thread(process, thread);
            self.threads.entry((process, thread)).or_default().push(record);
        }
        self.pending += 1;
    }

    /// The output that is ready to be written; the caller drains it.
    pub fn output(&mut self) -> &mut Vec<u8> {
        &mut self.out
    }

    /// Puts all that was added so far into the output.
    pub fn flush(&mut self) {
        let threads: Vec<(u32, u64)> = self.threads.keys().copied().collect();
        for (process, thread) in threads {
            self.flush_thread(process, thread);
        }
        self.threads.clear();
        self.flush_names();
    }

    /// Ends the file; returns the output that was not taken.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.flush();
        let mut content = Vec::new();
        write(self.records, &mut content);
        self.block(block::END, &content);
        self.out
    }

    fn flush_thread(&mut self, process: u32, thread: u64) {
        self.flush_names();
        let Some(mut records) = self.threads.remove(&(process, thread)).filter(|records| !records.is_empty()) else {
            return;
        };
        let mut content = std::mem::take(&mut self.content);
        content.clear();
        for number in [process.into(), thread, records.len() as u64] {
            write(number, &mut content);
        }
        columns::encode(&records, &mut self.columns, &mut content);
        self.block(block::RECORDS, &content);
        self.content = content;
        self.pending -= records.len();
        self.records += records.len() as u64;
        records.clear();
        // Its memory serves the next ones.
        self.threads.insert((process, thread), records);
    }

    fn flush_names(&mut self) {
        if !self.names.is_empty() {
            let names = std::mem::take(&mut self.names);
            self.block(block::NAMES, &names);
            self.names = names;
            self.names.clear();
        }
    }

    fn block(&mut self, kind: u8, content: &[u8]) {
        debug_assert!(content.len() <= LARGEST_CONTENT);
        let len = u32::try_from(content.len()).unwrap_or(u32::MAX).to_le_bytes();
        let told = [kind, 0, 0, 0, len[0], len[1], len[2], len[3]];
        self.out.reserve(BLOCK_HEADER + content.len());
        self.out.extend_from_slice(&SYNC);
        self.out.extend_from_slice(&told);
        self.out.extend_from_slice(&crc32(&told).to_le_bytes());
        self.out.extend_from_slice(&crc32(content).to_le_bytes());
        self.out.extend_from_slice(content);
    }
}

/// Appends a text, cut where a character ends.
fn text(bytes: &[u8], into: &mut Vec<u8>) {
    let mut len = bytes.len().min(LONGEST_TEXT);
    while len < bytes.len() && len > 0 && bytes[len] & 0xC0 == 0x80 {
        len -= 1;
    }
    write(len as u64, into);
    into.extend_from_slice(&bytes[..len]);
}
