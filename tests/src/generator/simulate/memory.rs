//! The device's memory: allocations, their operators, and their releases.

use super::operators::Forward;
use super::{Event, Kind, ModelPart, Simulation};

/// Bytes of weights, allocated before the recording.
const WEIGHTS: i64 = 1_003_059_712;

/// A block from before the recording that the second step releases.
const EARLIER: Live = Live { address: 0x7d00_0000_0000, bytes: 2 << 20 };

/// The allocator takes the device's memory in segments of that many bytes, and returns none.
const SEGMENT: i64 = 20 << 20;

/// A block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Live {
    pub(super) address: u64,
    pub(super) bytes: i64,
}

/// Current state of the allocator.
pub(super) struct Allocator {
    allocated: i64,
    reserved: i64,
    /// Whether the block from before is still there.
    earlier: bool,
    /// The blocks in use, the latest last: the block, its operator, and its number among the truth's blocks.
    live: Vec<(Live, String, usize)>,
}

impl Allocator {
    pub(super) fn new() -> Self {
        let allocated = WEIGHTS + EARLIER.bytes;
        Self { allocated, reserved: segments(allocated), earlier: true, live: Vec::new() }
    }
}

fn segments(bytes: i64) -> i64 {
    (bytes + SEGMENT - 1) / SEGMENT * SEGMENT
}

impl Simulation {
    /// A forward operator allocates, its backward one releases. The first step's optimizer allocates memory and keeps
    /// it, the second one's releases the earlier block.
    pub(super) fn memory(
        &mut self,
        part: ModelPart,
        forward: Option<Forward>,
        operator: &str,
        at: i64,
        events: &mut Vec<Event>,
    ) {
        if !self.spec.memory {
            return;
        }
        let step = self.truth.steps.len();
        let kept = self.allocator.live.len() as u64;
        match (part, forward) {
            (ModelPart::Forward, Some(forward)) => self.allocate(forward.block, operator, at, events),
            (ModelPart::Backward, Some(forward)) => self.release(forward.block, operator, at, events),
            (ModelPart::Optimizer, _) if step == 0 => {
                let block = Live { address: 0x7e00_0000_0000 + kept * 8192, bytes: 4096 };
                self.allocate(block, operator, at, events);
            }
            (ModelPart::Optimizer, _) if step == 1 && self.allocator.earlier => {
                self.allocator.earlier = false;
                self.release(EARLIER, operator, at, events);
            }
            _ => {}
        }
    }

    fn allocate(&mut self, block: Live, operator: &str, at: i64, events: &mut Vec<Event>) {
        let number = self.truth.memory.blocks.len();
        self.truth.memory.blocks.push((block.bytes, Some(at), None));
        self.allocator.live.push((block, operator.to_owned(), number));
        let row = self.truth.memory.operators.entry(operator.to_owned()).or_default();
        (row.0, row.2) = (row.0 + 1, row.2 + block.bytes);
        self.change(block, block.bytes, at, false, events);
    }

    fn release(&mut self, block: Live, operator: &str, at: i64, events: &mut Vec<Event>) {
        match self.allocator.live.iter().rposition(|(live, ..)| live.address == block.address) {
            Some(place) => {
                let (_, _, number) = self.allocator.live.remove(place);
                self.truth.memory.blocks[number].2 = Some(at);
            }
            None => self.truth.memory.blocks.push((block.bytes, None, Some(at))),
        }
        let row = self.truth.memory.operators.entry(operator.to_owned()).or_default();
        (row.1, row.3) = (row.1 + 1, row.3 + block.bytes);
        self.change(block, -block.bytes, at, block.address != EARLIER.address, events);
    }

    fn change(&mut self, block: Live, bytes: i64, at: i64, backward_thread: bool, events: &mut Vec<Event>) {
        let allocator = &mut self.allocator;
        let truth = &mut self.truth.memory;
        if truth.levels.is_empty() {
            truth.before = allocator.allocated;
            truth.peak = allocator.allocated;
        }
        allocator.allocated += bytes;
        allocator.reserved = allocator.reserved.max(segments(allocator.allocated));
        truth.levels.push((at, allocator.allocated, allocator.reserved));
        if allocator.allocated > truth.peak {
            truth.peak = allocator.allocated;
            truth.live_at_peak.clear();
            for (live, operator, _) in &allocator.live {
                let row = truth.live_at_peak.entry(operator.clone()).or_default();
                *row = (row.0 + 1, row.1 + live.bytes);
            }
        }
        self.truth.memory_events += 1;
        let (allocated, reserved) = (allocator.allocated, allocator.reserved);
        let kind = Kind::Memory { address: block.address, bytes, allocated, reserved };
        events.push(Event { kind, name: "[memory]".to_owned(), start: at, length: 0, backward_thread });
    }
}
