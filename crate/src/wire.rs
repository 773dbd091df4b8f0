//! Messages from the wasm module to the page, except reports of a rank (`stepscope_export`). They compile on every
//! platform, so that the page's types can be generated from them.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

use stepscope_export::report_json::{SchemaOf, reports_schema, schema_of_type};
use stepscope_trace::Cell;

/// The largest integer that JavaScript represents exactly.
const LARGEST: i64 = 1 << 53;

/// The schema of all messages to the page.
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

/// An error, with what is needed to translate it.
#[derive(JsonSchema, Serialize)]
pub(crate) struct ProblemReport {
    /// A stable name.
    pub(crate) code: &'static str,
    pub(crate) file: String,
    /// The byte position in the uncompressed file.
    pub(crate) position: Option<u64>,
    /// The message in English.
    pub(crate) message: String,
    /// Formats that were tried, each with the code of the rejection reason.
    pub(crate) tried: Vec<(&'static str, &'static str)>,
    pub(crate) expected: &'static str,
    /// The file that is read in its place.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) other: String,
    /// The code of the reason why a known file is not read.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) why: &'static str,
}

/// The location of an event in its file.
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

/// The text of an event in its file.
#[derive(JsonSchema, Serialize)]
pub(crate) struct EventTextReport {
    /// The object; null if there is none at that place.
    pub(crate) object: Option<EventObjectReport>,
}

/// The JSON object of an event.
#[derive(JsonSchema, Serialize)]
pub(crate) struct EventObjectReport {
    pub(crate) text: String,
    pub(crate) is_repaired: bool,
    pub(crate) members: Vec<EventMemberReport>,
    /// The members of `args`.
    pub(crate) args: Vec<EventMemberReport>,
}

/// A member: key, value, and whether the value is text. Text has no quotes and escapes; other values are as in the
/// file, so that numbers keep all digits.
#[derive(JsonSchema, Serialize)]
pub(crate) struct EventMemberReport(pub(crate) String, pub(crate) String, pub(crate) bool);

/// A fault in a query; positions in UTF-16 units.
#[derive(JsonSchema, Serialize)]
pub(crate) struct QueryFaultReport {
    pub(crate) fault: &'static str,
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The message in English.
    pub(crate) message: String,
}

/// A search hit: a slice or an instant event.
#[derive(JsonSchema, Serialize)]
pub(crate) struct FindHitReport<'a> {
    /// The slice's number.
    pub(crate) event: Option<u32>,
    /// The instant event, if the hit is not a slice.
    pub(crate) instant: Option<FoundInstantReport<'a>>,
    /// The position among all hits, by time.
    pub(crate) number: usize,
}

/// An instant event.
#[derive(JsonSchema, Serialize)]
pub(crate) struct FoundInstantReport<'a> {
    pub(crate) index: usize,
    pub(crate) name: &'a str,
    /// Time on the rank's clock.
    pub(crate) at_ns: i64,
}

/// Opened sources, and the ranks made from them.
#[derive(JsonSchema, Serialize)]
pub(crate) struct PlanReport {
    pub(crate) sources: Vec<SourceReport>,
    pub(crate) ranks: Vec<PlannedRankReport>,
}

/// A file, or an entry of an archive.
#[derive(JsonSchema, Serialize)]
pub(crate) struct SourceReport {
    pub(crate) path: String,
    /// The index of the added file that contains it.
    pub(crate) file: usize,
    /// The byte at which it begins in that file.
    pub(crate) start: u64,
    pub(crate) len: u64,
    pub(crate) bytes: u64,
    /// Compression and archive layers; empty for a plain file.
    pub(crate) layers: String,
    /// Whether it is read by random access, which blocks the worker.
    pub(crate) random: bool,
    /// Whether it is splittable.
    pub(crate) apart: bool,
    /// The title of its format; null if unknown.
    pub(crate) title: Option<&'static str>,
    /// The reason why it is part of no rank.
    pub(crate) problem: Option<ProblemReport>,
}

/// A rank that can be read.
#[derive(JsonSchema, Serialize)]
pub(crate) struct PlannedRankReport {
    pub(crate) name: String,
    pub(crate) rank: Option<u64>,
    pub(crate) bytes: u64,
    /// Indexes into `sources`.
    pub(crate) sources: Vec<usize>,
}

