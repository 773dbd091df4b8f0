//! The graph's operators in msprof's folder of MindSpore 1.x, as text: `Framework.host.vm.graph_desc_info.0.slice_0`
//! and `Framework.host.vm.task_desc_info.0.slice_0`.
//!
//! ```text
//! graph   op_name:Default/Cast-op6 op_type:Cast input_id:0 input_format:DefaultFormat input_data_type:40
//!         input_shape:"32,3" output_id:0 output_format:… output_data_type:… output_shape:…     (one line)
//! task    Default/Cast-op6 32 51517 0     name, blocks, task, stream; some versions have a field more in front
//! ```
//!
//! They become the rows that the profiler's analysis makes of them (`framework_raw_N.csv`): a row for each task with
//! the inputs and outputs of its operator, and one for each operator without a task.
//!
//! Source: MindInsight's and MindSpore's `profiler/parser/framework_parser.py`.

use super::quantity::Quantity;
use super::training_trace::is_named;
use crate::{Head, clip};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use serde_json::Value;
use stepscope_base::{Code, Warnings};
use stepscope_trace::{Cell, RecordedTable, RecordedUnit, TraceBuilder};

/// The content of such a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Operators with their inputs and outputs.
    Graph,
    /// Their tasks.
    Tasks,
}

/// The content of a file, by its name and one of its first two lines; the first one of a later file may be cut.
pub(super) fn begins(path: &str, head: Head<'_>) -> Option<Content> {
    const NAMES: [&str; 3] = ["Framework.host.vm.", "Framework.host.vm_", "Framework.vm_"];
    let is_of = |content: &str| NAMES.iter().any(|name| is_named(path, &[name, content].concat()));
    let content = match () {
        () if is_of("graph_desc_info.") => Content::Graph,
        () if is_of("task_desc_info.") => Content::Tasks,
        () => return None,
    };
    // A line without an end may go on.
    let end = head.bytes.iter().rposition(|byte| *byte == b'\n')?;
    let mut lines = head.bytes[..end].split(|byte| *byte == b'\n').take(2);
    let is_known = |line: &[u8]| match content {
        Content::Graph => operator(line).is_some(),
        Content::Tasks => task(line).is_some(),
    };
    lines.any(is_known).then_some(content)
}

const COLUMNS: [(&str, RecordedUnit); 9] = [
    ("task_id", RecordedUnit::Text),
    ("stream_id", RecordedUnit::Text),
    ("block_dim", RecordedUnit::Number),
    ("full_kernel_name", RecordedUnit::Text),
    ("op_name", RecordedUnit::Text),
    ("kernel_name", RecordedUnit::Text),
    ("kernel_type", RecordedUnit::Text),
    ("subgraph", RecordedUnit::Text),
    ("op_info", RecordedUnit::Text),
];

/// The columns of a task, before those of its operator.
const OF_TASK: usize = 3;
/// The column of an operator's name.
const NAME: usize = 3;
/// The column of an operator's type.
const TYPE: usize = 6;
/// The column of an operator's inputs and outputs.
const INFO: usize = 8;

/// The text of a line; none if it is no UTF-8.
fn text(line: &[u8]) -> Option<&str> {
    Some(std::str::from_utf8(line).ok()?.trim_end_matches('\0').trim())
}

/// Name, and cells, of the task in a line.
fn task(line: &[u8]) -> Option<(&str, [Cell; OF_TASK])> {
    let fields: Vec<&str> = text(line)?.split(' ').collect();
    let ([name, blocks, task, stream] | [_, name, blocks, task, stream]) = fields[..] else { return None };
    let is_number = |text: &str| text.parse::<u64>().is_ok();
    let is_task = !name.is_empty() && [blocks, task, stream].into_iter().all(is_number);
    let cells = [Quantity::Text.cell(task), Quantity::Text.cell(stream), Quantity::Number.cell(blocks)];
    is_task.then_some((name, cells))
}

