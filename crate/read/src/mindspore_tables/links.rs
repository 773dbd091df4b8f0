//! The links and operators in each row of `hccl_raw`, as JSON.

use super::quantity::{MILLIS, Quantity};
use stepscope_base::{Code, CompactSort, Warnings};
use stepscope_parse::Tree;
use stepscope_trace::{Cell, RecordedTable, RecordedUnit, TraceBuilder};

/// The traffic of a link: the time in ms, thousands of bytes, and thousands of bytes per second.
const CARRIED: [Quantity; 3] = [MILLIS, Quantity::Bytes(1000), Quantity::Rate(1000)];

/// The tables of links and of operators.
pub(super) struct Links {
    links: RecordedTable,
    operators: RecordedTable,
}

impl Links {
    /// The columns with their JSON.
    pub(super) const COLUMNS: [&'static str; 2] = ["link_info", "communication_operator_cost"];

    pub(super) fn new(file: &str) -> Self {
        use RecordedUnit::{Bytes, BytesPerSecond, Nanoseconds, Text};
        const LINKS: &[(&str, RecordedUnit)] = &[
            ("step_num", Text),
            ("link", Text),
            ("type", Text),
            ("communication_cost", Nanoseconds),
            ("communication_size", Bytes),
            ("band_width", BytesPerSecond),
        ];
        const OPERATORS: &[(&str, RecordedUnit)] = &[
            ("step_num", Text),
            ("operator", Text),
            ("communication_cost", Nanoseconds),
            ("wait_cost", Nanoseconds),
            ("links", Text),
        ];
        Self {
            links: RecordedTable::new("hccl_links", file, LINKS),
            operators: RecordedTable::new("hccl_operators", file, OPERATORS),
        }
    }

    /// Moves a row's links and operators to their tables.
    pub(super) fn take(&mut self, table: &RecordedTable, row: &mut Vec<Cell>, position: u64, warnings: &mut Warnings) {
        let step = table.cell(row, "step_num").clone();
        let mut columns: Vec<usize> = Self::COLUMNS.iter().filter_map(|name| table.column(name)).collect();
        columns.compact_sort();
        for column in columns.into_iter().rev() {
            let Some(Cell::Text(text)) = row.get(column) else {
                row.truncate(column.max(row.len().saturating_sub(1)));
                continue;
            };
            let (tree, fault) = Tree::parse(text.as_bytes());
            if let Some(fault) = fault {
                let name = &table.columns[column].name;
                warnings.add(Code::MalformedRow, Some(position), || format!("{name}: expected {}", fault.expected));
            }
            let members = tree.as_ref().map(Tree::members).unwrap_or_default();
            if table.columns[column].name == Self::COLUMNS[0] {
                self.links.rows.extend(links(&step, members));
            } else {
                self.operators.rows.extend(members.iter().map(|(name, values)| operator(&step, name, values.items())));
            }
            row.remove(column);
        }
    }

    pub(super) fn finish(self, builder: &mut TraceBuilder) {
        for table in [self.links, self.operators] {
            if !table.rows.is_empty() {
                builder.table(table);
            }
        }
    }
}

/// Rows of `{"0-1": {"SDMA": [cost, size, rate]}}`.
fn links<'a>(step: &'a Cell, links: &'a [(String, Tree)]) -> impl Iterator<Item = Vec<Cell>> + 'a {
    links.iter().flat_map(move |(link, types)| {
        types.members().iter().map(move |(kind, carried)| {
            let carried = CARRIED.iter().enumerate().map(|(at, in_)| in_.cell_of(carried.items().get(at)));
            [step.clone(), Cell::Text(link.clone()), Cell::Text(kind.clone())].into_iter().chain(carried).collect()
        })
    })
}

/// The row of `[step, cost, wait, links]`.
fn operator(step: &Cell, name: &str, values: &[Tree]) -> Vec<Cell> {
    let time = |at: usize| MILLIS.cell_of(values.get(at));
    vec![step.clone(), Cell::Text(name.to_owned()), time(1), time(2), Quantity::Text.cell_of(values.get(3))]
}
