//! Reading back this tool's exports: lanes become the threads from which they were split.
//!
//! The export gives every process and lane an id of its own. It spreads overlapping slices of one thread over several
//! lanes, because Perfetto would drop them otherwise. The member `stepscope` maps lanes to the original processes and
//! threads with their names; see `export::perfetto`.

use serde_json::Value;

use stepscope_base::{Code, Warnings};
use stepscope_trace::{NameId, Origins, Process, RawId, TraceBuilder};

/// The outer object's member with the lanes.
pub(super) const KEY: &str = "stepscope";

/// The origin of the export's rows.
#[derive(Debug, Default)]
pub(super) struct OwnExport {
    processes: Vec<OriginalProcess>,
    lanes: Vec<Lane>,
    /// The number of ranks, if the export has several.
    ranks: Option<u64>,
}

/// An id as the first producer wrote it.
#[derive(Debug)]
enum Id {
    Number(i64),
    Text(String),
}

#[derive(Debug)]
struct OriginalProcess {
    exported: Option<i64>,
    original: Id,
    name: String,
    labels: String,
    sort_index: i64,
}

#[derive(Debug)]
struct Lane {
    exported: (i64, i64),
    original: (Id, Id),
    name: String,
    sort_index: i64,
}

impl OwnExport {
    /// Takes the member's text.
    pub(super) fn read(&mut self, text: &[u8]) {
        let Ok(value) = serde_json::from_slice::<Value>(text) else {
            return;
        };
        let list = |key: &str| value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        self.processes = list("processes").iter().filter_map(process).collect();
        self.ranks = value.get("ranks").and_then(Value::as_u64);
        self.lanes = list("lanes").iter().filter_map(lane).collect();
    }

    /// Gives processes and lanes their original ids back.
    pub(super) fn apply(&self, builder: &mut TraceBuilder, warnings: &mut Warnings) {
        if let Some(ranks) = self.ranks.filter(|ranks| *ranks > 1) {
            warnings.add(Code::MergedRanks, None, || format!("{ranks} ranks"));
        }
        if self.lanes.is_empty() && self.processes.is_empty() {
            return;
        }
        let text = |builder: &mut TraceBuilder, text: &str| match text {
            "" => NameId::NONE,
            _ => builder.intern(text.as_bytes()),
        };
        let mut origins = Origins::default();
        for process in &self.processes {
            let record = Process {
                id: raw_id(builder, &process.original),
                name: text(builder, &process.name),
                labels: text(builder, &process.labels),
                sort_index: process.sort_index,
            };
            origins.processes.push((process.exported.map(RawId::Number), record));
        }
        for lane in &self.lanes {
            origins.lanes.push(stepscope_trace::Lane {
                exported: (RawId::Number(lane.exported.0), RawId::Number(lane.exported.1)),
                original: (raw_id(builder, &lane.original.0), raw_id(builder, &lane.original.1)),
                name: text(builder, &lane.name),
                sort_index: lane.sort_index,
            });
        }
        builder.rename(origins);
    }
}

fn process(value: &Value) -> Option<OriginalProcess> {
    Some(OriginalProcess {
        exported: value.get("pid").and_then(Value::as_i64),
        original: id(value.get("process")?)?,
        name: text(value, "name"),
        labels: text(value, "labels"),
        sort_index: sort_index(value),
    })
}

fn lane(value: &Value) -> Option<Lane> {
    let number = |key: &str| value.get(key)?.as_i64();
    Some(Lane {
        exported: (number("pid")?, number("tid")?),
        original: (id(value.get("process")?)?, id(value.get("thread")?)?),
        name: text(value, "name"),
        sort_index: sort_index(value),
    })
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn sort_index(value: &Value) -> i64 {
    value.get("sort_index").and_then(Value::as_i64).unwrap_or_default()
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
