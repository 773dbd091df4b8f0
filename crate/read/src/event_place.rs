//! Where a slice's event stands in its file.

use super::READERS;
use stepscope_trace::{EventId, InputFile, Trace};

/// Where a slice's event stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventPlace<'a> {
    /// The file.
    pub file: &'a InputFile,
    /// The byte of its (uncompressed) text at which the event starts.
    pub at: u64,
    /// Whether it is an object of JSON, which can be read again by itself.
    pub is_json: bool,
}

/// Where a slice's event stands; nothing if there is no such slice, or no such file.
///
/// Of a slice whose beginning and end are events of their own, it is the beginning. What a reader made of several events
/// has the place of one of them, or none of its own: there may be no object there.
#[must_use]
pub fn event_place(trace: &Trace, event: EventId) -> Option<EventPlace<'_>> {
    if event.index() >= trace.slices.len() {
        return None;
    }
    let position = trace.slices.position(event);
    let file = trace.meta.inputs.iter().rev().find(|file| file.start <= position)?;
    Some(EventPlace { file, at: position - file.start, is_json: has_json_events(file.format) })
}

/// Whether events of a format are objects of JSON, which stand where their slices say.
#[must_use]
pub fn has_json_events(format: &str) -> bool {
    READERS.iter().any(|reader| reader.id() == format && reader.has_json_events())
}
