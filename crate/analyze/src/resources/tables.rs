//! Curves in the tables that profilers wrote themselves.

use std::collections::BTreeMap;

use super::ResourceKind;
use super::resource::Resource;
use stepscope_base::CompactSort;
use stepscope_trace::{Cell, RecordedTable, RecordedUnit, Trace};

/// Tables that contain curves.
const TABLES: [&str; 5] = ["minddata_cpu", "minddata_cpu_operators", "host_memory", "host_info", "cupti_counters"];

/// Whether a trace has a table with curves.
pub(super) fn has_any(trace: &Trace) -> bool {
    trace.recorded.iter().any(|table| match table.id {
        "host_memory" | "host_info" => table.rows.iter().any(|row| host_memory(table, row).is_some()),
        id => TABLES.contains(&id) && !table.rows.is_empty(),
    })
}

/// Adds the curves of all tables.
pub(super) fn add(trace: &Trace, found: &mut Vec<Resource>) {
    for table in &trace.recorded {
        match table.id {
            "minddata_cpu" => machine(table, found),
            "minddata_cpu_operators" => pipeline(trace, table, found),
            "host_memory" | "host_info" => components(table, found),
            "cupti_counters" => measurements(table, found, "CUPTI"),
            _ => {}
        }
    }
}

/// The time of each row, in ns; its number where no row has one; none where others have.
#[expect(clippy::cast_precision_loss, reason = "times of a chart")]
fn times_of(table: &RecordedTable, column: &str) -> Vec<Option<f64>> {
    let times: Vec<Option<f64>> =
        table.rows.iter().map(|row| table.cell(row, column).nanos().map(|time| time.0 as f64)).collect();
    if times.iter().any(Option::is_some) {
        return times;
    }
    (0..times.len()).map(|number| Some(number as f64)).collect()
}

/// MindData's samples of the machine and of the process: a curve per column.
fn machine(table: &RecordedTable, found: &mut Vec<Resource>) {
    let times = times_of(table, "time");
    let blank = usize::from(is_first_blank(table));
    for (index, column) in table.columns.iter().enumerate().filter(|(_, column)| column.name != "time") {
        let (owner, name) = match column.name.split_once(' ') {
            Some((owner @ ("machine" | "process"), name)) => (owner, name),
            _ => ("machine", column.name.as_str()),
        };
        let kind = match column.unit {
            RecordedUnit::Share => ResourceKind::Processor,
            RecordedUnit::Bytes => ResourceKind::HostMemory,
            _ => ResourceKind::ContextSwitches,
        };
        // A count of a moment needs no sample before it.
        let is_change = kind == ResourceKind::Processor || name == "context switches";
        let points = times.iter().zip(&table.rows).skip(if is_change && owner == "machine" { blank } else { 0 });
        let points = points.filter_map(|(time, row)| Some(((*time)?, row.get(index)?.number()?)));
        let (owner, name) = (owner.to_owned(), name.to_owned());
        found.push(Resource {
            kind,
            owner,
            name,
            unit: column.unit,
            holds: true,
            is_regular: true,
            points: points.collect(),
        });
    }
}

/// Whether the first sample of the machine measured nothing: MindData's sampler counts time and context switches since
/// its last sample, and before the first there is none.
fn is_first_blank(table: &RecordedTable) -> bool {
    const CHANGES: [&str; 5] = ["machine user", "machine sys", "machine io", "machine idle", "context switches"];
    let Some(first) = table.rows.first() else { return false };
    let has = |name: &str| table.column(name).is_some();
    let measured = |name: &str| table.cell(first, name).number().is_some_and(|number| number != 0.0);
    has("machine idle") && !CHANGES.into_iter().any(measured)
}