/// Progress of reading a rank.
#[derive(JsonSchema, Serialize)]
pub(crate) struct ProgressReport {
    pub(crate) bytes: u64,
    pub(crate) events: u64,
    pub(crate) slices: u64,
    pub(crate) activities: u64,
}

/// All rows of the timeline.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct TimelineReport {
    /// The time from the start of the first rank to the end of the last event.
    pub(crate) end_ns: i64,
    /// The start of each rank relative to the first one.
    pub(crate) shifts_ns: Vec<i64>,
    pub(crate) rows: Vec<TimelineRowReport>,
}

/// A row of the timeline.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub(crate) struct TimelineRowReport {
    pub(crate) rank: usize,
    /// `steps`, `doing`, `overlap`, `share`, `communication`, `stream`, `thread`, `queue`, `memory` or `counter`.
    pub(crate) kind: &'static str,
    /// The number of lanes; null for curves.
    pub(crate) lanes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) device: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stream: Option<i64>,
    /// The part of device time that an overlap row shows.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) part: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) layer: &'static str,
    /// Index and label of the process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) process: Option<(u32, String)>,
    /// The thread id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thread: Option<String>,
    /// The name of the thread, stream, counter or group.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    /// The group of ranks whose communication is all that a stream has; empty if the group is not named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<String>,
    /// The index of the track within the rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) track: Option<u32>,
    /// The number of slices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) slices: Option<usize>,
    /// Whether the row shows reserved instead of allocated memory.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) reserved: bool,
    /// The unit of a curve, if known.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) unit: &'static str,
    /// The length of each time slot of a share row.
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
    /// The rank of the slice; null for a computed span.
    pub(crate) rank: Option<usize>,
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) text: &'a str,
}

/// The description of a table.
#[derive(JsonSchema, Serialize)]
pub(crate) struct TableReport {
    pub(crate) id: &'static str,
    pub(crate) sort: &'static str,
    /// Whether the smallest value comes first.
    pub(crate) is_ascending: bool,
    /// The columns of the start, and of the end or the length, of a row's time.
    pub(crate) span: Option<[&'static str; 2]>,
    /// The tab that shows it below its own tables, under the title `table.ID`.
    pub(crate) view: Option<&'static str>,
    /// Columns in the order of data.
    pub(crate) columns: Vec<TableColumnReport>,
    /// The keys of visible columns, in order.
    pub(crate) shown: Vec<&'static str>,
}

/// A column of a described table.
#[derive(JsonSchema, Serialize)]
pub(crate) struct TableColumnReport {
    /// The key in JSON, CSV and messages; dots separate nested objects.
    pub(crate) key: &'static str,
    pub(crate) unit: &'static str,
    /// The prefix of message keys of its words.
    pub(crate) words: Option<&'static str>,
    /// The column that names the unit of each row's value.
    pub(crate) unit_key: Option<&'static str>,
    pub(crate) is_number: bool,
    /// Whether each value has a coverage.
    pub(crate) is_covered: bool,
    /// `always`, `seldom` (not where all values are zero), `wide`, `name` or `data`.
    pub(crate) show: &'static str,
    /// The column whose shares are drawn as bars; empty for shares of the column's own maximum.
    pub(crate) bar: Option<&'static str>,
    /// The column whose values are the wholes of these; the share stands after each value.
    pub(crate) part_of: Option<&'static str>,
    /// Whether values are parts of a whole.
    pub(crate) is_part: bool,
    /// Whether it is hidden if no device was recorded.
    pub(crate) is_of_device: bool,
    /// Whether values are numbers of events, to which the rows' names lead.
    pub(crate) is_event: bool,
    /// The key of a column without whose value it has none, either.
    pub(crate) with: Option<&'static str>,
    /// The key of the column by whose values rows are sorted instead.
    pub(crate) order: Option<&'static str>,
    /// Whether its words sort as the rows have them at first.
    pub(crate) is_ranked: bool,
}

/// Rows of a recorded table: texts to show, and values to sort and save.
#[derive(JsonSchema, Serialize)]
pub(crate) struct RecordedRowsReport<'a> {
    pub(crate) texts: Vec<Vec<String>>,
    /// The point of the profiler's clock from which points in time are written, if the table has such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) points_from: Option<String>,
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