/// An operator without its inputs and outputs, by its name.
fn named(name: &str) -> Vec<Cell> {
    let graph = name.split('/').next().filter(|graph| ["Default", "Gradients"].contains(graph));
    let own = graph.map_or(name, |_| name.rsplit('/').next().unwrap_or(name));
    let texts = [name, name, own, "", graph.unwrap_or_default(), ""];
    texts.map(|text| Quantity::Text.cell(text)).into()
}

/// The operator in a line: its name, and its cells from [`NAME`] on.
fn operator(line: &[u8]) -> Option<(&str, Vec<Cell>)> {
    let (mut name, mut kind) = (None, "");
    // Inputs and outputs; attributes belong to the last one.
    let mut tensors: Vec<(&str, Tensor<'_>)> = Vec::new();
    for part in text(line)?.split(' ') {
        let (key, value) = part.split_once(':')?;
        match key {
            "op_name" => name = Some(value),
            "op_type" => kind = value,
            "input_id" | "output_id" => {
                let side = key.trim_end_matches("_id");
                tensors.push((side, Tensor { name: format!("{side}_{value}"), attributes: Vec::new() }));
            }
            _ => {
                let Some((side, attribute)) = key.split_once('_') else { continue };
                if !["input", "output"].contains(&side) {
                    continue;
                }
                let value = match attribute {
                    "format" => value,
                    "shape" => value.trim_matches('"'),
                    "data_type" => data_type(value.parse().ok()?),
                    _ => continue,
                };
                let (_, tensor) = tensors.last_mut().filter(|(own, _)| *own == side)?;
                tensor.attributes.push((attribute, value));
            }
        }
    }
    let name = name.filter(|name| !name.is_empty())?;
    let mut cells = named(name);
    cells[TYPE - NAME] = Quantity::Text.cell(kind);
    let info = object(tensors.iter().map(|(_, tensor)| {
        let attributes = tensor.attributes.iter().map(|(name, value)| (*name, Value::from(*value).to_string()));
        (tensor.name.as_str(), object(attributes))
    }));
    cells[INFO - NAME] = Cell::Text(info);
    Some((name, cells))
}

/// An input or output of an operator.
struct Tensor<'a> {
    name: String,
    attributes: Vec<(&'a str, &'a str)>,
}

/// A JSON object of members that are JSON themselves, in their order, spaced as in the profiler's own table.
fn object<'a>(members: impl Iterator<Item = (&'a str, String)>) -> String {
    let members: Vec<String> = members.map(|(name, value)| format!("{}: {value}", Value::from(name))).collect();
    format!("{{{}}}", members.join(", "))
}

/// The name of a type of numbers, by its id in MindSpore up to 1.5.
fn data_type(id: u64) -> &'static str {
    const FIRST: u64 = 27;
    const NAMES: [&str; 15] = [
        "NUMBER_TYPE_BOOL",
        "NUMBER_TYPE_INT",
        "NUMBER_TYPE_INT8",
        "NUMBER_TYPE_INT16",
        "NUMBER_TYPE_INT32",
        "NUMBER_TYPE_INT64",
        "NUMBER_TYPE_UINT",
        "NUMBER_TYPE_UINT8",
        "NUMBER_TYPE_UINT16",
        "NUMBER_TYPE_UINT32",
        "NUMBER_TYPE_UINT64",
        "NUMBER_TYPE_FLOAT",
        "NUMBER_TYPE_FLOAT16",
        "NUMBER_TYPE_FLOAT32",
        "NUMBER_TYPE_FLOAT64",
    ];
    let place = id.checked_sub(FIRST).and_then(|place| usize::try_from(place).ok());
    place.and_then(|place| NAMES.get(place)).copied().unwrap_or("UNKNOWN")
}

/// The complete lines of a file, each with its position; warns of a last one that is cut.
fn lines<'a>(bytes: &'a [u8], warnings: &mut Warnings) -> Vec<(u64, &'a [u8])> {
    let mut at = 0;
    let mut found = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let is_blank = line.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0);
        match line.strip_suffix(b"\n") {
            _ if is_blank => {}
            Some(line) => found.push((at, line)),
            None => warnings.add(Code::Truncated, Some(at), || clip(&String::from_utf8_lossy(line))),
        }
        at += line.len() as u64;
    }
    found
}

