//! What the page is told by the module for wasm, but for reports of a rank, which are of `stepscope_export`: as types, which
//! every platform knows, so that the page's own types can be made from them.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

use stepscope_export::report_json::{SchemaOf, reports_schema, schema_of_type};
use stepscope_trace::Cell;

/// The largest whole number that JavaScript holds exactly.
const LARGEST: i64 = 1 << 53;

/// The schema of all that the page is told.
#[must_use]
pub fn page_schema() -> Value {
    const ALL: [(&str, SchemaOf); 11] = [
        ("event_place", schema_of_type::<EventPlaceReport<'static>>),
        ("event_text", schema_of_type::<EventTextReport>),
        ("find_hit", schema_of_type::<Option<FindHitReport<'static>>>),
        ("plan", schema_of_type::<PlanReport>),
        ("problem", schema_of_type::<ProblemReport>),
        ("progress", schema_of_type::<ProgressReport>),
        ("query_fault", schema_of_type::<QueryFaultReport>),
        ("recorded_rows", schema_of_type::<RecordedRowsReport<'static>>),
        ("tables", schema_of_type::<Vec<TableReport>>),
        ("timeline", schema_of_type::<TimelineReport>),
        ("timeline_found", schema_of_type::<Option<TimelineFoundReport<'static>>>),
    ];
    reports_schema(&ALL)
}

/// What the page needs to tell of an error in the person's language.
#[derive(JsonSchema, Serialize)]
pub(crate) struct ProblemReport {
    /// A stable name.
    pub(crate) code: &'static str,
    pub(crate) file: String,
    /// A byte of the uncompressed file.
    pub(crate) position: Option<u64>,
    /// In English.
    pub(crate) message: String,
    /// Formats, and the code of why each does not fit.
    pub(crate) tried: Vec<(&'static str, &'static str)>,
    pub(crate) expected: &'static str,
    /// The file that is read instead.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) other: String,
    /// The code of why a known file is not read.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) why: &'static str,
}

/// Where a slice's event stands, for whoever has the files.
#[derive(JsonSchema, Serialize)]
pub(crate) struct EventPlaceReport<'a> {
    /// The rank's name.
    pub(crate) rank: &'a str,
    /// The file's name.
    pub(crate) file: &'a str,
    pub(crate) format: &'a str,
    pub(crate) at: u64,
    pub(crate) is_json: bool,
}

/// An event as it stands in its file.
#[derive(JsonSchema, Serialize)]
pub(crate) struct EventTextReport {
    /// None: there is no object there.
    pub(crate) object: Option<EventObjectReport>,
}

/// The object of an event.
#[derive(JsonSchema, Serialize)]
pub(crate) struct EventObjectReport {
    pub(crate) text: String,
    pub(crate) is_repaired: bool,
    pub(crate) members: Vec<EventMemberReport>,
    /// Those of the object's `args`.
    pub(crate) args: Vec<EventMemberReport>,
}

/// A member: its key, its value, and whether that is a text, which is given without quotes and escapes. What is none is
/// as it stands in the file, so that numbers keep all of their digits.
#[derive(JsonSchema, Serialize)]
pub(crate) struct EventMemberReport(pub(crate) String, pub(crate) String, pub(crate) bool);

/// What is wrong with a query: a part of it, in UTF-16 units.
#[derive(JsonSchema, Serialize)]
pub(crate) struct QueryFaultReport {
    pub(crate) fault: &'static str,
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// In English.
    pub(crate) message: String,
}

/// A slice or else an instant event that was found.
#[derive(JsonSchema, Serialize)]
pub(crate) struct FindHitReport<'a> {
    /// The slice.
    pub(crate) event: Option<u32>,
    /// Else the instant event.
    pub(crate) instant: Option<FoundInstantReport<'a>>,
    /// Which it is of all, by time.
    pub(crate) number: usize,
}

/// An instant event.
#[derive(JsonSchema, Serialize)]
pub(crate) struct FoundInstantReport<'a> {
    pub(crate) index: usize,
    pub(crate) name: &'a str,
    /// In the rank's time.
    pub(crate) at_ns: i64,
}

/// The sources of a drop and the ranks that they make.
#[derive(JsonSchema, Serialize)]
pub(crate) struct PlanReport {
    pub(crate) sources: Vec<SourceReport>,
    pub(crate) ranks: Vec<PlannedRankReport>,
}

/// A file, or what an archive holds.
#[derive(JsonSchema, Serialize)]
pub(crate) struct SourceReport {
    pub(crate) path: String,
    /// Which of the files that were added it lies in.
    pub(crate) file: usize,
    /// Where it begins there.
    pub(crate) start: u64,
    pub(crate) len: u64,
    pub(crate) bytes: u64,
    /// How it is packed; empty for bytes as they are.
    pub(crate) layers: String,
    /// Whether it is read here and there, which blocks the worker.
    pub(crate) random: bool,
    /// Whether pieces of it can be read apart from each other.
    pub(crate) apart: bool,
    /// The title of its format; nothing if no reader knows it.
    pub(crate) title: Option<&'static str>,
    /// Why it is part of no rank.
    pub(crate) problem: Option<ProblemReport>,
}

/// A rank that can be read.
#[derive(JsonSchema, Serialize)]
pub(crate) struct PlannedRankReport {
    pub(crate) name: String,
    pub(crate) rank: Option<u64>,
    pub(crate) bytes: u64,
    /// Sources by their places.
    pub(crate) sources: Vec<usize>,
}

/// How far the reading of a rank is.
#[derive(JsonSchema, Serialize)]
pub(crate) struct ProgressReport {
    pub(crate) bytes: u64,
    pub(crate) events: u64,
    pub(crate) slices: u64,
    pub(crate) activities: u64,
}

/// The rows of the timeline, of all ranks.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct TimelineReport {
    /// From the first rank's start to when the last thing ends.
    pub(crate) end_ns: i64,
    /// How much later each rank's trace starts than the first of all.
    pub(crate) shifts_ns: Vec<i64>,
    pub(crate) rows: Vec<TimelineRowReport>,
}

