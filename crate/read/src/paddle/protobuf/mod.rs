//! The protobuf export: messages `NodeTreesProto` of package `paddle.platform`, version 2 of the language.
//!
//! ```text
//! NodeTreesProto           1 version  2 span_index  3 thread_trees*  4 extra_info*  5 device_property*
//! ThreadNodeTreeProto      1 thread_id  2 host_nodes*
//! HostTraceEventNodeProto  1 id  2 parentid  3 host_trace_event  4 runtime_nodes*  5 mem_nodes*  6 op_supplement_nodes*
//! ```
//!
//! A thread's tree is most of the file: it is read node by node as its bytes arrive, not as a whole. Times are ns
//! since 1970, exact. The first node of a thread is a root without a time of its own: its children happened outside
//! of all ranges. Ids and parents are not used: times give the same tree.

mod nodes;
mod wire;

use self::nodes::{Nodes, ROOT};
use self::wire::{Problem, Start};
use crate::paddle::twins::FirstSlice;
use crate::reader::{Counts, Finished, Reading};
use crate::{Head, Verdict};
use stepscope_base::{Code, Error, ErrorKind, RejectionReason};
use stepscope_trace::TraceBuilder;

/// The longest node that is read: thousands of times longer than any seen.
const LONGEST: u64 = 1 << 26;

/// Whether a file is such an export.
pub(super) fn sniff(head: Head<'_>) -> Verdict {
    match begins_like_one(head.bytes) {
        Ok(true) => Verdict::Yes,
        Err(Problem::Cut) if !head.whole => Verdict::NeedMore,
        _ => Verdict::No(RejectionReason::NoPaddleVersion),
    }
}

/// Whether the bytes begin with a version, such as `1.0.2`, then the span's index, then a thread, a fact or a device.
fn begins_like_one(bytes: &[u8]) -> Result<bool, Problem> {
    let version = Start::of(bytes)?;
    let text = bytes[version.header..].iter().take(usize::try_from(version.length).unwrap_or(usize::MAX));
    let is_version = (version.field, version.kind) == (1, 2)
        && (3..=16).contains(&version.length)
        && text.clone().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    if !is_version {
        return Ok(false);
    }
    let rest = bytes.get(version.header + text.len()..).filter(|_| text.len() as u64 == version.length);
    let rest = rest.ok_or(Problem::Cut)?;
    let index = Start::of(rest)?;
    if (index.field, index.kind) != (2, 0) {
        return Ok(false);
    }
    let next = rest.get(index.header + usize::try_from(index.length).unwrap_or_default()..).ok_or(Problem::Cut)?;
    Ok(matches!(next.first().ok_or(Problem::Cut)?, 0x1a | 0x22 | 0x2a))
}

/// The first range or operator in the file's first bytes.
pub(super) fn first_slice(mut rest: &[u8]) -> Option<FirstSlice> {
    loop {
        let start = Start::of(rest).ok()?;
        rest = &rest[start.header..];
        if (start.field, start.kind) == (3, 2) {
            // A thread's tree, whose fields follow.
            continue;
        }
        let value = rest.get(..usize::try_from(start.length).ok()?)?;
        if (start.field, start.kind) == (2, 2) && wire::number(value, 2) != Some(ROOT) {
            let host = wire::bytes(value, 3)?;
            return wire::number(host, 5).zip(wire::number(host, 3).map(|nanos| nanos / 1000));
        }
        rest = &rest[value.len()..];
    }
}

/// Starts to read an export.
pub(super) fn start(builder: TraceBuilder) -> Box<dyn Reading> {
    Box::new(Protobuf {
        buffer: Vec::new(),
        filled: 0,
        read: 0,
        dropped: 0,
        tree: 0,
        damaged: false,
        nodes: Nodes::new(builder),
    })
}

struct Protobuf {
    /// Bytes read so far: those before `read` were used, those after `filled` are free.
    buffer: Vec<u8>,
    filled: usize,
    read: usize,
    /// Bytes of the file before the buffer.
    dropped: u64,
    /// The remaining bytes of the current thread's tree.
    tree: u64,
    /// Whether the rest cannot be read.
    damaged: bool,
    nodes: Nodes,
}

impl Protobuf {
    fn position(&self) -> u64 {
        self.dropped + self.read as u64
    }

    /// Reads the complete fields.
    fn read_fields(&mut self) {
        while !self.damaged {
            let rest = &self.buffer[self.read..self.filled];
            let start = match Start::of(rest) {
                Ok(start) => start,
                Err(Problem::Cut) => break,
                Err(Problem::Damaged) => return self.give_up(),
            };
            let header = start.header;
            if self.tree == 0 && (start.field, start.kind) == (3, 2) {
                self.tree = start.length;
                self.read += header;
                continue;
            }
            if start.length > LONGEST || (self.tree > 0 && header as u64 + start.length > self.tree) {
                return self.give_up();
            }
            let end = header + usize::try_from(start.length).unwrap_or(usize::MAX);
            let Some(value) = rest.get(header..end) else { break };
            let position = self.dropped + self.read as u64;
            match start.value(value) {
                Ok(value) if self.tree > 0 => self.nodes.in_tree(start.field, value, position),
                Ok(value) => self.nodes.outside(start.field, value),
                Err(_) => return self.give_up(),
            }
            self.read += end;
            self.tree = self.tree.saturating_sub(end as u64);
        }
    }

    fn give_up(&mut self) {
        self.damaged = true;
        let position = self.position();
        self.nodes.warnings.add(Code::MalformedRecord, Some(position), || "all from here on".into());
    }
}

impl Reading for Protobuf {
    fn space(&mut self, len: usize) -> &mut [u8] {
        if self.read > 0 {
            self.buffer.copy_within(self.read..self.filled, 0);
            self.dropped += self.read as u64;
            self.filled -= self.read;
            self.read = 0;
        }
        if self.buffer.len() < self.filled + len {
            self.buffer.resize(self.filled + len, 0);
        }
        &mut self.buffer[self.filled..self.filled + len]
    }

    fn advance(&mut self, len: usize) -> Result<(), Error> {
        self.filled += len;
        self.read_fields();
        if self.damaged {
            self.read = self.filled;
        }
        Ok(())
    }

    fn counts(&self) -> Counts {
        Counts::of(&self.nodes.builder)
    }

    fn finish(mut self: Box<Self>) -> Finished {
        let end = self.dropped + self.filled as u64;
        if !self.damaged && (self.tree > 0 || self.read < self.filled) {
            self.nodes.warnings.add(Code::Truncated, Some(end), || "expected the rest of a thread's events".into());
        }
        let error = (self.nodes.seen == 0).then(|| match self.damaged {
            true => Error::at(ErrorKind::Syntax { expected: "a field of a Paddle trace" }, end),
            false => Error::new(ErrorKind::NoEvents),
        });
        let (builder, warnings) = self.nodes.finish();
        Finished { builder, warnings, error }
    }
}
