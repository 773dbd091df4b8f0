//! Position of a slice's event in its file.

use super::READERS;
use stepscope_trace::{EventId, InputFile, Trace};

/// The position of a slice's event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventPlace<'a> {
    /// The file.
    pub file: &'a InputFile,
    /// The byte of its (uncompressed) text at which the event starts.
    pub at: u64,
    /// Whether it is a JSON object, which can be parsed alone.
    pub is_json: bool,
}

/// The position of a slice's event; none if there is no such slice, or no such file.
///
/// If separate events begin and end the slice, it is that of the beginning. A slice made of several events has the
/// position of one of them, or none of its own: there may be no object there.
#[must_use]
pub fn event_place(trace: &Trace, event: EventId) -> Option<EventPlace<'_>> {
    if event.index() >= trace.slices.len() {
        return None;
    }
    let position = trace.slices.position(event);
    let file = trace.meta.inputs.iter().rev().find(|file| file.start <= position)?;
    Some(EventPlace { file, at: position - file.start, is_json: has_json_events(file.format) })
}

/// Whether events of a format are JSON objects at the positions of their slices.
#[must_use]
pub fn has_json_events(format: &str) -> bool {
    READERS.iter().any(|reader| reader.id() == format && reader.has_json_events())
}
