//! Tables of all tasks of an Ascend device: `kernel_details.csv`, and msprof's `task_time_*.csv`.

use super::units::{NANOSECONDS, scaled};
use crate::mindspore::tasks::{Task, task};
use stepscope_base::Nanos;
use stepscope_parse::{Decimal, Delimiter, Rows};

/// Indices of the columns that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    name: usize,
    start: usize,
    length: usize,
    stream: Option<usize>,
    core: Option<usize>,
    kind: Option<usize>,
    device: Option<usize>,
    /// The task's type, where the table has waits and copies, too.
    task: Option<usize>,
    /// The power of ten that makes microseconds of starts.
    exponent: i32,
}

/// A task of a table.
#[derive(Debug, PartialEq)]
pub(crate) struct TableTask {
    pub(crate) name: String,
    /// Start and end.
    pub(crate) span: [Nanos; 2],
    pub(crate) stream: Option<i64>,
    pub(crate) device: Option<i64>,
    /// Whether it is a collective.
    pub(crate) communicates: bool,
    /// The kind of the task.
    pub(crate) task: Task,
    /// The byte of the file at which its row begins.
    pub(crate) position: u64,
}

/// Whether a task of this accelerator, and an operator of this type, is a collective.
pub(crate) fn is_collective(core: &str, operator: &str) -> bool {
    ["HCCL", "COMMUNICATION"].contains(&core) || operator.starts_with("hcom_")
}

/// The fields of a line.
fn fields<T>(line: &[u8], of: impl FnOnce(&[&str]) -> Option<T>) -> Option<T> {
    let (mut rows, mut found, mut of) = (Rows::new(Delimiter::Comma), None, Some(of));
    let mut row = |row: stepscope_parse::DelimitedRow<'_>| {
        let fields: Vec<&str> = row.fields.iter().map(|field| field.trim()).collect();
        if let Some(of) = of.take().filter(|_| row.whole) {
            found = of(&fields);
        }
    };
    rows.advance(line, &mut row);
    rows.finish(&mut row);
    found
}

impl Columns {
    /// The columns of a header, if it is one of this table.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        fields(line, |fields| {
            let find = |name: &str| fields.iter().position(|field| *field == name);
            let details = || {
                Some(Self {
                    name: find("Name")?,
                    start: find("Start Time(us)")?,
                    length: find("Duration(us)")?,
                    stream: find("Stream ID"),
                    core: Some(find("Accelerator Core")?),
                    kind: find("Type"),
                    device: None,
                    task: None,
                    exponent: 0,
                })
            };
            let times = || {
                let in_nanos = || Some((find("task_start(ns)")?, NANOSECONDS));
                let (start, exponent) = find("task_start(us)").map(|start| (start, 0)).or_else(in_nanos)?;
                Some(Self {
                    name: find("kernel_name")?,
                    start,
                    length: find("task_time(us)")?,
                    stream: find("stream_id"),
                    core: None,
                    kind: None,
                    device: find("Device_id"),
                    task: Some(find("kernel_type")?),
                    exponent,
                })
            };
            details().or_else(times)
        })
    }

    /// The task of a row; none if the row is cut, or has no time.
    pub(super) fn kernel(&self, line: &[u8], position: u64) -> Option<TableTask> {
        fields(line, |fields| {
            // Old versions of msprof write starts in quotes within quotes.
            let field = |column: usize| fields.get(column).map(|field| field.trim_matches('"'));
            let time = |column: usize| Decimal::parse(field(column)?.as_bytes());
            let text = |column: Option<usize>| column.and_then(field).unwrap_or_default();
            let number = |column| Decimal::parse(text(column).as_bytes()).and_then(Decimal::to_i64);
            let (name, kind) = (field(self.name)?, text(self.task));
            // Tasks without an operator, such as waits, have only their type.
            let name = if self.task.is_some() && matches!(name, "" | "N/A") { kind } else { name };
            let (start, end, _) =
                Decimal::span_from_micros(scaled(time(self.start)?, self.exponent), time(self.length)?)?;
            Some(TableTask {
                name: name.to_owned(),
                span: [start, end],
                stream: number(self.stream),
                device: number(self.device),
                communicates: is_collective(text(self.core), text(self.kind)),
                task: task(kind),
                position,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name() {
        let header = b"Step ID,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Input Shapes";
        let columns = Columns::of(header).expect("a header");
        let row = b"1,\"a,b\",MatMul,AI_CORE,1795230809710992.970\t,12.5,0,\"\"\"16,3\"\"\"";
        let kernel = columns.kernel(row, 7).expect("a kernel");
        assert_eq!((kernel.name.as_str(), kernel.stream, kernel.communicates), ("a,b", None, false));
        assert_eq!(kernel.span, [Nanos(1_795_230_809_710_992_970), Nanos(1_795_230_809_711_005_470)]);
        assert!(columns.kernel(b"1,hcom,hcom_allReduce_,HCCL,10,2", 7).expect("a collective").communicates);
        assert!(columns.kernel(b"1,cut,MatMul,AI_CORE,1795", 7).is_none());
        assert!(Columns::of(b"Name,Type,Count").is_none());
    }

    #[test]
    fn tasks_of_msprof_have_types_and_devices() {
        let header = b"Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)";
        let columns = Columns::of(header).expect("a header");
        let kernel = |row: &[u8]| columns.kernel(row, 7).expect("a task");
        let add = kernel(b"3,Add_1,AI_VECTOR_CORE,2,12,15.000,1795230809710992.970\t,1795230809711007.970\t");
        assert_eq!((add.name.as_str(), add.device, add.stream, add.task), ("Add_1", Some(3), Some(2), Task::Compute));
        let wait = kernel(b"3,N/A,EVENT_WAIT,2,13,1,1795230809711008,1795230809711009");
        assert_eq!((wait.name.as_str(), wait.task), ("EVENT_WAIT", Task::Order { notifies: false }));
        assert!(columns.kernel(b"3,Add_1,AI_CORE,2,12,N/A,5,N/A", 7).is_none(), "a task that never ended");
        let old = Columns::of(b"kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(ns),task_stop(ns)");
        let old =
            old.expect("a header").kernel(b"a,AI_CORE,2,1,1.5,\"\"\"2000\"\"\",\"\"\"3500\"\"\"", 7).expect("a task");
        assert_eq!((old.span, old.device), ([Nanos(2_000), Nanos(3_500)], None));
    }
}
