//! The process and recordings of a file, by its first bytes.

use stepscope_format::compact::{Item, Origin, Process, RECORDINGS, Reader as Decoder};
use stepscope_format::raw::Recording;

use crate::{Life, Windows, WindowsKind};

/// The fact that marks a sampler's recording.
const SAMPLER: &str = "sampler";

/// A machine since its start: the scope of process ids and of `CLOCK_MONOTONIC`.
struct Machine<'a> {
    host: &'a str,
    /// Empty if the system does not give it.
    boot: &'a str,
}

impl<'a> Machine<'a> {
    fn of(fact: impl Fn(&str) -> Option<&'a str>) -> Self {
        Self { host: fact("host").unwrap_or_default(), boot: fact("boot").unwrap_or_default() }
    }

    /// A process of the machine; empty if the machine's start is unknown, since process ids are then ambiguous.
    fn process(&self, id: u32) -> String {
        if self.boot.is_empty() { String::new() } else { format!("{} {} {id}", self.host, self.boot) }
    }

    fn recording(&self, origin: Origin) -> String {
        format!("{} {} {origin}", self.host, self.boot)
    }
}

/// The recordings of a raw file.
pub(super) fn of_raw(recording: &Recording) -> Windows {
    let machine = Machine::of(|key| recording.fact(key));
    let is_sampler = recording.fact(SAMPLER).is_some();
    Windows {
        // A sampler's recording belongs to the processes in it.
        process: if is_sampler { String::new() } else { machine.process(recording.process) },
        parent: machine.process(recording.parent),
        recordings: vec![machine.recording(Origin { process: recording.process, began: recording.begin.monotonic })],
        rank: recording.fact("rank").and_then(|rank| rank.parse().ok()),
        kind: WindowsKind::Raw,
        life: (!machine.boot.is_empty()).then(|| Life {
            machine: format!("{} {}", machine.host, machine.boot),
            began: recording.begin.monotonic,
            ended: recording.closed.then_some(recording.end.monotonic),
            command: recording.fact("command").unwrap_or_default().to_owned(),
        }),
    }
}

/// The recordings of a compact file; none if it does not list them.
pub(super) fn of_compact(head: &[u8]) -> Option<Windows> {
    let mut decoder = Decoder::new();
    decoder.feed(head);
    let Some(Item::Process(Process { id, parent, closed, facts, .. })) = decoder.next() else { return None };
    let fact = |key: &str| facts.iter().rfind(|(known, _)| known == key).map(|(_, value)| value.as_str());
    let machine = Machine::of(fact);
    let recordings: Vec<String> = Origin::all(fact(RECORDINGS)?).map(|origin| machine.recording(origin)).collect();
    let is_whole = closed || recordings.len() > 1;
    (!recordings.is_empty()).then(|| Windows {
        process: machine.process(id),
        parent: machine.process(parent),
        recordings,
        rank: fact("rank").and_then(|rank| rank.parse().ok()),
        kind: if is_whole { WindowsKind::Compact } else { WindowsKind::Unfinished },
        life: None,
    })
}