impl Content {
    /// Adds the operators or tasks of a file to the table, which earlier files may have begun.
    pub(super) fn read(self, bytes: &[u8], builder: &mut TraceBuilder, warnings: &mut Warnings) {
        // The profiler's own table has a header; ours is of files with this name.
        let begun = |table: &RecordedTable| {
            table.id == "framework" && table.file.rsplit('/').next().is_some_and(|file| file.starts_with("Framework."))
        };
        let other = builder.tables().iter().find(|table| table.id == "framework" && !begun(table));
        if let Some(analyzed) = other.map(|table| table.file.clone()) {
            warnings.add(Code::RepeatedTimeline, None, || analyzed);
            return;
        }
        let file = builder.input_name().to_owned();
        let new = || RecordedTable::new("framework", &file, &COLUMNS);
        let mut table = builder.pop_table_if(begun).unwrap_or_else(new);
        let lines = lines(bytes, warnings);
        match self {
            Self::Graph => add_operators(&mut table, &lines, warnings),
            Self::Tasks => add_tasks(&mut table, &lines, warnings),
        }
        if !table.rows.is_empty() {
            builder.table(table);
        }
    }
}

fn malformed(position: u64, line: &[u8], warnings: &mut Warnings) {
    warnings.add(Code::MalformedRow, Some(position), || clip(&String::from_utf8_lossy(line)));
}

/// Adds operators, also to the rows of their tasks. The last one of a name counts.
fn add_operators(table: &mut RecordedTable, lines: &[(u64, &[u8])], warnings: &mut Warnings) {
    let mut operators: Vec<(&str, Vec<Cell>)> = Vec::new();
    let mut places: HashMap<&str, usize, FxBuildHasher> = HashMap::default();
    for (position, line) in lines {
        let Some((name, cells)) = operator(line) else {
            malformed(*position, line, warnings);
            continue;
        };
        let place = *places.entry(name).or_insert(operators.len());
        match operators.get_mut(place) {
            Some((_, known)) => *known = cells,
            None => operators.push((name, cells)),
        }
    }
    let mut has_row = vec![false; operators.len()];
    for row in &mut table.rows {
        let place = row[NAME].text().and_then(|name| places.get(name));
        if let Some(place) = place {
            has_row[*place] = true;
            row.truncate(NAME);
            row.extend_from_slice(&operators[*place].1);
        }
    }
    let without = operators.into_iter().zip(has_row).filter(|(_, has_row)| !has_row);
    table.rows.extend(without.map(|((_, cells), _)| {
        let task = vec![Cell::Empty; OF_TASK];
        task.into_iter().chain(cells).collect()
    }));
}

/// Adds tasks: the first one of an operator to its row, others in rows of their own.
fn add_tasks(table: &mut RecordedTable, lines: &[(u64, &[u8])], warnings: &mut Warnings) {
    let name = |row: &Vec<Cell>| row[NAME].text().unwrap_or_default().to_owned();
    // The first row of each operator.
    let mut places: HashMap<String, usize, FxBuildHasher> = HashMap::default();
    for (place, row) in table.rows.iter().enumerate() {
        places.entry(name(row)).or_insert(place);
    }
    for (position, line) in lines {
        let Some((name, task)) = task(line) else {
            malformed(*position, line, warnings);
            continue;
        };
        let known = places.get(name).copied();
        match known.and_then(|place| table.rows.get_mut(place)) {
            Some(row) if row[0] == Cell::Empty => {
                row.splice(..OF_TASK, task);
            }
            known_row => {
                let operator = known_row.map_or_else(|| named(name), |row| row[NAME..].to_vec());
                if known.is_none() {
                    places.insert(name.to_owned(), table.rows.len());
                }
                table.rows.push(task.into_iter().chain(operator).collect());
            }
        }
    }
}
