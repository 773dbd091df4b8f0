//! Our own export, read back: its lanes become the threads they were split from.
//!
//! The export gives every process and lane an id of its own and spreads overlapping slices of one thread
//! over several lanes, because Perfetto would drop them otherwise. The member `stepscope` says which
//! process and thread each lane came from; see `export::perfetto`.

use serde_json::Value;

use crate::trace::{RawId, TraceBuilder};

/// The outer object's member that holds the lanes.
pub(super) const KEY: &str = "stepscope";

/// Where the export's lanes came from.
#[derive(Debug, Default)]
pub(super) struct OwnExport {
    lanes: Vec<Lane>,
}

/// An id as the first producer wrote it.
#[derive(Debug)]
enum Id {
    Number(i64),
    Text(String),
}

#[derive(Debug)]
struct Lane {
    exported: (i64, i64),
    original: (Id, Id),
}

impl OwnExport {
    /// Takes the member's text.
    pub(super) fn read(&mut self, text: &[u8]) {
        let Ok(value) = serde_json::from_slice::<Value>(text) else {
            return;
        };
        let lanes = value.get("lanes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        self.lanes = lanes.iter().filter_map(lane).collect();
    }

    /// Gives the lanes their original ids back.
    pub(super) fn apply(&self, builder: &mut TraceBuilder) {
        for lane in &self.lanes {
            let original = (raw_id(builder, &lane.original.0), raw_id(builder, &lane.original.1));
            builder.rename_thread((RawId::Number(lane.exported.0), RawId::Number(lane.exported.1)), original);
        }
    }
}

fn lane(value: &Value) -> Option<Lane> {
    let number = |key: &str| value.get(key)?.as_i64();
    Some(Lane {
        exported: (number("pid")?, number("tid")?),
        original: (id(value.get("process")?)?, id(value.get("thread")?)?),
    })
}

fn id(value: &Value) -> Option<Id> {
    match value {
        Value::String(text) => Some(Id::Text(text.clone())),
        _ => value.as_i64().map(Id::Number),
    }
}

fn raw_id(builder: &mut TraceBuilder, id: &Id) -> RawId {
    match id {
        Id::Number(number) => RawId::Number(*number),
        Id::Text(text) => RawId::Text(builder.intern(text.as_bytes())),
    }
}