/// MindData's samples of the operators of the pipeline: one curve for time in user code and one for time in the system.
fn pipeline(trace: &Trace, table: &RecordedTable, found: &mut Vec<Resource>) {
    let operators = crate::pipeline(trace).map_or_else(Vec::new, |pipeline| pipeline.operators);
    let machine = trace.recorded.iter().find(|table| table.id == "minddata_cpu");
    let is_blank = machine.is_some_and(is_first_blank);
    let kind_of = |id: i64| operators.iter().find(|one| one.id == id).map_or("", |one| one.kind.as_str());
    let times = times_of(table, "time");
    for column in ["user", "sys"] {
        let mut curves: BTreeMap<i64, Vec<(f64, f64)>> = BTreeMap::new();
        for (time, row) in times.iter().zip(&table.rows) {
            let id = table.cell(row, "op_id");
            let point = time.zip(table.cell(row, column).number());
            if let (Cell::Integer(id), Some(point)) = (id, point) {
                curves.entry(*id).or_default().push(point);
            }
        }
        // Its samples are those of the machine.
        if is_blank && curves.values().all(|points| points.first().is_some_and(|(_, value)| *value == 0.0)) {
            for points in curves.values_mut() {
                points.remove(0);
            }
        }
        found.extend(curves.into_iter().map(|(id, points)| Resource {
            kind: ResourceKind::Processor,
            owner: [&id.to_string(), kind_of(id)].join(" ").trim_end().to_owned(),
            name: column.to_owned(),
            unit: RecordedUnit::Share,
            holds: true,
            is_regular: true,
            points,
        }));
    }
}

/// MindSpore's memory of the host in a row, where it was measured.
fn host_memory(table: &RecordedTable, row: &[Cell]) -> Option<f64> {
    table.cell(row, "memory_usage").number()
}

/// MindSpore's memory of the host: a curve per component.
fn components(table: &RecordedTable, found: &mut Vec<Resource>) {
    let mut curves: Vec<(&str, Vec<(f64, f64)>)> = Vec::new();
    for (time, row) in times_of(table, "time_stamp").into_iter().zip(&table.rows) {
        let Some(point) = time.zip(host_memory(table, row)) else { continue };
        let component = table.cell(row, "module_name").text().unwrap_or_default();
        let place = curves.iter().position(|(known, _)| *known == component).unwrap_or_else(|| {
            curves.push((component, Vec::new()));
            curves.len() - 1
        });
        curves[place].1.push(point);
    }
    for (component, mut points) in curves {
        points.compact_sort_by(|a, b| a.0.total_cmp(&b.0));
        found.push(Resource {
            kind: ResourceKind::HostMemory,
            owner: component.to_owned(),
            name: "memory".to_owned(),
            unit: RecordedUnit::Bytes,
            holds: true,
            is_regular: false,
            points,
        });
    }
}