/// A row: what it shows, and of whom.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub(crate) struct TimelineRowReport {
    pub(crate) rank: usize,
    /// `steps`, `doing`, `overlap`, `share`, `communication`, `stream`, `thread`, `queue`, `memory` or `counter`.
    pub(crate) kind: &'static str,
    /// None of curves.
    pub(crate) lanes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) device: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stream: Option<i64>,
    /// Of the overlap of a device.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) part: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) layer: &'static str,
    /// The process's place among the rank's, and what a person knows it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) process: Option<(u32, String)>,
    /// The thread's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thread: Option<String>,
    /// The thread's or stream's name, the counter's, the group's.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    /// The track, by its place among the rank's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) track: Option<u32>,
    /// How many slices it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) slices: Option<usize>,
    /// Whether what memory is reserved is shown, not what is allocated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) reserved: bool,
    /// The unit of a curve's values, where that is known.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) unit: &'static str,
    /// How long each slot of time is of which shares are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) slot_ns: Option<i64>,
}

/// A slice on the timeline.
#[derive(JsonSchema, Serialize)]
pub(crate) struct TimelineFoundReport<'a> {
    pub(crate) row: usize,
    pub(crate) lane: usize,
    pub(crate) place: usize,
    pub(crate) number: u32,
    /// The rank, if it is a slice of it; else it is a computed span.
    pub(crate) rank: Option<usize>,
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) text: &'a str,
}

/// [`stepscope_table::Description`].
#[derive(JsonSchema, Serialize)]
pub(crate) struct TableReport {
    pub(crate) id: &'static str,
    pub(crate) sort: &'static str,
    /// In the order of data.
    pub(crate) columns: Vec<TableColumnReport>,
    /// The keys of the columns that a table shows, in order.
    pub(crate) shown: Vec<&'static str>,
}

/// [`stepscope_table::Column`].
#[derive(JsonSchema, Serialize)]
pub(crate) struct TableColumnReport {
    /// In JSON, in CSV, and of its messages; with dots where JSON has objects.
    pub(crate) key: &'static str,
    pub(crate) unit: &'static str,
    /// The prefix of its words' messages.
    pub(crate) words: Option<&'static str>,
    pub(crate) is_number: bool,
    /// Whether values are known for a share of the time.
    pub(crate) is_covered: bool,
    /// `always`, `wide`, `name` or `data`.
    pub(crate) show: &'static str,
    /// The column whose shares are drawn as bars; empty for shares of its own largest value.
    pub(crate) bar: Option<&'static str>,
    /// Whether values are parts of a whole.
    pub(crate) is_part: bool,
    /// Whether it says nothing where no device was recorded.
    pub(crate) is_of_device: bool,
}

/// The rows of a recorded table: as they are shown, and as they are sorted and saved.
#[derive(JsonSchema, Serialize)]
pub(crate) struct RecordedRowsReport<'a> {
    pub(crate) texts: Vec<Vec<String>>,
    pub(crate) values: Vec<Vec<RecordedValue<'a>>>,
}

/// A value of a recorded table.
pub(crate) struct RecordedValue<'a>(pub(crate) &'a Cell);

impl Serialize for RecordedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Cell::Empty => serializer.serialize_none(),
            Cell::Text(text) => serializer.serialize_str(text),
            // Times since 1970 keep their digits as text.
            Cell::Integer(number) if number.abs() > LARGEST => serializer.serialize_str(&number.to_string()),
            Cell::Integer(number) => serializer.serialize_i64(*number),
            Cell::Real(number) => serializer.serialize_f64(*number),
        }
    }
}

impl JsonSchema for RecordedValue<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "RecordedValue".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "number", "null"]})
    }
}