/// A table of measurements, one row each in the order of time: a curve per column of numbers.
#[expect(clippy::cast_precision_loss, reason = "a number of a row")]
fn measurements(table: &RecordedTable, found: &mut Vec<Resource>, owner: &str) {
    for (index, column) in table.columns.iter().enumerate() {
        let counts = !matches!(column.unit, RecordedUnit::Text | RecordedUnit::Nanoseconds);
        if !counts {
            continue;
        }
        let values = table.rows.iter().enumerate();
        let points = values.filter_map(|(number, row)| Some((number as f64, row.get(index)?.number()?)));
        found.push(Resource {
            kind: ResourceKind::Hardware,
            owner: owner.to_owned(),
            name: column.name.clone(),
            unit: column.unit,
            holds: false,
            is_regular: false,
            points: points.collect(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_trace::{Meta, RecordedColumn};

    fn host_info(memory: &[Option<i64>]) -> Trace {
        let column = |name: &str, unit| RecordedColumn { name: name.to_owned(), unit };
        let columns = vec![
            column("module_name", RecordedUnit::Text),
            column("memory_usage", RecordedUnit::Bytes),
            column("time_stamp", RecordedUnit::Nanoseconds),
        ];
        let row = |(at, bytes): (i64, &Option<i64>)| {
            vec![Cell::Text("ps".into()), bytes.map_or(Cell::Empty, Cell::Integer), Cell::Integer(at)]
        };
        let rows = (0..).zip(memory).map(row).collect();
        let table = RecordedTable { id: "host_info", file: "host_info_0.csv".to_owned(), columns, rows };
        Trace::of_tables(Meta::default(), vec![table])
    }

    /// Metrics of an operator have no time: its row is no point of a curve.
    #[test]
    fn metrics_of_operators_are_no_curves() {
        let column = |name: &str, unit| RecordedColumn { name: name.to_owned(), unit };
        let columns = vec![column("Op Name", RecordedUnit::Text), column("aic_mac_ratio", RecordedUnit::Number)];
        let rows = [0.9, 0.1].map(|share| vec![Cell::Text("mm".into()), Cell::Real(share)]).to_vec();
        let table = RecordedTable { id: "op_summary", file: "op_summary_0.csv".to_owned(), columns, rows };
        let trace = Trace::of_tables(Meta::default(), vec![table]);
        let mut found = Vec::new();
        add(&trace, &mut found);
        assert!(found.is_empty() && !has_any(&trace));
    }

    #[test]
    fn host_memory_has_points_where_it_was_measured() {
        let curves = |memory: &[Option<i64>]| {
            let trace = host_info(memory);
            let mut found = Vec::new();
            add(&trace, &mut found);
            assert_eq!(has_any(&trace), !found.is_empty());
            found.into_iter().map(|curve| curve.points).collect::<Vec<_>>()
        };
        // Where rows have times, one without a time has no place among them.
        let mut trace = host_info(&[4096, 8192, 4096].map(Some));
        let [first, ..] = &mut trace.recorded[0].rows[..] else { unreachable!("a row") };
        first[2] = Cell::Empty;
        let mut found = Vec::new();
        add(&trace, &mut found);
        assert_eq!(found[0].points, [(1.0, 8192.0), (2.0, 4096.0)]);
        assert_eq!(curves(&[None, None]), Vec::<Vec<(f64, f64)>>::new());
        assert_eq!(curves(&[None, Some(4096)]), [[(1.0, 4096.0)]]);
    }

    /// MindData's curves of a machine and of an operator, whose first samples have these context switches.
    fn minddata(first: i64) -> Vec<(String, Vec<(f64, f64)>)> {
        let column = |name: &str, unit| RecordedColumn { name: name.to_owned(), unit };
        let shares = ["machine idle", "machine user"].map(|name| column(name, RecordedUnit::Share));
        let counts = ["context switches", "runnable processes"].map(|name| column(name, RecordedUnit::Number));
        let columns = [vec![column("time", RecordedUnit::Nanoseconds)], shares.to_vec(), counts.to_vec()].concat();
        let row = |time: i64, share: f64, switches: i64| {
            let shares = [share, 0.0].map(Cell::Real);
            let counts = [switches, 6].map(Cell::Integer);
            [vec![Cell::Integer(time)], shares.to_vec(), counts.to_vec()].concat()
        };
        let of_machine = vec![row(0, 0.0, first), row(1, 0.25, 90)];
        let operator = |time: i64, user: f64| vec![Cell::Integer(time), Cell::Integer(3), Cell::Real(user)];
        let tables = vec![
            RecordedTable { id: "minddata_cpu", file: String::new(), columns, rows: of_machine },
            RecordedTable {
                id: "minddata_cpu_operators",
                file: String::new(),
                columns: vec![
                    column("time", RecordedUnit::Nanoseconds),
                    column("op_id", RecordedUnit::Number),
                    column("user", RecordedUnit::Share),
                ],
                rows: vec![operator(0, 0.0), operator(1, 0.5)],
            },
        ];
        let trace = Trace::of_tables(Meta::default(), tables);
        let mut found = Vec::new();
        add(&trace, &mut found);
        found.into_iter().map(|curve| ([curve.owner, curve.name].join(" "), curve.points)).collect()
    }

    #[test]
    fn a_first_sample_that_measured_nothing_is_no_point() {
        let points = |curves: &[(String, Vec<(f64, f64)>)], name: &str| {
            curves.iter().find(|(known, _)| known == name).map(|(_, points)| points.clone()).expect("a curve")
        };
        let (blank, measured) = (minddata(0), minddata(40));
        for (name, value) in [("machine idle", 0.25), ("machine context switches", 90.0), ("3 user", 0.5)] {
            assert_eq!(points(&blank, name), [(1.0, value)], "{name}");
            assert_eq!(points(&measured, name).len(), 2, "{name}");
        }
        assert_eq!(points(&blank, "machine runnable processes").len(), 2, "that is there at a moment");
    }
}
